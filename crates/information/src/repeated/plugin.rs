//! A strategy in a process of its own: it is told of a new match, asked for its action, and told the other's.

use std::time::{Duration, Instant};

use grundy_referee::{Launch, Process, Silence, Traffic};

use super::{Action, Payoffs};

/// A program that plays.
pub struct Plugin {
    process: Process,
    timeout: Duration,
}

/// A violation of the protocol by a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It answered something other than `C` or `D`.
    Protocol(String),
    /// It did not answer in time, or ended.
    Silent(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Protocol(reason) | Fault::Silent(reason) => f.write_str(reason),
        }
    }
}

impl Plugin {
    /// Starts a program for one match.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(
        words: &[String],
        payoffs: &Payoffs,
        timeout: Duration,
        traffic: Traffic,
    ) -> Result<Plugin, Fault> {
        let launch = Launch { words: words.to_vec(), ..Launch::default() };
        let process = Process::start(&launch, traffic).map_err(Fault::Silent)?;
        let mut plugin = Plugin { process, timeout };
        let Payoffs { reward, sucker, temptation, punishment } = payoffs;
        plugin.say(&format!("new {reward} {sucker} {temptation} {punishment}"))?;
        Ok(plugin)
    }

    fn say(&mut self, line: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + self.timeout;
        self.process.send(line, deadline).map_err(|silence| self.fault(silence))
    }

    fn fault(&mut self, silence: Silence) -> Fault {
        self.killed_for(match silence {
            Silence::Deadline => Fault::Silent(format!("no answer within {} ms", self.timeout.as_millis())),
            Silence::Gone(reason) => Fault::Silent(reason),
            Silence::Flood(reason) => Fault::Protocol(reason),
        })
    }

    /// Kills the program for a fault: it is not asked to end.
    fn killed_for(&mut self, fault: Fault) -> Fault {
        self.process.kill();
        fault
    }

    /// Asks for its action.
    ///
    /// # Errors
    /// There is no answer, or it is not `C` or `D`.
    pub fn action(&mut self) -> Result<Action, Fault> {
        self.say("play")?;
        let heard =
            self.process.line(Instant::now() + self.timeout).map_err(|silence| self.fault(silence))?;
        Action::read(&heard.text).ok_or_else(|| {
            let short: String = heard.text.chars().take(40).collect();
            self.killed_for(Fault::Protocol(format!("answered {short:?}: expected C or D")))
        })
    }

    /// Tells it the other's action.
    ///
    /// # Errors
    /// It does not read.
    pub fn saw(&mut self, other: Action) -> Result<(), Fault> {
        self.say(&format!("saw {}", other.letter()))
    }

    /// Ends it.
    pub fn quit(&mut self) {
        self.process.quit();
    }
}
