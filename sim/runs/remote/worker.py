"""The work of a cluster worker: it checks that it would get the same results as the requesting process, then plays."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sim.compiler.cache import cache_home, cache_is_usable
from sim.errors import UserError
from sim.game import name_game
from sim.runs.config import RunConfig, make_plans
from sim.runs.remote.object_store import read
from sim.runs.remote.url_run import PLAN, Portion, write_portion
from sim.runs.run import no_message, warm_up
from sim.runs.shards import Group, Shard, Stretch, groups_to_play, play_shard
from sim.runs.store.build_manifest import planned_run
from sim.runs.store.journal import described_plan, differing, some_of
from sim.runs.store.run_folder import lock

LOCK_FILE = "compiling.lock"
BETWEEN_LOOKS = 0.2
"""Seconds to wait before checking again whether another process of this machine has finished compiling."""


@dataclass(frozen=True)
class RunAsked:
    """The run that workers are to play: its options, and which of its games to play (`sim.runs.shards.stretch_of`).

    `plan` has the fields that determine the bytes of the run, as computed by the process that requests the run. Workers
    write to `url`; if it is empty, they return rows.
    """

    config: RunConfig
    stretch: tuple[int | None, int | None] | None
    plan: dict[str, Any] = field(default_factory=dict)
    url: str = ""


@dataclass(frozen=True)
class RunReady:
    """A run whose players this worker process has compiled."""

    asked: RunAsked
    groups: tuple[Group, ...]
    players: list[Any]


kept: list[RunReady] = []
"""The run that this process plays, if any, as a list with one item."""
one_at_a_time = threading.Lock()


def groups_of(asked: RunAsked) -> tuple[tuple[Group, ...], Stretch | None]:
    """Return the groups and the stretch of a run (see `sim.runs.shards`). The stretch of a whole run is None."""
    name_game(asked.config.game)
    return groups_to_play(make_plans(asked.config), asked.config.games, asked.stretch)


def plan_here(asked: RunAsked) -> dict[str, Any]:
    """Return the fields of a run's plan that determine its bytes, computed from this machine's data and code."""
    groups, taken = groups_of(asked)
    return described_plan(planned_run(groups, "", taken))


def refusal(asked: RunAsked) -> str:
    """Prepare a run; return why this process cannot play it, or an empty string if it can."""
    try:
        found = differing(asked.plan, plan_here(asked), ("where the run was asked for", "at the worker"))
        if not found and asked.url and read(asked.url, PLAN) is None:
            return f"it does not find the run's plan at {asked.url}"
        if not found:
            ready(asked)
    except UserError as error:
        return str(error)
    return some_of(found)


def ready(asked: RunAsked) -> RunReady:
    """Return the groups and compiled players of a run, compiling the players if necessary.

    Only one process per machine compiles at a time, if the processes share a usable cache.
    """
    with one_at_a_time:
        if not kept or kept[0].asked != asked:
            groups, _ = groups_of(asked)
            with ExitStack() as stack:
                if cache_is_usable():
                    file = stack.enter_context((cache_home() / LOCK_FILE).open("a"))
                    while not lock(file.fileno()):
                        time.sleep(BETWEEN_LOOKS)
                players = warm_up([group.plan for group in groups], no_message)
            kept[:] = [RunReady(asked, groups, players)]
        return kept[0]


def play_at_worker(asked: RunAsked, first_game: int, first: int, count: int) -> tuple[np.ndarray, ...]:
    """Play a shard of the run's games (`sim.runs.shards.play_shard`).

    `first_game` is the number of the first game of the shard's group; `first` is counted within the group.
    """
    own = ready(asked)
    number = [group.first_game for group in own.groups].index(first_game)
    return play_shard(Shard(own.groups[number], own.players[number], first, count))


def write_at_worker(asked: RunAsked, url: str, part_games: Mapping[str, int], first: int, games: int) -> Portion:
    """Play a portion of the run and write it to a URL (`sim.runs.remote.url_run.write_portion`)."""
    own = ready(asked)
    return write_portion(own.groups, own.players, url, part_games, first, games)
