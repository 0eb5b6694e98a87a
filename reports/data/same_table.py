"""Whether what was found with some games may be said of others: the same game, players, rules, factions and data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.errors import UserError


def what_was_played(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return all that games must have in common to be games of the same table, each setting by its name."""
    return {
        **{field: manifest[field] for field in ("game", "variant", "players")},
        "strategies": sorted(row["name"] for row in manifest["strategies"]),
        "factions": sorted(manifest["factions_dealt"]),
        **{f"settings.{name}": value for name, value in manifest["settings"].items()},
        "tables": manifest["tables"],
    }


def check_same_table(path: Path, found: Mapping[str, Any], run: Mapping[str, Any], but: tuple[str, ...] = ()) -> None:
    """Check that what lies in a file or folder is of the same games as a run.

    Parameters
    ----------
    path
        Where it lies, for the message.
    found, run
        What was played there (the names of `run.json`), and `run.json` of the run.
    but
        What may differ: "strategies".

    Raises
    ------
    UserError
        It is of another game, variant, number of players, or of other strategies, factions, settings or data.
    """
    mine, theirs = what_was_played(run), what_was_played(found)
    for field, value in mine.items():
        if field not in but and theirs.get(field) != value:
            message = "this is of other games than the run"
            raise UserError(message, file=path, field=field, found=theirs.get(field), allowed=str(value))
