"""Words and claims that the reports of all searches share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from reports.claims import Claim
from reports.formatting import counted, round_up
from reports.statistics.core.crossing import Crossing
from reports.statistics.core.decisions import PROMISED
from reports.studies.search.goals import State, games_to_separate, state_of

STATES: dict[State, str] = {
    "within": "fair", "undecided": "undecided", "out": "off", "not known": "not known",
}  # fmt: skip
LIMITS = "limits, see note"


def left_claims(subject: str, row: dict[str, Any], family: str, limits: str = "edge_") -> list[Claim]:
    """Claim that the edge left after a change lies within its limits; nothing without limits."""
    low, high = row[f"{limits}low"], row[f"{limits}high"]
    return [] if low is None else [Claim("left after a change", subject, row["edge"], low, high, family, "")]


def fair_value_claims(subject: str, crossing: Crossing | None, family: str) -> list[Claim]:
    """Claim that a fair value lies within its limits; nothing without a value or a limit."""
    if crossing is None or (crossing.open_low and crossing.open_high):
        return []
    ends = None if crossing.open_low else crossing.low, None if crossing.open_high else crossing.high
    return [Claim("fair value", subject, crossing.place, *ends, family, "")]


def games_to_resolve(row: dict[str, Any], margin: float, games: int) -> int | None:
    """Return about how many games of each change would settle a row; None if it is settled or no number would do."""
    if row["edge_low"] is None or state_of(row["edge_low"], row["edge_high"], margin) in ("within", "out"):
        return None
    needed = games_to_separate(row["edge"], row["edge_low"], row["edge_high"], margin, games)
    return None if needed is None else round_up(needed)


def tell_claims(subjects: Iterable[str], games: int | None) -> list[Claim]:
    """Claim that a number of games settles each of some rows; nothing without a number."""
    return [] if games is None else [
        Claim("more games", name, float(games), None, float(games), "one row", "") for name in subjects
    ]  # fmt: skip


def games_words(games: int) -> str:
    """'about 40,000 games of each decide in 80 % of such runs'."""
    return f"about {counted(games, 'game')} of each decide in {100 * PROMISED:.0f} % of such runs"


def patch_file(comments: Sequence[str], changes: Sequence[str], more: Sequence[str] = ()) -> str:
    """Return a file of changes: comments, the changes, and more comments."""
    return "\n".join([*comments, changes_line(changes), *more]) + "\n"


def changes_line(changes: Sequence[str]) -> str:
    """Return the line `changes = [...]` of a file of changes."""
    return f"changes = [{', '.join(json.dumps(text, ensure_ascii=False) for text in changes)}]"
