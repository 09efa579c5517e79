//! The catalog of games: for each game a row with its name, its parameters and the function that opens it.
//!
//! The engine, the referee, the documentation and the tests share one catalog.

use std::borrow::Cow;

use crate::closest::closest;
use crate::description::Describe;
use crate::repeats::split_repeat;
use crate::{Entry, Known, Plan, Session, Settings, Shape, Spec, Variant, WeightsChoice};

/// Opens a game by its full name. An error is one line that names the wrong section and what was expected.
pub type Open = fn(&mut Spec<'_>) -> Result<Session, String>;

/// Reports whether a text is a list of moves, or a position, that can only be of this game.
pub type Recognized = fn(&str) -> bool;

/// Reports whether the game of a full name is a set of endings, whose start is one of many positions.
pub type Manifold = fn(&mut Spec<'_>) -> bool;

/// Returns the starts of the game of a full name that is begun from one of them by lot; none if it has one
/// start.
pub type Shuffled = fn(&mut Spec<'_>) -> Vec<String>;

/// Returns the board geometry of a game by its full name; `None` for plain rows of squares.
pub type Planned = fn(&mut Spec<'_>) -> Option<Plan>;

/// A row of the catalog: one game with all its parameters.
///
/// ```
/// use grundy_session::{Row, Session, Settings, Shape, Spec};
///
/// fn open(spec: &mut Spec<'_>) -> Result<Session, String> {
///     let heaps = spec.list("heaps", 1..=9_u64)?.ok_or("expected heaps like 3,5,7")?;
///     // Here a game would be made of them, and a session of the game.
///     Err(format!("{} heaps, and no game for them", heaps.len()))
/// }
///
/// const ROW: Row = Row::new("demo", "demo:3,5,7", open).parameters("A,B,..").shape(Shape::Heaps);
/// let refusal = ROW.open("demo", &Settings::default()).err();
/// assert_eq!(refusal.as_deref(), Some("3 heaps, and no game for them"));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The first word of the game's name.
    pub name: &'static str,
    /// The full name that the bare name is short for.
    pub default: &'static str,
    /// The sections that the name may have.
    pub parameters: &'static str,
    /// The game in a few words.
    pub about: &'static str,
    /// The name of the game as people write it, without its parameters: `Connect Four`.
    pub title: &'static str,
    /// The rules in two or three sentences, which name the aim and the end of the game.
    pub rules: &'static str,
    /// The names of player one and player two, for a board and for the start of a sentence.
    pub players: [&'static str; 2],
    /// The method that solves it, and the sizes it reaches.
    pub method: &'static str,
    /// The way its positions are drawn.
    pub shape: Shape,
    /// The chessman, as in `♛`, that the marks `X` and `O` of a [`Shape::Grid`] stand for.
    pub chessman: Option<char>,
    /// Names and spellings of the game in other programs.
    pub variants: &'static [Variant],
    /// Common names of the game and of its members, each with the full name that it opens.
    pub other_names: &'static [(&'static str, &'static str)],
    /// Learned evaluations that come with the program: the game's full name, and the weights file.
    pub weights: &'static [(&'static str, &'static [u8])],
    /// True if it is the game that UCI, FEN, PGN, EPD and SAN were made for.
    pub standard: bool,
    /// The meaning of each section.
    pub details: &'static [Parameter],
    /// Known results, published or found here.
    pub known: &'static str,
    /// The meaning of the letters and marks in a drawn position.
    pub letters: &'static str,
    /// The meaning of the words of a move, by examples; empty if they are the names of cells.
    pub moves: &'static str,
    /// True if positions may repeat, so that the section `repeat=3` is allowed.
    pub repeats: bool,
    open: Open,
    plan: Option<Planned>,
    pub(crate) description: Option<Describe>,
    recognized: Option<Recognized>,
    many_starts: Option<Manifold>,
    shuffled: Option<Shuffled>,
}

/// A section that a game's name may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The section as it is typed: `max=K`.
    pub section: &'static str,
    /// Its meaning in a few words.
    pub about: &'static str,
    /// The rule without it.
    pub default: &'static str,
}

impl Parameter {
    /// Describes a section: its form, its meaning, and the rule without it.
    pub const fn new(section: &'static str, about: &'static str, default: &'static str) -> Parameter {
        Parameter { section, about, default }
    }
}

impl Row {
    /// Returns a row for a game of this name. `default` is the full name that the bare name is short for.
    pub const fn new(name: &'static str, default: &'static str, open: Open) -> Row {
        Row {
            name,
            default,
            parameters: "",
            about: "",
            title: "",
            rules: "",
            players: ["Player 1", "Player 2"],
            method: "",
            shape: Shape::Grid,
            chessman: None,
            variants: &[],
            other_names: &[],
            weights: &[],
            standard: false,
            details: &[],
            known: "",
            letters: "",
            moves: "",
            repeats: false,
            open,
            plan: None,
            description: None,
            recognized: None,
            many_starts: None,
            shuffled: None,
        }
    }

    /// Sets the sections that the name may have, as they are typed: `RxC start=empty|full misere`.
    #[must_use]
    pub const fn parameters(self, parameters: &'static str) -> Row {
        Row { parameters, ..self }
    }

    /// Describes the game in a few words.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Row {
        Row { about, ..self }
    }

    /// Sets the name of the game as people write it, without its parameters.
    #[must_use]
    pub const fn title(self, title: &'static str) -> Row {
        Row { title, ..self }
    }

    /// Sets the rules in two or three sentences, which name the aim and the end of the game.
    #[must_use]
    pub const fn rules(self, rules: &'static str) -> Row {
        Row { rules, ..self }
    }

    /// Sets the names of player one and player two; `Player 1` and `Player 2` unless set.
    #[must_use]
    pub const fn players(self, one: &'static str, two: &'static str) -> Row {
        Row { players: [one, two], ..self }
    }

    /// Sets the chessman, as in `♛`, that the marks `X` and `O` stand for.
    #[must_use]
    pub const fn chessman(self, chessman: char) -> Row {
        Row { chessman: Some(chessman), ..self }
    }

    /// Sets the function that adapts title, rules and players to the sections of a full name.
    #[must_use]
    pub const fn described(self, describe: Describe) -> Row {
        Row { description: Some(describe), ..self }
    }

    /// Sets the method that solves the game, and the sizes it reaches.
    #[must_use]
    pub const fn method(self, method: &'static str) -> Row {
        Row { method, ..self }
    }

    /// Sets the way its positions are drawn; [`Shape::Grid`] unless set.
    #[must_use]
    pub const fn shape(self, shape: Shape) -> Row {
        Row { shape, ..self }
    }

    /// Sets the names and spellings of the game in other programs.
    #[must_use]
    pub const fn variants(self, variants: &'static [Variant]) -> Row {
        Row { variants, ..self }
    }

    /// Sets common names of the game, each with the full name that it opens.
    #[must_use]
    pub const fn other_names(self, names: &'static [(&'static str, &'static str)]) -> Row {
        Row { other_names: names, ..self }
    }

    /// Sets the learned evaluations.
    #[must_use]
    pub const fn weights(self, weights: &'static [(&'static str, &'static [u8])]) -> Row {
        Row { weights, ..self }
    }

    /// Marks the game that UCI, FEN, PGN, EPD and SAN were made for.
    #[must_use]
    pub const fn standard(self) -> Row {
        Row { standard: true, ..self }
    }

    /// Describes each section of the name.
    #[must_use]
    pub const fn details(self, details: &'static [Parameter]) -> Row {
        Row { details, ..self }
    }

    /// Sets the known results.
    #[must_use]
    pub const fn known(self, known: &'static str) -> Row {
        Row { known, ..self }
    }

    /// Explains the letters and marks in a drawn position.
    #[must_use]
    pub const fn letters(self, letters: &'static str) -> Row {
        Row { letters, ..self }
    }

    /// Explains the words of a move by examples: `2:4 takes 4 counters from heap 2`.
    #[must_use]
    pub const fn moves(self, moves: &'static str) -> Row {
        Row { moves, ..self }
    }

    /// Marks a game in which positions may repeat and no rule of its own ends that.
    #[must_use]
    pub const fn repeats(self) -> Row {
        Row { repeats: true, ..self }
    }

    /// Sets the function that returns the board geometry, for boards that are no plain rows of squares.
    #[must_use]
    pub const fn planned(self, plan: Planned) -> Row {
        Row { plan: Some(plan), ..self }
    }

    /// Sets the function that recognizes games of the row's default in texts that name no game.
    #[must_use]
    pub const fn recognized(self, recognized: Recognized) -> Row {
        Row { recognized: Some(recognized), ..self }
    }

    /// Sets the function that tells sets of endings from games with one start.
    #[must_use]
    pub const fn many_starts(self, many_starts: Manifold) -> Row {
        Row { many_starts: Some(many_starts), ..self }
    }

    /// Reports whether the game of this full name is a set of endings: what holds for its start holds for one of many
    /// positions.
    ///
    /// ```
    /// use grundy_session::Row;
    /// let row = Row::new("chess", "chess", |_| Err("not here".into())).many_starts(|spec| spec.word().is_some());
    /// assert!(row.has_many_starts("chess:KQvK") && !row.has_many_starts("chess"));
    /// ```
    pub fn has_many_starts(&self, name: &str) -> bool {
        let Ok((name, _)) = split_repeat(name) else { return false };
        let full = if name == self.name { self.default } else { &name };
        self.many_starts.is_some_and(|many| many(&mut Spec::new(full)))
    }

    /// Sets the function that returns the starts of a game that is begun from one of them by lot.
    #[must_use]
    pub const fn shuffled(self, shuffled: Shuffled) -> Row {
        Row { shuffled: Some(shuffled), ..self }
    }

    /// Returns the starts of the game of this full name that is begun from one of them by lot, as positions;
    /// none if it has one start.
    pub fn shuffled_starts(&self, name: &str) -> Vec<String> {
        let Ok((name, _)) = split_repeat(name) else { return Vec::new() };
        let full = if name == self.name { self.default } else { &name };
        self.shuffled.map_or_else(Vec::new, |starts| starts(&mut Spec::new(full)))
    }

    /// Returns the board geometry of a game of this row; `None` if its [`Shape`] says it all.
    pub fn plan(&self, name: &str) -> Option<Plan> {
        let (name, _) = split_repeat(name).ok()?;
        let full = if name == self.name { self.default } else { &name };
        self.plan.and_then(|plan| plan(&mut Spec::new(full)))
    }

    /// Opens the game by its full name, or by the row's bare name with its default parameters.
    ///
    /// # Errors
    /// One line that names what was wrong in the name and says what was expected.
    pub fn open(&self, name: &str, settings: &Settings) -> Result<Session, String> {
        let name = without_blanks(name);
        let (name, repeat) = split_repeat(&name)?;
        if repeat && !self.repeats {
            return Err(format!(
                "no repeat=3 for {}: expected a cyclic game without a repetition rule",
                self.name
            ));
        }
        let full = if name == self.name { self.default } else { &name };
        let mut spec = Spec::new(full).with_example(self.default);
        let mut session = (self.open)(&mut spec)?.with_digests(spec.digest(), spec.table_digest());
        spec.finish(self.parameters)?;
        session.learned =
            self.weights.iter().find(|(game, _)| *game == session.name()).map(|&(_, file)| file);
        session.configure(settings);
        if let WeightsChoice::File(_) = settings.weights {
            session.weigh()?;
        }
        Ok(if repeat { session.with_repeats() } else { session })
    }
}

/// Replaces blanks between the numbers of a section by commas: `row:4 7 2 9` is `row:4,7,2,9`. Sections of a key and a
/// value, which may be the name of a file, are unchanged.
fn without_blanks(name: &str) -> String {
    let numbers = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ' || byte == b',');
    let section = |section: &str| match section.contains(' ') && numbers(section) {
        true => section.split([' ', ',']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(","),
        false => section.to_owned(),
    };
    let (before, file) = name.split_at(name.find(":file=").unwrap_or(name.len()));
    before.split(':').map(section).collect::<Vec<_>>().join(":") + file
}

/// A group of rows.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its heading.
    pub title: &'static str,
    /// The games.
    pub rows: &'static [Row],
}

/// A position that `bench` searches.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The game's full name.
    pub game: &'static str,
    /// Moves from its start, separated by blanks.
    pub moves: &'static str,
    /// Plies to search; `None` searches until the value is proved.
    pub depth: Option<u32>,
}

/// Maximum number of words of a game's name before its sections.
const MOST_WORDS: usize = 5;
/// The longest other name that is looked for, in bytes.
const LONGEST_OTHER: usize = 100;
/// Maximum number of games that the refusal of an unknown one names.
const MOST_NAMED: usize = 12;
/// Maximum number of related games that it names.
const MOST_RELATED: usize = 3;
/// Words of an unknown name that tell nothing of the game.
const COMMON: [&str; 9] = ["the", "of", "in", "on", "and", "with", "game", "games", "row"];

/// All games that a program knows.
///
/// ```
/// use grundy_session::{Catalog, Family, Row};
/// static GAMES: [Row; 1] = [Row::new("demo", "demo", |_| Err("no such game yet".into()))];
/// static FAMILIES: [Family; 1] = [Family { title: "Demonstrations", rows: &GAMES }];
/// let catalog = Catalog::new(&FAMILIES);
/// assert_eq!(catalog.rows().map(|row| row.name).collect::<Vec<_>>(), ["demo"]);
/// assert!(catalog.row("demo:anything").is_some() && catalog.row("nim").is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalog {
    own: Family,
    families: &'static [Family],
    trials: &'static [Trial],
    known: &'static str,
    elsewhere: Elsewhere,
}

/// Returns one line about a game that is in no row but has commands of its own, by its name; `None` for all others.
pub type Elsewhere = fn(&str) -> Option<String>;

/// Returns words as the sections of a game's name, each with its colon. Numbers that follow each other are one section, with `x`
/// between two of them if the default name has one: `7 6` of `connect4:7x6`, `3 5 7` of `nim:1,2,3`.
fn sections(words: &str, default: &str) -> String {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let words = words.split(' ').map(|word| word.trim_end_matches(','));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_size = default.split(':').nth(1).is_some_and(|section| section.contains('x'));
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let joins = at > 0 && is_number(word) && is_number(words[at - 1]);
        text += match joins {
            true if is_size => "x",
            true => ",",
            false => ":",
        };
        text += word;
    }
    text
}

impl Catalog {
    /// Returns a catalog of these families.
    pub const fn new(families: &'static [Family]) -> Catalog {
        let own = Family { title: "Own games", rows: &[] };
        Catalog { own, families, trials: &[], known: "", elsewhere: |_| None }
    }

    /// Returns the same catalog with `rows` in front; of two rows of one name the first counts.
    #[must_use]
    pub const fn with(self, rows: &'static [Row]) -> Catalog {
        Catalog { own: Family { rows, ..self.own }, ..self }
    }

    /// Returns the same catalog with the positions that `bench` searches.
    #[must_use]
    pub const fn with_trials(self, trials: &'static [Trial]) -> Catalog {
        Catalog { trials, ..self }
    }

    /// Returns the same catalog with the [catalogue](crate::Entry) of known results of its families.
    #[must_use]
    pub const fn with_known(self, known: &'static str) -> Catalog {
        Catalog { known, ..self }
    }

    /// Returns the same catalog, which tells where games stand that are in no row.
    #[must_use]
    pub const fn with_elsewhere(self, elsewhere: Elsewhere) -> Catalog {
        Catalog { elsewhere, ..self }
    }

    /// Returns one line about a game that is in no row but has commands of its own.
    pub fn elsewhere(&self, name: &str) -> Option<String> {
        let first = name.split(':').next().unwrap_or("");
        (self.elsewhere)(&first.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase())
    }

    /// Returns the names of the first rows that have a word of this name in their own, else in their description.
    fn related(&self, name: &str) -> Vec<&'static str> {
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_ascii_alphabetic())
                .filter(|word| word.len() > 1)
                .map(str::to_ascii_lowercase)
                .collect()
        };
        let typed: Vec<String> =
            words(name).into_iter().filter(|word| !COMMON.contains(&word.as_str())).collect();
        let with = |text: fn(&Row) -> &str| -> Vec<&'static str> {
            let has = |row: &&Row| words(text(row)).iter().any(|word| typed.contains(word));
            self.rows().filter(has).map(|row| row.name).take(MOST_RELATED).collect()
        };
        let named = with(|row| row.name);
        if named.is_empty() { with(|row| row.about) } else { named }
    }

    /// Returns the entry of the catalogue of results that says why a game cannot be solved here, if there is one.
    pub fn infeasible(&self, name: &str) -> Option<Entry> {
        self.entries(name).find(|entry| entry.get("status") == "not feasible")
    }

    /// Returns the published value of the game of this full name, with its source; `None` if the catalogue has none.
    pub fn published(&self, name: &str) -> Option<String> {
        self.entries(name).find_map(|entry| entry.published())
    }

    /// Returns the entries of the catalogue of the game of this full name.
    fn entries(&self, name: &str) -> impl Iterator<Item = Entry> {
        Entry::all(self.known).filter(move |entry| entry.get("name") == name)
    }

    /// Returns the families, in the order in which they are shown.
    pub fn families(&self) -> impl Iterator<Item = Family> + use<> {
        std::iter::once(self.own)
            .chain(self.families.iter().copied())
            .filter(|family| !family.rows.is_empty())
    }

    /// Returns all rows, in the order in which they are shown.
    pub fn rows(&self) -> impl Iterator<Item = &'static Row> + use<> {
        self.families().flat_map(|family| family.rows)
    }

    /// Returns the positions that `bench` searches.
    pub fn trials(&self) -> &'static [Trial] {
        self.trials
    }

    /// Returns the [catalogue](crate::Entry) of known results.
    pub fn known(&self) -> &'static str {
        self.known
    }

    /// Returns the row of a game's name, by its first word, which may be one of its [other names](Row::other_names).
    pub fn row(&self, name: &str) -> Option<&'static Row> {
        let name = self.full_name(name);
        let first = name.split(':').next().unwrap_or("");
        self.rows().find(|row| row.name == first)
    }

    /// Returns the full name of a game whose name begins with one of the [other names](Row::other_names) of a row, the
    /// longest that fits, case, hyphens and apostrophes ignored: `oware:10` is `awari:10`. Sections may follow blanks. The games
    /// of a sum may have other names, too; `nim:3 + nim:4` is one. A file of rules or of a graph is a game: `my.rbg` is
    /// `rules:file=my.rbg`. Returns all other names as they are.
    pub fn full_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if let Some(sum) = self.sum_of(name) {
            return Cow::Owned(sum);
        }
        let plain = |word: &str| word.to_lowercase().replace(['-', '_', ' ', '\''], "");
        let first = name.split(':').next().unwrap_or("");
        let first_of = |other: &str| other.split(':').next() == Some(first);
        let mut others = self.rows().flat_map(|row| row.other_names);
        let is_row = self.rows().any(|row| row.name == first);
        if first.is_empty() || is_row && !others.any(|(other, _)| first_of(other)) {
            return Cow::Borrowed(name);
        }
        if let Some(game) = self.game_of_file(name).filter(|_| !is_row) {
            return Cow::Owned(format!("{game}:file={name}"));
        }
        // Another name may have sections itself: `chess:board=3x3`.
        let ends = name.match_indices(':').map(|(at, _)| at).chain([name.len()]);
        let ends = ends.take_while(|&end| end <= LONGEST_OTHER);
        let begins = ends.map(|end| (plain(&name[..end]), end)).collect::<Vec<_>>();
        let known = |meant: &str| {
            let rows = self.rows().map(|row| (row.name, row.name));
            let mut names = rows.chain(self.rows().flat_map(|row| row.other_names).copied());
            names.find(|(other, _)| plain(other) == meant).map(|(_, full)| full)
        };
        for (meant, end) in begins.iter().rev() {
            if let Some(full) = known(meant) {
                return Cow::Owned(format!("{full}{}", &name[*end..]));
            }
        }
        // `nim 3,5,7`: sections may follow one of the first blanks.
        let blanks = name.match_indices(' ').map(|(at, _)| at).take_while(|&end| end <= LONGEST_OTHER);
        let blanks: Vec<usize> = blanks.take(MOST_WORDS).collect();
        for &end in blanks.iter().rev() {
            if let Some(full) = known(&plain(&name[..end])) {
                let default = self.row(full).map_or("", |row| row.default);
                return Cow::Owned(full.to_owned() + &sections(&name[end..], default));
            }
        }
        Cow::Borrowed(name)
    }

    /// Returns the full name of a sum of games: `sum:nim:3+nim:4`, or games with ` + ` or `+` between them. `None` if the name is
    /// not one.
    fn sum_of(&self, name: &str) -> Option<String> {
        let sum = self.rows().find(|row| row.shape == Shape::Sum)?.name;
        let behind = |rest: &str| rest.starts_with(':') || rest.starts_with(' ') && rest.contains('+');
        let games = match name.strip_prefix(sum).filter(|rest| behind(rest)) {
            Some(games) => games[1..].split('+').map(|game| self.full_name(game.trim())).collect(),
            // A path may have a plus.
            None if !name.contains('+') || name.contains("file=") && !name.contains(" + ") => return None,
            None => {
                let plus = if name.contains(" + ") { " + " } else { "+" };
                let games: Vec<_> = name.split(plus).map(|game| self.full_name(game.trim())).collect();
                let known = |game: &str| self.rows().any(|row| game.split(':').next() == Some(row.name));
                Some(games).filter(|games| games.iter().all(|game| known(game)))?
            }
        };
        Some(format!("{sum}:{}", games.join("+")))
    }

    /// Returns a game's name with the capitals of its first word as the catalog writes it.
    pub fn cased(&self, name: &str) -> String {
        let first = name.split(':').next().unwrap_or("");
        let row = self.rows().find(|row| row.name.eq_ignore_ascii_case(first));
        row.map_or_else(|| name.to_owned(), |row| format!("{}{}", row.name, &name[first.len()..]))
    }

    /// Returns the default game: the first. Empty if the catalog is.
    pub fn usual(&self) -> &'static str {
        self.rows().next().map_or("", |row| row.name)
    }

    /// Returns the game that UCI clients play if they name none; `None` if the catalog lacks it.
    pub fn standard(&self) -> Option<&'static Row> {
        self.rows().find(|row| row.standard)
    }

    /// Reports whether this is a name of the game that UCI, FEN, PGN, EPD and SAN were made for.
    pub fn is_standard(&self, name: &str) -> bool {
        self.row(name).is_some_and(|row| row.standard)
    }

    /// Returns the variant that another program's name denotes.
    pub fn variant(&self, name: &str) -> Option<Variant> {
        self.rows().flat_map(|row| row.variants).find(|variant| variant.name == name).copied()
    }

    /// Returns the full name of the game that a text without its name is of; `None` unless exactly one row recognizes it.
    pub fn recognize(&self, text: &str) -> Option<&'static str> {
        let mut rows = self.rows().filter(|row| row.recognized.is_some_and(|recognized| recognized(text)));
        rows.next().filter(|_| rows.next().is_none()).map(|row| row.default)
    }

    /// Opens a game by its full name (`nim:3,5,7:misere`), or by its bare name with its default parameters.
    ///
    /// # Errors
    /// One line that names what was wrong in the name and says what was expected.
    pub fn open(&self, name: &str, settings: &Settings) -> Result<Session, String> {
        let name = &*self.full_name(name);
        let row = self.row(name).ok_or_else(|| self.unknown(name))?;
        settings.files.admit(name)?;
        let session = row.open(name, settings)?;
        // A game of one's own may have the name of another.
        let own = self.own.rows.iter().any(|own| own.name == row.name);
        let known = if own { None } else { Known::find(self.known, session.name()) };
        Ok(session.with_known(known))
    }

    /// Returns the full name of the game that a misspelt name was meant to be. It is compared with the names of the
    /// rows, their [other names](Row::other_names), and the names of other programs' variants.
    pub fn close(&self, name: &str) -> Option<&'static str> {
        let first = name.split(':').next().unwrap_or("");
        let named = || {
            let rows = self.rows().map(|row| (row.name, row.name));
            let variants =
                self.rows().flat_map(|row| row.variants).map(|variant| (variant.name, variant.game));
            rows.chain(variants).chain(self.rows().flat_map(|row| row.other_names).copied())
        };
        let close = closest(first, named().map(|(name, _)| name))?;
        named().find(|&(name, _)| name == close).map(|(_, full)| full)
    }

    /// Returns the name accepted by `UCI_Variant` that is closest to this one, if it is close enough to have been
    /// meant.
    pub fn close_variant(&self, name: &str) -> Option<&'static str> {
        let variants = self.rows().flat_map(|row| row.variants).map(|variant| variant.name);
        closest(name, variants.chain(self.rows().map(|row| row.name)))
    }

    /// Returns the name of the game that opens a file with this ending, `rules` or `graph`; `None` if there is none.
    pub fn game_of_file(&self, path: &str) -> Option<&'static str> {
        const ENDINGS: [(&str, &str); 3] = [(".rbg", "rules"), (".dot", "graph"), (".gv", "graph")];
        let (_, game) = ENDINGS.into_iter().find(|(ending, _)| path.ends_with(ending))?;
        (!path.contains("file=") && self.row(game).is_some()).then_some(game)
    }

    /// Returns the refusal of a name that is in no row.
    fn unknown(&self, name: &str) -> String {
        if let Some(line) = self.elsewhere(name) {
            return line;
        }
        let shown: String = name.chars().take(60).collect();
        let all: Vec<&str> = self.rows().map(|row| row.name).collect();
        if let Some(game) = self.recognize(name) {
            return format!(
                "unknown game {shown:?}: is it a text of {game}? grundy analyze {game} '{shown}'"
            );
        }
        let related = self.related(name).join(" or ");
        match (self.close(name), all.len()) {
            (_, 0) => format!("unknown game {shown:?}: this program has no games"),
            (Some(close), _) => {
                format!("unknown game {shown:?}: did you mean {close}? grundy games lists all")
            }
            _ if !related.is_empty() => {
                format!("unknown game {shown:?}: did you mean {related}? grundy games lists all")
            }
            (None, ..=MOST_NAMED) => format!("unknown game {shown:?}: expected one of {}", all.join(", ")),
            (None, count) => {
                format!("unknown game {shown:?}: expected one of the {count} that grundy games lists")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spelling;

    const fn row(name: &'static str) -> Row {
        Row::new(name, name, |_| Err("never opened".into()))
    }

    static GAMES: [Row; 4] = [
        row("mnk").variants(&[Variant { name: "gomoku", game: "mnk:15,15,5", spelling: Spelling::Ours }]),
        row("connect4").other_names(&[("connect-four", "connect4"), ("mnk:tall", "connect4")]),
        row("heaps").other_names(&[("kayles", "heaps:kayles"), ("kayles:rule=A", "heaps:0.77")]),
        row("chess").recognized(|text| text.starts_with("1.")),
    ];
    static CATALOG: Catalog = Catalog::new(&[Family { title: "Some", rows: &GAMES }]);

    #[test]
    fn a_misspelt_name_finds_the_game() {
        for (typed, meant) in [
            ("conect4:6x5", "connect4"),
            ("gomoku", "mnk:15,15,5"),
            ("Gomku", "mnk:15,15,5"),
            ("connect-for", "connect4"),
            ("kayels:3,5", "heaps:kayles"),
        ] {
            let refusal = CATALOG.open(typed, &Settings::default()).err();
            let expected = format!("unknown game {typed:?}: did you mean {meant}? grundy games lists all");
            assert_eq!(refusal, Some(expected));
        }
        assert_eq!(CATALOG.close_variant("gomku"), Some("gomoku"));
        assert_eq!(CATALOG.close_variant("ches"), Some("chess"));
    }

    #[test]
    fn a_common_name_is_the_full_one() {
        for (typed, full) in [
            ("connect-four", "connect4"),
            ("Connect_Four:6x5", "connect4:6x5"),
            ("connect-4", "connect4"),
            ("Kayles'", "heaps:kayles"),
            ("kayles:3,5", "heaps:kayles:3,5"),
            ("kayles:rule=A:3,5", "heaps:0.77:3,5"),
            ("kayles 3,5", "heaps:kayles:3,5"),
            ("connect four 6x5", "connect4:6x5"),
            ("mnk 3,3,3 gravity", "mnk:3,3,3:gravity"),
            ("mnk 3 3, 3 gravity", "mnk:3,3,3:gravity"),
            ("kayles 3 5", "heaps:kayles:3,5"),
            ("mnk:3,3,3", "mnk:3,3,3"),
            ("mnk:tall:6x5", "connect4:6x5"),
            ("gomoku", "gomoku"),
            ("", ""),
        ] {
            assert_eq!(CATALOG.full_name(typed), full);
        }
        assert_eq!(CATALOG.row("kayles:3,5").map(|row| row.name), Some("heaps"));
        assert_eq!(CATALOG.row("mnk:tall").map(|row| row.name), Some("connect4"));
        assert_eq!(CATALOG.open("kayles", &Settings::default()).err().as_deref(), Some("never opened"));
    }

    #[test]
    fn a_name_with_a_word_of_a_game_finds_it() {
        let refusal = CATALOG.open("giant chess", &Settings::default()).err();
        let expected = "unknown game \"giant chess\": did you mean chess? grundy games lists all";
        assert_eq!(refusal.as_deref(), Some(expected));
    }

    #[test]
    fn a_text_of_one_game_only_is_recognized() {
        assert_eq!((CATALOG.recognize("1. e4"), CATALOG.recognize("b2 a1")), (Some("chess"), None));
        let refusal = CATALOG.open("1. e4", &Settings::default()).err();
        let expected = "unknown game \"1. e4\": is it a text of chess? grundy analyze chess '1. e4'";
        assert_eq!(refusal.as_deref(), Some(expected));
    }

    #[test]
    fn a_name_like_no_other_gets_the_list() {
        let refusal = CATALOG.open("xyzzy", &Settings::default()).err();
        let expected = "unknown game \"xyzzy\": expected one of mnk, connect4, heaps, chess";
        assert_eq!(refusal.as_deref(), Some(expected));
    }
}
