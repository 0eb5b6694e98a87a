"""Positions that tests inspect: their results, and the fate of their moves."""

from importlib import import_module
from typing import Any

from sim.game import load_game

Position = dict[str, Any]


class Inspector:
    """Inspects positions of a game; `reason_key` is the key of a result that says why a move was refused."""

    def __init__(self, game: str, reason_key: str = "reason") -> None:
        self.game, self.reason_key = load_game(game), reason_key
        self.data = self.game.load({})
        self.inspect_position = import_module(self.game.tools["inspect"]).inspect_position

    def inspect(self, position: Position, **settings: object) -> dict[str, Any]:
        """Return the result of a position, played with settings."""
        data = self.game.load(settings) if settings else self.data
        result: dict[str, Any] = self.inspect_position(position, data.catalog, data.tables)
        return result

    def after(self, position: Position, *moves: dict[str, Any], **settings: object) -> dict[str, Any]:
        """Return the result of a position with moves, all of which must be made."""
        result = self.inspect({**position, "moves": list(moves)}, **settings)
        assert [each for each in result["moves"] if not each["ok"]] == []
        return result

    def refused(self, position: Position, wrong: dict[str, Any], *before: dict[str, Any], **settings: object) -> str:
        """Return why a move is refused, which changes nothing; the moves before it are made."""
        result = self.inspect({**position, "moves": [*before, wrong]}, **settings)
        without = self.inspect({**position, "moves": list(before)}, **settings)
        assert [each["ok"] for each in result["moves"]] == [True] * len(before) + [False]
        assert result == {**without, "moves": result["moves"]}
        return str(result["moves"][-1][self.reason_key])
