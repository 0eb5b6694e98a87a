"""Wild data: numbers of a game's files changed at random, and games played with them where every index is checked.

NUMBA_DISABLE_JIT=1 python -m tests.kit.wild imperium 8    # eight data sets; what became of each, as JSON
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sim.batch import play
from sim.compiling import players_of
from sim.data.catalog import read_toml
from sim.data.changes import parse_change
from sim.errors import UserError
from sim.game import Game, load_game
from tests.kit.plans import mixed, plan_for

PLAYED, STOPPED = "played", "stopped"
"""What may become of a game with wild data: it is played to the end, or stops with a reason."""
CHANGES_AT_ONCE = 2
VALUES = (0, 1, 2, 3, 4, 6, 9, 20)


def numbers_in(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Ways to all whole numbers inside a table or a list; places in lists count from 1, as changes write them."""
    items = node.items() if isinstance(node, dict) else enumerate(node, 1) if isinstance(node, list) else ()
    for key, inner in items:
        if isinstance(inner, int) and not isinstance(inner, bool):
            yield (*path, str(key))
        yield from numbers_in(inner, (*path, str(key)))


def paths_of(game: Game) -> list[str]:
    """Every whole number of a game's files, as a change names it: "cards.toml#Loom 1.effects.1.amount"."""
    paths = []
    for file, kinds in game.files.items():
        data = read_toml(game.folder / file)
        for table, kind in kinds.items():
            content = data if table == "" else data.get(table, {})
            for row in content if isinstance(content, list) else [content]:
                label = " ".join(str(row[name]) for name in kind.label if name in row) or table
                paths += [f"{file}#{'.'.join((label, *path) if label else path)}" for path in numbers_in(row)]
    return paths


def wild_changes(game: Game, paths: Sequence[str], random: np.random.Generator) -> list[str]:
    """Draw changes that the readers take, one beside the other."""
    taken: list[str] = []
    for path in random.permutation(paths):
        change = f"{path}={random.choice(VALUES)}"
        try:
            game.load({}, [parse_change(text) for text in [*taken, change]])
        except UserError:
            continue
        taken.append(change)
        if len(taken) == CHANGES_AT_ONCE:
            break
    return taken


def outcome(game: Game, changes: Sequence[str], seed: int) -> str:
    """Play a game with changed data, at the table that the game is played at by default; say what became of it."""
    plan = plan_for(game.name, strategies=mixed(game.name)[:2], changes=list(changes), seed=seed)
    try:
        play(plan, players_of(plan), 0, 1)
    except UserError:
        return STOPPED
    except (IndexError, OverflowError, ValueError, RuntimeWarning) as error:
        return f"{type(error).__name__}: {error}"
    return PLAYED


def main(name: str, count: int) -> None:
    """Try `count` sets of wild data and print what became of each, with its changes."""
    game, random = load_game(name), np.random.default_rng(1)
    paths = paths_of(game)
    tried = [wild_changes(game, paths, random) for _ in range(count)]
    print(json.dumps([[outcome(game, changes, seed), changes] for seed, changes in enumerate(tried)]))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
