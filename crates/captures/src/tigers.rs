//! Bagh-chal of Nepal: four tigers against twenty goats.
//!
//! * 5x5 points with the lines of Alquerque: along rows and columns, slanting from every other point. The tigers `O` (player
//!   two) start in the corners. Player one puts a goat `X` on a free point each turn until all twenty are put, and from then on
//!   moves one along a line to a free point. A tiger moves so, too, or jumps along a line over a goat to the free point behind
//!   and takes it. With the fifth goat taken the tigers have won; a player who cannot move has lost. Endless play is a draw.
//! * Position `O...O/...../..X../...../O...O 19 2`: the rows from the top, the goats in hand, the turn; moves `c3` (put),
//!   `c3-c4`, `a1xc3`.
//!
//! Tiers are the numbers of goats in hand and taken. While goats are put, each turn has a tier of its own, as no position
//! repeats.
//!
//! Source: Y. J. Lim and J. Nievergelt, "Tigers and Goats is a draw", Games of No Chance 3, 2009.

use std::ops::Range;

use grundy_core::classes::SetClasses;
use grundy_core::game::{Flow, Game, Indexed, MORE, Notation, Player, Scored};
use grundy_core::grid::CellMap;
use grundy_core::random::mix_pair;
use grundy_core::rank::{Subsets, compress, expand, next_of_its_size};
use grundy_core::text::counted;
use grundy_core::value::{Step, Value};
use grundy_core::words;
use grundy_search::alpha_beta::{Bounds, Heuristic};
use grundy_tables::tiers::{Exit, Tier, Tiered};

use crate::field::{Field, STRAIGHT, cells};
use crate::points::{Points, square};

/// Rows and columns.
const SIDE: usize = 5;
const POINTS: usize = SIDE * SIDE;
const TIGERS: usize = 4;
const GOATS: u32 = 20;
/// Goats that the tigers must take.
const TAKEN: u32 = 5;
/// Points without a tiger.
const REST: usize = POINTS - TIGERS;
const CORNERS: u64 = 1 | 1 << 4 | 1 << 20 | 1 << 24;

/// The positions with these goats in hand and taken; with goats in hand, those in which this player is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stage {
    hand: u32,
    taken: u32,
    turn: Option<Player>,
}

/// The rules of Bagh-chal.
#[derive(Clone, Debug)]
pub struct Tigers {
    points: Points,
    near: [u64; POINTS],
    /// The jumps from each point: over, to.
    jumps: [Vec<(u8, u8)>; POINTS],
    subsets: Subsets,
    symmetries: Vec<CellMap>,
    /// The classes of the tigers' points.
    classes: SetClasses,
    /// The stages, in an order in which moves lead to earlier ones, with the indices of their positions.
    stages: Vec<(Stage, Range<u64>)>,
    /// The place of each stage in the list, by [`Stage::key`].
    places: Vec<usize>,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    goats: u32,
    tigers: u32,
    /// Goats that were not put yet.
    hand: u32,
    turn: Player,
}

/// A move: from a point to a point, the same one if a goat is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Position {
    fn free(&self) -> u64 {
        without((self.goats | self.tigers).into())
    }

    /// Returns the number of goats that were taken.
    fn taken(&self) -> u32 {
        GOATS - self.hand - self.goats.count_ones()
    }

    fn stage(&self) -> Stage {
        Stage { hand: self.hand, taken: self.taken(), turn: (self.hand > 0).then_some(self.turn) }
    }
}

/// Returns the points without a tiger.
#[inline]
fn without(tigers: u64) -> u64 {
    !tigers & ((1 << POINTS) - 1)
}

impl Stage {
    fn goats(self) -> usize {
        (GOATS - self.hand - self.taken) as usize
    }

    /// Returns a small number of its own.
    fn key(self) -> usize {
        let turn = self.turn.map_or(0, |turn| 1 + turn.index());
        (self.hand * (TAKEN + 1) + self.taken) as usize * 3 + turn
    }

    /// Returns all stages. Those in which the fifth goat is taken are over.
    fn all() -> Vec<Stage> {
        let mut stages = Vec::new();
        for hand in 0..=GOATS {
            for taken in (0..=TAKEN.min(GOATS - hand)).rev() {
                let turns: &[Option<Player>] = match hand {
                    0 => &[None],
                    _ => &[Some(Player::One), Some(Player::Two)],
                };
                stages.extend(turns.iter().map(|&turn| Stage { hand, taken, turn }));
            }
        }
        stages
    }
}

impl Tigers {
    /// Returns the game.
    ///
    /// # Errors
    /// None: the board is fixed.
    pub fn new() -> Result<Tigers, String> {
        let field = Field::new(SIDE, SIDE, POINTS)?;
        let mut lines: Vec<Vec<usize>> = Vec::new();
        for from in 0..POINTS {
            // Half of the directions: the others are lines read from the other end. Slanting ones leave every other point.
            for way in [1, 2, 4, 5] {
                if !STRAIGHT.contains(&way) && from % 2 == 1 || field.step(from, way ^ 2).is_some() {
                    continue;
                }
                let line: Vec<usize> = std::iter::successors(Some(from), |&at| field.step(at, way)).collect();
                lines.extend((line.len() > 1).then_some(line));
            }
        }
        let spots = (0..POINTS).map(|point| square(point % SIDE, point / SIDE, SIDE)).collect();
        let points = Points::new(spots, &[SIDE; SIDE], lines);
        let mut jumps: [Vec<(u8, u8)>; POINTS] = Default::default();
        for [from, over, to] in points.jumps() {
            jumps[from].push((over as u8, to as u8));
        }
        let subsets = Subsets::new(POINTS);
        let symmetries: Vec<CellMap> = field.grid.symmetries().iter().map(|map| CellMap::new(map)).collect();
        let image = |symmetry: usize, set: u32| symmetries[symmetry].apply(set.into()) as u32;
        let classes = SetClasses::new(&subsets, POINTS, TIGERS, symmetries.len(), image);
        let mut end = 0;
        let stages = Stage::all().into_iter().map(|stage| {
            let halves = if stage.turn.is_some() { 1 } else { 2 };
            let size = halves * classes.count() as u64 * subsets.choose(REST, stage.goats());
            end += size;
            (stage, end - size..end)
        });
        let stages: Vec<_> = stages.collect();
        let mut places = vec![0; (GOATS as usize + 1) * (TAKEN as usize + 1) * 3];
        for (place, (stage, _)) in stages.iter().enumerate() {
            places[stage.key()] = place;
        }
        let near = std::array::from_fn(|point| points.near(point));
        Ok(Tigers { points, near, jumps, subsets, symmetries, classes, stages, places })
    }

    /// Returns the board, for drawings.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Returns the place of a stage in the list.
    fn place(&self, stage: Stage) -> usize {
        self.places[stage.key()]
    }

    /// Returns the first index of the positions of a stage and a turn with the tigers on a class of points.
    #[inline]
    fn block(&self, stage: Stage, turn: Player, class: usize) -> u64 {
        let half = if stage.turn.is_none() { turn.index() * self.classes.count() } else { 0 };
        let class = (half + class) as u64;
        self.stages[self.place(stage)].1.start + class * self.subsets.choose(REST, stage.goats())
    }

    /// Returns the symmetries, without the identity, that map the least set of a class of tigers to itself.
    #[inline]
    fn stabilizer(&self, class: usize) -> impl Iterator<Item = &CellMap> {
        cells(u32::from(self.classes.kept(class)) & !1).map(|at| &self.symmetries[at])
    }

    /// Visits the free points that a man on `from` can step to.
    #[inline]
    fn steps(&self, from: usize, free: u64) -> impl Iterator<Item = usize> {
        cells(self.near[from] & free)
    }

    /// Visits the jumps of a tiger on `from`: over, to.
    #[inline]
    fn takes(&self, from: usize, goats: u32, free: u64) -> impl Iterator<Item = (usize, usize)> {
        let possible = move |&&(over, to): &&(u8, u8)| goats >> over & 1 == 1 && free >> to & 1 == 1;
        self.jumps[from].iter().filter(possible).map(|&(over, to)| (usize::from(over), usize::from(to)))
    }
}

impl Game for Tigers {
    type Position = Position;
    type Move = Move;

    fn start(&self) -> Position {
        Position { goats: 0, tigers: CORNERS as u32, hand: GOATS, turn: Player::One }
    }

    fn turn(&self, position: &Position) -> Player {
        position.turn
    }

    fn over(&self, position: &Position) -> Option<Value> {
        if position.taken() >= TAKEN {
            return Some(if position.turn == Player::One { Value::loss_in(0) } else { Value::win_in(0) });
        }
        let moves = self.moves(position, &mut |_| Flow::Break(()));
        moves.is_continue().then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut impl FnMut(Move) -> Flow) -> Flow {
        let free = position.free();
        let mut to = |from: usize, to: usize| visit(Move { from: from as u8, to: to as u8 });
        if position.turn == Player::One {
            return match position.hand {
                0 => cells(position.goats)
                    .try_for_each(|from| self.steps(from, free).try_for_each(|next| to(from, next))),
                _ => cells(free).try_for_each(|point| to(point, point)),
            };
        }
        cells(position.tigers).try_for_each(|from| {
            self.takes(from, position.goats, free).try_for_each(|(_, next)| to(from, next))?;
            self.steps(from, free).try_for_each(|next| to(from, next))
        })
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (from, to) = (usize::from(m.from), usize::from(m.to));
        let mut next = Position { turn: !position.turn, ..*position };
        if from == to {
            next.goats |= 1 << to;
            next.hand -= 1;
        } else if position.turn == Player::One {
            next.goats = next.goats & !(1 << from) | 1 << to;
        } else {
            next.tigers = next.tigers & !(1 << from) | 1 << to;
            if self.near[from] >> to & 1 == 0 {
                next.goats &= !(1 << ((from + to) / 2));
            }
        }
        next
    }

    fn canonical(&self, position: &Position) -> Position {
        let image = |symmetry: &CellMap| {
            let [goats, tigers] =
                [position.goats, position.tigers].map(|set| symmetry.apply(set.into()) as u32);
            Position { goats, tigers, ..*position }
        };
        let images = self.symmetries.iter().map(image);
        images.min_by_key(|image| (image.tigers, image.goats)).unwrap_or(*position)
    }
}

impl Scored for Tigers {}

impl Indexed for Tigers {
    fn size(&self) -> u64 {
        self.stages.last().map_or(0, |(_, indices)| indices.end)
    }

    fn index(&self, position: &Position) -> u64 {
        let (class, symmetry) = self.classes.of(self.subsets.rank(position.tigers.into()));
        let goats = self.symmetries[symmetry].apply(position.goats.into());
        let least = self.stabilizer(class).map(|image| image.apply(goats)).fold(goats, u64::min);
        let packed = compress(least, without(self.classes.least(class).into()));
        self.block(position.stage(), position.turn, class) + self.subsets.rank(packed)
    }

    fn position(&self, index: u64) -> Option<Position> {
        let mut found = None;
        self.walk(index..index.saturating_add(1), &mut |_, position| found = Some(position));
        found
    }

    fn walk(&self, range: Range<u64>, visit: &mut impl FnMut(u64, Position)) {
        let mut index = range.start;
        while index < range.end {
            let at = self.stages.partition_point(|(_, indices)| indices.end <= index);
            let Some((stage, indices)) = self.stages.get(at) else { return };
            let sets = self.subsets.choose(REST, stage.goats());
            let (class, rank) = ((index - indices.start) / sets, (index - indices.start) % sets);
            let count = self.classes.count() as u64;
            let turn = stage.turn.unwrap_or(if class < count { Player::One } else { Player::Two });
            let class = (class % count) as usize;
            let tigers = self.classes.least(class);
            let mut packed = self.subsets.subset(rank, stage.goats());
            for _ in rank..sets.min(rank + range.end - index) {
                let goats = expand(packed, without(tigers.into()));
                if self.stabilizer(class).all(|image| image.apply(goats) >= goats) {
                    visit(index, Position { goats: goats as u32, tigers, hand: stage.hand, turn });
                }
                packed = next_of_its_size(packed);
                index += 1;
            }
        }
    }
}

impl Tiered for Tigers {
    fn tiers(&self) -> Vec<Tier> {
        let tier = |(stage, indices): &(Stage, Range<u64>)| {
            let turn = match stage.turn {
                None => "",
                Some(Player::One) => "-goats",
                Some(Player::Two) => "-tigers",
            };
            Tier {
                name: format!("{}h{}t{turn}", stage.hand, stage.taken),
                numbers: indices.clone(),
                leaves: stage.taken < TAKEN,
                stays: stage.hand == 0 && stage.taken < TAKEN,
                sections: Vec::new(),
            }
        };
        self.stages.iter().map(tier).collect()
    }

    fn exits(&self, tier: usize) -> Vec<usize> {
        let (Stage { hand, taken, turn }, _) = self.stages[tier];
        if taken == TAKEN {
            return Vec::new();
        }
        let goats_turn = (hand > 0).then_some(Player::One);
        let more = Stage { hand, taken: taken + 1, turn: goats_turn };
        let more = (taken + 1 < TAKEN && GOATS - hand > taken).then_some(more);
        let stages = match turn {
            None => vec![more],
            Some(Player::One) => {
                let turn = (hand > 1).then_some(Player::Two);
                vec![Some(Stage { hand: hand - 1, taken, turn })]
            }
            Some(Player::Two) => vec![more, Some(Stage { hand, taken, turn: goats_turn })],
        };
        stages.into_iter().flatten().map(|stage| self.place(stage)).collect()
    }

    fn predecessors_within(&self, position: &Position, visit: &mut impl FnMut(u64, bool)) {
        if position.hand > 0 || position.taken() >= TAKEN {
            return;
        }
        // The other player has stepped.
        let free = position.free();
        let turn = !position.turn;
        let men = if turn == Player::One { position.goats } else { position.tigers };
        for to in cells(men) {
            for from in self.steps(to, free) {
                let men = men & !(1 << to) | 1 << from;
                let before = match turn {
                    Player::One => Position { goats: men, turn, ..*position },
                    Player::Two => Position { tigers: men, turn, ..*position },
                };
                visit(self.index(&before), true);
            }
        }
    }

    fn staying(&self, position: &Position) -> Option<u32> {
        if position.hand > 0 {
            return Some(0);
        }
        // Two moves may lead to images of one board, if the men that stay are an image of themselves.
        let (mine, rest) = match position.turn {
            Player::One => (position.goats, position.tigers),
            Player::Two => (position.tigers, position.goats),
        };
        let kept = |symmetry: &CellMap| symmetry.apply(rest.into()) == u64::from(rest);
        if self.symmetries[1..].iter().any(kept) {
            return None;
        }
        let free = position.free();
        Some(cells(mine).map(|from| (self.near[from] & free).count_ones()).sum())
    }

    fn leave(&self, position: &Position, visit: &mut impl FnMut(Exit)) {
        if position.hand > 0 && position.turn == Player::One {
            let (class, symmetry) = self.classes.of(self.subsets.rank(position.tigers.into()));
            // The tigers stay: without symmetry the children lie in one block.
            if symmetry == 0 && self.stabilizer(class).next().is_none() {
                let hand = position.hand - 1;
                let stage = Stage { hand, taken: position.taken(), turn: (hand > 0).then_some(Player::Two) };
                let block = self.block(stage, Player::Two, class);
                let goats = compress(position.goats.into(), without(position.tigers.into()));
                for point in (0..REST).filter(|point| goats >> point & 1 == 0) {
                    visit(Exit::To(block + self.subsets.rank(goats | 1 << point), Step::PASSED));
                }
                return;
            }
        }
        let stays = |m: Move| position.turn == Player::One || self.near[usize::from(m.from)] >> m.to & 1 == 1;
        let _ = self.moves(position, &mut |m| {
            if position.hand > 0 || !stays(m) {
                let child = self.play(position, m);
                visit(match child.taken() {
                    TAKEN => Exit::Ends(Value::win_in(1)),
                    _ => Exit::To(self.index(&child), Step::PASSED),
                });
            }
            MORE
        });
    }
}

impl Heuristic for Tigers {
    fn key(&self, position: &Position) -> u64 {
        let position = self.canonical(position);
        let men = u64::from(position.goats) | u64::from(position.tigers) << 32;
        mix_pair(men, u64::from(position.hand) << 1 | position.turn.index() as u64)
    }

    /// Goats that were taken, tigers that are shut in, and points that tigers can step to.
    fn guess(&self, position: &Position) -> i32 {
        let free = position.free();
        let (mut shut, mut open) = (0, 0);
        for tiger in cells(position.tigers) {
            let steps = (self.near[tiger] & free).count_ones() as i32;
            open += steps;
            let stuck = steps == 0 && self.takes(tiger, position.goats, free).next().is_none();
            shut += i32::from(stuck);
        }
        let goats = 60 * shut - 3 * open - 200 * position.taken() as i32;
        if position.turn == Player::One { goats } else { -goats }
    }

    fn hint(&self, position: &Position, _m: Move, child: &Position) -> i32 {
        200 * (child.taken() - position.taken()) as i32
    }

    fn cyclic(&self) -> bool {
        true
    }
}

impl Bounds for Tigers {}

impl Notation for Tigers {
    fn write_position(&self, position: &Position) -> String {
        let board = self.points.write([position.goats.into(), position.tigers.into()]);
        format!("{board} {} {}", position.hand, position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board, hand], turn) = words::fields(text, "the board's rows from the top, the goats in hand,")?;
        let [goats, tigers] = self.points.read(board)?;
        let hand =
            words::number(hand, GOATS.into()).ok_or("bad goats in hand: expected a number to 20")? as u32;
        if tigers.count_ones() as usize != TIGERS {
            return Err(format!("{}: expected 4", counted(tigers.count_ones(), "tiger")));
        }
        let placed = goats.count_ones() + hand;
        if !(GOATS - TAKEN..=GOATS).contains(&placed) {
            return Err(format!(
                "{} on the board and in hand: expected 15 to 20, as the tigers take at most 5",
                counted(placed, "goat")
            ));
        }
        if placed == GOATS - TAKEN && turn == Player::Two {
            return Err("five goats are taken with the tigers to move: expected the goats' turn".into());
        }
        Ok(Position { goats: goats as u32, tigers: tigers as u32, hand, turn })
    }

    fn write_move(&self, position: &Position, m: Move) -> String {
        let (from, to) = (self.points.name(m.from.into()), self.points.name(m.to.into()));
        match m.from == m.to {
            true => to.to_owned(),
            false if position.turn == Player::Two && self.near[usize::from(m.from)] >> m.to & 1 == 0 => {
                format!("{from}x{to}")
            }
            false => format!("{from}-{to}"),
        }
    }

    fn draw(&self, position: &Position) -> String {
        let board = self.points.write([position.goats.into(), position.tigers.into()]);
        let grid = grundy_core::grid::Grid { columns: SIDE, rows: SIDE };
        format!("{}\n\n{} goats in hand, {}", grid.draw(&board), position.hand, position.turn.digit())
    }
}
