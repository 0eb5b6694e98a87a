"""Plays games in plain Python: sets them up, lets the players choose, and returns rows of results."""

from __future__ import annotations

import math
import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim.engine.result_rows import PIECE_KEYS
from sim.errors import UserError
from sim.games.plain.failures import missing_field, place_of, text_for_number, told_failure
from sim.games.plain.interface import DataRow, Game, in_words, named_piles, shuffle_hidden, view_without
from sim.games.plain.look_ahead import leads_after, look_ahead
from sim.games.plain.policies import Policy, policy_of
from sim.games.plain.results import MOST_ROUNDS, piece_rows_of, seat_rows_of
from sim.games.plain.source_files import place_of_name
from sim.games.plain.streams import CHANCE, DEAL, FACTIONS, GOLDEN, LINEUP, MASK, MIX_1, MIX_2, SeatStreams, stream_seed

AUDITED = 4
"""Number of games at the start of a run in which every list of options is checked."""

HIDING = {named_piles.__code__, shuffle_hidden.__code__, view_without.__code__}
"""Code of the functions that read the attributes named in `hidden`. Errors in them are reported at `hidden`."""


class Playing:
    """A game and its players, ready to play any game of a plan (`sim.players.batch.Plan`)."""

    def __init__(self, plan: Any) -> None:
        self.plan, self.rules = plan, plan.game.plain
        self.game: Game = self.rules.game_with(plan.data)
        self.policies = [
            policy_of(each, self.rules, judge) for each, judge in zip(plan.strategies, plan.judges, strict=True)
        ]
        self.players: int = plan.players
        self.mark: Any = [0, 0]
        self.deal, self.chance, self.other = random.Random(), random.Random(), random.Random()
        rules, game = self.rules, self.game
        self.together = rules.has("seats_to_act")
        self.is_over = game.is_over if rules.has("is_over") else None
        self.tie_break = game.tie_break if rules.has("tie_break") else None
        self.round_of = game.round if rules.has("round") else None
        self.parts = len(game.score_parts)
        self.streams = SeatStreams(0, 0, plan.players)
        self.number = self.block = self.steps = 0
        self.ended = False
        self.seats: list[Policy] = []
        self.strategy: list[int] = []
        self.faction: list[int] = []
        self.kept: list[list[int]] = []
        self.decisions = self.options_seen = 0
        word = game.faction_word
        rows = game.factions or (game.data.get(word, ()) if word else ())
        self.faction_rows = [DataRow(row) if type(row) is dict else row for row in rows]
        self.settings = DataRow(plan.data.settings)

    # ---- Starting a game ----

    def start(self, number: int) -> Any:
        """Set up a game of the plan and seat its players; return the state."""
        plan = self.plan
        self.number, self.block, self.steps = number, number // plan.block_games, 0
        rotation = number % plan.block_games
        self.deal.seed(stream_seed(plan.seed, self.block, DEAL))
        self.chance.seed(stream_seed(plan.seed, number, CHANCE))
        self.streams = SeatStreams(plan.seed, number, self.players)
        self.kept = []
        if rotation == 0 or self.block != getattr(self, "_seated", None):
            self._seated = self.block
            self.order, self.faction = self.seating(), self.dealt()
        if plan.assign == "fixed":
            self.strategy = [plan.lineup[seat % len(plan.lineup)] for seat in range(self.players)]
        else:
            self.strategy = [self.order[(seat + rotation) % self.players] for seat in range(self.players)]
        self.seats = [self.policies[each] for each in self.strategy]
        rows = self.faction_rows
        state = SimpleNamespace(
            players=self.players,
            factions=[rows[each] for each in self.faction] if rows else [],
            variant=plan.variant,
            settings=self.settings,
        )
        own = self.game.setup(state, self.deal)
        return state if own is None else own

    def seating(self) -> list[int]:
        """Draw the strategies of a block (games that share a deal), in seat order.

        The entries of the line-up appear equally often, as far as the seats allow.
        """
        lineup, order = list(self.plan.lineup), list[int]()
        stream = random.Random(stream_seed(self.plan.seed, self.block, LINEUP))
        while len(order) < self.players:
            stream.shuffle(lineup)
            order += lineup
        order = order[: self.players]
        stream.shuffle(order)
        return order

    def dealt(self) -> list[int]:
        """Return the factions of a block, by seat: fixed by the plan, or drawn; zeros if the game has no factions."""
        plan = self.plan
        if not plan.factions:
            return [0] * self.players
        if plan.factions_fixed:
            return list(plan.factions[: self.players])
        stream = random.Random(stream_seed(plan.seed, self.block, FACTIONS))
        return stream.sample(list(plan.factions), self.players)

    # ---- Playing it ----

    def play_out(
        self, state: Any, seats: Sequence[Policy], streams: SeatStreams, chance: random.Random, *,
        audit: bool = False, log: Callable[[Any, dict[int, Any]], None] | None = None,
        kept: list[list[int]] | None = None, most: int | None = None,
    ) -> int:  # fmt: skip
        """Play a game to its end, or for at most `most` moves; return the number of moves.

        If `audit` is set, every list of options is checked. `log` is called before every move, with the state and the
        options that the seats have chosen. The scores of all seats after each round in `game.checkpoints` are added to
        `kept`.
        """
        game, together, is_over, choose = self.game, self.together, self.is_over, self.choose
        options_of, apply = game.options, game.apply
        states, limit, mark = streams.states, game.max_steps, self.mark
        steps, ended = 0, False
        while steps != most:
            if together:
                option: Any = self.chosen_together(state, seats, streams, audit)
                if log is not None:
                    log(state, option)
            else:
                seat = state.seat
                options = options_of(state)
                if audit:
                    self.examine(state, seat, options)
                policy = seats[seat]
                score = policy.fast
                if len(options) < 2:
                    option = options[0]
                elif score is None:
                    option = choose(state, seat, options, policy, streams)
                else:
                    values = [score(game, state, each) for each in options]
                    best = max(values)
                    if values.count(best) == 1:
                        option = options[values.index(best)]
                        if math.isnan(best):
                            raise self.no_number(policy, best)
                    else:
                        ties = [each for each, value in zip(options, values, strict=True) if value == best]
                        word = states[seat] = (states[seat] + GOLDEN) & MASK
                        word = ((word ^ (word >> 30)) * MIX_1) & MASK
                        word = ((word ^ (word >> 27)) * MIX_2) & MASK
                        option = ties[((word ^ (word >> 31)) * len(ties)) >> 64]
                if log is not None:
                    log(state, {seat: option})
            steps += 1
            mark[1] += 1
            if apply(state, option, chance) is True or (is_over is not None and is_over(state)):
                ended = True
                break
            if steps >= limit:
                raise UserError(
                    f"{self.which()} has not ended after {limit:,} moves", file=self.place("apply"), field="max_steps",
                    allowed="a game that ends: apply returns True, or is_over(state) does; or a larger max_steps",
                )  # fmt: skip
            if kept is not None and self.round_of is not None:
                self.keep_scores(state, kept, self.round_of(state) - 1)
        if kept is not None:
            self.keep_scores(state, kept, MOST_ROUNDS)
        self.ended = ended
        return steps

    def keep_scores(self, state: Any, kept: list[list[int]], ended: int) -> None:
        """Store the present scores for every round in `game.checkpoints` that has ended and has no scores yet."""
        marks = self.game.checkpoints
        while len(kept) < len(marks) and marks[len(kept)] <= ended:
            kept.append(self.totals(state))

    def chosen_together(self, state: Any, seats: Sequence[Policy], streams: SeatStreams, audit: bool) -> dict[int, Any]:
        """Return the choices, by seat, of the seats that act at the same time."""
        acting = list(self.game.seats_to_act(state))
        if not acting:
            raise UserError(f"{self.which()}: seats_to_act returns no seat", file=self.place("seats_to_act"),
                            allowed="at least one seat; apply returns True at the end")  # fmt: skip
        chosen = {}
        for seat in acting:
            state.seat = seat
            options = self.game.options(state)
            if audit:
                self.examine(state, seat, options)
            chosen[seat] = options[0] if len(options) < 2 else self.choose(state, seat, options, seats[seat], streams)
        return chosen

    def choose(self, state: Any, seat: int, options: Sequence[Any], policy: Policy, streams: SeatStreams) -> Any:
        """Return the option that a player takes: by look-ahead, by its own choice, by scores, or at random."""
        if policy.search is not None:
            return look_ahead(self, state, seat, options, policy, streams)
        if policy.choose is not None:
            return self.chosen_by_function(state, seat, options, policy)
        if policy.score is not None:
            values = [policy.score(self.game, state, each) for each in options]
        elif policy.is_greedy:
            values = leads_after(self, state, seat, options, streams)
        else:
            return options[streams.below(seat, len(options))]
        if policy.temperature > 0.0:
            values = [value + policy.temperature * streams.gumbel(seat) for value in values]
        best = max(values)
        if math.isnan(best):
            raise self.no_number(policy, best)
        ties = [each for each, value in zip(options, values, strict=True) if value == best]
        return ties[streams.below(seat, len(ties))] if len(ties) > 1 else ties[0]

    def chosen_by_function(self, state: Any, seat: int, options: Sequence[Any], policy: Policy) -> Any:
        """Return the choice of a player whose function gets a view and all options."""
        assert policy.choose is not None
        answer = policy.choose(self.game, self.game.view(state, seat), list(options))
        if answer not in options:
            raise UserError(
                f"player {policy.name} must return one of the options", file=place_of(policy.choose), field=policy.name,
                found=answer, allowed=[in_words(each) for each in options[:20]],
            )  # fmt: skip
        return answer

    # ---- The end of a game ----

    def parts_of(self, state: Any, seat: int) -> Sequence[int]:
        """Return the score parts of a seat.

        Raise UserError if the game returns too few or too many parts, or parts that are not whole numbers.
        """
        parts = self.game.score(state, seat)
        if not isinstance(parts, tuple | list):
            parts = (parts,)
        names = self.game.score_parts
        if len(parts) != self.parts:
            message = f"score must return {self.parts} numbers, not {len(parts)}"
            allowed = f"a number for each of: {', '.join(names)}"
            raise UserError(message, file=self.place("score"), field="score", found=parts, allowed=allowed)
        for name, part in zip(names, parts, strict=True):
            if type(part) is not int and (not isinstance(part, int | np.integer) or isinstance(part, bool)):
                raise UserError("a score part is not a whole number", file=self.place("score"), field=name, found=part,
                                allowed="a whole number; round, or count in tenths")  # fmt: skip
        return parts

    def totals(self, state: Any) -> list[int]:
        """Return the points of every seat."""
        return [sum(self.parts_of(state, seat)) for seat in range(self.players)]

    def ranks(self, state: Any, totals: Sequence[int]) -> list[int]:
        """Return the rank of every seat, 1 for the highest score. `tie_break` breaks ties."""
        keys: list[Any] = list(totals)
        if self.tie_break is not None:
            keys = [(total, self.tie_break(state, seat)) for seat, total in enumerate(totals)]
        return [1 + sum(other > key for other in keys) for key in keys]

    # ---- Errors ----

    def which(self) -> str:
        """Return a description of the current game for messages, with the changes to its numbers, if any."""
        changed = f" with {', '.join(self.plan.changes)}" if self.plan.changes else ""
        return f"game {self.number} of seed {self.plan.seed}{changed}"

    def place(self, method: str) -> str | None:
        """Return the file and line of one of the game's methods; None if they are unknown."""
        return place_of(getattr(self.rules.kind, method, None))

    def no_number(self, policy: Policy, value: object) -> UserError:
        """Return the error for a player whose score is not a number."""
        message, allowed = "returns a score that is not a number", "a number; -inf means never choose this option"
        file = place_of(policy.score)
        return UserError(f"player {policy.name} {message}", file=file, field=policy.name, found=value, allowed=allowed)

    def examine(self, state: Any, seat: int, options: Any) -> None:
        """Check that a seat exists, and that its list of options is valid.

        Raise UserError if there is no such seat, if its options are not a list or the list is empty, or if an option is
        not hashable or not equal to itself.
        """
        place = self.place("options")
        if type(seat) is not int or not 0 <= seat < self.players:
            raise self.no_seat(seat)
        if not isinstance(options, list | tuple):
            raise self.no_list(options)
        if not options:
            raise self.no_options(seat)
        self.decisions += len(options) > 1
        self.options_seen += len(options) if len(options) > 1 else 0
        for option in options:
            try:
                hash(option)
            except TypeError as error:
                raise UserError(f"an option is not hashable ({error})", file=place, field="options", found=option,
                                allowed="texts, numbers, tuples of them, rows of the data") from None  # fmt: skip
            same = option
            if (option == same) is not True:
                raise UserError("an option is not equal to itself", file=place, field="options", found=option,
                                allowed="texts, numbers, tuples of them, rows of the data")  # fmt: skip

    def no_seat(self, seat: object) -> UserError:
        """Return the error for a seat that does not exist at the table."""
        return UserError(f"{self.which()}: no such seat", file=self.place("apply"), field="state.seat", found=seat,
                         allowed=f"0 to {self.players - 1}")  # fmt: skip

    def no_list(self, options: object) -> UserError:
        """Return the error for options that are not a list."""
        found = "None" if options is None else options
        return UserError("options must return a list", file=self.place("options"), field="options", found=found,
                         allowed="a list of at least one option")  # fmt: skip

    def no_options(self, seat: int) -> UserError:
        """Return the error for an empty list of options."""
        return UserError(f"{self.which()}: no options for seat {seat}", file=self.place("options"), field="options",
                         found="an empty list", allowed='at least one option, such as ("pass",)')  # fmt: skip

    def failure(self, error: BaseException) -> UserError:
        """Convert an error raised in a game to an error message for the game's author."""
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        inner = frames[-1]
        if inner.f_code in (Playing.play_out.__code__, Playing.choose.__code__, Playing.chosen_together.__code__):
            found = inner.f_locals
            options, values, policy = found.get("options"), found.get("values"), found.get("policy")
            if isinstance(options, list | tuple) and not options:
                return self.no_options(found["seat"])
            if policy is not None and values is not None and isinstance(error, TypeError):
                wrong = next((value for value in values if not isinstance(value, int | float)), None)
                return self.no_number(policy, "None" if wrong is None else wrong)
            if options is not None and not isinstance(options, list | tuple):
                return self.no_list(options)
            if isinstance(error, AttributeError) and error.name == "seat":
                return UserError("setup must set state.seat", file=self.place("setup"), field="state.seat",
                                 allowed="the number of the seat that begins")  # fmt: skip
        for frame in frames:
            seat = frame.f_locals.get("seat", 0) if frame.f_code is Playing.play_out.__code__ else 0
            if type(seat) is not int or not 0 <= seat < self.players:
                return self.no_seat(seat)
        files = {*map(str, self.rules.files()), self.rules.kind.setup.__code__.co_filename}
        for policy in self.policies:
            code = getattr(policy.score or policy.choose, "__code__", None)
            files |= {code.co_filename} if code is not None else set()
        stops = f"{self.which()} stops"
        usual = self.rules.place
        if HIDING & {frame.f_code for frame in frames}:
            usual = place_of_name(self.rules.files(), f"{self.rules.kind.__name__}.hidden") or usual
            if isinstance(error, AttributeError) and error.name in self.rules.kind.hidden:
                names = [name for name in dir(error.obj) if not name.startswith("_")]
                message = f"{self.which()}: the state has no attribute of this name"
                return UserError(message, file=usual, field="hidden", found=error.name, allowed=names)
        return (
            missing_field(error, tuple(files), stops, self.game.data, self.rules.data_place)
            or text_for_number(error, tuple(files), self.rules.given, self.rules.data_file)
            or told_failure(error, tuple(files), stops, usual)
        )

    @contextmanager
    def failures_told(self) -> Iterator[None]:
        """In a `with` block: convert the errors of the author's code to error messages for the author."""
        try:
            yield
        except UserError:
            raise
        except (Exception, SystemExit) as error:  # `SystemExit` would end the run without a message
            raise self.failure(error) from error

    def play(self, number: int, log: Callable[[Any, dict[int, Any]], None] | None = None) -> Any:
        """Play a game of the plan and return its final state; `log` is called before every move.

        Raise UserError if the code of the game or of a player raised an error.
        """
        with self.failures_told():
            state = self.start(number)
            if number < AUDITED and not (self.rules.has("view") and self.rules.has("redeal")):
                named_piles(state, self.game.hidden or ())
            kept = self.kept if self.game.checkpoints else None
            self.steps = self.play_out(
                state, self.seats, self.streams, self.chance, audit=number < AUDITED, log=log, kept=kept
            )
        return state

    def written(self, state: Any) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """Return the rows of seats and pieces of a finished game.

        Raise UserError if the game's code raised an error, or its results do not match its declaration.
        """
        with self.failures_told():
            pieces = piece_rows_of(self, state) if self.plan.keeps_pieces and self.plan.game.pieces is not None else []
            return seat_rows_of(self, state), pieces


def open_deal(plan: Any) -> str:
    """Return a warning if the game deals at random but hides nothing from players that look ahead; otherwise "".

    Raise UserError if the game cannot be set up.
    """
    playing = Playing(plan)
    if not playing.rules.hides or playing.rules.has("redeal") or playing.game.hidden:
        return ""
    playing.deal.seed(stream_seed(plan.seed, 0, DEAL))
    before = playing.deal.getstate()
    try:
        playing.start(0)
    except Exception as error:
        raise playing.failure(error) from error
    if playing.deal.getstate() == before:
        return ""  # nothing is dealt at random
    return (
        f"{playing.rules.place} says that nothing is hidden (hidden = ()), so players who look ahead know every hand "
        'and the order of every deck; name what seats cannot see: hidden = ("deck", "hands"), or write redeal'
    )


def play_plain_games(plan: Any, first: int, count: int, mark: Any) -> tuple[np.ndarray, np.ndarray]:
    """Play `count` games of a plan, from game `first` on; return rows as `sim.players.batch.play_all` does.

    `mark` (`sim.players.batch.game_marked`) counts the moves, so that the watching process notices a move that takes
    too long. Raise UserError if the code of the game or of a player raised an error, or returned an invalid value.
    """
    playing = Playing(plan)
    playing.mark = mark
    rows: list[tuple[int, ...]] = []
    pieces: list[tuple[int, ...]] = []
    for number in range(first, first + count):
        seats, became = playing.written(playing.play(number))
        rows += seats
        pieces += became
    width = PIECE_KEYS + (0 if plan.game.pieces is None else len(plan.game.pieces.columns))
    try:
        return (np.array(rows, np.int32).reshape(-1, plan.columns), np.array(pieces, np.int32).reshape(-1, width))
    except OverflowError:
        raise UserError("a score is too large for the results", file=playing.place("score"),
                        allowed="up to 32,767") from None  # fmt: skip


def narrate(plan: Any, number: int) -> list[str]:
    """Play a game of a plan and narrate it, one line per move. Errors are those of `play_plain_games`."""
    playing = Playing(plan)
    lines: list[str] = []
    turn = 0

    def faction(seat: int) -> str:
        return plan.data.factions[playing.faction[seat]].name if plan.data.factions else ""

    def named(seat: int) -> str:
        return f"{seat} ({faction(seat)})" if faction(seat) else str(seat)

    def tell(state: Any, chosen: dict[int, Any]) -> None:
        nonlocal turn
        if playing.round_of is not None and (now := playing.round_of(state)) != turn:
            turn = now
            lines.append(f"Round {turn}")
        for seat, option in chosen.items():
            lines.append(f"  seat {named(seat)}: {playing.game.describe(state, option)}")

    with playing.failures_told():
        state = playing.start(number)
        for seat, policy in enumerate(playing.seats):
            lines.append(f"Seat {seat}: {', '.join(filter(None, (faction(seat), policy.name)))}")
        playing.kept = []
        playing.steps = playing.play_out(state, playing.seats, playing.streams, playing.chance, log=tell)
        for seat in range(plan.players):
            parts = playing.parts_of(state, seat)
            shares = ", ".join(f"{name} {part}" for name, part in zip(playing.game.score_parts, parts, strict=True))
            lines.append(f"Seat {named(seat)}: {sum(parts)} points ({shares})")
    return lines
