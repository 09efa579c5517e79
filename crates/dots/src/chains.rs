//! Positions reduced to chains: captures that are certainly best, and openings of chains that are worth trying.
//!
//! The *degree* of a box is the number of its open lines; a box of degree 1 can be taken; a *joint* has degree 3 or 4.
//! V(G) is the value for the player to move, G-e the position after line e, R the rest when the chains in question are
//! gone. All theorems hold for any value of the full board, so for any penalty. They go back to Berlekamp (*The Dots
//! and Boxes Game*); the proofs are ours.
//!
//! **A (free captures).** Let box b have degree 1 and its line e lead to the border, to another box of degree 1,
//! or to a joint. Then e is best. *Proof* by induction on the lines; let e take c boxes. A line f that takes
//! nothing leaves e to the opponent: it is worth at most -c - V(G-e-f), and e, then f, at least c - V(G-e-f).
//! Let f take g boxes. If e is still of the kind after f, V(G-f) = c + V(G-e-f), and f may follow e for the same
//! g. If not, f ran from a box m of degree 1 to the joint of e, now of degree 2; then G-f and G-e are the same
//! graph with b and m exchanged.
//!
//! **B (heads of chains).** Let a box b of degree 1 begin a row of k boxes, the others of degree 2, that ends (1)
//! at the border or a joint, k >= 3, or (2) in another box of degree 1, k = 3 or k >= 5. Then taking b is best.
//! *Proof* as before (in (2) the line of the other head is the mirror image of e), but for the line f that takes
//! nothing in G and a box in G-e: it cuts off b and the next box as a pair. It is worth at most -2 - (k-2) - V(R),
//! for the opponent may take all. Taking all but the last pair, k-4-V(R), is no worse in (1); taking all but two
//! pairs, k-8-V(R), is no worse in (2) with k >= 5; with k = 3 there is no such f.
//!
//! **C (which chain last).** If neither applies, each box of degree 1 heads a *pair*, a row of two to the border or a
//! joint, or is in a closed row of four. If there are two or more of these, the head of any is best that lies in a part
//! without an exit, and any head if all have exits. (A part is a connected component of the boxes that can be taken one
//! after another; an exit is a line from it to the border or to the rest.)
//! *Proof.* A line that takes nothing and closes no row loses to a capture as in A. Closing a row gives away its
//! s boxes, and the opponent may take the k boxes of another: at most -s-k-V(R). Taking the row and all but one or
//! two pairs of the other gives s+k-8-V(R) or more, no less. A capture goes on through its row by A and B, so by
//! induction captures differ only in the last row, on which D turns, and there a pair is better than four. A part
//! of n boxes has n-1 lines inside and is had with n lines, or n-1 if it ends in a double capture: so there is one
//! exit, and its last row is a pair, or none, and its last row is four.
//!
//! **D (the choice).** One row is left: the player to move takes all and moves in R, or closes it, the opponent takes
//! its t = 2 or 4 boxes and must move in R; other lines lose to a capture as in A. So with K boxes to be taken the
//! value V(G) is K + max(V(R), -2t - V(R)). If A to C leave no row, V(G) = K + V(R).
//!
//! **E (openings).** If no box has degree 1, a line beside a box of degree 2 opens a maximal row of k such boxes. All
//! lines of a row with k >= 3 have the same value: by A to D the opponent gets the same K, t and R, t = 4 if the row is
//! a loop by itself, else 2. With k = 2 the line between the two is best, for by A it leaves no choice; with k = 1
//! there is none. So one opening a row is enough; every other line is *safe*: it gives nothing away.
//!
//! **F (shortest first).** Of the loose chains of three boxes or more, of those of one or two, and of the loose loops,
//! only the shortest need be opened. *Proof.* Let a < b be lengths of one kind. Then |V(X+a) - V(X+b)| <= b-a for every
//! X, by induction: offers of X preserve it, since max(V, -2t-V) changes no more than V does, and opening a or b
//! differs by b-a. So a player who is offered a and then has b left gets no more than with a and b exchanged.
//!
//! **I (two of a kind).** Two loose chains of one box each may be removed, and so may two of two boxes: with s such a
//! chain, V(X+s+s) = V(X). *Proof* by induction on X. Every offer of X exists in X+s+s, with the same value by
//! induction. The additional one is s, with value -|s| - V(X+s), and V(X+s) is at least -|s| - V(X), for s may be
//! opened there. So its value is at most V(X), and exactly that if X has no lines.
//!
//! It does *not* follow that some best line of play finishes a chain once it is entered; that is false.

use super::graph::Graph;
use super::line_sets::{Degrees, Lines};
use super::loose_pieces::{NOTHING, Piece};
use super::refinement::GRAPHS;
use super::rules::{Dots, Position};
use grundy_core::bits::{Bits, places};
use grundy_core::random::{fibonacci, mix};
use grundy_core::value::Value;
use grundy_search::windows::{Offer, Reduced};

/// A position in which no box can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Core<B> {
    /// The open lines and the loose pieces.
    pub graph: Graph<B>,
    /// Number of unfinished boxes, including loose ones.
    pub boxes: u8,
}

/// The end of a row of boxes that begins at a box of degree 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowEnd {
    /// At the border or a joint.
    Away,
    /// At another box of degree 1.
    Head,
}

impl<B: Bits> Dots<B> {
    /// Returns the boxes joined to the boxes of `set` by open lines, and these themselves.
    #[inline]
    pub(super) fn grow(&self, set: B, open: Lines<B>) -> B {
        let across = ((set << 1) & open.v) | ((set & open.v) >> 1);
        let down = ((set << self.stride) & open.h) | ((set & open.h) >> self.stride);
        (set | across | down) & self.boxes
    }

    /// Returns the boxes that can be reached from those of `set` inside `within`.
    #[inline]
    pub(super) fn flood(&self, mut set: B, within: B, open: Lines<B>) -> B {
        loop {
            let more = self.grow(set, open) & within;
            if more == set {
                return set;
            }
            set = more;
        }
    }

    /// Draws all lines around some boxes; returns the number of boxes that this finishes.
    #[inline]
    fn strike(&self, open: &mut Lines<B>, boxes: B) -> i32 {
        let before = self.unfinished(*open).count();
        *open = open.without(self.around(boxes));
        (before - self.unfinished(*open).count()) as i32
    }

    /// Returns the row of boxes of degree 2 that a box of degree 1 heads, and its end.
    fn row(&self, head: B, open: Lines<B>, degrees: &Degrees<B>) -> (B, RowEnd) {
        let (mut row, mut last) = (head, head);
        loop {
            let next = self.grow(last, open).without(row);
            if next.meets(degrees.one) {
                return (row | next, RowEnd::Head);
            }
            if !next.meets(degrees.two) {
                return (row, RowEnd::Away);
            }
            row |= next;
            last = next;
        }
    }

    /// Takes the boxes of theorems A to C, and those of the final choice of theorem D. Returns the number of boxes, and
    /// the price of making the other player move in the rest; `None` if there is no choice.
    pub fn harvest(&self, open: &mut Lines<B>) -> (i32, Option<i32>) {
        let mut gain = 0;
        loop {
            let degrees = self.degrees(*open);
            if degrees.one.none() {
                return (gain, None);
            }
            let mut heads = degrees.one;
            let (mut pairs, mut fours) = (B::NONE, B::NONE);
            let mut certain = None;
            while !heads.none() {
                let head = heads.lowest_set();
                heads = heads.without(head);
                let (row, end) = self.row(head, *open, &degrees);
                match (row.count(), end) {
                    (2, RowEnd::Away) => pairs |= head,
                    (4, RowEnd::Head) => {
                        fours |= head;
                        heads = heads.without(row);
                    }
                    _ => {
                        certain = Some(head);
                        break;
                    }
                }
            }
            if certain.is_none() && (pairs | fours).count() > 1 {
                certain = Some(self.first_of(pairs, fours, *open));
            }
            match certain {
                Some(head) => gain += self.strike(open, head),
                None => {
                    let (row, _) = self.row(pairs | fours, *open, &degrees);
                    gain += self.strike(open, row);
                    return (gain, Some(if fours.none() { 4 } else { 8 }));
                }
            }
        }
    }

    /// Returns the head that theorem C takes first, of pairs and rows of four.
    fn first_of(&self, pairs: B, fours: B, open: Lines<B>) -> B {
        if !fours.none() {
            return fours.lowest_set();
        }
        let mut rest = open;
        self.take_all(&mut rest);
        let had = self.unfinished(open).without(self.unfinished(rest));
        let closed = places(pairs).map(|place| B::ONE << place).find(|&head| {
            let part = self.flood(head, had, open);
            let around = self.around(part);
            (open.h & around.h).count() + (open.v & around.v).count() < part.count()
        });
        closed.unwrap_or(pairs.lowest_set())
    }

    /// Returns a row of boxes of degree 2 as a piece.
    pub(super) fn piece(&self, row: B, open: Lines<B>) -> Piece {
        let around = self.around(row);
        let lines = (open.h & around.h).count() + (open.v & around.v).count();
        let boxes = row.count();
        if lines == boxes { Piece::Loop(boxes) } else { Piece::Chain(boxes) }
    }

    /// Takes all boxes that can be taken one after another; returns their number.
    #[inline]
    fn take_all(&self, open: &mut Lines<B>) -> i32 {
        let mut gain = 0;
        loop {
            let ready = self.degrees(*open).one;
            if ready.none() {
                return gain;
            }
            gain += self.strike(open, ready);
        }
    }
}

impl<B: Bits> Dots<B> {
    /// Returns a core, with its loose pieces removed. Boxes of `two` have two open lines each and belong to no loose
    /// piece.
    #[inline]
    fn core(&self, mut graph: Graph<B>, two: B) -> Core<B> {
        let degrees = self.degrees(graph.open);
        let fresh = degrees.two.without(two);
        let mut boxes = degrees.any.count();
        if !fresh.none() {
            self.take_off(&mut graph, fresh);
            boxes = self.unfinished(graph.open).count();
        }
        Core { graph, boxes: (boxes + self.tables().loose.boxes(graph.loose)) as u8 }
    }
}

impl<B: Bits> Reduced for Dots<B> {
    type Core = Core<B>;

    fn reduce(&self, position: &Position<B>) -> Offer<Core<B>> {
        let mut open = position.open;
        let (gain, price) = self.harvest(&mut open);
        let core = self.core(Graph { open, loose: NOTHING }, B::NONE);
        Offer { core, gain, price }
    }

    #[inline]
    fn offers(&self, core: &Core<B>, beta: i32, visit: &mut impl FnMut(Offer<Core<B>>)) -> i32 {
        // By theorem D a player who is offered k boxes at a price gets k - price / 2 or more: the mean of his choices.
        let mut left_out = -Value::MAX_POINTS;
        let mut falls_short = |boxes: u32, price: Option<i32>| {
            let most = price.map_or(i32::MAX, |price| price / 2 - boxes as i32);
            if most < beta {
                left_out = left_out.max(most);
            }
            most < beta
        };
        let Graph { open, loose } = core.graph;
        let two = self.degrees(open).two;
        for line in self.tables().middle_first(open.without(self.around(two))) {
            let core = self.core(Graph { open: open.without(line), loose }, two);
            visit(Offer { core, gain: 0, price: None });
        }
        let mut rest = two;
        while !rest.none() {
            let row = self.flood(rest.lowest_set(), two, open);
            rest = rest.without(row);
            let price = self.piece(row, open).price();
            // More boxes than the row's own may become available after it, never fewer.
            if falls_short(row.count(), price) {
                continue;
            }
            let mut open = open;
            let gain = self.strike(&mut open, row) + self.take_all(&mut open);
            let core = self.core(Graph { open, loose }, two);
            visit(Offer { core, gain, price });
        }
        for (piece, loose) in self.tables().loose.openings(loose) {
            if falls_short(piece.boxes(), piece.price()) {
                continue;
            }
            let core = Core { graph: Graph { open, loose }, boxes: core.boxes - piece.boxes() as u8 };
            visit(Offer { core, gain: piece.boxes() as i32, price: piece.price() });
        }
        left_out
    }

    #[inline]
    fn known(&self, core: &Core<B>) -> Option<i32> {
        core.graph.open.none().then(|| self.tables().loose.value(core.graph.loose))
    }

    #[inline]
    fn bounds(&self, core: &Core<B>) -> (i32, i32) {
        let most = i32::from(core.boxes) + self.setup.penalty.abs();
        (-most, most)
    }

    /// Returns the step between possible values: every box and the penalty go one way or the other.
    fn step(&self) -> i32 {
        2
    }

    #[inline]
    fn keys(&self, offers: &[Offer<Core<B>>], keys: &mut Vec<[u64; 2]>) {
        for eight in offers.chunks(GRAPHS) {
            let mut open = [Lines::default(); GRAPHS];
            for (open, offer) in open.iter_mut().zip(eight) {
                *open = offer.core.graph.open;
            }
            for (name, offer) in self.refined_keys(&open).iter().zip(eight) {
                let Graph { open, loose } = offer.core.graph;
                let [a, b] = name.unwrap_or_else(|| self.key_of_links(open));
                let loose = fibonacci(loose.into());
                keys.push([mix(a ^ loose), mix(b.wrapping_add(loose))]);
            }
        }
    }
}
