"""The view of a seat in History of the World, and its options by name, for Python players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sim.compiler.kernel import Record
from sim.data.catalog import facts_of
from sim.game import Data
from sim.games.history_of_the_world.rules import constants
from sim.games.shared.describe import by_name, piece_name, seat_or_none
from sim.games.shared.stepping import Option, list_options

IN_TURN = {
    constants.STOP: ("stop", "go on to the next step"),
    constants.CONQUER: ("conquer", "conquer {land}"),
    constants.BUILD_FORT: ("fort", "build a fort in {land}"),
    constants.PLAY_EVENT: ("event", "play {card}"),
    constants.USE_ABILITY: ("ability", "use the ability"),
    constants.FIGHT_AGAIN: ("fight_again", "fight again in {land}"),
}
"""Names and texts of the options of a turn, by kind."""
AFTER_LOSS = ("siege", "siege token", "retreat")
STRUCTURES = ("active", "capital", "city", "monument", "fort")
"""Fields of the record that describe the state of a land."""

# ---- What a seat sees ----


def look(g: Record, data: Data, me: int) -> dict[str, Any]:
    """Return everything that a seat may see.

    Returns
    -------
    dict
        `epoch` counts from 1. `lands` has only lands that are not empty. `tokens` has the value of every region, and
        `common_supply` the pieces left for all players. `empire` and `event` are the cards that the seat has taken in
        this epoch. `hand` has its events and the epochs in which they were drafted. `seen` has the cards that
        the seat has seen and that are now in a stack or with another seat. `turn` has the current card, the pieces on
        it, and the battle. `cards` has the content of the seat's own cards. The other keys are `players` and `phase`.
    """
    t = data.tables
    own = [card for card in range(t.cards) if g.holds[card] == 1 + me]
    empire = [int(g.empire[me])] if g.empire[me] != constants.NO_CARD else []
    return {
        "players": [_player(g, data, me, seat) for seat in range(g.players)],
        "epoch": int(g.epoch) + 1,
        "phase": constants.PHASES[g.phase],
        "lands": {name: _land(g, land) for land, name in enumerate(data.catalog.land_names) if _holds_any(g, land)},
        "tokens": by_name(data.catalog.region_names, g.token),
        "common_supply": by_name(constants.PIECES, g.pieces),
        "empire": piece_name(data, int(g.empire[me])),
        "event": piece_name(data, int(g.event[me])),
        "hand": {data.pieces[card]: int(g.drafted[card]) + 1 for card in own},
        "seen": [_seen(g, data, card) for card in range(t.cards) if _knows(g, t, me, card)],
        "turn": _turn(g, data) if g.phase == constants.TURN else None,
        "cards": {data.pieces[card]: facts_of(data.catalog.cards[card]) for card in (*empire, *own)},
    }


def _player(g: Record, data: Data, me: int, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "points": int(g.points[seat]),
        "supply": int(g.supply[seat]),
        "has_empire": bool(g.empire[seat] != constants.NO_CARD),
        "called": piece_name(data, int(g.empire[seat])) if g.called[seat] else None,
        "events": int((g.holds == 1 + seat).sum()),
    }


def _holds_any(g: Record, land: int) -> bool:
    return g.army[land] != constants.NO_SEAT or any(g[name][land] for name in STRUCTURES)


def _land(g: Record, land: int) -> dict[str, Any]:
    return {"army": seat_or_none(g.army[land]), **{name: int(g[name][land]) for name in STRUCTURES}}


def _knows(g: Record, t: Record, me: int, card: int) -> bool:
    """Tell whether `me` has seen a card that is now in its stack or held by another seat."""
    if not g.seen[card] >> me & 1 or g.holds[card] == 1 + me or g.empire[me] == card:
        return False
    stack = g.empire_stack if t.kind[card] == constants.EMPIRE else g.event_stack
    return bool(g.holds[card] or (g.empire == card).any() or (stack[t.epoch[card]] == card).any())


def _seen(g: Record, data: Data, card: int) -> dict[str, Any]:
    """Return a card that a seat has seen. Its owner is known only in the classic selection."""
    owners = [seat for seat in range(g.players) if g.holds[card] == 1 + seat or g.empire[seat] == card]
    return {"card": data.pieces[card], "owner": owners[0] if g.classic and owners else None}


def _turn(g: Record, data: Data) -> dict[str, Any]:
    """Return the public information about the turn and the current battle."""
    return {
        "seat": int(g.turn_seat),
        "card": piece_name(data, int(g.card)),
        "waiting": piece_name(data, int(g.waiting)),
        "step": constants.STEPS[g.step],
        "armies": int(g.armies),
        "siege_tokens": int(g.siege_tokens),
        "discs": [name for body, name in enumerate(data.catalog.body_names) if g.disc[body]],
        "ability_used": bool(g.ability_used),
        "battle": None if g.battle == constants.NO_BATTLE else _battle(g, data),
    }


def _battle(g: Record, data: Data) -> dict[str, Any]:
    return {
        "land": data.catalog.land_names[g.target],
        "way": constants.WAYS[g.way],
        "siege": int(g.siege),
        "attack_dice": g.attack_die.tolist(),
        "defence_dice": g.defence_die.tolist(),
    }


# ---- Options ----


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options. Each has a `text`, what it does (`do`), and the card, land, seat or number it concerns."""
    return [OPTIONS[decision](g, data, me, option) for option in list_options(g)]


Describe = Callable[[Record, Data, int, Option], dict[str, Any]]
"""Describes an option. The parameters are the game record, the data of the game, the seat and the option."""


def _keep(do: str) -> Describe:
    def describe(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
        card = piece_name(data, option.card)
        return {"text": f"{do} {card}", "do": do, "card": card}

    return describe


def _give(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    card = piece_name(data, option.card)
    return {"text": f"give {card} to seat {option.seat}", "do": "give", "card": card, "seat": option.seat}


def _begin(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    card = piece_name(data, option.card)
    return {"text": "found the empire" if card is None else f"play {card}", "do": "begin", "card": card}


def _act(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    do, text = IN_TURN[option.kind]
    card = piece_name(data, option.card) if "{card}" in text else None
    land = data.catalog.land_names[option.place] if "{land}" in text else None
    return {"text": text.format(land=land, card=card), "do": do, "card": card, "land": land}


def _way(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    way = constants.WAYS[option.value]
    return {"text": f"by {way.replace('_', ' ')}", "do": "way", "way": way}


def _reroll(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    if option.value < 0:
        return {"text": "pass", "do": "pass", "die": None, "shows": None}
    dice = g.attack_die if g.turn_seat == me else g.defence_die
    die, shows = option.value + 1, int(dice[option.value])
    return {"text": f"roll die {die} again, which shows {shows}", "do": "reroll", "die": die, "shows": shows}


def _after_loss(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    do = AFTER_LOSS[option.kind]
    return {"text": do, "do": do}


def _where(do: str) -> Describe:
    def describe(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
        land = data.catalog.land_names[option.place] if option.place >= 0 else None
        is_body = land is None and option.kind == constants.DISCS and option.value >= 0
        body = data.catalog.body_names[option.value] if is_body else None
        return {"text": f"{do}: {land or body or 'stop'}", "do": do, "land": land, "body": body}

    return describe


def _landing(g: Record, data: Data, me: int, option: Option) -> dict[str, Any]:
    text = "gain a point" if option.value > 0 else "lose a point"
    return {"text": text, "do": "landing", "points": option.value}


OPTIONS: dict[int, Describe] = {
    constants.KEEP_EVENT: _keep("keep the event"),
    constants.KEEP_EMPIRE: _keep("keep the empire"),
    constants.GIVE: _give,
    constants.BEGIN: _begin,
    constants.ACT: _act,
    constants.CHOOSE_WAY: _way,
    constants.REROLL: _reroll,
    constants.AFTER_LOSS: _after_loss,
    constants.SITE: _where("monument"),
    constants.PLACE: _where("place"),
    constants.TARGET: _where("target"),
    constants.LANDING: _landing,
}
"""The function that describes the options of each decision."""
