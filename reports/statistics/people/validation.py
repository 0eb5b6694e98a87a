"""Compares a simulation with a league: edges of the same factions, their agreement, and differences beyond luck."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from reports.data.load import Run, player_counts
from reports.data.predictions import CalibrationEntry, PredictionEntry, Predictions
from reports.statistics.agreement import Calibration, fit_people_edges, predicted
from reports.statistics.core.groupings import grouped_shares
from reports.statistics.core.win_rate import ALPHA, family_probability
from reports.statistics.distributions import normal_isf, t_ppf
from reports.statistics.people.results import PeopleResults
from sim.errors import UserError

DIFFERENCES_ALPHA, AGREEMENT_ALPHA = 0.6 * ALPHA, 0.4 * ALPHA
"""Error rates of claims on factions, and of claims on ranks and slopes. They add up to `ALPHA`."""
CROSSED = 2
FEWEST = 2
"""Minimum number of factions that run and league must have in common."""


@dataclass(frozen=True)
class Rung:
    """One simulated run, compared with people. A run is one rung of the ladder of players.

    Attributes
    ----------
    name
        Names of the players of the run.
    table
        The table of the run whose rows are the factions of the league: "faction", or an attribute of factions.
    frame
        Factions that both have:
        `level`;
        `games`, `edge`, `error`, `low` and `high` in the simulation;
        `people_games`, `people` (the edge), `people_error`, `people_low` and `people_high` in the league;
        `difference` (people minus simulation) with `error_of_difference`, `family_low` and `family_high`;
        `flag` ("strong" if people win more, "weak" if they win less, else "").
    calibration
        How people's edges depend on simulated edges; None if there are too few factions.
    """

    name: str
    table: str
    frame: pl.DataFrame
    calibration: Calibration | None


@dataclass(frozen=True)
class Validation:
    """A simulation compared with a league.

    Attributes
    ----------
    found
        Results of the league.
    rungs
        The rungs, in the order given.
    sizes
        Numbers of players at the simulated tables.
    only_people, only_simulated
        Factions that only the league has, and factions that only the simulation has.
    few
        Factions of the league that are not judged: they have too few games, or the games do not determine their
        strength.
    """

    found: PeopleResults
    rungs: tuple[Rung, ...]
    sizes: tuple[int, ...]
    only_people: tuple[str, ...]
    only_simulated: tuple[str, ...]
    few: tuple[str, ...]


def name_key(name: object) -> str:
    """Return a name in lower case without punctuation, such as 'rhodos a' for 'Rhodos-A'."""
    return " ".join(re.findall(r"\w+", str(name).casefold()))


def edges_of(run: Run) -> dict[str, pl.DataFrame]:
    """Return `level`, `games`, `edge` and `error` for each table of factions of a run: "faction" and the attributes."""
    frames = {}
    for shares in grouped_shares(run):
        if len(shares.keys) < CROSSED and shares.name not in ("seat", "start", "strategy", "temperature"):
            frames[shares.name] = shares.frame.select(pl.col("level").cast(pl.String), "games", "edge", "error")
    return frames


def set_beside(found: PeopleResults, runs: Mapping[str, Run]) -> Validation:
    """Compare several runs with a league. The keys of `runs` are the names of the rungs.

    Raises
    ------
    UserError
        A run and the league share fewer than two factions that are judged in the league.
    """
    own = found.edges.filter(pl.col("table") == "faction")
    names = {name_key(name) for name in own["level"]}
    simulated: dict[str, tuple[str, pl.DataFrame]] = {}
    for name, run in runs.items():
        tables = edges_of(run)
        shared = {table: len(names & set(map(name_key, frame["level"]))) for table, frame in tables.items()}
        table = max(shared, key=lambda one: shared[one], default="")
        judged = {name_key(level) for level in own.filter("judged")["level"]}
        if not table or len(judged & set(map(name_key, tables[table]["level"]))) < FEWEST:
            levels = [level for frame in tables.values() for level in frame["level"]]
            message = f"run and league have fewer than {FEWEST} factions with enough games in common"
            raise UserError(message, file=run.folder, field="factions", found=list(own["level"]),
                            allowed=levels or "a game with factions")  # fmt: skip
        simulated[name] = table, tables[table]
    sizes = tuple(sorted({size for run in runs.values() for size in player_counts(run.manifest)}))
    return validation_of(found, simulated, sizes)


def validation_of(
    found: PeopleResults, simulated: Mapping[str, tuple[str, pl.DataFrame]], sizes: Sequence[int]
) -> Validation:
    """Compare edges of a league with simulated ones.

    Parameters
    ----------
    simulated
        For each rung the name of the table, and its rows from `edges_of`.
    sizes
        Numbers of players at the simulated tables.
    """
    listed = with_key(found.edges.filter(pl.col("table") == "faction"))
    people = listed.filter("judged").select(
        "key", pl.col("games").alias("people_games"), pl.col("edge").alias("people"),
        pl.col("error").alias("people_error"), pl.col("edge_low").alias("people_low"),
        pl.col("edge_high").alias("people_high"),
    )  # fmt: skip
    keyed = {name: with_key(frame) for name, (_, frame) in simulated.items()}
    both = {name: frame.filter(pl.col("error").is_not_null()).join(people, "key", "inner", maintain_order="left")
            for name, frame in keyed.items()}  # fmt: skip
    probability = family_probability(sum(frame.height for frame in both.values()), DIFFERENCES_ALPHA)
    rungs = []
    for name, frame in both.items():
        edge, error, own, own_error = (
            frame[column].to_numpy() for column in ("edge", "error", "people", "people_error")
        )
        fitted = fit_people_edges(edge, error, own, own_error, AGREEMENT_ALPHA / 2 / len(both))
        table = simulated[name][0]
        rungs.append(Rung(name, table, with_differences(frame, probability, found.fit.freedom), fitted))
    here, there = set(listed["key"]), {key for frame in keyed.values() for key in frame["key"]}
    few = listed.filter(~pl.col("judged"))["level"].to_list()
    only = [level for key, level in listed.select("key", "level").iter_rows() if key not in there and level not in few]
    extra = {key: level for frame in keyed.values() for key, level in frame.select("key", "level").iter_rows()}
    return Validation(found, tuple(rungs), tuple(sizes), tuple(only),
                      tuple(level for key, level in extra.items() if key not in here), tuple(few))  # fmt: skip


def with_key(frame: pl.DataFrame) -> pl.DataFrame:
    """Add a column `key` with the `name_key` of each level."""
    return frame.with_columns(pl.Series("key", [name_key(level) for level in frame["level"]], pl.String))


def with_differences(both: pl.DataFrame, probability: float, freedom: float) -> pl.DataFrame:
    """Return `Rung.frame` from joined edges; its family limits use the t quantile at `probability` and `freedom`."""
    own = normal_isf(ALPHA / 2)
    reach = t_ppf(probability, freedom)
    error = (pl.col("error") ** 2 + pl.col("people_error") ** 2).sqrt()
    frame = both.drop("key").with_columns(
        (pl.col("edge") - own * pl.col("error")).alias("low"), (pl.col("edge") + own * pl.col("error")).alias("high"),
        (pl.col("people") - pl.col("edge")).alias("difference"), error.alias("error_of_difference"),
    ).with_columns(
        (pl.col("difference") - reach * pl.col("error_of_difference")).alias("family_low"),
        (pl.col("difference") + reach * pl.col("error_of_difference")).alias("family_high"),
    )  # fmt: skip
    flag = pl.when(pl.col("family_low") > 0).then(pl.lit("strong")).when(pl.col("family_high") < 0).then(pl.lit("weak"))
    return frame.with_columns(flag.otherwise(pl.lit("")).alias("flag")).sort("people", descending=True)


def predictions_of(run: Run, known: CalibrationEntry | None) -> Predictions:
    """Return a run's predictions of people's edge for each faction and each level of an attribute.

    `written` and `sha256` are left empty.

    Raises
    ------
    UserError
        The run has no factions.
    """
    tables = edges_of(run)
    if "faction" not in tables:
        raise UserError("the run has no factions to predict", file=run.folder)
    # A league may record a wonder without its side, so levels of attributes are predicted, too.
    frame = pl.concat(tables.values()).unique("level", keep="first", maintain_order=True)
    frame = frame.filter(pl.col("error").is_not_null())
    slope, slope_error, rest = (1.0, 0.0, 0.0) if known is None else (known.slope, known.slope_error, known.rest)
    edge, error = frame["edge"].to_numpy(), frame["error"].to_numpy()
    columns = (frame["level"], edge, error, *predicted(edge, error, slope, slope_error, rest))
    manifest = run.manifest
    rows = [
        PredictionEntry(faction=name, simulated=float(simulated), simulated_error=float(own), edge=float(middle),
                        low=float(low), high=float(high))
        for name, simulated, own, middle, low, high in zip(*columns, strict=True)
    ]  # fmt: skip
    return Predictions(
        written="", game=manifest.game, variant=manifest.variant, players=player_counts(manifest),
        strategies=[row.name for row in manifest.strategies], games=manifest.games,
        run_sha256=hashlib.sha256(manifest.model_dump_json().encode("utf-8")).hexdigest(), calibration=known,
        predictions=rows, sha256="",
    )  # fmt: skip


def prediction_outcomes(found: PeopleResults, predictions: Predictions) -> pl.DataFrame:
    """Compare predicted edges with a league.

    Returns
    -------
    `level`, `games`, `predicted` with `low` and `high`, `people` with `people_low` and `people_high`, `difference`
    (people minus prediction) with `family_low` and `family_high`, and `held`:

    "outside": the limits of the difference for all factions exclude 0;
    "inside": people's whole interval lies within the predicted interval;
    "not known": neither.
    """
    rows = [(row.faction, row.edge, row.low, row.high) for row in predictions.predictions]
    frame = with_key(pl.DataFrame(rows, schema=["level", "predicted", "low", "high"], orient="row"))
    people = with_key(found.edges.filter((pl.col("table") == "faction") & pl.col("judged"))).select(
        "key", "games", pl.col("edge").alias("people"), pl.col("edge_low").alias("people_low"),
        pl.col("edge_high").alias("people_high"), pl.col("error").alias("people_error"),
    )  # fmt: skip
    frame = frame.join(people, "key", "inner", maintain_order="left").drop("key")
    error = (pl.col("high") - pl.col("low")) / (2 * normal_isf(ALPHA / 2))
    reach = t_ppf(family_probability(max(frame.height, 1)), found.fit.freedom)
    half = reach * (error**2 + pl.col("people_error") ** 2).sqrt()
    difference = pl.col("people") - pl.col("predicted")
    inside = (pl.col("people_low") >= pl.col("low")) & (pl.col("people_high") <= pl.col("high"))
    said = pl.when(difference.abs() > half).then(pl.lit("outside")).when(inside).then(pl.lit("inside"))
    return frame.with_columns(
        difference.alias("difference"), (difference - half).alias("family_low"),
        (difference + half).alias("family_high"), said.otherwise(pl.lit("not known")).alias("held"),
    )  # fmt: skip
