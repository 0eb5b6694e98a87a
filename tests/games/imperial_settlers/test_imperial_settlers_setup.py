"""Set-up: decks, empires, the first player and the starting hands, for every variant and number of players."""

from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import FIXED_COLUMNS
from sim.games.imperial_settlers.rules import constants
from sim.players.compile_players import players_of
from tests.kit.hidden import cards_in
from tests.kit.plans import plan_for, rows_of, tables_of
from tests.kit.steps import started

GAME = "imperial_settlers"
every_table = pytest.mark.parametrize(("variant", "players"), [table[1:] for table in tables_of(GAME)])


def dealt(variant: str, players: int, number: int = 0, **options: Any) -> tuple[Any, Any]:
    """Return a game as it begins, and its tables."""
    plan = plan_for(GAME, variant, players, **options)
    return started(plan, number)[0], plan.data.tables


@every_table
def test_decks_hold_all_cards_and_nothing_else_lies_anywhere(variant: str, players: int) -> None:
    g, t = dealt(variant, players)
    decks = [(constants.TABLE, constants.COMMON, 84), *((seat, int(g.faction[seat]), 30) for seat in range(players))]
    decks += [(constants.VIRTUAL, constants.SOLO, 16)] if variant == "solo" else []
    for owner, deck, size in decks:
        cards = cards_in(g, owner, constants.DECK)
        assert len(cards) == size
        assert sorted(cards) == np.flatnonzero(t.deck[: t.cards] == deck).tolist()
    assert int(g.zone_size.sum()) == sum(size for _, _, size in decks)
    assert (g.phase, g.rounds) == (constants.SETUP, 1)
    assert not g.goods.any()
    assert not g.points.any()


@every_table
def test_a_variant_says_how_the_lookout_goes_and_whether_there_is_peace(variant: str, players: int) -> None:
    g, _ = dealt(variant, players)
    lookout = variant.removeprefix("peaceful").removeprefix("-")
    assert constants.LOOKOUTS[int(g.lookout)] == (lookout if lookout in constants.LOOKOUTS else "standard")
    assert (g.peaceful, g.solo) == (int(variant.startswith("peaceful")), int(variant == "solo"))


def test_no_empire_is_dealt_twice_and_each_may_sit_anywhere() -> None:
    seated = set()
    for number in range(60):
        g, _ = dealt("standard", 3, number)
        factions = g.faction[:3].tolist()
        assert len(set(factions)) == 3
        seated |= set(enumerate(factions))
    assert seated == {(seat, faction) for seat in range(3) for faction in range(4)}


def test_factions_can_be_given_to_the_seats() -> None:
    for number in range(4):
        g, t = dealt("standard", 2, number, factions=["Romans", "Japanese"], assign="fixed")
        assert [int(t.empire[faction]) for faction in g.faction[:2]] == [2, 1]


def test_everybody_may_be_the_first_player() -> None:
    assert {int(dealt("standard", 4, number)[0].first_seat) for number in range(40)} == {0, 1, 2, 3}
    assert int(dealt("solo", 1)[0].first_seat) == 0


@pytest.mark.parametrize("players", [2, 4])
def test_the_starting_place_is_that_of_the_first_round(players: int) -> None:
    plan = plan_for(GAME, "standard", players)
    column = FIXED_COLUMNS + len(plan.game.score_parts) + plan.game.measures.index("starting_place")
    for number, seats in enumerate(rows_of(plan, 0, 6)):
        first = int(started(plan, number)[0].first_seat)
        assert seats[:, column].tolist() == [(seat - first) % players + 1 for seat in range(players)]


def test_games_of_a_block_have_one_deal_and_others_another() -> None:
    options = {"strategies": ["random", "greedy"]}
    one, same, other = (dealt("standard", 2, number, **options)[0] for number in (0, 1, 2))
    for field in ("faction", "zone_size", "first_seat"):
        assert (one[field] == same[field]).all()
    decks = [[cards_in(g, owner, constants.DECK) for owner in (0, 1, constants.TABLE)] for g in (one, same, other)]
    assert decks[0] == decks[1]
    assert decks[0] != decks[2]


@every_table
def test_everybody_starts_with_two_common_and_two_own_cards(variant: str, players: int) -> None:
    g, t = dealt(variant, players)
    plan = plan_for(GAME, variant, players)
    plan.game.play_step(g, t, players_of(plan))
    for seat in range(players):
        hand = cards_in(g, seat, constants.HAND)
        assert sorted(t.deck[hand].tolist()) == [*[constants.COMMON] * 2, *[g.faction[seat]] * 2]
        assert {int(g.knows[card]) for card in hand} == {1 << seat}
    assert g.zone_size[constants.TABLE, constants.DECK] == 84 - 2 * players
    assert g.zone_size[constants.TABLE, constants.DISCARD] == 0
    assert (g.phase, g.lookout_step) == (constants.LOOKOUT, 0)
