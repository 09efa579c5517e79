//! Work resumed from any of its checkpoints ends with the same bytes.

use grundy::games::connect4::Connect4;
use grundy::games::dots::{Dots, Setup};
use grundy::games::mnk::Mnk;
use grundy::search::openings::OpeningBook;
use grundy::session::quiet_work;
use grundy::table::EveryCheckpoint;
use grundy::tables::{layers, retrograde};
use grundy_contract::{resumes_from_each, resumes_from_every};

#[test]
fn opening_books_go_on_from_every_checkpoint() {
    let game = Connect4::new(5, 4).unwrap();
    let book = OpeningBook::new(&game, 5);
    assert!(resumes_from_each(|work, checkpoints| book.solve(work, checkpoints)) >= 5);
}

#[test]
fn layers_go_on_from_every_checkpoint() {
    let game = Mnk::new(4, 3, 3, false).unwrap();
    assert!(resumes_from_each(|work, checkpoints| layers::solve_resumable(&game, work, checkpoints)) >= 10);
}

#[test]
fn retrograde_goes_on_from_every_checkpoint() {
    let game = Mnk::new(3, 3, 3, true).unwrap();
    assert!(
        resumes_from_each(|work, checkpoints| retrograde::solve_resumable(&game, work, checkpoints)) >= 5
    );
}

#[test]
fn forward_sweeps_go_on_from_checkpoints_inside_a_distance_too() {
    let small = Mnk::new(3, 3, 3, true).unwrap();
    let distances = resumes_from_each(|work, checkpoints| {
        retrograde::solve_forwards_resumable(&small, work, checkpoints)
    });
    let game = Mnk::new(4, 3, 3, false).unwrap();
    let more = resumes_from_every(7, |work, checkpoints| {
        retrograde::solve_forwards_resumable(&game, work, checkpoints)
    });
    assert!(distances >= 5 && more > 12, "{distances}, {more}");
}

#[test]
fn retrograde_goes_on_from_checkpoints_inside_a_distance() {
    let game = Mnk::new(4, 3, 3, true).unwrap();
    let plain = retrograde::solve(&game, &quiet_work()).unwrap();
    let plies = (0..plain.count()).filter_map(|n| plain.get(n)?.plies()).max().unwrap() as usize;
    let kept =
        resumes_from_every(5, |work, checkpoints| retrograde::solve_resumable(&game, work, checkpoints));
    assert!(kept > plies + 1, "{kept} checkpoints, {plies} plies");
}

#[test]
fn bit_moves_go_on_from_every_checkpoint() {
    let game = Dots::<u32>::new(Setup::empty(2, 4)).unwrap();
    let checkpoints =
        resumes_from_every(3, |work, checkpoints| layers::solve_resumable(&game, work, checkpoints));
    assert!(checkpoints >= 6, "{checkpoints}");
}

#[test]
fn a_checkpoint_of_another_size_is_not_gone_on_from() {
    let small = Mnk::new(3, 3, 3, false).unwrap();
    let large = Mnk::new(4, 3, 3, false).unwrap();
    let mut every = EveryCheckpoint::default();
    layers::solve_resumable(&small, &quiet_work(), &mut every).unwrap();
    let expected = layers::solve(&large, &quiet_work()).unwrap();
    for kept in every.kept {
        let mut from = EveryCheckpoint { from: Some(kept), kept: Vec::new() };
        assert!(layers::solve_resumable(&large, &quiet_work(), &mut from).unwrap() == expected);
    }
}
