"""Every printed number and cost of a faction, as knobs that a race can turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reports.studies.parts.parts import HINTS, Part, find_row, part_words
from reports.studies.search.parameters import (
    distinct_names,
    field_label,
    field_words,
    find_knob,
    find_place,
    game_file,
    number_knobs,
)
from sim.data.changes import fields_of_row, parse_change, with_value
from sim.errors import UserError
from sim.game import Data, Game

NAMES_OF_COPIES = ("number", "numbers", "id", "min_players")
"""Fields of pieces that say which copies of a card there are, and when: they are no values of the game."""
PRICES = {"cost", "costs", "price", "prices"}
"""Fields that weaken upwards wherever they stand, as the price of trading does within the effects of a stage."""
MAX_TABLES = 100
"""Tables with changes that are kept; those of the largest game take a few megabytes."""
LARGE_STEP = 3
"""Steps of the larger change that is tried at first."""


@dataclass(frozen=True)
class Turn:
    """A number of a faction that can be turned.

    Attributes
    ----------
    text
        `FILE#ROW.FIELD`.
    part
        The part it belongs to.
    name
        "stage 1: cost ore".
    present
        Its value as printed.
    low, high
        Smallest and largest value its field takes; None for no limit.
    weakens
        Which way it is turned to make the faction weaker: 1 up, as a price, -1 down, as points; 0 where nothing tells.
    copies
        The same number of further cards that are printed alike, which are turned with it.
    """

    text: str
    part: Part
    name: str
    present: int
    low: float | None
    high: float | None
    weakens: int = 0
    copies: tuple[str, ...] = ()

    def takes(self, value: int) -> bool:
        """Whether the field may have a value."""
        least = min(0, self.present) if self.low is None else self.low
        return value >= least and (self.high is None or value <= self.high)

    def changes(self, value: int) -> list[str]:
        """The changes to a value, of every copy of a card."""
        return [with_value(text, value) for text in (self.text, *self.copies)]

    def words(self, value: int) -> str:
        """The change in words: 'stage 1: cost ore 2 to 3'."""
        return f"{self.name} {self.present} to {value}"

    def surprises(self, value: int, edge: float) -> bool:
        """Whether a value, by what kind of number it is, makes stronger what is too strong, or weaker what is weak."""
        return (value - self.present) * self.weakens * edge < 0


Arm = tuple[tuple[Turn, int], ...]
"""Numbers that are changed together, each with its value; none of them for the printed game."""


def arm_changes(arm: Arm) -> list[str]:
    """The changes of an arm."""
    return [change for turn, value in arm for change in turn.changes(value)]


def with_arm(held: Arm, arm: Arm) -> Arm:
    """Return changes that stand with those of an arm, which take the place of others of the same number."""
    own = {turn.text for turn, _ in arm}
    return (*((turn, value) for turn, value in held if turn.text not in own), *arm)


def standing_at(turns: Sequence[Turn], held: Arm) -> list[Turn]:
    """Return numbers as they stand with some changes."""
    now = {turn.text: value for turn, value in held}
    return [replace(turn, present=now.get(turn.text, turn.present)) for turn in turns]


def from_printed(printed: Mapping[str, Turn], held: Arm) -> Arm:
    """Return changes as steps from printed numbers, given by their texts, without those that have come back to them."""
    turns = [(printed[turn.text], value) for turn, value in held]
    return tuple((turn, value) for turn, value in turns if value != turn.present)


def arm_words(arm: Arm) -> str:
    """What an arm changes in words: 'coins start 3 to 2 and stage 1: cost ore 2 to 3'."""
    return " and ".join(turn.words(value) for turn, value in arm)


def steps_of_arm(arm: Arm) -> int:
    """How far the numbers of an arm lie from what they are turned from, together."""
    return sum(abs(value - turn.present) for turn, value in arm)


def numbers_in_parts(game: Game, data: Data, parts: Sequence[Part]) -> list[Turn]:
    """Return every whole number of some parts that can be turned, each once."""
    found: dict[str, Turn] = {}
    for part in parts:
        for place in part.places:
            for text in numbers_at(game, data, place):
                turn = find_turn(game, data, part, place, text)
                if turn is not None and text not in found:
                    found[text] = turn
    return list(found.values())


def numbers_at(game: Game, data: Data, place: str) -> Iterator[str]:
    """Yield the paths of all numbers at a place: fields of tables, and numbers in lists of effects."""
    file, _, path = place.partition("#")
    row = whole_row(game, data, file, path)
    fields = number_knobs(game, data, f"{file}#{row}.*")
    yield from (text for text in fields if text == place or text.startswith(f"{place}."))
    for name in ("",) if row != path else names_in(game, file, path):
        whole = f"{path}.{name}" if name else path
        try:
            value = find_place(game, file, whole).present
        except UserError:
            continue
        if whole.rpartition(".")[2].isdecimal() and isinstance(value, int):
            yield place  # an entry of a list, which is a part of its own
        yield from (f"{file}#{whole}.{'.'.join(way)}" for way in ways_to_numbers(value, entries=True))


def whole_row(game: Game, data: Data, file: str, path: str) -> str:
    """Return the row that a path begins with."""
    parts = path.split(".")
    for size in range(1, len(parts) + 1):
        row = ".".join(parts[:size])
        try:
            number_knobs(game, data, f"{file}#{row}.*")
        except UserError:
            continue
        return row
    return path


def names_in(game: Game, file: str, row: str) -> list[str]:
    """Fields of a row that may hold lists of effects."""
    names = fields_of_row(*game_file(game, file), f"{row}.*")
    return [name.removeprefix(f"{row}.") for name in names]


def ways_to_numbers(
    value: Any, way: tuple[str, ...] = (), listed: bool = False, entries: bool = False
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of whole numbers inside lists; with `entries` only of those that are entries of a list."""
    if isinstance(value, int) and not isinstance(value, bool):
        if listed:
            yield way
    elif isinstance(value, list):
        for place, inner in enumerate(value, start=1):
            yield from ways_to_numbers(inner, (*way, str(place)), True, entries)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from ways_to_numbers(inner, (*way, str(name)), listed and not entries, entries)


def find_turn(game: Game, data: Data, part: Part, place: str, text: str) -> Turn | None:
    """Return a number as a knob; None for what is no whole number of the printed game."""
    own = text.removeprefix(place).strip(".") or text.rpartition(".")[2]
    words = own.split(".")
    if part.piece is not None and any(word in NAMES_OF_COPIES for word in words):
        return None
    if HINTS in text.split("."):
        return None
    try:
        knob = find_knob(game, data, text)
    except UserError:
        return None
    present, limits = knob.present, knob.limits
    if not isinstance(present, int) or isinstance(present, bool):
        return None
    file, _, path = place.partition("#")
    inside = any(word.isdecimal() for word in words) and text != place
    if part.piece is None and path.count(".") == 1 and text != place and len(part.places) > 1:
        path, _, field = path.partition(".")  # of a part that is several fields of a row: which of them it is
        own = f"{field}.{own}"
    whole = text == place or own.isdecimal()
    short = field_words(game, file, path, own) if inside else "" if whole else field_label(game, own)
    name = part_words(part)
    name = name if short == name else f"{name}: {short}"
    low, high = (None, None) if limits is None else (limits.low, limits.high)
    return Turn(text, part, name.strip(": "), present, low, high, weakening(part, text))


def weakening(part: Part, text: str) -> int:
    """Which way a number is turned to make its faction weaker, see `Turn.weakens`."""

    def within(changes: Sequence[str]) -> bool:
        paths = [change.partition("=")[0] for change in changes]
        return any(text == path or text.startswith(f"{path}.") for path in paths)

    if within(part.changes.get("free", ())) or PRICES & set(text.partition("#")[2].split(".")):
        return 1
    return -1 if within(part.changes.get("none", ())) or text in part.places else 0


def numbers_of_parts(game: Game, data: Data, parts: Sequence[Part]) -> list[Turn]:
    """Return the numbers of some parts that can be varied, with distinct names and copies of a card as one."""
    return named_apart(copies_together(game, numbers_in_parts(game, data, parts)))


def named_apart(turns: Sequence[Turn]) -> list[Turn]:
    """Return knobs of which no two have one name: alike ones say which of them each is."""
    return [
        replace(turn, name=name)
        for turn, name in zip(turns, distinct_names([turn.name for turn in turns]), strict=True)
    ]


def copies_together(game: Game, turns: Sequence[Turn]) -> list[Turn]:
    """Return knobs of which those of cards that are printed alike are one: a change is printed on all copies."""
    alike: dict[tuple[str, str], list[Turn]] = {}
    for turn in turns:
        (place, *_) = turn.part.places
        printed = place if turn.part.piece is None else printed_on(game, place)
        alike.setdefault((printed, turn.text.removeprefix(place)), []).append(turn)
    return [first if not more else together(first, more) for first, *more in alike.values()]


def together(first: Turn, more: Sequence[Turn]) -> Turn:
    """The number of a card with those of its copies."""
    card = f"{first.part.name.partition(' (')[0]} (all {1 + len(more)})"
    name = f"{card}{first.name.removeprefix(first.part.name)}"
    return replace(first, name=name, copies=tuple(turn.text for turn in more))


def printed_on(game: Game, place: str) -> str:
    """What stands on a card, in whatever words, without what tells copies apart; its file before it."""
    file, _, row = place.partition("#")
    shown = {name: value for name, value in find_row(game, file, row).items() if name not in NAMES_OF_COPIES}
    return f"{file} {sorted(shown.items())}"


class Loaded:
    """The tables of a game with changes, the last ones kept: a race asks for the same ones again and again."""

    def __init__(self, game: Game, data: Data) -> None:
        self.game, self.data = game, data
        self.found: dict[tuple[str, ...], Data | None] = {(): data}
        self.known: dict[tuple[str, ...], bool] = {}

    def tables(self, changes: Sequence[str]) -> Data | None:
        """Return the tables with some changes; None where the game cannot be played so."""
        key = tuple(changes)
        if key not in self.found:
            if len(self.found) >= MAX_TABLES:
                self.found.pop(next(iter(self.found)))
            try:
                self.found[key] = self.game.load(self.data.settings, [parse_change(text) for text in changes])
            except UserError:
                self.found[key] = None
        self.known[key] = self.found[key] is not None
        return self.found[key]

    def takes(self, changes: Sequence[str]) -> bool:
        """Whether the game can be played with some changes; known even where the tables are no longer kept."""
        key = tuple(changes)
        return self.known[key] if key in self.known else self.tables(changes) is not None


def first_values(loaded: Loaded, turn: Turn, held: Arm = ()) -> list[int]:
    """Values that a race begins with: one step and a larger one to either side, as far as the game takes them."""
    values: list[int] = []
    for direction in (-1, 1):
        sizes = [turn.present + direction * size for size in range(1, LARGE_STEP + 1)]
        small = next((value for value in sizes if fits_game(loaded, turn, value, held)), None)
        if small is not None:
            values += [small, next(value for value in reversed(sizes) if fits_game(loaded, turn, value, held))]
    return list(dict.fromkeys(values))


def fits_game(loaded: Loaded, turn: Turn, value: int, held: Arm = ()) -> bool:
    """Whether the game can be played with a value, and with changes that stand already."""
    return turn.takes(value) and loaded.takes(arm_changes(with_arm(held, ((turn, value),))))
