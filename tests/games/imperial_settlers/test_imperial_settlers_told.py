"""Told games: what is said agrees with the record of the game."""

from typing import Any

import pytest

from sim.game import load_game
from sim.games.imperial_settlers.io.narrate import ACTIONS, ECHOES, OPENINGS, PARTS, WORDS, SettlersNarrator
from sim.games.imperial_settlers.rules import constants, log
from sim.games.imperial_settlers.rules.state import LOG_ROWS, new_games
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

DATA = load_game("imperial_settlers").load({})
CATALOG, T = DATA.catalog, DATA.tables
NAMES = ["busy"]


def lines_of(g: Any) -> list[str]:
    return list(SettlersNarrator(g, T, CATALOG, NAMES).lines())


FACTIONS = [faction.name for faction in DATA.factions]


def made_up(*rows: tuple[int, ...], **fields: Any) -> Any:
    """Record of a game of Barbarians and Japanese in which just these things are written down."""
    g: Any = new_games(1)[0]
    g.players, g.faction[:2] = 2, [FACTIONS.index("Barbarians"), FACTIONS.index("Japanese")]
    for name, value in fields.items():
        g[name] = value
    g.rank[:2] = 1
    for place, row in enumerate(rows):
        g.log.rows[place] = (*(*row, 0, 0, 0, 0, 0)[:5], 1)
    g.log.row_count = len(rows)
    return g


@pytest.mark.parametrize(
    ("variant", "players"), [("standard", 2), ("alternative", 3), ("peaceful-advanced", 4), ("solo", 1)]
)
def test_the_goods_and_points_told_are_those_of_the_record(variant: str, players: int) -> None:
    plan = plan_for("imperial_settlers", variant, players, seed=11)
    g: Any = started(plan, 0, keeps_log=True)[0]
    plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
    teller = SettlersNarrator(g, T, CATALOG, NAMES)
    list(teller.lines())
    assert g.log.row_count < LOG_ROWS
    assert teller.goods[:players] == g.goods[:players].tolist()
    assert teller.points[:players] == g.points[:players].tolist()


# ---- Words ----

NOT_KINDS = {
    *("KIND", "SEAT", "CARD", "VALUE", "NUMBER", "ROUND", "NO_ROW", "NO_CARD"),
    *("OFFERED", "HELD_ROUND", "BUILT_ROUND", "DEALT_ROUND", "RAZED_ROUND", "GIVEN_UP_ROUND", "LOST_ROUND"),
    "TIMES_USED",
}


def test_every_kind_of_log_row_has_words() -> None:
    named = {value for name, value in vars(log).items() if name.isupper() and name not in NOT_KINDS}
    assert set(PARTS) | set(WORDS) == named
    assert not set(PARTS) & set(WORDS)
    assert set(ACTIONS) < set(OPENINGS) < set(WORDS)
    assert {kind for echo, echoes in ECHOES.items() for kind in (echo, *echoes)} < set(WORDS)


@pytest.mark.parametrize("kind", sorted(set(WORDS) - {log.PRODUCES}))
def test_every_word_says_something(kind: int) -> None:
    teller = SettlersNarrator(made_up(), T, CATALOG, NAMES)
    assert WORDS[kind](teller, [[kind, 0, 1, 1, 1, 1]]).strip()


def test_the_end_says_who_wins_and_what_broke_a_tie() -> None:
    g = made_up()
    assert lines_of(g)[-1] == "Winner: Barbarians (seat 0, busy) and Japanese (seat 1, busy)"
    g.rank[:2] = [2, 1]
    assert lines_of(g)[-1] == "Winner: Japanese (seat 1, busy) by what is left over and in hand"
    g.score[1, constants.TOTAL] = 3
    assert lines_of(g)[-1] == "Winner: Japanese (seat 1, busy)"
    solo = made_up(solo=1, players=1, end_reason=constants.SOLO_LOST)
    assert lines_of(solo)[-1] == "Solo lost: 0 faction locations against a pile of 0 cards"


def test_a_log_that_is_full_says_that_it_breaks_off() -> None:
    g = made_up((log.PASSED, 0, constants.NO_CARD))
    g.log.rows[:] = g.log.rows[0]
    g.log.row_count = LOG_ROWS
    assert "The log of this game is full; later events are not narrated" in lines_of(g)
