//! The rules of chess: published counts of lines of play, notation, and what is refused.

use grundy_chess::{Chess, Material, Position, write_san};
use grundy_core::game::{Game, Notation, legal_moves, perft};
use grundy_core::random::SplitMix64;
use grundy_core::value::Value;
use grundy_search::alpha_beta::Heuristic;

/// The six positions of the chess programming wiki, "Perft Results", with their counts from depth 1.
const PERFT: [(&str, [u64; 5]); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8902, 197_281, 4_865_609]),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [48, 2039, 97_862, 4_085_603, 193_690_690],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467, 422_333, 15_833_292]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62_379, 2_103_487, 89_941_194]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2079, 89_890, 3_894_594, 164_075_551],
    ),
];

/// Positions of Chess960 from the chess programming wiki, "Chess960 Perft Results" (also `examples/perft/chess960.perft` of
/// python-chess), with their counts from depth 1: rooks inside and outside, rights of one side, of one rook, and none.
const PERFT_960: [(&str, [u64; 5]); 14] = [
    (
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        [21, 528, 12_189, 326_672, 8_146_062],
    ),
    (
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        [21, 807, 18_002, 667_366, 16_253_601],
    ),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", [20, 479, 10_471, 273_318, 6_417_013]),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", [22, 593, 13_440, 382_958, 9_183_776]),
    (
        "q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9",
        [30, 860, 24_566, 732_757, 21_093_346],
    ),
    (
        "bnqnrbkr/1pp2pp1/p7/3pP2p/4P1P1/8/PPPP3P/BNQNRBKR w HEhe d6 0 9",
        [31, 984, 28_677, 962_591, 29_032_175],
    ),
    (
        "n1bb1rkr/qpnppppp/2p5/p7/P1P5/5P2/1P1PPRPP/NQBBN1KR w Hhf - 1 9",
        [27, 697, 18_724, 505_089, 14_226_907],
    ),
    ("nqn2krb/p1prpppp/1pbp4/7P/5P2/8/PPPPPKP1/NQNRB1RB w g - 3 9", [21, 461, 10_608, 248_069, 6_194_124]),
    ("nb1n1kbr/ppp1rppp/3pq3/P3p3/8/4P3/1PPPRPPP/NBQN1KBR w Hh - 1 9", [19, 566, 11_786, 358_337, 8_047_916]),
    (
        "bnr1kqrb/pppp1pp1/1n5p/4p3/P3P3/3P2P1/1PP2P1P/BNNRKQRB w GDg - 0 9",
        [26, 624, 16_411, 435_426, 11_906_515],
    ),
    (
        "nnrkbbqr/1p2pppp/p2p4/2p5/8/1N2P1P1/PPPP1P1P/1NKRBBQR w hc - 0 9",
        [26, 672, 18_136, 477_801, 13_342_771],
    ),
    (
        "n1rkbqrb/pp1ppp2/2n3p1/2p4p/P5PP/1P6/2PPPP2/NNRKBQRB w GCgc - 0 9",
        [24, 804, 20_712, 684_001, 18_761_475],
    ),
    (
        "nbkr1qbr/1pp1pppp/pn1p4/8/3P2P1/5R2/PPP1PP1P/NBN1KQBR w H - 2 9",
        [30, 627, 18_669, 423_329, 12_815_016],
    ),
    (
        "1nqr1rbb/pppkp1pp/1n3p2/3p4/1P6/5P1P/P1PPPKP1/NNQR1RBB w - - 1 9",
        [24, 623, 15_921, 429_446, 11_594_634],
    ),
];

fn counts_agree(depths: std::ops::RangeInclusive<u32>) {
    let chess960 = Chess::new().with_chess960(true);
    for (fen, counts) in PERFT_960 {
        let position = chess960.read_position(fen).expect("the tests name legal positions");
        assert_eq!(chess960.write_position(&position), fen, "Shredder-FEN is written back");
        for depth in depths.clone() {
            assert_eq!(perft(&chess960, &position, depth), counts[depth as usize - 1], "{fen} depth {depth}");
        }
    }
    let chess = Chess::new();
    for (fen, counts) in PERFT {
        let position = chess.read_position(fen).expect("the tests name legal positions");
        for depth in depths.clone() {
            assert_eq!(perft(&chess, &position, depth), counts[depth as usize - 1], "{fen} depth {depth}");
        }
    }
}

#[test]
fn lines_of_play_to_depth_3_are_those_published() {
    counts_agree(1..=3);
}

#[test]
#[ignore = "half a billion lines: a minute in a release build"]
fn lines_of_play_to_depth_5_are_those_published() {
    counts_agree(4..=5);
}

fn at(fen: &str) -> (Chess, grundy_chess::Position) {
    let chess = Chess::new();
    let position = chess.read_position(fen).expect("the tests name legal positions");
    (chess, position)
}

#[test]
fn castling_is_written_as_uci_does_and_read_in_three_ways() {
    let (chess, position) = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (word, written) in
        [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("O-O", "e1g1"), ("e1c1", "e1c1"), ("O-O-O", "e1c1")]
    {
        let m = chess.read_move(&position, word).unwrap();
        assert_eq!(chess.write_move(&position, m), written);
        let after = chess.write_position(&chess.play(&position, m));
        assert!(after.contains(" b kq - 1 1"), "{after}");
    }
    for word in ["e1f3", "e1", "e1g1q", "e1g1 ", "", "O-O-O-O", "é1g1", "a1a9", "e8g8", "e1g1xyz"] {
        assert_eq!(chess.read_move(&position, word), None, "{word}");
    }
}

#[test]
fn chess960_castles_as_the_king_taking_his_rook() {
    let chess = Chess::new().with_chess960(true);
    let read = |fen: &str| chess.read_position(fen);
    // X-FEN names the outermost rooks KQ, an inner one by its file.
    let position = read("1r1k2rr/pppppppp/8/8/8/8/PPPPPPPP/1RRK2R1 w KQkq - 0 1").unwrap();
    assert_eq!(chess.write_position(&position), "1r1k2rr/pppppppp/8/8/8/8/PPPPPPPP/1RRK2R1 w GBhb - 0 1");
    let inner = read("1r1k2rr/pppppppp/8/8/8/8/PPPPPPPP/1RRK2R1 w Cg - 0 1").unwrap();
    assert_eq!(chess.write_position(&inner), "1r1k2rr/pppppppp/8/8/8/8/PPPPPPPP/1RRK2R1 w Cg - 0 1");
    for (word, written, san) in [("d1g1", "d1g1", "O-O"), ("O-O", "d1g1", "O-O"), ("d1c1", "d1c1", "O-O-O")] {
        let position = if written == "d1c1" { &inner } else { &position };
        let m = chess.read_move(position, word).unwrap();
        assert_eq!(
            (chess.write_move(position, m).as_str(), write_san(position, m).trim_end_matches('+')),
            (written, san)
        );
    }
    // A step of the king to the square that castling would bring him to is a step.
    let beside = read("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
    let step = chess.read_move(&beside, "f1g1").unwrap();
    assert!(chess.write_position(&chess.play(&beside, step)).starts_with("4k3/8/8/8/8/8/8/6KR b"));
    let castling = chess.read_move(&beside, "f1h1").unwrap();
    assert!(chess.write_position(&chess.play(&beside, castling)).starts_with("4k3/8/8/8/8/8/8/5RK1 b"));
    // From the usual squares both spellings are read; standard chess reads Shredder-FEN as well, but no other squares.
    let usual = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1";
    let home = read(usual).unwrap();
    assert_eq!(chess.read_move(&home, "e1g1"), chess.read_move(&home, "e1h1"));
    assert_eq!(
        Chess::new().write_position(&Chess::new().read_position(usual).unwrap()),
        usual.replace("HAha", "KQkq")
    );
    for (fen, word) in [("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "960"), ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "960")]
    {
        assert!(Chess::new().read_position(fen).unwrap_err().contains(word), "{fen}");
    }
    for fen in [
        "4k3/8/8/8/8/8/8/5K2 w K - 0 1",
        "4k3/8/8/8/8/8/8/5K1R w HH - 0 1",
        "4k3/8/8/8/8/7R/8/5K2 w H - 0 1",
        "4k3/8/8/8/8/8/8/5K1R w x - 0 1",
        "4k3/8/8/8/8/8/8/5K1R w Ké - 0 1",
    ] {
        assert!(read(fen).unwrap_err().contains("castling"), "{fen}");
    }
}

#[test]
fn promotion_names_the_piece_and_refuses_kings() {
    let (chess, position) = at("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for word in ["a7a8q", "a7a8r", "a7a8b", "a7a8n", "a8=Q", "a8N"] {
        assert!(chess.read_move(&position, word).is_some(), "{word}");
    }
    for word in ["a7a8", "a7a8k", "a7a8p", "a7a8qq"] {
        assert!(chess.read_move(&position, word).is_none(), "{word}");
    }
    let m = chess.read_move(&position, "a7a8q").unwrap();
    assert_eq!(write_san(&position, m), "a8=Q");
}

#[test]
fn an_en_passant_square_is_written_only_where_the_capture_is_legal() {
    let (chess, start) = at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let after = chess.play(&start, chess.read_move(&start, "e2e4").unwrap());
    assert_eq!(chess.write_position(&after), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let again = chess.read_position(&chess.write_position(&after)).unwrap();
    assert_eq!(after, again);
    assert_eq!(chess.key(&after), chess.key(&again));
    let (chess, capture) = at("8/8/7k/8/1pP5/7K/8/8 b - c3");
    assert_eq!(chess.write_position(&capture), "8/8/7k/8/1pP5/7K/8/8 b - c3 0 1");
    // The pawn is pinned along the row it would leave together with the one it takes.
    let (chess, pinned) = at("8/8/8/8/k1pP3R/8/8/4K3 b - d3");
    assert_eq!(chess.write_position(&pinned), "8/8/8/8/k1pP3R/8/8/4K3 b - - 0 1");
}

#[test]
fn mate_is_lost_and_stalemate_drawn() {
    let (chess, mate) = at("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_eq!(chess.over(&mate), Some(Value::loss_in(0)));
    let (chess, stalemate) = at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(chess.over(&stalemate), Some(Value::DRAW));
    assert!(legal_moves(&chess, &stalemate).is_empty());
}

#[test]
fn fifty_moves_end_a_game_only_where_the_rule_is_on_and_never_undo_a_mate() {
    let (chess, tired) = at("8/8/8/8/8/1k6/8/K6Q w - - 100 90");
    assert_eq!(chess.over(&tired), None);
    assert_eq!(chess.clone().with_rule50(true).over(&tired), Some(Value::DRAW));
    // The 75-move rule is not played.
    let (_, late) = at("8/8/8/8/8/1k6/8/K6Q w - - 150 90");
    assert!(late == tired);
    let (chess, last) = at("k7/7R/1K6/8/8/8/8/8 w - - 99 90");
    let chess = chess.with_rule50(true);
    let mate = chess.play(&last, chess.read_move(&last, "h7h8").unwrap());
    assert_eq!(chess.over(&mate), Some(Value::loss_in(0)));
}

#[test]
fn the_same_position_repeats_whatever_the_clocks_say() {
    let (chess, first) = at("4k3/8/8/8/8/8/8/4K2R w K - 3 7");
    let (_, later) = at("4k3/8/8/8/8/8/8/4K2R w K - 7 9");
    let (_, other) = at("4k3/8/8/8/8/8/8/4K2R w - - 7 9");
    assert!(first.same(&later) && !later.same(&other));
    let game = [first.clone(), other.clone(), first, other.clone()];
    assert!(chess.drawn_by_history(&game, &later));
    assert!(!chess.drawn_by_history(&game[1..], &later));
    // In an ending the shortest mate is looked for, however long it takes.
    assert!(!Chess::men(4).unwrap().drawn_by_history(&game, &later));
}

#[test]
fn positions_that_cannot_be_are_refused_with_a_line_that_says_why() {
    for (fen, word) in [
        ("", "FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings, expected one"),
        ("kK6/8/8/8/8/8/8/8 w - - 0 1", "kings"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings, expected one"),
        ("k7/8/8/8/8/8/8/K6q b - - 0 1", "White is in check and Black is to move"),
        ("k7/pppppppp/p7/8/8/8/8/K7 w - - 0 1", "Black has 10 men, of them 9 pawns"),
        ("k7/8/8/8/8/8/8/K6 w - - 0 1", "8 squares"),
        ("k7/8/8/8/8/8/K7 w - - 0 1", "8 rows"),
        ("k7/9/8/8/8/8/8/K7 w - - 0 1", "8 squares"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn stands on rank 1 or 8"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "side to move"),
        ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/R2K4 w Q - 0 1", "castling"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "en passant"),
        ("k7/8/8/8/8/8/8/K7 w - - -1 1", "clock"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 x", "number"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 e2e4", "six"),
    ] {
        let why = Chess::new().read_position(fen).unwrap_err();
        assert!(why.contains(word) && !why.contains('\n'), "{fen}: {why}");
    }
}

#[test]
fn an_ending_takes_its_own_positions_and_no_others() {
    let ending = Chess::ending(Material::read("KQvKP").unwrap()).unwrap();
    assert_eq!(ending.over(&ending.start()), None);
    for fen in [
        "8/8/4k3/8/8/2p5/8/KQ6 w",
        "8/8/4k3/8/8/2P5/8/Kq6 w",
        "8/8/4k3/8/8/8/8/KQr5 w",
        "8/8/4k3/8/8/8/8/K7 b",
    ] {
        assert!(ending.read_position(fen).is_ok(), "{fen}");
    }
    for fen in ["8/8/4k3/8/8/8/8/KRr5 w", "8/8/4k3/8/8/8/8/KQQ5 b", "8/4p3/4k3/8/8/8/8/KQr5 w"] {
        assert!(ending.read_position(fen).is_err(), "{fen}");
    }
    for name in ["", "K", "Kv", "vK", "QvK", "KQvR", "KXvK", "KqvK", "KKvK", "KPPPPPPPPPvK", "KQvKvK"] {
        assert!(Material::read(name).is_err(), "{name}");
    }
}

#[test]
fn the_start_of_an_ending_is_read_back() {
    let chess = Chess::new();
    for material in Material::all(4) {
        let Some(start) = Position::of(material) else { continue };
        assert_eq!(chess.read_position(&chess.write_position(&start)).as_ref(), Ok(&start), "{material}");
    }
}

#[test]
fn what_is_written_is_read_back_along_random_games() {
    let chess = Chess::new();
    let mut random = SplitMix64(7);
    for _ in 0..256 {
        let mut position = chess.start();
        for _ in 0..random.below(120) {
            let moves = legal_moves(&chess, &position);
            if moves.is_empty() {
                break;
            }
            for &m in &moves {
                assert_eq!(chess.read_move(&position, &chess.write_move(&position, m)), Some(m));
                assert_eq!(chess.read_move(&position, &write_san(&position, m)), Some(m));
            }
            position = chess.play(&position, moves[random.below(moves.len())]);
            let again = chess.read_position(&chess.write_position(&position)).unwrap();
            assert_eq!(again, position);
            assert_eq!(chess.key(&again), chess.key(&position));
        }
    }
}

#[test]
fn no_text_makes_the_readers_panic() {
    let chess = Chess::new();
    let start = chess.start();
    let mut random = SplitMix64(8);
    let letters: Vec<char> = "-KQRBNPkqrbnp123456789/ w0abcdefgh=+#xO".chars().collect();
    for round in 0..1_000 {
        let text: String = match round % 2 {
            0 => (0..random.below(61)).map(|_| letters[random.below(letters.len())]).collect(),
            _ => (0..random.below(41)).filter_map(|_| char::from_u32(random.below(0x3000) as u32)).collect(),
        };
        let _ = chess.read_position(&text);
        let _ = chess.read_move(&start, &text);
        let _ = Material::read(&text);
    }
}

#[test]
fn a_guess_prefers_more_men_and_turns_over_with_the_side() {
    let (chess, up) = at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let (_, queen_less) = at("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(chess.guess(&queen_less) > chess.guess(&up) + 800);
    let (_, mirrored) = at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1");
    assert_eq!(chess.guess(&queen_less), chess.guess(&mirrored));
}

#[test]
fn an_exchange_gains_what_both_sides_cannot_avoid() {
    let chess = Chess::new();
    for (fen, m, gain) in [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        // The pawn is guarded: a rook is lost for it; a pawn is not.
        ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        ("4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1", "e4d5", 100),
        // The second rook stands behind the first.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ("3rk3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
        // A quiet move to a guarded square.
        ("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500),
        ("4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d5", 0),
    ] {
        let position = chess.read_position(fen).unwrap();
        let m = chess.read_move(&position, m).unwrap();
        assert!(chess.exchange(&position, m, gain), "{fen}");
        assert!(!chess.exchange(&position, m, gain + 1), "{fen}");
    }
}
