"""Plays games and keeps the scores of all seats after each round. Replays games while one seat chooses at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.compiler.kernel import Record, bind_kernels, kernel
from sim.engine.decide import Players
from sim.engine.rng import CHANCE, SEATS
from sim.engine.script import RANDOM, Strategy
from sim.engine.state import NO_ERROR, copy_progress
from sim.game import GameSpec
from sim.games.plain.playing import Playing
from sim.games.plain.policies import Policy
from sim.games.plain.streams import SeatStreams, stream_seed
from sim.players.batch import Plan, check_no_error, marked, new_game, plan_record
from sim.players.compile_players import players_of
from sim.players.kernel_failures import kernel_errors_told

MOST_MOMENTS = 250
"""Maximum number of rounds for which the scores of a game are kept."""
OTHER_LUCK = 1 << 40
"""A number to add to the number of a game. The sum gives random streams that no game of a run uses."""

start_game: Any = None
play_step: Any = None
score_game: Any = None
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Histories:
    """Games with the scores of their seats after every round: the scores if the game had ended then.

    Attributes
    ----------
    block
        Block of each game; shape (games,).
    moments
        Number of rounds that ended before the game did; shape (games,).
    scores
        Scores after each of these rounds; shape (games, largest of `moments` + 1, seats). In each game the final scores
        fill all entries after the last of its rounds.
    wins
        Each seat's share of the win; shape (games, seats).
    faction, strategy
        Numbers of each seat's faction and strategy; shape (games, seats).
    """

    block: Integers
    moments: Integers
    scores: Integers
    wins: Floats
    faction: Integers
    strategy: Integers


def joined_histories(parts: Sequence[Histories]) -> Histories:
    """Join histories of consecutive games."""
    most = max(part.scores.shape[1] for part in parts)
    padded = [np.pad(part.scores, ((0, 0), (0, most - part.scores.shape[1]), (0, 0)), mode="edge") for part in parts]
    rest = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("block", "moments", "wins", "faction", "strategy")
    }
    return Histories(scores=np.concatenate(padded), **rest)


def play_histories(plan: Plan, players: Players, first: int, count: int) -> Histories:
    """Play the games `first` to `first` + `count` - 1 of a plan, and keep their scores after each round.

    Raises
    ------
    UserError
        A strategy or the game fails.
    """
    scores = np.zeros((count, MOST_MOMENTS + 1, plan.players), np.int64)
    moments = np.zeros(count, np.int64)
    wins = np.zeros((count, plan.players))
    codes = np.zeros((2, count, plan.players), np.int64)
    if plan.game.plain is not None:
        playing = Playing(plan)
        for place in range(count):
            wins[place] = write_plain_history(playing, first + place, scores[place], moments[place : place + 1])
            codes[:, place] = playing.faction, playing.strategy
    else:
        g, other = new_game(plan), plan.game.new_games(1)[0]
        with marked(plan.strategies, plan.game.state, plan.game.tables, players) as team, kernel_errors_told(plan.game):
            bound_to(plan.game, write_histories)(
                g, other, plan.data.tables, team, plan_record(plan), first, scores, moments, wins, codes
            )
        check_no_error(plan, g)
    most = int(moments.max(initial=0))
    held = np.minimum(np.arange(most + 1)[None, :], moments[:, None])
    scores = np.take_along_axis(scores, held[:, :, None], axis=1)
    return Histories((first + np.arange(count)) // plan.block_games, moments, scores, wins, *codes)


def replay_with_other_choices(plan: Plan, start: Sequence[tuple[int, int, int]], tries: int) -> Floats:
    """Replay games from a round on in three ways: as played, with random choices of one seat, and with other luck.

    Parameters
    ----------
    start
        For each game: its number, the number of rounds before the replays begin, and the seat that then chooses at
        random.
    tries
        Number of replays with random choices. The same number of replays follows with the players of the run, but
        with other luck, such as other dice.

    Returns
    -------
    Shares of the win, shape (games, 1 + 2 tries, seats): as played, with random choices, with other luck.

    Raises
    ------
    UserError
        A strategy or the game fails.
    """
    wins = np.zeros((len(start), 1 + 2 * tries, plan.players))
    if plan.game.plain is not None:
        playing = Playing(plan)
        for place, (game, moment, seat) in enumerate(start):
            write_plain_replays(playing, game, moment, seat, wins[place])
        return wins
    wide = replace(plan, strategies=(*plan.strategies, Strategy("random choices", RANDOM)))
    g, before, other = new_game(plan), plan.game.new_games(1)[0], new_game(plan)
    rows = np.array(start, np.int64).reshape(-1, 3)
    with (
        marked(wide.strategies, plan.game.state, plan.game.tables, players_of(wide)) as own,
        kernel_errors_told(plan.game),
    ):
        bound_to(plan.game, write_replays)(
            g, before, other, plan.data.tables, own, plan_record(plan), rows, len(plan.strategies), wins
        )
    check_no_error(plan, g)
    check_no_error(plan, other)
    return wins


# ---- Compiled games ----


def bound_to(game: GameSpec, write: Callable[..., None]) -> Callable[..., None]:
    """Return `write`, one of the kernels of this module, bound to the kernels of a game and compiled."""
    return completed_with(write, game.kernels.start_game, game.play_step, game.score_game)


@cache
def completed_with(
    write: Callable[..., None], start: Callable[..., None], step: Callable[..., None], score: Callable[..., None]
) -> Callable[..., None]:
    """Return the kernel `write` with `start_game`, `play_step` and `score_game` bound to a game's kernels; cached."""
    return kernel(bind_kernels(write, step.__module__, start_game=start, play_step=step, score_game=score))


def write_histories(
    g: Record, other: Record, t: Record, players: Players, plan: Record, first: int, scores: Any, moments: Any,
    wins: Any, codes: Any,
) -> None:  # fmt: skip
    """Play games. Write for each seat its score after every round, its share of the win, its faction and its strategy.

    After each round, a copy of the game in the record `other` is scored. `moments` receives the number of rounds that
    ended before the game did. `codes` receives the numbers of factions, then of strategies. Shapes of `scores`,
    `moments`, `wins` and `codes` are (games, moments + 1, seats), (games,), (games, seats) and (2, games, seats).
    """
    total = g.score.shape[1] - 1
    for place in range(len(moments)):
        start_game(g, t, plan, first + place)
        rounds = g.rounds
        while g.finished == 0 and g.error == NO_ERROR:
            play_step(g, t, players)
            if g.rounds != rounds and g.finished == 0 and moments[place] < scores.shape[1] - 1:
                rounds = g.rounds
                copy_progress(other, g)
                score_game(other, t)
                for seat in range(plan.players):
                    scores[place, moments[place], seat] = other.score[seat, total]
                moments[place] += 1
        if g.error != NO_ERROR:
            break
        winners = 0
        for seat in range(plan.players):
            winners += int(g.rank[seat] == 1)
            scores[place, moments[place], seat] = g.score[seat, total]
            codes[0, place, seat], codes[1, place, seat] = g.faction[seat], g.strategy[seat]
        for seat in range(plan.players):
            wins[place, seat] = 1 / winners if g.rank[seat] == 1 else 0.0


def write_replays(
    g: Record, before: Record, other: Record, t: Record, players: Players, plan: Record, rows: Any, slot: int, wins: Any
) -> None:
    """Play games up to a round. Continue each as it was played, then with random choices, then with other luck.

    `rows` has for each game its number, the number of rounds before the replays begin, and the seat that then chooses
    at random; shape (games, 3). `slot` is the index of the strategy that chooses at random. The shares of the win are
    written to `wins`, shape (games, 1 + 2 tries, seats).
    """
    tries = wins.shape[1] // 2
    for place in range(len(rows)):
        game, seat = rows[place, 0], rows[place, 2]
        start_game(g, t, plan, game)
        rounds, passed = g.rounds, 0
        while g.finished == 0 and g.error == NO_ERROR and passed < rows[place, 1]:
            play_step(g, t, players)
            if g.rounds != rounds:
                rounds = g.rounds
                passed += 1
        copy_progress(before, g)
        for attempt in range(1 + 2 * tries):
            room = other.log.room
            copy_progress(other, before)
            other.log.room = room
            stream = SEATS + seat if attempt <= tries else CHANCE
            if attempt > 0:
                other.rng_game[stream] = np.uint64(game + attempt * OTHER_LUCK)
                other.rng_drawn[stream] = np.uint64(0)
            if 0 < attempt <= tries:
                other.strategy[seat] = slot
            while other.finished == 0 and other.error == NO_ERROR:
                play_step(other, t, players)
            if other.error != NO_ERROR or g.error != NO_ERROR:
                return
            winners = 0
            for each in range(plan.players):
                winners += int(other.rank[each] == 1)
            for each in range(plan.players):
                wins[place, attempt, each] = 1 / winners if other.rank[each] == 1 else 0.0


# ---- Games in plain Python ----


class _Rounds:
    """Counts the rounds of a game in plain Python. If it has no method `round`, a round is one move of each seat."""

    def __init__(self, playing: Playing) -> None:
        self.playing, self.before, self.moves, self.passed = playing, -1, 0, 0

    def ended(self, state: Any) -> bool:
        """Tell whether a round has ended since the last move. Must be called before each move."""
        playing = self.playing
        now = self.moves // (1 if playing.together else playing.players)
        now = now if playing.round_of is None else playing.round_of(state)
        self.moves += 1
        begun, self.before = self.before, now
        over = now != begun and self.moves > 1
        self.passed += over
        return over


def write_plain_history(playing: Playing, game: int, scores: Any, moments: Any) -> Floats:
    """Play one game in plain Python; return the shares of the win, shape (seats,).

    The scores after each round are written to `scores`. The number of rounds that ended before the game did is written
    to `moments`.
    """
    rounds = _Rounds(playing)

    def keep(state: Any, _: dict[int, Any]) -> None:
        if rounds.ended(state) and moments[0] < len(scores) - 1:
            scores[moments[0]] = playing.totals(state)
            moments[0] += 1

    state = playing.play(game, keep)
    scores[moments[0]] = playing.totals(state)
    return shares_of_win(playing, state)


def shares_of_win(playing: Playing, state: Any) -> Floats:
    """Return the shares of the win in a finished game, shape (seats,)."""
    first = np.array(playing.ranks(state, playing.totals(state))) == 1
    return np.asarray(first / first.sum())


class _EnoughError(Exception):
    """Raised when a game has been played as far as needed."""


def write_plain_replays(playing: Playing, game: int, moment: int, seat: int, wins: Any) -> None:
    """Replay one game in plain Python from round `moment` on, and write each seat's share of the win.

    `wins` has the shape and order of `write_replays`; `seat` chooses at random in some of the replays.

    After the round, random numbers differ from those of the run, and are the same in all replays, with two exceptions:
    the random choices, and the luck in the replays with other luck. Raise UserError if the code of the game or of a
    player raised an error.
    """
    rounds, kept = _Rounds(playing), list[Any]()

    def stop(state: Any, _: dict[int, Any]) -> None:
        if rounds.ended(state) and rounds.passed == moment:
            kept.append(playing.game.copy(state))
            raise _EnoughError

    plan, tries, over = playing.plan, wins.shape[0] // 2, False
    chooses_at_random = Policy("random choices", None, None, False, 0.0, None)
    with playing.failures_told():
        try:
            state = playing.start(game)
            playing.play_out(state, playing.seats, playing.streams, playing.chance, log=stop)
            kept, over = [state], True
        except _EnoughError:
            pass
        for attempt in range(1 + 2 * tries):
            copy, seats = playing.game.copy(kept[-1]), list(playing.seats)
            other_chance = attempt - tries if attempt > tries else 0
            chance = random.Random(stream_seed(plan.seed, game + (1 + other_chance) * OTHER_LUCK, CHANCE))
            streams = SeatStreams(plan.seed, game + OTHER_LUCK, plan.players)
            if 0 < attempt <= tries:
                seats[seat] = chooses_at_random
                streams.states[seat] = SeatStreams(plan.seed, game + (1 + attempt) * OTHER_LUCK, plan.players).word(
                    seat
                )
            if not over:
                playing.play_out(copy, seats, streams, chance)
            wins[attempt] = shares_of_win(playing, copy)
