//! Strategies in processes of their own, good ones and bad ones.

use std::time::Duration;

use grundy_information::fraction::ratio;
use grundy_information::repeated::plugin::Fault;
use grundy_information::repeated::tournament::{Player, TournamentSettings, run};
use grundy_information::repeated::{Length, Payoffs, Strategy, expected};

const TIT_FOR_TAT: &str = "while read -r word deed; do case $word in new) last=C;; play) echo $last;; \
    saw) last=$deed;; quit) exit;; esac; done";

fn program(name: &str, script: &str) -> Player {
    Player::Program(name.to_string(), ["sh", "-c", script].map(String::from).to_vec())
}

fn known(name: &str) -> Player {
    Player::Known(Strategy::read(name).expect("it is known"))
}

fn settings() -> TournamentSettings {
    TournamentSettings { rounds: 20, timeout: Duration::from_secs(20), ..TournamentSettings::default() }
}

#[test]
fn a_program_scores_what_the_same_strategy_is_expected_to() {
    let names = ["suspicious-tit-for-tat", "pavlov", "grim", "always-defect"];
    let players: Vec<Player> =
        std::iter::once(program("mine", TIT_FOR_TAT)).chain(names.map(known)).collect();
    let table = run(&players, &settings());
    assert_eq!(table.faults, []);
    let same = Strategy::read("tit-for-tat").expect("it is known");
    for (at, name) in names.iter().enumerate() {
        let other = Strategy::read(name).expect("it is known");
        let wanted = expected(&same, &other, &Payoffs::default(), &Length::Rounds(20), &ratio(0, 1));
        assert_eq!([&table.scores[0][at + 1], &table.scores[at + 1][0]], [&wanted[0], &wanted[1]], "{name}");
        assert!(table.played[0][at + 1] && !table.played[1][2]);
    }
}

#[test]
fn programs_that_break_the_protocol_are_named_and_lose_the_rest() {
    let bad = [
        ("garbage", "while read -r word; do case $word in play) echo maybe;; esac; done"),
        ("ends", "read -r line; exit 3"),
        ("flood", "yes CCCCCCCC"),
    ];
    for (name, script) in bad {
        let table = run(&[program(name, script), known("always-cooperate")], &settings());
        let faults: Vec<_> = table.faults.iter().filter(|fault| fault.1 == 1).collect();
        assert_eq!(faults.len(), 1, "{name}");
        assert_eq!(faults[0].2, 1, "{name}");
        assert_eq!([&table.scores[0][1], &table.scores[1][0]], [&ratio(0, 1), &ratio(5, 1)], "{name}");
    }
    let silent = TournamentSettings { timeout: Duration::from_millis(100), ..settings() };
    let table = run(&[program("sleeps", "sleep 1000"), known("grim")], &silent);
    assert!(table.faults.iter().all(|fault| matches!(fault.3, Fault::Silent(_))));
    assert_eq!(table.faults.len(), 2);
    let missing = Player::Program("none".to_string(), vec!["/no/such/program".to_string()]);
    assert_eq!(run(&[missing, known("grim")], &settings()).faults.len(), 2);
}
