"""The variant Spies and Alliances: tokens, denarii offered, the bargain, and what each token brings."""

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import BIANKA, HENRIK, Table, revealed, table

CASTLE = {"Gallia": {"military": 3}}
GALLIA = constants.PROVINCES.index("Gallia")


def diplomacy(token: int | None = None, offered: int = 0, **fields: Any) -> Table:
    """Return a diplomacy phase with a castle of level III before Henrik, on which Bianka may have put a token."""
    start: dict[str, Any] = {"buildings": CASTLE, "denarii": [9, 0, 0, 0], "glory": [6, 6, 6, 6], **fields}
    position = table(constants.DIPLOMACY_PHASE, variant="spies", **start)
    if token is not None:
        position.choose(constants.PUT_TOKEN, place=GALLIA, value=token + 2 * offered)
    return position


@pytest.mark.parametrize(("denarii", "offers"), [(9, {0, 1, 2, 3, 5}), (2, {0, 1, 2})])
def test_a_token_is_put_on_a_building_before_an_opponent_for_no_more_than_there_is(
    denarii: int, offers: set[int]
) -> None:
    position = diplomacy(buildings={**CASTLE, "Africa": {"political": 1}}, denarii=[denarii, 0, 0, 0])
    tokens = [option for option in position.listed() if option.kind == constants.PUT_TOKEN]
    assert {(each.seat, each.card, each.place) for each in tokens} == {(HENRIK, constants.MILITARY, GALLIA)}
    assert {each.value // 2 for each in tokens} == offers


@pytest.mark.parametrize(("event", "order"), [("Triumph", [0, 1, 2, 3]), ("Veterans", [0, 3, 2, 1])])
def test_tokens_are_put_in_turn_order_before_any_intrigue_is_activated(event: str, order: list[int]) -> None:
    buildings = {**CASTLE, "Africa": {"political": 1}}
    fields: dict[str, Any] = {"buildings": buildings, "denarii": [9, 9, 9, 9], "intrigue": {"Gallia": [BIANKA]}}
    position = revealed(event, variant="spies", glory=[6, 6, 6, 6], **fields)
    seats = []
    while position.listed() and position.decision == constants.ASK_DIPLOMACY:
        seats.append(position.seat)
        position.choose(constants.PASS)
    assert seats == order
    assert (position.seat, position.decision) == (BIANKA, constants.ASK_INTRIGUE)


def test_an_alliance_that_is_accepted_brings_both_the_level_as_glory() -> None:
    position = diplomacy(constants.ALLIANCE, 5)
    assert (position.seat, position.decision) == (HENRIK, constants.ASK_ANSWER)
    position.choose(constants.ACCEPT)
    assert position.g.glory[:2].tolist() == [9, 9]
    assert position.g.denarii[:2].tolist() == [4, 5]
    # A token is put once in a turn.
    assert position.decision != constants.ASK_DIPLOMACY or position.seat != BIANKA


@pytest.mark.parametrize(("wanted", "glory", "placed"), [(constants.TAKE_GLORY, 9, 0), (constants.FREE_ACTION, 6, 1)])
def test_a_spy_that_is_accepted_brings_glory_or_the_action_without_the_bonus(
    wanted: int, glory: int, placed: int
) -> None:
    position = diplomacy(constants.SPY, 5, discord=[0])
    position.choose(constants.ACCEPT)
    position.choose(wanted)
    if wanted == constants.FREE_ACTION:
        position.choose(constants.PLACE_LEGION, place=0)
    assert position.g.glory[:2].tolist() == [glory, 6]
    assert position.g.legions[0, BIANKA] == placed
    assert position.g.denarii[HENRIK] == 5
    assert position.g.bonus_used.sum() == 0
    assert position.seat != BIANKA


@pytest.mark.parametrize("kind", [constants.SELL, constants.DISCARD])
def test_a_spys_owner_whose_hand_is_full_makes_room_for_the_card_it_draws(kind: int) -> None:
    cards = ["Stola", "Compass", "Compass", "Toga", "Spatha"]
    position = diplomacy(
        constants.SPY, 5, buildings={"Gallia": {"commercial": 2}}, hands={BIANKA: cards}, deck=["Bulla"]
    )
    position.choose(constants.ACCEPT)
    position.choose(constants.FREE_ACTION)
    assert (position.seat, position.kinds_listed()) == (BIANKA, {"sell", "discard"})
    position.choose(kind, value=0)
    assert position.hand(BIANKA) == [*cards[1:], "Bulla"]
    assert position.g.denarii[BIANKA] == 4 + int(kind == constants.SELL)
    assert position.seat != BIANKA


@pytest.mark.parametrize(("token", "left"), [(constants.ALLIANCE, 9), (constants.SPY, 6)])
def test_a_refused_alliance_brings_the_denarii_back_and_a_refused_spy_loses_them(token: int, left: int) -> None:
    position = diplomacy(token, 3)
    position.choose(constants.REFUSE)
    assert position.g.denarii[:2].tolist() == [left, 0]
    assert position.g.glory[:2].tolist() == [6, 6]


@pytest.mark.parametrize(("more", "raised", "denarii"), [(3, constants.ACCEPT, [6, 3]), (4, constants.REFUSE, [8, 1])])
def test_the_opponent_may_ask_once_for_more_and_the_offer_be_left_as_it_is(
    more: int, raised: int, denarii: list[int]
) -> None:
    position = diplomacy(constants.ALLIANCE, 1)
    position.choose(constants.ASK_MORE, value=more)
    assert (position.seat, position.decision) == (BIANKA, constants.ASK_RAISE)
    position.choose(raised)
    assert (position.seat, position.decision) == (HENRIK, constants.ASK_LAST_ANSWER)
    assert position.kinds_listed() == {"accept", "refuse"}
    position.choose(constants.ACCEPT)
    assert position.g.denarii[:2].tolist() == denarii


@pytest.mark.parametrize(("value", "passes"), [("allowed", True), ("not allowed", False)])
def test_a_setting_says_whether_a_player_may_put_no_token(value: str, passes: bool) -> None:
    assert ("pass" in diplomacy(settings={"diplomacy_pass": value}).kinds_listed()) == passes


def test_without_the_variant_there_are_no_treaties() -> None:
    position = table(constants.EVENT_PHASE, buildings=CASTLE, denarii=[9, 9, 9, 9])
    position.listed()
    assert position.decision == constants.ASK_BUILD
