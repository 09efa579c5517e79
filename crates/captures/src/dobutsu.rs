//! Dobutsu shogi: lions, giraffes, elephants and chicks on three columns and four rows.
//!
//! * `L` lion: one step any way; `G` giraffe: straight; `E` elephant: slanting; `C` chick: one step forwards; `H` hen: all
//!   ways but backwards slanting. Capitals are player one's and go up. A chick that moves to the last row becomes a hen; one
//!   that is dropped there stays a chick. Taken men change sides and can be dropped on free cells, a hen as a chick.
//! * Who takes the lion wins; so does who moves his lion to the last row where no man of the other attacks it at that moment
//!   (a try). No rule on repetition: endless play is a draw.
//! * Position `gle/.c./.C./ELG - 1`: the rows from the top, then the hands, player one's first, in the order `CEGceg`, `-` for
//!   none, and `!` if the last move was a try that has won. Moves `b2-b3`, also taking, and drops `C@a2`.
//!
//! The table has only positions that follow from play in which a lion that can be taken is taken, as in Tanaka's count.
//!
//! Source: M. Kitao, 2008; T. Tanaka, "An analysis of a board game Doubutsu Shogi", IPSJ 2009-GI-22-3: the second player
//! wins in 78 plies; 246,803,167 positions.

use grundy_core::game::{Flow, MORE, Player};
use grundy_core::grid::Grid;
use grundy_core::value::Value;
use grundy_core::words;
use grundy_search::board::{BoardRules, Image, Indices, Layout, Move, Position, images};

use crate::field::{Field, cells};

mod index;

/// The rules of Dobutsu shogi. The rest of a position is three bits for the kind of man on each cell, and above them two bits
/// for each kind in hand, player one's first, and a bit if the last move has won by reaching the last row.
#[derive(Clone, Debug)]
pub struct Dobutsu {
    field: Field,
    /// The cells that a man attacks, by player, kind and cell.
    attacks: [[[u16; CELLS]; 6]; 2],
}

/// A kind of man, from 1 on.
type Kind = u64;

const CHICK: Kind = 1;
const HEN: Kind = 4;
const LION: Kind = 5;
/// The letters of the kinds.
const LETTERS: [char; 6] = ['.', 'C', 'E', 'G', 'H', 'L'];
/// The directions of the kinds, as player one goes: bit `n` is the n-th of the field's directions.
const WAYS: [u8; 6] = [0, 0b0000_0001, 0b1111_0000, 0b0000_1111, 0b1001_1111, 0b1111_1111];
/// The directions seen by the other player.
const TURNED: [u8; 8] = [2, 1, 0, 3, 5, 4, 7, 6];
const CELLS: usize = 12;
const GRID: Grid = Grid { columns: 3, rows: 4 };
/// First bit of the hands.
const HANDS: usize = 3 * CELLS;
/// The bit of a try that has won.
const TRIED: u64 = 1 << (HANDS + 12);
/// The last row of each player.
const LAST: [u64; 2] = [0b111, 0b111 << 9];

#[inline]
const fn kind(position: &Position, cell: usize) -> Kind {
    position.rest >> (3 * cell) & 7
}

/// Returns the first bit of the count of a kind in a player's hand.
#[inline]
const fn place_in_hand(player: Player, kind: Kind) -> usize {
    HANDS + 6 * player.index() + 2 * (kind as usize - 1)
}

#[inline]
const fn in_hand(position: &Position, player: Player, kind: Kind) -> u64 {
    position.rest >> place_in_hand(player, kind) & 3
}

impl Dobutsu {
    /// Returns the game.
    ///
    /// # Errors
    /// None: the board is fixed.
    pub fn new() -> Result<Dobutsu, String> {
        let field = Field::new(GRID.rows, GRID.columns, CELLS)?;
        let attacks = [Player::One, Player::Two].map(|player| {
            WAYS.map(|ways| {
                std::array::from_fn(|from| {
                    let ways = cells(u32::from(ways)).map(|way| match player {
                        Player::One => way,
                        Player::Two => usize::from(TURNED[way]),
                    });
                    ways.filter_map(|way| field.step(from, way)).fold(0, |set, to| set | 1 << to)
                })
            })
        });
        Ok(Dobutsu { field, attacks })
    }

    /// Returns the cells that a man attacks.
    #[inline]
    fn attacked_by(&self, player: Player, kind: Kind, from: usize) -> u64 {
        self.attacks[player.index()][kind as usize][from].into()
    }

    /// Returns the cells that a player's men attack.
    fn attacked(&self, position: &Position, player: Player) -> u64 {
        let men = cells(position.men[player.index()]);
        men.fold(0, |set, from| set | self.attacked_by(player, kind(position, from), from))
    }

    /// Returns the cell of a player's lion, as a set; empty if it was taken.
    fn lion(position: &Position, player: Player) -> u64 {
        let men = cells(position.men[player.index()]);
        men.filter(|&cell| kind(position, cell) == LION).fold(0, |set, cell| set | 1 << cell)
    }

    /// Reports whether the player to move can take the lion.
    #[inline]
    fn takes(&self, position: &Position) -> bool {
        Dobutsu::lion(position, !position.turn) & self.attacked(position, position.turn) != 0
    }
}

impl BoardRules for Dobutsu {
    fn layout(&self) -> Layout {
        Layout { cells: CELLS as u32, rest: (HANDS + 13) as u32, stage: 0 }
    }

    fn symmetries(&self) -> Vec<Image> {
        let mirror = &self.field.grid.symmetries()[..2];
        images(mirror, 1, 3)
    }

    fn cyclic(&self) -> bool {
        true
    }

    fn start(&self) -> Position {
        let men = [(0, 'g'), (1, 'l'), (2, 'e'), (4, 'c'), (7, 'C'), (9, 'E'), (10, 'L'), (11, 'G')];
        let mut position = Position { men: [0, 0], rest: 0, turn: Player::One };
        for (cell, letter) in men {
            let kind = LETTERS.iter().position(|&other| other == letter.to_ascii_uppercase()).unwrap_or(0);
            position.men[usize::from(letter.is_ascii_lowercase())] |= 1 << cell;
            position.rest |= (kind as u64) << (3 * cell);
        }
        position
    }

    fn over(&self, position: &Position) -> Option<Value> {
        let lost = position.rest & TRIED != 0 || Dobutsu::lion(position, position.turn) == 0;
        lost.then_some(Value::loss_in(0))
    }

    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let (own, free) = (position.own(), self.field.all & !position.taken());
        for from in cells(own) {
            let targets = self.attacked_by(position.turn, kind(position, from), from) & !own;
            cells(targets).try_for_each(|to| visit(Move::of(from, to)))?;
        }
        for kind in (CHICK..HEN).filter(|&kind| in_hand(position, position.turn, kind) > 0) {
            cells(free).try_for_each(|to| visit(Move(Move::of(to, to).0 | kind << 12)))?;
        }
        MORE
    }

    fn play(&self, position: &Position, m: Move) -> Position {
        let (from, to, mover) = (m.from(), m.to(), position.turn);
        let mut rest = position.rest;
        if from == to {
            rest -= 1 << place_in_hand(mover, m.more());
            rest |= m.more() << (3 * to);
            return position.after(position.own() | 1 << to, position.other(), rest);
        }
        let (moved, taken) = (kind(position, from), kind(position, to));
        let promoted = moved == CHICK && LAST[mover.index()] >> to & 1 == 1;
        rest &= !(7 << (3 * from) | 7 << (3 * to));
        rest |= (if promoted { HEN } else { moved }) << (3 * to);
        if taken != 0 && taken != LION {
            rest += 1 << place_in_hand(mover, if taken == HEN { CHICK } else { taken });
        }
        let next =
            position.after(position.own() & !(1 << from) | 1 << to, position.other() & !(1 << to), rest);
        let tries = moved == LION && taken != LION && LAST[mover.index()] >> to & 1 == 1;
        let won = tries && self.attacked(&next, !mover) >> to & 1 == 0;
        Position { rest: next.rest | if won { TRIED } else { 0 }, ..next }
    }

    fn write_position(&self, position: &Position) -> String {
        let letter = |cell: usize| {
            let letter = LETTERS[kind(position, cell) as usize];
            if position.men[1] >> cell & 1 == 1 { letter.to_ascii_lowercase() } else { letter }
        };
        let mut hands = String::new();
        for player in [Player::One, Player::Two] {
            for kind in CHICK..HEN {
                let letter = LETTERS[kind as usize];
                let letter = if player == Player::One { letter } else { letter.to_ascii_lowercase() };
                hands.extend(std::iter::repeat_n(letter, in_hand(position, player, kind) as usize));
            }
        }
        let hands = if hands.is_empty() { "-" } else { &hands };
        let tried = if position.rest & TRIED != 0 { "!" } else { "" };
        format!("{} {hands}{tried} {}", GRID.write(letter), position.turn.digit())
    }

    fn read_position(&self, text: &str) -> Result<Position, String> {
        let ([board, hands], turn) =
            words::fields(text, "the board's rows and the hands, as gle/.c./.C./ELG -,")?;
        let mut position = Position { men: [0, 0], rest: 0, turn };
        // Men of each kind on the board and in the hands, a hen as a chick; lions by player.
        let (mut counts, mut lions) = ([0u32; 6], [0u32; 2]);
        let kind_of = |letter: char| LETTERS.iter().position(|&other| other == letter.to_ascii_uppercase());
        GRID.read(board, "L, G, E, C, H, l, g, e, c, h and .", |cell, letter| {
            let Some(kind) = kind_of(letter) else { return false };
            if kind > 0 {
                let side = usize::from(letter.is_ascii_lowercase());
                position.men[side] |= 1 << cell;
                position.rest |= (kind as u64) << (3 * cell);
                counts[if kind as u64 == HEN { CHICK as usize } else { kind }] += 1;
                lions[side] += u32::from(kind as u64 == LION);
            }
            true
        })?;
        let (mut last, tried) = (0, hands.ends_with('!'));
        let hands = hands.strip_suffix('!').unwrap_or(hands);
        for letter in hands.chars().filter(|_| hands != "-") {
            let place = "CEGceg".find(letter).filter(|&place| place >= last);
            let place = place.ok_or("bad hands: expected letters in the order CEGceg, or - for none")?;
            last = place;
            let player = if place < 3 { Player::One } else { Player::Two };
            let kind = place % 3 + 1;
            counts[kind] += 1;
            if counts[kind] <= 2 {
                position.rest += 1 << place_in_hand(player, kind as u64);
            }
        }
        if counts[..4].iter().any(|&count| count > 2) {
            return Err("too many men: expected at most two chicks or hens, two elephants and two giraffes"
                .to_owned());
        }
        let [own, other] = if turn == Player::One { lions } else { [lions[1], lions[0]] };
        if own > 1 || other != 1 {
            return Err("bad lions: expected one of each player; only the player to move may have lost his"
                .to_owned());
        }
        let other = !turn;
        let lion = Dobutsu::lion(&position, other);
        if tried && (lion & LAST[other.index()] == 0 || lion & self.attacked(&position, turn) != 0) {
            return Err("no try that has won: expected the lion of the player who has moved on his last row, not attacked"
                .to_owned());
        }
        position.rest |= if tried { TRIED } else { 0 };
        Ok(position)
    }

    fn write_move(&self, _position: &Position, m: Move) -> String {
        let to = GRID.square(m.to());
        match m.from() == m.to() {
            true => format!("{}@{to}", LETTERS[m.more() as usize]),
            false => format!("{}-{to}", GRID.square(m.from())),
        }
    }

    fn draw(&self, position: &Position) -> String {
        self.field.draw(&self.write_position(position))
    }

    fn guess(&self, position: &Position) -> i32 {
        const WORTH: [i32; 6] = [0, 100, 300, 350, 450, 0];
        let score = |player: Player| {
            let men = cells(position.men[player.index()]).map(|cell| WORTH[kind(position, cell) as usize]);
            let hand = (CHICK..HEN).map(|kind| WORTH[kind as usize] * in_hand(position, player, kind) as i32);
            men.chain(hand).sum::<i32>()
        };
        score(position.turn) - score(!position.turn)
    }

    fn hint(&self, position: &Position, m: Move, _child: &Position) -> i32 {
        if m.from() == m.to() { 0 } else { 2 * kind(position, m.to()) as i32 + 1 }
    }

    fn bounds(&self, position: &Position) -> (Value, Value) {
        let least = if self.takes(position) { Value::win_in(1) } else { Value::loss_in(2) };
        (least, Value::win_in(1))
    }

    fn indices(&self) -> Option<&dyn Indices> {
        Some(self)
    }
}
