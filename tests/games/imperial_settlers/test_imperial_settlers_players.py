"""The scripted players of Imperial Settlers: their games are like those of people, and nothing silly is done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import RANK, SCORE, STRATEGY
from sim.games.imperial_settlers.data.models import HINTS
from sim.games.imperial_settlers.io.layout import Position, load_position
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.turns import list_turn
from sim.players.batch import Plan, play
from sim.players.compile_players import lineup_record, players_of
from sim.players.find_strategies import load_strategies
from sim.runs.config import RunConfig, make_plan
from strategies.imperial_settlers import weights
from strategies.imperial_settlers.appraisal import hand_that_needs_locations, note_losses
from strategies.imperial_settlers.card_worth import loss_of_location
from strategies.imperial_settlers.outlook import look_ahead, note_opponents, share_denied
from strategies.imperial_settlers.terms.bundles import (
    CANNOT,
    GUARDS,
    after_paying,
    deficit,
    goods_at_hand,
    number_of,
    of_good,
    together,
)
from strategies.imperial_settlers.terms.gains import joined_gains
from tests.games.imperial_settlers.inspecting import DATA, player, table
from tests.kit.hidden import fresh_scores

T: Any = DATA.tables
STRATEGIES = load_strategies("imperial_settlers")
Choice = tuple[int, str]


def plan_with(names: list[str], players: int, seed: int = 3, **options: Any) -> Plan:
    return make_plan(RunConfig(game="imperial_settlers", players=players, strategies=names, seed=seed, **options))


# ---- Whole games ----


def test_balanced_plays_games_as_rich_as_people_do(compiled_only: None) -> None:
    plan = plan_with(["balanced"], 4)
    rows, _ = play(plan, players_of(plan), 0, 200)
    assert 55 < rows[:, SCORE].mean() < 110


@pytest.mark.parametrize("faction", constants.EMPIRES)
def test_balanced_beats_random_with_every_empire(faction: str, compiled_only: None) -> None:
    plan = plan_with(["balanced", "random"], 2, variant="standard")
    rows, _ = play(plan, players_of(plan), 0, 400)
    mine = rows[(rows[:, STRATEGY] == 0) & (rows[:, 3] == constants.EMPIRES.index(faction))]
    assert (mine[:, RANK] == 1).mean() > 0.95


def test_balanced_wins_most_solo_games(compiled_only: None) -> None:
    plan = plan_with(["balanced"], 1, variant="solo")
    rows, _ = play(plan, players_of(plan), 0, 300)
    assert rows[:, SCORE].mean() > 45


@pytest.mark.parametrize("players", [2, 4])
def test_notes_kept_from_decision_to_decision_change_no_game(players: int, compiled_only: None) -> None:
    plan = plan_with(["balanced", "razer", "random"], players)
    forgetful = tuple(replace(strategy, script=replace(strategy.script, kept_notes=0)) for strategy in plan.strategies)
    blank = replace(plan, strategies=forgetful)
    kept, fresh = (play(each, players_of(each), 0, 60)[0] for each in (plan, blank))
    assert (kept == fresh).all()


def test_what_an_empire_wants_changes_how_it_is_played(compiled_only: None) -> None:
    plan = plan_with(["balanced"], 2)
    deaf = replace(STRATEGIES["balanced"], weights={**STRATEGIES["balanced"].weights, "hint": 0.0})
    rows, _ = play(plan, players_of(plan), 0, 100)
    other = replace(plan, strategies=(deaf,))
    without, _ = play(other, players_of(other), 0, 100)
    assert (rows[:, SCORE] != without[:, SCORE]).mean() > 0.5


def test_columns_of_hints_are_those_of_the_data() -> None:
    for place, name in enumerate(HINTS):
        assert getattr(weights, f"H_{name.upper()}") == place


# ---- Bundles ----


def test_gold_and_then_pairs_of_workers_stand_in_for_resources() -> None:
    supply = of_good(constants.WOOD, 1) + of_good(constants.GOLD, 1) + of_good(constants.WORKER, 4)
    left = after_paying(supply, of_good(constants.WOOD, 3))
    assert [number_of(left, good) for good in range(6)] == [0, 0, 0, 0, 2, 0]
    assert after_paying(supply, of_good(constants.WOOD, 5)) == CANNOT
    assert after_paying(supply, of_good(constants.RAZE, 1)) == CANNOT


def left_by_hand(supply: list[int], cost: list[int]) -> list[int] | None:
    """Pay good by good: what lacks of wood, stone and food with gold, then with pairs of workers; None if it cannot."""
    left = [has - costs for has, costs in zip(supply, cost, strict=True)]
    for good in range(constants.RESOURCES):
        while left[good] < 0:
            one_gold, two_workers = left[constants.GOLD] > 0, left[constants.WORKER] > 1
            if not one_gold and not two_workers:
                return None
            left[good] += 1
            left[constants.GOLD] -= int(one_gold)
            left[constants.WORKER] -= 0 if one_gold else 2
    return None if min(left) < 0 else left


def test_a_bundle_is_paid_as_goods_are() -> None:
    rng = np.random.default_rng(4)
    outcomes = set()
    for _ in range(400):
        supply = [int(number) for number in rng.integers(0, 5, 6)]
        cost = [int(number) for number in rng.integers(0, 4, 6) * (rng.random(6) < 0.4)]
        left = left_by_hand(supply, cost)
        packed = [sum(of_good(good, number) for good, number in enumerate(goods)) for goods in (supply, cost)]
        paid = after_paying(*packed)
        assert paid == (CANNOT if left is None else sum(of_good(good, number) for good, number in enumerate(left)))
        lacks = deficit((packed[0] | GUARDS) - packed[1])
        assert (lacks == 0) == (left is not None)
        outcomes.add(lacks)
    assert outcomes >= {0, 1, 2}


def test_both_of_two_bundles_hold_the_goods_of_each_up_to_what_a_place_holds() -> None:
    one = of_good(constants.STONE, 60) + of_good(constants.CARD, 3) + of_good(constants.VP, 30)
    assert joined_gains(one, of_good(constants.CARD, 2)) == one + of_good(constants.CARD, 2)
    assert joined_gains(one, of_good(constants.STONE, 9)) == one + of_good(constants.STONE, 3)
    assert joined_gains(one, of_good(constants.VP, 9)) == one + of_good(constants.VP, 1)


def test_a_bundle_that_would_overflow_is_full() -> None:
    full = together(of_good(constants.FOOD, 60), of_good(constants.FOOD, 10) + of_good(constants.WOOD, 2))
    assert number_of(full, constants.FOOD) == 63
    assert number_of(full, constants.WOOD) == 2


# ---- What a person would do ----


@pytest.fixture(scope="module")
def w() -> Any:
    """Weights of the balanced player."""
    return lineup_record((STRATEGIES["balanced"],), DATA, 2).seats[0]


def choices(position: dict[str, Any], w: Any, decision: int = constants.TURN) -> list[tuple[float, Choice]]:
    """Options of seat 0 in its turn, the best first: score, kind and card."""
    g = load_position(Position.model_validate(position), DATA.catalog, T)[0]
    list_turn(g, T, 0)
    found = [(int(g.option_kind[option]), name_of(g, option)) for option in range(g.option_count)]
    return sorted(zip(scores(g, decision, w), found, strict=True), key=lambda each: -each[0])


def scores(g: Any, decision: int, w: Any) -> list[float]:
    """What `balanced` in seat 0 holds of each option."""
    return fresh_scores("imperial_settlers", STRATEGIES["balanced"].script.score, g, T, 0, decision, w)


def name_of(g: Any, option: int) -> str:
    card = int(g.option_card[option])
    return "" if card == constants.NO_CARD else DATA.catalog.cards[card].name


def best(position: dict[str, Any], w: Any) -> Choice:
    return choices(position, w)[0][1]


def rank_of(position: dict[str, Any], w: Any, choice: Choice) -> int:
    return [found for _, found in choices(position, w)].index(choice)


def test_a_free_ruin_is_built_rather_than_the_round_passed(w: Any) -> None:
    position = table(player("romans", hand=["Ruins"]), round=3)
    assert best(position, w) == (constants.BUILD, "Ruins")


def test_workers_that_would_be_lost_are_exchanged_before_passing(w: Any) -> None:
    position = table(player("japanese", goods="2 worker"), round=3)
    assert best(position, w)[0] == constants.EXCHANGE


def test_points_are_taken_before_passing_in_the_last_round(w: Any) -> None:
    position = table(player("romans", goods="1 worker 1 food", locations=["Pig Farmer"]), round=5)
    assert best(position, w) == (constants.ACTIVATE, "Pig Farmer")


def test_a_good_card_is_not_razed_for_goods_that_would_be_lost(w: Any) -> None:
    position = table(player("barbarians", goods="1 raze", hand=["Supplier"]), round=3)
    assert best(position, w)[0] == constants.PASS


def test_spoils_that_pay_for_a_building_are_taken(w: Any) -> None:
    position = table(player("romans", goods="1 raze", hand=["Old Forest", "Village"]), round=5)
    assert best(position, w) == (constants.RAZE_HAND, "Old Forest")


def test_the_wood_goes_into_the_own_card_when_only_one_can_be_built(w: Any) -> None:
    hand = ["Primeval Forest", "New Forest"]
    position = table(player("barbarians", goods="1 wood", hand=hand), round=2)
    assert best(position, w) == (constants.BUILD, "Primeval Forest")


def test_production_is_worth_more_early_than_late(w: Any) -> None:
    def worth(card: str, number: int) -> float:
        position = table(player("romans", goods="2 wood 1 stone", hand=[card]), round=number)
        scores = {choice[0]: score for score, choice in choices(position, w)}
        return scores[constants.BUILD] - scores[constants.PASS]

    assert worth("Town", 1) - worth("Town", 5) > worth("Joiner", 1) - worth("Joiner", 5)
    assert worth("Town", 1) > worth("Town", 5)


def test_a_deal_is_made_early_in_the_game(w: Any) -> None:
    position = table(player("romans", goods="1 food", hand=["Architect"]), round=1)
    assert best(position, w) == (constants.DEAL, "Architect")


def test_the_more_valuable_location_is_razed(w: Any) -> None:
    other = player("barbarians", locations=["Ruins", "Merchant's Guild", "Monument"])
    position = table(player("romans", goods="2 raze"), other, round=1)
    razes = [name for _, (kind, name) in choices(position, w) if kind == constants.RAZE_LOCATION]
    assert set(razes) == {"Merchant's Guild", "Monument"}
    assert best(position, w)[0] == constants.RAZE_LOCATION


def shares_denied(points: list[int], w: Any) -> list[float]:
    """What a point less of each other counts for seat 0; the others have so many."""
    others = [player(empire, vp=each) for empire, each in zip(("barbarians", "egyptians"), points, strict=True)]
    g = load_position(
        Position.model_validate(table(player("romans", goods="2 raze"), *others, round=3)), DATA.catalog, T
    )[0]
    g.notes[:] = np.nan
    look_ahead(g, T, 0, w)
    return [share_denied(g, 0, seat, w) for seat in (1, 2)]


def test_who_trails_far_behind_the_leader_is_not_harmed_for_its_own_sake(w: Any) -> None:
    leader, last = shares_denied([20, 0], w)
    assert leader > 0.0 == last


def test_who_is_close_behind_the_leader_is_still_worth_harming(w: Any) -> None:
    leader, close = shares_denied([20, 19], w)
    assert leader > close > 0.0


def test_the_defence_token_goes_where_it_hurts_most(w: Any) -> None:
    other = player("barbarians", goods="4 raze")
    position = table(player("romans", goods="1 defence", locations=["Village", "Merchant's Guild"]), other, round=2)
    guild = rank_of(position, w, (constants.DEFEND, "Merchant's Guild"))
    assert guild < rank_of(position, w, (constants.DEFEND, "Village"))
    assert guild == 0


def test_hand_cards_go_under_the_gate_at_the_end_of_the_game(w: Any) -> None:
    position = table(player("japanese", hand=["Castle"], locations=["Gate"]), round=5)
    assert best(position, w) == (constants.TUCK, "Castle")


def test_a_card_that_pays_more_as_a_deal_does_not_go_under_the_gate(w: Any) -> None:
    position = table(player("japanese", goods="2 food", hand=["Stalls"], locations=["Gate", "Dojo", "Dojo"]), round=5)
    assert best(position, w) == (constants.DEAL, "Stalls")


@pytest.mark.parametrize("tokens", [0, 4])
def test_losses_noted_are_the_least_of_all_and_the_worst_in_danger(tokens: int, w: Any) -> None:
    numbers = np.random.default_rng(tokens)
    romans = load_position(Position.model_validate(table(player("romans"))), DATA.catalog, T)[0].faction[0]
    decks = zip(DATA.catalog.cards, T.deck, strict=False)
    names = sorted({card.name for card, deck in decks if deck in (constants.COMMON, romans)})
    other = player("barbarians", goods=f"{tokens} raze")
    for number in range(1, constants.ROUNDS + 1):
        drawn = list(numbers.permutation(names))
        mine = player("romans", goods="5 wood 5 stone", hand=drawn[:8], locations=drawn[8:22])
        g = load_position(Position.model_validate(table(mine, other, round=number)), DATA.catalog, T)[0]
        g.notes[:] = np.nan
        look_ahead(g, T, 0, w)
        note_opponents(g, 0, w)
        g.notes[weights.N_SOON] = g.notes[weights.N_SUPPLY]
        note_losses(g, T, 0, w)
        cards = [int(card) for card in g.zone[0, constants.LOCATIONS, : g.zone_size[0, constants.LOCATIONS]]]
        losses = {card: loss_of_location(g, T, 0, card, w) for card in cards}
        most = min(weights.LOSSES, max(1, hand_that_needs_locations(g, T, 0, w)))
        noted = g.notes[weights.N_LOSS : weights.N_LOSS + most]
        assert list(noted) == sorted(losses.values())[:most]
        in_danger = [loss for card, loss in losses.items() if tokens > 0 and T.razeable[card] != 0]
        assert g.notes[weights.N_LOCATION_NOW] == max(in_danger, default=0.0)


def test_a_location_of_little_worth_is_given_up_first(w: Any) -> None:
    mine = player("romans", goods="1 stone", hand=["Roman Bank"], locations=["Roman Barracks", "Ruins"])
    g = load_position(Position.model_validate(table(mine, round=4)), DATA.catalog, T)[0]
    g.option_count = 2
    g.option_kind[:2] = 0
    g.option_card[:2] = g.zone[0, constants.LOCATIONS, :2]
    barracks, ruins = scores(g, constants.GIVE_UP, w)
    assert ruins > barracks


def test_gold_is_kept_when_resources_do(w: Any) -> None:
    mine = player("egyptians", goods="1 wood 1 gold", hand=["Village"])
    g = load_position(Position.model_validate(table(mine, round=2)), DATA.catalog, T)[0]
    assert goods_at_hand(g, 0) == of_good(constants.WOOD, 1) + of_good(constants.GOLD, 1)
    g.option_count = 2
    g.option_card[:2] = g.zone[0, constants.HAND, 0]
    g.option_value[:2] = [1, 32**3]
    wood, gold = scores(g, constants.PAY, w)
    assert wood > gold
