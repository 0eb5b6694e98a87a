"""Valid documents changed at random; hypothesis draws short descriptions of changes, easy to read when one fails."""

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date, time
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sim.errors import UserError, printable

LONG = "long " * 1000
LONGEST_MESSAGE = 4000
"""Characters of a message with a list of names; what was read takes a small part of it."""
DEEP = 300


def deep() -> Any:
    """Lists inside each other, deeper than any document is."""
    nest: Any = []
    for _ in range(DEEP):
        nest = [nest]
    return nest


NUMBERS = (
    0, 1, -1, 2, 7, 255, 2**31, -(2**31) - 1, 2**63, 10**30, 10**400,
    0.5, -0.0, 1e308, float("nan"), float("inf"),
)  # fmt: skip
TEXTS = (
    "", " ", "a", "all", "0", "../up", "/", "=1+1", "e\u0301\u6f22", "\u202e",
    "line\nbreak", "nul\x00", "[1]", "a,b@1",
)  # fmt: skip
OTHERS = (None, True, False, [], {}, [[]], [{}], [0], [""], {"a": 1}, {"": {}}, "deep", date(2024, 2, 29), time(1))
VALUES = (*NUMBERS, *TEXTS, LONG, *OTHERS)


class Mutation(NamedTuple):
    """One change of a document: at which of its places (modulo their number), how, and with what."""

    place: int
    how: str
    value: Any
    other: int


WAYS = ("replace", "delete", "rename", "double", "swap", "nudge", "wrap", "nearly")
PLACES = st.integers(0, 10**6)
MUTATIONS = st.lists(
    st.builds(Mutation, PLACES, st.sampled_from(WAYS), st.sampled_from(VALUES), PLACES), min_size=1, max_size=3
)


def places_in(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Ways to everything inside a document."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places_in(inner, (*path, key))


def at(document: Any, path: Sequence[Any]) -> Any:
    """What stands at the end of a way."""
    for key in path:
        document = document[key]
    return document


def mutated(document: Any, mutations: Sequence[Mutation]) -> Any:
    """Return a copy of a document with changes; the document itself stays as it is."""
    document = copy.deepcopy(document)
    for mutation in mutations:
        places = list(places_in(document))
        if places:
            mutate(document, places, mutation)
    return document


def mutate(document: Any, places: Sequence[tuple[Any, ...]], mutation: Mutation) -> None:
    """Make one change in a document."""
    *above, key = places[mutation.place % len(places)]
    holder = at(document, above)
    value, present = deep() if mutation.value == "deep" else copy.deepcopy(mutation.value), holder[key]
    match mutation.how:
        case "delete":
            del holder[key]
        case "rename" if isinstance(holder, dict):
            holder[f"{key}s" if mutation.other % 2 else str(value)] = holder.pop(key)
        case "double" if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(present))
        case "double" if isinstance(holder, dict):
            holder[f"{key}2"] = copy.deepcopy(present)
        case "swap":
            holder[key] = copy.deepcopy(at(document, places[mutation.other % len(places)]))
        case "nudge" if isinstance(present, int | float):
            holder[key] = present + (1 if mutation.other % 2 else -1)
        case "nearly" if isinstance(present, str):
            holder[key] = present[1:] if mutation.other % 2 else f"{present}x"
        case "wrap":
            holder[key] = [present] if mutation.other % 2 else {"in": present}
        case _:
            holder[key] = value


BYTE_MUTATIONS = st.lists(
    st.tuples(PLACES, st.sampled_from(("flip", "cut", "insert", "drop")), st.binary(min_size=1, max_size=4)),
    min_size=1,
    max_size=3,
)


def mutated_bytes(content: bytes, mutations: Sequence[tuple[int, str, bytes]]) -> bytes:
    """Return a file's bytes with some flipped, put in or left out, or the end cut off."""
    for number, how, bits in mutations:
        place = number % max(len(content), 1)
        before, behind = content[:place], content[place + len(bits) :]
        match how:
            case "flip":
                content = before + bytes(a ^ (b or 1) for a, b in zip(content[place:], bits, strict=False)) + behind
            case "insert":
                content = before + bits + content[place:]
            case "drop":
                content = before + behind
            case "cut":
                content = before
    return content


def try_all(examples: st.SearchStrategy[Any], check: Callable[[Any], None], count: int) -> None:
    """Check so many examples, the same ones every time."""
    only = settings(
        max_examples=count, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    only(given(examples)(check))()


def try_changed(file: Path, document: Any, look: Callable[[], Any], count: int) -> None:
    """Write `count` changed versions of a document to a file as JSON, and call `look` on each."""

    def check(mutations: Any) -> None:
        file.write_text(json.dumps(mutated(document, mutations), default=str), "utf-8", "surrogatepass")
        look()

    try_all(MUTATIONS, check, count)


def try_broken(file: Path, content: bytes, look: Callable[[], Any], count: int) -> None:
    """Write `count` versions of a file with broken bytes, and call `look` on each."""

    def check(mutations: Any) -> None:
        file.write_bytes(mutated_bytes(content, mutations))
        look()

    try_all(BYTE_MUTATIONS, check, count)


def told(act: Callable[[], Any]) -> Any:
    """Do something that may fail with a clear message; return what it returns, None where it says what is wrong.

    Any other error comes out of it, and is what the fuzzing looks for.
    """
    try:
        return act()
    except UserError as error:
        message = str(error)
        assert message
        assert len(message) < LONGEST_MESSAGE, message
        assert LONG[:400] not in message
        assert printable(message, lines=False) == message
        return None
