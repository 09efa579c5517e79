"""Plays two-player games perfectly, and says only what is proved.

>>> import grundy
>>> g = grundy.Game("nim:3,5,7")
>>> p = g.start()
>>> str(p), p.turn, p.value()
('3,5,7 1', 1, Value('win'))
>>> p.best_moves()
['1:1', '2:1', '3:1']
>>> p.play("1:1").value()
Value('loss')
"""

from ._native import __version__
from .game import Analysis, Game, Listed, Picture, Position, Search, games
from .judge import Judgement, Verdict, judge
from .referee import Report, audit, check, equilibrium, match
from .table import Table
from .value import Value

__all__ = [
    "Analysis",
    "Game",
    "Judgement",
    "Listed",
    "Picture",
    "Position",
    "Report",
    "Search",
    "Table",
    "Value",
    "Verdict",
    "__version__",
    "audit",
    "check",
    "equilibrium",
    "games",
    "judge",
    "match",
]
