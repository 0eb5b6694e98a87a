"""Recorded games changed at random are refused in words, or played and compared."""

import json
from collections.abc import Callable
from pathlib import Path

from sim.games.seven_wonders.io.verify import summary_lines, verify_file
from tests.fuzz.mutations import told, try_broken, try_changed

SAMPLE = Path(__file__).parents[1] / "games" / "seven_wonders" / "data" / "sample.jsonl"
LINE = SAMPLE.read_text("utf-8").splitlines()[0]


def verified(file: Path) -> None:
    """Play the games of a file and say what differs."""
    results = told(lambda: verify_file(file))
    assert results is None or summary_lines(results)


def test_changed_records_are_refused_in_words_or_compared(tmp_path: Path, scaled: Callable[..., int]) -> None:
    file = tmp_path / "games.jsonl"
    try_changed(file, json.loads(LINE), lambda: verified(file), scaled(8, 3, 1500))


def test_broken_records_are_refused_in_words_or_compared(tmp_path: Path, scaled: Callable[..., int]) -> None:
    file = tmp_path / "games.jsonl"
    try_broken(file, LINE.encode("utf-8"), lambda: verified(file), scaled(6, 3, 1000))
