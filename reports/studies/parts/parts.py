"""Parts of a faction (stages, powers, cards, numbers of its row) and the changes that remove them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.studies.search.parameters import find_faction, find_knob, find_place, game_file, number_knobs, plain_words
from sim.data.changes import fields_of_row, parse_change, parse_value, with_value
from sim.errors import UserError, nearest
from sim.game import Data, GameSpec
from sim.players.batch import Plan

WAYS = ("none", "half", "free")
"""Ways to change a part: without its effects, with every number in its effects halved, without its price."""
HINTS = "hints"
"""Field of a row with numbers that only guide scripted players. They are not part of the printed game."""


@dataclass(frozen=True)
class Part:
    """A part of a faction.

    Attributes
    ----------
    name
        "stage 1", "Legions", "coins_start".
    places
        Prefixes of the paths that belong to the part: `FILE#ROW` or `FILE#ROW.FIELD`.
    changes
        Changes by way: none, half, free (`WAYS`). Ways that would change nothing are left out.
    piece
        Index of the part among the game's pieces. None if the part is not a piece.
    event
        See `sim.game.FactionPart`.
    """

    name: str
    places: tuple[str, ...]
    changes: Mapping[str, tuple[str, ...]]
    piece: int | None = None
    event: tuple[str, int] = ("", 0)


def relatives(game: GameSpec, data: Data, faction: int) -> tuple[int, ...]:
    """Return a faction and the factions that may share pieces with it, such as the other side of its board."""
    kinds = [other.attributes.get(game.exclusive) for other in data.factions]
    own = kinds[faction]
    return tuple(n for n, kind in enumerate(kinds) if n == faction or (own is not None and kind == own))


def concerned_share(plan: Plan, faction: int) -> float:
    """Return the expected share of games that deal a faction or its `relatives`. Only they change with the faction."""
    dealt = sum(number in plan.factions for number in relatives(plan.game, plan.data, faction))
    return min(plan.players * dealt / len(plan.factions), 1.0)


def part_words(part: Part) -> str:
    """Return the name of a part: 'coins start', 'board: worker', 'numbers (place 2)', 'points', or a card's name."""
    if part.piece is not None or part.name != part.places[0].partition("#")[2].partition(".")[2]:
        return part.name
    field, _, entry = part.name.rpartition(".")
    if field and entry.isdecimal():
        return f"{plain_words(field)} (place {entry})"
    return ": ".join(plain_words(one) for one in (field, entry) if one)


def parts_of(game: GameSpec, data: Data, faction: int) -> list[Part]:
    """Return all parts of a faction: those that the game declares, pieces in its own file, other numbers of its row."""
    declared = [] if game.faction_parts is None else list(game.faction_parts(data, faction))
    parts = [
        Part(
            one.name,
            (f"{one.file}#{one.row}",)
            if one.row.count(".")
            else tuple(f"{one.file}#{one.row}.{name.partition('.')[0]}" for name in one.nothing),
            changes_by_way(game, f"{one.file}#{one.row}", one.nothing, one.free),
            event=one.event,
        )
        for one in declared
    ]
    parts += own_pieces(game, data, faction)
    return [*parts, *remaining_numbers(game, data, faction, parts)]


def own_pieces(game: GameSpec, data: Data, faction: int) -> Iterator[Part]:
    """Yield the pieces in the faction's own file. A piece whose row is the row of a faction is left out."""
    if game.pieces is None or game.pieces.in_files is None or game.faction_place is None:
        return
    table, rows = game.pieces.in_files, [game.faction_place(data, other) for other in range(len(data.factions))]
    file, sides = rows[faction][0], [other.attributes.get(game.exclusive) for other in data.factions]
    others = [number for number, (own, _) in enumerate(rows) if own == file and number != faction]
    if any(not game.exclusive or sides[number] != sides[faction] for number in others):
        return  # the file belongs to several factions
    for piece, name in enumerate(data.pieces):
        place = table.place(data, piece)
        if place[0] == file and place not in rows:
            whole = "#".join(place)
            free = {} if table.free is None else table.free(data, piece)
            yield Part(name, (whole,), changes_by_way(game, whole, table.nothing(data, piece), free), piece)


def remaining_numbers(game: GameSpec, data: Data, faction: int, parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the numbers of the faction's row that belong to none of the given parts."""
    if game.faction_place is None:
        return
    file, row = game.faction_place(data, faction)
    lists = [
        f"{file}#{row}.{name}.{place}"
        for name, value in find_row(game, file, row).items()
        if isinstance(value, list)
        for place, entry in enumerate(value, start=1)
        if isinstance(entry, int) and not isinstance(entry, bool)
    ]
    for text in [*number_knobs(game, data, f"{file}#{row}.*"), *lists]:
        field = text.removeprefix(f"{file}#{row}.")
        if HINTS in field.split(".") or any(text.startswith(f"{place}.") for part in parts for place in part.places):
            continue
        knob = find_knob(game, data, text)
        present: Any = knob.present
        least = max(0.0 if knob.limits is None else knob.limits.low or 0.0, 0.0)
        lower = {"none": type(present)(least), "half": type(present)(max(halved(present), least))}
        changes = {way: (with_value(text, value),) for way, value in lower.items() if value < present}
        yield Part(field, (text,), changes)


def find_row(game: GameSpec, file: str, row: str) -> Mapping[str, Any]:
    """Return the fields of a row with their values, without the fields of nested tables."""
    whole = game_file(game, file)
    result = {name.removeprefix(f"{row}."): name for name in fields_of_row(*whole, f"{row}.*")}
    own = {short: name for short, name in result.items() if "." not in short}
    return {short: find_place(game, file, name).present for short, name in own.items()}


def changes_by_way(
    game: GameSpec, place: str, nothing: Mapping[str, str], free: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the changes of a part for each way (none, half, free). Ways that would change nothing are left out.

    `place` is the path of the part. `nothing` and `free` map fields of the part to TOML values: those that remove its
    effects, and those that remove its price.
    """
    file, _, row = place.partition("#")
    present = {name: find_place(game, file, f"{row}.{name}").present for name in (*nothing, *free)}
    half = {name: halved(present[name]) for name in nothing}
    result = {
        "none": [f"{place}.{name}={value}" for name, value in nothing.items() if present[name] != parse_value(value)],
        "half": [with_value(f"{place}.{name}", value) for name, value in half.items() if value != present[name]],
        "free": [f"{place}.{name}={value}" for name, value in free.items() if present[name]],
    }
    return {way: tuple(changes) for way, changes in result.items() if changes}


def halved(value: Any) -> Any:
    """Return a value with every number in it halved. Whole numbers are rounded towards 0, but 1 and -1 stay."""
    if isinstance(value, Mapping):
        return {name: halved(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [halved(inner) for inner in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if isinstance(value, float):
        return value / 2
    return value // 2 if value >= 2 else -(-value // 2) if value <= -2 else value


# ---- In words ----


@dataclass(frozen=True)
class NamedPart:
    """A part found by name, with its faction."""

    faction: int
    part: Part


def parts_named(game: GameSpec, data: Data, text: str) -> list[NamedPart]:
    """Find parts by name: "Halikarnassos B stage 1", or "Halikarnassos B all".

    Raises UserError if the text does not begin with a faction, or the faction has no such part. The error suggests the
    nearest name.
    """
    query = " ".join(text.split()).casefold()
    names = [faction.name for faction in data.factions]
    begins = [name for name in names if f"{query} ".startswith(f"{name.casefold()} ")]
    if not begins:
        words = query.split()
        near = next(filter(None, (nearest(" ".join(words[:size]), names) for size in range(len(words), 0, -1))), None)
        hint = f"; did you mean {near!r}?" if near else ""
        first = parts_of(game, data, 0)
        example = f"{names[0]} {first[0].name if first else ''}".strip()
        allowed = f"a {game.faction_title} and one of its parts, such as {example!r}{hint}"
        raise UserError("unknown part of the game", field="without", found=text, allowed=allowed)
    name = max(begins, key=len)
    number = names.index(name)
    parts = parts_of(game, data, number)
    rest = query[len(name) :].strip()
    chosen = [part for part in parts if rest in ("all", part.name.casefold(), part.name.casefold().replace("_", " "))]
    if not chosen:
        known = [part.name for part in parts]
        near = nearest(rest, known)
        hint = "" if near is None else f"; did you mean {near!r}?"
        shown = ", ".join(known[:20]) + (", ..." if len(known) > 20 else "")
        raise UserError(f"{name} has no such part", field="without", found=rest or text, allowed=f"{shown}, all{hint}")
    return [NamedPart(number, part) for part in chosen]


def faction_and_parts(game: GameSpec, data: Data, name: str) -> tuple[int, list[Part]]:
    """Return the faction with this name, and its parts.

    Raises UserError if the faction is unknown, or if the game's files lack its parts.
    """
    number = find_faction(game, data, name)
    parts = parts_of(game, data, number)
    if not parts:
        raise UserError("the game's files contain no parts of it", field="faction", found=name)
    return number, parts


def check_loads(game: GameSpec, data: Data, changes: Sequence[str]) -> bool:
    """Tell whether the game accepts these changes."""
    try:
        game.load(data.settings, [parse_change(text) for text in changes])
    except UserError:
        return False
    return True
