"""What a verdict rests on: what of it survives every plausible value of what no source tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reports.shapes import Finding
from sim.data.json_input import read_object, read_text
from sim.errors import UserError

FORMAT = "empirelab-sensitivity/1"


def read_sensitivity(path: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Read what `sensitivity` has written, for a report of a run.

    Raises
    ------
    UserError
        The file cannot be read, is something else, or is of another game, variant or number of players.
    """
    content = read_object(path, read_text(path), None)
    if content.get("format") != FORMAT:
        found = content.get("format", "none")
        raise UserError("this is not what sensitivity writes", file=path, field="format", found=found, allowed=FORMAT)
    for field in ("game", "variant", "players"):
        if content.get(field) != manifest[field]:
            message = "this is of other games than the run"
            raise UserError(message, file=path, field=field, found=content.get(field), allowed=str(manifest[field]))
    return content


def sensitivity_finding(described: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Say in a report's verdict what becomes of its rows under all alternatives.

    Parameters
    ----------
    described
        What `described` has returned.
    rows
        Rows of the verdict (`shapes.Verdict.rows`): `table` and `name`.
    """
    number, games = described["alternatives"], described["games"]
    tried = f"{number} other plausible values of what no source tells, {games:,} games each"
    if not rows:
        return Finding("", "caution", f"Nothing is named as out of balance. Tried besides: {tried}.")
    said = []
    for row in rows:
        known = described["survives"].get(row["table"], {}).get(str(row["name"]))
        said.append(f"{row['name']}: {known or 'not surely out of balance in that smaller run.'}")
    return Finding("", "caution", f"What this rests on was tried: {tried}. {' '.join(said)}")
