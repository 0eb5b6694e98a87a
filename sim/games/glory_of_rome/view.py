"""What a seat may see of The Glory of Rome, and its options, by name: for players in plain Python."""

from __future__ import annotations

from typing import Any

from sim.data.catalog import facts_of
from sim.game import Data
from sim.games.glory_of_rome import words
from sim.games.glory_of_rome.redeal import token_is_hidden
from sim.jit import Record

TEXTS = {
    words.PASS: "pass",
    words.SELL: "sell {card}",
    words.DISCARD: "discard {card}",
    words.LAY_SET: "lay down a set of {type}: {names}",
    words.PAY_FOR_GLORY: "pay for glory, {number} times",
    words.PUT_UNDER: "put {card} under the missions",
    words.PUT_TOKEN: "put an {token} token on the {building} building in {province}, offering {denarii}",
    words.ACCEPT: "accept, for {number} denarii",
    words.REFUSE: "refuse",
    words.ASK_MORE: "ask for {number} denarii",
    words.TAKE_GLORY: "take glory",
    words.FREE_ACTION: "take the free action of the {building} building",
    words.ACTIVATE: "activate {intrigue} in {province} against seat {seat}{how}",
    words.PLACE_TILE: "build {building} {number}",
    words.PLACE_FOLLOWER: "place a follower on {place}{bonus}",
    words.TAKE_TAX: "take the tax{double}",
    words.GO_ON: "go on",
    words.PLAY: "play {card}",
    words.PLACE_LEGION: "place a legion into {region}",
    words.MOVE_LEGION: "move a legion from {source} into {region}",
    words.PLACE_PIECE: "place a piece on the {level}",
}
"""What an option of each kind means."""
OPEN_NUMBERS = (
    *("glory", "denarii", "followers", "followers_left", "board_legions", "board_votes", "intrigue_left"),
    *("discord", "anchor", "set_limit", "hand_size", "mission_count"),
)
"""Fields of the record that tell a number of each seat."""

# ---- What a seat sees ----


def look(g: Record, data: Data, me: int) -> dict[str, Any]:
    """Return all that a seat may see.

    Returns
    -------
    dict
        `round`, `phase`, `event` that lies face up; `players`: what lies open of each; `provinces` with their buildings
        and tokens; `regions` with legions of the seats; `senate`: seats, lowest first; own `hand` and `missions`;
        `discard`, and how many cards are in the `decks`; `treaty` that is offered; `cards`: what the own cards say.
    """
    hand = [int(card) for card in g.hand[me, : g.hand_size[me]]]
    missions = [int(card) for card in g.missions[me, : g.mission_count[me]]]
    seats = range(int(g.players))
    return {
        "players": [_player(g, data, seat) for seat in seats],
        "round": int(g.round_number),
        "phase": words.PHASES[g.phase],
        "turn_of": None if g.turn_seat == words.NO_SEAT else int(g.turn_seat),
        "starting_player": int(g.starting_player),
        "event": None if g.event == words.NO_CARD else data.pieces[g.event],
        "provinces": {name: _province(g, place) for place, name in enumerate(words.PROVINCES)},
        "tiles": {name: [int(left) for left in g.tiles[building]] for building, name in enumerate(words.BUILDINGS)},
        "medals": {name: _owner(int(g.medal[building])) for building, name in enumerate(words.BUILDINGS)},
        "regions": {
            name: {"legions": [int(g.legions[region, seat]) for seat in seats], "conquered": bool(g.conquered[region])}
            for region, name in enumerate(words.REGIONS)
        },
        "senate": [int(seat) for seat in g.senate[: g.senate_size]],
        "milestones": [int(space) for space in g.marker],
        "hand": [data.pieces[card] for card in hand],
        "missions": [data.pieces[card] for card in missions],
        "known": _known(g, data, me),
        "discard": [data.pieces[card] for card in g.discard[: g.discard_size]],
        "decks": {"trade": int(g.trade_size), "mission": int(g.mission_size), "event": int(g.event_size)},
        "treaty": _treaty(g, me),
        "cards": {data.pieces[card]: facts_of(data.catalog.cards[card]) for card in (*hand, *missions)},
    }


def _owner(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _player(g: Record, data: Data, seat: int) -> dict[str, Any]:
    """Return what lies open of a seat."""
    return {
        "seat": seat,
        "character": data.factions[g.faction[seat]].name,
        "before": words.PROVINCES[g.board[g.place[seat]]],
        **{name: int(g[name][seat]) for name in OPEN_NUMBERS},
        "placed": {name: int(g.placed[seat, place]) for place, name in enumerate(words.PLACES)},
        "sets": {name: int(g.sets[seat, kind]) for kind, name in enumerate(words.TRADE_TYPES)},
        "bonus_used": [words.BUILDINGS[kind] for kind in range(words.BONUSES) if g.bonus_used[seat, kind]],
        "track": [
            None if bonus == words.NO_BONUS else words.BUILDINGS[bonus]
            for bonus in g.track[seat, : g.track_length[seat]]
        ],
        "pantheon_own": {name: int(g.pantheon_own[seat, level]) for level, name in enumerate(words.PANTHEON_LEVELS)},
        "pantheon_common": {
            name: words.METALS[g.pantheon_common[seat, level]] if g.pantheon_common[seat, level] else None
            for level, name in enumerate(words.PANTHEON_LEVELS)
        },
    }


def _province(g: Record, place: int) -> dict[str, Any]:
    """Return what lies in a province."""
    seats = range(int(g.players))
    return {
        "buildings": {name: int(g.building[place, kind]) for kind, name in enumerate(words.BUILDINGS)},
        "intrigue": [int(g.intrigue[place, seat]) for seat in seats],
        "activated": [int(g.activated[place, seat]) for seat in seats],
    }


def _known(g: Record, data: Data, me: int) -> list[dict[str, Any]]:
    """Return cards of others that a seat knows: those surely in a hand, and missions that it has put under the deck."""
    found = []
    for seat in range(g.players):
        for card in range(data.tables.cards if seat != me else 0):
            count = min(int(g.seen[me, seat, card]), int((g.hand[seat, : g.hand_size[seat]] == card).sum()))
            if count:
                found.append({"card": data.pieces[card], "seat": seat, "where": "hand", "count": count})
            if g.known[me, card] and (g.missions[seat, : g.mission_count[seat]] == card).any():
                found.append({"card": data.pieces[card], "seat": seat, "where": "missions", "count": 1})
    return [
        *found,
        *(
            {"card": data.pieces[card], "seat": None, "where": "mission deck", "count": 1}
            for card in g.mission_deck[: g.mission_size]
            if g.known[me, card]
        ),
    ]


def _treaty(g: Record, me: int) -> dict[str, Any] | None:
    """Return the treaty that is offered; a token that lies face down only its owner knows."""
    if g.phase != words.DIPLOMACY_PHASE or g.stage not in range(words.TREATY_ANSWER, words.SPY_CHOICE + 1):
        return None
    return {
        "from": int(g.turn_seat),
        "to": int(g.act_seat),
        "building": words.BUILDINGS[g.act_card],
        "offered": int(g.offered),
        "asked_for": int(g.asked_for),
        "token": None if token_is_hidden(g, me) else words.DIPLOMACY_TOKENS[g.token],
    }


# ---- Options ----


def name_options(g: Record, data: Data, me: int, decision: int) -> list[dict[str, Any]]:
    """Return the options: what each does (`do`), and the card, building, province or number that it is about."""
    return [_option(g, data, option) for option in range(g.option_count)]


def _option(g: Record, data: Data, option: int) -> dict[str, Any]:
    kind = int(g.option_kind[option])
    fields = (g.option_card, g.option_value, g.option_seat, g.option_place)
    card, value, seat, place = (int(numbers[option]) for numbers in fields)
    said = _said(g, data, kind, card, value, seat, place)
    words_for_text = {**said, "names": ", ".join(said.get("cards", []))}
    words_for_text["bonus"] = " with its bonus" if said.get("bonus") else ""
    words_for_text["double"] = ", doubled" if said.get("double") else ""
    words_for_text["how"] = "".join(f", {name} {thing}" for name, thing in said.get("how", {}).items())
    return {"text": TEXTS[kind].format(**words_for_text), "do": words.OPTIONS[kind], **said}


def _said(g: Record, data: Data, kind: int, card: int, value: int, seat: int, place: int) -> dict[str, Any]:
    """Return what an option is about, by name."""
    if kind in (words.SELL, words.DISCARD, words.PLAY):
        return {"card": data.pieces[card]}
    if kind == words.PUT_UNDER:
        return {"card": data.pieces[card]}
    if kind == words.LAY_SET:
        cards = [data.pieces[g.hand[seat, bit]] for bit in range(g.hand_size[seat]) if value >> bit & 1]
        return {"type": words.TRADE_TYPES[card], "cards": cards}
    if kind == words.PUT_TOKEN:
        token, denarii = words.DIPLOMACY_TOKENS[value % 2], value // 2
        about = {"building": words.BUILDINGS[card], "province": words.PROVINCES[place], "seat": seat}
        return {"token": token, "denarii": denarii, **about}
    if kind in (words.PAY_FOR_GLORY, words.ACCEPT, words.ASK_MORE):
        return {"number": value}
    if kind == words.FREE_ACTION:
        return {"building": words.BUILDINGS[card]}
    if kind == words.ACTIVATE:
        about = {"intrigue": words.INTRIGUES[card], "province": words.PROVINCES[place], "seat": seat}
        return {**about, "how": _how(card, value)}
    if kind == words.PLACE_TILE:
        return {"building": words.BUILDINGS[card], "number": value}
    if kind == words.PLACE_FOLLOWER:
        return {"place": words.PLACES[card], "bonus": bool(value)}
    if kind == words.TAKE_TAX:
        return {"double": bool(value)}
    if kind == words.PLACE_LEGION:
        return {"region": words.REGIONS[place]}
    if kind == words.MOVE_LEGION:
        return {"source": words.REGIONS[card], "region": words.REGIONS[place]}
    return {"level": words.PANTHEON_LEVELS[card]} if kind == words.PLACE_PIECE else {}


def _how(intrigue: int, value: int) -> dict[str, Any]:
    """Return what the number of an intrigue says, see `words.OPTIONS`."""
    if intrigue == words.DEMOLITION:
        return {"level": value}
    if intrigue == words.DEFECTION:
        return {"region": words.REGIONS[value % 3], "replaced": "yes" if value >= 3 else "no"}
    if intrigue == words.DECEPTION:
        first, second, to = value % 4, value // 4 % 4, value // 16
        sources = [words.REGIONS[region] for region in (first, second) if region != words.NO_SECOND]
        return {"from": " and ".join(sources), "to": words.REGIONS[to]}
    return {"place": value + 1} if intrigue in (words.RE_VOTE, words.INVALID_VOTE) else {}
