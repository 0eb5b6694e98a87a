"""Checks games in plain Python: invariants, copies, hidden information, and that a seed always gives the same games.

Run as a program, this module plays games of a run and prints a digest of each. `check_processes` compares these digests
between two processes.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from sim.compiler.source_digest import own_environment, own_program
from sim.errors import UserError
from sim.games.plain.failures import shown
from sim.games.plain.interface import DataRow, Game, in_words
from sim.games.plain.playing import Playing
from sim.games.plain.source_files import place_of_name
from sim.games.plain.streams import SeatStreams
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan

LOOKS = 0.1
"""Probability that copies and hidden information are checked at a given move."""
HASHED_GAMES = 20
"""Number of games that are played in both of two processes. Sets have a different order in each process."""
ORDERED = {"list", "tuple", "enumerate", "iter", "next", "zip", "map", "filter", "dict", "reversed", "join"}
"""Names of functions whose result depends on the order of their argument."""


def fingerprint(value: Any, known: dict[int, int] | None = None) -> Any:
    """Return the content of a value, such as a state, as nested tuples that can be compared.

    Equal values give equal tuples in every process, whatever the order of their sets. `known` numbers the objects met
    so far, by id, so that shared objects are recognized.
    """
    known = {} if known is None else known
    kind = type(value)
    if kind in (int, float, str, bool, type(None), bytes):
        return value
    if isinstance(value, DataRow):
        return "row", tuple(value.items())
    if isinstance(value, type) or callable(value):
        return getattr(value, "__qualname__", kind.__name__)
    if isinstance(value, random.Random):
        return "random"
    if isinstance(value, np.ndarray | np.generic):
        return kind.__name__, value.tolist()
    if id(value) in known:
        return "again", known[id(value)]
    known[id(value)] = len(known)
    if isinstance(value, dict):
        return "dict", tuple((fingerprint(name, known), fingerprint(each, known)) for name, each in value.items())
    if isinstance(value, set | frozenset):
        return "set", tuple(sorted((fingerprint(each, {}) for each in value), key=repr))
    if isinstance(value, list | tuple) or hasattr(value, "__iter__"):
        return kind.__name__, tuple(fingerprint(each, known) for each in value)
    slots = [name for base in kind.__mro__ for name in getattr(base, "__slots__", ())]
    own = getattr(value, "__dict__", {}) | {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return kind.__name__, tuple((name, fingerprint(each, known)) for name, each in own.items())


def changed_part(before: Any, after: Any) -> str:
    """Return the name of the first attribute in which two fingerprints of a state differ; "the state" if unknown."""
    for (name, was), (_, now) in zip(before[1], after[1], strict=False):
        if was != now and isinstance(name, str):
            return f"state.{name}"
    return "the state"


class BrokenError(UserError):
    """A check has failed."""


class Watcher:
    """Plays games of a plan, and checks them as they are played.

    The random generator `draws` decides at which moves copies and hidden information are checked.
    """

    def __init__(self, plan: Plan, draws: np.random.Generator) -> None:
        self.playing, self.draws = Playing(plan), draws
        self.rules, self.game = self.playing.rules, self.playing.game
        self.checks = self.rules.has("check")
        self.moves: list[Any] = []
        self.copied: list[tuple[int, Any]] = []

    def play(self, number: int) -> tuple[list[Any], list[tuple[int, ...]]]:
        """Play a game with all checks; return its moves (as fingerprints) and its rows of results.

        Raises
        ------
        UserError
            A check has failed, or the game cannot be played.
        """
        playing = self.playing
        self.moves, self.copied = [], []
        before = global_random()
        with playing.failures_told():
            state = playing.start(number)
            playing.steps = playing.play_out(
                state, playing.seats, playing.streams, playing.chance, audit=True, log=self.look,
                kept=playing.kept if self.game.checkpoints else None,
            )  # fmt: skip
            self.game.check(state)
            rows, _ = playing.written(state)
            ends = [tuple(playing.parts_of(state, seat)) for seat in range(playing.players)]
        if global_random() != before:
            place = place_of_random(playing, number)
            raise BrokenError("the game draws from the global random; draw from deal or chance", file=place)
        for move, scores in self.copied:
            if scores != ends:
                place, name = kept_outside(playing, number) or (None, None)
                raise BrokenError(
                    f"game {number}: a copy made at move {move} and played on with the same draws ends with different "
                    f"scores: {'this' if name else 'something'} is kept outside the state"
                    f"{'' if name else ', or not copied'}",
                    file=place or playing.place("copy" if self.rules.has("copy") else "apply"), field=name,
                    found=scores, allowed=str(ends),
                )  # fmt: skip
        return self.moves, rows

    def look(self, state: Any, chosen: dict[int, Any]) -> None:
        """Record a move, and check the state before it."""
        self.moves.append([(seat, fingerprint(option)) for seat, option in chosen.items()])
        self.game.check(state)
        if self.draws.random() < LOOKS:
            self.check_copy(state, chosen)
            if self.rules.hides:
                for seat in chosen:
                    self.check_hidden(state, seat)

    def check_copy(self, state: Any, chosen: dict[int, Any]) -> None:
        """Copy the state, and play the copy to its end with the same random draws.

        Raise BrokenError if the copy differs from the state, or if playing it changes the state. The scores at the end
        of the copy are recorded, so that `play` can compare them with those of the game.
        """
        playing, before = self.playing, fingerprint(state)
        copy = self.game.copy(state)
        if fingerprint(copy) != before:
            part = changed_part(before, fingerprint(copy))
            raise BrokenError("a copy of the state is not the same", file=playing.place("copy"), field=part)
        streams, chance = SeatStreams(0, 0, playing.players), random.Random()
        streams.states = list(playing.streams.states)
        chance.setstate(playing.chance.getstate())
        move = chosen if playing.together else next(iter(chosen.values()))
        over = self.game.apply(copy, move, chance) is True or bool(playing.is_over and playing.is_over(copy))
        if not over:
            playing.play_out(copy, playing.seats, streams, chance)
        if fingerprint(state) != before:
            part = changed_part(before, fingerprint(state))
            message = "a copy of the state shares something that changes: playing the copy has changed the state"
            raise BrokenError(message, file=playing.place("copy"), field=part, allowed="a copy that shares nothing")
        self.copied.append((len(self.moves), [tuple(playing.parts_of(copy, seat)) for seat in range(playing.players)]))

    def check_hidden(self, state: Any, seat: int) -> None:
        """Redeal what a seat cannot know; check that the rest does not change.

        Raise BrokenError if its options, its view, or the score that any player gives to an option depends on hidden
        information.
        """
        playing, game = self.playing, self.game
        other = game.copy(state)
        game.redeal(other, seat, random.Random(int(self.draws.integers(1 << 30))))
        state.seat = other.seat = seat
        options = game.options(state)
        said = [fingerprint(each) for each in options]
        if [fingerprint(each) for each in game.options(other)] != said:
            message = f"the options of seat {seat} depend on what it cannot see"
            raise BrokenError(message, file=playing.place("options"), field="options")
        if self.rules.shows and fingerprint(game.view(other, seat)) != fingerprint(game.view(state, seat)):
            message = f"the view of seat {seat} shows what it cannot see"
            raise BrokenError(message, file=playing.place("view"), field="view")
        for policy in playing.policies:
            score: Any = policy.score
            for option in options if score is not None else ():
                if score(game, state, option) != score(game, other, option):
                    code = score.__code__
                    message = (
                        f"player {policy.name} depends on what its seat cannot see when it scores {in_words(option)}"
                    )
                    raise BrokenError(
                        message, file=f"{shown(code.co_filename)}:{code.co_firstlineno}", field=policy.name
                    )


def check_plain_stretch(
    plan: Plan, first: int, count: int, draws: np.random.Generator, again: bool
) -> tuple[str, int, int]:
    """Play and check some games.

    Parameters
    ----------
    again
        Whether to replay the games in another order. If `first` is 0, the first games are then also played in two other
        processes, and the games of the two processes are compared.

    Returns
    -------
    fault, moves, looks
        The failed check, empty if all passed; number of moves; and number of moves at which the game was copied.
    """
    watcher = Watcher(plan, draws)
    played, looks = {}, 0
    try:
        for number in range(first, first + count):
            played[number] = watcher.play(number)
            looks += len(watcher.copied)
        if again:
            other = Watcher(plan, draws)
            for number in reversed(range(first, first + count)):
                check_same(other, number, played[number], other.play(number))
            if first == 0:
                check_processes(plan)
    except UserError as error:
        return str(error), 0, 0
    return "", sum(len(moves) for moves, _ in played.values()), looks


def check_same(watcher: Watcher, number: int, one: tuple[Any, Any], two: tuple[Any, Any]) -> None:
    """Raise BrokenError if a replayed game differs.

    `one` and `two` are the results of the two games. The message names a value that outlives a game and has changed. If
    there is none, it names suspicious lines of the code.
    """
    if one == two:
        return
    plan = watcher.playing.plan
    place, name = kept_outside(watcher.playing, number) or (suspects(plan), None)
    move = next((at for at, (a, b) in enumerate(zip(one[0], two[0], strict=False)) if a != b), len(one[0]))
    raise BrokenError(
        f"game {number} of seed {plan.seed} differs when replayed after other games, first at move {move + 1}"
        f"{': this outlives a game' if name else ''}", file=place, field=name,
        allowed="draws from deal and chance only, no order of a set, and nothing that outlives a game",
    )  # fmt: skip


def check_processes(plan: Plan) -> None:
    """Play the first games in two processes with different orders of sets; raise BrokenError if a game differs."""
    if plan.game.plain.file is None:
        return
    assign: Any = plan.assign
    settings: Any = dict(plan.data.settings)
    config = RunConfig(
        game=plan.game.name, players=plan.players, variant=plan.variant, assign=assign, seed=plan.seed,
        strategies=[plan.strategies[number].name for number in plan.lineup], settings=settings,
    )  # fmt: skip
    found = []
    for hash_seed in ("1", "2"):
        command = own_program("sim.diagnostics.soak_plain", config.model_dump_json())
        done = subprocess.run(
            command, env=own_environment() | {"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=False
        )
        found.append(done.stdout.split())
    for number, (one, two) in enumerate(zip(*found, strict=False)):
        if one != two:
            raise BrokenError(
                f"game {number} of seed {plan.seed} differs in another process, where sets have another order",
                file=suspects(plan), allowed="sorted(...) around a set whose order matters",
            )  # fmt: skip


# ---- Where is it? ----


def global_random() -> tuple[Any, ...]:
    """Return the states of the global random generators of Python and NumPy."""
    legacy: Any = np.random.get_state(legacy=False)  # noqa: NPY002 - what games should not use
    return random.getstate(), legacy["state"]["pos"], bytes(legacy["state"]["key"])


def place_of_random(playing: Playing, number: int) -> str | None:
    """Find the line that draws from a global random generator, by replaying a game with line tracing.

    Return its file and line; if no such draw is found, the last line of the game's code that ran.
    """
    files = {str(path) for path in playing.rules.files()} | {playing.rules.kind.setup.__code__.co_filename}
    last, found = SimpleNamespace(place=None, drawn=global_random()), list[str]()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in files:
            return None
        now = global_random()
        if now != last.drawn and last.place is not None:
            found.append(last.place)
        last.place, last.drawn = f"{shown(frame.f_code.co_filename)}:{frame.f_lineno}", now
        return trace

    usual = sys.gettrace()
    sys.settrace(trace)
    try:
        playing.play(number)
    finally:
        sys.settrace(usual)
    return found[0] if found else last.place


def kept_outside(playing: Playing, number: int) -> tuple[str | None, str] | None:
    """Replay a game, and find a value that the game changes although it is not part of the state.

    Return the place in the code and the name of the first such value; None if there is none.
    """
    before = {name: fingerprint(value) for name, value in values_outside(playing)}
    with suppress(UserError):
        playing.play(number)
    changed = [name for name, value in values_outside(playing) if fingerprint(value) != before.get(name)]
    if not changed:
        return None
    return place_of_name(playing.rules.files(), changed[0]) or playing.place("apply"), changed[0]


def values_outside(playing: Playing) -> Iterator[tuple[str, Any]]:
    """Yield all values that outlive a game, with names: class attributes, module variables and function defaults."""
    game = playing.game
    files = set(map(str, playing.rules.files()))
    modules = [module for module in list(sys.modules.values()) if getattr(module, "__file__", None) in files]
    classes = [kind for kind in type(game).__mro__ if kind not in (Game, object)]
    for module in modules:
        classes += [
            kind for kind in vars(module).values() if inspect.isclass(kind) and kind.__module__ == module.__name__
        ]
    for kind in dict.fromkeys(classes):
        for name, value in {**vars(kind), **(vars(game) if kind is type(game) else {})}.items():
            if not name.startswith("__") and name not in ("data", "_ready"):
                yield f"{kind.__name__}.{name}", defaults_of(value)
    for module in modules:
        for name, value in vars(module).items():
            if not name.startswith("__") and not isinstance(value, type | ModuleType):
                yield name, defaults_of(value)


def defaults_of(value: Any) -> Any:
    """Return the default arguments of a function; return any other value unchanged."""
    return (value.__defaults__, value.__kwdefaults__) if isinstance(value, FunctionType) else value


def suspects(plan: Plan) -> str | None:
    """Return the place of suspicious lines in a game's code (`lines_with_order`), or else only the game's file."""
    for path in plan.game.plain.files():
        lines = sorted(set(lines_with_order(ast.parse(path.read_bytes()))))
        if lines:
            return f"{shown(str(path))}:{','.join(map(str, lines[:5]))}"
    file = plan.game.plain.file
    return None if file is None else shown(str(file))


def lines_with_order(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of a source that seem to use the order of a set, or draw from `random`."""
    sets = {ast.unparse(target).split(".")[-1] for target in assigned_sets(tree)}

    def is_set(node: ast.expr) -> bool:
        if isinstance(node, ast.Set | ast.SetComp):
            return True
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
        if isinstance(node, ast.BinOp):
            return is_set(node.left) or is_set(node.right)
        return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).split(".")[-1] in sets

    modules = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
               for alias in node.names if alias.name == "random"}  # fmt: skip
    names = {alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
             for alias in node.names if node.module == "random"}  # fmt: skip
    inside_sorted = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("sorted", "sum", "len", "max", "min", "any", "all")
        for argument in node.args
        for each in ast.walk(argument)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension) and is_set(node.iter) and id(node) not in inside_sorted:
            yield node.iter.lineno
        elif isinstance(node, ast.Starred) and is_set(node.value) and id(node) not in inside_sorted:
            yield node.lineno
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called.split(".")[-1] in ORDERED and any(map(is_set, node.args)) and id(node) not in inside_sorted:
                yield node.lineno
            if (
                called.endswith(".pop")
                and not node.args
                and isinstance(node.func, ast.Attribute)
                and is_set(node.func.value)
            ):
                yield node.lineno
            if called in names or called.split(".")[0] in modules:
                yield node.lineno


def assigned_sets(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the names and attributes to which a source assigns sets."""
    for node in ast.walk(tree):
        value = getattr(node, "value", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and (
            isinstance(value, ast.Set | ast.SetComp)
            or (isinstance(value, ast.Call) and ast.unparse(value.func) in ("set", "frozenset"))
        ):
            yield from node.targets if isinstance(node, ast.Assign) else [node.target]


def main(text: str) -> None:
    """Play the first games of a run, and print a digest of each. `text` is the run's configuration as JSON."""
    plan = make_plan(RunConfig.model_validate_json(text))
    playing = Playing(plan)
    for number in range(HASHED_GAMES):
        moves: list[Any] = []
        state = playing.start(number)
        playing.play_out(
            state, playing.seats, playing.streams, playing.chance,
            log=lambda _, chosen: moves.append([(seat, fingerprint(option)) for seat, option in chosen.items()]),  # noqa: B023
        )  # fmt: skip
        print(hashlib.sha256(repr(moves).encode()).hexdigest())


if __name__ == "__main__":
    main(sys.argv[1])
