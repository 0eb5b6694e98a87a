"""The scripted players of Imperium: their games are like those of people, and nothing silly is done."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import ROUNDS, SCORE
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.tables import MAX_NOTES
from sim.games.imperium.rules.turns import list_actions
from sim.players.batch import Plan, play
from sim.players.compile_players import lineup_record, players_of
from sim.players.find_strategies import load_strategies
from sim.runs.config import RunConfig, make_plan
from strategies.imperium.card_worth import all_gone
from strategies.imperium.outlook import open_points
from strategies.imperium.prepare import middle_game, prepare_pawns, prepare_suits
from strategies.imperium.terms.giving_up import SPARE_CARD, loss_by_discarding
from strategies.imperium.weights import N_HAND, N_HAND_NOTED, N_SLOT, PREPARED
from tests.games.imperium.tables import T, card, position
from tests.kit.hidden import fresh_scores

STRATEGIES = load_strategies("imperium")
NO_KNIGHTS = (
    'arthurians.toml#ART23.play=[["cost", [["abandon_garrisoned", "knight", 0, "region"]], '
    '[["active_quest_to", "hand"]]]]'
)
"""A price of no cards, as a search over printed numbers tries it."""


def plan_with(names: list[str], players: int, seed: int = 3, **options: Any) -> Plan:
    return make_plan(RunConfig(game="imperium", players=players, strategies=names, seed=seed, **options))


# ---- Whole games ----


def test_balanced_plays_games_as_long_and_as_rich_as_people_do(compiled_only: None) -> None:
    plan = plan_with(["balanced"], 4)
    rows, _ = play(plan, players_of(plan), 0, 60)
    assert 40 < rows[:, SCORE].mean() < 110
    assert 10 < rows[:, ROUNDS].mean() < 28


# ---- What a person would do ----


@pytest.fixture(scope="module")
def w() -> Any:
    """Weights of the balanced player."""
    return lineup_record((STRATEGIES["balanced"],), plan_with(["balanced"], 2).data, 2).seats[0]


@pytest.fixture(scope="module")
def balanced(w: Any) -> Callable[..., list[float]]:
    """Scores that the balanced player gives to options already listed."""

    def score(g: Any, me: int, decision: int) -> list[float]:
        return fresh_scores("imperium", STRATEGIES["balanced"].script.score, g, T, me, decision, w)

    return score


def best_action(g: Any, balanced: Callable[..., list[float]], begins: bool = True) -> tuple[int, int]:
    """Kind and card of the best action of a turn, at its beginning or later."""
    g.turn_seat, g.activating, g.option_count, g.asking = 0, 1, 0, constants.NO_CARD
    g.option_kind[:] = 0
    list_actions(g, T, 0, begins)
    best = int(np.argmax(balanced(g, 0, constants.TURN)))
    return int(g.option_kind[best]), int(g.option_card[best])


def test_regions_are_played_rather_than_the_turn_ended(balanced: Callable[..., list[float]]) -> None:
    g = position(hand={0: ["Hills", "Forest", "Marsh", "Unrest"]}, deck={0: ["Conquer", "Advance"]})
    kind, played = best_action(g, balanced)
    assert kind == constants.PLAY_CARD
    assert played in (card("Hills"), card("Forest"), card("Marsh"))


def test_glory_is_played_when_three_regions_are_there(balanced: Callable[..., list[float]]) -> None:
    regions = ["Forest", "Oasis", "Steppe"]
    g = position(hand={0: ["Glory", "Prosperity"]}, play={0: regions}, fame=["Great", "Marvellous", "Eminent"])
    kind, played = best_action(g, balanced)
    assert (kind, played) == (constants.PLAY_CARD, int(g.zone[0, constants.HAND, 0]))


def test_a_hand_of_unrest_leads_to_revolt(balanced: Callable[..., list[float]]) -> None:
    g = position(hand={0: ["Unrest"] * 5}, resources={0: (0, 0, 0)}, unrest=3)
    assert best_action(g, balanced)[0] == constants.REVOLT


def test_what_discards_cost_does_not_hang_on_the_order_of_the_hand(w: Any) -> None:
    worths = {"Prosperity": 1.0, "Glory": 2.0, "Advance": 2.5, "Conquer": 3.0, "Pottery": 4.0}
    for hand in itertools.islice(itertools.permutations(worths), 0, None, 7):
        g = position(hand={0: hand})
        g.turn_seat, g.actions[0], g.notes[:] = 0, 2, np.nan
        g.notes[N_HAND_NOTED] = 1.0
        g.notes[N_HAND : N_HAND + len(hand)] = [worths[name] for name in hand]
        # Advance is played; of the four others two are spare, since two can be played.
        played = int(g.zone[0, constants.HAND, hand.index("Advance")])
        lost = loss_by_discarding(g, T, 0, played, 3, w)
        assert lost == pytest.approx(2 * SPARE_CARD + worths["Conquer"])


def test_free_abilities_are_used_before_the_turn_ends(balanced: Callable[..., list[float]]) -> None:
    g = position(play={0: ["Code of Laws"]}, deck={0: ["Prosperity", "Glory", "Advance", "Conquer"]})
    g.actions[0] = 0
    assert best_action(g, balanced, begins=False) == (constants.EXHAUST_CARD, card("Code of Laws"))


def test_material_is_paid_rather_than_progress(balanced: Callable[..., list[float]]) -> None:
    g = position(resources={0: (6, 2, 4)})
    g.asked_resource, g.asked_amount, g.option_count = constants.MATERIAL, 3, 3
    g.option_value[:3] = [0, 1, 2]
    assert int(np.argmax(balanced(g, 0, constants.PAYMENT))) == 0


def test_a_free_shield_is_held_up(balanced: Callable[..., list[float]]) -> None:
    g = position(play={0: ["Standing Army", "Forest"]})
    g.asking, g.option_count = card("Invasion"), 2
    g.option_card[:2] = [card("Standing Army"), constants.NO_CARD]
    assert int(np.argmax(balanced(g, 0, constants.PROTECT))) == 0


def test_nothing_useless_is_played_in_the_last_turn(balanced: Callable[..., list[float]]) -> None:
    g = position(hand={0: ["Glory"]}, play={0: ["Forest"]})
    g.ending, g.rounds_left = 0, 1
    assert best_action(g, balanced, begins=False)[0] == constants.END_TURN


def test_pottery_is_given_up_only_for_what_lies_on_it(balanced: Callable[..., list[float]]) -> None:
    g = position(nations=("Minoans A", "Romans B"), play={0: ["Pottery"]}, hand={0: ["Glory"]})
    g.resource[0, constants.MATERIAL] = 0
    choice = int(T.program[card("Pottery"), constants.SOLSTICE_PROGRAM])
    giving_up = int(T.code[choice + 1, constants.NEXT])
    g.option_count, g.option_card[:1], g.option_value[:1] = 1, card("Pottery"), giving_up + 1
    worth = {}
    for stored in (0, 4):
        g.stored[card("Pottery")] = stored
        worth[stored] = balanced(g, 0, constants.ALTERNATIVE)[0]
    assert worth[0] < 0 < worth[4]


def worth_of_picking(g: Any, picked: int, what: int, balanced: Callable[..., list[float]]) -> float:
    """Score of picking a hand card for something."""
    g.asked, g.option_count, g.option_card[:1], g.option_value[:1] = what, 1, picked, constants.HAND
    return balanced(g, 0, constants.PICK)[0]


def test_the_last_three_masks_are_kept(balanced: Callable[..., list[float]]) -> None:
    worth = {}
    for discarded in (0, 3):
        masks = [f"OLM{number}" for number in range(18, 24)]
        rest = {"hand": {0: masks[:3]}, "discard": {0: masks[3 : 3 + discarded]}, "deck": {0: ["La Venta"]}}
        g = position(nations=("Olmecs B", "Romans B"), **rest)
        worth[discarded] = worth_of_picking(g, card(masks[0]), constants.TO_HISTORY, balanced)
    assert worth[0] < worth[3] - 1


def test_what_brings_tokens_is_not_garrisoned_while_hardly_anything_else_is_left(
    balanced: Callable[..., list[float]],
) -> None:
    worth = {}
    for others in (0, 6):
        rest = {"hand": {0: ["Nomads", "Advance", "Glory"]}, "deck": {0: ["Prosperity"] * others}}
        g = position(nations=("Scythians A", "Romans B"), play={0: ["River"]}, **rest)
        worth[others] = worth_of_picking(g, card("Nomads"), constants.GARRISON_HERE, balanced)
    assert worth[0] < 0
    assert worth[0] < worth[6]


def test_a_suit_is_gone_when_neither_its_deck_nor_the_main_deck_holds_it() -> None:
    decks = {"regions": ["Hills"], "uncivilised": ["Diplomacy"], "civilised": ["Temple"]}
    for main, gone in (("Advance", True), ("Hittites", False)):
        g = position(main=[main], **decks)
        assert all_gone(g, T, constants.TRIBUTARY) is gone
        assert not all_gone(g, T, constants.UNCIVILISED)


def test_fame_in_the_hand_of_others_counts_alike_whatever_it_is() -> None:
    points = [open_points(position(hand={1: [fame]}), T, 1, False) for fame in ("Great", "Marvellous")]
    assert points[0] == points[1]
    assert open_points(position(hand={1: ["Marvellous"]}), T, 1, True) > points[0]


def test_a_quest_for_which_no_card_is_taken_has_no_share_of_a_price() -> None:
    taken = []
    for changes in ([], [NO_KNIGHTS]):
        config = RunConfig(game="imperium", players=2, strategies=["balanced"], factions=["Arthurians", "Romans"])
        plan = make_plan(config.model_copy(update={"changes": changes}))
        prepared = np.zeros(PREPARED)
        prepare_pawns(plan.data.tables, prepared)
        taken.append((prepared == 1 / 3).sum())
        rows, _ = play(plan, players_of(plan), 0, 2)
        assert len(rows) == 4
    assert taken[0] > 0
    assert taken[1] == 0


def test_cards_are_appraised_where_changes_leave_a_suit_without_commons() -> None:
    tables = T.copy()
    tables["start"] = np.where(tables["suits"] == 1 << 1, constants.START_COMMONS + 1, tables["start"])
    market = middle_game(tables, 2).market
    assert market[0] != constants.NO_CARD
    assert market[1] == constants.NO_CARD
    tables["suits"] = np.where(tables["suits"] & constants.UNREST, 0, tables["suits"])
    assert (middle_game(tables, 2).market_unrest == constants.NO_CARD).all()
    tables["suits"] &= ~(1 << 1)
    prepared = np.ones(PREPARED)
    prepare_suits(tables, prepared)
    assert np.isfinite(prepared).all()


def test_all_notes_of_a_decision_have_a_place_in_the_record() -> None:
    # Behind the last one would lie other fields of the game.
    assert N_SLOT + constants.SLOTS <= MAX_NOTES
