//! `grundy mcp`: the Model Context Protocol on stdin and stdout, for programs that call tools.
//!
//! Each line is one message of JSON-RPC 2.0. A tool answers with a JSON object, as text and as structured content; a call
//! that fails is answered by one line, marked as an error. Games from files are refused, since the caller may be a language
//! model. A call takes at most [`LONGEST`], a line has at most 16 MiB, and lists have at most [`LISTED`] entries.
//!
//! Source: the specification at modelcontextprotocol.io, versions 2024-11-05 to 2025-11-25.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command as Process, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::{ArgMatches, Command};
use grundy_core::game::{GameResult, Player};
use grundy_core::text::{brief, visible};
use grundy_engine::Extra;
use grundy_engine::output::stdout;
use grundy_engine::protocol::read_line;
use grundy_information::{fraction, matrix::Matrix};
use grundy_session::{Catalog, Files, Go, Limits, MoveValue, NEVER, Parameter, Row, Session, Settings};
use serde_json::{Map, Value as Json, json};

/// The subcommand.
pub const MCP: Extra = Extra { under: None, command, run };

/// Versions of the protocol that are spoken, the preferred one first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Time limit of a call.
const LONGEST: Duration = Duration::from_secs(600);
/// Time of a call that names none.
const USUAL: Duration = Duration::from_secs(5);
/// Maximum number of moves or games in a list.
const LISTED: usize = 1_000;
/// Maximum number of rows and of columns of a matrix.
const MOST: usize = 100;
/// Maximum length of a number in a matrix, in characters.
const DIGITS: usize = 40;

/// Error codes of JSON-RPC.
const NOT_JSON: i32 = -32_700;
const NO_REQUEST: i32 = -32_600;
const NO_METHOD: i32 = -32_601;
const BAD_PARAMETERS: i32 = -32_602;

/// For the reader of the tools.
const INSTRUCTIONS: &str = "\
    Exact values of two-player games. Values are seen by the player to move: win:12 is a win whose last move \
    is the 12th ply from here, loss:7, draw, +3 are points still to come, >=draw a proved bound, ? is not \
    known. A value is proved, never an estimate; with a source, it was proved earlier. A game is named with \
    its parameters (connect4:7x6, nim:3,5,7); list_games with a name shows them, with the notation of \
    positions and moves. Give a position by its notation, by moves from the start, or by both. Lists of moves \
    have at most 1,000 entries; more_moves says that some were left out.";

fn command() -> Command {
    Command::new("mcp")
        .about("Answer tool calls of the Model Context Protocol on stdin and stdout")
        .after_help("Tools: list_games, position, values, best_move, review_game, solve_matrix")
}

fn run(catalog: &Catalog, _: &ArgMatches) -> anyhow::Result<ExitCode> {
    serve(*catalog, &mut BufReader::new(io::stdin()), &mut stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// Answers messages about the games of a catalog until the input ends.
///
/// # Errors
/// The output is closed.
fn serve(catalog: Catalog, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut server = Server { catalog, session: None };
    let mut line = Vec::new();
    while let Some(too_long) = read_line(input, &mut line) {
        let answer = match too_long {
            true => Some(failure(&Json::Null, NO_REQUEST, "a line longer than 16 MiB")),
            false if line.trim_ascii().is_empty() => None,
            false => server.answer(&line),
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}

/// Returns the answer to a request that failed.
fn failure(id: &Json, code: i32, why: &str) -> Json {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
}

/// The arguments of a call.
struct Arguments<'a>(&'a Map<String, Json>);

impl Arguments<'_> {
    /// Returns the text called `name`; `None` if there is none.
    fn text(&self, name: &str) -> Result<Option<&str>, String> {
        match self.0.get(name) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{name}: expected a text")),
        }
    }

    /// Returns the moves: a list of words, or words separated by blanks.
    fn moves(&self) -> Result<Vec<&str>, String> {
        const EXPECTED: &str = "moves: expected a list of words";
        match self.0.get("moves") {
            None | Some(Json::Null) => Ok(Vec::new()),
            Some(Json::String(text)) => Ok(text.split_whitespace().collect()),
            Some(Json::Array(list)) => {
                list.iter().map(|word| word.as_str().ok_or_else(|| EXPECTED.to_owned())).collect()
            }
            Some(_) => Err(EXPECTED.to_owned()),
        }
    }

    /// Returns the time for the call.
    fn time(&self) -> Result<Duration, String> {
        let seconds = match self.0.get("seconds") {
            None | Some(Json::Null) => return Ok(USUAL),
            Some(number) => number.as_f64().filter(|seconds| *seconds > 0.0),
        };
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.filter(|time| *time <= LONGEST)
            .ok_or_else(|| format!("seconds: expected a number above 0, at most {}", LONGEST.as_secs()))
    }

    /// Returns the name of the game.
    fn game(&self) -> Result<&str, String> {
        self.text("game")?
            .ok_or_else(|| "game: expected the name of a game; list_games lists them".to_owned())
    }
}

/// A tool: its answer to a call.
type Tool = fn(&mut Server, &Arguments<'_>) -> Result<Json, String>;

/// Lists the tools: name, description, the properties of the arguments and the required ones.
fn tools() -> [(&'static str, Tool, &'static str, Json, &'static [&'static str]); 6] {
    let game = json!({ "type": "string", "description": "the game with its parameters, as connect4:7x6" });
    let position = json!({ "type": "string", "description": "the position in its notation [the start]" });
    let moves = json!({ "type": "array", "items": { "type": "string" }, "description": "moves from there" });
    let seconds = json!({ "type": "number", "description": "time for searches [5], at most 600" });
    let at = json!({ "game": game, "position": position, "moves": moves });
    let within = json!({ "game": game, "position": position, "moves": moves, "seconds": seconds });
    let review = json!({ "game": game, "position": position, "seconds": seconds,
        "moves": { "type": ["array", "string"], "items": { "type": "string" },
            "description": "the game's moves, or a PGN" } });
    let row = json!({ "type": "array", "items": { "type": ["number", "string"] } });
    let matrix = json!({ "payoffs": { "type": "array", "items": row,
        "description": "the rows, payoffs to the row player; fractions as \"1/3\"" } });
    let list = json!({ "game": { "type": "string", "description": "show this game in full" } });
    let about = [
        "List the games, or show one in full: parameters, notation, method, known results",
        "Show a position: a drawing, who is to move, the legal moves, the result if the game is over",
        "Find the exact value of a position and of each of its moves, as far as the time suffices",
        "Choose a move; says whether it is proved to be best, and which moves are as good",
        "Judge each move of a game by exact values: where value was lost, and what would have kept it",
        "Solve a zero-sum matrix game exactly: value, optimal strategies, saddle points",
    ];
    [
        ("list_games", Server::list_games, about[0], list, &[]),
        ("position", Server::position, about[1], at, &["game"]),
        ("values", Server::values, about[2], within.clone(), &["game"]),
        ("best_move", Server::best_move, about[3], within, &["game"]),
        ("review_game", Server::review_game, about[4], review, &["moves"]),
        ("solve_matrix", Server::solve_matrix, about[5], matrix, &["payoffs"]),
    ]
}

/// A conversation.
struct Server {
    catalog: Catalog,
    /// The game of the last call, with what is known of it.
    session: Option<Session>,
}

impl Server {
    /// Returns the answer to a line, a message or a batch of them; `None` if it asks for none.
    fn answer(&mut self, line: &[u8]) -> Option<Json> {
        match serde_json::from_slice(line) {
            Ok(Json::Array(batch)) if !batch.is_empty() => {
                let answers: Vec<Json> =
                    batch.iter().filter_map(|message| self.answer_message(message)).collect();
                (!answers.is_empty()).then_some(Json::Array(answers))
            }
            Ok(message) => self.answer_message(&message),
            Err(error) => Some(failure(&Json::Null, NOT_JSON, &format!("no JSON: {error}"))),
        }
    }

    /// Returns the answer to a message; `None` if it asks for none.
    fn answer_message(&mut self, message: &Json) -> Option<Json> {
        let id = message.get("id").cloned();
        let plain = |id: &Json| id.is_string() || id.is_i64() || id.is_u64();
        let Some(method) =
            message.get("method").and_then(Json::as_str).filter(|_| message["jsonrpc"] == "2.0")
        else {
            // An answer of the client: nothing was asked.
            let answer = message.get("result").is_some() || message.get("error").is_some();
            let id = id.filter(plain).unwrap_or(Json::Null);
            return (!answer).then(|| failure(&id, NO_REQUEST, "expected a request of JSON-RPC 2.0"));
        };
        let id = id?;
        if !plain(&id) {
            return Some(failure(&Json::Null, NO_REQUEST, "id: expected a text or a whole number"));
        }
        let none = Map::new();
        let parameters = message.get("params").and_then(Json::as_object).unwrap_or(&none);
        let result = match method {
            "initialize" => Ok(greeting(parameters)),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({ "tools": described() })),
            "tools/call" => self.call(parameters),
            _ => return Some(failure(&id, NO_METHOD, &format!("no method {}", brief(&visible(method))))),
        };
        Some(match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(why) => failure(&id, BAD_PARAMETERS, &why),
        })
    }

    /// Calls a tool. What is wrong with its arguments is part of the result, where a model can read it.
    fn call(&mut self, parameters: &Map<String, Json>) -> Result<Json, String> {
        let name = parameters.get("name").and_then(Json::as_str).unwrap_or("");
        let known = tools();
        let tool = known.iter().find(|(known, ..)| *known == name);
        let (_, tool, ..) = tool.ok_or_else(|| format!("no tool {}", brief(&visible(name))))?;
        let none = Map::new();
        let arguments = parameters.get("arguments").and_then(Json::as_object).unwrap_or(&none);
        Ok(match tool(self, &Arguments(arguments)) {
            Ok(answer) => {
                json!({ "content": [{ "type": "text", "text": answer.to_string() }], "structuredContent": answer })
            }
            Err(why) => {
                json!({ "content": [{ "type": "text", "text": brief(&visible(&why)) }], "isError": true })
            }
        })
    }

    /// Opens the game of a call, or takes the one of the last call, and sets up the position.
    fn at(&mut self, arguments: &Arguments<'_>) -> Result<&mut Session, String> {
        let name = arguments.game()?;
        let (position, moves) = (arguments.text("position")?, arguments.moves()?);
        let full = self.catalog.full_name(name);
        let full = self.catalog.row(&full).filter(|row| row.name == full).map_or(&*full, |row| row.default);
        let same = self.session.take().filter(|session| session.name() == full);
        let mut session = match same {
            Some(session) => session,
            // A model may pass on what strangers wrote.
            None => self
                .catalog
                .open(name, &Settings { files: Files::Within(Vec::new()), ..Settings::default() })?,
        };
        session.setup_typed(position).map_err(|refusal| refusal.to_string())?;
        for word in moves {
            session.play_moves(word).map_err(|refusal| refusal.to_string())?;
        }
        Ok(self.session.insert(session))
    }

    fn list_games(&mut self, arguments: &Arguments<'_>) -> Result<Json, String> {
        let Some(name) = arguments.text("game")? else {
            let row = |row: &'static Row| {
                json!({ "name": row.name, "default": row.default, "title": row.title, "about": row.about,
                    "parameters": row.parameters, "known": row.known })
            };
            return Ok(json!({ "games": self.catalog.rows().map(row).collect::<Vec<_>>() }));
        };
        let catalog = self.catalog;
        let session = self.at(arguments)?;
        let row = catalog.row(name).ok_or_else(|| format!("no game {name}"))?;
        let described = row.describe(session.name());
        let parameter = |Parameter { section, about, default }: &Parameter| json!({ "section": section, "about": about, "default": default });
        Ok(json!({ "game": session.name(), "title": described.title, "about": described.about,
            "rules": described.rules, "players": described.players, "letters": row.letters, "a_move": row.moves,
            "parameters": row.details.iter().map(parameter).collect::<Vec<_>>(), "solved_by": row.method,
            "known": row.known, "start": session.position(), "moves": session.legal_moves(LISTED) }))
    }

    fn position(&mut self, arguments: &Arguments<'_>) -> Result<Json, String> {
        let session = self.at(arguments)?;
        let moves = session.legal_moves(LISTED);
        let mut answer = shown(session);
        answer["drawing"] = session.draw().into();
        answer["more_moves"] = (session.count_moves(LISTED + 1) > LISTED).into();
        answer["legal_moves"] = moves.into();
        Ok(answer)
    }

    fn values(&mut self, arguments: &Arguments<'_>) -> Result<Json, String> {
        self.values_within(arguments, arguments.time()?)
    }

    fn values_within(&mut self, arguments: &Arguments<'_>, time: Duration) -> Result<Json, String> {
        let session = self.at(arguments)?;
        let found = session.analyze(LISTED, time, &session.work(&NEVER).within(time));
        let unit = session.unit();
        let (best, keeping) = (found.best(unit), found.keeping(unit));
        let worth = |m: &MoveValue| json!({ "move": m.word, "value": m.show(unit) });
        let mut answer = shown(session);
        answer["value"] = found.show(unit).into();
        if let Some(source) = &found.source {
            answer["source"] = source.as_str().into();
        }
        answer["moves"] = found.list.moves.iter().map(worth).collect();
        answer["more_moves"] = found.list.truncated.into();
        answer["best_moves"] = best.words.into();
        answer["complete"] = (found.value.is_some() && best.complete && keeping.complete).into();
        Ok(answer)
    }

    fn best_move(&mut self, arguments: &Arguments<'_>) -> Result<Json, String> {
        // Half of the time is for the values of all moves, the rest for the engine's choice where they are not proved.
        let end = Instant::now() + arguments.time()?;
        let mut answer = self.values_within(arguments, arguments.time()? / 2)?;
        let first = answer["best_moves"][0].clone();
        answer["proved"] = (first.is_string() && answer.get("source").is_none()).into();
        answer["best_move"] = first;
        if answer["best_move"].is_null() && answer.get("result").is_none() {
            // Nothing is proved: the engine's choice after a search.
            let go = Go {
                limits: Limits { soft: Some(end), hard: Some(end), ..Limits::default() },
                ..Go::default()
            };
            let session = self.at(arguments)?;
            answer["best_move"] = session.think(&go, &NEVER, &mut |_| ()).into();
        }
        Ok(answer)
    }

    fn review_game(&mut self, arguments: &Arguments<'_>) -> Result<Json, String> {
        let time = arguments.time()?;
        let mut command = Process::new(std::env::current_exe().map_err(|error| error.to_string())?);
        command.args(["review", "--json", "--no-files", "--seconds", &time.as_secs_f64().to_string()]);
        if arguments.text("game")?.is_some() {
            command.args(["--game", arguments.game()?]);
        }
        if let Some(position) = arguments.text("position")? {
            command.arg(format!("--position={position}"));
        }
        command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let words = match arguments.0.get("moves") {
            Some(Json::String(text)) => text.clone(),
            _ => arguments.moves()?.join(" "),
        };
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        // It reads all of its input before it writes.
        let written = child.stdin.take().map(|mut input| input.write_all(words.as_bytes()));
        let done = child.wait_with_output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&done.stdout);
        let games: Vec<Json> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        match (games.is_empty(), written) {
            (false, _) => Ok(json!({ "games": games })),
            (true, _) => {
                let why = String::from_utf8_lossy(&done.stderr);
                let line =
                    why.lines().find(|line| line.starts_with("error")).unwrap_or("the game cannot be read");
                Err(line.trim_start_matches("error: ").to_owned())
            }
        }
    }

    fn solve_matrix(&mut self, arguments: &Arguments<'_>) -> Result<Json, String> {
        const EXPECTED: &str = "payoffs: expected a list of rows, each a list of numbers or fractions";
        let cell = |cell: &Json| {
            let word = match cell {
                Json::Number(number) => number.to_string(),
                Json::String(word) => word.clone(),
                _ => return Err(EXPECTED.to_owned()),
            };
            match word.len() <= DIGITS {
                true => fraction::read(&word),
                false => Err(format!("payoffs: expected numbers of at most {DIGITS} characters")),
            }
        };
        let row =
            |row: &Json| row.as_array().ok_or(EXPECTED)?.iter().map(cell).collect::<Result<Vec<_>, String>>();
        let rows = arguments.0.get("payoffs").and_then(Json::as_array).ok_or(EXPECTED)?;
        if rows.len() > MOST || rows.iter().any(|row| row.as_array().is_some_and(|row| row.len() > MOST)) {
            return Err(format!("payoffs: expected at most {MOST} rows and columns"));
        }
        let matrix = Matrix::new(rows.iter().map(row).collect::<Result<_, String>>()?)?;
        let solved = matrix.solve();
        let words =
            |numbers: &[fraction::Fraction]| numbers.iter().map(ToString::to_string).collect::<Vec<_>>();
        let saddles: Vec<[usize; 2]> = matrix.saddles().into_iter().map(|(i, j)| [i + 1, j + 1]).collect();
        Ok(
            json!({ "value": solved.value.to_string(), "row": words(&solved.row), "column": words(&solved.column),
            "saddle_points": saddles }),
        )
    }
}

/// Returns the answer to `initialize`.
fn greeting(parameters: &Map<String, Json>) -> Json {
    let asked = parameters.get("protocolVersion").and_then(Json::as_str);
    let version = asked.filter(|version| VERSIONS.contains(version)).unwrap_or(VERSIONS[0]);
    json!({ "protocolVersion": version, "capabilities": { "tools": {} }, "instructions": INSTRUCTIONS,
        "serverInfo": { "name": "grundy", "version": env!("CARGO_PKG_VERSION") } })
}

/// Returns the descriptions of the tools.
fn described() -> Vec<Json> {
    let tool = |(name, _, about, properties, required): (&str, Tool, &str, Json, &[&str])| {
        json!({ "name": name, "description": about, "annotations": { "readOnlyHint": true },
            "inputSchema": { "type": "object", "properties": properties, "required": required } })
    };
    tools().into_iter().map(tool).collect()
}

/// Returns what every answer about a position has: the game, the position, who is to move, and the result if it is over.
fn shown(session: &Session) -> Json {
    let mut answer = json!({ "game": session.name(), "position": session.position(),
        "player_to_move": if session.turn() == Player::One { 1 } else { 2 } });
    if let Some(result) = session.result() {
        answer["result"] = match result {
            GameResult::Win(Player::One) => "player 1 wins",
            GameResult::Win(Player::Two) => "player 2 wins",
            GameResult::Draw => "draw",
        }
        .into();
    }
    answer
}
