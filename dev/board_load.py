#!/usr/bin/env python3
"""Load test of the web board: many clients, long searches, malicious clients.

    dev/board_load.py [--board target/release/grundy-board] [--seconds 60] [--first COMMAND]

It needs nothing but Python and `wrk` (Debian: apt-get install wrk). COMMAND is put before the server's and wrk's own,
such as `nice -n -3` on a loaded machine; a much higher priority keeps the kernel's network thread waiting.
Exit code 1: a limit was missed.
"""

import argparse
import http.client
import os
import re
import socket
import subprocess
import tempfile
import threading
import time

IN_VIEW = 24
TABLES = ["tictactoe", "nim:3,5,7", "lgame", "dots:2x2", "chomp:5x5", "police", "euler:4x4", "wythoff:3,5", "count:21",
          "stones:..X.X..X"]
failed = []


def check(what, value, limit, unit):
    verdict = "ok" if value < limit else "MISSED"
    print(f"{what}: {value:.1f} {unit} (limit {limit} {unit}) {verdict}", flush=True)
    if value >= limit:
        failed.append(what)


class Board:
    """A server on a free port, ended with the block."""

    def __init__(self, command, *options):
        self.log = tempfile.TemporaryFile("w+")
        begun = time.monotonic()
        self.process = subprocess.Popen([*command, "--port", "0", *options], stdout=subprocess.PIPE, stderr=self.log, text=True)
        address = self.process.stdout.readline().strip().removeprefix("http://")
        self.host, port = address.split(":")
        self.port = int(port)
        self.get("/")
        self.started = time.monotonic() - begun

    def __enter__(self):
        return self

    def __exit__(self, *_):
        alive = self.process.poll() is None
        self.process.terminate()
        self.process.wait(20)
        self.log.seek(0)
        if not alive or "panicked" in self.log.read():
            failed.append("the server ended or panicked")

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=60)

    def get(self, path, headers={}):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=3700)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as status:
            fields = status.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def worst_of_tables(self, count):
        """The 99th percentile of answers from tables, one after another, in ms."""
        times = []
        for number in range(count):
            begun = time.monotonic()
            status, _ = self.get(f"/api/{TABLES[number % len(TABLES)]}/position")
            times.append((time.monotonic() - begun) * 1e3)
            if status != 200:
                failed.append(f"status {status} from tables")
        return sorted(times)[int(count * 0.99) - 1]


def weight(board):
    for path in ["/", "/game/tictactoe", "/game/dots:3x3", "/game/chess", "/game/othello:8x8"]:
        files = [path, "/assets/board.css", "/assets/board.js", "/assets/icon.svg"]
        page = board.get(path)[1].decode()
        if path == "/":
            # A browser loads the pictures in view and some below.
            files += [match.replace("&amp;", "&") for match in re.findall(r'src="(/picture[^"]*)"', page)[:IN_VIEW]]
        plain = sum(len(board.get(file)[1]) for file in files)
        packed = sum(len(board.get(file, {"Accept-Encoding": "gzip"})[1]) for file in files)
        check(f"page {path} with all its files, {packed / 1e3:.0f} KB packed, plain", plain / 1e3, 200, "KB")


def crowd(board, seconds, first, pause):
    """200 clients that ask again `pause` milliseconds after each answer."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        paths = ", ".join(f'"/api/{game}/position"' for game in TABLES)
        script.write(f"local paths = {{ {paths} }}\nlocal at = 0\n"
                     "request = function() at = at % #paths + 1 return wrk.format('GET', paths[at]) end\n"
                     + (f"delay = function() return {pause} end\n" if pause else ""))
        script.flush()
        used = board.cpu_seconds()
        run = subprocess.run([*first, "wrk", "-t2", "-c200", f"-d{seconds}s", "--timeout", "10s", "--latency", "-s", script.name,
                              f"http://{board.host}:{board.port}"], capture_output=True, text=True, check=True)
    said = run.stdout
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", said).groups()
    requests = re.search(r"(\d+) requests in", said)[1]
    how = f"that wait {pause} ms between questions" if pause else "without a pause"
    print(f"the server's CPU: {(board.cpu_seconds() - used) / int(requests) * 1e6:.1f} us an answer, user and system")
    check(f"200 clients {how}, {requests} answers from tables in {seconds} s, p99",
          float(number) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit], 20, "ms")
    # "Socket errors: connect 0, read 0, write 0, timeout 0" and "Non-2xx or 3xx responses: 0" are there only where they are not 0.
    lost = sum(int(number) for line in said.splitlines() if re.match(r"\s*(Socket errors|Non-2xx)", line)
               for number in re.findall(r"\d+", line.split(":", 1)[1]))
    check("answers lost", lost, 1, "answers")


def searches(board):
    for number in range(20):
        path = f"/api/othello:8x8/position?ms=3600000&moves={['d3', 'c4', 'f5', 'e6'][number % 4]}"
        threading.Thread(target=lambda path=path: quietly(board.get, path), daemon=True).start()
    time.sleep(2)
    check("20 searches of an hour, answers from tables beside them, p99", board.worst_of_tables(500), 100, "ms")
    check("memory then", board.megabytes(), 1024, "MB")


def quietly(call, *arguments):
    try:
        return call(*arguments)
    except (OSError, http.client.HTTPException):
        return None


def rude(board):
    before = board.megabytes()
    half = []
    for _ in range(10_000):
        stream = board.connect()
        stream.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        half.append(stream)
    check("10,000 half requests open, answers from tables beside them, p99", board.worst_of_tables(200), 100, "ms")
    check("memory then", board.megabytes(), 1024, "MB")
    for stream in half:
        stream.close()
    slow = []
    for _ in range(200):
        stream = board.connect()
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        stream.sendall(b"GET /game/othello:8x8 HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
        slow.append(stream)
    check("200 clients that ask 50 times and read nothing, answers beside them, p99", board.worst_of_tables(200), 100, "ms")
    check("memory then", board.megabytes(), 1024, "MB")
    statuses = []
    for _ in range(3):
        statuses.append(large_body(board))
    check("memory after three bodies of 100 MB", board.megabytes(), 1024, "MB")
    print(f"their answers: {statuses}; memory at the start {before:.0f} MB")
    for stream in slow:
        stream.close()


def large_body(board):
    """The status of an answer to 100 MB; a server that closes before the end has refused it as well."""
    with board.connect() as stream:
        stream.sendall(b"POST /api/read?game=nim HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        piece = b"100000\r\n" + b"x " * (1 << 19) + b"\r\n"
        try:
            for _ in range(100):
                stream.sendall(piece)
            stream.sendall(b"0\r\n\r\n")
            return stream.recv(100).split(b" ")[1].decode()
        except OSError:
            return "closed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="target/release/grundy-board")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--first", default="")
    args = parser.parse_args()
    first = args.first.split()
    with Board([*first, args.board]) as board:
        check("start to first page", board.started * 1e3, 100, "ms")
        weight(board)
        for game in TABLES:
            board.get(f"/api/{game}/position")
        crowd(board, args.seconds, first, 100)
        crowd(board, args.seconds, first, 0)
    with Board([*first, args.board], "--time", "3600") as board:
        for game in TABLES:
            board.get(f"/api/{game}/position")
        searches(board)
    with Board([*first, args.board]) as board:
        for game in TABLES:
            board.get(f"/api/{game}/position")
        rude(board)
    if failed:
        raise SystemExit("missed: " + "; ".join(failed))


if __name__ == "__main__":
    main()
