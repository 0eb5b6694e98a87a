"""What the JSON of a move gives for the decisions that it brings, and what of it has been asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.games.imperial_settlers.io.moves import Decisions, PositionGoods

PROMISES = ("pay", "convert", "samurai")
"""Keys whose content must come about; what else nobody asks for changes nothing."""


class Given:
    """The decisions given for one card; lists are used up.

    Parameters
    ----------
    of
        What a message calls the card: its name, or "the move".
    decisions
        What the JSON says; None for nothing.
    besides
        Where to look for what these do not say.
    """

    def __init__(self, of: str, decisions: Decisions | None, besides: Given | None = None) -> None:
        self.of, self.besides = of, besides
        self.values: dict[str, Any] = {}
        for key in Decisions.model_fields if decisions is not None else ():
            value = getattr(decisions, key)
            if value is not None:
                self.values[key] = list(value) if isinstance(value, list) else value
        self.asked: set[str] = set()
        self.converted: dict[str, int] = {}

    def has(self, key: str) -> bool:
        """Tell whether something is given under a key."""
        return key in self.values or (self.besides is not None and self.besides.has(key))

    def value(self, key: str) -> Any:
        """Return what is given under a key, None for nothing; it has then been asked for."""
        if key in self.values:
            self.asked.add(key)
            return self.values[key]
        return None if self.besides is None else self.besides.value(key)

    def next(self, key: str) -> Any:
        """Return the next entry of a list, None if there is none left; entries are asked for one by one."""
        entries = self.values.get(key)
        if entries:
            return entries.pop(0)
        if entries is None and self.besides is not None:
            return self.besides.next(key)
        return None

    def converts(self, good: str) -> bool:
        """Tell whether one more of a good is to be turned into points."""
        wanted = self.values.get("convert")
        if wanted is None:
            return self.besides is not None and self.besides.converts(good)
        done = self.converted.get(good, 0)
        if done >= getattr(wanted, good, 0):
            return False
        self.converted[good] = done + 1
        return True

    def left_over(self) -> str | None:
        """Return a key whose content must come about and has not, None if there is none."""
        for key in PROMISES:
            value = self.values.get(key)
            if value is None:
                continue
            if isinstance(value, list):
                if value:
                    return key
            elif key == "convert":
                if any(number > self.converted.get(good, 0) for good, number in value):
                    return key
            elif key not in self.asked and value != PositionGoods():
                return key
        return None


def first_left_over(all_given: Sequence[Given]) -> tuple[Given, str] | None:
    """Return the first decision that must come about and has not, with the card it is given for."""
    for given in all_given:
        key = given.left_over()
        if key is not None:
            return given, key
    return None
