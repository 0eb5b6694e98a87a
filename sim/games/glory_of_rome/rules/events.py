"""Event cards (rulebook: Intrigue phase, step 1)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import meets_condition
from sim.games.glory_of_rome.rules.glory import gain_denarii, gain_glory_together, lose_glory
from sim.games.glory_of_rome.rules.log import (
    DRAWN,
    EVENT_REVEALED,
    PLAY_ORDER,
    PLAYED_ROUND,
    TAKEN_ROUND,
    log_event,
    mark,
)


@kernel
def reveal_event(g: Record, t: Record) -> None:
    """Reveal the next event card.

    The direction of play and the arrows stay as they are if no card is left, or in a first round without an event.
    """
    if g.event_size > 0 and (g.round_number > 1 or t.first_round == 0):
        g.event_size -= 1
        follow_event(g, t, int(g.event_deck[g.event_size]))
    if g.direction == constants.CLOCKWISE:
        g.clockwise_rounds += 1


@kernel
def follow_event(g: Record, t: Record, event: int) -> None:
    """Carry out a revealed event card: its reward, then the direction of play."""
    g.event = event
    log_event(g, EVENT_REVEALED, constants.NO_SEAT, 0, event, 0, 0)
    if g.variant & constants.IMPERIAL != 0:
        follow_imperial_event(g, t, event)
    else:
        reward_seats(g, t, event)
    g.direction = t.direction[event]
    g.arrows = t.arrows[event]
    log_event(g, PLAY_ORDER, constants.NO_SEAT, int(g.direction), event, int(g.arrows), 0)


@kernel
def reward_seats(g: Record, t: Record, event: int) -> None:
    """Give the reward or loss of an event at the same time to all seats that meet its condition."""
    meeting = 0
    for seat in range(g.players):
        meeting |= int(meets_condition(g, t, seat, event)) << seat
    denarii, glory = int(t.reward_denarii[event]), int(t.reward_glory[event])
    for seat in range(g.players):
        mark(g, seat, event, DRAWN, 1)
        if (meeting >> seat) & 1 != 0:
            mark(g, seat, event, TAKEN_ROUND, int(g.round_number))
            mark(g, seat, event, PLAYED_ROUND, int(g.round_number))
            gain_denarii(g, seat, denarii)
            if glory < 0:
                lose_glory(g, t, seat, -glory)
    if glory > 0:
        gain_glory_together(g, t, meeting, glory)


@kernel
def follow_imperial_event(g: Record, t: Record, event: int) -> None:
    """Carry out an event of the Imperial variant.

    A negative card brings its losses if the player meets its condition. With the setting `imperial_negative_events` "do
    nothing", it brings no losses. Any other card brings one denarius for each follower.
    """
    if t.negative[event] == 0:
        gain_denarii(g, 0, int(g.followers[0]))
    elif t.imperial_negative_events == 0 and meets_condition(g, t, 0, event):
        gain_denarii(g, 0, min(0, int(t.reward_denarii[event])))
        lose_glory(g, t, 0, max(0, -int(t.reward_glory[event])))
