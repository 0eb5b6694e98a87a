"""Compiled code is kept between processes, found by what it is made of, and made anew when that has changed."""

import json
import os
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim.compiler.cache import (
    drop_old_kernels,
    kernel_digest,
    read_cached,
    warned_not_cached,
    write_cached,
)
from sim.compiler.kernel import compiled, kernel
from sim.compiler.source_digest import FOLDERS, ROOT, file_of, source_digest, sources_of
from sim.engine.state import viewer_of
from sim.games.seven_wonders.game import GAME
from sim.players.batch import Plan
from sim.runs.run import warm_up
from sim.runs.warm import (
    SPEED_FILE,
    compile_message,
    expected_seconds,
    names_for_second_process,
    players_compiled_beside,
)

HELPERS = '''"""Helpers."""
from sim.compiler.kernel import kernel
RATE = 3
WORDS = ("one", "two")

@kernel
def doubled(value):
    """Return twice the value."""
    return 2 * value

@kernel
def rated(value):
    return RATE * value
'''
PLAYERS = '''"""Players."""
from sim.compiler.kernel import kernel
from strategies.helpers import doubled, rated

@kernel
def worth(value):
    return doubled(value) + 1

@kernel
def price(value):
    return rated(value)
'''
ASK = """
import json, logging
said = []
class Hearer(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())
logging.getLogger("sim.compiler.cache").addHandler(Hearer())
logging.getLogger("sim.compiler.cache").setLevel(logging.INFO)
from strategies import players
from sim.compiler.cache import compiling_announced
from sim.compiler.kernel import is_cached
if ANNOUNCED:
    compiling_announced.set()
asked = {}
for name in ("worth", "price"):
    function = getattr(players, name)
    cached = is_cached(function, 5)
    assert not is_cached(function, 0.5)
    asked[name] = [function(5), cached, sum(function.stats.cache_misses.values())]
print(json.dumps([asked, said]))
"""
SAID = ["compiling the players, once"]


class Asked(NamedTuple):
    """What the kernels returned, which of them were compiled, and what was logged."""

    values: dict[str, int]
    compiled: set[str]
    said: list[str]


class Project:
    """A small project that compiles kernels like this one, with a cache of its own."""

    def __init__(self, folder: Path, run: Callable[..., str], cache: Path) -> None:
        self.folder, self.run, self.cache = folder, run, cache

    def edit(self, file: str, old: str, new: str) -> None:
        text = (self.folder / file).read_text("utf-8")
        assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
        (self.folder / file).write_text(text.replace(old, new), "utf-8")

    def ask(self, announced: bool = False, **environment: str) -> Asked:
        """Call both kernels in a process of its own; `is_cached` must tell beforehand which of them are compiled."""
        # Python takes kept bytecode for that of a file of the same size that was edited in the same second.
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", "EMPIRELAB_CACHE": str(self.cache)}
        asked, said = json.loads(self.run(f"ANNOUNCED = {announced}\n{ASK}", cwd=self.folder, **environment))
        assert all(cached == (made == 0) for _, cached, made in asked.values())
        values = {name: value for name, (value, _, _) in asked.items()}
        return Asked(values, {name for name, (_, _, made) in asked.items() if made}, said)


def written(folder: Path) -> Path:
    """Write the small project."""
    for package in ("sim", "strategies"):
        (folder / package).mkdir(parents=True)
        (folder / package / "__init__.py").touch()
    shutil.copytree(ROOT / "sim" / "compiler", folder / "sim" / "compiler")
    (folder / "strategies/helpers.py").write_text(HELPERS, "utf-8")
    (folder / "strategies/players.py").write_text(PLAYERS, "utf-8")
    return folder


@pytest.fixture(scope="module")
def asked_once(tmp_path_factory: pytest.TempPathFactory, in_new_process: Callable[..., str]) -> Project:
    """The small project, compiled; not to be touched."""
    place = tmp_path_factory.mktemp("asked")
    made = Project(written(place / "project"), in_new_process, place / "cache")
    assert made.ask() == ({"worth": 11, "price": 15}, {"worth", "price"}, SAID)
    return made


@pytest.fixture
def asked(asked_once: Project, tmp_path: Path, compiled_only: None) -> Project:
    """A copy of the small project whose kernels are in its cache."""
    folders = (shutil.copytree(folder, tmp_path / folder.name) for folder in (asked_once.folder, asked_once.cache))
    project, cache = folders
    return Project(project, asked_once.run, cache)


def test_what_has_been_compiled_is_read_from_the_cache_and_counts_as_used(asked: Project) -> None:
    folders = [path.parent for path in asked.cache.rglob("*.nbc")]
    for folder in folders:
        os.utime(folder, (1000, 1000))
    assert asked.ask() == ({"worth": 11, "price": 15}, set(), [])
    assert all(folder.stat().st_mtime > 1000 for folder in folders)


def test_an_edited_helper_takes_effect_and_only_its_callers_are_compiled_anew(asked: Project) -> None:
    asked.edit("strategies/helpers.py", "2 * value", "4 * value")
    assert asked.ask() == ({"worth": 21, "price": 15}, {"worth"}, SAID)
    asked.edit("strategies/helpers.py", "RATE = 3", "RATE = 7")
    # After a more informative message this one is not logged.
    assert asked.ask(announced=True) == ({"worth": 21, "price": 35}, {"price"}, [])
    # What was compiled before the edits is still there.
    asked.edit("strategies/helpers.py", "RATE = 7", "RATE = 3")
    assert asked.ask() == ({"worth": 21, "price": 15}, set(), [])


def test_another_copy_with_edits_that_no_kernel_sees_compiles_nothing_whatever_settings_of_numba_say(
    asked: Project, tmp_path: Path
) -> None:
    copy = Project(shutil.copytree(asked.folder, tmp_path / "elsewhere" / "copy"), asked.run, asked.cache)
    shutil.rmtree(asked.folder)
    copy.edit("strategies/helpers.py", '"""Helpers."""', '"""Helpers of players."""\nimport math\n# A comment.')
    copy.edit("strategies/helpers.py", "Return twice the value.", "Double a value.")
    copy.edit("strategies/helpers.py", '"two"', '"zwei"')
    (copy.folder / "strategies/other.py").write_text("OTHER = 1\n", "utf-8")
    settings = {"NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator", "NUMBA_CACHE_DIR": str(tmp_path / "c")}
    assert copy.ask(announced=False, **settings) == ({"worth": 11, "price": 15}, set(), [])
    assert not (tmp_path / "c").exists()


@pytest.mark.sweep
def test_an_edit_of_how_kernels_are_compiled_compiles_them_anew(asked: Project) -> None:
    asked.edit("sim/compiler/linking.py", "class _Piece:", "class _Piece(object):")
    assert asked.ask().compiled == {"worth", "price"}


# ---- Places that numba's settings name ----


SETTINGS = "cache_locator_classes: UserProvidedCacheLocator\ncache_dir: {}\nerror_model: numpy\ndisable_jit: 1\n"
SET = """
import sim.compiler.kernel
from numba.core import config
print(config.CACHE_DIR, config.DISABLE_JIT)
config.reload_config()
print(config.CACHE_DIR, config.DISABLE_JIT)
"""


def test_settings_of_numba_in_the_current_folder_are_ignored(
    in_new_process: Callable[..., str], tmp_path: Path
) -> None:
    pytest.importorskip("yaml")
    (tmp_path / ".numba_config.yaml").write_text(SETTINGS.format(tmp_path / "c"), "utf-8")
    assert in_new_process(SET, cwd=tmp_path, PYTHONPATH=str(ROOT), NUMBA_DISABLE_JIT="0").split() == ["0", "0"]


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "spoilt": lambda content: content[:200] + b"x" * 20 + content[220:],
    "emptied": lambda content: b"",
    "cut": lambda content: content[:-100],
}


@pytest.mark.parametrize(
    "how", ["spoilt", *(pytest.param(how, marks=pytest.mark.sweep) for how in ("emptied", "cut", "of another kernel"))]
)
def test_a_damaged_file_counts_as_absent_and_is_replaced(
    asked: Project, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(asked.cache))
    worth, price = (next(asked.cache.rglob(f"strategies.players.{name}-*/*.nbc")) for name in ("worth", "price"))
    worth.write_bytes(DAMAGE[how](worth.read_bytes()) if how in DAMAGE else price.read_bytes())
    assert read_cached(worth) is None
    assert asked.ask() == ({"worth": 11, "price": 15}, {"worth"}, SAID)
    assert read_cached(worth) is not None


def test_what_is_kept_is_returned_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scaled: Callable[..., int]
) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path))
    place = tmp_path / "build" / "kernel" / "code.nbc"
    assert read_cached(place) is None
    write_cached(place, b"code that runs")
    assert read_cached(place) == b"code that runs"
    content, step = place.read_bytes(), scaled(8, 8, 1)  # a bit of each byte, or all
    for at in range(len(content)):
        place.write_bytes(content[:at])
        assert read_cached(place) is None
        for bit in range(at % step, 8, step):
            place.write_bytes(content[:at] + bytes([content[at] ^ (1 << bit)]) + content[at + 1 :])
            assert read_cached(place) is None
    shutil.copy(tmp_path / "build" / "kernel" / "code.nbc", tmp_path / "build" / "kernel" / "other.nbc")
    assert [path.name for path in place.parent.iterdir() if read_cached(path)] == []


def test_nothing_outside_the_cache_is_read_or_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("WARNING", "sim")
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path / "cache"))
    inside, outside = (tmp_path / name / "kernel" / "code.nbc" for name in ("cache", "elsewhere"))
    write_cached(inside, b"code that runs")
    shutil.copytree(inside.parent, outside.parent)
    (tmp_path / "cache" / "linked").symlink_to(tmp_path / "elsewhere")
    for place in (outside, tmp_path / "cache" / "linked" / "kernel" / "code.nbc"):
        warned_not_cached.clear()
        assert read_cached(place) is None
        write_cached(place.with_name("new.nbc"), b"more")
        assert f"{place} lies outside" in caplog.text
    assert [path.name for path in outside.parent.iterdir()] == ["code.nbc"]


def test_what_is_no_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "code.nbc", 0o600)  # reading it would wait for ever
    else:
        (tmp_path / "code.nbc").mkdir()
    assert read_cached(tmp_path / "code.nbc") is None


# ---- Folders that others can write ----


SHARED: dict[str, Callable[[Path], None]] = {
    "cache": lambda home: home.chmod(0o777),
    "kernel": lambda home: (home / "build" / "kernel").chmod(0o777),
    "file": lambda home: (home / "build" / "kernel" / "code.nbc").chmod(0o666),
    "above": lambda home: home.parent.chmod(0o777),
    "of another user": lambda home: os.chown(home, 12345, -1),
}
needs_modes = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows says in other ways who may write")


@needs_modes
@pytest.mark.parametrize("what", SHARED)
def test_what_others_can_write_is_not_read_and_this_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    if what == "of another user" and os.geteuid() != 0:
        pytest.skip("only root gives folders away")
    home = tmp_path / "above" / "cache"
    place = home / "build" / "kernel" / "code.nbc"
    monkeypatch.setenv("EMPIRELAB_CACHE", str(home))
    write_cached(place, b"code that runs")
    SHARED[what](home)
    warned_not_cached.clear()
    caplog.set_level("WARNING", "sim")
    for _ in range(2):
        assert read_cached(place) is None
        write_cached(home / "build" / "kernel" / "new.nbc", b"more")
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.startswith(f"compiled kernels cannot be kept in {home} (")
    assert "another user" in said if what == "of another user" else "(others can write " in said


@needs_modes
def test_a_cache_in_a_folder_from_which_only_owners_remove_things_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path / "cache"))
    tmp_path.chmod(0o1777)
    place = tmp_path / "cache" / "code.nbc"
    write_cached(place, b"code that runs")
    assert read_cached(place) == b"code that runs"
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


@needs_modes
def test_a_cache_that_root_has_filled_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files to root")
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path / "cache"))
    place = tmp_path / "cache" / "build" / "code.nbc"
    write_cached(place, b"code that runs")
    for folder in (place.parent, tmp_path / "cache", place):
        folder.chmod(0o755)
    user = tmp_path / "cache" / "build" / "own.nbc"
    write_cached(user, b"code of the user")
    os.chown(user, 12345, -1)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert (read_cached(place), read_cached(user)) == (b"code that runs", b"code of the user")


def test_a_cache_that_cannot_be_written_keeps_nothing_and_harms_nothing(asked: Project) -> None:
    shutil.rmtree(asked.cache)
    asked.cache.write_text("a file where the folder should be", "utf-8")
    assert asked.ask()[:2] == ({"worth": 11, "price": 15}, {"worth", "price"})
    assert asked.cache.is_file()


def digest_of(code: str, module: str = "sim.toy", **names: Any) -> str:
    """Digest of the function `look` in the code of a module that has these globals."""
    known: dict[str, Any] = {"__name__": module, **names}
    exec(code, known)
    return kernel_digest(known["look"])


def test_a_global_that_cannot_be_told_from_another_is_refused() -> None:
    with pytest.raises(TypeError, match="what a kernel names must be a number"):
        digest_of("def look():\n    return table", table={"a": 1})


def test_arrays_and_functions_of_a_kernel_are_looked_into() -> None:
    code = "def below():\n    return numbers[0]\ndef look():\n    return below() + 1"
    assert digest_of(code, numbers=np.array([1, 2])) == digest_of(code, numbers=np.array([1, 2]))
    several = (np.array([1, 2]), np.array([1, 3]), np.array([1.0, 2.0]), (1, 2), [1, 2])
    assert len({digest_of(code, numbers=numbers) for numbers in several}) == len(several)


def test_the_layout_of_a_record_that_a_kernel_views_at_an_address_counts(compiled_only: None) -> None:
    layouts = [np.dtype([("a", np.int64)]), np.dtype([("a", np.int32)]), np.dtype([("b", np.int64)])]
    code = "def look(address):\n    return view(address)"
    assert len({digest_of(code, view=viewer_of(layout)) for layout in layouts}) == len(layouts)
    assert digest_of(code, view=viewer_of(layouts[0])) == digest_of(code, view=viewer_of(np.dtype(layouts[0].descr)))


def test_a_kernel_that_is_shared_is_told_from_one_that_is_not() -> None:
    code = "def below():\n    return 1\nbelow.is_shared = shared\ndef look():\n    return below()"
    assert digest_of(code, shared=True) != digest_of(code, shared=False) == digest_of(code, shared=False)


def test_a_kernel_of_a_game_whose_loops_stay_is_told_from_one_whose_loops_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def digest(stay: bool, room: str) -> str:
        monkeypatch.setitem(sys.modules, "sim.games.toy", SimpleNamespace(LOOPS_STAY=stay))
        return digest_of("def look():\n    return 1", room)

    for room in ("sim.games.toy.turns", "strategies.toy.decisions"):
        assert digest(True, room) != digest(False, room) == digest(False, room)
    assert digest(True, "sim.engine.rng") == digest(False, "sim.engine.rng")


def test_what_a_kernel_names_of_a_module_counts_and_the_rest_of_it_does_not() -> None:
    def digest(rate: int, other: int) -> str:
        words = ModuleType("sim.words")
        vars(words).update(RATE=rate, OTHER=other)
        return digest_of("def look():\n    return words.RATE", words=words)

    assert digest(1, 5) == digest(1, 6) != digest(2, 5)


def kept(home: Path, name: str, used: float, size: int) -> Path:
    """A folder of the cache, last used at a time in seconds, with a file of so many bytes."""
    folder = home / "build" / name
    folder.mkdir(parents=True)
    (folder / "code.nbc").write_bytes(bytes(size))
    os.utime(folder, (used, used))
    return folder


def test_kernels_unused_for_long_are_dropped_and_then_the_ones_unused_for_longest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path))
    day = 86_400
    monkeypatch.setattr("time.time", lambda: 100.0 * day)
    new, older, oldest = (kept(tmp_path, name, used * day, 100) for name, used in (("c", 99), ("b", 98), ("a", 69)))
    drop_old_kernels()
    assert (new.exists(), older.exists(), oldest.exists()) == (True, True, False)
    drop_old_kernels(most_bytes=200)
    assert (new.exists(), older.exists()) == (True, True)
    drop_old_kernels(most_bytes=199)
    assert (new.exists(), older.exists()) == (True, False)


@pytest.mark.usefixtures("compiled_only")
def test_a_kernel_of_somebody_elses_file_is_compiled_but_not_kept(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from sim.compiler.kernel import kernel\n\n\n@kernel\ndef twice(number):\n    return 2 * number\n"
    )
    twice = runpy.run_path(str(tmp_path / "own.py"))["twice"]
    assert twice(21) == 42
    assert type(twice._cache).__name__ == "NullCache"


def test_a_kernel_is_a_plain_function_when_nothing_is_compiled() -> None:
    def half(number: float) -> float:
        return number / 2

    assert (kernel(half) is half) == (not compiled())
    assert kernel(half)(np.float64(3.0)) == 1.5


def test_the_sources_of_the_engine_are_all_files_whose_code_it_runs() -> None:
    sources = [sources_of(file_of(function)) for function in GAME.source_functions]
    names = {path.relative_to(ROOT).as_posix() for path in frozenset().union(*sources)}
    rules = ("building", "conflicts", "effects", "log", "results", "scoring", "setup", "state", "tables", "trade")
    assert {f"sim/games/seven_wonders/rules/{name}.py" for name in rules} <= names
    assert {f"sim/engine/{name}.py" for name in ("rng", "seating", "result_rows")} <= names
    assert "sim/compiler/kernel.py" in names


def test_a_module_imported_from_its_folder_counts_among_the_sources() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in sources_of(ROOT / "sim/games/imperium/data/language.py")}
    assert "sim/games/imperium/rules/constants.py" in names
    assert "strategies/imperium/weights.py" not in names


def test_no_project_file_is_imported_in_a_way_that_is_not_seen() -> None:
    """`sources_of` reads import lines: it sees no relative ones."""
    for folder in FOLDERS:
        for path in folder.rglob("*.py"):
            assert re.search(r"^\s*from\s+\.", path.read_text("utf-8"), re.MULTILINE) is None, (
                f"{path}: relative import"
            )


def test_the_digest_of_sources_follows_every_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.compiler.source_digest.ROOT", tmp_path)
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a = 1\n", "utf-8")
    other.write_text("b = 1\n", "utf-8")
    before = source_digest([one, other])
    assert before == source_digest([other, one])
    other.write_text("b = 2\n", "utf-8")
    assert source_digest([one, other]) != before


@pytest.mark.usefixtures("compiled_only")
def test_the_word_on_compiling_is_said_of_just_what_has_to_be_compiled(
    plan_of: Callable[..., Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, scores = True, {"random": True, "greedy": True}
    monkeypatch.setattr("sim.runs.warm.is_cached", lambda *_: engine)
    monkeypatch.setattr("sim.runs.warm.is_strategy_cached", lambda score, *_: scores[score.__name__.split("_")[1]])
    plan = plan_of(players=3, strategies=["random", "greedy"])
    assert compile_message(plan) == ""
    scores["greedy"] = False
    assert compile_message(plan) == "compiling the players, once"
    engine = False
    assert compile_message(plan).startswith("compiling the engine, once, about ")


@pytest.mark.usefixtures("compiled_only")
def test_a_second_process_compiles_the_players_that_are_missing_if_there_is_a_core_for_it(
    plan_of: Callable[..., Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, cores = {"random", "greedy"}, 2
    cached = lambda score, *_: score.__name__.split("_")[1] not in missing  # noqa: E731
    monkeypatch.setattr("sim.runs.warm.is_strategy_cached", cached)
    monkeypatch.setattr("sim.runs.warm.jobs_to_use", lambda jobs: cores)
    plan = plan_of(players=3, strategies=["random", "greedy"])
    assert names_for_second_process(plan) == ["random", "greedy"]
    missing.remove("random")
    assert names_for_second_process(plan) == ["greedy"]
    cores = 1
    assert names_for_second_process(plan) == []


def test_if_no_second_process_can_start_the_engine_is_compiled_all_the_same(
    plan_of: Callable[..., Plan], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    compiled_here = []
    with players_compiled_beside(plan_of(players=3, strategies=["random"]), ["random"]):
        compiled_here.append("engine")
    assert compiled_here == ["engine"]


def test_the_time_of_compiling_is_forecast_from_the_last_one_here(
    plan_of: Callable[..., Plan], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("sim.runs.warm.jobs_to_use", lambda jobs: 1)
    plan = plan_of(players=3, strategies=["random"])
    declared = plan.game.compile_seconds
    assert expected_seconds(plan) == declared
    write_cached(tmp_path / "cache" / SPEED_FILE, b"2.5")
    assert expected_seconds(plan) == 2.5 * declared
    for nonsense in (b"1000.0", b'"fast"'):
        write_cached(tmp_path / "cache" / SPEED_FILE, nonsense)
        assert expected_seconds(plan) == declared


@pytest.mark.sweep
@pytest.mark.usefixtures("compiled_only")
def test_what_the_second_process_compiles_is_found_by_the_first(
    tmp_path: Path, in_new_process: Callable[..., str]
) -> None:
    ask = """
from sim.runs.config import RunConfig, make_plan
from sim.runs.warm import compile_players, missing_scripts
print(len(missing_scripts(make_plan(RunConfig(game="seven_wonders", strategies=["random"])))))
"""
    cache = {"EMPIRELAB_CACHE": str(tmp_path / "cache")}
    assert in_new_process(f'{ask}compile_players("seven_wonders", ["random"])', **cache).split() == ["1"]
    assert in_new_process(ask, **cache).split() == ["0"]


@pytest.mark.usefixtures("compiled_only")
def test_a_run_that_has_been_compiled_compiles_nothing_more(plan_of: Callable[..., Plan]) -> None:
    said: list[str] = []
    plan = plan_of(players=3, strategies=["random"])
    warm_up([plan], said.append)
    said.clear()
    warm_up([plan], said.append)
    assert said == []
