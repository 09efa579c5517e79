//! Tests of the host of XBoard's engines.

use super::*;
use crate::engine_spec::TimeControl;
use crate::tests::CATALOG;

const GREETING: &str = "xboard\nprotover 2";
const NEW: &str = "new\nforce\npost\neasy";

fn host(game: &str, features: &str) -> Host {
    let mut host = Host::of(&CATALOG, game).unwrap();
    assert_eq!(host.greeting(), GREETING);
    assert_eq!(host.greeted("Welcome"), Ok(false));
    assert_eq!(host.greeted("feature done=0 myname=\"a ping=0 b\""), Ok(false));
    assert_eq!(host.greeted(&format!("feature {features} done=1")), Ok(true));
    host
}

#[test]
fn a_game_is_told_once_and_then_what_is_new() {
    let mut host = host("chess", "ping=1 setboard=1 usermove=1");
    assert!(host.clear() && host.may_play_again());
    assert_eq!(host.greeting(), format!("{NEW}\nping 1"));
    assert_eq!([host.greeted("pong 7"), host.greeted("pong 1")], [Ok(false), Ok(true)]);
    let clock = TimeControl::read("40/1:30+0.5").ok();
    let limits = Limits { clock, depth: Some(9), ..Limits::default() };
    let left = [90_000, 4_560].map(|ms| Some(Duration::from_millis(ms)));
    let asked = host.question(&Setup::read("startpos moves e2e4"), &limits, left).unwrap();
    let expected = "force\nlevel 40 1:30 0.5\nsd 9\nusermove e2e4\ntime 9000\notim 456\ngo";
    assert_eq!(asked, expected);
    assert_eq!((host.answer_in("# thinking"), host.answer_in("9 16 1084 48000 Nf3 Nc6")), (None, None));
    assert_eq!(host.answer_in("move Nf6"), Some(Ok(" g8f6".to_owned())), "SAN is read, too");
    host.answered("g8f6");
    let next = Setup::read("startpos moves e2e4 g8f6 e4e5");
    let asked = host.question(&next, &Limits::default(), [None; 2]).unwrap();
    assert_eq!(asked, "force\nusermove e4e5\ngo");
    let other = host.question(&Setup::read("startpos moves d2d4"), &Limits::default(), [None; 2]).unwrap();
    assert_eq!(other, format!("{NEW}\nusermove d2d4\ngo"));
    let fen = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1";
    let put = host.question(&Setup::position(fen), &Limits::default(), [None; 2]).unwrap();
    assert_eq!(put, format!("force\nsetboard {fen}\ngo"));
    assert!(Host::of(&CATALOG, "tictactoe").is_err());
}

#[test]
fn an_engine_without_features_is_told_moves_alone() {
    let mut plain = host("chess", "reuse=0");
    assert!(!plain.clear() && !plain.may_play_again());
    let limits = Limits { movetime: Some(500), ..Limits::default() };
    let asked = plain.question(&Setup::read("startpos moves e2e4"), &limits, [None; 2]).unwrap();
    assert_eq!(asked, format!("{NEW}\nst 0.5\ne2e4\ngo"));
    assert!(plain.take_notes().concat().contains("whole seconds only") && plain.take_notes().is_empty());
    let position = Setup::position("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1");
    let refusal = plain.question(&position, &limits, [None; 2]).unwrap_err();
    assert!(refusal.contains("lacks the feature setboard") && refusal.ends_with("w - - 0 1"), "{refusal}");
    let mut san = host("chess", "san=1");
    let asked = san.question(&Setup::read("startpos moves g1f3"), &Limits::default(), [None; 2]).unwrap();
    assert_eq!(asked, format!("{NEW}\nNf3\ngo"));
    let mut ending = Host::of(&CATALOG, "chess:KQvK").unwrap();
    assert!(ending.greeted("feature ping=1 done=1").unwrap_err().contains("lacks the feature setboard"));
}

#[test]
fn features_are_answered_and_those_without_an_end_are_all_after_a_silence() {
    let mut host = Host::of(&CATALOG, "chess").unwrap();
    assert_eq!((host.patience(), host.missing()), (Some(SILENCE), None));
    assert_eq!(host.greeted("feature usermove=1 colors=0 playother=1 myname=\"a b=1\""), Ok(false));
    let replies = ["accepted usermove", "accepted colors", "rejected playother", "rejected myname"];
    assert_eq!(host.take_replies(), replies);
    assert_eq!((host.take_replies().len(), host.patience()), (0, Some(SILENCE)));
    assert_eq!((host.settle(), host.take_notes().len()), (Ok(()), 0));
    let asked = host.question(&Setup::read("startpos moves e2e4"), &Limits::default(), [None; 2]).unwrap();
    assert_eq!(asked, format!("{NEW}\nusermove e2e4\ngo"));
    let mut waits = Host::of(&CATALOG, "chess").unwrap();
    assert_eq!((waits.greeted("feature done=0"), waits.patience()), (Ok(false), None));
    let mut old = Host::of(&CATALOG, "chess").unwrap();
    assert_eq!((old.greeted("Illegal move: protover 2"), old.settle()), (Ok(false), Ok(())));
    assert!(old.take_notes().concat().contains("version 1"));
    assert!(Host::of(&CATALOG, "chess:KQvK").unwrap().settle().unwrap_err().contains("setboard"));
}

#[test]
fn chess960_is_a_variant_with_castling_in_words() {
    let mut refused = Host::of(&CATALOG, "chess:960").unwrap();
    assert_eq!(refused.missing(), None);
    assert_eq!(refused.greeted("feature setboard=1 done=0"), Ok(false));
    assert_eq!(refused.missing(), Some("its features do not end with done=1"));
    assert!(refused.greeted("feature setboard=1 variants=\"normal\" done=1").unwrap_err().contains(SHUFFLED));
    let mut host = host("chess:960", "setboard=1 usermove=1 variants=\"normal, fischerandom\"");
    let start = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    let setup = Setup { moves: vec!["f1h1".to_owned()], ..Setup::position(start) };
    let asked = host.question(&setup, &Limits::default(), [None; 2]).unwrap();
    let begun = "new\nvariant fischerandom\nforce\npost\neasy";
    assert_eq!(asked, format!("{begun}\nsetboard {start}\nusermove O-O\ngo"));
    let asked = host.question(&Setup::position(start), &Limits::default(), [None; 2]).unwrap();
    assert!(asked.ends_with("go"), "{asked}");
    assert_eq!(host.answer_in("move O-O"), Some(Ok(" f1h1".to_owned())));
}

#[test]
fn answers_are_moves_resignations_and_refusals() {
    let mut host = host("chess", "usermove=1");
    host.question(&Setup::read("startpos moves e2e4 e7e5"), &Limits::default(), [None; 2]).unwrap();
    for line in ["resign", "0-1 {White resigns}", "0-1 {Black mates}"] {
        assert_eq!(host.answer_in(line), Some(Ok(format!(" {RESIGN}"))), "{line}");
    }
    assert_eq!(host.answer_in("move e2e5"), Some(Ok(" e2e5".to_owned())));
    for line in ["Illegal move: e7e5", "Illegal move", "Error (unknown command): usermove", "Error (x): e2e4"]
    {
        assert!(host.answer_in(line).is_some_and(|answer| answer.is_err()), "{line}");
    }
    for line in [
        "offer draw",
        "telluser 1-0",
        "tellopponent resign",
        "tellall 1 2 3 4",
        "# 1/2-1/2",
        "Error (unknown command): easy",
        "Error (no such file): book.bin",
        "Illegal move: accepted usermove",
        "moves e2e4",
    ] {
        assert_eq!(host.answer_in(line), None, "{line}");
    }
}

#[test]
fn a_claim_is_judged_by_the_board() {
    let mut host = host("chess", "setboard=1 usermove=1");
    let mut asked = |position: &str, claim: &str| {
        host.question(&Setup::position(position), &Limits::default(), [None; 2]).unwrap();
        host.answer_in(claim)
    };
    let rook = "6k1/8/8/8/8/8/8/K6R w - - 0 1";
    for claim in ["1-0 {White mates}", "1-0 {Black resigns}", "1/2-1/2 {Draw by repetition}"] {
        let refusal = format!("it claims \"{claim}\", but the game is not over");
        assert_eq!(asked(rook, claim), Some(Err(refusal)));
    }
    // Its next move is the fiftieth of each side without a capture or a pawn's move.
    let fifty = asked("7k/8/8/8/8/8/8/K5R1 b - - 99 80", "1/2-1/2{Fifty moves}");
    assert_eq!(fifty, Some(Ok(" h8h7".to_owned())));
    assert_eq!(asked("7k/8/8/8/8/8/8/K5B1 b - - 0 1", "1/2-1/2"), Some(Ok(format!(" {DRAW}"))));
    // The result of the board before may still be claimed, also in another game.
    assert_eq!(asked("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "move a1a8"), Some(Ok(" a1a8".to_owned())));
    host.answered("a1a8");
    assert!(is_claim("1-0 {White mates}") && !is_claim("offer draw") && host.is_unsolicited("move a1a2"));
    assert!(!host.clear() && !host.is_unsolicited("move a1a2"));
    host.question(&Setup::default(), &Limits::default(), [None; 2]).unwrap();
    assert_eq!(host.answer_in("1-0 {White mates}"), None);
    host.answered("e2e4");
    host.question(&Setup::read("startpos moves e2e4 e7e5"), &Limits::default(), [None; 2]).unwrap();
    assert!(host.answer_in("1-0 {White mates}").is_some_and(|answer| answer.is_err()));
}

#[test]
fn bishops_of_one_colour_or_a_knight_cannot_mate() {
    for fen in ["8/8/4k3/8/8/3K4/8/8 w", "k7/8/8/8/8/8/8/KN6 b", "k7/8/8/8/8/8/1b6/K1B1B3 w"] {
        assert!(nobody_can_mate(fen), "{fen}");
    }
    for fen in ["k7/8/8/8/8/8/8/KBB5 w", "kn6/8/8/8/8/8/8/KN6 w", "k7/8/8/8/8/8/P7/K7 w", "XO./.../... 1"] {
        assert!(!nobody_can_mate(fen), "{fen}");
    }
}

#[test]
fn scores_are_those_of_thinking_output() {
    for (line, score) in [
        ("9 156 1084 48000 Nf3 Nc6", Some(156)),
        ("12. -30 5 99", Some(-30)),
        ("20 100005 5 99 Qh5#", Some(MATE)),
        ("move e2e4", None),
        ("9 156 1084", None),
    ] {
        assert_eq!(score_in(line), score, "{line}");
    }
}
