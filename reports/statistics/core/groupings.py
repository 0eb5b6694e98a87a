"""Win rates of a run's seats by faction, attribute, seat, strategy, and pairs of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from reports.data.load import Run, level_names
from reports.data.moments import moments_of
from reports.data.one_player import FAIR, only_one_player
from reports.data.surpluses import surplus_products
from reports.statistics.core.joint import JointNull, joint_null, judged_together
from reports.statistics.core.win_rate import ALPHA, win_rates
from sim.runs.store.manifest import Manifest

START = "starting place"
"""Column of a seat's starting place, distinct from a measure of the same name."""
PLAYERS_IN_ORDER = tuple(
    f"{word} player" for word in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
)
"""Names of starting places: seats are counted from 0, so a number would be ambiguous."""
TEMPERATURE = "strategy temperature"
"""Column of a strategy's temperature, distinct from a score part of the same name."""


@dataclass(frozen=True)
class GroupedShares:
    """Win rates of the seats of a run by one grouping.

    Attributes
    ----------
    name, noun
        As in `model.Table`.
    keys
        One or two grouping columns.
    frame, margins, tests
        As in `model.Table`.
    """

    name: str
    keys: tuple[str, ...]
    noun: str
    frame: pl.DataFrame
    margins: tuple[pl.DataFrame, ...]
    tests: float


def grouped_shares(run: Run, cells: pl.DataFrame, rate: float = ALPHA) -> Iterator[GroupedShares]:
    """Yield the win rates of every grouping, in the order of the report.

    Factions, their attributes, seats and strategies are one family of tests, since the first screen of a report may
    name any of them. Each crossed table is a family of its own.

    Parameters
    ----------
    rate
        How often anything is wrongly flagged of rows that are judged together.
    """
    manifest = run.manifest
    attributes = useful_attributes(manifest, cells)
    temperatures = comparable_temperatures(manifest, cells)
    columns = [attribute_column(manifest, name) for name in attributes]
    columns += [temperature_column(manifest, temperatures)] if temperatures else []
    seats, cells = run.seats.with_columns(columns), cells.with_columns(columns)
    if has_starting_places(manifest):
        # A lone player always begins.
        place = pl.col(manifest.starting_place)
        seats = seats.with_columns(pl.when(pl.col("players") > 1).then(place).alias(START))
    if FAIR in seats.collect_schema():
        # A lone player has no seat to compare.
        seats = seats.with_columns(pl.when(pl.col("players") > 1).then("seat").alias("seat"))
    # The true maximum keeps sums of squares within the exact integers of a float (see block_moments).
    most_players = int(cells["players"].to_numpy().max())
    chosen = list(groupings(manifest, cells, attributes))
    alone = [(key,) for _, keys, _ in chosen for key in keys]
    wanted = list(dict.fromkeys([*(tuple(keys) for _, keys, _ in chosen), *alone]))
    moments = dict(zip(wanted, moments_of(seats, wanted, most_players), strict=True))
    shares = {keys: win_rates(summed, keys) for keys, summed in moments.items()}
    nulls = joint_nulls(seats, [keys[0] for _, keys, _ in chosen if len(keys) == 1], most_players, manifest)
    for key, null in nulls.items():
        shares[(key,)] = judged_together(shares[(key,)], moments[(key,)], null, rate)
    for name, keys, noun in chosen:
        frame = shares[tuple(keys)]
        if START not in keys:
            counted = cells.filter(pl.col("players") > 1) if "seat" in keys else cells
            frame = frame.join(part_means(counted, keys, manifest), on=keys, how="left")
        frame = with_level_columns(frame, keys)
        margins = tuple(with_level_columns(shares[(key,)], [key]) for key in keys) if len(keys) > 1 else ()
        tests = ALPHA / nulls[keys[0]].level(rate) if len(keys) == 1 else max(int(frame["p"].is_not_null().sum()), 1)
        yield GroupedShares(name, tuple(keys), noun, frame, margins, tests)


def joint_nulls(seats: pl.LazyFrame, keys: list[str], most_players: int, manifest: Manifest) -> dict[str, JointNull]:
    """Return the joint null distribution of all tables that are judged together, by column."""
    products, _ = surplus_products(seats, keys, most_players)
    return dict.fromkeys(keys, joint_null(products, manifest.blocks))


def attribute_levels(manifest: Manifest, cells: pl.DataFrame) -> dict[str, list[str]]:
    """Return the levels of the factions that play, by attribute; empty in a game without factions."""
    if not manifest.factions:
        return {}
    present = set(cells["faction"].cast(pl.String).to_list())
    factions = [row for row in manifest.factions if row.name in present]
    return {name: [str(row.attributes[name]) for row in factions] for name in manifest.faction_attributes}


def useful_attributes(manifest: Manifest, cells: pl.DataFrame) -> list[str]:
    """Return the faction attributes worth a table: several factions share a level, and not all the same one."""
    found = attribute_levels(manifest, cells)
    return [name for name, levels in found.items() if 1 < len(set(levels)) < len(levels)]


def attribute_column(manifest: Manifest, attribute: str) -> pl.Expr:
    """Return an expression for the level of `attribute` that a row's faction has."""
    by_faction = {row.name: str(row.attributes[attribute]) for row in manifest.factions}
    levels = pl.Enum(list(dict.fromkeys(by_faction.values())))
    names = pl.Series(list(by_faction), dtype=pl.Enum(level_names(manifest, "faction")))
    values = pl.Series(list(by_faction.values()), dtype=levels)
    return pl.col("faction").replace_strict(names, values).alias(attribute_key(attribute))


def with_column(run: Run, table: str) -> tuple[pl.LazyFrame, str]:
    """Return a run's seats with the column that a table's rows are levels of, and its name.

    Parameters
    ----------
    table
        "faction", "seat", "start" or an attribute of factions.
    """
    if table in ("faction", "seat"):
        return run.seats, table
    if table == "start":
        return run.seats.with_columns(pl.col(run.manifest.starting_place).alias(START)), START
    return run.seats.with_columns(attribute_column(run.manifest, table)), attribute_key(table)


def attribute_key(attribute: str) -> str:
    """Return the column of an attribute, distinct from a score part of the same name."""
    return f"attribute {attribute}"


def groupings(manifest: Manifest, cells: pl.DataFrame, attributes: list[str]) -> Iterator[tuple[str, list[str], str]]:
    """Yield name, columns and noun of every table of the report, in the order shown."""
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
    """Whether seats differ by their starting place."""
    return bool(manifest.starting_place) and not only_one_player(manifest)


def comparable_temperatures(manifest: Manifest, cells: pl.DataFrame) -> dict[str, float]:
    """Return the temperatures of strategies that play at several of them in this run; empty if none does.

    The name before an `@` identifies a strategy: `trade` and `trade@0.5` are one at two temperatures. Others are left
    out, so that groups differ in the temperature only.
    """
    present = set(cells["strategy"].cast(pl.String).to_list())
    rows = [row for row in manifest.strategies if row.name in present and row.temperature is not None]
    plain = {row.name: str(row.name).split("@", maxsplit=1)[0] for row in rows}
    played: dict[str, set[float]] = {}
    for row in rows:
        played.setdefault(plain[row.name], set()).add(float(row.temperature))
    # Only strategies that play at all temperatures: otherwise a weak strategy would look like an effect of temperature.
    every = set().union(*(known for known in played.values() if len(known) > 1))
    return {row.name: float(row.temperature) for row in rows if every and played[plain[row.name]] == every}


def temperature_column(manifest: Manifest, temperatures: dict[str, float]) -> pl.Expr:
    """Return an expression for the temperature of a row's strategy, as text; null if it is left out."""
    names = level_names(manifest, "strategy")
    levels = pl.Enum([f"{value:g}" for value in sorted(set(temperatures.values()))])
    values = [f"{temperatures[name]:g}" if name in temperatures else None for name in names]
    enum = pl.Series(names, dtype=pl.Enum(names))
    return pl.col("strategy").replace_strict(enum, pl.Series(values, dtype=levels)).alias(TEMPERATURE)


def part_means(cells: pl.DataFrame, keys: list[str], manifest: Manifest) -> pl.DataFrame:
    """Return mean score parts and measures per group: `keys`, `mean_<part>`, ..."""
    names = [*manifest.score_parts, *manifest.measures]
    means = [(pl.col(name).sum() / pl.col("games").sum()).alias(f"mean_{name}") for name in names]
    return cells.group_by(keys).agg(means)


def with_level_columns(frame: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Rename the group's columns to `level` and `level2`, as text, and put the best edge first."""
    levels = [level_text(name).alias(f"level{'2' * place}") for place, name in enumerate(keys)]
    levels += [pl.lit(None, pl.String).alias("level2")] if len(keys) == 1 else []
    ordered = frame.sort(["edge", *keys], descending=[True] + [False] * len(keys))
    return ordered.select(*levels, pl.exclude(keys))


def level_text(name: str) -> pl.Expr:
    """Return an expression for the text of a level: 'seat 0', 'first player', '4 players', else its name."""
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
