"""Tables behave as tables of other libraries do, and a run has all of its results by name."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import polars as pl
import pytest

import empirelab


def test_a_table_has_rows_and_columns_named_as_printed(run: empirelab.Run) -> None:
    table = run.table("faction")
    assert len(table) == 14
    assert table.columns[:2] == ["board", "games"]
    assert table.columns == list(table[0]) == table.to_polars().columns
    assert [row["board"] for row in table] == table["board"].to_list()
    assert table["board", "edge"].equals(table[["board", "edge"]])
    assert table["Rhodos B"]["games"] == table["games"][table["board"].to_list().index("Rhodos B")]
    assert (
        table["win rate"].to_list()
        == table["win_rate"].to_list()
        == table["Win rate %"].to_list()
        == table.frame["win_rate"].to_list()
    )


def test_a_table_is_cut_and_sorted_into_a_table(run: empirelab.Run) -> None:
    table = run.table("faction")
    edges = table.sort("edge")["edge"].to_list()
    assert edges == sorted(table["edge"])
    assert table.sort("edge", descending=True)["edge"].to_list() == edges[::-1]
    assert [row["board"] for row in table[2:4]] == table["board"].to_list()[2:4]
    assert len(table.head(3)) == 3
    assert repr(table.head(3)).startswith("Win rate by board")


@pytest.mark.parametrize("name", ["faction", "matchups"])
def test_other_libraries_take_a_table_as_it_is(run: empirelab.Run, name: str) -> None:
    table = run.table(name)
    for read in (pl.DataFrame(table), pl.from_pandas(pd.DataFrame(table)), pl.from_pandas(table.to_pandas())):
        assert read.columns == table.columns
        assert read.height == len(table)


def test_a_column_that_there_is_not_is_named_with_the_nearest(run: empirelab.Run) -> None:
    with pytest.raises(empirelab.UserError, match="did you mean 'edge'"):
        run.table("faction")["edgee"]
    with pytest.raises(empirelab.UserError, match="did you mean 'edge'"):
        run.table("faction").sort("edgee")
    with pytest.raises(IndexError):
        run.table("faction")[14]


@pytest.mark.parametrize("name", ["faction", "strategy x faction", "matchups"])
def test_a_table_draws_itself_on_given_axes(run: empirelab.Run, name: str) -> None:
    figure, ax = plt.subplots()
    assert run.table(name).plot(ax) is ax
    assert ax.has_data()
    plt.close(figure)


def test_a_result_has_one_name_whatever_the_game_calls_its_rows(run: empirelab.Run) -> None:
    assert run.table("board") is run.table("faction")
    assert run.table("matchups board").name == run.table("matchups faction").name == "matchups faction"
    assert run.report().tables["Board"] is run.report().tables["faction"]
    assert empirelab.frames(run)["win rate board"].equals(run.table("faction").frame)


def test_a_run_has_its_tables_figures_and_verdict(run: empirelab.Run) -> None:
    assert {"faction", "seat", "matchups strategy", "strength faction"} <= set(run.tables)
    assert {"faction", "matchups strategy"} <= set(run.figures)
    assert list(run.figures) == list(empirelab.pictures(run)) == list(empirelab.pictures(run.report()))
    assert run.verdict.state == run.report().verdict.state
    assert repr(run.verdict).startswith(run.verdict.state)
    assert repr(run.tables).splitlines()[0].split() == ["faction", "Win", "rate", "by", "board"]
    assert len(repr(run.tables).splitlines()) == len(run.tables)
    assert run.to_polars().height == pl.DataFrame(run).height == 1600
    assert run.plot().has_data()


@pytest.mark.usefixtures("without_figures")
def test_a_run_is_kept_as_a_folder_and_its_report_as_a_file(run: empirelab.Run, tmp_path: Path) -> None:
    kept = empirelab.open(run.save(tmp_path / "kept"))
    assert kept.to_polars().equals(run.to_polars())
    for name in ("page.html", "tables.csv", "report.json"):
        assert run.save(tmp_path / name).stat().st_size > 1000
    empirelab.write_html(run, tmp_path / "other.html")
    assert "who wins too often?" in (tmp_path / "other.html").read_text("utf-8")


@pytest.mark.usefixtures("without_figures")
@pytest.mark.parametrize("name", ["kept", "page.html"])
def test_what_is_there_is_not_replaced_unless_asked(run: empirelab.Run, tmp_path: Path, name: str) -> None:
    run.save(tmp_path / name)
    with pytest.raises(empirelab.UserError, match="exists"):
        run.save(tmp_path / name)
    assert run.save(tmp_path / name, overwrite=True) == tmp_path / name
