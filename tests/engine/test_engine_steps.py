"""Steps: a copy made as a step began, given its first answers, stands at any decision within it and plays on alike."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import ALL_NOTES, LINEUP, STRATEGY_SLOTS, FieldRecord, kernel, strategy_pointer, strategy_slots
from sim.engine.decide import blank_notes, choose
from sim.engine.rng import SEATS, move_to, next_word, start_streams
from sim.engine.state import (
    ANSWER_NOT_LISTED,
    ANSWERS_LEFT,
    MAX_ANSWERS,
    NO_ERROR,
    TOO_MANY_DECISIONS,
    begin_step,
    copy_progress,
    game_record,
    give_answers,
    log_record,
    progress_bytes,
)

OPTIONS = 5
LOG = log_record(rows=(3, 2), pieces=(2, 4, 1), number=np.int16)
TOY = game_record(
    [("total", np.int64), ("history", np.int64, (200,))], seats=2, options=OPTIONS, notes=1, score_parts=1, log=LOG
)
TABLES = np.dtype((FieldRecord, [("most", np.int64)]))


@kernel
def play_step(g: Any, t: Any, players: Any, decisions: int) -> None:
    """A step of a toy game: two seats in turn choose a number each, and all numbers are written down."""
    begin_step(g)
    for number in range(decisions):
        g.option_count = t.most
        chosen = choose(g, t, players, number % 2, 0)
        g.history[g.rounds] = chosen
        g.total += (g.rounds + 1) * chosen
        g.rounds += 1


def all_alike(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    return 0.0


def game(options: int = OPTIONS, temperature: float = 0.0) -> tuple[np.ndarray, Any, Any]:
    """A toy game (array of one), its tables, and players who choose by lot."""
    games, tables, lineups = np.zeros(1, TOY), np.zeros(1, TABLES), np.zeros(1, LINEUP)
    tables[0].most = options
    lineups[0].seats["temperature"] = temperature
    start_streams(games[0], 3, 1, 1)
    games[0].players = 2
    pointer = strategy_pointer(all_alike, TOY, TABLES)
    return games, tables[0], (strategy_slots([pointer] * STRATEGY_SLOTS), lineups[0])


def refuses(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    return float("nan")


# ---- Notes ----


@pytest.mark.parametrize(
    ("kept", "script", "blank"),
    [
        (0, 1, [0, 1, 2, 3]),  # a script that keeps none
        (3, 1, [3]),  # one that keeps three, asked again
        (3, 2, [0, 1, 2, 3]),  # one that keeps three, after another script
        (ALL_NOTES, 2, []),  # one that takes no notes
    ],
)
def test_notes_are_blank_but_for_those_the_same_script_keeps(kept: int, script: int, blank: list[int]) -> None:
    g, w = SimpleNamespace(notes=np.zeros(4), notes_of=1), SimpleNamespace(kept_notes=kept, script=script)
    getattr(blank_notes, "py_func", blank_notes)(g, w)
    assert np.flatnonzero(np.isnan(g.notes)).tolist() == blank
    assert g.notes_of == (1 if kept == ALL_NOTES else script)


# ---- Given answers ----


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("options", [2, OPTIONS])
def test_a_copy_given_any_number_of_a_steps_answers_plays_on_to_the_same_end(options: int, temperature: float) -> None:
    games, t, players = game(options, temperature)
    g = games[0]
    play_step(g, t, players, 3)
    start = games.copy()
    play_step(g, t, players, 6)
    ends = g.history.tolist(), int(g.total), int(g.decisions), int(g.options_scored)
    drawn, words = g.rng_drawn.tolist(), [int(next_word(games.copy()[0], SEATS + seat)) for seat in (0, 1)]
    for count in range(7):
        copy = start.copy()
        give_answers(copy[0], g, count)
        play_step(copy[0], t, players, 6)
        assert (copy[0].history.tolist(), copy[0].total, copy[0].decisions, copy[0].options_scored) == ends
        assert copy[0].rng_drawn.tolist() == drawn
        assert [int(next_word(copy.copy()[0], SEATS + seat)) for seat in (0, 1)] == words
        assert (copy[0].error, copy[0].answers_given) == (NO_ERROR, 0)


def test_given_answers_are_taken_without_asking() -> None:
    games, t, players = game()
    start = games.copy()
    play_step(games[0], t, players, 4)
    silent = strategy_slots([strategy_pointer(refuses, TOY, TABLES)] * STRATEGY_SLOTS)
    give_answers(start[0], games[0], 4)
    play_step(start[0], t, (silent, players[1]), 4)
    assert start[0].error == NO_ERROR
    assert start[0].history.tolist() == games[0].history.tolist()


def test_another_answer_than_the_one_given_leads_elsewhere() -> None:
    games, t, players = game()
    start = games.copy()
    play_step(games[0], t, players, 4)
    games[0].answer[1] = (games[0].answer[1] + 1) % OPTIONS
    give_answers(start[0], games[0], 2)
    play_step(start[0], t, players, 4)
    other = start[0].history[:4] != games[0].history[:4]
    assert other.tolist() == [False, True, False, False]


@pytest.mark.parametrize("drawn", range(9))
def test_a_stream_moved_anywhere_goes_on_with_the_same_words(drawn: int) -> None:
    games, _, _ = game()
    moved = games.copy()
    for _ in range(drawn):
        next_word(games[0], SEATS)
    # What stands in stock from before is not to be taken.
    next_word(moved[0], SEATS)
    moved[0].rng_words[:] = 0
    move_to(moved[0], SEATS, np.uint64(drawn))
    assert [int(next_word(moved[0], SEATS)) for _ in range(6)] == [int(next_word(games[0], SEATS)) for _ in range(6)]


# ---- Errors ----


@pytest.mark.parametrize(("decisions", "error"), [(MAX_ANSWERS, NO_ERROR), (MAX_ANSWERS + 1, TOO_MANY_DECISIONS)])
def test_a_step_with_more_decisions_than_can_be_remembered_is_an_error(decisions: int, error: int) -> None:
    games, t, players = game()
    play_step(games[0], t, players, decisions)
    assert games[0].error == error


def test_an_answer_that_is_no_option_is_an_error() -> None:
    games, t, players = game()
    start = games.copy()
    play_step(games[0], t, players, 2)
    games[0].answer[1] = OPTIONS
    give_answers(start[0], games[0], 2)
    play_step(start[0], t, players, 2)
    assert start[0].error == ANSWER_NOT_LISTED


def test_answers_left_over_from_the_step_before_are_an_error() -> None:
    games, t, players = game()
    start = games.copy()
    play_step(games[0], t, players, 4)
    give_answers(start[0], games[0], 4)
    play_step(start[0], t, players, 3)
    assert start[0].error == NO_ERROR
    play_step(start[0], t, players, 3)
    assert start[0].error == ANSWERS_LEFT


# ---- Copies ----


def test_a_copy_holds_the_progress_and_keeps_no_log() -> None:
    games, t, players = game()
    g = games[0]
    play_step(g, t, players, 3)
    g.log.keeps_rows = g.log.keeps_pieces = 1
    g.log.row_count = 2
    g.log.rows[:] = 7
    copy = np.zeros(1, TOY)
    copy_progress(copy[0], g)
    size = progress_bytes(TOY)
    assert copy.tobytes()[:size] == games.tobytes()[:size]
    assert size + LOG.itemsize == TOY.itemsize
    assert (copy[0].log.keeps_rows, copy[0].log.row_count, copy[0].log.keeps_pieces) == (0, 0, 0)
    assert not copy[0].log.rows.any(), "more than the progress was copied"
