//! One game being played: its history, the values of its positions, and the choice of a move.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grundy_core::game::{GameResult, Player};
use grundy_core::random::{SplitMix64, mix};
use grundy_core::sorting;
use grundy_core::table::{Folder, TableError};
use grundy_core::text::excerpt;
use grundy_core::value::{Score, Step, Unit, Value, Wdl};

use crate::answer::{
    LISTED, Valued, avoid_repetition, best_moves, choose, line, prefer_progress, prefer_without_rule,
    valued_moves,
};
use crate::board::{Ask, Board, Drawing, Listed, Move};
use crate::repeats::Repeats;
use crate::{
    Canonical, Evaluation, Go, Grundy, Home, Info, Loony, LoonyMoves, Method, MoveList, MoveValue, NEVER,
    Need, Played, Progress, Refusal, Settings, SolveError, Successor, Tabled, Work, quiet_work,
};

/// How long the making of a table may take that was not asked for, in a game with a search.
const BESIDE_A_SEARCH: Duration = Duration::from_secs(1);
/// The same in a game without a search.
const ALONE: Duration = Duration::from_secs(16);
/// How many characters of a refused position an error shows.
const LONGEST_SHOWN: usize = 120;
/// How long a Grundy number or a canonical form may take.
const FORM: Duration = Duration::from_secs(10);

/// A game in progress, with the methods that know its values.
///
/// A session can be sent to another thread, and is used by one at a time. [`Session::fork`] makes one for another
/// thread. A [`Row`](crate::Row) of a catalog opens sessions:
///
/// ```
/// use grundy_session::{Catalog, Family, Session, Settings};
///
/// /// Plays the first legal move until the game is over, and says how long that took.
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
    settings: Settings,
    lots: SplitMix64,
    /// Counts changes of the position: a [`Ready`] belongs to the position only while this stays the same.
    changes: u64,
    /// The positions of the game, where the third repetition ends it.
    repeats: Option<Repeats>,
    /// The digest of the files that the game's name names.
    digest: Option<String>,
}

/// What [`Session::ready`] found for a position, for the next [`Session::go`].
#[derive(Debug, Default)]
pub struct Ready {
    /// Notes for the user, one a line: that a table is made, what the position is worth without a rule.
    pub notes: Vec<String>,
    /// Why there is no table, where one was wanted.
    pub refused: Option<SolveError>,
    /// The exact value, where a method knows it without a search.
    pub value: Option<Value>,
    /// The count of changes at that time.
    change: Option<u64>,
}

impl Session {
    /// A session at the start of a game with this full name.
    pub fn new(name: impl Into<String>, board: Box<dyn Board>) -> Session {
        let home = Home { folder: Folder::find(None), name: name.into() };
        let (settings, lots) = (Settings::default(), SplitMix64::default());
        Session { board, home, words: Vec::new(), settings, lots, changes: 0, repeats: None, digest: None }
    }

    /// Names the files that the game was read from by the [digest](crate::Spec::digest) of what they mean.
    #[must_use]
    pub(crate) fn with_digest(self, digest: Option<String>) -> Session {
        Session { digest, ..self }
    }

    /// The SHA-256 of what the files mean that the game's name names, in hexadecimal digits; `None` where the name alone
    /// says which game it is.
    pub fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }

    /// Ends games as a draw (a game for points by the score) when a position comes for the third time. Values do not
    /// know it.
    #[must_use]
    pub(crate) fn with_repeats(mut self) -> Session {
        let mut repeats = Repeats::default();
        repeats.begin(self.position());
        self.repeats = Some(repeats);
        self
    }

    /// Another session of the same game at its start. The two share tables, and not what searches learn.
    #[must_use]
    pub fn fork(&self) -> Session {
        let (board, home, settings) = (self.board.fork(), self.home.clone(), self.settings.clone());
        let (lots, digest) = (self.lots.clone(), self.digest.clone());
        let fork =
            Session { board, home, words: Vec::new(), settings, lots, changes: 0, repeats: None, digest };
        if self.repeats.is_some() { fork.with_repeats() } else { fork }
    }

    /// A board of this game with the position that stands here and nothing before it, for whoever looks at very many
    /// positions.
    ///
    /// # Errors
    /// The game does not read what it has written.
    pub fn board(&self) -> Result<Box<dyn Board>, String> {
        let mut board = self.board.fork();
        board.set_up(Some(&self.position()))?;
        Ok(board)
    }

    /// The game's full name with its parameters: `nim:3,5,7:misere`.
    pub fn name(&self) -> &str {
        &self.home.name
    }

    /// What the values of this game count.
    pub fn unit(&self) -> Unit {
        self.board.unit()
    }

    /// Takes over new settings. What searches have learned is forgotten.
    pub fn configure(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.home.folder = Folder::find(settings.tables.as_deref());
        // Scattered, so that seeds that follow each other begin differently.
        self.lots = SplitMix64(settings.seed.map_or(0, mix));
        self.board.forget();
        self.changes += 1;
    }

    /// Forgets what searches have learned (transposition tables, histories), as if nothing had been played before.
    /// Tables and opening books stay.
    pub fn forget(&mut self) {
        self.board.forget();
    }

    // ---- the game so far ----

    /// Begins a new game from a position given as text, or from the game's start.
    ///
    /// # Errors
    /// The text is no position of this game; the session is then as it was.
    pub fn setup(&mut self, position: Option<&str>) -> Result<(), Refusal> {
        self.board.set_up(position).map_err(|why| {
            let text = excerpt(position.unwrap_or_default(), LONGEST_SHOWN);
            Refusal::Position { text, why }
        })?;
        self.words.clear();
        self.changes += 1;
        if let Some(repeats) = &mut self.repeats {
            repeats.begin(self.board.draw(Drawing::Line));
        }
        Ok(())
    }

    /// Whether a text is only the beginning of a position, which goes on in the next line. Once it has more than one
    /// line it ends with a line break.
    pub fn goes_on(&self, text: &str) -> bool {
        self.board.goes_on(text)
    }

    /// Plays a move; says what was played.
    ///
    /// # Errors
    /// The word is no legal move here; the session is then as it was.
    pub fn play(&mut self, word: &str) -> Result<Played, Refusal> {
        let m = self.find(word)?;
        let word = self.board.word(m);
        let step = self.board.play(m);
        self.words.push(word.clone());
        self.changes += 1;
        if let Some(repeats) = &mut self.repeats {
            repeats.came(self.board.draw(Drawing::Line));
        }
        Ok(Played { word, step })
    }

    /// Takes the last move back; false where there is none.
    pub fn undo(&mut self) -> bool {
        self.changes += 1;
        if self.words.pop().is_some()
            && let Some(repeats) = &mut self.repeats
        {
            repeats.left(&self.board.draw(Drawing::Line));
        }
        self.board.undo()
    }

    /// The moves played since the session was set up, in their standard spelling.
    pub fn history(&self) -> &[String] {
        &self.words
    }

    /// The player to move, or whose turn it would be.
    pub fn turn(&self) -> Player {
        self.board.standing().turn
    }

    /// The value of a finished game for the player whose turn it would be. Knows what the rules make of the history
    /// (threefold repetition, fifty moves) where the game has such rules, or its name asks for `repeat=3`.
    pub fn over(&self) -> Option<Value> {
        let by_history = || (self.board.drawn() || self.repeated()).then_some(Value::DRAW);
        self.board.standing().over.or_else(by_history)
    }

    /// How a finished game ended.
    pub fn result(&self) -> Option<GameResult> {
        let standing = self.board.standing();
        let (one, two) = standing.score;
        standing.result.or_else(|| self.board.drawn().then_some(GameResult::Draw)).or_else(|| {
            self.repeated().then_some(match one.cmp(&two) {
                Less => GameResult::Win(Player::Two),
                Equal => GameResult::Draw,
                Greater => GameResult::Win(Player::One),
            })
        })
    }

    /// Whether the third repetition has ended the game.
    fn repeated(&self) -> bool {
        self.repeats.as_ref().is_some_and(Repeats::ended)
    }

    /// How often a position of a line that is shown may have come.
    fn most_repetitions(&self) -> Option<usize> {
        self.repeats.is_some().then_some(Repeats::MOST)
    }

    /// The points so far, player one's first; `None` in games of outcome.
    pub fn score(&self) -> Option<(i32, i32)> {
        (self.unit().is_points()).then(|| self.board.standing().score)
    }

    /// The clock of a rule that ends games (the fifty-move rule), where the values of positions depend on it.
    pub fn clock(&self) -> Option<u32> {
        self.board.standing().clock
    }

    /// How the game ends for the player to move if the position has this value. In a game for points the score so far
    /// counts too.
    pub fn outcome(&self, value: Value) -> Wdl {
        let Some((one, two)) = self.score() else { return value.wdl() };
        let lead = if self.turn() == Player::One { one - two } else { two - one };
        value.back(Step { turn_passed: false, gain: lead }).wdl()
    }

    /// How often the position has occurred in this game, this time included.
    pub fn repetitions(&self) -> usize {
        self.board.repetitions()
    }

    // ---- words and drawings ----

    /// The position as one line.
    pub fn position(&self) -> String {
        self.board.draw(Drawing::Line)
    }

    /// The representative of the position's symmetry class (mirrored boards, heaps in another order), as one line. The
    /// player to move and the score are the same. A game without symmetry gives [`Session::position`].
    pub fn canonical(&self) -> String {
        self.board.draw(Drawing::Canonical)
    }

    /// A drawing for a person at a terminal.
    pub fn draw(&self) -> String {
        self.board.draw(Drawing::Board)
    }

    /// The drawing with marks from the game so far: the last move, who took what.
    pub fn draw_game(&self) -> String {
        self.board.draw(Drawing::Game)
    }

    /// The drawing with the values of moves at their places, for games that support it; behind a value the mark of the
    /// loony state, unless nobody makes a loony move.
    pub fn draw_values(&self, list: &MoveList, loony: Option<&LoonyMoves>) -> String {
        let unit = self.unit();
        self.board.draw(Drawing::Words(&|word| {
            let found = list.moves.iter().find(|valued| valued.word == word)?;
            let value = found.value.map_or_else(|| "?".to_owned(), |value| value.show(unit).to_string());
            let mark = match loony.map(|loony| loony.of(word)) {
                None | Some(Some(Loony::Nobody)) => String::new(),
                Some(state) => Loony::mark(state),
            };
            Some(value + &mark)
        }))
    }

    /// Comments on the position for a player, one a line. What takes a search is found before the work ends or said to be
    /// open; where it has ended already nothing is searched.
    pub fn remarks(&mut self, work: &Work<'_>) -> Vec<String> {
        self.board.remarks(&self.settings, work)
    }

    // ---- moves ----

    /// The first `limit` legal moves, in the game's own order; empty where the game is over.
    pub fn legal_moves(&mut self, limit: usize) -> Vec<String> {
        self.legal(limit).into_iter().map(|m| self.board.word(m)).collect()
    }

    /// The first `limit` legal moves and where each leads, history left out. Empty where the game is over.
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

    /// Shows the successors of the position one after another, until `visit` says that it has seen enough. No more of
    /// them are made than are shown, and none is kept.
    pub fn each_successor(&self, visit: &mut dyn FnMut(Successor) -> bool) {
        self.board.each_successor(visit);
    }

    /// How many moves the position has by the rules alone, counted no further than `limit`.
    pub fn count_moves(&self, limit: usize) -> usize {
        self.board.count_moves(limit)
    }

    /// Whether the word is a legal move.
    pub fn is_legal(&mut self, word: &str) -> bool {
        self.find(word).is_ok()
    }

    /// The standard spelling of a legal move; `None` where the word is no legal move.
    pub fn spelling(&mut self, word: &str) -> Option<String> {
        self.find(word).ok().map(|m| self.board.word(m))
    }

    /// A legal move as people note it down (in chess `Nbd2`); `None` where the word is no legal move.
    pub fn note(&mut self, word: &str) -> Option<String> {
        self.find(word).ok().map(|m| self.board.note(m))
    }

    /// Those of the first `limit` legal moves that people note down otherwise than the game writes them, each with that
    /// notation.
    pub fn notes(&mut self, limit: usize) -> Vec<(String, String)> {
        let legal = self.legal(limit).into_iter();
        let both = legal.map(|m| (self.board.word(m), self.board.note(m)));
        both.filter(|(word, note)| word != note).collect()
    }

    fn legal(&mut self, limit: usize) -> Vec<Move> {
        if limit == 0 || self.over().is_some() {
            return Vec::new();
        }
        self.board.list(Listed::Legal, limit).unwrap_or_default()
    }

    fn find(&mut self, word: &str) -> Result<Move, Refusal> {
        if self.over().is_some() {
            return Err(Refusal::Over { word: word.to_owned() });
        }
        self.board
            .find(word)
            .ok_or_else(|| Refusal::Move { word: word.to_owned(), position: self.board.draw(Drawing::Line) })
    }

    // ---- values ----

    /// Does the long work that exact values of this position need, unless it was done before, and says what is known
    /// then. Work that is not done at `until` is left to a background thread, in a game with a search.
    pub fn ready(&mut self, work: &Work<'_>, until: Option<Instant>) -> Ready {
        let searches = self.board.searches();
        let until = until.filter(|_| searches);
        let notes = Mutex::new(Vec::new());
        let report = |progress: &Progress| {
            // Work that has no size yet is announced: what it is about is all that is known.
            if let (0, 0, Ok(mut notes)) = (progress.done, progress.total, notes.lock())
                && notes.is_empty()
            {
                notes.push(format!("makes a table first: {}", progress.what));
            }
            (work.report)(progress);
        };
        let inner = Work { until: work.until.into_iter().chain(until).min(), report: &report, ..*work };
        let unasked = if searches { BESIDE_A_SEARCH } else { ALONE };
        let need = Need { home: &self.home, unasked, hurried: until.is_some(), work: &inner };
        let refused = self.board.ready(&need).err();
        let mut notes = notes.into_inner().unwrap_or_default();
        if let Some((value, rule)) = self.board.without_rule() {
            notes.push(format!("{} without {rule}", value.show(self.unit())));
        }
        // What another question is at work on is not waited for a second time.
        let known = || (refused != Some(SolveError::Busy)).then(|| self.board.value()).flatten();
        let value = self.over().or_else(known);
        Ready { notes, refused, value, change: Some(self.changes) }
    }

    /// Work of the session's threads that ends when the flag is set.
    pub fn work<'a>(&self, stop: &'a AtomicBool) -> Work<'a> {
        let (threads, memory_limit) = (self.settings.threads.max(1), self.settings.memory);
        Work { stop, threads, memory_limit, ..quiet_work() }
    }

    /// The exact value of the position for the player to move, without the points so far; `None` where that takes a
    /// search.
    pub fn value(&mut self) -> Option<Value> {
        self.value_within(&self.work(&NEVER))
    }

    /// As [`Session::value`], as far as the work finds it.
    pub fn value_within(&mut self, work: &Work<'_>) -> Option<Value> {
        self.over().or_else(|| self.ready(work, None).value)
    }

    /// Legal moves with their exact values for the player who makes them, best first. At most `limit` are given; the
    /// worst are left out. Values that are not known are `None`.
    pub fn values(&mut self, limit: usize) -> MoveList {
        self.values_within(limit, &self.work(&NEVER))
    }

    /// As [`Session::values`], as far as the work finds them.
    pub fn values_within(&mut self, limit: usize, work: &Work<'_>) -> MoveList {
        if self.over().is_some() {
            return MoveList::default();
        }
        self.ready(work, None);
        let (list, truncated) = valued_moves(self.board.as_mut(), limit, work.until);
        let moves =
            list.into_iter().map(|(m, value)| MoveValue { word: self.board.word(m), value }).collect();
        MoveList { moves, truncated }
    }

    /// The loony states of the moves, as far as the work finds them; `None` where the game has none.
    pub fn loony(&mut self, work: &Work<'_>) -> Option<LoonyMoves> {
        if self.over().is_none() {
            self.ready(work, None);
        }
        self.board.loony(&self.settings, work)
    }

    /// What the position would be worth without a rule of the game, and which, where that makes a difference.
    pub fn without_rule(&self) -> Option<(Value, &'static str)> {
        self.board.without_rule()
    }

    /// The Grundy number of the position, where the game is impartial and a method finds it in time, else why not.
    pub fn grundy(&mut self) -> Grundy {
        self.grundy_within(&quiet_work().within(FORM))
    }

    /// As [`Session::grundy`], as far as the work finds it.
    pub fn grundy_within(&mut self, work: &Work<'_>) -> Grundy {
        self.board.grundy(work)
    }

    /// The canonical form of the position, whoever is to move, where the game has such forms and it is found in time.
    pub fn canonical_form(&mut self) -> Canonical {
        self.canonical_form_within(&quiet_work().within(FORM))
    }

    /// As [`Session::canonical_form`], as far as the work finds it.
    pub fn canonical_form_within(&mut self, work: &Work<'_>) -> Canonical {
        self.board.canonical_form(work)
    }

    /// Lines of play of exactly `depth` plies.
    pub fn perft(&self, depth: u32) -> u64 {
        self.board.perft(depth)
    }

    // ---- search ----

    /// Whether the game has a search, for positions whose value no method knows.
    pub fn searches(&self) -> bool {
        self.board.searches()
    }

    /// An estimate of the size of a search of the position, as text, where the game has one.
    pub fn effort(&self) -> Option<String> {
        self.board.effort()
    }

    /// Has searches start from the results in a file and save theirs to it, at this interval and at their end, until
    /// the session is configured again. Says whether the file exists already; `None` where the game's search cannot
    /// save results.
    pub fn keep(&mut self, file: &Path, every: Duration) -> Option<Result<bool, TableError>> {
        self.board.keep(&self.home.name, file, every, &self.settings)
    }

    /// Finds a move: [`Session::ready_to_go`] and then [`Session::go`].
    pub fn think(&mut self, go: &Go, stop: &AtomicBool, report: &mut dyn FnMut(&Info)) -> Option<String> {
        let ready = if go.alone { Ready::default() } else { self.ready_to_go(go, stop) };
        self.go(ready, go, stop, report)
    }

    /// [`Session::ready`] within the part of the limits that may be spent on it. Playouts need nothing made ready.
    pub fn ready_to_go(&mut self, go: &Go, stop: &AtomicBool) -> Ready {
        if self.settings.method == Method::MonteCarlo {
            return Ready { change: Some(self.changes), ..Ready::default() };
        }
        // Where there is no search nobody goes on when half of the time is over.
        let until = go.limits.hard.filter(|_| !self.board.searches());
        self.ready(&Work { until, ..self.work(stop) }, go.limits.patience())
    }

    /// Finds a move: at once where the value is known and [`Method::MonteCarlo`] was not chosen, else by a search within the
    /// limits. `ready` is what
    /// [`Session::ready`] gave for this position; one of another position is made again. `report` sees every line as it
    /// is found; the last one of rank 1 holds the answer. `None` only where the game is over.
    pub fn go(
        &mut self,
        ready: Ready,
        go: &Go,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Info),
    ) -> Option<String> {
        if self.over().is_some() {
            return None;
        }
        let only: Vec<Move> = go.search_moves.iter().filter_map(|word| self.board.find(word)).collect();
        let textbook = self.settings.evaluation == Evaluation::Lines && self.board.evaluates();
        let playouts = self.settings.method == Method::MonteCarlo;
        if !go.alone && !textbook && !playouts {
            let ready = if ready.change == Some(self.changes) { ready } else { self.ready_to_go(go, stop) };
            if let Some(word) = ready.value.and_then(|value| self.answer(value, &only, report)) {
                return Some(word);
            }
        }
        let mut best = None;
        if self.board.searches() || textbook || playouts {
            let repeats = self.most_repetitions();
            let ask = Ask { go, only: &only, lines: self.settings.multi_pv.max(1), stop, repeats };
            self.board.search(&ask, &self.settings, &mut |info| {
                if info.rank == 1 {
                    best = info.pv.first().cloned();
                }
                match (info.score, info.pv.len()) {
                    // A line of one move with the score of a draw would claim that the move ends the game.
                    (Score::Guess(0), 1) => report(&Info { score: Score::Guess(1), ..info.clone() }),
                    _ => report(info),
                }
            });
        }
        if best.is_some() {
            return best;
        }
        // Without a method, or stopped before anything was found: any legal move, no node, and a guess that says nothing.
        let m = only.first().copied().or_else(|| self.board.list(Listed::Legal, 1)?.first().copied())?;
        let word = self.board.word(m);
        report(&self.info(1, Score::Guess(1), 0, vec![word.clone()]));
        Some(word)
    }

    /// Answers from the known value, best line first; `None` where a search is needed all the same.
    fn answer(&mut self, value: Value, only: &[Move], report: &mut dyn FnMut(&Info)) -> Option<String> {
        let mut ranked: Vec<(Move, Value)> = Vec::new();
        let lot = self.settings.seed.is_some().then(|| self.lots.bits());
        let repeats = self.most_repetitions();
        let board = self.board.as_mut();
        if only.is_empty() {
            let mut best = best_moves(board, value, LISTED);
            prefer_without_rule(board, &mut best);
            prefer_progress(board, value, &mut best);
            let instead = avoid_repetition(board, value, &mut best);
            let chosen = match lot {
                Some(lot) if !best.is_empty() => best.get((lot % best.len() as u64) as usize).copied(),
                _ => choose(board, &best),
            };
            ranked.push(instead.or_else(|| Some((chosen?, value)))?);
        }
        let longer = ranked.first().is_some_and(|&(_, worth)| worth != value);
        let lines = self.settings.multi_pv.max(1);
        if !only.is_empty() || lines > 1 {
            let list: Vec<Valued> = if only.is_empty() {
                valued_moves(board, LISTED, None).0
            } else {
                only.iter().map(|&m| (m, board.worth(m))).collect()
            };
            if board.searches() && list.iter().any(|(_, value)| value.is_none()) {
                // A search tells the others apart.
                return None;
            }
            let mut list: Vec<_> = list.into_iter().filter_map(|(m, value)| Some((m, value?))).collect();
            sorting::sort_by_key(&mut list, |&(_, value)| std::cmp::Reverse(value));
            for (m, v) in list {
                if ranked.len() < lines && ranked.iter().all(|r| r.0 != m) {
                    ranked.push((m, v));
                }
            }
        }
        let found: Vec<Info> = (1..)
            .zip(&ranked)
            .map(|(rank, &(m, value))| {
                let pv = line(self.board.as_mut(), m, value, repeats);
                let depth = value.plies().map_or(pv.len(), |plies| plies as usize).max(1) as u32;
                // How soon a longer way wins that repeats nothing is not known exactly.
                let score = match value.margin() {
                    None if longer && rank == 1 => Score::AtLeast(Value::WIN),
                    Some(_) if longer && rank == 1 => Score::AtLeast(value),
                    _ => Score::Exact(value),
                };
                Info { rank, ..self.info(depth, score, 1, pv) }
            })
            .collect();
        found.iter().for_each(report);
        found.first()?.pv.first().cloned()
    }

    fn info(&self, depth: u32, score: Score, nodes: u64, pv: Vec<String>) -> Info {
        Info { depth, seldepth: depth, nodes, hashfull: 0, rank: 1, score, unit: self.unit(), pv }
    }

    /// About how many bytes of memory the game's methods keep, of tables and of what they remember; what searches have
    /// learned is left out.
    pub fn bytes(&self) -> u64 {
        self.board.bytes()
    }

    // ---- tables ----

    /// The game's table, where its method fills one: of all positions, or, where `book` is given, an opening book of
    /// the positions with at most so many plies played.
    pub fn tabled(&self, book: Option<u32>) -> Option<Box<dyn Tabled + '_>> {
        self.board.tabled(&self.home, book)
    }
}
