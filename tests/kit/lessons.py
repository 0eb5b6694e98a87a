"""What the scripts that fit lessons share: `python -m tests.games.GAME.fit_lessons`, see `sim.lessons`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def head_of(folder: Path) -> str:
    """Return the comment above the rows of a game's lessons."""
    shipped = (folder / "lessons.toml").read_text(encoding="utf-8")
    return shipped[: shipped.index("[[")].rstrip() + "\n"


def rounded(points: Iterable[float]) -> list[float]:
    """Return points to one decimal, 0.0 for what is less."""
    return [round(float(each), 1) + 0.0 for each in points]


def write_lessons(folder: Path, rows: Iterable[str]) -> None:
    """Write head and rows of a file of lessons into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lessons.toml").write_text("\n".join(rows), encoding="utf-8")
