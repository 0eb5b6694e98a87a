"""An unfinished run is gone on with by the command that began it, to the bytes of a run that nothing disturbed."""

import hashlib
import json
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from reports.data.load import load_so_far
from sim.data import disk
from sim.data.files import MAX_BYTES
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs import run
from sim.runs.config import RunConfig, make_plans
from sim.runs.run import play_run, warm_up
from sim.runs.shards import play_shard, shards_of, share_out
from sim.runs.store import resume
from sim.runs.store.journal import differing, read_checkpoint
from sim.runs.store.manifest import load_manifest, read_manifest
from sim.runs.store.parquet import table_frame, table_rows, tables_of
from sim.runs.store.run_folder import atomic_folder, claim_of, unfinished_at
from tests.kit.plans import all_detail
from tests.kit.processes import start_process
from tests.runs.conftest import contents, names, table_of
from tests.runs.faults import Fault, KilledError

pytestmark = pytest.mark.usefixtures("small_parts")

Make = Callable[..., Plan]


@pytest.fixture(scope="module")
def plan(plan_of: Make) -> Plan:
    return plan_of(players=3, strategies=["random", "greedy"], detail="cards", seed=7)


@pytest.fixture(scope="module")
def home(plan: Plan, small_parts: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run of 200 games that nothing disturbed and one that was interrupted; no test may change it."""
    home = tmp_path_factory.mktemp("runs")
    play_run(plan, 200, home / "undisturbed", jobs=1)
    interrupt(plan, home / "run")
    return home


@pytest.fixture
def target(home: Path, tmp_path: Path) -> Path:
    """A copy of the interrupted run, with the undisturbed one beside it."""
    shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    return tmp_path / "fresh" / "run"


def interrupt(
    plan: Any, target: Path, games: int = 200, calls: int = 6, error: BaseException | None = None, **options: Any
) -> str:
    """Interrupt a run after some shards; return what is said of it."""
    made: list[int] = []

    def report(finished: int) -> None:
        made.append(finished)
        if len(made) == calls:
            raise error or KeyboardInterrupt

    with pytest.raises((KeyboardInterrupt, MemoryError)) as interrupted:
        play_run(plan, games, target, jobs=1, keep=True, report=report, **options)
    return str(interrupted.value)


def kept_at(target: Path) -> Path:
    """Folder of an unfinished run."""
    unfinished = unfinished_at(target)
    assert unfinished is not None
    return unfinished


def kept_files(target: Path) -> list[str]:
    folder = kept_at(target)
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def expect_undisturbed(target: Path) -> None:
    """The run is now the one that nothing disturbed, and nothing else is left."""
    assert contents(target) == contents(target.with_name("undisturbed"))
    assert names(target.parent) == ["run", "undisturbed"]


# ---- Going on ----


def test_an_interrupted_run_says_what_is_kept_and_is_completed_by_the_same_call(plan: Plan, target: Path) -> None:
    assert kept_files(target) == [
        *(f"content/cards/part-00000{number}.parquet" for number in range(3)),
        "content/seats/part-000000.parquet",
        *("parts.jsonl", "plan.json", "waiting/cards-90.parquet", "waiting/seats-90.parquet"),
    ]
    heard: list[str] = []
    finished: list[int] = []
    summary = play_run(plan, 200, target, jobs=1, keep=True, say=heard.append, report=finished.append)
    assert heard == ["resuming: 90 of 200 games already played"]
    assert (sum(finished), finished[0]) == (200, 90)
    expect_undisturbed(target)
    by_strategy = table_of(target).group_by(pl.col("strategy").cast(pl.String))
    assert summary.mean_scores == pytest.approx(dict(by_strategy.agg(pl.col("score").mean()).iter_rows()))


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), MemoryError("too many rows"), RuntimeError("can't start new thread")]
)
def test_a_run_that_is_interrupted_or_gets_no_memory_says_what_is_kept(
    plan: Plan, target: Path, fresh: Path, error: BaseException
) -> None:
    said = interrupt(plan, fresh, error=error)
    assert said == f"{error}; 90 of 200 games saved; run the same command to resume".removeprefix("; ")
    assert kept_files(fresh) == kept_files(target)
    play_run(plan, 200, fresh, jobs=1, keep=True)
    assert contents(fresh) == contents(target.with_name("undisturbed"))


def test_a_run_with_several_numbers_of_players_and_variants_goes_on(fresh: Path) -> None:
    config = RunConfig(game="seven_wonders", players=[3, 2], strategies=["random"], seed=7)
    plans = make_plans(config)
    play_run(plans, 130, fresh.with_name("undisturbed"), jobs=1)
    for calls in (2, 3, 2):
        interrupt(plans, fresh, 130, calls)
    play_run(plans, 130, fresh, jobs=2, keep=True)
    assert contents(fresh) == contents(fresh.with_name("undisturbed"))


def after_150_games() -> Any:
    """A rule that ends a run at 150 games."""
    seen: list[int] = []

    def enough(rows: np.ndarray) -> int | None:
        before, now = sum(seen) // 3, (sum(seen) + len(rows)) // 3
        seen.append(len(rows))
        return 150 if before < 150 <= now else None

    return enough


@pytest.fixture(scope="module")
def seats_only(plan_of: Make) -> Plan:
    return plan_of(players=3, strategies=["random"], seed=7)


@pytest.fixture(scope="module")
def ruled(seats_only: Plan, small_parts: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """The contents of a run that a rule ends and nothing disturbs."""
    folder = tmp_path_factory.mktemp("ruled") / "run"
    play_run(seats_only, 400, folder, jobs=1, stop_rule=after_150_games())
    return contents(folder)


@pytest.mark.parametrize("calls", [1, 3, 4, 9])
def test_a_rule_that_ends_a_run_sees_the_games_that_are_kept(
    calls: int, seats_only: Plan, ruled: dict[str, object], fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if calls == 9:  # killed when all parts are written, the last of which is smaller than others
        at = Fault("kill", None)

        def stop(step: str, path: Path, *more: object) -> None:
            at.at = 0 if path.name == "run.unfinished" else at.at
            at(step, path, *more)

        with monkeypatch.context() as patched:
            patched.setattr(disk, "watch", stop)
            with pytest.raises(KilledError):
                play_run(seats_only, 400, fresh, jobs=1, keep=True, stop_rule=after_150_games())
        assert kept_files(fresh)[:3] == [f"content/seats/part-00000{number}.parquet" for number in range(3)]
    else:
        said = interrupt(seats_only, fresh, 400, calls, stop_rule=after_150_games())
        assert said.startswith(f"{20 * calls} of at most 400 games saved")
    play_run(seats_only, 400, fresh, jobs=1, keep=True, stop_rule=after_150_games())
    assert read_manifest(fresh)["stopped"] == {"at_most": 400, "early": True}
    assert contents(fresh) == ruled


def test_the_time_of_all_sessions_is_counted(plan: Plan, target: Path) -> None:
    journal = kept_at(target) / "parts.jsonl"
    journal.write_text(journal.read_text().replace('"seconds":', '"seconds":1000'))
    play_run(plan, 200, target, jobs=1, keep=True)
    assert read_manifest(target)["seconds"] > 1000


def test_a_journal_and_a_manifest_may_be_longer_than_any_other_file(plan: Plan, target: Path) -> None:
    unfinished = kept_at(target)
    kept = read_checkpoint(unfinished)
    journal = unfinished / "parts.jsonl"
    journal.write_bytes(b"x" * (MAX_BYTES + 5) + b"\n" + journal.read_bytes())
    assert read_checkpoint(unfinished) == kept
    play_run(plan, 200, target, jobs=1, keep=True)
    manifest = load_manifest(target)
    with (target / "run.json").open("a") as file:
        file.write(" " * MAX_BYTES)
    assert load_manifest(target) == manifest


def test_an_interrupt_before_the_first_games_leaves_nothing(
    plan: Plan, fresh: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(text: str) -> None:
        raise KeyboardInterrupt

    fresh.parent.mkdir()
    monkeypatch.setattr(run, "runtime_estimate_message", lambda *_: "long")
    with pytest.raises(KeyboardInterrupt) as found:
        play_run(plan, 200, fresh, jobs=1, keep=True, say=interrupted)
    assert not str(found.value)
    assert names(fresh.parent) == []


def test_a_strategy_that_fails_leaves_nothing_not_even_of_earlier_sessions(plan: Plan, target: Path) -> None:
    def fail(games: int) -> None:
        raise UserError("strategy mine returned a score that is not a number")

    with pytest.raises(UserError, match=r"not a number$"):
        play_run(plan, 200, target, jobs=1, keep=True, report=fail)
    assert names(target.parent) == ["undisturbed"]


def test_what_waits_is_written_now_and_then(seats_only: Plan, fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resume, "SECONDS_BETWEEN_SAVES", 0.0)
    kept: list[int] = []
    play_run(seats_only, 100, fresh, jobs=1, keep=True, report=lambda games: kept.append(games_there(fresh)))
    assert kept == [20, 40, 60, 80, 100]


@pytest.mark.parametrize("game", ["seven_wonders", "history_of_the_world"])
def test_columns_turn_back_into_the_rows_they_were_made_of(game: str, compiled_only: None) -> None:
    groups = share_out(make_plans(RunConfig(game=game, strategies=["random"], detail=all_detail(game))), 4)
    (shard,) = shards_of(groups, warm_up([group.plan for group in groups], lambda text: None), 4)
    plan = groups[0].plan
    for table, rows in zip(tables_of(plan), play_shard(shard), strict=False):
        frame = table_frame(groups, table, rows)
        assert len(rows)
        assert (table_rows(plan, table, frame) == rows).all(), table


# ---- Damage ----


def damage_part(unfinished: Path) -> None:
    part = unfinished / "content" / "cards" / "part-000001.parquet"
    part.write_bytes(part.read_bytes()[:-1] + b"!")


DAMAGE: dict[str, tuple[Callable[[Path], object], int]] = {
    "a changed part": (damage_part, 90),
    "a missing part": (lambda f: (f / "content" / "seats" / "part-000000.parquet").unlink(), 90),
    "a changed file that waits": (lambda f: (f / "waiting" / "seats-90.parquet").write_bytes(b"?"), 60),
    "a missing file that waits": (lambda f: (f / "waiting" / "cards-90.parquet").unlink(), 60),
    "a torn journal": (lambda f: (f / "parts.jsonl").write_bytes((f / "parts.jsonl").read_bytes()[:-9]), 60),
    "no journal": (lambda f: (f / "parts.jsonl").unlink(), 0),
    "half a part": (lambda f: (f / "content" / "seats" / "part-000001.unfinished").write_text("half"), 90),
    "a part that nobody noted": (lambda f: (f / "content" / "seats" / "part-000001.parquet").write_text("?"), 90),
    "a manifest": (lambda f: (f / "content" / "run.json").write_text("{}"), 90),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_what_is_damaged_is_played_again_and_no_more(what: str, plan: Plan, target: Path) -> None:
    damage, games = DAMAGE[what]
    damage(kept_at(target))
    finished: list[int] = []
    play_run(plan, 200, target, jobs=1, keep=True, report=finished.append)
    assert (sum(finished), finished[0] if games else 0) == (200, games)
    expect_undisturbed(target)


def test_rows_that_wait_are_looked_through_like_parts(target: Path) -> None:
    unfinished = kept_at(target)
    file, journal = unfinished / "waiting" / "seats-90.parquet", unfinished / "parts.jsonl"
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    rows = pl.read_parquet(file)
    rows.with_columns(pl.lit(99, rows.schema["rank"]).alias("rank")).write_parquet(file)
    journal.write_text(journal.read_text().replace(digest, hashlib.sha256(file.read_bytes()).hexdigest()))
    with pytest.raises(UserError, match=r"seats-90\.parquet.*rank: not a number that this run can have"):
        load_so_far(target)


# ---- Other plans ----


@pytest.mark.parametrize(
    ("options", "games", "message"),
    [
        ({"seed": 2}, 200, "seed 7 there, 2 asked for;"),
        ({}, 201, "games 200 there, 201 asked for; allowed"),
        ({"settings": {"discounts_add_up": True}}, 200, "settings.discounts_add_up False there, True asked for"),
        ({"strategies": ["greedy", "random"]}, 200, "lineup.1 'random' there, 'greedy' asked for"),
        ({"detail": "seats"}, 200, "detail 'cards' there, 'seats' asked for"),
    ],
)
def test_an_unfinished_run_of_another_plan_is_kept_and_told_with_what_differs(
    options: dict[str, Any], games: int, message: str, plan_of: Make, target: Path
) -> None:
    before = kept_files(target)
    usual = {"players": 3, "strategies": ["random", "greedy"], "detail": "cards", "seed": 7}
    other = plan_of(**usual | options)
    with pytest.raises(UserError, match=f"an unfinished run of another plan is here: .*{message}"):
        play_run(other, games, target, jobs=1, keep=True)
    assert kept_files(target) == before
    play_run(other, games, target, jobs=1, keep=True, overwrite=True)
    assert read_manifest(target)["games"] == games
    assert names(target.parent) == ["run", "undisturbed"]


def test_what_does_not_keep_its_own_work_does_not_touch_that_of_others(plan: Plan, target: Path) -> None:
    before = kept_files(target)
    with pytest.raises(UserError, match="an unfinished run is here"):
        play_run(plan, 200, target, jobs=1)
    with pytest.raises(UserError, match="an unfinished run is here"), atomic_folder(target, lambda: None):
        pass
    assert kept_files(target) == before


def test_a_plan_that_cannot_be_read_is_no_plan_of_ours(plan: Plan, target: Path) -> None:
    (kept_at(target) / "plan.json").write_text('{"format": "empirelab-plan/9"}')
    with pytest.raises(UserError, match="its plan cannot be read"):
        play_run(plan, 200, target, jobs=1, keep=True)
    play_run(plan, 200, target, jobs=1, keep=True, overwrite=True)
    expect_undisturbed(target)


def test_differences_name_the_place_and_both_values() -> None:
    there = {"a": 1, "b": {"c": [1, 2], "d": 0}, "gone": None}
    assert differing(there, there) == []
    assert differing(there, {"a": 2, "b": {"c": [1, 3], "d": 0}}) == [
        "a 1 there, 2 asked for",
        "b.c.2 2 there, 3 asked for",
    ]
    assert differing({"a": [1]}, {"a": [1, 2]}) == ["a [1] there, [1, 2] asked for"]


def test_long_lists_that_begin_and_end_alike_are_told_by_what_one_has_alone() -> None:
    names = [f"faction {number}" for number in range(9)]
    assert differing({"dealt": names}, {"dealt": [*names[:4], *names[5:]]}) == ["dealt also ['faction 4'] there"]
    rows = [{"name": name, "weights": {"military": 1.0}} for name in names]
    assert differing({"strategies": rows[:-1]}, {"strategies": rows}) == ["strategies also ['faction 8'] asked for"]
    assert differing({"dealt": names}, {"dealt": [*names, *names[:1]]}) == [
        "dealt 9 entries there, 10 entries asked for"
    ]


# ---- True processes ----

LONG_RUN = (
    "import sys; from sim.runs import run; from sim.runs.store import resume; run.PART_GAMES = 2000;"
    "resume.SECONDS_BETWEEN_SAVES = 0.2;"
    "from sim.cli import main; sys.argv[0] = 'empirelab'; main()"
)
WORDS = "simulate seven_wonders --games 5000000 --players 3 --strategies random --jobs 1 --out run"
"""What `LONG_RUN` is asked to play; it takes minutes."""


def games_there(target: Path) -> int:
    """How many games of an unfinished run are kept."""
    unfinished = unfinished_at(target)
    kept = None if unfinished is None else read_checkpoint(unfinished)
    return 0 if kept is None else kept.games


@pytest.mark.slow
def test_a_run_whose_process_is_killed_is_gone_on_with_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "run"
    for number in (signal.SIGKILL, signal.SIGTERM):
        before = games_there(target)
        with start_process(tmp_path, "-c", LONG_RUN, *WORDS.split()) as process:
            patience = time.monotonic() + 120
            while process.poll() is None and games_there(target) <= before and time.monotonic() < patience:
                time.sleep(0.02)
            process.send_signal(number)
            _, said = process.communicate()
        assert games_there(target) > before
    assert process.returncode == 130
    assert "resuming: " in said
    assert "of 5,000,000 games saved; run the same command to resume" in said
    assert claim_of(target).is_file()
    assert json.loads((kept_at(target) / "plan.json").read_text())["planned"]["games"] == 5_000_000
