"""Shows the progress of a run: a bar on a terminal or in a notebook, otherwise one line per minute."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.segment import Segment

from sim.errors import printable

SECONDS_BETWEEN_UPDATES = 0.2
"""Interval between updates of the bar in a notebook. Each update is a message to the browser."""
SECONDS_BETWEEN_LINES = 60.0
"""Interval of the lines in a log."""


@dataclass(frozen=True)
class Progress:
    """Functions by which a run reports its progress.

    `advance` receives the number of games that have just been finished, and `say` messages about the preparation.
    `expect` receives the maximum number of remaining games. A later call replaces this number.
    """

    advance: Callable[[int], None]
    say: Callable[[str], None]
    expect: Callable[[int], None] = lambda games: None


class SafeConsole(Console):
    """A console that prints only colours and printable characters, and does not interpret markup."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render_str(self, text: str, **options: Any) -> Any:
        """Return a string as it is shown; rich uses it to measure the widths of columns."""
        return super().render_str(printable(text), **options)

    def render(self, *renderable: Any, **options: Any) -> Iterator[Segment]:
        """Yield printable segments."""
        for segment in super().render(*renderable, **options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


def show_progress(label: str, total: int | None, shown: bool = True) -> AbstractContextManager[Progress]:
    """Show a bar on a terminal or in a notebook, otherwise print one line per minute on standard error.

    Parameters
    ----------
    label
        Text in front of the bar.
    total
        Number of games of a full bar; None if unknown.
    shown
        Whether to show anything.
    """
    if not shown:
        return nullcontext(Progress(lambda games: None, lambda text: None))
    if in_notebook():
        return notebook_bar(label, total)
    return terminal_bar(label, total) if sys.stderr.isatty() else nullcontext(lines_of_progress(label, total))


def lines_of_progress(label: str, total: int | None) -> Progress:
    """Print one line per minute on standard error: games played, and how long the rest will take at this speed.

    When the number of remaining games changes (`Progress.expect`), a line is printed at once, if the rest takes more
    than a minute.
    """
    started = told_at = time.monotonic()
    done = 0
    number, rest = "", "about"

    def tell(now: float) -> None:
        nonlocal told_at
        told_at = now
        text = f"{label}: {done:,} games"
        if total is not None:
            left = f", {rest} {duration(seconds_left(now))} left" if done else ""
            text = f"{label}: {done:,} of {number}{total:,} games{left}"
        print(text, file=sys.stderr, flush=True)

    def seconds_left(now: float) -> float:
        return (now - started) * max((total or 0) - done, 0) / max(done, 1)

    def advance(games: int) -> None:
        nonlocal done, started
        done += games
        now = time.monotonic()
        if not done:
            started = now  # a report of 0 games ends the preparation; its time does not count
        if now - told_at >= SECONDS_BETWEEN_LINES and done != total:
            tell(now)

    def expect(games: int) -> None:
        nonlocal total, number, rest
        total, number, rest = done + games, "up to ", "up to"
        now = time.monotonic()
        if done and seconds_left(now) >= SECONDS_BETWEEN_LINES:
            tell(now)

    return Progress(advance, lambda text: None, expect)


def duration(seconds: float) -> str:
    """Format a duration in a suitable unit: "40 s", "12 min", "3.5 h"."""
    if seconds < 90:
        return f"{max(seconds, 0):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def in_notebook() -> bool:
    """Tell whether this process is a notebook kernel."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextmanager
def terminal_bar(label: str, total: int | None) -> Iterator[Progress]:
    """Show a bar on standard error. It pulses until games are finished, because the engine may still compile."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=SafeConsole(stderr=True)) as bar:
        task = bar.add_task(label, total=None)

        def advance(games: int) -> None:
            if bar.tasks[0].total is None:
                bar.update(task, total=total)
            bar.advance(task, games)

        yield Progress(advance, bar.console.print, lambda games: bar.update(task, total=bar.tasks[0].completed + games))


@contextmanager
def notebook_bar(label: str, total: int | None) -> Iterator[Progress]:
    """Show a bar in the output of a notebook cell. At the end one line of text remains.

    The bar of the package rich would need ipywidgets, and would leave no text in a saved notebook."""
    done, shown_at = 0, 0.0
    handle: Any = None

    def show(data: dict[str, str]) -> None:
        nonlocal handle, shown_at
        shown_at = time.monotonic()
        if handle is None:
            handle = import_module("IPython.display").display(data, raw=True, display_id=True)
        else:
            handle.update(data, raw=True)

    def say(text: str) -> None:
        show(_words(f"{label}: {text}"))

    def advance(games: int) -> None:
        nonlocal done
        done += games
        if time.monotonic() - shown_at >= SECONDS_BETWEEN_UPDATES:
            text = f"{label}: {done:,} games" if total is None else f"{label}: {done:,} of {total:,} games"
            full = "" if total is None else f' max="{total}" value="{done}"'
            bar = f'<progress style="width: 40ex"{full}></progress> {html.escape(text)}'
            show(_words(text) | {"text/html": bar})

    def expect(games: int) -> None:
        nonlocal total
        total = done + games

    say("preparing")
    try:
        yield Progress(advance, say, expect)
    finally:
        say(f"{done:,} games played")


def _words(text: str) -> dict[str, str]:
    return {"text/plain": text}
