"""Compares the pieces that a faction uses with those of its opponents."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.load import Run, piece_events
from reports.data.opponents import Beside
from reports.statistics.core.win_rate import Floats
from reports.statistics.factions.opponents import (
    DIFFERENCE,
    MIN_BLOCKS,
    Means,
    above_usual,
    block_places,
    contrast_of,
    difference_columns,
    mean,
    means_of,
    share_with_limits,
    under_null,
    with_family_limits,
)

MAX_GAMES = 20_000
"""Maximum number of games whose pieces are read.

Each number of players gets the same number of games. This maximum is enough to know rates to within one point.
"""


def pieces_beside(run: Run, found: Beside, weight: float = 1) -> pl.DataFrame | None:
    """Return how often the faction and its opponents use each piece; `weight` as in `with_family_limits`.

    Returns
    -------
    A row for each piece that any seat at these tables put in play; None for a run without pieces:
    `piece`;
    `offered`, the seat-games of the faction in which the piece was offered, and `taken`, the share of these in which
    the faction took it;
    `own` and `others`, the shares of seat-games in which the faction or an opponent put it in play, with `difference`,
    `low`, `high`, `p` and the columns of `with_family_limits`;
    `first`, the share of the faction's games in which it was the first piece taken, and `first_wins`, its share of wins
    in these games, with `first_wins_low` and `first_wins_high`;
    `wins`, the faction's share of wins in the games in which it had the piece in play;
    `brings`, the share of wins with the piece in play minus that with the piece offered but not in play, adjusted for
    the number of players, and the columns of `difference` under the prefix `brings_`.
    `brings` reflects players' choices, so it is not an effect of the piece.
    """
    rows = opponent_piece_rows(run, found)
    if rows is None or not rows.height:
        return None
    own = found.own.filter(pl.col("game").is_in(games_read(found).implode()))
    seats = own.select(
        "game", "seat", "block", "players", "win", (pl.col("players") - 1).alias("rivals")
    ).with_row_index("row")
    mine = rows.join(seats, on=["game", "seat"], how="inner")
    theirs = rows.join(seats.select("game", pl.col("seat").alias("own_seat"), "row", "rivals"), on="game", how="inner")
    theirs = theirs.filter(pl.col("seat") != pl.col("own_seat"))
    win, block, rivals = (seats[name].cast(pl.Float64).to_numpy() for name in ("win", "block", "rivals"))
    above = above_usual(seats)
    rows_of: list[dict[str, Any]] = []
    names = pl.concat([part.filter("in_play")["piece"] for part in (mine, theirs)]).unique().sort()
    by_piece, of_others = columns_by_piece(mine), columns_by_piece(theirs.filter("in_play"))
    nothing = columns_of(mine.head(0))
    for name in names:
        row, in_play, taken, was_first = by_piece.get(name, nothing)
        played, offered, first = (np.zeros(len(win), bool) for _ in range(3))
        played[row[in_play]] = offered[row] = first[row[was_first]] = True
        counts = np.bincount(of_others.get(name, nothing)[0], minlength=len(win)).astype(np.float64)
        others = counts / np.maximum(rivals, 1)
        apart = difference_columns(rates_beside(played, counts, rivals, block))
        of_first = share_with_limits(win[first], block[first]) if first.any() else {}
        brings = difference_columns(contrast_of(above[offered, None], played[offered], block[offered]))
        known = min(block_places(block[part])[1] for part in (played, offered & ~played)) >= MIN_BLOCKS
        found_here = {
            "piece": str(name), "offered": int(offered.sum()),
            "taken": float(taken.mean()) if len(taken) else float("nan"),
            "own": float(played.mean()), "others": mean(others),
            **{key: float(value[0]) for key, value in apart.items()},
            "first": float(first.mean()), "first_wins": mean(win[first]), "wins": mean(win[played]),
            **{f"first_wins_{end}": of_first.get(end, np.nan) for end in ("low", "high")},
            **{f"brings{column.removeprefix('difference') and '_' + column}": float(brings[column][0])
               if known else np.nan for column in DIFFERENCE},
        }  # fmt: skip
        rows_of.append(found_here)
    frame = pl.DataFrame(rows_of, infer_schema_length=None).with_columns(pl.col(pl.Float64).fill_nan(None))
    frame = with_family_limits(with_family_limits(frame, 2 * weight), 2 * weight, "brings_", "brings")
    return frame.sort("difference", descending=True, nulls_last=True)


def columns_by_piece(rows: pl.DataFrame) -> dict[Any, tuple[NDArray[Any], ...]]:
    """Return for each piece the arrays `row`, `in_play`, `taken` and `first` of its rows."""
    return {name: columns_of(part) for (name,), part in rows.partition_by("piece", as_dict=True).items()}


def columns_of(rows: pl.DataFrame) -> tuple[NDArray[Any], ...]:
    """Return the columns `row`, `in_play`, `taken` and `first` as arrays."""
    return tuple(rows[name].to_numpy() for name in ("row", "in_play", "taken", "first"))


def rates_beside(played: NDArray[np.bool_], others: Floats, rivals: Floats, block: Floats) -> Means:
    """Return how much more often a seat puts a piece in play than its opponents do.

    Parameters
    ----------
    played, others, rivals
        Whether the seat puts the piece in play; how many of its opponents do; the number of opponents. Shape (seats,).
    """
    apart = played - others / np.maximum(rivals, 1)
    seats, share = rivals + 1, (played + others) / (rivals + 1)
    # Under the null, the seats that put the piece in play are random seats of the table.
    null = ((seats / np.maximum(rivals, 1)) ** 2 * share * (1 - share)).sum() / len(apart) ** 2
    plain = apart.var() / len(apart)
    return under_null(means_of(apart[:, None], block), np.array([null]), np.array([plain]))


def games_read(found: Beside) -> pl.Series:
    """Return the games whose pieces are read: the first games for each number of players."""
    games = found.own.select("game", "players").unique().sort("game")
    return games.group_by("players").head(MAX_GAMES // games["players"].n_unique())["game"].sort()


def opponent_piece_rows(run: Run, found: Beside) -> pl.DataFrame | None:
    """Return `game`, `seat`, `piece`, `taken`, `in_play`, `first` of all seats in `games_read`; None without pieces."""
    events = piece_events(run.manifest)
    if run.pieces is None or not events:
        return None
    noun = run.manifest.piece
    games = games_read(found)
    taken = [pl.col(event.column) for event in events if event.taken]
    when = pl.min_horizontal(*(pl.when(column > 0).then(column) for column in taken))
    in_play = pl.any_horizontal(pl.col(event.column) > 0 for event in events if event.in_play)
    parts = [
        part.filter((pl.col("game") <= games.max()) & pl.col("game").is_in(games.implode()))
        .select(
            "game", "seat", pl.col(noun).cast(pl.String).alias("piece"), when.alias("when"), in_play.alias("in_play")
        )
        .collect(engine="streaming")
        for part in run.pieces
    ]  # fmt: skip
    rows = pl.concat(parts)
    first = pl.col("when") == pl.col("when").min().over("game", "seat")
    return rows.with_columns(pl.col("when").is_not_null().alias("taken"), first.fill_null(False).alias("first"))
