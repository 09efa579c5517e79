//! The texts of the pages: a table for each language, which a request chooses.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::OnceLock;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use grundy_draw::graph_page;
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// The languages: their codes and their tables. The first is that of requests which ask for none of them.
const LANGUAGES: [(&str, &str); 3] = [
    ("en", include_str!("../texts/en.txt")),
    ("de", include_str!("../texts/de.txt")),
    ("sv", include_str!("../texts/sv.txt")),
];
/// The script of the pages.
pub const SCRIPT: &str = include_str!("../assets/board.js");
/// The start of further keys for scripts, which they put together or which the page without a server needs.
const NAMED: [&str; 6] = ["ply-", "move-", "motto", "plural", "skip", "language"];
/// The name of the cookie with the chosen language, and the seconds that it lasts.
const COOKIE: &str = "language";
const LASTING: u32 = 365 * 86_400;

/// The texts in one language.
#[derive(Debug)]
pub struct Table {
    /// The code of the language.
    pub code: &'static str,
    texts: FxHashMap<&'static str, &'static str>,
    /// The texts of the pages' script, as JSON.
    pub scripted: String,
}

/// The texts in the language of a request.
pub type Texts = &'static Table;

/// Returns the tables of all languages.
pub fn all() -> &'static [Table] {
    static READ: OnceLock<Vec<Table>> = OnceLock::new();
    READ.get_or_init(|| {
        let table = |(code, text)| {
            let texts = read(text);
            Table { code, scripted: scripted(&texts), texts }
        };
        LANGUAGES.map(table).into()
    })
}

/// Reads the lines `key = text` of a table.
fn read(text: &'static str) -> FxHashMap<&'static str, &'static str> {
    text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = ")).collect()
}

/// Returns the table of a language.
fn table(code: &str) -> Option<Texts> {
    all().iter().find(|table| table.code == code)
}

/// Returns the table of a language, English if there is none.
pub fn named(code: &str) -> Texts {
    table(code).unwrap_or_else(english)
}

/// Returns the English texts.
pub fn english() -> Texts {
    &all()[0]
}

impl Table {
    /// Returns the text of a key, the key itself if there is none.
    pub fn get(&self, key: &'static str) -> &'static str {
        self.texts.get(key).copied().unwrap_or(key)
    }

    /// Returns the text of a key with its words in braces replaced. Behind `|` it has a form for a `player` whose name is one of
    /// the text `plural`.
    pub fn fill(&self, key: &'static str, words: &[(&str, &str)]) -> String {
        let plural = |&(name, word): &(&str, &str)| {
            name == "player" && self.get("plural").split(' ').any(|many| many == word)
        };
        let text = match self.get(key).split_once('|') {
            Some((_, many)) if words.iter().any(plural) => many,
            Some((one, _)) => one,
            None => self.get(key),
        };
        let text = text.to_owned();
        words.iter().fold(text, |text, (name, word)| text.replace(&format!("{{{name}}}"), word))
    }

    /// Returns the name of a player in this language.
    pub fn name(&self, name: &str) -> String {
        let known = self.texts.get(format!("name.{name}").as_str());
        known.map_or_else(|| name.to_owned(), |&known| known.to_owned())
    }

    /// Returns the title of a game in this language: by its own words as far as they have a translation, or by the name of its
    /// row. `own` is the row's own title, with which it begins. The rest is numbers, letters and words of the full name `game`.
    pub fn title(&self, row: &str, own: &str, title: &str, game: &str) -> String {
        fn words(text: &str) -> impl Iterator<Item = &str> {
            text.split(|c: char| !c.is_alphabetic())
        }
        // Parameters are the same in every language, other words are not.
        let same =
            |rest: &str| words(rest).all(|word| word.len() < 2 || words(game).any(|part| part == word));
        let ends = title.char_indices().filter(|&(_, c)| [' ', ','].contains(&c)).map(|(end, _)| end);
        for end in ends.chain([title.len()]).rev() {
            let (name, rest) = title.split_at(end);
            if let Some(known) = self.texts.get(format!("title.{name}").as_str()).filter(|_| same(rest)) {
                return format!("{known}{rest}");
            }
        }
        let rest = title.strip_prefix(own).filter(|rest| !own.is_empty() && same(rest));
        match (self.texts.get(format!("title.{row}").as_str()), rest) {
            (Some(known), Some(rest)) => format!("{known}{rest}"),
            _ => title.to_owned(),
        }
    }

    /// Counts plies or moves by the keys `one` and `more`.
    pub fn counted(&self, count: &str, one: &'static str, more: &'static str) -> String {
        if count == "1" { self.get(one).to_owned() } else { self.fill(more, &[("count", count)]) }
    }

    /// Writes the texts of the pages' script as a script that defines `grundyTexts`.
    pub fn script(&self) -> String {
        format!("window.grundyTexts = {};\n", self.scripted)
    }
}

/// Writes the texts that the scripts of the pages show as JSON.
fn scripted(texts: &FxHashMap<&'static str, &'static str>) -> String {
    let shown = |key: &str| {
        let quoted = format!("\"{key}\"");
        NAMED.iter().any(|start| key.starts_with(start))
            || [SCRIPT, graph_page::SCRIPT].iter().any(|script| script.contains(&quoted))
    };
    let texts: BTreeMap<_, _> = texts.iter().filter(|(key, _)| shown(key)).collect();
    serde_json::json!(texts).to_string()
}

/// The query of a request that names a language.
#[derive(Default, Deserialize)]
pub struct Named {
    #[serde(default)]
    pub lang: String,
}

/// Chooses the language of a request: by its query, its cookie, or the languages that the browser prefers.
fn choose(query: &str, headers: &HeaderMap) -> Texts {
    let named = query.split('&').find_map(|word| word.strip_prefix("lang="));
    let text = |name| headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    let cookie = text(header::COOKIE)
        .flat_map(|cookies| cookies.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    let preferred = text(header::ACCEPT_LANGUAGE).flat_map(|list| list.split(',')).filter_map(|word| {
        let (name, quality) = word.split_once(";q=").unwrap_or((word, "1"));
        Some((quality.trim().parse::<f32>().ok()?, name.trim().split('-').next()?.to_ascii_lowercase()))
    });
    let mut preferred: Vec<_> =
        preferred.filter(|(quality, name)| *quality > 0.0 && table(name).is_some()).collect();
    preferred.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let asked = named.into_iter().chain(cookie).find_map(table);
    asked.or_else(|| table(&preferred.first()?.1)).unwrap_or_else(english)
}

impl<S: Sync> FromRequestParts<S> for Texts {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Texts, Infallible> {
        Ok(choose(parts.uri.query().unwrap_or(""), &parts.headers))
    }
}

/// The query of the switch between languages.
#[derive(Deserialize)]
pub struct Switch {
    lang: String,
}

/// `GET /language?lang=de`: has the browser keep the language, and goes back to the page that the link is on.
pub async fn switch(headers: HeaderMap, Query(Switch { lang }): Query<Switch>) -> Response {
    let Some(table) = table(&lang) else { return crate::error::ApiError::NotFound(lang).into_response() };
    let page = headers.get(header::REFERER).and_then(|page| Uri::try_from(page.as_bytes()).ok());
    // Only to a page here: `//` would begin the name of another host, and browsers take `\` for `/`.
    let to = page.as_ref().and_then(Uri::path_and_query).map_or("/", PathAndQuery::as_str);
    let to = if to.starts_with('/') && !to.starts_with("//") && !to.contains('\\') { to } else { "/" };
    let cookie = format!("{COOKIE}={}; Path=/; Max-Age={LASTING}; SameSite=Lax", table.code);
    (StatusCode::SEE_OTHER, [(header::LOCATION, to), (header::SET_COOKIE, &cookie)]).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of the keys that a translation may have and English has not.
    const OPTIONAL: [&str; 2] = ["name.", "title."];

    /// Returns the words in braces of a text, sorted.
    fn blanks(text: &str) -> Vec<&str> {
        let mut found: Vec<&str> =
            text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn every_language_has_every_text_with_the_same_blanks() {
        for (table, (code, text)) in all().iter().zip(LANGUAGES) {
            let lines = text.lines().filter(|line| !line.starts_with('#') && line.contains(" = "));
            assert_eq!(lines.count(), table.texts.len(), "{code}: a key is there twice");
            for (key, text) in &english().texts {
                let own = table.texts.get(key).unwrap_or_else(|| panic!("{}: no text {key}", table.code));
                assert_eq!(blanks(own), blanks(text), "{} {key}", table.code);
            }
            let optional = |key: &&str| OPTIONAL.iter().any(|start| key.starts_with(start));
            for key in table.texts.keys().filter(|key| !optional(key)) {
                assert!(english().texts.contains_key(key), "{}: {key} is no text", table.code);
            }
        }
    }

    #[test]
    fn every_text_that_is_asked_for_is_there_and_none_is_stale() {
        let sources = [
            include_str!("pages.rs"),
            include_str!("home.rs"),
            include_str!("history.rs"),
            include_str!("words.rs"),
            include_str!("audit.rs"),
            include_str!("parameters.rs"),
            include_str!("puzzles.rs"),
            include_str!("daily.rs"),
            include_str!("matches.rs"),
            include_str!("occupants.rs"),
            include_str!("docs.rs"),
            include_str!("texts.rs"),
            SCRIPT,
            graph_page::SCRIPT,
        ];
        let quoted: Vec<&str> = sources.iter().flat_map(|source| source.split('"')).collect();
        for key in english().texts.keys() {
            assert!(quoted.contains(key), "nothing shows the text {key}");
        }
        for source in sources {
            for start in ["texts.get(\"", "texts.fill(\"", " t(\"", "(t(\"", "{t(\"", " say(\""] {
                for key in source.split(start).skip(1).filter_map(|rest| rest.split('"').next()) {
                    assert!(english().texts.contains_key(key), "no text {key}");
                }
            }
        }
    }

    #[test]
    fn the_language_is_that_of_the_query_the_cookie_or_the_browser() {
        let chosen = |query: &str, cookie: &str, accepted: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, cookie.parse().expect("a header"));
            headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().expect("a header"));
            choose(query, &headers).code
        };
        assert_eq!(chosen("", "", "fr, sv-SE;q=0.8, de;q=0.9"), "de");
        assert_eq!(chosen("", "a=b; language=sv", "de"), "sv");
        assert_eq!(chosen("moves=a&lang=de", "language=sv", "en"), "de");
        assert_eq!((chosen("lang=xx", "", ""), chosen("", "", "fr")), ("en", "en"));
        assert_eq!(
            english().fill("wins-in", &[("player", "Red"), ("count", "3 plies")]),
            "Red wins in 3 plies"
        );
        assert_eq!(english().fill("wins", &[("player", "Toads")]), "Toads win");
        let german = table("de").expect("a language");
        let titles = [
            ("connect4:7x6", "Connect Four", "Connect Four 7x6", "Vier gewinnt 7x6"),
            ("morris:9", "Morris", "Nine Men's Morris", "Mühle"),
            ("mnk:15,15,5", "In a Row", "Five in a Row 15x15", "Fünf in einer Reihe 15x15"),
            ("mnk:4,4,3:misere", "In a Row", "Three in a Row 4x4, misere", "Drei in einer Reihe 4x4, misere"),
            ("chess:KQvKR", "Chess", "Chess, KQvKR", "Schach, KQvKR"),
            ("draughts:4men", "Draughts", "Draughts 4men", "Dame 4men"),
            ("twins:XOXOOX", "Twins", "Twins XOXOOX", "Zwillinge XOXOOX"),
            ("sum:nim:3+stones:..X", "Sum", "Sum of nim:3 + stones:..X", "Summe von nim:3 + stones:..X"),
            ("rules:joust-5x4", "Rules", "Fox and Hounds, 5 rows", "Fox and Hounds, 5 rows"),
            ("awari:48", "Awari", "Awari, 48 stones", "Awari, 48 stones"),
            ("rules:hare-and-hounds-7", "Rules", "Hare and Hounds, 23 points", "Hase und Hunde, 23 Punkte"),
            ("rules:mu-torere-a", "Rules", "Mu Torere, set A", "Mu Torere, Variante A"),
        ];
        for (game, own, title, expected) in titles {
            let row = game.split(':').next().unwrap_or_default();
            assert_eq!(german.title(row, own, title, game), expected);
        }
        assert_eq!((german.name("Red"), german.name("X")), ("Rot".to_owned(), "X".to_owned()));
    }

    #[test]
    fn players_whose_names_are_plurals_win_in_the_plural() {
        let players = grundy::catalog::CATALOG.rows().flat_map(|row| {
            let others = row.other_names.iter().map(|&(_, game)| game);
            let variants = row.variants.iter().map(|variant| variant.game);
            let games = std::iter::once(row.default).chain(others).chain(variants);
            games.flat_map(move |game| row.describe(game).players)
        });
        let plural = |name: &str| name.ends_with('s') && !name.ends_with("ss");
        for name in players.filter(|name| plural(name)) {
            for table in all() {
                let own = table.name(&name);
                assert!(table.get("plural").split(' ').any(|many| many == own), "{}: {own}", table.code);
            }
        }
        let german = table("de").expect("a language");
        let wins = |name: &str| german.fill("wins", &[("player", &german.name(name))]);
        assert_eq!([wins("Leopards"), wins("Tiger")], ["Leoparden gewinnen", "Tigerin gewinnt"]);
    }
}
