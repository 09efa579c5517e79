//! The round trip of positions and their indices through a session.

use grundy_session::Session;

use grundy_core::random::SplitMix64;

/// Number of games that are played.
const GAMES: u64 = 3;

/// Checks that positions of random games, up to `plies` plies, have indices in the game's table, or in the indexing of
/// this name; that setting up an index gives a position of that index; and that play continues from there. Finished
/// positions may be missing from a table.
pub fn indices_round_trip(session: &mut Session, numbering: Option<&str>, plies: usize) {
    let mut random = SplitMix64(7);
    let name = session.name().to_owned();
    for _ in 0..GAMES {
        session.setup(None).unwrap();
        for _ in 0..=plies {
            let position = session.position();
            let number = match session.number(numbering) {
                Ok(number) => number,
                Err(_) if session.over().is_some() => break,
                Err(why) => panic!("{name} {position}: {why}"),
            };
            let mut other = session.at_start();
            other.setup_number(numbering, number).unwrap();
            let at = format!("{name} {position}, number {number}, {}", other.position());
            assert_eq!(other.number(numbering), Ok(number), "{at}");
            assert!(other.history().is_empty(), "{at}");
            assert_eq!(other.over().is_some(), session.over().is_some(), "{at}");
            if numbering.is_some() {
                assert_eq!(other.position(), position, "a plain numbering has one position a number");
            }
            let moves = session.legal_moves(usize::MAX);
            if moves.is_empty() {
                break;
            }
            let there = other.legal_moves(1).remove(0);
            other.play(&there).unwrap();
            let word = &moves[(random.bits() % moves.len() as u64) as usize];
            session.play(word).unwrap();
        }
    }
    session.setup(None).unwrap();
    let start = session.position();
    assert!(session.setup_number(numbering, u64::MAX).is_err(), "{name}: a number beyond the table");
    assert_eq!(session.position(), start, "a refused number changes nothing");
}
