//! Subset Take-Away: Chomp on the subsets of a set.
//!
//! * At the start there are all subsets of N letters but the empty and the whole one.
//! * A move takes a set and all sets that contain it. Who takes the last set wins.
//! * Position `ab,c 1`: the largest sets left, joined by commas (`-` for none); all their subsets are there as well.
//!   Move `ab`, the set.
//!
//! Solved by Grundy numbers of the positions up to renaming the letters, with seven letters by a table of outcomes. A position is a set of sets, bit `s` for the set
//! with the binary digits `s`, letter `a` the lowest.
//!
//! Source: D. Gale and A. Neyman, "Nim-type games", International Journal of Game Theory 11, 1982, who conjectured that the
//! second player always wins; A. E. Brouwer and J. D. Christensen, "Counterexamples to conjectures about Subset Takeaway
//! and counting linear extensions of a Boolean lattice", Order 35, 2018: with 7 letters the first player does.

mod families;
mod numbering;

use std::ops::Range;
use std::sync::OnceLock;

use grundy_core::bits::indices;
use grundy_core::game::{Flow, Player};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Indices, Layout, Move, Position};
use grundy_tables::layers::{Order, Outcomes};

use numbering::Numbering;

/// The number of indices by letters.
const SIZES: [u64; Subsets::MOST + 1] = [0, 0, 5, 16, 89, 1_567, 268_988, 6_031_580_180];

/// The rules for a number of letters. The sets left are the bits of both players' men, those of player one the low ones.
#[derive(Clone, Debug)]
pub struct Subsets {
    letters: usize,
    /// For each set those that contain it.
    above: Vec<u128>,
    /// For each set its subsets, the empty one left out.
    below: Vec<u128>,
    /// The indices, once they are needed.
    numbering: OnceLock<Numbering>,
}

/// Returns the sets left.
fn sets(position: &Position) -> u128 {
    u128::from(position.men[0]) | u128::from(position.men[1]) << 64
}

/// Returns the position with these sets left.
fn with(sets: u128, turn: Player) -> Position {
    Position { men: [sets as u64, (sets >> 64) as u64], rest: 0, turn }
}

impl Subsets {
    /// Largest number of letters.
    pub const MOST: usize = 7;

    /// Returns the game of `letters` letters.
    ///
    /// # Errors
    /// There are none, or more than [`Subsets::MOST`].
    pub fn new(letters: usize) -> Result<Subsets, String> {
        if !(1..=Subsets::MOST).contains(&letters) {
            return Err(format!("no game of {letters} letters: expected 1 to {}", Subsets::MOST));
        }
        let all = || 0..1usize << letters;
        let sets = |inside: &dyn Fn(usize) -> bool| {
            all().filter(|&set| inside(set)).fold(0, |sets, set| sets | 1u128 << set)
        };
        Ok(Subsets {
            letters,
            above: all().map(|set| sets(&|other| other & set == set)).collect(),
            below: all().map(|set| sets(&|other| other != 0 && other & set == other)).collect(),
            numbering: OnceLock::new(),
        })
    }

    /// Returns the number of letters.
    pub fn letters(&self) -> usize {
        self.letters
    }

    fn numbering(&self) -> &Numbering {
        self.numbering.get_or_init(|| Numbering::new(self.letters))
    }

    /// Returns the sets without the last letter, the empty one among them, and those with it, less this letter.
    fn halves(&self, sets: u128) -> [u64; 2] {
        let sets = sets | 1;
        let with = (sets >> (1 << (self.letters - 1))) as u64;
        let without = u64::MAX >> (64 - (1 << (self.letters - 1)));
        [sets as u64 & without, with]
    }

    fn name(set: usize) -> String {
        (b'a'..)
            .take(Subsets::MOST)
            .enumerate()
            .filter(|(i, _)| set >> i & 1 == 1)
            .map(|(_, l)| l as char)
            .collect()
    }

    /// Returns the set of a name, whose letters rise; `None` if it is none of this game.
    fn set(&self, name: &str) -> Option<usize> {
        let mut set = 0;
        for letter in name.bytes() {
            let place = usize::from(letter.checked_sub(b'a')?);
            if place >= self.letters || set >> place != 0 {
                return None;
            }
            set |= 1 << place;
        }
        (set != 0).then_some(set)
    }

    /// Returns the sets with the letters renamed: letter `i` becomes `order[i]`.
    fn renamed(&self, sets: u128, order: &[usize]) -> u128 {
        let mut images = [0usize; 1 << Subsets::MOST];
        for set in 1..1usize << self.letters {
            let low = set.trailing_zeros() as usize;
            images[set] = images[set & (set - 1)] | 1 << order[low];
        }
        indices(sets).fold(0, |renamed, set| renamed | 1 << images[set])
    }

    /// Returns a number for each letter that does not depend on the letters' names: how many sets of each size have it.
    fn signatures(&self, sets: u128) -> Vec<u64> {
        let mut signatures = vec![0; self.letters];
        for set in indices(sets) {
            let weight = 1 << (7 * (set.count_ones() - 1));
            for (letter, signature) in signatures.iter_mut().enumerate() {
                *signature += if set >> letter & 1 == 1 { weight } else { 0 };
            }
        }
        signatures
    }
}

/// Visits all orders of the letters in which their signatures do not fall: `letters` are sorted by signature, and those
/// before `from` are settled.
fn each_order(letters: &mut [usize], signatures: &[u64], from: usize, visit: &mut dyn FnMut(&[usize])) {
    if from == letters.len() {
        return visit(letters);
    }
    for other in from..letters.len() {
        if signatures[letters[other]] == signatures[letters[from]] {
            letters.swap(from, other);
            each_order(letters, signatures, from + 1, visit);
            letters.swap(from, other);
        }
    }
}

impl BoardRules for Subsets {
    fn layout(&self) -> Layout {
        Layout { cells: 64, rest: 0, stage: 0 }
    }

    fn start(&self) -> Position {
        let whole = (1usize << self.letters) - 1;
        with(self.below[whole] & !(1 << whole), Player::One)
    }

    fn ended(&self, position: &Position) -> Option<Value> {
        (position.taken() == 0).then(|| self.stuck(position))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        indices(sets(position)).try_for_each(|set| visit(Move(set as u64)))
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        with(sets(position) & !self.above[m.0 as usize], !position.turn)
    }

    fn essence(&self, position: &Position) -> Position {
        Position { turn: Player::One, ..*position }
    }

    /// Returns the least image under the renamings that sort the letters by their signatures.
    fn canonical(&self, position: &Position) -> Option<Position> {
        let sets = sets(position);
        let signatures = self.signatures(sets);
        let mut letters: Vec<usize> = (0..self.letters).collect();
        sorting::sort_by_key(&mut letters, |&letter| signatures[letter]);
        let mut least = u128::MAX;
        each_order(&mut letters, &signatures, 0, &mut |letters| {
            let mut order = [0; Subsets::MOST];
            letters.iter().enumerate().for_each(|(place, &letter)| order[letter] = place);
            least = least.min(self.renamed(sets, &order));
        });
        Some(with(least, position.turn))
    }

    /// Positions of one letter have none: there is no set.
    fn indices(&self) -> Option<&dyn Indices> {
        (self.letters > 1).then_some(self)
    }

    fn write_position(&self, position: &Position) -> String {
        let sets = sets(position);
        let largest = |&set: &usize| sets & self.above[set] == 1 << set;
        let names: Vec<String> = indices(sets).filter(largest).map(Subsets::name).collect();
        let sets = if names.is_empty() { "-".to_owned() } else { names.join(",") };
        format!("{sets} {}", position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([names], turn) = words::fields(text, "the largest sets left, joined by commas, as ab,c,")?;
        let mut sets = 0;
        for name in names.split(',').filter(|_| names != "-") {
            let set = self.set(name).filter(|&set| set + 1 < 1 << self.letters);
            let set = set.ok_or_else(|| {
                let last = (b'a' + self.letters as u8 - 1) as char;
                format!(
                    "{:?} is no set: expected letters of a to {last}, rising, not all",
                    words::short(name)
                )
            })?;
            sets |= self.below[set];
        }
        Ok(with(sets, turn))
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        Subsets::name(m.0 as usize)
    }

    fn read_move(&self, position: &Position, word: &str) -> Option<Move> {
        let set = self.set(word)?;
        (sets(position) >> set & 1 == 1).then_some(Move(set as u64))
    }
}

impl Indices for Subsets {
    /// The numbering takes a second to make with seven letters.
    fn size(&self) -> u64 {
        SIZES[self.letters]
    }

    fn number(&self, position: &Position) -> Option<u64> {
        let [base, link] = self.halves(sets(position));
        Some(self.numbering().index(base, link))
    }

    fn position(&self, number: u64) -> Option<Position> {
        let mut found = None;
        self.walk(number..number + 1, &mut |_, position| found = Some(position));
        found
    }

    fn order(&self) -> Order {
        Order::Lower
    }

    fn runs(&self) -> Vec<Vec<Range<u64>>> {
        self.numbering().groups()
    }

    fn decide(&self, states: Range<u64>, outcomes: &Outcomes) {
        self.numbering().decide(states, outcomes);
    }

    /// Returns a loss without a distance: a table of outcomes has none.
    fn settled(&self, position: &Position) -> Option<Value> {
        self.ended(position).map(|_| Value::LOSS)
    }

    fn walk(&self, range: Range<u64>, visit: &mut dyn FnMut(u64, Position)) {
        self.numbering().walk(range, &mut |number, base, link| {
            let sets = u128::from(base) | u128::from(link) << (1 << (self.letters - 1));
            visit(number, with(sets & !1, Player::One));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy_core::table::{EveryCheckpoint, NoCheckpoints, Table, Width};
    use grundy_search::board::BoardGame;
    use grundy_session::{Assurance, Work, quiet_work};
    use grundy_tables::layers::solve_outcomes;
    use grundy_tables::verify::verify_acyclic;

    use super::*;

    /// Reports whether the player to move wins, from the rules alone.
    fn wins(game: &Subsets, position: Position, known: &mut HashMap<Position, bool>) -> bool {
        let position = game.canonical(&position).unwrap();
        if let Some(&won) = known.get(&position) {
            return won;
        }
        let won = indices(sets(&position)).any(|set| {
            let child = Position { turn: Player::One, ..game.play(&position, Move(set as u64)) };
            !wins(game, child, known)
        });
        known.insert(position, won);
        won
    }

    fn count(numbering: &Numbering) -> u64 {
        numbering.groups().iter().flatten().map(|run| run.end - run.start).sum()
    }

    fn table(letters: usize) -> (BoardGame, Table) {
        let game = BoardGame::new(Subsets::new(letters).unwrap());
        let table = solve_outcomes(&game, &Work { threads: 2, ..quiet_work() }, &mut NoCheckpoints).unwrap();
        (game, table)
    }

    #[test]
    fn the_table_of_outcomes_agrees_with_the_rules_and_is_proved() {
        for (letters, size) in (2..7).map(|letters| (letters, SIZES[letters])) {
            let rules = Subsets::new(letters).unwrap();
            let (game, table) = table(letters);
            assert_eq!(count(rules.numbering()), size, "{letters} letters");
            let mut known = HashMap::new();
            let mut next = 0;
            Indices::walk(&rules, 0..size, &mut |number, position| {
                assert_eq!((number, rules.number(&position)), (next, Some(number)));
                next += 1;
                if letters < 6 || number.is_multiple_of(16) {
                    let expected = if wins(&rules, position, &mut known) { Value::WIN } else { Value::LOSS };
                    assert_eq!(table.get(number), Some(expected), "{}", rules.write_position(&position));
                }
            });
            assert_eq!(next, size);
            assert_eq!(table.get(rules.number(&rules.start()).unwrap()), Some(Value::LOSS));
            assert_eq!(verify_acyclic(&game, &table, &quiet_work()).unwrap(), Assurance::Proved);
        }
    }

    #[test]
    fn seven_letters_have_as_many_bases_as_there_are_complexes_of_six() {
        let numbering = Numbering::new(7);
        assert_eq!(numbering.groups().iter().map(Vec::len).sum::<usize>(), 16_352);
        assert_eq!(count(&numbering), SIZES[7]);
    }

    #[test]
    fn a_stopped_table_goes_on_from_every_checkpoint() {
        let (game, expected) = table(4);
        let mut checkpoints = EveryCheckpoint::default();
        assert_eq!(solve_outcomes(&game, &quiet_work(), &mut checkpoints).unwrap(), expected);
        assert!(checkpoints.kept.len() > 5);
        for kept in checkpoints.kept {
            let mut from = EveryCheckpoint { from: Some(kept), ..EveryCheckpoint::default() };
            assert_eq!(solve_outcomes(&game, &quiet_work(), &mut from).unwrap(), expected);
        }
    }

    #[test]
    fn a_forged_outcome_is_found() {
        let (game, table) = table(4);
        for number in 0..table.count() {
            let mut cells = table.cells().unwrap().to_vec();
            // A loss, code 1, and a win, code 3, change places.
            cells[number as usize / 4] ^= 2 << (number % 4 * 2);
            let forged = Table::from_cells(table.coding(), table.count(), cells).unwrap();
            assert_eq!(forged.coding().width, Width::Quarter);
            assert!(verify_acyclic(&game, &forged, &quiet_work()).is_err(), "{number}");
        }
    }
}
