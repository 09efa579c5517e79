//! The board in a real browser: games are opened, played by mouse and by keyboard, and their values compared with those
//! that `grundy analyze` finds.
//!
//! Needs `chromedriver` and Chromium (Debian: `apt-get install chromium chromium-driver`). Where there are none the
//! tests say so and pass. A game of each kind of board is tried; `--ignored` tries every game of the catalog, with a
//! server and as a folder of plain files.

#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test that cannot go on should fail

mod client;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::{Board, Files, send};
use grundy::catalog::CATALOG;
use grundy::session::{NEVER, Settings};
use serde_json::{Value, json};

/// A browser under remote control, as the W3C's WebDriver describes it.
struct Browser {
    driver: Child,
    address: String,
    session: String,
}

impl Browser {
    /// Starts a browser with windows of this width; says so if there is none here.
    fn start(width: u32) -> Option<Browser> {
        let browser = Browser::driven(width);
        if browser.is_none() {
            eprintln!("no chromedriver here: the board was not tried in a browser");
        }
        browser
    }

    fn driven(width: u32) -> Option<Browser> {
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
        let arguments = json!([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            size
        ]);
        let options = json!({ "goog:chromeOptions": { "args": arguments }, "pageLoadStrategy": "eager" });
        let wanted = json!({ "capabilities": { "alwaysMatch": options } });
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

    /// Clicks in the middle of the first element of this kind with the mouse, once it stays where it is; false if there is
    /// none.
    fn click(&self, css: &str) -> bool {
        let find = || {
            self.run(&format!(
                "const at = document.querySelector('{css}'); if (!at) {{ return null; }} \
                 at.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const box = at.getBoundingClientRect(); \
                 return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];"
            ))
        };
        let mut middle = find();
        for _ in 0..50 {
            std::thread::sleep(Duration::from_millis(20));
            let now = find();
            if now == middle {
                break;
            }
            middle = now;
        }
        let (Some(x), Some(y)) = (middle[0].as_i64(), middle[1].as_i64()) else { return false };
        let steps = json!([
            { "type": "pointerMove", "x": x, "y": y, "duration": 0 },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": steps });
        self.post("actions", &json!({ "actions": [mouse] })).is_null()
    }

    /// Drags from the middle of one element to that of another with the mouse.
    fn drag(&self, from: &str, to: &str) {
        let middles = self.run(&format!(
            "return ['{from}', '{to}'].map((css) => {{ const box = document.querySelector(css).getBoundingClientRect(); \
             return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]; }});"
        ));
        let over = |end: usize| json!({ "type": "pointerMove", "x": middles[end][0], "y": middles[end][1], "duration": 50 });
        let (down, up) =
            (json!({ "type": "pointerDown", "button": 0 }), json!({ "type": "pointerUp", "button": 0 }));
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": [over(0), down, over(1), up] });
        self.post("actions", &json!({ "actions": [mouse] }));
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

    /// Reports whether this comes true in the page, which may take a while.
    fn becomes(&self, condition: &str) -> bool {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            if self.run(&format!("return !!({condition});")) == json!(true) {
                return true;
            }
            if Instant::now() > end {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the page after `moves` moves.
    fn comes(&self, moves: usize) -> bool {
        self.becomes(&format!("{COUNT} === {moves}"))
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
const DOWN: &str = "\u{e015}";
const ESCAPE: &str = "\u{e00c}";

/// Counts the moves that led to the position of the page; -1 until the page is whole.
const COUNT: &str = "(document.readyState !== 'complete' || !document.getElementById('data') ? -1 : \
    JSON.parse(document.getElementById('data').textContent).moves.length)";

/// A place where the first listed move begins, or nothing.
const FIRST_PLACE: &str = "const d = JSON.parse(document.getElementById('data').textContent); \
    const all = [...document.querySelectorAll('.place')]; \
    const begins = (word, at) => word.startsWith(at) && !/[0-9]/.test(word[at.length] ?? ''); \
    const at = all.find((p) => d.answer.moves.some((m) => begins(m.move, p.dataset.at))); \
    if (!at) { return false; } at.id = 'chosen-place'; at.focus(); return true;";

/// True if a listed move keeps the focus while the list is put in order.
const KEEPS_FOCUS: &str = "const at = document.querySelector('#moves a'); at.focus(); \
    document.getElementById('unit').dispatchEvent(new Event('change')); \
    const kept = document.activeElement === at; at.blur(); return kept;";

/// The effect of a click on a place: the next page, or moves to choose from.
fn after_choosing(moves: usize) -> String {
    format!(
        "{COUNT} === {moves} || document.querySelector('#choice button') || document.querySelector('.chosen')"
    )
}

/// A way in which a person plays.
#[derive(Clone, Copy)]
enum By {
    Mouse,
    Keys,
}

/// Plays a move: on the board where it has places, else in the list.
fn play(browser: &Browser, by: By, moves: usize) {
    let before = browser.url();
    let there = format!("{COUNT} === {moves}");
    let press = |css: &str| match by {
        By::Mouse => browser.click(css),
        By::Keys => {
            let found = browser.run(&format!(
                "const at = document.querySelector('{css}'); if (at) {{ at.focus(); }} return !!at;"
            )) == json!(true);
            browser.press(&[ENTER]);
            found
        }
    };
    if browser.run(FIRST_PLACE) == json!(true) {
        assert!(press("#chosen-place"), "{before}: no place to choose");
        assert!(browser.becomes(&after_choosing(moves)), "{before}: a place led nowhere");
        if browser.run(&format!("return {there};")) != json!(true) && press("#choice button") {
            assert!(browser.comes(moves), "{before}: a choice led nowhere");
        }
        if browser.run(&format!("return {there};")) == json!(true) {
            return;
        }
    }
    assert!(press("#moves a"), "{before}: no move in the list");
    assert!(browser.comes(moves), "{before}: a move of the list led nowhere");
}

impl Browser {
    fn over(&self) -> bool {
        self.run("return !document.querySelector('#moves a');") == json!(true)
    }
}

/// Plays some moves of a game by mouse and then by keyboard, compares values, opens the link again, and goes back.
fn try_game(browser: &Browser, site: &str, name: &str, each: usize) {
    let escaped = name.replace('/', "%2F").replace('+', "%2B");
    browser.open(&format!("{site}/game/{escaped}"));
    let mut played = 0;
    for turn in 0..2 * each {
        assert!(browser.comes(played), "{name}: no page after {played} moves");
        if browser.over() {
            break;
        }
        assert_eq!(browser.run(KEEPS_FOCUS), json!(true), "{name}: a listed move loses the focus");
        played += 1;
        play(browser, if turn < each { By::Mouse } else { By::Keys }, played);
    }
    assert!(played > 0, "{name}");
    // The link shows the same again, and the way back leads to the start.
    let here = browser.url();
    browser.run("window.before = true; location.reload();");
    assert!(browser.becomes("!window.before"), "{here}: not loaded again");
    assert!(browser.comes(played), "{here}: another position");
    compare(browser, name, &here);
    browser.post("back", &json!({}));
    assert!(browser.comes(played - 1) || browser.url() != here, "{name}: back");
}

/// The values on the page are those of `grundy analyze`, as far as both are proved.
fn compare(browser: &Browser, name: &str, url: &str) {
    let waits = "/^(Searching|Values are)/.test(document.getElementById('search')?.textContent ?? '')";
    assert!(browser.becomes(&format!("!{waits}")), "{url}: no end of the search");
    let data = browser.run(
        "const d = JSON.parse(document.getElementById('data').textContent); \
         return { moves: d.moves, shown: [...document.querySelectorAll('#moves a')].map( \
             (a) => [a.dataset.move, a.querySelector('.v').dataset.value]) };",
    );
    let mut session = CATALOG.open(name, &Settings::default()).unwrap();
    for word in data["moves"].as_array().unwrap() {
        assert!(session.play(word.as_str().unwrap()).is_ok(), "{url}");
    }
    let work = grundy::session::quiet_work();
    session.ready(&work, None);
    let found = session.analyze(2_000, Duration::from_millis(300), &session.work(&NEVER));
    let shown: Vec<(String, String)> = serde_json::from_value(data["shown"].clone()).unwrap();
    for (word, value) in shown {
        let own = found.list.moves.iter().find(|m| m.word == word).and_then(|m| m.value);
        let own = own.map(|own| own.show(session.unit()).to_string());
        if let Some(own) = own.filter(|_| value != "?" && !value.contains('~')) {
            // A win that is proved without its distance is a win.
            let bare = |text: &str| text.split(':').next().unwrap_or("").to_owned();
            let same =
                own == value || (own == bare(&own) || value == bare(&value)) && bare(&own) == bare(&value);
            assert!(same, "{url}: {word} is {value} on the page and {own} by analyze");
        }
    }
}

/// A game of each kind of board.
const KINDS: [&str; 14] = [
    "tictactoe",
    "connect4:4x4",
    "hex:3",
    "dots:1x2",
    "kalah:2,2",
    "nim:3,5,7",
    "northcott:1-8,2-6",
    "hackenbush:BRG,B",
    "morris:3",
    "row",
    "chess",
    "chomp",
    "rules:mu-torere",
    "rules:konane",
];

#[test]
fn games_of_every_kind_are_played_by_mouse_and_by_keyboard() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    for name in KINDS {
        try_game(&browser, &board.site(), name, 1);
    }
}

#[test]
#[ignore = "minutes: cargo test -p grundy-board --test browser -- --ignored"]
fn every_game_is_played_by_mouse_and_by_keyboard() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    try_every_game(&browser, &board.site());
}

fn try_every_game(browser: &Browser, site: &str) {
    let catalog = CATALOG.families().flat_map(|family| family.rows).map(|row| row.default);
    for name in catalog.chain(RULES) {
        let from = Instant::now();
        try_game(browser, site, name, 3);
        eprintln!("{name}: {:.1} s", from.elapsed().as_secs_f64());
    }
}

#[test]
#[ignore = "minutes: cargo test -p grundy-board --test browser -- --ignored"]
fn every_game_is_played_without_a_server() {
    let targets = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let installed = targets.is_ok_and(|list| String::from_utf8_lossy(&list.stdout).contains("wasm32-wasip1"));
    let Some(browser) = Browser::start(1000) else { return };
    if !installed {
        eprintln!("no target wasm32-wasip1 here: the board was not tried without a server");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("web/make").arg(folder.path()).status().unwrap();
    assert!(made.success(), "web/make");
    let files = Files::serve(folder.path().to_owned());
    // The folder lies below the top of its host, as it may.
    let site = format!("http://{}/below/index.html#", files.address);
    browser.open(&site);
    let pictured = "document.querySelectorAll('.games img').length > 30 && !document.querySelector('.games img:not([src])')";
    assert!(browser.becomes(pictured), "no list of games with pictures");
    assert!(browser.click(".games a") && browser.comes(0), "the list of games led nowhere");
    watch_a_match(&browser, &site);
    try_every_game(&browser, &site);
}

/// Lets grundy play itself with moves at random, and watches it to the end.
fn watch_a_match(browser: &Browser, site: &str) {
    browser.open(&format!("{site}/game/nim:2,3"));
    assert!(browser.comes(0));
    browser.run(
        "for (const side of ['player1', 'player2']) { const select = document.getElementById(side); \
         select.value = 'slips'; select.dispatchEvent(new Event('change')); }",
    );
    let followed = "document.querySelector('main.watching') && document.getElementById('fen').value !== '2,3 1' && \
                    document.getElementById('text-board').textContent.trim()";
    assert!(browser.becomes(followed), "the position on the page is not that of the board");
    let judged = "/^Audit: \\d+ moves? compared/.test(document.getElementById('audit').textContent)";
    assert!(browser.becomes(judged), "no move was judged");
    assert!(
        browser.becomes("/^Over/.test(document.getElementById('standing').textContent)"),
        "the match has no end"
    );
    let same = "document.querySelectorAll('#history .mark').length === document.querySelectorAll('#slips li').length && \
                document.querySelectorAll('#history li').length > 1 && !document.querySelector('main.watching')";
    assert!(browser.becomes(same), "the page after the match");
    browser.run("localStorage.clear();");
}

#[test]
fn a_match_is_watched_and_judged() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    watch_a_match(&browser, &board.site());
}

#[test]
fn taking_back_leads_to_the_persons_turn_and_no_engine_moves_unasked() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    let site = board.site();
    let stays = |moves: usize| {
        assert!(browser.comes(moves), "{}: not after {moves} moves", browser.url());
        std::thread::sleep(Duration::from_millis(600));
        assert_eq!(browser.run(&format!("return {COUNT};")), json!(moves), "{}", browser.url());
    };
    browser.open(&format!("{site}/game/tictactoe"));
    browser.run("localStorage.setItem('grundy.player2', 'perfect'); location.reload();");
    for back in ["browser", "#back"] {
        stays(0);
        assert!(browser.click("#moves a") && browser.comes(2), "no answer of the engine");
        if back == "browser" {
            browser.post("back", &json!({}));
        } else {
            assert!(browser.click(back));
        }
    }
    stays(0);
    assert!(browser.click("#forward"));
    stays(2);
    // Going back to a position in which the engine is to move.
    assert!(browser.click("#history a"));
    stays(1);
    assert!(browser.click("#engine-move:not([hidden])"));
    stays(2);
    // A new game with the engine first.
    browser
        .run("localStorage.setItem('grundy.player1', 'perfect'); localStorage.removeItem('grundy.player2');");
    assert!(browser.click("#new"));
    stays(1);
    // A link to a position of another game, where the engine has the side to move.
    browser.open(&format!("{site}/game/tictactoe?moves=a1+b1"));
    stays(2);
    assert!(browser.click("#engine-move:not([hidden])") && browser.comes(3));
    browser.run("localStorage.clear(); sessionStorage.clear();");
}

#[test]
fn an_engine_that_fails_ends_the_match_and_leaves_the_page_alive() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&["--engine", "broken=false"]);
    browser.open(&format!("{}/game/nim:2,3?lang=de", board.site()));
    assert!(browser.comes(0));
    browser.run(
        "for (const [side, who] of [['player1', 'perfect'], ['player2', 'engine broken']]) { \
         const select = document.getElementById(side); select.value = who; select.dispatchEvent(new Event('change')); }",
    );
    let told = "document.getElementById('search').textContent.includes('Spieler 2: broken: has ended') && \
                !document.querySelector('main.watching')";
    assert!(browser.comes(1) && browser.becomes(told), "{}", browser.url());
    let moved = browser.run("return document.querySelector('#history').textContent;");
    assert!(browser.click("#engine-move:not([hidden])") && browser.becomes(told), "asked again: {moved}");
    browser.run(
        "const side = document.getElementById('player2'); side.value = ''; side.dispatchEvent(new Event('change'));",
    );
    assert!(browser.click("#moves a") && browser.comes(3), "a person goes on against the other engine");
    browser.run("localStorage.clear(); sessionStorage.clear();");
}

/// Drops a file with this text on the page.
fn drop_file(browser: &Browser, text: &str) {
    browser.run(&format!(
        "const data = new DataTransfer(); data.items.add(new File([{}], 'game.txt')); document.body.dispatchEvent( \
         new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));",
        json!(text)
    ));
}

/// Pastes a text on the page, beside all fields.
fn paste(browser: &Browser, text: &str) {
    browser.run(&format!(
        "const data = new DataTransfer(); data.setData('text/plain', {}); document.body.dispatchEvent( \
         new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }}));",
        json!(text)
    ));
}

#[test]
fn moves_come_without_loading_a_page() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    let site = board.site();
    browser.open(&format!("{site}/game/tictactoe"));
    assert!(browser.comes(0));
    browser.run(
        "window.same = true; window.failed = []; addEventListener('error', (e) => failed.push(e.message));",
    );
    let (left, right, home, end) = ("\u{e012}", "\u{e014}", "\u{e011}", "\u{e010}");
    // The keyboard stays where it was.
    let focus = "document.querySelector('.place[data-at=b2]').focus();";
    browser.run(focus);
    browser.press(&[ENTER]);
    assert!(
        browser.comes(1) && browser.becomes("document.activeElement.dataset.at === 'b2'"),
        "{}",
        browser.url()
    );
    let label = browser.run("return document.activeElement.getAttribute('aria-label');");
    assert!(label.as_str().is_some_and(|label| label.starts_with("b2, man of ")), "{label}");
    let said = browser.run("return document.querySelector('.unseen').textContent;");
    assert!(said.as_str().is_some_and(|said| said.contains("b2") && said.contains("to move")), "{said}");
    browser.press(&[RIGHT]);
    assert_eq!(browser.run("return document.activeElement.dataset.at;"), json!("c2"));
    browser.press(&[ENTER]);
    assert!(browser.comes(2));
    // Back by the browser and by keys, forward along the line that was left.
    browser.post("back", &json!({}));
    assert!(browser.comes(1));
    browser.run("document.activeElement.blur();");
    for (key, moves) in [(right, 2), (left, 1), (home, 0), (end, 2)] {
        browser.press(&[key]);
        assert!(browser.comes(moves), "{key:?}: {}", browser.url());
    }
    browser.press(&["?"]);
    assert!(browser.becomes("document.querySelector('dialog[open] dl')"));
    browser.press(&[ESCAPE]);
    assert!(browser.becomes("!document.querySelector('dialog')"));
    browser.press(&["f"]);
    assert!(browser.becomes("document.querySelector('svg.flipped')"));
    browser.press(&["f", "p"]);
    assert!(browser.becomes("document.documentElement.matches('.present')"));
    browser.press(&[ESCAPE]);
    assert!(browser.becomes("!document.documentElement.matches('.present')"));
    // What comes from elsewhere: moves, a position, a PGN.
    paste(&browser, "1. a1 b2 2. c3");
    assert!(browser.comes(3), "pasted moves");
    paste(&browser, "X.O/.../... 1");
    assert!(browser.becomes("location.search.includes('fen=')"), "a pasted position");
    assert!(browser.click(".home") && browser.becomes("document.querySelectorAll('.games img').length > 30"));
    browser.run("const field = document.getElementById('wanted'); field.value = 'four row'; field.dispatchEvent(new Event('input'));");
    let found =
        "[...document.querySelectorAll('.games li:not([hidden]) a')].map((a) => a.getAttribute('href'))";
    assert!(browser.becomes(&format!("{found}.includes('/game/connect4:7x6') && {found}.length < 16")));
    browser.run("scrollTo(0, 1e5);");
    paste(&browser, "a text without any game");
    let refused =
        "(document.querySelector('main > .found')?.textContent ?? '').startsWith('no game, record or moves')";
    assert!(browser.becomes(refused), "a text that is no game");
    let seen = "const box = document.querySelector('main > .found').getBoundingClientRect(); \
                return box.top >= 0 && box.bottom <= innerHeight;";
    assert_eq!(browser.run(seen), json!(true), "it is told in view");
    paste(&browser, "[White \"A\"]\n\n1. e4 e5 2. Nf3 *");
    assert!(browser.comes(3) && browser.url().contains("/game/chess?moves=e2e4"), "{}", browser.url());
    let written =
        "[...document.querySelectorAll('#history a')].map((a) => a.textContent).join() === 'e4,e5,Nf3'";
    assert!(browser.becomes(written), "moves as people write them");
    // Files that are dropped, on pages of any kind and of other games.
    drop_file(&browser, "1. d4 d5 *");
    assert!(browser.comes(2) && browser.url().contains("d2d4"), "{}", browser.url());
    let record =
        r#"{"line":"game","id":1,"game":"tictactoe","players":["a","b"],"moves":[{"by":1,"word":"b2"}]}"#;
    drop_file(&browser, record);
    assert!(browser.comes(1) && browser.url().contains("/game/tictactoe?moves=b2"), "{}", browser.url());
    drop_file(&browser, "[White \"A\"]\n\n1. e4 e5 2. Nf3 *");
    assert!(browser.comes(3) && browser.url().contains("/game/chess?moves=e2e4"), "{}", browser.url());
    assert!(browser.click(".home") && browser.becomes("document.querySelector('a[href=\"/docs\"]')"));
    browser.run("document.querySelector('a[href=\"/docs\"]').click();");
    assert!(browser.becomes("document.querySelector('main.docs, .docs')"), "the page for programs");
    drop_file(&browser, record);
    assert!(browser.comes(1) && browser.url().contains("/game/tictactoe?moves=b2"), "{}", browser.url());
    assert_eq!(browser.run("return window.same && window.failed.length;"), json!(0), "one page all the time");
}

#[test]
fn what_cannot_be_read_is_refused_in_its_form_and_engines_stay_in_their_game() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    let site = board.site();
    browser.open(&format!("{site}/game/tictactoe"));
    browser.run("window.same = true;");
    let valued = "!/^(Searching|Values are)/.test(document.getElementById('search').textContent)";
    assert!(browser.comes(0) && browser.becomes(valued));
    let send = |field: &str, text: &str| {
        browser.run(&format!(
            "const field = document.getElementById('{field}'); field.value = '{text}'; field.form.requestSubmit();"
        ));
    };
    let refused = |words: &str| {
        format!("[...document.querySelectorAll('.found')].some((box) => box.textContent.includes('{words}'))")
    };
    send("pasted", "z9");
    assert!(browser.becomes(&refused("z9")), "a move that is none");
    let seen = "const box = document.querySelector('form .found:not(:empty)'); \
                const [said, button] = [box, box.nextElementSibling].map( \
                (part) => part.getBoundingClientRect()); \
                return said.top >= 0 && said.bottom <= Math.min(innerHeight, button.top) && \
                document.querySelector('.unseen').textContent === box.textContent;";
    assert_eq!(browser.run(seen), json!(true), "above the button, in view and read out");
    send("name", "tictactoo");
    assert!(browser.becomes(&refused("tictactoo")), "a game that is none");
    send("pasted", "b2 a1");
    assert!(browser.comes(2), "moves go on from the position");
    send("pasted", "c3");
    assert!(browser.comes(3) && !browser.url().contains("fen="), "and from the game: {}", browser.url());
    // A menu closes when something else is clicked, and by Escape.
    for close in [
        "document.getElementById('standing').click()",
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))",
    ] {
        browser.run(&format!("document.getElementById('share').open = true; {close};"));
        assert!(browser.becomes("!document.getElementById('share').open"), "{close}");
    }
    // Its button has the focus after that of what is hidden.
    let closed = "!document.getElementById('options').open";
    for keys in [[ENTER, TAB, ESCAPE], [ENTER, TAB, ENTER]] {
        browser.run("document.querySelector('#options summary').focus();");
        browser.press(&keys);
        let left = format!("{closed} && document.activeElement.matches('#options summary')");
        assert!(browser.becomes(&left), "{keys:?}");
    }
    assert!(browser.becomes("/resigns/.test(document.getElementById('standing').textContent)"));
    browser.press(&[ENTER]);
    assert!(browser.becomes(&format!("!({closed})")));
    browser.run("document.getElementById('fen').focus();");
    assert!(browser.becomes(closed), "the focus has left it");
    assert_eq!(browser.run("return window.same === true;"), json!(true), "one page all the time");
    // Two engines that were chosen here do not play in another game.
    browser.run("for (const side of ['player1', 'player2']) { localStorage.setItem(`grundy.${side}`, 'perfect'); } sessionStorage.setItem('grundy.chosen', 'tictactoe');");
    browser.open(&format!("{site}/game/nim:3,5,7"));
    assert!(browser.becomes(
        "document.getElementById('player1').value === '' && document.getElementById('flip').hidden"
    ));
    browser.run("localStorage.clear();");
}

#[test]
fn a_page_stays_and_says_so_when_its_server_has_ended() {
    let Some(browser) = Browser::start(1000) else { return };
    let mut board = Board::start(&[]);
    browser.open(&format!("{}/game/tictactoe?moves=a1", board.site()));
    assert!(browser.comes(1));
    board.terminate();
    assert!(board.child.wait().unwrap().success());
    let told = |css: &str| {
        browser.becomes(&format!("document.querySelector('{css}')?.textContent.startsWith('No answer')"))
    };
    for (click, css) in
        [("#mainline", "#line"), ("#whole summary", "#whole div"), ("#moves a", "main > .found")]
    {
        assert!(browser.click(click) && told(css), "{click}");
    }
    assert_eq!(browser.run(&format!("return {COUNT};")), json!(1), "the position stays");
}

#[test]
fn arrow_keys_skip_no_row_of_hexagons() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    browser.open(&format!("{}/game/hex:5", board.site()));
    assert!(browser.comes(0));
    browser.run("document.querySelector('.place[data-at=c3]').focus();");
    for row in ["2", "1"] {
        browser.press(&[DOWN]);
        let at = browser.run("return document.activeElement.dataset.at;");
        assert!(at.as_str().is_some_and(|at| at.ends_with(row)), "{at}");
    }
}

#[test]
fn values_are_hidden_until_asked_for_and_the_best_are_marked() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    let site = board.site();
    let choose = |what: &str| {
        browser.run(&format!(
            "const all = document.getElementById('shown'); all.value = '{what}'; all.dispatchEvent(new Event('change'));"
        ));
    };
    let seen = "getComputedStyle(document.querySelector('#moves .v')).display !== 'none'";
    browser.open(&format!("{site}/game/tictactoe?moves=a1+b1"));
    assert!(browser.becomes("document.querySelector('#moves li.best')"), "no best move");
    let ahead = "parseFloat(document.querySelector('#ahead:not([hidden]) div div').style.width)";
    assert!(browser.becomes(&format!("{ahead} > 60 && {ahead} < 100")), "the bar of who is ahead");
    choose("ask");
    assert!(browser.becomes(&format!("!({seen})")));
    assert!(
        browser.becomes("getComputedStyle(document.getElementById('ahead')).display === 'none'"),
        "the bar tells"
    );
    let standing = browser.run("return document.getElementById('standing').innerText.trim();");
    assert!(standing.as_str().is_some_and(|said| said.ends_with(" to move.")), "{standing}");
    let order =
        browser.run("return [...document.querySelectorAll('#moves a')].map((a) => a.dataset.move).join();");
    assert_eq!(order, json!("a2,a3,b2,b3,c1,c2,c3"), "the order says nothing");
    browser.press(&["v"]);
    assert!(browser.becomes(seen), "asked for");
    assert!(
        browser.click("#moves a") && browser.comes(3) && browser.becomes(&format!("!({seen})")),
        "a new question"
    );
    choose("best");
    let shown = "[...document.querySelectorAll('#moves li')].every((li) => \
                 (getComputedStyle(li.querySelector('.v')).display !== 'none') === li.matches('.best'))";
    assert!(browser.becomes(shown));
    // The unit stays chosen.
    browser.run("const unit = document.getElementById('unit'); unit.value = 'moves'; unit.dispatchEvent(new Event('change'));");
    browser.open(&format!("{site}/game/chess:KRvK?fen=8/8/8/8/8/2k5/8/K6R+w+-+-+0+1"));
    assert!(browser.comes(0));
    assert_eq!(browser.run("return document.getElementById('unit').value;"), json!("moves"));
    // From where the best men stand to where they go.
    assert!(browser.becomes("document.querySelector('svg .arrow')"), "no arrow");
    let value = browser.run("return document.getElementById('value').textContent;");
    assert!(
        value.as_str().is_some_and(|value| value.contains(" wins in ") && value.ends_with(" moves")),
        "{value}"
    );
    browser.run("localStorage.clear();");
}

#[test]
fn men_are_dragged_and_what_a_search_takes_for_best_is_shown() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    browser.open(&format!("{}/game/chess", board.site()));
    assert!(browser.comes(0) && browser.becomes("document.querySelectorAll('.movable').length === 10"));
    browser.drag(".place[data-at=e2]", ".place[data-at=e5]");
    assert!(browser.becomes("!document.querySelector('.chosen, #board [style*=translate]')"), "no such move");
    let above = "const man = document.querySelector('#board [style*=pointer-events]'); \
                 return !!man && [...document.querySelectorAll('#board rect:not(.place)')].every( \
                 (cell) => cell.compareDocumentPosition(man) & Node.DOCUMENT_POSITION_FOLLOWING);";
    assert_eq!(browser.run(above), json!(true), "a man was dragged below the cells");
    browser.drag(".place[data-at=e2]", ".place[data-at=e4]");
    assert!(browser.comes(1) && browser.url().ends_with("moves=e2e4"), "{}", browser.url());
    // No value is proved: the line of the search, and an arrow for its first move.
    let comes = browser.becomes("document.querySelectorAll('#line.estimate a').length > 1");
    let said = browser.run("return document.getElementById('line').textContent;");
    assert!(comes, "no line of two moves, but {said}");
    assert!(said.as_str().is_some_and(|said| said.starts_with("Estimate for Black: ")), "{said}");
    assert!(browser.becomes("document.querySelectorAll('svg .arrow').length === 1"), "no arrow");
    let hinted = "document.getElementById('search').textContent.startsWith('Begin at ')";
    assert!(browser.click("#hint") && browser.becomes(hinted), "no value is proved: where to begin");
    // Not for those who want to think first.
    assert!(browser.click("#hints"));
    assert!(browser.becomes("getComputedStyle(document.getElementById('line')).display === 'none'"));
    browser.run("localStorage.clear();");
}

#[test]
fn all_positions_of_a_small_game_light_up_round_by_round() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    let site = board.site();
    browser.open(&format!("{site}/game/nim:1,2"));
    assert!(browser.comes(0) && browser.click("#whole summary"));
    let found = "document.querySelectorAll('#whole svg .n:not(.hidden)').length";
    assert!(browser.becomes(&format!("{found} === 8")), "all positions, by the player to move");
    browser.run("document.getElementById('round').value = 0; document.getElementById('round').dispatchEvent(new Event('input', { bubbles: true }));");
    assert!(browser.becomes(&format!("{found} === 2")), "finished positions come first");
    browser.run("document.querySelector('#whole a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));");
    assert!(browser.comes(1) && browser.becomes("document.querySelector('#whole svg .at')"), "it stays open");
    // In the language of the page, and in large type.
    browser.open(&format!("{site}/game/nim:1,2?lang=de"));
    assert!(browser.comes(0) && browser.click("#whole summary"));
    assert!(
        browser.becomes(
            "document.getElementById('round-said')?.textContent === 'Alle Stellungen sind gefunden'"
        )
    );
    browser.press(&["p"]);
    assert!(browser.becomes("document.documentElement.matches('.present')"));
    let large = "document.querySelector('#whole svg').getBoundingClientRect().width > 500 && \
                 getComputedStyle(document.querySelector('.players')).display === 'none'";
    assert!(browser.becomes(large), "board, values and rounds only");
    browser.run("sessionStorage.clear();");
    // Of a larger game those that follow.
    browser.open(&format!("{site}/game/tictactoe"));
    assert!(browser.comes(0) && browser.click("#whole summary"));
    assert!(browser.becomes("document.querySelector('#whole div').textContent.includes('120')"));
    browser.open(&format!("{site}/game/tictactoe?moves=a1+b1+c1+a2+b2"));
    assert!(browser.comes(5) && browser.click("#whole summary"));
    assert!(browser.becomes("document.querySelector('#whole svg')"));
}

#[test]
fn pages_of_a_site_that_may_show_the_board_in_a_frame() {
    let Some(browser) = Browser::start(1000) else { return };
    let folder = tempfile::tempdir().unwrap();
    let school = Files::serve(folder.path().to_owned());
    let origin = format!("http://{}", school.address);
    for (board, shows) in [(Board::start(&["--embed", &origin]), true), (Board::start(&[]), false)] {
        let frame = format!(
            "<iframe src=\"{}/game/connect4:4x4\" width=\"900\" height=\"700\"></iframe>",
            board.site()
        );
        std::fs::write(folder.path().join("index.html"), frame).unwrap();
        browser.open(&format!("{origin}/below/index.html"));
        browser.post("frame", &json!({ "id": 0 }));
        if !shows {
            std::thread::sleep(Duration::from_millis(500));
            assert_eq!(browser.run(&format!("return {COUNT};")), json!(-1), "another site shows the board");
            continue;
        }
        assert!(browser.comes(0), "no board in the frame");
        let hidden = "getComputedStyle(document.querySelector('.players')).display === 'none'";
        assert!(browser.becomes(hidden), "forms in a frame");
        assert!(browser.becomes("document.getElementById('copy-frame')"), "no frame to copy");
        browser.run("document.querySelector('#moves a').click();");
        assert!(browser.comes(1), "a move in the frame");
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

#[test]
fn menus_open_in_view_and_a_presentation_begins_at_the_top() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    for (width, height) in [(1440, 900), (1280, 700), (768, 1024), (500, 700)] {
        browser.post("window/rect", &json!({ "width": width, "height": height }));
        for game in ["tictactoe", "chess", "nimble:2,3,7,12"] {
            browser.open(&format!("{}/game/{game}", board.site()));
            assert!(browser.comes(0), "{game}");
            for menu in ["share", "options"] {
                let hidden = browser.run(&format!(
                    "for (const other of document.querySelectorAll('.menu')) {{ other.open = other.id === '{menu}'; }} \
                     const items = [...document.querySelectorAll('#{menu} > div > *')].filter((item) => item.offsetParent); \
                     return items.filter((item) => {{ item.scrollIntoView({{ block: 'nearest', behavior: 'instant' }}); \
                     const box = item.getBoundingClientRect(); \
                     const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
                     return !item.contains(there); }}).map((item) => item.textContent);"
                ));
                assert_eq!(hidden, json!([]), "{game}, {menu}, {width}x{height}");
                let apart = browser.run(&format!(
                    "const at = (css) => document.querySelector('#{menu} ' + css).getBoundingClientRect().left; \
                     return Math.abs(at('summary') - at('div'));"
                ));
                assert!(width < 760 || apart.as_f64().is_some_and(|apart| apart < 4.0), "{menu}: {apart}");
            }
            browser.run("scrollTo(0, 1e5); document.getElementById('present').click();");
            assert!(browser.becomes("document.documentElement.matches('.present') && scrollY === 0"));
            if width >= 900 {
                let longer = browser.run("return document.documentElement.scrollHeight - innerHeight;");
                assert!(longer.as_i64().is_some_and(|longer| longer <= 0), "{game}, {width}: {longer}");
                let wordy = browser.run(
                    "document.getElementById('standing').textContent = 'word '.repeat(30); \
                     return document.documentElement.scrollHeight - innerHeight;",
                );
                assert!(wordy.as_i64().is_some_and(|longer| longer <= 0), "{game}, {width}: {wordy}");
            }
            browser.run("sessionStorage.clear();");
        }
    }
}

#[test]
fn values_do_not_cover_the_holes_of_pieces() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    browser.open(&format!("{}/game/quarto", board.site()));
    assert!(browser.comes(0) && browser.becomes("document.querySelectorAll('svg .hint').length === 16"));
    let covered = browser.run(
        "const boxes = (css) => [...document.querySelectorAll(css)].map((shape) => shape.getBoundingClientRect()); \
         const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; \
         const values = boxes('#board .hint'); \
         return boxes('#board .hole').filter((hole) => values.some((value) => meet(hole, value))).length;",
    );
    assert_eq!(covered, json!(0));
}

#[test]
fn puzzles_are_solved_and_hints_come_one_by_one() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&[]);
    let site = board.site();
    browser.open(&format!("{site}/puzzle?game=morris:3&number=3"));
    assert!(
        browser
            .becomes("document.querySelector('#puzzle-box') && document.documentElement.matches('.quiet')")
    );
    let said = |words: &str| {
        browser.becomes(&format!("document.getElementById('search').textContent.includes('{words}')"))
    };
    let link = |right: bool| {
        let keeps = format!("(m.result === d.answer.result) === {right}");
        let script = format!(
            "const d = JSON.parse(document.getElementById('data').textContent); const m = d.answer.moves.find((m) => {keeps}); \
             const a = [...document.querySelectorAll('#moves a')].find((a) => a.dataset.move === m.move); a.id = 'wanted-move'; \
             return true;"
        );
        assert_eq!(browser.run(&script), json!(true));
        assert!(browser.click("#wanted-move"));
        browser.run("document.getElementById('wanted-move')?.removeAttribute('id');");
    };
    link(false);
    assert!(said("Try again"), "a wrong move");
    link(true);
    assert!(said("right, the only move"), "the right one");
    assert!(
        browser.click("#search a") && browser.becomes("/puzzle=4$/.test(location.search)"),
        "the next puzzle"
    );
    // Hints: the value, where to begin, the move.
    browser.open(&format!("{site}/game/chess:KRvK?fen=8/8/8/8/8/2k5/8/K6R+w+-+-+0+1"));
    assert!(browser.comes(0));
    for words in ["White wins.", "Begin at ", "The move: "] {
        assert!(browser.click("#hint") && said(words), "{words}");
    }
    assert!(browser.becomes("document.querySelector('.place.hinted')"));
    // Sums have values on their boards.
    browser.open(&format!("{site}/game/sum:nim:3,5+stones:..X.X"));
    assert!(browser.becomes("document.querySelectorAll('svg .hint').length > 6 && document.querySelector('.place[data-at=\"2/3\"]')"));
    assert!(browser.click(".place[data-at=\"1/2:5\"]") && browser.comes(1), "{}", browser.url());
}

#[test]
fn games_end_by_resigning_and_go_on_with_sides_changed_in_any_language() {
    let Some(browser) = Browser::start(1000) else { return };
    let board = Board::start(&["--uploads"]);
    let site = board.site();
    browser.open(&format!("{site}/game/connect4:4x4"));
    assert!(browser.comes(0));
    let text = |id: &str| browser.run(&format!("return document.getElementById('{id}').textContent;"));
    assert!(browser.click("[data-lang=de]") && browser.becomes("document.documentElement.lang === 'de'"));
    assert!(browser.comes(0));
    assert_eq!(text("new"), json!("Neu"));
    let standing = text("standing");
    assert!(standing.as_str().is_some_and(|said| said.starts_with("Rot am Zug")), "{standing}");
    browser.run(
        "localStorage.setItem('grundy.player2', 'level 3'); localStorage.setItem('grundy.clock', '3+2'); location.reload();",
    );
    assert!(browser.becomes("document.getElementById('player2')?.value === 'level 3'"));
    assert_eq!(text("clocks"), json!("Rot 3:00 \u{b7} Gelb 3:00"));
    browser.run("document.getElementById('resign').click();");
    let resigned = text("standing");
    assert!(resigned.as_str().is_some_and(|said| said.starts_with("Rot gibt auf")), "{resigned}");
    assert!(browser.click("#moves a"));
    assert_eq!(browser.run(&format!("return {COUNT};")), json!(0), "the game is over");
    assert!(browser.click("#rematch:not([hidden])") && browser.comes(1), "the engine moves first now");
    browser.run("document.getElementById('resign').click(); location.reload();");
    assert!(
        browser.becomes("document.getElementById('standing')?.textContent.startsWith('Gelb gibt auf')"),
        "it stays over"
    );
    browser.run("localStorage.clear(); sessionStorage.clear();");
    // A clock that has run out ends the game, and shows that it has.
    browser.open(&format!("{site}/game/connect4:4x4?lang=en"));
    assert!(browser.comes(0));
    browser.run("const clock = document.getElementById('clock'); clock.value = '1+0'; clock.dispatchEvent(new Event('change'));");
    assert!(browser.click("#moves a") && browser.comes(1));
    browser.run("const now = Date.now.bind(Date); Date.now = () => now() + 61000;");
    let lost = "document.getElementById('standing').textContent === 'Time: Yellow has run out, Red has won.'";
    assert!(browser.becomes(lost), "{}", text("standing"));
    let clocks = text("clocks");
    assert!(clocks.as_str().is_some_and(|clocks| clocks.ends_with("Yellow 0:00")), "{clocks}");
    assert_eq!(browser.run("return document.querySelector('.unseen').textContent;"), text("standing"));
    assert!(browser.click("#moves a") && browser.click(".place"));
    browser.run("document.querySelector('.place').focus();");
    browser.press(&[ENTER]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(browser.run(&format!("return {COUNT};")), json!(1), "no move after the end");
    assert!(browser.click("#rematch:not([hidden])") && browser.comes(0), "a new game");
    assert_eq!(text("clocks"), json!("Red 1:00 \u{b7} Yellow 1:00"));
    browser.run("localStorage.clear(); sessionStorage.clear();");
    // A game that was uploaded goes to another board with its link.
    let rules = include_str!("../../rules/tictactoe.rbg");
    let taken: Value = serde_json::from_str(&client::post(&board.address, "/api/rules", rules).body).unwrap();
    browser.open(&format!("{site}/game/{}?moves=b2", taken["game"].as_str().unwrap()));
    assert!(browser.comes(1));
    browser.run(
        "Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => { window.copied = text; } } }); \
         document.getElementById('copy-link').click();",
    );
    assert!(browser.becomes("window.copied"));
    let link = browser.run("return window.copied;");
    let other = Board::start(&["--uploads"]);
    browser.open(&link.as_str().unwrap().replace(&board.address, &other.address));
    assert!(browser.becomes("document.getElementById('data')") && browser.comes(1), "{link}");
    // Rules are uploaded from any page.
    paste(&browser, include_str!("../../rules/hexapawn.rbg"));
    assert!(browser.becomes("document.title.startsWith('Hexapawn')") && browser.comes(0), "pasted rules");
}
