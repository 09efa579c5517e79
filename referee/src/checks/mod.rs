//! The checks of the conformance suite, one a rule of a protocol.

mod gomocup;
mod handshake;
mod hub;
mod limits;
mod nboard;
mod positions;
mod protocol;
mod search;
mod subject;
mod xboard;

pub use protocol::{PROTOCOLS, Protocol};
pub use subject::Subject;

const UGI: Option<Protocol> = Some(Protocol::Ugi);
const UCI: Option<Protocol> = Some(Protocol::Uci);
const GOMOCUP: Option<Protocol> = Some(Protocol::Gomocup);
const XBOARD: Option<Protocol> = Some(Protocol::XBoard);
const NBOARD: Option<Protocol> = Some(Protocol::NBoard);
const HUB: Option<Protocol> = Some(Protocol::Hub);

/// A rule of a protocol and its check.
pub struct Check {
    /// Its name on the command line.
    pub name: &'static str,
    /// The rule.
    pub demands: &'static str,
    /// The protocol it belongs to; `None` for UGI and UCI.
    pub protocol: Option<Protocol>,
    /// Runs the check against a fresh engine; an error says what was wrong.
    pub run: fn(&mut Subject) -> Result<(), String>,
}

impl Check {
    /// Reports whether it belongs to the protocol.
    pub fn is_of(&self, protocol: Protocol) -> bool {
        self.protocol.map_or(protocol.is_in("both"), |only| only == protocol)
    }
}

/// All checks, in the order of their numbers.
#[rustfmt::skip]
pub static CHECKS: &[Check] = &[
    Check { name: "no-banner", protocol: None, run: handshake::no_banner, demands: "nothing is said before it is asked" },
    Check { name: "greeting", protocol: None, run: handshake::greeting, demands: "id name, id author, options, then ugiok or uciok, and nothing else" },
    Check { name: "options", protocol: None, run: handshake::options, demands: "option lines have a name, a type, a default inside its bounds" },
    Check { name: "ready", protocol: None, run: handshake::ready, demands: "isready is answered readyok, once, and nothing else" },
    Check { name: "many-ready", protocol: None, run: handshake::many_ready, demands: "a thousand isready in one write get a thousand readyok" },
    Check { name: "odd-options", protocol: None, run: handshake::odd_options, demands: "an unknown or half a setoption is survived" },
    Check { name: "unknown-command", protocol: None, run: handshake::unknown_command, demands: "an unknown line is survived and answered by info string at most" },
    Check { name: "blanks", protocol: None, run: handshake::blanks, demands: "blank lines, blanks around words and carriage returns change nothing" },
    Check { name: "garbage", protocol: None, run: handshake::garbage, demands: "control characters and a line of a megabyte are survived" },
    Check { name: "bestmove", protocol: None, run: search::bestmove, demands: "go is answered by one legal bestmove" },
    Check { name: "two-words", protocol: UGI, run: search::two_words, demands: "bestmove is exactly two words" },
    Check { name: "long-lines", protocol: None, run: search::long_lines, demands: "every line between go and bestmove has at least 8 bytes" },
    Check { name: "last-info", protocol: None, run: search::last_info, demands: "the last info before bestmove has a score without bound and whole depth, nodes, time and nps" },
    Check { name: "pv", protocol: None, run: search::pv, demands: "every pv is legal to its last move; the last pv starts with the best move" },
    Check { name: "short-pv", protocol: None, run: search::short_pv, demands: "a pv of one move with a drawn score ends the game" },
    Check { name: "mate-score", protocol: None, run: search::mate_score, demands: "score mate counts plies in UGI and the winner's moves in UCI; a point is score cp 100" },
    Check { name: "true-value", protocol: None, run: search::true_value, demands: "a value in an info line is the exact value" },
    Check { name: "best-play", protocol: None, run: search::best_play, demands: "a best move keeps the exact value" },
    Check { name: "movetime", protocol: None, run: limits::movetime, demands: "movetime 10 is met with less than 10 ms over (best of five)" },
    Check { name: "small-limits", protocol: None, run: limits::small_limits, demands: "depth, nodes and movetime of 0 and 1 are answered" },
    Check { name: "odd-go", protocol: None, run: limits::odd_go, demands: "unknown words, missing and negative clocks still give a legal move" },
    Check { name: "searchmoves", protocol: None, run: search::searchmoves, demands: "searchmoves limits the moves that may be played" },
    Check { name: "infinite", protocol: None, run: limits::infinite, demands: "go infinite waits for stop, and stop is answered within 100 ms" },
    Check { name: "ponder", protocol: None, run: limits::ponder, demands: "go ponder waits for ponderhit or stop" },
    Check { name: "early-stop", protocol: None, run: limits::early_stop, demands: "a stop right behind go gives a legal move" },
    Check { name: "idle-stop", protocol: None, run: limits::idle_stop, demands: "stop and ponderhit without a search say nothing" },
    Check { name: "ready-in-search", protocol: None, run: limits::ready_in_search, demands: "isready during a search is answered within 100 ms" },
    Check { name: "busy", protocol: None, run: limits::busy, demands: "position during a search waits for its end and the search goes on" },
    Check { name: "after-bestmove", protocol: None, run: limits::after_bestmove, demands: "nothing follows bestmove" },
    Check { name: "quit", protocol: None, run: handshake::quit, demands: "quit ends the engine within half a second, during a search too" },
    Check { name: "end-of-input", protocol: None, run: handshake::end_of_input, demands: "the end of input ends the engine, during a search too" },
    Check { name: "bad-position", protocol: None, run: positions::bad_position, demands: "a bad position gets one info string error, then go answers bestmove 0000" },
    Check { name: "illegal-move", protocol: None, run: positions::illegal_move, demands: "an illegal move in a position is named in one info string error" },
    Check { name: "recovers", protocol: None, run: positions::recovers, demands: "after a refused position a good one is played again" },
    Check { name: "game-over", protocol: UGI, run: positions::game_over_ugi, demands: "go in a finished position answers bestmove 0000" },
    Check { name: "game-over", protocol: UCI, run: positions::game_over_uci, demands: "go in a finished position answers info depth 0 score mate 0 or cp 0, bestmove (none)" },
    Check { name: "new-game", protocol: None, run: handshake::new_game, demands: "a new game sets up the start position" },
    Check { name: "turn-query", protocol: UGI, run: positions::turn_query, demands: "query p1turn and p2turn answer true or false" },
    Check { name: "end-query", protocol: UGI, run: positions::end_query, demands: "query gameover and result are those of the rules, at the start and at the end" },
    Check { name: "moves-query", protocol: UGI, run: positions::moves_query, demands: "query legalmoves and islegal are those of the rules" },
    Check { name: "fen-query", protocol: UGI, run: positions::fen_query, demands: "query fen gives a position that can be set up again" },
    Check { name: "value-query", protocol: UGI, run: positions::value_query, demands: "query value is the exact value" },
    Check { name: "unknown-query", protocol: UGI, run: positions::unknown_query, demands: "an unknown query is answered response unknown" },
    Check { name: "gomocup-board", protocol: GOMOCUP, run: gomocup::board, demands: "START is answered OK, a size that is too large ERROR" },
    Check { name: "gomocup-about", protocol: GOMOCUP, run: gomocup::about, demands: "ABOUT names the engine" },
    Check { name: "gomocup-info", protocol: GOMOCUP, run: gomocup::info, demands: "INFO has no answer, and unknown keys are ignored" },
    Check { name: "gomocup-unknown", protocol: GOMOCUP, run: gomocup::unknown, demands: "an unknown command is answered UNKNOWN" },
    Check { name: "gomocup-game", protocol: GOMOCUP, run: gomocup::whole_game, demands: "BEGIN and TURN are answered by legal moves to the end of a game" },
    Check { name: "gomocup-positions", protocol: GOMOCUP, run: gomocup::positions, demands: "BOARD is answered by a legal move that keeps the exact value" },
    Check { name: "gomocup-restart", protocol: GOMOCUP, run: gomocup::restart, demands: "RESTART is answered OK and clears the board" },
    Check { name: "gomocup-end", protocol: GOMOCUP, run: gomocup::end, demands: "END ends the engine" },
    Check { name: "xboard-features", protocol: XBOARD, run: xboard::features, demands: "protover 2 is answered by features up to done=1, with ping=1, setboard=1 and usermove=1" },
    Check { name: "xboard-ping", protocol: XBOARD, run: xboard::ping, demands: "ping N is answered pong N" },
    Check { name: "xboard-unknown", protocol: XBOARD, run: xboard::unknown, demands: "an unknown command is answered Error (unknown command)" },
    Check { name: "xboard-illegal", protocol: XBOARD, run: xboard::illegal, demands: "an illegal usermove is answered Illegal move" },
    Check { name: "xboard-force", protocol: XBOARD, run: xboard::force, demands: "in force mode a usermove is played and not answered" },
    Check { name: "xboard-game", protocol: XBOARD, run: xboard::game, demands: "go and usermove are answered by legal moves" },
    Check { name: "xboard-positions", protocol: XBOARD, run: xboard::positions, demands: "after setboard, go is answered by a legal move that keeps the exact value" },
    Check { name: "xboard-quit", protocol: XBOARD, run: xboard::quit, demands: "quit ends the engine" },
    Check { name: "nboard-greeting", protocol: NBOARD, run: nboard::greeting, demands: "nboard 2 is answered by set myname" },
    Check { name: "nboard-ping", protocol: NBOARD, run: nboard::ping, demands: "ping N is answered pong N" },
    Check { name: "nboard-unknown", protocol: NBOARD, run: nboard::unknown, demands: "an unknown command is ignored" },
    Check { name: "nboard-game", protocol: NBOARD, run: nboard::game, demands: "go is answered by === and a legal move, move plays one" },
    Check { name: "nboard-position", protocol: NBOARD, run: nboard::position, demands: "set game sets up the position after a board and moves in GGF" },
    Check { name: "nboard-hint", protocol: NBOARD, run: nboard::hint, demands: "hint N is answered by search lines that begin with legal moves" },
    Check { name: "nboard-quit", protocol: NBOARD, run: nboard::quit, demands: "quit ends the engine" },
    Check { name: "hub-greeting", protocol: HUB, run: hub::greeting, demands: "hub is answered by id and wait, init by ready" },
    Check { name: "hub-ping", protocol: HUB, run: hub::ping, demands: "ping is answered pong" },
    Check { name: "hub-unknown", protocol: HUB, run: hub::unknown, demands: "an unknown command is ignored" },
    Check { name: "hub-positions", protocol: HUB, run: hub::positions, demands: "pos and go think are answered by a legal move that keeps the exact value" },
    Check { name: "hub-moves", protocol: HUB, run: hub::moves, demands: "pos plays the moves behind a position" },
    Check { name: "hub-stop", protocol: HUB, run: hub::stop, demands: "stop ends an analysis without a limit with done" },
    Check { name: "hub-quit", protocol: HUB, run: hub::quit, demands: "quit ends the engine" },
];
