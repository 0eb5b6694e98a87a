"""Strategies: a script with weights, a temperature and perhaps a search, from a TOML or Python file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.data.declarations import Search
from sim.engine.script import Script

VALUES = ("win", "margin")
"""Values of a rollout for a seat: its share of the win, or its lead in points over the best other seat.

Alone at the table both are the seat's points.
"""


@dataclass(frozen=True)
class Strategy:
    """A scripted player at a table.

    Attributes
    ----------
    name
        What line-ups and results call it.
    script
        The function that scores its options.
    weights
        Value of each parameter of the script.
    temperature
        Softness of its choices: Gumbel noise of this scale, in the unit of the scores, is added to every score.
    description
        How it plays.
    source
        File it comes from.
    search
        How it looks ahead, on top of its script; None where it does not.
    """

    name: str
    script: Script
    weights: Mapping[str, float] = field(default_factory=dict)
    temperature: float = 0.0
    description: str = ""
    source: str = ""
    search: Search | None = None
