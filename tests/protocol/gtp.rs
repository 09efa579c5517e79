//! The third front end.

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
fn every_listed_command_is_known() {
    for command in talk("nim:1,2", "list_commands\n")[0].trim_start_matches("= ").lines() {
        assert_eq!(talk("nim:1,2", &format!("known_command {command}\n")), ["= true"]);
        let answer = talk("nim:1,2", &format!("{command}\n"));
        assert!(!answer[0].contains("unknown"), "{command}");
    }
}
