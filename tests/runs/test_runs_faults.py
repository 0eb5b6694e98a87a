"""Whatever fails at whatever step: afterwards a run is absent, whole, or to be gone on with, and nothing is lost."""

import ast
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.data import disk
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.run import play_run
from sim.runs.store import resume
from sim.runs.store.journal import read_checkpoint
from sim.runs.store.manifest import load_manifest
from sim.runs.store.run_folder import unfinished_at
from sim.runs.store.verify import verified_parts
from tests.runs.conftest import names, set_sizes
from tests.runs.faults import Fault, KilledError, Recorder, after_power_cut

Make = Callable[..., Plan]
GAMES = 100


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 60 and 30 games, and what waits is written after every shard of 50."""
    set_sizes(monkeypatch, 60, 30, 50, 50)
    monkeypatch.setattr(resume, "SECONDS_BETWEEN_SAVES", 0.0)


@pytest.fixture
def seats_only(plan_of: Make) -> Plan:
    return plan_of(players=3, strategies=["random"], seed=3)


@pytest.fixture
def with_cards(plan_of: Make) -> Plan:
    return plan_of(players=3, strategies=["random"], seed=3, detail="cards")


def play(plan: Plan, target: Path, **options: Any) -> None:
    play_run(plan, GAMES, target, jobs=1, keep=True, **options)


def parts(folder: Path) -> dict[str, bytes]:
    """Bytes of every file of a run but its manifest, which says how long it took."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "run.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def expect_whole(folder: Path, expected: dict[str, bytes]) -> None:
    manifest = load_manifest(folder)
    verified_parts(folder, [*manifest.shards, *manifest.piece_parts])
    assert parts(folder) == expected
    assert manifest.games == GAMES


def with_fault(plan: Plan, target: Path, fault: Any, monkeypatch: pytest.MonkeyPatch, **options: Any) -> None:
    """Play with a disk that fails: what ends the run is a message, or the death of the process."""
    with monkeypatch.context() as patched, suppress(KilledError):
        patched.setattr(disk, "watch", fault)
        try:
            play(plan, target, **options)
        except UserError as error:
            if "cannot be written" not in str(error):
                raise


def steps_of(plan: Plan, target: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[str]:
    counter = Fault("none")
    with_fault(plan, target, counter, monkeypatch, **options)
    return counter.steps


def games_kept(target: Path) -> int:
    """How many games of an unfinished run are there, or of a whole one."""
    unfinished = unfinished_at(target)
    kept = None if unfinished is None else read_checkpoint(unfinished)
    return GAMES if target.exists() else 0 if kept is None else kept.games


def finish(plan: Plan, target: Path, expected: dict[str, bytes]) -> None:
    """The folder is absent or whole now; the same command, allowed to replace it, completes it and tidies up."""
    if target.exists():
        expect_whole(target, expected)
    play(plan, target, overwrite=True)
    expect_whole(target, expected)
    assert names(target.parent) == [target.name]


def test_every_step_of_a_run_is_one_that_can_fail(with_cards: Plan, tmp_path: Path, monkeypatch: Any) -> None:
    steps = steps_of(with_cards, tmp_path / "run", monkeypatch)
    taken = {name for name in vars(disk) if hasattr(getattr(disk, name), "__wrapped__")}
    assert taken - set(steps) == set(), "a step that no run takes"
    assert len(steps) > 80


CHANGES = {
    "write_bytes", "write_text", "rename", "unlink", "rmdir", "mkdir", "fsync", "symlink_to", "touch", "makedirs",
}  # fmt: skip
"""What Python calls that which changes a disk."""


def test_the_store_changes_the_disk_in_one_place_only() -> None:
    found = set()
    for file in sorted((Path(sim.__file__).parent / "runs").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                owner = node.func.value
                if not (isinstance(owner, ast.Name) and owner.id == "disk"):
                    found.add((file.name, node.func.attr))
    assert found == set()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["kill", "kill within"])
def test_a_run_killed_at_any_step_is_completed_by_the_same_command(
    kind: str, with_cards: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: Callable[..., int]
) -> None:
    steps = steps_of(with_cards, tmp_path / "whole", monkeypatch)
    expected = parts(tmp_path / "whole")
    games = []
    tried = [at for at, step in enumerate(steps) if kind == "kill" or step in ("write", "append")]
    for at in tried[:: scaled(7 if kind == "kill" else 4, 20, 1)]:
        target = tmp_path / str(at) / "run"
        target.parent.mkdir()
        with_fault(with_cards, target, Fault(kind, at), monkeypatch)
        games.append(games_kept(target))
        finish(with_cards, target, expected)
    assert games == sorted(games) != []
    assert {0, 50, GAMES} <= set(games) or len(games) < 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["full", "error", "dead"])
def test_a_disk_that_fails_at_any_step_costs_nothing_that_was_played(
    kind: str, seats_only: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: Callable[..., int]
) -> None:
    steps = steps_of(seats_only, tmp_path / "whole", monkeypatch)
    expected = parts(tmp_path / "whole")
    every = scaled(7, 20, 1)
    for at in range(["full", "error", "dead"].index(kind) % every, len(steps), every):
        target = tmp_path / str(at) / "run"
        target.parent.mkdir()
        with_fault(seats_only, target, Fault(kind, at), monkeypatch)
        finish(seats_only, target, expected)


@pytest.mark.slow
def test_a_run_that_replaces_another_loses_neither_wherever_it_is_killed(
    seats_only: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: Callable[..., int]
) -> None:
    play(seats_only, tmp_path / "whole" / "run")
    expected = parts(tmp_path / "whole" / "run")
    steps = steps_of(seats_only, tmp_path / "whole" / "run", monkeypatch, overwrite=True)
    renamed = [at for at, step in enumerate(steps) if step == "rename"]
    for at in sorted({*range(0, len(steps), scaled(7, 20, 1)), *renamed}):
        target = tmp_path / str(at) / "run"
        play_run(seats_only, 10, target, jobs=1)
        with_fault(seats_only, target, Fault("kill", at), monkeypatch, overwrite=True)
        replaced = list(target.parent.glob(".run.replaced-*"))
        assert load_manifest(target if target.exists() else replaced[0]).games in (10, GAMES)
        play(seats_only, target, overwrite=True)
        expect_whole(target, expected)
        assert names(target.parent) == ["run"]


def test_a_run_killed_again_and_again_is_completed(
    with_cards: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: Callable[..., int]
) -> None:
    draw = random.Random(4)
    play(with_cards, tmp_path / "whole")
    expected = parts(tmp_path / "whole")
    for number in range(scaled(3, 1, 40)):
        target = tmp_path / str(number) / "run"
        target.parent.mkdir()
        for _ in range(4):
            with_fault(with_cards, target, Fault("kill within", draw.randrange(60)), monkeypatch, overwrite=True)
        finish(with_cards, target, expected)


@pytest.mark.slow
def test_what_a_power_cut_leaves_is_completed_by_the_same_command(
    with_cards: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: Callable[..., int]
) -> None:
    draw, recorder = random.Random(8), Recorder(tmp_path / "first")
    (tmp_path / "first").mkdir()
    with_fault(with_cards, tmp_path / "first" / "run", recorder, monkeypatch)
    expected = parts(tmp_path / "first" / "run")
    kept = []
    for number in range(scaled(9, 2, 600)):
        target = tmp_path / str(number) / "run"
        target.parent.mkdir()
        steps = len(recorder.steps)
        # Every other time within the last steps, where the folder is put in place and all else removed.
        cut = draw.randrange(steps) if number % 2 else steps - draw.randrange(min(steps, 20))
        after_power_cut(recorder.steps[:cut], target.parent, draw)
        said: list[str] = []
        if target.exists():
            expect_whole(target, expected)
        play(with_cards, target, overwrite=True, say=said.append)
        kept.append(any("resuming" in word for word in said))
        expect_whole(target, expected)
        assert names(target.parent) == ["run"]
    assert any(kept) or len(kept) < 10
