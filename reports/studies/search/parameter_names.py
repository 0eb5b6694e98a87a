"""Names of printed numbers: finds words for a path, and the path for words.

A number in a list of operations is named after its operation: 'play: gain progress'. If several numbers of a row share
a name, they are numbered in the order of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from reports.studies.parts.parts import parts_of
from reports.studies.search.parameters import (
    distinct_names,
    field_words,
    find_place,
    game_file,
    name_by_reading,
    number_knobs,
)
from reports.studies.search.space import named_apart, numbers_in_parts, ways_to_numbers
from sim.data.changes import fields_of_row, labels_of_rows
from sim.errors import UserError, nearest
from sim.game import Data, GameSpec

MAX_LISTED = 20
"""A message lists at most this many numbers."""


def numbers_of_row(game: GameSpec, data: Data, file: str, row: str) -> dict[str, str]:
    """Return the name of every number of a row, by its path `FILE#ROW.FIELD`."""
    texts = list(dict.fromkeys(paths_of_row(game, data, file, row)))
    fields = [text.removeprefix(f"{file}#{row}.") for text in texts]
    named = [name_by_reading(game, data.settings, field) or field_words(game, file, row, field) for field in fields]
    return dict(zip(texts, distinct_names(named), strict=True))


def paths_of_row(game: GameSpec, data: Data, file: str, row: str) -> Iterator[str]:
    """Yield the paths of a row's numbers: first fields, also those of nested tables, then entries of lists."""
    yield from number_knobs(game, data, f"{file}#{row}.*")
    for name in fields_of_row(*game_file(game, file), f"{row}.*"):
        try:
            value = find_place(game, file, name).present
        except UserError:
            continue  # several tables of the row have this name
        yield from (
            f"{file}#{name}.{'.'.join(way)}" for way in ways_to_numbers(value) if "." not in name[len(row) + 1 :]
        )


def path_of_words(game: GameSpec, data: Data, words: str) -> str:
    """Return the path `FILE#ROW.FIELD` of a number that is named in words, as in reports.

    The words are the row (its label, its name or the name of its piece), then the number. A faction may precede the
    row. Case, commas, colons and hyphens do not matter: "Myths and Legends: play: gain progress". Raises UserError if
    no row or number matches, or several do. The message lists the numbers of the row.
    """
    query = normalized(words)
    named = names_of_rows(game, data)
    rows = list(match_rows(game, data, query, named))
    numbers = {
        path: (normalized(said), f"{row}: {said}")
        for file, row, rest in rows
        for path, said in numbers_of_row(game, data, file, row).items()
        if rest in (normalized(said), normalized(path.removeprefix(f"{file}#{row}.")))
    }
    played = [path for path in numbers if row_of_path(path, rows) in named]
    result = played if len(numbers) > 1 and played else list(numbers)
    result = result or paths_of_race_names(game, data, query)
    if len(result) == 1:
        return result[0]
    if numbers:
        shown = [f"{said} ({path})" for path, (_, said) in numbers.items()]
        raise UserError("this name matches several numbers", field="change", found=words, allowed=shown)
    known = [f"{row}: {said}" for file, row, _ in rows for said in numbers_of_row(game, data, file, row).values()]
    near = nearest(words, known)
    known.sort(key=lambda name: name != near)  # the nearest name first, so that a shortened list has it
    allowed = known[:MAX_LISTED] or "FILE#ROW.FIELD=VALUE, or ROW: NUMBER=VALUE"
    raise UserError("unknown parameter name", field="change", found=words, allowed=allowed)


def match_rows(
    game: GameSpec, data: Data, query: str, named: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, str, str]]:
    """Yield each row whose name stands at the beginning of the words: its file, its label and the remaining words.

    `query` are the words, normalized. In them, a faction may stand before the row. `named` holds the names of pieces
    and factions by file and row.
    """
    own = [normalized(faction.name) for faction in data.factions]
    shared = [normalized(str(one)) for faction in data.factions for one in faction.attributes.values()]
    starts = ["", *(f"{name} " for name in dict.fromkeys([*own, *shared]) if query.startswith(f"{name} "))]
    for file in game.files:
        for label, name in labels_of_rows(*game_file(game, file)[1:]):
            called = {normalized(label), normalized(name), normalized(named.get((file, label), label))} - {""}
            rests = [query[len(start) + len(one) + 1 :] for start in starts for one in called
                     if query.startswith(f"{start}{one} ")]  # fmt: skip
            if rests:
                yield file, label, min(rests, key=len)


def names_of_rows(game: GameSpec, data: Data) -> dict[tuple[str, str], str]:
    """Return the names of pieces and factions by file and label of their rows."""
    result = {}
    if game.pieces is not None and game.pieces.in_files is not None:
        place = game.pieces.in_files.place
        result = {place(data, piece): name for piece, name in enumerate(data.pieces)}
    if game.faction_place is not None:
        result |= {game.faction_place(data, number): one.name for number, one in enumerate(data.factions)}
    return result


def row_of_path(path: str, rows: Sequence[tuple[str, str, str]]) -> tuple[str, str]:
    """Return the file and the label of the row to which a path belongs."""
    return next((file, label) for file, label, _ in rows if path.startswith(f"{file}#{label}."))


def paths_of_race_names(game: GameSpec, data: Data, query: str) -> list[str]:
    """Return the paths of all numbers that a search (`engine`) calls `query`: 'rhodos b stage 1 cost'."""
    result = []
    for number, faction in enumerate(data.factions):
        start = f"{normalized(faction.name)} "
        if query.startswith(start):
            turns = named_apart(numbers_in_parts(game, data, parts_of(game, data, number)))
            result += [turn.text for turn in turns if start + normalized(turn.name) == query]
    return result


def normalized(words: str) -> str:
    """Return words in lower case. A single space replaces commas, colons, hyphens, underscores, dots and brackets."""
    return re.sub(r"[\s,:._()-]+", " ", words).strip().casefold()


def with_paths(game: GameSpec, changes: Sequence[str]) -> list[str]:
    """Return changes in which paths replace words. Raise UserError if words match no number, or several."""
    result = []
    for text in changes:
        words, equals, value = text.partition("=")
        if "#" in words or not equals or not re.search(r"[\s:,]", words.strip()):
            result.append(text)
        else:
            result.append(f"{path_of_words(game, game.load({}), words)}={value.strip()}")
    return result
