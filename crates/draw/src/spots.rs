//! Sprouts as a diagram: a panel for each region, in it the boundaries as loops through their spots.
//!
//! The lines of a position are drawn in no other way than its notation knows them: a spot that is met twice has the same
//! letter in both places.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use crate::parts::{escape, open};

/// Radius of a spot, and the space around boundaries and panels, in cells.
const SPOT: f64 = 0.3;
const GAP: f64 = 0.25;
/// Width from which panels stand in another row.
const WIDE: f64 = 12.0;

/// Returns the distance of the spots of a boundary from its middle.
fn radius(spots: usize) -> f64 {
    match spots {
        0 | 1 => 0.0,
        2 => 0.55,
        more => 0.9 / (TAU / 2.0 / more as f64).sin() / 2.0,
    }
}

/// Draws lands that end with `!`, their regions with `}`, their boundaries with `.`.
pub fn picture(position: &str) -> String {
    let lands = position.split('!').filter(|land| !land.is_empty());
    let regions: Vec<Vec<&str>> = lands
        .flat_map(|land| land.split('}').filter(|region| !region.is_empty()))
        .map(|region| region.split('.').filter(|boundary| !boundary.is_empty()).collect())
        .collect();
    let of = |boundary: &str| radius(boundary.chars().count()) + SPOT;
    let size = |region: &[&str]| {
        let wide = region.iter().map(|boundary| 2.0 * of(boundary) + GAP).sum::<f64>() + GAP;
        (wide, 2.0 * region.iter().map(|boundary| of(boundary)).fold(SPOT, f64::max) + 2.0 * GAP)
    };
    // Panels from left to right, in rows.
    let (mut x, mut y, mut tall, mut widest) = (GAP, GAP, 0.0_f64, 0.0_f64);
    let mut inner = String::new();
    for region in &regions {
        let (wide, high) = size(region);
        if x > GAP && x + wide > WIDE {
            (x, y, tall) = (GAP, y + tall + GAP, 0.0);
        }
        let _ = write!(
            inner,
            "<rect class=\"c\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{wide:.2}\" height=\"{high:.2}\" rx=\".3\"/>"
        );
        let mut left = x + GAP;
        for boundary in region {
            let reach = of(boundary);
            draw(&mut inner, boundary, left + reach, y + high / 2.0);
            left += 2.0 * reach + GAP;
        }
        x += wide + GAP;
        (tall, widest) = (tall.max(high), widest.max(x));
    }
    if regions.is_empty() {
        (widest, tall) = (4.0, 1.0);
        let _ = write!(inner, "<text class=\"l h\" x=\"2\" y=\".8\">no line is left</text>");
    }
    open(widest, y + tall + GAP, 46.0) + &inner + "</svg>"
}

/// Draws a boundary around its middle.
fn draw(svg: &mut String, boundary: &str, x: f64, y: f64) {
    let spots: Vec<char> = boundary.chars().collect();
    let far = radius(spots.len());
    let at = |i: usize| {
        let turn = TAU * (i as f64 / spots.len() as f64 + 0.5);
        (x + far * turn.cos(), y + far * turn.sin())
    };
    match spots.len() {
        0 | 1 => {}
        2 => {
            let _ = write!(
                svg,
                "<ellipse class=\"edge one\" cx=\"{x:.2}\" cy=\"{y:.2}\" rx=\"{far}\" ry=\"{SPOT}\"/>"
            );
        }
        more => {
            let corners: Vec<String> = (0..more).map(at).map(|(x, y)| format!("{x:.2} {y:.2}")).collect();
            let _ = write!(svg, "<path class=\"edge one\" d=\"M{}z\"/>", corners.join("L"));
        }
    }
    for (i, spot) in spots.iter().enumerate() {
        let (x, y) = at(i);
        let _ = write!(
            svg,
            "<circle class=\"coin\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{SPOT}\"/><text class=\"n\" x=\"{x:.2}\" y=\"{:.2}\">{}</text>",
            y + 0.11,
            escape(&spot.to_string())
        );
    }
}
