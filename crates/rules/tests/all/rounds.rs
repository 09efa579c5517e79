//! Games for points whose positions may come again: thresholds in classes of discovered positions.

use grundy_contract::Contract;
use grundy_core::game::Scored;
use grundy_core::random::SplitMix64;
use grundy_core::table::{Folder, Meaning, NoCheckpoints, Table};
use grundy_rules::game::Rules;
use grundy_session::{Assurance, Home, NEVER, Work};
use grundy_tables::Oracle;
use grundy_tables::discovered::{Discovered, Horizon, find, solve};

/// Returns a game in which two men step about; each coin that one steps on is a point for him, and the end comes when
/// no coin is left.
fn coins(rows: &[&str]) -> Rules {
    let row = |row: &&str| {
        let cells: Vec<String> =
            row.chars().map(|c| if c == ' ' { String::new() } else { c.to_string() }).collect();
        format!("[{}]", cells.join(","))
    };
    let board: Vec<String> = rows.iter().map(row).collect();
    let text = format!(
        "//@ letters e=. x=X o=O c=$ \n//@ value score\n#players = first(9), second(9)\n#pieces = e, x, o, c\n\
         #variables =\n#board = rectangle(up,down,left,right, {})\n#step = (up + down + left + right)\n\
         #turn(me; p) = ->me {{$ c > 0}} step* {{p}} [e] step ({{e}} [p] + {{c}} [p] [$ me = me + 1])\n\
         #rules = (turn(first; x) turn(second; o))*\n",
        board.join(" ")
    );
    Rules::new(&text).unwrap_or_else(|fault| panic!("{}", fault.show(&text)))
}

fn work() -> Work<'static> {
    Work { stop: &NEVER, until: None, threads: 1, memory_limit: None, report: &|_| {} }
}

fn table(rules: &Rules) -> Table {
    let found = find(rules, &Horizon::default(), &work()).unwrap().unwrap();
    solve(rules, &found, &work(), &mut NoCheckpoints).unwrap()
}

/// Returns a board with both men, at least one coin, and holes.
fn random_game(random: &mut SplitMix64) -> Rules {
    let (columns, rows) = (3 + random.below(2), 2 + random.below(2));
    let mut cells: Vec<char> =
        (0..columns * rows).map(|_| ['e', 'e', 'e', 'c', 'c', ' '][random.below(6)]).collect();
    let at = random.below(cells.len());
    let other = (at + 1 + random.below(cells.len() - 1)) % cells.len();
    (cells[at], cells[other]) = ('x', 'o');
    let rows: Vec<String> = cells.chunks(columns).map(|row| row.iter().collect()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    coins(&rows)
}

/// The contract compares every value with a brute force that sweeps over the positions until nothing changes.
#[test]
fn points_with_cycles_have_the_values_of_sweeps() {
    let mut random = SplitMix64(5);
    let mut ranked = 0;
    for _ in 0..30 {
        let rules = random_game(&mut random);
        ranked += u32::from(table(&rules).coding().meaning == Meaning::Ranked);
        Contract::new(rules).limit(20_000).oracle("discovered", Discovered::new).run();
    }
    assert!(ranked > 10, "{ranked}");
    Contract::new(coins(&["xec", "ece", "ceo"])).limit(30_000).oracle("discovered", Discovered::new).run();
}

/// Random changes of cells, ranks too: what is proved is true.
#[test]
fn forged_points_are_refused_or_true() {
    let mut random = SplitMix64(9);
    let home = Home {
        folder: Folder::find(Some(&std::env::temp_dir().join("no such folder"))),
        name: "coins".into(),
    };
    let mut refused = 0;
    for rows in [["xec", "ceo"], ["xce", "eoc"]] {
        let rules = coins(&rows);
        let truth = table(&rules);
        assert_eq!(truth.coding().meaning, Meaning::Ranked);
        let oracle = Discovered::new();
        let door = oracle.tabled(&rules, &home, None).unwrap();
        assert_eq!(door.verify(&truth, &work()).unwrap(), Assurance::Proved);
        let values = |table: &Table| (0..table.count()).map(|n| table.get(n)).collect::<Vec<_>>();
        for _ in 0..300 {
            let mut cells = truth.cells().unwrap().to_vec();
            for _ in 0..1 + random.below(4) {
                let at = random.below(cells.len());
                cells[at] =
                    if at.is_multiple_of(2) { 125 + random.below(7) as u8 } else { random.below(6) as u8 };
            }
            let forged = Table::from_cells(truth.coding(), truth.count(), cells).unwrap();
            match door.verify(&forged, &work()) {
                Ok(_) => assert_eq!(values(&forged), values(&truth)),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(coins(&["xc", "eo"]).unit(), grundy_core::value::Unit::Points);
}
