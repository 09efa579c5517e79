//! The checks of the conformance suite, one a rule of the protocol.

mod gomocup;
mod handshake;
mod limits;
mod positions;
mod search;
mod subject;

use crate::engine_spec::Dialect;
pub use subject::Subject;

const UGI: Option<Dialect> = Some(Dialect::Ugi);
const UCI: Option<Dialect> = Some(Dialect::Uci);
const GOMOCUP: Option<Dialect> = Some(Dialect::Gomocup);

/// A rule of the protocol and its check.
pub struct Check {
    /// Its name on the command line.
    pub name: &'static str,
    /// The rule.
    pub demands: &'static str,
    /// The protocol it belongs to; `None` for UGI and UCI.
    pub dialect: Option<Dialect>,
    /// Runs the check against a fresh engine; an error says what was wrong.
    pub run: fn(&mut Subject) -> Result<(), String>,
}

/// All checks, in the order of their numbers.
#[rustfmt::skip]
pub static CHECKS: &[Check] = &[
    Check { name: "no-banner", dialect: None, run: handshake::no_banner, demands: "nothing is said before it is asked" },
    Check { name: "greeting", dialect: None, run: handshake::greeting, demands: "id name, id author, options, then ugiok or uciok, and nothing else" },
    Check { name: "options", dialect: None, run: handshake::options, demands: "option lines have one-word names, a type, a default inside its bounds" },
    Check { name: "ready", dialect: None, run: handshake::ready, demands: "isready is answered readyok, once, and nothing else" },
    Check { name: "many-ready", dialect: None, run: handshake::many_ready, demands: "a thousand isready in one write get a thousand readyok" },
    Check { name: "odd-options", dialect: None, run: handshake::odd_options, demands: "an unknown or half a setoption is survived" },
    Check { name: "unknown-command", dialect: None, run: handshake::unknown_command, demands: "an unknown line is survived and answered by info string at most" },
    Check { name: "blanks", dialect: None, run: handshake::blanks, demands: "blank lines, blanks around words and carriage returns change nothing" },
    Check { name: "garbage", dialect: None, run: handshake::garbage, demands: "control characters and a line of a megabyte are survived" },
    Check { name: "bestmove", dialect: None, run: search::bestmove, demands: "go is answered by one legal bestmove" },
    Check { name: "two-words", dialect: UGI, run: search::two_words, demands: "bestmove is exactly two words" },
    Check { name: "long-lines", dialect: None, run: search::long_lines, demands: "every line between go and bestmove has at least 8 bytes" },
    Check { name: "last-info", dialect: None, run: search::last_info, demands: "the last info before bestmove has a score without bound and whole depth, nodes, time and nps" },
    Check { name: "pv", dialect: None, run: search::pv, demands: "every pv is legal to its last move; the last pv starts with the best move" },
    Check { name: "short-pv", dialect: None, run: search::short_pv, demands: "a pv of one move with a drawn score ends the game" },
    Check { name: "mate-score", dialect: None, run: search::mate_score, demands: "score mate counts plies in UGI and the winner's moves in UCI; a point is score cp 100" },
    Check { name: "true-value", dialect: None, run: search::true_value, demands: "a value in an info line is the exact value" },
    Check { name: "best-play", dialect: None, run: search::best_play, demands: "a best move keeps the exact value" },
    Check { name: "movetime", dialect: None, run: limits::movetime, demands: "movetime 10 is met with less than 10 ms over (best of five)" },
    Check { name: "small-limits", dialect: None, run: limits::small_limits, demands: "depth 1 and nodes 1 are answered" },
    Check { name: "odd-go", dialect: None, run: limits::odd_go, demands: "unknown words, missing and negative clocks still give a legal move" },
    Check { name: "searchmoves", dialect: None, run: search::searchmoves, demands: "searchmoves limits the moves that may be played" },
    Check { name: "infinite", dialect: None, run: limits::infinite, demands: "go infinite waits for stop, and stop is answered within 100 ms" },
    Check { name: "ponder", dialect: None, run: limits::ponder, demands: "go ponder waits for ponderhit or stop" },
    Check { name: "early-stop", dialect: None, run: limits::early_stop, demands: "a stop right behind go gives a legal move" },
    Check { name: "idle-stop", dialect: None, run: limits::idle_stop, demands: "stop and ponderhit without a search say nothing" },
    Check { name: "ready-in-search", dialect: None, run: limits::ready_in_search, demands: "isready during a search is answered within 100 ms" },
    Check { name: "busy", dialect: None, run: limits::busy, demands: "position during a search waits for its end and the search goes on" },
    Check { name: "after-bestmove", dialect: None, run: limits::after_bestmove, demands: "nothing follows bestmove" },
    Check { name: "quit", dialect: None, run: handshake::quit, demands: "quit ends the engine within half a second, during a search too" },
    Check { name: "end-of-input", dialect: None, run: handshake::end_of_input, demands: "the end of input ends the engine, during a search too" },
    Check { name: "bad-position", dialect: None, run: positions::bad_position, demands: "a bad position gets one info string error, then go answers bestmove 0000" },
    Check { name: "illegal-move", dialect: None, run: positions::illegal_move, demands: "an illegal move in a position is named in one info string error" },
    Check { name: "recovers", dialect: None, run: positions::recovers, demands: "after a refused position a good one is played again" },
    Check { name: "game-over", dialect: UGI, run: positions::game_over_ugi, demands: "go in a finished position answers bestmove 0000" },
    Check { name: "game-over", dialect: UCI, run: positions::game_over_uci, demands: "go in a finished position answers info depth 0 score mate 0 or cp 0, bestmove (none)" },
    Check { name: "new-game", dialect: None, run: handshake::new_game, demands: "a new game sets up the start position" },
    Check { name: "turn-query", dialect: UGI, run: positions::turn_query, demands: "query p1turn and p2turn answer true or false" },
    Check { name: "end-query", dialect: UGI, run: positions::end_query, demands: "query gameover and result are those of the rules, at the start and at the end" },
    Check { name: "moves-query", dialect: UGI, run: positions::moves_query, demands: "query legalmoves and islegal are those of the rules" },
    Check { name: "fen-query", dialect: UGI, run: positions::fen_query, demands: "query fen gives a position that can be set up again" },
    Check { name: "value-query", dialect: UGI, run: positions::value_query, demands: "query value is the exact value" },
    Check { name: "unknown-query", dialect: UGI, run: positions::unknown_query, demands: "an unknown query is answered response unknown" },
    Check { name: "gomocup-board", dialect: GOMOCUP, run: gomocup::board, demands: "START is answered OK, a size that is too large ERROR" },
    Check { name: "gomocup-about", dialect: GOMOCUP, run: gomocup::about, demands: "ABOUT names the engine" },
    Check { name: "gomocup-info", dialect: GOMOCUP, run: gomocup::info, demands: "INFO has no answer, and unknown keys are ignored" },
    Check { name: "gomocup-unknown", dialect: GOMOCUP, run: gomocup::unknown, demands: "an unknown command is answered UNKNOWN" },
    Check { name: "gomocup-game", dialect: GOMOCUP, run: gomocup::whole_game, demands: "BEGIN and TURN are answered by legal moves to the end of a game" },
    Check { name: "gomocup-positions", dialect: GOMOCUP, run: gomocup::positions, demands: "BOARD is answered by a legal move that keeps the exact value" },
    Check { name: "gomocup-restart", dialect: GOMOCUP, run: gomocup::restart, demands: "RESTART is answered OK and clears the board" },
    Check { name: "gomocup-end", dialect: GOMOCUP, run: gomocup::end, demands: "END ends the engine" },
];
