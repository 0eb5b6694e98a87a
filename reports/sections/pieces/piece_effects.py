"""Section on the measured effect of pieces on the seats that play them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from reports.claims import Said, claiming, unclaimed
from reports.formatting import (
    capital,
    count,
    counted,
    edge_between,
    lessons_words,
    percent,
    plural,
    round_up,
    with_article,
)
from reports.model import Column, Listing, Picture, Section, limited, said_section
from reports.sections.pieces.piece_figures import draw_effects
from reports.statistics.core.win_rate import minimum_detectable_effect
from reports.statistics.pieces.piece_effects import MIN_BLOCKS, Intervention, is_removal


def intervention_section(found: Intervention) -> Section:
    """Return the section on what pieces are worth to the seats that play them, with a table and a figure."""
    removed = is_removal(found.make)
    noun, several = found.noun, plural(found.noun)
    title = f"Value of {several}" if removed else f"{capital(with_article(noun))} {changed_words(found.make)}"
    reading = (
        f"Every deal was played as printed and again with the {noun} changed; players know about the "
        f"change. Seats that put the {noun} in play in either game, while both games were still identical, "
        f"are compared with themselves, so wealth and luck cancel out. Everything else about the {noun} "
        "stays (its kind, what it leads to), and it changes for all seats at once. 'strong' means that "
        f"seats which play it win more because of it. ± in sentences holds for all {several} at once."
    )
    meaning = f"win rate that seats which play the {noun} gain {'from it' if removed else 'by the change'}, points"
    columns = (
        Column(noun, noun, "text"),
        Column("worth", "worth" if removed else "change", "edge", "low", "high", meaning),
        Column("flag", "flag", "flag"),
        Column("games", "games", "count", meaning="seat-games compared"),
        Column("built", "in play", "share", meaning="share of the seats that were offered it, as printed"),
        Column("built_changed", "changed", "share", meaning="the same after the change"),
        limited("score", "score", "number", "the same in points of score"),
        Column("compared", "compared", "share", meaning="share of the seats that play it which could be compared"),
        Column("p_holm", "p", "p", meaning="chance of so large a difference by luck, corrected for all rows"),
        Column("note", "note", "text"),
    )
    known = found.frame.filter(pl.col("low").is_not_null())
    pictures = []
    if known.height:
        label = f"win rate that {'it brings seats which play it' if removed else 'the change brings'}, points"
        text = f"{title}: {', '.join(effect_words(row, noun) for row in known.head(3).to_dicts())}."
        pictures.append(Picture("intervention", partial(draw_effects, known, noun, "worth", label), text))
    listing = Listing("intervention", title, found.frame, columns, note=unknown_words(found))
    return said_section("intervention", title, effects_said(found, known), [listing], pictures, reading)


def effects_said(found: Intervention, known: pl.DataFrame) -> Iterator[Said]:
    """Yield the results as sentences with claims, the most important first."""
    removed = is_removal(found.make)
    plan = found.plan
    who = ", ".join(strategy.name for strategy in plan.strategies)
    base = f"{counted(found.games, 'game')} of {plan.players} players ({who}), seed {plan.seed}, each played as printed"
    if known.height == 0:
        few = found.frame.filter(pl.col("blocks").is_between(1, MIN_BLOCKS - 1))
        none = f"no {found.noun} was in play in {MIN_BLOCKS} blocks with different outcomes"
        yield f"No conclusion: {none}. {few_words(found, few) or 'Play more games.'}", ()
    strong, weak = (known.filter(pl.col("flag") == flag) for flag in ("strong", "weak"))
    if strong.height:
        lead = "Worth most to seats that play them" if removed else "Seats that play these gain most by the change"
        yield named_first(lead, strong.head(3), found)
    if weak.height:
        lead = "Harmful to seats that play them" if removed else "Seats that play these lose most by the change"
        yield named_first(lead, weak.tail(3).reverse(), found)
    quiet = known.height - strong.height - weak.height
    if quiet:
        calm = known.filter(pl.col("flag") == "")
        error, blocks = (calm[name].to_numpy().astype(np.float64) for name in ("error", "blocks"))
        found_mostly = minimum_detectable_effect(error, blocks, known.height)
        seen = found_mostly[np.isfinite(found_mostly)]
        reach = f"; one of {100 * seen.max():.1f} points would have been found with 80 % power" if len(seen) else ""
        yield f"{counted(quiet, found.noun)}: no difference found{reach}.", ()
    which = "the" if found.frame.height == 1 else "each"
    yield f"{base} and again with {which} {found.noun} {changed_words(found.make)}.", ()
    yield from unclaimed(lessons_words(plan.changes))


def named_first(lead: str, rows: pl.DataFrame, found: Intervention) -> Said:
    """Return a sentence: `lead`, then pieces with their worth. Limits hold for all pieces at once."""
    family = counted(found.frame.height, found.noun)
    named = rows.with_columns(pl.col(found.noun).alias("level")).to_dicts()
    said = f"{lead}: {', '.join(effect_words(row, found.noun) for row in named)}."
    return claiming(said, "change", named, family, "worth")


def changed_words(make: str) -> str:
    """Describe how a piece is changed: 'without its effects'."""
    return {"none": "without its effects", "half": "with half of its effects", "free": "without its cost"}.get(
        make.strip().casefold(), f"made {make}"
    )


def effect_words(row: dict[str, Any], noun: str) -> str:
    """Format a piece with its worth: 'Loom (1) +2.1 ± 0.4 points'."""
    return f"{row[noun]} {edge_between(row['worth'], row['family_low'], row['family_high'])}"


def few_words(found: Intervention, few: pl.DataFrame) -> str:
    """Say how many games would give a result for the rarest of `few`, pieces with too few blocks. Empty if none."""
    if not few.height:
        return ""
    rarest = few.sort("blocks").row(0, named=True)
    needed = count(round_up(found.games * MIN_BLOCKS / rarest["blocks"]))
    which = rarest[found.noun]
    if few.height > 1:
        which = f"of {counted(few.height, found.noun)} with fewer {which}"
    least, has = f"At least {MIN_BLOCKS} blocks with seats to compare are needed", f"has {rarest['blocks']}"
    return f"{least}; {which} {has}{'' if few.height == 1 else ', the fewest'}: play about {needed} games."


def unknown_words(found: Intervention) -> str:
    """Say how many pieces have no result, and how many games would change that. Add how many seats were compared."""
    frame, noun = found.frame, found.noun
    unknown, compared = frame.filter(pl.col("low").is_null()), frame["compared"].drop_nulls()
    said = [f"Unknown for {count(unknown.height)} of {counted(frame.height, noun)}."] if unknown.height else []
    said.append(few_words(found, frame.filter(pl.col("blocks").is_between(1, MIN_BLOCKS - 1))))
    if len(compared):
        share = percent(float(compared.to_numpy().mean()), 0)
        said.append(f"On average, {share} of the seats that play them could be compared.")
    return " ".join(filter(None, said))
