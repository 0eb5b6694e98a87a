"""Variants on positions: Truce, Spies and Alliances, Imperial."""

from __future__ import annotations

from typing import Any

from tests.games.glory_of_rome.inspecting import Position, act, after, events, inspect, kept, move, of, refused, table

# ---- Truce, and Spies and Alliances ----


def test_in_a_truce_no_intrigue_is_placed_or_activated() -> None:
    truce = {**act(), "variants": ["Truce"]}
    assert "no intrigue" in refused(truce, move("follower", on="intrigue"))
    assert inspect(truce)["legal"] == {"follower": ["Colosseum"]}
    event = table({}, {}, round=2, variants=["Truce"], data=events())
    assert after(event, move("event", None, event="Games"))["phase"] == "build"


def test_diplomacy_comes_after_the_event() -> None:
    position = table({}, {}, variants=["Spies and Alliances"], data=events(turn="clockwise"))
    result = after(position, move("event", None, event="Games"))
    assert (result["phase"], result["to_move"], result["legal"]) == ("diplomacy", 0, None)
    result = after(position, move("event", None, event="Games"), move("pass", 0), move("pass", 1))
    assert result["phase"] == "build"
    assert after({**position, "phase": "diplomacy"}, move("pass", 0), diplomacy_pass="not allowed")["to_move"] == 1


def court(**keys: Any) -> Position:
    levels = {"military": 2, "political": 1, "commercial": 1, "religious": 1, "economic": 1}
    provinces = {"Gallia": {"buildings": levels}, "Africa": {"buildings": {"military": 1}}}
    seats = {"denarii": 9, "glory": 1, "legions": {"board": 1}, "votes": 1, **keys}, {"denarii": 0, "glory": 1}
    course = {"round": 3, "phase": "diplomacy", "variants": ["Spies and Alliances"]}
    return table(*seats, {}, **course, provinces=provinces, trade_deck=["Sundial"])


def spy(building: str, **keys: Any) -> dict[str, Any]:
    words = {"province": "Gallia", "building": building, "token": "spy", "offer": 4, "accepted": True, **keys}
    return move("diplomacy", 0, **words)


def test_a_spy_acts_in_any_building() -> None:
    position = court()
    legion = after(position, spy("military", choice="action", legions=[{"to": "Thrace"}]))
    assert legion["players"][0]["legions"]["Thrace"] == 1
    assert after(position, spy("political", choice="action"))["senate"] == [{"seat": 0, "value": 1}]
    assert after(position, spy("commercial", choice="action"))["players"][0]["hand"] == ["Sundial"]
    piece = after(position, spy("religious", choice="action", level="base"))
    assert piece["players"][0]["pantheon"]["base"] == ["own"]
    # No follower is placed, so the medal brings nothing.
    earned = after(court(medals=["economic"]), spy("economic", choice="action"))
    assert (kept(earned), kept(earned, 1), earned["to_move"]) == ((9 - 4 + 2, 1), (4, 1), 1)


def test_a_spy_without_a_possible_action_is_refused() -> None:
    assert "not possible" in refused(court(votes=0), spy("political", choice="action"))
    full = court(hand=["Sundial"] * 5)
    assert "no room" in refused(full, spy("commercial", choice="action"))
    assert "not chosen" in refused(court(), spy("political"))


def test_tokens_are_put_on_buildings_of_opponents_for_denarii_that_are_there() -> None:
    assert "9 denarii" in refused(court(), spy("military", offer=10, choice="glory"))
    assert "no opponent" in refused(court(), spy("military", province="Africa", choice="glory"))
    assert "no opponent" in refused(court(), spy("military", province="Italia", choice="glory"))
    plain = {**court(), "variants": []}
    assert "belongs to the variant" in refused(plain, spy("military", choice="glory"))
    offered = after(court(), spy("military", offer=9, choice="glory"))
    assert (kept(offered), kept(offered, 1)) == ((0, 3), (9, 1))


def test_an_alliance_reaches_a_milestone_for_both_together() -> None:
    position = court(glory=10)
    position["players"][1]["glory"] = 10
    result = after(position, spy("military", token="alliance", offer=0))
    assert (of(result, "followers"), result["milestone_markers"]["12"]) == ([3, 3, 1], 10)


# ---- The Imperial variant ----


def solo(seat: dict[str, Any] | None = None, **keys: Any) -> Position:
    return table({"denarii": 0, "glory": 1, **(seat or {})}, **keys)


def test_an_event_brings_the_solo_player_a_denarius_for_each_follower() -> None:
    position = solo({"glory": 5}, data=events(reward={"glory": 3}))
    result = after(position, move("event", None, event="Games"))
    assert (kept(result), result["phase"], result["direction"]) == ((2, 5), "build", "counter-clockwise")


def test_a_negative_event_brings_the_solo_player_its_losses_alone() -> None:
    data = events(negative=True, reward={"glory": -2, "denarii": 5}, **{"if": {"at_least": ["denarii", 3]}})
    revealed = move("event", None, event="Games")
    hit = solo({"denarii": 3, "glory": 9}, data=data, variants=["Hard Times"])
    assert kept(after(hit, revealed)) == (3, 7)
    assert kept(after(hit, revealed, imperial_negative_events="do nothing")) == (3, 9)
    assert kept(after(solo({"denarii": 2, "glory": 9}, data=data), revealed)) == (2, 9)


def test_the_solo_player_has_no_intrigue() -> None:
    position = solo(phase="action")
    assert inspect(position)["legal"] == {"follower": ["Colosseum"]}
    refused(position, move("follower", on="intrigue"))


def test_tasks_bring_a_title() -> None:
    seat = {
        "glory": 51,
        "medals": ["military", "political", "commercial"],
        "legions": {"Epirus": 2, "Macedonia": 3},
        "sets": ["tools", "jewels"],
        "missions": ["One", "Two"],
        "pantheon": {"base": ["own", "own", "gold"], "roof": ["own", "own", "own", "gold"]},
    }
    data = {"missions": [{"name": name, "points": 1, "per": "sets"} for name in ("One", "Two")]}
    lacking = [{}, {"glory": 50}, {"medals": []}, {"sets": []}, {"legions": {}}]
    told = []
    for number in range(len(lacking)):
        less: dict[str, Any] = {}
        for each in lacking[: number + 1]:
            less |= each
        told.append(inspect(solo({**seat, **less}, senate=[0, 0, 0, 0], data=data))["players"][0])
    tasks = ["glory", "medals", "regions", "votes", "sets", "pantheon", "missions"]
    assert told[0]["tasks"] == tasks
    titles = ["Son of Jupiter", "Imperator", "Praetor", None, None]
    # Without sets the missions, which count them, are not fulfilled either.
    assert [len(each["tasks"]) for each in told] == [7, 6, 5, 3, 2]
    assert [each["title"] for each in told] == titles
    assert told[0]["rank"] == 1
    assert "tasks" not in inspect(table({}, {}))["players"][0]
