"""The view of a seat in History of the World, and its options by name, for Python players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.data.catalog import facts_of
from sim.game import Data
from sim.games.history_of_the_world.rules import constants

IN_TURN = {
    constants.STOP: "go on to the next step",
    constants.CONQUER: "conquer {land}",
    constants.BUILD_FORT: "build a fort in {land}",
    constants.PLAY_EVENT: "play {card}",
    constants.USE_ABILITY: "use the ability",
    constants.FIGHT_AGAIN: "fight again in {land}",
}
"""Texts of the options of a turn, by kind."""
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
        this epoch. `hand` has its events and the epochs in which they were drafted. `seen` has other cards of this
        draft that the seat has seen. `turn` has the current card, the pieces on it, and the battle. `cards` has the
        content of the seat's own cards. The other keys are `players` and `phase`.
    """
    t = data.tables
    own = [card for card in range(t.cards) if g.holds[card] == 1 + me]
    empire = [int(g.empire[me])] if g.empire[me] != constants.NO_CARD else []
    return {
        "players": [_player(g, data, me, seat) for seat in range(g.players)],
        "epoch": int(g.epoch) + 1,
        "phase": constants.PHASES[g.phase],
        "lands": {name: _land(g, land) for land, name in enumerate(data.catalog.land_names) if _holds_any(g, land)},
        "tokens": {name: int(g.token[region]) for region, name in enumerate(data.catalog.region_names)},
        "common_supply": {name: int(g.pieces[piece]) for piece, name in enumerate(constants.PIECES)},
        "empire": _card_name(data, int(g.empire[me])),
        "event": _card_name(data, int(g.event[me])),
        "hand": {data.pieces[card]: int(g.drafted[card]) + 1 for card in own},
        "seen": [_seen(g, data, card) for card in range(t.cards) if _knows(g, t, me, card)],
        "turn": _turn(g, data) if g.phase == constants.TURN else None,
        "cards": {data.pieces[card]: facts_of(data.catalog.cards[card]) for card in (*empire, *own)},
    }


def _card_name(data: Data, card: int) -> str | None:
    return None if card == constants.NO_CARD else data.pieces[card]


def _player(g: Record, data: Data, me: int, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "points": int(g.points[seat]),
        "supply": int(g.supply[seat]),
        "has_empire": bool(g.empire[seat] != constants.NO_CARD),
        "called": _card_name(data, int(g.empire[seat])) if g.called[seat] else None,
        "events": int((g.holds == 1 + seat).sum()),
    }


def _holds_any(g: Record, land: int) -> bool:
    return g.army[land] != constants.NO_SEAT or any(g[name][land] for name in STRUCTURES)


def _land(g: Record, land: int) -> dict[str, Any]:
    army = None if g.army[land] == constants.NO_SEAT else int(g.army[land])
    return {"army": army, **{name: int(g[name][land]) for name in STRUCTURES}}


def _knows(g: Record, t: Record, me: int, card: int) -> bool:
    """Tell whether a seat has seen, in this draft, a card that another seat holds or that is still in its stack."""
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
    fought = g.battle != constants.NO_BATTLE
    return {
        "seat": int(g.turn_seat),
        "card": _card_name(data, int(g.card)),
        "waiting": _card_name(data, int(g.waiting)),
        "step": constants.STEPS[g.step],
        "armies": int(g.armies),
        "siege_tokens": int(g.siege_tokens),
        "discs": [name for body, name in enumerate(data.catalog.body_names) if g.disc[body]],
        "ability_used": bool(g.ability_used),
        "battle": {
            "land": data.catalog.land_names[g.target],
            "way": constants.WAYS[g.way],
            "siege": int(g.siege),
            "attack_dice": [int(die) for die in g.attack_die],
            "defence_dice": [int(die) for die in g.defence_die],
        }
        if fought
        else None,
    }


# ---- Options ----


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options. Each has a `text`, what it does (`do`), and the card, land, seat or number it concerns."""
    return [OPTIONS[decision](g, data, me, option) for option in range(g.option_count)]


def _place_name(data: Data, names: Sequence[str], number: int) -> str | None:
    return names[number] if number >= 0 else None


def _keep(do: str) -> Callable[[Record, Data, int, int], dict[str, Any]]:
    def option(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
        card = _card_name(data, int(g.option_card[place]))
        return {"text": f"{do} {card}", "do": do, "card": card}

    return option


def _give(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
    seat, card = int(g.option_seat[place]), _card_name(data, int(g.option_card[place]))
    return {"text": f"give {card} to seat {seat}", "do": "give", "card": card, "seat": seat}


def _begin(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
    card = _card_name(data, int(g.option_card[place]))
    return {"text": "found the empire" if card is None else f"play {card}", "do": "begin", "card": card}


def _act(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
    kind = int(g.option_kind[place])
    card = _card_name(data, int(g.option_card[place])) if kind == constants.PLAY_EVENT else None
    about = kind in (constants.CONQUER, constants.BUILD_FORT, constants.FIGHT_AGAIN)
    land = data.catalog.land_names[g.option_land[place]] if about else None
    do = ("stop", "conquer", "fort", "event", "ability", "fight_again")[kind]
    return {"text": IN_TURN[kind].format(land=land, card=card), "do": do, "card": card, "land": land}


def _way(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
    way = constants.WAYS[g.option_value[place]]
    return {"text": f"by {way.replace('_', ' ')}", "do": "way", "way": way}


def _reroll(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
    die, dice = int(g.option_value[place]), g.attack_die if g.turn_seat == me else g.defence_die
    if die < 0:
        return {"text": "pass", "do": "pass", "die": None, "shows": None}
    shows = int(dice[die])
    return {"text": f"roll die {die + 1} again, which shows {shows}", "do": "reroll", "die": die + 1, "shows": shows}


def _after_loss(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
    do = AFTER_LOSS[g.option_kind[place]]
    return {"text": do, "do": do}


def _where(do: str) -> Callable[[Record, Data, int, int], dict[str, Any]]:
    def option(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
        land = _place_name(data, data.catalog.land_names, int(g.option_land[place]))
        is_body = land is None and g.option_kind[place] == constants.DISCS
        body = _place_name(data, data.catalog.body_names, int(g.option_value[place])) if is_body else None
        return {"text": f"{do}: {land or body or 'stop'}", "do": do, "land": land, "body": body}

    return option


def _landing(g: Record, data: Data, me: int, place: int) -> dict[str, Any]:
    number = int(g.option_value[place])
    return {"text": "gain a point" if number > 0 else "lose a point", "do": "landing", "points": number}


OPTIONS: dict[int, Callable[[Record, Data, int, int], dict[str, Any]]] = {
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
