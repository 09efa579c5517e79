"""Graphs in and out: networkx graphs as games, games as networkx graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx

    from .game import Game, Position


def _quoted(text: Any) -> str:
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def to_dot(graph: networkx.DiGraph[Any]) -> str:
    """Writes a ``networkx.DiGraph`` in the DOT language, with the attributes ``start``, ``owner`` and ``value`` of its nodes.

    Raises ``ValueError`` where several nodes have ``start``, or none has and not exactly one is without predecessors.
    """
    starts = [node for node, data in graph.nodes(data=True) if data.get("start")]
    if not starts:
        starts = [node for node in graph.nodes if graph.in_degree(node) == 0]
    if len(starts) != 1:
        raise ValueError(f"graph: {len(starts)} nodes to start from: give one node the attribute start=True")
    lines = ["digraph {"]
    for node, data in graph.nodes(data=True):
        words = ["start=true"] if node == starts[0] else []
        words += [f"{key}={_quoted(data[key])}" for key in ("owner", "value") if data.get(key) is not None]
        lines.append(f"  {_quoted(node)} [{', '.join(words)}];")
    lines += [f"  {_quoted(a)} -> {_quoted(b)};" for a, b in graph.edges()]
    return "\n".join(lines + ["}"]) + "\n"


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
