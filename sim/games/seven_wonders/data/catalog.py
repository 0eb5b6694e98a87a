"""Cards, wonder boards, constants and settings of 7 Wonders: read from TOML and checked.

`load_catalog` reads `configs/games/seven_wonders/` (cards.toml, wonders.toml, rules.toml, lessons.toml). It checks
every row alone, and the rows against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from sim.data.catalog import CONFIGS, Certainty, Kind, Name, NoRepeats, Row, fault
from sim.data.game_files import GameCatalog, GameFiles, Setting, catalog_loader
from sim.data.lessons import Learnt
from sim.errors import UserError
from sim.games.seven_wonders.data.language import MAX_NUMBER, Effects, Number, Positive
from sim.games.seven_wonders.rules.constants import (
    AGES,
    HALVES,
    MANUFACTURED_GOODS,
    PLAYERS,
    RAW_GOODS,
    SETTINGS,
    Colour,
    Resource,
    Side,
)
from sim.games.seven_wonders.rules.tables import (
    MAX_CARDS,
    MAX_CHAIN_FROM,
    MAX_CHAIN_TO,
    MAX_FACTIONS,
    MAX_STAGES,
    MAX_UNITS,
)

FOLDER = CONFIGS / "games" / "seven_wonders"

# ---- Rows ----


class Cost(Row):
    """Coins paid to the bank, and units of goods."""

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
        for goods in (RAW_GOODS, MANUFACTURED_GOODS):
            units = sum(self.units(goods))
            if units > MAX_UNITS:
                fault("cost too high", found=units, allowed=f"at most {MAX_UNITS} units of {', '.join(goods)} together")
        return self

    def units(self, goods: Iterable[str]) -> list[int]:
        """Return how many units of each of `goods` are needed."""
        return [getattr(self, good) for good in goods]


class Card(Row):
    """An age card or a guild. There is one row for each name and age."""

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
            fault("guilds must belong to Age III", field="age", found=self.age, allowed=str(AGES[-1]))
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
    coins_start: Number | None = None  # if absent, the constant start_coins
    stage: Annotated[list[Stage], Field(min_length=1, max_length=MAX_STAGES)]
    certainty: Certainty


ByHalf = Annotated[list[Learnt], Field(min_length=HALVES, max_length=HALVES, default_factory=lambda: [0.0] * HALVES)]
ByAge = Annotated[list[Learnt], Field(min_length=len(AGES), max_length=len(AGES))]
LessonByAge = Annotated[ByAge, Field(default_factory=lambda: [0.0] * len(AGES))]


class CardLesson(Row):
    """Learned bonuses for a card, in points. Each action has two: one for each half of the card's age."""

    name: Name
    age: Annotated[int, Field(ge=AGES[0], le=AGES[-1])]
    build: ByHalf
    wonder: ByHalf  # for putting the card below a stage
    discard: ByHalf


class BoardLesson(Row):
    """Learned bonuses for one side of a board, in points, by age."""

    name: Name
    side: Literal["A", "B"]
    brown: LessonByAge  # for building a brown card; the fields of other colours likewise
    grey: LessonByAge
    blue: LessonByAge
    green: LessonByAge
    yellow: LessonByAge
    red: LessonByAge
    purple: LessonByAge
    stages: Annotated[list[ByAge], Field(default_factory=list, max_length=MAX_STAGES)]


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


CARD_LABEL, WONDER_LABEL = ("name", "age"), ("name", "side")
FILES: dict[str, dict[str, Kind]] = {
    "cards.toml": {"card": Kind(Card, CARD_LABEL)},
    "wonders.toml": {"wonder": Kind(Wonder, WONDER_LABEL)},
    "rules.toml": {"constants": Kind(Constants), "setting": Kind(Setting, ("name",))},
    "lessons.toml": {"lesson": Kind(CardLesson, CARD_LABEL), "board": Kind(BoardLesson, WONDER_LABEL)},
}
"""The tables in each file."""


# ---- Catalogue ----


@dataclass(frozen=True)
class Catalog(GameCatalog):
    """The checked content of `configs/games/seven_wonders/`.

    Attributes
    ----------
    cards
        Card c is the card with id c.
    wonders
        Wonder f is the board side of faction f.
    card_lessons, board_lessons
        Learned bonuses, by the name and age of a card and by the name and side of a wonder.
    """

    cards: tuple[Card, ...]
    wonders: tuple[Wonder, ...]
    constants: Constants
    card_lessons: Mapping[str, CardLesson]
    board_lessons: Mapping[str, BoardLesson]

    @property
    def card_names(self) -> list[str]:
        """Names of all cards, by id. A name that occurs in two ages is listed twice."""
        return [card.name for card in self.cards]

    @property
    def names(self) -> list[str]:
        """All different card names, in order of first appearance. Their indices are the name ids."""
        return list(dict.fromkeys(self.card_names))

    @property
    def faction_names(self) -> list[str]:
        """Names of all factions, by id, such as "Rhodos A"."""
        return [f"{wonder.name} {wonder.side}" for wonder in self.wonders]

    @property
    def wonder_names(self) -> list[str]:
        """Names of all boards, one for both sides, in order of first appearance."""
        return list(dict.fromkeys(wonder.name for wonder in self.wonders))

    def coins_start(self, wonder: Wonder) -> int:
        """Return the number of coins with which a city with this board starts."""
        return self.constants.start_coins if wonder.coins_start is None else wonder.coins_start

    def card_id(self, name: str, age: int) -> int:
        """Return the id of the card `name` in an age.

        Raises
        ------
        UserError
            There is no such card. The message suggests the nearest name.
        """
        for card_id, card in enumerate(self.cards):
            if (card.name, card.age) == (name, age):
                return card_id
        names = [card.name for card in self.cards if card.age == age]
        raise UserError(f"no such card in age {age}", found=name, allowed=names)


def _build(files: GameFiles) -> Catalog:
    """Build the catalogue from the game's files, after checking their rows against each other.

    Raise UserError if a check fails.
    """
    cards, wonders = files.read("cards.toml")["card"], files.read("wonders.toml")["wonder"]
    cards_path, wonders_path = files.folder / "cards.toml", files.folder / "wonders.toml"
    _check_capacity(cards_path, "card", len(cards), MAX_CARDS)
    _check_names(cards_path, cards)
    _check_chains(cards_path, cards)
    _check_decks(cards_path, cards, files.constants)
    _check_capacity(wonders_path, "wonder", len(wonders), MAX_FACTIONS)
    _check_sides(wonders_path, wonders)
    card_lessons = files.lessons("lesson", files.names("cards.toml", "card", cards))
    board_lessons = files.lessons("board", files.names("wonders.toml", "wonder", wonders))
    resolved = {
        "cards": [card.model_dump(by_alias=True) for card in cards],
        "wonders": [wonder.model_dump(by_alias=True, exclude_none=True) for wonder in wonders],
        "constants": files.constants,
        "lessons": [*card_lessons.values(), *board_lessons.values()],
    }
    return Catalog(
        cards=tuple(cards),
        wonders=tuple(wonders),
        card_lessons=card_lessons,
        board_lessons=board_lessons,
        **files.common({"cards": cards, "wonders": wonders}, resolved),
    )


load_catalog = catalog_loader(FOLDER, FILES, SETTINGS, _build)


# ---- Checks of rows against each other ----


def _check_capacity(path: Path, table: str, count: int, capacity: int) -> None:
    """Raise UserError if a file has more rows (`count`) than the tables have room for (`capacity`)."""
    if count > capacity:
        raise UserError("too many rows", file=path, field=table, found=count, allowed=f"at most {capacity}")


def _check_names(path: Path, cards: Sequence[Card]) -> None:
    """Check that names are unique within an age, and that cards with the same name have the same colour in all ages."""
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
    """Check that chains come from cards of an earlier age and fit into the tables."""
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
    """Check that every deck has enough cards for full hands, and that there are enough guilds (rulebook, set-up)."""
    guilds = sum(card.guild for card in cards)
    needed = PLAYERS[-1] + constants.guilds_beyond_players
    if guilds < needed:
        message = f"too few guilds for {PLAYERS[-1]} players"
        raise UserError(message, file=path, field="guild", found=guilds, allowed=f"{needed} or more")
    for age in AGES:
        for players in PLAYERS:
            _check_deck(path, age, players, deck_size(cards, age, players, constants.guilds_beyond_players), constants)


def _check_deck(path: Path, age: int, players: int, size: int, constants: Constants) -> None:
    needed = constants.hand_size * players
    if size != needed:
        message = f"wrong number of cards in the deck of age {age} for {players} players"
        if age == AGES[-1]:
            message += f", {players + constants.guilds_beyond_players} guilds included"
        allowed = f"{needed} = hand_size {constants.hand_size} x {players} players"
        raise UserError(message, file=path, row=f"age {age}", field="copies", found=size, allowed=allowed)


def _check_sides(path: Path, wonders: Sequence[Wonder]) -> None:
    """Check that each side is listed once and that both sides of a board start with the same good."""
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
