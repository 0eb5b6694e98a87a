"""The view of a seat in Imperial Settlers, and the names of its options, for Python players."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sim.compiler.kernel import Record
from sim.data.catalog import facts_of
from sim.game import Data
from sim.games.imperial_settlers.io.naming import card_name
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.payment import paid_of
from sim.games.shared.describe import amounts, by_name, cards_in, seat_or_none
from sim.games.shared.stepping import Option, list_options

OPEN_ZONES = {
    "locations": constants.LOCATIONS,
    "deals": constants.DEALS,
    "trades": constants.TRADES,
    "discard": constants.DISCARD,
}
"""Zones of a seat that all seats see. `trades` are locations of other players with which the seat has a deal."""
HIDDEN_ZONES = {
    "hand": constants.HAND,
    "deck": constants.DECK,
    "foundations": constants.FOUNDATIONS,
    "under gates": constants.TUCKED,
    "pack": constants.PACK,
    "looked at": constants.LOOKED,
    "markers": constants.MARKERS,
}
"""Zones whose cards are hidden from some seats."""
OWN_ZONES = (constants.HAND, constants.PACK, constants.LOOKED)
"""The hidden zones whose cards the owner sees."""
DECKS = {constants.COMMON_DECK: "common", constants.FACTION_DECK: "faction", constants.ANY_DECK: "any"}
IN_TURN = {
    constants.PASS: ("pass", "pass"),
    constants.BUILD: ("build", "build {card}"),
    constants.DEAL: ("deal", "make the deal {card}"),
    constants.RAZE_HAND: ("raze_hand", "raze {card} from the hand"),
    constants.RAZE_LOCATION: ("raze_location", "raze {card} of seat {seat}"),
    constants.ACTIVATE: ("activate", "activate {card}{times}"),
    constants.EXCHANGE: ("exchange", "exchange two workers for {what}"),
    constants.DEFEND: ("defend", "put the defence token on {card}"),
    constants.SAMURAI: ("samurai", "place a samurai on {card}"),
    constants.TUCK: ("tuck", "tuck {card} under {gate}"),
    constants.BANK: ("bank", "bank {what} on {card}"),
}
"""Names and texts of the options of a turn, by kind."""
TEXTS = {
    constants.TAKE: "take {card}",
    constants.KEEP: "keep {card}",
    constants.LOSE: "lose {card}",
    constants.DRAW: "draw from the {what} deck",
    constants.GIVE_UP: "give up {card}",
    constants.SOURCE: "let {card} produce next",
    constants.CONVERT: "{answer}",
    constants.MORE_PAIRS: "exchange two workers for {what}",
}
"""Texts of the options of other decisions."""


# ---- What a seat sees ----


def look(g: Record, data: Data, me: int) -> dict[str, Any]:
    """Return everything that a seat may see.

    Returns
    -------
    dict
        `round`, `phase`, and `turn_of`: the seat whose turn it is.
        `row`: the face-up cards in the lookout.
        `players`: public information about each player, with the numbers of hidden cards.
        `hand`, `pack` (to choose from) and `looked_at`: the seat's own cards.
        `known`: other hidden cards that the seat knows.
        `cards`: the texts of the visible cards. Copies of a card have the same name, but codes of their own.
    """
    seats = range(constants.VIRTUAL + 1 if g.solo else int(g.players))
    mine = {name: cards_in(g, me, zone) for name, zone in HIDDEN_ZONES.items() if zone in OWN_ZONES}
    row = cards_in(g, constants.TABLE, constants.ROW)
    in_sight = {*row, *(card for cards in mine.values() for card in cards)}
    in_sight |= {card for seat in seats for zone in OPEN_ZONES.values() for card in cards_in(g, seat, zone)}
    return {
        "round": int(g.rounds),
        "phase": constants.PHASES[g.phase],
        "first": int(g.first_seat),
        "turn_of": seat_or_none(g.turn_seat),
        "players": [_player(g, data, seat) for seat in seats],
        "row": _named(data, row),
        "hand": _named(data, mine["hand"]),
        "pack": _named(data, mine["pack"]),
        "looked_at": _named(data, mine["looked at"]),
        "known": _known(g, data, me),
        "common_deck": int(g.zone_size[constants.TABLE, constants.DECK]),
        "common_discard": _named(data, cards_in(g, constants.TABLE, constants.DISCARD)),
        "removed": _named(data, cards_in(g, constants.TABLE, constants.REMOVED)),
        "cards": {
            data.catalog.codes[card]: facts_of(data.catalog.cards[card])
            for card in sorted(in_sight)
            if card < len(data.catalog.cards)
        },
    }


def _card(data: Data, card: int) -> dict[str, str]:
    """Return the name and the code of a card. An attack card is named by its target."""
    codes = data.catalog.codes
    return {"name": card_name(data.catalog, card), "code": codes[card] if card < len(codes) else f"attack {card}"}


def _named(data: Data, cards: list[int]) -> list[dict[str, str]]:
    return [_card(data, card) for card in cards]


def _player(g: Record, data: Data, seat: int) -> dict[str, Any]:
    virtual = bool(g.solo) and seat == constants.VIRTUAL
    locations = cards_in(g, seat, constants.LOCATIONS)
    return {
        "seat": seat,
        "faction": "virtual player" if virtual else data.factions[g.faction[seat]].name,
        "vp": int(g.points[seat]),
        "goods": by_name(constants.GOODS, g.goods[seat]),
        "passed": bool(g.passed[seat]),
        **{name: _named(data, cards_in(g, seat, zone)) for name, zone in OPEN_ZONES.items()},
        "attacks": _named(data, cards_in(g, seat, constants.ROW)) if virtual else [],
        "on": {_card(data, card)["code"]: lying for card in locations if (lying := _on(g, card))},
        "controlled": _named(data, cards_in(g, seat, constants.CONTROLLED)),
        "hidden": {name: int(g.zone_size[seat, zone]) for name, zone in HIDDEN_ZONES.items()},
    }


def _on(g: Record, card: int) -> dict[str, Any]:
    """Return the things on a location, and how many times the location has been used this round."""
    lying = {name: int(g[name][card]) for name in ("used", "blocked", "defence", "samurai", "tucked", "gained")}
    lying["banked"] = int(g.banked[card].sum())
    return {name: number for name, number in lying.items() if number}


def _known(g: Record, data: Data, me: int) -> list[dict[str, Any]]:
    """Return the hidden cards that a seat knows, except those in its own hand and pack."""
    places = [(owner, where) for owner in range(constants.TABLE + 1) for where in HIDDEN_ZONES]
    return [
        {**_card(data, card), "seat": None if owner == constants.TABLE else owner, "where": where}
        for owner, where in places
        if owner != me or HIDDEN_ZONES[where] not in OWN_ZONES
        for card in sorted(cards_in(g, owner, HIDDEN_ZONES[where]))
        if g.knows[card] & (1 << me)
    ]


# ---- Options ----


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options: what each does (`do`), and the card, seat, goods or number that it is about.

    If options differ only in the copy of a card that they are about, their texts end with the code of the copy.
    """
    options = [_option(g, data, decision, option) for option in list_options(g)]
    texts = Counter(option["text"] for option in options)
    for option in options:
        if texts[option["text"]] > 1 and "code" in option:
            option["text"] += f" ({option['code']})"
    return options


def _option(g: Record, data: Data, decision: int, option: Option) -> dict[str, Any]:
    kind, card, value, seat = option.kind, option.card, option.value, option.seat
    named = {} if card < 0 else _card(data, card)
    about: dict[str, Any] = {"card": named["name"], "code": named["code"]} if named else {}
    if decision in (constants.PICK, constants.BRANCH, constants.GIVE_UP) and g.asked_card >= 0:
        about["for"] = card_name(data.catalog, int(g.asked_card))
    if decision == constants.TURN:
        return _turn_option(data, kind, value, seat, about)
    if decision == constants.PICK:
        return _pick_option(g, data, value, seat, about)
    if decision == constants.BRANCH:
        steps = _steps(data, value) if value != constants.STOP else []
        return {"text": ", then ".join(steps) or "none of them", "do": "choose", "steps": steps, **about}
    if decision == constants.PAY:
        goods = {constants.GOODS[good]: paid_of(value, good) for good in range(constants.GOLD + 1)}
        return {"text": f"pay {amounts(goods)}", "do": "pay", "goods": goods, **about}
    if decision == constants.GIVE_UP and kind == constants.FOUNDATION:
        return {"text": "give up a foundation", "do": "give_up", **about, "card": None}
    if decision == constants.MORE_PAIRS and value == constants.STOP:
        return {"text": "no more pairs", "do": "stop"}
    if decision == constants.CONVERT:
        good, turned = constants.GOODS[g.asked_good], bool(value)
        text = f"turn a {good} into points" if turned else f"keep the {good}"
        return {"text": text, "do": "convert", "good": good, "into_points": turned}
    if decision in (constants.DRAW, constants.MORE_PAIRS):
        about["what"] = DECKS.get(value) if decision == constants.DRAW else _exchanged(value)
    if decision == constants.SOURCE:
        about["card"] = "the faction board" if card == constants.BOARD else about["card"]
    return {"text": TEXTS[decision].format(**about), "do": constants.DECISIONS[decision], **about}


def _turn_option(data: Data, kind: int, value: int, seat: int, about: dict[str, Any]) -> dict[str, Any]:
    do, text = IN_TURN[kind]
    said = {"do": do, **about}
    if kind == constants.RAZE_LOCATION:
        said["seat"] = seat
    if kind == constants.ACTIVATE:
        said["uses"] = value
    if kind == constants.EXCHANGE:
        said["what"] = _exchanged(value)
    if kind == constants.TUCK:
        said["gate"] = card_name(data.catalog, value)
        said["gate_code"] = data.catalog.codes[value]
    if kind == constants.BANK:
        said["what"] = constants.GOODS[value]
    times = " twice" if kind == constants.ACTIVATE and value > 1 else ""
    return {"text": text.format(**said, times=times), **said}


def _pick_option(g: Record, data: Data, value: int, seat: int, about: dict[str, Any]) -> dict[str, Any]:
    """Return the option for the target of an operation: a card or a good, possibly of another seat."""
    operation = constants.OPERATIONS[g.asked] if g.asked < len(constants.OPERATIONS) else "pay_with"
    said = {"do": operation, **about, "seat": seat, "number": value}
    if g.asked in (constants.TAKE_RESOURCE, constants.COPY_RAZE_GOOD):
        said["good"] = constants.GOODS[value]
    parts = [said[name] for name in ("card", "good") if name in said]
    whose = "" if operation == "pay_with" else f" of seat {seat}"
    return {"text": f"{operation.replace('_', ' ')}: {' '.join(parts)}{whose}", **said}


def _exchanged(value: int) -> str:
    """Return what a seat gets for a pair of workers."""
    return f"a {DECKS[value]} card" if value in DECKS else f"a {constants.GOODS[value]}"


def _steps(data: Data, at: int) -> list[str]:
    """Return the operations of a branch as strings: from row `at` of the code to the end of the choice."""
    t, steps = data.tables, []
    end = int(t.code[at - 1, constants.D])
    while at != end and t.code[at, constants.OPERATION] not in (constants.OP_END, constants.OP_BRANCH):
        steps.append(_step([int(number) for number in t.code[at]]))
        at = int(t.code[at, constants.NEXT])
    return steps


def _step(row: list[int]) -> str:
    operation, first, second, third, fourth = row[: constants.D + 1]
    name = constants.OPERATIONS[operation].replace("_", " ")
    if operation == constants.GAIN:
        return f"gain {second} {constants.GOODS[first]}"
    if operation == constants.GAIN_PER_COLOUR:
        return f"gain {second} {constants.GOODS[first]} for each {constants.COLOURS[third]} location, at most {fourth}"
    if operation == constants.GAIN_PER_SAMURAI:
        return f"gain {second} {constants.GOODS[first]} for each samurai, at most {third}"
    if operation in (constants.DRAW_CARDS, constants.LOOK):
        return f"{name} {second} of the {DECKS[first]} deck"
    if operation == constants.SWAP:
        return f"swap {second} {constants.GOODS[first]} for {fourth} {constants.GOODS[third]}"
    return name
