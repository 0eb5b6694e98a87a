"""Reads the TOML files of a game: applies changes, resolves settings, and fills the fields that every catalogue has.

A process reads the data only once, even if several plans use them (`read_once`).

Settings are open points of a rulebook. A game lists its settings with the values that its kernels implement (`SETTINGS`
of its `rules/constants.py`). Its rules.toml has a row for each setting, with the value that is played by default. A run
may choose another value.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import Field

from sim.data.catalog import (
    Certainty,
    HasCertainty,
    Kind,
    Name,
    Row,
    certainty_shares,
    check_tables,
    digest_of_rows,
    read_toml,
    row_name,
    validate_row,
    validate_rows,
)
from sim.data.changes import Addition, Change, apply_changes
from sim.data.lessons import LESSONS_FILE
from sim.errors import UserError

Known = Mapping[str, Sequence[object]]
"""Every setting of a game, with the values that its kernels implement."""


class Measured(Row):
    """The measured effect of playing an open point of the rules in another way.

    Attributes
    ----------
    value
        The measured alternative to the default.
    players, variant
        The runs to which the effect applies. They have one of these numbers of players, and their variant has all
        these parts ("imperial+hard-times").
    moves, points, low, high
        The quantity that the alternative changes, in words; by how many percentage points it changes; and the limits of
        a 95 % interval for this change.
    games, strategies, command
        Number of games played in each way, the strategies that played, and the command that plays the alternative.
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
    """An open point of the rulebook, and how it is played by default."""

    name: Name
    value: bool | str
    allowed: list[bool | str]
    question: Name
    source: Name
    certainty: Certainty
    measured: list[Measured] = Field(default=[])


def setting_rows(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> list[Setting]:
    """Read the settings of a game from its files (`GameSpec.folder`, `GameSpec.files`). The files must be valid.

    Raises
    ------
    UserError
        A file cannot be read.
    """
    tables = [(file, table) for file in files for table, kind in files[file].items() if kind.model is Setting]
    return [Setting.model_validate(row) for file, table in tables for row in read_toml(folder / file)[table]]


def check_settings(path: Path, rows: Sequence[Setting], known: Known) -> None:
    """Check that rules.toml has every setting exactly once, with the values that the kernels implement."""
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
    """Return the value of every setting: the one in `overrides`, or else the default.

    Parameters
    ----------
    rows
        The settings in the game's rules.toml.
    overrides
        Values that replace those of rules.toml, by name of the setting.
    known
        Every setting of the game, with the values that the kernels implement.
    game
        Name of the game, for messages.

    Raises
    ------
    UserError
        A setting or its value is unknown.
    """
    for name, value in overrides.items():
        if name not in known:
            raise UserError(f"unknown setting of {game}", found=name, allowed=known)
        if not _is_one_of(value, known[name]):
            raise UserError(f"setting {name}: unknown value", found=value, allowed=_as_in_toml(known[name]))
    return {**{row.name: row.value for row in rows}, **overrides}


def open_settings(rows: Iterable[Setting]) -> tuple[str, ...]:
    """Return the names of the settings that neither the rulebook nor several sources settle."""
    return tuple(row.name for row in rows if row.certainty != "confirmed")


def _is_one_of(value: object, allowed: Iterable[object]) -> bool:
    # The types are compared too, because True == 1 in Python.
    return any(type(value) is type(option) and value == option for option in allowed)


def _as_in_toml(values: Iterable[object]) -> list[str]:
    return [str(value).lower() for value in values]


RULES_FILE = "rules.toml"


@dataclass(frozen=True, kw_only=True)
class GameCatalog:
    """The fields that the catalogue of every game has.

    Attributes
    ----------
    folder
        Folder of the game's files, for messages.
    constants
        Numbers of the rulebook.
    settings
        The value of every setting, including overrides.
    certainty
        Number of rows by certainty, for each kind of rows and for "settings".
    open_settings
        Names of the settings that neither the rulebook nor several sources settle.
    digest
        SHA-256 of all data that a game depends on.
    """

    folder: Path
    constants: Any
    settings: Mapping[str, object]
    certainty: Mapping[str, Mapping[str, int]]
    open_settings: tuple[str, ...]
    digest: str


class GameFiles:
    """The files of a game, read with changes. `settings` and `constants` come from its rules.toml.

    Parameters
    ----------
    game
        Name of the game, for messages.
    kinds
        The tables of every file, as in `GameSpec.files`.
    known
        Every setting, with the values that the kernels implement.
    overrides
        Values that replace those of rules.toml, by name of the setting.
    changes, additions
        Changes to the files, and users' files that add factions.

    Raises
    ------
    UserError
        rules.toml or an override contains a mistake.
    """

    def __init__(
        self,
        game: str,
        folder: Path,
        kinds: Mapping[str, Mapping[str, Kind]],
        known: Known,
        overrides: Mapping[str, object],
        changes: Sequence[Change],
        additions: Sequence[Addition],
    ) -> None:
        self.folder, self.kinds, self.changes, self.additions = folder, kinds, changes, additions
        rules = self.read(RULES_FILE)
        self.constants = rules["constants"]
        self.setting_rows = rules["setting"]
        check_settings(folder / RULES_FILE, self.setting_rows, known)
        self.settings = resolve_settings(self.setting_rows, overrides, known, game)

    def read(self, name: str) -> dict[str, Any]:
        """Read a file. Return a row, or a list of rows, for each of its tables.

        Raise UserError if a table or a row is wrong, or a change does not fit the file.
        """
        path, kinds = self.folder / name, self.kinds[name]
        mine = [replace(change, file=path.name) for change in self.changes if change.file == name]
        return read_tables(path, apply_changes(path, read_toml(path), kinds, mine), kinds)

    def names(self, file: str, table: str, rows: Iterable[Row]) -> list[str]:
        """Return the names of a table's rows after changes, followed by their names before changes.

        A lesson (a learned bonus for a row) may use either name. If a change renames the row, the lesson stays valid
        but has no effect.
        """
        label = self.kinds[file][table].label
        before = read_toml(self.folder / file).get(table, []) if self.changes else []
        return [name_of(row, label) for row in rows] + [row_name(row, label, 0) for row in before]

    def lessons(self, table: str, known: Iterable[str] | None = None, file: str = LESSONS_FILE) -> dict[str, Any]:
        """Return the lessons (learned bonuses) in a table, keyed by the name of their subject, such as a card.

        `known` are the possible subjects; None if the row model already restricts the names. Raise UserError if the
        file is wrong, or the subject of a row is unknown or already has another row.
        """
        label = self.kinds[file][table].label
        what = "card" if table == "lesson" else table
        allowed = None if known is None else list(dict.fromkeys(known))
        possible = set(allowed or ())
        path, found = self.folder / file, dict[str, Any]()
        for row in self.read(file)[table]:
            name = name_of(row, label)
            wrong = partial(UserError, file=path, row=name, field=label[0], found=name)
            if allowed is not None and name not in possible:
                raise wrong(f"no such {what}", allowed=allowed)
            if name in found:
                raise wrong(f"{label[0]} given twice")
            found[name] = row
        return found

    def common(self, rows: Mapping[str, Iterable[HasCertainty]], resolved: Mapping[str, object]) -> dict[str, Any]:
        """Return the fields of `GameCatalog`.

        Parameters
        ----------
        rows
            The rows whose certainty is counted, by kind.
        resolved
            All data for the digest: rows, lists of rows and plain data. Settings are added.
        """
        kinds = {**rows, "settings": self.setting_rows}
        return {
            "folder": self.folder,
            "constants": self.constants,
            "settings": self.settings,
            "certainty": {kind: certainty_shares(of_kind) for kind, of_kind in kinds.items()},
            "open_settings": open_settings(self.setting_rows),
            "digest": digest_of_rows({**resolved, "settings": self.settings}),
        }


CatalogT_co = TypeVar("CatalogT_co", bound=GameCatalog, covariant=True)


class LoadCatalog(Protocol[CatalogT_co]):
    """Reads and checks the files of a game."""

    def __call__(
        self,
        folder: Path | None = None,
        settings: Mapping[str, object] | None = None,
        changes: Sequence[Change] = (),
        additions: Sequence[Addition] = (),
    ) -> CatalogT_co:
        """Return the catalogue of a folder with these settings, changes and additions.

        By default, the folder is the project's.

        Raises
        ------
        UserError
            The files, the changes or the settings contain a mistake.
        """


def catalog_loader(
    folder: Path, kinds: Mapping[str, Mapping[str, Kind]], known: Known, build: Callable[[GameFiles], CatalogT_co]
) -> LoadCatalog[CatalogT_co]:
    """Return the `load_catalog` of a game. `build` checks the game's files and returns the catalogue made of them."""
    project = folder

    def load_catalog(
        folder: Path | None = None,
        settings: Mapping[str, object] | None = None,
        changes: Sequence[Change] = (),
        additions: Sequence[Addition] = (),
    ) -> CatalogT_co:
        return build(GameFiles(project.name, folder or project, kinds, known, settings or {}, changes, additions))

    return load_catalog


def read_tables(path: Path, data: Mapping[str, Any], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """Validate the tables of a file. Return a row, or a list of rows, for each table.

    Raise UserError if a table is missing or unknown, or a row is wrong.
    """
    check_tables(path, data, list(kinds))
    return {
        table: validate_rows(path, data, table, kind.model, kind.label)
        if kind.label
        else validate_row(path, data[table], kind.model, table)
        for table, kind in kinds.items()
    }


def name_of(row: Row, label: Sequence[str]) -> str:
    """Return the name of a row: the values of its `label` fields."""
    return " ".join(str(getattr(row, field)) for field in label)


Load = Callable[..., Any]
"""The `load(settings, changes)` or `load(settings, changes, additions)` of a game."""
MOST_KEPT = 16
"""Maximum number of cached results. Each combination of settings, changes and additions has one result."""


def read_once(folder: Path) -> Callable[[Load], Load]:
    """Return a decorator for a game's `load` that caches its results by settings, changes and additions.

    Parameters
    ----------
    folder
        Folder of the game's TOML files. If any file in it or its subfolders changes, everything is read again.
    """

    def decorate(load: Load) -> Load:
        kept: dict[tuple[str, str], Any] = {}

        @wraps(load)
        def load_once(
            settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[Addition] = ()
        ) -> Any:
            added = [(str(addition.file), addition.text) for addition in additions]
            asked = repr((sorted(settings.items()), [change.text for change in changes], added))
            key = files_digest(folder), asked
            data = kept.pop(key, None) or load(settings, changes, *([additions] if additions else []))
            kept[key] = data  # the least recently used entry comes first
            if len(kept) > MOST_KEPT:
                del kept[next(iter(kept))]
            return data

        return load_once

    return decorate


def files_digest(folder: Path) -> str:
    """Return the SHA-256 of the names and contents of the TOML files in a folder and its subfolders."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.toml")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
