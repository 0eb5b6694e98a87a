"""Arguments of operations: how numbers, words and selectors stand in the files, and the numbers they become.

A selector says which cards an operation means: words such as "region|fame" or "card:NAME", or { not = ... }.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sim.data.programs import Argument, Code, Place, bits_of, one_of
from sim.errors import UserError
from sim.games.imperium import words
from sim.games.imperium.catalog import MOST, TYPES, Card
from sim.games.imperium.state import END_REASONS, ICONS, RESOURCES, STATES, SUITS, ZONE_NAMES
from sim.games.imperium.tables import MAX_SELECTORS

# ---- Numbers and words ----


def read_number(_: Code, value: object, place: Place) -> int:
    """Return a number of things.

    Raises
    ------
    UserError
        It is no such thing.
    """
    if type(value) is not int or not 0 <= value <= MOST:
        raise place.wrong("not a number of things", value, f"a whole number from 0 to {MOST}")
    return value


def read_change(_: Code, value: object, place: Place) -> int:
    """Return a change, which may be negative.

    Raises
    ------
    UserError
        It is no such thing.
    """
    if type(value) is not int or abs(value) > MOST:
        raise place.wrong("not a number", value, f"a whole number from {-MOST} to {MOST}")
    return value


def read_resource(_: Code, value: object, place: Place) -> int:
    """Return a resource.

    Raises
    ------
    UserError
        It is no such thing.
    """
    return one_of(RESOURCES, value, place)


def read_icon(_: Code, value: object, place: Place) -> int:
    """Return a region icon.

    Raises
    ------
    UserError
        It is no such thing.
    """
    return one_of(ICONS, value, place)


def read_state(_: Code, value: object, place: Place) -> int:
    """Return a state.

    Raises
    ------
    UserError
        It is no such thing.
    """
    return one_of(STATES, value, place)


def _zone(_: Code, value: object, place: Place) -> int:
    return one_of(ZONE_NAMES, value, place)


SEARCHED = ("hand", "discard", "draw_deck", "nation")
"""Where one looks for a card that is to be found, if the effect names no place."""


def _zones(_: Code, value: object, place: Place) -> int:
    return bits_of(ZONE_NAMES, list(SEARCHED) if value == "default" else value, place)


def read_suits(_: Code, value: object, place: Place) -> int:
    """Return suits, as bits.

    Raises
    ------
    UserError
        It is no such thing.
    """
    return (1 << len(SUITS)) - 1 if value == ["any"] else bits_of(SUITS, value, place)


WHOM = ("each_other", "each_other_with_region_in_play", "each_other_in_empire")
"""In the order of the constants of `words`."""


def _whom(_: Code, value: object, place: Place) -> int:
    return one_of(WHOM, value, place)


def _end_reason(_: Code, value: object, place: Place) -> int:
    return one_of(END_REASONS, value, place)


def _true(_: Code, value: object, place: Place) -> int:
    if value is not True:
        raise place.wrong("not allowed here", value, "true, or leave it out")
    return 1


def _free(_: Code, value: object, place: Place) -> int:
    return 1 + one_of(("free",), value, place)


def _only_exile(_: Code, value: object, place: Place) -> int:
    return words.ONLY_EXILE + one_of(("exile",), value, place)


def _also_exile(_: Code, value: object, place: Place) -> int:
    return words.ALSO_EXILE + one_of(("exile",), value, place)


def _plays_it(_: Code, value: object, place: Place) -> int:
    return words.PLAYS_IT + one_of(("free_play_it",), value, place)


def _token(_: Code, value: object, place: Place) -> int:
    return one_of(RESOURCES, value, place) + 1 << words.TOKEN_SHIFT


def read_count(_: Code, left: list[Any], place: Place, wrong_count: Callable[[], UserError]) -> tuple[int, int]:
    """Return a count, a number, "up_to" and a number, or "all", and its flag."""
    value = left.pop(0)
    if value in ("all", "any_number"):
        return words.ALL_OF, 0
    if value == "up_to":
        if not left:
            raise wrong_count()
        return _number_of_count(left.pop(0), place), words.UP_TO
    return _number_of_count(value, place), 0


def _number_of_count(value: object, place: Place) -> int:
    if type(value) is not int or not 1 <= value <= MOST:
        raise place.wrong("not a count", value, f'a whole number from 1 to {MOST}, "up_to" and a number, or "all"')
    return value


# ---- Selectors ----


@dataclass
class Context:
    """What effects may refer to while they are compiled, `context` of their `Code`.

    Attributes
    ----------
    cards
        All cards.
    attacks
        Whether the card whose effects are being written has the attack icon.
    selectors
        Number of every selector so far, by the cards it means.
    selectors_said
        The same by what the files say.
    selector_names
        Every selector in words, by its number.
    """

    cards: Sequence[Card]
    attacks: bool = False
    selectors: dict[tuple[bool, ...], int] = field(default_factory=dict)
    selectors_said: dict[str, int] = field(default_factory=dict)
    selector_names: list[str] = field(default_factory=list)


PLAIN_SELECTORS = (
    "any",
    *SUITS,
    *ICONS,
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
    """Return the selector of the cards that are meant; a new one unless there is one of the same cards.

    Raises
    ------
    UserError
        The selector is unknown or names no card, or there are too many.
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
    """A selector in words."""
    return f"not {_in_short(what['not'])}" if isinstance(what, dict) else what.removeprefix("card:")


def _meant(cards: Sequence[Card], what: object, place: Place) -> list[bool]:
    """Tell of every card whether a selector means it."""
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
            raise place.wrong("no card has this in its name", rest, sorted({card.name for card in cards}))
        return found
    if word not in PLAIN_SELECTORS:
        allowed = [*PLAIN_SELECTORS, "card:NAME", "named:TEXT"]
        raise place.wrong("unknown selector", word, allowed)
    return [_has(card, word) for card in cards]


def _has(card: Card, word: str) -> bool:
    """Whether a card meets a selector of one word."""
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
    """Read a selector that may also be the card itself or the card drawn.

    Raises
    ------
    UserError
        As for `selector`.
    """
    if what == "self":
        return words.SELF
    return words.DRAWN_IT if what == "it" else read_selector(code, what, place)


KINDS: dict[str, Argument] = {
    "N": read_number,
    "R": read_resource,
    "ICON": read_icon,
    "STATE": read_state,
    "ZONE": _zone,
    "ZONES": _zones,
    "SUITS": read_suits,
    "WHAT": read_selector,
    "CARD": read_own_selector,
    "FROM": _whom,
    "REASON": _end_reason,
    "true": _true,
    '"free"': _free,
    "only exile": _only_exile,
    "also exile": _also_exile,
    "plays it": _plays_it,
    "token": _token,
}
"""Kinds of arguments, as messages name them."""
