//! Pictures with fewer bytes, for pages that show many of them as files.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::parts::attribute;

/// Returns a picture without places in fewer bytes: the square cells of a class are one path, below all men.
pub fn compact(picture: &str) -> String {
    let mut squares: BTreeMap<&str, String> = BTreeMap::new();
    let (mut head, mut rest) = (String::new(), String::new());
    for element in picture.split_inclusive('>') {
        let class = attribute(element, "class");
        let square = element.starts_with("<rect ") && class.split(' ').next() == Some("c");
        let unit = attribute(element, "width") == "1" && attribute(element, "height") == "1";
        if square && unit && !element.contains(" rx=") {
            let (x, y) = (attribute(element, "x"), attribute(element, "y"));
            let _ = write!(squares.entry(class).or_default(), "M{x} {y}h1v1h-1z");
        } else if squares.is_empty() {
            head += element;
        } else {
            rest += element;
        }
    }
    for (class, path) in squares {
        let _ = write!(head, "<path class=\"{class}\" d=\"{path}\"/>");
    }
    head + &rest
}

/// Returns the rules of a style sheet that apply to the classes of a picture. Rules within `@media` are selected, too.
pub fn style_of(picture: &str, style: &str) -> String {
    let classes: Vec<&str> = picture
        .split(" class=\"")
        .skip(1)
        .flat_map(|rest| rest.split('"').next().unwrap_or("").split(' '))
        .collect();
    let applies = |selector: &str| {
        let compounds = selector.split([' ', '{']).flat_map(|part| part.split('.').skip(1));
        compounds.into_iter().all(|class| classes.contains(&class.trim()))
    };
    let mut kept = String::new();
    for rule in style.split_inclusive('}') {
        let (selector, _) = rule.split_once('{').unwrap_or((rule, ""));
        // A block begins with its condition, and ends with a brace more.
        let selector = selector.trim();
        let first = selector.starts_with('@') || selector.is_empty() || selector == "}";
        if first || selector.split(',').any(|selector| applies(selector.trim())) {
            kept += rule.trim();
        }
    }
    kept
}

/// Removes the names from a picture.
pub fn without_places(picture: &str) -> String {
    let mut rest = picture;
    let mut plain = String::with_capacity(picture.len());
    while let Some(at) = rest.find(" data-at=\"") {
        plain += &rest[..at];
        let name = &rest[at + 10..];
        rest = name.find('"').map_or("", |end| &name[end + 1..]);
    }
    plain + rest
}
