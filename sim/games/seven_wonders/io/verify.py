"""Verifies games recorded by other programs or at a table: replays them in the engine and reports every difference.

A file has one JSON object per line (`docs/records.md`). Some points of the rules are open (`rules.toml`), and some
settings are known to be implemented differently by other programs. A record that differs is replayed with other values
of these settings, first of one, then of two. If such a change removes every difference, the record passes, and the
result names the values.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from sim.compiler.kernel import Record
from sim.games.seven_wonders.data.catalog import Catalog, load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.io.recorded_games import RecordedGame, read_records
from sim.games.seven_wonders.io.recorded_play import RecordedPlay
from sim.games.seven_wonders.rules.constants import SETTINGS

PLAYED_OTHERWISE = ("last_card_spends_turn_income",)
"""Settings that the rulebook decides, but that other programs are known to implement differently."""


@dataclass(frozen=True)
class RecordCheck:
    """The result of verifying one record.

    Attributes
    ----------
    id
        Name of the record.
    line
        Line of the record in the file, from 1.
    differences
        Every difference from the engine, as lines of text. It is empty if the record passes.
    settled
        Settings that had to change to remove all differences, each with its new value and the requested one.
    settings
        All settings with which the record was replayed.
    """

    id: str
    line: int
    differences: tuple[str, ...]
    settled: Mapping[str, tuple[object, object]]
    settings: Mapping[str, object]


def verify_file(path: str | Path, settings: Mapping[str, object] | None = None) -> list[RecordCheck]:
    """Replay every record in a file in the engine and report all differences.

    Parameters
    ----------
    path
        File of recorded games, one JSON object per line.
    settings
        Values that override those of `rules.toml`. No other values of these settings are tried.

    Returns
    -------
    list of RecordCheck
        In the order of the file.

    Raises
    ------
    UserError
        The file cannot be read or has a mistake, or a setting is unknown.
    """
    path = Path(path)
    given = dict(settings or {})
    catalog = load_catalog(settings=given)
    tried = (*catalog.open_settings, *PLAYED_OTHERWISE)
    variants = _Variants(catalog, [name for name in tried if name not in given and not name.startswith("free_city")])
    return [_check(line, game, variants) for line, game in read_records(path, catalog)]


class _Variants:
    """Catalogues and tables for the requested settings and for other values of open ones. They are built on demand."""

    def __init__(self, catalog: Catalog, open_settings: Sequence[str]) -> None:
        self.catalog = catalog
        asked = catalog.settings
        self.changes = [{name: value} for name in open_settings for value in SETTINGS[name] if value != asked[name]]
        self.tables: dict[tuple[tuple[str, object], ...], tuple[Catalog, Record]] = {}

    def with_change(self, change: Mapping[str, object]) -> tuple[Catalog, Record]:
        """Return the catalogue and tables with some settings changed."""
        key = tuple(change.items())
        if key not in self.tables:
            catalog = dataclasses.replace(self.catalog, settings={**self.catalog.settings, **change})
            self.tables[key] = catalog, build_tables(catalog)
        return self.tables[key]

    def first_difference(self, game: RecordedGame, change: Mapping[str, object]) -> str | None:
        """Return the first difference in a game that is replayed with some settings changed; None if there is none."""
        differences = RecordedPlay(game, *self.with_change(change), first_only=True).play()
        return differences[0] if differences else None

    def that_explain(self, game: RecordedGame, first: str) -> dict[str, object] | None:
        """Return the change of one or two open settings that removes all differences; None if no such change does.

        A pair of changes is tried only if one of them alone alters the first difference.
        """
        telling = []
        for change in self.changes:
            difference = self.first_difference(game, change)
            if difference is None:
                return change
            if difference != first:
                telling.append(change)
        for one, other in product(telling, self.changes):
            if one.keys() != other.keys() and self.first_difference(game, one | other) is None:
                return one | other
        return None


def _check(line: int, game: RecordedGame, variants: _Variants) -> RecordCheck:
    """Verify one record, first with the requested settings."""
    asked = variants.catalog.settings
    differences = RecordedPlay(game, *variants.with_change({}), first_only=False).play()
    change = variants.that_explain(game, differences[0]) if differences else None
    if change is None:
        return RecordCheck(game.id, line, tuple(differences), {}, asked)
    settled = {name: (value, asked[name]) for name, value in change.items()}
    return RecordCheck(game.id, line, (), settled, {**asked, **change})


def summary_lines(results: Sequence[RecordCheck]) -> list[str]:
    """Return the results of a file as lines: one for each record, its differences below it, and a count at the end."""
    lines = []
    for result in results:
        count = len(result.differences)
        verdict = "no difference" if count == 0 else f"{count} difference{'s' if count > 1 else ''}"
        if result.settled:
            settled = (f"{name} = {_toml(new)} (default {_toml(old)})" for name, (new, old) in result.settled.items())
            verdict += f" with {' and '.join(settled)}"
        lines.append(f"{result.id}: {verdict}")
        lines.extend(f"  {difference}" for difference in result.differences)
    passed = sum(not result.differences for result in results)
    lines.append(f"{passed} of {len(results)} recorded games without difference")
    return lines


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
