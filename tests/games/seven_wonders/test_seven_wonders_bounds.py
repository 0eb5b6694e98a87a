"""What schools take a card to be worth at most is never less than what it is worth to a city."""

from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import compiled
from sim.players.compile_players import lineup_record
from strategies.seven_wonders.appraisal import item_worth
from strategies.seven_wonders.card_worth import card_worth, denial
from strategies.seven_wonders.outlook import coin_worth, next_in_line
from strategies.seven_wonders.prepare import prepare_school
from strategies.seven_wonders.terms.bounds import NO_BOUND, most_worths
from strategies.seven_wonders.weights import MOST_CHAINED, MOST_DENIED, PARAMETERS, TURN_NUMBERS
from tests.kit.hidden import decisions_of
from tests.kit.plans import plan_for

GAMES, EVERY, MOST = (1, 7, 20) if compiled() else (1, 40, 2)
SCHOOLS = ("balanced", "science", "military", "blocker", "trade", "learnt")


def wild_weights(strategy: Any, t: Any, players: int, number: int) -> Any:
    """Weights of a school, drawn anew but for the first draw: also below 0 and far too high."""
    w = np.array([strategy])[0]
    if number > 0:
        chance = np.random.default_rng(number)
        w.weight[: len(PARAMETERS)] = chance.normal(0.6, 1.2, len(PARAMETERS))
    prepared = prepare_school(w, t, players)
    w.prepared[: len(prepared)] = prepared
    return w


@pytest.mark.parametrize("players", [2, 4, pytest.param(7, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("number", range(2))
def test_no_card_is_worth_more_than_its_bound(players: int, number: int) -> None:
    plan = plan_for("seven_wonders", players=players, strategies=list(SCHOOLS), seed=8)
    lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
    t, looked = plan.data.tables, 0
    schools = [wild_weights(w, t, players, number) for w in lineup.seats[: len(SCHOOLS)]]
    worths = [most_worths(w, t, w.prepared[:MOST_DENIED].reshape(-1, TURN_NUMBERS)) for w in schools]
    for table, me, _ in decisions_of(plan, GAMES, EVERY, MOST):
        g: Any = table[0]
        w, most = schools[looked % len(schools)], worths[looked % len(schools)]
        coin, receiver = coin_worth(g, me, w), next_in_line(g, t, me)
        for card in range(int(t.cards)):
            if g.owns[me, t.card_name[card]] == 0:
                worth = item_worth(g, t, me, card, t.card_colour[card], coin, w)
                assert worth <= most[card] + 1e-9
                chained = card_worth(g, t, me, card, coin, w) - worth
                assert 0.0 <= chained + 1e-9 <= w.prepared[MOST_CHAINED + card] + 2e-9
            denied = denial(g, t, me, card, receiver, coin_worth(g, receiver, w), w)
            assert 0.0 <= denied <= w.prepared[MOST_DENIED + card] + 1e-9
        looked += 1
    assert looked >= (8 if compiled() else 1)


def test_most_cards_of_balanced_have_bounds() -> None:
    plan = plan_for("seven_wonders", players=4, strategies=["balanced"])
    lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
    denied = lineup.seats[0].prepared[MOST_DENIED:][: int(plan.data.tables.cards)]
    assert (denied < NO_BOUND).mean() > 0.95


def test_what_has_no_bound_is_not_worth_less_than_nothing_where_none_of_it_is_taken() -> None:
    free = {"discard_build_checks_names": False}
    plan = plan_for("seven_wonders", players=4, strategies=["balanced"], settings=free)
    w = np.array([lineup_record(plan.strategies, plan.data, plan.players).seats[0]])[0]
    w.weight[: len(PARAMETERS)] = 0.0
    assert not np.isnan(prepare_school(w, plan.data.tables, 4)).any()
