"""The command for a longer run keeps its games."""

import sys
from pathlib import Path

import pytest

from sim.commands.console import command_with


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("compare g.py --change @fair.toml -n 20", "compare g.py --change @fair.toml --out runs/compare-80 --games 80"),
        ("compare g.py --out runs/mine/", "compare g.py --out runs/mine-80 --games 80"),
        ("compare g.py -n400 -o runs/mine", "compare g.py --out runs/mine-80 --games 80"),
        ("compare g.py -n20 --out=runs/mine/", "compare g.py --out runs/mine-80 --games 80"),
        ("ladder g.py", "ladder g.py --games 80"),
    ],
)
def test_a_longer_comparison_is_kept_in_a_new_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, typed: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["empirelab", *typed.split()])
    assert command_with("--games", 80) == f"empirelab {said}"
    for folder in ("runs/compare-80", "runs/mine-80"):
        Path(folder).mkdir(parents=True)
    assert command_with("--games", 80) == f"empirelab {said}".replace("-80 ", "-80-2 ")


@pytest.mark.parametrize("games", ["--games 60", "--games=60", "-n 60", ""])
def test_a_longer_soak_does_not_stop_at_the_games_of_the_first(monkeypatch: pytest.MonkeyPatch, games: str) -> None:
    monkeypatch.setattr(sys, "argv", ["empirelab", "soak", "g.py", *games.split()])
    assert command_with("--minutes", 2, "--games") == "empirelab soak g.py --minutes 2"
