"""`import empirelab` is the one name a user needs."""

import doctest
import re
from inspect import signature
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import empirelab
from sim.runs.replay import replay
from sim.runs.simulate import simulate
from tests.kit.processes import in_process


def test_the_examples_of_the_documentation_run(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workplace)
    found = doctest.testmod(empirelab, extraglobs={"empirelab": empirelab})
    assert found.attempted > 10
    assert found.failed == 0


def test_everything_that_is_offered_is_documented() -> None:
    undocumented = [name for name in empirelab.__all__ if not getattr(empirelab, name).__doc__]
    assert undocumented == []
    assert [
        name for name in vars(empirelab.Run) if not name.startswith("_") and not vars(empirelab.Run)[name].__doc__
    ] == []


def test_simulate_takes_the_options_of_the_engine_and_says_what_they_are() -> None:
    assert list(signature(empirelab.simulate).parameters) == list(signature(simulate).parameters)
    said = str(empirelab.simulate.__doc__)
    for name in signature(simulate).parameters:
        assert re.search(rf"^    .*\b{name}\b", said, re.MULTILINE), name
    assert "pathlib" not in said
    assert re.search(r"Returns\n    -------\n    Run\n", said)


def test_a_run_stands_for_its_folder(run: empirelab.Run) -> None:
    assert Path(run) == run.folder
    assert empirelab.Run(run).manifest == run.manifest


def test_a_run_shows_what_was_played_the_verdict_and_a_figure_in_a_notebook(run: empirelab.Run) -> None:
    shown = run._repr_html_()
    assert "400 games of 4 players in 100 blocks" in shown
    assert 'data-figure="faction"' in shown
    assert "data:image/svg+xml," in shown
    headline = re.search(r"<strong>(.*?)</strong>", shown)
    assert headline is not None
    assert headline[1].startswith(("Out of balance", "Nothing", "No "))


def test_a_table_prints_its_rows_at_a_prompt(run: empirelab.Run) -> None:
    lines = repr(run.table("faction")).splitlines()
    assert lines[0] == "Win rate by board"
    for level in run.table("faction").frame["level"]:
        assert any(line.strip().startswith(level) for line in lines)
    long = run.table("strategy x faction")
    assert f"And {long.frame.height - 15} rows more in .frame." in repr(long)
    assert max(map(len, lines)) <= 100


def test_a_game_is_told_as_the_command_tells_it(run: empirelab.Run) -> None:
    told = run.game(12)
    assert told.splitlines() == list(replay(run.folder, 12))
    assert repr(told) == told


def test_runs_on_the_same_deals_are_compared(run: empirelab.Run) -> None:
    options = {"games": 400, "strategies": "balanced,military", "jobs": 1, "progress": False}
    other = empirelab.simulate("seven_wonders", **options, changes=["cards.toml#pawnshop.vp=9"])
    compared = run.compare(other, "as printed", "a dear Pawnshop")
    assert compared.apart == ""
    assert (compared.title_a, compared.title_b) == ("as printed", "a dear Pawnshop")
    assert compared.tables["strategy"].frame["change"].null_count() == 0


def test_the_run_itself_is_no_other_condition(run: empirelab.Run) -> None:
    with pytest.raises(empirelab.UserError, match="field with: --with lists the same run twice"):
        run.report(run.folder)


def test_a_faction_is_explained_and_priced_as_the_commands_do(run: empirelab.Run) -> None:
    found = run.explain("rhodos b", budget=900, jobs=1, progress=False)
    assert [section.name for section in found][:2] == ["why", "parts"]
    assert found.section("parts").listings[0].frame.height > 2
    assert repr(found).startswith(found[0].title)
    assert "Games to look at" in found._repr_html_()
    prices = run.price()
    assert prices[0].name == "price"
    assert prices[0].listings[0].frame.height == 14
    coins = run.price("Rhodos B", goods="coins_start", games=60, jobs=1)
    assert coins[0].listings[0].frame["faction"].to_list() == ["Rhodos B"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda run: empirelab.open("runs/none"), "no such run folder"),
        (lambda run: run.table("fraction"), "did you mean 'faction'?"),
        (lambda run: run.game(400), "allowed: 0 to 399"),
        (lambda run: run.compare("runs/none"), "no such run folder"),
        (lambda run: run.explain("Rodos B"), "did you mean 'Rhodos B'?"),
        (lambda run: run.price("Rodos B"), "did you mean 'Rhodos B'?"),
        (lambda run: run.price(goods="coins_start", margin=0), "margin out of range, in percentage points"),
        (lambda run: run.price().section("prices"), "no such section"),
        (lambda run: empirelab.simulate("seven_wonder"), "did you mean 'seven_wonders'?"),
    ],
)
def test_what_is_wrong_is_said_in_one_message(run: empirelab.Run, wrong: object, said: str) -> None:
    with pytest.raises(empirelab.UserError) as error:
        wrong(run)  # type: ignore[operator]
    assert said in str(error.value)
    # A notebook shows the message in place of a traceback through our files.
    assert error.value._render_traceback_() == [f"UserError: {error.value}"]


@pytest.mark.parametrize(("name", "kind"), [("reports", "file"), ("sim", "folder"), ("strategies", "file")])
def test_a_file_of_the_users_that_hides_a_package_is_named(tmp_path: Path, name: str, kind: str) -> None:
    own = tmp_path / (f"{name}.py" if kind == "file" else f"{name}/__init__.py")
    own.parent.mkdir(exist_ok=True)
    own.write_text("")
    asked = in_process(tmp_path, "-c", "import empirelab")
    assert asked.status == 1
    assert f"{own}: this file is called like the package {name} of empirelab" in asked.err


def test_a_folder_of_the_users_without_code_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    (tmp_path / "strategies").mkdir()
    asked = in_process(tmp_path, "-c", "import empirelab; print(empirelab.Run.__name__)")
    assert asked.out == "Run\n", asked.err


# ---- Other tools ----


@pytest.fixture
def wins(run: empirelab.Run) -> dict[str, float]:
    """Wins of every board, as the run itself has them."""
    table = run.table("faction").frame
    return dict(zip(table["level"], table["win_rate"] * table["games"], strict=True))


def parts(run: empirelab.Run) -> str:
    """The files of a run as other tools name them."""
    return f"{run.folder}/seats/*.parquet"


def test_polars_reads_a_run_folder(run: empirelab.Run, wins: dict[str, float]) -> None:
    read = pl.scan_parquet(parts(run)).group_by("faction").agg(pl.col("win").sum()).collect()
    assert dict(read.rows()) == pytest.approx(wins)


def test_pandas_reads_a_run_folder(run: empirelab.Run, wins: dict[str, float]) -> None:
    for read in (pd.read_parquet(run.folder / "seats"), run.to_pandas()):
        assert read.groupby("faction", observed=True)["win"].sum().to_dict() == pytest.approx(wins)


def test_duckdb_reads_a_run_folder(run: empirelab.Run, wins: dict[str, float]) -> None:
    duckdb = pytest.importorskip("duckdb", reason="it comes with the pinned packages of `make install-dev`")
    read = duckdb.sql(f"SELECT faction, sum(win) FROM read_parquet('{parts(run)}') GROUP BY faction").fetchall()
    assert dict(read) == pytest.approx(wins)
