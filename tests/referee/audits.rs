//! Exhaustive audits of our own engine and of bad ones, and certificates that must not be believed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grundy::session::Settings;
use rustix::process::Signal;
use xxhash_rust::xxh3::xxh3_128;

use crate::tools::{GRUNDY, bad_engine, folder, left_behind, referee, signal};

/// Audits our engine with a certificate, verifies that, and returns both outputs.
fn clean(arguments: &[&str]) -> (String, String) {
    let folder = folder();
    let file = folder.join("certificate");
    let mut all = vec!["audit", "--engine", GRUNDY, "--certificate", file.to_str().unwrap()];
    all.extend(arguments);
    let audit = referee(&all);
    assert_eq!(audit.code, Some(0), "{}", audit.said());
    assert_eq!(left_behind(audit.pid), Vec::<u32>::new());
    let check = referee(&["check", file.to_str().unwrap()]);
    assert_eq!(check.code, Some(0), "{}", check.said());
    std::fs::remove_dir_all(folder).unwrap();
    (audit.out, check.out)
}

#[test]
fn tic_tac_toe_is_proved_a_draw_by_two_strategies() {
    let (audit, check) = clean(&["--game", "tictactoe", "--twice"]);
    assert_eq!(audit.matches("value           never lost").count(), 2, "{audit}");
    assert_eq!(audit.matches("distance        always best").count(), 2, "{audit}");
    assert!(check.contains("player 1 gets at least this against any play: draw"), "{check}");
    assert!(check.contains("player 2 gets at least this against any play: draw"), "{check}");
    for said in [audit, check] {
        assert!(said.contains("value proved: draw for player 1, who is to move"), "{said}");
    }
}

#[test]
fn a_certificate_replaces_certificates_only() {
    let folder = folder();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let audit = |more: &[&str]| {
        referee(&[&["audit", "--game", "nim:1,2", "--engine", GRUNDY, "--certificate"][..], more].concat())
    };
    for name in ["plain", "packed.zst"] {
        for _ in 0..2 {
            let run = audit(&[&path(name)]);
            assert_eq!(run.code, Some(0), "{}", run.said());
        }
    }
    std::fs::write(path("empty"), "").unwrap();
    assert_eq!(audit(&[&path("empty")]).code, Some(0));
    let text = "{\"line\":\"header\"}\n";
    std::fs::write(path("record"), text).unwrap();
    let run = audit(&[&path("record")]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.said());
    assert!(run.err.contains("this is no certificate: expected another file to write"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(path("record")).unwrap(), text);
    let run = audit(&[&path("new"), "--log", &path("new")]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("this command uses it twice"), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_finished_position_is_not_audited() {
    let run = referee(&["audit", "--game", "tictactoe", "--engine", GRUNDY, "--position", "XXX/OO./... 2"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.said());
    assert!(run.err.contains("tictactoe: the game is over at the start: expected one"), "{}", run.err);
}

#[test]
fn a_solver_certifies_who_wins() {
    let folder = folder();
    let file = folder.join("certificate");
    let solve = |game: &str| {
        let arguments = ["solve", game, "--certificate", file.to_str().unwrap(), "--hash", "16"];
        std::process::Command::new(GRUNDY).args(arguments).output().unwrap()
    };
    for (game, value) in [
        ("connect4:4x5", "value proved: draw for player 1"),
        ("hex:3", "player 1 gets at least this against any play: win"),
        ("hexapawn:3x3", "player 2 gets at least this against any play: loss"),
    ] {
        let solved = solve(game);
        assert!(solved.status.success(), "{game}: {}", String::from_utf8_lossy(&solved.stderr));
        let check = referee(&["check", file.to_str().unwrap()]);
        assert_eq!(check.code, Some(0), "{game}: {}", check.said());
        assert!(check.out.contains(value), "{game}: {}", check.out);
    }
    let packed = folder.join("certificate.zst");
    let arguments = ["solve", "hex:3", "--certificate", packed.to_str().unwrap(), "--hash", "16"];
    assert!(std::process::Command::new(GRUNDY).args(arguments).output().unwrap().status.success());
    let whole = std::fs::read(&packed).unwrap();
    assert!(whole.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    let check = referee(&["check", packed.to_str().unwrap()]);
    assert!(check.code == Some(0) && check.out.contains("against any play: win"), "{}", check.said());
    std::fs::write(&packed, &whole[..whole.len() - 5]).unwrap();
    let check = referee(&["check", packed.to_str().unwrap()]);
    assert!(
        check.code == Some(1) && check.err.contains("certificate.zst: damaged zstd data"),
        "{}",
        check.said()
    );
    let refused = solve("dots:1x1");
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&refused.stderr)
            .contains("no certificate of dots:1x1: expected a game without")
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_game_that_no_table_knows_is_proved_by_both_sides() {
    let (audit, check) = clean(&["--game", "hexapawn:3x3"]);
    for said in [audit, check] {
        assert!(said.contains("value proved: loss"), "{said}");
    }
}

#[test]
fn certificates_of_rules_files_are_verified_by_the_second_interpreter_alone() {
    let folder = folder();
    let file = folder.join("certificate");
    let path = file.to_str().unwrap();
    let audit = referee(&["audit", "--game", "rules:hexapawn", "--engine", GRUNDY, "--certificate", path]);
    assert_eq!(audit.code, Some(0), "{}", audit.said());
    let check = referee(&["check", "--rules-witness", path]);
    assert_eq!(check.code, Some(0), "{}", check.said());
    assert!(check.out.contains("proved by the second interpreter alone"), "{}", check.out);
    assert!(check.out.contains("value proved: loss:6"), "{}", check.out);
    // A value that the moves do not make.
    let text = std::fs::read_to_string(&file).unwrap();
    let (section, _) = text.split_once("checksum ").unwrap();
    let forged = section.replacen("\tloss:6\t", "\tloss:4\t", 1);
    assert_ne!(section, forged);
    std::fs::write(&file, format!("{forged}checksum {:032x}\n", xxh3_128(forged.as_bytes()))).unwrap();
    assert_eq!(referee(&["check", "--rules-witness", path]).code, Some(1));
    std::fs::write(&file, certificate()).unwrap();
    let other = referee(&["check", "--rules-witness", path]);
    assert!(other.code == Some(2) && other.err.contains("is for games from rules files"), "{}", other.said());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_that_is_not_perfect_is_told_what_lies_between() {
    let bad = format!("name=bad {} worst tictactoe", bad_engine().display());
    let run = referee(&["audit", "--game", "tictactoe", "--engine", &bad]);
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.out.contains("both sides: value not proved: between loss:"), "{}", run.out);
}

#[test]
fn positions_without_end_are_refused_with_the_reason() {
    for side in ["--side=2", "--all"] {
        let run = referee(&["audit", "--game", "nim:1000000000", side, "--engine", GRUNDY]);
        assert_eq!(run.code, Some(2), "{}", run.said());
        assert!(run.err.contains("beyond 4096 MB: sample them"), "{}", run.err);
    }
    let folder = folder();
    let file = folder.join("short");
    let body = "grundy-certificate 1\ngame nim:1000000000\nkind table\nstart 1000000000 1\nvalue win:1\n\
                positions 1\n1000000000 1\twin:1\t*\n";
    std::fs::write(&file, format!("{body}checksum {:032x}\n", xxh3_128(body.as_bytes()))).unwrap();
    let run = referee(&["check", file.to_str().unwrap()]);
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.err.contains("which is not listed"), "{}", run.err);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_match_without_tables_is_proved_after_each_game_or_later() {
    let folder = folder();
    let weak = format!("name=weak {GRUNDY} option.Weaken=60");
    let arguments = |record: &Path, prove: &str| {
        let record = record.to_str().unwrap().to_string();
        let fixed = [
            "match",
            "--game",
            "hexapawn:3x3",
            "--games",
            "6",
            "--movetime",
            "50",
            "--time-margin",
            "60000",
            "--seed",
            "5",
        ];
        let mut all: Vec<String> = fixed.map(str::to_string).into();
        all.extend(["--engine", GRUNDY, "--engine", &weak, "--prove", prove, "--record"].map(str::to_string));
        all.push(record);
        all
    };
    let (now, later) = (folder.join("now.jsonl"), folder.join("later.jsonl"));
    let run = |record: &Path, prove: &str| {
        let all = arguments(record, prove);
        referee(&all.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (first, second) = (run(&now, "20000"), run(&later, "0"));
    assert_eq!(first.code, Some(1), "{}", first.said());
    assert!(first.out.contains("  slip: weak played ") && !first.out.contains("not proved"), "{}", first.out);
    assert_eq!(second.code, Some(0), "{}", second.said());
    assert!(!second.out.contains("proved") && !second.out.contains("slip: "), "{}", second.out);
    let record = later.to_str().unwrap();
    let proved = referee(&["prove", record, "--seconds", "60", "--threads", "2"]);
    assert_eq!(proved.code, Some(1), "{}", proved.said());
    assert!(proved.out.contains("slip: weak played "), "{}", proved.out);
    let again = referee(&["prove", record, "--seconds", "1"]);
    assert!(again.code == Some(1) && !again.out.contains("game 1 "), "{}", again.said());
    let report = folder.join("report.html");
    let run = referee(&["report", record, "-o", report.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(std::fs::read_to_string(&report).unwrap().contains("weak played"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_position_of_tic_tac_toe_is_as_the_rules_alone_say() {
    let (audit, _) = clean(&["--game", "tictactoe", "--all", "--concurrency", "2"]);
    // 5,478 positions, 958 of them ended.
    assert!(audit.contains("5478 visited, asked in 4520"), "{audit}");
    assert!(audit.contains("as the library says everywhere"), "{audit}");
}

#[test]
fn nim_is_proved_with_distances_that_its_formula_does_not_know() {
    let (audit, check) = clean(&["--game", "nim:3,4,5", "--game", "nim:3,4,5:misere", "--game", "nim:5,5,5"]);
    assert!(audit.contains("the exact value is win"), "{audit}");
    assert!(check.contains("nim:3,4,5:misere: proved by the rules alone"), "{check}");
}

#[test]
fn strategies_in_games_of_every_kind_are_proved_by_the_rules_alone() {
    let games = ["euler:3x3", "dots:1x2", "row:4,7,2,9", "stones:..X.X..X", "police:C../.*./..T/E.."];
    let mut all = Vec::new();
    for game in games {
        all.extend(["--game", game]);
    }
    let (audit, check) = clean(&all);
    assert_eq!(audit.matches("value           never lost").count(), 10, "{audit}");
    for game in games {
        assert_eq!(
            check.matches(&format!("{game}: proved by the rules alone")).count(),
            2,
            "{game}: {check}"
        );
    }
}

#[test]
#[ignore = "minutes: the larger games of the mission, every reply of the opponent"]
fn the_games_of_the_mission_are_proved_move_by_move() {
    for (game, visited, value) in [
        ("tictactoe", [153, 771], "draw"),
        ("nim:5,5,5", [37, 177], "win:11"),
        ("police", [45, 409], "win:9"),
        ("dots:2x2", [688, 1_142], "+2"),
        ("euler:4x4", [15_208, 8_229], "loss:13"),
        ("lgame", [17_504, 17_566], "draw"),
        ("dots:2x3", [17_438, 24_456], "-2"),
    ] {
        let (audit, check) = clean(&["--game", game, "--time-margin", "20000"]);
        assert_eq!(audit.matches("value           never lost").count(), 2, "{audit}");
        for (side, visited) in (1..).zip(visited) {
            assert!(audit.contains(&format!("  positions       {visited} visited")), "{game}: {audit}");
            let sure = format!("player {side} gets at least this against any play: {value} as");
            assert!(check.contains(&sure), "{game}: {check}");
        }
    }
    // Every position of all smaller heaps.
    let (audit, _) = clean(&["--game", "nim:5,5,5", "--all", "--time-margin", "20000"]);
    assert!(
        audit.contains("424 visited, asked in 422") && audit.contains("as the library says everywhere"),
        "{audit}"
    );
}

#[test]
fn a_weak_engine_is_shown_the_shortest_line_to_its_slip() {
    let bad = format!("name=bad {} worst tictactoe", bad_engine().display());
    let run = referee(&["audit", "--game", "tictactoe", "--engine", &bad]);
    assert_eq!(run.code, Some(1), "{}", run.said());
    assert!(run.out.contains("a draw became a loss: position fen"), "{}", run.out);
    assert!(run.out.contains("; kept by "), "{}", run.out);
}

#[test]
fn an_interrupted_audit_shows_what_it_has_found() {
    let folder = folder();
    let (log, certificate) = (folder.join("log"), folder.join("certificate"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    command.args(["audit", "--game", "nim:50,50,50", "--all", "--engine", GRUNDY, "--log"]).arg(&log);
    command.arg("--certificate").arg(&certificate);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while std::fs::read_to_string(&log).unwrap_or_default().matches("> bestmove").count() < 2 {
        assert!(Instant::now() < patience, "the engine is not asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, Signal::INT);
    let pid = child.id();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(130), "{out}");
    assert!(out.contains("\n  interrupted     asked in ") && !out.contains("asked in 0\n"), "{out}");
    assert!(out.contains("\n  value           never lost\n"), "{out}");
    assert!(out.ends_with("\nno certificate: interrupted\n") && !certificate.exists(), "{out}");
    assert_eq!(left_behind(pid), Vec::<u32>::new());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_engine_that_changes_its_mind_has_no_strategy() {
    let bad = format!("{} fickle", bad_engine().display());
    let run = referee(&["audit", "--game", "nim:2,3", "--twice", "--side", "1", "--engine", &bad]);
    assert_eq!(run.code, Some(5), "{}", run.said());
    let line = run.out.lines().find(|line| line.contains("a moment before")).unwrap_or_default();
    assert!(line.contains("the engine says bestmove ") && line.contains(", and said "), "{}", run.out);
}

#[test]
fn misbehaviour_ends_an_audit_with_its_position() {
    for (how, code, words) in [
        ("illegal", 3, "makes an illegal move: zzz: position fen 2,3 1"),
        ("crash-at-go", 4, "disconnects: exit status 1: position fen 2,3 1"),
        ("lie-value", 5, "says value loss:2, the truth is win"),
        ("exit-at-start", 4, "disconnects at the start"),
    ] {
        let bad = format!("{} {how}", bad_engine().display());
        let run = referee(&["audit", "--game", "nim:2,3", "--side", "1", "--engine", &bad]);
        assert_eq!(run.code, Some(code), "{how}: {}", run.said());
        assert!(run.out.contains(words), "{how}: {}", run.out);
        assert_eq!(left_behind(run.pid), Vec::<u32>::new(), "{how}");
    }
}

#[test]
fn a_sample_asks_in_different_positions() {
    let run =
        referee(&["audit", "--game", "mnk:3,4,3", "--engine", GRUNDY, "--sample", "200", "--seed", "7"]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    assert!(run.out.contains("asked in 200"), "{}", run.out);
}

#[test]
fn too_many_positions_are_refused_and_not_kept() {
    let run =
        referee(&["audit", "--game", "tictactoe", "--all", "--max-positions", "100", "--engine", GRUNDY]);
    assert_eq!(run.code, Some(2), "{}", run.said());
    assert!(run.err.contains("more than 100 positions"), "{}", run.err);
}

/// A small certificate to spoil: nim with heaps 1 and 2, won at once by 2:1.
fn certificate() -> String {
    let folder = folder();
    let file = folder.join("certificate");
    let path = file.to_str().unwrap();
    let run =
        referee(&["audit", "--game", "nim:1,2", "--side", "1", "--engine", GRUNDY, "--certificate", path]);
    assert_eq!(run.code, Some(0), "{}", run.said());
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    text
}

/// Returns the reason why a certificate is refused.
fn refused(file: &Path, bytes: &[u8]) -> String {
    std::fs::write(file, bytes).unwrap();
    let run = referee(&["check", file.to_str().unwrap()]);
    assert_eq!(run.code, Some(1), "{}{}", String::from_utf8_lossy(bytes), run.said());
    assert!(run.err.contains("refused: "), "{}", run.err);
    run.err
}

#[test]
fn any_changed_byte_of_a_certificate_is_refused() {
    let folder = folder();
    let file = folder.join("spoilt");
    let text = certificate();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        refused(&file, &bytes);
    }
    for length in [0, 1, 20, text.len() / 2, text.len() - 1] {
        refused(&file, &text.as_bytes()[..length]);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_lie_under_a_right_checksum_is_refused_with_its_position() {
    let folder = folder();
    let file = folder.join("spoilt");
    let text = certificate();
    let body = &text[..text.find("checksum").unwrap()];
    assert!(body.contains("\n1,2 1\twin:3\t2:1\n") && body.contains("\n1,1 2\tloss:2\t*\n"), "{body}");
    for (what, from, to, why) in [
        (
            "a wrong distance",
            "1,2 1\twin:3",
            "1,2 1\twin:5",
            "1,2 1: listed as win:5, its moves make it win:3",
        ),
        ("a wrong value", "1,1 2\tloss:2", "1,1 2\tdraw", "its moves make it"),
        ("a move that loses", "win:3\t2:1", "win:3\t1:1", "1,2 1: "),
        ("an illegal move", "win:3\t2:1", "win:3\t2:3", "1,2 1: illegal move \"2:3\""),
        ("a reply that is chosen", "1,1 2\tloss:2\t*", "1,1 2\tloss:2\t1:1", "one move is given where all"),
        ("a choice that is open", "1,2 1\twin:3\t2:1", "1,2 1\twin:3\t*", "no move is given where one"),
        ("no distance", "1,1 2\tloss:2", "1,1 2\tloss", "without a distance proves nothing"),
        ("another start", "value win:3", "value win:1", "the start is worth win:3"),
        ("a position of another game", "1,2 1\t", "1,2,3 1\t", "1,2,3 1: "),
        ("an odd spelling", "1,2 1\t", "01,2 1\t", "01,2 1: "),
        ("a position too many", "positions ", "positions 1", "positions instead of"),
    ] {
        assert!(body.contains(from), "{what}: {body}");
        let lie = body.replacen(from, to, 1);
        let lie = format!("{lie}checksum {:032x}\n", xxh3_128(lie.as_bytes()));
        let said = refused(&file, lie.as_bytes());
        assert!(said.contains(why), "{what}: {said}");
    }
    // A reply that the opponent has and the certificate has not.
    let missing: String =
        body.lines().filter(|line| !line.starts_with("0,1 1\t")).fold(String::new(), |s, l| s + l + "\n");
    let count = body.lines().filter(|line| line.contains('\t')).count();
    let missing = missing.replace(&format!("positions {count}"), &format!("positions {}", count - 1));
    let missing = format!("{missing}checksum {:032x}\n", xxh3_128(missing.as_bytes()));
    assert!(refused(&file, missing.as_bytes()).contains("which is not listed"), "{missing}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Files of every game of the catalog that reads some: a file, another spelling of it, and another game.
fn files(name: &str) -> [&'static str; 3] {
    match name {
        "graph" => [
            "digraph { a [start=true]; a -> b -> c; b [owner=1] }",
            "digraph g { b -> c /* on */; a -> b; b [owner=\"1\" shape=box]; a [start=true]; }",
            "digraph { a [start=true]; a -> b -> c; b [owner=2] }",
        ],
        "police" => ["C..\n.*.\n.ET\n", "3 3\nC..\n.*.\n.ET", "C..\n...\n.ET\n"],
        "col" | "snort" => [
            "graph { a -- b -- c; c [color=red] }",
            "graph{a--b;b--c\n c[color=\"red\"]}",
            "graph { a -- b -- c; a [color=red] }",
        ],
        "hackenbush" => [
            "graph { ground -- a [color=blue]; a -- b [color=red] }",
            "graph { // a bush\n ground -- a [color=\"blue\"]; a -- b [color=red label=x] }",
            "graph { ground -- a [color=blue]; a -- b [color=blue] }",
        ],
        "rules" => [
            "#players = a(9), b(9)\n#pieces = e, x\n#variables =\n#board = rectangle(up,down,left,right,[e,e])\n\
             #go(p) = ->p {e} [x] [$ p=1]\n#rules = go(a) go(b)",
            "//@ about two cells\n#pieces = e, x\n#players = a(9), b(9)\n#variables =\n\
             #board = rectangle(up,down,left,right,\n [e, e])\n#rules = ->a {e} [x] [$ a=1] // first\n ->b {e} [x] [$b = 1]",
            "//@ value score\n#players = a(9), b(9)\n#pieces = e, x\n#variables =\n\
             #board = rectangle(up,down,left,right,[e,e])\n#rules = ->a {e} [x] [$ a=1] ->b {e} [x] [$ b=1]",
        ],
        _ => panic!("{name} reads a file: what are one, another spelling of it, and another game?"),
    }
}

#[test]
fn every_game_that_reads_a_file_has_a_digest_of_what_it_means() {
    let folder = folder();
    let path = folder.join("game");
    let digest = |name: &str, text: &str| {
        std::fs::write(&path, text).unwrap();
        let full = format!("{name}:file={}", path.display());
        let session =
            grundy::catalog::open(&full, &Settings::default()).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(session.digest(), session.at_start().digest());
        session.digest().unwrap_or_else(|| panic!("{name} calls no Spec::means")).to_owned()
    };
    for row in grundy::catalog::CATALOG.rows().filter(|row| row.parameters.contains("file=F")) {
        let [one, same, other] = files(row.name).map(|text| digest(row.name, text));
        assert_eq!(one, same, "{}", row.name);
        assert_ne!(one, other, "{}", row.name);
        assert!(one.len() == 64 && one.bytes().all(|b| b.is_ascii_hexdigit()), "{one}");
    }
    let digest = |name: &str| {
        let session = grundy::catalog::open(name, &Settings::default()).unwrap();
        session.digest().map(str::to_owned)
    };
    for name in ["rules:tictactoe", "police:C.T/..E", "graph", "sum:rules:nim+nim:3"] {
        assert!(digest(name).is_some(), "{name}");
    }
    for name in ["nim:3,5,7", "chess", "sum:nim:3+nim:2"] {
        assert_eq!(digest(name), None, "{name}");
    }
    // As docs/certificates.md says that a stranger computes it.
    std::fs::write(&path, "digraph { b -> a; a [start=true]; a -> b }").unwrap();
    let canonical = "digraph\narrow\ta\tb\narrow\tb\ta\nnode\ta\t-\ttrue\t-\nnode\tb\t-\t-\t-\n";
    let expected = grundy::information::certificate::hash(canonical);
    assert_eq!(digest(&format!("graph:file={}", path.display())), Some(expected));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_record_is_of_the_file_that_was_played() {
    let folder = folder();
    let (file, record) = (folder.join("g.dot"), folder.join("r.jsonl"));
    std::fs::write(&file, "digraph { a [start=true]; a -> b -> c }").unwrap();
    let game = format!("graph:file={}", file.display());
    let path = record.to_str().unwrap();
    let (one, two) = (format!("name=A {GRUNDY}"), format!("name=B {GRUNDY}"));
    let played = referee(&[
        "match", "--game", &game, "--engine", &one, "--engine", &two, "--games", "2", "--record", path,
    ]);
    assert_eq!(played.code, Some(0), "{}", played.said());
    let export = || referee(&["export", path, "--csv"]);
    assert_eq!(export().code, Some(0), "{}", export().said());
    std::fs::write(&file, "digraph { a [start=true]; a -> b -> c -> d }").unwrap();
    let refused = export();
    assert_eq!(refused.code, Some(2), "{}", refused.said());
    assert!(refused.err.contains("is another game now"), "{}", refused.err);
    std::fs::remove_dir_all(folder).unwrap();
}
