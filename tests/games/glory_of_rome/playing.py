"""Small positions of The Glory of Rome, played on by answers that a test gives one by one.

Everything goes through the step of the game, so that the tests compile nothing of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.log import CARD, KIND, NUMBER, SEAT, VALUE, WHAT
from sim.players.batch import Plan
from sim.players.compile_players import lineup_record
from tests.kit.hidden import slots_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "glory_of_rome"
CHARACTERS = ("Marcus Antonius", "Fulvia", "Gaius Octavius", "Junia Secunda")
BIANKA, HENRIK, GABOR, ZITA = range(4)
"""Players of the worked examples."""
MOST_STEPS = 60


class Option(NamedTuple):
    """An option of a decision, as the record has it."""

    kind: int
    card: int
    value: int
    seat: int
    place: int


@dataclass
class Table:
    """A game under way: the record in an array of length 1, its plan, and who was asked what at last."""

    plan: Plan
    record: np.ndarray
    seat: int = constants.NO_SEAT
    decision: int = -1
    options: Sequence[Option] = ()

    @property
    def g(self) -> Any:
        """The record."""
        return self.record[0]

    @property
    def t(self) -> Any:
        """The tables."""
        return self.plan.data.tables

    # ---- Going on ----

    def listed(self) -> list[Option]:
        """Go on to the next decision, which stays open; return its options, none if the game ends before."""
        for _ in range(MOST_STEPS):
            if self.g.finished:
                self.seat, self.decision, self.options = constants.NO_SEAT, -1, ()
                return []
            before = self.record.copy()
            if step(self, None):
                self.record[:] = before
                return list(self.options)
        raise AssertionError("nobody is asked")

    def choose(self, kind: int, **wanted: int) -> None:
        """Go on to the next decision, take the option that is wanted, which has to be listed, and go on to the next."""
        options = self.listed()
        wanted = {"kind": kind, **wanted}
        fitting = [option for option in options if fits(option, wanted)]
        named = constants.DECISIONS[self.decision] if self.decision >= 0 else "nothing"
        assert fitting, f"{constants.OPTIONS[kind]} {wanted} is none of {options} ({named}, seat {self.seat})"
        step(self, fitting[0]._asdict())
        self.listed()

    def kinds_listed(self) -> set[str]:
        """Kinds of the options of the next decision, by their words."""
        return {constants.OPTIONS[option.kind] for option in self.listed()}

    def places_listed(self) -> set[tuple[str, int]]:
        """Places where the next follower can go, with 1 where its bonus is used."""
        return {(constants.PLACES[o.card], o.value) for o in self.listed() if o.kind == constants.PLACE_FOLLOWER}

    def place(self, name: str, bonus: int = 0) -> None:
        """Place a follower."""
        self.choose(constants.PLACE_FOLLOWER, card=constants.PLACES.index(name), value=bonus)

    def play(self, name: str) -> None:
        """Play a trade card."""
        self.choose(constants.PLAY, card=card_number(self, name))

    def activate(self, effect: int, province: str, value: int = 0) -> None:
        """Activate intrigue."""
        self.choose(constants.ACTIVATE, card=effect, place=constants.PROVINCES.index(province), value=value)

    def finish(self) -> Any:
        """End the game as it stands and return its scores by part."""
        self.g.phase = constants.OVER
        step(self, None)
        assert self.g.finished
        names = [*constants.SCORE_PARTS, "total"]
        return [dict(zip(names, self.g.score[seat].tolist(), strict=True)) for seat in range(self.plan.players)]

    def hand(self, seat: int) -> list[str]:
        """Names of the cards in a hand."""
        names = self.plan.data.catalog.card_names
        return [names[card] for card in self.g.hand[seat, : self.g.hand_size[seat]]]

    def rows(self, *kinds: int) -> list[dict[str, int]]:
        """Rows of the log of some kinds."""
        columns = {"kind": KIND, "seat": SEAT, "what": WHAT, "card": CARD, "value": VALUE, "number": NUMBER}
        log = self.g.log
        found = [{name: int(log.rows[at][column]) for name, column in columns.items()} for at in range(log.row_count)]
        return [row for row in found if row["kind"] in kinds]


# ---- Positions ----


def table(
    phase: int = constants.ACTION_PHASE,
    players: int = 4,
    variant: str | None = None,
    round_number: int = 2,
    characters: Sequence[str] = CHARACTERS,
    settings: Mapping[str, object] | None = None,
    changes: Sequence[str] = (),
    **fields: Any,
) -> Table:
    """Return a position as a phase begins, in which seat 0 is the starting player and play goes clockwise.

    Nobody has cards or missions, and nothing lies anywhere unless `fields` say so: a list for the first seats, or a
    mapping by name ("Africa", "military", a card). Followers follow from glory.
    """
    options = {"factions": list(characters[:players]), "assign": "fixed", "seed": 5}
    plan = plan_for(GAME, variant, players, settings=settings or {}, changes=list(changes), **options)
    record = started(plan, 0, keeps_log=True)
    found = Table(plan, record)
    g = found.g
    for seat in range(players):
        for card in g.missions[seat, : g.mission_count[seat]].tolist():
            g.mission_deck[g.mission_size] = card
            g.mission_size += 1
    g.mission_count[:] = 0
    g.missions[:] = constants.NO_CARD
    g.anchor[:] = 0
    g.phase, g.round_number, g.rounds = phase, round_number, round_number - 1
    g.starting_player = g.turn_seat = 0
    g.stage = constants.TURN_BEGINS
    g.log.row_count = 0
    for field, value in fields.items():
        lay(found, field, value)
    for seat in range(players):
        for milestone in range(g.marker.shape[0]):
            g.reached[seat, milestone] = int(g.glory[seat] >= found.t.milestones[milestone])
    g.followers[:players] = 1 + g.reached[:players].sum(axis=1)
    if "followers_left" not in fields:
        g.followers_left[:players] = g.followers[:players]
    return found


def against_henrik(**fields: Any) -> Table:
    """Return an intrigue phase in which only a token of Bianka lies before Henrik."""
    return table(constants.INTRIGUE_PHASE, intrigue={"Gallia": [BIANKA]}, **fields)


def revealed(event: str, **fields: Any) -> Table:
    """Return a game in which an event has just been revealed."""
    position = table(constants.EVENT_PHASE, **fields)
    g = position.g
    g.event_deck[g.event_size - 1] = card_number(position, event)
    step(position, None)
    return position


def lay(table: Table, field: str, value: Any) -> None:
    """Lay something out: see `table`."""
    g = table.g
    if field == "hands":
        for seat, name in [(seat, name) for seat, names in value.items() for name in names]:
            g.hand[seat, g.hand_size[seat]] = out_of_deck(table, name)
            g.hand_size[seat] += 1
    elif field == "missions":
        for seat, name in [(seat, name) for seat, names in value.items() for name in names]:
            g.missions[seat, g.mission_count[seat]] = card_number(table, name)
            g.mission_count[seat] += 1
    elif field == "sets":
        for seat, kinds in value.items():
            for kind in kinds:
                g.sets[seat, kind] += 1
    elif field == "discard":
        for name in value:
            g.discard[g.discard_size] = out_of_deck(table, name)
            g.discard_size += 1
    elif field == "deck":  # drawn next, in this order
        for name in reversed(value):
            card = out_of_deck(table, name)
            g.trade_deck[g.trade_size] = card
            g.trade_size += 1
    elif field == "buildings":
        for province, levels in value.items():
            for kind, level in levels.items():
                g.building[constants.PROVINCES.index(province), constants.BUILDINGS.index(kind)] = level
    elif field == "medals":
        for kind, seat in value.items():
            g.medal[constants.BUILDINGS.index(kind)] = seat
    elif field == "legions":
        for region, counts in value.items():
            number = constants.REGIONS.index(region)
            g.legions[number, : len(counts)] = counts
            g.conquered[number] = int(sum(counts) >= table.t.shield[g.small, number])
    elif field == "senate":
        g.senate[: len(value)] = value
        g.senate_size = len(value)
    elif field == "intrigue":
        for province, seats in value.items():
            for seat in seats:
                g.intrigue[constants.PROVINCES.index(province), seat] += 1
                g.intrigue_left[seat] -= 1
    elif np.ndim(value) == 0:
        g[field] = value
    else:
        g[field][: len(value)] = value


def card_number(table: Table, name: str) -> int:
    """Number of a card."""
    return int(table.plan.data.catalog.card_names.index(name))


def out_of_deck(table: Table, name: str) -> int:
    """Take a card out of the trade deck, or from the discards if it lies there alone; return it."""
    g, card = table.g, card_number(table, name)
    place = g.trade_deck[: g.trade_size].tolist().index(card)
    g.trade_deck[place : g.trade_size - 1] = g.trade_deck[place + 1 : g.trade_size]
    g.trade_size -= 1
    return card


# ---- Going on ----


def step(table: Table, wanted: Mapping[str, int] | None) -> bool:
    """Play one step; tell whether it was one in which a decision was asked for, and then answered as wanted."""
    g, asked = table.g, []
    options: list[Option] = []

    def score(g: Any, _t: Any, me: int, decision: int, option: int, _w: Any) -> float:
        if option == 0:
            asked.append((me, decision))
            fields = (g.option_kind, g.option_card, g.option_value, g.option_seat, g.option_place)
            options.extend(Option(*(int(field[place]) for field in fields)) for place in range(g.option_count))
        return 1.0 if wanted is not None and fits(options[option], wanted) else 0.0

    slots, alive = slots_of(table.plan.game, score, len(table.plan.strategies))
    lineup = lineup_record(table.plan.strategies, table.plan.data, table.plan.players)
    table.plan.game.play_step(g, table.t, (slots, lineup))
    del alive
    assert g.error == 0
    if asked:
        table.seat, table.decision = asked[0]
        table.options = options
    return bool(asked)


def fits(option: Option, wanted: Mapping[str, int]) -> bool:
    """Tell whether an option is the one that is wanted."""
    return all(getattr(option, field) == value for field, value in wanted.items())
