"""Rows of results: what seats did, counted again from the log, and what became of their cards."""

from collections import Counter, defaultdict
from typing import Any

import pytest

from sim.engine.result_rows import FIXED_COLUMNS, PIECE_KEYS, SCORE
from sim.games.imperial_settlers.game import CARDS
from sim.games.imperial_settlers.rules import log
from sim.games.imperial_settlers.rules.constants import COMMON, PILE, ROUNDS, TOTAL, VIRTUAL
from sim.games.imperial_settlers.rules.log import CARD, KIND, NUMBER, ROUND, SEAT, VALUE
from sim.players.batch import play
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "imperial_settlers"
TABLES = [("standard", 2), ("alternative", 3), ("peaceful-advanced", 4), ("standard", 4), ("solo", 1)]
PLAYERS = ["balanced", "razer", "random"]
GAMES = 6


def game_and_rows(variant: str, players: int, number: int) -> tuple[Any, Any, list[dict[str, int]], Any]:
    """Return a finished game with its log, its tables, the measures of each seat, and its card rows."""
    plan = plan_for(GAME, variant, players, strategies=PLAYERS, detail="cards")
    g: Any = started(plan, number, keeps_log=True)[0]
    plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
    rows, cards, *_ = play(plan, players_of(plan), number, 1)
    first = FIXED_COLUMNS + len(plan.game.score_parts)
    assert rows[:, SCORE].tolist() == g.score[:players, TOTAL].tolist()
    return (
        g,
        plan.data.tables,
        [dict(zip(plan.game.measures, row[first:].tolist(), strict=True)) for row in rows],
        cards,
    )


def told(g: Any) -> list[list[int]]:
    """Rows of the log."""
    rows: list[list[int]] = g.log.rows[: g.log.row_count].tolist()
    return rows


every_table = pytest.mark.parametrize(("variant", "players"), TABLES)


@every_table
def test_measures_are_what_the_log_tells(variant: str, players: int) -> None:
    for number in range(GAMES):
        g, t, measures, _ = game_and_rows(variant, players, number)
        rows = told(g)
        for seat, measured in enumerate(measures):
            own = [row for row in rows if row[SEAT] == seat]
            kinds = Counter(row[KIND] for row in own)
            built = Counter(int(t.deck[row[CARD]]) == COMMON for row in own if row[KIND] == log.BUILT)
            razed = [row for row in rows if row[KIND] == log.RAZED]
            expected = {
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
                "collected": int(g.zone_size[VIRTUAL, PILE]) if variant == "solo" else 0,
            }
            ends = {row[ROUND]: row[NUMBER] for row in rows if row[KIND] == log.ROUND_ENDS and row[VALUE] == seat}
            expected |= {f"score_round_{one}": ends[one] for one in range(1, ROUNDS)}
            assert {name: measured[name] for name in expected} == expected


@every_table
def test_card_rows_are_what_the_log_tells(variant: str, players: int) -> None:
    events = {log.BUILT: "built_round", log.MADE_DEAL: "dealt_round", log.GAVE_UP: "given_up_round"}
    columns = [name for name, _ in CARDS.columns]
    for number in range(GAMES):
        g, t, _, cards = game_and_rows(variant, players, number)
        expected: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
        uses: Counter[tuple[int, int]] = Counter()
        for row in told(g):
            if row[SEAT] not in range(players):
                continue
            key = row[SEAT], int(t.name[row[CARD]])
            foundation = row[KIND] == log.GAVE_UP and row[VALUE] != 0
            if row[KIND] in events and not foundation:
                expected[key].setdefault(events[row[KIND]], row[ROUND])
            uses[key] += row[KIND] == log.ACTIVATED
        found = {
            (int(row[1]), int(row[2])): dict(zip(columns, row[PIECE_KEYS:].tolist(), strict=True)) for row in cards
        }
        assert len(found) == len(cards)
        for key, became in found.items():
            for event in events.values():
                assert became[event] == expected[key].get(event, 0), (key, event)
            assert became["times_used"] == uses[key]
            assert became["offered"] > 0
        assert set(expected) <= set(found)
