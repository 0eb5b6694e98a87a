"""Exact odds of battles, by enumerating all dice (rulebook: Battle, Siege)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from sim.compiler.kernel import Record

FACES = range(1, 7)
WIN, TIE, LOSE = range(3)
Shares = tuple[float, float, float]
"""Probabilities that the attacker wins, ties, and loses a roll."""


@dataclass(frozen=True)
class Battle:
    """A battle for a land.

    Attributes
    ----------
    terrain, fort
        Whether the land has a mountain or forest, and whether it has a fort.
    maritime
        Whether the defender may re-roll.
    bonus
        Bonus that cards add to the attacker's highest die.
    deny
        Whether the defender re-rolls only to deny the land to the attacker, not to save the army.
    """

    terrain: bool = False
    fort: bool = False
    maritime: bool = False
    bonus: int = 0
    deny: bool = False


def outcome(attack: int, defence: int) -> int:
    """Return the result of a roll for the attacker: WIN, TIE or LOSE."""
    return WIN if attack > defence else TIE if attack == defence else LOSE


def rerolls(battle: Battle, result: int) -> bool:
    """Tell whether the defender re-rolls the lowest die after this result."""
    if not battle.maritime or result == LOSE:
        return False
    return result == WIN or not battle.deny or battle.fort


def defence_after(battle: Battle, t: Record, attack: int, dice: Sequence[int]) -> Counter[int]:
    """Count how often the defender gets each result (highest die plus bonus), over the six faces of a re-rolled die.

    If the defender does not re-roll, the result of `dice` counts six times.
    """
    plus = int(t.terrain_bonus) if battle.terrain else 0
    shown = max(dice) + plus
    if not rerolls(battle, outcome(attack, shown)):
        return Counter({shown: len(FACES)})
    kept = sorted(dice)[1:]
    return Counter(max([*kept, face]) + plus for face in FACES)


def roll_odds(battle: Battle, t: Record, siege: int = 0) -> Shares:
    """Return the odds of one roll. `siege` is the siege bonus."""
    defence_dice = int(t.fort_dice if battle.fort else t.defence_dice)
    counts = Counter[int]()
    attacks = Counter(max(dice) for dice in product(FACES, repeat=int(t.attack_dice)))
    for (highest, times), dice in product(attacks.items(), product(FACES, repeat=defence_dice)):
        attack = highest + battle.bonus + siege
        for defence, ways in defence_after(battle, t, attack, dice).items():
            counts[outcome(attack, defence)] += times * ways
    win, tie, lose = (counts[result] / counts.total() for result in (WIN, TIE, LOSE))
    return win, tie, lose


@dataclass(frozen=True)
class SiegeOdds:
    """Odds of an attack that is continued until it succeeds or no armies are left.

    Attributes
    ----------
    take, removed
        Probabilities that the attacker takes the land, and that the defender's army is removed.
    used
        Expected number of armies spent.
    """

    take: float
    removed: float
    used: float


def siege_odds(battle: Battle, t: Record, armies: int) -> SiegeOdds:
    """Return the odds of an attack for which `armies` armies are available.

    The attacker besieges after every loss and enters after a tie, as long as armies are left.
    """
    take = removed = used = 0.0
    continues = 1.0
    for roll in range(armies):
        win, tie, lose = roll_odds(battle, t, min(roll, int(t.siege_steps)))
        left = armies - 1 - roll
        removed += continues * (win + tie)
        take += continues * (win + (tie if left > 0 else 0.0))
        used += continues * (win * (roll + 1) + tie * (roll + 1 + min(1, left)))
        if left == 0:
            used += continues * lose * armies
        continues *= lose
    return SiegeOdds(take, removed, used)
