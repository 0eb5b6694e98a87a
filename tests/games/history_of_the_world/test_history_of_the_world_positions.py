"""Positions of History of the World: every key of the result, who is called and chooses, queries."""

from typing import Any

import pytest

from sim.games.history_of_the_world.io.positions import inspect_lines
from tests.games.history_of_the_world.inspecting import AMBER, COAST, Position, army, coast, inspect
from tests.games.history_of_the_world.positions import EXAMPLE

KEYS = [
    "moves", "lands", "players", "supply", "turn", "targets", "reach", "regions", "empires", "order", "next_empire",
    "caller", "draft",
]  # fmt: skip


# ---- What is told ----


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
    assert {name: player["supply"] for name, player in result["players"].items()} == {"blue": 19, "red": 23, "gold": 25}
    assert result["supply"] == {"capital_city": 23, "monument": 19, "fort": 13}
    result = inspect(coast(lands, supply={"fort": 0}, players=[{"name": "blue", "supply": 3}, {"name": "red"}]))
    assert result["supply"] == {"capital_city": 23, "monument": 19, "fort": 0}
    assert result["players"]["blue"]["supply"] == 3


@pytest.mark.parametrize(("score", "space", "over"), [(0, 0, False), (99, 99, False), (100, 0, True), (123, 23, True)])
def test_the_marker_turns_behind_99(score: int, space: int, over: bool) -> None:
    player = inspect({"players": [{"name": "blue", "score": score}]})["players"]["blue"]
    assert (player["score"], player["space"]) == (score, space)
    assert player["over_99"] is over, "a boolean of JSON"


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


# ---- Queries ----


@pytest.mark.parametrize(
    ("score", "gain", "markers", "scores"),
    [
        (10, 5, [3, 7], [15]), (10, 5, [15], [14, 16]), (10, 5, [15, 16, 14], [13, 17]), (10, 0, [10], [10]),
        (0, 1, [1], [2]), (0, 2, [2, 1], [3]), (95, 5, [100], [99, 101]), (95, 10, [5], [104, 106]),
        (102, 3, [4, 5, 6, 107], [103, 108]), (198, 3, [1, 100], [199, 202]), (95, 10, [205], [104, 106]),
    ],
)  # fmt: skip
def test_where_a_marker_may_end(score: int, gain: int, markers: list[int], scores: list[int]) -> None:
    query = {"score": score, "gain": gain, "markers": markers}
    assert inspect({"landing": query}) == {"landing": {"scores": scores}}


def test_a_marker_may_end_where_moves_can_put_it_below_space_1_too_by_a_setting() -> None:
    ends = inspect({"landing": {"gain": 1, "markers": [0, 1]}}, landing_below_one=True)["landing"]["scores"]
    lands = {"lands": {"Thule": {"region": "Isles"}}, "regions": {"Isles": {"tokens": {"1": 1}}}}
    players = [{"name": "blue"}, {"name": "red", "score": 0}, {"name": "gold", "score": 1}]
    position = {"map": lands, "players": players, "lands": {"Thule": {"army": "blue"}}}
    turn = {"player": "blue", "step": "score"}

    def landed(*landing: str) -> int:
        moves = [{"do": "score", "landing": list(landing)}]
        result = inspect({**position, "turn": turn, "moves": moves}, landing_below_one=True)
        assert result["moves"][0]["ok"]
        return int(result["players"]["blue"]["score"])

    assert ends == [landed("lose", "lose"), landed("gain")]


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
