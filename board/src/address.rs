//! Addresses of places: every position is a link.

use crate::games::Place;

/// A text as it stands in a query.
pub fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~:,".contains(&byte) {
            out.push(char::from(byte));
        } else if byte == b' ' {
            out.push('+');
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

/// The address of a place. In a path a blank is `%20`, in a query `+`.
pub fn address(place: &Place) -> String {
    let mut url = format!("/game/{}", encoded(&place.game).replace('+', "%20"));
    let mut sign = '?';
    if let Some(fen) = &place.fen {
        url += &format!("{sign}fen={}", encoded(fen));
        sign = '&';
    }
    if !place.moves.is_empty() {
        url += &format!("{sign}moves={}", encoded(&place.moves.join(" ")));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_an_address() {
        let place = Place::new("dots:2x2", Some("../.../../.../.. 0-0 1"), Some("a1b1 b2b3"));
        assert_eq!(address(&place), "/game/dots:2x2?fen=..%2F...%2F..%2F...%2F..+0-0+1&moves=a1b1+b2b3");
        assert_eq!(address(&Place::new("police:C./.T", None, None)), "/game/police:C.%2F.T");
    }
}
