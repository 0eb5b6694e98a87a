"""Glory of the slow model, and the milestones it reaches."""

from __future__ import annotations

from typing import Any

from tests.games.glory_of_rome.naive import MILESTONES, Position, marker_space


def gain_glory(table: Position, seat: int, number: int) -> None:
    """Move a glory marker on; whoever comes onto or past the marker of a milestone reaches it."""
    player = table["players"][seat]
    before = player["glory"]
    player["glory"] += number
    for first in MILESTONES:
        if first not in player["milestones"] and before < marker_space(table, first) <= player["glory"]:
            reach(table, first, [player])


def reach(table: Position, first: int, players: list[dict[str, Any]]) -> None:
    """Give players a milestone: its marker goes a space down for each, and who stands on a space it comes to joins."""
    from_space = marker_space(table, first)
    for player in players:
        player["milestones"] = sorted([*player["milestones"], first])
    passed = range(marker_space(table, first), from_space)
    there = [player for player in table["players"] if player["glory"] in passed and first not in player["milestones"]]
    if there:
        reach(table, first, there)


def spaces_behind(player: dict[str, Any]) -> int:
    """Spaces of the track, 30 long, that a marker has between it and space 1; which side is up changes nothing."""
    return int((player["glory"] - 1) % 30)


def lose_glory(table: Position, seat: int, number: int) -> None:
    """Move a glory marker back; milestones stay reached."""
    table["players"][seat]["glory"] -= number
