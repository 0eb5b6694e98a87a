"""The worth of a building tile: its glory, tax, place for a follower and medal."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.building import denarii_while_building
from sim.games.glory_of_rome.rules.conditions import province_before
from strategies.glory_of_rome.card_worth import note_hand
from strategies.glory_of_rome.outlook import glory_worth
from strategies.glory_of_rome.terms.actions import place_for_follower_worth
from strategies.glory_of_rome.weights import (
    KINDS,
    N_COUNT,
    N_DENARIUS,
    N_LEFT,
    N_PLAY,
    N_TILE,
    P_MEDAL,
    P_MEDAL_ROUND,
    P_MISSION,
    P_PASS_ON,
    P_TILE,
)

TOWARDS_MEDAL = 0.25
"""Share of a medal mission's points that counts for the tile just below the one that gives the medal."""


@kernel
def plan_worth(g: Record, t: Record, me: int, kind: int, w: Record) -> float:
    """Return the worth of the next tile of a type, plus that of the best other tile that the seat can buy then."""
    province = province_before(g, me)
    left = denarii_while_building(g, t, me) - int(t.price[kind, g.building[province, kind]])
    best = 0.0
    for other in range(KINDS):
        level = int(g.building[province, other])
        if other != kind and level < constants.LEVELS and g.tiles[other, level] > 0 and t.price[other, level] <= left:
            best = max(best, noted_tile_worth(g, t, me, other, w))
    return noted_tile_worth(g, t, me, kind, w) + best


@kernel
def noted_tile_worth(g: Record, t: Record, me: int, kind: int, w: Record) -> float:
    """Return the worth of the next tile of a type, computed once per decision."""
    if math.isnan(g.notes[N_TILE + kind]):
        g.notes[N_TILE + kind] = tile_worth(g, t, me, kind, w)
    return float(g.notes[N_TILE + kind])


@kernel
def tile_worth(g: Record, t: Record, me: int, kind: int, w: Record) -> float:
    """Compute the worth of the next tile of a type in the province in front of a seat."""
    level = int(g.building[province_before(g, me), kind])
    worth = glory_worth(g, me, int(t.building_glory[kind, level]), w)
    # The tile raises this round's taxes by one denarius, so that part of the price comes back.
    worth -= (t.price[kind, level] - 1.0) * g.notes[N_DENARIUS]
    worth += w.weight[P_TILE] * place_for_follower_worth(g, t, me, kind, level + 1, w)
    if level + 1 == constants.LEVELS and g.medal[kind] == constants.NO_SEAT:
        worth += medal_worth(g, t, me, kind, w)
    elif level + 1 == constants.LEVELS - 1 and g.medal[kind] == constants.NO_SEAT:
        worth += TOWARDS_MEDAL * (g.notes[N_COUNT + constants.COUNT_MEDALS] + medal_missions(g, t, me, kind, w))
    note_hand(g, t, me, w)
    worth += g.notes[N_PLAY + constants.BUILD]
    return float(worth - w.weight[P_PASS_ON] * min(3.0, g.notes[N_LEFT]))


@kernel
def medal_worth(g: Record, t: Record, me: int, kind: int, w: Record) -> float:
    """Return the worth of a medal: its use in the rounds to come, and the missions that count it."""
    worth = w.weight[P_MEDAL] + w.weight[P_MEDAL_ROUND] * g.notes[N_LEFT]
    return float(worth + g.notes[N_COUNT + constants.COUNT_MEDALS] + medal_missions(g, t, me, kind, w))


@kernel
def medal_missions(g: Record, t: Record, me: int, kind: int, w: Record) -> float:
    """Return the points that the seat's missions give for the medal of a building type."""
    worth = 0.0
    for place in range(g.mission_count[me]):
        mission = int(g.missions[me, place])
        if t.condition[mission] == constants.MEDAL and t.count[mission] == kind:
            worth += w.weight[P_MISSION] * t.points[mission]
    return worth


@kernel
def gain_by_selling(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the highest worth of a tile per missing denarius, if only selling cards can pay for it; otherwise 0."""
    note_hand(g, t, me, w)
    province = province_before(g, me)
    denarii = denarii_while_building(g, t, me)
    best = 0.0
    for kind in range(KINDS):
        level = int(g.building[province, kind])
        if level < constants.LEVELS and g.tiles[kind, level] > 0:
            missing = int(t.price[kind, level]) - denarii
            if 0 < missing <= t.card_price * g.hand_size[me]:
                best = max(best, noted_tile_worth(g, t, me, kind, w) / missing)
    return best
