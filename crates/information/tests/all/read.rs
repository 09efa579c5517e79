use grundy_information::bimatrix::dominance;
use grundy_information::examples;
use grundy_information::fraction::ratio;
use grundy_information::matrix::Matrix;
use grundy_information::read::table::Lines;
use grundy_information::read::*;
use grundy_information::tree::sequence;

fn shapes(text: &str) -> Result<Vec<(usize, usize)>, String> {
    let shape = |matrix: &Matrix| (matrix.height(), matrix.width());
    match read(text, Lines::Guess).map_err(|refusal| refusal.to_string())? {
        Contents::Matrix(matrix) => Ok(vec![shape(&matrix)]),
        Contents::Matrices(all) => Ok(all.iter().map(shape).collect()),
        Contents::Bimatrix(game) => Ok(vec![shape(game.row()), shape(game.column())]),
        Contents::Several(_) => Err("a game of several players".to_string()),
        Contents::Tree(_) => Err("a tree".to_string()),
    }
}

#[test]
fn tables_are_read_in_every_way_they_are_written() {
    let good: &[(&str, &[(usize, usize)])] = &[
        ("1,-2/2,3", &[(2, 2)]),
        ("1, -2 / 2, 3\n", &[(2, 2)]),
        ("1 -2/2 3", &[(2, 2)]),
        ("1 -2;2 3", &[(2, 2)]),
        ("1/2,1/3;1/4,1/5", &[(2, 2)]),
        ("1/2 1/3 / 1/4 1/5", &[(2, 2)]),
        ("1,2\n3,4\n", &[(2, 2)]),
        ("1 2\r\n3 4\r\n5 6\r\n", &[(3, 2)]),
        ("\u{feff}# payoffs\n1\t2\n\n", &[(1, 2)]),
        ("1/2\t1/3\n1/4\t1/5", &[(2, 2)]),
        ("8/1", &[(2, 1)]),
        ("-10", &[(1, 1)]),
        ("0.5 .25\n-1e-2 3", &[(2, 2)]),
        ("1,2/3,4\n0,0,-1\n16/-25/27", &[(2, 2), (1, 3), (3, 1)]),
        ("1,2/3,4\n5,6/7,8", &[(2, 2), (2, 2)]),
        ("1,1/2,3\n0,2,5\n4,4,4", &[(3, 3)]),
        ("3 0\n5 1\n\n3 5\n0 1", &[(2, 2), (2, 2)]),
        ("3,0/5,1\n\n3,5/0,1", &[(2, 2), (2, 2)]),
        ("3,0/5,1 | 3,5/0,1", &[(2, 2), (2, 2)]),
        ("3,3 0,5 / 5,0 1,1\n", &[(2, 2), (2, 2)]),
        ("1/2,.5 0,-5 2,1 / 5,0 1,1 -1/3,1e-3", &[(2, 3), (2, 3)]),
        ("3,3 / 5,0", &[(2, 2)]),
    ];
    for (text, expected) in good {
        assert_eq!(shapes(text).as_deref(), Ok(*expected), "{text:?}");
    }
}

#[test]
fn semicolons_between_single_numbers_are_cells_or_rows_only_where_that_is_said() {
    for text in ["1;2\n3;4\n", "1;2;\n3;4;", "1/2; -3\n0.5;4", "1;2\n3;4;5"] {
        let refusal = shapes(text).expect_err(text);
        assert!(refusal.starts_with("line 1: ") && refusal.contains("--lines rows"), "{text:?}: {refusal}");
    }
    let (Ok(Contents::Matrix(table)), Ok(plain)) = (
        read("1/2; -3;\n0.5;4;", Lines::Rows),
        Matrix::new(vec![vec![ratio(1, 2), ratio(-3, 1)], vec![ratio(1, 2), ratio(4, 1)]]),
    ) else {
        panic!("not read")
    };
    assert_eq!(table, plain);
    let Ok(Contents::Matrices(games)) = read("1;2\n3;4", Lines::Games) else { panic!("not read") };
    assert!(games.iter().all(|game| (game.height(), game.width()) == (2, 1)));
    assert_eq!(shapes("1;2;3\n3;4;5\n\n5;6;7\n7;8;9"), Ok(vec![(2, 3), (2, 3)]));
    assert_eq!(shapes("1,5;2,5\n3,5;4,5"), Ok(vec![(2, 2), (2, 2)]));
    assert!(read("1,5;2,5\n3,5;4,5", Lines::Rows).is_err());
}

#[test]
fn a_line_of_pairs_is_the_game_that_the_list_of_examples_shows() {
    for (name, about) in examples::names() {
        let Some(game) = examples::bimatrix(&name) else { continue };
        let Some((_, text)) = about.split_once(": ") else { continue };
        assert_eq!(read(text, Lines::Guess), Ok(Contents::Bimatrix(game)), "{name}");
    }
}

#[test]
fn bad_tables_are_refused_with_place_and_reason() {
    let bad = [
        ("", "empty"),
        ("# nothing", "only comments"),
        ("1 2\n3", "line 2: 1 payoff: expected 2"),
        ("1,2/3", "row 2: 1 payoff: expected 2"),
        ("1/2,3/4", "row 2: 2 payoffs: expected 1"),
        ("1 2\n3 x", "line 2: \"x\" is no number"),
        ("1 2\n3 1/0", "line 2: \"1/0\" divides by zero"),
        ("1,,2", "line 1: \"\" is no number"),
        ("1 2\n\n3 4\n\n5 6", "line 5: a third table"),
        ("1 2\n\n3 4 5", "1 x 3: expected 1 x 2"),
        ("1 2|3", "1 x 1: expected 1 x 2"),
        ("3,3 0,5 / 5,0", "row 2: 1 payoff: expected 2 as in row 1"),
        ("3,3 0,x / 5,0 1,1", "\"x\" is no number"),
        // Decimal commas, or a game of two players: nothing tells which.
        ("1,5 2,5", "\"5 2\" is no number"),
    ];
    for (text, reason) in bad {
        let refusal = shapes(text).expect_err(text);
        assert!(refusal.contains(reason), "{text:?}: {refusal}");
    }
    assert!(shapes(&"9".repeat(1000)).is_err_and(|reason| reason.len() < 200));
    assert!(shapes(&"1 ".repeat(grundy_information::matrix::MOST + 1)).is_err());
}

const PRISONERS: &str = r#"NFG 1 R "Two person 2 x 2 game with unique mixed equilibrium" { "A" "B" } { 2 2 }
3 3 5 0 0 5 1 1"#;

#[test]
fn both_kinds_of_nfg_files_are_read() {
    let Ok(Contents::Bimatrix(game)) = read(PRISONERS, Lines::Guess) else { panic!("not read") };
    assert_eq!(game, examples::bimatrix("prisoners-dilemma").expect("it is there"));
    assert!(dominance::rows(game.row())[0].strictly);
    let outcomes = r#"NFG 1 R "by outcomes" { "A" "B" }
        { { "up" "down" } { "left" "right" } } "a comment"
        { { "both" 3, 3 } { "row" 5, 0 } { "column" 0, 5 } { "none" 1, 1 } }
        1 2 3 4"#;
    assert_eq!(read(outcomes, Lines::Guess), Ok(Contents::Bimatrix(game)));
    let bad = [
        PRISONERS.replace("1 1", "1"),
        PRISONERS.replace("1 1", "1 1 1"),
        PRISONERS.replace("\"B\"", "\"B\" \"C\""),
        PRISONERS.replace("2 2", "2 99999999999"),
        PRISONERS.replace("3 3", "3 1/0"),
        outcomes.replace("1 2 3 4", "1 2 3 5"),
    ];
    for text in bad {
        assert!(read(&text, Lines::Guess).is_err(), "{text}");
    }
}

const CARDS: &str = r#"EFG 2 R "Myerson" { "A" "B" }
"a comment"
c "deal" 1 "" { "red" 1/2 "black" 0.5 } 0
p "" 1 1 "red" { "raise" "pass" } 0
p "" 2 1 "after a raise" { "meet" "pass" } 0
t "" 1 "big" { 2, -2 }
t "" 2 "small" { 1, -1 }
t "" 2
p "" 1 2 "black" { "raise" "pass" } 0
p "" 2 1 0
t "" 3 "lost" { -2 2 }
t "" 2 "small"
t "" 4 "little" { -1 1 }
"#;

#[test]
fn efg_files_are_read_and_written() {
    let Ok(Contents::Tree(tree)) = read(CARDS, Lines::Guess) else {
        panic!("{:?}", read(CARDS, Lines::Guess))
    };
    assert_eq!(sequence::solve(&tree).expect("zero-sum").value.to_string(), "1/3");
    assert!(write_efg(&tree).starts_with("EFG 2 R \"Myerson\" { \"A\" \"B\" }\n"), "{}", write_efg(&tree));
    for tree in
        [tree, examples::tree("kuhn").expect("it is there"), examples::tree("leduc:2").expect("it is there")]
    {
        assert_eq!(read(&write_efg(&tree), Lines::Guess), Ok(Contents::Tree(tree)));
    }
    let bad = [
        (CARDS.replace("0.5", "0.4"), "line 3: the probabilities of chance add up to 9/10"),
        (CARDS.replace("0.5", "1/0"), "line 3: \"1/0\" divides by zero"),
        (CARDS.replace("p \"\" 1 2 \"black\" { \"raise\" \"pass\" }", "p \"\" 1 1"), ""),
        (
            CARDS.replace("p \"\" 2 1 0", "p \"\" 2 7 0"),
            "line 10: information set 7 of player 2 has no actions",
        ),
        (CARDS.replace("p \"\" 2 1 0", "p \"\" 3 1 0"), "line 10: player 3: expected 1 or 2"),
        (CARDS.replace("t \"\" 3 \"lost\" { -2 2 }", "t \"\" 9"), "line 11: outcome 9 has no payoffs"),
        (CARDS.replace("t \"\" 4 \"little\" { -1 1 }", ""), "the file ends"),
        (format!("{CARDS} t \"\" 2"), "nothing behind the last node"),
        (CARDS.replace("{ 2, -2 }", "{ 2 }"), "expected a payoff"),
        (CARDS.replace("\"B\" }", "\"B\" \"C\" }"), "3 players"),
        (CARDS.replace("\"a comment\"", "\"a comment"), "quote"),
    ];
    for (text, reason) in bad {
        let refusal = read(&text, Lines::Guess).map(|_| ());
        let forgets = reason.is_empty();
        match refusal {
            Err(refusal) => assert!(refusal.to_string().contains(reason), "{refusal}"),
            // Red and black in one information set: player 1 sees less, but forgets nothing.
            Ok(()) => assert!(forgets, "{text}"),
        }
    }
}

#[test]
fn imperfect_recall_is_refused_with_its_line() {
    let text = r#"EFG 2 R "forgetful" { "A" "B" }
p "" 1 1 "" { "a" "b" } 0
p "" 1 2 "" { "c" "d" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 2 -2 }
p "" 1 2 0
t "" 1
t "" 2
"#;
    let refusal = read(text, Lines::Guess).expect_err("he forgets");
    assert_eq!(refusal.line, 6);
    assert!(refusal.reason.contains("imperfect recall"));
}

#[test]
fn no_garbage_makes_it_panic() {
    let mut random = grundy_core::random::SplitMix64(3);
    for source in [PRISONERS, CARDS, "1,-2/2,3\n3/4 5", "1 2\n3 4"] {
        for _ in 0..2000 {
            let mut bytes = source.as_bytes().to_vec();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[at] = b" \n\t,/;|{}\"-+.e0123456789cpt#"[random.below(28)],
                    1 => bytes.truncate(at.max(1)),
                    _ => {
                        bytes.remove(at);
                        if bytes.is_empty() {
                            bytes.push(b' ');
                        }
                    }
                }
            }
            let _ = read(&String::from_utf8_lossy(&bytes), Lines::Guess);
        }
    }
}

/// Three players with two strategies each; who is alone with his choice wins.
const MINORITY: &str = r#"NFG 1 R "minority" { "A" "B" "C" } { { "0" "1" } { "0" "1" } { "0" "1" } }
0 0 0  1 0 0  0 1 0  0 0 1  0 0 1  0 1 0  1 0 0  0 0 0"#;

#[test]
fn a_game_of_three_players_is_read_with_its_pure_equilibria() {
    let Ok(Contents::Several(game)) = read(MINORITY, Lines::Guess) else { panic!("not read") };
    assert_eq!(game.sizes(), [2, 2, 2]);
    let pure = game.pure();
    assert_eq!(pure.len(), 6, "{pure:?}");
    assert!(!pure.contains(&vec![0, 0, 0]) && !pure.contains(&vec![1, 1, 1]));
    // By counts of strategies and by outcomes it is the same game.
    let counts = MINORITY.replace("{ { \"0\" \"1\" } { \"0\" \"1\" } { \"0\" \"1\" } }", "{ 2 2 2 }");
    assert_eq!(read(&counts, Lines::Guess), Ok(Contents::Several(game.clone())));
    let outcomes = "NFG 1 R \"\" { \"A\" \"B\" \"C\" } { 2 2 2 }\n\
        { { \"a\" 1, 0, 0 } { \"b\" 0, 1, 0 } { \"c\" 0, 0, 1 } }\n0 1 2 3 3 2 1 0";
    assert_eq!(read(outcomes, Lines::Guess), Ok(Contents::Several(game)));
    let refused = |text: &str| read(text, Lines::Guess).unwrap_err().to_string();
    let short = MINORITY.trim_end_matches('0');
    assert!(refused(short).contains("expected a payoff"), "{}", refused(short));
    let alone = MINORITY.replace("{ \"A\" \"B\" \"C\" }", "{ \"A\" }");
    assert!(refused(&alone).contains("1 player: expected 2 to 16"), "{}", refused(&alone));
    let wide = "NFG 1 R \"\" { \"A\" \"B\" \"C\" } { 2000 2000 2000 }";
    assert!(refused(wide).contains("at most 8000000 payoffs"), "{}", refused(wide));
}

#[test]
fn decimals_are_seen_where_numbers_have_them() {
    use grundy_information::fraction::has_decimals;
    for text in ["0.5,1/2,3", "1,-.25/2,3", "1e-3 2\n3 4", "NFG 1 R \"a\" { } 1.5"] {
        assert!(has_decimals(text), "{text}");
    }
    for text in ["1,2/2,3", "# 0.5\n1,2", "NFG 1 R \"0.5\" { \"e1\" } 1 2", "EFG 2 R \"x\" p \"\" 1"] {
        assert!(!has_decimals(text), "{text}");
    }
}
