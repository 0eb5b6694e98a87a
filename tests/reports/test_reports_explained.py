"""Why a faction wins: seats beside the others of their games, differences by block, games to look at."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, Truth, renew_digests, write_empires, write_run

from reports.data import opponents as beside_data
from reports.data.load import Run, games_of_several, load_run
from reports.data.opponents import LEAD, LED, OTHERS, Beside, read_beside, seats_beside, with_others
from reports.sections.factions.explained import explained, widest_first
from reports.sections.factions.explained_details import Page
from reports.statistics.core.win_rate import ALPHA, PAGES_ALPHA
from reports.statistics.factions.opponents import (
    by_company,
    by_players,
    chances_by_lead,
    compared_values,
    contrast_of,
    leads_on_the_way,
    means_of,
    share_with_limits,
)
from reports.statistics.factions.opponents_adjusted import adjusted_edges
from reports.statistics.factions.opponents_games import chosen_games
from sim.errors import UserError
from sim.runs.simulate import simulate

STRONG, WEAK = "Halikarnassos B", "Gizah A"
MOMENTS = ("score_age_1", "score_age_2")


@pytest.fixture(scope="module")
def run(run_folder: Path) -> Run:
    return load_run(run_folder)


@pytest.fixture(scope="module")
def beside(run: Run) -> Beside:
    return seats_beside(run, STRONG, MOMENTS)


TWO_GAMES = pl.DataFrame({
    "block": [0] * 7, "game": [0, 0, 0, 1, 1, 1, 1], "seat": [0, 1, 2, 0, 1, 2, 3],
    "players": [3, 3, 3, 4, 4, 4, 4], "faction": list("abcabcd"), "win": [0.0, 1, 0, 0.5, 0.5, 0, 0],
    "score": [10, 13, 4, 8, 8, 5, 1], "early": [3, 1, 1, 0, 0, 0, 0], "crowned": [3, 0, 0, 6, 4, 0, 8],
})  # fmt: skip


def test_a_seat_is_set_beside_the_others_of_its_game() -> None:
    found = with_others(TWO_GAMES, ("score",), ("early",))
    assert found[f"{OTHERS}score"].to_list() == pytest.approx([8.5, 7, 11.5, 14 / 3, 14 / 3, 17 / 3, 7])
    assert found[f"{LEAD}score"].to_list() == [-3, 3, -9, 0, 0, -3, -7]
    assert found[f"{LED}score"].to_list() == [0, 1, 0, 0.5, 0.5, 0, 0]
    assert found[f"{LED}early"].to_list() == [1, 0, 0, 0.25, 0.25, 0.25, 0.25]
    assert found["left"].to_list() == list("cabdabc")
    assert found["right"].to_list() == list("bcabcda")


def test_the_round_of_an_event_is_compared_where_it_came() -> None:
    found = with_others(TWO_GAMES, ("score", "crowned"), (), ("crowned",))
    assert found[f"{OTHERS}crowned"].to_list() == pytest.approx([np.nan, 3, 3, 6, 7, 6, 5], nan_ok=True)
    assert found[f"{OTHERS}score"].to_list() == pytest.approx([8.5, 7, 11.5, 14 / 3, 14 / 3, 17 / 3, 7])


def test_without_a_name_the_faction_with_the_widest_flagged_edge_is_explained(run: Run) -> None:
    edges = widest_first(run)
    assert edges["level"][0] in (STRONG, WEAK)
    assert abs(edges["edge"][0]) == edges["edge"].abs().max()


def test_a_faction_to_which_an_event_never_comes_has_no_round_of_it(tmp_path: Path) -> None:
    truth = Truth(blocks=90, strategies={"plain": 0.0})
    folder = write_run(tmp_path / "run", truth)
    rounds = pl.when(pl.col("faction") == WEAK).then(0).when(pl.col("game") % 2 == 0).then(6).otherwise(0)
    for part in folder.glob("seats/*.parquet"):
        pl.read_parquet(part).with_columns(coins=rounds.cast(pl.Int16)).write_parquet(part)
    renew_digests(folder)
    manifest = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**manifest, "event_rounds": ["coins"]}))
    run = load_run(folder)
    told = {name: " ".join(" ".join(one.sentences) for one in explained(run, name)) for name in (WEAK, STRONG)}
    frames = {name: compared_values(seats_beside(run, name, MOMENTS)) for name in (WEAK, STRONG)}
    assert [row for row in frames[WEAK]["what"] if row.startswith("coins")] == []
    assert "coins" not in told[WEAK]
    (row,) = frames[STRONG].filter(pl.col("what").str.starts_with("coins")).to_dicts()
    assert (row["what"], row["own"], row["others"]) == ("coins, where both have one", 6.0, 6.0)


def test_errors_of_means_and_contrasts_count_blocks_not_rows() -> None:
    rng = np.random.default_rng(5)
    block = np.repeat(np.arange(400), 4)
    wrong = {"mean": 0, "contrast": 0}
    for _ in range(200):
        values = (np.repeat(rng.normal(size=400), 4) + rng.normal(size=1600))[:, None]
        chosen = np.repeat(rng.random(400) < 0.4, 4)
        for name, found in (("mean", means_of(values, block)), ("contrast", contrast_of(values, chosen, block))):
            wrong[name] += abs(found.value[0]) > found.reach[0]
    assert all(2 <= number <= 20 for number in wrong.values()), wrong  # 5 % of 200, within chance


def test_a_strong_faction_scores_more_than_the_others_at_its_tables(beside: Beside, run: Run) -> None:
    frame = compared_values(beside)
    score = frame.row(0, named=True)
    assert (score["what"], score["flag"]) == ("score", "more")
    # 5 points stronger, but for Gizah A, who sits at some of the tables; and for the rest all are alike.
    assert score["low"] < 5.3 < score["high"]
    parts = frame.filter(pl.col("what").is_in(run.manifest.score_parts))
    assert parts["difference"].sum() == pytest.approx(score["difference"], abs=1e-4)


def test_company_and_players_are_told_apart_only_where_they_matter(run: Run, beside: Beside) -> None:
    company = by_company(beside)
    assert set(company["with"]) == {name for name in FACTIONS if name != STRONG}
    assert company.row(0, named=True)["with"] == WEAK  # the weakest company
    assert (company["flag"] == "more").sum() <= 1
    players = by_players(beside)
    assert (players["strategy"][0], players["strategy"][-1]) == ("balanced", "random")
    assert players["games"].sum() == beside.own.height


def test_company_of_larger_tables_is_not_blamed_for_their_size() -> None:
    """At tables of two it wins half of the games, of four a quarter, and whoever sits there changes nothing."""
    rng = np.random.default_rng(8)
    players = np.repeat([2, 4], 4000)
    own = pl.DataFrame({"game": np.arange(8000), "block": np.arange(8000) // 4, "players": players,
                        "win": (rng.random(8000) < 1 / players).astype(float), "left": "b", "right": "c"})  # fmt: skip
    own = own.with_columns(won=pl.col("win"))
    others = [rng.choice(list("bcdefg"), count - 1, replace=False) for count in players]
    rivals = pl.DataFrame({"game": np.repeat(np.arange(8000), players - 1), "faction": np.concatenate(others)})
    frame = by_company(Beside("a", "side", (), (), own, rivals, 8000, 8000))
    assert frame["flag"].to_list() == [""] * 6
    assert frame["difference"].abs().max() < 0.04  # 0.12 where tables of four are set beside those of two


def test_every_number_of_players_is_read_of_a_long_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    options = {"players": [3, 4, 5], "strategies": "greedy,random", "jobs": 1, "progress": False}
    simulate("seven_wonders", games=240, out=folder, **options)  # type: ignore[arg-type]
    monkeypatch.setattr(beside_data, "MAX_ROWS", 200)
    monkeypatch.setattr(beside_data, "ROWS", 60)
    run = load_run(folder)
    read = pl.concat([frame.select("players", "game") for frame in read_beside(run, ("score",), ())]).unique()
    assert set(read["players"]) == {3, 4, 5}
    assert read.group_by("players").len()["len"].max() < 80
    found = seats_beside(run, "Rhodos B", ())
    assert (found.games, found.all_games) == (read.height, 240)
    alone, several = (run.manifest.player_counts[0].model_copy(update=size) for size in
                      ({"players": 1, "games": 80}, {"players": 3, "games": 160}))  # fmt: skip
    assert games_of_several(run.manifest.model_copy(update={"player_counts": [alone, several]})) == 160


def test_chances_rise_with_the_lead_and_count_every_game(beside: Beside) -> None:
    chances = chances_by_lead(beside)
    for moment in MOMENTS:
        part = chances.filter(pl.col("moment") == moment)
        assert part["games"].sum() == beside.own.height
        assert part["others"].is_sorted()
        assert part["share"][0] < part["share"][-1]
        assert (part["most"].to_numpy()[:-1] < part["least"].to_numpy()[1:]).all()


def test_an_edge_that_comes_from_players_is_adjusted_away(tmp_path: Path) -> None:
    truth = Truth(blocks=600, factions=dict.fromkeys(FACTIONS, 0.0), strategies={"random": -6.0, "balanced": 6.0})
    folder = write_run(tmp_path / "run", truth)
    part = folder / "seats" / "part-000000.parquet"
    seats = pl.read_parquet(part)
    # Rhodos B mostly falls to the better player: swap the names of two factions where the other has it.
    better = pl.col("strategy").cast(pl.String) == "balanced"
    name = pl.col("faction").cast(pl.String)
    renamed = pl.when((name == "Rhodos B") & ~better).then(pl.lit("Rhodos A")).when((name == "Rhodos A") & better).then(
        pl.lit("Rhodos B")).otherwise(name)  # fmt: skip
    seats.with_columns(renamed.cast(seats.schema["faction"]).alias("faction")).write_parquet(part)
    renew_digests(folder)
    frame = adjusted_edges(load_run(folder)).filter(pl.col("level") == "Rhodos B")
    played, adjusted = frame.row(0, named=True), frame.row(1, named=True)
    assert played["edge_low"] > 0.1
    assert adjusted["edge"] is None or adjusted["edge_low"] < 0 < adjusted["edge_high"]


def test_games_to_look_at_are_what_they_are_called(beside: Beside, run: Run) -> None:
    frame = chosen_games(beside, list(run.manifest.score_parts))
    rows = {row["which"]: row for row in frame.to_dicts()}
    assert list(rows) == ["typical win", "typical loss", "telling", "closest", "turned"]
    assert frame["game"].n_unique() == 5
    own = {(row["game"], row["seat"]): row for row in beside.own.to_dicts()}
    for which, won in (("typical win", True), ("typical loss", False), ("telling", True), ("turned", True)):
        row = rows[which]
        assert (own[row["game"], row["seat"]]["win"] > 0) == won, which
    assert rows["turned"]["behind"] > 5


def test_what_is_said_of_several_factions_has_wider_limits_than_what_is_said_of_one(run: Run) -> None:
    """The error rate of a page is shared among all pages that are written together."""
    adjusted = adjusted_edges(run)
    (edge, *_), (edge_of_many, *_) = (
        [claim for claim in explained(run, STRONG, adjusted, pages)[0].claims if claim.kind == "wins explained"]
        for pages in (1, 14)
    )
    many = explained(run, STRONG, adjusted, 14)[0]
    assert Page.weight_of("wins", 14) == pytest.approx(14 * ALPHA / PAGES_ALPHA * Page.weight_of("wins", 1))
    assert "14 pages at once: in all but one of 200 runs, none of them is wrong" in many.reading
    assert edge_of_many.estimate == edge.estimate
    assert 0 < (edge_of_many.low or 0) < (edge.low or 0)


def test_a_share_of_no_wins_is_as_unsure_as_one_of_few() -> None:
    """Of 25 seats none won, of the others a fifth: that is no wonder, though these 25 do not vary at all."""
    won = np.array([0.0] * 25 + [1.0, 0, 0, 0, 0] * 80)[:, None]
    chosen, block = np.arange(425) < 25, np.arange(425)
    found = contrast_of(won, chosen, block)
    assert found.error[0] > 0.075  # sqrt(0.19 * 0.81 * (1 / 25 + 1 / 400))
    assert found.p[0] > 0.01


def test_a_share_that_never_varies_has_exact_limits() -> None:
    never, always = share_with_limits(np.zeros(35), np.arange(35)), share_with_limits(np.ones(35), np.arange(35))
    assert (never["share"], never["low"], never["high"]) == (0.0, 0.0, pytest.approx(1 - 0.025 ** (1 / 35)))
    assert (always["low"], always["high"]) == (pytest.approx(0.025 ** (1 / 35)), 1.0)
    few = share_with_limits(np.array([1.0] + [0.0] * 19), np.arange(20))
    assert 0 < few["low"] < 0.05 < few["high"] < 1


def test_shares_on_the_way_have_limits_within_0_and_1_and_what_is_claimed_of_them_is_the_share(
    run: Run, beside: Beside
) -> None:
    own = beside.own.with_columns(pl.lit(1.0).alias(f"{LED}{name}") for name in (*MOMENTS, "score"))
    frame = leads_on_the_way(replace(beside, own=own))
    assert frame.select(pl.col("^led.*(low|high)$").is_between(0, 1).all()).row(0) == (True,) * 4
    sections = {section.name: section for section in explained(run, STRONG)}
    claims = [claim for claim in sections["on the way"].claims if ": led: " in claim.subject]
    assert [claim.estimate for claim in claims] == sections["on the way"].listings[0].frame["led"].to_list()[-2:]


def test_seats_that_differ_in_nothing_are_not_explained(tmp_path: Path) -> None:
    run = load_run(write_empires(tmp_path / "run", 40, worth=0.0, skill=0.0))
    with pytest.raises(UserError, match="has no factions or picks to explain"):
        explained(run, "Rome")


def test_a_name_that_several_factions_share_is_refused_with_all_of_them(run: Run) -> None:
    with pytest.raises(UserError, match="this name matches several wonder sides") as error:
        explained(run, "rhodos")
    assert "Allowed: Rhodos A, Rhodos B" in str(error.value)


def test_games_of_one_player_have_nobody_to_compare_with(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "run", Truth(blocks=60, players=1, goal=50)))
    with pytest.raises(UserError, match="one player"):
        explained(run, STRONG)
