"""Scripts and strategies: a function that scores options, and its weights from a TOML or Python file.

`score(g, t, me, decision, option, w)` returns the score of one option. The option with the highest score is taken, and
ties are broken at random. `g` is the game's record, `t` its tables and `me` the seat. `w.weight` holds the seat's
weights in the order of the script's parameters. The `state.py` of the game says what its decisions and options are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.compiler.kernel import ALL_NOTES, Floats, Record, kernel
from sim.data.declarations import Search

Prepare = Callable[[Record, Record, int], Floats]
"""`prepare(w, t, players)`: computes numbers for a script before a run, from a seat's weights and the tables."""


@dataclass(frozen=True)
class Script:
    """A function that scores options, and the names of the weights it reads.

    Attributes
    ----------
    name
        Name in TOML files.
    score
        The function, compiled or not.
    parameters
        Names of its weights.
    description
        How it plays, in a few words.
    prepare
        `prepare(w, t, players)` returns numbers worth computing once for a whole run (float64, one-dimensional).
        The script finds them in `w.prepared`.
    kept_notes
        How many of the first notes (`g.notes`) are kept from one decision to the next, until another script decides.
        The other notes are blanked before every decision. The script must check that kept notes are still valid: they
        may be from another seat or, in a copy of a game, from an earlier decision than the last. A script that takes no
        notes keeps `ALL_NOTES`, so that none have to be blanked.
    score_all
        `score_all(g, t, me, decision, w)` writes the score of every option of a decision into `g.option_score` and
        returns the number of options. The scores are those of `score`, but computed faster, because work that options
        share is done once. Without temperature and search only the best option matters, so the scores of the other
        options may be too low. None if there is no such function.
    plain
        Player of a game in plain Python (`sim.games.plain.loading.Player`), whose function is stored as `score`. None
        for all other players.
    choose
        `choose(view, options)` of a player in plain Python (`sim.players.python_players`). It is called instead of
        `score`, and is stored as `score`, too. None for scripts.
    """

    name: str
    score: Callable[..., float]
    parameters: tuple[str, ...]
    description: str
    prepare: Prepare | None = None
    kept_notes: int = 0
    choose: Callable[..., Any] | None = None
    score_all: Callable[..., int] | None = None
    plain: Any = None


def weight_names(constants: Iterable[str]) -> tuple[str, ...]:
    """Return the names that weights have in TOML files, from the names of a module's constants, in the same order.

    A constant `P_X` stands for the weight `x`; other constants are ignored.
    """
    return tuple(name.removeprefix("P_").lower() for name in constants if name.startswith("P_"))


score: Any = None


def score_each(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Write the score of every option into `g.option_score`, and return the number of options.

    `bind_kernels` makes a version of this kernel that calls a script's own `score`. It is the `score_all` of scripts
    whose options share work only through notes.
    """
    for option in range(g.option_count):
        g.option_score[option] = score(g, t, me, decision, option, w)
    return int(g.option_count)


@kernel
def score_random(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Return 0 for every legal option, so that all options tie and one is chosen at random."""
    return 0.0


RANDOM = Script("random", score_random, (), "chooses any legal option with equal chance", kept_notes=ALL_NOTES)
"""The script of `random`, which every game has."""

VALUES = ("win", "margin")
"""What a rollout can be worth to a seat: its share of the win, or its lead in points over the best other seat. In a
solo game both are the seat's points."""


@dataclass(frozen=True)
class Strategy:
    """A scripted player at a table.

    Attributes
    ----------
    name
        Name in line-ups and results.
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
        Parameters of its look-ahead search; None if it does not look ahead.
    """

    name: str
    script: Script
    weights: Mapping[str, float] = field(default_factory=dict)
    temperature: float = 0.0
    description: str = ""
    source: str = ""
    search: Search | None = None
