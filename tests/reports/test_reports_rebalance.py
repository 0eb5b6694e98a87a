"""Which values a search may try, what it says of what it found, and real searches on few games."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from reports.statistics.core.crossing import Crossing
from reports.studies.search.parameters import Knob, find_knob, number_after
from reports.studies.search.rebalance import find_faction_knob, rebalance_grid, search_value
from reports.studies.search.rebalance_report import (
    NO_OTHERS,
    Confirmation,
    Rebalance,
    SearchGrid,
    is_too_far,
    patch_of_value,
    rebalance_section,
    value_sentences,
)
from reports.studies.search.search_report import games_of_report
from sim.commands.options import Options
from sim.commands.rebalance import (
    Left,
    RebalanceSearch,
    confirming_step,
    deciding_step,
    rebalance_values,
    step_after_value,
)
from sim.commands.sections import Places
from sim.data.changes import Limits
from sim.errors import UserError
from sim.game import load_game
from sim.runs.config import RunConfig
from tests.reports.conftest import Kept

GAME = load_game("seven_wonders")
DATA = GAME.load({})
COINS = Knob(
    "wonders.toml#Rhodos B.coins_start", "coins_start", "Rhodos B", 3, Limits(True, 0, 999), "coins at the start"
)
WEIGHT = Knob("balanced.toml#weights.military", "weights.military", "balanced", 1.75, Limits(False, None, None))


# ---- Knobs and ranges ----


def test_a_field_of_the_faction_row_is_a_knob_with_its_printed_value() -> None:
    assert find_faction_knob(GAME, DATA, "Rhodos B", "coins_start") == COINS
    stone = find_faction_knob(GAME, DATA, "Rhodos B", "stage.1.cost.wood")
    assert (stone.present, stone.name) == (0, "stage.1.cost.wood")
    assert find_faction_knob(GAME, DATA, "Rhodos B", "cards.toml#pawnshop.vp").present == 3
    assert find_faction_knob(GAME, DATA, "Rhodos B", "balanced.toml#weights.military").limits == WEIGHT.limits
    assert find_knob(GAME, DATA, "set#discounts_add_up").present is False, "a setting is a knob of a sweep"


@pytest.mark.parametrize(
    ("knob", "words"),
    [
        ("resource", "this knob is not a number"),
        ("vp", "this does not name exactly one number of this row"),
        ("stage.1.cost.ston", "did you mean 'stage.1.cost.stone'"),
        ("cards.toml#pawnshop.v", "Allowed: cards.toml#pawnshop.age, cards.toml#pawnshop.effects.1.vp"),
        ("coins_start=3", "name the number without a value"),
        ("set#discounts_add_up", "this knob is not a number"),
        ("cards.toml#pawnshop.colour", "this knob is not a number"),
    ],
)
def test_an_unknown_knob_is_named_with_those_there_are(knob: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        find_faction_knob(GAME, DATA, "Rhodos B", knob)


def test_every_number_that_a_message_names_can_be_searched() -> None:
    with pytest.raises(UserError) as error:
        find_faction_knob(GAME, DATA, "Rhodos B", "foo")
    named = str(error.value).partition("allowed: ")[2].split(", ")
    assert named[9:] == ["stage 1", "stage 2", "all"]  # the parts, which `--knob` takes too
    for name in named[:9]:
        knob = find_faction_knob(GAME, DATA, "Rhodos B", name)
        assert rebalance_grid(knob, None, None, None).printed == knob.present


def test_the_range_lies_round_the_printed_value_within_what_is_allowed() -> None:
    grid = rebalance_grid(COINS, None, None, None)
    assert (list(grid.values), grid.present, grid.printed) == (list(range(9)), 3, 3)
    assert list(rebalance_grid(COINS, 1, 7, 2).values) == [1, 3, 5, 7]
    assert list(rebalance_grid(COINS, 0, 7, 2).values) == [0, 2, 3, 4, 6, 7]
    weights = rebalance_grid(WEIGHT, 0, 4, 1.0)
    assert (list(weights.values), weights.printed) == ([0, 1, 1.75, 2, 3, 4], 1.75)
    assert len(rebalance_grid(WEIGHT, None, None, None).values) in (21, 22)


def test_default_ends_move_in_until_the_game_can_be_played() -> None:
    grid = rebalance_grid(COINS, None, None, None, lambda value: 2 <= value <= 5)
    assert list(grid.values) == [2, 3, 4, 5]
    assert list(rebalance_grid(COINS, 0, None, None, lambda value: 2 <= value <= 5).values) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("low", "high", "step", "words"),
    [
        (0, 2, None, r"\(found: '0 to 2'\); allowed: --high 3"),
        (3, 3, None, "must contain the printed value"),
        (-1, None, None, "allowed: 0 to 999, whole numbers"),
        (None, 1000, None, "allowed: 0 to 999"),
        (0.5, None, None, "whole numbers"),
        (None, None, 0.5, "a whole number from 1"),
        (None, None, 0, "not a step"),
        (None, None, float("nan"), "not a step"),
    ],
)
def test_an_impossible_range_is_named(low: float | None, high: float | None, step: float | None, words: str) -> None:
    with pytest.raises(UserError, match=words):
        rebalance_grid(COINS, low, high, step)


def test_too_many_steps_are_refused() -> None:
    with pytest.raises(UserError, match="the step is too small"):
        rebalance_grid(WEIGHT, 0, 4, 1e-7)


# ---- Words ----


def found(**fields: object) -> Rebalance:
    tried = pl.DataFrame({
        "value": [0.0, 2.0, 3.0], "edge": [-0.03, 0.008, 0.04], "low": [-0.04, 0.003, 0.03],
        "high": [-0.02, 0.013, 0.05], "error": [0.005, 0.0025, 0.005], "change": [-0.07, -0.032, 0.0],
        "change_low": [-0.08, -0.04, None], "change_high": [-0.06, -0.024, None],
    })  # fmt: skip
    others = pl.DataFrame({
        "table": ["faction", "faction"], "level": ["Gizah A", "Olympia B"], "edge_before": [0.0, 0.0],
        "edge_after": [0.004, -0.002], "change": [0.004, -0.002], "low": [0.001, -0.005], "high": [0.007, 0.001],
        "family_low": [0.0002, -0.006], "family_high": [0.0078, 0.002],
    })  # fmt: skip
    fresh = tried.filter(pl.col("value") > 0).with_columns(
        edge=pl.Series([0.006, 0.042]), low=pl.Series([0.001, 0.032]), high=pl.Series([0.011, 0.052])
    )
    given = {
        "faction": "Rhodos B", "confirmation": Confirmation(fresh, 2, ""),
        "title": "board", "knob": COINS, "grid": SearchGrid(np.arange(9.0), 3, True),
        "config": RunConfig(game="seven_wonders", games=20_000), "outcome": "fair",
        "crossing": Crossing(1.6, 1.3, 2.0, False, False), "winding": False, "tried": tried, "best": 2,
        "others": others,
    }  # fmt: skip
    return Rebalance(**{**given, **fields})  # type: ignore[arg-type]


def test_what_a_search_says_is_as_kept(kept: Kept) -> None:
    same = {"outcome": "not needed", "best": 3, "confirmation": None, "others": NO_OTHERS}
    wide = found().tried.with_columns(low=pl.col("edge") - 0.1, high=pl.col("edge") + 0.1)
    fresh = found().confirmation
    assert fresh is not None
    worlds = {
        "a fair value": found(),
        "the printed value is among the fair ones": found(**same, crossing=Crossing(5.0, 3.0, 6.0, False, False)),
        "no change is needed, and no fair value known": found(**same, crossing=None),
        "too few games to see an effect": found(**same | {"outcome": "no effect"}, crossing=None, tried=wide),
        "no effect": found(**same | {"outcome": "no effect"}, crossing=None),
        "the printed value is off, and the best": found(
            **same | {"outcome": "fair"}, crossing=Crossing(3.2, 3.1, 3.3, False, False)
        ),
        "out of range": found(outcome="out of range", crossing=None, winding=True),
        "one block": found(outcome="one block", crossing=None),
        "open below": found(crossing=Crossing(0.2, 0.0, 0.5, True, False)),
        "open above": found(crossing=Crossing(7.5, 7.0, 8.0, False, True)),
        "open at both ends": found(crossing=Crossing(4, 0, 8, True, True)),
    }
    doubted = {
        f"not confirmed: {doubt}": found(confirmation=replace(fresh, doubt=doubt))
        for doubt in ("printed", "change", "left")
    }
    assert all(rebalance_values(one)["confirmed"] is False for one in doubted.values())
    kept("search of one number", {name: one.sections for name, one in (worlds | doubted).items()})


def test_a_number_that_is_too_coarse_is_named_with_what_both_values_leave() -> None:
    tried = found().tried
    gap = {
        "tried": tried.with_columns(value=pl.Series([1.0, 2.0, 3.0])),
        "crossing": Crossing(1.6, 1.3, 1.9, False, False),
    }
    said = " ".join(rebalance_section(found(**gap)).sentences)
    assert "so it is not quite fair; coins at the start is too coarse, since 1 leaves -3.0 points observed." in said
    assert "too coarse" not in " ".join(rebalance_section(found()).sentences)  # 1 was not tried
    assert is_too_far(found(**gap), 0.005)
    assert not is_too_far(found(**gap), 0.01)  # the edge of 0.6 points lies within the margin
    fresh = found().confirmation
    assert fresh is not None
    assert not is_too_far(found(confirmation=replace(fresh, doubt="left")), 0.005)


def test_after_a_number_that_is_too_coarse_another_one_is_searched_on_top(monkeypatch: pytest.MonkeyPatch) -> None:
    base, coins = ("wonders.toml#Gizah A.coins_start=1",), f"{COINS.text}=2"
    patch = f"changes = ['{coins}']"
    config = RunConfig(game="seven_wonders", games=20_000, seed=6, changes=list(base))
    for file, changes in (
        (Path("fair.toml"), "--change @fair.toml --patch fair-2.toml"),
        (None, f"--change '{base[0]}' --change '{coins}'"),
    ):
        search = search_of(monkeypatch, config, 1e-4, "rebalance", "--players", "4", margin=0.5, patch=file, base=base)
        step = step_after_value(search, found(base=base), patch)
        assert step is not None
        said = f"empirelab rebalance seven_wonders --faction 'Rhodos B' --knob all {changes}"
        assert step.commands == (f"{said} --players 4 --seed 6 --margin 0.5",)
        assert step.said.startswith("From coins at the start = 2, search another number of Rhodos B on top (about ")
        near = step_after_value(replace(search, options=Options(margin=2.0)), found(base=base), patch)
        assert near is not None
        assert near.commands[0].startswith("empirelab compare seven_wonders --change")
        assert near.commands[0].endswith(" --seed 9 --players 4 --margin 2")
        assert "No run of a few minutes" not in near.said
        assert step_after_value(search, found(base=base, confirmation=None), "") is None


def search_of(
    monkeypatch: pytest.MonkeyPatch, config: RunConfig, seconds: float, *typed: str, margin: float = 1.0,
    patch: Path | None = None, base: tuple[str, ...] = (),
) -> RebalanceSearch:  # fmt: skip
    """A search as typed, on a machine that takes this many seconds a game."""
    monkeypatch.setattr("sys.argv", ["empirelab", *typed])
    monkeypatch.setattr("sim.runs.run.seconds_per_game", lambda *_: seconds)
    return RebalanceSearch(Options(margin=margin), config, GAME, Places(None, None, False), patch, base)


def judged(factions: int = 14) -> Any:
    """A finished search that judges this many factions."""
    return SimpleNamespace(
        goal=SimpleNamespace(margin=0.02), fresh=SimpleNamespace(games=8000), base=(),
        plan=SimpleNamespace(factions=range(factions)),
    )  # fmt: skip


def test_a_comparison_within_a_wider_margin_says_what_that_means(monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of(monkeypatch, RunConfig(game="seven_wonders", games=1000), 0.01)
    step = confirming_step(search, f"changes = ['{COINS.text}=2']", Left("Rhodos B", 0.02, 0.01, 14))
    assert step is not None
    assert step.commands[0].endswith(" --seed 4 --games 15000 --margin 3")
    assert "then Rhodos B may win up to 3 points more or less than fair" in step.said


@pytest.mark.parametrize(
    ("edge", "reach", "seconds", "said", "commands"),
    [
        (0.005, 0.03, 0.0001, "Stop here, or decide whether Rhodos B is fair within 2 points as printed with about", 2),
        (0.005, 0.03, 1.0, "Stop here: to decide whether Rhodos B is fair within 2 points as printed takes about", 0),
        (0.005, None, 0.0001, "Too few games to say how many decide whether", 0),
    ],
)
def test_where_no_change_is_needed_the_next_step_is_to_stop_or_minutes_of_games(
    monkeypatch: pytest.MonkeyPatch, edge: float, reach: float | None, seconds: float, said: str, commands: int
) -> None:
    config = RunConfig(game="seven_wonders", games=1000, strategies=["balanced", "military"])
    search = search_of(monkeypatch, config, seconds)
    low, high = (None, None) if reach is None else (edge - reach, edge + reach)
    row = {"name": "Rhodos B", "before": edge, "before_low": low, "before_high": high}
    step = deciding_step(search, judged(), row | {"state_before": "undecided"})
    assert step is not None
    assert step.said.startswith(said)
    assert len(step.commands) == commands
    assert deciding_step(search, judged(), row | {"state_before": "within"}) is None


def test_a_report_that_judges_more_factions_or_players_needs_more_games_to_decide_one() -> None:
    row = {"before": 0.005, "before_low": -0.025, "before_high": 0.035}
    asked = ((2, 1), (14, 1), (14, 3), (14, 2))
    games = [games_of_report(judged(factions), row, players) or 0 for factions, players in asked]
    assert 0 < games[0] < games[1] < games[2] < games[3]


def test_the_printed_value_is_that_after_the_changes_from_which_a_search_starts() -> None:
    base = ["wonders.toml#rhodos-b.coins start=5", "cards.toml#pawnshop.vp=4"]
    for text, value in ((COINS.text, 5), ("wonders.toml#Gizah B.coins_start", 3), ("cards.toml#Pawnshop.vp", 4)):
        assert number_after(GAME, text, 3, base) == value


def test_the_best_value_is_written_as_changes_to_play() -> None:
    written = patch_of_value(found(), "7 Wonders")
    assert tomllib.loads(written) == {"changes": [f"{COINS.text}=2"]}
    assert "# Rhodos B would be fair with coins at the start = 1.6" in written
    stays = found(best=3, confirmation=None, others=NO_OTHERS)
    assert tomllib.loads(patch_of_value(stays, "7 Wonders")) == {"changes": []}
    # A search on top of changes writes them with the new one.
    base = ("wonders.toml#Gizah A.coins_start=1", "wonders.toml#rhodos b.coins start=3")
    done = found(base=base)
    assert done.changes == (base[0], "wonders.toml#Rhodos B.coins_start=2")
    assert found(base=base, best=3).changes == base
    text = patch_of_value(done, "7 Wonders")
    assert tomllib.loads(text) == {"changes": list(done.changes)}
    assert f"# As changed: with the changes from which the search started, {base[0]}" in text


# ---- Real games ----


@pytest.mark.usefixtures("compiled_only")
def test_a_real_search_finds_a_value_and_what_it_does_to_others() -> None:
    config = RunConfig(game="seven_wonders", games=1500, seed=2)
    asked: list[tuple[float, int]] = []
    done = search_value(config, "rhodos b", "coins_start", jobs=1, trying=lambda knob, *of: asked.append(of))
    tried = [value for value, seed in asked if seed == 2]
    assert tried[:3] == [3, 0, 8]
    assert len(tried) == len(set(tried)) == done.tried.height
    assert done.outcome == "fair"
    assert done.crossing is not None
    assert 0 <= done.crossing.place <= 3
    assert done.best in (0, 1)
    assert asked[len(tried) :] == [(3, 3), (done.best, 3)]
    assert done.confirmation is not None
    assert done.confirmation.tried["value"].to_list() == [done.best, 3]
    assert not done.confirmation.tried["edge"].is_in(done.tried["edge"].to_list()).any()
    assert "Rhodos B" not in done.others["level"].to_list()
    assert done.others.filter(pl.col("level") == "Rhodos A")["change"].to_list() == [0.0]
    assert json.loads(json.dumps(rebalance_values(done), allow_nan=False))["printed"] == 3


@pytest.mark.usefixtures("compiled_only")
def test_a_board_that_is_not_shown_to_be_off_is_left_alone() -> None:
    """Twelve blocks say next to nothing of Gizah B, but 30 coins more surely help it."""
    config = RunConfig(game="seven_wonders", games=240, seed=2)
    done = search_value(config, "Gizah B", "coins_start", high=40, jobs=1)
    assert done.outcome == "not needed"
    assert value_sentences(done)[0].startswith(
        "No change is shown to be needed: as printed, with coins at the start = 3,"
    )
    values = rebalance_values(done)
    assert (values["best"], values["confirmed"], values["fresh"], values["others"]) == (3, None, [], [])


def test_a_search_on_too_few_games_says_so() -> None:
    config = RunConfig(game="seven_wonders", games=1, players=3)
    done = search_value(config, "Rhodos B", "coins_start", jobs=1)
    assert done.outcome == "one block"
    assert "fewer than two blocks" in value_sentences(done)[0]
    json.dumps(rebalance_values(done), allow_nan=False)


def test_a_faction_that_is_not_dealt_cannot_be_balanced() -> None:
    with pytest.raises(UserError, match="has no rivals or is not dealt"):
        search_value(RunConfig(game="seven_wonders", factions=["A"]), "Rhodos B", "coins_start")


def test_the_figure_draws_every_value_the_fair_line_and_the_values_that_may_be_fair() -> None:
    (picture,) = found().sections[0].pictures
    ax = picture.draw()
    assert [text.get_text() for text in ax.texts] == ["fair", "as printed", "proposed"]
    assert "values that may be fair" in ax.get_xlabel()
    assert (1.6, 0.0) in [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_marker() == "D"]
