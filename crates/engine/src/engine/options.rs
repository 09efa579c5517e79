//! The engine's options: one list from which the handshake, the checks and the settings are derived.

use std::path::PathBuf;
use std::time::Duration;

use super::config::Guest;
use crate::protocol::Dialect;
use grundy_session::{Catalog, Distance, Evaluation, Method, Settings};

/// What options set.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// What the session does.
    pub settings: Settings,
    /// Percent of moves that are played at random.
    pub weaken: u32,
    /// Kept back from every clock and every time for a move, for the way of the answer.
    pub overhead: Duration,
    /// Whether `move M` is answered with a move.
    pub reply: bool,
    /// Whether a UCI client wants to know which move is expected in return, to let the engine think on it.
    pub ponder: bool,
}

impl Options {
    /// The usual `Move Overhead`.
    pub const OVERHEAD: Duration = Duration::from_millis(10);

    /// These settings, and the defaults for the rest.
    pub fn new(settings: Settings, weaken: u32) -> Options {
        Options { settings, weaken, overhead: Options::OVERHEAD, reply: false, ponder: false }
    }
}

/// The name of the option that `reply on` sets.
pub(super) const REPLY: &str = "Reply";

/// What an option may be set to, and what it then does.
enum Kind {
    /// A whole number in a range.
    Spin(i64, i64, fn(&mut Options, i64)),
    /// `true` or `false`.
    Check(fn(&mut Options, bool)),
    /// One of some words.
    Combo(&'static [&'static str], fn(&mut Options, &str)),
    /// Any text; `None` is the default.
    Text(fn(&mut Options, Option<&str>)),
    /// `true` or `false`: whether the game's name has this section, where the game takes it.
    Section(&'static str),
}

/// One option of the handshake.
struct Choice {
    name: &'static str,
    default: &'static str,
    kind: Kind,
}

/// A number that was found to be in range.
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
    Choice { name: "Rule50", default: "false", kind: Kind::Section("rule50") },
    Choice {
        name: "Move Overhead",
        default: "10",
        kind: Kind::Spin(0, 60_000, |o, n| o.overhead = Duration::from_millis(count(n) as u64)),
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

/// What setting an option asks of the engine.
pub(super) enum Change {
    /// Another game, by its name in the catalog.
    Game(String),
    /// A UCI variant, by its name there.
    Variant(String),
    /// The settings have changed already, and the session is to take them over.
    Settings,
    /// So have they, and with them how moves are chosen by lot.
    Seed,
    /// Nothing has changed that the session knows of.
    Loop,
    /// Games that take this section are to have it, or not to.
    Section(&'static str, bool),
    /// The engine has no such option; it is ignored.
    Unknown,
}

/// The names that `UCI_Variant` takes: that of UCI's own game first, then what others call ours, then every game.
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

/// The `option` lines of the handshake, without the options that a guest may not set.
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

/// Takes over one option. Names and values are compared without regard to capitals, as UCI asks; paths and what stands
/// behind the first word of a game's name keep theirs. A game without a value changes nothing.
///
/// # Errors
/// The value does not fit the option; the line says what does.
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
        "Move Overhead" | REPLY | "Ponder" | "Weaken" => Change::Loop,
        _ => Change::Settings,
    })
}
