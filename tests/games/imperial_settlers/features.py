"""What Imperial Settlers supplies to the tests of features: a slow count by the rows of the files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from sim.game import Data
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.constants import DEALS, DECK, FOUNDATIONS, HAND, LOCATIONS, TRADES
from sim.games.imperial_settlers.rules.scoring import count_points
from tests.kit.hidden import cards_in


def expected(data: Data, g: Any, t: Any, seat: int) -> dict[str, float]:
    """All features of a seat that are not zero, by name."""
    rows, deck_of, found = data.catalog.cards, data.catalog.faction_of, Counter[str]()
    faction = data.catalog.decks[g.faction[seat]].faction
    for card in cards_in(g, seat, LOCATIONS):
        row = rows[card]
        own_deck = deck_of[card] >= 0
        found[f"built: {row.name}"] += 1
        found[f"locations: {row.kind}"] += 1
        found["faction locations" if own_deck else "common locations"] += 1
        found["samurai"] += int(g.samurai[card])
        can_be_razed = not own_deck or faction.cards_can_be_razed
        raze_goods = sum(getattr(row.raze, good, 0) for good in constants.GOODS)
        found["locations others may raze"] += can_be_razed and not row.cannot_be_razed and raze_goods > 0
        found.update({f"locations: {colour}": 1 for colour in row.colours})
    for card in cards_in(g, seat, HAND):
        found[f"hand: {rows[card].name}"] += 1
        found["common cards in hand" if deck_of[card] < 0 else "faction cards in hand"] += 1
    deals = [rows[card].deal for zone in (DEALS, TRADES) for card in cards_in(g, seat, zone) if rows[card].deal]
    found.update(f"deals: {good}" for good in deals)
    found.update(f"produces: {good}" for good in deals)
    found.update(production(data, g, seat))
    found.update(
        {f"goods: {good}": int(g.goods[seat, n]) for n, good in enumerate(constants.GOODS[: constants.SUPPLY])}
    )
    found.update(points_now(g, t, seat))
    found[f"faction: {faction.name}"] = 1
    found["foundations"] = int(g.zone_size[seat, FOUNDATIONS])
    found["faction deck"] = len(cards_in(g, seat, DECK))
    found["first player"] = int(seat == g.first_seat)
    return {name: float(count) for name, count in found.items() if count}


def production(data: Data, g: Any, seat: int) -> Counter[str]:
    """What the board and the production locations bring for certain."""
    board = data.catalog.decks[g.faction[seat]].faction.board
    found = Counter({f"produces: {good}": getattr(board, good, 0) for good in constants.GOODS})
    rows = [data.catalog.cards[card] for card in cards_in(g, seat, LOCATIONS)]
    colours = Counter(colour for row in rows for colour in row.colours)
    for row in rows:
        for operation, *given in row.production if row.kind == "production" else ():
            if operation == "gain":
                found[f"produces: {given[0]}"] += given[1]
            elif operation == "gain_per_colour":
                found[f"produces: {given[0]}"] += min(given[1] * colours[given[2]], given[3])
            elif operation == "draw":
                found["produces: card"] += given[1]
    return found


def points_now(g: Any, t: Any, seat: int) -> dict[str, int]:
    """Points by part, and what lies between the seat and the best of the others, as if the game ended now."""
    copy: Any = np.asarray(g).reshape(1).copy()[0]
    for each in range(g.players):
        count_points(copy, t, each)
    totals = copy.score[: g.players, constants.TOTAL].tolist()
    own = totals.pop(seat)
    parts = {f"points: {part}": int(copy.score[seat, n]) for n, part in enumerate(constants.SCORE_PARTS)}
    return {**parts, "points behind the leader": max(0, max(totals) - own), "lead": max(0, own - max(totals))}
