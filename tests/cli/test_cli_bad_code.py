"""What can be wrong with a strategy file: the message names the file, the line where it is known, and the reason."""

import py_compile
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from sim.compiler.kernel import compiled
from tests.cli.conftest import Message, Program
from tests.reports.synthetic import edit

HEAD = "def score(g, t, me, decision, option, w):\n"
KERNEL = (
    "from sim.compiler.kernel import kernel\n\n\n@kernel\ndef wealth(g, city):\n    return g.coinz[city] * 1.0\n\n\n"
)


def play(file: str, name: str) -> tuple[object, ...]:
    """Arguments that play a few games with a strategy file."""
    common = ("simulate", "seven_wonders", "--games", 8, "--jobs", 1, "--quiet", "--out", "out")
    return (*common, "--code", file, "--strategies", f"{name},greedy")


def mine(text: str) -> tuple[object, ...]:
    """Write a strategy file; return the arguments that play a few games with it."""
    Path("mine.py").write_text(text)
    return play("mine.py", "mine")


WRONG_FILES = {
    # what is wrong: (the file, where the message begins, what it says)
    "no_colon": (
        "NAME = 'mine'\ndef score(g, t, me, decision, option, w)\n    return 1.0\n",
        "mine.py:2: ",
        "the file does not import: SyntaxError: expected ':'",
    ),
    "unknown_module": (
        f"import math\nimport mathematics\n{HEAD}    return 1.0\n",
        "mine.py:2: ",
        "ModuleNotFoundError: No module named 'mathematics'",
    ),
    "fails_on_import": (
        f"def share():\n    return 1 / 0\n\n\nSHARE = share()\n{HEAD}    return SHARE\n",
        "mine.py:2: ",
        "ZeroDivisionError: division by zero",
    ),
    "leaves": (f"import sys\nsys.exit(3)\n{HEAD}    return 1.0\n", "mine.py:2: ", "SystemExit: 3"),
    "no_score": (
        "NAME = 'mine'\n",
        "mine.py, field score: ",
        "the file defines no function score; allowed: def score(g,",
    ),
    "score_is_a_number": ("score = 3\n", "mine.py, field score: ", "the file defines no function score"),
    "few_arguments": (
        "def score(g, t, me):\n    return 1.0\n",
        "mine.py, field score: ",
        "score has the wrong parameters (found: ['g', 't', 'me']); allowed: g, t, me, decision, option, w",
    ),
    "name_taken": (f"NAME = 'greedy'\n{HEAD}    return 1.0\n", "mine.py, field NAME: ", "of this name exists already"),
    "name_with_comma": (f"NAME = 'a,b'\n{HEAD}    return 1.0\n", "mine.py, field NAME: ", "(found: 'a,b')"),
    "weights_no_numbers": (
        f"WEIGHTS = {{'goods': 'many'}}\n{HEAD}    return 1.0\n",
        "mine.py, field WEIGHTS: ",
        "WEIGHTS is not a table of numbers (found: {'goods': 'many'}); allowed: name: number",
    ),
    "too_many_weights": (
        f"WEIGHTS = {{str(i): 1.0 for i in range(65)}}\n{HEAD}    return 1.0\n",
        "mine.py: ",
        "too many weights (found: 65); allowed: up to 64",
    ),
    "temperature_below_zero": (
        f"TEMPERATURE = -1\n{HEAD}    return 1.0\n",
        "mine.py, field TEMPERATURE: ",
        "must be a number of at least 0 (found: -1)",
    ),
    "raises_a_kind_of_its_own": (
        f"class E(BaseException): pass\nraise E('\\x1b[31mboom')\n{HEAD}    return 1.0\n",
        "mine.py:2: ",
        r"the file does not import: E: \u001b[31mboom",
    ),
    "prints": (f"{HEAD}    print(option)\n    return 0.0\n", "mine.py:2: ", "a compiled strategy cannot print"),
    "raises": (f"{HEAD}    raise ValueError\n", "mine.py:2: ", "a compiled strategy cannot raise"),
    "returns_text": (f"{HEAD}    return 'x'\n", "mine.py:2: ", "score must return a number on every path"),
    "not_a_number": (f"{HEAD}    return float('nan')\n", "mine.py, field score: ", "a score that is not a number"),
    "not_a_number_in_some_late_turn": (
        f"{HEAD}    return float('nan') if g.age == 3 and g.turn == 6 else 1.0\n",
        "mine.py, field score: ",
        "strategy mine returned a score that is not a number",
    ),
}

NOT_COMPILED = {
    "unknown_field": (
        f"{HEAD}    coins = g.coinz[me]\n    return 1.0 * coins\n",
        "mine.py:2: ",
        "does not compile: g, t and w have no field 'coinz'; did you mean 'coins'?",
    ),
    "unknown_field_in_a_helper": (
        f"{KERNEL}{HEAD}    return wealth(g, me)\n",
        "mine.py:6: ",
        "g, t and w have no field 'coinz'; did you mean 'coins'?",
    ),
    "unknown_name": (
        f"{HEAD}    x = 1.0\n    return x + wealth\n",
        "mine.py:3: ",
        "does not compile: NameError: name 'wealth' is not defined",
    ),
    "text_and_number": (
        f"{HEAD}    x = 1.0\n    return 'a' + x\n",
        "mine.py:3: ",
        "does not compile: No implementation of function add found for signature: >>> add(Literal[str](a), float64)",
    ),
    "nothing_returned": (f"{HEAD}    x = 1\n", "mine.py:", "(score must return a number on every path)"),
    "nothing_returned_by_a_kernel": (
        f"from sim.compiler.kernel import kernel\n\n\n@kernel\n{HEAD}    if me > 3:\n        return 1.0\n",
        "mine.py:",
        "(score must return a number on every path)",
    ),
    "helper_without_kernel": (
        f"def wealth(g, city):\n    return 1.0 * g.coins[city]\n\n\n{HEAD}    return wealth(g, me)\n",
        "mine.py:6: ",
        "(put @kernel from sim.compiler.kernel before a function that score calls)",
    ),
    "too_few_arguments_for_a_kernel": (
        "from sim.games.seven_wonders.rules.building import build_price\n"
        f"{HEAD}    return 1.0 * build_price(g, t, me)\n",
        "mine.py:3: ",
        "missing a required argument: 'card'",
    ),
    "import_within": (f"{HEAD}    import json\n    return 1.0\n", "mine.py:2: ", "unsupported opcode (IMPORT_NAME)"),
    "with_statement": (f"{HEAD}    with open('x'):\n        return 1.0\n", "mine.py", "does not compile: "),
    "a_dictionary": (f"D = {{1: 'a', 2: 3}}\n{HEAD}    return 1.0 * D[1]\n", "mine.py:3: ", "Untyped global name 'D'"),
}


@pytest.mark.parametrize("case", WRONG_FILES)
def test_a_wrong_strategy_file_is_told_with_its_place(complaint: Message, case: str) -> None:
    text, place, reason = WRONG_FILES[case]
    message = complaint(*mine(text))
    assert message.startswith(f"empirelab: {place}")
    assert reason in message


@pytest.mark.skipif(not compiled(), reason="only with compiled kernels")
@pytest.mark.parametrize("case", NOT_COMPILED)
def test_what_does_not_compile_is_told_in_one_line(complaint: Message, case: str) -> None:
    text, place, reason = NOT_COMPILED[case]
    message = complaint(*mine(text))
    assert message.startswith(f"empirelab: {place}")
    assert "strategy mine does not compile: " in message
    assert reason in message


def test_a_strategy_file_that_is_missing_or_has_another_ending_is_told(complaint: Message) -> None:
    for arguments in (play("nothing.py", "nothing"), ("strategies", "seven_wonders", "--code", "nothing.py")):
        assert "nothing.py: no such strategy file; allowed: a Python file" in complaint(*arguments)
    Path("mine.txt").write_text(f"{HEAD}    return 1.0\n")
    assert "mine.txt: not a Python file" in complaint(*play("mine.txt", "mine"))


def test_a_strategy_file_that_does_not_play_is_told(complaint: Message) -> None:
    mine(f"{HEAD}    return 1.0\n")
    message = complaint("simulate", "seven_wonders", "--games", 8, "--out", "out", "--code", "mine.py")
    assert "the strategy mine of mine.py does not play (found: 'balanced'); allowed: with" in message


def test_a_file_may_use_another_one_beside_it(empirelab: Program) -> None:
    folder = Path("players")
    folder.mkdir()
    (folder / "beside_mine.py").write_text("BONUS = 2.0\n")
    (folder / "mine.py").write_text(f"from beside_mine import BONUS\n{HEAD}    return BONUS * g.option_price[option]\n")
    empirelab(*play("players/mine.py", "mine"))


@pytest.mark.parametrize("value", ["1", "decision == 0", "-1e308 * 10", "g.coins[me]"])
def test_any_number_will_do_as_a_score(empirelab: Program, value: str) -> None:
    empirelab(*mine(f"{HEAD}    return {value}\n"))


def test_a_game_is_not_told_again_with_another_strategy_file(empirelab: Program, complaint: Message) -> None:
    empirelab(*mine(f"{HEAD}    return 1.0\n"))
    empirelab("replay", "out", "--trust")
    mine(f"{HEAD}    return 2.0\n")
    message = "mine.py: this strategy file has changed since the run, so its games cannot be replayed"
    assert message in complaint("replay", "out", "--trust")
    Path("mine.py").unlink()
    assert "mine.py: no such strategy file" in complaint("replay", "out", "--trust")


def test_python_that_a_run_folder_names_runs_only_where_it_is_trusted(empirelab: Program, complaint: Message) -> None:
    ran = Path("ran")
    empirelab(*mine(f"from pathlib import Path\nPath('ran').touch()\n{HEAD}    return 1.0\n"))
    ran.unlink()
    message = complaint("replay", "out")
    assert "out/run.json, row mine, field source: this run was played with a Python file, mine.py" in message
    assert message.endswith("allowed: --trust")
    assert not ran.exists()
    empirelab("replay", "out", "--trust")
    assert ran.exists()


STOPS = "raise SystemExit('this ran')\n"


def test_a_trusted_run_still_runs_no_file_but_its_own(empirelab: Program, complaint: Message, tmp_path: Path) -> None:
    empirelab(*mine(f"{HEAD}    return 1.0\n"))
    for name in ("other.py", "other.so"):
        Path(name).write_text(STOPS)
    manifest = Path("out", "run.json").read_text()
    for forged in ({"code": ""}, {"code": "0" * 64}, {"source": "other.py"}, {"source": "other.so", "code": ""}):
        Path("out", "run.json").write_text(manifest)
        edit(tmp_path / "out", lambda told, forged=forged: told["strategies"][0].update(forged))
        assert "this strategy file has changed since the run" in complaint("replay", "out", "--trust")


def test_a_checked_run_names_the_strategy_that_writes_into_the_game(complaint: Message) -> None:
    asked = mine(f"{HEAD}    g.coins[me] += 9\n    return 0.0\n")
    Path("run.toml").write_text(
        'game = "seven_wonders"\ngames = 8\nstrategies = ["mine", "greedy"]\ncode = "mine.py"\nchecked = true\n'
    )
    for command in ((*asked, "--checked"), ("run", "run.toml", "--jobs", 1, "--quiet")):
        message = complaint(*command)
        assert message.startswith("empirelab: mine.py, field score: strategy mine writes into the game: g.coins[")


def test_bytecode_beside_a_trusted_file_is_not_run(empirelab: Program) -> None:
    empirelab(*mine(f"{HEAD}    return 1.0\n"))
    Path("other.py").write_text(STOPS)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile("other.py", cache_from_source(str(Path("mine.py").absolute())), invalidation_mode=unchecked)
    empirelab("replay", "out", "--trust")
