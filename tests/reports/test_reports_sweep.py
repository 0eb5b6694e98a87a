"""A sweep plays the same deals at every value, compares with the printed one, and writes a whole folder or none."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from reports.render.chart import png
from reports.statistics.compare.paired import RARE
from reports.statistics.core.win_rate import family_probability, t_quantile
from reports.studies.sweep.config import SweepConfig, read_sweep
from reports.studies.sweep.report import (
    CHANGES_ALPHA,
    FAIR_ALPHA,
    Sweep,
    base_words,
    draw_lines,
    draw_sweep,
    fair_statements,
    sweep_rows,
)
from reports.studies.sweep.sweep import check_sweep_folder, play_sweep, write_sweep
from sim.compiler.kernel import compiled
from sim.errors import UserError

GAMES = 240 if compiled() else 4
ONE = """
game = "seven_wonders"
strategies = ["balanced", "greedy"]
watch = ["rhodos b", "greedy"]
[[vary]]
change = "wonders.toml#Rhodos B.coins_start"
values = [0, 3, 9]
"""
AGAIN = '[[vary]]\nchange = "wonders.toml#rhodos-b.coins_start"\nvalues = [1, 2]'
TWO = """
game = "seven_wonders"
players = 3
factions = ["A"]
[[vary]]
change = "set#free_city_first_holder"
values = ["left", "right"]
[[vary]]
change = "balanced.toml#weights.military"
values = [0.0, 2]
"""


def read(folder: Path, text: str) -> SweepConfig:
    path = folder / "try.toml"
    path.write_text(text)
    return read_sweep(path)


def played(folder: Path, text: str) -> Sweep:
    return play_sweep(read(folder, text).model_copy(update={"games": GAMES}), jobs=1)


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return played(tmp_path_factory.mktemp("sweep"), ONE)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return played(tmp_path_factory.mktemp("sweep"), TWO)


def test_every_value_has_rows_of_every_level(one: Sweep) -> None:
    assert one.frame["value"].unique().sort().to_list() == [0.0, 3.0, 9.0]
    assert set(one.frame["table"]) == {"faction", "strategy", "seat"}
    assert set(one.frame.group_by("value", "table").agg(pl.col("games").sum())["games"]) == {4 * GAMES}


def test_values_are_compared_with_the_printed_one(one: Sweep) -> None:
    assert (one.base, one.base_is_printed) == ((3,), True)
    assert base_words(one) == "coins at the start = 3 (as printed)"
    printed = one.frame.filter(pl.col("value") == 3)
    assert set(printed["change"].drop_nulls()) <= {0.0}
    assert set(printed["change_note"]) == {"compared with itself"}
    for row in one.frame.filter(pl.col("value") != 3).to_dicts():
        same = printed.filter((pl.col("table") == row["table"]) & (pl.col("level") == row["level"])).to_dicts()[0]
        assert row["change"] == pytest.approx(row["win_rate"] - same["win_rate"])
        assert row["score_change"] == pytest.approx(row["mean_score"] - same["mean_score"])


def test_limits_of_a_sweep_allow_for_all_values_and_rows(one: Sweep) -> None:
    known = one.frame.drop_nulls(["change_low", "family_change_low"]).filter(pl.col("differing") > 0)
    rows = sum(one.frame.filter(pl.col("table") == table)["level"].n_unique() for table in one.frame["table"].unique())
    wide, alone = (
        t_quantile(known["blocks"].to_numpy().astype(float), probability)
        for probability in (family_probability(2 * rows, CHANGES_ALPHA), 0.975)
    )
    halves = [(known[f"{kind}high"] - known[f"{kind}low"]).to_numpy() for kind in ("family_change_", "change_")]
    inside = (known["family_change_low"].abs() < 1).to_numpy()
    inside &= (known["differing"] >= RARE * known["blocks"]).to_numpy()
    assert (halves[0] / halves[1])[inside] == pytest.approx((wide / alone)[inside], rel=1e-6)


def test_deals_are_the_same_at_every_value(one: Sweep) -> None:
    # A board that cannot meet the changed one plays the very same games.
    rows = sweep_rows(one, "faction", "Rhodos A")
    assert len({(row["win_rate"], row["mean_score"], row["games"], row["change"]) for row in rows}) == 1
    assert rows[0]["change"] == 0.0


@pytest.mark.usefixtures("compiled_only")
def test_more_coins_help(one: Sweep) -> None:
    scores = [row["mean_score"] for row in sweep_rows(one, "faction", "Rhodos B")]
    assert scores == sorted(scores)
    assert scores[0] < scores[-1]


def test_two_parameters_make_every_pair(two: Sweep) -> None:
    pairs = two.frame.select("value", "value2").unique().sort("value", "value2").rows()
    assert pairs == [('"left"', 0.0), ('"left"', 2.0), ('"right"', 0.0), ('"right"', 2.0)]
    # The printed weight is not among the values, so the first pair is what the others are compared with.
    assert (two.base, two.base_is_printed) == (("left", 0.0), False)
    assert fair_statements(two) == [], "two parameters have no one value at which all is fair"


@pytest.mark.usefixtures("sketched_figures")
def test_figures_are_drawn(one: Sweep, two: Sweep) -> None:
    for sweep, axes in ((one, 1), (two, 5)):
        figure = draw_sweep(sweep)
        assert len(figure.axes) == axes
        assert png(figure).startswith(b"\x89PNG")


def test_the_folder_is_whole(one: Sweep, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    write_sweep(one, b"picture", folder, "empirelab sweep")
    assert sorted(path.name for path in folder.iterdir()) == ["sweep.json", "sweep.parquet", "sweep.png"]
    assert pl.read_parquet(folder / "sweep.parquet").equals(one.frame)
    manifest = json.loads((folder / "sweep.json").read_text())
    assert manifest["config"]["games"] == GAMES
    assert manifest["knobs"] == [{"change": "wonders.toml#Rhodos B.coins_start", "printed": 3}]
    with pytest.raises(UserError, match="the output folder exists"):
        check_sweep_folder(folder, overwrite=False)
    check_sweep_folder(folder, overwrite=True)
    write_sweep(one, b"other", folder, "again")
    assert (folder / "sweep.png").read_bytes() == b"other"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(UserError, match="does not hold a sweep"):
        check_sweep_folder(tmp_path / "mine", overwrite=True)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("coins_start", "coin_start", "did you mean 'coins_start'"),
        ("wonders.toml#", "wondersx.toml#", "did you mean 'wonders.toml'"),
        ("[0, 3, 9]", "[]", "field vary.1.values: wrong number of entries"),
        ("[0, 3, 9]", "[3, 3]", "duplicate value"),
        ("[0, 3, 9]", "[0, -3]", "field coins_start: not allowed here"),
        ("[0, 3, 9]", f"{list(range(401))}", "too many combinations"),
        ("[[vary]]", "[[varies]]", "unknown field"),
        ("B.coins_start", "B.coins_start=4", "name the number without a value"),
        ("wonders.toml#Rhodos B.coins_start", "set#discount_adds_up", "did you mean 'discounts_add_up'"),
        ("[0, 3, 9]", f"[0, 3, 9]\n{AGAIN}", "both parameters are the same"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        play_sweep(read(tmp_path, ONE.replace(old, new, 1)), jobs=1)


def test_where_a_line_would_be_fair_is_said_and_marked(one: Sweep) -> None:
    assert all(any(name in text for text, _ in fair_statements(one)) for name in ("Rhodos B", "greedy"))
    rising = one.frame.with_columns(
        win_rate=pl.col("null") + (pl.col("value") - 2) / 100,
        error=pl.lit(0.01 / float(t_quantile(np.array([1000.0]), 1 - FAIR_ALPHA / 4)[0])),
        blocks=1000,
    )
    told = fair_statements(replace(one, frame=rising))
    (text, claims) = told[0]
    assert text == "Rhodos B would be fair with coins at the start = 2 (1 to 3)."
    assert [(claim.kind, claim.low, claim.high) for claim in claims] == [("fair value", *map(pytest.approx, (1, 3)))]
    assert text in replace(one, frame=rising).sections[0].sentences
    marks = [line for line in draw_lines(replace(one, frame=rising)).lines if line.get_marker() == "D"]
    assert [line.get_xdata()[0] for line in marks] == pytest.approx([2.0, 2.0])


def test_a_level_is_said_to_be_fair_at_no_value_only_where_each_shows_it(one: Sweep) -> None:
    strong = one.frame.with_columns(win_rate=pl.col("null") + 0.05, error=pl.lit(0.01), blocks=1000)
    told = [text for text, _ in fair_statements(replace(one, frame=strong))]
    assert told == [f"{name} wins too often at every value that was tried." for name in ("Rhodos B", "greedy")]
    claims = [claim for _, claims in fair_statements(replace(one, frame=strong)) for claim in claims]
    assert all(claim.low is not None and claim.low > 0 and claim.high is None for claim in claims)
    doubtful = strong.with_columns(error=pl.lit(0.03))
    for text, claims in fair_statements(replace(one, frame=doubtful)):
        assert text.endswith("was not seen to meet its fair share from the first value to the last.")
        assert claims == ()
