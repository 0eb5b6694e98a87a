"""How results respond to one or two parameters, all values on the same deals."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pydantic import Field

from reports.data.load import Run
from reports.shapes import Section
from reports.statistics.paired import paired_differences, paired_moments
from reports.statistics.winshare import ALPHA, block_moments, holm, minimum_detectable_effect, win_shares
from reports.studies.arms import play_arms
from reports.studies.knobs import Knob, find_knob, printed, turned
from reports.words import counted, points
from sim.data.catalog import Row, read_toml, validate_row
from sim.data.changes import toml_text
from sim.errors import UserError
from sim.runs.config import RunConfig
from sim.runs.store import check_outside, folder_in_the_making

FORMAT = "empirelab-sweep/1"
MANIFEST = "sweep.json"
FILES = (MANIFEST, "sweep.parquet", "sweep.png")
MOST_ARMS = 400
MOST_WATCHED = 4
TABLES = ("faction", "strategy", "seat")
CHANGES = {
    "change": "change", "low": "change_low", "high": "change_high", "error": "change_error", "p": "change_p",
    "mde": "change_mde", "differing": "differing", "saving": "saving",
    "score_change": "score_change", "score_low": "score_change_low", "score_high": "score_change_high",
    "note": "change_note",
}  # fmt: skip
"""Columns of `paired.paired_differences` and what a sweep calls them."""


class Vary(Row):
    """A parameter and the values it takes: a `[[vary]]` table."""

    change: str
    values: list[bool | int | float | str | list[Any] | dict[str, Any]] = Field(min_length=1)


class SweepConfig(RunConfig):
    """A sweep as it is asked for: the keys of a run, and what is varied and drawn."""

    vary: list[Vary] = Field(min_length=1, max_length=2)
    watch: list[str] = Field(default=[])

    @property
    def arms(self) -> int:
        """How many combinations of values are played."""
        return math.prod(len(vary.values) for vary in self.vary)


@dataclass(frozen=True)
class Sweep:
    """A sweep that has been played.

    Attributes
    ----------
    config
        As it was asked for.
    title
        The game's title.
    knobs
        What was varied, one or two.
    base
        The values that the others are compared with: those printed, or the first.
    base_is_printed
        Whether those are the printed values.
    frame
        One row per arm, table and level: `value` (and `value2`), `table`, `level`, the columns of
        `winshare.win_shares`, and what changed against the base, paired by block (`change`, `change_low`, ...,
        `saving`, `score_change`, `change_note`; `change_p_holm` allows for all values and levels of a table).
    watched
        Table and level of what is shown.
    """

    config: SweepConfig
    title: str
    knobs: tuple[Knob, ...]
    base: tuple[Any, ...]
    base_is_printed: bool
    frame: pl.DataFrame
    watched: tuple[tuple[str, str], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the parameters' values."""
        return ("value", "value2")[: len(self.knobs)]

    @property
    def sections(self) -> tuple[Section, ...]:
        """What was found, as terminal, page and notebook show it."""
        from reports.studies.sweep_figures import sweep_section  # noqa: PLC0415 - figures build on results

        return (sweep_section(self),)

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return "\n".join([heading(self), *sentences(self)])

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return self.sections[0]._repr_html_()


# ---- Playing ----


def read_sweep(path: Path) -> SweepConfig:
    """Read a sweep's TOML file.

    Raises
    ------
    UserError
        The file cannot be read, or a field is unknown or has a wrong value.
    """
    config = validate_row(path, read_toml(path), SweepConfig, "sweep")
    for number, vary in enumerate(config.vary, start=1):
        written = [toml_text(value) for value in vary.values]
        if len(set(written)) < len(written):
            twice = next(text for text in written if written.count(text) > 1)
            raise UserError("a value stands twice", file=path, row=f"vary {number}", field="values", found=twice)
    if config.arms > MOST_ARMS:
        allowed = f"at most {MOST_ARMS}"
        raise UserError("too many combinations", file=path, field="vary", found=config.arms, allowed=allowed)
    return config


def find_knobs(config: SweepConfig) -> tuple[Knob, ...]:
    """Find what a sweep varies, and check what it is to show.

    Raises
    ------
    UserError
        A parameter or a name to watch does not exist, or both parameters are the same.
    """
    game, data = printed(config)
    knobs = tuple(find_knob(game, data, vary.change) for vary in config.vary)
    if len(knobs) == 2 and (knobs[0].row, knobs[0].name) == (knobs[1].row, knobs[1].name):
        raise UserError("both parameters are the same", field="vary", found=knobs[1].text, allowed="two different ones")
    names = [faction.name for faction in data.factions] + list(config.strategies)
    for name in config.watch:
        if name.casefold() not in [known.casefold() for known in names]:
            raise UserError("nothing to watch has this name", field="watch", found=name, allowed=names)
    return knobs


def arms_of(config: SweepConfig, knobs: Sequence[Knob]) -> dict[tuple[Any, ...], RunConfig]:
    """Configuration of every arm by its values as TOML writes them; the first parameter changes slowest."""
    arms = {}
    plain = RunConfig.model_validate({name: getattr(config, name) for name in RunConfig.model_fields})
    for values in itertools.product(*(vary.values for vary in config.vary)):
        arm = plain
        for knob, value in zip(knobs, values, strict=True):
            arm = turned(arm, knob, value)
        arms[tuple(map(toml_text, values))] = arm
    return arms


def play_sweep(
    config: SweepConfig,
    *,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> Sweep:
    """Play all arms of a sweep on the same deals and compare them.

    Parameters
    ----------
    config
        From `read_sweep`.
    jobs
        Workers, -1 for all cores.
    say, progress
        Told what is being prepared, and how many games have been finished.

    Raises
    ------
    UserError
        A parameter does not exist, or a value is not allowed.
    """
    knobs = find_knobs(config)
    configs = arms_of(config, knobs)
    as_printed = tuple(toml_text(knob.present) for knob in knobs if knob.present is not None)
    base = as_printed if as_printed in configs else next(iter(configs))
    named = {", ".join(values): arm for values, arm in configs.items()}
    with play_arms(named, config.games, jobs=jobs, say=say, progress=progress) as runs:
        first = runs[", ".join(base)]
        tables = tables_of(first)
        frames = [
            arm_rows(first, runs[", ".join(values)], table).select(
                *(pl.lit(text).alias(name) for name, text in zip(("value", "value2"), values, strict=False)), pl.all()
            )
            for values in configs
            for table in tables
        ]
        title = str(first.manifest["title"])
    frame = corrected(pl.concat(frames)).with_columns(value_columns(config))
    watched = watched_levels(frame, config.watch)
    values = [dict(zip(map(toml_text, vary.values), vary.values, strict=True)) for vary in config.vary]
    base_values = tuple(table[text] for table, text in zip(values, base, strict=True))
    return Sweep(config, title, knobs, base_values, base == as_printed, frame, watched)


def corrected(frame: pl.DataFrame) -> pl.DataFrame:
    """Correct the tests of changes by Holm (1979): all values and levels of a table are one family.

    A sweep names the value with the widest sure change, so every value counts as a chance of a false alarm.
    """
    p = frame["change_p"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    adjusted = np.full(len(p), np.nan)
    for table in frame["table"].unique():
        rows = (frame["table"] == table).to_numpy()
        adjusted[rows] = holm(p[rows])
    return frame.with_columns(pl.Series("change_p_holm", adjusted).fill_nan(None))


def value_columns(config: SweepConfig) -> list[pl.Expr]:
    """Columns of the parameters' values: numbers where all are numbers, else text as TOML writes it."""
    numeric = [all(is_number(value) for value in vary.values) for vary in config.vary]
    return [pl.col(name).cast(pl.Float64) for name, yes in zip(("value", "value2"), numeric, strict=False) if yes]


def is_number(value: object) -> bool:
    """Whether a value is a number, which a truth value is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def tables_of(run: Run) -> list[str]:
    """Columns whose levels a sweep compares: those with more than one level."""
    names = {"faction": run.manifest["factions_dealt"], "strategy": set(run.manifest["lineup"])}
    return [table for table in TABLES if len(names.get(table, "ab")) > 1]


def arm_rows(base: Run, run: Run, table: str) -> pl.DataFrame:
    """Win shares of an arm by the levels of one column, and what changed against the base."""
    keys = [table]
    shares = win_shares(block_moments(run.seats, keys), keys)
    differences = paired_differences(paired_moments(base, run, keys), keys).select(table, *CHANGES).rename(CHANGES)
    if run is base:
        nothing = [pl.lit(None, pl.Float64).alias(name) for name in ("change_low", "change_high", "change_error")]
        differences = differences.with_columns(*nothing, pl.lit("compared with itself").alias("change_note"))
    level = pl.col(table).cast(pl.String)
    joined = shares.join(differences, on=table, how="left").with_columns(
        pl.lit(table).alias("table"), ("seat " + level if table == "seat" else level).alias("level")
    )
    return joined.select("table", "level", pl.exclude("table", "level", table))


def watched_levels(frame: pl.DataFrame, watch: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Table and level of what is to be shown: as asked for, or the most changed factions and strategies."""
    levels = frame.filter(pl.col("table") != "seat").group_by("table", "level").agg(pl.col("change").abs().max())
    if watch:
        found = {level.casefold(): (table, level) for table, level, _ in levels.rows()}
        missing = [name for name in watch if name.casefold() not in found]
        if missing:
            known = [level for _, level in found.values()]
            raise UserError("this never came to the table", field="watch", found=missing[0], allowed=known)
        return tuple(dict.fromkeys(found[name.casefold()] for name in watch))
    most = levels.sort(["change", "level"], descending=[True, False], nulls_last=True).head(MOST_WATCHED)
    chosen = [(table, level) for table, level, _ in most.rows()]
    # With one faction and one strategy only the seats are left.
    return tuple(chosen) or tuple(frame.filter(pl.col("table") == "seat").select("table", "level").unique().rows())


# ---- Words ----


def setting_words(sweep: Sweep, values: Sequence[Any]) -> str:
    """The parameters at some values: 'coins_start = 3'."""
    texts = zip(sweep.knobs, map(value_words, values), strict=True)
    return ", ".join(f"{knob.name} = {text}" for knob, text in texts)


def value_words(value: object) -> str:
    """A parameter's value as figures and tables write it: '3', '0.5', 'left', 'true'."""
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else toml_text(value)


def base_words(sweep: Sweep) -> str:
    """What the arms are compared with: 'coins_start = 3 (as printed)'."""
    return setting_words(sweep, sweep.base) + (" (as printed)" if sweep.base_is_printed else " (the first value)")


def rows_of(sweep: Sweep, table: str, level: str) -> list[dict[str, Any]]:
    """Rows of one level, one for each arm."""
    return sweep.frame.filter((pl.col("table") == table) & (pl.col("level") == level)).to_dicts()


def sentences(sweep: Sweep) -> list[str]:
    """Say for everything watched where it changes most, and whether that is sure."""
    said = []
    for table, level in sweep.watched:
        rows = [row for row in rows_of(sweep, table, level) if row["change"] is not None]
        sure = [row for row in rows if row["change_p_holm"] is not None and row["change_p_holm"] < ALPHA]
        if not sum(row["differing"] for row in rows):
            said.append(f"{level}: not a single win changes hands.")
            continue
        if not sure:
            tests = sweep.frame.filter((pl.col("table") == table) & pl.col("change_p").is_not_null()).height
            told = [row for row in rows if row["change_error"] is not None]
            error, blocks = (np.array([row[name] for row in told], np.float64) for name in ("change_error", "blocks"))
            mde = minimum_detectable_effect(error, blocks, max(tests, 1))
            mde = mde[np.isfinite(mde)]
            hint = f" (a change of {100 * mde.max():.1f} points would mostly have been found)" if len(mde) else ""
            said.append(f"{level}: no change found against {base_words(sweep)}{hint}.")
            continue
        most = max(sure, key=lambda row: abs(row["change"]))
        half = (most["change_high"] - most["change_low"]) / 2 if most["change_low"] is not None else None
        spread = "" if half is None else f" ± {100 * half:.1f}"
        at = setting_words(sweep, [most[name] for name in sweep.columns])
        said.append(
            f"{level}: {points(most['change'])}{spread} points of win share at {at}, against {base_words(sweep)}."
        )
    return said


# ---- Files ----


def check_folder(folder: Path, overwrite: bool) -> None:
    """Check, before any work is done, that a sweep may be written to a folder.

    Raises
    ------
    UserError
        It exists and is not to be overwritten, holds something else than a sweep, or lies within a run.
    """
    check_outside(folder)
    if not folder.exists():
        return
    if not overwrite:
        raise UserError("the output folder exists", file=folder, allowed="a new folder, or --overwrite")
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / MANIFEST).is_file()):
        message = "what is to be overwritten is no sweep"
        raise UserError(message, file=folder, allowed="a folder that sweep has written")
    strange = next((path.name for path in sorted(folder.iterdir()) if path.name not in FILES or path.is_dir()), None)
    if strange is not None:
        message = f"the sweep cannot be overwritten, for {strange} in its folder is not its own"
        raise UserError(message, file=folder, allowed="a folder with nothing but a sweep; move the rest away first")


def describe(sweep: Sweep, command: str) -> dict[str, Any]:
    """Everything that was asked for, and what the values are compared with."""
    return {
        "format": FORMAT,
        "command": command,
        "config": sweep.config.model_dump(),
        "knobs": [{"change": knob.text, "printed": knob.present} for knob in sweep.knobs],
        "base": list(sweep.base),
        "base_is_printed": sweep.base_is_printed,
        "watched": [level for _, level in sweep.watched],
        "versions": {name: version(name) for name in ("empirelab", "numba", "numpy", "polars")},
    }


def write_sweep(sweep: Sweep, picture: bytes, folder: Path, command: str) -> None:
    """Write `sweep.parquet`, `sweep.json` and the picture, `sweep.png`; the folder appears when it is whole.

    Raises
    ------
    UserError
        The folder cannot be written.
    """
    with folder_in_the_making(folder) as making:
        sweep.frame.write_parquet(making / "sweep.parquet", compression="zstd")
        (making / "sweep.png").write_bytes(picture)
        text = json.dumps(describe(sweep, command), indent=1, ensure_ascii=False)
        (making / MANIFEST).write_text(text + "\n", encoding="utf-8")


def heading(sweep: Sweep) -> str:
    """What was played, in one line."""
    config = sweep.config
    arms = sweep.frame.select(sweep.columns).n_unique()
    each = f"{counted(config.games, 'game')} of {config.players}"
    return f"{sweep.title}: {each} at each of {arms} settings, all on the same deals, seed {config.seed}"
