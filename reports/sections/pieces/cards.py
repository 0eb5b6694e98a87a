"""The first screen of a page: what is decided of each row, with what to know before acting on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reports import formatting
from reports.model import Report, Table
from reports.sections.core.leave_one_out import range_of
from reports.sections.core.summary import with_limits
from reports.sections.core.verdict import headline_tables
from reports.sections.strength.underplayed import BADGE
from reports.statistics.core.decisions import CANNOT_TELL, CHANGE, LEAVE, MORE, PROMISED, SWAYED

TITLES = {
    CHANGE: "Change", SWAYED: "Depends on players", LEAVE: "Leave", MORE: "Play more", CANNOT_TELL: "Cannot tell",
}  # fmt: skip
DECIDED = ("faction", "seat", "start")
CONFIRMED = "confirmed"
MAX_ROWS, SHARED_ROWS = 18, 16
"""Rows that stand on the first screen: as many of all decisions; where there are more, so many shared among these."""
Row = dict[str, Any]


@dataclass(frozen=True)
class RowCard:
    """What is known of a row, in a few lines.

    Attributes
    ----------
    place
        Its place on the page, to which links lead.
    name, title
        Its level, and what such a row is called.
    flag
        "strong", "weak" or "".
    width
        How far its edge is from 0, a fraction.
    edge, spread
        Its edge and the interval that holds for all rows at once, as the headline writes them.
    decision
        What the margin decides, see `decisions.decided`.
    more
        How many more games would decide it; empty where no number can be named.
    badges
        What to know before acting on it: 'stand-in', 'underplayed'; the words in full by the short ones.
    facts
        Sentences.
    link
        Where it is explained: a page of its own, or its card.
    """

    place: str
    name: str
    title: str
    flag: str
    width: float
    edge: str
    spread: str
    decision: str
    more: str
    badges: Mapping[str, str]
    facts: tuple[str, ...]
    link: str


def cards_of(report: Report, explained: Mapping[str, str]) -> list[RowCard]:
    """Return a card for every row that is decided, in the order of the tables.

    Parameters
    ----------
    explained
        Where the page that explains a faction lies, by its name.
    """
    tables = [report.tables[name] for name in DECIDED if name in report.tables]
    rows = [(table, row) for table in tables if table.decides for row in table.frame.to_dicts()]
    return [
        card_of(report, table, row, f"row-{number}", explained if table.name == "faction" else {})
        for number, (table, row) in enumerate(rows, 1)
    ]


def card_of(report: Report, table: Table, row: Row, place: str, explained: Mapping[str, str]) -> RowCard:
    """Return the card of a row."""
    name = formatting.label(table, row)
    edge, _, spread = with_limits(row["edge"], row["family_low"], row["family_high"], "+").partition(" ")
    spread = spread.removeprefix("points").removeprefix(", between ").removesuffix(" points").replace(" and ", " to ")
    more = "" if row["more_games"] is None else formatting.decision(row)
    badges = dict(badges_of(report, name)) if table.name == "faction" else {}
    facts = tuple(row_facts(table, row, report.verdict.margin))
    return RowCard(
        place, name, table.title, row["flag"], abs(row["edge"]), edge, spread, row["decision"], more, badges,
        (*facts, *badges.values()), explained.get(name, f"#{place}"),
    )  # fmt: skip


def badges_of(report: Report, faction: str) -> Iterator[tuple[str, str]]:
    """Yield what to know of a faction before acting on it: a short word and the words in full."""
    for row in report.manifest["factions"]:
        certainty = str(row.get("certainty", CONFIRMED))
        if row["name"] == faction and certainty != CONFIRMED:
            yield certainty, f"Its game data is {formatting.with_article(certainty)} row."
    if faction in report.underplayed:
        yield "underplayed", f"{formatting.capital(BADGE)}."


def row_facts(table: Table, row: Row, margin: float) -> Iterator[str]:
    """Yield what is known of a row, most important first."""
    won = f"Wins {formatting.percent(row['win_share'], 2)} of {formatting.counted(row['games'], 'seat-game')}"
    limits = "" if row["low"] is None else f" (95 %: {formatting.interval(row['low'], row['high'])})"
    yield f"{won}{limits}; fair is {formatting.percent(row['null'], 2)}."
    yield f"Edge {with_limits(row['edge'], row['family_low'], row['family_high'], '+')}, for all rows at once."
    if row["decision"]:
        more = ""
        if row["more_games"] is not None:
            games = formatting.decision(row).lstrip("+")
            more = f": {games} more games would decide in {formatting.percent(PROMISED, 0)} of such runs"
        yield f"With a margin of {formatting.margin_words(margin)}: {row['decision']}{more}."
    if moved := range_of(row):
        yield f"Leaving out one player at a time: {moved}."
    yield f"Mean score {formatting.number(row['mean_score'], 1)}, mean rank {formatting.number(row['mean_rank'], 2)}."


def decided_groups(cards: list[RowCard]) -> list[tuple[str, int, list[RowCard]]]:
    """Return heading, number and first cards of each decision that occurs, in the order of the tables."""
    groups = [(title, [card for card in cards if card.decision == word]) for word, title in TITLES.items()]
    groups = [(title, group) for title, group in groups if group]
    room = rooms([len(group) for _, group in groups])
    return [(title, len(group), widest_cards(group, most)) for (title, group), most in zip(groups, room, strict=True)]


def rooms(sizes: list[int]) -> list[int]:
    """Return how many rows of each decision stand on the first screen; what small ones leave goes to large ones."""
    if sum(sizes) <= MAX_ROWS:
        return sizes
    given, left = [0] * len(sizes), SHARED_ROWS
    for place in sorted(range(len(sizes)), key=lambda place: sizes[place]):
        waiting = sum(not one for one in given)
        given[place] = min(sizes[place], max(left // waiting, 1))
        left -= given[place]
    return given


def widest_cards(cards: list[RowCard], most: int) -> list[RowCard]:
    """Return as many cards as there is room for: those with the widest edges, in their order."""
    widest = sorted(cards, key=lambda card: -card.width)[:most]
    return [card for card in cards if card in widest]


def main_table(report: Report) -> Table | None:
    """Return the table whose figure stands below the headline: one it names, else factions, seats or strategies."""
    names = [*headline_tables(report.findings), *DECIDED, "strategy"]
    shown = [report.tables[name] for name in names if name in report.tables and not report.tables[name].silence]
    return shown[0] if shown else None
