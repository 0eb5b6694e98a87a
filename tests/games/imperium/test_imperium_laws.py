"""What must hold at every decision of every game, checked on random games by adding up what lies on the table."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.batch import (
    END_REASON,
    FACTION,
    FIXED_COLUMNS,
    GAME,
    RANK,
    ROUNDS,
    SCORE,
    Plan,
    lineup_record,
    plan_record,
    play,
    players_of,
)
from sim.games.imperium.state import (
    END_REASONS,
    GARRISON,
    HISTORY,
    JOURNEY,
    KING_OF_KINGS,
    MAX_CARDS,
    MAX_OPTIONS,
    MAX_ZONE,
    NATION,
    NO_CARD,
    PLAY,
    POWER,
    ROUND_LIMIT,
    SCORE_PARTS,
    SLOTS,
    STATE,
    SUNKEN,
    TABLE,
    TUCKS_UNREST,
    ZONES,
)
from sim.games.imperium.tables import TABLES
from sim.games.imperium.words import START_ACCESSION
from sim.jit import kernel, strategy_pointer, strategy_slots
from sim.rng import CHANCE
from sim.runs.config import RunConfig, make_plan

# ---- The laws ----

LAWS = (
    "a card lies in one place",
    "no card is made or lost",
    "resources and tokens are never negative",
    "exhaust tokens are on the state card or on a card",
    "garrisoned cards lie under a card in play of their player",
    "tokens lie on cards in play only",
    "unrest lies under market cards of its suits only",
    "an empty slot of the market is empty",
    "the accession card stays at the bottom of the nation deck",
    "nations without history or sunken pile have none",
    "one face of a journey and one power card are in play",
    "options name cards of the game",
)
FIRST_BROKEN, CHECKS, FINGERPRINT, OF_GAME = range(4)
"""Places in `w.prepared` where the checking player keeps its notes."""


@kernel
def mark_of(card: int) -> int:
    """A number for each card, so that sets of cards differ in their sums."""
    return (card + 1) * (card + 7) * 7919 % 1000003 + 1


@kernel
def count_where_cards_lie(g: Any, t: Any, where: Any) -> int:
    """Count the places of every card into `where`; return the sum of the marks of all that never change faces."""
    total = 0
    for owner in range(TABLE + 1):
        for zone in range(ZONES):
            size = g.zone_size[owner, zone]
            if size < 0 or size > MAX_ZONE or (size > 0 and owner < TABLE and owner >= g.players):
                return -1
            for place in range(size):
                card = int(g.zone[owner, zone, place])
                where[card] += 1
                if t.kind[card] != JOURNEY:
                    total += mark_of(card)
    for slot in range(SLOTS):
        if g.market[slot] != NO_CARD:
            where[g.market[slot]] += 1
            total += mark_of(g.market[slot])
        if g.market_unrest[slot] != NO_CARD:
            where[g.market_unrest[slot]] += 1
            total += mark_of(g.market_unrest[slot])
    return int(total)


@kernel
def broken_market(g: Any, t: Any) -> int:
    """Number of a law that the market breaks, -1 for none."""
    for slot in range(SLOTS):
        card = g.market[slot]
        tokens = g.market_tokens[slot].sum()
        if g.market_tokens[slot].min() < 0:
            return 2
        if card == NO_CARD and (tokens != 0 or g.market_unrest[slot] != NO_CARD):
            return 7
        if card != NO_CARD and g.market_unrest[slot] != NO_CARD and t.suits[card] & TUCKS_UNREST == 0:
            return 6
        bare = card != NO_CARD and g.market_unrest[slot] == NO_CARD and t.suits[card] & TUCKS_UNREST != 0
        if bare and g.collapsed == 0:
            return 6
    return -1


@kernel
def broken_seat(g: Any, t: Any, seat: int) -> int:
    """Number of a law that a seat breaks, -1 for none."""
    if g.resource[seat].min() < 0 or g.actions[seat] < 0 or g.exhausts[seat] < 0:
        return 2
    faction = g.faction[seat]
    spent = g.nation_exhausted[seat] + g.development_exhausted[seat]
    journeys = 0
    powers = 0
    for place in range(g.zone_size[seat, PLAY]):
        card = g.zone[seat, PLAY, place]
        spent += g.exhausted[card]
        journeys += int(t.kind[card] == JOURNEY)
        powers += int(t.kind[card] == POWER)
        if g.stored[card] < 0 or g.treated[card].min() < 0 or g.exhausted[card] not in (0, 1):
            return 2
    if g.exhausts[seat] + spent > t.faction_exhausts[faction]:
        return 3
    if powers != 1 or journeys > 1:
        return 10
    for place in range(g.zone_size[seat, GARRISON]):
        host = int(g.host[g.zone[seat, GARRISON, place]])
        found = False
        for other in range(g.zone_size[seat, PLAY]):
            found = found or g.zone[seat, PLAY, other] == host
        if not found:
            return 4
    if g.zone_size[seat, HISTORY] > 0 and t.faction_has_history[faction] == 0:
        return 9
    if g.zone_size[seat, SUNKEN] > 0 and t.faction_sinks[faction] == 0:
        return 9
    for place in range(1, g.zone_size[seat, NATION]):
        if t.start[g.zone[seat, NATION, place]] == START_ACCESSION:
            return 8
    return -1


@kernel
def broken_cards(g: Any, t: Any, where: Any) -> int:
    """Number of a law that marks on single cards break, -1 for none; `where` counts the places of every card."""
    lying = np.zeros(MAX_CARDS, np.int8)
    for seat in range(g.players):
        for place in range(g.zone_size[seat, PLAY]):
            lying[g.zone[seat, PLAY, place]] = 1
        for place in range(g.zone_size[seat, GARRISON]):
            lying[g.zone[seat, GARRISON, place]] = 2
    for card in range(t.cards):
        if where[card] > 1 or (where[card] > 0 and t.kind[card] == KING_OF_KINGS):
            return 0
        if lying[card] != 1 and (g.exhausted[card] != 0 or g.stored[card] != 0):
            return 5
        if lying[card] != 2 and g.host[card] != NO_CARD:
            return 4
    return -1


@kernel
def broken_law(g: Any, t: Any, w: Any) -> int:
    """Number of the first law that a game breaks now, -1 for none."""
    where = np.zeros(MAX_CARDS, np.int64)
    total = count_where_cards_lie(g, t, where)
    of_game = float(g.rng_game[CHANCE]) + 1.0
    if w.prepared[OF_GAME] != of_game:
        w.prepared[OF_GAME] = of_game
        w.prepared[FINGERPRINT] = total
    if w.prepared[FINGERPRINT] != total:
        return 1
    law = broken_cards(g, t, where)
    for seat in range(g.players):
        if law < 0:
            law = broken_seat(g, t, seat)
    if law < 0:
        law = broken_market(g, t)
    if law < 0 and (g.option_count < 2 or g.option_count > MAX_OPTIONS):
        law = 11
    return law


def lawful(g: Any, t: Any, me: int, decision: int, option: int, w: Any) -> float:
    """Play at random, and check the laws before every decision: the first one broken is written down."""
    if option == 0:
        w.prepared[CHECKS] += 1
        law = broken_law(g, t, w)
        if law >= 0 and w.prepared[FIRST_BROKEN] == 0:
            w.prepared[FIRST_BROKEN] = law + 1
            w.prepared[4] = float(g.rng_game[CHANCE])
            w.prepared[5] = decision
            w.prepared[6] = g.asked
            w.prepared[7] = g.asking
            w.prepared[8] = me
    return 0.0


# ---- The games ----

NO_ROWS = np.zeros((0, 11), np.int32)
"""Where card rows would go, if they were kept."""

BOXES = ("classics", "legends")
TABLES_OF_PLAYERS = [(players, box) for players in (2, 3, 4) for box in BOXES]


@cache
def checking_players() -> Any:
    return strategy_slots([strategy_pointer(lawful, STATE, TABLES)])


def plan_for(players: int, box: str, **options: Any) -> Plan:
    """Plan of a run of Imperium; random players unless options say otherwise."""
    return make_plan(RunConfig(game="imperium", players=players, variant=box, **{"strategies": ["random"], **options}))


def check_games(plan: Plan, first: int, count: int) -> np.ndarray:
    """Play games of random players who check the laws at every decision; return the rows of the seats."""
    lineup: Any = lineup_record(plan.strategies, plan.data, plan.players)
    rows, _ = play(plan, (checking_players(), lineup), first, count)
    notes = lineup.seats[0].prepared
    names = plan.data.cards
    if notes[FIRST_BROKEN]:
        game, decision, asked, card, seat = (int(note) for note in notes[4:9])
        where = (
            f"game {game}, seat {seat}, decision {decision}, asked {asked}, card {names[card] if card >= 0 else '-'}"
        )
        raise AssertionError(f"not so: {LAWS[int(notes[FIRST_BROKEN]) - 1]} ({where})")
    assert notes[CHECKS] > 100 * count
    return rows


def check_results(rows: np.ndarray, players: int) -> None:
    """Totals are sums of their parts, ranks follow the totals, and the game has ended by a rule."""
    assert (rows[:, END_REASON] != ROUND_LIMIT).all()
    assert set(rows[:, END_REASON].tolist()) <= set(range(len(END_REASONS)))
    assert rows[:, ROUNDS].min() >= 1
    parts = rows[:, FIXED_COLUMNS : FIXED_COLUMNS + len(SCORE_PARTS)]
    assert (parts.sum(axis=1) == rows[:, SCORE]).all()
    scores = rows[:, SCORE].reshape(-1, players)
    ranks = rows[:, RANK].reshape(-1, players)
    assert (ranks.min(axis=1) == 1).all()
    scored = rows[::players, END_REASON] != END_REASONS.index("collapse")
    better = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    assert (ranks == better)[scored].all()


@pytest.mark.parametrize(("players", "box"), TABLES_OF_PLAYERS)
def test_the_laws_of_the_table_hold_at_every_decision_of_five_thousand_random_games(
    players: int, box: str, scaled: Callable[[int, int], int]
) -> None:
    plan = plan_for(players, box, seed=players)
    count = scaled(840, 1)
    rows = check_games(plan, 0, count)
    check_results(rows, players)
    assert set(rows[:, FACTION].tolist()) == set(range(32)) or count < 100
    nations = rows[:, FACTION].reshape(count, players) // 2
    assert all(len(set(row.tolist())) == players for row in nations), "a nation twice at one table"


@pytest.mark.usefixtures("compiled_only")
def test_every_pair_of_nations_plays_lawfully() -> None:
    plan = plan_for(2, "classics", seed=99)
    rows = check_games(plan, 0, 2000)
    pairs = {tuple(sorted(pair)) for pair in (rows[:, FACTION].reshape(-1, 2) // 2).tolist()}
    assert len(pairs) == 16 * 15 // 2


# ---- The same games ----

RESULTS = """
import hashlib, json, sys
from sim.batch import play, players_of
from sim.jit import compiled
from sim.runs.config import RunConfig, make_plan
found = {}
for players, box in json.loads(sys.argv[1]):
    options = {"strategies": json.loads(sys.argv[2]), "seed": 4, "detail": "cards"}
    plan = make_plan(RunConfig(game="imperium", players=players, variant=box, **options))
    rows, cards = play(plan, players_of(plan), 0, 1)
    found[f"{players} {box}"] = [rows.tobytes().hex(), hashlib.sha256(cards.tobytes()).hexdigest()]
print(json.dumps({"compiled": compiled(), "found": found}))
"""


@pytest.mark.usefixtures("compiled_only")
def test_compiled_and_interpreted_games_are_the_same_bit_by_bit(in_new_process: Callable[..., str]) -> None:
    tables = [(2, "classics"), (3, "legends"), (4, "classics")]
    arguments = [RESULTS, json.dumps(tables), json.dumps(["balanced", "random"])]
    fast = json.loads(in_new_process(*arguments))
    slow = json.loads(in_new_process(*arguments, NUMBA_DISABLE_JIT="1"))
    assert (fast["compiled"], slow["compiled"]) == (True, False)
    for table, found in fast["found"].items():
        assert found == slow["found"][table], table


@pytest.mark.usefixtures("compiled_only")
def test_a_game_is_the_same_in_any_stretch() -> None:
    plan = plan_for(3, "legends", strategies=["random", "greedy"], seed=5, detail="cards")
    team = players_of(plan)
    rows, cards = play(plan, team, 0, 12)
    pieces = [play(plan, team, first, count) for first, count in ((0, 1), (1, 4), (5, 7))]
    assert (np.concatenate([piece[0] for piece in pieces]) == rows).all()
    assert (np.concatenate([piece[1] for piece in pieces]) == cards).all()
    backwards = [play(plan, team, game, 1)[0] for game in reversed(range(12))]
    assert (np.concatenate(backwards[::-1]) == rows).all()


@pytest.mark.usefixtures("compiled_only")
def test_no_two_games_of_a_run_are_alike() -> None:
    rows, _ = play(plan := plan_for(2, "classics"), players_of(plan), 0, 1000)
    without_number = np.delete(rows, [GAME, 1], axis=1).reshape(1000, -1)
    assert len(np.unique(without_number, axis=0)) == 1000


@pytest.mark.usefixtures("compiled_only")
def test_another_seed_plays_other_games() -> None:
    one, other = (plan_for(4, "classics", seed=seed) for seed in (1, 2))
    team = players_of(one)
    assert (play(one, team, 0, 4)[0] != play(other, team, 0, 4)[0]).any()


@pytest.mark.usefixtures("compiled_only")
def test_a_game_does_not_depend_on_what_was_played_before() -> None:
    big, small = plan_for(4, "legends", seed=7), plan_for(2, "classics", seed=7)
    for plan, other in ((big, small), (small, big)):
        used, fresh = plan.game.new_games(1)[0], plan.game.new_games(1)[0]
        columns = (2 * plan.players, plan.columns)
        found = []
        for g in (used, fresh):
            if g is used:
                others = np.zeros((other.players, other.columns), np.int32)
                plan.game.play_games(g, plan.data.tables, players_of(other), plan_record(other), 3, 1, others, NO_ROWS)
            rows = np.zeros(columns, np.int32)
            plan.game.play_games(g, plan.data.tables, players_of(plan), plan_record(plan), 8, 2, rows, NO_ROWS)
            found.append(rows)
        assert (found[0] == found[1]).all()
