//! The engine's options: one list from which the handshake, the checks and the settings are derived.

use std::path::PathBuf;

use crate::catalog;
use crate::protocol::Dialect;
use crate::session::Settings;

/// What an option may be set to.
enum Kind {
    /// A whole number in a range.
    Spin(i64, i64),
    /// `true` or `false`.
    Check,
    /// One of some words.
    Combo(&'static [&'static str]),
    /// `true` or `false`: whether the game's name has this section, where the game takes it.
    Section(&'static str),
    /// Any word.
    Text,
}

/// One option.
struct Row {
    name: &'static str,
    kind: Kind,
    default: &'static str,
}

const ROWS: &[Row] = &[
    Row { name: "Threads", kind: Kind::Spin(1, 256), default: "1" },
    Row { name: "Hash", kind: Kind::Spin(1, 65_536), default: "64" },
    Row { name: "Tables", kind: Kind::Text, default: "default" },
    Row { name: "OwnBook", kind: Kind::Check, default: "false" },
    Row { name: "MultiPV", kind: Kind::Spin(1, 256), default: "1" },
    Row { name: "Ponder", kind: Kind::Check, default: "false" },
    Row { name: "Distance", kind: Kind::Combo(&["exact", "first"]), default: "exact" },
    Row { name: "Rule50", kind: Kind::Section("rule50"), default: "false" },
    Row { name: "Seed", kind: Kind::Spin(0, i64::MAX), default: "0" },
    Row { name: "Weaken", kind: Kind::Spin(0, 100), default: "0" },
];

/// What setting an option asks of the engine.
pub(super) enum Change {
    /// Another game, by its name in the catalog.
    Game(String),
    /// A UCI variant, by its name there.
    Variant(String),
    /// The settings have changed already.
    Settings,
    /// Games that take this section are to have it, or not to.
    Section(&'static str, bool),
    /// The engine has no such option; it is ignored.
    Unknown,
}

/// The names that `UCI_Variant` takes: chess first, then every game of the catalog and what others call ours.
fn variants() -> Vec<&'static str> {
    let mut names = vec!["chess", "standard", "tictactoe", "cfour"];
    for row in catalog::ROWS {
        if !names.contains(&row.name) {
            names.push(row.name);
        }
    }
    names
}

/// The `option` lines of the handshake.
pub(super) fn lines(dialect: Dialect, game: &str) -> Vec<String> {
    let mut lines = match dialect {
        Dialect::Ugi => vec![format!("option name Game type string default {game}")],
        Dialect::Uci => {
            let vars: Vec<String> = variants().iter().map(|name| format!("var {name}")).collect();
            vec![
                format!("option name Game type string default {game}"),
                format!("option name UCI_Variant type combo default chess {}", vars.join(" ")),
            ]
        }
    };
    for row in ROWS {
        let (name, default) = (row.name, row.default);
        lines.push(match &row.kind {
            Kind::Spin(min, max) => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Check | Kind::Section(_) => format!("option name {name} type check default {default}"),
            Kind::Text => format!("option name {name} type string default {default}"),
            Kind::Combo(words) => {
                format!("option name {name} type combo default {default} var {}", words.join(" var "))
            }
        });
    }
    lines
}

/// Takes over one option. Names are compared without regard to case, as UCI asks.
///
/// # Errors
/// The value does not fit the option; the line says what does.
pub(super) fn set(
    settings: &mut Settings,
    weaken: &mut u32,
    name: &str,
    value: &str,
) -> Result<Change, String> {
    if name.eq_ignore_ascii_case("Game") {
        return Ok(Change::Game(value.to_owned()));
    }
    if name.eq_ignore_ascii_case("UCI_Variant") {
        return Ok(Change::Variant(value.to_owned()));
    }
    let Some(row) = ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name)) else {
        return Ok(Change::Unknown);
    };
    let expected = |what: String| format!("option {}: bad value {value:?}, expected {what}", row.name);
    let mut number = 0;
    match &row.kind {
        Kind::Spin(min, max) => {
            number = value
                .parse()
                .ok()
                .filter(|n| (*min..=*max).contains(n))
                .ok_or_else(|| expected(format!("{min} to {max}")))?;
        }
        Kind::Check | Kind::Section(_) if !["true", "false"].contains(&value) => {
            return Err(expected("true or false".to_owned()));
        }
        Kind::Combo(words) if !words.contains(&value) => return Err(expected(words.join(" or "))),
        Kind::Section(section) => return Ok(Change::Section(section, value == "true")),
        Kind::Text if value.is_empty() => return Err(expected("a word".to_owned())),
        _ => {}
    }
    let count = usize::try_from(number).unwrap_or(usize::MAX);
    match row.name {
        "Threads" => settings.threads = count,
        "Hash" => settings.hash_mb = count,
        "MultiPV" => settings.multi_pv = count,
        "Tables" => settings.tables = (value != row.default).then(|| PathBuf::from(value)),
        "Seed" => settings.seed = u64::try_from(number).ok().filter(|&seed| seed > 0),
        "Weaken" => *weaken = u32::try_from(number).unwrap_or(0),
        _ => {
            settings.extra.retain(|(name, _)| name != row.name);
            settings.extra.push((row.name.to_owned(), value.to_owned()));
        }
    }
    Ok(Change::Settings)
}
