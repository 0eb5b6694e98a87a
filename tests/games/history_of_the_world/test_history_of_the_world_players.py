"""The scripted players of History of the World: their odds are exact, and nothing silly is done."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from sim.engine.decide import blank_notes
from sim.engine.options import clear_options, offer
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import PASS
from sim.games.history_of_the_world.rules.setup import clear_table
from sim.games.history_of_the_world.rules.state import STATE, new_games
from sim.games.history_of_the_world.rules.turns import list_conquests
from sim.players.compile_players import lineup_record
from sim.players.find_strategies import load_strategies
from strategies.history_of_the_world.outlook import most_points, points_of
from strategies.history_of_the_world.prepare import odds_row, prepare_roll_odds
from strategies.history_of_the_world.weights import MOST_ARMIES, NOTES, PARAMETERS
from tests.games.history_of_the_world.printed import CARDS, LANDS, T
from tests.kit.hidden import fresh_scores, scores_of
from tests.kit.plans import plan_for

STRATEGIES = load_strategies("history_of_the_world")
DICE = range(1, 7)


@cache
def lineup_of(*names: str) -> Any:
    """Weights of these players at a table of three."""
    data = plan_for("history_of_the_world", players=3).data
    return lineup_record(tuple(STRATEGIES[name] for name in names), data, 3)


def balanced(g: Any, decision: int) -> list[float]:
    """Scores that the balanced player gives to options already listed."""
    score, weights = STRATEGIES["balanced"].script.score, lineup_of("balanced").seats[0]
    return fresh_scores("history_of_the_world", score, g, T, 0, decision, weights)


# ---- Small positions ----


def land(name: str) -> int:
    return LANDS.index(name)


def region_of(name: str) -> int:
    return int(T.region[land(name)])


def position(card: str, own: Sequence[str], others: Sequence[str] = (), armies: int = 3, epoch: int = 1) -> Any:
    """A turn of seat 0 with a card: `own` lands of active armies, `others` of seat 1; nothing scores."""
    g: Any = new_games(1)[0]
    clear_table(g, T, 3)
    g.points[:3] = (10, 12, 14)
    g.epoch, g.phase, g.step, g.turn_seat = epoch - 1, constants.TURN, constants.CONQUEST, 0
    g.card, g.armies, g.icons_needed[:] = CARDS.index(card), armies, int(T.icons_per_monument)
    g.called[0] = 1
    for name in own:
        g.army[land(name)], g.active[land(name)] = 0, 1
    for name in others:
        g.army[land(name)] = 1
    return g


def best_action(g: Any) -> tuple[int, str]:
    """Kind and land of the best action."""
    clear_options(g)
    list_conquests(g, T, 0)
    best = int(np.argmax(balanced(g, constants.ACT)))
    return int(g.option_kind[best]), LANDS[int(g.option_land[best])]


# ---- Odds ----


@pytest.mark.parametrize(("advantage", "fort"), list(product((-1, 0, 1, 3), (0, 1))))
def test_odds_of_a_roll_are_those_of_counted_dice(advantage: int, fort: int) -> None:
    defenders = list(product(DICE, repeat=1 + fort))
    outcomes = [max(a) + advantage - max(d) for a in product(DICE, repeat=2) for d in defenders]
    win, tie = prepare_roll_odds(T, advantage, fort, 0, 0)
    assert win == pytest.approx(np.mean([outcome > 0 for outcome in outcomes]))
    assert tie == pytest.approx(np.mean([outcome == 0 for outcome in outcomes]))


def test_fleets_help_the_defender_and_rerolls_the_attacker() -> None:
    plain, _ = prepare_roll_odds(T, 0, 0, 0, 0)
    assert prepare_roll_odds(T, 0, 0, 1, 0)[0] < plain < prepare_roll_odds(T, 0, 0, 0, 1)[0]


def test_prepared_odds_follow_a_battle_to_its_end() -> None:
    weights = lineup_of("balanced").seats[0]
    win, tie = prepare_roll_odds(T, 0, 0, 0, 0)
    better, better_tie = prepare_roll_odds(T, 1, 0, 0, 0)
    at = odds_row(0, 0, 0, 0, 0)
    assert weights.prepared[at] == pytest.approx(win)
    # With one more army a tie is followed by entering, a loss by one siege roll.
    assert weights.prepared[at + 2] == pytest.approx(win + tie + (1 - win - tie) * better)
    assert weights.prepared[at + 3] == pytest.approx(tie + (1 - win - tie))
    assert weights.prepared[at + 4] == pytest.approx(win + tie + (1 - win - tie) * sieged(better, better_tie))
    chances = [float(weights.prepared[at + 2 * armies]) for armies in range(MOST_ARMIES + 1)]
    assert chances == sorted(chances)


def sieged(win: float, tie: float) -> float:
    """Chance to hold a land from a siege roll with one army left."""
    return win + tie + (1 - win - tie) * prepare_roll_odds(T, 2, 0, 0, 0)[0]


def test_notes_and_weights_have_room() -> None:
    weights = lineup_of("balanced").seats[0]
    assert STATE["notes"].shape[0] >= NOTES
    assert len(weights.weight) >= len(PARAMETERS)


# ---- What a person would do ----


def test_a_region_that_scores_is_entered_rather_than_one_that_does_not() -> None:
    g = position("Egyptians", ["Nile"], epoch=5)
    g.token[region_of("Levant")] = 2
    kind, target = best_action(g)
    assert kind == constants.CONQUER
    assert T.region[land(target)] == region_of("Levant")


def test_the_third_army_for_control_goes_where_nobody_else_is() -> None:
    free = position("Hittites", ["Anatolia", "Levant"], epoch=5, armies=1)
    free.token[region_of("Anatolia")] = 2
    kind, target = best_action(free)
    assert (kind, T.region[land(target)]) == (constants.CONQUER, region_of("Anatolia"))


def test_forts_hold_nothing_in_the_last_epoch() -> None:
    g = position("Egyptians", ["Nile"], epoch=5)
    clear_options(g)
    list_conquests(g, T, 0)
    forts = g.option_kind[: g.option_count] == constants.BUILD_FORT
    assert forts.any()
    assert (np.array(balanced(g, constants.ACT))[forts] < 0).all()


def offered(g: Any, kind: Any, value: Any = 0) -> None:
    """Let these options lie before a player."""
    count = max(np.size(kind), np.size(value))
    g.option_count, g.option_kind[:count], g.option_value[:count] = count, kind, value


@pytest.mark.parametrize("tokens", [0, 2])
def test_a_lost_battle_is_gone_on_with_at_the_cost_of_a_new_one_by_siege_tokens_first(tokens: int) -> None:
    g = position("Egyptians", ["Nile"], ["Levant"], armies=3)
    g.token[region_of("Levant")] = 4
    g.siege_tokens = tokens
    best_action(g)
    g.battle, g.target, g.way = constants.LOST_ROLL, land("Levant"), constants.BORDER
    kinds = (constants.RETREAT, constants.SIEGE, *([constants.SIEGE_TOKEN] if tokens else []))
    offered(g, kinds)
    assert int(np.argmax(balanced(g, constants.AFTER_LOSS))) == len(kinds) - 1


ATTACKER, DEFENDER = 0, 1


@pytest.mark.parametrize(
    ("side", "attack", "defence", "siege", "left", "choice"),
    [
        # The lower die is rolled again where it can change something.
        (ATTACKER, (3, 2), (4, 0), 0, None, 1),
        (ATTACKER, (2, 3), (4, 0), 0, None, 0),
        (ATTACKER, (5, 2), (4, 0), 0, None, PASS),
        (ATTACKER, (6, 2), (6, 0), 0, None, PASS),
        # A winner rolls again only before a defender who may too.
        (ATTACKER, (5, 2), (4, 0), 0, (1, 1), 1),
        # Nor does a defender who is beaten by more than a six, or one that holds.
        (DEFENDER, (6, 2), (4, 0), 2, None, PASS),
        (DEFENDER, (3, 2), (6, 0), 0, None, PASS),
        (DEFENDER, (3, 2), (1, 0), 0, None, 0),
    ],
)
def test_a_die_is_rolled_again_where_it_can_change_something(
    side: int,
    attack: tuple[int, int],
    defence: tuple[int, int],
    siege: int,
    left: tuple[int, int] | None,
    choice: int,
) -> None:
    g = position("Egyptians", ["Nile"], ["Levant"])
    g.target, g.siege, g.attack_die[:], g.defence_die[:] = land("Levant"), siege, attack, defence
    if left is not None:
        g.rerolls_left[:] = left
    dice = (0, 1, PASS) if side == ATTACKER else (0, PASS)
    offered(g, side, dice)
    assert dice[int(np.argmax(balanced(g, constants.REROLL)))] == choice


def test_no_fleet_is_used_where_a_border_does() -> None:
    g = position("Egyptians", ["Nile"], ["Levant"])
    offered(g, 0, (constants.BORDER, constants.FLEET))
    border, fleet = balanced(g, constants.CHOOSE_WAY)
    assert border > fleet


def test_points_are_gained_where_the_marker_lands_in_the_end() -> None:
    g = position("Egyptians", ["Nile"], epoch=5)
    offered(g, 0, (1, -1))
    gained, lost = balanced(g, constants.LANDING)
    assert gained > lost


def test_structures_of_others_are_destroyed_not_own_ones() -> None:
    g = position("Egyptians", ["Nile"], ["Levant"])
    g.capital[[land("Nile"), land("Levant")]] = 1
    offered(g, (constants.DESTROY,) * 2)
    g.option_land[:2] = land("Nile"), land("Levant")
    own, other = balanced(g, constants.TARGET)
    assert other > 0 > own


@pytest.mark.parametrize("name", ["balanced", "controller", "greedy"])
def test_no_plan_brings_more_points_than_the_bound_at_which_planning_ends(name: str) -> None:
    points, bound = (getattr(kernel, "py_func", kernel) for kernel in (points_of, most_points))
    w = lineup_of(name).seats[0]
    reached = set()
    for own, fewest, now, later in product((1.0, 2.0, 4.0, 9.0), (0.0, 1.0, 2.0), (0.0, 5.0), (0.0, 2.5)):
        most = bound(own, fewest == 0.0, now, later, w)
        plans = product(np.arange(own + 1.0), (fewest, fewest + 2.0))
        tried = [points(T, few, beside, others, now, later, w) for few, others in plans for beside in (0.0, others)]
        assert max(tried) <= most
        reached.add(max(tried) == most)
    # It is no wider than it must be, for somebody with armies enough.
    assert True in reached


# ---- Whole games ----


def test_a_copy_played_on_by_another_strategy_reads_no_notes_of_the_first() -> None:
    pair = (STRATEGIES["balanced"], STRATEGIES["controller"])
    lineup = lineup_of("balanced", "controller")
    assert pair[0].script is pair[1].script
    g = position("Egyptians", ["Nile"], ["Levant"])
    g.token[:] = 2
    clear_options(g)
    list_conquests(g, T, 0)
    asked = ("history_of_the_world", pair[0].script.score, g, T, 0, constants.ACT)
    g.strategy[0] = 1
    alone = fresh_scores(*asked, lineup.seats[1])
    g.strategy[0] = 0
    before = fresh_scores(*asked, lineup.seats[0])
    g.strategy[0], g.notes_of = 1, lineup.seats[0].script
    getattr(blank_notes, "py_func", blank_notes)(g, lineup.seats[1])
    assert scores_of(*asked, lineup.seats[1]) == alone != before


@pytest.mark.parametrize(
    ("event", "needs_structures"), [("Weaponry", False), ("Clemency", True), ("Engineering", False)]
)
def test_a_card_for_battles_waits_for_what_it_helps_in(event: str, needs_structures: bool) -> None:
    elsewhere = [name for name in LANDS if name != "Pindus"]
    for others, structures in (([], 0), (elsewhere, 0), (elsewhere, 1)):
        g = position("Macedonians", ["Pindus"], others, armies=8, epoch=2)
        g.token[:] = 3
        g.city[[land(name) for name in others]] = structures
        clear_options(g)
        list_conquests(g, T, 0)
        offer(g, constants.PLAY_EVENT, CARDS.index(event), 0, 0)
        best = int(np.argmax(balanced(g, constants.ACT)))
        helps = bool(others) and (structures > 0 or not needs_structures)
        assert int(g.option_kind[best]) == (constants.PLAY_EVENT if helps else constants.CONQUER)


@pytest.mark.parametrize(("empire", "receiver"), [("Khmers", 2), ("Arabs", 0)])
def test_in_the_classic_selection_a_weak_empire_goes_to_who_leads_and_a_strong_one_is_kept(
    empire: str, receiver: int
) -> None:
    g = position("Egyptians", [], epoch=3)
    g.phase, g.classic = constants.CLASSIC, 1
    g.token[:], g.supply[:3] = 2, 25
    clear_options(g)
    for seat in range(3):
        offer(g, constants.EMPIRE, CARDS.index(empire), 0, seat)
    assert int(np.argmax(balanced(g, constants.GIVE))) == receiver


def test_the_last_army_takes_a_free_land_rather_than_a_like_one_by_battle() -> None:
    held = ["Iberia", "Northern Apennines", "Southern Apennines", "Balkans"]
    g = position("Egyptians", ["Pindus"], held, armies=1, epoch=3)
    g.token[region_of("Pindus")] = 3
    assert best_action(g) == (constants.CONQUER, "Crete")
