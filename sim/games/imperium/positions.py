"""A position of the table told in JSON: what everybody scores, and what each player could do in a turn.

`docs/records.md` describes the files. Everything is read off a game record that the engine's own kernels judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.data.place import NOWHERE, Place
from sim.data.positions import read_position
from sim.games.imperium import words
from sim.games.imperium.catalog import Catalog
from sim.games.imperium.conditions import meets_requirements
from sim.games.imperium.layout import Position, lay_out
from sim.games.imperium.payment import can_develop, development_price
from sim.games.imperium.plays import can_pay_for_effect, can_play, can_use, is_free_play
from sim.games.imperium.scoring import (
    TOTAL,
    card_points,
    collapse_unrest,
    rank_after_collapse,
    rank_by_points,
    score_seat,
)
from sim.games.imperium.stack import shows_state
from sim.games.imperium.told import list_points
from sim.jit import Record
from sim.kit.zones import put, take_out

# ---- Looking ----


def inspect_position(row: Mapping[str, object], catalog: Catalog, t: Record, place: Place = NOWHERE) -> dict[str, Any]:
    """Inspect one position.

    Parameters
    ----------
    row
        The position as JSON has it.
    catalog, t
        Cards and their tables.
    place
        Where the position stands, for messages.

    Returns
    -------
    dict
        `players`, `leads`, `market`; see `docs/records.md`.

    Raises
    ------
    UserError
        The position is not as the format or the rules have it.
    """
    position = read_position(row, Position, place)
    table = lay_out(position, catalog, t, place)
    g: Any = table[0]
    seats = range(int(g.players))
    for seat in seats:
        score_seat(g, t, seat)
    rank_after_collapse(g, t)
    after_collapse = [{"unrest": int(collapse_unrest(g, t, seat)), "rank": int(g.rank[seat])} for seat in seats]
    rank_by_points(g)
    players = [look_at(g, t, catalog, seat) | {"collapse": after_collapse[seat]} for seat in seats]
    return {
        "players": players,
        "leads": [seat for seat in seats if g.rank[seat] == 1],
        "market": [_market_card(g, t, catalog, slot) for slot in range(words.SLOTS) if g.market[slot] != words.NO_CARD],
    }


def look_at(g: Record, t: Record, catalog: Catalog, seat: int) -> dict[str, Any]:
    """Tell all about a player whose scores and rank are there, at the beginning of its turn.

    Returns
    -------
    dict
        As the entries of `players` in `docs/records.md`, but for `collapse`.
    """
    g.turn_seat, g.activating = seat, 1
    in_play = [int(card) for card in g.zone[seat, words.PLAY, : g.zone_size[seat, words.PLAY]]]
    hand = [int(card) for card in g.zone[seat, words.HAND, : g.zone_size[seat, words.HAND]]]
    develops = bool(t.faction_develops[g.faction[seat]])
    area = [int(card) for card in g.zone[seat, words.DEVELOPMENT, : g.zone_size[seat, words.DEVELOPMENT]] if develops]
    return {
        "faction": catalog.faction_names[g.faction[seat]],
        "state": words.STATES[g.state[seat]],
        "resources": {resource: int(g.resource[seat, number]) for number, resource in enumerate(words.RESOURCES)},
        "rank": int(g.rank[seat]),
        "score": {part: int(g.score[seat, number]) for number, part in enumerate((*words.SCORE_PARTS, "total"))},
        "points": [
            _named(catalog, card) | {"zone": words.ZONE_NAMES[zone], "part": words.SCORE_PARTS[part], "points": points}
            for card, zone, part, points in list_points(g, t, seat)
            if points != 0
        ],
        "hand": [_named(catalog, card) | _judged("can_play", why_not_played(g, t, seat, card)) for card in hand],
        "abilities": [
            _named(catalog, card) | _judged("can_use", why_not_used(g, t, seat, card))
            for card in in_play
            if t.program[card, words.EXHAUST_PROGRAM] != 0
        ],
        "development": [_named(catalog, card) | _price(g, t, seat, card) for card in area],
    }


def why_not_played(g: Record, t: Record, seat: int, card: int) -> str | None:
    """Say why a player whose turn it is cannot play a hand card; None if it can."""
    if t.unplayable[card] != 0:
        return "it is never played"
    if g.actions[seat] == 0 and not is_free_play(g, t, seat, card):
        return "no action is left"
    if not shows_state(g, t, seat, card):
        return f"it is for {'a barbarian' if t.state[card] == words.BARBARIAN else 'an empire'}"
    if not meets_requirements(g, t, seat, card):
        return "what it requires is not there"
    if not can_pay_for_effect(g, t, seat, card):
        return "its cost cannot be paid"
    return None if can_play(g, t, seat, card) else "the rules forbid it now"


def why_not_used(g: Record, t: Record, seat: int, card: int) -> str | None:
    """Say why a player whose turn it is cannot use the exhaust ability of a card in play; None if it can."""
    if can_use(g, t, seat, card):
        return None
    if g.exhausted[card] != 0:
        return "it bears an exhaust token"
    return "no exhaust token is left" if g.exhausts[seat] == 0 else "its cost or condition is not met"


def _named(catalog: Catalog, card: int) -> dict[str, Any]:
    return {"card": catalog.cards[card].name, "id": catalog.cards[card].id}


def _judged(word: str, reason: str | None) -> dict[str, Any]:
    return {word: reason is None, "because": reason}


def _price(g: Record, t: Record, seat: int, card: int) -> dict[str, Any]:
    """What a development card costs a player now, and whether it can be paid."""
    prices = {
        resource: int(development_price(g, t, seat, card, number)) for number, resource in enumerate(words.RESOURCES)
    }
    cost = {resource: price for resource, price in prices.items() if price}
    return {"cost": cost, "can_pay": bool(can_develop(g, t, seat, card, 0))}


def _market_card(g: Record, t: Record, catalog: Catalog, slot: int) -> dict[str, Any]:
    """Tell a market card: what lies on and below it, and for each player its points and what it would add."""
    card = int(g.market[slot])
    tokens = {resource: int(g.market_tokens[slot, number]) for number, resource in enumerate(words.RESOURCES)}
    points, adds = [], []
    for seat in range(g.players):
        before = int(g.score[seat, TOTAL])
        put(g, seat, words.HAND, card)
        points.append(int(card_points(g, t, seat, card, words.HAND)))
        score_seat(g, t, seat)
        adds.append(int(g.score[seat, TOTAL]) - before)
        take_out(g, seat, words.HAND, card)
        score_seat(g, t, seat)
    return _named(catalog, card) | {
        "slot": slot + 1,
        "tokens": {resource: number for resource, number in tokens.items() if number},
        "unrest": bool(g.market_unrest[slot] != words.NO_CARD),
        "points": points,
        "adds": adds,
    }


# ---- In words ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Tell the result of a position as lines for the console."""
    lines: list[str] = []
    for seat, player in enumerate(result["players"]):
        lines += [f"Seat {seat}: {player['faction']}, {player['state']}, {_amounts(player['resources'])}"]
        lines += [f"  score {player['score']['total']} (rank {player['rank']})", *_part_lines(player)]
        collapse = player["collapse"]
        lines += [f"  after a collapse: rank {collapse['rank']} with {collapse['unrest']} unrest"]
        lines += _choice_lines("play", "can_play", player["hand"])
        lines += _choice_lines("use", "can_use", player["abilities"])
        lines += [
            f"  develops {entry['card']} for {_amounts(entry['cost']) or 'nothing'}"
            + ("" if entry["can_pay"] else ": cannot pay")
            for entry in player["development"]
        ]
    if result["market"]:
        lines += ["Market", *map(_market_line, result["market"])]
    leaders = " and ".join(result["players"][seat]["faction"] for seat in result["leads"])
    return [*lines, f"If the game ended now: {leaders}"]


def _amounts(amounts: Mapping[str, int]) -> str:
    return ", ".join(f"{amount} {resource}" for resource, amount in amounts.items())


def _part_lines(player: Mapping[str, Any]) -> list[str]:
    """One line for each score part that has points, with the cards that have them."""
    lines = []
    for part in words.SCORE_PARTS:
        cards = [entry for entry in player["points"] if entry["part"] == part]
        told = ", ".join(f"{card['card']} {card['points']} ({card['zone'].replace('_', ' ')})" for card in cards)
        if cards or player["score"][part]:
            lines.append(f"    {part} {player['score'][part]}" + (f": {told}" if told else ""))
    return lines


def _choice_lines(verb: str, word: str, entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """What can be done, in one line, and what cannot, in one line for each reason."""
    can = [entry["card"] for entry in entries if entry[word]]
    lines = [f"  can {verb}: {', '.join(can)}"] if can else []
    for reason in dict.fromkeys(entry["because"] for entry in entries if not entry[word]):
        cards = [entry["card"] for entry in entries if entry["because"] == reason]
        lines.append(f"  cannot {verb} {', '.join(cards)}: {reason}")
    return lines


def _market_line(card: Mapping[str, Any]) -> str:
    on_it = [*([_amounts(card["tokens"])] if card["tokens"] else []), *(["unrest below"] if card["unrest"] else [])]
    told = ", ".join(on_it)
    adds = ", ".join(f"{points:+d}" for points in card["adds"])
    return f"  {card['card']}{f' ({told})' if told else ''}: would add {adds} in hand, seat by seat"
