"""Scores the options of every decision for the appraising players."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import DEFENDER, SIDES, attack_of, defence_of, in_force
from sim.games.history_of_the_world.rules.scoring import points_of_land
from sim.games.history_of_the_world.rules.state import opponents_hold
from strategies.history_of_the_world.appraisal import (
    best_elsewhere,
    lesson_of_land,
    note_lands,
    score_of_keeping,
    worth_of_campaign,
    worth_of_card,
    worth_of_fort,
    worth_of_holding,
    worth_of_land,
)
from strategies.history_of_the_world.outlook import look_ahead, weight_of, worth_of_last_army
from strategies.history_of_the_world.terms.land_worth import armies_spent, held_at_last, kind_of_battle, strength_of
from strategies.history_of_the_world.weights import (
    LAND_SCORE,
    N_AFTER,
    N_BEST,
    N_ICON,
    N_ODDS,
    N_PRICE,
    N_SCORED,
    P_HELD_BACK,
    P_SIEGE,
)

AT_ONCE = 1000.0
"""Score of options that are taken before all others."""
NOT_NOW = -1.0
EARLY = (
    (1 << constants.ARMIES) | (1 << constants.SIEGE_TOKENS) | (1 << constants.BATTLE_BONUS)
    | (1 << constants.ATTACKER_REROLLS) | (1 << constants.WINS_TIES) | (1 << constants.IGNORES_TERRAIN)
    | (1 << constants.IGNORES_MARITIME) | (1 << constants.DISCS)
    | (1 << constants.FIGHTS_AGAIN)
    | (1 << constants.SWAP_ARMIES) | (1 << constants.POINTS) | (1 << constants.ICONS_PER_MONUMENT)
)  # fmt: skip
"""Operations of cards that are played as soon as the empire has been founded."""
FOR_MANY_BATTLES = (
    (1 << constants.BATTLE_BONUS) | (1 << constants.ATTACKER_REROLLS) | (1 << constants.WINS_TIES)
    | (1 << constants.IGNORES_TERRAIN) | (1 << constants.IGNORES_MARITIME) | (1 << constants.FIGHTS_AGAIN)
)  # fmt: skip
SPARING = (1 << constants.SPARES_FORTS) | (1 << constants.SPARES_STRUCTURES)
MANY = 8
"""An empire with at least this many armies plays a card that helps in battles, even if it could keep the card."""


ENOUGH = 3
"""With at least this many armies in the supply, a card that brings armies is played immediately."""


@kernel
def score_option(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by the points that it is expected to bring.

    Cards in a draft are scored in hundredths of a win.
    """
    if decision == constants.ACT and g.option_kind[option] == constants.CONQUER and not math.isnan(g.notes[N_SCORED]):
        return float(g.notes[LAND_SCORE + g.option_land[option]])
    if decision == constants.REROLL:
        return score_reroll(g, t, option)
    if decision == constants.LANDING:
        return score_landing(g, t, option, w)
    if decision == constants.CHOOSE_WAY:
        return 0.0 if g.option_value[option] == constants.FLEET else 1.0
    if decision == constants.SITE:
        return strength_of(g, t, int(g.option_land[option]))
    card = int(g.option_card[option])
    if decision == constants.ACT:
        return score_action(g, t, me, option, w)
    if decision == constants.BEGIN and (card == constants.NO_CARD or t.kind[card] != constants.KINGDOM):
        # Enhancements wait until the empire has been founded.
        return 0.0 if card == constants.NO_CARD else NOT_NOW
    if decision == constants.AFTER_LOSS and g.option_kind[option] != constants.SIEGE:
        return 0.0 if g.option_kind[option] == constants.RETREAT else AT_ONCE
    look_ahead(g, t, me, w)
    if decision in (constants.KEEP_EMPIRE, constants.KEEP_EVENT):
        return score_of_keeping(g, t, me, card, w)
    if decision == constants.BEGIN:
        return worth_of_campaign(g, t, me, card, w)
    if decision == constants.AFTER_LOSS:
        return score_siege(g, t, me, w)
    if decision == constants.GIVE:
        return score_giving(g, t, me, option, w)
    return score_naming(g, t, me, decision, option, w)


@kernel
def note_reached(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache once per decision the scores of all lands in reach."""
    look_ahead(g, t, me, w)
    if math.isnan(g.notes[N_SCORED]):
        note_lands(g, t, me, w)


# ---- A turn ----


@kernel
def score_action(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score a conquest, a fort, an enhancement, the ability, or continuing."""
    kind = int(g.option_kind[option])
    land = int(g.option_land[option])
    if kind == constants.STOP:
        return 0.0
    if kind == constants.CONQUER:
        note_reached(g, t, me, w)
        return float(g.notes[LAND_SCORE + land])
    if kind == constants.BUILD_FORT:
        look_ahead(g, t, me, w)
        return worth_of_fort(g, t, me, land, w) - 0.01
    if kind == constants.FIGHT_AGAIN:
        return score_fighting_again(g, t, me, land, w)
    return score_effect(g, t, me, int(g.option_card[option]), kind == constants.USE_ABILITY, w)


@kernel
def score_fighting_again(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Score another battle by the victorious army.

    The score is the worth of the land to attack minus the worth of the land that the army leaves. If armies are left on
    the card, the battle is declined: one of those armies could attack instead, and the victorious army could stay.
    """
    if g.armies > 0:
        return NOT_NOW
    look_ahead(g, t, me, w)
    battle = kind_of_battle(int(t.terrain[land] != 0), int(g.fort[land]), 0)
    chance = w.prepared[int(g.notes[N_ODDS + battle])]
    left = int(g.won_in)
    leaving = worth_of_last_army(g, t, me, int(t.region[left]), w)
    if t.region[left] == t.region[land]:
        leaving *= 1.0 - chance
    leaving += (1.0 + g.notes[N_AFTER]) * points_of_land(g, t, left) + t.resource[left] * g.notes[N_ICON]
    return float(chance * (worth_of_land(g, t, me, land, w) + t.marauder[g.card]) - leaving)


@kernel
def attacks_next(g: Record, t: Record, me: int, w: Record) -> bool:
    """Tell whether the best conquest is a battle: an opponent holds the land. False if no conquest is possible now."""
    if g.armies == 0 or g.step != constants.CONQUEST:
        return False
    note_reached(g, t, me, w)
    best = int(g.notes[N_BEST])
    return bool(best != constants.NO_LAND and opponents_hold(g, me, best))


@kernel
def operations_of(t: Record, card: int) -> int:
    """Return the operations of a card as a bit set."""
    bits = 0
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, constants.OPERATION])
        if operation == constants.NOTHING:
            break
        bits |= 1 << operation
    return bits


@kernel
def score_effect(g: Record, t: Record, me: int, card: int, ability: bool, w: Record) -> float:
    """Score playing an enhancement or ability.

    Most are used immediately. Those that place forts or cities are used after the conquests.
    """
    bits = operations_of(t, card)
    last = g.epoch + 1 == t.epochs
    if bits & FOR_MANY_BATTLES != 0 and not (ability or last) and t.armies[g.card] < MANY:
        return NOT_NOW
    if (
        bits & FOR_MANY_BATTLES != 0
        and not attacks_next(g, t, me, w)
        and (g.armies > 0 or bits & ~FOR_MANY_BATTLES == 0)
    ):
        # These effects help in battles only, so the card is not played if no battle follows.
        return NOT_NOW
    if bits & SPARING != 0:
        return AT_ONCE if spares_something(g, t, me, bits, w) else NOT_NOW
    if bits & (1 << constants.SIEGE_TOKENS) != 0 and not ability and not attacks_next(g, t, me, w):
        # There is no siege without a battle.
        return NOT_NOW
    if bits & (1 << constants.DESTROY) != 0:
        return AT_ONCE if others_have_more(g, t, me) else NOT_NOW
    if bits & (1 << constants.ARMIES) != 0 and g.supply[me] < ENOUGH and g.armies > 0:
        # Wait, because battles return armies to the supply. If the card were played now, siege tokens would replace the
        # armies missing from the supply.
        return NOT_NOW
    if bits & EARLY != 0:
        return AT_ONCE
    return AT_ONCE if g.armies == 0 or g.step != constants.CONQUEST else NOT_NOW


@kernel
def spares_something(g: Record, t: Record, me: int, bits: int, w: Record) -> bool:
    """Tell whether the best conquest is a battle in which the card would preserve structures for the player."""
    if t.marauder[g.card] != 0 or not attacks_next(g, t, me, w):
        return False
    land = int(g.notes[N_BEST])
    if bits & (1 << constants.SPARES_STRUCTURES) != 0 and g.capital[land] + g.city[land] + g.monument[land] != 0:
        return True
    return bool(bits & (1 << constants.SPARES_FORTS) != 0 and g.fort[land] != 0)


@kernel
def others_have_more(g: Record, t: Record, me: int) -> bool:
    """Tell whether opponents have so many structures that a card that destroys structures is worthwhile."""
    count = 0
    for land in range(t.lands):
        if opponents_hold(g, me, land):
            count += g.capital[land] + g.city[land] + g.monument[land]
    return bool(count >= 2)


@kernel
def score_siege(g: Record, t: Record, me: int, w: Record) -> float:
    """Score a siege: the worth of the chance to win the land, minus what its armies could gain elsewhere."""
    if g.siege_tokens > 0:
        # A siege token does the same as an army, and has no other use.
        return NOT_NOW
    note_reached(g, t, me, w)
    land = int(g.target)
    if math.isnan(g.notes[N_PRICE]):
        g.notes[N_PRICE] = best_elsewhere(g, land)
    if g.notes[LAND_SCORE + land] >= g.notes[N_PRICE]:
        # The player would attack the land again in any case. A siege costs the same and helps in the next roll.
        return AT_ONCE
    left = int(g.armies) - 1
    siege = int(min(g.siege + 1, t.siege_steps))
    chance = held_at_last(g, t, land, left, siege, w)
    spent = 1.0 + armies_spent(g, t, land, left, siege, w)
    # The cached score per army includes lessons.
    gain = chance * worth_of_land(g, t, me, land, w) + lesson_of_land(g, t, me, land, w) * spent
    return float(gain - w.weight[P_SIEGE] * g.notes[N_PRICE] * spent)


@kernel
def score_reroll(g: Record, t: Record, option: int) -> float:
    """Score re-rolling a die.

    Of two dice, the lower one is re-rolled. A single die of the attacker is always re-rolled, and one of the defender
    only if the roll will probably improve. No die is re-rolled if a higher roll could not matter.
    """
    die = int(g.option_value[option])
    if die < 0:
        return 0.0
    attacks = g.option_kind[option] == 0
    first = int(g.attack_die[0] if attacks else g.defence_die[0])
    second = int(g.attack_die[1] if attacks else g.defence_die[1])
    if not could_matter(g, t, attacks):
        return -1.0
    if first > 0 and second > 0:
        return 1.0 if (die == 0) == (first <= second) else -1.0
    mine = max(first, second)
    bonus = int(g.siege + g.bonus[0]) + (0 if g.waiting != constants.NO_CARD else int(g.bonus[1]))
    theirs = max(g.attack_die[0], g.attack_die[1]) + bonus
    if t.terrain[g.target] != 0:
        mine += int(t.terrain_bonus)
    if attacks:
        return 1.0
    return 1.0 if mine < theirs or (mine == theirs and max(first, second) <= 3) else -1.0


@kernel
def could_matter(g: Record, t: Record, attacks: bool) -> bool:
    """Tell whether a higher roll by one side could change the result.

    For the attacker, a higher roll also matters if it protects a win against a re-roll by the defender.
    """
    attack, defence = attack_of(g), defence_of(g, t)
    dice = g.attack_die if attacks else g.defence_die
    highest = max(int(dice[0]), int(dice[1]))
    if highest == SIDES:
        return False
    if attacks:
        wins = attack > defence or (attack == defence and in_force(g, constants.WINS_TIES))
        return not wins or bool(g.rerolls_left[DEFENDER] > 0)
    return defence <= attack <= defence + SIDES - highest


@kernel
def score_landing(g: Record, t: Record, option: int, w: Record) -> float:
    """Score gaining or losing a point.

    In games with drafts, fewer points score better in early epochs, because the leader chooses last.
    """
    declined = g.classic == 0 and g.epoch + 1 < t.epochs and g.epoch + 0.5 < w.weight[P_HELD_BACK]
    return float(-g.option_value[option] if declined else g.option_value[option])


# ---- Choosing lands ----


@kernel
def score_naming(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score a land as the target of an effect. For an effect that places a disc, score a body of water or a desert."""
    land = int(g.option_land[option])
    operation = int(g.option_kind[option])
    if operation == constants.DISCS:
        body = int(g.option_value[option])
        return A_TRIFLE if body == constants.NOWHERE else score_of_body(g, t, me, body, w)
    if land == constants.NO_LAND:
        return 0.0
    if operation == constants.SWAP_ARMIES:
        return float(worth_of_land(g, t, me, land, w) * (0.7 + 0.3 * strength_of(g, t, land)))
    if operation == constants.DESTROY:
        return score_of_destroying(g, t, me, land, w)
    if operation == constants.FORTS:
        return A_TRIFLE + worth_of_holding(g, t, me, land, w)
    return A_TRIFLE + strength_of(g, t, land)


A_TRIFLE = 0.001


@kernel
def score_of_destroying(g: Record, t: Record, me: int, land: int, w: Record) -> float:
    """Score destroying a structure without a battle: preferably one of the leader's, never one of the seat's own."""
    if g.army[land] == constants.NO_SEAT:
        return 0.0
    if g.army[land] == me:
        return -1.0
    scores = g.notes[N_AFTER] + (1.0 if g.called[g.army[land]] == 0 else 0.0)
    return float(A_TRIFLE + scores * (0.1 + weight_of(g, int(g.army[land]), w)))


@kernel
def score_of_body(g: Record, t: Record, me: int, body: int, w: Record) -> float:
    """Score a place for a fleet or caravan by the lands on its shores that are worth conquering."""
    best = 0.0
    for entry in range(t.shores.shape[1]):
        land = int(t.shores[body, entry])
        if land < 0:
            break
        if g.army[land] != me:
            best += max(0.0, worth_of_land(g, t, me, land, w)) ** 2
    return best


@kernel
def score_giving(g: Record, t: Record, me: int, option: int, w: Record) -> float:
    """Score keeping the drawn card or giving it to another seat.

    Keeping a card scores above 0 if the card is better than the mean of the cards that may come instead. A bad card
    goes to the seat with the most points. A good card that cannot be kept goes to the seat with the fewest points.
    """
    seat = int(g.option_seat[option])
    card = int(g.option_card[option])
    more = worth_of_card(g, t, me, card, w) - worth_of_others(g, t, me, card, w)
    if seat == me:
        return float(more)
    return float(-more * (0.1 + 0.0001 * g.points[seat]))


@kernel
def worth_of_others(g: Record, t: Record, me: int, card: int, w: Record) -> float:
    """Return the mean worth of the epoch's other empires (or events), which may be drawn instead of a card."""
    worth, count = 0.0, 0
    for other in range(t.cards):
        alike = (t.kind[other] == constants.EMPIRE) == (t.kind[card] == constants.EMPIRE)
        if other != card and alike and t.epoch[other] == t.epoch[card]:
            worth += worth_of_card(g, t, me, other, w)
            count += 1
    return worth / max(count, 1)
