"""Plays games from which judges learn. They begin with noisy players of all kinds, and end with one strong player.

Positions are recorded between two rounds, after the strong player has taken all seats. So the results come from good
play. But the positions include some that good play alone would not reach, and look-ahead asks about such positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.compiler.kernel import Record, bind_kernels, kernel
from sim.engine.decide import Players
from sim.game import GameSpec
from sim.players.batch import Plan, check_no_error, new_game, plan_record
from sim.players.judge import always_may_stop, final_chances, rounds_played

NOISE = {"": 0.35, "@0.5": 0.15, "@1": 0.2, "@2": 0.15, "@4": 0.1}
"""Share of the seats that begin as the base with each temperature. The other seats begin as `RANDOM`."""
RANDOM = "random"
OTHERS = 0.2
"""Share of the seats that begin as other scripted players, in all training rounds but the first."""
WITHOUT_NOISE = 0.4
"""Share of the games in which the base plays all seats from the start."""
LATEST_SWITCH = 0.85
"""Latest end of the noise, as a share of the rounds of a typical game."""
POSITIONS_OF_A_GAME = 5.0
"""Average number of positions saved per whole game, besides the first position after the noise."""
FIRST_KEPT = 0.7
"""Probability that the first position after the noise is saved."""
GAMES_AT_A_TIME = 256
MOST_ROUNDS = 64
"""Number of rounds of a game for each of which the saving of a position is drawn. Later rounds share the last draw."""

start_game: Any = None
play_step: Any = None
describe_seat: Any = None
phase_of: Any = None
may_stop: Any = None
clock: Any = None
"""Names that `bind_kernels` replaces with a game's kernels."""

Integers = NDArray[np.int64]


def collect(
    g: Record, t: Record, players: Players, plan: Record, first: int, begins: Any, switch: Any, kept: Any,
    scale: float, most: int, index: Any, amount: Any, filled: Any, about: Any, chance: Any, rounds: Any,
) -> int:  # fmt: skip
    """Play games and record positions; return the number of positions.

    Parameters
    ----------
    first
        Number of the first game.
    begins, switch, kept
        For each game: the strategy of each seat at the start; the round from which all seats play strategy 0; and for
        each round 1 if its position is to be recorded.
    scale
        The lead in points that counts as one unit in softened results.
    most
        Maximum number of nonzero features of a seat.
    index, amount, filled
        Output: features and their amounts, seat after seat, position after position; and the number of features of each
        seat.
    about, chance
        Output: number of the game and part of the game of each position; and the softened result of its game.
    rounds
        Output for each game: number of rounds (or of what the game's `clock` counts), and number of places where a
        horizon may end, including the end of the game.
    """
    row = 0
    at = 0
    for number in range(len(switch)):
        start_game(g, t, plan, first + number)
        for seat in range(g.players):
            g.strategy[seat] = begins[number, seat]
        start = clock(g)
        last = start
        rounds[number, 1] = 1
        switched = False
        begun = row
        while g.finished == 0 and g.error == 0:
            now = clock(g)
            if not switched and now - start >= switch[number] and may_stop(g) != 0:
                switched = True
                for seat in range(g.players):
                    g.strategy[seat] = 0
            if now > last and may_stop(g) != 0:
                last = now
                rounds[number, 1] += 1
                if switched and kept[number, min(last - start, MOST_ROUNDS - 1)] != 0 and row < len(about):
                    about[row, 0] = first + number
                    about[row, 1] = phase_of(g, t)
                    for seat in range(g.players):
                        filled[row, seat] = describe_seat(g, t, seat, index[at : at + most], amount[at : at + most])
                        at += filled[row, seat]
                    row += 1
            play_step(g, t, players)
        if g.error != 0:
            return row
        rounds[number, 0] = clock(g) - start
        if row > begun:
            final_chances(g, scale, chance[begun])
            for later in range(begun + 1, row):
                for seat in range(g.players):
                    chance[later, seat] = chance[begun, seat]
    return row


@cache
def collector(game: str, start: Any, step: Any, features: Any) -> Callable[..., int]:
    """Return `collect` bound to the kernels of a game. It is bound once per process."""
    stop = features.may_stop or always_may_stop
    clock = features.clock or rounds_played
    own = {"describe_seat": features.describe_seat, "phase_of": features.phase_of, "may_stop": stop, "clock": clock}
    return kernel(bind_kernels(collect, start_game=start, play_step=step, **own))


@dataclass(frozen=True)
class Positions:
    """Positions with the softened results of their games.

    Attributes
    ----------
    game, phase
        Number of the game, and part of the game, of each position.
    chance
        Softened result of the game of each position, shape (positions, seats).
    filled
        Number of features of each seat, shape (positions, seats).
    index, amount
        Features and amounts, seat after seat, position after position.
    rounds
        Number of rounds of each game (or of what its `clock` counts), and number of places where a horizon may end;
        shape (games, 2). For a game in plain Python the number of moves, shape (games,).
    """

    game: Integers
    phase: Integers
    chance: NDArray[np.float32]
    filled: NDArray[np.int32]
    index: NDArray[np.uint16]
    amount: NDArray[np.float16] | NDArray[np.float32]
    rounds: Integers

    def __len__(self) -> int:
        """Number of positions."""
        return len(self.game)


def joined_positions(parts: Sequence[Positions]) -> Positions:
    """Concatenate the positions of several groups of games."""
    return Positions(*(np.concatenate([getattr(part, name) for part in parts]) for name in Positions.__annotations__))


@dataclass(frozen=True)
class SelfPlay:
    """Games of self-play.

    Attributes
    ----------
    plan
        The table and the strategies. The first strategy plays the end of every game; games begin with any of them.
    shares
        Share of the seats that begin with each strategy.
    team
        The strategies as arguments of kernels (`sim.players.compile_players.players_of`).
    scale
        The lead in points that counts as one unit in softened results.
    usual_rounds, usual_stops
        Typical number of rounds of a game (or of what its `clock` counts), and of places where a horizon may end.
    """

    plan: Plan
    shares: tuple[float, ...]
    team: Any
    scale: float
    usual_rounds: float
    usual_stops: float


def beginnings(base: str, others: Sequence[str] = ()) -> tuple[list[str], tuple[float, ...]]:
    """Return the names of the strategies that begin games of self-play, and the share of the seats of each.

    The base comes first, then the base with noise and random players, then the other players `others`.
    """
    names, shares = [*(base + noise for noise in NOISE), RANDOM], [*NOISE.values(), 1.0 - sum(NOISE.values())]
    if not others:
        return names, tuple(shares)
    own = 1.0 - OTHERS
    return [*names, *others], (*(own * share for share in shares), *(OTHERS / len(others) for _ in others))


def positions_of(games: SelfPlay, first: int, count: int) -> Positions:
    """Return the positions of `count` games of self-play from `first` on; raise UserError if a game fails."""
    plan = games.plan
    game: GameSpec = plan.game
    features: Any = game.judge
    lot = np.random.default_rng([plan.seed, first])
    begins = lot.choice(len(games.shares), p=games.shares, size=(count, plan.players))
    latest = max(1, round(LATEST_SWITCH * games.usual_rounds))
    switch = np.where(lot.random(count) < WITHOUT_NOISE, 0, lot.integers(0, latest + 1, count))
    kept = lot.random((count, MOST_ROUNDS)) < POSITIONS_OF_A_GAME / max(games.usual_stops, 1.0)
    after = np.minimum(np.maximum(switch, 1), MOST_ROUNDS - 1)
    kept[np.arange(count), after] |= lot.random(count) < FIRST_KEPT
    rows = int(kept.sum()) + count * MOST_ROUNDS // 8
    entries = rows * plan.players * features.max_features
    index, amount = np.zeros(entries, np.int32), np.zeros(entries, np.float32)
    filled, about = np.zeros((rows, plan.players), np.int32), np.zeros((rows, 2), np.int64)
    chance, rounds = np.zeros((rows, plan.players)), np.zeros((count, 2), np.int64)
    g, run = new_game(plan), collector(game.name, game.kernels.start_game, game.play_step, features)
    written = run(
        g, plan.data.tables, games.team, plan_record(plan), first, begins.astype(np.int64),
        switch.astype(np.int64), kept.astype(np.int64), games.scale, features.max_features, index, amount, filled,
        about, chance, rounds,
    )  # fmt: skip
    check_no_error(plan, g)
    used = int(filled[:written].sum())
    return Positions(
        about[:written, 0].copy(),
        about[:written, 1].copy(),
        chance[:written].astype(np.float32),
        filled[:written].copy(),
        index[:used].astype(np.uint16),
        amount[:used].astype(np.float16),
        rounds,
    )


def positions_in_turn(plays: Sequence[SelfPlay], first: int, count: int) -> Positions:
    """Play the games `first` to `first` + `count` - 1 of self-play, and return their positions.

    Each batch of `GAMES_AT_A_TIME` games is played with the next entry of `plays`; after the last entry comes the
    first.
    """
    parts = []
    for begin in range(first, first + count, GAMES_AT_A_TIME):
        games = plays[begin // GAMES_AT_A_TIME % len(plays)]
        parts.append(positions_of(games, begin, min(GAMES_AT_A_TIME, first + count - begin)))
    return joined_positions(parts)
