//! The Go Text Protocol.

use std::io::Cursor;

use grundy::catalog::CATALOG;
use grundy::engine::{Config, gtp};

fn talk(game: &str, input: &str) -> Vec<String> {
    let mut out = Vec::new();
    let config = Config { game: Some(game.to_owned()), ..Config::new(&CATALOG) };
    gtp::run(Cursor::new(input.to_owned()), &mut out, config).expect("no stream fails");
    let text = String::from_utf8(out).expect("UTF-8");
    text.split("\n\n").filter(|a| !a.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_game_is_played_to_its_score() {
    let mut input = String::from("1 protocol_version\n2 clear_board\n");
    for _ in 0..5 {
        input.push_str("genmove b\ngenmove w\n");
    }
    input.push_str("final_score\nquit\nname\n");
    let answers = talk("tictactoe", &input);
    assert_eq!(answers[0], "=1 2");
    assert_eq!(answers[1], "=2 ");
    assert_eq!(answers[11], "? the game is over");
    assert_eq!(answers[12], "= 0");
    assert_eq!(answers.len(), 14, "nothing is said after quit: {answers:?}");
}

#[test]
fn an_empty_row_of_a_board_does_not_end_an_answer() {
    for game in ["dots:2x2", "clobber", "amazons", "fanorona:3x3", "dobutsu", "draughts", "nim:3,5"] {
        let answers = talk(game, "1 showboard\n2 name\n");
        assert_eq!((answers.len(), &*answers[1]), (2, "=2 grundy"), "{game}: {answers:?}");
    }
}

#[test]
fn the_stones_of_one_players_clock_are_not_the_others() {
    let began = std::time::Instant::now();
    let answers = talk("mnk:15,15,5", "time_settings 30 0 0\ntime_left b 2 0\ntime_left w 30 1\ngenmove b\n");
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert!(began.elapsed() < std::time::Duration::from_millis(1200), "{:?}", began.elapsed());
}

#[test]
fn mistakes_are_answered_with_a_question_mark() {
    let answers = talk(
        "nim:1,2",
        "play w 1:1\nplay b 9:9\nplay b 2:1\nundo\nundo\nfrobnicate\nplay\n7 grundy-value\ngrundy-game nope\n",
    );
    let marks: Vec<&str> = answers.iter().map(|a| a.split(' ').next().unwrap_or("")).collect();
    assert_eq!(marks, ["?", "?", "=", "=", "?", "?", "?", "=7", "?"], "{answers:?}");
    assert_eq!(answers[7], "=7 win");
}

#[test]
fn words_beyond_those_of_a_command_are_a_syntax_error() {
    let input =
        "play b b2 extra\nplay b\nboardsize 3 3 3\ngenmove b b2\ntime_left b 1 0 0\nknown_command play b\n";
    let answers = talk("tictactoe", &format!("{input}play b b2\nboardsize 3 3\n"));
    let (refused, accepted) = answers.split_at(6);
    assert!(refused.iter().all(|answer| answer == "? syntax error"), "{answers:?}");
    assert_eq!(accepted, ["= ", "= "]);
}

#[test]
fn lines_are_prepared_as_the_protocol_says() {
    let answers =
        talk("hex:3", "\u{feff}na\rme\r\n1\tna\u{7}me # 2 name\n#\n \t\n12\nknown_command\tname\u{0}\n");
    assert_eq!(answers, ["= grundy", "=1 grundy", "?12 unknown command", "= true"]);
}

#[test]
fn every_listed_command_is_known() {
    for command in talk("nim:1,2", "list_commands\n")[0].trim_start_matches("= ").lines() {
        assert_eq!(talk("nim:1,2", &format!("known_command {command}\n")), ["= true"]);
        let answer = talk("nim:1,2", &format!("{command}\n"));
        assert!(!answer[0].contains("unknown"), "{command}");
    }
}

#[test]
fn letters_leave_out_i_on_boards_of_squares() {
    let legal = talk("hex:9", "gogui-rules_legal_moves\nplay b j5\nplay w i5\nplay w j9\ngrundy-position\n");
    assert!(legal[0].contains(" J9") && !legal[0].contains('I'), "{legal:?}");
    assert_eq!(legal[1..4], ["= ", "? illegal move", "= "]);
    assert!(legal[4].starts_with("= ........O/") && legal[4].contains("/........X/"), "{legal:?}");
    // Games with other moves keep their own notation.
    assert_eq!(talk("stones:..X.X..X", "play b 8-7\n"), ["= "]);
}

#[test]
fn stones_that_fall_are_named_by_the_square_they_come_to_lie_on() {
    let answers = talk(
        "connect4",
        "play b d1\nplay w D2\nplay b d9\nplay b d\ngrundy-legal\ntime_settings 1 0 0\ngenmove w\n",
    );
    assert_eq!(answers[..4], ["= ", "= ", "? illegal move", "= "]);
    assert_eq!(answers[4], "= a1 b1 c1 d4 e1 f1 g1");
    let vertex = answers[6].trim_start_matches("= ");
    assert!(["a1", "b1", "c1", "d4", "e1", "f1", "g1"].contains(&vertex), "{vertex}");
}

#[test]
fn gogui_finds_what_it_needs_to_be_a_board() {
    let ask = "gogui-rules_game_id\ngogui-rules_board_size\ngogui-rules_side_to_move\ngogui-rules_board\n\
               gogui-rules_legal_moves\ngogui-rules_final_result\n";
    let answers = talk("othello:4x4", ask);
    assert_eq!(answers[..3], ["= Othello", "= 4", "= black"]);
    assert_eq!(
        answers[3],
        "= . . . .\n. X O .\n. O X .\n. . . .".replace("X O", "O X").replacen("O X", "X O", 1)
    );
    assert_eq!(answers[5], "= unknown");
    assert_eq!(talk("connect4", ask)[..2], ["= Connect", "= 7 6"]);
    assert_eq!(talk("hex:5", ask)[1], "= 5 hex");
    assert_eq!(talk("tictactoe", ask)[4], "= A3 B3 C3 A2 B2 C2 A1 B1 C1");
    let over = talk("tictactoe", &format!("grundy-setup XXX/OO./... 2\n{ask}"));
    assert_eq!((over[5].as_str(), over[6].as_str()), ("= ", "= Black wins"));
    // A game without a board of squares does not offer these commands.
    assert!(!talk("nim:3,5,7", "list_commands\n")[0].contains("gogui-rules_"));
    assert_eq!(talk("nim:3,5,7", "gogui-rules_board\n"), ["? unknown command"]);
}

#[test]
fn every_game_of_single_squares_is_played_to_its_end_by_its_own_legal_moves() {
    for game in
        ["tictactoe", "connect4:4x4", "othello:4x4", "hex:4", "domineering:4x4", "mnk:5,3,3", "chomp:4x4"]
    {
        let mut input = String::new();
        let over = loop {
            let answers = talk(game, &format!("{input}gogui-rules_side_to_move\ngogui-rules_legal_moves\n"));
            let [.., side, legal] = answers.as_slice() else { panic!("{answers:?}") };
            let Some(vertex) = legal.split_whitespace().last().filter(|word| *word != "=") else {
                break talk(
                    game,
                    &format!("{input}gogui-rules_final_result\nplay b pass\nplay w pass\nundo\nundo\n"),
                );
            };
            input.push_str(&format!("play {} {vertex}\n", side.trim_start_matches("= ")));
        };
        let plies = input.lines().count();
        assert!(over.iter().all(|answer| answer.starts_with('=')), "{game}: {over:?}");
        assert!(over[plies].contains("wins") || over[plies].contains("Draw"), "{game}: {over:?}");
    }
}

#[test]
fn the_values_of_moves_stand_on_their_squares() {
    let answers =
        talk("tictactoe", "grundy-setup X.O/.../O.X 1\ngogui-analyze_commands\ngrundy-values\ngrundy-best\n");
    assert!(answers[1].contains("pspairs/Value of every move/grundy-values"), "{answers:?}");
    assert!(answers[2].starts_with("= B2 win:"), "{answers:?}");
    assert_eq!(answers[2].lines().count(), 5);
    assert_eq!(answers[3], "= B2");
}

#[test]
fn a_size_that_does_not_fit_is_refused() {
    let answers = talk("hex:5", "boardsize 5\nboardsize 9\nboardsize 5 5\nboardsize x\nboardsize\n");
    assert_eq!(answers, ["= ", "? unacceptable size", "= ", "? boardsize not an integer", "? syntax error"]);
    assert_eq!(
        talk("connect4", "boardsize 7\nboardsize 6\nboardsize 7 6\n"),
        ["= ", "? unacceptable size", "= "]
    );
    assert_eq!(talk("nim:3,5,7", "boardsize 19\n"), ["= "]);
}

#[test]
fn the_score_of_othello_is_the_margin() {
    let answers =
        talk("othello:4x4", "grundy-setup XXXX/XXXX/XXXX/XOOO 1\nfinal_score\ngogui-rules_final_result\n");
    assert_eq!(answers[1..], ["= B+10", "= Black wins by 10"]);
}
