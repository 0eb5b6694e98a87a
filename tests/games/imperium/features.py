"""What Imperium supplies to the tests of features: a slow count by the rows of the files and by the score of a copy."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from sim.game import Data
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.scoring import score_game
from tests.kit.hidden import cards_in

PLACE = {
    **dict.fromkeys(("hand", "draw_deck", "discard"), "deck"),
    "in_play": "in play",
    **dict.fromkeys(("history", "sunken"), "history"),
    "nation": "nation deck",
    "development": "development area",
    "garrisoned": "garrison",
}


def expected(data: Data, g: Any, t: Any, seat: int) -> dict[str, float]:
    """All features of a seat that are not zero, by name."""
    rows, found = data.catalog.cards, Counter[str]()
    zones = {name: cards_in(g, seat, zone) for zone, name in enumerate(constants.ZONE_NAMES)}
    for zone, cards in zones.items():
        found[f"cards: {zone}"] = len(cards)
        for card in cards:
            if "unrest" not in rows[card].suits:
                found[f"{PLACE[zone]}: {data.pieces[card]}"] = 1
            if zone not in ("nation", "development"):
                found.update(f"suit: {suit}" for suit in rows[card].suits)
    for card in zones["hand"]:
        if "unrest" in rows[card].suits:
            found["unrest in hand"] += 1
        else:
            found[f"hand: {data.pieces[card]}"] = 1
    found["unrest in draw deck"] = sum("unrest" in rows[card].suits for card in zones["draw_deck"])
    for card in zones["in_play"]:
        stored = "material" if "move_to_self" in str(rows[card].exhaust) else "progress"
        found[f"{stored} on cards in play"] += int(g.stored[card])
        found["regions in play"] += "region" in rows[card].suits
        for icon in constants.ICONS:
            found[f"in play: {icon} icons"] += getattr(rows[card].icons, icon)
    tokens = dict(zip(constants.RESOURCES, g.resource[seat].tolist(), strict=True))
    for card in zones["development"]:
        price = rows[card].cost
        found["developments within its means"] += all(tokens[each] >= getattr(price, each) for each in tokens)
    found.update(points_now(g, t, seat))
    found.update(tokens)
    found[f"nation: {data.factions[g.faction[seat]].name}"] = 1
    found.update(
        {
            "empire": int(g.state[seat]),
            "nation deck is empty": not zones["nation"],
            "exhaust tokens": int(g.exhausts[seat]),
            "first seat": int(seat == g.first_seat),
            "King of Kings used": int(g.king_used[seat]),
        }
    )
    found.update(of_table(g))
    return {name: count for name, count in found.items() if count}


def points_now(g: Any, t: Any, seat: int) -> dict[str, int]:
    """Points by part, as if the game ended now."""
    copy = np.asarray(g).reshape(1).copy()
    score_game(copy[0], t)
    parts = copy[0].score[seat].tolist()
    return {f"points: {name}": parts[part] for part, name in enumerate(constants.SCORE_PARTS)}


def of_table(g: Any) -> dict[str, int]:
    """What all seats share."""
    names = {"main": "main deck", "fame": "fame deck", "unrest": "unrest pile", "exile": "exile pile"}
    sizes = g.zone_size[constants.TABLE].tolist()
    table = {names[name]: sizes[zone] for zone, name in enumerate(constants.TABLE_ZONE_NAMES) if name in names}
    ending = g.ending != constants.NOT_ENDING
    return {
        **table,
        "main deck below six": table["main deck"] < 6,
        "unrest pile below four": table["unrest pile"] < 4,
        "rounds played": int(g.rounds),
        "end is triggered": ending,
        "rounds left to play": int(g.rounds_left) if ending else 0,
        "King of Kings turned": int(g.king_turned),
    }
