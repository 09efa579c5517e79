//! Learning small games, and the use of what was learned.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use grundy_core::game::{GameResult, Player};
use grundy_core::random::SplitMix64;
use grundy_core::value::Score;
use grundy_core::weights::Weights;
use grundy_session::{Catalog, Family, Go, Info, Limits, Listed, NEVER, Session, Settings, WeightsChoice};

use crate::layout::{Layout, turn_of};
use crate::model::Aim;
use crate::selfplay::{total, worth_of};
use crate::symmetry::{find, random_positions};
use crate::training::{HeldOut, Kind, Plan, Training};

static FAMILIES: [Family; 3] = [
    Family { title: "Boards", rows: &grundy_boards::ROWS },
    Family { title: "Searched", rows: &grundy_searched::ROWS },
    Family { title: "Rules", rows: &grundy_rules::ROWS },
];

fn open(name: &str, settings: &Settings) -> Result<Session, String> {
    Catalog::new(&FAMILIES).open(name, settings)
}

fn plan<'a>(games: u64, threads: usize, file: Option<&'a Path>, stop: &'a AtomicBool) -> Plan<'a> {
    Plan { until: None, games: Some(games), threads, seed: 1, model: None, file, stop }
}

#[test]
fn symmetries_are_found_by_playing() {
    // The cell to which the exchange of the players moves the first one, up to the other symmetries.
    let wanted: [(&str, usize, &[u16]); 6] = [
        ("mnk:3,3,3", 8, &[0, 2, 6, 8]),
        ("breakthrough:6x6", 2, &[30, 35]),
        // The borders of the players are exchanged by a reflection in a diagonal.
        ("hex:4", 2, &[0, 15]),
        // Ends are rare.
        ("hex:9", 2, &[0, 80]),
        ("connect4:4x4", 2, &[0, 3]),
        ("kalah:3,2", 1, &[3]),
    ];
    for (name, count, firsts) in wanted {
        let session = open(name, &Settings::default()).unwrap();
        let (mut board, mut random) = (session.board().unwrap(), SplitMix64(2));
        let met = random_positions(&mut *board, 30, &mut random, &|| false).unwrap();
        let layout = Layout::of(&met[0].text).unwrap();
        let (kept, exchange) = find(&mut *board, &layout, &met, &mut random, false, &|| false);
        let exchange = exchange.map(|symmetry| symmetry.cells);
        assert_eq!(kept.len(), count, "{name}: {exchange:?}");
        assert!(exchange.as_ref().is_some_and(|cells| firsts.contains(&cells[0])), "{name}: {exchange:?}");
        if name == "hex:4" {
            assert_eq!(exchange.map(|cells| cells[1]), Some(4), "not a rotation");
        }
    }
}

#[test]
fn symmetries_of_rules_files_hold_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.rbg");
    // A stone scores below one of its player: the rows cannot be turned over.
    let below = "#players = red(10), blue(10)\n#pieces = e, r, b\n#variables =\n\
        #board = rectangle(up,down,left,right,[e,e,e,e][e,e,e,e][e,e,e,e][e,e,e,e])\n\
        #any = (up*+down*)(left*+right*)\n\
        #turn(me; p) = ->me any {e} [p] ({? up {p}} [$ me=me+1] + {! up {p}})\n\
        #rules = (turn(red; r) turn(blue; b))*\n";
    // A full board without a row is won by the second player.
    let full =
        include_str!("../../../rules/tictactoe.rbg").replace("cross=50, nought=50", "cross=0, nought=100");
    for (text, count, alike) in [
        (below, 2, false),
        (full.as_str(), 8, false),
        (include_str!("../../../rules/tictactoe.rbg"), 8, true),
    ] {
        std::fs::write(&path, text).unwrap();
        let session = open(&format!("rules:file={}", path.display()), &Settings::default()).unwrap();
        let (mut board, mut random) = (session.board().unwrap(), SplitMix64(2));
        let met = random_positions(&mut *board, 100, &mut random, &|| false).unwrap();
        let layout = Layout::of(&met[0].text).unwrap();
        let (kept, exchange) = find(&mut *board, &layout, &met, &mut random, true, &|| false);
        assert_eq!((kept.len(), exchange.is_some()), (count, alike), "{text}");
    }
}

#[test]
fn learning_lowers_the_error_and_is_repeatable_with_any_number_of_threads() {
    let stop = AtomicBool::new(false);
    let learn = |threads| {
        let session = open("mnk:4,3,3", &Settings::default()).unwrap();
        let mut training = Training::new(&session, plan(448, threads, None, &stop)).unwrap();
        let before = training.progress().held_out;
        let weights = training.run(&mut |_| {}).unwrap();
        (before, training.progress().held_out, weights)
    };
    let (before, after, weights) = learn(1);
    let HeldOut { positions, error, .. } = after;
    assert!(positions > 100 && error < 0.9 * before.error, "{before:?} {after:?}");
    assert_eq!(learn(3).2.contents(), weights.contents());
}

/// Positions of random games as lines of a file, won by the player who has more men.
fn judged(name: &str, games: usize) -> String {
    let mut board = open(name, &Settings::default()).unwrap().board().unwrap();
    let met = random_positions(&mut *board, games, &mut SplitMix64(3), &|| false).unwrap();
    let line = |text: &str| {
        let [own, other] = if turn_of(text) == Player::One { ['X', 'O'] } else { ['O', 'X'] };
        let points = match text.matches(own).count().cmp(&text.matches(other).count()) {
            Ordering::Greater => "1",
            Ordering::Equal => "0.5",
            Ordering::Less => "0",
        };
        format!("{text};{points}\n")
    };
    met.iter().filter(|met| !met.ended).map(|met| line(&met.text)).collect()
}

#[test]
fn judged_positions_are_learned_and_lines_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (positions, file) = (folder.path().join("judged.txt"), folder.path().join("mine.weights"));
    let name = "breakthrough:5x4";
    let session = open(name, &Settings::default()).unwrap();
    let stop = AtomicBool::new(false);
    let study = |lines: &str, kind: Kind| {
        std::fs::write(&positions, lines).unwrap();
        let plan = Plan { games: None, ..plan(0, 1, Some(&file), &stop) };
        let mut errors = Vec::new();
        let mut training = Training::new(&session, Plan { model: Some(kind), ..plan }).unwrap();
        let judged = training.positions(&positions)?;
        let weights = training.study(&judged, 4, &mut |_, error| errors.push(error))?;
        assert_eq!(Weights::read(&file).unwrap().contents(), weights.contents());
        std::fs::remove_file(&file).unwrap();
        Ok::<_, String>((errors, weights.contents().unit))
    };
    let lines = judged(name, 600);
    let network = Kind::Network(32);
    // Scores of 50 hundredths, a quarter of them of the wrong sign, say that odds of e to 1 are some 45 hundredths.
    let scored = lines.lines().enumerate().map(|(at, line)| {
        let won = (line.ends_with(";1")) != (at % 4 == 0);
        format!("{line};{}\n", if won { 50 } else { -50 })
    });
    let scored: String = scored.filter(|line| !line.contains(";0.5;")).collect();
    for kind in [network, Kind::Tuples] {
        let (errors, unit) = study(&lines, kind).unwrap();
        assert!(errors.len() == 4 && errors[3] < 0.7 && errors[3] < errors[0], "{kind:?}: {errors:?}");
        let (_, scaled) = study(&scored, kind).unwrap();
        assert!(scaled > unit / 3 && scaled < unit / 3 * 2, "{kind:?}: {unit} {scaled}");
    }
    let first = lines.lines().next().unwrap();
    let position = first.split(';').next().unwrap();
    for (line, why) in [
        ("", "no positions: expected lines POSITION;RESULT or POSITION;RESULT;SCORE"),
        (position, "line 1: result \"\": expected 1, 0.5 or 0, seen by the player to move"),
        (&format!("{position};2"), "line 1: result \"2\": expected 1, 0.5 or 0"),
        (&format!("{first}\n\n{position};1;much"), "line 3: score \"much\": expected hundredths"),
        (&format!("{position};1;5;6"), "line 1: more than three fields"),
        ("nowhere;1", "line 1: "),
        (first, "1 position: expected at least 20"),
    ] {
        let refused = study(line, network).unwrap_err();
        assert!(refused.contains(why) && refused.lines().count() == 1, "{refused}");
    }
}

/// The last line of a search without and with weights.
fn searched(name: &str, limits: Limits, weights: WeightsChoice) -> Info {
    let settings = Settings { weights, tables: Some("/no/such/folder".into()), ..Settings::default() };
    let mut session = open(name, &settings).unwrap();
    let mut last = None;
    session.think(&Go { limits, ..Go::default() }, &NEVER, &mut |info| last = Some(info));
    last.unwrap()
}

#[test]
fn weights_serve_searches_with_limits_and_change_no_exact_value() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.weights");
    let name = "breakthrough:4x5";
    let stop = AtomicBool::new(false);
    let session = open(name, &Settings::default()).unwrap();
    Training::new(&session, plan(64, 1, Some(&file), &stop)).unwrap().run(&mut |_| {}).unwrap();
    let with = || WeightsChoice::File(file.clone());
    let (own, learned) =
        [WeightsChoice::Off, with()].map(|weights| searched(name, Limits::default(), weights)).into();
    assert_eq!((own.score, own.nodes, own.pv), (learned.score, learned.nodes, learned.pv));
    assert!(own.score.exact().is_some());
    let depth = Limits { depth: Some(2), ..Limits::default() };
    let (own, learned) = [WeightsChoice::Off, with()].map(|weights| searched(name, depth, weights)).into();
    assert!(
        matches!((own.score, learned.score), (Score::Guess(own), Score::Guess(learned)) if own != learned)
    );
    // Continued, the file has more games.
    let more = Training::new(&session, plan(100, 1, Some(&file), &stop)).unwrap().run(&mut |_| {}).unwrap();
    assert_eq!(more.contents().games, 100);
    // In the folder of tables it is found by the game's name.
    let settings = Settings { tables: Some(folder.path().to_owned()), ..Settings::default() };
    std::fs::copy(&file, folder.path().join("breakthrough_4x5.weights")).unwrap();
    let mut session = open(name, &settings).unwrap();
    assert_eq!(session.weigh(), Ok(Some(folder.path().join("breakthrough_4x5.weights"))));
    let go = Go { limits: Limits { depth: Some(2), ..Limits::default() }, ..Go::default() };
    session.configure(&settings);
    let note = |session: &mut Session| session.prepare(&go, &NEVER).notes.join(" ");
    assert!(note(&mut session).ends_with("breakthrough_4x5.weights"));
    // Once is enough.
    session.forget();
    assert!(!note(&mut session).contains(".weights"));
    // Those of another game, and a damaged file, are refused in one line.
    let refused = |game: &str| {
        let settings = Settings { weights: with(), ..Settings::default() };
        open(game, &settings).err().unwrap()
    };
    assert!(refused("breakthrough:5x5").contains("weights of breakthrough:4x5, expected breakthrough:5x5"));
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[60] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let why = refused(name);
    assert!(
        why.contains("mine.weights: damaged: the checksum is wrong") && why.lines().count() == 1,
        "{why}"
    );
}

#[test]
fn games_without_a_search_are_refused() {
    let stop = AtomicBool::new(false);
    for (name, why) in [("tictactoe", "no search"), ("row:3,5,2", "no search")] {
        let session = open(name, &Settings::default()).unwrap();
        let refused = Training::new(&session, plan(1, 1, None, &stop)).err().unwrap();
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn weights_that_come_with_the_program_are_those_of_their_games() {
    let mut names = Vec::new();
    for (name, file) in FAMILIES.iter().flat_map(|family| family.rows).flat_map(|row| row.weights) {
        let weights = Weights::from_bytes(file).unwrap();
        assert!(weights.check(name, None).is_ok(), "{name}");
        let [own, learned] = [WeightsChoice::Off, WeightsChoice::Found]
            .map(|weights| searched(name, Limits { depth: Some(1), ..Limits::default() }, weights));
        assert_ne!(own.score, learned.score, "{name}");
        names.push(*name);
    }
    assert_eq!(names, ["breakthrough:8x8", "kalah:6,4", "kalah:6,6"]);
}

#[test]
fn the_winner_of_a_game_for_points_is_told_by_all_points() {
    let mut board = open("kalah:3,2", &Settings::default()).unwrap().board().unwrap();
    let (mut random, aim) = (SplitMix64(4), Aim::Margin(2.0));
    for _ in 0..20 {
        board.set_up(None).unwrap();
        while let Some(moves) = board.list(Listed::Legal, usize::MAX).filter(|moves| !moves.is_empty()) {
            board.play(moves[random.below(moves.len())]);
        }
        let standing = board.standing();
        let worth = total(&standing, worth_of(standing.over.unwrap(), aim), aim);
        let won = match standing.result.unwrap() {
            GameResult::Win(Player::One) => worth > 0.0,
            GameResult::Win(Player::Two) => worth < 0.0,
            GameResult::Draw => worth == 0.0,
        };
        assert!(won, "{standing:?} {worth}");
    }
}
