"""Neither what is legal nor the order of the options tells a player of 7 Wonders what is hidden."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from sim.games.seven_wonders.rules.building import list_discard_builds, list_plays
from sim.games.seven_wonders.rules.constants import FROM_DISCARD, NO_CARD, PAYMENT, PLAY
from sim.games.seven_wonders.rules.setup import FREE_CITY
from sim.games.seven_wonders.rules.trade import begin_turn, list_payments
from sim.games.seven_wonders.rules.turns import item_paid_for
from sim.players.batch import Plan
from sim.players.compile_players import lineup_record, players_of
from sim.players.find_strategies import load_strategies
from tests.games.seven_wonders.playing import play_turn
from tests.kit.hidden import dealt_at_decision, fresh_scores, scores_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

NAME = "seven_wonders"
STRATEGIES = load_strategies(NAME)
MIXED = ["balanced@1", "wonder", "random"]
OPTIONS = ("option_card", "option_action", "option_price", "option_left", "option_right")

Ask = tuple[int, int, int]
"""What a seat is asked for: the decision, the city that acts, and the play whose payment is chosen (or -1)."""


def middle_games(plan: Plan, games: int, turns: range) -> Iterator[Any]:
    """Copies of games as these turns begin, arrays of length 1."""
    team = players_of(plan)
    for game in range(games):
        table = started(plan, game)
        for turn in range(18):
            if turn in turns:
                yield table.copy()
            play_turn(table[0], plan.data.tables, team)


# ---- Decisions ----


def asks(g: Any, t: Any, me: int) -> Iterator[Ask]:
    """Everything a seat could be asked for now."""
    cities = [me, FREE_CITY] if g.holder == me else [me]
    for city in cities:
        yield PLAY, city, -1
        list_for(g, t, me, (PLAY, city, -1))
        paid = [option for option in range(g.option_count) if g.option_price[option] > 1]
        for option in paid[::3]:
            yield PAYMENT, city, option
            list_for(g, t, me, (PLAY, city, -1))
        yield FROM_DISCARD, city, -1


def list_for(g: Any, t: Any, me: int, ask: Ask) -> np.ndarray:
    """List the options of a decision; return them, shape (options, fields)."""
    decision, city, play = ask
    begin_turn(g)
    g.city = city
    if decision == FROM_DISCARD:
        list_discard_builds(g, t, city)
    else:
        list_plays(g, t, city, me)
    if decision == PAYMENT:
        card, action = int(g.option_card[play]), int(g.option_action[play])
        g.choice_card[city], g.choice_action[city] = card, action
        list_payments(g, t, city, item_paid_for(g, t, city, card, action))
        return np.array([g[field][: g.option_count] for field in OPTIONS[2:]]).T
    fields = OPTIONS[:3] if decision == PLAY else OPTIONS[:1]
    return np.array([g[field][: g.option_count] for field in fields]).T


# ---- The tests ----


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_legal_gives_nothing_away_that_is_hidden(players: int, scaled: Callable[..., int]) -> None:
    plan = plan_for(NAME, players=players, strategies=MIXED, seed=21)
    t = plan.data.tables
    random = np.random.default_rng(players)
    asked = {PLAY: 0, PAYMENT: 0, FROM_DISCARD: 0}
    for games in middle_games(plan, scaled(3, 2, 12), range(0, 18, scaled(1, 2))):
        me = int(random.integers(players))
        for ask in list(asks(games.copy()[0], t, me)):
            table = games.copy()
            if ask[0] == FROM_DISCARD:
                table[0].discard_seen[: table[0].discards_size] |= 1 << me
            other = dealt_at_decision(plan.game, table, t, me, random)
            options = list_for(table[0], t, me, ask)
            assert (list_for(other[0], t, me, ask) == options).all()
            asked[ask[0]] += len(options) > 1
    assert all(asked.values())


@pytest.mark.parametrize("players", [2, 4])
def test_scores_do_not_depend_on_the_order_of_the_options(players: int, scaled: Callable[..., int]) -> None:
    plan = plan_for(NAME, players=players, strategies=MIXED, seed=22)
    t = plan.data.tables
    lineup = lineup_record(tuple(STRATEGIES.values()), plan.data, players)
    random = np.random.default_rng(players)
    for games in middle_games(plan, 1, range(1, 18, scaled(2, 3, 1))):
        g, me = games[0], int(random.integers(players))
        for ask in list(asks(games.copy()[0], t, me)):
            list_for(g, t, me, ask)
            count = int(g.option_count)
            order = random.permutation(count)
            shuffled = games.copy()
            for field in OPTIONS:
                shuffled[0][field][:count] = g[field][:count][order]
            for number, (name, strategy) in enumerate(STRATEGIES.items()):
                asked_for = (t, me, ask[0], lineup.seats[number])
                first = fresh_scores(NAME, strategy.script.score, g, *asked_for)
                g.notes[:] = np.nan
                backwards = scores_of(NAME, strategy.script.score, g, *asked_for, reversed(range(count)))
                in_order = fresh_scores(NAME, strategy.script.score, shuffled[0], *asked_for)
                assert first == backwards[::-1], (name, ask)
                assert in_order == [first[each] for each in order], (name, ask)
            g.choice_card[:] = NO_CARD
