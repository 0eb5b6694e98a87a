"""The scripted players of Imperial Settlers: their games are like those of people, and nothing silly is done."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.engine.result_rows import FACTION, RANK, SCORE, STRATEGY
from sim.games.imperial_settlers.data.models import HINTS
from sim.games.imperial_settlers.io.layout import Position, load_position
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.turns import list_turn
from sim.players.batch import play
from sim.players.compile_players import lineup_record, players_of
from sim.players.find_strategies import load_strategies
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
from tests.kit.plans import plan_for

T: Any = DATA.tables
STRATEGIES = load_strategies("imperial_settlers")


# ---- Whole games ----


def games_of(names: list[str], players: int, count: int, deaf: bool = False, **options: Any) -> Any:
    """Seat rows of games; a deaf player ignores what its empire wants."""
    plan = plan_for("imperial_settlers", players=players, strategies=names, seed=3, **options)
    if deaf:
        (one,) = plan.strategies
        plan = replace(plan, strategies=(replace(one, weights={**one.weights, "hint": 0.0}),))
    return play(plan, players_of(plan), 0, count)[0]


@pytest.mark.usefixtures("compiled_only")
def test_balanced_plays_games_as_rich_as_people_do() -> None:
    assert 55 < games_of(["balanced"], 4, 50)[:, SCORE].mean() < 110
    assert games_of(["balanced"], 1, 60, variant="solo")[:, SCORE].mean() > 45


@pytest.mark.usefixtures("compiled_only")
def test_balanced_beats_random_with_every_empire() -> None:
    rows = games_of(["balanced", "random"], 2, 240, variant="standard")
    for faction in range(len(constants.EMPIRES)):
        mine = rows[(rows[:, STRATEGY] == 0) & (rows[:, FACTION] == faction)]
        assert (mine[:, RANK] == 1).mean() > 0.95, constants.EMPIRES[faction]


@pytest.mark.usefixtures("compiled_only")
def test_what_an_empire_wants_changes_how_it_is_played() -> None:
    rows, without = (games_of(["balanced"], 2, 25, deaf) for deaf in (False, True))
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


def test_two_bundles_together_hold_no_more_than_a_place_does() -> None:
    one = of_good(constants.STONE, 60) + of_good(constants.CARD, 3) + of_good(constants.VP, 30)
    assert joined_gains(one, of_good(constants.CARD, 2)) == one + of_good(constants.CARD, 2)
    assert joined_gains(one, of_good(constants.STONE, 9)) == one + of_good(constants.STONE, 3)
    assert joined_gains(one, of_good(constants.VP, 9)) == one + of_good(constants.VP, 1)
    full = together(of_good(constants.FOOD, 60), of_good(constants.FOOD, 10) + of_good(constants.WOOD, 2))
    assert [number_of(full, good) for good in (constants.FOOD, constants.WOOD)] == [63, 2]


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


def choices(g: Any, w: Any) -> list[tuple[float, tuple[int, str]]]:
    """Options of seat 0 in its turn, the best first: score, kind and card."""
    list_turn(g, T, 0)
    cards, kinds = (g[field][: g.option_count].tolist() for field in ("option_card", "option_kind"))
    names = ["" if card == constants.NO_CARD else DATA.catalog.cards[card].name for card in cards]
    found = zip(scores(g, constants.TURN, w), zip(kinds, names, strict=True), strict=True)
    return sorted(found, key=lambda each: -each[0])


def scores(g: Any, decision: int, w: Any) -> list[float]:
    """What `balanced` in seat 0 holds of each option."""
    return fresh_scores("imperial_settlers", STRATEGIES["balanced"].script.score, g, T, 0, decision, w)


# fmt: off
TURNS = {
    "free Ruins rather than nothing": (3, player("romans", "", "Ruins"), constants.BUILD, "Ruins"),
    "workers that would be lost are exchanged": (3, player("japanese", "2 worker"), constants.EXCHANGE, None),
    "points before passing":
        (5, player("romans", "1 worker 1 food", at="Pig Farmer"), constants.ACTIVATE, "Pig Farmer"),
    "a good card is not razed for goods that are lost":
        (3, player("barbarians", "1 raze", "Supplier"), constants.PASS, ""),
    "spoils that pay for a building":
        (5, player("romans", "1 raze", "Old Forest, Village"), constants.RAZE_HAND, "Old Forest"),
    "the wood goes into the own card":
        (2, player("barbarians", "1 wood", "Primeval Forest, New Forest"), constants.BUILD, "Primeval Forest"),
    "a deal early in the game": (1, player("romans", "1 food", "Architect"), constants.DEAL, "Architect"),
    "hand cards go under the Gate at the end":
        (5, player("japanese", "", "Castle", "Gate"), constants.TUCK, "Castle"),
    "but not if a deal pays more":
        (5, player("japanese", "2 food", "Stalls", "Gate, Dojo, Dojo"), constants.DEAL, "Stalls"),
}
# fmt: on
"""Round, seat 0 and its best option, by kind and card."""


@pytest.mark.parametrize("turn", TURNS)
def test_the_best_of_a_turn(turn: str, w: Any) -> None:
    number, mine, kind, card = TURNS[turn]
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
