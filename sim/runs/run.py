"""Carries out a run: plays its shards on all cores and writes the results in the order of the games."""

from __future__ import annotations

import os
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
from sim.compiler.kernel import compiled, is_cached, is_strategy_cached, strategy_slots
from sim.compiler.player_record import LINEUP
from sim.compiler.source_digest import is_project_code
from sim.engine.result_rows import GAME
from sim.errors import UserError
from sim.players.batch import Plan, arguments_of
from sim.players.batch import play as play_games
from sim.players.compile_players import compile_strategies, players_of
from sim.runs.forecast import word_on_length
from sim.runs.groups import Group, Stretch, share_out, stretch_of
from sim.runs.label import UNLABELLED, Label
from sim.runs.shards import Play, Shard, play_shards, shards_of
from sim.runs.store.build_manifest import describe
from sim.runs.store.journal import Kept, Spent, UnfinishedPlan, goes_on
from sim.runs.store.manifest import SEAT_TABLE, Manifest, PartEntry, write_manifest
from sim.runs.store.parquet import check_out, check_run_folder, seat_rows
from sim.runs.store.resume import Session, add_scores, restored, seats_kept
from sim.runs.store.run_folder import folder_in_the_making, refuse_unfinished
from sim.runs.store.table_writer import tables_of
from sim.runs.threads import interruptible

PART_GAMES, PART_GAMES_OF_PIECES = 100_000, 10_000
"""Games in a part file of seats, and of pieces; fixed, so that the files do not depend on how the work was split."""
MOST_JOBS = 1024
"""Workers are threads; systems give a process a few thousand at most."""
SHARD_GAMES, SHARD_GAMES_WITH_PIECES, SHARD_GAMES_LOOKING_AHEAD = 5_000, 1_000, 20
"""Games played at one stretch by one worker."""

Report = Callable[[int], None]
"""Called with the number of games just finished."""

Enough = Callable[[np.ndarray], int | None]
"""A rule that ends a run early.

It is called with the seat rows of the next games, int32 with the columns of `sim.engine.result_rows`, always in the
order of the games and each game once; it must not change them. A call may end within a block: the rest of the block
begins the next call. It answers None to go on, or the number of games, counted from the start of the run, that are
enough: whole blocks, the last of which was completed by this call. For the run to be the same however its games were
split into calls, the answer may depend only on games up to that number, and must be the first such number.

Where the rule has an attribute `record`, a mapping, it stands in the manifest's `stopped` as it is when the run ends.
"""


@dataclass
class Summary:
    """What a finished run has to say of itself; times are wall-clock seconds, `stopped` is as in the manifest."""

    folder: Path | str
    games: int
    rows: int
    seconds: float
    writing_seconds: float
    size: int = 0
    mean_scores: dict[str, float] = field(default_factory=dict)
    stopped: dict[str, Any] | None = None


def jobs_to_use(jobs: int) -> int:
    """Number of workers: as asked for, all cores for -1.

    Raises
    ------
    UserError
        The number makes no sense.
    """
    if jobs == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= jobs <= MOST_JOBS:
        allowed = f"1 to {MOST_JOBS:,}, or -1 for all cores"
        raise UserError("impossible number of jobs", field="jobs", found=jobs, allowed=allowed)
    return jobs


def unsaid(text: str) -> None:
    """Say nothing: what a run is prepared with where nobody listens."""


def warm_up(plans: Sequence[Plan], say: Callable[[str], None]) -> list[Any]:
    """Compile what the plans of a run need, once and before any worker starts; return the players of each.

    Whoever listens hears what has to be compiled and how long it takes; else it is logged (`sim.compiler.cache`).

    Raises
    ------
    UserError
        A strategy does not compile or fails in the first game.
    """
    if compiled() and (word := word_on_compiling(plans[0])):
        say(word)
        if say is not unsaid:
            compiling_announced.set()
        drop_old_kernels()
    slots = compile_strategies(plans[0])
    players = [players_of(plan, slots) for plan in plans]
    play_games(plans[0], players[0], 0, 0)  # no game at all compiles the kernel
    for plan, team in zip(plans, players, strict=True):
        interruptible(play_games, plan, team, 0, 1)  # a strategy may never return
    return players


def word_on_compiling(plan: Plan) -> str:
    """Say what of the engine and its own players has to be compiled for a plan; nothing if all is kept."""
    nobody = strategy_slots([]), np.zeros(1, LINEUP)[0]
    if not is_cached(plan.game.kernels.play_games, *arguments_of(plan, nobody, 0, 0)):
        return f"compiling the engine, once, about {plan.game.compile_seconds} s"
    own = {strategy.script for strategy in plan.strategies if is_project_code(strategy.script.score)}
    records = plan.game.state, plan.game.tables
    if not all(is_strategy_cached(script.score, script.score_all, *records) for script in own):
        return "compiling the players, once"
    return ""


def execute(
    plan: Plan | Sequence[Plan],
    games: int,
    out: Path,
    *,
    jobs: int = -1,
    overwrite: bool = False,
    command: str = "",
    shard_games: int | None = None,
    enough: Enough | None = None,
    stretch: tuple[int | None, int | None] | None = None,
    keep: bool = False,
    play: Play = play_shards,
    label: Label = UNLABELLED,
    say: Callable[[str], None] = unsaid,
    report: Report = lambda games: None,
) -> Summary:
    """Play all games of a run and write its folder.

    Parameters
    ----------
    plan
        The plan, or one for each number of players and variant (`make_plans`), which share the games.
    games
        How many games to play; with `enough` at most.
    out
        Folder of the run; it appears only when the run is whole. An unfinished run of the same plan that lies there is
        gone on with, where `keep` is true.
    jobs
        Workers, -1 for all cores; the files are the same for any number.
    shard_games
        Games at one stretch; the files are the same for any number.
    enough
        Rule that may end the run early, see `Enough`. The run is then the one that asking for so many games gives.
    stretch
        Games from which and before which games are played, numbered as in a run of all; by default all. They are whole
        blocks.
    keep
        Whether what has been played is kept, to be gone on with, when an interrupt or the disk ends the run. Whatever
        else ends it leaves nothing.
    play
        Who plays the shards: threads of this process, or a cluster.
    label
        Tags and note of the manifest.
    say, report
        Told what is being prepared, and how many games have been finished.

    Raises
    ------
    UserError
        The folder cannot be written or exists, another process writes to it, an unfinished run of another plan lies
        there, a strategy fails, there are too few games for so many numbers of players and variants, or several of them
        with a rule that ends the run.
    KeyboardInterrupt
        It was interrupted; the error says what is kept, if anything is.
    """
    check_out(out, overwrite)
    workers = jobs_to_use(jobs)
    plans = [plan] if isinstance(plan, Plan) else list(plan)
    taken = None if stretch is None else stretch_of(share_out(plans, games), *stretch)
    groups = share_out(plans, games) if taken is None else taken.groups
    games = sum(group.games for group in groups)
    if enough is not None and taken is not None:
        raise UserError("a rule that ends a run looks at all its games, not at a stretch", field="games-from")
    if enough is not None and len(groups) > 1:
        message = "a run that ends when it is sure enough has one number of players and one variant"
        counts = dict.fromkeys(group.plan.players for group in groups)
        field, found = (
            ("players", [*counts]) if len(counts) > 1 else ("variant", [group.plan.variant for group in groups])
        )
        raise UserError(message, field=field, found=found)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    session = Session(groups, plan_of_run(groups, command, taken, enough, started), keep)
    goes = partial(goes_on, asked=session.plan, overwrite=overwrite) if keep else refuse_unfinished
    check = partial(check_run_folder, out, overwrite)
    with folder_in_the_making(out, check, goes, session.keeps) as folder:
        kept = session.begin(folder)
        if kept.games:
            say(f"going on with an unfinished run: {kept.games:,} of {games:,} games are there")
        players = warm_up([group.plan for group in groups], say)
        session.began = time.perf_counter()
        size = shard_games or shard_games_of(plans[0])
        kept, frames = restored(kept, groups, players, workers, size, say)
        session.go_on(kept, frames)
        totals = np.zeros((len(plans[0].strategies), 2))
        word = word_on_length(rest_of(groups, kept.games), players, workers, out, enough is not None)
        if word and play is play_shards:
            say(word)
        stop = take_up(kept, frames, plans[0], totals, enough)
        if kept.games:
            report(kept.games)
        shards = shards_of(groups, players, size, kept.games, stop)
        played = play_and_write(shards, workers, session, totals, enough, report, play)
        if enough is not None:
            groups = (replace(groups[0], games=played),)
        spent, tables = session.spent(), {part.table: part.entries for part in session.parts}
        end = stopped(enough, games, played)
        manifest = finished_manifest(groups, tables, kept.plan.started, spent, workers, command, taken, end, label)
        write_manifest(folder, manifest)
        session.whole = True
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    names = [strategy.name for strategy in plans[0].strategies]
    means = {name: total / count for name, (total, count) in zip(names, totals, strict=True) if count}
    rows = sum(group.games * group.plan.players for group in groups)
    return Summary(out, played, rows, spent.playing, spent.writing, size, means, manifest.stopped)


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
    """Describe a finished run, with the parts of its tables and how it was played."""
    plan, others = groups[0].plan, {table: list(entries) for table, entries in tables.items()}
    pieces = plan.game.pieces if plan.keeps_pieces else None
    return Manifest(
        **dict(describe(groups, command, stretch)),
        tags=list(label.tags),
        note=label.note,
        stopped=stopped,
        started=started,
        seconds=spent.seconds,
        playing_seconds=spent.playing,
        writing_seconds=spent.writing,
        jobs=jobs,
        shards=others.pop(SEAT_TABLE),
        card_shards=[] if pieces is None else others.pop(pieces.plural),
        tally_shards=others,
    )


def plan_of_run(
    groups: Sequence[Group],
    command: str,
    stretch: Stretch | None = None,
    enough: Enough | None = None,
    started: str = "",
) -> UnfinishedPlan:
    """What a run notes of its plan before the first game."""
    sizes = {table: part_games_of(table) for table in tables_of(groups[0].plan)}
    rule = None if enough is None else dict(getattr(enough, "record", {}))
    return UnfinishedPlan(planned=describe(groups, command, stretch), rule=rule, part_games=sizes, started=started)


def part_games_of(table: str) -> int:
    """Games in a part of a table."""
    return PART_GAMES if table == SEAT_TABLE else PART_GAMES_OF_PIECES


def rest_of(groups: Sequence[Group], first: int) -> list[Group]:
    """Return groups without the games of the run before one, as many as there are to play."""
    return [replace(group, games=max(min(group.games, group.first_game + group.games - first), 0)) for group in groups]


def take_up(
    kept: Kept, frames: Mapping[str, pl.DataFrame], plan: Plan, totals: np.ndarray, enough: Enough | None
) -> int | None:
    """Count the scores of the games that are kept, and show them to a rule that may end the run.

    Returns
    -------
    The games that are enough, if these are; else None.
    """
    stop = None
    for frame in seats_kept(kept, frames):
        rows = seat_rows(plan, frame)
        add_scores(totals, rows)
        if enough is not None and stop is None:
            stop = enough(rows)
    if stop is not None and stop != kept.games:
        raise ValueError(f"a rule that had enough of {stop} games has been played on to {kept.games}")
    return stop


def play_and_write(
    shards: Sequence[Shard],
    workers: int,
    session: Session,
    totals: np.ndarray,
    enough: Enough | None,
    report: Report,
    play: Play,
) -> int:
    """Play shards until all are done or a rule has enough, write the part files, and return the games of the run."""
    games = session.games
    with closing(play(shards, workers)) as played:
        for shard, found in zip(shards, played, strict=False):
            tables, count = found, shard.count
            stop = None if enough is None else ask(enough, tables[0], games, shard)
            if stop is not None:
                count = stop - games
                tables = tuple(rows[: np.searchsorted(rows[:, GAME], stop)] for rows in found)
            before = time.perf_counter()
            for part, rows in zip(session.parts, tables, strict=False):
                part.add(rows, count)
            add_scores(totals, tables[0])
            games += count
            session.stand(games)
            session.note_now_and_then()
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
    """Games of a shard: few where a game takes long, so that progress is seen and little is lost by a kill."""
    if plan.looks_ahead:
        return SHARD_GAMES_LOOKING_AHEAD
    return SHARD_GAMES_WITH_PIECES if plan.keeps_pieces else SHARD_GAMES


def ask(enough: Enough, rows: np.ndarray, before: int, shard: Shard) -> int | None:
    """Ask a rule whether the run is long enough with the rows of the next shard.

    Parameters
    ----------
    before
        Games the rule had seen before.

    Raises
    ------
    ValueError
        The rule's answer is not a number of whole blocks, or not one that this shard has completed: another split of
        the games would have ended the run elsewhere.
    """
    stop, block, seen = enough(rows), shard.group.plan.block_games, before + shard.count
    if stop is not None and (stop % block or not before - before % block < stop <= seen):
        raise ValueError(
            f"a rule may end a run at whole blocks of {block} games just played, {before} to {seen}: {stop}"
        )
    return stop


def stopped(enough: Enough | None, most: int, games: int) -> dict[str, Any] | None:
    """Say in the manifest by which rule a run could end early: None without one."""
    if enough is None:
        return None
    said: Mapping[str, Any] = getattr(enough, "record", {})
    return {"at_most": most, "early": games < most, **said}
