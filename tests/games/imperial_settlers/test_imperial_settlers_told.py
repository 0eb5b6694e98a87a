"""Told games: what is said agrees with the record of the game."""

from __future__ import annotations

from typing import Any

import pytest

from sim.game import load_game
from sim.games.imperial_settlers.io.narrate import ACTIONS, ECHOES, OPENINGS, PARTS, WORDS, SettlersNarrator
from sim.games.imperial_settlers.rules import log
from sim.games.imperial_settlers.rules.constants import (
    ACT,
    ALTERNATIVE,
    BOARD,
    COMMON_DECK,
    FOOD,
    GOLD,
    LOOKOUT,
    NO_CARD,
    NO_SEAT,
    PRODUCE,
    RAZE,
    ROUNDS,
    SCORE_PARTS,
    SOLO_LOST,
    STONE,
    TOTAL,
    VIRTUAL,
    VP,
    WOOD,
    WORKER,
)
from sim.games.imperial_settlers.rules.state import LOG_ROWS, new_games
from sim.games.shared.narration import WIDTH
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

DATA = load_game("imperial_settlers").load({})
CATALOG, T = DATA.catalog, DATA.tables
NAMES = ["busy"]


def lines_of(g: Any) -> list[str]:
    return list(SettlersNarrator(g, T, CATALOG, NAMES).lines())


FACTIONS = [faction.name for faction in DATA.factions]
TABLES = [("standard", 2), ("alternative", 3), ("peaceful-advanced", 4), ("solo", 1)]


def card(name: str, faction: str | None = None) -> int:
    """First card of a name, of the common ones or of a faction's."""
    deck = -1 if faction is None else FACTIONS.index(faction)
    return next(row for row, one in enumerate(CATALOG.cards) if one.name == name and T.deck[row] == deck)


@pytest.fixture(scope="module", params=TABLES, ids=[f"{variant} {players}" for variant, players in TABLES])
def game(request: pytest.FixtureRequest) -> Any:
    """A finished game of players who do anything, in an array of length 1."""
    plan = plan_for("imperial_settlers", *request.param, seed=11)
    table = started(plan, 0, keeps_log=True)
    plan.game.kernels.play_out(table[0], plan.data.tables, players_of(plan))
    return table


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


def told(*rows: tuple[int, ...], **fields: Any) -> list[str]:
    """Lines told of some rows, without the heading of the set-up and the scores."""
    lines = lines_of(made_up(*rows, **fields))
    return lines[1 : next(place for place, line in enumerate(lines) if line.startswith("Final scores"))]


# ---- Whole games ----


def test_the_header_names_seats_factions_strategies_and_the_variant() -> None:
    assert SettlersNarrator(made_up(peaceful=1, lookout=ALTERNATIVE), T, CATALOG, NAMES).header() == [
        "Seat 0: Barbarians, busy",
        "Seat 1: Japanese, busy",
        "Alternative lookout, peaceful",
    ]
    assert SettlersNarrator(made_up(solo=1, players=1), T, CATALOG, NAMES).header()[1:] == [
        "Solo game against the virtual player"
    ]


def test_the_goods_and_points_told_are_those_of_the_record(game: Any) -> None:
    g = game[0]
    teller = SettlersNarrator(g, T, CATALOG, NAMES)
    list(teller.lines())
    assert g.log.row_count < LOG_ROWS
    assert teller.goods[: g.players] == g.goods[: g.players].tolist()
    assert teller.points[: g.players] == g.points[: g.players].tolist()


def test_every_round_tells_what_all_have_in_hand_and_where_they_stand_at_its_end(game: Any) -> None:
    g = game[0]
    lines = lines_of(g)
    assert sum("; hand: " in line for line in lines) == ROUNDS * g.players
    ends = [line for line in lines if line.startswith("End of round")]
    assert len(ends) == ROUNDS
    for seat in range(g.players):
        assert f"{FACTIONS[g.faction[seat]]} {g.score[seat, TOTAL]}" in ends[-1]


def test_every_action_is_told_in_a_line_of_its_own(game: Any) -> None:
    g = game[0]
    lines = lines_of(g)
    verbs = ("builds", "makes the deal", "razes", "activates", "exchanges workers", "passes")
    names = [FACTIONS[faction] for faction in g.faction[: g.players]]
    actions = [line for line in lines for name in names if line.startswith(tuple(f"  {name} {verb}" for verb in verbs))]
    assert len(actions) == g.actions[: g.players].sum() + ROUNDS * g.players


def test_the_final_scores_are_those_of_the_record(game: Any) -> None:
    g = game[0]
    lines = lines_of(g)
    table = lines[next(place for place, line in enumerate(lines) if line.startswith("Final scores")) + 2 :]
    for seat in range(g.players):
        numbers = table[seat].split(")")[1].split()
        assert [int(number) for number in numbers] == [g.rank[seat], *g.score[seat, : len(SCORE_PARTS) + 1]]
    winners = [FACTIONS[g.faction[seat]] for seat in range(g.players) if g.rank[seat] == 1]
    assert all(name in lines[-1] for name in winners) or g.solo


def test_lines_are_short(game: Any) -> None:
    lines = lines_of(game[0])
    scores = next(place for place, line in enumerate(lines) if line.startswith("Final scores"))
    assert max(map(len, lines[:scores])) <= WIDTH


def test_telling_leaves_the_game_as_it_was(game: Any) -> None:
    before = game.copy()
    lines_of(game[0])
    assert before.tobytes() == game.tobytes()


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


def test_what_an_action_costs_and_gives_stands_behind_it() -> None:
    tower, mill, forest = card("Sentry Tower", "Barbarians"), card("Mill"), card("New Forest")
    assert told(
        (log.PHASE_BEGINS, NO_SEAT, NO_CARD, ACT),
        (log.HOLDS, 0, tower),
        (log.HOLDS, 0, forest),
        (log.TURN_BEGINS, 0, NO_CARD),
        (log.DEFENDED, 0, mill),
        (log.BUILT, 0, tower),
        (log.PAID, 0, tower, WOOD, 2),
        (log.GAVE_UP, 0, mill),
        (log.LEFT_PLAY, 0, mill),
        (log.GAINED, 0, tower, WORKER, 1),
        (log.GAINED, 0, card("Idol", "Barbarians"), VP, 1),
        (log.TURN_BEGINS, 1, NO_CARD),
        (log.PASSED, 1, NO_CARD),
    ) == [
        "Round 1, action",
        "  Barbarians has 0 VP, no goods; hand: Sentry Tower, New Forest",
        "  Japanese has 0 VP, no goods; hand: no cards",
        "  Barbarians puts the defence token on Mill",
        "  Barbarians builds Sentry Tower: pays 2 wood; gives up Mill; gains 1 worker, 1 VP (Idol) (now 1 VP)",
        "  Japanese passes",
    ]


def test_what_an_action_does_to_others_and_sets_off_stands_below_it() -> None:
    armorer, settlers, farm = card("Armorer"), card("Settlers"), card("Farm", "Japanese")
    assert told(
        (log.PHASE_BEGINS, NO_SEAT, NO_CARD, ACT),
        (log.TURN_BEGINS, 0, NO_CARD),
        (log.RAZED, 0, armorer, 1, 2),
        (log.PAID, 0, armorer, RAZE, 2),
        (log.BECAME_FOUNDATION, 1, armorer),
        (log.GAINED, 1, NO_CARD, WOOD, 1),
        (log.GAINED, 0, armorer, STONE, 1),
        (log.GAINED, 0, armorer, VP, 1),
        (log.TURN_BEGINS, 1, NO_CARD),
        (log.ACTIVATED, 1, settlers),
        (log.PAID, 1, settlers, WOOD, 1),
        (log.BUILT, 1, farm, 1),
        (log.PAID, 1, farm, WOOD, 1),
        (log.GAINED, 1, farm, FOOD, 1),
        (log.TURN_BEGINS, 1, NO_CARD),
        (log.ACTIVATED, 1, settlers),
        (log.PAID, 1, settlers, WOOD, 1),
        (log.ACTIVATED, 1, settlers),
    )[3:] == [
        "  Barbarians razes Armorer of Japanese: pays 2 raze tokens",
        "    Japanese: Armorer becomes a foundation; gains 1 wood",
        "    Barbarians: gains 1 stone, 1 VP (Armorer) (now 1 VP)",
        "  Japanese activates Settlers: pays 1 wood",
        "    Japanese builds Farm by that effect: pays 1 wood; gains 1 food",
        "  Japanese activates Settlers: pays 1 wood; again",
    ]


def test_pairs_of_workers_are_told_with_what_they_bring() -> None:
    assert told(
        (log.PHASE_BEGINS, NO_SEAT, NO_CARD, ACT),
        (log.TURN_BEGINS, 0, NO_CARD),
        (log.EXCHANGED, 0, NO_CARD, WOOD, 2),
        (log.GAINED, 0, NO_CARD, WOOD, 1),
        (log.EXCHANGED, 0, NO_CARD, COMMON_DECK, 2),
        (log.DREW, 0, card("Mill")),
        (log.GAINED, 1, card("Oasis", "Egyptians"), WORKER, 1),
    )[3:] == [
        "  Barbarians exchanges workers: 2 for 1 wood; 2 for 1 common card; draws Mill",
        "    Japanese: gains 1 worker (Oasis)",
    ]


def test_production_names_its_sources() -> None:
    shrine = card("Shrine", "Japanese")
    lines = told(
        (log.MADE_DEAL, 1, shrine),
        (log.PHASE_BEGINS, NO_SEAT, NO_CARD, PRODUCE),
        (log.PRODUCES, 1, BOARD),
        (log.GAINED, 1, BOARD, WORKER, 4),
        (log.PRODUCES, 1, shrine),
        (log.DREW, 1, card("Mill")),
        (log.PRODUCES, 1, card("Monument")),
        (log.GAINED, 1, card("Monument"), VP, 1),
        (log.PRODUCES, 0, BOARD),
        (log.GAINED, 0, BOARD, WORKER, 5),
    )
    assert lines[2:] == [
        "  Japanese: gains 4 workers (faction board); draws Mill (deal Shrine); gains 1 VP (Monument) (now 1 VP)",
        "  Barbarians: gains 5 workers (faction board)",
    ]


def test_the_row_is_told_once_and_packs_with_what_is_left_in_them() -> None:
    mill, village, ruins = card("Mill"), card("Village"), card("Ruins")
    rows = [
        (log.PHASE_BEGINS, NO_SEAT, NO_CARD, LOOKOUT),
        *((log.ROW_SHOWS, 0, shown) for shown in (mill, village, ruins)),
        (log.TOOK, 0, village),
        *((log.ROW_SHOWS, 1, shown) for shown in (mill, ruins)),
        (log.TOOK, 1, ruins),
        (log.LEFT_OVER, NO_SEAT, mill),
    ]
    assert told(*rows)[1:] == [
        "  on show: Mill, Village, Ruins",
        "  Barbarians: takes Village",
        "  Japanese: takes Ruins",
        "  left over: Mill",
    ]
    assert told(*rows, lookout=ALTERNATIVE)[1:] == [
        "  Barbarians: takes Village (not Mill, Ruins)",
        "  Japanese: takes Ruins (not Mill)",
        "  left over: Mill",
    ]


def test_deals_tell_whose_they_are_and_where_they_go() -> None:
    gate, farm, caravan = card("Gate", "Japanese"), card("Farm", "Japanese"), card("Caravan", "Egyptians")
    lines = told(
        (log.PHASE_BEGINS, NO_SEAT, NO_CARD, ACT),
        (log.TURN_BEGINS, 1, NO_CARD),
        (log.ACTIVATED, 1, card("Trade Route", "Japanese")),
        (log.TRADED, 1, caravan, 0, gate),
        (log.TURN_BEGINS, 0, NO_CARD),
        (log.ACTIVATED, 0, card("Robbers", "Barbarians")),
        (log.LOST_DEAL, 1, farm, NO_SEAT),
        (log.LOST_DEAL, 1, gate, 0),
        (log.TRADE_ENDED, 1, caravan),
    )
    assert lines[3:] == [
        "  Japanese activates Trade Route: makes a deal with Caravan of Barbarians (marker Gate)",
        "  Barbarians activates Robbers",
        "    Japanese: loses the deal Farm, loses the deal Gate to Barbarians; the deal with Caravan ends",
    ]


def test_the_virtual_player_is_told_by_his_targets() -> None:
    attack = int(T.attack_first)
    target = load_game("imperial_settlers").load({}).tables.deal_good[attack]
    lines = told(
        (log.TO_VIRTUAL, VIRTUAL, card("Mill")),
        (log.ATTACK_SHOWN, VIRTUAL, attack),
        (log.ATTACK_MISSES, VIRTUAL, attack),
        (log.ATTACK_SHOWN, VIRTUAL, attack),
        (log.ATTACK_TAKES, VIRTUAL, card("Village")),
        solo=1,
        players=1,
        end_reason=SOLO_LOST,
    )
    name = {WOOD: "wood", STONE: "stone", FOOD: "food", GOLD: "gold", WORKER: "worker"}.get(int(target), "")
    assert lines == [
        "  The virtual player: gets Mill",
        f"  The virtual player reveals the target {name}: takes nothing",
        f"  The virtual player reveals the target {name}: takes Village",
    ]


def test_the_end_says_who_wins_and_what_broke_a_tie() -> None:
    g = made_up()
    assert lines_of(g)[-1] == "Winner: Barbarians (seat 0, busy) and Japanese (seat 1, busy)"
    g.rank[:2] = [2, 1]
    assert lines_of(g)[-1] == "Winner: Japanese (seat 1, busy) by what is left over and in hand"
    g.score[1, TOTAL] = 3
    assert lines_of(g)[-1] == "Winner: Japanese (seat 1, busy)"
    solo = made_up(solo=1, players=1, end_reason=SOLO_LOST)
    assert lines_of(solo)[-1] == "Solo lost: 0 faction locations against a pile of 0 cards"


def test_a_log_that_is_full_says_that_it_breaks_off() -> None:
    g = made_up((log.PASSED, 0, NO_CARD))
    g.log.rows[:] = g.log.rows[0]
    g.log.row_count = LOG_ROWS
    assert "The log of this game is full: what came after this is not told" in list(
        SettlersNarrator(g, T, CATALOG, NAMES).lines()
    )
