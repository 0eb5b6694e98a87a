"""Executes card effects: the interpreter of the effect code (see `constants.py`).

`resolve_next` takes the top frame of the stack and executes one of its instructions. This is one step of the game.
`card` is the card with the effect, and `at` the row of its current instruction.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import FRAME_AT, FRAME_CARD, FRAME_SEAT, FRAME_VALUE, push
from sim.engine.options import clear_options, offer
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.activating import use_again
from sim.games.imperial_settlers.rules.building import answers_to_building
from sim.games.imperial_settlers.rules.drawing import draw, gain_good, look_and_keep
from sim.games.imperial_settlers.rules.effects.options import branch_is_open, has_for_swap
from sim.games.imperial_settlers.rules.effects.others import follow_aimed
from sim.games.imperial_settlers.rules.log import LOST, log_good
from sim.games.imperial_settlers.rules.moving import works_for


@kernel
def resolve_next(g: Record, t: Record, players: Players) -> None:
    """Execute the next operation of the effect, or the engine step, on top of the stack, which must not be empty."""
    frame = int(g.depth - 1)
    row = g.frame[frame]
    at = int(row[FRAME_AT])
    seat = int(row[FRAME_SEAT])
    card = int(row[FRAME_CARD])
    if at < 0:
        g.depth -= 1
        value = int(row[FRAME_VALUE])
        if at == constants.STEP_TRIGGERS:
            fire(g, t, seat, card, value)
        else:
            use_again(g, t, players, seat, card, value)
        return
    operation = int(t.code[at, constants.OPERATION])
    if operation == constants.OP_END:
        g.depth -= 1
        return
    row[FRAME_AT] = t.code[at, constants.NEXT]
    if operation in (constants.OP_CHOOSE, constants.OP_MAY):
        row[FRAME_AT] = choose_branch(g, t, players, seat, card, at, operation)
    elif operation < constants.RUN_PRODUCTION or operation == constants.SWAP:
        follow_goods(g, t, players, seat, card, at, operation)
    else:
        follow_aimed(g, t, players, frame, seat, card, at, operation)


@kernel
def fire(g: Record, t: Record, seat: int, card: int, trigger: int) -> None:
    """Push onto the stack the features of a seat that an event triggers. `card` is the card that the event is about.

    Locations of the seat's own empire run first, in the order in which they were built, then controlled locations.
    Features that cost something run after all others, whose gains may help to pay for them (open point U3 in
    rules.toml).
    """
    if g.features[seat, trigger] == 0:
        return
    # Push the features in reverse order, so that the first one is on top of the stack.
    for costs in (True, False):
        for zone in (constants.CONTROLLED, constants.LOCATIONS):
            for place in range(g.zone_size[seat, zone] - 1, -1, -1):
                own = int(g.zone[seat, zone, place])
                answers = trigger != constants.ON_BUILD or answers_to_building(t, own, card)
                if answers and t.trigger[own] == trigger and works_for(g, own, seat):
                    program = int(t.program[own, constants.FEATURES])
                    if (t.code[program, constants.OPERATION] == constants.OP_MAY) == costs:
                        push(g, program, seat, own, -1)


@kernel
def choose_branch(g: Record, t: Record, players: Players, seat: int, card: int, at: int, operation: int) -> int:
    """Let a seat choose one of the branches that can be executed; return the row at which to continue."""
    end = int(t.code[at, constants.NEXT])
    clear_options(g)
    branch = at + 1
    for _ in range(t.code[at, constants.A]):
        if branch_is_open(g, t, seat, card, branch, end):
            offer(g, operation, card, branch + 1, seat)
        branch = int(t.code[branch, constants.NEXT])
    if operation == constants.OP_MAY and g.option_count > 0:
        offer(g, operation, card, constants.STOP, seat)
    if g.option_count == 0:
        return end
    g.asked = operation
    g.asked_card = card
    chosen = int(g.option_value[choose(g, t, players, seat, constants.BRANCH)])
    return end if chosen == constants.STOP else chosen


@kernel
def follow_goods(g: Record, t: Record, players: Players, seat: int, card: int, at: int, operation: int) -> None:
    """Execute an operation that gives the seat goods or cards and does not involve other seats."""
    row = t.code[at]
    first, second, third, fourth = (
        int(row[constants.A]),
        int(row[constants.B]),
        int(row[constants.C]),
        int(row[constants.D]),
    )
    if operation == constants.GAIN:
        gain_good(g, t, players, seat, first, second, card)
    elif operation == constants.GAIN_PER_COLOUR:
        gain_good(g, t, players, seat, first, min(second * int(g.colours[seat, third]), fourth), card)
    elif operation == constants.GAIN_PER_SAMURAI:
        gain_good(g, t, players, seat, first, min(second * count_samurai(g, seat), third), card)
    elif operation == constants.DRAW_CARDS:
        draw(g, t, players, seat, first, second)
    elif operation == constants.LOOK:
        look_and_keep(g, t, players, seat, first, second, third, fourth)
    elif operation == constants.SWAP and has_for_swap(g, seat, first, second):
        own = min(second, int(g.goods[seat, first]))
        g.goods[seat, first] -= own
        log_good(g, LOST, seat, card, first, own)
        if own < second:
            g.goods[seat, constants.GOLD] -= second - own
            log_good(g, LOST, seat, card, constants.GOLD, second - own)
        gain_good(g, t, players, seat, third, fourth, card)


@kernel
def count_samurai(g: Record, seat: int) -> int:
    """Return the number of samurai on the locations of a seat."""
    count = 0
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        count += int(g.samurai[g.zone[seat, constants.LOCATIONS, place]])
    return count
