"""Impossible requests: every such command line is refused with one message and status 2, and writes nothing.

`refused.txt` is a page of them (`tests.kit.pages`): lines `| ...` of the file `run.toml`, if any, then the command.
"""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Message
from tests.kit.pages import check_page

GAME = "seven_wonders"
ROOT = Path(__file__).parents[2]
FILE = "run.toml"
NAMES_SHOWN = 80
"""How much of a long list of allowed names a page shows, in letters."""
DEPTH = 5000
NEST = "[" * DEPTH + "]" * DEPTH
DEEP = "nested too deep; allowed: a few lists and tables inside each other"
RUNS = [
    (f"settings = {NEST}", DEEP),
    (f"settings{'.a' * DEPTH} = 1", DEEP),
    (f"# {NEST}\ngames = '{NEST}'", "field games: not allowed here"),
    (f"games = {'9' * DEPTH}", "not valid TOML"),
]
"""Files of runs that are too large for the page."""
PROGRAM = "empirelab: "
SMALL = ("simulate", GAME, "--games", 8, "--out", "out")


def shown(message: str) -> str:
    """A message as the page has it: without the program's name, and with the first names of a long list."""
    return re.sub(
        f"(?<=llowed: )(?=.{{{NAMES_SHOWN + 1}}})(.{{1,{NAMES_SHOWN}}}), .*", r"\1, ...", message[len(PROGRAM) :]
    )


def test_what_cannot_be_asked_for_is_refused_as_the_page_says(complaint: Message, tmp_path: Path) -> None:
    def message_of(wrong: list[str]) -> str:
        *lines, command = wrong
        if lines:
            (tmp_path / FILE).write_text("\n".join(line[2:] for line in lines))
        said = complaint(*shlex.split(command))
        (tmp_path / FILE).unlink(missing_ok=True)
        return shown(said.replace(f"{ROOT}/", ""))

    check_page(Path(__file__).parent / "refused.txt", message_of)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--strategies", ",".join(f"balanced@0.{number:02}" for number in range(33)), "(found: 33); allowed: up to 32"),
        ("--note", "x" * 2001, "at most 2000 letters"),
    ],
    ids=["strategies", "note"],
)
def test_a_value_that_is_too_long_is_refused(complaint: Message, option: str, value: str, message: str) -> None:
    assert message in complaint(*SMALL, option, value)


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        *((("run", FILE), f'game = "{GAME}"\n{text}\n', message) for text, message in RUNS),
        *((("sweep", FILE), f'game = "{GAME}"\n{text}\n[[vary]]\n', message) for text, message in RUNS),
        *(((command, GAME, FILE), f'{{"cities": {NEST}}}', "nested too deep") for command in ("inspect", "verify")),
    ],
    ids=str.split("run-deep run-dots run-text run-digits sweep-deep sweep-dots sweep-text sweep-digits inspect verify"),
)
def test_a_file_that_is_nested_too_deep_is_refused(
    complaint: Message, tmp_path: Path, command: tuple[str, ...], text: str, message: str
) -> None:
    (tmp_path / FILE).write_text(text)
    assert message in complaint(*command)


@pytest.mark.parametrize(
    ("command", "file", "message"),
    [
        ("sweep", "runs/demo.toml", "a run, not a sweep; allowed: empirelab run {file}"),
        ("run", "sweeps/rhodos-coins.toml", "a sweep, not a run; allowed: empirelab sweep {file}"),
        ("run", "strategies/seven_wonders/greedy.toml", "describes a player, not a run; allowed: --code {file} with"),
        ("sweep", "strategies/seven_wonders/greedy.toml", "a player, not a sweep; allowed: --code {file} with any"),
    ],
)
def test_a_file_for_another_command_is_recognised(complaint: Message, command: str, file: str, message: str) -> None:
    path = ROOT / "configs" / file
    assert message.format(file=path) in complaint(command, path)
