"""Makes the moves of a position: the engine carries them out, and stops at every decision
(`sim.games.shared.stepping`).

A move against the rules changes nothing; the reason is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sim.data.place import Place
from sim.engine.rng import CHANCE, below
from sim.games.glory_of_rome.data.catalog import Catalog
from sim.games.glory_of_rome.io import reasons
from sim.games.glory_of_rome.io.move_answers import Given, find_option
from sim.games.glory_of_rome.io.moves import STEPS, PositionMove, PositionStep
from sim.games.glory_of_rome.io.stepping import InspectedGame
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.glory import most_paid
from sim.games.glory_of_rome.rules.hands import is_set, sets_laid
from sim.games.glory_of_rome.rules.income import can_tax_twice
from sim.games.glory_of_rome.rules.intrigue import REPLACED, is_still_possible, offer_intrigue, target_in
from sim.games.glory_of_rome.rules.trading import can_play
from sim.games.glory_of_rome.rules.treaties import TOKENS, offer_tokens
from sim.games.glory_of_rome.rules.turns import act_freely, can_go_on, close_window
from sim.games.shared.stepping import IllegalMoveError

# ---- One move ----


def try_move(game: InspectedGame, move: PositionMove) -> str | None:
    """Make one move; a move against the rules changes nothing.

    Returns
    -------
    str or None
        Why the move is against the rules; None for one that has been made.
    """
    before = game.table.copy()
    try:
        reason = reasons.why_not_now(game, move)
        if reason:
            raise IllegalMoveError(reason)
        WAYS[move.do](game, move)
    except IllegalMoveError as illegal:
        game.table = before
        return str(illegal)
    game.keep_order()
    return None


def check_names(catalog: Catalog, move: PositionMove, players: int, place: Place) -> None:
    """Check that the seat and all cards that a move names are there.

    Raises
    ------
    UserError
        One is not.
    """
    if move.p is not None and move.p >= players:
        raise place.at("p").wrong("no such seat", move.p, f"0 to {players - 1}")
    if move.event is not None:
        place.at("event").check_name(move.event, [card.name for card in catalog.events], "no such event")
    known = [card.name for card in catalog.trade_cards]

    def check(here: Place, names: Sequence[str | None]) -> None:
        for number, name in enumerate(names, start=1):
            if name is not None:
                (here.at(number) if len(names) > 1 else here).check_name(name, known, "no such trade card")

    check(place.at("card"), [move.card])
    check(place.at("cards"), move.cards or [])
    for key in ("before", "answer"):
        for number, step in enumerate(getattr(move, key), start=1):
            here = place.at(key, number)
            for word in ("play", "sell", "discard"):
                check(here.at(word), [getattr(step, word)])
            check(here.at("set"), step.laid or [])


def refuse_if(reason: str) -> None:
    """Stop if there is a reason against a move.

    Raises
    ------
    IllegalMoveError
        There is one.
    """
    if reason:
        raise IllegalMoveError(reason)


# ---- Trade cards ----


def do_steps(game: InspectedGame, seat: int, steps: Sequence[PositionStep]) -> None:
    """Do with trade cards what a move says, in order."""
    for step in steps:
        word = next(word for word in STEPS if step.of(word) is not None)
        if word == "set":
            _lay_set(game, seat, step.laid or (), str(step.type))
        elif word == "play":
            _play(game, seat, str(step.play))
        else:
            _give_up(game, seat, word, str(step.of(word)))


def _places(game: InspectedGame, seat: int, name: str) -> list[int]:
    """Return the places of a hand in which cards of a name are."""
    g = game.g
    card = game.trade_card(name)
    places = [place for place in range(int(g.hand_size[seat])) if g.hand[seat, place] == card]
    if not places:
        raise IllegalMoveError(f"{name} is not in the hand of seat {seat}")
    return places


def _play(game: InspectedGame, seat: int, name: str) -> None:
    """Play a trade card in the window that is open."""
    g, t = game.g, game.t
    places = _places(game, seat, name)
    playable = [place for place in places if can_play(g, t, seat, place)]
    if not playable:
        raise IllegalMoveError(reasons.why_not_played(game, seat, places[0]))
    act_freely(g, t, seat, constants.PLAY, game.trade_card(name), playable[0])


def _give_up(game: InspectedGame, seat: int, word: str, name: str) -> None:
    """Sell or discard a trade card; of several alike one that has just been drawn by a card's effect."""
    g = game.g
    place = max(_places(game, seat, name), key=lambda place: g.fresh[seat, place] != constants.NEVER)
    kind = constants.SELL if word == "sell" else constants.DISCARD
    act_freely(g, game.t, seat, kind, game.trade_card(name), place)


def _lay_set(game: InspectedGame, seat: int, names: Sequence[str], kind: str) -> None:
    """Lay down a set of three cards."""
    g, t = game.g, game.t
    places: list[int] = []
    for name in names:
        free = [place for place in _places(game, seat, name) if place not in places]
        if not free:
            raise IllegalMoveError(f"{name} is not so often in the hand of seat {seat}")
        places.append(free[0])
    number, bits = constants.TRADE_TYPES.index(kind), sum(1 << place for place in places)
    if number == constants.CHEST or not is_set(g, t, seat, number, bits):
        raise IllegalMoveError(f"{', '.join(names)} are no set of {kind}")
    if sets_laid(g, seat) >= g.set_limit[seat]:
        raise IllegalMoveError(f"seat {seat} has laid down {int(g.set_limit[seat])} sets")
    act_freely(g, t, seat, constants.LAY_SET, number, bits)


def _give_up_in_turn(game: InspectedGame, move: PositionMove) -> None:
    _give_up(game, _seat(move), move.do, str(move.card))


def _lay_set_in_turn(game: InspectedGame, move: PositionMove) -> None:
    _lay_set(game, _seat(move), move.cards or (), str(move.type))


def _pay(game: InspectedGame, move: PositionMove) -> None:
    """Buy glory with the religious medal."""
    g, t, seat = game.g, game.t, _seat(move)
    if g.medal[constants.RELIGIOUS] != seat:
        raise IllegalMoveError(f"seat {seat} does not have the religious medal")
    assert move.times is not None
    refuse_if("" if move.times > 0 else f"nothing is bought {move.times} times")
    if move.times > most_paid(g, t, seat):
        raise IllegalMoveError(f"there are {int(g.denarii[seat])} denarii")
    act_freely(g, t, seat, constants.PAY_FOR_GLORY, constants.NO_CARD, move.times)


# ---- Events and passing ----


def _seat(move: PositionMove) -> int:
    assert move.p is not None
    return move.p


def _event(game: InspectedGame, move: PositionMove) -> None:
    """Reveal an event."""
    g = game.g
    g.event_deck[0] = game.event(str(move.event))
    g.event_size = 1
    game.step()
    game.play_on()


def _pass(game: InspectedGame, move: PositionMove) -> None:
    """End a turn."""
    g, seat = game.g, _seat(move)
    if g.phase == constants.DIPLOMACY_PHASE and game.t.diplomacy_pass:
        g.option_count = 0
        offer_tokens(g, seat)
        refuse_if("a diplomacy token must be put" if g.option_count else "")
    game.begin(seat, constants.PASS)
    game.play_on()


# ---- Diplomacy ----


def _put_token(game: InspectedGame, move: PositionMove) -> None:
    """Put a diplomacy token on a building; the opponent accepts or refuses."""
    g, seat = game.g, _seat(move)
    if g.variant & constants.SPIES_AND_ALLIANCES == 0:
        raise IllegalMoveError("diplomacy belongs to the variant Spies and Alliances")
    province, kind = constants.PROVINCES.index(str(move.province)), constants.BUILDINGS.index(str(move.building))
    token = constants.DIPLOMACY_TOKENS.index(str(move.token))
    g.option_count = 0
    offer_tokens(g, seat)
    option = find_option(g, constants.PUT_TOKEN, option_card=kind, option_place=province)
    if option is None:
        raise IllegalMoveError(f"no opponent has a {move.building} building in {move.province}")
    offered = move.offer or 0
    refuse_if("" if offered >= 0 else f"{offered} denarii cannot be offered")
    refuse_if("the action of a spy is one without bonus" if move.bonus else "")
    refuse_if("a spy's action is no follower's: no trade card is played before it" if move.before else "")
    if offered > g.denarii[seat]:
        raise IllegalMoveError(f"there are {int(g.denarii[seat])} denarii to offer")
    given = Given(move, game.t)
    game.begin(seat, constants.PUT_TOKEN, kind, token + TOKENS * offered, int(g.option_seat[option]), province)
    game.play_on(given)
    given.check_used()


# ---- Intrigue ----


def _activate(game: InspectedGame, move: PositionMove) -> None:
    """Activate an intrigue: trade cards of both sides, discord, and the effect."""
    g, t, seat = game.g, game.t, _seat(move)
    province, effect = constants.PROVINCES.index(str(move.province)), constants.INTRIGUES.index(str(move.effect))
    refuse_if(reasons.why_not_activated(game, seat, province))
    target, value = int(target_in(g, seat, province)), _effect_value(game, move)
    game.begin(seat, constants.ACTIVATE, effect, value, target, province)
    do_steps(game, seat, move.before)
    g.option_count = 0
    offer_intrigue(g, t, seat)
    if find_option(g, constants.ACTIVATE, option_card=effect, option_value=value, option_place=province) is None:
        raise IllegalMoveError(reasons.why_no_effect(game, seat, target, move))
    refuse_if("" if can_go_on(g, t, seat) else reasons.NO_ROOM)
    close_window(g)
    do_steps(game, target, move.answer)
    if not is_still_possible(g, t, seat, effect, target):
        raise IllegalMoveError(reasons.why_no_effect(game, seat, target, move))
    if effect in (constants.SOLD, constants.CUSTOM_DUTY) and g.hand_size[target]:
        _let_chance_give(game, target, move.card)
    g.stage = constants.CARRY_OUT
    game.play_on()


def _effect_value(game: InspectedGame, move: PositionMove) -> int:
    """Return how an effect is carried out, as `words.ACTIVATE` counts it."""

    def given(key: str, found: Any) -> Any:
        if found is None:
            raise IllegalMoveError(f"{move.effect}: {key} is not given")
        return found

    region = constants.REGIONS.index
    if move.effect == "Demolition":
        return constants.PANTHEON_LEVELS.index(given("level", move.level))
    if move.effect == "Defection":
        return region(given("region", move.region)) + REPLACED * int(move.replace)
    if move.effect == "Deception":
        one, *two = sorted(map(region, given("from", move.sources)))
        refuse_if("two legions are moved at most" if len(two) > 1 else "")
        return one + 4 * (two[0] if two else constants.NO_SECOND) + 16 * region(given("to", move.to))
    if move.effect in ("Re-vote", "Invalid vote"):
        vote, size = int(given("vote", move.vote)), int(game.g.senate_size)
        refuse_if("" if 1 <= vote <= size else f"there is no vote {vote} in the column of {size}")
        return vote - 1
    return 0


def _let_chance_give(game: InspectedGame, target: int, name: str | None) -> None:
    """Put the card that chance gives in the place of the hand that it will hit."""
    g = game.g
    size = int(g.hand_size[target])
    if name is None:
        if len(set(g.hand[target, :size])) > 1:
            raise IllegalMoveError("the card that chance gives is not said")
        return
    source = _places(game, target, name)[0]
    drawn: Any = game.table.copy()[0]
    place = int(below(drawn, CHANCE, size))
    for cards in (g.hand[target], g.fresh[target]):
        others = [int(card) for number, card in enumerate(cards[:size]) if number != source]
        cards[:size] = [*others[:place], int(cards[source]), *others[place:]]


# ---- Buildings, followers, taxes ----


def _build(game: InspectedGame, move: PositionMove) -> None:
    """Place a building tile."""
    g, t, seat = game.g, game.t, _seat(move)
    kind, level = constants.BUILDINGS.index(str(move.type)), int(move.level or 0)
    refuse_if(reasons.why_not_built(game, seat, kind, level))
    game.begin(seat, constants.PLACE_TILE, kind, level, seat)
    do_steps(game, seat, move.before)
    refuse_if("" if can_go_on(g, t, seat) else reasons.why_not_paid(game, seat, kind, level))
    close_window(g)
    game.play_on()


def _place_follower(game: InspectedGame, move: PositionMove) -> None:
    """Place a follower, and carry out the action of its place."""
    g, seat = game.g, _seat(move)
    place = constants.PLACES.index(str(move.on))
    refuse_if(reasons.why_no_follower(game, seat, place, move.bonus))
    game.begin(seat, constants.PLACE_FOLLOWER, place, int(move.bonus), seat)
    do_steps(game, seat, move.before)
    refuse_if(reasons.why_no_action(game, seat, place, move.bonus))
    close_window(g)
    given = Given(move, game.t)
    game.play_on(given)
    given.check_used()


def _tax(game: InspectedGame, move: PositionMove) -> None:
    """Take taxes."""
    g, t, seat = game.g, game.t, _seat(move)
    game.begin(seat, constants.TAKE_TAX, constants.NO_CARD, int(move.double), seat)
    do_steps(game, seat, move.before)
    if move.double and not can_tax_twice(g, t, seat):
        raise IllegalMoveError(reasons.why_not_doubled(game, seat))
    close_window(g)
    game.play_on()


WAYS: dict[str, Callable[[InspectedGame, PositionMove], None]] = {
    "event": _event,
    "diplomacy": _put_token,
    "activate": _activate,
    "build": _build,
    "pass": _pass,
    "follower": _place_follower,
    "tax": _tax,
    "sell": _give_up_in_turn,
    "discard": _give_up_in_turn,
    "set": _lay_set_in_turn,
    "pay": _pay,
}
"""What makes each move."""
