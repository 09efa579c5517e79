//! Answers about a position: its value, every move with its value, and remarks.

use std::time::Duration;

use grundy::game::{GameResult, Player};
use grundy::session::{Analysis, Annotation, Grundy, MoveValue, NEVER, STOPPED, Session, Successor, Work};
use grundy::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// The most moves that are listed.
const LISTED: usize = 2_000;
/// The most successors that are looked through for those of the moves in an answer.
const VISITED: usize = 10_000;
/// Time for a Grundy number in an answer that is looked up.
const FORM_AT_ONCE: Duration = Duration::from_millis(5);
/// The longest time that remarks may search beside an analysis.
pub const REMARKING: Duration = Duration::from_secs(2);

/// An answer about a position.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The game's full name.
    pub game: String,
    /// The position as one line.
    pub position: String,
    /// The player to move, or whose turn it would be: 1 or 2.
    pub turn: u8,
    /// The value for the player to move: `win:12`, `loss:7`, `draw`, `+3`; a proved bound of it, `>=+0`; or `?`.
    pub value: String,
    /// How the value was proved, if that was earlier: a known result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The unit of values: `plies` to the end, or `points`.
    pub unit: &'static str,
    /// `win`, `draw` or `loss` for the player to move, by the final score in games for points; `?`.
    pub result: String,
    /// The result of a finished game: `1`, `2` (the winner) or `draw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<&'static str>,
    /// The points so far, player one's first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<(i32, i32)>,
    /// True if the values of the position and of all its moves are known.
    pub complete: bool,
    /// The Grundy number, or the size of the heap of nim that the position of a partizan game equals, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grundy: Option<u64>,
    /// As far as it is known, which of them it is.
    #[serde(skip)]
    pub number: Grundy,
    /// The player who makes the next loony move, in games that have such moves: `v` the player to move, `^` the opponent, `-` nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loony: Option<char>,
    /// Further comments that need no search, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The legal moves, best first.
    pub moves: Vec<MoveAnswer>,
    /// Moves were left out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// A move and its value for the player who makes it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move in words.
    pub r#move: String,
    /// The move in the notation of people, if that differs: `Nbd2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Its value, a proved bound of it (`>=draw`), or `?`.
    pub value: String,
    /// `win`, `draw` or `loss` for the mover, or `?`.
    pub result: String,
    /// The player who makes the next loony move, this move included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loony: Option<char>,
    /// The position after it.
    pub position: String,
}

/// Returns the value of the position and of all its moves if they are known without any work; else `None`.
fn known(session: &mut Session, work: &Work<'_>) -> Option<Analysis> {
    let at_once = Work { stop: &STOPPED, ..*work };
    let value = session.ready(&at_once, None).value?;
    let list = session.values_within(LISTED, &at_once);
    let open = list.moves.iter().any(|m| m.value.is_none());
    (!open).then_some(Analysis { value: Some(value), list, ..Analysis::default() })
}

/// Reports whether a position and all its moves are known without any work.
pub fn is_known(session: &mut Session, work: &Work<'_>) -> bool {
    known(session, work).is_some()
}

/// Returns how a game ended: `1`, `2` (the winner) or `draw`; `None` if it goes on.
pub fn result_of(session: &Session) -> Option<&'static str> {
    session.result().map(|result| match result {
        GameResult::Win(Player::One) => "1",
        GameResult::Win(Player::Two) => "2",
        GameResult::Draw => "draw",
    })
}

/// Returns the moves of a line from the session's position as people write them.
pub fn notes(session: &mut Session, words: &[String]) -> Vec<String> {
    let note = |word: &String| {
        let note = session.note(word).unwrap_or_else(|| word.clone());
        session.play(word).ok().map(|_| note)
    };
    let notes: Vec<String> = words.iter().map_while(note).collect();
    for _ in &notes {
        session.undo();
    }
    notes
}

/// Describes the loony states of a position and its moves, as a page reads them.
pub fn loony_states(found: &Annotation) -> serde_json::Value {
    let moves = found.moves.iter().map(|(word, mark)| (word.clone(), mark.to_string().into()));
    serde_json::json!({ "state": found.position, "moves": moves.collect::<serde_json::Map<_, _>>() })
}

/// Returns the positions after some moves, by the moves. They are taken from the first moves of the game's order, the others are
/// played.
pub fn successors_of(session: &mut Session, moves: &[MoveValue]) -> FxHashMap<String, Successor> {
    let mut wanted: FxHashSet<&str> = moves.iter().map(|m| m.word.as_str()).collect();
    let mut found = FxHashMap::default();
    let mut visited = 0;
    session.each_successor(&mut |next| {
        visited += 1;
        if wanted.remove(next.word.as_str()) {
            found.insert(next.word.clone(), next);
        }
        !wanted.is_empty() && visited < VISITED
    });
    for word in wanted {
        if let Ok(played) = session.play(word) {
            let (position, over) = (session.position(), session.over());
            session.undo();
            found.insert(word.to_owned(), Successor { word: played.word, position, step: played.step, over });
        }
    }
    found
}

impl Answer {
    /// Finds the values of the position and its moves: those that are known, else by searches that take `time` together.
    /// Work that has ended already only looks up what is known.
    pub fn find(session: &mut Session, time: Duration, work: &Work<'_>) -> Answer {
        let found = known(session, work).unwrap_or_else(|| match work.stopped() {
            true if session.known_result().is_some() => session.known_within(LISTED, work),
            true => Analysis::default(),
            false => session.analyze(LISTED, time, work),
        });
        Answer::new(session, &found, time.min(REMARKING), work)
    }

    /// Puts into words what was found. Grundy numbers, loony states and remarks may take `time` more.
    fn new(session: &mut Session, found: &Analysis, time: Duration, work: &Work<'_>) -> Answer {
        let unit = session.unit();
        let result = |session: &Session, value: Option<Value>| {
            value.map_or_else(|| "?".to_owned(), |value| session.outcome(value).to_string())
        };
        let marks = session.annotate(&work.within(time));
        let mut order = Vec::new();
        let mut after = FxHashMap::default();
        if session.over().is_none() && found.list.moves.is_empty() {
            // Without values to put them in order, moves are listed in the game's order, and as many as fit.
            for next in session.successors(LISTED + 1) {
                order.push(MoveValue::open(next.word.clone()));
                after.insert(next.word.clone(), next);
            }
        } else if session.over().is_none() {
            after = successors_of(session, &found.list.moves);
        }
        let truncated = found.list.truncated || order.len() > LISTED;
        order.truncate(LISTED);
        order.extend(found.list.moves.iter().cloned());
        let open = order.iter().any(|m| m.value.is_none());
        let mut notes: FxHashMap<String, String> = session.notes(LISTED).into_iter().collect();
        let moves: Vec<MoveAnswer> = order
            .into_iter()
            .filter_map(|m| {
                let loony = marks.as_ref().map(|marks| marks.of(&m.word));
                let (note, position) = (notes.remove(&m.word), after.remove(&m.word)?.position);
                Some(MoveAnswer {
                    note,
                    value: m.show(unit),
                    result: result(session, m.value),
                    loony,
                    position,
                    r#move: m.word,
                })
            })
            .collect();
        // A small Grundy number is found even if nothing may take any time.
        let form = if time.is_zero() { session.work(&NEVER).within(FORM_AT_ONCE) } else { work.within(time) };
        let complete = found.value.is_some() && !open;
        let number = session.grundy_within(&form);
        Answer {
            game: session.name().to_owned(),
            position: session.position(),
            turn: if session.turn() == Player::One { 1 } else { 2 },
            value: found.show(unit),
            source: found.source.clone(),
            unit: if unit.is_points() { "points" } else { "plies" },
            result: result(session, found.value),
            over: result_of(session),
            score: session.score(),
            complete,
            loony: marks.map(|marks| marks.position),
            grundy: number.number(),
            number,
            remarks: if complete { session.remarks(&work.within(time)) } else { Vec::new() },
            moves,
            truncated,
        }
    }

    /// Reports whether the Grundy number, or the loony state of the position or of a move, is still to be found.
    pub fn has_open_states(&self) -> bool {
        let open = |mark| mark == Some(Annotation::UNKNOWN);
        self.number == Grundy::NotInTime || open(self.loony) || self.moves.iter().any(|m| open(m.loony))
    }
}
