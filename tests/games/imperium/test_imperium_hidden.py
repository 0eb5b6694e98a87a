"""No player sees what is hidden: redeal it, and every strategy scores its options as before."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim.batch import Plan, plan_record
from sim.compiling import lineup_record
from sim.games.imperium.play import start_game
from sim.games.imperium.state import STATE
from sim.games.imperium.tables import TABLES
from sim.games.imperium.turns import play_on
from sim.games.imperium.words import DECISIONS, DECK, FAME_DECK, HAND, MAIN_DECK, NATION, PICK, REGION_DECK, TABLE
from sim.jit import compiled, strategy_pointer, strategy_slots
from sim.players import WEIGHTS
from sim.runs.config import RunConfig, make_plan
from sim.runs.loading import load_strategies
from tests.games.imperium.hidden import dealt_anew, scrambled

STRATEGIES = list(load_strategies("imperium"))
Score = Callable[[Any, Any, int, int, int, Any], float]


# ---- Looking on ----

SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, *(ctypes.c_int64,) * 3, ctypes.c_void_p)
"""A scoring function as compiled code calls it."""


def record_at(address: int, dtype: np.dtype[Any]) -> Any:
    """Return the record that lies at an address."""
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(address), dtype)[0]


def address_of(record: Any) -> int:
    """Return where a record lies."""
    return int(np.asarray(record).__array_interface__["data"][0])


def slots_of(score: Score, count: int) -> tuple[Any, Any]:
    """A Python function in the place of all strategies, for compiled kernels too; second, what keeps it alive."""
    if not compiled():
        return strategy_slots([score] * count), score

    def by_address(g: int, t: int, me: int, decision: int, option: int, w: int) -> float:
        return score(record_at(g, STATE), record_at(t, TABLES), me, decision, option, record_at(w, WEIGHTS))

    callback = SIGNATURE(by_address)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    return strategy_slots([SimpleNamespace(address=address)] * count), callback


@cache
def pointer_of(function: Any) -> Any:
    """Return the compiled scoring function of a script."""
    return strategy_pointer(function, STATE, TABLES)


def scores(function: Any, g: Any, t: Any, me: int, decision: int, w: Any) -> list[float]:
    """Scores of all options of a decision."""
    g.notes[:] = np.nan
    options = range(int(g.option_count))
    if not compiled() or not hasattr(function, "py_func"):
        return [float(function(g, t, me, decision, option, w)) for option in options]
    call = SIGNATURE(pointer_of(function).address)
    places = [address_of(record) for record in (g, t, w)]
    return [call(places[0], places[1], me, decision, option, places[2]) for option in options]


# ---- Positions ----


class Position(NamedTuple):
    """A decision in a game, and the same with the hidden cards dealt anew; each game is an array of length 1."""

    plan: Plan
    table: np.ndarray
    other: np.ndarray
    me: int
    decision: int


def plan_for(players: int, box: str) -> Plan:
    options: Any = {"strategies": STRATEGIES, "assign": "random", "seed": 20 + players}
    return make_plan(RunConfig(game="imperium", players=players, variant=box, **options))


def decisions_of(plan: Plan, games: int, every: int, most: int) -> list[tuple[np.ndarray, int, int]]:
    """Play games; return copies of them at some decisions of every kind, with the seat and the decision."""
    t = plan.data.tables
    lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
    functions = [strategy.script.score for strategy in plan.strategies]
    asked: Counter[tuple[int, int]] = Counter()
    found: list[tuple[np.ndarray, int, int]] = []
    held: list[list[float]] = [[]]

    def onlooker(g: Any, _t: Any, me: int, decision: int, option: int, _w: Any) -> float:
        if option == 0:
            table = np.asarray(g).reshape(1).copy()
            kind = (decision, int(g.asked) if decision == PICK else 0)
            if asked[kind] % every == 0 and asked[kind] < every * most:
                found.append((table.copy(), me, decision))
            asked[kind] += 1
            which = int(g.strategy[me])
            held[0] = scores(functions[which], table[0], t, me, decision, lineup.seats[which])
        return held[0][option]

    slots, alive = slots_of(onlooker, len(functions))
    g = plan.game.new_games(1)[0]
    for game in range(games):
        start_game(g, t, plan_record(plan), game)
        play_on(g, t, (slots, lineup))
    del alive
    return found


@pytest.fixture(scope="module")
def positions(scaled: Callable[[int, int], int]) -> list[Position]:
    """Decisions of every kind from games of all strategies, for 2 to 4 players and both boxes."""
    found = []
    random = np.random.default_rng(8)
    for players, box in [(2, "classics"), (3, "legends"), (4, "classics"), (4, "legends")][: scaled(4, 1)]:
        plan = plan_for(players, box)
        for table, me, decision in decisions_of(plan, scaled(4, 1), scaled(7, 20), scaled(12, 2)):
            other = scrambled(dealt_anew(table, plan.data.tables, me, len(found)), plan.data.tables, random)
            found.append(Position(plan, table, other, me, decision))
    return found


# ---- What they see ----


def scored_otherwise(positions: list[Position], function: Any, number: int) -> list[tuple[int, str]]:
    """Positions, by seat and decision, in which a strategy scores otherwise once the hidden cards are dealt anew."""
    found = []
    for plan, table, other, me, decision in positions:
        w = lineup_of(plan.players).seats[number]
        one, two = (scores(function, one[0], plan.data.tables, me, decision, w) for one in (table, other))
        if one != two:
            found.append((me, DECISIONS[decision]))
    return found


@cache
def lineup_of(players: int) -> Any:
    plan = plan_for(players, "classics")
    return lineup_record(plan.strategies, plan.data, players)


def test_decisions_of_every_kind_are_looked_at(positions: list[Position]) -> None:
    kinds = {DECISIONS[decision] for *_, decision in positions}
    assert {"turn", "pick", "market", "option", "innovate"} <= kinds or not compiled()
    assert len(positions) > 300 or not compiled()


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_strategy_looks_at_what_is_hidden(name: str, positions: list[Position]) -> None:
    strategy = load_strategies("imperium")[name]
    assert scored_otherwise(positions, strategy.script.score, STRATEGIES.index(name)) == []


# ---- Cheats ----


def sees_own_deck(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[me, DECK, g.zone_size[me, DECK] - 1]) if g.zone_size[me, DECK] else 0.0


def sees_a_hand(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = (me + 1) % g.players
    return float(g.zone[other, HAND, : g.zone_size[other, HAND]].sum())


def sees_a_nation_deck(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = (me + 1) % g.players
    return float(g.zone[other, NATION, g.zone_size[other, NATION] - 1]) if g.zone_size[other, NATION] else 0.0


def sees_a_market_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[TABLE, REGION_DECK, g.zone_size[TABLE, REGION_DECK] - 1])


def sees_the_main_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[TABLE, MAIN_DECK, g.zone_size[TABLE, MAIN_DECK] - 1])


def sees_fame(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[TABLE, FAME_DECK, 0])


CHEATS = (sees_own_deck, sees_a_hand, sees_a_nation_deck, sees_a_market_deck, sees_the_main_deck, sees_fame)


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_strategy_that_looks_is_found_out(cheat: Any, positions: list[Position]) -> None:
    assert len(scored_otherwise(positions, cheat, 0)) > len(positions) // 20
