//! A translation between the protocol of a host and UGI.

/// The urgency of a line that comes while the engine may be at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// It waits until the work before it is done.
    Waits,
    /// A running search is stopped first; then the line is translated.
    Stops,
    /// It is answered at once by these lines, and not translated.
    Answered(Vec<String>),
    /// It ends the engine.
    Quits,
}

/// One effect of a translated line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// A line of UGI for the engine.
    Tell(String),
    /// A line for the host.
    Say(String),
}

impl Act {
    pub fn tell(line: impl Into<String>) -> Act {
        Act::Tell(line.into())
    }

    pub fn say(line: impl Into<String>) -> Act {
        Act::Say(line.into())
    }
}

/// A translation between a host's protocol and UGI.
pub(crate) trait Translator {
    /// Returns the full name of the game at the beginning.
    fn game(&self) -> &str;

    /// Reports whether a draw by repetition or by fifty moves ends a game only if somebody claims it, as in UCI.
    fn claims_draws(&self) -> bool {
        false
    }

    /// Returns the urgency of a line from the host. A translator that will not use the move of the stopped search notes
    /// it here.
    fn urgency(&mut self, line: &str) -> Urgency;

    /// Translates a line from the host. The engine is idle. At most the last act starts work (`go`).
    fn command(&mut self, line: &str) -> Vec<Act>;

    /// Returns what is to be done while no line waits and the engine is idle, as [`Translator::command`] does. `ended`: no
    /// more lines will come, so no search may wait for one.
    fn idle(&mut self, ended: bool) -> Vec<Act> {
        let _ = ended;
        Vec::new()
    }

    /// Translates a line from the engine to lines for the host.
    fn answer(&mut self, line: &str) -> Vec<String>;
}
