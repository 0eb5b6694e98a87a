"""Scripted players for tests of rules: they answer as the test wishes, compiled or not.

    play(g, "Glory", pick("Latium"), pick("Gallia"), pick("Raetia"))

A wish is the answer to one decision. At each decision the first wish left that fits one of its options is used up;
without one the player declines what can be declined (or takes all it can, with `willing=True`) and else takes what
comes first. Every wish must be used, so that a test says no more than what happens.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from sim.compiler.kernel import LINEUP, Record, kernel, strategy_pointer, strategy_slots
from sim.engine.effect_stack import push
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.drawing import draw
from sim.games.imperium.rules.plays import can_play, can_use, is_free_play, play_card, use_ability
from sim.games.imperium.rules.state import STATE
from sim.games.imperium.rules.tables import TABLES
from sim.games.imperium.rules.turns import play_step
from tests.games.imperium.tables import T, card, found

CARD_FIELD, VALUE_FIELD, KIND_FIELD, PLACE_FIELD = range(4)
ANY_SEAT = -1
ANY_KIND = -1
# What stands in `w.prepared`: whether the players are willing, how many wishes there are, the one being answered, and
# then for each its numbers and whether it has been used.
UNWILLING, TAKES_ALL, TAKES_LOWEST = range(3)
WILLING, WISHES, ANSWERED, FIRST_WISH = range(4)
SEAT, DECISION, FIELD, KIND, VALUE, USED = range(6)
NUMBERS = 6


class Wish(NamedTuple):
    """The answer to one decision of a seat: the option of this kind with this card, value or place in the list."""

    seat: int
    decision: int
    field: int
    kind: int
    value: int


@kernel
def fits(g: Record, t: Record, option: int, at: int, w: Record) -> bool:
    """Tell whether an option is what the wish that stands at a place wants."""
    field = int(w.prepared[at + FIELD])
    kind = int(w.prepared[at + KIND])
    value = int(w.prepared[at + VALUE])
    if kind != ANY_KIND and g.option_kind[option] != kind:
        return False
    if field == CARD_FIELD:
        offered = int(g.option_card[option])
        if offered < 0 or value < 0:
            return offered == value
        return bool(t.name[offered] == t.name[value])
    if field == VALUE_FIELD:
        return bool(g.option_value[option] == value)
    return field == KIND_FIELD or option == value


@kernel
def find_wish(g: Record, t: Record, me: int, decision: int, w: Record) -> int:
    """Where the first wish left stands that one of the options fits, -1 if there is none; it is then used."""
    for wish in range(int(w.prepared[WISHES])):
        at = FIRST_WISH + NUMBERS * wish
        asked = w.prepared[at + DECISION] == decision and w.prepared[at + USED] == 0.0
        if asked and (w.prepared[at + SEAT] == ANY_SEAT or w.prepared[at + SEAT] == me):
            for option in range(g.option_count):
                if fits(g, t, option, at, w):
                    w.prepared[at + USED] = 1.0
                    return at
    return -1


@kernel
def score_wishes(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score what is wished highest; else what declines, or takes all."""
    if option == 0:
        w.prepared[ANSWERED] = find_wish(g, t, me, decision, w)
    at = int(w.prepared[ANSWERED])
    if at >= 0:
        return (1000.0 if fits(g, t, option, at, w) else 0.0) - option
    willing = w.prepared[WILLING] != 0.0
    if decision in (constants.WHETHER, constants.AMOUNT):
        return float(g.option_value[option]) * (1.0 if willing else -1.0)
    declines = (
        decision in (constants.PICK, constants.MARKET, constants.DEVELOP, constants.PROTECT)
        and g.option_card[option] == constants.NO_CARD
    )
    if decision == constants.MARKET and g.option_kind[option] != constants.FROM_MARKET:
        declines = False  # an unknown card of a deck
    if declines:
        return -1.0e9 if willing else 1000.0
    if w.prepared[WILLING] == TAKES_LOWEST and decision != constants.ALTERNATIVE:
        # The same card whatever order the options stand in.
        kind = g.option_kind[option] if decision == constants.MARKET else 0
        return -1.0e6 * kind - 1.0e3 * g.option_card[option] - g.option_value[option]
    return float(-option)


@cache
def _slots() -> Any:
    return strategy_slots((strategy_pointer(score_wishes, STATE, TABLES),) * 32)


def scripted(*wishes: Wish, willing: int = UNWILLING) -> Any:
    """Players, as kernels take them, who answer as wished, whoever is asked."""
    lineup: Any = np.zeros(1, LINEUP)[0]
    prepared = lineup.seats[0].prepared
    prepared[WILLING] = int(willing)
    prepared[WISHES] = len(wishes)
    for number, wish in enumerate(wishes):
        at = FIRST_WISH + NUMBERS * number
        prepared[at : at + NUMBERS - 1] = wish
    return _slots(), lineup


def unused(players: Any) -> list[Wish]:
    """Wishes that no decision has asked for."""
    prepared = players[1].seats[0].prepared
    places = [FIRST_WISH + NUMBERS * number for number in range(int(prepared[WISHES]))]
    return [Wish(*(int(x) for x in prepared[at : at + NUMBERS - 1])) for at in places if prepared[at + USED] == 0]


# ---- Wishes ----


def _of_cards(decision: int, kind: int = ANY_KIND) -> Callable[..., Wish]:
    """Wishes for a card by name, or for none with None."""
    return lambda name, seat=ANY_SEAT: Wish(
        seat, decision, CARD_FIELD, kind, constants.NO_CARD if name is None else card(name)
    )


def _of_suits(decision: int, kind: int = ANY_KIND) -> Callable[..., Wish]:
    """Wishes for a suit by name."""
    return lambda suit, seat=ANY_SEAT: Wish(seat, decision, VALUE_FIELD, kind, 1 << constants.SUITS.index(suit))


def _of_values(decision: int, field: int = VALUE_FIELD) -> Callable[..., Wish]:
    """Wishes for a number."""
    return lambda value, seat=ANY_SEAT: Wish(seat, decision, field, ANY_KIND, value)


# What is chosen in a zone, in the market, in the exile pile, as development, as shield, and in a turn to play or use.
pick, market, exiled = (
    _of_cards(decision, kind)
    for decision, kind in (
        (constants.PICK, ANY_KIND),
        (constants.MARKET, constants.FROM_MARKET),
        (constants.MARKET, constants.FROM_EXILE),
    )
)
develop, protect = _of_cards(constants.DEVELOP), _of_cards(constants.PROTECT)
act, exhaust = (_of_cards(constants.TURN, kind) for kind in (constants.PLAY_CARD, constants.EXHAUST_CARD))
# Break through for the top of a small deck; by revealing the main deck, or the suit named when gambling; innovate.
top_of, revealed = (_of_suits(constants.MARKET, kind) for kind in (constants.FROM_DECK, constants.FROM_MAIN))
for_suit = _of_suits(constants.INNOVATE_SUIT)
# The first card of a zone; an amount; progress paid in place of the resource; an option that is open, from 0 on.
pick_from, amount, progress_for = (
    _of_values(decision) for decision in (constants.PICK, constants.AMOUNT, constants.PAYMENT)
)
option = _of_values(constants.ALTERNATIVE, PLACE_FIELD)


def yes(seat: int = ANY_SEAT) -> Wish:
    """Do what is optional."""
    return Wish(seat, constants.WHETHER, VALUE_FIELD, ANY_KIND, 1)


def no(seat: int = ANY_SEAT) -> Wish:
    """Leave what is optional."""
    return Wish(seat, constants.WHETHER, VALUE_FIELD, ANY_KIND, 0)


INNOVATING = Wish(ANY_SEAT, constants.TURN, KIND_FIELD, constants.INNOVATE, 0)
REVOLTING = Wish(ANY_SEAT, constants.TURN, KIND_FIELD, constants.REVOLT, 0)


# ---- Doing ----


def resolve(g: Any, t: Any, players: Any) -> None:
    """Resolve the effects that wait, until there are none left, the game collapses or something is wrong."""
    while g.depth > 0 and g.collapsed == 0 and g.error == 0:
        play_step(g, t, players)


def check_used(players: Any) -> None:
    """Check that every wish has been asked for."""
    assert not unused(players), f"nobody asked for {unused(players)}"


def may_play(g: Any, name: str, seat: int = 0, t: Any = T) -> bool:
    """Tell whether a hand card may be played."""
    return bool(can_play(g, t, seat, found(g, seat, constants.HAND, name)))


def play(g: Any, name: str, *wishes: Wish, seat: int = 0, willing: int = UNWILLING, t: Any = T) -> None:
    """Play a hand card, for an action token unless it is a free play, and resolve it."""
    row = found(g, seat, constants.HAND, name)
    assert can_play(g, t, seat, row), f"{name} may not be played"
    if not is_free_play(g, t, seat, row):
        g.actions[seat] -= 1
    players = scripted(*wishes, willing=willing)
    play_card(g, t, seat, row, constants.HAND, 1)
    resolve(g, t, players)
    check_used(players)


def may_use(g: Any, name: str, seat: int = 0, t: Any = T) -> bool:
    """Tell whether the exhaust ability of a card in play may be used."""
    return bool(can_use(g, t, seat, found(g, seat, constants.PLAY, name)))


def use(g: Any, name: str, *wishes: Wish, seat: int = 0, willing: int = UNWILLING, t: Any = T) -> None:
    """Use the exhaust ability of a card in play."""
    row = found(g, seat, constants.PLAY, name)
    assert can_use(g, t, seat, row), f"{name} may not be used"
    players = scripted(*wishes, willing=willing)
    use_ability(g, t, seat, row)
    resolve(g, t, players)
    check_used(players)


def run(g: Any, at: int, row: int, *wishes: Wish, seat: int = 0, willing: int = UNWILLING, t: Any = T) -> None:
    """Run a program of a card for a seat."""
    players = scripted(*wishes, willing=willing)
    push(g, at, seat, row, -1)
    resolve(g, t, players)
    check_used(players)


def solstice_of(g: Any, name: str, *wishes: Wish, seat: int = 0, willing: int = UNWILLING, t: Any = T) -> None:
    """Resolve the solstice effect of one card in play, in the solstice."""
    row = found(g, seat, constants.PLAY, name)
    in_solstice(g)
    run(g, int(t.program[row, constants.SOLSTICE_PROGRAM]), row, *wishes, seat=seat, willing=willing, t=t)


def in_solstice(g: Any) -> None:
    """Let it be nobody's turn."""
    g.turn_seat = -1
    g.activating = 0


def solstice(g: Any, *wishes: Wish, seat: int = 0, willing: int = UNWILLING, t: Any = T) -> None:
    """Let a seat resolve all its solstice effects."""
    in_solstice(g)
    g.solstice_seat = seat
    g.phase = constants.START_SOLSTICE
    players = scripted(*wishes, willing=willing)
    while g.finished == 0 and g.solstice_seat == seat and g.phase in (constants.START_SOLSTICE, constants.SOLSTICE):
        play_step(g, t, players)
    check_used(players)


def turn(g: Any, *wishes: Wish, seat: int = 0, willing: int = UNWILLING, t: Any = T) -> None:
    """Let a seat take a turn."""
    g.activating = 0
    g.turn_seat = seat
    g.phase = constants.START_TURN
    players = scripted(*wishes, willing=willing)
    while g.finished == 0 and g.turn_seat == seat:
        play_step(g, t, players)
    check_used(players)


def whole_round(g: Any, players: Any, t: Any = T) -> None:
    """Play a round with its solstice."""
    g.activating = 0
    g.turn_seat = g.first_seat
    g.phase = constants.START_TURN
    rounds = int(g.rounds)
    while g.rounds == rounds:
        play_step(g, t, players)


def draws(g: Any, *wishes: Any, seat: int = 0, count: int = 1, t: Any = T) -> None:
    """Let a seat draw cards, outside any effect."""
    players = scripted(*wishes)
    for _ in range(count):
        draw(g, t, players, seat, True)
        resolve(g, t, players)
    check_used(players)
