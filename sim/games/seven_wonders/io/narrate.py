"""A finished game told turn by turn in plain words, from the log the engine keeps when asked to (`log.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sim.compiler.kernel import Integers, Record
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.rules.constants import (
    BUILD,
    DISCARD,
    FREE_BUILD,
    LOG_CONFLICT,
    LOG_FROM_DISCARD,
    LOG_LAST_CARD,
    LOG_PLAY,
    NO_CARD,
    STAGE,
)
from sim.games.seven_wonders.rules.log import (
    ACTION,
    AGE,
    BANK,
    CARD,
    CHAINED,
    CITY,
    HAND,
    HAND_SIZE,
    HOLDER,
    INCOME,
    KIND,
    TO_LEFT,
    TO_RIGHT,
    TOKEN_LEFT,
    TOKEN_RIGHT,
    TURN,
)
from sim.games.seven_wonders.rules.scoring import SCORE_PARTS, TOTAL, copied_guild_points, guild_to_copy
from sim.games.seven_wonders.rules.state import left_of, right_of
from sim.games.shared.narration import player_name, tell_scores, tell_seats

AGE_NAMES = ("", "I", "II", "III")
SCORE_FIELDS = ("blue", "military", "science", "yellow", "guild", "wonder", "treasury")
"""The score parts in the order in which they are told, here and in JSON."""


def tell_header(g: Record, catalog: Catalog, strategy_names: Sequence[str]) -> list[str]:
    """Tell who sits where.

    Parameters
    ----------
    g
        Game record.
    catalog
        Cards and boards.
    strategy_names
        Names of the strategies of the run, as `g.strategy` numbers them.

    Returns
    -------
    list of str
        One line for each city.
    """
    free = [f"Free City: {catalog.faction_names[g.faction[city]]}" for city in range(g.players, g.cities)]
    return [*tell_seats(g, catalog.faction_names, strategy_names), *free]


def tell(g: Record, t: Record, catalog: Catalog, strategy_names: Sequence[str]) -> list[str]:
    """Tell a finished game.

    Parameters
    ----------
    g
        Game record of a game that was played with `log.keeps_rows` set.
    t, catalog
        The tables the game was played with, and the cards and boards they were made of.
    strategy_names
        As in `tell_header`.

    Returns
    -------
    list of str
        Deals, turns, conflicts and the final scores, without the header.
    """
    return list(_Teller(g, t, catalog, strategy_names).lines())


class _Teller:
    """Goes through the log of a game and keeps count of coins and buildings."""

    def __init__(self, g: Record, t: Record, catalog: Catalog, strategy_names: Sequence[str]) -> None:
        self.g = g
        self.t = t
        self.catalog = catalog
        self.strategy_names = strategy_names
        self.coins = [int(t.faction_coins[g.faction[city]]) for city in range(int(g.cities))]
        self.built: list[set[str]] = [set() for _ in range(g.cities)]
        self.stages = [0] * int(g.cities)
        self.holder = NO_CARD

    def lines(self) -> Iterator[str]:
        """Yield the whole game."""
        rows = self.g.log.rows[: self.g.log.row_count]
        for (age, turn), of_turn in groupby(rows, key=lambda row: (int(row[AGE]), int(row[TURN]))):
            yield from self.turn(age, turn, list(of_turn))
        yield from self.copied_guilds()
        yield from self.final_scores()

    # -- Names --

    def card(self, card: int) -> str:
        """Name of a card."""
        return self.catalog.cards[card].name

    def city(self, city: int) -> str:
        """Name of a city."""
        return self.catalog.faction_names[self.g.faction[city]]

    def player(self, city: int) -> str:
        """Name of a city and who plays it."""
        if city >= self.g.players:
            return f"{self.city(city)} (Free City, played by seat {self.holder})"
        return player_name(self.g, city, self.catalog.faction_names, self.strategy_names)

    def neighbour(self, city: int, side: str) -> str:
        """Name of a neighbour with its side."""
        other = left_of(self.g, city) if side == "left" else right_of(self.g, city)
        return f"the {side} neighbour ({self.city(other)})"

    def hand(self, row: Integers) -> list[str]:
        """Names of the cards left in hand."""
        return [self.card(card) for card in row[HAND : HAND + row[HAND_SIZE]]]

    # -- Turns --

    def turn(self, age: int, turn: int, rows: Sequence[Integers]) -> Iterator[str]:
        """Yield one turn, with the deal before it and the conflicts after it."""
        plays = [row for row in rows if row[KIND] == LOG_PLAY]
        self.holder = int(plays[0][HOLDER]) if plays else self.holder
        if turn == 1:
            yield f"Age {AGE_NAMES[age]}"
            yield from self.deal(plays)
        yield f"Age {AGE_NAMES[age]}, turn {turn}"
        for row in rows:
            if row[KIND] in (LOG_PLAY, LOG_LAST_CARD, LOG_FROM_DISCARD):
                yield self.play(row)
        conflicts = [row for row in rows if row[KIND] == LOG_CONFLICT]
        if conflicts:
            yield f"Conflicts of Age {AGE_NAMES[age]}"
            for row in conflicts:
                yield f"  {self.player(row[CITY])}: {self.tokens(row)}"

    def deal(self, plays: Sequence[Integers]) -> Iterator[str]:
        """Yield the hands at the first choice of an age; that of the Free City's holder with the card drawn."""
        played = {int(row[CITY]): self.card(row[CARD]) for row in plays}
        for row in plays:
            seat = int(row[CITY])
            if seat < self.g.players:
                cards = [played[seat], *self.hand(row)]
                if seat == self.holder:
                    cards.append(played[int(self.g.players)])
                yield f"  {self.player(seat)} holds {_join(sorted(cards))}"

    def play(self, row: Integers) -> str:
        """Tell what a city does with a card."""
        city = int(row[CITY])
        coins = self.coins[city]
        parts = [self.action(row)]
        bank, left, right = row[[BANK, TO_LEFT, TO_RIGHT]].tolist()
        parts += [f"pays {coins} to {to}" for coins, to in self.payees(city, bank, left, right) if coins]
        income = int(row[INCOME])
        self.coins[city] += income - bank - left - right
        if row[KIND] != LOG_FROM_DISCARD and row[ACTION] == DISCARD:
            income -= int(self.t.discard_coins)
        if income:
            parts.append(f"receives {_coins(income)}")
        told = f"  {self.player(city)} with {_coins(coins)}: {', '.join(parts)}"
        return told + self.hand_left(row)

    def payees(self, city: int, bank: int, left: int, right: int) -> list[tuple[int, str]]:
        """Pair what is paid with who gets it."""
        return [
            (bank, "the bank"),
            (left, self.neighbour(city, "left")),
            (right, self.neighbour(city, "right")),
        ]

    def hand_left(self, row: Integers) -> str:
        """Tell the cards a seat has left to pass on, or to discard after the last turn."""
        if row[KIND] != LOG_PLAY or row[CITY] >= self.g.players:
            return ""
        word = "left over" if row[TURN] == self.t.turns_per_age else "leaves"
        return f"; {word}: {_join(self.hand(row))}"

    def action(self, row: Integers) -> str:
        """Tell an action, and remember what it built."""
        city, card = int(row[CITY]), self.card(row[CARD])
        seventh = " (seventh card)" if row[KIND] == LOG_LAST_CARD else ""
        if row[KIND] == LOG_FROM_DISCARD:
            self.built[city].add(card)
            return f"builds {card} free from the discards"
        if row[ACTION] == STAGE:
            self.stages[city] += 1
            return f"builds stage {self.stages[city]} of its wonder with {card} under it{seventh}"
        if row[ACTION] == DISCARD:
            return f"discards {card} for {_coins(int(self.t.discard_coins))}{seventh}"
        how = {FREE_BUILD: " free, once in this age", BUILD: self.chain(row)}[int(row[ACTION])]
        self.built[city].add(card)
        return f"builds {card}{how}{seventh}"

    def chain(self, row: Integers) -> str:
        """Tell which earlier structure makes a card free."""
        parents = self.catalog.cards[row[CARD]].chain_from
        owned = [parent for parent in parents if parent in self.built[int(row[CITY])]]
        return f", chained from {owned[0]}" if row[CHAINED] == 1 and owned else ""

    def tokens(self, row: Integers) -> str:
        """Tell the tokens of one age."""
        city = int(row[CITY])
        told = [
            f"{'victory' if points > 0 else 'defeat'} {points:+d} against {self.neighbour(city, side)}"
            for side, points in (("left", row[TOKEN_LEFT]), ("right", row[TOKEN_RIGHT]))
            if points != 0
        ]
        return _join(told, "no token")

    # -- End --

    def copied_guilds(self) -> Iterator[str]:
        """Yield the guilds copied at the end of the game."""
        for city in range(self.g.cities):
            if self.g.copies_guild[city]:
                guild = guild_to_copy(self.g, self.t, city)
                if guild == NO_CARD:
                    yield f"{self.player(city)} finds no guild to copy"
                else:
                    points = copied_guild_points(self.g, self.t, city, guild)
                    plural = "" if points == 1 else "s"
                    yield f"{self.player(city)} copies {self.card(guild)} for {points} point{plural}"

    def final_scores(self) -> Iterator[str]:
        """Yield a table of the scores by part, with coins and ranks."""
        yield "Final scores"
        names = [self.player(city) if city < self.g.players else self.city(city) for city in range(self.g.cities)]
        ranks = [self.g.rank[city] if city < self.g.players else "-" for city in range(self.g.cities)]
        rows = [(ranks[city], *score_of(self.g, city).values(), self.g.coins[city]) for city in range(self.g.cities)]
        yield from tell_scores(names, ("rank", *SCORE_FIELDS, "total", "coins"), rows)


def score_of(g: Record, city: int) -> dict[str, int]:
    """Return the score of a city by part, and its total, as the kernels of `scoring.py` have left it."""
    parts = {part: int(g.score[city, SCORE_PARTS.index(part)]) for part in SCORE_FIELDS}
    return parts | {"total": int(g.score[city, TOTAL])}


def _join(names: Iterable[str], none: str = "nothing") -> str:
    return ", ".join(names) or none


def _coins(coins: int) -> str:
    return f"{coins} coin{'' if coins == 1 else 's'}"
