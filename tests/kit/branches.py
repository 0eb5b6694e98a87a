"""Count how often kernels go which way, and keep it: the tables of `sim.branches`.

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
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch import arguments_of
from sim.bench import lineups_of
from sim.branches import KEPT, SHARED, Counts, code_digest, count_branches, shares_from, table_of
from sim.compiling import players_of
from sim.game import GAMES, load_game
from sim.kernel_cache import kernels_are_linked
from sim.runs.config import RunConfig, make_plan

GAMES_PLAYED = 6000
"""Games of each game, in equal parts for what is played."""
CHANCE = ("random",)
SEED = 77


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


def count_game(name: str) -> dict[str, Counts]:
    """Compile a game with counters in this process, play it, and return the counts of each kernel."""
    counts = count_branches()
    played = tables_played(name)
    for options in played:
        plan = make_plan(RunConfig(**options))
        plan.game.play_games(*arguments_of(plan, players_of(plan), 0, max(1, GAMES_PLAYED // len(played))))
    return {kernel: sum_of(each) for kernel, each in counts.items()}


def sum_of(counts: Iterable[Counts]) -> Counts:
    """Add up the counts of one kernel compiled for several kinds of arguments; none if its branches differ."""
    each = list(counts)
    alike = all(one.shape == each[0].shape for one in each)
    return np.sum(each, axis=0) if alike else np.zeros((0, 2), np.int64)


def counted_apart(name: str) -> dict[str, Counts]:
    """Count a game in a process of its own, whose kernels are thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "counts"
        environment = os.environ | {"EMPIRELAB_CACHE": folder}
        subprocess.run([sys.executable, "-m", __spec__.name, name, "--to", str(out)], env=environment, check=True)
        counted: dict[str, Counts] = pickle.loads(out.read_bytes())
    return counted


def code_of(kernel: str) -> str:
    """Return the digest of a kernel's code; nothing for what is made within another function."""
    module, _, name = kernel.rpartition(".")
    try:
        function = getattr(import_module(module), name)
    except (ImportError, AttributeError):
        return ""
    return code_digest(getattr(function, "py_func", function))


def write_table(table: str, counted: Mapping[str, Counts]) -> None:
    """Write the table of a game, or the shared one: a line for each kernel of it that has been in a branch."""
    rows = {}
    for kernel, counts in sorted(counted.items()):
        code = code_of(kernel)
        if table_of(kernel) == table and code and counts.any():
            rows[kernel] = [code, shares_from(counts)]
    lines = (f"{json.dumps(kernel)}: {json.dumps(row, separators=(',', ':'))}" for kernel, row in rows.items())
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{table}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main() -> None:
    """Count the games asked for and write their tables; the shared one, too, if all are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)}; all if none is named")
    parser.add_argument("--to", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    for game in asked.games:
        if game not in GAMES:
            parser.error(f"unknown game: {game}; known: {', '.join(GAMES)}")
    if not kernels_are_linked():
        parser.error("branches are those of linked kernels: not with this numba, nor with EMPIRELAB_PLAIN_NUMBA")
    if asked.to is not None:
        asked.to.write_bytes(pickle.dumps(count_game(asked.games[0])))
        return
    counted = {game: counted_apart(game) for game in asked.games or GAMES}
    for game, counts in counted.items():
        write_table(game, counts)
        print(f"{game}: {sum(table_of(kernel) == game for kernel in counts)} kernels", flush=True)
    if len(counted) == len(GAMES):
        kernels = sorted({kernel for counts in counted.values() for kernel in counts})
        shared = {kernel: [each[kernel] for each in counted.values() if kernel in each] for kernel in kernels}
        write_table(SHARED, {kernel: sum_of(counts) for kernel, counts in shared.items()})


if __name__ == "__main__":
    main()
