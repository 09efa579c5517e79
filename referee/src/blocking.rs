//! `referee check` on certificates of blocking: neither player can complete a line on a board of m,n,k.
//!
//! `docs/certificates.md` describes the format, states what a claim says, and proves the conditions that are tested here.
//! Board, lines and symmetries are computed from the name of the game, without any code of the game.

use grundy_core::text::{counted, excerpt};
use xxhash_rust::xxh3::xxh3_128;

/// The first word of these certificates.
pub(crate) const MAGIC: &str = "grundy-blocking";

/// Maximum number of cells of a board.
const MOST_CELLS: usize = 64;

/// A board, its lines of K cells and its symmetries. Cells are numbered row by row from the top.
struct Board {
    columns: usize,
    rows: usize,
    lines: Vec<u64>,
    /// The image of each cell under each symmetry: mirrored columns for 1, mirrored rows for 2, then transposed for 4.
    images: Vec<Vec<usize>>,
}

/// A claim that was checked: the cells whose lines it takes as stopped, and the cells that Maker may not have.
struct Claim {
    stones: u64,
    zone: u64,
}

/// Returns what a certificate proves, in lines.
pub(crate) fn verify(text: &str) -> Result<Vec<String>, String> {
    let end = text.trim_end_matches('\n').rfind('\n').map_or(0, |at| at + 1);
    let sum = text[end..]
        .trim_end()
        .strip_prefix("checksum ")
        .ok_or("the last line is no checksum: the file was cut short")?;
    if sum != format!("{:032x}", xxh3_128(&text.as_bytes()[..end])) {
        return Err("the checksum does not match: the file is damaged".to_owned());
    }
    statements(&text[..end])
}

/// Checks a certificate without its checksum.
pub(crate) fn statements(text: &str) -> Result<Vec<String>, String> {
    let mut lines = text.lines().zip(1..);
    let mut next = || lines.next().ok_or("the file ends too early");
    let header = |(line, number): (&str, usize), name: &str| {
        let rest = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')).map(str::to_owned);
        rest.ok_or(format!("line {number}: expected '{name} ..'"))
    };
    if next()?.0 != "grundy-blocking 1" {
        return Err("line 1: expected 'grundy-blocking 1'".to_owned());
    }
    let game = header(next()?, "game")?;
    let board = Board::read(&game).ok_or_else(|| {
        format!(
            "line 2: '{}' is no game of this kind: expected mnk:COLUMNS,ROWS,K of up to 64 cells",
            shown(&game)
        )
    })?;
    let position = header(next()?, "position")?;
    let (stones, turn) = board.position(&position).map_err(|error| format!("line 3: {error}"))?;
    let count = header(next()?, "claims")?;
    let count: usize = count
        .parse()
        .map_err(|_| format!("line 4: expected the number of claims, not '{}'", shown(&count)))?;
    let mut claims: Vec<Claim> = Vec::new();
    for _ in 0..count {
        let (line, number) = next()?;
        let claim = board.claim(line, &claims).map_err(|error| format!("line {number}: {error}"))?;
        claims.push(claim);
    }
    let mut stopped = [false; 2];
    for (line, number) in lines {
        let player =
            board.end(line, &claims, stones, turn).map_err(|error| format!("line {number}: {error}"))?;
        if std::mem::replace(&mut stopped[player], true) {
            return Err(format!("line {number}: player {} a second time", player + 1));
        }
    }
    let number = counted(claims.len(), "claim");
    let by = format!("{game} from {position}: {{}}, by {number} on its lines");
    Ok(vec![match stopped {
        [true, true] => by.replace("{}", "draw: neither player can complete a line"),
        [true, false] => by.replace("{}", "player 1 cannot complete a line"),
        [false, true] => by.replace("{}", "player 2 cannot complete a line"),
        [false, false] => return Err("nothing is said of a player after the claims".to_owned()),
    }])
}

impl Board {
    /// Returns the board of a game by its name; `None` if it is no such game.
    fn read(game: &str) -> Option<Board> {
        let numbers = game.strip_prefix("mnk:")?;
        let numbers: Vec<usize> = numbers
            .split(',')
            .map(|word| word.parse().ok().filter(|n| (1..=MOST_CELLS).contains(n) && n.to_string() == word))
            .collect::<Option<_>>()?;
        let [columns, rows, k] = numbers[..] else { return None };
        if columns > 26 || columns * rows > MOST_CELLS {
            return None;
        }
        let mut lines: Vec<u64> = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                    let cell = |i: usize| {
                        let column =
                            column.checked_add_signed(right * i as isize).filter(|&c| c < columns)?;
                        let row = row + down * i;
                        (row < rows).then_some(1u64 << (row * columns + column))
                    };
                    if let Some(line) = (0..k).map(cell).try_fold(0, |line, cell| Some(line | cell?)) {
                        lines.push(line);
                    }
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        let turns = if columns == rows { 8 } else { 4 };
        let image = |turn: usize, cell: usize| {
            let (mut column, mut row) = (cell % columns, cell / columns);
            if turn & 1 != 0 {
                column = columns - 1 - column;
            }
            if turn & 2 != 0 {
                row = rows - 1 - row;
            }
            if turn & 4 != 0 { column * columns + row } else { row * columns + column }
        };
        let images =
            (0..turns).map(|turn| (0..columns * rows).map(|cell| image(turn, cell)).collect()).collect();
        (!lines.is_empty()).then_some(Board { columns, rows, lines, images })
    }

    /// Returns the stones of both players and the player to move, 0 or 1, of an unfinished position.
    fn position(&self, text: &str) -> Result<([u64; 2], usize), String> {
        let expected = || {
            format!(
                "expected a position of {} columns and {} rows, such as X.O/.../... 1",
                self.columns, self.rows
            )
        };
        let (board, turn) = text.split_once(' ').ok_or_else(expected)?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != self.rows || rows.iter().any(|row| row.len() != self.columns) {
            return Err(expected());
        }
        let mut stones = [0u64; 2];
        for (cell, letter) in rows.concat().bytes().enumerate() {
            match letter {
                b'X' => stones[0] |= 1 << cell,
                b'O' => stones[1] |= 1 << cell,
                b'.' => {}
                _ => return Err(expected()),
            }
        }
        let turn = match turn {
            "1" => 0,
            "2" => 1,
            _ => return Err(expected()),
        };
        if stones[0].count_ones() != stones[1].count_ones() + turn as u32 {
            return Err("the players have not placed their stones in turn, X first".to_owned());
        }
        match self.lines.iter().any(|line| stones.iter().any(|own| line & !own == 0)) {
            true => Err("a line is complete: the game is over".to_owned()),
            false => Ok((stones, turn)),
        }
    }

    /// Returns the cell of a square's name, as a set.
    fn square(&self, word: &str) -> Result<u64, String> {
        let wrong = || format!("'{}' is no square of the board", shown(word));
        let letter = word.bytes().next().filter(u8::is_ascii_lowercase).ok_or_else(wrong)?;
        let column = usize::from(letter - b'a');
        let digits = &word[1..];
        let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
        let row: usize = digits.parse().ok().filter(|_| plain).ok_or_else(wrong)?;
        let row = self.rows.checked_sub(row).ok_or_else(wrong)?;
        if column < self.columns { Ok(1 << (row * self.columns + column)) } else { Err(wrong()) }
    }

    /// Returns a set of squares, separated by `between`; `-` is the empty one.
    fn squares(&self, words: &str, between: char) -> Result<u64, String> {
        if words == "-" {
            return Ok(0);
        }
        words.split(between).try_fold(0, |set, word| match self.square(word)? {
            cell if cell & set != 0 => Err(format!("{} twice", shown(word))),
            cell => Ok(set | cell),
        })
    }

    /// Returns all cells of the board.
    fn cells(&self) -> u64 {
        u64::MAX >> (64 - self.columns * self.rows)
    }

    /// Returns the image of a set under a symmetry.
    fn image(&self, symmetry: usize, set: u64) -> u64 {
        self.images[symmetry].iter().enumerate().fold(0, |all, (cell, to)| all | (set >> cell & 1) << to)
    }

    /// Returns a checked claim.
    fn claim(&self, line: &str, claims: &[Claim]) -> Result<Claim, String> {
        let expected = "expected 'pairs' or 'answers', squares, and what stops the lines, between tabs";
        let [kind, stones, reasons] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(expected.to_owned());
        };
        let stones = self.squares(stones, ',')?;
        let words = || reasons.split(',').filter(|_| reasons != "-");
        let mut zone = 0;
        match kind {
            "pairs" => {
                let mut pairs = Vec::new();
                for word in words() {
                    let pair = self.squares(word, '-')?;
                    if pair.count_ones() != 2 || pair & zone != 0 {
                        return Err(format!("{} is no pair of squares apart from the others", shown(word)));
                    }
                    zone |= pair;
                    pairs.push(pair);
                }
                let paired = |line: &u64| pairs.iter().any(|pair| line & pair == *pair);
                if let Some(line) = self.lines.iter().find(|&line| line & stones == 0 && !paired(line)) {
                    return Err(format!("the line {} has no pair", self.names(*line)));
                }
            }
            "answers" => {
                let mut common = u64::MAX;
                for word in words() {
                    let (cell, used) =
                        word.split_once(':').ok_or_else(|| format!("'{}' is no answer", shown(word)))?;
                    let cell = self.square(cell)?;
                    let needed = cell | self.applied(used, claims, stones | cell)?;
                    zone |= needed;
                    common &= needed;
                }
                if common != 0 {
                    let open = common & self.cells();
                    let first = open & open.wrapping_neg();
                    return Err(format!("no answer to {}", self.names(first)));
                }
            }
            _ => return Err(expected.to_owned()),
        }
        Ok(Claim { stones, zone })
    }

    /// Returns the zone of an earlier claim `N` or `N/SYMMETRY`, which must apply where Breaker has a stone on every line that
    /// meets `stones`.
    fn applied(&self, used: &str, claims: &[Claim], stones: u64) -> Result<u64, String> {
        let (claim, symmetry) = used.split_once('/').unwrap_or((used, "0"));
        let claim = claim.parse().ok().and_then(|claim: usize| claims.get(claim));
        let claim = claim.ok_or_else(|| format!("'{}' is no claim of an earlier line", shown(used)))?;
        let symmetry = symmetry.parse().ok().filter(|symmetry: &usize| *symmetry < self.images.len());
        let symmetry = symmetry.ok_or_else(|| format!("'{}' has no symmetry of the board", shown(used)))?;
        let needed = self.image(symmetry, claim.stones);
        match self.lines.iter().find(|&line| line & needed != 0 && line & stones == 0) {
            Some(line) => {
                Err(format!("claim {} needs a stone on the line {}", shown(used), self.names(*line)))
            }
            None => Ok(self.image(symmetry, claim.zone)),
        }
    }

    /// Checks the statement that a player cannot complete a line, and returns the player, 0 or 1.
    fn end(&self, line: &str, claims: &[Claim], stones: [u64; 2], turn: usize) -> Result<usize, String> {
        let expected =
            "expected 'player 1' or 'player 2', the other's move or '-', and a claim, between tabs";
        let [player, cell, used] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(expected.to_owned());
        };
        let player = match player {
            "player 1" => 0,
            "player 2" => 1,
            _ => return Err(expected.to_owned()),
        };
        let (maker, breaker) = (stones[player], stones[1 - player]);
        let cell = self.squares(cell, ',')?;
        if cell.count_ones() > 1 || cell & (maker | breaker) != 0 || cell != 0 && turn == player {
            return Err("the other player has no such move".to_owned());
        }
        let zone = cell | self.applied(used, claims, breaker | cell)?;
        match zone & maker {
            0 => Ok(player),
            taken => Err(format!("the claim needs {}, which the player has", self.names(taken))),
        }
    }

    fn names(&self, set: u64) -> String {
        let name = |cell: usize| {
            format!("{}{}", char::from(b'a' + (cell % self.columns) as u8), self.rows - cell / self.columns)
        };
        let cells = (0..self.columns * self.rows).filter(|cell| set >> cell & 1 == 1);
        cells.map(name).collect::<Vec<_>>().join(" ")
    }
}

/// Returns an excerpt of a text in the file, safe for a terminal.
fn shown(text: &str) -> String {
    excerpt(text, 20)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grundy_core::random::SplitMix64;
    use grundy_session::{NEVER, Settings};

    use super::*;
    use crate::tests::CATALOG;

    /// Pairs for five in a row on 5x5 that miss some of the twelve lines.
    const PAIRS: &str = "a5-b5,a4-b4,a1-b1,c5-c4,a3-e3,e5-e4,e2-e1,a2-b2,c3-c1";

    fn with(pairs: &str) -> Result<Vec<String>, String> {
        statements(&format!(
            "grundy-blocking 1\ngame mnk:5,5,5\nposition ...../...../...../...../..... 1\nclaims 1\npairs\t-\t{pairs}\n\
             player 1\t-\t0\nplayer 2\t-\t0\n"
        ))
    }

    /// Returns certificates of positions in random play, without their checksums.
    fn certificates(game: &str, games: usize) -> Vec<String> {
        let mut session = CATALOG.open(game, &Settings::default()).expect("a game");
        let mut lots = SplitMix64(7);
        let mut texts = Vec::new();
        for _ in 0..games {
            session.setup(None).expect("the start");
            loop {
                let moves = session.legal_moves(64);
                let Some(word) = moves.get(lots.below(moves.len().max(1))) else { break };
                if let Some(text) = session.certificate(&session.work(&NEVER)) {
                    let end = text.find("checksum ").expect("a checksum");
                    assert_eq!(verify(&text).map(|lines| lines.len()), Ok(1), "{text}");
                    texts.push(text[..end].to_owned());
                }
                session.play(word).expect("a legal move");
            }
        }
        texts
    }

    /// Reports whether a player, 0 or 1, wins a position, by recursion.
    fn wins(
        board: &Board,
        stones: [u64; 2],
        turn: usize,
        player: usize,
        known: &mut HashMap<[u64; 2], bool>,
    ) -> bool {
        if let Some(&won) = known.get(&stones) {
            return won;
        }
        let full = |own: u64| board.lines.iter().any(|line| line & !own == 0);
        let free = board.cells() & !(stones[0] | stones[1]);
        let won = if full(stones[1 - turn]) || free == 0 {
            full(stones[player]) && turn != player
        } else {
            let mut after = (0..64).filter(|cell| free >> cell & 1 == 1).map(|cell| {
                let mut stones = stones;
                stones[turn] |= 1 << cell;
                wins(board, stones, 1 - turn, player, known)
            });
            if turn == player { after.any(|won| won) } else { after.all(|won| won) }
        };
        known.insert(stones, won);
        won
    }

    #[test]
    fn what_is_proved_is_true_and_so_is_what_a_forger_gets_accepted() {
        let mut accepted = 0;
        for (game, games, forgeries) in [("mnk:3,3,3", 30, 40), ("mnk:4,3,3", 60, 40), ("mnk:4,4,4", 3, 60)] {
            let texts = certificates(game, games);
            assert!(texts.len() > 5, "{game}: {}", texts.len());
            let board = Board::read(game).expect("a board");
            let mut lots = SplitMix64(11);
            let mut known = [HashMap::new(), HashMap::new()];
            for text in texts {
                for round in 0..=forgeries {
                    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                    // A word of one line, or a whole line, is that of another place.
                    for _ in 0..round.min(1 + round % 2) {
                        let (to, from) = (2 + lots.below(lines.len() - 2), 4 + lots.below(lines.len() - 4));
                        let words: Vec<&str> = lines[from].split(['\t', ',', ':', '-', '/']).collect();
                        let word = words[lots.below(words.len())].to_owned();
                        let places: Vec<&str> = lines[to].split(['\t', ',', ':', '-', '/']).collect();
                        let place = places[lots.below(places.len())].to_owned();
                        lines[to] = if place.is_empty() {
                            lines[from].clone()
                        } else {
                            lines[to].replacen(&place, &word, 1)
                        };
                    }
                    let Ok(proved) = statements(&(lines.join("\n") + "\n")) else {
                        assert!(round > 0, "{text}");
                        continue;
                    };
                    accepted += usize::from(round > 0);
                    let (stones, turn) = board.position(&lines[2]["position ".len()..]).expect("a position");
                    for (player, known) in known.iter_mut().enumerate() {
                        if proved[0].contains("neither")
                            || proved[0].contains(&format!("player {} cannot", player + 1))
                        {
                            assert!(!wins(&board, stones, turn, player, known), "{}", lines.join("\n"));
                        }
                    }
                }
            }
        }
        assert!(accepted > 20, "{accepted}");
    }

    #[test]
    fn pairs_that_miss_a_line_are_refused() {
        let error = with(PAIRS).unwrap_err();
        assert!(error.starts_with("line 5: the line "), "{error}");
        assert!(with("a5-a5").unwrap_err().contains("twice"));
        assert!(with("a5-b5,b5-c5").unwrap_err().contains("no pair of squares"));
        assert!(with("a5-f5").unwrap_err().contains("'f5' is no square"));
    }
}
