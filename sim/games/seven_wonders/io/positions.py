"""Inspects a position in JSON: scores and prices of every city, and the results of moves.

`docs/records.md` describes the files. The kernels of the engine apply the rules and decide which moves are legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from sim.compiler.kernel import Record
from sim.data.place import NOWHERE, Place
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.io import layout
from sim.games.seven_wonders.io.layout import Position, PositionMove
from sim.games.seven_wonders.io.narrate import score_of
from sim.games.seven_wonders.io.payments import FREE, Payment, cheapest_payment, payment_for, set_choice
from sim.games.seven_wonders.rules import building, turns
from sim.games.seven_wonders.rules.constants import ACTIONS, BUILD, DISCARD, FREE_BUILD, LOG_LAST_CARD, LOG_PLAY, STAGE
from sim.games.seven_wonders.rules.scoring import score_city
from sim.games.seven_wonders.rules.trade import list_payments
from sim.games.shared.describe import join_names, number_and_noun
from sim.games.shared.position_files import position_inspector

# ---- Inspecting a city ----


def look_at(g: Record, t: Record, catalog: Catalog, city: int) -> dict[str, Any]:
    """Return the entry of a city, as described in `docs/records.md`."""
    names = [name for number, name in enumerate(catalog.names) if not g.owns[city, number]]
    cards = {name: layout.card_of(catalog, name, int(g.age)) for name in names}
    return {
        "score": score_now(g, t, city),
        "shields": int(g.shields[city]),
        "prices": {name: _price(int(building.build_price(g, t, city, card))) for name, card in cards.items()},
        "payments": {name: _payments_for_card(g, t, city, card) for name, card in cards.items()},
        "next_stage": _next_stage(g, t, city),
    } | ({"free_city": True} if city >= g.players else {})


def score_now(g: Record, t: Record, city: int) -> dict[str, int]:
    """Return the score of a city by part as if the game ended now."""
    score_city(g, t, city)
    return score_of(g, city)


def _price(price: int) -> int | None:
    return price if price >= 0 else None


def _payments_for_card(g: Record, t: Record, city: int, card: int) -> list[dict[str, int]]:
    if building.build_price(g, t, city, card) < 0:
        return []
    if building.has_chain(g, t, city, card):
        return [{"bank": 0, "left": 0, "right": 0}]
    return _payments(g, t, city, card)


def _payments(g: Record, t: Record, city: int, item: int) -> list[dict[str, int]]:
    count = list_payments(g, t, city, item)
    sides = sorted((int(g.option_left[option]), int(g.option_right[option])) for option in range(count))
    return [{"bank": int(t.item_coins[item]), "left": left, "right": right} for left, right in sides]


def _next_stage(g: Record, t: Record, city: int) -> dict[str, Any] | None:
    item = int(building.next_stage_item(g, t, city))
    if item < 0:
        return None
    return {"prices": _price(int(building.stage_price(g, t, city))), "payments": _payments(g, t, city, item)}


# ---- Moves ----


def make_all_moves(g: Record, t: Record, catalog: Catalog, position: Position, place: Place = NOWHERE) -> None:
    """Make the moves of a position: first all at the same time, then seventh cards and buildings from the discards.

    A city's second move is its seventh card (Babylon B). The turn is then the last one of the age.

    A move that names no purchases is paid for in the cheapest way. In a tie, the left neighbour gets as little as
    possible.

    A city can build from the discards if a stage of this turn or an earlier turn gives it the right. The card must be
    among the discards. If the position does not list the discards, every card counts as discarded.

    The Free City moves first, because its holder may, with a setting, spend the coins that the Free City pays.
    """
    due = [int(count) for count in g.discard_builds_due]
    places = position.places()
    first, seventh = _first_and_seventh([(number, places[move.p], move) for number, move in position.plays()])
    if seventh:
        g.turn = t.turns_per_age
    for number, city, move in sorted(first, key=lambda numbered: numbered[1] < g.players):
        bonus = turns.spendable_sale(g, t, city)
        g.spendable[city] += bonus
        _choose(g, t, catalog, city, move, place.at("moves", number))
        g.spendable[city] -= bonus
    turns.act(g, t, LOG_PLAY)
    if t.last_card_before_discard_build:
        _play_seventh_cards(g, t, catalog, seventh, place)
    for number, move in position.from_discards():
        here = place.at("moves", number)
        _build_from_discard(g, t, catalog, places[move.p], move, position.discards is None, here)
    if not t.last_card_before_discard_build:
        _play_seventh_cards(g, t, catalog, seventh, place)
    g.discard_builds_due[:] = due
    turns.clear_placed(g)


_Numbered = list[tuple[int, int, PositionMove]]
"""Moves with their numbers in the position, from 1, and the indices of their cities in the game record."""


def _first_and_seventh(plays: _Numbered) -> tuple[_Numbered, _Numbered]:
    """Split the moves with cards in hand into the first move of each city, and the seventh cards in order of seats."""
    first: dict[int, tuple[int, int, PositionMove]] = {}
    seventh: _Numbered = []
    for numbered in plays:
        if first.setdefault(numbered[1], numbered) is not numbered:
            seventh.append(numbered)
    return list(first.values()), sorted(seventh, key=lambda numbered: numbered[1])


def _play_seventh_cards(g: Record, t: Record, catalog: Catalog, seventh: _Numbered, place: Place) -> None:
    """Play the seventh cards one after another. A city needs the power of its wonder for this."""
    for number, city, move in seventh:
        here = place.at("moves", number)
        if not turns.may_play_last_card(g, t, city):
            raise here.at("p").wrong("a city moves twice", move.p, "one move of a city without a seventh card to play")
        turns.prepare_last_card(g, t, city)
        _choose(g, t, catalog, city, move, here)
        turns.act(g, t, LOG_LAST_CARD)


def _choose(g: Record, t: Record, catalog: Catalog, city: int, move: PositionMove, place: Place) -> None:
    """Check a move, and set it as the city's choice for this turn."""
    card = 0 if move.card is None else layout.card_named(catalog, move.card, int(g.age), place.at("card"))
    action = ACTIONS.index(move.do)
    if action in (BUILD, FREE_BUILD) and building.owns_name(g, t, city, card):
        raise place.at("card").wrong("the city has one already", move.card)
    if action == STAGE and building.next_stage_item(g, t, city) < 0:
        raise place.at("do").wrong("the wonder is complete", move.do)
    if action == FREE_BUILD and move.free:
        action = BUILD
    if city >= g.players and move.card is not None:
        _check_free_city(g, t, city, move, card, action, place)
    if action == FREE_BUILD and g.free_builds_left[city] == 0:
        raise place.at("do").wrong("the city has no free building", move.do, '"free": true builds without any power')
    set_choice(g, city, card, action, _pay_for(g, t, city, move, card, action, place))


def _check_free_city(g: Record, t: Record, city: int, move: PositionMove, card: int, action: int, place: Place) -> None:
    """Check the limits on the Free City: it must build by a chain if it can, and discard only what it cannot use."""
    g.option_count = 0
    build, stage = int(building.build_price(g, t, city, card)), int(building.stage_price(g, t, city))
    building.list_free_city_plays(g, t, city, card, build, stage)
    plays = [int(play) for play in g.option_action[: g.option_count]]
    allowed = [ACTIONS[play] for play in plays]
    if action != BUILD and building.has_chain(g, t, city, card) and not building.owns_name(g, t, city, card):
        raise place.at("do").wrong(f"the Free City must build {move.card} by its chain", move.do, allowed)
    if action == DISCARD and action not in plays:
        message = f"the Free City discards only what it can neither build nor put below a stage, unlike {move.card}"
        raise place.at("do").wrong(message, move.do, allowed)


def _pay_for(g: Record, t: Record, city: int, move: PositionMove, card: int, action: int, place: Place) -> Payment:
    """Return the payment of a move. The default is the cheapest payment."""
    if move.free or action in (DISCARD, FREE_BUILD):
        return FREE
    if action == BUILD and building.has_chain(g, t, city, card):
        if move.buy:
            raise place.at("buy").wrong("free by a chain", [purchase.resources for purchase in move.buy], "no purchase")
        return FREE
    item = card if action == BUILD else int(building.next_stage_item(g, t, city))
    if move.buy is not None:
        payment = payment_for(g, t, city, item, move.buy)
        if payment.faults:
            raise place.at("buy").wrong(f"not a legal payment: {'; '.join(payment.faults)}", move.card)
        return payment
    cheapest = cheapest_payment(g, t, city, item)
    if cheapest is None:
        raise place.at("do").wrong(f"cannot be paid with {g.spendable[city]} coins", move.do)
    return cheapest


def _build_from_discard(
    g: Record, t: Record, catalog: Catalog, city: int, move: PositionMove, any_card: bool, place: Place
) -> None:
    """Build a discarded card for free. If `any_card` is set, every card counts as discarded."""
    card = layout.card_named(catalog, str(move.card), int(g.age), place.at("card"))
    if g.discard_builds_due[city] == 0 or not layout.uses_wonder_powers(g, t, city):
        raise place.at("do").wrong("the city may not build from the discards", move.do, "after a stage with that power")
    names = {catalog.cards[lying].name: int(lying) for lying in g.discards[: g.discards_size]}
    if move.card in names:
        card = names[str(move.card)]
    elif any_card:
        g.discards[g.discards_size] = card
        g.discards_size += 1
    else:
        allowed = sorted(names) or "none: no card was discarded"
        raise place.at("card").wrong("not among the discards", move.card, allowed)
    count = building.list_discard_builds(g, t, city)
    if card not in g.option_card[:count]:
        raise place.at("card").wrong("the city has one already", move.card)
    turns.take_discarded(g, t, city, card)


def _after(g: Record, t: Record, catalog: Catalog, city: int) -> dict[str, Any]:
    return {
        "coins": int(g.coins[city]),
        "cards": [catalog.cards[card].name for card in g.city_cards[city, : g.city_size[city]]],
        "stages_built": int(g.stages_built[city]),
        "score": score_now(g, t, city),
    }


# ---- Inspecting ----


def inspect(position: Position, catalog: Catalog, t: Record, place: Place) -> dict[str, Any]:
    """Describe every city. If the position has moves, also describe the cities after the moves."""
    table = layout.load_position(position, catalog, t, place)
    g: Any = table[0]
    places = position.places()
    result: dict[str, Any] = {"cities": [look_at(g, t, catalog, city) for city in places]}
    if position.moves is not None:
        make_all_moves(g, t, catalog, position, place)
        result["after"] = [_after(g, t, catalog, city) for city in places]
    return result


inspect_position = position_inspector(Position, inspect)


# ---- Text ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the result of a position as lines of text."""
    lines: list[str] = []
    for number, city in enumerate(result["cities"]):
        name = f"City {number}{' (Free City)' if city.get('free_city') else ''}"
        lines += [name, f"  score: {_score_line(city['score'])}", f"  shields: {city['shields']}"]
        lines += [f"  next stage: {_stage_line(city['next_stage'])}", *_price_lines(city), ""]
    for number, city in enumerate(result.get("after", [])):
        lines += [f"City {number} after the moves", f"  coins: {city['coins']}"]
        lines += [f"  cards: {join_names(city['cards'])}", f"  stages built: {city['stages_built']}"]
        lines += [f"  score: {_score_line(city['score'])}", ""]
    return lines[:-1]


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
    """Return a line for each price and payment, with its cards, and a last line with the cards that cannot be built."""
    ways = [
        (price, f"{_coins(price)}{_payments_text(city['payments'][name])}", name)
        for name, price in city["prices"].items()
        if price is not None
    ]
    lines = [
        f"  {text}: {join_names(name for _, _, name in cards)}"
        for (_, text), cards in groupby(sorted(ways), key=lambda way: way[:2])
    ]
    return [*lines, f"  cannot be built: {join_names(name for name, price in city['prices'].items() if price is None)}"]


def _coins(coins: int) -> str:
    return "free" if coins == 0 else number_and_noun(coins, "coin")


def _payments_text(payments: Sequence[Mapping[str, int]]) -> str:
    """Return a text on payments; "" if there is nothing to pay."""
    ways = [", ".join(f"{coins} {to}" for to, coins in payment.items() if coins) for payment in payments]
    return f" ({' or '.join(ways)})" if any(ways) else ""
