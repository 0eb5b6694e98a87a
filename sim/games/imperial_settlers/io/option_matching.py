"""Which option of a decision the JSON of a move names.

The engine itself plays a move, step by step, and stops at every decision (`pausing.py`). Here the option is found that
the move gives for it, or the one that is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.compiler.kernel import Record
from sim.engine.effect_stack import FRAME_AT, FRAME_CARD, FRAME_VALUE
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io.move_answers import Given
from sim.games.imperial_settlers.io.moves import DEALS_NAME, FOUNDATION_NAME, SLAVER, VIRTUAL_NAME, PositionMove
from sim.games.imperial_settlers.io.naming import (
    card_name,
    cards_in,
    is_called,
    is_variant,
    location_name,
    location_named,
)
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.payment import paid_of
from sim.games.shared.stepping import IllegalMoveError

NOBODY = -1
"""Card of a step that no effect waits for."""
GIVES_A_GOOD = (constants.TAKE_RESOURCE, constants.COPY_RAZE_GOOD)
"""Operations whose options tell goods apart, too."""
DRAW_NAMES = {"common": constants.COMMON_DECK, "faction": constants.FACTION_DECK}


@dataclass(frozen=True)
class Option:
    """An option of a decision, as `sim.engine.options` lists it."""

    place: int
    kind: int
    card: int
    value: int
    seat: int


@dataclass(frozen=True)
class Asked:
    """A decision: whose, which (`words.DECISIONS`), for which operation and card, of which good; and its options.

    `g` is the game as the step began, `stopped` the record in which the rest of the step has run on regardless.
    """

    g: Any
    stopped: Any
    seat: int
    decision: int
    operation: int
    card: int
    good: int
    options: tuple[Option, ...]


def read_asked(before: Record, g: Record) -> Asked:
    """Return the decision at which a game has been stopped; `before` is the game as the step began."""
    options = tuple(
        Option(
            place,
            int(g.option_kind[place]),
            int(g.option_card[place]),
            int(g.option_value[place]),
            int(g.option_seat[place]),
        )
        for place in range(int(g.option_count))
    )
    numbers = (g.paused_seat, g.paused_decision, g.paused_asked, g.paused_card, g.paused_good)
    seat, decision, operation, card, good = map(int, numbers)
    return Asked(before, g, seat, decision, operation, card, good, options)


def seat_word(g: Record, seat: int) -> str:
    """Return what a seat, or the virtual player, is called in a reason."""
    return "the virtual player" if g.solo and seat == constants.VIRTUAL else f"seat {seat}"


def seat_meant(g: Record, target: object) -> int:
    """Return the seat that a target means, the virtual player's number included."""
    if target == VIRTUAL_NAME:
        if not g.solo:
            raise IllegalMoveError("there is no virtual player")
        return constants.VIRTUAL
    assert isinstance(target, int)
    if target >= g.players:
        raise IllegalMoveError(f"there is no seat {target}")
    return target


class Answers:
    """What one move answers to the decisions that it brings.

    Parameters
    ----------
    g, t, catalog
        The game as the move begins; tables and cards.
    move
        The move.
    root
        The card that the move names, NOBODY for none.
    turn
        Finds the option of the turn that the move means: `turn(asked)`.
    """

    def __init__(
        self,
        g: Record,
        t: Record,
        catalog: Catalog,
        move: PositionMove,
        root: int,
        turn: Callable[[Asked], int],
    ) -> None:
        self.t, self.catalog, self.move, self.root_card, self.turn = t, catalog, move, root, turn
        self.seat = move.p if move.p is not None else constants.NO_SEAT
        self.used_before = int(g.used[root]) if root != NOBODY else 0
        self.root = Given("the move", move)
        self.uses = [Given("the move", decisions, self.root) for decisions in move.each or []]
        self.nothing = Given("the move", None)
        self.choices = {name: Given(name, decisions) for name, decisions in move.choices.items()}
        self.of_card: dict[int, Given] = {}
        self.built: dict[int, Given] = {}
        for name, given in self.choices.items():
            card = location_named(g, catalog, self.seat, name) if self.seat != constants.NO_SEAT else None
            if card is not None:
                self.of_card[card] = given
        self.losses = [move.loses] if isinstance(move.loses, str) else list(move.loses or [])
        self.pairs = list(move.wanted or [])
        self.chain: list[int] = []
        self.uses_made = 0
        self.tokens_spent = 0
        self.placed = 0

    @property
    def all_given(self) -> list[Given]:
        """All that the move gives."""
        return [self.root, *self.uses, *self.choices.values(), *self.built.values()]

    # ---- Whose decisions ----

    def begin_step(self, g: Record) -> None:
        """Remember which card's effect is next, and by whose effect it produces."""
        self.chain = []
        frame = int(g.depth) - 1
        while frame >= 0:
            self.chain.append(int(g.frame[frame, FRAME_CARD]))
            if g.frame[frame, FRAME_AT] < 0 or g.frame[frame, FRAME_VALUE] != 1:
                return
            frame -= 1

    def note_uses(self, g: Record) -> None:
        """Note how often the location that the move names has been used by it."""
        if self.root_card != NOBODY:
            self.uses_made = max(self.uses_made, int(g.used[self.root_card]) - self.used_before)

    def given(self, asked: Asked, key: str) -> Given:
        """Return where the decision about something under a key is to be looked for."""
        own = asked.card
        if asked.decision in (constants.DRAW, constants.KEEP):
            own = self.chain[0] if self.chain else NOBODY
        if len(self.chain) > 1 and own == self.chain[0]:
            return self._of_nested(asked, own, key)
        return self._of(asked, own)

    def _of_nested(self, asked: Asked, own: int, key: str) -> Given:
        """Where to look for what a location decides that another lets produce: with one of those, or under its name."""
        outer = self._of(asked, self.chain[-1])
        if key in outer.asked:
            outer = self.nothing
        between = [self._choice(asked.g, card) for card in self.chain[1:-1]]
        places = [self._choice(asked.g, own), *between, outer]
        if self.move.do == "produce":
            places.reverse()
        return next((given for given in places if given.has(key)), places[-1])

    def _of(self, asked: Asked, card: int) -> Given:
        """Where to look for the decisions of a card."""
        if card == NOBODY:
            return self.choices.get(DEALS_NAME, self.nothing) if self.move.do == "produce" else self.root
        if asked.decision == constants.BRANCH and card_name(self.catalog, card) == SLAVER:
            return self.choices.get(SLAVER, self.nothing)
        if card == self.root_card:
            number = int(asked.stopped.used[card]) - self.used_before - 1
            return self.uses[number] if 0 <= number < len(self.uses) else self.root
        if card in self.built:
            return self.built[card]
        if card in self.of_card:
            return self.of_card[card]
        if self.move.do == "produce":
            return self._choice(asked.g, card)
        if int(self.t.kind[card]) == constants.FEATURE:
            return self._choice(asked.g, card)
        return self.root

    def _choice(self, g: Record, card: int) -> Given:
        """Return what stands under `choices` for a location."""
        if card in self.of_card:
            return self.of_card[card]
        # A location given up in the same move leaves its name to the next one so called.
        here = cards_in(g, int(g.owner[card]), constants.LOCATIONS)
        named = [given for other, given in self.of_card.items() if other in here]
        for name in (location_name(g, self.catalog, card), card_name(self.catalog, card)):
            if name in self.choices and self.choices[name] not in named:
                return self.choices[name]
        return self.nothing

    # ---- Answers ----

    def answer(self, asked: Asked) -> int:
        """Return the place of the option that the move means.

        Raises
        ------
        IllegalMoveError
            What it names is no option, or it names nothing and there are several.
        """
        if asked.decision == constants.TURN:
            return self.turn(asked)
        if asked.decision == constants.SOURCE:
            return 0
        ways: dict[int, Callable[[Asked], int]] = {
            constants.TAKE: self.turn,
            constants.DRAW: self._draw,
            constants.GIVE_UP: self._give_up,
            constants.PAY: self._pay,
            constants.PICK: self._pick,
            constants.BRANCH: self._branch,
            constants.KEEP: self._keep,
            constants.MORE_PAIRS: self._more_pairs,
            constants.CONVERT: self._convert,
            constants.LOSE: self._lose,
        }
        return ways[asked.decision](asked)

    def _draw(self, asked: Asked) -> int:
        """Deck of the next card: as given, else common."""
        wanted = self.given(asked, "draw").next("draw")
        for option in asked.options:
            if option.value == DRAW_NAMES[wanted or "common"]:
                return option.place
        if wanted is not None:
            raise IllegalMoveError(f"the {wanted} deck has no card to draw")
        return 0

    def _give_up(self, asked: Asked) -> int:
        """Location or foundation that is discarded."""
        name = self.move.discard if asked.card == self.root_card else None
        options = asked.options
        if name == FOUNDATION_NAME:
            options = tuple(option for option in options if option.kind == constants.FOUNDATION)
            if not options:
                raise IllegalMoveError("there is no foundation to discard")
        elif name is not None:
            card = location_named(asked.g, self.catalog, self.seat, name)
            options = tuple(option for option in options if option.card == card and card is not None)
            if not options:
                raise IllegalMoveError(f"{name} is no location that can be discarded")
        return self.one_of(asked, options, "what is discarded")

    def _pay(self, asked: Asked) -> int:
        """Payment: as given, else with as little gold as can be."""
        if not asked.stopped.due.any() and not asked.stopped.due_any:
            return 0
        wanted = self.given(asked, "pay").value("pay")
        if wanted is not None:
            for option in asked.options:
                if all(number == self._paid(asked, option, good) for good, number in wanted):
                    return option.place
            raise IllegalMoveError(f"{card_name(self.catalog, asked.card)} cannot be paid with {amounts(wanted)}")
        gold = [paid_of(option.value, constants.GOLD) for option in asked.options]
        least = [option for option in asked.options if gold[option.place] == min(gold)]
        return self.one_of(asked, least, "what is paid", _payment_name)

    def _paid(self, asked: Asked, option: Option, good: str) -> int:
        """Number of a good that a payment holds; what leaves no choice is due besides."""
        number = constants.GOODS.index(good)
        return int(paid_of(option.value, number) if number <= constants.GOLD else asked.stopped.due[number])

    def _branch(self, asked: Asked) -> int:
        """Branch of an effect: the good taken, or what is paid."""
        given = self.given(asked, "take")
        if asked.operation == constants.OP_MAY:
            return self._branch_paid(asked, given)
        wanted = given.value("take")
        options = asked.options
        if wanted is not None:
            options = tuple(option for option in options if self._branch_gives(option, wanted))
            if not options:
                raise IllegalMoveError(f"{card_name(self.catalog, asked.card)} does not give {wanted}")
        return self.one_of(asked, options, "what is taken", self._branch_name)

    def _branch_name(self, _: Record, option: Option) -> str:
        """Return what a branch is called in a reason: the good that it begins with."""
        row = self.t.code[option.value]
        return (
            constants.GOODS[int(row[constants.A])] if row[constants.OPERATION] == constants.GAIN else "another effect"
        )

    def _branch_gives(self, option: Option, good: str) -> bool:
        """Tell whether a branch begins with gaining a good."""
        row = self.t.code[option.value]
        return bool(row[constants.OPERATION] == constants.GAIN and constants.GOODS[int(row[constants.A])] == good)

    def _branch_paid(self, asked: Asked, given: Given) -> int:
        """Branch of an effect that may be left: the one with this price, none without a payment."""
        wanted = given.value("pay")
        number = sum(number for _, number in wanted) if wanted is not None else 0
        for option in asked.options:
            if option.value == constants.STOP and number == 0:
                return option.place
            row = self.t.code[option.value]
            if option.value == constants.STOP or row[constants.OPERATION] != constants.SWAP:
                continue
            good, price = int(row[constants.A]), int(row[constants.B])
            if (
                number == price == getattr(wanted, constants.GOODS[good], 0)
                and asked.g.goods[asked.seat, good] >= price
            ):
                return option.place
        raise IllegalMoveError(f"{card_name(self.catalog, asked.card)} cannot be paid with {amounts(wanted)}")

    def _keep(self, asked: Asked) -> int:
        """Card that is kept."""
        name = self.given(asked, "keep").value("keep")
        asked = replace(asked, card=self.chain[0] if self.chain else NOBODY)
        options = asked.options if name is None else self.cards_so_called(asked.options, name)
        if not options:
            raise IllegalMoveError(f"{name} is not among the cards looked at")
        return self.one_of(asked, options, "the card kept")

    def _more_pairs(self, asked: Asked) -> int:
        """Next pair of workers, or no more of them."""
        return pair_option(asked, self.pairs.pop(0) if self.pairs else None)

    def _convert(self, asked: Asked) -> int:
        """Whether a good is turned into points."""
        converts = self.given(asked, "convert").converts(constants.GOODS[asked.good])
        return next(option.place for option in asked.options if option.value == int(converts))

    def _lose(self, asked: Asked) -> int:
        """Location that the virtual player takes; the JSON says so only where the rules leave the choice."""
        for name in self.losses[:1]:
            named = [option for option in asked.options if self._is_called(asked.g, option, name)]
            named += self.cards_so_called(asked.options, name)
            if named:
                self.losses.pop(0)
                return named[0].place
        if len(asked.options) > 1 and self.losses:
            raise IllegalMoveError(f"the virtual player does not take {self.losses[0]}")
        return self.one_of(asked, asked.options, "the location that is lost")

    # ---- What an operation is aimed at ----

    def _pick(self, asked: Asked) -> int:
        """Card, location, deal, seat or good that an operation is aimed at."""
        given = self.given(asked, "at")
        options: Sequence[Option] = asked.options
        operation = asked.operation
        if operation == constants.OPPONENT_DISCARDS and asked.seat != self.seat:
            return self._named_card(asked, given.value("gives"), f"in the hand of seat {asked.seat}")
        if operation in (constants.PAY_WITH_CARD, constants.FOUND_FROM_HAND):
            return self._named_card(asked, given.value("card"), "a hand card that can be meant")
        if operation == constants.BUILD_FROM_HAND:
            return self._build(asked, given, None)
        if operation == constants.BUILD_DEAL:
            return self._build(asked, given, given.value("deal"))
        if operation == constants.PLACE_SAMURAI:
            return self._guarded(asked, given.next("samurai"))
        if operation in (constants.PAY_WITH_DEAL, constants.GAIN_DEAL_GOOD):
            return self._named_deal(asked, options, given)
        if operation == constants.RAZE_EITHER:
            return self._raze_either(asked, given)
        options = self._aimed(asked, options, given)
        if operation in (constants.DISCARD_DEAL, constants.TAKE_DEAL):
            return self._named_deal(asked, options, given)
        if operation in GIVES_A_GOOD:
            options = self._of_good(asked, options, given)
        if operation in (constants.TAKE_RESOURCE, constants.OPPONENT_DISCARDS):
            return self._one_of_several(asked, options, "the opponent")
        return self._located(asked, options, given.value("at"), "at")

    def _guarded(self, asked: Asked, name: str | None) -> int:
        """Location that gets the next samurai; where there are enough for all, nothing is to be chosen."""
        row = self.t.code[asked.g.frame[int(asked.g.depth) - 1, FRAME_AT]]
        if name is None and len(asked.options) <= int(row[constants.A]) - self.placed:
            self.placed += 1
            return 0
        self.placed += 1
        return self._located(asked, asked.options, name, "samurai")

    def _raze_either(self, asked: Asked, given: Given) -> int:
        """Hand card or location that is razed; how many raze tokens that costs is remembered."""
        if given.has("card"):
            hand = tuple(option for option in asked.options if option.kind == constants.RAZE_HAND)
            place = self._named_card(asked, given.value("card"), "a hand card that can be razed now", hand)
        elif given.has("at") or given.has("target"):
            options = self._aimed(
                asked, [option for option in asked.options if option.kind != constants.RAZE_HAND], given
            )
            place = self._located(asked, options, given.value("at"), "at")
        else:
            place = self.one_of(asked, asked.options, "`card`, or `at`")
        self.tokens_spent = asked.options[place].value
        return place

    def _aimed(self, asked: Asked, options: Sequence[Option], given: Given) -> Sequence[Option]:
        """Options aimed at the seat that is given."""
        target = given.value("target")
        if target is None:
            return options
        seat = seat_meant(asked.g, target)
        aimed = [option for option in options if option.seat == seat]
        if aimed:
            return aimed
        self.check_opponent(asked.g, seat)
        raise IllegalMoveError(
            f"{seat_word(asked.g, seat)} has nothing that {card_name(self.catalog, asked.card)} could mean"
        )

    def check_opponent(self, g: Record, seat: int) -> None:
        """Check that an effect may be aimed at a seat.

        Raises
        ------
        IllegalMoveError
            It is the player's own, or has passed.
        """
        if seat == self.seat:
            raise IllegalMoveError("a player is no opponent of itself")
        if not g.solo and g.passed[seat]:
            raise IllegalMoveError(f"seat {seat} has passed")

    def check_targets(self, g: Record) -> None:
        """Check the seats aimed at where there was nothing to choose, as with Desert when nobody has a hand card.

        Raises
        ------
        IllegalMoveError
            One cannot be meant.
        """
        for given in self.all_given:
            if "target" in given.values and "target" not in given.asked:
                self.check_opponent(g, seat_meant(g, given.values["target"]))

    def _of_good(self, asked: Asked, options: Sequence[Option], given: Given) -> Sequence[Option]:
        """Options that give the good that is named, before the location."""
        wanted = given.value("take")
        if wanted is None:
            return options
        found = [option for option in options if constants.GOODS[option.value] == wanted]
        if not found:
            raise IllegalMoveError(f"there is no {wanted} to take")
        return found

    def _located(self, asked: Asked, options: Sequence[Option], name: str | None, key: str) -> int:
        """Option of the location that is named."""
        if name is None:
            return self._one_of_several(asked, options, f"`{key}`")
        found = [option for option in options if self._is_called(asked.g, option, name)]
        if not found:
            whose = (
                "" if len({option.seat for option in options}) != 1 else f" of {seat_word(asked.g, options[0].seat)}"
            )
            raise IllegalMoveError(
                f"{name} is no location{whose} that {card_name(self.catalog, asked.card)} could mean"
            )
        own = [option for option in found if asked.g.owner[option.card] == self.seat]
        return self._one_of_several(asked, own or found, f"the location {name}")

    def _one_of_several(self, asked: Asked, options: Sequence[Option], what: str) -> int:
        """Place of the one option left; where those of one location, or seat, differ, it is by the good taken there."""
        if asked.operation in GIVES_A_GOOD and len({(option.card, option.seat) for option in options}) == 1:
            return self.one_of(asked, options, "what is taken", lambda _, option: constants.GOODS[option.value])
        return self.one_of(asked, options, what)

    def _is_called(self, g: Record, option: Option, name: str) -> bool:
        """Tell whether a name means the location of an option."""
        return location_named(g, self.catalog, int(g.owner[option.card]), name) == option.card

    def _named_deal(self, asked: Asked, options: Sequence[Option], given: Given) -> int:
        """Option of the deal that is named: by its card, or the location with which it was made by Trade Route."""
        name = given.value("deal")
        # Of revealed attack cards that are alike the newest is meant.
        options = sorted(options, key=lambda option: -option.place if option.kind == constants.ROW else option.place)
        if name is None:
            return self.one_of(asked, options, "`deal`")
        found = self.cards_so_called(options, name)
        found = found or tuple(
            option for option in options if option.kind == constants.TRADES and self._is_called(asked.g, option, name)
        )
        if not found:
            raise IllegalMoveError(f"{name} is no deal that {card_name(self.catalog, asked.card)} could mean")
        return self.one_of(asked, found, f"the deal {name}")

    def _named_card(self, asked: Asked, name: str | None, where: str, options: Sequence[Option] | None = None) -> int:
        """Option of the card that is named."""
        options = asked.options if options is None else options
        found = options if name is None else self.cards_so_called(options, name)
        if not found:
            raise IllegalMoveError(f"{name} is not {where}")
        return self.one_of(asked, found, "the card")

    def _build(self, asked: Asked, given: Given, deal: str | None) -> int:
        """Card or deal that an effect builds; its own decisions stand under `build`."""
        build = given.value("build")
        name = deal
        if build is not None:
            name = deal or build.deal or build.card
        place = self._named_card(asked, name, "a card that can be built now")
        card = asked.options[place].card
        self.built[card] = Given(card_name(self.catalog, card), build)
        return place

    # ---- Of several options ----

    def cards_so_called(self, options: Sequence[Option], name: str) -> tuple[Option, ...]:
        """Options of the cards of a name or code: the prints with the values of the row itself, else the others."""
        named = [option for option in options if is_called(self.catalog, option.card, name)]
        usual = tuple(option for option in named if not is_variant(self.catalog, option.card))
        return usual or tuple(named)

    def one_of(
        self,
        asked: Asked,
        options: Sequence[Option],
        what: str,
        name_of: Callable[[Record, Option], str] | None = None,
    ) -> int:
        """Return the place of the one option left; those that are alike count as one.

        Raises
        ------
        IllegalMoveError
            There are several, or none.
        """
        if not options:
            raise IllegalMoveError(f"there is nothing to choose: {what}")
        alike = {self._signature(asked.g, option): option for option in reversed(options)}
        if len(alike) > 1:
            names = dict.fromkeys((name_of or self._option_name)(asked.g, option) for option in options)
            about = f"{card_name(self.catalog, asked.card)}: " if asked.card >= 0 else ""
            raise IllegalMoveError(f"{about}{what} is not given, and there are several ways: {', '.join(names)}")
        return options[0].place

    def _signature(self, g: Record, option: Option) -> tuple[object, ...]:
        """What tells an option from others; cards of one print with the same things on them are alike."""
        card = option.card
        if card < 0:
            return (option.kind, card, option.value, option.seat)
        things = [int(g[field][card]) for field in ("used", "blocked", "defence", "samurai", "gained", "holder")]
        banked = (*map(int, g.banked[card]), int(g.tucked[card]))
        located = card in cards_in(g, int(g.owner[card]), constants.LOCATIONS)
        lying = (*things, *banked) if located else ()
        variant = self.catalog.codes[card] if is_variant(self.catalog, card) else ""
        return (option.kind, card_name(self.catalog, card), variant, option.value, option.seat, located, *lying)

    def _option_name(self, g: Record, option: Option) -> str:
        """Return what an option is called in a reason."""
        if option.kind == constants.FOUNDATION:
            return FOUNDATION_NAME
        if option.card >= 0:
            return card_name(self.catalog, option.card)
        return seat_word(g, option.seat)


def _payment_name(_: Record, option: Option) -> str:
    """Return what a payment is called in a reason."""
    return " and ".join(
        f"{paid_of(option.value, good)} {constants.GOODS[good]}"
        for good in range(constants.GOLD + 1)
        if paid_of(option.value, good)
    )


def pair_option(asked: Asked, wanted: str | None) -> int:
    """Return the option that exchanges a pair of workers for something; None: the one that stops."""
    values = {
        "wood": constants.WOOD,
        "stone": constants.STONE,
        "food": constants.FOOD,
        None: constants.STOP,
    } | DRAW_NAMES
    for option in asked.options:
        if option.value == values[wanted] and option.kind == constants.EXCHANGE:
            return option.place
    if wanted in DRAW_NAMES:
        raise IllegalMoveError(f"the {wanted} deck has no card to draw")
    raise IllegalMoveError("not enough workers for so many pairs")


def amounts(goods: Any) -> str:
    """Say what goods there are: "1 wood, 2 gold"."""
    named = [f"{number} {good}" for good, number in goods or () if number]
    return ", ".join(named) or "nothing"
