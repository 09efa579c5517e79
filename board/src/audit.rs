//! Moves judged as the referee judges them: the value that each cost its player.

use std::time::Instant;

use grundy::game::Player;
use grundy::session::{Distance, Session, Settings, Work, at_once};
use grundy::slip::{Contradiction, Slip, slip};
use grundy::value::{Step, Unit, Value, Wdl};
use grundy_review::Backward;

use crate::games::PositionRef;
use crate::texts::Texts;

/// A move and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The value before or after it is not known.
    Open,
    /// A best move.
    Best,
    /// A move that cost this.
    Slip(Slip),
    /// A move worth more than its position: one of the two values is wrong.
    Contradiction,
}

impl Judged {
    /// Judges a move by the values before and after it, each for the player to move there.
    pub fn of(unit: Unit, before: Option<Value>, after: Option<Value>, step: Step) -> Judged {
        let (Some(before), Some(after)) = (before, after) else { return Judged::Open };
        match slip(unit, before, after.back(step)) {
            Ok(None) => Judged::Best,
            Ok(Some(slip)) => Judged::Slip(slip),
            Err(Contradiction) => Judged::Contradiction,
        }
    }

    /// Describes a move that was not best; `None` for others.
    pub fn words(self, texts: Texts) -> Option<String> {
        let plies = |key, plies: u32| {
            texts.fill(key, &[("count", &texts.counted(&plies.to_string(), "ply-1", "ply-n"))])
        };
        let slip = match self {
            Judged::Open | Judged::Best => return None,
            Judged::Contradiction => return Some(texts.get("slip-wrong").to_owned()),
            Judged::Slip(slip) => slip,
        };
        Some(match slip {
            Slip::WinToDraw => texts.get("slip-win-draw").to_owned(),
            Slip::WinToLoss => texts.get("slip-win-loss").to_owned(),
            Slip::DrawToLoss => texts.get("slip-draw-loss").to_owned(),
            Slip::Points { lost: 1, of: 1 } => texts.get("slip-point").to_owned(),
            Slip::Points { lost, of: 1 } => texts.fill("slip-points", &[("points", &lost.to_string())]),
            Slip::Points { lost, of } => texts.fill("slip-points", &[("points", &format!("{lost}/{of}"))]),
            Slip::Slower { plies: count } => plies("slip-slower", count),
            Slip::Shorter { plies: count } => plies("slip-shorter", count),
        })
    }

    /// Reports whether the move changed the winner or the margin.
    pub fn loses_value(self) -> bool {
        matches!(self, Judged::Slip(slip) if slip.loses_value())
    }
}

/// The value of a position for player one, the points so far included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    pub outcome: Wdl,
    /// Plies to the end, if they are known.
    pub plies: Option<u32>,
    /// The final margin in games for points, in the parts of the game's unit.
    pub margin: Option<i32>,
}

/// A position of a game.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The player to move.
    pub turn: Player,
    /// The position as one line.
    pub position: String,
    /// Its value; `None` if it is not known.
    pub worth: Option<Worth>,
}

/// A game so far.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// The positions, the first before all moves.
    pub stages: Vec<Stage>,
    /// The judgement of each move.
    pub moves: Vec<Judged>,
    /// The moves in the notation of people.
    pub notes: Vec<String>,
}

impl Course {
    /// Returns the positions as text, the first before all moves.
    pub fn positions(&self) -> Vec<&str> {
        self.stages.iter().map(|stage| stage.position.as_str()).collect()
    }
}

/// Returns the exact value of a position if it is known or found before the work ends.
pub fn value(session: &mut Session, work: &Work<'_>) -> Option<Value> {
    session.over().or_else(|| session.ready(work, None).value)
}

/// Plays the moves that lead to `target`. Those of games of at most `judged` moves are judged by the values that are known
/// without any work, and with `proof`, the settings of searches, by those that are proved before its work ends, from the last
/// position to the first.
pub fn course(
    session: &mut Session,
    target: &PositionRef,
    judged: usize,
    proof: Option<(&Settings, &Work<'_>)>,
) -> Course {
    let mut course = Course::default();
    if session.setup_typed(target.fen.as_deref()).is_err() {
        return course;
    }
    let known = at_once();
    let find = |session: &mut Session| value(session, &known).filter(|_| target.moves.len() <= judged);
    let (mut positions, mut steps, mut values) = (vec![session.position()], Vec::new(), vec![find(session)]);
    for word in &target.moves {
        let note = session.note(word);
        let Ok(played) = session.play(word) else { break };
        course.notes.push(note.unwrap_or(played.word));
        steps.push(played.step);
        positions.push(session.position());
        values.push(find(session));
    }
    if let Some((settings, work)) = proof.filter(|_| target.moves.len() <= judged) {
        let until = work.until.unwrap_or_else(Instant::now);
        // Who wins comes first, then how soon.
        for distance in [Distance::First, Distance::Exact] {
            let settings = Settings { distance, ..settings.clone() };
            let mut prover = Backward::new(session.at_start(), &settings);
            prover.complete(&positions, &steps, &mut values, until, work.stop);
        }
    }
    let pairs = values.iter().zip(&values[1..]).zip(&steps);
    course.moves =
        pairs.map(|((&before, &after), &step)| Judged::of(session.unit(), before, after, step)).collect();
    // The same positions once more, now that their values are known.
    let _ = session.setup_typed(target.fen.as_deref());
    course.stages.push(stage(session, values[0]));
    for (word, &value) in target.moves.iter().zip(&values[1..]) {
        let _ = session.play(word);
        course.stages.push(stage(session, value));
    }
    course
}

/// Describes the position of a session, whose value for the player to move is given.
fn stage(session: &Session, value: Option<Value>) -> Stage {
    let turn = session.turn();
    let worth = value.map(|value| {
        let outcome = session.outcome(value);
        let lead = session.score().map_or(0, |(one, two)| one - two);
        let (outcome, sign) = if turn == Player::One { (outcome, 1) } else { (-outcome, -1) };
        Worth { outcome, plies: value.plies(), margin: value.margin().map(|margin| sign * margin + lead) }
    });
    Stage { turn, position: session.position(), worth }
}

/// Summarizes the judgements in one line; `None` if there are no moves.
pub fn summary(moves: &[Judged], texts: Texts) -> Option<String> {
    if moves.is_empty() {
        return None;
    }
    let count = |test: &dyn Fn(&Judged) -> bool| moves.iter().filter(|&judged| test(judged)).count();
    let compared = count(&|&judged| judged != Judged::Open);
    let lost = count(&|judged| judged.loses_value());
    let longer = count(&|&judged| matches!(judged, Judged::Slip(_))) - lost;
    let wrong = count(&|&judged| judged == Judged::Contradiction);
    let all = texts.counted(&moves.len().to_string(), "move-1", "move-n");
    let all = match compared < moves.len() {
        true => texts.fill("audit-some", &[("some", &compared.to_string()), ("moves", &all)]),
        false => all,
    };
    let mut said = texts.fill("audit", &[("moves", &all), ("lost", &lost.to_string())]);
    for (key, count) in [("audit-longer", longer), ("audit-wrong", wrong)] {
        if count > 0 {
            said += &texts.fill(key, &[("count", &count.to_string())]);
        }
    }
    Some(said + ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use grundy::catalog;
    use grundy::session::quiet_work;

    use crate::texts::english;

    #[test]
    fn moves_are_judged_by_what_they_cost() {
        let mut session = catalog::open("nim:1,2", &Settings::default()).expect("a game");
        session.ready(&quiet_work(), None);
        let game = PositionRef::new("nim:1,2", None, Some("2:2 1:1"));
        let known = course(&mut session, &game, 2, None);
        assert_eq!(known.moves, [Judged::Slip(Slip::WinToLoss), Judged::Best]);
        let outcomes: Vec<_> =
            known.stages.iter().map(|stage| stage.worth.map(|worth| worth.outcome)).collect();
        assert_eq!(outcomes, [Some(Wdl::Win), Some(Wdl::Loss), Some(Wdl::Loss)]);
        let turns: Vec<_> = known.stages.iter().map(|stage| stage.turn).collect();
        assert_eq!(turns, [Player::One, Player::Two, Player::One]);
        let longer = course(&mut session, &game, 1, None);
        assert_eq!(longer.moves, [Judged::Open, Judged::Open], "a longer game");
    }

    #[test]
    fn a_game_without_a_table_is_proved_from_its_end() {
        let settings = Settings { hash_mb: 1, ..Settings::default() };
        let mut session = catalog::open("connect4:4x4", &settings).expect("a game");
        let game = PositionRef::new("connect4:4x4", None, Some("a b a b a c a"));
        let open = course(&mut session, &game, 9, None);
        assert!(open.moves.contains(&Judged::Open), "{open:?}");
        let work = quiet_work().within(Duration::from_secs(60));
        let proved = course(&mut session, &game, 9, Some((&settings, &work)));
        let slips: Vec<usize> = (0..7).filter(|&i| proved.moves[i].loses_value()).collect();
        assert_eq!(slips, [5], "the second player lets a column fill: {proved:?}");
        assert!(!proved.moves.contains(&Judged::Open));
    }

    #[test]
    fn an_audit_counts_what_it_could_compare() {
        let slower = Judged::Slip(Slip::Slower { plies: 2 });
        let moves = [Judged::Slip(Slip::DrawToLoss), Judged::Open, Judged::Open, Judged::Best];
        assert_eq!(
            summary(&moves, english()).as_deref(),
            Some("Audit: 2 of 4 moves compared with exact values, 1 gave value away.")
        );
        assert!(
            summary(&[slower], english())
                .is_some_and(|said| said.ends_with("1 kept it by a longer way or lost sooner."))
        );
        assert_eq!(summary(&[], english()), None);
    }
}
