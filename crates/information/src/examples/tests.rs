use super::*;
use crate::tree::sequence;

fn value(name: &str) -> String {
    let tree = tree(name).expect("it is there");
    let solved = sequence::solve(&tree).expect("zero-sum");
    assert!(sequence::proves(&tree, &solved), "{name}");
    solved.value.to_string()
}

#[test]
fn small_games_have_their_published_values() {
    // Kuhn 1950; Myerson 1991.
    assert_eq!(value("kuhn"), "-1/18");
    assert_eq!(value("stripped-down-poker"), "1/3");
}

#[test]
fn goofspiel_is_fair() {
    for name in ["goofspiel:2", "goofspiel:3", "goofspiel-descending:3", "goofspiel-descending:4"] {
        assert_eq!(value(name), "0", "{name}");
    }
}

#[test]
fn all_names_make_games() {
    for named in BIMATRICES {
        assert!(bimatrix(named.name).is_some());
    }
    for grown in TREES {
        let least = grown.sizes.map_or(String::new(), |[least, _, _]| format!(":{least}"));
        let name = format!("{}{least}", grown.name);
        assert!(is_tree(&name) && tree(&name).is_ok(), "{name}");
    }
    for name in ["poker", "kuhn:1", "kuhn:x", "kuhn:", "kuhn:99999999999999999999", "stripped-down-poker:3"] {
        assert!(tree(name).is_err(), "{name}");
    }
}
