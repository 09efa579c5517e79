//! Limits on margins in a game for points, so that values can represent them.

use grundy_core::value::Value;

use crate::directives::Scoring;
use crate::program::{Expr, Kind, Node, Operator, Program};
use crate::source::Fault;

/// The largest margin that values can represent.
const MOST: i128 = Value::MAX_POINTS as i128 - 1;

/// Refuses a game for points whose margins can exceed [`MOST`]. A score never leaves 0 and its largest value, so the
/// margin still to come is at most the sum of both players' largest scores. If the file allows more than that, the
/// bounds are lowered to the largest values that the rules assign, which changes nothing in play.
///
/// # Errors
/// The fault, at the players.
pub fn bound_margins(program: &mut Program) -> Result<(), Fault> {
    if program.directives.scoring != Scoring::Score || program.players.len() != 2 || sum(program) <= MOST {
        return Ok(());
    }
    for player in 0..2 {
        let mut most = 0;
        assigned(&program.rules, player, program, &mut most);
        let variable = &mut program.variables[usize::from(player)];
        variable.bound = u32::try_from(most).map_or(variable.bound, |most| most.clamp(1, variable.bound));
        program.players[usize::from(player)].bound = variable.bound;
    }
    match sum(program) {
        sum if sum <= MOST => Ok(()),
        sum => {
            let what =
                format!("margins of up to {sum} points: expected scores that add up to at most {MOST}");
            Err(Fault::new(program.places[0], what))
        }
    }
}

/// Returns the sum of both players' largest scores.
fn sum(program: &Program) -> i128 {
    program.variables[..2].iter().map(|score| i128::from(score.bound)).sum()
}

/// Raises `most` to the largest value that the rules assign to a variable.
fn assigned(node: &Node, variable: u16, program: &Program, most: &mut i128) {
    match &node.kind {
        Kind::Assign(given, value) if *given == variable => *most = (*most).max(range(value, program)[1]),
        Kind::Sequence(nodes) | Kind::Choice(nodes) => {
            nodes.iter().for_each(|node| assigned(node, variable, program, most));
        }
        Kind::Star(inside) | Kind::Power(inside, _) | Kind::Check { inside, .. } => {
            assigned(inside, variable, program, most);
        }
        _ => {}
    }
}

/// Returns the least and the largest value that an expression can have.
fn range(expr: &Expr, program: &Program) -> [i128; 2] {
    match expr {
        Expr::Number(number) => [i128::from(*number); 2],
        Expr::Variable(variable) => [0, i128::from(program.variables[usize::from(*variable)].bound)],
        Expr::Count(_) => [0, program.board.cells() as i128],
        Expr::Join(operator, pair) => {
            let ([a, b], [c, d]) = (range(&pair.0, program), range(&pair.1, program));
            match operator {
                Operator::Add => [a.saturating_add(c), b.saturating_add(d)],
                Operator::Subtract => [a.saturating_sub(d), b.saturating_sub(c)],
                Operator::Multiply => {
                    let products = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.saturating_mul(y));
                    products.iter().fold([products[0]; 2], |[least, most], &x| [least.min(x), most.max(x)])
                }
                Operator::Divide => {
                    let most = a.saturating_abs().max(b.saturating_abs());
                    [-most, most]
                }
            }
        }
    }
}
