"""The JSON format of a position (`docs/records.md`), and its loading into a game record.

The kernels of the game place cards and stages, without payments. A city has the coins that the position gives it or, if
the position does not say, its starting coins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sim.compiler.kernel import Record
from sim.data.catalog import Name, Row, fault
from sim.data.place import NOWHERE, Place
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.io.payments import Coins, Purchase
from sim.games.seven_wonders.rules.building import place_card, place_stage
from sim.games.seven_wonders.rules.constants import NO_CARD
from sim.games.seven_wonders.rules.setup import clear_table, found_city
from sim.games.seven_wonders.rules.state import MAX_CITY_CARDS, new_games
from sim.games.seven_wonders.rules.trade import begin_turn
from sim.games.seven_wonders.rules.turns import clear_placed
from sim.games.shared.position_files import blank_table

MAX_CARDS_GIVEN = MAX_CITY_CARDS - 2
"""Maximum number of cards of a city in a position. It leaves room for two more: in a turn, a city can add one card from
the hand and one from the discards."""

Seat = Annotated[int, Field(ge=0, le=6)]


# ---- The rows of a file ----


class PositionCity(Row):
    """A city on the table."""

    wonder: Name
    side: Literal["A", "B"]
    cards: Annotated[list[Name], Field(default_factory=list, max_length=MAX_CARDS_GIVEN)]
    stages_built: Annotated[int, Field(ge=0)] = 0
    coins: Coins | None = None
    conflict_tokens: Annotated[list[int], Field(default_factory=list, max_length=6)]
    free_city: bool = False

    @model_validator(mode="after")
    def _no_name_twice(self) -> PositionCity:
        for place, name in enumerate(self.cards):
            if name in self.cards[:place]:
                fault("a city has no name twice", field=f"cards.{place + 1}", found=name, allowed="each name once")
        return self


class PositionMove(Row):
    """What one city does this turn."""

    p: Seat
    do: Literal["build", "wonder", "discard", "free_build", "build_from_discard"]
    card: Name | None = None
    buy: list[Purchase] | None = None
    free: bool = False

    @model_validator(mode="after")
    def _fields_fit_the_action(self) -> PositionMove:
        if self.card is None and self.do != "wonder":
            fault("this field is missing", field="card", allowed="the name of a card")
        if self.free and self.do not in ("build", "wonder", "free_build"):
            fault("only what is built can be free", field="do", found=self.do, allowed=("build", "wonder"))
        if self.buy is not None and (self.free or self.do not in ("build", "wonder")):
            fault("nothing is bought for this", field="buy", found=self.do, allowed="in a build or wonder with a cost")
        return self


class Position(Row):
    """All cities on a table at the beginning of a turn, and the moves of that turn."""

    cities: Annotated[list[PositionCity], Field(min_length=3, max_length=7)]
    variant: Literal["standard", "free-city"] = "standard"
    plays_free_city: Seat | None = None
    age: Annotated[int, Field(ge=1, le=3)] = 3
    discards: list[Name] | None = None
    moves: list[PositionMove] | None = None

    @model_validator(mode="after")
    def _free_city_is_one_of_three(self) -> Position:
        free = [number for number, city in enumerate(self.cities) if city.free_city]
        with_one = '"variant": "free-city"'
        if self.variant == "standard":
            if free:
                fault("no city is free here", field=f"cities.{free[0] + 1}.free_city", found=True, allowed=with_one)
            if self.plays_free_city is not None:
                fault("no city is free here", field="plays_free_city", found=self.plays_free_city, allowed=with_one)
            return self
        if len(self.cities) != 3:
            fault("two players and the Free City", field="cities", found=len(self.cities), allowed="three cities")
        if len(free) != 1:
            fault("one city is the Free City", field="cities", found=len(free), allowed='one with "free_city": true')
        players = [number for number in range(3) if number not in free]
        if self.plays_free_city not in (None, *players):
            fault("not a player's city", field="plays_free_city", found=self.plays_free_city, allowed=players)
        return self

    @model_validator(mode="after")
    def _moves_fit_the_cities(self) -> Position:
        for place, move in enumerate(self.moves or [], start=1):
            if move.p >= len(self.cities):
                fault("no such city", field=f"moves.{place}.p", found=move.p, allowed=range(len(self.cities)))
        _check_moves_per_city(self.from_discards(), 1)
        # Seventh cards are checked later, when the cities are loaded.
        _check_moves_per_city(self.plays(), 2)
        return self

    def places(self) -> list[int]:
        """Return the index of each city in the game record. There the Free City comes last."""
        shift = next((number + 1 for number, city in enumerate(self.cities) if city.free_city), 0)
        return [(number - shift) % len(self.cities) for number in range(len(self.cities))]

    def plays(self) -> list[tuple[int, PositionMove]]:
        """Return the moves with cards in hand, each with its number, from 1."""
        return [(number, move) for number, move in enumerate(self.moves or [], 1) if move.do != "build_from_discard"]

    def from_discards(self) -> list[tuple[int, PositionMove]]:
        """Return the moves that build from the discards, each with its number, from 1."""
        return [(number, move) for number, move in enumerate(self.moves or [], 1) if move.do == "build_from_discard"]


def _check_moves_per_city(moves: Sequence[tuple[int, PositionMove]], most: int) -> None:
    """Check that no city has more than `most` moves."""
    count = Counter[int]()
    for number, move in moves:
        count[move.p] += 1
        if count[move.p] > most:
            allowed = f"at most {most} of a city"
            fault("a city moves too often", field=f"moves.{number}.p", found=move.p, allowed=allowed)


# ---- Loading ----


def load_position(position: Position, catalog: Catalog, t: Record, place: Place = NOWHERE) -> Any:
    """Load a position into a game record. `place` says where the position comes from, for messages.

    Raises
    ------
    UserError
        There are unknown wonders, cards or tokens, or more stages than the wonder has.
    """
    table = blank_table(new_games)
    g: Any = table[0]
    clear_table(g, len(position.cities) - sum(city.free_city for city in position.cities))
    places = position.places()
    if position.plays_free_city is not None:
        g.holder = places[position.plays_free_city]
    # Use the second turn of the age, so that powers built in an earlier turn are in force.
    g.age, g.turn = position.age, min(2, int(t.turns_per_age))
    for number, row in enumerate(position.cities):
        _lay_out_city(g, t, catalog, places[number], row, place.at("cities", number + 1))
    _lay_out_discards(g, catalog, position.discards or [], place.at("discards"))
    clear_placed(g)
    begin_turn(g)
    return table


def _lay_out_city(g: Record, t: Record, catalog: Catalog, city: int, row: PositionCity, place: Place) -> None:
    g.faction[city] = faction_id(catalog, row.wonder, row.side, place)
    found_city(g, t, city)
    for number, name in enumerate(row.cards, start=1):
        place_card(g, t, city, card_named(catalog, name, g.age, place.at("cards", number)))
    stages = int(t.faction_stages[g.faction[city]])
    if row.stages_built > stages:
        raise place.at("stages_built").wrong("too many stages", row.stages_built, f"at most {stages}")
    for _ in range(row.stages_built):
        place_stage(g, t, city, NO_CARD)
    g.discard_builds_due[city] = min(int(g.discard_builds_due[city]), 1)
    g.free_builds_left[city] = g.free_builds[city] if uses_wonder_powers(g, t, city) else 0
    if row.coins is not None:
        g.coins[city] = row.coins
    _lay_out_tokens(g, t, city, row.conflict_tokens, place.at("conflict_tokens"))


def uses_wonder_powers(g: Record, t: Record, city: int) -> bool:
    """Return whether a city uses the optional powers of its wonder. For the Free City a setting decides."""
    return bool(city < g.players or t.free_city_uses_wonder_powers != 0)


def _lay_out_tokens(g: Record, t: Record, city: int, tokens: Sequence[int], place: Place) -> None:
    """Give a city its conflict tokens. Tokens below 0 are defeats."""
    known = [int(t.military_loss_vp), *(int(points) for points in t.military_win_vp[1:])]
    for number, token in enumerate(tokens, start=1):
        if token not in known:
            raise place.at(number).wrong("no such token", token, known)
        g.conflict_points[city] += token
        g.defeats[city] += int(token == known[0])


def _lay_out_discards(g: Record, catalog: Catalog, names: Sequence[str], place: Place) -> None:
    for number, name in enumerate(names, start=1):
        card = card_named(catalog, name, g.age, place.at(number))
        if number > 150:
            raise place.wrong("too many cards", len(names), "at most 150")
        g.discards[number - 1] = card
        g.discards_size = number


def card_named(catalog: Catalog, name: str, age: int, place: Place) -> int:
    """Return the card with the name at `place` in a position (see `card_of`).

    Raises
    ------
    UserError
        There is no card with this name.
    """
    place.check_name(name, catalog.names, "no such card")
    return card_of(catalog, name, age)


def card_of(catalog: Catalog, name: str, age: int) -> int:
    """Return the card with a name: the card of this age if there is one, otherwise the first card with the name."""
    cards = [card for card, row in enumerate(catalog.cards) if row.name == name]
    return next((card for card in cards if catalog.cards[card].age == age), cards[0])


def faction_id(catalog: Catalog, wonder: str, side: str, place: Place) -> int:
    """Return the faction of a wonder and side. `place` is the place of the player or city in the file.

    Raises
    ------
    UserError
        There is no such wonder or side.
    """
    here = place.at("wonder")
    here.check_name(wonder, catalog.wonder_names, "no such wonder")
    if f"{wonder} {side}" not in catalog.faction_names:
        raise here.wrong("this side of the wonder is not in the tables", f"{wonder} {side}")
    return catalog.faction_names.index(f"{wonder} {side}")
