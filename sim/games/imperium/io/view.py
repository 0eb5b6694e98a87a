"""The view of a seat in Imperium, and the names of its options, for Python players (`sim.players.python_players`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from sim.compiler.kernel import Record
from sim.data.catalog import facts_of
from sim.game import Data
from sim.games.imperium.data.compile import selector_names
from sim.games.imperium.data.language import OPERATION_NAMES, effect_listing
from sim.games.imperium.rules import constants
from sim.games.shared.describe import by_name, cards_in, names_of_bits, piece_name, seat_or_none
from sim.games.shared.stepping import Option, list_options

OPEN_ZONES = (
    constants.DISCARD_PILE,
    constants.PLAY,
    constants.HISTORY,
    constants.DEVELOPMENT,
    constants.GARRISON,
    constants.SUNKEN,
)
"""Zones of a seat whose cards all seats see. Of each other zone, other seats see only the size."""
OPEN_TABLE_ZONES = (constants.EXILE_PILE,)

IN_TURN = {
    constants.PLAY_CARD: "play",
    constants.EXHAUST_CARD: "use",
    constants.INNOVATE: "innovate",
    constants.REVOLT: "revolt",
    constants.END_TURN: "end the turn",
}
"""Names of the options of a turn."""
SOURCES = ("market", "deck", "main deck", "exile")
"""Names of the sources of a gained card, in the order of `constants.FROM_MARKET` to `FROM_EXILE`."""
OTHER_QUESTIONS = {
    constants.CLEAN_UP: "discard in the clean-up",
    constants.SOLSTICE_ORDER: "resolve next in the solstice",
    constants.FAME_ORDER: "put lowest of the fame cards",
    constants.REVOLT_WITH: "return unrest by a revolt",
    constants.EXHAUST_TO_REACT: "react",
}
"""Questions of the decisions that no card effect asks for."""


# ---- What a seat sees ----


def look(g: Record, data: Data, me: int) -> dict[str, Any]:
    """Return everything that a seat may see.

    Returns
    -------
    dict
        `round` and `turn_of` (None in the solstice).
        `market`: its cards with their tokens. `exile`, and the sizes of the `decks`.
        `players`: public information about each player, and the sizes of its hidden zones.
        `known`, in the result and in the entry of each player: the hidden cards that the seat knows. If the seat also
        knows a card's place in its deck, the index from the top is added.
        `hand` and `draw_deck`: the seat's own cards. Those of the deck are sorted by name, not in their actual order.
        `cards`: the texts of the cards in hand and market.
    """
    hand, market = cards_in(g, me, constants.HAND), [int(card) for card in g.market if card != constants.NO_CARD]
    return {
        "players": [_player(g, data, me, seat) for seat in range(g.players)],
        "round": int(g.rounds) + 1,
        "rounds_left": int(g.rounds_left) if g.ending != constants.NOT_ENDING else None,
        "turn_of": seat_or_none(g.turn_seat),
        "first_seat": int(g.first_seat),
        "market": [_market_card(g, data, slot) for slot, card in enumerate(g.market) if card != constants.NO_CARD],
        "exile": _names(data, cards_in(g, constants.TABLE, constants.EXILE_PILE)),
        "decks": {
            name: int(g.zone_size[constants.TABLE, zone])
            for zone, name in enumerate(constants.TABLE_ZONE_NAMES)
            if zone not in OPEN_TABLE_ZONES
        },
        "known": _known(g, data, me, constants.TABLE),
        "king_of_kings": "B" if g.king_turned else "A",
        "hand": _names(data, hand),
        "draw_deck": sorted(_names(data, cards_in(g, me, constants.DECK))),
        "cards": {data.pieces[card]: facts_of(data.catalog.cards[card]) for card in (*hand, *market)},
    }


def _names(data: Data, cards: Sequence[int]) -> list[str]:
    return [data.pieces[card] for card in cards]


def _player(g: Record, data: Data, me: int, seat: int) -> dict[str, Any]:
    """Return what the seat `me` may see of `seat`. Both may be the same seat."""
    in_play, garrisoned = cards_in(g, seat, constants.PLAY), cards_in(g, seat, constants.GARRISON)
    return {
        "seat": seat,
        "faction": data.factions[g.faction[seat]].name,
        "state": constants.STATES[g.state[seat]],
        "resources": by_name(constants.RESOURCES, g.resource[seat]),
        "actions": int(g.actions[seat]),
        "exhaust_tokens": int(g.exhausts[seat]),
        **{constants.ZONE_NAMES[zone]: _names(data, cards_in(g, seat, zone)) for zone in OPEN_ZONES},
        "exhausted": _names(data, [card for card in in_play if g.exhausted[card]]),
        "progress_on_cards": _stored(g, data, in_play, constants.PROGRESS),
        "material_on_cards": _stored(g, data, in_play, constants.MATERIAL),
        "garrisoned_in": {data.pieces[card]: data.pieces[g.host[card]] for card in garrisoned},
        "cards_in": {
            constants.ZONE_NAMES[zone]: int(g.zone_size[seat, zone])
            for zone in range(constants.ZONES)
            if zone not in OPEN_ZONES
        },
        "known": _known(g, data, me, seat),
    }


def _stored(g: Record, data: Data, in_play: Sequence[int], resource: int) -> dict[str, int]:
    """Return the number of tokens of a resource on each card in play. Cards without such tokens are left out."""
    lying = [card for card in in_play if g.stored[card] and data.tables.stores[card] == resource]
    return {data.pieces[card]: int(g.stored[card]) for card in lying}


def _known(g: Record, data: Data, me: int, owner: int) -> list[dict[str, Any]]:
    """Return the cards in hidden zones that a seat knows."""
    at_table = owner == constants.TABLE
    names: Sequence[str] = constants.TABLE_ZONE_NAMES if at_table else constants.ZONE_NAMES
    open_zones: Sequence[int] = OPEN_TABLE_ZONES if at_table else OPEN_ZONES
    found = []
    for zone, name in enumerate(names):
        own = owner == me and zone in (constants.HAND, constants.DECK)
        cards = [] if zone in open_zones or (zone == constants.HAND and own) else cards_in(g, owner, zone)
        for place, card in enumerate(reversed(cards)):
            placed = bool(g.knows_place[card] >> me & 1) and (at_table or zone != constants.HAND)
            if placed or (g.knows_zone[card] >> me & 1 and not own):
                found.append({"card": data.pieces[card], "zone": name, "from_top": place if placed else None})
    return sorted(found, key=lambda entry: (entry["zone"], entry["from_top"] is None, entry["from_top"], entry["card"]))


def _market_card(g: Record, data: Data, slot: int) -> dict[str, Any]:
    return {
        "slot": slot + 1,
        "card": data.pieces[g.market[slot]],
        "tokens": by_name(constants.RESOURCES, g.market_tokens[slot]),
        "unrest": bool(g.market_unrest[slot] != constants.NO_CARD),
    }


# ---- Options ----


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options: what each does (`do`), with which `card`, and other facts such as `zone` or `suit`."""
    return [OPTIONS[decision](g, data, me, option) for option in list_options(g)]


def _question(g: Record) -> str:
    if g.asked in OTHER_QUESTIONS:
        return OTHER_QUESTIONS[int(g.asked)]
    return OPERATION_NAMES[g.asked].lower().replace("_", " ")


def _for_card(g: Record, data: Data) -> dict[str, Any]:
    """Return the entry `by`: the card whose effect asks the question."""
    return {"by": piece_name(data, int(g.asking))}


def _in_turn(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    do, card = IN_TURN[option.kind], piece_name(data, option.card)
    return {"text": do if card is None else f"{do} {card}", "do": do, "card": card}


def _pick(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    do, card = _question(g), piece_name(data, option.card)
    if card is None:
        return {"text": f"{do}: none", "do": do, "card": None, **_for_card(g, data)}
    at_table = option.seat == constants.TABLE
    where = "fame" if at_table else constants.ZONE_NAMES[option.value]
    whose = "" if at_table or option.seat == me else f" of seat {option.seat}"
    said = {"text": f"{do}: {card} ({where.replace('_', ' ')}{whose})", "do": do, "card": card}
    return {**said, "zone": where, "seat": None if at_table else option.seat, **_for_card(g, data)}


def _from_market(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    do, card = _question(g), piece_name(data, option.card)
    of_suits = option.kind in (constants.FROM_DECK, constants.FROM_MAIN)
    suits = names_of_bits(constants.SUITS, option.value) if of_suits else []
    source = None if card is None and not of_suits else SOURCES[option.kind]
    text = f"{do}: none" if source is None else f"{do}: {card or ' or '.join(suits)} ({source})"
    return {"text": text, "do": do, "card": card, "from": source, "suits": suits, **_for_card(g, data)}


def _alternative(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    at = option.value
    steps = _instructions(data, at, int(data.tables.code[at - 1, constants.NEXT]))
    return {"text": "; ".join(steps), "do": "follow", "instructions": steps, **_for_card(g, data)}


def _whether(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    at, code = int(g.asked_at), data.tables.code
    behind = int(code[at, constants.NEXT]) if code[at, constants.OPERATION] == constants.MAY else len(code)
    steps, do = _instructions(data, at, behind), "yes" if option.value else "no"
    return {"text": f"{do}: {'; '.join(steps)}", "do": do, "instructions": steps, **_for_card(g, data)}


def _payment(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    amount, progress, resource = int(g.asked_amount), option.value, constants.RESOURCES[g.asked_resource]
    text = f"pay {amount} {resource} with {progress} progress in place of it"
    return {"text": text, "do": "pay", "resource": resource, "amount": amount, "progress": progress}


def _develop(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    card = piece_name(data, option.card)
    return {"text": f"develop {card or 'nothing'}", "do": "develop", "card": card}


def _protect(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    card, attack = piece_name(data, option.card), piece_name(data, int(g.asking))
    text = f"let {attack} take effect" if card is None else f"keep {attack} away with {card}"
    return {"text": text, "do": "protect", "card": card, "by": attack}


def _suit(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    suit = names_of_bits(constants.SUITS, option.value)[0]
    return {"text": f"innovate: {suit}", "do": "innovate", "suit": suit}


def _amount(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    do = _question(g)
    return {"text": f"{do}: {option.value}", "do": do, "number": option.value, **_for_card(g, data)}


OPTIONS: dict[int, Callable[[Record, Data, int, Option], dict[str, Any]]] = {
    constants.TURN: _in_turn,
    constants.PICK: _pick,
    constants.MARKET: _from_market,
    constants.ALTERNATIVE: _alternative,
    constants.WHETHER: _whether,
    constants.PAYMENT: _payment,
    constants.DEVELOP: _develop,
    constants.PROTECT: _protect,
    constants.INNOVATE_SUIT: _suit,
    constants.AMOUNT: _amount,
}
"""For each decision, the function that describes its options."""


# ---- Effects as strings ----

SILENT = ("JUMP", "END", "MAY")
"""Operations that are left out when an effect is shown as strings."""


def _instructions(data: Data, first: int, behind: int) -> list[str]:
    """Return instructions as strings: from row `first` of the code to the row before `behind` or the effect's end."""
    return _listed(_Code(data), first, behind)


class _Code:
    """Data that is hashed and compared by its digest, so that it can be a cache key."""

    def __init__(self, data: Data) -> None:
        self.data = data

    def __hash__(self) -> int:
        return hash(self.data.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Code) and self.data.digest == other.data.digest


@lru_cache(maxsize=4)
def _selectors(code: _Code) -> list[str]:
    return selector_names(code.data.catalog)


@lru_cache(maxsize=4096)
def _listed(code: _Code, first: int, behind: int) -> list[str]:
    lines = [line.split(" ", 1) for line in effect_listing(code.data.tables, first, _selectors(code))]
    return [said.replace("_", " ") for row, said in lines if int(row) < behind and said.split()[0] not in SILENT]
