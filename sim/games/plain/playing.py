"""Plays games in plain Python: streams, decisions, look-ahead, and rows of results like those of compiled games."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from sim.engine.result_rows import FIXED_COLUMNS, PIECE_KEYS
from sim.errors import UserError
from sim.games.plain.failures import shown, told_failure
from sim.games.plain.interface import DataRow, Game, in_words

MASK = (1 << 64) - 1
GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
"""Constants of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
DEAL, CHANCE, LINEUP, FACTIONS, SEARCH, SEAT = range(6)
"""Streams: each has a seed of its own, from that of the run and the number of the game or block."""
AUDITED = 4
"""Games at the start of a run whose options are all examined."""
MOST_ROUNDS = 255
"""Rounds that the column of the results can hold."""


def mixed(*words: int) -> int:
    """Return 64 bits that depend on all words."""
    state = 0
    for word in words:
        state = (state + GOLDEN + word) & MASK
        state = ((state ^ (state >> 30)) * MIX_1) & MASK
        state = ((state ^ (state >> 27)) * MIX_2) & MASK
        state ^= state >> 31
    return state


def stream_seed(seed: int, number: int, stream: int) -> int:
    """Return the seed of a stream of a game or block."""
    return (seed << 80) | (number << 8) | stream


class Lots:
    """Small random streams of the seats, for ties and noise."""

    __slots__ = ("states",)

    def __init__(self, seed: int, number: int, players: int) -> None:
        key = mixed(seed, number)
        self.states = [mixed(key, SEAT + seat) for seat in range(players)]

    def word(self, seat: int) -> int:
        """Draw 64 bits (SplitMix64)."""
        state = self.states[seat] = (self.states[seat] + GOLDEN) & MASK
        state = ((state ^ (state >> 30)) * MIX_1) & MASK
        state = ((state ^ (state >> 27)) * MIX_2) & MASK
        return state ^ (state >> 31)

    def below(self, seat: int, bound: int) -> int:
        """Draw a number from 0 to bound - 1."""
        return (self.word(seat) * bound) >> 64

    def gumbel(self, seat: int) -> float:
        """Draw from the standard Gumbel distribution."""
        return -math.log(-math.log((self.word(seat) + 0.5) / 2.0**64))


@dataclass
class Mind:
    """How a strategy of a run decides.

    Attributes
    ----------
    fast
        Its function with its weights, if it takes the option with the highest score, without noise or search.
    score, choose
        Its function with its weights: one that scores an option, or one that chooses.
    search
        How it looks ahead; None if it does not.
    """

    name: str
    source: str
    score: Callable[..., float] | None
    choose: Callable[..., Any] | None
    is_greedy: bool
    temperature: float
    search: Any
    fast: Callable[..., float] | None = None


def mind_of(strategy: Any, rules: Any) -> Mind:
    """Return how a strategy decides."""
    player = strategy.script.plain
    function = bound(player.function, player.weights, strategy.weights) if player.function is not None else None
    mind = Mind(
        strategy.name,
        strategy.source,
        None if player.chooses else function,
        function if player.chooses else None,
        player.function is None and player.name == "greedy",
        strategy.temperature,
        strategy.search,
    )
    if mind.score is not None and mind.temperature == 0.0 and mind.search is None:
        mind.fast = mind.score
    if mind.search is not None and not rules.hides:
        raise missing(rules, f"{strategy.name} looks ahead, so", "hidden", "hidden = () if nothing is, or redeal")
    if mind.choose is not None and not rules.shows:
        raise missing(rules, f"{strategy.name} is shown a view, so", "hidden", "hidden = () if nothing is, or view")
    return mind


def missing(rules: Any, why: str, part: str, allowed: str) -> UserError:
    """Return the error that a game lacks an optional part which something needs."""
    message = f"{why} the game has to say what seats cannot see: add `{part}` to its class"
    return UserError(message, file=rules.place, field=part, allowed=allowed)


def bound(function: Callable[..., Any], usual: Mapping[str, float], weights: Mapping[str, float]) -> Callable[..., Any]:
    """Return a function with other defaults of its keyword arguments, which costs nothing per call."""
    if dict(usual) == dict(weights) or not isinstance(function, FunctionType):
        return function
    own = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__,
                       function.__closure__)  # fmt: skip
    own.__kwdefaults__ = dict(weights)
    return own


class Playing:
    """A game and its players, ready to play any game of a plan.

    Parameters
    ----------
    plan
        The plan of a run (`sim.players.batch.Plan`).
    """

    def __init__(self, plan: Any) -> None:
        self.plan, self.rules = plan, plan.game.plain
        self.game: Game = self.rules.game_with(plan.data)
        self.minds = [mind_of(strategy, self.rules) for strategy in plan.strategies]
        self.rollout_minds = [self.at_rollouts(mind) for mind in self.minds]
        self.players: int = plan.players
        self.mark: Any = [0, 0]
        self.deal, self.chance, self.other = random.Random(), random.Random(), random.Random()
        rules, game = self.rules, self.game
        self.together = rules.has("seats_to_act")
        self.is_over = game.is_over if rules.has("is_over") else None
        self.tie_break = game.tie_break if rules.has("tie_break") else None
        self.round_of = game.round if rules.has("round") else None
        self.parts = len(game.score_parts)
        self.lots = Lots(0, 0, plan.players)
        self.number = self.block = self.steps = 0
        self.seats: list[Mind] = []
        self.strategy: list[int] = []
        self.faction: list[int] = []
        self.kept: list[list[int]] = []
        self.decisions = self.options_seen = 0
        word = game.faction_word
        rows = game.factions or (game.data.get(word, ()) if word else ())
        self.faction_rows = [DataRow(row) if type(row) is dict else row for row in rows]
        self.settings = DataRow(plan.data.settings)

    def at_rollouts(self, mind: Mind) -> Mind:
        """Return how a player decides in the games that it looks ahead: without looking ahead itself."""
        if mind.search is None:
            return mind
        temperature = float(mind.search.model_temperature)
        fast = mind.score if temperature == 0.0 else None
        return Mind(mind.name, mind.source, mind.score, mind.choose, False, temperature, None, fast)

    # ---- Starting a game ----

    def start(self, number: int) -> Any:
        """Set up a game of the plan and seat its players; return the state."""
        plan = self.plan
        self.number, self.block, self.steps = number, number // plan.block_games, 0
        rotation = number % plan.block_games
        self.deal.seed(stream_seed(plan.seed, self.block, DEAL))
        self.chance.seed(stream_seed(plan.seed, number, CHANCE))
        self.lots = Lots(plan.seed, number, self.players)
        self.kept = []
        if rotation == 0 or self.block != getattr(self, "_seated", None):
            self._seated = self.block
            self.order, self.faction = self.seating(), self.dealt()
        if plan.assign == "fixed":
            self.strategy = [plan.lineup[seat % len(plan.lineup)] for seat in range(self.players)]
        else:
            self.strategy = [self.order[(seat + rotation) % self.players] for seat in range(self.players)]
        self.seats = [self.minds[each] for each in self.strategy]
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
        """Return the strategies of a block in the order of the seats: each entry of the line-up equally often."""
        lineup, order = list(self.plan.lineup), list[int]()
        stream = random.Random(stream_seed(self.plan.seed, self.block, LINEUP))
        while len(order) < self.players:
            stream.shuffle(lineup)
            order += lineup
        order = order[: self.players]
        stream.shuffle(order)
        return order

    def dealt(self) -> list[int]:
        """Return the factions of a block by seat; zeros in a game without factions."""
        plan = self.plan
        if not plan.factions:
            return [0] * self.players
        if plan.factions_fixed:
            return list(plan.factions[: self.players])
        stream = random.Random(stream_seed(plan.seed, self.block, FACTIONS))
        return stream.sample(list(plan.factions), self.players)

    # ---- Playing it ----

    def play_out(
        self, state: Any, seats: Sequence[Mind], lots: Lots, chance: random.Random, *,
        audit: bool = False, log: Callable[[Any, dict[int, Any]], None] | None = None,
        kept: list[list[int]] | None = None, most: int | None = None,
    ) -> int:  # fmt: skip
        """Play a game on to its end, and return the number of moves.

        Parameters
        ----------
        audit
            Whether every list of options is examined.
        log
            Called before every move, with the state and what the seats do.
        kept
            Gets the scores of all seats at each checkpoint.
        most
            Moves after which to stop.
        """
        game, together, is_over, choose = self.game, self.together, self.is_over, self.choose
        options_of, apply = game.options, game.apply
        states, limit, mark = lots.states, game.max_steps, self.mark
        steps = 0
        while steps != most:
            if together:
                option: Any = self.chosen_together(state, seats, lots, audit)
                if log is not None:
                    log(state, option)
            else:
                seat = state.seat
                options = options_of(state)
                if audit:
                    self.examine(state, seat, options)
                mind = seats[seat]
                score = mind.fast
                if len(options) < 2:
                    option = options[0]
                elif score is None:
                    option = choose(state, seat, options, mind, lots)
                else:
                    values = [score(game, state, each) for each in options]
                    best = max(values)
                    if values.count(best) == 1:
                        option = options[values.index(best)]
                        if math.isnan(best):
                            raise self.no_number(mind, best)
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
        return steps

    def keep_scores(self, state: Any, kept: list[list[int]], ended: int) -> None:
        """Keep the scores at the checkpoints of rounds that have ended."""
        marks = self.game.checkpoints
        while len(kept) < len(marks) and marks[len(kept)] <= ended:
            kept.append([sum(self.parts_of(state, seat)) for seat in range(self.players)])

    def chosen_together(self, state: Any, seats: Sequence[Mind], lots: Lots, audit: bool) -> dict[int, Any]:
        """Return what the seats choose that act at the same time."""
        acting = list(self.game.seats_to_act(state))
        if not acting:
            raise UserError(f"{self.which()}: nobody is to act", file=self.place("seats_to_act"),
                            allowed="at least one seat; apply returns True at the end")  # fmt: skip
        chosen = {}
        for seat in acting:
            state.seat = seat
            options = self.game.options(state)
            if audit:
                self.examine(state, seat, options)
            chosen[seat] = options[0] if len(options) < 2 else self.choose(state, seat, options, seats[seat], lots)
        return chosen

    def choose(self, state: Any, seat: int, options: Sequence[Any], mind: Mind, lots: Lots) -> Any:
        """Return the option that a player takes, however it decides."""
        if mind.search is not None:
            return self.look_ahead(state, seat, options, mind, lots)
        if mind.choose is not None:
            return self.chosen_by_function(state, seat, options, mind)
        if mind.score is not None:
            values = [mind.score(self.game, state, each) for each in options]
        elif mind.is_greedy:
            values = self.leads_after(state, seat, options, lots)
        else:
            return options[lots.below(seat, len(options))]
        if mind.temperature > 0.0:
            values = [value + mind.temperature * lots.gumbel(seat) for value in values]
        best = max(values)
        if math.isnan(best):
            raise self.no_number(mind, best)
        ties = [each for each, value in zip(options, values, strict=True) if value == best]
        return ties[lots.below(seat, len(ties))] if len(ties) > 1 else ties[0]

    def chosen_by_function(self, state: Any, seat: int, options: Sequence[Any], mind: Mind) -> Any:
        """Return what a function returns that is shown a view and chooses."""
        assert mind.choose is not None
        answer = mind.choose(self.game, self.game.view(state, seat), list(options))
        if answer not in options:
            code: Any = mind.choose.__code__
            raise UserError(
                f"player {mind.name} returns none of the options",
                file=f"{shown(code.co_filename)}:{code.co_firstlineno}", field=mind.name, found=answer,
                allowed=[in_words(each) for each in options[:20]],
            )  # fmt: skip
        return answer

    # ---- Looking ahead ----

    def world(self, state: Any, seat: int, seed: int) -> Any:
        """Return a copy of a state with all that a seat cannot know dealt again."""
        copy = self.game.copy(state)
        if self.rules.hides:
            self.other.seed(seed)
            self.game.redeal(copy, seat, self.other)
        return copy

    def taken(
        self, state: Any, seat: int, option: Any, minds: Sequence[Mind], lots: Lots, chance: random.Random
    ) -> bool:
        """Carry out an option in a copy of a state; return whether the game has ended."""
        move = option
        if self.together:
            move = self.chosen_together(state, minds, lots, False) | {seat: option}
            state.seat = seat
        over = self.game.apply(state, move, chance) is True
        return over or (self.is_over is not None and bool(self.is_over(state)))

    def leads_after(self, state: Any, seat: int, options: Sequence[Any], lots: Lots) -> list[float]:
        """Return by how much a seat's score leads right after each option, with dice that the game will not throw."""
        seed, values = lots.word(seat), []
        simple = [Mind("random", "", None, None, False, 0.0, None)] * self.players
        chance = random.Random()
        for option in options:
            copy = self.world(state, seat, seed)
            chance.seed(seed)
            self.taken(copy, seat, option, simple, Lots(seed, 0, self.players), chance)
            values.append(self.lead(copy, seat))
        return values

    def lead(self, state: Any, seat: int) -> float:
        """Return by how many points a seat leads; alone, its points."""
        totals = [sum(self.parts_of(state, each)) for each in range(self.players)]
        own = totals.pop(seat)
        return float(own - max(totals, default=0))

    def look_ahead(self, state: Any, seat: int, options: Sequence[Any], mind: Mind, lots: Lots) -> Any:
        """Return the option with the best mean result of games played on."""
        worth, _ = self.values_ahead(state, seat, options, mind, lots)
        best = max(worth.values())
        ties = [place for place, value in worth.items() if value == best]
        return options[ties[lots.below(seat, len(ties))]]

    def values_ahead(
        self, state: Any, seat: int, options: Sequence[Any], mind: Mind, lots: Lots
    ) -> tuple[dict[int, float], dict[int, float]]:
        """Play games on after every option, with the base of a player in all seats.

        Option by option the same worlds and dice are met; the worse half is dropped from time to time (sequential
        halving: Karnin, Koren and Somekh, ICML 2013).

        Returns
        -------
        sums, means
            By place in the options: the sum of results of the options that are left, and the mean result of every
            option that was played on.
        """
        search, base = mind.search, self.at_rollouts(mind)
        if mind.is_greedy:
            base.is_greedy = False  # as random: a copy for every option of every game played on would take for ever
        places = list(range(len(options)))
        if base.score is not None and len(options) > search.options:
            values = [base.score(self.game, state, each) for each in options]
            places = sorted(sorted(places, key=lambda place: -values[place])[: search.options])
        key = lots.word(seat)
        seats = [base] * self.players
        worth, means = [0.0] * len(options), dict[int, float]()
        done, stages = 0, max(1, (len(places) - 1).bit_length())
        chance = random.Random()
        for stage in range(1, stages + 1):
            for world in range(done, search.rollouts * stage // stages):
                start = self.world(state, seat, mixed(key, world))
                for place in places:
                    copy, lot = self.game.copy(start), Lots(key, world, self.players)
                    chance.seed(mixed(key, world, SEARCH))
                    if not self.taken(copy, seat, options[place], seats, lot, chance):
                        self.play_out(copy, seats, lot, chance)
                    worth[place] += self.value(copy, seat, search)
            done = search.rollouts * stage // stages
            means |= {place: worth[place] / done for place in places if done}
            if search.halves and stage < stages and done:
                kept = (len(places) + 1) // 2
                places = sorted(sorted(places, key=lambda place: -worth[place])[:kept])
        return {place: worth[place] for place in places}, means

    def value(self, state: Any, seat: int, search: Any) -> float:
        """Return what the end of a game played on is worth to a seat: its share of the win, or its lead."""
        if search.value == "margin" or self.players == 1:
            return self.lead(state, seat)
        ranks = self.ranks(state, [sum(self.parts_of(state, each)) for each in range(self.players)])
        return 1.0 / ranks.count(1) if ranks[seat] == 1 else 0.0

    # ---- The end of a game ----

    def parts_of(self, state: Any, seat: int) -> Sequence[int]:
        """Return the score parts of a seat.

        Raises
        ------
        UserError
            They are too few or too many, or not whole numbers.
        """
        parts = self.game.score(state, seat)
        if isinstance(parts, int | np.integer) and not isinstance(parts, bool):
            parts = (int(parts),)
        names = self.game.score_parts
        if not isinstance(parts, tuple | list) or len(parts) != self.parts:
            raise UserError("score returns another number of parts", file=self.place("score"), field="score",
                            found=parts, allowed=f"a number for each of: {', '.join(names)}")  # fmt: skip
        for name, part in zip(names, parts, strict=True):
            if type(part) is not int and (not isinstance(part, int | np.integer) or isinstance(part, bool)):
                raise UserError("a score part is not a whole number", file=self.place("score"), field=name, found=part,
                                allowed="a whole number; round, or count in tenths")  # fmt: skip
        return parts

    def ranks(self, state: Any, totals: Sequence[int]) -> list[int]:
        """Return the rank of every seat: 1 for the highest score, equal scores by `tie_break`."""
        keys: list[Any] = list(totals)
        if self.tie_break is not None:
            keys = [(total, self.tie_break(state, seat)) for seat, total in enumerate(totals)]
        return [1 + sum(other > key for other in keys) for key in keys]

    def rows_of(self, state: Any) -> list[tuple[int, ...]]:
        """Return the seat rows of a finished game."""
        game, rules = self.game, self.rules
        parts = [self.parts_of(state, seat) for seat in range(self.players)]
        totals = [sum(each) for each in parts]
        ranks = self.ranks(state, totals)
        rounds = self.round_of(state) if self.round_of is not None else -(-self.steps // self.players)
        if rounds > MOST_ROUNDS:
            raise UserError(f"{self.which()} has too many rounds", file=self.place("round"), field="round",
                            found=rounds, allowed=f"up to {MOST_ROUNDS}: write round(state)")  # fmt: skip
        reason = 0
        if rules.has("end_reason"):
            said = game.end_reason(state)
            if said not in game.end_reasons:
                raise UserError("unknown reason for an end", file=self.place("end_reason"), field="end_reason",
                                found=said, allowed=game.end_reasons)  # fmt: skip
            reason = list(game.end_reasons).index(said)
        rows = []
        for seat in range(self.players):
            more = self.measures_of(state, seat) if game.measure_names else ()
            rows.append(
                (self.number, self.block, seat, self.faction[seat], self.strategy[seat], totals[seat], ranks[seat],
                 rounds, reason, *parts[seat], *more, *(each[seat] for each in self.kept))
            )  # fmt: skip
        return rows

    def measures_of(self, state: Any, seat: int) -> Sequence[int]:
        """Return the measures of a seat; raise UserError if they are not those that the class names."""
        names, found = self.game.measure_names, self.game.measures(state, seat)
        if isinstance(found, Mapping):
            for name in found:
                if name not in names:
                    raise UserError("unknown measure", file=self.place("measures"), field="measures", found=name,
                                    allowed=names)  # fmt: skip
            found = [found.get(name) for name in names]
        if len(found) != len(names) or not all(isinstance(each, int | np.integer) for each in found):
            raise UserError("measures returns other numbers", file=self.place("measures"), field="measures",
                            found=found, allowed=f"{len(names)} whole numbers: {', '.join(names)}")  # fmt: skip
        return [int(each) for each in found]

    def piece_rows_of(self, state: Any) -> list[tuple[int, ...]]:
        """Return the piece rows of a finished game."""
        names = {name: number for number, name in enumerate(self.plan.data.pieces)}
        columns = {event: number for number, event in enumerate(("offered", *self.game.piece_events))}
        rows: list[tuple[int, ...]] = []
        for seat in range(self.players):
            found: dict[int, list[int]] = {}
            for name, event, turn in self.game.pieces(state, seat):
                for said, known, what in ((name, names, self.game.piece_word), (event, columns, "event")):
                    if said not in known:
                        raise UserError(f"pieces names an unknown {what}", file=self.place("pieces"), field="pieces",
                                        found=said, allowed=list(known))  # fmt: skip
                row = found.setdefault(names[name], [0] * len(columns))
                row[0] += event == "offered" or not row[0]
                if event != "offered" and not row[columns[event]]:
                    row[columns[event]] = min(int(turn), MOST_ROUNDS)
            rows += [(self.number, seat, piece, *found[piece]) for piece in sorted(found)]
        return rows

    # ---- Errors ----

    def which(self) -> str:
        """Return the words for the present game."""
        return f"game {self.number} of seed {self.plan.seed}"

    def place(self, method: str) -> str | None:
        """Return the file and line of a method of the game, or of its class."""
        code = getattr(getattr(self.rules.kind, method, None), "__code__", None)
        return None if code is None else f"{shown(code.co_filename)}:{code.co_firstlineno}"

    def no_number(self, mind: Mind, value: object) -> UserError:
        """Return the error that a player's score is not a number."""
        code = getattr(mind.score, "__code__", None)
        place = None if code is None else f"{shown(code.co_filename)}:{code.co_firstlineno}"
        return UserError(f"player {mind.name} returns a score that is not a number", file=place, field=mind.name,
                         found=value, allowed="numbers; -inf is never")  # fmt: skip

    def examine(self, state: Any, seat: int, options: Any) -> None:
        """Check a list of options, and the seat that gets it.

        Raises
        ------
        UserError
            It is not a list, is empty, or has an option that cannot be found again.
        """
        place = self.place("options")
        if type(seat) is not int or not 0 <= seat < self.players:
            raise self.no_seat(seat)
        if not isinstance(options, list | tuple):
            raise UserError("options returns no list", file=place, field="options", found=options, allowed="a list")
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
        """Return the error that a seat is none of the table."""
        return UserError(f"{self.which()}: no such seat", file=self.place("apply"), field="state.seat", found=seat,
                         allowed=f"0 to {self.players - 1}")  # fmt: skip

    def no_options(self, seat: int) -> UserError:
        """Return the error that a list of options is empty."""
        return UserError(f"{self.which()}: no options for seat {seat}", file=self.place("options"), field="options",
                         found="an empty list", allowed='at least one option, such as ("pass",)')  # fmt: skip

    def failure(self, error: Exception) -> UserError:
        """Return what an author is told of an error in a game."""
        frames, step = [], error.__traceback__
        while step is not None:
            frames.append(step.tb_frame)
            step = step.tb_next
        inner = frames[-1]
        if inner.f_code in (Playing.play_out.__code__, Playing.choose.__code__, Playing.chosen_together.__code__):
            found = inner.f_locals
            options, values, mind = found.get("options"), found.get("values"), found.get("mind")
            if isinstance(options, list | tuple) and not options:
                return self.no_options(found["seat"])
            if mind is not None and values is not None and isinstance(error, TypeError):
                wrong = next((value for value in values if not isinstance(value, int | float)), None)
                return self.no_number(mind, "None" if wrong is None else wrong)
            if options is not None and not isinstance(options, list | tuple):
                return UserError("options returns no list", file=self.place("options"), field="options", found=options,
                                 allowed="a list")  # fmt: skip
            if isinstance(error, AttributeError) and error.name == "seat":
                return UserError("the state has no seat", file=self.place("setup"), field="state.seat",
                                 allowed="setup sets state.seat to the seat that begins")  # fmt: skip
        for frame in frames:
            seat = frame.f_locals.get("seat", 0) if frame.f_code is Playing.play_out.__code__ else 0
            if type(seat) is not int or not 0 <= seat < self.players:
                return self.no_seat(seat)
        files = {*map(str, self.rules.files()), self.rules.kind.setup.__code__.co_filename}
        for mind in self.minds:
            code = getattr(mind.score or mind.choose, "__code__", None)
            files |= {code.co_filename} if code is not None else set()
        return told_failure(error, tuple(files), f"{self.which()} stops", self.rules.file or self.rules.name)

    def play(self, number: int, log: Callable[[Any, dict[int, Any]], None] | None = None) -> Any:
        """Play a game of the plan, and return its last state; `log` is called before every move.

        Raises
        ------
        UserError
            The code of the game or of a player raised an error.
        """
        try:
            state = self.start(number)
            kept = self.kept if self.game.checkpoints else None
            self.steps = self.play_out(
                state, self.seats, self.lots, self.chance, audit=number < AUDITED, log=log, kept=kept
            )
        except UserError:
            raise
        except Exception as error:
            raise self.failure(error) from error
        return state

    def written(self, state: Any) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """Return the rows of seats and of pieces of a finished game.

        Raises
        ------
        UserError
            The code of the game raised an error, or its results are not what it declares.
        """
        try:
            pieces = self.piece_rows_of(state) if self.plan.keeps_pieces and self.plan.game.pieces is not None else []
            return self.rows_of(state), pieces
        except UserError:
            raise
        except Exception as error:
            raise self.failure(error) from error


def play_games(plan: Any, first: int, count: int, mark: Any) -> tuple[np.ndarray, np.ndarray]:
    """Play games first to first + count - 1 of a plan; return rows as `sim.players.batch.play_all` does.

    Parameters
    ----------
    mark
        Its second number counts the moves, so that a watcher notices a move that takes too long.

    Raises
    ------
    UserError
        The code of the game or of a player raised an error, or returned what it may not.
    """
    playing = Playing(plan)
    playing.mark = mark
    rows: list[tuple[int, ...]] = []
    pieces: list[tuple[int, ...]] = []
    for number in range(first, first + count):
        seats, became = playing.written(playing.play(number))
        rows += seats
        pieces += became
    columns = FIXED_COLUMNS + len(plan.game.score_parts) + len(plan.game.measures)
    width = PIECE_KEYS + (0 if plan.game.pieces is None else len(plan.game.pieces.columns))
    try:
        return (np.array(rows, np.int32).reshape(-1, columns), np.array(pieces, np.int32).reshape(-1, width))
    except OverflowError:
        raise UserError("a score is too large for the results", file=playing.place("score"),
                        allowed="up to 32,767") from None  # fmt: skip


def narrate(plan: Any, number: int) -> list[str]:
    """Play a game of a plan and tell it, a line for each move.

    Raises
    ------
    UserError
        As for `play_games`.
    """
    playing = Playing(plan)
    lines: list[str] = []
    turn = 0

    def tell(state: Any, chosen: dict[int, Any]) -> None:
        nonlocal turn
        if playing.round_of is not None and (now := playing.round_of(state)) != turn:
            turn = now
            lines.append(f"Round {turn}")
        for seat, option in chosen.items():
            lines.append(f"  seat {seat}: {playing.game.describe(state, option)}")

    try:
        state = playing.start(number)
        for seat, mind in enumerate(playing.seats):
            names = [faction.name for faction in plan.data.factions]
            who = f"{names[playing.faction[seat]]}, " if names else ""
            lines.append(f"Seat {seat}: {who}{mind.name}")
        playing.kept = []
        playing.steps = playing.play_out(state, playing.seats, playing.lots, playing.chance, log=tell)
        for seat in range(plan.players):
            parts = playing.parts_of(state, seat)
            shares = ", ".join(f"{name} {part}" for name, part in zip(playing.game.score_parts, parts, strict=True))
            lines.append(f"Seat {seat}: {sum(parts)} points ({shares})")
    except UserError:
        raise
    except Exception as error:
        raise playing.failure(error) from error
    return lines
