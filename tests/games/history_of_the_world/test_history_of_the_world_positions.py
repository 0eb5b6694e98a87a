"""Positions of History of the World: every key of the result, every move right and wrong, the rulebook's examples."""

from __future__ import annotations

from typing import Any

import pytest

from sim.games.history_of_the_world.positions import inspect_lines
from tests.games.history_of_the_world.inspecting import (
    COAST,
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
from tests.games.history_of_the_world.positions import EXAMPLE

KEYS = [
    "moves", "lands", "players", "supply", "turn", "targets", "reach", "regions", "empires", "order", "next_empire",
    "caller", "draft",
]  # fmt: skip
LOST, WON, TIED = roll([1, 2], [6]), roll([6, 1], [2]), roll([1, 3], [3])
AMBER = {"Amber": army("blue", active=True)}
FOUND = {"do": "found"}
STOP = {"do": "monuments"}


# ---- What is told ----


def test_the_example_of_the_format() -> None:
    result = inspect(EXAMPLE)
    battle = {"attacker": 6, "defender": 5, "result": "won"}
    assert result["moves"] == [
        {
            "ok": True, "result": "won", "battles": [battle], "siege_bonus": 0, "destroyed": None,
            "fort_removed": False, "points": 0,
        }
    ]  # fmt: skip
    blue = result["players"]["blue"]
    assert blue["score"] == 4
    assert blue["holds"] == ["Thule", "Skerry"]
    assert blue["scoring"] == {
        "regions": {"Isles": {"armies": 2, "level": "dominance", "points": 6}},
        "structures": {"capital": 1, "city": 0, "monument": 0, "points": 2},
        "total": 8,
    }


def test_every_key_is_always_there() -> None:
    positions: list[Position] = [{}, {"map": {}}, EXAMPLE, {"data": "edition-1993", "epoch": 7}]
    for position in positions:
        result = inspect(position)
        assert list(result) == KEYS
        assert inspect_lines(result)
    assert inspect({})["turn"] is None
    assert inspect({"map": {}})["lands"] == {}
    assert inspect({})["caller"] is None
    assert len(inspect({})["lands"]) == 71


def test_a_result_can_be_a_position_again() -> None:
    position = coast({**AMBER, "Birch": army("red", structures="city monument", fort=True)}, turn={"fleets": ["Bay"]})
    result = inspect(position)
    same = inspect({**position, "lands": result["lands"], "turn": result["turn"], "supply": result["supply"]})
    assert same == result


def test_supplies_hold_what_lies_nowhere_else() -> None:
    lands = {**AMBER, "Birch": army("red", structures="capital monument", fort=True), "Cedar": army("red")}
    result = inspect(coast(lands))
    assert {name: player["supply"] for name, player in result["players"].items()} == {
        "blue": 19,
        "red": 23,
        "gold": 25,
    }
    assert result["supply"] == {"capital_city": 23, "monument": 19, "fort": 13}
    result = inspect(coast(lands, supply={"fort": 0}, players=[{"name": "blue", "supply": 3}, {"name": "red"}]))
    assert result["supply"] == {"capital_city": 23, "monument": 19, "fort": 0}
    assert result["players"]["blue"]["supply"] == 3


@pytest.mark.parametrize(("score", "space", "over"), [(0, 0, False), (99, 99, False), (100, 0, True), (123, 23, True)])
def test_the_marker_turns_behind_99(score: int, space: int, over: bool) -> None:
    player = inspect({"players": [{"name": "blue", "score": score}]})["players"]["blue"]
    assert (player["score"], player["space"], player["over_99"]) == (score, space, over)


@pytest.mark.parametrize(
    ("lands", "levels"),
    [
        ({"Amber": army("blue")}, {"West": ("presence", 2)}),
        ({"Fen": army("blue")}, {"East": ("presence", 0)}),
        ({"Amber": army("blue"), "Birch": army("blue")}, {"West": ("dominance", 4)}),
        ({"Amber": army("blue"), "Birch": army("blue"), "Cedar": army("red")}, {"West": ("dominance", 4)}),
        ({"Amber": army("blue"), "Birch": army("blue"), "Cedar": army("blue")}, {"West": ("control", 6)}),
        ({"Amber": army("blue"), "Fen": army("blue")}, {"West": ("presence", 2), "East": ("presence", 0)}),
        ({"Delta": army("blue"), "Elm": army("red"), "Fen": army("red")}, {"East": ("presence", 0)}),
    ],
)
def test_levels_of_regions(lands: dict[str, Any], levels: dict[str, tuple[str, int]]) -> None:
    found = inspect(coast(lands))["players"]["blue"]["scoring"]["regions"]
    assert {name: (region["level"], region["points"]) for name, region in found.items()} == levels


def test_tokens_lie_until_another_is_placed() -> None:
    found = {epoch: inspect({"map": COAST, "epoch": epoch})["regions"] for epoch in (1, 2, 3, 4)}
    assert [(found[epoch]["West"]["presence"], found[epoch]["West"]["placed"]) for epoch in found] == [
        (2, True), (2, False), (4, True), (4, False),
    ]  # fmt: skip
    assert [found[epoch]["East"]["presence"] for epoch in found] == [None, 1, 1, 1]
    assert found[1]["East"]["lands"] == ["Delta", "Elm", "Fen"]


def test_the_first_epoch_places_five_tokens() -> None:
    regions = inspect({})["regions"]
    placed = {name for name, region in regions.items() if region["placed"]}
    assert placed == {"North Africa", "Southern Europe", "Middle East", "India", "China"}
    assert "South America" in regions


# ---- Who is called, who chooses ----


def test_empires_are_called_in_their_order() -> None:
    players = [
        {"name": "blue", "score": 4, "empire": "Assyrians"},
        {"name": "red", "score": 9, "empire": "Sumerians"},
        {"name": "gold", "score": 2, "empire": "Minoans"},
    ]
    result = inspect({"players": players})
    assert [row["empire"] for row in result["empires"]][:5] == [
        "Sumerians", "Egyptians", "Minoans", "Hittites", "Assyrians",
    ]  # fmt: skip
    assert [row["order"] for row in result["empires"]] == list(range(1, 9))
    assert result["order"] == [
        {"empire": "Sumerians", "player": "red"},
        {"empire": "Minoans", "player": "gold"},
        {"empire": "Assyrians", "player": "blue"},
    ]
    assert result["next_empire"] == "Sumerians"
    turns = {name: {"players": players, "turn": {"player": name}} for name in ("red", "gold", "blue")}
    following = {name: inspect(position)["next_empire"] for name, position in turns.items()}
    assert following == {"red": "Minoans", "gold": "Assyrians", "blue": None}
    assert inspect({"players": players, "turn": {"player": "blue", "empire": "Egyptians"}})["next_empire"] == "Minoans"


def test_empires_of_a_position() -> None:
    empires = [{"empire": "Late", "order": 2}, {"empire": "Early", "order": 1}, {"empire": "Later", "epoch": 2}]
    result = inspect({"empires": empires, "players": [{"name": "blue", "empire": "Late"}]})
    assert result["empires"] == [{"empire": "Early", "order": 1}, {"empire": "Late", "order": 2}]
    assert result["next_empire"] == "Late"


def test_the_draft_goes_from_both_ends() -> None:
    players = [{"name": name, "score": score} for name, score in zip("abcde", (3, 9, 1, 7, 5), strict=True)]
    result = inspect({"players": players})
    assert result["caller"] == "b"
    assert result["draft"]["rounds"] == [
        {"event": "b", "empire": "c"}, {"event": "d", "empire": "a"}, {"event": "e", "empire": "e"},
        {"event": "a", "empire": "d"}, {"event": "c", "empire": "b"},
    ]  # fmt: skip


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


# ---- Forts, monuments, and the steps after them ----


def test_a_fort_costs_an_army() -> None:
    fort = {"do": "fort", "land": "Amber"}
    result = after(coast(AMBER), fort)
    assert result["lands"]["Amber"]["fort"]
    assert (result["turn"]["armies"], result["players"]["blue"]["supply"], result["supply"]["fort"]) == (4, 20, 13)
    assert "no fort" in refused(coast(AMBER), fort, fort)
    assert "no fort" in refused(coast({"Amber": army("blue")}), fort)
    assert "no fort" in refused(coast(AMBER), {"do": "fort", "land": "Birch"})
    assert "no fort" in refused(coast(AMBER, supply={"fort": 0}), fort)
    assert "no army" in refused(coast(AMBER, turn={"armies": 0, "siege_tokens": 2}), fort)


def icons(*names: str, **special: dict[str, Any]) -> dict[str, Any]:
    """Return lands with active armies of blue."""
    return {name: army("blue", active=True) for name in names} | special


@pytest.mark.parametrize(
    ("lands", "icon_count", "due", "built"),
    [
        (icons("Amber"), 1, 0, []),
        (
            icons("Amber", "Cedar", Delta=army("blue", True, "city"), Birch=army("blue", True, "capital")),
            3, 1, ["Birch"],
        ),
        (icons("Amber", "Cedar", Delta=army("blue", True, "city"), Elm=army("blue")), 3, 1, ["Delta"]),
        (icons("Amber", Cedar=army("blue", True, "monument")), 2, 1, ["Amber"]),
        (icons("Birch", Amber=army("blue"), Cedar=army("blue")), 0, 0, []),
        (
            {name: army("blue", True, "monument") for name in ("Amber", "Cedar", "Delta", "Elm")}, 4, 2, [],
        ),
    ],
)  # fmt: skip
def test_monuments(lands: dict[str, Any], icon_count: int, due: int, built: list[str]) -> None:
    result = after(coast(lands), STOP)
    assert result["moves"][0] == {"ok": True, "icons": icon_count, "due": due, "built": built}
    assert (result["turn"]["step"], result["turn"]["armies"]) == ("inactivate", 0)
    assert result["players"]["blue"]["supply"] == 25 - len(lands)


def test_a_choice_of_sites_is_given() -> None:
    position = coast(icons("Amber", "Cedar", "Delta", "Elm"))
    chosen = {"do": "monuments", "lands": ["Elm", "Amber"]}
    result = after(position, chosen)
    assert result["moves"][0]["built"] == ["Elm", "Amber"]
    assert "choice" in refused(position, STOP)
    assert "missing" in refused(position, {"do": "monuments", "lands": ["Elm"]})
    assert "not asked" in refused(position, {"do": "monuments", "lands": ["Elm", "Amber", "Cedar"]})
    assert "cannot be chosen" in refused(position, {"do": "monuments", "lands": ["Elm", "Elm"]})
    few = after({**position, "supply": {"monument": 1}}, {"do": "monuments", "lands": ["Elm"]})
    assert few["moves"][0] == {"ok": True, "icons": 4, "due": 2, "built": ["Elm"]}


def test_an_ability_can_make_a_monument_cheaper() -> None:
    empires = [{"empire": "Builders", "ability": {"icons_per_monument": 1}}]
    position = coast(icons("Amber", "Cedar"), empires=empires, turn={"empire": "Builders"})
    move = after(position, {"do": "monuments", "lands": ["Cedar", "Amber"]})["moves"][0]
    assert (move["icons"], move["due"], move["built"]) == (2, 2, ["Cedar", "Amber"])


@pytest.mark.parametrize("ability", [{"forts_per_icon": 1}, {"forts": 2}])
def test_an_ability_for_forts(ability: dict[str, int]) -> None:
    lands = icons("Amber", "Birch", "Cedar")
    position = coast(lands, empires=[{"empire": "Masons", "ability": ability}], turn={"empire": "Masons"})
    stop = {"do": "monuments", "lands": ["Amber"]}
    use = {"do": "ability", "lands": ["Birch", "Cedar"]}
    result = after(position, stop, use)
    assert [name for name, land in result["lands"].items() if land["fort"]] == ["Birch", "Cedar"]
    assert "no ability" in refused(position, use)
    assert "no ability" in refused(position, use, stop, use)
    assert "not asked" in refused(position, {"do": "ability", "lands": ["Amber", "Birch", "Cedar"]}, stop)
    assert "not asked" in refused(position, {"do": "ability", "lands": ["Birch", "Birch"]}, stop)
    assert "not asked" in refused(position, {"do": "ability", "lands": ["Elm"]}, stop)
    assert "no ability" in refused(coast(lands), use, stop)


def test_steps_follow_each_other() -> None:
    lands = {**AMBER, "Birch": army("blue", True, "capital"), "Cedar": army("blue", structures="city monument")}
    position = coast(lands, turn={"fleets": ["Bay"], "caravans": ["Dunes"], "siege_tokens": 2})
    quiet: dict[str, Any] = {"do": "inactivate"}
    score: dict[str, Any] = {"do": "score", "landing": ["gain"]}
    result = after(position, STOP, quiet)
    assert result["turn"] == {
        "player": "blue", "empire": None, "kingdom": None, "step": "score", "armies": 0, "siege_tokens": 0,
        "fleets": [], "caravans": [],
    }  # fmt: skip
    assert not any(land["active"] for land in result["lands"].values())
    result = after(position, STOP, quiet, score)
    assert result["moves"][-1] == {
        "ok": True,
        "regions": {"West": {"armies": 3, "level": "control", "points": 6}},
        "structures": {"capital": 1, "city": 1, "monument": 1, "points": 4},
        "total": 10,
    }
    assert (result["turn"]["step"], result["players"]["blue"]["score"]) == ("done", 21)
    for wrong, before in (
        (quiet, []), (score, []), (FOUND, []), (conquer("Delta"), [STOP]), ({"do": "fort", "land": "Amber"}, [STOP]),
        (STOP, [STOP]), (score, [STOP]), (quiet, [STOP, quiet]), (STOP, [STOP, quiet]),
    ):  # fmt: skip
        assert "step" in refused(position, wrong, *before)


def test_a_score_lands_on_a_free_space() -> None:
    position = coast({"Amber": army("blue")}, turn={"step": "score"})
    position["players"] = [{"name": name, "score": score} for name, score in (("blue", 8), ("red", 10), ("gold", 9))]
    score: dict[str, Any] = {"do": "score"}
    assert after(position, {**score, "landing": ["gain"]})["players"]["blue"]["score"] == 11
    assert after(position, {**score, "landing": ["lose", "lose"]})["players"]["blue"]["score"] == 8
    back_and_forth = ["lose", "gain"] * 10 + ["gain"]
    assert after(position, {**score, "landing": back_and_forth})["players"]["blue"]["score"] == 11
    for wrong in ([], ["lose"], ["gain", "gain"]):
        refused(position, {**score, "landing": wrong})


# ---- Founding, kingdoms, enhancements ----


def founding(**keys: Any) -> Position:
    """Return a position before an empire is founded."""
    empires = [
        {
            "empire": "Twins", "start_lands": ["Amber", "Cedar"], "armies": 4, "capital": True, "fleets": ["Bay"],
            "caravans": ["Dunes"],
        }
    ]  # fmt: skip
    events = [
        {"event": "Fenland", "kind": "kingdom", "start_lands": ["Fen"], "armies": 2, "city": True, "fleets": ["Deep"]},
        {"event": "Levy", "kind": "enhancement", "effect": {"armies": 2}},
        {"event": "Charge", "kind": "enhancement", "effect": {"battle_bonus": 1}},
        {"event": "Intrigue", "kind": "enhancement", "effect": {"swap": 1}},
        {"event": "Quake", "kind": "enhancement", "effect": {"destroy": 2}},
        {"event": "Walls", "kind": "enhancement", "effect": {"forts": 2}},
    ]
    held = ["Fenland", "Levy", "Charge", "Intrigue", "Quake", "Walls"]
    players = [{"name": "blue", "score": 5, "empire": "Twins", "events": held}, {"name": "red", "score": 9}]
    return coast(
        {"Amber": army("red", structures="city monument", fort=True), "Delta": army("red", structures="city")},
        empires=empires, events=events, players=players, turn={"step": "found", "armies": 0}, **keys,
    )  # fmt: skip


def test_an_empire_is_founded_in_all_its_start_lands() -> None:
    result = after(founding(), FOUND)
    assert result["lands"]["Amber"] == army("blue", active=True, structures="capital")
    assert result["lands"]["Cedar"] == army("blue", active=True, structures="capital")
    assert result["supply"] == {"capital_city": 21, "monument": 20, "fort": 14}
    assert result["players"]["red"]["supply"] == 24
    assert result["players"]["blue"]["supply"] == 21
    assert result["turn"] == {
        "player": "blue", "empire": "Twins", "kingdom": None, "step": "conquest", "armies": 2, "siege_tokens": 0,
        "fleets": ["Bay"], "caravans": ["Dunes"],
    }  # fmt: skip
    assert "step" in refused(founding(), FOUND, FOUND)


def test_missing_armies_are_siege_tokens() -> None:
    position = founding()
    position["players"][0]["supply"] = 3
    turn = after(position, FOUND)["turn"]
    assert (turn["armies"], turn["siege_tokens"]) == (1, 1)


def test_without_an_empire_none_is_founded() -> None:
    assert "no empire" in refused(coast({}, turn={"step": "found"}), FOUND)
    on_another_map = coast({}, turn={"step": "found", "empire": "Sumerians"})
    assert "Tigris" in refused(on_another_map, FOUND)


def test_a_kingdom_is_played_before_the_empire() -> None:
    kingdom = {"do": "kingdom", "event": "Fenland"}
    result = after(founding(), kingdom)
    assert result["turn"] == {
        "player": "blue", "empire": "Twins", "kingdom": "Fenland", "step": "conquest", "armies": 1, "siege_tokens": 0,
        "fleets": ["Deep"], "caravans": [],
    }  # fmt: skip
    assert result["lands"]["Fen"] == army("blue", active=True, structures="city")
    moves = [kingdom, conquer("Elm", way="fleet"), STOP, {"do": "inactivate"}]
    result = after(founding(), *moves)
    assert (result["turn"]["kingdom"], result["turn"]["step"], result["turn"]["fleets"]) == (None, "found", [])
    assert result["lands"]["Elm"] == army("blue")
    assert after(founding(), *moves, FOUND)["turn"]["armies"] == 2
    assert "does not hold" in refused(founding(), kingdom, *moves)
    assert "step" in refused(founding(), kingdom, FOUND)
    assert "kingdom is being played" in refused(founding(), {"do": "event", "event": "Levy"}, kingdom)
    assert "no kingdom" in refused(founding(), {"do": "kingdom", "event": "Levy"})


def test_a_kingdom_belongs_to_its_epoch_an_enhancement_can_be_kept() -> None:
    position = founding(epoch=2)
    position["players"][0]["events"] = [{"event": name, "drafted": 1} for name in ("Fenland", "Levy")]
    assert "earlier epoch" in refused(position, {"do": "kingdom", "event": "Fenland"})
    assert after(position, {"do": "event", "event": "Levy"})["turn"]["armies"] == 2


def test_enhancements() -> None:
    def event(name: str, *lands: str) -> dict[str, Any]:
        return {"do": "event", "event": name, "lands": list(lands)}

    position = founding()
    assert after(position, FOUND, event("Levy"))["turn"]["armies"] == 4
    result = after(position, FOUND, event("Intrigue", "Delta"))
    assert result["lands"]["Delta"] == army("blue", active=True, structures="city")
    assert (result["players"]["blue"]["supply"], result["players"]["red"]["supply"]) == (20, 25)
    result = after(position, FOUND, event("Quake", "Delta", "Amber"))
    assert result["lands"]["Delta"]["structures"] == []
    assert result["lands"]["Amber"]["structures"] == ["city"]
    assert result["players"]["blue"]["score"] == 5
    result = after(position, FOUND, event("Walls", "Amber"))
    assert [name for name, land in result["lands"].items() if land["fort"]] == ["Amber"]
    fight = conquer("Delta", roll([3, 1], [3]))
    assert after(position, FOUND, fight)["moves"][1]["result"] == "tie"
    move = after(position, event("Charge"), FOUND, fight)["moves"][2]
    assert (move["result"], move["battles"][0]["attacker"], move["siege_bonus"]) == ("won", 4, 0)
    assert "missing" in refused(position, event("Intrigue"), FOUND)
    assert "cannot be chosen" in refused(position, event("Intrigue", "Fen"), FOUND)
    assert "not asked" in refused(position, event("Levy", "Fen"), FOUND)
    assert "cannot be chosen" in refused(position, event("Quake", "Delta", "Delta"), FOUND)
    assert "not asked" in refused(position, event("Walls", "Amber", "Delta"), FOUND)
    assert "does not hold" in refused(position, event("Levy"), event("Levy"))
    assert "no enhancement" in refused(position, event("Fenland"))


def test_a_swap_needs_armies_in_the_supply() -> None:
    position = founding()
    position["players"][0]["supply"] = 0
    assert "full effect" in refused(position, {"do": "event", "event": "Intrigue", "lands": ["Delta"]})


@pytest.mark.parametrize("step", ["found", "conquest", "inactivate", "score", "done"])
def test_an_enhancement_goes_at_any_step(step: str) -> None:
    position = founding()
    position["turn"]["step"] = step
    result = after(position, {"do": "event", "event": "Levy"})
    assert (result["turn"]["step"], result["turn"]["armies"]) == (step, 2)


def test_what_waits_for_the_empire_does_not_help_the_kingdom() -> None:
    levy = {"do": "event", "event": "Levy"}
    kingdom = {"do": "kingdom", "event": "Fenland"}
    position = founding()
    assert after(position, levy, kingdom)["turn"]["armies"] == 1
    assert after(position, levy, kingdom, STOP, {"do": "inactivate"})["turn"]["armies"] == 2
    assert after(position, levy, kingdom, STOP, {"do": "inactivate"}, FOUND)["turn"]["armies"] == 4


def test_settings_of_enhancements_and_siege_tokens() -> None:
    levy = {"do": "event", "event": "Levy"}
    for moves, allowed in (([levy, FOUND], True), ([FOUND, levy], False)):
        result = inspect(founding() | {"moves": moves}, enhancements="between phases")
        assert all(move["ok"] for move in result["moves"]) is allowed
    forts = [{"do": "fort", "land": "Amber"}, {"do": "fort", "land": "Cedar"}]
    lands = {**AMBER, "Cedar": army("blue", active=True)}
    position = coast(lands, turn={"armies": 1, "siege_tokens": 1}) | {"moves": forts}
    assert [move["ok"] for move in inspect(position)["moves"]] == [True, False]
    result = inspect(position, siege_tokens_build_forts=True)
    assert [move["ok"] for move in result["moves"]] == [True, True]
    assert (result["turn"]["armies"], result["turn"]["siege_tokens"]) == (0, 0)


def test_an_ability_of_a_battle_holds_from_the_founding_on() -> None:
    empires = [{"empire": "Lancers", "ability": {"battle_bonus": 1}}]
    position = coast({**AMBER, "Delta": army("red")}, empires=empires, turn={"empire": "Lancers"})
    assert after(position, conquer("Delta", roll([3, 1], [3])))["moves"][0]["result"] == "won"


# ---- The worked example of the rulebook ----


def test_the_turn_of_the_assyrians() -> None:
    position: Position = {
        "players": [
            {"name": "green", "score": 1, "empire": "Assyrians"}, {"name": "red", "score": 30, "empire": "Egyptians"},
            {"name": "blue", "score": 2},
        ],
        "lands": {
            "Mesopotamia": army("red"), "Levant": army("red"), "Nile": army("red", structures="capital monument"),
            "Tigris": army("blue"),
        },
        "turn": {"player": "green", "step": "found"},
    }  # fmt: skip
    steps: list[tuple[dict[str, Any], int]] = [
        (FOUND, 5),
        (conquer("Zagros"), 4),
        (conquer("Levant", roll([4, 2], [4])), 3),
        (conquer("Levant"), 2),
        (conquer("Nile", roll([3, 1], [5], then="siege"), roll([4, 2], [4])), 0),
        (STOP, 0),
        ({"do": "ability", "lands": ["Mesopotamia", "Zagros"]}, 0),
        ({"do": "inactivate"}, 0),
        ({"do": "score"}, 0),
    ]
    for made in range(1, len(steps) + 1):
        result = after(position, *(move for move, _ in steps[:made]))
        assert result["turn"]["armies"] == steps[made - 1][1]
    moves = result["moves"]
    assert [move.get("result") for move in moves[1:5]] == ["occupied", "tie", "occupied", "won"]
    assert (moves[4]["siege_bonus"], moves[4]["destroyed"]) == (1, "capital")
    assert moves[5] == {"ok": True, "icons": 2, "due": 1, "built": ["Mesopotamia"]}
    assert moves[8]["regions"] == {
        "Middle East": {"armies": 3, "level": "dominance", "points": 4},
        "North Africa": {"armies": 1, "level": "presence", "points": 2},
    }
    assert moves[8]["structures"] == {"capital": 1, "city": 1, "monument": 2, "points": 5}
    assert (moves[8]["total"], result["players"]["green"]["score"]) == (11, 12)
    assert [name for name, land in result["lands"].items() if land["fort"]] == ["Mesopotamia", "Zagros"]


# ---- Queries ----


@pytest.mark.parametrize(
    ("score", "gain", "markers", "scores"),
    [
        (10, 5, [3, 7], [15]), (10, 5, [15], [14, 16]), (10, 5, [15, 16, 14], [13, 17]), (10, 0, [10], [10]),
        (0, 1, [1], [2]), (0, 2, [2, 1], [3]), (95, 5, [100], [99, 101]), (95, 10, [5], [105]),
    ],
)  # fmt: skip
def test_where_a_marker_may_end(score: int, gain: int, markers: list[int], scores: list[int]) -> None:
    query = {"score": score, "gain": gain, "markers": markers}
    assert inspect({"landing": query}) == {"landing": {"scores": scores}}


def test_set_up() -> None:
    assert inspect({"setup": {"players": 4, "drawn": ["red", "blue", "gold", "green"]}})["setup"] == {
        "scores": {"red": 1, "blue": 2, "gold": 3, "green": 4},
        "stacks": 10,
        "cards_per_stack": 4,
        "returned_per_stack": 4,
    }


@pytest.mark.parametrize(
    ("stack", "gives", "drawn"),
    [
        ("events", "baa", [("a", True), ("b", True), ("c", False)]),
        ("events", "aacb", [("a", True), ("b", False), ("b", True), ("c", True)]),
        ("empires", "cba", [("c", True), ("b", True), ("a", True)]),
        ("empires", "bbac", [("c", True), ("b", False), ("b", True), ("a", True)]),
        ("empires", "abcc", [("c", True), ("b", True), ("a", True), (None, False)]),
    ],
)
def test_classic_selection(stack: str, gives: str, drawn: list[tuple[str | None, bool]]) -> None:
    players = [{"name": name, "score": score} for name, score in zip("abc", (9, 5, 1), strict=True)]
    result = inspect({"players": players, "classic": {"stack": stack, "gives": list(gives)}})
    assert [(row["player"], row["ok"]) for row in result["classic"]] == drawn


def test_a_query_is_answered_beside_a_table() -> None:
    result = inspect({**EXAMPLE, "odds": {}})
    assert set(result) == {*KEYS, "odds"}
    assert list(inspect({"odds": {}, "landing": {}})) == ["odds", "landing"]
    assert inspect_lines(inspect({"odds": {}})) != []
