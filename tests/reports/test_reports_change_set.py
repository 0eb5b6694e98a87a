"""Sets of printed changes, found among made-up arms whose effects are known, and files that say what is wanted."""

import re
import tomllib
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_arms import MadeUp

from reports.sections.compare.before_after import NAME_LINES, NAME_WIDTH, Moved, before_after
from reports.studies.parts.explain_parts import compare_with_base
from reports.studies.parts.parts import check_loads, parts_of
from reports.studies.search.block_sums import ArmSums, Watched, meetings
from reports.studies.search.engine import ChangeSearch, Found, drop_needless, search_changes
from reports.studies.search.goals import Goal, deviations, fair_goal, state_of
from reports.studies.search.parameters import find_knob
from reports.studies.search.search_report import (
    confirmed_changes,
    helps_but_not_enough,
    patch_of_changes,
    search_sections,
)
from reports.studies.search.space import Turn, arm_changes, copies_together, named_apart, numbers_in_parts
from reports.studies.search.successive_halving import Gain, last_round, rank_key
from reports.studies.search.target_file import read_target
from sim.errors import UserError
from sim.game import Data, GameSpec, load_game
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan

STRONG, WEAK = "Rhodos B", "Olympia B"
COINS = "wonders.toml#Rhodos B.coins_start"
ORE = "wonders.toml#Rhodos B.stage.2.cost.ore"
POINTS = "wonders.toml#Rhodos B.stage.1.effects.1.vp"
WEAK_COINS = "wonders.toml#Olympia B.coins_start"


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(RunConfig(game="seven_wonders", players=4, strategies=["balanced"]))


@pytest.fixture
def made_up(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    return MadeUp(plan).played_with(monkeypatch)


GAMES = 2000


def one_faction(plan: Plan, **options: Any) -> Found:
    """Search all numbers of the strong board for what makes it fair within two points."""
    number = [faction.name for faction in plan.data.factions].index(STRONG)
    return search_changes(plan, fair_goal(plan, 0.02, [number]), GAMES, jobs=1, **options)


SURE = 0.05
"""Luck so small that these games tell what else takes ten times as many."""


def fewest(made_up: MadeUp, goal: Goal, values: dict[str, range]) -> int:
    """The fewest numbers whose change brings all true edges within the margin: every set of values is tried."""
    best = len(values) + 1
    texts = list(values)
    printed = {text: find_knob(made_up.plan.game, made_up.plan.data, text).present for text in texts}
    for chosen in product(*values.values()):
        changes = tuple(f"{text}={value}" for text, value in zip(texts, chosen, strict=True) if value != printed[text])
        edges = made_up.edge_of(changes)[list(goal.shares)] + 1 / made_up.plan.players - goal.targets
        if (np.abs(edges) <= goal.margin).all():
            best = min(best, len(changes))
    return best


def test_the_set_is_no_larger_than_the_smallest_of_all_sets(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.09, WEAK: -0.06}
    made_up.effects = {COINS: 0.03, ORE: -0.02, WEAK_COINS: 0.03}
    goal = fair_goal(plan, 0.02)
    found = search_changes(plan, goal, GAMES, jobs=1)
    smallest = fewest(made_up, goal, {COINS: range(4), ORE: range(3, 8), WEAK_COINS: range(3, 8)})
    assert len(found.arm) == smallest == 2
    assert np.abs(made_up.edge_of(tuple(arm_changes(found.arm)))).max() <= 0.02
    assert set(found.fresh.before.states(0.02)) == {"within", "out"}
    assert set(found.fresh.after.states(0.02)) == {"within"}
    assert found.fresh.seed == plan.seed + 1


@pytest.mark.parametrize("sides", [True, False])
def test_a_number_that_two_sides_share_gives_way_to_one_that_is_one_sides_own(
    plan: Plan, made_up: MadeUp, sides: bool
) -> None:
    # Three coins fewer make the strong side fair in the fewest steps, and the other side as weak as it was strong.
    made_up.edges = {STRONG: 0.06}
    made_up.effects = {COINS: 0.02, ORE: -0.015}
    made_up.shared = {COINS: "Rhodos A"}
    both = [number for number, row in enumerate(plan.data.factions) if row.attributes["wonder"] == "Rhodos"]
    assert len(both) == 2
    made_up.luck = SURE
    found = search_changes(plan, fair_goal(plan, 0.01, both if sides else None), GAMES, jobs=1)
    assert [turn.text for turn, _ in found.arm] == [ORE]
    assert found.stuck == {}
    assert (abs(found.fresh.after.off) < 0.015).all()
    said = search_sections(found)[0]
    told = " ".join(said.sentences)
    if sides:
        assert said.title == "What to change so that Rhodos A and Rhodos B are fair"
        assert found.goal.names == ("Rhodos A", "Rhodos B")
        assert "Of 12 other boards, " in told
        assert "no target was set for them" in told
        assert "gains most (" in told
        assert not re.search(r"loses most \(\+", told)
        assert "Rhodos A from " in told
    else:
        assert [step.outcome for step in found.steps] == ["harmful", "kept"]
        assert "other boards" not in told


def test_sides_that_share_nothing_are_mended_one_after_the_other_by_single_numbers(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.06, "Rhodos A": -0.05}
    made_up.effects, made_up.apart = {ORE: -0.02, "wonders.toml#Rhodos A.coins_start": 0.025}, True
    both = [number for number, row in enumerate(plan.data.factions) if row.attributes["wonder"] == "Rhodos"]
    said: list[str] = []
    made_up.luck = SURE
    found = search_changes(plan, fair_goal(plan, 0.01, both), GAMES, jobs=1, say=said.append)
    assert sorted(arm_changes(found.arm)) == ["wonders.toml#Rhodos A.coins_start=5", f"{ORE}=7"]
    # What is left of the one that was not raced does not ask for pairs.
    assert not [text for text in said if "pairs of changes" in text]


def test_of_sides_judged_together_a_number_that_moves_nothing_is_not_the_best(plan: Plan) -> None:
    idle, helps = made_up_gain("idle", 0.0), made_up_gain("helps", 0.05)
    gains = {gain.arm: gain for gain in (idle, helps)}
    heats: Any = SimpleNamespace(
        search=SimpleNamespace(full=GAMES), goal=fair_goal(plan, 0.01), edge=lambda: 0.07,
        play=lambda arm, games: None, gain=gains.get, can_be_played=lambda arm, games: True,
    )  # fmt: skip
    assert last_round([(heats, list(gains))], together=True) == helps
    assert last_round([(heats, [idle.arm])], together=True) is None


def made_up_gain(name: str, worth: float) -> Gain:
    """What a change does that takes so much away of an edge of 0.07, and moves nothing else."""
    excess = 0.07 - 0.01 - worth
    return Gain(
        arm=cast("Any", (name,)), off=0.07 - worth, worth=worth, half=0.01, excess=excess,
        moved=excess if worth else 0.0, sure=False, near=False, fewer=False, removes=False, surprising=False,
    )  # fmt: skip


def test_a_file_of_changes_says_whether_they_bring_all_within_the_margin(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects = {STRONG: 0.06, WEAK: -0.08}, {COINS: 0.03, WEAK_COINS: 0.001}
    made_up.luck = SURE
    left = patch_of_changes(search_changes(plan, fair_goal(plan, 0.01), GAMES, jobs=1))
    assert "what a search found to bring all nearer to 1 point" in left.splitlines()[0]
    made_up.edges, made_up.luck = {STRONG: 0.06}, 0.007
    brought = patch_of_changes(search_changes(plan, fair_goal(plan, 0.01), GAMES, jobs=1))
    assert "what brings all within 1 point" in brought


def test_two_numbers_are_changed_together_where_one_is_not_enough(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.12}
    made_up.effects = {COINS: 0.025, POINTS: 0.02}  # three coins and three points: neither alone takes away 0.10
    found = search_changes(plan, fair_goal(plan, 0.02), GAMES, jobs=1)
    assert {turn.text for turn, _ in found.arm} == {COINS, POINTS}
    raced = one_faction(plan, quick=True)
    assert raced.one is not None
    assert raced.one.pairs > 0
    assert raced.one.frame.select("numbers", "state").row(0) == (2, "within")
    written = patch_of_changes(raced)
    assert written.startswith(f"# 7 Wonders: what brings {STRONG} within 2 points under these players.\n")
    wide = replace(raced.fresh.after, low=raced.fresh.after.off - 0.03, high=raced.fresh.after.off + 0.03)
    doubtful = patch_of_changes(replace(raced, fresh=replace(raced.fresh, after=wide)))
    assert doubtful.startswith(f"# 7 Wonders: what a search found to bring {STRONG} nearer to 2 points")
    said = f"To take the edge of {STRONG} from .* points, change .* and .*. This is fair within 2 points."
    assert re.search(said, " ".join(search_sections(raced)[0].sentences))
    changes = tomllib.loads(written)["changes"]
    assert {text.partition("=")[0] for text in changes} == {COINS, POINTS}
    assert check_loads(plan.game, plan.data, changes)


def test_what_a_search_says_is_left_is_not_flattered_by_the_choice(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers do very little, so that luck decides which stands first: on other deals it has none."""
    number = [faction.name for faction in plan.data.factions].index(STRONG)
    flattered, said = [], []
    for seed in range(6):
        effects = {COINS: 0.003, ORE: -0.003, POINTS: 0.003}
        game = MadeUp(replace(plan, seed=10 * seed), {STRONG: 0.05}, effects, luck=0.0, own=0.8)
        found = one_faction(game.played_with(monkeypatch).plan, quick=True)
        assert found.one is not None
        assert found.fresh.seed == 10 * seed + 1
        true = game.edge_of(tuple(arm_changes(found.arm)))[number]
        said.append(found.fresh.after.off[0] - true)
        flattered.append(found.searched.off[0] - true)
    assert np.mean(flattered) < np.mean(said) - 0.006  # what the deals say that chose it
    assert abs(np.mean(said)) < 0.006


def test_a_change_that_fresh_deals_do_not_confirm_is_not_written(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects = {STRONG: 0.06}, {COINS: 0.02, ORE: -0.015}
    found = one_faction(plan)
    assert tomllib.loads(patch_of_changes(found))["changes"] == confirmed_changes(found) != []
    fresh, after = found.fresh, found.fresh.after
    off = replace(after, off=after.off + 0.04, low=after.off + 0.03, high=after.off + 0.05)
    idle = replace(after, change_low=after.change - 0.2, change_high=after.change + 0.2)
    for doubtful, says in (
        (off, "No change is confirmed: coins at the start"),
        (idle, "fresh deals do not confirm that this helps"),
    ):
        doubted = replace(found, fresh=replace(fresh, after=doubtful))
        assert (confirmed_changes(doubted), patch_of_changes(doubted)) == ([], "")
        assert says in search_sections(doubted)[0].sentences[0]


def test_a_faction_that_does_not_move_is_not_said_to_lose_most(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects, made_up.luck = {STRONG: 0.06}, {COINS: 0.02}, SURE
    found = one_faction(plan)
    assert found.others is not None
    goal, sample = found.others
    still = np.where(np.arange(len(goal.names)) == 3, 0.0, np.abs(sample.after.change))
    unmoved = replace(found, others=(goal, replace(sample, after=replace(sample.after, change=still))))
    told = " ".join(search_sections(unmoved)[0].sentences)
    assert "gains most" in told
    assert "loses most" not in told


def test_a_faction_that_is_fair_as_printed_is_not_changed(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects, made_up.luck = {STRONG: 0.012}, {COINS: 0.01}, SURE
    found = one_faction(plan)
    assert found.fresh.before.states(0.02) == ["within"]
    assert found.fresh.before.low[0] > 0  # off the fair share, but not by more than the margin
    said = search_sections(found)[0].sentences
    assert said[0] == f"On fresh deals {STRONG} is fair within 2 points as printed: no change is needed."
    assert not any(sentence.startswith("Change ") for sentence in said)
    assert (confirmed_changes(found), patch_of_changes(found)) == ([], "")


def test_a_set_that_other_deals_do_not_show_to_help_is_only_proposed(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects = {STRONG: 0.09}, {COINS: 0.03}
    found = search_changes(plan, fair_goal(plan, 0.02), GAMES, jobs=1)
    assert confirmed_changes(found)
    assert search_sections(found)[0].sentences[0].startswith("Change ")
    fresh, after = found.fresh, found.fresh.after
    away = replace(after, change=-after.change, change_low=-after.change_high, change_high=-after.change_low)
    assert not confirmed_changes(replace(found, fresh=replace(fresh, after=away)))
    still = replace(after, change_low=after.change - 0.2, change_high=after.change + 0.2)
    fair = replace(fresh.before, low=fresh.before.off - 0.2, high=fresh.before.off + 0.2)
    for doubtful in (replace(fresh, after=still), replace(fresh, before=fair)):
        doubted = replace(found, fresh=doubtful)
        said = search_sections(doubted)[0].sentences[0]
        assert said.startswith("The search proposes to change 1 printed number: ")
        assert said.endswith("Fresh deals do not confirm that this helps.")
        assert patch_of_changes(doubted) == ""


def test_changes_are_added_one_at_a_time_where_two_are_not_enough(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.2}
    made_up.effects = {COINS: 0.02, POINTS: 0.016, ORE: -0.015}  # the best pair leaves six points
    made_up.luck = SURE
    found = one_faction(plan)
    assert len(found.arm) == 3
    assert found.fresh.after.states(0.02) == ["within"]
    (section,) = search_sections(found)
    way = next(listing for listing in section.listings if listing.name == "way").frame
    assert way["expected"].abs().to_list() == sorted(way["expected"].abs(), reverse=True)
    assert {text.partition("=")[0] for text in confirmed_changes(found)} == {COINS, POINTS, ORE}
    assert confirmed_changes(one_faction(plan, quick=True)) == []  # a quick search makes one step


def test_a_faction_that_all_its_numbers_leave_off_is_said_to_be_out_of_reach(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.3}
    made_up.effects = {COINS: 0.03, POINTS: 0.02}
    found = one_faction(plan)
    assert found.stuck == {STRONG: "no printed number of it takes away a part of that"}
    said = search_sections(found)[0].sentences[0]
    assert said.startswith(f"No set of changes was found that makes {STRONG} fair. The nearest takes its edge from ")
    assert "points: coins at the start" in said
    assert confirmed_changes(found) == []


def test_of_a_target_that_stays_off_a_change_that_brings_it_nearer_is_kept(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects = {STRONG: 0.3}, {COINS: 0.05}
    assert [turn.text for turn, _ in search_changes(plan, fair_goal(plan, 0.02), GAMES, jobs=1).arm][:1] == [COINS]


@cache
def printed(name: str) -> tuple[GameSpec, Data]:
    """A game and its data as printed."""
    game = load_game(name)
    return game, game.load({})


def numbers_of(name: str, faction: str = "") -> list[Turn]:
    """All numbers of a faction, by default of the first one in the game."""
    game, data = printed(name)
    number = [one.name for one in data.factions].index(faction or data.factions[0].name)
    return numbers_in_parts(game, data, parts_of(game, data, number))


def test_copies_of_a_card_are_turned_together() -> None:
    game, data = printed("imperium")
    numbers = numbers_of("imperium", "Atlanteans B")
    turns = named_apart(copies_together(game, numbers))
    floods = [turn for turn in turns if turn.name.startswith("Flood")]
    assert [turn.name for turn in floods] == ["Flood (all 3): play: sink region in play"]
    assert len(floods[0].changes(2)) == 3
    assert check_loads(game, data, floods[0].changes(2))
    assert not any("min players" in turn.name for turn in turns)
    together = [text for turn in turns for text in (turn.text, *turn.copies)]
    assert sorted(together) == sorted(turn.text for turn in numbers)


def test_what_no_number_helps_is_left_with_the_reason(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.09}
    found = search_changes(plan, fair_goal(plan, 0.02), GAMES, jobs=1)
    assert found.arm == ()
    assert list(found.stuck) == [STRONG]
    said = " ".join(search_sections(found)[0].sentences)
    assert f"{STRONG} remains off" in said
    assert tomllib.loads(patch_of_changes(found)) == {"changes": []}


def test_an_interrupted_search_says_what_it_has_found(
    plan: Plan, made_up: MadeUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up.edges = {STRONG: 0.09, WEAK: -0.06}
    made_up.effects = {COINS: 0.03, WEAK_COINS: 0.03}
    goal, arms = fair_goal(plan, 0.02), list[tuple[str, ...]]()

    def play(arm: Plan, *rest: Any, **named: Any) -> ArmSums:
        if any(text.startswith(COINS) for text in arm.changes) and any(WEAK_COINS in text for text in arm.changes):
            raise KeyboardInterrupt
        arms.append(arm.changes)
        return made_up.play(arm, *rest, **named)

    for module in ("successive_halving", "engine"):
        monkeypatch.setattr(f"reports.studies.search.{module}.play_sums", play)
    found = "found so far, not confirmed on fresh deals: Rhodos B, coins at the start 3 to"
    with pytest.raises(KeyboardInterrupt, match=found):
        search_changes(plan, goal, GAMES, jobs=1)

    def interrupt(*_: object, **__: object) -> ArmSums:
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.studies.search.engine.play_sums", interrupt)
    with pytest.raises(KeyboardInterrupt, match="no change was found yet"):
        search_changes(plan, goal, GAMES, jobs=1)


class OneWay(MadeUp):
    """A number of points counts only above its printed value: by itself it makes a strong board stronger."""

    def edge_of(self, changes: tuple[str, ...]) -> np.ndarray[Any, np.dtype[np.float64]]:
        fewer = [text for text in changes if text.startswith(POINTS) and int(text.partition("=")[2]) < PRINTED_POINTS]
        return super().edge_of(tuple(text for text in changes if text not in fewer))


PRINTED_POINTS = 3


def test_a_number_that_is_too_coarse_is_corrected_by_one_that_goes_the_wrong_way_alone(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up = OneWay(plan, luck=SURE, apart=True).played_with(monkeypatch)
    made_up.edges, made_up.effects = {STRONG: 0.16}, {COINS: 0.12, POINTS: 0.04}
    assert find_knob(plan.game, plan.data, POINTS).present == PRINTED_POINTS
    told: list[str] = []
    found = one_faction(plan, quick=True, say=told.append)
    assert arm_changes(found.arm) == [f"{COINS}=1", f"{POINTS}={PRINTED_POINTS + 2}"]
    assert "1 of 9 numbers stay in the search, with 3 values" in told
    assert found.one is not None
    assert found.one.frame["state"][0] == "within"
    assert "surprising" not in found.one.frame["note"][0]  # it gives back what the other number takes too much
    assert confirmed_changes(found) == arm_changes(found.arm)
    assert "coins at the start is too coarse: 2 leaves +" in " ".join(search_sections(found)[0].sentences)
    # Without a number that gives back, the search names what is too coarse, and the nearer value to start from.
    made_up.effects = {COINS: 0.12}
    alone = one_faction(plan, quick=True)
    assert arm_changes(alone.arm) == [f"{COINS}=2"]
    assert helps_but_not_enough(alone)
    coarse = (
        r"On the deals of the search coins at the start is too coarse: 2 leaves \+4\.\d points and 1 leaves -[78]\."
    )
    assert any(re.match(coarse, one) for one in search_sections(alone)[0].sentences)


def test_a_search_on_top_of_changes_starts_from_their_values_and_writes_both(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = (f"{COINS}=1",)
    based = replace(plan, changes=base)
    made_up = MadeUp(based, luck=SURE, apart=True).played_with(monkeypatch)
    made_up.edges, made_up.effects = {STRONG: 0.04}, {COINS: 0.06, POINTS: 0.04}  # one coin leaves -0.08
    found = one_faction(based, quick=True)
    assert tomllib.loads(patch_of_changes(found))["changes"] == [*base, f"{POINTS}={PRINTED_POINTS + 2}"]
    assert found.fresh.before.off[0] < -0.07
    said = " ".join(search_sections(found)[0].sentences)
    assert f"As changed: with the changes from which the search started, {base[0]}." in said


def test_a_number_in_a_list_is_named_by_the_words_beside_it() -> None:
    names = {turn.name: turn.present for turn in numbers_of("imperial_settlers", "Japanese")}
    assert (names["Farm: production: gain worker"], names["Farm: production: gain food"]) == (1, 1)


def test_a_number_that_is_an_entry_of_a_list_of_its_own_can_be_turned() -> None:
    named = {turn.name: turn.text for turn in numbers_of("glory_of_rome")}
    assert named["denarii"] == "characters.toml#Marcus Antonius.numbers.2"
    assert "board: worker" in {turn.name for turn in numbers_of("imperial_settlers")}


def test_nothing_is_changed_in_a_fair_game(plan: Plan, made_up: MadeUp) -> None:
    made_up.effects = {COINS: 0.03}
    found = search_changes(plan, fair_goal(plan, 0.02), GAMES, jobs=1)
    assert (found.arm, found.steps, found.stuck) == ((), (), {})
    assert "No change is shown to be needed" in search_sections(found)[0].sentences[0]


def test_too_few_games_say_nothing(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.09}
    least = 20 * plan.block_games
    found = search_changes(plan, fair_goal(plan, 0.02), least, jobs=1)
    named = replace(found, searched=deviations(found.goal, made_up.play(plan, Watched(0), 0, least // 2)))
    assert search_sections(named)[0].sentences[0].startswith("Nothing can be said")


def test_a_change_that_the_others_have_made_needless_is_left_out(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges = {STRONG: 0.06}
    made_up.effects = {COINS: 0.03}
    search = ChangeSearch(plan, fair_goal(plan, 0.02), GAMES, 1)
    number = [faction.name for faction in plan.data.factions].index(STRONG)
    turns = {turn.text: turn for turn in numbers_in_parts(plan.game, plan.data, parts_of(plan.game, plan.data, number))}
    search.held = ((turns[COINS], 1), (turns[ORE], 4))
    now = drop_needless(search, search.evaluate(search.held))
    assert search.held == ((turns[COINS], 1),)
    assert not now.sure(0.02).any()


def test_the_best_players_are_asked_too_and_a_small_sample_says_so(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects = {STRONG: 0.06}, {COINS: 0.03}
    found = search_changes(plan, fair_goal(plan, 0.02), GAMES, top=(plan, 100), jobs=1)
    assert found.top is not None
    assert found.top.games == 100
    said = " ".join(search_sections(found)[0].sentences)
    assert "Too small a sample to tell" in said
    large = search_changes(plan, fair_goal(plan, 0.02), GAMES, top=(plan, 40_000), jobs=1)
    assert "Too small a sample" not in " ".join(search_sections(large)[0].sentences)


def test_a_target_is_reached_instead_of_fairness(plan: Plan, made_up: MadeUp, tmp_path: Path) -> None:
    made_up.effects = {COINS: 0.03, WEAK_COINS: 0.02}
    path = tmp_path / "wanted.toml"
    path.write_text(f'[shares]\n"{STRONG.lower()}" = 0.30\n[beats."{WEAK}"]\n"Gizah A" = 0.56\n', encoding="utf-8")
    goal = read_target(path, plan, 0.02)
    assert goal.names == (STRONG, f"{WEAK} ahead of Gizah A")
    found = search_changes(plan, goal, GAMES, jobs=1)
    changed = {turn.text: value for turn, value in found.arm}
    assert changed.keys() == {COINS, WEAK_COINS}
    assert min(changed.values()) > 3
    assert "Of 2 targets" in " ".join(search_sections(found)[0].sentences)


TARGETS = {
    '[shares]\n"Rodos B" = 0.3': "did you mean 'Rhodos B'",
    '[shares]\n"Rhodos B" = 30': "30 % is 0.3",
    '[shares]\n"Rhodos B" = -0.1': "allowed: 0 to 1",
    '[shares]\n"Rhodos B" = nan': "allowed: a finite number",
    '[shares]\n"Rhodos B" = "much"': "wanted.toml",
    '[shares]\n"Rhodos B" = 0.3\n"rhodos b" = 0.2': "named twice",
    '[share]\n"Rhodos B" = 0.3': "did you mean 'shares'",
    'others = "fare"\n[shares]\n"Rhodos B" = 0.3': "fair",
    'others = "fair"\n[shares]\n"Rhodos B" = 0.9': "are impossible together",
    '[beats."Rhodos B"]\n"Rhodos A" = 0.6': "never sit at one table",
    '[beats."Rhodos B"]\n"Rhodos B" = 0.6': "ahead of itself",
    '[beats."Rhodos B"]\n"Gizah A" = 0.6\n[beats."Gizah A"]\n"Rhodos B" = 0.4': "named twice",
    '[beats."Rhodos B"]\n"Gizah A" = 60': "0.6",
    'others = "free"': "sets no target",
}


@pytest.mark.parametrize("text", TARGETS)
def test_a_target_that_cannot_be_is_refused(plan: Plan, tmp_path: Path, text: str) -> None:
    path = tmp_path / "wanted.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as error:
        read_target(path, plan, 0.02)
    assert TARGETS[text] in str(error.value)
    assert "wanted.toml" in str(error.value)


def test_shares_of_all_must_leave_one_winner_a_game(plan: Plan, tmp_path: Path) -> None:
    path, names = tmp_path / "wanted.toml", [faction.name for faction in plan.data.factions]

    def asked(share: float, of: list[str], others: str = "free") -> Goal:
        rows = "\n".join(f'"{name}" = {share}' for name in of)
        path.write_text(f'others = "{others}"\n[shares]\n{rows}\n', encoding="utf-8")
        return read_target(path, plan, 0.02)

    assert len(asked(0.26, names).names) == 14  # each within the margin of a quarter
    assert len(asked(0.3, names[:1], "fair").names) == 14
    for share, of in ((0.30, names), (0.20, names), (0.9, names[:5])):
        with pytest.raises(UserError, match="are impossible together"):
            asked(share, of)


def test_the_target_file_of_the_docs_is_a_target(plan: Plan) -> None:
    goal = read_target(Path(__file__).parents[2] / "docs" / "examples" / "target.toml", plan, 0.02)
    assert goal.names == (STRONG, "Gizah A ahead of Halikarnassos B")
    assert goal.targets.tolist() == [0.30, 0.55]


def test_who_is_not_dealt_cannot_be_wanted(tmp_path: Path) -> None:
    few = ["Gizah A", "Ephesos A", "Olympia A"]
    plan = make_plan(RunConfig(game="seven_wonders", players=3, strategies=["random"], factions=few))
    path = tmp_path / "wanted.toml"
    path.write_text('[shares]\n"Rhodos B" = 0.3\n', encoding="utf-8")
    with pytest.raises(UserError, match="not dealt"):
        read_target(path, plan, 0.02)


# ---- Statistics ----


def test_who_is_ahead_is_counted_game_by_game() -> None:
    rng = np.random.default_rng(3)
    factions = np.array([rng.permutation(6)[:4] for _ in range(200)])
    ranks = rng.integers(1, 5, factions.shape)
    pairs = [(0, 1), (4, 2)]
    ahead, met = meetings(factions, ranks, pairs)
    for game, (at, rank) in enumerate(zip(factions.tolist(), ranks.tolist(), strict=True)):
        for column, (first, second) in enumerate(pairs):
            there = first in at and second in at
            assert met[game, column] == there
            if there:
                own, other = rank[at.index(first)], rank[at.index(second)]
                assert ahead[game, column] == (1 if own < other else 0.5 if own == other else 0)
    assert 0 < met.sum() < met.size


def test_one_thing_wanted_has_the_interval_of_a_faction_by_itself(plan: Plan, made_up: MadeUp) -> None:
    base = made_up.play(plan, Watched(0), 0, 800)
    after = made_up.play(replace(plan, changes=("wonders.toml#Alexandria A.coins_start=5",)), Watched(0), 0, 800)
    goal = replace(fair_goal(plan, 0.02), names=("Alexandria A",), shares=(0,), targets=np.array([0.25]))
    row, found = compare_with_base(plan, 0, base, after), deviations(goal, base, after)
    assert found.off[0] == pytest.approx(row["edge"])
    assert [found.low[0], found.high[0]] == pytest.approx([row["edge_low"], row["edge_high"]])
    assert found.change[0] == pytest.approx(-row["worth"])
    wide = deviations(fair_goal(plan, 0.02), base, after)
    assert wide.low[0] < found.low[0] < found.high[0] < wide.high[0]


def test_a_shorter_arm_is_off_by_the_whole_base_and_the_paired_change(plan: Plan, made_up: MadeUp) -> None:
    made_up.effects = {COINS: 0.03}
    changed = replace(plan, changes=(f"{COINS}=0",))
    goal = fair_goal(plan, 0.02)
    base = made_up.play(plan, Watched(0), 0, 4000)
    short = made_up.play(changed, Watched(0), 0, 400)
    whole = made_up.play(changed, Watched(0), 0, 4000)
    assert deviations(goal, base, short).off == pytest.approx(deviations(goal, base, whole).off)


@given(low=st.floats(-0.1, 0.1), wide=st.floats(0, 0.1), margin=st.floats(0.001, 0.05))
def test_an_interval_is_within_a_margin_outside_of_it_or_tells_neither(low: float, wide: float, margin: float) -> None:
    state, high = state_of(low, low + wide, margin), low + wide
    assert (state == "within") == (low >= -margin and high <= margin)
    assert (state == "out") == (low > margin or high < -margin)
    assert state_of(-high, -low, margin) == state
    assert state_of(float("nan"), high, margin) == "not known"


# ---- Directions ----


def test_prices_weaken_upwards_and_effects_downwards(plan: Plan) -> None:
    number = [faction.name for faction in plan.data.factions].index(WEAK)  # its first stage makes trade cheaper
    turns = numbers_in_parts(plan.game, plan.data, parts_of(plan.game, plan.data, number))
    for turn in turns:
        assert turn.weakens == (1 if ".cost." in turn.text or turn.text.endswith(".price") else -1), turn.text
        weaker = turn.present + turn.weakens
        assert turn.surprises(weaker, -0.05)
        assert not turn.surprises(weaker, 0.05)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["imperium", "imperial_settlers", "glory_of_rome"])
def test_most_numbers_of_every_game_say_which_way_weakens(name: str) -> None:
    turns = numbers_of(name)
    assert sum(turn.weakens != 0 for turn in turns) > len(turns) / 2


def test_a_surprising_direction_and_a_removal_rank_behind_what_comes_as_near() -> None:
    near = replace(made_up_gain("natural", 0.065), near=True)
    odd, removal = (replace(near, arm=cast("Any", (name,))) for name in ("odd", "removal"))
    odd, removal = replace(odd, surprising=True), replace(removal, removes=True)
    far = made_up_gain("far", 0.02)
    assert sorted([far, removal, odd, near], key=rank_key) == [near, odd, removal, far]


def test_a_surprising_change_is_told_with_a_note(plan: Plan, made_up: MadeUp) -> None:
    made_up.edges, made_up.effects = {STRONG: 0.09}, {COINS: -0.03}  # more coins make it weaker
    found = one_faction(plan)
    assert found.one is not None
    best = found.one.frame.row(0, named=True)
    assert best["text"] in (f"{COINS}=6", f"{COINS}=7")
    assert best["note"].startswith("surprising direction: more of an effect should make it stronger")
    assert any("surprising direction" in sentence for sentence in search_sections(found)[0].sentences)


def test_names_that_are_whole_changes_leave_the_figure_its_room() -> None:
    name = " and ".join(["Myths and Legends: play: fame cards looked at 2 to 0", "cost progress 2 to 6"] * 3)
    rows = [Moved(name, 0.4, 0.01, -0.01, 0.03, "undecided"), Moved("short", 0.4, 0.2, 0.18, 0.22, "out")]
    ax = before_after("changes", rows, 0.02, "said")[0].draw()
    (long, short) = (label.get_text().split("\n") for label in ax.get_yticklabels())
    assert short == ["short"]
    assert len(long) == NAME_LINES
    assert max(map(len, long)) <= NAME_WIDTH
    assert long[-1].endswith("...")
