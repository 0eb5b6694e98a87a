"""What the page answers when it is asked: in a real browser, against win rates of the rows that were chosen."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, STRATEGIES, Truth, play, write_rows, write_run

import reports.data.filter_sums
from reports.data.load import Run, load_run
from reports.data.moments import block_moments
from reports.sections.core.shares import asked_data, share_report
from reports.statistics.compare.filter_stats import Choices, asked_columns, choices_of
from reports.statistics.core.win_rate import edge_columns

SCRIPT = Path(reports.data.filter_sums.__file__).parents[1] / "render" / "templates" / "win_rates.js"
FEW = Truth(
    blocks=60, factions=dict.fromkeys(FACTIONS[:5], 0.0) | {FACTIONS[0]: 9.0},
    strategies={name: STRATEGIES[name] for name in ("random", "science", "balanced", "trade")},
)  # fmt: skip
COLUMNS = {
    "share": "win_rate", "low": "low", "high": "high", "fair": "null", "edge": "edge", "edgeLow": "edge_low",
    "edgeHigh": "edge_high", "games": "N", "blocks": "blocks",
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of tables of three and of four, in two variants."""
    small, large = play(replace(FEW, players=3, seed=2)), play(FEW)
    shift = [pl.col("game") + small["game"].n_unique(), pl.col("block") + small["block"].n_unique()]
    rows = pl.concat([small, large.with_columns(shift)])
    variants = pl.Series(["plain", "fancy"], dtype=pl.Enum(["plain", "fancy"]))
    rows = rows.with_columns(variant=variants.gather(rows["block"] % 2))
    own = {"players": [3, 4], "variants": ["plain", "fancy"], "variant": "plain and fancy"}
    return load_run(write_rows(tmp_path_factory.mktemp("asked") / "run", rows, FEW, **own))


@pytest.fixture(scope="module")
def choices(run: Run) -> Choices:
    found = choices_of(run)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def calculator(browser: Any) -> Iterator[Any]:
    """A page that knows the statistics of the script and nothing else."""
    page = browser.new_page()
    page.add_script_tag(path=SCRIPT)
    yield page
    page.close()


def some_choices(choices: Choices, at: int, rng: np.random.Generator) -> dict[str, list[int] | None]:
    """Any choice that a reader can make of one of the tables: places of levels, None for all."""
    question, chosen = choices.sums[at].question, dict.fromkeys(choices.levels)
    for name, levels in choices.levels.items():
        if rng.random() < 0.6:
            continue
        if name == "strategy" and choices.every_company:
            chosen[name] = np.flatnonzero(rng.random(len(levels)) < 0.6).tolist()
        elif name in ("players", "variant", question.rows, *question.others):
            chosen[name] = [int(rng.integers(len(levels)))]
    return chosen


def in_browser(page: Any, choices: Choices, asked: list[tuple[int, dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Rows that the page's script finds for each choice."""
    script = """([asked, questions]) => questions.map(([at, chosen]) => winRates(asked, asked.tables[at],
        Object.fromEntries(Object.entries(chosen).map(([name, own]) => [name, own && new Set(own)]))))"""
    data = json.loads(json.dumps(asked_data(choices), allow_nan=False))
    found: list[list[dict[str, Any]]] = page.evaluate(script, [data, asked])
    return found


def in_python(seats: pl.LazyFrame, choices: Choices, at: int, chosen: dict[str, Any]) -> dict[Any, dict[str, Any]]:
    """The same from the rows themselves, by level."""
    for name, places in chosen.items():
        if places is not None:
            seats = seats.filter(pl.col(name).cast(pl.String).is_in([str(choices.levels[name][one]) for one in places]))
    rows = choices.sums[at].question.rows
    moments = block_moments(seats, [rows], 4)
    sums = {name: moments[name].to_numpy().astype(np.float64) for name in moments.columns if name != rows}
    columns = {**sums, **edge_columns(sums)} if moments.height else sums
    own = {name: columns[place] for name, place in COLUMNS.items() if place in columns}
    return {
        level: {name: None if np.isnan(own[name][place]) else own[name][place] for name in own}
        for place, level in enumerate(moments[rows].to_list())
    }


@pytest.mark.parametrize("every_company", [True, False], ids=["any players", "one player or all"])
def test_whatever_is_chosen_the_page_finds_what_python_finds(
    run: Run, calculator: Any, every_company: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not every_company:
        monkeypatch.setattr(reports.data.filter_sums, "MAX_COMPANIES", 3)
    choices = choices_of(run)
    assert choices is not None
    assert choices.every_company == every_company
    rng = np.random.default_rng(1)
    asked = [(at, some_choices(choices, at, rng)) for at in range(len(choices.sums)) for _ in range(8)]
    seats, compared = asked_columns(run)[0].collect().lazy(), 0
    for (at, chosen), rows in zip(asked, in_browser(calculator, choices, asked), strict=True):
        expected = in_python(seats, choices, at, chosen)
        levels = choices.levels[choices.sums[at].question.rows]
        assert {levels[row["row"]] for row in rows} == set(expected)
        for row in rows:
            own = expected[levels[row["row"]]]
            assert {name for name in own if row[name] is None} == {name for name in own if own[name] is None}
            known = {name: value for name, value in own.items() if value is not None}
            assert {name: row[name] for name in known} == pytest.approx(known, rel=1e-9, abs=1e-12)
            compared += 1
    assert compared > 80


def test_all_games_give_the_tables_of_the_report(run: Run, choices: Choices, calculator: Any) -> None:
    everything = [(at, dict.fromkeys(choices.levels)) for at in range(len(choices.sums))]
    report = share_report(run)
    for (at, _), rows in zip(everything, in_browser(calculator, choices, everything), strict=True):
        column = choices.sums[at].question.rows
        table = report.tables[column.removeprefix("attribute ")].frame
        known = dict(zip(table["level"], table.select("low", "high").rows(), strict=True))
        names = [f"seat {level}" if column == "seat" else level for level in choices.levels[column]]
        for row in rows:
            assert (row["low"], row["high"]) == pytest.approx(known[names[row["row"]]], rel=1e-9)


@pytest.mark.parametrize("freedom", [1, 30, 100, 101, 250, 100_000])
def test_quantiles_of_the_page_are_those_of_student(calculator: Any, choices: Choices, freedom: int) -> None:
    from scipy import stats  # noqa: PLC0415

    quantiles = asked_data(choices)["quantiles"]
    found = calculator.evaluate("([freedom, quantiles]) => quantileOf(freedom, quantiles)", [freedom, quantiles])
    assert found == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)


def test_games_of_one_player_are_left_out(tmp_path: Path) -> None:
    truth = replace(FEW, endings=("lost", "won"), goal=48)
    alone, several = play(replace(truth, players=1)), play(replace(truth, players=3))
    shift = [pl.col(name) + alone[name].n_unique() for name in ("game", "block")]
    rows = pl.concat([alone, several.with_columns(shift)])
    found = choices_of(load_run(write_rows(tmp_path / "run", rows, truth, players=[1, 3])))
    assert found is not None
    assert found.left_out == alone.height
    assert found.levels["players"] == [3]


def test_nothing_is_asked_where_every_game_has_one_player(tmp_path: Path) -> None:
    alone = Truth(blocks=40, players=1, goal=48, endings=("lost", "won"))
    assert choices_of(load_run(write_run(tmp_path / "alone", alone))) is None


def test_sums_do_not_depend_on_how_much_is_read_at_a_time(
    run: Run, choices: Choices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reports.data.games.ROWS", 400)
    again = choices_of(run)
    assert again is not None
    assert [sums.companies for sums in again.sums] == [sums.companies for sums in choices.sums]
    assert asked_data(again) == asked_data(choices)


def test_a_run_without_factions_is_asked_by_seat_and_strategy(tmp_path: Path) -> None:
    found = choices_of(load_run(write_run(tmp_path / "run", replace(FEW, factions={}))))
    assert found is not None
    assert [sums.question.rows for sums in found.sums] == ["seat", "strategy"]


def test_a_table_of_block_counts_grows_as_blocks_come(
    run: Run, choices: Choices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports.data.filter_sums, "SLOTS", 2)
    assert choices_of(run) == choices
