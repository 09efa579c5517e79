//! Forged tables of real games, every checksum right: whatever is proved is true, by brute force over the rules.

use std::collections::HashMap;

use grundy::session::{Belief, Session, Settings, Tabled, quiet_work};
use grundy::table::{Coding, Folder, Meaning, Scratch, Table, Width};
use grundy::value::Value;

use crate::tools::Dice;

/// Small games of all methods that fill tables, with cycles (the first three) and without.
const GAMES: [&str; 8] = [
    "graph",
    "police:C../.*./..T/E..",
    "teeko:3x3",
    "mnk:2,2,2",
    "dots:1x2",
    "chomp:3x3",
    "stones:..X.X:table",
    "euler:2x2",
];

/// The values of these positions by sweeps over all that can arise from them, until nothing changes.
fn by_sweeps(session: &mut Session, roots: &[String]) -> HashMap<String, Value> {
    let mut moves = HashMap::new();
    let mut open = roots.to_vec();
    let mut values: HashMap<String, Value> = HashMap::new();
    while let Some(position) = open.pop() {
        if moves.contains_key(&position) {
            continue;
        }
        session.setup(Some(&position)).unwrap();
        let next = session.successors(usize::MAX);
        open.extend(next.iter().map(|next| next.position.clone()));
        values.insert(position.clone(), session.over().unwrap_or(Value::DRAW));
        moves.insert(position, next);
    }
    for _ in 0..=moves.len() {
        let seen = |position: &String| {
            let next = moves[position].iter();
            next.map(|next| values[&next.position].back(next.step)).max().unwrap_or(values[position])
        };
        let swept: HashMap<String, Value> =
            values.keys().map(|position| (position.clone(), seen(position))).collect();
        if swept == values {
            break;
        }
        values = swept;
    }
    values
}

/// Changes some cells as a forger would; the kind and width of the cells too.
fn forge(cells: &mut Vec<u8>, coding: &mut Coding, dice: &mut Dice) {
    if dice.roll(4) == 0 {
        let width = [Width::Two, Width::Four][dice.roll(2)];
        let size = if width == Width::Two { 2 } else { 4 };
        *cells =
            cells.iter().flat_map(|&code| (0..size).map(move |i| if i == 0 { code } else { 0 })).collect();
        coding.width = width;
    }
    if dice.roll(16) == 0 {
        coding.meaning = [Meaning::Distance, Meaning::Points][dice.roll(2)];
    }
    for _ in 0..dice.roll(4) {
        let at = dice.roll(cells.len());
        cells[at] = match dice.roll(5) {
            0 => dice.roll(5) as u8,
            1 => cells[at] ^ 1,
            2 => cells[at].wrapping_add(2),
            3 => 255 - dice.roll(2) as u8,
            _ => cells[dice.roll(cells.len())],
        };
    }
}

/// So many forgeries of each game; how many were proved of all.
fn forge_many(count: usize) -> usize {
    let mut proved = 0;
    for name in GAMES {
        let mut session = grundy::catalog::open(name, &Settings::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (honest, truth) = {
            let door: Box<dyn Tabled + '_> = session.tabled(None).unwrap();
            let scratch =
                Scratch::new(Folder::find(Some(folder.path())), std::time::Duration::from_secs(999));
            let honest = door.solve(&quiet_work(), &scratch).unwrap();
            assert_eq!(door.verify(&honest, &quiet_work()).unwrap(), Belief::Proved, "{name}");
            let texts = (0..door.count()).map(|n| door.position(n).map(|(_, text)| text));
            (honest, texts.collect::<Vec<Option<String>>>())
        };
        // Some numbers stand for what cannot arise; nobody can set that up.
        let roots: Vec<String> = truth.iter().flatten().cloned().collect();
        let roots: Vec<String> = roots.into_iter().filter(|text| session.setup(Some(text)).is_ok()).collect();
        let values = by_sweeps(&mut session, &roots);
        let truth: Vec<Option<Value>> =
            truth.iter().map(|text| values.get(text.as_ref()?).copied()).collect();
        assert!(truth.iter().flatten().count() > 3, "{name}");
        let door = session.tabled(None).unwrap();
        let mut dice = Dice(17);
        for _ in 0..count {
            let (mut cells, mut coding) = (honest.cells().unwrap().to_vec(), honest.coding());
            forge(&mut cells, &mut coding, &mut dice);
            let Some(table) = Table::from_cells(coding, honest.count(), cells) else { continue };
            match door.verify(&table, &quiet_work()) {
                Ok(Belief::Proved) => {
                    proved += 1;
                    for (number, value) in (0..).zip(&truth).filter(|(_, value)| value.is_some()) {
                        assert_eq!(table.get(number), *value, "{name}: {number} was proved");
                    }
                }
                Ok(other) => assert_ne!(other, Belief::Read),
                Err(_) => {}
            }
        }
    }
    proved
}

#[test]
fn of_forged_tables_of_eight_games_only_true_ones_are_proved() {
    assert!(forge_many(500) > 100, "some forgeries change nothing");
}

#[test]
#[ignore = "minutes: 104,000 forged tables of eight games"]
fn of_104_000_forged_tables_only_true_ones_are_proved() {
    forge_many(13_000);
}
