//! Addresses of positions: every position is a link.

use crate::games::PositionRef;

/// Encodes a text for a query.
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

/// Returns the address of a position. In a path a blank is `%20`, in a query `+`.
pub fn address(target: &PositionRef) -> String {
    let mut url = format!("/game/{}", encoded(&target.game).replace('+', "%20"));
    let mut sign = '?';
    if let Some(fen) = &target.fen {
        url += &format!("{sign}fen={}", encoded(fen));
        sign = '&';
    }
    if !target.moves.is_empty() {
        url += &format!("{sign}moves={}", encoded(&target.moves.join(" ")));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_an_address() {
        let target = PositionRef::new("dots:2x2", Some("../.../../.../.. 0-0 1"), Some("a1b1 b2b3"));
        assert_eq!(address(&target), "/game/dots:2x2?fen=..%2F...%2F..%2F...%2F..+0-0+1&moves=a1b1+b2b3");
        assert_eq!(address(&PositionRef::new("police:C./.T", None, None)), "/game/police:C.%2F.T");
    }
}
