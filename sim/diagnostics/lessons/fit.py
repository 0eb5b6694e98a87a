"""Fits learned bonuses: the value of options beyond a player's score, as estimated by a player who looks ahead.

While a player plays, another player is asked at some of the decisions. This other player, the teacher, looks ahead, and
estimates the values of the best options, in hundredths of a win. A regression explains these values by the option's
score and by indicators of the move, such as playing or discarding a certain card. The coefficient of a move, divided by
the coefficient of the score, is a lesson. It has the unit of the scores.

References
----------
Hoerl, A. E. and Kennard, R. W. (1970). Ridge regression: biased estimation for nonorthogonal problems. Technometrics
12, 55-67.
Paige, C. C. and Saunders, M. A. (1982). LSQR: an algorithm for sparse linear equations and sparse least squares. ACM
Transactions on Mathematical Software 8, 43-71.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.linalg import lsqr

from sim.compiler.kernel import Record
from sim.data.catalog import validate_row
from sim.data.declarations import Search, SearchOfDecision
from sim.errors import UserError
from sim.players.batch import Plan
from sim.players.option_values import PLAYER, Keeper, make_teacher_and_student, play_asking
from sim.runs.config import RunConfig, make_plan

GAMES_AT_A_TIME = 8
"""Number of games that are played before a thread can be interrupted."""
OWN_COLUMNS = ("game", "number", "decision")
"""First columns of a row: game, number of the decision in the game, and kind of decision. The columns of `describe`
follow."""
SCORE_COLUMNS = ("score", "brings")
"""Last columns of a row: the player's score of the option, and the option's value as a share of a win."""
NUMBERS_OF_A_GAME = 100_000
"""A number larger than the number of decisions in any game."""
OPTION_FIELDS = ("option_kind", "option_card", "option_value")
"""Fields of a game's record that identify an option."""
UNTAUGHT = ("balanced.toml#lessons=0.0",)
"""Changes that make `balanced` play without lessons."""
LEAST_WEIGHT = 0.05
"""Minimum value assumed for a unit of the score, in hundredths of a win. It keeps bonuses from becoming too large."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Describe = Callable[[Record, int], Sequence[float]]
"""Function that returns facts about a seat that decides. Bonuses may depend on these facts and on the option."""


def plan_to_ask(
    game: str,
    player: str,
    players: int,
    seed: int,
    *,
    rollouts: int,
    options: int,
    decisions: Sequence[str],
    teacher: str | None = None,
    variant: str | None = None,
    changes: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> Plan:
    """Return a plan in which `player` has all seats. Its strategies also include the teacher, who has no seat.

    Parameters
    ----------
    game, player, players, seed, variant, changes, settings
        As in `simulate`.
    rollouts, options
        Number of rollouts of each option, and how many of the best options are rolled out.
    decisions
        Names of the decisions at which the teacher may be asked.
    teacher
        Name of the player, such as `judge`, who is the teacher when it looks ahead with these rollouts. By default
        `player` itself, with rollouts to the end of the game.
    """
    asked = {
        "game": game,
        "players": players,
        "strategies": [player, f"{teacher or player}+{rollouts}"],
        "factions": ["all"],
        "seed": seed,
        "changes": list(changes),
        "settings": dict(settings or {}),
        **({} if variant is None else {"variant": variant}),
    }
    plan = make_plan(validate_row("lessons", asked, RunConfig, None))
    own, ahead = plan.strategies
    search = ahead.search
    assert isinstance(search, Search)
    horizons = {name: SearchOfDecision(horizon=row.horizon) for name, row in search.each.items() if row.horizon}
    search = search.model_copy(
        update={"options": options, "halves": False, "prior": 0.0, "decisions": list(decisions), "each": horizons}
    )
    return replace(plan, strategies=(own, replace(ahead, search=search)), lineup=(PLAYER,), assign="rotate")


def ask_options(
    plan: Plan, games: int, share: float, describe: Describe, fields: Sequence[str], first: int = 0
) -> Floats:
    """Play games and return all options that the teacher rolled out at the sampled decisions.

    Parameters
    ----------
    plan
        A plan from `plan_to_ask`.
    share
        Share of the decisions at which the teacher is asked. They are drawn with the plan's seed.
    describe, fields
        What to record of a decision, and which fields of the game's record to record of each option.
    first
        Number of the first game. The rows are the same if the games are played in several parts.

    Returns
    -------
    Floats
        A row for each option, with the columns `OWN_COLUMNS`, those of `describe`, `fields` and `SCORE_COLUMNS`. If the
        teacher was never asked, an empty array of one dimension.
    """
    rows: list[tuple[float, ...]] = []
    for start in range(first, first + games, GAMES_AT_A_TIME):
        keeper = _OptionKeeper(plan, *make_teacher_and_student(plan), share, describe, fields, rows)
        play_asking(plan, keeper, start, min(GAMES_AT_A_TIME, first + games - start))
    return np.array(rows, np.float64)


class _OptionKeeper(Keeper):
    """Collects the options that the teacher rolled out at sampled decisions, and their values."""

    def __init__(
        self,
        plan: Plan,
        lineup: Record,
        own: Callable[..., float],
        teacher: Callable[..., float],
        share: float,
        describe: Describe,
        fields: Sequence[str],
        rows: list[tuple[float, ...]],
    ) -> None:
        super().__init__(plan, lineup, own, teacher, share)
        self.describe, self.fields, self.kept = describe, fields, rows

    def ask(self, address: Any, t: Any, me: int, decision: int) -> None:
        """At a sampled decision, let the teacher search, and append a row for each option that was rolled out."""
        g, game, made = self.at(address)
        if not self.is_kept(game, made):
            return
        found = self.answer(g, address, t, me, decision)
        options = np.flatnonzero(found.row[: found.option_count] >= 0)
        if found.worlds == 0 or len(options) < 2:
            return
        about = (game, made, decision, *self.describe(g, me))
        for option in options:
            brings = float(found.values[found.row[option], : found.worlds].mean())
            what = (getattr(g, name)[option] for name in self.fields)
            self.kept.append((*about, *what, float(found.prior[option]), brings))


# ---- Fitting ----


def fit_lessons(
    decisions: Integers,
    scores: Floats,
    brings: Floats,
    keys: Sequence[Integers],
    ridge: float,
    least: float = LEAST_WEIGHT,
) -> list[dict[int, float]]:
    """Fit lessons to options that are grouped by decision; return a dict of lessons by key for each array of `keys`.

    The regression explains how much more an option is worth than the mean option of its decision, by its score and its
    keys. A lesson is the coefficient of a key, in units of the score.

    Parameters
    ----------
    decisions, scores, brings
        Decision, score, and value in hundredths of a win of each option; shape (options,).
    keys
        One array or several, each with a key for each option. The lessons of an option's keys add up. A key below 0 has
        no lesson.
    ridge
        Penalty on the square of a lesson in hundredths of a win. Lessons have a large random error, so most are kept
        small. The penalty on the weight of the score is 1; it only keeps this weight finite if all scores are equal.
    least
        Minimum value assumed for a unit of the score, in hundredths of a win.
    """
    if len(decisions) == 0:
        return [{} for _ in keys]
    _, at = np.unique(decisions, return_inverse=True)
    options, count = len(at), np.bincount(at)
    groups = sp.csr_matrix((np.ones(options), (at, np.arange(options))))

    def apart(columns: Any) -> Any:
        """Return columns minus their mean over the options of the same decision."""
        return (columns - groups.T @ (sp.diags(1 / count) @ (groups @ columns))).tocsr()

    parts, named = [apart(sp.csr_matrix(scores[:, None]))], []
    for key in keys:
        known, place = np.unique(key, return_inverse=True)
        columns = apart(sp.csr_matrix((np.ones(options), (np.arange(options), place)), (options, len(known))))
        parts.append(columns[:, np.flatnonzero(known >= 0)])
        named.append(known[known >= 0])
    matrix = sp.hstack(parts).tocsr()
    penalty = sp.diags([1.0] + [math.sqrt(ridge)] * (matrix.shape[1] - 1))
    wanted = apart(sp.csr_matrix(brings[:, None])).toarray().ravel()
    found = lsqr(
        sp.vstack([matrix, penalty]), np.concatenate([wanted, np.zeros(matrix.shape[1])]), atol=1e-8, btol=1e-8
    )[0]
    lessons, begin = found[1:] / max(found[0], least), 0
    result = []
    for known in named:
        result.append(dict(zip(known.tolist(), lessons[begin : begin + len(known)].tolist(), strict=True)))
        begin += len(known)
    return result


@dataclass(frozen=True)
class OptionColumns:
    """Options that the teacher has valued, column by column.

    Attributes
    ----------
    number, score, brings
        A number for the decision, unique over all games; the player's score of the option; and the option's value in
        hundredths of a win. Shape (options,).
    about
        Integers, shape (columns, options): the kind of decision, the columns of `describe`, and the fields of the
        option.
    """

    number: Integers
    score: Floats
    brings: Floats
    about: Integers

    def fit(
        self, meant: Any, keys: Sequence[Integers], ridge: float, least: float = LEAST_WEIGHT
    ) -> list[dict[int, float]]:
        """Fit lessons to the options that `meant` selects (`fit_lessons`)."""
        chosen = [key[meant] for key in keys]
        return fit_lessons(self.number[meant], self.score[meant], self.brings[meant], chosen, ridge, least)


def options_of_rows(rows: Floats, apart: float = math.inf, shift: float = 0.0, most: float = math.inf) -> OptionColumns:
    """Split the rows of `ask_options` into columns. Scores are adjusted, and values become hundredths of a win.

    Parameters
    ----------
    apart, shift
        Scores farther from 0 than `apart` are moved towards 0 by `shift`.
    most
        Limit of the absolute score. Scores beyond it do not mean more or fewer wins, so they are set to the limit.

    Raises
    ------
    UserError
        There are too few games, so that the teacher was never asked.
    """
    if rows.ndim == 1:
        raise UserError("too few games: the teacher was never asked")
    whole = rows[:, :-2].astype(np.int64)
    score = rows[:, -2].copy()
    far = np.abs(score) > apart
    score[far] -= np.sign(score[far]) * shift
    number = whole[:, 0] * NUMBERS_OF_A_GAME + whole[:, 1]
    return OptionColumns(number, np.clip(score, -most, most), 100 * rows[:, -1], whole[:, 2:].T)


def spread(lessons: Mapping[int, float], *shape: int) -> Floats:
    """Return an array of the given shape with each lesson at its key, a flat index, and 0 elsewhere."""
    points = np.zeros(shape)
    np.put(points, list(lessons), list(lessons.values()))
    return points


# ---- Files ----


def file_head(folder: Path) -> str:
    """Return the comment at the top of a game's shipped lessons file, above its first row."""
    shipped = (folder / "lessons.toml").read_text(encoding="utf-8")
    return shipped[: shipped.index("[[")].rstrip() + "\n"


def rounded_row(points: Iterable[float]) -> list[float]:
    """Return points rounded to one decimal, without negative zeros."""
    return [round(float(each), 1) + 0.0 for each in points]


def write_lessons(folder: Path, rows: Iterable[str]) -> None:
    """Write the rows of a lessons file into a folder, creating the folder if necessary."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lessons.toml").write_text("\n".join(rows), encoding="utf-8")
