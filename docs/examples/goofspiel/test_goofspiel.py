"""Positions of Goofspiel that can be checked by hand; what holds for every game is tested in tests/kit."""

from docs.examples.goofspiel.game import GAME
from docs.examples.goofspiel.turns import award


def bids_for_a_king(*bids):
    g = GAME.new_games(1)[0]
    g.players, g.deck[0], g.turned, g.at_stake = len(bids), 12, 1, 13
    g.bid[: len(bids)] = bids
    award(g, GAME.load({}).tables)
    return g


def test_the_one_highest_bid_wins_the_prize():
    assert bids_for_a_king(4, 9, 7).score[:3, 1].tolist() == [0, 13, 0]


def test_a_prize_with_two_highest_bids_waits_for_the_next_one():
    assert bids_for_a_king(9, 9, 7).at_stake == 13 + 1
