"""Laws that only Imperial Settlers has to prove: no good comes or goes but by the log, and broken laws are found."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.games.imperial_settlers.rules import constants, log
from sim.games.imperial_settlers.rules.invariants import LAWS
from sim.games.imperial_settlers.rules.moving import enter_empire, leave_empire
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from tests.kit.laws import first_broken_law, new_notes
from tests.kit.plans import AT_TABLES, plan_for
from tests.kit.steps import started

TABLES = [table for table in AT_TABLES if table.values[0] == "imperial_settlers"]
LEAST_ROWS = 200
"""Rows that the log of every game has at least."""

# ---- Goods ----


def changes_of(rows: np.ndarray, seats: int) -> np.ndarray:
    """How each row of a log changes the supplies and, last, the points of all seats: shape (rows, seats, goods)."""
    kind, seat, value, number = (rows[:, column] for column in (log.KIND, log.SEAT, log.VALUE, log.NUMBER))
    changes = np.zeros((len(rows), seats, constants.SUPPLY + 1), np.int64)
    for kinds, sign in (((log.GAINED,), 1), ((log.LOST, log.PAID, log.BANKED), -1)):
        place = np.flatnonzero(np.isin(kind, kinds))
        good = np.where(value[place] == constants.VP, constants.SUPPLY, value[place])
        changes[place, seat[place], good] += sign * number[place]
    for event, lost, taken in (
        (log.EXCHANGED, constants.WORKER, number),
        (log.DEFENDED, constants.DEFENCE, np.ones_like(number)),
        (log.PLACED_SAMURAI, constants.WORKER, 1 - value),
    ):
        place = np.flatnonzero(kind == event)
        changes[place, seat[place], lost] -= taken[place]
    return changes


def supplies(g: Any) -> np.ndarray:
    """Supplies and, last, the points of all seats."""
    return np.column_stack([g.goods[: g.players], g.points[: g.players]])


def play_and_count(plan: Plan, number: int) -> None:
    """Play a game step by step; after every step each seat has what the log says that it has gained and kept."""
    table, team = started(plan, number, keeps_log=True), players_of(plan)
    g: Any = table[0]
    held, written = [supplies(g)], [0]
    while not g.finished:
        plan.game.play_step(g, plan.data.tables, team)
        assert g.error == 0
        held.append(supplies(g))
        written.append(int(g.log.row_count))
    assert written[-1] > LEAST_ROWS
    by_log = np.zeros((written[-1] + 1, plan.players, constants.SUPPLY + 1), np.int64)
    by_log[1:] = changes_of(g.log.rows[: written[-1]].astype(np.int64), plan.players).cumsum(axis=0)
    assert (np.array(held) == by_log[written]).all()
    assert by_log.min() >= 0


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_no_good_comes_or_goes_but_by_the_log(
    game: str, variant: str, players: int, scaled: Callable[..., int]
) -> None:
    plan = plan_for(game, variant, players, seed=40 + players)
    for number in range(scaled(2, 1, 270)):
        play_and_count(plan, number)


def test_what_a_lost_shrine_held_is_written_down() -> None:
    plan = plan_for(
        "imperial_settlers", players=2, factions=["Japanese", "Romans"], settings={"banked_when_lost": "supply"}
    )
    t, g = plan.data.tables, plan.game.new_games(1)[0]
    g.players, g.faction[:2], g.log.keeps_rows = 2, plan.factions, 1
    shrine = int(t.deck_first[g.faction[0]])
    enter_empire(g, t, 0, shrine)
    g.banked[shrine, :2] = [3, 1]
    leave_empire(g, t, shrine)
    rows = g.log.rows[: g.log.row_count].astype(np.int64)
    assert supplies(g)[0].tolist() == changes_of(rows, 2).sum(axis=0)[0].tolist() == [3, 1, 0, 0, 0, 0, 0, 0]


# ---- Broken laws are found ----


@pytest.fixture(scope="module")
def played() -> Any:
    """A game of three in its third round, at the table of the Japanese, the Romans and the Egyptians."""
    plan = plan_for(
        "imperial_settlers", players=3, factions=["Japanese", "Romans", "Egyptians"], assign="fixed", seed=3
    )
    table, team = started(plan, 0), players_of(plan)
    g: Any = table[0]
    while g.rounds < 4 or g.depth > 0:
        plan.game.play_step(g, plan.data.tables, team)
    return table, plan.data.tables


def first(g: Any, owner: int, zone: int) -> int:
    """First card of a zone that is not empty."""
    assert g.zone_size[owner, zone] > 0
    return int(g.zone[owner, zone, 0])


def lose_a_card(g: Any) -> None:
    g.zone_size[constants.TABLE, constants.DECK] -= 1


def put_twice(g: Any) -> None:
    g.zone[0, constants.HAND, 0] = first(g, constants.TABLE, constants.DECK)


def swap_decks(g: Any) -> None:
    one, other = g.zone[1, constants.DECK], g.zone[2, constants.DECK]
    one[0], other[0] = int(other[0]), int(one[0])


def spoil(field: str, seat: int, value: int) -> Callable[[Any], None]:
    """Write a wrong number onto the first location of a seat."""
    return lambda g: g[field].__setitem__(first(g, seat, constants.LOCATIONS), value)


BREAKS: dict[str, Callable[[Any], None]] = {
    "a card lies in one place": put_twice,
    "no card is made or lost": lose_a_card,
    "goods, and what lies on locations, are never negative": lambda g: g.goods.__setitem__((2, constants.WORKER), -1),
    "colours and features counted are those of the locations that work for a seat": lambda g: g.colours.__setitem__(
        (1, 3), g.colours[1, 3] + 1
    ),
    "a location lies with its owner and works for it, or for one other seat that holds it": spoil("owner", 1, 0),
    "no location is used more often than it may be, and only action locations are used, paid for or blocked": (
        spoil("used", 1, 3)
    ),
    "a defence token lies on common locations, a samurai on faction locations of those who may place them": (
        spoil("defence", 2, 2)
    ),
    "under a Gate lie the cards tucked there": spoil("tucked", 0, 9),
    "hands, decks and discards hold cards of their own kind": swap_decks,
}
"""By the law that it breaks, how."""


def broken_by(g: Any, t: Any, notes: Any) -> str:
    """Law that is found broken, in words; nothing for none."""
    notes.broken = 0
    found = first_broken_law("imperial_settlers", g, t, 0, constants.TURN, notes)
    return LAWS[found] if found >= 0 else ""


@pytest.mark.parametrize("law", BREAKS)
def test_a_broken_law_is_found(law: str, played: Any) -> None:
    table, t = played
    copy, notes = table.copy(), new_notes()
    g: Any = copy[0]
    g.asked_card, g.option_count = constants.NO_CARD, 2
    assert broken_by(g, t, notes) == ""
    BREAKS[law](g)
    # Who takes new notes has not seen which cards there were.
    assert broken_by(g, t, notes if BREAKS[law] is lose_a_card else new_notes()) == law
