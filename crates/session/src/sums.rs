//! The values of positions in sums of games: Grundy numbers and canonical forms.

use std::fmt;

/// A position's Grundy number, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grundy {
    /// The number of a position of an impartial game, which equals a heap of nim of this size.
    Number(u64),
    /// The size of the heap of nim that a position of a partizan game equals. Its canonical form is that nimber.
    Nimber(u64),
    /// A loopy value, for play that need not end: infinity with the Grundy numbers of the options that have one, rising
    /// (C. A. B. Smith, "Graphs and composite games", 1966; A. S. Fraenkel and Y. Perl, 1975).
    Loopy(Vec<u64>),
    /// Not found in time.
    NotInTime,
    /// None, or none can be found: the reason.
    Unknown(String),
}

impl Grundy {
    /// Returns the size of the heap of nim that the position equals, if there is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Grundy::Number(number) | Grundy::Nimber(number) => Some(*number),
            _ => None,
        }
    }
}

impl fmt::Display for Grundy {
    /// Writes `5`, `inf(0,2)`, or `unknown` with the reason in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grundy::Number(number) | Grundy::Nimber(number) => write!(f, "{number}"),
            Grundy::Loopy(numbers) => {
                let words: Vec<String> = numbers.iter().map(u64::to_string).collect();
                write!(f, "inf({})", words.join(","))
            }
            Grundy::NotInTime => write!(f, "unknown (not found in time)"),
            Grundy::Unknown(why) => write!(f, "unknown ({why})"),
        }
    }
}

/// The mast of a canonical form's thermograph, the vertical line above the temperature at which its walls meet: mean and
/// temperature, each an integer or a fraction: `-3/4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mast {
    /// The mean: the average value of each of many copies.
    pub mean: String,
    /// The temperature: how much a move gains. It is at least 0; that of a number is -1 over its denominator.
    pub temperature: String,
}

/// A corner of a wall: a temperature and the value of the wall there, each an integer or a fraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corner {
    /// The temperature: at least 0, except that of a number.
    pub temperature: String,
    /// The value.
    pub value: String,
}

/// The thermograph of a canonical form: at each temperature the best result of either player who begins, where each move
/// costs the temperature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    /// The mast, above the temperature.
    pub mast: Mast,
    /// The corners of the left wall, from temperature 0 up to the mast; of a number the foot of the mast alone.
    pub left: Vec<Corner>,
    /// The corners of the right wall.
    pub right: Vec<Corner>,
}

impl fmt::Display for Thermograph {
    /// Writes the walls: `left 2@0 3/4@5/4 right -1/2@0 3/4@5/4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wall = |corners: &[Corner]| {
            corners
                .iter()
                .map(|corner| format!(" {}@{}", corner.value, corner.temperature))
                .collect::<String>()
        };
        write!(f, "left{} right{}", wall(&self.left), wall(&self.right))
    }
}

/// The outcome class of a game that a player without a move loses: who wins it, by who begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeClass {
    /// N: the player who begins, the next one to move, wins.
    Next,
    /// P: the player who does not begin, the previous one to move, wins.
    Previous,
    /// L: Left, player one, wins, no matter who begins.
    Left,
    /// R: Right, player two, wins, no matter who begins.
    Right,
}

impl fmt::Display for OutcomeClass {
    /// Writes the letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutcomeClass::Next => "N",
            OutcomeClass::Previous => "P",
            OutcomeClass::Left => "L",
            OutcomeClass::Right => "R",
        })
    }
}

/// A position's canonical form, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Canonical {
    /// The form.
    Form {
        /// The form in one word: `1/2`, `^*`, `+-1`, `{2|-1/2}`.
        word: String,
        /// The outcome class.
        class: OutcomeClass,
        /// Its thermograph, if it was found in time.
        thermograph: Option<Thermograph>,
    },
    /// Not found in time, or too large.
    NotInTime,
    /// The game has no canonical forms: it does not end by the rule that a player without a move loses, or need not
    /// end.
    Unknown,
}

impl Canonical {
    /// Returns the form of a position with this Grundy number.
    pub fn of(grundy: &Grundy) -> Canonical {
        let nimber = |word: String, class, temperature: &str| {
            let mast = Mast { mean: "0".to_owned(), temperature: temperature.to_owned() };
            let foot = vec![Corner { temperature: temperature.to_owned(), value: "0".to_owned() }];
            let thermograph = Some(Thermograph { mast, left: foot.clone(), right: foot });
            Canonical::Form { word, class, thermograph }
        };
        match grundy {
            Grundy::Number(0) | Grundy::Nimber(0) => nimber("0".to_owned(), OutcomeClass::Previous, "-1"),
            Grundy::Number(1) | Grundy::Nimber(1) => nimber("*".to_owned(), OutcomeClass::Next, "0"),
            Grundy::Number(n) | Grundy::Nimber(n) => nimber(format!("*{n}"), OutcomeClass::Next, "0"),
            Grundy::NotInTime => Canonical::NotInTime,
            _ => Canonical::Unknown,
        }
    }
}

impl fmt::Display for Canonical {
    /// Writes the form, `?` or `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Canonical::Form { word, .. } => word,
            Canonical::NotInTime => "?",
            Canonical::Unknown => "unknown",
        })
    }
}
