"""Turns in positions: founding, kingdoms, enhancements, forts, monuments, and the turn of the rulebook's example."""

from typing import Any

import pytest

from tests.games.history_of_the_world.inspecting import (
    AMBER,
    FOUND,
    STOP,
    Position,
    after,
    army,
    coast,
    conquer,
    inspect,
    refused,
    roll,
)

KINGDOM = {"do": "kingdom", "event": "Fenland"}
QUIET = {"do": "inactivate"}


def event(name: str, *lands: str) -> dict[str, Any]:
    """Return the move that plays an enhancement."""
    return {"do": "event", "event": name, "lands": list(lands)}


# ---- Forts, monuments, and the steps after them ----


def test_a_fort_costs_an_army() -> None:
    fort = {"do": "fort", "land": "Amber"}
    result = after(coast(AMBER), fort)
    assert result["lands"]["Amber"]["fort"]
    assert (result["turn"]["armies"], result["players"]["blue"]["supply"], result["supply"]["fort"]) == (4, 20, 13)
    assert "a fort stands" in refused(coast(AMBER), fort, fort)
    assert "no active army" in refused(coast({"Amber": army("blue")}), fort)
    assert "no active army" in refused(coast(AMBER), {"do": "fort", "land": "Birch"})
    assert "no fort is left" in refused(coast(AMBER, supply={"fort": 0}), fort)
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
    assert "after the monuments" in refused(position, use)
    assert "has been used" in refused(position, use, stop, use)
    assert "not asked" in refused(position, {"do": "ability", "lands": ["Amber", "Birch", "Cedar"]}, stop)
    assert "not asked" in refused(position, {"do": "ability", "lands": ["Birch", "Birch"]}, stop)
    assert "not asked" in refused(position, {"do": "ability", "lands": ["Elm"]}, stop)
    assert "no ability" in refused(coast(lands), use, stop)


def test_steps_follow_each_other() -> None:
    lands = {**AMBER, "Birch": army("blue", True, "capital"), "Cedar": army("blue", structures="city monument")}
    position = coast(lands, turn={"fleets": ["Bay"], "caravans": ["Dunes"], "siege_tokens": 2})
    score: dict[str, Any] = {"do": "score", "landing": ["gain"]}
    result = after(position, STOP, QUIET)
    assert result["turn"] == {
        "player": "blue", "empire": None, "kingdom": None, "step": "score", "armies": 0, "siege_tokens": 0,
        "fleets": [], "caravans": [],
    }  # fmt: skip
    assert not any(land["active"] for land in result["lands"].values())
    result = after(position, STOP, QUIET, score)
    assert result["moves"][-1] == {
        "ok": True,
        "regions": {"West": {"armies": 3, "level": "control", "points": 6}},
        "structures": {"capital": 1, "city": 1, "monument": 1, "points": 4},
        "total": 10,
    }
    assert (result["turn"]["step"], result["players"]["blue"]["score"]) == ("done", 21)
    for wrong, before in (
        (QUIET, []), (score, []), (FOUND, []), (conquer("Delta"), [STOP]), ({"do": "fort", "land": "Amber"}, [STOP]),
        (STOP, [STOP]), (score, [STOP]), (QUIET, [STOP, QUIET]), (STOP, [STOP, QUIET]),
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


def test_a_marker_behind_99_meets_those_before_it_on_the_same_space() -> None:
    position = coast({"Delta": army("blue")}, epoch=3, turn={"step": "score"})
    position["players"] = [{"name": name, "score": score} for name, score in (("blue", 104), ("red", 5), ("gold", 6))]
    assert inspect(position)["players"]["blue"]["scoring"]["total"] == 1
    score: dict[str, Any] = {"do": "score"}
    assert after(position, {**score, "landing": ["gain", "gain"]})["players"]["blue"]["score"] == 107
    assert after(position, {**score, "landing": ["lose"]})["players"]["blue"]["score"] == 104
    refused(position, score)
    position["players"][1]["score"] = 205
    refused(position, score)
    position["players"][1]["score"] = 4
    assert after(position, score)["players"]["blue"]["score"] == 105


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
    result = after(founding(), KINGDOM)
    assert result["turn"] == {
        "player": "blue", "empire": "Twins", "kingdom": "Fenland", "step": "conquest", "armies": 1, "siege_tokens": 0,
        "fleets": ["Deep"], "caravans": [],
    }  # fmt: skip
    assert result["lands"]["Fen"] == army("blue", active=True, structures="city")
    moves = [KINGDOM, conquer("Elm", way="fleet"), STOP, QUIET]
    result = after(founding(), *moves)
    assert (result["turn"]["kingdom"], result["turn"]["step"], result["turn"]["fleets"]) == (None, "found", [])
    assert result["lands"]["Elm"] == army("blue")
    assert after(founding(), *moves, FOUND)["turn"]["armies"] == 2
    assert "does not hold" in refused(founding(), KINGDOM, *moves)
    assert "step" in refused(founding(), KINGDOM, FOUND)
    assert "kingdom is being played" in refused(founding(), event("Levy"), KINGDOM)
    assert "no kingdom" in refused(founding(), {"do": "kingdom", "event": "Levy"})


def test_a_kingdom_belongs_to_its_epoch_an_enhancement_can_be_kept() -> None:
    position = founding(epoch=2)
    position["players"][0]["events"] = [{"event": name, "drafted": 1} for name in ("Fenland", "Levy")]
    assert "earlier epoch" in refused(position, KINGDOM)
    assert after(position, event("Levy"))["turn"]["armies"] == 2


@pytest.mark.parametrize(
    ("reason", "wrong", "before"),
    [
        ("missing", event("Intrigue"), [FOUND]),
        ("cannot be chosen", event("Intrigue", "Fen"), [FOUND]),
        ("not asked", event("Levy", "Fen"), [FOUND]),
        ("cannot be chosen", event("Quake", "Delta", "Delta"), [FOUND]),
        ("not asked", event("Walls", "Amber", "Delta"), [FOUND]),
        ("does not hold", event("Levy"), [event("Levy")]),
        ("no enhancement", event("Fenland"), []),
    ],
)
def test_enhancements_against_the_rules(reason: str, wrong: dict[str, Any], before: list[dict[str, Any]]) -> None:
    assert reason in refused(founding(), wrong, *before)


def test_an_enhancement_played_before_the_founding_holds_in_its_battles() -> None:
    fight = conquer("Delta", roll([3, 1], [3]))
    assert after(founding(), FOUND, fight)["moves"][1]["result"] == "tie"
    move = after(founding(), event("Charge"), FOUND, fight)["moves"][2]
    assert (move["result"], move["battles"][0]["attacker"], move["siege_bonus"]) == ("won", 4, 0)


@pytest.mark.parametrize("step", ["found", "conquest", "inactivate", "score", "done"])
def test_an_enhancement_goes_at_any_step(step: str) -> None:
    position = founding()
    position["turn"]["step"] = step
    result = after(position, event("Levy"))
    assert (result["turn"]["step"], result["turn"]["armies"]) == (step, 2)


def test_what_waits_for_the_empire_does_not_help_the_kingdom() -> None:
    levy = event("Levy")
    position = founding()
    assert after(position, levy, KINGDOM)["turn"]["armies"] == 1
    assert after(position, levy, KINGDOM, STOP, QUIET)["turn"]["armies"] == 2
    assert after(position, levy, KINGDOM, STOP, QUIET, FOUND)["turn"]["armies"] == 4


def test_an_army_swapped_for_the_empire_lies_while_a_kingdom_is_played() -> None:
    swap = event("Intrigue", "Delta")
    ended = [swap, KINGDOM, STOP, QUIET]
    assert after(founding(), swap)["lands"]["Delta"]["active"]
    assert not after(founding(), swap, KINGDOM)["lands"]["Delta"]["active"]
    result = after(founding(), *ended)
    assert result["lands"]["Delta"] == army("blue", active=True, structures="city")
    assert result["lands"]["Fen"] == army("blue", structures="city")
    given = founding()
    given["lands"]["Delta"] = army("blue", active=True)
    assert not after(given, KINGDOM)["lands"]["Delta"]["active"]
    assert after(given, KINGDOM, STOP, QUIET)["lands"]["Delta"]["active"]


def test_what_an_enhancement_says_of_monuments_holds_for_the_empire_not_for_the_kingdom() -> None:
    events = [
        {"event": "Elmland", "kind": "kingdom", "start_lands": ["Elm"], "armies": 1, "city": True},
        {"event": "Masons", "kind": "enhancement", "effect": {"icons_per_monument": 1}},
    ]
    position = founding() | {"events": events}
    position["players"][0]["events"] = ["Elmland", "Masons"]
    masons, kingdom = event("Masons"), {"do": "kingdom", "event": "Elmland"}
    both = {"do": "monuments", "lands": ["Amber", "Cedar"]}
    moves = after(position, masons, kingdom, STOP, QUIET, FOUND, both)["moves"]
    assert (moves[2]["icons"], moves[2]["due"]) == (1, 0)
    assert (moves[5]["icons"], moves[5]["due"]) == (2, 2)


def test_fleets_of_an_enhancement_wait_for_the_empire() -> None:
    held = [{"event": "Diplomacy", "drafted": 3}, {"event": "Navigation", "drafted": 2}, "Safavids"]
    position = {
        "epoch": 4,
        "players": [{"name": "blue", "empire": "Mongols", "events": held}, {"name": "red", "score": 5}],
        "lands": {"Maghreb": {"army": "red"}},
        "turn": {"player": "blue", "step": "found"},
    }
    swap = event("Diplomacy", "Maghreb")
    sail = event("Navigation", "Atlantic Ocean")
    kingdom = {"do": "kingdom", "event": "Safavids"}
    assert after(position, swap, sail)["turn"]["fleets"] == ["Atlantic Ocean"]
    assert after(position, swap, sail, kingdom)["turn"]["fleets"] == []
    assert "reach" in refused(position, conquer("Iberia"), swap, sail, kingdom)
    assert after(position, swap, sail, kingdom, STOP, QUIET)["turn"]["fleets"] == ["Atlantic Ocean"]
    assert after(position, swap, sail, kingdom, STOP, QUIET, FOUND, conquer("Iberia"))


def test_an_army_swapped_when_all_are_inactive_lies_like_them() -> None:
    position = founding()
    position["turn"]["step"] = "score"
    result = after(position, event("Intrigue", "Delta"))
    assert result["lands"]["Delta"] == army("blue", structures="city")


def test_settings_of_enhancements_and_siege_tokens() -> None:
    levy = event("Levy")
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
        (QUIET, 0),
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
