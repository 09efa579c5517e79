//! What the lines of a record say: the header, a game that ended, an engine that left badly.

use std::collections::BTreeMap;

use grundy_session::Picked;
use serde::{Deserialize, Serialize};

use crate::settings::MatchSettings;
use crate::truth::Keepers;
use crate::verdict::{Dispute, Ending, Fault, Gravity, Outcome, Slip};

/// How lines are written today: each with a checksum over it and the lines before it.
pub const FORMAT: u32 = 2;

/// One line of a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "line")]
pub enum Line {
    /// The first line: what was to be played.
    Header(Header),
    /// A game that ended.
    Game(Game),
    /// An engine that did not leave as it should.
    Farewell(Departure),
    /// What was proved of a game after it had been recorded.
    Proof(Proof),
}

/// What was proved of a game after it had been recorded: it takes the place of what the game's line says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The game's number in the run.
    pub id: usize,
    /// The values of each of its moves, and what it cost.
    pub moves: Vec<ProvedMove>,
    /// Where judges disagreed, all of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disputes: Vec<Dispute>,
}

/// The values of a move, as in [`Move`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvedMove {
    /// The exact value of the position before it, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The exact value of the move for its mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Audit>,
}

impl Proof {
    /// What is known of a game by now.
    pub fn of(game: &Game) -> Proof {
        let known = |m: &Move| ProvedMove {
            before: m.before.clone(),
            after: m.after.clone(),
            fault: m.fault.clone(),
        };
        Proof { id: game.id, moves: game.moves.iter().map(known).collect(), disputes: game.disputes.clone() }
    }

    /// Adds it to the game that it is about; false where it is not about this one.
    pub fn apply(self, game: &mut Game) -> bool {
        if self.id != game.id || self.moves.len() != game.moves.len() {
            return false;
        }
        for (entry, proved) in game.moves.iter_mut().zip(self.moves) {
            (entry.before, entry.after, entry.fault) = (proved.before, proved.after, proved.fault);
        }
        game.disputes = self.disputes;
        true
    }
}

/// What was to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// How the lines are written: [`FORMAT`]; records without this field have no checksums.
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
    /// How many games the run has.
    pub games: usize,
    /// For each game that is read from files the digest of what they mean; older versions wrote none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub digests: BTreeMap<String, String>,
}

/// A game that ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Its number in the run, from 1.
    pub id: usize,
    /// The game by its full name.
    pub game: String,
    /// Games of one pair share the opening and swap the sides.
    pub pair: usize,
    /// The engines of player one and player two, by their place on the command line.
    pub engines: [usize; 2],
    /// Their names.
    pub players: [String; 2],
    /// The position it began from, where that is not the game's start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Moves that nobody chose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// The result.
    pub result: Outcome,
    /// How it ended.
    pub ending: Ending,
    /// The same in words.
    pub reason: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The moves, after those of the opening.
    pub moves: Vec<Move>,
    /// Where judges disagreed.
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
    /// The player who made it, 1 or 2.
    pub by: u8,
    /// The move.
    pub word: String,
    /// The time it took, in microseconds.
    pub us: u64,
    /// The exact value of the position before it, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The exact value of the move for its mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What the engine claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Audit>,
}

impl Move {
    /// Whether the values before and after it are known.
    pub fn is_proved(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }
}

/// A move that was not the best.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Audit {
    /// What it cost.
    #[serde(flatten, with = "SlipLine")]
    pub slip: Slip,
    /// The position before it, as a command to paste.
    pub position: String,
    /// Moves that would have kept the value.
    pub keeping: Vec<String>,
    /// Moves that were best.
    pub best: Vec<String>,
    /// Whether there may be other such moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

impl Audit {
    /// A slip in a position, in which these moves would have kept the value.
    pub fn of(slip: Slip, position: &str, keepers: Keepers) -> Audit {
        let Keepers { keeping, best, more } = keepers;
        Audit { slip, position: format!("position fen {position}"), keeping, best, more }
    }

    /// The moves that would have kept the value, split by blanks, then `..` where there may be others.
    pub fn kept_by(&self) -> String {
        Picked { words: self.keeping.clone(), complete: !self.more }.to_string()
    }
}

/// How a slip stands in a record.
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

/// An engine that did not leave as it should.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// Its name.
    pub name: String,
    /// What it did.
    pub fault: Fault,
    /// The same in words.
    pub words: String,
}

impl Game {
    /// How bad it was.
    pub fn gravity(&self) -> Gravity {
        let mut worst = match &self.ending {
            Ending::Fault { fault, .. } => fault.gravity(),
            Ending::Interrupted => Gravity::Interrupted,
            Ending::Rules | Ending::Repetition | Ending::MaxPlies => Gravity::Clean,
        };
        if !self.disputes.is_empty() {
            worst = worst.max(Gravity::Disputed);
        }
        if self.moves.iter().any(|m| m.fault.as_ref().is_some_and(|f| f.slip.loses_value())) {
            worst = worst.max(Gravity::Slipped);
        }
        worst
    }
}
