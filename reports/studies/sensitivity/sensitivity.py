"""Tests whether a verdict rests on a guess: plays every other plausible value of unconfirmed data on the same deals.

An alternative is another value of an unconfirmed setting, or a change of a group of rows in a game's `plausible.toml`,
such as all stand-in prices one denarius higher.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import Field, model_validator

from reports.data.cells import count_cells
from reports.data.load import Run
from reports.formatting import listed
from reports.sections.core.shares import share_tables
from reports.statistics.compare.paired import changes_by_level
from reports.statistics.compare.robustness import Robustness, compare_conditions
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.win_rate import one_family
from reports.studies.compare.arms import play_arms
from reports.studies.parts.intervene import lessons_off
from reports.studies.search.parameters import SETTING, printed_game
from sim.data.catalog import Name, Row, read_toml, row_name, validate_row
from sim.data.changes import toml_text
from sim.data.game_files import setting_rows
from sim.errors import UserError
from sim.game import GameSpec
from sim.runs.config import RunConfig, make_plan
from sim.runs.store.manifest import Manifest

PLAUSIBLE = "plausible.toml"
"""The file of a game's data that lists groups of rows and other plausible numbers for them."""
AS_PLAYED = "as played"
JUDGED_TABLES = ("faction", "seat", "start")


class OpenRows(Row):
    """Rows whose numbers get other plausible values together, from a `[[group]]` table.

    Attributes
    ----------
    name
        Name of the group: "prices of tiles".
    file, table
        TOML file of the game, and the table whose unconfirmed rows are changed.
    fields
        Fields whose numbers are changed, also inside lists and tables. Fields that a row lists as known stay the same.
    add, times
        Numbers to add, or factors. Each of them is an alternative. Results are rounded.
    least
        Smallest result that is allowed.
    changes
        Changes (`FILE#ROW.FIELD=VALUE`) in place of rows and fields. All of them together make one alternative.
    """

    name: Name
    file: str = ""
    table: str = ""
    fields: list[str] = Field(default=[])
    add: list[int] = Field(default=[])
    times: list[float] = Field(default=[])
    least: int = 0
    changes: list[str] = Field(default=[])

    @model_validator(mode="after")
    def _says_what_to_change(self) -> OpenRows:
        by_rows = bool(self.file and self.table and self.fields and (self.add or self.times))
        if by_rows == bool(self.changes):
            raise ValueError("a group has changes, or a file, table and fields with what to add or to multiply with")
        return self


@dataclass(frozen=True)
class Alternative:
    """Another plausible game: a name, settings, and changes of the data."""

    name: str
    settings: dict[str, object]
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sensitivity:
    """Which verdicts survive all alternatives.

    Attributes
    ----------
    title, config
        The game's title, and the run as it stands (without lessons, if an alternative concerns them).
    manifest
        `run.json` of the games as played.
    alternatives
        Number of alternatives that change something.
    unchanged
        Names of the alternatives that change no seat row.
    judged
        By table ("faction", "seat"): edges and verdicts under every alternative, and over all of them.
    moved
        By table: `level`, `alternative`, `change` of the edge with `low` and `high`, `p` (Holm), simultaneous limits
        `family_low` and `family_high`, and `flag`. Changes are relative to the games as played.
    """

    title: str
    config: RunConfig
    manifest: Manifest
    alternatives: int
    unchanged: tuple[str, ...]
    judged: dict[str, Robustness]
    moved: dict[str, pl.DataFrame]


# ---- Alternatives ----


def other_values(game: GameSpec, config: RunConfig) -> Iterator[Alternative]:
    """Yield an alternative for every other value of an unconfirmed setting, except settings that select a data set."""
    _, data = printed_game(config)
    if game.plain is not None:  # in a game in plain Python, every setting is a choice that its author left open
        open_settings = game.plain.kind.settings
    else:
        of_sets = {name for one in game.data_sets for name in one}
        rows = [row for row in setting_rows(game.folder, game.files) if row.certainty != "confirmed"]
        open_settings = {row.name: row.allowed for row in rows if row.name not in of_sets}
    for name, allowed in open_settings.items():
        for value in allowed:
            if value != data.settings[name]:
                yield Alternative(f"{name} = {value}", {name: value})


def read_groups(game: GameSpec) -> list[OpenRows]:
    """Read the groups of a game's `plausible.toml`. Without the file there are none."""
    path = game.folder / PLAUSIBLE
    if not path.exists():
        return []
    rows = read_toml(path).get("group", [])
    groups = [
        validate_row(path, row, OpenRows, row_name(row, ("name",), number)) for number, row in enumerate(rows, start=1)
    ]
    names = [group.name for group in groups]
    for name in names:
        if names.count(name) > 1:
            raise UserError("group given twice", file=path, field="name", found=name)
    for group in groups:
        if group.file and group.table not in game.files.get(group.file, {}):
            known = [f"{file}, {table}" for file, tables in game.files.items() for table in tables]
            result = f"{group.file}, {group.table}"
            raise UserError("no such table", file=path, row=group.name, field="table", found=result, allowed=known)
    return groups


def group_alternatives(game: GameSpec, group: OpenRows) -> Iterator[Alternative]:
    """Yield the alternatives of a group of rows."""
    if group.changes:
        yield Alternative(group.name, {}, tuple(group.changes))
        return
    kind = game.files[group.file][group.table]
    read = read_toml(game.folder / group.file)[group.table]
    several = isinstance(read, list)
    numbers = [
        (f"{group.file}#{row_name(row, kind.label, number) if several else group.table}.{way}", value)
        for number, row in enumerate(read if several else [read], start=1)
        if row.get("certainty") != "confirmed"
        for field in group.fields
        for way, value in numbers_in(field_of(row, field), field)
        if way not in row.get("known", ())
    ]
    turned: list[tuple[str, Callable[[float], int]]] = [
        *((f"{group.name} {step:+}", lambda value, step=step: round(value + step)) for step in group.add),
        *((f"{group.name} x {factor:g}", lambda value, factor=factor: round(value * factor)) for factor in group.times),
    ]
    for name, turn in turned:
        changes = tuple(
            f"{way}={toml_text(new)}" for way, value in numbers if (new := max(group.least, turn(value))) != value
        )
        if changes:
            yield Alternative(name, {}, changes)


def field_of(row: dict[str, Any], field: str) -> object:
    """Return the value of a field such as "effect.glory". None if the row lacks it, or lists it as known."""
    value: object = None if field.partition(".")[0] in row.get("known", ()) else row
    for name in field.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def numbers_in(value: object, way: str) -> Iterator[tuple[str, float]]:
    """Yield the numbers inside `value` with their paths, which begin with `way`. Indices in lists count from 1."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers_in(inner, f"{way}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value, start=1):
            yield from numbers_in(inner, f"{way}.{place}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield way, value


def alternatives_of(game: GameSpec, config: RunConfig) -> list[Alternative]:
    """Return all alternatives. Raise UserError if there are none, or if two of them have the same name."""
    result = [
        *other_values(game, config),
        *(one for group in read_groups(game) for one in group_alternatives(game, group)),
    ]
    if not result and game.plain is not None:
        message = f"nothing in {game.title} is open: add `settings` to its class, or plausible.toml beside its file"
        raise UserError(message, file=game.plain.place, field="settings", allowed='settings = {"swap": (False, True)}')
    if not result:
        raise UserError(f"nothing in {game.title} is open: all settings are confirmed, and no groups of rows are given")
    names = [AS_PLAYED, *(one.name for one in result)]
    for place, name in enumerate(names):
        if name in names[:place]:
            message = "two alternatives share a name"
            raise UserError(message, file=game.folder / PLAUSIBLE, field="name", found=name, allowed="each name once")
    return result


# ---- Playing and judging ----


def play_sensitivity(
    config: RunConfig,
    alternatives: Sequence[Alternative],
    margin: float = MARGIN,
    *,
    jobs: int = -1,
    arms: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
    progress: Callable[[int], None] = lambda games: None,
) -> Sensitivity:
    """Play the game as it stands and every alternative on the same deals, and judge factions and seats in each.

    Parameters
    ----------
    config
        The run as it stands.
    alternatives
        From `alternatives_of`.
    margin
        Edges up to this fraction count as balanced.
    arms
        Folder that stores the games of each alternative, so that an interrupted command resumes. None stores nothing.

    Raises
    ------
    UserError
        An alternative is not allowed by the checks of the data, or none changes anything in these games.
    """
    paths = [path for one in alternatives for path in (*one.changes, *(f"{SETTING}{name}" for name in one.settings))]
    config = config.model_copy(update={"changes": lessons_off([make_plan(config)], config.changes, paths)})
    configs = {AS_PLAYED: config}
    for one in alternatives:
        update = {"settings": {**config.settings, **one.settings}, "changes": [*config.changes, *one.changes]}
        configs[one.name] = config.model_copy(update=update)
    with play_arms(configs, config.games, arms, jobs=jobs, say=say, progress=progress) as played:
        base = played[AS_PLAYED]
        seats = base.seats.collect()
        unchanged = tuple(one.name for one in alternatives if played[one.name].seats.collect().equals(seats))
        if len(unchanged) == len(alternatives):
            raise UserError(f"no alternative changes anything in these games: {listed(unchanged)}")
        runs = {name: run for name, run in played.items() if name not in unchanged}
        tables = {name: share_tables(run, count_cells(run), margin)[0] for name, run in runs.items()}
        names = [name for name in JUDGED_TABLES if name in tables[AS_PLAYED] and not tables[AS_PLAYED][name].silence]
        # The edges of each table are a family of tests, and so are its changes. All families share the 5 %.
        judged = {name: judge_alternative(name, tables, margin, 2 * len(names)) for name in names}
        moved = {name: changes_by(base, runs, name, 2 * len(names)) for name in names}
    title = base.manifest.title
    return Sensitivity(title, config, base.manifest, len(runs) - 1, unchanged, judged, moved)


def judge_alternative(name: str, tables: dict[str, Any], margin: float, families: int) -> Robustness:
    """Judge every level of the table `name` under each alternative, and over all of them and the game as played.

    `tables` has the tables of every alternative, by the alternative's name. `families` is the number of families of
    tests that share the error rate.
    """
    columns = ("condition", "level", "games", "blocks", "edge", "error", "null")
    frames = [result[name].frame.with_columns(condition=pl.lit(arm)).select(columns) for arm, result in tables.items()]
    noun = tables[AS_PLAYED][name].noun
    return compare_conditions(f"{name} by alternative", noun, "alternative", pl.concat(frames), margin, families)


def changes_by(base: Run, runs: dict[str, Run], name: str, families: int) -> pl.DataFrame:
    """Return how each alternative changes the edge of each level against the games as played (`base`), paired by deal.

    `name` is the table of the levels. `families` is as in `judge_alternative`.
    """
    frames = [
        changes_by_level(base, run, name).select("level", pl.lit(arm).alias("alternative"), pl.exclude("level"))
        for arm, run in runs.items()
        if arm != AS_PLAYED
    ]
    (frame,) = one_family([pl.concat(frames)], ("change", "low", "high", "p"), families=families)
    return frame.with_columns(pl.col("p_holm").alias("p"))
