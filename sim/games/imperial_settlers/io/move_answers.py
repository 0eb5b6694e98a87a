"""The answers that a move's JSON gives to the decisions of one card, and which answers have been used."""

from __future__ import annotations

from typing import Any

from sim.games.imperial_settlers.io.moves import Decisions, PositionGoods


class Given:
    """The answers given for one card. Entries of lists are used up one by one.

    Parameters
    ----------
    of
        The subject in messages: the card's name, or "the move".
    decisions
        The answers in the JSON; None if there are none.
    fallback
        Answers to use for keys that `decisions` does not have.
    """

    def __init__(self, of: str, decisions: Decisions | None, fallback: Given | None = None) -> None:
        self.of, self.fallback = of, fallback
        self.values: dict[str, Any] = {}
        for key in Decisions.model_fields if decisions is not None else ():
            value = getattr(decisions, key)
            if value is not None:
                self.values[key] = list(value) if isinstance(value, list) else value
        self.asked: set[str] = set()
        self.converted: dict[str, int] = {}

    def has(self, key: str) -> bool:
        """Tell whether the answers have a value under a key."""
        return key in self.values or (self.fallback is not None and self.fallback.has(key))

    def value(self, key: str) -> Any:
        """Return the value under a key, and mark it as used; None if there is none."""
        if key in self.values:
            self.asked.add(key)
            return self.values[key]
        return None if self.fallback is None else self.fallback.value(key)

    def next(self, key: str) -> Any:
        """Return the next entry of the list under a key; None if there is none left."""
        if key in self.values:
            return self.values[key].pop(0) if self.values[key] else None
        return None if self.fallback is None else self.fallback.next(key)

    def converts(self, good: str) -> bool:
        """Tell whether the answers turn one more unit of a good into points."""
        if "convert" not in self.values:
            return self.fallback is not None and self.fallback.converts(good)
        done = self.converted.get(good, 0)
        more = done < getattr(self.values["convert"], good, 0)
        self.converted[good] = done + more
        return bool(more)

    def left_over(self) -> str:
        """Return the first of the keys `pay`, `convert` and `samurai` that decisions have not used up, or "".

        All other keys may stay unused.
        """
        unpaid = "pay" not in self.asked and self.values.get("pay", PositionGoods()) != PositionGoods()
        convert = self.values.get("convert", ())
        unconverted = any(number > self.converted.get(good, 0) for good, number in convert)
        left = {"pay": unpaid, "convert": unconverted, "samurai": self.values.get("samurai")}
        return next((key for key, is_left in left.items() if is_left), "")
