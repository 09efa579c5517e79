//! Canonical forms as in the truth file, and counts of positions.

use std::collections::BTreeMap;
use std::time::Duration;

use grundy_contract::{open, rows};
use grundy_core::game::Game;
use grundy_core::value::Wdl;
use grundy_partizan::ROWS;
use grundy_partizan::stalks::Stalks;
use grundy_session::{Canonical, Session};
use grundy_sums::cgt::{Dyadic, Forms, Patience, Simple};

fn form(session: &mut Session) -> String {
    match session.canonical_form() {
        Canonical::Form { word, .. } => word,
        other => panic!("{}: {other}", session.position()),
    }
}

#[test]
fn forms_are_as_in_the_truth_file() {
    let mut sessions: BTreeMap<String, Session> = BTreeMap::new();
    for row in rows!("cgt_forms.tsv") {
        let game = row.get("game");
        // One session serves all positions of games that read any.
        let length = game.split(':').next_back().unwrap().len();
        let kind = match game.split(':').next().unwrap() {
            kind @ "toads-and-frogs" => format!("{kind} {length}"),
            kind @ "hackenbush" => kind.to_owned(),
            _ => game.to_owned(),
        };
        let session = sessions.entry(kind).or_insert_with(|| open(&ROWS, game));
        for (turn, moved) in [(1, 'L'), (2, 'R')] {
            session.setup(Some(&format!("{} {turn}", row.get("position")))).unwrap();
            assert_eq!(form(session), row.get("canonical"), "{game} {}", row.get("position"));
            let outcome = row.get("outcome").chars().next().unwrap();
            let wins = outcome == 'N' || outcome == moved;
            let value = session.over().or_else(|| session.value()).unwrap();
            let expected = if wins { Wdl::Win } else { Wdl::Loss };
            assert_eq!(value.wdl(), expected, "{game} {} {turn}", row.get("position"));
        }
    }
}

/// E. R. Berlekamp's rule for stalks of blue and red edges: the first run counts whole, then halves, quarters, ..
#[test]
fn stalks_of_blue_and_red_are_numbers_by_berlekamps_rule() {
    for bits in 1u32..1 << 12 {
        let length = 32 - bits.leading_zeros();
        // The top bit only marks the length.
        let letters: String = (0..length - 1).map(|n| if bits >> n & 1 == 1 { 'B' } else { 'R' }).collect();
        if letters.is_empty() {
            continue;
        }
        let first = letters.chars().next();
        let run = letters.chars().take_while(|&c| Some(c) == first).count();
        let sign = |c: char| if c == 'B' { 1 } else { -1 };
        let mut number = Dyadic::whole(run as i64 * sign(first.unwrap()));
        for (halvings, c) in (1..).zip(letters.chars().skip(run)) {
            number = number.plus(Dyadic::new(sign(c).into(), halvings).unwrap()).unwrap();
        }
        let game = Stalks::new(&letters).unwrap();
        let mut forms = Forms::default();
        let mut patience = Patience::new(&grundy_session::quiet_work().within(Duration::from_secs(60)));
        let found = forms.form(&game, &game.start(), &mut patience).unwrap();
        assert_eq!(forms.arena().as_simple(found), Some(Simple::number(number)), "{letters}");
    }
}

#[test]
fn sums_of_many_stalks_are_added_at_once() {
    let mut session = open(&ROWS, &format!("hackenbush:{}", ["GB"; 100].join(",")));
    assert_eq!(form(&mut session), "^100");
    let mut session = open(&ROWS, &format!("hackenbush:{}", ["GB"; 101].join(",")));
    assert_eq!(form(&mut session), "^101*");
    let mut session = open(&ROWS, &format!("hackenbush:{}", "BR".repeat(40)));
    assert!(form(&mut session).ends_with("/604462909807314587353088"), "79 halvings");
    let mut session = open(&ROWS, &format!("hackenbush:{}", "BR".repeat(400)));
    assert_eq!(session.canonical_form(), Canonical::NotInTime, "a number too large to be kept");
}

#[test]
fn examples_of_the_notation() {
    for (game, expected) in [
        ("hackenbush:BR", "1/2"),
        ("hackenbush:BBR", "3/2"),
        ("hackenbush:BG", "1*"),
        ("hackenbush:GB", "^*"),
        ("hackenbush:GBB", "{0,^*|0}"),
        ("toads-and-frogs:T.TFF", "^"),
        ("snort:1x4", "+-({2|1})"),
        ("snort:1x5", "+-(1,{3|0})"),
    ] {
        assert_eq!(form(&mut open(&ROWS, game)), expected, "{game}");
    }
}

/// Lines of play, positions and finished positions after each number of plies.
#[test]
fn counts_are_as_in_the_truth_file() {
    let mut games: BTreeMap<String, Vec<[u64; 5]>> = BTreeMap::new();
    for row in rows!("count_new_games.tsv") {
        let number = |column| row.number(column);
        let counts = ["ply", "lines", "positions", "finished", "finished_lines"].map(number);
        games.entry(row.get("game").to_owned()).or_default().push(counts);
    }
    for (game, expected) in games {
        let mut session = open(&ROWS, &game);
        let last = expected.iter().map(|row| row[0]).max().unwrap();
        // Lines that lead to each position of a ply.
        let mut now: BTreeMap<String, u64> = BTreeMap::from([(session.position(), 1)]);
        for ply in 0..=last {
            let over = |session: &mut Session, position: &String| {
                session.setup(Some(position)).unwrap();
                session.over().is_some()
            };
            let finished: Vec<u64> =
                now.iter().filter(|(position, _)| over(&mut session, position)).map(|(_, &n)| n).collect();
            let counts = [
                ply,
                now.values().sum(),
                now.len() as u64,
                finished.len() as u64,
                finished.iter().sum::<u64>(),
            ];
            if let Some(row) = expected.iter().find(|row| row[0] == ply) {
                assert_eq!(*row, counts, "{game}");
            }
            let mut next: BTreeMap<String, u64> = BTreeMap::new();
            for (position, lines) in now {
                session.setup(Some(&position)).unwrap();
                for successor in session.successors(usize::MAX) {
                    *next.entry(successor.position).or_default() += lines;
                }
            }
            now = next;
        }
    }
}
