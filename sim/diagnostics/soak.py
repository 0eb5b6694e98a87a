"""Soaking a game: random runs of all kinds, with everything checked that must hold of any of them.

Which runs these are is drawn in `sim.diagnostics.soak_trials`, what is checked of them stands in
`sim.diagnostics.soak_checks`, what is kept from one sitting to the next in `sim.diagnostics.soak_log`. The trials are
played by a process of its own, in which every index is checked (`EMPIRELAB_CHECK_BOUNDS`), so that its crash or an
endless game is found like anything else.
"""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from sim.compiler.source_digest import digest_of_code, own_environment, own_program
from sim.diagnostics.soak_checks import Clean, play_trial
from sim.diagnostics.soak_log import BegunTrial, Soaked, Violation, keep_soaked, load_soaked
from sim.diagnostics.soak_trials import Trial, command_again, draw_trial
from sim.errors import UserError
from sim.game import GAMES, Game
from sim.players.find_strategies import scripts_of
from sim.players.sandbox import end_with_watcher
from sim.players.search import score_by_search
from sim.runs.config import RunConfig, game_of
from sim.runs.simulate import command_of

SILENCE = 1800.0
"""Seconds after which a process that says nothing is taken to be in an endless game; compiling may take minutes."""
DIGITS = 12
"""Of a digest that are kept."""


def engine_digest(game: Game) -> str:
    """First digits of a digest of what decides how trials go: engine, data and players, and how these look ahead."""
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
    keep: Path | None = None,
    progress: Callable[[int], None] = lambda games: None,
    tell: Callable[[Violation], None] = lambda violation: None,
    silence: float = SILENCE,
) -> Soaked:
    """Play random runs of a game with everything checked, in a process of its own, until the time is over.

    Parameters
    ----------
    seconds
        How long, by the clock; the last trial is played to its end.
    seed
        The trials of a seed are the same anywhere; how many of them are played depends on the machine.
    trial
        Play this trial only.
    games
        Of this trial so many games; without one, end once so many games are clean with the code of now, those that were
        kept of it among them.
    decks
        Decks of a user's own, some of which are dealt in some trials.
    keep
        File in which it is kept, after each trial, what was played. Trials go on behind those that lie there already;
        what did not hold in these is played again first.
    progress
        Told how many games have just been found clean.
    tell
        Told of a violation as soon as it is found.
    silence
        Seconds without a word after which the process is taken to be in an endless game.

    Raises
    ------
    UserError
        There is no such game, or it does not take these decks; what is kept is of other soaking.
    """
    names = [str(deck) for deck in decks]
    code = engine_digest(game_of(RunConfig(game=name, decks=names)))
    found = load_soaked(keep, name, seed, names) if keep else Soaked(name, seed, names)
    found.code = code
    most = games if trial is None else None
    waiting = [one.trial for one in found.violations] if trial is None else [trial]
    until = time.monotonic() + seconds
    while most is None or found.games_now < most:
        ends = trial is not None
        numbers = ",".join([*map(str, waiting), *([] if ends else [f"{found.next_trial}:"])])
        arguments = [name, GAMES[name], str(seed), numbers, str(games or 0) if ends else "0", *names]
        listener = Listener(found, keep, progress, tell)
        died_with = listener.listen(arguments, until, most, silence)
        if died_with is None or ends or time.monotonic() >= until:
            break
        # The process has died with a trial: another goes on behind it.
        waiting = waiting[waiting.index(died_with) + 1 :] if died_with in waiting else []
    return found


class Listener:
    """Notes what a process that plays trials says.

    Parameters
    ----------
    found
        Where it is noted.
    keep, progress, tell
        As `soak` takes them.
    """

    def __init__(
        self,
        found: Soaked,
        keep: Path | None,
        progress: Callable[[int], None],
        tell: Callable[[Violation], None],
    ) -> None:
        self._found, self._keep, self._progress, self._tell = found, keep, progress, tell
        self._at: BegunTrial | None = None

    def listen(self, arguments: list[str], until: float, most: int | None, silence: float) -> int | None:
        """Start a process that plays trials and listen until the time is over or so many games are clean.

        Returns
        -------
        int or None
            The trial that the process died with, None for none.

        Raises
        ------
        UserError
            No trial can be played.
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
                        why = f"nothing was heard for {silence:.0f} s: a game that does not end"
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
        """Note a line; tell whether a trial has come to its end."""
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
        """Note what came of a trial."""
        self._at = None
        if violation is not None:
            self._found.violations.append(Violation(**violation))
            self._tell(self._found.violations[-1])
        if self._keep is not None:
            keep_soaked(self._keep, self._found)

    def _died(self, why: str, status: int) -> int | None:
        """Note that the process has ended; return the trial with which it has died."""
        if self._at is None:
            if status != 0:
                raise UserError(f"no trial can be played: {why}")
            return None
        number, clean = self._at.trial, self._at.games
        trial = draw_trial(self._found.game, self._found.seed, number, self._found.decks)
        self._end(asdict(_violation(trial, self._found.seed, self._found.decks, f"{why} (behind game {clean})", None)))
        return number


def _violation(trial: Trial, seed: int, decks: Sequence[str], fault: str, begun: int | None) -> Violation:
    """Say what does not hold of a trial, with the commands that play it again."""
    plain = trial.config if begun is None else trial.config.model_copy(update={"games": max(begun, 1)})
    return Violation(trial.number, fault, command_again(trial, seed, begun, decks), command_of(plain))


def _pass_on(stream: Any, lines: queue.Queue[str | None]) -> None:
    """Hand on what a process says, line by line, and None at the end."""
    with suppress(ValueError):  # the stream is closed while somebody still listens
        for line in stream:
            lines.put(line)
    lines.put(None)


# ---- In a process of its own ----


def soak_here(name: str, seed: int, numbers: Iterable[int], games: int | None, decks: Sequence[str]) -> None:
    """Play trials and write lines of JSON for each: what it is, what was found clean, and what came of it."""

    def write(**said: Any) -> None:
        print(json.dumps(said), flush=True)

    def report(clean: Clean) -> None:
        write(**asdict(clean))

    for number in numbers:
        trial = draw_trial(name, seed, number, decks)
        table = {name: getattr(trial.config, name) for name in ("players", "variant", "strategies")}
        write(trial=number, **table, settings=len(trial.config.settings), whole=trial.whole)
        begun, fault = play_trial(trial, games, report)
        write(done=number, violation=asdict(_violation(trial, seed, decks, fault, begun)) if fault else None)


def numbers_of(text: str) -> Iterator[int]:
    """Read numbers of trials, with commas; "A:" stands for all from A on."""
    for part in text.split(","):
        if part.endswith(":"):
            yield from count(int(part[:-1]))
        elif part:
            yield int(part)


def main(name: str, module: str, seed: str, numbers: str, games: str, *decks: str) -> None:
    """Play trials as the arguments of the process say."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal tells the process that listens too, which ends this one
    end_with_watcher()
    GAMES.setdefault(name, module)
    soak_here(name, int(seed), numbers_of(numbers), int(games) or None, decks)


if __name__ == "__main__":
    main(*sys.argv[1:])
