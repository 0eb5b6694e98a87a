"""Why a faction wins as often as it does: what a designer reads in a minute, then the details."""

from __future__ import annotations

import math
from functools import partial

import polars as pl

from reports.data.beside import Beside, seats_beside
from reports.data.load import Run
from reports.data.one_player import check_company, numbers_of_players
from reports.data.picks import among_its_like
from reports.sections.explained_details import (
    adjusted_section,
    company_section,
    games_section,
    lead_section,
    pieces_section,
)
from reports.sections.explained_figures import draw_differences
from reports.sections.luck import moment_title
from reports.sections.measures import LEAST
from reports.sections.picks import UNLIKE_THE_REPORT
from reports.shapes import Column, Listing, Picture, Section
from reports.statistics.beside import by_company, by_players, compared_values, leads_on_the_way, means_of
from reports.statistics.beside_adjusted import adjusted_edges
from reports.statistics.luck import moments_before_the_end
from reports.words import count, counted, listed, number, percent, plural, points
from sim.errors import UserError

NAMED = 3
"""What a sentence names of each kind."""
READING = (
    "Every figure compares the {noun} with the other seats of the same games, so the deal and how rich a game was fall "
    "out. Intervals come from blocks. 'more' and 'less': told apart from the others with all rows of the table allowed "
    "for. A difference says where the points come from, not what would happen without them: `explain --pieces` and "
    "`intervene` play that."
)
PICK_READING = (
    "Shares of wins are as its seats won. What they win more or less is beside others with the same player at the same "
    "place of the draft: a {noun} like the mean of its period has no edge."
)


def explained(run: Run, name: str, adjusted: pl.DataFrame | None = None) -> tuple[Section, ...]:
    """Explain one faction of a run.

    Parameters
    ----------
    run
        From `load_run`.
    name
        Its name, or an empire's in a game whose seats take new ones every period, in any case.
    adjusted
        From `adjusted_edges` of the same run, where several factions are explained.

    Returns
    -------
    The short answer, then details, as sections.

    Raises
    ------
    UserError
        There is no such faction, nobody met it, or every game has one player.
    """
    check_company(max(numbers_of_players(run.manifest)), "there is nobody to compare with")
    run, faction = rivals_of(run, name)
    moments = moments_before_the_end(run, run.manifest.get("checkpoints", []))
    found = seats_beside(run, faction, moments)
    adjusted = adjusted_edges(run) if adjusted is None else adjusted
    sections = [
        why_section(found, run, adjusted),
        lead_section(found),
        company_section(found, dealt=bool(run.manifest["factions"])),
        pieces_section(run, found),
        adjusted_section(found, adjusted),
        games_section(found, run),
    ]
    return tuple(section for section in sections if section is not None)


def factions_of(run: Run) -> list[str]:
    """Names that `explained` takes: factions that were dealt, or in their place picks that seats have taken."""
    if run.manifest["factions"]:
        return list(run.manifest["factions_dealt"])
    picks = run.manifest.get("picks")
    return [name for names in picks["kinds"].values() for name in names] if picks else []


def rivals_of(run: Run, name: str) -> tuple[Run, str]:
    """Return the run with what is explained in its column `faction`, and the name as it stands there.

    Raises
    ------
    UserError
        The game has nothing of the kind, the run kept no picks, or the name is none; the nearest one is suggested.
    """
    names = factions_of(run)
    if not names:
        message = f"seats of {run.manifest['title']} differ in nothing that could be explained"
        raise UserError(message, field="faction", found=name)
    same = [one for one in names if one.casefold() == name.strip().casefold()]
    if not same:
        noun = run.manifest["faction_title"] or run.manifest.get("piece") or "pick"
        meant = [one for one in names if name.strip().casefold() in one.casefold().split()]
        message = f"several {plural(noun)} are meant" if len(meant) > 1 else f"this run has no such {noun}"
        raise UserError(message, field="faction", found=name, allowed=meant if len(meant) > 1 else names)
    if run.manifest["factions"]:
        return run, same[0]
    if run.pieces is None:
        pieces = run.manifest.get("detail") or "cards"
        message = "this run kept no cards, so nobody knows who took what"
        raise UserError(message, file=run.folder, found=pieces, allowed="simulate --detail cards")
    return among_its_like(run, same[0]), same[0]


def why_section(found: Beside, run: Run, adjusted: pl.DataFrame) -> Section:
    """Say in words, a picture and a table why a faction wins more or less often than is fair."""
    values = compared_values(found)
    parts = ["score", *run.manifest["score_parts"]]
    score, others = (values.filter(pl.col("what").is_in(parts) == inside) for inside in (True, False))
    said = [
        share_words(found),
        score_words(found, score),
        *did_words(others),
        *lead_words(found),
        players_words(found),
        *company_words(found),
        *adjusted_words(found, adjusted),
    ]
    columns = (
        Column("what", "mean of", "text"),
        Column("flag", "flag", "text", meaning="told apart from the others, all rows allowed for"),
        Column("difference", "difference", "number", "low", "high", "its mean less that of the others at its tables"),
        Column("own", found.faction, "number"),
        Column("others", "others at its tables", "number"),
        Column("p_holm", "p", "p", meaning="corrected for all rows"),
    )
    listings = [Listing("why", "Where its points come from", readable(score), columns)]
    if others.height:
        title = "What it does more or less of"
        listings.append(Listing("why did", title, readable(others), columns, folded=others.height > 2 * NAMED))
    reading = READING.format(noun=found.noun)
    if not run.manifest["factions"]:
        reading += f" {PICK_READING.format(noun=found.noun)} {UNLIKE_THE_REPORT}"
    picture = Picture("why", partial(draw_differences, score, found.faction), said[1])
    title = f"Why {found.faction} wins {'more' if edge_of(found)[0] > 0 else 'less'} often than is fair"
    if edge_of(found)[1] is None or abs(edge_of(found)[0]) <= (edge_of(found)[1] or 0):
        title = f"What {found.faction} wins by"
    return Section("why", title, tuple(said), tuple(listings), (picture,), reading)


def readable(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows whose names are written with spaces."""
    return frame.with_columns(pl.col("what").str.replace_all("_", " "))


def edge_of(found: Beside) -> tuple[float, float | None]:
    """Win share less the fair share, and half its 95 % interval."""
    surplus = (found.own["win"] - found.own["fair"]).to_numpy()
    means = means_of(surplus[:, None], found.own["block"].to_numpy())
    half = float(means.reach[0])
    return float(means.value[0]), half if math.isfinite(half) else None


def spread(half: float | None, scale: float = 1.0) -> str:
    """' ± 1.2'; empty where unknown."""
    return "" if half is None else f" ± {scale * half:.1f}"


def share_words(found: Beside) -> str:
    """Say how often it wins, of how many games."""
    edge, half = edge_of(found)
    share = percent(float(found.own["won"].to_numpy().mean()))
    part = "" if found.games == found.all_games else f", of the first {count(found.games)} of {count(found.all_games)}"
    against = "from its fair share"
    if not found.own["won"].equals(found.own["win"]):
        against = "against others with the same player at the same place of the draft"
    what = f"{points(edge)}{spread(half, 100)} points {against}"
    return f"{found.faction} wins {share} of its {counted(found.own.height, 'game')}{part}: {what}."


def score_words(found: Beside, score: pl.DataFrame) -> str:
    """Say by how much it outscores the others and of which parts that is made."""
    total = score.row(0, named=True)
    half = None if total["low"] is None else (total["high"] - total["low"]) / 2
    parts = score.slice(1).filter(pl.col("flag") != "").sort(pl.col("difference").abs(), descending=True)
    named = [f"{row['what'].replace('_', ' ')} {row['difference']:+.1f}" for row in parts.head(NAMED + 1).to_dicts()]
    more = "more" if total["difference"] >= 0 else "less"
    made = f": {listed(named)}" if named else "; no part of the score differs for sure"
    return f"It scores {abs(total['difference']):.1f}{spread(half)} {more} than the others at its tables{made}."


def did_words(others: pl.DataFrame) -> list[str]:
    """Name what it surely does more or less of, widest first beside the mean of both."""
    size = (pl.col("difference") / (pl.col("own").abs() + pl.col("others").abs())).abs()
    large = pl.max_horizontal(pl.col("own").abs(), pl.col("others").abs()) >= LEAST
    sure = others.filter((pl.col("flag") != "") & large).sort(size, descending=True).head(NAMED)
    named = [
        f"{row['what'].replace('_', ' ')} {number(row['own'])} against {number(row['others'])}"
        for row in sure.to_dicts()
    ]
    return [f"It differs most in {listed(named)}."] if named else []


def lead_words(found: Beside) -> list[str]:
    """Say when its points come about."""
    rows = leads_on_the_way(found).to_dicts()
    if len(rows) < 2:
        return []
    steps = [f"{row['ahead']:+.1f} {moment_title(row['moment'])}" for row in rows[:-1]]
    steps = steps if len(steps) <= NAMED else [steps[0], steps[len(steps) // 2], steps[-1]]
    last = f"{rows[-1]['ahead']:+.1f} at the end"
    led = " and ".join(percent(row["led"], 0) for row in (rows[-2], rows[-1]))
    when = moment_title(rows[-2]["moment"])
    return [
        f"Points more than the others: {listed([*steps, last])}; it has most of all in "
        f"{led} of games {when} and at the end ({percent(rows[-1]['fair'], 0)} is fair)."
    ]


def players_words(found: Beside) -> str:
    """Say with which players it wins most and least."""
    rows = by_players(found).to_dicts()
    if len(rows) == 1:
        return f"All its players are {rows[0]['strategy']}."
    best, worst = rows[0], rows[-1]
    return (
        f"It wins most with {best['strategy']} ({percent(best['share'])}; others with the same player "
        f"{percent(best['others'])}), least with {worst['strategy']} ({percent(worst['share'])}; "
        f"{percent(worst['others'])})."
    )


def company_words(found: Beside) -> list[str]:
    """Name those beside whom it surely wins more or less."""
    frame = by_company(found)
    sure = frame.filter(pl.col("flag") != "")
    if not sure.height:
        return [] if frame.height < 2 else ["Who else sits at the table changes nothing for sure."]
    named = [f"{row['with']} {points(row['difference'])}" for row in sure.to_dicts()]
    named = named if len(named) <= 2 * NAMED else [*named[:NAMED], *named[-NAMED:]]
    return [f"Company changes what it wins: {listed(named)} points where they are at the table."]


def adjusted_words(found: Beside, adjusted: pl.DataFrame) -> list[str]:
    """Say what is left when seat, player and company are allowed for."""
    rows = adjusted.filter((pl.col("level") == found.faction) & pl.col("edge").is_not_null()).to_dicts()
    if len(rows) < 2:
        return []
    last = rows[-1]
    half = (last["edge_high"] - last["edge_low"]) / 2
    return [f"With {last['allowed']} allowed for: {points(last['edge'])}{spread(half, 100)} points."]
