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
from sim.games.shared.describe import by_name, cards_in, names_of_bits

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
        "turn_of": None if g.turn_seat == constants.NO_SEAT else int(g.turn_seat),
        "first_seat": int(g.first_seat),
        "market": [
            _market_card(g, data, slot) for slot in range(constants.SLOTS) if g.market[slot] != constants.NO_CARD
        ],
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
    names, open_zones = (
        (constants.TABLE_ZONE_NAMES, OPEN_TABLE_ZONES)
        if owner == constants.TABLE
        else (constants.ZONE_NAMES, OPEN_ZONES)
    )
    found = []
    for zone, name in enumerate(names):
        own = owner == me and zone in (constants.HAND, constants.DECK)
        cards = [] if zone in open_zones or (zone == constants.HAND and own) else cards_in(g, owner, zone)
        for place, card in enumerate(reversed(cards)):
            placed = bool(g.knows_place[card] >> me & 1) and (owner == constants.TABLE or zone != constants.HAND)
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
    return [OPTIONS[decision](g, data, me, option) for option in range(g.option_count)]


def _card_name(data: Data, card: int) -> str | None:
    return None if card == constants.NO_CARD else data.pieces[card]


def _question(g: Record) -> str:
    """Return the question that a seat has to answer, as a string."""
    if g.asked in OTHER_QUESTIONS:
        return OTHER_QUESTIONS[int(g.asked)]
    return OPERATION_NAMES[g.asked].lower().replace("_", " ")


def _for_card(g: Record, data: Data) -> dict[str, Any]:
    """Return the entry `by`: the card whose effect asks the question."""
    return {"by": _card_name(data, int(g.asking))}


def _in_turn(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    do, card = IN_TURN[int(g.option_kind[option])], _card_name(data, int(g.option_card[option]))
    return {"text": do if card is None else f"{do} {card}", "do": do, "card": card}


def _pick(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    do, card = _question(g), _card_name(data, int(g.option_card[option]))
    if card is None:
        return {"text": f"{do}: none", "do": do, "card": None, **_for_card(g, data)}
    seat, zone = int(g.option_seat[option]), int(g.option_value[option])
    at_table = seat == constants.TABLE
    where = "fame" if at_table else constants.ZONE_NAMES[zone]
    whose = "" if at_table or seat == me else f" of seat {seat}"
    text = f"{do}: {card} ({where.replace('_', ' ')}{whose})"
    return {
        "text": text,
        "do": do,
        "card": card,
        "zone": where,
        "seat": None if at_table else seat,
        **_for_card(g, data),
    }


def _from_market(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    do, kind, value = _question(g), int(g.option_kind[option]), int(g.option_value[option])
    card = _card_name(data, int(g.option_card[option]))
    of_suits = kind in (constants.FROM_DECK, constants.FROM_MAIN)
    suits = names_of_bits(constants.SUITS, value) if of_suits else []
    if card is None and not of_suits:
        return {"text": f"{do}: none", "do": do, "card": None, "from": None, "suits": [], **_for_card(g, data)}
    what = card or " or ".join(suits)
    source = SOURCES[kind]
    return {
        "text": f"{do}: {what} ({source})",
        "do": do,
        "card": card,
        "from": source,
        "suits": suits,
        **_for_card(g, data),
    }


def _alternative(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    at = int(g.option_value[option])
    steps = _instructions(data, at, int(data.tables.code[at - 1, constants.NEXT]))
    return {"text": "; ".join(steps), "do": "follow", "instructions": steps, **_for_card(g, data)}


def _whether(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    at, code = int(g.asked_at), data.tables.code
    behind = int(code[at, constants.NEXT]) if code[at, constants.OPERATION] == constants.MAY else len(code)
    steps, yes = _instructions(data, at, behind), bool(g.option_value[option])
    text = f"{'yes' if yes else 'no'}: {'; '.join(steps)}"
    return {"text": text, "do": "yes" if yes else "no", "instructions": steps, **_for_card(g, data)}


def _payment(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    progress, resource = int(g.option_value[option]), constants.RESOURCES[g.asked_resource]
    text = f"pay {int(g.asked_amount)} {resource} with {progress} progress in place of it"
    return {"text": text, "do": "pay", "resource": resource, "amount": int(g.asked_amount), "progress": progress}


def _develop(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    card = _card_name(data, int(g.option_card[option]))
    return {"text": f"develop {card or 'nothing'}", "do": "develop", "card": card}


def _protect(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    card, attack = (_card_name(data, int(number)) for number in (g.option_card[option], g.asking))
    text = f"let {attack} take effect" if card is None else f"keep {attack} away with {card}"
    return {"text": text, "do": "protect", "card": card, "by": attack}


def _suit(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    suit = names_of_bits(constants.SUITS, int(g.option_value[option]))[0]
    return {"text": f"innovate: {suit}", "do": "innovate", "suit": suit}


def _amount(g: Record, data: Data, me: int, option: int) -> dict[str, Any]:
    do, number = _question(g), int(g.option_value[option])
    return {"text": f"{do}: {number}", "do": do, "number": number, **_for_card(g, data)}


OPTIONS: dict[int, Callable[[Record, Data, int, int], dict[str, Any]]] = {
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
