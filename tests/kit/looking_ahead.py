"""Looking ahead done slowly: the same games redealt and played on, one by one, from outside.

Only the first decision of a step is searched here, so that nothing has to be answered again, and no option is dropped.
"""

import ctypes
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.compiler.kernel import compiled, strategy_slots
from sim.data.declarations import Search
from sim.engine.rng import CHANCE, DEAL, SEARCH, SEATS, renew_stream
from sim.engine.script import Strategy
from sim.engine.state import NO_ERROR, PAUSED
from sim.game import GameSpec
from sim.players.batch import Plan
from sim.players.compile_players import lineup_record
from sim.players.search import DRAWS_BITS, MOST_TRIES
from sim.players.search_memory import game_with_room
from tests.kit.hidden import SIGNATURE, pointer_of, record_at, slots_of

NEVER = -math.inf


def in_room(plan: Plan, table: np.ndarray) -> Any:
    """Return a copy of a game (an array of length 1) with room to look ahead."""
    g = game_with_room(plan.game.state)
    room = int(g.log.room)
    for name in table.dtype.names or ():
        g[name] = table[0][name]
    g.log.room = room
    return g


def slow_worths(plan: Plan, table: np.ndarray, base: Strategy, me: int, decision: int, search: Search) -> list[float]:
    """Return what each option is worth in the first decision of a seat in the step that begins with this table.

    `base` plays all seats in the rollouts.
    """
    worlds = worlds_of(plan, table, base, me, search.rollouts)
    worths: list[float] = []
    option = 0
    while True:
        values = [value_of(plan, world, base, me, decision, option, search) for world in worlds]
        if None in values:
            return worths
        worths.append(float(np.mean([value for value in values if value is not None])))
        option += 1


def worlds_of(plan: Plan, table: np.ndarray, base: Strategy, me: int, count: int) -> list[np.ndarray]:
    """Redeal a game for each rollout, always so that the seat comes to the same options."""
    worlds: list[np.ndarray] = []
    drawn, words = (int(table[0].decisions) - int(table[0].decisions_before)) << DRAWS_BITS, None
    options = options_of(plan, table, base, me)
    for _ in range(MOST_TRIES * count):
        world = table.copy()
        g: Any = world[0]
        g.rng_drawn[SEARCH] = drawn
        if words is not None:
            g.rng_words[SEARCH] = words
        plan.game.redeal(g, plan.data.tables, me)
        for stream in (DEAL, CHANCE, *(SEATS + seat for seat in range(plan.players))):
            renew_stream(g, stream, SEARCH)
        drawn, words = int(g.rng_drawn[SEARCH]), g.rng_words[SEARCH].copy()
        if len(worlds) < count and options_of(plan, world, base, me) == options:
            worlds.append(world)
    return worlds


def options_of(plan: Plan, world: np.ndarray, base: Strategy, me: int) -> list[float]:
    """Return which decision a seat comes to next, and what the base thinks of each option."""
    found: list[float] = []

    def look(g: Any, seat: int, asked: int, each: int, of_base: Callable[[], float]) -> float:
        if seat != me:
            return of_base()
        if g.error == NO_ERROR:
            found.extend([asked, of_base()] if each == 0 else [of_base()])
        if each == g.option_count - 1:
            g.error = PAUSED
        return 0.0

    slots, alive = asked_first(plan.game, look, base.script.score)
    lineup: Any = lineup_record((base,), plan.data, plan.players)
    copy = world.copy()
    g: Any = copy[0]
    g.strategy[:] = 0
    g.answers_given = g.notes_of = 0
    plan.game.kernels.play_out(g, plan.data.tables, (slots, lineup))
    del alive
    return found


def value_of(
    plan: Plan, world: np.ndarray, base: Strategy, me: int, decision: int, option: int, search: Search
) -> float | None:
    """Play on a redealt game with this option first; return what its end is worth, None if it lacks the option."""
    game, table = plan.game, world.copy()
    last = table[0].rounds + search.horizon if search.horizon > 0 else math.inf
    lineup: Any = lineup_record((base,), plan.data, plan.players)
    waits, missing = [True], [False]

    def score(g: Any, seat: int, asked: int, each: int, of_base: Callable[[], float]) -> float:
        if not waits[0] or seat != me:
            return of_base()
        assert asked == decision
        if each == g.option_count - 1:
            waits[0] = False
            missing[0] = option >= g.option_count
        return 0.0 if each == min(option, g.option_count - 1) else NEVER

    slots, alive = asked_first(game, score, base.script.score)
    g: Any = table[0]
    g.strategy[:] = 0
    g.answers_given = 0
    g.notes_of = 0
    while waits[0]:  # others whose choice lay hidden choose again before the seat does
        game.play_step(g, plan.data.tables, (slots, lineup))
    chance = play_until(plan, g, (own_slots(game, base.script.score), lineup), search, last)
    assert g.error == NO_ERROR
    del alive
    if missing[0]:
        return None
    return float(chance[me]) if chance is not None else end_worth(g, me, search)


def play_until(plan: Plan, g: Any, players: Any, search: Search, last: float) -> np.ndarray | None:
    """Play a game on to the horizon and score it there; return the chances to win if they are judged."""
    game, t = plan.game, plan.data.tables
    while not g.finished and g.rounds < last:
        game.play_step(g, t, players)
    chance = None
    if not g.finished and search.outlook and game.evaluate_horizon is not None:
        rows = [[row.get(name, 0.0) for name in game.prospects] for row in search.outlook]
        chance = np.full(plan.players, math.nan)
        game.evaluate_horizon(g, t, np.array(rows), chance)
    if not g.finished:
        game.score_game(g, t)
    return None if chance is None or np.isnan(chance).any() else chance


def end_worth(g: Any, me: int, search: Search) -> float:
    """What the end of a game is worth to a seat."""
    totals = g.score[: g.players, -1].astype(float)
    if g.players == 1:
        return float(totals[0])
    lead = totals[me] - max(total for seat, total in enumerate(totals) if seat != me)
    if search.value == "margin":
        return float(lead)
    if search.lead_scale > 0:
        return float(1 / (1 + np.exp(-lead / search.lead_scale)))
    ranks = list(g.rank[: g.players])
    return 1 / ranks.count(1) if ranks[me] == 1 else 0.0


def asked_first(game: GameSpec, score: Callable[..., float], own: Callable[..., float]) -> tuple[Any, Any]:
    """A Python function in the place of the base, which is given the base's score to call; second, what it lives by."""
    if not compiled():
        plain = getattr(own, "py_func", own)

        def directly(g: Any, t: Any, seat: int, asked: int, each: int, w: Any) -> float:
            return score(g, seat, asked, each, lambda: float(plain(g, t, seat, asked, each, w)))

        return slots_of(game, directly, 1)
    base = SIGNATURE(pointer_of(game.name, own).address)

    def by_address(g: int, t: int, seat: int, asked: int, each: int, w: int) -> float:
        return score(record_at(g, game.state), seat, asked, each, lambda: float(base(g, t, seat, asked, each, w)))

    callback = SIGNATURE(by_address)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    return strategy_slots([SimpleNamespace(address=address)]), (callback, base)


def own_slots(game: GameSpec, own: Callable[..., float]) -> Any:
    """The base itself, which plays on much faster than through a Python function."""
    if not compiled():
        return strategy_slots([getattr(own, "py_func", own)])
    return strategy_slots([pointer_of(game.name, own)])
