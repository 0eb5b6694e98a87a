"""What a strategy is: a script with its weights and its temperature, from a TOML file or a user's Python file.

A script scores one option: `score(g, t, me, decision, option, w) -> float`. The engine takes the option with the
highest score, ties by lot. `g` is the game's record, `t` its tables, `me` the seat, `w` the seat's weights in the
order of the script's parameters; what the decisions and options are is said in the game's `state.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Floats = Any
"""A float64 array."""
Ints = Any
"""An array of integers."""
Record = Any
"""A NumPy record."""
Prepare = Callable[[Record, Record, int], Floats]
"""What works out numbers for a script before a run, given its seat's weights, the tables and the number of players."""


@dataclass(frozen=True)
class Script:
    """A function that scores options, and the names of the weights it reads.

    Attributes
    ----------
    name
        What TOML files call it.
    score
        The function, compiled or not.
    parameters
        Names of its weights, in the order of the array `w`.
    description
        How it plays, in a few words.
    prepare
        `prepare(w, t, players)` returns numbers worth computing once for a whole run (float64, one-dimensional);
        the script finds them in `w` behind its weights.
    kept_notes
        How many of the first notes stay from one decision to the next, until another script decides; those behind them
        are blank before every decision. The script must see for itself whether what it finds still holds: it may be
        of another seat, or of an earlier decision than the last one where a copy of a game is played on.
        A script that takes no notes keeps `ALL_NOTES`, so that none have to be made blank.
    score_all
        `score_all(g, t, me, decision, w)` writes the score of every option of a decision into `g.option_score` and
        returns how many there are: what `score` gives each of them, but faster, because what options have in common
        is worked out once. Where only the best one counts (no temperature, no search), options that are not best
        may get less. None where there is no such function.
    choose
        `choose(view, options)` of a player in plain Python (`sim.players.python_players`), who is asked in place of
        `score`, which is then the same function; None for scripts.
    """

    name: str
    score: Callable[..., float]
    parameters: tuple[str, ...]
    description: str
    prepare: Prepare | None = None
    kept_notes: int = 0
    choose: Callable[..., Any] | None = None
    score_all: Callable[..., int] | None = None


VALUES = ("win", "margin")
"""What a game played on may be worth to a seat: its share of the win, or its lead in points over the best other.

Alone at the table both are the seat's points.
"""


@dataclass(frozen=True)
class Search:
    """How a strategy looks ahead: it plays its best options on, in games dealt anew, with its base in all seats.

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
    """A scripted player as it sits at a table.

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
