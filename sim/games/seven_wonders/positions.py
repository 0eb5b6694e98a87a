"""A position of the table told in JSON: what every city scores, what everything costs it, and what moves lead to.

`docs/records.md` describes the files. Everything is read off a game record that the engine's own kernels have built:
cards and stages are placed as in a game, only that the coins are those of the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

from pydantic import Field, model_validator

from sim.data.catalog import Row, fault, validate_row
from sim.data.json_input import read_one_or_lines
from sim.errors import UserError
from sim.games.seven_wonders.building import (
    build_price,
    has_chain,
    list_discard_builds,
    next_stage_item,
    owns_name,
    place_card,
    place_stage,
    stage_price,
)
from sim.games.seven_wonders.catalog import Catalog, load_catalog
from sim.games.seven_wonders.compile import build_tables
from sim.games.seven_wonders.records import (
    FREE,
    Coins,
    Name,
    Payment,
    Purchase,
    Seat,
    cheapest_payment,
    check_card,
    faction_id,
    payment_for,
    score_of,
    set_choice,
)
from sim.games.seven_wonders.scoring import score_city
from sim.games.seven_wonders.setup import clear_table, found_city
from sim.games.seven_wonders.state import MAX_CITY_CARDS, new_games
from sim.games.seven_wonders.trade import begin_turn, list_payments
from sim.games.seven_wonders.turns import act, clear_placed, take_discarded
from sim.games.seven_wonders.words import ACTIONS, BUILD, DISCARD, FREE_BUILD, LOG_PLAY, NO_CARD, STAGE
from sim.jit import Record
from sim.rng import start_streams

MAX_CARDS_GIVEN = MAX_CITY_CARDS - 2
"""Cards a position may give a city: a turn can add one built and one from the discards."""

Allowed = Iterable[object] | str | None


# ---- The rows of a file ----


class PositionCity(Row):
    """One city as it lies on the table."""

    wonder: Name
    side: Literal["A", "B"]
    cards: Annotated[list[Name], Field(default_factory=list, max_length=MAX_CARDS_GIVEN)]
    stages_built: Annotated[int, Field(ge=0)] = 0
    coins: Coins | None = None
    conflict_tokens: Annotated[list[int], Field(default_factory=list, max_length=6)]

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
    """All cities of a table at the beginning of a turn, and the moves of that turn."""

    cities: Annotated[list[PositionCity], Field(min_length=3, max_length=7)]
    age: Annotated[int, Field(ge=1, le=3)] = 3
    discards: list[Name] | None = None
    moves: list[PositionMove] | None = None

    @model_validator(mode="after")
    def _moves_fit_the_cities(self) -> Position:
        moves = self.moves or []
        for place, move in enumerate(moves, start=1):
            if move.p >= len(self.cities):
                fault("no such city", field=f"moves.{place}.p", found=move.p, allowed=range(len(self.cities)))
        for from_discards in (False, True):
            movers = [move.p for move in moves if (move.do == "build_from_discard") == from_discards]
            if len(set(movers)) < len(movers):
                fault("a city moves twice", field="moves", found=movers, allowed="one move of a city")
        return self


# ---- Laying out ----


@dataclass(frozen=True)
class _Place:
    """Where a position stands: file and, in a file of several, line."""

    file: Path | None
    line: int | None

    def wrong(self, message: str, field: str, found: object = None, allowed: Allowed = None) -> UserError:
        """Return the error for something wrong in the position."""
        return UserError(message, file=self.file, row=self.line, field=field, found=found, allowed=allowed)


def lay_out(position: Position, catalog: Catalog, t: Record, file: Path | None = None, line: int | None = None) -> Any:
    """Build the game record of a position, at the choices of a turn.

    Parameters
    ----------
    position
        The cities.
    catalog, t
        Cards and their tables.
    file, line
        Where the position stands, for messages.

    Returns
    -------
    array of shape (1,)
        The game; its record is entry 0.

    Raises
    ------
    UserError
        Unknown wonders, cards or tokens; more stages than the wonder has.
    """
    place = _Place(file, line)
    table = new_games(1)
    g: Any = table[0]
    start_streams(g, 0, 0, 0)
    clear_table(g, len(position.cities))
    # The second turn of the age: powers that were built in an earlier turn are in force.
    g.age, g.turn = position.age, min(2, int(t.turns_per_age))
    for city, row in enumerate(position.cities):
        _lay_out_city(g, t, catalog, city, row, place)
    _lay_out_discards(g, catalog, position.discards or [], place)
    clear_placed(g)
    begin_turn(g)
    return table


def _lay_out_city(g: Record, t: Record, catalog: Catalog, city: int, row: PositionCity, place: _Place) -> None:
    field = f"cities.{city + 1}"
    g.faction[city] = faction_id(catalog, row.wonder, row.side, file=place.file, row=place.line, field=field)
    found_city(g, t, city)
    for number, name in enumerate(row.cards, start=1):
        check_card(
            name, catalog.names, "no such card", file=place.file, row=place.line, field=f"{field}.cards.{number}"
        )
        place_card(g, t, city, card_of(catalog, name, g.age))
    stages = int(t.faction_stages[g.faction[city]])
    if row.stages_built > stages:
        raise place.wrong("too many stages", f"{field}.stages_built", row.stages_built, f"at most {stages}")
    for _ in range(row.stages_built):
        place_stage(g, t, city, NO_CARD)
    g.discard_builds_due[city] = min(int(g.discard_builds_due[city]), 1)
    g.free_builds_left[city] = g.free_builds[city]
    if row.coins is not None:
        g.coins[city] = row.coins
    _lay_out_tokens(g, t, city, row.conflict_tokens, place)


def _lay_out_tokens(g: Record, t: Record, city: int, tokens: Sequence[int], place: _Place) -> None:
    """Give a city its conflict tokens; those below 0 are the defeats."""
    known = [int(t.military_loss_vp), *(int(points) for points in t.military_win_vp[1:])]
    for number, token in enumerate(tokens, start=1):
        if token not in known:
            raise place.wrong("no such token", f"cities.{city + 1}.conflict_tokens.{number}", token, known)
        g.conflict_points[city] += token
        g.defeats[city] += int(token == known[0])


def _lay_out_discards(g: Record, catalog: Catalog, names: Sequence[str], place: _Place) -> None:
    for number, name in enumerate(names, start=1):
        check_card(name, catalog.names, "no such card", file=place.file, row=place.line, field=f"discards.{number}")
        if number > 150:
            raise place.wrong("too many cards", "discards", len(names), "at most 150")
        g.discards[number - 1] = card_of(catalog, name, g.age)
        g.discards_size = number


def card_of(catalog: Catalog, name: str, age: int) -> int:
    """Return the card of a name: that of this age where the name is in several, else the first."""
    cards = [card for card, row in enumerate(catalog.cards) if row.name == name]
    return next((card for card in cards if catalog.cards[card].age == age), cards[0])


# ---- Looking at a city ----


def look_at(g: Record, t: Record, catalog: Catalog, city: int) -> dict[str, Any]:
    """Tell all about a city in the words of the format.

    Returns
    -------
    dict
        `score`, `shields`, `prices`, `payments`, `next_stage`; see `docs/records.md`.
    """
    names = [name for number, name in enumerate(catalog.names) if not g.owns[city, number]]
    cards = {name: card_of(catalog, name, int(g.age)) for name in names}
    return {
        "score": score_now(g, t, city),
        "shields": int(g.shields[city]),
        "prices": {name: _price(int(build_price(g, t, city, card))) for name, card in cards.items()},
        "payments": {name: _payments_for_card(g, t, city, card) for name, card in cards.items()},
        "next_stage": _next_stage(g, t, city),
    }


def score_now(g: Record, t: Record, city: int) -> dict[str, int]:
    """Return the score of a city by part as if the game ended now."""
    score_city(g, t, city)
    return score_of(g, city)


def _price(price: int) -> int | None:
    return price if price >= 0 else None


def _payments_for_card(g: Record, t: Record, city: int, card: int) -> list[dict[str, int]]:
    if build_price(g, t, city, card) < 0:
        return []
    if has_chain(g, t, city, card):
        return [{"bank": 0, "left": 0, "right": 0}]
    return _payments(g, t, city, card)


def _payments(g: Record, t: Record, city: int, item: int) -> list[dict[str, int]]:
    count = list_payments(g, t, city, item)
    sides = sorted((int(g.option_left[option]), int(g.option_right[option])) for option in range(count))
    return [{"bank": int(t.item_coins[item]), "left": left, "right": right} for left, right in sides]


def _next_stage(g: Record, t: Record, city: int) -> dict[str, Any] | None:
    item = int(next_stage_item(g, t, city))
    if item < 0:
        return None
    return {"prices": _price(int(stage_price(g, t, city))), "payments": _payments(g, t, city, item)}


# ---- Moves ----


def make_moves(
    g: Record,
    t: Record,
    catalog: Catalog,
    position: Position,
    file: Path | None = None,
    line: int | None = None,
) -> None:
    """Make the moves of a position: all at once, then buildings from the discards.

    A move that names no purchases is paid in the cheapest way; of several the one that pays the left neighbour least.
    A card may be taken from the discards if it lies there (where the position names the discards, or else always) and
    the right to it was earned: by a stage of this turn, or one that the city had before.

    Raises
    ------
    UserError
        A move that the rules do not allow.
    """
    place = _Place(file, line)
    moves = list(enumerate(position.moves or [], start=1))
    due = [int(count) for count in g.discard_builds_due]
    for number, move in moves:
        if move.do != "build_from_discard":
            _choose(g, t, catalog, move, _Referee(place, f"moves.{number}"))
    act(g, t, LOG_PLAY)
    for number, move in moves:
        if move.do == "build_from_discard":
            _build_from_discard(g, t, catalog, move, position.discards is None, _Referee(place, f"moves.{number}"))
    g.discard_builds_due[:] = due
    clear_placed(g)


@dataclass(frozen=True)
class _Referee:
    """Rejects a move."""

    place: _Place
    field: str

    def reject(self, message: str, field: str, found: object, allowed: Allowed = None) -> NoReturn:
        """Raise the error for an illegal move."""
        raise self.place.wrong(message, f"{self.field}.{field}", found, allowed)

    def card(self, catalog: Catalog, name: str, age: int) -> int:
        """Return the card a move names."""
        if name not in catalog.names:
            self.reject("no such card", "card", name, catalog.names)
        return card_of(catalog, name, age)


def _choose(g: Record, t: Record, catalog: Catalog, move: PositionMove, referee: _Referee) -> None:
    """Check a move and write it down for the turn."""
    card = 0 if move.card is None else referee.card(catalog, move.card, int(g.age))
    action = ACTIONS.index(move.do)
    if action in (BUILD, FREE_BUILD) and owns_name(g, t, move.p, card):
        referee.reject("the city has one already", "card", move.card)
    if action == STAGE and next_stage_item(g, t, move.p) < 0:
        referee.reject("the wonder is complete", "do", move.do)
    if action == FREE_BUILD and move.free:
        action = BUILD
    if action == FREE_BUILD and g.free_builds_left[move.p] == 0:
        referee.reject("the city has no free building", "do", move.do, '"free": true builds without any power')
    set_choice(g, move.p, card, action, _pay_for(g, t, move, card, action, referee))


def _pay_for(g: Record, t: Record, move: PositionMove, card: int, action: int, referee: _Referee) -> Payment:
    """Return what a move pays; the cheapest where it does not say."""
    city = move.p
    if move.free or action in (DISCARD, FREE_BUILD):
        return FREE
    if action == BUILD and has_chain(g, t, city, card):
        if move.buy:
            referee.reject("free by a chain", "buy", [purchase.resources for purchase in move.buy], "no purchase")
        return FREE
    item = card if action == BUILD else int(next_stage_item(g, t, city))
    if move.buy is not None:
        payment = payment_for(g, t, city, item, move.buy)
        if payment.faults:
            referee.reject(f"not a legal payment: {'; '.join(payment.faults)}", "buy", move.card)
        return payment
    cheapest = cheapest_payment(g, t, city, item)
    if cheapest is None:
        referee.reject(f"cannot be paid with {g.spendable[city]} coins", "do", move.do)
    return cheapest


def _build_from_discard(
    g: Record, t: Record, catalog: Catalog, move: PositionMove, any_card: bool, referee: _Referee
) -> None:
    """Build a discarded card free; `any_card` if the position does not say what lies among the discards."""
    city = move.p
    card = referee.card(catalog, str(move.card), int(g.age))
    if g.discard_builds_due[city] == 0:
        referee.reject("the city may not build from the discards", "do", move.do, "after a stage with that power")
    names = {catalog.cards[lying].name: int(lying) for lying in g.discards[: g.discards_size]}
    if move.card in names:
        card = names[str(move.card)]
    elif any_card:
        g.discards[g.discards_size] = card
        g.discards_size += 1
    else:
        referee.reject("not among the discards", "card", move.card, sorted(names) or "none: no card was discarded")
    count = list_discard_builds(g, t, city)
    if card not in g.option_card[:count]:
        referee.reject("the city has one already", "card", move.card)
    take_discarded(g, t, city, card)


def _after(g: Record, t: Record, catalog: Catalog, city: int) -> dict[str, Any]:
    """Tell what a city has after the moves."""
    return {
        "coins": int(g.coins[city]),
        "cards": [catalog.cards[card].name for card in g.city_cards[city, : g.city_size[city]]],
        "stages_built": int(g.stages_built[city]),
        "score": score_now(g, t, city),
    }


# ---- Inspecting ----


def inspect_position(
    row: Mapping[str, object], catalog: Catalog, t: Record, file: Path | None = None, line: int | None = None
) -> dict[str, Any]:
    """Inspect one position.

    Parameters
    ----------
    row
        The position as JSON has it.
    catalog, t
        Cards and their tables.
    file, line
        Where the position stands, for messages.

    Returns
    -------
    dict
        `cities`, and with moves also `after`; see `docs/records.md`.

    Raises
    ------
    UserError
        The position or a move is not as the format or the rules have it.
    """
    position = validate_row(file or Path("position"), row, Position, line)
    table = lay_out(position, catalog, t, file, line)
    g: Any = table[0]
    result: dict[str, Any] = {"cities": [look_at(g, t, catalog, city) for city in range(g.cities)]}
    if position.moves is not None:
        make_moves(g, t, catalog, position, file, line)
        result["after"] = [_after(g, t, catalog, city) for city in range(g.cities)]
    return result


def inspect_file(path: str | Path, settings: Mapping[str, object] | None = None) -> list[dict[str, Any]]:
    """Inspect every position of a file.

    Parameters
    ----------
    path
        `.jsonl`: one position a line; any other: the file is one position.
    settings
        Values that override those of `rules.toml`.

    Returns
    -------
    list of dict
        One entry for each position, as `inspect_position` returns it.

    Raises
    ------
    UserError
        Anything wrong with the file, a position or a move.
    """
    path = Path(path)
    catalog = load_catalog(settings=settings)
    t = build_tables(catalog)
    return [inspect_position(row, catalog, t, path, line) for line, row in read_one_or_lines(path)]


# ---- In words ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Tell the result of a position as lines for the console."""
    lines: list[str] = []
    for number, city in enumerate(result["cities"]):
        lines += [f"City {number}", f"  score: {_score_line(city['score'])}", f"  shields: {city['shields']}"]
        lines += [f"  next stage: {_stage_line(city['next_stage'])}", *_price_lines(city), ""]
    for number, city in enumerate(result.get("after", [])):
        lines += [f"City {number} after the moves", f"  coins: {city['coins']}", f"  cards: {_join(city['cards'])}"]
        lines += [f"  stages built: {city['stages_built']}", f"  score: {_score_line(city['score'])}", ""]
    return lines[:-1]


def _join(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _score_line(score: Mapping[str, int]) -> str:
    parts = ", ".join(f"{part} {points}" for part, points in score.items() if part != "total")
    return f"{score['total']} ({parts})"


def _stage_line(stage: Mapping[str, Any] | None) -> str:
    if stage is None:
        return "none, the wonder is complete"
    if stage["prices"] is None:
        return "cannot be built"
    return f"{_coins(stage['prices'])}{_payments_text(stage['payments'])}"


def _price_lines(city: Mapping[str, Any]) -> list[str]:
    """One line for each price and way to pay it, with the cards that cost so; last what cannot be built."""
    ways = [
        (price, f"{_coins(price)}{_payments_text(city['payments'][name])}", name)
        for name, price in city["prices"].items()
        if price is not None
    ]
    lines = [
        f"  {text}: {_join(name for _, _, name in cards)}"
        for (_, text), cards in groupby(sorted(ways), key=lambda way: way[:2])
    ]
    return [*lines, f"  cannot be built: {_join(name for name, price in city['prices'].items() if price is None)}"]


def _coins(coins: int) -> str:
    return "free" if coins == 0 else f"{coins} coin{'s' if coins > 1 else ''}"


def _payments_text(payments: Sequence[Mapping[str, int]]) -> str:
    """The payments nobody beats, told only where there is something to pay."""
    ways = [", ".join(f"{coins} {to}" for to, coins in payment.items() if coins) for payment in payments]
    return f" ({' or '.join(ways)})" if any(ways) else ""
