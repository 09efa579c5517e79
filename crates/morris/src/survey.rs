//! A survey of all positions of a half in which the other has the same men.
//!
//! Whatever the mover does, the other's men stay where they are, or one of them is taken: the children lie in one block
//! of indices for the quiet moves, and in one for each man that may be taken. The value of the mover's men after a move
//! is therefore looked up once for each set of them, not once for each move.

use grundy_core::rank::{Subsets, expand};
use grundy_core::sorting;
use grundy_core::value::{Step, Value};
use grundy_tables::tiers::{Missing, Sight};

use crate::board::{Board, MOST_POINTS, points};
use crate::numbering::{Half, Numbering, Others, Turned};
use crate::position::Force;

/// Facts about the moves that follow from the forces of a half.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves {
    /// Men are placed.
    pub(crate) puts: bool,
    /// Men are moved.
    pub(crate) slides: bool,
    /// Men are moved to any free point.
    pub(crate) flies: bool,
    /// Moves that take no man stay in the tier.
    pub(crate) stay: bool,
    /// Taking a man wins at once.
    pub(crate) wins: bool,
}

/// The positions of a half with these men of the other, which only the identity fixes.
pub(crate) struct Block<'a> {
    board: &'a Board,
    numbering: &'a Numbering,
    half: &'a Half,
    others: &'a Others,
    moves: Moves,
    /// The points that the other leaves free. All sets below are packed among these.
    free: u64,
    near: [u32; MOST_POINTS],
    mills: [[u32; 4]; MOST_POINTS],
}

/// Stands for no value: below all values.
const NONE: i32 = i32::MIN;

/// Values of the mover's men after a move, for him, by the rank of the set: for moves that take no man, and for moves
/// that close a mill.
#[derive(Default)]
struct After {
    quiet: Vec<i32>,
    closed: Vec<i32>,
}

impl<'a> Block<'a> {
    pub(crate) fn new(
        board: &'a Board,
        numbering: &'a Numbering,
        half: &'a Half,
        others: &'a Others,
        moves: Moves,
    ) -> Block<'a> {
        let free = u64::from(board.all & !others.men);
        let pack = |set: u32| grundy_core::rank::compress(set.into(), free) as u32;
        let (mut near, mut mills) = ([0; MOST_POINTS], [[u32::MAX; 4]; MOST_POINTS]);
        for (at, point) in points(free as u32).enumerate() {
            near[at] = if moves.flies { u32::MAX } else { pack(board.near[point]) };
            let whole = board.mills.iter().filter(|&mill| mill >> point & 1 == 1 && mill & others.men == 0);
            mills[at].iter_mut().zip(whole).for_each(|(at, &mill)| *at = pack(mill));
        }
        Block { board, numbering, half, others, moves, free, near, mills }
    }

    fn subsets(&self) -> &'a Subsets {
        &self.numbering.subsets
    }

    /// Reports whether these men have a mill through this point.
    #[inline]
    fn closes(&self, men: u32, at: usize) -> bool {
        self.mills[at].iter().fold(false, |any, &mill| any | (men & mill == mill))
    }

    /// Visits the indices of the positions with the summary of each.
    pub(crate) fn look(
        &self,
        worth: &impl Fn(u64, Step) -> Option<Value>,
        visit: &mut impl FnMut(u64, Sight),
    ) {
        let Moves { puts, slides, stay, .. } = self.moves;
        let force = self.half.mover;
        let put = if puts { self.after(force.put(), true, worth) } else { Ok(After::default()) };
        let slid = || if slides { self.after(force, !stay, worth) } else { Ok(After::default()) };
        let known = put.and_then(|put| Ok((put, slid()?)));
        let (put, slid) = match known {
            Ok(known) => known,
            Err(missing) => return visit(self.half.first(), Sight::missing(missing)),
        };
        let (subsets, takes) = (self.subsets(), self.others.men != 0);
        let all = ((1u64 << self.free.count_ones()) - 1) as u32;
        self.numbering.walk_block(self.board, self.half, self.others, &mut |number, men, _| {
            let men = men as u32;
            let open = all & !men;
            let (mut best, mut inner, mut moved) = (NONE, 0, false);
            if puts {
                moved |= open != 0;
                for to in points(open) {
                    let then = men | 1 << to;
                    let rank = subsets.rank(then.into()) as usize;
                    let worth = if takes && self.closes(then, to) { &put.closed } else { &put.quiet };
                    best = best.max(worth[rank]);
                }
            }
            if slides {
                for from in points(men) {
                    let rest = men & !(1 << from);
                    for to in points(self.near[from] & open) {
                        moved = true;
                        let then = rest | 1 << to;
                        if takes && self.closes(then, to) {
                            best = best.max(slid.closed[subsets.rank(then.into()) as usize]);
                        } else if stay {
                            inner += 1;
                        } else {
                            best = best.max(slid.quiet[subsets.rank(then.into()) as usize]);
                        }
                    }
                }
            }
            let exit = (best != NONE).then(|| Value::from_raw(best));
            visit(number, if moved { Sight::open(inner, exit) } else { Sight::over(Value::loss_in(0)) });
        });
    }

    /// Returns the values of the men of this force after a move; those after quiet moves only if `quiet`.
    fn after(
        &self,
        force: Force,
        quiet: bool,
        worth: &impl Fn(u64, Step) -> Option<Value>,
    ) -> Result<After, Missing> {
        let (men, other) = (usize::from(force.board), self.others.men);
        let sets = self.subsets().choose(self.free.count_ones() as usize, men);
        let against = self.half.other;
        let find = |number| worth(number, Step::PASSED).map(Value::raw).ok_or(Missing(number));
        let mut after = After::default();
        if quiet {
            let turned = self.numbering.turn(self.board, other, against, force);
            after.quiet = (0..sets).map(|rank| find(turned.at(rank))).collect::<Result<_, _>>()?;
        }
        if other == 0 {
            return Ok(after);
        }
        let taken: Vec<Taken<'_>> = match self.moves.wins {
            true => Vec::new(),
            false => points(self.board.takeable(other))
                .map(|taken| {
                    let left = other & !(1 << taken);
                    Taken::new(self, self.numbering.turn(self.board, left, against.less(), force))
                })
                .collect(),
        };
        let mills: Vec<u32> = self.all_mills();
        after.closed.reserve_exact(sets as usize);
        let mut set = (1u64 << men) - 1;
        for _ in 0..sets {
            let mut best = NONE;
            if mills.iter().fold(false, |any, &mill| any | (set as u32 & mill == mill)) {
                if self.moves.wins {
                    best = Value::win_in(1).raw();
                }
                for taken in &taken {
                    best = best.max(find(taken.number(self, set as u32))?);
                }
            }
            after.closed.push(best);
            set = grundy_core::rank::next_of_its_size(set);
        }
        Ok(after)
    }

    /// Returns the mills on points that the other leaves free.
    fn all_mills(&self) -> Vec<u32> {
        let mut mills: Vec<u32> =
            self.mills.iter().flatten().copied().filter(|&mill| mill != u32::MAX).collect();
        sorting::sort(&mut mills);
        mills.dedup();
        mills
    }
}

/// The positions after one man was taken.
struct Taken<'a> {
    turned: Turned<'a>,
    /// Sets of the mover's men mapped and packed as in these positions, by byte of the set and its bits.
    images: [[u32; 256]; 3],
}

impl<'a> Taken<'a> {
    fn new(block: &Block<'_>, turned: Turned<'a>) -> Taken<'a> {
        let mut images = [[0u32; 256]; 3];
        for (at, point) in points(block.free as u32).enumerate() {
            let own = &mut images[at / 8];
            for bits in (0..256).filter(|bits| bits >> (at % 8) & 1 == 1) {
                own[bits] |= turned.place(point);
            }
        }
        Taken { turned, images }
    }

    /// Returns the index of the position with these men of the player who moved.
    #[inline]
    fn number(&self, block: &Block<'_>, set: u32) -> u64 {
        if !self.turned.is_plain() {
            return self.turned.with(expand(set.into(), block.free) as u32);
        }
        let [low, middle, high] = &self.images;
        let image =
            low[(set & 255) as usize] | middle[(set >> 8 & 255) as usize] | high[(set >> 16 & 255) as usize];
        self.turned.at(block.subsets().rank(image.into()))
    }
}
