"""Positions and moves made up at random, legal and illegal ones, come out as the slow model says, in every field."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.games.glory_of_rome import naive_moves
from tests.games.glory_of_rome.inspecting import inspect
from tests.games.glory_of_rome.naive_random import random_position, with_moves
from tests.kit import differences

NAMES = ("Junia Secunda", "Fulvia", "Livia Drusilla", "Marcus Antonius")
FOLLOWER = {"p": 0, "do": "follower"}
UNORDERED = ("hand", "sets", "medals", "milestones", "bonuses", "achievements", "tasks")


def by_engine(position: dict[str, Any]) -> dict[str, Any]:
    """What the engine makes of a position."""
    return compared(inspect(copy.deepcopy(position)))


def by_model(position: dict[str, Any]) -> dict[str, Any]:
    """What the slow model makes of it."""
    return compared(naive_moves.inspect(position))


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
    others = [{"character": name} for name in NAMES[1:3]]
    return {"players": [{"character": NAMES[0], **first}, *others], "round": 4, **keys}


def both(position: dict[str, Any]) -> dict[str, Any]:
    """Result of a position, on which model and engine must agree; a failure shows where they first differ."""
    result = by_engine(position)
    assert by_model(position) == result, differences.where_they_differ(position, by_model, by_engine)
    return result


def made_up(name: str, phase: str, seed: int, moves: int, legal: float = 0.75) -> dict[str, Any]:
    """Random position in a phase, with random moves."""
    chance = random.Random(f"{name} {seed}")
    return with_moves(chance, random_position(chance, phase), moves, legal)


# ---- Random positions ----

# Together these seeds reach every line of the model, the rules and the moves that the first sixty seeds reach.
MOVES = {
    "event": (0, 2),
    "diplomacy": (7, 8, 10, 13, 14),
    "intrigue": (3, 6, 11),
    "build": (13, 14),
    "action": (3, 4, 11, 14, 15),
    "income": (3, 9),
}
OPTIONS = {"intrigue": (0, 5, 6), "action": (1, 6, 7, 11, 13)}


def test_moves_from_every_phase_on_are_of_all_kinds_legal_and_illegal() -> None:
    made: set[tuple[str, bool]] = set()
    for phase, seeds in MOVES.items():
        for seed in seeds:
            position = made_up(phase, phase, seed, 7)
            fates = zip(position["moves"], both(position)["moves"], strict=True)
            made |= {(move["do"], fate["ok"]) for move, fate in fates}
    kinds = ("event", "diplomacy", "activate", "build", "follower", "tax", "sell", "pass")
    assert {(do, True) for do in kinds} <= made
    assert {(do, False) for do in ("activate", "build", "follower")} <= made


@pytest.mark.sweep
@pytest.mark.parametrize("phase", MOVES)
def test_many_moves_from_every_phase_on(phase: str) -> None:
    for seed in range(2500):
        both(made_up(phase, phase, seed, 7))


@pytest.mark.parametrize(("phase", "seed"), [("event", 1002), ("income", 2494)])
def test_the_target_of_an_intrigue_sells_no_card(phase: str, seed: int) -> None:
    position = made_up(phase, phase, seed, 7)
    assert any("sell" in step for step in position["moves"][-1]["answer"])
    assert not both(position)["moves"][-1]["ok"]


@pytest.mark.parametrize("phase", OPTIONS)
def test_what_can_be_done(phase: str, scaled: Callable[..., int]) -> None:
    for seed in [*OPTIONS[phase], *range(scaled(0, 0, 2500))]:
        both(made_up(f"can {phase}", phase, seed, 1))


def test_rounds_played_to_their_end(scaled: Callable[..., int]) -> None:
    for seed in range(scaled(1, 1, 300)):
        both(made_up("round", "event", seed, 45, 0.9))


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


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_is_left_out_is_as_after_set_up_with_nothing_dealt(players: int) -> None:
    seats = [{"character": name} for name in NAMES[:players]]
    both({"players": seats})
    # Milestones follow from glory, and votes of the column are not on the board.
    told = [{**seat, "glory": glory} for seat, glory in zip(seats, (21, 12, 4, 31), strict=False)]
    result = both({"players": told, "senate": [0, 0, players - 1], "round": 3, "phase": "build"})
    assert result["players"][0]["milestones"] == [5, 12, 21]
    assert result["to_move"] == 0
    # A position may say that no milestone is reached, whatever the glory.
    result = both({"players": [{**seat, "glory": 30, "milestones": []} for seat in seats]})
    assert [player["followers"] for player in result["players"]] == [1] * players


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
