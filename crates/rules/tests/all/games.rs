//! The games of the folder `rules/`: known counts and known values.

use grundy_contract::Contract;
use grundy_core::game::{Game, Notation, Scored, perft};
use grundy_rules::game::Rules;
use grundy_rules::library;
use grundy_session::{NEVER, Work};
use grundy_tables::discovered::{Horizon, Keys, Packed, find, solve};

use super::game;

fn work(threads: usize) -> Work<'static> {
    Work { stop: &NEVER, until: None, threads, memory_limit: None, report: &|_| {} }
}

#[test]
fn every_file_tells_its_origin_and_loads() {
    assert!(library::names().len() >= 25);
    for name in library::names() {
        let text = library::game(name).unwrap();
        assert!(
            text.lines().take(3).all(|line| line.starts_with("// ")),
            "{name}: three lines of comment first"
        );
        let rules = game(name);
        assert!(!rules.program.directives.about.is_empty(), "{name}");
        assert!(rules.fault().is_none(), "{name}");
        assert!(rules.bits().is_some(), "{name}: positions can be packed");
        let start = rules.write_position(&rules.start());
        assert_eq!(rules.read_position(&start), Ok(rules.start()), "{name}: {start}");
        assert_eq!(start.split(' ').count(), 2, "{name}: {start}");
    }
}

#[test]
fn small_games_keep_the_contract_of_games() {
    Contract::new(game("tictactoe"))
        .positions(5_478)
        .perft(&[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872])
        .run();
    Contract::new(game("three-mens-morris")).positions(5_390).run();
    for name in
        ["hexapawn", "pong-hau-ki", "mu-torere", "nim", "notakto", "konane", "col", "snort", "reversi"]
    {
        Contract::new(game(name)).limit(2_000).run();
    }
}

#[test]
fn values_known_from_the_literature() {
    for (name, value) in [
        ("tictactoe", "draw"),
        ("three-mens-morris", "win:9"),
        ("hexapawn", "loss:6"),
        ("mu-torere", "draw"),
        ("pong-hau-ki", "draw"),
        ("notakto", "win"),
        ("nim", "win"),
        ("hex", "win"),
        ("domineering", "win"),
        ("mnk", "win"),
        ("dodgem", "win"),
        ("snort", "win"),
        ("col", "loss"),
        ("konane", "loss"),
        ("reversi", "-8"),
        ("clobber", "win:11"),
        ("nine-holes", "draw"),
        ("picaria", "draw"),
        ("shisima", "draw"),
        ("achi", "win:11"),
        ("quixo", "win:7"),
        ("tippy", "win:9"),
        ("geography", "win:11"),
        ("clobber-impartial", "win:7"),
        ("node-kayles", "win:11"),
        ("nogo-impartial", "loss"),
        ("chung-toi", "draw"),
        ("euclid", "win:5"),
        ("slimetrail", "loss:20"),
        ("black-path", "win:16"),
        ("tictactoe-torus", "win:7"),
        ("len-choa", "win:13"),
    ] {
        let rules = game(name);
        let positions = find(&rules, &Horizon::default(), &work(1)).unwrap().unwrap();
        let mut none = grundy_core::table::NoCheckpoints;
        let table = solve(&rules, &positions, &work(1), &mut none).unwrap();
        let start = positions.keys.find(rules.pack(&rules.start()).unwrap()).unwrap();
        let found = table.get(start as u64).unwrap().show(rules.unit()).to_string();
        assert!(found.starts_with(value), "{name}: {found}, expected {value}");
    }
}

#[test]
fn a_table_is_the_same_however_many_threads_make_it() {
    for name in ["mnk", "achi", "reversi", "quixo"] {
        let rules = game(name);
        let mut made = Vec::new();
        for threads in [1, 3] {
            let found = find(&rules, &Horizon::default(), &work(threads)).unwrap().unwrap();
            let mut none = grundy_core::table::NoCheckpoints;
            let table = solve(&rules, &found, &work(threads), &mut none).unwrap();
            made.push((found, table.cells().map(<[u8]>::to_vec)));
        }
        assert!(made[0] == made[1], "{name}");
        assert!(
            made[0].0.components.iter().map(|component| component.len()).sum::<u64>()
                == made[0].0.keys.len() as u64
        );
    }
}

#[test]
fn a_search_for_positions_ends_at_its_limit() {
    let rules = game("connect4");
    let few = Horizon { positions: Some(10_000), until: None };
    assert_eq!(find(&rules, &few, &work(1)), Ok(None));
    let small = Work { memory_limit: Some(1 << 20), ..work(1) };
    assert!(matches!(
        find(&rules, &Horizon::default(), &small),
        Err(grundy_session::SolveError::TooLarge { .. })
    ));
}

#[test]
fn packed_positions_are_unpacked_as_they_were() {
    for name in ["dodgem", "three-mens-morris", "six-mens-morris", "lgame", "fox-and-hounds"] {
        let rules = game(name);
        for position in rules.early(200) {
            let code = rules.pack(&position).unwrap();
            let unpacked = rules.unpack(code);
            assert!(rules.images(&position).contains(&unpacked), "{name}");
            assert_eq!(rules.pack(&unpacked), Some(code), "{name}");
        }
    }
    let Keys::Small(keys) = Keys::Small(vec![3, 5]) else { panic!("small") };
    assert_eq!(Keys::Small(keys).find(5), Some(1));
}

#[test]
fn symmetries_are_found() {
    for (name, images, count) in [
        ("tictactoe", 8, 5_478),
        ("mnk", 4, 111_973),
        ("three-mens-morris", 8, 5_390),
        ("achi", 8, 5_716),
        ("hexapawn", 2, 135),
        ("pong-hau-ki", 2, 56),
        ("col", 8, 1_021),
        ("snort", 8, 346),
        // Images differ in the order of what a move does, or the keeper's ways exclude each other.
        ("domineering", 4, 2_443),
        ("quixo", 8, 32_027),
    ] {
        let rules = game(name);
        assert_eq!(rules.images(&rules.start()).len(), images, "{name}");
        let found = find(&rules, &Horizon::default(), &work(1)).unwrap().unwrap();
        assert_eq!(found.positions(&rules), Some(count), "{name}");
        assert!(found.keys.len() < count as usize, "{name}");
    }
}

/// Returns the successors of a position, packed, and how the game ended.
fn onward(rules: &grundy_rules::game::Rules, position: &grundy_rules::position::Position) -> Onward {
    let mut children = Vec::new();
    if rules.over(position).is_none() {
        let _ = rules.moves(position, &mut |m| {
            let child = rules.play(position, m);
            children.push((
                rules.pack(&child),
                rules.turn(&child) == rules.turn(position),
                rules.gain(position, m),
            ));
            grundy_core::game::MORE
        });
    }
    children.sort_unstable();
    children.dedup();
    (children, rules.over(position))
}

type Onward = (Vec<(Option<u128>, bool, i32)>, Option<grundy_core::value::Value>);

#[test]
fn images_lead_to_images() {
    for name in library::names().into_iter().filter(|name| *name != "lgame") {
        let rules = game(name);
        let mut seen = 0;
        for position in rules.early(400).into_iter().rev().take(40) {
            let here = onward(&rules, &position);
            for image in rules.images(&position) {
                assert_eq!(here, onward(&rules, &image), "{name}");
                seen += 1;
            }
        }
        assert!(seen >= 2, "{name}");
    }
}

/// Returns a game of the library with the line that lets the colours be exchanged.
fn with_colours(name: &str) -> grundy_rules::game::Rules {
    let text = library::game(name).unwrap().replace("//@ letters", "//@ symmetry colours\n//@ letters");
    grundy_rules::game::Rules::new(&text).unwrap()
}

#[test]
fn a_least_image_is_the_least_of_all_images() {
    let games = ["tictactoe", "quixo", "domineering", "six-mens-morris", "reversi", "dodgem"].map(game);
    for rules in games.into_iter().chain(["tictactoe", "quixo"].map(with_colours)) {
        let packing = rules.packing.as_ref().unwrap();
        for position in rules.early(300) {
            let code = rules.pack(&position).unwrap();
            let images = rules.canonical().images_of(packing, code);
            let about = &rules.program.directives.about;
            assert_eq!(images.into_iter().min().map_or(code, |least| least.min(code)), code, "{about}");
        }
    }
}

#[test]
fn exchanged_colours_halve_the_positions_and_keep_the_value() {
    let value = |rules: &grundy_rules::game::Rules| {
        let found = find(rules, &Horizon::default(), &work(1)).unwrap().unwrap();
        let table = solve(rules, &found, &work(1), &mut grundy_core::table::NoCheckpoints).unwrap();
        let start = found.keys.find(rules.pack(&rules.start()).unwrap()).unwrap();
        (table.get(start as u64), found.keys.len())
    };
    let ((own, all), (exchanged, half)) = (value(&game("quixo")), value(&with_colours("quixo")));
    assert_eq!(own, exchanged);
    assert!(half == 2_219 && half < all * 11 / 20, "{half} of {all}");
}

#[test]
fn scores_of_different_sums_are_told_and_positions_not_guessed_at() {
    let nim = library::game("nim").unwrap();
    let text = nim.replace("turn(second; first))*", "->second anySquare take [$ second=70, first=0])*");
    assert_ne!(text, nim);
    let report = grundy_rules::check::check(&text, 1_000, &work(1)).unwrap();
    assert!(report.warnings.iter().any(|fault| fault.what.contains("scores of the sums 70 and 100")));
    assert!(!report.facts.iter().any(|fact| fact.contains("can be reached")), "{:?}", report.facts);
}

#[test]
fn a_game_whose_scores_have_different_sums_has_no_values_and_is_played() {
    let text = "#players = red(10), blue(10)\n#pieces = e, r, b\n#variables =\n\
        #board = rectangle(up,down,left,right,[e,e,e,e][e,e,e,e][e,e,e,e][e,e,e,e])\n\
        #any = (up*+down*)(left*+right*)\n\
        #turn(me; p) = ->me any {e} [p] ({? up {p}} [$ me=me+1] + {! up {p}})\n\
        #rules = (turn(red; r) turn(blue; b))*\n";
    let rules = Rules::new(text).unwrap();
    assert!(rules.unvalued().is_some_and(|why| why.contains("scores of the sums")));
    assert_eq!(rules.breakdown(), None);
    // More positions can be reached than are found.
    let report = grundy_rules::check::check(text, 1_000, &work(1)).unwrap();
    assert!(report.warnings.iter().any(|fault| fault.what.contains("scores of the sums")));
    assert_eq!(Rules::new(&format!("//@ value difference\n{text}")).unwrap().unvalued(), None);
    for name in library::names() {
        assert_eq!(game(name).unvalued(), None, "{name}");
    }
}

#[test]
fn a_symmetry_that_does_not_hold_is_told_and_not_used() {
    let text = library::game("dodgem").unwrap().replace("//@ letters", "//@ symmetry rotate\n//@ letters");
    let report = grundy_rules::check::check(&text, 1_000, &work(1)).unwrap();
    let told = report.warnings.iter().filter(|fault| fault.what.contains("`rotate` is not shown to hold"));
    assert_eq!(told.count(), 1);
    let rules = with_colours("tictactoe");
    assert_eq!(rules.images(&rules.start()).len(), 16);
    let start = rules.start();
    assert!(rules.images(&start).iter().any(|image| rules.turn(image) != rules.turn(&start)));
    for position in rules.early(400).into_iter().rev().take(60) {
        let here = onward(&rules, &position);
        for image in rules.images(&position) {
            assert_eq!(here, onward(&rules, &image));
        }
    }
}

#[test]
fn perft_in_place_counts_as_perft_over_positions() {
    for name in ["teeko", "quixo", "dodgem", "lgame"] {
        let rules = game(name);
        for depth in 0..3 {
            assert_eq!(rules.perft(&rules.start(), depth), perft(&rules, &rules.start(), depth), "{name}");
        }
    }
}

#[test]
fn check_rules_has_no_warning_for_the_shipped_files_and_says_why_there_is_no_symmetry() {
    let reasons = [
        ("hex", "a check has too many ways"),
        ("lgame", "too many moves"),
        ("fox-and-hounds", "the rules or their order differ"),
    ];
    for name in library::names() {
        let report = grundy_rules::check::check(library::game(name).unwrap(), 4_000, &work(1)).unwrap();
        assert_eq!(report.warnings, [], "{name}");
        for (_, why) in reasons.iter().filter(|(other, _)| *other == name) {
            let says = |fact: &String| fact.starts_with("no symmetry is used: ") && fact.contains(why);
            assert!(report.facts.iter().any(says), "{name}: {:?}", report.facts);
        }
    }
    // Directives that would help are suggested, those that are there are not.
    let says = |text: &str, word: &str| {
        let report = grundy_rules::check::check(text, 20_000, &work(1)).unwrap();
        report.facts.iter().any(|fact| fact.contains(word))
    };
    let quixo = library::game("quixo").unwrap();
    assert!(says(quixo, "`//@ symmetry colours` would hold"));
    assert!(!says(&format!("//@ symmetry colours\n{quixo}"), "`//@ symmetry colours`"));
    assert!(!says(library::game("tictactoe").unwrap(), "`//@ symmetry colours`"));
    let holes = library::game("nine-holes").unwrap();
    assert!(says(holes, "`//@ repeat 3` would"));
    assert!(!says(&format!("//@ repeat 3\n{holes}"), "`//@ repeat 3`"));
    // What no line of play reaches is told, the initial scores are not.
    let text =
        library::game("joust").unwrap().replace("->me anySquare", "->me (. + up {x} {e} [e]) anySquare");
    let report = grundy_rules::check::check(&text, 4_000, &work(1)).unwrap();
    let told: Vec<&str> = report.warnings.iter().map(|fault| fault.what.as_str()).collect();
    assert_eq!(told, ["no line of play reaches this"]);
}
