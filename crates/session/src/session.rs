//! One game being played: its history, its moves, and how both are written. Values (`values.rs`), searches
//! (`thinking.rs`) and analyses (`analysis.rs`) have files of their own.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_core::game::{GameResult, Player};
use grundy_core::random::{SplitMix64, mix};
use grundy_core::table::Folder;
use grundy_core::text::excerpt;
use grundy_core::value::{Score, Step, Value, Wdl};
use grundy_core::weights::Weights;

use crate::board::{Board, Drawing, Drawn, Listed, Move};
use crate::spec::files_of;
use crate::typed::{with_second, with_slashes};
use crate::{
    Annotation, Home, Known, MoveList, Played, Refusal, Settings, SolveError, Successor, WeightsChoice, Work,
};

/// Characters of a refused position that an error shows.
const LONGEST_SHOWN: usize = 120;
/// The longest list of moves without blanks between them, and the longest move in one, in bytes.
const LONGEST_LIST: usize = 1024;
const LONGEST_JOINED: usize = 8;
/// The dashes and the minus of print.
const DASHES: [char; 7] =
    ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}'];
/// Digits of the digest of a game's files in the names of its tables.
const DIGITS: usize = 16;
/// The move that lists of moves leave out.
const PASS: &str = "pass";

/// A game in progress, with the methods that know its values.
///
/// A session can be sent to another thread, and is used by one at a time. [`Session::at_start`] makes one for another
/// thread. What needs no history and no settings is asked of the [`Board`] that a session dereferences to. A
/// [`Row`](crate::Row) of a catalog opens sessions:
///
/// ```
/// use grundy_session::{Catalog, Family, Session, Settings};
///
/// /// Plays the first legal move until the game is over; returns the number of plies.
/// fn plies(catalog: &Catalog, game: &str) -> Result<usize, String> {
///     let mut session: Session = catalog.open(game, &Settings::default())?;
///     while session.over().is_none() {
///         let word = session.legal_moves(1).remove(0);
///         session.play(&word).map_err(|refusal| refusal.to_string())?;
///     }
///     Ok(session.history().len())
/// }
///
/// static FAMILIES: [Family; 1] = [Family { title: "Heaps", rows: &grundy_heaps::ROWS }];
/// // The first legal move takes one counter.
/// assert_eq!(plies(&Catalog::new(&FAMILIES), "nim:2,3"), Ok(5));
/// ```
pub struct Session {
    pub(crate) board: Box<dyn Board>,
    pub(crate) home: Home,
    words: Vec<String>,
    pub(crate) settings: Settings,
    pub(crate) random: SplitMix64,
    /// The result of [`Session::prepare`] for the position, until the next search or change.
    pub(crate) prepared: Option<Ready>,
    /// The score of the position that the last search proved, with its best move, until the next change.
    pub(crate) proved: Option<(Score, String)>,
    /// The known result of the start, and the start as text.
    pub(crate) known: Option<Arc<(String, Known)>>,
    /// The digest of the files that the game's name names.
    digest: Option<String>,
    /// The digest of what its tables rest on.
    table_digest: Option<String>,
    /// The weights file that comes with the program.
    pub(crate) learned: Option<&'static [u8]>,
    /// True if the weights that the settings ask for were looked for.
    weighed: bool,
    /// True if draws by the game's own rules about its history do not end it.
    draws_are_claimed: bool,
}

impl Deref for Session {
    type Target = dyn Board;

    fn deref(&self) -> &(dyn Board + 'static) {
        &*self.board
    }
}

/// The result of preparing exact answers: see [`Session::ready`].
#[derive(Clone, Debug, Default)]
pub struct Ready {
    /// Notes for the user, one a line: that a table is built, the value without a rule of the game.
    pub notes: Vec<String>,
    /// Why there is no table, if one was wanted.
    pub refused: Option<SolveError>,
    /// The exact value, if a method knows it without a search.
    pub value: Option<Value>,
}

impl Session {
    /// Returns a session at the start of a game with this full name.
    pub fn new(name: impl Into<String>, board: Box<dyn Board>) -> Session {
        let home = Home { folder: Folder::find(None), name: name.into() };
        let (settings, random) = (Settings::default(), SplitMix64::default());
        Session {
            board,
            home,
            words: Vec::new(),
            settings,
            random,
            prepared: None,
            proved: None,
            known: None,
            digest: None,
            table_digest: None,
            learned: None,
            weighed: false,
            draws_are_claimed: false,
        }
    }

    /// Sets the [digest](crate::Spec::digest) of the files that the game was read from, and that of its
    /// [tables](crate::Spec::table_digest).
    #[must_use]
    pub(crate) fn with_digests(self, digest: Option<String>, table_digest: Option<String>) -> Session {
        Session { digest, table_digest, ..self }
    }

    /// Takes the folder of tables `named`, else the usual one. The files of a game that is read from files are named by the
    /// digest of these: they are found from any folder, and after a file was renamed.
    fn settle(&mut self, named: Option<&Path>) {
        let folder = Folder::find(named);
        let name = &self.home.name;
        self.home.folder = match self.table_digest.as_deref().and_then(|digest| digest.get(..DIGITS)) {
            Some(digits) => {
                let of_digest = |alias: String, path: &str| {
                    alias.replacen(&format!("file={path}"), &format!("file={digits}"), 1)
                };
                folder.with_alias(name, &files_of(name).into_iter().fold(name.clone(), of_digest))
            }
            None => folder,
        };
    }

    /// Sets the known result of the game's start.
    #[must_use]
    pub(crate) fn with_known(self, known: Option<Known>) -> Session {
        let known = known.map(|known| Arc::new((self.position(), known)));
        Session { known, ..self }
    }

    /// Returns the SHA-256 of the meaning of the files named by the game's name, in hexadecimal digits; `None` if the name
    /// alone identifies the game.
    pub fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }

    /// Ends games as a draw (a game for points by the score) when a position occurs for the third time. Values ignore it.
    #[must_use]
    pub(crate) fn with_repeats(mut self) -> Session {
        self.board.end_by_repetition();
        self
    }

    /// Leaves draws by the game's own rules about its history (threefold repetition, fifty moves) to claims, or ends games by
    /// them as at first. Left to claims, they are still [reported](Session::over) and searches score them as draws, but moves
    /// are played and searched from there.
    pub fn claim_draws(&mut self, claimed: bool) {
        self.board.claim_draws(claimed);
        self.draws_are_claimed = claimed;
        self.changed();
    }

    /// Returns another session of the same game at its start. The two share tables, but not what searches learn.
    #[must_use]
    pub fn at_start(&self) -> Session {
        let (board, home, settings) = (self.board.fork(), self.home.clone(), self.settings.clone());
        let (random, known) = (self.random.clone(), self.known.clone());
        let (digest, table_digest) = (self.digest.clone(), self.table_digest.clone());
        Session {
            board,
            home,
            settings,
            random,
            digest,
            table_digest,
            known,
            learned: self.learned,
            words: Vec::new(),
            prepared: None,
            proved: None,
            weighed: self.weighed,
            draws_are_claimed: self.draws_are_claimed,
        }
    }

    /// Returns a board of this game with the current position and no history, for visiting very many positions.
    ///
    /// # Errors
    /// The game does not read its own notation of the position.
    pub fn board(&self) -> Result<Box<dyn Board>, String> {
        let mut board = self.board.fork();
        board.set_up(Some(&self.position()))?;
        Ok(board)
    }

    /// Returns the game's full name with its parameters: `nim:3,5,7:misere`.
    pub fn name(&self) -> &str {
        &self.home.name
    }

    /// Returns the folder of tables, in which the game's files have the names that [`Folder`] gives them for this game.
    pub fn folder(&self) -> &Folder {
        &self.home.folder
    }

    /// Applies new settings. What searches have learned is forgotten.
    pub fn configure(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.settle(settings.tables.as_deref());
        // Scattered, so that seeds that follow each other begin differently.
        self.random = SplitMix64(settings.seed.map_or(0, mix));
        self.board.use_book(settings.own_book);
        self.board.evaluate_by(None);
        self.weighed = false;
        self.forget();
    }

    /// Reads the weights that the settings ask for, unless that was done since they were applied: by default those in the
    /// folder of tables, else those that come with the program. Searches do it themselves. Returns the file if one was read.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or is of another game: one line. The game's own evaluation is used then, and
    /// the next call does nothing.
    pub fn weigh(&mut self) -> Result<Option<PathBuf>, String> {
        if self.weighed {
            return Ok(None);
        }
        self.weighed = true;
        let own = self.home.folder.weights(&self.home.name);
        let path = match &self.settings.weights {
            WeightsChoice::Off => return Ok(None),
            WeightsChoice::File(path) => Some(path.clone()),
            WeightsChoice::Found => Some(own).filter(|path| path.exists()),
        };
        let read = match (&path, self.learned) {
            (Some(path), _) => Weights::read(path),
            (None, Some(file)) => Weights::from_bytes(file),
            (None, None) => return Ok(None),
        };
        let weights = read.and_then(|weights| {
            weights.check(&self.home.name, self.digest.as_deref())?;
            Ok(weights)
        });
        let place = path
            .as_ref()
            .map_or_else(|| "weights of the program".to_owned(), |path| path.display().to_string());
        let weights = weights.map_err(|why| format!("{place}: {why}"))?;
        self.board.evaluate_by(Some(Arc::new(weights)));
        Ok(path)
    }

    /// Forgets what searches have learned (transposition tables, histories). Tables and opening books stay.
    pub fn forget(&mut self) {
        self.board.forget();
        self.changed();
    }

    /// Drops what was found about the position.
    fn changed(&mut self) {
        (self.prepared, self.proved) = (None, None);
    }

    // ---- the game so far ----

    /// Begins a new game from a position given as text, or from the game's start.
    ///
    /// # Errors
    /// The text is no position of this game. The session is unchanged.
    pub fn setup(&mut self, position: Option<&str>) -> Result<(), Refusal> {
        self.holds()?;
        self.board.set_up(position).map_err(|why| refused(position, why))?;
        self.words.clear();
        self.changed();
        Ok(())
    }

    /// As [`Session::setup`], for a position that somebody gives: one from which the rules cannot be followed is refused, too.
    ///
    /// # Errors
    /// The text is no position of this game, and the session unchanged; or nobody can play on from it, and the session is at the
    /// start of the game.
    pub fn setup_given(&mut self, position: Option<&str>) -> Result<(), Refusal> {
        self.setup(position)?;
        match self.board.refusal() {
            None => Ok(()),
            Some(why) => {
                self.setup(None)?;
                Err(refused(position, why))
            }
        }
    }

    /// Returns why no answer about the game holds any more: its rules could not be followed to their end somewhere. `None` if
    /// they could.
    pub fn breakdown(&self) -> Option<String> {
        self.board.breakdown()
    }

    /// Returns why positions of the game have no value: its ends do not say who has won, or a
    /// [breakdown](Session::breakdown). `None` if they have. Random games of a rules file may be played to find that.
    pub fn unvalued(&self) -> Option<String> {
        self.board.unvalued()
    }

    /// Refuses what follows from rules that could not be followed.
    fn holds(&self) -> Result<(), Refusal> {
        self.breakdown().map_or(Ok(()), |why| Err(Refusal::Rules { why }))
    }

    /// Begins a new game from a position as a person types it: the slashes between rows may be missing, and the turn of
    /// player two where player one cannot be to move.
    ///
    /// # Errors
    /// The text is no position of this game, or the rules cannot be followed from it. The session is then at the start of the
    /// game.
    pub fn setup_typed(&mut self, position: Option<&str>) -> Result<(), Refusal> {
        let Err(refusal) = self.setup_given(position) else { return Ok(()) };
        self.setup(None)?;
        let (start, typed) = (self.position(), position.unwrap_or_default());
        let spelled = with_slashes(&start, typed);
        let refusal = match &spelled {
            Some(spelled) => match self.setup_given(Some(spelled)) {
                Ok(()) => return Ok(()),
                Err(refusal) => refusal,
            },
            None => refusal,
        };
        match with_second(&start, spelled.as_deref().unwrap_or(typed)) {
            Some(second) if self.setup_given(Some(&second)).is_ok() => Ok(()),
            _ => Err(refusal),
        }
    }

    /// Plays a move; returns its standard spelling and its effect.
    ///
    /// # Errors
    /// The word is no legal move here. The session is unchanged.
    pub fn play(&mut self, word: &str) -> Result<Played, Refusal> {
        let m = self.find(word)?;
        let word = self.board.word(m);
        let step = self.board.play(m);
        self.words.push(word.clone());
        self.changed();
        let held = self.holds();
        if held.is_err() {
            self.undo();
        }
        held.map(|()| Played { word, step })
    }

    /// Plays a word of a list of moves: one move, or several written without blanks between them (`44444432`,
    /// `f5d6c3`), forced passes left out.
    ///
    /// # Errors
    /// The word is neither, or can be split into moves in several ways. The session is unchanged.
    pub fn play_moves(&mut self, word: &str) -> Result<(), Refusal> {
        let refusal = match self.play(word) {
            Ok(_) => return Ok(()),
            Err(refusal) => refusal,
        };
        let before = self.words.len();
        if word.len() <= LONGEST_LIST && self.play_joined(word) {
            return Ok(());
        }
        while self.words.len() > before && self.undo() {}
        Err(refusal)
    }

    /// Takes the last move back; returns false if there is none.
    pub fn undo(&mut self) -> bool {
        self.changed();
        self.words.pop();
        self.board.undo()
    }

    /// Returns the moves played since the last setup, in their standard spelling.
    pub fn history(&self) -> &[String] {
        &self.words
    }

    /// Returns the player to move, or whose turn it would be.
    pub fn turn(&self) -> Player {
        self.board.standing().turn
    }

    /// Returns the value of a finished game for the player whose turn it would be; `None` while it goes on. Respects
    /// rules about the history: the game's own (threefold repetition, fifty moves), and `repeat=3` in its name.
    pub fn over(&self) -> Option<Value> {
        self.board.standing().over.or_else(|| self.board.drawn().map(|_| Value::DRAW))
    }

    /// Returns the value of a game that cannot go on: that of [`Session::over`], unless it is a draw left to
    /// [claims](Session::claim_draws).
    pub fn ended(&self) -> Option<Value> {
        let ends = |drawn: &Drawn| !self.draws_are_claimed || *drawn == Drawn::ByRepetition;
        self.board.standing().over.or_else(|| self.board.drawn().filter(ends).map(|_| Value::DRAW))
    }

    /// Returns the result; `None` while the game goes on. A game that a repetition has ended is decided by the score.
    pub fn result(&self) -> Option<GameResult> {
        let standing = self.board.standing();
        let (one, two) = standing.score;
        standing.result.or_else(|| {
            Some(match (self.board.drawn()?, one.cmp(&two)) {
                (Drawn::ByRules, _) | (Drawn::ByRepetition, Equal) => GameResult::Draw,
                (Drawn::ByRepetition, Greater) => GameResult::Win(Player::One),
                (Drawn::ByRepetition, Less) => GameResult::Win(Player::Two),
            })
        })
    }

    /// Returns the points so far, player one's first; `None` in games of outcome.
    pub fn score(&self) -> Option<(i32, i32)> {
        (self.unit().is_points()).then(|| self.board.standing().score)
    }

    /// Returns the clock of a rule that ends games (the fifty-move rule), if values of positions depend on it.
    pub fn clock(&self) -> Option<u32> {
        self.board.standing().clock
    }

    /// Returns the outcome of the game for the player to move if the position has this value. In a game for points the
    /// score so far counts too.
    pub fn outcome(&self, value: Value) -> Wdl {
        let Some((one, two)) = self.score() else { return value.wdl() };
        let lead = if self.turn() == Player::One { one - two } else { two - one };
        value.back(Step { turn_passed: false, gain: lead }).wdl()
    }

    // ---- words and drawings ----

    /// Returns the position as one line.
    pub fn position(&self) -> String {
        self.board.draw(Drawing::Line)
    }

    /// Returns the representative of the position's symmetry class (mirrored boards, heaps in another order), as one line.
    /// The player to move and the score are the same. In a game without symmetry it is [`Session::position`].
    pub fn canonical(&self) -> String {
        self.board.draw(Drawing::Canonical)
    }

    /// Returns a drawing for a terminal, several lines.
    pub fn draw(&self) -> String {
        self.board.draw(Drawing::Board)
    }

    /// Returns the drawing with marks from the game so far: the last move, who took what.
    pub fn draw_game(&self) -> String {
        self.board.draw(Drawing::Game)
    }

    /// Returns the drawing with the values of moves at their places, for games that support it. A value is followed by the
    /// move's mark, unless it needs none.
    pub fn draw_values(&self, list: &MoveList, marks: Option<&Annotation>) -> String {
        let unit = self.unit();
        self.board.draw(Drawing::Words(&|word| {
            let found = list.moves.iter().find(|valued| valued.word == word)?;
            let value = found.show(unit);
            let mark = marks.map(|marks| marks.of(word)).filter(|&mark| mark != Annotation::NONE);
            Some(value + &mark.map_or_else(String::new, String::from))
        }))
    }

    /// Returns comments on the position for a player, one a line. What takes a search is found before the work ends or
    /// called open; nothing is searched if the work has ended already.
    pub fn remarks(&mut self, work: &Work<'_>) -> Vec<String> {
        self.board.remarks(&self.settings, work)
    }

    // ---- moves ----

    /// Returns the first `limit` legal moves, in the game's own order; none if the game has [ended](Session::ended).
    pub fn legal_moves(&mut self, limit: usize) -> Vec<String> {
        self.legal(limit).into_iter().map(|m| self.board.word(m)).collect()
    }

    /// Counts the legal moves, up to `limit`.
    pub fn count_moves(&self, limit: usize) -> usize {
        self.board.count_moves(limit)
    }

    /// Returns the first `limit` legal moves with the positions after them, history ignored; none if the game is over.
    pub fn successors(&self, limit: usize) -> Vec<Successor> {
        let mut list = Vec::new();
        if limit == 0 {
            return list;
        }
        self.each_successor(&mut |successor| {
            list.push(successor);
            list.len() < limit
        });
        list
    }

    /// Reports whether the word is a legal move.
    pub fn is_legal(&mut self, word: &str) -> bool {
        self.find(word).is_ok()
    }

    /// Returns the standard spelling of a legal move; `None` if the word is none.
    pub fn spelling(&mut self, word: &str) -> Option<String> {
        self.find(word).ok().map(|m| self.board.word(m))
    }

    /// Returns a legal move as people note it down (in chess `Nbd2`); `None` if the word is none.
    pub fn note(&mut self, word: &str) -> Option<String> {
        self.find(word).ok().map(|m| self.board.note(m))
    }

    /// Returns those of the first `limit` legal moves that people write differently from the game, each with people's
    /// notation.
    pub fn notes(&mut self, limit: usize) -> Vec<(String, String)> {
        let legal = self.legal(limit).into_iter();
        let both = legal.map(|m| (self.board.word(m), self.board.note(m)));
        both.filter(|(word, note)| word != note).collect()
    }

    fn legal(&mut self, limit: usize) -> Vec<Move> {
        if limit == 0 || self.ended().is_some() {
            return Vec::new();
        }
        self.board.list(Listed::Legal, limit).unwrap_or_default()
    }

    fn find(&mut self, word: &str) -> Result<Move, Refusal> {
        if self.ended().is_some() {
            return Err(Refusal::Over { word: word.to_owned() });
        }
        self.spelt(word)
            .ok_or_else(|| Refusal::Move { word: word.to_owned(), position: self.board.draw(Drawing::Line) })
    }

    /// Returns the move that a word means. Signs of print count as those of a keyboard; the case of letters matters only
    /// between moves that differ by it.
    pub(crate) fn spelt(&mut self, word: &str) -> Option<Move> {
        self.board.find(word).or_else(|| {
            let plain = word.replace(DASHES, "-").replace('×', "x");
            let (lower, upper) = (plain.to_ascii_lowercase(), plain.to_ascii_uppercase());
            let spellings = [plain, lower, upper];
            spellings
                .iter()
                .filter(|spelling| *spelling != word)
                .find_map(|spelling| self.board.find(spelling))
        })
    }

    /// Plays the moves of a text without blanks; returns false if it cannot be split in only one way.
    fn play_joined(&mut self, text: &str) -> bool {
        let mut rest = text;
        // Words of one kind: in `d2` the number is no column.
        let letters = text.starts_with(char::is_alphabetic);
        while !rest.is_empty() {
            if rest.starts_with(char::is_alphabetic) != letters {
                return false;
            }
            let ends = (1..=rest.len().min(LONGEST_JOINED)).filter(|&end| rest.is_char_boundary(end));
            let moves: Vec<(usize, String)> =
                ends.filter_map(|end| Some((end, self.spelling(&rest[..end])?))).collect();
            let (end, word) = match &moves[..] {
                // Lists of moves leave out a pass that is forced.
                [] if self.legal_moves(2) == [PASS] => (0, PASS.to_owned()),
                // `d` and `d1` may be the same move.
                [.., (end, last)] if moves.iter().all(|(_, word)| word == last) => (*end, last.clone()),
                _ => return false,
            };
            if self.play(&word).is_err() {
                return false;
            }
            rest = &rest[end..];
        }
        true
    }
}

/// Returns the refusal of a position, its text shortened.
fn refused(position: Option<&str>, why: String) -> Refusal {
    Refusal::Position { text: excerpt(position.unwrap_or_default(), LONGEST_SHOWN), why }
}
