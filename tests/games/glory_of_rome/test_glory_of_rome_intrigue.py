"""Placing and activating intrigue, the discord track and its bonuses, and the eight effects."""

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants
from tests.games.glory_of_rome.playing import BIANKA, GABOR, HENRIK, ZITA, Table, against_henrik, table

GALLIA = constants.PROVINCES.index("Gallia")
MARKET = {"Africa": {"economic": 1}}


def effects(position: Table) -> set[str]:
    """Effects that can be activated."""
    return {constants.INTRIGUES[option.card] for option in position.listed() if option.kind == constants.ACTIVATE}


def test_the_worked_example_of_intrigue() -> None:
    tokens = {"Gallia": [BIANKA, GABOR, ZITA]}
    position = table(constants.INTRIGUE_PHASE, intrigue=tokens, discord=[3, 3, 2, 0], pantheon_own=[[0, 0], [2, 0]])
    g = position.g
    g.denarii[:] = 0
    # On both tracks one bonus is free: Bianka's is the military one, Henrik's the political one.
    assert [g.track[seat, 0] for seat in (BIANKA, HENRIK)] == [constants.MILITARY, constants.POLITICAL]
    position.activate(constants.DEMOLITION, "Gallia", value=constants.BASE)
    assert g.discord[:4].tolist() == [2, 4, 2, 0]
    assert g.pantheon_own[HENRIK].tolist() == [1, 0]
    # Gabor cannot: Henrik's track is full. Zita cannot: she has no discord token. So the phase is over.
    assert g.phase > constants.INTRIGUE_PHASE
    assert g.intrigue[GALLIA, :4].tolist() == [0, 0, 1, 1]
    assert g.activated[GALLIA, :4].tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("tokens", "free"),
    [(1, {"military", "political", "commercial"}), (2, {"military", "political"}), (3, {"military"}), (4, set())],
)
def test_a_bonus_is_there_where_no_discord_token_lies(tokens: int, free: set[str]) -> None:
    buildings = {"Africa": dict.fromkeys(("military", "political", "commercial"), 3)}
    listed_places = table(discord=[tokens], buildings=buildings).places_listed()
    assert {name for name, bonus in listed_places if bonus} == free


# ---- Placing and activating ----


def test_a_token_is_placed_in_the_own_province_and_not_where_all_three_spaces_are_taken() -> None:
    position = table(buildings=MARKET)
    position.place("intrigue")
    assert (position.g.intrigue[0, BIANKA], position.g.intrigue_left[BIANKA]) == (1, 2)
    full = table(intrigue={"Africa": [HENRIK, HENRIK, GABOR]}, buildings=MARKET)
    assert ("intrigue", 0) not in full.places_listed()


def test_activated_tokens_take_their_space_until_the_end_of_the_action_phase() -> None:
    position = table(intrigue={"Africa": [HENRIK, HENRIK]}, buildings=MARKET)
    position.g.activated[0, GABOR] = 1
    position.g.intrigue_left[GABOR] = 2
    assert ("intrigue", 0) not in position.places_listed()
    while position.decision == constants.ASK_FOLLOWER:
        position.place("Colosseum")
    assert position.g.phase == constants.INCOME_PHASE
    assert position.g.activated.sum() == 0
    assert position.g.intrigue_left[GABOR] == 3
    assert position.g.intrigue[0, HENRIK] == 2


def test_no_intrigue_is_activated_in_the_own_province() -> None:
    position = table(constants.INTRIGUE_PHASE, intrigue={"Africa": [BIANKA]}, glory=[5, 5, 5, 5])
    position.listed()
    assert position.g.phase > constants.INTRIGUE_PHASE


def test_any_number_of_tokens_may_be_activated_in_turn_order_or_none() -> None:
    tokens = {"Gallia": [BIANKA], "Hispania": [BIANKA], "Africa": [HENRIK]}
    position = table(constants.INTRIGUE_PHASE, intrigue=tokens, glory=[9, 9, 9, 9])
    position.activate(constants.SLANDER, "Gallia")
    position.activate(constants.SLANDER, "Hispania")
    assert position.seat == HENRIK
    assert position.g.glory[:4].tolist() == [9, 8, 8, 9]
    position.choose(constants.PASS)
    assert position.g.intrigue[0, HENRIK] == 1


@pytest.mark.parametrize(
    ("effect", "fields"),
    [
        (constants.DEFECTION, {}),
        (constants.DECEPTION, {"legions": {"Thrace": [3, 1]}}),
        (constants.RE_VOTE, {"senate": [BIANKA, GABOR], "board_votes": [2]}),
        (constants.RE_VOTE, {"senate": [HENRIK], "board_votes": [0]}),
        (constants.INVALID_VOTE, {"senate": [BIANKA, GABOR]}),
        (constants.SOLD, {}),
        (constants.CUSTOM_DUTY, {"hands": {GABOR: ["Compass"]}}),
    ],
)
def test_without_a_possible_effect_there_is_no_activation(effect: int, fields: dict[str, Any]) -> None:
    position = against_henrik(own_intrigue=[effect], glory=[5, 1, 1, 1], denarii=[3], **fields)
    assert effects(position) == set()
    assert position.g.discord[BIANKA] == 2


# ---- Effects ----


def test_slander_moves_the_targets_marker_back_unless_it_is_on_1() -> None:
    position = against_henrik(glory=[1, 4, 1, 1])
    position.activate(constants.SLANDER, "Gallia")
    assert position.g.glory[HENRIK] == 3


@pytest.mark.parametrize(("value", "offered"), [("1 glory", True), ("space 1", False)])
def test_a_setting_says_whether_slander_hits_a_marker_on_31(value: str, offered: bool) -> None:
    settings = {"glory_floor": value}
    assert ("Slander" in effects(against_henrik(glory=[1, 31, 1, 1], denarii=[9], settings=settings))) == offered
    assert "Slander" in effects(against_henrik(glory=[1, 32, 1, 1], settings=settings))


def test_demolition_spares_finished_levels() -> None:
    position = against_henrik(glory=[5, 5, 5, 5], pantheon_own=[[0, 0], [2, 1]], pantheon_common=[[0, 0], [2, 0]])
    assert [option.value for option in position.listed() if option.card == constants.DEMOLITION] == [constants.ROOF]
    position.activate(constants.DEMOLITION, "Gallia", value=constants.ROOF)
    assert position.g.pantheon_own[:2].tolist() == [[0, 0], [2, 0]]


def test_sold_discards_a_card_of_the_target_for_two_denarii() -> None:
    position = against_henrik(own_intrigue=[constants.SOLD], hands={HENRIK: ["Compass"]}, denarii=[3])
    position.activate(constants.SOLD, "Gallia")
    assert (position.hand(HENRIK), position.g.discard_size, position.g.denarii[BIANKA]) == ([], 1, 5)


@pytest.mark.parametrize("own", [[], ["Spatha", "Spatha", "Sundial", "Sundial"]])
def test_custom_duty_takes_a_card_of_the_target_for_which_room_is_made(own: list[str]) -> None:
    hands = {HENRIK: ["Compass"], BIANKA: own}
    position = against_henrik(own_intrigue=[constants.CUSTOM_DUTY], hands=hands, anchor=[1])
    position.activate(constants.CUSTOM_DUTY, "Gallia")
    if own:
        assert position.decision == constants.ASK_WINDOW
        assert position.kinds_listed() == {"sell", "discard"}
        position.choose(constants.SELL, value=0)
    assert (position.hand(BIANKA), position.hand(HENRIK)) == ([*own[1:], "Compass"], [])


@pytest.mark.parametrize("effect", [constants.SOLD, constants.CUSTOM_DUTY])
@pytest.mark.parametrize(("value", "offered"), [("no target", False), ("target without effect", True)])
def test_a_setting_says_whether_the_anchor_card_alone_is_a_target(effect: int, value: str, offered: bool) -> None:
    settings = {"no_trade_cards": value}
    position = against_henrik(own_intrigue=[effect], anchor=[0, 1], glory=[5, 5, 5, 5], settings=settings)
    assert (constants.INTRIGUES[effect] in effects(position)) == offered
    if offered:
        position.activate(effect, "Gallia")
        assert position.g.anchor[HENRIK] == 1
        assert position.g.discord[:2].tolist() == [1, 3]


# ---- Trade cards of those concerned ----


def test_who_activates_may_play_a_card_for_it() -> None:
    position = against_henrik(glory=[5, 5, 5, 5], hands={BIANKA: ["Gladius"]})
    position.activate(constants.SLANDER, "Gallia")
    assert position.decision == constants.ASK_WINDOW
    position.play("Gladius")
    assert position.g.glory[:2].tolist() == [6, 4]


def test_the_target_may_play_a_card_for_intrigue_in_its_province_and_sells_nothing() -> None:
    position = against_henrik(glory=[5, 5, 5, 5], hands={HENRIK: ["Pugio", "Compass"]}, denarii=[0, 0])
    position.activate(constants.SLANDER, "Gallia")
    assert (position.seat, position.decision) == (HENRIK, constants.ASK_RESPOND)
    assert position.kinds_listed() == {"go_on", "play"}
    position.play("Pugio")
    assert (position.g.denarii[HENRIK], position.g.glory[HENRIK]) == (3, 4)


def test_a_card_that_the_target_plays_can_no_longer_be_taken_from_it() -> None:
    position = against_henrik(own_intrigue=[constants.SOLD], hands={HENRIK: ["Pugio"]}, denarii=[0, 0])
    position.activate(constants.SOLD, "Gallia")
    position.play("Pugio")
    assert position.g.discord[:2].tolist() == [1, 3]
    assert position.g.denarii[:2].tolist() == [0, 3]


def test_the_religious_medal_is_used_in_the_answer_to_intrigue_too() -> None:
    medals = {"religious": HENRIK}
    position = against_henrik(glory=[5, 5, 5, 5], hands={HENRIK: ["Pugio"]}, denarii=[0, 3], medals=medals)
    position.choose(constants.PAY_FOR_GLORY, value=0)
    position.activate(constants.SLANDER, "Gallia")
    assert position.kinds_listed() == {"go_on", "play", "pay_for_glory"}


# ---- Variants and the first round ----


def test_in_truce_no_intrigue_is_placed_and_discord_stays() -> None:
    position = table(variant="truce", buildings={"Africa": {"military": 1}}, intrigue={"Gallia": [BIANKA]})
    tokens = position.g.discord.tolist()
    assert ("intrigue", 0) not in position.places_listed()
    for _ in range(2):
        position.g.phase, position.g.stage = constants.EVENT_PHASE, constants.TURN_BEGINS
        position.listed()
        assert position.g.phase == constants.BUILD_PHASE
    assert position.g.discord.tolist() == tokens
    assert max(tokens) > 0


@pytest.mark.parametrize(("value", "revealed"), [("no activation", True), ("no event", False)])
def test_a_setting_says_which_step_the_first_round_leaves_out(value: str, revealed: bool) -> None:
    position = table(constants.EVENT_PHASE, round_number=1, settings={"first_round": value}, denarii=[9, 9, 9, 9])
    events = int(position.g.event_size)
    position.listed()
    assert (position.g.event_size < events) == revealed
    assert (position.g.event != constants.NO_CARD) == revealed
