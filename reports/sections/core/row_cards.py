"""Makes the cards of a page's first screen: the decision on each row, and the facts to know before acting on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reports import formatting
from reports.model import DECIDED, Report, Table
from reports.sections.core.summary import range_of, with_limits
from reports.sections.core.verdict import headline_tables
from reports.sections.strength.underplayed import BADGE
from reports.statistics.core.decisions import CANNOT_TELL, CHANGE, LEAVE, MORE, PROMISED, SWAYED
from reports.statistics.core.fair_chance import DECISION_WORDS, LOSSES, cheapest

TITLES = {
    CHANGE: "Change", SWAYED: "Depends on players", LEAVE: "Leave", MORE: "Play more", CANNOT_TELL: "Cannot tell",
}  # fmt: skip
CONFIRMED = "confirmed"
MAX_ROWS, SHARED_ROWS = 18, 16
"""If there are at most `MAX_ROWS` rows, the first screen shows all of them. If there are more, it shows about
`SHARED_ROWS`, divided among the decisions."""
Row = dict[str, Any]


@dataclass(frozen=True)
class RowCard:
    """A summary of a row.

    Attributes
    ----------
    place
        Anchor of the card on the page.
    name, title
        The name of the row, and the noun of its table.
    flag
        "strong", "weak" or "".
    width
        Size of the row's edge without the sign, a fraction.
    edge, spread
        The row's edge, and the interval that holds for all rows at once, formatted.
    decision
        See `decisions.decided`.
    more
        Number of further games that would decide an undecided row; empty if unknown.
    chance
        Chance that an undecided row is fair: '84 % fair'; empty for others.
    badges
        Warnings: the full text of each, by a short word such as 'stand-in' or 'underplayed'.
    link
        Link to the page that explains the row, if there is one, or else to this card.
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
    chance: str
    badges: Mapping[str, str]
    facts: tuple[str, ...]
    link: str


def row_cards(report: Report, explained: Mapping[str, str]) -> list[RowCard]:
    """Return a card for every row with a decision. `explained` maps names of factions to links to their pages."""
    tables = [report.tables[name] for name in DECIDED if name in report.tables]
    rows = [(table, row) for table in tables if table.decides for row in table.frame.to_dicts()]
    return [
        row_card(report, table, row, f"row-{number}", explained if table.name == "faction" else {})
        for number, (table, row) in enumerate(rows, 1)
    ]


def row_card(report: Report, table: Table, row: Row, place: str, explained: Mapping[str, str]) -> RowCard:
    """Return the card of a row."""
    name = formatting.label(table, row)
    edge, _, spread = with_limits(row["edge"], row["family_low"], row["family_high"], "+").partition(" ")
    spread = spread.removeprefix("points").removeprefix(", between ").removesuffix(" points").replace(" and ", " to ")
    more = "" if row["more_games"] is None else formatting.decision(row)
    open_row = row["decision"] == MORE and row["fair_chance"] is not None
    chance = f"{formatting.percent(row['fair_chance'], 0)} fair" if open_row else ""
    badges = dict(badges_of(report, name)) if table.name == "faction" else {}
    facts = tuple(row_facts(table, row, report.verdict.margin))
    return RowCard(
        place, name, table.title, row["flag"], abs(row["edge"]), edge, spread, row["decision"], more, chance, badges,
        (*facts, *badges.values()), explained.get(name, f"#{place}"),
    )  # fmt: skip


def badges_of(report: Report, faction: str) -> Iterator[tuple[str, str]]:
    """Yield warnings on a faction, as a short word and a full text: its data is not confirmed, or it is underplayed."""
    for row in report.manifest.factions:
        certainty = str(row.certainty)
        if row.name == faction and certainty not in ("", CONFIRMED):
            yield certainty, f"Certainty of its game data: {certainty}."
    if faction in report.underplayed:
        yield "underplayed", f"{formatting.capital(BADGE)}."


def row_facts(table: Table, row: Row, margin: float) -> Iterator[str]:
    """Yield sentences on a row: win rate, edge, decision, chance to be fair, edge with players left out, mean score."""
    won = f"Wins {formatting.percent(row['win_rate'], 2)} of {formatting.counted(row['games'], 'seat-game')}"
    limits = "" if row["low"] is None else f" (95 %: {formatting.interval(row['low'], row['high'])})"
    yield f"{won}{limits}; fair share {formatting.percent(row['null'], 2)}."
    yield (
        f"Edge {with_limits(row['edge'], row['family_low'], row['family_high'], '+')} (interval for all rows at once)."
    )
    if row["decision"]:
        decided = row["decision"]
        if row["more_games"] is not None:
            games = formatting.decision(row).lstrip("+")
            decided = f"{games} more games would decide it ({formatting.percent(PROMISED, 0)} power)"
        yield f"Decision (±{formatting.margin_words(margin)}): {decided}."
    if row["fair_chance"] is not None:
        yield from belief_words(row, margin)
    if moved := range_of(row):
        yield f"Leaving out one player at a time: {moved}."
    yield f"Mean score {formatting.number(row['mean_score'], 1)}, mean rank {formatting.number(row['mean_rank'], 2)}."


def belief_words(row: Row, margin: float) -> Iterator[str]:
    """Say how likely a row is fair, what each decision (leave, change, play more) may cost, and which is cheapest."""
    fair, strong = row["fair_chance"], row["strong_chance"]
    side, chance = ("strong", strong) if strong >= 1 - fair - strong else ("weak", 1 - fair - strong)
    yield (
        f"Chance that it is fair (true edge within {formatting.margin_words(margin)}): "
        f"{formatting.percent(fair, 0)}; too {side}: {formatting.percent(chance, 0)}."
    )
    leave, change, more = (formatting.size(row[name]) for name in LOSSES.values())
    best = cheapest([row[name] for name in LOSSES.values()], margin)
    yield f"Expected loss, points: leave {leave}, change {change}, play more {more}. Cheapest: {DECISION_WORDS[best]}."


def decided_groups(cards: list[RowCard]) -> list[tuple[str, int, list[RowCard]]]:
    """Return for each decision that occurs: its heading, the number of its rows, and the cards that are shown first."""
    groups = [(title, [card for card in cards if card.decision == word]) for word, title in TITLES.items()]
    groups = [(title, group) for title, group in groups if group]
    found = []
    for (title, group), most in zip(groups, rooms([len(group) for _, group in groups]), strict=True):
        widest = sorted(group, key=lambda card: -card.width)[:most]
        found.append((title, len(group), [card for card in group if card in widest]))
    return found


def rooms(sizes: list[int]) -> list[int]:
    """Return how many rows of each decision the first screen shows, given how many there are (`sizes`).

    Large groups use the room that small ones leave.
    """
    if sum(sizes) <= MAX_ROWS:
        return sizes
    given, left = [0] * len(sizes), SHARED_ROWS
    for place in sorted(range(len(sizes)), key=lambda place: sizes[place]):
        waiting = sum(not one for one in given)
        given[place] = min(sizes[place], max(left // waiting, 1))
        left -= given[place]
    return given


def main_table(report: Report) -> Table | None:
    """Return the table whose figure follows the headline. None if no table can support a finding.

    It is the first table that the headline names. If the headline names none, it is the first table with decisions, or
    else the table of strategies.
    """
    names = [*headline_tables(report.findings), *DECIDED, "strategy"]
    shown = [report.tables[name] for name in names if name in report.tables and not report.tables[name].silence]
    return shown[0] if shown else None
