"""What History of the World supplies to the tests of features: a slow count by the rows of the files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from sim.game import Data
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.scoring import count_armies, level_in, structure_points


def expected(data: Data, g: Any, t: Any, seat: int) -> dict[str, float]:
    """All features of a seat that are not zero, by name."""
    catalog, found = data.catalog, Counter[str]()
    others = [int(g.points[other]) for other in range(g.players) if other != seat]
    points = int(g.points[seat])
    for number, land in enumerate(catalog.lands):
        if g.army[number] == seat:
            built = 2 * int(g.capital[number]) + int(g.city[number]) + int(g.monument[number])
            found[f"army in: {land.name}"] = 1
            found["armies"] += 1
            found["armies in mountains and forests"] += land.terrain != "none"
            found["forts"] += int(g.fort[number])
            found[f"armies: {land.region}"] += 1
            found[f"structure points: {land.region}"] += built
            found[f"forts: {land.region}"] += int(g.fort[number])
    calling = g.phase == constants.CALL
    to_come = [other for other in range(g.players) if calling and g.called[other] == 0]
    if seat in to_come:
        orders = {other: catalog.cards[int(g.empire[other])].order for other in to_come}
        found[f"to come: {data.pieces[int(g.empire[seat])]}"] = 1
        found["armies to come"] = catalog.cards[int(g.empire[seat])].armies
        found["seats before its turn"] = sum(order < orders[seat] for order in orders.values())
    found["turn is over"] = int(calling and seat not in to_come)
    scores_in = int(g.epoch) + int(calling and seat not in to_come)
    by_region = [region_counts(data, g, t, seat, number, scores_in) for number in range(len(catalog.regions))]
    for counts in by_region:
        found.update(counts)
    held = [card for card in range(len(catalog.empires), len(catalog.cards)) if g.holds[card] == 1 + seat]
    lasting = [
        card
        for card in held
        if catalog.card_kinds[card] == "enhancement" or (seat in to_come and g.drafted[card] == g.epoch)
    ]
    found.update(f"holds: {data.pieces[card]}" for card in lasting)
    whole: dict[str, float] = {
        **found,
        "points": points,
        "points behind the leader": max(0, max(others) - points),
        "lead": max(0, points - max(others)),
        "share of others ahead": sum(other > points for other in others) / len(others),
        "chooses its empire first": all(other > points for other in others),
        "structure points": structure_points(g, t, seat),
        "events held": len(lasting),
    }
    return {name: float(count) for name, count in whole.items() if count}


def region_counts(data: Data, g: Any, t: Any, seat: int, number: int, epoch: int) -> dict[str, int]:
    """Rivals, levels and points of a region, by the rule that scores it, in an epoch."""
    copy: Any = np.asarray(g).reshape(1).copy()[0]
    count_armies(copy, t)
    region, level = data.catalog.regions[number], level_in(copy, t, seat, number)
    tokens = [value for value in region.tokens[: epoch + 1] if value]
    armies = [int(copy.counted[number, other]) for other in range(g.players) if other != seat]
    named = ("", "presence", "dominance", "control")[level]
    return {
        f"most armies of another: {region.name}": max(armies),
        "region points to come": level * tokens[-1] if tokens else 0,
        **({f"{named}: {region.name}": 1} if level else {}),
    }
