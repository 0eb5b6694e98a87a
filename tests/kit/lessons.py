"""Shared by the scripts that fit lessons (`tests.games.GAME.fit_lessons`) and their tests."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.compiler.kernel import Record
from sim.compiler.player_record import WEIGHTS
from sim.diagnostics.fit_lessons import LEAST_WEIGHT, Floats, Integers, fit_lessons

NUMBERS_OF_A_GAME = 100_000
"""More than a game has decisions."""
OPTION_FIELDS = ("option_kind", "option_card", "option_value")
"""Fields of a game's record that tell what an option is."""
UNTAUGHT = ("balanced.toml#lessons=0.0",)
"""Changes with which `balanced` plays without lessons."""


@dataclass(frozen=True)
class Options:
    """Options that were asked about.

    Attributes
    ----------
    number, score, brings
        Number of the decision, over all games, the player's score, and what the option brings in hundredths of a win;
        shape (options,).
    about
        Kind of the decision, what was told of it, and the fields of the option: a row of whole numbers for each of
        these; shape (columns, options).
    """

    number: Integers
    score: Floats
    brings: Floats
    about: Integers

    def fit(
        self, meant: Any, keys: Sequence[Integers], ridge: float, least: float = LEAST_WEIGHT
    ) -> list[dict[int, float]]:
        """Fit lessons to some of the options."""
        chosen = [key[meant] for key in keys]
        return fit_lessons(self.number[meant], self.score[meant], self.brings[meant], chosen, ridge, least)


def options_of(rows: Floats, apart: float = math.inf, shift: float = 0.0, most: float = math.inf) -> Options:
    """Take the rows of `ask_options` apart.

    Parameters
    ----------
    apart, shift
        Scores beyond the first are set so much nearer to 0.
    most
        Scores are cut there: of an option scored much better still neither wins more.

    Raises
    ------
    SystemExit
        There is no column, as of `ask_options` where nothing was asked in so few games.
    """
    if rows.ndim == 1:
        raise SystemExit("nothing was asked in so few games: more of them are needed")
    whole = rows[:, :-2].astype(np.int64)
    score = rows[:, -2].copy()
    far = np.abs(score) > apart
    score[far] -= np.sign(score[far]) * shift
    number = whole[:, 0] * NUMBERS_OF_A_GAME + whole[:, 1]
    return Options(number, np.clip(score, -most, most), 100 * rows[:, -1], whole[:, 2:].T)


def made_up_rows(decision: int, better: Sequence[float], other: Sequence[float]) -> Floats:
    """Rows of 400 decisions in which one option brings 3 hundredths of a win more than its score says."""
    random = np.random.default_rng(3)
    rows = []
    for number in range(400):
        for what, beyond in ((better, 3.0), (other, 0.0)):
            score = random.normal()
            rows.append((0, number, decision, *what, score, (score + beyond) / 100))
    return np.array(rows)


def player_of(place: int, weight: float) -> Record:
    """Return the weights of a player who counts lessons so much; the place is that of the weight in the game."""
    w: Record = np.zeros(1, WEIGHTS)[0]
    w.weight[place] = weight
    return w


def number_at(arguments: Sequence[str], place: int, otherwise: int) -> int:
    """Return a number that a command may be told at a place."""
    return int(arguments[place]) if len(arguments) > place else otherwise


def head_of(folder: Path) -> str:
    """Return the comment above the rows of a game's lessons."""
    shipped = (folder / "lessons.toml").read_text(encoding="utf-8")
    return shipped[: shipped.index("[[")].rstrip() + "\n"


def rounded(points: Iterable[float]) -> list[float]:
    """Return points to one decimal, 0.0 for what is less."""
    return [round(float(each), 1) + 0.0 for each in points]


def write_lessons(folder: Path, rows: Iterable[str]) -> None:
    """Write head and rows of a file of lessons into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lessons.toml").write_text("\n".join(rows), encoding="utf-8")
