"""Soaks a game: plays random runs of all kinds, called trials, and checks everything that must hold in every run.

`sim.diagnostics.soak_trials` draws and checks the trials. They are played in a separate process, so that a crash or an
endless game is reported like any other fault. In this process every array index is checked
(`EMPIRELAB_CHECK_BOUNDS`). A file can log the trials of several sessions.
"""

from __future__ import annotations

import json
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from sim.compiler.source_digest import digest_of_code, own_environment, own_program
from sim.data.declarations import GAMES
from sim.data.files import write_whole
from sim.data.json_input import read_limited_text, read_object
from sim.diagnostics.soak_trials import Clean, Trial, draw_trial, play_trial, trial_command
from sim.errors import UserError
from sim.game import GameSpec, is_game_file, name_game
from sim.players.find_strategies import scripts_of
from sim.players.sandbox import end_with_watcher
from sim.players.search import score_by_search
from sim.runs.config import RunConfig, game_of, make_plan
from sim.runs.simulate import command_of

FORMAT = "empirelab-soak/1"
SILENCE = 1800.0
"""Seconds without output after which a game counts as endless. The limit is high because compiling may take minutes."""
DIGITS = 12
"""Number of digits of a digest in the log."""


# ---- The log of a soak ----


@dataclass(frozen=True)
class Violation:
    """A failed check: its description `fault`, the command `again` that repeats the trial, and the command `plain`.

    `plain` plays the run of the trial without checks.
    """

    trial: int
    fault: str
    again: str
    plain: str


@dataclass
class BegunTrial:
    """A trial that has begun: its options, and how many of its games were clean.

    Attributes
    ----------
    players, variant, strategies, settings
        Number of players, variant, names of the line-up, and number of settings with a value other than the default.
    whole
        Whether invariants are checked before every decision, and all games are played twice.
    games, decisions, looked_at
        Number of clean games, of their decisions, and of the decisions before which invariants were checked.
    code
        Digest of the engine that played the trial.
    """

    trial: int
    players: int
    variant: str
    strategies: list[str]
    settings: int
    whole: bool
    code: str
    games: int = 0
    decisions: int = 0
    looked_at: int = 0


@dataclass
class SoakLog:
    """The results of soaking a game: the trials, and the violations that still have to be replayed.

    `code` is the digest of the current engine. Trials of an earlier engine say nothing about the current engine.
    """

    game: str
    seed: int
    decks: list[str] = field(default_factory=list)
    tried: list[BegunTrial] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    code: str = field(default="", compare=False)

    @property
    def games(self) -> int:
        """Number of clean games, played by any version of the engine."""
        return sum(one.games for one in self.tried)

    @property
    def games_now(self) -> int:
        """Number of clean games, played by the current engine."""
        return sum(one.games for one in self.tried if one.code == self.code)

    @property
    def next_trial(self) -> int:
        """Number of the first trial after all that have begun."""
        return 1 + max((one.trial for one in self.tried), default=-1)

    def begin(self, tried: BegunTrial) -> None:
        """Record that a trial begins. If it was played before, its earlier record and violations are dropped."""
        self.tried = [one for one in self.tried if one.trial != tried.trial] + [tried]
        self.violations = [one for one in self.violations if one.trial != tried.trial]


def read_soak_log(path: Path, game: str, seed: int, decks: Sequence[str], changes: Sequence[str] = ()) -> SoakLog:
    """Read the log of a soak; start a new one if the file does not exist.

    Raise UserError if the log cannot be read, or has another game, seed, decks or changes.
    """
    asked = {"game": game, "seed": seed, "decks": list(decks), "changes": list(changes)}
    log = SoakLog(game, seed, list(decks), changes=list(changes))
    if not path.exists():
        return log
    try:
        content = {"changes": []} | read_object(path, read_limited_text(path), None)
        kept = {name: content[name] for name in ("format", *asked)}
        log.tried = [_read_as(BegunTrial, row) for row in content["tried"]]
        log.violations = [_read_as(Violation, row) for row in content["violations"]]
    except (UserError, OSError, ValueError, TypeError, LookupError) as error:
        raise UserError("not a log of soak", file=path, allowed="another file, or none") from error
    for name, value in ({"format": FORMAT} | asked).items():
        if kept[name] != value:
            found, allowed = (
                ", ".join(each) or "none" if isinstance(each, list) else each for each in (kept[name], value)
            )
            raise UserError("the log of another soak", file=path, field=name, found=found, allowed=str(allowed))
    return log


def _read_as(kind: Any, row: Mapping[str, Any]) -> Any:
    """Convert a row of the log to an object of the class `kind`; raise TypeError if a field has the wrong type."""
    one = kind(**row)
    names = {"int": int, "str": str, "bool": bool, "list[str]": list}
    for name, annotation in kind.__annotations__.items():
        if type(getattr(one, name)) is not names[annotation]:
            raise TypeError(name)
    return one


def write_soak_log(path: Path, soaked: SoakLog) -> None:
    """Write the log atomically."""
    content = {"format": FORMAT, **asdict(soaked)}
    write_whole(path, (json.dumps(content, indent=None, separators=(",", ":")) + "\n").encode("utf-8"))


def same_faults(violations: Iterable[Violation]) -> list[list[Violation]]:
    """Group violations whose descriptions are equal apart from numbers and the values found; return the groups."""
    groups: dict[tuple[str, str], list[Violation]] = {}
    for one in violations:
        place, _, said = one.fault.partition(": ")
        groups.setdefault((place, re.sub(r"[0-9]+", "", said.partition(" (found: ")[0])), []).append(one)
    return list(groups.values())


def told_once(tell: Callable[[Violation], None]) -> Callable[[Violation], None]:
    """Return a function that takes violations, and calls `tell` only with the first violation of each fault."""
    found: list[Violation] = []

    def tell_first(violation: Violation) -> None:
        found.append(violation)
        if any(group[0] is violation for group in same_faults(found)):
            tell(violation)

    return tell_first


# ---- Playing ----


def engine_digest(game: GameSpec) -> str:
    """Return the first `DIGITS` digits of a digest of all that determines the results of trials.

    That is the code of the engine, of the players and of the search, and the data of the game.
    """
    if game.plain is not None:
        return sha256((game.plain.digest() + game.load({}).digest).encode()).hexdigest()[:DIGITS]
    scripts = scripts_of(game.name).values()
    functions = [*game.source_functions, score_by_search, *(script.score for script in scripts)]
    return sha256((digest_of_code(functions) + game.load({}).digest).encode()).hexdigest()[:DIGITS]


def soak(
    name: str,
    *,
    seconds: float,
    seed: int = 1,
    trial: int | None = None,
    games: int | None = None,
    decks: Sequence[str | Path] = (),
    changes: Sequence[str] = (),
    keep: Path | None = None,
    progress: Callable[[int], None] = lambda games: None,
    tell: Callable[[Violation], None] = lambda violation: None,
    silence: float = SILENCE,
) -> SoakLog:
    """Play random runs of a game with all checks, in a separate process, until the time is over.

    Parameters
    ----------
    seconds
        How long to play, in wall-clock time. The last trial is played to its end.
    seed
        The trials of a seed are the same anywhere. How many of them are played depends on the machine.
    trial
        Play only the trial with this number.
    games
        With `trial`, the number of games of this trial. Without `trial`, stop when this number of games are clean with
        the current code; logged games count.
    decks
        Decks of the user, some of which are dealt in some trials.
    changes
        Changes of the game or of weights (`FILE#ROW.FIELD=VALUE`), made in all trials.
    keep
        File of the log, written after each trial. First the trials with logged violations are replayed. Then trials
        continue after the last logged trial.
    progress
        Gets the number of games that have just been found clean.
    tell
        Gets each fault as soon as it is found, with its first violation.
    silence
        Seconds without output after which a game counts as endless.

    Raises
    ------
    UserError
        There is no such game, it does not take these decks or changes, or the log belongs to another soak.
    """
    names = [str(deck) for deck in decks]
    code = engine_digest(game_of(RunConfig(game=name, decks=names)))
    make_plan(RunConfig(game=name, changes=list(changes)))  # raises UserError if a change does not fit
    found = read_soak_log(keep, name, seed, names, changes) if keep else SoakLog(name, seed, names, changes=[*changes])
    found.code = code
    most = games if trial is None else None
    waiting = [one.trial for one in found.violations] if trial is None else [trial]
    until, tell = time.monotonic() + seconds, told_once(tell)
    while most is None or found.games_now < most:
        ends = trial is not None
        numbers = ",".join([*map(str, waiting), *([] if ends else [f"{found.next_trial}:"])])
        arguments = [name, GAMES.get(name, ""), str(seed), numbers, str(games or 0) if ends else "0"]
        arguments += [json.dumps(names), json.dumps(found.changes)]
        listener = Listener(found, keep, progress, tell)
        died_with = listener.listen(arguments, until, most, silence)
        if died_with is None or ends or time.monotonic() >= until:
            break
        # The process has died during a trial: a new process continues after that trial.
        waiting = waiting[waiting.index(died_with) + 1 :] if died_with in waiting else []
    return found


class Listener:
    """Reads the output of a process that plays trials, and records the results in a log."""

    def __init__(
        self, found: SoakLog, keep: Path | None, progress: Callable[[int], None], tell: Callable[[Violation], None]
    ) -> None:
        self._found, self._keep, self._progress, self._tell = found, keep, progress, tell
        self._at: BegunTrial | None = None

    def listen(self, arguments: list[str], until: float, most: int | None, silence: float) -> int | None:
        """Start a process that plays trials, and read its output until the time is over or enough games are clean.

        Return the number of the trial during which the process died; None if it did not die during a trial.
        """
        environment = own_environment() | {"EMPIRELAB_CHECK_BOUNDS": "1"}
        command = own_program("sim.diagnostics.soak", *arguments)
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
            lines: queue.Queue[str | None] = queue.Queue()
            threading.Thread(target=_pass_on, args=(process.stdout, lines), daemon=True).start()
            why = ""
            try:
                while not why:
                    try:
                        line = lines.get(timeout=silence)
                    except queue.Empty:
                        why = f"nothing was heard for {silence:.0f} s: the game seems to be endless"
                        break
                    if line is None:
                        why = f"the process died with status {process.wait()}"
                    elif self._note(json.loads(line)) and (
                        time.monotonic() >= until or (most is not None and self._found.games_now >= most)
                    ):
                        return None
            finally:
                process.kill()
        return self._died(why, process.returncode)

    def _note(self, said: Mapping[str, Any]) -> bool:
        """Record a line of output of the process in the log; return whether the line ends a trial."""
        if "trial" in said:
            self._at = BegunTrial(**said, code=self._found.code)
            self._found.begin(self._at)
        elif "games" in said and self._at is not None:
            self._at.games += said["games"]
            self._at.decisions += said["decisions"]
            self._at.looked_at += said["looked_at"]
            self._progress(said["games"])
        else:
            self._end(said["violation"])
            return True
        return False

    def _end(self, violation: Mapping[str, Any] | None) -> None:
        self._at = None
        if violation is not None:
            self._found.violations.append(Violation(**violation))
            self._tell(self._found.violations[-1])
        if self._keep is not None:
            write_soak_log(self._keep, self._found)

    def _died(self, why: str, status: int) -> int | None:
        """Record a violation because the process has died during a trial; return the trial's number.

        If no trial was being played, return None, or raise UserError if the process ended with an error.
        """
        if self._at is None:
            if status != 0:
                raise UserError(f"no trial can be played: {why}")
            return None
        number, clean = self._at.trial, self._at.games
        found = self._found
        trial = draw_trial(found.game, found.seed, number, found.decks, found.changes)
        self._end(asdict(_violation(trial, found.seed, found.decks, f"{why} (behind game {clean})", None)))
        return number


def _violation(trial: Trial, seed: int, decks: Sequence[str], fault: str, begun: int | None) -> Violation:
    plain = trial.config if begun is None else trial.config.model_copy(update={"games": max(begun, 1)})
    return Violation(trial.number, fault, trial_command(trial, seed, begun, decks), command_of(plain))


def _pass_on(stream: Any, lines: queue.Queue[str | None]) -> None:
    """Put the lines of a process's output into a queue as they arrive, and None after the last line."""
    with suppress(ValueError):  # the stream may be closed during a read
        for line in stream:
            lines.put(line)
    lines.put(None)


# ---- In the process that plays ----


def soak_here(
    name: str, seed: int, numbers: Iterable[int], games: int | None, decks: Sequence[str], changes: Sequence[str] = ()
) -> None:
    """Play trials. Print JSON lines for each trial: its options, then its clean games, then its result."""

    def write(**said: Any) -> None:
        print(json.dumps(said), flush=True)

    def report(clean: Clean) -> None:
        write(**asdict(clean))

    for number in numbers:
        trial = draw_trial(name, seed, number, decks, changes)
        table = {name: getattr(trial.config, name) for name in ("players", "variant", "strategies")}
        write(trial=number, **table, settings=len(trial.config.settings), whole=trial.whole)
        begun, fault = play_trial(trial, games, report)
        write(done=number, violation=asdict(_violation(trial, seed, decks, fault, begun)) if fault else None)


def trial_numbers(text: str) -> Iterator[int]:
    """Yield the numbers of trials in a comma-separated string; "A:" means all numbers from A on."""
    for part in text.split(","):
        if part.endswith(":"):
            yield from count(int(part[:-1]))
        elif part:
            yield int(part)


def main(name: str, module: str, seed: str, numbers: str, games: str, decks: str, changes: str) -> None:
    """Play trials. The parameters are the command-line arguments of this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C also reaches the parent, and the parent ends this process
    end_with_watcher()
    if is_game_file(name):
        name_game(name)
    elif module:  # the module is empty for a game of an installed package
        GAMES.setdefault(name, module)
    soak_here(name, int(seed), trial_numbers(numbers), int(games) or None, json.loads(decks), json.loads(changes))


if __name__ == "__main__":
    main(*sys.argv[1:])
