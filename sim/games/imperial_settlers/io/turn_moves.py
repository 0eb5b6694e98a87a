"""Moves of the action phase as a position's JSON has them: actions, passes and free steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sim.games.imperial_settlers.io import reasons
from sim.games.imperial_settlers.io.move_answers import Given, first_left_over
from sim.games.imperial_settlers.io.moves import PositionMove
from sim.games.imperial_settlers.io.naming import cards_in, is_called, location_named
from sim.games.imperial_settlers.io.option_matching import (
    NOBODY,
    Answers,
    Asked,
    Option,
    pair_option,
    seat_meant,
    seat_word,
)
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.shared.stepping import IllegalMoveError

MOST_STEPS = 2000
"""Steps of one move, after which it is given up; no move of the game is nearly as long."""
Find = Callable[[Answers, Asked], int]


def nothing_asked(asked: Asked) -> int:
    """Answer decisions that no move of this kind brings."""
    raise IllegalMoveError(f"a decision is open: {constants.DECISIONS[asked.decision]}")


def act(game: InspectedGame, move: PositionMove) -> None:
    """Carry out an action, a pass or a free step, with all effects that it has."""
    find, root = _turn_option(game, move)
    answers = Answers(game.g, game.t, game.catalog, move, root, nothing_asked)
    answers.turn = lambda asked: find(answers, asked)
    _play_turn(game, answers)
    _check_prices(game, move, answers)
    check_left_over(answers)
    answers.check_targets(game.g)
    if move.do == "activate" and answers.uses_made < (move.times or 1):
        raise IllegalMoveError(f"{move.location} cannot be used a second time: there is nothing that it could mean")


def _play_turn(game: InspectedGame, answers: Answers) -> None:
    """Play until the effects of a move are resolved and, after an action or a pass, the turn has ended."""
    steps = 0
    while True:
        answers.begin_step(game.g)
        game.step(answers.answer)
        answers.note_uses(game.g)
        steps += 1
        g = game.g
        if (g.depth == 0 and not g.acted and not g.exchanging) or g.phase != constants.ACT or steps >= MOST_STEPS:
            return


def _turn_option(game: InspectedGame, move: PositionMove) -> tuple[Find, int]:
    """Return what finds the option of the turn that a move means, and the card that the move names."""
    if move.do == "pass":
        return lambda _, asked: _of_kind(asked, constants.PASS, "the rules do not let this seat pass now"), NOBODY
    if move.do == "exchange":
        return lambda answers, asked: _exchange_option(game, answers, asked), NOBODY
    if move.do in ("build", "deal") or (move.do == "raze" and move.at is None):
        return _hand_option(game, move)
    if move.do == "raze":
        return _raze_option(game, move)
    return _location_option(game, move)


def _of_kind(asked: Asked, kind: int, reason: str) -> int:
    """Return the option of a kind."""
    for option in asked.options:
        if option.kind == kind:
            return option.place
    raise IllegalMoveError(reason)


def _exchange_option(game: InspectedGame, answers: Answers, asked: Asked) -> int:
    """Option of the first pair of workers."""
    if game.g.goods[asked.seat, constants.WORKER] < len(answers.pairs) * game.t.pair:
        lacking = len(answers.pairs) * int(game.t.pair) - int(game.g.goods[asked.seat, constants.WORKER])
        raise IllegalMoveError(reasons.missing([f"{lacking} worker"]))
    return pair_option(asked, answers.pairs.pop(0))


def _hand_option(game: InspectedGame, move: PositionMove) -> tuple[Find, int]:
    """Option for a hand card, of several prints the first that the rules allow."""
    g, t, catalog, seat = game.g, game.t, game.catalog, move.p
    name = move.card or ""
    assert seat is not None
    kind = {"build": constants.BUILD, "deal": constants.DEAL, "raze": constants.RAZE_HAND}[move.do]
    why = {
        "build": reasons.why_not_built,
        "deal": reasons.why_not_dealt,
        "raze": reasons.why_not_razed_from_hand,
    }[move.do]
    hand = [card for card in cards_in(g, seat, constants.HAND) if is_called(catalog, card, name)]
    if not hand:
        raise IllegalMoveError(f"{name} is not in the hand")
    asked = game.look_ahead()
    able = [option for option in asked.options if option.kind == kind and option.card in hand] if asked else []
    answers = Answers(g, t, catalog, move, NOBODY, nothing_asked)
    chosen = answers.cards_so_called(able, name)
    if not chosen:
        raise IllegalMoveError(why(g, t, catalog, seat, hand[0]))
    return lambda _, asked: _same_option(asked, chosen[0]), chosen[0].card


def _same_option(asked: Asked, wanted: Option) -> int:
    """Return the place of an option."""
    return next(option.place for option in asked.options if option == wanted)


def _raze_option(game: InspectedGame, move: PositionMove) -> tuple[Find, int]:
    """Option for razing an opponent's location."""
    g, t, catalog, seat = game.g, game.t, game.catalog, move.p
    name = move.at or ""
    assert seat is not None
    other = _opponent(game, move)
    if other == seat:
        raise IllegalMoveError("own locations are not razed by the action")
    card = location_named(g, catalog, other, name)
    if card is None:
        raise IllegalMoveError(f"{name} is no location of {seat_word(g, other)}")

    def find(_: Answers, asked: Asked) -> int:
        for option in asked.options:
            if (option.kind, option.card, option.seat) == (constants.RAZE_LOCATION, card, other):
                return option.place
        raise IllegalMoveError(reasons.why_not_razed(g, t, catalog, seat, other, card))

    return find, card


def _opponent(game: InspectedGame, move: PositionMove) -> int:
    """Seat at which a raze is aimed; it need not be said where there is one opponent."""
    g = game.g
    if move.target is not None:
        seat = seat_meant(g, move.target)
        if g.solo and seat != constants.VIRTUAL:
            return int(move.p or 0)
        return seat
    if g.solo:
        return constants.VIRTUAL
    others = [seat for seat in range(int(g.players)) if seat != move.p]
    if len(others) > 1:
        raise IllegalMoveError("`target` is not given, and there are several opponents")
    return others[0]


def _location_option(game: InspectedGame, move: PositionMove) -> tuple[Find, int]:
    """Option for a location of the own empire, or one that the seat controls."""
    g, t, catalog, seat = game.g, game.t, game.catalog, move.p
    times = move.times or 1
    assert seat is not None
    card = _location_of(game, move)
    if move.do == "activate":
        if times == 2 and move.pay is not None:
            raise IllegalMoveError("with `times` 2 what each use pays stands in `each`")
        wanted = (constants.ACTIVATE, card, times)
        reason = reasons.why_not_activated(g, t, catalog, seat, card, times)
    elif move.do == "defend":
        wanted = (constants.DEFEND, card, 0)
        reason = reasons.why_not_defended(g, t, catalog, seat, card)
    else:
        wanted = (constants.SAMURAI, card, 0)
        reason = reasons.why_not_guarded(g, t, catalog, seat, card)

    def find(_: Answers, asked: Asked) -> int:
        for option in asked.options:
            if (option.kind, option.card, option.value) == wanted:
                return option.place
        raise IllegalMoveError(reason)

    return find, card


def _location_of(game: InspectedGame, move: PositionMove) -> int:
    """Return the location that a move names: of the own empire, or one that the seat controls.

    Raises
    ------
    IllegalMoveError
        There is no such location.
    """
    g, catalog, seat = game.g, game.catalog, move.p
    name = move.location or ""
    assert seat is not None
    if move.owner is not None and move.owner != seat:
        owner = constants.VIRTUAL if g.solo and move.owner == constants.VIRTUAL else seat_meant(g, move.owner)
        card = location_named(g, catalog, owner, name)
        if card is None or g.holder[card] != seat:
            raise IllegalMoveError(f"{name} of {seat_word(g, owner)} is not controlled by seat {seat}")
        return card
    card = location_named(g, catalog, seat, name)
    if card is None and move.owner is None:
        controlled = cards_in(g, seat, constants.CONTROLLED)
        held = [each for each in controlled if location_named(g, catalog, int(g.owner[each]), name) == each]
        card = held[0] if len(held) == 1 else None
    if card is None:
        raise IllegalMoveError(f"{name} is no location of seat {seat}")
    return card


# ---- Gate and Shrine ----


def tuck(game: InspectedGame, move: PositionMove) -> None:
    """Lay hand cards under a Gate, one after another."""
    gate = _one_with(game, move, constants.TUCKS, "Gate")
    for name in move.cards or []:
        answers = Answers(game.g, game.t, game.catalog, move, NOBODY, nothing_asked)

        def find(asked: Asked, name: str = name, answers: Answers = answers) -> int:
            onto = [option for option in asked.options if (option.kind, option.value) == (constants.TUCK, gate)]
            return called(answers, asked, onto, name, "the hand")

        answers.turn = find
        _play_turn(game, answers)


def bank(game: InspectedGame, move: PositionMove) -> None:
    """Lay resources onto a Shrine, one after another."""
    shrine = _one_with(game, move, constants.BANKS, "Shrine")
    assert move.goods is not None
    for word, number in move.goods:
        good = constants.GOODS.index(word)
        for _ in range(number):
            answers = Answers(game.g, game.t, game.catalog, move, NOBODY, nothing_asked)

            def find(asked: Asked, good: int = good) -> int:
                for option in asked.options:
                    if (option.kind, option.card, option.value) == (constants.BANK, shrine, good):
                        return option.place
                raise IllegalMoveError(reasons.why_not_banked(game.g, asked.seat, good))

            answers.turn = find
            _play_turn(game, answers)


def _one_with(game: InspectedGame, move: PositionMove, trigger: int, name: str) -> int:
    """Return the location that takes cards or resources: the one named, or the only one.

    Raises
    ------
    IllegalMoveError
        There is none, or there are several.
    """
    g, seat = game.g, move.p
    assert seat is not None
    if move.location is not None:
        card = _location_of(game, move)
        if game.t.trigger[card] != trigger:
            raise IllegalMoveError(f"{move.location} is no {name}")
        return card
    zones = (constants.LOCATIONS, constants.CONTROLLED)
    able = [card for zone in zones for card in cards_in(g, seat, zone) if game.t.trigger[card] == trigger]
    able = [card for card in able if g.holder[card] == seat]
    if not able:
        raise IllegalMoveError(f"there is no {name}")
    if len(able) > 1:
        raise IllegalMoveError(f"`location` is not given, and there are several: {name}, {name}#2")
    return able[0]


def called(answers: Answers, asked: Asked, options: Sequence[Option], name: str, where: str) -> int:
    """Return the option of a card of a name."""
    found = answers.cards_so_called(options, name)
    if not found:
        raise IllegalMoveError(f"{name} is not in {where}")
    return found[0].place


# ---- What was given and not asked for ----


def _check_prices(game: InspectedGame, move: PositionMove, answers: Answers) -> None:
    """Check what is given for payments that left no choice."""
    t = game.t
    if move.do == "build":
        _check_price(answers.root, t.cost[answers.root_card])
        if move.discard is not None and not t.cost_location[answers.root_card]:
            raise IllegalMoveError(f"{move.card} costs no location")
    elif move.do == "deal":
        price = [0] * len(constants.GOODS)
        price[constants.FOOD] = int(t.deal_cost)
        _check_price(answers.root, price)
    elif move.do == "activate":
        for given in [answers.root, *answers.uses]:
            _check_price(given, t.pay[answers.root_card], answers.tokens_spent)
    for card, given in answers.built.items():
        _check_price(given, t.cost[card])


def _check_price(given: Given, price: Any, tokens: int = 0) -> None:
    """Check a payment that left no choice: it is the price."""
    wanted = given.values.get("pay")
    if wanted is None or "pay" in given.asked:
        return
    due = {good: int(price[number]) for number, good in enumerate(constants.GOODS[: constants.SUPPLY])}
    due["raze"] += tokens
    if due != dict(wanted):
        named = ", ".join(f"{number} {good}" for good, number in due.items() if number)
        raise IllegalMoveError(f"{given.of}: the price is {named or 'nothing'}")
    given.asked.add("pay")


def check_left_over(answers: Answers) -> None:
    """Check that what a move pays, turns into points and guards has come about.

    Raises
    ------
    IllegalMoveError
        Something has not.
    """
    left = first_left_over(answers.all_given)
    if left is None:
        return
    given, key = left
    raise IllegalMoveError(f"{given.of}: nothing asks for `{key}`")
