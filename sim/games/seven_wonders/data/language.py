"""Effects of 7 Wonders, as written in TOML and as encoded for kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from sim.data.catalog import NoRepeats, Row, fault
from sim.games.seven_wonders.rules.constants import (
    BUILD_FROM_DISCARD,
    CITIES,
    CLASSES,
    COINS,
    COINS_PER,
    COLOURS,
    COPY_GUILD,
    DISCOUNT,
    FREE_BUILD_PER_AGE,
    MANUFACTURED_GOODS,
    PER_CARDS,
    PER_DEFEAT_TOKENS,
    PER_WONDER_STAGES,
    PLAY_LAST_CARD,
    PRODUCE,
    RAW_GOODS,
    RESOURCES,
    SCIENCE,
    SCIENCE_CHOICE,
    SHIELDS,
    SIDES,
    SYMBOLS,
    VP,
    VP_PER,
    City,
    Counted,
    GoodsClass,
    Resource,
    Side,
)
from sim.games.seven_wonders.rules.tables import MAX_EFFECTS, MAX_UNITS
from sim.games.shared.describe import bits_of_names

MAX_NUMBER = 999


def _all_cards_or_one_thing(counted: list[Counted]) -> list[Counted]:
    if len(counted) > 1 and not all(thing.endswith(" cards") for thing in counted):
        fault(
            "several things can be counted only if all are cards",
            found=counted,
            allowed="cards of colours, or one thing",
        )
    return counted


Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Positive = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
Sides = Annotated[list[Side], Field(min_length=1), NoRepeats]
Cities = Annotated[list[City], Field(min_length=1), NoRepeats]
Things = Annotated[list[Counted], Field(min_length=1), NoRepeats, AfterValidator(_all_cards_or_one_thing)]


class Produce(Row):
    """Goods in every turn: one good of a choice, or several units of one good."""

    produce: Annotated[list[Resource], Field(min_length=1), NoRepeats]
    amount: Annotated[int, Field(ge=1, le=MAX_UNITS)] = 1
    sellable: bool = True

    @model_validator(mode="after")
    def _one_class_and_one_unit_of_a_choice(self) -> Produce:
        if not (set(self.produce) <= set(RAW_GOODS) or set(self.produce) <= set(MANUFACTURED_GOODS)):
            raw, manufactured = ", ".join(RAW_GOODS), ", ".join(MANUFACTURED_GOODS)
            allowed = f"raw goods only ({raw}) or manufactured goods only ({manufactured})"
            fault("raw and manufactured goods mixed", field="produce", found=self.produce, allowed=allowed)
        if self.amount > 1 and len(self.produce) > 1:
            fault("a choice gives one unit", field="amount", found=self.amount, allowed="1, or a single good")
        return self

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [PRODUCE, bits_of_names(RESOURCES, self.produce), self.amount, int(self.sellable)]


class VictoryPoints(Row):
    """Victory points."""

    vp: Number

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [VP, self.vp]


class Shields(Row):
    """Shields in conflicts."""

    shields: Number

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [SHIELDS, self.shields]


class Coins(Row):
    """Coins from the bank, once."""

    coins: Number

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [COINS, self.coins]


class Science(Row):
    """A science symbol, or one that is chosen at the end of the game."""

    science: Literal["tablet", "gear", "compass", "choice"]

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [SCIENCE_CHOICE] if self.science == "choice" else [SCIENCE, SYMBOLS.index(self.science)]


class Discount(Row):
    """Goods of a class are cheaper when a city buys them from these neighbours."""

    discount: Annotated[list[GoodsClass], Field(min_length=1), NoRepeats]
    sides: Sides = Field(alias="from")
    price: Number

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [DISCOUNT, bits_of_names(SIDES, self.sides), bits_of_names(CLASSES, self.discount), self.price]


class CoinsPer(Row):
    """Coins, once, for each counted thing in the cities named."""

    coins_per: Things
    amount: Positive
    whose: Cities

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [COINS_PER, self.amount, *_counted_numbers(self.coins_per), bits_of_names(CITIES, self.whose)]


class VictoryPointsPer(Row):
    """Victory points, at the end of the game, for each counted thing in the cities named."""

    vp_per: Things
    amount: Positive
    whose: Cities

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [VP_PER, self.amount, *_counted_numbers(self.vp_per), bits_of_names(CITIES, self.whose)]


class BuildFromDiscard(Row):
    """Halikarnassos: at the end of the turn, a discarded card is built for free."""

    build_from_discard: Literal[True]

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [BUILD_FROM_DISCARD]


class FreeBuildPerAge(Row):
    """Olympia A: number of structures that may be built for free in each age."""

    free_build_per_age: Positive

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [FREE_BUILD_PER_AGE, self.free_build_per_age]


class PlayLastCard(Row):
    """Babylon B: the last card of each age is played instead of discarded."""

    play_last_card: Literal[True]

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [PLAY_LAST_CARD]


class CopyGuild(Row):
    """Olympia B: at the end of the game, one guild of a neighbour scores as if it were the city's own."""

    copy_guild: Sides

    def numbers(self) -> list[int]:
        """Return the effect as numbers for kernels."""
        return [COPY_GUILD, bits_of_names(CITIES, self.copy_guild)]


OPERATIONS = (
    "produce",
    "vp",
    "shields",
    "coins",
    "science",
    "discount",
    "coins_per",
    "vp_per",
    "build_from_discard",
    "free_build_per_age",
    "play_last_card",
    "copy_guild",
)


def _counted_numbers(counted: Sequence[str]) -> list[int]:
    if counted == ["wonder stages"]:
        return [PER_WONDER_STAGES, 0]
    if counted == ["defeat tokens"]:
        return [PER_DEFEAT_TOKENS, 0]
    return [PER_CARDS, bits_of_names(COLOURS, (thing.removesuffix(" cards") for thing in counted))]


def _names_one_operation(effect: object) -> object:
    if not isinstance(effect, dict):
        fault("an effect is an inline table", found=effect, allowed="such as { vp = 3 }")
    named = [key for key in effect if key in OPERATIONS]
    if len(named) > 1:
        fault("an effect must have exactly one operation", found=named, allowed="an inline table for each")
    if not named:
        fault("unknown effect", found=next(iter(effect), None), allowed=OPERATIONS)
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
