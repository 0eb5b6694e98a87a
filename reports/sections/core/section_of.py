"""Returns one part of a report as a section.

The part is a section, a table of win rates with its finding and its figure, or the final scores."""

from __future__ import annotations

from reports.model import Column, Finding, Listing, Report, Section
from reports.sections.core.win_rate_figures import win_rate_figures
from sim.errors import UserError

SCORES = "scores"
QUANTILES = (
    Column("strategy", "strategy", "text"),
    Column("games", "games", "count"),
    Column("mean", "mean", "number"),
    *(Column(f"q{at:02}", f"{at} %", "count") for at in (5, 25, 50, 75, 95)),
)


def section_of(report: Report, name: str) -> Section:
    """Return a part of a report by its name.

    Parameters
    ----------
    name
        The name of a section ("matchups") or of a table of win rates ("faction", "strategy x faction"), or "scores".
        The game's own word for a faction works too.

    Raises
    ------
    UserError
        There is no such part. The message names the parts that exist.
    """
    found = {one.name: one for one in report.sections}
    if name in found:
        return found[name]
    if name == SCORES:
        pictures = tuple(picture for picture in win_rate_figures(report) if picture.name == SCORES)
        title = "Final scores by strategy"
        return Section(SCORES, title, (), (Listing(SCORES, title, report.quantiles, QUANTILES),), pictures)
    table = report.tables.get(report.nouns.get(name, name))
    if table is None:
        raise UserError("the report has no such part", found=name, allowed=[*found, *report.tables, SCORES])
    pictures = tuple(picture for picture in win_rate_figures(report) if picture.name == table.name)
    finding = next((one for one in report.findings if one.table == table.name), Finding(table.name, "silent", ""))
    said = tuple(filter(None, (finding.headline, *finding.details)))
    listing = Listing(f"win rate {table.name}", table.heading, table.frame, tuple(table._printed()), note=table.note)
    return Section(table.name, table.heading, said, (listing,), pictures, claims=finding.claims)
