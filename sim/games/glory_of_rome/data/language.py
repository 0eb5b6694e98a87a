"""Effects, rewards and conditions of cards, as written in TOML and in positions, and as encoded for kernels.

An effect or a reward is a table of numbers, such as `{ draw = 1 }`. A condition names what it counts:
`{ most = "votes" }`, `{ least = "discord" }` or `{ at_least = ["legions", 3] }`. It can also name a medal:
`{ medal = "military" }`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field, model_validator

from sim.data.catalog import Row, fault
from sim.games.glory_of_rome.rules import constants

MAX_EFFECT_NUMBER = 99
"""Largest number in an effect."""
MAX_COUNTED = 99
"""Largest number in a condition."""

Count = Literal[
    "denarii",
    "glory",
    "legions",
    "votes",
    "sets",
    "medals",
    "pantheon",
    "discord",
    "followers",
    "trade_cards",
    "population",
    "first_places",
]
Building = Literal["military", "political", "commercial", "religious", "economic"]
TradeType = Literal["tools", "weapons", "textiles", "jewels", "chest"]
When = Literal[
    "never",
    "activate_intrigue",
    "intrigue_in_own_province",
    "build",
    "follower",
    "follower_colosseum",
    "follower_economic",
    "double_tax",
]
Direction = Literal["clockwise", "counter-clockwise"]


TrueIsOne = BeforeValidator(lambda found: 1 if found is True else found)
Amount = Annotated[int, TrueIsOne, Field(ge=0, le=MAX_EFFECT_NUMBER)]
"""A number. `true` stands for 1, as in `{ remove_anchor = true }`."""
GainOrLoss = Annotated[int, Field(ge=-MAX_EFFECT_NUMBER, le=MAX_EFFECT_NUMBER)]


class Effect(Row):
    """The effect of a trade card. `constants.TRADE_EFFECTS` explains the numbers."""

    draw: Amount = 0
    denarii: Amount = 0
    glory: Amount = 0
    recruit_legions: Amount = 0
    recruit_votes: Amount = 0
    take_discard: Amount = 0
    remove_anchor: Annotated[Amount, Field(le=1)] = 0
    missions: Amount = 0
    sets: Amount = 0

    def numbers(self) -> list[int]:
        """Return the numbers in the order of `constants.TRADE_EFFECTS`."""
        return [getattr(self, name) for name in constants.TRADE_EFFECTS]


class Reward(Row):
    """The reward of an event for players who meet its condition. Numbers below 0 are losses."""

    denarii: GainOrLoss = 0
    glory: GainOrLoss = 0


class Numbers(NamedTuple):
    """A condition as encoded for kernels: its kind, what it counts, and the number that AT_LEAST requires.

    `counted` is an index in `constants.COUNTS` or, for MEDAL, a type of building.
    """

    condition: int
    counted: int
    number: int


EVERYBODY = Numbers(constants.ALWAYS, constants.COUNT_NONE, 0)


def per(count: str) -> Numbers:
    """Return the encoding of a mission that brings its points once for each thing of the kind `count`."""
    return Numbers(constants.PER, constants.COUNTS.index(count), 0)


class Condition(Row):
    """The condition of a mission or an event: exactly one field is given."""

    most: Count | None = None
    least: Count | None = None
    at_least: Annotated[list[Any], Field(min_length=2, max_length=2)] | None = None
    medal: Building | None = None

    @model_validator(mode="after")
    def _asks_for_one_thing(self) -> Condition:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            fault("a condition has exactly one field", found=given, allowed=list(type(self).model_fields))
        if self.at_least is not None:
            count, number = self.at_least
            if count not in constants.COUNTS[1:]:
                fault("unknown count", field="at_least.1", found=count, allowed=constants.COUNTS[1:])
            if type(number) is not int or not 0 <= number <= MAX_COUNTED:
                fault("not a valid threshold", field="at_least.2", found=number, allowed=f"0 to {MAX_COUNTED}")
        return self

    def numbers(self) -> Numbers:
        """Return the condition as encoded for kernels."""
        if self.medal is not None:
            return Numbers(constants.MEDAL, constants.BUILDINGS.index(self.medal), 0)
        if self.at_least is not None:
            count, number = self.at_least
            return Numbers(constants.AT_LEAST, constants.COUNTS.index(count), number)
        if self.most is not None:
            return Numbers(constants.MOST, constants.COUNTS.index(self.most), 0)
        return Numbers(constants.LEAST, constants.COUNTS.index(str(self.least)), 0)
