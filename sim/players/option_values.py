"""Saves the values that a search assigns to the options of decisions, so that weights can be fitted to these values.

A scripted player plays. At some of its decisions, the teacher, a player who looks ahead, estimates the value of every
option. The state of the game is saved, so that the options can be scored again with other weights.
"""

from __future__ import annotations

import ctypes
import math
import pickle
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.compiler.kernel import Record, address_of, compiled, kernel, score_at, strategy_slots
from sim.engine.rng import CHANCE
from sim.engine.script import Strategy
from sim.engine.state import copy_until_log, progress_bytes, record_at, record_in_memory
from sim.errors import UserError
from sim.games.plain.look_ahead import values_ahead
from sim.games.plain.playing import Playing
from sim.games.plain.policies import policy_of
from sim.games.plain.streams import SeatStreams
from sim.players.batch import Plan, game_marked, play
from sim.players.compile_players import compile_script, lineup_record
from sim.players.python_players import SIGNATURE, keep_failure
from sim.players.search_memory import find_search_memory
from sim.players.search_setup import kernels_of, tell_to_search

PLAYER, TEACHER = 0, 1
"""Indices in a plan's strategies: the player, and the teacher, who estimates values of options."""
AT_A_TIME = 128
"""How many saved decisions are scored together."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class KeptDecisions:
    """Saved decisions with the values of their options.

    Attributes
    ----------
    game, seat, decision, count
        For each decision: the number of the game, the seat, the kind (an index of `GameSpec.decisions`) and the number
        of options. Shape (decisions,).
    worth
        The value of each option, in the unit of the teacher's search (`Search.value`). An option without
        rollouts gets the lowest value of the others. The options of all decisions follow one another: shape (sum of
        count,).
    progress
        The state of the game at each decision, compressed: the bytes of its record before the log. For a game in plain
        Python, it is the state and the options.
    """

    game: Integers
    seat: Integers
    decision: Integers
    count: Integers
    worth: Floats
    progress: tuple[bytes, ...]

    def __len__(self) -> int:
        return len(self.count)

    @property
    def starts(self) -> Integers:
        """For each decision, the index of its first option in `worth`."""
        return np.cumsum(self.count) - self.count


def joined_decisions(parts: Sequence[KeptDecisions]) -> KeptDecisions:
    """Concatenate the decisions of several stretches of games."""
    game, seat, decision, count, worth = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("game", "seat", "decision", "count", "worth")
    )
    return KeptDecisions(game, seat, decision, count, worth, tuple(one for part in parts for one in part.progress))


def keep_decisions(plan: Plan, first: int, count: int, share: float) -> KeptDecisions:
    """Play `count` games, from game `first` on. Save decisions of the player, with the teacher's values of the options.

    The strategies of the plan are the player, who sits in all seats, and the teacher, who looks ahead. The teacher is
    asked at a share of the decisions, which the seed of the plan determines, so they do not depend on the stretch.
    """
    if plan.game.plain is not None:
        return keep_plain_decisions(plan, first, count, share)
    lineup, own, teacher = make_teacher_and_student(plan)
    keeper = Keeper(plan, lineup, own, teacher, share)
    play_asking(plan, keeper, first, count)
    return kept_decisions(keeper.rows, keeper.worth, keeper.progress)


def keep_plain_decisions(plan: Plan, first: int, count: int, share: float) -> KeptDecisions:
    """Do what `keep_decisions` does, for a game in plain Python. The kind of each decision is 0."""
    playing, rows, worth, progress = Playing(plan), list[tuple[int, int, int, int]](), list[Floats](), list[bytes]()
    teacher = playing.policies[TEACHER]

    def ask(state: Any, chosen: Mapping[int, Any]) -> None:
        playing.steps += 1
        if np.random.default_rng([plan.seed, playing.number, playing.steps]).random() >= share:
            return
        for seat in chosen:
            state.seat = seat
            options = playing.game.options(state)
            streams = SeatStreams(plan.seed, playing.number << 20 | playing.steps, plan.players)
            _, means = ((), {}) if len(options) < 2 else values_ahead(playing, state, seat, options, teacher, streams)
            if len(means) > 1:
                rows.append((playing.number, seat, 0, len(options)))
                worth.append(np.array([means.get(place, min(means.values())) for place in range(len(options))]))
                progress.append(packed_state(playing, state, options))

    with game_marked() as mark:  # so that the time limit for a move applies here too
        playing.mark = mark
        for number in range(first, first + count):
            playing.play(number, ask)
    return kept_decisions(rows, worth, progress)


def kept_decisions(rows: Sequence[Sequence[int]], worth: Sequence[Floats], progress: Sequence[bytes]) -> KeptDecisions:
    """Combine lists by decision. A row has the game, the seat, the kind of decision and the number of options."""
    game, seat, decision, count = np.array(rows, np.int64).reshape(-1, 4).T
    return KeptDecisions(game, seat, decision, count, np.concatenate([np.zeros(0), *worth]), tuple(progress))


def packed_state(playing: Playing, state: Any, options: Sequence[Any]) -> bytes:
    """Return a plain game's state and options as bytes; raise UserError if a part cannot be stored."""
    try:
        return zlib.compress(pickle.dumps((state, list(options))), 1)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise UserError(
            f"a state of the game cannot be stored, which distil needs: {error}", file=playing.place("setup"),
            allowed="numbers, texts, lists, dictionaries, and objects of classes that stand in the file",
        ) from error  # fmt: skip


def make_teacher_and_student(plan: Plan) -> tuple[Record, Callable[..., float], Callable[..., float]]:
    """Return arguments of a `Keeper`: the line-up, the player's scoring function, and the teacher's."""
    game, teacher = plan.game, plan.strategies[TEACHER]
    lineup = lineup_record(plan.strategies, plan.data, plan.players)
    tell_to_search(lineup.seats[TEACHER], teacher, game, plan.data, plan.players, compile_script(teacher, game))
    own = compile_script(plan.strategies[PLAYER], game)
    return lineup, _by_address(own), _by_address(kernels_of(game).score)


def play_asking(plan: Plan, keeper: Keeper, first: int, count: int) -> None:
    """Play `count` games, from game `first` on. The keeper scores the options of all seats."""
    pointer = SIGNATURE(keeper.score) if compiled() else keeper.score
    play(plan, (_slots_of(pointer, len(plan.strategies)), keeper.lineup), first, count)


class Keeper:
    """Scores options as the player would; at some decisions it also saves the teacher's values of the options."""

    def __init__(
        self, plan: Plan, lineup: Record, own: Callable[..., float], teacher: Callable[..., float], share: float
    ) -> None:
        """Store the arguments.

        `own` and `teacher` are the scoring functions of player and teacher, in the form of `_by_address`.
        """
        self.plan, self.lineup, self.own, self.teacher, self.share = plan, lineup, own, teacher, share
        self.searched = int(lineup.seats[TEACHER].search.decisions)
        self.size = progress_bytes(plan.game.state)
        self.rows: list[tuple[int, int, int, int]] = []
        self.worth: list[Floats] = []
        self.progress: list[bytes] = []

    def score(self, g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
        """Score an option as the player would."""
        if option == 0 and (self.searched >> decision) & 1:
            try:
                self.ask(g, t, me, decision)
            except BaseException as error:  # an error cannot pass through compiled code, so it is kept for the end
                keep_failure(error)
                return math.nan
        return self.own(g, t, me, decision, option, w)

    def ask(self, address: Any, t: Any, me: int, decision: int) -> None:
        """At a sampled decision, save the decision and the teacher's values, if it rolled out several options."""
        g, game, made = self.at(address)
        if not self.is_kept(game, made):
            return
        before = g.tobytes()[: self.size]
        worth = worths_found(self.answer(g, address, t, me, decision), self.lineup.seats[TEACHER])
        if worth is not None:
            self.rows.append((game, me, decision, len(worth)))
            self.worth.append(worth)
            self.progress.append(zlib.compress(before, 1))

    def at(self, address: Any) -> tuple[Any, int, int]:
        """Return the game record at an address, the number of the game, and how many decisions it has had so far."""
        g = record_in_memory(address, self.plan.game.state) if compiled() else address
        return g, int(g.rng_game[CHANCE]), int(g.decisions - g.decisions_before)

    def is_kept(self, game: int, made: int) -> bool:
        """Tell whether decision `made` of a game is sampled; it depends on these numbers and the plan's seed."""
        return bool(np.random.default_rng([self.plan.seed, game, made]).random() < self.share)

    def answer(self, g: Any, address: Any, t: Any, me: int, decision: int) -> Record:
        """Let the teacher search at a decision, and return the state of the search, a record of `SEARCHED`.

        The notes that scripts keep in the record (`g.notes`) are cleared before and after the search, so the player
        never sees the teacher's notes.
        """
        g.notes[:] = math.nan
        w = self.lineup.seats[TEACHER : TEACHER + 1]
        self.teacher(address, t, me, decision, 0, w.ctypes.data if compiled() else w[0])
        g.notes[:] = math.nan
        return find_search_memory(g)


def worths_found(found: Record, w: Record) -> Floats | None:
    """Return the values of all options after a search: means of rollouts, without the term from base scores.

    An option that was not rolled out gets the lowest value. If fewer than two were rolled out, return None.
    """
    count = int(found.option_count)
    played = found.row[:count] >= 0
    if found.worlds == 0 or played.sum() < 2:
        return None
    prior = np.array(found.prior[:count])
    worth = np.array(found.worth[:count]) - float(w.search.prior[found.decision]) * (prior - prior.max())
    worth[~played] = worth[played].min()
    return worth


def _by_address(pointer: Any) -> Callable[..., float]:
    """Return a scoring function that Python can call.

    A compiled function takes addresses, an uncompiled one takes records.
    """
    called: Callable[..., float] = SIGNATURE(pointer.address) if compiled() else pointer
    return called


def _slots_of(pointer: Any, strategies: int) -> Any:
    """Return the array of scoring functions that kernels expect, with one function for all strategies of a run."""
    if not compiled():
        return strategy_slots([pointer] * strategies)
    return np.array([ctypes.cast(pointer, ctypes.c_void_p).value] * strategies, np.uint64)


# ---- Rescoring ----


def scores_again(
    plan: Plan, decisions: KeptDecisions, strategies: Sequence[Strategy]
) -> Iterator[tuple[slice, Floats]]:
    """Score the options of saved decisions again, for the player with each of several sets of weights.

    Yield a slice of `decisions.worth`, the options that have been scored, and the scores, shape (strategies, options).
    """
    if plan.game.plain is not None:
        yield plain_scores_again(plan, decisions, strategies)
        return
    game = plan.game
    weights = [lineup_record((strategy,), plan.data, plan.players).seats[0] for strategy in strategies]
    g = game.new_games(1)[0]
    size: Any = np.uint64(progress_bytes(game.state))
    own: Any = np.uint64(address_of(compile_script(plan.strategies[PLAYER], game)))
    ends = np.cumsum(decisions.count)
    for first in range(0, len(decisions), AT_A_TIME):
        some = slice(first, min(first + AT_A_TIME, len(decisions)))
        # Only the start of each record is saved and read. But the last one is viewed as a whole record, so the buffer
        # is longer.
        kept = np.zeros(AT_A_TIME * int(size) + game.state.itemsize, np.uint8)
        for place, packed in enumerate(decisions.progress[some]):
            begin = place * int(size)
            kept[begin : begin + int(size)] = np.frombuffer(zlib.decompress(packed), np.uint8)
        options = slice(int(ends[some.start] - decisions.count[some.start]), int(ends[some.stop - 1]))
        scores = np.zeros((len(weights), options.stop - options.start))
        seat, decision, count = (decisions.seat[some], decisions.decision[some], decisions.count[some])
        at: Any = np.uint64(kept.ctypes.data)
        for number, w in enumerate(weights):
            score_kept(g, plan.data.tables, w, own, at, size, seat, decision, count, scores[number])
        yield options, scores


def plain_scores_again(plan: Plan, decisions: KeptDecisions, strategies: Sequence[Strategy]) -> tuple[slice, Floats]:
    """Do what `scores_again` does for a game in plain Python; raise UserError if the player fails."""
    playing = Playing(plan)
    functions = [policy_of(strategy, plan.game.plain).score for strategy in strategies]
    scores = np.zeros((len(functions), len(decisions.worth)))
    with game_marked() as mark:
        for packed, seat, at in zip(decisions.progress, decisions.seat, decisions.starts, strict=True):
            mark[1] += 1
            state, options = pickle.loads(zlib.decompress(packed))
            state.seat = int(seat)
            try:
                scores[:, at : at + len(options)] = [
                    [function(playing.game, state, option) for option in options] for function in functions if function
                ]
            except Exception as error:
                raise playing.failure(error) from error
    return slice(0, len(decisions.worth)), scores


@kernel
def score_kept(
    g: Record,
    t: Record,
    w: Record,
    own: int,
    kept: int,
    size: int,
    seat: Any,
    decision: Any,
    count: Any,
    scores: Any,
) -> None:
    """Score the options of saved decisions, with the scoring function at the address `own` and the weights `w`.

    `seat`, `decision` and `count` hold the seat, the kind and the number of options of each decision. The game records
    of the decisions are stored one after another from address `kept` on, with `size` bytes each. The scores of all
    options are written one after another into `scores`; the record `g` is scratch memory.
    """
    at = 0
    for place in range(len(count)):
        copy_until_log(g, record_at(kept + np.uint64(place) * size, g))
        g.notes[:] = math.nan
        for option in range(count[place]):
            scores[at] = score_at(own, g, t, seat[place], decision[place], option, w)
            at += 1
