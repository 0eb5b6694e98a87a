"""Short forms of positions for tests."""

from typing import Any

from tests.kit.inspecting import Inspector

told = Inspector("seven_wonders").inspect


def city(board: str = "Gizah A", *cards: str, **keys: Any) -> dict[str, Any]:
    """Return a city of a position, as it is written down."""
    wonder, side = board.split()
    return {"wonder": wonder, "side": side, "cards": list(cards), **keys}


def move(p: int, do: str, card: str, **keys: Any) -> dict[str, Any]:
    """Return a move of a city."""
    return {"p": p, "do": do, "card": card, **keys}
