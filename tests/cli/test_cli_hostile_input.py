"""Input that is made to break programs: nested deep, formulas for spreadsheets, patterns as folders."""

import json
import logging
import re
import time
import tracemalloc
from pathlib import Path

import polars as pl
import pytest

from reports.render.export import as_csv
from sim.compiler import cache
from sim.data import files
from sim.data.catalog import CONFIGS
from sim.data.changes import parse_value
from sim.data.json_input import read_each_line, read_object
from sim.errors import MAX_ECHOED, UserError
from sim.game import load_game
from sim.players.find_strategies import load_code, load_strategies
from tests.architecture.importing import PACKAGES, ROOT, sources
from tests.cli.conftest import Message, Program

DEPTH = 5000
NEST = "[" * DEPTH + "]" * DEPTH
SMALL = ("--games", 12, "--players", 3, "--strategies", "random", "--jobs", 1, "--quiet")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("run", "large.toml"), "large.toml"),
        (("sweep", "large.toml"), "large.toml"),
        (("inspect", "seven_wonders", "large.json"), "large.json"),
        (("verify", "seven_wonders", "large.jsonl"), "large.jsonl"),
        (("simulate", "seven_wonders", "--code", "large.toml"), "large.toml"),
        (("simulate", "seven_wonders", "--change", "@large.toml"), "large.toml"),
        (("report", "out"), "out/run.json"),
        (("check", "out"), "out/run.json"),
    ],
)
def test_a_file_that_is_too_large_is_not_parsed(complaint: Message, words: tuple[str, ...], name: str) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    with Path(name).open("wb") as file:
        file.truncate((files.MAX_MANIFEST_BYTES if name == "out/run.json" else files.MAX_BYTES) + 1)
    allowed = "2 MB" if name.endswith(".toml") else "512 MB" if name == "out/run.json" else "16 MB"
    assert f"too large; allowed: at most {allowed}" in complaint(*words)


def test_lines_are_read_one_at_a_time_and_one_that_is_too_large_is_named(tmp_path: Path) -> None:
    path, row = tmp_path / "lines.jsonl", json.dumps({"a": "x" * 10**6}).encode()
    path.write_bytes(b"\n".join([*[row] * 30, b"y" * (files.MAX_BYTES + 7), b"\xff", b"{}", b""]))
    tracemalloc.start()
    try:
        found = [(line, row if isinstance(row, UserError) else len(row)) for line, row in read_each_line(path)]
        assert tracemalloc.get_traced_memory()[1] < 3 * files.MAX_BYTES
    finally:
        tracemalloc.stop()
    assert found[:30] == [(line, 1) for line in range(1, 31)]
    assert [line for line, _ in found[30:]] == [31, 32, 33]
    assert "row 31: too large" in str(found[30][1])
    assert "row 32: not UTF-8 text" in str(found[31][1])
    assert found[32][1] == 0


def test_what_is_too_large_is_counted_in_bytes(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="too large"):
        read_object(tmp_path, json.dumps({"a": "é" * (files.MAX_BYTES // 2)}, ensure_ascii=False), None)


def test_a_dotted_name_of_many_parts_takes_little_memory(complaint: Message, tmp_path: Path) -> None:
    (tmp_path / "dots.toml").write_text(f"{'.'.join(['a'] * 20_000)} = 1\n")
    tracemalloc.start()
    try:
        assert "nested too deep" in complaint("run", "dots.toml")
        assert tracemalloc.get_traced_memory()[1] < 30e6
    finally:
        tracemalloc.stop()


HONEST = (
    (CONFIGS / "games/imperium/lessons.toml").read_text("utf-8"),
    '[a]\nb = \'it is "[[[\'\n# it\'s [[[[\nc = """\n[[[\' \\""""\n' + "d = [{ x.y = 1 }]\n" * 200,
    json.dumps([{"a": {"b": [1.5, '["{', "\\"]}}] * 200),
    "x = [" + "0.5, " * 200 + "]",
)


@pytest.mark.parametrize("text", HONEST)
def test_an_honest_text_is_not_too_deep(text: str) -> None:
    assert not files.too_deep(text)


@pytest.mark.parametrize(
    "text", [NEST, "[" * DEPTH, "{" * DEPTH, "[{'a':" * DEPTH, f"x = 1\n{'a . ' * 30}b = 1", '"a".' * 30, '"' + NEST]
)
def test_a_text_that_is_too_deep_is_found_before_it_is_parsed(text: str) -> None:
    assert files.too_deep(f"{text}\n") is not text.startswith('"[')


@pytest.mark.parametrize(
    "text", ['\\"' * 10**5, '"' * 10**5, "'" * 10**5, "a" * 10**5 + "." * 30, '"""' + '"\\' * 10**5]
)
def test_looking_how_deep_a_text_is_takes_no_longer_than_reading_it(text: str) -> None:
    begun = time.process_time()
    files.too_deep("[" * (files.DEEPEST + 1) + text)
    assert time.process_time() - begun < 1.0


def test_texts_that_come_from_others_are_parsed_where_their_limits_are_checked() -> None:
    """The parsers are called where size and depth have been looked at, and for what the program itself has written."""
    places = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in sources(package)
        if re.search(r"json\.loads?\(|tomllib\.loads?\(", path.read_text("utf-8"))
    }
    limited = {"sim/data/catalog.py", "sim/data/changes.py", "sim/data/json_input.py", "sim/runs/store/run_folder.py"}
    own = {"sim/runs/store/journal.py", "sim/diagnostics/soak.py"}
    assert places == limited | own


def test_the_value_of_a_change_may_be_no_toml_at_all() -> None:
    assert parse_value(NEST) == NEST
    assert parse_value("9" * DEPTH) == "9" * DEPTH


def test_a_folder_may_be_called_like_a_pattern(empirelab: Program, tmp_path: Path) -> None:
    empirelab("simulate", "seven_wonders", *SMALL, "--out", "[1]/*")
    assert empirelab("report", "[1]/*", "--json").json["run"]["games"] == 12
    assert empirelab("replay", "[1]/*").out.startswith("Seat 0")


# ---- Code that nobody has named ----

EVIL = "from pathlib import Path\nPath('was run').touch()\ndef score(g, t, me, decision, option, w):\n    return 0.0\n"


def write_evil(folder: Path) -> None:
    """Write a Python file, and files that lead to it: changes, and a sweep of them."""
    (folder / "evil.py").write_text(EVIL, "utf-8")
    change = f"military.toml#base={folder / 'evil.py'}"
    (folder / "patch.toml").write_text(f"changes = [{json.dumps(change)}]\n", "utf-8")
    (folder / "run.toml").write_text(f'game = "seven_wonders"\nchanges = [{json.dumps(change)}]\n', "utf-8")
    path, value = (json.dumps(text) for text in change.split("="))
    vary = f"[[vary]]\nchange = {path}\nvalues = [{value}]\n"
    (folder / "sweep.toml").write_text(f'game = "seven_wonders"\n{vary}', "utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "seven_wonders", "--change", "@patch.toml"),
        ("compare", "seven_wonders", "--change", "@patch.toml"),
        ("run", "run.toml"),
        ("sweep", "sweep.toml"),
    ],
)
def test_a_file_of_changes_runs_no_code(complaint: Message, tmp_path: Path, words: tuple[str, ...]) -> None:
    write_evil(tmp_path)
    assert "a change must not choose the code that runs" in complaint(*words)


def test_a_strategy_among_those_of_the_game_runs_no_code_that_is_not_named(tmp_path: Path) -> None:
    write_evil(tmp_path)
    own = 'name = "evil"\ndescription = "x"\nbase = "evil.py"\n'
    (tmp_path / "players").mkdir()
    (tmp_path / "players" / "evil.toml").write_text(own, "utf-8")
    with pytest.raises(UserError, match="this Python file is run only if you name it"):
        load_strategies("seven_wonders", folder=tmp_path / "players")
    with pytest.raises(UserError, match="this Python file is run only if you name it"):
        load_code(tmp_path / "evil.py", load_game("seven_wonders"), tmp_path / "other.py")


def test_a_base_runs_where_its_toml_file_is_named(empirelab: Program, tmp_path: Path) -> None:
    write_evil(tmp_path)
    (tmp_path / "mine.toml").write_text('name = "mine"\ndescription = "x"\nbase = "evil.py"\n', "utf-8")
    words = (*SMALL[:4], "--strategies", "mine", "--code", "mine.toml", "--out", "out", "--quiet")
    empirelab("simulate", "seven_wonders", *words)
    assert (tmp_path / "was run").exists()


# ---- Messages ----


@pytest.mark.parametrize("kind", ["file", "row", "field", "found"])
def test_a_message_repeats_the_ends_of_what_is_long(kind: str) -> None:
    said = str(UserError("wrong", **{kind: "a" * 3000 + "z" * 3000}))
    assert said.count("a") + said.count("z") <= MAX_ECHOED + 10
    assert "aaa...zzz" in said


def test_a_message_is_one_line_of_signs_that_can_be_printed() -> None:
    said = str(UserError("wrong\r\n", file="a\nb", row="\x1b[31m", found="\u202e", allowed=["\x00"]))
    assert said.isprintable()
    assert r"a\nb, row \u001b[31m: wrong\r\n" in said


def test_what_cannot_be_written_out_goes_by_its_kind() -> None:
    assert "(found: int too long to be written out)" in str(UserError("wrong", found=10**DEPTH, allowed=["one"]))


# ---- Spreadsheets ----


@pytest.mark.parametrize("text", ["=1+1", "+A1", "-A1", "@sum", "\t=1", "\r=1", "=HYPERLINK(0)"])
@pytest.mark.parametrize("kind", ["text", "enum", "head"])
def test_no_cell_of_a_csv_file_is_a_formula(text: str, kind: str) -> None:
    frame = pl.DataFrame({"name": [text, "a-b", None], "number": [-1.5, 2.0, None]})
    if kind == "enum":
        frame = frame.with_columns(pl.col("name").cast(pl.Enum([text, "a-b"])))
    if kind == "head":
        frame = frame.rename({"name": text})
    read = pl.read_csv(as_csv(frame).encode())
    assert read.columns[0] == (f"'{text}" if kind == "head" else "name")
    assert read[read.columns[0]].to_list() == [f"'{text}", "a-b", None]
    assert read["number"].to_list() == [-1.5, 2.0, None]


def test_a_player_called_like_a_formula_is_text_in_csv_files(empirelab: Program, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "=1+1"\ndescription = "x"\nbase = "random"\n')
    words = ("--games", 12, "--players", 3, "--strategies", "=1+1,random", "--code", "mine.toml", "--quiet")
    empirelab("simulate", "seven_wonders", *words, "--out", "out")
    empirelab("report", "out", "--csv", "one.csv")
    empirelab("report", "out", "--csv", "many/")
    empirelab("compare", "out", "out", "--csv", "compared.csv")
    for file in (tmp_path / "one.csv", tmp_path / "compared.csv", *(tmp_path / "many").iterdir()):
        assert ",=" not in file.read_text()
        assert "\n=" not in file.read_text()
    assert ",'=1+1," in (tmp_path / "one.csv").read_text()


# ---- Compiled kernels that cannot be kept ----


def test_a_cache_that_cannot_be_written_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path / "file"))
    cache.warned_not_cached.clear()
    caplog.set_level(logging.WARNING, "sim")
    for _ in range(2):
        cache.write_cached(tmp_path / "file" / "build" / "code.nbc", b"")
    assert [record.getMessage() for record in caplog.records] == [
        f"compiled kernels cannot be kept in {tmp_path / 'file'} (Not a directory): every start compiles them. "
        "EMPIRELAB_CACHE names another folder"
    ]
