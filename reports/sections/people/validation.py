"""Compares a simulation with a league in words: how well they agree, and which factions certainly differ."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from reports.claims import Claim, Said, claiming, unclaimed
from reports.data.load import FILE, Run, as_run, load_ladder
from reports.data.predictions import (
    VALIDATION,
    CalibrationEntry,
    Predictions,
    calibration_of,
    load_calibration,
    load_predictions,
    predictions_text,
    sealed,
)
from reports.data.validity import PAGE
from reports.drawing import FAINT, INK, NEUTRAL, PARTS, WIDTH, Axes, label_rows, signed, styled, styled_axes
from reports.formatting import counted, listed, number, points, some
from reports.model import Column, Listing, Picture, Section, Sections, limited, said_section
from reports.sections.people.league import edge_limits
from reports.statistics.core.balance import MARGIN
from reports.statistics.people.results import PeopleResults, people_results
from reports.statistics.people.validation import (
    Rung,
    Validation,
    prediction_outcomes,
    predictions_of,
    set_beside,
)
from sim.data.catalog import CERTAINTIES
from sim.data.declarations import Faction
from sim.data.files import write_whole
from sim.errors import UserError
from sim.league.read import League
from sim.runs.store.manifest import Manifest

RANKS = "ranks of people and simulation"
SLOPE = "calibration to people"
DIFFERS = "people and simulation"
MARKS = "osD^vP"
LESS = "people minus simulation, points"
FITTED = ("observed", "rank", "rank_low", "rank_high", "slope", "slope_low", "slope_high", "rest")
"""Fields that the table of rungs (levels of skill, one simulation each) shows of each rung's fit to people."""
READING = (
    "Edges among people are those among players of equal strength, with intervals that allow for players and "
    "evenings. The rank correlation and the slope are those of the true edges: the errors of both sides are allowed "
    "for. A slope of 0.5 means that people's edges are expected to be half the simulated ones."
)
WHY = (
    "A difference has one of four causes: people do not yet know how to play the faction, or how to play against it; "
    "these players misplay it; its data are not those of the printed game; or the people's games had other rules or "
    "tables."
)


PREDICTIONS = ".json"
HELD = "empirelab-predictions-held/1"


class BesidePeople(Sections):
    """Runs or predictions compared with a league.

    Attributes
    ----------
    heading
        Title and subtitle of the page.
    calibrations
        For each run: how the edges of people depend on its edges. `predict` reads them.
    manifests
        `run.json` of each run, by the names of the run's players.
    form
        Name of the format of the JSON file.
    """

    heading: tuple[str, str] = ("", "")
    calibrations: tuple[CalibrationEntry, ...] = ()
    manifests: Mapping[str, Manifest] = {}
    form: str = HELD


class Forecast(Sections):
    """What a run predicts for results of people, with a date, and a digest that reveals later changes.

    Attributes
    ----------
    predictions
        The content of the file of predictions.
    """

    predictions: Predictions

    def save(self, path: str | Path) -> Path:
        """Write the predictions to a file, which `validate` compares with a league. Return the path of the file.

        Raises
        ------
        UserError
            The file exists. Predictions are never replaced.
        """
        place = Path(path)
        if place.exists():
            raise UserError("the file exists, and predictions are not replaced", file=place, allowed="a new file")
        write_whole(place, predictions_text(self.predictions).encode("utf-8"))
        return place


AnySimulated = Run | Forecast | str | os.PathLike[str]
"""A run, predictions, or a path: of a run's folder, of a ladder's folder or of a file of predictions."""


def beside_people(simulated: Mapping[str, Run] | Predictions, league: League) -> BesidePeople:
    """Compare a league with runs (keyed by the names of their players) or with predictions.

    Raises
    ------
    UserError
        The league is too small, has fewer than two factions in common with a run, or none with the predictions.
    """
    found = people_results(league, MARGIN)
    if isinstance(simulated, Predictions):
        section = held_section(found, simulated)
        beside = BesidePeople([section])
        beside.heading = f"{league.name}: {section.title}", counted(league.games, "real game")
        return beside
    together = set_beside(found, simulated)
    first = next(iter(simulated.values())).manifest
    certainty = certainty_of(first.factions, together.rungs[0].table)
    beside = BesidePeople([agreement_section(together, certainty), *(rung_section(rung) for rung in together.rungs)])
    names = listed([rung.name for rung in together.rungs])
    subtitle = f"{league.name}, {counted(league.games, 'real game')} · {names}"
    beside.heading = f"{first.title}: simulation and people", subtitle
    beside.calibrations = tuple(
        CalibrationEntry(league=league.name, rung=rung.name, slope=fit.slope, slope_error=fit.slope_error,
                         rest=fit.rest)
        for rung in together.rungs if (fit := rung.calibration) is not None
    )  # fmt: skip
    beside.manifests, beside.form = {name: run.manifest for name, run in simulated.items()}, VALIDATION
    return beside


def beside_league(simulated: Sequence[AnySimulated], league: League) -> BesidePeople:
    """Compare a league with runs, ladders or one file of predictions.

    Raises
    ------
    UserError
        There is no run, or predictions are mixed with runs. Also raised by `load_predictions`, `runs_by_rung` and
        `beside_people`.
    """
    if not simulated:
        raise UserError("a run and a league are needed", field="runs", allowed="RUN... LEAGUE")
    first = simulated[0]
    if isinstance(first, Forecast):
        predictions = first.predictions
    elif isinstance(first, str | os.PathLike) and Path(first).suffix == PREDICTIONS:
        predictions = load_predictions(Path(first))
    else:
        return beside_people(runs_by_rung(simulated), league)
    if len(simulated) > 1:
        raise UserError("predictions cannot be combined with runs", field="runs", found=str(simulated[1]))
    return beside_people(predictions, league)


def runs_by_rung(simulated: Sequence[AnySimulated]) -> dict[str, Run]:
    """Return the given runs, and the runs of the given ladders' rungs, by the names of their players.

    Raises UserError: a run cannot be opened, two runs have the same players, or two runs are of different games.
    """
    runs: dict[str, Run] = {}
    for given in simulated:
        if isinstance(given, str | os.PathLike) and (Path(given) / FILE).is_file():
            some = dict(load_ladder(Path(given)).rungs)
        elif isinstance(given, Forecast):
            raise UserError("predictions cannot be combined with runs", field="runs")
        else:
            run = as_run(given)
            some = {rung_name(run): run}
        for name, run in some.items():
            if name in runs:
                raise UserError("two runs have the same players", file=run.folder, field="strategies", found=name)
            games = {one.manifest.game for one in runs.values()}
            if games - {run.manifest.game}:
                raise UserError("runs of different games", file=run.folder, found=run.manifest.game, allowed=games)
            runs[name] = run
    return runs


def certainty_of(factions: list[Faction], table: str) -> dict[str, str]:
    """Return the certainty of game data by row of a table. An attribute's level has that of its least sure faction."""
    order: list[str] = list(CERTAINTIES)
    found: dict[str, str] = {}
    for row in factions:
        name = row.name if table == "faction" else row.attributes.get(table, "")
        if row.certainty in order:
            found[name] = max(found.get(name, order[0]), row.certainty, key=order.index)
    return found


def forecast(run: Run, calibration: BesidePeople | Path | None) -> Forecast:
    """Return what a run predicts for results of people, with a date, and a digest that reveals later changes.

    A `calibration` adjusts the predictions: it says how edges of people depend on edges of simulated players. It comes
    from an earlier comparison with a league, or from its file.

    Raises UserError: the run has no factions, or the calibration belongs to other players.
    """
    rung = rung_name(run)
    known = None
    if isinstance(calibration, Path):
        known = load_calibration(calibration, rung)
    elif calibration is not None:
        known = calibration_of(rung, calibration.calibrations, None)
    predictions = sealed(predictions_of(run, known))
    found = Forecast([forecast_section(predictions)])
    found.predictions = predictions
    return found


def rung_name(run: Run) -> str:
    """Return the name under which a run is compared, like a rung of a ladder: the names of its players."""
    return listed([row.name for row in run.manifest.strategies])


def forecast_section(predictions: Predictions) -> Section:
    """Return the section with the table of predictions."""
    frame = pl.DataFrame([row.model_dump() for row in predictions.predictions]).sort("edge", descending=True)
    known = predictions.calibration
    shrunk = "These are the simulated edges: a calibration shrinks them to what another league has shown."
    if known is not None:
        shrunk = f"Calibrated by {known.league}: people's edges are {number(known.slope, 2)} times the simulated ones."
    columns = (
        Column("faction", "faction", "text"),
        Column("edge", "predicted", "edge", "low", "high", "edge expected among people, points"),
        Column("simulated", "simulation", "edge", meaning="edge in the simulation, points"),
    )
    listing = Listing("predictions", "Predicted edges", frame, columns, whole=True)
    best = frame.row(0, named=True)
    text = f"Predicted edge of each faction with 95 % limits. Most: {best['faction']} {points(best['edge'])}."
    said = f"Predicted on {predictions.written[:10]}, digest {predictions.sha256[:12]}."
    return Section("predictions", "What the simulation expects of people", (said, shrunk), (listing,),
                   (Picture("predictions", listing.plot, text),))  # fmt: skip


def agreement_section(found: Validation, certainty: dict[str, str]) -> Section:
    """Return the headline section: how ranks and edges agree, and which factions certainly differ."""
    rows_judged = sum(rung.frame.height for rung in found.rungs)
    family = f"{rows_judged} rows of factions and rungs, and the agreement of each rung"
    said: list[Said] = [rank_words(rung, family) for rung in found.rungs]
    said += [words for rung in found.rungs if (words := slope_words(rung, family)) is not None]
    said += difference_words(found, family, certainty)
    said += unclaimed(notes_of(found))
    rows = [
        {
            "rung": rung.name, "factions": rung.frame.height,
            **{name: getattr(rung.calibration, name) for name in FITTED},
            "signs": int((np.sign(rung.frame["edge"]) == np.sign(rung.frame["people"])).sum()),
            "differ": int((rung.frame["flag"] != "").sum()),
        }
        for rung in found.rungs if rung.calibration is not None
    ]  # fmt: skip
    together = "limits for all"
    columns = (
        Column("rung", "players", "text"),
        Column("factions", "factions", "count"),
        limited("rank", "rank correlation", "number", "of the true edges", limits=together),
        Column("observed", "as counted", "number", meaning="rank correlation of the estimates", further=True),
        limited("slope", "slope", "number", "people's edge per simulated one", limits=together),
        Column("rest", "rest", "size", meaning="spread of people's edges about the prediction, points"),
        Column("signs", "same sign", "count", meaning="factions whose edges have the same sign"),
        Column("differ", "surely differ", "count"),
    )
    frame = pl.DataFrame(rows).with_columns(pl.col("observed").fill_nan(None)) if rows else pl.DataFrame()
    listings = [Listing("validation rungs", "Agreement of each rung", frame, columns)] if rows else []
    title = "Does the simulation say what people found?"
    return said_section("validation", title, said, listings, [edges_picture(found)], READING)


def rank_words(rung: Rung, family: str) -> Said:
    """Say whether people and simulation rank factions alike, by their rank correlation with limits."""
    fit = rung.calibration
    if fit is None:
        return f"With {rung.name}, too few factions have enough games on both sides to say whether ranks agree.", ()
    limits = f"{number(fit.rank, 2)} ({number(fit.rank_low, 2)} to {number(fit.rank_high, 2)})"
    if not (fit.rank_low > 0 or fit.rank_high < 0):
        return f"Whether {rung.name} and people rank factions alike is not known: rank correlation {limits}.", ()
    which = "more" if fit.rank_low > 0 else "less"
    text = f"Factions that win more among people win {which} with {rung.name}: rank correlation {limits}."
    return text, (Claim(RANKS, rung.name, fit.rank, fit.rank_low, fit.rank_high, family, text),)


def slope_words(rung: Rung, family: str) -> Said | None:
    """State the edge among people that a simulated edge of 10 points predicts. None if it is unknown."""
    fit = rung.calibration
    if fit is None:
        return None
    expected, low, high = (points(0.1 * value) for value in (fit.slope, fit.slope_low, fit.slope_high))
    text = f"An edge of +10 points with {rung.name} predicts {expected} points among people ({low} to {high})."
    return text, (Claim(SLOPE, rung.name, fit.slope, fit.slope_low, fit.slope_high, family, text),)


def difference_words(found: Validation, family: str, certainty: dict[str, str]) -> list[Said]:
    """Name the factions that certainly differ between people and simulation, and say what this suggests."""
    said: list[Said] = []
    hits = {rung.name: rung.frame.filter(pl.col("flag") != "").to_dicts() for rung in found.rungs}
    for name, rows in hits.items():
        if not rows:
            continue
        named = some([f"{row['level']} {edge_limits(row, 'difference')}" for row in rows])
        text = f"Among people, compared with {name}, these surely win more or less: {named}."
        named_rows = [row | {"level": f"{row['level']}, {name}"} for row in rows]
        said.append(claiming(text, DIFFERS, named_rows, family, "difference"))
    if not said:
        return unclaimed(["No faction was found to differ between people and simulation."])
    said += unclaimed([WHY])
    every = [{row["level"] for row in rows} for rows in hits.values()]
    if len(every) > 1 and (common := sorted(set.intersection(*every))):
        every_rung = "different from people at every rung, so the skill of one rung is not the cause"
        said += unclaimed([f"{some(common)}: {every_rung}."])
    doubtful = sorted(name for name in set().union(*every) if certainty.get(name, "confirmed") != "confirmed")
    if doubtful:
        named = some([f"{name} ({certainty[name]})" for name in doubtful])
        said += unclaimed([f"Data without confirmation, which may be the cause: {named}."])
    return said


def notes_of(found: Validation) -> list[str]:
    """Say what cannot be compared, and how the games of people differ from the simulated ones."""
    said = []
    sizes = tuple(sorted(int(size) for size in found.found.league.seats["players"].unique()))
    if sizes != found.sizes:
        here, there = listed(sizes, "or"), listed(found.sizes, "or")
        said.append(f"People played at tables of {here}, the simulation at tables of {there}: edges depend on that.")
    for names, where in ((found.only_people, "in the league"), (found.only_simulated, "in the simulation")):
        if names:
            said.append(f"Only {where}, so not compared: {some(names)}.")
    if found.few:
        said.append(f"With too few games among people to compare: {some(found.few)}.")
    said.append(f"What published results show of these games: {PAGE}.")
    return said


def rung_section(rung: Rung) -> Section:
    """Return the section that compares each faction on one rung with people's results."""
    columns = (
        Column("flag", "", "flag", meaning="people surely win more or less than the simulation says"),
        Column("level", "faction", "text"),
        limited("people", "people", "edge", "adjusted edge among people, points"),
        Column("edge", "simulation", "edge", "low", "high", "edge in the simulation, points"),
        Column("difference", "difference", "edge", "family_low", "family_high", LESS, limits="limits for all"),
        Column("people_games", "people's games", "count"),
        Column("games", "simulated games", "count", further=True),
    )
    listing = Listing(f"validation {rung.name}", f"People and {rung.name}", rung.frame, columns, whole=True)
    return Section(f"rung {rung.name}", f"Faction by faction: {rung.name}", (), (listing,))


def edges_picture(found: Validation) -> Picture:
    """Return the figure of people's edges with their intervals, beside the edges on every rung."""
    frame = found.rungs[0].frame
    best = frame.row(0, named=True)
    text = (
        f"Edges of {frame.height} factions among people with 95 % intervals, and with "
        f"{listed([rung.name for rung in found.rungs])}. Most among people: {best['level']} {points(best['people'])}."
    )
    return Picture("validation", partial(draw, found), text)


@styled
def draw(found: Validation, ax: Axes | None = None) -> Axes:
    """Draw a row for each faction: people's edge with its interval, and a mark for every rung."""
    frame = found.rungs[0].frame
    order = {level: place for place, level in enumerate(frame["level"])}
    ax = styled_axes(ax, WIDTH, 1.5 + 0.34 * len(order))
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    for row in frame.iter_rows(named=True):
        limits = [100 * row["people_low"], 100 * row["people_high"]]
        ax.plot(limits, [order[row["level"]]] * 2, color=INK, lw=2.2, solid_capstyle="butt")
    ax.plot(100 * frame["people"].to_numpy(), list(order.values()), "o", ms=6, color=INK, label="people")
    for number_, rung in enumerate(found.rungs):
        rows = rung.frame.filter(pl.col("level").is_in(list(order)))
        places = [order[level] + 0.28 for level in rows["level"]]
        ax.plot(100 * rows["edge"].to_numpy(), places, MARKS[(number_ + 1) % len(MARKS)], ms=5, ls="", mec="white",
                color=PARTS[number_ % len(PARTS)], label=rung.name)  # fmt: skip
    label_rows(ax, list(order), 0.3)
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel("edge over the fair share, percentage points", fontsize=9, color=NEUTRAL)
    ax.legend(loc="lower right", frameon=True, fontsize=8.5, edgecolor=FAINT)
    return ax


def held_section(found: PeopleResults, predictions: Predictions) -> Section:
    """Return the section that compares earlier predictions with a league.

    Raises UserError: no predicted faction has enough games in the league.
    """
    frame = prediction_outcomes(found, predictions)
    if frame.is_empty():
        raise UserError("no predicted faction has enough games in the league", field="predictions",
                        found=[row.faction for row in predictions.predictions],
                        allowed=found.edges.filter(pl.col("table") == "faction")["level"].to_list())  # fmt: skip
    counts = {kind: int((frame["held"] == kind).sum()) for kind in ("inside", "outside", "not known")}
    calibrated = "without calibration" if predictions.calibration is None else "after calibration"
    said: list[Said] = unclaimed([
        f"Predicted on {predictions.written[:10]}, {calibrated}, digest {predictions.sha256[:12]}.",
        f"Of {counted(frame.height, 'faction')}, {counts['inside']} lie with their whole interval within the predicted "
        f"limits, {counts['outside']} surely differ from the prediction, and of {counts['not known']} it is not known.",
    ])  # fmt: skip
    if rows := frame.filter(pl.col("held") == "outside").to_dicts():
        named = some([f"{row['level']} {edge_limits(row, 'difference')}" for row in rows])
        text = f"Among people, compared with the prediction, these surely win more or less: {named}."
        said.append(claiming(text, DIFFERS, rows, f"{frame.height} factions", "difference"))
    columns = (
        Column("level", "faction", "text"),
        limited("people", "people", "edge", "adjusted edge among people, points"),
        Column("predicted", "predicted", "edge", "low", "high", "edge expected among people, points"),
        Column("held", "prediction", "text", meaning="inside or outside the predicted limits"),
        Column("games", "games", "count"),
    )
    listing = Listing("predictions", "Predictions and people", frame, columns, whole=True)
    text = f"Edges of {counted(frame.height, 'faction')} among people with 95 % intervals."
    figure = Picture("predictions", listing.plot, text)
    return said_section("predictions", "Did the predictions hold?", said, [listing], [figure])
