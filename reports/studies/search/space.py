"""The search space: every printed number and cost of a faction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
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
    name_by_reading,
    number_after,
    number_knobs,
)
from sim.data.changes import fields_of_row, parse_change, with_later, with_value
from sim.errors import UserError
from sim.game import Data, GameSpec
from sim.players.batch import Plan

NAMES_OF_COPIES = ("number", "numbers", "id", "min_players")
"""Fields that tell copies of a card apart. They are not varied."""
PRICES = {"cost", "costs", "price", "prices"}
"""Fields that are prices wherever they occur, such as the price of trading in an effect. A higher price weakens a
faction."""
MAX_TABLES = 100
"""Maximum number of cached sets of tables. In the largest game, a set takes a few megabytes."""
LARGE_STEP = 3
"""The larger change in the first round is at most this many steps."""


@dataclass(frozen=True)
class Turn:
    """A number of a faction that can be varied.

    Attributes
    ----------
    text
        `FILE#ROW.FIELD`.
    name
        "stage 1: cost ore".
    present
        The printed value.
    low, high
        Smallest and largest value that the field takes. None for no limit.
    weakens
        The direction that makes the faction weaker: 1 if higher values do, as for a price, -1 if lower values do, as
        for points, 0 if unknown.
    copies
        Paths of the same number on identical copies of a card. They are changed with it.
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
        """Tell whether the field allows a value."""
        least = min(0, self.present) if self.low is None else self.low
        return value >= least and (self.high is None or value <= self.high)

    def changes(self, value: int) -> list[str]:
        """Return the changes that set the number to a value, on every copy of a card."""
        return [with_value(text, value) for text in (self.text, *self.copies)]

    def words(self, value: int) -> str:
        """Return the change in words: 'stage 1: cost ore 2 to 3', 'stage 1: points 3 to 0 (removed)'."""
        return f"{self.name} {self.present} to {value}{' (removed)' if self.is_removed(value) else ''}"

    def is_removed(self, value: int) -> bool:
        """Tell whether a value removes an effect of a part. Setting a price or start goods to 0 does not count."""
        return value == 0 < self.present and self.weakens <= 0 and self.text not in self.part.places

    def surprises(self, value: int, edge: float) -> bool:
        """Tell whether setting this value should, judging by the kind of number, worsen the imbalance.

        It should if it strengthens a faction that is too strong (`edge` above 0), or weakens one that is too weak.
        """
        return (value - self.present) * self.weakens * edge < 0


Arm = tuple[tuple[Turn, int], ...]
"""Numbers that are changed together, each with its new value. Empty for the printed game."""


def arm_changes(arm: Arm) -> list[str]:
    """Return the changes of an arm as strings."""
    return [change for turn, value in arm for change in turn.changes(value)]


def with_arm(held: Arm, arm: Arm) -> Arm:
    """Return the changes already made (`held`) plus those of an arm.

    If both change the same printed number, the arm's change is kept.
    """
    own = {turn.text for turn, _ in arm}
    return (*((turn, value) for turn, value in held if turn.text not in own), *arm)


def standing_at(turns: Sequence[Turn], held: Arm) -> list[Turn]:
    """Return numbers with their values after the changes already made (`held`)."""
    now = {turn.text: value for turn, value in held}
    return [replace(turn, present=now.get(turn.text, turn.present)) for turn in turns]


def from_printed(printed: Mapping[str, Turn], held: Arm) -> Arm:
    """Return the changes `held`, described as changes of printed values. `printed` has the printed numbers by path.

    Changes that return to the printed value are left out.
    """
    turns = [(printed[turn.text], value) for turn, value in held]
    return tuple((turn, value) for turn, value in turns if value != turn.present)


def arm_words(arm: Arm) -> str:
    """Return an arm in words: 'coins start 3 to 2 and stage 1: cost ore 2 to 3'."""
    return " and ".join(turn.words(value) for turn, value in arm)


def steps_of_arm(arm: Arm) -> int:
    """Return by how many steps the numbers of an arm are changed in total."""
    return sum(abs(value - turn.present) for turn, value in arm)


def numbers_in_parts(game: GameSpec, data: Data, parts: Sequence[Part]) -> list[Turn]:
    """Return every whole number of some parts that can be varied. Each number occurs once."""
    result: dict[str, Turn] = {}
    for part, place in [(one, place) for one in parts for place in one.places]:
        for text in paths_of_numbers(game, data, place):
            turn = find_turn(game, data, part, place, text)
            if turn is not None:
                result.setdefault(text, turn)
    return list(result.values())


def paths_of_numbers(game: GameSpec, data: Data, place: str) -> Iterator[str]:
    """Yield the paths of all numbers at or under the path `place`: fields of tables and numbers in lists of effects."""
    file, _, path = place.partition("#")
    row = whole_row(game, data, file, path)
    fields = number_knobs(game, data, f"{file}#{row}.*")
    yield from (text for text in fields if text == place or text.startswith(f"{place}."))
    for name in ("",) if row != path else effect_fields(game, file, path):
        whole = f"{path}.{name}" if name else path
        try:
            value = find_place(game, file, whole).present
        except UserError:
            continue
        if whole.rpartition(".")[2].isdecimal() and isinstance(value, int):
            yield place  # the part is an entry of a list
        yield from (f"{file}#{whole}.{'.'.join(way)}" for way in ways_to_numbers(value, entries=True))


def whole_row(game: GameSpec, data: Data, file: str, path: str) -> str:
    """Return the shortest prefix of a dotted path that is a row of the file. Return the whole path if there is none."""
    parts = path.split(".")
    for size in range(1, len(parts) + 1):
        row = ".".join(parts[:size])
        with suppress(UserError):
            number_knobs(game, data, f"{file}#{row}.*")
            return row
    return path


def effect_fields(game: GameSpec, file: str, row: str) -> list[str]:
    """Return the fields of a row that may hold lists of effects."""
    names = fields_of_row(*game_file(game, file), f"{row}.*")
    return [name.removeprefix(f"{row}.") for name in names]


def ways_to_numbers(
    value: Any, way: tuple[str, ...] = (), listed: bool = False, entries: bool = False
) -> Iterator[tuple[str, ...]]:
    """Yield the paths of whole numbers inside the lists of a value, which itself has the path `way`.

    `listed` tells whether the value itself lies in a list. With `entries`, numbers in fields of a table that lies in a
    list are left out.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if listed:
            yield way
    elif isinstance(value, list):
        for place, inner in enumerate(value, start=1):
            yield from ways_to_numbers(inner, (*way, str(place)), True, entries)
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from ways_to_numbers(inner, (*way, str(name)), listed and not entries, entries)


def find_turn(game: GameSpec, data: Data, part: Part, place: str, text: str) -> Turn | None:
    """Return the number at the path `text`, or None if it is not a whole number that can be varied.

    `place` is the path of the part, or the one of its paths under which the number lies.
    """
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
        path, _, field = path.partition(".")  # the part is several fields of a row: name the field
        own = f"{field}.{own}"
    whole = text == place or own.isdecimal()
    short = field_words(game, file, path, own) if inside else "" if whole else field_label(game, own)
    name = name_by_reading(game, data.settings, part.name) or part_words(part)
    name = field_label(game, part.name) if text == place and name == part_words(part) and "." not in part.name else name
    name = name if short == name else f"{name}: {short}"
    low, high = (None, None) if limits is None else (limits.low, limits.high)
    return Turn(text, part, name.strip(": "), present, low, high, weakening(part, text))


def weakening(part: Part, text: str) -> int:
    """Return the direction that makes the faction weaker, see `Turn.weakens`."""

    def within(changes: Sequence[str]) -> bool:
        paths = [change.partition("=")[0] for change in changes]
        return any(text == path or text.startswith(f"{path}.") for path in paths)

    if within(part.changes.get("free", ())) or PRICES & set(text.partition("#")[2].split(".")):
        return 1
    return -1 if within(part.changes.get("none", ())) or text in part.places else 0


def numbers_of_parts(game: GameSpec, data: Data, parts: Sequence[Part]) -> list[Turn]:
    """Return the numbers of some parts that can be varied. Their names differ, and copies of a card count as one."""
    return named_apart(copies_together(game, numbers_in_parts(game, data, parts)))


def changed_already(game: GameSpec, turns: Sequence[Turn], changes: Sequence[str]) -> list[Turn]:
    """Return `turns` with their values after `changes` of the game. Numbers that the changes removed are left out."""
    result = []
    for turn in turns:
        with suppress(UserError):
            present = number_after(game, turn.text, turn.present, changes)
            if isinstance(present, int) and not isinstance(present, bool):
                result.append(replace(turn, present=present))
    return result


def named_apart(turns: Sequence[Turn]) -> list[Turn]:
    """Return numbers with distinct names. Equal names get a count."""
    names = distinct_names([turn.name for turn in turns])
    return [replace(turn, name=name) for turn, name in zip(turns, names, strict=True)]


def copies_together(game: GameSpec, turns: Sequence[Turn]) -> list[Turn]:
    """Merge the numbers of identical cards into one each, because a change would be printed on all copies."""
    alike: dict[tuple[str, str], list[Turn]] = {}
    for turn in turns:
        (place, *_) = turn.part.places
        printed = place if turn.part.piece is None else printed_on(game, place)
        alike.setdefault((printed, turn.text.removeprefix(place)), []).append(turn)
    return [first if not more else joint_changes(first, more) for first, *more in alike.values()]


def joint_changes(first: Turn, more: Sequence[Turn]) -> Turn:
    """Merge the number of a card with the same number of its copies (`more`): one `Turn` that changes all of them."""
    card = f"{first.part.name.partition(' (')[0]} (all {1 + len(more)})"
    name = f"{card}{first.name.removeprefix(first.part.name)}"
    return replace(first, name=name, copies=tuple(turn.text for turn in more))


def printed_on(game: GameSpec, place: str) -> str:
    """Return the file and the printed content of the card at the path `place`, without fields that differ in copies."""
    file, _, row = place.partition("#")
    shown = {name: value for name, value in find_row(game, file, row).items() if name not in NAMES_OF_COPIES}
    return f"{file} {sorted(shown.items())}"


class Loaded:
    """Cache of a game's tables with changes. A search needs the same tables again and again.

    The search starts from a plan's tables and changes. An arm may change one of their numbers again.
    """

    def __init__(self, plan: Plan) -> None:
        self.game, self.data = plan.game, plan.data
        self.base = [text for text in plan.changes if parse_change(text).file in plan.game.files]
        self.found: dict[tuple[str, ...], Data | None] = {(): plan.data}
        self.known: dict[tuple[str, ...], bool] = {}

    def tables(self, changes: Sequence[str]) -> Data | None:
        """Return the tables with some changes. None if the game does not accept the changes."""
        key = tuple(changes)
        if key not in self.found:
            if len(self.found) >= MAX_TABLES:
                self.found.pop(next(iter(self.found)))
            try:
                together = list(map(parse_change, with_later(self.base, changes)))
                self.found[key] = self.game.load(self.data.settings, together)
            except UserError:
                self.found[key] = None
        self.known[key] = self.found[key] is not None
        return self.found[key]

    def takes(self, changes: Sequence[str]) -> bool:
        """Tell whether the game accepts some changes. The answer stays cached, even if the tables do not."""
        key = tuple(changes)
        return self.known[key] if key in self.known else self.tables(changes) is not None


def first_values(loaded: Loaded, turn: Turn, held: Arm = ()) -> list[int]:
    """Return the values of a number to try in the first round: up to two below and two above the present value.

    On each side, these are the nearest and the farthest value within `LARGE_STEP` steps that the game allows together
    with the changes `held`.
    """
    values: list[int] = []
    for direction in (-1, 1):
        sizes = [turn.present + direction * size for size in range(1, LARGE_STEP + 1)]
        small = next((value for value in sizes if fits_game(loaded, turn, value, held)), None)
        if small is not None:
            values += [small, next(value for value in reversed(sizes) if fits_game(loaded, turn, value, held))]
    return list(dict.fromkeys(values))


def fits_game(loaded: Loaded, turn: Turn, value: int, held: Arm = ()) -> bool:
    """Tell whether the game accepts a value of a number together with the changes already made (`held`)."""
    return turn.takes(value) and loaded.takes(arm_changes(with_arm(held, ((turn, value),))))
