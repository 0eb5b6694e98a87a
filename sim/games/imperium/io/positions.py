"""Inspects a position in JSON: the scores of all players, and what each of them could do in a turn.

`docs/records.md` describes the files. The kernels of the engine apply the rules and decide what is legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sim.compiler.kernel import Record
from sim.data.place import NOWHERE, Place
from sim.engine.rng import SEATS
from sim.engine.zones import put, take_out
from sim.games.imperium.data.catalog import Catalog
from sim.games.imperium.io.layout import Position, PositionMove, load_position
from sim.games.imperium.io.narrate import list_points, narrate_part
from sim.games.imperium.rules import constants, scoring
from sim.games.imperium.rules.conditions import meets_requirements
from sim.games.imperium.rules.drawing import draw
from sim.games.imperium.rules.payment import can_develop, development_price, may_develop
from sim.games.imperium.rules.plays import can_pay_for_effect, can_play, can_use, is_free_play
from sim.games.imperium.rules.stack import shows_state
from sim.games.imperium.rules.state import STATE
from sim.games.imperium.rules.tables import MAX_ZONE, TABLES
from sim.games.imperium.rules.turns import play_step
from sim.games.shared.describe import by_name, cards_in
from sim.games.shared.position_files import position_inspector
from sim.games.shared.stepping import pausing_players

# ---- Inspecting ----


def inspect(position: Position, catalog: Catalog, t: Record, place: Place) -> dict[str, Any]:
    """Make the moves of a position, then describe every player, the market, and the effects of each move."""
    table = load_position(position, catalog, t, place)
    g: Any = table[0]
    moves = [
        {"told": draw_card(g, t, catalog, move, place.at("moves", number))}
        for number, move in enumerate(position.moves or [], start=1)
    ]
    seats = range(int(g.players))
    for seat in seats:
        scoring.score_seat(g, t, seat)
    scoring.rank_after_collapse(g, t)
    after_collapse = [{"unrest": int(scoring.collapse_unrest(g, t, seat)), "rank": int(g.rank[seat])} for seat in seats]
    scoring.rank_by_points(g)
    players = [look_at(g, t, catalog, seat) | {"collapse": after_collapse[seat]} for seat in seats]
    return {
        "players": players,
        "leads": [seat for seat in seats if g.rank[seat] == 1],
        "market": [
            _market_card(g, t, catalog, slot) for slot in range(constants.SLOTS) if g.market[slot] != constants.NO_CARD
        ],
    } | ({"moves": moves} if position.moves is not None else {})


inspect_position = position_inspector(Position, inspect)


# ---- Moves ----


def first_option(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score the first option highest. A player that does so pays with the least progress and skips reactions."""
    return float(-option)


@cache
def _players() -> Any:
    """Return players that always take the first option, as kernel arguments."""
    return pausing_players(first_option, STATE, TABLES)


def draw_card(g: Record, t: Record, catalog: Catalog, move: PositionMove, place: Place = NOWHERE) -> list[str]:
    """Let a player draw a card, with a reshuffle and a development if they are due; return the narration.

    Raises
    ------
    UserError
        The draw does not let the player develop the named card, or the hand is full.
    """
    seat = move.p
    area = cards_in(g, seat, constants.DEVELOPMENT) if may_develop_now(g, t, seat) else []
    able = [card for card in area if can_develop(g, t, seat, card, 0)]
    wished = [card for card in able if move.develop in (catalog.cards[card].id, catalog.cards[card].name)]
    if move.develop is not None and not wished:
        allowed = [catalog.cards[card].name for card in able] or "none: this draw allows no development"
        raise place.at("develop").wrong("no card that can be developed now", move.develop, allowed)
    g.log.keeps_rows = 1
    told_before = int(g.log.row_count)
    g.step_decisions = g.decisions
    if able:
        # The options are the affordable cards, then the option to develop no card.
        g.answer[0] = able.index(wished[0]) if wished else len(able)
        g.answer_drawn[0] = g.rng_drawn[SEATS + seat]
        g.answers_given = 1
    draw(g, t, _players(), seat, True)
    while g.depth > 0 and g.collapsed == 0 and g.error == 0:
        play_step(g, t, _players())
    if g.error != 0:
        here = int(g.zone_size[seat, constants.HAND])
        raise place.wrong("too many cards in one zone", here, f"fewer than {MAX_ZONE} in hand")
    return narrate_part(g, t, catalog, told_before)


def may_develop_now(g: Record, t: Record, seat: int) -> bool:
    """Tell whether the next draw causes a reshuffle that lets a seat develop."""
    has_token = g.development_exhausted[seat] == 0 and g.exhausts[seat] > 0
    reshuffles = g.zone_size[seat, constants.DECK] == 0 and g.state[seat] == constants.EMPIRE
    return bool(reshuffles and has_token and may_develop(g, t, seat))


# ---- A player ----


def look_at(g: Record, t: Record, catalog: Catalog, seat: int) -> dict[str, Any]:
    """Return the entry of a player in the result, except for its key `collapse`.

    The player has been scored and ranked, and is treated as beginning a turn.
    """
    g.turn_seat, g.activating = seat, 1
    in_play = cards_in(g, seat, constants.PLAY)
    hand = cards_in(g, seat, constants.HAND)
    area = cards_in(g, seat, constants.DEVELOPMENT) if t.faction_develops[g.faction[seat]] else []
    return {
        "faction": catalog.faction_names[g.faction[seat]],
        "state": constants.STATES[g.state[seat]],
        "resources": by_name(constants.RESOURCES, g.resource[seat]),
        "actions": int(g.actions[seat]),
        "exhausts": int(g.exhausts[seat]),
        "exhausted": _exhausted(g, catalog, seat, in_play),
        "zones": _zones(g, t, catalog, seat),
        "rank": int(g.rank[seat]),
        "score": by_name((*constants.SCORE_PARTS, "total"), g.score[seat]),
        "points": [
            _named(catalog, card)
            | {"zone": constants.ZONE_NAMES[zone], "part": constants.SCORE_PARTS[part], "points": points}
            for card, zone, part, points in list_points(g, t, seat)
            if points != 0
        ],
        "hand": [_named(catalog, card) | _judged("can_play", why_not_played(g, t, seat, card)) for card in hand],
        "abilities": [
            _named(catalog, card) | _judged("can_use", why_not_used(g, t, seat, card))
            for card in in_play
            if t.program[card, constants.EXHAUST_PROGRAM] != 0
        ],
        "development": [_named(catalog, card) | _price(g, t, seat, card) for card in area],
    }


def _exhausted(g: Record, catalog: Catalog, seat: int, in_play: Sequence[int]) -> list[str]:
    """Return the names of everything with an exhaust token: cards in play, nation deck, development area."""
    decks = zip(constants.EXHAUSTED_DECKS, (g.nation_exhausted[seat], g.development_exhausted[seat]), strict=True)
    return [
        *(catalog.cards[card].name for card in in_play if g.exhausted[card]),
        *(name for name, token in decks if token),
    ]


def _zones(g: Record, t: Record, catalog: Catalog, seat: int) -> dict[str, Any]:
    """Return the cards of a player in the form of a position, without the power card."""
    zones: dict[str, Any] = {}
    for zone, name in enumerate(constants.ZONE_NAMES):
        cards = cards_in(g, seat, zone)
        if zone != constants.GARRISON:
            zones[name] = [catalog.cards[card].name for card in cards if t.kind[card] != constants.POWER]
            continue
        zones[name] = {}
        for card in cards:
            zones[name].setdefault(catalog.cards[g.host[card]].name, []).append(catalog.cards[card].name)
    return zones


def why_not_played(g: Record, t: Record, seat: int, card: int) -> str | None:
    """Return the reason why the player whose turn it is cannot play a hand card; None if the player can."""
    if t.unplayable[card] != 0:
        return "it is never played"
    if g.actions[seat] == 0 and not is_free_play(g, t, seat, card):
        return "no action is left"
    if not shows_state(g, t, seat, card):
        return f"it is for {'a barbarian' if t.state[card] == constants.BARBARIAN else 'an empire'}"
    if not meets_requirements(g, t, seat, card):
        return "what it requires is not there"
    if not can_pay_for_effect(g, t, seat, card):
        return "its cost cannot be paid"
    return None if can_play(g, t, seat, card) else "the rules forbid it now"


def why_not_used(g: Record, t: Record, seat: int, card: int) -> str | None:
    """Return the reason why the player whose turn it is cannot exhaust a card in play; None if the player can."""
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
    """Return the current cost of a development card, and whether the player can pay it."""
    prices = [development_price(g, t, seat, card, number) for number in range(len(constants.RESOURCES))]
    cost = {resource: price for resource, price in by_name(constants.RESOURCES, prices).items() if price}
    return {"cost": cost, "can_pay": bool(can_develop(g, t, seat, card, 0))}


def _market_card(g: Record, t: Record, catalog: Catalog, slot: int) -> dict[str, Any]:
    """Describe a market card: what lies on and below it, and what it is worth in each player's hand.

    `points` are the points of the card itself. `adds` is the change of the player's score.
    """
    card = int(g.market[slot])
    tokens = by_name(constants.RESOURCES, g.market_tokens[slot])
    points, adds = [], []
    for seat in range(g.players):
        before = int(g.score[seat, scoring.TOTAL])
        put(g, seat, constants.HAND, card)
        points.append(int(scoring.card_points(g, t, seat, card, constants.HAND)))
        scoring.score_seat(g, t, seat)
        adds.append(int(g.score[seat, scoring.TOTAL]) - before)
        take_out(g, seat, constants.HAND, card)
        scoring.score_seat(g, t, seat)
    return _named(catalog, card) | {
        "slot": slot + 1,
        "tokens": {resource: number for resource, number in tokens.items() if number},
        "unrest": bool(g.market_unrest[slot] != constants.NO_CARD),
        "points": points,
        "adds": adds,
    }


# ---- Text ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the result of `inspect` as lines of text."""
    lines: list[str] = []
    for number, move in enumerate(result.get("moves", []), start=1):
        lines += [f"Move {number}", *move["told"]]
    for seat, player in enumerate(result["players"]):
        exhausted = f"; exhausted: {', '.join(player['exhausted'])}" if player["exhausted"] else ""
        lines += [
            f"Seat {seat}: {player['faction']}, {player['state']}, {_amounts(player['resources'])}",
            f"  tokens: {player['actions']} action, {player['exhausts']} exhaust{exhausted}",
            f"  score {player['score']['total']} (rank {player['rank']})",
            *_part_lines(player),
            f"  after a collapse: rank {player['collapse']['rank']} with {player['collapse']['unrest']} unrest",
            *_choice_lines("play", "can_play", player["hand"]),
            *_choice_lines("use", "can_use", player["abilities"]),
        ]
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
    """Return a line for each score part with points, listing its cards."""
    lines = []
    for part in constants.SCORE_PARTS:
        cards = [entry for entry in player["points"] if entry["part"] == part]
        told = ", ".join(f"{card['card']} {card['points']} ({card['zone'].replace('_', ' ')})" for card in cards)
        if cards or player["score"][part]:
            lines.append(f"    {part} {player['score'][part]}" + (f": {told}" if told else ""))
    return lines


def _choice_lines(verb: str, word: str, entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line of the cards for which `verb` is possible, and a line of other cards for each reason why not."""
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
