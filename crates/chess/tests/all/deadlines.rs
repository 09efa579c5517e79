//! Endings under the fifty-move rule: values by the halfmove clock, against the rules and a plain search.

use grundy_chess::{Chess, Material, Position};
use grundy_contract::open;
use grundy_core::game::{Game, Indexed, Notation, legal_moves};
use grundy_core::value::{Score, Step, Value};
use grundy_session::{Go, Limits, MoveValue, NEVER, Settings, Work, quiet_work};
use grundy_tables::Oracle;
use grundy_tables::bitparallel::Library;

use super::endings::{library, random_position, seeded};
use super::plain;
use super::short_mates::mates_in;

/// Returns the position with this halfmove clock.
fn with_clock(chess: &Chess, position: &Position, clock: u32) -> Position {
    let fen = chess.write_position(position);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    chess.read_position(&format!("{} {clock} 90", fields.join(" "))).unwrap()
}

/// Returns a clock at which the rule matters for a value of `plies`: between "far too late" and "in time".
fn clock_for(plies: u32, random: &mut impl FnMut(u32) -> u32) -> u32 {
    let left = random(plies + 3);
    100 - left.min(100)
}

fn equations_hold_under_the_rule(names: &[&str], each: u32) -> u32 {
    let chess = Chess::new().with_rule50(true);
    let mut random = seeded(0x9e37_79b9_7f4a_7c15);
    let mut otherwise = 0;
    for name in names {
        let ending = Material::read(name).unwrap();
        // Some of these are too large to be made automatically.
        library().timed(&chess, ending, &quiet_work()).unwrap();
        let mut done = 0;
        // In some endings hardly any position is decided.
        for _ in 0..40 * each {
            if done == each {
                break;
            }
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            let Some(plain) = library().value(&chess, &position).and_then(Value::plies) else { continue };
            let position = with_clock(&chess, &position, clock_for(plain, &mut random));
            done += 1;
            if chess.over(&position).is_some() {
                continue;
            }
            let value = library().value(&chess, &position).unwrap();
            let mut best = None;
            for m in legal_moves(&chess, &position) {
                let child = library().value(&chess, &chess.play(&position, m)).unwrap();
                best = best.max(Some(child.back(Step::PASSED)));
            }
            assert_eq!(Some(value), best, "{name}: {}", chess.write_position(&position));
            otherwise += u32::from(value.plies().is_some_and(|plies| plies != plain));
        }
    }
    otherwise
}

#[test]
fn under_the_fifty_move_rule_a_position_is_worth_the_best_of_its_children() {
    let names = ["KQvK", "KBNvK", "KQvKR", "KRvKN", "KRRvK"];
    // Wins that take longer than without the rule, because they must capture first, are among them.
    assert!(equations_hold_under_the_rule(&names, 400) > 30);
    // Or because a pawn must move first.
    assert!(equations_hold_under_the_rule(&["KPvK", "KQPvK"], 400) > 15);
}

#[test]
#[ignore = "all endings of four men: half a minute"]
fn under_the_fifty_move_rule_all_endings_of_four_men_agree_with_their_children() {
    let names = [super::endings::names(4, false), super::endings::names(4, true)].concat();
    equations_hold_under_the_rule(&names.iter().map(String::as_str).collect::<Vec<_>>(), 5000);
}

/// Every position of an ending at clocks from 100 down to `100 - most`, layer by layer: each is worth the best of its
/// children one ply later, or what the table makes of them where a move sets the clock back.
fn every_clock_agrees(name: &str, most: u32) {
    let chess = Chess::ending(Material::read(name).unwrap()).unwrap().with_rule50(true);
    let other = chess.clone().with_rule50(false);
    let size = chess.size();
    let mut before: Vec<Option<Value>> = vec![None; usize::try_from(size).unwrap()];
    for left in 0..=most {
        let mut layer = before.clone();
        for number in 0..size {
            let Some(position) = chess.position(number) else { continue };
            let now = with_clock(&chess, &position, 100 - left);
            let moves = legal_moves(&other, &position);
            let worth = |m| {
                let child = other.play(&position, m);
                let value = if child.board().halfmove_clock() == 0 {
                    library().value(&other, &child).unwrap()
                } else {
                    before[usize::try_from(chess.index(&child)).unwrap()].expect("one ply less")
                };
                value.back(Step::PASSED)
            };
            let value = match () {
                () if moves.is_empty() => other.over(&position).unwrap(),
                () if left == 0 => Value::DRAW,
                () => moves.into_iter().map(worth).max().unwrap(),
            };
            layer[usize::try_from(number).unwrap()] = Some(value);
            assert_eq!(library().value(&chess, &now), Some(value), "{}", chess.write_position(&now));
        }
        before = layer;
    }
}

#[test]
#[ignore = "a minute"]
fn from_clock_90_on_every_position_of_three_men_agrees_with_a_solver_that_knows_the_clock() {
    for name in ["KQvK", "KRvK", "KPvK"] {
        every_clock_agrees(name, 10);
    }
}

#[test]
#[ignore = "many minutes"]
fn from_clock_90_on_every_position_of_bishop_and_knight_agrees_with_a_solver_that_knows_the_clock() {
    every_clock_agrees("KBNvK", 10);
}

#[test]
#[ignore = "many minutes"]
fn from_clock_90_on_every_position_of_four_men_with_pawns_agrees_with_a_solver_that_knows_the_clock() {
    for name in ["KQPvK", "KRvKP"] {
        every_clock_agrees(name, 10);
    }
}

/// Compares random positions with clocks from 90 on with a full search over moves and clocks: mates of up to three
/// moves that come in time must have their value where the tables know one, and no other value may be claimed. Returns the
/// numbers of mates, and of positions whose win would come too late.
fn short_mates_agree_at_late_clocks(name: &str, each: u32) -> [u32; 2] {
    let ending = Material::read(name).unwrap();
    let unruled = Chess::ending(ending).unwrap();
    let chess = unruled.clone().with_rule50(true);
    let work = Work { threads: 2, ..quiet_work() };
    library().prepare(&chess, ending, &work).unwrap();
    let mut random = seeded(0x5bd1_e995_7b93_5bd1);
    let (mut mates, mut late, mut done) = (0, 0, 0);
    while done < each {
        let Some(position) = random_position(&chess, ending, &mut random) else { continue };
        let plain = library().value(&unruled, &position).expect("its ending was solved");
        let decided = plain.plies().is_some_and(|plies| (1..=5).contains(&plies));
        // Half of the positions are mates in few moves.
        if chess.over(&position).is_some() || done % 2 == 0 && !decided {
            continue;
        }
        done += 1;
        let position = with_clock(&chess, &position, 90 + random(10));
        let left = 100 - u32::from(position.board().halfmove_clock());
        let (value, fen) = (library().value(&chess, &position), chess.write_position(&position));
        for moves in 1..=3 {
            let won = value.filter(|&value| value > Value::DRAW).and_then(Value::plies);
            let in_time = won.is_some_and(|plies| plies < 2 * moves);
            // Where the tables do not tell whether a win comes in time, the engine searches.
            if value.is_none() {
                continue;
            }
            assert_eq!(
                mates_in(&chess, &position, moves),
                in_time,
                "{fen}: mate in {moves}, claimed {value:?}"
            );
        }
        match plain.plies() {
            Some(plies) if plies <= left => assert_eq!(value, Some(plain), "{fen}"),
            // A capture or a pawn's move on the way may bring the same win in time, never a nearer one.
            Some(_) => {
                let [low, high] =
                    if plain > Value::DRAW { [Value::DRAW, plain] } else { [plain, Value::DRAW] };
                assert!(value.is_none_or(|value| low <= value && value <= high), "{fen}: {value:?}");
            }
            None => assert_eq!(value, Some(Value::DRAW), "{fen}"),
        }
        mates += u32::from(decided && value == Some(plain));
        late += u32::from(plain.plies().is_some_and(|plies| plies > left));
    }
    [mates, late]
}

#[test]
#[ignore = "a minute in a release build, most of it for an ending of five men"]
fn at_late_clocks_samples_agree_with_a_search_that_knows_the_clock() {
    for name in ["KQPvK", "KRPvKR"] {
        let [mates, late] = short_mates_agree_at_late_clocks(name, 400);
        assert!(mates > 100 && late > 20, "{name}: {mates} mates, {late} too late");
    }
}

#[test]
fn values_by_the_clock_are_made_automatically_only_within_the_budget() {
    let fen = "8/8/8/8/8/2K5/3P4/4k3 w - - 99 90";
    let (full, own) = (Chess::new().with_rule50(true), Material::read("KPvK").unwrap());
    let library = Library::<Chess>::new(8 << 20);
    let position = full.read_position(fen).unwrap();
    // The table of the ending fits, its values by the clock do not: a win that comes too late without a pawn's move is
    // not known, and other values are.
    assert_eq!(library.value(&full, &position), None);
    assert!(library.get(own).is_some() && library.get_timed(own).is_none());
    let early = full.read_position(&fen.replace("99", "0")).unwrap();
    assert!(library.value(&full, &early) > Some(Value::DRAW));
    // They are made where they are asked for.
    assert!(library.timed(&full, own, &quiet_work()).unwrap().is_some());
    assert!(library.value(&full, &position).is_some());
    let library = Library::<Chess>::new(8 << 20);
    let ending = Chess::ending(own).unwrap().with_rule50(true);
    assert!(library.value(&ending, &position).is_some());
}

/// Returns the value with `left` plies to go by searching all lines; what captures leave is looked up in the plain
/// solver.
fn searched(chess: &Chess, position: &Position, left: u32, men: &plain::Alone) -> Value {
    let moves = legal_moves(chess, position);
    if let (true, Some(value)) = (moves.is_empty(), chess.over(position)) {
        return value;
    }
    if left == 0 {
        return Value::DRAW;
    }
    let before = position.material().men();
    let worth = |child: Position| {
        if child.material().men() < before {
            men.value(&child)
        } else {
            searched(chess, &child, left - 1, men)
        }
    };
    let values = moves.into_iter().map(|m| worth(chess.play(position, m)).back(Step::PASSED));
    values.max().expect("a position that is not over has moves")
}

#[test]
#[ignore = "5 s, most of them for the plain solver"]
fn with_three_plies_left_the_tables_agree_with_a_plain_search_over_a_plain_solver() {
    let chess = Chess::new().with_rule50(true);
    let men = plain::Alone::new();
    let mut random = seeded(77);
    let mut seen = [0; 3];
    for name in ["KQvKR", "KRvKN", "KRvKB", "KQvKN"] {
        let ending = Material::read(name).unwrap();
        let mut done = 0;
        while done < 30 {
            let ending = if random(2) == 0 { ending } else { ending.swapped() };
            let Some(position) = random_position(&chess, ending, &mut random) else { continue };
            let left = random(3) + 1;
            let position = with_clock(&chess, &position, 100 - left);
            done += 1;
            let value = library().value(&chess, &position).unwrap();
            let fen = chess.write_position(&position);
            assert_eq!(value, searched(&chess, &position, left, &men), "{fen}");
            seen[usize::from(value > Value::DRAW) + 2 * usize::from(value < Value::DRAW)] += 1;
        }
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
}

/// Returns the engine's answer: score, moves of the line, and its notes.
fn answer(game: &str, fen: &str) -> (Score, Vec<String>, Vec<String>) {
    let mut session = open(&grundy_chess::ROWS, game);
    session.setup(Some(fen)).unwrap();
    session.ready(&quiet_work(), None);
    let go = Go::default();
    let notes = session.prepare(&go, &NEVER).notes.clone();
    let mut last = None;
    session.think(&go, &NEVER, &mut |info| last = Some((info.score, info.pv))).unwrap();
    let (score, pv) = last.unwrap();
    (score, pv, notes)
}

#[test]
fn a_win_that_would_come_too_late_is_a_draw_with_the_win_said_beside_it() {
    // Mate in 35 moves, 69 plies: with a clock of 40 the rook must be won earlier, which takes a move longer.
    let fen = |clock: u32| format!("8/8/r7/8/3k4/8/8/K1Q5 w - - {clock} 90");
    for game in ["chess:KQvKR:rule50", "chess"] {
        let (score, pv, notes) = answer(game, &fen(31));
        assert_eq!((score, pv.len(), notes.len()), (Score::Exact(Value::win_in(69)), 69, 0), "{game}");
        let (score, pv, notes) = answer(game, &fen(41));
        assert_eq!((score, pv.len()), (Score::Exact(Value::win_in(71)), 71), "{game}");
        assert_eq!(notes, ["win:69 without the fifty-move rule"]);
        let (score, _, notes) = answer(game, &fen(42));
        assert_eq!(score, Score::Exact(Value::DRAW), "{game}");
        assert_eq!(notes, ["win:69 without the fifty-move rule"]);
    }
    // An ending is played without the rule unless it was asked for.
    let (score, ..) = answer("chess:KQvKR", &fen(90));
    assert_eq!(score, Score::Exact(Value::win_in(69)));
}

#[test]
fn a_full_game_is_worth_what_the_fifty_move_rule_leaves() {
    // Only the pawn's move wins.
    let fen = "4k3/8/3KP3/8/8/8/8/8 w - - 99 90";
    for game in ["chess", "chess:4men:rule50"] {
        let mut session = open(&grundy_chess::ROWS, game);
        session.setup(Some(fen)).unwrap();
        let value = session.value().expect("it has four men");
        let moves = session.values(100).moves;
        assert!(value > Value::DRAW && moves[0].value == Some(value), "{value:?}");
        assert!(moves[1..].iter().all(|m| m.value == Some(Value::DRAW)), "{moves:?}");
        let played = session.think(&Go::default(), &NEVER, &mut |_| {}).unwrap();
        assert_eq!((played.as_str(), moves[0].word.as_str()), ("e6e7", "e6e7"));
    }
}

/// Returns the score and the move after a search of `nodes` nodes.
fn searched_for(fen: &str, nodes: u64) -> (Score, String) {
    let mut session = open(&grundy_chess::ROWS, "chess");
    session.setup(Some(fen)).unwrap();
    let go = Go { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Go::default() };
    let mut score = Score::Guess(0);
    let word = session.think(&go, &NEVER, &mut |info| score = info.score).unwrap();
    (score, word)
}

#[test]
fn the_search_claims_no_win_that_the_clock_refutes() {
    // No mate at once, and any move but a pawn's draws.
    let (score, word) = searched_for("6k1/8/8/8/8/8/PPP5/KQRR4 w - - 99 90", 20_000);
    assert!(["a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4"].contains(&word.as_str()), "{word}");
    assert!(score.exact().and_then(Value::plies).is_none_or(|plies| plies > 5), "{score:?}");
    // The mate at ply 3 comes too late.
    let (score, _) = searched_for("kbK5/pp6/1P6/8/8/8/8/R7 w - - 98 70", 20_000);
    assert_ne!(score, Score::Exact(Value::win_in(3)));
    let (score, _) = searched_for("kbK5/pp6/1P6/8/8/8/8/R7 w - - 97 70", 20_000);
    assert_eq!(score, Score::Exact(Value::win_in(3)));
    // Every move draws.
    let (score, _) = searched_for("4k3/8/8/8/8/8/8/RNBQKBNR w KQ - 99 90", 2_000);
    assert_eq!(score, Score::Exact(Value::DRAW));
}

#[test]
fn a_search_that_is_cut_while_it_fails_high_claims_no_win() {
    // Black is lost; his best score rises and falls by rooks from one iteration to the next.
    for nodes in (3_000..60_000).step_by(1_000) {
        for fen in ["8/P6k/8/8/8/4K3/8/Q4R1q b - - 1 1", "8/P6k/8/8/8/4K3/8/QR5q w - - 0 1"] {
            let (score, _) = searched_for(fen, nodes);
            let plies = match score {
                Score::Exact(value) | Score::AtLeast(value) | Score::AtMost(value) => value.plies(),
                Score::Guess(_) => None,
            };
            assert!(plies.is_none_or(|plies| plies < 200), "{fen}, {nodes} nodes: {score:?}");
            let won = matches!(score, Score::Exact(v) | Score::AtLeast(v) if v > Value::DRAW);
            assert!(!(won && fen.contains(" b ")), "{nodes} nodes: {score:?}");
        }
    }
}

#[test]
fn a_search_that_is_cut_between_two_moves_claims_no_loss() {
    // The first moves are mated in three or four; one that comes later is not, or not so soon.
    let losses = |fen: &str, multi_pv: usize, nodes: u64| {
        let mut session = open(&grundy_chess::ROWS, "chess");
        session.configure(&Settings { multi_pv, hash_mb: 1, ..Settings::default() });
        session.setup(Some(fen)).unwrap();
        let go = Go { limits: Limits { nodes: Some(nodes), ..Limits::default() }, ..Go::default() };
        let mut found: Vec<Value> = Vec::new();
        session.think(&go, &NEVER, &mut |info| match info.score {
            Score::AtMost(value) | Score::Exact(value) if info.rank == 1 && value < Value::DRAW => {
                found.push(value)
            }
            _ => {}
        });
        found
    };
    for nodes in (2_500..4_400).step_by(10) {
        let fen = "r1bqkb1r/1pppp1pn/B1n5/5p2/4P2Q/N5P1/PPPPKP1P/R1B3NR b kq - 1 7";
        assert_eq!(losses(fen, 2, nodes), [], "{nodes} nodes");
    }
    for nodes in 330..460 {
        let fen = "rn2kb1r/pppqppp1/7p/8/P1b2n2/2P5/1P1P1P2/R1BN1KNR w kq - 8 17";
        let found = losses(fen, 1, nodes);
        assert!(found.iter().all(|&loss| loss >= Value::loss_in(8)), "{nodes} nodes: {found:?}");
    }
}

#[test]
fn a_mate_in_one_is_proved_by_a_search_of_one_ply() {
    let mut session = open(&grundy_chess::ROWS, "chess");
    session.setup(Some("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")).unwrap();
    let go = Go { limits: Limits { depth: Some(1), ..Limits::default() }, ..Go::default() };
    let mut score = Score::Guess(0);
    session.think(&go, &NEVER, &mut |info| score = info.score).unwrap();
    assert_eq!(score, Score::Exact(Value::win_in(1)));
}

#[test]
fn a_won_position_is_not_repeated_for_the_third_time() {
    for game in ["chess", "chess:KRvK"] {
        let mut session = open(&grundy_chess::ROWS, game);
        session.setup(Some("8/8/8/R2k4/8/8/8/4K3 b - - 1 1")).unwrap();
        for word in "d5e6 a5a1 e6d5 a1a5 d5e6 a5a1 e6d5".split(' ') {
            session.play(word).unwrap();
        }
        // It would win as fast as the best move, were it not the third time.
        let value = session.value().unwrap();
        let worth = |m: &MoveValue| m.value.filter(|_| m.word == "a1a5");
        assert_eq!(session.values(100).moves.iter().find_map(worth), Some(value));
        let mut score = Score::Guess(0);
        let word = session.think(&Go::default(), &NEVER, &mut |info| score = info.score).unwrap();
        assert_eq!((word.as_str(), score), ("e1e2", Score::Exact(value)), "{game}");
    }
}

#[test]
fn a_win_drawn_by_the_rule_is_played_on() {
    let mut session = open(&grundy_chess::ROWS, "chess:KQvKR:rule50");
    session.setup(Some("8/8/r7/8/3k4/8/8/K1Q5 w - - 60 90")).unwrap();
    let played = session.think(&Go::default(), &NEVER, &mut |_| {}).unwrap();
    let mut plain = open(&grundy_chess::ROWS, "chess:KQvKR");
    plain.setup(Some("8/8/r7/8/3k4/8/8/K1Q5 w - -")).unwrap();
    let best = plain.values(100).moves;
    assert_eq!(best.iter().find(|m| m.word == played).unwrap().value, Some(Value::win_in(69)));
}

#[test]
fn a_line_under_the_fifty_move_rule_ends_in_mate_in_time() {
    let chess = Chess::new().with_rule50(true);
    let mut random = seeded(5);
    let mut longer = 0;
    while longer < 25 {
        let ending = Material::read(["KRvKN", "KQvKR", "KRNvK"][random(3) as usize]).unwrap();
        let Some(position) = random_position(&chess, ending, &mut random) else { continue };
        let Some(plain) = library().value(&chess, &position).and_then(Value::plies) else { continue };
        if plain == 0 {
            continue;
        }
        let position = with_clock(&chess, &position, 101 - plain.min(100));
        let Some(plies) = library().value(&chess, &position).and_then(Value::plies) else { continue };
        longer += 1;
        let (score, pv, notes) = answer("chess:4men:rule50", &chess.write_position(&position));
        assert_eq!(score.exact().and_then(Value::plies), Some(plies));
        assert_eq!(notes.len(), 1);
        let mut now = position;
        for word in &pv {
            assert_eq!(chess.over(&now), None);
            let m = chess.read_move(&now, word).unwrap();
            now = chess.play(&now, m);
        }
        assert_eq!((pv.len(), chess.over(&now)), (plies as usize, Some(Value::loss_in(0))));
    }
}
