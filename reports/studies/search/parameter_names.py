"""Numbers of the printed game in words: 'play: gain progress' for a path of places.

A field that is a list of operations says itself by the operation in which a number stands. Words that several numbers
of a row share are told apart by which of them is meant, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reports.studies.search.parameters import field_words, file_of, find_place, number_knobs
from sim.data.changes import fields_of_row
from sim.errors import UserError
from sim.game import Data, Game

SEVERAL = "{words} ({place} of {many})"


def apart(names: Sequence[str]) -> list[str]:
    """Return names of which no two are alike: those that are say which of them each is: '... (2 of 3)'."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        many = names.count(name)
        found.append(name if many == 1 else SEVERAL.format(words=name, place=seen[name], many=many))
    return found


def numbers_of_row(game: Game, data: Data, file: str, row: str) -> dict[str, str]:
    """Return every number of a row in words, by its path `FILE#ROW.FIELD`."""
    start = f"{file}#{row}."
    texts = list(dict.fromkeys(paths_of_row(game, data, file, row)))
    said = apart([field_words(game, file, row, text.removeprefix(start)) for text in texts])
    return dict(zip(texts, said, strict=True))


def paths_of_row(game: Game, data: Data, file: str, row: str) -> Iterator[str]:
    """Yield the paths of the numbers of a row: its fields and those of tables in it, then entries of lists."""
    yield from number_knobs(game, data, f"{file}#{row}.*")
    for name in fields_of_row(*file_of(game, file), f"{row}.*"):
        try:
            value = find_place(game, file, name).present
        except UserError:
            continue  # a name that stands in several tables of the row
        yield from (
            f"{file}#{name}.{'.'.join(way)}" for way in ways_to_numbers(value) if "." not in name[len(row) + 1 :]
        )


def ways_to_numbers(value: Any, way: tuple[str, ...] = (), listed: bool = False) -> Iterator[tuple[str, ...]]:
    """Ways to whole numbers that stand in lists."""
    if isinstance(value, int) and not isinstance(value, bool):
        if listed:
            yield way
    elif isinstance(value, list):
        for place, inner in enumerate(value, start=1):
            yield from ways_to_numbers(inner, (*way, str(place)), True)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from ways_to_numbers(inner, (*way, str(name)), listed)
