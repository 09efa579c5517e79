"""Serves a Python callable as a UGI engine, so that the referee can play it."""

from __future__ import annotations

import secrets
import shlex
import socket
import sys
import threading
from pathlib import Path
from typing import Any, Callable

from .game import Game, Position

Player = Callable[[Position], str]


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
        self._socket.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rw", encoding="utf-8", newline="\n") as stream:
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
            words = line.split()
            if not words:
                continue
            command, rest = words[0], words[1:]
            if command == "ugi":
                say(f"id name {self._engine_name}\nid author Python\noption name Game type string default tictactoe\nugiok")
            elif command == "isready":
                say("readyok")
            elif command == "setoption" and [word.lower() for word in rest[:3]] == ["name", "game", "value"]:
                game = Game(" ".join(rest[3:]))
                position = game.start()
            elif command == "position":
                at = rest.index("moves") if "moves" in rest else len(rest)
                position = game.start() if rest[:1] == ["startpos"] else game.position(" ".join(rest[1:at]))
                position = position.play(*rest[at + 1 :])
            elif command == "go":
                try:
                    word = self._player(position)
                except BaseException as fault:  # the referee charges the missing move; the caller gets the fault
                    self.faults.append(fault)
                    return
                say(f"bestmove {word}")
            elif command == "quit":
                return
