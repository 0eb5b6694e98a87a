"""What players have learnt from the printed game does not count where it is compared with a changed one."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from reports.model import Section
from reports.sections.compare.robustness import Tried, sensitivity_finding
from reports.sections.factions.parts import parts_section
from reports.sections.pieces.piece_effects import intervention_section
from reports.statistics.compare.paired import paired_differences, paired_moments
from reports.studies.api import fair_value, sweep
from reports.studies.compare.arms import knowing_alike, play_arms
from reports.studies.compare.compare import compare_runs
from reports.studies.parts.explain_parts import play_parts
from reports.studies.parts.intervene import changed_plan, play_intervention, without_lessons
from reports.studies.parts.parts import faction_and_parts
from reports.studies.price.report import played_sections
from reports.studies.price.start_goods import prices_played
from reports.studies.search.engine import search_changes
from reports.studies.search.goals import fair_goal
from reports.studies.search.search_report import search_sections
from reports.studies.sensitivity.report import describe_tried, sensitivity_section
from reports.studies.sensitivity.sensitivity import Alternative, play_sensitivity
from sim.runs.config import RunConfig, make_plan
from sim.runs.simulate import simulate

SAID = "players do not use learned bonuses"
WARNED = "The players rely on lessons that they learned from the printed game"
ELEPHANTS = (
    '[["others", ["recall", "region", 1]], ["may", ["choose", [["cost", [["discard", "any", 1]], [["break_through", '
    '["region"]]]]], [["cost", [["pay", "material", 3]], [["break_through", ["tributary"]]]]]]]]'
)
CHANGES = {
    "cards of a nation": ("imperium", [f"mauryans.toml#{card}.play={ELEPHANTS}" for card in ("MAU12", "MAU13")]),
    "a card of a faction": ("imperial_settlers", ["romans.toml#Sculptor's Apprentice.action.uses=1"]),
    "a price on the board": ("glory_of_rome", ["board.toml#military 1.price=0"]),
}
CHANGE = "cards.toml#pawnshop.vp=9"
RICH = Alternative("Gizah A is rich", {}, ("wonders.toml#Gizah A.coins_start=90",))
READ_OTHERWISE = Alternative("discounts add up", {"discounts_add_up": True})


def taught(**options: Any) -> RunConfig:
    """A run of 7 Wonders whose players have lessons."""
    return RunConfig.model_validate({"game": "seven_wonders", "players": 3, "strategies": ["taught"]} | options)


def with_changes(config: RunConfig, *changes: str) -> RunConfig:
    """A run with changes."""
    return config.model_copy(update={"changes": [*config.changes, *changes]})


def found_between(arms: Sequence[RunConfig], games: int) -> pl.DataFrame:
    """What changes from one arm to the other for every faction."""
    with play_arms(dict(zip("ab", arms, strict=True)), games, jobs=1) as runs:
        keys = ["faction"]
        return paired_differences(paired_moments(runs["a"], runs["b"], keys), keys).sort(keys)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_does_as_much_as_among_players_without_lessons(name: str) -> None:
    game, changes = CHANGES[name]
    plain = RunConfig(game=game, players=2, strategies=["balanced"])
    ignorant = with_changes(plain, "balanced.toml#lessons=0")
    compared = found_between(knowing_alike(plain, with_changes(plain, *changes)), 24)
    assert compared.equals(found_between((ignorant, with_changes(ignorant, *changes)), 24))
    assert not compared.equals(found_between((plain, with_changes(plain, *changes)), 24))


def test_players_who_look_ahead_and_soft_ones_do_without_lessons_too() -> None:
    arms = knowing_alike(taught(strategies=["taught+2", "taught@0.5"]), with_changes(taught(), CHANGE))
    assert [player.weights["lessons"] for arm in arms for player in make_plan(arm).strategies] == [0, 0, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (taught(), taught(seed=2)),
        (taught(), taught(strategies=["balanced"])),
        (taught(), with_changes(taught(), "taught.toml#lessons=0.5")),
        (taught(), with_changes(taught(), "taught.toml#lessons=0.5", CHANGE)),
        (taught(), with_changes(taught(), "lessons.toml#Altar 1.build=[0.0, 0.0]")),
        (taught(strategies=["balanced"]), with_changes(taught(strategies=["balanced"]), CHANGE)),
        (
            RunConfig(game="glory_of_rome"),
            with_changes(RunConfig(game="glory_of_rome"), "characters.toml#Fulvia.votes=4"),
        ),
    ],
)
def test_lessons_count_where_the_game_is_the_same_or_they_say_nothing_of_the_change(
    one: RunConfig, other: RunConfig
) -> None:
    assert knowing_alike(one, other) == (one, other)


def test_a_setting_concerns_lessons_as_a_card_does() -> None:
    one, other = knowing_alike(taught(), taught(settings={"discounts_add_up": True}))
    assert one.changes == other.changes == ["taught.toml#weights.lessons=0"]


def by_sweep(options: dict[str, Any], folder: Path) -> Sequence[Section]:
    return sweep("seven_wonders", {"wonders.toml#Rhodos B.coins_start": [2, 3]}, jobs=1, **options).sections


def by_search(options: dict[str, Any], folder: Path) -> Sequence[Section]:
    return fair_value("seven_wonders", "Rhodos B", "coins_start", low=2, high=4, jobs=1, **options).sections


def by_card(options: dict[str, Any], folder: Path) -> Sequence[Section]:
    return [intervention_section(play_intervention(plan_with(options), 60, [0], jobs=1))]


def by_part(options: dict[str, Any], folder: Path) -> Sequence[Section]:
    plan = plan_with(options)
    number, parts = faction_and_parts(plan.game, plan.data, "Rhodos B")
    return [parts_section(play_parts(plan, number, parts[:1], 240, ["none"], jobs=1))]


def by_race(options: dict[str, Any], folder: Path) -> Sequence[Section]:
    plan = plan_with(options)
    number, parts = faction_and_parts(plan.game, plan.data, "Rhodos B")
    return search_sections(search_changes(plan, fair_goal(plan, 0.9, [number]), 60, parts=parts[-1:], jobs=1))


def by_set(options: dict[str, Any], folder: Path) -> Sequence[Section]:
    plan = plan_with(options)
    top = make_plan(RunConfig(game="seven_wonders", players=3, strategies=["taught@1"])), 60
    return search_sections(search_changes(plan, fair_goal(plan, 0.9), 60, top=top, jobs=1))


def by_price(options: dict[str, Any], folder: Path) -> Sequence[Section]:
    simulate("seven_wonders", out=folder / "run", jobs=1, progress=False, **options)
    return played_sections(prices_played(folder / "run", "coins_start", "Rhodos B", 60, jobs=1), "Rhodos B", 0.01)


def plan_with(options: dict[str, Any]) -> Any:
    """The plan of a run with some options."""
    return make_plan(RunConfig.model_validate({"game": "seven_wonders"} | options))


@pytest.mark.parametrize("study", [by_sweep, by_search, by_card, by_part, by_race, by_set, by_price])
def test_every_study_that_changes_the_game_says_that_lessons_are_off(
    study: Callable[[dict[str, Any], Path], Sequence[Section]], tmp_path: Path
) -> None:
    options = {"games": 60, "players": 3, "strategies": ["taught"]}
    assert sum(SAID in line for section in study(options, tmp_path / "a") for line in section.sentences) == 1
    if study is by_card:  # kept pages show the other studies with players who have no lessons
        plain = study(options | {"strategies": ["balanced"]}, tmp_path / "b")
        assert not any(SAID in line for section in plain for line in section.sentences)


@pytest.mark.sweep
@pytest.mark.parametrize("other", [RICH, READ_OTHERWISE])
def test_guesses_are_tried_among_players_without_lessons_and_a_report_says_so(other: Alternative) -> None:
    played = taught(games=60)
    found, ignorant = (
        play_sensitivity(config, [other], jobs=1) for config in (played, with_changes(played, "taught.toml#lessons=0"))
    )
    assert found.judged["faction"].edges.equals(ignorant.judged["faction"].edges)
    assert found.manifest.tables == make_plan(played).data.digest
    assert sum(SAID in line for line in sensitivity_section(found).sentences) == 1
    tried = Tried.model_validate(describe_tried(found))
    assert SAID in sensitivity_finding(tried, [{"table": "faction", "name": "Gizah A"}]).headline


@pytest.mark.sweep
def test_two_runs_of_players_with_lessons_are_compared_with_a_warning(tmp_path: Path) -> None:
    def run(name: str, *changes: str) -> Path:
        simulate("seven_wonders", games=12, players=3, changes=changes, out=tmp_path / name, jobs=1, progress=False,
                 strategies=["balanced" if name.startswith("plain") else "taught"])  # fmt: skip
        return tmp_path / name

    printed, changed, hot = run("a"), run("b", CHANGE), run("c", "taught.toml#temperature=0.1")
    assert WARNED in repr(compare_runs(printed, changed))
    assert WARNED not in repr(compare_runs(printed, hot))
    assert WARNED not in repr(compare_runs(run("plain a"), run("plain b", CHANGE)))


def test_a_change_is_made_beside_those_that_a_run_has_or_in_the_place_of_one() -> None:
    plan = make_plan(taught(changes=[CHANGE, "taught.toml#temperature=1"]))
    more = changed_plan(without_lessons(plan, [CHANGE]), ["cards.toml#altar.vp=7"])
    by_name = {card.name: card.effects[0].vp for card in more.data.catalog.cards if card.name in ("Pawnshop", "Altar")}
    assert by_name == {"Pawnshop": 9, "Altar": 7}
    assert more.strategies[0].weights["lessons"] == 0
    assert changed_plan(plan, ["cards.toml#pawnshop.vp=1"]).changes[-1:] == ("cards.toml#pawnshop.vp=1",)
