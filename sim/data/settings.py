"""Settings: open points of a rulebook, how each is played, and the alternatives that kernels support.

A game lists its settings with the values that its kernels implement (`SETTINGS` of its `rules/constants.py`). Its
rules.toml has a row for each, and a run may choose another value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from sim.data.catalog import Certainty, Name, Row, read_toml
from sim.errors import UserError

Known = Mapping[str, Sequence[object]]
"""Every setting of a game with the values that its kernels support."""


class Measured(Row):
    """The measured effect of another reading of an open point.

    Attributes
    ----------
    value
        The other reading, in place of the setting's own value.
    players, variant
        Numbers of players, and parts of the variant ("imperial+hard-times"), of the games.
    moves, points, low, high
        What the reading changes, and by how many percentage points, with the limits of a 95 % interval.
    games, strategies, command
        Number of games of each reading, their players, and the command that plays the other reading.
    """

    value: bool | str
    players: list[int]
    variant: Name
    moves: Name
    points: float
    low: float
    high: float
    games: Annotated[int, Field(ge=1)]
    strategies: Name
    command: Name


class Setting(Row):
    """An open point of the rulebook and how it is played."""

    name: Name
    value: bool | str
    allowed: list[bool | str]
    question: Name
    source: Name
    certainty: Certainty
    measured: list[Measured] = Field(default=[])


def setting_rows(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> list[Setting]:
    """Read the settings of a game from its files (`Game.folder`, `Game.files`), which are valid.

    Raises
    ------
    UserError
        A file cannot be read.
    """
    tables = [(file, table) for file in files for table, kind in files[file].items() if kind.model is Setting]
    return [Setting.model_validate(row) for file, table in tables for row in read_toml(folder / file)[table]]


def check_settings(path: Path, rows: Sequence[Setting], known: Known) -> None:
    """Check that a rules.toml has every setting once, with the values that the kernels support."""
    seen: set[str] = set()
    for row in rows:
        wrong = partial(UserError, file=path, row=row.name)
        if row.name not in known:
            raise wrong("unknown setting", field="name", found=row.name, allowed=known)
        if row.name in seen:
            raise wrong("setting given twice", field="name", found=row.name, allowed="one row for each setting")
        seen.add(row.name)
        values = known[row.name]
        if len(row.allowed) != len(values) or not all(_is_one_of(value, row.allowed) for value in values):
            allowed = _as_in_toml(values)
            raise wrong(
                "not the values that the engine implements", field="allowed", found=row.allowed, allowed=allowed
            )
        if not _is_one_of(row.value, values):
            raise wrong("unknown value", field="value", found=row.value, allowed=_as_in_toml(values))
        others = [value for value in values if value != row.value]
        for number, measured in enumerate(row.measured, start=1):
            if not _is_one_of(measured.value, others):
                field, found = f"measured.{number}.value", measured.value
                raise wrong("not another value of this setting", field=field, found=found, allowed=_as_in_toml(others))
    for name in known:
        if name not in seen:
            raise UserError("this setting is missing", file=path, row=name, allowed="a [[setting]] row")


def resolve_settings(
    rows: Iterable[Setting], overrides: Mapping[str, object], known: Known, game: str
) -> dict[str, object]:
    """Return the value of every setting, some of them chosen for the run.

    Parameters
    ----------
    rows
        The settings of the game's rules.toml.
    overrides
        Values that replace those of rules.toml, by name of the setting.
    known
        The settings of the game.
    game
        Name of the game, for messages.

    Raises
    ------
    UserError
        There is no such setting, or it has no such value.
    """
    for name, value in overrides.items():
        if name not in known:
            raise UserError(f"unknown setting of {game}", found=name, allowed=known)
        if not _is_one_of(value, known[name]):
            raise UserError(f"setting {name}: unknown value", found=value, allowed=_as_in_toml(known[name]))
    return {**{row.name: row.value for row in rows}, **overrides}


def open_settings(rows: Iterable[Setting]) -> tuple[str, ...]:
    """Return the settings that neither the rulebook nor several sources settle."""
    return tuple(row.name for row in rows if row.certainty != "confirmed")


def _is_one_of(value: object, allowed: Iterable[object]) -> bool:
    # A setting is a word or a boolean, but True == 1 in Python.
    return any(type(value) is type(option) and value == option for option in allowed)


def _as_in_toml(values: Iterable[object]) -> list[str]:
    return [str(value).lower() for value in values]
