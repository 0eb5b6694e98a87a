"""What the other way would bring where a habit of players looks like a blunder: a player who looks ahead is asked.

`python -m tests.games.imperium.habit_values [games]` lets `balanced` play 600 games of two with the commons of either
box, and asks at three of ten decisions what the six best options bring, each played on six times to the end of the
game (`sim.diagnostics.fit_lessons`). For every habit it prints at how many decisions the player could go the one way
and the other,
how often it went the first way, and what that brings more than the other, in hundredths of a win with its standard
error over games: where it went that way, and where it did not. It stands in docs/players.md; it takes ten minutes on
two cores.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.compiler.kernel import Record
from sim.diagnostics.fit_lessons import Floats, Integers
from sim.games.imperium.data.catalog import Catalog
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.tables import MAX_CODE
from tests.games.imperium.fit_lessons import ask_both_boxes
from tests.kit.lessons import NUMBERS_OF_A_GAME, options_of

GAMES = 600
SEED = 780
Chosen = NDArray[np.bool_]


def describe(g: Record, me: int) -> tuple[float, ...]:
    """What a decision is about: what is asked, and the card that asks."""
    return int(g.asked), int(g.asking)


class Asked:
    """Options that were asked about, column by column."""

    def __init__(self, rows: Floats) -> None:
        options = options_of(rows, math.inf, 0.0, math.inf)
        self.number, self.score, self.brings = options.number, options.score, options.brings
        self.decision, self.asked, self.asking, self.kind, self.card, self.value = options.about

    def at(self, asked: int) -> Chosen:
        """Picks of a card for something."""
        return (self.decision == constants.PICK) & (self.asked == asked)


@dataclass(frozen=True)
class Habit:
    """A way to go: the decisions at which it may be gone, and the options that are it."""

    name: str
    way: Callable[[Asked, Catalog], tuple[Chosen, Chosen]]


def is_card(options: Asked, catalog: Catalog, *names: str) -> Chosen:
    """Tell which options are of cards whose names begin so."""
    return np.isin(options.card, [card for card, row in enumerate(catalog.cards) if row.name.startswith(names)])


def number_of(catalog: Catalog, card: str) -> int:
    """Row of a card by its id."""
    return [row.id for row in catalog.cards].index(card)


def plays(options: Asked) -> Chosen:
    """Tell which options are to play a card of the hand."""
    return (options.decision == constants.TURN) & (options.kind == constants.PLAY_CARD)


def of_journey(options: Asked, catalog: Catalog) -> Chosen:
    """Tell which options are of the solstice of Visions of Shangri-la: going on stands first in the code."""
    return (options.decision == constants.ALTERNATIVE) & (options.card == number_of(catalog, "UTO2A"))


TURN = constants.TURN
MERLIN, MASKS = "Myrddin Wyllt (Merlin)", ("Stone Mask", "Jade Mask")
HABITS = (
    Habit("Arthurians: play Merlin", lambda o, c: (o.decision == TURN, plays(o) & is_card(o, c, MERLIN))),
    Habit("Arthurians: discard Merlin in cleaning up", lambda o, c: (o.at(constants.CLEAN_UP), is_card(o, c, MERLIN))),
    Habit("Arthurians: play Morigena", lambda o, c: (o.decision == TURN, plays(o) & is_card(o, c, "Morigena"))),
    Habit(
        "Utopians: go the first stage of their journey",
        lambda o, c: (of_journey(o, c), o.value == o.value[of_journey(o, c)].min(initial=MAX_CODE)),
    ),
    Habit(
        "Qin: give the Mandate of Heaven up",
        lambda o, c: ((o.decision == constants.WHETHER) & (o.asking == number_of(c, "QIN22")), o.value == 1),
    ),
    Habit("Olmecs: put a mask into history", lambda o, c: (o.at(constants.TO_HISTORY), is_card(o, c, *MASKS))),
    Habit("put unrest into history", lambda o, c: (o.at(constants.TO_HISTORY), is_card(o, c, "Unrest"))),
    Habit(
        "break through for an unseen card",
        lambda o, c: (
            (o.decision == constants.MARKET) & (o.asked == constants.BREAK_THROUGH),
            o.kind != constants.FROM_MARKET,
        ),
    ),
    Habit("develop nothing", lambda o, c: (o.decision == constants.DEVELOP, o.card == constants.NO_CARD)),
    Habit("play unrest to return it", lambda o, c: (o.decision == TURN, plays(o) & is_card(o, c, "Unrest"))),
    Habit("revolt", lambda o, c: (o.decision == TURN, o.kind == constants.REVOLT)),
    Habit("innovate", lambda o, c: (o.decision == TURN, o.kind == constants.INNOVATE)),
    Habit("end the turn", lambda o, c: (o.decision == TURN, o.kind == constants.END_TURN)),
)


def differences(options: Asked, asked: Chosen, way: Chosen) -> tuple[Floats, Chosen, Integers]:
    """Return what the best option of a way brings more than the best other one, where the player goes it, and the game.

    Best is what the player scores highest, so that chance in what options bring chooses nothing.
    """
    best: list[dict[int, int]] = []
    for chosen in (asked & way, asked & ~way):
        places = np.flatnonzero(chosen)
        order = places[np.lexsort((options.score[places], options.number[places]))]
        numbers: Integers = options.number[order]
        last = np.append(numbers[1:] != numbers[:-1], True) if len(order) else np.zeros(0, bool)
        best.append(dict(zip(numbers[last].tolist(), order[last].tolist(), strict=True)))
    both = [number for number in best[0] if number in best[1]]
    this, other = (np.array([each[number] for number in both], np.int64) for each in best)
    goes = options.score[this] > options.score[other]
    return options.brings[this] - options.brings[other], goes, options.number[this] // NUMBERS_OF_A_GAME


def told(values: Floats, games: Integers) -> str:
    """Return a mean over decisions with its standard error over games, which hold several of them."""
    _, at = np.unique(games, return_inverse=True)
    if len(values) == 0 or at.max() == 0:
        return "-"
    mean, count = values.mean(), at.max() + 1
    off = np.bincount(at, values - mean)
    error = math.sqrt(count / (count - 1) * (off**2).sum()) / len(values)
    return f"{mean:+.1f} ± {error:.1f}"


def main(arguments: list[str]) -> None:
    """Print a row for each habit."""
    games = int(arguments[0]) if arguments else GAMES
    rows, plan = ask_both_boxes(games, SEED, describe)
    options, catalog = Asked(rows), plan.data.catalog
    print("| The way | decisions | goes it, % | brings where it does | where it does not |")
    print("|---|---|---|---|---|")
    for habit in HABITS:
        values, goes, game = differences(options, *habit.way(options, catalog))
        share = 100 * goes.mean() if len(goes) else math.nan
        does, does_not = told(values[goes], game[goes]), told(values[~goes], game[~goes])
        print(f"| {habit.name} | {len(values):,} | {share:.0f} | {does} | {does_not} |")


if __name__ == "__main__":
    main(sys.argv[1:])
