"""Lookout phase: who picks when, from how many cards, and what becomes of those left over."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from sim.games.imperial_settlers.rules import constants, log
from sim.players.compile_players import players_of
from tests.kit.hidden import cards_in
from tests.kit.plans import plan_for, tables_of
from tests.kit.steps import started

GAME = "imperial_settlers"

PICKS = {
    ("standard", 2): [(0, 3), (1, 2), (1, 3), (0, 2)],
    ("standard", 3): [(0, 4), (1, 3), (2, 2), (2, 4), (1, 3), (0, 2)],
    ("standard", 4): [(0, 5), (1, 4), (2, 3), (3, 2), (3, 5), (2, 4), (1, 3), (0, 2)],
    ("alternative", 2): [(0, 3), (1, 3), (0, 2), (1, 2)],
    ("alternative", 3): [(0, 3), (1, 3), (2, 3), (0, 2), (1, 2), (2, 2)],
    ("alternative", 4): [(0, 3), (1, 3), (2, 3), (3, 3), (0, 2), (1, 2), (2, 2), (3, 2)],
    ("advanced", 2): [(0, 5), (1, 4), (0, 3), (1, 2)],
    ("advanced", 3): [(0, 5), (1, 4), (2, 4), (0, 3), (1, 3), (2, 2)],
    ("advanced", 4): [(0, 5), (1, 4), (2, 4), (3, 4), (0, 3), (1, 3), (2, 3), (3, 2)],
    ("solo", 1): [(0, 4), (0, 2)],
}
"""By lookout and players: who picks, counted from the first player, and from how many cards."""
LEFT = {"standard": lambda _: 2, "alternative": lambda players: players, "advanced": lambda _: 1, "solo": lambda _: 0}
"""Cards left over in a round, by players."""


def lookouts(variant: str, players: int, number: int) -> Iterator[tuple[int, list[Any]]]:
    """Yield of each round of a game the first player and the rows of the log of its lookout phase."""
    plan = plan_for(GAME, variant, players)
    table = started(plan, number, keeps_log=True)
    g: Any = table[0]
    first = int(g.first_seat)
    plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
    rows = g.log.rows[: g.log.row_count].tolist()
    begins, ends = (
        [place for place, row in enumerate(rows) if (row[log.KIND], row[log.VALUE]) == (log.PHASE_BEGINS, phase)]
        for phase in (constants.LOOKOUT, constants.PRODUCE)
    )
    assert len(begins) == len(ends) == constants.ROUNDS
    for one, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        assert rows[begin][log.ROUND] == one + 1
        yield (first + one) % players, rows[begin:end]


def picks(rows: list[Any], first: int, players: int) -> list[tuple[int, int]]:
    """Who picks, counted from the first player, and from how many cards."""
    found, shown = [], 0
    for row in rows:
        shown += row[log.KIND] == log.ROW_SHOWS
        if row[log.KIND] == log.TOOK:
            found.append(((row[log.SEAT] - first) % players, shown))
            shown = 0
    return found


@pytest.mark.parametrize(("variant", "players"), [table[1:] for table in tables_of(GAME)])
def test_everybody_picks_when_and_from_as_many_cards_as_the_rules_say(variant: str, players: int) -> None:
    lookout = variant.removeprefix("peaceful").removeprefix("-") or "standard"
    for number in range(2):
        for first, rows in lookouts(variant, players, number):
            assert picks(rows, first, players) == PICKS[lookout, players]
            kinds = Counter(row[log.KIND] for row in rows)
            assert kinds[log.LEFT_OVER] == LEFT[lookout](players)
            assert kinds[log.TO_VIRTUAL] == (2 if variant == "solo" else 0)


# ---- Card by card ----


def until_taken(variant: str, players: int, picks_made: int, number: int = 0) -> Any:
    """Return a game of the first lookout phase after so many picks."""
    plan = plan_for(GAME, variant, players)
    g: Any = started(plan, number)[0]
    while g.lookout_step < picks_made + 1:
        plan.game.play_step(g, plan.data.tables, players_of(plan))
    return g


def test_what_is_taken_from_the_row_everybody_knows() -> None:
    before, after = until_taken("standard", 3, 0), until_taken("standard", 3, 1)
    shown, left = (set(cards_in(g, constants.TABLE, constants.ROW)) for g in (before, after))
    (taken,) = shown - left
    assert taken in cards_in(after, int(before.first_seat), constants.HAND)
    assert after.knows[taken] == 15


def test_packs_go_to_the_left_and_who_passed_them_on_knows_them() -> None:
    before, after = until_taken("alternative", 3, 2), until_taken("alternative", 3, 3)
    last = int(before.turn_seat)
    packs = [cards_in(before, seat, constants.PACK) for seat in range(3)]
    assert [len(pack) for pack in packs] == [3 if seat == last else 2 for seat in range(3)]
    for seat in range(3):
        left = (seat + 1) % 3
        held = cards_in(after, left, constants.PACK)
        assert len(held) == 2
        assert set(held) <= set(packs[seat])
        assert {int(after.knows[card]) for card in held} == {(1 << seat) | (1 << left)}


def test_what_is_left_of_the_packs_is_discarded() -> None:
    t: Any = plan_for(GAME, "alternative", 4).data.tables
    before, after = until_taken("alternative", 4, 7), until_taken("alternative", 4, 8)
    assert (before.phase, after.phase) == (constants.LOOKOUT, constants.PRODUCE)
    assert not after.zone_size[:, constants.PACK].any()
    assert after.zone_size[constants.TABLE, constants.DISCARD] == 4
    kinds = after.faction[:4].tolist()
    for seat in range(4):
        hand = sorted(t.deck[cards_in(after, seat, constants.HAND)].tolist())
        assert hand == sorted([kinds[seat]] * 3 + [constants.COMMON] * 4)
        known = [int(after.knows[card]) for card in cards_in(after, seat, constants.HAND)]
        # Of five drawn and kept cards and one from the right neighbour, that one is known to somebody else.
        assert [seats for seats in known if seats != 1 << seat] == [(1 << seat) | (1 << (seat - 1) % 4)]


def test_chance_gives_any_of_the_three() -> None:
    places = set()
    for number in range(20):
        row = cards_in(until_taken("solo", 1, 1, number), constants.TABLE, constants.ROW)
        places.add(row.index(cards_in(until_taken("solo", 1, 2, number), constants.VIRTUAL, constants.LOCATIONS)[0]))
    assert places == {0, 1, 2}
