//! One row of a part: the values of all back sets for one class of front sets.
//!
//! Cells are the codes of a table of points in bytes: 128 more than the value. So a negated value is `0 - code` in
//! bytes, and a gain is added to the code.

use super::split::{GroupPart, Split};

/// The code of `+0`.
pub(super) const EVEN: u8 = 128;

/// Data shared by all rows of a part.
pub(super) struct Rows<'s> {
    split: &'s Split,
    part: GroupPart,
    turned: Vec<Vec<u32>>,
}

impl<'s> Rows<'s> {
    pub fn new(split: &'s Split, part: GroupPart) -> Rows<'s> {
        Rows { split, part, turned: if part.front > 0 { split.turned(part.back) } else { Vec::new() } }
    }

    /// Returns the number of cells of a row.
    pub fn width(&self) -> usize {
        self.split.sets(self.part.back).len()
    }

    /// Fills the row of a head. `behind` is the row of the same head with one string less behind; `ahead` returns the
    /// row of a class with one string less in front.
    pub fn fill<'c>(&self, head: u32, row: &mut [u8], behind: &[u8], ahead: &impl Fn(usize) -> &'c [u8]) {
        if self.part.left() == 0 {
            row[0] = (i32::from(EVEN) - self.split.fine) as u8;
            return;
        }
        row.fill(0);
        let mut rest = head;
        while rest != 0 {
            let string = rest & rest.wrapping_neg();
            rest ^= string;
            // Of twins that are both left the earliest suffices.
            if self.split.twins[string.trailing_zeros() as usize] & head == 0 {
                self.cut_in_front(head, string, row, ahead);
            }
        }
        if self.part.back > 0 {
            self.cut_behind(head, row, behind);
        }
    }

    fn cut_in_front<'c>(&self, head: u32, string: u32, row: &mut [u8], ahead: &impl Fn(usize) -> &'c [u8]) {
        let sets = self.split.sets(self.part.back);
        let (class, turn) = self.split.class(head ^ string);
        let child = ahead(class);
        // The back strings of the coins that no other front string holds: these must be cut to win the coins.
        let mut behind = self.split.coins.iter().filter(|coin| coin[0] & head == string).map(|coin| coin[1]);
        let coins = (behind.next(), behind.next());
        let moved = &self.turned[turn];
        let code = |r: usize| child[if turn == 0 { r } else { moved[r] as usize }];
        match coins {
            (None, _) if turn == 0 => {
                row.iter_mut()
                    .zip(child)
                    .for_each(|(best, &code)| *best = (*best).max(0_u8.wrapping_sub(code)));
            }
            (None, _) => {
                let codes = moved.iter().map(|&r| child[r as usize]);
                row.iter_mut()
                    .zip(codes)
                    .for_each(|(best, code)| *best = (*best).max(0_u8.wrapping_sub(code)));
            }
            (Some(one), other) => {
                // A coin that cannot be won has all strings "left": no back set is free of them.
                let (other, never) = (other.unwrap_or(0), other.is_none());
                for (r, (best, &set)) in row.iter_mut().zip(sets).enumerate() {
                    let won = u8::from(set & one == 0) + u8::from(!never && set & other == 0);
                    *best = (*best).max(worth(code(r), won));
                }
            }
        }
    }

    fn cut_behind(&self, head: u32, row: &mut [u8], behind: &[u8]) {
        // For each back string the sets left of the (at most two) coins that it may win.
        let mut wins = [[u32::MAX; 2]; 32];
        for (i, win) in wins.iter_mut().enumerate().take(self.split.deep()) {
            let coins = self.split.coins.iter().filter(|coin| coin[1] >> i & 1 == 1 && coin[0] & head == 0);
            for (slot, coin) in win.iter_mut().zip(coins) {
                *slot = coin[1] & !(1 << i);
            }
        }
        for (best, &set) in row.iter_mut().zip(self.split.sets(self.part.back)) {
            let (mut rest, mut most) = (set, *best);
            while rest != 0 {
                let i = rest.trailing_zeros() as usize;
                let left = set ^ (rest & rest.wrapping_neg());
                rest &= rest - 1;
                let code = behind[self.split.rank(left) as usize];
                let [one, other] = wins[i];
                // `u32::MAX` meets every non-empty set; the empty set is treated separately.
                let won = u8::from(left & one == 0 && one != u32::MAX)
                    + u8::from(left & other == 0 && other != u32::MAX);
                most = most.max(worth(code, won));
            }
            *best = most;
        }
    }
}

/// Returns the code of a move that wins `won` coins and leaves a position with this code.
#[inline]
fn worth(code: u8, won: u8) -> u8 {
    if won == 0 { 0_u8.wrapping_sub(code) } else { code.wrapping_add(won) }
}
