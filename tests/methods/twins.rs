//! Games that are described twice, by a family in Rust and by a rules file: the same moves and ends in random games.

use grundy::catalog::CATALOG;
use grundy_core::random::SplitMix64;
use grundy_session::{Session, Settings};

/// Returns the legal moves of both, sorted, as the rules file writes them.
fn moves(sessions: &mut [Session; 2]) -> [Vec<String>; 2] {
    sessions.each_mut().map(|session| {
        let mut words = session.legal_moves(200);
        words.iter_mut().for_each(|word| *word = word.replace('x', "-"));
        words.sort();
        words
    })
}

/// Plays games at random under two names. Returns the number of games that ended, and the length of the longest in plies.
fn agree(names: [&str; 2], games: u64) -> (usize, usize) {
    let open = |name: &str| CATALOG.open(name, &Settings::default()).unwrap();
    let (mut ends, mut longest) = (0, 0);
    for seed in 0..games {
        let mut sessions = names.map(open);
        let mut random = SplitMix64(seed);
        for ply in 0..160 {
            assert_eq!(sessions[0].over().is_some(), sessions[1].over().is_some(), "game {seed}, ply {ply}");
            assert_eq!(sessions[0].turn(), sessions[1].turn());
            if let Some(value) = sessions[0].over() {
                assert_eq!(Some(value.wdl()), sessions[1].over().map(|value| value.wdl()), "game {seed}");
                ends += 1;
                break;
            }
            let [family, file] = moves(&mut sessions);
            assert_eq!(family, file, "game {seed}, ply {ply}");
            let word = &family[random.below(family.len())];
            let taking = word.replace('-', "x");
            sessions[0].play(word).or_else(|_| sessions[0].play(&taking)).unwrap();
            sessions[1].play(word).unwrap();
            longest = longest.max(ply);
        }
    }
    (ends, longest)
}

#[test]
fn bagh_chal_has_the_moves_of_its_rules_file() {
    let (ends, longest) = agree(["bagh-chal", "rules:bagh-chal"], 60);
    assert!(ends > 20 && longest > 60, "{ends} ends, at most {longest} plies");
}

#[test]
fn notakto_on_one_board_has_the_moves_of_its_rules_file() {
    let (ends, longest) = agree(["notakto:1", "rules:notakto"], 200);
    assert!(ends == 200 && longest >= 5, "{ends} ends, at most {longest} plies");
}
