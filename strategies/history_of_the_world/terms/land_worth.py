"""The cost of conquering a land, and the worth of the land apart from the points of its region."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import in_force
from sim.games.history_of_the_world.rules.state import opponents_hold
from sim.games.history_of_the_world.rules.structures import icons_a_monument
from strategies.history_of_the_world.weights import (
    ADVANTAGES,
    LEAST_ADVANTAGE,
    MOST_ARMIES,
    MOST_REROLLS,
    N_AFTER,
    N_COST,
    ODDS,
    ODDS_STEP,
    P_RAZE,
    P_RESOURCE,
    P_STRUCTURE,
)

ONLY_FLEET = 1 << constants.FLEET


@kernel
def odds_of(g: Record, t: Record, terrain: int, fort: int, maritime: int, armies: int, siege: int) -> int:
    """Return the index of the prepared odds of a battle: the chance to hold the land, followed by the armies spent.

    `terrain`, `fort` and `maritime` are 1 if they help the defender. `armies` is the number of armies left on the card.
    `siege` is the attacker's advantage by sieges.
    """
    advantage, rerolls, ties = siege, 0, 0
    if g.phase == constants.TURN:
        kingdom = g.waiting != constants.NO_CARD
        advantage += int(g.bonus[0] + (0 if kingdom else g.bonus[1]))
        rerolls = min(int(g.rerolls[0] + (0 if kingdom else g.rerolls[1])), MOST_REROLLS)
        ties = int(in_force(g, constants.WINS_TIES))
        if in_force(g, constants.IGNORES_TERRAIN):
            terrain = 0
        if in_force(g, constants.IGNORES_MARITIME):
            maritime = 0
    if terrain != 0:
        advantage -= int(t.terrain_bonus)
    place = min(max(advantage - LEAST_ADVANTAGE, 0), ADVANTAGES - 1)
    place = ((place * 2 + fort) * 2 + maritime) * (MOST_REROLLS + 1) + rerolls
    place = place * 2 + ties
    return ODDS + place * ODDS_STEP + 2 * min(max(armies, 0), MOST_ARMIES)


@kernel
def kind_of_battle(terrain: int, fort: int, maritime: int) -> int:
    """Return the index of a kind of battle among the cached costs and odds."""
    return terrain + 2 * fort + 4 * maritime


@kernel
def armies_needed(g: Record, t: Record, land: int) -> float:
    """Return how many armies it takes to conquer and hold a land of an opponent."""
    return float(g.notes[N_COST + battle_for(g, t, land)])


@kernel
def battle_for(g: Record, t: Record, land: int) -> int:
    """Return the kind of battle for a land."""
    maritime = int(g.phase == constants.TURN and g.reach[land] == ONLY_FLEET)
    return kind_of_battle(int(t.terrain[land] != 0), int(g.fort[land]), maritime)


@kernel
def odds_at(g: Record, t: Record, land: int, armies: int, siege: int) -> int:
    """Return the index of the prepared odds for continuing the present battle for a land."""
    terrain = int(t.terrain[land] != 0)
    return odds_of(g, t, terrain, int(g.fort[land]), int(g.way == constants.FLEET), armies, siege)


@kernel
def held_at_last(g: Record, t: Record, land: int, armies: int, siege: int, w: Record) -> float:
    """Return the chance to hold a land in the end if `armies` armies are left on the card."""
    return float(w.prepared[odds_at(g, t, land, armies, siege)])


@kernel
def armies_spent(g: Record, t: Record, land: int, armies: int, siege: int, w: Record) -> float:
    """Return how many of the armies left on the card are expected to be spent in the battle for a land."""
    return float(w.prepared[odds_at(g, t, land, armies, siege) + 1])


@kernel
def worth_of_structures(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Return the worth, now and later, of a conquest's effects on the structures of a land.

    It consists of the worth of the structures that remain for the seat, the worth of those that the holder loses, and
    points for destroying a structure.
    """
    capital, city, monument = int(g.capital[land]), int(g.city[land]), int(g.monument[land])
    if capital + city + monument == 0 or g.army[land] == me:
        return 0.0
    points = float(capital * t.points_capital + city * t.points_city + monument * t.points_monument)
    worth = 0.0
    if opponents_hold(g, me, land):
        # The holder loses all structures, but it may have scored them for the last time already.
        holder = int(g.army[land])
        scores = g.notes[N_AFTER] + (0.0 if g.called[holder] != 0 else 1.0)
        worth += w.weight[P_RAZE] * points * scores / (g.players - 1)
        if not in_force(g, constants.SPARES_STRUCTURES):
            if t.marauder[g.card] != 0:
                worth += float(t.points_destroyed)
            if capital != 0:
                points += float(t.points_city - t.points_capital)
            else:
                points -= float(t.points_city if city != 0 else t.points_monument)
    return float(worth + w.weight[P_STRUCTURE] * points * (1.0 + g.notes[N_AFTER]))


@kernel
def worth_of_icon(g: Record, t: Record, icons: int, w: Record) -> float:
    """Return the worth of one more resource icon.

    The icon may complete a set for a monument of the active empire, or bring such a set closer.
    """
    if g.pieces[constants.MONUMENT] == 0:
        return 0.0
    needed = icons_a_monument(g)
    monuments = 1.0 if (icons + 1) % needed == 0 else 0.6 / needed
    return float(w.weight[P_RESOURCE] * monuments * t.points_monument * (1.0 + g.notes[N_AFTER]))


@kernel
def strength_of(g: Record, t: Record, land: int) -> float:
    """Return how well a land can be held: 1 in open terrain, more with other terrain or a fort."""
    return 1.0 + (0.5 if t.terrain[land] != 0 else 0.0) + (0.5 if g.fort[land] != 0 else 0.0)
