//! The words in which a game is described to people.

use crate::{Shape, Spec};

/// A game in words for people who have never seen it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The title with the parameters: `Connect Four 7x6`.
    pub title: String,
    /// The game in a few words.
    pub about: String,
    /// The rules in two or three sentences, which name the aim and the end of the game.
    pub rules: String,
    /// The names of player one and player two: `White`, `Black`.
    pub players: [String; 2],
    /// The form of the pictures of positions.
    pub shape: Shape,
}

/// Adapts the description that a row gives of its usual game to the sections of a full name.
pub type Describe = fn(&mut Spec<'_>, Description) -> Description;

impl Description {
    /// Replaces the title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Description {
        Description { title: title.into(), ..self }
    }

    /// Replaces the rules.
    #[must_use]
    pub fn ruled(self, rules: impl Into<String>) -> Description {
        Description { rules: rules.into(), ..self }
    }

    /// Replaces `phrase` by `other` in the rules if `holds`.
    #[must_use]
    pub fn reworded(self, holds: bool, phrase: &str, other: &str) -> Description {
        if holds { Description { rules: self.rules.replace(phrase, other), ..self } } else { self }
    }

    /// Appends `sentence` to the rules if `holds`.
    #[must_use]
    pub fn adding(mut self, holds: bool, sentence: &str) -> Description {
        if holds {
            self.rules.push(' ');
            self.rules.push_str(sentence);
        }
        self
    }
}
