#!/usr/bin/env python3
"""Screenshots of the web board: a page of every game in a real browser, and violations that axe-core finds on
every kind of page.

    dev/board_look.py FOLDER [--board target/release/grundy-board] [--axe node_modules/axe-core/axe.min.js] [--only GAME ..]

It needs `chromedriver` and Chromium (Debian: apt-get install chromium chromium-driver), and for `--axe` the file of the
npm package axe-core (npm install axe-core). Each page is captured at 320, 768, 1,440 and 1,920 pixels, light and dark, some moves
into the game, as FOLDER/GAME-WIDTH-SCHEME.png. Exit code 1: a page is wider than its window, or axe-core finds a
violation.
"""

import argparse
import base64
import json
import pathlib
import re
import subprocess
import time
import urllib.parse
import urllib.request

WIDTHS = [320, 768, 1440, 1920]
AXED = ["/", "/game/tictactoe?moves=b2", "/game/tictactoe?moves=a1+b1+a2+b2+a3", "/game/dots:2x2", "/game/chess", "/game/kalah:6,4",
        "/game/sum", "/game/graph", "/game/connect4?lang=de", "/game/nim?moves=9:9", "/puzzle?game=morris:3&number=1", "/docs", "/?lang=sv", "/game/quarto?moves=:3", "/game/sim?moves=ab"]


def ask(url, body=None, method=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=320) as answer:
        return json.load(answer)


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        port = next(found[1] for line in self.driver.stdout if (found := re.search(r"successfully on port (\d+)", line)))
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        base = f"http://127.0.0.1:{port}/session"
        self.base = f"{base}/{ask(base, wanted)['value']['sessionId']}"
        # The page of all games takes axe-core a while on a busy machine.
        self.post("timeouts", {"script": 300_000})

    def post(self, what, body):
        return ask(f"{self.base}/{what}", body)["value"]

    def chrome(self, command, **parameters):
        return self.post("goog/cdp/execute", {"cmd": command, "params": parameters})

    def run(self, script):
        return self.post("execute/sync", {"script": script, "args": []})

    def look(self, width, scheme):
        self.chrome("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.chrome("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, url):
        self.post("url", {"url": url})
        searching = "return /^(Searching|Values are)/.test(document.getElementById('search')?.textContent ?? '');"
        end = time.monotonic() + 12
        while self.run(searching) and time.monotonic() < end:
            time.sleep(0.1)

    def picture(self, path):
        shot = self.chrome("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        ask(self.base, method="DELETE")
        self.driver.terminate()
        self.driver.wait()


def addresses(at, only):
    """A page of every game, two moves after its start."""
    for family in ask(f"{at}/api/games")["families"]:
        for game in family["games"]:
            name = urllib.parse.quote(game["default"], safe=":,")
            if only and game["name"] not in only:
                continue
            words = []
            for _ in range(2):
                query = urllib.parse.urlencode({"moves": " ".join(words), "ms": 1})
                moves = ask(f"{at}/api/{name}/position?{query}")["moves"]
                if not moves:
                    break
                words.append(moves[len(moves) // 2]["move"])
            yield game["name"], f"{at}/game/{name}?{urllib.parse.urlencode({'moves': ' '.join(words)})}"


def axe(browser, at, source):
    found = 0
    for path in AXED:
        for scheme in ["light", "dark"]:
            browser.look(1000, scheme)
            browser.open(at + path)
            browser.run(source)
            violations = browser.post("execute/async", {
                "script": "axe.run(document).then((found) => arguments[0](found.violations.map("
                          "(v) => [v.id, v.nodes.map((n) => n.html.slice(0, 160) + ' ' + n.failureSummary)])));", "args": []})
            for rule, nodes in violations:
                found += 1
                print(f"{path} {scheme}: {rule}: {len(nodes)} times: {nodes[0]}")
    print(f"axe-core: {found} violations on {len(AXED)} pages, light and dark")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--board", default="target/release/grundy-board")
    parser.add_argument("--axe", type=pathlib.Path)
    parser.add_argument("--only", nargs="*")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    server = subprocess.Popen([args.board, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    at = server.stdout.readline().strip()
    browser = Browser()
    faults = 0
    try:
        if args.axe:
            faults += axe(browser, at, args.axe.read_text())
        for name, url in [("index", at), *addresses(at, args.only)]:
            for scheme in ["light", "dark"]:
                for width in WIDTHS:
                    browser.look(width, scheme)
                    browser.open(url)
                    wide = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth;")
                    if wide > 0:
                        faults += 1
                        print(f"{name} at {width}: {wide} pixels too wide")
                    browser.picture(args.folder / f"{name}-{width}-{scheme}.png")
    finally:
        browser.close()
        server.terminate()
        server.wait()
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
