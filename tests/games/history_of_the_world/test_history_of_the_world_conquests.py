"""Conquests in positions: which lands are reached and by which way, battles with given dice, what is refused."""

from typing import Any

import pytest

from tests.games.history_of_the_world.inspecting import (
    AMBER,
    COAST,
    FOUND,
    STOP,
    Position,
    after,
    again,
    army,
    coast,
    conquer,
    inspect,
    refused,
    roll,
)

LOST, WON = roll([1, 2], [6]), roll([6, 1], [2])


# ---- Reach ----


@pytest.mark.parametrize(
    ("army_in", "discs", "reached"),
    [
        (
            "Rhine", {"fleets": ["North Sea"]},
            ["Iberia", "Gaul", "Britannia", "Alemannia", "Scandinavia", "Volga"],
        ),
        (
            "Tarim Basin", {"caravans": ["Himalaya"]},
            ["Turan", "Wei", "Szechuan", "Irrawaddy", "Bengal", "Ganges", "Hindu Kush"],
        ),
        (
            "Arabian Peninsula", {"fleets": ["Indian Ocean"]},
            [
                "Southern Cape", "Horn of Africa", "Nubia", "Nile", "Ghats", "Australia", "Tigris", "Zagros",
                "Persian Plateau", "Indus", "Deccan",
            ],
        ),
    ],
)  # fmt: skip
def test_worked_examples_of_adjacency(army_in: str, discs: dict[str, Any], reached: list[str]) -> None:
    position = {
        "players": [{"name": "blue"}],
        "lands": {army_in: army("blue", active=True)},
        "turn": {"player": "blue", **discs},
    }
    way = "fleet" if "fleets" in discs else "caravan"
    assert sorted(inspect(position)["reach"][way]) == sorted(reached)


@pytest.mark.parametrize(
    ("army_in", "turn", "reach"),
    [
        ("Amber", {}, {"border": ["Birch"], "stepping_stones": ["Delta"]}),
        ("Delta", {}, {"stepping_stones": ["Amber"]}),
        ("Fen", {}, {}),
        ("Amber", {"fleets": ["Bay"]}, {"border": ["Birch"], "stepping_stones": ["Delta"], "fleet": ["Delta"]}),
        ("Cedar", {"caravans": ["Dunes"]}, {"border": ["Birch"], "caravan": ["Elm"]}),
        ("Fen", {"fleets": ["Deep"]}, {"fleet": ["Amber", "Delta", "Elm"]}),
        ("Fen", {"fleets": ["Bay"]}, {}),
        ("Cedar", {"fleets": ["Gulf"]}, {"border": ["Birch"]}),
        (
            "Cedar", {"fleets": ["Gulf"], "caravans": ["Dunes"]},
            {"border": ["Birch"], "caravan": ["Elm"], "fleet": ["Delta", "Elm"]},
        ),
        ("Amber", {"fleets": ["Bay", "Gulf"]}, {"border": ["Birch"], "stepping_stones": ["Delta"], "fleet": ["Delta"]}),
    ],
)  # fmt: skip
def test_ways_to_reach_a_land(army_in: str, turn: dict[str, Any], reach: dict[str, list[str]]) -> None:
    found = inspect(coast({army_in: army("blue", active=True)}, turn=turn))["reach"]
    assert {way: lands for way, lands in found.items() if lands} == reach


def test_targets_say_what_defends_them() -> None:
    lands = {**AMBER, "Birch": army("red", fort=True), "Delta": army("blue")}
    assert inspect(coast(lands, turn={"fleets": ["Bay"], "armies": 0}))["targets"] == {
        "Birch": {
            "holder": "red", "battle": True, "defender_dice": 2, "defender_bonus": 1,
            "border": True, "stepping_stones": False, "caravan": False, "fleet": False,
        },
        "Delta": {
            "holder": "blue", "battle": False, "defender_dice": 0, "defender_bonus": 0,
            "border": False, "stepping_stones": True, "caravan": False, "fleet": True,
        },
    }  # fmt: skip


def test_inactive_armies_conquer_nothing() -> None:
    assert inspect(coast({"Amber": army("blue")}))["targets"] == {}
    assert inspect(coast(AMBER, turn={"step": "inactivate"}))["targets"] == {}


# ---- Conquests ----


def test_an_empty_land_is_occupied() -> None:
    result = after(coast(AMBER), conquer("Birch"))
    assert result["moves"][0]["result"] == "occupied"
    assert result["moves"][0]["battles"] == []
    assert result["lands"]["Birch"] == army("blue", active=True)
    assert result["turn"]["armies"] == 4


def test_an_own_inactive_army_is_replaced() -> None:
    result = after(coast({**AMBER, "Birch": army("blue", structures="city", fort=True)}), conquer("Birch"))
    assert result["lands"]["Birch"] == army("blue", active=True, structures="city", fort=True)
    assert result["players"]["blue"]["supply"] == 25 - 7 + 1


@pytest.mark.parametrize(
    ("structures", "left", "destroyed"),
    [
        ("capital monument", ["city", "monument"], "capital"), ("city monument", ["monument"], "city"),
        ("monument", [], "monument"), ("", [], None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("outcome", ["won", "tie"])
def test_a_battle_destroys_one_structure_and_the_fort(
    structures: str, left: list[str], destroyed: str | None, outcome: str
) -> None:
    defender = {"won": [1, 2], "tie": [5, 1]}[outcome]
    position = coast({**AMBER, "Birch": army("red", structures=structures, fort=True)})
    result = after(position, conquer("Birch", roll([6, 2], defender)))
    move = result["moves"][0]
    assert (move["result"], move["destroyed"], move["fort_removed"], move["points"]) == (outcome, destroyed, True, 0)
    assert result["lands"]["Birch"]["structures"] == left
    assert result["lands"]["Birch"]["army"] == ("blue" if outcome == "won" else None)
    assert result["players"]["red"]["supply"] == 25


def test_a_siege_adds_up_to_three() -> None:
    position = coast({**AMBER, "Birch": army("red")})
    siege = roll([1, 1], [6], then="siege")
    result = after(position, conquer("Birch", siege, siege, siege, siege, roll([3, 1], [6])))
    move = result["moves"][0]
    assert [battle["attacker"] for battle in move["battles"]] == [1, 2, 3, 4, 6]
    assert [battle["result"] for battle in move["battles"]] == ["lost"] * 5
    assert (move["result"], move["siege_bonus"]) == ("retreated", 3)
    assert (result["turn"]["armies"], result["players"]["blue"]["supply"]) == (0, 24)


def test_a_siege_is_won_with_its_bonus() -> None:
    position = coast({**AMBER, "Birch": army("red")})
    siege = roll([1, 1], [6], then="siege")
    result = after(position, conquer("Birch", siege, siege, roll([6, 1], [6])))
    move = result["moves"][0]
    assert [(battle["attacker"], battle["defender"]) for battle in move["battles"]] == [(1, 7), (2, 7), (8, 7)]
    assert (move["result"], move["siege_bonus"]) == ("won", 2)
    assert result["turn"]["armies"] == 2
    assert result["players"]["blue"]["supply"] == 25 - 6 + 2


def test_a_lost_attack_retreats() -> None:
    position = coast({**AMBER, "Cedar": army("blue", active=True), "Birch": army("red", fort=True)})
    for keys in ({}, {"then": "retreat"}):
        result = after(position, conquer("Birch", roll([2, 2], [1, 2], **keys)))
        move = result["moves"][0]
        assert (move["result"], move["fort_removed"], move["siege_bonus"]) == ("retreated", False, 0)
        assert move["battles"] == [{"attacker": 2, "defender": 3, "result": "lost"}]
        assert result["lands"]["Birch"] == army("red", fort=True)
        assert (result["turn"]["armies"], result["players"]["blue"]["supply"]) == (4, 19)


def test_a_siege_token_stands_for_an_army() -> None:
    position = coast({**AMBER, "Birch": army("red")}, turn={"armies": 1, "siege_tokens": 1})
    moves = conquer("Birch", roll([1, 1], [6], then="siege token"), roll([6, 6], [5]))
    result = after(position, moves)
    assert result["moves"][0]["siege_bonus"] == 1
    assert (result["turn"]["armies"], result["turn"]["siege_tokens"]) == (0, 0)
    assert result["players"]["blue"]["supply"] == 25 - 2
    assert "siege" in refused(position, conquer("Birch", roll([1, 1], [6], then="siege"), roll([6, 6], [5])))


@pytest.mark.parametrize(
    ("rerolls", "defender"),
    [([], 3), ([{"by": "defender", "pass": True}], 3), ([again("defender", 2, 6)], 6), ([again("defender", 2, 1)], 1)],
)
def test_a_defender_re_rolls_against_a_fleet(rerolls: list[dict[str, Any]], defender: int) -> None:
    position = coast({**AMBER, "Delta": army("red")}, turn={"fleets": ["Bay"]})
    shown = 2 if rerolls and "from" in rerolls[0] else 3
    result = after(position, conquer("Delta", roll([6, 2], [shown], *rerolls), way="fleet"))
    assert result["moves"][0]["battles"][0]["defender"] == defender


def test_both_sides_re_roll_in_turn_the_attacker_first() -> None:
    events = [{"event": "Drums", "kind": "enhancement", "effect": {"attacker_rerolls": 2}}]
    players = [{"name": "blue", "score": 1, "events": ["Drums"]}, {"name": "red", "score": 2}]
    lands = {**AMBER, "Delta": army("red")}
    position = coast(lands, events=events, players=players, turn={"fleets": ["Bay"]})
    drums = {"do": "event", "event": "Drums"}
    mine, yours = again("attacker", 1, 2), again("defender", 6, 3)
    result = after(
        position, drums, conquer("Delta", roll([1, 1], [6], mine, yours, again("attacker", 1, 4)), way="fleet")
    )
    assert result["moves"][1]["battles"] == [{"attacker": 4, "defender": 3, "result": "won"}]
    passed = {"by": "attacker", "pass": True}
    result = after(position, drums, conquer("Delta", roll([1, 1], [6], passed, yours), way="fleet"))
    assert result["moves"][1]["battles"][0] == {"attacker": 1, "defender": 3, "result": "lost"}
    late = roll([1, 1], [6], yours, mine)
    assert "no re-roll" in refused(position, conquer("Delta", late, way="fleet"), drums)
    anew = conquer(
        "Delta", roll([1, 1], [6], mine, again("defender", 6, 5), then="siege"), roll([1, 1], [6], mine, yours),
        way="fleet",
    )  # fmt: skip
    assert [battle["defender"] for battle in after(position, drums, anew)["moves"][1]["battles"]] == [5, 3]


MARAUDERS = [{"empire": "Raiders", "marauder": True}]


def raid(score: int, others: list[int]) -> Position:
    """Return a position in which marauders attack a city."""
    players = [{"name": "blue", "score": score, "empire": "Raiders"}]
    players += [{"name": f"player {each}", "score": each} for each in others]
    lands = {**AMBER, "Birch": army(f"player {others[0]}", structures="city")}
    return coast(lands, players=players, empires=MARAUDERS)


def test_marauders_gain_a_point_for_what_they_destroy() -> None:
    result = after(raid(10, [20]), conquer("Birch", roll([6, 2], [1])))
    assert (result["moves"][0]["points"], result["players"]["blue"]["score"]) == (1, 11)
    result = after(raid(10, [11, 12]), conquer("Birch", roll([6, 2], [1]), landing=["gain", "gain"]))
    assert (result["moves"][0]["points"], result["players"]["blue"]["score"]) == (1, 13)
    result = after(raid(10, [11, 12]), conquer("Birch", roll([6, 2], [1]), landing=["gain", "lose", "lose"]))
    assert result["players"]["blue"]["score"] == 10
    assert "occupied" in refused(raid(10, [11]), conquer("Birch", roll([6, 2], [1])))
    assert "not asked" in refused(raid(10, [12]), conquer("Birch", roll([6, 2], [1]), landing=["gain"]))
    assert "lose" in refused(raid(0, [1]), conquer("Birch", roll([6, 2], [1]), landing=["lose"]))


def test_the_way_is_the_first_that_reaches_the_land() -> None:
    position = coast({**AMBER, "Delta": army("red")}, turn={"fleets": ["Bay"]})
    by_stones = roll([6, 2], [3], again("defender", 3, 4))
    assert "no re-roll" in refused(position, conquer("Delta", by_stones))
    assert after(position, conquer("Delta", by_stones, way="fleet"))["moves"][0]["result"] == "won"
    assert after(position, conquer("Delta", roll([6, 2], [3]), way="stepping_stones"))["moves"][0]["ok"]


CONTESTED = {**AMBER, "Birch": army("red")}


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (conquer("Cedar"), "cannot be reached"),
        (conquer("Amber"), "cannot be reached"),
        (conquer("Birch", WON, way="fleet"), "cannot be reached by fleet"),
        (conquer("Birch"), "battle"),
        (conquer("Delta", WON), "more rolls"),
        (conquer("Birch", WON, WON), "more rolls"),
        (conquer("Birch", roll([6], [2])), "attacker rolls 2 dice"),
        (conquer("Birch", roll([6, 1], [2, 2])), "defender rolls 1 dice"),
        (conquer("Birch", roll([6, 1], [2], again("defender", 2, 6))), "no re-roll"),
        (conquer("Birch", roll([6, 1], [2], {"by": "attacker", "pass": True})), "no re-roll"),
        (conquer("Birch", roll([6, 1], [2], then="retreat")), "not lost"),
        (conquer("Birch", LOST, WON), "siege, siege token or retreat"),
        (conquer("Birch", roll([1, 2], [6], then="siege")), "roll to be made"),
        (conquer("Birch", roll([1, 2], [6], then="retreat"), WON), "more rolls"),
        (conquer("Birch", roll([1, 2], [6], then="siege token"), WON), "no siege token"),
        (conquer("Birch", WON, landing=["gain"]), "not asked"),
    ],
)
def test_conquests_against_the_rules(move: dict[str, Any], why: str) -> None:
    assert why in refused(coast(CONTESTED), move)


def test_a_re_roll_is_of_a_die_that_lies_there() -> None:
    position = coast({**AMBER, "Delta": army("red")}, turn={"fleets": ["Bay"]})
    assert "shows 5" in refused(position, conquer("Delta", roll([6, 2], [3], again("defender", 5, 4)), way="fleet"))
    twice = roll([6, 2], [3], again("defender", 3, 4), again("defender", 4, 5))
    assert "no re-roll" in refused(position, conquer("Delta", twice, way="fleet"))


def test_without_an_army_nothing_is_conquered() -> None:
    assert "no army" in refused(coast(AMBER, turn={"armies": 0, "siege_tokens": 3}), conquer("Birch"))


def test_a_refused_move_is_passed_over() -> None:
    result = inspect(coast(CONTESTED) | {"moves": [conquer("Birch"), conquer("Delta"), conquer("Fen")]})
    assert [move["ok"] for move in result["moves"]] == [False, True, False]
    assert set(result["moves"][0]) == {"ok", "why"}
    assert result["turn"]["armies"] == 4


def test_without_a_turn_every_move_is_refused() -> None:
    for move in (conquer("Birch"), FOUND, STOP, {"do": "ability"}, {"do": "score"}):
        assert "nobody" in refused({"map": COAST, "players": [{"name": "blue"}]}, move)
