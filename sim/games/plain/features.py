"""Features of a position in a plain-Python game, as a learned judge sees them: named numbers for each seat.

By default the features are the numbers in the state as a seat sees it. A class may define its own with `features(state,
seat)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from sim.errors import UserError
from sim.games.plain.interface import ATOMS, DataRow, attributes_of
from sim.games.plain.results import lead

DEEPEST = 6
"""How many nested levels of the state are read."""
STATIC = ("players", "variant", "settings")
"""Attributes of the state that never change during a game, and so are not features."""

Numbers = dict[str, float]


def features_of(playing: Any, state: Any, observer: int, by_seat: frozenset[str]) -> list[Numbers]:
    """Return the features of all seats, as the seat `observer` sees them.

    What the observer cannot know has been redealt in `state`. `by_seat` names the parts of the state with an entry for
    each seat (`lists_of_seats`). `playing` is a `sim.games.plain.playing.Playing`.
    """
    game, players = playing.game, playing.players
    turn = state.seat
    points = [playing.parts_of(state, seat) for seat in range(players)]
    totals = [sum(parts) for parts in points]
    seen = game.view(state, observer)
    if playing.rules.has("features"):
        found = [own_numbers(playing, seen, seat) for seat in range(players)]
    else:
        found = numbers_of(seen, players, by_seat)
    for seat, own in enumerate(found):
        for name, part in zip(game.score_parts, points[seat], strict=True):
            own[f"score {name}"] = float(part)
        own["score"] = float(totals[seat])
        own["lead"] = lead(totals, seat)
        own[f"turn in {(seat - turn) % players}"] = 1.0
        if playing.round_of is not None:
            own["round"] = float(playing.round_of(state))
    found[observer]["observer"] = 1.0
    return found


def own_numbers(playing: Any, seen: Any, seat: int) -> Numbers:
    """Return the features that the author's method computes for a seat.

    Raise UserError if the method does not return a dictionary of finite numbers.
    """
    said = playing.game.features(seen, seat)
    if not isinstance(said, Mapping) or not all(isinstance(name, str) for name in said):
        raise UserError("features must return a dictionary of finite numbers, by name", file=playing.place("features"),
                        field="features", found=said, allowed='{"coins": 3.0}')  # fmt: skip
    for name, value in said.items():
        if not isinstance(value, int | float | np.number) or not math.isfinite(value):
            raise UserError("a feature is not a finite number", file=playing.place("features"), field=name, found=value)
    return {name: float(value) for name, value in said.items()}


def numbers_of(seen: Any, players: int, by_seat: frozenset[str]) -> list[Numbers]:
    """Return the numbers in a state, one dictionary for each seat.

    Each has the numbers in the seat's own entries of the parts `by_seat`, and the numbers in all other parts. If such a
    number is the index of this seat, a further number says so.
    """
    common: Numbers = {}
    own: list[Numbers] = [{} for _ in range(players)]
    for path, value in named_values(seen):
        if path in STATIC:
            continue
        if path in by_seat:
            if is_by_seat(value, players):
                for seat, numbers in enumerate(own):
                    add(numbers, path, value[seat], 1)
            continue
        add(common, path, value, 1)
        if type(value) is int and 0 <= value < players:
            own[value][f"{path} is the seat"] = 1.0
    return [common | each for each in own]


def add(found: Numbers, path: str, value: Any, depth: int) -> None:
    """Add the numbers in `value`, the part of the state under `path`, to `found`.

    Numbers under the same path are added up. A collection also gives its number of entries. A string or a row gives
    the number of times that it occurs.
    """
    kind = type(value)
    if kind is int or kind is float or kind is bool or isinstance(value, np.number):
        found[path] = found.get(path, 0.0) + float(value)
    elif value is None or depth > DEEPEST:
        return
    elif kind is str or isinstance(value, DataRow):
        name = f"{path}={value if kind is str else name_of_data_row(value)}"
        found[name] = found.get(name, 0.0) + 1.0
    elif isinstance(value, Mapping):
        add_entries(found, path, len(value))
        for key, each in value.items():
            add(found, f"{path}[{key_text(key)}]", each, depth + 1)
    elif isinstance(value, tuple):
        for place, each in enumerate(value):
            add(found, f"{path}.{place}", each, depth + 1)
    elif isinstance(value, Iterable) and not isinstance(value, bytes):
        entries = list(value)
        add_entries(found, path, len(entries))
        for each in entries:
            add(found, path, each, depth + 1)
    elif kind not in ATOMS:
        for name, each in named_values(value, f"{path}.", depth):
            add(found, name, each, depth + 1)


def add_entries(found: Numbers, path: str, number: int) -> None:
    """Add `number` to the count of entries under a path."""
    found[f"{path} entries"] = found.get(f"{path} entries", 0.0) + number


def name_of_data_row(row: DataRow) -> str:
    """Return the name of a row of the data: its `name`, else its first string, else all of its values."""
    return str(row.get("name") or next((each for each in row.values() if isinstance(each, str)), tuple(row.values())))


def key_text(key: Any) -> str:
    """Return a dictionary key as a string.

    A row becomes its name. An atom (`ATOMS`) or a tuple becomes its value. Any other object becomes the name of its
    type.
    """
    if isinstance(key, DataRow):
        return name_of_data_row(key)
    return str(key) if type(key) in ATOMS or isinstance(key, tuple) else type(key).__name__


def named_values(value: Any, before: str = "", depth: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of an object's attributes or a dict's entries; nested names are dotted."""
    if isinstance(value, Mapping):
        own: Iterable[tuple[Any, Any]] = value.items()
    else:
        slots = [(name, getattr(value, name)) for name in attributes_of(type(value)) or () if hasattr(value, name)]
        own = [*getattr(value, "__dict__", {}).items(), *slots]
    for name, each in own:
        kind = type(each)
        if kind not in ATOMS and depth < DEEPEST and attributes_of(kind) is not None:
            yield from named_values(each, f"{before}{name}.", depth + 1)
        else:
            yield f"{before}{name}", each


def is_by_seat(value: Any, players: int) -> bool:
    """Tell whether a part of the state has an entry for each seat."""
    if isinstance(value, Mapping):
        return len(value) == players and all(seat in value for seat in range(players))
    return isinstance(value, list | tuple) and len(value) == players


def lists_of_seats(states: Iterable[Any], players: int) -> frozenset[str]:
    """Return the names of the attributes that have an entry for each seat in all of these states."""
    found: set[str] | None = None
    for state in states:
        here = {path for path, value in named_values(state) if is_by_seat(value, players)}
        found = here if found is None else found & here
    return frozenset(found or ())
