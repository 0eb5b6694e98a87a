"""Runs: what their folders hold, that they are the same however they were played, and that failures leave nothing."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sim.compiler.source_digest import ROOT, file_of, source_digest, sources_of
from sim.errors import UserError
from sim.games.seven_wonders.game import GAME
from sim.players.batch import Plan, plan_record, sources_digest
from sim.players.compile_players import players_of
from sim.runs.replay import replay
from sim.runs.run import play_run
from sim.runs.store.manifest import read_manifest
from tests.games.seven_wonders.playing import play_turn
from tests.runs.conftest import names, parts, table_of

pytestmark = pytest.mark.usefixtures("small_parts")

Make = Callable[..., Plan]
PARTS = ["military", "treasury", "wonder", "blue", "science", "yellow", "guild"]


@pytest.fixture(scope="module")
def plan(plan_of: Make) -> Plan:
    return plan_of(players=4, strategies=["balanced", "random", "greedy", "science@0.5"], detail="cards", seed=77)


@pytest.fixture(scope="module")
def run(plan: Plan, small_parts: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """150 games of the plan; no test may change it."""
    folder = tmp_path_factory.mktemp("results") / "run"
    play_run(plan, 150, folder, jobs=2, command="empirelab simulate ...")
    return folder


@pytest.fixture
def copy(run: Path, tmp_path: Path) -> Path:
    """A copy of the run that may be changed."""
    return shutil.copytree(run, tmp_path / "run")


# ---- What is in a run folder ----


def test_the_manifest_says_what_was_played(plan: Plan, run: Path) -> None:
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    assert manifest == read_manifest(run)
    expected = {
        "game": "seven_wonders",
        "variant": "standard",
        "players": 4,
        "games": 150,
        "block_games": 4,
        "blocks": 38,
        "seed": 77,
        "assign": "rotate",
        "detail": "cards",
        "command": "empirelab simulate ...",
        "factions_fixed": False,
        "score_parts": PARTS,
        "measures": ["coins", "score_age_1", "score_age_2"],
        "settings": dict(plan.data.settings),
        "changes": [],
        "tables": plan.data.digest,
        "jobs": 2,
    }
    assert {key: manifest[key] for key in expected} == expected
    assert [row["name"] for row in manifest["strategies"]] == ["balanced", "random", "greedy", "science@0.5"]
    assert [row["temperature"] for row in manifest["strategies"]] == [0.0, 0.0, 0.0, 0.5]
    assert manifest["strategies"][0]["weights"] == dict(plan.strategies[0].weights)
    assert len(manifest["factions_dealt"]) == 14
    assert {"empirelab", "numba", "numpy", "polars", "python"} <= manifest["versions"].keys()
    assert sum(manifest["certainty"].values()) == 92


def test_parts_hold_whole_games_in_order_and_the_manifest_their_digests(run: Path) -> None:
    manifest = read_manifest(run)
    for table, entries, sizes in (("seats", "shards", [60, 60, 30]), ("cards", "piece_parts", [30] * 5)):
        assert [entry["games"] for entry in manifest[entries]] == sizes
        first = 0
        for number, entry in enumerate(manifest[entries]):
            assert entry["file"] == f"{table}/part-{number:06d}.parquet"
            path = run / entry["file"]
            assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
            frame = pl.read_parquet(path)
            assert frame.height == entry["rows"]
            assert frame["game"].unique().sort().to_list() == list(range(first, first + entry["games"]))
            assert frame["game"].is_sorted()
            first += entry["games"]
        assert first == 150
    assert names(run) == ["cards", "run.json", "seats"]


def test_a_run_without_card_detail_has_no_card_files(plan_of: Make, tmp_path: Path) -> None:
    play_run(plan_of(players=3, strategies=["random"]), 20, tmp_path / "run", jobs=1)
    assert names(tmp_path / "run") == ["run.json", "seats"]
    assert read_manifest(tmp_path / "run")["piece_parts"] == []


@pytest.mark.parametrize("players", [2, 7])
def test_seat_rows_are_sound(players: int, plan_of: Make, tmp_path: Path) -> None:
    plan = plan_of(players=players, strategies=["balanced", "random", "military"], seed=5)
    play_run(plan, 120, tmp_path / "run", jobs=1)
    seats = table_of(tmp_path / "run")
    assert seats.height == 120 * players
    assert seats["seat"].to_list() == list(range(players)) * 120
    assert (seats["block"] == seats["game"] // players).all()
    assert set(seats["players"]) == {players}
    assert set(seats["rounds"]) == {18}
    assert set(seats["end_reason"]) == {"end of age III"}
    assert (seats.select(pl.sum_horizontal(pl.col(PARTS).cast(pl.Int32))).to_series() == seats["score"]).all()
    assert (seats["treasury"] == seats["coins"] // 3).all()
    games = seats.group_by("game").agg(
        wins=pl.col("win").sum(),
        best=pl.col("rank").min(),
        most=pl.col("score").max() == pl.col("score").filter(pl.col("rank") == 1).max(),
        wonders=pl.col("faction").cast(pl.String).str.head(-2).n_unique(),
    )
    assert (games["wins"] - 1).abs().max() < 1e-6  # type: ignore[operator]
    assert set(games["best"]) == {1}
    assert games["most"].all()
    assert set(games["wonders"]) == {players}
    assert (seats.filter(pl.col("win") > 0)["rank"] == 1).all()
    for _, game in seats.group_by("game"):
        reached = list(game.select("score", "coins").iter_rows())
        assert game["rank"].to_list() == [1 + sum(other > own for other in reached) for own in reached]


def test_a_shared_win_is_split(plan_of: Make, tmp_path: Path) -> None:
    play_run(plan_of(players=7, strategies=["random"]), 1200, tmp_path / "run", jobs=1, shard_games=60)
    winners = table_of(tmp_path / "run").filter(pl.col("rank") == 1)
    counts = winners.group_by("game").agg(winners=pl.len(), share=pl.col("win").first())
    assert (counts["winners"] > 1).any(), "no tie among these games; take more"
    assert ((counts["share"] * counts["winners"] - 1).abs() < 1e-6).all()


# ---- Cards ----


def watched(plan: Plan, games: int) -> tuple[dict[tuple[int, int, str], int], dict[tuple[int, int], list[str]]]:
    """Turns in which a seat held a card, by game, seat and card; and the cards of each city at the end."""
    t, team = plan.data.tables, players_of(plan)
    g: Any = plan.game.new_games(1)[0]
    held: dict[tuple[int, int, str], int] = {}
    cities = {}
    for game in range(games):
        GAME.kernels.start_game(g, t, plan_record(plan), game)
        while not g.finished:
            for seat in range(plan.players):
                for card in set(g.hand[seat, : g.hand_size[seat]].tolist()):
                    key = (game, seat, plan.data.pieces[card])
                    held[key] = held.get(key, 0) + 1
            play_turn(g, t, team)
        for seat in range(plan.players):
            cities[game, seat] = sorted(plan.data.pieces[card] for card in g.city_cards[seat, : g.city_size[seat]])
    return held, cities


@pytest.mark.parametrize("players", [3, 5])
def test_card_rows_tell_what_a_seat_was_offered_and_built(players: int, plan_of: Make, tmp_path: Path) -> None:
    plan = plan_of(players=players, strategies=["wonder", "random"], detail="cards", seed=8)
    play_run(plan, 12, tmp_path / "run", jobs=1)
    cards = table_of(tmp_path / "run", "cards")
    held, cities = watched(plan, 12)
    offered = {
        (row["game"], row["seat"], row["card"]): row["offered"]
        for row in cards.filter(pl.col("offered") > 0).iter_rows(named=True)
    }
    assert offered == held
    built = cards.filter(pl.col("built_turn") > 0)
    for (game, seat), city in cities.items():
        rows = built.filter((pl.col("game") == game) & (pl.col("seat") == seat))
        assert sorted(rows["card"].cast(pl.String).to_list()) == city


def test_card_rows_are_sound(run: Path) -> None:
    cards = table_of(run, "cards")
    assert cards.select("game", "seat", "card").is_duplicated().sum() == 0
    turns = ["first_offered", "built_turn", "stage_turn", "discard_turn"]
    assert all(cards[turn].max() <= 18 for turn in turns)  # type: ignore[operator]
    ages = cards["card"].cast(pl.String).str.extract(r"\((\d)\)$").cast(pl.Int32)
    for turn in turns[:2]:
        seen = cards[turn] > 0
        late = cards["built_how"] == 4  # from the discards, in any later age
        of_age = (cards[turn].cast(pl.Int32) - 1) // 6 + 1
        assert ((of_age == ages) | ~seen | (late if turn == "built_turn" else ~seen)).all()
    built = cards.filter(pl.col("built_turn") > 0)
    assert set(built["built_how"]) <= {1, 2, 3, 4}
    assert (built.filter(pl.col("built_how") > 1)["coins_paid"] == 0).all()
    assert (cards.filter(pl.col("built_turn") == 0)["built_how"] == 0).all()
    from_hand = built.filter(pl.col("built_how") < 4)
    assert (from_hand["built_turn"] >= from_hand["first_offered"]).all()
    assert (from_hand["first_offered"] > 0).all()


# ---- However it is played ----


def test_parts_are_the_same_for_any_number_of_jobs_and_any_shards(plan: Plan, run: Path, tmp_path: Path) -> None:
    for jobs, shard in ((1, 7), (2, 30)):
        play_run(plan, 150, tmp_path / str(jobs), jobs=jobs, shard_games=shard)
        assert parts(tmp_path / str(jobs)) == parts(run), (jobs, shard)


# ---- Folders ----


def test_an_existing_run_is_kept_unless_it_may_be_overwritten(plan: Plan, run: Path, copy: Path) -> None:
    with pytest.raises(UserError, match="exists"):
        play_run(plan, 60, copy, jobs=1)
    assert parts(copy) == parts(run)
    play_run(plan, 60, copy, jobs=1, overwrite=True)
    assert read_manifest(copy)["games"] == 60
    assert names(copy.parent) == ["run"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_the_right_to_write_is_refused_before_anything_is_played(plan: Plan, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UserError, match="cannot be written"):
            play_run(plan, 10, tmp_path / "run", jobs=1)
    finally:
        tmp_path.chmod(0o700)


class PowerCutError(BaseException):
    """What a run cannot foresee."""


def stop_after(calls: int) -> Callable[[int], None]:
    """A report that ends the run at its so-manieth call."""
    made = []

    def report(games: int) -> None:
        made.append(games)
        if len(made) == calls:
            raise PowerCutError

    return report


def test_an_interrupted_run_leaves_nothing_behind(plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(PowerCutError):
        play_run(plan, 100, tmp_path / "new" / "run", jobs=2, report=stop_after(4))
    assert not list(tmp_path.iterdir())


def test_an_interrupted_run_leaves_the_old_one_as_it_was(plan: Plan, run: Path, copy: Path) -> None:
    with pytest.raises(PowerCutError):
        play_run(plan, 100, copy, jobs=1, overwrite=True, report=stop_after(3))
    assert parts(copy) == parts(run)
    assert names(copy.parent) == ["run"]


# ---- Replay ----


def told_scores(lines: list[str]) -> list[dict[str, str]]:
    """The table of final scores of a told game, one row for each city."""
    start = next(number for number, line in enumerate(lines) if line.startswith("Final scores"))
    columns = lines[start + 1].split()
    rows = []
    for line in lines[start + 2 :]:
        if line.strip():
            cells = line.split()[-len(columns) :]
            rows.append(dict(zip(columns, cells, strict=True)) | {"who": line})
    return rows


@pytest.mark.parametrize("players", [2, 7])
def test_a_replayed_game_ends_as_the_run_recorded_it(players: int, plan_of: Make, tmp_path: Path) -> None:
    strategies, settings = ["balanced", "random", "science@0.5"], {"choice_card_sells": "each-good"}
    plan = plan_of(players=players, strategies=strategies, seed=31, settings=settings)
    play_run(plan, 40, tmp_path / "run", jobs=1)
    seats = table_of(tmp_path / "run")
    for game in (0, 17, 39):
        table = told_scores(list(replay(tmp_path / "run", game)))
        rows = seats.filter(pl.col("game") == game)
        for told, row in zip(table, rows.iter_rows(named=True), strict=False):
            for column in (*PARTS, "rank", "coins"):
                assert int(told[column]) == row[column], (game, row["seat"], column)
            assert int(told["total"]) == row["score"]
            assert row["faction"] in told["who"]
            assert row["strategy"] in told["who"]
        assert len(table) == max(players, 3)


def test_a_replay_that_ends_otherwise_than_recorded_is_refused(copy: Path) -> None:
    manifest = read_manifest(copy)
    for change, reason in (({}, "its manifest has"), ({"sources": "other"}, "engine or players have")):
        changed = manifest | {"seed": manifest["seed"] + 1} | change
        (copy / "run.json").write_text(json.dumps(changed), "utf-8")
        with pytest.raises(UserError, match=f"does not end as recorded: {reason} changed"):
            replay(copy, 0)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("players", 9, "600 rows, but 150 games of 9 need a different number"),
        ("players", 13, "field players"),
        ("games", "many", "field games"),
        ("seed", -4, "field seed"),
        ("assign", "x", "field assign"),
        ("strategies", [], "field strategies"),
        ("lineup", ["nobody"], "field lineup: not a name in this run"),
        ("lineup", [""], "field lineup: not a name in this run"),
        ("factions_dealt", ["Foo A"], "field factions_dealt: not a name in this run"),
        ("starting_place", "nowhere", "field starting_place: not a name in this run"),
        ("paired_attribute", "colour", "field paired_attribute: not a name in this run"),
        ("exclusive", "colour", r"field exclusive: not a name in this run \(found: 'colour'\); allowed: \w"),
        ("variant", "x", "unknown variant"),
    ],
)
def test_a_manifest_that_cannot_be_is_refused_by_replay(field: str, value: object, message: str, copy: Path) -> None:
    (copy / "run.json").write_text(json.dumps(read_manifest(copy) | {field: value}), "utf-8")
    with pytest.raises(UserError, match=message):
        replay(copy, 0)


def test_the_sources_of_a_plan_are_those_of_the_engine_and_of_its_players(plan: Plan) -> None:
    score = plan.strategies[0].script.score
    engine = frozenset().union(*(sources_of(file_of(function)) for function in plan.game.source_functions))
    assert ROOT / "strategies" / "seven_wonders" / "decisions.py" in sources_of(file_of(score)) - engine
    assert sources_digest(plan) != source_digest(engine)
