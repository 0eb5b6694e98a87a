"""Mistakes in the TOML files under `configs/`: the message names file, row, field, what was found, what may stand."""

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
    (f"{BASE}[weights]\nblue = nan\n", "field weights.blue: not allowed here (found: nan)"),
    (f"{BASE}[weights]\nblue = -1e300\n", "row cautious, field weights.blue: out of range"),
    (f'{BASE}[weights]\nblue = "much"\n', "field weights.blue: not allowed here (found: 'much')"),
    (f"{BASE}temperature = -1.0\n", "field temperature: not allowed here (found: -1.0)"),
    (f"{BASE}temperature = inf\n", "field temperature: not allowed here (found: inf); allowed: a finite number"),
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
        "field base: these strategies are based on each other (found: 'cautious')",
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
    with pytest.raises(UserError, match="these strategies are based on each other"):
        load_strategies(GAME, folder=strategy_folder)


def test_a_variant_takes_all_it_does_not_name_from_its_base(strategy_folder: Path) -> None:
    (strategy_folder / "cautious.toml").write_text(f"{BASE}temperature = 0.5\n[weights]\nblue = 2\n")
    found = load_strategies(GAME, folder=strategy_folder)
    assert found["cautious"].weights == {**found["balanced"].weights, "blue": 2.0}
    assert found["cautious"].temperature == 0.5


def test_a_missing_table_is_told(tmp_path: Path) -> None:
    shutil.copytree(CONFIGS / "games" / GAME, tmp_path / "game")
    (tmp_path / "game" / "wonders.toml").unlink()
    with pytest.raises(UserError, match=r"wonders\.toml: no such file"):
        load_catalog(tmp_path / "game")
