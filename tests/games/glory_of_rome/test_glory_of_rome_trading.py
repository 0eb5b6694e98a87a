"""Trade cards: drawing, the hand limit, conditions and chains, selling, and sets."""

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants, log
from tests.games.glory_of_rome.playing import BIANKA, HENRIK, Table, card_number, table

LIGHTHOUSE = {"Africa": {"commercial": 2}}
WEAPONS = ["Spatha", "Spatha", "Trident"]
FULL = ["Stola", "Cameo", "Tunic", "Trident", "Abacus"]


def holding(*cards: str, phase: int = constants.ACTION_PHASE, **fields: Any) -> Table:
    """Return a position in which Bianka has these cards."""
    return table(phase, hands={BIANKA: list(cards)}, **fields)


def building(*cards: str, **fields: Any) -> Table:
    """Return a build phase in which Bianka has these cards."""
    return holding(*cards, phase=constants.BUILD_PHASE, **fields)


def playable(position: Table) -> set[str]:
    """Names of the cards that can be played now."""
    names = position.plan.data.catalog.card_names
    return {names[option.card] for option in position.listed() if option.kind == constants.PLAY}


def sets_listed(position: Table) -> set[str]:
    """Types of the sets that can be laid."""
    return {constants.TRADE_TYPES[option.card] for option in position.listed() if option.kind == constants.LAY_SET}


# ---- Worked examples ----


def test_first_example_of_trade_cards() -> None:
    cards = ["Sundial", "Trident", "Abacus", "Abacus"]
    position = holding(*cards, buildings=LIGHTHOUSE, discord=[0], anchor=[1], deck=["Compass", "Tunic", "Stola"])
    position.place("commercial", 1)
    assert "go_on" not in position.kinds_listed()
    position.play("Sundial")
    assert position.hand(BIANKA)[-1] == "Compass"
    position.play("Compass")
    assert position.g.anchor[BIANKA] == 0
    assert position.hand(BIANKA) == ["Trident", "Abacus", "Abacus", "Tunic", "Stola"]


def test_second_example_of_trade_cards() -> None:
    deck = ["Abacus", "Tunic", "Stola", "Cameo"]
    position = holding("Bulla", *WEAPONS, buildings=LIGHTHOUSE, discord=[0], deck=deck)
    position.place("commercial", 1)
    position.play("Bulla")
    assert len(position.hand(BIANKA)) == 5
    position.choose(constants.LAY_SET, card=constants.WEAPONS)
    assert position.hand(BIANKA) == deck
    assert position.g.sets[BIANKA, constants.WEAPONS] == 1


def test_third_example_of_trade_cards() -> None:
    legions = {"board_legions": [1], "legions": {"Thrace": [5]}, "buildings": {"Africa": {"military": 1}}}
    position = holding("Snake bracelets", **legions, discord=[0], discard=["Bulla"], deck=["Spatha", "Stola"])
    position.place("military", 1)
    for name in ("Snake bracelets", "Bulla", "Spatha"):
        position.play(name)
    assert position.g.board_legions[BIANKA] == 2
    position.choose(constants.PLACE_LEGION, place=0)
    position.choose(constants.PLACE_LEGION, place=1)
    assert position.g.legions[:, BIANKA].tolist() == [1, 1, 5]


# ---- Conditions ----


@pytest.mark.parametrize(("name", "where"), [("Trident", "Colosseum"), ("Abacus", "economic")])
def test_a_card_is_played_where_its_condition_says(name: str, where: str) -> None:
    for spot in ("Colosseum", "economic", "military"):
        position = holding(name, "Stola", buildings={"Africa": {"economic": 1, "military": 1}})
        position.place(spot)
        assert (position.decision == constants.ASK_WINDOW) == (spot == where)


@pytest.mark.parametrize("spot", ["Colosseum", "intrigue"])
def test_a_card_for_any_follower_is_played_everywhere(spot: str) -> None:
    position = holding("Toga", board_votes=[4])
    position.place(spot)
    assert playable(position) == {"Toga"}
    position.play("Toga")
    assert position.g.board_votes[BIANKA] == 5


def test_cards_for_building_and_double_taxing() -> None:
    build = building("Cameo", denarii=[3, 0, 0, 0])
    build.choose(constants.PLACE_TILE, card=constants.MILITARY)
    build.play("Cameo")
    assert build.g.glory[BIANKA] == 1 + 1 + 2
    for double in (False, True):
        income = holding("Signet ring", phase=constants.INCOME_PHASE, glory=[5, 5, 1, 1], denarii=[0])
        income.choose(constants.TAKE_TAX, value=int(double))
        if double:
            income.play("Signet ring")
            assert income.g.denarii[BIANKA] == 3 + 2
        else:
            assert income.hand(BIANKA) == ["Signet ring"]


@pytest.mark.parametrize(
    ("cards", "changes", "left"),
    [
        (["Plumb line"], [], 0),
        (["Cameo"], ["trade.toml#cameo.effect={ denarii = 2, glory = 1 }"], 0),
        # With a full hand the card that draws two goes second, into the place that the first one leaves.
        (
            ["Cameo", "Wax tablet", "Stola", "Toga", "Spatha"],
            [
                "trade.toml#cameo.effect={ denarii = 1, draw = 2 }",
                "trade.toml#wax-tablet.effect={ denarii = 1 }",
                "board.toml#military 1.price=3",
            ],
            5,
        ),
    ],
)
def test_cards_that_bring_denarii_while_building_pay_for_the_tile(
    cards: list[str], changes: list[str], left: int
) -> None:
    position = building(*cards, denarii=[1, 0, 0, 0], changes=changes)
    position.choose(constants.PLACE_TILE, card=constants.MILITARY)
    assert (len(position.hand(BIANKA)), position.g.denarii[BIANKA]) == (left, 0)
    assert position.g.building[0, constants.MILITARY] == 1


def test_a_card_drawn_by_an_effect_is_played_only_under_the_same_condition() -> None:
    for drawn in ("Trident", "Toga"):
        position = holding("Sundial", deck=[drawn], board_votes=[4])
        position.place("Colosseum")
        position.play("Sundial")
        assert position.hand(BIANKA) == [drawn]
        assert (position.decision == constants.ASK_WINDOW) == (drawn == "Toga")


@pytest.mark.parametrize(("value", "both"), [("both can be played", True), ("one condition", False)])
def test_a_setting_says_whether_cards_for_any_follower_and_for_the_colosseum_are_mixed(value: str, both: bool) -> None:
    position = holding("Toga", "Trident", board_votes=[4], settings={"mixed_conditions": value})
    position.place("Colosseum")
    assert playable(position) == {"Toga", "Trident"}
    position.play("Toga")
    assert (position.decision == constants.ASK_WINDOW) == both


def test_cards_drawn_by_the_action_come_too_late() -> None:
    position = table(buildings=LIGHTHOUSE, deck=["Toga"], board_votes=[4])
    position.place("commercial")
    assert position.hand(BIANKA) == ["Toga"]
    assert position.decision != constants.ASK_WINDOW


# ---- Effects ----


def test_effects_have_to_be_possible_in_full() -> None:
    position = holding("Spatha", "Toga", "Snake bracelets", "Compass", board_votes=[5], board_legions=[7])
    position.place("intrigue")
    assert position.decision != constants.ASK_WINDOW


def with_effect(card: str, effect: str) -> dict[str, Any]:
    """Return the field of a position that gives a card another effect."""
    return {"changes": [f"trade.toml#{card}.effect={{ {effect} }}"]}


BEYOND = {"settings": {"draw_beyond_limit": "lost"}}


@pytest.mark.parametrize(
    ("cards", "fields", "possible"),
    [
        # As many missions, legions and votes as are left; those in regions and in the senate are not left.
        (["Embroidered scroll"], {"mission_size": 1}, True),
        (["Embroidered scroll"], {"mission_size": 0}, False),
        (["Spatha"], {"board_legions": [6]}, True),
        (["Spatha"], {"board_legions": [6], "legions": {"Thrace": [1]}}, False),
        (["Toga"], {"board_votes": [4]}, True),
        (["Toga"], {"board_votes": [4], "senate": [BIANKA]}, False),
        # As many cards as lie in the deck and, for a deck to come, in the discards, without those taken from there.
        (["Bulla"], {"trade_size": 2}, True),
        (["Bulla"], {"trade_size": 1}, False),
        (["Bulla"], {"discard": ["Stola"], "trade_size": 1}, True),
        (["Snake bracelets"], {"discard": ["Stola"]}, True),
        (["Sundial"], {**with_effect("sundial", "take_discard = 1, draw = 1"), "discard": ["Stola"]}, True),
        (
            ["Sundial"],
            {**with_effect("sundial", "take_discard = 1, draw = 1"), "discard": ["Stola"], "trade_size": 0},
            False,
        ),
        # As many cards as the hand has room for: the places of the card itself and of an anchor card are free by then.
        (["Sundial", *FULL[1:]], {}, True),
        (["Bulla", *FULL[2:]], {}, True),
        (["Bulla", *FULL[2:]], {"anchor": [1]}, False),
        (["Sundial", *FULL[1:]], {**with_effect("sundial", "take_discard = 1"), "discard": ["Toga"] * 2}, True),
        (["Sundial", *FULL[1:]], {**with_effect("sundial", "take_discard = 2"), "discard": ["Toga"] * 2}, False),
        (["Compass", *FULL[2:]], {**with_effect("compass", "remove_anchor = true, draw = 2"), "anchor": [1]}, True),
        (["Compass", *FULL[2:]], {**with_effect("compass", "remove_anchor = true, draw = 3"), "anchor": [1]}, False),
        # Cards beyond the limit are lost by a setting, those from the discards too.
        (
            ["Sundial", *FULL[1:]],
            {**BEYOND, **with_effect("sundial", "take_discard = 2"), "discard": ["Toga"] * 2},
            True,
        ),
    ],
)
def test_an_effect_needs_as_much_as_it_takes_and_no_more(
    cards: list[str], fields: dict[str, Any], possible: bool
) -> None:
    position = holding(*cards, **fields)
    position.place("Colosseum")
    assert (cards[0] in playable(position)) == possible


def test_mission_cards_can_be_drawn() -> None:
    position = holding("Embroidered scroll")
    position.place("Colosseum")
    position.play("Embroidered scroll")
    assert position.g.mission_count[BIANKA] == len(position.rows(log.MISSION_DRAWN)) == 1


def test_the_discards_are_shuffled_when_the_deck_is_empty() -> None:
    position = table(buildings=LIGHTHOUSE)
    g = position.g
    g.discard[: g.trade_size] = g.trade_deck[: g.trade_size]
    g.discard_size, g.trade_size = int(g.trade_size), 0
    cards = int(g.discard_size)
    position.place("commercial")
    assert (g.trade_size, g.discard_size) == (cards - 1, 0)
    assert len(position.hand(BIANKA)) == 1


def test_no_cards_left_no_commerce() -> None:
    position = table(buildings=LIGHTHOUSE)
    position.g.trade_size = position.g.discard_size = 0
    assert ("commercial", 0) not in position.places_listed()


# ---- The hand ----


def test_room_is_made_before_cards_are_drawn() -> None:
    position = holding(*FULL, buildings=LIGHTHOUSE, deck=["Compass"])
    position.place("commercial")
    assert position.kinds_listed() == {"sell", "discard"}
    position.choose(constants.DISCARD, value=0)
    assert position.hand(BIANKA) == [*FULL[1:], "Compass"]
    assert position.g.denarii[BIANKA] == 7


def test_an_anchor_card_takes_a_place_of_the_hand_and_is_not_sold() -> None:
    position = holding(*FULL[:4], buildings=LIGHTHOUSE, anchor=[1])
    position.place("commercial")
    assert {option.card for option in position.listed()} == {card_number(position, name) for name in FULL[:4]}


@pytest.mark.parametrize(("value", "drawn"), [("refused", 0), ("lost", 1)])
def test_a_setting_says_what_becomes_of_cards_beyond_the_limit(value: str, drawn: int) -> None:
    cards = ["Bulla", *FULL[1:]]
    position = holding(*cards, settings={"draw_beyond_limit": value}, board_votes=[5])
    position.place("intrigue")
    if drawn:
        position.play("Bulla")
        assert len(position.hand(BIANKA)) == 5
    else:
        assert position.hand(BIANKA) == cards


@pytest.mark.parametrize(
    "phase", [constants.INTRIGUE_PHASE, constants.BUILD_PHASE, constants.ACTION_PHASE, constants.INCOME_PHASE]
)
def test_a_card_is_sold_for_a_denarius_in_the_own_turn(phase: int) -> None:
    position = holding("Stola", phase=phase, denarii=[0, 0, 0, 0], glory=[9, 9, 9, 9])
    position.choose(constants.SELL)
    assert (position.g.denarii[BIANKA], position.g.discard_size) == (1, 1)


# ---- Sets ----

CHESTS = ["Iron chest", "Iron chest", "Treasure chest"]
WITH_JEWELS = ["Spatha", "Cameo", "Cameo"]


@pytest.mark.parametrize(
    ("cards", "fields", "types"),
    [
        (WEAPONS, {}, {"weapons"}),
        (["Spatha", "Iron chest", "Iron chest"], {}, {"weapons"}),
        (["Spatha", "Spatha", "Stola"], {}, set()),
        # Chests alone are a set by a setting.
        (CHESTS, {"settings": {"sets_of_chests": "not allowed"}}, set()),
        (CHESTS, {"settings": {"sets_of_chests": "allowed"}}, {"tools", "weapons", "textiles", "jewels"}),
        # With the commercial medal jewels are wild too.
        (WITH_JEWELS, {}, set()),
        (WITH_JEWELS, {"medals": {"commercial": BIANKA}}, {"weapons"}),
        (WITH_JEWELS, {"medals": {"commercial": HENRIK}}, set()),
        # Three sets are the most.
        (WEAPONS, {"sets": {BIANKA: [constants.TOOLS] * 2}}, {"weapons"}),
        (WEAPONS, {"sets": {BIANKA: [constants.TOOLS] * 2 + [constants.JEWELS]}}, set()),
    ],
)
def test_three_cards_of_a_type_are_a_set_and_chests_are_wild(
    cards: list[str], fields: dict[str, Any], types: set[str]
) -> None:
    assert sets_listed(building(*cards, **fields)) == types


def test_more_sets_than_three_by_a_card() -> None:
    sets = {BIANKA: [constants.TOOLS] * 3}
    position = holding("Treasure chest", *WEAPONS, buildings={"Africa": {"economic": 1}}, sets=sets)
    assert "weapons" not in sets_listed(position)
    position.place("economic")
    position.play("Treasure chest")
    assert position.g.set_limit[BIANKA] == 4
    assert len(position.rows(log.SETS_ALLOWED)) == 1


def test_sets_bring_points_by_their_type_and_wild_cards_none() -> None:
    of_first = [constants.TOOLS, constants.JEWELS, constants.JEWELS]
    sets = {0: of_first, 1: [constants.WEAPONS], 2: [constants.TEXTILES], 3: [constants.JEWELS]}
    position = table(sets=sets)
    assert [score["commerce"] for score in position.finish()] == [3 + 12, 4, 5, 6]
