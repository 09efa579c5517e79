//! Indexing of the positions of an ending and of every ending that captures and promotions lead to, for tables on disk.
//!
//! The order is by class (bare kings last), side to move, word of the layout, and square of the last man. Many indices
//! have no position: two men on one square, identical men in the other order, en passant rights that do not exist.

use rustc_hash::FxHashMap;

use super::arrangement::Arrangement;
use super::man::{PAWN, kept, material};
use super::pairs::Pairs;
use crate::material::Material;
use grundy_core::sorting;

/// The first index of each class.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    /// The classes by material.
    pub(super) classes: FxHashMap<Material, Class>,
    /// The classes in the order of their indices.
    pub(super) order: Vec<Material>,
    /// The first index of bare kings.
    pub(super) bare: u64,
    pub(super) size: u64,
}

/// A class and its indices.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) first: u64,
    /// Number of indices with one side to move.
    pub(super) span: u64,
    pub(super) arrangement: Arrangement,
}

/// Bare kings.
pub(super) const BARE: Material = Material([[0; 5]; 2]);

/// Returns the pairs of bare kings.
pub(super) fn bare() -> &'static Pairs {
    Pairs::of(Pairs::symmetries(false))
}

impl Numbering {
    /// Indexes these endings and every ending they can lead to; `None` if an ending has too many men for a layout.
    pub fn new(endings: impl IntoIterator<Item = Material>) -> Option<Numbering> {
        let mut open: Vec<Material> = endings.into_iter().map(kept).collect();
        let mut numbering = Numbering::default();
        while let Some(ending) = open.pop() {
            if ending == BARE {
                continue;
            }
            if !is_laid_out(ending) {
                return None;
            }
            if !numbering.order.contains(&ending) {
                numbering.order.push(ending);
                open.extend(smaller(ending));
            }
        }
        sorting::sort(&mut numbering.order);
        for &ending in &numbering.order {
            let arrangement = Arrangement::new(ending);
            let span = arrangement.words() as u64 * 64;
            numbering.classes.insert(ending, Class { first: numbering.bare, span, arrangement });
            numbering.bare += 2 * span;
        }
        numbering.size = numbering.bare + 2 * bare().kings.len() as u64;
        Some(numbering)
    }

    /// Returns the layout of a class; `None` if it is not indexed.
    pub(super) fn arrangement(&self, ending: Material) -> Option<&Arrangement> {
        Some(&self.classes.get(&ending)?.arrangement)
    }

    /// Returns the classes with their first indices.
    pub fn classes(&self) -> Vec<(Material, u64)> {
        self.order.iter().filter_map(|ending| Some((*ending, self.classes.get(ending)?.first))).collect()
    }
}

/// Reports whether an ending has a layout: three to five men, kings included.
pub fn is_laid_out(ending: Material) -> bool {
    (3..=5).contains(&ending.men())
}

/// Returns the endings that captures and promotions lead to, in the colouring of their tables, without bare kings.
pub(super) fn smaller(ending: Material) -> Vec<Material> {
    let men = Arrangement::new(ending).men;
    let mut list = Vec::new();
    for i in 0..men.len() {
        let mut fewer = men.clone();
        let man = fewer.remove(i);
        if !fewer.is_empty() {
            list.push(kept(material(fewer)));
        }
        if man.is_pawn() {
            for kind in 0..PAWN {
                let mut promoted = men.clone();
                promoted[i].kind = kind;
                list.push(kept(material(promoted)));
            }
        }
    }
    sorting::sort(&mut list);
    list.dedup();
    list
}
