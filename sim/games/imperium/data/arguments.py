"""Reads the arguments of operations in the TOML files (numbers, words and selectors) and encodes them as numbers.

A selector selects cards: words such as "region|fame" or "card:NAME", or { not = ... }.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.data.catalog import MAX_NUMBER
from sim.data.place import Place
from sim.data.programs import Argument, Code, bits_of, one_of, one_word
from sim.errors import UserError
from sim.games.imperium.data.catalog import TYPES, Card
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.tables import MAX_SELECTORS

# ---- Numbers and words ----


def _whole_number(least: int, message: str, allowed: str) -> Argument:
    """Return a reader for whole numbers from `least` to `MAX_NUMBER`.

    For other values the reader raises an error with `message` and the `allowed` values.
    """

    def read(_: Code, value: object, place: Place) -> int:
        if type(value) is not int or not least <= value <= MAX_NUMBER:
            raise place.wrong(message, value, allowed)
        return value

    return read


read_number = _whole_number(0, "not a number of things", f"a whole number from 0 to {MAX_NUMBER}")
"""Reads a number of things."""
read_change = _whole_number(-MAX_NUMBER, "not a number", f"a whole number from {-MAX_NUMBER} to {MAX_NUMBER}")
"""Reads a number to be added to another one, which may be negative."""
_read_units = _whole_number(1, "not a count", f'a whole number from 1 to {MAX_NUMBER}, "up_to" and a number, or "all"')

SEARCHED = ("hand", "discard", "draw_deck", "nation")
"""Zones that a search covers if the effect names none."""


def _zones(_: Code, value: object, place: Place) -> int:
    return bits_of(constants.ZONE_NAMES, list(SEARCHED) if value == "default" else value, place)


def read_suits(_: Code, value: object, place: Place) -> int:
    """Return a list of suits, or ["any"], encoded as bits."""
    return (1 << len(constants.SUITS)) - 1 if value == ["any"] else bits_of(constants.SUITS, value, place)


def _true(_: Code, value: object, place: Place) -> int:
    if value is not True:
        raise place.wrong("not allowed here", value, "true, or leave it out")
    return 1


def _token(_: Code, value: object, place: Place) -> int:
    return one_of(constants.RESOURCES, value, place) + 1 << constants.TOKEN_SHIFT


def read_count(code: Code, left: list[Any], place: Place, wrong_count: Callable[[], UserError]) -> tuple[int, int]:
    """Take a count from the arguments that are left; return its number (or `ALL_OF`) and its flag, `UP_TO` or 0.

    Files write it as `4`, `"up_to", 4`, `"all"` or `"any_number"`.
    """
    value = left.pop(0)
    if value in ("all", "any_number"):
        return constants.ALL_OF, 0
    if value == "up_to":
        if not left:
            raise wrong_count()
        return _read_units(code, left.pop(0), place), constants.UP_TO
    return _read_units(code, value, place), 0


# ---- Selectors ----


@dataclass
class Context:
    """The `context` of a `Code`: the data that the compiler of effects needs besides the effects.

    Attributes
    ----------
    attacks
        Whether the card being compiled has the attack icon.
    selectors
        Index of every selector compiled so far. Keys are tuples with a bool for each card: whether it is selected.
    selectors_said
        Index of every selector compiled so far. The key is the selector's text in the files.
    selector_names
        Text of every selector, by index.
    """

    cards: Sequence[Card]
    attacks: bool = False
    selectors: dict[tuple[bool, ...], int] = field(default_factory=dict)
    selectors_said: dict[str, int] = field(default_factory=dict)
    selector_names: list[str] = field(default_factory=list)


PLAIN_SELECTORS = (
    "any",
    *constants.SUITS,
    *constants.ICONS,
    *TYPES,
    "pinned",
    "pinned_not_region",
    "attack",
    "state:barbarian",
    "state:empire",
    "vp_icon:fixed",
    "vp_icon:negative",
    "vp_icon:conditional",
    "vp_icon:variable",
)


def read_selector(code: Code, what: object, place: Place) -> int:
    """Return the index of a selector. Selectors of the same cards have the same index.

    Raises
    ------
    UserError
        The selector is unknown or selects no card, or there are too many different selectors.
    """
    context: Context = code.context
    said = repr(what)
    if said not in context.selectors_said:
        meant = tuple(_meant(context.cards, what, place))
        if meant not in context.selectors and len(context.selectors) == MAX_SELECTORS:
            raise place.wrong("too many different selectors", what, f"at most {MAX_SELECTORS}")
        if meant not in context.selectors:
            context.selectors[meant] = len(context.selectors)
            context.selector_names.append(_in_short(what))
        context.selectors_said[said] = context.selectors[meant]
    return context.selectors_said[said]


def _in_short(what: Any) -> str:
    return f"not {_in_short(what['not'])}" if isinstance(what, dict) else what.removeprefix("card:")


def _meant(cards: Sequence[Card], what: object, place: Place) -> list[bool]:
    """Tell for every card whether a selector selects the card."""
    if isinstance(what, dict):
        if list(what) != ["not"]:
            raise place.wrong("not a selector", what, "{ not = ... }")
        return [not meant for meant in _meant(cards, what["not"], place)]
    if not isinstance(what, str):
        raise place.wrong("not a selector", what, PLAIN_SELECTORS)
    either = [_meets(cards, word, place) for word in what.split("|")]
    return [any(meets) for meets in zip(*either, strict=True)]


def _meets(cards: Sequence[Card], word: str, place: Place) -> list[bool]:
    kind, _, rest = word.partition(":")
    if kind == "card":
        names = sorted({card.name for card in cards})
        if rest not in names:
            raise place.wrong("no card of this name", rest, names)
        return [card.name == rest for card in cards]
    if kind == "named":
        found = [bool(rest) and rest in card.name for card in cards]
        if not any(found):
            raise place.wrong("no card name contains this", rest, sorted({card.name for card in cards}))
        return found
    if word not in PLAIN_SELECTORS:
        allowed = [*PLAIN_SELECTORS, "card:NAME", "named:TEXT"]
        raise place.wrong("unknown selector", word, allowed)
    return [_has(card, word) for card in cards]


def _has(card: Card, word: str) -> bool:
    """Tell whether a one-word selector selects a card."""
    kind, _, rest = word.partition(":")
    if word in ("any", "pinned", "attack"):
        return word == "any" or bool(getattr(card, word))
    if word == "pinned_not_region":
        return card.pinned and "region" not in card.suits
    if kind == "state":
        return card.state == rest
    if kind == "vp_icon":
        return card.points_icon == rest
    return word in card.suits or word in card.types or bool(getattr(card.icons, word, 0))


def read_own_selector(code: Code, what: object, place: Place) -> int:
    """Return the index of a selector, or the number that stands for the card itself or for the drawn cards."""
    if what == "self":
        return constants.SELF
    return constants.DRAWN_IT if what == "it" else read_selector(code, what, place)


WORDS: dict[str, Sequence[str]] = {
    "R": constants.RESOURCES,
    "ICON": constants.ICONS,
    "STATE": constants.STATES,
    "ZONE": constants.ZONE_NAMES,
    "FROM": ("each_other", "each_other_with_region_in_play", "each_other_in_empire"),
    "REASON": constants.END_REASONS,
}
"""Kinds of arguments that are one word. The words of "FROM" say from whom an effect steals, in the order of
`EACH_OTHER` to `IN_EMPIRE` of `constants`."""
KINDS: dict[str, Argument] = {
    **{kind: one_word(known) for kind, known in WORDS.items()},
    "N": read_number,
    "ZONES": _zones,
    "SUITS": read_suits,
    "WHAT": read_selector,
    "CARD": read_own_selector,
    "true": _true,
    '"free"': one_word(("free",), 1),
    "only exile": one_word(("exile",), constants.ONLY_EXILE),
    "also exile": one_word(("exile",), constants.ALSO_EXILE),
    "plays it": one_word(("free_play_it",), constants.PLAYS_IT),
    "token": _token,
}
"""For each kind of argument, the function that reads it. The keys are the names of the kinds in messages."""
read_resource, read_icon, read_state = KINDS["R"], KINDS["ICON"], KINDS["STATE"]
