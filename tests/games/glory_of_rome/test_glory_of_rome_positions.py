"""Positions: what is laid out where, and what is told of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.games.glory_of_rome.io.positions import inspect_lines
from tests.games.glory_of_rome.inspecting import after, card, inspect, move, of, table, trade


def test_the_example_of_the_documentation_comes_out_as_it_says() -> None:
    page = (Path(__file__).parents[3] / "docs" / "records.md").read_text("utf-8")
    example = page.split("## The Glory of Rome: positions")[1].split("```json\n")[1].split("```")[0]
    result = inspect(json.loads(example))
    assert result["moves"] == [{"ok": True}, {"ok": False, "reason": "no religious building"}]
    assert result["players"][1]["glory"] == 4


def test_seats_sit_at_places_of_the_board() -> None:
    board = ["Gallia", "Hispania", "Italia", "Africa"]
    assert of(inspect(table({}, {}, board=board)), "province") == ["Gallia", "Italia"]
    three = inspect(table({}, {}, {}, board=board))
    assert of(three, "province") == ["Gallia", "Hispania", "Italia"]
    seats = {name: province["seat"] for name, province in three["provinces"].items()}
    assert seats == {"Africa": None, "Gallia": 0, "Hispania": 1, "Italia": 2}


@pytest.mark.parametrize(
    ("glory", "space", "side"), [(1, 1, "plain"), (30, 30, "plain"), (31, 1, "+30"), (60, 30, "+30")]
)
def test_the_marker_goes_round_the_track(glory: int, space: int, side: str) -> None:
    assert inspect(table({"glory": glory}, {}))["players"][0]["marker"] == {"space": space, "side": side}


def test_tokens_lie_on_the_spaces_of_the_discord_track_farthest_right() -> None:
    def bonuses(track: list[str | None], discord: int, used: list[str]) -> Any:
        seat = {"discord_track": track, "discord": discord, "bonus_used": used}
        return inspect(table(seat, {}))["players"][0]["bonuses"]

    track = ["political", None, "military", "commercial"]
    assert bonuses(track, 0, []) == ["military", "political", "commercial"]
    assert bonuses(track, 1, []) == ["military", "political"]
    assert bonuses(track, 2, ["political"]) == []
    assert bonuses(track, 3, []) == ["political"]
    assert bonuses([], 0, []) == []


def test_lists_keep_the_order_of_the_position() -> None:
    seat = {"sets": ["jewels", "tools", "jewels"], "medals": ["economic", "military"]}
    seat["pantheon"] = {"base": ["gold", "own"], "roof": []}
    provinces = {"Italia": {"intrigue": [2, 0, 2]}}
    result = inspect(table(seat, {}, {}, provinces=provinces))
    told = result["players"][0]
    assert (told["sets"], told["medals"]) == (["jewels", "tools", "jewels"], ["economic", "military"])
    assert told["pantheon"] == {"base": ["gold", "own"], "roof": []}
    assert result["provinces"]["Italia"]["intrigue"] == [2, 0, 2]
    assert of(result, "intrigue_left") == [2, 3, 1]


def test_own_cards_go_before_those_of_the_same_name() -> None:
    sundial = card("Sundial", "weapons", "follower", glory=3)
    position = table({"hand": ["Sundial"], "glory": 1}, {}, phase="action", data=trade(sundial))
    result = after(position, move("follower", on="Colosseum", before=[{"play": "Sundial"}]))
    assert (result["players"][0]["glory"], result["trade_discard"]) == (5, ["Sundial"])


def test_in_the_action_phase_players_without_followers_are_skipped() -> None:
    placed = {"placed": {"Colosseum": 1}}
    assert inspect(table(placed, {}, {}, phase="action"))["to_move"] == 1
    ended = inspect(table(placed, placed, phase="action"))
    assert (ended["phase"], ended["to_move"], of(ended, "followers_left")) == ("income", 0, [1, 1])


@pytest.mark.parametrize(("own", "listed"), [(4, True), (5, False)])
def test_custom_duty_is_no_legal_move_as_long_as_the_hand_has_no_room(own: int, listed: bool) -> None:
    thief = {"own_intrigue": "Custom duty", "hand": ["Stola"] * own, "discord": 1}
    position = table(thief, {"hand": ["Compass"]}, phase="intrigue", board=["Africa", "Gallia", "Italia", "Hispania"])
    legal = inspect(position | {"provinces": {"Italia": {"intrigue": [0]}}})["legal"]
    assert ("Italia: Custom duty" in legal["activate"]) == listed


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(UserError, match="too many trade cards in all"):
        inspect(table({}, {}, trade_deck=["Sundial"] * 100, trade_discard=["Sundial"] * 100))
    many = trade(*(card(f"Card {number}") for number in range(150)))
    with pytest.raises(UserError, match="too many cards"):
        inspect(table({}, {}, data=many))


def test_a_solo_position_is_told_in_lines() -> None:
    solo = inspect_lines(inspect(table({"glory": 60})))
    assert "  tasks: glory; title none" in solo
