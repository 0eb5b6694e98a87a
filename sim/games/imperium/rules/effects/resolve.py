"""Executes card effects: the interpreter of the effect code (see `constants.py`).

`resolve_next` takes the top frame of the stack and executes one of its instructions. This is one step of the game. Most
instructions take one step. Those that draw or take several cards take a step for each card, so that triggered abilities
are resolved in between.

`frame` is the frame of the effect on the stack, and `at` the row of its current instruction. `own` is the card with the
effect, and `root` the frame in which the effect began.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import FRAME_AT, FRAME_CARD, FRAME_LEFT, FRAME_ROOT, FRAME_SEAT, FRAME_VALUE, push
from sim.engine.zones import take_out
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.conditions import holds
from sim.games.imperium.rules.costs import payable
from sim.games.imperium.rules.effects.hand import agrees, follow_one_by_one, follow_tokens_and_hand
from sim.games.imperium.rules.effects.market import follow_market
from sim.games.imperium.rules.effects.own_rules import follow_own_rules
from sim.games.imperium.rules.effects.reactions import answer, protect_all
from sim.games.imperium.rules.effects.resources import follow_resources
from sim.games.imperium.rules.effects.zones import follow_zones
from sim.games.imperium.rules.moving import lay
from sim.games.imperium.rules.options import can_do, option_is_open
from sim.games.imperium.rules.plays import follow_plays


@kernel
def resolve_next(g: Record, t: Record, players: Players) -> None:
    """Execute the next instruction of the effect on top of the stack, then drop finished effects.

    The stack must not be empty.
    """
    frame = int(g.depth - 1)
    at = int(g.frame[frame, FRAME_AT])
    if at < 0:
        g.depth -= 1
        follow_step(g, t, players, frame, at)
    elif t.code[at, constants.OPERATION] != constants.END:
        follow(g, t, players, frame, at)
    drop_ended(g, t)


@kernel
def drop_ended(g: Record, t: Record) -> None:
    """Remove finished effects from the top of the stack."""
    while g.depth > 0:
        at = g.frame[g.depth - 1, FRAME_AT]
        if at < 0 or t.code[at, constants.OPERATION] != constants.END:
            return
        g.depth -= 1


@kernel
def follow(g: Record, t: Record, players: Players, frame: int, at: int) -> None:
    """Execute one instruction."""
    operation = int(t.code[at, constants.OPERATION])
    g.asking = g.frame[frame, FRAME_CARD]
    g.asked_at = at
    g.option_count = 0
    if operation < constants.GAIN:
        follow_control(g, t, players, frame, at, operation)
        return
    seat = int(g.frame[frame, FRAME_SEAT])
    optional = g.frame[frame, FRAME_LEFT] == constants.OPTIONAL
    if optional:
        g.frame[frame, FRAME_LEFT] = -1
    g.frame[frame, FRAME_AT] = t.code[at, constants.NEXT]
    if operation < constants.GAIN_ACTION:
        follow_resources(g, t, players, frame, at, operation, seat)
    elif operation in (constants.DRAW, constants.DRAW_PER, constants.TAKE_UNREST):
        follow_one_by_one(g, t, players, frame, at, operation, seat)
    elif operation < constants.TO_HISTORY:
        follow_tokens_and_hand(g, t, players, frame, at, operation, seat, optional)
    elif operation < constants.FIND:
        follow_zones(g, t, players, frame, at, operation, seat, optional)
    elif operation < constants.ACQUIRE:
        follow_plays(g, t, players, frame, at, operation, seat, optional)
    elif operation < constants.FLIP_SELF:
        follow_market(g, t, players, frame, at, operation, seat, optional)
    else:
        follow_own_rules(g, t, players, frame, at, operation, seat)


@kernel
def follow_control(g: Record, t: Record, players: Players, frame: int, at: int, operation: int) -> None:
    """Execute an instruction that decides which instructions come next."""
    row = g.frame[frame]
    seat = int(row[FRAME_SEAT])
    own = int(row[FRAME_CARD])
    root = int(row[FRAME_ROOT])
    follow_on = int(t.code[at, constants.NEXT])
    if operation == constants.MAY:
        row[FRAME_AT] = follow_optional(g, t, players, frame, at, seat, own, root)
    elif operation == constants.CHOOSE:
        row[FRAME_AT] = choose_option(g, t, players, seat, own, root, at)
    elif operation == constants.COST:
        row[FRAME_AT] = at + 1 if payable(g, t, root, seat, own, at + 1, int(t.code[at, constants.A])) else follow_on
    elif operation in (constants.IF, constants.REQUIRE):
        row[FRAME_AT] = at + 1 if holds(g, t, root, seat, own, at) else follow_on
    else:
        row[FRAME_AT] = follow_on
        if operation in (constants.OTHERS, constants.ALL_PLAYERS):
            push_for_players(g, t, at, seat, own, root, operation)
        elif operation == constants.FOR_EACH:
            for _ in range(g.frame[root, t.code[at, constants.A]]):
                push(g, at + 1, seat, own, root)


@kernel
def follow_optional(g: Record, t: Record, players: Players, frame: int, at: int, seat: int, own: int, root: int) -> int:
    """Ask whether to execute an optional instruction; return the row that comes next.

    If the instruction asks for a card anyway, there is no extra question: the player may choose no card.
    """
    follow_on = int(t.code[at, constants.NEXT])
    if not can_do(g, t, root, seat, own, at + 1):
        return follow_on
    if t.code[at + 1, constants.NEXT] == follow_on and asks_for_card(t, at + 1):
        g.frame[frame, FRAME_LEFT] = constants.OPTIONAL
        return at + 1
    g.asked = t.code[at + 1, constants.OPERATION]
    return at + 1 if agrees(g, t, players, seat) else follow_on


@kernel
def asks_for_card(t: Record, at: int) -> bool:
    """Tell whether an instruction asks for a card. If so, a player can decline by choosing none."""
    operation = int(t.code[at, constants.OPERATION])
    if operation in (constants.TOP_DECK, constants.TO_HISTORY):
        # Negative selectors leave no choice: the card itself, or the drawn card, moves.
        return bool(t.code[at, constants.A] >= 0)
    if operation == constants.NATION_TO_BOTTOM:
        return bool(t.code[at, constants.A] > 1)
    return operation in (
        constants.DRAW_FROM,
        constants.GARRISON_HERE,
        constants.RECALL,
        constants.GARRISON_SELF,
        constants.ACQUIRE,
        constants.GAIN_ON_MARKET,
    )


@kernel
def choose_option(g: Record, t: Record, players: Players, seat: int, own: int, root: int, at: int) -> int:
    """Let a seat choose one of the open options; return its first row, or the row after the choice if none is open."""
    count = 0
    option = at + 1
    for _ in range(t.code[at, constants.A]):
        if option_is_open(g, t, root, seat, own, option + 1):
            g.option_value[count] = option + 1
            g.option_card[count] = own
            count += 1
        option = int(t.code[option, constants.NEXT])
    if count == 0:
        return int(t.code[at, constants.NEXT])
    g.option_count = count
    g.asked = constants.CHOOSE
    return int(g.option_value[choose(g, t, players, seat, constants.ALTERNATIVE)])


@kernel
def push_for_players(g: Record, t: Record, at: int, seat: int, own: int, root: int, operation: int) -> None:
    """Let the other players, or all players, execute the contained instructions in turn order.

    An attack skips players who avoid it.
    """
    shielded = int(g.frame[root, constants.SHIELDED])
    gives = t.code[at + 1, constants.OPERATION] == constants.GAIN
    gives_progress = gives and t.code[at + 1, constants.A] == constants.PROGRESS
    benefits = gives and t.avoiding_loses_benefits == 0
    other = seat
    # Push the players in reverse order, so that the first one is on top of the stack.
    for _ in range(g.players - (1 if operation == constants.OTHERS else 0)):
        other = other - 1 if other > 0 else g.players - 1
        if operation == constants.ALL_PLAYERS and other == seat:
            continue
        spared = shielded & (1 << other) != 0
        spared = spared or (shielded & (1 << (other + constants.EXCEPT_PROGRESS)) != 0 and not gives_progress)
        if benefits or not spared:
            push(g, at + 1, other, own, root)
    if operation == constants.ALL_PLAYERS:
        push(g, at + 1, seat, own, root)


@kernel
def follow_step(g: Record, t: Record, players: Players, frame: int, step: int) -> None:
    """Execute a step of the engine between effects, such as the resolution of an attack.

    The step's frame has just left the stack.
    """
    seat = int(g.frame[frame, FRAME_SEAT])
    card = int(g.frame[frame, FRAME_CARD])
    value = int(g.frame[frame, FRAME_VALUE])
    if step == constants.FINISH_PLAY:
        if t.pinned[card] == 0 and take_out(g, seat, constants.PLAY, card):
            lay(g, t, seat, card, constants.DISCARD_PILE)
    elif step == constants.FIRE:
        answer(
            g,
            t,
            players,
            seat,
            card,
            value,
            int(g.frame[frame, FRAME_LEFT]),
            int(g.frame[frame, constants.AMOUNT_GAINED]),
        )
    else:
        protect_all(g, t, players, seat, card, value)
