//! Solutions of games as facts: a name and its fields, shown as lines or as JSON.

use num_traits::Zero;
use serde_json::{Map, Value, json};

use crate::bimatrix::{Bimatrix, Equilibrium, correlated, dominance};
use crate::certificate::Claim;
use crate::fraction::{Fraction, decimal_word};
use crate::matrix::Matrix;
use crate::read::Names;
use crate::several::Several;
use crate::tree::{Plans, Side, Tree, normal, sequence};

/// The requested output.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnswerOptions {
    /// All extreme strategies or equilibria.
    pub all: bool,
    /// Dominance, best replies, security levels, the Pareto front, the best correlated equilibrium.
    pub analysis: bool,
    /// Payoffs as decimals if they are finite ones.
    pub decimals: bool,
}

/// The solution of one game.
#[derive(Default)]
pub struct Answer {
    /// Lines: name and fields.
    pub facts: Vec<Vec<String>>,
    /// The same as an object.
    pub json: Map<String, Value>,
    /// The claim of a certificate.
    pub claim: Option<Claim>,
    /// A line for people about equilibria that are not listed.
    pub hint: Option<String>,
}

impl Answer {
    fn fact(&mut self, name: &str, fields: Vec<String>) {
        self.facts.push(std::iter::once(name.to_string()).chain(fields).collect());
    }

    fn numbers(&mut self, name: &str, numbers: Vec<String>) {
        self.json.insert(name.to_string(), json!(numbers));
        self.fact(name, numbers);
    }

    /// Adds the names of the players and their strategies, if a file gives any.
    fn name(&mut self, names: Option<&Names>) {
        let Some(names) = names else { return };
        if names.has_strategies() {
            self.json.insert("strategies".to_string(), json!(names.strategies));
        } else if names.players.iter().all(String::is_empty) {
            return;
        } else {
            let players = (0..names.players.len()).map(|player| names.player(player));
            self.fact("players", players.collect());
        }
        self.json.insert("players".to_string(), json!(names.players));
    }

    /// Adds what a player plays in an equilibrium, by name, if a file names strategies.
    fn plays(
        &mut self,
        names: Option<&Names>,
        player: usize,
        strategies: impl IntoIterator<Item = (usize, String)>,
    ) {
        let Some(names) = names.filter(|names| names.has_strategies()) else { return };
        let mut fields = vec![(player + 1).to_string(), names.player(player)];
        for (strategy, p) in strategies {
            fields.extend([names.strategy(player, strategy), p]);
        }
        self.fact("player", fields);
    }
}

impl AnswerOptions {
    /// Returns a payoff as a word.
    fn payoff(self, payoff: &Fraction) -> String {
        if self.decimals { decimal_word(payoff) } else { payoff.to_string() }
    }

    fn payoffs(self, payoffs: &[Fraction]) -> Vec<String> {
        payoffs.iter().map(|payoff| self.payoff(payoff)).collect()
    }
}

fn words(numbers: &[Fraction]) -> Vec<String> {
    numbers.iter().map(ToString::to_string).collect()
}

fn place((i, j): (usize, usize)) -> String {
    format!("{},{}", i + 1, j + 1)
}

/// The refusal of a solution that fails its check; no such case is known.
const UNPROVED: &str = "the answer that was found does not prove itself: please report this game";

/// Solves a matrix game.
pub fn matrix(game: &Matrix, options: AnswerOptions) -> Result<Answer, String> {
    let mut answer = Answer::default();
    let optimum = game.solve();
    if !game.proves(&optimum) {
        return Err(UNPROVED.to_string());
    }
    let value = options.payoff(&optimum.value);
    answer.json.insert("value".to_string(), json!(value));
    answer.fact("value", vec![value]);
    if options.all {
        let (rows, columns) = game.extreme().map_err(|error| error.to_string())?;
        for (name, strategies) in [("row", rows), ("column", columns)] {
            let all: Vec<Vec<String>> = strategies.iter().map(|strategy| words(strategy)).collect();
            all.iter().for_each(|strategy| answer.fact(name, strategy.clone()));
            answer.json.insert(name.to_string(), json!(all));
        }
    } else {
        answer.numbers("row", words(&optimum.row));
        answer.numbers("column", words(&optimum.column));
    }
    let saddles: Vec<String> = game.saddles().into_iter().map(place).collect();
    answer.json.insert("saddle".to_string(), json!(saddles));
    answer.fact("saddle", if saddles.is_empty() { vec!["none".to_string()] } else { saddles });
    if options.analysis {
        let (rows, columns) = game.dominated();
        dominated(&mut answer, "row", &rows);
        dominated(&mut answer, "column", &columns);
    }
    answer.claim = Some(Claim::Matrix(game.clone(), optimum));
    Ok(answer)
}

fn dominated(answer: &mut Answer, what: &str, found: &[dominance::Dominated]) {
    let name = format!("dominated-{what}");
    let how = |strictly: bool| if strictly { "strictly" } else { "weakly" };
    let mut list = Vec::new();
    for one in found {
        let number = (one.row + 1).to_string();
        let mut fields = vec![number, how(one.strictly).to_string()];
        fields.extend(words(&one.by));
        answer.fact(&name, fields);
        let what = if what.starts_with(|c: char| c.is_ascii_digit()) { "strategy" } else { what };
        list.push(json!({ what: one.row + 1, "how": how(one.strictly), "by": words(&one.by) }));
    }
    answer.json.insert(name, json!(list));
}

/// Solves a bimatrix game: all extreme equilibria, or the pure ones and one by Lemke and Howson.
pub fn bimatrix(game: &Bimatrix, names: Option<&Names>, options: AnswerOptions) -> Result<Answer, String> {
    let mut answer = Answer::default();
    answer.name(names);
    let equilibria = equilibria(game, options.all)?;
    if !equilibria.iter().all(|equilibrium| game.proves(equilibrium)) {
        return Err(UNPROVED.to_string());
    }
    let mut list = Vec::new();
    for equilibrium in &equilibria {
        let Equilibrium { row, column, payoffs } = equilibrium;
        let mut fields = vec!["row".to_string()];
        fields.extend(words(row));
        fields.push("column".to_string());
        fields.extend(words(column));
        fields.push("payoffs".to_string());
        fields.extend(options.payoffs(payoffs));
        answer.fact("equilibrium", fields);
        for (player, strategy) in [row, column].into_iter().enumerate() {
            answer.plays(names, player, words(strategy).into_iter().enumerate());
        }
        let payoffs = options.payoffs(payoffs);
        list.push(json!({ "row": words(row), "column": words(column), "payoffs": payoffs }));
    }
    answer.json.insert("equilibria".to_string(), json!(list));
    if !options.all {
        answer.hint = unlisted(game, equilibria.len());
    }
    if options.analysis {
        analyse(&mut answer, game, options)?;
    }
    answer.claim = Some(Claim::Bimatrix(game.clone(), equilibria));
    Ok(answer)
}

fn equilibria(game: &Bimatrix, all: bool) -> Result<Vec<Equilibrium>, String> {
    if all {
        return game.equilibria().map_err(|error| error.to_string());
    }
    let unit = |size: usize, at: usize| -> Vec<Fraction> {
        (0..size).map(|k| Fraction::from_integer(u8::from(k == at).into())).collect()
    };
    let pure = game.pure().into_iter();
    let pure = pure.map(|(i, j)| game.expected(unit(game.row().height(), i), unit(game.row().width(), j)));
    let mut found: Vec<Equilibrium> = pure.collect();
    let one = game.one();
    if !found.contains(&one) {
        found.push(one);
    }
    Ok(found)
}

/// The most strategies of both players together with which all equilibria are counted for a hint.
const FEW_STRATEGIES: usize = 10;
/// The most strategies with which `--all` lists the equilibria of all but rare games.
const LISTED_STRATEGIES: usize = 30;

/// Returns a line about the equilibria that are not among the `shown` ones; `None` if there are none, or too many to list.
fn unlisted(game: &Bimatrix, shown: usize) -> Option<String> {
    let strategies = game.row().height() + game.row().width();
    if strategies <= FEW_STRATEGIES {
        let all = game.equilibria().ok()?.len();
        return (all > shown)
            .then(|| format!("{shown} of {all} extreme equilibria are listed: --all lists all of them"));
    }
    (strategies <= LISTED_STRATEGIES)
        .then(|| "there may be more equilibria: --all lists all extreme ones".to_string())
}

fn analyse(answer: &mut Answer, game: &Bimatrix, options: AnswerOptions) -> Result<(), String> {
    let turned = game.turned();
    dominated(answer, "row", &dominance::rows(game.row()));
    dominated(answer, "column", &dominance::rows(turned.row()));
    for (name, against, replies) in
        [("best-rows", "column", game.best_rows()), ("best-columns", "row", game.best_columns())]
    {
        let counted: Vec<Vec<usize>> =
            replies.iter().map(|each| each.iter().map(|i| i + 1).collect()).collect();
        for (to, best) in counted.iter().enumerate() {
            let mut fields = vec![against.to_string(), (to + 1).to_string()];
            fields.extend(best.iter().map(ToString::to_string));
            answer.fact(name, fields);
        }
        answer.json.insert(name.to_string(), json!(counted));
    }
    // With mixed strategies a player's maximin and minimax are equal.
    answer.numbers("maximin", options.payoffs(&game.security()));
    answer.numbers("minimax", options.payoffs(&game.security()));
    let pure = |of: fn(&Matrix) -> Fraction| options.payoffs(&[of(game.row()), of(turned.row())]);
    answer.numbers("maximin-pure", pure(pure_maximin));
    answer.numbers("minimax-pure", pure(pure_minimax));
    let front: Vec<String> = game.pareto().into_iter().map(place).collect();
    answer.json.insert("pareto".to_string(), json!(front));
    answer.fact("pareto", front);
    let best = match correlated::best(game) {
        Ok(best) => best,
        // All the rest stands.
        Err(why) => {
            answer.json.insert("correlated".to_string(), Value::Null);
            answer.fact("correlated", vec![format!("not found: {why}")]);
            return Ok(());
        }
    };
    let mut fields = vec!["payoffs".to_string()];
    fields.extend(options.payoffs(&best.payoffs));
    for (i, row) in best.cells.iter().enumerate() {
        for (j, p) in row.iter().enumerate().filter(|(_, p)| !p.is_zero()) {
            fields.push(format!("{}={p}", place((i, j))));
        }
    }
    answer.fact("correlated", fields);
    let cells: Vec<Vec<String>> = best.cells.iter().map(|row| words(row)).collect();
    answer.json.insert(
        "correlated".to_string(),
        json!({ "payoffs": options.payoffs(&best.payoffs), "cells": cells }),
    );
    Ok(())
}

/// Analyses a game of three or more players: its pure equilibria and dominated strategies.
pub fn several(game: &Several, names: Option<&Names>, options: AnswerOptions) -> Result<Answer, String> {
    let mut answer = Answer::default();
    answer.name(names);
    let pure = game.pure();
    if pure.is_empty() {
        answer.fact("equilibrium", vec!["none in pure strategies".to_string()]);
    }
    let mut list = Vec::new();
    for profile in &pure {
        let strategies: Vec<usize> = profile.iter().map(|own| own + 1).collect();
        let payoffs = options.payoffs(game.payoffs(profile));
        let mut fields = vec!["strategies".to_string()];
        fields.extend(strategies.iter().map(ToString::to_string));
        fields.push("payoffs".to_string());
        fields.extend(payoffs.clone());
        answer.fact("equilibrium", fields);
        for (player, &own) in profile.iter().enumerate() {
            answer.plays(names, player, [(own, "1".to_string())]);
        }
        list.push(json!({ "strategies": strategies, "payoffs": payoffs }));
    }
    answer.json.insert("equilibria".to_string(), json!(list));
    if options.analysis {
        for player in 0..game.sizes().len() {
            dominated(&mut answer, &(player + 1).to_string(), &game.dominated(player)?);
        }
    }
    Ok(answer)
}

/// Returns the pure maximin of the row player.
fn pure_maximin(payoffs: &Matrix) -> Fraction {
    payoffs.cells().iter().filter_map(|row| row.iter().min()).max().cloned().unwrap_or_default()
}

/// Returns the pure minimax of the row player.
fn pure_minimax(payoffs: &Matrix) -> Fraction {
    let column = |j: usize| payoffs.cells().iter().map(move |row| &row[j]).max();
    (0..payoffs.width()).filter_map(column).min().cloned().unwrap_or_default()
}

/// Solves a tree: its value if it is zero-sum, else equilibria of its reduced normal form.
pub fn tree(game: &Tree, options: AnswerOptions) -> Result<Answer, String> {
    let mut answer = Answer::default();
    let Some(sum) = game.constant_sum() else { return general_tree(game, options) };
    let optimum = sequence::solve(game)?;
    if !sequence::proves(game, &optimum) {
        return Err(UNPROVED.to_string());
    }
    let value = options.payoff(&optimum.value);
    answer.json.insert("value".to_string(), json!(value));
    answer.fact("value", vec![value]);
    if options.all {
        for side in Side::BOTH {
            let all = sequence::extreme(game, &optimum, side)?;
            let mut list = Vec::new();
            for (number, weights) in all.iter().enumerate() {
                let mut plans = Plans::even(game);
                plans.set_weights(game, side, weights);
                let fields = vec![(side.index() + 1).to_string(), (number + 1).to_string()];
                answer.fact("extreme", fields);
                list.push(json!(behaviour(&mut answer, game, &plans, &[side])));
            }
            answer.json.insert(format!("extreme-{}", side.index() + 1), json!(list));
        }
    } else {
        let list = behaviour(&mut answer, game, &optimum.plans, &Side::BOTH);
        answer.json.insert("behaviour".to_string(), json!(list));
    }
    let payoffs = [optimum.value.clone(), sum - &optimum.value];
    answer.claim = Some(Claim::Tree(game.clone(), optimum.plans, payoffs));
    Ok(answer)
}

/// Adds facts about the behaviour at the information sets that the player's own actions reach.
fn behaviour(answer: &mut Answer, game: &Tree, plans: &Plans, sides: &[Side]) -> Vec<Value> {
    let mut list = Vec::new();
    for &side in sides {
        let weights = plans.weights(game, side);
        for infoset in game.infosets_of(side).into_iter().filter(|&h| !weights[game.sequence_to(h)].is_zero())
        {
            let set = &game.infosets()[infoset];
            let player = side.index() + 1;
            let mut fields = vec![player.to_string(), set.name.clone()];
            let mut actions = Map::new();
            for (action, p) in set.actions.iter().zip(&plans.0[infoset]) {
                fields.extend([action.clone(), p.to_string()]);
                actions.insert(action.clone(), json!(p.to_string()));
            }
            answer.fact("player", fields);
            list.push(json!({ "player": player, "infoset": set.name, "actions": actions }));
        }
    }
    list
}

fn general_tree(game: &Tree, options: AnswerOptions) -> Result<Answer, String> {
    let form = normal::form(game)?;
    let mut answer = Answer::default();
    let mut list = Vec::new();
    let equilibria = equilibria(&form.game, options.all)?;
    if !equilibria.iter().all(|equilibrium| form.game.proves(equilibrium)) {
        return Err(UNPROVED.to_string());
    }
    if !options.all {
        answer.hint = unlisted(&form.game, equilibria.len());
    }
    for equilibrium in equilibria {
        let mut fields = vec!["payoffs".to_string()];
        fields.extend(options.payoffs(&equilibrium.payoffs));
        answer.fact("equilibrium", fields);
        let plans = form.behaviour(game, &equilibrium.row, &equilibrium.column);
        let played = behaviour(&mut answer, game, &plans, &Side::BOTH);
        list.push(json!({ "payoffs": options.payoffs(&equilibrium.payoffs), "behaviour": played }));
        answer.claim.get_or_insert(Claim::Tree(game.clone(), plans, equilibrium.payoffs));
    }
    answer.json.insert("equilibria".to_string(), json!(list));
    Ok(answer)
}
