"""Matches a move's JSON to the options of a decision.

If the move does not answer the decision, there must be only one option, or a default: for example the common deck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sim.engine.effect_stack import FRAME_AT, FRAME_CARD, FRAME_VALUE
from sim.games.imperial_settlers.io.move_answers import Given
from sim.games.imperial_settlers.io.moves import DEALS_NAME, FOUNDATION_NAME, SLAVER, PositionMove
from sim.games.imperial_settlers.io.naming import is_called, is_variant, location_name
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.payment import paid_of
from sim.games.shared.stepping import Decision, IllegalMoveError, Option, refuse_if

NOBODY = -1
"""Stands for no card: the step resolves no card's effect."""
GIVES_A_GOOD = (constants.TAKE_RESOURCE, constants.COPY_RAZE_GOOD)
"""Operations whose options for the same location or seat differ in the good."""
DRAWS = {"common": constants.COMMON_DECK, "faction": constants.FACTION_DECK}
EXCHANGES = {"wood": constants.WOOD, "stone": constants.STONE, "food": constants.FOOD, None: constants.STOP} | DRAWS
"""`option_value` of an exchange, by what the pair of workers is exchanged for. None means that no pair follows."""

Options = Sequence[Option]
Turn = Callable[["Answers", Decision], int]
"""A function that finds the option that a move specifies, in a turn or in a pick of the lookout."""


def nothing_asked(answers: Answers, decision: Decision) -> int:
    """Refuse the move, because a decision is open that moves of this kind do not answer."""
    raise IllegalMoveError(f"a decision is open: {constants.DECISIONS[decision.number]}")


class Answers:
    """Answers the decisions that occur during one move.

    Parameters
    ----------
    game
        The game before the move.
    turn
        The function that finds the turn's option for the move.
    root
        The card that the move names, or NOBODY if it names none.

    Attributes
    ----------
    card, operation, options
        The card and the operation that cause the current decision, and the options of the decision.
    chain
        Cards whose effects are being resolved in this step, the innermost first.
    """

    def __init__(self, game: InspectedGame, move: PositionMove, turn: Turn = nothing_asked, root: int = NOBODY) -> None:
        self.game, self.t, self.move, self.turn, self.root_card = game, game.t, move, turn, root
        self.seat = move.p if move.p is not None else constants.NO_SEAT
        self.used_before = int(game.g.used[root]) if root != NOBODY else 0
        self.root = Given("the move", move)
        self.uses = [Given("the move", decisions, self.root) for decisions in move.each or []]
        self.nothing = Given("the move", None)
        self.choices = {name: Given(name, decisions) for name, decisions in move.choices.items()}
        self.of_card: dict[int, Given] = {}
        self.built: dict[int, Given] = {}
        for name, given in self.choices.items():
            card = game.location(self.seat, name) if self.seat != constants.NO_SEAT else None
            if card is not None:
                self.of_card[card] = given
        self.losses = [move.loses] if isinstance(move.loses, str) else list(move.loses or [])
        self.pairs = list(move.wanted or [])
        self.chain: list[int] = []
        self.uses_made = self.tokens_spent = self.placed = 0
        self.card, self.operation, self.options = NOBODY, NOBODY, list[Option]()

    @property
    def all_given(self) -> list[Given]:
        """All answers that the move gives."""
        return [self.root, *self.uses, *self.choices.values(), *self.built.values()]

    def step(self) -> None:
        """Play one step of the game with these answers.

        Raises
        ------
        IllegalMoveError
            The move leaves several options of a decision open, or specifies an option that is not offered.
        """
        g = self.game.g
        self.chain = []
        for frame in range(int(g.depth) - 1, -1, -1):
            self.chain.append(int(g.frame[frame, FRAME_CARD]))
            if g.frame[frame, FRAME_AT] < 0 or g.frame[frame, FRAME_VALUE] != 1:
                break
        self.game.step(self._answer)
        if self.root_card != NOBODY:
            self.uses_made = max(self.uses_made, int(self.game.g.used[self.root_card]) - self.used_before)

    def _answer(self, decision: Decision) -> int:
        """Return the index of the option that the move specifies, or of the only option."""
        self.card, self.operation = int(decision.g.paused_card), int(decision.g.paused_asked)
        self.options = decision.options
        answers: dict[int, Callable[[Decision], int]] = {
            constants.SOURCE: lambda _: 0,
            constants.DRAW: self._draw,
            constants.GIVE_UP: self._give_up,
            constants.PAY: self._pay,
            constants.PICK: self._pick,
            constants.BRANCH: self._branch,
            constants.KEEP: self._keep,
            constants.MORE_PAIRS: self.exchange,
            constants.CONVERT: self._convert,
            constants.LOSE: self._lose,
        }
        if decision.number in (constants.TURN, constants.TAKE):
            return self.turn(self, decision)
        return answers[decision.number](decision)

    # ---- Which answers apply to a decision ----

    def _given(self, decision: Decision, key: str) -> Given:
        """Return the part of the move's JSON that answers the current decision. `key` is the key of the answer."""
        own = self.card
        if decision.number in (constants.DRAW, constants.KEEP):
            own = self.chain[0] if self.chain else NOBODY
        if len(self.chain) > 1 and own == self.chain[0]:
            # A location that another location lets produce asks for this decision. The answer stands under the name of
            # one of the locations in this chain, or with the move.
            outer = self._of(decision, self.chain[-1])
            outer = self.nothing if key in outer.asked else outer
            places = [*(self._choice(card) for card in (own, *self.chain[1:-1])), outer]
            if self.move.do == "produce":
                places.reverse()
            return next((given for given in places if given.has(key)), places[-1])
        return self._of(decision, own)

    def _of(self, decision: Decision, card: int) -> Given:
        """Return the part of the move's JSON that answers the decisions of a card."""
        producing = self.move.do == "produce"
        if card == NOBODY:
            return self.choices.get(DEALS_NAME, self.nothing) if producing else self.root
        if decision.number == constants.BRANCH and self.game.card_name(card) == SLAVER:
            return self.choices.get(SLAVER, self.nothing)
        if card == self.root_card:
            number = int(decision.g.used[card]) - self.used_before - 1
            return self.uses[number] if 0 <= number < len(self.uses) else self.root
        if card in self.built:
            return self.built[card]
        if producing or card in self.of_card or int(self.t.kind[card]) == constants.FEATURE:
            return self._choice(card)
        return self.root

    def _choice(self, card: int) -> Given:
        """Return the entry of the move's `choices` for a location, or `self.nothing` if there is none."""
        if card in self.of_card:
            return self.of_card[card]
        # Once the move has given up a location, the location's name refers to the next location of the same name.
        here = self.game.cards(int(self.game.g.owner[card]), constants.LOCATIONS)
        named = [given for other, given in self.of_card.items() if other in here]
        for name in (location_name(self.game.g, self.game.catalog, card), self.game.card_name(card)):
            if name in self.choices and self.choices[name] not in named:
                return self.choices[name]
        return self.nothing

    # ---- Answers ----

    def _draw(self, decision: Decision) -> int:
        """Return the option for the deck of the next card: the deck given, otherwise the common deck."""
        wanted = self._given(decision, "draw").next("draw")
        if wanted is None:
            return next((option.index for option in self.options if option.value == DRAWS["common"]), 0)
        return decision.pick(f"the {wanted} deck has no card to draw", value=DRAWS[wanted])

    def _give_up(self, decision: Decision) -> int:
        """Return the option for the location or foundation to discard."""
        name, options = self.move.discard if self.card == self.root_card else None, self.options
        if name == FOUNDATION_NAME:
            options = [option for option in options if option.kind == constants.FOUNDATION]
            refuse_if((not options, "there is no foundation to discard"))
        elif name is not None:
            card = self.game.location(self.seat, name)
            options = [option for option in options if option.card == card]
            refuse_if((not options or card is None, f"{name} is no location that can be discarded"))
        return self.one_of(options, "what is discarded")

    def _pay(self, decision: Decision) -> int:
        """Return the option for the payment: the one given, otherwise the one with the least gold."""
        due = decision.g.due
        if not due.any() and not decision.g.due_any:
            return 0
        wanted = self._given(decision, "pay").value("pay")
        if wanted is None:
            gold = [paid_of(option.value, constants.GOLD) for option in self.options]
            least = [option for option in self.options if gold[option.index] == min(gold)]
            return self.one_of(least, "what is paid", _payment_name)
        for option in self.options:
            # Goods that must be paid in any case are not part of the option.
            paid = [paid_of(option.value, good) for good in range(constants.GOLD + 1)]
            paid += [int(number) for number in due[constants.GOLD + 1 :]]
            if all(number == paid[constants.GOODS.index(good)] for good, number in wanted):
                return option.index
        raise self._unpayable(wanted)

    def _unpayable(self, wanted: Any) -> IllegalMoveError:
        named = ", ".join(f"{number} {good}" for good, number in wanted or () if number)
        return IllegalMoveError(f"{self.game.card_name(self.card)} cannot be paid with {named or 'nothing'}")

    def _branch(self, decision: Decision) -> int:
        """Return the option for the branch of an effect that the move specifies, by the good taken or the payment."""
        given, options = self._given(decision, "take"), self.options
        if self.operation == constants.OP_MAY:
            return self._branch_paid(decision, given)
        wanted = given.value("take")
        if wanted is not None:
            options = [option for option in options if self._branch_name(option) == wanted]
            refuse_if((not options, f"{self.game.card_name(self.card)} does not give {wanted}"))
        return self.one_of(options, "what is taken", self._branch_name)

    def _branch_name(self, option: Option) -> str:
        """Return the name that reasons use for a branch: the good with which the branch begins."""
        row = self.t.code[option.value]
        gains = row[constants.OPERATION] == constants.GAIN
        return constants.GOODS[int(row[constants.A])] if gains else "another effect"

    def _branch_paid(self, decision: Decision, given: Given) -> int:
        """Return the option for an optional effect: the branch whose price the move pays.

        If the move pays nothing, return the option that skips the effect.
        """
        wanted = given.value("pay")
        number = sum(number for _, number in wanted) if wanted is not None else 0
        goods = self.game.g.goods[int(decision.g.paused_seat)]
        for option in self.options:
            if option.value == constants.STOP:
                if number == 0:
                    return option.index
                continue
            row = self.t.code[option.value]
            good, price = int(row[constants.A]), int(row[constants.B])
            swaps = row[constants.OPERATION] == constants.SWAP and goods[good] >= price
            if swaps and price == number == getattr(wanted, constants.GOODS[good], 0):
                return option.index
        raise self._unpayable(wanted)

    def _keep(self, decision: Decision) -> int:
        name = self._given(decision, "keep").value("keep")
        self.card = self.chain[0] if self.chain else NOBODY
        options = self.options if name is None else self.named(self.options, name)
        refuse_if((not options, f"{name} is not among the cards looked at"))
        return self.one_of(options, "the card kept")

    def exchange(self, decision: Decision) -> int:
        """Return the option that exchanges the next pair of workers, or that stops."""
        wanted = self.pairs.pop(0) if self.pairs else None
        no_card = f"the {wanted} deck has no card to draw"
        why = no_card if wanted in DRAWS else "not enough workers for so many pairs"
        return decision.pick(why, value=EXCHANGES[wanted], kind=constants.EXCHANGE)

    def _convert(self, decision: Decision) -> int:
        """Return the option that turns a good into points, or that keeps the good."""
        given = self._given(decision, "convert")
        return decision.pick("", value=int(given.converts(constants.GOODS[int(decision.g.paused_good)])))

    def _lose(self, decision: Decision) -> int:
        """Return the option for the location that the virtual player takes.

        The JSON names the location only if the rules leave a choice.
        """
        for name in self.losses[:1]:
            named = [option for option in self.options if self._is_called(option, name)]
            named += self.named(self.options, name)
            if named:
                self.losses.pop(0)
                return named[0].index
        if len(self.options) > 1 and self.losses:
            raise IllegalMoveError(f"the virtual player does not take {self.losses[0]}")
        return self.one_of(self.options, "the location that is lost")

    # ---- Targets of operations ----

    def _pick(self, decision: Decision) -> int:
        """Return the option for the target of an operation: a card, location, deal, seat or good."""
        given, operation, seat = self._given(decision, "at"), self.operation, int(decision.g.paused_seat)
        if operation == constants.OPPONENT_DISCARDS and seat != self.seat:
            return self._named_card(given.value("gives"), f"in the hand of seat {seat}")
        if operation in (constants.PAY_WITH_CARD, constants.FOUND_FROM_HAND):
            return self._named_card(given.value("card"), "a hand card that can be meant")
        if operation in (constants.BUILD_FROM_HAND, constants.BUILD_DEAL):
            return self._build(given, given.value("deal") if operation == constants.BUILD_DEAL else None)
        if operation == constants.PLACE_SAMURAI:
            return self._guarded(given.next("samurai"))
        if operation in (constants.PAY_WITH_DEAL, constants.GAIN_DEAL_GOOD):
            return self._named_deal(self.options, given)
        if operation == constants.RAZE_EITHER:
            return self._raze_either(given)
        options = self._aimed(self.options, given)
        if operation in (constants.DISCARD_DEAL, constants.TAKE_DEAL):
            return self._named_deal(options, given)
        wanted = given.value("take") if operation in GIVES_A_GOOD else None
        if wanted is not None:
            options = [option for option in options if constants.GOODS[option.value] == wanted]
            refuse_if((not options, f"there is no {wanted} to take"))
        if operation in (constants.TAKE_RESOURCE, constants.OPPONENT_DISCARDS):
            return self._one_of_several(options, "the opponent")
        return self._located(options, given.value("at"), "at")

    def _guarded(self, name: str | None) -> int:
        """Return the option for the location that gets the next samurai.

        There is no choice if there are enough samurai for all locations.
        """
        g = self.game.g
        row = self.t.code[g.frame[int(g.depth) - 1, FRAME_AT]]
        left = int(row[constants.A]) - self.placed
        self.placed += 1
        return 0 if name is None and len(self.options) <= left else self._located(self.options, name, "samurai")

    def _raze_either(self, given: Given) -> int:
        """Return the option for the hand card or location to raze, and record the raze tokens that this costs."""
        hand = [option for option in self.options if option.kind == constants.RAZE_HAND]
        if given.has("card"):
            index = self._named_card(given.value("card"), "a hand card that can be razed now", hand)
        elif given.has("at") or given.has("target"):
            there = self._aimed([option for option in self.options if option not in hand], given)
            index = self._located(there, given.value("at"), "at")
        else:
            index = self.one_of(self.options, "`card`, or `at`")
        self.tokens_spent = self.options[index].value
        return index

    def _aimed(self, options: Options, given: Given) -> Options:
        """Return the options that target the seat under `target` in the answers; all options if none is given."""
        target = given.value("target")
        if target is None:
            return options
        seat = self.game.seat(target)
        aimed = [option for option in options if option.seat == seat]
        if not aimed:
            self._check_opponent(seat)
            name = self.game.card_name(self.card)
            raise IllegalMoveError(f"{self.game.seat_name(seat)} has nothing that {name} could mean")
        return aimed

    def _check_opponent(self, seat: int) -> None:
        g = self.game.g
        refuse_if(
            (seat == self.seat, "a player is no opponent of itself"),
            (not g.solo and g.passed[seat], f"seat {seat} has passed"),
        )

    def check_targets(self) -> None:
        """Check that target seats that the move names, and for which no decision asked, are opponents.

        With Desert, for example, there is no decision if no player has a hand card.
        """
        for given in self.all_given:
            if "target" in given.values and "target" not in given.asked:
                self._check_opponent(self.game.seat(given.values["target"]))

    def _located(self, options: Options, name: str | None, key: str) -> int:
        if name is None:
            return self._one_of_several(options, f"`{key}`")
        found = [option for option in options if self._is_called(option, name)]
        if not found:
            one_seat = len({option.seat for option in options}) == 1
            whose = f" of {self.game.seat_name(options[0].seat)}" if one_seat else ""
            card = self.game.card_name(self.card)
            raise IllegalMoveError(f"{name} is no location{whose} that {card} could mean")
        own = [option for option in found if self.game.g.owner[option.card] == self.seat]
        return self._one_of_several(own or found, f"the location {name}")

    def _one_of_several(self, options: Options, what: str) -> int:
        """Return the index of the only remaining option; raise IllegalMoveError if several remain, or none.

        If all are for one location or seat and differ only in the good taken, the error asks for that good.
        """
        if self.operation in GIVES_A_GOOD and len({(option.card, option.seat) for option in options}) == 1:
            return self.one_of(options, "what is taken", lambda option: constants.GOODS[option.value])
        return self.one_of(options, what)

    def _is_called(self, option: Option, name: str) -> bool:
        """Tell whether a name refers to the location of an option."""
        return self.game.location(int(self.game.g.owner[option.card]), name) == option.card

    def _named_deal(self, options: Options, given: Given) -> int:
        """Return the option for the deal given. A deal is named by its card, or by the location of its Trade Route."""
        name = given.value("deal")
        # Of equal attack cards in the row, take the newest.
        options = sorted(options, key=lambda option: -option.index if option.kind == constants.ROW else option.index)
        if name is None:
            return self.one_of(options, "`deal`")
        trades = [option for option in options if option.kind == constants.TRADES]
        found = self.named(options, name) or [option for option in trades if self._is_called(option, name)]
        refuse_if((not found, f"{name} is no deal that {self.game.card_name(self.card)} could mean"))
        return self.one_of(found, f"the deal {name}")

    def _named_card(self, name: str | None, where: str, options: Options | None = None) -> int:
        options = self.options if options is None else options
        found = options if name is None else self.named(options, name)
        refuse_if((not found, f"{name} is not {where}"))
        return self.one_of(found, "the card")

    def _build(self, given: Given, deal: str | None) -> int:
        """Return the option for the card or deal that an effect builds. `build` has the answers for that location."""
        build = given.value("build")
        name = deal or (build.deal or build.card if build is not None else None)
        index = self._named_card(name, "a card that can be built now")
        card = self.options[index].card
        self.built[card] = Given(self.game.card_name(card), build)
        return index

    # ---- Choosing among several options ----

    def named(self, options: Options, name: str) -> list[Option]:
        """Return the options for cards with this name or code. Variants are left out if other copies are offered."""
        catalog = self.game.catalog
        named = [option for option in options if is_called(catalog, option.card, name)]
        return [option for option in named if not is_variant(catalog, option.card)] or named

    def one_of(self, options: Options, what: str, name_of: Callable[[Option], str] | None = None) -> int:
        """Return the index of the only remaining option. Options that no answer could tell apart count as one option.

        Raises
        ------
        IllegalMoveError
            Several options remain, or none.
        """
        refuse_if((not options, f"there is nothing to choose: {what}"))
        if len({self._signature(option) for option in options}) > 1:
            names = ", ".join(dict.fromkeys((name_of or self._option_name)(option) for option in options))
            about = f"{self.game.card_name(self.card)}: " if self.card >= 0 else ""
            raise IllegalMoveError(f"{about}{what} is not given, and there are several ways: {names}")
        return options[0].index

    def _signature(self, option: Option) -> tuple[object, ...]:
        """Return a key that is equal for options that no answer can tell apart.

        An answer can specify which location is meant or, for other cards, the name or the variant.
        """
        card, catalog = option.card, self.game.catalog
        name = ""
        if card >= 0:
            # Deals are named without a number ("Mill", not "Mill#2"), also that of a Trade Route, which is a location.
            numbered = option.kind != constants.TRADES
            name = location_name(self.game.g, catalog, card) if numbered else self.game.card_name(card)
            name = catalog.codes[card] if is_variant(catalog, card) else name
        return (option.kind, name, option.value, option.seat)

    def _option_name(self, option: Option) -> str:
        """Return the name that reasons use for an option."""
        if option.kind == constants.FOUNDATION:
            return FOUNDATION_NAME
        if option.card < 0:
            return self.game.seat_name(option.seat)
        return location_name(self.game.g, self.game.catalog, option.card)


def _payment_name(option: Option) -> str:
    paid = {good: paid_of(option.value, number) for number, good in enumerate(constants.GOODS[: constants.GOLD + 1])}
    return " and ".join(f"{number} {good}" for good, number in paid.items() if number)
