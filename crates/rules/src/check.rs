//! The report on a rules file: `grundy check-rules`.

use std::ops::ControlFlow;

use grundy_core::game::{Game, MORE, Notation};
use grundy_core::sorting;
use grundy_core::text::{counted, grouped};
use grundy_session::{Progress, SolveError, Work};
use grundy_tables::discovered::{Found, Horizon, Keys, Packed, Part, find};
use rustc_hash::FxHashSet;

use crate::directives::Symmetry;
use crate::game::Rules;
use crate::instructions::{Code, Op};
use crate::limits;
use crate::machine::{Cursor, Machine};
use crate::playouts;
use crate::position::Position;
use crate::program::{Bounded, Expr, Kind, Node, Operator, Program};
use crate::source::{Fault, Span};
use crate::symmetry::{self, Image};

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Facts, a line each.
    pub facts: Vec<String>,
    /// Remarks that the author may want to act on, each with its place.
    pub warnings: Vec<Fault>,
}

/// Reads and checks a rules file; finds up to `most` positions.
///
/// # Errors
/// The first fault of the file, with its place.
pub fn check(text: &str, most: u64, work: &Work<'_>) -> Result<Report, Fault> {
    Ok(examine(&Rules::new(text)?, most, work))
}

/// Reports on the rules of a file without errors; finds up to `most` positions.
pub fn examine(rules: &Rules, most: u64, work: &Work<'_>) -> Report {
    let program = &rules.program;
    let mut report = Report { facts: Vec::new(), warnings: program.warnings.clone() };
    let names: Vec<&str> = program.players.iter().map(|player| player.name.as_str()).collect();
    report.facts.push(format!(
        "players {}, {}, {}, {}, {}",
        names.join(" and "),
        counted(program.pieces.len(), "piece"),
        counted(program.variables.len() - program.players.len(), "variable"),
        counted(program.board.cells(), "cell"),
        counted(program.board.labels.len(), "direction")
    ));
    let letters: Vec<String> = program
        .pieces
        .iter()
        .zip(&rules.board_notation.letters)
        .map(|(name, letter)| format!("{name}={letter}"))
        .collect();
    report.facts.push(format!("letters {}", letters.join(" ")));
    report.facts.push(format!("checksum of the meaning {:016x}", program.checksum()));
    report.facts.push(format!(
        "{} after expansion, {} where a player is to move",
        counted(rules.code.all.len(), "action"),
        counted(rules.entries.len() - 2, "place")
    ));
    constants(program, &program.rules, &mut report.warnings);
    unused(program, &mut report.warnings);
    symmetries(rules, &mut report);
    positions(rules, most, work, &mut report);
    report.facts.extend(playouts::lines(rules, work));
    sorting::sort_by_key(&mut report.warnings, |fault| fault.span.at);
    // A remark on a macro is one, however often the macro is called.
    let mut seen: FxHashSet<(u32, String)> = FxHashSet::default();
    report.warnings.retain(|fault| seen.insert((fault.span.at, fault.what.clone())));
    report
}

/// Warns of division by 0, of constants that a variable cannot have, and of arithmetic with constants only, which some programs
/// that read the language interpret differently.
fn constants(program: &Program, node: &Node, warnings: &mut Vec<Fault>) {
    let of_constants = |expr: &Expr| {
        fn plain(expr: &Expr) -> bool {
            match expr {
                Expr::Number(_) => true,
                Expr::Join(_, pair) => plain(&pair.0) && plain(&pair.1),
                _ => false,
            }
        }
        matches!(expr, Expr::Join(..)) && plain(expr)
    };
    fn divides_by_0(expr: &Expr) -> bool {
        let Expr::Join(operator, pair) = expr else { return false };
        *operator == Operator::Divide && pair.1 == Expr::Number(0)
            || divides_by_0(&pair.0)
            || divides_by_0(&pair.1)
    }
    let mut warn = |expr: &Expr| {
        if divides_by_0(expr) {
            warnings.push(Fault::new(node.span, "division by 0: this always fails"));
        } else if of_constants(expr) {
            let what = "arithmetic of constants: some other programs read it otherwise, so write the result";
            warnings.push(Fault::new(node.span, what));
        }
    };
    match &node.kind {
        Kind::Assign(variable, value) => {
            warn(value);
            let Bounded { name, bound } = &program.variables[usize::from(*variable)];
            if let Expr::Number(number) = value
                && !(0..=i64::from(*bound)).contains(number)
            {
                let what = format!("this always fails: `{name}` is at least 0 and at most {bound}");
                warnings.push(Fault::new(node.span, what));
            }
        }
        Kind::Compare(left, _, right) => {
            warn(left);
            warn(right);
        }
        Kind::Sequence(nodes) | Kind::Choice(nodes) => {
            nodes.iter().for_each(|node| constants(program, node, warnings))
        }
        Kind::Star(inside) | Kind::Power(inside, _) | Kind::Check { inside, .. } => {
            constants(program, inside, warnings)
        }
        _ => {}
    }
}

/// The players, variables and pieces that the rules use.
struct Uses {
    /// `true` for each player who is ever to move.
    moves: Vec<bool>,
    /// `true` for each variable that is ever assigned.
    given: Vec<bool>,
    /// `true` for each piece that can come on the board.
    comes: Vec<bool>,
}

impl Uses {
    /// Marks the players, variables and pieces of a rule.
    fn mark(&mut self, node: &Node) {
        match &node.kind {
            Kind::Switch(Some(player)) => self.moves[usize::from(*player)] = true,
            Kind::Assign(variable, _) => self.given[usize::from(*variable)] = true,
            Kind::Off(piece) => self.comes[usize::from(*piece)] = true,
            Kind::Sequence(nodes) | Kind::Choice(nodes) => nodes.iter().for_each(|node| self.mark(node)),
            Kind::Star(inside) | Kind::Power(inside, _) | Kind::Check { inside, .. } => self.mark(inside),
            _ => {}
        }
    }
}

/// Warns of players who are never to move, of variables that are never assigned, and of pieces that cannot come on the board.
fn unused(program: &Program, warnings: &mut Vec<Fault>) {
    let mut uses = Uses {
        moves: vec![false; program.players.len()],
        given: vec![false; program.variables.len()],
        comes: vec![false; program.pieces.len()],
    };
    program.board.start.iter().for_each(|&piece| uses.comes[usize::from(piece)] = true);
    uses.mark(&program.rules);
    for (player, _) in program.players.iter().zip(uses.moves).filter(|(_, moves)| !moves) {
        let what = format!("`{0}` is never to move: no rule has `->{0}`", player.name);
        warnings.push(Fault::new(program.places[0], what));
    }
    let variables = program.variables.iter().zip(uses.given).enumerate();
    for (at, (bounded, _)) in variables.filter(|(_, (_, given))| !given) {
        let what = format!("no rule gives `{}` a value: it is always 0", bounded.name);
        // The players' scores come first.
        let section = if at < 2 { 0 } else { 2 };
        warnings.push(Fault::new(program.places[section], what));
    }
    for (piece, _) in program.pieces.iter().zip(uses.comes).filter(|(_, comes)| !comes) {
        let what = format!("piece `{piece}` never comes on the board");
        warnings.push(Fault::new(program.places[1], what));
    }
}

/// Reports the number of positions, whether play can be cyclic, and rules that no move uses.
fn positions(rules: &Rules, most: u64, work: &Work<'_>, report: &mut Report) {
    /// Number of positions sampled for the longest list of moves and for choices of the keeper.
    const SAMPLED: usize = 2_000;
    /// Up to this many positions, all are examined, with their images, for rules that no move uses.
    const ALL: usize = 20_000;
    /// Number of moves after which no further position is examined.
    const MOVE_BUDGET: usize = 2_000_000;
    let reach = Horizon { positions: Some(most), until: None };
    let found = match find(rules, &reach, work) {
        Ok(Some(found)) => Some(found),
        Ok(None) => {
            report.facts.push(format!("more than {} positions can be reached", grouped(most)));
            let why = rules.unvalued();
            report.warnings.extend(why.map(|why| Fault::new(rules.program.rules.span, why)));
            None
        }
        Err(SolveError::Broken(why)) => {
            report.warnings.push(Fault::new(rules.program.rules.span, why));
            None
        }
        Err(error) => {
            report.facts.push(format!("positions: {error}"));
            None
        }
    };
    let mut all = false;
    let sample: Vec<Position> = match &found {
        Some(Found { keys, components }) => {
            report.facts.push(reached(rules, found.as_ref(), keys.len()));
            report.facts.push(said(components));
            if components.iter().any(|component| component.cyclic)
                && rules.program.directives.repeat.is_none()
            {
                let what = "`//@ repeat 3` would make the third occurrence of a position a draw in play";
                report.facts.push(what.to_owned());
            }
            report.facts.push(numbered(rules));
            if colours_would_help(rules, keys) {
                let what = "`//@ symmetry colours` would hold, and nearly halve the positions of a table";
                report.facts.push(what.to_owned());
            }
            bounds(rules, (0..keys.len()).map(|at| keys.get(at)), report);
            all = keys.len() * (rules.canonical().len() + 1) <= ALL;
            let step = if all { 1 } else { (keys.len() / SAMPLED).max(1) };
            (0..keys.len()).step_by(step).map(|at| rules.unpack(keys.get(at))).collect()
        }
        None => rules.early(SAMPLED),
    };
    let mut longest = (0, String::new());
    let mut used = all.then(|| vec![false; rules.code.all.len()]);
    let mut differs = keeper_at_start(rules, &mut used);
    let open = || sample.iter().filter(|position| rules.over(position).is_none());
    let mut left = MOVE_BUDGET;
    for (position, done) in open().zip(0..) {
        (work.report)(&Progress { what: "positions examined".into(), done, total: sample.len() as u64 });
        if left == 0 || work.stopped() {
            used = None;
            report
                .facts
                .push("not all positions were examined: rules that no move uses are not known".to_owned());
            break;
        }
        let moves = moves_of(rules, position, &mut used);
        left = left.saturating_sub(moves);
        if moves > longest.0 {
            longest = (moves, rules.write_position(position));
        }
        let here = keeper_differs(rules, position, &mut used);
        differs = differs.or(here);
        used = used.filter(|used| !unreached(rules, used).is_empty());
    }
    report.facts.push(match longest {
        (0, _) => "no position with a move was seen".to_owned(),
        (MOST_MOVES, at) => {
            format!("longest list of moves seen: at least {} at {at}", grouped(MOST_MOVES as u64))
        }
        (count, at) => format!("longest list of moves seen: {count} at {at}"),
    });
    if let Some(at) = differs {
        let what = "the keeper has a choice here between different positions: the first is taken, other programs may take \
                    another";
        report.warnings.push(Fault::new(rules.code.spans[at as usize], what));
    }
    if used.is_some() {
        // The image of a position has moves by other rules, which are looked at while there are rules without a move.
        for position in open() {
            for image in rules.images(position).iter().skip(1) {
                left = left.saturating_sub(moves_of(rules, image, &mut used));
                keeper_differs(rules, image, &mut used);
            }
            if left == 0 || work.stopped() {
                return;
            }
            used = used.filter(|used| !unreached(rules, used).is_empty());
            if used.is_none() {
                return;
            }
        }
        report.warnings.extend(used.iter().flat_map(|used| idle(rules, used)));
    }
}

/// Maximum number of moves of a position that are examined.
const MOST_MOVES: usize = 100_000;

/// Marks the rules that the moves of a position use; returns the number of moves, at most [`MOST_MOVES`]. Of more moves it is
/// not known which rules they use.
fn moves_of(rules: &Rules, position: &Position, used: &mut Option<Vec<bool>>) -> usize {
    let moves = rules.paths(position, MOST_MOVES);
    moves.iter().for_each(|(_, path)| mark(rules, path, used));
    if moves.len() == MOST_MOVES {
        *used = None;
    }
    moves.len()
}

/// Marks the rules of a path as used, if that is asked for.
fn mark(rules: &Rules, path: &[(u32, u16)], used: &mut Option<Vec<bool>>) {
    if let Some(used) = used {
        path.iter().for_each(|&(modifier, _)| used[rules.code.modifiers[modifier as usize] as usize] = true);
    }
}

/// Returns in words how many positions can be reached, and how many classes of symmetric ones.
fn reached(rules: &Rules, found: Option<&Found>, classes: usize) -> String {
    match found.and_then(|found| found.positions(rules)) {
        Some(count) if count == classes as u64 => format!("{} can be reached", counted(count, "position")),
        Some(count) => {
            format!(
                "{} can be reached, {} up to symmetry",
                counted(count, "position"),
                grouped(classes as u64)
            )
        }
        None => format!("{} up to symmetry can be reached", counted(classes as u64, "position")),
    }
}

/// Reports the symmetries that are used, and those that were declared and are not shown to hold.
fn symmetries(rules: &Rules, report: &mut Report) {
    let canonical = rules.canonical();
    let images: Vec<Image> = canonical.images().cloned().collect();
    let kinds = symmetry::kinds(&images, &rules.program.board);
    if !images.is_empty() {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        report.facts.push(format!(
            "indexed up to symmetry: {}, {} images",
            names.join(", "),
            images.len() + 1
        ));
    }
    if let Some(why) = rules.asymmetry() {
        let more = if images.is_empty() { "no" } else { "no further" };
        report.facts.push(format!("{more} symmetry is used: {why}"));
    }
    for (kind, span) in rules.program.directives.symmetry.iter().filter(|(kind, _)| !kinds.contains(kind)) {
        let why = rules.asymmetry().map_or_else(String::new, |why| format!(": {why}"));
        let what = format!("symmetry `{}` is not shown to hold, and not used{why}", kind.name());
        report.warnings.push(Fault::new(*span, what));
    }
}

/// Returns how positions are indexed in tables, in words.
fn numbered(rules: &Rules) -> String {
    match rules.numbering() {
        Ok(numbering) => format!(
            "indexed by a formula: {} indices in {}, solved by {}",
            grouped(numbering.size()),
            classes(numbering.classes()),
            if numbering.waves().is_empty() { "retrograde analysis" } else { "layers" }
        ),
        Err(why) => format!("positions are found, sorted and indexed: {why}"),
    }
}

/// Warns of pieces of which there are more than the author declares.
fn bounds(rules: &Rules, codes: impl Iterator<Item = u128>, report: &mut Report) {
    if rules.program.directives.most.is_empty() {
        return;
    }
    for code in codes {
        let position = rules.unpack(code);
        if let (Some(at), Some(why)) = (rules.broken_bound(&position), rules.beyond(&position)) {
            report.warnings.push(Fault::new(rules.program.directives.bounds[at], why));
            return;
        }
    }
}

/// Returns in words whether play can be cyclic.
fn said(components: &[Part]) -> String {
    let cyclic = components.iter().filter(|component| component.cyclic).count();
    let classes = classes(components.len());
    let largest = grouped(components.iter().map(Part::len).max().unwrap_or(0));
    match cyclic {
        0 => format!("acyclic: no position repeats; {classes} of positions, the largest of {largest}"),
        _ => format!(
            "not shown to be acyclic: positions may repeat in {cyclic} of {classes}, largest {largest}"
        ),
    }
}

/// Returns a number of classes in words.
fn classes(count: usize) -> String {
    match count {
        1 => "1 class".to_owned(),
        _ => format!("{} classes", grouped(count as u64)),
    }
}

/// Reports whether most positions that can be reached are, with exchanged colours, reached as well, so that they could share
/// an index if the author declared that symmetry.
fn colours_would_help(rules: &Rules, keys: &Keys) -> bool {
    /// Number of positions that are sampled.
    const SAMPLED: usize = 200;
    if rules.program.directives.symmetry.iter().any(|&(kind, _)| kind == Symmetry::Colours) {
        return false;
    }
    let mut program = rules.program.clone();
    program.directives.symmetry.push((Symmetry::Colours, program.rules.span));
    let Ok(declared) = Rules::from_program(program) else { return false };
    if !declared.canonical().images().any(|image| image.swaps) {
        return false;
    }
    let step = (keys.len() / SAMPLED).max(1);
    let sample: Vec<Position> = (0..keys.len()).step_by(step).map(|at| rules.unpack(keys.get(at))).collect();
    let is_reached = |image: &Position| rules.pack(image).is_some_and(|code| keys.find(code).is_some());
    let exchanged = |position: &&Position| {
        let images = declared.images(position);
        images.iter().any(|image| rules.turn(image) != rules.turn(position) && is_reached(image))
    };
    10 * sample.iter().filter(exchanged).count() > 9 * sample.len()
}

/// Returns the indices of the actions that no move uses.
fn unreached(rules: &Rules, used: &[bool]) -> Vec<usize> {
    let places = || {
        let all = rules.code.all.iter().enumerate();
        all.filter(|&(at, instruction)| instruction.modifier > 0 && !rules.code.checked[at])
            .map(|(at, _)| (at, rules.code.spans[at].at))
    };
    // A macro's action is used if one of its copies is.
    let mut seen: FxHashSet<u32> = places().filter(|&(at, _)| used[at]).map(|(_, place)| place).collect();
    places().filter(|&(_, place)| seen.insert(place)).map(|(at, _)| at).collect()
}

/// Returns remarks on the actions that no move uses. All those after the last switch are one mistake: the turns are not
/// repeated.
fn idle(rules: &Rules, used: &[bool]) -> Vec<Fault> {
    let spans = &rules.code.spans;
    let before = before_a_switch(&rules.code);
    let (idle, last): (Vec<usize>, Vec<usize>) =
        unreached(rules, used).into_iter().partition(|&at| before[at]);
    let idle = idle.into_iter().take(20);
    let told = idle.map(|at| Fault::new(spans[at], "no line of play reaches this"));
    // Instructions are made from the end of the rules to their beginning.
    let ended = last.into_iter().max().map(|at| {
        let what = "the rules end without another `->`: put the turns into `( .. )*`";
        Fault::new(Span::at(spans[at].site as usize), what)
    });
    told.chain(ended).collect()
}

/// Returns for each instruction if a switch, which ends a move, is it or can follow it.
fn before_a_switch(code: &Code) -> Vec<bool> {
    let mut before: Vec<bool> =
        code.all.iter().map(|instruction| matches!(instruction.op, Op::Switch(_))).collect();
    loop {
        let mut changed = false;
        for (at, instruction) in code.all.iter().enumerate() {
            let follows = match instruction.op {
                Op::Branch(begin, end) => {
                    let branches = &code.branches[begin as usize..end as usize];
                    branches.iter().any(|&next| before[next as usize])
                }
                Op::End => false,
                _ => before[instruction.next as usize],
            };
            changed |= follows && !std::mem::replace(&mut before[at], true);
        }
        if !changed {
            return before;
        }
    }
}

/// Returns where the keeper, before the first position, has moves that lead to different positions.
fn keeper_at_start(rules: &Rules, used: &mut Option<Vec<bool>>) -> Option<u32> {
    let cursor = Cursor { at: rules.code.start, cell: 0, turn: None };
    keeper(rules, &mut Machine::new(&rules.program, &rules.code), cursor, used)
}

/// Returns where the keeper has moves after this position that lead to different positions.
fn keeper_differs(rules: &Rules, position: &Position, used: &mut Option<Vec<bool>>) -> Option<u32> {
    let mut differs = None;
    let mut left = MOST_MOVES;
    rules.each_cursor(position, &mut |machine, cursor| {
        let here = keeper(rules, machine, cursor, used);
        differs = differs.or(here);
        left -= 1;
        left > 0
    });
    differs
}

/// Follows the keeper until a player is to move and marks the rules that he uses. Returns the first place where his
/// moves lead to different positions.
fn keeper(
    rules: &Rules,
    machine: &mut Machine,
    mut cursor: Cursor,
    used: &mut Option<Vec<bool>>,
) -> Option<u32> {
    /// Maximum number of choices that are played out.
    const CHOICES: usize = 12;
    /// Maximum number of places whose choices are played out.
    const SETTLED: usize = 100;
    let mut differs = None;
    let mut settled = 0;
    for _ in 0..limits::KEEPER {
        if cursor.turn.is_some() {
            break;
        }
        let mut ends: Vec<(Vec<u8>, Vec<i64>, Option<Cursor>)> = Vec::new();
        let Cursor { at, cell, .. } = cursor;
        let (mut looked, mut first) = (0, None);
        let before = machine.mark();
        let _ = machine.moves(&rules.code, at, cell, &mut |machine, next| {
            mark(rules, &machine.path, used);
            first = first.or(Some(next));
            looked += 1;
            if looked > 1 && used.is_none() { ControlFlow::Break(()) } else { MORE }
        });
        machine.undo(&rules.code, before);
        // A single move makes no difference.
        let choose = looked > 1 && settled < SETTLED && differs.is_none();
        settled += usize::from(choose);
        looked = if choose { 0 } else { CHOICES };
        let _ = machine.moves(&rules.code, at, cell, &mut |machine, next| {
            looked += 1;
            if looked > CHOICES {
                return ControlFlow::Break(());
            }
            let after = machine.settle(&rules.code, next).map(|cursor| Cursor {
                cell: if rules.code.anywhere[cursor.at as usize] { 0 } else { cursor.cell },
                ..cursor
            });
            let end = (machine.cells.clone(), machine.variables.clone(), after);
            if !ends.contains(&end) {
                ends.push(end);
            }
            MORE
        });
        machine.undo(&rules.code, before);
        if ends.len() > 1 {
            differs = differs.or(Some(at));
        }
        // The first move is played: its changes stay.
        let _ = machine.moves(&rules.code, at, cell, &mut |_, _| ControlFlow::Break(()));
        match first {
            Some(next) => cursor = next,
            None => break,
        }
    }
    differs
}
