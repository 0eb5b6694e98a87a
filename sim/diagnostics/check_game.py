"""Checks a compiled game against the same game in plain Python: the same deals, dice and choices, game by game."""

from __future__ import annotations

import random
from collections.abc import MutableSequence, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.compiler.kernel import Record, strategy_slots
from sim.compiler.kernel import compiled as is_compiled
from sim.engine.result_rows import FACTION, SCORE
from sim.engine.rng import CHANCE, DEAL, below, start_streams
from sim.errors import UserError
from sim.games.plain.playing import Playing
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.players.python_players import address_of_score


class EngineRandom(random.Random):
    """A random stream of a compiled game. It has only those methods of `random.Random` that kernels also have."""

    def __init__(self, g: Record, stream: int) -> None:
        super().__init__(0)
        self.record, self.stream = g, stream

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1, as the kernel `below` does."""
        return int(below(self.record, self.stream, bound))

    def randint(self, a: int, b: int) -> int:
        """Draw a whole number from a to b, both included."""
        return a + self.below(b - a + 1)

    def choice(self, seq: Any) -> Any:
        """Draw an item of a sequence."""
        return seq[self.below(len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle a list in place, as the kernel `shuffle` does."""
        for last in range(len(x) - 1, 0, -1):
            other = self.below(last + 1)
            x[last], x[other] = x[other], x[last]

    def random(self) -> float:
        """Raise UserError: kernels draw only whole numbers."""
        raise UserError("check-game supports only these random methods", allowed="randint, choice, shuffle")

    def getrandbits(self, k: int) -> int:
        """Raise UserError, like `random`."""
        return int(self.random())


def first_difference(plain: Plan, compiled: Plan, games: int) -> str:
    """Play games with random choices in both versions of a game; return the first difference in words, or ""."""
    playing, asked = Playing(plain), Asked()
    # All seats choose at random, without noise and look-ahead. The names of their strategies do not matter.
    seated = tuple(replace(strategy, temperature=0.0, search=None) for strategy in compiled.strategies)
    compiled = replace(compiled, strategies=seated)
    pointer = address_of_score(asked, compiled.game.state) if is_compiled() else asked
    slots = strategy_slots([pointer] * len(seated))
    players = players_of(compiled, slots)
    for number in range(games):
        asked.begin(f"{plain.seed} {number}")
        rows, _ = play(compiled, players, number, 1)
        if difference := difference_of(playing, compiled, number, asked.made, rows[: plain.players]):
            return f"game {number} of seed {plain.seed}: {difference}"
    return ""


class Asked:
    """A player of compiled games who chooses at random, and records its decisions in `made`.

    An entry of `made` has the seat, the number of options and the index of the chosen option.
    """

    def begin(self, seed: str) -> None:
        """Begin the record of a new game, with a new seed for the choices."""
        self.lots = random.Random(seed)
        self.made: list[tuple[int, int, int]] = []

    def __call__(self, g: Record, _t: Any, me: int, _decision: int, option: int, _w: Any) -> float:
        """Score an option: 1 if it is the chosen option, otherwise 0. The choice is made at the first option."""
        if option == 0:
            count = int(g.option_count)
            self.made.append((int(me), count, self.lots.randrange(count)))
        return float(option == self.made[-1][2])


def difference_of(
    playing: Playing, compiled: Plan, number: int, made: Sequence[tuple[int, int, int]], rows: np.ndarray
) -> str:
    """Play a game in plain Python with the deal, dice and choices of the compiled game.

    Return the first difference in words, empty if there is none. `made` has the seat, the number of options and the
    choice of each decision, and `rows` the seat rows of the compiled game.
    """
    game, plan = playing.game, playing.plan
    streams = compiled.game.new_games(1)[0]
    start_streams(streams, np.uint64(plan.seed), number, number // compiled.block_games)
    names = [faction.name for faction in compiled.data.factions]
    own = {faction.name: row for faction, row in zip(plan.data.factions, playing.faction_rows, strict=True)}
    dealt = [names[row[FACTION]] for row in rows] if own else []
    if unknown := [name for name in dealt if name not in own]:
        raise UserError(
            f"the plain game has no {plan.game.faction_title} of this name", found=unknown[0], allowed=list(own)
        )
    state: Any = SimpleNamespace(
        players=plan.players, factions=[own[name] for name in dealt], variant=plan.variant, settings=playing.settings
    )
    try:
        state = game.setup(state, EngineRandom(streams, DEAL)) or state
        chance, asked, over = EngineRandom(streams, CHANCE), iter(enumerate(made)), False
        while not over:
            chosen: dict[int, Any] = {}
            for seat in list(game.seats_to_act(state)):
                state.seat = seat
                options = game.options(state)
                at, (who, count, place) = next(asked) if len(options) > 1 else (0, (seat, 1, 0))
                if (who, count) != (seat, len(options)):
                    words = ", ".join(game.describe(state, option) for option in options)
                    return (
                        f"decision {at}: seat {seat} has {len(options)} options in the plain game ({words}), "
                        f"seat {who} has {count} in the compiled one"
                    )
                chosen[seat] = options[place]
            done = game.apply(state, chosen if playing.together else chosen[state.seat], chance)
            over = done is True or (playing.is_over is not None and playing.is_over(state))
        if left := len(list(asked)):
            return f"the plain game is over after decision {len(made) - left - 1}, the compiled one goes on"
        scores = playing.totals(state)
    except StopIteration:
        return f"the compiled game is over after decision {len(made) - 1}, the plain one goes on"
    except UserError:
        raise
    except Exception as error:
        raise playing.failure(error) from error
    if scores != rows[:, SCORE].tolist():
        return f"scores differ: {scores} in the plain game, {rows[:, SCORE].tolist()} in the compiled one"
    return ""
