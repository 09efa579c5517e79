//! A land of Sprouts: regions that share spots, its normal form, and the lands that a move leaves of it.
//!
//! A spot with fewer than three lines is alive. A region is a list of boundaries, a boundary the spots met on a walk along one
//! connected figure with the region at one's left; only spots that are alive are listed. A region in which no line can be drawn
//! any more is left out.
//!
//! The normal form is the least of the texts that result when spots that refinement cannot tell apart are told apart one after
//! another, in every way (individualisation and refinement). After [`MOST_FORMS`] texts the least so far is taken: equal lands
//! may then have two forms, which costs time and changes no value.
//!
//! The representation is that of D. Applegate, G. Jacobson and D. Sleator, "Computer analysis of Sprouts", Carnegie Mellon
//! University CS-91-144, 1991, and of J. Lemoine and S. Viennot, arXiv 1008.2320, 2010.

use std::collections::BTreeSet;

use grundy_core::game::hash_of;
use grundy_core::sorting;

/// Lines of a spot that is dead.
const FULL: u8 = 3;
/// Rounds of refinement.
const ROUNDS: usize = 3;
/// Texts that are compared for a normal form.
const MOST_FORMS: usize = 64;
/// Maximum number of spots at the start of a game.
pub(super) const SPOTS: usize = 12;

type Boundary = Vec<u8>;
type Region = Vec<Boundary>;

/// Refuses more lives than a game can have.
pub(super) fn check_lives(lives: usize) -> Result<(), String> {
    const MOST: usize = 3 * SPOTS;
    match lives <= MOST {
        true => Ok(()),
        false => Err(format!("{lives} lines could still be drawn, at most {MOST} are possible")),
    }
}

/// The normal form of a land: fewer lives first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Land {
    /// Lines that its spots could still take.
    lives: u8,
    /// Boundaries end with `.`, regions with `}`. `0`, `1` and `2` are spots with that number of lines that occur once, a
    /// pair of small letters is a spot with two lines on one boundary, a pair of capitals one in two regions.
    text: Box<str>,
}

/// Regions whose spots have numbers, and the lines of each spot.
#[derive(Clone, Debug)]
struct Regions {
    regions: Vec<Region>,
    lines: Vec<u8>,
}

impl Land {
    /// Returns the land of spots without a line.
    pub(super) fn start(spots: usize) -> Land {
        let regions = vec![(0..spots as u8).map(|spot| vec![spot]).collect()];
        Regions { regions, lines: vec![0; spots] }.settled().text()
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn lives(&self) -> usize {
        usize::from(self.lives)
    }

    /// Reads regions that share spots or not; returns the lands they are.
    ///
    /// # Errors
    /// The text is none, and why.
    pub(super) fn read(text: &str) -> Result<Vec<Land>, String> {
        let regions = Regions::read(text)?;
        check_lives((0..regions.lines.len() as u8).map(|spot| usize::from(regions.lives(spot))).sum())?;
        Ok(regions.lands())
    }

    /// Visits the lands that each move leaves, sorted; a list may come twice.
    pub(super) fn each_option(&self, visit: &mut dyn FnMut(Vec<Land>) -> bool) {
        // Normal forms are read back.
        let Ok(regions) = Regions::read(&self.text) else { return };
        regions.each_move(&mut |next| visit(next.lands()));
    }
}

impl Regions {
    fn read(text: &str) -> Result<Regions, String> {
        let expected =
            || "expected spots 0, 1, 2 or letters, . after a boundary, } after a region".to_owned();
        let (mut regions, mut region, mut boundary) = (Vec::new(), Region::new(), Boundary::new());
        let mut lines: Vec<u8> = Vec::new();
        // For each letter its spot, the region and the boundary of its first place, and whether it was met again.
        let mut letters: Vec<(u8, u8, [usize; 2], bool)> = Vec::new();
        if text.len() > 400 {
            return Err("the position is too long".to_owned());
        }
        for byte in text.bytes() {
            match byte {
                b'0'..=b'2' => {
                    if lines.len() > 3 * SPOTS {
                        return Err(format!("too many spots: expected at most {} alive", 3 * SPOTS));
                    }
                    boundary.push(lines.len() as u8);
                    lines.push(byte - b'0');
                }
                b'a'..=b'z' | b'A'..=b'Z' => {
                    let here = [regions.len(), region.len()];
                    // A small letter belongs to its region.
                    let same = |&&mut (letter, _, [first, _], _): &&mut (u8, u8, [usize; 2], bool)| {
                        letter == byte && (byte.is_ascii_uppercase() || first == here[0])
                    };
                    match letters.iter_mut().find(|letter| same(letter)) {
                        None => {
                            letters.push((byte, lines.len() as u8, here, false));
                            boundary.push(lines.len() as u8);
                            lines.push(2);
                        }
                        Some((_, spot, there, met)) => {
                            let right =
                                if byte.is_ascii_uppercase() { there[0] != here[0] } else { *there == here };
                            if *met || !right {
                                return Err(format!(
                                    "{:?} is no pair: small letters on one boundary, capitals in two regions",
                                    char::from(byte)
                                ));
                            }
                            *met = true;
                            boundary.push(*spot);
                        }
                    }
                }
                b'.' if !boundary.is_empty() => {
                    if boundary.len() > 1 && boundary.iter().any(|&spot| lines[usize::from(spot)] == 0) {
                        return Err("a spot 0 is alone on its boundary".to_owned());
                    }
                    // A move adds no boundary to a region.
                    if region.len() == SPOTS {
                        return Err(format!("a region of more than {SPOTS} boundaries"));
                    }
                    region.push(std::mem::take(&mut boundary));
                }
                b'}' if boundary.is_empty() && !region.is_empty() => {
                    regions.push(std::mem::take(&mut region))
                }
                _ => return Err(expected()),
            }
        }
        match letters.iter().find(|letter| !letter.3) {
            Some(&(letter, ..)) => Err(format!("{:?} occurs once", char::from(letter))),
            None if !boundary.is_empty() || !region.is_empty() => Err(expected()),
            None => Ok(Regions { regions, lines }),
        }
    }

    fn lives(&self, spot: u8) -> u8 {
        FULL - self.lines[usize::from(spot)]
    }

    /// Returns the lines that the spots of a region could still take.
    fn lives_of(&self, region: &Region) -> u32 {
        let spots: BTreeSet<u8> = region.iter().flatten().copied().collect();
        spots.iter().map(|&spot| u32::from(self.lives(spot))).sum()
    }

    /// Removes dead spots, empty boundaries, and regions in which no line can be drawn.
    fn settled(mut self) -> Regions {
        for region in &mut self.regions {
            region
                .iter_mut()
                .for_each(|boundary| boundary.retain(|&spot| self.lines[usize::from(spot)] < FULL));
            region.retain(|boundary| !boundary.is_empty());
        }
        let regions = std::mem::take(&mut self.regions);
        self.regions = regions.into_iter().filter(|region| self.lives_of(region) >= 2).collect();
        self
    }

    /// Returns the lands, each in its normal form, sorted.
    fn lands(self) -> Vec<Land> {
        let all = self.settled();
        let mut lands = Vec::new();
        let mut left: Vec<Region> = all.regions.clone();
        while let Some(first) = left.pop() {
            let mut land = vec![first];
            let mut next = 0;
            while next < land.len() {
                let spots: BTreeSet<u8> = land[next].iter().flatten().copied().collect();
                let (joined, apart): (Vec<Region>, Vec<Region>) = left
                    .into_iter()
                    .partition(|region| region.iter().flatten().any(|spot| spots.contains(spot)));
                left = apart;
                land.extend(joined);
                next += 1;
            }
            lands.push(Regions { regions: land, lines: all.lines.clone() }.text());
        }
        sorting::sort_few(&mut lands);
        lands
    }

    /// Visits the regions after each way to draw a line, until told to stop.
    fn each_move(&self, visit: &mut dyn FnMut(Regions) -> bool) {
        for (place, region) in self.regions.iter().enumerate() {
            let lone = |boundary: &Boundary| self.lines[usize::from(boundary[0])] == 0;
            let alone: Vec<usize> = (0..region.len()).filter(|&at| lone(&region[at])).collect();
            // Spots without a line are alike: a line leaves the first of them, and leads to the second.
            let skipped =
                |at: usize, least: usize| alone.iter().position(|&a| a == at).is_some_and(|i| i >= least);
            for one in (0..region.len()).filter(|&at| !skipped(at, 1)) {
                for other in (one + 1..region.len()).filter(|&at| !skipped(at, 2)) {
                    if !self.join(place, one, other, visit) {
                        return;
                    }
                }
                if !self.split(place, one, &alone, visit) {
                    return;
                }
            }
        }
    }

    /// Returns the same with another line at the spots, and a new spot with two lines: its number.
    fn with_line(&self, from: u8, to: u8) -> (Regions, u8) {
        let mut next = self.clone();
        next.lines[usize::from(from)] += 1;
        next.lines[usize::from(to)] += 1;
        next.lines.push(2);
        let new = (next.lines.len() - 1) as u8;
        (next, new)
    }

    /// Returns the walk along a boundary from the line at one of its places and back to it.
    fn around(&self, boundary: &Boundary, from: usize) -> Boundary {
        let mut walk: Boundary = boundary[from..].iter().chain(&boundary[..from]).copied().collect();
        if self.lines[usize::from(boundary[from])] > 0 {
            walk.push(boundary[from]);
        }
        walk
    }

    /// Visits the lines between two boundaries.
    fn join(&self, place: usize, one: usize, other: usize, visit: &mut dyn FnMut(Regions) -> bool) -> bool {
        let region = &self.regions[place];
        for from in 0..region[one].len() {
            for to in 0..region[other].len() {
                let (first, last) = (region[one][from], region[other][to]);
                if first == last {
                    continue;
                }
                let (mut next, new) = self.with_line(first, last);
                let mut joined = self.around(&region[one], from);
                joined.push(new);
                joined.extend(self.around(&region[other], to));
                joined.push(new);
                let mut rest: Region = region.clone();
                rest.remove(other);
                rest[one] = joined;
                next.regions[place] = rest;
                if !visit(next) {
                    return false;
                }
            }
        }
        true
    }

    /// Visits the lines from a boundary to itself, which divide the region. `alone` are the boundaries of a single spot without a
    /// line.
    fn split(
        &self,
        place: usize,
        at: usize,
        alone: &[usize],
        visit: &mut dyn FnMut(Regions) -> bool,
    ) -> bool {
        let region = &self.regions[place];
        let boundary = &region[at];
        let lone: Vec<usize> = alone.iter().copied().filter(|&other| other != at).collect();
        let others: Vec<usize> =
            (0..region.len()).filter(|other| *other != at && !lone.contains(other)).collect();
        for from in 0..boundary.len() {
            for to in from..boundary.len() {
                let (first, last) = (boundary[from], boundary[to]);
                if if from == to { self.lives(first) < 2 } else { first == last } {
                    continue;
                }
                let (divided, new) = self.with_line(first, last);
                let mut inner: Boundary = boundary[from..=to].to_vec();
                inner.push(new);
                let mut outer: Boundary = boundary[to..].iter().chain(&boundary[..from]).copied().collect();
                if self.lines[usize::from(first)] > 0 {
                    outer.push(first);
                }
                outer.push(new);
                for inside in 0..1u64 << others.len() {
                    for count in 0..=lone.len() {
                        let within = |other: usize| match lone.iter().position(|&a| a == other) {
                            Some(place) => place < count,
                            None => {
                                others.iter().position(|&o| o == other).is_some_and(|i| inside >> i & 1 == 1)
                            }
                        };
                        let mut sides = [vec![inner.clone()], vec![outer.clone()]];
                        for other in (0..region.len()).filter(|&other| other != at) {
                            sides[usize::from(!within(other))].push(region[other].clone());
                        }
                        let mut next = divided.clone();
                        let [side, beyond] = sides;
                        next.regions[place] = side;
                        next.regions.push(beyond);
                        if !visit(next) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// Returns the normal form of one land.
    fn text(self) -> Land {
        let lives = (0..self.lines.len() as u8)
            .filter(|spot| self.regions.iter().flatten().flatten().any(|other| other == spot))
            .map(|spot| self.lives(spot))
            .sum();
        let (form, is_least) = self.ordered();
        if is_least {
            return Land { lives, text: form.into() };
        }
        // Read back, it may have another form. If the forms are cyclic, the least of them is taken.
        let mut seen = vec![form];
        loop {
            let last = seen.last().cloned().unwrap_or_default();
            let next = Regions::read(&last).map_or(last, |regions| regions.ordered().0);
            if let Some(first) = seen.iter().position(|form| *form == next) {
                let least = seen.drain(first..).min().unwrap_or(next);
                return Land { lives, text: least.into() };
            }
            seen.push(next);
        }
    }

    /// Returns the least form found of a land, and whether it does not depend on the numbers of its spots.
    fn ordered(&self) -> (String, bool) {
        let count = self.lines.len();
        let mut places = vec![Vec::new(); count];
        for (r, region) in self.regions.iter().enumerate() {
            for &spot in region.iter().flatten() {
                places[usize::from(spot)].push(r);
            }
        }
        // Kinds of spots: 0 to 2 occur once, 3 twice in one region, 4 in two regions, 5 not at all.
        let kind = |spot: usize| match places[spot][..] {
            [] => 5,
            [one, other] => 3 + u64::from(one != other),
            _ => u64::from(self.lines[spot]),
        };
        let kinds: Vec<u64> = (0..count).map(kind).collect();
        let mut least = (String::new(), 0);
        self.least(&kinds, self.refined(kinds.clone()), &mut least);
        (least.0, least.1 < MOST_FORMS)
    }

    /// Compares the forms in which the spots have these colours, until enough are compared.
    fn least(&self, kinds: &[u64], colours: Vec<u64>, least: &mut (String, usize)) {
        let mut pairs: Vec<usize> = (0..kinds.len()).filter(|&spot| matches!(kinds[spot], 3 | 4)).collect();
        sorting::sort_by_key(&mut pairs, |&spot| (colours[spot], spot));
        let tied =
            pairs.chunk_by(|&one, &other| colours[one] == colours[other]).find(|alike| alike.len() > 1);
        let Some(tied) = tied else {
            let form = self.arranged(kinds, &colours);
            if least.1 == 0 || form < least.0 {
                least.0 = form;
            }
            least.1 += 1;
            return;
        };
        for &spot in tied {
            if least.1 >= MOST_FORMS {
                return;
            }
            let mut apart = colours.clone();
            apart[spot] = hash_of((apart[spot], "told apart"));
            self.least(kinds, self.refined(apart), least);
        }
    }

    /// Returns the colours after some rounds in which a spot's colour comes to depend on those around it.
    fn refined(&self, mut colours: Vec<u64>) -> Vec<u64> {
        for _ in 0..ROUNDS {
            let mut met = vec![Vec::new(); colours.len()];
            for region in &self.regions {
                let codes = |turned: bool| {
                    let mut codes: Vec<u64> = region
                        .iter()
                        .map(|boundary| hash_of(least_walk(boundary, turned, &colours)))
                        .collect();
                    sorting::sort_few(&mut codes);
                    hash_of(codes)
                };
                let code = codes(false).min(codes(true));
                for boundary in region {
                    for (at, &spot) in boundary.iter().enumerate() {
                        let ways = [false, true].map(|turned| walk(boundary, at, turned, &colours));
                        met[usize::from(spot)].push(hash_of((code, ways.iter().min())));
                    }
                }
            }
            for (colour, met) in colours.iter_mut().zip(&mut met) {
                sorting::sort_few(met);
                *colour = hash_of((*colour, met));
            }
        }
        colours
    }

    /// Returns the form in which boundaries and regions stand in the order of the spots' colours.
    fn arranged(&self, kinds: &[u64], colours: &[u64]) -> String {
        // Kinds first, so that the order of the text is that of the letters.
        let ranks: Vec<(u64, u64)> = kinds.iter().copied().zip(colours.iter().copied()).collect();
        let mut ordered = self.clone();
        for region in &mut ordered.regions {
            let form = |turned: bool| {
                let mut form: Vec<Boundary> =
                    region.iter().map(|boundary| least_order(boundary, turned, &ranks)).collect();
                sorting::sort_by_cached_key(&mut form, |boundary| key(boundary, &ranks));
                form
            };
            let forms = [form(false), form(true)];
            let keys = forms.each_ref().map(|form| form.iter().map(|b| key(b, &ranks)).collect::<Vec<_>>());
            let [plain, turned] = forms;
            *region = if keys[0] <= keys[1] { plain } else { turned };
        }
        sorting::sort_by_cached_key(&mut ordered.regions, |region| {
            region.iter().map(|b| key(b, &ranks)).collect::<Vec<_>>()
        });
        ordered.written(kinds)
    }

    /// Writes the regions in their order, with letters in the order in which they are met.
    fn written(&self, kinds: &[u64]) -> String {
        let mut text = String::new();
        let mut capitals: Vec<u8> = Vec::new();
        for region in &self.regions {
            let mut small: Vec<u8> = Vec::new();
            for boundary in region {
                for &spot in boundary {
                    let (letters, first) = match kinds[usize::from(spot)] {
                        3 => (&mut small, b'a'),
                        4 => (&mut capitals, b'A'),
                        lines => {
                            text.push(char::from(b'0' + lines as u8));
                            continue;
                        }
                    };
                    let place = letters.iter().position(|&other| other == spot).unwrap_or_else(|| {
                        letters.push(spot);
                        letters.len() - 1
                    });
                    text.push(char::from(first + place as u8));
                }
                text.push('.');
            }
            text.push('}');
        }
        text
    }
}

/// Returns the colours met on a walk around a boundary from one of its places.
fn walk<T: Copy>(boundary: &[u8], from: usize, turned: bool, colours: &[T]) -> Vec<T> {
    let count = boundary.len();
    let place = |i: usize| if turned { (from + count - i) % count } else { (from + i) % count };
    (0..count).map(|i| colours[usize::from(boundary[place(i)])]).collect()
}

/// Returns the least of these walks.
fn least_walk<T: Copy + Ord>(boundary: &[u8], turned: bool, colours: &[T]) -> Vec<T> {
    let walks = (0..boundary.len()).map(|from| walk(boundary, from, turned, colours));
    walks.min().unwrap_or_default()
}

/// Returns the spots of a boundary in the order of the least walk.
fn least_order(boundary: &[u8], turned: bool, ranks: &[(u64, u64)]) -> Boundary {
    let numbers: Vec<u8> = (0..ranks.len() as u8).collect();
    let from = (0..boundary.len()).min_by_key(|&from| walk(boundary, from, turned, ranks));
    walk(boundary, from.unwrap_or(0), turned, &numbers)
}

fn key(boundary: &[u8], ranks: &[(u64, u64)]) -> Vec<(u64, u64)> {
    boundary.iter().map(|&spot| ranks[usize::from(spot)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lands_have_one_form_and_forms_are_read_back() {
        for (one, other) in [
            ("0.1AB.}AB1.}", "1AB.}0.BA1.}"),
            ("1a1a.0.}", "0.a1a1.}"),
            ("AB.}ABC.}C1.0.}", "0.1A.}BCA.}CB.}"),
        ] {
            let [one, other] = [one, other].map(|text| Land::read(text).unwrap());
            assert_eq!(one, other);
            for land in one {
                assert_eq!(Land::read(land.text()), Ok(vec![land]));
            }
        }
        for bad in ["", "0", "0.", "00.}", "a.}", "A.A.}", "a.a.}", "AAA.}", "x1.}x1.}", "3.}", ".}", "}"] {
            assert!(Land::read(bad).is_err() || bad.is_empty(), "{bad}");
        }
    }

    #[test]
    fn one_spot_has_one_line() {
        let mut options = Vec::new();
        Land::start(1).each_option(&mut |lands| {
            options.push(lands);
            true
        });
        options.dedup();
        // A ring with the old and the new spot on it, seen from both sides.
        assert_eq!(options, [Land::read("AB.}AB.}").unwrap()]);
    }
}
