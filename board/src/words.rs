//! Values in words: the sign, and what it means for both players.

use grundy::value::Unit;

use crate::answer::Answer;
use crate::texts::Texts;

/// Splits the mark of an estimate (`~`), of a lower (`>=`) or of an upper bound (`<=`) from a value.
fn qualified(value: &str) -> (&'static str, &str) {
    let mut split = ["~", ">=", "<="].into_iter().filter_map(|mark| Some((mark, value.strip_prefix(mark)?)));
    split.next().unwrap_or(("", value))
}

/// The players, the one to move, and the points that are there already, in the language of a page.
pub struct Sides {
    pub texts: Texts,
    pub players: [String; 2],
    mover: u8,
    /// The points that the player to move is ahead.
    lead: f64,
    /// The parts of a point.
    pub denominator: u32,
}

impl Sides {
    /// Returns the sides of a position; players without names are counted.
    pub fn of(answer: &Answer, unit: Unit, players: Option<[String; 2]>, texts: Texts) -> Sides {
        let (one, two) = answer.score.unwrap_or_default();
        let denominator = unit.denominator().get();
        let lead = f64::from(one - two) / f64::from(denominator);
        let players = names(players, texts);
        Sides {
            texts,
            players,
            mover: answer.turn,
            lead: if answer.turn == 1 { lead } else { -lead },
            denominator,
        }
    }

    /// Returns the name of player 1 or 2.
    pub fn name(&self, player: u8) -> &str {
        &self.players[usize::from(player == 2)]
    }

    /// Says who wins by how many points if these points come; `None` if they are no number.
    fn margin(&self, points: &str) -> Option<String> {
        let (over, under) = points.split_once('/').unwrap_or((points, "1"));
        let margin = over.parse::<f64>().ok()? / under.parse::<f64>().ok()? + self.lead;
        let winner = self.name(if margin > 0.0 { self.mover } else { 3 - self.mover });
        // Two digits at most.
        let size = (margin.abs() * 100.0).round() / 100.0;
        Some(match margin == 0.0 {
            true => self.texts.get("even").to_owned(),
            false => self.texts.fill("wins-by", &[("player", winner), ("points", &size.to_string())]),
        })
    }
}

/// Returns the players' names in a language; players without names are counted.
pub fn names(players: Option<[String; 2]>, texts: Texts) -> [String; 2] {
    players.unwrap_or_else(|| ["Player 1", "Player 2"].map(str::to_owned)).map(|name| texts.name(&name))
}

/// Writes a value for a person: the sign, and what it means for the whole game.
pub fn spoken(value: &str, sides: &Sides) -> String {
    let (open, bare) = qualified(value);
    let texts = sides.texts;
    let (mover, other) = (sides.name(sides.mover), sides.name(3 - sides.mover));
    let wins = |player: &str, plies: Option<&str>| match plies {
        None => texts.fill("wins", &[("player", player)]),
        Some(plies) => {
            texts.fill("wins-in", &[("player", player), ("count", &texts.counted(plies, "ply-1", "ply-n"))])
        }
    };
    let least = |bare: &str| if bare == "draw" { texts.get("a-draw").to_owned() } else { short(bare) };
    let words = match (open, bare.split_once(':')) {
        (">=", _) => texts.fill("at-least", &[("player", mover), ("value", &least(bare))]),
        ("<=", _) => texts.fill("at-most", &[("player", mover), ("value", &least(bare))]),
        (_, Some(("win", plies))) => wins(mover, Some(plies)),
        (_, Some(("loss", plies))) => wins(other, Some(plies)),
        _ => match bare {
            "win" => wins(mover, None),
            "loss" => wins(other, None),
            "draw" => texts.get("a-draw").to_owned(),
            "?" => return texts.get("unproved").to_owned(),
            points => sides.margin(points).unwrap_or_else(|| points.to_owned()),
        },
    };
    let words = if open == "~" { texts.fill("probably", &[("value", &words)]) } else { words };
    format!("{}: {words}", short(value))
}

/// Writes a value in as few characters as fit a cell: `+12`, `−7`, `=`, `?`.
pub fn short(value: &str) -> String {
    let (open, bare) = qualified(value);
    let open = match open {
        ">=" => "\u{2265}",
        "<=" => "\u{2264}",
        other => other,
    };
    let words = match bare.split_once(':') {
        Some(("win", plies)) => format!("+{plies}"),
        Some((_, plies)) => format!("\u{2212}{plies}"),
        None => match bare {
            "win" => "+".to_owned(),
            "loss" => "\u{2212}".to_owned(),
            "draw" => "=".to_owned(),
            other => other.replace('-', "\u{2212}"),
        },
    };
    format!("{open}{words}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::english;

    #[test]
    fn values_are_said_with_sign_and_number() {
        let sides = |mover, lead| Sides {
            texts: english(),
            players: ["Black".to_owned(), "White".to_owned()],
            mover,
            lead,
            denominator: 1,
        };
        let said = |value: &str| spoken(value, &sides(1, 1.0));
        assert_eq!(said("win:12"), "+12: Black wins in 12 plies");
        assert_eq!(said("loss:1"), "\u{2212}1: White wins in 1 ply");
        assert_eq!(said("-4"), "\u{2212}4: White wins by 3");
        assert_eq!(said("-1"), "\u{2212}1: an even score");
        assert_eq!(spoken("~-5/2", &sides(2, 0.0)), "~\u{2212}5/2: probably Black wins by 2.5");
        assert_eq!((said("draw").as_str(), said("?").as_str()), ("=: a draw", "not proved yet"));
        assert_eq!(
            (short("win:12"), short("loss:7"), short("draw")),
            ("+12".into(), "\u{2212}7".into(), "=".into())
        );
        assert_eq!((short("-3"), short("?"), short("~+2")), ("\u{2212}3".into(), "?".into(), "~+2".into()));
        assert_eq!((short(">=draw"), short("<=-3")), ("\u{2265}=".into(), "\u{2264}\u{2212}3".into()));
        assert_eq!(said(">=draw"), "\u{2265}=: at least a draw for Black");
    }
}
