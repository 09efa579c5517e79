//! A game of another family in a sum: its board as text, its moves by their indices.

use std::sync::Arc;

use grundy_core::words;
use grundy_sums::component::Component;

/// A game of another family, its types erased.
#[derive(Clone, Debug)]
pub struct Other(Arc<dyn Component>);

impl Other {
    /// Returns a game as a summand.
    ///
    /// # Errors
    /// Its boards cannot be told apart in a sum, whose positions are joined by `+`.
    pub fn new(component: Arc<dyn Component>) -> Result<Other, String> {
        let start = component.start();
        if start.contains(['+', ' ']) {
            return Err(format!("{:?} cannot stand in a sum: it has a + or a blank", words::short(&start)));
        }
        // The start must be a board that a sum can read.
        component.read(&start)?;
        Ok(Other(component))
    }

    /// Returns the game.
    pub fn component(&self) -> &dyn Component {
        &*self.0
    }
}
