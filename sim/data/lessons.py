"""Reads learned bonuses of players for cards and moves: rows of `lessons.toml`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field

from sim.data.catalog import Row, read_toml, validate_rows
from sim.data.changes import Change
from sim.errors import UserError

Learnt = Annotated[float, Field(ge=-100, le=100)]
"""Learned bonus in points, or hundredths of a win, beyond the heuristic value."""

Lesson = TypeVar("Lesson", bound=Row)
LESSONS_FILE = "lessons.toml"
WEIGHT = "lessons"
"""The weight by which the learned bonuses of a player count; 0 for a player without any."""
OFF = f"#weights.{WEIGHT}=0"
"""End of a change, after the file of a player, that turns its learned bonuses off."""


def lessons_by_name(
    path: Path,
    data: Mapping[str, Any],
    table: str,
    kind: type[Lesson],
    label: Sequence[str],
    known: Collection[str] | None,
) -> dict[str, Lesson]:
    """Return the rows of a table by name.

    Parameters
    ----------
    path, data, table
        File, for messages, what it says, and the table in it.
    kind
        The kind of row.
    label, known
        Fields that say what a row is of, and what they may say, a space between them; None where the kind of row
        says so.

    Raises
    ------
    UserError
        A row is wrong, of something unknown, or the second of its kind.
    """
    lessons: dict[str, Lesson] = {}
    what = "card" if table == "lesson" else table
    for lesson in validate_rows(path, data, table, kind, label):
        name = " ".join(str(getattr(lesson, field)) for field in label)
        if known is not None and name not in known:
            raise UserError(f"no such {what}", file=path, row=name, field=label[0], found=name, allowed=list(known))
        if name in lessons:
            raise UserError(f"{label[0]} given twice", file=path, row=name, field=label[0], found=name)
        lessons[name] = lesson
    return lessons


def names_before(path: Path, table: str, changes: Sequence[Change], label: Sequence[str] = ("name",)) -> list[str]:
    """Return the names of a table's rows in its file, if changes may have renamed a row.

    Lessons of these may stand, and nothing is learnt of a row that is called otherwise now.
    """
    rows = read_toml(path).get(table, []) if changes else []
    return [" ".join(str(row.get(field)) for field in label) for row in rows]
