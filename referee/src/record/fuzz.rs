//! Records damaged and forged at random: no damage is accepted, and nothing in a record makes a reader panic.

use std::path::PathBuf;

use grundy_core::random::SplitMix64;
use grundy_session::REPETITIONS;
use serde_json::Value;

use super::chain::Chain;
use super::file::Record;
use super::{FORMAT, Game, Header, Line, Move, read, resume};
use crate::export::{self, Format, Tags};
use crate::game::unplayed;
use crate::games;
use crate::settings::MatchSettings;
use crate::tests::CATALOG;
use crate::verdict::{Ending, Fault, Outcome};
use crate::{report, schedule, summary};

/// A record in a folder of its own, removed at the end.
struct Sample {
    folder: PathBuf,
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Drop for Sample {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn settings() -> MatchSettings {
    MatchSettings {
        game: vec!["tictactoe".to_string(), "nim:5,5,5".to_string(), "lgame".to_string()],
        engine: vec!["name=a x".to_string(), "name=b y".to_string()],
        openings: Some("random:1".to_string()),
        seed: Some(7),
        max_plies: Some(12),
        ..MatchSettings::default()
    }
}

/// One game of random moves; the fourth ends by a fault.
fn random_game(fixture: &schedule::Fixture, random: &mut SplitMix64) -> Game {
    let mut rules = games::rules(&CATALOG, &fixture.game).unwrap();
    fixture.opening.set_up(&mut rules).unwrap();
    let mut moves = Vec::new();
    let (result, ending) = loop {
        let by = rules.turn();
        if let Some(result) = rules.result() {
            break (result.into(), Ending::Rules);
        }
        if rules.repetitions() >= REPETITIONS {
            break (Outcome::Draw, Ending::Repetition);
        }
        if moves.len() == 12 {
            break (Outcome::Draw, Ending::MaxPlies);
        }
        if fixture.id == 4 && moves.len() == 1 {
            let fault = Fault::IllegalMove("=x\u{1b}".to_string());
            break (Outcome::lost_by(rules.turn()), Ending::Fault { side: by, fault });
        }
        let words = rules.legal_moves(1000);
        let word = rules.play(&words[random.below(words.len())]).unwrap().word;
        moves.push(Move::new(by, word, 12));
    };
    let players = fixture.engines.map(|i| ["a", "b"][i].to_string());
    Game { moves, ..unplayed(fixture, players, result, ending) }
}

fn sample(name: &str) -> Sample {
    let folder = std::env::temp_dir().join(format!("grundy-records-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("record.jsonl");
    let settings = settings();
    let fixtures = schedule::plan(&CATALOG, &settings, 2).unwrap();
    let header = Header {
        format: FORMAT,
        version: "0.1.0".to_string(),
        began: 0,
        names: vec!["a".to_string(), "b".to_string()],
        games: fixtures.len(),
        settings,
        digests: Default::default(),
    };
    let mut record = Record::create(&path, &header).unwrap();
    let mut random = SplitMix64(1);
    for index in 0..fixtures.len() {
        record
            .append(&Line::Game(Box::new(random_game(&fixtures.get(index).unwrap(), &mut random))))
            .unwrap();
    }
    drop(record);
    let bytes = std::fs::read(&path).unwrap();
    Sample { folder, path, bytes }
}

#[test]
fn every_flipped_byte_is_refused_with_its_line() {
    let sample = sample("flips");
    let read_it = || read(&CATALOG, &sample.path, false);
    assert_eq!(read_it().unwrap().games.len(), 6);
    let mut random = SplitMix64(3);
    for at in 0..sample.bytes.len() {
        let mut bytes = sample.bytes.clone();
        bytes[at] ^= 1 << random.below(8);
        std::fs::write(&sample.path, &bytes).unwrap();
        let why = read_it().err().unwrap_or_else(|| panic!("byte {at} may be {:#x}", bytes[at]));
        let line = 1 + sample.bytes[..at].iter().filter(|&&b| b == b'\n').count();
        let named = [line, line + 1].iter().any(|n| why.contains(&format!("line {n} is damaged")));
        assert!(named, "byte {at}, line {line}: {why}");
    }
}

#[test]
fn a_record_cut_anywhere_is_the_games_before_the_cut() {
    let sample = sample("cuts");
    let header = sample.bytes.iter().position(|&b| b == b'\n').unwrap() + 1;
    for length in 0..sample.bytes.len() {
        std::fs::write(&sample.path, &sample.bytes[..length]).unwrap();
        let whole = sample.bytes[..length].iter().filter(|&&b| b == b'\n').count();
        match read(&CATALOG, &sample.path, false) {
            Ok(contents) => assert_eq!(contents.games.len() + 1, whole),
            Err(why) => assert!(length < header && why.contains("no record"), "{length}: {why}"),
        }
    }
}

#[test]
fn repair_cuts_off_from_the_damage_on_and_resuming_goes_on_from_there() {
    let sample = sample("repair");
    let mut bytes = sample.bytes.clone();
    let third = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2).unwrap().0;
    bytes[third + 30] ^= 1;
    std::fs::write(&sample.path, &bytes).unwrap();
    assert!(resume(&CATALOG, &sample.path, false).is_err());
    assert_eq!(std::fs::read(&sample.path).unwrap(), bytes, "nothing is cut unasked");
    let (mut record, contents) = resume(&CATALOG, &sample.path, true).unwrap();
    assert_eq!(contents.games.len(), 2);
    let fixtures = schedule::plan(&CATALOG, &contents.header.settings, 2).unwrap();
    record.append(&Line::Game(Box::new(random_game(&fixtures.get(2).unwrap(), &mut SplitMix64(9))))).unwrap();
    drop(record);
    assert_eq!(read(&CATALOG, &sample.path, false).unwrap().games.len(), 3);
}

#[test]
fn whoever_writes_into_a_record_is_noticed() {
    for how in 0..4 {
        let sample = sample("intruder");
        let (mut record, contents) = resume(&CATALOG, &sample.path, false).unwrap();
        record.untouched().unwrap();
        let mut bytes = sample.bytes.clone();
        match how {
            0 => bytes.extend(b"{}\n"),
            1 => bytes.truncate(100),
            // A moment later, as clocks of file systems tick.
            2 => {
                std::thread::sleep(std::time::Duration::from_millis(20));
                *bytes.last_mut().unwrap() = b' ';
            }
            _ => std::fs::remove_file(&sample.path).unwrap(),
        }
        if how < 3 {
            std::fs::write(&sample.path, &bytes).unwrap();
        }
        let why = record.untouched().unwrap_err();
        assert!(why.contains("another program") || why.contains("removed"), "{how}: {why}");
        assert_eq!(
            record.append(&Line::Game(Box::new(contents.games[0].clone()))),
            Err(why),
            "nothing is added"
        );
    }
}

/// The lines of a record, their checksums left out.
fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &mut lines {
        line.as_object_mut().unwrap().remove("sum");
    }
    lines
}

/// Writes lines with right checksums, as a forger would.
fn forge(sample: &Sample, lines: &[Value]) {
    let mut chain = Chain::default();
    let text: String = lines.iter().map(|line| chain.seal(&line.to_string()) + "\n").collect();
    std::fs::write(&sample.path, text).unwrap();
}

#[test]
fn a_record_of_an_earlier_version_may_have_settings_that_are_refused_now() {
    let sample = sample("earlier");
    let mut earlier = lines(&sample.bytes);
    let engines = ["name=a foo=bar restart=yep x", "name=b env.=1 option.=2 y"];
    earlier[0]["settings"]["engine"] = engines.as_slice().into();
    forge(&sample, &earlier);
    let contents = read(&CATALOG, &sample.path, false).unwrap();
    assert!(contents.games.len() == 6 && contents.header.settings.specs().is_err());
    assert!(export::export(&CATALOG, &contents, Format::Pgn, &Tags::default()).is_ok());
    assert_eq!(resume(&CATALOG, &sample.path, false).unwrap().1.games.len(), 6);
}

#[test]
fn a_forged_record_is_refused_by_the_rules_and_the_plan() {
    let sample = sample("forged");
    let honest = lines(&sample.bytes);
    forge(&sample, &honest);
    assert_eq!(read(&CATALOG, &sample.path, false).unwrap().games.len(), 6);
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for (line, pointer, to, why) in [
        (0, "/games", "5", "line 1 is damaged: its settings make 6 games, not 5"),
        (0, "/games", "1000000000000", "not 1000000000000"),
        (0, "/settings/games", "1000000000000", "too many games"),
        (0, "/settings/rounds", "1000000000000", "too many games"),
        (0, "/settings/seed", "8", "opening is not that of the plan"),
        (0, "/settings/game/0", "\"nim:1\"", "is damaged"),
        (0, "/settings/engine", "[\"name=c x\",\"name=b y\"]", "its settings name the engines"),
        (0, "/names", "[\"b\",\"a\"]", "its settings name the engines"),
        (0, "/format", "0", "its checksum is missing"),
        (0, "/format", "3", "a record of format 3, expected 2"),
        (1, "/engines", "[7,8]", "its engines are 7 and 8"),
        (1, "/engines", "[1,0]", "have other names"),
        (1, "/players", "[\"b\",\"a\"]", "have other names"),
        (1, "/id", "0", "the run has the games 1 to 6"),
        (1, "/id", "7", "the run has the games 1 to 6"),
        (1, "/id", "2", "game 2 is recorded twice"),
        (1, "/pair", "2", "its pair is not that of the plan"),
        (1, "/game", "\"nim:2,3\"", "its game is not that of the plan"),
        (1, "/result", "\"*\"", "result"),
        (1, "/opening", "[]", "its opening is not that of the plan"),
        (1, "/moves/0/by", "0", "there is no player 0"),
        (1, "/moves/0/by", "1", "move 1: it is said to be player 1's"),
        (1, "/moves/0/word", "\"zz\"", "move 1"),
        (1, "/moves/0/score", "-9223372036854775808", "move 1: its score is beyond that of a mate"),
        (1, "/moves/0/before", "\"much\"", "\"much\" is no value"),
        (1, "/moves", "[]", "by the rules it is not over"),
        (1, "/ending", "{\"end\":\"adjudication\"}", "the scores do not lead to it"),
        (1, "/reason", "\"\\u001b[2J\"", "are not the words"),
        (4, "/ending/side", "0", "there is no player 0"),
        (4, "/moves", "[]", ""),
    ] {
        let mut forged = honest.clone();
        match forged[line].pointer_mut(pointer) {
            Some(place) => *place = json(to),
            None => {
                let (at, key) = pointer.rsplit_once('/').unwrap();
                forged[line].pointer_mut(at).unwrap()[key] = json(to);
            }
        }
        forge(&sample, &forged);
        match read(&CATALOG, &sample.path, false) {
            // A fault before the first move says nothing that the rules could refute.
            Ok(_) => assert_eq!(why, "", "{pointer} as {to} is taken for true"),
            Err(said) => assert!(said.contains(why), "{pointer} as {to}: {said}"),
        }
    }
    let mut twice = honest.clone();
    twice.push(honest[1].clone());
    forge(&sample, &twice);
    assert!(read(&CATALOG, &sample.path, false).err().unwrap().contains("is recorded twice"));
}

/// Changes one thing of a line, at a random place.
fn mutate(value: &mut Value, random: &mut SplitMix64) {
    let odd = [
        "null",
        "0",
        "1",
        "-1",
        "2",
        "7",
        "255",
        "18446744073709551615",
        "1e308",
        "\"\"",
        "\"x\"",
        "\"1-0\"",
        "\"0-1\"",
        "[]",
        "{}",
        "true",
        "[0,1]",
        "\"\\u001b\\u202e=1\"",
        "\"win:3\"",
        "\"rules\"",
    ];
    let inside = match value {
        Value::Object(map) if !map.is_empty() && random.below(8) > 0 => {
            let key = map.keys().nth(random.below(map.len())).unwrap().clone();
            if random.below(12) == 0 {
                map.remove(&key);
                return;
            }
            map.get_mut(&key)
        }
        Value::Array(list) if !list.is_empty() && random.below(4) > 0 => {
            let at = random.below(list.len());
            match random.below(12) {
                0 => list.remove(at),
                1 => {
                    let again = list[at].clone();
                    list.push(again);
                    return;
                }
                _ => return mutate(&mut list[at], random),
            };
            return;
        }
        _ => None,
    };
    match inside {
        Some(inside) => mutate(inside, random),
        None => *value = serde_json::from_str(odd[random.below(odd.len())]).unwrap(),
    }
}

fn fuzz(name: &str, rounds: usize, seed: u64) {
    let sample = sample(name);
    let honest = lines(&sample.bytes);
    let mut random = SplitMix64(seed);
    let mut accepted = 0;
    for _ in 0..rounds {
        let mut forged = honest.clone();
        for _ in 0..1 + random.below(2) {
            let line = random.below(forged.len());
            mutate(&mut forged[line], &mut random);
        }
        forge(&sample, &forged);
        let Ok(contents) = read(&CATALOG, &sample.path, false) else { continue };
        accepted += 1;
        for format in [Format::Pgn, Format::Csv, Format::Junit] {
            export::export(&CATALOG, &contents, format, &Tags::default()).unwrap();
        }
        report::page(&CATALOG, &contents).unwrap();
        let header = &contents.header;
        summary::report(&CATALOG, &header.settings, &header.names, &contents.games, &contents.departures);
        // What the rules can know is as it was: who played what, and who won.
        for (game, line) in contents.games.iter().zip(contents.games.iter().map(|g| &honest[g.id])) {
            assert_eq!(serde_json::to_value(game.result).unwrap(), line["result"], "{forged:?}");
        }
    }
    assert!(accepted * 2 < rounds, "{accepted} of {rounds} forgeries were accepted");
}

#[test]
fn forged_lines_never_make_a_reader_panic() {
    fuzz("forgeries", 300, 11);
}

#[test]
#[ignore = "minutes: five hundred times as many forgeries"]
fn many_forged_lines_never_make_a_reader_panic() {
    fuzz("many-forgeries", 150_000, 12);
}
