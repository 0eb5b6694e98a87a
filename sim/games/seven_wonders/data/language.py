"""Effects of 7 Wonders, as written in TOML and as encoded for kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from sim.data.catalog import NoRepeats, Row, fault
from sim.games.seven_wonders.rules import constants as words
from sim.games.seven_wonders.rules.tables import MAX_EFFECTS, MAX_UNITS
from sim.games.shared.describe import bits_of_names

MAX_NUMBER = 999


def _all_cards_or_one_thing(counted: list[words.Counted]) -> list[words.Counted]:
    if len(counted) > 1 and not all(thing.endswith(" cards") for thing in counted):
        fault(
            "several things can be counted only if all are cards",
            found=counted,
            allowed="cards of colours, or one thing",
        )
    return counted


Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Positive = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
Sides = Annotated[list[words.Side], Field(min_length=1), NoRepeats]
Cities = Annotated[list[words.City], Field(min_length=1), NoRepeats]
Things = Annotated[list[words.Counted], Field(min_length=1), NoRepeats, AfterValidator(_all_cards_or_one_thing)]


class Produce(Row):
    """Goods in every turn: one good of a choice, or several units of one good."""

    produce: Annotated[list[words.Resource], Field(min_length=1), NoRepeats]
    amount: Annotated[int, Field(ge=1, le=MAX_UNITS)] = 1
    sellable: bool = True

    @model_validator(mode="after")
    def _one_class_and_one_unit_of_a_choice(self) -> Produce:
        if not (set(self.produce) <= set(words.RAW_GOODS) or set(self.produce) <= set(words.MANUFACTURED_GOODS)):
            raw, manufactured = ", ".join(words.RAW_GOODS), ", ".join(words.MANUFACTURED_GOODS)
            allowed = f"raw goods only ({raw}) or manufactured goods only ({manufactured})"
            fault("raw and manufactured goods mixed", field="produce", found=self.produce, allowed=allowed)
        if self.amount > 1 and len(self.produce) > 1:
            fault("a choice gives one unit", field="amount", found=self.amount, allowed="1, or a single good")
        return self


class VictoryPoints(Row):
    """Victory points."""

    vp: Number


class Shields(Row):
    """Shields in conflicts."""

    shields: Number


class Coins(Row):
    """Coins from the bank, once."""

    coins: Number


class Science(Row):
    """A science symbol, or one that is chosen at the end of the game."""

    science: Literal["tablet", "gear", "compass", "choice"]


class Discount(Row):
    """Goods of a class are cheaper when a city buys them from these neighbours."""

    discount: Annotated[list[words.GoodsClass], Field(min_length=1), NoRepeats]
    sides: Sides = Field(alias="from")
    price: Number


class CoinsPer(Row):
    """Coins, once, for each counted thing in the cities named."""

    coins_per: Things
    amount: Positive
    whose: Cities


class VictoryPointsPer(Row):
    """Victory points, at the end of the game, for each counted thing in the cities named."""

    vp_per: Things
    amount: Positive
    whose: Cities


class BuildFromDiscard(Row):
    """Halikarnassos: at the end of the turn, a discarded card is built for free."""

    build_from_discard: Literal[True]


class FreeBuildPerAge(Row):
    """Olympia A: number of structures that may be built for free in each age."""

    free_build_per_age: Positive


class PlayLastCard(Row):
    """Babylon B: the last card of each age is played instead of discarded."""

    play_last_card: Literal[True]


class CopyGuild(Row):
    """Olympia B: at the end of the game, one guild of a neighbour scores as if it were the city's own."""

    copy_guild: Sides


OPERATIONS: dict[str, Callable[[Any], list[int]]] = {
    "produce": lambda row: [words.PRODUCE, bits_of_names(words.RESOURCES, row.produce), row.amount, int(row.sellable)],
    "vp": lambda row: [words.VP, row.vp],
    "shields": lambda row: [words.SHIELDS, row.shields],
    "coins": lambda row: [words.COINS, row.coins],
    "science": lambda row: (
        [words.SCIENCE_CHOICE] if row.science == "choice" else [words.SCIENCE, words.SYMBOLS.index(row.science)]
    ),
    "discount": lambda row: [
        words.DISCOUNT,
        bits_of_names(words.SIDES, row.sides),
        bits_of_names(words.CLASSES, row.discount),
        row.price,
    ],
    "coins_per": lambda row: [words.COINS_PER, *_numbers_per(row, row.coins_per)],
    "vp_per": lambda row: [words.VP_PER, *_numbers_per(row, row.vp_per)],
    "build_from_discard": lambda _: [words.BUILD_FROM_DISCARD],
    "free_build_per_age": lambda row: [words.FREE_BUILD_PER_AGE, row.free_build_per_age],
    "play_last_card": lambda _: [words.PLAY_LAST_CARD],
    "copy_guild": lambda row: [words.COPY_GUILD, bits_of_names(words.CITIES, row.copy_guild)],
}
"""For each operation, the function that encodes its effects for kernels."""


def numbers_of(effect: Row) -> list[int]:
    """Return an effect as numbers for kernels."""
    return OPERATIONS[_operation(effect)](effect)


def _numbers_per(row: CoinsPer | VictoryPointsPer, counted: Sequence[str]) -> list[int]:
    others = {"wonder stages": words.PER_WONDER_STAGES, "defeat tokens": words.PER_DEFEAT_TOKENS}
    kind = others.get(counted[0], words.PER_CARDS)
    colours = [thing.removesuffix(" cards") for thing in counted if thing not in others]
    return [row.amount, kind, bits_of_names(words.COLOURS, colours), bits_of_names(words.CITIES, row.whose)]


def _names_one_operation(effect: object) -> object:
    if not isinstance(effect, dict):
        fault("an effect is an inline table", found=effect, allowed="such as { vp = 3 }")
    named = [key for key in effect if key in OPERATIONS]
    if len(named) > 1:
        fault("one effect names one operation", found=named, allowed="an inline table for each")
    if not named:
        fault("unknown effect", found=next(iter(effect), None), allowed=list(OPERATIONS))
    return effect


def _operation(effect: Mapping[str, object] | Row) -> str:
    # When pydantic reads, it passes a dict; when it writes, it passes a model.
    return next(key for key in dict(effect) if key in OPERATIONS)


Effect = Annotated[
    Annotated[Produce, Tag("produce")]
    | Annotated[VictoryPoints, Tag("vp")]
    | Annotated[Shields, Tag("shields")]
    | Annotated[Coins, Tag("coins")]
    | Annotated[Science, Tag("science")]
    | Annotated[Discount, Tag("discount")]
    | Annotated[CoinsPer, Tag("coins_per")]
    | Annotated[VictoryPointsPer, Tag("vp_per")]
    | Annotated[BuildFromDiscard, Tag("build_from_discard")]
    | Annotated[FreeBuildPerAge, Tag("free_build_per_age")]
    | Annotated[PlayLastCard, Tag("play_last_card")]
    | Annotated[CopyGuild, Tag("copy_guild")],
    Discriminator(_operation),
    BeforeValidator(_names_one_operation),
]
Effects = Annotated[list[Effect], Field(max_length=MAX_EFFECTS)]
