//! Chess and its endings: names, and the tables that all sessions share.

use std::sync::LazyLock;

use crate::material::bad_ending;
use crate::small::SmallChess;
use crate::{Chess, Material, Scope, read_any_fen};
use cozy_chess::Board;
use grundy_core::game::Indexed;
use grundy_core::words;
use grundy_search::alpha_beta::AlphaBeta;
use grundy_search::play::play;
use grundy_session::Session;
use grundy_session::{Parameter, Row, Shape, Spec};
use grundy_tables::bitparallel::{Library, LibraryOracle};
use grundy_tables::tiers::TierOracle;

/// The games of this family.
pub static ROWS: [Row; 2] = [
    Row::new("chess", "chess", open)
    .parameters("KQvKR | Nmen, rule50 | 960")
    .about("chess, or an ending of few men to the shortest mate")
    .title("Chess")
    .rules(
        "White and Black take turns to move one of their men, each kind in its own way, and take \
         a man of the other side by moving onto its square. Whoever attacks the king of the other \
         so that no move saves it wins by checkmate; a player who is not attacked but has no \
         legal move is stalemated, and the game is a draw.",
    )
    .players("White", "Black")
    .many_starts(|spec| {
        spec.flag("rule50");
        spec.flag("960");
        spec.word().is_some()
    })
    .shuffled(|spec| if spec.flag("960") { starts_960() } else { Vec::new() })
    .other_names(&[
        ("schach", "chess"),
        ("schack", "chess"),
        ("chess960", "chess:960"),
        ("fischer-random", "chess:960"),
        ("fischerandom", "chess:960"),
    ])
    .described(|spec, usual| {
        let rule50 = spec.flag("rule50");
        spec.flag("960");
        usual.adding(rule50 || spec.word().is_none(), FIFTY)
    })
    .details(&[
        Parameter::new("KQvKR", "an ending: the men of either side", "the full game"),
        Parameter::new("Nmen", "all endings of at most this many men", "the full game"),
        Parameter::new("rule50", "the fifty-move rule counts in an ending too", "in full games only"),
        Parameter::new("960", "Chess960: castling from any first row", "king on e, rooks on a and h"),
    ])
    .known("the longest mates: KQvK 10 moves, KRvK 16, KBBvK 19, KPvK 28, KBNvK 33, KQvKR 35")
    .letters("capitals are White's men (player one), small letters Black's, . a free square")
    .moves("e2e4 moves from e2 to e4, e7e8q becomes a queen, e1g1 castles; Nf3 and O-O are read as well")
    .method("bit-parallel tables (any ending of 5 men), else search")
    .shape(Shape::Chess)
    .recognized(|text| text.trim_start().starts_with("1.") || read_any_fen(text).is_ok())
    .standard(),
    Row::new("chess-3x3", "chess-3x3", |spec| {
        let men = match spec.word() {
            None => SmallChess::MOST,
            Some(word) => {
                let men = words::men(word);
                men.ok_or_else(|| format!("bad game {word:.60}: expected 2men to 9men"))? as usize
            }
        };
        let game = SmallChess::new(men)?;
        let oracle = TierOracle::of(&game, spec)?;
        Ok(play(spec, game).oracle(oracle).search::<AlphaBeta<_>>().session())
    })
    .parameters("Nmen tier=T")
    .about("chess on a board of 3x3, any men on any squares")
    .title("Chess on 3x3")
    .rules(
        "Chess on three rows of three squares: White and Black move their men as in chess, without castling \
         and without double steps, and a pawn that reaches the third row becomes another man. Checkmate wins; \
         a player without a legal move who is not in check draws, and so does endless play.",
    )
    .players("White", "Black")
    .details(&[
        Parameter::new("Nmen", "men on the board at most, 2 to 9; the game starts with a longest mate", "9men"),
        Parameter::new("tier=T", "for solve and tables: one tier and those it needs, as 7m7p", "all that follow the start"),
    ])
    .known("the longest mate takes 16 moves (Kryukov 2004); 145,518,672 positions with White to move")
    .repeats()
    .letters("capitals are White's men (player one), small letters Black's, . a free square")
    .moves("c3b1 moves from c3 to b1, a2a3q becomes a queen")
    .method("tiers by men and pawns, each by retrograde analysis, small ones built when needed; else search")
    .shape(Shape::Chess)
    .other_names(&[("chess:board=3x3", "chess-3x3"), ("3x3-chess", "chess-3x3")]),
];

/// The further rules of draws in a full game.
const FIFTY: &str = "It is also a draw when a position occurs for the third time, and after fifty moves of each side without \
                     a capture or a move of a pawn.";

/// Opens `chess` or `chess:960`, or `chess:KQvKR`, `chess:4men`, each with or without `rule50`.
fn open(spec: &mut Spec<'_>) -> Result<Session, String> {
    let asked = spec.flag("rule50");
    let chess960 = spec.flag("960");
    let game = match spec.word() {
        None => Chess::new().with_chess960(chess960),
        Some(word) if chess960 => {
            let why = match word.bytes().all(|byte| byte.is_ascii_digit()) {
                true => "a start is given as a position, in FEN",
                false => "an ending has no castling",
            };
            return Err(format!("unknown section {word:.60} of chess:960: {why}"));
        }
        Some(word) => match words::men(word) {
            Some(men) => Chess::men(men)?,
            None => Chess::ending(Material::read(word).map_err(|_| bad_ending(word))?)?,
        },
    };
    // A full game ends by the rule, so its values include it.
    let rule50 = asked || game.scope() == Scope::Any;
    // Tables ignore the fifty-move rule; a full game has its endings of few men under the rule.
    let shelf = LibraryOracle::new(tables());
    let shelf = match (game.size() > 0, rule50) {
        (true, false) => shelf,
        (true, true) => shelf.with_table_of(game.clone(), spec.without("rule50")),
        (false, _) => shelf.with_table_of(few(), FEW).with_tables_of_endings(|ending| {
            let game = Chess::ending(ending).ok()?;
            Some((game, format!("chess:{ending}")))
        }),
    };
    let session = play(spec, game.with_rule50(rule50)).search::<AlphaBeta<_>>();
    Ok(session.oracle(shelf).session())
}

/// Returns the starts of Chess960 in the order of their numbers, 0 to 959 (R. Scharnagl,
/// "Fischer-Random-Schach", 2004).
fn starts_960() -> Vec<String> {
    (0..960).map(|number| format!("{:#}", Board::chess960_startpos(number))).collect()
}

/// The game whose table has all endings of few men.
const FEW: &str = "chess:4men";

fn few() -> Chess {
    static GAME: LazyLock<Chess> = LazyLock::new(|| Chess::men(4).expect("four men can stand on a board"));
    GAME.clone()
}

/// Returns the endings solved so far.
fn tables() -> &'static Library<Chess> {
    static TABLES: LazyLock<Library<Chess>> =
        LazyLock::new(|| Library::new(64 << 20).prompt().kept_as("chess"));
    &TABLES
}
