"""Makes the moves of a position. The engine plays each move, and the fields of the move answer its decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sim.data.place import Place
from sim.engine.rng import CHANCE, below
from sim.games.glory_of_rome.data.catalog import Catalog
from sim.games.glory_of_rome.io import reasons
from sim.games.glory_of_rome.io.moves import PositionMove, PositionStep
from sim.games.glory_of_rome.io.stepping import InspectedGame
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.glory import most_paid
from sim.games.glory_of_rome.rules.hands import is_set, sets_laid
from sim.games.glory_of_rome.rules.income import can_tax_twice
from sim.games.glory_of_rome.rules.intrigue import REPLACED, is_still_possible, offer_intrigue, target_in
from sim.games.glory_of_rome.rules.trading import can_play, continues
from sim.games.glory_of_rome.rules.treaties import TOKENS, offer_tokens
from sim.games.glory_of_rome.rules.turns import act_freely, can_go_on, close_window
from sim.games.shared.stepping import Decision, IllegalMoveError, find_option, list_options, refuse, refuse_if


def make_move(game: InspectedGame, move: PositionMove) -> None:
    """Make one move."""
    refuse(reasons.why_not_now(game, move))
    MAKES[move.do](game, move, move.p or 0)
    game.keep_order()


def check_names(catalog: Catalog, move: PositionMove, players: int, place: Place) -> None:
    """Check that the seat and all cards named in a move exist."""
    if move.p is not None and move.p >= players:
        raise place.at("p").wrong("no such seat", move.p, f"0 to {players - 1}")
    if move.event is not None:
        place.at("event").check_name(move.event, [card.name for card in catalog.events], "no such event")
    known = [card.name for card in catalog.trade_cards]

    def check(here: Place, names: Sequence[str]) -> None:
        for number, name in enumerate(names, start=1):
            (here.at(number) if len(names) > 1 else here).check_name(name, known, "no such trade card")

    check(place.at("card"), [move.card] if move.card is not None else [])
    check(place.at("cards"), move.cards or [])
    for key in ("before", "answer"):
        for number, step in enumerate(getattr(move, key), start=1):
            for do, names in step.done.items():
                check(place.at(key, number, do), names)


class Answers:
    """Answers the decisions of a move with the values of its fields."""

    def __init__(self, move: PositionMove, t: Any) -> None:
        self.move, self.t = move, t
        self.legions = list(move.legions)
        self.moves_legions = False

    def __call__(self, decision: Decision) -> int:
        """Return the index of the option that the move specifies.

        Raises
        ------
        IllegalMoveError
            The move does not specify an option, or specifies one that is not offered.
        """
        move = self.move
        if decision.number == constants.ASK_LEGION:
            return self._legion(decision)
        if decision.number == constants.ASK_LEVEL:
            refuse_if((move.level is None, "the level of the Pantheon is not given"))
            level = constants.PANTHEON_LEVELS.index(str(move.level))
            why = reasons.why_no_piece(decision.g, self.t, level)
            why = f"no piece can be placed on the {move.level}: {why}"
            return decision.pick(why, kind=constants.PLACE_PIECE, card=level)
        if decision.number == constants.ASK_ANSWER:
            return decision.pick("", kind=constants.ACCEPT if move.accepted else constants.REFUSE)
        if decision.number == constants.ASK_SPY:
            refuse_if((move.choice is None, "what the spy brings is not chosen: glory, or action?"))
            kind = constants.TAKE_GLORY if move.choice == "glory" else constants.FREE_ACTION
            return decision.pick(f"the action of the {move.building} building is not possible", kind=kind)
        # Only one other decision is possible: the spy's owner must make room in a full hand. In a position, separate
        # moves must make this room before the token is placed.
        raise IllegalMoveError(reasons.NO_ROOM)

    def _legion(self, decision: Decision) -> int:
        self.moves_legions = True
        refuse_if((not self.legions, "a step of a legion is missing"))
        step = self.legions.pop(0)
        to = constants.REGIONS.index(step.to)
        if step.source is None:
            return decision.pick("there is no legion on the player board", kind=constants.PLACE_LEGION, place=to)
        source = constants.REGIONS.index(step.source)
        why = f"no legion can be moved from {step.source} to {step.to}"
        return decision.pick(why, kind=constants.MOVE_LEGION, card=source, place=to)

    def check_used(self) -> None:
        """Check that all legion steps of the move were used, if the move moves legions at all."""
        if self.moves_legions and self.legions:
            raise IllegalMoveError(f"too many steps of legions, one to {self.legions[0].to} is left over")


def _play_on(game: InspectedGame, move: PositionMove) -> None:
    answers = Answers(move, game.t)
    game.play_on(answers)
    answers.check_used()


# ---- Trade cards ----


def do_steps(game: InspectedGame, seat: int, steps: Sequence[PositionStep]) -> None:
    """Carry out the steps of a move that use trade cards, in order.

    Cards are sold and sets are laid down only in the seat's own turn (rulebook: Trade cards).
    """
    for step in steps:
        for do, names in step.done.items():
            refuse_if((do in ("sell", "set") and seat != game.to_move, reasons.OTHER_TURN))
            _trade(game, seat, do, names, step.type)


def _trade(game: InspectedGame, seat: int, do: str, names: Sequence[str], kind: str | None) -> None:
    """Play, sell or discard a trade card, or lay down a set."""
    if do == "set":
        _lay_set(game, seat, names, str(kind))
        return
    g, t = game.g, game.t
    places = _places(game, seat, names[0])
    if do == "play":
        playable = [place for place in places if can_play(g, t, seat, place)]
        if not playable:
            raise IllegalMoveError(reasons.why_not_played(game, seat, places[-1]))
        option, place = constants.PLAY, playable[0]
    else:
        option, place = constants.SELL if do == "sell" else constants.DISCARD, places[0]
    act_freely(g, t, seat, option, game.trade_card(names[0]), place)


def _places(game: InspectedGame, seat: int, name: str) -> list[int]:
    """Return the indices of all cards with this name in a seat's hand.

    Cards drawn by a card with another condition come first: they cannot be played now, so they are sold or discarded
    before cards that can.
    """
    g, card = game.g, game.trade_card(name)
    places = [place for place in range(int(g.hand_size[seat])) if g.hand[seat, place] == card]
    refuse_if((not places, f"{name} is not in the hand of seat {seat}"))
    return sorted(places, key=lambda place: continues(int(g.fresh[seat, place]), int(game.t.when[card])))


def _lay_set(game: InspectedGame, seat: int, names: Sequence[str], kind: str) -> None:
    g, t = game.g, game.t
    places: list[int] = []
    for name in names:
        free = [place for place in _places(game, seat, name) if place not in places]
        refuse_if((not free, f"{name} is not so often in the hand of seat {seat}"))
        places.append(free[0])
    number, bits = constants.TRADE_TYPES.index(kind), sum(1 << place for place in places)
    no_set = number == constants.CHEST or not is_set(g, t, seat, number, bits)
    refuse_if(
        (no_set, f"{', '.join(names)} are no set of {kind}"),
        (sets_laid(g, seat) >= g.set_limit[seat], f"seat {seat} has laid down {int(g.set_limit[seat])} sets"),
    )
    act_freely(g, t, seat, constants.LAY_SET, number, bits)


def _trade_in_turn(game: InspectedGame, move: PositionMove, seat: int) -> None:
    _trade(game, seat, move.do, move.cards or [str(move.card)], move.type)


def _pay(game: InspectedGame, move: PositionMove, seat: int) -> None:
    g, t, times = game.g, game.t, move.times or 0
    refuse_if(
        (g.medal[constants.RELIGIOUS] != seat, f"seat {seat} does not have the religious medal"),
        (times <= 0, f"nothing is bought {times} times"),
        (times > most_paid(g, t, seat), f"there are {int(g.denarii[seat])} denarii"),
    )
    act_freely(g, t, seat, constants.PAY_FOR_GLORY, constants.NO_CARD, times)


# ---- Events and passing ----


def _event(game: InspectedGame, move: PositionMove, seat: int) -> None:
    g = game.g
    g.event_deck[0] = game.event(str(move.event))
    g.event_size = 1
    game.step()
    game.play_on()


def _pass(game: InspectedGame, move: PositionMove, seat: int) -> None:
    g = game.g
    if g.phase == constants.DIPLOMACY_PHASE and game.t.diplomacy_pass:
        g.option_count = 0
        offer_tokens(g, seat)
        refuse_if((g.option_count, "a diplomacy token must be put"))
    game.begin(seat, constants.PASS)
    game.play_on()


# ---- Diplomacy ----


def _put_token(game: InspectedGame, move: PositionMove, seat: int) -> None:
    """Place a diplomacy token on a building. The opponent accepts or refuses."""
    g = game.g
    refuse_if((not g.variant & constants.SPIES_AND_ALLIANCES, "diplomacy belongs to the variant Spies and Alliances"))
    province, kind = constants.PROVINCES.index(str(move.province)), constants.BUILDINGS.index(str(move.building))
    token, offered = constants.DIPLOMACY_TOKENS.index(str(move.token)), move.offer or 0
    g.option_count = 0
    offer_tokens(g, seat)
    option = find_option(list_options(g), kind=constants.PUT_TOKEN, card=kind, place=province)
    refuse_if(
        (option is None, f"no opponent has a {move.building} building in {move.province}"),
        (offered < 0, f"{offered} denarii cannot be offered"),
        (move.bonus, "the action of a spy is one without bonus"),
        (move.before, "a spy's action is no follower's: no trade card is played before it"),
        (offered > g.denarii[seat], f"there are {int(g.denarii[seat])} denarii to offer"),
    )
    game.begin(seat, constants.PUT_TOKEN, kind, token + TOKENS * offered, int(g.option_seat[option]), province)
    _play_on(game, move)


# ---- Intrigue ----


def _activate(game: InspectedGame, move: PositionMove, seat: int) -> None:
    """Activate intrigue: play the trade cards of both sides, pass on a discord token, and carry out the effect."""
    g, t = game.g, game.t
    province, effect = constants.PROVINCES.index(str(move.province)), constants.INTRIGUES.index(str(move.effect))
    refuse(reasons.why_not_activated(game, seat, province))
    target, value = int(target_in(g, seat, province)), _effect_value(game, move)
    game.begin(seat, constants.ACTIVATE, effect, value, target, province)
    do_steps(game, seat, move.before)
    g.option_count = 0
    offer_intrigue(g, t, seat)
    if find_option(list_options(g), kind=constants.ACTIVATE, card=effect, value=value, place=province) is None:
        raise IllegalMoveError(reasons.why_no_effect(game, seat, target, move))
    refuse_if((not can_go_on(g, t, seat), reasons.NO_ROOM))
    close_window(g)
    do_steps(game, target, move.answer)
    if not is_still_possible(g, t, seat, effect, target):
        raise IllegalMoveError(reasons.why_no_effect(game, seat, target, move))
    if effect in (constants.SOLD, constants.CUSTOM_DUTY) and g.hand_size[target]:
        _let_chance_give(game, target, move.card)
    g.stage = constants.CARRY_OUT
    game.play_on()


def _effect_value(game: InspectedGame, move: PositionMove) -> int:
    """Return the `option_value` that says how an effect is carried out (see `constants.OPTIONS`)."""

    def given(key: str, found: Any) -> Any:
        refuse_if((found is None, f"{move.effect}: {key} is not given"))
        return found

    region = constants.REGIONS.index
    if move.effect == "Demolition":
        return constants.PANTHEON_LEVELS.index(given("level", move.level))
    if move.effect == "Defection":
        return region(given("region", move.region)) + REPLACED * int(move.replace)
    if move.effect == "Deception":
        one, *two = sorted(map(region, given("from", move.sources)))
        refuse_if((len(two) > 1, "two legions are moved at most"))
        return one + 4 * (two[0] if two else constants.NO_SECOND) + 16 * region(given("to", move.to))
    if move.effect in ("Re-vote", "Invalid vote"):
        vote, size = given("vote", move.vote), int(game.g.senate_size)
        refuse_if((not 1 <= vote <= size, f"there is no vote {vote} in the column of {size}"))
        return vote - 1
    return 0


def _let_chance_give(game: InspectedGame, target: int, name: str | None) -> None:
    """Move the named card to the index of the hand that the next random draw will choose, so that it is taken."""
    g = game.g
    size = int(g.hand_size[target])
    if name is None:
        refuse_if((len(set(g.hand[target, :size])) > 1, "the card that chance gives is not said"))
        return
    source = _places(game, target, name)[0]
    place = int(below(game.copy().g, CHANCE, size))
    for cards in (g.hand[target], g.fresh[target]):
        others = [int(card) for number, card in enumerate(cards[:size]) if number != source]
        cards[:size] = [*others[:place], int(cards[source]), *others[place:]]


# ---- Buildings, followers, taxes ----


def _build(game: InspectedGame, move: PositionMove, seat: int) -> None:
    g, t = game.g, game.t
    kind, level = constants.BUILDINGS.index(str(move.type)), int(move.level)
    refuse(reasons.why_not_built(game, seat, kind, level))
    game.begin(seat, constants.PLACE_TILE, kind, level, seat)
    do_steps(game, seat, move.before)
    price = int(t.price[kind, level - 1])
    poor = f"the tile costs {price} denarii, and there are {int(g.denarii[seat])}"
    refuse_if((not can_go_on(g, t, seat), poor))
    close_window(g)
    game.play_on()


def _place_follower(game: InspectedGame, move: PositionMove, seat: int) -> None:
    """Place a follower and carry out its action."""
    place = constants.PLACES.index(str(move.on))
    refuse(reasons.why_no_follower(game, seat, place, move.bonus))
    game.begin(seat, constants.PLACE_FOLLOWER, place, int(move.bonus), seat)
    do_steps(game, seat, move.before)
    refuse(reasons.why_no_action(game, seat, place, move.bonus))
    close_window(game.g)
    _play_on(game, move)


def _tax(game: InspectedGame, move: PositionMove, seat: int) -> None:
    game.begin(seat, constants.TAKE_TAX, constants.NO_CARD, int(move.double), seat)
    do_steps(game, seat, move.before)
    if move.double and not can_tax_twice(game.g, game.t, seat):
        raise IllegalMoveError(reasons.why_not_doubled(game, seat))
    close_window(game.g)
    game.play_on()


MAKES: dict[str, Callable[[InspectedGame, PositionMove, int], None]] = {
    "event": _event,
    "diplomacy": _put_token,
    "activate": _activate,
    "build": _build,
    "pass": _pass,
    "follower": _place_follower,
    "tax": _tax,
    "sell": _trade_in_turn,
    "discard": _trade_in_turn,
    "set": _trade_in_turn,
    "pay": _pay,
}
"""The function that makes each kind of move for a seat (seat 0 if the move names none)."""
