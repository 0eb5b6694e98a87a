"""Odds of battles: counted by hand, and as often as the engine's dice fall so."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import Record, kernel
from sim.data.place import NOWHERE
from sim.engine.rng import start_streams
from sim.games.history_of_the_world.io.layout import Position, load_position, replace_data
from sim.games.history_of_the_world.io.odds import LOSE, TIE, WIN, Battle, outcome, rerolls, roll_odds, siege_odds
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import PASS, attack_of, begin_conquest, defence_of
from sim.games.history_of_the_world.rules.state import STATE
from sim.games.history_of_the_world.rules.tables import TABLES
from sim.games.history_of_the_world.rules.turns import play_step
from sim.games.shared.stepping import pausing_players
from tests.games.history_of_the_world.inspecting import DATA, army, coast, inspect

T = DATA.tables
CASES = [
    Battle(terrain=terrain, fort=fort, maritime=maritime, bonus=bonus, deny=deny)
    for terrain, fort, maritime, bonus, deny in (
        (False, False, False, 0, False), (True, False, False, 0, False), (False, True, False, 0, False),
        (True, True, False, 1, False), (False, False, True, 0, False), (False, False, True, 0, True),
        (False, True, True, 0, False), (False, True, True, 0, True), (True, True, True, 2, False),
    )
]  # fmt: skip


@pytest.mark.parametrize(
    ("battle", "odds"),
    [
        (Battle(), (125, 36, 55)), (Battle(terrain=True), (90, 35, 91)), (Battle(bonus=1), (161, 25, 30)),
        (Battle(bonus=5), (215, 1, 0)), (Battle(terrain=True, bonus=1), (125, 36, 55)),
    ],
)  # fmt: skip
def test_odds_of_one_roll_without_choices(battle: Battle, odds: tuple[int, int, int]) -> None:
    assert roll_odds(battle, T) == pytest.approx([count / 216 for count in odds])


def test_two_dice_against_two() -> None:
    # Highest of two dice is n in 2n - 1 of 36 cases.
    shares = [(2 * face - 1) / 36 for face in range(1, 7)]
    tie = sum(share * share for share in shares)
    assert roll_odds(Battle(fort=True), T) == pytest.approx([(1 - tie) / 2, tie, (1 - tie) / 2])


def test_re_rolls_by_policy() -> None:
    survive, deny = Battle(maritime=True), Battle(maritime=True, deny=True)
    behind_walls = Battle(maritime=True, deny=True, fort=True)
    assert [rerolls(survive, result) for result in (WIN, TIE, LOSE)] == [True, True, False]
    assert [rerolls(deny, result) for result in (WIN, TIE, LOSE)] == [True, False, False]
    assert [rerolls(behind_walls, result) for result in (WIN, TIE, LOSE)] == [True, True, False]
    assert not any(rerolls(Battle(), result) for result in (WIN, TIE, LOSE))
    assert [outcome(3, 2), outcome(2, 2), outcome(1, 2)] == [WIN, TIE, LOSE]


def test_re_rolls_counted_by_hand() -> None:
    # A defender who has to beat n re-rolls with each face below n, or up to n.
    shares = [(2 * face - 1) / 36 for face in range(1, 7)]
    survive = sum(share * (face / 6) * ((face - 1) / 6) for face, share in enumerate(shares, start=1))
    deny = sum(share * ((face - 1) / 6) * ((face - 1) / 6) for face, share in enumerate(shares, start=1))
    assert roll_odds(Battle(maritime=True), T)[WIN] == pytest.approx(survive)
    assert roll_odds(Battle(maritime=True, deny=True), T)[WIN] == pytest.approx(deny)


def test_attacks_with_few_armies() -> None:
    win, tie, lose = roll_odds(Battle(), T)
    none, one, two = (siege_odds(Battle(), T, armies) for armies in range(3))
    assert (none.take, none.removed, none.used) == (0, 0, 0)
    assert (one.take, one.removed, one.used) == pytest.approx((win, win + tie, 1))
    besieged = roll_odds(Battle(), T, 1)
    assert two.take == pytest.approx(win + tie + lose * besieged[WIN])
    assert two.removed == pytest.approx(win + tie + lose * (besieged[WIN] + besieged[TIE]))
    assert two.used == pytest.approx(win + 2 * (tie + lose))


def test_a_siege_ends_at_plus_three() -> None:
    battle = Battle(terrain=True, fort=True)
    four, five = (siege_odds(battle, T, armies) for armies in (40, 41))
    assert four.take == pytest.approx(five.take)
    assert four.used < 6


def test_odds_are_told() -> None:
    answer = inspect({"odds": {"terrain": True, "fort": True, "maritime": True, "bonus": 1, "policy": "deny"}})["odds"]
    battle = Battle(terrain=True, fort=True, maritime=True, bonus=1, deny=True)
    assert tuple(answer.values()) == pytest.approx(roll_odds(battle, T))
    assert list(inspect({"odds": {"armies": 2}})["odds"]) == ["win", "tie", "lose", "take", "removed", "used"]
    assert inspect({"odds": {"terrain": "forest"}}) == inspect({"odds": {"terrain": True}})


# ---- The engine's dice ----

TAKEN, EMPTIED, HELD = range(3)
"""How an attack may end: for the attacker, with an empty land, for the defender."""


def survive(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Defend to keep the army; attack as long as there are armies."""
    if decision == constants.REROLL:
        return _reroll(g, t, option, attack_of(g) >= defence_of(g, t))
    return float(-option)


def deny(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Defend to keep the attacker out; attack as long as there are armies."""
    if decision == constants.REROLL:
        lead = attack_of(g) - defence_of(g, t)
        return _reroll(g, t, option, lead > 0 or (lead == 0 and g.fort[g.target] != 0))
    return float(-option)


@kernel
def _reroll(g: Record, t: Record, option: int, wanted: bool) -> float:
    """Score an option of a re-roll: the lowest die if one is wanted, else to pass."""
    die = g.option_value[option]
    if die == PASS:
        return 0.0 if wanted else 10.0
    return 9.0 - g.defence_die[die] if wanted else 0.0


def attacked(battle: Battle, armies: int) -> tuple[Any, Any]:
    """Return a game and its tables in which blue may attack a land of red's by sea, and the place of that land."""
    land = "Elm" if battle.terrain else "Delta"
    lands = {"Amber": army("blue", active=True), land: army("red", fort=battle.fort)}
    position = Position.model_validate(coast(lands, turn={"armies": armies, "fleets": ["Deep"]}))
    catalog, t = replace_data(position, DATA.catalog, T, NOWHERE)
    game = load_position(position, catalog, t)
    game.g.bonus[1] = battle.bonus
    return game.table, t


def attack(table: Any, t: Record, battle: Battle, players: Any, number: int) -> tuple[int, int]:
    """Attack as long as there are armies; return how it ended and how many armies are no longer on the card."""
    g: Any = table.copy()[0]
    start_streams(g, 1, number, number)
    land = int(np.flatnonzero(g.army == 1)[0])
    way = constants.FLEET if battle.maritime else constants.BORDER
    before = int(g.armies)
    begin_conquest(g, t, 0, land, way)
    while g.battle != constants.NO_BATTLE:
        play_step(g, t, players)
    if g.army[land] == constants.NO_SEAT and g.armies > 0:
        begin_conquest(g, t, 0, land, way)
    assert g.error == 0
    end = {0: TAKEN, constants.NO_SEAT: EMPTIED, 1: HELD}[int(g.army[land])]
    return end, before - int(g.armies)


def chi_square(counts: Counter[int], shares: tuple[float, ...]) -> float:
    """Return by how much counts differ from what shares let one expect; impossible things never happen."""
    whole = sum(counts.values())
    assert [end for end, share in enumerate(shares) if share == 0 and counts[end]] == []
    return sum((counts[end] - whole * share) ** 2 / (whole * share) for end, share in enumerate(shares) if share > 0)


@pytest.mark.parametrize("armies", [1, 4])
@pytest.mark.parametrize("battle", CASES)
def test_the_dice_of_the_engine_fall_so(battle: Battle, armies: int, scaled: Callable[..., int]) -> None:
    table, t = attacked(battle, armies)
    players = pausing_players(deny if battle.deny else survive, STATE, TABLES)
    attacks = [attack(table, t, battle, players, number) for number in range(scaled(600, 200, 30_000))]
    odds = siege_odds(battle, t, armies)
    shares = (odds.take, odds.removed - odds.take, 1 - odds.removed)
    # Two degrees of freedom: more comes about once in 20000 times.
    assert chi_square(Counter(end for end, _ in attacks), shares) < 20
    used = np.array([number for _, number in attacks])
    assert abs(used.mean() - odds.used) <= 4.5 * used.std() / np.sqrt(len(used)) + 1e-9
