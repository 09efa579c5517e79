//! From a game and its methods to a session.
//!
//! A row of the catalog builds a [`Play`]: the rules first, then the methods it may use. [`Play::session`] erases the
//! game's type behind [`Board`](grundy_session::Board); sessions are not generic.

mod endgames;
mod erased;
mod explanation;
mod highest;
mod numbers;
mod proofs;
mod seeker;
mod states;
mod sums;
mod values;
mod windows;

use std::sync::Arc;

use grundy_core::game::{Game, Notation, Scored};
use grundy_session::{Division, Session, Spec};

use crate::alpha_beta::{Bounds, Heuristic};
use crate::lookahead::{Evaluated, Minimax};
use crate::openings::Openings;
use erased::{Erased, Explanation, Methods};
use grundy_sums::Worth;
use grundy_tables::{Annotator, Oracle};

pub use endgames::EndgameAlphaBeta;
pub use numbers::NumberedBy;
pub use proofs::Proofs;
pub use seeker::SearchMethod;
pub use sums::SumProofs;
pub use windows::NullWindow;

/// A game of type `G` with its methods.
///
/// ```
/// use grundy_session::{Row, Session, Spec};
/// use grundy_tables::TableOracle;
/// use grundy_search::play::play;
/// # use grundy_core::{game::*, value::Value};
/// # use grundy_tables::layers::{Acyclic, Order};
/// # struct Countdown;
/// # impl Game for Countdown {
/// #     type Position = u64;
/// #     type Move = u64;
/// #     fn start(&self) -> u64 { 5 }
/// #     fn turn(&self, n: &u64) -> Player { if n % 2 == 1 { Player::One } else { Player::Two } }
/// #     fn over(&self, n: &u64) -> Option<Value> { (*n == 0).then_some(Value::loss_in(0)) }
/// #     fn moves(&self, _: &u64, visit: &mut impl FnMut(u64) -> Flow) -> Flow { visit(1) }
/// #     fn play(&self, n: &u64, m: u64) -> u64 { n - m }
/// # }
/// # impl Scored for Countdown {}
/// # impl Notation for Countdown {
/// #     fn write_position(&self, n: &u64) -> String { n.to_string() }
/// #     fn read_position(&self, text: &str) -> Result<u64, String> { text.parse().map_err(|_| "a number".into()) }
/// #     fn write_move(&self, _: &u64, m: u64) -> String { m.to_string() }
/// # }
/// # impl Indexed for Countdown {
/// #     fn size(&self) -> u64 { 6 }
/// #     fn index(&self, n: &u64) -> u64 { *n }
/// #     fn position(&self, n: u64) -> Option<u64> { (n < 6).then_some(n) }
/// # }
/// # impl Acyclic for Countdown {
/// #     fn order(&self) -> Order { Order::Lower }
/// # }
/// fn open(spec: &mut Spec<'_>) -> Result<Session, String> {
///     Ok(play(spec, Countdown).oracle(TableOracle::layers()).session())
/// }
/// let row = Row::new("countdown", "countdown", open);
/// let mut session = row.open("countdown", &Default::default())?;
/// assert_eq!(session.value(), Some(Value::win_in(5)));
/// # Ok::<(), String>(())
/// ```
pub struct Play<G: Game> {
    name: String,
    game: Arc<G>,
    methods: Methods<G>,
}

/// Returns a game under the full name of `spec`, without a method yet.
pub fn play<G: Scored + Notation>(spec: &Spec<'_>, game: G) -> Play<G> {
    Play::new(spec.full(), game)
}

impl<G: Scored + Notation> Play<G> {
    /// Returns a game under this full name, without a method yet.
    pub fn new(name: impl Into<String>, game: G) -> Play<G> {
        let name = name.into();
        Play { name, game: Arc::new(game), methods: Methods::default() }
    }

    /// Sets the oracle: a formula, a sum, or a table. A large table is built on request only: see [`Session::ready`].
    #[must_use]
    pub fn oracle(self, oracle: impl Oracle<G> + 'static) -> Play<G> {
        self.with(|methods| methods.oracle = Some(Arc::new(oracle)))
    }

    /// Adds an opening book of this many plies, or of any number: the file `shipped`, or one in the folder of tables.
    #[must_use]
    pub fn openings(self, plies: Option<u32>, shipped: Option<&'static [u8]>) -> Play<G>
    where
        G: Heuristic + Bounds + Clone,
    {
        self.with(|methods| methods.book = Some(Arc::new(Openings::<G>::new(plies, shipped))))
    }

    /// Sets the search, used if no method knows the value.
    #[must_use]
    pub fn search<S: SearchMethod<G> + 'static>(self) -> Play<G> {
        self.with(|methods| methods.search = Some(|settings| Box::new(S::new(settings))))
    }

    /// Lets lines of play be counted beyond the end of the game: [`Game::moves`] and [`Game::play`] of this game also
    /// work after it.
    #[must_use]
    pub fn plays_on(self) -> Play<G> {
        let onward: erased::Visit<G> = |game, position, visit| {
            let _ = game.moves(position, &mut |m| visit(m));
        };
        self.with(|methods| methods.onward = Some(onward))
    }

    /// Sets the division of the moves into orbits and groups for tables in parts.
    #[must_use]
    pub fn divided(self, division: fn(&G) -> Option<Division>) -> Play<G> {
        self.with(|methods| methods.division = Some(division))
    }

    /// Sets numberings of positions beside that of the table.
    #[must_use]
    pub fn numberings(self, numberings: &'static [NumberedBy<G>]) -> Play<G> {
        self.with(|methods| methods.numberings = numberings)
    }

    /// Sets the method that marks and explains positions beside their values.
    #[must_use]
    pub fn annotator(self, annotator: impl Annotator<G> + 'static) -> Play<G> {
        self.with(|methods| methods.annotator = Some(Explanation::new(Arc::new(annotator))))
    }

    /// Sets the oracle, which also marks and explains positions.
    #[must_use]
    pub fn annotating_oracle(self, oracle: impl Oracle<G> + Annotator<G> + 'static) -> Play<G> {
        let oracle = Arc::new(oracle);
        self.with(|methods| {
            methods.oracle = Some(oracle.clone());
            methods.annotator = Some(Explanation::new(oracle));
        })
    }

    /// Sets the method for the values of positions in sums.
    #[must_use]
    pub fn worth(self, worth: impl Worth<G> + 'static) -> Play<G> {
        self.with(|methods| methods.worth = Some(Arc::new(worth)))
    }

    /// Sets the oracle, which also finds the values of positions in sums.
    #[must_use]
    pub fn summing_oracle(self, oracle: impl Oracle<G> + Worth<G> + 'static) -> Play<G> {
        let oracle = Arc::new(oracle);
        self.with(|methods| {
            methods.oracle = Some(oracle.clone());
            methods.worth = Some(oracle);
        })
    }

    /// Adds the search of textbooks, used if the settings ask for the game's textbook evaluation.
    #[must_use]
    pub fn evaluated(self) -> Play<G>
    where
        G: Evaluated,
    {
        self.with(|methods| {
            methods.textbook = Some(|settings| Box::new(<Minimax as SearchMethod<G>>::new(settings)))
        })
    }

    /// Returns the session at the start of the game.
    pub fn session(self) -> Session {
        Session::new(self.name, Box::new(Erased::new(self.game, Arc::new(self.methods))))
    }

    fn with(mut self, add: impl FnOnce(&mut Methods<G>)) -> Play<G> {
        add(&mut self.methods);
        self
    }
}
