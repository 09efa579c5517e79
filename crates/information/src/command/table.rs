//! A table at which a person plays against an optimal mixed strategy: lines in, text out, and random numbers that both
//! can verify.
//!
//! Before the first round the engine shows the SHA-256 of a secret. Then the person may enter a word of his own. All
//! cards and moves are derived from both, and at the end the secret is shown: neither side could choose them.

use std::io::{self, BufReader, IsTerminal, Read, Write};

use clap::Args;
use grundy_core::files;
use grundy_core::text::wrapped;
use grundy_engine::at_interrupt;
use grundy_engine::output::{Output, stdout};
use grundy_engine::protocol::read_line;
use num_bigint::BigInt;

use crate::certificate::hash;
use crate::fraction::{Fraction, approximate};

/// Options of all games at the table.
#[derive(Args)]
pub struct TableArgs {
    /// Derive the secret from this seed: repeatable cards and moves, for tests
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// End after this many rounds
    #[arg(long, value_name = "N")]
    pub rounds: Option<u64>,
}

/// The table.
pub struct CardTable<R, W> {
    input: BufReader<R>,
    /// The output to the person.
    pub out: W,
    bytes: Vec<u8>,
    asks: bool,
    secret: String,
    word: String,
    round: u64,
    draws: u64,
    total: Fraction,
    expected: Fraction,
}

/// The purpose of the commitment, in words for the player.
const FAIR: &str = "\
The engine draws by a secret, mixed with a word of yours. It commits to the
secret now, so that at the end you can check that nothing was changed.
Type quit or q to end.";

impl CardTable<io::Stdin, Output> {
    /// Returns a table on stdin and stdout, and explains the game by its `rules` first. Ctrl-C shows the secret, too.
    ///
    /// # Errors
    /// The system provides no random bytes or no signals, or the output is closed.
    pub fn open(args: &TableArgs, rules: &str) -> anyhow::Result<Self> {
        let secret = match args.seed {
            Some(seed) => hash(&format!("grundy {seed}")),
            None => {
                let mut bytes = [0u8; 32];
                getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no random bytes: {error}"))?;
                bytes.iter().map(|byte| format!("{byte:02x}")).collect()
            }
        };
        let mut table = CardTable {
            input: BufReader::new(io::stdin()),
            out: stdout(),
            bytes: Vec::new(),
            asks: io::stdin().is_terminal(),
            secret,
            word: String::new(),
            round: 0,
            draws: 0,
            total: Fraction::default(),
            expected: Fraction::default(),
        };
        table.begin(rules)?;
        let last = format!("\n{}", closing(&table.secret, &table.word));
        at_interrupt(move || {
            let mut out = stdout();
            // A closed output is no error: the process ends.
            let _ = out.write_all(last.as_bytes()).and_then(|()| out.flush());
        })?;
        Ok(table)
    }
}

impl<R: Read, W: Write> CardTable<R, W> {
    fn begin(&mut self, rules: &str) -> io::Result<()> {
        writeln!(self.out, "{rules}\n{FAIR}")?;
        let commitment = hash(&self.secret);
        let commitment = format!("{commitment} is the SHA-256 of a secret that is shown at the end");
        writeln!(self.out, "{}", wrapped("commitment: ", &commitment, 2))?;
        self.word = self.ask("a word of your own, to be mixed in (Enter for none)> ")?.unwrap_or_default();
        Ok(())
    }

    /// Prompts for a line; `None` at the end of input and for `quit`.
    pub fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let line = read_line(&mut self.input, &mut self.bytes);
        // A terminal shows the end of what is typed, but not the end of the input.
        if !self.asks || line.is_none() {
            writeln!(self.out)?;
        }
        let line = line.map(|_| files::without_mark(&String::from_utf8_lossy(&self.bytes)).trim().to_owned());
        Ok(line.filter(|line| line != "quit" && line != "q" && line != "exit"))
    }

    /// Prompts until one of these words, or an unambiguous prefix of one, is entered; returns its index. `None` at the
    /// end.
    pub fn choose(&mut self, words: &[String]) -> io::Result<Option<usize>> {
        loop {
            let Some(said) = self.ask(&format!("{}> ", words.join(" or ")))? else { return Ok(None) };
            let said = said.to_lowercase();
            let mut fitting = (0..words.len()).filter(|&i| !said.is_empty() && words[i].starts_with(&said));
            match (fitting.next(), fitting.next()) {
                (Some(one), None) => return Ok(Some(one)),
                _ => writeln!(self.out, "expected {}, or quit", words.join(" or "))?,
            }
        }
    }

    /// Begins the next round; returns its number.
    pub fn next_round(&mut self) -> u64 {
        self.round += 1;
        self.draws = 0;
        self.round
    }

    /// Returns the next 64 random bits: the first 16 digits of the SHA-256 of `secret:word:round:draw`.
    fn draw(&mut self) -> u64 {
        self.draws += 1;
        let digits = hash(&format!("{}:{}:{}:{}", self.secret, self.word, self.round, self.draws));
        u64::from_str_radix(&digits[..16], 16).unwrap_or_default()
    }

    /// Draws an index with these probabilities: the first whose cumulative probability exceeds draw / 2^64.
    pub fn throw(&mut self, probabilities: &[Fraction]) -> usize {
        let draw = Fraction::new(BigInt::from(self.draw()), BigInt::from(1u128 << 64));
        let mut sum = Fraction::default();
        for (i, p) in probabilities.iter().enumerate() {
            sum += p;
            if draw < sum {
                return i;
            }
        }
        probabilities.len().saturating_sub(1)
    }

    /// Counts a round: the person's payoff, and the payoff expected by best play.
    ///
    /// # Errors
    /// The output is closed.
    pub fn score(&mut self, got: &Fraction, expected: &Fraction) -> io::Result<()> {
        self.total += got;
        self.expected += expected;
        let (total, rounds) = (&self.total, self.round);
        let each = Fraction::from_integer(rounds.into());
        let said = format!(
            "you get {got}; your total is {total} after {rounds}, {:+.3} a round; best play expects {}",
            approximate(&(total / each)),
            self.expected
        );
        writeln!(self.out, "{}\n", wrapped("", &said, 2))
    }

    /// Shows the secret and how everything is derived from it.
    ///
    /// # Errors
    /// The output is closed.
    pub fn close(&mut self) -> io::Result<()> {
        write!(self.out, "{}", closing(&self.secret, &self.word))?;
        self.out.flush()
    }
}

/// Returns the lines with the secret and how everything is derived from it and from the person's word.
fn closing(secret: &str, word: &str) -> String {
    let (word, derived) = match word {
        "" => (String::new(), "SECRET::N:D"),
        word => (format!("your word: {word}\n"), "SECRET:WORD:N:D"),
    };
    let draws = format!(
        "the first 16 digits of the SHA-256 of {derived}, divided by 2^64; it takes the first of the possibilities, in the \
         order of docs/information.md, where their probabilities add up to more"
    );
    let draws = wrapped("draw D of round N: ", &draws, 2);
    format!("secret: {secret}\n{word}check: printf %s \\\n  {secret} | sha256sum\n{draws}\n")
}
