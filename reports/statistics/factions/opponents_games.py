"""Chooses single games of a faction to look at: typical, telling and close games, and one with a comeback."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from reports.data.opponents import LEAD, OTHERS, Beside
from reports.statistics.core.win_rate import Floats

COLUMNS = ("game", "seat", "strategy", "score", f"{LEAD}score")
TELLING = 0.95
"""The "telling" game is at this quantile of how clearly games show what sets the faction apart, so no outlier."""


def chosen_games(found: Beside, parts: list[str]) -> pl.DataFrame:
    """Choose games of a faction, each for a different reason; `parts` are values by which a game is typical or clear.

    Returns
    -------
    One row per chosen game; a game is listed for its first reason only:
    `which`, the reason: "typical win", "typical loss", "closest" (by score), "turned" (a win after a large deficit), or
    "telling" (a clear win of a strong faction or a clear loss of a weak one, by the values that usually set it apart);
    `game`, `seat`, `strategy`, `score` and `best_other`;
    for "turned" `moment`, the moment at which the later winner was furthest behind, and `behind`, by how many points.
    """
    own = found.own
    won, score, best = own["win"].to_numpy() > 0, own["score"].to_numpy(), own["rank"].to_numpy() == 1
    won &= best
    differences = own.select(pl.col(name).cast(pl.Float64) - pl.col(f"{OTHERS}{name}") for name in parts).to_numpy()
    strong = own["win"].to_numpy().mean() >= own["fair"].to_numpy().mean()
    picked: list[dict[str, Any]] = []
    for which, part in (("typical win", won), ("typical loss", ~won)):
        choose_example_game(
            picked, own, which, part, -distance_from_middle(np.column_stack([differences, score]), part)
        )
    part = won if strong else ~won
    towards = differences @ np.divide(differences.mean(axis=0), np.maximum(differences.std(axis=0), 1e-9) ** 2)
    towards = towards if strong else -towards
    if part.any():
        wanted = np.quantile(towards[part], TELLING)
        choose_example_game(picked, own, "telling", part, -np.abs(towards - wanted))
    lead = own[f"{LEAD}score"].cast(pl.Float64).to_numpy()
    choose_example_game(picked, own, "closest", np.ones(len(own), bool), -np.abs(lead))
    if found.moments:
        leads = own.select(f"{LEAD}{name}" for name in found.moments).cast(pl.Float64).to_numpy()
        part = won & (leads.min(axis=1) < 0)
        choose_example_game(picked, own, "turned", part, -leads.min(axis=1))
        if picked and picked[-1]["which"] == "turned":
            place = picked[-1]["row"]
            picked[-1] |= {"behind": float(-leads[place].min()), "moment": found.moments[int(leads[place].argmin())]}
    schema = {"which": pl.String, "game": pl.Int64, "seat": pl.Int64, "strategy": pl.String, "score": pl.Int64,
              "best_other": pl.Float64, "behind": pl.Float64, "moment": pl.String}  # fmt: skip
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in picked], schema=schema)


def choose_example_game(
    picked: list[dict[str, Any]], own: pl.DataFrame, which: str, part: np.ndarray, worth: Floats
) -> None:
    """Add to `picked` the row with the largest `worth`, of the rows in `part` whose games are not chosen yet."""
    free = part & ~np.isin(own["game"].to_numpy(), [row["game"] for row in picked])
    if not free.any():
        return
    place = int(np.flatnonzero(free)[np.argmax(worth[free])])
    row = own.row(place, named=True)
    picked.append({
        "which": which, "row": place, "game": int(row["game"]), "seat": int(row["seat"]),
        "strategy": str(row["strategy"]), "score": int(row["score"]),
        "best_other": float(row["score"]) - float(row[f"{LEAD}score"]),
    })  # fmt: skip


def distance_from_middle(values: Floats, part: np.ndarray) -> Floats:
    """Return the distance of each row from the median of the rows that `part` marks.

    Distances are in standard deviations, summed over the columns.
    """
    if not part.any():
        return np.zeros(len(values))
    middle, spread = np.median(values[part], axis=0), values[part].std(axis=0)
    return np.asarray((np.abs(values - middle) / np.maximum(spread, 1e-9)).sum(axis=1))
