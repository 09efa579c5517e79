//! Games without perfect information, solved exactly: every solution is in fractions and carries its proof.
//!
//! | module | subject |
//! |---|---|
//! | [`matrix`] | matrix games: zero-sum, in strategic form |
//! | [`bimatrix`] | two players with payoffs of their own: Nash and correlated equilibria, dominance |
//! | [`tree`] | games in extensive form with chance and hidden information |
//! | [`repeated`] | the repeated prisoner's dilemma, with programs that play |
//! | [`certificate`] | proofs of all these as text |
//! | [`examples`] | games with names, from the prisoner's dilemma to Leduc poker |
//!
//! They are based on exact linear programs ([`program`]) and vertices of polytopes ([`polytope`]). Floating point
//! guesses which constraints are tight; the solution is then computed and proved in integers, and if the guess fails
//! the [`simplex`] method runs on integers from the start.
//!
//! ```
//! use grundy_information::{fraction::ratio, matrix::Matrix};
//! let cells = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]].map(|row| row.map(|x| ratio(x, 1)).to_vec());
//! let rock_paper_scissors = Matrix::new(cells.to_vec())?;
//! assert_eq!(rock_paper_scissors.solve().row, [ratio(1, 3), ratio(1, 3), ratio(1, 3)]);
//! # Ok::<(), String>(())
//! ```

mod basis;
pub mod bimatrix;
pub mod certificate;
pub mod command;
pub mod examples;
mod factors;
pub mod fraction;
mod guess;
pub mod linear;
pub mod matrix;
pub mod polytope;
mod prime;
pub mod program;
pub mod read;
pub mod repeated;
pub mod several;
pub mod simplex;
pub mod tree;
