"""Plays a stretch of games of a plan and hands back columns."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.errors import UserError, nearest
from sim.game import Data, Game
from sim.jit import Record, digest_of_code, kernel, strategy_pointer, strategy_slots
from sim.lineups import ASSIGNMENTS, PLAN, games_per_block
from sim.players import LINEUP, MAX_PREPARED, MAX_WEIGHTS, WEIGHTS
from sim.record import ANSWER_NOT_LISTED, ANSWERS_LEFT, SCORE_NOT_A_NUMBER, STACK_FULL, TOO_MANY_DECISIONS
from sim.scripts import Strategy

GAME, BLOCK, SEAT, FACTION, STRATEGY, SCORE, RANK, ROUNDS, END_REASON = range(9)
FIXED_COLUMNS = 9
"""Columns of a seat row that every game has; score parts and measures follow."""

ERRORS = {
    TOO_MANY_DECISIONS: "a step holds too many decisions",
    ANSWER_NOT_LISTED: "a given answer is none of the options",
    ANSWERS_LEFT: "a step asked for fewer decisions than it was given answers",
    STACK_FULL: "too many effects wait for each other",
}
"""What the reasons mean for which a game of any kind stops."""


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
    strategies, lineup
        The different strategies of the run, and which of them meet: one that is entered twice is met twice as often.
    factions
        Ids of the factions that may be dealt.
    factions_fixed
        Whether seat i always plays entry i of `factions`.
    assign
        "rotate", "random" or "fixed": how strategies come to seats.
    keeps_cards
        Whether what became of every card is written down.
    changes
        Texts of the changes to data and strategies that this run is played with.
    """

    game: Game
    data: Data
    players: int
    variant: str
    strategies: tuple[Strategy, ...]
    lineup: tuple[int, ...]
    factions: tuple[int, ...]
    factions_fixed: bool
    assign: str
    seed: int
    keeps_cards: bool = False
    changes: tuple[str, ...] = ()

    @property
    def block_games(self) -> int:
        """Games that share one deal."""
        return games_per_block(self.assign, self.players, len(self.strategies))

    @property
    def columns(self) -> int:
        """Columns of a seat row."""
        return FIXED_COLUMNS + len(self.game.score_parts) + len(self.game.measures)


def sources_digest(plan: Plan) -> str:
    """SHA-256 over the project files that decide how a plan's games go: the engine and the scripts of its players."""
    return digest_of_code([plan.game.play_games, *(strategy.script.score for strategy in plan.strategies)])


def plan_record(plan: Plan) -> Record:
    """Pack a plan for the kernels."""
    record: Any = np.zeros(1, PLAN)[0]
    record.seed = plan.seed
    record.players = plan.players
    record.variant = [variant.name for variant in plan.game.variants].index(plan.variant)
    record.block_games = plan.block_games
    record.lineup[: len(plan.lineup)] = plan.lineup
    record.lineup_size = len(plan.lineup)
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
        A strategy has too many weights, or prepares too many numbers.
    """
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
    try:
        return strategy_pointer(strategy.script.score, game.state, game.tables)
    except Exception as error:  # numba stops with errors of many kinds, a KeyError for an unknown field among them
        reason, line = compile_reason(error, Path(strategy.source), (game.state, game.tables, WEIGHTS))
        place = f"{strategy.source}:{line}" if line else strategy.source
        raise UserError(f"strategy {strategy.name} does not compile: {reason}", file=place or None) from error


def compile_reason(error: Exception, path: Path, records: Sequence[np.dtype[Any]]) -> tuple[str, int | None]:
    """Say in one line why a strategy does not compile, and where in its file.

    Parameters
    ----------
    error
        What numba raised.
    path
        The strategy's file.
    records
        dtypes of the records a strategy reads, whose fields are suggested for one that does not exist.
    """
    if isinstance(error, KeyError):
        field = str(error.args[0])
        near = nearest(field, [name for record in records for name in record.names or ()])
        reason = f"g, t and w have no field {field!r}" + (f"; did you mean {near!r}?" if near else "")
        return reason, line_naming(path, field)
    # Types of records are spelt out field by field, over thousands of characters.
    text = re.sub(r"Record\(\[.*?\], \d+, (True|False)\)", "Record", str(error), flags=re.DOTALL)
    text = re.sub(r"Function\(<(?:built-in )?function ([^ >]+)[^>]*>\)", r"\1", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    start = next((number for number, line in enumerate(lines) if not line.startswith(("Failed in", "-", "During"))), 0)
    reason = " ".join(lines[start : start + 2]) if lines[start].endswith(":") else lines[start]
    reason = reason.replace(", defined at None", "")
    for part, hint in COMPILER_HINTS:
        if part in reason:
            reason = f"{reason} ({hint})"
    places = re.findall(rf'{re.escape(path.name)}"?(?:, line |:| \()(\d+)', text)
    named = re.search(r"name '(\w+)'", text)
    return reason, int(places[-1]) if places else line_naming(path, named[1]) if named else None


COMPILER_HINTS = (
    ("to float64 for '$", "score must return a number on every path"),
    ("type of <class 'function'>", "put @kernel from sim.jit before a function that score calls"),
)
"""Parts of the compiler's messages, and what they mean here."""


def line_naming(path: Path, name: str) -> int | None:
    """Return the first line of a Python file with this name or attribute."""
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (OSError, SyntaxError):
        return None
    lines = [node.lineno for node in nodes if isinstance(node, ast.Attribute) and node.attr == name]
    lines += [node.lineno for node in nodes if isinstance(node, ast.Name) and node.id == name]
    return min(lines, default=None)


def players_of(plan: Plan, slots: Any = None) -> tuple[Any, Record]:
    """Return a plan's players as kernels take them: scoring functions, and their weights.

    Parameters
    ----------
    slots
        The scoring functions, where they have been compiled for a plan with the same strategies.

    Raises
    ------
    UserError
        A strategy does not compile.
    """
    if slots is None:
        slots = compile_strategies(plan)
    return slots, lineup_record(plan.strategies, plan.data, plan.players)


def compile_strategies(plan: Plan) -> tuple[Any, ...]:
    """Compile the scoring functions of a plan's strategies, which any number of players can share.

    Raises
    ------
    UserError
        A strategy does not compile.
    """
    pointers: dict[str, Any] = {}
    for strategy in plan.strategies:
        if strategy.script.name not in pointers:
            pointers[strategy.script.name] = compile_script(strategy, plan.game)
    return strategy_slots([pointers[strategy.script.name] for strategy in plan.strategies])


def check_no_error(plan: Plan, g: Record) -> None:
    """Raise the error a kernel has stopped with.

    Raises
    ------
    UserError
        A strategy returned something that is no number, or the game has stopped for a reason of its own.
    """
    if g.error == SCORE_NOT_A_NUMBER:
        strategy = plan.strategies[int(g.error_strategy)]
        raise UserError(
            f"strategy {strategy.name} returned a score that is not a number",
            file=Path(strategy.source) if strategy.source else None,
            field="score",
            allowed="numbers; -inf is never",
        )
    if g.error != 0:
        reason = (ERRORS | dict(plan.game.errors)).get(int(g.error), f"error {int(g.error)}")
        raise UserError(f"a game of {plan.game.title} cannot be played on: {reason}", found=f"seed {plan.seed}")


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
