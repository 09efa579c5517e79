//! The engine's options: one list from which the handshake, the checks and the settings are derived.

use std::path::PathBuf;
use std::time::Duration;

use super::config::Guest;
use crate::protocol::Dialect;
use grundy_session::{Catalog, Distance, Evaluation, Method, Settings, WeightsChoice};

/// The settings changed by options.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The settings of the session.
    pub settings: Settings,
    /// Percentage of moves played at random.
    pub weaken: u32,
    /// Reserve of every clock and move time for the delay of the answer.
    pub overhead: Duration,
    /// True if `move M` is answered with a move.
    pub reply: bool,
    /// True if `bestmove` includes the expected reply, for a UCI client that lets the engine ponder on it.
    pub ponder: bool,
    /// Time that a query about values may search.
    pub query: Duration,
}

impl Options {
    /// The default of `Move Overhead`.
    pub const OVERHEAD: Duration = Duration::from_millis(10);
    /// The default of `Query Time`.
    const QUERY: Duration = Duration::from_secs(2);

    /// Returns options with these settings and defaults for the rest.
    pub fn new(settings: Settings, weaken: u32) -> Options {
        Options {
            settings,
            weaken,
            overhead: Options::OVERHEAD,
            reply: false,
            ponder: false,
            query: Options::QUERY,
        }
    }
}

/// The name of the option that `reply on` sets.
pub(super) const REPLY: &str = "Reply";

/// The type of an option and its effect.
enum Kind {
    /// A whole number in a range.
    Spin(i64, i64, fn(&mut Options, i64)),
    /// `true` or `false`.
    Check(fn(&mut Options, bool)),
    /// One of some words.
    Combo(&'static [&'static str], fn(&mut Options, &str)),
    /// Any text; `None` is the default.
    Text(fn(&mut Options, Option<&str>)),
    /// `true` or `false`: whether the game's name has this section, if the game allows it.
    Section(&'static str),
}

/// One option of the handshake.
struct Choice {
    name: &'static str,
    default: &'static str,
    kind: Kind,
}

/// Converts a number known to be in range.
fn count(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

const CHOICES: &[Choice] = &[
    Choice { name: "Threads", default: "1", kind: Kind::Spin(1, 256, |o, n| o.settings.threads = count(n)) },
    Choice { name: "Hash", default: "64", kind: Kind::Spin(1, 65_536, |o, n| o.settings.hash_mb = count(n)) },
    Choice {
        name: "Tables",
        default: "default",
        kind: Kind::Text(|o, folder| o.settings.tables = folder.map(PathBuf::from)),
    },
    Choice {
        name: "Weights",
        default: "default",
        kind: Kind::Text(|o, word| {
            o.settings.weights = word.map_or(WeightsChoice::Found, WeightsChoice::parse);
        }),
    },
    Choice { name: "OwnBook", default: "true", kind: Kind::Check(|o, on| o.settings.own_book = on) },
    Choice { name: "MultiPV", default: "1", kind: Kind::Spin(1, 256, |o, n| o.settings.multi_pv = count(n)) },
    Choice { name: "Ponder", default: "false", kind: Kind::Check(|o, on| o.ponder = on) },
    Choice {
        name: "Distance",
        default: "exact",
        kind: Kind::Combo(&["exact", "first"], |o, word| {
            o.settings.distance = if word == "first" { Distance::First } else { Distance::Exact };
        }),
    },
    Choice {
        name: "Method",
        default: "own",
        kind: Kind::Combo(&["own", "mcts"], |o, word| {
            o.settings.method = if word == "mcts" { Method::MonteCarlo } else { Method::Own };
        }),
    },
    Choice {
        name: "Evaluation",
        default: "own",
        kind: Kind::Combo(&["own", "lines"], |o, word| {
            o.settings.evaluation = if word == "lines" { Evaluation::Lines } else { Evaluation::Own };
        }),
    },
    Choice { name: "UCI_Chess960", default: "false", kind: Kind::Section("960") },
    Choice { name: "Rule50", default: "false", kind: Kind::Section("rule50") },
    Choice {
        name: "Move Overhead",
        default: "10",
        kind: Kind::Spin(0, 60_000, |o, n| o.overhead = Duration::from_millis(count(n) as u64)),
    },
    Choice {
        name: "Query Time",
        default: "2000",
        kind: Kind::Spin(0, 3_600_000, |o, n| o.query = Duration::from_millis(count(n) as u64)),
    },
    Choice { name: REPLY, default: "false", kind: Kind::Check(|o, on| o.reply = on) },
    // The largest number of 32 bits with a sign: some clients read no larger one.
    Choice {
        name: "Seed",
        default: "0",
        kind: Kind::Spin(0, i32::MAX as i64, |o, n| {
            o.settings.seed = u64::try_from(n).ok().filter(|&seed| seed > 0)
        }),
    },
    Choice { name: "Weaken", default: "0", kind: Kind::Spin(0, 100, |o, n| o.weaken = count(n) as u32) },
];

/// The action that setting an option requires.
pub(super) enum Change {
    /// Change to another game, by its name in the catalog.
    Game(String),
    /// Change to a UCI variant, by its name there.
    Variant(String),
    /// Apply the changed settings to the session.
    Settings,
    /// The same, and reseed the random choice of moves.
    Seed,
    /// Nothing: the session is not affected.
    Loop,
    /// Switch this section of games' names on or off.
    Section(&'static str, bool),
    /// None: there is no such option.
    Unknown,
}

/// Returns the names accepted by `UCI_Variant`: that of UCI's own game first, then those of other programs, then every
/// game.
fn variants(catalog: &Catalog) -> Vec<&'static str> {
    let mut names = Vec::new();
    let standard = catalog.standard().into_iter().flat_map(|row| [row.name, "standard"]);
    let others = catalog.rows().flat_map(|row| row.variants).map(|variant| variant.name);
    for name in standard.chain(others).chain(catalog.rows().map(|row| row.name)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the `option` lines of the handshake, without options that a guest may not set.
pub(super) fn lines(catalog: &Catalog, dialect: Dialect, game: &str, guest: Option<&Guest>) -> Vec<String> {
    let mut lines = match dialect {
        Dialect::Ugi => vec![format!("option name Game type string default {game}")],
        Dialect::Uci => {
            let names = variants(catalog);
            let default = names.first().copied().unwrap_or("");
            let vars: Vec<String> = names.iter().map(|name| format!("var {name}")).collect();
            vec![
                format!("option name Game type string default {game}"),
                format!("option name UCI_Variant type combo default {default} {}", vars.join(" ")),
            ]
        }
    };
    let offered = |name: &str| guest.is_none_or(|guest| guest.may_set(name));
    for Choice { name, default, kind } in CHOICES.iter().filter(|choice| offered(choice.name)) {
        lines.push(match kind {
            Kind::Spin(min, max, _) => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Check(_) | Kind::Section(_) => format!("option name {name} type check default {default}"),
            Kind::Text(_) => format!("option name {name} type string default {default}"),
            Kind::Combo(words, _) => {
                format!("option name {name} type combo default {default} var {}", words.join(" var "))
            }
        });
    }
    lines
}

/// Sets one option. Names and values are compared case-insensitively, as UCI demands, except paths and the sections of
/// a game's name. An empty game name changes nothing.
///
/// # Errors
/// The value does not fit the option; the line says what was expected.
pub(super) fn set(
    options: &mut Options,
    catalog: &Catalog,
    name: &str,
    value: &str,
) -> Result<Change, String> {
    let value = if value.eq_ignore_ascii_case("<empty>") { "" } else { value };
    if name.eq_ignore_ascii_case("Game") {
        return Ok(if value.is_empty() { Change::Loop } else { Change::Game(catalog.cased(value)) });
    }
    if name.eq_ignore_ascii_case("UCI_Variant") {
        if value.is_empty() {
            return Ok(Change::Loop);
        }
        let known = variants(catalog).into_iter().find(|known| known.eq_ignore_ascii_case(value));
        return Ok(Change::Variant(known.map_or_else(|| catalog.cased(value), str::to_owned)));
    }
    let Some(choice) = CHOICES.iter().find(|choice| choice.name.eq_ignore_ascii_case(name)) else {
        return Ok(Change::Unknown);
    };
    let expected = |what: String| format!("option {}: bad value {value:?}, expected {what}", choice.name);
    let one_of = |words: &[&'static str]| words.iter().copied().find(|word| word.eq_ignore_ascii_case(value));
    let flag = || match one_of(&["true", "false"]) {
        Some(word) => Ok(word == "true"),
        None => Err(expected("true or false".to_owned())),
    };
    match &choice.kind {
        Kind::Spin(min, max, set) => {
            let number = value.parse().ok().filter(|n| (*min..=*max).contains(n));
            set(options, number.ok_or_else(|| expected(format!("{min} to {max}")))?);
        }
        Kind::Check(set) => set(options, flag()?),
        Kind::Combo(words, set) => {
            set(options, one_of(words).ok_or_else(|| expected(words.join(" or ")))?);
        }
        Kind::Text(_) if value.is_empty() => return Err(expected("a text".to_owned())),
        Kind::Text(set) => {
            set(options, Some(value).filter(|value| !value.eq_ignore_ascii_case(choice.default)));
        }
        Kind::Section(section) => return Ok(Change::Section(section, flag()?)),
    }
    Ok(match choice.name {
        "Seed" => Change::Seed,
        "Move Overhead" | "Query Time" | REPLY | "Ponder" | "Weaken" => Change::Loop,
        _ => Change::Settings,
    })
}
