"""Serves a Python callable as a UGI engine, so that the referee can play it."""

from __future__ import annotations

import re
import secrets
import shlex
import socket
import sys
import threading
from pathlib import Path
from typing import Any, Callable
from urllib.parse import quote

from .game import Game, Position

Player = Callable[[Position], str]

_GAME = re.compile(r"\s*setoption\s+name\s+game\s+value\s(.*)", re.IGNORECASE)
_BLANK = re.compile(r"\s")
_POSITION = re.compile(r"\s*position\s+(?:startpos|fen\s(.*?))(?:\smoves\b(.*))?")


class Server:
    """Listens on a loopback port; each connection is one engine process of the referee."""

    def __init__(self, player: Player, name: str) -> None:
        self._player, self._engine_name = player, name
        self._token = secrets.token_hex(16)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.faults: list[BaseException] = []
        """What the callable raised."""
        self.broken: list[Exception] = []
        """What went wrong with the connection."""
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def command(self) -> str:
        """Command of a program that passes lines between the referee and this server."""
        port = self._socket.getsockname()[1]
        # Isolated: neither the folder of the program nor the current one is searched for modules.
        words = [sys.executable, "-I", str(Path(__file__).with_name("_relay.py")), str(port), self._token]
        return f"name={shlex.quote(self._engine_name)} " + " ".join(map(shlex.quote, words))

    def close(self) -> None:
        """Stops listening."""
        try:
            # Linux goes on to wait for a connection when the socket is closed.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # A surrogate is written as its escape sequence, which is no move.
        with connection, connection.makefile("rw", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            if stream.readline().strip() != self._token:
                return
            try:
                self._speak(stream)
            except OSError:
                # The referee says itself that an engine has gone.
                pass
            except ValueError as fault:
                self.broken.append(fault)

    def _speak(self, stream: Any) -> None:
        game = Game("tictactoe")
        position = game.start()

        def say(line: str) -> None:
            stream.write(line + "\n")
            stream.flush()

        for line in stream:
            line = line.rstrip("\r\n")
            command = (line.split() or [""])[0]
            if command == "ugi":
                say(f"id name {self._engine_name}\nid author Python\noption name Game type string default tictactoe\nugiok")
            elif command == "isready":
                say("readyok")
            elif found := _GAME.fullmatch(line):
                game = Game(found[1])
                position = game.start()
            elif command == "position":
                found = _POSITION.fullmatch(line)
                if found is None:
                    raise ValueError(f"unexpected line {line!r}")
                position = game.start() if found[1] is None else game.position(found[1])
                position = position.play(*(found[2] or "").split())
            elif command == "go":
                try:
                    word = self._player(position)
                except BaseException as fault:  # the referee charges the missing move; the caller gets the fault
                    self.faults.append(fault)
                    return
                text = str(word)
                # A line that was read ends with a break; the name of a node may have one.
                if text != text.strip() and text not in position.moves():
                    text = text.strip()
                # One word: the rest of a longer line would be ignored, and a further line would be another message.
                say(f"bestmove {_BLANK.sub(lambda blank: quote(blank[0]), text)}")
            elif command == "quit":
                return
