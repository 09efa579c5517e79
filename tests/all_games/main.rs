//! Every game of the catalog, played by the engine against itself and against random legal moves under the
//! referee's audit: no slip, no illegal move.

mod recursion;

use std::path::PathBuf;
use std::process::{Command, Output};

use grundy::catalog::CATALOG;
use grundy::random::SplitMix64;
use grundy::session::{Settings, quiet_work};
use serde_json::Value;

/// Time in milliseconds for a move that has to be searched.
const MOVETIME: &str = "4";

fn record(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("grundy-all-games-{}-{name}.jsonl", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// A tournament of two engines over all games.
fn tournament(second: &str, record: &PathBuf) -> Output {
    let engine = env!("CARGO_BIN_EXE_grundy");
    let mut referee = Command::new(env!("CARGO_BIN_EXE_referee"));
    referee.arg("match").arg("--record").arg(record);
    // Moves that no table knows are not judged: a search of this time is not perfect on every board.
    referee.args([
        "--prove",
        "0",
        "--games",
        "2",
        "--max-plies",
        "60",
        "--time-margin",
        "60000",
        "--movetime",
        MOVETIME,
    ]);
    referee.arg("--engine").arg(format!("{engine} name=perfect"));
    referee.arg("--engine").arg(format!("{engine} {second}"));
    for row in CATALOG.rows() {
        // The tables of these would take seconds, and every process makes its own.
        let small = match row.name {
            "awari" => "awari:7",
            "chess-3x3" => "chess-3x3:4men",
            "clobber" => "clobber:3x3",
            "dots" => "dots:2x3",
            "draughts" => "draughts:2men",
            "fanorona" => "fanorona:3x3",
            "mnk" => "mnk:4,3,3",
            "morris" => "morris:3",
            "sim" => "sim:5",
            _ => row.default,
        };
        referee.arg("--game").arg(small);
    }
    referee.output().expect("the referee runs")
}

/// Returns the games of a record, each checked to have ended by the rules.
fn games(record: &PathBuf, out: &Output) -> Vec<Value> {
    let text = std::fs::read_to_string(record).expect("a record was written");
    let _ = std::fs::remove_file(record);
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let games: Vec<Value> = lines.filter(|line| line["line"] == "game").collect();
    assert_eq!(games.len(), 2 * CATALOG.rows().count(), "{}", String::from_utf8_lossy(&out.stderr));
    for game in &games {
        let end = game["ending"]["end"].as_str().unwrap_or("");
        assert!(
            ["rules", "repetition", "max-plies", "maxplies", "plies"].contains(&end),
            "{} ended by {}",
            game["game"],
            game["ending"]
        );
    }
    games
}

/// Returns the moves of one player in a game.
fn moves_of<'a>(game: &'a Value, name: &str) -> Vec<&'a Value> {
    let players = game["players"].as_array().expect("players");
    let by = 1 + players.iter().position(|p| p == name).expect("the player plays");
    let moves = game["moves"].as_array().expect("moves");
    moves.iter().filter(|m| m["by"].as_u64() == Some(by as u64)).collect()
}

#[test]
fn against_itself_the_engine_is_clean_in_every_game() {
    let record = record("itself");
    let out = tournament("name=other", &record);
    games(&record, &out);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stdout));
}

#[test]
fn against_random_moves_the_engine_never_slips() {
    let record = record("random");
    let out = tournament("--weaken 100 name=random", &record);
    for game in games(&record, &out) {
        for m in moves_of(&game, "perfect") {
            assert!(m["fault"].is_null(), "{}: {m}", game["game"]);
        }
    }
    assert!(matches!(out.status.code(), Some(0 | 1)), "{:?}", out.status);
}

#[test]
fn stones_by_formula_and_by_table_play_each_other_without_a_slip() {
    let engine = env!("CARGO_BIN_EXE_grundy");
    for row in ["..X.X..X", "..X.X.....X....XX.X"] {
        let game = format!("stones:{row}");
        let record = record(&format!("stones-{}", row.len()));
        let out = Command::new(env!("CARGO_BIN_EXE_referee"))
            .arg("match")
            .args([
                "--games",
                "4",
                "--movetime",
                MOVETIME,
                "--time-margin",
                "60000",
                "--game",
                &game,
                "--record",
            ])
            .arg(&record)
            .args(["--engine", &format!("{engine} name=formula")])
            .args(["--engine", &format!("{engine} name=table option.Game={game}:table")])
            .output()
            .expect("the referee runs");
        let said = String::from_utf8_lossy(&out.stdout);
        assert_eq!(out.status.code(), Some(0), "{said}");
        let text = std::fs::read_to_string(&record).expect("a record was written");
        let _ = std::fs::remove_file(&record);
        let games = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        for game in games.filter(|line| line["line"] == "game") {
            let counted = |m: &&Value| m["claim"].as_str().is_some_and(|claim| claim.contains(':'));
            let by_table = moves_of(&game, "table");
            assert!(by_table.iter().all(counted), "a table knows distances: {game}");
            assert!(!moves_of(&game, "formula").iter().any(counted), "a formula knows none: {game}");
        }
    }
}

#[test]
fn a_game_that_is_saved_as_pgn_is_read_again() {
    let settings = Settings::default();
    let open = |name: &str| CATALOG.open(name, &settings);
    for row in CATALOG.rows() {
        for name in std::iter::once(row.default).chain(row.variants.iter().map(|variant| variant.game)) {
            let mut session = open(name).expect(name);
            let mut random = SplitMix64(7);
            while session.over().is_none() && session.history().len() < 12 {
                let words = session.legal_moves(400);
                session.play(&words[(random.bits() % words.len() as u64) as usize]).expect("legal");
            }
            let text = grundy_review::write_pgn(&session, None, &[("Event", name)], Some(name));
            let games = grundy_review::read(&CATALOG, &open, "", None, &text, &quiet_work());
            let games = games.unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
            assert_eq!(games[0].moves, session.history(), "{name}\n{text}");
        }
    }
}
