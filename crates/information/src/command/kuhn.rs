//! `grundy play kuhn`: Kuhn poker against the optimal mixed strategy.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use grundy_engine::Extra;

use super::table::{CardTable, TableArgs};
use crate::examples;
use crate::fraction::Fraction;
use crate::tree::{Node, Side, Tree, sequence};

/// The subcommand.
pub const EXTRA: Extra = Extra { under: Some("play"), command, run: |_, matches| run(matches) };

/// Kuhn poker against the optimal mixed strategy; you are player 1 in every other round
#[derive(Args)]
struct KuhnArgs {
    /// Number of cards
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(2..=examples::MOST_CARDS as u64))]
    cards: u64,
    #[command(flatten)]
    table: TableArgs,
}

fn command() -> Command {
    KuhnArgs::augment_args(Command::new("kuhn"))
}

fn run(matches: &ArgMatches) -> Result<ExitCode> {
    let args = KuhnArgs::from_arg_matches(matches)?;
    let refused = |reason: String| anyhow!(reason);
    let tree = examples::tree(&format!("kuhn:{}", args.cards)).map_err(refused)?;
    let optimum = sequence::solve(&tree).map_err(refused)?;
    let table = &mut CardTable::open(&args.table, &rules(args.cards))?;
    loop {
        let round = table.next_round();
        if args.table.rounds.is_some_and(|most| round > most) {
            break;
        }
        let person = if round % 2 == 1 { Side::One } else { Side::Two };
        writeln!(table.out, "round {round}: you are player {}", person.index() + 1)?;
        let Some((payoffs, deal)) = play(table, &tree, &optimum, person)? else { break };
        let expected = match person {
            Side::One => optimum.value.clone(),
            Side::Two => -&optimum.value,
        };
        writeln!(table.out, "the cards of player 1 and 2 were {deal}")?;
        table.score(&payoffs[person.index()], &expected)?;
    }
    table.close()?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the rules with this number of cards.
fn rules(cards: u64) -> String {
    format!(
        "\
Kuhn poker: both players put in one chip and get one of {cards} different cards.
You check or bet one more chip; after a bet the other folds and loses his chip,
or calls, and the higher card takes all. The engine plays its optimal strategy,
which mixes moves at random: nobody can expect more against it."
    )
}

/// Plays one round. Returns the payoffs and the cards; `None` if the person left.
fn play<R: std::io::Read, W: Write>(
    table: &mut CardTable<R, W>,
    tree: &Tree,
    optimum: &sequence::Optimum,
    person: Side,
) -> Result<Option<([Fraction; 2], String)>> {
    let (mut at, mut deal) = (0, String::new());
    loop {
        match &tree.nodes()[at] {
            Node::End(payoffs) => return Ok(Some((payoffs.clone(), deal))),
            Node::Chance(branches) => {
                let probabilities: Vec<Fraction> = branches.iter().map(|(_, p, _)| p.clone()).collect();
                let (name, _, child) = &branches[table.throw(&probabilities)];
                (at, deal) = (*child, name.clone());
            }
            Node::Turn(infoset, children) => {
                let set = &tree.infosets()[*infoset];
                let action = if set.side == person {
                    let card = set.name.split('/').next().unwrap_or_default();
                    writeln!(table.out, "you hold {card}")?;
                    let Some(action) = table.choose(&set.actions)? else { return Ok(None) };
                    action
                } else {
                    let action = table.throw(&optimum.plans.0[*infoset]);
                    writeln!(table.out, "the engine plays {}", set.actions[action])?;
                    action
                };
                at = children[action];
            }
        }
    }
}
