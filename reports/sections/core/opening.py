"""Writes the opening of a comparison: what was changed, and how the change affects the changed rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from reports.claims import Claim, Said, saying
from reports.formatting import counted, label, lopsided, margin_words, plural, points, size
from reports.statistics.compare.changes import Compared

Row = dict[str, Any]
MAX_OPENED = 3
"""Maximum number of rows in the opening of a comparison."""
FIXED = "no variation"
"""Note of a row whose share is fixed by construction."""
Stands = Literal["out", "within", "open"]


REMOVED = "removed"
"""Value shown for an effect that a change removes."""


@dataclass(frozen=True)
class Standing:
    """The state of a row of a run: out of balance, within the margin, or undecided.

    `edge` is a fraction. Its limits `low` and `high` hold for all rows of the run at once.

    Attributes
    ----------
    more
        Number of further games that would decide an undecided row with 80 % power. None if no number can be given.
    left_out
        The range of the edge with each player left out in turn, as text. Only given for a row that is within the margin
        over all games, but not (or not certainly) with each player left out. Otherwise empty.
    without
        Claims that the row lies beyond the margin with some player left out. No number of games decides such a row.
    """

    edge: float
    low: float
    high: float
    state: Stands
    more: int | None = None
    left_out: str = ""
    without: tuple[Claim, ...] = ()


Standings = dict[tuple[str, str], Standing]
"""The state of each row, by table and row."""


@dataclass(frozen=True)
class Turned:
    """A value of a game, a player or the rules that differs between the first and the second run.

    Attributes
    ----------
    row
        The row of the game data that has the value: "Halikarnassos B"; empty for a setting.
    field
        The field with the value: "stage 1, cost of ore".
    before, after
        The value in each run, formatted; `before` is empty if unknown.
    owners
        Factions that have the row: for a card of a nation, both sides of the nation.
    """

    row: str
    field: str
    before: str
    after: str
    owners: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Format the change: 'Halikarnassos B, stage 1 cost ore: 2 to 4'."""
        if self.after == REMOVED:
            return f"{self.row}: {self.field}, {REMOVED}"
        between = ", now " if " " in self.before + self.after else " to "
        values = f"{self.before}{between}{self.after}" if self.before else f"now {self.after}"
        return f"{', '.join(filter(None, [self.row, self.field]))}: {values}"


def opening(
    turned: Sequence[Turned],
    tables: Mapping[str, Compared],
    before: Standings,
    after: Standings,
    margin: float,
    family: str,
) -> Iterator[Said]:
    """Say how the changed rows moved, then name the worst side effect.

    If the change targets no row, the opening describes the row that certainly moved most.

    'Halikarnassos B: +8.0 to -2.0 points (-10.0 ± 1.7), now undecided (±1 point); worst side effect Ephesos A +1.6 ±
    0.8.'
    """
    chosen = opened_rows(turned, tables)
    for number, (table, row) in enumerate(chosen):
        said = f"{compared_name(table, row)}: {points(row['edge_a'])} to {points(row['edge_a'] + row['change'])} points"
        said += f" ({points(row['change'])}{change_spread(row)})"
        said += f" against other {plural(table.noun)} of {table.picks} {row['period']}" if table.picks else ""
        claims = change_claims(table, [row], family)
        key = (table.name, str(row["level"]))
        if key in before and key in after:
            said += f", {standing_words(before[key], after[key], margin)}"
            claims += standing_claims(label(table, row), before[key], "before", family)
            claims += standing_claims(label(table, row), after[key], "after", family)
        if number == len(chosen) - 1:
            own = [str(one["level"]) for other, one in chosen if other is table]
            effect, more = side_effect(table, own, before, after, family)
            said, claims = f"{said}; {effect}", [*claims, *more]
        yield saying(f"{said}.", claims)


def opened_rows(turned: Sequence[Turned], tables: Mapping[str, Compared]) -> list[tuple[Compared, Row]]:
    """Return the rows that a change targets, with their tables; at most `MAX_OPENED`.

    If there are none, return the row that moved most among those that certainly moved.
    """
    meant = [(table, row) for table in tables.values() for row in told_rows(table) if is_change_of(row, table, turned)]
    if not meant:
        own = [table for table in tables.values() if has_own_rows(table)]
        sure = [(table, row) for table in own for row in told_rows(table) if row["flag"]]
        meant = sorted(sure, key=lambda one: -abs(one[1]["change"]))[:1]
    return meant[:MAX_OPENED]


def change_claims(table: Compared, rows: Iterable[Row], family: str, bound: float | None = None) -> list[Claim]:
    """Return a claim for each row with limits: its change lies in its family limits, or within ±`bound` if given."""
    return [
        Claim("change", label(table, row), row["change"], low, high, family, "")
        for row in rows
        for low, high in [(row["family_low"], row["family_high"]) if bound is None else (-bound, bound)]
        if low is not None and row["family_low"] is not None
    ]


def standing_claims(level: str, standing: Standing, when: str, family: str) -> list[Claim]:
    """Claim that a row is out of balance or within the margin, before or after the change (`when`).

    An undecided row gives no claim, with one exception: if the row is undecided only when a player is left out, the
    claim is that the row is within the margin over all games.
    """
    if standing.state == "open" and not standing.left_out:
        return []
    kind = "out of balance" if standing.state == "out" else "within the margin"
    claim = Claim(kind, f"{level}, {when}", standing.edge, standing.low, standing.high, family, "")
    return [claim, *(replace(one, family=family) for one in standing.without)]


def has_own_rows(table: Compared) -> bool:
    """Tell whether a table is of factions, strategies, seats or picks. Rows of attributes only summarise factions."""
    return table.name in ("faction", "strategy", "seat") or bool(table.picks)


def compared_name(table: Compared, row: Row) -> str:
    """Name a row in a sentence. For a pick, use only its name."""
    return str(row["level"]) if table.picks else label(table, row)


def told_rows(table: Compared) -> list[Row]:
    """Return the rows of a table that have an edge in the first run and a known change."""
    return [row for row in table.frame.to_dicts() if row["change"] is not None and row["edge_a"] is not None]


def is_change_of(row: Row, table: Compared, turned: Sequence[Turned]) -> bool:
    """Tell whether one of the changed values (`turned`) belongs to a row of a table, or to a game piece of that row."""
    level = str(row["level"])
    own = table.name == "faction" and any(level in one.owners for one in turned)
    return own or (has_own_rows(table) and any(level.casefold() == one.row.casefold() for one in turned))


def is_changed(table: Compared, turned: Sequence[Turned]) -> bool:
    """Tell whether one of the changed values (`turned`) belongs to any row of a table."""
    return any(is_change_of(row, table, turned) for row in told_rows(table))


def standing_words(before: Standing, after: Standing, margin: float) -> str:
    """Say whether a row is out of balance, balanced or undecided after the change, and whether this is new."""
    was_out = before.state == "out"
    if after.left_out:
        shown = "" if after.without else "shown to be "
        balanced = f"{'now ' if was_out else ''}balanced over all games (±{margin_words(margin)})"
        return f"{balanced}, but not {shown}with one player left out ({after.left_out})"
    if after.state == "out":
        turned = was_out and (before.edge > 0) != (after.edge > 0)
        return f"{'still' if was_out and not turned else 'now'} out of balance{' the other way' if turned else ''}"
    if after.state == "within":
        return f"{'now ' if was_out else ''}balanced (±{margin_words(margin)})"
    return f"{'now' if was_out else 'still'} undecided (±{margin_words(margin)})"


def change_half_width(row: Row) -> float | None:
    """Return half the width of a change's interval, which holds for all rows at once. None if unknown."""
    return None if row["family_low"] is None else (row["family_high"] - row["family_low"]) / 2


def change_spread(row: Row, digits: int = 1) -> str:
    """Format the interval of a change: ' ± 0.3', or ', between -100.0 and +54.6' if asymmetric."""
    half, low, high = change_half_width(row), row["family_low"], row["family_high"]
    if half is None:
        return ""
    if lopsided({"edge": row["change"], "edge_low": low, "edge_high": high}):
        return f", between {points(low, digits)} and {points(high, digits)}"
    return f" ± {size(half, digits)}"


def farthest_limit(rows: Sequence[Row]) -> float | None:
    """Return the distance from 0 of the farthest limit of these rows, rounded up to a tenth of a point.

    None if no limit is known, or if the distance is 1 (100 points) or more.
    """
    bounds = [max(abs(row["family_low"]), abs(row["family_high"])) for row in rows if row["family_low"] is not None]
    return math.ceil(1000 * max(bounds) - 1e-6) / 1000 if bounds and max(bounds) < 1 else None


def reach_words(rows: Sequence[Row], noun: str, most: str) -> str:
    """Say how far rows without a confirmed change may have moved.

    `most` is a pattern such as "none moves by more than {} points". The result is empty if no limits are known.
    """
    known = [row for row in rows if row["family_low"] is not None]
    if not known:
        return ""
    bound = farthest_limit(known)
    if bound is None:
        return "too few games to rule out a change of any size"
    silent = sum(row["family_low"] is None and row["note"] != FIXED for row in rows)
    rest = f"; {counted(silent, noun)} cannot be judged from these games" if silent else ""
    return f"{most.format(size(bound, 1))}{rest}"


def worst_moved(table: Compared, own: Sequence[str], before: Standings, after: Standings) -> Row | None:
    """Return the worst row among those that certainly moved. Rows in `own` do not count. None if no row moved.

    If the change puts rows out of balance, the worst is the one that is farthest out of balance afterwards. Otherwise
    it is the row that moved most.
    """
    sure = [row for row in told_rows(table) if row["flag"] and str(row["level"]) not in own]
    put_out = [row for row in sure if is_put_out(table, row, before, after)]
    if put_out:
        return max(put_out, key=lambda row: abs(after[table.name, str(row["level"])].edge))
    return max(sure, key=lambda row: abs(row["change"]), default=None)


def is_put_out(table: Compared, row: Row, before: Standings, after: Standings) -> bool:
    """Tell whether a change puts a row out of balance.

    Such a row is out of balance after the change. Before the change, it was not out of balance, or it was out of
    balance on the other side.
    """
    key = table.name, str(row["level"])
    if key not in after or after[key].state != "out":
        return False
    return key not in before or before[key].state != "out" or before[key].edge * after[key].edge < 0


def side_effect(
    table: Compared, own: Sequence[str], before: Standings, after: Standings, family: str
) -> tuple[str, list[Claim]]:
    """Return words and claims on the worst side effect (`worst_moved`), or else on how far other rows may move."""
    others = [row for row in told_rows(table) if str(row["level"]) not in own]
    if worst := worst_moved(table, own, before, after):
        said = f"worst side effect {compared_name(table, worst)} {points(worst['change'])}{change_spread(worst)}"
        claims = change_claims(table, [worst], family)
        if is_put_out(table, worst, before, after):
            standing = after[table.name, str(worst["level"])]
            claims += standing_claims(label(table, worst), standing, "after", family)
            return f"{said}, now out of balance ({points(standing.edge)})", claims
        return said, claims
    none = f"no other {table.noun} is shown to move"
    reach = reach_words(others, table.noun, "all intervals end within {}")
    bound = farthest_limit(others)
    return f"{none} ({reach})" if reach else none, [] if bound is None else change_claims(table, others, family, bound)
