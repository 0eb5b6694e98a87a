"""Cards, wonder boards, constants and settings of 7 Wonders: read from TOML, checked, and packed for the kernels.

`load_catalog` reads `configs/games/seven_wonders/` (cards.toml, wonders.toml, rules.toml) and checks every row and
what must hold between rows. `build_tables` packs the result into one record of dtype `TABLES`, which every kernel
takes as `t`. Capacities are fixed, so that an edited TOML file changes numbers in the record and never its dtype.

Lanes
-----
Whether a city can pay for a card is decided on "lanes": one uint64 of 4-bit numbers, one for each subset s of the four
raw goods (16 lanes) or of the three manufactured goods (8 lanes); bit i of s stands for good i. In a need, lane s is
how many units of the goods in s are needed; in a source it is 1 if the source can give one of them. The lanes of
several sources add up. By Hall's marriage theorem a need can be met, every source giving one good, exactly if no lane
of the need is larger than that of the sources. A lane of a need is at most 7, so that two lanes can be subtracted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from sim.data.catalog import (
    CONFIGS,
    Certainty,
    Kind,
    Row,
    certainty_shares,
    check_tables,
    digest,
    fault,
    no_repeats,
    validate_row,
    validate_rows,
)
from sim.data.changes import Change, read_changed
from sim.errors import UserError

FOLDER = CONFIGS / "games" / "seven_wonders"

# ---- Words ----

RawGood = Literal["wood", "stone", "clay", "ore"]
ManufacturedGood = Literal["glass", "cloth", "papyrus"]
Resource = Literal["wood", "stone", "clay", "ore", "glass", "cloth", "papyrus"]
Colour = Literal["brown", "grey", "blue", "green", "yellow", "red", "purple"]
Symbol = Literal["tablet", "gear", "compass"]
GoodsClass = Literal["raw", "manufactured"]
Side = Literal["left", "right"]
City = Literal["left", "self", "right"]
Counted = Literal[
    "brown cards",
    "grey cards",
    "blue cards",
    "green cards",
    "yellow cards",
    "red cards",
    "purple cards",
    "wonder stages",
    "defeat tokens",
]

RAW: tuple[str, ...] = get_args(RawGood)
MANUFACTURED: tuple[str, ...] = get_args(ManufacturedGood)
RESOURCES: tuple[str, ...] = get_args(Resource)
COLOURS: tuple[str, ...] = get_args(Colour)
SYMBOLS: tuple[str, ...] = get_args(Symbol)
CLASSES: tuple[str, ...] = get_args(GoodsClass)
SIDES: tuple[str, ...] = get_args(Side)
CITIES: tuple[str, ...] = get_args(City)

AGES = (1, 2, 3)
PLAYERS = (3, 4, 5, 6, 7)

SETTINGS: dict[str, tuple[object, ...]] = {
    "choice_card_sells": ("one-good", "each-good"),
    "instant_income_counts_same_turn": (False, True),
    "last_card_spends_turn_income": (False, True),
    "last_card_in_turn_built": (False, True),
    "last_card_before_discard_build": (False, True),
    "free_build_same_age": (False, True),
    "discounts_add_up": (False, True),
    "discount_on_own_purchase": (False, True),
    "discard_build_checks_names": (False, True),
    "coins_per_counts_itself": (False, True),
    "copied_scientists_gives_symbol": (False, True),
    "copied_guild_counts_itself": (False, True),
    "free_city_sales_spendable": (False, True),
    "free_city_first_holder": ("left", "right"),
    "free_city_uses_wonder_powers": (False, True),
}
"""Every setting with the values the kernels know; the tables hold the index of the value."""

# ---- Operations: the first number of an effect in `item_effects`, with what the others say ----

PRODUCE = 1
"""bits of `RESOURCES` to choose from, units, 1 if neighbours may buy."""
VP = 2
"""victory points."""
SHIELDS = 3
"""shields."""
COINS = 4
"""coins, once."""
SCIENCE = 5
"""index of the symbol."""
SCIENCE_CHOICE = 6
"""nothing: one symbol, chosen at the end of the game."""
DISCOUNT = 7
"""bits of `SIDES`, bits of `CLASSES`, coins for a good."""
COINS_PER = 8
"""coins for each, kind of thing counted, bits of `COLOURS`, bits of `CITIES`; once."""
VP_PER = 9
"""victory points for each, then as `COINS_PER`; at the end of the game."""
BUILD_FROM_DISCARD = 10
"""nothing."""
FREE_BUILD_PER_AGE = 11
"""structures in each age."""
PLAY_LAST_CARD = 12
"""nothing."""
COPY_GUILD = 13
"""bits of `CITIES` whose guilds may be copied."""

# Kinds of things that COINS_PER and VP_PER count.
PER_CARDS = 0
PER_WONDER_STAGES = 1
PER_DEFEAT_TOKENS = 2

# ---- Capacities ----

MAX_CARDS = 96
MAX_NAMES = 96
MAX_FACTIONS = 20
MAX_STAGES = 4
MAX_EFFECTS = 4
MAX_CHAIN_FROM = 2
MAX_CHAIN_TO = 4
MAX_ITEMS = MAX_CARDS + MAX_FACTIONS * MAX_STAGES
MAX_UNITS = 7
MAX_NEED_LEVELS = 4
MAX_NUMBER = 999
EFFECT_NUMBERS = 5

TABLES = np.dtype(
    (
        np.record,
        [
            ("cards", np.int64),
            ("names", np.int64),
            ("factions", np.int64),
            # Cards, by card id
            ("card_name", np.int64, (MAX_CARDS,)),
            ("card_age", np.int64, (MAX_CARDS,)),
            ("card_colour", np.int64, (MAX_CARDS,)),
            ("card_guild", np.int64, (MAX_CARDS,)),
            ("card_copies", np.int64, (MAX_CARDS, 8)),  # copies in the deck, by number of players
            ("chain_from", np.int64, (MAX_CARDS, MAX_CHAIN_FROM)),  # name ids, -1 for none
            ("chain_to", np.int64, (MAX_CARDS, MAX_CHAIN_TO)),  # card ids, -1 for none
            # Cards and wonder stages, by item id (see `stage_item`)
            ("item_coins", np.int64, (MAX_ITEMS,)),
            ("item_need", np.int64, (MAX_ITEMS, 7)),  # units by resource
            ("item_need_raw", np.uint64, (MAX_ITEMS,)),
            ("item_need_manufactured", np.uint64, (MAX_ITEMS,)),
            ("item_effects", np.int64, (MAX_ITEMS, MAX_EFFECTS, EFFECT_NUMBERS)),
            ("item_effect_count", np.int64, (MAX_ITEMS,)),
            # what cards of an age ask for, by players, age, resource, units had already and colour: mean per city
            ("later_need", np.float64, (8, 4, 7, MAX_NEED_LEVELS, 7)),
            # Board sides, by faction id
            ("faction_stages", np.int64, (MAX_FACTIONS,)),
            ("faction_resource", np.int64, (MAX_FACTIONS,)),
            ("faction_coins", np.int64, (MAX_FACTIONS,)),  # at the start
            ("faction_wonder", np.int64, (MAX_FACTIONS,)),  # both sides of a board share it
            # Lanes of one source, by the bits of the goods it can give
            ("raw_lanes", np.uint64, (16,)),
            ("manufactured_lanes", np.uint64, (8,)),
            # Constants
            ("start_coins", np.int64),
            ("hand_size", np.int64),
            ("turns_per_age", np.int64),
            ("discard_coins", np.int64),
            ("trade_price", np.int64),
            ("coins_per_vp", np.int64),
            ("science_set_vp", np.int64),
            ("military_win_vp", np.int64, (4,)),  # by age, from 1
            ("military_loss_vp", np.int64),
            ("pass_direction", np.int64, (4,)),  # by age, from 1: -1 to the left, +1 to the right
            ("guilds_beyond_players", np.int64),
            # Settings: index of the value in `SETTINGS`
            *((name, np.int64) for name in SETTINGS),
        ],
    )
)
"""dtype of the tables record; ids count from 0 in the order of the TOML files."""


def stage_item(faction: int, stage: int) -> int:
    """Return the item id of a wonder stage; that of a card is its card id."""
    return MAX_CARDS + faction * MAX_STAGES + stage


# ---- Effects, as TOML writes them and as numbers ----


def bits(chosen: Iterable[str], words: Sequence[str]) -> int:
    """Return the chosen words as a bitmask: bit i stands for word i."""
    return sum(1 << words.index(word) for word in chosen)


def _all_cards_or_one_thing(counted: list[Counted]) -> list[Counted]:
    if len(counted) > 1 and not all(thing.endswith(" cards") for thing in counted):
        fault("several things count only if all are cards", found=counted, allowed="cards of colours, or one thing")
    return counted


Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Positive = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
Name = Annotated[str, Field(min_length=1)]
NoRepeats = AfterValidator(no_repeats)
Sides = Annotated[list[Side], Field(min_length=1), NoRepeats]
Cities = Annotated[list[City], Field(min_length=1), NoRepeats]
Things = Annotated[list[Counted], Field(min_length=1), NoRepeats, AfterValidator(_all_cards_or_one_thing)]


class Produce(Row):
    """Goods every turn: one good of a choice, or several units of one good."""

    produce: Annotated[list[Resource], Field(min_length=1), NoRepeats]
    amount: Annotated[int, Field(ge=1, le=MAX_UNITS)] = 1
    sellable: bool = True

    @model_validator(mode="after")
    def _one_class_and_one_unit_of_a_choice(self) -> Produce:
        if not (set(self.produce) <= set(RAW) or set(self.produce) <= set(MANUFACTURED)):
            allowed = f"raw goods only ({', '.join(RAW)}) or manufactured goods only ({', '.join(MANUFACTURED)})"
            fault("raw and manufactured goods mixed", field="produce", found=self.produce, allowed=allowed)
        if self.amount > 1 and len(self.produce) > 1:
            fault("a choice gives one unit", field="amount", found=self.amount, allowed="1, or a single good")
        return self

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [PRODUCE, bits(self.produce, RESOURCES), self.amount, int(self.sellable)]


class VictoryPoints(Row):
    """Victory points."""

    vp: Number

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [VP, self.vp]


class Shields(Row):
    """Shields in conflicts."""

    shields: Number

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [SHIELDS, self.shields]


class Coins(Row):
    """Coins from the bank, once."""

    coins: Number

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [COINS, self.coins]


class Science(Row):
    """A science symbol, or one to be chosen at the end of the game."""

    science: Literal["tablet", "gear", "compass", "choice"]

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [SCIENCE_CHOICE] if self.science == "choice" else [SCIENCE, SYMBOLS.index(self.science)]


class Discount(Row):
    """Goods of a class cost less from the neighbours named."""

    discount: Annotated[list[GoodsClass], Field(min_length=1), NoRepeats]
    sides: Sides = Field(alias="from")
    price: Number

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [DISCOUNT, bits(self.sides, SIDES), bits(self.discount, CLASSES), self.price]


class CoinsPer(Row):
    """Coins for each thing in the cities named, once."""

    coins_per: Things
    amount: Positive
    whose: Cities

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [COINS_PER, self.amount, *_counted_numbers(self.coins_per), bits(self.whose, CITIES)]


class VictoryPointsPer(Row):
    """Victory points for each thing in the cities named, at the end of the game."""

    vp_per: Things
    amount: Positive
    whose: Cities

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [VP_PER, self.amount, *_counted_numbers(self.vp_per), bits(self.whose, CITIES)]


class BuildFromDiscard(Row):
    """Halikarnassos: at the end of the turn a discarded card is built free."""

    build_from_discard: Literal[True]

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [BUILD_FROM_DISCARD]


class FreeBuildPerAge(Row):
    """Olympia A: structures built at no cost in each age."""

    free_build_per_age: Positive

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [FREE_BUILD_PER_AGE, self.free_build_per_age]


class PlayLastCard(Row):
    """Babylon B: the last card of each age is played instead of discarded."""

    play_last_card: Literal[True]

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [PLAY_LAST_CARD]


class CopyGuild(Row):
    """Olympia B: at the end of the game one guild of these neighbours is scored as if it were one's own."""

    copy_guild: Sides

    def numbers(self) -> list[int]:
        """Return the effect as the kernels read it."""
        return [COPY_GUILD, bits(self.copy_guild, CITIES)]


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
    return [PER_CARDS, bits((thing.removesuffix(" cards") for thing in counted), COLOURS)]


def _names_one_operation(effect: object) -> object:
    if not isinstance(effect, dict):
        fault("an effect is an inline table", found=effect, allowed="such as { vp = 3 }")
    named = [key for key in effect if key in OPERATIONS]
    if len(named) > 1:
        fault("one effect names one operation", found=named, allowed="an inline table for each")
    if not named:
        fault("unknown effect", found=next(iter(effect), None), allowed=OPERATIONS)
    return effect


def _operation(effect: Mapping[str, object] | Row) -> str:
    # pydantic asks for the operation of a row when reading, of a model when writing
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


# ---- Rows ----


class Cost(Row):
    """Coins for the bank, and units of goods."""

    coins: Number = 0
    wood: Number = 0
    stone: Number = 0
    clay: Number = 0
    ore: Number = 0
    glass: Number = 0
    cloth: Number = 0
    papyrus: Number = 0

    @model_validator(mode="after")
    def _fits_the_lanes(self) -> Cost:
        for goods in (RAW, MANUFACTURED):
            units = sum(self.units(goods))
            if units > MAX_UNITS:
                fault("cost too high", found=units, allowed=f"at most {MAX_UNITS} units of {', '.join(goods)} together")
        return self

    def units(self, goods: Iterable[str]) -> list[int]:
        """Return the units needed of each of `goods`."""
        return [getattr(self, good) for good in goods]


class Card(Row):
    """An age card or a guild; one row for each name and age."""

    name: Name
    age: Annotated[int, Field(ge=AGES[0], le=AGES[-1])]
    colour: Colour
    guild: bool = False
    copies: list[Annotated[int, Field(ge=PLAYERS[0], le=PLAYERS[-1])]] = Field(default_factory=list)
    chain_from: Annotated[list[Name], Field(default_factory=list, max_length=MAX_CHAIN_FROM), NoRepeats]
    cost: Cost = Cost()
    effects: Effects
    certainty: Certainty

    @model_validator(mode="after")
    def _guilds_are_the_purple_cards(self) -> Card:
        if self.guild != (self.colour == "purple"):
            allowed = "purple" if self.guild else "any colour but purple, or guild = true"
            fault("guilds are the purple cards", field="colour", found=self.colour, allowed=allowed)
        if self.guild and self.age != AGES[-1]:
            fault("guilds are shuffled into the last deck", field="age", found=self.age, allowed=str(AGES[-1]))
        if self.guild == bool(self.copies):
            allowed = "none for a guild" if self.guild else f"one number for each copy, {PLAYERS[0]} to {PLAYERS[-1]}"
            fault("wrong number of copies", field="copies", found=self.copies, allowed=allowed)
        return self


class Stage(Row):
    """A stage of a wonder."""

    cost: Cost = Cost()
    effects: Effects


class Wonder(Row):
    """One side of a wonder board."""

    name: Name
    side: Literal["A", "B"]
    full_name: Name
    resource: Resource
    coins_start: Number | None = None  # the constant start_coins, where it is not given
    stage: Annotated[list[Stage], Field(min_length=1, max_length=MAX_STAGES)]
    certainty: Certainty


class Constants(Row):
    """Numbers of the rulebook."""

    certainty: Certainty
    start_coins: Number
    hand_size: Annotated[int, Field(ge=2, le=7)]
    turns_per_age: Annotated[int, Field(ge=1, le=6)]
    discard_coins: Number
    trade_price: Number
    coins_per_vp: Positive
    science_set_vp: Number
    military_win_vp: Annotated[list[Number], Field(min_length=len(AGES), max_length=len(AGES))]
    military_loss_vp: Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
    pass_direction: Annotated[list[Side], Field(min_length=len(AGES), max_length=len(AGES))]
    guilds_beyond_players: Number

    @model_validator(mode="after")
    def _a_card_is_left_over(self) -> Constants:
        if self.turns_per_age >= self.hand_size:
            allowed = f"fewer turns than hand_size = {self.hand_size}"
            fault("too many turns", field="turns_per_age", found=self.turns_per_age, allowed=allowed)
        return self


class Setting(Row):
    """An open point of the rulebook and how it is played."""

    name: Name
    value: bool | str
    allowed: list[bool | str]
    question: Name
    source: Name
    certainty: Certainty


FILES: dict[str, dict[str, Kind]] = {
    "cards.toml": {"card": Kind(Card, ("name", "age"))},
    "wonders.toml": {"wonder": Kind(Wonder, ("name", "side"))},
    "rules.toml": {"constants": Kind(Constants), "setting": Kind(Setting, ("name",))},
}
"""Tables of every file."""


# ---- Catalogue ----


@dataclass(frozen=True)
class Catalog:
    """Everything `configs/games/seven_wonders/` says, checked.

    Attributes
    ----------
    cards
        Card c is the card with id c.
    wonders
        Wonder f is the board side of faction f.
    constants
        Numbers of the rulebook.
    settings
        The value of every setting, overrides included.
    certainty
        Rows by certainty, for each of "cards", "wonders" and "settings".
    open_settings
        Settings that neither the rulebook nor several sources decide.
    digest
        SHA-256 of all data a game depends on.
    """

    cards: tuple[Card, ...]
    wonders: tuple[Wonder, ...]
    constants: Constants
    settings: Mapping[str, object]
    certainty: Mapping[str, Mapping[Certainty, int]]
    open_settings: tuple[str, ...]
    digest: str

    @property
    def card_names(self) -> list[str]:
        """Name of every card id; a name in two ages stands twice."""
        return [card.name for card in self.cards]

    @property
    def names(self) -> list[str]:
        """Name of every name id, in order of first appearance."""
        return list(dict.fromkeys(self.card_names))

    @property
    def faction_names(self) -> list[str]:
        """Name of every faction id, such as "Rhodos A"."""
        return [f"{wonder.name} {wonder.side}" for wonder in self.wonders]

    @property
    def wonder_names(self) -> list[str]:
        """Name of every board, both sides together, in order of first appearance."""
        return list(dict.fromkeys(wonder.name for wonder in self.wonders))

    def coins_start(self, wonder: Wonder) -> int:
        """Return the coins a city with this board starts with."""
        return self.constants.start_coins if wonder.coins_start is None else wonder.coins_start

    def card_id(self, name: str, age: int) -> int:
        """Return the id of the card `name` of an age.

        Raises
        ------
        UserError
            There is no such card; the nearest name is suggested.
        """
        for card_id, card in enumerate(self.cards):
            if (card.name, card.age) == (name, age):
                return card_id
        names = [card.name for card in self.cards if card.age == age]
        raise UserError(f"no such card in age {age}", found=name, allowed=names)


def load_catalog(
    folder: Path | None = None, settings: Mapping[str, object] | None = None, changes: Sequence[Change] = ()
) -> Catalog:
    """Read and check cards, boards, constants and settings.

    Parameters
    ----------
    folder
        Folder of cards.toml, wonders.toml and rules.toml; by default that of the project.
    settings
        Values that override those of rules.toml, by name of the setting.
    changes
        Changes to what the files say.

    Raises
    ------
    UserError
        Anything wrong in the files, the changes or the overrides, with file, row, field, what was found and what is
        allowed.
    """
    folder = FOLDER if folder is None else folder
    constants, rules = _read_rules(folder / "rules.toml", changes)
    cards = _read_cards(folder / "cards.toml", constants, changes)
    wonders = _read_wonders(folder / "wonders.toml", changes)
    values = _override({rule.name: rule.value for rule in rules}, settings or {})
    certainty = {
        "cards": certainty_shares(cards),
        "wonders": certainty_shares(wonders),
        "settings": certainty_shares(rules),
    }
    resolved = {
        "cards": [card.model_dump(by_alias=True) for card in cards],
        "wonders": [wonder.model_dump(by_alias=True, exclude_none=True) for wonder in wonders],
        "constants": constants.model_dump(),
        "settings": values,
    }
    open_settings = tuple(rule.name for rule in rules if rule.certainty != "confirmed")
    return Catalog(tuple(cards), tuple(wonders), constants, values, certainty, open_settings, digest(resolved))


def _read_rules(path: Path, changes: Sequence[Change]) -> tuple[Constants, list[Setting]]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("constants", "setting"))
    constants = validate_row(path, data["constants"], Constants, "constants")
    rules = validate_rows(path, data, "setting", Setting)
    _check_settings(path, rules)
    return constants, rules


def _read_cards(path: Path, constants: Constants, changes: Sequence[Change]) -> list[Card]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("card",))
    cards = validate_rows(path, data, "card", Card, ("name", "age"))
    _check_capacity(path, "card", len(cards), MAX_CARDS)
    _check_names(path, cards)
    _check_chains(path, cards)
    _check_decks(path, cards, constants)
    return cards


def _read_wonders(path: Path, changes: Sequence[Change]) -> list[Wonder]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("wonder",))
    wonders = validate_rows(path, data, "wonder", Wonder, ("name", "side"))
    _check_capacity(path, "wonder", len(wonders), MAX_FACTIONS)
    _check_sides(path, wonders)
    return wonders


# ---- What must hold between rows ----


def _is_one_of(value: object, allowed: Iterable[object]) -> bool:
    # True == 1 in Python, but a setting is either a word or a boolean
    return any(type(value) is type(option) and value == option for option in allowed)


def _as_in_toml(values: Iterable[object]) -> list[str]:
    return [str(value).lower() for value in values]


def _check_settings(path: Path, rules: Sequence[Setting]) -> None:
    """Check that rules.toml has every setting once, with the values the kernels know."""
    seen: set[str] = set()
    for rule in rules:
        wrong = partial(UserError, file=path, row=rule.name)
        if rule.name not in SETTINGS:
            raise wrong("unknown setting", field="name", found=rule.name, allowed=SETTINGS)
        if rule.name in seen:
            raise wrong("setting given twice", field="name", found=rule.name, allowed="one row for each setting")
        seen.add(rule.name)
        known = SETTINGS[rule.name]
        if len(rule.allowed) != len(known) or not all(_is_one_of(value, rule.allowed) for value in known):
            raise wrong(
                "the engine knows other values", field="allowed", found=rule.allowed, allowed=_as_in_toml(known)
            )
        if not _is_one_of(rule.value, known):
            raise wrong("unknown value", field="value", found=rule.value, allowed=_as_in_toml(known))
    for name in SETTINGS:
        if name not in seen:
            raise UserError("this setting is missing", file=path, row=name, allowed="a [[setting]] row")


def _override(values: dict[str, object], overrides: Mapping[str, object]) -> dict[str, object]:
    """Return the settings with some values replaced."""
    for name, value in overrides.items():
        if name not in SETTINGS:
            raise UserError("unknown setting of seven_wonders", found=name, allowed=SETTINGS)
        if not _is_one_of(value, SETTINGS[name]):
            raise UserError(f"setting {name}: unknown value", found=value, allowed=_as_in_toml(SETTINGS[name]))
    return {**values, **overrides}


def _check_capacity(path: Path, table: str, count: int, capacity: int) -> None:
    """Check that the rows fit the tables record."""
    if count > capacity:
        raise UserError("too many rows", file=path, field=table, found=count, allowed=f"at most {capacity}")


def _check_names(path: Path, cards: Sequence[Card]) -> None:
    """Check that no age has a name twice, and that a name has one colour in all ages."""
    first: dict[str, Card] = {}
    seen: set[tuple[str, int]] = set()
    for card in cards:
        wrong = partial(UserError, file=path, row=f"{card.name} {card.age}")
        if (card.name, card.age) in seen:
            raise wrong(f"in age {card.age} twice", field="name", found=card.name, allowed="one row for each age")
        seen.add((card.name, card.age))
        other = first.setdefault(card.name, card)
        if card.colour != other.colour:
            message = f"the same name has another colour in age {other.age}"
            raise wrong(message, field="colour", found=card.colour, allowed=other.colour)


def _check_chains(path: Path, cards: Sequence[Card]) -> None:
    """Check that chains come from cards of an earlier age and fit the tables record."""
    first_age: dict[str, int] = {}
    for card in cards:
        first_age[card.name] = min(card.age, first_age.get(card.name, card.age))
    children = dict.fromkeys(first_age, 0)
    for card in cards:
        wrong = partial(UserError, file=path, row=f"{card.name} {card.age}", field="chain_from")
        earlier = [name for name, age in first_age.items() if age < card.age]
        for parent in card.chain_from:
            if parent not in first_age:
                raise wrong("no such card", found=parent, allowed=earlier or "none")
            if parent not in earlier:
                message = f"{parent} is of age {first_age[parent]}, not earlier than age {card.age}"
                raise wrong(message, found=parent, allowed=earlier or "none")
            children[parent] += 1
            if children[parent] > MAX_CHAIN_TO:
                allowed = f"at most {MAX_CHAIN_TO} cards made free by one name"
                raise wrong(f"{parent} makes too many cards free", found=children[parent], allowed=allowed)


def deck_size(cards: Iterable[Card], age: int, players: int, guilds_beyond_players: int) -> int:
    """Return the number of cards in the deck of an age, guilds included (rulebook, set-up)."""
    printed = sum(mark <= players for card in cards if card.age == age for mark in card.copies)
    return printed + (players + guilds_beyond_players if age == AGES[-1] else 0)


def _check_decks(path: Path, cards: Sequence[Card], constants: Constants) -> None:
    """Check that every deck deals whole hands, and that there are guilds enough (rulebook, set-up)."""
    guilds = sum(card.guild for card in cards)
    needed = PLAYERS[-1] + constants.guilds_beyond_players
    if guilds < needed:
        message = f"too few guilds for {PLAYERS[-1]} players"
        raise UserError(message, file=path, field="guild", found=guilds, allowed=f"{needed} or more")
    for age in AGES:
        for players in PLAYERS:
            _check_deck(path, age, players, deck_size(cards, age, players, constants.guilds_beyond_players), constants)


def _check_deck(path: Path, age: int, players: int, size: int, constants: Constants) -> None:
    """Check that a deck deals whole hands."""
    needed = constants.hand_size * players
    if size != needed:
        message = f"wrong number of cards in the deck of age {age} for {players} players"
        if age == AGES[-1]:
            message += f", {players + constants.guilds_beyond_players} guilds included"
        allowed = f"{needed} = hand_size {constants.hand_size} x {players} players"
        raise UserError(message, file=path, row=f"age {age}", field="copies", found=size, allowed=allowed)


def _check_sides(path: Path, wonders: Sequence[Wonder]) -> None:
    """Check that each side stands once and that both sides of a board start with the same good."""
    first: dict[str, Wonder] = {}
    seen: set[tuple[str, str]] = set()
    for wonder in wonders:
        wrong = partial(UserError, file=path, row=f"{wonder.name} {wonder.side}")
        if (wonder.name, wonder.side) in seen:
            raise wrong("side given twice", field="side", found=wonder.side, allowed="one row each for A and B")
        seen.add((wonder.name, wonder.side))
        other = first.setdefault(wonder.name, wonder)
        if wonder.resource != other.resource:
            message = "both sides of a board start with the same good"
            raise wrong(message, field="resource", found=wonder.resource, allowed=other.resource)


# ---- Tables ----


def need_lanes(units: Sequence[int]) -> int:
    """Return the lanes of a need.

    Parameters
    ----------
    units
        Units needed of each good of one class; at most 7 together.
    """
    lanes = 0
    for subset in range(1 << len(units)):
        lanes += sum(count for good, count in enumerate(units) if subset >> good & 1) << 4 * subset
    return lanes


def source_lanes(options: int, goods: int) -> int:
    """Return the lanes of one source that gives one unit each turn.

    Parameters
    ----------
    options
        Bits of the goods to choose from.
    goods
        Number of goods in the class.
    """
    return sum(1 << 4 * subset for subset in range(1 << goods) if subset & options)


def build_tables(catalog: Catalog) -> Any:
    """Pack a catalogue into the record the kernels read.

    Returns
    -------
    np.record
        One read-only record of dtype `TABLES`.
    """
    array = np.zeros(1, TABLES)
    tables: Any = array[0]
    tables.cards, tables.names = len(catalog.cards), len(catalog.names)
    tables.factions = len(catalog.wonders)
    _fill_cards(tables, catalog)
    _fill_later_need(tables, catalog)
    _fill_chains(tables, catalog)
    _fill_wonders(tables, catalog)
    _fill_lanes(tables)
    _fill_rules(tables, catalog)
    array.flags.writeable = False
    return array[0]


def _fill_cards(tables: Any, catalog: Catalog) -> None:
    for card_id, card in enumerate(catalog.cards):
        tables.card_name[card_id] = catalog.names.index(card.name)
        tables.card_age[card_id] = card.age
        tables.card_colour[card_id] = COLOURS.index(card.colour)
        tables.card_guild[card_id] = card.guild
        for players in PLAYERS:
            tables.card_copies[card_id, players] = sum(mark <= players for mark in card.copies)
        _fill_item(tables, card_id, card.cost, card.effects)


def _fill_item(tables: Any, item: int, cost: Cost, effects: Sequence[Effect]) -> None:
    tables.item_coins[item] = cost.coins
    tables.item_need[item] = cost.units(RESOURCES)
    tables.item_need_raw[item] = need_lanes(cost.units(RAW))
    tables.item_need_manufactured[item] = need_lanes(cost.units(MANUFACTURED))
    tables.item_effect_count[item] = len(effects)
    for place, effect in enumerate(effects):
        numbers = effect.numbers()
        tables.item_effects[item, place, : len(numbers)] = numbers


def _fill_later_need(tables: Any, catalog: Catalog) -> None:
    """Count, for each number of players, the cards per city that need more of a resource than a city has."""
    guilds = sum(card.guild for card in catalog.cards)
    for players in range(2, 8):
        marks = max(players, PLAYERS[0])
        guild_share = min(1.0, (marks + catalog.constants.guilds_beyond_players) / max(guilds, 1))
        for card_id, card in enumerate(catalog.cards):
            copies = guild_share if card.guild else float(tables.card_copies[card_id, marks])
            for resource, units in enumerate(tables.item_need[card_id]):
                levels = min(int(units), MAX_NEED_LEVELS)
                colour = tables.card_colour[card_id]
                tables.later_need[players, card.age, resource, :levels, colour] += copies / marks


def _fill_chains(tables: Any, catalog: Catalog) -> None:
    tables.chain_from[:] = -1
    tables.chain_to[:] = -1
    for card_id, card in enumerate(catalog.cards):
        parents = [catalog.names.index(parent) for parent in card.chain_from]
        children = [child for child, other in enumerate(catalog.cards) if card.name in other.chain_from]
        tables.chain_from[card_id, : len(parents)] = parents
        tables.chain_to[card_id, : len(children)] = children


def _fill_wonders(tables: Any, catalog: Catalog) -> None:
    for faction, wonder in enumerate(catalog.wonders):
        tables.faction_stages[faction] = len(wonder.stage)
        tables.faction_resource[faction] = RESOURCES.index(wonder.resource)
        tables.faction_coins[faction] = catalog.coins_start(wonder)
        tables.faction_wonder[faction] = catalog.wonder_names.index(wonder.name)
        for number, stage in enumerate(wonder.stage):
            _fill_item(tables, stage_item(faction, number), stage.cost, stage.effects)


def _fill_lanes(tables: Any) -> None:
    tables.raw_lanes[:] = [source_lanes(options, len(RAW)) for options in range(16)]
    tables.manufactured_lanes[:] = [source_lanes(options, len(MANUFACTURED)) for options in range(8)]


def _fill_rules(tables: Any, catalog: Catalog) -> None:
    constants = catalog.constants.model_dump()
    not_counts = {"certainty", "military_win_vp", "pass_direction"}
    for name in constants.keys() - not_counts:
        setattr(tables, name, constants[name])
    tables.military_win_vp[1:] = constants["military_win_vp"]
    tables.pass_direction[1:] = [-1 if side == "left" else 1 for side in constants["pass_direction"]]
    for name, values in SETTINGS.items():
        setattr(tables, name, values.index(catalog.settings[name]))
