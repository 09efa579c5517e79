//! Games side by side in misere play: by all positions, by the misere quotient, and by plain recursion.

use grundy_core::game::{Game, legal_moves};
use grundy_core::value::Wdl;
use grundy_heaps::heaps::{Heaps, Rule};
use grundy_heaps::nim::Nim;
use grundy_heaps::sum::{Member, Position, SideBySide};
use grundy_heaps::wythoff::Wythoff;
use grundy_session::quiet_work;
use grundy_sums::memo::ByMemo;
use grundy_sums::misere::ByQuotient;

use super::{heap_game, prepared};

fn nim(heaps: &[u64]) -> Member {
    heap_game(Nim::new(heaps.to_vec(), None, false)).into()
}

fn octal(rule: &str, heaps: &[u64]) -> Member {
    heap_game(Heaps::new(Rule::read(rule).unwrap(), heaps.to_vec(), false)).into()
}

fn misere(members: Vec<Member>) -> SideBySide {
    SideBySide::new(members).unwrap().misere().unwrap()
}

/// Returns the winner by plain recursion: the player who cannot move wins.
fn wins(game: &SideBySide, position: &Position) -> bool {
    let moves = legal_moves(game, position);
    moves.is_empty() || moves.into_iter().any(|m| !wins(game, &game.play(position, m)))
}

#[test]
fn small_sums_agree_with_looking_at_everything() {
    let sums = [
        vec![nim(&[1, 2]), octal("kayles", &[4])],
        vec![nim(&[2]), octal("kayles", &[3]), octal("0.07", &[5])],
        vec![octal("grundys-game", &[6]), octal("laskers-nim", &[3])],
        vec![nim(&[1]), nim(&[1])],
        vec![nim(&[1, 1]), heap_game(Wythoff::new(&[1, 2], false)).into()],
    ];
    for members in sums {
        let game = misere(members);
        let oracle = ByQuotient::default();
        let won = prepared(&oracle, &game, &game.start()).map(|value| value.wdl());
        assert_eq!(won, Some(if wins(&game, &game.start()) { Wdl::Win } else { Wdl::Loss }), "{game:?}");
    }
}

/// A heap of one or two counters is a row of one or two pins.
#[test]
fn parts_of_different_games_share_a_quotient() {
    let (oracle, expected) = (ByQuotient::default(), ByQuotient::default());
    for row in 1..=40 {
        let game = misere(vec![nim(&[1, 2]), octal("kayles", &[row, row / 2, 40])]);
        let same = heap_game(Heaps::new(Rule::read("kayles").unwrap(), vec![1, 2, row, row / 2, 40], true));
        let known = oracle.by_quotient(&game, &game.start(), &quiet_work()).map(|v| v.wdl());
        assert!(known.is_some(), "{row}");
        let same = expected.by_quotient(&same, &same.start(), &quiet_work());
        assert_eq!(known, same.map(|v| v.wdl()), "{row}");
    }
}

#[test]
fn the_quotient_and_all_positions_agree() {
    let quotient = ByQuotient::default();
    let mut served = 0;
    for (row, heap) in (1..=7).flat_map(|row| (1..=3).map(move |heap| (row, heap))) {
        let game = misere(vec![nim(&[heap]), octal("kayles", &[row, 5]), octal("0.07", &[row])]);
        let memo = ByMemo::default();
        let by_memo = prepared(&memo, &game, &game.start()).map(|v| v.wdl());
        assert!(by_memo.is_some());
        let by_quotient = quotient.by_quotient(&game, &game.start(), &quiet_work()).map(|v| v.wdl());
        served += usize::from(by_quotient.is_some());
        assert!(by_quotient.is_none() || by_quotient == by_memo, "{row} {heap}");
    }
    assert!(served >= 12, "{served} were answered");
}

#[test]
fn members_in_misere_play_are_refused() {
    let flagged = heap_game(Nim::new(vec![1], None, true)).into();
    let refusal = SideBySide::new(vec![flagged]).unwrap_err();
    assert!(refusal.contains("+misere") && !refusal.contains('\n'), "{refusal}");
}
