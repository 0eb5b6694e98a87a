"""The variant Spies and Alliances: tokens, denarii offered, the bargain, and what each token brings."""

from __future__ import annotations

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import BIANKA, HENRIK, Table, choose, hand, kinds_listed, listed, table

CASTLE = {"Gallia": {"military": 3}}
GALLIA = constants.PROVINCES.index("Gallia")


def diplomacy(**fields: object) -> Table:
    """Return a diplomacy phase in which a castle of level III lies before Henrik."""
    start: dict[str, object] = {"buildings": CASTLE, "denarii": [9, 0, 0, 0], "glory": [6, 6, 6, 6], **fields}
    return table(constants.DIPLOMACY_PHASE, variant="spies", **start)  # type: ignore[arg-type]


def offer(position: Table, token: int, denarii: int) -> None:
    """Let Bianka put a token on the castle."""
    choose(position, constants.PUT_TOKEN, place=GALLIA, value=token + 2 * denarii)


def test_a_token_is_put_on_a_building_before_an_opponent() -> None:
    position = diplomacy(buildings={**CASTLE, "Africa": {"political": 1}})
    tokens = {
        (option.seat, option.card, option.place) for option in listed(position) if option.kind == constants.PUT_TOKEN
    }
    assert tokens == {(HENRIK, constants.MILITARY, GALLIA)}
    assert {option.value // 2 for option in listed(position) if option.kind == constants.PUT_TOKEN} == {0, 1, 2, 3, 5}


def test_no_more_is_offered_than_there_is() -> None:
    position = diplomacy(denarii=[2, 0, 0, 0])
    assert {option.value // 2 for option in listed(position) if option.kind == constants.PUT_TOKEN} == {0, 1, 2}


def test_an_alliance_that_is_accepted_brings_both_the_level_as_glory() -> None:
    position = diplomacy()
    offer(position, constants.ALLIANCE, 5)
    assert (position.seat, position.decision) == (HENRIK, constants.ASK_ANSWER)
    choose(position, constants.ACCEPT)
    assert position.g.glory[:2].tolist() == [9, 9]
    assert position.g.denarii[:2].tolist() == [4, 5]


def test_a_spy_that_is_accepted_brings_glory_or_the_action_without_the_bonus() -> None:
    for wanted, glory, placed in ((constants.TAKE_GLORY, 9, 0), (constants.FREE_ACTION, 6, 1)):
        position = diplomacy(discord=[0])
        offer(position, constants.SPY, 5)
        choose(position, constants.ACCEPT)
        choose(position, wanted)
        if wanted == constants.FREE_ACTION:
            choose(position, constants.PLACE_LEGION, place=0)
        assert position.g.glory[:2].tolist() == [glory, 6]
        assert position.g.legions[0, BIANKA] == placed
        assert position.g.denarii[HENRIK] == 5
        assert position.g.bonus_used.sum() == 0
        assert position.seat != BIANKA


@pytest.mark.parametrize("kind", [constants.SELL, constants.DISCARD])
def test_a_spys_owner_whose_hand_is_full_makes_room_for_the_card_it_draws(kind: int) -> None:
    cards = ["Stola", "Compass", "Compass", "Toga", "Spatha"]
    position = diplomacy(buildings={"Gallia": {"commercial": 2}}, hands={BIANKA: cards}, deck=["Bulla"])
    offer(position, constants.SPY, 5)
    choose(position, constants.ACCEPT)
    choose(position, constants.FREE_ACTION)
    assert (position.seat, kinds_listed(position)) == (BIANKA, {"sell", "discard"})
    choose(position, kind, value=0)
    assert hand(position, BIANKA) == [*cards[1:], "Bulla"]
    assert position.g.denarii[BIANKA] == 4 + int(kind == constants.SELL)
    assert position.seat != BIANKA


def test_a_refused_alliance_brings_the_denarii_back_and_a_refused_spy_loses_them() -> None:
    for token, left in ((constants.ALLIANCE, 9), (constants.SPY, 6)):
        position = diplomacy()
        offer(position, token, 3)
        choose(position, constants.REFUSE)
        assert position.g.denarii[:2].tolist() == [left, 0]
        assert position.g.glory[:2].tolist() == [6, 6]


def test_the_opponent_may_ask_once_for_more() -> None:
    position = diplomacy()
    offer(position, constants.ALLIANCE, 1)
    choose(position, constants.ASK_MORE, value=3)
    assert (position.seat, position.decision) == (BIANKA, constants.ASK_RAISE)
    choose(position, constants.ACCEPT)
    assert (position.seat, position.decision) == (HENRIK, constants.ASK_LAST_ANSWER)
    assert kinds_listed(position) == {"accept", "refuse"}
    choose(position, constants.ACCEPT)
    assert position.g.denarii[:2].tolist() == [6, 3]


def test_an_offer_may_be_left_as_it_is() -> None:
    position = diplomacy()
    offer(position, constants.ALLIANCE, 1)
    choose(position, constants.ASK_MORE, value=4)
    choose(position, constants.REFUSE)
    choose(position, constants.ACCEPT)
    assert position.g.denarii[:2].tolist() == [8, 1]


def test_a_token_is_put_once_in_a_turn() -> None:
    position = diplomacy()
    offer(position, constants.ALLIANCE, 0)
    choose(position, constants.ACCEPT)
    assert position.decision != constants.ASK_DIPLOMACY or position.seat != BIANKA


@pytest.mark.parametrize(("value", "passes"), [("allowed", True), ("not allowed", False)])
def test_a_setting_says_whether_a_player_may_put_no_token(value: str, passes: bool) -> None:
    position = diplomacy(settings={"diplomacy_pass": value})
    assert ("pass" in kinds_listed(position)) == passes


def test_without_the_variant_there_are_no_treaties() -> None:
    position = table(constants.EVENT_PHASE, buildings=CASTLE, denarii=[9, 9, 9, 9])
    listed(position)
    assert position.decision == constants.ASK_BUILD
