"""Battles with given dice: the engine compares what the move of a position says the dice have shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sim.compiler.kernel import Record
from sim.engine.state import begin_step
from sim.games.history_of_the_world.io.move_answers import Given
from sim.games.history_of_the_world.io.moves import PositionBattle, PositionMove, PositionReroll
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import (
    ATTACKER,
    DEFENDER,
    attack_of,
    count_rerolls,
    defence_dice_of,
    defence_of,
    roll_again,
    settle,
)
from sim.games.shared.stepping import IllegalMoveError

SIDES = ("attacker", "defender")
RESULTS = ("won", "tie", "lost")
"""Results of a roll, in the order of `g.battles`."""


@dataclass
class Fought:
    """Battles of a conquest: its result, and each roll as it is told."""

    result: str
    told: list[dict[str, Any]] = field(default_factory=list)


def fight_battles(game: InspectedGame, move: PositionMove, given: Given) -> Fought:
    """Fight for the land under attack, with the rolls of a move; without a battle there is none.

    Raises
    ------
    IllegalMoveError
        Rolls or decisions are not those that there are to make.
    """
    fought = Fought("occupied")
    rolls = list(move.battles)
    while game.g.battle == constants.TO_ROLL:
        if not rolls:
            raise IllegalMoveError("there is a roll to be made" if fought.told else "there is a battle")
        roll = rolls.pop(0)
        fought.told.append(_fight(game, roll, given))
        fought.result = fought.told[-1]["result"]
        if game.g.battle == constants.LOST_ROLL:
            given.then = roll.then or (None if rolls else "retreat")
            game.step(given)
            fought.result = "retreated"
        elif roll.then is not None:
            raise IllegalMoveError(f"{roll.then} after a roll that was not lost")
    if rolls:
        raise IllegalMoveError("more rolls than there are to make")
    return fought


def _fight(game: InspectedGame, roll: PositionBattle, given: Given) -> dict[str, Any]:
    """Make one roll, with re-rolls, and settle it."""
    _lay_dice(game, roll)
    g = game.g
    count_rerolls(g, game.t)
    _reroll_in_turn(game, roll.rerolls)
    attack, defence = int(attack_of(g)), int(defence_of(g, game.t))
    seat = int(g.turn_seat)
    before = g.battles[seat].copy()
    game.step(given, settle_step)
    result = RESULTS[int((game.g.battles[seat] - before).argmax())]
    return {"attacker": attack, "defender": defence, "result": result}


def settle_step(g: Record, t: Record, players: Any) -> None:
    """Settle the dice that lie there, as a step of its own."""
    begin_step(g)
    settle(g, t, players)


def _lay_dice(game: InspectedGame, roll: PositionBattle) -> None:
    g, t = game.g, game.t
    due = (int(t.attack_dice), int(defence_dice_of(g, t, int(g.target))))
    for side, dice, count in zip(SIDES, (roll.attacker, roll.defender), due, strict=True):
        if len(dice) != count:
            raise IllegalMoveError(f"the {side} rolls {count} dice, not {len(dice)}")
    for kept, dice in ((g.attack_die, roll.attacker), (g.defence_die, roll.defender)):
        kept[:] = 0
        kept[: len(dice)] = dice


def _reroll_in_turn(game: InspectedGame, rerolls: list[PositionReroll]) -> None:
    """Let the sides decide in turn, the attacker first; who is not named next passes."""
    left = list(rerolls)
    g = game.g
    while g.rerolls_left.any():
        for side in (ATTACKER, DEFENDER):
            if g.rerolls_left[side] == 0:
                continue
            named = bool(left) and left[0].by == SIDES[side]
            if not named or left[0].passes:
                g.rerolls_left[side] = 0
                left = left[1:] if named else left
            else:
                _reroll(game, side, left.pop(0))
    if left:
        raise IllegalMoveError(f"the {left[0].by} has no re-roll there")


def _reroll(game: InspectedGame, side: int, reroll: PositionReroll) -> None:
    dice = (game.g.attack_die if side == ATTACKER else game.g.defence_die).tolist()
    assert reroll.to is not None
    if reroll.shown not in dice:
        raise IllegalMoveError(f"no die of the {reroll.by} shows {reroll.shown}")
    roll_again(game.g, side, dice.index(reroll.shown), reroll.to)
