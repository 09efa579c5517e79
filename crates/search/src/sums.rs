//! Outcomes of sums of partizan parts: who wins, without the canonical forms of large parts.
//!
//! Small parts are replaced by their canonical forms, which are added, and a part cancels with its negative. The sum of
//! one form and the large parts that are left is searched depth first, with a table of outcomes. A sum without large
//! parts is decided by its form. Of the moves whose outcome the table does not have, those are tried first that leave
//! the other player few moves in large parts, and the mover many. The players exchange at each ply, so that Left is
//! always to move, and a sum shares its entry with its negative.
//!
//! Sources: M. Mueller and Z. Li, "Locally informed global search for sums of combinatorial games", 2004; J. D. A.
//! Griebel and J. W. H. M. Uiterwijk, "Combining combinatorial game theory with an alpha-beta solver for Clobber", 2016.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use grundy_core::game::Player;
use grundy_core::random::{mix_pair, place};
use grundy_session::Work;
use grundy_sums::cgt::{Dyadic, Form, Forms, Gap, Partizan, Patience, Simple};

use crate::alpha_beta::prefetch;
use crate::zeroed::Zeroed;

/// Usual size up to which parts are replaced by their forms. Forms of larger ones take longer than the search that they
/// save.
pub const SMALL: u32 = 7;
/// Largest depth of the recursion.
const DEPTH: u32 = 500;
/// Nodes between two reports.
const REPORTED: u64 = 1 << 16;
/// Share of the forms in the memory, as a divisor.
const FORMS_SHARE: usize = 4;
/// Most memory of forms in bytes; the rest is for the table.
const MOST_FORMS: usize = 512 << 20;
/// Weight of the moves of the player to move in [`effort`], chosen by the nodes of Col and Snort on 5x5 and 5x6.
const OWN: i32 = 3;
/// Entries per bucket, which is one cache line of 64 bytes.
const WAYS: usize = 4;
/// Bits of an entry's second word for its outcome and its work.
const DATA: u64 = 0x7f;

/// The outcomes of sums by keys of 128 bits. An entry is two words, the high half of the key and the low half, of which
/// the last seven bits are replaced by the outcome and the binary logarithm of the nodes that it took.
struct OutcomeTable {
    words: Zeroed,
}

impl OutcomeTable {
    /// Returns the bucket of a key.
    #[inline]
    fn bucket(&mut self, key: u128) -> &mut [AtomicU64] {
        let words = self.words.words();
        let at = place(key as u64, (words.len() / (2 * WAYS)) as u64) * 2 * WAYS;
        &mut words[at..at + 2 * WAYS]
    }

    /// Starts to load the bucket of a key.
    #[inline]
    fn prefetch(&mut self, key: u128) {
        prefetch(&self.bucket(key)[0]);
    }

    /// Reports whether the player to move wins, if the table knows.
    #[inline]
    fn get(&mut self, key: u128) -> Option<bool> {
        self.bucket(key).chunks_exact(2).find_map(|entry| {
            let (high, low) = (entry[0].load(Relaxed), entry[1].load(Relaxed));
            let equal = high == (key >> 64) as u64 && (low ^ key as u64) & !DATA == 0 && low & DATA != 0;
            equal.then_some(low & 1 == 1)
        })
    }

    /// Stores an outcome in place of the entry that took the fewest nodes.
    fn set(&mut self, key: u128, wins: bool, nodes: u64) {
        let work = u64::from(nodes.max(1).ilog2()).min(62) + 1;
        let cheapest = self.bucket(key).chunks_exact(2).min_by_key(|entry| entry[1].load(Relaxed) & DATA);
        if let Some(entry) = cheapest {
            entry[0].store((key >> 64) as u64, Relaxed);
            entry[1].store(key as u64 & !DATA | work << 1 | u64::from(wins), Relaxed);
        }
    }

    /// Returns the share of the table that is filled, in thousandths.
    fn fullness(&mut self) -> u32 {
        let words = self.words.words();
        let sample = words.len().min(2_000);
        let used = words[..sample].chunks_exact(2).filter(|entry| entry[1].load(Relaxed) & DATA != 0);
        (used.count() * 2_000 / sample.max(1)) as u32
    }
}

/// A hash of 128 bits.
struct Wide([u64; 2]);

impl Hasher for Wide {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.map(|lane| mix_pair(lane, word));
    }

    fn finish(&self) -> u64 {
        self.0[0]
    }
}

/// The kinds of what is hashed.
const PART: u64 = 1;
const FORM: u64 = 2;

/// Returns the key of a part or of a form.
#[inline]
fn key_of(kind: u64, value: &impl Hash) -> u128 {
    let mut hash = Wide([kind, !kind]);
    value.hash(&mut hash);
    u128::from(hash.0[0]) << 64 | u128::from(hash.0[1])
}

/// Returns an estimate of the effort to prove that the player to move loses, by his moves in a part and those of the
/// other player.
pub(crate) fn effort([own, other]: [u32; 2]) -> i32 {
    OWN * own as i32 - other as i32
}

/// A part that is not replaced by its form.
#[derive(Clone)]
struct Large<P> {
    part: P,
    key: u128,
    /// Moves of Left and of Right.
    moves: [u32; 2],
}

/// A sum, of which Left is to move.
#[derive(Clone)]
struct Summed<P> {
    large: Vec<Large<P>>,
    /// The sum of the small parts.
    form: Form,
}

impl<P> Summed<P> {
    /// Returns the key, which does not depend on the order of the parts.
    fn key(&self) -> u128 {
        self.large.iter().fold(key_of(FORM, &self.form), |sum, part| sum.wrapping_add(part.key))
    }

    /// Returns the [`effort`] of the large parts.
    fn effort(&self) -> i32 {
        self.large.iter().map(|part| effort(part.moves)).sum()
    }
}

/// A search of sums with its table, for one question after another of one game.
pub struct SumSearch<G: Partizan> {
    forms: Forms<G>,
    zero: Form,
    table: OutcomeTable,
    /// Memory of the table and of the forms, in bytes.
    room: [usize; 2],
    small: u32,
    nodes: u64,
}

impl<G: Partizan> SumSearch<G> {
    /// Returns a search in this memory, which is only touched as it fills. Parts up to the size `small`, usually
    /// [`SMALL`], are replaced by their forms.
    ///
    /// # Errors
    /// There is not enough memory; the text says how much was requested.
    pub fn new(megabytes: usize, small: u32) -> Result<SumSearch<G>, String> {
        let no_memory = || format!("cannot allocate {megabytes} MB for the outcomes of sums");
        let megabytes = megabytes.clamp(1, usize::MAX >> 21);
        let bytes = megabytes << 20;
        let of_forms = (bytes / FORMS_SHARE).min(MOST_FORMS);
        let mut forms = Forms::default();
        forms.arena().make_room(of_forms as u64);
        let zero = forms.arena().simple(Simple::number(Dyadic::ZERO)).map_err(|_| no_memory())?;
        let table = OutcomeTable { words: Zeroed::new(bytes - of_forms).ok_or_else(no_memory)? };
        Ok(SumSearch { forms, zero, table, room: [bytes - of_forms, of_forms], small, nodes: 0 })
    }

    /// Returns the sums examined so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the approximate memory in bytes.
    pub fn bytes(&self) -> u64 {
        self.room[0] as u64 + self.forms.bytes()
    }

    /// Reports whether the player to move wins a position; `None` if the work ended before, if the game does not tell
    /// the negatives of its parts, or if there are too many forms. `watch` receives the sums examined and the share of
    /// the table that is filled, in thousandths, now and then.
    pub fn wins(
        &mut self,
        game: &G,
        position: &G::Position,
        work: &Work<'_>,
        watch: &mut dyn FnMut(u64, u32),
    ) -> Option<bool> {
        if work.stopped() {
            return None;
        }
        // Forms may take half of the limit of their work.
        let memory_limit = Some(2 * self.room[1] as u64);
        let patience = Patience::new(&Work { memory_limit, ..*work });
        let next = self.nodes + REPORTED;
        let mut run = Run { search: self, game, patience, watch, next };
        let sum = run.sum_of(position).ok()?;
        let key = sum.key();
        run.wins(&sum, key, 0).ok()
    }
}

/// One question.
struct Run<'a, G: Partizan> {
    search: &'a mut SumSearch<G>,
    game: &'a G,
    patience: Patience<'a>,
    watch: &'a mut dyn FnMut(u64, u32),
    /// The nodes at which the next report is due.
    next: u64,
}

impl<G: Partizan> Run<'_, G> {
    fn negative(&self, part: &G::Part) -> Result<G::Part, Gap> {
        self.game.negative(part).ok_or(Gap::OutOfBounds)
    }

    /// Returns the sum that a position is, negated if it is Right's turn.
    fn sum_of(&mut self, position: &G::Position) -> Result<Summed<G::Part>, Gap> {
        let mut sum = Summed { large: Vec::new(), form: self.search.zero };
        for part in self.game.parts(position) {
            let part = match self.game.turn(position) {
                Player::One => part,
                Player::Two => self.negative(&part)?,
            };
            self.add(&mut sum, part)?;
        }
        Ok(sum)
    }

    /// Adds a part to a sum.
    fn add(&mut self, sum: &mut Summed<G::Part>, part: G::Part) -> Result<(), Gap> {
        if self.game.part_size(&part) <= self.search.small {
            let forms = &mut self.search.forms;
            let form = forms.part(self.game, &part, &mut self.patience)?;
            sum.form = forms.arena().sum(sum.form, form, &mut self.patience)?;
            return Ok(());
        }
        let [left, right] = [Player::One, Player::Two].map(|player| self.game.mobility(&part, player));
        if sum.large.iter().any(|other| other.moves == [right, left]) {
            let negative = self.negative(&part)?;
            if let Some(at) = sum.large.iter().position(|other| other.part == negative) {
                sum.large.swap_remove(at);
                return Ok(());
            }
        }
        let key = key_of(PART, &part);
        sum.large.push(Large { part, key, moves: [left, right] });
        Ok(())
    }

    /// Returns the sums after Left's moves, negated, so that Left is to move again.
    fn children(&mut self, sum: &Summed<G::Part>) -> Result<Vec<Summed<G::Part>>, Gap> {
        let form = self.search.forms.arena().negative(sum.form)?;
        let mut turned = Summed { large: Vec::with_capacity(sum.large.len()), form };
        for Large { part, moves: [left, right], .. } in &sum.large {
            let part = self.negative(part)?;
            turned.large.push(Large { key: key_of(PART, &part), part, moves: [*right, *left] });
        }
        let mut children = Vec::new();
        let mut options = Vec::new();
        for (at, Large { part, .. }) in turned.large.iter().enumerate() {
            // Equal parts have the same moves.
            if turned.large[..at].iter().any(|other| other.part == *part) {
                continue;
            }
            let mut rest = turned.clone();
            rest.large.swap_remove(at);
            // The negatives of Left's moves are Right's moves in the negative.
            self.game.options(part, Player::Two, &mut |parts| options.push(parts));
            for parts in options.drain(..) {
                let mut child = rest.clone();
                for part in parts {
                    self.add(&mut child, part)?;
                }
                children.push(child);
            }
        }
        for form in self.search.forms.arena().options(turned.form)?.1 {
            children.push(Summed { large: turned.large.clone(), form });
        }
        Ok(children)
    }

    /// Reports whether Left, to move, wins a sum, if its form or the table tells.
    fn known(&mut self, sum: &Summed<G::Part>, key: u128) -> Result<Option<bool>, Gap> {
        if sum.large.is_empty() {
            let arena = self.search.forms.arena();
            return arena.at_most(sum.form, self.search.zero, &mut self.patience).map(|lost| Some(!lost));
        }
        Ok(self.search.table.get(key))
    }

    /// Reports whether Left, to move, wins a sum of this key.
    fn wins(&mut self, sum: &Summed<G::Part>, key: u128, depth: u32) -> Result<bool, Gap> {
        if let Some(wins) = self.known(sum, key)? {
            return Ok(wins);
        }
        if depth >= DEPTH {
            return Err(Gap::OutOfBounds);
        }
        let before = self.search.nodes;
        self.enter()?;
        let wins = self.has_lost_child(sum, depth)?;
        self.search.table.set(key, wins, self.search.nodes - before);
        Ok(wins)
    }

    /// Reports whether a move leads to a sum that the other player loses.
    fn has_lost_child(&mut self, sum: &Summed<G::Part>, depth: u32) -> Result<bool, Gap> {
        let children = self.children(sum)?;
        let keys: Vec<u128> = children.iter().map(Summed::key).collect();
        keys.iter().for_each(|&key| self.search.table.prefetch(key));
        // The children to search: their effort, and which they are.
        let mut open: Vec<(i32, u128, usize)> = Vec::with_capacity(children.len());
        for (at, (child, &key)) in children.iter().zip(&keys).enumerate() {
            match self.known(child, key)? {
                Some(false) => return Ok(true),
                Some(true) => {}
                None => open.push((child.effort(), key, at)),
            }
        }
        open.sort_unstable();
        open.dedup_by_key(|child| child.1);
        for (_, key, at) in open {
            if !self.wins(&children[at], key, depth + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts a sum; reports it now and then.
    fn enter(&mut self) -> Result<(), Gap> {
        self.patience.step()?;
        self.search.nodes += 1;
        if self.search.nodes >= self.next {
            self.next = self.search.nodes + REPORTED;
            let fullness = self.search.table.fullness();
            (self.watch)(self.search.nodes, fullness);
        }
        Ok(())
    }
}
