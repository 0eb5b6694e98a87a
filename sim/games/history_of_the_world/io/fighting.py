"""Fights battles with given dice: the move of a position specifies the dice, and the engine settles the rolls."""

from __future__ import annotations

from typing import Any, NamedTuple

from sim.compiler.kernel import Record
from sim.engine.state import begin_step
from sim.games.history_of_the_world.io.move_answers import Answers
from sim.games.history_of_the_world.io.moves import PositionBattle, PositionMove, PositionReroll
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules import battle, constants
from sim.games.shared.stepping import IllegalMoveError, refuse_if

SIDES = ("attacker", "defender")
RESULTS = ("won", "tie", "lost")
"""Results of a roll, in the order of `g.battles`."""


class Fought(NamedTuple):
    """The battles of a conquest: their result, and each roll as the output shows it."""

    result: str
    rolls: list[dict[str, Any]]


def fight_battles(game: InspectedGame, move: PositionMove, answers: Answers) -> Fought:
    """Fight for the attacked land with the rolls that the move gives. A conquest without a battle needs no rolls."""
    result = "occupied"
    rolls: list[dict[str, Any]] = []
    due = list(move.battles)
    while game.g.battle == constants.TO_ROLL:
        refuse_if((not due, "there is a roll to be made" if rolls else "there is a battle"))
        roll = due.pop(0)
        rolls.append(_fight(game, roll, answers))
        result = rolls[-1]["result"]
        if game.g.battle == constants.LOST_ROLL:
            answers.then = roll.then or (None if due else "retreat")
            game.step(answers)
            result = "retreated"
        else:
            refuse_if((roll.then, f"{roll.then} after a roll that was not lost"))
    refuse_if((due, "more rolls than there are to make"))
    return Fought(result, rolls)


def _fight(game: InspectedGame, roll: PositionBattle, answers: Answers) -> dict[str, Any]:
    """Make one roll with the dice and re-rolls of the move, and settle it. Return the sides' totals and the result."""
    _lay_dice(game, roll)
    g, t = game.g, game.t
    battle.count_rerolls(g, t)
    _reroll_in_turn(game, roll.rerolls)
    attack, defence, seat = int(battle.attack_of(g)), int(battle.defence_of(g, t)), int(g.turn_seat)
    before = g.battles[seat].copy()
    game.step(answers, settle_step)
    result = RESULTS[int((game.g.battles[seat] - before).argmax())]
    return {"attacker": attack, "defender": defence, "result": result}


def settle_step(g: Record, t: Record, players: Any) -> None:
    """Settle the current roll as a separate step of the game."""
    begin_step(g)
    battle.settle(g, t, players)


def _lay_dice(game: InspectedGame, roll: PositionBattle) -> None:
    g, t = game.g, game.t
    due = (int(t.attack_dice), int(battle.defence_dice_of(g, t, int(g.target))))
    for side, dice, count in zip(SIDES, (roll.attacker, roll.defender), due, strict=True):
        refuse_if((len(dice) != count, f"the {side} rolls {count} dice, not {len(dice)}"))
    for shown, dice in ((g.attack_die, roll.attacker), (g.defence_die, roll.defender)):
        shown[:] = 0
        shown[: len(dice)] = dice


def _reroll_in_turn(game: InspectedGame, rerolls: list[PositionReroll]) -> None:
    """Let the sides re-roll in turn, the attacker first.

    A side passes unless the next re-roll in the move is by this side.
    """
    left, g = list(rerolls), game.g
    while g.rerolls_left.any():
        for side in (battle.ATTACKER, battle.DEFENDER):
            if g.rerolls_left[side] == 0:
                continue
            reroll = left.pop(0) if left and left[0].by == SIDES[side] else None
            if reroll is None or reroll.to is None:
                g.rerolls_left[side] = 0
                continue
            dice = (g.attack_die if side == battle.ATTACKER else g.defence_die).tolist()
            refuse_if((reroll.shown not in dice, f"no die of the {reroll.by} shows {reroll.shown}"))
            battle.roll_again(g, side, dice.index(reroll.shown), reroll.to)
    if left:
        raise IllegalMoveError(f"the {left[0].by} has no re-roll there")
