"""What the slow model tells of a position: everything lying there, scores, and what can be done."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.games.glory_of_rome.naive import (
    BONUSES,
    CARDS,
    GENERAL_INTRIGUE,
    MILESTONES,
    OWN_INTRIGUE,
    PROVINCES,
    REGIONS,
    TYPES,
    Position,
    bonuses,
    count_of,
    followers,
    followers_left,
    intrigue_left,
    is_conquered,
    is_finished,
    is_solo,
    legions_in,
    marker_space,
    medals_left,
    meets,
    pieces_left,
    places_in,
    population,
    province_of,
    seat_before,
    tiles_left,
)
from tests.games.glory_of_rome.naive_gains import spaces_behind

POINTS = {"Epirus": (5, 2, 0), "Macedonia": (8, 4, 0), "Thrace": (10, 5, 3)}
POINTS_OF_FEW = {"Epirus": (5, 2, 0), "Macedonia": (4, 0, 0), "Thrace": (5, 3, 0)}
SET_POINTS = {"tools": 3, "weapons": 4, "textiles": 5, "jewels": 6}
PIECE_POINTS = {"gold": 4, "silver": 3, "bronze": 2, "own": 1}
KEPT = (
    "character",
    "denarii",
    "glory",
    "milestones",
    "discord",
    "legions",
    "votes",
    "placed",
    "pantheon",
    "medals",
    "sets",
    "hand",
    "anchor",
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
        "marker": {
            "space": (player["glory"] - 1) % 30 + 1,
            "side": "plain" if player["glory"] <= 30 else "+30",
        },
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
