"""Measures how results respond to one or two parameters, with all values on the same deals."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from reports.claims import split_claims
from reports.data.load import Run
from reports.data.moments import block_moments
from reports.statistics.compare.paired import paired_differences, paired_moments
from reports.statistics.core.win_rate import family_probability, win_rates
from reports.studies.compare.arms import play_arms
from reports.studies.parts.intervene import lessons_off
from reports.studies.search.parameters import is_number
from reports.studies.sweep.config import SweepConfig, find_knobs, sweep_arms
from reports.studies.sweep.report import CHANGES_ALPHA, Sweep, fair_statements, sweep_statements
from sim.data.changes import toml_text
from sim.errors import UserError
from sim.runs.config import make_plan
from sim.runs.store.parquet import check_outside, parquet

SWEEP_FORMAT = "empirelab-sweep/1"
SWEEP_MANIFEST = "sweep.json"
SWEEP_FILES = (SWEEP_MANIFEST, "sweep.parquet", "sweep.png")
MAX_WATCHED = 4
SWEEP_TABLES = ("faction", "strategy", "seat")
CHANGES = {
    "change": "change", "low": "change_low", "high": "change_high", "family_low": "family_change_low",
    "family_high": "family_change_high", "error": "change_error", "p": "change_p",
    "mde": "change_mde", "differing": "differing", "saving": "saving",
    "score_change": "score_change", "score_low": "score_change_low", "score_high": "score_change_high",
    "note": "change_note",
}  # fmt: skip
"""Columns of `paired.paired_differences`, and what they are named in a sweep."""


def play_sweep(
    config: SweepConfig,
    *,
    jobs: int = -1,
    arms: Path | None = None,
    overwrite: bool = False,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> Sweep:
    """Play all arms of a sweep on the same deals and compare them.

    Parameters
    ----------
    config
        From `read_sweep`.
    arms, overwrite
        Folder that stores the games at each value, so that an interrupted sweep resumes, and whether games of another
        sweep there are replaced. None stores nothing.

    Raises
    ------
    UserError
        A parameter does not exist, or a value is not allowed.
    """
    knobs = find_knobs(config)
    plan = make_plan(next(iter(sweep_arms(config, knobs).values())), untrained=True)
    changes = lessons_off([plan], config.changes, [knob.text for knob in knobs])
    config = config.model_copy(update={"changes": changes})
    configs = sweep_arms(config, knobs)
    as_printed = tuple(toml_text(knob.present) for knob in knobs if knob.present is not None)
    base = as_printed if as_printed in configs else next(iter(configs))
    named = {", ".join(values): arm for values, arm in configs.items()}
    with play_arms(named, config.games, arms, jobs=jobs, overwrite=overwrite, say=say, progress=progress) as runs:
        first = runs[", ".join(base)]
        tables = compared_tables(first)
        levels = sum(first.seats.select(pl.col(table).n_unique()).collect().item() for table in tables)
        wide = family_probability(levels * (len(configs) - 1), CHANGES_ALPHA)
        frames = [
            arm_rows(first, runs[", ".join(values)], table, wide).select(
                *(pl.lit(text).alias(name) for name, text in zip(("value", "value2"), values, strict=False)), pl.all()
            )
            for values in configs
            for table in tables
        ]
        title = first.manifest.title
    frame = pl.concat(frames).with_columns(value_columns(config))
    watched = watched_levels(frame, config.watch)
    values = [dict(zip(map(toml_text, vary.values), vary.values, strict=True)) for vary in config.vary]
    base_values = tuple(table[text] for table, text in zip(values, base, strict=True))
    return Sweep(config, title, knobs, base_values, base == as_printed, frame, watched)


def value_columns(config: SweepConfig) -> list[pl.Expr]:
    """Return expressions that cast the value columns of parameters to floats, where all values are numbers."""
    numeric = [all(is_number(value) for value in vary.values) for vary in config.vary]
    return [pl.col(name).cast(pl.Float64) for name, yes in zip(("value", "value2"), numeric, strict=False) if yes]


def compared_tables(run: Run) -> list[str]:
    """Return the columns by which a sweep compares rows: those with more than one level."""
    names = {"faction": run.manifest.factions_dealt, "strategy": set(run.manifest.lineup)}
    return [table for table in SWEEP_TABLES if len(names.get(table, "ab")) > 1]


def arm_rows(base: Run, run: Run, table: str, wide: float) -> pl.DataFrame:
    """Return the win rates of an arm by the levels of one column, and the changes against the base.

    `wide` is a probability. The quantile at it gives limits that hold for all changes of the sweep at once.
    """
    keys = [table]
    shares = win_rates(block_moments(run.seats, keys), keys)
    moments = paired_moments(base, run, keys)
    differences = paired_differences(moments, keys, wide).select(table, *CHANGES).rename(CHANGES)
    if run is base:
        unknown = [name for name in CHANGES.values() if name.endswith(("_low", "_high", "_error"))]
        nothing = {name: pl.lit(None, pl.Float64) for name in unknown}
        differences = differences.with_columns(**nothing, change_note=pl.lit("compared with itself"))
    level = pl.col(table).cast(pl.String)
    joined = shares.join(differences, on=table, how="left").with_columns(
        table=pl.lit(table), level="seat " + level if table == "seat" else level
    )
    return joined.select("table", "level", pl.exclude("table", "level", table))


def watched_levels(frame: pl.DataFrame, watch: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the table and the level of each row to show: the rows that `watch` names.

    By default, they are the factions and strategies that change most.
    """
    levels = frame.filter(pl.col("table") != "seat").group_by("table", "level").agg(pl.col("change").abs().max())
    result = {level.casefold(): (table, level) for table, level, _ in levels.rows()}
    for name in watch:
        if name.casefold() not in result:
            known = [level for _, level in result.values()]
            raise UserError("no game of the sweep has this name", field="watch", found=name, allowed=known)
    if watch:
        return tuple(dict.fromkeys(result[name.casefold()] for name in watch))
    most = levels.sort(["change", "level"], descending=[True, False], nulls_last=True).head(MAX_WATCHED)
    # With one faction and one strategy, only seats can be compared.
    rows = most if most.height else frame.filter(pl.col("table") == "seat").select("table", "level").unique()
    return tuple(rows.select("table", "level").rows())


def check_sweep_folder(folder: Path, overwrite: bool) -> None:
    """Raise UserError unless a sweep may be written to a folder."""
    check_outside(folder)
    if not folder.exists():
        return
    if not overwrite:
        raise UserError("the output folder exists", file=folder, allowed="a new folder, or --overwrite")
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / SWEEP_MANIFEST).is_file()):
        message = "the folder to overwrite does not hold a sweep"
        raise UserError(message, file=folder, allowed="a folder that sweep has written")
    for path in sorted(folder.iterdir()):
        if path.name not in SWEEP_FILES or path.is_dir():
            message = f"the sweep cannot be overwritten: {path.name} in its folder is not part of it"
            raise UserError(message, file=folder, allowed="a folder with nothing but a sweep; move the rest away first")


def describe_sweep(sweep: Sweep, command: str) -> dict[str, Any]:
    """Return the content of `sweep.json`: the configuration, the base, the sentences, and so on."""
    return {
        "format": SWEEP_FORMAT,
        "command": command,
        "config": sweep.config.model_dump(),
        "knobs": [{"change": knob.text, "printed": knob.present} for knob in sweep.knobs],
        "base": list(sweep.base),
        "base_is_printed": sweep.base_is_printed,
        "watched": [level for _, level in sweep.watched],
        "said": list(split_claims(sweep_statements(sweep))[0]),
        "fair": list(split_claims(fair_statements(sweep))[0]),
        "versions": {name: version(name) for name in ("empirelab", "numba", "numpy", "polars")},
    }


def write_sweep(sweep: Sweep, picture: bytes, folder: Path, command: str) -> None:
    """Write `sweep.parquet`, `sweep.json` and the picture, `sweep.png`, into an existing folder."""
    (folder / "sweep.parquet").write_bytes(parquet(sweep.frame))
    (folder / "sweep.png").write_bytes(picture)
    text = json.dumps(describe_sweep(sweep, command), indent=1, ensure_ascii=False)
    (folder / SWEEP_MANIFEST).write_text(text + "\n", encoding="utf-8")
