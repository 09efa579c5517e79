//! Certificates: a game and its solution as text, checked by multiplying, adding and comparing.
//!
//! The file holds the whole game, so that nothing else is trusted. A matrix game is proved by an optimal strategy of
//! each player (the primal and the dual of its linear program); an equilibrium by the best replies of both players,
//! which get no more than it gives. A file that differs from its canonical form is refused, and so is one whose SHA-256
//! does not match.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::bimatrix::{Bimatrix, Equilibrium};
use crate::fraction::{Fraction, share_denominator};
use crate::matrix::{Matrix, Optimum};
use crate::read::{self, Contents, table::Lines};
use crate::tree::{Plans, Side, Tree, best_replies};

/// The first word of a certificate.
pub const MAGIC: &str = "grundy-equilibrium";
/// The first line.
const FIRST: &str = "grundy-equilibrium 1";
/// Maximum number of payoffs of a certificate's table.
const MOST_CELLS: usize = 1 << 22;
/// Maximum number of characters of a number.
const LONGEST: usize = 20_000;
/// Upper limit of the sum of squares of all numbers' lengths: reducing a fraction takes time proportional to the square
/// of its length.
const MOST_WORK: u64 = 1 << 37;
/// Maximum number of bits of a strategy's common denominator.
const MOST_BITS: u64 = 1 << 18;

/// A game with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A matrix game and its value.
    Matrix(Matrix, Optimum),
    /// A bimatrix game and one or more equilibria.
    Bimatrix(Bimatrix, Vec<Equilibrium>),
    /// A tree, the strategies of both players, and their expected payoffs.
    Tree(Tree, Plans, [Fraction; 2]),
}

/// Writes a certificate.
///
/// ```
/// use grundy_information::{certificate::{Claim, verify, write}, fraction::ratio, matrix::Matrix};
/// let game = Matrix::new(vec![vec![ratio(1, 1), ratio(-1, 1)], vec![ratio(-1, 1), ratio(1, 1)]])?;
/// let text = write(&Claim::Matrix(game.clone(), game.solve()));
/// assert_eq!(verify(&text)?, ["matrix game 2 x 2: the value is 0, proved by both strategies"]);
/// assert!(verify(&text.replace("value\t0", "value\t1")).is_err());
/// # Ok::<(), String>(())
/// ```
pub fn write(claim: &Claim) -> String {
    let mut text = format!("{FIRST}\n");
    match claim {
        Claim::Matrix(game, optimum) => {
            let _ = writeln!(text, "game\tmatrix\t{}\t{}", game.height(), game.width());
            table(&mut text, game);
            line(&mut text, "value", std::slice::from_ref(&optimum.value));
            line(&mut text, "row", &optimum.row);
            line(&mut text, "column", &optimum.column);
        }
        Claim::Bimatrix(game, equilibria) => {
            let (height, width) = (game.row().height(), game.row().width());
            let _ = writeln!(text, "game\tbimatrix\t{height}\t{width}\t{}", equilibria.len());
            table(&mut text, game.row());
            table(&mut text, game.column());
            for equilibrium in equilibria {
                line(&mut text, "row", &equilibrium.row);
                line(&mut text, "column", &equilibrium.column);
                line(&mut text, "payoffs", &equilibrium.payoffs);
            }
        }
        Claim::Tree(tree, plans, payoffs) => {
            let efg = read::write_efg(tree);
            let _ = writeln!(text, "game\ttree\t{}\t{}", efg.lines().count(), plans.0.len());
            text.push_str(&efg);
            for plan in &plans.0 {
                line(&mut text, "plays", plan);
            }
            line(&mut text, "payoffs", payoffs);
        }
    }
    let sum = hash(&text);
    let _ = writeln!(text, "sha256\t{sum}");
    text
}

/// Returns the SHA-256 of a text in hexadecimal digits.
pub fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut all, byte| {
        let _ = write!(all, "{byte:02x}");
        all
    })
}

fn table(text: &mut String, game: &Matrix) {
    for row in game.cells() {
        line(text, "payoff", row);
    }
}

fn line(text: &mut String, name: &str, numbers: &[Fraction]) {
    text.push_str(name);
    for number in numbers {
        let _ = write!(text, "\t{number}");
    }
    text.push('\n');
}

/// Checks the lengths of a certificate's numbers, before any of them is read.
///
/// # Errors
/// A number is too long, or all of them are together; one line.
pub fn bounded(text: &str) -> Result<(), String> {
    let mut work = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let mut fields = line.split('\t');
        if !["payoff", "value", "row", "column", "payoffs", "plays"].contains(&fields.next().unwrap_or("")) {
            continue;
        }
        for length in fields.map(str::len) {
            if length > LONGEST {
                return Err(format!(
                    "line {number}: a number of {length} characters: expected at most {LONGEST}"
                ));
            }
            work += (length * length) as u64;
        }
        if work > MOST_WORK {
            return Err(format!(
                "line {number}: too many long numbers up to here: expected fewer or shorter ones"
            ));
        }
    }
    Ok(())
}

/// Refuses strategies whose probabilities have a very long common denominator.
fn short<'s>(strategies: impl IntoIterator<Item = &'s Vec<Fraction>>) -> Result<(), String> {
    match strategies.into_iter().all(|strategy| share_denominator(strategy, MOST_BITS)) {
        true => Ok(()),
        false => Err(format!("a strategy has a common denominator of more than {MOST_BITS} bits")),
    }
}

/// Checks a certificate, only by multiplying, adding and comparing; returns the facts that it proves.
///
/// # Errors
/// The first error; one line.
pub fn verify(text: &str) -> Result<Vec<String>, String> {
    let claim = parse(text)?;
    if write(&claim) != text {
        return Err("the file is not as it was written".to_string());
    }
    let proved = match &claim {
        Claim::Matrix(game, optimum) => {
            short([&optimum.row, &optimum.column])?;
            if !game.proves(optimum) {
                return Err("the strategies do not prove the value".to_string());
            }
            let (height, width, value) = (game.height(), game.width(), &optimum.value);
            vec![format!("matrix game {height} x {width}: the value is {value}, proved by both strategies")]
        }
        Claim::Bimatrix(game, equilibria) => {
            short(equilibria.iter().flat_map(|found| [&found.row, &found.column]))?;
            if let Some(wrong) = equilibria.iter().position(|equilibrium| !game.proves(equilibrium)) {
                return Err(format!(
                    "equilibrium {}: the strategies are no best replies to each other",
                    wrong + 1
                ));
            }
            let (height, width) = (game.row().height(), game.row().width());
            let each = equilibria.iter().map(|equilibrium| {
                let [one, two] = &equilibrium.payoffs;
                format!("bimatrix game {height} x {width}: an equilibrium with payoffs {one} and {two}, proved by best replies")
            });
            each.collect()
        }
        Claim::Tree(tree, plans, payoffs) => {
            if !plans.fit(tree) {
                return Err("a plan is no probabilities that add up to 1".to_string());
            }
            if !plans.short(tree) {
                return Err("the plans have probabilities of too many digits".to_string());
            }
            if plans.payoffs(tree) != *payoffs {
                return Err("the plans have other payoffs".to_string());
            }
            if let Some(side) = Side::BOTH
                .into_iter()
                .find(|side| best_replies(tree, plans)[side.index()] != payoffs[side.index()])
            {
                return Err(format!("player {} has a better reply", side.index() + 1));
            }
            let [one, two] = payoffs;
            let (title, nodes) = (&tree.title, tree.nodes().len());
            let what = match tree.constant_sum() {
                Some(_) => format!("the value for player 1 is {one}"),
                None => format!("an equilibrium with payoffs {one} and {two}"),
            };
            vec![format!("{title:?}, {nodes} nodes: {what}, proved by best replies")]
        }
    };
    Ok(proved)
}

/// A reader of a certificate's lines.
struct Reader<'t> {
    lines: std::str::Lines<'t>,
    number: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<&'t str, String> {
        self.number += 1;
        self.lines.next().ok_or_else(|| format!("the file ends before line {}", self.number))
    }

    fn fields(&mut self, name: &str) -> Result<Vec<&'t str>, String> {
        let line = self.next()?;
        let mut fields = line.split('\t');
        if fields.next() != Some(name) {
            return Err(format!("line {}: expected {name:?}", self.number));
        }
        Ok(fields.collect())
    }

    fn numbers(&mut self, name: &str, count: usize) -> Result<Vec<Fraction>, String> {
        let fields = self.fields(name)?;
        if fields.len() != count {
            return Err(format!("line {}: {} numbers instead of {count}", self.number, fields.len()));
        }
        // The numbers of a solution may be longer than those of a game that people write.
        let read = |field: &&str| {
            let Some((above, below)) = field.split_once('/') else {
                return field.parse().ok().map(Fraction::from_integer);
            };
            let (above, below) = (above.parse().ok()?, below.parse::<num_bigint::BigInt>().ok()?);
            (below > num_bigint::BigInt::ZERO).then(|| Fraction::new(above, below))
        };
        let numbers = fields.iter().map(read).collect::<Option<Vec<_>>>();
        numbers.ok_or_else(|| format!("line {}: a field is no fraction", self.number))
    }

    fn table(&mut self, height: usize, width: usize) -> Result<Matrix, String> {
        Matrix::new((0..height).map(|_| self.numbers("payoff", width)).collect::<Result<_, _>>()?)
    }
}

fn parse(text: &str) -> Result<Claim, String> {
    let end = text.rfind("sha256\t").ok_or("the file has no sha256 at its end")?;
    if text[end..] != format!("sha256\t{}\n", hash(&text[..end])) {
        return Err("the sha256 is wrong: the file is not as it was written".to_string());
    }
    bounded(&text[..end])?;
    let reader = &mut Reader { lines: text[..end].lines(), number: 0 };
    if reader.next()? != FIRST {
        return Err(format!("line 1: expected {FIRST:?}"));
    }
    let game = reader.fields("game")?;
    let counts: Vec<usize> = game.iter().skip(1).filter_map(|field| field.parse().ok()).collect();
    match (game.first(), counts.as_slice()) {
        (Some(&"matrix"), &[height, width]) if in_bounds(height, width) => {
            let game = reader.table(height, width)?;
            let value = reader.numbers("value", 1)?.remove(0);
            let (row, column) = (reader.numbers("row", height)?, reader.numbers("column", width)?);
            Ok(Claim::Matrix(game, Optimum { value, row, column }))
        }
        (Some(&"bimatrix"), &[height, width, count]) if in_bounds(height, width) && count > 0 => {
            let game = Bimatrix::new(reader.table(height, width)?, reader.table(height, width)?)?;
            let mut equilibria = Vec::new();
            for _ in 0..count {
                let (row, column) = (reader.numbers("row", height)?, reader.numbers("column", width)?);
                let payoffs = pair(reader)?;
                equilibria.push(Equilibrium { row, column, payoffs });
            }
            Ok(Claim::Bimatrix(game, equilibria))
        }
        (Some(&"tree"), &[lines, sets]) => {
            let mut efg = String::new();
            for _ in 0..lines {
                efg.push_str(reader.next()?);
                efg.push('\n');
            }
            let contents =
                read::read(&efg, Lines::Guess).map_err(|refusal| format!("the tree: {refusal}"))?;
            let Contents::Tree(tree) = contents else { return Err("expected a tree".to_string()) };
            if sets != tree.infosets().len() {
                return Err(format!("line 2: the tree has {} information sets", tree.infosets().len()));
            }
            let actions = tree.infosets().iter().map(|set| set.actions.len());
            let plans = actions.map(|count| reader.numbers("plays", count)).collect::<Result<_, _>>()?;
            let payoffs = pair(reader)?;
            Ok(Claim::Tree(tree, Plans(plans), payoffs))
        }
        _ => Err("line 2: expected a game and its size".to_string()),
    }
}

fn in_bounds(height: usize, width: usize) -> bool {
    height.checked_mul(width).is_some_and(|cells| cells <= MOST_CELLS)
}

fn pair(reader: &mut Reader<'_>) -> Result<[Fraction; 2], String> {
    let [one, two] = <[Fraction; 2]>::try_from(reader.numbers("payoffs", 2)?).unwrap_or_default();
    Ok([one, two])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples;
    use crate::tree::sequence;

    fn certificates() -> Vec<String> {
        let game = examples::bimatrix("battle-of-the-sexes").expect("it is there");
        let kuhn = examples::tree("kuhn").expect("it is there");
        let solved = sequence::solve(&kuhn).expect("zero-sum");
        vec![
            write(&Claim::Matrix(game.row().clone(), game.row().solve())),
            write(&Claim::Bimatrix(game.clone(), game.equilibria().expect("few"))),
            write(&Claim::Tree(kuhn, solved.plans, [solved.value.clone(), -solved.value])),
        ]
    }

    #[test]
    fn certificates_are_verified() {
        let said: Vec<String> =
            certificates().iter().flat_map(|text| verify(text).expect("proved")).collect();
        assert_eq!(said.len(), 5);
        assert!(said[4].contains("-1/18"), "{}", said[4]);
    }

    #[test]
    fn long_numbers_are_refused_before_they_are_read() {
        let sealed = |body: String| format!("{body}sha256\t{}\n", hash(&body));
        let one = |number: &str| {
            sealed(format!(
                "{FIRST}\ngame\tmatrix\t1\t1\npayoff\t{number}\nvalue\t{number}\nrow\t1\ncolumn\t1\n"
            ))
        };
        verify(&one(&"7".repeat(LONGEST))).expect("it is not too long");
        let why = verify(&one(&"7".repeat(LONGEST + 1))).expect_err("it is too long");
        assert_eq!(why, "line 3: a number of 20001 characters: expected at most 20000");
        let row = vec!["7".repeat(LONGEST); 400].join("\t");
        let why = verify(&sealed(format!("{FIRST}\ngame\tmatrix\t1\t400\npayoff\t{row}\n")))
            .expect_err("all of it");
        assert!(why.starts_with("line 3: too many long numbers"), "{why}");
    }

    #[test]
    fn no_byte_can_be_changed_left_out_or_added() {
        for text in certificates() {
            for at in 0..text.len() {
                for change in [Some('7'), Some('\n'), Some(' '), None] {
                    let middle = change.map(String::from).unwrap_or_default();
                    let changed = format!("{}{middle}{}", &text[..at], &text[at + 1..]);
                    assert!(changed == text || verify(&changed).is_err(), "byte {at} of\n{text}");
                }
            }
        }
    }

    #[test]
    fn a_change_with_a_new_checksum_is_refused_by_what_it_says() {
        let sealed = |text: &str| {
            let body = &text[..text.rfind("sha256").expect("it is there")];
            format!("{body}sha256\t{}\n", hash(body))
        };
        let all = certificates();
        for (text, from, to) in [
            (&all[0], "value\t2/3", "value\t3/4"),
            (&all[0], "row\t1/3\t2/3", "row\t2/3\t1/3"),
            (&all[0], "row\t1/3\t2/3", "row\t2/6\t2/3"),
            (&all[0], "payoff\t2\t0", "payoff\t3\t0"),
            (&all[1], "payoffs\t2\t1", "payoffs\t2\t2"),
            (&all[1], "row\t2/3\t1/3", "row\t1/3\t2/3"),
            (&all[2], "payoffs\t-1/18\t1/18", "payoffs\t0\t0"),
            (&all[2], "plays\t2/3\t1/3", "plays\t1/3\t2/3"),
            (&all[2], " 1/6 ", " 2/6 "),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(&changed, text, "{from}");
            assert!(verify(&sealed(&changed)).is_err(), "{from} -> {to}");
        }
    }
}
