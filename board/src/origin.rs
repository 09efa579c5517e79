//! Admission of requests from browsers: those that name this board, from pages that are its own.
//!
//! A browser lets every page send requests to every address, this machine included. Two fields that a page cannot forge tell
//! them apart. `Host` is the name that the page used: a foreign name means that somebody's domain was made to point here (DNS
//! rebinding), so that the browser takes the page for one of ours. `Origin` (if it is missing, `Sec-Fetch-Site` or `Referer`)
//! is the site of the page. Programs send neither, and are admitted.

use std::net::IpAddr;

use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderName, Method, header};

/// The relation of a page to the address that it asks, as browsers send it.
const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// The use of an answer: `navigate` if it becomes a page.
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// Paths below which a request runs a search or an engine, whatever its method.
const AT_WORK: [&str; 4] = ["/api/", "/standard", "/uwapi", "/ugi"];

/// The names that this board answers to, and the pages that it serves.
#[derive(Clone, Debug)]
pub struct Origins {
    listen: IpAddr,
    hosts: Vec<String>,
    /// True if pages of all sites are admitted under all names.
    open: bool,
}

/// A host's name, with its port if one is given.
#[derive(Debug, PartialEq, Eq)]
struct HostName {
    name: String,
    port: Option<u16>,
}

impl HostName {
    /// Reads `name`, `name:8080` or `[::1]:8080`; upper case and the dot behind a whole name make no difference.
    fn read(text: &str) -> Option<HostName> {
        let authority: Authority = text.parse().ok().filter(|_| !text.contains('@'))?;
        let port = match text[authority.host().len()..].strip_prefix(':') {
            None => None,
            Some("") => None,
            Some(port) => Some(port.parse().ok()?),
        };
        let name = authority.host().trim_matches(['[', ']']).to_ascii_lowercase();
        let name = name.strip_suffix('.').unwrap_or(&name).to_owned();
        (!name.is_empty()).then_some(HostName { name, port })
    }

    /// Reads `http://name:8080`; returns it with the default port of the scheme. `None` for what is no page of a site: `null`,
    /// extensions, files.
    fn of_origin(text: &str) -> Option<(HostName, u16)> {
        let (scheme, rest) = text.split_once("://")?;
        let usual = match scheme.to_ascii_lowercase().as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let host = HostName::read(rest.split(['/', '?', '#']).next()?)?;
        Some((host, usual))
    }

    fn address(&self) -> Option<IpAddr> {
        self.name.parse().ok().map(|address: IpAddr| address.to_canonical())
    }
}

/// Reads a name for `--host`.
///
/// # Errors
/// It is not a name: what was expected.
pub fn host(text: &str) -> Result<String, String> {
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b));
    match HostName::read(text) {
        Some(HostName { name, port: None }) if plain(&name) => Ok(name),
        _ => Err("expected a name or an address alone, as in board.example.org".to_owned()),
    }
}

/// Reads an origin for `--embed`: a scheme and a host, with a port if it has one.
///
/// # Errors
/// It is not an origin: what was expected.
pub fn embedder(text: &str) -> Result<String, String> {
    let text = text.strip_suffix('/').unwrap_or(text);
    let (scheme, rest) = text.split_once("://").unwrap_or(("", ""));
    let plain = rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:[]".contains(&b));
    match HostName::read(rest) {
        Some(_) if plain && ["http", "https"].contains(&scheme) => Ok(text.to_owned()),
        _ => Err("expected the origin of a site, as in https://school.example.org".to_owned()),
    }
}

impl Origins {
    /// Makes the rules of a board that listens on an address and is reached by `hosts` besides; `open` admits everybody.
    pub fn new(listen: IpAddr, hosts: &[String], open: bool) -> Origins {
        Origins { listen: listen.to_canonical(), hosts: hosts.to_vec(), open }
    }

    /// Checks that a request may be served.
    ///
    /// # Errors
    /// It may not: one line that says why, and which option would change that.
    pub fn admit(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), String> {
        if self.open {
            return Ok(());
        }
        let host = self.host_of(uri, headers)?;
        let reads = matches!(*method, Method::GET | Method::HEAD);
        let foreign = |page: &str| {
            Err(format!(
                "requests of the page {page:?} are not served: start the board with --host NAME where the page is its \
                 own behind another name, or with --cors to serve pages of all sites"
            ))
        };
        let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        if reads && !AT_WORK.iter().any(|path| uri.path().starts_with(path)) {
            // Pages may be linked to from everywhere. As an image or a script of another page they would only keep this
            // machine busy: they open games and look for puzzles.
            let part = matches!(text(&SITE), Some("cross-site" | "same-site"))
                && text(&MODE).is_some_and(|mode| mode != "navigate");
            return if part { foreign(text(&header::REFERER).unwrap_or("?")) } else { Ok(()) };
        }
        match (text(&header::ORIGIN), text(&SITE), text(&header::REFERER)) {
            (Some(_), _, _) if headers.get_all(header::ORIGIN).iter().count() > 1 => foreign("?"),
            (Some(origin), _, _) if self.is_own(host.as_ref(), origin) => Ok(()),
            (Some(origin), _, _) => foreign(origin),
            (None, Some("same-origin" | "none"), _) => Ok(()),
            (None, Some(_), page) => foreign(page.unwrap_or("?")),
            (None, None, Some(page)) if self.is_own(host.as_ref(), page) => Ok(()),
            (None, None, Some(page)) => foreign(page),
            (None, None, None) => Ok(()),
        }
    }

    /// Returns the name that a request was sent to; `None` if it names none, as old programs do.
    fn host_of(&self, uri: &Uri, headers: &HeaderMap) -> Result<Option<HostName>, String> {
        let mut named = Vec::new();
        for value in headers.get_all(header::HOST) {
            named.push(value.to_str().unwrap_or("?"));
        }
        named.extend(uri.authority().map(Authority::as_str));
        let mut found: Option<HostName> = None;
        for name in named {
            match HostName::read(name).filter(|host| self.answers_to(host)) {
                Some(host) if found.as_ref().is_none_or(|other| *other == host) => found = Some(host),
                _ => {
                    return Err(format!(
                        "this board does not answer to the name {name:?}: start it with --host NAME to reach it by \
                         another name than localhost"
                    ));
                }
            }
        }
        Ok(found)
    }

    /// Reports whether this is one of the board's own names. Addresses cannot be made to point elsewhere: if the board listens on all of
    /// them, all are its own.
    fn answers_to(&self, host: &HostName) -> bool {
        match host.address() {
            Some(address) => {
                address.is_loopback()
                    || address == self.listen
                    || self.listen.is_unspecified()
                    || self.hosts.contains(&host.name)
            }
            None => host.name == "localhost" || self.hosts.contains(&host.name),
        }
    }

    /// Reports whether a page is of this board: it comes from the host that it asks, or from a name that was given for the board (a
    /// reverse proxy may use another name than browsers do).
    fn is_own(&self, host: Option<&HostName>, origin: &str) -> bool {
        let Some((page, usual)) = HostName::of_origin(origin) else { return false };
        let port = |host: &HostName| host.port.unwrap_or(usual);
        self.hosts.contains(&page.name)
            || host.is_some_and(|host| host.name == page.name && port(host) == port(&page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn headers(list: &[(HeaderName, &str)]) -> HeaderMap {
        let field = |(name, value): &(HeaderName, &str)| (name.clone(), value.parse().expect("a value"));
        list.iter().map(field).collect()
    }

    #[test]
    fn a_site_that_embeds_is_named_by_its_origin() {
        assert_eq!(embedder("https://school.example.org/").as_deref(), Ok("https://school.example.org"));
        assert_eq!(embedder("http://[::1]:8000").as_deref(), Ok("http://[::1]:8000"));
        for wrong in
            ["*", "school.example.org", "https://a; script-src *", "https://a b", "https://", "data://x"]
        {
            assert!(embedder(wrong).is_err(), "{wrong}");
        }
    }

    fn admits(origins: &Origins, method: &Method, path: &str, list: &[(HeaderName, &str)]) -> bool {
        origins.admit(method, &path.parse().expect("an address"), &headers(list)).is_ok()
    }

    const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[test]
    fn the_board_answers_to_its_own_names_alone() {
        let board = Origins::new(LOOPBACK, &["board.example.org".to_owned()], false);
        let named = |host: &str| admits(&board, &Method::GET, "/", &[(header::HOST, host)]);
        for own in [
            "localhost",
            "LocalHost:8080",
            "localhost.:8080",
            "127.0.0.1",
            "127.0.0.1:1",
            "127.1.2.3:80",
            "[::1]:8080",
            "[::1]",
            "[::FFFF:127.0.0.1]:8080",
            "board.example.org",
            "Board.Example.Org.:443",
        ] {
            assert!(named(own), "{own}");
        }
        for foreign in [
            "x",
            "evil.example",
            "rebind.evil.example:8391",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "192.168.1.5",
            "127.1",
            "2130706433",
            "0.0.0.0:8080",
            "127.0.0.1@evil.example",
            "evil.example@127.0.0.1",
            "[::2]",
            "",
            ":80",
            "localhost:x",
            "board.example.org.evil",
            "a b",
        ] {
            assert!(!named(foreign), "{foreign}");
        }
        assert!(admits(&board, &Method::GET, "/", &[]), "a program that names nobody");
        assert!(!admits(&board, &Method::GET, "http://evil.example/", &[(header::HOST, "localhost")]));
        assert!(!admits(&board, &Method::GET, "/", &[(header::HOST, "localhost"), (header::HOST, "evil")]));
        let public = Origins::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), &[], false);
        assert!(admits(&public, &Method::GET, "/", &[(header::HOST, "192.168.1.5:8080")]));
        assert!(!admits(&public, &Method::GET, "/", &[(header::HOST, "evil.example")]));
        let open = Origins::new(LOOPBACK, &[], true);
        assert!(admits(&open, &Method::POST, "/api/read", &[(header::HOST, "x"), (header::ORIGIN, "null")]));
    }

    #[test]
    fn pages_of_other_sites_start_nothing() {
        let board = Origins::new(LOOPBACK, &["board.example.org".to_owned()], false);
        let at = |path: &str, host: &str, more: &[(HeaderName, &str)]| {
            let list: Vec<_> = [(header::HOST, host)].iter().chain(more).cloned().collect();
            admits(&board, &Method::GET, path, &list)
        };
        let origin = |host: &str, origin: &str| at("/ugi", host, &[(header::ORIGIN, origin)]);
        for (host, page) in [
            ("localhost:8080", "http://localhost:8080"),
            ("LOCALHOST:8080", "HTTP://localhost:8080"),
            ("localhost.:8080", "http://localhost.:8080"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("localhost", "http://localhost"),
            ("localhost:80", "http://localhost"),
            ("localhost", "https://localhost:443"),
            ("127.0.0.1:8080", "https://board.example.org"),
        ] {
            assert!(origin(host, page), "{page} asks {host}");
        }
        for (host, page) in [
            ("localhost:8080", "null"),
            ("localhost:8080", "http://evil.example"),
            ("localhost:8080", "http://localhost:3000"),
            ("localhost:8080", "http://localhost"),
            ("localhost:8080", "http://127.0.0.1:8080"),
            ("localhost:8080", "http://localhost:8080@evil.example"),
            ("localhost:8080", "http://localhost.evil.example:8080"),
            ("localhost:443", "http://localhost"),
            ("localhost:8080", "file://"),
            ("localhost:8080", "chrome-extension://localhost:8080"),
            ("localhost:8080", ""),
        ] {
            assert!(!origin(host, page), "{page} asks {host}");
        }
        let here = "localhost:8080";
        // Pictures, forms and links of other pages bear no origin.
        for site in ["cross-site", "same-site"] {
            assert!(!at("/api/chess/match?one=perfect", here, &[(SITE, site)]), "{site}");
            assert!(at("/game/chess", here, &[(SITE, site)]), "a link to a page");
            assert!(at("/puzzle?game=nim", here, &[(SITE, site), (MODE, "navigate")]), "a link to a puzzle");
            assert!(!at("/puzzle?game=nim", here, &[(SITE, site), (MODE, "no-cors")]), "an image that works");
        }
        assert!(at("/api/nim/position", here, &[(SITE, "same-origin")]));
        assert!(at("/api/nim/position", here, &[(SITE, "none")]), "typed by the visitor");
        assert!(!at("/api/nim/position", here, &[(header::REFERER, "http://evil.example/page")]));
        assert!(at("/api/nim/position", here, &[(header::REFERER, "http://localhost:8080/game/nim")]));
        assert!(at("/api/nim/position", here, &[]), "a program");
        let posted = |list: &[(HeaderName, &str)]| admits(&board, &Method::POST, "/any", list);
        assert!(!posted(&[(header::HOST, here), (header::ORIGIN, "http://evil.example")]));
        assert!(
            !posted(&[(header::ORIGIN, "http://localhost:8080")]),
            "an origin, and no host to compare it with"
        );
        assert!(posted(&[(header::HOST, here)]));
    }

    #[test]
    fn a_host_is_a_name_alone() {
        assert_eq!(host("Board.Example.Org.").as_deref(), Ok("board.example.org"));
        for wrong in ["http://board.example.org", "board.example.org:80", "", "a/b", "*"] {
            assert!(host(wrong).is_err(), "{wrong}");
        }
    }
}
