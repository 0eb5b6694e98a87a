"""Turns the strategies of a plan into kernel arguments: compiled scoring functions, and weights packed into records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.compiler.kernel import (
    LINEUP,
    MAX_PREPARED,
    MAX_WEIGHTS,
    WEIGHTS,
    Floats,
    Record,
    address_of,
    all_options_pointer,
    strategy_pointer,
    strategy_slots,
)
from sim.compiler.source_digest import is_project_code
from sim.engine.script import Prepare, Strategy
from sim.errors import UserError
from sim.game import Data, GameSpec
from sim.players.batch import Plan
from sim.players.kernel_failures import compile_reason
from sim.players.python_players import pointer_to


def players_of(plan: Plan, slots: Any = None) -> tuple[Any, Record]:
    """Return the players of a plan as kernel arguments: the scoring functions, and the record of their weights.

    `slots` are the scoring functions, if they have been compiled for a plan with the same strategies. Both results are
    None for a game in plain Python. Raise UserError if a strategy does not compile.
    """
    if plan.game.plain is not None:
        return None, None
    if slots is None or any(strategy.script.choose is not None for strategy in plan.strategies):
        # A Python player's function is bound to the data of its plan, so it cannot serve another plan.
        slots = compile_strategies(plan)
    lineup = lineup_record(plan.strategies, plan.data, plan.players)
    for number, strategy in enumerate(plan.strategies):
        if strategy.script.score_all is not None:
            score_all = all_options_pointer(strategy.script.score_all, plan.game.state, plan.game.tables)
            lineup.seats[number].score_all = address_of(score_all)
            lineup.seats[number].score_one = address_of(compile_script(strategy, plan.game))
        if strategy.search is not None:
            from sim.players.search_setup import tell_to_search  # noqa: PLC0415 - few players look ahead

            base = compile_script(strategy, plan.game)
            tell_to_search(lineup.seats[number], strategy, plan.game, plan.data, plan.players, base)
    return slots, lineup


def compile_strategies(plan: Plan) -> tuple[Any, ...]:
    """Compile the scoring functions of a plan's strategies. `players_of` can use them any number of times.

    Each function is compiled only once. Functions are compared, not names of scripts, because several users' files may
    have the same name. Raise UserError if a strategy does not compile.
    """
    if plan.game.plain is not None:
        return ()
    pointers: dict[Callable[..., float], Any] = {}
    for strategy in plan.strategies:
        if strategy.script.choose is not None and strategy.search is not None:
            message = f"strategy {strategy.name} looks ahead, which is impossible for a player in Python"
            raise UserError(message, file=strategy.source or None, field="search")
        if strategy.script.score not in pointers:
            pointers[strategy.script.score] = (
                compile_script(strategy, plan.game)
                if strategy.script.choose is None
                else pointer_to(strategy, plan.game, plan.data)
            )
    return strategy_slots(
        [
            pointers[strategy.script.score] if strategy.search is None else search_score(plan.game)
            for strategy in plan.strategies
        ]
    )


def search_score(game: GameSpec) -> Any:
    """Return the compiled scoring function of players who look ahead: it scores options by a search."""
    from sim.players.search_setup import kernels_of  # noqa: PLC0415 - few players look ahead

    return kernels_of(game).score


def compile_script(strategy: Strategy, game: GameSpec) -> Any:
    """Compile the scoring function of a strategy, and return a pointer to it.

    Raise UserError if it does not compile. The message gives the compiler's reason and the line.
    """
    try:
        return strategy_pointer(strategy.script.score, game.state, game.tables)
    except Exception as error:  # numba raises many kinds of errors, such as KeyError for an unknown field
        reason, line = compile_reason(error, Path(strategy.source), (game.state, game.tables, WEIGHTS))
        place = f"{strategy.source}:{line}" if line else strategy.source
        raise UserError(f"strategy {strategy.name} does not compile: {reason}", file=place or None) from error


def lineup_record(strategies: Sequence[Strategy], data: Data, players: int) -> Record:
    """Return a record for kernels: for each strategy, its weights and the numbers that its script precomputes.

    Raise UserError if a strategy has too many weights, or its script precomputes too many numbers.
    """
    lineup: Any = np.zeros(1, LINEUP)[0]
    functions = list(dict.fromkeys(strategy.script.score for strategy in strategies))
    for number, strategy in enumerate(strategies):
        parameters = strategy.script.parameters
        if len(parameters) > MAX_WEIGHTS:
            message = f"strategy {strategy.name} has too many weights"
            raise UserError(message, file=strategy.source, found=len(parameters), allowed=f"up to {MAX_WEIGHTS}")
        w = lineup.seats[number]
        w.weight[: len(parameters)] = [strategy.weights[name] for name in parameters]
        w.temperature = strategy.temperature
        w.kept_notes = strategy.script.kept_notes
        w.script = 1 + functions.index(strategy.script.score)
        if strategy.script.prepare is not None:
            prepared = prepared_numbers(strategy.script.prepare, w, data.tables, players)
            if len(prepared) > MAX_PREPARED:
                message = f"strategy {strategy.name} prepares too many numbers"
                raise UserError(message, file=strategy.source, found=len(prepared), allowed=f"up to {MAX_PREPARED}")
            w.prepared[: len(prepared)] = prepared
    return lineup


def prepared_numbers(prepare: Prepare, w: Record, t: Record, players: int) -> Floats:
    """Return the numbers that the function `prepare` of a script precomputes from weights, tables and players.

    The results of the project's scripts are cached, so the caller must not change them. The results of a user's script
    are not cached, because they may depend on other data.
    """
    if not is_project_code(prepare):
        return prepare(w, t, players)
    return _prepared_for(prepare, w.tobytes(), t.tobytes(), t.dtype, players)


@lru_cache(maxsize=64)
def _prepared_for(prepare: Prepare, weights: bytes, tables: bytes, kind: np.dtype[Any], players: int) -> Floats:
    w, t = np.frombuffer(weights, WEIGHTS).copy()[0], np.frombuffer(tables, kind).copy()[0]
    prepared = prepare(w, t, players)
    prepared.flags.writeable = False  # all callers share this array
    return prepared
