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

#[test]
fn bagh_chal_has_the_moves_of_its_rules_file() {
    let open = |name: &str| CATALOG.open(name, &Settings::default()).unwrap();
    let (mut ends, mut longest) = (0, 0);
    for seed in 0..60 {
        let mut sessions = [open("bagh-chal"), open("rules:bagh-chal")];
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
    assert!(ends > 20 && longest > 60, "{ends} ends, at most {longest} plies");
}
