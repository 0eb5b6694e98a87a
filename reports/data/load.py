"""Opens a run folder, or the games that an unfinished run has played so far. Refuses a damaged or inconsistent run.

A ladder is a folder with one run per rung, in which one player has all seats. It may also have a mixed run, in which
one seat looks ahead.

A game of one player is won or lost against the game itself, so 1/players is not a fair share. Instead, the fair share
is the fraction of all games of one player in the run that were won. These include the games of the table row that is
compared with it, so the errors of edges are a little smaller than those of win rates.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field

from reports.formatting import plural, run_size, with_article
from sim.data.arguments import checks_arguments
from sim.data.catalog import validate_row
from sim.data.declarations import Entry, PieceEvent
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError, check_kind
from sim.runs.store.journal import Checkpoint, read_buffered, read_checkpoint
from sim.runs.store.manifest import (
    SEAT_TABLE,
    Manifest,
    PartEntry,
    PlannedRun,
    TallyEntry,
    UnfinishedEntry,
    load_manifest,
)
from sim.runs.store.run_folder import is_being_written, unfinished_at
from sim.runs.store.verify import (
    NUMBER_COLUMNS,
    Columns,
    check_part_columns,
    open_parts,
    piece_columns,
    reading,
    seat_columns,
    tally_columns,
)

Floats = NDArray[np.float64]
FAIR = "fair"
"""Name of the column with a seat's fair share, in runs that have games of one player."""
LONE = ("N", "D", "DD")
"""Sums over games of one player: number of games, wins minus fair wins, and the square of this difference."""
ROUNDING = 1e-12
"""Relative rounding error of a sum of squares."""


def player_counts(manifest: Manifest) -> list[int]:
    """Return the numbers of players that occur in a run's games."""
    players = manifest.players
    return list(players) if isinstance(players, list) else [int(players)]


def only_one_player(manifest: Manifest) -> bool:
    """Tell whether every game of a run has one player."""
    return player_counts(manifest) == [1]


def games_of_several(manifest: Manifest) -> int:
    """Return how many games of a run have two or more players."""
    alone = sum(entry.games for entry in manifest.player_counts if entry.players == 1)
    return manifest.games - alone


def check_company(players: int, why: str) -> None:
    """Raise UserError if games have one player but the question needs several; `why` is the reason in the message."""
    if players == 1:
        raise UserError(f"this needs games of two or more players: {why}", field="players", found=players,
                        allowed="2 or more")  # fmt: skip


def with_fair_share(seats: pl.LazyFrame, manifest: Manifest) -> pl.LazyFrame:
    """Add the column `FAIR` to the seats of a run with games of one player; return other seats unchanged."""
    if 1 not in player_counts(manifest):
        return seats
    alone = pl.col("players") == 1
    mean = seats.filter(alone).select(pl.col("win").cast(pl.Float64).mean()).collect(engine="streaming").item()
    fair = pl.when(alone).then(pl.lit(0.0 if mean is None else float(mean))).otherwise(1 / pl.col("players"))
    return seats.with_columns(fair.cast(pl.Float64).alias(FAIR))


def mean_of_one_player(seats: pl.LazyFrame) -> float:
    """Return the share of won games among games of one player; 0 if the run has none."""
    if FAIR not in seats.collect_schema():
        return 0.0
    found = seats.filter(pl.col("players") == 1).select(FAIR).head(1).collect(engine="streaming")
    return float(found.item()) if found.height else 0.0


def squares_about_mean(squares: Floats, edge: Floats, lone: Floats, games: float, total: float) -> Floats:
    """Convert sums of squares about a known fair share to those about an estimated one, the mean of solo games.

    Group i has N_i seat-games, of which a fraction a_i are in games of one player. In block b, the group has N_b
    seat-games and wins D_b more than its fair wins. Let w_b be the wins in games of one player in the block, and m the
    mean of all games of one player. The block then moves the edge of the group by

        (D_b - edge N_b) / N_i - a_i (w_b - m) / games

    The second term is 0 for a block without games of one player. The squares of these differences are summed so that
    `win_rate.clustered_error` gives the variance of the edge.

    Parameters
    ----------
    squares, edge
        Sums of D_b^2 over the blocks of each group, and wins of a seat-game minus its fair wins; shape (groups,).
    lone
        Sums over games of one player of each group, shape (groups, LONE).
    games, total
        Number of games of one player in the run, and the sum of (w - m)^2 over these games. Here w is 1 if the game is
        won, else 0.
    """
    part = lone[:, 0] / games
    shared = lone[:, 2] - edge * lone[:, 1]
    left = squares - 2 * part * shared + part**2 * total
    # If a group has every game of one player and no other games, its win rate is the fair share by definition, and only
    # rounding error is left.
    return np.where(left > ROUNDING * squares, left, 0.0)


@dataclass(frozen=True)
class Run:
    """A run on disk. An unfinished run contains the games that have been played so far.

    Attributes
    ----------
    manifest
        The content of `run.json`.
    seats
        Lazy scan of all parts, with one row per seat per game. If some games have one player, the column `fair` has the
        fair share of the seat (see this module's docstring).
    pieces
        Lazy scans of the parts of the piece table, in the order of the games; None if the run recorded no pieces.
    tallies
        Lazy scan of each tally (a table of counts for each game, such as of dice rolls), by the plural of the tally's
        name. The columns are `game`, the name of the row (in a column with the name of the tally), and the counts.
    gathered
        Sums that `reports.data.games.gather` has computed, by their class.
    """

    folder: Path
    manifest: Manifest
    seats: pl.LazyFrame
    pieces: tuple[pl.LazyFrame, ...] | None = None
    tallies: Mapping[str, pl.LazyFrame] = field(default_factory=dict)
    gathered: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        strategies = ", ".join(row.name for row in self.manifest.strategies)
        return f"{self.manifest.title}: {run_size(self.manifest)}; strategies: {strategies}"


@checks_arguments
def load_run(folder: str | os.PathLike[str]) -> Run:
    """Open a finished run.

    Reads the manifest and checks the SHA-256 of every part; rows stay on disk until a statistic reads them.

    Parameters
    ----------
    folder
        A run folder, e.g. `runs/first`.

    Raises
    ------
    UserError
        The folder does not exist or its run is unfinished; the manifest is missing, inconsistent or of another format;
        or a part is missing, damaged, of another run or lacks a column.
    """
    folder = Path(folder)
    manifest = load_manifest(folder)
    scans = open_parts(folder, manifest.shards, seat_columns(manifest))
    check_strangers(folder, manifest.shards)
    seats = joined_seats(folder, scans, manifest)
    return Run(folder, manifest, seats, open_pieces(folder, manifest), open_tallies(folder, manifest))


def joined_seats(folder: Path, scans: Sequence[pl.LazyFrame], manifest: Manifest) -> pl.LazyFrame:
    """Concatenate the seats of all parts.

    The columns are those that every game has, those of this game, and `variant` if the seats have it.
    """
    variants = "variant" in scans[0].collect_schema()
    columns = [*NUMBER_COLUMNS, *level_columns(manifest), "end_reason", *manifest.score_parts, *manifest.measures]
    columns += ["variant"] if variants else []
    seats = pl.concat([with_levels(scan.select(columns), manifest) for scan in scans], how="vertical")
    with reading(folder):
        return with_fair_share(seats, manifest)


def as_run(run: Run | str | os.PathLike[str]) -> Run:
    """Return a run as it is, or open the run in a folder; raise UserError for anything else."""
    if isinstance(run, str | os.PathLike):
        return load_run(Path(run))
    check_kind(run, Run, 'load_run("runs/first"), or the run\'s folder')
    return run


HELD_BYTES = 2**27
"""Maximum size of seats that `held_seats` keeps in memory: 800,000 games of 7 Wonders with four players."""


def held_seats(run: Run) -> Run:
    """Return a run whose seats are in memory, so that statistics need not decode them. A large run stays on disk."""
    first = run.seats.head(1000).collect()
    rows = run.seats.select(pl.len()).collect(engine="streaming").item()
    if first.estimated_size() * rows > HELD_BYTES * first.height:
        return run
    return replace(run, seats=run.seats.collect(engine="streaming").lazy())


def open_pieces(folder: Path, found: Manifest) -> tuple[pl.LazyFrame, ...] | None:
    """Open the piece table of a run; None if the run has none or does not declare its columns."""
    if not found.piece_parts or not piece_events(found):
        return None
    check_strangers(folder, found.piece_parts)
    return tuple(open_parts(folder, found.piece_parts, piece_columns(found)))


def open_tallies(folder: Path, found: Manifest) -> dict[str, pl.LazyFrame]:
    """Open the tallies of a run. The keys of the result are the plurals of their names."""
    opened = {}
    for entry in found.tallies:
        parts = found.tally_shards.get(entry.plural)
        if parts:
            check_strangers(folder, parts)
            opened[entry.plural] = joined_tally(open_parts(folder, parts, tally_columns(found, entry)), entry)
    return opened


def joined_tally(scans: Sequence[pl.LazyFrame], entry: TallyEntry) -> pl.LazyFrame:
    """Concatenate the parts of a tally, and give its rows the names in the manifest.

    Rows that are all zero are missing in the parts.
    """
    names: Any = pl.Enum([row.name for row in entry.rows])
    return pl.concat([scan.with_columns(pl.col(entry.name).cast(names)) for scan in scans])


def piece_events(manifest: Manifest) -> tuple[PieceEvent, ...]:
    """Return the piece events that the game declares, if any; raise UserError if no event puts a piece in play."""
    events = manifest.piece_events
    if not events or not manifest.pieces_offered:
        return ()
    if not any(event.in_play for event in events):
        message = f"nothing that can become of {with_article(manifest.piece)} puts it in play"
        raise UserError(message, field="piece_events", found=[event.column for event in events])
    return tuple(events)


def level_columns(manifest: Manifest) -> tuple[str, ...]:
    """Return the columns whose levels the manifest lists: faction (if the game has factions) and strategy."""
    return ("faction", "strategy") if manifest.factions else ("strategy",)


def with_levels(seats: pl.LazyFrame, manifest: Manifest) -> pl.LazyFrame:
    """Cast names to an Enum of all names in the manifest, because a part may list fewer names."""
    return seats.with_columns(
        pl.col(name).cast(pl.Enum(level_names(manifest, name))) for name in level_columns(manifest)
    )


def level_names(manifest: Manifest, column: str) -> list[str]:
    """Return the levels of the column `faction` or `strategy` in the manifest's order."""
    return [row.name for row in (manifest.factions if column == "faction" else manifest.strategies)]


def check_strangers(folder: Path, entries: Sequence[PartEntry]) -> None:
    """Raise UserError if a folder of parts contains a part that the manifest does not list."""
    files = [folder / entry.file for entry in entries]
    known = {file.resolve() for file in files}
    for home in sorted({file.parent for file in files}):
        for file in sorted(home.glob("*.parquet")):
            if file.resolve() not in known:
                raise UserError("this part is not listed in run.json: another run wrote into the folder", file=file)


def tallies_shown(run: Run, shows: str) -> list[TallyEntry]:
    """Return the recorded tallies of a run whose declaration asks for the display `shows`."""
    return [entry for entry in run.manifest.tallies if entry.shows == shows and entry.plural in run.tallies]


def tally_sums(run: Run, entry: TallyEntry) -> pl.DataFrame:
    """Sum a tally over all games: the column `row`, in the tally's order, and the tally's columns."""
    counts = [pl.col(name).cast(pl.Int64).sum() for name in entry.columns]
    sums = run.tallies[entry.plural].group_by(entry.name).agg(counts)
    names = [row.name for row in entry.rows]
    every = pl.LazyFrame({entry.name: pl.Series(names, dtype=pl.Enum(names))})
    whole = every.join(sums, on=entry.name, how="left", maintain_order="left")
    row = pl.col(entry.name).cast(pl.String).alias("row")
    return whole.select(row, pl.col(entry.columns).fill_null(0)).collect(engine="streaming")


def what_was_played(manifest: Manifest) -> dict[str, Any]:
    """Return the facts that are equal in comparable runs, by name: game, variant, players, strategies and so on."""
    return {
        "game": manifest.game,
        "variant": manifest.variant,
        "players": manifest.players,
        "strategies": sorted(row.name for row in manifest.strategies),
        "factions": sorted(manifest.factions_dealt),
        **{f"settings.{name}": value for name, value in manifest.settings.items()},
        "tables": manifest.tables,
    }


def check_same_table(path: Path, theirs: Mapping[str, Any], run: Manifest, but: tuple[str, ...] = ()) -> None:
    """Raise UserError unless the games of a file or folder are comparable with those of a run.

    `path` is the file or folder, for the message. `theirs` has its facts, by the names that `what_was_played` uses.
    Facts named in `but`, such as "strategies", may differ from those of the manifest `run`.
    """
    mine = what_was_played(run)
    for name, value in mine.items():
        if name not in but and theirs.get(name) != value:
            message = "this file describes other games than the run"
            raise UserError(message, file=path, field=name, found=theirs.get(name), allowed=str(value))


TRIES = 5
"""Maximum number of attempts to read a run while another process replaces its files."""


def load_so_far(folder: Path) -> Run:
    """Open a run as `load_run` does, or the games that an unfinished run has played so far.

    The manifest of an unfinished run has the field `unfinished`: the number of planned games, and whether a process is
    playing it. Raise UserError if there are no games.
    """
    for attempt in range(TRIES):
        unfinished = None if folder.exists() else unfinished_at(folder)
        kept = None if unfinished is None else read_checkpoint(unfinished)
        if kept is None:
            break
        try:
            return opened(folder, kept)
        except (UserError, OSError):
            if attempt == TRIES - 1 or not is_being_written(folder):
                raise
    return load_run(folder)


def opened(folder: Path, kept: Checkpoint) -> Run:
    """Open the games that an unfinished run has played so far: its finished parts, and the rows still buffered.

    `kept` is the saved state of the run in `folder`. Raise UserError if there are no games or if they are damaged.
    """
    waiting = {} if kept.waiting is None else read_buffered(kept.folder, kept.waiting)
    if waiting is None:
        raise UserError("the buffered games of this unfinished run are damaged", file=folder)
    if not kept.games:
        message = "this unfinished run has no games yet"
        raise UserError(message, file=folder, allowed="wait a minute, or go on with the command that began it")
    manifest = so_far(kept.plan.planned, kept.games, is_being_written(folder))
    planned = kept.plan.planned
    seats = scans_of(kept, SEAT_TABLE, waiting, seat_columns(planned))
    table, pieces = plural(manifest.piece), None
    if table in kept.parts and piece_events(manifest):
        pieces = tuple(scans_of(kept, table, waiting, piece_columns(planned)))
    tallies = {}
    for entry in planned.tallies:
        if entry.plural in kept.parts:
            scans = scans_of(kept, entry.plural, waiting, tally_columns(planned, entry))
            if scans:
                tallies[entry.plural] = joined_tally(scans, entry)
    return Run(folder, manifest, joined_seats(folder, seats, manifest), pieces, tallies)


def scans_of(kept: Checkpoint, table: str, waiting: Mapping[str, pl.DataFrame], columns: Columns) -> list[pl.LazyFrame]:
    """Scan the verified parts of a table, and its rows that are still buffered; `waiting` has these rows by table."""
    scans = open_parts(kept.content, kept.parts[table], columns)
    if kept.waiting is None or table not in waiting or not waiting[table].height:
        return scans
    rows = waiting[table].lazy()
    check_part_columns(kept.folder / kept.waiting.files[table].file, rows, waiting[table].schema, columns, None)
    return [*scans, rows]


def so_far(planned: PlannedRun, games: int, being_written: bool) -> Manifest:
    """Return the manifest of an unfinished run, reduced to its first `games` games."""
    counts = [
        count.model_copy(update={"games": own, "blocks": -(-own // count.block_games)})
        for count in planned.player_counts
        if (own := min(count.games, games - count.first_game)) > 0
    ]
    players = list(dict.fromkeys(count.players for count in counts))
    variants = list(dict.fromkeys(count.variant for count in counts))
    blocks = sum(count.blocks for count in counts)
    unfinished = UnfinishedEntry(at_most=planned.games, being_written=being_written)
    return Manifest(**planned.model_dump(), shards=[], unfinished=unfinished).model_copy(
        update={
            "games": games,
            "blocks": blocks,
            "block_games": counts[0].block_games if len(counts) == 1 else max(1, round(games / blocks)),
            "players": players[0] if len(players) == 1 else players,
            "variant": " and ".join(variants),
            "variants": variants,
            "player_counts": counts,
        }
    )


FORMAT = "empirelab-ladder/1"
INSIDE = r"^[^./\\][^/\\]*(/[^./\\][^/\\]*)*$"
"""Regular expression for the relative path of a folder inside the folder of the ladder."""
FILE = "ladder.json"
"""Name of the file that describes a ladder; see `LadderEntry`."""


class RungEntry(Entry):
    """A rung: its player, and the folder of its run, relative to the folder of the ladder."""

    player: str
    folder: str = Field(pattern=INSIDE)


class MixedEntry(Entry):
    """The run in which one seat looks ahead and the other seats do not."""

    searcher: str
    base: str
    folder: str = Field(pattern=INSIDE)


class LadderEntry(Entry):
    """The content of `ladder.json`: the runs of a ladder, with the least skilled rung first."""

    format: str
    game: str
    rungs: list[RungEntry] = Field(min_length=2)
    mixed: MixedEntry | None = None
    meeting: str | None = Field(None, pattern=INSIDE)
    """Folder of the run in which all rungs meet."""


@dataclass(frozen=True)
class Ladder:
    """The runs of a ladder.

    `rungs` are the runs of the rungs by their players, with the least skilled player first. `searcher` looks ahead in
    the `mixed` run, and `base` plays its other seats; both are empty without such a run. In the run `meeting`, the
    players of all rungs play against each other.
    """

    folder: Path
    rungs: dict[str, Run]
    searcher: str = ""
    base: str = ""
    mixed: Run | None = None
    meeting: Run | None = None

    @property
    def manifest(self) -> Manifest:
        """The manifest of the lowest rung."""
        return next(iter(self.rungs.values())).manifest


def ladder_json(entry: LadderEntry) -> bytes:
    """Return the content of `ladder.json` as bytes."""
    return (json.dumps(entry.model_dump(), indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def load_ladder(folder: Path, run: Manifest | None = None) -> Ladder:
    """Open a ladder.

    Parameters
    ----------
    folder
        Folder that `ladder --out` has written.
    run
        Manifest of the run whose report shows the ladder.

    Raises
    ------
    UserError
        The folder is not that of a ladder. `ladder.json` contradicts itself or the runs. A run is missing, unfinished
        or damaged. Or the games differ from those of the run.
    """
    path = folder / FILE
    if not path.is_file():
        message = "not the folder of a ladder: it has no ladder.json"
        raise UserError(message, file=folder, allowed="a folder that `empirelab ladder GAME --out DIR` has written")
    content = read_object(path, read_limited_text(path), None)
    if content.get("format") != FORMAT:
        found = content.get("format", "none")
        raise UserError("not a file that ladder has written", file=path, field="format", found=found, allowed=FORMAT)
    entry = validate_row(path, content, LadderEntry, None)
    players, mixed = [rung.player for rung in entry.rungs], entry.mixed
    twice = next((name for place, name in enumerate(players) if name in players[:place]), None)
    if twice is not None:
        raise UserError("a rung is named twice", file=path, field="rungs", found=twice, allowed="each player once")
    for word, name in (("searcher", mixed.searcher), ("base", mixed.base)) if mixed else ():
        if name not in players:
            raise UserError("no rung has this player", file=path, field=f"mixed.{word}", found=name, allowed=players)
    rungs = {rung.player: rung_of(folder / rung.folder, [rung.player], entry.game) for rung in entry.rungs}
    ladder = Ladder(folder, rungs)
    if mixed is not None:
        tables = rung_of(folder / mixed.folder, [mixed.searcher, mixed.base], entry.game)
        ladder = Ladder(folder, rungs, mixed.searcher, mixed.base, tables)
    if entry.meeting is not None:
        ladder = replace(ladder, meeting=rung_of(folder / entry.meeting, players, entry.game))
    for other in filter(None, (*ladder.rungs.values(), ladder.mixed, ladder.meeting)):
        check_same_table(other.folder, what_was_played(other.manifest), ladder.manifest, ("strategies",))
    if run is not None:
        check_same_table(folder, what_was_played(ladder.manifest), run, ("strategies",))
    return ladder


def rung_of(folder: Path, players: Sequence[str], game: str) -> Run:
    """Open a run of a ladder; raise UserError if it is missing, unfinished, or not of this game and these players."""
    run = load_finished(folder)
    for word, found, said in (
        ("strategies", sorted(row.name for row in run.manifest.strategies), sorted(set(players))),
        ("game", run.manifest.game, game),
    ):
        if found != said:
            message = f"{FILE} contradicts this run"
            raise UserError(message, file=folder, field=word, found=found, allowed=str(said))
    return run


def load_finished(folder: Path) -> Run:
    """Open a run of a ladder; raise UserError if it is missing or unfinished."""
    if folder.exists():
        return load_run(folder)
    try:
        games = f"{load_so_far(folder).manifest.games:,} games of it are there"
    except UserError:
        games = "nothing of it is there"
    message = f"this run of the ladder is not finished ({games}); run its command again to resume it"
    raise UserError(message, file=folder)
