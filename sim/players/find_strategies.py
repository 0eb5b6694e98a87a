"""Finds the strategies of a game: TOML files of `configs/strategies/`, and a Python file of the user."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from pydantic import Field

from sim.compiler.kernel import STRATEGY_SLOTS, compiled
from sim.data.catalog import CONFIGS, Kind, Row, read_toml, validate_row
from sim.data.changes import Change, apply_changes, read_changed
from sim.data.place import own_lines
from sim.engine.script import Script, Strategy
from sim.errors import UserError, what_was_raised, written
from sim.game import GameSpec, load_game
from sim.players.python_players import check_view
from sim.players.sandbox import importing
from sim.players.search_config import SearchTable, parted, search_of

NAME_PATTERN = r"^[^,@]+$"
"""Pattern for the name of a strategy. It excludes commas, which separate the names of a line-up, and @, which separates
a name from its temperature."""
MAX_WEIGHT = 1e12
"""Largest absolute value of a weight, so that scripts can multiply several weights without overflow."""
ALL = "all"
"""In a line-up, this name stands for all strategies."""
OF_SESSION = "function "
"""Beginning of the `source` of a player registered in a Python session. The `source` of other players is a file."""
_SESSION: dict[str, Strategy] = {}
"""Players registered in this Python session, by name (`session_player`)."""
ARGUMENTS = {"score": ("g", "t", "me", "decision", "option", "w"), "choose": ("view", "options")}
"""Arguments of the two functions that a user's file may define: a scoring function, or a player in plain Python."""


class StrategyFile(Row):
    """A TOML file of one strategy.

    It gives a script with all its weights, or a base strategy with some changed weights.

    `base` is the name of a strategy, or the path of a user's Python file relative to the folder of the TOML file.

    `record` may say how the weights were found. The program ignores it.
    """

    leads_to_code: ClassVar[tuple[str, ...]] = ("script", "base")

    name: str = Field(pattern=NAME_PATTERN)
    description: str
    script: str | None = None
    base: str | None = None
    temperature: float | None = Field(default=None, ge=0.0)
    weights: dict[str, float] = Field(default={})
    search: SearchTable | None = None
    record: dict[str, Any] = Field(default={})


FILE = {"": Kind(StrategyFile)}
"""How a strategy file is validated: the whole file is a single row with the model `StrategyFile`."""


def scripts_of(game: str) -> dict[str, Script]:
    """Return the scripts of a game by name."""
    if (plain := load_game(game).plain) is not None:
        return {name: script_of_player(player) for name, player in plain.players.items()}
    module = load_game(game).strategies or f"strategies.{game}"
    return {script.name: script for script in import_module(module).SCRIPTS}


def script_of_player(player: Any) -> Script:
    """Return the script (scoring function, names of weights) of a player of a game in plain Python."""
    return Script(player.name, player.function, tuple(player.weights), player.description, plain=player)


def rows_of_plain(game: GameSpec, changes: Sequence[Change]) -> Iterator[tuple[Path, StrategyFile]]:
    """Yield a path and a `StrategyFile` for each player of a game in plain Python, with the changes applied.

    Such players have no TOML files. The paths serve for messages, and as the names of files in changes.
    """
    for name, player in game.plain.players.items():
        path = Path(game.name) / f"{name}.toml"
        content = {"name": name, "description": player.description, "script": name, "weights": player.weights}
        yield path, validate_row(path, apply_changes(path, content, FILE, changes), StrategyFile, name)


def folder_of_players(game: str) -> Path:
    """Return the folder of the TOML files of a game's players."""
    return load_game(game).strategies_folder or CONFIGS / "strategies" / game


def strategy_files(game: str, code: Path | None = None) -> list[str]:
    """Return the file names of a game's strategies, including the user's file if it is TOML."""
    own = [code.name] if code is not None and code.suffix == ".toml" else []
    if (plain := load_game(game).plain) is not None:
        return [*(f"{name}.toml" for name in plain.players), *own]
    return [*sorted(path.name for path in folder_of_players(game).glob("*.toml")), *own]


def load_strategies(
    game: str,
    code: Path | None = None,
    folder: Path | None = None,
    changes: Sequence[Change] = (),
    *,
    judges: bool = False,
) -> dict[str, Strategy]:
    """Read the strategies of a game, by name.

    Parameters
    ----------
    code
        A user's file with a further strategy, in Python or TOML.
    folder
        Folder of the TOML files; by default `configs/strategies/<game>`.
    changes
        Changes to the content of the files.
    judges
        Whether to include players with a learned judge. They are slow, and a judge does not fit every number of players
        or variant, so "all" leaves them out.

    Raises
    ------
    UserError
        A change or a file is wrong. For example, a script, base or weight is unknown, a weight is missing or not
        finite, a name occurs twice, or a base is a Python file that the user has not named.
    """
    declared = load_game(game)
    files = [code] if code is not None and code.suffix == ".toml" else []
    if declared.plain is None:
        files = [*sorted((folder_of_players(game) if folder is None else folder).glob("*.toml")), *files]
    by_name: dict[str, tuple[Path, StrategyFile]] = {}
    rows = [] if declared.plain is None else [*rows_of_plain(declared, changes)]
    rows += [(path, validate_row(path, read_changed(path, FILE, changes), StrategyFile, path.stem)) for path in files]
    for path, row in rows:
        if row.name in by_name:
            other = by_name[row.name][0].name
            raise UserError(f"the name is taken by {other}", file=path, field="name", found=row.name)
        by_name[row.name] = (path, row)
    scripts = scripts_of(game)
    strategies: dict[str, Strategy] = {}
    for path, row in by_name.values():
        if (row.base or "").endswith(".py"):
            check_named(path.parent / str(row.base), code)
    own_code = python_file_of(code)
    if own_code is not None:
        own = load_code(own_code, declared, code)
        if own.name in by_name:
            raise UserError("a strategy of this name exists already", file=own_code, field="NAME", found=own.name)
        strategies[own.name] = own
    if ALL in {*by_name, *strategies}:
        file = by_name[ALL][0] if ALL in by_name else own_code
        raise UserError("this name stands for all strategies", file=file, field="name", found=ALL)
    resolved = {
        name: _with_search(declared, path, row, _resolve(name, by_name, scripts, strategies, ()))
        for name, (path, row) in by_name.items()
        if judges or path is code or row.search is None or row.search.judge is None
    }
    # The user's own strategy comes last.
    return resolved | strategies if code is own_code else strategies | resolved


def python_file_of(code: Path | None) -> Path | None:
    """Return a user's strategy file if it is a Python file, or else the Python file that is its base, or else None."""
    if code is None or code.suffix != ".toml":
        return code
    base = read_toml(code).get("base")
    return code.parent / base if isinstance(base, str) and base.endswith(".py") else None


def check_named(path: Path, code: Path | None) -> None:
    """Check that the user has named the Python file `path`; raise UserError if not.

    The name of `path` may come from data of others, and only files that the user has named may be run. The file must be
    `code`, or the base of `code` if `code` is a TOML file. `code` is the strategy file that the user has named on the
    command line, in Python, or in a run file or sweep file.
    """
    named = python_file_of(code)
    if named is None or path.resolve() != named.resolve():
        raise UserError("this Python file is run only if you name it", file=path, allowed=f"--code {path}")


def _resolve(
    name: str,
    files: Mapping[str, tuple[Path, StrategyFile]],
    scripts: Mapping[str, Script],
    own: Mapping[str, Strategy],
    above: tuple[str, ...],
) -> Strategy:
    """Build a strategy from its file and the files of its bases.

    `files` are the strategy files by name, and `scripts` the scripts of the game. `own` holds the strategy of the
    user's Python file, if there is one. `above` are the names of the strategies that are based on this one, directly or
    through others.
    """
    path, row = files[name]
    source = str(path)
    if (row.script is None) == (row.base is None):
        allowed = "one of script, base"
        raise UserError("a strategy names either a script or a base", file=path, row=name, allowed=allowed)
    if row.base is not None and row.base.endswith(".py"):
        parent = next(strategy for strategy in own.values())
        source = parent.source  # a replay needs the Python file, not this TOML file
    elif row.base is not None:
        _check_base(path, row, files, (*above, name))
        parent = _resolve(row.base, files, scripts, own, (*above, name))
    elif (script := scripts.get(row.script or "")) is not None:
        parent = Strategy(name, script)
    else:
        raise UserError("unknown script", file=path, row=name, field="script", found=row.script, allowed=list(scripts))
    weights = {**parent.weights, **row.weights}
    check_weights(path, name, parent.script, weights)
    temperature = parent.temperature if row.temperature is None else row.temperature
    return Strategy(name, parent.script, weights, temperature, row.description, source)


def _with_search(game: GameSpec, path: Path, row: StrategyFile, strategy: Strategy) -> Strategy:
    """Return a strategy, with look-ahead if its file has a table `[search]`."""
    if row.search is None:
        return strategy
    return replace(strategy, search=search_of(game, row.search.rollouts, row.search, path))


def _check_base(path: Path, row: StrategyFile, files: Mapping[str, object], above: Sequence[str]) -> None:
    """Check that the base of a strategy exists, and is not one of the strategies `above` that are based on it."""
    if row.base not in files:
        allowed = list(files)
        raise UserError("unknown strategy", file=path, row=row.name, field="base", found=row.base, allowed=allowed)
    if row.base in above:
        raise UserError("these strategies are based on each other", file=path, field="base", found=row.base)


def check_weights(path: Path, name: str, script: Script, weights: Mapping[str, float]) -> None:
    """Check that a script has exactly these weights, and that none is so large that products of weights overflow."""
    for weight, value in weights.items():
        if weight not in script.parameters:
            allowed: Sequence[str] | str = script.parameters or f"none, script {script.name} has no weights"
            raise UserError("unknown weight", file=path, row=name, field="weights", found=weight, allowed=allowed)
        if not abs(value) <= MAX_WEIGHT:  # NaN is refused as well
            allowed = f"from -{MAX_WEIGHT:g} to {MAX_WEIGHT:g}"
            raise UserError(
                "out of range", file=path, row=name, field=f"weights.{weight}", found=value, allowed=allowed
            )
    for weight in script.parameters:
        if weight not in weights:
            raise UserError("a weight is missing", file=path, row=name, field=f"weights.{weight}", allowed="a number")


def check_name(name: str, known: Iterable[str]) -> None:
    """Check that the name of a new strategy is valid and not yet taken."""
    if not re.fullmatch(NAME_PATTERN, name):
        raise UserError("not a valid name of a strategy", field="name", found=name, allowed="without comma and @")
    if name in known:
        raise UserError("a strategy of this name exists already", field="name", found=name)


def load_code(path: Path, game: GameSpec, code: Path | None, digest: str = "") -> Strategy:
    """Load a user's strategy from a Python file with `score`, and optionally `NAME`, `WEIGHTS` and `TEMPERATURE`.

    A file with `choose` instead of `score` is a player in plain Python (`sim.players.python_players`).

    Parameters
    ----------
    code
        The strategy file that the user has named (see `check_named`).
    digest
        SHA-256 that the file must have; "" for any file.

    Raises
    ------
    UserError
        The user has not named the file, or it is missing, has another digest, cannot be imported, or has no suitable
        `score` or `choose`. Where possible, the message names the line.
    """
    module = _import_file(path, code, digest)
    if game.plain is not None:
        player = game.plain.player_in(module, path)
        script = replace(script_of_player(player), name=f"{path.name}:{player.name}")
        return Strategy(player.name, script, player.weights, 0.0, player.description, str(path))
    word = "choose" if hasattr(module, "choose") and not hasattr(module, "score") else "score"
    if word == "choose":
        check_view(game, path)
    elif compiled():
        _check_compilable(path)
    score = getattr(module, word, None)
    if not callable(score):
        allowed = "def score(g, t, me, decision, option, w), or def choose(view, options)"
        raise UserError(f"the file defines no function {word}", file=path, field=word, allowed=allowed)
    arguments = list(inspect.signature(getattr(score, "py_func", score)).parameters)
    if len(arguments) != len(ARGUMENTS[word]):
        allowed = ", ".join(ARGUMENTS[word])
        raise UserError(f"{word} has the wrong parameters", file=path, field=word, found=arguments, allowed=allowed)
    name = written(getattr(module, "NAME", path.stem), str)
    if not re.fullmatch(NAME_PATTERN, name):
        allowed = "a name without comma and @"
        raise UserError("not a valid name of a strategy", file=path, field="NAME", found=name, allowed=allowed)
    weights = getattr(module, "WEIGHTS", {})
    if not isinstance(weights, dict) or not all(_is_number(value) for value in weights.values()):
        allowed = "name: number"
        raise UserError("WEIGHTS is not a table of numbers", file=path, field="WEIGHTS", found=weights, allowed=allowed)
    temperature = getattr(module, "TEMPERATURE", 0.0)
    if not _is_number(temperature) or temperature < 0:
        raise UserError("must be a number of at least 0", file=path, field="TEMPERATURE", found=temperature)
    choose = score if word == "choose" else None
    script = Script(f"{path.name}:{word}", score, tuple(weights), "a user's own", choose=choose)
    description = ((module.__doc__ or "").strip() or "A player of the user's own.").splitlines()[0]
    numbers = {str(weight): float(value) for weight, value in weights.items()}
    return Strategy(name, script, numbers, float(temperature), description, str(path))


def session_player(player: Any) -> str:
    """Register a function `choose(view, options)`, or an object with such a method, as a player of this Python session.

    Return its name in line-ups: its `NAME`, or else the name of the function or of the object's class. A later player
    with the same name replaces it. Raise UserError if `player` is neither such a function nor such an object, has
    the wrong parameters, or has an invalid name.
    """
    choose = getattr(player, "choose", player)
    code = getattr(choose, "__code__", None)
    if code is None or isinstance(player, type):
        allowed = "a name, a function choose(view, options), or an object with such a method"
        raise UserError("this is not a player", field="strategies", found=player, allowed=allowed)
    arguments = list(inspect.signature(choose).parameters)
    if len(arguments) != len(ARGUMENTS["choose"]):
        allowed = f"{', '.join(ARGUMENTS['choose'])}; a scoring function plays from a file (code=...)"
        raise UserError("the player has the wrong parameters", field="strategies", found=arguments, allowed=allowed)
    own_name = getattr(player, "__name__", type(player).__name__)
    name = written(getattr(player, "NAME", own_name), str)
    if not re.fullmatch(NAME_PATTERN, name) or name == ALL:
        raise UserError("not a valid player name", field="NAME", found=name, allowed="without comma and @")
    description = (inspect.getdoc(player) or "A player of a Python session.").splitlines()[0]
    # The digest makes sure that only the same function resumes an interrupted run or replays a game.
    digest = hashlib.sha256(code.co_code + repr((code.co_consts, code.co_names)).encode()).hexdigest()[:12]
    script = Script(f"{name}, function {digest}", choose, (), "a user's own", choose=choose)
    _SESSION[name] = Strategy(name, script, {}, 0.0, description, f"{OF_SESSION}{name} of a Python session")
    return name


def session_script(base: str) -> Script | None:
    """Return the script with the name `base` if a player of this Python session has it, otherwise None."""
    return next((one.script for one in _SESSION.values() if one.script.name == base), None)


def _check_compilable(path: Path) -> None:
    """Check that no function of a strategy file prints or raises; neither works in compiled code.

    The compiler accepts such code. But in a compiled score, `print` hangs and exceptions are lost.
    """
    functions = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.FunctionDef)]
    for node in (node for function in functions for node in ast.walk(function)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            word = "print"
        elif isinstance(node, ast.Raise | ast.Assert):
            word = type(node).__name__.lower()
        else:
            continue
        message = f"a compiled strategy cannot {word}; take it out, or debug with NUMBA_DISABLE_JIT=1"
        raise UserError(message, file=f"{path}:{node.lineno}")


def code_digest(source: str) -> str:
    """Return the SHA-256 of a user's Python file; "" for a TOML file, whose weights determine the player completely.

    Raise UserError if the file is missing or cannot be read.
    """
    if not source.endswith(".py"):
        return ""
    try:
        return hashlib.sha256(Path(source).read_bytes()).hexdigest()
    except OSError as error:
        raise UserError("no such strategy file", file=source, allowed="the file of the run") from error


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _import_file(path: Path, code: Path | None, digest: str) -> ModuleType:
    """Import the Python file that the user has named. It can import the files next to it.

    This is the only place that imports a file whose name may come from data. The file is read once, and cached bytecode
    is not used. So the code that runs is the code whose digest was checked.
    """
    check_named(path, code)
    if not path.is_file():
        raise UserError("no such strategy file", file=path, allowed="a Python file")
    spec = importlib.util.spec_from_file_location(f"empirelab_player_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UserError("not a Python file", file=path, allowed="a file whose name ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"the file cannot be read ({error.strerror})", file=path) from error
    if digest and hashlib.sha256(content).hexdigest() != digest:
        message = "this strategy file has changed since the run, so its games cannot be replayed"
        raise UserError(message, file=path)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        with importing():
            exec(compile(content, str(spec.origin), "exec", dont_inherit=True), vars(module))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        message = f"the file does not import: {what_was_raised(error)}"
        raise UserError(message, file=_place_in(path, error)) from error
    finally:
        sys.path.pop(0)
    return module


def _place_in(path: Path, error: BaseException) -> str:
    """Return `path:line`, where `line` is the last line of the file `path` in the traceback of an error.

    For a syntax error it is the line of that error. Without a known line, return only the path.
    """
    if isinstance(error, SyntaxError):
        lines = [error.lineno] if _is_file(path, error.filename) else []
    else:
        lines = [line for _, line in own_lines(error, lambda file: _is_file(path, file))]
    return f"{path}:{lines[-1]}" if lines else str(path)


def _is_file(path: Path, name: str | None) -> bool:
    return name is not None and Path(name).resolve() == path.resolve()


def pick_strategy(
    game: GameSpec, strategies: Mapping[str, Strategy], names: Sequence[str], field: str = "strategies"
) -> tuple[tuple[Strategy, ...], tuple[int, ...]]:
    """Return the different strategies of a line-up, and for each name the index of its strategy.

    `name@0.5` has temperature 0.5; `name+32` looks ahead with 32 rollouts of each option. Raise UserError, which names
    `field`, if a strategy is unknown, a temperature or number of rollouts is wrong, or there are no names or too many.
    """
    if not names:
        raise UserError("no strategy is given", field=field, allowed=list(strategies))
    strategies = {**strategies, **_session_players(game, strategies, names)}
    if len(names) > STRATEGY_SLOTS:
        raise UserError(
            "too many strategies in one run", field=field, found=len(names), allowed=f"up to {STRATEGY_SLOTS}"
        )
    picked: dict[str, Strategy] = {}
    lineup: list[int] = []
    for text in names:
        named, at, softness = text.strip().partition("@")
        name, rollouts = (named, None) if named in strategies else parted(named, field)
        if name not in strategies:
            raise UserError("unknown strategy", field=field, found=name, allowed=list(strategies))
        strategy = strategies[name]
        if rollouts is not None:
            search = search_of(game, rollouts)
            if strategy.search is not None:
                search = strategy.search.model_copy(update={"rollouts": rollouts})
            strategy = replace(strategy, name=text.strip(), search=search)
        if at:
            strategy = replace(strategy, name=text.strip(), temperature=_temperature(softness, field))
        picked[strategy.name] = strategy
        lineup.append(list(picked).index(strategy.name))
    return tuple(picked.values()), tuple(lineup)


def _session_players(game: GameSpec, strategies: Mapping[str, Strategy], names: Sequence[str]) -> dict[str, Strategy]:
    """Return the players of this session that a line-up names. Strategies from files take precedence."""
    asked = {text.strip().partition("@")[0] for text in names} & _SESSION.keys() - strategies.keys()
    if asked:
        check_view(game, None)
    return {name: _SESSION[name] for name in sorted(asked)}


def _temperature(text: str, field: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0.0):
        raise UserError("a temperature is a number of at least 0", field=field, found=text)
    return value
