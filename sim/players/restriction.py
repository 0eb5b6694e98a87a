"""Players who may not take certain options: restricted play (Jaffe and others 2012).

A restricted player takes its best option that is not forbidden. If all options are forbidden, it chooses freely, and
such decisions are counted. The names of options come from the view that a game gives to players in Python
(`GameSpec.view`). In a game in plain Python, they come from the options themselves.

Kernels call a restricted player like any other, through `score_restricted`. At the first option of a decision, it asks
Python which options are forbidden. For the scores, it calls the player's own function.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Any

import numpy as np

from sim.compiler.kernel import (
    LINEUP,
    MAX_PREPARED,
    FieldRecord,
    Record,
    address_of,
    compiled,
    kernel,
    score_at,
    strategy_pointer,
)
from sim.data.declarations import GAMES
from sim.engine.rng import CHANCE
from sim.engine.state import viewer_of
from sim.errors import UserError
from sim.game import Data, GameSpec
from sim.games.plain.interface import DataRow, in_words
from sim.games.plain.playing import Playing
from sim.games.plain.policies import Policy
from sim.games.plain.streams import SeatStreams
from sim.players.batch import Plan, play
from sim.players.python_players import address_of_score, check_view, keep_failure

SUBJECTS = ("card", "land", "body", "region", "building", "place", "intrigue", "way", "type", "suit", "what", "good",
            "resource", "level", "token")  # fmt: skip
"""Fields of an option, in a game's view, that name what the option is about."""
MOST_OPTIONS = 1024
MOST_DECISIONS = 5_000
"""After this many decisions in one game, forbidden options are allowed to the player, so that the game ends."""
PLACE = MAX_PREPARED - 1
"""Index of the prepared number that holds the address of a player's `RESTRICTION`."""

RESTRICTION = np.dtype(
    (
        FieldRecord,
        [
            ("own_score", np.uint64),  # address of the player's own function
            ("ask", np.uint64),  # address of the function that fills `forbidden`
            ("best", np.float64),
            ("best_is_forbidden", np.int64),
            ("bound", np.int64),  # number of decisions in which the player's best option was forbidden
            ("forbidden", np.int8, (MOST_OPTIONS,)),
        ],
    )
)
restriction_at: Any = viewer_of(RESTRICTION)
"""Returns the restriction at an address."""


@kernel
def score_restricted(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Return the player's own score of an option, or -inf if the option is forbidden."""
    rule = restriction_at(np.uint64(w.prepared[PLACE]))
    if option == 0:
        rule.best, rule.best_is_forbidden = -np.inf, 0
        score_at(rule.ask, g, t, me, decision, option, w)
    value: float = score_at(rule.own_score, g, t, me, decision, option, w)
    if value > rule.best:
        rule.best, rule.best_is_forbidden = value, rule.forbidden[option]
    if option == g.option_count - 1:
        rule.bound += rule.best_is_forbidden
    return -np.inf if rule.forbidden[option] != 0 else value


# ---- Names of options ----

Labels = tuple[str, ...]


def labels_of_view(option: Mapping[str, Any], groups: Mapping[str, Labels]) -> Labels:
    """Return the kinds of an option in a game's view, such as "build", "build red cards", "build Guard Tower".

    `groups` holds words for the kinds of each piece or place, by name: "red cards", "in Italy".
    """
    do = str(option.get("do", option["text"])).replace("_", " ")
    found = [do]
    for name in SUBJECTS:
        subject = option.get(name)
        if isinstance(subject, str):
            found += [f"{do} {group}" for group in groups.get(subject, ())]
            found.append(f"{do} {subject}")
    return tuple(dict.fromkeys(found))


def labels_of_plain(option: Any, word: str = "") -> Labels:
    """Return the kinds of an option of a game in plain Python. For ("load", "silk"), they are "load" and "load silk".

    `word` is the game's word for a piece, for options that contain a row of the game's data: "sell red cards".
    """
    first, *rest = option if isinstance(option, tuple | list) and option else (option,)
    do = in_words(first)
    found = [do]
    for item in [first, *rest] if isinstance(first, DataRow) else rest:
        before = "" if item is first else f"{do} "
        if isinstance(item, DataRow):
            texts = [value for name, value in item.items() if isinstance(value, str) and name != "name"]
            found += [f"{before}{text} {word or 'row'}s" for text in texts]
        if isinstance(item, DataRow) or not isinstance(item, list | dict | set | NoneType):
            found.append(f"{before}{in_words(item)}")
    return tuple(dict.fromkeys(found))


# ---- Rules and counts ----


@dataclass
class Restriction:
    """What a player may not do, and how often the restriction mattered.

    Attributes
    ----------
    forbidden
        Kinds of options that the player may not take.
    required
        Kinds of options that the player must take whenever it can; empty for none.
    groups
        For each piece or place, by name, the words for its kinds (see `labels_of_view`).
    decisions, offered, free
        Numbers of decisions: those with several options; those with a forbidden or required option; and those in which
        all options were forbidden, so that the player chose freely.
    bound
        Number of decisions in which the option that the player preferred was forbidden. It is counted only in compiled
        games, for players that score options; otherwise it is 0.
    seen
        How many decisions offered each kind of option.
    """

    forbidden: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    groups: Mapping[str, Labels] = field(default_factory=dict)
    decisions: int = 0
    offered: int = 0
    free: int = 0
    bound: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    counts_kinds: bool = False
    game: int = -1
    in_game: int = 0

    def forbids(self, options: Sequence[Labels], game: int) -> list[bool]:
        """Return for each option of a decision whether it is forbidden, and update the counts.

        If no option could be taken, or the game has had too many decisions, nothing is forbidden. `game` is the number
        of the game.
        """
        if game != self.game:
            self.game, self.in_game = game, 0
        self.in_game += 1
        self.decisions += 1
        if self.counts_kinds:
            # `dict.fromkeys` keeps the order, so that ties between kinds are the same in every process.
            self.seen.update(list(dict.fromkeys(label for labels in options for label in labels)))
        kinds = self.required or self.forbidden
        listed = [not kinds.isdisjoint(labels) for labels in options]
        self.offered += any(listed)
        refused = [any(listed) and not own for own in listed] if self.required else listed
        if all(refused) or (any(refused) and self.in_game > MOST_DECISIONS):
            self.free += 1
            return [False] * len(options)
        return refused


def merged(parts: Iterable[Restriction]) -> Restriction:
    """Return a restriction with the sums of the counts of several workers."""
    whole = Restriction()
    for part in parts:
        for name in ("decisions", "offered", "free", "bound"):
            setattr(whole, name, getattr(whole, name) + getattr(part, name))
        whole.seen.update(part.seen)
    return whole


# ---- Playing ----


def play_restricted(plan: Plan, players: tuple[Any, Record], first: int, count: int, rule: Restriction) -> np.ndarray:
    """Play games of a plan whose first strategy is restricted by `rule`; return seat rows as `play` does.

    The counts in `rule` are updated. Raise UserError if a strategy fails or prepares too many numbers, or the game has
    no names for options.
    """
    if plan.game.plain is not None:
        playing = RestrictedPlaying(plan, rule)
        found = [row for game in range(first, first + count) for row in playing.written(playing.play(game))[0]]
        return np.array(found, np.int32).reshape(-1, plan.columns)
    check_view(plan.game, None)
    memory = np.zeros(1, RESTRICTION)
    lineup = np.array([players[1]], LINEUP)
    seat = lineup["seats"][0][0]
    if seat["prepared"][PLACE] != 0:
        name, message = plan.strategies[0].name, "a strategy prepares too many numbers to be restricted"
        raise UserError(message, found=name, allowed=f"fewer than {PLACE}")
    _at_work.rule, _at_work.memory = rule, memory[0]
    if _at_work.namer is None or not _at_work.namer.names_for(plan.data, rule.groups):
        _at_work.namer = Namer(plan.game, plan.data, rule.groups)
    pointer, own = strategy_pointer(score_restricted, plan.game.state, plan.game.tables), list(players[0])
    memory["own_score"] = own[0] if compiled() else address_of(own[0])
    memory["ask"] = asking_address(plan.game.state)
    seat["prepared"][PLACE] = memory.ctypes.data
    own[0] = pointer.address if compiled() else pointer
    team = (np.array(own, np.uint64) if compiled() else tuple(own)), lineup[0]
    rows, _ = play(plan, team, first, count)
    rule.bound += int(memory["bound"][0])
    return rows


class _AtWork(threading.local):
    """The restriction of each worker. Kernels call Python on the thread of their worker."""

    rule: Restriction
    memory: Record
    namer: Namer | None = None


_at_work = _AtWork()


def ask_worker(g: Record, _t: Record, me: int, decision: int, _option: int, _w: Record) -> float:
    """Write into this worker's memory which options of a decision are forbidden to the restricted player.

    It has the signature of a scoring function, so that kernels can call it. Return 0, or NaN if an error was saved.
    """
    try:
        assert _at_work.namer is not None, "play_restricted has set it"
        labels = _at_work.namer.labels(g, me, decision)
        refused = _at_work.rule.forbids(labels, int(g.rng_game[CHANCE]))
        _at_work.memory["forbidden"][: len(refused)] = refused
    except BaseException as error:  # an error cannot pass through compiled code, so it is kept for the end
        keep_failure(error)
        return math.nan
    return 0.0


@cache
def asking_address(state: np.dtype[Any]) -> int:
    """Return the address of `ask_worker` for calls from kernels. The compiled callback is cached."""
    return address_of(address_of_score(ask_worker, state) if compiled() else ask_worker)


class Namer:
    """Returns the kinds of the options of a decision, and caches them.

    In the games of the project, the kinds of an option depend only on its own fields, on the decision, and on the
    fields of the record that say what is asked. So they are computed once. A test compares cached kinds with new ones.
    """

    def __init__(self, game: GameSpec, data: Data, groups: Mapping[str, Labels], remembers: bool | None = None) -> None:
        self.name_options = import_module(game.view).name_options
        self.data, self.groups = data, groups
        self.remembers = game.name in GAMES if remembers is None else remembers
        names = [name for name in game.state.names or () if game.state[name].shape == () or name.startswith("option_")]
        self.options = [name for name in names if name.startswith("option_") and game.state[name].shape != ()
                        and name != "option_score"]  # fmt: skip
        self.context = [name for name in names if name.startswith(("asked", "asking"))]
        self.known: dict[tuple[int, ...], dict[tuple[int, ...], Labels]] = {}

    def names_for(self, data: Data, groups: Mapping[str, Labels]) -> bool:
        """Tell whether this object was made for these data and groups."""
        return self.data is data and self.groups is groups

    def labels(self, g: Record, me: int, decision: int) -> list[Labels]:
        """Return the kinds of every option of a decision, from the cache if possible."""
        count = int(g.option_count)
        if not self.remembers:
            return self.named(g, me, decision)
        known = self.known.setdefault((decision, *(int(g[name]) for name in self.context)), {})
        keys = list(zip(*(g[name][:count].tolist() for name in self.options), strict=True))
        if any(key not in known for key in keys):
            known.update(zip(keys, self.named(g, me, decision), strict=True))
        return [known[key] for key in keys]

    def named(self, g: Record, me: int, decision: int) -> list[Labels]:
        """Return the kinds of every option of a decision, without reading the cache."""
        return [labels_of_view(one, self.groups) for one in self.name_options(g, self.data, me, decision)]


class RestrictedPlaying(Playing):
    """A game in plain Python whose first player is restricted."""

    def __init__(self, plan: Plan, rule: Restriction) -> None:
        super().__init__(plan)
        self.rule, self.word = rule, self.game.piece_word
        self.restricted = self.policies[0]
        self.restricted.fast = None

    def choose(self, state: Any, seat: int, options: Sequence[Any], policy: Policy, streams: SeatStreams) -> Any:
        """Return the option that a player takes. The restricted player is offered only the options that it may take."""
        if policy is not self.restricted:
            return super().choose(state, seat, options, policy, streams)
        refused = self.rule.forbids([labels_of_plain(option, self.word) for option in options], self.number)
        allowed = [option for option, no in zip(options, refused, strict=True) if not no]
        return allowed[0] if len(allowed) == 1 else super().choose(state, seat, allowed, policy, streams)
