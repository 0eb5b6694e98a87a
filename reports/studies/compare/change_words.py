"""Puts changes into words: whose number, which one, from what to what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reports.sections.core.opening import REMOVED, Turned
from reports.studies.parts.parts import relatives
from reports.studies.search.parameter_names import numbers_of_row
from reports.studies.search.parameters import Knob, field_label, find_knob, game_file, plain_words
from sim.data.changes import Addition, parse_value, toml_text
from sim.errors import UserError
from sim.game import Data, Game, load_game, with_additions
from sim.runs.store.manifest import DeckEntry, Manifest

NOTHING = "nothing"
"""What an empty list of effects is called."""


def turned_between(a: Manifest, b: Manifest) -> tuple[Turned, ...]:
    """Return the changes of numbers and settings between two runs.

    Parameters
    ----------
    a, b
        The manifests of two runs of one game; `a` is the base.
    """
    first, second = (by_path(manifest.changes) for manifest in (a, b))
    paths = [path for path in {**second, **first} if first.get(path) != second.get(path)]
    result = printed_values(b.game, b.settings, b.decks, paths)
    statements = []
    for path in paths:
        row, field, printed = result[path]
        before, after = (values.get(path, printed) for values in (first, second))
        if before != NOTHING == after and holds_effects(path, a, b):
            field, before, after = f"its {field.removesuffix(' effects')} effect", "", REMOVED
        statements.append(Turned(row, field, before, after or "as printed", owners_of(b, path)))
    settings = (a.settings, b.settings)
    for name in dict.fromkeys([*settings[0], *settings[1]]):
        if settings[0].get(name) != settings[1].get(name):
            was, now = (changed_value_words(one[name]) if name in one else "" for one in settings)
            statements.append(Turned("", plain_words(name), was, now))
    return tuple(statements)


def holds_effects(path: str, *manifests: Manifest) -> bool:
    """Whether a changed field holds a list of effects, which an empty list removes."""
    values = [text.partition("=")[2].strip() for one in manifests for text in one.changes
              if text.partition("=")[0].strip() == path]  # fmt: skip
    return any(parse_value(value) == [] for value in values)


def changes_in_words(manifest: Manifest) -> tuple[str, ...]:
    """Return what a run changes of the printed game and its usual settings: 'Halikarnassos B, stage 1 cost ore: 2 to
    4'."""
    try:
        usual: Mapping[str, object] = load_game(manifest.game).load({}).settings
    except UserError:  # a game that this version does not have
        usual = manifest.settings
    as_printed = manifest.model_copy(update={"changes": [], "settings": usual})
    return tuple(map(str, turned_between(as_printed, manifest)))


def by_path(changes: Sequence[str]) -> dict[str, str]:
    """Return the values of changes in words by file and field."""
    parts = [text.partition("=") for text in changes]
    return {path.strip(): changed_value_words(parse_value(value.strip())) for path, _, value in parts}


def printed_values(
    name: str, settings: Mapping[str, object], decks: Sequence[DeckEntry], paths: Sequence[str]
) -> dict[str, tuple[str, str, str]]:
    """Return for each path its owner, its name and the printed value (empty if unknown)."""
    try:
        game, data = game_as_played(name, settings, decks)
    except UserError:  # a run of another version may name files, decks or settings that no longer exist
        return {path: unknown(path) for path in paths}
    result = {}
    for path in paths:
        try:
            knob = find_knob(game, data, path)
        except UserError:
            result[path] = unknown(path)
        else:
            printed = "" if knob.present is None else changed_value_words(knob.present)
            result[path] = (name_of_row(game, data, knob), words_of_knob(game, data, knob), printed)
    return result


def words_of_knob(game: Game, data: Data, knob: Knob) -> str:
    """Return the name of a knob, numbered if several numbers of the row share it."""
    if not knob.words:
        return field_label(game, knob.name)
    file, _, path = knob.text.partition("#")
    return numbers_of_row(game, data, file, path.removesuffix(f".{knob.name}")).get(knob.text, knob.words)


def owners_of(manifest: Manifest, path: str) -> tuple[str, ...]:
    """Return the factions whose own file holds a path (both sides of a nation); none for a file shared with others."""
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


def name_of_row(game: Game, data: Data, knob: Knob) -> str:
    """Return the name of a knob's row; the faction's name for its own table."""
    file = knob.text.partition("#")[0]
    if game.faction_place is None or not knob.row or knob.row not in game_file(game, file)[1]:
        return knob.row
    named = [one.name for n, one in enumerate(data.factions) if game.faction_place(data, n) == (file, knob.row)]
    return named[0] if named else knob.row


def game_as_played(name: str, settings: Mapping[str, object], decks: Sequence[DeckEntry]) -> tuple[Game, Data]:
    """Return the game of a run, with its decks, and its tables without the run's changes."""
    game = with_additions(load_game(name), [Addition(Path(deck.file), deck.text) for deck in decks])
    return game, game.load(settings)


def unknown(path: str) -> tuple[str, str, str]:
    """Describe a field that the game's files do not have by its path."""
    row, _, field = path.partition("#")[2].partition(".")
    return (row, plain_words(field), "") if field else ("", plain_words(row or path), "")


def changed_value_words(value: object) -> str:
    """Format a value: '2', 'left', 'points 2, build from discard' for effects, 'nothing' for none of them."""
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], str) and any(isinstance(one, int) for one in value):
            return " ".join(plain_words(one) if isinstance(one, str) else changed_value_words(one) for one in value)
        return ", ".join(map(changed_value_words, value)) or NOTHING
    if isinstance(value, Mapping):
        statements = (
            plain_words(name) + ("" if one is True else f" {changed_value_words(one)}") for name, one in value.items()
        )
        return " ".join(statements) or NOTHING
    return value if isinstance(value, str) else toml_text(value)
