"""Mistakes in the TOML files under `configs/`: the message names file, row, field, what was found, what may stand."""

import re
import shutil
from pathlib import Path

import pytest

from sim.data.catalog import CONFIGS
from sim.errors import UserError
from sim.games.seven_wonders.data.catalog import load_catalog
from sim.players.find_strategies import load_strategies

GAME = "seven_wonders"


# ---- Strategies ----

BASE = 'name = "cautious"\nbase = "balanced"\ndescription = "x"\n'

WRONG_STRATEGIES = [
    (f"{BASE}[weights]\nblu = 1\n", "row cautious, field weights: unknown weight (found: 'blu'); did you mean 'blue'?"),
    (f"{BASE}[weights]\nblue = nan\n", "row cautious, field weights.blue: not a finite number"),
    (f'{BASE}[weights]\nblue = "much"\n', "field weights.blue: not allowed here (found: 'much')"),
    (f"{BASE}temperature = -1.0\n", "field temperature: not allowed here (found: -1.0)"),
    (f"{BASE}temprature = 1.0\n", "unknown field (found: 'temprature'); did you mean 'temperature'?"),
    (f'{BASE}script = "school"\n', "a strategy names either a script or a base; allowed: one of script, base"),
    ('name = "cautious"\ndescription = "x"\n', "a strategy names either a script or a base"),
    ('name = "cautious"\nscript = "school"\ndescription = "x"\n', "field weights.blue: a weight is missing"),
    (
        'name = "cautious"\nscript = "scool"\ndescription = "x"\n',
        "field script: unknown script (found: 'scool'); did you mean 'school'?",
    ),
    (
        'name = "cautious"\nscript = "greedy"\ndescription = "x"\n[weights]\nblue = 1\n',
        "unknown weight (found: 'blue'); allowed: none, script greedy has no weights",
    ),
    (
        'name = "cautious"\nbase = "balancd"\ndescription = "x"\n',
        "field base: unknown strategy (found: 'balancd'); did you mean 'balanced'?",
    ),
    (
        'name = "cautious"\nbase = "cautious"\ndescription = "x"\n',
        "field base: strategies are based on each other in a circle (found: 'cautious')",
    ),
    ('name = "military"\nbase = "balanced"\ndescription = "x"\n', "the name is taken by"),
    ('name = "a,b"\nbase = "balanced"\ndescription = "x"\n', "field name: "),
    ('base = "balanced"\ndescription = "x"\n', "field name: this field is missing"),
    ('name = "cautious"\nbase = "balanced\n', "not valid TOML"),
]


@pytest.fixture
def strategy_folder(tmp_path: Path) -> Path:
    """A copy of the strategies of the project."""
    shutil.copytree(CONFIGS / "strategies" / GAME, tmp_path / "strategies")
    return tmp_path / "strategies"


@pytest.mark.parametrize(("text", "message"), WRONG_STRATEGIES)
def test_a_wrong_strategy_table_is_told(strategy_folder: Path, text: str, message: str) -> None:
    path = strategy_folder / "zz_cautious.toml"
    path.write_text(text)
    with pytest.raises(UserError) as error:
        load_strategies(GAME, folder=strategy_folder)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


def test_a_circle_of_two_is_told(strategy_folder: Path) -> None:
    for name, base in (("one", "two"), ("two", "one")):
        (strategy_folder / f"{name}.toml").write_text(f'name = "{name}"\nbase = "{base}"\ndescription = "x"\n')
    with pytest.raises(UserError, match="strategies are based on each other in a circle"):
        load_strategies(GAME, folder=strategy_folder)


def test_a_variant_takes_all_it_does_not_name_from_its_base(strategy_folder: Path) -> None:
    (strategy_folder / "cautious.toml").write_text(f"{BASE}temperature = 0.5\n[weights]\nblue = 2\n")
    found = load_strategies(GAME, folder=strategy_folder)
    assert found["cautious"].weights == {**found["balanced"].weights, "blue": 2.0}
    assert found["cautious"].temperature == 0.5


# ---- Cards, boards, rules ----

WRONG_TABLES = [
    # (file, pattern, what is put there, what the message says); the first match only is changed
    (
        "cards.toml",
        r'produce = \["wood"\]',
        'produce = ["wod"]',
        "row Lumber Yard 1, field effects.1.produce.1: unknown value (found: 'wod'); did you mean 'wood'?",
    ),
    ("cards.toml", r"cost = \{ coins = 1 \}", "cost = { coin = 1 }", "(found: 'coin'); did you mean 'coins'?"),
    ("cards.toml", r"\{ vp = 3 \}", "{ vps = 3 }", "unknown effect (found: 'vps'); did you mean 'vp'?"),
    ("cards.toml", r"copies = \[3, 4\]", "copies = [3, 8]", "row Lumber Yard 1, field copies.2: not allowed here"),
    ("cards.toml", r'colour = "brown"', 'colour = "braun"', "(found: 'braun'); did you mean 'brown'?"),
    (
        "cards.toml",
        r'certainty = "confirmed"',
        'certainty = "sure"',
        "field certainty: unknown value (found: 'sure'); allowed: confirmed, single-source, stand-in",
    ),
    ("cards.toml", r'name = "Lumber Yard"', 'name = "Stone Pit"', "Stone Pit"),
    ("wonders.toml", r"cost = \{ stone = 2 \}", "cost = { stone = 9 }", "cost too high (found: 9)"),
    ("wonders.toml", r'side = "A"', 'side = "C"', "field side: unknown value (found: 'C')"),
    ("wonders.toml", r'resource = "glass"', 'resource = "gold"', "field resource: unknown value (found: 'gold')"),
    ("rules.toml", r"start_coins = 3", "start_coins = -3", "row constants, field start_coins: not allowed here"),
    ("rules.toml", r"start_coins = 3", "coins = 3", "unknown field (found: 'coins')"),
    ("rules.toml", r'name = "discounts_add_up"', 'name = "discounts_add"', "unknown setting (found: 'discounts_add')"),
    ("rules.toml", r'value = "one-good"', 'value = "two-goods"', "field value: unknown value (found: 'two-goods')"),
]


@pytest.fixture
def game_folder(tmp_path: Path) -> Path:
    """A copy of the tables of the project."""
    shutil.copytree(CONFIGS / "games" / GAME, tmp_path / "game")
    return tmp_path / "game"


def change(path: Path, pattern: str, text: str) -> None:
    """Replace the first match of a pattern in the rows of a file, past its opening comment."""
    comment, rows = re.split(r"\n\n", path.read_text(encoding="utf-8"), maxsplit=1)
    changed, count = re.subn(pattern, text, rows, count=1)
    assert count == 1, pattern
    path.write_text(f"{comment}\n\n{changed}", encoding="utf-8")


def message_of(folder: Path) -> str:
    with pytest.raises(UserError) as error:
        load_catalog(folder)
    return str(error.value)


@pytest.mark.parametrize(("file", "pattern", "text", "message"), WRONG_TABLES)
def test_a_wrong_row_of_a_table_is_told(game_folder: Path, file: str, pattern: str, text: str, message: str) -> None:
    change(game_folder / file, pattern, text)
    told = message_of(game_folder)
    assert told.startswith(str(game_folder / file))
    assert message in told


def test_a_chain_from_a_card_that_does_not_exist_is_told(game_folder: Path) -> None:
    change(game_folder / "cards.toml", r'chain_from = \["\w+', 'chain_from = ["Nowhere')
    told = message_of(game_folder)
    assert "field chain_from" in told
    assert "Nowhere" in told


def test_a_missing_table_is_told(game_folder: Path) -> None:
    (game_folder / "wonders.toml").unlink()
    assert "wonders.toml: no such file" in message_of(game_folder)
