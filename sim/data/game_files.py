"""Reads the TOML files of a game: applies changes, resolves settings, and fills the common fields of catalogues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from sim.data.additions import Addition
from sim.data.catalog import (
    HasCertainty,
    Kind,
    Row,
    certainty_shares,
    check_tables,
    digest_of_rows,
    read_toml,
    row_name,
    validate_row,
    validate_rows,
)
from sim.data.changes import Change, apply_changes
from sim.data.lessons import LESSONS_FILE
from sim.data.settings import Known, check_settings, open_settings, resolve_settings
from sim.errors import UserError

RULES_FILE = "rules.toml"


@dataclass(frozen=True, kw_only=True)
class GameCatalog:
    """Fields of the catalogue of every game.

    Attributes
    ----------
    folder
        Folder of the files, for messages.
    constants
        Numbers of the rulebook.
    settings
        The value of every setting, overrides included.
    certainty
        Rows by certainty, for each kind of rows and for "settings".
    open_settings
        Settings that neither the rulebook nor several sources decide.
    digest
        SHA-256 of all data a game depends on.
    """

    folder: Path
    constants: Any
    settings: Mapping[str, object]
    certainty: Mapping[str, Mapping[str, int]]
    open_settings: tuple[str, ...]
    digest: str


class GameFiles:
    """The files of a game, read with changes; `settings` and `constants` come from its rules.toml.

    Parameters
    ----------
    game
        Name of the game, for messages.
    folder
        Folder of its files.
    kinds
        The tables of every file, as `Game.files`.
    known
        Every setting with the values that the kernels implement.
    overrides
        Values that replace those of rules.toml, by name of the setting.
    changes, additions
        Changes to the files, and files that add factions.

    Raises
    ------
    UserError
        rules.toml or an override is wrong.
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
        """Read a file: a row, or a list of rows, for each of its tables.

        Raises
        ------
        UserError
            A table or a row is wrong, or a change does not fit the file.
        """
        path, kinds = self.folder / name, self.kinds[name]
        mine = [replace(change, file=path.name) for change in self.changes if change.file == name]
        return read_tables(path, apply_changes(path, read_toml(path), kinds, mine), kinds)

    def names(self, file: str, table: str, rows: Iterable[Row]) -> list[str]:
        """Return the names of the rows of a table, now and before changes.

        The lesson of a row that a change has renamed is valid, but has no effect.
        """
        label = self.kinds[file][table].label
        before = read_toml(self.folder / file).get(table, []) if self.changes else []
        return [name_of(row, label) for row in rows] + [row_name(row, label, 0) for row in before]

    def lessons(self, table: str, known: Iterable[str] | None = None, file: str = LESSONS_FILE) -> dict[str, Any]:
        """Return the rows of a table of lessons by the names of their subjects.

        Parameters
        ----------
        table, file
            Name of the table, and its file.
        known
            Names of possible subjects; None if the model limits them.

        Raises
        ------
        UserError
            The file is wrong, or the subject of a row is unknown or has a row already.
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
            The rows of each kind, whose certainty is counted.
        resolved
            All else that a game depends on: rows, lists of rows and plain data.
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
        """Return the catalogue of a folder, by default that of the project, with these settings, changes and additions.

        Raises
        ------
        UserError
            A mistake in the files, the changes or the settings.
        """


def catalog_loader(
    folder: Path,
    kinds: Mapping[str, Mapping[str, Kind]],
    known: Known,
    build: Callable[[GameFiles], CatalogT_co],
) -> LoadCatalog[CatalogT_co]:
    """Return the `load_catalog` of a game; `build` reads its files and checks the rows against each other."""
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
    """Validate the tables of a file: a row, or a list of rows, for each.

    Raises
    ------
    UserError
        A table is missing or unknown, or a row is wrong.
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
