"""Habits of scripted players that a good player would not have, or not so often, counted over told games.

`python -m tests.games.history_of_the_world.habits 100 balanced` counts them in 100 games each of 3 to 6 players; a
third word names another data set. They are counts for each game, all seats together, and stand in docs/players.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sim.games.history_of_the_world.game import GAME
from sim.games.history_of_the_world.rules import constants, log
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

HABITS = {
    "retreat": "retreats",
    "again": "attacks again the land that it has just retreated from",
    "last_army": "attacks with its last army though a free land would bring presence",
    "tie_left": "leaves a land empty that it has tied for, and goes on elsewhere",
    "by_fleet": "fights by fleet for a land that it borders later in the turn",
    "fort": "storms a fort on a height or in a forest without a card that helps",
    "long_siege": "sieges up to the last space of the catapult",
    "no_battle": "plays a card for battles or sieges and then fights no battle",
    "one_battle": "plays a card for battles and then fights one",
    "spares_late": "plays a card that spares forts or structures, and fights no battle after it",
    "idle_roll": "rolls a die again that shows a 6, or that can change nothing",
    "fades": "lets an event fade unplayed",
    "own_start": "founds an empire on an own land",
    "own_land": "spends an army on an own land",
    "army_for_token": "spends an army on a siege though siege tokens are left",
    "token_left": "has siege tokens left over (each)",
    "fort_built": "builds a fort for an army",
    "kept_weakest": "draws an empire with fewest armies of its epoch and keeps it (classic selection)",
}
"""Each habit by its name."""
HELPS = {
    constants.BATTLE_BONUS, constants.ATTACKER_REROLLS, constants.WINS_TIES, constants.IGNORES_TERRAIN,
    constants.IGNORES_MARITIME,
    constants.FIGHTS_AGAIN,
}  # fmt: skip
SPARES = {constants.SPARES_FORTS, constants.SPARES_STRUCTURES}
CLASSIC = ("kept_weakest",)
"""Habits counted in the classic selection, where chance says which cards come."""
SIX = 6


@dataclass
class Turn:
    """What a seat has done since its empire was called or founded."""

    battles: int = 0
    helps: int = 0
    spares: list[int] = field(default_factory=list)  # battles fought before each such card
    tokens: int = 0
    retreated: int = constants.NO_LAND
    fleets: list[tuple[int, list[int]]] = field(default_factory=list)  # lands fought for, and free lands beside them
    entered: list[int] = field(default_factory=list)
    conquests: int = 0
    ties: dict[int, int] = field(default_factory=dict)  # conquests made before each tie, by land
    way: int = constants.BORDER


@dataclass
class Board:
    """What the log has told so far: armies and forts in lands, tokens of regions, events in hands, dice."""

    army: Any
    active: Any
    fort: Any
    token: Any
    beside: list[set[int]]  # lands beside each land
    hand: dict[int, int] = field(default_factory=dict)  # epoch in which each event was kept
    turn: Turn = field(default_factory=Turn)
    dice: list[list[int]] = field(default_factory=list)  # of both sides
    rerolls: list[tuple[int, int, int]] = field(default_factory=list)  # side, from, to


def count_habits(games: int, players: int, strategy: str, variant: str, **settings: str) -> Counter[str]:
    """Play games of one strategy and count its habits over all seats."""
    plan = plan_for("history_of_the_world", variant, players, strategies=[strategy], seed=77, settings=settings)
    t, team, found = plan.data.tables, players_of(plan), Counter[str]()
    lands = int(t.lands)
    beside = [
        {int(other) for other in (*t.borders[land], *t.stepping_stones[land]) if other >= 0} for land in range(lands)
    ]
    for game in range(games):
        record = started(plan, game, keeps_log=True)
        GAME.kernels.play_out(record[0], t, team)
        g = record[0]
        assert not g.error, g.error
        army, token = np.full(lands, constants.NO_SEAT), np.zeros(int(t.regions), int)
        board = Board(army, np.zeros(lands, bool), np.zeros(lands, bool), token, beside)
        for row in g.log.rows[: g.log.row_count].astype(int).tolist():
            kind = row[log.KIND]
            for about in (count_cards, count_attack, count_dice, count_lands, count_end_of_turn):
                about(board, t, kind, row, found)
    return found


def operations_of(t: Any, card: int) -> set[int]:
    """Operations of a card."""
    return {int(operation) for operation in t.effect[card, :, constants.OPERATION]}


def fades(t: Any, event: int, drafted: int, epoch: int) -> bool:
    """Tell whether an event cannot be played after an epoch ends: a kingdom of it, and all after the last."""
    return epoch + 1 == t.epochs or (epoch == drafted and t.kind[event] == constants.KINGDOM)


def count_cards(board: Board, t: Any, kind: int, row: list[int], found: Counter[str]) -> None:
    """Count what is done with events and empires."""
    card, turn = row[log.CARD], board.turn
    if kind == log.CHOSE_EVENT:
        board.hand[card] = row[log.EPOCH]
    elif kind == log.CALLED:
        board.turn = Turn()
    elif kind == log.PLAYED_EVENT:
        board.hand.pop(card, None)
        operations = operations_of(t, card)
        if t.kind[card] == constants.ENHANCEMENT:
            turn.helps += int(bool(operations & (HELPS | {constants.SIEGE_TOKENS})))
            turn.spares += [turn.battles] if operations & SPARES else []
    elif kind == log.EPOCH_ENDS:
        for event, epoch in list(board.hand.items()):
            if fades(t, event, epoch, row[log.EPOCH]):
                found["fades"] += 1
                del board.hand[event]
    elif kind == log.GAVE and t.kind[card] == constants.EMPIRE:
        of_epoch = t.armies[: t.empires][t.epoch[: t.empires] == t.epoch[card]]
        found["kept_weakest"] += int(row[log.VALUE] == row[log.SEAT] and t.armies[card] == of_epoch.min())


def count_attack(board: Board, t: Any, kind: int, row: list[int], found: Counter[str]) -> None:
    """Count what is done in conquests, before they are fought."""
    seat, land, turn = row[log.SEAT], row[log.LAND], board.turn
    if kind != log.CONQUERS:
        return
    found["again"] += int(turn.retreated == land)
    turn.retreated, turn.way = constants.NO_LAND, row[log.VALUE]
    turn.conquests += 1
    found["own_land"] += int(board.army[land] == seat)
    if board.army[land] in (constants.NO_SEAT, seat):
        return
    turn.battles += 1
    standing = [int(x) for x in np.flatnonzero((board.army == seat) & board.active)]
    near = set().union(*(board.beside[x] for x in standing))
    if turn.way == constants.FLEET:
        turn.fleets.append((land, [x for x in near & board.beside[land] if board.army[x] != seat]))
    held = {int(t.region[x]) for x in np.flatnonzero(board.army == seat)}
    empty = [x for x in near if board.army[x] == constants.NO_SEAT and t.region[x] not in held]
    found["last_army"] += int(row[log.NUMBER] == 0 and any(board.token[t.region[x]] > 0 for x in empty))
    found["fort"] += int(board.fort[land] and t.terrain[land] != 0 and turn.helps == 0)


def count_dice(board: Board, t: Any, kind: int, row: list[int], found: Counter[str]) -> None:
    """Count dice rolled again for nothing: with the numbers of both sides, bonuses included, as they stood."""
    value, shown = row[log.VALUE], row[log.NUMBER]
    if kind == log.ROLLED:
        board.dice, board.rerolls = [[value % 10, value // 10], [shown % 10, shown // 10]], []
    elif kind == log.REROLLED:
        board.rerolls.append((value, shown % 10, shown // 10))
    elif kind == log.COMPARED:
        last = [list(dice) for dice in board.dice]
        for side, old, new in board.rerolls:
            last[side][last[side].index(old)] = new
        bonus = (value - max(last[0]), shown - max(last[1]))
        for side, old, new in board.rerolls:
            attack, defence = max(board.dice[0]) + bonus[0], max(board.dice[1]) + bonus[1]
            if side == 0:
                idle = attack > defence and board.turn.way != constants.FLEET
            else:
                idle = attack < defence or attack > SIX + bonus[1]
            found["idle_roll"] += int(idle or max(board.dice[side]) == SIX)
            board.dice[side][board.dice[side].index(old)] = new


def count_lands(board: Board, t: Any, kind: int, row: list[int], found: Counter[str]) -> None:
    """Follow armies, forts and tokens, and count what becomes of battles."""
    seat, land, turn = row[log.SEAT], row[log.LAND], board.turn
    if kind == log.TOKEN_PLACED:
        board.token[row[log.VALUE]] = row[log.NUMBER]
    elif kind == log.FOUNDED:
        # Cards played before the founding of the same turn stay in force.
        board.turn = replace(Turn(), battles=turn.battles, helps=turn.helps, spares=turn.spares, tokens=row[log.NUMBER])
        for start in t.start[row[log.CARD]]:
            if start != constants.NO_LAND:
                found["own_start"] += int(board.army[start] == seat)
                board.army[start], board.active[start], board.fort[start] = seat, True, False
    elif kind in (log.ENTERED, log.SWAPPED):
        board.army[land], board.active[land] = seat, True
        turn.entered += [land] if kind == log.ENTERED else []
    elif kind == log.TIED_BATTLE:
        board.army[land], board.active[land] = constants.NO_SEAT, False
        turn.ties[land] = turn.conquests
    elif kind == log.RETREATED:
        turn.retreated = land
        found["retreat"] += 1
    elif kind == log.BESIEGES:
        found["army_for_token"] += int(row[log.VALUE] == 0 and turn.tokens > 0)
        turn.tokens -= row[log.VALUE]
        found["long_siege"] += int(row[log.NUMBER] == t.siege_steps)
    elif kind == log.GAINED_ARMIES:
        turn.tokens += row[log.VALUE]
    elif kind == log.FORT_REMOVED:
        board.fort[land] = False
    elif kind == log.FORT_BUILT:
        board.fort[land] = True
        found["fort_built"] += int(row[log.CARD] == constants.NO_CARD)


def count_end_of_turn(board: Board, t: Any, kind: int, row: list[int], found: Counter[str]) -> None:
    """Count what shows when the conquests of an empire, or its turn, are over."""
    turn = board.turn
    if kind == log.ENDED_CONQUEST:
        found["token_left"] += max(0, turn.tokens)
        found["by_fleet"] += sum(any(x in turn.entered for x in near) for _, near in turn.fleets)
        found["tie_left"] += sum(
            board.army[land] == constants.NO_SEAT and turn.conquests > made for land, made in turn.ties.items()
        )
    elif kind == log.INACTIVE:
        board.active[:] = False
    elif kind == log.SCORED_STRUCTURES:
        found["no_battle"] += int(turn.helps > 0 and turn.battles == 0)
        found["one_battle"] += int(turn.helps > 0 and turn.battles == 1)
        found["spares_late"] += sum(fought == turn.battles for fought in turn.spares)


def main(arguments: list[str]) -> None:
    """Print the counts of a strategy: games at each number of players, its name, the data set."""
    games = int(arguments[0]) if arguments else 100
    strategy = arguments[1] if len(arguments) > 1 else "balanced"
    data = arguments[2] if len(arguments) > 2 else constants.DATA_SETS[0]
    found = Counter[str]()
    for players in range(3, constants.MAX_SEATS + 1):
        drafted = count_habits(games, players, strategy, "draft", data=data)
        found.update({habit: drafted[habit] for habit in HABITS if habit not in CLASSIC})
        classic = count_habits(games, players, strategy, "classic", data=data)
        found.update({habit: classic[habit] for habit in CLASSIC})
    for habit, what in HABITS.items():
        print(f"{found[habit] / (4 * games):6.2f}  {what}")


if __name__ == "__main__":
    main(sys.argv[1:])
