//! `grundy graph GAME`: the whole graph of a small game, round by round of retrograde analysis.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, value_parser};
use grundy_draw::graph::Graph;
use grundy_draw::graph_page::page;
use grundy_draw::graph_svg::{dot, svg};
use grundy_engine::output::stdout;
use grundy_engine::{Extra, Given, Meter, Usage};
use grundy_session::{Catalog, Settings};

/// The subcommand.
pub const GRAPH: Extra = Extra { under: None, command, run };

fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
    };
    Given::augment_args(Command::new("graph"))
        .about("The whole graph of a small game: every position with its value and the round that finds it")
        .after_help(
            "Examples:\n  grundy graph nim:2,1\n  grundy graph graph:file=game.dot --html -o game.html\n  \
             grundy graph matches:6 --svg --round 3 -o round3.svg",
        )
        .arg(flag("dot", "In Graphviz's language"))
        .arg(flag("svg", "As a picture"))
        .arg(flag("html", "As one page with a slider over the rounds; the arrow keys step"))
        .group(ArgGroup::new("form").args(["dot", "svg", "html"]))
        .arg(Arg::new("round").long("round").value_name("N").value_parser(value_parser!(u32)).help(
            "Show what retrograde analysis knows after this round; round 0 finds the finished positions",
        ))
        .arg(
            Arg::new("limit")
                .long("limit")
                .value_name("N")
                .value_parser(value_parser!(u32).range(1..=100_000))
                .default_value("1000")
                .help("Refuse a game of more positions; symmetric ones are counted apart"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Write to this file [default: stdout]"),
        )
}

fn run(catalog: &Catalog, arguments: &ArgMatches) -> anyhow::Result<ExitCode> {
    let mut session = Given::from_arg_matches(arguments)?.open(catalog, &Settings::default())?;
    let limit = arguments.get_one::<u32>("limit").map_or(1000, |&limit| limit as usize);
    let meter = Meter::new(false);
    let graph = Graph::explore(&mut session, limit, &|progress| meter.show(progress))
        .with_context(|| session.name().to_owned())?;
    meter.finish();
    let round = arguments.get_one::<u32>("round").copied();
    if let Some(round) = round.filter(|&round| round > graph.rounds) {
        let why =
            format!("--round {round}: expected at most {}, the first round that finds nothing", graph.rounds);
        return Err(Usage(why).into());
    }
    let out = match () {
        () if arguments.get_flag("dot") => dot(&graph, round),
        () if arguments.get_flag("svg") => svg(&graph, round),
        () if arguments.get_flag("html") => page(&graph, round),
        () => table(&graph, round),
    };
    match arguments.get_one::<PathBuf>("output") {
        None => stdout().write_all(out.as_bytes())?,
        Some(path) => fs::write(path, out).with_context(|| path.display().to_string())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the positions, one a line: round, value, position, moves with `*` behind the best; then what each round finds.
fn table(graph: &Graph, round: Option<u32>) -> String {
    let mut lines = String::new();
    for node in &graph.nodes {
        let shown = node.is_shown(round);
        let number = node.round.filter(|_| shown).map_or("-".to_owned(), |round| round.to_string());
        let value = if shown { node.value_word(graph.unit) } else { "?".to_owned() };
        let words = node.edges.iter().map(|edge| {
            let best = shown && graph.is_best(node, edge);
            format!("{}{}", edge.word, if best { "*" } else { "" })
        });
        let moves: Vec<String> = words.collect();
        lines += &format!("{number}\t{value}\t{}\t{}\n", node.position, moves.join(" "));
    }
    let last = round.unwrap_or(graph.rounds).min(graph.rounds);
    for round in 0..=last {
        let (name, [won, drawn, lost]) = if round == graph.rounds {
            ("no round finds".to_owned(), graph.count(None))
        } else {
            (format!("round {round} finds"), graph.count(Some(round)))
        };
        if won + drawn + lost > 0 {
            lines += &format!("# {name} {won} won, {drawn} drawn, {lost} lost\n");
        }
    }
    lines
}
