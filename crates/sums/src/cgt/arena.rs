//! Canonical forms of short games, hash-consed: built from options, compared, added and negated.
//!
//! A form whose options are canonical is made canonical by bypassing reversible moves and removing dominated ones
//! (J. H. Conway, "On Numbers and Games", 1976, chapter 10; A. N. Siegel, "Combinatorial Game Theory", 2013, II.2).
//! Numbers with ups and a star, the most frequent sums, are stored without options and added by arithmetic.

use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::dyadic::Dyadic;
use super::patience::{Gap, Patience, ROOM};
use crate::at_hand::BESIDE;

/// A canonical form in its [`Arena`]: equal games have equal forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(u32);

/// A number plus a multiple of up plus a nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Simple {
    /// The number.
    pub number: Dyadic,
    /// The multiple of up; downs are negative.
    pub ups: i64,
    /// The nimber `*n`; 0 for none.
    pub star: u64,
}

/// The options of a form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Options {
    left: Box<[Form]>,
    right: Box<[Form]>,
}

#[derive(Clone, Debug)]
enum Node {
    Simple(Simple),
    Other(Options),
}

/// Bytes for a form beside its options.
const EACH: usize = size_of::<Node>() + size_of::<(Dyadic, Dyadic)>() + size_of::<(Options, Form)>() + BESIDE;
/// Maximum number of forms in an arena.
const FORMS: usize = 1_000_000;
/// Maximum number of cached comparisons, sums and negatives; the caches are cleared above this.
const REMEMBERED: usize = 4_000_000;
/// Maximum depth of comparisons.
const DEPTH: u32 = 1_500;

/// Canonical forms, each stored once.
#[derive(Debug)]
pub struct Arena {
    /// Unique number of the arena.
    id: u64,
    /// Memory limit in bytes.
    room: u64,
    /// Number of options of all forms.
    listed: usize,
    /// The forms here of those of other arenas.
    copies: FxHashMap<u64, FxHashMap<Form, Form>>,
    nodes: Vec<Node>,
    /// The left and the right stop of each form.
    stops: Vec<(Dyadic, Dyadic)>,
    simple: FxHashMap<Simple, Form>,
    other: FxHashMap<Options, Form>,
    at_most: FxHashMap<(Form, Form), bool>,
    sums: FxHashMap<(Form, Form), Form>,
    negatives: FxHashMap<Form, Form>,
}

impl Default for Arena {
    fn default() -> Arena {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Arena {
            id: NEXT.fetch_add(1, Relaxed),
            room: ROOM,
            listed: 0,
            copies: FxHashMap::default(),
            nodes: Vec::new(),
            stops: Vec::new(),
            simple: FxHashMap::default(),
            other: FxHashMap::default(),
            at_most: FxHashMap::default(),
            sums: FxHashMap::default(),
            negatives: FxHashMap::default(),
        }
    }
}

impl Simple {
    /// Returns a number.
    pub const fn number(number: Dyadic) -> Simple {
        Simple { number, ups: 0, star: 0 }
    }

    /// Returns a nimber.
    pub const fn nimber(star: u64) -> Simple {
        Simple { number: Dyadic::ZERO, ups: 0, star }
    }

    fn plus(self, other: Simple) -> Option<Simple> {
        let number = self.number.plus(other.number)?;
        Some(Simple { number, ups: self.ups.checked_add(other.ups)?, star: self.star ^ other.star })
    }

    fn negative(self) -> Simple {
        Simple { number: self.number.negative(), ups: -self.ups, ..self }
    }

    /// Reports whether it is at least 0.
    fn at_least_zero(self) -> bool {
        match (self.number.sign(), self.ups) {
            (0, 0) => self.star == 0,
            // Up and star are confused with 0.
            (0, 1) => self.star != 1,
            (0, ups) => ups > 0,
            (sign, _) => sign > 0,
        }
    }

    fn with(self, ups: i64, star: u64) -> Simple {
        Simple { ups, star, ..self }
    }

    /// Returns the options of its canonical form.
    fn options(self) -> Option<(Vec<Simple>, Vec<Simple>)> {
        let number = self.with(0, 0);
        Some(match (self.ups, self.star) {
            (0, 0) => {
                let (left, right) = self.number.options();
                let list = |option: Option<Dyadic>| option.map(Simple::number).into_iter().collect();
                (list(left), list(right))
            }
            // A nimber that nobody could list is out of bounds.
            (0, star) if star > 1 << 16 => return None,
            (0, star) => {
                let list: Vec<Simple> = (0..star).map(|star| number.with(0, star)).collect();
                (list.clone(), list)
            }
            (1, 1) => (vec![number, number.with(0, 1)], vec![number]),
            (-1, 1) => (vec![number], vec![number, number.with(0, 1)]),
            (ups, star) if ups > 0 => (vec![number], vec![number.with(ups - 1, star ^ 1)]),
            (ups, star) => (vec![number.with(ups + 1, star ^ 1)], vec![number]),
        })
    }

    /// Returns the game whose canonical form has these options, if it is of this kind.
    fn with_options(left: &[Simple], right: &[Simple]) -> Option<Simple> {
        let number = |list: &[Simple]| match list {
            [] => Some(None),
            [one] if one.ups == 0 && one.star == 0 => Some(Some(one.number)),
            _ => None,
        };
        if let (Some(l), Some(r)) = (number(left), number(right))
            && let Some(found) = Dyadic::with_options(l, r)
        {
            return Some(Simple::number(found));
        }
        let base = left.iter().chain(right).find(|option| option.ups == 0 && option.star == 0)?;
        let fits = |found: Simple| {
            let (mut l, mut r) = found.options()?;
            let same = |list: &mut Vec<Simple>, given: &[Simple]| {
                list.len() == given.len() && given.iter().all(|option| list.contains(option))
            };
            (same(&mut l, left) && same(&mut r, right)).then_some(found)
        };
        let nimber = base.with(0, left.len() as u64);
        let up_and_star = [base.with(1, 1), base.with(-1, 1)];
        let ups = right.iter().map(|option| option.with(option.ups + 1, option.star ^ 1));
        let downs = left.iter().map(|option| option.with(option.ups - 1, option.star ^ 1));
        // Each guess is right only where its own options are exactly these.
        let small = left.len() == 1 && right.len() == 1;
        let mut guesses: Vec<Simple> = up_and_star.to_vec();
        if small {
            guesses.extend(ups.chain(downs));
        }
        if left.len() == right.len() {
            guesses.push(nimber);
        }
        guesses.into_iter().find_map(fits)
    }
}

impl Arena {
    /// Returns the form of a number with ups and a star.
    ///
    /// # Errors
    /// There are too many forms.
    pub fn simple(&mut self, simple: Simple) -> Result<Form, Gap> {
        if let Some(&form) = self.simple.get(&simple) {
            return Ok(form);
        }
        let form = self.push(Node::Simple(simple), (simple.number, simple.number))?;
        self.simple.insert(simple, form);
        Ok(form)
    }

    /// Returns a form as a number with ups and a star, if it is one.
    pub fn as_simple(&self, form: Form) -> Option<Simple> {
        match &self.nodes[form.0 as usize] {
            Node::Simple(simple) => Some(*simple),
            Node::Other(_) => None,
        }
    }

    /// Sets the memory limit to `room` bytes. If three quarters of it are in use, all forms are discarded; returns
    /// whether they were.
    pub fn make_room(&mut self, room: u64) -> bool {
        let full = self.bytes() > room / 4 * 3;
        if full {
            *self = Arena::default();
        }
        self.room = room;
        full
    }

    /// Returns its approximate size in bytes.
    pub fn bytes(&self) -> u64 {
        let pairs = self.at_most.capacity() + self.sums.capacity() + self.negatives.capacity();
        let copies: usize = self.copies.values().map(FxHashMap::capacity).sum();
        let lists = 2 * self.listed * size_of::<Form>();
        (self.nodes.len() * EACH + lists + (pairs + copies) * (size_of::<(Form, Form, Form)>() + 8)) as u64
    }

    /// Returns the number of forms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Reports whether there is no form yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the left and the right stop of a form.
    pub fn stops(&self, form: Form) -> (Dyadic, Dyadic) {
        self.stops[form.0 as usize]
    }

    /// Returns the left and the right options of a form.
    ///
    /// # Errors
    /// There are too many forms.
    pub fn options(&mut self, form: Form) -> Result<(Vec<Form>, Vec<Form>), Gap> {
        match &self.nodes[form.0 as usize] {
            Node::Other(options) => Ok((options.left.to_vec(), options.right.to_vec())),
            &Node::Simple(simple) => {
                let (left, right) = simple.options().ok_or(Gap::OutOfBounds)?;
                let mut forms =
                    |list: Vec<Simple>| list.into_iter().map(|s| self.simple(s)).collect::<Result<_, _>>();
                Ok((forms(left)?, forms(right)?))
            }
        }
    }

    fn push(&mut self, node: Node, stops: (Dyadic, Dyadic)) -> Result<Form, Gap> {
        if self.nodes.len() >= FORMS || self.bytes() > self.room {
            return Err(Gap::OutOfBounds);
        }
        if let Node::Other(options) = &node {
            self.listed += options.left.len() + options.right.len();
        }
        self.nodes.push(node);
        self.stops.push(stops);
        Ok(Form(self.nodes.len() as u32 - 1))
    }

    /// Returns the form of a game with these options, which are canonical and neither dominated nor reversible.
    fn intern(&mut self, mut left: Vec<Form>, mut right: Vec<Form>) -> Result<Form, Gap> {
        left.sort_unstable();
        right.sort_unstable();
        let simple =
            |list: &[Form]| list.iter().map(|&form| self.as_simple(form)).collect::<Option<Vec<_>>>();
        if let (Some(l), Some(r)) = (simple(&left), simple(&right))
            && let Some(found) = Simple::with_options(&l, &r)
        {
            return self.simple(found);
        }
        let options = Options { left: left.into(), right: right.into() };
        if let Some(&form) = self.other.get(&options) {
            return Ok(form);
        }
        // A game that is no number has options of both players, and stops are those of the options.
        let most = options.left.iter().map(|&form| self.stops(form).1).max().ok_or(Gap::OutOfBounds)?;
        let least = options.right.iter().map(|&form| self.stops(form).0).min().ok_or(Gap::OutOfBounds)?;
        let form = self.push(Node::Other(options.clone()), (most, least))?;
        self.other.insert(options, form);
        Ok(form)
    }

    /// Reports whether `a <= b`: Left, moving second, wins `b - a`.
    ///
    /// # Errors
    /// The patience is exhausted.
    pub fn at_most(&mut self, a: Form, b: Form, patience: &mut Patience<'_>) -> Result<bool, Gap> {
        self.compare(a, b, patience, 0)
    }

    fn compare(&mut self, a: Form, b: Form, patience: &mut Patience<'_>, depth: u32) -> Result<bool, Gap> {
        if a == b {
            return Ok(true);
        }
        if let (Some(x), Some(y)) = (self.as_simple(a), self.as_simple(b)) {
            return Ok(y.plus(x.negative()).ok_or(Gap::OutOfBounds)?.at_least_zero());
        }
        let ((a_left, a_right), (b_left, b_right)) = (self.stops(a), self.stops(b));
        if a_left < b_right {
            return Ok(true);
        }
        if a_left > b_left || a_right > b_right {
            return Ok(false);
        }
        if let Some(&known) = self.at_most.get(&(a, b)) {
            return Ok(known);
        }
        patience.step()?;
        if depth > DEPTH {
            return Err(Gap::OutOfBounds);
        }
        let (left, right) = (self.options(a)?.0, self.options(b)?.1);
        let mut answer = true;
        for option in left {
            if self.compare(b, option, patience, depth + 1)? {
                answer = false;
                break;
            }
        }
        if answer {
            for option in right {
                if self.compare(option, a, patience, depth + 1)? {
                    answer = false;
                    break;
                }
            }
        }
        if self.at_most.len() >= REMEMBERED || self.bytes() > self.room / 8 * 7 {
            self.at_most = FxHashMap::default();
        }
        self.at_most.insert((a, b), answer);
        Ok(answer)
    }

    /// Reports whether the form is at most the game of these options, or on request at least.
    fn beside_game(
        &mut self,
        a: Form,
        at_most: bool,
        game: &mut Lists,
        patience: &mut Patience<'_>,
    ) -> Result<bool, Gap> {
        if let Some(&known) = game.known.get(&(a, at_most)) {
            return Ok(known);
        }
        patience.step()?;
        let mut answer = true;
        for at in 0..if at_most { game.right.len() } else { game.left.len() } {
            let beaten = match at_most {
                true => self.at_most(game.right[at], a, patience)?,
                false => self.at_most(a, game.left[at], patience)?,
            };
            if beaten {
                answer = false;
                break;
            }
        }
        if answer {
            let (left, right) = self.options(a)?;
            for option in if at_most { left } else { right } {
                if self.beside_game(option, !at_most, game, patience)? {
                    answer = false;
                    break;
                }
            }
        }
        game.known.insert((a, at_most), answer);
        Ok(answer)
    }

    /// Returns the canonical form of the game with these options.
    ///
    /// # Errors
    /// The patience is exhausted or there are too many forms.
    pub fn game(
        &mut self,
        mut left: Vec<Form>,
        mut right: Vec<Form>,
        patience: &mut Patience<'_>,
    ) -> Result<Form, Gap> {
        self.undominated(&mut left, true, patience)?;
        self.undominated(&mut right, false, patience)?;
        // The value stays when moves are bypassed: it is always compared with the game as it was given.
        let mut given = Lists { left, right, known: FxHashMap::default() };
        let mut left = self.bypassed(&mut given, true, patience)?;
        let mut right = self.bypassed(&mut given, false, patience)?;
        self.undominated(&mut left, true, patience)?;
        self.undominated(&mut right, false, patience)?;
        self.intern(left, right)
    }

    /// Returns the options of one side with reversible ones bypassed.
    fn bypassed(
        &mut self,
        given: &mut Lists,
        is_left: bool,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Form>, Gap> {
        let mut open = if is_left { given.left.clone() } else { given.right.clone() };
        let mut kept: Vec<Form> = Vec::new();
        let mut seen = open.clone();
        while let Some(option) = open.pop() {
            let (left, right) = self.options(option)?;
            let mut through = None;
            for &reply in if is_left { &right } else { &left } {
                if self.beside_game(reply, is_left, given, patience)? {
                    through = Some(reply);
                    break;
                }
            }
            let Some(reply) = through else {
                kept.push(option);
                continue;
            };
            let (left, right) = self.options(reply)?;
            for next in if is_left { left } else { right } {
                if !seen.contains(&next) {
                    seen.push(next);
                    open.push(next);
                }
            }
        }
        Ok(kept)
    }

    /// Removes the dominated options of one side.
    fn undominated(
        &mut self,
        options: &mut Vec<Form>,
        is_left: bool,
        patience: &mut Patience<'_>,
    ) -> Result<(), Gap> {
        options.sort_unstable();
        options.dedup();
        let mut kept: Vec<Form> = Vec::with_capacity(options.len());
        for &option in options.iter() {
            let mut beaten = false;
            let mut at = 0;
            while at < kept.len() {
                let (worse, better) = if is_left { (option, kept[at]) } else { (kept[at], option) };
                if self.at_most(worse, better, patience)? {
                    beaten = true;
                    break;
                }
                if self.at_most(better, worse, patience)? {
                    kept.swap_remove(at);
                } else {
                    at += 1;
                }
            }
            if !beaten {
                kept.push(option);
            }
        }
        *options = kept;
        Ok(())
    }

    /// Returns the negative: the same game with the players exchanged.
    ///
    /// # Errors
    /// There are too many forms.
    pub fn negative(&mut self, form: Form) -> Result<Form, Gap> {
        if let Some(simple) = self.as_simple(form) {
            return self.simple(simple.negative());
        }
        if let Some(&known) = self.negatives.get(&form) {
            return Ok(known);
        }
        let (left, right) = self.options(form)?;
        let new_left = right.into_iter().map(|f| self.negative(f)).collect::<Result<_, _>>()?;
        let new_right = left.into_iter().map(|f| self.negative(f)).collect::<Result<_, _>>()?;
        let found = self.intern(new_left, new_right)?;
        self.negatives.insert(form, found);
        Ok(found)
    }

    /// Returns the sum of two games.
    ///
    /// # Errors
    /// The patience is exhausted, there are too many forms, or a number is too large.
    pub fn sum(&mut self, a: Form, b: Form, patience: &mut Patience<'_>) -> Result<Form, Gap> {
        let (a, b) = (a.min(b), a.max(b));
        match (self.as_simple(a), self.as_simple(b)) {
            (Some(x), Some(y)) => return self.simple(x.plus(y).ok_or(Gap::OutOfBounds)?),
            (Some(zero), None) if zero == Simple::number(Dyadic::ZERO) => return Ok(b),
            (None, Some(zero)) if zero == Simple::number(Dyadic::ZERO) => return Ok(a),
            _ => {}
        }
        if let Some(&known) = self.sums.get(&(a, b)) {
            return Ok(known);
        }
        patience.step()?;
        let number = |s: Option<Simple>| s.is_some_and(|s| s.ups == 0 && s.star == 0);
        let (a_number, b_number) = (number(self.as_simple(a)), number(self.as_simple(b)));
        let (mut left, mut right) = (Vec::new(), Vec::new());
        // A number is moved in only where nothing else is left to move in.
        for (skip, moved, still) in [(a_number, a, b), (b_number, b, a)] {
            if skip {
                continue;
            }
            let (l, r) = self.options(moved)?;
            for option in l {
                left.push(self.sum(option, still, patience)?);
            }
            for option in r {
                right.push(self.sum(option, still, patience)?);
            }
        }
        let found = if a_number || b_number {
            // Number translation: the options stay canonical.
            self.intern(left, right)?
        } else {
            self.game(left, right, patience)?
        };
        if self.sums.len() >= REMEMBERED || self.bytes() > self.room / 8 * 7 {
            self.sums = FxHashMap::default();
        }
        self.sums.insert((a, b), found);
        Ok(found)
    }

    /// Returns the form here of one of another arena.
    ///
    /// # Errors
    /// There are too many forms.
    pub fn copy(&mut self, from: &Arena, form: Form, patience: &mut Patience<'_>) -> Result<Form, Gap> {
        let mut copies = self.copies.remove(&from.id).unwrap_or_default();
        let copy = self.copy_into(from, form, &mut copies, patience);
        self.copies.insert(from.id, copies);
        copy
    }

    fn copy_into(
        &mut self,
        from: &Arena,
        form: Form,
        copies: &mut FxHashMap<Form, Form>,
        patience: &mut Patience<'_>,
    ) -> Result<Form, Gap> {
        // Options come before the forms that have them.
        let mut open = vec![form];
        while let Some(&now) = open.last() {
            if copies.contains_key(&now) {
                open.pop();
                continue;
            }
            patience.step()?;
            let copy = match &from.nodes[now.0 as usize] {
                &Node::Simple(simple) => Some(self.simple(simple)?),
                Node::Other(options) => {
                    let known = |list: &[Form]| list.iter().map(|f| copies.get(f).copied()).collect();
                    let lists: (Option<Vec<_>>, Option<Vec<_>>) =
                        (known(&options.left), known(&options.right));
                    match lists {
                        (Some(left), Some(right)) => Some(self.intern(left, right)?),
                        _ => {
                            let missing = options.left.iter().chain(&options.right);
                            open.extend(missing.filter(|f| !copies.contains_key(f)));
                            None
                        }
                    }
                }
            };
            if let Some(copy) = copy {
                copies.insert(now, copy);
                open.pop();
            }
        }
        copies.get(&form).copied().ok_or(Gap::OutOfBounds)
    }
}

/// A game given by canonical options.
struct Lists {
    left: Vec<Form>,
    right: Vec<Form>,
    /// Cached comparisons: whether a form is at most (true), or at least, this game.
    known: FxHashMap<(Form, bool), bool>,
}

impl Arena {
    /// Reports whether the form is positive: Left wins, whoever starts.
    ///
    /// # Errors
    /// There are too many forms, or the patience is exhausted.
    pub fn is_positive(&mut self, form: Form, patience: &mut Patience<'_>) -> Result<bool, Gap> {
        let zero = self.simple(Simple::number(Dyadic::ZERO))?;
        Ok(form != zero && self.at_most(zero, form, patience)?)
    }
}
