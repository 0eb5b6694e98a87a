"""Moves made up at random, mostly such as fit the table; whether they are legal is for the rules to say."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.games.glory_of_rome.naive import (
    BONUSES,
    GENERAL_INTRIGUE,
    OWN_INTRIGUE,
    PLACES,
    PROVINCES,
    REGIONS,
    TYPES,
    IllegalError,
    Position,
    province_of,
    seat_before,
)
from tests.games.glory_of_rome.naive_making import SET_TYPES
from tests.games.glory_of_rome.naive_moves import after, begin

Move = dict[str, Any]


def with_moves(chance: random.Random, position: Position, count: int, legal: float = 0.75) -> Position:
    """Return a position with moves; with a chance of `legal` a legal one of several is taken, if one is."""
    table, moves = begin(position), []
    for _ in range(count):
        if table["phase"] == "over":
            break
        wants_legal = chance.random() < legal
        candidates = [random_move(chance, table) for _ in range(12 if wants_legal else 1)]
        tried = [(move, outcome(table, move)) for move in candidates]
        known = [(move, then) for move, then in tried if then is None or not then["is_shuffled"]]
        wanted = [(move, then) for move, then in known if then is not None]
        if not known:
            continue
        move, then = rarest(chance, wanted) if wants_legal and wanted else known[0]
        moves.append(move)
        table = then or table
    return copy.deepcopy({**position, "moves": moves})


def outcome(table: Position, move: Move) -> Position | None:
    """Table after a move; None if it is against the rules."""
    try:
        return after(table, move)
    except IllegalError:
        return None


def rarest(chance: random.Random, found: list[tuple[Move, Position]]) -> tuple[Move, Position]:
    """Choose a kind of move first, and passing seldom; then one of that kind."""
    kinds = [(move["do"], move.get("effect"), move.get("on"), "before" in move, "answer" in move) for move, _ in found]
    chosen = chance.choice([kind for kind in kinds if kind[0] != "pass"] * 6 + list(dict.fromkeys(kinds)))
    return chance.choice([pair for pair, kind in zip(found, kinds, strict=True) if kind == chosen])


def random_move(chance: random.Random, table: Position) -> Move:
    """Return a move that somebody could think of now."""
    phase = table["phase"] if chance.random() < 0.97 else chance.choice(list(OF_PHASE))
    seat = table["to_move"] if table["to_move"] is not None else chance.randrange(len(table["players"]))
    if chance.random() < 0.03:
        seat = chance.randrange(len(table["players"]))
    if chance.random() < 0.15:
        return with_cards(chance, table, seat)
    return OF_PHASE[phase](chance, table, seat)


def random_event_move(chance: random.Random, table: Position, seat: int) -> Move:
    names = [
        event["name"]
        for event in table["data"]["events"].values()
        if not event["negative"] or "Hard Times" in table["variants"]
    ]
    return {"do": "event", "event": chance.choice(names)}


def random_diplomacy(chance: random.Random, table: Position, seat: int) -> Move:
    if chance.random() < 0.3:
        return {"p": seat, "do": "pass"}
    built = [
        (name, kind)
        for name in PROVINCES
        for kind in TYPES
        if table["provinces"][name]["buildings"][kind] and seat_before(table, name) not in (None, seat)
    ]
    province, building = (
        chance.choice(built) if built and chance.random() < 0.9 else (chance.choice(PROVINCES), chance.choice(TYPES))
    )
    move = {
        "p": seat,
        "do": "diplomacy",
        "province": province,
        "building": building,
        "token": chance.choice(("alliance", "spy")),
        "offer": chance.choice((0, 1, 2, chance.randint(0, 9))),
        "accepted": chance.random() < 0.7,
    }
    if move["token"] == "spy" and move["accepted"]:
        move["choice"] = chance.choice(("glory", "action", "action"))
        if move["choice"] == "action":
            move |= keys_of_action(chance, building, False)
    return move


def random_activation(chance: random.Random, table: Position, seat: int) -> Move:
    if chance.random() < 0.1:
        return {"p": seat, "do": "pass"}
    lying = [name for name in PROVINCES if seat in table["provinces"][name]["intrigue"]]
    province = chance.choice(lying) if lying and chance.random() < 0.95 else chance.choice(PROVINCES)
    other = seat_before(table, province)
    own = table["players"][seat]["own_intrigue"]
    effect = chance.choice((*GENERAL_INTRIGUE, own, own))
    if chance.random() < 0.03:
        effect = chance.choice(OWN_INTRIGUE)
    move = {"p": seat, "do": "activate", "province": province, "effect": effect}
    move |= keys_of_effect(chance, table, other, effect)
    move |= with_steps(chance, table, seat, "before", "activate_intrigue")
    return move | ({} if other is None else with_steps(chance, table, other, "answer", "intrigue_in_own_province"))


def keys_of_effect(chance: random.Random, table: Position, other: int | None, effect: str) -> Move:
    """Return what an effect does to a target: mostly to what is there."""
    if effect == "Demolition":
        return {"level": chance.choice(("base", "roof"))}
    if effect in ("Defection", "Deception"):
        legions = {} if other is None else table["players"][other]["legions"]
        there = [region for region in REGIONS for _ in range(legions.get(region, 0))]
        there = there if there and chance.random() < 0.9 else list(REGIONS)
        if effect == "Defection":
            return {"region": chance.choice(there), "replace": chance.random() < 0.5}
        return {"from": chance.sample(there * 2, 2), "to": chance.choice(REGIONS)}
    if effect in ("Re-vote", "Invalid vote"):
        places = [number for number, seat in enumerate(table["senate"], start=1) if seat == other]
        return {"vote": chance.choice(places if places and chance.random() < 0.9 else range(1, 6))}
    if effect in ("Sold", "Custom duty"):
        hand = table["players"][other]["hand"] if other is not None else []
        return {"card": chance.choice(hand if hand and chance.random() < 0.9 else list(table["data"]["trade_cards"]))}
    return {}


def random_building(chance: random.Random, table: Position, seat: int) -> Move:
    if chance.random() < 0.2:
        return {"p": seat, "do": "pass"}
    kind = chance.choice(TYPES)
    level = table["provinces"][province_of(table, seat)]["buildings"][kind] + 1
    if level > 3 or chance.random() < 0.1:
        level = chance.randint(1, 3)
    return {"p": seat, "do": "build", "type": kind, "level": level} | with_steps(chance, table, seat, "before", "build")


def random_follower(chance: random.Random, table: Position, seat: int) -> Move:
    place = chance.choice(PLACES)
    bonus = chance.random() < (0.5 if place in BONUSES else 0.02)
    move = {"p": seat, "do": "follower", "on": place} | ({"bonus": True} if bonus else {})
    return (
        move
        | keys_of_action(chance, place, bonus)
        | with_steps(chance, table, seat, "before", "follower", f"follower_{place.lower()}")
    )


def keys_of_action(chance: random.Random, place: str, bonus: bool) -> Move:
    if place == "religious":
        return {"level": chance.choice(("base", "roof"))}
    if place != "military":
        return {}
    count = 1 + bonus if chance.random() < 0.95 else chance.randint(1, 2)
    steps = [{"to": chance.choice(REGIONS)} for _ in range(count)]
    return {"legions": [step | ({"from": chance.choice(REGIONS)} if chance.random() < 0.5 else {}) for step in steps]}


def random_tax(chance: random.Random, table: Position, seat: int) -> Move:
    move = {"p": seat, "do": "tax", "double": chance.random() < 0.7}
    return move | with_steps(chance, table, seat, "before", "double_tax")


# ---- Trade cards ----


def with_cards(chance: random.Random, table: Position, seat: int) -> Move:
    """Return a move that is made with trade cards, or the religious medal."""
    if chance.random() < 0.3:
        holders = [who for who, player in enumerate(table["players"]) if "religious" in player["medals"]]
        return {"p": chance.choice(holders or [seat]), "do": "pay", "times": chance.randint(1, 3)}
    step = random_card_step(chance, table, seat, ("sell", "set", "set", "discard"))
    ((do, what), *more) = step.items()
    key = "cards" if do == "set" else "card"
    return {"p": seat, "do": do, key: what, **dict(more)}


def random_card_step(
    chance: random.Random, table: Position, seat: int, do: tuple[str, ...], windows: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return a step with a card of the hand, or one that lies where a card of the hand may fetch it."""
    hand, cards = table["players"][seat]["hand"], table["data"]["trade_cards"]
    near = [*hand, *table["trade_deck"][-3:], *table["trade_discard"][-1:]] or list(cards)
    if chance.random() < 0.1:
        near = list(cards)
    what = chance.choice(do)
    if what == "set":
        return random_set(chance, table, seat)
    fitting = [name for name in near if cards[name].get("when") in windows]
    return {what: chance.choice(fitting if what == "play" and fitting and chance.random() < 0.9 else near)}


def random_set(chance: random.Random, table: Position, seat: int) -> dict[str, Any]:
    """Return a set, of cards that fit it if the hand has enough, wild ones among them."""
    hand, cards = table["players"][seat]["hand"], table["data"]["trade_cards"]
    kind = chance.choice(SET_TYPES)
    fitting = [name for name in hand if cards[name]["type"] in (kind, "chest", "jewels")]
    pool = fitting if len(fitting) >= 3 and chance.random() < 0.9 else hand
    names = chance.sample(pool, 3) if len(pool) >= 3 else chance.choices(list(cards), k=3)
    return {"set": names, "type": kind}


def with_steps(chance: random.Random, table: Position, seat: int, key: str, *windows: str) -> Move:
    """Return steps with cards before a move: often where a card is played on it, else seldom."""
    cards = table["data"]["trade_cards"]
    can_play = any(cards[name].get("when") in windows for name in table["players"][seat]["hand"])
    if chance.random() > (0.6 if can_play else 0.08):
        return {}
    do = ("play",) * 12 + ("sell", "discard", "set")
    return {key: [random_card_step(chance, table, seat, do, windows) for _ in range(chance.choice((1, 1, 1, 2, 3)))]}


OF_PHASE = {
    "event": random_event_move,
    "diplomacy": random_diplomacy,
    "intrigue": random_activation,
    "build": random_building,
    "action": random_follower,
    "income": random_tax,
}
