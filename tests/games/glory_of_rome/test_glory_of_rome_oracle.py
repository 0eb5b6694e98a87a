"""Positions and moves made up at random, legal and illegal ones, come out as the slow model says, in every field."""

import copy
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.games.glory_of_rome import naive_moves
from tests.games.glory_of_rome.inspecting import inspect
from tests.games.glory_of_rome.naive_random import PHASES, random_position, with_moves
from tests.kit import differences

NAMES = ("Junia Secunda", "Fulvia", "Livia Drusilla")
FOLLOWER = {"p": 0, "do": "follower"}
UNORDERED = ("hand", "sets", "medals", "milestones", "bonuses", "achievements", "tasks")


def by_engine(position: dict[str, Any]) -> dict[str, Any]:
    """What the engine makes of a position."""
    return compared(inspect(copy.deepcopy(position)))


def by_model(position: dict[str, Any]) -> dict[str, Any]:
    """What the slow model makes of it."""
    return compared(naive_moves.inspect(position))


def where_they_differ(position: dict[str, Any]) -> list[str]:
    """Where model and engine differ, after as few of the moves as show it."""
    return differences.where_they_differ(position, by_model, by_engine)


def compared(result: dict[str, Any]) -> dict[str, Any]:
    """What is compared of a result: without reasons, and without the order of what has none."""
    for move in result["moves"]:
        move.pop("reason", None)
    for player in result["players"]:
        for key in UNORDERED:
            if key in player:
                player[key] = sorted(player[key])
        player["pantheon"] = {level: sorted(pieces) for level, pieces in player["pantheon"].items()}
    for province in result["provinces"].values():
        for key in ("intrigue", "activated"):
            province[key] = sorted(province[key])
    result["supply"]["medals"] = sorted(result["supply"]["medals"])
    if result["legal"]:
        result["legal"] = {key: sorted(texts) for key, texts in result["legal"].items()}
    return result


def table(first: dict[str, Any], **keys: Any) -> dict[str, Any]:
    """Position of three players, of whom the first is told."""
    others = [{"character": name} for name in NAMES[1:]]
    return {"players": [{"character": NAMES[0], **first}, *others], "round": 4, **keys}


def both(position: dict[str, Any]) -> dict[str, Any]:
    """Result of a position, about which model and engine agree."""
    assert where_they_differ(position) == []
    return by_engine(position)


# ---- Random positions ----


@pytest.mark.parametrize("phase", PHASES)
def test_moves_from_every_phase_on(phase: str, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(4, 4, 2500)):
        chance = random.Random(f"{phase} {seed}")
        assert where_they_differ(with_moves(chance, random_position(chance, phase), 7)) == [], seed


@pytest.mark.parametrize(("phase", "seed"), [("event", 1002), ("income", 2494)])
def test_the_target_of_an_intrigue_sells_no_card(phase: str, seed: int) -> None:
    chance = random.Random(f"{phase} {seed}")
    position = with_moves(chance, random_position(chance, phase), 7)
    assert any("sell" in step for step in position["moves"][-1]["answer"])
    assert not both(position)["moves"][-1]["ok"]


@pytest.mark.parametrize("phase", ["intrigue", "action"])
def test_what_can_be_done(phase: str, scaled: Callable[..., int]) -> None:
    for seed in range(scaled(15, 15, 2500)):
        chance = random.Random(f"can {phase} {seed}")
        assert where_they_differ(with_moves(chance, random_position(chance, phase), 1)) == [], seed


def test_rounds_played_to_their_end(scaled: Callable[..., int]) -> None:
    for seed in range(scaled(3, 2, 300)):
        chance = random.Random(f"round {seed}")
        assert where_they_differ(with_moves(chance, random_position(chance, "event"), 45, 0.9)) == [], seed


def test_moves_made_up_are_of_all_kinds_legal_and_illegal() -> None:
    made: Counter[tuple[str, bool]] = Counter()
    for number in range(24):
        chance = random.Random(f"kinds {number}")
        position = with_moves(chance, random_position(chance, PHASES[number % len(PHASES)]), 6)
        results = by_model(position)["moves"]
        made.update((move["do"], result["ok"]) for move, result in zip(position["moves"], results, strict=True))
    assert {"event", "diplomacy", "activate", "build", "follower", "tax", "sell", "pass"} <= {
        do for do, ok in made if ok
    }
    assert {"activate", "build", "follower"} <= {do for do, ok in made if not ok}


# ---- Rules that random positions seldom reach ----


@pytest.mark.parametrize("effect", ["Re-vote", "Deception"])
def test_own_intrigue_needs_the_pieces_it_moves(effect: str) -> None:
    for number, can in ((0, False), (1, effect == "Re-vote"), (2, True)):
        position = table({"own_intrigue": effect}, phase="intrigue", senate=[1])
        position["provinces"] = {"Gallia": {"intrigue": [0]}}
        position["players"][0]["votes"] = number
        position["players"][1] |= {"discord": 0, "legions": {"Thrace": number}}
        legal = both(position)["legal"]["activate"]
        assert (f"Gallia: {effect}" in legal) == can


def test_only_a_vote_pushed_out_of_a_full_column_can_be_the_second_one() -> None:
    built = {"Africa": {"buildings": {"political": 1}}}
    first = {"votes": 1, "discord": 0}
    for column, can in (([0, 1, 2, 1, 2], True), ([1, 0, 2, 1, 2], False), ([0, 1, 2, 1], False)):
        legal = both(table(first, phase="action", provinces=built, senate=column))["legal"]["follower"]
        assert ("political with bonus" in legal) == can


def test_milestone_whose_marker_lies_behind_is_not_reached() -> None:
    position = table({"glory": 13, "milestones": [5]}, phase="action")
    position["players"][1] |= {"glory": 11, "milestones": [5]}
    moves = [{**FOLLOWER, "p": seat, "on": "Colosseum"} for seat in (0, 1)]
    result = both({**position, "moves": moves})
    assert [player["milestones"] for player in result["players"]] == [[5], [5, 12], []]


# ---- Where the two once disagreed ----


def test_religious_medal_brings_no_glory_when_the_game_is_over() -> None:
    taxes = [{"p": seat, "do": "tax"} for seat in range(3)]
    first = {"medals": ["religious"], "denarii": 9}
    pays = {"p": 0, "do": "pay", "times": 1}
    last = both(table(first, phase="income", moves=[*taxes, pays]) | {"round": 9})
    assert (last["phase"], last["moves"][-1]["ok"]) == ("over", False)
    assert both(table(first, phase="income", moves=[*taxes, pays]))["moves"][-1]["ok"]


def test_level_of_the_pantheon_without_an_own_piece_is_not_finished() -> None:
    first = {"pantheon": {"base": ["own", "gold"], "roof": []}}
    built = {"Africa": {"buildings": {"religious": 2}}}
    roof, base = ({**FOLLOWER, "on": "religious", "level": level} for level in ("roof", "base"))
    result = both(table(first, phase="action", provinces=built, moves=[roof, base]))
    assert [move["ok"] for move in result["moves"]] == [False, True]
    assert sorted(result["players"][0]["pantheon"]["base"]) == ["gold", "own", "own"]


def test_mission_is_fulfilled_by_its_condition_whatever_it_brings() -> None:
    missions = [{"name": f"mission {points}", "points": points, "if": {"most": "votes"}} for points in (-1, 0, 2)]
    missions.append({"name": "mission per", "points": 0, "per": "denarii"})
    first = {"missions": [mission["name"] for mission in missions]}
    assert "missions_4" in both(table(first, data={"missions": missions}))["players"][0]["achievements"]
    fewer = {**first, "denarii": 0}
    assert "missions_4" not in both(table(fewer, data={"missions": missions}))["players"][0]["achievements"]


def test_answer_does_not_make_an_effect_possible() -> None:
    card = {"name": "Cloak", "type": "textiles", "when": "intrigue_in_own_province", "effect": {"glory": 1}}
    slander = {"p": 0, "do": "activate", "province": "Gallia", "effect": "Slander"}
    for glory in (1, 2):
        position = table({}, phase="intrigue", provinces={"Gallia": {"intrigue": [0]}}, data={"trade_cards": [card]})
        position["players"][1] |= {"glory": glory, "hand": ["Cloak"], "discord": 0}
        result = both({**position, "moves": [{**slander, "answer": [{"play": "Cloak"}]}]})
        assert result["moves"][0]["ok"] == (glory == 2)


def test_marker_of_a_milestone_stops_on_every_space_it_comes_down() -> None:
    position = table({"glory": 11}, phase="action", moves=[{**FOLLOWER, "on": "Colosseum"}])
    position["players"].append({"character": "Gaius Octavius"})
    for player, glory in zip(position["players"][1:], (11, 11, 10), strict=True):
        player["glory"] = glory
    result = both(position)
    assert result["milestone_markers"]["12"] == 8
    assert all(player["milestones"] == [5, 12] for player in result["players"])
