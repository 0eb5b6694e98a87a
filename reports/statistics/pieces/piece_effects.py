"""Causal effect of a piece on the seats that play it, from the same deals with the printed and with the changed piece.

Seats are not randomly assigned to pieces, so "builders win more" says little. Here every deal is played twice: as
printed (arm A) and with the piece changed (arm B). Each seat is compared with itself in the other arm. The seed fixes
the randomness, so each seat has one potential outcome in each arm (Rubin 1974). The difference of the two is the effect
of the change.

The effect is estimated on those seats that played the piece, in either arm, while both arms were still identical move
for move. (Units may be selected by a variable that does not depend on the arm: Frangakis and Rubin 2002.) Seats that
played the piece later are selected by luck that the other arm does not share. Such a seat is ahead in A because things
went well in A. It would fall back in B even if the piece were worthless. (`worth_all` includes these seats.)

Errors are by block (Cochran 1977, ch. 6 and 9A), tests are score tests (Boos 1992). `docs/statistics.md` lists the
sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import UNIT
from reports.data.moments import SUMS as BLOCK_SUMS
from reports.data.moments import add_block
from reports.statistics.core.win_rate import (
    ALPHA,
    blank_zero,
    clustered_error,
    family_probability,
    holm,
    minimum_detectable_effect,
    score_test,
    t_quantile,
)
from sim.compiler.kernel import kernel
from sim.engine.result_rows import PIECE_KEYS, RANK, SCORE
from sim.players.batch import Plan

Array = NDArray[Any]
SUMS = (*BLOCK_SUMS, "differing", "won")
"""Sums over blocks: those of `moments.SUMS`, with the difference of wins in place of wins, and then two more.

The last two are the number of blocks in which wins differ, and the wins in arm A.
"""
DIFFERING, WON = range(len(BLOCK_SUMS), len(SUMS))
ALIKE, ALL = 0, 1
COUNTS = ("offered_a", "offered_b", "built_a", "built_b")
MIN_BLOCKS = 20
"""Minimum number of blocks with comparable seats for an estimate.

It is also the minimum number of blocks with different wins for an estimate without a note.
"""
NEVER = 1_000_000


@dataclass(frozen=True)
class Intervention:
    """Effects of changing pieces, one piece at a time, on the seats that play them.

    Attributes
    ----------
    frame
        One row per piece, the largest worth first; see `effects_frame`.
    noun
        The game's word for a piece.
    make
        What the pieces were changed to: "none", "free" or a new value.
    plan
        The plan of arm A.
    """

    frame: pl.DataFrame
    noun: str
    make: str
    plan: Plan
    games: int


def is_removal(make: str) -> bool:
    """Tell whether the piece's effects were removed. The worth of a piece is then what seats lose without it."""
    return make.strip().casefold() == "none"


@kernel
def find_first_differing_turns(rows_a: Array, rows_b: Array, columns: Array, first: int, apart: Array) -> None:
    """For each game, find the first turn in which the events of any piece differ between the two arms.

    Both tables are sorted by game, seat and piece. A row that is missing from one table counts as different in every
    column that holds a turn. `apart`, shape (games,), is filled in; it must hold `NEVER` at the start.
    """
    a = 0
    b = 0
    while a < len(rows_a) or b < len(rows_b):
        order = 0  # which row comes first: -1 the row of A, 1 the row of B, 0 if both are of the same piece
        if a == len(rows_a):
            order = 1
        elif b == len(rows_b):
            order = -1
        else:
            for column in range(PIECE_KEYS):
                if rows_a[a, column] != rows_b[b, column]:
                    order = -1 if rows_a[a, column] < rows_b[b, column] else 1
                    break
        game = (rows_a[a, 0] if order <= 0 else rows_b[b, 0]) - first
        for column in columns:
            turn_a = rows_a[a, column] if order <= 0 else 0
            turn_b = rows_b[b, column] if order >= 0 else 0
            if turn_a != turn_b:
                if turn_a > 0:
                    apart[game] = min(apart[game], turn_a)
                if turn_b > 0:
                    apart[game] = min(apart[game], turn_b)
        a += int(order <= 0)
        b += int(order >= 0)


@kernel
def turn_in_play(row: Array, columns: Array, in_play: Array) -> int:
    """Return the turn in which the piece of a row came into play; 0 if it never did."""
    turn = 0
    for event in range(len(columns)):
        if in_play[event] and row[columns[event]] > 0 and (turn == 0 or row[columns[event]] < turn):
            turn = row[columns[event]]
    return turn


@kernel
def win_of(seats: Array, game: int, seat: int, players: int) -> float:
    """Return the win of a seat in units of 1/UNIT. A win that two seats share counts half for each."""
    if seats[game * players + seat, RANK] != 1:
        return 0.0
    winners = 0
    for other in range(players):
        winners += int(seats[game * players + other, RANK] == 1)
    return float(UNIT // winners)


@kernel
def find_turns_in_play(
    rows: Array, piece: int, columns: Array, in_play: Array, players: int, first: int, turns: Array
) -> int:
    """Fill `turns`, shape (games * players,), with the turn in which a piece came into play for each seat.

    Returns the number of seats that had the piece.
    """
    had = 0
    for row in range(len(rows)):
        if rows[row, 2] == piece:
            had += 1
            turns[(rows[row, 0] - first) * players + rows[row, 1]] = turn_in_play(rows[row], columns, in_play)
    return had


@kernel
def add_differences(
    seats_a: Array, rows_a: Array, seats_b: Array, rows_b: Array, piece: int, columns: Array, in_play: Array,
    apart: Array, players: int, block_games: int, first: int, sums: Array, counts: Array,
) -> None:  # fmt: skip
    """Add a batch of games to `sums`, shape (2, SUMS), and `counts`, shape (COUNTS,), of one piece.

    A seat counts if it put the piece in play in either arm. In the first row of `sums` it counts only if it did so no
    later than the turn in which the arms diverged.
    """
    turns_a = np.zeros(len(seats_a), np.int64)
    turns_b = np.zeros(len(seats_b), np.int64)
    counts[0] += find_turns_in_play(rows_a, piece, columns, in_play, players, first, turns_a)
    counts[1] += find_turns_in_play(rows_b, piece, columns, in_play, players, first, turns_b)
    counts[2] += np.count_nonzero(turns_a)
    counts[3] += np.count_nonzero(turns_b)
    block = np.zeros((2, 4))  # seats; differences of wins and of scores; wins in A
    for game in range(len(apart)):
        if game > 0 and (first + game) % block_games == 0:
            close_effect_block(block, sums)
        for seat in range(players):
            place = game * players + seat
            turn = turns_a[place]
            if turn == 0 or 0 < turns_b[place] < turn:
                turn = turns_b[place]
            if turn == 0:
                continue
            win = win_of(seats_a, game, seat, players)
            change = win - win_of(seats_b, game, seat, players)
            scores = seats_a[place, SCORE] - seats_b[place, SCORE]
            for group in range(2):
                if group == ALL or turn <= apart[game]:
                    block[group, 0] += 1.0
                    block[group, 1] += change
                    block[group, 2] += scores
                    block[group, 3] += win
    close_effect_block(block, sums)


@kernel
def close_effect_block(block: Array, sums: Array) -> None:
    """Add the sums of a block to the totals, in the order of `SUMS`, and set the block's sums to 0."""
    for group in range(2):
        n, d, s, w = block[group]
        if n > 0.0:
            add_block(sums[group], n, d, 0.0, s, 0.0, 0.0)
            sums[group, DIFFERING] += 1.0 if d != 0.0 else 0.0
            sums[group, WON] += w
        block[group, :] = 0.0


def effects_frame(noun: str, names: Sequence[str], sums: Array, counts: Array, removed: bool = True) -> pl.DataFrame:
    """Return the worth of every piece with interval and test. All rows are one family for Holm's correction.

    Let N be the number of seats in a block that are compared, and D their wins in arm A minus their wins in arm B. Then
    worth = sum(D) / sum(N), a ratio over blocks. Its error and test are those of `reports.statistics.core.win_rate`.

    Parameters
    ----------
    sums
        Shape (pieces, 2, SUMS), with wins in units of 1/UNIT.
    counts
        Shape (pieces, COUNTS).
    removed
        Whether the effects of the piece were removed. Worth is then A - B. Otherwise it is the gain from the change, B
        - A.

    Returns
    -------
    Sorted by worth, best first. Values that need a comparison are null if there are fewer than `MIN_BLOCKS` blocks:
    the name of the piece;
    `games` (the seat-games that are compared) and `blocks`;
    `worth` as a fraction of a win with `low` and `high`, limits for all pieces `family_low` and `family_high`, `error`,
    `p`, `p_holm` and `mde`;
    `flag` ("strong" if building the piece makes seats win more, "weak" if it makes them win less);
    `score` with `score_low` and `score_high`, the worth in points of score;
    `win_rate` of these seats in the game as printed;
    `built` and `built_changed`, the share of the seats offered the piece that put it in play, in arm A and in arm B;
    `compared`, the seats that are compared as a fraction of all seats that put the piece in play;
    `worth_all` with limits, the worth over all seats that put the piece in play (see the module's docstring);
    `note`, a word on why something is null.
    """
    sign = 1.0 if removed else -1.0
    alike, everybody = (ratios(sums[:, group], sign) for group in (ALIKE, ALL))
    n, blocks = (sums[:, ALIKE, SUMS.index(name)] for name in ("N", "blocks"))
    p = alike["p"]
    wide = t_quantile(sums[:, ALIKE, SUMS.index("blocks")], family_probability(int(np.isfinite(p).sum())))
    low, high = alike["worth"] - wide * alike["error"], alike["worth"] + wide * alike["error"]
    sure = (holm(p) < ALPHA) & ((low > 0) | (high < 0))
    flag = np.where(sure, np.where(alike["worth"] > 0, "strong", "weak"), "")
    differing, won = sums[:, ALIKE, DIFFERING], sums[:, ALIKE, WON]
    built = counts[:, 2] + counts[:, 3]
    few = blocks < MIN_BLOCKS
    cases = [counts[:, 0] == 0, built == 0, n == 0, few, differing == 0, differing < MIN_BLOCKS]
    words = ["never dealt", "never in play", "never in play alike", "too few blocks", "no win differs",
             "few deals differ"]  # fmt: skip
    offered = blank_zero(counts[:, :2].astype(np.float64))
    columns = {
        "worth": alike["worth"], "low": alike["low"], "high": alike["high"],
        "family_low": np.maximum(low, -1.0), "family_high": np.minimum(high, 1.0), "error": alike["error"], "p": p,
        "p_holm": holm(p), "mde": alike["mde"],
        "score": alike["score"], "score_low": alike["score_low"], "score_high": alike["score_high"],
        "win_rate": np.where(few, np.nan, won / UNIT / blank_zero(n)),
        "built": counts[:, 2] / offered[:, 0], "built_changed": counts[:, 3] / offered[:, 1],
        "compared": n / blank_zero(sums[:, ALL, SUMS.index("N")]),
        "worth_all": everybody["worth"], "worth_all_low": everybody["low"], "worth_all_high": everybody["high"],
    }  # fmt: skip
    frame = pl.DataFrame({
        noun: list(names), "games": n.astype(np.int64), "blocks": blocks.astype(np.int64),
        **{name: pl.Series(values, dtype=pl.Float64).fill_nan(None) for name, values in columns.items()},
        "flag": pl.Series(flag.astype(str), dtype=pl.String),
        "note": pl.Series(np.select(cases, words, "").astype(str), dtype=pl.String),
    })  # fmt: skip
    return frame.sort(["worth", noun], descending=[True, False], nulls_last=True)


def ratios(sums: Array, sign: float) -> dict[str, Array]:
    """Return the worth in wins and in score from sums over blocks of shape (pieces, SUMS).

    `sign` is 1 for A - B and -1 for B - A. The result has limits, error, p and MDE, too. All values are NaN below
    `MIN_BLOCKS` blocks. From a single block, one win could look like a worth of 100 points.
    """
    m = dict(zip(SUMS, sums.T.astype(np.float64), strict=True))
    n, blocks = blank_zero(np.where(m["blocks"] < MIN_BLOCKS, 0.0, m["N"])), m["blocks"]
    wins = {"D": m["W"] / UNIT, "DD": m["DD"] / UNIT**2, "DN": m["DN"] / UNIT}
    reach = t_quantile(blocks, 1 - ALPHA / 2)
    sizes = {"blocks": blocks, "n": n, "nn": m["NN"]}
    worth, score = sign * wins["D"] / n, sign * m["S"] / n
    with np.errstate(invalid="ignore"):
        error = blank_zero(clustered_error(sign * worth, wins["DD"], wins["DN"], **sizes))
        score_error = blank_zero(clustered_error(sign * score, m["SS"], m["SN"], **sizes))
    known = np.where(np.isnan(n), 0.0, blocks)
    return {
        "worth": worth,
        "error": error,
        "low": np.maximum(worth - reach * error, -1.0),
        "high": np.minimum(worth + reach * error, 1.0),
        "p": score_test(wins["D"], wins["DD"], known),
        "mde": minimum_detectable_effect(error, blocks),
        "score": score,
        "score_low": score - reach * score_error,
        "score_high": score + reach * score_error,
    }
