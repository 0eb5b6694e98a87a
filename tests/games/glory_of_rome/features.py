"""What The Glory of Rome supplies to the tests of features: a slow count by the rows of the files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from sim.game import Data
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.constants import BUILDINGS, REGIONS, TRADE_TYPES
from sim.games.glory_of_rome.rules.scoring import count_points


def expected(data: Data, g: Any, t: Any, seat: int) -> dict[str, float]:
    """All features of a seat that are not zero, by name."""
    found: Counter[str] = Counter()
    hand = g.hand[seat, : g.hand_size[seat]].tolist()
    missions = g.missions[seat, : g.mission_count[seat]].tolist()
    found.update(f"holds: {data.pieces[card]}" for card in (*hand, *missions))
    found.update(f"in hand: {data.catalog.cards[card].type}" for card in hand)
    medals = [kind for number, kind in enumerate(BUILDINGS) if g.medal[number] == seat]
    found.update(f"medal: {kind}" for kind in medals)
    found[f"character: {data.factions[g.faction[seat]].name}"] = 1
    found.update(dict(zip((f"sets: {kind}" for kind in TRADE_TYPES), g.sets[seat].tolist(), strict=True)))
    found.update({f"legions: {region}": int(g.legions[n, seat]) for n, region in enumerate(REGIONS)})
    found.update(f"first in: {region}" for n, region in enumerate(REGIONS) if is_first(g, n, seat))
    found.update(f"bonus: {kind}" for kind in uncovered(data, g, seat))
    found.update(points_now(g, t, seat))
    found.update(before(data, g, seat))
    votes = g.senate[: g.senate_size].tolist()
    found.update(f"vote at place {place}" for place, owner in enumerate(votes, 1) if owner == seat)
    others_at = [place for place, owner in enumerate(votes) if owner != seat]
    base, roof = (int(pieces) for pieces in g.pantheon_own[seat])
    common = g.pantheon_common[seat].tolist()
    ahead = [int(space) - int(g.glory[seat]) for n, space in enumerate(g.marker) if not g.reached[seat, n]]
    step = 1 if g.direction == constants.CLOCKWISE else -1
    found.update(
        {
            "denarii": int(g.denarii[seat]),
            "followers": int(g.followers[seat]),
            "legions to place": int(g.board_legions[seat]),
            "votes to place": int(g.board_votes[seat]),
            "discord": int(g.discord[seat]),
            "anchor card": int(g.anchor[seat]),
            "set limit": int(g.set_limit[seat]),
            "sets": int(g.sets[seat].sum()),
            "medals": len(medals),
            "intrigue tokens to place": int(g.intrigue_left[seat]),
            "intrigue tokens placed": int(g.intrigue[:, seat].sum()),
            "votes in a row on top": len(votes) - (others_at[-1] + 1 if others_at else 0),
            "Pantheon base pieces": base,
            "Pantheon roof pieces": roof,
            "Pantheon base finished": base == 2 and common[0] > 0,
            "Pantheon roof finished": roof == 3 and common[1] > 0,
            "glory to the next milestone": min((glory for glory in ahead if glory > 0), default=0),
            "hand": len(hand),
            "missions": len(missions),
            "turns before its first": step * (seat - int(g.starting_player)) % int(g.players),
            "rounds played": int(g.rounds),
        }
    )
    return {name: float(count) for name, count in found.items() if count}


def is_first(g: Any, region: int, seat: int) -> bool:
    """Whether nobody has more legions in a region, nor as many and the military medal."""
    own = int(g.legions[region, seat])
    rivals = [other for other in range(g.players) if other != seat and g.legions[region, other] >= own]
    owner = g.medal[constants.MILITARY]
    return own > 0 and all(g.legions[region, other] == own and owner != other for other in rivals)


def uncovered(data: Data, g: Any, seat: int) -> list[str]:
    """Bonuses on whose space no discord token lies: these lie on the spaces farthest right."""
    track = data.catalog.track(int(g.faction[seat]))
    return [kind for kind in track[: len(track) - int(g.discord[seat])] if kind != "none"]


def before(data: Data, g: Any, seat: int) -> dict[str, int]:
    """What lies before a seat, and beside it."""
    place = int(g.place[seat])
    here, clockwise, counter = (int(g.board[(place + step) % 4]) for step in (0, -1, 1))
    people = {province: 1 + int(g.building[province].sum()) for province in (here, clockwise, counter)}
    penalties = {row.population: row.glory for row in data.catalog.penalties}
    return {
        **{f"level before it: {kind}": int(g.building[here, number]) for number, kind in enumerate(BUILDINGS)},
        "intrigue tokens of others before it": int(g.intrigue[here].sum()) - int(g.intrigue[here, seat]),
        "population before it": people[here],
        "population clockwise": people[clockwise],
        "population counter-clockwise": people[counter],
        "glory lost by taxing twice": penalties[people[here]],
    }


def points_now(g: Any, t: Any, seat: int) -> dict[str, int]:
    """Points by part, and what lies between the seat and the best of the others, as if the game ended now."""
    copy: Any = np.asarray(g).reshape(1).copy()[0]
    for each in range(g.players):
        count_points(copy, t, each)
    totals = copy.score[: g.players, constants.TOTAL].tolist()
    own = totals.pop(seat)
    parts = {f"points: {part}": int(copy.score[seat, n]) for n, part in enumerate(constants.SCORE_PARTS)}
    return {**parts, "points behind the leader": max(0, max(totals) - own), "lead": max(0, own - max(totals))}
