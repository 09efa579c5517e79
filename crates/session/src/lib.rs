//! One game being played, its types erased: words in, words out; and the catalog of the games that there are.
//!
//! Nothing here is generic over a game. A [`Session`] stands on a [`Board`], which is all that generic code makes for
//! each game; what is done with a board is written once, here. Engine, command line and referee stand on [`Session`].

mod analysis;
mod annotation;
mod answer;
mod assurance;
mod board;
mod catalog;
mod closest;
mod describe;
mod description;
mod division;
mod known;
mod level;
mod numbers;
mod picked;
mod plan;
mod puzzle;
mod repeats;
mod report;
mod session;
mod settings;
mod shape;
mod shard;
mod spec;
mod strategy;
mod sums;
mod tabled;
mod thinking;
mod typed;
mod values;
mod variant;
mod work;

pub use analysis::Analysis;
pub use annotation::Annotation;
pub use assurance::{Assurance, Judge, Support, Unproved};
pub use board::{
    Board, Drawing, Drawn, Enumeration, Form, Listed, Move, MoveQuestion, Numbering, REPETITIONS, Rules,
    Search, Standing, Tables, Values,
};
pub use catalog::{
    Catalog, Elsewhere, Family, Manifold, Open, Parameter, Planned, Recognized, Row, Shuffled, Trial,
};
pub use closest::closest;
pub use description::{Describe, Description};
pub use division::{Division, Grouping};
pub use known::{Entry, Known};
pub use level::Level;
pub use picked::Picked;
pub use plan::{CellForm, Plan, Spot};
pub use puzzle::{Puzzle, Wanted};
pub use report::{Info, Listing, MoveList, MoveValue, Played, Refusal, Successor};
pub use session::{Ready, Session};
pub use settings::{Distance, Evaluation, Files, Go, Limits, Method, Settings, WeightsChoice};
pub use shape::Shape;
pub use shard::{Layout, Next, Outbox, Shard};
pub use spec::{Spec, files_of, sections};
pub use sums::{Canonical, Corner, Grundy, Mast, OutcomeClass, Thermograph};
pub use tabled::{Estimate, KeptTable, Tabled, VerifyError};
pub use variant::{Spelling, Variant};
pub use work::{
    Activity, Home, NEVER, Need, Progress, STOPPED, SolveError, Work, at_once, available_memory, quiet_work,
};
