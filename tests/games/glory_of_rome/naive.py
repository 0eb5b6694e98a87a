"""The Glory of Rome once more, slowly: positions as people write them down, in dictionaries and lists.

A position stays the dictionary it is written as, with all that was left out filled in. The numbers of the rulebook
stand here; of the files only those are read that no rulebook tells: prices, penalties, characters, cards. This file
lays a position out and reads from it what anybody could count.
"""

import copy
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sim

Position = dict[str, Any]
"""What `load_position` returns; a player and a province are dictionaries as well."""

FILES = Path(sim.__file__).parents[1] / "configs" / "games" / "glory_of_rome"
BOARD = tomllib.loads((FILES / "board.toml").read_text("utf-8"))
CHARACTERS = {row["name"]: row for row in tomllib.loads((FILES / "characters.toml").read_text("utf-8"))["character"]}
CARDS = {
    kind: tomllib.loads((FILES / f"{file}.toml").read_text("utf-8"))[row]
    for kind, file, row in (
        ("trade", "trade", "card"),
        ("missions", "missions", "mission"),
        ("events", "events", "event"),
    )
}

PROVINCES = ("Africa", "Gallia", "Hispania", "Italia")
REGIONS = ("Epirus", "Macedonia", "Thrace")
TYPES = ("military", "political", "commercial", "religious", "economic")
BONUSES = ("military", "political", "commercial")
PLACES = (*TYPES, "Colosseum", "intrigue")
METALS = ("gold", "silver", "bronze")
GENERAL_INTRIGUE = ("Slander", "Demolition")
OWN_INTRIGUE = ("Defection", "Deception", "Re-vote", "Invalid vote", "Sold", "Custom duty")
KNOWN_CARDS = {
    "Sundial": {"when": "follower", "effect": {"draw": 1}},
    "Compass": {"when": "follower", "effect": {"remove_anchor": True}},
    "Bulla": {"when": "follower", "effect": {"draw": 2}},
    "Snake bracelets": {"when": "follower", "effect": {"take_discard": 1}},
    "Spatha": {"when": "follower", "effect": {"recruit_legions": 1}},
}
MILESTONES = (5, 12, 21, 30)
SHIELDS = {"Epirus": 2, "Macedonia": 3, "Thrace": 4}
SENATE_VALUES = (1, 2, 3, 5, 6)
OWN_PIECES = {"base": 2, "roof": 3}


class IllegalError(Exception):
    """A move is against the rules."""


def must(condition: object, reason: str) -> None:
    """Stop a move that does not meet a condition."""
    if not condition:
        raise IllegalError(reason)


# ---- Laying out ----


def load_position(given: Position) -> Position:
    """Fill in what a written position leaves out."""
    table: Position = {
        "board": list(PROVINCES),
        "variants": [],
        "round": 1,
        "phase": "event",
        "starting_player": 0,
        "direction": "clockwise",
        "arrows": 1,
        "senate": [],
        "trade_deck": [],
        "trade_discard": [],
        "is_shuffled": False,
        **copy.deepcopy(given),
    }
    table["senate"] = list(table["senate"])
    if len(table["players"]) == 1:
        table["variants"] = sorted({*table["variants"], "Imperial"})
    table["data"] = lay_data(table.get("data") or {})
    table["provinces"] = {name: lay_province((given.get("provinces") or {}).get(name, {})) for name in PROVINCES}
    table["players"] = [lay_player(table, seat) for seat in range(len(table["players"]))]
    if table["phase"] == "event":
        table["to_move"] = None
    elif table.get("to_move") is None:
        table["to_move"] = table["starting_player"]
    return table


def lay_data(given: dict[str, Any]) -> dict[str, Any]:
    prices = {name: [[0, 0]] * 3 for name in TYPES}
    for row in BOARD["building"]:
        prices[row["type"]] = [*prices[row["type"]]]
        prices[row["type"]][row["level"] - 1] = [row["price"], row["glory"]]
    penalties = {row["population"]: row["glory"] for row in BOARD["penalty"]}
    trade = {row["name"]: row for row in CARDS["trade"] if row["name"] in KNOWN_CARDS}
    return {
        "prices": {**prices, **given.get("prices", {})},
        "penalties": {**penalties, **{int(key): value for key, value in given.get("penalties", {}).items()}},
        "shields": {**SHIELDS, **given.get("shields", {})},
        "senate_values": given.get("senate_values") or list(SENATE_VALUES),
        "trade_cards": {name: {"type": row["type"], **KNOWN_CARDS[name]} for name, row in trade.items()}
        | {card["name"]: card for card in given.get("trade_cards", [])},
        "missions": {card["name"]: card for card in given.get("missions", [])},
        "events": {card["name"]: card for card in given.get("events", [])},
    }


def lay_province(given: dict[str, Any]) -> dict[str, Any]:
    return {
        "buildings": dict.fromkeys(TYPES, 0) | given.get("buildings", {}),
        "intrigue": list(given.get("intrigue", [])),
        "activated": list(given.get("activated", [])),
    }


def lay_player(table: Position, seat: int) -> dict[str, Any]:
    given = table["players"][seat]
    character = CHARACTERS[given["character"]]
    legions, denarii = character["numbers"]
    player = {
        "own_intrigue": character["own_intrigue"],
        "denarii": denarii,
        "glory": character["glory"],
        "discord_track": [None if space == "none" else space for space in character["track"]],
        "discord": character["discord"],
        "legions": {"board": legions},
        "votes": character["votes"] - table["senate"].count(seat),
        "placed": {},
        "bonus_used": [],
        "pantheon": {},
        "medals": [],
        "sets": [],
        "hand": [],
        "anchor": character["anchor"],
        "missions": [],
        **{key: value for key, value in given.items() if value is not None},
    }
    player.setdefault("milestones", [space for space in MILESTONES if space <= player["glory"]])
    player["legions"] = dict.fromkeys(("board", *REGIONS), 0) | player["legions"]
    player["placed"] = dict.fromkeys(PLACES, 0) | player["placed"]
    player["pantheon"] = {level: list(player["pantheon"].get(level, [])) for level in OWN_PIECES}
    player["drawn_by"] = {}
    return player


# ---- Reading ----


def is_solo(table: Position) -> bool:
    return "Imperial" in table["variants"]


def place_of(table: Position, seat: int) -> int:
    """Side of the board a seat sits at; two players sit opposite."""
    return 2 * seat if len(table["players"]) == 2 else seat


def province_of(table: Position, seat: int) -> str:
    return str(table["board"][place_of(table, seat)])


def seat_before(table: Position, province: str) -> int | None:
    """Seat in front of which a province lies."""
    for seat in range(len(table["players"])):
        if province_of(table, seat) == province:
            return seat
    return None


def population(table: Position, province: str) -> int:
    return 1 + sum(table["provinces"][province]["buildings"].values())


def turn_order(table: Position) -> list[int]:
    """Seats from the starting player on, the way the event shows."""
    count, step = len(table["players"]), 1 if table["direction"] == "clockwise" else -1
    return [(table["starting_player"] + step * number) % count for number in range(count)]


def followers(player: dict[str, Any]) -> int:
    return 1 + len(player["milestones"])


def followers_left(player: dict[str, Any]) -> int:
    return followers(player) - sum(player["placed"].values())


def covered(player: dict[str, Any]) -> list[str | None]:
    """Spaces under discord: the ones farthest right."""
    track = player["discord_track"]
    return list(track[len(track) - player["discord"] :])


def bonuses(player: dict[str, Any]) -> list[str]:
    """Bonuses uncovered and not yet used."""
    free = [space for space in player["discord_track"][: len(player["discord_track"]) - player["discord"]] if space]
    return [name for name in BONUSES if name in free and name not in player["bonus_used"]]


def intrigue_left(table: Position, seat: int) -> int:
    lying = [seat for province in table["provinces"].values() for seat in province["intrigue"] + province["activated"]]
    return 3 - lying.count(seat)


def room(player: dict[str, Any]) -> int:
    """Cards that the hand takes beside those in it."""
    return 5 - len(player["hand"]) - int(player["anchor"])


def marker_space(table: Position, first: int) -> int:
    """Where a milestone lies now: a space lower for each who has reached it; the first never moves."""
    return first if first == 5 else first - sum(first in player["milestones"] for player in table["players"])


def tiles_left(table: Position) -> dict[str, dict[str, int]]:
    """Tiles in the supply: all but those that lie in the provinces, one on the other."""
    most = (4, 2, 1) if len(table["players"]) < 3 else (4, 3, 2)
    levels = {name: [province["buildings"][name] for province in table["provinces"].values()] for name in TYPES}
    return {
        name: {str(level): most[level - 1] - sum(built >= level for built in levels[name]) for level in (1, 2, 3)}
        for name in TYPES
    }


def medals_left(table: Position) -> list[str]:
    taken = [medal for player in table["players"] for medal in player["medals"]]
    return [name for name in TYPES if name not in taken and "Heroes" not in table["variants"]]


def pieces_left(table: Position) -> dict[str, dict[str, int]]:
    """Pieces of metal in the supply."""
    count = len(table["players"])
    most = {
        "base": {"gold": 1, "silver": 1 if count == 4 else 0, "bronze": 1 if count < 3 else 2},
        "roof": {"gold": 1, "silver": 1, "bronze": {4: 2, 3: 1}.get(count, 0)},
    }
    used = {
        level: Counter(piece for player in table["players"] for piece in player["pantheon"][level]) for level in most
    }
    return {level: {metal: most[level][metal] - used[level][metal] for metal in METALS} for level in most}


def is_finished(player: dict[str, Any], level: str) -> bool:
    """Whether a level has all its own pieces and one of metal."""
    pieces = player["pantheon"][level]
    return pieces.count("own") == OWN_PIECES[level] and len(pieces) > OWN_PIECES[level]


# ---- Regions ----


def legions_in(table: Position, region: str) -> int:
    return sum(player["legions"][region] for player in table["players"])


def is_conquered(table: Position, region: str) -> bool:
    return legions_in(table, region) >= table["data"]["shields"][region]


def places_in(table: Position, region: str) -> dict[int, tuple[int, bool]]:
    """Place of each seat with legions in a region, and whether it shares it; the military medal breaks ties."""
    players = table["players"]
    there = [seat for seat in range(len(players)) if players[seat]["legions"][region]]
    strength = {seat: (players[seat]["legions"][region], "military" in players[seat]["medals"]) for seat in there}
    ranking = sorted(set(strength.values()), reverse=True)
    alike = Counter(strength.values())
    return {seat: (1 + ranking.index(strength[seat]), alike[strength[seat]] > 1) for seat in there}


# ---- Counts and conditions of cards ----


def count_of(table: Position, seat: int, what: str) -> int:
    """What a card counts of a player."""
    player = table["players"][seat]
    counts = {
        "denarii": player["denarii"],
        "glory": player["glory"],
        "legions": sum(player["legions"][region] for region in REGIONS),
        "votes": table["senate"].count(seat),
        "sets": len(player["sets"]),
        "medals": len(player["medals"]),
        "pantheon": sum(len(pieces) for pieces in player["pantheon"].values()),
        "discord": player["discord"],
        "followers": followers(player),
        "trade_cards": len(player["hand"]),
        "population": population(table, province_of(table, seat)),
        "first_places": sum(
            is_conquered(table, region) and places_in(table, region).get(seat, (0, False))[0] == 1 for region in REGIONS
        ),
    }
    return int(counts[what])


def meets(table: Position, seat: int, condition: dict[str, Any] | None) -> bool:
    """Whether a player meets a condition; who ties for most or least does."""
    if condition is None:
        return True
    ((kind, value),) = condition.items()
    if kind == "medal":
        return value in table["players"][seat]["medals"]
    if kind == "at_least":
        return count_of(table, seat, value[0]) >= value[1]
    numbers = [count_of(table, other, value) for other in range(len(table["players"]))]
    return numbers[seat] == (max(numbers) if kind == "most" else min(numbers))


def spaces_behind(player: dict[str, Any]) -> int:
    """Spaces of the track, 30 long, that a marker has between it and space 1; which side is up changes nothing."""
    return int((player["glory"] - 1) % 30)


# ---- Results ----

POINTS = {"Epirus": (5, 2, 0), "Macedonia": (8, 4, 0), "Thrace": (10, 5, 3)}
POINTS_OF_FEW = {"Epirus": (5, 2, 0), "Macedonia": (4, 0, 0), "Thrace": (5, 3, 0)}
SET_POINTS = {"tools": 3, "weapons": 4, "textiles": 5, "jewels": 6}
PIECE_POINTS = {"gold": 4, "silver": 3, "bronze": 2, "own": 1}
KEPT = (
    *("character", "denarii", "glory", "milestones", "discord", "legions", "votes", "placed", "pantheon", "medals"),
    *("sets", "hand", "anchor"),
)
Try = Callable[[Position, dict[str, Any]], bool]


def result_of(table: Position, moves: list[dict[str, Any]], can: Try) -> dict[str, Any]:
    """Tell everything; `can` says whether a move would be legal."""
    scores = [score_of(table, seat) for seat in range(len(table["players"]))]
    return {
        "moves": moves,
        "round": table["round"],
        "phase": table["phase"],
        "direction": table["direction"],
        "to_move": table["to_move"],
        "milestone_markers": {str(first): marker_space(table, first) for first in MILESTONES},
        "trade_deck": len(table["trade_deck"]),
        "trade_discard": list(table["trade_discard"]),
        "players": [player_of(table, seat, scores) for seat in range(len(table["players"]))],
        "provinces": {name: province_told(table, name) for name in PROVINCES},
        "regions": {
            region: {
                "conquered": is_conquered(table, region),
                "legions": legions_in(table, region),
                "places": {str(seat): place for seat, (place, _) in places_in(table, region).items()},
            }
            for region in REGIONS
        },
        "senate": [
            {"seat": seat, "value": value}
            for seat, value in zip(table["senate"], table["data"]["senate_values"], strict=False)
        ],
        "supply": {
            "tiles": tiles_left(table),
            "medals": medals_left(table),
            "pantheon": pieces_left(table),
            "discord": 11 - sum(player["discord"] for player in table["players"]),
        },
        "cards": {kind: cards_in_game(table, kind) for kind in ("events", "missions", "trade")},
        "legal": legal(table, can),
    }


def player_of(table: Position, seat: int, scores: list[dict[str, int]]) -> dict[str, Any]:
    player = table["players"][seat]
    twice = 2 * population(table, province_of(table, seat))
    penalty = penalty_of(table, seat)
    told = {
        **{key: copy.deepcopy(player[key]) for key in KEPT},
        "missions": {name: mission_points(table, seat, name) for name in player["missions"]},
        "province": province_of(table, seat),
        "marker": {"space": (player["glory"] - 1) % 30 + 1, "side": "plain" if player["glory"] <= 30 else "+30"},
        "followers": followers(player),
        "followers_left": followers_left(player),
        "bonuses": bonuses(player),
        "intrigue_left": intrigue_left(table, seat),
        "income": {
            "normal": twice // 2,
            "double": twice,
            "penalty": penalty,
            "can_double": spaces_behind(player) >= penalty,
        },
        "score": scores[seat],
        "rank": 1 + sum(rank_key(table, scores, other) > rank_key(table, scores, seat) for other in range(len(scores))),
        "achievements": achievements(table, seat, scores[seat]),
    }
    return told | (tasks_and_title(table, seat) if is_solo(table) else {})


def province_told(table: Position, name: str) -> dict[str, Any]:
    province = table["provinces"][name]
    return {
        "buildings": dict(province["buildings"]),
        "population": population(table, name),
        "seat": seat_before(table, name),
        "intrigue": sorted(province["intrigue"]),
        "activated": sorted(province["activated"]),
    }


def penalty_of(table: Position, seat: int) -> int:
    return int(table["data"]["penalties"][population(table, province_of(table, seat))])


def cards_in_game(table: Position, kind: str) -> int:
    """Cards of the files that are in the game after all removals."""
    few, variants = len(table["players"]) < 3, table["variants"]
    return sum(
        row.get("copies", 1)
        for row in CARDS[kind]
        if not (few and row.get("star"))
        and not set(row.get("removed_in", [])) & set(variants)
        and (not row.get("negative") or "Hard Times" in variants)
    )


# ---- Final scoring ----


def score_of(table: Position, seat: int) -> dict[str, int]:
    player = table["players"][seat]
    points = POINTS_OF_FEW if len(table["players"]) < 3 else POINTS
    parts = {
        "track": player["glory"],
        "military": sum(region_points(table, seat, region, points[region]) for region in REGIONS),
        "politics": sum(
            value
            for owner, value in zip(table["senate"], table["data"]["senate_values"], strict=False)
            if owner == seat
        ),
        "commerce": sum(SET_POINTS[kind] for kind in player["sets"]),
        "religion": sum(PIECE_POINTS[piece] for pieces in player["pantheon"].values() for piece in pieces),
        "missions": sum(mission_points(table, seat, name) for name in player["missions"]),
        "denarii": player["denarii"] // denarii_for_point(player),
    }
    return parts | {"total": sum(parts.values())}


def region_points(table: Position, seat: int, region: str, points: tuple[int, ...]) -> int:
    """Points of a conquered region; who shares a place gets none for it."""
    place, shared = places_in(table, region).get(seat, (0, True))
    if shared or place > len(points) or not is_conquered(table, region):
        return 0
    return points[place - 1]


def mission_points(table: Position, seat: int, name: str) -> int:
    mission = table["data"]["missions"][name]
    if "per" in mission:
        return int(mission["points"] * count_of(table, seat, mission["per"]))
    return int(mission["points"]) if meets(table, seat, mission["if"]) else 0


def is_fulfilled(table: Position, seat: int, name: str) -> bool:
    """Whether a mission is fulfilled: its condition is met, or there is something to count."""
    mission = table["data"]["missions"][name]
    if "per" in mission:
        return count_of(table, seat, mission["per"]) > 0
    return meets(table, seat, mission["if"])


def denarii_for_point(player: dict[str, Any]) -> int:
    return 3 if "religious" in player["medals"] else 4


def rank_key(table: Position, scores: list[dict[str, int]], seat: int) -> tuple[int, int]:
    """What the winner has most of: points, then denarii that were not exchanged."""
    player = table["players"][seat]
    return scores[seat]["total"], player["denarii"] % denarii_for_point(player)


def achievements(table: Position, seat: int, score: dict[str, int]) -> list[str]:
    player = table["players"][seat]
    reached = {
        "glory_100": score["total"] >= 100,
        "jewel_sets_2": player["sets"].count("jewels") >= 2,
        "sets_of_one_type_3": any(player["sets"].count(kind) >= 3 for kind in SET_POINTS),
        "golden_pantheon": all("gold" in pieces for pieces in player["pantheon"].values()),
        "no_discord": player["discord"] == 0,
        "five_medals": len(player["medals"]) == 5,
        "track_61": score["track"] >= 61,
        "first_in_three_regions": count_of(table, seat, "first_places") == 3,
        "senate_12": score["politics"] >= 12,
        "missions_4": sum(is_fulfilled(table, seat, name) for name in player["missions"]) >= 4,
        "author_113": score["total"] >= 113,
    }
    return [name for name, is_reached in reached.items() if is_reached]


def tasks_and_title(table: Position, seat: int) -> dict[str, Any]:
    """Tasks of the Imperial variant, and the title they bring."""
    player = table["players"][seat]
    fulfilled = {
        "glory": player["glory"] >= 51,
        "medals": len(player["medals"]) >= 3,
        "regions": sum(is_conquered(table, region) for region in REGIONS) >= 2,
        "votes": table["senate"].count(seat) >= 4,
        "sets": len(player["sets"]) >= 2,
        "pantheon": all(is_finished(player, level) for level in player["pantheon"]),
        "missions": sum(is_fulfilled(table, seat, name) for name in player["missions"]) >= 2,
    }
    tasks = [name for name, done in fulfilled.items() if done]
    titles = {4: "Praetor", 5: "Praetor", 6: "Imperator", 7: "Son of Jupiter"}
    return {"tasks": tasks, "title": titles.get(len(tasks))}


# ---- What can be done: every way of doing it is tried ----


def legal(table: Position, can: Try) -> dict[str, list[str]] | None:
    """What the one to move can do now in full, without playing cards first."""
    seat, phase = table["to_move"], table["phase"]
    if seat is None or phase not in ("intrigue", "build", "action", "income"):
        return None
    if phase == "intrigue":
        found = {
            f"{name}: {effect}"
            for name in PROVINCES
            for effect in (*GENERAL_INTRIGUE, *OWN_INTRIGUE)
            if any(
                can(table, {"p": seat, "do": "activate", "province": name, "effect": effect, **keys})
                for keys in ways_of_effect(table, name, effect)
            )
        }
        return {"activate": sorted(found)}
    if phase == "build":
        tiles = [
            f"{name} {level}"
            for name in TYPES
            for level in (1, 2, 3)
            if can(table, {"p": seat, "do": "build", "type": name, "level": level})
        ]
        return {"build": sorted(tiles)}
    if phase == "income":
        ways = [
            name for name in ("normal", "double") if can(table, {"p": seat, "do": "tax", "double": name == "double"})
        ]
        return {"tax": ways}
    return {
        "follower": sorted(
            f"{place} with bonus" if bonus else place
            for place in (*TYPES, "Colosseum", "intrigue")
            for bonus in ((False, True) if place in BONUSES else (False,))
            if any(
                can(table, {"p": seat, "do": "follower", "on": place, "bonus": bonus, **keys})
                for keys in ways_of_action(place, bonus)
            )
        )
    }


def ways_of_effect(table: Position, province: str, effect: str) -> list[dict[str, Any]]:
    """All keys an effect may come with."""
    if effect == "Demolition":
        return [{"level": level} for level in ("base", "roof")]
    if effect == "Defection":
        return [{"region": region, "replace": replace} for region in REGIONS for replace in (False, True)]
    if effect == "Deception":
        return [{"from": [one, two], "to": to} for one in REGIONS for two in REGIONS for to in REGIONS]
    if effect in ("Re-vote", "Invalid vote"):
        return [{"vote": number} for number in range(1, 6)]
    if effect in ("Sold", "Custom duty"):
        target = seat_before(table, province)
        return [] if target is None else [{"card": card} for card in table["players"][target]["hand"]]
    return [{}]


def ways_of_action(place: str, bonus: bool) -> list[dict[str, Any]]:
    """All keys an action may come with."""
    if place == "religious":
        return [{"level": level} for level in ("base", "roof")]
    if place != "military":
        return [{}]
    steps = [{"to": to} for to in REGIONS]
    steps += [{"from": source, "to": to} for source in REGIONS for to in REGIONS]
    return (
        [{"legions": [one, two]} for one in steps for two in steps] if bonus else [{"legions": [one]} for one in steps]
    )
