//! The lines of a record: the header, finished games, engines that ended badly, later proofs.

use std::collections::BTreeMap;

use grundy_core::game::Player;
use grundy_core::value::{Unit, Value};
use grundy_session::{Picked, Session};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::claim::{Claim, Text};
use crate::exact::{self, Preserving};
use crate::settings::MatchSettings;
use crate::setup::{self, command};
use crate::verdict::{Dispute, Ending, Fault, Outcome, Severity, Slip, digit};

/// The current format of lines: each with a checksum over it and the lines before it.
pub const FORMAT: u32 = 2;

/// One line of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "line")]
pub enum Line {
    /// The first line: what was to be played.
    Header(Box<Header>),
    /// A finished game.
    Game(Box<Game>),
    /// An engine that ended badly.
    #[serde(rename = "farewell")]
    Departure(Departure),
    /// A proof about a recorded game.
    Proof(Proof),
}

/// A proof about a recorded game, which replaces the values in the game's line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The game's number in the run.
    pub id: usize,
    /// The values of each of its moves, and what it cost.
    pub moves: Vec<ProvedMove>,
    /// All disputes of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
}

/// The values of a move, as in [`Move`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvedMove {
    /// The exact value of the position before it; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Recorded<Value>>,
    /// The exact value of the move for its mover; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Recorded<Value>>,
    /// Its cost.
    #[serde(default, rename = "fault", skip_serializing_if = "Option::is_none")]
    pub slip: Option<SlipRecord>,
}

impl Proof {
    /// Returns the values of a game that are known by now.
    pub fn of(game: &Game) -> Proof {
        let known =
            |m: &Move| ProvedMove { before: m.before.clone(), after: m.after.clone(), slip: m.slip.clone() };
        Proof { id: game.id, moves: game.moves.iter().map(known).collect(), disputes: game.disputes.clone() }
    }

    /// Adds it to its game; returns false if it is about another game.
    pub fn apply(self, game: &mut Game) -> bool {
        if self.id != game.id || self.moves.len() != game.moves.len() {
            return false;
        }
        for (entry, proved) in game.moves.iter_mut().zip(self.moves) {
            (entry.before, entry.after, entry.slip) = (proved.before, proved.after, proved.slip);
        }
        game.disputes = self.disputes;
        true
    }
}

/// The settings of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format of the lines: [`FORMAT`]; records without this field have no checksums.
    #[serde(default)]
    pub format: u32,
    /// The version of the program that wrote the record.
    pub version: String,
    /// When the run began, in milliseconds since 1970.
    pub began: u64,
    /// All settings of the run.
    pub settings: MatchSettings,
    /// The engines' names, in the order of the command line.
    pub names: Vec<String>,
    /// The number of games of the run.
    pub games: usize,
    /// The digest of each game that is read from files; older versions wrote none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub digests: BTreeMap<String, String>,
}

/// A finished game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Its number in the run, from 1.
    pub id: usize,
    /// The game by its full name.
    pub game: String,
    /// Games of one pair share the opening and swap the sides.
    pub pair: usize,
    /// The engines of player one and two, by their index on the command line.
    pub engines: [usize; 2],
    /// Their names.
    pub players: [String; 2],
    /// The position it started from; `None` for the game's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves of the opening, which no engine chose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// The result.
    pub result: Outcome,
    /// The end of the game.
    pub ending: Ending,
    /// The same as words.
    pub reason: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// The time it took, in milliseconds.
    pub took_ms: u64,
    /// The moves, after those of the opening.
    pub moves: Vec<Move>,
    /// Disputes about the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
    /// The last lines on stderr of the engine that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

/// One move of a game and its audit.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The player who made it.
    #[serde(with = "digit")]
    pub by: Player,
    /// The move.
    pub word: String,
    /// The time it took, in microseconds.
    pub us: u64,
    /// The exact value of the position before it; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Recorded<Value>>,
    /// The exact value of the move for its mover; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Recorded<Value>>,
    /// The engine's claim about the position before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Recorded<Claim>>,
    /// The engine's score of the position before it, in centipawns for its mover; `None` if it announced
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i64>,
    /// Its cost.
    #[serde(default, rename = "fault", skip_serializing_if = "Option::is_none")]
    pub slip: Option<SlipRecord>,
}

impl Move {
    /// Returns a move without values.
    pub fn new(by: Player, word: String, us: u64) -> Move {
        Move { by, word, us, before: None, after: None, claim: None, score: None, slip: None }
    }

    /// Reports whether the values before and after it are known.
    pub fn is_proved(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }

    /// Enters the values before and after the move, `[had, has]` to its mover, and what it cost. Returns a dispute if
    /// the values contradict each other; `by` says where the value before comes from.
    pub fn judge(
        &mut self,
        unit: Unit,
        [had, has]: [Value; 2],
        by: &str,
        position: &str,
        record: impl FnOnce(Slip, &str) -> SlipRecord,
    ) -> Option<Dispute> {
        let (before, after) = (Recorded::new(had, unit), Recorded::new(has, unit));
        let dispute = match exact::slip(unit, had, has) {
            Ok(slip) => {
                self.slip = slip.map(|slip| record(slip, &self.word));
                None
            }
            Err(exact::Contradiction) => Some(Dispute {
                who: by.to_owned(),
                about: format!("value before {}", self.word),
                said: before.text.clone(),
                truth: after.text.clone(),
                position: position.to_owned(),
            }),
        };
        (self.before, self.after) = (Some(before), Some(after));
        dispute
    }

    /// Returns what the move cost if it lost value, not only distance.
    pub fn value_slip(&self) -> Option<&SlipRecord> {
        self.slip.as_ref().filter(|slip| slip.slip.loses_value())
    }
}

/// A value or a claim, with its text in the record: the text depends on the unit of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded<T> {
    /// The value.
    pub value: T,
    /// Its text.
    pub text: String,
}

impl<T: Text> Recorded<T> {
    /// Returns `value` with its text in a game whose values count `unit`.
    pub fn new(value: T, unit: Unit) -> Recorded<T> {
        Recorded { value, text: value.words(unit) }
    }
}

impl<T> Serialize for Recorded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T: Text> Deserialize<'de> for Recorded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Recorded<T>, D::Error> {
        let text = String::deserialize(deserializer)?;
        match T::read(&text) {
            Some(value) => Ok(Recorded { value, text }),
            None => Err(D::Error::custom(format!("{text:?} is no value"))),
        }
    }
}

/// A move that was not the best.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SlipRecord {
    /// Its cost.
    #[serde(flatten, with = "SlipLine")]
    pub slip: Slip,
    /// The position before it.
    #[serde(with = "command")]
    pub position: String,
    /// Moves that would have kept the value.
    pub keeping: Vec<String>,
    /// Moves that were best.
    pub best: Vec<String>,
    /// Set if there may be other such moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

impl SlipRecord {
    /// Returns a slip in a position, in which these moves would have kept the value.
    pub fn of(slip: Slip, position: &str, preserving: Preserving) -> SlipRecord {
        let Preserving { keeping, best, more } = preserving;
        SlipRecord { slip, position: position.to_owned(), keeping, best, more }
    }

    /// Returns the value-preserving moves, split by blanks, then `..` if there may be others.
    pub fn kept_by(&self) -> String {
        Picked { words: self.keeping.clone(), complete: !self.more }.to_string()
    }
}

/// A slip in a record.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Slip", rename_all = "kebab-case", tag = "slip")]
enum SlipLine {
    WinToDraw,
    WinToLoss,
    DrawToLoss,
    Points {
        lost: u32,
        #[serde(default = "whole", skip_serializing_if = "is_whole")]
        of: u32,
    },
    Slower {
        plies: u32,
    },
    Shorter {
        plies: u32,
    },
}

fn whole() -> u32 {
    1
}

fn is_whole(of: &u32) -> bool {
    *of == 1
}

/// An engine that ended badly.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// Its name.
    pub name: String,
    /// Its misbehaviour.
    pub fault: Fault,
    /// The same as words.
    pub words: String,
}

impl Game {
    /// Sets up the position behind the opening in `rules`.
    ///
    /// # Errors
    /// The start or a move is refused; one line.
    pub fn set_up(&self, rules: &mut Session) -> Result<(), String> {
        setup::set_up(rules, self.start.as_deref(), &self.opening)
    }

    /// Returns its severity.
    pub fn severity(&self) -> Severity {
        let mut worst = match &self.ending {
            Ending::Fault { fault, .. } => fault.severity(),
            Ending::Interrupted => Severity::Interrupted,
            Ending::Rules | Ending::Repetition | Ending::MaxPlies | Ending::Adjudication => Severity::Clean,
        };
        if !self.disputes.is_empty() {
            worst = worst.max(Severity::Disputed);
        }
        if self.moves.iter().any(|m| m.value_slip().is_some()) {
            worst = worst.max(Severity::Slipped);
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_bytes() {
        for text in [
            r#"{"line":"header","format":2,"version":"0.1.0","began":7,"settings":{"game":["nim:3,4,5"],"engine":["name=a x","name=b y"],"games":2,"movetime":50,"seed":3},"names":["a","b"],"games":2}"#,
            r#"{"line":"game","id":2,"game":"nim:3,4,5","pair":1,"engines":[1,0],"players":["b","a"],"start":"3,4,5 1","opening":["1:1"],"result":"0-1","ending":{"end":"rules"},"reason":"Player 2 wins","began":7,"took_ms":53,"moves":[{"by":1,"word":"2:1","us":141,"before":"win","after":"loss","claim":"win within 3 plies","fault":{"slip":"win-to-loss","position":"position fen 3,4,5 1","keeping":["1:2"],"best":["1:2"],"more":true}},{"by":2,"word":"3:5","us":3874,"before":"-5/2","after":"+0","claim":"-2.05","score":-205,"fault":{"slip":"points","lost":1,"of":2,"position":"position fen 1 1","keeping":[],"best":[]}}],"disputes":[{"who":"b","about":"value","said":"win:1","truth":"loss","position":"position fen 3,4,5 1"}],"stderr":["x"]}"#,
            r#"{"line":"game","id":1,"game":"nim:1","pair":1,"engines":[0,1],"players":["a","b"],"result":"1-0","ending":{"end":"fault","side":2,"fault":"on-time","detail":5},"reason":"Player 2 loses on time, 0.005 ms over","began":7,"took_ms":5,"moves":[]}"#,
            r#"{"line":"farewell","name":"b","fault":{"fault":"disconnects","detail":"at quit, exit status 3"},"words":"disconnects: at quit, exit status 3"}"#,
            r#"{"line":"proof","id":1,"moves":[{"before":"draw","after":"loss:4","fault":{"slip":"slower","plies":2,"position":"position fen 1 1","keeping":["a"],"best":[]}},{}]}"#,
        ] {
            let line: Line = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&line).unwrap(), text);
        }
    }
}
