"""What commands print: messages, progress bars and JSON."""

from __future__ import annotations

import itertools
import json
import logging
import math
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.commands.defaults import used

if TYPE_CHECKING:
    from reports.sections.core.next_step import NextStep
    from sim.runs.config import RunConfig


def set_quiet(quiet: bool) -> bool:
    """If `quiet`, let the program's logger log only errors. Return `quiet`."""
    logging.getLogger("sim").setLevel(logging.ERROR if quiet else logging.INFO)
    return quiet


def log(text: str) -> None:
    """Print a message on standard error, so that it stays apart from the results."""
    print(text, file=sys.stderr, flush=True)


def log_unless(quiet: bool) -> Callable[[str], None]:
    """Return `log`; with --quiet, return a function that prints nothing."""
    return (lambda text: None) if quiet else log


def print_json(content: Any) -> None:
    """Print one JSON document. NaN and infinity, which JSON lacks, become null."""
    print_json_text(json.dumps(without_nan(content), indent=1, ensure_ascii=False, allow_nan=False, default=str))


def print_json_line(content: Any) -> None:
    """Print one JSON document on one line."""
    print_json_text(json.dumps(without_nan(content), ensure_ascii=False, allow_nan=False, default=str))


def print_json_text(text: str) -> None:
    """Print a JSON document. Characters that the encoding of standard output lacks are escaped."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")  # the encoding of a text stream in memory is None
    except UnicodeEncodeError:
        text = re.sub(r"[^\x00-\x7f]", lambda sign: json.dumps(sign[0])[1:-1], text)
    print(text)


def without_nan(content: Any) -> Any:
    """Return JSON content with None in place of NaN and infinity."""
    if isinstance(content, Mapping):
        return {str(key): without_nan(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [without_nan(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


@contextmanager
def progress_bar(label: str, total: int | None, quiet: bool) -> Iterator[Callable[[int], None]]:
    """In a `with` block: show a progress bar if standard error is a terminal. Yield the function that advances it."""
    from sim.runs.progress import show_progress

    with show_progress(label, total, not quiet) as progress:
        yield progress.advance


def command_line() -> str:
    """Return the command as it was typed, plus the options that came from files of defaults."""
    return shlex.join(["empirelab", *sys.argv[1:], *used])


def more_games_step(games: int, seconds: float, option: str = "--games") -> NextStep:
    """Return the typed command with four times as many games.

    `games` is the present number of games, which took `seconds`. `option` is the option that sets the number.
    """
    from reports.sections.core.next_step import NextStep
    from sim.runs.run import time_words

    said = f"Play four times as many games, which halves the intervals ({time_words(4 * seconds)})."
    return NextStep(said, (command_with(option, 4 * games),))


def command_with(option: str, value: int | str, without: str | None = None) -> str:
    """Return the command as it was typed, but with `value` for `option`, and without the option `without`.

    The folder of --out already holds the games played so far, so the command names a new folder next to it. The command
    `compare` gets a folder even if none was typed.
    """
    words = sys.argv[1:]
    for name in filter(None, (option, without)):
        _, words = taken_out(name, words)
    if "--overwrite" not in words:
        folder, words = taken_out("--out", words)
        if folder is None and words[:1] == ["compare"]:
            folder = "runs/compare"
        words += [] if folder is None else ["--out", new_folder(f"{folder.rstrip('/')}-{value}")]
    return shlex.join(["empirelab", *words, option, str(value)])


def new_folder(name: str) -> str:
    """Return the name of a folder that does not exist yet: `name`, with a number appended if necessary."""
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(one for one in names if not Path(one).exists())


def next_file(patch: Path) -> Path:
    """Return the next name for a file of changes that does not exist yet: 'fair-2.toml' after 'fair.toml'."""
    stem, dash, number = patch.stem.rpartition("-")
    name, last = (stem, int(number)) if dash and number.isdecimal() else (patch.stem, 1)
    files = (patch.with_stem(f"{name}-{at}") for at in itertools.count(last + 1))
    return next(file for file in files if not file.exists())


SHORT = {"--games": "-n", "--out": "-o", "--players": "-k", "--seed": "-s"}
"""Short names of those options that suggested commands copy from the typed command."""


def taken_out(option: str, words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Take an option out of the words of a command. Return its value (None if it is absent) and the other words."""
    value, others, rest = None, [], iter(words)
    for word in rest:
        name, equals, text = word.partition("=")
        if word in (option, SHORT.get(option)):
            value = next(rest, None)
        elif name == option and equals:
            value = text
        elif option in SHORT and not word.startswith("--") and word.startswith(SHORT[option]):
            value = word[2:]
        else:
            others.append(word)
    return value, others


def playing_step(
    said: str, words: Sequence[str], config: RunConfig, jobs: int, usual_games: int = 0, versions: int = 1
) -> NextStep:
    """Return a next step: the command that plays the games of a configuration, and how long that takes.

    `said` says why, and `words` begin the command. `usual_games` is the default of its option --games, and `versions`
    is how many versions of the game it plays.
    """
    from reports.sections.core.next_step import NextStep
    from reports.statistics.core.balance import MARGIN
    from sim.runs.config import make_plan
    from sim.runs.run import seconds_per_game, time_words

    takes = time_words(versions * config.games * seconds_per_game(make_plan(config), jobs))
    return NextStep(f"{said} ({takes}).", (command_again(words, config, 100 * MARGIN, usual_games),))


def command_again(words: Sequence[str], config: RunConfig, margin: float, usual_games: int) -> str:
    """Return a command that begins with `words` and has the options that reproduce a configuration.

    An option with its default value is left out. If the user typed the option, it is kept, because it is part of the
    question.
    """
    from reports.sections.core.next_step import margin_option
    from reports.statistics.core.decisions import margin_of
    from sim.data.lessons import OFF
    from sim.game import load_game

    game, words = load_game(config.game), ["empirelab", *words]
    options = {
        "--games": (config.games, usual_games),
        "--players": (config.players, game.default_players),
        "--strategies": (",".join(config.strategies), ",".join(game.default_strategies)),
        "--factions": (",".join(config.factions), "all"),
        "--variant": (config.variant, None),
        "--code": (config.code, None),
    }
    if "--seed" not in words:
        options["--seed"] = (config.seed, 1)
    if words[1] in ("simulate", "compare"):
        options["--assign"] = (config.assign, "rotate")
    present = [*sys.argv[1:], *used]
    for name, (value, usual) in options.items():
        typed = name != "--games" and taken_out(name, present)[0] is not None
        words += [name, str(value)] if value is not None and (typed or value != usual) else []
    words += margin_option(margin_of(margin))
    for name, setting in config.settings.items():
        words += ["--set", f"{name}={str(setting).lower() if isinstance(setting, bool) else setting}"]
    for deck in config.decks:
        words += ["--deck", str(deck)]
    for change in config.changes:
        words += [] if change.endswith(OFF) else ["--change", change]
    return shlex.join(words)
