"""The scripted players of Imperial Settlers: their games are like those of people, and nothing silly is done."""

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
from tests.games.imperial_settlers.cases import DATA, player
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


def laid(*players: Any, **said: Any) -> Any:
    """A game at a position whose decks hold all other cards; a player alone has an opponent without anything."""
    other = player("romans" if players[0]["faction"] != "romans" else "barbarians")
    seats = [*players, other] if len(players) == 1 else [*players]
    return load_position(Position.model_validate({"players": seats, **said}), DATA.catalog, T)[0]


def choices(g: Any, w: Any, decision: int = constants.TURN) -> list[tuple[float, Choice]]:
    """Options of seat 0 in its turn, the best first: score, kind and card."""
    list_turn(g, T, 0)
    found = [(int(g.option_kind[option]), name_of(g, option)) for option in range(g.option_count)]
    return sorted(zip(scores(g, decision, w), found, strict=True), key=lambda each: -each[0])


def scores(g: Any, decision: int, w: Any) -> list[float]:
    """What `balanced` in seat 0 holds of each option."""
    return fresh_scores("imperial_settlers", STRATEGIES["balanced"].script.score, g, T, 0, decision, w)


def name_of(g: Any, option: int) -> str:
    card = int(g.option_card[option])
    return "" if card == constants.NO_CARD else DATA.catalog.cards[card].name


# fmt: off
TURNS = [
    pytest.param(3, player("romans", "", "Ruins"), constants.BUILD, "Ruins", id="free Ruins rather than nothing"),
    pytest.param(3, player("japanese", "2 worker"), constants.EXCHANGE, None,
    id="workers that would be lost are exchanged"),
    pytest.param(5, player("romans", "1 worker 1 food", at="Pig Farmer"), constants.ACTIVATE, "Pig Farmer",
    id="points before passing"),
    pytest.param(3, player("barbarians", "1 raze", "Supplier"), constants.PASS, "",
    id="a good card is not razed for goods that are lost"),
    pytest.param(5, player("romans", "1 raze", "Old Forest, Village"), constants.RAZE_HAND, "Old Forest",
    id="spoils that pay for a building"),
    pytest.param(2, player("barbarians", "1 wood", "Primeval Forest, New Forest"), constants.BUILD, "Primeval Forest",
                 id="the wood goes into the own card"),
    pytest.param(1, player("romans", "1 food", "Architect"), constants.DEAL, "Architect",
    id="a deal early in the game"),
    pytest.param(5, player("japanese", "", "Castle", "Gate"), constants.TUCK, "Castle",
    id="hand cards go under the Gate at the end"),
    pytest.param(5, player("japanese", "2 food", "Stalls", "Gate, Dojo, Dojo"), constants.DEAL, "Stalls",
    id="but not if a deal pays more"),
]
# fmt: on
"""Round, seat 0 and its best option, by kind and card."""


@pytest.mark.parametrize(("number", "mine", "kind", "card"), TURNS)
def test_the_best_of_a_turn(number: int, mine: Any, kind: int, card: str | None, w: Any) -> None:
    best = choices(laid(mine, round=number), w)[0][1]
    assert best == (kind, best[1] if card is None else card)


def test_production_is_worth_more_early_than_late(w: Any) -> None:
    def worth(card: str, number: int) -> float:
        found = choices(laid(player("romans", "2 wood 1 stone", card), round=number), w)
        scores = {choice[0]: score for score, choice in found}
        return scores[constants.BUILD] - scores[constants.PASS]

    assert worth("Town", 1) - worth("Town", 5) > worth("Joiner", 1) - worth("Joiner", 5)
    assert worth("Town", 1) > worth("Town", 5)


def test_a_location_of_worth_is_razed(w: Any) -> None:
    other = player("barbarians", at="Ruins, Merchant's Guild, Monument")
    found = [choice for _, choice in choices(laid(player("romans", "2 raze"), other, round=1), w)]
    assert {name for kind, name in found if kind == constants.RAZE_LOCATION} == {"Merchant's Guild", "Monument"}
    assert found[0][0] == constants.RAZE_LOCATION


@pytest.mark.parametrize(("points", "least"), [([20, 0], 0.0), ([20, 19], 1e-9)])
def test_only_who_is_close_behind_the_leader_is_worth_harming(points: list[int], least: float, w: Any) -> None:
    others = [player(empire, vp=each) for empire, each in zip(("barbarians", "egyptians"), points, strict=True)]
    g = laid(player("romans", "2 raze"), *others, round=3)
    g.notes[:] = np.nan
    look_ahead(g, T, 0, w)
    leader, second = (share_denied(g, 0, seat, w) for seat in (1, 2))
    assert leader > second >= least
    assert (second == 0.0) == (least == 0.0)


def test_the_defence_token_goes_where_it_hurts_most(w: Any) -> None:
    mine = player("romans", "1 defence", at="Village, Merchant's Guild")
    found = [choice for _, choice in choices(laid(mine, player("barbarians", "4 raze"), round=2), w)]
    assert found[0] == (constants.DEFEND, "Merchant's Guild")
    assert (constants.DEFEND, "Village") in found


@pytest.mark.parametrize("tokens", [0, 4])
def test_losses_noted_are_the_least_of_all_and_the_worst_in_danger(tokens: int, w: Any) -> None:
    numbers = np.random.default_rng(tokens)
    romans = laid(player("romans")).faction[0]
    decks = zip(DATA.catalog.cards, T.deck, strict=False)
    names = sorted({card.name for card, deck in decks if deck in (constants.COMMON, romans)})
    other = player("barbarians", has=f"{tokens} raze")
    for number in range(1, constants.ROUNDS + 1):
        drawn = list(numbers.permutation(names))
        mine = player("romans", "5 wood 5 stone", ", ".join(drawn[:8]), ", ".join(drawn[8:22]))
        g = laid(mine, other, round=number)
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
    mine = player("romans", "1 stone", "Roman Bank", at="Roman Barracks, Ruins")
    g = laid(mine, round=4)
    g.option_count = 2
    g.option_kind[:2] = 0
    g.option_card[:2] = g.zone[0, constants.LOCATIONS, :2]
    barracks, ruins = scores(g, constants.GIVE_UP, w)
    assert ruins > barracks


def test_gold_is_kept_when_resources_do(w: Any) -> None:
    mine = player("egyptians", "1 wood 1 gold", "Village")
    g = laid(mine, round=2)
    assert goods_at_hand(g, 0) == of_good(constants.WOOD, 1) + of_good(constants.GOLD, 1)
    g.option_count = 2
    g.option_card[:2] = g.zone[0, constants.HAND, 0]
    g.option_value[:2] = [1, 32**3]
    wood, gold = scores(g, constants.PAY, w)
    assert wood > gold
