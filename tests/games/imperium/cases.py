"""Rules as rows of tables: a small position, what is done, and what is so then.

    test_playing = rows(
        case("an action is paid for", at(hand="1TRI8"), play("1TRI8"), have=(4, 0, 0), discard="Aksumites", actions=2),
    )

Zones are words: `hand="Glory, Unrest"`; those of another seat have its number: `hand1="Glory"`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from sim.games.imperium.rules import constants
from tests.games.imperium import playing
from tests.games.imperium.playing import may_play, may_use
from tests.games.imperium.tables import (
    NAMES,
    SEAT_ZONES,
    TABLE_ZONES,
    T,
    card,
    have,
    in_market,
    names,
    table,
    tables_with,
    unrest_pile,
)

Step = Callable[[Any, Any], None]
ORDERED = {"deck", "nation", "fame"}
"""Zones in which the order of the cards is looked at."""
BY_CARD = {"exhausted", "stored"}


class Case(NamedTuple):
    """What is laid out, what is done with it, and what is so then."""

    name: str
    laid: dict[str, Any]
    steps: tuple[Step, ...]
    expected: dict[str, Any]


def case(name: str, laid: dict[str, Any], *steps: Step, **expected: Any) -> Case:
    """A row of a table; see `told` for what may be expected."""
    return Case(name, laid, steps, expected)


def rows(*cases: Case) -> Callable[[Case], None]:
    """Return a test that checks each of these cases."""

    @pytest.mark.parametrize("case", cases, ids=[each.name for each in cases])
    def test(case: Case) -> None:
        check(case)

    return test


def at(**laid: Any) -> dict[str, Any]:
    """What to lay out: zones and `has` (resources) by words, by seat; `rules` are settings; other keys of `table`.

    With `tables` it is played with others than those of the game as printed.

    Of the record may be set `tokens` by market slot, `exhausts` and `actions` of seat 0 or of others, `exhausted` and
    `stored` by card, and what else has one number.
    """
    return laid


def listed(text: Any) -> list[str]:
    """Names of a text such as "Glory, Unrest"."""
    return [] if text == "" else text.split(", ") if isinstance(text, str) else list(text)


def split(key: str) -> tuple[str, int]:
    """Name and seat of a key such as "hand1"."""
    name = key.rstrip("0123")
    return name, int(key[len(name) :] or 0)


def lay_out(laid: dict[str, Any]) -> tuple[Any, Any]:
    """A record of what is laid out, and the tables that it is played with."""
    t = laid["tables"] if "tables" in laid else tables_with(**laid["rules"]) if "rules" in laid else T
    zones: dict[str, Any] = {"t": t}
    numbers: dict[str, Any] = {}
    for key, value in laid.items():
        name, seat = split(key)
        if name in SEAT_ZONES:
            zones.setdefault(name, {})[seat] = listed(value)
        elif name == "has":
            zones.setdefault("resources", {})[seat] = value
        elif name == "garrison":
            zones.setdefault(name, {})[seat] = {host: listed(guests) for host, guests in value.items()}
        elif name in TABLE_ZONES or name in ("nations", "market"):
            zones[name] = [one if one != "-" else None for one in listed(value)]
        elif name in ("players", "unrest", "empire", "power", "commons", "turn"):
            zones[name] = value
        elif name not in ("rules", "tables"):
            numbers[key] = value
    g = table(**zones)
    for key, value in numbers.items():
        name, seat = split(key)
        if name == "tokens":
            for slot, number in value.items():
                g.market_tokens[slot] = number
        elif name in BY_CARD:
            for one, number in value.items():
                g[name][card(one)] = number
        elif g[name].shape:
            g[name][seat] = value
        else:
            g[name] = value
    return g, t


def told(g: Any, key: str) -> Any:
    """What a record says under the name of an expectation: `hand1`, `have`, `unrest` of the pile, `slot0`, a number."""
    name, seat = split(key)
    if name in SEAT_ZONES or name == "garrison":
        return names(g, seat, SEAT_ZONES.get(name, constants.GARRISON))
    if name in TABLE_ZONES:
        return names(g, constants.TABLE, TABLE_ZONES[name])
    if name == "have":
        return tuple(have(g, seat))
    if name == "unrest":
        return unrest_pile(g)
    if name == "slot":
        return in_market(g)[seat]
    if name == "tokens":
        return tuple(int(number) for number in g.market_tokens[seat])
    if name == "treated":
        return bool(g.treated.any())
    if name == "under":
        return bool(g.market_unrest[seat] != constants.NO_CARD)
    return int(g[name][seat] if g[name].shape else g[name])


def check(case: Case) -> None:
    """Do what a case says, and look at what is expected."""
    g, t = lay_out(case.laid)
    for step in case.steps:
        step(g, t)
    for key, value in case.expected.items():
        name = split(key)[0]
        if name in BY_CARD:
            assert {one: int(g[name][card(one)]) for one in value} == value, key
        elif name.endswith("_has"):
            assert set(listed(value)) <= set(told(g, key.replace("_has", ""))), key
        elif isinstance(found := told(g, key), list):
            order: Callable[[Any], Any] = list if name in ORDERED else sorted
            assert order(found) == order(listed(value)), key
        else:
            assert found == value, key


# ---- Steps ----


def step(do: Callable[..., None], *wishes: Any, **keys: Any) -> Step:
    """Something to be done with a record and its tables later."""
    return lambda g, t: do(g, *wishes, t=t, **keys)


play, use, solstice_of, solstice, turn, draws = (
    partial(step, do)
    for do in (playing.play, playing.use, playing.solstice_of, playing.solstice, playing.turn, playing.draws)
)


def may(name: str) -> Step:
    """Check that a hand card may be played, or used if it lies in play."""
    return lambda g, t: _judge(g, t, name, True)


def may_not(name: str) -> Step:
    """Check that it may not."""
    return lambda g, t: _judge(g, t, name, False)


def _judge(g: Any, t: Any, name: str, expected: bool) -> None:
    in_hand = name in {*names(g, 0, constants.HAND)} or NAMES[card(name)] in names(g, 0, constants.HAND)
    assert (may_play if in_hand else may_use)(g, name, t=t) is expected, name


def put(**numbers: Any) -> Step:
    """Set numbers of the record, those of seats for seat 0."""

    def change(g: Any, _t: Any) -> None:
        for name, value in numbers.items():
            g[name][0 if g[name].shape else ()] = value

    return change
