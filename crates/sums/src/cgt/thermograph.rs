//! Thermographs: the walls of a canonical form, its mean and its temperature, how much a move in it gains.
//!
//! At temperature t the left wall of a game is the greatest right wall of its Left options less t, and its right wall the
//! least left wall of its Right options plus t. They meet at the temperature of the game; above it both are its mast, which
//! stands at its mean (E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", 1982, chapter 6; A. N. Siegel,
//! "Combinatorial Game Theory", 2013, II.5). Walls begin at temperature 0, since those of a number are level from there on.

use std::cmp::Ordering;

use grundy_core::sorting;
use grundy_session::{Canonical, Corner, Mast, OutcomeClass, Thermograph};
use rustc_hash::FxHashMap;

use super::arena::{Arena, Form, Simple};
use super::dyadic::Dyadic;
use super::patience::{Gap, Patience};
use super::text::write;

/// Maximum number of vertices of cached walls, of 64 bytes each.
const VERTICES: usize = 1 << 20;

/// A temperature and the value of a wall there.
type Vertex = (Dyadic, Dyadic);

/// A wall by its vertices, from temperature 0 upwards. Between them it has slope -1, 0 or 1; above the last it is level.
type Wall = Vec<Vertex>;

/// The walls of a form. They end in the same vertex: its temperature and its mean.
struct Walls {
    left: Wall,
    right: Wall,
}

impl Walls {
    /// Returns the thermograph in words; `None` if a wall is empty.
    fn in_words(&self) -> Option<Thermograph> {
        let &(temperature, mean) = self.left.last()?;
        let corners = |wall: &Wall| {
            let corner = |(temperature, value): &Vertex| Corner {
                temperature: temperature.to_string(),
                value: value.to_string(),
            };
            wall.iter().map(corner).collect()
        };
        Some(Thermograph {
            mast: Mast { mean: mean.to_string(), temperature: temperature.to_string() },
            left: corners(&self.left),
            right: corners(&self.right),
        })
    }
}

/// Returns a form in words, with its outcome class, and with its thermograph if it is found within the limits of `patience`.
pub(crate) fn described(arena: &mut Arena, form: Form, patience: &mut Patience<'_>) -> Canonical {
    let Ok(class) = outcome_class(arena, form, patience) else { return Canonical::NotInTime };
    let Ok(word) = write(arena, form, patience) else { return Canonical::NotInTime };
    let thermograph = thermograph(arena, form, patience).ok().and_then(|walls| walls.in_words());
    Canonical::Form { word, class, thermograph }
}

/// Returns the outcome class of a form, by its comparisons with 0.
///
/// # Errors
/// The patience is exhausted, or there are too many forms.
fn outcome_class(arena: &mut Arena, form: Form, patience: &mut Patience<'_>) -> Result<OutcomeClass, Gap> {
    let zero = arena.simple(Simple::number(Dyadic::ZERO))?;
    Ok(match (arena.at_most(zero, form, patience)?, arena.at_most(form, zero, patience)?) {
        (true, true) => OutcomeClass::Previous,
        (true, false) => OutcomeClass::Left,
        (false, true) => OutcomeClass::Right,
        (false, false) => OutcomeClass::Next,
    })
}

/// Returns the walls of a form.
///
/// # Errors
/// The patience is exhausted, there are too many forms, or a number is out of range.
fn thermograph(arena: &mut Arena, form: Form, patience: &mut Patience<'_>) -> Result<Walls, Gap> {
    if let Some(simple) = arena.as_simple(form).filter(|simple| simple.ups == 0 && simple.star == 0) {
        let foot = vec![(simple.number.temperature(), simple.number)];
        return Ok(Walls { left: foot.clone(), right: foot });
    }
    let mut known: FxHashMap<Form, Walls> = FxHashMap::default();
    let mut vertices = 0;
    // Options come before the forms that have them.
    let mut open = vec![form];
    while let Some(&now) = open.last() {
        if known.contains_key(&now) {
            open.pop();
            continue;
        }
        patience.step()?;
        let walls = match arena.as_simple(now) {
            // Ups and nimbers are infinitesimal.
            Some(simple) => {
                let wall = vec![(Dyadic::ZERO, simple.number)];
                Walls { left: wall.clone(), right: wall }
            }
            None => {
                let (left, right) = arena.options(now)?;
                let before = open.len();
                open.extend(left.iter().chain(&right).filter(|&form| !known.contains_key(form)));
                if open.len() > before {
                    continue;
                }
                walls(&known, &left, &right).ok_or(Gap::OutOfBounds)?
            }
        };
        vertices += walls.left.len() + walls.right.len();
        if vertices > VERTICES {
            return Err(Gap::OutOfBounds);
        }
        known.insert(now, walls);
        open.pop();
    }
    known.remove(&form).ok_or(Gap::OutOfBounds)
}

/// Returns the walls of the form with these options, whose walls are known; `None` if a number is out of range.
fn walls(known: &FxHashMap<Form, Walls>, left: &[Form], right: &[Form]) -> Option<Walls> {
    let of_left: Option<Vec<&[Vertex]>> =
        left.iter().map(|form| Some(known.get(form)?.right.as_slice())).collect();
    let of_right: Option<Vec<&[Vertex]>> =
        right.iter().map(|form| Some(known.get(form)?.left.as_slice())).collect();
    let greatest = outermost(&of_left?, Ordering::Greater)?;
    let least = outermost(&of_right?, Ordering::Less)?;
    let temperature = meeting(&greatest, &least)?;
    let mean = value_at(&greatest, temperature)?.minus(temperature)?;
    let mut walls = Walls { left: Wall::new(), right: Wall::new() };
    for &(time, value) in greatest.iter().filter(|vertex| vertex.0 < temperature) {
        push(&mut walls.left, (time, value.minus(time)?));
    }
    for &(time, value) in least.iter().filter(|vertex| vertex.0 < temperature) {
        push(&mut walls.right, (time, value.plus(time)?));
    }
    push(&mut walls.left, (temperature, mean));
    push(&mut walls.right, (temperature, mean));
    Some(walls)
}

/// Returns the least temperature t at which `greatest` less t is at most `least` plus t.
fn meeting(greatest: &[Vertex], least: &[Vertex]) -> Option<Dyadic> {
    let mut before: Option<Vertex> = None;
    for time in temperatures(greatest, least) {
        let apart = value_at(greatest, time)?.minus(value_at(least, time)?)?.minus(time.plus(time)?)?;
        if apart.sign() > 0 {
            before = Some((time, apart));
            continue;
        }
        let Some((since, distance)) = before else { return Some(time) };
        // From the vertex before, the distance has shrunk by the rise in temperature, or by twice that.
        let once = distance.minus(apart)? == time.minus(since)?;
        return since.plus(if once { distance } else { distance.half()? });
    }
    let (since, distance) = before?;
    since.plus(distance.half()?)
}

/// Returns the greatest, or the least, of some walls at each temperature; `None` if there are none.
fn outermost(walls: &[&[Vertex]], better: Ordering) -> Option<Wall> {
    let (first, others) = walls.split_first()?;
    others.iter().try_fold(first.to_vec(), |best, wall| outer(&best, wall, better))
}

/// Returns the greater, or the lesser, of two walls at each temperature. Their slopes are 0 and 1, or 0 and -1.
fn outer(a: &[Vertex], b: &[Vertex], better: Ordering) -> Option<Wall> {
    let mut found = Wall::new();
    let mut before: Option<(Dyadic, Dyadic, Dyadic)> = None;
    for time in temperatures(a, b) {
        let (x, y) = (value_at(a, time)?, value_at(b, time)?);
        if let Some((since, x_before, y_before)) = before
            && x != y
            && x_before.cmp(&y_before) == y.cmp(&x)
        {
            // One of them is level, and the other is not: the distance shrinks by the rise in temperature.
            let distance = x_before.max(y_before).minus(x_before.min(y_before))?;
            let crossing = since.plus(distance)?;
            push(&mut found, (crossing, value_at(a, crossing)?));
        }
        push(&mut found, (time, if x.cmp(&y) == better { x } else { y }));
        before = Some((time, x, y));
    }
    Some(found)
}

/// Returns the temperatures of the vertices of two walls, rising.
fn temperatures(a: &[Vertex], b: &[Vertex]) -> Vec<Dyadic> {
    let mut found: Vec<Dyadic> = a.iter().chain(b).map(|vertex| vertex.0).collect();
    sorting::sort(&mut found);
    found.dedup();
    found
}

/// Returns the value of a wall at a temperature of at least 0.
fn value_at(wall: &[Vertex], time: Dyadic) -> Option<Dyadic> {
    let next = wall.partition_point(|vertex| vertex.0 <= time);
    let &(since, value) = wall.get(next.checked_sub(1)?)?;
    match wall.get(next).map_or(Ordering::Equal, |next| next.1.cmp(&value)) {
        Ordering::Equal => Some(value),
        Ordering::Greater => value.plus(time.minus(since)?),
        Ordering::Less => value.minus(time.minus(since)?),
    }
}

/// Appends a vertex; removes the one before it if the wall has no corner there.
fn push(wall: &mut Wall, vertex: Vertex) {
    if let [.., first, last] = wall[..]
        && first.1.cmp(&last.1) == last.1.cmp(&vertex.1)
    {
        wall.pop();
    }
    wall.push(vertex);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the form of `{left|right}`.
    fn game(arena: &mut Arena, left: &[Form], right: &[Form]) -> Form {
        arena.game(left.to_vec(), right.to_vec(), &mut Patience::steps(100_000)).unwrap()
    }

    fn number(arena: &mut Arena, top: i128, halvings: u32) -> Form {
        arena.simple(Simple::number(Dyadic::new(top, halvings).unwrap())).unwrap()
    }

    fn shown(arena: &mut Arena, form: Form) -> Thermograph {
        thermograph(arena, form, &mut Patience::steps(100_000)).unwrap().in_words().unwrap()
    }

    /// Returns temperature and mean in words.
    fn told(arena: &mut Arena, form: Form) -> (String, String) {
        let Mast { mean, temperature } = shown(arena, form).mast;
        (temperature, mean)
    }

    fn words(temperature: &str, mean: &str) -> (String, String) {
        (temperature.to_owned(), mean.to_owned())
    }

    #[test]
    fn numbers_and_infinitesimals_are_cold() {
        let arena = &mut Arena::default();
        let three = number(arena, 3, 0);
        assert_eq!(told(arena, three), words("-1", "3"));
        let quarters = number(arena, -3, 2);
        assert_eq!(told(arena, quarters), words("-1/4", "-3/4"));
        let star = arena.simple(Simple { ups: 2, ..Simple::nimber(1) }).unwrap();
        assert_eq!(told(arena, star), words("0", "0"));
        let (zero, minus_two) = (number(arena, 0, 0), number(arena, -2, 0));
        let threat = game(arena, &[zero], &[minus_two]);
        let tiny = game(arena, &[zero], &[threat]);
        assert_eq!(told(arena, tiny), words("0", "0"));
    }

    #[test]
    fn the_walls_of_hot_games_meet_at_their_temperature() {
        let arena = &mut Arena::default();
        let [zero, one, two, four] = [0, 1, 2, 4].map(|n| number(arena, n, 0));
        let minus_half = number(arena, -1, 1);
        // Domineering on 2x3: Winning Ways, chapter 6.
        let switch = game(arena, &[two], &[minus_half]);
        assert_eq!(told(arena, switch), words("5/4", "3/4"));
        // Right's reply to 0 cools Left's threat: the right wall of {4|{1|0}} is upright up to 1/2.
        let reply = game(arena, &[one], &[zero]);
        assert_eq!(told(arena, reply), words("1/2", "1/2"));
        let threat = game(arena, &[four], &[reply]);
        assert_eq!(told(arena, threat), words("7/4", "9/4"));
        let walls = "left 4@0 9/4@7/4 right 1@0 1@1/2 9/4@7/4";
        assert_eq!(shown(arena, threat).to_string(), walls);
        // Snort on 2x3.
        let back = arena.negative(threat).unwrap();
        let both = game(arena, &[threat], &[back]);
        assert_eq!(told(arena, both), words("9/4", "0"));
    }

    #[test]
    fn the_outcome_class_is_that_of_the_sign() {
        let arena = &mut Arena::default();
        let patience = &mut Patience::steps(100_000);
        let [minus, zero, one] = [-1, 0, 1].map(|n| number(arena, n, 0));
        let switch = game(arena, &[one], &[minus]);
        let up = arena.simple(Simple { number: Dyadic::ZERO, ups: 1, star: 0 }).unwrap();
        let classes = [one, up, zero, minus, switch]
            .map(|form| outcome_class(arena, form, patience).unwrap().to_string());
        assert_eq!(classes, ["L", "L", "P", "R", "N"]);
    }

    #[test]
    fn of_several_options_the_best_at_each_temperature_counts() {
        let arena = &mut Arena::default();
        let [zero, one, five, minus_three] = [0, 1, 5, -3].map(|n| number(arena, n, 0));
        // Left chooses 1, or a threat that is worth 0 below temperature 5/2 and 5/2 above it.
        let threat = game(arena, &[five], &[zero]);
        let choice = game(arena, &[one, threat], &[minus_three]);
        assert_eq!(told(arena, choice), words("11/4", "-1/4"));
        // A sum of hot games has the sum of their means, and at most the greatest of their temperatures.
        let sum = arena.sum(choice, threat, &mut Patience::steps(100_000)).unwrap();
        assert_eq!(told(arena, sum).1, "9/4");
    }
}
