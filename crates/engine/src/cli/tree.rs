//! `grundy tree`: the game tree to some depth with the value of every position, the best moves marked.

use std::collections::HashMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use grundy_core::dot::quoted;
use grundy_core::game::Player;
use grundy_core::value::{Step, Value};
use grundy_core::words;
use grundy_session::{Catalog, Known, NEVER, Session, Settings};

use super::given::Given;
use super::methods::MEMORY_MB;
use super::output::stdout;
use super::shared::{Means, refuse_unvalued};
use super::textbook::{Budget, Cuts, Descent, descend};
use crate::protocol::value_word;

#[derive(Args)]
pub struct TreeArgs {
    #[command(flatten)]
    given: Given,
    /// Plies to show
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=1000))]
    depth: u32,
    /// Write Graphviz instead of text
    #[arg(long)]
    dot: bool,
    /// With --dot: draw a position that several lines of play reach once
    #[arg(long, requires = "dot")]
    fold: bool,
    /// Show only the first of moves that are symmetric to each other, with their number: a1 x4
    #[arg(long)]
    classes: bool,
    /// Values for this player instead of the one to move
    #[arg(long, value_name = "1|2", value_parser = ["1", "2"])]
    player: Option<String>,
    /// Stop computing values that no method of the game knows after this time
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = words::time)]
    seconds: f64,
    #[command(flatten)]
    means: Means,
}

/// Maximum number of positions shown.
const MOST: usize = 200_000;

/// The move that leads to a position.
struct Led {
    word: String,
    /// Number of moves to symmetric positions, this one included.
    alike: usize,
    /// True if it is a best move.
    best: bool,
}

impl Led {
    /// Returns the move, with its number if symmetric moves are counted together.
    fn words(&self) -> String {
        let Led { word, alike, .. } = self;
        if *alike > 1 { format!("{word} x{alike}") } else { word.clone() }
    }
}

/// A position of the tree.
struct Node {
    /// The move to it; `None` at the root.
    led: Option<Led>,
    position: String,
    turn: Player,
    value: Option<Value>,
    children: Vec<Node>,
}

pub fn run(catalog: &Catalog, args: &TreeArgs, settings: &Settings) -> Result<ExitCode> {
    let session = args.given.open(catalog, &args.means.over(settings))?;
    let budget = Budget::new(Some(args.seconds), MEMORY_MB << 20);
    let mut grow = Grow { session, budget, shown: 0, classes: args.classes };
    let root = grow.node(None, args.depth)?;
    refuse_unvalued(&grow.session)?;
    let mut out = io::BufWriter::new(stdout());
    let unit = grow.session.unit();
    let player = args.player.as_deref().and_then(Player::read);
    let word = |node: &Node| {
        let other = player.is_some_and(|player| player != node.turn);
        value_word(node.value.map(|value| if other { -value } else { value }), unit)
    };
    if args.dot {
        writeln!(out, "digraph {} {{", quoted(grow.session.name()))?;
        writeln!(out, "    node [shape=box];")?;
        match args.fold {
            true => folded(&mut out, &root, &word)?,
            false => dot(&mut out, &root, &mut 0, &word)?,
        }
        writeln!(out, "}}")?;
    } else {
        text(&mut out, &root, 0, &word)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

struct Grow {
    session: Session,
    budget: Budget<'static>,
    shown: usize,
    /// True if only the first of symmetric moves is shown.
    classes: bool,
}

impl Grow {
    /// Returns the tree below the session's position.
    fn node(&mut self, led: Option<String>, depth: u32) -> Result<Node> {
        self.shown += 1;
        if self.shown > MOST {
            bail!("the tree has more than {MOST} positions: expected a smaller --depth");
        }
        let position = self.session.position();
        let value = self.value();
        let mut children = Vec::new();
        let words = if depth == 0 { Vec::new() } else { self.session.legal_moves(MOST) };
        let mut worth: Vec<Option<Value>> = Vec::new();
        let mut seen: HashMap<String, usize> = HashMap::new();
        for word in words {
            let step = self.session.play(&word)?.step;
            if self.classes
                && let Some(&before) = seen.get(&self.class(step))
                && let Some(Node { led: Some(led), .. }) = children.get_mut(before)
            {
                led.alike += 1;
                self.session.undo();
                continue;
            }
            if self.classes {
                seen.insert(self.class(step), children.len());
            }
            let child = self.node(Some(word), depth - 1);
            self.session.undo();
            let child = child?;
            worth.push(child.value.map(|value| value.back(step)));
            children.push(child);
        }
        // Where one move's value is not known, nobody can say which is best, unless it has the position's own value.
        let best = value.or_else(|| worth.iter().copied().collect::<Option<Vec<Value>>>()?.into_iter().max());
        for (child, worth) in children.iter_mut().zip(worth) {
            if let (Some(led), Some(_)) = (&mut child.led, best) {
                led.best = worth.zip(best).is_some_and(|(worth, best)| as_good(worth, best));
            }
        }
        let led = led.map(|word| Led { word, alike: 1, best: false });
        Ok(Node { led, position, turn: self.session.turn(), value: best, children })
    }

    /// Returns a key of the symmetry class of the session's position and of the step that led to it.
    fn class(&self, step: Step) -> String {
        format!("{} {} {}", self.session.canonical(), step.turn_passed, step.gain)
    }

    /// Returns the value of the session's position, by the game's own method, a known result, or recursion with memory; `None`
    /// once the time is up.
    fn value(&mut self) -> Option<Value> {
        let known = |session: &Session| session.known_result().and_then(Known::value);
        let left = self.budget.end?.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        if let Some(value) = self.session.value().or_else(|| known(&self.session)) {
            return Some(value);
        }
        if self.session.searches() {
            let work = self.session.work(&NEVER);
            return self.session.analyze(1, left, &work).value;
        }
        let how = Descent { cuts: Cuts::None, memory: true, ordered: false, outcome: false, depth: None };
        let mut board = self.session.board().ok()?;
        let found = descend(board.as_mut(), how, self.budget).ok()?;
        Some(found.value)
    }
}

/// Reports whether a move keeps the value of the position. Wins of unknown distance are equally good.
fn as_good(worth: Value, best: Value) -> bool {
    worth == best || best.is_unmeasured() && worth.wdl() == best.wdl()
}

/// Writes one line for each position, indented by two blanks for each ply; `*` marks best moves.
fn text(out: &mut impl Write, node: &Node, ply: usize, word: &dyn Fn(&Node) -> String) -> io::Result<()> {
    let indent = "  ".repeat(ply);
    match &node.led {
        None => writeln!(out, "{}\t{}", node.position, word(node))?,
        Some(led) => {
            let mark = if led.best { "*" } else { " " };
            writeln!(out, "{indent}{mark}{}  {}\t{}", led.words(), node.position, word(node))?;
        }
    }
    node.children.iter().try_for_each(|child| text(out, child, ply + 1, word))
}

/// Writes the positions of the tree in Graphviz's language, each once: the moves are those from where it stands nearest to
/// the root, so that none is left out that the tree has.
fn folded(out: &mut impl Write, root: &Node, word: &dyn Fn(&Node) -> String) -> io::Result<()> {
    let mut numbers: HashMap<&str, usize> = HashMap::from([(root.position.as_str(), 0)]);
    let mut nodes = vec![root];
    let mut now = 0;
    while let Some(&node) = nodes.get(now) {
        let label = format!("{}\n{}", node.position, word(node));
        writeln!(out, "    n{now} [label={}];", quoted(&label))?;
        for child in &node.children {
            let to = *numbers.entry(&child.position).or_insert_with(|| {
                nodes.push(child);
                nodes.len() - 1
            });
            if let Some(led) = &child.led {
                edge(out, (now, to), led)?;
            }
        }
        now += 1;
    }
    Ok(())
}

/// Writes a move in Graphviz's language; a best one is bold.
fn edge(out: &mut impl Write, (from, to): (usize, usize), led: &Led) -> io::Result<()> {
    let style = if led.best { " style=bold color=red" } else { "" };
    writeln!(out, "    n{from} -> n{to} [label={}{style}];", quoted(&led.words()))
}

/// Writes the nodes and edges of the tree in Graphviz's language; best moves are bold.
fn dot(
    out: &mut impl Write,
    node: &Node,
    next: &mut usize,
    word: &dyn Fn(&Node) -> String,
) -> io::Result<()> {
    let number = *next;
    *next += 1;
    let label = format!("{}\n{}", node.position, word(node));
    writeln!(out, "    n{number} [label={}];", quoted(&label))?;
    for child in &node.children {
        let to = *next;
        dot(out, child, next, word)?;
        if let Some(led) = &child.led {
            edge(out, (number, to), led)?;
        }
    }
    Ok(())
}
