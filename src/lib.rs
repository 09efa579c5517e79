//! **grundy** plays two-player games perfectly, and lets anyone check that it does.
//!
//! This crate is the facade of a workspace of crates that import only downwards:
//!
//! | floor | crates |
//! |---|---|
//! | top | the binaries `grundy` and `referee`, and this facade with the [`catalog`] of all games |
//! | | [`engine`]: protocols, loop, command line; [`referee`]: matches and audits. They know no game |
//! | | [`games`]: the families of games, each with the rows that say which method solves it |
//! | | [`search`] on [`sums`] on [`tables`]: the methods, generic over games, each next to the trait that it needs |
//! | | [`session`]: one game in progress, its types erased: text in, text out |
//! | ground | [`game`] (the rules as a trait), [`value`], [`table`] (values by index, on disk), and helpers that games share |
//!
//! Three examples follow; `examples/own_game.rs` puts your own game behind the whole engine. A program that needs none
//! of the games here depends on grundy with `default-features = false`. Without the feature `games` engine, referee and
//! methods are the same, [`catalog`] is empty, and the build takes about half the time.
//!
//! # Solve your own game
//!
//! [`Game`](game::Game) is the rules. Whatever else a method needs is a trait next to that method: to be solved by
//! [layers](tables::layers) a game gives its positions indices and an order in which they follow each other.
//!
//! ```
//! use grundy::game::{Flow, Game, Indexed, MORE, Player, Scored};
//! use grundy::tables::layers::{self, Acyclic, Order};
//! use grundy::{session::quiet_work, value::{Unit, Value}};
//!
//! /// A heap of counters: take one or two; whoever takes the last one wins.
//! struct OneHeap(u8);
//!
//! impl Game for OneHeap {
//!     type Position = (u8, Player);
//!     type Move = u8;
//!     fn start(&self) -> Self::Position {
//!         (self.0, Player::One)
//!     }
//!     fn turn(&self, &(_, turn): &Self::Position) -> Player {
//!         turn
//!     }
//!     fn over(&self, &(heap, _): &Self::Position) -> Option<Value> {
//!         (heap == 0).then_some(Value::loss_in(0))
//!     }
//!     fn moves(&self, &(heap, _): &Self::Position, visit: &mut impl FnMut(u8) -> Flow) -> Flow {
//!         for taken in 1..=heap.min(2) {
//!             visit(taken)?;
//!         }
//!         MORE
//!     }
//!     fn play(&self, &(heap, turn): &Self::Position, taken: u8) -> Self::Position {
//!         (heap - taken, !turn)
//!     }
//! }
//! impl Scored for OneHeap {}
//! impl Indexed for OneHeap {
//!     fn size(&self) -> u64 {
//!         u64::from(self.0) + 1
//!     }
//!     fn index(&self, &(heap, _): &Self::Position) -> u64 {
//!         u64::from(heap)
//!     }
//!     fn position(&self, number: u64) -> Option<Self::Position> {
//!         (number < self.size()).then_some((number as u8, Player::One))
//!     }
//! }
//! impl Acyclic for OneHeap {
//!     fn order(&self) -> Order {
//!         Order::Lower // a move leads to a position with a lower index
//!     }
//! }
//!
//! let game = OneHeap(10);
//! let table = layers::solve(&game, &quiet_work())?;
//! let value = table.get(game.index(&game.start())).expect("every index is a position");
//! println!("{}", value.show(Unit::Outcome)); // win:7
//! assert_eq!(value, Value::win_in(7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Play a match in process
//!
//! A [`Session`](session::Session) is one game in progress, of any kind: text in, text out.
//!
//! ```
//! use grundy::{catalog, game::{GameResult, Player}, session::{Go, Limits, NEVER, Settings}};
//!
//! // Two players share nothing but the tables. The second searches only two plies ahead.
//! let mut players = [(); 2].map(|()| catalog::open("connect4:5x4", &Settings::default()).expect("a game"));
//! let strengths = [None, Some(2)];
//! let mut at_turn = 0;
//! while players[0].result().is_none() {
//!     let limits = Limits { depth: strengths[at_turn], ..Limits::default() };
//!     let go = Go { limits, ..Go::default() };
//!     let best = players[at_turn].think(&go, &NEVER, &mut |_| {}).expect("a move, the game goes on");
//!     for player in &mut players {
//!         player.play(&best).map_err(|refusal| refusal.to_string())?;
//!     }
//!     at_turn = 1 - at_turn;
//! }
//! println!("{:?}: {}", players[0].result(), players[0].history().join(" "));
//! assert_ne!(players[0].result(), Some(GameResult::Win(Player::Two)), "player one has at least a draw");
//! # Ok::<(), String>(())
//! ```
//!
//! # Read a table
//!
//! `grundy solve tictactoe` writes a file that any program can read.
//!
//! ```
//! use grundy::{catalog, session::{Settings, quiet_work}, table::{Disk, Packing, Scratch, Table, write}, value::Value};
//!
//! # let folder = std::env::temp_dir().join(format!("grundy-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let file = folder.join("tictactoe.table");
//! let session = catalog::open("tictactoe", &Settings::default())?;
//! let game = session.tabled(None).expect("a game with a table");
//! # let made = game.solve(&quiet_work(), &Scratch::none())?;
//! # write(&Disk, &file, &game.label(), &made, Packing::Plain, 1)?;
//! let table = Table::open_for(&file, game.name(), game.fingerprint(), game.count())?;
//! let draws = (0..table.count()).filter_map(|number| table.get(number)).filter(|&value| value == Value::DRAW);
//! println!("{} of {} positions are drawn", draws.count(), table.count());
//! game.verify(&table, &quiet_work())?; // every checksum, and every value against those of its children
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(all(feature = "games", not(target_family = "wasm")))]
mod atlas;
pub mod catalog;
#[cfg(all(feature = "games", not(target_family = "wasm")))]
mod check_rules;
#[cfg(not(target_family = "wasm"))]
mod graph;
#[cfg(all(feature = "games", not(target_family = "wasm")))]
mod mcp;
#[cfg(not(target_family = "wasm"))]
mod programs;
#[cfg(all(feature = "games", not(target_family = "wasm")))]
mod puzzles;
#[cfg(all(feature = "games", not(target_family = "wasm")))]
mod sequence;

pub use grundy_core::{bits, dot, files, game, grid, random, rank, slip, table, text, value, words};
#[cfg(not(target_family = "wasm"))]
pub use grundy_engine::{engine, output, paths, protocol};
#[cfg(all(feature = "games", not(target_family = "wasm")))]
pub use grundy_information as information;
pub use grundy_search as search;
pub use grundy_session as session;
pub use grundy_sums as sums;
pub use grundy_tables as tables;
#[cfg(not(target_family = "wasm"))]
pub use programs::{command, main, referee};

/// The families of games.
#[cfg(feature = "games")]
pub mod games {
    pub use grundy_boards::{euler, gomoku, graph, lgame, mnk, police, qubic, row, teeko};
    pub use grundy_captures as captures;
    pub use grundy_chess as chess;
    pub use grundy_dots as dots;
    pub use grundy_heaps::{
        chomp, coins, count, fibonacci, heap_game, heaps, increase, moore, nim, nimble, northcott, silver,
        staircase, stones, subtract, sum, wythoff,
    };
    pub use grundy_morris::morris;
    pub use grundy_partizan::{bush, colouring, stalks, toads};
    pub use grundy_placements::{
        chopsticks, claims, collapsi, joust, lewthwaite, numerical, pentominoes, placement, quantik, quarto,
        sprouts, subsets, wild,
    };
    pub use grundy_rules as rules;
    pub use grundy_searched::{connect4, domineering, hex, kalah, othello, pawns};
    pub use grundy_sowing::awari;
}
