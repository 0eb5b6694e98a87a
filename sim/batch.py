"""Plays a stretch of games of a plan and hands back columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.errors import UserError
from sim.game import Data, Game
from sim.jit import Record, kernel, strategy_pointer, strategy_slots
from sim.lineups import ASSIGNMENTS, PLAN, games_per_block
from sim.players import LINEUP, MAX_PREPARED, MAX_WEIGHTS, STRATEGY_SLOTS
from strategies.api import Strategy

GAME, BLOCK, SEAT, FACTION, STRATEGY, SCORE, RANK, ROUNDS, END_REASON = range(9)
FIXED_COLUMNS = 9
"""Columns of a seat row that every game has; score parts and measures follow."""


@kernel
def write_seat_row(g: Record, rows: Any, row: int, plan: Record, game: int, seat: int, parts: int) -> None:
    """Write the columns that every game has, and the score parts, of one seat of a finished game."""
    rows[row, GAME] = game
    rows[row, BLOCK] = game // plan.block_games
    rows[row, SEAT] = seat
    rows[row, FACTION] = g.faction[seat]
    rows[row, STRATEGY] = g.strategy[seat]
    rows[row, SCORE] = g.score[seat, parts]
    rows[row, RANK] = g.rank[seat]
    rows[row, ROUNDS] = g.rounds
    rows[row, END_REASON] = g.end_reason
    for part in range(parts):
        rows[row, FIXED_COLUMNS + part] = g.score[seat, part]


@dataclass(frozen=True)
class Plan:
    """Everything that decides what game i of a run is.

    Attributes
    ----------
    factions
        Ids of the factions that may be dealt.
    factions_fixed
        Whether seat i always plays entry i of `factions`.
    assign
        "rotate", "random" or "fixed": how strategies come to seats.
    keeps_cards
        Whether what became of every card is written down.
    """

    game: Game
    data: Data
    players: int
    variant: str
    strategies: tuple[Strategy, ...]
    factions: tuple[int, ...]
    factions_fixed: bool
    assign: str
    seed: int
    keeps_cards: bool = False

    @property
    def block_games(self) -> int:
        """Games that share one deal."""
        return games_per_block(self.assign, self.players, len(self.strategies))

    @property
    def columns(self) -> int:
        """Columns of a seat row."""
        return FIXED_COLUMNS + len(self.game.score_parts) + len(self.game.measures)


def plan_record(plan: Plan) -> Record:
    """Pack a plan for the kernels."""
    record: Any = np.zeros(1, PLAN)[0]
    record.seed = plan.seed
    record.players = plan.players
    record.block_games = plan.block_games
    record.strategies = len(plan.strategies)
    record.assign = ASSIGNMENTS.index(plan.assign)
    record.factions[: len(plan.factions)] = plan.factions
    record.faction_count = len(plan.factions)
    record.factions_fixed = plan.factions_fixed
    record.keeps_cards = plan.keeps_cards
    return record


def lineup_record(strategies: Sequence[Strategy], data: Data, players: int) -> Record:
    """Pack the weights of a run's strategies for the kernels, with what each script prepares from them.

    Raises
    ------
    UserError
        There are too many strategies, or one has too many weights.
    """
    if len(strategies) > STRATEGY_SLOTS:
        raise UserError("too many strategies in one run", found=len(strategies), allowed=f"up to {STRATEGY_SLOTS}")
    lineup: Any = np.zeros(1, LINEUP)[0]
    for number, strategy in enumerate(strategies):
        parameters = strategy.script.parameters
        if len(parameters) > MAX_WEIGHTS:
            message = f"strategy {strategy.name} has too many weights"
            raise UserError(message, file=strategy.source, found=len(parameters), allowed=f"up to {MAX_WEIGHTS}")
        w = lineup.seats[number]
        w.weight[: len(parameters)] = [strategy.weights[name] for name in parameters]
        w.temperature = strategy.temperature
        if strategy.script.prepare is not None:
            prepared = strategy.script.prepare(w, data.tables, players)
            if len(prepared) > MAX_PREPARED:
                message = f"strategy {strategy.name} prepares too many numbers"
                raise UserError(message, file=strategy.source, found=len(prepared), allowed=f"up to {MAX_PREPARED}")
            w.prepared[: len(prepared)] = prepared
    return lineup


def compile_script(strategy: Strategy, game: Game) -> Any:
    """Compile a strategy's function to a pointer.

    Raises
    ------
    UserError
        It does not compile; the message carries the compiler's reason and the line.
    """
    from numba.core.errors import NumbaError  # noqa: PLC0415 - only when something goes wrong to be worth its time

    try:
        return strategy_pointer(strategy.script.score, game.state, game.tables)
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        place = next((line for line in lines if line.startswith("File ")), "")
        reason = next((line for line in lines if not line.startswith(("Failed in", "-", "During"))), lines[0])
        message = f"strategy {strategy.name} does not compile: {reason} {place}".rstrip()
        raise UserError(message, file=strategy.source) from error


def players_of(plan: Plan) -> tuple[Any, Record]:
    """Return a plan's players as kernels take them: scoring functions, and their weights.

    Raises
    ------
    UserError
        A strategy does not compile.
    """
    pointers: dict[str, Any] = {}
    for strategy in plan.strategies:
        if strategy.script.name not in pointers:
            pointers[strategy.script.name] = compile_script(strategy, plan.game)
    slots = strategy_slots([pointers[strategy.script.name] for strategy in plan.strategies])
    return slots, lineup_record(plan.strategies, plan.data, plan.players)


def check_no_error(plan: Plan, g: Record) -> None:
    """Raise the error a kernel has stopped with.

    Raises
    ------
    UserError
        A strategy returned something that is no number.
    """
    if g.error != 0:
        strategy = plan.strategies[int(g.error_strategy)]
        raise UserError(
            f"strategy {strategy.name} returned a score that is not a number",
            file=Path(strategy.source) if strategy.source else None,
            field="score",
            found=math.nan,
            allowed="finite numbers",
        )


def play(plan: Plan, players: tuple[Any, Record], first: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Play games first to first + count - 1.

    Returns
    -------
    rows, card_rows
        int32 of shape (count * players, columns) and (any, 3 + card columns); game i is the same in any stretch.

    Raises
    ------
    UserError
        A strategy returned something that is no number.
    """
    games = plan.game.new_games(1)
    g = games[0]
    rows = np.zeros((count * plan.players, plan.columns), np.int32)
    kept = count * plan.players * plan.game.card_rows if plan.keeps_cards else 0
    card_rows = np.zeros((kept, 3 + len(plan.game.card_columns)), np.int32)
    written = plan.game.play_games(g, plan.data.tables, players, plan_record(plan), first, count, rows, card_rows)
    check_no_error(plan, g)
    return rows, card_rows[:written]
