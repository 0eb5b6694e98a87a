"""A slow and obvious table of History of the World, moved by what the log of a game tells."""

from collections import Counter
from typing import Any

from sim.games.history_of_the_world.rules import log
from sim.games.history_of_the_world.rules.constants import NO_CARD, WAYS

DESTROYED = ("capital", "city", "monument")
LEVELS = ("presence", "dominance", "control")


class NaiveTable:
    """The map and the scores in words; every row of the log is checked against them and then carried out.

    Parameters
    ----------
    catalog
        Map, cards and numbers.
    starts
        Score of every seat as the game begins.
    """

    def __init__(self, catalog: Any, starts: list[int]) -> None:
        self.catalog = catalog
        self.points = list(starts)
        self.army: dict[str, int] = {}
        self.standing: dict[str, set[str]] = {kind: set() for kind in (*DESTROYED, "fort")}
        self.tokens: dict[str, int] = {}
        self.scored: dict[str, tuple[str, int]] = {}
        self.seat = NO_CARD
        self.card: Any = None
        self.played: list[Any] = []
        self.siege = 0
        self.land, self.way, self.won, self.left_behind = "", "", "", ""
        self.dice: tuple[list[int], list[int]] = ([], [])
        self.rerolled = Counter[int]()
        self.checked = Counter[str]()

    # ---- What holds ----

    def effects(self) -> dict[str, int]:
        """Operations in force, with their numbers added up; a kingdom has no help of any card."""
        kingdom = getattr(self.card, "kind", "empire") == "kingdom"
        found: Counter[str] = Counter()
        for card in [self.card, *([] if kingdom else self.played)]:
            for name, *numbers in card.effect:
                found[name] += numbers[0] if numbers else 1
        return found

    def of(self, kind: str, land: str) -> bool:
        """Tell whether something stands in a land."""
        return land in self.standing[kind]

    def adjoin(self, one: str, other: str) -> bool:
        """Tell whether two lands have a border or stepping stones in common; the map names them on one side or both."""
        beside = {land.name: {*land.borders, *land.stepping_stones} for land in self.catalog.lands}
        return other in beside[one] or one in beside[other]

    def spaces(self) -> list[int]:
        """Where the markers stand on the track, which begins again behind 99."""
        return [points % 100 for points in self.points]

    def left(self) -> int:
        """Capitals and cities in the supply."""
        return int(self.catalog.constants.capital_city) - len(self.standing["capital"]) - len(self.standing["city"])

    def level(self, seat: int, region: str) -> tuple[str, int] | None:
        """Level that a seat has reached in a region, and its points."""
        lands = {land.name for land in self.catalog.lands if land.region == region}
        armies = Counter(owner for land, owner in self.army.items() if land in lands)
        own, others = armies.pop(seat, 0), max(armies.values(), default=0)
        if own == 0 or self.tokens.get(region, 0) == 0:
            return None
        place = 2 if own >= 3 and others == 0 else 1 if own >= 2 and own > others else 0
        return LEVELS[place], (place + 1) * self.tokens[region]

    # ---- Rows ----

    def follow(self, row: list[int]) -> None:
        """Check a row of the log and carry it out."""
        land = self.catalog.land_names[row[log.LAND]] if row[log.LAND] >= 0 else ""
        for name in KINDS:
            if getattr(log, name.upper()) == row[log.KIND]:
                self.checked[name] += 1
                getattr(self, f"_{name}")(row, land)

    def _token_placed(self, row: list[int], _land: str) -> None:
        self.tokens[self.catalog.region_names[row[log.VALUE]]] = row[log.NUMBER]

    def _called(self, row: list[int], _land: str) -> None:
        self.seat, self.card, self.played = row[log.SEAT], self.catalog.cards[row[log.CARD]], []

    def _played_event(self, row: list[int], _land: str) -> None:
        card = self.catalog.cards[row[log.CARD]]
        if card.kind == "enhancement":
            self.played.append(card)
            self.won = ""

    def _founded(self, row: list[int], _land: str) -> None:
        self.card = self.catalog.cards[row[log.CARD]]
        for land in self.card.start_lands[: row[log.VALUE]]:
            for there in self.standing.values():
                there.discard(land)
            self.army[land] = row[log.SEAT]
            if self.card.capital and self.left() > 0:
                self.standing["capital"].add(land)

    def _conquers(self, row: list[int], land: str) -> None:
        assert not self.left_behind or self.adjoin(self.left_behind, land)
        self.siege, self.land, self.way, self.won, self.left_behind = 0, land, WAYS[row[log.VALUE]], "", ""

    def _fights_again(self, _row: list[int], land: str) -> None:
        assert self.effects()["fights_again"]
        assert land == self.won
        self.left_behind = land
        del self.army[land]

    def _entered(self, row: list[int], land: str) -> None:
        assert self.army.get(land, row[log.SEAT]) == row[log.SEAT]
        self.army[land] = row[log.SEAT]

    def _rolled(self, row: list[int], land: str) -> None:
        attacker, defender = ([die for die in (number % 10, number // 10) if die] for number in row[log.VALUE :][:2])
        assert (len(attacker), len(defender)) == (2, 2 if self.of("fort", land) else 1)
        assert self.army[land] != self.seat
        self.dice, self.rerolled = (attacker, defender), Counter()

    def _rerolled(self, row: list[int], _land: str) -> None:
        side, old, new = row[log.VALUE], row[log.NUMBER] % 10, row[log.NUMBER] // 10
        self.rerolled[side] += 1
        self.dice[side].remove(old)
        self.dice[side].append(new)

    def _compared(self, row: list[int], land: str) -> None:
        effects = self.effects()
        rough = next(one for one in self.catalog.lands if one.name == land).terrain != "none"
        assert row[log.VALUE] == max(self.dice[0]) + self.siege + effects["battle_bonus"]
        assert row[log.NUMBER] == max(self.dice[1]) + int(rough and not effects["ignores_terrain"])
        assert self.rerolled[0] <= effects["attacker_rerolls"]
        assert self.rerolled[1] <= int(self.way == "fleet" and not effects["ignores_maritime"])
        self.sides = (row[log.VALUE], row[log.NUMBER])

    def _won_battle(self, _row: list[int], land: str) -> None:
        attack, defence = self.sides
        assert attack > defence or (attack == defence and self.effects()["wins_ties"])
        self.won = land
        del self.army[land]

    def _tied_battle(self, _row: list[int], land: str) -> None:
        assert self.sides[0] == self.sides[1]
        assert not self.effects()["wins_ties"]
        del self.army[land]

    def _lost_battle(self, _row: list[int], _land: str) -> None:
        assert self.sides[0] < self.sides[1]

    def _besieges(self, row: list[int], _land: str) -> None:
        self.siege = min(3, self.siege + 1)
        assert row[log.NUMBER] == self.siege

    def _swapped(self, row: list[int], land: str) -> None:
        assert self.army[land] == row[log.VALUE] != row[log.SEAT]
        self.army[land] = row[log.SEAT]

    def _destroyed(self, row: list[int], land: str) -> None:
        gone = next(kind for kind in DESTROYED if self.of(kind, land))
        assert gone == DESTROYED[row[log.VALUE]]
        self.standing[gone].remove(land)
        if gone == "capital":
            self.standing["city"].add(land)

    def _fort_removed(self, _row: list[int], land: str) -> None:
        self.standing["fort"].discard(land)

    def _fort_built(self, row: list[int], land: str) -> None:
        assert self.army[land] == row[log.SEAT]
        assert not self.of("fort", land)
        self.standing["fort"].add(land)
        self.won = ""

    def _city_built(self, row: list[int], land: str) -> None:
        assert self.army[land] == row[log.SEAT]
        assert not self.of("city", land)
        assert not self.of("capital", land)
        self.standing["city"].add(land)

    def _monument_built(self, row: list[int], land: str) -> None:
        assert self.army[land] == row[log.SEAT]
        assert not self.of("monument", land)
        self.standing["monument"].add(land)

    # ---- Points ----

    def _scored_region(self, row: list[int], _land: str) -> None:
        self.scored[self.catalog.region_names[row[log.VALUE]]] = (LEVELS[row[log.CARD]], row[log.NUMBER])

    def _scored_structures(self, row: list[int], _land: str) -> None:
        seat = row[log.SEAT]
        levels = {region: self.level(seat, region) for region in self.catalog.region_names}
        assert self.scored == {region: level for region, level in levels.items() if level is not None}
        worth = {"capital": 2, "city": 1, "monument": 1}
        points = sum(worth[kind] for kind in DESTROYED for land in self.standing[kind] if self.army.get(land) == seat)
        assert row[log.NUMBER] == points
        self.points[seat] += points + sum(points for _, points in self.scored.values())
        self.scored = {}

    def _gained_points(self, row: list[int], _land: str) -> None:
        self.points[row[log.SEAT]] += row[log.NUMBER]

    def _landed(self, row: list[int], _land: str) -> None:
        assert self.spaces().count(self.points[row[log.SEAT]] % 100) == 2
        self.points[row[log.SEAT]] += row[log.VALUE]

    def _stands_at(self, row: list[int], _land: str) -> None:
        assert self.points[row[log.SEAT]] == row[log.NUMBER]
        assert len(set(self.spaces())) == len(self.points)


KINDS = [name[1:] for name in vars(NaiveTable) if name.startswith("_") and not name.startswith("__")]
"""Kinds of rows that move the table, by their names in `log.py`."""
