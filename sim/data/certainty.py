"""How certain the rows of a game's data are: confirmed, from a single source, or stand-ins for unknown data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.data.catalog import CERTAINTIES, Certainty, Kind, read_toml, row_name
from sim.data.changes import Addition


@dataclass(frozen=True)
class RowCertainty:
    """Certainty of one row of a file.

    `row` is the name of the row in messages. `known` names those fields of a stand-in that have a source.
    """

    file: str
    table: str
    row: str
    certainty: Certainty
    known: tuple[str, ...] = ()


def certainty_of_rows(
    folder: Path, files: Mapping[str, Mapping[str, Kind]], added: Sequence[Addition] = ()
) -> list[RowCertainty]:
    """Return the certainty of every row that states one, in the order of the files, which must already be validated.

    `files` are the tables of the TOML files in the game's `folder` (`sim.game.GameSpec`). `added` are files that a user
    has added. They lie in other folders.
    """
    elsewhere = {addition.file.name: addition.tables() for addition in added}
    return [
        RowCertainty(name, table, label, row["certainty"], tuple(row.get("known", ())))
        for name, tables in files.items()
        for table, rows in (elsewhere.get(name) or read_toml(folder / name)).items()
        for label, row in _rows(rows, tables[table], table)
        if "certainty" in row
    ]


def _rows(table: Mapping[str, object] | Sequence[object], kind: Kind, name: str) -> Iterator[tuple[str, dict]]:
    """Yield the name and content of each row of a table. A single table is one row, with the name of the table."""
    if isinstance(table, list):
        for number, row in enumerate(table, start=1):
            yield row_name(row, kind.label, number), row
    elif isinstance(table, dict):
        yield name, table


def shares_in_words(rows: Sequence[RowCertainty]) -> str:
    """Count rows by certainty: "92 rows: 90 confirmed, 2 single-source, 0 stand-in"."""
    counts = ", ".join(f"{sum(row.certainty == level for row in rows):,} {level}" for level in CERTAINTIES)
    return f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}: {counts}"
