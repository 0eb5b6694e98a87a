"""Attack phase of the solo game: targets in pairs, which of several locations, the row of attack cards."""

from __future__ import annotations

from typing import Any

import pytest

from sim.engine.result_rows import END_REASON, FACTION, FIXED_COLUMNS, RANK, SCORE
from sim.games.imperial_settlers.game import load
from sim.games.imperial_settlers.io.positions import inspect_position
from sim.games.imperial_settlers.rules.constants import END_REASONS, SOLO_LOST, SOLO_WON, TITLES
from tests.games.imperial_settlers.inspecting import move, player, table
from tests.kit.plans import plan_for, rows_of

NOTHING = ["food", "card"]
"""Attack cards that hit nothing here, for an attack that is not looked at."""


def attacked(
    locations: list[Any],
    row: list[str],
    deck: list[str],
    faction: str = "romans",
    loses: Any = None,
    **settings: object,
) -> dict[str, Any]:
    """Result of an attack phase; `row` has the newest card first, `deck` the top one."""
    data = load(settings)
    moved = move("attack", None) | ({} if loses is None else {"loses": loses})
    position = table(player(faction, locations=locations), solo={"row": row, "deck": deck}, phase="attack")
    result = inspect_position(position | {"moves": [moved]}, data.catalog, data.tables)
    assert result["moves"] == [{"ok": True}]
    return result


def lost(locations: list[Any], row: list[str], deck: list[str], **keys: Any) -> list[str]:
    """Locations that an attack phase takes."""
    left = list(attacked(locations, row, deck, **keys)["players"][0]["locations"])
    names = [one if isinstance(one, str) else one["card"] for one in locations]
    for name in left:
        names.remove(name)
    return names


# ---- Which pair of targets ----


def test_the_example_of_the_rulebook() -> None:
    commons = ["Carpenter's Workshop", "Marketplace", "Joiner", "Wood Supplier"]
    assert lost(commons, ["worker", "gold"], ["wood", "food"]) == ["Marketplace"]


def test_the_newest_card_names_the_first_target() -> None:
    # Joiner: points and wood; Hunter Joe: wood and food.
    assert lost(["Joiner", "Hunter Joe"], ["vp", "food"], ["wood", "card"]) == ["Joiner"]
    assert lost(["Joiner", "Hunter Joe"], ["food", "vp"], ["wood", "card"]) == ["Hunter Joe"]


def test_only_pairs_with_the_first_target_count() -> None:
    assert lost(["Hunter Joe"], ["wood", "food"], ["gold", "card"]) == []


def test_the_same_good_twice_needs_it_on_two_cards() -> None:
    assert lost(["Lumberjacks"], ["stone", "food"], ["wood", "card"]) == []
    assert lost(["Lumberjacks"], ["stone", "wood"], ["wood", "card"]) == ["Lumberjacks"]
    # One wood in the raze field is not two.
    assert lost(["Hunter Joe"], ["stone", "wood"], ["wood", "card"]) == []


def test_two_attacks_take_two_locations_at_most() -> None:
    taken = lost(["Lumberjacks", "Old Forest", "Hunter Joe", "Joiner"], ["vp", "food"], ["wood", "wood"])
    assert taken == ["Hunter Joe", "Joiner"]


def test_ruins_and_faction_locations_are_no_targets() -> None:
    assert lost(["Ruins", "Legion"], ["wood", "vp", "worker"], ["vp", "worker"]) == []


def test_tokens_do_not_protect_from_the_virtual_player() -> None:
    guarded = {"card": "Joiner", "defence": True}
    result = attacked([guarded], ["vp", "food"], ["wood", "card"])
    mine = result["players"][0]
    assert (mine["locations"], mine["foundations"], mine["on"]) == ([], 0, {})
    assert mine["goods"]["wood"] == 0
    assert result["solo"]["pile"] == 1


# ---- Which of several locations ----


def test_action_locations_go_before_features_and_these_before_production() -> None:
    # All with two goods of stone and gold: Mason's Guild acts, Supplier is a feature, Merchant's Guild produces.
    three = ["Merchant's Guild", "Supplier", "Mason's Guild"]
    assert lost(three, ["stone", "food"], ["gold", "card"]) == ["Mason's Guild"]
    assert lost(three[:2], ["stone", "food"], ["gold", "card"]) == ["Supplier"]
    assert lost(three[:1], ["stone", "food"], ["gold", "card"]) == ["Merchant's Guild"]


def test_then_the_highest_cost() -> None:
    # Actions with points and wood: the Carpenter costs 2 wood 1 stone, the Joiner 2 wood.
    assert lost(["Joiner", "Carpenter"], ["vp", "food"], ["wood", "card"]) == ["Carpenter"]


def test_then_more_stone() -> None:
    # One print of Pig Farmer costs 2 wood, the others 1 wood and 1 stone.
    for two in (
        ["Pig Farmer", {"card": "COM055", "defence": True}],
        [{"card": "COM055", "defence": True}, "Pig Farmer"],
    ):
        left = attacked(two, ["worker", "vp"], ["food", "card"])["players"][0]
        assert (left["locations"], list(left["on"])) == (["Pig Farmer"], ["Pig Farmer"])


def test_then_the_player_chooses() -> None:
    two = ["Monty the Merchant", "Supplier"]
    for name in two:
        assert lost(two, ["stone", "food"], ["gold", "card"], loses=name) == [name]


# ---- The row ----


def test_a_miss_leaves_the_new_card_in_front() -> None:
    result = attacked([], ["vp", "stone"], ["wood", "worker"])
    assert result["solo"]["row"] == ["worker", "wood", "vp", "stone"]


def test_the_two_cards_of_a_hit_go_to_the_end_the_newest_last() -> None:
    result = attacked(["Joiner"], ["stone", "vp", "food"], ["wood", "worker"])
    assert result["solo"]["row"] == ["worker", "stone", "food", "vp", "wood"]


def test_what_is_left_before_the_virtual_player_comes_to_his_pile() -> None:
    data = load({})
    solo = {"row": ["vp"], "deck": NOTHING, "locations": ["Mill", "Town"], "pile": 3}
    position = table(player("romans"), solo=solo, phase="attack", round=2, moves=[move("attack", None)])
    result = inspect_position(position, data.catalog, data.tables)
    assert (result["solo"]["pile"], result["solo"]["locations"]) == (5, [])
    assert (result["round"], result["phase"]) == (3, "lookout")


def test_the_last_round_ends_with_an_attack_or_without() -> None:
    for setting, phase in ((True, "attack"), (False, "end")):
        data = load({"attack_in_last_round": setting})
        position = table(player("romans"), solo={}, round=5, moves=[move("pass")])
        assert inspect_position(position, data.catalog, data.tables)["phase"] == phase
    position = table(player("romans"), solo={}, phase="attack", round=5, moves=[move("attack", None)])
    result = inspect_position(position, data.catalog, data.tables)
    assert (result["phase"], result["round"]) == ("end", 5)


# ---- Japanese ----


def test_two_cards_with_points_take_a_japanese_location() -> None:
    both = ["Farm", "Monument"]
    assert lost(both, ["stone", "vp"], ["vp", "food"], faction="japanese") == ["Farm"]
    assert lost(both, ["stone", "wood"], ["vp", "food"], faction="japanese") == ["Monument"]
    # Points on the cards revealed before do not count if the newest shows something else.
    assert lost(both, ["vp", "vp"], ["wood", "food"], faction="japanese") == []


def test_the_search_among_the_commons_may_come_first() -> None:
    both = ["Farm", "Monument"]
    keys = {"faction": "japanese", "solo_faction_attack": "follows"}
    assert lost(both, ["stone", "vp"], ["vp", "food"], **keys) == ["Monument"]
    assert lost(both, ["wood", "vp"], ["vp", "food"], **keys) == ["Farm"]


def test_without_japanese_locations_the_commons_are_searched() -> None:
    assert lost(["Monument"], ["stone", "vp"], ["vp", "food"], faction="japanese") == ["Monument"]


def test_gate_and_shrine_are_exempt() -> None:
    assert lost(["Gate", "Shrine"], ["stone", "vp"], ["vp", "food"], faction="japanese") == []


def test_locations_of_other_empires_are_safe() -> None:
    assert lost(["Legion"], ["stone", "vp"], ["vp", "food"]) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Buddha's Temple", "Garrison"),  # card before raze
        ("Garrison", "Casino"),  # raze before gold
        ("Casino", "Dojo"),  # gold before points
        ("Dojo", "Swordsmith"),  # points before stone
        ("Swordsmith", "Sumo School"),  # stone before worker
        ("Sumo School", "Stalls"),  # worker before food
        ("Negotiator", "Sake Brewery"),  # gold before food
    ],
)
def test_the_deal_field_says_which_japanese_location_is_lost(one: str, other: str) -> None:
    for locations in ([one, other], [other, one]):
        assert lost(locations, ["stone", "vp"], ["vp", "food"], faction="japanese") == [one]


def test_then_kind_and_cost_say_it() -> None:
    # Deals of food: Stalls acts, Sake Brewery is a feature, Rice Fields produces.
    three = ["Rice Fields", "Sake Brewery", "Stalls"]
    for count in (3, 2, 1):
        taken = lost(three[:count], ["stone", "vp"], ["vp", "food"], faction="japanese")
        assert taken == [three[count - 1]]


def test_a_samurai_does_not_protect_and_is_lost() -> None:
    result = attacked([{"card": "Farm", "samurai": True}], ["stone", "vp"], ["vp", "food"], faction="japanese")
    assert result["players"][0]["locations"] == []
    assert result["solo"]["row"] == ["food", "stone", "vp", "vp"]


# ---- Results ----


def test_results_say_whether_the_game_was_won_and_with_which_title() -> None:
    plan = plan_for("imperial_settlers", "solo", 1, strategies=["balanced"])
    rows = rows_of(plan, 0, 60)[:, 0]
    collected = FIXED_COLUMNS + len(plan.game.score_parts) + plan.game.measures.index("collected")
    assert set(rows[:, FACTION]) == {0, 1, 2, 3}
    for row in rows:
        own = int(row[FIXED_COLUMNS + plan.game.score_parts.index("faction_locations")]) // 2
        title = sum(row[SCORE] >= least for least in (30, 40, 50, 60, 70, 80))
        assert row[RANK] == (1 if own > row[collected] else 2)
        assert row[END_REASON] == (SOLO_WON + title if own > row[collected] else SOLO_LOST)
    assert END_REASONS[SOLO_WON:] == tuple(f"solo {title}" for title in TITLES)


def test_a_location_of_the_virtual_player_that_is_held_is_used_as_his() -> None:
    seat = player("egyptians", goods="2 worker", locations=["Temple of Ra"])
    position = table(seat, solo={"locations": ["New Forest"]})
    held = move("activate", location="Temple of Ra", target="virtual", at="New Forest")
    used = move("activate", location="New Forest", owner="virtual")
    data = load({})
    result = inspect_position(position | {"moves": [held, used]}, data.catalog, data.tables)
    assert [each["ok"] for each in result["moves"]] == [True, True]
