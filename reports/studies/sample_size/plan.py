"""Plays a pilot, a short run that measures the variance between blocks, and derives how many games a question needs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from reports.data.cells import count_cells
from reports.data.load import Run, with_fair_share, with_levels
from reports.formatting import counted, only_one
from reports.model import Table
from reports.sections.core.shares import share_tables
from reports.statistics.core.decisions import Pilot, Question, paired_needs, table_needs
from reports.statistics.core.win_rate import FIRST_SCREEN_ALPHA
from reports.studies.sample_size.sequential import check_points, check_rate
from sim.data.arguments import jobs_to_use
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.run import warm_up
from sim.runs.shards import play_shards, shards_of, share_out
from sim.runs.store.build_manifest import planned_run
from sim.runs.store.manifest import Manifest
from sim.runs.store.parquet import seat_frame

Row = dict[str, Any]
PILOT_GAMES = 4_000
MIN_EFFECT = 0.001
"""Smallest effect, in percentage points. A smaller one would need tens of billions of games."""
PLAN_TABLES = ("faction", "seat", "strategy", "all")


def question(effect: float, power: float, alpha: float) -> Question:
    """Return a `Question` with these numbers, after a check of each. `effect` is in percentage points."""
    check_points("effect", effect, 100.0)
    check_rate("power", power)
    check_rate("alpha", alpha)
    return Question(effect / 100, power, alpha)


def check_effect_size(effect: float, players: int) -> None:
    """Raise UserError unless an edge of `effect` points can occur at this table size, and a run can detect it."""
    most = 100 * (1 - 1 / players) if players > 1 else 100.0
    if not MIN_EFFECT <= effect <= most:
        message = f"an edge of this size is impossible among {counted(players, 'player')}"
        raise UserError(message, field="effect", found=effect, allowed=f"{MIN_EFFECT:g} to {most:.4g} points")


def play_pilot(plan: Plan, games: int, jobs: int = -1, say: Callable[[str], None] = lambda text: None) -> Pilot:
    """Play a short run in memory, in shards small enough to keep every worker busy."""
    workers = jobs_to_use(jobs)
    teams = warm_up([plan], say)
    groups = share_out([plan], games)
    pieces = shards_of(groups, teams, max(1, math.ceil(games / (8 * workers))))
    clock = time.perf_counter()
    with closing(play_shards(pieces, workers)) as played:
        rows = np.concatenate([seats for seats, *_ in played])
    seconds = time.perf_counter() - clock
    frame = seat_frame(plan, rows)
    manifest = Manifest(**planned_run(groups, "").model_dump(), shards=[])
    return Pilot(Run(Path(), manifest, with_fair_share(with_levels(frame.lazy(), manifest), manifest)), seconds)


def plan_needs(pilot: Pilot, q: Question, table: str = "all", changed: Pilot | None = None) -> pl.DataFrame:
    """Return how many games each table needs, judged by its least precise row.

    `table` is "faction", "seat", "strategy", or "all", which includes attributes of the factions. `changed` is a pilot
    with the change that is to be compared, on the same deals. Raises UserError if the table is unknown, or can support
    no finding.

    Returns one row per table: `table`, `noun`, `rows`, `level` (the least precise row), `blocks` (that row's blocks in
    the pilot), `design_effect`, numbers of games from `table_needs` for that row, `paired` and `saving` (null without
    `changed`), `note`.
    """
    check_plan_table(table)
    has_factions = bool(pilot.run.manifest.factions)
    if table == "faction" and not has_factions:
        raise UserError(f"{pilot.run.manifest.title} has no factions", field="table", found=table)
    games = pilot.run.manifest.games
    tables = share_tables(pilot.run, count_cells(pilot.run), rate=FIRST_SCREEN_ALPHA)[0]
    chosen = [one for name, one in tables.items() if not one.crossed and table in ("all", name)]
    if table != "all" and chosen and chosen[0].silence:
        raise UserError(chosen[0].silence, field="table", found=table)
    rows = [least_precise(one, pilot, q, changed, games) for one in chosen if not one.silence]
    if not rows:
        raise UserError(f"{only_one(has_factions)}: nothing can differ", field="table", found=table)
    numbers = ("design_effect", "flag_one", "flag_any", "interval", "apart", "paired", "saving")
    kinds: dict[str, Any] = {"table": pl.String, "noun": pl.String, "rows": pl.Int64, "level": pl.String}
    kinds |= {"blocks": pl.Int64} | dict.fromkeys(numbers, pl.Float64) | {"note": pl.String}
    return pl.DataFrame(rows, schema=kinds)


def least_precise(table: Table, pilot: Pilot, q: Question, changed: Pilot | None, games: int) -> Row:
    """Return the numbers of games that the least precise row of a table needs, as a row of `plan_needs`.

    Exceptions are `paired`, the maximum over all rows, and `saving`, the median over all rows.
    """
    needs = table_needs(table, games, q)
    if changed is not None and table.name in ("faction", "seat", "strategy"):
        needs = needs.join(paired_needs(pilot.run, changed.run, table.name, q), on="level", how="left")
    else:
        needs = needs.with_columns(pl.lit(None, pl.Float64).alias("paired"), pl.lit(None, pl.Float64).alias("saving"))
    worst = needs.sort("flag_any", descending=True, nulls_last=True).row(0, named=True)
    silent = needs.filter(pl.col("note") != "")["level"].to_list()
    worst["paired"] = needs["paired"].max()
    worst["saving"] = needs["saving"].median()
    note = f"no variation in the pilot: {', '.join(silent)}" if silent else ""
    return {"table": table.name, "noun": table.noun, "rows": needs.height, **worst, "note": note}


def check_plan_table(name: str) -> None:
    """Raise UserError unless `name` is a table for which games can be planned."""
    if name not in PLAN_TABLES:
        raise UserError("unknown table", field="table", found=name, allowed=PLAN_TABLES)
