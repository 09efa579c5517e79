//! Equivalent positions: mirror images of the board, and exchanges of two border lines of one box.
//!
//! A box with two lines on the border (a corner; on boards of one row or column every box) may have these lines
//! exchanged: each belongs to that box alone, so a bijection of the lines that exchanges them maps boxes to boxes and
//! every line of play to a line of play of equal value.

use super::line_sets::Lines;
use grundy_core::bits::Bits;

/// The mirrors of sets of lines, as masks with shifts.
#[derive(Clone, Debug)]
pub struct Mirrors<B> {
    upside_down: Mirror<B>,
    left_right: Mirror<B>,
    diagonal: Option<Mirror<B>>,
    exchanges: Vec<Exchange<B>>,
}

/// One mirror: the images of horizontals and verticals.
#[derive(Clone, Debug)]
struct Mirror<B> {
    h: Vec<Slide<B>>,
    v: Vec<Slide<B>>,
    swaps: bool,
}

/// A set of bits that move by the same distance.
#[derive(Clone, Copy, Debug)]
struct Slide<B> {
    places: B,
    left: u32,
    right: u32,
}

/// Two border lines of one box.
#[derive(Clone, Copy, Debug)]
struct Exchange<B> {
    first: Lines<B>,
    second: Lines<B>,
}

impl<B: Bits> Mirrors<B> {
    /// Returns the mirrors of a board of `rows` x `cols` boxes.
    pub(super) fn new(rows: u32, cols: u32) -> Mirrors<B> {
        let stride = cols + 1;
        let mirror = |swaps: bool,
                      h_to: &dyn Fn(u32, u32) -> (u32, u32),
                      v_to: &dyn Fn(u32, u32) -> (u32, u32)| {
            Mirror { h: slides(rows + 1, cols, stride, h_to), v: slides(rows, cols + 1, stride, v_to), swaps }
        };
        let turned = |r: u32, c: u32| (c, r);
        Mirrors {
            upside_down: mirror(false, &|r, c| (rows - r, c), &|r, c| (rows - 1 - r, c)),
            left_right: mirror(false, &|r, c| (r, cols - 1 - c), &|r, c| (r, cols - c)),
            diagonal: (rows == cols).then(|| mirror(true, &turned, &turned)),
            exchanges: exchanges(rows, cols),
        }
    }

    /// Returns the images of a set of lines: 4, or 8 on a square, including the set itself.
    pub fn images(&self, set: Lines<B>) -> impl Iterator<Item = Lines<B>> {
        let mirrors =
            [Some(&self.left_right), Some(&self.upside_down), Some(&self.left_right), self.diagonal.as_ref()];
        let rounds = if self.diagonal.is_some() { 8 } else { 4 };
        let mut image = set;
        (0..rounds).map(move |i| {
            if i > 0
                && let Some(mirror) = mirrors[(i - 1) % 4]
            {
                image = mirror.apply(image);
            }
            image
        })
    }

    /// Returns the set with border lines of a box exchanged so that the first of two is the open one.
    #[inline]
    pub fn settle(&self, mut set: Lines<B>) -> Lines<B> {
        for exchange in &self.exchanges {
            if set.meets(exchange.second) && !set.meets(exchange.first) {
                set = set.without(exchange.second);
                set.h |= exchange.first.h;
                set.v |= exchange.first.v;
            }
        }
        set
    }

    /// Returns the representative of all sets that are images of each other or differ by exchanges.
    #[inline]
    pub fn canonical(&self, set: Lines<B>) -> Lines<B> {
        self.images(set).map(|image| self.settle(image)).min().unwrap_or(set)
    }
}

impl<B: Bits> Mirror<B> {
    #[inline]
    fn apply(&self, set: Lines<B>) -> Lines<B> {
        let (h, v) = (slide(&self.h, set.h), slide(&self.v, set.v));
        if self.swaps { Lines { h: v, v: h } } else { Lines { h, v } }
    }
}

#[inline]
fn slide<B: Bits>(slides: &[Slide<B>], set: B) -> B {
    slides.iter().fold(B::NONE, |image, s| image | ((set & s.places) << s.left >> s.right))
}

/// Returns the bits of a block by the distance that a map moves them.
fn slides<B: Bits>(rows: u32, cols: u32, stride: u32, to: &dyn Fn(u32, u32) -> (u32, u32)) -> Vec<Slide<B>> {
    let mut slides: Vec<Slide<B>> = Vec::new();
    for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
        let from = r * stride + c;
        let (r, c) = to(r, c);
        let to = r * stride + c;
        let (left, right) = (to.saturating_sub(from), from.saturating_sub(to));
        match slides.iter_mut().find(|s| s.left == left && s.right == right) {
            Some(slide) => slide.places |= B::ONE << from,
            None => slides.push(Slide { places: B::ONE << from, left, right }),
        }
    }
    slides
}

/// Returns the pairs of border lines that belong to one box.
fn exchanges<B: Bits>(rows: u32, cols: u32) -> Vec<Exchange<B>> {
    let stride = cols + 1;
    let mut pairs = Vec::new();
    for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
        let place = r * stride + c;
        let h = |place: u32| Lines { h: B::ONE << place, v: B::NONE };
        let v = |place: u32| Lines { h: B::NONE, v: B::ONE << place };
        let mut border = Vec::new();
        border.extend((r == 0).then(|| h(place)));
        border.extend((r + 1 == rows).then(|| h(place + stride)));
        border.extend((c == 0).then(|| v(place)));
        border.extend((c + 1 == cols).then(|| v(place + 1)));
        for (i, &first) in border.iter().enumerate() {
            pairs.extend(border[i + 1..].iter().map(|&second| Exchange { first, second }));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use crate::{Dots, Setup};
    use grundy_core::game::Indexed;

    #[test]
    fn mirror_images_and_exchanges_share_a_canonical_set() {
        for (rows, cols) in [(1, 3), (2, 2), (2, 3)] {
            let game = Dots::<u32>::new(Setup::empty(rows, cols)).expect("fits");
            for n in 0..game.size() {
                let set = game.position(n).expect("every number is a position").open;
                let canonical = game.mirrors.canonical(set);
                let images: Vec<_> = game.mirrors.images(set).collect();
                assert_eq!(images.len(), if rows == cols { 8 } else { 4 });
                let ones = |set| grundy_core::bits::places(game.degrees(set).one).count();
                for image in images {
                    assert_eq!(image.count(), set.count());
                    assert_eq!(ones(image), ones(set));
                    assert_eq!(game.mirrors.canonical(image), canonical);
                }
            }
        }
    }

    #[test]
    fn symmetric_counts_are_the_published_ones() {
        // truth/dnb_symmetry_counts.tsv, without exchanges: 2x2 570, 2x3 33408.
        for (rows, cols, classes) in [(1, 1, 6), (1, 2, 48), (2, 2, 570), (2, 3, 33408)] {
            let game = Dots::<u32>::new(Setup::empty(rows, cols)).expect("fits");
            let least = |n: u64| {
                let set = game.position(n).expect("every number is a position").open;
                game.mirrors.images(set).all(|image| set <= image)
            };
            assert_eq!((0..game.size()).filter(|&n| least(n)).count(), classes, "{rows}x{cols}");
        }
    }
}
