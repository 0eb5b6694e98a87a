"""Counts the events of every piece in the games of a run.

The results are sums by block and each seat's pieces in play. The module also reads the picks of a run as arrays: the
piece that each seat took in each period, the seat's standing at that moment, and what followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import CODES, COLUMNS, UNIT, GameArrays, read_games, whole_blocks
from reports.data.load import FAIR, Run, level_names, mean_of_one_player, only_one_player, piece_events
from reports.data.moments import SUMS, add_block, allow_for_lone_games, moments_frame
from reports.formatting import plural, with_article
from sim.compiler.kernel import kernel
from sim.data.declarations import PieceEvent
from sim.errors import UserError
from sim.runs.store.manifest import PicksEntry

MAX_GAMES = 30_000
"""Maximum number of games that are read.

They are enough to estimate the edge of a piece to half a point. More games would cost time and memory.
"""
ROWS = 500_000
"""Number of piece rows in a batch."""
MAX_TURNS = 256
WITHIN = 4
"""Number of sums kept within a block: N, W, E and S (see `moments.block_moments`)."""
OFFERED, PLAYED = 0, 1

Array = NDArray[Any]


@dataclass(frozen=True)
class PieceGames:
    """Games of whole blocks, with the pieces of every seat.

    Attributes
    ----------
    noun
        The game's word for a piece: "card".
    names
        Names of all pieces.
    start
        Index of the first seat-game of each game, shape (games + 1,).
    block
        Block of each game, from 0 without gaps, shape (games,).
    seats
        All seat-games, in order.
    held, holder
        Pieces in play and the seat-games that have them, in the order of the seat-games; shape (any,).
    offered, taken, became
        Number of seat-games in which a piece was offered, in which it was then taken, and in which each event then
        happened; shapes (pieces,), (pieces,), (events, pieces).
    turns
        How often a piece came into play in each turn, shape (pieces, turns).
    moments
        `moments.SUMS`, without ranks, over seats that were offered a piece (index 0) and over seats that had it in play
        (1); shape (2, pieces, SUMS).
    events
        The manifest's `piece_events`.
    fair
        Share of games that were won, in a run whose games all have one player; 0 in other runs.
    """

    noun: str
    names: tuple[str, ...]
    start: Array
    block: Array
    seats: GameArrays
    held: Array
    holder: Array
    offered: Array
    taken: Array
    became: Array
    turns: Array
    moments: Array
    events: tuple[PieceEvent, ...]
    fair: float = 0.0

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.block)


def read_pieces(run: Run, most_games: int = MAX_GAMES) -> PieceGames:
    """Read the pieces of a run's first whole blocks: at most `most_games` games, but at least one block.

    Raise UserError if the run has no piece table, or if the table names a seat or game that the run does not have.
    """
    if run.pieces is None:
        several = plural(run.manifest.piece)
        raise UserError(
            f"the run did not record {several}", file=run.folder, field="detail", found="seats", allowed=several
        )
    seats = first_blocks(run, most_games)
    first = np.flatnonzero(np.diff(seats.game, prepend=-1))
    start = np.append(first, len(seats.game)).astype(np.int64)
    numbers = seats.game[first]
    block = np.cumsum(np.diff(seats.block[first], prepend=seats.block[0]) != 0)
    wins = win_units(seats.rank, start)
    events = piece_events(run.manifest)
    names = piece_names(run)
    taken = np.array([event.taken for event in events])
    in_play = np.array([event.in_play for event in events])
    counts = np.zeros((2 + len(events), len(names)), np.int64)
    turns = np.zeros((len(names), MAX_TURNS), np.int64)
    moments = np.zeros((2, len(names), len(SUMS)))
    current = np.zeros((2, len(names), WITHIN))
    open_block = np.zeros(1, np.int64)
    alone = mean_of_one_player(run.seats)
    held, holder = [], []
    for frame in read_piece_rows(run, int(numbers[-1])):
        game = np.searchsorted(numbers, frame["game"].to_numpy())
        row = start[game] + frame["seat"].to_numpy()
        check_piece_seats(row, game, frame, seats, numbers, start, run)
        piece, offered = frame["piece"].to_numpy(), frame["offered"].to_numpy()
        when = np.stack([frame[event.column].to_numpy() for event in events])
        played = np.empty(len(piece), np.uint8)
        count_rows(row, piece, offered, when, taken, in_play, played, counts, turns)
        add_piece_moments(row, piece, offered, played, block[game], wins, seats.players, alone, seats.score, current,
                    open_block, moments)  # fmt: skip
        held.append(piece[played != 0].astype(np.int16))
        holder.append(row[played != 0].astype(np.int32))
    close_block(current, moments)
    if only_one_player(run.manifest):
        games = run.manifest.games
        for sums in moments:
            allow_for_lone_games(sums, games, UNIT**2 * games * alone * (1 - alone))
    return PieceGames(
        run.manifest.piece, names, start, block, seats,
        np.concatenate([np.zeros(0, np.int16), *held]), np.concatenate([np.zeros(0, np.int32), *holder]),
        counts[0], counts[1], counts[2:], turns, moments, events,
        alone if only_one_player(run.manifest) else 0.0,
    )  # fmt: skip


def first_blocks(run: Run, most_games: int) -> GameArrays:
    """Return the seats of the first whole blocks: at most `most_games` games, but at least one block."""
    stretches, games = [], 0
    for stretch in read_games(run):
        stretches.append(stretch)
        games += len(np.unique(stretch.game))
        if games >= most_games:
            break
    names = (*COLUMNS, "win", *CODES)
    columns: dict[str, Any] = {name: np.concatenate([getattr(own, name) for own in stretches]) for name in names}
    first_of_game = np.flatnonzero(np.diff(columns["game"], prepend=-1))
    if len(first_of_game) > most_games:
        blocks = columns["block"]
        cut = int(np.searchsorted(blocks, blocks[first_of_game[most_games]]))
        cut = cut or int(np.searchsorted(blocks, blocks[0], "right"))
        columns = {name: column[:cut] for name, column in columns.items()}
    return GameArrays(**columns)


def win_units(rank: Array, start: Array) -> Array:
    """Return the win of every seat-game in units of 1/UNIT. A win that two seats share counts half for each of them."""
    first = rank == 1
    winners = np.add.reduceat(first.astype(np.int64), start[:-1])
    return np.where(first, UNIT // np.repeat(np.maximum(winners, 1), np.diff(start)), 0).astype(np.float64)


def piece_names(run: Run) -> tuple[str, ...]:
    """Return the names of all pieces of a run."""
    assert run.pieces is not None
    dtype = run.pieces[0].collect_schema()[run.manifest.piece]
    return tuple(getattr(dtype, "categories", ()))


def read_piece_rows(run: Run, last_game: int) -> Iterator[pl.DataFrame]:
    """Yield piece rows up to the game `last_game` in batches, in the order of games and seats, with names as codes."""
    columns = [event.column for event in piece_events(run.manifest)]
    for part in run.pieces or ():
        frame = part.filter(pl.col("game") <= last_game).collect()
        if not frame.height:
            return
        place = frame["game"].cast(pl.Int64) * 256 + frame["seat"].cast(pl.Int64)
        if not place.is_sorted():
            frame = frame.sort("game", "seat", maintain_order=True)
        for stretch in frame.iter_slices(ROWS):
            yield stretch.select(
                pl.col("game").cast(pl.Int64),
                pl.col("seat").cast(pl.Int32),
                pl.col(run.manifest.piece).to_physical().cast(pl.Int32).alias("piece"),
                pl.col(run.manifest.pieces_offered).cast(pl.Int32).alias("offered"),
                *(pl.col(name).cast(pl.Int32) for name in columns),
            )


def check_piece_seats(
    row: Array, game: Array, frame: pl.DataFrame, seats: GameArrays, numbers: Array, start: Array, run: Run
) -> None:
    """Raise UserError if a piece row names a game or seat that the run does not have."""
    seat = frame["seat"].to_numpy()
    wrong = (numbers[game] != frame["game"].to_numpy()) | (seat < 0) | (row >= start[game + 1])
    if not wrong.any():
        wrong = seats.seat[row] != seat
    if wrong.any():
        found = frame.row(int(np.flatnonzero(wrong)[0]), named=True)
        noun = run.manifest.piece
        message = f"{with_article(noun)} row names a seat that its run does not have"
        raise UserError(message, file=run.folder / plural(noun), found=f"game {found['game']}, seat {found['seat']}")


@kernel
def count_rows(
    row: Array, piece: Array, offered: Array, when: Array, taken: Array, in_play: Array, played: Array, counts: Array,
    turns: Array,
) -> None:  # fmt: skip
    """Add the events of pieces to `counts` and `turns`, and fill `played`.

    `when` has shape (events, rows). `counts` has shape (2 + events, pieces): offered, taken when offered, each event
    when offered. `turns` counts the turns in which a piece came into play. `played` becomes 1 for rows whose piece came
    into play.
    """
    events = when.shape[0]
    for at in range(len(row)):
        kind = piece[at]
        was_taken = False
        played[at] = 0
        for event in range(events):
            turn = when[event, at]
            if turn > 0:
                was_taken = was_taken or taken[event]
                if offered[at] > 0:
                    counts[2 + event, kind] += 1
                if in_play[event]:
                    played[at] = 1
                    turns[kind, min(turn, turns.shape[1] - 1)] += 1
        if offered[at] > 0:
            counts[0, kind] += 1
            if was_taken:
                counts[1, kind] += 1


@kernel
def add_piece_moments(
    row: Array, piece: Array, offered: Array, played: Array, block: Array, wins: Array, players: Array, alone: float,
    score: Array, current: Array, open_block: Array, moments: Array,
) -> None:  # fmt: skip
    """Add piece rows to the sums of their block, and the sums of each finished block to `moments`.

    `alone` is the fair share in a game of one player. `current` (2, pieces, WITHIN) and `open_block` (1,) carry the
    unfinished block between calls.
    """
    for at in range(len(row)):
        if block[at] != open_block[0]:
            close_block(current, moments)
            open_block[0] = block[at]
        seat = row[at]
        for group in range(2):
            if (group == OFFERED and offered[at] > 0) or (group == PLAYED and played[at] != 0):
                sums = current[group, piece[at]]
                sums[0] += 1.0
                sums[1] += wins[seat]
                sums[2] += np.round(UNIT / players[seat]) if players[seat] > 1 else UNIT * alone
                sums[3] += score[seat]


@kernel
def close_block(current: Array, moments: Array) -> None:
    """Add the sums of a finished block to the moments, and set them to 0."""
    for group in range(current.shape[0]):
        for piece in range(current.shape[1]):
            n, w, e, s = current[group, piece]
            if n > 0.0:
                add_block(moments[group, piece], n, w, e, s, 0.0, 0.0)
                current[group, piece, :] = 0.0


def piece_moments(pieces: PieceGames, group: int) -> pl.DataFrame:
    """Return the moments of a group, `OFFERED` or `PLAYED`, as `win_rates` expects; one row per piece that occurs."""
    found = np.flatnonzero(pieces.moments[group, :, SUMS.index("N")])
    return moments_frame({pieces.noun: [pieces.names[piece] for piece in found]}, pieces.moments[group, found], UNIT)


PICK_ROWS = 200_000
"""Approximate number of seats in a batch."""


@dataclass(frozen=True)
class Levels:
    """The names that the codes in rows of picks stand for.

    `pieces` and `strategies` are names; `kinds` are all kinds of pieces: "empire", "event". `kind`, shape (pieces,), is
    the index of each piece's kind. `periods` is the number of periods. `tables` has for each kind of table its variant
    ("" if the seats do not have it) and its number of players. `places` is 1 plus the number of players at the largest
    table: a seat's place, by points or in the order of turns, counts from 1, and 0 means none.
    """

    pieces: tuple[str, ...]
    kinds: tuple[str, ...]
    kind: Array
    periods: int
    tables: tuple[tuple[str, int], ...]
    places: int
    strategies: tuple[str, ...]


Rows = dict[str, Array]
"""Picks by column, each of shape (picks,).

All of these are int64: `block`, `piece`, `kind`, `period` (from 0), `table`, `draft`, `turn`, `standing` and
`strategy`. `draft` is the seat's place by points when it took the pick, and `turn` is its place in the order of turns;
0 means none. `standing` combines `table` and `draft` in one number. `points` are what the seat gained in the period,
`later` what the pick brought afterwards, and `whole` is the sum of both. `surplus` is the seat's win minus its fair
share, and `score` its final score.
"""


def picks_of(run: Run) -> PicksEntry:
    """Return a run's declaration of picks; raise UserError for a game without picks."""
    if run.manifest.picks is None:
        raise UserError("this game has no picks", file=run.folder, field="picks")
    return run.manifest.picks


def read_levels(run: Run) -> Levels:
    """Return the names that the codes of a run's picks stand for."""
    manifest, columns = run.manifest, run.seats.collect_schema()
    pieces = piece_names(run)
    kind_of = {name: kind for kind, names in picks_of(run).kinds.items() for name in names}
    kinds = tuple(picks_of(run).kinds)
    variant = pl.col("variant").cast(pl.String) if "variant" in columns else pl.lit("").alias("variant")
    found = run.seats.select(variant, pl.col("players").cast(pl.Int64)).unique().collect().sort("players", "variant")
    tables = tuple(found.select("variant", "players").rows())
    return Levels(
        pieces,
        kinds,
        np.array([kinds.index(kind_of[name]) if name in kind_of else -1 for name in pieces]),
        len(manifest.checkpoints) + 1,
        tables,
        1 + max((players for _, players in tables), default=0),
        tuple(level_names(manifest, "strategy")),
    )


def read_picks(run: Run, levels: Levels) -> Iterator[Rows]:
    """Yield all picks of a run in batches of whole blocks."""
    picks, ends = picks_of(run), [*run.manifest.checkpoints, "score"]
    columns = run.seats.collect_schema()
    more = [name for name in ("variant", FAIR) if name in columns]
    chosen = run.seats.select(
        "block", "game", "seat", "players", "win", picks.start, *ends, *more, pl.col("strategy").to_physical()
    )
    for seats in whole_blocks(chosen, PICK_ROWS, ("block", "game", "seat")):
        low, high = seats["game"].min(), seats["game"].max()
        joined = taken_between(run, low, high).join(seats, on=["game", "seat"], how="inner", maintain_order="right")
        if joined.height:
            yield as_rows(joined, picks, ends, levels)


def taken_between(run: Run, low: Any, high: Any) -> pl.DataFrame:
    """Return the piece rows of all pieces that seats took, in a range of games."""
    picks, noun = picks_of(run), run.manifest.piece
    wanted = pl.col("game").is_between(low, high) & (pl.col(picks.taken) > 0)
    columns = [picks.taken, picks.draft_place, picks.turn_place, picks.later]
    parts = [part.filter(wanted).select("game", "seat", pl.col(noun).to_physical().alias("piece"), *columns)
             for part in run.pieces or ()]  # fmt: skip
    return pl.concat(parts).collect()


def as_rows(joined: pl.DataFrame, picks: PicksEntry, ends: list[str], levels: Levels) -> Rows:
    """Convert piece rows that are joined with their seats to `Rows`. Rows without a period or kind are left out."""
    places = {"taken": picks.taken, "draft_place": picks.draft_place, "turn_place": picks.turn_place}
    whole = {name: joined[column].cast(pl.Int64).to_numpy() for name, column in places.items()}
    piece, period = joined["piece"].cast(pl.Int64).to_numpy(), whole["taken"] - 1
    known = (period < levels.periods) & (levels.kind[piece] >= 0)
    scores = joined.select(picks.start, *ends).cast(pl.Float64).to_numpy()
    gained = np.diff(scores, axis=1)[np.arange(len(piece)), np.minimum(period, levels.periods - 1)]
    later = joined[picks.later].cast(pl.Float64).to_numpy() / picks.later_parts
    players = joined["players"].cast(pl.Int64)
    fair = 1 / players.cast(pl.Float64)
    if FAIR in joined.columns:
        fair = joined.select(pl.when(pl.col("players") == 1).then(FAIR).otherwise(1 / pl.col("players"))).to_series()
    names = joined["variant"].cast(pl.String).to_list() if "variant" in joined.columns else [""] * joined.height
    table = np.array([levels.tables.index(key) for key in zip(names, players.to_list(), strict=True)], np.int64)
    draft, turn = (np.clip(whole[name], 0, levels.places - 1) for name in ("draft_place", "turn_place"))
    rows = {
        "block": joined["block"].cast(pl.Int64).to_numpy(),
        "piece": piece,
        "kind": levels.kind[piece],
        "period": period,
        "table": table,
        "draft": draft,
        "turn": turn,
        "standing": table * levels.places + draft,
        "strategy": joined["strategy"].cast(pl.Int64).to_numpy(),
        "points": gained,
        "later": later,
        "whole": gained + later,
        "surplus": joined["win"].cast(pl.Float64).to_numpy() - fair.to_numpy(),
        "score": scores[:, -1],
    }
    return {name: values[known] for name, values in rows.items()}


def among_its_like(run: Run, name: str) -> Run:
    """Return a run in which picks take the place of factions.

    The picks are those of the same kind and period as the pick `name`. The `faction` of a row is the pick that the seat
    took in this period. Its `win` is the seat's win, minus the mean win of like seats, plus the fair share. Like seats
    have the same variant, number of players and strategy, and took their picks from the same place by points. So an
    average pick wins its fair share. `won` is the plain win. If nobody took the pick, the run has no seats.
    """
    picks, noun = picks_of(run), run.manifest.piece
    kind = next(kind for kind, names in picks.kinds.items() if name in names)
    names, taken = sorted(picks.kinds[kind]), picks.taken
    text = pl.col(noun).cast(pl.String)
    rows = pl.concat(run.pieces or ()).filter((pl.col(taken) > 0) & text.is_in(names))
    own = rows.select("game", "seat", text.cast(pl.Enum(names)).alias("faction"), picks.draft_place, taken)
    alike = [name for name in ("variant", "players", "strategy") if name in run.seats.collect_schema()]
    win = pl.col("win").cast(pl.Float64)
    above = win - win.mean().over([*alike, taken, picks.draft_place])
    seats = run.seats.drop("faction", strict=False).join(own, on=["game", "seat"], how="inner", maintain_order="left")
    seats = seats.with_columns(won=win, win=above + 1 / pl.col("players"))
    period = pl.col(taken)
    return replace(run, seats=seats.filter(period == period.filter(pl.col("faction") == name).min()))


PLACE = "place "
"""Prefix of the columns with places by points.

The column "epoch 1", named after a period, has the pick that a seat took in this period. The column with this prefix
before the same name has the seat's place by points when it took the pick.
"""


@dataclass(frozen=True)
class PickColumns:
    """Columns of picks of the first kind. Every seat takes one such pick in every period.

    `noun` is the game's word for a pick: "empire". `levels` has the levels of each column. A column named after a
    period, such as "epoch 1", has the picks that were taken in it. A column with the prefix `PLACE` has the places by
    points.
    """

    run: Run
    noun: str
    levels: dict[str, list[Any]]

    def columns(self) -> list[tuple[str, str]]:
        """Return for each period, in order, the names of its column of picks and of its column of places."""
        return [(name, f"{PLACE}{name}") for name in self.levels if not name.startswith(PLACE)]

    def beside(self, seats: pl.DataFrame) -> pl.DataFrame:
        """Add the level indices of picks and places, -1 for none, to the seats of whole games.

        The seats must have the columns `game` and `seat`.
        """
        picks, names = picks_of(self.run), piece_names(self.run)
        taken = taken_between(self.run, seats["game"].min(), seats["game"].max())
        for number, (column, place) in enumerate(self.columns(), start=1):
            own, places = self.levels[column], self.levels[place]
            known = pl.col("piece").replace_strict([names.index(name) for name in own], range(len(own)), default=None)
            stood = pl.col(picks.draft_place).cast(pl.Int64).replace_strict(places, range(len(places)), default=None)
            there = taken.filter(pl.col(picks.taken) == number).select(
                *(pl.col(name).cast(seats.schema[name]) for name in ("game", "seat")),
                known.cast(pl.Int32).alias(column),
                stood.cast(pl.Int32).alias(place),
            )
            there = there.drop_nulls(column).unique(["game", "seat"], keep="first", maintain_order=True)
            seats = seats.join(there, on=["game", "seat"], how="left", maintain_order="left")
        return seats.with_columns(pl.col(name).fill_null(-1) for name in self.levels)


def pick_columns(run: Run) -> PickColumns | None:
    """Return the picks of a run as columns; None for a game without picks or a run without pieces."""
    picks = run.manifest.picks
    if not picks or not run.pieces:
        return None
    noun, names = run.manifest.piece, next(iter(picks.kinds.values()))
    wanted = (pl.col(picks.taken) > 0) & pl.col("piece").is_in(names)
    found = (
        pl.concat([part.with_columns(pl.col(noun).cast(pl.String).alias("piece")) for part in run.pieces])
        .filter(wanted)
        .select(pl.col(picks.taken).cast(pl.Int64).alias("period"), "piece",
                pl.col(picks.draft_place).cast(pl.Int64).alias("place"))
        .unique()
        .collect(engine="streaming")
    )  # fmt: skip
    levels: dict[str, list[Any]] = {}
    for period in range(1, len(run.manifest.checkpoints) + 2):
        own = found.filter(pl.col("period") == period)
        if own.height:
            name = f"{picks.period} {period}"
            levels[name] = own["piece"].unique().sort().to_list()
            levels[f"{PLACE}{name}"] = own.filter(pl.col("place") > 0)["place"].unique().sort().to_list()
    return PickColumns(run, next(iter(picks.kinds)), levels) if levels else None
