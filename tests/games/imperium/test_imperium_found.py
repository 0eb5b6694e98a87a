"""What the scripted players of Imperium know of the end of the game and of suits that are gone."""

from sim.games.imperium.rules.constants import TRIBUTARY, UNCIVILISED
from strategies.imperium.card_worth import all_gone
from strategies.imperium.outlook import open_points
from tests.games.imperium.tables import T, position


def test_a_suit_is_gone_when_no_deck_holds_it() -> None:
    g = position(main=["Advance"], regions=["Hills"], uncivilised=["Diplomacy"], civilised=["Temple"])
    assert all_gone(g, T, TRIBUTARY)
    assert not all_gone(g, T, UNCIVILISED)


def test_a_tributary_of_the_main_deck_is_not_gone() -> None:
    g = position(main=["Hittites"], regions=["Hills"], uncivilised=["Diplomacy"], civilised=["Temple"])
    assert not all_gone(g, T, TRIBUTARY)


def test_fame_in_the_hand_of_others_counts_alike_whatever_it_is() -> None:
    points = [open_points(position(hand={1: [fame]}), T, 1, False) for fame in ("Great", "Marvellous")]
    assert points[0] == points[1]
    assert open_points(position(hand={1: ["Marvellous"]}), T, 1, True) > points[0]
