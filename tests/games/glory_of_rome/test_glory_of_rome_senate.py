"""The senate column: votes on top, majorities, the sixth vote, and what places are worth."""

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants, log
from tests.games.glory_of_rome.playing import BIANKA, GABOR, HENRIK, ZITA, Table, against_henrik, card_number, table


def politics(**fields: Any) -> Table:
    """Return an action phase in which Bianka can place a follower on a political building."""
    return table(buildings={"Africa": {"political": 1}}, **fields)


def column(position: Table) -> list[int]:
    """Seats of the votes, lowest first."""
    found: list[int] = position.g.senate[: position.g.senate_size].tolist()
    return found


def test_three_votes_in_a_row_are_a_majority_and_a_fourth_makes_another() -> None:
    # The first worked example: two on top, then one vote and by the bonus a second one.
    position = politics(senate=[HENRIK, BIANKA, BIANKA], discord=[0], board_votes=[2])
    position.place("political", 1)
    assert column(position) == [HENRIK, BIANKA, BIANKA, BIANKA, BIANKA]
    assert position.g.glory[BIANKA] == 1 + 2 + 2
    assert position.g.majorities[BIANKA] == 2


@pytest.mark.parametrize(
    ("effect", "then", "majorities", "glory"),
    [(constants.RE_VOTE, [BIANKA] * 4, 1, 1 + 2), (constants.INVALID_VOTE, [BIANKA] * 3, 0, 1 + 1)],
)
def test_votes_that_adjoin_because_one_is_removed_are_no_majority(
    effect: int, then: list[int], majorities: int, glory: int
) -> None:
    # The second worked example: Re-vote removes the one between them; the vote placed then makes the majority.
    senate = [BIANKA, BIANKA, HENRIK, BIANKA]
    position = against_henrik(own_intrigue=[effect], senate=senate, board_votes=[1])
    position.activate(effect, "Gallia", value=2)
    assert column(position) == then
    assert len(position.rows(log.MAJORITY)) == majorities
    assert position.g.glory[BIANKA] == glory
    assert position.g.board_votes[HENRIK] == 4 + 1


def test_the_sixth_vote_pushes_out_the_lowest_one_which_can_be_placed_again() -> None:
    # The third worked example: one vote left, politics with the bonus.
    position = politics(senate=[BIANKA, BIANKA, HENRIK, BIANKA, BIANKA], discord=[0], board_votes=[1, 2])
    position.place("political", 1)
    assert column(position) == [HENRIK, BIANKA, BIANKA, BIANKA, BIANKA]
    assert position.g.glory[BIANKA] == 1 + 2 + 2
    assert position.g.board_votes[:2].tolist() == [1, 2]


def test_a_majority_is_seen_before_the_lowest_vote_is_pushed_out() -> None:
    position = politics(senate=[HENRIK, HENRIK, GABOR, BIANKA, BIANKA], board_votes=[1, 0])
    position.place("political")
    assert column(position) == [HENRIK, GABOR, BIANKA, BIANKA, BIANKA]
    assert position.g.board_votes[:2].tolist() == [0, 1]
    assert position.g.majorities[BIANKA] == 1


@pytest.mark.parametrize(("owner", "glory"), [(BIANKA, 3), (HENRIK, 2)])
def test_with_the_political_medal_a_majority_is_worth_three(owner: int, glory: int) -> None:
    position = politics(senate=[BIANKA, BIANKA], board_votes=[1], medals={"political": owner})
    position.place("political")
    assert position.g.glory[BIANKA] == 1 + glory


@pytest.mark.parametrize(("votes", "plain", "bonus"), [(0, False, False), (1, True, False), (2, True, True)])
def test_a_follower_needs_a_vote_on_the_board_and_the_bonus_a_second_one(votes: int, plain: bool, bonus: bool) -> None:
    listed_now = politics(board_votes=[votes], discord=[0]).places_listed()
    assert (("political", 0) in listed_now, ("political", 1) in listed_now) == (plain, bonus)


@pytest.mark.parametrize(
    ("effect", "can", "then"),
    [
        ("{ recruit_votes = 1 }", True, []),
        ("{ recruit_votes = 1, glory = 2, draw = 1 }", True, ["Stola"]),
        ("{ recruit_votes = 1, remove_anchor = true }", False, []),
    ],
)
def test_a_trade_card_may_recruit_the_vote_that_is_placed(effect: str, can: bool, then: list[str]) -> None:
    changes = [f"trade.toml#toga.effect={effect}"]
    position = politics(board_votes=[0], hands={BIANKA: ["Toga"]}, deck=["Stola"], discord=[0], changes=changes)
    assert (("political", 0) in position.places_listed()) == can
    assert ("political", 1) not in position.places_listed()
    if can:
        position.place("political")
        # Without the card the follower could do nothing there, so it is not asked whether it is played.
        if "Toga" in position.hand(BIANKA):
            position.play("Toga")
        assert (column(position), position.hand(BIANKA)) == ([BIANKA], then)
        assert position.g.glory[BIANKA] == 1 + 2 * ("glory" in effect)


def test_of_several_cards_only_those_are_played_first_after_which_the_votes_suffice() -> None:
    # Two votes are left to recruit: the card that brings one would leave the other one unplayable.
    changes = ["trade.toml#toga.effect={ recruit_votes = 1 }", "trade.toml#compass.effect={ recruit_votes = 2 }"]
    senate, cards = [HENRIK, BIANKA, BIANKA, BIANKA], {BIANKA: ["Toga", "Compass"]}
    position = politics(board_votes=[0], senate=senate, hands=cards, discord=[0], changes=changes)
    assert {("political", 0), ("political", 1)} <= position.places_listed()
    position.place("political", 1)
    if position.hand(BIANKA) != ["Toga"]:
        assert {option.card for option in position.listed()} == {card_number(position, "Compass")}
    assert column(position)[-2:] == [BIANKA, BIANKA]


@pytest.mark.parametrize(
    ("value", "points"), [("ascending", [1, 2 + 5, 3, 6]), ("as in the picture", [1, 2 + 3, 5, 6])]
)
def test_places_of_the_column_are_worth_more_the_higher_they_are(value: str, points: list[int]) -> None:
    position = table(senate=[BIANKA, HENRIK, GABOR, HENRIK, ZITA], settings={"senate_order": value})
    assert [score["politics"] for score in position.finish()] == points
