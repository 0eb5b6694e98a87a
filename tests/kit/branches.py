"""Count how often kernels go which way, and keep it: the tables of `sim.compiler.branch_weights`.

    python -m tests.kit.branches                # count all games, write all tables
    python -m tests.kit.branches imperium       # write the table of one game alone

Each game is compiled with counters in a process of its own, which takes minutes, and played by the line-ups whose speed
`bench` shows, but those of chance alone: all variants and numbers of players.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sim.compiler.branch_weights import (
    KEPT,
    PYTHON,
    SHARED,
    Counts,
    Function,
    bytecode_digest,
    count_branches,
    name_of,
    shares_from,
    table_of,
)
from sim.compiler.cache import checks_bounds, kernels_are_linked
from sim.compiler.kernel import compiled
from sim.diagnostics.bench import lineups_of
from sim.game import GAMES, load_game
from sim.players.batch import arguments_of
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig, make_plan

GAMES_PLAYED = 6000
"""Games of each game, in equal parts for what is played."""
CHANCE = ("random",)
SEED = 77

Counted = Mapping[str, tuple[str, Counts]]
"""Digest of the bytecode and counts of each kernel, by its name."""


def tables_played(name: str) -> list[dict[str, Any]]:
    """Return what is played of a game: the options of each plan."""
    game = load_game(name)
    lineups = [list(names) for names in lineups_of(game).values() if tuple(names) != CHANCE]
    return [
        {"game": name, "variant": variant.name, "players": players, "strategies": names, "seed": SEED}
        for variant in game.variants
        for players in variant.players
        for names in lineups
    ]


def count_game(name: str) -> Counted:
    """Compile a game with counters in this process, play it, and return what is counted of each kernel."""
    counts = count_branches()
    played = tables_played(name)
    for options in played:
        plan = make_plan(RunConfig(**options))
        plan.game.kernels.play_games(*arguments_of(plan, players_of(plan), 0, max(1, GAMES_PLAYED // len(played))))
    return {
        name_of(kernel): (bytecode_digest(kernel), sum_of(each)) for kernel, each in counts.items() if is_named(kernel)
    }


def is_named(kernel: Function) -> bool:
    """Tell whether a kernel is known by its name: what is made within another function may be made several times."""
    return "<locals>" not in kernel.__qualname__


def sum_of(counts: Sequence[Counts]) -> Counts:
    """Add up the counts of one kernel compiled for several kinds of arguments; none if its branches differ."""
    alike = all(each.shape == counts[0].shape for each in counts)
    return np.sum(counts, axis=0) if alike else np.zeros((0, 2), np.int64)


def sum_of_games(counted: Sequence[Counted]) -> Counted:
    """Add up the counts of several games."""
    found: dict[str, tuple[str, list[Counts]]] = {}
    for game in counted:
        for kernel, (digest, counts) in game.items():
            found.setdefault(kernel, (digest, []))[1].append(counts)
    return {kernel: (digest, sum_of(counts)) for kernel, (digest, counts) in found.items()}


def counted_apart(name: str) -> Counted:
    """Count a game in a process of its own, whose kernels are thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        environment = os.environ | {"EMPIRELAB_CACHE": folder}
        subprocess.run([sys.executable, "-m", __spec__.name, name, "--to", str(out)], env=environment, check=True)
        counted: Counted = pickle.loads(out.read_bytes())
    return counted


def write_table(table: str, counted: Counted) -> int:
    """Write the table of a game, or the shared one; return how many kernels stand in it: those that met a branch.

    Raises
    ------
    SystemExit
        No kernel did, so that what was kept would be lost.
    """
    rows = {
        kernel: [digest, shares_from(counts)]
        for kernel, (digest, counts) in sorted(counted.items())
        if table_of(kernel) == table and counts.any()
    }
    if not rows:
        raise SystemExit(f"{table}: nothing was counted, its table stays as it was")
    lines = (f"    {json.dumps(kernel)}: {json.dumps(row, separators=(',', ':'))}" for kernel, row in rows.items())
    KEPT.mkdir(exist_ok=True)
    text = f'{{\n  "python": "{PYTHON}",\n  "kernels": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
    (KEPT / f"{table}.json").write_text(text, "utf-8")
    return len(rows)


def main() -> None:
    """Count the games asked for and write their tables; the shared one, too, if all are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)}; all if none is named")
    parser.add_argument("--to", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    for game in asked.games:
        if game not in GAMES:
            parser.error(f"unknown game: {game}; known: {', '.join(GAMES)}")
    if not compiled() or not kernels_are_linked():
        parser.error("branches are those of linked kernels: not with this numba, EMPIRELAB_PLAIN_NUMBA or no JIT")
    if checks_bounds():
        parser.error("with EMPIRELAB_CHECK_BOUNDS kernels have other branches")
    if asked.to is not None:
        asked.to.write_bytes(pickle.dumps(count_game(asked.games[0])))
        return
    counted = {game: counted_apart(game) for game in asked.games or GAMES}
    tables = dict(counted)
    if len(counted) == len(GAMES):
        tables[SHARED] = sum_of_games(list(counted.values()))
    for table, counts in tables.items():
        print(f"{table}: {write_table(table, counts)} kernels")


if __name__ == "__main__":
    main()
