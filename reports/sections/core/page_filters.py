"""The data that a page needs to filter its run: sums over blocks, names, and quantiles of intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scipy import stats

from reports.data.filter_sums import CompanySums
from reports.data.load import Run, load_so_far
from reports.data.piece_counts import PLACE
from reports.formatting import capital
from reports.statistics.compare.filter_stats import Choices, choices_of
from reports.statistics.core.groupings import PLAYERS_IN_ORDER, START
from reports.statistics.core.win_rate import ALPHA

TABLED = 100
"""Degrees of freedom up to which quantiles are tabulated; beyond, the script uses an expansion."""
DIGITS = 10
"""Decimals of sums of wins, so that three thirds are one win."""


def filter_data(run: Run | Path) -> dict[str, Any] | None:
    """Return the filter data of a run, or of the run in a folder, finished or not; None if there is none."""
    choices = choices_of(load_so_far(run) if isinstance(run, Path) else run)
    return None if choices is None else asked_data(choices)


def asked_data(choices: Choices) -> dict[str, Any]:
    """Return the JSON object that the page's script reads."""
    levels = {name: [level(name, value) for value in own] for name, own in choices.levels.items()}
    return {
        "levels": levels,
        "titles": {name: capital(title) for name, title in choices.titles.items()},
        "tables": [
            table_data(sums, choices.every_company) | {"note": choices.notes.get(sums.question.rows, "")}
            for sums in choices.sums
        ],
        "quantiles": {
            "t": [round(float(stats.t.ppf(1 - ALPHA / 2, freedom)), 12) for freedom in range(1, TABLED + 1)],
            "z": float(stats.norm.ppf(1 - ALPHA / 2)),
        },
        "everyCompany": choices.every_company,
        "leftOut": choices.left_out,
    }


def level(column: str, value: Any) -> dict[str, Any]:
    """Return the name and value of a level."""
    written = {"seat": f"seat {value}", "players": f"{value} players"}
    if column == START:
        return {"name": PLAYERS_IN_ORDER[value - 1], "value": value}
    name = f"place {value}" if column.startswith(PLACE) else written.get(column, str(value))
    return {"name": name, "value": value}


def table_data(sums: CompanySums, every_company: bool) -> dict[str, Any]:
    """Return the sums of a table with flat lists in place of pairs, and block counts in the order of companies."""
    groups = []
    for group in sums.groups:
        blocks = [0] * (1 + max(place for place, _ in group["blocks"]))
        for place, number in group["blocks"]:
            blocks[place] = number
        flat = {name: [rounded_sum(value) for entry in group[name] for value in entry] for name in ("wins", "products")}
        groups.append({"keys": group["keys"], "blocks": blocks, **flat})
    own = every_company and sums.question.rows != "strategy"
    asked = {"rows": sums.question.rows, "others": list(sums.question.others), "everyCompany": own}
    return {**asked, "companies": sums.companies, "groups": groups}


def rounded_sum(value: float) -> float:
    """Round a sum; return an int if it is whole."""
    rounded = round(value, DIGITS)
    return int(rounded) if float(rounded).is_integer() else rounded
