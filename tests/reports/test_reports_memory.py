"""What a report holds in memory does not grow with the games of its run."""

import gc
import re
import tempfile
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import FACTIONS, Truth, play, with_fields, write_rows, write_run

from reports.data import games
from reports.data.cells import count_cells
from reports.data.games import Stretches
from reports.data.load import Run, load_run
from reports.report import RUN_SECTIONS, build_report
from reports.sections.core.shares import share_report
from reports.sections.strength.ratings import strength_section
from reports.statistics.core.groupings import GroupSums, possible_cells
from reports.statistics.strength import first_player
from reports.statistics.strength import plackett_luce as model
from reports.statistics.strength.played_tables import Packing, tabulate
from sim.errors import UserError

FEW, MANY = 300, 1_200
"""Blocks of four games; both make the same number of batches."""
SECTIONS = [section for section in RUN_SECTIONS if section is not strength_section]
"""The strengths have a test of their own: they look at samples of games, which are small runs whole."""
PROCESS = Path("/proc/self/status")
ASK = """
import sys
from dataclasses import replace
from pathlib import Path
import polars as pl
from reports.data.games import whole_blocks
from reports.data.load import load_run
from reports.statistics.compare.filter_stats import asked_columns, level_values, with_level_codes
for file in sys.argv[2:]:
    run = replace(load_run(Path(sys.argv[1])), seats=pl.scan_parquet(file))
    seats, found, titles = asked_columns(run)
    next(whole_blocks(with_level_codes(seats, level_values(found, titles), found.schema)))
    print(Path("/proc/self/status").read_text())
"""
"""Finds what can be asked of each run, reads its first stretch, and prints the peak memory of the process so far."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    folder = tmp_path_factory.mktemp("runs")
    few, many = (
        load_run(write_run(folder / str(blocks), Truth(blocks, strategies={"a": 0.0, "b": 0.0})))
        for blocks in (FEW, MANY)
    )
    return few, many


def peak(work: Callable[[], object]) -> int:
    """Bytes that Python and NumPy hold at most while something is done."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize(
    "count",
    [
        share_report,
        *(pytest.param(section, marks=pytest.mark.sweep) for section in SECTIONS),
        pytest.param(count_cells, marks=pytest.mark.sweep),
    ],
    ids=lambda count: count.__name__,
)
def test_four_times_the_games_take_no_more_memory(
    count: Callable[[Run], object], runs: tuple[Run, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number for each of the games that are more would be found."""
    monkeypatch.setattr(games, "ROWS", 500)
    monkeypatch.setattr(first_player, "ROWS", 500)
    monkeypatch.setattr(first_player, "MAX_ROWS", 1_000)  # these it holds
    count(runs[0])  # what is made once and kept is no matter of games
    # A copy, because a run keeps its sums and would not be read again.
    few, many = (peak(partial(count, replace(run))) for run in runs)
    assert many - few < 8 * 4 * (MANY - FEW)


@pytest.mark.sweep
@pytest.mark.skipif(not PROCESS.exists(), reason="only Linux says what memory a process took at most")
def test_what_a_page_is_asked_of_is_found_without_holding_all_seats(
    runs: tuple[Run, Run], tmp_path: Path, in_new_process: Callable[..., str]
) -> None:
    """Polars holds what Python does not see, so a process of its own is asked."""
    frame = runs[0].seats.select("game", "block", "players", "seat", "win", "faction", "strategy").collect()
    turn = pl.int_range(pl.len(), dtype=pl.UInt32) // frame.height
    later = [(pl.col(name) + turn * frame[name].n_unique()).alias(name) for name in ("game", "block")]
    files = {times: tmp_path / f"{times}.parquet" for times in (125, 1_250)}
    for times, file in files.items():
        pl.concat([frame] * times).with_columns(later).write_parquet(file, row_group_size=100_000)
    said = in_new_process(ASK, str(runs[0].folder), *map(str, files.values()))
    few, many = map(int, re.findall(r"VmHWM:\s+(\d+) kB", said))
    assert 1024 * (many - few) < 12 * 1_125 * 4 * 4 * FEW, "a few bytes for each of the seats that are more"


@pytest.mark.sweep
def test_strengths_of_four_times_the_games_take_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "IN_MEMORY", 2**16)
    fit(1)
    few, many = (peak(partial(fit, count)) for count in (13, 52))
    assert many - few < 4 * 39 * 4_000, "less than a number for each of the games that are more"


def fit(stretches: int) -> model.Fit:
    """Strengths of four cells from stretches of 4,000 games each."""
    packing = Packing(4)
    code, start = np.tile(np.arange(4), 4_000), 4 * np.arange(4_001)
    rank = np.random.default_rng(1).permuted(np.tile(np.arange(1, 5), (4_000, 1)), axis=1).ravel()
    for number in range(stretches):
        packing.add(code, rank, start, np.arange(4_000) + 4_000 * number)
    table = tabulate(packing, {"seat": np.arange(4)}, {"seat": list("abcd")})
    assert table.sizes == {4: 4_000 * stretches}
    return model.fit_orders(table.orders, model.contrasts(4))


@pytest.mark.parametrize("room", [2**20, 2**10])
def test_stretches_are_read_as_they_were_added_in_memory_and_on_disk(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "IN_MEMORY", room)
    kept = Stretches()
    parts = [np.arange(number, 500 + number, dtype=np.int16) for number in range(5)]
    for part in parts:
        kept.add(one=part, two=part.astype(np.uint8))
    for _ in range(2):
        for found, part in zip(kept, parts, strict=True):
            assert found["one"].dtype == np.int16
            assert (found["one"] == part).all()
            assert (found["two"] == part.astype(np.uint8)).all()


def test_a_full_disk_for_temporary_files_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(games, "IN_MEMORY", 0)
    kept = Stretches()
    monkeypatch.setattr(np, "save", full)
    with pytest.raises(UserError, match=r"temporary files cannot be written \(No space left on device\)") as error:
        kept.add(one=np.zeros(3))
    assert tempfile.gettempdir() in str(error.value)


def test_rows_are_read_once_even_if_few_factions_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = list(FACTIONS)[:3]
    few = play(Truth(blocks=20, players=3, factions=dict.fromkeys(dealt, 0.0)))
    run = load_run(write_rows(tmp_path / "run", few, Truth(blocks=20, players=3), factions_dealt=dealt))
    gathered: list[object] = []
    begin = GroupSums.__init__
    monkeypatch.setattr(GroupSums, "__init__", lambda sums, run: (gathered.append(run), begin(sums, run))[1])
    build_report(run)
    assert len(gathered) == 1


def test_variants_that_are_planned_but_not_played_yet_make_no_tables(runs: tuple[Run, Run]) -> None:
    standard = pl.lit("standard").cast(pl.Enum(["standard", "other"])).alias("variant")
    manifest = with_fields(runs[0].manifest, {"variants": ["standard"]})
    run = replace(runs[0], seats=runs[0].seats.with_columns(standard), manifest=manifest)
    assert set(possible_cells(run)["variant"]) == {"standard"}
