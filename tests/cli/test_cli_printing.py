"""Whatever names a foreign run folder holds, only signs that can be seen reach the terminal, pages and figures."""

import hashlib
import json
import os
import pty
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from reports.data.load import load_run
from reports.render.chart import all_figures, svg
from reports.render.page import render
from reports.render.terminal import print_report
from reports.report import build_report
from reports.sections.core.shares import share_report
from sim.compiler.source_digest import GUARDED
from sim.errors import UNSEEN, Printed, printable
from sim.runs.progress import SafeConsole, terminal_bar
from sim.runs.store.manifest import load_manifest
from tests.cli.conftest import Program
from tests.kit.processes import ROOT, in_process
from tests.reports.synthetic import edit

MARKS = (
    "\x1b[31mred\x1b]0;t\x07", "\u202eturned", "a\0b", "<script>x</script>", "\x9b2J\u2066", "zero\u200bwidth", "[red]",
    "[/]", ":smile:", "$x$", "two\nlines", "Kőszeg", "都江堰", "الإسكندرية",
)  # fmt: skip
KEPT = MARKS[-3:]
"""Names in letters of other scripts."""


def renamed(run: Path) -> Path:
    """Give the factions, tags and ends of a run names that hold such signs, and the digests that fit."""
    manifest = json.loads((run / "run.json").read_text("utf-8"))
    new = {row["name"]: f"{MARKS[number % len(MARKS)]} {number}" for number, row in enumerate(manifest["factions"])}
    for faction in manifest["factions"]:
        faction["name"] = new[faction["name"]]
    manifest["factions_dealt"] = [new[name] for name in manifest["factions_dealt"]]
    manifest["tags"], manifest["note"], manifest["title"] = list(MARKS), "\n".join(MARKS), f"7 Wonders{MARKS[0]}"
    for entry in manifest["shards"]:
        seats = pl.read_parquet(run / entry["file"])
        names = pl.col("faction").cast(pl.String).replace(new).cast(pl.Enum(list(new.values())))
        seats.with_columns(names).write_parquet(run / entry["file"])
        entry["sha256"] = hashlib.sha256((run / entry["file"]).read_bytes()).hexdigest()
    (run / "run.json").write_text(json.dumps(manifest, ensure_ascii=False), "utf-8")
    return run


@pytest.fixture
def foreign(once: Program, tmp_path: Path) -> Path:
    """A run with such names in a folder of runs."""
    words = ("--games", 60, "--players", 3, "--strategies", "random,greedy", "--quiet", "--jobs", 1)
    once("simulate", "seven_wonders", *words, "--out", "runs/foreign")
    return renamed(tmp_path / "runs" / "foreign")


def unseen(text: str) -> set[str]:
    """Signs of a text that cannot be seen, but for ends of lines."""
    return set(UNSEEN.findall(text)) - {"\n"}


@pytest.mark.parametrize(
    "words",
    [
        ("report", "runs/foreign", "--full"),
        ("report", "runs/foreign", "--json"),
        ("view", "runs"),
        ("view", "runs", "--json"),
        ("compare", "runs/foreign", "runs/foreign"),
        ("price", "runs/foreign"),
        ("explain", "runs/foreign", "--faction", "\x1b[31m"),
        ("replay", "runs/foreign"),
        ("replay", "runs/foreign", "--where", "\u202eturned 1 wins"),
        ("check", "runs/foreign"),
        ("report", "runs/\x1b[31mnone\u202e"),
        ("simulate", "\x1b[31m\u202e"),
        ("\x1b[31m",),
    ],
)
@pytest.mark.usefixtures("foreign", "sketched_figures")
def test_what_a_command_prints_can_be_seen(empirelab: Program, words: tuple[str, ...]) -> None:
    outcome = empirelab(*words, status=None)
    assert outcome.out + outcome.err
    assert not unseen(outcome.out + outcome.err)


@pytest.mark.usefixtures("foreign")
def test_json_says_the_names_and_a_name_stays_on_its_line(empirelab: Program) -> None:
    found = empirelab("report", "runs/foreign", "--json").json
    names = [row["name"] for row in found["run"]["factions"]]
    assert names[0] == r"\u001b[31mred\u001b]0;t\u0007 0"
    assert r"two\nlines 10" in names
    assert [name for name in names if name.startswith("Kőszeg")] == ["Kőszeg 11"]


@pytest.mark.usefixtures("without_figures")
def test_pages_and_figures_hold_nothing_unseen_and_warn_of_no_font(foreign: Path) -> None:
    report = share_report(load_run(foreign))
    page = render(report)
    assert not unseen(page) - {"\t"}
    assert all(name in page for name in KEPT)
    for _, figure in all_figures(report):
        assert not unseen(svg(figure).decode("utf-8"))


def test_names_are_no_markup_on_a_console(foreign: Path) -> None:
    console = SafeConsole(width=200, force_terminal=True, color_system="standard", legacy_windows=False)
    with console.capture() as caught:
        print_report(build_report(load_run(foreign)), console, full=True)
    text = caught.get()
    assert all(name in text for name in ("[red] 6", "[/] 7", ":smile: 8", "$x$ 9", *KEPT))
    assert "\x1b[1m" in text
    assert "\x1b[31mred" not in text
    assert not {sign for sign in unseen(text) if sign != "\x1b"}


def read_from_terminal(command: list[str], folder: Path) -> str:
    """Run a command at a terminal of its own, and return what reaches the terminal."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != GUARDED}
    environment |= {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        return b"".join(chunks(ours)).decode("utf-8") if process else ""


def chunks(descriptor: int) -> Iterator[bytes]:
    """What comes from a terminal until it is closed."""
    try:
        while found := os.read(descriptor, 1 << 16):
            yield found
    except OSError:  # the other end is closed
        return
    finally:
        os.close(descriptor)


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are of another kind there")
def test_at_a_terminal_colours_are_the_programs_own(foreign: Path) -> None:
    program = [sys.executable, "-m", "sim.cli"]
    text = read_from_terminal([*program, "report", str(foreign)], foreign.parent)
    assert "\x1b[1m" in text
    assert "\x1b[31m" not in text
    assert not {"\x07", "\x9b", "\u202e", "\0"} & set(text)
    shown = read_from_terminal([*program, "--help"], foreign.parent)
    assert "\\u001b" not in shown


def test_a_bar_takes_no_name_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal_bar("[/] \x1b[31m\u202ename", 3) as progress:
        progress.say("[/] \x1b[31m\u202ename")
        progress.advance(3)
    said = capsys.readouterr().err
    assert not unseen(said) - {"\x1b", "\r"}
    assert "[/]" in said


def test_all_signs_that_cannot_be_seen_are_written_out_and_no_letter_is() -> None:
    signs = [chr(code) for code in range(sys.maxunicode + 1)]
    hidden = [sign for sign in signs if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") and sign not in "\n\t"]
    assert [hex(ord(sign)) for sign in hidden if printable(sign) == sign] == []
    seen = [sign for sign in signs if unicodedata.category(sign)[0] in "LNMPS"]
    letters = "".join(sign for sign in seen if sign not in "\u115f\u1160\u3164\uffa0")
    assert printable(letters) == letters
    assert printable("a\n\tb") == "a\n\tb"
    assert printable("a\n\tb", lines=False) == r"a\n\tb"


def test_completions_for_fish_stand_apart_from_their_help_by_a_tab() -> None:
    asked = {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "_TYPER_COMPLETE_ARGS": "empirelab re"}
    done = in_process(ROOT, "-m", "sim.cli", _EMPIRELAB_COMPLETE="complete_fish", **asked)
    assert "\nreplay\t" in done.out


def test_what_is_printed_of_json_says_the_same() -> None:
    content = ["".join(MARKS), "\U000e0041\x7f\x85\u2028", "x\\u202e"]
    text = json.dumps(content, ensure_ascii=False)
    assert not unseen(printable(text))
    assert json.loads(printable(text)) == content


def test_a_stream_is_otherwise_as_it_was(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="utf-8") as file:
        stream = Printed(file)
        print("\x1b[31m", file=stream, flush=True)
        assert stream.fileno() == file.fileno()
    assert (tmp_path / "out").read_text("utf-8") == "\\u001b[31m\n"


def test_a_deck_and_the_place_of_a_strategy_stay_as_they_were_written(foreign: Path) -> None:
    deck = {"file": "a\u202e.toml", "text": "x = 1\r\n\ty = '\u202e'"}
    edit(foreign, lambda manifest: manifest.update(decks=[deck]))
    edit(foreign, lambda manifest: manifest["strategies"][0].update(source="/home/a\u200cb.toml"))
    found = load_manifest(foreign)
    assert found.decks[0].text == deck["text"]
    assert found.decks[0].file == r"a\u202e.toml"
    assert found.strategies[0].source == "/home/a\u200cb.toml"
    assert found.note == printable("\n".join(MARKS))
