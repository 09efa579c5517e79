"""Graphs in and out: networkx graphs as games, games as networkx graphs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .game import Game, Position, _utf8

if TYPE_CHECKING:
    import networkx

_BEFORE_QUOTE = re.compile(r'(?<!\\)(?:\\\\)*\\(?="|\r?\n|\Z)')
"""A backslash that quotes would take for their own."""


def _quoted(text: Any) -> str:
    word = _utf8("graph", str(text))
    if not _BEFORE_QUOTE.search(word):
        return '"' + word.replace('"', '\\"') + '"'
    if "<" in word or ">" in word:
        raise ValueError(f"graph: {word!r} cannot be written in the DOT language")
    return f"<{word}>"


def _is_start(node: Any, attribute: Any) -> bool:
    """Reports whether a node's attribute ``start`` is set. It is a text in graphs that were read from DOT files."""
    if not isinstance(attribute, str):
        return bool(attribute)
    word = attribute.strip('"').lower()
    if word not in ("true", "false", ""):
        raise ValueError(f"graph: node {node!r} has start={attribute!r}: expected true or false")
    return word == "true"


def to_dot(graph: networkx.DiGraph[Any]) -> str:
    """Writes a ``networkx.DiGraph`` in the DOT language, with the attributes ``start``, ``owner`` and ``value`` of its nodes.

    Raises ``ValueError`` where several nodes have ``start``, or none has and not exactly one is without predecessors, and
    where two nodes have the same name.
    """
    return "".join(["digraph {\n", *_statements(graph), "}\n"])


def _statements(graph: networkx.DiGraph[Any]) -> list[str]:
    """Nodes and edges in the DOT language, a line each."""
    if not (hasattr(graph, "is_directed") and graph.is_directed()):
        raise TypeError(f"graph: expected a path or a networkx.DiGraph, not {type(graph).__name__}")
    names: dict[str, Any] = {}
    for node in graph.nodes:
        other = names.setdefault(str(node), node)
        if other is not node:
            raise ValueError(f"graph: the nodes {other!r} and {node!r} have the same name")
    starts = [node for node, data in graph.nodes(data=True) if _is_start(node, data.get("start"))]
    if not starts:
        starts = [node for node in graph.nodes if graph.in_degree(node) == 0]
    if len(starts) != 1:
        raise ValueError(f"graph: {len(starts)} nodes to start from: give one node the attribute start=True")
    lines: list[str] = []
    for node, data in graph.nodes(data=True):
        words = ["start=true"] if node == starts[0] else []
        words += [f"{key}={_quoted(data[key])}" for key in ("owner", "value") if data.get(key) is not None]
        lines.append(f"  {_quoted(node)} [{', '.join(words)}];\n")
    return lines + [f"  {_quoted(a)} -> {_quoted(b)};\n" for a, b in graph.edges()]


def from_game(game: Game, limit: int) -> networkx.DiGraph[Position]:
    """Returns the positions that can be reached as a ``networkx.DiGraph``; see ``Game.graph``."""
    import networkx

    graph: networkx.DiGraph[Position] = networkx.DiGraph(name=game.name)
    for count, position in enumerate(game.start().walk()):
        if count >= limit:
            raise ValueError(f"{game.name} has more than {limit} positions: give a larger limit=")
        graph.add_node(position, turn=position.turn, over=position.is_over)
        if not position.is_over:
            for word, child in position.successors().items():
                graph.add_edge(position, child, move=word)
    return graph
