//! The player's side: lines from a terminal, with editing, history and completion, or from a pipe.

use std::env;
use std::io::{self, BufReader, IsTerminal, Stdin, Write};

use grundy_core::files;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::cli::output::{Output, is_terminal, stdout};
use crate::protocol::read_line;

/// The words that Tab completes besides moves.
pub const WORDS: [&str; 14] = [
    "board", "help", "hint", "level", "load", "moves", "new", "quit", "rules", "save", "swap", "undo", "v",
    "value",
];

/// The source of lines.
enum Input {
    /// A pipe or a file, or a terminal that cannot be edited on.
    Plain(BufReader<Stdin>, Vec<u8>),
    /// A terminal.
    Editor(Box<Editor<Completions, MemHistory>>),
}

/// The player at a terminal or behind a pipe: lines in, text out.
pub struct Terminal {
    input: Input,
    /// Stdout.
    pub out: Output,
    /// True if stdin is a terminal, which shows what is typed.
    echoes: bool,
    /// True if the text goes to a terminal, so that boards get marks.
    pub marks: bool,
    /// True if the terminal shows colours and the user has not turned them off by `NO_COLOR`.
    pub colours: bool,
    /// True once Ctrl-C was pressed at a prompt.
    pub interrupted: bool,
}

impl Terminal {
    /// Returns the terminal of this process.
    pub fn new() -> Terminal {
        let (echoes, marks) = (io::stdin().is_terminal(), is_terminal());
        let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let input = match echoes && marks && !dumb {
            true => editor().map_or_else(plain, |editor| Input::Editor(Box::new(editor))),
            false => plain(),
        };
        Terminal {
            input,
            out: stdout(),
            echoes,
            marks,
            colours: marks && !dumb && !set("NO_COLOR"),
            interrupted: false,
        }
    }

    /// Prompts for a line, which Tab completes to one of `words()`; `None` at the end of input and after Ctrl-C.
    ///
    /// # Errors
    /// The output is closed, or the terminal fails.
    pub fn ask(&mut self, prompt: &str, words: impl FnOnce() -> Vec<String>) -> io::Result<Option<String>> {
        match &mut self.input {
            Input::Editor(editor) => {
                self.out.flush()?;
                editor.set_helper(Some(Completions { words: words() }));
                match editor.readline(prompt) {
                    Ok(line) => {
                        // A history in memory takes every line.
                        let _ = editor.add_history_entry(line.as_str());
                        Ok(Some(line.trim().to_owned()))
                    }
                    Err(ReadlineError::Eof) => Ok(None),
                    Err(ReadlineError::Interrupted) => {
                        self.interrupted = true;
                        Ok(None)
                    }
                    Err(error) => Err(io::Error::other(error)),
                }
            }
            Input::Plain(input, bytes) => {
                write!(self.out, "{prompt}")?;
                self.out.flush()?;
                let line = read_line(input, bytes);
                if !self.echoes {
                    writeln!(self.out)?;
                }
                let text = || files::without_mark(&String::from_utf8_lossy(bytes)).trim().to_owned();
                Ok(line.map(|_| text()))
            }
        }
    }
}

fn plain() -> Input {
    Input::Plain(BufReader::new(io::stdin()), Vec::new())
}

/// Returns an editor of lines; `None` if the terminal cannot be used.
fn editor() -> Option<Editor<Completions, MemHistory>> {
    let config = Config::builder().completion_type(CompletionType::List).build();
    let history = MemHistory::with_config(&config);
    Editor::with_history(config, history).ok()
}

/// Completes words by prefix.
struct Completions {
    words: Vec<String>,
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let start = line[..at].rfind(' ').map_or(0, |blank| blank + 1);
        let typed = &line[start..at];
        let fitting = self.words.iter().filter(|word| word.starts_with(typed));
        Ok((start, fitting.cloned().collect()))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}
