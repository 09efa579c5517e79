//! The board in a real browser: every game is opened, played by mouse and by keyboard, and its values compared.
//!
//! Needs `chromedriver` and Chromium (Debian: `apt-get install chromium chromium-driver`). Where there are none the
//! test says so and passes.

#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test that cannot go on should fail

mod client;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use client::{Board, get, send};
use serde_json::{Value, json};

/// A browser under remote control, as the W3C's WebDriver describes it.
struct Browser {
    driver: Child,
    address: String,
    session: String,
}

impl Browser {
    fn start(width: u32) -> Option<Browser> {
        let mut driver = Command::new("chromedriver")
            .args(["--port=0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let lines = BufReader::new(driver.stdout.take()?).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        })?;
        let mut browser = Browser { driver, address: format!("127.0.0.1:{port}"), session: String::new() };
        let size = format!("--window-size={width},1000");
        let arguments = json!(["--headless=new", "--no-sandbox", "--disable-gpu", size]);
        let wanted =
            json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": { "args": arguments } } } });
        let begun = browser.call("POST", "/session", &wanted);
        browser.session = begun["sessionId"].as_str()?.to_owned();
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        let answer = send(&self.address, &head, &body);
        let answer: Value = serde_json::from_str(&answer.body).unwrap_or(Value::Null);
        answer["value"].clone()
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        self.call("POST", &format!("/session/{}/{what}", self.session), body)
    }

    fn open(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    fn url(&self) -> String {
        self.call("GET", &format!("/session/{}/url", self.session), &Value::Null)
            .as_str()
            .unwrap_or("")
            .to_owned()
    }

    fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Clicks the first element of this kind with the mouse; false where there is none.
    fn click(&self, css: &str) -> bool {
        let found = self.post("element", &json!({ "using": "css selector", "value": css }));
        let Some(id) = found.as_object().and_then(|found| found.values().next()).and_then(Value::as_str)
        else {
            return false;
        };
        self.post(&format!("element/{id}/click"), &json!({})).is_null()
    }

    /// Presses keys, as a person without a mouse would.
    fn press(&self, keys: &[&str]) {
        let actions: Vec<Value> = keys
            .iter()
            .flat_map(|key| {
                [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
            })
            .collect();
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
    }

    /// Waits until the address is another one.
    fn left(&self, url: &str) -> bool {
        (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            self.url() != url
        })
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.call("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Games of rules files that are tried beside those of the catalog.
const RULES: [&str; 6] = [
    "rules:achi",
    "rules:fox-and-hounds",
    "rules:konane",
    "rules:mu-torere",
    "rules:notakto",
    "rules:six-mens-morris",
];

const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";
const RIGHT: &str = "\u{e014}";

/// A place where the first listed move begins, or nothing.
const FIRST_PLACE: &str = "const d = JSON.parse(document.getElementById('data').textContent); \
    const all = [...document.querySelectorAll('.place')]; \
    const at = all.find((p) => d.answer.moves.some((m) => m.move === p.dataset.at || m.move.startsWith(p.dataset.at))); \
    if (!at) { return false; } at.id = 'chosen-place'; at.focus(); return true;";

/// Plays a move with the mouse: on the board where it has places, else in the list.
fn by_mouse(browser: &Browser) {
    let before = browser.url();
    if browser.run(FIRST_PLACE) == json!(true) && browser.click("#chosen-place") {
        if browser.left_soon(&before) {
            return;
        }
        if browser.click("#choice button") && browser.left(&before) {
            return;
        }
    }
    assert!(browser.click("#moves a"), "{before}: no move to click");
    assert!(browser.left(&before), "{before}: a click led nowhere");
}

/// Plays a move with the keyboard alone.
fn by_keys(browser: &Browser) {
    let before = browser.url();
    if browser.run(FIRST_PLACE) == json!(true) {
        browser.press(&[ENTER]);
        if browser.left_soon(&before) {
            return;
        }
        if browser
            .run("const b = document.querySelector('#choice button'); if (b) { b.focus(); } return !!b;")
            == json!(true)
        {
            browser.press(&[ENTER]);
            if browser.left(&before) {
                return;
            }
        }
    }
    browser.run("document.querySelector('#moves a').focus(); return true;");
    browser.press(&[ENTER]);
    assert!(browser.left(&before), "{before}: Enter led nowhere");
}

impl Browser {
    /// As [`Browser::left`], for what may well stay.
    fn left_soon(&self, url: &str) -> bool {
        (0..8).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(25));
            self.url() != url
        })
    }

    fn over(&self) -> bool {
        self.run("return !document.querySelector('#moves a');") == json!(true)
    }
}

#[test]
fn every_game_is_played_by_mouse_and_by_keyboard() {
    let Some(browser) = Browser::start(1000) else {
        eprintln!("no chromedriver here: the board was not tried in a browser");
        return;
    };
    let board = Board::start(&[]);
    let games: Value = serde_json::from_str(&get(&board.address, "/api/games").body).unwrap();
    let families = games["families"].as_array().unwrap().iter();
    let catalog = families
        .flat_map(|family| family["games"].as_array().unwrap())
        .map(|game| game["default"].as_str().unwrap());
    for name in catalog.chain(RULES) {
        let name = name.replace('/', "%2F").replace('+', "%2B");
        let start = format!("http://{}/game/{name}", board.address);
        browser.open(&start);
        let mut played = 0;
        for turn in 0..6 {
            if browser.over() {
                break;
            }
            if turn < 3 {
                by_mouse(&browser)
            } else {
                by_keys(&browser)
            }
            played += 1;
        }
        assert!(played > 0, "{name}");
        // The link shows the same again, and the way back leads to the start.
        let here = browser.url();
        let moves =
            browser.run("return JSON.parse(document.getElementById('data').textContent).moves.length;");
        assert_eq!(moves.as_i64(), Some(played), "{here}");
        browser.open(&here);
        compare(&browser, &board, &here);
        browser.post("back", &json!({}));
        browser.post("back", &json!({}));
        assert_ne!(browser.url(), here, "{name}: back");
    }
}

/// The values on the page are those of the API, once the search for them is over.
fn compare(browser: &Browser, board: &Board, url: &str) {
    let (path, query) = url.split_once("/game/").unwrap().1.split_once('?').unwrap_or(("", ""));
    let answer = get(&board.address, &format!("/api/{path}/position?{query}&ms=1"));
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    if answer["complete"] != json!(true) {
        return;
    }
    let shown = browser.run(
        "return [...document.querySelectorAll('#moves a')].map((a) => [a.dataset.move, a.querySelector('.v').dataset.value]);",
    );
    let shown: Vec<(String, String)> = serde_json::from_value(shown).unwrap();
    for (word, value) in shown {
        let listed = answer["moves"].as_array().unwrap();
        let found = listed.iter().find(|m| m["move"] == json!(word)).unwrap();
        assert_eq!(found["value"], json!(value), "{url}: {word}");
    }
}

#[test]
fn hints_stay_as_they_were_set_and_nothing_is_wider_than_a_phone() {
    let Some(browser) = Browser::start(500) else { return };
    let board = Board::start(&[]);
    let at = |path: &str| format!("http://{}{path}", board.address);
    browser.open(&at("/game/tictactoe"));
    assert!(browser.click("#hints"));
    browser.open(&at("/game/hex:5"));
    assert_eq!(browser.run("return document.documentElement.classList.contains('quiet');"), json!(true));
    browser.press(&[TAB, RIGHT]);
    for game in ["tictactoe", "hex:5", "othello:8x8", "dots:3x3", "kalah:6,4", "nim:3,5,7", "chess", "lgame"]
    {
        browser.open(&at(&format!("/game/{game}")));
        browser.post("window/rect", &json!({ "width": 320, "height": 700 }));
        let wide = browser
            .run("return document.documentElement.scrollWidth - document.documentElement.clientWidth;");
        assert!(wide.as_i64().unwrap_or(99) <= 0, "{game} is wider than the page: {wide}");
    }
}
