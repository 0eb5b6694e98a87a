"""Plays a recorded game through the engine and collects every difference.

Each turn begins with a comparison of coins, hands, shields and prices in the record with those in the engine. Then the
recorded moves are made. The state remains that of the engine, so that one wrong number in a record causes only one
difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from sim.compiler.kernel import Record
from sim.engine.rng import start_streams
from sim.games.seven_wonders.data.catalog import Catalog
from sim.games.seven_wonders.io.narrate import score_of
from sim.games.seven_wonders.io.payments import FREE, Payment, cheapest_payment, payment_for, set_choice
from sim.games.seven_wonders.io.recorded_games import RecordedGame, RecordedMove, RecordedStep
from sim.games.seven_wonders.rules import building, constants, turns
from sim.games.seven_wonders.rules.scoring import TOTAL, WONDER, copied_guild_points, guild_to_copy, rank_by_points
from sim.games.seven_wonders.rules.setup import clear_table, found_city, shuffle_decks, start_age
from sim.games.seven_wonders.rules.state import left_of, new_games, right_of
from sim.games.seven_wonders.rules.trade import begin_turn
from sim.games.shared.stepping import first_reason


class _LostTrackError(Exception):
    """Ends the replay, because the rest of the record cannot be followed or is not needed."""


class RecordedPlay:
    """Replays one recorded game in the engine.

    Parameters
    ----------
    catalog, t
        Cards and their tables, with the settings to play by.
    first_only
        Whether to stop at the first difference.
    """

    def __init__(self, game: RecordedGame, catalog: Catalog, t: Record, first_only: bool) -> None:
        self.game, self.catalog, self.t, self.first_only = game, catalog, t, first_only
        self.differences: list[str] = []
        self.step_number = 0
        self.under_way = False  # a turn has been played but not ended
        self.last_card_played = False
        self.discard_built = False
        self.table = new_games(1)
        self.g: Any = self.table[0]

    def play(self) -> list[str]:
        """Play the whole record. Return its differences."""
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
        """Report a difference between the record and the engine."""
        self.report(f"{field}: recorded {_text(recorded)}, engine {_text(engine)}", seat)

    def object_to(self, move: RecordedMove, why: str) -> None:
        """Report that a move is against the rules; `why` is the engine's reason."""
        self.report(f"{move.do}: recorded {move.card}, engine: {why}", move.p)

    def report(self, text: str, seat: int | None = None) -> None:
        """Report a fault, together with where it is."""
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
        """Set up the boards, and decks that deal the recorded hands."""
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
        """Check that hands are a possible deal of an age, and arrange the deck so that it deals them."""
        g = self.g
        size = int(g.deck_size[age - 1])
        dealt = [self.catalog.card_id(name, age) for hand in hands for name in hand or []]
        self.compare_deal(age, Counter(g.deck[age - 1, :size].tolist()), Counter(dealt))
        g.deck[age - 1, : len(dealt)] = dealt
        g.deck_size[age - 1] = len(dealt)

    def compare_deal(self, age: int, deck: Counter[int], dealt: Counter[int]) -> None:
        """Compare a deal with the deck.

        Apart from guilds, both must have the same cards. The guilds dealt must all be different, and as many as in the
        deck.
        """
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
        """Compare and play a turn of all seats."""
        if self.under_way:
            self.end_turn()
        begin_turn(self.g)
        self.compare_table(step)
        self.compare_hands(step)
        self.choose_all(step)
        turns.act(self.g, self.t, constants.LOG_PLAY)
        if self.g.turn == self.t.turns_per_age:
            turns.discard_last_cards(self.g, self.t)
        self.under_way = True

    def play_last_card(self, step: RecordedStep) -> None:
        """Compare and play the seventh card of a city with the power of Babylon B."""
        self.compare_table(step)
        for move in step.moves:
            if not self.has_last_card(move.p):
                self.report("moves: the recorded seventh card is not for this seat to play", move.p)
                self.give_up()
            if self.t.last_card_before_discard_build and self.discard_built:
                self.report("order: recorded seventh card after the building from the discards, engine before", move.p)
            turns.prepare_last_card(self.g, self.t, move.p)
        self.compare_hands(step)
        self.choose_all(step)
        turns.act(self.g, self.t, constants.LOG_LAST_CARD)
        self.last_card_played = True

    def has_last_card(self, seat: int) -> bool:
        """Tell whether a seat has a seventh card to play now."""
        of_age = self.g.turn == self.t.turns_per_age and self.g.hand_size[seat] > 0
        return bool(of_age and turns.may_play_last_card(self.g, self.t, seat))

    def choose_all(self, step: RecordedStep) -> None:
        """Compare the prices of all seats, then make the choices of all seats."""
        for move in step.moves:
            self.compare_prices(step, move)
        playable = [self.choose(step, move) for move in step.moves]
        if not all(playable):
            self.give_up()

    def give_up(self) -> NoReturn:
        """Stop the replay: after a move that the engine cannot make, further comparisons are meaningless."""
        self.report("the record cannot be followed from here on")
        raise _LostTrackError

    def play_extra(self, step: RecordedStep) -> None:
        """Compare and play buildings from the discards and copied guilds."""
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
        """End the current turn: pass hands, or end the age."""
        g, t = self.g, self.t
        if not self.under_way:
            return
        for seat in range(self.game.n):
            if self.has_last_card(seat):
                self.differ("moves", "no seventh card played", "a seventh card to play", seat)
                turns.discard_hand(g, seat)
            g.discard_builds_due[seat] = 0
        if g.turn == t.turns_per_age:
            turns.end_age(g, t)
        else:
            turns.pass_hands(g, t)
            g.turn += 1
        turns.clear_placed(g)
        self.under_way = self.last_card_played = self.discard_built = False

    # -- Comparisons --

    def compare_table(self, step: RecordedStep) -> None:
        """Compare the public numbers of all seats: coins, shields and military points."""
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
        """Return the names of the cards in a seat's hand in the engine."""
        return [self.catalog.cards[card].name for card in self.g.hand[seat, : self.g.hand_size[seat]]]

    def compare_hands(self, step: RecordedStep) -> None:
        """Compare hands. The order of the cards does not matter."""
        for seat, hand in enumerate(step.hands):
            if hand is None:
                continue
            recorded, engine = Counter(hand), Counter(self.hand_of(seat))
            if recorded != engine:
                self.differ(
                    "hands", sorted((recorded - engine).elements()), sorted((engine - recorded).elements()), seat
                )

    def compare_prices(self, step: RecordedStep, move: RecordedMove) -> None:
        """Compare the recorded lowest prices of the cards in hand and of the next stage."""
        seat = move.p
        recorded = move.min_price
        if recorded is not None:
            hand = set(self.hand_of(seat))
            if set(recorded) not in (hand, set(step.hands[seat] or [])):
                self.differ("min_price: cards", sorted(recorded), sorted(hand), seat)
            for name, price in recorded.items():
                card = self.catalog.card_id(name, int(self.g.age))
                engine = int(building.build_price(self.g, self.t, seat, card))
                self.compare_price(f"min_price of {name}", price, engine, seat)
        if "stage_min_price" in move.model_fields_set:
            price = int(building.stage_price(self.g, self.t, seat))
            self.compare_price("stage_min_price", move.stage_min_price, price, seat)

    def compare_price(self, field: str, recorded: int | None, engine: int, seat: int) -> None:
        """Compare a recorded price with the engine's, which is negative if building is impossible."""
        if recorded != (engine if engine >= 0 else None):
            self.differ(field, recorded, engine if engine >= 0 else None, seat)

    # -- Moves --

    def choose(self, step: RecordedStep, move: RecordedMove) -> bool:
        """Check a move and set it in the game record. Return False if the engine cannot make it."""
        g, seat = self.g, move.p
        card = self.catalog.card_id(move.card, int(g.age))
        action = constants.ACTIONS.index(move.do)
        playable = self.holds(step, seat, card)
        if action == constants.STAGE and building.next_stage_item(g, self.t, seat) < 0:
            self.report("wonder: recorded a stage, engine: the wonder is complete", seat)
            playable = False
        if not playable:
            return False
        set_choice(g, seat, card, action, self.payment(move, card, action))
        building.take_from_hand(g, seat, card)
        return True

    def holds(self, step: RecordedStep, seat: int, card: int) -> bool:
        """Tell whether a seat holds a card; if not, report a difference.

        If the card is only in the recorded hand, and both hands have the same size, the recorded hand replaces the
        engine's.
        """
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
        """Return the payment of an action. Report every rule that the action or its purchases break."""
        g, t, seat = self.g, self.t, move.p
        if action in (constants.BUILD, constants.FREE_BUILD) and building.owns_name(g, t, seat, card):
            self.object_to(move, "the city has one already")
        if action == constants.FREE_BUILD and g.free_builds_left[seat] == 0:
            self.object_to(move, "no free building left")
        if action in (constants.DISCARD, constants.FREE_BUILD) or (
            action == constants.BUILD and building.has_chain(g, t, seat, card)
        ):
            if move.buy:
                self.report(f"buy: recorded a purchase for {move.do} of {move.card}, engine: this costs nothing", seat)
            return FREE
        return self.paid(move, card if action == constants.BUILD else int(building.next_stage_item(g, t, seat)))

    def paid(self, move: RecordedMove, item: int) -> Payment:
        """Return the payment for the recorded purchases, and report its faults.

        If purchases are needed but not recorded, return the cheapest payment instead.
        """
        payment = payment_for(self.g, self.t, move.p, item, move.buy)
        for text in payment.faults:
            self.report(f"buy: {text}", move.p)
        if payment.faults and not move.buy:
            return cheapest_payment(self.g, self.t, move.p, item) or payment
        return payment

    def build_from_discard(self, move: RecordedMove) -> None:
        """Check and carry out a free building from the discard pile (Halikarnassos)."""
        g, t, seat = self.g, self.t, move.p
        if g.finished or g.discard_builds_due[seat] == 0:
            self.object_to(move, "no such building is due")
            return
        if not t.last_card_before_discard_build and self.last_card_played:
            self.report("order: recorded building from the discards after the seventh card, engine before", seat)
        pile = [card for card in g.discards[: g.discards_size] if self.catalog.cards[card].name == move.card]
        if not pile:
            self.object_to(move, "not among the discards")
            return
        count = building.list_discard_builds(g, t, seat)
        if pile[0] not in g.option_card[:count]:
            self.object_to(move, "the city has one already")
        g.discard_builds_due[seat] -= 1
        turns.take_discarded(g, t, seat, int(pile[0]))
        self.discard_built = True

    def copy_guild(self, move: RecordedMove) -> None:
        """Check a copied guild (Olympia B). Score this guild instead of the best one, because the owner may choose."""
        g, t, seat = self.g, self.t, move.p
        guild = self.neighbours_guild(seat, move.card)
        why = first_reason(
            (not g.finished, "guilds are copied at the end of the game"),
            (not g.copies_guild[seat], "the city has no such power"),
            (guild == constants.NO_CARD, "no such guild at the neighbours"),
        )
        if why:
            self.object_to(move, why)
            return
        best = guild_to_copy(g, t, seat)
        change = copied_guild_points(g, t, seat, guild) - copied_guild_points(g, t, seat, best)
        g.score[seat, WONDER] += change
        g.score[seat, TOTAL] += change
        rank_by_points(g)

    def neighbours_guild(self, seat: int, name: str) -> int:
        """Return the id of the neighbours' guild with this name if the seat may copy it, otherwise NO_CARD."""
        g = self.g
        for bit, neighbour in ((1, left_of(g, seat)), (4, right_of(g, seat))):
            for card in g.city_cards[neighbour, : g.city_size[neighbour]]:
                is_guild = self.t.card_colour[card] == constants.PURPLE and self.catalog.cards[card].name == name
                if g.copies_guild[seat] & bit and is_guild:
                    return int(card)
        return constants.NO_CARD

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


def _text(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing else"
    return str(value)
