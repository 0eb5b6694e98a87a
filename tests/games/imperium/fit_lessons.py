"""Fits what players have learnt of cards: the rows of configs/games/imperium/lessons.toml.

`python -m tests.games.imperium.fit_lessons FOLDER [games]` lets `balanced` without its lessons play 2,000 games of two
with the commons of either box, and asks at three of ten decisions what its six best options bring: each is played on
six times to the end of the game, dealt anew. What they bring, in hundredths of a win, is fitted by ridge regression to
the score of the option and, for each card or effect, to a number of its own; that number over the weight of the score
is the lesson, in points. It writes FOLDER/lessons.toml; with as many games as stand here it takes half an hour on two
cores.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.sparse.linalg import lsqr

from sim.batch import Plan, play
from sim.compiling import compile_script, lineup_record
from sim.data.catalog import validate_row
from sim.games.imperium import words
from sim.games.imperium.catalog import LESSONS
from sim.games.imperium.compile import LESSON_PROGRAMS
from sim.option_values import PLAYER, TEACHER, Keeper, _by_address, _slots
from sim.python_players import SIGNATURE, record_at
from sim.rng import CHANCE
from sim.room import found_in
from sim.runs.config import RunConfig, make_plan
from sim.searching import kernels_of, tell_to_search

GAMES = 2000
SHARE = 0.3
SEED = 777
RIDGE = 2500.0
"""Penalty of the square of a lesson in hundredths of a win: their chance error is large, so most are kept small."""
MOST_SCORE = 12.0
"""Scores are cut there: of an option scored 20 or 12 points better neither wins more."""
APART = 500.0
"""Scores beyond this are of innovating and revolting, which are set 1,000 points apart (`decisions.py`)."""
LEAST = 0.05
GAMES_AT_A_TIME = 8

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

TEACHER_FILE = (
    'name = "teacher"\nbase = "balanced"\ndescription = "says what options bring"\n\n[weights]\nlessons = 0.0\n\n'
    "[search]\nrollouts = 6\noptions = 6\nhalves = false\nprior = 0.0\n"
    f"decisions = {list(words.DECISIONS)}\n".replace("'", '"')
)


@dataclass
class Asked:
    """Options that were played on: decision, what is asked, and what they bring."""

    rows: list[tuple[float, ...]] = field(default_factory=list)


class OptionKeeper(Keeper):
    """Keeps of the decisions at which the teacher is asked which options were played on, and what they bring."""

    asked: Asked

    def ask(self, address: Any, t: Any, me: int, decision: int) -> None:
        """Ask the teacher, if this is one of the decisions to be kept."""
        g = record_at(address, self.plan.game.state)
        game, made = int(g.rng_game[CHANCE]), int(g.decisions - g.decisions_before)
        if np.random.default_rng([self.plan.seed, game, made]).random() >= self.share:
            return
        g.notes[:] = math.nan
        w = self.lineup.seats[TEACHER : TEACHER + 1]
        self.teacher(address, t, me, decision, 0, w.ctypes.data)
        g.notes[:] = math.nan
        found = found_in(g)
        options = np.flatnonzero(found.row[: found.option_count] >= 0)
        if found.worlds == 0 or len(options) < 2:
            return
        for option in options:
            brings = float(found.values[found.row[option], : found.worlds].mean())
            what = (g.option_kind[option], g.option_card[option], g.option_value[option], found.prior[option], brings)
            self.asked.rows.append((game, made, decision, g.asked, g.asked_at, *what))


def plan_of(box: str, folder: Path) -> Plan:
    """Return a plan in which `balanced` without lessons sits in all seats, and the teacher in none."""
    asked = {
        "game": "imperium",
        "players": 2,
        "strategies": ["balanced", "teacher"],
        "factions": ["all"],
        "variant": box,
        "seed": SEED,
        "code": str(folder / "teacher.toml"),
        "decks": [],
        "changes": ["balanced.toml#lessons=0.0"],
    }
    plan = make_plan(validate_row("fit_lessons", asked, RunConfig, None))
    return replace(plan, lineup=(PLAYER,), assign="rotate")


def ask_all(box: str, games: int, folder: Path) -> Floats:
    """Play games and return every option that was played on, a row of numbers each."""
    plan, asked = plan_of(box, folder), Asked()
    for first in range(0, games, GAMES_AT_A_TIME):
        teacher = plan.strategies[TEACHER]
        lineup = lineup_record(plan.strategies, plan.data, plan.players)
        tell_to_search(lineup.seats[TEACHER], teacher, plan.game, compile_script(teacher, plan.game))
        own = compile_script(plan.strategies[PLAYER], plan.game)
        keeper = OptionKeeper(plan, lineup, _by_address(own), _by_address(kernels_of(plan.game).score), SHARE)
        keeper.asked = asked
        pointer = SIGNATURE(keeper.score)
        play(plan, (_slots(pointer, len(plan.strategies)), lineup), first, min(GAMES_AT_A_TIME, games - first))
    return np.array(asked.rows)


# ---- Fitting ----


def fit(decisions: Integers, scores: Floats, brings: Floats, *keys: Integers) -> list[dict[int, float]]:
    """Return lessons by key, in points, for options grouped by decision; an option with key -1 has none.

    Parameters
    ----------
    decisions, scores, brings
        Decision of each option, its score in points and what it brings in hundredths of a win; shape (options,).
    keys
        Of what a lesson is: one or several numbers of each option.
    """
    if len(decisions) == 0:
        return [{} for _ in keys]
    _, at = np.unique(decisions, return_inverse=True)
    options, count = len(at), np.bincount(at)
    groups = sp.csr_matrix((np.ones(options), (at, np.arange(options))))

    def apart(columns: Any) -> Any:
        """Columns less their mean over the options of a decision."""
        return (columns - groups.T @ (sp.diags(1 / count) @ (groups @ columns))).tocsr()

    parts, named = [apart(sp.csr_matrix(scores[:, None]))], []
    for key in keys:
        known, place = np.unique(key, return_inverse=True)
        columns = apart(sp.csr_matrix((np.ones(options), (np.arange(options), place)), (options, len(known))))
        parts.append(columns[:, np.flatnonzero(known >= 0)])
        named.append(known[known >= 0])
    matrix = sp.hstack(parts).tocsr()
    penalty = sp.diags([1.0] + [math.sqrt(RIDGE)] * (matrix.shape[1] - 1))
    wanted = apart(sp.csr_matrix(brings[:, None])).toarray().ravel()
    found = lsqr(
        sp.vstack([matrix, penalty]), np.concatenate([wanted, np.zeros(matrix.shape[1])]), atol=1e-8, btol=1e-8
    )[0]
    lessons, begin = found[1:] / max(found[0], 0.05), 0
    result = []
    for known in named:
        result.append(dict(zip(known.tolist(), lessons[begin : begin + len(known)].tolist(), strict=True)))
        begin += len(known)
    return result


def learn(asked: Floats) -> tuple[dict[str, dict[int, float]], dict[int, float]]:
    """Return what was learnt of cards, by column of the lessons, and of rows of the code."""
    number, decision, what, at, kind, card, value = columns_of(asked)
    scores, brings = asked[:, -2].copy(), 100 * asked[:, -1]
    far = np.abs(scores) > APART
    scores[far] -= np.sign(scores[far]) * 1000.0
    scores = np.clip(scores, -MOST_SCORE, MOST_SCORE)

    def of(meant: Any, *keys: Integers) -> list[dict[int, float]]:
        return fit(number[meant], scores[meant], brings[meant], *(key[meant] for key in keys))

    by_card: dict[str, dict[int, float]] = {}
    turn = decision == words.TURN
    acting = np.where(kind == words.PLAY_CARD, card, np.where(kind == words.EXHAUST_CARD, 1000 + card, 5000 + kind))
    _, found = of(turn, 9000 + kind, acting)
    by_card["play"] = {key: points for key, points in found.items() if key < 1000}
    by_card["use"] = {key - 1000: points for key, points in found.items() if 1000 <= key < 2000}
    picks = {"retire": words.TO_HISTORY, "garrison": words.GARRISON_HERE, "discard": words.DISCARD}
    picked = np.where(card >= 0, card, 3000)
    for name, operation in picks.items():
        by_card[name] = of((decision == words.PICK) & (what == operation), picked)[0]
    for key, points in of((decision == words.PICK) & (what == words.SINK), picked)[0].items():
        by_card["retire"][key] = by_card["retire"].get(key, 0.0) + points
    by_card["develop"] = of(decision == words.DEVELOP, picked)[0]
    gained = np.where(
        (kind == words.FROM_MARKET) & (card >= 0), card, np.where(card >= 0, 5000, 2000 + 100 * kind + value)
    )
    market = (decision == words.MARKET) & np.isin(what, (words.ACQUIRE, words.BREAK_THROUGH))
    by_card["gain"] = of(market, gained)[0]
    by_row = of(decision == words.ALTERNATIVE, value)[0]
    for row, points in of(decision == words.WHETHER, np.where(value == 1, at, -1))[0].items():
        by_row[row] = by_row.get(row, 0.0) + points
    return by_card, by_row


def columns_of(asked: Floats) -> tuple[Integers, ...]:
    """Number of the decision, its kind, what it asks and where in the code, kind, card and value of the option."""
    whole = asked[:, :9].astype(np.int64)
    numbers = whole[:, 0] * 100_000 + whole[:, 1]
    return numbers, whole[:, 2], whole[:, 3], whole[:, 4], whole[:, 5], whole[:, 6], whole[:, 7]


# ---- Writing ----


def effects_by_card(t: Any, by_row: dict[int, float]) -> dict[int, list[tuple[str, float]]]:
    """Name the rows of the code as lessons do, for every card whose program they are in: cards may share one."""
    starts: dict[int, list[tuple[int, str]]] = {}
    for card in range(t.cards):
        for name, program in LESSON_PROGRAMS.items():
            if t.program[card, program] != 0:
                starts.setdefault(int(t.program[card, program]), []).append((card, name))
    begins = np.array(sorted(starts))
    effects: dict[int, list[tuple[str, float]]] = {}
    for row, points in sorted(by_row.items()):
        if abs(points) >= LEAST and row > 0:
            start = int(begins[np.searchsorted(begins, row, "right") - 1])
            for card, name in starts[start]:
                effects.setdefault(card, []).append((f"{name}.{row - start}", points))
    return effects


def as_toml(plan: Plan, head: str, by_card: dict[str, dict[int, float]], by_row: dict[int, float]) -> str:
    """Return the file of lessons, below its head."""
    rows, effects = [head], effects_by_card(plan.data.tables, by_row)
    for card, row in enumerate(plan.data.catalog.cards):
        lines = [f"{name} = {round(by_card[name].get(card, 0.0), 1)}" for name in LESSONS]
        lines = [line for line in lines if not line.endswith((" 0.0", " -0.0"))]
        own = [f'"{name}" = {round(points, 1)}' for name, points in effects.get(card, []) if round(points, 1) != 0.0]
        lines += ["effects = { " + ", ".join(own) + " }"] if own else []
        if lines:
            rows.append("\n".join(["[[lesson]]", f'id = "{row.id}"  # {row.name}', *lines, ""]))
    return "\n".join(rows)


def main(arguments: list[str]) -> None:
    """Write the lessons into a folder; a second argument is the number of games with the commons of each box."""
    folder = Path(arguments[0])
    games = int(arguments[1]) if len(arguments) > 1 else GAMES
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "teacher.toml").write_text(TEACHER_FILE, encoding="utf-8")
    parts = Parallel(n_jobs=2, backend="threading")(
        delayed(ask_all)(box, games, folder) for box in ("classics", "legends")
    )
    parts[1][:, 0] += games  # games of another box are other games
    plan = plan_of("classics", folder)
    shipped = (plan.game.folder / "lessons.toml").read_text(encoding="utf-8")
    head = shipped[: shipped.index("[[lesson]]")].rstrip() + "\n"
    (folder / "lessons.toml").write_text(as_toml(plan, head, *learn(np.concatenate(parts))), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
