"""The senate column: votes on top, majorities, the sixth vote, and what places are worth."""

from __future__ import annotations

from sim.games.glory_of_rome.rules import constants, log
from tests.games.glory_of_rome.playing import (
    BIANKA,
    GABOR,
    HENRIK,
    ZITA,
    Table,
    activate,
    card_number,
    finish,
    hand,
    listed,
    place,
    places_listed,
    play,
    rows,
    table,
)

POLITICS = {"Africa": {"political": 1}}


def column(position: Table) -> list[int]:
    """Seats of the votes, lowest first."""
    found: list[int] = position.g.senate[: position.g.senate_size].tolist()
    return found


def test_three_votes_in_a_row_are_a_majority_and_a_fourth_makes_another() -> None:
    # The first worked example: two on top, then one vote and by the bonus a second one.
    position = table(buildings=POLITICS, senate=[HENRIK, BIANKA, BIANKA], discord=[0], board_votes=[2])
    place(position, "political", 1)
    assert column(position) == [HENRIK, BIANKA, BIANKA, BIANKA, BIANKA]
    assert position.g.glory[BIANKA] == 1 + 2 + 2
    assert position.g.majorities[BIANKA] == 2


def test_votes_that_adjoin_because_one_is_removed_are_no_majority() -> None:
    # The second worked example: Re-vote removes the one between them; the vote placed then makes the majority.
    position = table(
        constants.INTRIGUE_PHASE,
        intrigue={"Gallia": [BIANKA]},
        own_intrigue=[constants.RE_VOTE],
        senate=[BIANKA, BIANKA, HENRIK, BIANKA],
        board_votes=[1],
    )
    activate(position, constants.RE_VOTE, "Gallia", value=2)
    assert column(position) == [BIANKA] * 4
    assert len(rows(position, log.MAJORITY)) == 1
    assert position.g.glory[BIANKA] == 1 + 2
    assert position.g.board_votes[HENRIK] == 4 + 1


def test_invalid_vote_removes_a_vote_and_adjoining_ones_are_no_majority() -> None:
    position = table(
        constants.INTRIGUE_PHASE,
        intrigue={"Gallia": [BIANKA]},
        own_intrigue=[constants.INVALID_VOTE],
        senate=[BIANKA, BIANKA, HENRIK, BIANKA],
    )
    activate(position, constants.INVALID_VOTE, "Gallia", value=2)
    assert column(position) == [BIANKA] * 3
    assert not rows(position, log.MAJORITY)
    assert position.g.glory[BIANKA] == 1 + 1


def test_the_sixth_vote_pushes_out_the_lowest_one_which_can_be_placed_again() -> None:
    # The third worked example: one vote left, politics with the bonus.
    position = table(
        buildings=POLITICS, senate=[BIANKA, BIANKA, HENRIK, BIANKA, BIANKA], discord=[0], board_votes=[1, 2]
    )
    place(position, "political", 1)
    assert column(position) == [HENRIK, BIANKA, BIANKA, BIANKA, BIANKA]
    assert position.g.glory[BIANKA] == 1 + 2 + 2
    assert position.g.board_votes[:2].tolist() == [1, 2]


def test_a_majority_is_seen_before_the_lowest_vote_is_pushed_out() -> None:
    position = table(buildings=POLITICS, senate=[HENRIK, HENRIK, GABOR, BIANKA, BIANKA], board_votes=[1, 0])
    place(position, "political")
    assert column(position) == [HENRIK, GABOR, BIANKA, BIANKA, BIANKA]
    assert position.g.board_votes[:2].tolist() == [0, 1]
    assert position.g.majorities[BIANKA] == 1


def test_with_the_political_medal_a_majority_is_worth_three() -> None:
    position = table(buildings=POLITICS, senate=[BIANKA, BIANKA], board_votes=[1], medals={"political": BIANKA})
    place(position, "political")
    assert position.g.glory[BIANKA] == 1 + 3


def test_without_a_vote_on_the_board_no_follower_goes_there() -> None:
    position = table(buildings=POLITICS, board_votes=[0])
    assert ("political", 0) not in places_listed(position)


def test_a_trade_card_may_recruit_the_vote_that_is_placed() -> None:
    position = table(buildings=POLITICS, board_votes=[0], hands={BIANKA: ["Toga"]}, discord=[0])
    assert ("political", 0) in places_listed(position)
    assert ("political", 1) not in places_listed(position)
    place(position, "political")
    # Without the card the follower could do nothing there, so it is not asked whether it is played.
    if hand(position, BIANKA):
        play(position, "Toga")
    assert (column(position), hand(position, BIANKA)) == ([BIANKA], [])


def test_a_card_that_brings_a_vote_among_other_things_opens_the_place_too() -> None:
    for effect, can in (
        ("{ recruit_votes = 1, glory = 2, draw = 1 }", True),
        ("{ recruit_votes = 1, remove_anchor = true }", False),
    ):
        changes = [f"trade.toml#toga.effect={effect}"]
        position = table(buildings=POLITICS, board_votes=[0], hands={BIANKA: ["Toga"]}, discord=[0], changes=changes)
        assert (("political", 0) in places_listed(position)) == can
    position = table(
        buildings=POLITICS,
        board_votes=[0],
        hands={BIANKA: ["Toga"]},
        deck=["Stola"],
        changes=["trade.toml#toga.effect={ recruit_votes = 1, glory = 2, draw = 1 }"],
    )
    place(position, "political")
    assert (column(position), hand(position, BIANKA)) == ([BIANKA], ["Stola"])
    assert position.g.glory[BIANKA] == 1 + 2


def test_of_several_cards_only_those_are_played_first_after_which_the_votes_suffice() -> None:
    # Two votes are left to recruit: the card that brings one would leave the other one unplayable.
    changes = ["trade.toml#toga.effect={ recruit_votes = 1 }", "trade.toml#compass.effect={ recruit_votes = 2 }"]
    position = table(
        buildings=POLITICS,
        board_votes=[0],
        senate=[HENRIK, BIANKA, BIANKA, BIANKA],
        hands={BIANKA: ["Toga", "Compass"]},
        discord=[0],
        changes=changes,
    )
    assert {("political", 0), ("political", 1)} <= places_listed(position)
    place(position, "political", 1)
    if hand(position, BIANKA) != ["Toga"]:
        assert {option.card for option in listed(position)} == {card_number(position, "Compass")}
    assert column(position)[-2:] == [BIANKA, BIANKA]


def test_the_bonus_needs_a_second_vote() -> None:
    one_vote = table(buildings=POLITICS, board_votes=[1], discord=[0])
    assert ("political", 0) in places_listed(one_vote)
    assert ("political", 1) not in places_listed(one_vote)
    two_votes = table(buildings=POLITICS, board_votes=[2], discord=[0])
    assert ("political", 1) in places_listed(two_votes)


def test_places_of_the_column_are_worth_more_the_higher_they_are() -> None:
    position = table(senate=[BIANKA, HENRIK, GABOR, HENRIK, ZITA])
    assert [score["politics"] for score in finish(position)] == [1, 2 + 5, 3, 6]


def test_by_a_setting_the_values_are_those_of_the_picture() -> None:
    settings = {"senate_order": "as in the picture"}
    position = table(senate=[BIANKA, HENRIK, GABOR, HENRIK, ZITA], settings=settings)
    assert [score["politics"] for score in finish(position)] == [1, 2 + 3, 5, 6]
