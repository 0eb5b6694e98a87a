"""Set-up: random starting scores, stacks of cards, an empty map (rulebook: Set-up)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.rng import DEAL, shuffle
from sim.engine.state import begin_game
from sim.games.history_of_the_world.rules import constants


@kernel
def set_up(g: Record, t: Record, plan: Record) -> None:
    """Set up a new game, up to the beginning of the first epoch.

    All random numbers are from the deal stream, so all games of a block have the same cards and starting scores.
    """
    clear_table(g, t, plan.players)
    g.classic = plan.variant
    draw_scores(g)
    deal_stacks(g, t)
    g.phase = constants.TOKENS


@kernel
def clear_table(g: Record, t: Record, players: int) -> None:
    """Begin a game with an empty map and full supplies, before anything is dealt."""
    begin_game(g, players)
    g.supply[:players] = t.army_limit
    for piece in range(len(constants.PIECES)):
        g.pieces[piece] = t.supply[piece]
    g.army[:] = constants.NO_SEAT
    g.placed_by[:] = constants.NO_CARD
    g.event_stack[:] = constants.NO_CARD
    g.empire_stack[:] = constants.NO_CARD
    g.empire[:] = constants.NO_CARD
    g.event[:] = constants.NO_CARD
    g.turn_seat = constants.NO_SEAT
    g.card = constants.NO_CARD
    g.waiting = constants.NO_CARD
    g.battle = constants.NO_BATTLE
    g.icons_needed[:] = t.icons_per_monument
    if g.log.keeps_pieces != 0:
        g.log.lands[:] = 0
        g.log.rolls[:] = 0


@kernel
def draw_scores(g: Record) -> None:
    """Draw the score markers one by one onto the spaces 1, 2, 3 and so on."""
    for seat in range(g.players):
        g.points[seat] = seat + 1
    shuffle(g, DEAL, g.points, g.players)
    for seat in range(g.players):
        g.start_score[seat] = g.points[seat]
        g.part[seat, constants.START] = g.points[seat]


@kernel
def deal_stacks(g: Record, t: Record) -> None:
    """Shuffle the empires and the events of each epoch; keep one card per player, and put the rest away unseen."""
    for epoch in range(t.epochs):
        deal_stack(g, t, epoch, g.empire_stack[epoch], True)
        deal_stack(g, t, epoch, g.event_stack[epoch], False)


@kernel
def deal_stack(g: Record, t: Record, epoch: int, stack: Record, empires: bool) -> None:
    """Form the stack of empires or the stack of events for an epoch."""
    count = 0
    for card in range(t.cards):
        if t.epoch[card] == epoch and (t.kind[card] == constants.EMPIRE) == empires:
            stack[count] = card
            count += 1
    shuffle(g, DEAL, stack, count)
    for place in range(g.players, count):
        stack[place] = constants.NO_CARD
