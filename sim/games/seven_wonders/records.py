"""Games recorded by other programs or at a table, played through the engine: every difference is reported.

A file holds one JSON object a line (`docs/records.md`). Each turn the recorded coins, hands, shields and prices are
compared with the engine's; then the recorded moves are made by the engine's own kernels, which also keep the state
from there on, so that one wrong number in a record is one difference.

Some points of the rules are open (`rules.toml`). A record that differs under the settings asked for is played again
with other values of the open ones, alone and in pairs; if that removes every difference, it passes and says so.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, TypeVar

import numpy as np
from pydantic import Field, model_validator

from sim.data.catalog import Row, fault, validate_row
from sim.data.json_input import read_lines
from sim.errors import UserError
from sim.games.seven_wonders.building import (
    build_price,
    has_chain,
    list_discard_builds,
    next_stage_item,
    owns_name,
    stage_price,
    take_from_hand,
)
from sim.games.seven_wonders.catalog import Catalog, load_catalog
from sim.games.seven_wonders.compile import build_tables
from sim.games.seven_wonders.scoring import (
    PURPLE,
    SCORE_PARTS,
    TOTAL,
    WONDER,
    copied_guild_points,
    guild_to_copy,
    rank_seats,
)
from sim.games.seven_wonders.setup import clear_table, found_city, shuffle_decks, start_age
from sim.games.seven_wonders.state import left_of, new_games, right_of
from sim.games.seven_wonders.tables import need_lanes
from sim.games.seven_wonders.trade import begin_turn, list_payments, shortfall, unit_price
from sim.games.seven_wonders.turns import (
    act,
    clear_placed,
    discard_hand,
    discard_last_cards,
    end_age,
    may_play_last_card,
    pass_hands,
    prepare_last_card,
    take_discarded,
)
from sim.games.seven_wonders.words import (
    ACTIONS,
    BUILD,
    DISCARD,
    FREE_BUILD,
    LEFT,
    LOG_LAST_CARD,
    LOG_PLAY,
    MANUFACTURED_GOODS,
    NO_CARD,
    RAW_GOODS,
    RESOURCES,
    RIGHT,
    SETTINGS,
    SIDES,
    STAGE,
    Resource,
)
from sim.jit import Record
from sim.rng import start_streams

MAX_COINS = 9999
Coins = Annotated[int, Field(ge=0, le=MAX_COINS)]
Points = Annotated[int, Field(ge=-MAX_COINS, le=MAX_COINS)]
Seat = Annotated[int, Field(ge=0, le=6)]
Name = Annotated[str, Field(min_length=1)]
RowT = TypeVar("RowT", bound=Row)


# ---- The rows of a file ----


class Purchase(Row):
    """Goods bought from one neighbour, with the coins for all of them."""

    side: Literal["left", "right"] = Field(alias="from")
    price: Coins
    resources: dict[Resource, Annotated[int, Field(ge=1, le=99)]]


class RecordedMove(Row):
    """What one seat does in one step, and the prices it sees."""

    p: Seat
    do: Literal["build", "wonder", "discard", "free_build", "build_from_discard", "copy_guild"]
    card: Name
    buy: list[Purchase] = Field(default_factory=list)
    min_price: dict[str, Coins | None] | None = None
    stage_min_price: Coins | None = None


class RecordedStep(Row):
    """One moment in which somebody moves."""

    age: Annotated[int, Field(ge=1, le=3)]
    coins_before: list[Coins]
    military_vp_before: list[Points]
    shields_before: list[Coins]
    hands: list[list[Name] | None]
    moves: list[RecordedMove]

    @property
    def kind(self) -> Literal["turn", "last card", "extra"]:
        """A turn of all, a seventh card, or a building from the discards or copy of a guild."""
        held = sum(hand is not None for hand in self.hands)
        return "turn" if held == len(self.hands) else "last card" if held else "extra"

    @model_validator(mode="after")
    def _moves_fit_the_hands(self) -> RecordedStep:
        movers = [move.p for move in self.moves]
        if len(set(movers)) < len(movers):
            fault("a seat moves twice", field="moves", found=movers, allowed="one move of a seat")
        holders = [seat for seat, hand in enumerate(self.hands) if hand is not None]
        if holders and sorted(movers) != holders:
            fault("wrong number of moves", field="moves", found=movers, allowed=f"one of each of the seats {holders}")
        if not movers:
            fault("nobody moves", field="moves", allowed="one move or more")
        self._moves_fit_the_kind()
        return self

    def _moves_fit_the_kind(self) -> None:
        extra = ["build_from_discard", "copy_guild"]
        played = ["build", "wonder", "discard", "free_build"]
        allowed = extra if self.kind == "extra" else played
        for place, move in enumerate(self.moves, start=1):
            if move.do not in allowed:
                fault("not possible in this step", field=f"moves.{place}.do", found=move.do, allowed=allowed)


class RecordedScore(Row):
    """Victory points of a seat by part, and its coins."""

    blue: Points
    military: Points
    science: Points
    yellow: Points
    guild: Points
    wonder: Points
    treasury: Points
    total: Points
    coins: Points


class RecordedPlayer(Row):
    """The board of a seat."""

    wonder: Name
    side: Literal["A", "B"]


class RecordedGame(Row):
    """One line of a file of records."""

    id: Name
    n: Annotated[int, Field(ge=3, le=7)]
    players: list[RecordedPlayer]
    steps: list[RecordedStep]
    final: list[RecordedScore]
    ranks: list[Annotated[int, Field(ge=1, le=7)]]

    @model_validator(mode="after")
    def _has_an_entry_for_each_player(self) -> RecordedGame:
        for field in ("players", "final", "ranks"):
            self._has_length_n(field, getattr(self, field))
        for number, step in enumerate(self.steps, start=1):
            for field in ("coins_before", "military_vp_before", "shields_before", "hands"):
                self._has_length_n(f"steps.{number}.{field}", getattr(step, field))
            for place, move in enumerate(step.moves, start=1):
                if move.p >= self.n:
                    fault("no such seat", field=f"steps.{number}.moves.{place}.p", found=move.p, allowed=range(self.n))
        return self

    def _has_length_n(self, field: str, entries: Sequence[object]) -> None:
        if len(entries) != self.n:
            fault("wrong number of entries", field=field, found=len(entries), allowed=f"{self.n}, one for each player")


# ---- Reading ----


def faction_id(catalog: Catalog, wonder: str, side: str, **place: Any) -> int:
    """Return the faction of a wonder and side.

    Parameters
    ----------
    catalog
        The boards.
    wonder, side
        Name of the wonder, A or B.
    place
        `file`, `row` and `field` of a `UserError`; to the field the name at fault is added.

    Raises
    ------
    UserError
        There is no such wonder or side.
    """
    place["field"] += ".wonder"
    if wonder not in catalog.wonder_names:
        raise UserError("no such wonder", found=wonder, allowed=catalog.wonder_names, **place)
    if f"{wonder} {side}" not in catalog.faction_names:
        raise UserError("this side of the wonder is not in the tables", found=f"{wonder} {side}", **place)
    return catalog.faction_names.index(f"{wonder} {side}")


def check_card(name: str, names: Iterable[str], message: str, **place: Any) -> None:
    """Check that a card is one of `names`.

    Raises
    ------
    UserError
        It is not; `message` says what it should have been, `place` is as in `faction_id`.
    """
    known = list(names)
    if name not in known:
        raise UserError(message, found=name, allowed=known, **place)


def read_records(path: Path, catalog: Catalog) -> list[tuple[int, RecordedGame]]:
    """Read and check a file of recorded games.

    Returns
    -------
    list
        Number of the line, from 1, and the game.

    Raises
    ------
    UserError
        Anything that is not as the format says, with line and field.
    """
    games = [(line, validate_row(path, row, RecordedGame, line)) for line, row in read_lines(path)]
    for line, game in games:
        _check_players(path, line, game, catalog)
        _check_course(path, line, game, catalog)
        for number, step in enumerate(game.steps, start=1):
            _check_cards(path, line, number, step, catalog)
    return games


def _check_players(path: Path, line: int, game: RecordedGame, catalog: Catalog) -> None:
    wonders = [player.wonder for player in game.players]
    for seat, player in enumerate(game.players, start=1):
        faction_id(catalog, player.wonder, player.side, file=path, row=line, field=f"players.{seat}")
        if player.wonder in wonders[: seat - 1]:
            field = f"players.{seat}.wonder"
            raise UserError("wonder dealt twice", file=path, row=line, field=field, found=player.wonder)


def _check_course(path: Path, line: int, game: RecordedGame, catalog: Catalog) -> None:
    """Check that every age has its turns, in order, and that nothing comes before the first one."""
    turns = catalog.constants.turns_per_age
    ages = [step.age for step in game.steps if step.kind == "turn"]
    if [step.age for step in game.steps] != sorted(step.age for step in game.steps):
        found = [step.age for step in game.steps]
        raise UserError("the ages are out of order", file=path, row=line, field="steps.age", found=found)
    for age in (1, 2, 3):
        if ages.count(age) != turns:
            message = f"wrong number of turns in age {age}"
            raise UserError(message, file=path, row=line, field="steps", found=ages.count(age), allowed=str(turns))
    for number, step in enumerate(game.steps, start=1):
        first = number == 1 or game.steps[number - 2].age < step.age
        if first and step.kind != "turn":
            field = f"steps.{number}.hands"
            raise UserError("an age begins with a turn of all", file=path, row=line, field=field, found=step.hands)
        if first:
            _check_deal(path, line, number, step, catalog.constants.hand_size)
        if step.kind == "last card":
            _check_deal(path, line, number, step, 1)


def _check_deal(path: Path, line: int, number: int, step: RecordedStep, size: int) -> None:
    """Check the number of cards in the hands of a step."""
    for seat, hand in enumerate(step.hands, start=1):
        if hand is not None and len(hand) != size:
            field = f"steps.{number}.hands.{seat}"
            raise UserError(
                "wrong number of cards", file=path, row=line, field=field, found=len(hand), allowed=str(size)
            )


def _check_cards(path: Path, line: int, number: int, step: RecordedStep, catalog: Catalog) -> None:
    """Check that the cards of a step exist: those of hands in its age, others in any age."""
    of_age = [card.name for card in catalog.cards if card.age == step.age]
    for seat, hand in enumerate(step.hands, start=1):
        for place, name in enumerate(hand or [], start=1):
            field = f"steps.{number}.hands.{seat}.{place}"
            check_card(name, of_age, f"no such card in age {step.age}", file=path, row=line, field=field)
    for place, move in enumerate(step.moves, start=1):
        at: dict[str, Any] = {"file": path, "row": line}
        names, message = (catalog.names, "no such card") if step.kind == "extra" else (of_age, f"not of age {step.age}")
        check_card(move.card, names, message, field=f"steps.{number}.moves.{place}.card", **at)
        for name in move.min_price or {}:
            check_card(name, of_age, f"not of age {step.age}", field=f"steps.{number}.moves.{place}.min_price", **at)


# ---- Payments ----


@dataclass(frozen=True)
class Payment:
    """Coins of an action to the bank and the neighbours, and what is wrong with it by the rules.

    Attributes
    ----------
    bank, left, right
        Coins.
    faults
        What the rules do not allow, as sentences; empty for a legal payment.
    """

    bank: int
    left: int
    right: int
    faults: tuple[str, ...] = ()


def payment_for(g: Record, t: Record, city: int, item: int, buy: Sequence[Purchase]) -> Payment:
    """Check what a city buys for a card or stage, by any split the rules allow.

    Parameters
    ----------
    g, t
        Game record at the choices of a turn (after `begin_turn`), and tables.
    city
        The buyer.
    item
        Card or stage that is paid for.
    buy
        The purchases.

    Returns
    -------
    Payment
        With the engine's price for what is bought; where the goods are not to be had, with the prices named.
    """
    bank = int(t.item_coins[item])
    bought = np.zeros((2, len(RESOURCES)), np.int64)
    named = [0, 0]
    price = [0, 0]
    wrong_prices: list[str] = []
    for purchase in buy:
        side = SIDES.index(purchase.side)
        coins = 0
        for resource, units in purchase.resources.items():
            good = RESOURCES.index(resource)
            bought[side, good] += units
            coins += units * int(unit_price(g, t, city, item, side, int(good >= len(RAW_GOODS))))
        named[side] += purchase.price
        price[side] += coins
        if coins != purchase.price:
            wrong_prices.append(
                f"price of {_goods(purchase.resources)} from the {purchase.side}: "
                f"recorded {purchase.price}, engine {coins}"
            )
    faults = _faults_of_goods(g, t, city, item, bought)
    left, right = named if faults else price
    faults += wrong_prices
    if bank + left + right > g.spendable[city]:
        faults.append(f"recorded {bank + left + right} coins paid, engine {g.spendable[city]} to spend")
    return Payment(bank, left, right, tuple(faults))


def _goods(resources: Mapping[Any, int]) -> str:
    return " and ".join(f"{units} {resource}" for resource, units in resources.items()) or "nothing"


def _faults_of_goods(g: Record, t: Record, city: int, item: int, bought: Any) -> list[str]:
    """What is wrong with goods bought: units by side and resource."""
    faults = []
    for side, neighbour in ((LEFT, left_of(g, city)), (RIGHT, right_of(g, city))):
        if _units_missing(bought[side], g.sold_raw[neighbour], g.sold_manufactured[neighbour]):
            goods = {good: int(units) for good, units in zip(RESOURCES, bought[side], strict=True) if units}
            faults.append(f"recorded {_goods(goods)} from the {SIDES[side]}, engine: this neighbour does not sell that")
    need = t.item_need[item] - bought.sum(axis=0)
    unneeded = {good: int(-units) for good, units in zip(RESOURCES, need, strict=True) if units < 0}
    if unneeded:
        faults.append(f"recorded {_goods(unneeded)} bought, engine: not needed")
    missing = _units_missing(np.maximum(need, 0), g.own_raw[city], g.own_manufactured[city])
    if missing:
        faults.append(f"recorded {int(bought.sum())} goods bought, engine {missing} more needed")
    return faults


def _units_missing(units: Any, raw: Any, manufactured: Any) -> int:
    """Units of goods, by resource, that supplies cannot give."""
    if max(sum(units[: len(RAW_GOODS)]), sum(units[len(RAW_GOODS) :])) > 7:
        return int(sum(units))  # more than fits the lanes, and more than any card needs
    need_raw = np.uint64(need_lanes([int(count) for count in units[: len(RAW_GOODS)]]))
    need_manufactured = np.uint64(need_lanes([int(count) for count in units[len(RAW_GOODS) :]]))
    assert len(units) == len(RAW_GOODS) + len(MANUFACTURED_GOODS)
    return int(shortfall(need_raw, raw) + shortfall(need_manufactured, manufactured))


def cheapest_payment(g: Record, t: Record, city: int, item: int) -> Payment | None:
    """Return the payment of fewest coins, of several the one with the fewest to the left; None if there is none."""
    count = list_payments(g, t, city, item)
    pairs = [(int(g.option_left[option]), int(g.option_right[option])) for option in range(count)]
    if not pairs:
        return None
    left, right = min(pairs, key=lambda pair: (sum(pair), pair[0]))
    return Payment(int(t.item_coins[item]), left, right)


def set_choice(g: Record, city: int, card: int, action: int, payment: Payment) -> None:
    """Write down what a city does this turn, for `turns.act`."""
    g.choice_card[city] = card
    g.choice_action[city] = action
    g.choice_bank[city] = payment.bank
    g.choice_left[city] = payment.left
    g.choice_right[city] = payment.right


FREE = Payment(0, 0, 0)


# ---- Playing a record ----


class _LostTrackError(Exception):
    """The record can be followed no further, or not needed any further."""


class _Replay:
    """One recorded game as the engine plays it.

    Parameters
    ----------
    game
        The record.
    catalog, t
        Cards and their tables, with the settings to play by.
    first_only
        Stop at the first difference.
    """

    def __init__(self, game: RecordedGame, catalog: Catalog, t: Record, first_only: bool) -> None:
        self.game = game
        self.catalog = catalog
        self.t = t
        self.first_only = first_only
        self.differences: list[str] = []
        self.step_number = 0
        self.under_way = False  # a turn has been played and not yet ended
        self.last_card_played = False
        self.discard_built = False
        self.table = new_games(1)
        self.g: Any = self.table[0]

    def play(self) -> list[str]:
        """Play the whole record; return its differences."""
        try:
            self.set_up()
            for step in self.game.steps:
                self.step_number += 1
                self.play_step(step)
            self.end_turn()
            self.compare_final()
        except _LostTrackError:
            pass
        return self.differences

    def differ(self, field: str, recorded: object, engine: object, seat: int | None = None) -> None:
        """Report a difference."""
        self.report(f"{field}: recorded {_text(recorded)}, engine {_text(engine)}", seat)

    def report(self, text: str, seat: int | None = None) -> None:
        """Report something wrong, with its place."""
        place = "end of the game"
        if self.step_number and not self.g.finished:
            place = f"step {self.step_number}, age {self.g.age}, turn {self.g.turn}"
        elif not self.step_number:
            place = "set-up"
        if seat is not None:
            player = self.game.players[seat]
            place += f", seat {seat} ({player.wonder} {player.side})"
        self.differences.append(f"{place}, {text}")
        if self.first_only:
            raise _LostTrackError

    # -- Set-up --

    def set_up(self) -> None:
        """Lay out the boards, and as decks the recorded deals."""
        g, t = self.g, self.t
        start_streams(g, 0, 0, 0)
        clear_table(g, self.game.n)
        shuffle_decks(g, t)
        for seat, player in enumerate(self.game.players):
            g.faction[seat] = self.catalog.faction_names.index(f"{player.wonder} {player.side}")
            found_city(g, t, seat)
        first_steps = {step.age: step for step in reversed(self.game.steps)}
        for age in (1, 2, 3):
            self.stack_deck(age, first_steps[age].hands)
        start_age(g, t, 1)

    def stack_deck(self, age: int, hands: Sequence[Sequence[str] | None]) -> None:
        """Check that hands are a possible deal of an age; put them where the engine deals from."""
        g = self.g
        size = int(g.deck_size[age - 1])
        dealt = [self.catalog.card_id(name, age) for hand in hands for name in hand or []]
        self.compare_deal(age, Counter(g.deck[age - 1, :size].tolist()), Counter(dealt))
        g.deck[age - 1, : len(dealt)] = dealt
        g.deck_size[age - 1] = len(dealt)

    def compare_deal(self, age: int, deck: Counter[int], dealt: Counter[int]) -> None:
        """Compare a deal with the deck: the same cards, but any guilds, as many and each once."""
        guilds = {card for card in range(self.t.cards) if self.t.card_guild[card]}
        for card in sorted((deck | dealt).keys() - guilds):
            if deck[card] != dealt[card]:
                name = self.catalog.cards[card].name
                self.differ(f"deal of age {age}: copies of {name}", dealt[card], deck[card])
        repeated = [self.catalog.cards[card].name for card in sorted(guilds) if dealt[card] > 1]
        if repeated:
            self.differ(f"deal of age {age}: guilds dealt twice", repeated, "each guild once")
        counts = [sum(cards[card] for card in guilds) for cards in (dealt, deck)]
        if counts[0] != counts[1]:
            self.differ(f"deal of age {age}: number of guilds", counts[0], counts[1])

    # -- Steps --

    def play_step(self, step: RecordedStep) -> None:
        """Compare and play one step."""
        if step.kind == "turn":
            self.play_turn(step)
        elif step.kind == "last card":
            self.play_last_card(step)
        else:
            self.play_extra(step)

    def play_turn(self, step: RecordedStep) -> None:
        """Compare and play a turn of all."""
        if self.under_way:
            self.end_turn()
        begin_turn(self.g)
        self.compare_table(step)
        self.compare_hands(step)
        self.choose_all(step)
        act(self.g, self.t, LOG_PLAY)
        if self.g.turn == self.t.turns_per_age:
            discard_last_cards(self.g, self.t)
        self.under_way = True

    def play_last_card(self, step: RecordedStep) -> None:
        """Compare and play the seventh card of a city with that power (Babylon B)."""
        self.compare_table(step)
        for move in step.moves:
            if not self.has_last_card(move.p):
                self.report("moves: the recorded seventh card is not for this seat to play", move.p)
                self.give_up()
            if self.t.last_card_before_discard_build and self.discard_built:
                self.report("order: recorded seventh card after the building from the discards, engine before", move.p)
            prepare_last_card(self.g, self.t, move.p)
        self.compare_hands(step)
        self.choose_all(step)
        act(self.g, self.t, LOG_LAST_CARD)
        self.last_card_played = True

    def has_last_card(self, seat: int) -> bool:
        """Tell whether a seat holds a seventh card that it may play now."""
        of_age = self.g.turn == self.t.turns_per_age and self.g.hand_size[seat] > 0
        return bool(of_age and may_play_last_card(self.g, self.t, seat))

    def choose_all(self, step: RecordedStep) -> None:
        """Compare the prices of all, then make the choices of all."""
        for move in step.moves:
            self.compare_prices(step, move)
        playable = [self.choose(step, move) for move in step.moves]
        if not all(playable):
            self.give_up()

    def give_up(self) -> NoReturn:
        """Follow the record no further: what comes after a move the engine cannot make means nothing."""
        self.report("the record cannot be followed from here on")
        raise _LostTrackError

    def play_extra(self, step: RecordedStep) -> None:
        """Compare and play buildings from the discards and copies of guilds."""
        copies = any(move.do == "copy_guild" for move in step.moves)
        if copies and self.g.age == 3 and self.g.turn == self.t.turns_per_age:
            self.end_turn()
        self.compare_table(step)
        for move in step.moves:
            if move.do == "copy_guild":
                self.copy_guild(move)
            else:
                self.build_from_discard(move)

    def end_turn(self) -> None:
        """End the turn under way: hands are passed, or the age ends."""
        g, t = self.g, self.t
        if not self.under_way:
            return
        for seat in range(self.game.n):
            if self.has_last_card(seat):
                self.differ("moves", "no seventh card played", "a seventh card to play", seat)
                discard_hand(g, seat)
            g.discard_builds_due[seat] = 0
        if g.turn == t.turns_per_age:
            end_age(g, t)
        else:
            pass_hands(g, t)
            g.turn += 1
        clear_placed(g)
        self.under_way = self.last_card_played = self.discard_built = False

    # -- What was seen --

    def compare_table(self, step: RecordedStep) -> None:
        """Compare what lies open: coins, shields, military points."""
        g = self.g
        for seat in range(self.game.n):
            for field, recorded, engine in (
                ("coins_before", step.coins_before, g.coins),
                ("military_vp_before", step.military_vp_before, g.conflict_points),
                ("shields_before", step.shields_before, g.shields),
            ):
                if recorded[seat] != engine[seat]:
                    self.differ(field, recorded[seat], engine[seat], seat)

    def hand_of(self, seat: int) -> list[str]:
        """Return the names in a hand."""
        return [self.catalog.cards[card].name for card in self.g.hand[seat, : self.g.hand_size[seat]]]

    def compare_hands(self, step: RecordedStep) -> None:
        """Compare hands, in any order."""
        for seat, hand in enumerate(step.hands):
            if hand is None:
                continue
            recorded, engine = Counter(hand), Counter(self.hand_of(seat))
            if recorded != engine:
                self.differ(
                    "hands", sorted((recorded - engine).elements()), sorted((engine - recorded).elements()), seat
                )

    def compare_prices(self, step: RecordedStep, move: RecordedMove) -> None:
        """Compare the least prices of the cards in hand and of the next stage, as far as they are recorded."""
        seat = move.p
        recorded = move.min_price
        if recorded is not None:
            hand = set(self.hand_of(seat))
            if set(recorded) not in (hand, set(step.hands[seat] or [])):
                self.differ("min_price: cards", sorted(recorded), sorted(hand), seat)
            for name, price in recorded.items():
                self.compare_price(f"min_price of {name}", price, self.price_of(seat, name), seat)
        if "stage_min_price" in move.model_fields_set:
            self.compare_price("stage_min_price", move.stage_min_price, int(stage_price(self.g, self.t, seat)), seat)

    def price_of(self, seat: int, name: str) -> int:
        """Return the engine's least price for a card of this age, below 0 if it cannot be built."""
        return int(build_price(self.g, self.t, seat, self.catalog.card_id(name, int(self.g.age))))

    def compare_price(self, field: str, recorded: int | None, engine: int, seat: int) -> None:
        """Compare a price with that of the engine."""
        if recorded != (engine if engine >= 0 else None):
            self.differ(field, recorded, engine if engine >= 0 else None, seat)

    # -- Moves --

    def choose(self, step: RecordedStep, move: RecordedMove) -> bool:
        """Check a move and write it down for the engine; False if the engine cannot make it at all."""
        g, seat = self.g, move.p
        card = self.catalog.card_id(move.card, int(g.age))
        action = ACTIONS.index(move.do)
        playable = self.holds(step, seat, card)
        if action == STAGE and next_stage_item(g, self.t, seat) < 0:
            self.report("wonder: recorded a stage, engine: the wonder is complete", seat)
            playable = False
        if not playable:
            return False
        set_choice(g, seat, card, action, self.payment(move, card, action))
        take_from_hand(g, seat, card)
        return True

    def holds(self, step: RecordedStep, seat: int, card: int) -> bool:
        """Check that a card is in hand; a recorded hand that differs, and has it, is taken over from here on."""
        g = self.g
        if card in g.hand[seat, : g.hand_size[seat]]:
            return True
        name = self.catalog.cards[card].name
        recorded = step.hands[seat] or []
        if name in recorded and len(recorded) == g.hand_size[seat]:
            g.hand[seat, : len(recorded)] = [self.catalog.card_id(other, int(g.age)) for other in recorded]
            return True
        self.differ("card", f"{name} played", "not in hand", seat)
        return False

    def payment(self, move: RecordedMove, card: int, action: int) -> Payment:
        """Check that an action may be taken and how it is paid; return what is paid."""
        g, t, seat = self.g, self.t, move.p
        if action in (BUILD, FREE_BUILD) and owns_name(g, t, seat, card):
            self.report(f"{move.do}: recorded {move.card}, engine: the city has one already", seat)
        if action == FREE_BUILD and g.free_builds_left[seat] == 0:
            self.report(f"free_build: recorded {move.card}, engine: no free building left", seat)
        if action in (DISCARD, FREE_BUILD) or (action == BUILD and has_chain(g, t, seat, card)):
            if move.buy:
                self.report(f"buy: recorded a purchase for {move.do} of {move.card}, engine: this costs nothing", seat)
            return FREE
        return self.paid(move, card if action == BUILD else int(next_stage_item(g, t, seat)))

    def paid(self, move: RecordedMove, item: int) -> Payment:
        """Check a recorded payment; where none is recorded but one is needed, go on with the cheapest."""
        payment = payment_for(self.g, self.t, move.p, item, move.buy)
        for text in payment.faults:
            self.report(f"buy: {text}", move.p)
        if payment.faults and not move.buy:
            return cheapest_payment(self.g, self.t, move.p, item) or payment
        return payment

    def build_from_discard(self, move: RecordedMove) -> None:
        """Check and make a free building from the discard pile (Halikarnassos)."""
        g, t, seat = self.g, self.t, move.p
        if g.finished or g.discard_builds_due[seat] == 0:
            self.report(f"build_from_discard: recorded {move.card}, engine: no such building is due", seat)
            return
        if not t.last_card_before_discard_build and self.last_card_played:
            self.report("order: recorded building from the discards after the seventh card, engine before", seat)
        pile = [card for card in g.discards[: g.discards_size] if self.catalog.cards[card].name == move.card]
        if not pile:
            self.report(f"build_from_discard: recorded {move.card}, engine: not among the discards", seat)
            return
        count = list_discard_builds(g, t, seat)
        if pile[0] not in g.option_card[:count]:
            self.report(f"build_from_discard: recorded {move.card}, engine: the city has one already", seat)
        g.discard_builds_due[seat] -= 1
        take_discarded(g, t, seat, int(pile[0]))
        self.discard_built = True

    def copy_guild(self, move: RecordedMove) -> None:
        """Check the copy of a guild (Olympia B) and score it instead of the best one: the owner may choose."""
        g, t, seat = self.g, self.t, move.p
        if not g.finished:
            self.report(f"copy_guild: recorded {move.card}, engine: guilds are copied at the end of the game", seat)
            return
        if not g.copies_guild[seat]:
            self.report(f"copy_guild: recorded {move.card}, engine: the city has no such power", seat)
            return
        guild = self.neighbours_guild(seat, move.card)
        if guild == NO_CARD:
            self.report(f"copy_guild: recorded {move.card}, engine: no such guild at the neighbours", seat)
            return
        best = guild_to_copy(g, t, seat)
        change = copied_guild_points(g, t, seat, guild) - copied_guild_points(g, t, seat, best)
        g.score[seat, WONDER] += change
        g.score[seat, TOTAL] += change
        rank_seats(g)

    def neighbours_guild(self, seat: int, name: str) -> int:
        """Return the guild of that name that a seat may copy, NO_CARD if there is none."""
        g = self.g
        for bit, neighbour in ((1, left_of(g, seat)), (4, right_of(g, seat))):
            for card in g.city_cards[neighbour, : g.city_size[neighbour]]:
                is_guild = self.t.card_colour[card] == PURPLE and self.catalog.cards[card].name == name
                if g.copies_guild[seat] & bit and is_guild:
                    return int(card)
        return NO_CARD

    # -- End --

    def compare_final(self) -> None:
        """Compare scores by part, coins and ranks."""
        for seat, final in enumerate(self.game.final):
            engine = score_of(self.g, seat) | {"coins": int(self.g.coins[seat])}
            for field, points in final.model_dump().items():
                if points != engine[field]:
                    self.differ(f"final {field}", points, engine[field], seat)
        for seat, rank in enumerate(self.game.ranks):
            if rank != self.g.rank[seat]:
                self.differ("rank", rank, self.g.rank[seat], seat)


SCORE_FIELDS = ("blue", "military", "science", "yellow", "guild", "wonder", "treasury")
"""The score parts in the order of the record format."""


def score_of(g: Record, city: int) -> dict[str, int]:
    """Return the score of a city by part, and its total, as the kernels of `scoring.py` have left it."""
    parts = {part: int(g.score[city, SCORE_PARTS.index(part)]) for part in SCORE_FIELDS}
    return parts | {"total": int(g.score[city, TOTAL])}


def _text(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing else"
    return str(value)


# ---- Verifying ----


@dataclass(frozen=True)
class RecordCheck:
    """What came of verifying one record.

    Attributes
    ----------
    id
        Name of the record.
    line
        Its line in the file, from 1.
    differences
        Every difference from the engine, as readable lines; empty if the record passes.
    settled
        Settings that had to be other than asked for to remove all differences: their value and the value asked for.
    settings
        All settings the record was played by.
    """

    id: str
    line: int
    differences: tuple[str, ...]
    settled: Mapping[str, tuple[object, object]]
    settings: Mapping[str, object]


def verify_file(path: str | Path, settings: Mapping[str, object] | None = None) -> list[RecordCheck]:
    """Play every record of a file through the engine and report all differences.

    Parameters
    ----------
    path
        File of recorded games, one JSON object a line.
    settings
        Values that override those of `rules.toml`; they are not tried otherwise.

    Returns
    -------
    list of RecordCheck
        In the order of the file.

    Raises
    ------
    UserError
        The file cannot be read or is not as the format says; unknown settings.
    """
    path = Path(path)
    given = dict(settings or {})
    catalog = load_catalog(settings=given)
    variants = _Variants(
        catalog, [name for name in catalog.open_settings if name not in given and not name.startswith("free_city")]
    )
    return [_check(line, game, variants) for line, game in read_records(path, catalog)]


class _Variants:
    """Catalogues and tables of the settings asked for and of other values of open ones, made when first needed."""

    def __init__(self, catalog: Catalog, open_settings: Sequence[str]) -> None:
        self.catalog = catalog
        asked = catalog.settings
        self.changes = [{name: value} for name in open_settings for value in SETTINGS[name] if value != asked[name]]
        self.tables: dict[tuple[tuple[str, object], ...], tuple[Catalog, Record]] = {}

    def with_change(self, change: Mapping[str, object]) -> tuple[Catalog, Record]:
        """Return catalogue and tables with some settings changed."""
        key = tuple(change.items())
        if key not in self.tables:
            catalog = dataclasses.replace(self.catalog, settings={**self.catalog.settings, **change})
            self.tables[key] = catalog, build_tables(catalog)
        return self.tables[key]

    def first_difference(self, game: RecordedGame, change: Mapping[str, object]) -> str | None:
        """Return the first difference of a game played with some settings changed, None if there is none."""
        differences = _Replay(game, *self.with_change(change), first_only=True).play()
        return differences[0] if differences else None

    def that_explain(self, game: RecordedGame, first: str) -> dict[str, object] | None:
        """Return the change of one open setting or two that removes all differences, None if there is none.

        Two are tried together where one of them alone changes the first difference.
        """
        telling = []
        for change in self.changes:
            difference = self.first_difference(game, change)
            if difference is None:
                return change
            if difference != first:
                telling.append(change)
        for one, other in product(telling, self.changes):
            if one.keys() != other.keys() and self.first_difference(game, one | other) is None:
                return one | other
        return None


def _check(line: int, game: RecordedGame, variants: _Variants) -> RecordCheck:
    """Verify one record, first by the settings asked for."""
    asked = variants.catalog.settings
    differences = _Replay(game, *variants.with_change({}), first_only=False).play()
    change = variants.that_explain(game, differences[0]) if differences else None
    if change is None:
        return RecordCheck(game.id, line, tuple(differences), {}, asked)
    settled = {name: (value, asked[name]) for name, value in change.items()}
    return RecordCheck(game.id, line, (), settled, {**asked, **change})


def summary_lines(results: Sequence[RecordCheck]) -> list[str]:
    """Tell what came of verifying a file: a line for each record, its differences below, and a count."""
    lines = []
    for result in results:
        count = len(result.differences)
        verdict = "no difference" if count == 0 else f"{count} difference{'s' if count > 1 else ''}"
        if result.settled:
            settled = (f"{name} = {_toml(new)} (default {_toml(old)})" for name, (new, old) in result.settled.items())
            verdict += f" with {' and '.join(settled)}"
        lines.append(f"{result.id}: {verdict}")
        lines.extend(f"  {difference}" for difference in result.differences)
    passed = sum(not result.differences for result in results)
    lines.append(f"{passed} of {len(results)} recorded games without difference")
    return lines


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
