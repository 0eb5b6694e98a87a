"""Positions made up at random, for the slow model and the engine: within the box, but not all reached by play."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.games.glory_of_rome.naive import (
    BONUSES,
    CHARACTERS,
    KNOWN_CARDS,
    MILESTONES,
    OWN_INTRIGUE,
    OWN_PIECES,
    PROVINCES,
    REGIONS,
    TYPES,
    followers_left,
    load_position,
    marker_space,
    pieces_left,
    province_of,
    tiles_left,
)

Position = dict[str, Any]

PHASES = ("event", "diplomacy", "intrigue", "build", "action", "income")
SET_TYPES = ("tools", "weapons", "textiles", "jewels")
WHEN = (
    "activate_intrigue",
    "intrigue_in_own_province",
    "build",
    "follower",
    "follower_colosseum",
    "follower_economic",
    "double_tax",
)
EFFECTS: tuple[dict[str, Any], ...] = (
    {"draw": 1},
    {"draw": 2},
    {"denarii": 2},
    {"denarii": 5},
    {"glory": 1},
    {"glory": 4},
    {"denarii": 1, "glory": 1},
    {"recruit_legions": 1},
    {"recruit_votes": 1},
    {"take_discard": 1},
    {"remove_anchor": True},
)
COUNTS = (
    "denarii",
    "glory",
    "legions",
    "votes",
    "sets",
    "medals",
    "pantheon",
    "discord",
    "followers",
    "trade_cards",
    "population",
    "first_places",
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
