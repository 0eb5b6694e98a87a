"""Reads seats of a run together with facts about the other seats of the game: their mean, the best, the neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.games import whole_blocks
from reports.data.load import Floats, Run, games_of_several, player_counts
from sim.compiler.kernel import Integers, kernel
from sim.errors import UserError

ROWS = 200_000
"""Approximate number of seats in a batch."""
MAX_ROWS = 2_000_000
"""Maximum number of seats read, divided evenly among numbers of players and variants.

More seats would not change any digit that is shown.
"""
OTHERS, LEAD, LED = "others ", "lead ", "led "
"""Prefixes of columns: mean of the other seats, lead over the best other seat, share of first place."""


@dataclass(frozen=True)
class Beside:
    """Seats of a faction, and of its opponents in the same games.

    Attributes
    ----------
    faction, noun
        Name of the faction, and the game's word for a faction.
    values
        Score, score parts and measures in which the seats are compared with the other seats.
    moments
        Checkpoints at which the seats are compared, in order: columns with the score at moments of the game.
    own
        One row for each seat of the faction: `game`, `block`, `players`, `seat`, `strategy`, `win`, `won` (equal to
        `win` except for picks, see `piece_counts.among_its_like`), `rank`, `score`, `fair` (1/players), `left` and
        `right` (factions of the seats before and after it), the values and the moments. Columns with the prefix
        `OTHERS` have the means of values and moments over the other seats of the game. For the score and each moment,
        columns with the prefix `LEAD` have the points ahead of the best other seat, and those with `LED` are 1 for the
        seat in first place, divided if several seats share it.
    rivals
        One row for each other seat of the same games: `block`, `game`, `strategy`, `faction`, `win`, `won` and the
        columns with the prefix `LEAD`.
    games, all_games
        Number of games of two or more players: among the games read, and in the whole run.
    events
        Those of `values` that hold the round in which an event happened, or 0 if it never did. Means over other seats
        skip zeros; they are NaN if all are zero.
    """

    faction: str
    noun: str
    values: tuple[str, ...]
    moments: tuple[str, ...]
    own: pl.DataFrame
    rivals: pl.DataFrame
    games: int
    all_games: int
    events: tuple[str, ...] = ()


def seats_beside(run: Run, faction: str, moments: Sequence[str]) -> Beside:
    """Read the seats of a faction together with those of its opponents, in games of two or more players.

    `run` may also be a run in which picks replace factions (`piece_counts.among_its_like`). `faction` is a name in its
    column `faction`; `moments` are checkpoints. Raise UserError if no seat of such a game has the faction.
    """
    manifest = run.manifest
    compared = [name for name in manifest.measures if name not in manifest.checkpoints]
    compared = [name for name in compared if name != manifest.starting_place]
    values = ("score", *dict.fromkeys([*manifest.score_parts, *compared]))
    events = tuple(name for name in manifest.event_rounds if name in values)
    own, rivals, games = [], [], 0
    for rows in read_beside(run, values, moments, events):
        games += rows["game"].n_unique()
        mine = rows.filter(pl.col("faction") == faction)
        own.append(mine)
        beside = (pl.col("faction") != faction) & pl.col("game").is_in(mine["game"].implode())
        rivals.append(
            rows.filter(beside).select("block", "game", "strategy", "faction", "win", "won", pl.col(f"^{LEAD}.*$"))
        )
    if not own or not sum(part.height for part in own):
        raise UserError("it does not occur in this run's games of two or more players", field="faction", found=faction)
    noun = str(manifest.faction_title or "pick")
    whole = (pl.concat(own), pl.concat(rivals))
    return Beside(faction, noun, values, tuple(moments), *whole, games, games_of_several(manifest), events)


def read_beside(
    run: Run, values: Sequence[str], moments: Sequence[str], events: Sequence[str] = ()
) -> Iterator[pl.DataFrame]:
    """Yield batches of seats of all factions with the columns of `Beside.own`; in all, up to about `MAX_ROWS` seats."""
    columns = ["block", "game", "players", "seat", "faction", "strategy", "rank", "win"]
    won = pl.col("won" if "won" in run.seats.collect_schema() else "win").cast(pl.Float64).alias("won")
    chosen = run.seats.filter(pl.col("players") > 1).select(*columns, won, *dict.fromkeys([*values, *moments]))
    kinds = kinds_of_games(run)
    for kind in kinds:
        read = 0
        for frame in whole_blocks(chosen.filter(kind), ROWS, ("block", "game", "seat")):
            yield with_others(frame.sort("block", "game", "seat"), values, moments, events)
            read += frame.height
            if read >= MAX_ROWS / len(kinds):
                break


def kinds_of_games(run: Run) -> list[pl.Expr]:
    """Return one filter for each combination of variant and number of players, from two players up."""
    counts = [players for players in player_counts(run.manifest) if players > 1]
    kinds = [pl.col("players") == players for players in counts]
    if "variant" in run.seats.collect_schema():
        kinds = [kind & (pl.col("variant").cast(pl.String) == name) for kind in kinds for name in run.manifest.variants]
    return kinds


def with_others(
    frame: pl.DataFrame, values: Sequence[str], moments: Sequence[str], events: Sequence[str] = ()
) -> pl.DataFrame:
    """Add columns about the other seats of the game, its neighbours and its fair share to each seat; see `Beside`.

    The seats must be in the order of games and seats.
    """
    game = frame["game"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], game[1:] != game[:-1]]))
    sizes = np.diff(np.append(starts, len(game)))
    of_game = np.repeat(np.arange(len(starts)), sizes)
    added: dict[str, NDArray[np.float32]] = {}
    for name in dict.fromkeys([*values, *moments]):
        own = frame[name].cast(pl.Float64).to_numpy()
        counts = (own != 0 if name in events else np.ones(len(own))).astype(np.float64)
        beside = np.add.reduceat(counts, starts)[of_game] - counts
        none = np.nan if name in events else 0.0
        others = np.where(beside > 0, (np.add.reduceat(own, starts)[of_game] - own) / np.maximum(beside, 1), none)
        added[f"{OTHERS}{name}"] = others.astype(np.float32)
        if name == "score" or name in moments:
            lead, led = lead_of(own, starts)
            added |= {f"{LEAD}{name}": lead.astype(np.float32), f"{LED}{name}": led.astype(np.float32)}
    place = np.arange(len(game)) - starts[of_game]
    neighbours = {
        "left": starts[of_game] + (place - 1) % sizes[of_game],
        "right": starts[of_game] + (place + 1) % sizes[of_game],
    }
    faction = frame["faction"]
    return frame.with_columns(
        (1 / pl.col("players")).alias("fair"),
        pl.col("win").cast(pl.Float64),
        *(pl.Series(name, values) for name, values in added.items()),
        *(faction.gather(rows).alias(name) for name, rows in neighbours.items()),
    )


@kernel
def fill_leads(own: Floats, starts: Integers, lead: Floats, led: Floats) -> None:
    """Fill `lead` and `led` with the two results of `lead_of`."""
    for game in range(len(starts)):
        first, end = starts[game], starts[game + 1] if game + 1 < len(starts) else len(own)
        most, second, firsts = -np.inf, -np.inf, 0
        for at in range(first, end):
            if own[at] > most:
                most, second, firsts = own[at], most, 1
            elif own[at] == most:
                firsts += 1
            elif own[at] > second:
                second = own[at]
        for at in range(first, end):
            ahead = own[at] == most
            lead[at] = own[at] - (second if ahead and firsts == 1 else most)
            led[at] = 1 / firsts if ahead else 0.0


def lead_of(own: Floats, starts: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return each seat's lead over the best other seat of its game, and its share of first place."""
    lead, led = np.empty(len(own)), np.empty(len(own))
    fill_leads(own, starts, lead, led)
    return lead, led
