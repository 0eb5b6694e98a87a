"""Positions for tests in short form."""

from typing import Any

from tests.kit.inspecting import Inspector, Position

INSPECTOR = Inspector("history_of_the_world", "why")
DATA, inspect, after, refused = INSPECTOR.data, INSPECTOR.inspect, INSPECTOR.after, INSPECTOR.refused

COAST: Position = {
    "regions": {"West": {"tokens": {"1": 2, "3": 4}}, "East": {"tokens": {"2": 1}}},
    "lands": {
        "Amber": {"region": "West", "borders": ["Birch"], "resource": True, "bodies": ["Bay"]},
        "Birch": {"region": "West", "borders": ["Cedar"], "terrain": "mountain"},
        "Cedar": {"region": "West", "resource": True, "bodies": ["Dunes"]},
        "Delta": {"region": "East", "stepping_stones": ["Amber"], "resource": True, "bodies": ["Bay", "Gulf"]},
        "Elm": {"region": "East", "terrain": "forest", "resource": True, "bodies": ["Gulf", "Dunes"]},
        "Fen": {"region": "East", "bodies": ["Deep"]},
    },
    "bodies": {
        "Bay": {"kind": "sea", "borders": ["Deep"]},
        "Gulf": {"kind": "sea", "borders": ["Deep", "Dunes"]},
        "Deep": {"kind": "ocean"},
        "Dunes": {"kind": "barren"},
    },
}
"""A small map with all there is on one."""

FOUND = {"do": "found"}
STOP = {"do": "monuments"}


def army(owner: str, active: bool = False, structures: str = "", fort: bool = False) -> dict[str, Any]:
    """Return a land with an army; structures may be given as words."""
    return {"army": owner, "active": active, "structures": structures.split(), "fort": fort}


AMBER = {"Amber": army("blue", active=True)}
"""An active army of blue in the west of the small map."""


def coast(lands: dict[str, Any], **keys: Any) -> Position:
    """Return a position on the small map with three players, in which blue has five armies on the card."""
    players = [{"name": "blue", "score": 10}, {"name": "red", "score": 20}, {"name": "gold", "score": 30}]
    turn = {"player": "blue", "armies": 5} | keys.pop("turn", {})
    return {"map": COAST, "players": keys.pop("players", players), "lands": lands, "turn": turn, **keys}


def roll(attacker: list[int], defender: list[int], *rerolls: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Return a roll of a battle."""
    return {"attacker": attacker, "defender": defender, "rerolls": list(rerolls), **keys}


def again(by: str, shown: int, to: int) -> dict[str, Any]:
    """Return a re-roll."""
    return {"by": by, "from": shown, "to": to}


def conquer(land: str, *battles: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Return a conquest."""
    return {"do": "conquer", "land": land, "battles": list(battles), **keys}
