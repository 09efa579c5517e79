//! Moves judged as the referee judges them: what each cost whoever made it, by the exact values.

use grundy::game::Player;
use grundy::session::{STOPPED, Session, Work, quiet_work};
use grundy::slip::{Contradiction, Slip, slip};
use grundy::value::{Step, Unit, Value, Wdl};

use crate::games::Place;

/// A move and what it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The value before it or after it is not known.
    Open,
    /// It was best.
    Best,
    /// It cost this.
    Slip(Slip),
    /// It is worth more than the position it was made in: one of the two values is wrong.
    Contradiction,
}

impl Judged {
    /// A move from a position of this value to one of that, each seen by its player to move.
    pub fn of(unit: Unit, before: Option<Value>, after: Option<Value>, step: Step) -> Judged {
        let (Some(before), Some(after)) = (before, after) else { return Judged::Open };
        match slip(unit, before, after.back(step)) {
            Ok(None) => Judged::Best,
            Ok(Some(slip)) => Judged::Slip(slip),
            Err(Contradiction) => Judged::Contradiction,
        }
    }

    /// What is to be said of the move, where something is.
    pub fn words(self) -> Option<String> {
        match self {
            Judged::Open | Judged::Best => None,
            Judged::Slip(slip) => Some(slip.to_string()),
            Judged::Contradiction => Some("better than the value of its position".to_owned()),
        }
    }

    /// Whether the move changed who wins, or by how much.
    pub fn loses_value(self) -> bool {
        matches!(self, Judged::Slip(slip) if slip.loses_value())
    }
}

/// A game so far.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// What each position is worth to player one, the first before all moves; `None` where it is not known.
    pub outcomes: Vec<Option<Wdl>>,
    /// What each move cost.
    pub moves: Vec<Judged>,
}

/// The exact value of a position, where it is known or found before the work ends.
pub fn value(session: &mut Session, work: &Work<'_>) -> Option<Value> {
    session.over().or_else(|| session.ready(work, None).value)
}

/// The moves that lead to a place, judged by what is known without any work.
pub fn course(session: &mut Session, place: &Place) -> Course {
    let mut course = Course::default();
    if session.setup(place.fen.as_deref()).is_err() {
        return course;
    }
    let outcome = |session: &Session, value: Option<Value>| {
        let wdl = session.outcome(value?);
        Some(if session.turn() == Player::One { wdl } else { opposite(wdl) })
    };
    let work = Work { stop: &STOPPED, ..quiet_work() };
    let mut before = value(session, &work);
    course.outcomes.push(outcome(session, before));
    for word in &place.moves {
        let Ok(played) = session.play(word) else { break };
        let after = value(session, &work);
        course.moves.push(Judged::of(session.unit(), before, after, played.step));
        course.outcomes.push(outcome(session, after));
        before = after;
    }
    course
}

fn opposite(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::Win => Wdl::Loss,
        Wdl::Draw => Wdl::Draw,
        Wdl::Loss => Wdl::Win,
    }
}

/// How the moves compare with the exact values, in one line; `None` where there are none.
pub fn summary(moves: &[Judged]) -> Option<String> {
    if moves.is_empty() {
        return None;
    }
    let count = |test: &dyn Fn(&Judged) -> bool| moves.iter().filter(|&judged| test(judged)).count();
    let compared = count(&|&judged| judged != Judged::Open);
    let lost = count(&|judged| judged.loses_value());
    let longer = count(&|&judged| matches!(judged, Judged::Slip(_))) - lost;
    let wrong = count(&|&judged| judged == Judged::Contradiction);
    let all = if moves.len() == 1 { "1 move".to_owned() } else { format!("{} moves", moves.len()) };
    let all = if compared < moves.len() { format!("{compared} of {all}") } else { all };
    let mut said = format!("Audit: {all} compared with exact values, {lost} gave value away");
    if longer > 0 {
        said += &format!(", {longer} kept it by a longer way or lost sooner");
    }
    if wrong > 0 {
        said += &format!(", {wrong} contradict the values");
    }
    Some(said + ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy::catalog;
    use grundy::session::{NEVER, Settings};

    #[test]
    fn moves_are_judged_by_what_they_cost() {
        let mut session = catalog::open("nim:1,2", &Settings::default()).expect("a game");
        session.ready(&Work { stop: &NEVER, ..quiet_work() }, None);
        let course = course(&mut session, &Place::new("nim:1,2", None, Some("2:2 1:1")));
        assert_eq!(course.moves, [Judged::Slip(Slip::WinToLoss), Judged::Best]);
        assert_eq!(course.outcomes, [Some(Wdl::Win), Some(Wdl::Loss), Some(Wdl::Loss)]);
    }

    #[test]
    fn an_audit_counts_what_it_could_compare() {
        let slower = Judged::Slip(Slip::Slower { plies: 2 });
        let moves = [Judged::Slip(Slip::DrawToLoss), Judged::Open, Judged::Open, Judged::Best];
        assert_eq!(
            summary(&moves).as_deref(),
            Some("Audit: 2 of 4 moves compared with exact values, 1 gave value away.")
        );
        assert!(
            summary(&[slower])
                .is_some_and(|said| said.ends_with("1 kept it by a longer way or lost sooner."))
        );
        assert_eq!(summary(&[]), None);
    }
}
