//! The graph behind a position without boxes to take: joints, and what joins them.
//!
//! A joint is a box with three or four open lines; a *link* is a line between two joints or from a joint to the
//! border, or a chain of boxes with two open lines each. Which way a chain runs does not matter for play, only its
//! length and what its ends are at. So a position's fingerprint is a sum over its links, of words that depend on a
//! link's ends and length: once with the boxes' own names, and once for each mirror image with theirs. Positions
//! of one fingerprint (128 bits are kept) are the same game. Loose pieces are no links; they are counted apart.

use super::Setup;
use super::loose::{Loose, Piece};
use super::rules::{Degrees, Dots, Lines};
use crate::games::bits::Bits;

/// A sum of words for each of the eight images of the board (each twice on a board that is no square).
pub(super) type Print = [u64; 8];

/// What a link ends at: the place of a joint, or one of these behind the last place.
type End = u8;

/// A line with what it joins.
#[derive(Clone, Debug)]
struct Edge<B> {
    set: Lines<B>,
    ends: [End; 2],
    print: Print,
}

/// The unchanging parts of all graphs of a board.
#[derive(Clone, Debug)]
pub(super) struct Frame<B> {
    /// The lines, the middle of the board first.
    edges: Vec<Edge<B>>,
    /// For each place of a box its four lines' places in `edges`.
    sides: Vec<[u8; 4]>,
    /// For each end its name in each image.
    names: Vec<Print>,
    /// For each length of a link a word.
    lengths: Vec<u64>,
    /// The lines on the border.
    border: Lines<B>,
    /// The end of links that lead to the border.
    ground: End,
    /// The end of loops that stay on the board because there are too many loose pieces.
    ring: End,
    pub loose: Loose,
}

/// A chain of boxes with two open lines each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain<B> {
    pub boxes: B,
    ends: [End; 2],
    print: Print,
}

/// A graph in the making: the lines, the fingerprint, loose pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Graph<B> {
    /// The open lines that do not belong to loose pieces.
    pub open: Lines<B>,
    pub(super) print: Print,
    /// The number of the multiset of loose pieces.
    pub loose: u16,
}

/// Changes to a graph whose chains are listed.
pub(super) struct Draft<'a, B> {
    frame: &'a Frame<B>,
    chains: &'a [Chain<B>],
    /// Chains of the list that are no more, as bits; no board has more than 50 chains at once.
    gone: u64,
    /// Chains that are new.
    fresh: [Option<Chain<B>>; 3],
    /// Boxes with two open lines.
    two: B,
    graph: Graph<B>,
    taken: u32,
}

impl<B: Bits> Frame<B> {
    pub(super) fn new(setup: &Setup, lines: &[Lines<B>]) -> Frame<B> {
        let Setup { rows, cols, penalty, .. } = *setup;
        let stride = cols + 1;
        let (ground, ring) = (setup.width() as End, setup.width() as End + 1);
        let mut seed = 0x1234_5678_9ABC_DEF1_u64;
        let mut word = move || {
            seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
            scatter(seed)
        };
        let own: Vec<u64> = (0..=ring).map(|_| word()).collect();
        let names = (0..=ring).map(|end| images(end, rows, cols).map(|image| own[usize::from(image)]));
        let mut frame = Frame {
            edges: Vec::new(),
            sides: vec![[0; 4]; setup.width() as usize],
            names: names.collect(),
            lengths: (0..=rows * cols).map(|_| word()).collect(),
            border: Lines::default(),
            ground,
            ring,
            loose: Loose::new(rows * cols, penalty),
        };
        let mut middle_first = lines.to_vec();
        middle_first.sort_by_key(|line| far(line, rows, cols));
        for (n, &set) in middle_first.iter().enumerate() {
            let (place, back) = if set.h.none() { (set.v.lowest(), 1) } else { (set.h.lowest(), stride) };
            let inside = |box_place: u32| box_place / stride < rows && box_place % stride < cols;
            // The box after the line and the one before it; a vertical line's may not lie in another row.
            let after = Some(place).filter(|&p| inside(p));
            let before =
                place.checked_sub(back).filter(|&p| inside(p) && (back > 1 || p / stride == place / stride));
            let end = |side: Option<u32>| side.map_or(ground, |p| p as End);
            let ends = [end(before), end(after)];
            if ends.contains(&ground) {
                frame.border.h |= set.h;
                frame.border.v |= set.v;
            }
            let slot = |vertical: usize, second: usize| 2 * vertical + second;
            let vertical = usize::from(set.h.none());
            if let Some(p) = after {
                frame.sides[p as usize][slot(vertical, 0)] = n as u8;
            }
            if let Some(p) = before {
                frame.sides[p as usize][slot(vertical, 1)] = n as u8;
            }
            let print = frame.print(ends, 0);
            frame.edges.push(Edge { set, ends, print });
        }
        frame
    }

    /// The words of a link.
    #[inline]
    fn print(&self, ends: [End; 2], boxes: u32) -> Print {
        let word = self.lengths[boxes as usize];
        let (a, b) = (&self.names[usize::from(ends[0])], &self.names[usize::from(ends[1])]);
        std::array::from_fn(|i| a[i].wrapping_add(word).wrapping_mul(b[i].wrapping_add(word)))
    }
}

impl<B: Bits> Dots<B> {
    /// Lists the chains of a position without boxes to take.
    #[inline]
    pub(super) fn chains(&self, open: Lines<B>, degrees: &Degrees<B>, visit: &mut impl FnMut(Chain<B>)) {
        let frame = self.frame();
        let mut rest = degrees.two;
        while !rest.none() {
            let boxes = self.flood(rest.lowest_set(), rest, open);
            rest = rest.without(boxes);
            let joints = self.grow(boxes, open).without(boxes);
            let around = self.around(boxes);
            let at_border = open.meets(Lines { h: around.h & frame.border.h, v: around.v & frame.border.v });
            let ends = if joints.none() {
                if at_border { [frame.ground; 2] } else { [frame.ring; 2] }
            } else {
                let first = joints.lowest() as End;
                let second = joints.without(joints.lowest_set());
                match (second.none(), at_border) {
                    (false, _) => [first, second.lowest() as End],
                    (true, true) => [first, frame.ground],
                    (true, false) => [first, first],
                }
            };
            visit(Chain { boxes, ends, print: frame.print(ends, boxes.count()) });
        }
    }

    /// The graph of lines that leave no box to take.
    pub(super) fn graph(&self, open: Lines<B>, loose: u16) -> Graph<B> {
        let frame = self.frame();
        let degrees = self.degrees(open);
        let mut graph = Graph { open, print: [0; 8], loose };
        let in_chains = self.around(degrees.two);
        for edge in frame.edges.iter().filter(|e| e.set.meets(open) && !e.set.meets(in_chains)) {
            add(&mut graph.print, &edge.print);
        }
        self.chains(open, &degrees, &mut |chain| match frame.detached(&chain, graph.loose) {
            Some(more) => {
                graph.loose = more;
                graph.open = graph.open.without(self.around(chain.boxes));
            }
            None => add(&mut graph.print, &chain.print),
        });
        graph
    }

    /// Visits what is left after each safe line, the middle of the board first.
    #[inline]
    pub(super) fn after_safe_lines(
        &self,
        graph: &Graph<B>,
        chains: &[Chain<B>],
        degrees: &Degrees<B>,
        visit: &mut impl FnMut(Graph<B>),
    ) {
        let frame = self.frame();
        let safe = graph.open.without(self.around(degrees.two));
        for edge in frame.edges.iter().filter(|edge| edge.set.meets(safe)) {
            let mut draft = Draft::new(frame, graph, chains, degrees);
            draft.graph.open = draft.graph.open.without(edge.set);
            subtract(&mut draft.graph.print, &edge.print);
            for end in edge.ends {
                draft.lost_a_line(self, end);
            }
            visit(draft.graph);
        }
    }

    /// What is left after a chain is opened and all that can be had is taken, and how many boxes that was.
    #[inline]
    pub(super) fn after_opening(
        &self,
        graph: &Graph<B>,
        chains: &[Chain<B>],
        degrees: &Degrees<B>,
        n: usize,
    ) -> (Graph<B>, u32) {
        let mut draft = Draft::new(self.frame(), graph, chains, degrees);
        let chain = &chains[n];
        draft.gone |= 1 << n;
        draft.take(self, chain.boxes, &chain.print);
        draft.lost_a_line(self, chain.ends[0]);
        if chain.ends[0] != chain.ends[1] {
            draft.lost_a_line(self, chain.ends[1]);
        }
        (draft.graph, draft.taken)
    }

    /// Whether a chain is a loop that hangs on nothing.
    #[inline]
    pub(super) fn is_ring(&self, chain: &Chain<B>) -> bool {
        chain.ends[0] == self.frame().ring
    }
}

impl<B: Bits> Frame<B> {
    /// The loose pieces with this chain among them, if it hangs on nothing and there is room for it.
    #[inline]
    fn detached(&self, chain: &Chain<B>, loose: u16) -> Option<u16> {
        if chain.ends[0] != chain.ends[1] || chain.ends[0] < self.ground {
            return None;
        }
        let boxes = chain.boxes.count();
        let piece = if chain.ends[0] == self.ring { Piece::Loop(boxes) } else { Piece::Chain(boxes) };
        self.loose.with(loose, piece)
    }
}

impl<'a, B: Bits> Draft<'a, B> {
    #[inline]
    fn new(
        frame: &'a Frame<B>,
        graph: &Graph<B>,
        chains: &'a [Chain<B>],
        degrees: &Degrees<B>,
    ) -> Draft<'a, B> {
        let graph = *graph;
        Draft { frame, chains, gone: 0, fresh: [None; 3], two: degrees.two, graph, taken: 0 }
    }

    /// Takes boxes of one link.
    #[inline]
    fn take(&mut self, game: &Dots<B>, boxes: B, print: &Print) {
        self.graph.open = self.graph.open.without(game.around(boxes));
        subtract(&mut self.graph.print, print);
        self.taken += boxes.count();
    }

    /// Looks after what a joint has become that lost a line: still a joint, part of a chain, or taken.
    #[inline]
    fn lost_a_line(&mut self, game: &Dots<B>, mut end: End) {
        while end < self.frame.ground {
            let sides = self.frame.sides[usize::from(end)];
            let open = sides
                .iter()
                .filter(|&&n| self.frame.edges[usize::from(n)].set.meets(self.graph.open))
                .count();
            match open {
                2 => return self.joint_becomes_chain(game, end),
                1 => end = self.joint_is_taken(game, end),
                _ => return,
            }
        }
    }

    /// Visits the links of a joint and forgets them: for each its chain, if it is one, and its other end.
    #[inline]
    fn unlink(&mut self, joint: End, visit: &mut impl FnMut(Option<&Chain<B>>, End)) {
        for n in self.frame.sides[usize::from(joint)] {
            let edge = &self.frame.edges[usize::from(n)];
            let other = if edge.ends[0] == joint { edge.ends[1] } else { edge.ends[0] };
            let in_chain = other < self.frame.ground && self.two.meets(B::ONE << u32::from(other));
            if edge.set.meets(self.graph.open) && !in_chain {
                subtract(&mut self.graph.print, &edge.print);
                visit(None, other);
            }
        }
        for (n, chain) in self.chains.iter().enumerate() {
            if chain.ends.contains(&joint) && self.gone >> n & 1 == 0 {
                self.gone |= 1 << n;
                subtract(&mut self.graph.print, &chain.print);
                visit(Some(chain), other_end(chain, joint));
            }
        }
        for fresh in &mut self.fresh {
            if let Some(chain) = fresh.take_if(|chain| chain.ends.contains(&joint)) {
                subtract(&mut self.graph.print, &chain.print);
                visit(Some(&chain), other_end(&chain, joint));
            }
        }
    }

    fn joint_becomes_chain(&mut self, game: &Dots<B>, joint: End) {
        let mut boxes = B::ONE << u32::from(joint);
        let (mut ends, mut n) = ([self.frame.ring; 2], 0);
        self.two |= boxes;
        self.unlink(joint, &mut |chain, end| {
            if let Some(chain) = chain {
                boxes |= chain.boxes;
            }
            // A chain from the joint to itself closes to a ring.
            if end != joint && n < 2 {
                ends[n] = end;
                n += 1;
            }
        });
        let print = self.frame.print(ends, boxes.count());
        let chain = Chain { boxes, ends, print };
        if let Some(more) = self.frame.detached(&chain, self.graph.loose) {
            self.graph.loose = more;
            self.graph.open = self.graph.open.without(game.around(boxes));
            return;
        }
        add(&mut self.graph.print, &print);
        if let Some(slot) = self.fresh.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(chain);
        }
    }

    /// Takes a box with one line left and the chain behind it; gives the end that loses a line by this.
    fn joint_is_taken(&mut self, game: &Dots<B>, joint: End) -> End {
        let mut boxes = B::ONE << u32::from(joint);
        let mut next = self.frame.ground;
        self.unlink(joint, &mut |chain, end| {
            if let Some(chain) = chain {
                boxes |= chain.boxes;
            }
            next = end;
        });
        self.take(game, boxes, &[0; 8]);
        next
    }
}

#[inline]
fn other_end<B>(chain: &Chain<B>, joint: End) -> End {
    if chain.ends[0] == joint { chain.ends[1] } else { chain.ends[0] }
}

#[inline]
fn add(print: &mut Print, more: &Print) {
    for (a, b) in print.iter_mut().zip(more) {
        *a = a.wrapping_add(*b);
    }
}

#[inline]
fn subtract(print: &mut Print, less: &Print) {
    for (a, b) in print.iter_mut().zip(less) {
        *a = a.wrapping_sub(*b);
    }
}

impl<B: Bits> Graph<B> {
    /// The fingerprint, the same for all images: 128 bits.
    #[inline]
    pub(super) fn key(&self) -> [u64; 2] {
        let (mut least, mut all) = (u64::MAX, 0_u64);
        for &word in &self.print {
            least = least.min(word);
            all = all.wrapping_add((word ^ word >> 29).wrapping_mul(word | 1));
        }
        let loose = u64::from(self.loose);
        [
            scatter(least.wrapping_add(loose.wrapping_mul(0x9E37_79B9_7F4A_7C15))),
            scatter(all ^ loose.wrapping_mul(0xD6E8_FEB8_6659_FD93)),
        ]
    }
}

/// Where the images of the board take an end.
fn images(end: End, rows: u32, cols: u32) -> [End; 8] {
    let stride = cols + 1;
    let (r, c) = (u32::from(end) / stride, u32::from(end) % stride);
    if r >= rows || c >= cols {
        return [end; 8];
    }
    std::array::from_fn(|i| {
        let (r, c) = if i & 4 != 0 && rows == cols { (c, r) } else { (r, c) };
        let r = if i & 1 != 0 { rows - 1 - r } else { r };
        let c = if i & 2 != 0 { cols - 1 - c } else { c };
        (r * stride + c) as End
    })
}

/// How far the middle of a line is from the board's, in city blocks; of lines equally far those across the board's
/// longer side come first.
fn far<B: Bits>(line: &Lines<B>, rows: u32, cols: u32) -> i32 {
    let (rows, cols, stride) = (rows as i32, cols as i32, cols as i32 + 1);
    let (vertical, place) = if line.h.none() { (1, line.v) } else { (0, line.h) };
    let place = place.lowest() as i32;
    let (r, c) = (2 * (place / stride) + vertical, 2 * (place % stride) + 1 - vertical);
    let across = if cols >= rows { vertical } else { 1 - vertical };
    2 * ((r - rows).abs() + (c - cols).abs()) + 1 - across
}

/// A one-to-one scattering of words.
#[inline]
fn scatter(mut x: u64) -> u64 {
    x = (x ^ x >> 31).wrapping_mul(0x7FB5_D329_728E_A185);
    x = (x ^ x >> 27).wrapping_mul(0x81DA_DEF4_BC2D_D44D);
    x ^ x >> 33
}
