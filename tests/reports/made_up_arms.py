"""A game that is not played: arms of printed changes whose effects are known."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from reports.studies.parts import explain_parts
from reports.studies.search import engine, successive_halving
from reports.studies.search.block_sums import ArmSums, Watched
from reports.studies.search.parameters import find_knob
from reports.studies.search.space import Loaded
from sim.players.batch import Plan


@dataclass
class MadeUp:
    """A game that is not played: shares of wins are those of a board, and what each step of a number adds to them.

    A shared number adds it to a second board, too.

    What one board gains the others lose alike, unless boards are `apart`, as two sides are that never meet. Luck falls
    on the same deals alike, whatever is changed, and each arm has some of its `own`.
    """

    plan: Plan
    edges: dict[str, float] = field(default_factory=dict)
    effects: dict[str, float] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)
    luck: float = 0.15
    own: float = 0.0
    apart: bool = False

    def edge_of(self, changes: tuple[str, ...]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The true edges with some changes, shape (factions,)."""
        names = [faction.name for faction in self.plan.data.factions]
        edges = np.array([self.edges.get(name, 0.0) for name in names])
        for change in changes:
            text, _, value = change.partition("=")
            if text not in self.effects:
                continue
            printed = find_knob(self.plan.game, self.plan.data, text).present
            assert isinstance(printed, int)
            owner = text.partition("#")[2].partition(".")[0]
            for name in filter(None, (owner, self.shared.get(text))):
                edges[names.index(name)] += self.effects[text] * (int(value) - printed)
        return edges if self.apart else edges - edges.mean()

    def play(self, plan: Plan, watched: Watched, first: int, games: int, **_: object) -> ArmSums:
        """Stand in for `play_sums`."""
        blocks, factions = games // plan.block_games, len(plan.data.factions)
        rng = np.random.default_rng(plan.seed)
        luck = rng.normal(0, self.luck, (first // plan.block_games + blocks, factions))[-blocks:]
        mine = np.random.default_rng([plan.seed, zlib.crc32(";".join(sorted(plan.changes)).encode())])
        own = mine.normal(0, self.own, (first // plan.block_games + blocks, factions + 1))[-blocks:]
        won = 1 / plan.players + self.edge_of(plan.changes) + luck + own[:, 1:]
        seats, uses = np.ones((blocks, factions)), np.full((blocks, len(watched.parts)), 0.5)
        met = np.ones((blocks, len(watched.pairs)))
        ahead = np.array([0.5 + won[:, a] - won[:, b] for a, b in watched.pairs]).reshape(met.shape[::-1]).T
        return ArmSums(won, seats, seats, 1 + own[:, 0], uses, seats[:, 0], games, ahead, met)

    def played_with(self, patch: pytest.MonkeyPatch) -> MadeUp:
        """Have searches play this game; return it."""
        for module in (successive_halving, engine, explain_parts):
            patch.setattr(module, "play_sums", self.play)
        patch.setattr(Loaded, "tables", lambda loaded, changes: loaded.data)
        for module in (engine, explain_parts):
            patch.setattr(module, "changed_plan", lambda plan, changes: replace(plan, changes=tuple(changes)))
        for module in (engine, explain_parts):
            patch.setattr(module, "compile_players_of", lambda plans, say: None)
        return self
