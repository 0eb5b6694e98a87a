"""The view of a seat in The Glory of Rome, and its options by name, for Python players."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record
from sim.data.catalog import facts_of
from sim.game import Data
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.determinize import token_is_hidden
from sim.games.shared.describe import by_name, seat_or_none
from sim.games.shared.stepping import Option, list_options

TEXTS = {
    constants.PASS: "pass",
    constants.SELL: "sell {card}",
    constants.DISCARD: "discard {card}",
    constants.LAY_SET: "lay down a set of {type}: {names}",
    constants.PAY_FOR_GLORY: "pay for glory, {number} times",
    constants.PUT_UNDER: "put {card} under the missions",
    constants.PUT_TOKEN: "put an {token} token on the {building} building in {province}, offering {denarii}",
    constants.ACCEPT: "accept, for {number} denarii",
    constants.REFUSE: "refuse",
    constants.ASK_MORE: "ask for {number} denarii",
    constants.TAKE_GLORY: "take glory",
    constants.FREE_ACTION: "take the free action of the {building} building",
    constants.ACTIVATE: "activate {intrigue} in {province} against seat {seat}{how}",
    constants.PLACE_TILE: "build {building} {number}",
    constants.PLACE_FOLLOWER: "place a follower on {place}{bonus}",
    constants.TAKE_TAX: "take the tax{double}",
    constants.GO_ON: "go on",
    constants.PLAY: "play {card}",
    constants.PLACE_LEGION: "place a legion into {region}",
    constants.MOVE_LEGION: "move a legion from {source} into {region}",
    constants.PLACE_PIECE: "place a piece on the {level}",
}
"""Texts of options, by kind."""
OPEN_NUMBERS = (
    *("glory", "denarii", "followers", "followers_left", "board_legions", "board_votes", "intrigue_left"),
    *("discord", "anchor", "set_limit", "hand_size", "mission_count"),
)
"""Fields of the record with a public number for each seat."""

# ---- What a seat sees ----


def look(g: Record, data: Data, me: int) -> dict[str, Any]:
    """Return everything that a seat may see.

    Returns
    -------
    dict
        `event` is the face-up event. `players` has public information about each player. `provinces` has the buildings
        and tokens of each province, `regions` the legions of each seat, and `senate` the seats in the column, lowest
        first. `hand` and `missions` are the seat's own cards, and `cards` has their content. `known` has the hidden
        cards that the seat knows all the same. `decks` has the number of cards in each deck, and `treaty` the offered
        treaty. Further keys name the round, the phase, whose turn it is, and what lies on the board.
    """
    hand, missions = g.hand[me, : g.hand_size[me]], g.missions[me, : g.mission_count[me]]
    return {
        "players": [_player(g, data, seat) for seat in range(g.players)],
        "round": int(g.round_number),
        "phase": constants.PHASES[g.phase],
        "turn_of": seat_or_none(g.turn_seat),
        "starting_player": int(g.starting_player),
        "event": None if g.event == constants.NO_CARD else data.pieces[g.event],
        "provinces": {name: _province(g, place) for place, name in enumerate(constants.PROVINCES)},
        "tiles": {name: g.tiles[building].tolist() for building, name in enumerate(constants.BUILDINGS)},
        "medals": {name: seat_or_none(g.medal[building]) for building, name in enumerate(constants.BUILDINGS)},
        "regions": {
            name: {"legions": g.legions[region, : g.players].tolist(), "conquered": bool(g.conquered[region])}
            for region, name in enumerate(constants.REGIONS)
        },
        "senate": g.senate[: g.senate_size].tolist(),
        "milestones": g.marker.tolist(),
        "hand": [data.pieces[card] for card in hand],
        "missions": [data.pieces[card] for card in missions],
        "known": _known(g, data, me),
        "discard": [data.pieces[card] for card in g.discard[: g.discard_size]],
        "decks": {"trade": int(g.trade_size), "mission": int(g.mission_size), "event": int(g.event_size)},
        "treaty": _treaty(g, me),
        "cards": {data.pieces[card]: facts_of(data.catalog.cards[card]) for card in (*hand, *missions)},
    }


def _player(g: Record, data: Data, seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "character": data.factions[g.faction[seat]].name,
        "before": constants.PROVINCES[g.board[g.place[seat]]],
        **{name: int(g[name][seat]) for name in OPEN_NUMBERS},
        "placed": by_name(constants.PLACES, g.placed[seat]),
        "sets": by_name(constants.TRADE_TYPES, g.sets[seat]),
        "bonus_used": [constants.BUILDINGS[kind] for kind in range(constants.BONUSES) if g.bonus_used[seat, kind]],
        "track": [
            None if bonus == constants.NO_BONUS else constants.BUILDINGS[bonus]
            for bonus in g.track[seat, : g.track_length[seat]]
        ],
        "pantheon_own": by_name(constants.PANTHEON_LEVELS, g.pantheon_own[seat]),
        "pantheon_common": {
            name: constants.METALS[g.pantheon_common[seat, level]] if g.pantheon_common[seat, level] else None
            for level, name in enumerate(constants.PANTHEON_LEVELS)
        },
    }


def _province(g: Record, place: int) -> dict[str, Any]:
    return {
        "buildings": by_name(constants.BUILDINGS, g.building[place]),
        "intrigue": g.intrigue[place, : g.players].tolist(),
        "activated": g.activated[place, : g.players].tolist(),
    }


def _known(g: Record, data: Data, me: int) -> list[dict[str, Any]]:
    """Return the hidden cards that a seat knows: in other hands, in the mission deck and among others' missions."""
    found: list[dict[str, Any]] = []
    for seat in range(g.players):
        for card in range(data.tables.cards if seat != me else 0):
            count = min(int(g.seen[me, seat, card]), int((g.hand[seat, : g.hand_size[seat]] == card).sum()))
            if count:
                found.append({"card": data.pieces[card], "seat": seat, "where": "hand", "count": count})
            if g.known[me, card] and (g.missions[seat, : g.mission_count[seat]] == card).any():
                found.append({"card": data.pieces[card], "seat": seat, "where": "missions", "count": 1})
    deck = [card for card in g.mission_deck[: g.mission_size] if g.known[me, card]]
    return found + [{"card": data.pieces[card], "seat": None, "where": "mission deck", "count": 1} for card in deck]


def _treaty(g: Record, me: int) -> dict[str, Any] | None:
    """Return the offered treaty. Only the owner of a face-down token knows which token it is."""
    if g.phase != constants.DIPLOMACY_PHASE or g.stage not in range(constants.TREATY_ANSWER, constants.SPY_CHOICE + 1):
        return None
    return {
        "from": int(g.turn_seat),
        "to": int(g.act_seat),
        "building": constants.BUILDINGS[g.act_card],
        "offered": int(g.offered),
        "asked_for": int(g.asked_for),
        "token": None if token_is_hidden(g, me) else constants.DIPLOMACY_TOKENS[g.token],
    }


# ---- Options ----


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options. Each has a `text`, what it does (`do`), and the card, place or number that it concerns."""
    return [_option(g, data, option) for option in list_options(g)]


def _option(g: Record, data: Data, option: Option) -> dict[str, Any]:
    said = _said(g, data, option)
    words_for_text = {
        **said,
        "names": ", ".join(said.get("cards", [])),
        "bonus": " with its bonus" if said.get("bonus") else "",
        "double": ", doubled" if said.get("double") else "",
        "how": "".join(f", {name} {thing}" for name, thing in said.get("how", {}).items()),
    }
    return {"text": TEXTS[option.kind].format(**words_for_text), "do": constants.OPTIONS[option.kind], **said}


def _said(g: Record, data: Data, option: Option) -> dict[str, Any]:
    """Return the card, building, province or number that an option concerns."""
    kind, card, value, seat, place = option.kind, option.card, option.value, option.seat, option.place
    if kind in (constants.SELL, constants.DISCARD, constants.PLAY, constants.PUT_UNDER):
        return {"card": data.pieces[card]}
    if kind == constants.LAY_SET:
        cards = [data.pieces[g.hand[seat, bit]] for bit in range(g.hand_size[seat]) if value >> bit & 1]
        return {"type": constants.TRADE_TYPES[card], "cards": cards}
    if kind == constants.PUT_TOKEN:
        token, denarii = constants.DIPLOMACY_TOKENS[value % 2], value // 2
        about = {"building": constants.BUILDINGS[card], "province": constants.PROVINCES[place], "seat": seat}
        return {"token": token, "denarii": denarii, **about}
    if kind in (constants.PAY_FOR_GLORY, constants.ACCEPT, constants.ASK_MORE):
        return {"number": value}
    if kind == constants.FREE_ACTION:
        return {"building": constants.BUILDINGS[card]}
    if kind == constants.ACTIVATE:
        about = {"intrigue": constants.INTRIGUES[card], "province": constants.PROVINCES[place], "seat": seat}
        return {**about, "how": _how(card, value)}
    if kind == constants.PLACE_TILE:
        return {"building": constants.BUILDINGS[card], "number": value}
    if kind == constants.PLACE_FOLLOWER:
        return {"place": constants.PLACES[card], "bonus": bool(value)}
    if kind == constants.TAKE_TAX:
        return {"double": bool(value)}
    if kind == constants.PLACE_LEGION:
        return {"region": constants.REGIONS[place]}
    if kind == constants.MOVE_LEGION:
        return {"source": constants.REGIONS[card], "region": constants.REGIONS[place]}
    return {"level": constants.PANTHEON_LEVELS[card]} if kind == constants.PLACE_PIECE else {}


def _how(intrigue: int, value: int) -> dict[str, Any]:
    """Return what the `option_value` of an intrigue option means (see `constants.OPTIONS`)."""
    if intrigue == constants.DEMOLITION:
        return {"level": value}
    if intrigue == constants.DEFECTION:
        return {"region": constants.REGIONS[value % 3], "replaced": "yes" if value >= 3 else "no"}
    if intrigue == constants.DECEPTION:
        first, second, to = value % 4, value // 4 % 4, value // 16
        sources = [constants.REGIONS[region] for region in (first, second) if region != constants.NO_SECOND]
        return {"from": " and ".join(sources), "to": constants.REGIONS[to]}
    return {"place": value + 1} if intrigue in (constants.RE_VOTE, constants.INVALID_VOTE) else {}
