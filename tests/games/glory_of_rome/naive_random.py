"""Positions and moves made up at random, for the slow model and the engine.

Positions are within the box, but not all reached by play. Moves are mostly such as fit the table; whether they are
legal is for the rules to say.
"""

import copy
import random
from collections import Counter
from typing import Any

from tests.games.glory_of_rome.naive import (
    BONUSES,
    CHARACTERS,
    GENERAL_INTRIGUE,
    KNOWN_CARDS,
    MILESTONES,
    OWN_INTRIGUE,
    OWN_PIECES,
    PLACES,
    PROVINCES,
    REGIONS,
    TYPES,
    IllegalError,
    Position,
    followers_left,
    load_position,
    marker_space,
    pieces_left,
    province_of,
    seat_before,
    tiles_left,
    ways_of_action,
    ways_of_effect,
)
from tests.games.glory_of_rome.naive_moves import Move, after, begin

PHASES = ("event", "diplomacy", "intrigue", "build", "action", "income")
SET_TYPES = ("tools", "weapons", "textiles", "jewels")
WHEN = (
    *("activate_intrigue", "intrigue_in_own_province", "build", "follower", "follower_colosseum", "follower_economic"),
    "double_tax",
)
EFFECTS: tuple[dict[str, Any], ...] = (
    *({"draw": 1}, {"draw": 2}, {"denarii": 2}, {"denarii": 5}, {"glory": 1}, {"glory": 4}),
    *({"denarii": 1, "glory": 1}, {"recruit_legions": 1}, {"recruit_votes": 1}, {"take_discard": 1}),
    {"remove_anchor": True},
)
COUNTS = (
    *("denarii", "glory", "legions", "votes", "sets", "medals", "pantheon", "discord", "followers", "trade_cards"),
    *("population", "first_places"),
)


def random_position(chance: random.Random, phase: str | None = None, players: int | None = None) -> Position:
    """Return a position of a phase, with its own data and without moves."""
    count = players or chance.choice((1, 2, 2, 3, 3, 4, 4, 4))
    variants = random_variants(chance, count)
    phases = [
        name
        for name in PHASES
        if (name != "diplomacy" or "Spies and Alliances" in variants)
        and (name != "intrigue" or (count > 1 and "Truce" not in variants))
    ]
    phase = phase if phase in phases else chance.choice([*phases, *phases[-2:], "action"])
    turned = chance.randrange(4)
    data = random_data(chance)
    position: Position = {
        "phase": phase,
        "round": chance.randint(2 if phase == "intrigue" else 1, 9),
        "variants": variants,
        "board": [*PROVINCES[turned:], *PROVINCES[:turned]],
        "starting_player": chance.randrange(count),
        "direction": chance.choice(("clockwise", "counter-clockwise")),
        "arrows": chance.randint(1, 2),
        "data": data,
        "players": [{"character": name} for name in chance.sample(list(CHARACTERS), count)],
    }
    names = [*KNOWN_CARDS, *(card["name"] for card in data["trade_cards"])]
    if chance.random() < 0.4:
        names = chance.sample(names, 4)
    position["trade_deck"] = chance.choices(names, k=chance.choice((0, 1, 1, 2, 4, 8)))
    position["trade_discard"] = chance.choices(names, k=chance.choice((0, 0, 1, 4)))
    lay_votes(chance, position)
    lay_buildings(chance, position)
    lay_intrigue(chance, position)
    lay_medals(chance, position)
    for seat, player in enumerate(position["players"]):
        fill_player(chance, position, seat, player, names)
    choose_milestones(chance, position)
    choose_turn(chance, position)
    return position


def random_variants(chance: random.Random, count: int) -> list[str]:
    """Return variants that go with so many players."""
    names = ["Clockwork", "Heroes", "Hard Times", "Truce"] + (["Spies and Alliances"] if count > 1 else ["Imperial"])
    return [name for name in names if chance.random() < (0.4 if name in ("Spies and Alliances", "Hard Times") else 0.2)]


def random_data(chance: random.Random) -> dict[str, Any]:
    """Return data of a position's own: some numbers of the board, and cards of all kinds."""
    cards = [
        {"name": f"card {number}", "type": chance.choice((*SET_TYPES, "chest")), "effect": dict(chance.choice(EFFECTS))}
        for number in range(10)
    ]
    for number, card in enumerate(cards):
        if number < len(WHEN) or chance.random() < 0.7:
            card["when"] = WHEN[number] if number < len(WHEN) else chance.choice(WHEN)
    return {
        "prices": {
            name: [[chance.randint(0, 9), chance.randint(0, 8)] for _ in range(3)]
            for name in TYPES
            if chance.random() < 0.5
        },
        "penalties": {str(number): chance.randint(0, 6) for number in range(1, 17) if chance.random() < 0.5},
        "shields": {region: chance.randint(1, 6) for region in REGIONS if chance.random() < 0.5},
        "senate_values": [chance.randint(0, 9) for _ in range(5)],
        "trade_cards": cards,
        "missions": [random_mission(chance, number) for number in range(6)],
        "events": [random_event(chance, number) for number in range(5)],
    }


def random_condition(chance: random.Random) -> dict[str, Any]:
    kind = chance.choice(("most", "least", "at_least", "medal"))
    if kind == "medal":
        return {kind: chance.choice(TYPES)}
    what = chance.choice(COUNTS)
    return {kind: [what, chance.randint(0, 6)] if kind == "at_least" else what}


def random_mission(chance: random.Random, number: int) -> dict[str, Any]:
    mission: dict[str, Any] = {"name": f"mission {number}", "points": chance.choice((-2, 0, 1, 3, 4, 7))}
    if chance.random() < 0.5:
        return mission | {"per": chance.choice(COUNTS)}
    return mission | {"if": random_condition(chance)}


def random_event(chance: random.Random, number: int) -> dict[str, Any]:
    negative = number < 2
    low, high = (-3, 0) if negative else (0, 3)
    event: dict[str, Any] = {
        "name": f"event {number}",
        "turn": chance.choice(("clockwise", "counter-clockwise")),
        "arrows": chance.randint(1, 2),
        "reward": {key: chance.randint(low, high) for key in ("denarii", "glory") if chance.random() < 0.7},
        "negative": negative,
    }
    return event | ({"if": random_condition(chance)} if chance.random() < 0.7 else {})


# ---- Pieces on the table ----


def lay_votes(chance: random.Random, position: Position) -> None:
    """Put votes in the column, often several of one player in a row."""
    column: list[int] = []
    for _ in range(chance.choice((0, 2, 3, 4, 5, 5, 5))):
        again = column and chance.random() < 0.6
        column.append(column[-1] if again else chance.randrange(len(position["players"])))
    position["senate"] = column
    for seat, player in enumerate(position["players"]):
        player["votes"] = min(5 - column.count(seat), chance.choice((0, 0, 1, 1, 2, 5)))


def lay_buildings(chance: random.Random, position: Position) -> None:
    """Build with the tiles of the box."""
    position["provinces"] = {name: {"buildings": {}} for name in PROVINCES}
    for _ in range(chance.choice((0, 8, 20, 40, 60))):
        kind, name = chance.choice(TYPES), chance.choice(PROVINCES)
        buildings = position["provinces"][name]["buildings"]
        level = buildings.get(kind, 0) + 1
        if level <= 3 and tiles_left(load_position(position))[kind][str(level)] > 0:
            buildings[kind] = level


def lay_intrigue(chance: random.Random, position: Position) -> None:
    """Put tokens in the provinces; those activated lie there from the intrigue phase to the end of the action phase."""
    if len(position["players"]) == 1 or "Truce" in position["variants"]:
        return
    kinds = ["intrigue", "activated"] if position["phase"] in ("intrigue", "build", "action") else ["intrigue"]
    for seat in range(len(position["players"])):
        for _ in range(chance.choice((0, 2, 3, 3))):
            province = position["provinces"][chance.choice(PROVINCES)]
            kind = chance.choice(["intrigue", "intrigue", *kinds])
            if len(province.get("intrigue", [])) + len(province.get("activated", [])) < 3:
                province.setdefault(kind, []).append(seat)


def lay_medals(chance: random.Random, position: Position) -> None:
    if "Heroes" in position["variants"]:
        return
    for name in TYPES:
        if chance.random() < 0.5:
            chance.choice(position["players"]).setdefault("medals", []).append(name)


def fill_player(chance: random.Random, position: Position, seat: int, player: Position, names: list[str]) -> None:
    """Give a player what he may have."""
    player["own_intrigue"] = chance.choice(OWN_INTRIGUE)
    player["denarii"] = chance.choice((0, 3, 10, chance.randint(0, 40)))
    player["glory"] = chance.choice((1, 2, 4, 11, 12, 20, 29, 30, chance.randint(1, 15), chance.randint(1, 70)))
    track: list[str | None] = [*chance.sample(BONUSES, 3), *chance.choice(([], [None], [None, None]))]
    if chance.random() < 0.5:
        chance.shuffle(track)
    player["discord_track"] = track
    player["discord"] = chance.choice((0, 1, 1, 2, 2, 3))
    if sum(other.get("discord", 3) for other in position["players"]) > 11:
        player["discord"] = 0
    places = chance.choices(("board", *REGIONS), k=chance.choice((0, 1, 2, 3, 5, 7)))
    player["legions"] = dict(Counter(places))
    player["pantheon"] = random_pantheon(chance, position)
    player["sets"] = chance.choices(SET_TYPES, k=chance.choice((0, 0, 1, 2, 3)))
    player["anchor"] = sum(bool(other.get("anchor")) for other in position["players"]) < 3 and chance.random() < 0.3
    player["hand"] = chance.choices(names, k=chance.choice((0, 2, 3, 4, 5 - player["anchor"])))
    known = [mission["name"] for mission in position["data"]["missions"]]
    player["missions"] = chance.sample(known, chance.choice((0, 1, 2, 5)))


def choose_milestones(chance: random.Random, position: Position) -> None:
    """Say, mostly, which milestones are reached: all that are not above the glory, and some once passed."""
    if chance.random() < 0.1:
        return
    players = position["players"]
    for player in players:
        player["milestones"] = [first for first in MILESTONES if first <= player["glory"] or chance.random() < 0.1]
    behind = True
    while behind:
        behind = [
            (player, first)
            for player in players
            for first in MILESTONES
            if first not in player["milestones"] and player["glory"] >= marker_space(position, first)
        ]
        for player, first in behind:
            player["milestones"].append(first)


def random_pantheon(chance: random.Random, position: Position) -> dict[str, list[str]]:
    """Return a Pantheon whose roof is begun on a finished base, mostly."""
    pantheon: dict[str, list[str]] = {"base": [], "roof": []}
    for level, own in OWN_PIECES.items():
        pieces = pantheon[level]
        pieces += ["own"] * chance.choice((0, 1, own, own))
        metals = [metal for metal, left in pieces_left(load_position(position))[level].items() if left > 0]
        if metals and chance.random() < (0.6 if len(pieces) == own else 0.05):
            pieces.append(chance.choice(metals))
        if len(pieces) <= own and chance.random() < 0.8:
            break
    return pantheon


def place_followers(chance: random.Random, position: Position, seat: int, player: Position) -> None:
    """Place some followers of this round, with bonuses."""
    table = load_position(position)
    buildings = table["provinces"][province_of(table, seat)]["buildings"]
    placed: Counter[str] = Counter()
    left = followers_left(table["players"][seat])
    for _ in range(chance.randint(0, left)):
        place = chance.choice((*TYPES, "Colosseum", "Colosseum"))
        if place == "Colosseum" or placed[place] < buildings.get(place, 0):
            placed[place] += 1
    player["placed"] = dict(placed)
    free = player["discord_track"][: len(player["discord_track"]) - player["discord"]]
    player["bonus_used"] = [name for name in BONUSES if placed[name] and name in free and chance.random() < 0.5]


def choose_turn(chance: random.Random, position: Position) -> None:
    """Choose whose turn it is; he may have no followers left."""
    seats = range(len(position["players"]))
    if position["phase"] == "action":
        for seat, player in enumerate(position["players"]):
            place_followers(chance, position, seat, player)
    if position["phase"] != "event":
        position["to_move"] = chance.choice(seats)


# ---- Moves ----


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
    move |= keys_of_effect(chance, table, province, effect)
    move |= with_steps(chance, table, seat, "before", "activate_intrigue")
    return move | ({} if other is None else with_steps(chance, table, other, "answer", "intrigue_in_own_province"))


def keys_of_effect(chance: random.Random, table: Position, province: str, effect: str) -> Move:
    """Return what an effect does to a target: any of all ways, several of which are legal where one is."""
    ways = ways_of_effect(table, province, effect) or [{"card": name} for name in table["data"]["trade_cards"]]
    return dict(chance.choice(ways))


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
    """Return how an action is carried out; seldom with more or fewer steps than it has."""
    return dict(chance.choice(ways_of_action(place, bonus if chance.random() < 0.95 else not bonus)))


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
