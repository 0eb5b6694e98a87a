"""A run may be played in stretches, anywhere, and joined to the bytes of the run that was played at once."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from reports.data.check import check_run
from reports.data.load import load_run
from reports.formatting import run_size
from reports.statistics.compare.paired import check_same_deals
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plans
from sim.runs.replay import replay
from sim.runs.run import play_run
from sim.runs.shards import share_out, stretch_of
from sim.runs.store.manifest import load_manifest
from sim.runs.store.merge import merge
from tests.runs.conftest import contents

pytestmark = pytest.mark.usefixtures("small_parts")

Make = Callable[..., Plan]


def seats_of(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "seats" / "*.parquet")


def play(plan: Any, games: int, cuts: Sequence[int], home: Path) -> list[Path]:
    """Play a run in stretches that end at some games; return their folders."""
    folders = []
    for first, stop in zip([0, *cuts], [*cuts, games], strict=True):
        folders.append(home / f"from-{first}-seed-{plan.seed if isinstance(plan, Plan) else plan[0].seed}")
        play_run(plan, games, folders[-1], jobs=1, stretch=(first, stop))
    return folders


def join(folders: Sequence[Path], out: Path, **options: Any) -> Path:
    merge(folders, out, report=lambda games: None, **options)
    return out


OF_PLAYERS = RunConfig(game="seven_wonders", players=[3, 2], strategies=["random", "greedy"], seed=5)


# ---- Stretches ----


def test_a_stretch_is_a_run_with_games_of_its_own_numbers(plan_of: Make, tmp_path: Path) -> None:
    plan = plan_of(players=3, strategies=["random", "greedy"], seed=5)
    play_run(plan, 200, tmp_path / "whole", jobs=1)
    play_run(plan, 200, tmp_path / "run", jobs=1, stretch=(45, 123))
    check_run(tmp_path / "run")
    whole, own = seats_of(tmp_path / "whole"), seats_of(tmp_path / "run")
    games = pl.col("game").cast(pl.Int64).is_between(45, 122)
    moved = (pl.col("game") - 45).cast(pl.UInt32), (pl.col("block") - 15).cast(pl.UInt32)
    assert own.equals(whole.filter(games).with_columns(*moved))
    manifest = load_manifest(tmp_path / "run")
    assert (manifest.games, manifest.blocks) == (78, 26)
    assert run_size(manifest).endswith("seed 5 (games 45 to 122 of 200)")
    assert replay(tmp_path / "run", 3) == replay(tmp_path / "whole", 48)
    with pytest.raises(UserError, match="deals differs"):
        check_same_deals(load_run(tmp_path / "whole"), load_run(tmp_path / "run"))


@pytest.mark.parametrize(
    ("first", "stop", "message"),
    [
        (
            44,
            123,
            r"field games-from: a stretch consists of whole blocks, here of 3 games \(found: 44\); allowed: 42 or 45",
        ),
        (45, 199, r"field games-to: .* \(found: 199\); allowed: 198 or 200"),
        (200, None, r"field games-from: the run has no such game \(found: 200\); allowed: 0 to 199"),
        (-3, None, "field games-from: the run has no such game"),
        (45, 45, r"field games-to: the run has no such games \(found: 45\); allowed: 46 to 200"),
        (45, 201, "field games-to: the run has no such games"),
    ],
)
def test_a_stretch_has_games_of_the_run_and_whole_blocks(
    first: int, stop: int | None, message: str, plan_of: Make
) -> None:
    with pytest.raises(UserError, match=message):
        stretch_of(share_out([plan_of(players=3, strategies=["random", "greedy"])], 200), first, stop)


def test_a_stretch_may_end_with_a_number_of_players_whose_last_block_is_not_whole() -> None:
    whole = share_out(list(make_plans(OF_PLAYERS)), 101)
    taken = stretch_of(whole, 51, None)
    assert [(group.plan.players, group.games, group.first_deal) for group in taken.groups] == [(2, 50, 0)]
    assert (taken.first, taken.stop, taken.first_block) == (51, 101, 17)


def test_a_rule_looks_at_no_stretch(plan_of: Make, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="a stopping rule needs all games of the run"):
        play_run(plan_of(strategies=["random"]), 200, tmp_path / "run", stop_rule=lambda rows: None, stretch=(0, 100))
    assert not list(tmp_path.iterdir())


# ---- Joined ----


@pytest.mark.parametrize("cuts", [(60,), (120,), (45, 48, 150)])
def test_stretches_join_to_the_run_that_was_played_at_once(cuts: Sequence[int], plan_of: Make, tmp_path: Path) -> None:
    plan = plan_of(players=3, strategies=["random", "greedy"], seed=5, detail="cards")
    play_run(plan, 200, tmp_path / "whole", jobs=1)
    folders = play(plan, 200, cuts, tmp_path)
    joined = join(folders[::-1], tmp_path / "joined")
    assert contents(joined) == contents(tmp_path / "whole")
    check_run(joined)


OF_VARIANTS = RunConfig(game="imperium", players=2, variant=["classics", "legends"], strategies=["random"], seed=5)


@pytest.mark.parametrize(
    ("config", "games", "cuts"),
    [(OF_PLAYERS, 101, (51,)), (OF_PLAYERS, 101, (33, 75)), (OF_PLAYERS, 101, (30,)), (OF_VARIANTS, 16, (4, 8))],
)
def test_stretches_over_several_numbers_of_players_or_variants_join(
    config: RunConfig, games: int, cuts: Sequence[int], tmp_path: Path
) -> None:
    plans = list(make_plans(config))
    play_run(plans, games, tmp_path / "whole", jobs=1)
    joined = join(play(plans, games, cuts, tmp_path), tmp_path / "joined")
    assert contents(joined) == contents(tmp_path / "whole")


def test_runs_with_several_seeds_are_pooled(plan_of: Make, tmp_path: Path) -> None:
    folders = []
    for seed in (9, 2):
        plan = plan_of(players=3, strategies=["random", "greedy"], seed=seed, detail="cards")
        folders += play(plan, 100, (51,) if seed == 2 else (), tmp_path)
    joined = join(folders, tmp_path / "joined")
    check_run(joined)
    manifest = load_manifest(joined)
    assert (manifest.games, manifest.blocks) == (200, 68)
    assert [(count.seed, count.first_game, count.first_block) for count in manifest.player_counts] == [
        (2, 0, 0),
        (9, 100, 34),
    ]
    assert "200 games of 3 players in 68 blocks, seeds 2 and 9" in repr(load_run(joined))
    assert replay(joined, 103) == replay(folders[0], 3)
    scores = seats_of(joined)["score"].to_list()
    play_run(plan_of(players=3, strategies=["random", "greedy"], seed=9), 100, tmp_path / "nine", jobs=1)
    assert scores[300:] == seats_of(tmp_path / "nine")["score"].to_list()
    with pytest.raises(UserError, match="already merged from several seeds"):
        join([joined, folders[0]], tmp_path / "more")
    with pytest.raises(UserError, match="do not share their deals"):
        check_same_deals(load_run(joined), load_run(tmp_path / "nine"))


# ---- What is refused ----


@pytest.fixture
def parts(plan_of: Make, tmp_path: Path) -> list[Path]:
    """A run of 150 games in three stretches."""
    return play(plan_of(players=3, strategies=["random"]), 150, (60, 120), tmp_path)


def refused(folders: Sequence[Path], home: Path, message: str) -> None:
    """Joining fails with a message, leaves the runs as they are, and nothing else."""
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    with pytest.raises(UserError, match=message):
        join(folders, home / "joined")
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_gaps_are_refused_wherever_they_are(parts: list[Path], tmp_path: Path) -> None:
    refused(parts[1:], tmp_path, "games 0 to 59 of seed 1 are in none of the runs")
    refused(parts[::2], tmp_path, "games 60 to 119 of seed 1 are in none")
    refused(parts[:2], tmp_path, "games 120 to 149 of seed 1 are in none")


def test_overlapping_stretches_are_refused(parts: list[Path], plan_of: Make, tmp_path: Path) -> None:
    plan = plan_of(players=3, strategies=["random"])
    play_run(plan, 150, tmp_path / "more", jobs=1, stretch=(57, 90))
    refused([*parts, tmp_path / "more"], tmp_path, "more: these stretches overlap: games 57 to 59 of seed 1 are in")
    play_run(plan, 150, tmp_path / "all", jobs=1)
    refused([parts[0], tmp_path / "all"], tmp_path, "these stretches overlap: games 0 to 59 of seed 1 are in")


@pytest.mark.parametrize(
    ("options", "games", "message"),
    [
        ({"settings": {"discounts_add_up": True}}, 150, "settings.discounts_add_up False in the first, True here"),
        ({"strategies": ["greedy"]}, 150, "lineup.1 'random' in the first, 'greedy' here; allowed"),
        ({}, 180, "games 150 in the first, 180 here"),
        ({"detail": "cards"}, 150, "detail 'seats' in the first, 'cards' here"),
    ],
)
def test_runs_of_other_plans_are_refused(
    options: dict[str, Any], games: int, message: str, parts: list[Path], plan_of: Make, tmp_path: Path
) -> None:
    other = plan_of(**{"players": 3, "strategies": ["random"]} | options)
    play_run(other, games, tmp_path / "other", jobs=1, stretch=(120, None))
    refused([*parts[:2], tmp_path / "other"], tmp_path, f"a run of another plan than .*: .*{message}")


def played_with(folder: Path, **fields: str) -> None:
    """Let a run say that its strategies were others."""
    manifest = json.loads((folder / "run.json").read_text())
    strategies = [row | fields for row in manifest["strategies"]]
    (folder / "run.json").write_text(json.dumps(manifest | {"strategies": strategies}))


def test_stretches_join_wherever_the_project_lay_that_played_them(parts: list[Path], tmp_path: Path) -> None:
    played_with(parts[1], source="/elsewhere/configs/strategies/seven_wonders/random.toml", code="0" * 64)
    refused(parts, tmp_path, "strategies.1.code '' in the first, '000")
    played_with(parts[1], code="")
    join(parts, tmp_path / "joined")
    assert load_manifest(tmp_path / "joined").games == 150


def test_one_run_a_damaged_one_and_one_that_a_rule_ended_are_refused(
    parts: list[Path], plan_of: Make, tmp_path: Path
) -> None:
    refused(parts[:1], tmp_path, "merging needs two or more different runs")
    refused([parts[0], parts[0]], tmp_path, "merging needs two or more different runs")
    play_run(
        plan_of(players=3, strategies=["random"], seed=2), 150, tmp_path / "ruled", jobs=1, stop_rule=lambda rows: None
    )
    refused([*parts, tmp_path / "ruled"], tmp_path, "runs stopped early")
    part = parts[1] / "seats" / "part-000000.parquet"
    part.write_bytes(part.read_bytes()[:-1] + b"!")
    refused(parts, tmp_path, "checksum mismatch")


def test_runs_of_earlier_versions_are_refused(parts: list[Path], tmp_path: Path) -> None:
    manifest = json.loads((parts[0] / "run.json").read_text())
    (parts[0] / "run.json").write_text(json.dumps(manifest | {"player_counts": []}))
    refused(parts, tmp_path, "played by an earlier version")


def test_the_folder_of_a_joined_run_is_taken_as_that_of_any_other(parts: list[Path], tmp_path: Path) -> None:
    (tmp_path / "joined").mkdir()
    refused(parts, tmp_path, "the output folder exists")
    join(parts, tmp_path / "joined", overwrite=True)
    assert load_manifest(tmp_path / "joined").games == 150
