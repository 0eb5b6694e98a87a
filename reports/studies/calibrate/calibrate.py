"""Checks short runs against later runs on fresh deals: intervals, shrunk edges, forecasts, effects of changes.

Short runs (pilots) are stretches of one run. The later run has other deals and ten times the games of a pilot. Luck
affects the later run too, so an interval for its edge adds the variances of pilot and later run.

References
----------
Dawid, A. P. (1982). The well-calibrated Bayesian. J. Amer. Statist. Assoc. 77, 605-610.
Satterthwaite, F. E. (1946). An approximate distribution of estimates of variance components. Biometrics Bull. 2,
110-114.
Gneiting, T., Balabdaoui, F. and Raftery, A. E. (2007). Probabilistic forecasts, calibration and sharpness. J. R.
Statist. Soc. B 69, 243-268.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.data.cells import count_cells
from reports.data.load import Run, check_company
from reports.model import DECIDED, Table
from reports.sections.core.shares import share_tables
from reports.statistics.compare.paired import changes_by_level
from reports.statistics.core.decisions import MORE
from reports.statistics.core.shrinkage import REACH
from reports.statistics.core.win_rate import ALPHA, FIRST_SCREEN_ALPHA, Floats, t_quantile
from reports.statistics.distributions import t_ppf
from reports.studies.compare.arms import knowing_alike, play_arms
from reports.studies.search.successive_halving import next_seed
from sim.errors import UserError
from sim.runs.config import RunConfig, make_plan

LATER = 10
"""The later run has this many times the games of a pilot."""
PILOTS = 6
"""Number of short runs, each on different deals."""
MIN_PILOTS = 2
MOST_FREEDOM = 1e6
"""Upper limit of degrees of freedom. With so many, Student's t hardly differs from the normal distribution."""
MIN_BLOCKS = 2
Say = Callable[[str], None]
Progress = Callable[[int], None]


@dataclass(frozen=True)
class HeldAgainstLater:
    """Results of pilots (short runs), beside those of the later run.

    Attributes
    ----------
    run
        The later run.
    games, pilots
        Games of a pilot, and number of pilots.
    rows
        For each pilot, every table row that gets a decision: `pilot`, `table`, `level`, `edge`, `error`, `blocks`,
        `shrunk`, `shrunk_error`, `flag`, `decision`, `fair_chance`. The edge of the later run is `later`, with
        `later_error`, `later_blocks`, `later_low` and `later_high`.
    forecasts
        One row per forecast that could be tested: `pilot`, `table`, `level`, `more_games`, `decided`.
    changed
        The changes that were tried. Empty if none were.
    effects
        For each pilot, every table row: `pilot`, `table`, `level`, `change`, `error`, `blocks`. The change in the later
        run is `later`, with `later_error` and `later_blocks`.
    margin
        Edges up to this fraction count as balanced.
    """

    run: Run
    games: int
    pilots: int
    rows: pl.DataFrame
    forecasts: pl.DataFrame
    changed: tuple[str, ...]
    effects: pl.DataFrame
    margin: float


def play_calibration(
    config: RunConfig,
    pilots: int,
    margin: float,
    changes_of: Callable[[str], Sequence[str]],
    *,
    jobs: int = -1,
    say: Say = lambda text: None,
    progress: Progress = lambda games: None,
) -> HeldAgainstLater:
    """Play pilots of `config.games` games and a later run on fresh deals, as printed and with a change.

    Parameters
    ----------
    config
        The players and the game. The pilots use the seed of `config`, the other runs use the next three seeds. The
        games of a pilot are rounded up to whole blocks.
    changes_of
        Takes the faction with the largest absolute edge in the first pilot, and returns changes to try. If it returns
        none, no change is tried.

    Raises
    ------
    UserError
        There are fewer than two pilots, or pilots have fewer than two blocks. Or games have one player, or there are
        several numbers of players or variants.
    """
    if pilots < MIN_PILOTS:
        raise UserError("too few pilots to show a rate", field="pilots", found=pilots, allowed=f"{MIN_PILOTS} or more")
    if isinstance(config.players, list) or isinstance(config.variant, list):
        message = "pilots are stretches of one run, so they have one number of players and one variant"
        raise UserError(message, field="players", found=config.players, allowed="one")
    plan = make_plan(config, untrained=True)
    check_company(plan.players, "edges of seats and factions are held against later ones")
    block_games = plan.block_games
    blocks = -(-config.games // block_games)
    if blocks < MIN_BLOCKS:
        message = "a pilot of one block of games cannot separate strength from luck"
        raise UserError(message, field="games", found=config.games, allowed=f"{block_games + 1} or more")
    config = config.model_copy(update={"games": blocks * block_games})
    early = config.model_copy(update={"games": pilots * config.games})
    late = config.model_copy(update={"games": LATER * config.games, "seed": next_seed(config.seed)})
    with (
        play_arms({"pilots": early}, early.games, jobs=jobs, say=say, progress=progress) as first,
        play_arms({"later": late}, late.games, jobs=jobs, say=say, progress=progress) as second,
    ):
        whole, later = in_memory(first["pilots"]), in_memory(second["later"])
        stretches = [stretch(whole, number * config.games, config.games) for number in range(pilots)]
        known = tables_with_decisions(later, margin)
        said = [tables_with_decisions(one, margin) for one in stretches]
        rows = pl.concat([rows_with_later_edges(number, one, known) for number, one in enumerate(said)])
        tried = [row for number, one in enumerate(said) for row in forecasts_of(number, stretches, one, later, margin)]
        forecasts = pl.DataFrame(tried, schema=FORECAST, orient="row")
        changes = tuple(changes_of(widest(said[0]["faction"]))) if "faction" in said[0] else ()
        effects = effects_of(config, pilots, changes, list(known), jobs, say, progress)
        return HeldAgainstLater(later, config.games, pilots, rows, forecasts, changes, effects, margin)


FORECAST = {
    "pilot": pl.Int64, "table": pl.String, "level": pl.String, "more_games": pl.Int64, "decided": pl.Boolean,
}  # fmt: skip
EFFECT = {
    "pilot": pl.Int64, "table": pl.String, "level": pl.String, "change": pl.Float64, "error": pl.Float64,
    "blocks": pl.Float64, "later": pl.Float64, "later_error": pl.Float64, "later_blocks": pl.Float64,
}  # fmt: skip


def in_memory(run: Run) -> Run:
    """Read the seats of a run into memory. Return the run."""
    return replace(run, seats=run.seats.collect().lazy())


def stretch(run: Run, first: int, games: int) -> Run:
    """Return some games of a run, from the first game of a block (`first`) on, as a run of its own."""
    size = run.manifest.block_games
    blocks = -(-games // size)
    chosen = run.seats.filter(pl.col("game").cast(pl.Int64).is_between(first, first + games - 1))
    seats = moved(chosen, {"game": -first, "block": -(first // size)})
    return replace(run, seats=seats, manifest=run.manifest.model_copy(update={"games": games, "blocks": blocks}))


def moved(seats: pl.LazyFrame, by: Mapping[str, int]) -> pl.LazyFrame:
    """Return seat rows with the number `by[column]` added to each of these columns, such as game and block."""
    types = seats.collect_schema()
    return seats.with_columns((pl.col(name).cast(pl.Int64) + more).cast(types[name]) for name, more in by.items())


def extended_pilot(pilot: Run, later: Run, more: int) -> Run:
    """Return a pilot with at least `more` games of the later run added, in whole blocks.

    The added games have other deals than the pilot's.
    """
    block_games = later.manifest.block_games
    more = -(-more // block_games) * block_games
    added, own = stretch(later, 0, more), pilot.manifest
    whole = pl.concat([pilot.seats, moved(added.seats, {"game": own.games, "block": own.blocks})])
    sums = {"games": own.games + more, "blocks": own.blocks + added.manifest.blocks}
    return replace(pilot, seats=whole, manifest=own.model_copy(update=sums))


def tables_with_decisions(run: Run, margin: float) -> dict[str, Table]:
    """Return the tables of a run that have decisions on their rows."""
    tables, _ = share_tables(run, count_cells(run), margin, FIRST_SCREEN_ALPHA)
    return {name: table for name, table in tables.items() if name in DECIDED and table.decides}


def widest(table: Table) -> str:
    """Return the name of the row whose edge has the largest absolute value."""
    return str(table.frame.sort(pl.col("edge").abs(), descending=True)["level"][0])


def rows_with_later_edges(number: int, said: dict[str, Table], known: dict[str, Table]) -> pl.DataFrame:
    """Return every table row of pilot `number` beside the same row of the later run, as in `HeldAgainstLater.rows`.

    `said` has the tables of the pilot by name, and `known` those of the later run.
    """
    found = []
    for name, table in said.items():
        if name in known:
            shrunk_error = ((pl.col("shrunk_high") - pl.col("shrunk")) / REACH).alias("shrunk_error")
            own = table.frame.select(
                pl.lit(number).alias("pilot"), pl.lit(name).alias("table"), "level", "edge", "error", "blocks",
                "shrunk", shrunk_error, "flag", "decision", "fair_chance",
            )  # fmt: skip
            later = known[name].frame.select(
                "level", later="edge", later_error="error", later_blocks="blocks", later_low="edge_low",
                later_high="edge_high",
            )  # fmt: skip
            found.append(own.join(later, on="level"))
    return pl.concat(found)


def forecasts_of(
    number: int, pilots: Sequence[Run], said: dict[str, Table], later: Run, margin: float
) -> Iterator[tuple[int, str, str, int, bool]]:
    """Yield each forecast of pilot `number` that the later run can test, and whether it came true.

    A forecast says how many further games decide a row. To test it, as many games of the later run are added to the
    pilot. Each item is the pilot, the table, the level, the number of games, and whether they decided the row. `said`
    has the tables of the pilot by name.
    """
    asked = [
        (name, row) for name, table in said.items() for row in table.frame.to_dicts()
        if row["more_games"] is not None and row["more_games"] <= later.manifest.games
    ]  # fmt: skip
    for more in sorted({row["more_games"] for _, row in asked}):
        tables = tables_with_decisions(extended_pilot(pilots[number], later, more), margin)
        for name, row in asked:
            if row["more_games"] == more and name in tables:
                found = tables[name].frame.filter(pl.col("level") == row["level"])["decision"].to_list()
                yield number, name, str(row["level"]), more, found != [MORE]


def effects_of(
    config: RunConfig,
    pilots: int,
    changes: Sequence[str],
    tables: Sequence[str],
    jobs: int,
    say: Say,
    progress: Progress,
) -> pl.DataFrame:
    """Return the effect of changes in pilots and in a later run, as in `HeldAgainstLater.effects`."""
    if not changes:
        return pl.DataFrame(schema=EFFECT)
    arms = {}
    names = ("as printed", "changed")
    for when, seed, times in (("early", 2, pilots), ("late", 3, LATER)):
        printed = config.model_copy(update={"seed": next_seed(config.seed, seed), "games": times * config.games})
        changed = printed.model_copy(update={"changes": [*config.changes, *changes]})
        both = dict(zip(names, knowing_alike(printed, changed), strict=True))
        with play_arms(both, printed.games, jobs=jobs, say=say, progress=progress) as runs:
            arms[when] = [in_memory(run) for run in runs.values()]
    found = []
    for name in tables:
        late = effect_frame(arms["late"], name)
        late = late.rename({"change": "later", "error": "later_error", "blocks": "later_blocks"})
        for number in range(pilots):
            cut = [stretch(run, number * config.games, config.games) for run in arms["early"]]
            own = effect_frame(cut, name)
            told = (pl.lit(number, pl.Int64).alias("pilot"), pl.lit(name).alias("table"))
            found.append(own.join(late, on="level").select(*told, "level", *list(EFFECT)[3:]))
    return pl.concat(found)


def effect_frame(runs: Sequence[Run], table: str) -> pl.DataFrame:
    """Return the change of each table row from the first to the second of two runs, with standard error and blocks."""
    frame = changes_by_level(runs[0], runs[1], table, ("changes", "tables", "settings"))
    reach = t_quantile(frame["blocks"].to_numpy(), 1 - ALPHA / 2)
    half = (pl.col("high") - pl.col("low")) / 2
    return frame.select("level", "change", (half / pl.Series(reach)).fill_nan(None).alias("error"), "blocks")


def within_reach(
    one: Floats, error: Floats, blocks: Floats, later: Floats, later_error: Floats, later_blocks: Floats
) -> NDArray[np.bool_]:
    """Tell where two estimates differ by no more than a 95 % limit of their difference, shape (rows,).

    The limit is from Student's t, with the degrees of freedom of Satterthwaite (1946). An estimate with an unlimited
    number of blocks counts as normal.
    """
    variances = error**2, later_error**2
    spread = sum(variances)
    with np.errstate(divide="ignore", invalid="ignore"):
        doubt = sum(v**2 / (many - 1) for v, many in zip(variances, (blocks, later_blocks), strict=True))
        freedom = np.minimum(np.where(doubt > 0, spread**2 / doubt, MOST_FREEDOM), MOST_FREEDOM)
    return np.asarray(np.abs(one - later) <= t_ppf(1 - ALPHA / 2, freedom) * np.sqrt(spread))
