//! The endings of chess as the classes that `tables/bitparallel` solves in turn: their layouts, and the smaller endings
//! that each depends on.

use std::ops::Range;

use super::arrangement::Arrangement;
use super::exits::{Captured, Promoted};
use super::file_portion::OnFile;
use super::forms::Layout;
use super::layout::Planes;
use super::man::{PAWN, kept};
use super::numbering::{is_laid_out, smaller};
use super::on_file;
use super::place::{OUTSIDE, place};
use super::slices::Sliced;
use super::slicing::Slicing;
use crate::material::Material;
use crate::rules::{Chess, Position, Scope};
use grundy_core::sorting;
use grundy_core::value::Value;
use grundy_tables::superposed::{Endings, Laid, Part, Place, Portion, Solved};
use grundy_tables::verify::fingerprint;

impl Endings for Chess {
    type Ending = Material;
    type Layout = Layout;
    type Slices = Slicing;

    fn plain(&self, position: &Position) -> Option<Value> {
        (position.board().occupied().len() == 2).then_some(Value::DRAW)
    }

    fn ending(&self, position: &Position) -> Option<Material> {
        let board = position.board();
        if board.occupied().len() > 5 {
            return None;
        }
        let men = position.material();
        (is_laid_out(men) && !position.may_castle()).then(|| kept(men))
    }

    fn named(&self, name: &str) -> Option<Material> {
        Material::read(name).ok().filter(|&men| is_laid_out(men) && kept(men) == men)
    }

    fn words(&self, ending: Material) -> usize {
        Arrangement::new(ending).words()
    }

    fn place(&self, ending: Material, position: &Position) -> Place {
        place(&Arrangement::new(ending), ending, position).unwrap_or(OUTSIDE)
    }

    fn asked_for(&self, ending: Material) -> bool {
        match self.scope() {
            Scope::Any => false,
            Scope::Men(men) => ending.men() <= men,
            Scope::Ending(own) => own.leads_to(ending) || own.swapped().leads_to(ending),
        }
    }

    fn classes(&self) -> Vec<(Material, u64)> {
        self.numbering().classes()
    }

    fn stands(&self, ending: Material, side: usize, word: usize) -> u64 {
        self.numbering().arrangement(ending).map_or(0, |arrangement| arrangement.stands(side, word))
    }

    fn needs(&self, ending: Material) -> Vec<Material> {
        smaller(ending)
    }

    fn near(&self, position: &Position) -> Vec<Material> {
        let men = position.material();
        if position.may_castle() || men.men() > 6 {
            return Vec::new();
        }
        let taken = (0..2).flat_map(|side| (0..5).map(move |kind| (side, kind)));
        let mut list: Vec<Material> = taken
            .filter(|&(side, kind)| men.0[side][kind] > 0)
            .map(|(side, kind)| {
                let mut fewer = men;
                fewer.0[side][kind] -= 1;
                kept(fewer)
            })
            .filter(|&fewer| is_laid_out(fewer))
            .collect();
        sorting::sort(&mut list);
        list.dedup();
        list
    }

    /// Returns the plies left under the fifty-move rule, if it is on.
    fn horizon(&self, position: &Position) -> Option<u32> {
        self.rule50().then(|| 100u32.saturating_sub(position.board().halfmove_clock().into()))
    }

    fn rule(&self) -> &'static str {
        "the fifty-move rule"
    }

    fn deadline(&self, ending: Material) -> Option<u32> {
        (self.rule50() && ending.men() <= 4).then_some(100)
    }

    fn memory(&self, ending: Material, portion: Option<Portion>) -> u64 {
        let arrangement = Arrangement::new(ending);
        let words = words(&arrangement, portion);
        // Two sides: the cells, four sets, and copies of the smaller endings' cells; of slices up to four at once.
        let sets = if arrangement.sliced { arrangement.pairs.kings.len() as u64 * 64 * 4 } else { words };
        let own = if arrangement.sliced { sets * 64 } else { 0 };
        words * 2 * 64 + sets * 2 * 4 * 8 + own * 3 + words * 64 / 5
    }

    fn seconds(&self, ending: Material, portion: Option<Portion>) -> f64 {
        let arrangement = Arrangement::new(ending);
        // Slices take longer, because of the moves out of each.
        let speed = if arrangement.sliced { 500_000.0 } else { 1_000_000.0 };
        words(&arrangement, portion) as f64 / speed
    }

    fn fingerprint(&self, ending: Material) -> u64 {
        Chess::ending(ending).map_or(0, |game| fingerprint(&game))
    }

    fn portion(&self, ending: Material, place: Place) -> Option<Portion> {
        let arrangement = Arrangement::new(ending);
        if place.word >= arrangement.words() {
            return None;
        }
        if !arrangement.sliced {
            return on_file::portion(&arrangement, place);
        }
        let (_, squares) = arrangement.squares(place.word, place.bit)?;
        Some(Portion { chain: usize::from(squares[0] & 7), steps: arrangement.steps(&squares) })
    }

    fn stored(&self, ending: Material, portion: Option<Portion>) -> Option<[usize; 3]> {
        let arrangement = Arrangement::new(ending);
        let all = arrangement.words();
        let Some(Portion { chain, steps }) = portion else { return Some([0, 0, all]) };
        if !arrangement.sliced {
            let words = on_file::words();
            let is_one = steps == 1 && chain < on_file::chains(&arrangement);
            return is_one.then(|| [chain * words, chain * words, words]);
        }
        let length = arrangement.ranks();
        if chain >= 4 || !(1..=length).contains(&steps) {
            return None;
        }
        let words = all / (4 * length);
        let (first, lowest) = (chain * length * words, arrangement.lowest_slice(steps));
        Some([first, first + lowest * words, (length - lowest) * words])
    }

    fn portion_words(&self, ending: Material, portion: Portion) -> String {
        let arrangement = Arrangement::new(ending);
        if !arrangement.sliced {
            let (file, other) = on_file::files(&arrangement, portion);
            let letter = |file: u8| char::from(b'a' + file.min(7));
            let other = other.map_or(String::new(), |file| format!(", the other on {}", letter(file)));
            return format!("a pawn on the {}-file{other}, or mirrored", letter(file));
        }
        // Rank 0 encodes the double step of a pawn that is on the fourth now.
        let ranks = (0..portion.steps).map(|step| arrangement.rank_of(step)).filter(|&rank| rank > 0);
        let file = |file: usize| char::from(b'a' + file.min(7) as u8);
        let (left, right) = (file(portion.chain), file(7 - portion.chain.min(7)));
        format!("a pawn on the {left}- or {right}-file from its rank {} on", ranks.min().unwrap_or(6) + 1)
    }

    fn slices(
        &self,
        ending: Material,
        chain: usize,
        steps: Range<usize>,
        solved: &dyn Solved<Material>,
    ) -> Option<Slicing> {
        let arrangement = Arrangement::new(ending);
        if !arrangement.sliced {
            return OnFile::new(arrangement, Portion { chain, steps: 1 }, solved).map(Slicing::File);
        }
        let sliced = Sliced::new(arrangement, (chain..chain + 1, steps), &self.needs(ending), solved);
        Some(Slicing::Square(sliced))
    }

    fn place_in(&self, ending: Material, portion: Portion, place: Place) -> Place {
        let arrangement = Arrangement::new(ending);
        if arrangement.sliced { place } else { on_file::place(&arrangement, portion, place) }
    }

    fn needs_of(&self, ending: Material, portion: Option<Portion>) -> Vec<Part<Material>> {
        let arrangement = Arrangement::new(ending);
        match portion {
            Some(portion) if !arrangement.sliced => on_file::needs(&arrangement, portion),
            _ => self.needs(ending).into_iter().map(|needed| (needed, None)).collect(),
        }
    }

    fn layout(&self, ending: Material, solved: &dyn Solved<Material>) -> Laid<Layout, Slicing> {
        let arrangement = Arrangement::new(ending);
        let needed = self.needs(ending);
        if arrangement.sliced {
            let all = (0..4, 0..arrangement.ranks());
            return Laid::Sliced(Slicing::Square(Sliced::new(arrangement, all, &needed, solved)));
        }
        let solved = &|ending: Material| solved.levels(ending);
        let longest = needed.iter().map(|&needed| solved(needed).longest).max();
        let mut layout = Planes::new(arrangement, longest.unwrap_or(0));
        for (i, &man) in layout.arrangement.men.iter().enumerate() {
            let captured = Captured::new(&layout.arrangement, i, None, solved);
            layout.captured[usize::from(man.side)].push(captured);
            if man.is_pawn() {
                let mut promoted = Promoted::new(&layout.arrangement, i);
                for kind in 0..PAWN {
                    promoted.add(&layout.arrangement, kind, None, solved);
                }
                layout.promoted[usize::from(1 - man.side)].push(promoted.sealed());
            }
        }
        Laid::Whole(Layout::Planes(layout))
    }
}

/// Returns the words with one side to move of an ending, or of a portion of it.
fn words(arrangement: &Arrangement, portion: Option<Portion>) -> u64 {
    let all = arrangement.words() as u64;
    if portion.is_some() && !arrangement.sliced {
        return on_file::words() as u64;
    }
    portion.map_or(all, |portion| all / (4 * arrangement.ranks()) as u64 * portion.steps as u64)
}
