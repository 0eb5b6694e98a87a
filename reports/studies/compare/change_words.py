"""Puts changes into words: the owner of a number, the number's name, and its old and new value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reports.sections.core.opening import REMOVED, Turned
from reports.studies.parts.parts import relatives
from reports.studies.search.parameter_names import numbers_of_row
from reports.studies.search.parameters import Knob, field_label, find_knob, game_file, plain_words
from sim.data.changes import Addition, parse_value, toml_text
from sim.errors import UserError
from sim.game import Data, GameSpec, load_game, with_additions
from sim.runs.store.manifest import DeckEntry, Manifest

NOTHING = "nothing"
"""The word for an empty list of effects."""


def turned_between(a: Manifest, b: Manifest) -> tuple[Turned, ...]:
    """Return which numbers and settings differ between two runs of a game: what changes from run `a` to run `b`."""
    first, second = (by_path(manifest.changes) for manifest in (a, b))
    paths = [path for path in {**second, **first} if first.get(path) != second.get(path)]
    result = printed_values(b.game, b.settings, b.decks, paths)
    statements = []
    for path in paths:
        row, field, printed = result[path]
        before, after = (values.get(path, printed) for values in (first, second))
        words = both_words(before, after)
        if before != after == []:
            field, words = f"its {field.removesuffix(' effects')} effect", ("", REMOVED)
        statements.append(Turned(row, field, *words, owners_of(b, path)))
    for name in a.settings | b.settings:
        if a.settings.get(name) != b.settings.get(name):
            was, now = (changed_value_words(one[name]) if name in one else "" for one in (a.settings, b.settings))
            statements.append(Turned("", plain_words(name), was, now))
    return tuple(statements)


def both_words(before: object, after: object) -> tuple[str, str]:
    """Return an old and a new value in words. Of two lists of effects, only the differences are described.

    An unknown old value gives an empty text. A new value of None means that the value is as printed.
    """
    if after is None:
        return changed_value_words(before), "as printed"
    if before is None:
        return "", changed_value_words(after)
    if isinstance(before, list) and isinstance(after, list):
        gone = [one for one in before if one not in after]
        new = [one for one in after if one not in before]
        if before and not new and gone:
            return "", f"without {changed_value_words(gone)}"
        if before and new and not gone:
            return "", f"also {changed_value_words(new)}"
        before, after = gone or before, new or after
    return changed_value_words(before), changed_value_words(after)


def changes_in_words(manifest: Manifest) -> tuple[str, ...]:
    """Describe how a run's game differs from the printed game: 'Halikarnassos B, stage 1 cost ore: 2 to 4'.

    Settings that differ from their defaults count as changes.
    """
    try:
        usual: Mapping[str, object] = load_game(manifest.game).load({}).settings
    except UserError:  # this version does not have the game
        usual = manifest.settings
    as_printed = manifest.model_copy(update={"changes": [], "settings": usual})
    return tuple(map(str, turned_between(as_printed, manifest)))


def by_path(changes: Sequence[str]) -> dict[str, object]:
    """Parse changes `FILE#ROW.FIELD=VALUE`. Return the values by path."""
    parts = [text.partition("=") for text in changes]
    return {path.strip(): parse_value(value.strip()) for path, _, value in parts}


def printed_values(
    name: str, settings: Mapping[str, object], decks: Sequence[DeckEntry], paths: Sequence[str]
) -> dict[str, tuple[str, str, object]]:
    """Return for each path the row that has the number, the number's name and its printed value (None if unknown)."""
    result: dict[str, tuple[str, str, object]] = {path: unknown(path) for path in paths}
    try:
        game, data = game_as_played(name, settings, decks)
    except UserError:  # a run of another version may name files, decks or settings that no longer exist
        return result
    for path in paths:
        try:
            knob = find_knob(game, data, path)
        except UserError:
            continue
        result[path] = (row_or_faction_name(game, data, knob), words_of_knob(game, data, knob), knob.present)
    return result


def words_of_knob(game: GameSpec, data: Data, knob: Knob) -> str:
    """Return the name of a knob (a value that can be varied). Equal names within a row are numbered."""
    if not knob.words:
        return field_label(game, knob.name)
    file, _, path = knob.text.partition("#")
    return numbers_of_row(game, data, file, path.removesuffix(f".{knob.name}")).get(knob.text, knob.words)


def owners_of(manifest: Manifest, path: str) -> tuple[str, ...]:
    """Return the factions whose rows are in the file of a path, such as the two sides of a nation.

    Empty if factions that are not related share the file.
    """
    try:
        game, data = game_as_played(manifest.game, manifest.settings, manifest.decks)
    except UserError:
        return ()
    if game.faction_place is None:
        return ()
    file = path.partition("#")[0]
    result = [number for number in range(len(data.factions)) if game.faction_place(data, number)[0] == file]
    own = bool(result) and set(result) <= set(relatives(game, data, result[0]))
    return tuple(data.factions[number].name for number in result) if own else ()


def row_or_faction_name(game: GameSpec, data: Data, knob: Knob) -> str:
    """Return the name of a knob's row. For the row of a faction, that is the faction's name."""
    file = knob.text.partition("#")[0]
    if game.faction_place is None or not knob.row or knob.row not in game_file(game, file)[1]:
        return knob.row
    named = [one.name for n, one in enumerate(data.factions) if game.faction_place(data, n) == (file, knob.row)]
    return named[0] if named else knob.row


def game_as_played(name: str, settings: Mapping[str, object], decks: Sequence[DeckEntry]) -> tuple[GameSpec, Data]:
    """Return the game of a run, with the run's decks, and the game's tables without the run's changes."""
    game = with_additions(load_game(name), [Addition(Path(deck.file), deck.text) for deck in decks])
    return game, game.load(settings)


def unknown(path: str) -> tuple[str, str, None]:
    """Return row, name in words, and None as the value of a field that the game's files lack.

    Row and name are read from the path.
    """
    row, _, field = path.partition("#")[2].partition(".")
    return (row, plain_words(field), None) if field else ("", plain_words(row or path), None)


def changed_value_words(value: object) -> str:
    """Format a value: '2' or 'left'. Effects read '2 points, build from discard', or 'nothing' if there are none."""
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], str) and not all(isinstance(one, str) for one in value):
            return operation_said(value)
        return ", ".join(map(changed_value_words, value)) or NOTHING
    if isinstance(value, Mapping):
        return ", ".join(entry_words(plain_words(name), one) for name, one in value.items()) or NOTHING
    return value if isinstance(value, str) else toml_text(value)


def entry_words(name: str, value: object) -> str:
    """Format an entry of a table: '2 points', 'build from discard', 'produce wood, ore'."""
    if value is True:
        return name
    numeric = isinstance(value, int | float)
    return f"{toml_text(value)} {name}" if numeric else f"{name} {changed_value_words(value)}"


def operation_said(value: Sequence[object]) -> str:
    """Format an operation: 'gain 3 material', 'choose: draw 1 or gain 1 progress', 'return unrest 1 (hand)'."""
    name, *rest = value
    numbers = [toml_text(one) for one in rest if isinstance(one, int | float)]
    nouns = [plain_words(one) for one in rest if isinstance(one, str)]
    inner = [one for one in rest if isinstance(one, list | tuple | Mapping)]
    places = [f"({changed_value_words(one)})" for one in inner if all(isinstance(part, str) for part in one)]
    steps = [changed_value_words(one) for one in inner if not all(isinstance(part, str) for part in one)]
    said = " ".join([plain_words(str(name)), *numbers, *nouns, *places])
    return f"{said}: {(' or ' if name == 'choose' else ', ').join(steps)}" if steps else said
