//! Trees from rules, by expansion of states.

use std::collections::HashMap;

use crate::fraction::Fraction;

use super::game::{Flaw, Infoset, Node, Side, Tree};

/// The node of a state.
#[derive(Clone, Debug)]
pub enum GrowStep<S> {
    /// Chance: the name and probability of each branch, and the state after it.
    Chance(Vec<(String, Fraction, S)>),
    /// A player's turn: his knowledge, which names his information set, and each action with the state after it.
    Turn(Side, String, Vec<(String, S)>),
    /// The end of a zero-sum game, with the payoff to player 1.
    End(Fraction),
}

/// Builds the whole tree from a first state.
///
/// # Errors
/// The rules make no tree with perfect recall.
///
/// ```
/// use grundy_information::{fraction::ratio, tree::{Side, GrowStep, grow, sequence}};
/// // Player 1 hides a coin in a hand, player 2 guesses which, without seeing it.
/// let coin = grow("hide a coin", (0, 0), |&(hidden, guess): &(i64, i64)| match (hidden, guess) {
///     (0, _) => GrowStep::Turn(Side::One, "hide".into(), vec![("left".into(), (1, 0)), ("right".into(), (2, 0))]),
///     (_, 0) => GrowStep::Turn(
///         Side::Two,
///         "guess".into(),
///         vec![("left".into(), (hidden, 1)), ("right".into(), (hidden, 2))],
///     ),
///     _ => GrowStep::End(ratio(if hidden == guess { -1 } else { 1 }, 1)),
/// })?;
/// assert_eq!(sequence::solve(&coin)?.value, ratio(0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn grow<S>(title: &str, start: S, rules: impl Fn(&S) -> GrowStep<S>) -> Result<Tree, Flaw> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut infosets: Vec<Infoset> = Vec::new();
    let mut known: HashMap<(Side, String), usize> = HashMap::new();
    // States still to be visited, with the parent and the branch that lead to them; the next one is last.
    let mut waiting: Vec<(S, Option<(usize, usize)>)> = vec![(start, None)];
    while let Some((state, origin)) = waiting.pop() {
        let at = nodes.len();
        if at == super::MOST {
            return Err(Flaw { node: at, reason: format!("more than {} nodes", super::MOST) });
        }
        if let Some((parent, branch)) = origin {
            nodes[parent].lead(branch, at);
        }
        let mut later = |states: Vec<S>| {
            let numbered = states.into_iter().enumerate().rev();
            waiting.extend(numbered.map(|(branch, state)| (state, Some((at, branch)))));
        };
        nodes.push(match rules(&state) {
            GrowStep::End(payoff) => Node::End([payoff.clone(), -payoff]),
            GrowStep::Chance(branches) => {
                let (mut kept, mut states) = (Vec::new(), Vec::new());
                for (name, probability, state) in branches {
                    kept.push((name, probability, 0));
                    states.push(state);
                }
                later(states);
                Node::Chance(kept)
            }
            GrowStep::Turn(side, knowledge, actions) => {
                let (names, states): (Vec<String>, Vec<S>) = actions.into_iter().unzip();
                let children = vec![0; names.len()];
                let number = *known.entry((side, knowledge.clone())).or_insert_with(|| {
                    infosets.push(Infoset { side, name: knowledge, actions: names });
                    infosets.len() - 1
                });
                later(states);
                Node::Turn(number, children)
            }
        });
    }
    Tree::new(title.to_string(), nodes, infosets)
}
