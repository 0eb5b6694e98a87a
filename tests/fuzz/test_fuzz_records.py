"""Recorded games changed at random are refused in words, or played and compared."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sim.games.seven_wonders.io.verify import summary_lines, verify_file
from tests.fuzz.mutations import BYTE_MUTATIONS, MUTATIONS, mutated, mutated_bytes, told, try_all

SAMPLE = Path(__file__).parents[1] / "games" / "seven_wonders" / "data" / "sample.jsonl"
LINE = SAMPLE.read_text("utf-8").splitlines()[0]


def verified(file: Path) -> None:
    """Play the games of a file and say what differs."""
    results = told(lambda: verify_file(file))
    assert results is None or summary_lines(results)


def test_changed_records_are_refused_in_words_or_compared(tmp_path: Path, scaled: Callable[..., int]) -> None:
    file, game = tmp_path / "games.jsonl", json.loads(LINE)

    def check(mutations: Any) -> None:
        file.write_text(json.dumps(mutated(game, mutations), default=str), "utf-8", "surrogatepass")
        verified(file)

    try_all(MUTATIONS, check, scaled(8, 3, 1500))


def test_broken_records_are_refused_in_words_or_compared(tmp_path: Path, scaled: Callable[..., int]) -> None:
    file = tmp_path / "games.jsonl"

    def check(mutations: Any) -> None:
        file.write_bytes(mutated_bytes(LINE.encode("utf-8"), mutations))
        verified(file)

    try_all(BYTE_MUTATIONS, check, scaled(6, 3, 1000))
