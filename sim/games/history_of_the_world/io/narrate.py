"""Narrates a finished game from its log (`rules/log.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import sim.games.history_of_the_world.rules.log as kinds
from sim.compiler.kernel import Record
from sim.games.history_of_the_world.data.catalog import Catalog
from sim.games.history_of_the_world.rules.constants import NO_CARD, SCORE_PARTS, TOTAL, WAYS
from sim.games.history_of_the_world.rules.log import CARD, EPOCH, KIND, LAND, NUMBER, SEAT, VALUE
from sim.games.shared.describe import number_and_noun
from sim.games.shared.narration import LogRow, Narrator, narrate_with, score_table

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
GONE = ("the capital becomes a city", "the city is destroyed", "a monument is destroyed")
LEVELS = ("presence", "dominance", "control")


class HistoryNarrator(Narrator):
    """Narrates each row of the log on its own."""

    def __init__(self, g: Record, t: Record, catalog: Catalog, strategy_names: Sequence[str]) -> None:
        super().__init__(g, t, catalog, strategy_names)
        self.cards = catalog.card_names
        self.names = [self.player(seat) for seat in self.seats]

    def header(self) -> list[str]:
        """Return lines that say who sits where, and with which score each player began."""
        starts = [f"{name} {int(self.g.start_score[seat])}" for seat, name in enumerate(self.names)]
        return [*super().header(), f"Scores drawn by lot: {', '.join(starts)}"]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the whole game."""
        for row in self.rows():
            yield from _row_lines(self, row)
        yield ""
        yield "Scores"
        rows = [[*self.g.score[seat, : TOTAL + 1], self.g.rank[seat]] for seat in self.seats]
        yield from score_table(self.names, [*SCORE_PARTS, "total", "rank"], rows)

    def land(self, row: LogRow) -> str:
        """Return the name of a row's land."""
        return self.catalog.land_names[row[LAND]]

    def card(self, row: LogRow) -> str:
        """Return the name of a row's card."""
        return self.cards[row[CARD]]

    def region(self, row: LogRow) -> str:
        """Return the name of the region whose id is VALUE."""
        return self.catalog.region_names[row[VALUE]]

    def other(self, row: LogRow) -> str:
        """Return the name of the seat whose index is VALUE."""
        return self.names[row[VALUE]]


def _row_lines(narrator: HistoryNarrator, row: LogRow) -> list[str]:
    """Return the lines for one row of the log. Rows that only serve for counts have none."""
    kind = row[KIND]
    if kind == kinds.EPOCH_BEGINS:
        return ["", f"Epoch {ROMAN[row[EPOCH]]}"]
    if kind == kinds.CALLED:
        return ["", f"{narrator.card(row)}: {narrator.names[row[SEAT]]}"]
    if kind in BY_SEAT:
        name = f"{narrator.names[row[SEAT]]} " if row[SEAT] >= 0 else ""
        return [f"  {name}{BY_SEAT[kind](narrator, row)}"]
    return [f"    {INDENTED[kind](narrator, row)}"] if kind in INDENTED else []


Say = Callable[[HistoryNarrator, LogRow], str]
"""A function that returns the text for a row of one kind."""


def _dice(number: int) -> str:
    """Return the text for one or two dice, which the log packs into one number."""
    first, second = number % 10, number // 10
    return f"{first} and {second}" if second else str(first)


def _armies(number: int, tokens: int = 0) -> str:
    armies = number_and_noun(number, "army", "armies")
    return f"{armies} and {number_and_noun(tokens, 'siege token')}" if tokens else armies


def _points(number: int) -> str:
    return number_and_noun(number, "point")


def _founded(narrator: HistoryNarrator, row: LogRow) -> str:
    lands = " and ".join(narrator.catalog.cards[row[CARD]].start_lands)
    return f"{narrator.card(row)} founded in {lands} with {_armies(row[VALUE], row[NUMBER])}"


def _fort(narrator: HistoryNarrator, row: LogRow) -> str:
    price = "for an army" if row[CARD] == NO_CARD else f"by {narrator.card(row)}"
    return f"a fort in {narrator.land(row)} {price}"


BY_SEAT: dict[int, Say] = {
    kinds.TOKEN_PLACED: lambda narrator, row: f"{narrator.region(row)}: {row[NUMBER]} for presence",
    kinds.CHOSE_EVENT: lambda narrator, row: f"keeps the event {narrator.card(row)}",
    kinds.CHOSE_EMPIRE: lambda narrator, row: f"keeps the empire {narrator.card(row)}",
    kinds.GAVE: lambda narrator, row: f"draws {narrator.card(row)}, for {narrator.other(row)}",
    kinds.STANDS_AT: lambda narrator, row: f"has {_points(row[NUMBER])}",
}
"""Texts of rows in which the name of the row's seat, if the row has one, comes first."""
INDENTED: dict[int, Say] = {
    kinds.FOUNDED: _founded,
    kinds.CLEARED: lambda narrator, row: f"{narrator.land(row)} is cleared of an army of {narrator.other(row)}",
    kinds.CONQUERS: lambda narrator, row: (
        f"to {narrator.land(row)} by {WAYS[row[VALUE]].replace('_', ' ')}, {_armies(row[NUMBER])} left"
    ),
    kinds.FIGHTS_AGAIN: lambda narrator, row: f"the army in {narrator.land(row)} fights again",
    kinds.ENTERED: lambda narrator, row: f"  {narrator.land(row)} is occupied" + (" anew" if row[VALUE] else ""),
    kinds.ROLLED: lambda narrator, row: f"  rolls {_dice(row[VALUE])} against {_dice(row[NUMBER])}",
    kinds.REROLLED: lambda narrator, row: (
        f"  {'defender' if row[VALUE] else 'attacker'} rolls {row[NUMBER] % 10} again: {row[NUMBER] // 10}"
    ),
    kinds.COMPARED: lambda narrator, row: f"  {row[VALUE]} against {row[NUMBER]}",
    kinds.WON_BATTLE: lambda narrator, row: f"  won against {narrator.other(row)}",
    kinds.TIED_BATTLE: lambda narrator, row: f"  tied with {narrator.other(row)}: both armies go",
    kinds.LOST_BATTLE: lambda narrator, row: f"  lost to {narrator.other(row)}",
    kinds.BESIEGES: lambda narrator, row: f"  siege{' with a token' if row[VALUE] else ''}, +{row[NUMBER]}",
    kinds.RETREATED: lambda narrator, row: "  retreat",
    kinds.DESTROYED: lambda narrator, row: f"  in {narrator.land(row)} {GONE[row[VALUE]]}",
    kinds.FORT_REMOVED: lambda narrator, row: f"  the fort of {narrator.land(row)} is removed",
    kinds.FORT_BUILT: _fort,
    kinds.CITY_BUILT: lambda narrator, row: f"a city in {narrator.land(row)}",
    kinds.DISC_PLACED: lambda narrator, row: f"a disc in {narrator.catalog.body_names[row[VALUE]]}",
    kinds.PLAYED_EVENT: lambda narrator, row: f"plays {narrator.card(row)}",
    kinds.USED_ABILITY: lambda narrator, row: f"uses the ability of {narrator.card(row)}",
    kinds.SWAPPED: lambda narrator, row: f"takes {narrator.land(row)} over from {narrator.other(row)}",
    kinds.GAINED_ARMIES: lambda _, row: f"{_armies(row[NUMBER], row[VALUE])} onto the card",
    kinds.MONUMENT_BUILT: lambda narrator, row: f"a monument in {narrator.land(row)}",
    kinds.ENDED_CONQUEST: lambda narrator, row: f"conquests end, {_armies(row[NUMBER])} back to the supply",
    kinds.SCORED_REGION: lambda narrator, row: f"{narrator.region(row)}: {LEVELS[row[CARD]]}, {_points(row[NUMBER])}",
    kinds.SCORED_STRUCTURES: lambda narrator, row: f"structures: {_points(row[NUMBER])}",
    kinds.GAINED_POINTS: lambda narrator, row: f"{_points(row[NUMBER])} for {SCORE_PARTS[row[VALUE]]}",
    kinds.LANDED: lambda narrator, row: f"the space is taken: {row[VALUE]:+d}",
}
"""Texts of rows that are indented below the turn to which they belong."""

narrate = narrate_with(HistoryNarrator)
