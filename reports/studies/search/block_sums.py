"""Plays arms on the same deals, in memory, and sums their results block by block.

An arm can be continued, so that a search can give some arms more games. Games are not written to disk. Sums are written
to disk if there is a store.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reports.studies.parts.intervene import PIECE_STRETCH_GAMES, event_columns
from reports.studies.parts.parts import Part
from reports.studies.search.checkpoint import Arrays, SumStore
from sim.data.arguments import cut, jobs_to_use
from sim.engine.result_rows import BLOCK, FACTION, PIECE_KEYS, RANK, ROUNDS, SCORE, STRATEGY
from sim.players.batch import Plan, play, play_chosen
from sim.players.compile_players import players_of
from sim.runs.run import warm_up
from sim.runs.shards import in_order

Floats = NDArray[np.float64]
CHECKED = 2
"""Of the blocks that must be the same as in the reference arm, this many are played nevertheless, as a check."""
ARRAYS = ("wins", "seats", "scores", "rounds", "uses", "owners", "ahead", "met")
NARROW = (np.int8, np.int16, np.int32, np.float32)
"""Types of stored sums, the narrowest first. Sums get the first type that holds them exactly."""


@dataclass(frozen=True)
class ArmSums:
    """Sums of an arm by block.

    Attributes
    ----------
    wins, seats, scores
        Wins, seat-games and scores of every faction in every block, each of shape (blocks, factions).
    rounds
        Rounds that the games of each block took, shape (blocks,).
    uses, owners
        Seat-games of the watched faction in which it had each watched part, shape (blocks, parts), and all of its
        seat-games, shape (blocks,).
    ahead, met
        For each watched pair of factions: games in which the first finished ahead of the second (a tie counts half),
        and games with both factions at the table, each of shape (blocks, pairs).
    """

    wins: Floats
    seats: Floats
    scores: Floats
    rounds: Floats
    uses: Floats
    owners: Floats
    games: int
    ahead: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    met: Floats = field(default_factory=lambda: np.zeros((0, 0)))

    def arrays(self) -> dict[str, Floats]:
        """Return all arrays by name."""
        return {name: getattr(self, name) for name in ARRAYS}


class PackedSums(UserDict[Any, ArmSums]):
    """Sums of arms by key, packed into small types. A search has hundreds of arms, mostly with small whole numbers.

    Sums in `data` are packed. Each reading returns a new unpacked copy.
    """

    def __getitem__(self, key: Any) -> ArmSums:
        packed = self.data[key]
        return ArmSums(**{name: one.astype(np.float64) for name, one in packed.arrays().items()}, games=packed.games)

    def __setitem__(self, key: Any, sums: ArmSums) -> None:
        self.data[key] = ArmSums(**{name: narrow(one) for name, one in sums.arrays().items()}, games=sums.games)


def narrow(values: Floats) -> NDArray[Any]:
    """Return numbers in the narrowest type that holds them exactly."""
    with np.errstate(invalid="ignore", over="ignore"):
        for kind in NARROW:
            result = values.astype(kind)
            if np.array_equal(result, values):
                return result
    return values


@dataclass(frozen=True)
class Watched:
    """What is counted besides wins: which parts a faction has, and who finishes ahead in pairs of factions."""

    faction: int
    parts: tuple[Part, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class ReferenceArm:
    """An arm already played on the same deals. The arm to be played differs from it only in data of some factions.

    Games without these factions are the same in both arms, so only games with one of them are played.

    Attributes
    ----------
    sums
        Sums of this arm from game 0 on.
    """

    sums: ArmSums
    factions: tuple[int, ...]


def shows_in_rows(part: Part) -> bool:
    """Tell whether the rows of pieces record who has a part."""
    return part.piece is not None or bool(part.event[0])


def play_sums(
    plan: Plan,
    watched: Watched,
    first: int,
    games: int,
    *,
    jobs: int = -1,
    progress: Callable[[int], None] = lambda games: None,
    store: SumStore | None = None,
    reference: ReferenceArm | None = None,
) -> ArmSums:
    """Play a stretch of whole blocks of a plan and sum it.

    Games of `reference`, an arm with at least as many games, are reused where they must be the same. The sums do not
    depend on it. Raises UserError if a strategy fails, or sums cannot be stored.
    """
    plan = replace(plan, keeps_pieces=any(map(shows_in_rows, watched.parts)))

    def arrays_of(rows: NDArray[Any], piece_rows: NDArray[Any], start: int) -> Arrays:
        return sum_rows(plan, watched, rows, piece_rows, start).arrays()

    known = None if reference is None else partial(sums_with_reuse, plan, watched, reference)
    arrays = play_arrays(plan, watched, arrays_of, first, games, jobs=jobs, progress=progress, store=store, known=known)
    return ArmSums(**arrays, games=games)


def sums_with_reuse(
    plan: Plan, watched: Watched, reference: ReferenceArm, players: Any, start: int, many: int
) -> Arrays | None:
    """Return the sums of `many` games from game `start` on. Blocks without a faction of `reference` are not played.

    The sums of these blocks are those of the reference arm. A few of them are played nevertheless, as a check. Their
    results can differ from the reference arm, since players may look at the data of all factions.

    None if the whole stretch must be played: the check fails, the reference arm has too few games, the last block is
    incomplete, or the plan is to be played with checks.
    """
    size = plan.block_games
    first, blocks = start // size, -(-many // size)
    if start + many > reference.sums.games or many % size or plan.checked:
        return None
    whole = {name: values[first : first + blocks].copy() for name, values in reference.sums.arrays().items()}
    concerned = whole["seats"][:, list(reference.factions)].sum(axis=1) > 0
    played = concerned.copy()
    played[np.flatnonzero(~concerned)[:CHECKED]] = True
    chosen = np.flatnonzero(played)
    runs = np.split(chosen, np.flatnonzero(np.diff(chosen) > 1) + 1)
    rows, piece_rows = play_chosen(plan, players, [(start + int(run[0]) * size, len(run) * size) for run in runs])
    games = (start + chosen[:, None] * size + np.arange(size)).ravel()
    piece_rows[:, 0] = np.searchsorted(games, piece_rows[:, 0])
    result = sum_rows(plan, watched, rows, piece_rows, 0).arrays()
    alike = np.flatnonzero(~concerned[chosen])
    if any((result[name][alike] != whole[name][chosen[alike]]).any() for name in ("wins", "seats", "scores", "rounds")):
        return None
    whole["uses"], whole["owners"] = np.zeros((blocks, len(watched.parts))), np.zeros(blocks)
    for name, values in result.items():
        whole[name][chosen] = values
    return whole


def play_arrays(
    plan: Plan,
    counted: object,
    arrays_of: Callable[[NDArray[Any], NDArray[Any], int], Arrays],
    first: int,
    games: int,
    *,
    jobs: int = -1,
    progress: Callable[[int], None] = lambda games: None,
    store: SumStore | None = None,
    known: Callable[[Any, int, int], Arrays | None] | None = None,
) -> Arrays:
    """Play a stretch of whole blocks. Return arrays by name. Parts of the stretch are joined along the first axis.

    Parameters
    ----------
    counted
        What the arrays count. It is part of the key under which they are stored.
    arrays_of
        Takes seat rows, piece rows and the number of the first game. Returns arrays by name.
    known
        Takes packed players, the first game and the number of games. Returns the arrays if playing only some of the
        games suffices. Otherwise returns None.
    """
    name = "" if store is None else store.name_of(plan, counted, first)
    there, saved = (0, {}) if store is None else store.find(name, games)
    result, played = [saved] if there else [], there
    progress(there)
    try:
        for many, part in stretches_played(plan, arrays_of, first + there, games - there, jobs, known):
            progress(many)
            result.append(part)
            played += many
    finally:
        # This also stores what was played before an interrupt or an error.
        whole = {name: np.concatenate([part[name] for part in result]) for name in (result[0] if result else ())}
        if store is not None and played > there:
            store.keep(name, played, whole)
    return whole


def stretches_played(
    plan: Plan,
    arrays_of: Callable[[NDArray[Any], NDArray[Any], int], Arrays],
    first: int,
    games: int,
    jobs: int,
    known: Callable[[Any, int, int], Arrays | None] | None,
) -> Iterator[tuple[int, Arrays]]:
    """Play a stretch of whole blocks in parts. Yield the number of games and the arrays of each part, in order.

    The parameters are those of `play_arrays`.
    """
    players, workers = players_of(plan), jobs_to_use(jobs)
    # Short arms are divided between the workers too: in a quick search, every arm is short.
    size = max(min(PIECE_STRETCH_GAMES, games // workers) // plan.block_games, 1) * plan.block_games
    stretches = [(first + at, many) for at, many in cut(games, size)]

    def one(start: int, many: int) -> Arrays:
        result = None if known is None else known(players, start, many)
        return arrays_of(*play(plan, players, start, many), start) if result is None else result

    with closing(in_order(one, stretches, workers, plan.game)) as results:
        for (_, many), part in zip(stretches, results, strict=True):
            yield many, part


def concat_sums(parts: Sequence[ArmSums]) -> ArmSums:
    """Concatenate the sums of consecutive stretches."""
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
    return ArmSums(**arrays, games=sum(part.games for part in parts))


def sum_rows(plan: Plan, watched: Watched, rows: NDArray[Any], piece_rows: NDArray[Any], first: int) -> ArmSums:
    """Sum the seat rows and piece rows of a stretch of games that begins with game `first`.

    `watched` says what is counted besides wins.
    """
    games, factions = len(rows) // plan.players, len(plan.data.factions)
    wins = wins_of_rows(rows, plan.players).ravel()
    block = np.arange(len(rows)) // (plan.players * plan.block_games)
    blocks = -(-games // plan.block_games)
    cell, shape = block * factions + rows[:, FACTION], (blocks, factions)
    sums = [np.bincount(cell, values, blocks * factions).reshape(shape) for values in (wins, None, rows[:, SCORE])]
    rounds = np.bincount(block, rows[:, ROUNDS] / plan.players, blocks)
    owners = sums[1][:, watched.faction].astype(np.float64)
    own = rows[:, FACTION] == watched.faction
    had = [seats_with_part(plan, part, len(rows), piece_rows, first) & own for part in watched.parts]
    uses = np.array([np.bincount(block, one, blocks) for one in had]).reshape(len(had), blocks).T
    wins, seats, scores, length, used, owned = (np.asarray(one, np.float64) for one in (*sums, rounds, uses, owners))
    ahead, met = meetings(rows[:, FACTION].reshape(games, -1), rows[:, RANK].reshape(games, -1), watched.pairs)
    starts = np.arange(0, games, plan.block_games)
    ahead, met = (np.add.reduceat(one, starts, axis=0) for one in (ahead, met))
    return ArmSums(wins, seats, scores, length, used, owned, games, ahead, met)


def wins_of_rows(rows: NDArray[Any], players: int) -> Floats:
    """Return what every seat won, shape (games, players): 1, a share if seats tie for first place, or 0."""
    first = (rows[:, RANK] == 1).reshape(-1, players)
    return np.asarray(first / np.maximum(first.sum(axis=1, keepdims=True), 1))


def wins_by_block(plan: Plan, players: Any, first: int, games: int) -> Floats:
    """Return the win rate per seat of each strategy in each block, shape (blocks, strategies).

    It is 0 for a strategy that has no seat in the block.
    """
    rows, _ = play(plan, players, first, games)
    wins = wins_of_rows(rows, plan.players).ravel()
    blocks, strategies = games // plan.block_games, len(plan.strategies)
    cell = (rows[:, BLOCK] - first // plan.block_games) * strategies + rows[:, STRATEGY]
    seats, won = (np.bincount(cell, weights, blocks * strategies) for weights in (None, wins))
    return np.asarray((won / np.maximum(seats, 1)).reshape(blocks, strategies))


def meetings(factions: NDArray[Any], ranks: NDArray[Any], pairs: Sequence[tuple[int, int]]) -> tuple[Floats, Floats]:
    """Return for each game and pair of factions who finished ahead, and whether they met.

    Parameters
    ----------
    factions, ranks
        Faction and rank of every seat, shape (games, players).
    pairs
        Pairs of indices of factions.

    Returns
    -------
    ahead, met
        Arrays of shape (games, pairs). `ahead` is 1 if the first faction finished ahead of the second, 0.5 for a tie.
        `met` is 1 if both were at the table.
    """
    ahead, met = np.zeros((2, len(factions), len(pairs)))
    for column, (first, second) in enumerate(pairs):
        own, other = (np.where(factions == one, ranks, 0).max(axis=1) for one in (first, second))
        there = (own > 0) & (other > 0)
        met[:, column] = there
        ahead[:, column] = there * np.where(own < other, 1.0, np.where(own == other, 0.5, 0.0))
    return ahead, met


def seats_with_part(plan: Plan, part: Part, rows: int, piece_rows: NDArray[Any], first: int) -> NDArray[np.bool_]:
    """Return which of `rows` seat rows had a part, shape (rows,). All are False if piece rows do not record the part.

    `first` is the number of the first game of these rows.
    """
    pieces = plan.game.pieces
    if pieces is None or not shows_in_rows(part):
        return np.zeros(rows, bool)
    seat = (piece_rows[:, 0] - first) * plan.players + piece_rows[:, 1]
    if part.piece is not None:
        columns, in_play = event_columns(plan.game)
        had, least = (piece_rows[:, columns[in_play]] > 0).any(axis=1) & (piece_rows[:, 2] == part.piece), 1
    else:
        column, least = part.event
        had = piece_rows[:, PIECE_KEYS + [name for name, _ in pieces.columns].index(column)] > 0
    return np.bincount(seat[had], minlength=rows) >= least


def compile_players_of(plans: Sequence[Plan], say: Callable[[str], None]) -> None:
    """Compile the players of the plans before a progress bar is shown."""
    warm_up([replace(plans[0], keeps_pieces=plans[0].game.pieces is not None)], say)
