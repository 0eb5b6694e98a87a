"""What records and tables keep so that nobody has to look for it again: the same as what is found by looking."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.turns import play_step
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from tests.games.imperium.tables import T, cards_in
from tests.kit.plans import plan_for
from tests.kit.steps import started


def steps_of(plan: Plan, games: int) -> Iterator[Any]:
    """Go through games of a plan step by step; yield the record before each step."""
    team = players_of(plan)
    for game in range(games):
        g: Any = started(plan, game)[0]
        while g.finished == 0:
            yield g
            play_step(g, plan.data.tables, team)
        assert g.error == 0


@cache
def does_in_play(card: int) -> frozenset[int]:
    """What a card does as long as it lies in play, as its columns of the table say."""
    waits = {int(T.when[card]), int(T.react_on[card])} - {constants.NEVER}
    others = {
        constants.REPLACES_GAIN: T.replaces_gain[card] >= 0,
        constants.PLAYS_FREE: T.plays_free[card] >= 0,
        constants.IGNORES_ICON: max(T.ignores[card, :, 0]) >= 0,
        constants.LOWERS_DISCARD: T.discard_relief[card] != 0,
        constants.CHANGES_UNREST_COST: any(T.unrest_cost[card]),
        constants.CHANGES_DEVELOPMENT_COST: any(T.development_cost[card]),
        constants.CHANGES_HAND_SIZE: T.hand_size[card] != 0,
    }
    return frozenset(waits | {passive for passive, there in others.items() if there})


def bits(passives: int) -> set[int]:
    """Bits that are set, but that of `NEVER`."""
    return {bit for bit in range(1, 32) if passives >> bit & 1}


def test_passives_of_a_card_are_what_it_does_in_play() -> None:
    assert all(bits(int(T.passives[card])) == does_in_play(card) for card in range(T.cards))
    named = range(constants.REPLACES_GAIN, constants.CHANGES_HAND_SIZE + 1)
    assert all(any(T.passives[card] >> bit & 1 for card in range(T.cards)) for bit in named)


@pytest.mark.parametrize("players", constants.PLAYERS)
def test_passives_kept_for_a_seat_are_those_of_its_cards_in_play_and_at_most_of_such_as_left_this_turn(
    players: int, scaled: Callable[..., int]
) -> None:
    plan = plan_for("imperium", players=players, strategies=["random", "balanced"], seed=4)
    lay: list[set[int]] = []
    renewed = looked = 0
    for g in steps_of(plan, scaled(1, 1, full_count=12)):
        if g.rounds == 0 and g.decisions == g.decisions_before:
            lay = [set() for _ in range(players)]
        for seat in range(players):
            there = set(cards_in(g, seat, constants.PLAY))
            lay[seat] |= there
            kept = bits(int(g.passives[seat]))
            now = {bit for card in there for bit in does_in_play(card)}
            ever = {bit for card in lay[seat] for bit in does_in_play(card)}
            assert now <= kept <= ever
            looked += 1
            renewed += int(now == kept)
        if g.phase == constants.DISCARDING and g.depth == 0:
            lay[int(g.turn_seat)] = set(cards_in(g, int(g.turn_seat), constants.PLAY))
    assert renewed > 0.5 * looked


def test_every_instruction_knows_the_end_that_is_come_to_from_it() -> None:
    for start in {int(at) for at in T.program[: T.cards].ravel()}:
        at = start
        while T.code[at, constants.OPERATION] != constants.END:
            at = int(T.code[at, constants.NEXT])
        assert T.code_end[start] == at


def test_cards_know_whether_their_play_effect_asks_for_anything() -> None:
    asking = (constants.PAY, constants.COST, constants.CHOOSE)
    for card in range(T.cards):
        at, asks = int(T.program[card, constants.PLAY_PROGRAM]), False
        while T.code[at, constants.OPERATION] != constants.END:
            asks = asks or T.code[at, constants.OPERATION] in asking
            at = int(T.code[at, constants.NEXT])
        assert bool(T.play_asks[card]) == asks
