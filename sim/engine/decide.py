"""Makes decisions: a seat's strategy scores the options that the game has listed, and the best option is taken.

The options are in the game's record (`sim.engine.state`): their number in `option_count`, the rest in fields of the
game. A copy of a game may hold recorded answers for its step (`give_answers`). It replays these answers instead of
scoring options.
"""

from __future__ import annotations

import math
from typing import Any

from sim.compiler.kernel import Record, is_slot_of, kernel, score_all_at, score_option
from sim.engine.rng import SEATS, below, gumbel, move_to
from sim.engine.state import ANSWER_NOT_LISTED, NO_OPTION, SCORE_NOT_A_NUMBER, record_answer

Players = Any
"""Tuple of the scoring functions (`sim.compiler.kernel.strategy_slots`) and the `LINEUP` record of their weights."""


@kernel
def choose(g: Record, t: Record, players: Players, seat: int, decision: int) -> int:
    """Let a seat's strategy score the listed options; return the best option, with ties broken at random."""
    count = g.option_count
    if count == 0:
        g.error = NO_OPTION
        return 0
    if count == 1 and g.asks_always == 0:
        return 0
    place = g.decisions - g.step_decisions
    if place < g.answers_given:
        return replay_answer(g, seat, place)
    scores, lineup = players
    which = g.strategy[seat]
    w = lineup.seats[which]
    blank_notes(g, w)
    score_options(g, t, scores, which, seat, decision, w)
    chosen = best_option(g, seat, which, w.temperature)
    g.decisions += 1
    g.options_scored += count
    record_answer(g, seat, place, chosen)
    return chosen


@kernel
def score_options(g: Record, t: Record, scores: Any, which: int, seat: int, decision: int, w: Record) -> None:
    """Let strategy number `which` of the run score the listed options; the scores go to `g.option_score`.

    If the strategy's script has `score_all`, and no search or check wraps the script, all options are scored in one
    call. Otherwise each option is scored alone.
    """
    if w.score_all != 0 and is_slot_of(scores, which, w.score_one):
        score_all_at(w.score_all, g, t, seat, decision, w)
        return
    for option in range(g.option_count):
        g.option_score[option] = score_option(scores, which, g, t, seat, decision, option, w)


@kernel
def best_option(g: Record, seat: int, which: int, temperature: float) -> int:
    """Return the option with the best score. Ties are broken at random.

    If `temperature` is above 0, first add noise of this scale to every score.
    """
    if temperature > 0.0:
        for option in range(g.option_count):
            g.option_score[option] += temperature * gumbel(g, SEATS + seat)
    # One loop without branches, because a processor cannot predict which option is best.
    best = -math.inf
    blank = 0
    ties = 0
    chosen = 0
    for option in range(g.option_count):
        score = g.option_score[option]
        better = score > best
        ties = 1 if better else ties + int(score == best)
        chosen = option if better else chosen
        best = score if better else best
        blank |= int(math.isnan(score))
    if blank != 0:
        g.error = SCORE_NOT_A_NUMBER
        g.error_strategy = which
    return chosen if ties == 1 else break_tie(g, best, ties, seat)


@kernel
def blank_notes(g: Record, w: Record) -> None:
    """Set the notes (`g.notes`, the memory of scripts) to NaN before a decision, so that no earlier note is used.

    If the same script used the notes last, its first `w.kept_notes` notes are kept. Otherwise all become NaN.
    """
    if w.kept_notes >= g.notes.shape[0]:
        return
    same = g.notes_of == w.script
    g.notes_of = w.script
    g.notes[w.kept_notes if same else 0 :] = math.nan


@kernel
def note_change(g: Record, place: int, number: float) -> bool:
    """Store `number` in `g.notes[place]`; return True if the note was NaN or a different number before."""
    changed = bool(g.notes[place] != number)
    g.notes[place] = number
    return changed


@kernel
def replay_answer(g: Record, seat: int, place: int) -> int:
    """Return the option recorded for decision `place` (from 0) of the step that a copy replays (see `give_answers`).

    Also move the seat's random stream to the state that it had in the original game after this decision.
    """
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
def break_tie(g: Record, best: float, ties: int, seat: int) -> int:
    """Return one of the `ties` options with the score `best`, chosen at random."""
    lot = below(g, SEATS + seat, ties) if ties > 1 else 0
    if ties == g.option_count:
        return lot
    for option in range(g.option_count):
        if g.option_score[option] == best:
            if lot == 0:
                return option
            lot -= 1
    return 0
