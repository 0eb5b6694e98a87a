"""Choosing: a seat's strategy scores the options a game has listed, and the best one is taken.

The options stand in the game's record (`sim.record`): how many in `option_count`, what each of them is in fields of the
game's own. Answers that a step was given are taken without asking.
"""

from __future__ import annotations

import math
from typing import Any

from sim.jit import Record, kernel, score_option
from sim.record import ANSWER_NOT_LISTED, NO_OPTION, SCORE_NOT_A_NUMBER, keep_answer
from sim.rng import SEATS, below, gumbel, move_to

Players = Any
"""Tuple of the scoring functions (`sim.jit.strategy_slots`) and the `LINEUP` record of their weights."""


@kernel
def choose(g: Record, t: Record, players: Players, seat: int, decision: int) -> int:
    """Let a seat's strategy score the listed options; return the best one, ties by lot."""
    count = g.option_count
    if count == 0:
        g.error = NO_OPTION
        return 0
    if count == 1 and g.asks_always == 0:
        return 0
    place = g.decisions - g.step_decisions
    if place < g.answers_given:
        return given_answer(g, seat, place)
    scores, lineup = players
    which = g.strategy[seat]
    w = lineup.seats[which]
    blank_notes(g, w)
    best = -math.inf
    ties, first = 0, 0
    for option in range(count):
        value = score_option(scores, which, g, t, seat, decision, option, w)
        if math.isnan(value):
            g.error = SCORE_NOT_A_NUMBER
            g.error_strategy = which
        if w.temperature > 0.0:
            value += w.temperature * gumbel(g, SEATS + seat)
        g.option_score[option] = value
        if value > best:
            best = value
            ties = 1
            first = option
        elif value == best:
            ties += 1
    g.decisions += 1
    g.options_scored += count
    chosen = first if ties == 1 else option_of_lot(g, best, ties, seat)
    keep_answer(g, seat, place, chosen)
    return chosen


@kernel
def blank_notes(g: Record, w: Record) -> None:
    """Make the notes blank for a decision: all if another script has taken them last, else those it does not keep."""
    if w.kept_notes >= g.notes.shape[0]:
        return
    same = g.notes_of == w.script
    g.notes_of = w.script
    g.notes[w.kept_notes if same else 0 :] = math.nan


@kernel
def given_answer(g: Record, seat: int, place: int) -> int:
    """Answer that this step was given for a decision; the seat's stream moves to where it was drawn to."""
    if place + 1 == g.answers_given:
        g.answers_given = 0
    g.decisions += 1
    g.options_scored += g.option_count
    move_to(g, SEATS + seat, g.answer_drawn[place])
    chosen = g.answer[place]
    if not 0 <= chosen < g.option_count:
        g.error = ANSWER_NOT_LISTED
        return 0
    return int(chosen)


@kernel
def option_of_lot(g: Record, best: float, ties: int, seat: int) -> int:
    """Option with the best score; one of several by lot."""
    lot = below(g, SEATS + seat, ties) if ties > 1 else 0
    if ties == g.option_count:
        return lot
    for option in range(g.option_count):
        if g.option_score[option] == best:
            if lot == 0:
                return option
            lot -= 1
    return 0
