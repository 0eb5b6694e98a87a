"""How the estimates settled: what is shown after n games is what a run of n games reports."""

from pathlib import Path

import polars as pl
import pytest
from synthetic import Truth, write_run

from reports.data.load import load_run
from reports.data.moments import block_moments
from reports.sections.course.luck import convergence_section, settled_words
from reports.statistics.core.win_rate import win_rates
from reports.statistics.course.convergence import Course, follow_edges


@pytest.mark.parametrize(("column", "players"), [("faction", 4), ("strategy", 3)])
def test_every_point_is_the_table_of_the_first_blocks(tmp_path: Path, column: str, players: int) -> None:
    run = load_run(write_run(tmp_path / "run", Truth(blocks=120, players=players, luck=2.0), part_games=70))
    course = follow_edges(run)[column == "faction"].frame
    for blocks in (25, course["blocks_so_far"].unique().sort()[9], 120):
        first = run.seats.filter(pl.col("block") < blocks).with_columns(pl.col(column).cast(pl.String).alias("level"))
        expected = win_rates(block_moments(first, ["level"], players), ["level"]).sort("level")
        found = course.filter(pl.col("blocks_so_far") == blocks).sort("level")
        assert found["level"].to_list() == expected["level"].to_list()
        assert (found["games"] == players * blocks).all()
        for name in ("edge", "edge_low", "edge_high"):
            assert found[name].to_list() == pytest.approx(expected[name].to_list(), abs=1e-9)


def test_clear_strengths_settle_early_and_it_is_said_since_when(tmp_path: Path) -> None:
    truth = Truth(blocks=1000, strategies={"weak": -15.0, "middle": 0.0, "strong": 15.0})
    section = convergence_section(load_run(write_run(tmp_path / "run", truth)))
    assert section.sentences[0].startswith("The order of the strategies has not changed since ")
    assert "12,000 more games" in section.sentences[-1]
    section.pictures[0].draw()


def test_an_order_that_changed_late_is_not_settled() -> None:
    edges = [(0, 100, 0.1), (1, 1000, 0.1), (2, 2000, -0.1)]
    parts = [
        {"level": name, "point": p, "games": g, "edge": s * e} for p, g, e in edges for name, s in (("a", 1), ("b", -1))
    ]
    assert "still changed" in settled_words(Course("board", pl.DataFrame(parts)))
    assert "since game 100" in settled_words(Course("board", pl.DataFrame(parts[:4])))


def test_tables_of_other_sizes_are_no_beginning_of_a_course(tmp_path: Path) -> None:
    section = convergence_section(load_run(write_run(tmp_path / "run", Truth(blocks=60), players=[3, 4])))
    assert "one size after the other" in section.sentences[0]
    assert not section.listings
    assert not section.pictures
