//! The contract of every game, on boards that are small enough, and on positions of random games elsewhere.

use std::collections::BTreeSet;

use grundy_captures::amazons::Amazons;
use grundy_captures::clobber::Clobber;
use grundy_captures::dobutsu::Dobutsu;
use grundy_captures::dodgem::Dodgem;
use grundy_captures::draughts::Draughts;
use grundy_captures::fading::Fading;
use grundy_captures::fanorona::Fanorona;
use grundy_captures::gobblers::Gobblers;
use grundy_captures::hounds::Hounds;
use grundy_captures::kaooa::Kaooa;
use grundy_captures::konane::Konane;
use grundy_captures::liberties::Liberties;
use grundy_captures::musketeers::Musketeers;
use grundy_captures::slides::Slides;
use grundy_captures::tigers::Tigers;
use grundy_captures::tsoro::Tsoro;
use grundy_contract::Contract;
use grundy_core::game::{Game, Indexed, Notation, Player};
use grundy_core::value::Value;
use grundy_search::board::{BoardGame, BoardRules, Position};
use grundy_tables::retrograde::Reversible;

fn game(rules: Result<impl BoardRules, String>) -> Contract<BoardGame> {
    Contract::new(BoardGame::new(rules.unwrap())).search()
}

/// As [`game`], without the search, which is slow where positions repeat.
fn unsearched(rules: Result<impl BoardRules, String>) -> Contract<BoardGame> {
    Contract::new(BoardGame::new(rules.unwrap())).heuristic()
}

/// Counts of `counts.tsv`, a brute force of its own: positions, and classes where it has them.
#[test]
fn nogo_and_atari_go() {
    game(Liberties::nogo(1, 9)).positions(1_842).canonical(932).run();
    game(Liberties::nogo(2, 4)).positions(1_325).canonical(340).run();
    game(Liberties::nogo(3, 3)).positions(3_884).run();
    game(Liberties::nogo(5, 5)).limit(1_000).run();
    game(Liberties::atari_go(1, 7)).positions(493).canonical(252).run();
    game(Liberties::atari_go(3, 3)).positions(5_172).run();
    game(Liberties::atari_go(2, 5)).positions(14_215).canonical(3_603).run();
    game(Liberties::atari_go(4, 5)).limit(1_000).run();
}

#[test]
fn clobber() {
    game(Clobber::new(1, 13)).positions(4_151).run();
    game(Clobber::new(2, 6)).partizan().positions(11_143).run();
    game(Clobber::new(5, 6)).limit(1_000).run();
}

#[test]
fn konane() {
    game(Konane::new(4, 4)).positions(3_673).perft(&[2, 8]).run();
    game(Konane::new(4, 5)).limit(1_000).run();
    game(Konane::new(6, 6)).limit(1_000).run();
}

#[test]
fn amazons() {
    game(Amazons::new(4, 4)).limit(1_000).run();
    game(Amazons::new(4, 5)).limit(1_000).run();
    game(Amazons::new(5, 5)).limit(1_000).run();
    // Late positions, with walls of amazons and of arrows.
    game(Amazons::new(4, 4)).at("#OO#/O.O#/X.../.XXX 2").positions(18_956).run();
    game(Amazons::new(4, 5)).at("O#..O/#X##O/.#..X/#.XXO 1").positions(17_735).run();
    game(Amazons::new(5, 5)).at("..O#O/O####/XXX#O/#..##/#..X. 1").positions(31_281).run();
}

#[test]
fn fanorona() {
    game(Fanorona::new(3, 3)).positions(1_012).run();
    game(Fanorona::new(3, 5)).limit(1_000).run();
    game(Fanorona::new(5, 5)).limit(1_000).run();
    // Moves of up to 22 steps.
    let long = "O.OOO.OO./.O.O.O.O./OOOOOO..O/O.....O../.OO..XO.. 1";
    game(Fanorona::new(5, 9)).from(long).limit(500).run();
}

#[test]
fn dodgem() {
    game(Dodgem::new(2)).positions(23).indexed().backwards().run();
    game(Dodgem::new(3)).positions(2_055).indexed().backwards().run();
    game(Dodgem::new(5)).limit(1_000).indexed().reversible().run();
    game(Dodgem::new(7)).limit(1_000).run();
}

#[test]
fn infinite_tictactoe() {
    game(Fading::new(false)).limit(1_000).perft(&[9, 72, 504, 3_024]).run();
    game(Fading::new(true)).limit(1_000).run();
}

#[test]
fn hare_and_hounds() {
    game(Hounds::new(3, Player::One)).limit(500).run();
    unsearched(Hounds::new(3, Player::One)).positions(2_116).canonical(1_111).run();
    unsearched(Hounds::new(5, Player::One)).limit(1_000).run();
}

#[test]
fn kaooa() {
    unsearched(Kaooa::new(6, 3, false)).limit(1_000).run();
    unsearched(Kaooa::new(7, 4, true)).limit(1_000).run();
}

#[test]
fn tsoro_yematatu() {
    game(Ok(Tsoro::new(false))).positions(815).run();
    game(Ok(Tsoro::new(true))).positions(806).run();
}

#[test]
fn three_musketeers() {
    game(Musketeers::new(3)).canonical(270).indexed().acyclic().layers().run();
    game(Musketeers::new(5)).limit(1_000).indexed().acyclic().run();
    for side in [3, 5] {
        let game = BoardGame::new(Musketeers::new(side).unwrap());
        assert!(game.position(game.size() - 1).is_some(), "{side}: the last index is a full board");
    }
}

#[test]
fn gobblers() {
    game(Ok(Gobblers)).limit(1_000).perft(&[27, 675]).indexed().reversible().run();
}

/// T. Tanaka, 2009: four first moves.
#[test]
fn dobutsu() {
    game(Dobutsu::new()).limit(1_000).perft(&[4]).run();
}

/// Checks the indices of positions that the start leads to: each has an index and a position of that index, and its children,
/// other than those that a [`Indexed::child_count`] leaves out, have it as a predecessor and none that has no such move.
fn indices_agree_with_the_rules(game: &BoardGame) {
    let children_of = |position: &Position| {
        let mut numbers = BTreeSet::new();
        if game.settled(position).is_none() {
            game.child_indices(position, &mut |child, _| {
                numbers.insert(child);
            });
        }
        numbers
    };
    let (mut seen, mut open) = (BTreeSet::from([game.index(&game.start())]), vec![game.start()]);
    for at in 0..3_000 {
        // Far from the start, too.
        let position = open.swap_remove(at * 7 % open.len());
        let number = game.index(&position);
        let image = game.position(number).unwrap();
        assert!(number < game.size() && game.index(&image) == number, "{}", game.write_position(&position));
        let children = children_of(&position);
        assert_eq!(children, children_of(&image));
        let safe = |number: &&u64| game.settled(&game.position(**number).unwrap()) != Some(Value::win_in(1));
        if let (None, Some(count)) = (game.settled(&position), game.child_count(&position)) {
            assert_eq!(count as usize, children.iter().filter(safe).count());
        }
        for &child in children.iter().filter(safe) {
            let mut found = false;
            game.predecessors(&game.position(child).unwrap(), &mut |before| {
                found |= game.index(&before) == number;
                let leads = game.settled(&before).is_some() || children_of(&before).contains(&child);
                assert!(leads, "{} to {child}", game.write_position(&before));
            });
            assert!(found, "{} to {child}", game.write_position(&position));
        }
        open.extend(
            children.into_iter().filter(|&child| seen.insert(child)).filter_map(|n| game.position(n)),
        );
    }
}

#[test]
fn indices_agree() {
    indices_agree_with_the_rules(&BoardGame::new(Dobutsu::new().unwrap()));
    indices_agree_with_the_rules(&BoardGame::new(Gobblers));
    indices_agree_with_the_rules(&BoardGame::new(Dodgem::new(4).unwrap()));
}

#[test]
fn draughts() {
    Contract::new(Draughts::new(2).unwrap()).indexed().heuristic().tiers().run();
    Contract::new(Draughts::new(4).unwrap()).indexed().heuristic().tiered().limit(1_000).run();
    Contract::new(Draughts::new(24).unwrap()).heuristic().limit(1_000).run();
}

#[test]
fn bagh_chal() {
    Contract::new(Tigers::new().unwrap()).indexed().heuristic().tiered().limit(1_000).run();
}

#[test]
fn dao_and_neutreeko() {
    game(Slides::dao(false)).limit(1_000).perft(&[12]).run();
    game(Slides::dao(true)).limit(1_000).run();
    game(Slides::neutreeko()).limit(1_000).perft(&[14]).run();
}
