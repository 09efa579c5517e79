//! A thermograph as a picture: temperature upwards, and values to the left, where Left's advantage is, as in "Winning Ways".

use std::fmt::Write;

use grundy_session::{Corner, Thermograph};

/// Width and height of the picture.
const SIZE: (f64, f64) = (420.0, 300.0);
/// Width of the margin on each side.
const MARGIN: f64 = 60.0;

/// The scale of a picture. Walls that are not upright have an angle of 45 degrees.
struct Scale {
    /// The value in the middle.
    centre: f64,
    /// The lowest temperature, at the lower margin.
    coldest: f64,
    /// Width of a unit of value, and height of a unit of temperature.
    unit: f64,
}

impl Scale {
    fn x(&self, value: f64) -> f64 {
        SIZE.0 / 2.0 + (self.centre - value) * self.unit
    }

    fn y(&self, temperature: f64) -> f64 {
        SIZE.1 - MARGIN - (temperature - self.coldest) * self.unit
    }
}

/// Returns the number of an integer or a fraction.
fn number(text: &str) -> f64 {
    let (top, under) = text.split_once('/').unwrap_or((text, "1"));
    let read = |digits: &str| digits.parse().unwrap_or(f64::NAN);
    read(top) / read(under)
}

/// Returns the picture of a thermograph, as SVG.
pub fn svg(thermograph: &Thermograph) -> String {
    let Thermograph { mast, left, right } = thermograph;
    let (mean, temperature) = (number(&mast.mean), number(&mast.temperature));
    // Walls are farthest apart at their feet.
    let foot = |wall: &[Corner]| wall.first().map_or(mast.mean.clone(), |corner| corner.value.clone());
    let (left_stop, right_stop) = (foot(left), foot(right));
    let (greatest, least) = (number(&left_stop), number(&right_stop));
    let wide = if greatest > least { greatest - least } else { 2.0 };
    let coldest = temperature.min(0.0);
    let high = (temperature - coldest).max(wide / 4.0) * 1.4;
    let unit = ((SIZE.0 - 2.0 * MARGIN) / wide).min((SIZE.1 - 2.0 * MARGIN) / high);
    let scale = Scale { centre: (greatest + least) / 2.0, coldest, unit };
    let (middle, top, bottom) = (scale.x(mean), MARGIN, scale.y(0.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <title>Thermograph: temperature {2}, mean {3}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        SIZE.0, SIZE.1, mast.temperature, mast.mean
    );
    let mut line = |from: (f64, f64), to: (f64, f64), style: &str| {
        let ((x1, y1), (x2, y2)) = (from, to);
        // Writing to a text cannot fail.
        let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
    };
    let edge = MARGIN / 2.0;
    let meeting = scale.y(temperature);
    line((edge, bottom), (SIZE.0 - edge, bottom), "stroke=\"#888\"");
    line((edge, meeting), (middle, meeting), "stroke=\"#888\" stroke-dasharray=\"3 4\"");
    line((middle, meeting), (middle, top), "stroke=\"#222\" stroke-width=\"3\"");
    for (wall, colour) in [(left, "#1f5fae"), (right, "#b3382c")] {
        let points: Vec<String> = wall
            .iter()
            .map(|corner| {
                format!("{:.1},{:.1}", scale.x(number(&corner.value)), scale.y(number(&corner.temperature)))
            })
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"3\"/>",
            points.join(" ")
        );
    }
    let mut label = |x: f64, y: f64, text: &str| {
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>");
    };
    label(middle, top - 8.0, &mast.mean);
    label(edge, meeting - 6.0, &mast.temperature);
    if greatest > least {
        label(scale.x(greatest), bottom + 20.0, &left_stop);
        label(scale.x(least), bottom + 20.0, &right_stop);
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use grundy_session::Mast;

    use super::*;

    fn corners(list: &[(&str, &str)]) -> Vec<Corner> {
        let corner = |&(temperature, value): &(&str, &str)| Corner {
            temperature: temperature.to_owned(),
            value: value.to_owned(),
        };
        list.iter().map(corner).collect()
    }

    #[test]
    fn a_picture_has_the_walls_of_left_on_the_left() {
        let mast = Mast { mean: "3/4".to_owned(), temperature: "5/4".to_owned() };
        let left = corners(&[("0", "2"), ("5/4", "3/4")]);
        let right = corners(&[("0", "-1/2"), ("5/4", "3/4")]);
        let picture = svg(&Thermograph { mast, left, right });
        assert!(picture.contains("<polyline points=\"81.4,240.0 210.0,111.4"), "{picture}");
        assert!(picture.contains("<polyline points=\"338.6,240.0 210.0,111.4"), "{picture}");
        assert!(picture.contains(">3/4</text>") && picture.contains(">-1/2</text>"), "{picture}");
        // A number is a mast alone.
        let foot = corners(&[("-1/2", "1/2")]);
        let mast = Mast { mean: "1/2".to_owned(), temperature: "-1/2".to_owned() };
        let picture = svg(&Thermograph { mast, left: foot.clone(), right: foot });
        assert!(!picture.contains("NaN") && picture.contains("points=\"210.0,240.0\""), "{picture}");
    }
}
