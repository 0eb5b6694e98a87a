"""Which tests take their time: a list that `make slow-tests` writes and `make test-quick` leaves out."""

from collections import defaultdict
from pathlib import Path

import pytest

LIST = Path(__file__).parent / "data" / "slow_tests.txt"
LONG, LONG_TOGETHER = 0.15, 0.4
"""Seconds: a test function is slow if one of its cases takes longer, or all of them together."""
SLOW_FIXTURES = {"in_new_process", "positions"}
"""Fixtures that take seconds in each worker: a process of its own, decisions of every kind of a game."""


def function_of(nodeid: str) -> str:
    """Return the file and the name of a test without its case."""
    return nodeid.partition("[")[0]


def mark_slow(items: list[pytest.Item]) -> None:
    """Mark the tests of the list, and those that ask for a fixture that takes seconds."""
    slow = set(LIST.read_text(encoding="utf-8").splitlines())
    for item in items:
        if function_of(item.nodeid) in slow or SLOW_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)


class Stopwatch:
    """Notes how long the tests of a session take, and writes the list of slow ones at its end."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what setting up, calling and taking down took; workers hand on their reports."""
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the list, unless tests failed or some were left out."""
        config = session.config
        some = config.getoption("markexpr") or config.getoption("keyword")
        if session.testsfailed == 0 and not some and config.args_source is not pytest.Config.ArgsSource.ARGS:
            LIST.write_text("".join(f"{name}\n" for name in self.slow()), encoding="utf-8")

    def slow(self) -> list[str]:
        """Return the names of test functions that took long, in order."""
        cases: defaultdict[str, list[float]] = defaultdict(list)
        for nodeid, seconds in self.seconds.items():
            cases[function_of(nodeid)].append(seconds)
        return sorted(name for name, took in cases.items() if max(took) > LONG or sum(took) > LONG_TOGETHER)
