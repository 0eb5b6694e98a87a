"""Strategies: a script with weights, a temperature and perhaps a search, from a TOML or Python file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.engine.script import Script

VALUES = ("win", "margin")
"""Values of a rollout for a seat: its share of the win, or its lead in points over the best other seat.

Alone at the table both are the seat's points.
"""


@dataclass(frozen=True)
class Search:
    """Search parameters of a strategy, which rolls out its best options in determinized games, its base in all seats.

    Attributes
    ----------
    rollouts
        Games played on for each option, at most.
    options
        How many options are played on: the best by the base's own scores.
    halves
        Whether the worse half of them is dropped from time to time (sequential halving: Karnin, Koren and Somekh,
        ICML 2013).
    value
        What the end of such a game is worth, one of `VALUES`.
    lead_scale
        Points of lead that make a win a sure one: the worth of a lead is a logistic curve of this width, which tells
        more of each game than who has won it. 0: a win is a win.
    prior
        Worth of one unit of the base's score, in the unit of the value.
    model_temperature
        Temperature of all seats in the games played on.
    horizon
        Rounds played on, after which the game is scored as if it had ended, or judged by `outlook`; 0 plays to the end.
    decisions
        Names of the decisions that are searched (`Game.decisions`); at all others the base decides.
    each
        `options`, `prior` and `horizon` of single decisions, where they are others.
    outlook
        What makes up the chance to win at the horizon: for each number of rounds left, from 1, the weights of some of
        `Game.prospects`. With more rounds left the last row holds. Empty: the game is scored as if it had ended.
    """

    rollouts: int
    options: int
    value: str
    lead_scale: float
    prior: float
    model_temperature: float
    horizon: int
    halves: bool
    decisions: tuple[str, ...]
    each: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    outlook: tuple[Mapping[str, float], ...] = ()


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
