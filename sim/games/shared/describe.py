"""Describes game records for code outside kernels: cards in a zone, numbers by name, lists as strings."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.game import Data


def cards_in(g: Record, owner: int, zone: int) -> list[int]:
    """Return the cards in a zone, from bottom to top."""
    return [int(card) for card in g.zone[owner, zone, : g.zone_size[owner, zone]]]


def by_name(names: Iterable[str], numbers: Iterable[Any]) -> dict[str, int]:
    """Return a dictionary from each name to the number at the same index, as an int."""
    return {name: int(number) for name, number in zip(names, numbers, strict=False)}


def names_of_bits(names: Sequence[str], bits: int) -> list[str]:
    """Return the names whose bits are set in `bits`. The first name has bit 0."""
    return [name for bit, name in enumerate(names) if bits >> bit & 1]


def seat_or_none(seat: int) -> int | None:
    """Return a seat, or None for a negative number, which stands for no seat."""
    return int(seat) if seat >= 0 else None


def piece_name(data: Data, piece: int) -> str | None:
    """Return the name of a piece, or None for a negative number, which stands for no piece."""
    return data.pieces[piece] if piece >= 0 else None


def bits_of_names(names: Sequence[str], chosen: Iterable[str]) -> int:
    """Return the bits of the chosen names. The first of `names` has bit 0."""
    return sum(1 << names.index(name) for name in chosen)


def join_names(names: Iterable[str], none: str = "none") -> str:
    """Return names joined with commas, or the string `none` if there are no names."""
    return ", ".join(names) or none


def number_and_noun(number: int, one: str, many: str = "") -> str:
    """Return a number of things as a string: "1 coin", "2 coins". `many` is the plural, by default `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def near_names(names: Iterable[str], name: str, otherwise: str) -> list[str] | str:
    """Return the names that are most similar to a name, for a message, or `otherwise` if no name is similar."""
    folded = {known.casefold(): known for known in names}
    near = difflib.get_close_matches(name.casefold(), list(folded), n=4, cutoff=0.5)
    return [folded[match] for match in near] or otherwise


def amounts(numbers: Mapping[str, int], none: str = "nothing") -> str:
    """Return the numbers that are not 0 as a string: "2 wood, 1 gold"."""
    return join_names((f"{number} {name}" for name, number in numbers.items() if number), none)


def move_lines(moves: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a line for each result of a move: the line says that the move was made, or why it is against the rules."""
    return [
        f"Move {number}: " + ("made" if move["ok"] else f"against the rules, {move['reason']}")
        for number, move in enumerate(moves, start=1)
    ]
