"""Plays a run: plays its shards on all cores and writes the results in the order of the games.

Before a long run a message estimates how long the run will take and how much it will write.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sim.compiler.cache import compiling_announced, drop_old_kernels
from sim.compiler.kernel import compiled
from sim.compiler.source_digest import is_outside
from sim.data.arguments import jobs_to_use
from sim.engine.result_rows import GAME
from sim.errors import UserError
from sim.games.plain.playing import open_deal
from sim.players.batch import Plan, play_all
from sim.players.batch import play as play_games
from sim.players.compile_players import compile_strategies, players_of
from sim.runs.config import UNLABELLED, Label
from sim.runs.progress import duration
from sim.runs.shards import (
    Group,
    Play,
    Shard,
    Stretch,
    groups_to_play,
    in_order,
    interruptible,
    play_shards,
    shards_of,
    share_out,
)
from sim.runs.store.build_manifest import planned_run
from sim.runs.store.journal import Checkpoint, CheckpointPlan, Spent, can_resume
from sim.runs.store.manifest import SEAT_TABLE, Manifest, PartEntry, write_manifest
from sim.runs.store.parquet import (
    COMPRESSION_LEVEL,
    check_out,
    check_run_folder,
    parquet,
    piece_frame,
    seat_frame,
    seat_rows,
    tables_of,
    tally_frame,
)
from sim.runs.store.resume import Session, add_scores, restore_checkpoint, saved_seats
from sim.runs.store.run_folder import atomic_folder, refuse_unfinished
from sim.runs.warm import compile_engine, compile_message

PART_GAMES, PART_GAMES_OF_PIECES = 100_000, 10_000
"""Number of games in a part file of seats, and in any other part file. The numbers are fixed, so that the files do not
depend on how the work was split."""
SHARD_GAMES, SHARD_GAMES_WITH_PIECES, SHARD_GAMES_LOOKING_AHEAD, SHARD_GAMES_IN_PYTHON = 5_000, 1_000, 20, 100
"""Number of games in a shard. A worker plays one shard at a time."""

Report = Callable[[int], None]
"""Called with the number of games that have just been finished."""

StopRule = Callable[[np.ndarray], int | None]
"""A rule that ends a run early.

Each call gets the seat rows of the next games: int32, with the columns of `sim.engine.result_rows`, in the order of the
games, each game once. The rule must not change them. A call may end in the middle of a block; the next call then gets
the rest of the block.

The rule returns None to continue, or the number of games, counted from the start of the run, after which to stop. These
games must be whole blocks, and the last block must have ended in this call. The answer must be the first number at
which the rule would stop, and must depend only on the games up to there. So the run does not depend on how its games
were split into calls.

If the rule has an attribute `record`, a mapping, the manifest holds a copy of it under `stopped`, made when the run
ends.
"""


@dataclass
class Summary:
    """Summary of a finished run: times in wall-clock seconds, `size` in bytes, `stopped` as in `Manifest`."""

    folder: Path | str
    games: int
    rows: int
    seconds: float
    writing_seconds: float
    size: int = 0
    mean_scores: dict[str, float] = field(default_factory=dict)
    stopped: dict[str, Any] | None = None


def no_message(text: str) -> None:
    """Ignore a message."""


def warm_up(plans: Sequence[Plan], say: Callable[[str], None]) -> list[Any]:
    """Compile everything that the plans of a run need, before any worker starts; return the players of each plan.

    `say` receives a message on what has to be compiled and how long that takes. If `say` is `no_message`, compiling is
    logged instead (`sim.compiler.cache`). Raise UserError if a strategy does not compile or fails in the first game.
    """
    if plans[0].game.plain is not None:
        for plan in plans:
            play_games(plan, (None, None), 0, 1)
        if plans[0].looks_ahead and (word := open_deal(plans[0])):
            say(word)
        return [(None, None) for _ in plans]
    if compiled() and (word := compile_message(plans[0])):
        say(word)
        if say is not no_message:
            compiling_announced.set()
        drop_old_kernels()
        if not is_outside(plans[0].game.play_step):
            compile_engine(plans[0])
    slots = compile_strategies(plans[0])
    players = [players_of(plan, slots) for plan in plans]
    play_games(plans[0], players[0], 0, 0)  # the call compiles the kernel, although it plays no game
    for plan, team in zip(plans, players, strict=True):
        interruptible(play_games, plan, team, 0, 1)  # a strategy might loop forever
    return players


def play_run(
    plan: Plan | Sequence[Plan],
    games: int,
    out: Path,
    *,
    jobs: int = -1,
    overwrite: bool = False,
    command: str = "",
    shard_games: int | None = None,
    stop_rule: StopRule | None = None,
    stretch: tuple[int | None, int | None] | None = None,
    keep: bool = False,
    play: Play = play_shards,
    label: Label = UNLABELLED,
    say: Callable[[str], None] = no_message,
    report: Report = lambda games: None,
) -> Summary:
    """Play all games of a run and write its folder.

    Parameters
    ----------
    plan
        The plan, or one plan for each number of players and variant (`make_plans`). Several plans share the games.
    games
        Number of games to play; with `stop_rule`, the maximum number.
    out
        Folder of the run, which appears only when the run is complete. If `keep` is true, an unfinished run of the same
        plan is resumed.
    jobs
        Number of workers, -1 for all cores. The files are the same for any number.
    shard_games
        Number of games in a shard. The files are the same for any number.
    stop_rule
        Rule that may end the run early, see `StopRule`. If it ends the run after n games, these are the games of a run
        of n games.
    stretch
        First game, and the game after the last one, numbered as in a run of all games. They must enclose whole blocks.
        By default all games are played.
    keep
        Whether an interrupt or a full disk leaves a checkpoint that can be resumed. Any other error leaves nothing.
    play
        Plays the shards: threads of this process, or a cluster.
    label
        Tags and note of the manifest.
    say, report
        `say` gets messages on the preparation, `report` the number of games that have just been finished.

    Raises
    ------
    UserError
        The folder cannot be written or exists, another process writes to it, an unfinished run of another plan is
        there, a strategy fails, there are too few games for the numbers of players and variants, or there are several
        numbers of players or variants together with `stop_rule`.
    KeyboardInterrupt
        The run was interrupted; the error says what is saved.
    """
    check_out(out, overwrite)
    workers = jobs_to_use(jobs)
    plans = [plan] if isinstance(plan, Plan) else list(plan)
    groups, taken = groups_to_play(plans, games, stretch)
    games = sum(group.games for group in groups)
    if stop_rule is not None and taken is not None:
        raise UserError("a stopping rule needs all games of the run, not a stretch", field="games-from")
    if stop_rule is not None and len(groups) > 1:
        message = "a run with a stopping rule has one number of players and one variant"
        counts = dict.fromkeys(group.plan.players for group in groups)
        field, found = (
            ("players", [*counts]) if len(counts) > 1 else ("variant", [group.plan.variant for group in groups])
        )
        raise UserError(message, field=field, found=found)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    session = Session(groups, plan_of_run(groups, command, taken, stop_rule, started), keep)
    goes = partial(can_resume, asked=session.plan, overwrite=overwrite) if keep else refuse_unfinished
    check = partial(check_run_folder, out, overwrite)
    with atomic_folder(out, check, goes, session.saved_message) as folder:
        saved = session.begin(folder)
        if saved.games:
            say(f"resuming: {saved.games:,} of {games:,} games already played")
        players = warm_up([group.plan for group in groups], say)
        session.began = time.perf_counter()
        size = shard_games or shard_games_of(plans[0])
        saved, frames = restore_checkpoint(saved, groups, players, workers, size, say)
        session.resume(saved, frames)
        totals = np.zeros((len(plans[0].strategies), 2))
        word = runtime_estimate_message(rest_of(groups, saved.games), players, workers, out, stop_rule is not None)
        if word and play is play_shards:
            say(word)
        stop = replay_saved(saved, frames, plans[0], totals, stop_rule)
        if saved.games:
            report(saved.games)
        shards = shards_of(groups, players, size, saved.games, stop)
        played = play_and_write(shards, workers, session, totals, stop_rule, report, play)
        if stop_rule is not None:
            groups = (replace(groups[0], games=played),)
        spent, tables = session.spent(), {part.table: part.entries for part in session.parts}
        end = stopped(stop_rule, games, played)
        manifest = finished_manifest(groups, tables, saved.plan.started, spent, workers, command, taken, end, label)
        write_manifest(folder, manifest)
        session.whole = True
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    rows, means = sum(group.games * group.plan.players for group in groups), mean_scores(plans[0], totals)
    return Summary(out, played, rows, spent.playing, spent.writing, size, means, manifest.stopped)


def mean_scores(plan: Plan, totals: np.ndarray) -> dict[str, float]:
    """Return the mean score by strategy, given (sum of scores, number of seats) of each in `totals`."""
    names = [strategy.name for strategy in plan.strategies]
    return {name: total / count for name, (total, count) in zip(names, totals, strict=True) if count}


def finished_manifest(
    groups: Sequence[Group],
    tables: Mapping[str, Sequence[PartEntry]],
    started: str,
    spent: Spent,
    jobs: int,
    command: str,
    stretch: Stretch | None,
    stopped: dict[str, Any] | None,
    label: Label,
) -> Manifest:
    """Return the manifest of a finished run: its plan, the parts of its tables, and how it was played."""
    plan, others = groups[0].plan, {table: list(entries) for table, entries in tables.items()}
    pieces = plan.game.pieces if plan.keeps_pieces else None
    return Manifest(
        **dict(planned_run(groups, command, stretch)),
        tags=list(label.tags),
        note=label.note,
        stopped=stopped,
        started=started,
        seconds=spent.seconds,
        playing_seconds=spent.playing,
        writing_seconds=spent.writing,
        jobs=jobs,
        shards=others.pop(SEAT_TABLE),
        piece_parts=[] if pieces is None else others.pop(pieces.plural),
        tally_shards=others,
    )


def plan_of_run(
    groups: Sequence[Group],
    command: str,
    stretch: Stretch | None = None,
    stop_rule: StopRule | None = None,
    started: str = "",
) -> CheckpointPlan:
    """Return the plan that a checkpoint stores before the first game: run, stopping rule, and part sizes."""
    sizes = {table: part_games_of(table) for table in tables_of(groups[0].plan)}
    rule = None if stop_rule is None else dict(getattr(stop_rule, "record", {}))
    return CheckpointPlan(planned=planned_run(groups, command, stretch), rule=rule, part_games=sizes, started=started)


def part_games_of(table: str) -> int:
    """Return the number of games in a part of a table."""
    return PART_GAMES if table == SEAT_TABLE else PART_GAMES_OF_PIECES


def rest_of(groups: Sequence[Group], first: int) -> list[Group]:
    """Return copies of the groups whose `games` counts only the games from game `first` of the run on.

    A group before that game gets 0 games. All other fields stay the same.
    """
    return [replace(group, games=max(min(group.games, group.first_game + group.games - first), 0)) for group in groups]


def replay_saved(
    saved: Checkpoint, frames: Mapping[str, pl.DataFrame], plan: Plan, totals: np.ndarray, stop_rule: StopRule | None
) -> int | None:
    """Add the scores of the saved games to `totals`, and pass the rows of these games to the stopping rule.

    Returns
    -------
    The number of games after which the rule stops the run; None if the rule does not stop it.
    """
    stop = None
    for frame in saved_seats(saved, frames):
        rows = seat_rows(plan, frame)
        add_scores(totals, rows)
        if stop_rule is not None and stop is None:
            stop = stop_rule(rows)
    if stop is not None and stop != saved.games:
        raise ValueError(f"a run that its rule stopped after {stop} games has been played to {saved.games}")
    return stop


def play_and_write(
    shards: Sequence[Shard],
    workers: int,
    session: Session,
    totals: np.ndarray,
    stop_rule: StopRule | None,
    report: Report,
    play: Play,
) -> int:
    """Play shards until all are done or the rule stops; write the part files; return the number of games of the run."""
    games = session.games
    with closing(play(shards, workers)) as played:
        for shard, found in zip(shards, played, strict=False):
            tables, count = found, shard.count
            stop = None if stop_rule is None else ask(stop_rule, tables[0], games, shard)
            if stop is not None:
                count = stop - games
                tables = tuple(rows[: np.searchsorted(rows[:, GAME], stop)] for rows in found)
            before = time.perf_counter()
            for part, rows in zip(session.parts, tables, strict=False):
                part.add(rows, count)
            add_scores(totals, tables[0])
            games += count
            session.mark_consistent(games)
            session.save_if_due()
            session.writing += time.perf_counter() - before
            report(count)
            if stop is not None:
                break
    before = time.perf_counter()
    for part in session.parts:
        part.flush()
    session.writing += time.perf_counter() - before
    return games


def shard_games_of(plan: Plan) -> int:
    """Return the number of games in a shard.

    It is small if games are slow, so that progress is visible and a killed run loses little.
    """
    if plan.looks_ahead:
        return SHARD_GAMES_LOOKING_AHEAD
    if plan.game.plain is not None:
        return SHARD_GAMES_IN_PYTHON
    return SHARD_GAMES_WITH_PIECES if plan.keeps_pieces else SHARD_GAMES


def ask(stop_rule: StopRule, rows: np.ndarray, before: int, shard: Shard) -> int | None:
    """Pass the rows of the next shard to the stopping rule; check and return its answer.

    `before` is the number of games before this shard. Raise ValueError if the answer is not a number of whole blocks,
    or lies outside this shard. Such an answer would make the length of the run depend on its division into shards.
    """
    stop, block, seen = stop_rule(rows), shard.group.plan.block_games, before + shard.count
    if stop is not None and (stop % block or not before - before % block < stop <= seen):
        raise ValueError(
            f"a rule may end a run at whole blocks of {block} games just played, {before} to {seen}: {stop}"
        )
    return stop


def stopped(stop_rule: StopRule | None, most: int, games: int) -> dict[str, Any] | None:
    """Return the manifest's entry on the stopping rule; None if the run has no stopping rule."""
    if stop_rule is None:
        return None
    record: Mapping[str, Any] = getattr(stop_rule, "record", {})
    return {"at_most": most, "early": games < most, **record}


FEW, SAMPLE, SAMPLE_IN_PYTHON = 20, 600, 100
"""Number of games played for a first estimate of time, and for a better estimate. The better estimate is made if its
games will take less than `PATIENCE` seconds. For games in plain Python it uses `SAMPLE_IN_PYTHON` games, because one
process plays them while the others wait."""
MIN_SAMPLE = 1
"""Number of games played for an estimate of time if players look ahead."""
WORTH, PATIENCE = 40, 1.0
"""A sample is played only if the games to estimate are at least `WORTH` times as many. `PATIENCE` is in seconds."""
LONG_SECONDS, LARGE_BYTES = 60.0, 250e6
"""Thresholds for announcing a run: the time that counts as long, and the size on disk that counts as large."""


def runtime_estimate_message(
    groups: Sequence[Group], players: Sequence[Any], jobs: int, out: Path, ends_early: bool = False
) -> str:
    """Return a message that estimates the time and the disk space of a run; empty if both are small.

    The message says so if the disk of the folder `out` has too little space, or if a stopping rule may end the run
    early.
    """
    seconds = size = 0.0
    for group, team in zip(groups, players, strict=True):
        few = MIN_SAMPLE if group.plan.looks_ahead else FEW
        if group.games < few * WORTH:
            continue
        each, frames = sample_of(group, team, few)
        more = SAMPLE if group.plan.game.plain is None else SAMPLE_IN_PYTHON
        if group.games >= more * WORTH and each * more < PATIENCE:
            each, frames = sample_of(group, team, more)
        seconds += each * group.games / jobs
        size += sum(map(bytes_of_half, frames)) * 2 * group.plan.players / frames[0].height * group.games
    if seconds < LONG_SECONDS and size < LARGE_BYTES:
        return ""
    takes = "may take up to" if ends_early else "will take about"
    text = f"this run {takes} {duration(seconds)} and write about {megabytes(size)}"
    room = shutil.disk_usage(next(path for path in out.absolute().parents if path.is_dir())).free
    return text if size < room else f"{text}, but only {megabytes(room)} are free"


def seconds_per_game(plan: Plan, jobs: int = -1, written: bool = True) -> float:
    """Return the seconds that a game of a compiled plan takes on this machine, measured on a few games.

    All workers play at once, since two cores that share a cache or a clock are rarely twice as fast as one core. If
    `written` is true, the time includes converting rows to the columns of part files.
    """
    players, few, workers = players_of(plan), MIN_SAMPLE if plan.looks_ahead else FEW, jobs_to_use(jobs)
    most = SAMPLE // plan.block_games * plan.block_games or plan.block_games
    (group,) = share_out([plan], most)
    play = partial(sample_of, group, players) if written else partial(interruptible, play_all, plan, players, 0)

    def seconds(games: int) -> float:
        before = time.perf_counter()
        for _ in in_order(play, [(games,)] * workers, workers):
            pass
        return (time.perf_counter() - before) / (games * workers)

    if plan.game.plain is not None:  # worker processes would take longer to start than the sample takes to play
        return sample_of(group, players, few)[0] / workers
    if not plan.looks_ahead:
        seconds(few)  # the first games are slower: memory and caches are cold
    each = seconds(few)
    return seconds(most) if each * most * workers < PATIENCE else each


def forecast_message(plans: Sequence[Plan], games: int, jobs: int, say: Callable[[str], None]) -> str:
    """Return a message on how long `games` games of each plan take on this machine; empty if there are few games.

    The plans differ in numbers of the game data, not in players. So only the first plan is compiled and measured. `say`
    gets a message on compiling.
    """
    if not plans or len(plans) * games < WORTH * (MIN_SAMPLE if plans[0].looks_ahead else FEW):
        return ""
    warm_up(plans[:1], say)
    seconds = len(plans) * games * seconds_per_game(plans[0], jobs)
    of_each = f" of each of {len(plans)} versions" if len(plans) > 1 else ""
    return f"{games:,} games{of_each}: {time_words(seconds)}"


def sample_of(group: Group, players: Any, games: int) -> tuple[float, list[pl.DataFrame]]:
    """Play a few games of a group; return the seconds per game, and the rows of each table as frames."""
    before = time.perf_counter()
    plan = group.plan
    rows, piece_rows, *counts = interruptible(play_all, plan, players, 0, games)
    seconds = (time.perf_counter() - before) / games
    pieces = [piece_frame(plan, piece_rows)] if len(piece_rows) else []
    tallies = [tally_frame(plan, tally, rows) for tally, rows in zip(plan.game.tallies, counts, strict=True)]
    return seconds, [seat_frame(plan, rows), *pieces, *tallies]


def bytes_of_half(frame: pl.DataFrame) -> int:
    """Return by how many bytes the second half of a frame enlarges a part file; this leaves out the overhead."""
    return len(parquet(frame, COMPRESSION_LEVEL)) - len(parquet(frame.head(frame.height // 2), COMPRESSION_LEVEL))


def time_words(seconds: float) -> str:
    """Return words for how long a command takes on this machine: 'about 40 s here'."""
    return f"about {duration(max(seconds, 1.0))} here"


def megabytes(size: float) -> str:
    """Format a size in bytes as megabytes, or as gigabytes from 1 GB on."""
    return f"{size / 1e6:,.0f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"
