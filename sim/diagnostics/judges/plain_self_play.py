"""Plays games in plain Python from which judges learn.

As in `sim.diagnostics.judges.self_play`, games begin with noisy players and end with one strong player (the base) in
all seats. Here positions may be recorded at any move, as one of the seats sees them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.diagnostics.judges.self_play import FIRST_KEPT, LATEST_SWITCH, NOISE, WITHOUT_NOISE, Positions
from sim.games.plain.features import features_of, lists_of_seats
from sim.games.plain.look_ahead import dealt_again, softened_ranks
from sim.games.plain.playing import Playing
from sim.games.plain.streams import mixed
from sim.players.batch import Plan, game_marked

POSITIONS_OF_A_GAME = 8.0
"""Average number of positions saved per game, besides the first position after the noise."""
SAMPLE_GAMES = 100
"""Number of sample games. They give the names of the features and the length of a game."""
MOST_NAMES = 5_000
"""Maximum number of features. If there are more, the most frequent features are used."""
UNIT = 0.5
"""The lead that counts as one unit in softened results, in standard deviations of the points within a game."""


@dataclass(frozen=True)
class GameSketch:
    """What a sample of self-play reveals about a game.

    Attributes
    ----------
    names
        Names of the features, sorted.
    by_seat
        Parts of the state with an entry for each seat.
    moves
        Typical number of moves of a game.
    lead_scale
        The lead in points that counts as one unit in softened results.
    """

    names: tuple[str, ...]
    by_seat: frozenset[str]
    moves: float
    lead_scale: float


def self_play(
    playing: Playing, number: int, moves: float, keep: Callable[[Any, np.random.Generator], None]
) -> tuple[Any, int]:
    """Play game `number` of self-play; return its last state and its number of moves.

    `moves` is the typical number of moves of a game. `keep` is called with each position to be saved, and with the
    random generator that belongs to this game.
    """
    plan, base = playing.plan, playing.policies[0]
    lot = np.random.default_rng([plan.seed, number])
    shares = [*NOISE.values(), 1.0 - sum(NOISE.values())]
    begins = lot.choice(len(shares), p=shares, size=plan.players) + (len(playing.policies) - len(shares))
    switch = 0 if lot.random() < WITHOUT_NOISE else int(lot.integers(0, max(1, round(LATEST_SWITCH * moves)) + 1))
    made = 0

    def look(state: Any, chosen: Any) -> None:
        nonlocal made
        if made == switch:
            playing.seats[:] = [base] * plan.players
        if made > switch and lot.random() < (FIRST_KEPT if made == switch + 1 else POSITIONS_OF_A_GAME / moves):
            keep(state, lot)
        made += 1

    state = playing.start(number)
    playing.seats = [playing.policies[each] for each in begins]
    playing.play_out(state, playing.seats, playing.streams, playing.chance, log=look)
    return state, made


@contextmanager
def watched(playing: Playing) -> Iterator[None]:
    """Watch games while they are played: a move must not take too long, and errors become messages to the author.

    Raise UserError if the code of the game or of a player raised an error.
    """
    with game_marked() as mark, playing.failures_told():
        playing.mark = mark
        yield


def sample_games(plan: Plan) -> GameSketch:
    """Play sample games, and return the facts about the game that training needs."""
    playing, states, spreads, lengths = Playing(plan), list[Any](), list[float](), list[int]()
    with watched(playing):
        for number in range(SAMPLE_GAMES):
            end, made = self_play(playing, number, 30.0, lambda state, lot: states.append(playing.game.copy(state)))
            spreads.append(float(np.std(playing.totals(end))))
            lengths.append(made)
    by_seat = lists_of_seats((playing.game.view(state, 0) for state in states), plan.players)
    described = (features_of(playing, state, state.seat, by_seat) for state in states)
    counts = Counter(name for seats in described for own in seats for name in own)
    frequent = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_NAMES]
    unit = max(UNIT * float(np.mean(spreads)), 1e-6)
    return GameSketch(tuple(sorted(frequent)), by_seat, float(np.mean(lengths)), round(unit, 4))


def plain_positions(plan: Plan, sample: GameSketch, first: int, count: int) -> Positions:
    """Play the games `first` to `first` + `count` - 1 of self-play, and return their positions.

    Raise UserError if the code of the game or of a player raised an error.
    """
    playing, place = Playing(plan), {name: number for number, name in enumerate(sample.names)}
    about: list[int] = []
    chances: list[Sequence[float]] = []
    filled: list[list[int]] = []
    index: list[int] = []
    amount: list[float] = []
    lengths: list[int] = []

    def keep(state: Any, lot: np.random.Generator) -> None:
        observer = int(lot.integers(plan.players))
        # Features may depend on things that the observer cannot know. Redeal these, as is done when the judge is used.
        seen = dealt_again(playing, state, observer, mixed(plan.seed, playing.number, len(filled) - len(about)))
        described = features_of(playing, seen, observer, sample.by_seat)
        rows = [
            sorted((place[name], value) for name, value in own.items() if name in place and value) for own in described
        ]
        filled.append([len(row) for row in rows])
        index.extend(which for row in rows for which, _ in row)
        amount.extend(value for row in rows for _, value in row)

    for number in range(first, first + count):
        with watched(playing):
            end, made = self_play(playing, number, sample.moves, keep)
            result = softened_ranks(playing, end, sample.lead_scale)
        lengths.append(made)
        new = len(filled) - len(about)
        about += [number] * new
        chances += [result] * new
    return Positions(
        np.array(about, np.int64),
        np.zeros(len(about), np.int64),
        np.array(chances, np.float32).reshape(-1, plan.players),
        np.array(filled, np.int32).reshape(-1, plan.players),
        np.array(index, np.uint16),
        np.array(amount, np.float32),
        np.array(lengths, np.int64),
    )
