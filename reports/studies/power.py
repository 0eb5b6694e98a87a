"""How many games a question needs, from a short pilot that measures how much blocks vary.

References
----------
Bloom, H. S. (1995). Minimum detectable effects. Evaluation Review 19, 547-556.
Kish, L. (1965). Survey Sampling. Wiley, ch. 8.2 (design effect).
Rao, J. N. K. and Scott, A. J. (1981). The analysis of categorical data from complex sample surveys. J. Amer. Statist.
    Assoc. 76, 221-230.
Cochran, W. G. (1977). Sampling Techniques, 3rd ed., ch. 4 (sample size from a pilot's variance).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy import stats

from reports.data.load import Run, level_names
from reports.sections.balance import Table, count_cells, share_tables
from reports.shapes import Column, Listing, Section
from reports.statistics.paired import paired_differences, paired_moments
from reports.statistics.winshare import FEW_BLOCKS as FEW_FOR_FAIR_SHARE
from reports.statistics.winshare import Floats, blank_zero
from reports.words import count, counted, plural, round_up
from sim.batch import Plan
from sim.errors import UserError
from sim.runs.groups import share_out
from sim.runs.run import describe, jobs_to_use, pieces_of, play_shards, warm_up
from sim.runs.store import seat_frame

PILOT_GAMES = 4_000
LEAST_EFFECT = 0.001
"""Points below which no run is long enough: it would take tens of thousands of millions of games."""
FEW_BLOCKS = 100
"""Blocks of the least known row below which a pilot's variance is a guess."""
TABLES = ("faction", "seat", "strategy", "all")
GAMES = ("flag_one", "flag_any", "interval", "apart", "paired")
"""Columns of `plan_needs` that are numbers of games."""
Row = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What is to be found out.

    Attributes
    ----------
    effect
        Edge or change to be found, as a fraction.
    power
        How often it is to be found.
    alpha
        Chance of a false alarm, and 1 - confidence of intervals.
    """

    effect: float
    power: float
    alpha: float


@dataclass(frozen=True)
class Pilot:
    """A short run in memory.

    Attributes
    ----------
    run
        As `load_run` gives it.
    seconds
        Wall-clock time of playing it, without compiling.
    """

    run: Run
    seconds: float


def question(effect: float, power: float, alpha: float) -> Question:
    """Check what is asked; `effect` in percentage points.

    Raises
    ------
    UserError
        An effect that is no edge, or a probability out of range.
    """
    if not 0 < effect <= 100:
        message = "impossible number of percentage points"
        raise UserError(message, field="effect", found=effect, allowed="above 0, at most 100")
    for field, value in (("power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise UserError("impossible probability", field=field, found=value, allowed="between 0 and 1")
    return Question(effect / 100, power, alpha)


def check_effect(effect: float, players: int) -> None:
    """Check that an edge of so many points can occur, and can be told from none in the games of a run.

    Raises
    ------
    UserError
        Whoever always wins is not so far above the fair share, or no number of games would do.
    """
    most = 100 * (1 - 1 / players)
    if not LEAST_EFFECT <= effect <= most:
        message = f"no edge of this size can be found among {counted(players, 'player')}"
        raise UserError(message, field="effect", found=effect, allowed=f"{LEAST_EFFECT:g} to {most:.4g} points")


def play_pilot(plan: Plan, games: int, jobs: int = -1, say: Callable[[str], None] = lambda text: None) -> Pilot:
    """Play a short run in memory, in shards small enough to keep every worker busy.

    Raises
    ------
    UserError
        A strategy fails.
    """
    workers = jobs_to_use(jobs)
    teams = warm_up([plan], say)
    groups = share_out([plan], games)
    pieces = pieces_of(groups, teams, max(1, math.ceil(games / (8 * workers))))
    clock = time.perf_counter()
    with closing(play_shards(pieces, workers)) as played:
        rows = np.concatenate([seats for seats, _ in played])
    seconds = time.perf_counter() - clock
    frame = seat_frame(plan, rows)
    manifest = describe(groups, "") | {"shards": []}
    names = [pl.col(name).cast(pl.Enum(level_names(manifest, name))) for name in ("faction", "strategy")]
    return Pilot(Run(Path(), manifest, frame.lazy().with_columns(names)), seconds)


def needed_blocks(variance: Floats, q: Question, tests: int = 1, null_variance: Floats | None = None) -> Floats:
    """Blocks in which the report's tests find an effect with the power asked for.

    B = ((c + z_power) * s / effect)^2 (Bloom 1995; Cochran 1977, eq. 4.4), where s^2 is the variance of a block's share
    and c the value that the mean over its standard error must exceed, with t = t_{1 - alpha/(2 tests)} at B - 1 degrees
    of freedom. A score test takes its variance about the null: c^2 = t^2 (B - 1) / (B - t^2), which tends to t^2. The
    test of a fair share divides by s0 in place of s: c = t s0 / s, and both count below `winshare.FEW_BLOCKS` blocks.
    B stands on both sides and is found by halving.

    Parameters
    ----------
    variance
        s^2 = B * (standard error)^2 of a pilot of B blocks; shape (rows,).
    q
        What is asked.
    tests
        Rows tested together; alpha is divided by it (Bonferroni, the first step of Holm).
    null_variance
        s0^2 for the test of a fair share; None for a score test.

    Returns
    -------
    Blocks that contain the row, not rounded. NaN where the variance is unknown.
    """
    wider = None if null_variance is None else np.sqrt(null_variance / variance)

    def demand(blocks: Floats) -> Floats:
        t = stats.t.ppf(1 - q.alpha / (2 * tests), blocks - 1)
        # With t^2 blocks or fewer a score test can flag nothing: ask for more than any halving would stay at.
        careful = np.where(blocks > t**2, t * np.sqrt((blocks - 1) / np.maximum(blocks - t**2, 1e-9)), 1e3)
        if wider is None:
            return np.asarray(careful)
        return np.where(blocks < FEW_FOR_FAIR_SHARE, np.maximum(careful, t * wider), t * wider)

    return solved(variance, demand, float(stats.norm.ppf(q.power)), q.effect)


def interval_blocks(variance: Floats, q: Question) -> Floats:
    """Blocks after which an interval reaches `effect` to either side: (t * s / effect)^2; otherwise as above."""
    return solved(variance, lambda blocks: np.asarray(stats.t.ppf(1 - q.alpha / 2, blocks - 1)), 0.0, q.effect)


def solved(variance: Floats, demand: Callable[[Floats], Floats], z: float, effect: float) -> Floats:
    """Solve B = ((demand(B) + z) * s / effect)^2 by halving on a logarithmic scale; demand falls as B grows."""
    low, high = np.full(np.shape(variance), 2.0), np.full(np.shape(variance), 1e15)
    for _ in range(80):
        middle = np.sqrt(low * high)
        enough = middle >= (np.maximum(demand(middle) + z, 0.0) ** 2) * variance / effect**2
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.asarray(np.where(np.isfinite(variance), high, np.nan))


def table_needs(table: Table, games: int, q: Question) -> pl.DataFrame:
    """Games that every row of a table needs.

    Parameters
    ----------
    table
        Of a pilot.
    games
        Games of the pilot.
    q
        What is asked.

    Returns
    -------
    `level`, `blocks` and `error` in the pilot, `design_effect` (variance over that of as many independent seat-games,
    Kish 1965), `flag_one` (games to flag an edge of this size, that row alone tested), `flag_any` (all rows of the
    table allowed for), `interval` (games for an interval of +- effect), `apart` (games of each of two arms that share
    no luck, all rows allowed for), `note`. Games are not rounded; null where the pilot shows no variation.
    """
    frame = table.frame
    error, blocks, share, null, seat_games = (
        frame[name].to_numpy().astype(np.float64) for name in ("error", "blocks", "win_share", "null", "games")
    )
    error = blank_zero(error)
    variance = error**2 * blocks
    tests = max(int(np.isfinite(error).sum()), 1)
    per_block = games / blocks
    # What blocks add to the variance is kept (Rao and Scott 1981), the share is that of a fair row and of one off by e.
    with np.errstate(divide="ignore", invalid="ignore"):
        clustering = variance / (share * (1 - share))
    fair = clustering * null * (1 - null)
    off = np.clip(null + q.effect * np.where(null < 0.5, 1, -1), 0.01, 0.99)
    unfair = clustering * off * (1 - off)
    needs = {
        "flag_one": needed_blocks(unfair, q, 1, fair),
        "flag_any": needed_blocks(unfair, q, tests, fair),
        "interval": interval_blocks(variance, q),
        "apart": needed_blocks(2 * variance, q, tests),
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        design = error**2 * seat_games / (share * (1 - share))
    columns = {"error": error, "design_effect": design} | {name: need * per_block for name, need in needs.items()}
    note = ["" if known else "no variation in the pilot" for known in np.isfinite(error)]
    return frame.select(
        "level",
        "blocks",
        *(pl.Series(name, values).fill_nan(None) for name, values in columns.items()),
        pl.Series("note", note, dtype=pl.String),
    )


def paired_needs(pilot_a: Run, pilot_b: Run, table: str, q: Question) -> pl.DataFrame:
    """Games of each arm that a change of this size needs on the same deals, from pilots of both arms.

    Parameters
    ----------
    table
        "faction", "seat" or "strategy".

    Returns
    -------
    `level`, `paired` (games, all rows allowed for; null where no win differs), `saving` (how many times the games arms
    that share no luck would need).
    """
    changed = paired_differences(paired_moments(pilot_a, pilot_b, [table]), [table])
    error, blocks = changed["error"].to_numpy().astype(np.float64), changed["blocks"].to_numpy()
    error = blank_zero(error)
    variance = error**2 * blocks
    tests = max(int(np.isfinite(error).sum()), 1)
    games = needed_blocks(variance, q, tests) * pilot_a.manifest["games"] / blocks
    text = pl.format("seat {}", table) if table == "seat" else pl.col(table).cast(pl.String)
    return changed.select(text.alias("level"), pl.Series("paired", games).fill_nan(None), "saving")


def plan_needs(pilot: Pilot, q: Question, table: str = "all", changed: Pilot | None = None) -> pl.DataFrame:
    """Sum up the needs of each table by its least precise row.

    Parameters
    ----------
    pilot
        From `play_pilot`.
    q
        What is asked.
    table
        "faction", "seat", "strategy" or "all", attributes of the factions among them.
    changed
        A pilot with a change, on the same deals.

    Returns
    -------
    One row per table: `table`, `noun`, `rows`, `level` (least precise), `blocks` (its blocks in the pilot),
    `design_effect`, the games of `table_needs` for that row, `paired` and `saving` (null without `changed`), `note`.

    Raises
    ------
    UserError
        An unknown table, or one that can hold no finding.
    """
    check_table(table)
    games = pilot.run.manifest["games"]
    tables = share_tables(pilot.run, count_cells(pilot.run))[0]
    chosen = [one for name, one in tables.items() if not one.crossed and table in ("all", name)]
    if table != "all" and chosen and chosen[0].silence:
        raise UserError(chosen[0].silence, field="table", found=table)
    rows = [least_precise(one, pilot, q, changed, games) for one in chosen if not one.silence]
    if not rows:
        raise UserError("one faction and one strategy only: nothing can differ", field="table", found=table)
    numbers = ("design_effect", "flag_one", "flag_any", "interval", "apart", "paired", "saving")
    kinds: dict[str, Any] = {"table": pl.String, "noun": pl.String, "rows": pl.Int64, "level": pl.String}
    kinds |= {"blocks": pl.Int64} | dict.fromkeys(numbers, pl.Float64) | {"note": pl.String}
    return pl.DataFrame(rows, schema=kinds)


def least_precise(table: Table, pilot: Pilot, q: Question, changed: Pilot | None, games: int) -> Row:
    """The needs of a table's row that needs most, as a line of `plan_needs`."""
    needs = table_needs(table, games, q)
    if changed is not None and table.name in ("faction", "seat", "strategy"):
        needs = needs.join(paired_needs(pilot.run, changed.run, table.name, q), on="level", how="left")
    else:
        needs = needs.with_columns(pl.lit(None, pl.Float64).alias("paired"), pl.lit(None, pl.Float64).alias("saving"))
    worst = needs.sort("flag_any", descending=True, nulls_last=True).row(0, named=True)
    silent = needs.filter(pl.col("note") != "")["level"].to_list()
    worst["paired"] = needs["paired"].max()
    worst["saving"] = needs["saving"].median()
    note = f"no variation in the pilot: {', '.join(silent)}" if silent else ""
    return {"table": table.name, "noun": table.noun, "rows": needs.height, **worst, "note": note}


# ---- In words ----


def plan_section(needs: pl.DataFrame, pilot: Pilot, q: Question) -> Section:
    """How many games each question needs, for terminal, page and JSON.

    Parameters
    ----------
    needs
        From `plan_needs`.
    pilot
        What it rests on: its speed says how long the games take.
    q
        What was asked.
    """
    speed = pilot.run.manifest["games"] / max(pilot.seconds, 1e-9)
    wanted = needs.filter(pl.col("flag_any").is_not_null()).to_dicts()
    said = [sentence(row, q, speed) for row in sorted(wanted, key=lambda row: row["table"] not in ("faction",))]
    if not said:
        said = ["The pilot shows no variation in any row: play a longer one (--pilot)."]
    said += list(pairs_words(wanted, q, speed)) if wanted else []
    said.append(how_sure(wanted, pilot))
    frame = needs.with_columns(
        *(pl.Series(name, rounded(needs[name]), dtype=pl.Int64) for name in GAMES),
        (pl.col("flag_any") / speed).alias("seconds"),
    )
    points = f"{100 * q.effect:g}"
    columns: tuple[Column, ...] = (
        Column("noun", "table", "text"),
        Column("rows", "rows", "count"),
        Column("level", "least precise", "text", meaning="the row that needs most games"),
        Column(
            "flag_any", "to flag", "count", meaning=f"games to flag an edge of {points} points, all rows allowed for"
        ),
        Column("flag_one", "one test", "count", meaning="the same where that row alone is tested"),
        Column("interval", f"± {points}", "count", meaning="games for an interval as narrow as the effect"),
        Column("paired", "same deals", "count", meaning="games of each of two arms on the same deals"),
        Column("apart", "other deals", "count", meaning="games of each of two arms that share no luck"),
        Column("design_effect", "design effect", "number", meaning="variance over that of independent seat-games"),
        Column("seconds", "seconds", "number", meaning="time for the games to flag, on this machine"),
    )
    columns = columns if frame["paired"].count() else tuple(one for one in columns if one.name != "paired")
    reading = (
        "Games are those of the row of each table that needs most. A row that is dealt rarely needs more; a table with "
        "more rows has more chances of a false alarm and so needs more. Half the effect needs four times the games."
    )
    listing = Listing("plan", f"Games needed for {point_words(q)}", frame, columns)
    return Section("plan", "How many games", tuple(said), (listing,), (), reading)


def rounded(games: pl.Series) -> list[int | None]:
    """Games rounded up to two significant digits, so that advice never falls short; unknown ones stay unknown."""
    return [None if value is None else round_up(value) for value in games.to_list()]


def sentence(row: Row, q: Question, speed: float) -> str:
    """'To flag an edge of 1 point in any of 14 boards with 90 % power, play 46,000 games (about 4 s here); ...'."""
    games = round_up(row["flag_any"])
    rows = f"any of {row['rows']} {plural(row['noun'])}"
    return (
        f"To flag an edge of {point_words(q)} of {rows} with {100 * q.power:g} % power, play {count(games)} games "
        f"({duration(games / speed)} on this machine); for intervals of ± {100 * q.effect:g}, "
        f"{count(round_up(row['interval']))} games."
    )


def pairs_words(rows: list[Row], q: Question, speed: float) -> list[str]:
    """What a comparison of two arms needs: measured with a change, or within what limits."""
    row = next((row for row in rows if row["table"] == "faction"), rows[0])
    apart = round_up(row["apart"])
    question_words = f"To find a change of {point_words(q)} between two arms in any {row['noun']}"
    if row["paired"] is None:
        return [
            f"{question_words}: at most {count(apart)} games of each arm, which is what arms without common luck need. "
            "On the same deals fewer do; how many depends on the change, so name it with --change."
        ]
    games = round_up(row["paired"])
    saved = "" if row["saving"] is None else f", which saves {row['saving']:.1f} times the games"
    return [
        f"{question_words} on the same deals: {count(games)} games of each arm ({duration(2 * games / speed)} for "
        f"both), as measured with this change{saved}; {count(apart)} without common luck."
    ]


def how_sure(rows: list[Row], pilot: Pilot) -> str:
    """How well the pilot knows these numbers: a variance from B blocks has a relative error of sqrt(2 / (B - 1))."""
    games = f"The pilot of {counted(pilot.run.manifest['games'], 'game')}"
    blocks = min((row["blocks"] for row in rows), default=0)
    if blocks < FEW_BLOCKS:
        return f"{games} is short: these numbers may be far off. Play a longer one (--pilot)."
    return f"{games} knows these numbers to about ± {196 * math.sqrt(2 / (blocks - 1)):.0f} %."


def point_words(q: Question) -> str:
    """'1 point', '0.5 points'."""
    return f"{100 * q.effect:g} point{'' if math.isclose(q.effect, 0.01) else 's'}"


def duration(seconds: float) -> str:
    """A time as a person says it: 'about 4 s', 'about 3 min', 'about 2.5 h', 'about 12 days'."""
    if seconds < 1:
        return "less than a second"
    if seconds < 100:
        return f"about {seconds:.0f} s"
    if seconds < 6000:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"about {seconds / 86400:,.0f} days"


def check_table(name: str) -> None:
    """Check, before anything is played, that a table can be planned for.

    Raises
    ------
    UserError
        There is no such table.
    """
    if name not in TABLES:
        raise UserError("there is no such table to plan for", field="table", found=name, allowed=TABLES)
