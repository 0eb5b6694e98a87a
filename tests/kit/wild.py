"""Wild data: what a game's files say changed at random, and games played with it where every index is checked.

EMPIRELAB_CHECK_BOUNDS=1 python -m tests.kit.wild imperium 8       # eight data sets; what became of each, as JSON
EMPIRELAB_CHECK_BOUNDS=1 python -m tests.kit.wild imperium 8 100   # those from number 100 on
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.data.catalog import read_toml
from sim.data.changes import parse_change, with_value
from sim.errors import UserError
from sim.game import GameSpec, load_game
from sim.players.batch import play
from sim.players.compile_players import players_of
from tests.kit.plans import all_detail, mixed, plan_for, tables_of

PLAYED, STOPPED = "played", "stopped"
"""What may become of a game with wild data: it is played to the end, or stops with a reason."""
CHANGES_AT_ONCE = 2
VALUES = (0, 1, 2, 3, 4, 6, 9, 20)
SHARES = (0.2, 0.5, 1.0)
"""Shares of the rows that a field is copied to."""
MOST_TOGETHER = 2
"""Lists, such as the effects of two cards, that are put together at most."""
GAMES = 40
"""Games played with one data set."""


@dataclass(frozen=True)
class Said:
    """A field as a row of a game's files has it."""

    row: str  # as a change names it: "cards.toml#Loom 1"
    table: str
    field: str  # its name; it may stand anywhere in the row
    value: Any
    is_own: bool  # whether it is the row's own field, not one inside another

    @property
    def folder(self) -> str:
        """Folder of a data set of its own that the file lies in, if it does."""
        return self.row.partition("#")[0].rpartition("/")[0]


def rows_of_files(game: GameSpec) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Rows of a game's files: how a change begins that names one, the table it is in, and what it says."""
    for file, kinds in game.files.items():
        data = read_toml(game.folder / file)
        for table, kind in kinds.items():
            content = data if table == "" else data.get(table, {})
            for row in content if isinstance(content, list) else [content]:
                label = " ".join(str(row[name]) for name in kind.label if name in row) or table
                yield f"{file}#{label}", table, row


# ---- Numbers ----


def numbers_in(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Ways to all whole numbers inside a table or a list; places in lists count from 1, as changes write them."""
    items = node.items() if isinstance(node, dict) else enumerate(node, 1) if isinstance(node, list) else ()
    for key, inner in items:
        if isinstance(inner, int) and not isinstance(inner, bool):
            yield (*path, str(key))
        yield from numbers_in(inner, (*path, str(key)))


LESSONS_FILE = "lessons.toml"
"""What players have learnt: any number may stand there, and the rules do not read it."""


def paths_of(game: GameSpec) -> list[str]:
    """Every whole number of a game's files, as a change names it: "cards.toml#Loom 1.effects.1.amount"."""
    return [
        start + ("" if start.endswith("#") else ".") + ".".join(path)
        for start, _, row in rows_of_files(game)
        for path in numbers_in(row)
        if not start.partition("#")[0].endswith(LESSONS_FILE)
    ]


def wild_numbers(paths: Sequence[str], random: np.random.Generator) -> list[str]:
    """Give some numbers other values."""
    return [f"{path}={random.choice(VALUES)}" for path in random.choice(paths, CHANGES_AT_ONCE, replace=False)]


# ---- Fields ----


def fields_of(game: GameSpec) -> list[Said]:
    """All fields of rows that stand in lists, and those inside them.

    Not settings, nothing that is a mere text, and not what players have learnt.
    """
    return [
        said
        for start, table, row in rows_of_files(game)
        if table != "setting" and not start.partition("#")[0].endswith(LESSONS_FILE)
        if game.files[start.partition("#")[0]][table].label
        for said in _fields_in(start, table, row, True)
        if not isinstance(said.value, str)
    ]


def _fields_in(start: str, table: str, node: Any, is_own: bool) -> Iterator[Said]:
    items = (
        node.items() if isinstance(node, dict) else [("", inner) for inner in node] if isinstance(node, list) else ()
    )
    for name, inner in items:
        if name:
            yield Said(start, table, name, inner, is_own)
        yield from _fields_in(start, table, inner, False)


def said_by_all(game: GameSpec, table: str, field: str, value: str) -> list[str]:
    """Return the changes by which all rows of a table say the same."""
    rows = sorted({said.row for said in fields_of(game) if said.table == table})
    return [f"{row}.{field}={value}" for row in rows]


def wild_fields(fields: Sequence[Said], random: np.random.Generator) -> list[str]:
    """Let many rows say of one thing what one row says, such as the effects of a card, or the deck it is in."""
    own = [said for said in fields if said.is_own]
    drawn = own[random.integers(len(own))]
    field = drawn.field
    alike = [said for said in fields if said.field == field and said.folder == drawn.folder]
    value: Any = []
    for _ in range(random.integers(1, MOST_TOGETHER + 1)):
        kinds = sorted({_kind(said.value) for said in alike})
        kind = kinds[random.integers(len(kinds))]
        fitting = [said.value for said in alike if _kind(said.value) == kind]
        other = fitting[random.integers(len(fitting))]
        value = value + other if isinstance(value, list) and isinstance(other, list) else other
    tables = sorted({said.table for said in alike if said.is_own})
    table = tables[random.integers(len(tables))]
    rows = sorted({said.row for said in fields if said.table == table and said.folder == drawn.folder})
    chosen = random.random(len(rows)) < random.choice(SHARES)
    return [with_value(f"{row}.{field}", value) for row, is_chosen in zip(rows, chosen, strict=True) if is_chosen]


def _first(item: Any) -> str:
    """Word that an item of a list begins with."""
    return str(next(iter(item)) if isinstance(item, list | dict) and item else item)


def _kind(value: Any) -> str:
    """What a value does, whatever its numbers: the words that its items begin with, so that rare effects are drawn."""
    items = value if isinstance(value, list) else [value]
    return " ".join(sorted({_first(item) for item in items}))


# ---- Trying ----


def wild_changes(
    game: GameSpec, paths: Sequence[str], fields: Sequence[Said], random: np.random.Generator
) -> list[str]:
    """Draw changes that the readers take."""
    while True:
        of_fields = fields and random.random() < 0.7
        changes = wild_fields(fields, random) if of_fields else wild_numbers(paths, random)
        try:
            game.load({}, [parse_change(text) for text in changes])
        except UserError:
            continue
        return changes


def outcome(game: GameSpec, changes: Sequence[str], seed: int, random: np.random.Generator, games: int = GAMES) -> str:
    """Play a few games with changed data, at any table of the game; say what became of them."""
    tables = tables_of(game.name)
    _, variant, players = tables[random.integers(len(tables))]
    faults: list[str] = []
    sys.unraisablehook = lambda raised: faults.append(f"in a strategy, {raised.exc_value!r}")
    try:
        options = {"strategies": mixed(game.name)[:2], "detail": all_detail(game.name)}
        plan = plan_for(game.name, variant, players, changes=list(changes), seed=seed, **options)
        play(plan, players_of(plan), 0, games)
    except UserError as error:
        return "; ".join([f"{STOPPED}: {error}", *faults])
    except (IndexError, OverflowError, ValueError, RuntimeWarning, SystemError) as error:
        return "; ".join([f"{type(error).__name__}: {error}", *faults])
    return "; ".join([PLAYED, *faults])


def main(name: str, count: int, first: int = 0, games: int = GAMES) -> None:
    """Try `count` sets of wild data and print what became of each, with its changes."""
    game = load_game(name)
    paths, fields = paths_of(game), fields_of(game)
    found = []
    for number in range(first, first + count):
        random = np.random.default_rng(number)
        changes = wild_changes(game, paths, fields, random)
        found.append([outcome(game, changes, number, random, games), changes])
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
