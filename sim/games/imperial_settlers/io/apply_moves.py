"""Makes the moves of a position. The engine executes each move and stops at decisions, which the move answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sim.data.place import Place
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io import reasons
from sim.games.imperial_settlers.io.layout import clear_nameless
from sim.games.imperial_settlers.io.move_answers import Given
from sim.games.imperial_settlers.io.moves import DEALS_NAME, FOUNDATION_NAME, PositionMove
from sim.games.imperial_settlers.io.naming import is_called, is_variant, name_and_number, near_card_names
from sim.games.imperial_settlers.io.option_matching import NOBODY, Answers, Turn
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.lookout import end_pick, give_to_virtual, is_due_by_chance
from sim.games.shared.stepping import Decision, IllegalMoveError, Option, refuse, refuse_if

MAX_STEPS = 2000
"""Number of steps after which a move is abandoned. No move in the game needs nearly as many."""


def make_move(game: InspectedGame, move: PositionMove) -> None:
    """Make one move of a position."""
    refuse(reasons.why_not_now(game.g, move))
    MAKES.get(move.do, _act)(game, move)
    clear_nameless(game.g, game.t)


def check_names(catalog: Catalog, move: PositionMove, place: Place) -> None:
    """Check that all cards named in a move exist in the game."""
    known = {row.name for row in catalog.cards} | set(catalog.codes) | {row.target for row in catalog.attacks}
    known |= {FOUNDATION_NAME, DEALS_NAME}

    def check(here: Place, value: Any) -> None:
        if isinstance(value, str):
            if value not in known and name_and_number(value)[0] not in known:
                raise here.wrong("no such card", value, near_card_names(sorted(known), value))
        elif isinstance(value, list):
            for number, entry in enumerate(value, start=1):
                check(here.at(number), entry)

    def check_row(here: Place, row: Any) -> None:
        for key in ("card", "discard", "location", "cards", "loses", "keep", "at", "deal", "gives", "samurai"):
            check(here.at(key), getattr(row, key, None))
        if row.build is not None:
            check_row(here.at("build"), row.build)
        for number, each in enumerate(getattr(row, "each", None) or [], start=1):
            check_row(here.at("each", number), each)
        for name, decisions in getattr(row, "choices", {}).items():
            check(here.at("choices", name), name)
            check_row(here.at("choices", name), decisions)

    check_row(place, move)


# ---- Phases without turns ----


def _begin(game: InspectedGame, move: PositionMove) -> None:
    """Draw the starting hands, or begin the lookout phase."""
    refuse_if((game.g.phase == constants.LOOKOUT and game.g.lookout_step > 0, "the lookout phase has begun"))
    game.picked = set()
    game.step()


def _take(game: InspectedGame, move: PositionMove) -> None:
    """Pick a card from the row, or from the pack of the player."""
    g, seat = game.g, move.p or 0
    refuse_if((g.lookout_step == 0, "the lookout phase has not begun"))
    packs = g.lookout == constants.ALTERNATIVE and not g.solo
    if packs:
        refuse_if((seat in game.picked, f"seat {seat} has picked, and the packs have not been passed on"))
        g.turn_seat = seat
    where = f"the pack of seat {seat}" if packs else "the row"
    made = int(g.lookout_step)
    owner, zone = (seat, constants.PACK) if packs else (constants.TABLE, constants.ROW)
    refuse_if((not g.zone_size[owner, zone], f"there is no card in {where}"))
    Answers(game, move, lambda answers, decision: _called(answers, decision.options, move.card, where)).step()
    game.picked = set() if made % int(g.players) == 0 else game.picked | {seat}


def _called(answers: Answers, options: Sequence[Option], name: str | None, where: str) -> int:
    """Return the index of the option for the card with this name; refuse the move if `where` has no such card."""
    found = answers.named(options, name or "")
    refuse_if((not found, f"{name} is not in {where}"))
    return found[0].index


def _give_at_random(game: InspectedGame, move: PositionMove) -> None:
    """Give the virtual player its random card. The move names this card."""
    g, t = game.g, game.t
    due = g.solo and is_due_by_chance(g)
    row = game.cards(constants.TABLE, constants.ROW)
    named = [card for card in row if is_called(game.catalog, card, move.card or "")]
    named.sort(key=lambda card: is_variant(game.catalog, card))
    refuse_if(
        (not due, "no card is due to the virtual player by chance"), (not named, f"{move.card} is not in the row")
    )
    give_to_virtual(g, t, named[0])
    end_pick(g, t)


def _produce(game: InspectedGame, move: PositionMove) -> None:
    """Let a seat produce from all its sources."""
    answers = Answers(game, move)
    seat = game.g.turn_seat
    for _ in range(MAX_STEPS):
        last = game.g.depth == 0 and game.g.source_count == 0
        answers.step()
        if last or game.g.phase != constants.PRODUCE or game.g.turn_seat != seat:
            break
    _check_left_over(answers)


def _play_phase(game: InspectedGame, move: PositionMove) -> None:
    """Play the cleanup, or the attack phase."""
    answers = Answers(game, move)
    answers.step()
    for loss in answers.losses:
        raise IllegalMoveError(f"the virtual player does not take {loss}")


# ---- Actions, passes and free steps ----


def _act(game: InspectedGame, move: PositionMove) -> None:
    """Carry out an action, a pass or a free step, with all its effects."""
    turn, root = _turn_option(game, move)
    answers = Answers(game, move, turn, root)
    _play_turn(answers)
    _check_prices(answers)
    _check_left_over(answers)
    answers.check_targets()
    unused = move.do == "activate" and answers.uses_made < (move.times or 1)
    refuse_if((unused, f"{move.location} cannot be used a second time: there is nothing that it could mean"))


def _play_turn(answers: Answers) -> None:
    """Play until the effects of a move are resolved and, after an action or a pass, the turn has ended."""
    game = answers.game
    for _ in range(MAX_STEPS):
        answers.step()
        g = game.g
        if (g.depth == 0 and not g.acted and not g.exchanging) or g.phase != constants.ACT:
            return


def _turn_option(game: InspectedGame, move: PositionMove) -> tuple[Turn, int]:
    """Return a function that finds the option for a move, and the card that the move names (NOBODY if none)."""
    if move.do == "pass":
        return _choose("the rules do not let this seat pass now", kind=constants.PASS), NOBODY
    if move.do == "exchange":
        return _exchange, NOBODY
    if move.do in ("build", "deal") or (move.do == "raze" and move.at is None):
        return _hand_option(game, move)
    if move.do == "raze":
        return _raze_option(game, move)
    return _location_option(game, move)


def _choose(why: str, **wanted: int) -> Turn:
    """Return a function that chooses the option with these fields. `why` is the reason if no option has them."""
    return lambda _, decision: decision.pick(why, **wanted)


def _exchange(answers: Answers, decision: Decision) -> int:
    """Choose what the first pair of workers is exchanged for."""
    game = answers.game
    lacking = len(answers.pairs) * int(game.t.pair) - int(game.g.goods[answers.seat, constants.WORKER])
    refuse_if((lacking > 0, reasons.missing([f"{lacking} worker"])))
    return answers.exchange(decision)


def _hand_option(game: InspectedGame, move: PositionMove) -> tuple[Turn, int]:
    """Do the work of `_turn_option` for a hand card. Of several copies, choose the first that the rules allow."""
    name, seat = move.card or "", move.p or 0
    kind, why = {
        "build": (constants.BUILD, reasons.why_not_built),
        "deal": (constants.DEAL, reasons.why_not_dealt),
        "raze": (constants.RAZE_HAND, reasons.why_not_razed_from_hand),
    }[move.do]
    hand = [card for card in game.cards(seat, constants.HAND) if is_called(game.catalog, card, name)]
    refuse_if((not hand, f"{name} is not in the hand"))
    decision = game.next_decision()
    able = [option for option in decision.options if option.kind == kind and option.card in hand] if decision else []
    chosen = Answers(game, move).named(able, name)
    if not chosen:
        raise IllegalMoveError(why(game, seat, hand[0]))
    return lambda _, decision: decision.options.index(chosen[0]), chosen[0].card


def _raze_option(game: InspectedGame, move: PositionMove) -> tuple[Turn, int]:
    name, seat, other = move.at or "", move.p or 0, _opponent(game, move)
    refuse_if((other == seat, "own locations are not razed by the action"))
    card = game.location(other, name)
    if card is None:
        raise IllegalMoveError(f"{name} is no location of {game.seat_name(other)}")
    why = reasons.why_not_razed(game, seat, other, card)
    return _choose(why, kind=constants.RAZE_LOCATION, card=card, seat=other), card


def _opponent(game: InspectedGame, move: PositionMove) -> int:
    """Return the seat that a raze targets. A move need not name the only opponent."""
    g = game.g
    if move.target is not None:
        seat = game.seat(move.target)
        return move.p or 0 if g.solo and seat != constants.VIRTUAL else seat
    if g.solo:
        return constants.VIRTUAL
    others = [seat for seat in range(int(g.players)) if seat != move.p]
    refuse_if((len(others) > 1, "`target` is not given, and there are several opponents"))
    return others[0]


def _location_option(game: InspectedGame, move: PositionMove) -> tuple[Turn, int]:
    """Do the work of `_turn_option` for a location in the seat's own empire, or one that the seat controls."""
    seat, times, card = move.p or 0, move.times or 1, _location_of(game, move)
    if move.do == "activate":
        refuse_if((times == 2 and move.pay is not None, "with `times` 2 what each use pays stands in `each`"))
        why = reasons.why_not_activated(game, seat, card, times)
        return _choose(why, kind=constants.ACTIVATE, card=card, value=times), card
    if move.do == "defend":
        return _choose(reasons.why_not_defended(game, seat, card), kind=constants.DEFEND, card=card, value=0), card
    return _choose(reasons.why_not_guarded(game, seat, card), kind=constants.SAMURAI, card=card, value=0), card


def _location_of(game: InspectedGame, move: PositionMove) -> int:
    """Return the location that a move names: one in the seat's own empire, or one that the seat controls."""
    g, name, seat = game.g, move.location or "", move.p or 0
    if move.owner is not None and move.owner != seat:
        owner = constants.VIRTUAL if g.solo and move.owner == constants.VIRTUAL else game.seat(move.owner)
        card = game.location(owner, name)
        if card is None or g.holder[card] != seat:
            raise IllegalMoveError(f"{name} of {game.seat_name(owner)} is not controlled by seat {seat}")
        return card
    card = game.location(seat, name)
    if card is None and move.owner is None:
        controlled = game.cards(seat, constants.CONTROLLED)
        held = [each for each in controlled if game.location(int(g.owner[each]), name) == each]
        card = held[0] if len(held) == 1 else None
    if card is None:
        raise IllegalMoveError(f"{name} is no location of seat {seat}")
    return card


# ---- Gate and Shrine ----


def _tuck(game: InspectedGame, move: PositionMove) -> None:
    """Tuck hand cards under a Gate, one after another."""
    gate = _one_with(game, move, constants.TUCKS, "Gate")
    for name in move.cards or []:
        _play_turn(Answers(game, move, partial(_tuck_option, gate, name)))


def _tuck_option(gate: int, name: str, answers: Answers, decision: Decision) -> int:
    onto = [option for option in decision.options if (option.kind, option.value) == (constants.TUCK, gate)]
    return _called(answers, onto, name, "the hand")


def _bank(game: InspectedGame, move: PositionMove) -> None:
    """Store resources on a Shrine, one after another."""
    shrine = _one_with(game, move, constants.BANKS, "Shrine")
    for word, number in move.goods or ():
        good = constants.GOODS.index(word)
        for _ in range(number):
            why = reasons.why_not_banked(game.g, move.p or 0, good)
            _play_turn(Answers(game, move, _choose(why, kind=constants.BANK, card=shrine, value=good)))


def _one_with(game: InspectedGame, move: PositionMove, trigger: int, name: str) -> int:
    """Return the location on which to put cards or resources: the one that the move names or, by default, the only one.

    The location must have the feature `trigger`, TUCKS or BANKS. `name` is its name in messages.
    """
    seat, triggers = move.p or 0, game.t.trigger
    if move.location is not None:
        card = _location_of(game, move)
        refuse_if((triggers[card] != trigger, f"{move.location} is no {name}"))
        return card
    own = game.cards(seat, constants.LOCATIONS) + game.cards(seat, constants.CONTROLLED)
    able = [card for card in own if triggers[card] == trigger and game.g.holder[card] == seat]
    refuse_if(
        (not able, f"there is no {name}"),
        (len(able) > 1, f"`location` is not given, and there are several: {name}, {name}#2"),
    )
    return able[0]


# ---- Answers that no decision used ----


def _check_prices(answers: Answers) -> None:
    """Check the payments that the move states although no decision asked for them. Each must be equal to the price."""
    t, move, card = answers.t, answers.move, answers.root_card
    if move.do == "build":
        _check_price(answers.root, t.cost[card])
        refuse_if((move.discard is not None and not t.cost_location[card], f"{move.card} costs no location"))
    elif move.do == "deal":
        price = [0] * len(constants.GOODS)
        price[constants.FOOD] = int(t.deal_cost)
        _check_price(answers.root, price)
    elif move.do == "activate":
        for given in [answers.root, *answers.uses]:
            _check_price(given, t.pay[card], answers.tokens_spent)
    for built, given in answers.built.items():
        _check_price(given, t.cost[built])


def _check_price(given: Given, price: Any, tokens: int = 0) -> None:
    wanted = given.values.get("pay")
    if wanted is None or "pay" in given.asked:
        return
    due = {good: int(price[number]) for number, good in enumerate(constants.GOODS[: constants.SUPPLY])}
    due["raze"] += tokens
    named = ", ".join(f"{number} {good}" for good, number in due.items() if number)
    refuse_if((due != dict(wanted), f"{given.of}: the price is {named or 'nothing'}"))
    given.asked.add("pay")


def _check_left_over(answers: Answers) -> None:
    """Check that decisions used up all payments, conversions to points and samurai that the move states."""
    for given in answers.all_given:
        key = given.left_over()
        refuse_if((key, f"{given.of}: nothing asks for `{key}`"))


MAKES: dict[str, Callable[[InspectedGame, PositionMove], None]] = {
    "begin": _begin,
    "take": _take,
    "random": _give_at_random,
    "produce": _produce,
    "tuck": _tuck,
    "bank": _bank,
    "cleanup": _play_phase,
    "attack": _play_phase,
}
"""The function that makes each kind of move. `_act` makes the kinds that are not listed."""
