"""A finished game told in plain words, from the log the engine keeps when asked to (`log.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sim.games.history_of_the_world.rules.log as kinds
from sim.compiler.kernel import Record
from sim.game import Data
from sim.games.history_of_the_world.rules.constants import NO_CARD, SCORE_PARTS, TOTAL, WAYS
from sim.games.history_of_the_world.rules.log import CARD, EPOCH, KIND, LAND, NUMBER, SEAT, VALUE
from sim.games.shared.narration import player_name, tell_scores, tell_seats

Row = Sequence[int]
"""A row of the log."""

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")
GONE = ("the capital becomes a city", "the city is destroyed", "a monument is destroyed")
LEVELS = ("presence", "dominance", "control")


class _Names:
    """Names of what log rows have numbers of."""

    def __init__(self, g: Record, data: Data, strategies: Sequence[str]) -> None:
        catalog = data.catalog
        self.lands: Sequence[str] = catalog.land_names
        self.regions: Sequence[str] = catalog.region_names
        self.bodies: Sequence[str] = catalog.body_names
        self.cards: Sequence[str] = catalog.card_names
        self.starts: list[Sequence[str]] = [card.start_lands for card in catalog.cards]
        self.seats = [player_name(g, seat, (), strategies) for seat in range(g.players)]

    def land(self, row: Row) -> str:
        return self.lands[row[LAND]]

    def card(self, row: Row) -> str:
        return self.cards[row[CARD]]

    def other(self, row: Row) -> str:
        """The seat that VALUE stands for."""
        return self.seats[row[VALUE]]


def tell(g: Record, data: Data, strategies: Sequence[str]) -> list[str]:
    """Tell a game epoch by epoch.

    Parameters
    ----------
    g
        Game record, played with its log kept.
    data
        The game's data.
    strategies
        Names of the strategies as `g.strategy` numbers them.

    Returns
    -------
    list of str
        Lines of text.
    """
    names = _Names(g, data, strategies)
    lines = [*tell_seats(g, (), strategies)]
    starts = [f"{names.seats[seat]} {int(g.start_score[seat])}" for seat in range(g.players)]
    lines.append(f"Scores drawn by lot: {', '.join(starts)}")
    for place in range(int(g.log.row_count)):
        row = [int(number) for number in g.log.rows[place]]
        lines.extend(_tell_row(names, row))
    lines.append("")
    lines.append("Scores")
    rows = [
        [*(int(g.score[seat, part]) for part in range(TOTAL)), int(g.score[seat, TOTAL]), int(g.rank[seat])]
        for seat in range(g.players)
    ]
    return [*lines, *tell_scores(names.seats, [*SCORE_PARTS, "total", "rank"], rows)]


def _tell_row(names: _Names, row: Row) -> list[str]:
    """Tell one row of the log; rows that only count tell nothing."""
    kind = row[KIND]
    if kind == kinds.EPOCH_BEGINS:
        return ["", f"Epoch {ROMAN[row[EPOCH]]}"]
    if kind == kinds.CALLED:
        return ["", f"{names.card(row)}: {names.seats[row[SEAT]]}"]
    if kind in OPEN:
        return [f"  {OPEN[kind](names, row)}"]
    if kind in BY_SEAT:
        return [f"  {names.seats[row[SEAT]]} {BY_SEAT[kind](names, row)}"]
    return [f"    {INDENTED[kind](names, row)}"] if kind in INDENTED else []


Say = Callable[[_Names, Row], str]
"""Says a row of one kind."""


def _dice(number: int) -> str:
    """Dice as the log packs them."""
    first, second = number % 10, number // 10
    return f"{first} and {second}" if second else str(first)


def _armies(number: int) -> str:
    return "1 army" if number == 1 else f"{number} armies"


def _tokens(number: int) -> str:
    return "1 siege token" if number == 1 else f"{number} siege tokens"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _founded(names: _Names, row: Row) -> str:
    tokens = f" and {_tokens(row[NUMBER])}" if row[NUMBER] else ""
    lands = " and ".join(names.starts[row[CARD]])
    return f"{names.card(row)} founded in {lands} with {_armies(row[VALUE])}{tokens}"


def _gained(names: _Names, row: Row) -> str:
    tokens = f" and {_tokens(row[VALUE])}" if row[VALUE] else ""
    return f"{_armies(row[NUMBER])}{tokens} onto the card"


def _fort(names: _Names, row: Row) -> str:
    price = "for an army" if row[CARD] == NO_CARD else f"by {names.card(row)}"
    return f"a fort in {names.land(row)} {price}"


OPEN: dict[int, Say] = {
    kinds.TOKEN_PLACED: lambda names, row: f"{names.regions[row[VALUE]]}: {row[NUMBER]} for presence",
}
"""What nobody does."""
BY_SEAT: dict[int, Say] = {
    kinds.CHOSE_EVENT: lambda names, row: f"keeps the event {names.card(row)}",
    kinds.CHOSE_EMPIRE: lambda names, row: f"keeps the empire {names.card(row)}",
    kinds.GAVE: lambda names, row: f"draws {names.card(row)}, for {names.other(row)}",
    kinds.STANDS_AT: lambda names, row: f"has {_points(row[NUMBER])}",
}
"""What is told with the seat that does it."""
INDENTED: dict[int, Say] = {
    kinds.FOUNDED: _founded,
    kinds.CLEARED: lambda names, row: f"{names.land(row)} is cleared of an army of {names.other(row)}",
    kinds.CONQUERS: lambda names, row: (
        f"to {names.land(row)} by {WAYS[row[VALUE]].replace('_', ' ')}, {_armies(row[NUMBER])} left"
    ),
    kinds.FIGHTS_AGAIN: lambda names, row: f"the army in {names.land(row)} fights again",
    kinds.ENTERED: lambda names, row: f"  {names.land(row)} is occupied" + (" anew" if row[VALUE] else ""),
    kinds.ROLLED: lambda names, row: f"  rolls {_dice(row[VALUE])} against {_dice(row[NUMBER])}",
    kinds.REROLLED: lambda names, row: (
        f"  {'defender' if row[VALUE] else 'attacker'} rolls {row[NUMBER] % 10} again: {row[NUMBER] // 10}"
    ),
    kinds.COMPARED: lambda names, row: f"  {row[VALUE]} against {row[NUMBER]}",
    kinds.WON_BATTLE: lambda names, row: f"  won against {names.other(row)}",
    kinds.TIED_BATTLE: lambda names, row: f"  tied with {names.other(row)}: both armies go",
    kinds.LOST_BATTLE: lambda names, row: f"  lost to {names.other(row)}",
    kinds.BESIEGES: lambda names, row: f"  siege{' with a token' if row[VALUE] else ''}, +{row[NUMBER]}",
    kinds.RETREATED: lambda names, row: "  retreat",
    kinds.DESTROYED: lambda names, row: f"  in {names.land(row)} {GONE[row[VALUE]]}",
    kinds.FORT_REMOVED: lambda names, row: f"  the fort of {names.land(row)} is removed",
    kinds.FORT_BUILT: _fort,
    kinds.CITY_BUILT: lambda names, row: f"a city in {names.land(row)}",
    kinds.DISC_PLACED: lambda names, row: f"a disc in {names.bodies[row[VALUE]]}",
    kinds.PLAYED_EVENT: lambda names, row: f"plays {names.card(row)}",
    kinds.USED_ABILITY: lambda names, row: f"uses the ability of {names.card(row)}",
    kinds.SWAPPED: lambda names, row: f"takes {names.land(row)} over from {names.other(row)}",
    kinds.GAINED_ARMIES: _gained,
    kinds.MONUMENT_BUILT: lambda names, row: f"a monument in {names.land(row)}",
    kinds.ENDED_CONQUEST: lambda names, row: f"conquests end, {_armies(row[NUMBER])} back to the supply",
    kinds.SCORED_REGION: lambda names, row: f"{names.regions[row[VALUE]]}: {LEVELS[row[CARD]]}, {_points(row[NUMBER])}",
    kinds.SCORED_STRUCTURES: lambda names, row: f"structures: {_points(row[NUMBER])}",
    kinds.GAINED_POINTS: lambda names, row: f"{_points(row[NUMBER])} for {SCORE_PARTS[row[VALUE]]}",
    kinds.LANDED: lambda names, row: f"the space is taken: {row[VALUE]:+d}",
}
"""What is told below the turn it belongs to."""
