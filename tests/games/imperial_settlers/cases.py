"""Rules as rows of tables: a small position, moves, and what is so then; played by the engine and by the slow model.

    case("a location is paid for", on(romans("2 wood 1 stone", "Town")), build("Town"), goods="1 wood 2 worker")

A location may be followed by what lies on it: `"Mill, Castle: used 1 goods 1 worker, Shrine: samurai banked 3 wood"`.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from tests.games.imperial_settlers.naive import UnpredictableError
from tests.games.imperial_settlers.naive_making import by_model, compared
from tests.kit.inspecting import Inspector

INSPECTOR = Inspector("imperial_settlers")
DATA, inspect = INSPECTOR.data, INSPECTOR.inspect
Said = dict[str, Any]
COMMON = "Watchtower, Lumberjacks, Settlers, Confectioner"
OWN = {
    "barbarians": "Settlement, Raid, Idol",
    "japanese": "Rice Fields, Geisha House, Sumo School",
    "romans": "Legion, Builder, Gardens",
    "egyptians": "Slaves, Pyramid, Desert",
}
"""Decks of positions that name none, top first."""
SCORES = ("track", "common", "faction", "cards", "total", "rank")


class Case(NamedTuple):
    """A position with moves, which of them are refused, why the last one is, and what is so after them."""

    name: str
    position: Said
    refused: tuple[int, ...]
    says: str
    modelled: bool
    expected: Said


# ---- Positions ----


def listed(text: str) -> list[str]:
    """Names of a text such as "Mill, Town"."""
    return text.split(", ") if text else []


def goods(text: str) -> dict[str, int]:
    """Goods of a text such as "2 wood 1 gold"."""
    words = text.split()
    return {good: int(number) for number, good in zip(words[::2], words[1::2], strict=True)}


def location(text: str) -> tuple[str, Said]:
    """Name of a location, and what the text says to lie on it."""
    name, _, rest = text.partition(": ")
    said: Said = {}
    words = rest.split()
    while words:
        key = words.pop(0)
        if key in ("goods", "banked"):
            said[key], words = goods(" ".join(words)), []
        else:
            said[key] = int(words.pop(0)) if words and words[0].isdigit() else True
    return name, said


def player(faction: str, has: str = "", hand: str = "", at: str = "", **keys: Any) -> Said:
    """A player with goods and points, hand cards and locations; cards of other places may be given as words too."""
    places = [{"card": name, **said} if said else name for name, said in map(location, listed(at))]
    supply = goods(has)
    keys = {key: listed(value) if isinstance(value, str) else value for key, value in keys.items()}
    if "vp" in supply:
        keys["vp"] = supply.pop("vp")
    return {"faction": faction, "goods": supply, "hand": listed(hand), "locations": places, **keys}


barbarians, japanese, romans, egyptians = (partial(player, faction) for faction in OWN)


def on(*players: Said, common: str = COMMON, discards: str = "", **said: Any) -> Said:
    """A position; a player alone is given an opponent without anything, unless the game is solo."""
    seats = [{"deck": listed(OWN[one["faction"]]), **one} for one in players]
    if len(seats) == 1 and "solo" not in said:
        seats.append(player("romans" if seats[0]["faction"] != "romans" else "barbarians", deck=""))
    of_words: dict[str, Callable[[Any], Any]] = {"solo": solo_of, "row": listed}
    said = {key: of_words[key](value) if key in of_words else value for key, value in said.items()}
    piles = {"decks": {"common": listed(common)}, "discards": {"common": listed(discards)}}
    return {"players": seats, **piles, **said}


def solo_of(said: Said) -> Said:
    """What belongs to the virtual player, with lists as words."""
    return {key: value.split() if key in ("row", "deck") else listed(value) if key == "locations" else value
            for key, value in said.items()}  # fmt: skip


# ---- Moves ----


def move(do: str, p: int | None = 0, **keys: Any) -> Said:
    """A move; payments and lists may be given as words, `for_` stands for "for"."""
    said: Said = {"do": do} if p is None else {"p": p, "do": do}
    for key, value in keys.items():
        of_words: dict[str, Callable[[str], Any]] = dict.fromkeys(("pay", "goods", "convert"), goods)
        of_words |= dict.fromkeys(("draw", "for_", "cards", "samurai"), listed)
        said[key.removesuffix("_")] = of_words[key](value) if key in of_words and isinstance(value, str) else value
    return said


def build(card: str, **keys: Any) -> Said:
    return move("build", card=card, **keys)


def deal(card: str, **keys: Any) -> Said:
    return move("deal", card=card, **keys)


def raze(**keys: Any) -> Said:
    return move("raze", **keys)


def use(name: str, **keys: Any) -> Said:
    return move("activate", location=name, **keys)


def exchange(wanted: str, **keys: Any) -> Said:
    return move("exchange", for_=wanted, **keys)


def produce(**choices: Any) -> Said:
    """Produce with choices, whose names have `_` for spaces."""
    return move("produce", choices={name.replace("_", " "): value for name, value in choices.items()})


def take(p: int, card: str) -> Said:
    return move("take", p, card=card)


def passes(p: int = 0) -> Said:
    return move("pass", p)


BEGIN, CLEANUP, ATTACK = (move(word, None) for word in ("begin", "cleanup", "attack"))


# ---- Cases ----


def case(
    name: str, position: Said, *moves: Said, no: Any = None, says: str = "", modelled: bool = True, **expected: Any
) -> Case:
    """A row of a table.

    Parameters
    ----------
    no, says
        Places of the moves that are refused, or one place; words of the reason why the last move is refused.
    modelled
        Whether the slow model is asked too, which takes moves for well formed.
    **expected
        What is so afterwards, by its name in results, with the number of the seat unless it is 0: `goods`, `hand1`.
    """
    no = (len(moves) - 1 if says else ()) if no is None else no
    refused = (no,) if isinstance(no, int) else tuple(no)
    return Case(name, {**position, "moves": list(moves)}, refused, says, modelled, expected)


def rows(*cases: Case) -> Any:
    """Run a test with each of some cases."""
    return pytest.mark.parametrize("case", cases, ids=[each.name for each in cases])


def told(result: Said, key: str) -> Any:
    """What a result says under the name of an expectation."""
    name = key.rstrip("0123")
    who = result["players"][int(key[len(name) :] or 0)]
    match name:
        case "goods" | "makes":
            return {good: n for good, n in who["goods" if name == "goods" else "production"].items() if n}
        case "at":
            return who["locations"]
        case "choices":
            return sorted(who["production_choices"])
        case "on":
            return {label: without_none(things) for label, things in who["on"].items()}
        case "can":
            return result["legal"]
        case "dropped":
            return sorted(result["discards"]["common"])
        case "his" | "row_of_attacks" | "attacks":
            return result["solo"][{"his": "locations", "row_of_attacks": "row", "attacks": "deck"}[name]]
    if name in SCORES:
        return who["score"][name]
    places = [one for one in (who, result, result["solo"] or {}) if name in one]
    value = places[0][name]
    return sorted(value) if name in ("hand", "deals", "discard", "pack") else value


def without_none(things: Said) -> Said:
    return {key: {good: n for good, n in value.items() if n} if isinstance(value, dict) else value
            for key, value in things.items()}  # fmt: skip


def meant(key: str, value: Any) -> Any:
    """What an expectation given in words means."""
    name = key.rstrip("0123")
    if not isinstance(value, str):
        return value
    of_words: dict[str, Callable[[str], Any]] = {
        "goods": goods, "makes": goods, "on": lambda text: dict(map(location, listed(text))), "at": listed,
        "row": listed, "his": listed, "choices": listed, "row_of_attacks": str.split,
        **dict.fromkeys(("hand", "deals", "discard", "pack", "dropped"), lambda text: sorted(listed(text))),
    }  # fmt: skip
    return of_words[name](value) if name in of_words else value


def check(case: Case, **settings: object) -> None:
    """Play a case with the engine; look at what is expected, and compare all of it with what the slow model makes."""
    result = inspect(case.position, **settings)
    refused = tuple(place for place, each in enumerate(result["moves"]) if not each["ok"])
    assert refused == case.refused, result["moves"]
    assert case.says in (result["moves"][-1].get("reason", "") if case.says else "")
    for key, value in case.expected.items():
        if key == "cannot":
            assert not set(value.split()) & set(result["legal"])
        elif key == "can":
            assert {what: result["legal"].get(what) for what in value} == value
        else:
            assert told(result, key) == meant(key, value), key
    if case.modelled and not settings:
        try:
            model = by_model(case.position)
        except UnpredictableError:
            return
        assert model == compared(result)
