"""Moves on positions: the course of a round, and what is done in each phase; what is refused changes nothing."""

from __future__ import annotations

import pytest

from tests.games.glory_of_rome.inspecting import (
    Position,
    act,
    after,
    built,
    card,
    events,
    inspect,
    kept,
    move,
    of,
    refused,
    table,
    trade,
)

NAMES = ("Africa", "Gallia", "Hispania", "Italia")


# ---- Course of a round ----


def test_a_round_goes_through_its_phases() -> None:
    position = table({}, {}, {}, round=2, data=events())
    passing = [move("pass", seat) for seat in (0, 2, 1)]
    result = after(position, move("event", None, event="Games"))
    assert (result["phase"], result["direction"], result["to_move"]) == ("intrigue", "counter-clockwise", 0)
    result = after(position, move("event", None, event="Games"), *passing)
    assert (result["phase"], result["to_move"], result["legal"]["build"][0]) == ("build", 0, "military 1")
    moves = [move("event", None, event="Games"), *passing, *passing]
    moves += [move("follower", seat, on="Colosseum") for seat in (0, 2, 1)]
    result = after(position, *moves)
    assert (result["phase"], result["to_move"], of(result, "followers_left")) == ("income", 0, [1, 1, 1])
    result = after(position, *moves, *(move("tax", seat) for seat in (0, 2, 1)))
    assert (result["round"], result["phase"], result["to_move"], result["legal"]) == (3, "event", None, None)
    assert of(result, "province") == ["Hispania", "Italia", "Africa"]


def test_the_first_round_has_no_activation() -> None:
    result = after(table({}, {}, data=events()), move("event", None, event="Games"))
    assert (result["round"], result["phase"]) == (1, "build")


@pytest.mark.parametrize(
    ("turn", "arrows", "provinces"),
    [
        ("clockwise", 1, ["Italia", "Africa", "Gallia"]),
        ("counter-clockwise", 1, ["Gallia", "Hispania", "Italia"]),
        ("clockwise", 2, ["Hispania", "Italia", "Africa"]),
    ],
)
def test_the_board_turns_as_the_event_says(turn: str, arrows: int, provinces: list[str]) -> None:
    seats = range(3)
    position = table({}, {}, {}, phase="income", direction=turn, arrows=arrows)
    order = seats if turn == "clockwise" else (0, 2, 1)
    assert of(after(position, *(move("tax", seat) for seat in order)), "province") == provinces


def test_with_clockwork_the_board_always_turns_clockwise() -> None:
    position = table({}, {}, phase="income", direction="counter-clockwise", arrows=2, variants=["Clockwork"])
    result = after(position, move("tax", 0), move("tax", 1))
    assert of(result, "province") == ["Italia", "Gallia"]


def test_the_game_is_over_after_round_9() -> None:
    position = table({}, {}, phase="income", round=9)
    result = after(position, move("tax", 0), move("tax", 1))
    assert (result["round"], result["phase"], result["to_move"], result["legal"]) == (9, "over", None, None)
    assert "the game is over" in refused(position, move("tax", 0), move("tax", 0), move("tax", 1))


def test_moves_out_of_turn_or_phase_are_refused() -> None:
    position = table({"hand": ["Sundial"]}, {"hand": ["Sundial"]}, phase="build", data=events())
    assert "turn of seat 0" in refused(position, move("pass", 1))
    assert "turn of seat 0" in refused(position, move("sell", 1, card="Sundial"))
    assert "action phase" in refused(position, move("follower", 0, on="Colosseum"))
    assert "event phase" in refused(position, move("event", None, event="Games"))
    assert "nobody's turn" in refused({**position, "phase": "event"}, move("sell", 0, card="Sundial"))


def test_players_place_followers_one_at_a_time() -> None:
    position = table({"glory": 5}, {"glory": 1}, {"glory": 12}, phase="action")
    seats = (0, 1, 2, 0, 2, 2)
    result = after(position, *(move("follower", seat, on="Colosseum") for seat in seats[:-1]))
    assert (result["phase"], result["to_move"], of(result, "followers_left")) == ("action", 2, [0, 0, 1])
    result = after(position, *(move("follower", seat, on="Colosseum") for seat in seats))
    assert (result["phase"], of(result, "glory")) == ("income", [7, 2, 15])


def test_a_follower_won_in_the_action_phase_is_placed_in_it_unless_a_setting_says_otherwise() -> None:
    position = table({"glory": 4}, {}, phase="action")
    first = move("follower", 0, on="Colosseum")
    assert of(after(position, first), "followers_left") == [1, 1]
    later = after(position, first, follower_won_in_action="next round")
    assert (of(later, "followers"), of(later, "followers_left")) == ([2, 1], [0, 1])


# ---- Events ----


def test_all_who_tie_for_the_most_get_the_reward_of_an_event() -> None:
    data = events(reward={"glory": 1, "denarii": -1}, **{"if": {"most": "sets"}})
    seats = {"sets": ["tools"], "denarii": 0}, {"denarii": 3}, {"sets": ["jewels"], "denarii": 3}
    result = after(table(*({**seat, "glory": 1} for seat in seats), data=data), move("event", None, event="Games"))
    assert [kept(result, seat) for seat in range(3)] == [(0, 2), (3, 1), (2, 2)]


def test_an_event_takes_glory_as_far_as_there_is_some() -> None:
    position = table({"glory": 2}, {"glory": 5}, data=events(reward={"glory": -3}))
    assert of(after(position, move("event", None, event="Games")), "glory") == [1, 2]


def test_rewards_of_an_event_reach_a_milestone_together() -> None:
    position = table({"glory": 11}, {"glory": 11}, {"glory": 10}, data=events(reward={"glory": 1}))
    result = after(position, move("event", None, event="Games"))
    # Two reach 12 at once; the third then stands where the marker comes down first.
    assert (of(result, "followers"), result["milestone_markers"]["12"]) == ([3, 3, 3], 9)


# ---- Building ----


def site(denarii: int, hand: list[str] | None = None, **levels: int) -> Position:
    seat = {"denarii": denarii, "glory": 1, "hand": hand or []}
    return table(seat, {}, phase="build", provinces=built(**levels))


def test_tiles_are_built_level_by_level() -> None:
    steps = [move("build", type="religious", level=level) for level in (1, 2, 3)]
    result = after(site(24), *steps)
    assert (kept(result), result["provinces"]["Africa"]["population"]) == ((0, 13), 4)
    assert result["players"][0]["medals"] == ["religious"]
    assert result["supply"]["medals"] == ["military", "political", "commercial", "economic"]
    assert "costs 13 denarii" in refused(site(23), steps[2], *steps[:2])
    assert "level 1 to build on" in refused(site(24), steps[1])
    assert "stands there" in refused(site(24), steps[0], *steps[:2])


def test_numbers_that_do_not_exist_are_against_the_rules() -> None:
    for level in (0, 4):
        assert f"no level {level}" in refused(site(24), move("build", type="military", level=level))
    rich = table({"denarii": 9, "medals": ["religious"]}, {}, provinces=built(religious=3), phase="build")
    assert "bought 0 times" in refused(rich, move("pay", times=0))


def test_a_spys_action_has_neither_bonus_nor_trade_cards() -> None:
    position = table({}, {}, round=2, phase="diplomacy", variants=["Spies and Alliances"], provinces={})
    position["provinces"] = {"Hispania": {"buildings": {"military": 1}}}
    keys = {"province": "Hispania", "building": "military", "token": "spy", "accepted": True, "choice": "action"}
    step = [{"to": "Thrace"}]
    assert "without bonus" in refused(position, move("diplomacy", offer=0, bonus=True, legions=step * 2, **keys))
    assert "cannot be offered" in refused(position, move("diplomacy", offer=-1, legions=step, **keys))
    sold = [{"sell": "Bulla"}]
    assert "no trade card" in refused(position, move("diplomacy", offer=0, legions=step, before=sold, **keys))
    result = after(position, move("diplomacy", offer=0, bonus=False, legions=step, **keys))
    assert result["players"][0]["legions"]["Thrace"] == 1


def test_tiles_run_out() -> None:
    provinces = {name: {"buildings": {"religious": 3}} for name in NAMES[1:3]} | built(religious=2)
    position = table({"denarii": 50}, {}, {}, phase="build", provinces=provinces)
    assert "no religious tile of level 3 is left" in refused(position, move("build", type="religious", level=3))
    assert "religious 3" not in inspect(position)["legal"]["build"]


def test_what_can_be_built_is_what_can_be_paid_now() -> None:
    data = trade(card("Plan", when="build", denarii=2))
    position = site(6, ["Plan"], religious=1) | {"data": data}
    others = [f"{kind} 1" for kind in ("military", "political", "commercial", "economic")]
    assert inspect(position)["legal"] == {"build": others}
    built_up = move("build", type="religious", level=2, before=[{"play": "Plan"}])
    assert kept(after(position, built_up)) == (0, 5)


def test_cards_are_sold_to_pay_for_a_tile() -> None:
    position = site(7, ["Sundial"], religious=1)
    before = [{"sell": "Sundial"}]
    result = after(position, move("build", type="religious", level=2, before=before))
    assert (kept(result), result["trade_discard"]) == ((0, 5), ["Sundial"])
    refused(site(6, ["Sundial"], religious=1), move("build", type="religious", level=2, before=before))


def test_a_medal_is_taken_once_and_not_at_all_with_heroes() -> None:
    position = site(13, religious=2)
    position["players"][1]["medals"] = ["religious"]
    highest = move("build", type="religious", level=3)
    assert of(after(position, highest), "medals") == [[], ["religious"]]
    heroes = {**site(13, religious=2), "variants": ["Heroes"]}
    result = after(heroes, highest)
    assert (of(result, "medals"), result["supply"]["medals"]) == ([[], []], [])


def test_a_follower_won_by_building_is_placed_in_the_same_round() -> None:
    position = site(24)
    position["players"][0]["glory"] = 4
    result = after(position, move("build", type="religious", level=1))
    assert (of(result, "followers"), of(result, "followers_left")) == ([2, 1], [2, 1])


# ---- Followers ----


def test_a_building_has_room_for_as_many_as_its_level() -> None:
    position = act({"glory": 12, "placed": {"economic": 1}}, economic=2)
    result = after(position, move("follower", on="economic"))
    assert result["players"][0]["placed"]["economic"] == 2
    full = act({"glory": 12, "placed": {"economic": 2}}, economic=2)
    assert "no room on the economic building" in refused(full, move("follower", on="economic"))
    assert "no economic building" in refused(act(), move("follower", on="economic"))


@pytest.mark.parametrize(("number", "denarii"), list(enumerate((1, 1, 2, 2, 3, 3, 4, 4, 5), start=1)))
def test_the_economic_action_brings_denarii_by_round(number: int, denarii: int) -> None:
    plain = act(round_number=number, economic=1)
    assert kept(after(plain, move("follower", on="economic")))[0] == denarii
    medal = act({"medals": ["economic"]}, number, economic=1)
    assert kept(after(medal, move("follower", on="economic")))[0] == denarii + 2


def test_a_legion_is_placed_or_moved() -> None:
    position = act({"legions": {"board": 1, "Epirus": 1}}, military=1)
    placed = after(position, move("follower", on="military", legions=[{"to": "Thrace"}]))
    assert placed["players"][0]["legions"] == {"board": 0, "Epirus": 1, "Macedonia": 0, "Thrace": 1}
    moved = after(position, move("follower", on="military", legions=[{"from": "Epirus", "to": "Thrace"}]))
    assert moved["players"][0]["legions"] == {"board": 1, "Epirus": 0, "Macedonia": 0, "Thrace": 1}
    twice = [{"to": "Thrace"}, {"from": "Thrace", "to": "Epirus"}]
    result = after(position, move("follower", on="military", bonus=True, legions=twice))
    assert result["players"][0]["legions"] == {"board": 0, "Epirus": 2, "Macedonia": 0, "Thrace": 0}
    assert result["players"][0]["bonuses"] == ["political", "commercial"]


@pytest.mark.parametrize(
    ("legions", "bonus"),
    [
        ([], False),
        ([{"to": "Thrace"}], True),
        ([{"to": "Thrace"}, {"to": "Epirus"}], False),
        ([{"to": "Thrace"}, {"to": "Thrace"}], True),
        ([{"from": "Macedonia", "to": "Thrace"}], False),
        ([{"from": "Epirus", "to": "Epirus"}], False),
    ],
)
def test_wrong_steps_of_legions_are_refused(legions: list[dict[str, str]], bonus: bool) -> None:
    position = act({"legions": {"board": 1, "Epirus": 1}}, military=1)
    refused(position, move("follower", on="military", bonus=bonus, legions=legions))


def test_a_region_is_conquered_while_its_number_is_there() -> None:
    position = act({"legions": {"Epirus": 2}}, military=1)
    away = move("follower", on="military", legions=[{"from": "Epirus", "to": "Thrace"}])
    assert inspect(position)["regions"]["Epirus"]["conquered"]
    assert not after(position, away)["regions"]["Epirus"]["conquered"]
    stays = after(position, away, left_region="stays conquered")
    assert stays["regions"]["Epirus"]["conquered"]


def test_a_vote_needs_one_on_the_board() -> None:
    position = act({"votes": 1}, political=1)
    result = after(position, move("follower", on="political"))
    assert (result["senate"], result["players"][0]["votes"]) == ([{"seat": 0, "value": 1}], 0)
    assert "not votes enough" in refused(position, move("follower", on="political", bonus=True))
    assert "not votes enough" in refused(act({"votes": 0}, political=1), move("follower", on="political"))


def test_the_political_medal_makes_a_majority_worth_more() -> None:
    position = act({"medals": ["political"]}, political=1) | {"senate": [0, 0]}
    assert kept(after(position, move("follower", on="political")))[1] == 4


def test_pieces_of_the_pantheon_are_placed_in_order() -> None:
    position = act({"glory": 30}, religious=3)
    steps = [move("follower", on="religious", level="base") for _ in range(3)]
    position["players"][1]["placed"] = {"Colosseum": 1}
    result = after(position, *steps)
    assert result["players"][0]["pantheon"] == {"base": ["own", "own", "gold"], "roof": []}
    assert result["supply"]["pantheon"]["base"] == {"gold": 0, "silver": 0, "bronze": 1}
    reason = refused(position, move("follower", on="religious", level="roof"))
    assert reason == "no piece can be placed on the roof: the base is not finished"
    done = {"pantheon": {"base": ["own", "own", "gold"], "roof": []}}
    assert "base: it is finished" in refused(act(done, religious=1), move("follower", on="religious", level="base"))
    roof = after(position, move("follower", on="religious", level="roof"), roof_first="allowed")
    assert roof["players"][0]["pantheon"]["roof"] == ["own"]
    assert "level" in refused(position, move("follower", on="religious"))


def test_a_finished_pantheon_takes_no_piece() -> None:
    done = {"base": ["own", "own", "gold"], "roof": ["own", "own", "own", "gold"]}
    position = act({"pantheon": done}, religious=1)
    assert "no piece" in refused(position, move("follower", on="religious", level="base"))
    assert inspect(position)["legal"]["follower"] == ["Colosseum", "intrigue"]


def test_intrigue_is_placed_on_one_of_three_spaces() -> None:
    position = act()
    result = after(position, move("follower", on="intrigue"))
    assert (result["provinces"]["Africa"]["intrigue"], of(result, "intrigue_left")) == ([0], [2, 3])
    full = {**position, "provinces": {"Africa": {"intrigue": [1, 1], "activated": [1]}}}
    assert "are taken" in refused(full, move("follower", on="intrigue"))
    away = {**position, "provinces": {"Gallia": {"intrigue": [0, 0, 0]}}}
    assert "no intrigue token" in refused(away, move("follower", on="intrigue"))


def test_a_bonus_is_used_once_and_not_under_discord() -> None:
    used = act({"bonus_used": ["commercial"], "glory": 12}, commercial=2)
    assert "used in this round" in refused(used, move("follower", on="commercial", bonus=True))
    covered = act({"discord": 1}, commercial=1)
    assert "covered by discord" in refused(covered, move("follower", on="commercial", bonus=True))
    for place in ("religious", "economic", "Colosseum", "intrigue"):
        position = act(religious=1, economic=1)
        assert "no bonus" in refused(position, move("follower", on=place, bonus=True, level="base"))


def test_what_followers_can_do_is_listed() -> None:
    levels = dict.fromkeys(("military", "political", "commercial", "religious", "economic"), 1)
    position = act({"hand": ["Sundial"] * 3, "votes": 1}, **levels)
    legal = inspect({**position, "trade_deck": ["Sundial"] * 2})["legal"]["follower"]
    assert legal == [
        "military", "military with bonus", "political", "commercial", "commercial with bonus", "religious", "economic",
        "Colosseum", "intrigue",
    ]  # fmt: skip
    short = inspect({**position, "trade_deck": ["Sundial"]})["legal"]["follower"]
    assert "commercial with bonus" not in short
    position["players"][0]["hand"] = ["Sundial"] * 4
    fuller = inspect({**position, "trade_deck": ["Sundial"] * 2})["legal"]["follower"]
    assert [name for name in legal if name not in fuller] == ["commercial with bonus"]
    position["players"][0]["anchor"] = True
    full = inspect({**position, "trade_deck": ["Sundial"] * 2})["legal"]["follower"]
    assert "commercial" not in full


# ---- The religious medal ----


def test_who_has_the_religious_medal_buys_glory_at_any_time() -> None:
    seats = {"glory": 3}, {"medals": ["religious"], "denarii": 8, "glory": 3}
    for phase in ("event", "build", "income"):
        result = after(table(*seats, phase=phase), move("pay", 1, times=2))
        assert (kept(result, 1), result["phase"], of(result, "followers")) == ((2, 5), phase, [1, 2])
    position = table(*seats, phase="action")
    assert of(after(position, move("pay", 1, times=2)), "followers_left") == [1, 2]
    assert "8 denarii" in refused(position, move("pay", 1, times=3))
    assert "medal" in refused(position, move("pay", 0, times=1))


# ---- Taxes ----


def test_cards_of_double_taxing_come_before_it() -> None:
    data = trade(card("Seal", when="double_tax", glory=1))
    position = table({"glory": 2, "denarii": 0, "hand": ["Seal"]}, {}, phase="income", data=data)
    position["provinces"] = built(military=2)
    assert inspect(position)["legal"] == {"tax": ["normal"]}
    assert "cannot move back by 2: it stands at 2" in refused(position, move("tax", double=True))
    result = after(position, move("tax", double=True, before=[{"play": "Seal"}]))
    assert kept(result) == (6, 1)
    refused(position, move("tax", before=[{"play": "Seal"}]))
    position["players"][0]["glory"] = 3
    assert inspect(position)["legal"] == {"tax": ["normal", "double"]}


def test_no_marker_goes_below_space_1_whichever_side_is_up() -> None:
    position = table({"glory": 31, "denarii": 0}, {}, phase="income", provinces=built(military=1, political=1))
    taxed = move("tax", double=True)
    assert "cannot move back by 2: it stands at 31, on space 1" in refused(position, taxed)
    assert inspect(position)["players"][0]["income"]["can_double"] is False
    by_setting = inspect({**position, "moves": [taxed]}, glory_floor="1 glory")
    assert (by_setting["moves"], kept(by_setting)) == ([{"ok": True}], (6, 29))
    position["players"][0]["glory"] = 33
    assert kept(after(position, taxed)) == (6, 31)
    for glory, left in ((32, 31), (31, 31), (35, 32), (2, 1)):
        lost = table({"glory": glory}, {}, variants=["Hard Times"], data=events(reward={"glory": -3}, negative=True))
        assert kept(after(lost, {"do": "event", "event": "Games"}))[1] == left


# ---- More cards than a hand may have ----


def test_a_hand_over_the_limit_bars_nothing_but_drawing() -> None:
    hand = ["Sundial", "Compass", "Bulla", "Spatha", "Sundial"]
    full = {**act({"hand": hand, "anchor": True}, military=1, commercial=1), "trade_deck": ["Compass"]}
    assert {"military", "Colosseum"} <= set(inspect(full)["legal"]["follower"])
    assert "commercial" not in inspect(full)["legal"]["follower"]
    after(full, move("follower", on="military", legions=[{"to": "Thrace"}]))
    assert "room" in refused(full, move("follower", on="commercial"))


def test_a_hand_over_the_limit_bars_no_intrigue_that_draws_nothing() -> None:
    actor = {"own_intrigue": "Sold", "discord": 1, "hand": ["Sundial"] * 2 + ["Compass"] * 3, "anchor": True}
    target = {"discord": 0, "pantheon": {"base": ["own"]}}
    plot = table(actor, target, {}, {}, round=2, phase="intrigue", provinces={"Gallia": {"intrigue": [0]}})
    assert "Gallia: Demolition" in inspect(plot)["legal"]["activate"]
    result = after(plot, move("activate", province="Gallia", effect="Demolition", level="base"))
    assert result["players"][1]["pantheon"] == {"base": [], "roof": []}
