//! Names of games, and the files that they point to.

use grundy_boards::ROWS;
use grundy_contract::try_open;

/// Returns the refusal of a name by `open`.
fn refusal(name: &str) -> String {
    let refusal = try_open(&ROWS, name).err().unwrap_or_else(|| panic!("{name} was opened"));
    assert!(!refusal.contains('\n') && refusal.len() < 400, "{refusal}");
    refusal
}

#[test]
fn wrong_names_are_refused_with_what_was_expected() {
    for (name, expected) in [
        ("euler:9x9", "1 to 25 cells"),
        ("euler:4", "expected RxC"),
        ("euler:4x4:span=long", "span=short"),
        ("euler:4x4:maxlen=0", "1 to 25"),
        ("row:", "0 to 10000"),
        ("row:4,x", "0 to 10000"),
        ("row:10001", "0 to 10000"),
        ("lgame:3", "no parameters"),
        ("police:CC", "expected one of each"),
        ("police:CT:file=x", "police:C..T or police:file=F"),
        ("graph:file=there/is/no/such.dot", "cannot read"),
        ("graph:x", "file=F"),
        ("mnk:21,9,5", "64 cells, or sides of 1 to 20"),
        ("mnk:3,3,9", "1 to 3"),
        ("teeko:6x5", "3 to 5"),
        ("teeko:5", "CxR"),
        ("tictactoe:x", "bad size \"x\": expected RxC, as in tictactoe:3x3"),
    ] {
        assert!(refusal(name).contains(expected), "{name}: {}", refusal(name));
    }
    let long = format!("row:{}", vec!["1"; 1_001].join(","));
    assert!(refusal(&long).contains("1 to 1000 numbers"));
}

#[test]
fn files_are_read_and_bad_ones_refused_by_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a temporary file");
        path.to_string_lossy().into_owned()
    };
    let map = write("map.txt", b"C..\nT.*\n");
    let session = try_open(&ROWS, &format!("police:file={map}")).map(|s| s.position());
    assert_eq!(session, Ok(".../..* a2 a1 1".to_string()));
    let cyclic = write("cyclic.dot", b"digraph { a [start=true]; a -> b -> a; b -> c; c [value=3] }");
    assert!(try_open(&ROWS, &format!("graph:file={cyclic}")).is_ok(), "a graph with points may be cyclic");
    let noise = write("noise.dot", &[0xff, 0xfe, 0, 1]);
    assert!(refusal(&format!("graph:file={noise}")).contains("noise.dot"));
}
