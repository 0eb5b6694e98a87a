"""Conquests: entering a land, battles, re-rolls, sieges, retreat (rulebook: Conquest, Battle)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.rng import CHANCE, below
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.log import (
    BESIEGES,
    COMPARED,
    CONQUERS,
    ENTERED,
    FIGHTS_AGAIN,
    LOST_BATTLE,
    OTHER_ROLLS,
    REROLLED,
    RETREATED,
    ROLLED,
    TIED_BATTLE,
    TRIED,
    WON,
    WON_BATTLE,
    count_for,
    count_land,
    count_roll,
    log_event,
    roll_kind,
)
from sim.games.history_of_the_world.rules.options import offer_land
from sim.games.history_of_the_world.rules.scoring import gain_points
from sim.games.history_of_the_world.rules.state import opponents_hold
from sim.games.history_of_the_world.rules.structures import NOTHING_GONE, destroy_structure, remove_fort

ATTACKER, DEFENDER = 0, 1
PASS = -1
SIDES = 6


@kernel
def in_force(g: Record, operation: int) -> bool:
    """Tell whether an operation that lasts until the end of the turn is in force.

    While a kingdom is played, operations of enhancements are not in force.
    """
    bits = g.in_force[0] | (g.in_force[1] if g.waiting == constants.NO_CARD else 0)
    return bool((bits >> operation) & 1 != 0)


@kernel
def begin_conquest(g: Record, t: Record, seat: int, land: int, way: int) -> None:
    """Send an army from the empire or kingdom card to a land. The army enters the land, or a battle begins."""
    g.armies -= 1
    g.target = land
    g.way = way
    g.siege = 0
    g.besieging = 0
    g.conquests[seat] += 1
    count_for(g, seat, int(g.card), TRIED, 1)
    log_event(g, CONQUERS, seat, land, constants.NO_CARD, way, int(g.armies))
    if opponents_hold(g, seat, land):
        count_land(g, land, constants.FOUGHT, 1)
        g.battle = constants.TO_ROLL
    else:
        enter(g, seat, land)


@kernel
def enter(g: Record, seat: int, land: int) -> None:
    """Let the moving army occupy a land that no opponent holds.

    An inactive army of the same seat that stands there goes back to the supply.
    """
    replaced = int(g.army[land] == seat)
    g.supply[seat] += replaced
    g.army[land] = seat
    g.active[land] = 1
    g.placed_by[land] = g.card
    count_for(g, seat, int(g.card), WON, 1)
    log_event(g, ENTERED, seat, land, constants.NO_CARD, replaced, 0)


@kernel
def offer_to_fight_again(g: Record, t: Record, seat: int) -> None:
    """Let an army that has just won a battle attack again: offer the neighbouring lands that opponents hold."""
    if g.won_in == constants.NO_LAND or not in_force(g, constants.FIGHTS_AGAIN):
        return
    for way in (constants.BORDER, constants.STEPPING_STONES):
        joined = t.borders if way == constants.BORDER else t.stepping_stones
        for entry in range(joined.shape[1]):
            land = int(joined[g.won_in, entry])
            if land < 0:
                break
            if opponents_hold(g, seat, land):
                offer_land(g, constants.FIGHT_AGAIN, land, way, seat)


@kernel
def fight_again(g: Record, t: Record, seat: int, land: int, way: int) -> None:
    """Let the army that has just won a battle fight for a neighbouring land. The land that it leaves becomes empty."""
    left = int(g.won_in)
    g.won_in = constants.NO_LAND
    log_event(g, FIGHTS_AGAIN, seat, left, int(g.card), 0, 0)
    remove_army(g, left)
    g.armies += 1
    begin_conquest(g, t, seat, land, way)


# ---- A roll ----


@kernel
def roll(g: Record) -> int:
    """Roll a die."""
    return 1 + int(below(g, CHANCE, SIDES))


@kernel
def defence_dice_of(g: Record, t: Record, land: int) -> int:
    """Return how many dice the defender of a land rolls, which depends on whether the land has a fort."""
    return int(t.fort_dice if g.fort[land] != 0 else t.defence_dice)


@kernel
def roll_dice(g: Record, t: Record) -> None:
    """Roll the dice of both sides."""
    land = int(g.target)
    g.attack_die[:] = 0
    g.defence_die[:] = 0
    for die in range(t.attack_dice):
        g.attack_die[die] = roll(g)
    for die in range(defence_dice_of(g, t, land)):
        g.defence_die[die] = roll(g)
    log_event(
        g, ROLLED, int(g.turn_seat), land, constants.NO_CARD,
        int(g.attack_die[0] + 10 * g.attack_die[1]), int(g.defence_die[0] + 10 * g.defence_die[1]),
    )  # fmt: skip


@kernel
def fight(g: Record, t: Record, players: Players) -> None:
    """Roll the dice of both sides once, let the sides re-roll, and settle the result."""
    roll_dice(g, t)
    fight_on(g, t, players)


@kernel
def fight_on(g: Record, t: Record, players: Players) -> None:
    """Let both sides re-roll the current dice, and settle the roll."""
    count_rerolls(g, t)
    reroll_in_turn(g, t, players)
    settle(g, t, players)


@kernel
def count_rerolls(g: Record, t: Record) -> None:
    """Set the number of re-rolls that each side has for the current roll."""
    g.rerolls_left[ATTACKER] = attacker_rerolls(g)
    g.rerolls_left[DEFENDER] = t.maritime_rerolls if is_maritime(g) else 0


@kernel
def attacker_rerolls(g: Record) -> int:
    """Return how many re-rolls the attacker has in each roll."""
    return int(g.rerolls[0] + (g.rerolls[1] if g.waiting == constants.NO_CARD else 0))


@kernel
def is_maritime(g: Record) -> bool:
    """Tell whether the attack comes by fleet, so that the defender may re-roll."""
    return bool(g.way == constants.FLEET and not in_force(g, constants.IGNORES_MARITIME))


@kernel
def settle(g: Record, t: Record, players: Players) -> None:
    """Settle the current dice: the attacker wins, both armies are removed (a tie), or the attacker loses the roll."""
    attack, defence = attack_of(g), defence_of(g, t)
    log_event(g, COMPARED, int(g.turn_seat), int(g.target), constants.NO_CARD, attack, defence)
    count_roll(g, kind_of_roll(g, t), int(attack <= defence) + int(attack < defence))
    if attack > defence or (attack == defence and in_force(g, constants.WINS_TIES)):
        win(g, t, players)
    elif attack == defence:
        tie(g, t, players)
    else:
        lose(g)


@kernel
def kind_of_roll(g: Record, t: Record) -> int:
    """Return the kind under which the current roll is counted.

    It is OTHER_ROLLS if the attacker may re-roll or wins ties. Otherwise `roll_kind` gives it.
    """
    if attacker_rerolls(g) > 0 or in_force(g, constants.WINS_TIES):
        return OTHER_ROLLS
    land = int(g.target)
    maritime = is_maritime(g) and t.maritime_rerolls > 0
    return roll_kind(terrain_bonus_of(g, t, land) > 0, g.fort[land] != 0, maritime, attack_bonus_of(g))


@kernel
def reroll_in_turn(g: Record, t: Record, players: Players) -> None:
    """Let the sides decide in turn, the attacker first, until each has used its re-rolls or passed."""
    while g.rerolls_left[ATTACKER] + g.rerolls_left[DEFENDER] > 0:
        for side in (ATTACKER, DEFENDER):
            if g.rerolls_left[side] > 0:
                reroll(g, t, players, side)


@kernel
def reroll(g: Record, t: Record, players: Players, side: int) -> None:
    """Let a side re-roll one of its dice, or pass for the rest of this roll."""
    seat = int(g.turn_seat) if side == ATTACKER else int(g.army[g.target])
    dice = g.attack_die if side == ATTACKER else g.defence_die
    clear_options(g)
    for die in range(2):
        if dice[die] > 0:
            offer(g, side, constants.NO_CARD, die, seat)
    offer(g, side, constants.NO_CARD, PASS, seat)
    die = int(g.option_value[choose(g, t, players, seat, constants.REROLL)])
    if die == PASS:
        g.rerolls_left[side] = 0
        return
    roll_again(g, side, die, roll(g))


@kernel
def roll_again(g: Record, side: int, die: int, number: int) -> None:
    """Use one of a side's re-rolls. The die with index `die` now shows `number`."""
    seat = int(g.turn_seat) if side == ATTACKER else int(g.army[g.target])
    dice = g.attack_die if side == ATTACKER else g.defence_die
    g.rerolls_left[side] -= 1
    old = int(dice[die])
    dice[die] = number
    log_event(g, REROLLED, seat, int(g.target), constants.NO_CARD, side, old + 10 * number)


@kernel
def attack_of(g: Record) -> int:
    """Return the attacker's highest die plus the bonuses of the siege and of effects."""
    return int(max(g.attack_die[0], g.attack_die[1])) + attack_bonus_of(g)


@kernel
def attack_bonus_of(g: Record) -> int:
    """Return the bonus of the siege and of effects on the attacker's highest die."""
    return int(g.siege + g.bonus[0] + (g.bonus[1] if g.waiting == constants.NO_CARD else 0))


@kernel
def defence_of(g: Record, t: Record) -> int:
    """Return the defender's highest die plus the bonus of the terrain."""
    return int(max(g.defence_die[0], g.defence_die[1])) + terrain_bonus_of(g, t, int(g.target))


@kernel
def terrain_bonus_of(g: Record, t: Record, land: int) -> int:
    """Return how much the terrain of a land adds to the defender's highest die."""
    terrain = t.terrain[land] != 0 and not in_force(g, constants.IGNORES_TERRAIN)
    return int(t.terrain_bonus) if terrain else 0


# ---- The outcome of a roll ----


@kernel
def win(g: Record, t: Record, players: Players) -> None:
    """Put the defender's army back in its owner's supply, and let the attacking army occupy the land."""
    seat, land = int(g.turn_seat), int(g.target)
    g.battles[seat, 0] += 1
    log_event(g, WON_BATTLE, seat, land, constants.NO_CARD, int(g.army[land]), 0)
    remove_defender(g)
    enter(g, seat, land)
    g.won_in = land
    end_siege(g, seat)
    lay_waste(g, t, players, seat, land)


@kernel
def tie(g: Record, t: Record, players: Players) -> None:
    """Put both armies back in their owners' supplies. The land becomes empty."""
    seat, land = int(g.turn_seat), int(g.target)
    g.battles[seat, 1] += 1
    log_event(g, TIED_BATTLE, seat, land, constants.NO_CARD, int(g.army[land]), 0)
    remove_defender(g)
    g.supply[seat] += 1
    g.armies_lost[seat] += 1
    end_siege(g, seat)
    lay_waste(g, t, players, seat, land)


@kernel
def remove_defender(g: Record) -> None:
    """Put the army that holds the land under attack back in its owner's supply."""
    land = int(g.target)
    owner = g.army[land]
    g.supply[owner] += 1
    g.armies_lost[owner] += 1
    remove_army(g, land)


@kernel
def remove_army(g: Record, land: int) -> None:
    """Take the army out of a land, without adding it to a supply."""
    g.army[land] = constants.NO_SEAT
    g.active[land] = 0
    g.placed_by[land] = constants.NO_CARD


@kernel
def lay_waste(g: Record, t: Record, players: Players, seat: int, land: int) -> None:
    """After a won or tied battle, remove the fort and destroy one structure, unless an effect spares them.

    Marauders gain points for a destroyed structure.
    """
    if not in_force(g, constants.SPARES_FORTS):
        remove_fort(g, land)
    if in_force(g, constants.SPARES_STRUCTURES):
        return
    gone = destroy_structure(g, seat, land)
    if gone != NOTHING_GONE and t.marauder[g.card] != 0:
        gain_points(g, t, players, seat, int(t.points_destroyed), constants.MARAUDERS)


@kernel
def lose(g: Record) -> None:
    """Record that the attacker has lost a roll. What follows is a separate decision."""
    g.battles[g.turn_seat, 2] += 1
    log_event(g, LOST_BATTLE, int(g.turn_seat), int(g.target), constants.NO_CARD, int(g.army[g.target]), 0)
    g.battle = constants.LOST_ROLL


@kernel
def decide_after_loss(g: Record, t: Record, players: Players) -> None:
    """Let the attacker continue with a siege (with an army or a siege token) or retreat."""
    seat = int(g.turn_seat)
    clear_options(g)
    if g.armies > 0:
        offer(g, constants.SIEGE, constants.NO_CARD, 0, seat)
    if g.siege_tokens > 0 and (g.armies > 0 or t.tokens_alone_besiege != 0):
        offer(g, constants.SIEGE_TOKEN, constants.NO_CARD, 0, seat)
    offer(g, constants.RETREAT, constants.NO_CARD, 0, seat)
    kind = int(g.option_kind[choose(g, t, players, seat, constants.AFTER_LOSS)])
    if kind == constants.RETREAT:
        retreat(g, seat)
    else:
        besiege(g, t, seat, kind == constants.SIEGE_TOKEN)


@kernel
def besiege(g: Record, t: Record, seat: int, with_token: bool) -> None:
    """Spend an army or a siege token on a siege, which adds 1 to the attacker's highest die for the rest of the battle.

    The bonus grows up to `t.siege_steps`, the number of spaces of the catapult (the track for sieges).
    """
    g.sieges[seat] += 1
    if with_token:
        g.siege_tokens -= 1
    else:
        g.armies -= 1
        if g.siege < t.siege_steps:
            g.besieging += 1
        else:
            g.supply[seat] += 1
    g.siege = min(g.siege + 1, t.siege_steps)
    g.battle = constants.TO_ROLL
    log_event(g, BESIEGES, seat, int(g.target), constants.NO_CARD, int(with_token), int(g.siege))


@kernel
def retreat(g: Record, seat: int) -> None:
    """Put the attacking army back in its owner's supply. The defender stays."""
    log_event(g, RETREATED, seat, int(g.target), constants.NO_CARD, 0, 0)
    g.supply[seat] += 1
    g.armies_lost[seat] += 1
    end_siege(g, seat)


@kernel
def end_siege(g: Record, seat: int) -> None:
    """Put the armies on the catapult back in the supply, and end the battle."""
    g.supply[seat] += g.besieging
    g.besieging = 0
    g.battle = constants.NO_BATTLE
