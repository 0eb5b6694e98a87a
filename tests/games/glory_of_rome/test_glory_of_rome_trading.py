"""Trade cards: drawing, the hand limit, conditions and chains, selling, and sets."""

from __future__ import annotations

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import (
    BIANKA,
    HENRIK,
    Table,
    card_number,
    choose,
    finish,
    hand,
    kinds_listed,
    listed,
    place,
    places_listed,
    play,
    table,
)

LIGHTHOUSE = {"Africa": {"commercial": 2}}
CASTLE = {"Africa": {"military": 1}}
WEAPONS = ["Spatha", "Spatha", "Trident"]


def playable(position: Table) -> set[str]:
    """Names of the cards that can be played now."""
    names = position.plan.data.catalog.card_names
    return {names[option.card] for option in listed(position) if option.kind == constants.PLAY}


def sets_listed(position: Table) -> set[str]:
    """Types of the sets that can be laid."""
    return {constants.TRADE_TYPES[option.card] for option in listed(position) if option.kind == constants.LAY_SET}


# ---- Worked examples ----


def test_first_example_of_trade_cards() -> None:
    cards = {BIANKA: ["Sundial", "Trident", "Abacus", "Abacus"]}
    position = table(buildings=LIGHTHOUSE, discord=[0], anchor=[1], hands=cards, deck=["Compass", "Tunic", "Stola"])
    place(position, "commercial", 1)
    assert "go_on" not in kinds_listed(position)
    play(position, "Sundial")
    assert hand(position, BIANKA)[-1] == "Compass"
    play(position, "Compass")
    assert position.g.anchor[BIANKA] == 0
    assert hand(position, BIANKA) == ["Trident", "Abacus", "Abacus", "Tunic", "Stola"]


def test_second_example_of_trade_cards() -> None:
    cards = {BIANKA: ["Bulla", *WEAPONS]}
    position = table(buildings=LIGHTHOUSE, discord=[0], hands=cards, deck=["Abacus", "Tunic", "Stola", "Cameo"])
    place(position, "commercial", 1)
    play(position, "Bulla")
    assert len(hand(position, BIANKA)) == 5
    choose(position, constants.LAY_SET, card=constants.WEAPONS)
    assert hand(position, BIANKA) == ["Abacus", "Tunic", "Stola", "Cameo"]
    assert position.g.sets[BIANKA, constants.WEAPONS] == 1


def test_third_example_of_trade_cards() -> None:
    position = table(
        buildings=CASTLE,
        discord=[0],
        board_legions=[1],
        legions={"Thrace": [5]},
        hands={BIANKA: ["Snake bracelets"]},
        discard=["Bulla"],
        deck=["Spatha", "Stola"],
    )
    place(position, "military", 1)
    play(position, "Snake bracelets")
    play(position, "Bulla")
    play(position, "Spatha")
    assert position.g.board_legions[BIANKA] == 2
    choose(position, constants.PLACE_LEGION, place=0)
    choose(position, constants.PLACE_LEGION, place=1)
    assert position.g.legions[:, BIANKA].tolist() == [1, 1, 5]


# ---- Conditions ----


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("Trident", "Colosseum"),
        ("Abacus", "economic"),
    ],
)
def test_a_card_is_played_where_its_condition_says(name: str, where: str) -> None:
    buildings = {"Africa": {"economic": 1, "military": 1}}
    for spot in ("Colosseum", "economic", "military"):
        position = table(buildings=buildings, hands={BIANKA: [name, "Stola"]})
        place(position, spot)
        assert (position.decision == constants.ASK_WINDOW) == (spot == where)


def test_a_card_for_any_follower_is_played_everywhere() -> None:
    for spot in ("Colosseum", "intrigue"):
        position = table(hands={BIANKA: ["Toga"]}, board_votes=[4])
        place(position, spot)
        assert playable(position) == {"Toga"}
        play(position, "Toga")
        assert position.g.board_votes[BIANKA] == 5


def test_cards_for_building_and_double_taxing() -> None:
    build = table(constants.BUILD_PHASE, denarii=[3, 0, 0, 0], hands={BIANKA: ["Cameo"]})
    choose(build, constants.PLACE_TILE, card=constants.MILITARY)
    play(build, "Cameo")
    assert build.g.glory[BIANKA] == 1 + 1 + 2
    income = table(constants.INCOME_PHASE, glory=[5, 5, 1, 1], hands={BIANKA: ["Signet ring"]}, denarii=[0])
    choose(income, constants.TAKE_TAX, value=1)
    play(income, "Signet ring")
    assert income.g.denarii[BIANKA] == 3 + 2
    single = table(constants.INCOME_PHASE, glory=[5, 5, 1, 1], hands={BIANKA: ["Signet ring"]}, denarii=[0])
    choose(single, constants.TAKE_TAX, value=0)
    assert hand(single, BIANKA) == ["Signet ring"]


def test_a_card_that_brings_denarii_while_building_can_pay_for_the_tile() -> None:
    position = table(constants.BUILD_PHASE, denarii=[1, 0, 0, 0], hands={BIANKA: ["Plumb line"]})
    choose(position, constants.PLACE_TILE, card=constants.MILITARY)
    assert hand(position, BIANKA) == []
    assert position.g.denarii[BIANKA] == 0
    assert position.g.building[0, constants.MILITARY] == 1


def test_a_card_that_brings_denarii_among_other_things_can_pay_for_a_tile_too() -> None:
    changes = ["trade.toml#cameo.effect={ denarii = 2, glory = 1 }"]
    position = table(constants.BUILD_PHASE, denarii=[1, 0, 0, 0], hands={BIANKA: ["Cameo"]}, changes=changes)
    choose(position, constants.PLACE_TILE, card=constants.MILITARY)
    assert (hand(position, BIANKA), int(position.g.denarii[BIANKA])) == ([], 0)
    assert position.g.building[0, constants.MILITARY] == 1


def test_cards_that_take_the_room_of_others_are_played_in_an_order_that_pays() -> None:
    # With a full hand the card that draws two goes second, into the place that the first one leaves.
    changes = [
        "trade.toml#cameo.effect={ denarii = 1, draw = 2 }",
        "trade.toml#wax-tablet.effect={ denarii = 1 }",
        "board.toml#military 1.price=2",
    ]
    cards = ["Cameo", "Wax tablet", "Stola", "Toga", "Spatha"]
    position = table(constants.BUILD_PHASE, denarii=[0, 0, 0, 0], hands={BIANKA: cards}, changes=changes)
    choose(position, constants.PLACE_TILE, card=constants.MILITARY)
    assert position.g.building[0, constants.MILITARY] == 1
    assert len(hand(position, BIANKA)) == 5


def test_a_card_drawn_by_an_effect_is_played_only_under_the_same_condition() -> None:
    position = table(hands={BIANKA: ["Sundial"]}, deck=["Trident"])
    place(position, "Colosseum")
    play(position, "Sundial")
    assert position.decision != constants.ASK_WINDOW
    assert hand(position, BIANKA) == ["Trident"]
    chained = table(hands={BIANKA: ["Sundial"]}, deck=["Toga"], board_votes=[4])
    place(chained, "Colosseum")
    play(chained, "Sundial")
    assert playable(chained) == {"Toga"}


@pytest.mark.parametrize(("value", "both"), [("both can be played", True), ("one condition", False)])
def test_a_setting_says_whether_cards_for_any_follower_and_for_the_colosseum_are_mixed(value: str, both: bool) -> None:
    cards = {BIANKA: ["Toga", "Trident"]}
    position = table(hands=cards, board_votes=[4], settings={"mixed_conditions": value})
    place(position, "Colosseum")
    assert playable(position) == {"Toga", "Trident"}
    play(position, "Toga")
    assert (position.decision == constants.ASK_WINDOW) == both


def test_cards_drawn_by_the_action_come_too_late() -> None:
    position = table(buildings=LIGHTHOUSE, deck=["Toga"], board_votes=[4])
    place(position, "commercial")
    assert hand(position, BIANKA) == ["Toga"]
    assert position.decision != constants.ASK_WINDOW


# ---- Effects ----


def test_effects_have_to_be_possible_in_full() -> None:
    all_recruited = table(hands={BIANKA: ["Spatha", "Toga", "Snake bracelets", "Compass"]}, board_votes=[5])
    all_recruited.g.board_legions[BIANKA] = 7
    place(all_recruited, "intrigue")
    assert all_recruited.decision != constants.ASK_WINDOW


def test_mission_cards_can_be_drawn() -> None:
    position = table(hands={BIANKA: ["Embroidered scroll"]})
    place(position, "Colosseum")
    play(position, "Embroidered scroll")
    assert position.g.mission_count[BIANKA] == 1


def test_more_sets_than_three_by_a_card() -> None:
    buildings = {"Africa": {"economic": 1}}
    cards = {BIANKA: ["Treasure chest", *WEAPONS]}
    position = table(buildings=buildings, hands=cards)
    position.g.sets[BIANKA, constants.TOOLS] = 3
    assert "weapons" not in sets_listed(position)
    place(position, "economic")
    play(position, "Treasure chest")
    assert position.g.set_limit[BIANKA] == 4


def test_the_discards_are_shuffled_when_the_deck_is_empty() -> None:
    position = table(buildings=LIGHTHOUSE)
    g = position.g
    g.discard[: g.trade_size] = g.trade_deck[: g.trade_size]
    g.discard_size, g.trade_size = int(g.trade_size), 0
    cards = int(g.discard_size)
    place(position, "commercial")
    assert (g.trade_size, g.discard_size) == (cards - 1, 0)
    assert len(hand(position, BIANKA)) == 1


# ---- The hand ----


def test_room_is_made_before_cards_are_drawn() -> None:
    cards = ["Stola", "Cameo", "Tunic", "Trident", "Abacus"]
    position = table(buildings=LIGHTHOUSE, hands={BIANKA: cards}, deck=["Compass"])
    place(position, "commercial")
    assert kinds_listed(position) == {"sell", "discard"}
    choose(position, constants.DISCARD, value=0)
    assert hand(position, BIANKA) == ["Cameo", "Tunic", "Trident", "Abacus", "Compass"]
    assert position.g.denarii[BIANKA] == 7


def test_an_anchor_card_takes_a_place_of_the_hand_and_is_not_sold() -> None:
    cards = ["Stola", "Cameo", "Tunic", "Trident"]
    position = table(buildings=LIGHTHOUSE, hands={BIANKA: cards}, anchor=[1])
    place(position, "commercial")
    assert {option.card for option in listed(position)} == {card_number(position, name) for name in cards}


@pytest.mark.parametrize(("value", "drawn"), [("refused", 0), ("lost", 1)])
def test_a_setting_says_what_becomes_of_cards_beyond_the_limit(value: str, drawn: int) -> None:
    cards = ["Bulla", "Cameo", "Tunic", "Trident", "Abacus"]
    settings = {"draw_beyond_limit": value}
    position = table(hands={BIANKA: cards}, settings=settings, board_votes=[5])
    place(position, "intrigue")
    if not drawn:
        assert hand(position, BIANKA) == cards
        return
    play(position, "Bulla")
    assert len(hand(position, BIANKA)) == 5


def test_a_card_is_sold_for_a_denarius_in_the_own_turn() -> None:
    position = table(constants.BUILD_PHASE, hands={BIANKA: ["Stola"]}, denarii=[0, 0, 0, 0])
    choose(position, constants.SELL)
    assert position.g.denarii[BIANKA] == 1
    assert position.g.discard_size == 1


# ---- Sets ----


def test_three_cards_of_a_type_are_a_set_and_chests_are_wild() -> None:
    same = table(constants.BUILD_PHASE, hands={BIANKA: WEAPONS})
    assert sets_listed(same) == {"weapons"}
    with_chests = table(constants.BUILD_PHASE, hands={BIANKA: ["Spatha", "Iron chest", "Iron chest"]})
    assert sets_listed(with_chests) == {"weapons"}
    two = table(constants.BUILD_PHASE, hands={BIANKA: ["Spatha", "Spatha", "Stola"]})
    assert sets_listed(two) == set()


@pytest.mark.parametrize(
    ("value", "types"), [("not allowed", set()), ("allowed", {"tools", "weapons", "textiles", "jewels"})]
)
def test_a_setting_says_whether_chests_alone_are_a_set(value: str, types: set[str]) -> None:
    chests = ["Iron chest", "Iron chest", "Treasure chest"]
    settings = {"sets_of_chests": value}
    assert sets_listed(table(constants.BUILD_PHASE, hands={BIANKA: chests}, settings=settings)) == types


def test_with_the_commercial_medal_jewels_are_wild_too() -> None:
    cards = {BIANKA: ["Spatha", "Cameo", "Cameo"]}
    assert sets_listed(table(constants.BUILD_PHASE, hands=cards)) == set()
    owner = table(constants.BUILD_PHASE, hands=cards, medals={"commercial": BIANKA})
    assert sets_listed(owner) == {"weapons"}
    another = table(constants.BUILD_PHASE, hands=cards, medals={"commercial": HENRIK})
    assert sets_listed(another) == set()


def test_three_sets_are_the_most() -> None:
    position = table(constants.BUILD_PHASE, hands={BIANKA: WEAPONS})
    position.g.sets[BIANKA, constants.TOOLS] = 2
    assert sets_listed(position) == {"weapons"}
    position.g.sets[BIANKA, constants.JEWELS] = 1
    assert sets_listed(position) == set()


def test_sets_bring_points_by_their_type_and_wild_cards_none() -> None:
    position = table()
    for seat, kind in enumerate((constants.TOOLS, constants.WEAPONS, constants.TEXTILES, constants.JEWELS)):
        position.g.sets[seat, kind] = 1
    position.g.sets[0, constants.JEWELS] = 2
    assert [score["commerce"] for score in finish(position)] == [3 + 12, 4, 5, 6]


def test_no_cards_left_no_commerce() -> None:
    position = table(buildings=LIGHTHOUSE)
    position.g.trade_size = position.g.discard_size = 0
    assert ("commercial", 0) not in places_listed(position)
