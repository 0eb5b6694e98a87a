"""Rows of results: what seats did, counted again from the log, and what became of their cards."""

from collections import Counter, defaultdict
from typing import Any

import pytest

from sim.engine.result_rows import FIXED_COLUMNS, PIECE_KEYS, SCORE
from sim.games.imperial_settlers.game import CARDS
from sim.games.imperial_settlers.rules import log
from sim.games.imperial_settlers.rules.constants import ACT, COMMON, PILE, ROUNDS, TOTAL, VIRTUAL
from sim.games.imperial_settlers.rules.log import CARD, KIND, NUMBER, ROUND, SEAT, VALUE
from sim.games.imperial_settlers.rules.scoring import count_points
from sim.players.batch import play
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started, steps_of

GAME = "imperial_settlers"
TABLES = [("standard", 2), ("alternative", 3), ("peaceful-advanced", 4), ("standard", 4), ("solo", 1)]
PLAYERS = ["balanced", "razer", "random"]
GAMES = 3


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_measures_and_card_rows_are_what_the_log_tells(variant: str, players: int) -> None:
    plan = plan_for(GAME, variant, players, strategies=PLAYERS, detail="cards")
    t, team, first = plan.data.tables, players_of(plan), FIXED_COLUMNS + len(plan.game.score_parts)
    for number in range(GAMES):
        g: Any = started(plan, number, keeps_log=True)[0]
        plan.game.kernels.play_out(g, t, team)
        rows, cards, *_ = play(plan, team, number, 1)
        told: list[list[int]] = g.log.rows[: g.log.row_count].tolist()
        assert rows[:, SCORE].tolist() == g.score[:players, TOTAL].tolist()
        for seat, row in enumerate(rows):
            measured = dict(zip(plan.game.measures, row[first:].tolist(), strict=True))
            expected = measures_by_log(g, t, told, seat)
            assert {name: measured[name] for name in expected} == expected
        check_cards_by_log(cards, t, [row for row in told if row[SEAT] in range(players)])


def measures_by_log(g: Any, t: Any, told: list[list[int]], seat: int) -> dict[str, int]:
    """Measures of a seat, counted from the rows of the log."""
    own = [row for row in told if row[SEAT] == seat]
    kinds = Counter(row[KIND] for row in own)
    built = Counter(int(t.deck[row[CARD]]) == COMMON for row in own if row[KIND] == log.BUILT)
    razed = [row for row in told if row[KIND] == log.RAZED]
    ends = {row[ROUND]: row[NUMBER] for row in told if row[KIND] == log.ROUND_ENDS and row[VALUE] == seat}
    return {
        "razed": sum(row[SEAT] == seat != row[VALUE] for row in razed),
        "was_razed": sum(row[SEAT] != seat == row[VALUE] for row in razed),
        "razed_from_hand": kinds[log.RAZED_FROM_HAND],
        "built_common": built[True],
        "built_faction": built[False],
        "given_up": kinds[log.GAVE_UP],
        "activated": kinds[log.ACTIVATED],
        "exchanged": kinds[log.EXCHANGED],
        "drawn": kinds[log.DREW] + kinds[log.KEPT],
        "deals": kinds[log.MADE_DEAL] + kinds[log.TRADED],
        "collected": int(g.zone_size[VIRTUAL, PILE]) if g.solo else 0,
        **{f"score_round_{one}": ends[one] for one in range(1, ROUNDS)},
    }


def check_cards_by_log(cards: Any, t: Any, told: list[list[int]]) -> None:
    """Compare card rows with what the log says became of the cards."""
    events = {log.BUILT: "built_round", log.MADE_DEAL: "dealt_round", log.GAVE_UP: "given_up_round"}
    columns = [name for name, _ in CARDS.columns]
    expected: defaultdict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    uses: Counter[tuple[int, int]] = Counter()
    for row in told:
        key = row[SEAT], int(t.name[row[CARD]])
        foundation = row[KIND] == log.GAVE_UP and row[VALUE] != 0
        if row[KIND] in events and not foundation:
            expected[key].setdefault(events[row[KIND]], row[ROUND])
        uses[key] += row[KIND] == log.ACTIVATED
    found = {(int(row[1]), int(row[2])): dict(zip(columns, row[PIECE_KEYS:].tolist(), strict=True)) for row in cards}
    assert len(found) == len(cards)
    assert set(expected) <= set(found)
    for key, became in found.items():
        assert {event: became[event] for event in events.values()} == {
            event: expected[key].get(event, 0) for event in events.values()
        }, key
        assert became["times_used"] == uses[key]
        assert became["offered"] > 0


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_after_each_round_the_points_are_noted_that_each_would_have_if_the_game_ended_then(
    variant: str, players: int
) -> None:
    plan = plan_for(GAME, variant, players, strategies=PLAYERS)
    rounds = []
    for step in steps_of(plan, 0, 1):
        g: Any = step.after[0]
        if step.before[0]["phase"] == ACT != g.phase:
            rounds.append(int(g.rounds))
            g.score[:] = 0
            for seat in range(players):
                count_points(g, plan.data.tables, seat)
            assert g.score_after[:players, g.rounds - 1].tolist() == g.score[:players, TOTAL].tolist()
    assert rounds == list(range(1, ROUNDS + 1))
