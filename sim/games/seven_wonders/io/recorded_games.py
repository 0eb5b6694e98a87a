"""The JSON format of recorded games (`docs/records.md`), and checks of its fields against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from sim.data.catalog import Name, Row, fault, validate_row
from sim.data.json_input import read_lines
from sim.data.place import Place
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.io.layout import Seat, faction_id
from sim.games.seven_wonders.io.payments import MAX_COINS, Coins, Purchase
from sim.games.seven_wonders.rules.constants import AGES

Points = Annotated[int, Field(ge=-MAX_COINS, le=MAX_COINS)]


class RecordedMove(Row):
    """The move of one seat in a step, and the prices that the seat sees."""

    p: Seat
    do: Literal["build", "wonder", "discard", "free_build", "build_from_discard", "copy_guild"]
    card: Name
    buy: list[Purchase] = Field(default_factory=list)
    min_price: dict[str, Coins | None] | None = None
    stage_min_price: Coins | None = None


class RecordedStep(Row):
    """One step of a game, with the moves of one or more seats."""

    age: Annotated[int, Field(ge=1, le=3)]
    coins_before: list[Coins]
    military_vp_before: list[Points]
    shields_before: list[Coins]
    hands: list[list[Name] | None]
    moves: list[RecordedMove]

    @property
    def kind(self) -> Literal["turn", "last card", "extra"]:
        """The kind of step. "extra" means building from the discards or copying a guild."""
        held = sum(hand is not None for hand in self.hands)
        return "turn" if held == len(self.hands) else "last card" if held else "extra"

    @model_validator(mode="after")
    def _moves_fit_the_hands(self) -> RecordedStep:
        movers = [move.p for move in self.moves]
        if len(set(movers)) < len(movers):
            fault("a seat moves twice", field="moves", found=movers, allowed="one move of a seat")
        holders = [seat for seat, hand in enumerate(self.hands) if hand is not None]
        if holders and sorted(movers) != holders:
            fault("wrong number of moves", field="moves", found=movers, allowed=f"one of each of the seats {holders}")
        if not movers:
            fault("no seat moves", field="moves", allowed="one move or more")
        self._moves_fit_the_kind()
        return self

    def _moves_fit_the_kind(self) -> None:
        extra = ["build_from_discard", "copy_guild"]
        played = ["build", "wonder", "discard", "free_build"]
        allowed = extra if self.kind == "extra" else played
        for place, move in enumerate(self.moves, start=1):
            if move.do not in allowed:
                fault("not possible in this step", field=f"moves.{place}.do", found=move.do, allowed=allowed)


class RecordedScore(Row):
    """Victory points of a seat by part, and its coins."""

    blue: Points
    military: Points
    science: Points
    yellow: Points
    guild: Points
    wonder: Points
    treasury: Points
    total: Points
    coins: Points


class RecordedPlayer(Row):
    """The board of a seat."""

    wonder: Name
    side: Literal["A", "B"]


class RecordedGame(Row):
    """One line of a file of records."""

    id: Name
    n: Annotated[int, Field(ge=3, le=7)]
    players: list[RecordedPlayer]
    steps: list[RecordedStep]
    final: list[RecordedScore]
    ranks: list[Annotated[int, Field(ge=1, le=7)]]

    @model_validator(mode="after")
    def _has_an_entry_for_each_player(self) -> RecordedGame:
        for field in ("players", "final", "ranks"):
            self._has_length_n(field, getattr(self, field))
        for number, step in enumerate(self.steps, start=1):
            for field in ("coins_before", "military_vp_before", "shields_before", "hands"):
                self._has_length_n(f"steps.{number}.{field}", getattr(step, field))
            for place, move in enumerate(step.moves, start=1):
                if move.p >= self.n:
                    fault("no such seat", field=f"steps.{number}.moves.{place}.p", found=move.p, allowed=range(self.n))
        return self

    def _has_length_n(self, field: str, entries: Sequence[object]) -> None:
        if len(entries) != self.n:
            fault("wrong number of entries", field=field, found=len(entries), allowed=f"{self.n}, one for each player")


def read_records(path: Path, catalog: Catalog) -> list[tuple[int, RecordedGame]]:
    """Read and check a file of recorded games.

    Returns
    -------
    list
        Each game with its line number, from 1.

    Raises
    ------
    UserError
        There is a mistake in the file. The message names its line and field.
    """
    games = [(line, validate_row(path, row, RecordedGame, line)) for line, row in read_lines(path)]
    for line, game in games:
        place = Place(path, line)
        _check_players(place, game, catalog)
        _check_course(place, game, catalog)
        for number, step in enumerate(game.steps, start=1):
            _check_cards(place.at("steps", number), step, catalog)
    return games


def _check_players(place: Place, game: RecordedGame, catalog: Catalog) -> None:
    wonders = [player.wonder for player in game.players]
    for seat, player in enumerate(game.players, start=1):
        here = place.at("players", seat)
        faction_id(catalog, player.wonder, player.side, here)
        if player.wonder in wonders[: seat - 1]:
            raise here.at("wonder").wrong("wonder dealt twice", player.wonder)


def _check_course(place: Place, game: RecordedGame, catalog: Catalog) -> None:
    """Check that every age begins with a turn of all seats and has its turns in order."""
    turns = catalog.constants.turns_per_age
    ages = [step.age for step in game.steps if step.kind == "turn"]
    if [step.age for step in game.steps] != sorted(step.age for step in game.steps):
        raise place.at("steps", "age").wrong("the ages are out of order", [step.age for step in game.steps])
    for age in AGES:
        if ages.count(age) != turns:
            raise place.at("steps").wrong(f"wrong number of turns in age {age}", ages.count(age), str(turns))
    for number, step in enumerate(game.steps, start=1):
        hands = place.at("steps", number, "hands")
        first = number == 1 or game.steps[number - 2].age < step.age
        if first and step.kind != "turn":
            raise hands.wrong("an age begins with a turn of all", step.hands)
        if first:
            _check_deal(hands, step, catalog.constants.hand_size)
        if step.kind == "last card":
            _check_deal(hands, step, 1)


def _check_deal(place: Place, step: RecordedStep, size: int) -> None:
    """Check that every hand shown in a step has `size` cards."""
    for seat, hand in enumerate(step.hands, start=1):
        if hand is not None and len(hand) != size:
            raise place.at(seat).wrong("wrong number of cards", len(hand), str(size))


def _check_cards(place: Place, step: RecordedStep, catalog: Catalog) -> None:
    """Check that the cards in a step exist: hand cards in this age, other cards in any age."""
    of_age = [card.name for card in catalog.cards if card.age == step.age]
    for seat, hand in enumerate(step.hands, start=1):
        for number, name in enumerate(hand or [], start=1):
            place.at("hands", seat, number).check_name(name, of_age, f"no such card in age {step.age}")
    for number, move in enumerate(step.moves, start=1):
        names, message = (catalog.names, "no such card") if step.kind == "extra" else (of_age, f"not of age {step.age}")
        place.at("moves", number, "card").check_name(move.card, names, message)
        for name in move.min_price or {}:
            place.at("moves", number, "min_price").check_name(name, of_age, f"not of age {step.age}")
