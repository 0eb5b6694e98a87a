"""How a comparison opens: what was asked, in words, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.statistics.changes import Compared
from reports.words import counted, label, lopsided, plural, points, size

Row = dict[str, Any]
MOST_OPENED = 3
"""Rows that a comparison opens with, at most."""
FIXED = "no variation"
"""Note of a row whose share is what it is by construction."""
Out = frozenset[tuple[str, str]]
"""What a verdict finds out of balance: name of the table, name of the row."""


@dataclass(frozen=True)
class Turned:
    """A number or word of a game, a player or the rules that is another in the second run.

    Attributes
    ----------
    row
        Whose it is: "Halikarnassos B"; empty for a setting.
    field
        What it is: "stage 1, cost of ore".
    before, after
        Its value in either run, as it is written; empty before where nothing says.
    owners
        Factions to which it belongs, such as both sides of the nation of a card; none where it is nobody's own.
    """

    row: str
    field: str
    before: str
    after: str
    owners: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it: 'Halikarnassos B, stage 1 cost ore: 2 to 4'."""
        between = ", now " if " " in self.before + self.after else " to "
        values = f"{self.before}{between}{self.after}" if self.before else f"now {self.after}"
        return f"{', '.join(filter(None, [self.row, self.field]))}: {values}"


def opening(turned: Sequence[Turned], tables: Mapping[str, Compared], before: Out, after: Out) -> Iterator[str]:
    """Say what became of whom the change was for, then the worst side effect.

    'Halikarnassos B: +8.0 to -2.0 points (-10.0 ± 1.7), no longer found out of balance; worst side effect Ephesos A
    +1.6 ± 0.8.' Whom: the rows that were changed, where they are rows of a table; else what surely moved most.

    Parameters
    ----------
    turned
        What is another in the second run.
    tables
        What changed, by name.
    before, after
        What is out of balance in either run.
    """
    meant = [(table, row) for table in tables.values() for row in told_rows(table) if names(row, table, turned)]
    if not meant:
        sure = [(table, row) for table in tables.values() for row in told_rows(table) if row["flag"] and plain(table)]
        meant = sorted(sure, key=lambda one: -abs(one[1]["change"]))[:1]
    chosen = meant[:MOST_OPENED]
    for number, (table, row) in enumerate(chosen):
        said = f"{named(table, row)}: {points(row['edge_a'])} to {points(row['edge_a'] + row['change'])} points"
        said += f" ({points(row['change'])}{spread(row)})"
        said += among_words(table, row)
        key = (table.name, str(row["level"]))
        said += "" if table.name == "strategy" else f", {state(key in before, key in after)}"  # players are not judged
        last = number == len(chosen) - 1
        own = [str(one["level"]) for other, one in chosen if other is table]
        yield f"{said}; {side_effect(table, own, before, after)}." if last else f"{said}."


def plain(table: Compared) -> bool:
    """Whether a table has rows of its own; attributes only sum up what single factions do."""
    return table.name in ("faction", "strategy", "seat") or bool(table.picks)


def among_words(table: Compared, row: Row) -> str:
    """Against whom picks are set, which have no fair share of their own; empty for other tables."""
    return f" against other {plural(table.noun)} of {table.picks} {row['period']}" if table.picks else ""


def named(table: Compared, row: Row) -> str:
    """Name a row in a sentence: picks by their names alone."""
    return str(row["level"]) if table.picks else label(table, row)


def told_rows(table: Compared) -> list[Row]:
    """Rows that are in both runs."""
    return [row for row in table.frame.to_dicts() if row["change"] is not None and row["edge_a"] is not None]


def names(row: Row, table: Compared, turned: Sequence[Turned]) -> bool:
    """Whether a change was made to a row of a table, or to a piece of its own."""
    level = str(row["level"])
    own = table.name == "faction" and any(level in one.owners for one in turned)
    return own or (plain(table) and any(level.casefold() == one.row.casefold() for one in turned))


def is_meant(table: Compared, turned: Sequence[Turned]) -> bool:
    """Whether a change was made to any row of a table."""
    return any(names(row, table, turned) for row in told_rows(table))


def state(before: bool, after: bool) -> str:
    """What the verdicts on both runs say of a row."""
    if before:
        return "still out of balance" if after else "no longer found out of balance"
    return "now out of balance" if after else "not found out of balance before or after"


def half_width(row: Row) -> float | None:
    """Half the interval of a change; None where it is unknown."""
    return None if row["low"] is None else (row["high"] - row["low"]) / 2


def spread(row: Row, digits: int = 1) -> str:
    """The interval of a change: ' ± 0.3', and ', between -100.0 and +54.6' where it ends at what is possible."""
    half = half_width(row)
    if half is None:
        return ""
    if lopsided({"edge": row["change"], "edge_low": row["low"], "edge_high": row["high"]}):
        return f", between {points(row['low'], digits)} and {points(row['high'], digits)}"
    return f" ± {size(half, digits)}"


def reach_words(rows: Sequence[Row], noun: str, most: str) -> str:
    """Say how far rows that were not found to move may have: `most` with the farthest limit, of which it has room.

    Parameters
    ----------
    rows
        Rows of which no change is sure.
    noun
        What a row is.
    most
        "none moves by more than {} points".

    Returns
    -------
    Empty where nothing is known of any.
    """
    bounds = [max(abs(row["low"]), abs(row["high"])) for row in rows if row["low"] is not None]
    if not bounds:
        return ""
    if max(bounds) >= 1:
        return "too few games to rule out a change of any size"
    silent = sum(row["low"] is None and row["note"] != FIXED for row in rows)
    rest = f"; of {counted(silent, noun)} these games tell nothing" if silent else ""
    return f"{most.format(size(max(0.001, *bounds), 1))}{rest}"


def side_effect(table: Compared, own: Sequence[str], before: Out = frozenset(), after: Out = frozenset()) -> str:
    """Say who else of a table moved most, where that is sure; else how far their intervals reach."""
    others = [row for row in told_rows(table) if str(row["level"]) not in own]
    sure = [row for row in others if row["flag"]]
    if sure:
        worst = max(sure, key=lambda row: abs(row["change"]))
        key = (table.name, str(worst["level"]))
        put_out = ", now out of balance" if key in after and key not in before else ""
        return f"worst side effect {named(table, worst)} {points(worst['change'])}{spread(worst)}{put_out}"
    none = f"no other {table.noun} was found to move"
    reach = reach_words(others, table.noun, "no interval reaches beyond {}")
    return f"{none} ({reach})" if reach else none
