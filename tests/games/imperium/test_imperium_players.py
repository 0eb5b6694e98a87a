"""The scripted players of Imperium: all nations are played, nothing hidden is looked at, nothing silly is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from sim.batch import Plan, plan_record, play
from sim.compiling import lineup_record, players_of
from sim.games.imperium.choices import offer_from
from sim.games.imperium.market import list_acquisitions, list_break_through
from sim.games.imperium.play import start_game
from sim.games.imperium.turns import list_actions, play_step
from sim.games.imperium.words import (
    ACQUIRE,
    ANYTHING,
    BREAK_THROUGH,
    CLEAN_UP,
    DEVELOP,
    DEVELOPMENT,
    END_TURN,
    EXHAUST_CARD,
    HAND,
    MARKET,
    MATERIAL,
    NO_CARD,
    PAYMENT,
    PICK,
    PLACE_ON_MARKET,
    PLAY_CARD,
    PROTECT,
    REVOLT,
    TO_HISTORY,
    TURN,
)
from sim.rows import ROUNDS, SCORE
from sim.runs.config import RunConfig, make_plan
from sim.runs.loading import load_strategies
from tests.games.imperium.hidden import dealt_anew, scrambled
from tests.games.imperium.tables import T, card, position

STRATEGIES = load_strategies("imperium")
GAINED_SUITS = 15


def plan_with(names: list[str], players: int, seed: int = 3, **options: Any) -> Plan:
    return make_plan(RunConfig(game="imperium", players=players, strategies=names, seed=seed, **options))


# ---- Whole games ----


def test_balanced_plays_games_as_long_and_as_rich_as_people_do(compiled_only: None) -> None:
    plan = plan_with(["balanced"], 4)
    rows, _ = play(plan, players_of(plan), 0, 200)
    assert 40 < rows[:, SCORE].mean() < 110
    assert 10 < rows[:, ROUNDS].mean() < 28


def test_no_turn_goes_on_for_ever(compiled_only: None) -> None:
    plan = plan_with(["empire-rush", "conquest", "history", "balanced"], 4, seed=1)
    rows, _ = play(plan, players_of(plan), 0, 60)
    assert len(rows) == 240


# ---- Hidden information ----


def middle_games(plan: Plan, games: int, rounds: list[int]) -> Iterator[Any]:
    """Copies of games before some rounds, arrays of length 1."""
    table = plan.game.new_games(1)
    team = players_of(plan)
    for game in range(games):
        start_game(table[0], plan.data.tables, plan_record(plan), game)
        for number in range(max(rounds) + 1):
            if number in rounds:
                yield table.copy()
            while table[0].rounds == number and table[0].finished == 0:
                play_step(table[0], plan.data.tables, team)
            if table[0].finished:
                break


def list_for(g: Any, t: Any, me: int, ask: str) -> int:
    """List the options of a decision; return what decision it is."""
    g.turn_seat = me
    g.activating = 1
    g.option_count = 0
    g.option_kind[:] = 0
    g.asking = NO_CARD
    if ask == "turn":
        list_actions(g, t, me, True)
        return TURN
    if ask in ("clean up", "history"):
        g.asked = CLEAN_UP if ask == "clean up" else TO_HISTORY
        offer_from(g, t, 0, NO_CARD, me, ANYTHING, 1 << HAND)
        return PICK
    if ask == "develop":
        cards = g.zone[me, DEVELOPMENT, : g.zone_size[me, DEVELOPMENT]]
        g.option_card[: len(cards)] = cards
        g.option_count = len(cards)
        return DEVELOP
    if ask == "break through":
        g.asked = BREAK_THROUGH
        list_break_through(g, t, GAINED_SUITS, ANYTHING, False)
    else:
        g.asked = ACQUIRE if ask == "acquire" else PLACE_ON_MARKET
        list_acquisitions(g, t, me, GAINED_SUITS, ANYTHING, -1, True, ask == "acquire")
    return MARKET


ASKS = ("turn", "clean up", "history", "develop", "break through", "acquire", "token")


def scores(g: Any, t: Any, me: int, decision: int, score: Callable[..., float], w: Any) -> list[float]:
    g.notes[:] = np.nan
    return [float(score(g, t, me, decision, option, w)) for option in range(g.option_count)]


@pytest.mark.parametrize("players", [3])
def test_no_strategy_scores_by_what_it_cannot_see(players: int, scaled: Callable[[int, int], int]) -> None:
    plan = plan_with(["balanced", "random"], players, seed=21)
    t = plan.data.tables
    lineup = lineup_record(tuple(STRATEGIES.values()), plan.data, players)
    random = np.random.default_rng(players)
    asked = dict.fromkeys(ASKS, 0)
    for games in middle_games(plan, scaled(12, 2), [0, 3, 6, 10]):
        me = int(random.integers(players))
        for ask in ASKS:
            seen = games.copy()
            other = scrambled(dealt_anew(games, t, me, int(random.integers(2**31))), t, random)
            decision = list_for(seen[0], t, me, ask)
            assert list_for(other[0], t, me, ask) == decision
            count = int(seen[0].option_count)
            assert other[0].option_card[:count].tolist() == seen[0].option_card[:count].tolist()
            asked[ask] += count > 1
            for number, (name, strategy) in enumerate(STRATEGIES.items()):
                script, w = strategy.script.score, lineup.seats[number]
                expected = scores(seen[0], t, me, decision, script, w)
                assert scores(other[0], t, me, decision, script, w) == pytest.approx(expected), (name, ask)
    assert all(asked.values())


# ---- What a person would do ----


@pytest.fixture(scope="module")
def balanced() -> Callable[..., list[float]]:
    """Scores that the balanced player gives to options already listed."""
    plan = plan_with(["balanced"], 2)
    w = lineup_record((STRATEGIES["balanced"],), plan.data, 2).seats[0]

    def score(g: Any, me: int, decision: int) -> list[float]:
        return scores(g, T, me, decision, STRATEGIES["balanced"].script.score, w)

    return score


def best_action(g: Any, balanced: Callable[..., list[float]], begins: bool = True) -> tuple[int, int]:
    """Kind and card of the best action of a turn, at its beginning or later."""
    list_for(g, T, 0, "turn")
    list_actions(g, T, 0, begins)
    best = int(np.argmax(balanced(g, 0, TURN)))
    return int(g.option_kind[best]), int(g.option_card[best])


def test_regions_are_played_rather_than_the_turn_ended(balanced: Callable[..., list[float]]) -> None:
    g = position(hand={0: ["Hills", "Forest", "Marsh", "Unrest"]}, deck={0: ["Conquer", "Advance"]})
    kind, played = best_action(g, balanced)
    assert kind == PLAY_CARD
    assert played in (card("Hills"), card("Forest"), card("Marsh"))


def test_glory_is_played_when_three_regions_are_there(balanced: Callable[..., list[float]]) -> None:
    regions = ["Forest", "Oasis", "Steppe"]
    g = position(hand={0: ["Glory", "Prosperity"]}, play={0: regions}, fame=["Great", "Marvellous", "Eminent"])
    kind, played = best_action(g, balanced)
    assert (kind, played) == (PLAY_CARD, int(g.zone[0, HAND, 0]))


def test_a_hand_of_unrest_leads_to_revolt(balanced: Callable[..., list[float]]) -> None:
    g = position(hand={0: ["Unrest"] * 5}, resources={0: (0, 0, 0)}, unrest=3)
    assert best_action(g, balanced)[0] == REVOLT


def test_free_abilities_are_used_before_the_turn_ends(balanced: Callable[..., list[float]]) -> None:
    g = position(play={0: ["Code of Laws"]}, deck={0: ["Prosperity", "Glory", "Advance", "Conquer"]})
    g.actions[0] = 0
    assert best_action(g, balanced, begins=False) == (EXHAUST_CARD, card("Code of Laws"))


def test_material_is_paid_rather_than_progress(balanced: Callable[..., list[float]]) -> None:
    g = position(resources={0: (6, 2, 4)})
    g.asked_resource, g.asked_amount, g.option_count = MATERIAL, 3, 3
    g.option_value[:3] = [0, 1, 2]
    assert int(np.argmax(balanced(g, 0, PAYMENT))) == 0


def test_a_free_shield_is_held_up(balanced: Callable[..., list[float]]) -> None:
    g = position(play={0: ["Standing Army", "Forest"]})
    g.asking, g.option_count = card("Invasion"), 2
    g.option_card[:2] = [card("Standing Army"), NO_CARD]
    assert int(np.argmax(balanced(g, 0, PROTECT))) == 0


def test_nothing_useless_is_played_in_the_last_turn(balanced: Callable[..., list[float]]) -> None:
    g = position(hand={0: ["Glory"]}, play={0: ["Forest"]})
    g.ending, g.rounds_left = 0, 1
    assert best_action(g, balanced, begins=False)[0] == END_TURN
