"""Hidden information: what a seat cannot know is redealt, and nothing that it may look at changes.

A game supplies `tests/games/<game>/hidden.py` with

- `seen(g, t, me)`: what a seat sees of the hidden zones and remembers of them, as something that can be compared;
- `pieces(g, t)`: which pieces are in the game, likewise, as far as a redeal leaves them as they are;
- `DEALT`: fields of the record that a redeal may change; all others lie open, or are known to the seat by rule;
- `LEFT_OVER`: fields that hold only what is left of something done before, which nothing looks at;
- `scramble(g, before, t, me, random)`: draws again, in a game redealt for the seat that decides, what it neither sees
  nor remembers of the game's own fields; `before` is the game as it was;
- `KINDS`: kinds of decisions that must come up; `kind_of_decision(g, decision)`: what a decision is about, where its
  number does not tell enough;
- `CHANGED`: in what share of positions, at least, a deal for another seat changes what a seat has seen;
- `POSITIONS`: how many decisions have to be looked at;
- `CHEATS`: scoring functions that look at what is hidden; `honest`: one that looks at all that is not.
"""

import ctypes
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from sim.compiler.kernel import WEIGHTS, compiled, strategy_pointer, strategy_slots
from sim.engine.rng import SEARCH
from sim.game import GameSpec, load_game
from sim.players.batch import Plan, plan_record
from sim.players.compile_players import lineup_record
from sim.players.find_strategies import load_strategies
from tests.kit.plans import plan_for, supplied
from tests.kit.steps import eventful_plan

Score = Callable[[Any, Any, int, int, int, Any], float]
SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, *(ctypes.c_int64,) * 3, ctypes.c_void_p)
"""A scoring function as compiled code calls it."""


def dealt_anew(game: GameSpec, table: np.ndarray, t: Any, me: int, number: int) -> np.ndarray:
    """Return a copy of a game (an array of length 1) redealt for a seat; another number, another deal."""
    copy = table.copy()
    g: Any = copy[0]
    # Words come in fours: draws begin with words that are not in stock.
    g.rng_drawn[SEARCH] = 4 * 1000 * number
    game.redeal(g, t, me)
    return copy


def dealt_at_decision(game: GameSpec, table: np.ndarray, t: Any, me: int, random: np.random.Generator) -> np.ndarray:
    """Return a copy of a game at a decision, redealt for the seat that decides, and scrambled."""
    copy = dealt_anew(game, table, t, me, int(random.integers(2**20)))
    g: Any = copy[0]
    g.rng_key[:] = random.integers(0, 2**32, 2)
    for field in ("rng_game", "rng_words"):
        g[field][:] = random.integers(0, 2**31, g[field].shape)
    g.option_score[:] = random.normal(size=g.option_score.shape)
    g.log.rows[:] = random.integers(0, 18, g.log.rows.shape)
    supplied(game.name, "hidden").scramble(g, table[0], t, me, random)
    return copy


def kind_of(game: str, g: Any, decision: int) -> object:
    """What a decision is about: its number, or what the game says."""
    named = getattr(supplied(game, "hidden"), "kind_of_decision", None)
    return decision if named is None else named(g, decision)


def cards_in(g: Any, owner: int, zone: int) -> list[int]:
    """Cards of a zone, from the bottom up."""
    cards: list[int] = g.zone[owner, zone, : g.zone_size[owner, zone]].tolist()
    return cards


def scramble_beyond_zones(g: Any, t: Any, random: np.random.Generator) -> None:
    """Draw again what is left in zones beyond their last piece."""
    beyond = np.arange(g.zone.shape[2]) >= g.zone_size[..., np.newaxis]
    g.zone[beyond] = random.integers(0, t.cards, np.count_nonzero(beyond))


def unlike(one: np.ndarray, other: np.ndarray, but_for: Iterable[str]) -> list[str]:
    """Return the fields in which two games differ, but for some; the log is no part of the game."""
    names = set(one.dtype.names or ()) - {"log", *but_for}
    return sorted(name for name in names if one[name].tobytes() != other[name].tobytes())


# ---- Scoring functions, called from outside ----


def record_at(address: int, dtype: np.dtype[Any]) -> Any:
    """Return the record that lies at an address."""
    return np.frombuffer((ctypes.c_char * dtype.itemsize).from_address(address), dtype)[0]


def address_of(record: Any) -> int:
    """Return where a record lies."""
    return np.asarray(record).ctypes.data


def slots_of(game: GameSpec, score: Score, count: int) -> tuple[Any, Any]:
    """A Python function in the place of all strategies, for compiled kernels too; second, what keeps it alive."""
    if not compiled():
        return strategy_slots([score] * count), score

    def by_address(g: int, t: int, me: int, decision: int, option: int, w: int) -> float:
        return score(record_at(g, game.state), record_at(t, game.tables), me, decision, option, record_at(w, WEIGHTS))

    callback = SIGNATURE(by_address)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    return strategy_slots([SimpleNamespace(address=address)] * count), callback


@cache
def pointer_of(game: str, function: Any) -> Any:
    """Return the compiled scoring function of a script."""
    return strategy_pointer(function, load_game(game).state, load_game(game).tables)


def scores_of(
    game: str, function: Any, g: Any, t: Any, me: int, decision: int, w: Any, options: Iterable[int] | None = None
) -> list[float]:
    """Scores of some options of a decision in this order, of all unless told otherwise; notes stay as they are."""
    options = range(int(g.option_count)) if options is None else options
    if not compiled() or not hasattr(function, "py_func"):
        return [float(function(g, t, me, decision, option, w)) for option in options]
    call = SIGNATURE(pointer_of(game, function).address)
    places = [address_of(record) for record in (g, t, w)]
    return [call(places[0], places[1], me, decision, option, places[2]) for option in options]


def fresh_scores(game: str, function: Any, g: Any, t: Any, me: int, decision: int, w: Any) -> list[float]:
    """Scores of all options of a decision, begun with blank notes."""
    g.notes[:] = np.nan
    return scores_of(game, function, g, t, me, decision, w)


# ---- Decisions ----


class Position(NamedTuple):
    """A decision in a game, and that game redealt for the seat that decides; each game is an array of length 1."""

    plan: Plan
    table: np.ndarray
    other: np.ndarray
    me: int
    decision: int


@cache
def lineup_of(game: str, players: int) -> Any:
    """Weights of all strategies of a game, in the order in which they are registered."""
    plan = plan_for(game, players=players)
    return lineup_record(tuple(load_strategies(game).values()), plan.data, players)


def decisions_of(plan: Plan, games: int, every: int, most: int) -> list[tuple[np.ndarray, int, int]]:
    """Play games; return copies of them at some decisions of every kind, with the seat and the decision."""
    game, t = plan.game, plan.data.tables
    lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
    functions = [strategy.script.score for strategy in plan.strategies]
    asked: Counter[object] = Counter()
    found: list[tuple[np.ndarray, int, int]] = []
    held: list[list[float]] = [[]]

    def onlooker(g: Any, _t: Any, me: int, decision: int, option: int, _w: Any) -> float:
        if option == 0:
            kind = kind_of(game.name, g, decision)
            if asked[kind] % every == 0 and asked[kind] < every * most:
                found.append((np.asarray(g).reshape(1).copy(), me, decision))
            asked[kind] += 1
            which, notes = int(g.strategy[me]), g.notes.copy()
            held[0] = fresh_scores(game.name, functions[which], g, t, me, decision, lineup.seats[which])
            g.notes[:] = notes
        return held[0][option]

    slots, alive = slots_of(game, onlooker, len(functions))
    g: Any = game.new_games(1)[0]
    for number in range(games):
        game.kernels.start_game(g, t, plan_record(plan), number)
        game.kernels.play_out(g, t, (slots, lineup))
        assert g.error == 0
    del alive
    return found


def positions_of(
    game: str, tables: Iterable[tuple[str, str, int]], games: int, every: int, most: int
) -> list[Position]:
    """Decisions of every kind at some tables of a game, in games of all strategies and in eventful ones."""
    random = np.random.default_rng(8)
    found: list[Position] = []
    for _, variant, players in tables:
        everybody = plan_for(game, variant, players, strategies=list(load_strategies(game)), assign="random", seed=22)
        for plan in (everybody, eventful_plan(game, variant, players)):
            for table, me, decision in decisions_of(plan, games, every, most):
                t = plan.data.tables
                other = dealt_at_decision(plan.game, table, t, me, random)
                found.append(Position(plan, table, other, me, decision))
    return found


def scored_otherwise(positions: Iterable[Position], function: Any, number: int) -> list[Position]:
    """Positions in which a strategy scores otherwise once they are redealt; `number` says whose weights it has."""
    found = []
    for position in positions:
        plan, table, other, me, decision = position
        t, w = plan.data.tables, lineup_of(plan.game.name, plan.players).seats[number]
        one, two = (fresh_scores(plan.game.name, function, one[0], t, me, decision, w) for one in (table, other))
        if one != two:
            found.append(position)
    return found
