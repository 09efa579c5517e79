//! The course of a move's line between the boxes of a drawn graph.

/// Space between a line and the boxes that it passes, in pixels.
const CLEARANCE: f64 = 3.0;
/// Points of a line that are checked for boxes.
const SAMPLES: usize = 24;
/// Cost of a point within a box, in pixels of length.
const HIT: f64 = 1_000.0;
/// Share of a box's width between its middle and the end of a line that leads back, so that it does not lie on the line forth.
const ASIDE: f64 = 0.3;
/// How far lines bend aside on their way past layers, in pixels.
const BULGES: [f64; 9] = [0.0, 60.0, -60.0, 120.0, -120.0, 200.0, -200.0, 320.0, -320.0];
/// The longest reach of a bend towards the next layer, in pixels.
const REACH: f64 = 46.0;

/// A rectangle, in pixels.
#[derive(Clone, Copy)]
pub struct Rect {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Rect {
    /// Extends it to hold what reaches so far from a point to either side.
    pub fn include(&mut self, x: f64, y: f64, wide: f64, high: f64) {
        (self.left, self.right) = (self.left.min(x - wide), self.right.max(x + wide));
        (self.top, self.bottom) = (self.top.min(y - high), self.bottom.max(y + high));
    }

    fn middle(&self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        self.left - CLEARANCE < x
            && x < self.right + CLEARANCE
            && self.top - CLEARANCE < y
            && y < self.bottom + CLEARANCE
    }
}

/// A cubic Bézier curve.
#[derive(Clone, Copy)]
pub struct Route {
    pub points: [(f64, f64); 4],
    /// True if it is drawn as the straight line between its ends.
    pub straight: bool,
    /// The place of its word, from 0, the start, to 1: nearer to the start, where fewer lines meet and where the line back
    /// has none.
    pub word: f64,
}

impl Route {
    fn new(points: [(f64, f64); 4]) -> Route {
        Route { points, straight: false, word: 0.5 }
    }

    /// Returns the point at `t` from 0, the start, to 1.
    pub fn at(&self, t: f64) -> (f64, f64) {
        let [a, b, c, d] = self.points;
        let s = 1.0 - t;
        let weights = match self.straight {
            true => [s, 0.0, 0.0, t],
            false => [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t],
        };
        let sum = |axis: fn((f64, f64)) -> f64| {
            [a, b, c, d].into_iter().zip(weights).map(|(point, weight)| axis(point) * weight).sum()
        };
        (sum(|point| point.0), sum(|point| point.1))
    }

    /// Returns points along the curve, without its ends.
    pub fn samples(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        (1..SAMPLES).map(|i| self.at(i as f64 / SAMPLES as f64))
    }

    /// Returns its length, and a penalty for each box that it passes through.
    fn cost(&self, boxes: &[Rect]) -> f64 {
        let mut bounds = Rect { left: f64::MAX, right: f64::MIN, top: f64::MAX, bottom: f64::MIN };
        let (mut length, mut last) = (0.0, self.points[0]);
        for (x, y) in self.samples().chain([self.points[3]]) {
            bounds.include(x, y, 0.0, 0.0);
            length += (x - last.0).hypot(y - last.1);
            last = (x, y);
        }
        let near = boxes.iter().filter(|b| {
            b.left - CLEARANCE < bounds.right
                && bounds.left < b.right + CLEARANCE
                && b.top - CLEARANCE < bounds.bottom
                && bounds.top < b.bottom + CLEARANCE
        });
        // The first and the last points may lie at the boxes of the line's own ends.
        near.map(|b| self.samples().skip(1).take(SAMPLES - 3).filter(|&point| b.holds(point)).count())
            .fold(length, |sum, hits| sum + HIT * hits as f64)
    }
}

/// Returns the course of a line from one box to another: straight to a later layer, else the shortest of some curves that
/// passes through the fewest boxes. Layers run from top to bottom in the coordinates of `boxes`; `sideways` exchanges x and y
/// of the result.
pub fn route(boxes: &[Rect], from: usize, to: usize, sideways: bool) -> Route {
    let (a, b) = (boxes[from], boxes[to]);
    let mut route = match () {
        () if b.top > a.bottom => {
            let (start, end) = ((a.middle().0, a.bottom), (b.middle().0, b.top));
            Route { points: [start, start, end, end], straight: true, word: 0.4 }
        }
        () if from == to => {
            let (x, y) = (a.right, a.middle().1);
            Route::new([(x, y - 8.0), (x + 24.0, y - 16.0), (x + 24.0, y + 16.0), (x, y + 8.0)])
        }
        () => {
            let curves = curves(boxes, a, b);
            let costs = curves.iter().map(|curve| (curve.cost(boxes), *curve));
            let best = costs.min_by(|a, b| a.0.total_cmp(&b.0));
            let best = best.expect("there are curves on both sides").1;
            Route { word: if a.top > b.bottom { 0.3 } else { best.word }, ..best }
        }
    };
    if sideways {
        route.points = route.points.map(|(x, y)| (y, x));
    }
    route
}

/// Returns curves from a box to one of the same layer or an earlier one.
fn curves(boxes: &[Rect], a: Rect, b: Rect) -> Vec<Route> {
    let mut curves = Vec::new();
    let ((ax, ay), (bx, by)) = (a.middle(), b.middle());
    let aside = |r: Rect, side: f64| r.middle().0 + side * ASIDE * (r.right - r.left);
    for side in [1.0, -1.0] {
        // Through the space between the layers, bent on a longer way.
        let start = aside(a, side);
        if a.top > b.bottom {
            let reach = REACH.min((a.top - b.bottom) / 2.0);
            for (bulge, end) in BULGES.into_iter().flat_map(|bulge| [(bulge, 1.0), (bulge, -1.0)]) {
                let end = aside(b, end);
                curves.push(Route::new([
                    (start, a.top),
                    (start + bulge, a.top - reach),
                    (end + bulge, b.bottom + reach),
                    (end, b.bottom),
                ]));
            }
        } else {
            let end = aside(b, if (bx > ax) == (side > 0.0) { -side } else { side });
            curves.push(Route::new([
                (start, a.top),
                (start, a.top - REACH),
                (end, b.top - REACH),
                (end, b.top),
            ]));
        }
        // From side to side, around one's own boxes or around all that stand between the layers.
        let edge = |r: &Rect| if side > 0.0 { r.right } else { -r.left };
        let own = edge(&a).max(edge(&b));
        let between = boxes.iter().filter(|r| r.bottom > by && r.top < ay);
        let all = between.map(edge).fold(own, f64::max);
        let bends = [own + 18.0 + (ay - by) * 0.12, own + 60.0, (all * 4.0 - own) / 3.0 + 16.0];
        for bend in bends {
            let (x1, x2) = (side * edge(&a), side * edge(&b));
            curves.push(Route::new([(x1, ay), (side * bend, ay), (side * bend, by), (x2, by)]));
        }
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_lead_back_pass_beside_all_boxes() {
        // Three layers of four boxes.
        let boxes: Vec<Rect> = (0..12)
            .map(|i| {
                let (left, top) = (f64::from(i % 4) * 75.0, f64::from(i / 4) * 98.0);
                Rect { left, right: left + 53.0, top, bottom: top + 40.0 }
            })
            .collect();
        for from in 0..12 {
            for to in (0..12).filter(|to| to / 4 <= from / 4) {
                let route = route(&boxes, from, to, false);
                let through = |r: &Rect| {
                    route.samples().any(|(x, y)| r.left < x && x < r.right && r.top < y && y < r.bottom)
                };
                let crossed: Vec<usize> = (0..12).filter(|&i| through(&boxes[i])).collect();
                assert_eq!(crossed, [], "from {from} to {to}");
                let aside = super::route(&boxes, from, to, true);
                assert_eq!(aside.points, route.points.map(|(x, y)| (y, x)));
            }
        }
    }
}
