"""What a verdict rests on: what of it survives every plausible value of what no source tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from reports.claims import Claim
from reports.data.load import check_same_table
from reports.formatting import counted, lessons_words
from reports.model import Finding
from reports.sections.core.summary import with_limits
from sim.data.catalog import validate_row
from sim.data.declarations import Entry
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError
from sim.runs.store.manifest import DIGEST_PATTERN, Games, Manifest, Players

FORMAT = "empirelab-sensitivity/1"
SHARED = (
    "All alternatives were played on the same deals and share their luck, so agreement between them is "
    "not additional evidence."
)


class Tried(Entry):
    """What `sensitivity` writes for a report of the same games.

    Attributes
    ----------
    game, players, variant, games, settings, tables
        Of `run.json` of the games as played.
    strategies, factions
        Names of who met, and of what could be dealt.
    changes
        Changes with which all of the games were played: they say whether players did without lessons.
    alternatives
        How many alternatives were judged.
    unchanged
        Names of those that changed nothing in these games, and are not counted.
    survives
        By table ("faction", "seat"): the fate of each level that is out of balance as played.
    limits
        In the same way: its edge as played, with limits for all rows and alternatives.
    """

    format: str
    game: str
    players: Players | list[Players]
    variant: str
    strategies: list[str]
    factions: list[str]
    settings: dict[str, bool | int | float | str]
    tables: str = Field(pattern=DIGEST_PATTERN)
    games: Games
    changes: list[str] = Field(default=[])
    alternatives: int = Field(ge=1)
    unchanged: list[str]
    survives: dict[str, dict[str, str]]
    limits: dict[str, dict[str, tuple[float, float, float]]] = Field(default={})


def read_sensitivity(path: Path, manifest: Manifest) -> Tried:
    """Read what `sensitivity` has written, for a report of a run.

    Raises
    ------
    UserError
        The file cannot be read, is something else, or is of another game, variant, number of players, or of other
        strategies, factions, settings or data.
    """
    content = read_object(path, read_limited_text(path), None)
    if content.get("format") != FORMAT:
        found = content.get("format", "none")
        raise UserError(
            "this file was not written by `empirelab sensitivity`",
            file=path,
            field="format",
            found=found,
            allowed=FORMAT,
        )
    tried = validate_row(path, content, Tried, None)
    check_same_table(path, facts_of(tried), manifest)
    return tried


def facts_of(tried: Tried) -> dict[str, Any]:
    """Return the facts of a sensitivity file, named as `what_was_played` names them."""
    return {
        "game": tried.game,
        "variant": tried.variant,
        "players": tried.players,
        "strategies": sorted(tried.strategies),
        "factions": sorted(tried.factions),
        **{f"settings.{name}": value for name, value in tried.settings.items()},
        "tables": tried.tables,
    }


def sensitivity_finding(tried: Tried, rows: Sequence[Mapping[str, Any]]) -> Finding:
    """Say in a report's verdict whether its rows (`model.Verdict.rows`) hold under all alternatives."""
    games = counted(tried.games, "game")
    noun = "value" if tried.alternatives == 1 else "values"
    what = f"{tried.alternatives} plausible {noun} for what no source settles, {games} each"
    if not rows:
        return Finding("", "caution", f"The headline names no imbalance. Alternatives tried: {what}.")
    said = [f"{row['name']}: {fate_tried(tried, row['table'], str(row['name']))}" for row in rows]
    told = any(tried.survives.get(row["table"], {}).get(str(row["name"])) for row in rows)
    said += [*([SHARED] if told else []), *lessons_words(tried.changes)]
    whole = f"Uncertain rules and data were varied: {what}. {' '.join(said)}"
    known = [(str(row["name"]), tried.limits.get(row["table"], {}).get(str(row["name"]))) for row in rows]
    family = f"all rows and {tried.alternatives} alternatives"
    claims = [
        Claim("under a condition", f"{name} as played", *limits, family, whole) for name, limits in known if limits
    ]
    return Finding("", "caution", whole, claims=tuple(claims))


def fate_tried(tried: Tried, table: str, level: str) -> str:
    """Say whether a row of a verdict holds."""
    games = counted(tried.games, "game")
    if table not in tried.survives:
        return f"not judged in that run of {games}."
    if limits := tried.limits.get(table, {}).get(level):
        return f"{with_limits(*limits, '+')} in that run; {tried.survives[table][level]}"
    return tried.survives[table].get(level, f"no imbalance found in that run of {games}.")
