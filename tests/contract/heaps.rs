//! Impartial games and other games of heaps.

use grundy::games::nim::Nim;
use grundy::solve::formula::ByFormula;
use grundy::solve::sum::BySum;

use crate::suite::Contract;

#[test]
fn nim() {
    let nim =
        |heaps: &[u64], max, misere| Contract::new(Nim::new(heaps.to_vec(), max, misere).unwrap()).formula();
    nim(&[3, 5, 7], None, false).sum().oracle("sum", BySum::default).run();
    nim(&[4, 0, 2], Some(3), false).sum().oracle("formula", || ByFormula).run();
    nim(&[3, 4, 5], None, true).run();
    nim(&[6, 5, 2], Some(2), true).run();
    nim(&[40; 10], None, false).limit(1_000).run();
}
