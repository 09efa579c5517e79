//! The row of games from rules files.

use std::path::Path;

use grundy_core::files;
use grundy_search::play::{Proofs, play};
use grundy_session::{Description, Parameter, Row, Spec, closest};
use grundy_sums::component::{self, SummandRow};
use grundy_sums::impartial::ByMex;
use grundy_tables::TableOracle;
use grundy_tables::discovered::{Discovered, Numbered};

use crate::description::described;
use crate::expand::meaning;
use crate::game::Rules;
use crate::geometry::board_plan;
use crate::limits;
use crate::parse::parse;
use crate::source::Fault;
use crate::witness::Witness;
use grundy_rules_library as library;

/// The games of this family.
pub static ROWS: [Row; 1] = [Row::new(NAME, "rules:tictactoe", |spec| {
    let game = open(spec, Rules::new)?;
    let numbered = game.is_numbered().then(|| TableOracle::numbered(&game));
    let board = play(spec, game).search::<Proofs<_>>().worth(ByMex::default());
    let board = match numbered {
        Some(oracle) => board.oracle(oracle),
        None => board.oracle(Discovered::new()),
    };
    Ok(board.session())
})
.parameters("NAME file=F")
.about("a game of a rules file in the Regular Boardgames language")
.title("Rules")
.described(describe)
.details(&[
    Parameter::new("NAME", "a game of the folder rules", "tictactoe"),
    Parameter::new("file=F", "a rules file of your own; grundy check-rules NAME --source prints one", "none"),
])
.planned(|spec| board_plan(&parse(&text(spec).ok()?.1).ok()?))
.other_names(library::FULL_NAMES)
.method("table of the positions that can be reached, by layers or retrograde analysis, else search")
.repeats()];

/// Games that a sum takes as components.
pub static SUMMANDS: [SummandRow; 1] = [SummandRow {
    name: NAME,
    default: "rules:nim",
    parameters: "NAME file=F",
    open: |spec| {
        let game = open(spec, Rules::new)?;
        game.stands_in_sums()?;
        component::impartial(game)
    },
}];

/// The same games by the second interpreter, which knows moves and ends only.
pub static WITNESSES: [Row; 1] = [Row::new(NAME, "rules:tictactoe", |spec| {
    let game = open(spec, Witness::new)?;
    Ok(play(spec, game).session())
})
.parameters("NAME file=F")
.about("a game of a rules file, by the second interpreter")
.repeats()];

/// Describes the game of a rules file in the words of its author.
fn describe(spec: &mut Spec<'_>, usual: Description) -> Description {
    let file = text(spec).ok().and_then(|(name, text)| Some((parse(&text).ok()?, name, text)));
    file.map_or(usual.clone(), |(program, name, text)| described(&program, name, &text, usual))
}

/// The first word of the games' names.
const NAME: &str = "rules";

/// Returns the game of a name, made from its file's text.
fn open<G>(spec: &mut Spec<'_>, make: fn(&str) -> Result<G, Fault>) -> Result<G, String> {
    let (name, text) = text(spec)?;
    let told = |fault: Fault| format!("{name}:{}", fault.line(&text));
    spec.means(&meaning(&text).map_err(told)?);
    spec.tables_mean(&parse(&text).map_err(told)?.directives.meaning());
    make(&text).map_err(told)
}

/// Returns the file that a game's name refers to, and its text.
fn text<'a>(spec: &mut Spec<'a>) -> Result<(&'a str, String), String> {
    match (spec.key("file"), spec.word()) {
        (Some(path), None) => Ok((path, read(path)?)),
        (None, Some(name)) => {
            let text = library::game(name).ok_or_else(|| {
                let shown = grundy_core::words::short(name);
                match closest(name, library::names()) {
                    Some(close) => format!("unknown rules {shown:?}: did you mean rules:{close}?"),
                    None => format!(
                        "unknown rules {shown:?}: expected file=F or one of the {} that grundy games rules lists",
                        library::names().len()
                    ),
                }
            })?;
            Ok((name, text.to_owned()))
        }
        _ => {
            Err("expected rules:file=F or rules:NAME, one of those that grundy games rules lists".to_owned())
        }
    }
}

/// Returns the text of a rules file.
///
/// # Errors
/// One line that says why it cannot be read.
pub fn read(path: &str) -> Result<String, String> {
    files::read_text(Path::new(path), limits::TEXT).map_err(|error| format!("cannot read {path:?}: {error}"))
}
