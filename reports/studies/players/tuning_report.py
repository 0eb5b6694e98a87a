"""Reports a tuned strategy: its edge before and after on fresh deals, which weights changed, and each generation."""

from __future__ import annotations

import polars as pl

from reports.formatting import capital
from reports.model import Column, Listing, Section
from reports.sections.compare.before_after import Moved, before_after
from reports.studies.players.tuning import Tuning, moved_weights, tuning_lines

READING = (
    "An edge is the win rate per seat minus the fair share, in percentage points. All figures but those of the "
    "generations are from deals that the search has not used. Candidates of a generation are chosen on its own deals, "
    "so their best edge flatters them."
)
WEIGHT_COLUMNS = (
    Column("weight", "weight", "text"),
    Column("before", "before", "number"),
    Column("after", "after", "number"),
    Column("factor", "factor", "number"),
)
GENERATION_COLUMNS = (
    Column("generation", "generation", "count"),
    Column("best", "best edge", "edge", meaning="of a candidate against the pool, on the deals of the generation"),
    Column("mean", "mean edge", "edge", meaning="of all candidates"),
)


def tuning_sections(result: Tuning) -> tuple[Section, ...]:
    """Return the sections on the result of a search for better weights."""
    gain, duel, before = result.gain, result.duel, result.edge_before
    rows = [
        Moved("against the pool", before, result.edge_after, before + gain.low, before + gain.high, "within"),
        Moved(f"alone with {result.original.name}", 0.0, duel.edge, duel.low, duel.high, "within"),
    ]
    first, *others = tuning_lines(result)
    said = [f"{first}.", *(f"{capital(line)}." for line in others)]  # the first line begins with a strategy's name
    old, new = result.original.weights, result.tuned.weights
    weights = pl.DataFrame(
        [(name, old[name], new[name], new[name] / old[name]) for name in moved_weights(result)],
        schema={"weight": pl.String, "before": pl.Float64, "after": pl.Float64, "factor": pl.Float64}, orient="row",
    )  # fmt: skip
    generations = pl.DataFrame(
        {"generation": range(1, len(result.history) + 1), "best": result.history[:, 0], "mean": result.history[:, 1]}
    )
    listings = (
        Listing("weights", "Weights that moved, most first", weights, WEIGHT_COLUMNS),
        Listing("generations", "Generations of the search", generations, GENERATION_COLUMNS, folded=True),
    )
    key = f"bar: 95 % limits\nopen: {result.original.name}, filled: {result.tuned.name}"
    pictures = before_after("old and new", rows, 0.0, said[0], key=key)
    title = f"Weights of {result.tuned.name}"
    return (Section("tuning", title, tuple(said), listings, pictures, READING),)
