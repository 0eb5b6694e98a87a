"""Strategies: a script with weights, a temperature and perhaps a search, from a TOML or Python file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import Field

from sim.data.declarations import Entry
from sim.engine.script import Script

VALUES = ("win", "margin")
"""Values of a rollout for a seat: its share of the win, or its lead in points over the best other seat.

Alone at the table both are the seat's points.
"""


class SearchOfDecision(Entry):
    """Numbers of a search that differ for one kind of decision."""

    options: int | None = None
    prior: float | None = None
    horizon: int | None = None


class Search(Entry):
    """Search parameters of a strategy, which rolls out its best options in determinized games, its base in all seats.

    Attributes
    ----------
    rollouts
        Rollouts of each option, at most.
    options
        How many options are rolled out: the best by the base's own scores.
    halves
        Whether the worse half of them is dropped from time to time (sequential halving: Karnin, Koren and Somekh,
        ICML 2013).
    value
        What the end of a rollout is worth, one of `VALUES`.
    lead_scale
        Points of lead that make a win a sure one: the worth of a lead is a logistic curve of this width, which tells
        more of each game than who has won it. 0: a win is a win.
    prior
        Worth of one unit of the base's score, in the unit of the value.
    model_temperature
        Temperature of all seats in rollouts.
    horizon
        Rounds of a rollout, after which the game is scored as if it had ended, or judged by `outlook`; 0 plays to the
        end.
    decisions
        Names of the decisions that are searched (`Game.decisions`); at all others the base decides.
    each
        Numbers that differ for single decisions, by the name of the decision.
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
    decisions: list[str]
    each: dict[str, SearchOfDecision] = Field(default={})
    outlook: list[dict[str, float]] = Field(default=[])


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
