//! The board's server as clients see it: pages, API, protocol, limits.

#![allow(clippy::unwrap_used)] // a test that cannot go on should fail

mod client;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use client::{Board, get, send};
use serde_json::Value;

fn json(board: &Board, path: &str) -> Value {
    let answer = get(&board.address, path);
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

#[test]
fn a_game_is_judged_from_its_last_move_to_its_first() {
    let board = Board::start(&[]);
    let found = json(&board, "/api/connect4:4x4/review?moves=1212131&ms=20000");
    let section = found["html"].as_str().unwrap();
    assert_eq!(found["complete"], true, "{section}");
    assert!(section.contains("Audit: 7 moves compared with exact values, 1 gave value away"), "{section}");
    assert!(section.contains("Move 6, c: ") && !section.contains("id=\"review\""), "{section}");
    let page = get(&board.address, "/game/connect4:4x4?moves=1212131").body;
    assert!(page.contains("id=\"review\""), "what is known at once is less");
    assert!(
        page.contains("\"moves\":[\"a\",\"b\",\"a\",\"b\",\"a\",\"c\",\"a\"]"),
        "as the game writes them"
    );
}

#[test]
fn positions_are_answered_with_every_move_best_first() {
    let board = Board::start(&[]);
    let start = json(&board, "/api/tictactoe/position");
    assert_eq!((start["value"].as_str(), start["moves"].as_array().map(Vec::len)), (Some("draw"), Some(9)));
    let later = json(&board, "/api/nim:3,5,7/position?moves=1:1");
    assert_eq!(
        (later["turn"].as_i64(), later["value"].as_str(), later["grundy"].as_i64()),
        (Some(2), Some("loss"), Some(0))
    );
    let fen = json(&board, "/api/lgame/position?fen=oAA.%2F.BA.%2F.BA.%2F.BBo+1");
    assert_eq!((fen["value"].as_str(), fen["moves"].as_array().map(Vec::len)), (Some("draw"), Some(65)));
    let points = json(&board, "/api/dots:2x2/position");
    assert_eq!((points["value"].as_str(), points["unit"].as_str()), (Some("+2"), Some("points")));
    let over = json(&board, "/api/nim:1/position?moves=1:1");
    assert_eq!((over["over"].as_str(), over["complete"].as_bool()), (Some("1"), Some(true)));
    let line = json(&board, "/api/connect4:4x4/mainline?ms=4000");
    assert!(line["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
    assert_eq!(json(&board, "/api/nim:3,5,7/move")["move"], "1:1");
}

#[test]
fn what_is_wrong_is_refused_in_one_line() {
    let board = Board::start(&[]);
    for (path, word) in [
        ("/api/nosuch/position", "unknown game"),
        ("/api/nim:x/position", "expected"),
        ("/api/conect4/position", "did you mean connect4? the first page lists all"),
        ("/api/rules:xyzzy/position", "that the first page lists"),
        ("/api/nim/position?fen=no", "bad position"),
        ("/api/nim/position?moves=9:9", "illegal move"),
        ("/api/graph:file=%2Fetc%2Fpasswd/position", "--rules-dir"),
        ("/api/graph%20file=%2Fetc%2Fpasswd/position", "--rules-dir"),
        ("/api/sum:nim:3+Graph%20file=%2Fetc%2Fpasswd/position", "--rules-dir"),
        ("/api/nim/move?engine=other", "no engine"),
        ("/api/nim/position?fen=3,5,7%0a1", "one line"),
        ("/api/chess/rounds", "more than 120 positions"),
    ] {
        let answer = get(&board.address, path);
        assert_eq!(answer.status, 400, "{path}");
        let error: Value = serde_json::from_str(&answer.body).unwrap();
        let error = error["error"].as_str().unwrap();
        assert!(error.contains(word) && !error.contains('\n'), "{path}: {error}");
    }
    assert_eq!(get(&board.address, "/nothing").status, 404);
    let listed = get(&board.address, "/api/");
    assert!(
        listed.status == 404 && listed.body.contains("/api/; /docs lists the requests"),
        "{}",
        listed.body
    );
    let long = format!("/api/nim:{}/position", "1,".repeat(300));
    assert_eq!(get(&board.address, &long).status, 400);
    let page = get(&board.address, "/game/nim?moves=9:9");
    assert!(page.status == 400 && page.body.contains("illegal move"), "a page that says what is wrong");
}

#[test]
fn folders_and_outputs_that_cannot_be_used_end_the_board_at_its_start() {
    let program = env!("CARGO_BIN_EXE_grundy-board");
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into();
    let none = std::process::Stdio::null;
    for (arguments, out, why) in [
        (&["--rules-dir", "/no/such/folder"][..], none(), "--rules-dir: no folder /no/such/folder"),
        (&["--rules-dir", program], none(), "is no folder"),
        (&["--tables", program], none(), "is no folder"),
        (&[], full(), "cannot write to stdout: No space left"),
        (&["--help"], full(), "cannot write to stdout: No space left"),
    ] {
        let mut command = std::process::Command::new(program);
        let run = command
            .args(["--port", "0"])
            .args(arguments)
            .env_remove("RUST_LOG")
            .stdout(out)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!((run.status.code(), said.lines().count()), (Some(1), 1), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
}

#[test]
fn the_engine_plays_at_a_level() {
    let board = Board::start(&[]);
    let chosen = |level: &str| get(&board.address, &format!("/api/nim:1,1/move?level={level}"));
    for level in ["1", "8", "perfect"] {
        let body = chosen(level).body;
        assert!(["1:1", "2:1"].iter().any(|m| body.contains(m)), "{body}");
    }
    assert!(chosen("9").status == 400 && chosen("9").body.contains("expected 1 to 8, or perfect"));
}

#[test]
fn a_game_on_a_graph_shows_the_whole_graph_with_the_token_and_the_rounds() {
    let board = Board::start(&[]);
    let page = get(&board.address, "/game/graph?moves=b").body;
    assert!(page.contains("class=\"whole\"") && page.contains("data-rounds=\"[["), "{page}");
    assert_eq!(page.matches(" at p2").count(), 1, "the token is on b: {page}");
    assert!(
        page.contains("moves=b+c\"><g class=\"n ") || page.contains("moves=b%20c\"><g class=\"n "),
        "{page}"
    );
    let script = get(&board.address, "/assets/board.js").body;
    assert!(script.contains("round-said"));
    // Values are signs, as in the list of moves; the other words are those of the language.
    let rounds = json(&board, "/api/nim:1,2/rounds?lang=de")["html"].as_str().unwrap().to_owned();
    assert!(rounds.contains(">+3</text>") && rounds.contains(": \u{2212}0, beendet</title>"), "{rounds}");
    assert!(rounds.contains("gefunden in Runde 1</title>") && !rounds.contains("win:"), "{rounds}");
}

#[test]
fn every_game_has_a_page_with_its_board() {
    let board = Board::start(&[]);
    let list = json(&board, "/api/games");
    let families = list["families"].as_array().unwrap();
    let games: Vec<&str> = families
        .iter()
        .flat_map(|family| family["games"].as_array().unwrap())
        .map(|game| game["default"].as_str().unwrap())
        .collect();
    assert!(games.len() >= 34);
    for game in games {
        let path = format!("/game/{}", game.replace('/', "%2F").replace('+', "%2B").replace(' ', "%20"));
        let page = get(&board.address, &path);
        assert_eq!(page.status, 200, "{game}: {}", page.body);
        assert!(page.body.contains("<svg") && page.body.contains("data-move="), "{game}");
        assert!(page.body.len() < 200_000, "{game}: {} bytes", page.body.len());
        let data = page.body.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
        assert!(!data.contains(['<', '>', '&']) && data.starts_with('{'), "{game}: {data}");
        let policy = page.head.to_ascii_lowercase();
        assert!(policy.contains("content-security-policy: default-src 'none'"), "{game}");
        assert!(policy.contains("vary: accept-language, cookie"), "a proxy must not mix languages: {policy}");
    }
    let page = get(&board.address, "/game/nim:3,5,7").body;
    assert!(page.contains("<dt lang=\"en\">A move</dt>"), "the words of a move are explained: {page}");
}

#[test]
fn parameters_are_a_form_that_opens_the_game() {
    let board = Board::start(&[]);
    let page = get(&board.address, "/game/mnk:3,3,3:misere").body;
    assert!(page.contains("action=\"/open\"") && page.contains("value=\"3,3,3\""), "{page}");
    let sent = get(&board.address, "/open?game=mnk&0=3%2C3%2C3&1=misere");
    assert!(sent.status == 303 && sent.head.contains("/game/mnk:3,3,3:misere"), "{}", sent.head);
    let wrong = get(&board.address, "/game/mnk:3,99,3");
    assert!(wrong.status == 400 && wrong.body.contains("action=\"/open\""), "a form to mend the value");
    assert_eq!(get(&board.address, "/open?game=nosuch").status, 404);
}

#[test]
fn the_description_names_what_the_answers_hold() {
    let board = Board::start(&[]);
    let described = json(&board, "/api/openapi.json");
    for (path, schema) in [
        ("/api/dots:2x2/position", "Position"),
        ("/api/games", "Games"),
        ("/api/nim/mainline", "MainLine"),
        ("/api/nim:1,2/rounds", "Rounds"),
        ("/api/dots:2x2/remarks", "Remarks"),
        ("/api/chess/pgn?moves=e2e4+e7e5", "Pgn"),
        ("/api/tictactoe/puzzle?seed=7", "Puzzle"),
        ("/api/chess:KRvK/puzzle", "Puzzle"),
        ("/api/qr?text=hello", "Qr"),
        ("/standard?fen=8/8/8/8/8/k7/7R/K7_w_-_-_0_1", "Tablebase"),
        ("/uwapi/tictactoe/regular/positions/?p=X.O%2F...%2F...+1", "UwapiPosition"),
    ] {
        let answer = json(&board, path);
        fits(&described, &described["components"]["schemas"][schema], &answer, path);
    }
}

/// An answer has what its schema requires and nothing that it does not name, of the types that it says.
fn fits(all: &Value, schema: &Value, answer: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(all, &all["components"]["schemas"][name.rsplit('/').next().unwrap()], answer, place);
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let found = match answer {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    assert!(types.contains(&found), "{place}: {found} for {types:?}");
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(answer), "{place}: {answer}");
    }
    if let Value::Array(list) = answer {
        list.iter().for_each(|item| fits(all, &schema["items"], item, place));
    }
    if let Value::Object(fields) = answer {
        for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            assert!(fields.contains_key(required), "{place}: no {required}");
        }
        for (name, value) in fields {
            let described = match &schema["properties"][name] {
                Value::Null => &schema["additionalProperties"],
                described => described,
            };
            assert!(!described.is_null(), "{place}: {name} is not described");
            fits(all, described, value, &format!("{place} {name}"));
        }
    }
}

#[test]
fn clients_of_other_servers_find_what_they_know() {
    let board = Board::start(&[]);
    // White mates in one.
    let mate = json(&board, "/standard?fen=8/8/8/8/8/1K6/7R/k7_w_-_-_0_1");
    assert_eq!((mate["category"].as_str(), mate["dtm"].as_i64()), (Some("win"), Some(1)));
    let best = &mate["moves"][0];
    assert_eq!((best["uci"].as_str(), best["san"].as_str()), (Some("h2h1"), Some("Rh1#")));
    assert_eq!((best["checkmate"].as_bool(), best["category"].as_str()), (Some(true), Some("loss")));
    let line = json(&board, "/standard/mainline?fen=8/8/8/8/8/1K6/7R/k7_w_-_-_0_1");
    assert_eq!((line["winner"].as_str(), line["mainline"].as_array().map(Vec::len)), (Some("w"), Some(1)));

    let position = json(&board, "/uwapi/nim/1,1/positions/?p=1,1+1");
    assert_eq!(position["positionValue"], "lose");
    assert_eq!(position["moves"][0]["moveValue"], "lose");
    let start = json(&board, "/uwapi/tictactoe/regular/");
    assert_eq!(start["startPosition"], ".../.../... 1");
    assert_eq!((start["name"].as_str(), start["gui"].as_str()), (Some("Tic-tac-toe"), Some("v2")));
    assert_eq!(start["autoguiStartPosition"], "1_000000000");
    let theme = &start["imageAutoGUIData"]["themes"]["regular"];
    assert_eq!(
        (theme["centers"].as_array().map(Vec::len), &theme["charImages"]["x"]["image"]),
        (Some(9), &"ttt/x.svg".into())
    );
    let games = json(&board, "/uwapi");
    assert!(
        games
            .as_array()
            .unwrap()
            .iter()
            .any(|game| game["name"] == "Connect Four" && game["id"] == "connect4")
    );
    let forced = json(&board, "/uwapi/tictactoe/regular/positions/?p=XX.%2FOO.%2F...+1");
    assert_eq!(
        (forced["autoguiPosition"].as_str(), &forced["moves"][0]["autoguiMove"]),
        (Some("1_xx0oo0000"), &"A_-_2".into())
    );
    assert_eq!((forced["positionValue"].as_str(), forced["remoteness"].as_i64()), (Some("win"), Some(1)));
    assert_eq!(
        (forced["moves"][0]["move"].as_str(), forced["moves"][0]["remoteness"].as_i64()),
        (Some("c3"), Some(0))
    );
}

#[test]
fn games_that_people_bring_are_read() {
    let board = Board::start(&[]);
    let answer = client::post(&board.address, "/api/read?game=", "[White \"A\"]\n\n1. e4 e5 *\n");
    let read: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(read["games"][0]["moves"], serde_json::json!(["e2e4", "e7e5"]));
    let tagged = client::post(&board.address, "/api/read?game=tictactoe", "[White \"A\"]\n\n1. b2 a1 *\n");
    let read: Value = serde_json::from_str(&tagged.body).unwrap();
    assert_eq!(
        (&read["games"][0]["game"], &read["games"][0]["moves"][1]),
        (&"tictactoe".into(), &"a1".into())
    );
    let chess = client::post(&board.address, "/api/read?game=nim", "[White \"A\"]\n\n1. e4 e5 *\n");
    assert!(
        chess.body.contains("\"game\":\"chess\""),
        "a game of chess on the page of another: {}",
        chess.body
    );
    let refused = client::post(&board.address, "/api/read?game=nim", "9:9");
    assert!(refused.status == 400 && refused.body.contains("move 1"), "{}", refused.body);
    for (text, why) in [
        ("Dear all,\nwe met on 3 May.", "no game, record or moves were found in the text"),
        ("e4 e5 O-O", "moves alone do not say which game they are of"),
        ("a b c", "moves alone do not say which game they are of"),
    ] {
        let refused = client::post(&board.address, "/api/read?game=", text);
        assert!(refused.status == 400 && refused.body.contains(why), "{text}: {}", refused.body);
    }
    // A text without moves is named, and where it is read.
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (game, text, why) in [
        ("tictactoe", fen, "this is a position of chess, not of tictactoe: paste it on the page of chess"),
        ("chess", "XX./OO./... 1", "this is a text of 3 rows; paste a position of another game on the page"),
        ("", "XX./OO./... 1", "; paste a position of another game on the page of that game"),
        ("tictactoe", "digraph { a -> b }", "a graph in DOT is read from a file only: expected a board"),
        ("", "strict digraph{\n a -> b\n}", "--rules-dir DIR; the game is then graph:file=NAME"),
    ] {
        let refused = client::post(&board.address, &format!("/api/read?game={game}"), text);
        assert!(refused.status == 400 && refused.body.contains(why), "{text}: {}", refused.body);
    }
    let large = client::post(&board.address, "/api/read?game=nim", &"x ".repeat(3 << 20));
    assert_eq!(large.status, 413);
}

#[test]
fn rules_that_people_bring_are_played_where_that_is_allowed() {
    let closed = Board::start(&[]);
    let refused = client::post(&closed.address, "/api/rules", "");
    assert!(refused.status == 403 && refused.body.contains("--uploads"), "{}", refused.body);
    let board = Board::start(&["--uploads"]);
    let text = include_str!("../../rules/tictactoe.rbg");
    let taken: Value = serde_json::from_str(&client::post(&board.address, "/api/rules", text).body).unwrap();
    let game = taken["game"].as_str().unwrap();
    let (about, digest) = game.strip_prefix("rules:file=").unwrap().rsplit_once('-').unwrap();
    assert!(!about.is_empty() && !game.contains('/'), "{game}");
    assert_eq!(digest.len(), 32 + ".rbg".len(), "named by its digest: {game}");
    let answer = json(&board, &format!("/api/{game}/position"));
    assert_eq!((answer["value"].as_str(), answer["game"].as_str()), (Some("draw"), Some(game)));
    let page = get(&board.address, &format!("/game/{game}")).body;
    assert!(page.contains("<h1>Noughts and Crosses</h1>") && page.contains(&format!("<code>{game}</code>")));
    assert!(!page.contains("/grundy-board-") && page.contains("\"uploaded\":true"), "{page}");
    let rules = json(&board, &format!("/api/{game}/rules"));
    assert_eq!(rules["rules"].as_str(), Some(text), "for a link that carries the rules");
    let illegal = get(&board.address, &format!("/api/{game}/position?moves=z9")).body;
    assert!(illegal.contains("illegal move") && !illegal.contains("/grundy-board-"), "{illegal}");
    for (text, word) in [
        ("no rules", "1:"),
        (" ".repeat(65 << 10).as_str(), "65536"),
        ("graph { a -- b }", "--rules-dir DIR"),
    ] {
        let refused = client::post(&board.address, "/api/rules", text);
        assert!(refused.status == 400 && refused.body.contains(word), "{}", refused.body);
        assert!(!refused.body.contains("/grundy-board-"), "{}", refused.body);
    }
    // The same rules again change nothing for others.
    assert_eq!(client::post(&board.address, "/api/rules", text).status, 200);
    let outside = get(&board.address, "/api/rules:file=%2Fetc%2Fpasswd/position");
    assert_eq!(outside.status, 400);
}

#[test]
fn the_first_page_lists_the_files_of_the_folder_of_rules() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my.rbg"), include_str!("../../rules/tictactoe.rbg")).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no game").unwrap();
    let path = folder.path().to_str().unwrap();
    let board = Board::start(&["--rules-dir", path]);
    let page = get(&board.address, "/").body;
    assert!(page.contains("<a href=\"/game/rules:file%3Dmy.rbg\">"), "{page}");
    assert!(page.contains("<code>rules:file=my.rbg</code>"), "{page}");
    assert!(!page.contains("notes.txt") && !page.contains(path), "{page}");
    assert_eq!(get(&board.address, "/game/rules:file%3Dmy.rbg").status, 200);
}

#[test]
fn a_search_is_watched_as_it_goes_on() {
    let board = Board::start(&[]);
    let searched = events(&board, "/api/connect4:6x5/watch?ms=600");
    let (done, reports) = searched.split_last().unwrap();
    assert!(reports.iter().any(|(name, info)| name == "info" && info["nodes"].is_u64()), "{searched:?}");
    assert_eq!((done.0.as_str(), done.1["answer"]["moves"].as_array().map(Vec::len)), ("done", Some(6)));
    let built = events(&board, "/api/tictactoe/watch");
    let (done, _) = built.split_last().unwrap();
    assert_eq!((&done.1["answer"]["value"], &done.1["building"]), (&"draw".into(), &false.into()));
    for what in ["watch?", "match?one=perfect&two=perfect&"] {
        let wrong = get(&board.address, &format!("/api/nim/{what}moves=9:9"));
        assert!(wrong.status == 400 && wrong.body.contains("illegal move"), "{wrong:?}");
    }
}

/// Starts to watch a long analysis.
fn begin_analysis(board: &Board, opening: &str) -> TcpStream {
    let mut stream = TcpStream::connect(&board.address).unwrap();
    let path = format!("/api/othello:8x8/watch?ms=60000&moves={opening}");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", board.address).unwrap();
    let mut first = [0; 1];
    stream.read_exact(&mut first).unwrap();
    stream
}

#[test]
fn moves_do_not_wait_for_analyses_and_analyses_end_with_their_client() {
    let board = Board::start(&["--threads", "1", "--time", "60"]);
    let analyses: Vec<TcpStream> = ["d3", "c4", "f5"].map(|opening| begin_analysis(&board, opening)).into();
    let begun = Instant::now();
    let chosen = json(&board, "/api/othello:8x8/move?ms=100");
    assert!(chosen["move"].is_string() && begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    drop(analyses);
    let begun = Instant::now();
    let answer = json(&board, "/api/othello:8x8/position?ms=100&moves=e6");
    assert_eq!(answer["complete"], false);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn errors_of_the_api_are_json() {
    let board = Board::start(&["--listen", "localhost:0"]);
    for (path, status) in [
        ("/api/nothing", 404),
        ("/api/nim/position?ms=soon", 400),
        ("/api/nim/match", 400),
        ("/standard", 400),
        ("/picture", 400),
        ("/standard/mainline?fen=8/8/8/8/8/8/8/8_w_-_-", 400),
        ("/uwapi/nosuch/", 404),
        ("/uwapi/tictactoe/regular/positions/", 400),
        ("/ugi", 400),
        ("/api/qr", 400),
        ("/api/tictactoe/rules", 404),
    ] {
        let answer = get(&board.address, path);
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
        let error: Value =
            serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{path}: {answer:?}"));
        assert!(error["error"].as_str().is_some_and(|error| !error.contains('\n')), "{path}: {error}");
    }
    let posted = client::post(&board.address, "/api/nim/position", "");
    assert!(posted.status == 405 && posted.body.starts_with("{\"error\""), "{posted:?}");
    for path in ["/uwapi", "/uwapi/nim", "/uwapi/nim/1,1"] {
        assert_eq!(json(&board, path), json(&board, &format!("{path}/")), "{path}");
    }
}

/// The events of a stream, each with its name.
fn events(board: &Board, path: &str) -> Vec<(String, Value)> {
    let body = get(&board.address, path).body;
    let event = |text: &str| {
        let (name, data) = text.strip_prefix("event: ")?.split_once("\ndata: ")?;
        Some((name.to_owned(), serde_json::from_str(data.trim_end()).ok()?))
    };
    body.split("\n\n").filter_map(event).collect()
}

#[test]
fn a_match_is_judged_move_by_move_as_it_is_made() {
    let board = Board::start(&[]);
    let slips = "/api/nim:1,2/match?one=slips+100&two=slips+100&ms=20";
    let perfect = "/api/nim:1,2/match?one=perfect&two=perfect&ms=20";
    // There is a pause after each move: all matches at a time.
    let mut matches: Vec<_> = std::thread::scope(|scope| {
        let paths = std::iter::once(perfect).chain([slips; 10]);
        let running: Vec<_> = paths.map(|path| scope.spawn(|| events(&board, path))).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let perfect = matches.remove(0);
    let (end, moves) = perfect.split_last().unwrap();
    assert_eq!((end.0.as_str(), end.1["over"].as_str(), moves.len()), ("end", Some("1"), 3));
    assert_eq!(moves[0].1["said"], "Player 1 played 2:1: a best move.");
    assert_eq!(moves[2].1["audit"], "Audit: 3 moves compared with exact values, 0 gave value away.");
    for (name, made) in moves {
        assert_eq!(
            (name.as_str(), made["proved"].as_bool(), &made["slip"]),
            ("move", Some(true), &Value::Null)
        );
        assert!(made["svg"].as_str().unwrap().starts_with("<svg"));
    }
    // What a move at random costs is what its values say.
    let mut slips = 0;
    for events in matches {
        for (_, made) in events {
            let Some(before) = made["before"].as_str() else { continue };
            let lost = before.starts_with("win") && made["after"].as_str().unwrap().starts_with("loss");
            assert_eq!(lost, made["slip"] == "a win became a loss", "{made}");
            assert_eq!(lost, made["loses"], "{made}");
            slips += u32::from(lost);
        }
    }
    assert!(slips > 0, "no move at random lost one of ten games");
    for (players, word) in
        [("one=perfect&two=nobody", "expected perfect"), ("one=slips+200&two=perfect", "percentage")]
    {
        let answer = get(&board.address, &format!("/api/nim/match?{players}"));
        assert!(answer.status == 400 && answer.body.contains(word), "{answer:?}");
    }
    // A page says the same of the moves that led to it.
    let page = get(&board.address, "/game/nim:1,2?moves=2:2").body;
    assert!(page.contains("Move 1, 2:2: a win became a loss"), "{page}");
}

#[test]
fn pages_show_what_is_exact_and_say_the_rest() {
    let board = Board::start(&[]);
    let page = |game: &str, moves: &str| {
        // Builds the table: a page shows what is known at once.
        json(&board, &format!("/api/{game}/position?ms=1"));
        get(&board.address, &format!("/game/{game}?moves={moves}")).body
    };
    let points = page("dots:2x2", "a1b1+a1a2+b1b2");
    assert!(points.contains("aria-label=\"Start: Player 1 wins by 2\""), "{points}");
    assert!(points.contains("aria-label=\"Move 3, b1b2: an even score\""), "{points}");
    let outcomes = page("tictactoe", "a1+b1");
    assert!(outcomes.contains("aria-label=\"Move 2, b1: X wins in 5 plies\""), "{outcomes}");
    assert!(outcomes.contains("grundy, perfect") && outcomes.contains("\"turns\":[1,2,1]"), "{outcomes}");
    let searched = page("othello:8x8", "d3");
    assert!(searched.contains("Discs 4\u{2011}1.") && !searched.contains("grundy, perfect"), "{searched}");
}

#[test]
fn games_and_pictures_are_taken_along() {
    let board = Board::start(&["--embed", "https://school.example.org", "--embed", "http://localhost:9"]);
    let pgn = |path: &str| json(&board, &format!("/api/{path}"))["pgn"].as_str().unwrap().to_owned();
    let chess = pgn("chess/pgn?moves=f2f3+e7e5+g2g4+d8h4");
    assert!(chess.ends_with("[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"), "{chess}");
    let other = pgn("mnk:3,3,3:misere/pgn?moves=a1+b2");
    assert!(other.contains("[Variant \"mnk:3,3,3:misere\"]") && other.ends_with("\n1. a1 b2 *\n"), "{other}");
    for text in [chess, other] {
        let read = client::post(&board.address, "/api/read?game=", &text).body;
        assert!(read.contains("\"moves\":["), "{text}: {read}");
    }
    let picture = get(&board.address, "/picture?game=connect4&middle=true");
    assert!(
        picture.body.contains("class=\"b frame\"") && picture.body.contains("class=\"f\""),
        "{}",
        picture.body
    );
    let valued = get(&board.address, "/picture?game=nim&middle=true").body;
    assert!(
        valued.contains("<g class=\"hint win\"><text x=") && valued.contains("svg.b .win text"),
        "{valued}"
    );
    assert!(picture.body.contains("</style>") && picture.body.contains("xmlns"), "a file by itself");
    let policy = |board: &Board| get(&board.address, "/game/nim").head.to_lowercase();
    let allowed = "frame-ancestors https://school.example.org http://localhost:9";
    assert!(policy(&board).contains(allowed), "{}", policy(&board));
    assert!(policy(&Board::start(&[])).contains("frame-ancestors 'none'"));
}

#[test]
fn dots_and_boxes_say_who_makes_the_next_loony_move() {
    let board = Board::start(&[]);
    let found = json(&board, "/api/dots:1x2/remarks?ms=2000");
    let states = found["loony"]["moves"].as_object().unwrap();
    assert!(found["loony"]["state"].as_str().is_some_and(|mark| mark != "?"));
    assert!(states.len() == 7 && states.values().all(|mark| mark != "?"), "{found}");
    assert!(get(&board.address, "/game/dots:1x2").body.contains("id=\"loony\""));
    assert!(json(&board, "/api/nim/remarks")["loony"].is_null());
}

#[test]
fn half_requests_and_floods_keep_nobody_else_waiting() {
    let board = Board::start(&["--queue", "2", "--threads", "1", "--time", "1"]);
    let half: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = TcpStream::connect(&board.address).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
            stream
        })
        .collect();
    json(&board, "/api/tictactoe/position");
    // Searches that fill the queue; those behind it are told to come again.
    let searches: Vec<_> = (0..12)
        .map(|number| {
            let address = board.address.clone();
            std::thread::spawn(move || {
                let path = format!(
                    "/api/othello:8x8/position?ms=500&moves={}",
                    ["d3", "c4", "f5", "e6"][number % 4]
                );
                get(&address, &path)
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(150));
    let answer = json(&board, "/api/tictactoe/position?moves=b2");
    assert_eq!(answer["value"], "draw", "tables answer beside searches");
    let answers: Vec<_> = searches.into_iter().map(|search| search.join().unwrap()).collect();
    assert!(
        answers
            .iter()
            .any(|answer| answer.status == 503 && answer.head.to_ascii_lowercase().contains("retry-after"))
    );
    assert!(answers.iter().any(|answer| answer.status == 200));
    drop(half);
    let text = get(&board.address, "/metrics").body;
    assert!(text.contains("grundy_requests_total") && text.contains("grundy_busy_total"), "{text}");
}

#[test]
fn what_is_sent_again_is_the_same() {
    let board = Board::start(&["--cors"]);
    let ask = |packing: &str| {
        let head =
            format!("GET /api/tictactoe/position HTTP/1.1\r\nHost: x\r\n{packing}Connection: close\r\n\r\n");
        let answer = send(&board.address, &head, "");
        let head = answer.head.lines().filter(|line| !line.to_ascii_lowercase().starts_with("date"));
        (
            answer.status,
            head.map(str::to_ascii_lowercase).collect::<std::collections::BTreeSet<_>>(),
            answer.body,
        )
    };
    let plain = ask("");
    assert!(plain.2.starts_with('{') && plain.1.contains("access-control-allow-origin: *"), "{plain:?}");
    assert!(plain.1.iter().any(|line| line.starts_with("content-security-policy")), "{plain:?}");
    let packed = ask("Accept-Encoding: gzip\r\n");
    assert!(packed.1.contains("content-encoding: gzip"), "{packed:?}");
    assert_eq!((ask(""), ask("Accept-Encoding: identity\r\n").2), (plain.clone(), plain.2));
    let again = ask("Accept-Encoding: gzip\r\n");
    assert_eq!(again.2, packed.2);
    assert!(again.1.contains("content-encoding: gzip"), "{again:?}");
    let metrics = get(&board.address, "/metrics").body;
    assert!(metrics.contains("grundy_requests_total 5"), "{metrics}");
}

#[test]
fn one_question_keeps_its_time_whatever_it_is_about() {
    let board = Board::start(&["--time", "1"]);
    let began = Instant::now();
    std::thread::scope(|scope| {
        for game in ["sum:domineering:8x8%2Bdomineering:8x8%2Bdomineering:8x8", "col:8x8", "snort:8x8"] {
            let board = &board;
            scope.spawn(move || {
                let answer = json(board, &format!("/api/{game}/position?ms=100"));
                assert_eq!(
                    (answer["value"].as_str(), answer["complete"].as_bool()),
                    (Some("?"), Some(false))
                );
            });
        }
        assert_eq!(json(&board, "/api/nim:3,5,7/position")["value"], "win", "others are answered meanwhile");
    });
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Asks for a WebSocket as a page of this origin; the lines that are answered, or the status of a refusal.
fn converse(
    board: &Board,
    host: &str,
    origin: &str,
    lines: &[&str],
    until: &str,
) -> Result<Vec<String>, u16> {
    let mut stream = TcpStream::connect(&board.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let head = format!(
        "GET /ugi HTTP/1.1\r\nHost: {host}\r\n{origin}Upgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut input = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    input.read_line(&mut line).unwrap();
    let status: u16 = line.split(' ').nth(1).unwrap().parse().unwrap();
    if status != 101 {
        return Err(status);
    }
    while line != "\r\n" {
        line.clear();
        input.read_line(&mut line).unwrap();
    }
    for line in lines {
        let length = u8::try_from(line.len()).unwrap();
        assert!(length < 126, "a short frame");
        stream.write_all(&[0x81, 0x80 | length, 0, 0, 0, 0]).unwrap();
        stream.write_all(line.as_bytes()).unwrap();
    }
    let mut said: Vec<String> = Vec::new();
    while said.last().is_none_or(|line| line != until) {
        let mut head = [0; 2];
        input.read_exact(&mut head).unwrap();
        let length = match head[1] {
            126 => {
                let mut long = [0; 2];
                input.read_exact(&mut long).unwrap();
                usize::from(u16::from_be_bytes(long))
            }
            short => usize::from(short),
        };
        let mut text = vec![0; length];
        input.read_exact(&mut text).unwrap();
        said.push(String::from_utf8(text).unwrap());
    }
    Ok(said)
}

#[test]
fn pages_of_other_sites_drive_no_board() {
    let board = Board::start(&["--host", "Board.Example.org"]);
    let own = board.address.clone();
    let ask = |host: &str, origin: &str| converse(&board, host, origin, &["isready"], "readyok");
    assert!(ask(&own, "").is_ok() && ask(&own, &format!("Origin: http://{own}\r\n")).is_ok());
    assert!(ask(&own, "Origin: https://board.example.org\r\n").is_ok(), "a name that was given");
    for origin in ["http://evil.example", "null", "http://localhost:1", &format!("http://{own}.evil.example")]
    {
        assert_eq!(ask(&own, &format!("Origin: {origin}\r\n")), Err(403), "{origin}");
    }
    assert_eq!(ask("rebind.evil.example", ""), Err(403));
    let request = |head: String| send(&board.address, &(head + "Connection: close\r\n\r\n"), "");
    let posted = request(format!(
        "POST /api/read?game=nim HTTP/1.1\r\nHost: {own}\r\nOrigin: http://evil.example\r\nContent-Type: text/plain\r\n\
         Content-Length: 0\r\n"
    ));
    assert!(posted.status == 403 && posted.body.contains("--host NAME"), "{posted:?}");
    let pictured = format!("GET /api/nim/match?one=perfect&two=perfect HTTP/1.1\r\nHost: {own}\r\n");
    assert_eq!(request(pictured + "Sec-Fetch-Site: cross-site\r\n").status, 403);
    let linked = format!("GET /game/nim HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: cross-site\r\n");
    assert_eq!(request(linked).status, 200, "a link to a page");
    let open = Board::start(&["--cors"]);
    assert!(converse(&open, "x", "Origin: http://evil.example\r\n", &["isready"], "readyok").is_ok());
}

#[test]
fn visitors_choose_what_is_theirs_and_are_told_of_the_rest() {
    let board = Board::start(&[]);
    let lines = |line: &str| converse(&board, &board.address, "", &[line, "isready"], "readyok").unwrap();
    for (option, before) in
        [("Hash", "\u{feff}"), ("Threads", "\t"), ("Tables", "\u{feff}\t "), ("tHREADS", "")]
    {
        let said = lines(&format!("{before}setoption name {option} value 2"));
        assert!(
            said.iter().any(|line| line.starts_with("info string error option") && line.contains(option)),
            "{said:?}"
        );
    }
    for unread in [
        "\u{feff}\u{feff} setoption name Hash value 2",
        "\u{a0}setoption name Hash value 2",
        "\0setoption name Hash value 2",
    ] {
        assert!(lines(unread).iter().any(|line| line.starts_with("info string")), "{unread:?}");
    }
    for named in [
        "setoption name Game value graph:file=/etc/hostname",
        "setoption name UCI_Variant value graph:file=/etc/hostname",
        "new game graph:file=/etc/hostname",
        "setoption name Game value sum:nim:3+rules:file=/etc/hostname",
        "setoption name Game value graph file=/etc/hostname",
        "new game sum:nim:3+graph file=/etc/hostname",
    ] {
        assert!(lines(named).iter().any(|line| line.contains("games from files")), "{named}");
    }
    let offered = lines("ugi");
    assert!(offered.iter().any(|line| line.starts_with("option name MultiPV")), "{offered:?}");
    assert!(!offered.iter().any(|line| line.starts_with("option name Hash")), "{offered:?}");
    assert_eq!(lines("setoption name MultiPV value 2"), ["readyok"]);
}

#[test]
fn a_browser_that_was_sent_to_the_port_of_the_protocol_gives_no_commands() {
    let board = Board::start(&["--ugi-port", "0"]);
    let mut stream = TcpStream::connect(board.ugi.as_ref().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let _ = stream.write_all(b"POST / HTTP/1.1\r\nHost: x\r\n\r\nugi\nquit\n");
    let mut said = String::new();
    let _ = stream.read_to_string(&mut said);
    assert_eq!(said, "");
}

#[test]
fn ugi_is_spoken_on_plain_tcp() {
    let board = Board::start(&["--ugi-port", "0"]);
    let mut stream = TcpStream::connect(board.ugi.as_ref().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream
        .write_all(b"ugi\nsetoption name Tables value /etc\nsetoption name Game value nim:3,5,7\nquery value\nquit\n")
        .unwrap();
    let lines: Vec<String> = BufReader::new(&stream).lines().map_while(Result::ok).collect();
    assert!(
        lines.iter().any(|line| line == "ugiok") && lines.iter().any(|line| line == "response win"),
        "{lines:?}"
    );
}

#[test]
fn the_server_ends_softly() {
    let mut board = Board::start(&[]);
    json(&board, "/api/tictactoe/position");
    board.terminate();
    let status = board.child.wait().unwrap();
    assert!(status.success(), "{status}");
    let mut rest = String::new();
    board.child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn pages_speak_the_language_that_is_asked_for() {
    let board = Board::start(&[]);
    let asked = |path: &str, header: &str| {
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{header}\r\n\r\n",
            board.address
        );
        client::send(&board.address, &head, "")
    };
    let german = asked("/game/connect4:4x4", "Accept-Language: de-CH, en;q=0.5").body;
    assert!(
        german.contains("<html lang=\"de\">") && german.contains("<h1>Vier gewinnt 4x4</h1>"),
        "{german}"
    );
    assert!(
        german.contains("<strong>Rot am Zug<span class=\"stop\">: </span></strong>")
            && german.contains("board.js?lang=de"),
        "{german}"
    );
    // English within another language is marked as such.
    let form = asked("/game/quarto?lang=de", "Accept: */*").body;
    assert!(form.contains(": <span lang=\"en\">four in a square"), "{form}");
    let chosen = asked("/language?lang=sv", "Referer: http://127.0.0.1:8080/game/nim?moves=1:1");
    assert!(
        chosen.status == 303
            && chosen.head.contains("language=sv; Path=/")
            && chosen.head.contains("location: /game/nim?moves=1:1\r\n")
    );
    for page in ["http://a.org//example.org/", "http://a.org/\\example.org", "//example.org", "x"] {
        let away = asked("/language?lang=sv", &format!("Referer: {page}")).head.to_ascii_lowercase();
        assert!(away.contains("location: /\r\n"), "{away}");
    }
    let swedish = asked("/", "Cookie: language=sv").body;
    assert!(swedish.contains("<h1>Spel ") && swedish.contains("Dagens problem"));
    assert!(get(&board.address, "/assets/board.js?lang=sv").body.starts_with("window.grundyTexts = {"));
    let judged = "/api/nim:1,2/review?moves=2:2+1:1&lang=de";
    assert!(get(&board.address, judged).body.contains("aus Gewinn wurde Verlust"));
}

#[test]
fn puzzles_have_an_address_each() {
    let board = Board::start(&[]);
    let open = |path: &str| get(&board.address, path);
    let day = open("/puzzle");
    assert!(day.status == 303 && day.head.contains("&puzzle="), "{day:?}");
    let first = open("/puzzle?game=morris:3&number=1");
    let place =
        first.head.lines().find_map(|line| line.strip_prefix("location: ")).unwrap().trim().to_owned();
    assert_eq!(first.status, 303);
    assert!(place.starts_with("/game/morris:3?fen=") && place.ends_with("&puzzle=1"), "{place}");
    let page = open(&place).body;
    assert!(
        page.contains("Find the only move that wins.") || page.contains("that keeps the draw."),
        "{page}"
    );
    assert!(page.contains("href=\"/puzzle?game=morris:3&amp;number=2\""), "the next one");
    let unknown = open("/puzzle?game=nosuch");
    assert!(unknown.status == 400 && unknown.body.contains("<a href=\"/\">Games</a>"), "{}", unknown.body);
    let none = open("/puzzle?game=nim:1");
    assert!(none.status == 400 && none.body.contains("no position with an only move"), "{}", none.body);
}

#[test]
fn the_api_is_explained_with_an_example_each() {
    let board = Board::start(&[]);
    let page = get(&board.address, "/docs").body;
    for path in ["/api/tictactoe/position?moves=b2+a1", "/uwapi/tictactoe/", "/api/hexapawn/puzzle?seed=7"] {
        assert!(page.contains(&format!("href=\"{path}\"")), "{path}: {page}");
        assert_eq!(get(&board.address, path).status, 200, "{path}");
    }
}
