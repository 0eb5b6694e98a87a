"""Narrates a finished game turn by turn from its log (`rules/log.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from sim.compiler.kernel import Integers, Record
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.rules import constants, log
from sim.games.seven_wonders.rules.scoring import SCORE_PARTS, TOTAL, copied_guild_points, guild_to_copy
from sim.games.seven_wonders.rules.state import left_of, right_of
from sim.games.shared.describe import join_names, number_and_noun
from sim.games.shared.narration import Narrator, narrate_with, score_table

AGE_NAMES = ("", "I", "II", "III")
SCORE_FIELDS = ("blue", "military", "science", "yellow", "guild", "wonder", "treasury")
"""The score parts, in the order of narration and JSON."""


class WondersNarrator(Narrator):
    """Goes through the log of a game, and tracks coins and buildings."""

    def __init__(self, g: Record, t: Record, catalog: Catalog, strategy_names: Sequence[str]) -> None:
        super().__init__(g, t, catalog, strategy_names)
        self.coins = [int(t.faction_coins[g.faction[city]]) for city in range(int(g.cities))]
        self.built: list[set[str]] = [set() for _ in range(g.cities)]
        self.stages = [0] * int(g.cities)
        self.holder = constants.NO_CARD

    def header(self) -> list[str]:
        """Return lines that say who sits where, and which board the Free City has."""
        return [*super().header(), *(f"Free City: {self.city(city)}" for city in range(self.g.players, self.g.cities))]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the whole game."""
        rows = self.g.log.rows[: self.g.log.row_count]
        for (age, turn), of_turn in groupby(rows, key=lambda row: (int(row[log.AGE]), int(row[log.TURN]))):
            yield from self.turn(age, turn, list(of_turn))
        yield from self.copied_guilds()
        yield from self.final_scores()

    # -- Names --

    def card(self, card: int) -> str:
        """Return the name of a card."""
        return self.catalog.cards[card].name

    def city(self, city: int) -> str:
        """Return the name of a city."""
        return self.catalog.faction_names[self.g.faction[city]]

    def player(self, city: int) -> str:
        """Return the names of a city and of its player."""
        if city >= self.g.players:
            return f"{self.city(city)} (Free City, played by seat {self.holder})"
        return super().player(city)

    def neighbour(self, city: int, side: str) -> str:
        """Return the name of a neighbouring city, together with the side on which it lies."""
        other = left_of(self.g, city) if side == "left" else right_of(self.g, city)
        return f"the {side} neighbour ({self.city(other)})"

    def hand(self, row: Integers) -> list[str]:
        """Return the names of the cards in hand that a row of the log lists: those left after the choice."""
        return [self.card(card) for card in row[log.HAND : log.HAND + row[log.HAND_SIZE]]]

    # -- Turns --

    def turn(self, age: int, turn: int, rows: Sequence[Integers]) -> Iterator[str]:
        """Yield one turn, with the deal that precedes it and the conflicts that follow it."""
        plays = [row for row in rows if row[log.KIND] == constants.LOG_PLAY]
        self.holder = int(plays[0][log.HOLDER]) if plays else self.holder
        if turn == 1:
            yield f"Age {AGE_NAMES[age]}"
            yield from self.deal(plays)
        yield f"Age {AGE_NAMES[age]}, turn {turn}"
        for row in rows:
            if row[log.KIND] in (constants.LOG_PLAY, constants.LOG_LAST_CARD, constants.LOG_FROM_DISCARD):
                yield self.play(row)
        conflicts = [row for row in rows if row[log.KIND] == constants.LOG_CONFLICT]
        if conflicts:
            yield f"Conflicts of Age {AGE_NAMES[age]}"
            for row in conflicts:
                yield f"  {self.player(row[log.CITY])}: {self.tokens(row)}"

    def deal(self, plays: Sequence[Integers]) -> Iterator[str]:
        """Yield lines on the hands dealt in an age. The Free City's holder also holds the card drawn for it."""
        played = {int(row[log.CITY]): self.card(row[log.CARD]) for row in plays}
        for row in plays:
            seat = int(row[log.CITY])
            if seat < self.g.players:
                cards = [played[seat], *self.hand(row)]
                if seat == self.holder:
                    cards.append(played[int(self.g.players)])
                yield f"  {self.player(seat)} holds {join_names(sorted(cards), 'nothing')}"

    def play(self, row: Integers) -> str:
        """Return a line on what a city does with a card."""
        city = int(row[log.CITY])
        coins = self.coins[city]
        parts = [self.action(row)]
        bank, left, right = row[[log.BANK, log.TO_LEFT, log.TO_RIGHT]].tolist()
        payees = ("the bank", self.neighbour(city, "left"), self.neighbour(city, "right"))
        parts += [f"pays {paid} to {to}" for paid, to in zip((bank, left, right), payees, strict=True) if paid]
        income = int(row[log.INCOME])
        self.coins[city] += income - bank - left - right
        if row[log.KIND] != constants.LOG_FROM_DISCARD and row[log.ACTION] == constants.DISCARD:
            income -= int(self.t.discard_coins)
        if income:
            parts.append(f"receives {_coins(income)}")
        return f"  {self.player(city)} with {_coins(coins)}: {', '.join(parts)}{self.hand_left(row)}"

    def hand_left(self, row: Integers) -> str:
        """Return a text on the cards that a seat passes on, or discards after the last turn."""
        if row[log.KIND] != constants.LOG_PLAY or row[log.CITY] >= self.g.players:
            return ""
        word = "left over" if row[log.TURN] == self.t.turns_per_age else "leaves"
        return f"; {word}: {join_names(self.hand(row), 'nothing')}"

    def action(self, row: Integers) -> str:
        """Return a text on what was done with a card, and track what was built."""
        city, card = int(row[log.CITY]), self.card(row[log.CARD])
        seventh = " (seventh card)" if row[log.KIND] == constants.LOG_LAST_CARD else ""
        if row[log.KIND] == constants.LOG_FROM_DISCARD:
            self.built[city].add(card)
            return f"builds {card} free from the discards"
        if row[log.ACTION] == constants.STAGE:
            self.stages[city] += 1
            return f"builds stage {self.stages[city]} of its wonder with {card} under it{seventh}"
        if row[log.ACTION] == constants.DISCARD:
            return f"discards {card} for {_coins(int(self.t.discard_coins))}{seventh}"
        how = {constants.FREE_BUILD: " free, once in this age", constants.BUILD: self.chain(row)}[int(row[log.ACTION])]
        self.built[city].add(card)
        return f"builds {card}{how}{seventh}"

    def chain(self, row: Integers) -> str:
        """Return a text on the earlier structure that makes a card free; "" if none does."""
        parents = self.catalog.cards[row[log.CARD]].chain_from
        owned = [parent for parent in parents if parent in self.built[int(row[log.CITY])]]
        return f", chained from {owned[0]}" if row[log.CHAINED] == 1 and owned else ""

    def tokens(self, row: Integers) -> str:
        """Return a text on the conflict tokens that a city took in one age."""
        city = int(row[log.CITY])
        told = [
            f"{'victory' if points > 0 else 'defeat'} {points:+d} against {self.neighbour(city, side)}"
            for side, points in (("left", row[log.TOKEN_LEFT]), ("right", row[log.TOKEN_RIGHT]))
            if points != 0
        ]
        return join_names(told, "no token")

    # -- The end --

    def copied_guilds(self) -> Iterator[str]:
        """Yield a line on each guild that is copied at the end of the game."""
        for city in range(self.g.cities):
            if self.g.copies_guild[city]:
                guild = guild_to_copy(self.g, self.t, city)
                if guild == constants.NO_CARD:
                    yield f"{self.player(city)} finds no guild to copy"
                else:
                    points = number_and_noun(copied_guild_points(self.g, self.t, city, guild), "point")
                    yield f"{self.player(city)} copies {self.card(guild)} for {points}"

    def final_scores(self) -> Iterator[str]:
        """Yield a table of the scores by part, with coins and ranks."""
        yield "Final scores"
        cities, columns = range(self.g.cities), ("rank", *SCORE_FIELDS, "total", "coins")
        names = [self.player(city) if city in self.seats else self.city(city) for city in cities]
        ranks = [self.g.rank[city] if city in self.seats else "-" for city in cities]
        rows = [(ranks[city], *score_of(self.g, city).values(), self.g.coins[city]) for city in cities]
        yield from score_table(names, columns, rows)


def score_of(g: Record, city: int) -> dict[str, int]:
    """Return the score of a city by part and its total, as computed by `rules/scoring.py`."""
    parts = {part: int(g.score[city, SCORE_PARTS.index(part)]) for part in SCORE_FIELDS}
    return parts | {"total": int(g.score[city, TOTAL])}


def _coins(coins: int) -> str:
    return number_and_noun(coins, "coin")


narrate = narrate_with(WondersNarrator)
