"""Win rates of a run's seats by faction, attribute, seat and strategy, and by pairs of these.

The module also measures how evenly seats, factions and strategies are mixed in a run, and which of them are confounded.
Tests of many correlated rows at once use the distribution of their smallest p-value under the null.

Sources, in full in `docs/statistics.md`: Westfall and Young (1993, ch. 2, single-step min P), Sidak (1967, 1968),
Hothorn, Bretz and Westfall (2008) and Owen, Maximov and Chertkov (2019) for these tests, Bergsma (2013) for how evenly
columns are mixed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.cells import CellSums, count_cells
from reports.data.games import GameArrays, GameSums, Integers, gather, levels_of_enum, possible_levels
from reports.data.load import (
    FAIR,
    Run,
    level_columns,
    level_names,
    mean_of_one_player,
    only_one_player,
    player_counts,
)
from reports.data.moments import SUMS, Moments
from reports.formatting import ROWS
from reports.statistics.core.win_rate import (
    ALPHA,
    Floats,
    any_of,
    edge_columns,
    family_limits,
    known,
    minimum_detectable_effect,
    possible,
    win_rates,
)
from reports.statistics.distributions import find_root, normal_isf
from sim.runs.store.manifest import Manifest

DRAWS = 10_000
SEED = 1
SAME = 1e-6
"""Two rows whose correlation is this close to 1 or -1 are one hypothesis."""


@dataclass(frozen=True)
class JointNull:
    """The distribution of the smallest p-value of several correlated rows if all rows are fair.

    Attributes
    ----------
    correlation
        Correlations of the different hypotheses, shape (hypotheses, hypotheses). The two rows of a table of two levels
        are one hypothesis.
    draws
        Number of Monte Carlo draws.
    levels
        Cached results of `level`, by rate.
    """

    correlation: Floats
    draws: int = DRAWS
    levels: dict[float, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def hypotheses(self) -> int:
        """Number of different hypotheses."""
        return len(self.correlation)

    @cached_property
    def drawn(self) -> tuple[NDArray[Any], Floats, Floats]:
        """The draws for `chance`: rows and quantiles, shape (draws,), and residuals, shape (draws, hypotheses).

        In each draw one row is at least as significant as a given p: its own p-value is the quantile (0 to 1) times p.
        A residual is the part of a hypothesis' normal deviate that the deviate of this row does not predict.
        """
        rng = np.random.default_rng(SEED)
        values, vectors = np.linalg.eigh(self.correlation)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        deviates = rng.standard_normal((self.draws, self.hypotheses)) @ root.T
        # The draws are stratified: each row is picked equally often, and the probabilities are evenly spread, in random
        # order.
        row: NDArray[Any] = np.arange(self.draws) % self.hypotheses
        above = rng.permutation((np.arange(self.draws) + 0.5) / self.draws)
        picked = deviates[np.arange(self.draws), row][:, None]
        return row, above, deviates - self.correlation[row] * picked

    def chance(self, p: Floats) -> Floats:
        """Return the probability that any of the rows has a p-value as small as `p`, if all are fair.

        This is the single-step min P of Westfall and Young (1993). Let M be the number of the m rows that have a
        p-value of at most p. The probability is m p E[1/M]. The mean is over draws in which one row, picked at random,
        has such a p-value, and the other rows follow from their correlations with it (Owen, Maximov and Chertkov 2019).
        So small probabilities are as exact as large ones. The result is at least p and at most 1 - (1 - p)^m (Sidak
        1967).

        Parameters
        ----------
        p
            Two-sided p-value of each row alone, shape (rows,). NaN stays NaN.
        """
        bound = any_of(p, self.hypotheses)
        if self.hypotheses == 1:
            return bound
        row, above, free = self.drawn
        found = np.where(p == 0, 0.0, np.nan)
        for place in np.flatnonzero(p > 0):
            least = normal_isf(p[place] / 2)
            sure = normal_isf(above * p[place] / 2)[:, None]
            many = (np.abs(free + self.correlation[row] * sure) >= least * (1 - SAME)).sum(axis=1)
            found[place] = self.hypotheses * p[place] * (1 / np.maximum(many, 1)).mean()
        return np.asarray(np.clip(found, p, bound))

    def level(self, rate: float) -> float:
        """Return the level at which to test each single row so that all rows together have this false alarm rate."""
        if self.hypotheses == 1:
            return rate
        if rate not in self.levels:
            ends = rate / self.hypotheses, rate
            self.levels[rate] = find_root(lambda p: float(self.chance(np.array([p]))[0]) - rate, *ends, 1e-4)
        return self.levels[rate]


def correlations(covariance: Floats) -> Floats:
    """Return the correlations of the different hypotheses, from the covariance of rows.

    Rows with a correlation of 1 or -1 are tests of the same hypothesis. Only the first of them is kept.
    """
    scale = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(scale, scale)
    same = np.abs(correlation) > 1 - SAME
    first = np.flatnonzero(same.argmax(axis=1) == np.arange(len(same)))
    return np.asarray(correlation[np.ix_(first, first)])


def joint_null(products: Floats, blocks: int, draws: int = DRAWS) -> JointNull:
    """Return the joint null distribution of rows, from the correlations of their surpluses over blocks.

    Rows are taken as normal with the correlations of their surpluses (Hothorn, Bretz and Westfall 2008). Perfectly
    correlated rows count as one. Correlations from few blocks are noisy and too large, so they are shrunk by the
    fraction hypotheses / blocks. Weaker correlations can only make the largest of the normal deviates larger (Sidak
    1968).

    Parameters
    ----------
    products
        From `moments.moments_and_products`. Rows whose surplus is 0 in every block do not count.
    draws
        Number of Monte Carlo draws. With 10,000 draws the relative error of a probability is below 1 %.
    """
    varied = np.flatnonzero(np.diag(products) > 0)
    if not len(varied):
        return JointNull(np.ones((1, 1)))
    correlation = correlations(products[np.ix_(varied, varied)])
    correlation *= max(0.0, 1 - len(correlation) / blocks)
    np.fill_diagonal(correlation, 1.0)
    return JointNull(correlation, draws)


def flag_family(frame: pl.DataFrame, moments: pl.DataFrame, null: JointNull, rate: float = ALPHA) -> pl.DataFrame:
    """Judge the rows of a table as part of a family of tests.

    A row is flagged if its limits for the whole family exclude 0 and its p-value is small enough, too. The two rows of
    a table of two levels are one hypothesis: either both are flagged or neither is.

    Parameters
    ----------
    frame, moments
        The result of `win_rate.win_rates`, and the moments from which it was computed.
    rate
        Error rate of the limits and flags of the family.

    Returns
    -------
    The frame with `family_low`, `family_high`, `mde_family`, `p_family` and `flag` of the family. If the table has two
    levels, both rows get the `p`, `p_holm` and `p_bh` of one common test.
    """
    m = {name: moments[name].to_numpy() for name in moments.columns if moments[name].dtype.is_numeric()}
    m = {name: values.astype(np.float64) for name, values in m.items()}
    edges = edge_columns(m)
    p = frame["p"].fill_null(np.nan).to_numpy()
    columns: dict[str, Floats] = {}
    if len(p) == 2:
        p = np.full(2, p.max())
        columns |= {"p": p, "p_holm": p, "p_bh": p}
    alone = null.level(rate)
    low, high = family_limits(m, edges, 1 - alone / 2)
    mde = possible(minimum_detectable_effect(edges["error"], m["blocks"], ALPHA / alone), edges["null"])
    columns |= {"family_low": low, "family_high": high, "mde_family": mde, "p_family": null.chance(p)}
    sure = (p <= alone) & ((low > 0) | (high < 0))
    if len(p) == 2:
        # If one of the two levels wins equally often in every block, only the other row varies.
        told = np.isfinite(low)
        sure = np.full(2, bool(told.any() and sure[told].all()))
    flag = np.where(sure, np.where(edges["edge"] > 0, "strong", "weak"), "")
    short = np.where((edges["error"] > 0) & np.isnan(mde), "too few games", "")
    note = np.where(frame["note"].is_in(["", "too few games"]).to_numpy(), short, frame["note"].to_numpy())
    return frame.with_columns(
        *known(columns),
        pl.Series("flag", flag.astype(str), dtype=pl.String),
        pl.Series("note", note.astype(str), dtype=pl.String),
    )


MIN_GROUPS = 3
"""Minimum number of groups for an estimate of their spread."""
START = "starting place"
"""Column of a seat's starting place, so named that no measure can have the same name."""
PLAYERS_IN_ORDER = tuple(
    f"{word} player" for word in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
)
"""Names of starting places. A number would be ambiguous, since seats are counted from 0."""
STOPS, FIRST_STOP = 40, 25
TEMPERATURE = "strategy temperature"
"""Column of a strategy's temperature, so named that no score part can have the same name."""


@dataclass(frozen=True)
class GroupedShares:
    """Win rates of the seats of a run by the one or two columns `keys`. The other fields are as in `model.Table`."""

    name: str
    keys: tuple[str, ...]
    noun: str
    frame: pl.DataFrame
    margins: tuple[pl.DataFrame, ...]
    tests: float


class GroupSums(GameSums):
    """The sums behind the win rates of every grouping, over the whole run and over its first games.

    A grouping is the one or two columns whose levels are the rows of a table. First games are those up to each of
    about 40 stops.

    `derived` are expressions for the columns of attributes and temperatures. `cells` is the result of `count_cells`, or
    of `possible_cells` if cells are not counted yet, with the derived columns added. `chosen` is from `groupings`.
    `wanted` are the columns of each grouping, and each of these columns on its own. The levels of all columns in
    `together` are one family of tests. `stops` are numbers of blocks, evenly spaced on a log scale, and `games` the
    number of games after each of them. `taken`, shape (stops, levels, SUMS), has the sums of each level of `together`
    after each of `stops`.
    """

    def __init__(self, run: Run) -> None:
        manifest, schema = run.manifest, run.seats.collect_schema()
        cells = count_cells(run) if CellSums in run.gathered else possible_cells(run)
        attributes = useful_attributes(manifest, cells)
        temperatures = comparable_temperatures(manifest, cells)
        derived = {attribute_key(name): ("faction", attribute_column(manifest, name)) for name in attributes}
        if temperatures:
            derived[TEMPERATURE] = ("strategy", temperature_column(manifest, temperatures))
        self.derived = [column for _, column in derived.values()]
        self.cells = cells.with_columns(self.derived)
        self.chosen = list(groupings(manifest, self.cells, attributes))
        alone = [(key,) for _, keys, _ in self.chosen for key in keys]
        self.wanted = list(dict.fromkeys([*(tuple(keys) for _, keys, _ in self.chosen), *alone]))
        self.together = [keys[0] for _, keys, _ in self.chosen if len(keys) == 1]
        self.more = [manifest.starting_place] if (START,) in self.wanted else []
        self.more += ["variant"] if ("variant",) in self.wanted else []
        self.lonely = FAIR in schema
        levels: dict[str, pl.Series] = {}
        self.tables: dict[str, tuple[str, NDArray[np.int32] | None]] = {}
        for (name,) in (keys for keys in self.wanted if len(keys) == 1):
            if name in derived:
                source, column = derived[name]
                every = pl.DataFrame({source: levels_of_enum(schema[source])}).select(column).to_series()
                levels[name] = levels_of_enum(every.dtype).alias(name)
                self.tables[name] = source, every.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
            else:
                source = manifest.starting_place if name == START else name
                levels[name] = possible_levels(schema[source], max(player_counts(manifest))).alias(name)
                self.tables[name] = source, None
        # Pass the largest number of players in this run, not MAX_PLAYERS: wins are counted in units of
        # 1/lcm(1..most_players), and with smaller units their sums of squares could leave the exact integers of a
        # float.
        most_players = int(cells["players"].to_numpy().max())
        one = mean_of_one_player(run.seats) if self.lonely else None
        self.moments = Moments(levels, self.wanted, self.together, most_players, one)
        blocks = max(1, manifest.blocks)
        self.stops = np.unique(np.rint(np.geomspace(min(FIRST_STOP, blocks), blocks, STOPS)).astype(np.int64))
        self.games = np.zeros(len(self.stops), np.int64)
        self.taken = np.zeros((len(self.stops), len(self.moments.joint), len(SUMS)))
        self.seen = 0, 0

    def add(self, games: GameArrays) -> None:
        """Add a batch of whole blocks."""
        starts = np.append(np.flatnonzero(np.diff(games.block, prepend=-1)), len(games.block))
        codes = np.empty((len(self.moments.levels), len(games.block)), np.int32)
        for own, name in zip(codes, self.moments.levels, strict=True):
            self.fill_codes(own, name, games)
        facts = (codes, games.win, games.players, games.score, games.rank)
        (blocks, played), many, first = self.seen, len(starts) - 1, 0
        begun = np.diff(games.game, prepend=-1) != 0
        for last in (*(self.stops[(self.stops > blocks) & (self.stops <= blocks + many)] - blocks), many):
            self.moments.add(starts[first : last + 1], *facts)
            here, first = self.stops == blocks + last, last
            self.taken[here] = self.moments.sums[: len(self.moments.joint)]
            self.games[here] = played + int(np.count_nonzero(begun[: starts[last]]))
        self.seen = blocks + many, played + int(np.count_nonzero(begun))

    def fill_codes(self, codes: NDArray[np.int32], name: str, games: GameArrays) -> None:
        """Fill in the index of every row's level in a column; -1 for rows without a level."""
        source, table = self.tables[name]
        values: Integers = games.more[source] if source in games.more else getattr(games, source)
        codes[:] = values if table is None else table[values]
        if name == START:
            codes[(codes < 0) | (codes >= len(self.moments.levels[name]))] = -1
        if name == START or (name == "seat" and self.lonely):
            # A lone player always begins, and games of one player have no seats to compare.
            codes[games.players == 1] = -1

    def course(self, column: str) -> Floats:
        """Return the sums of each level of one column over the first games, shape (stops, levels, SUMS)."""
        place = self.moments.groupings.index((column,))
        return self.taken[:, self.moments.firsts[place] : self.moments.firsts[place + 1]].copy()


def possible_cells(run: Run) -> pl.DataFrame:
    """Return a substitute for `count_cells` with every level that can occur; which levels share a row means nothing."""
    manifest, schema = run.manifest, run.seats.collect_schema()
    counts = player_counts(manifest)
    dealt = {"faction": set(manifest.factions_dealt), "strategy": set(manifest.lineup)}
    levels: dict[str, Any] = {"seat": range(max(counts)), "players": counts}
    for name in level_columns(manifest):
        every = level_names(manifest, name)
        levels[name] = [level for level in every if level in dealt[name]] or every
    levels |= {"variant": manifest.variants or levels_of_enum(schema["variant"])} if "variant" in schema else {}
    rows = max(map(len, levels.values()))
    columns = {name: pl.Series(of, dtype=schema[name]) for name, of in levels.items()}
    return pl.DataFrame({name: of.gather(np.arange(rows) % len(of)) for name, of in columns.items()})


def group_sums(run: Run) -> GroupSums:
    """Return the sums of all groupings of a run, with its exact levels.

    The first pass assumes the levels of `possible_cells`. If other levels turn out to occur, the report has other
    tables, so a second pass is made. If several threads make sections of one run, call this function before the threads
    start.
    """
    found, cells = gather(run, GroupSums, CellSums), count_cells(run)
    names = [name for name in ("seat", "players", "variant", *level_columns(run.manifest)) if name in cells.columns]
    if any(set(cells[name]) != set(found.cells[name]) for name in names):
        del run.gathered[GroupSums]
        found = gather(run, GroupSums)
    return found


def grouped_shares(run: Run, rate: float = ALPHA) -> Iterator[GroupedShares]:
    """Yield the win rates of every grouping, in the order of the report.

    Factions, their attributes, seats and strategies are one family of tests, since the first screen of a report may
    name any of them. Each table that crosses two columns is a family of its own.

    Parameters
    ----------
    rate
        Probability that any of the rows that are judged together is wrongly flagged.
    """
    manifest, found = run.manifest, group_sums(run)
    cells, chosen = count_cells(run).with_columns(found.derived), found.chosen
    moments = dict(zip(found.wanted, found.moments.frames(found.wanted), strict=True))
    shares = {keys: win_rates(frame, keys) for keys, frame in moments.items()}
    # All tables that are judged together share one joint null distribution.
    nulls = dict.fromkeys(found.together, joint_null(found.moments.products(), manifest.blocks))
    for key, null in nulls.items():
        shares[(key,)] = flag_family(shares[(key,)], moments[(key,)], null, rate)
    for name, keys, noun in chosen:
        frame = shares[tuple(keys)]
        if START not in keys:
            counted = cells.filter(pl.col("players") > 1) if "seat" in keys else cells
            frame = frame.join(part_means(counted, keys, manifest), on=keys, how="left")
        frame = with_level_columns(frame, keys)
        margins = tuple(with_level_columns(shares[(key,)], [key]) for key in keys) if len(keys) > 1 else ()
        tests = ALPHA / nulls[keys[0]].level(rate) if len(keys) == 1 else max(int(frame["p"].is_not_null().sum()), 1)
        yield GroupedShares(name, tuple(keys), noun, frame, margins, tests)


def attribute_levels(manifest: Manifest, cells: pl.DataFrame) -> dict[str, list[str]]:
    """Return for each attribute its level for every faction that plays in the run; empty without factions."""
    if not manifest.factions:
        return {}
    present = set(cells["faction"].cast(pl.String).to_list())
    factions = [row for row in manifest.factions if row.name in present]
    return {name: [str(row.attributes[name]) for row in factions] for name in manifest.faction_attributes}


def useful_attributes(manifest: Manifest, cells: pl.DataFrame) -> list[str]:
    """Return the faction attributes that are worth a table: some factions, but not all, share a level."""
    found = attribute_levels(manifest, cells)
    return [name for name, levels in found.items() if 1 < len(set(levels)) < len(levels)]


def finest_groups(manifest: Manifest, factions: Sequence[str]) -> list[str] | None:
    """Return the group of each faction: its level of the finest attribute, which is the one with most levels.

    In 7 Wonders the group of a side is its wonder. An attribute counts only if it has at least `MIN_GROUPS` levels and
    some factions share a level. None if no attribute is left.
    """
    rows = {row.name: row for row in manifest.factions}
    found = [[str(rows[name].attributes[one]) for name in factions] for one in manifest.faction_attributes]
    nested = [levels for levels in found if MIN_GROUPS <= len(set(levels)) < len(levels)]
    return max(nested, key=lambda levels: len(set(levels)), default=None)


def attribute_column(manifest: Manifest, attribute: str) -> pl.Expr:
    """Return an expression for the level of `attribute` of a row's faction."""
    by_faction = {row.name: str(row.attributes[attribute]) for row in manifest.factions}
    levels = pl.Enum(list(dict.fromkeys(by_faction.values())))
    values = pl.Series([by_faction[name] for name in level_names(manifest, "faction")], dtype=levels)
    # Look levels up in an array by the index of the faction. `replace` of Polars would look up every row by hash.
    level = pl.col("faction").map_batches(
        lambda faction: values.gather(faction.to_physical()), levels, is_elementwise=True
    )
    return level.alias(attribute_key(attribute))


def with_column(run: Run, table: str) -> tuple[pl.LazyFrame, str]:
    """Return a run's seats with the column whose levels are the rows of a table, and the name of that column.

    `table` is "faction", "seat", "start" or an attribute of factions.
    """
    if table in ("faction", "seat"):
        return run.seats, table
    if table == "start":
        return run.seats.with_columns(pl.col(run.manifest.starting_place).alias(START)), START
    return run.seats.with_columns(attribute_column(run.manifest, table)), attribute_key(table)


def attribute_key(attribute: str) -> str:
    """Return the name of an attribute's column, which no score part can have."""
    return f"attribute {attribute}"


def groupings(manifest: Manifest, cells: pl.DataFrame, attributes: list[str]) -> Iterator[tuple[str, list[str], str]]:
    """Yield the name, columns and noun of every table of the report, in the order in which they are shown."""
    title = manifest.faction_title
    if manifest.factions:
        yield "faction", ["faction"], title
    for name in attributes:
        yield name, [attribute_key(name)], name
    if not only_one_player(manifest):
        yield "seat", ["seat"], "seat"
    if has_starting_places(manifest):
        yield "start", [START], START
    yield "strategy", ["strategy"], "strategy"
    varied = {START} if has_starting_places(manifest) else set()
    varied |= {name for name in cells.columns if cells[name].drop_nulls().n_unique() > 1}
    pairs = [
        *(
            (f"strategy x {name}", ["strategy", attribute_key(name)], f"strategy with {name}")
            for name in attributes[:1]
        ),
        ("strategy x faction", ["strategy", "faction"], f"strategy with {title}"),
        ("seat x faction", ["seat", "faction"], f"seat with {title}"),
        ("seat x strategy", ["seat", "strategy"], "seat with strategy"),
        ("players x faction", ["players", "faction"], f"number of players with {title}"),
        ("players x seat", ["players", "seat"], "number of players with seat"),
        ("players x start", ["players", START], f"number of players with {START}"),
        ("players x strategy", ["players", "strategy"], "number of players with strategy"),
        ("variant x faction", ["variant", "faction"], f"variant with {title}"),
        ("variant x seat", ["variant", "seat"], "variant with seat"),
        ("variant x start", ["variant", START], f"variant with {START}"),
        ("variant x strategy", ["variant", "strategy"], "variant with strategy"),
        ("temperature x faction", [TEMPERATURE, "faction"], f"temperature with {title}"),
    ]
    yield from (pair for pair in pairs if varied.issuperset(pair[1]))


def has_starting_places(manifest: Manifest) -> bool:
    """Tell whether a run records starting places and has games of several players."""
    return bool(manifest.starting_place) and not only_one_player(manifest)


def comparable_temperatures(manifest: Manifest, cells: pl.DataFrame) -> dict[str, float]:
    """Return the temperature of each strategy that plays at several temperatures in this run; empty if none does.

    The name before an `@` identifies a strategy: `trade` and `trade@0.5` are one strategy at two temperatures.
    Strategies that do not play at all temperatures are left out, so that groups differ in the temperature only.
    """
    present = set(cells["strategy"].cast(pl.String).to_list())
    rows = [row for row in manifest.strategies if row.name in present and row.temperature is not None]
    plain = {row.name: str(row.name).split("@", maxsplit=1)[0] for row in rows}
    played: dict[str, set[float]] = {}
    for row in rows:
        played.setdefault(plain[row.name], set()).add(float(row.temperature))
    # If a weak strategy played at some temperatures only, its weakness would look like an effect of temperature.
    every = set().union(*(known for known in played.values() if len(known) > 1))
    return {row.name: float(row.temperature) for row in rows if every and played[plain[row.name]] == every}


def temperature_column(manifest: Manifest, temperatures: dict[str, float]) -> pl.Expr:
    """Return an expression for the temperature of a row's strategy, as a string; null for other strategies.

    `temperatures` is from `comparable_temperatures`.
    """
    names = level_names(manifest, "strategy")
    levels = pl.Enum([f"{value:g}" for value in sorted(set(temperatures.values()))])
    values = [f"{temperatures[name]:g}" if name in temperatures else None for name in names]
    enum = pl.Series(names, dtype=pl.Enum(names))
    return pl.col("strategy").replace_strict(enum, pl.Series(values, dtype=levels)).alias(TEMPERATURE)


def part_means(cells: pl.DataFrame, keys: list[str], manifest: Manifest) -> pl.DataFrame:
    """Return the means of score parts and measures per group: `keys`, then `mean_<part>` for each."""
    names = [*manifest.score_parts, *manifest.measures]
    means = [(pl.col(name).sum() / pl.col("games").sum()).alias(f"mean_{name}") for name in names]
    return cells.group_by(keys).agg(means)


def with_level_columns(frame: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Rename the columns of the groups to `level` and `level2`, as strings, and sort by edge, the best first."""
    levels = [level_text(name).alias(f"level{'2' * place}") for place, name in enumerate(keys)]
    levels += [pl.lit(None, pl.String).alias("level2")] if len(keys) == 1 else []
    ordered = frame.sort(["edge", *keys], descending=[True] + [False] * len(keys))
    return ordered.select(*levels, pl.exclude(keys))


def level_text(name: str) -> pl.Expr:
    """Return an expression for a level as text: 'seat 0', 'first player', '4 players', or else the level's name."""
    if name == START:
        places = dict(enumerate(PLAYERS_IN_ORDER, 1))
        return pl.col(name).cast(pl.Int64).replace_strict(places, default=None, return_dtype=pl.String)
    if name == "players":
        number = pl.col(name).cast(pl.String)
        return (
            pl.when(pl.col(name) == 1).then(pl.format("{} player", number)).otherwise(pl.format("{} players", number))
        )
    written = {"seat": "seat {}", TEMPERATURE: "temperature {}"}
    return pl.format(written.get(name, "{}"), pl.col(name).cast(pl.String))


BOUND = 0.999


def bound_groups(cells: pl.DataFrame, manifest: Manifest) -> list[tuple[str, ...]]:
    """Return a list with one tuple, the confounded ones of faction, seat and strategy; an empty list if none are."""
    pairs = [{one, two} for one, two, plain, _ in associations(cells, manifest) if plain > BOUND]
    # Any two of the three possible pairs have a column in common, so there is at most one group.
    members = set().union(*pairs)
    return [tuple(name for name in ("faction", "seat", "strategy") if name in members)] if members else []


def associations(cells: pl.DataFrame, manifest: Manifest) -> Iterator[tuple[str, str, float, float]]:
    """Yield each pair of seat, faction and strategy with its association, plain and corrected for chance."""
    for one, two in (("seat", "faction"), ("seat", "strategy"), ("faction", "strategy")):
        if not {one, two} <= set(cells.columns):
            continue
        counted = cells.group_by(one, two).agg(pl.col("games").sum()).sort(one, two).rename({one: ROWS})
        wide = counted.pivot(on=two, index=ROWS, values="games").fill_null(0).drop(ROWS)
        # Count each deal once, however often its players are rotated, since the seat-games of a block are not
        # independent.
        plain, corrected = association(wide.to_numpy().astype(np.float64) / manifest.block_games)
        yield one, two, plain, corrected


def association(counts: NDArray[np.float64]) -> tuple[float, float]:
    """Return the association of two columns of a run: Cramer's V, plain and corrected for chance (Bergsma 2013).

    Parameters
    ----------
    counts
        Contingency table, shape (rows, columns), without empty rows or columns.

    Returns
    -------
    V and corrected V, both in [0, 1]. 0 means evenly mixed; 1 means that one column determines the other. (0, 0) if one
    of the columns has only one level.
    """
    rows, columns = counts.shape
    if min(rows, columns) < 2:
        return 0.0, 0.0
    n = counts.sum()
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / n
    phi2 = float(((counts - expected) ** 2 / expected).sum() / n)
    plain = math.sqrt(min(1.0, phi2 / (min(rows, columns) - 1)))
    if n <= 1:
        return plain, plain
    fewer_rows, fewer_columns = rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)
    span = min(fewer_rows, fewer_columns) - 1
    excess = max(0.0, phi2 - (rows - 1) * (columns - 1) / (n - 1))
    return plain, math.sqrt(min(1.0, excess / span)) if span > 0 else 0.0
