"""What a page needs to answer questions on its run: sums over blocks, names, and quantiles of intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scipy import stats

from reports.data.filter_sums import CompanySums
from reports.data.load import Run
from reports.data.partial_run import load_so_far
from reports.data.picks import PLACE
from reports.formatting import capital
from reports.statistics.compare.filter_stats import Choices, choices_of
from reports.statistics.core.winshare import ALPHA

TABLED = 100
"""Degrees of freedom up to which quantiles stand in a table; beyond, an expansion has all digits of it."""
DIGITS = 10
"""Decimals of a sum of parts of wins: thirds of a win add up to whole ones."""


def asked_of(run: Run | Path) -> dict[str, Any] | None:
    """Return what the page of a run can be asked, or of a folder what is there of its run so far; None for nothing."""
    choices = choices_of(load_so_far(run) if isinstance(run, Path) else run)
    return None if choices is None else asked_data(choices)


def asked_data(choices: Choices) -> dict[str, Any]:
    """Return what the page's script reads, as JSON knows it."""
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
    """A level: its name, and the number of players that decides what is fair."""
    written = {"seat": f"seat {value}", "players": f"{value} players"}
    name = f"place {value}" if column.startswith(PLACE) else written.get(column, str(value))
    return {"name": name, "value": value}


def table_data(sums: CompanySums, every_company: bool) -> dict[str, Any]:
    """Sums of a table with flat lists in place of pairs: how many blocks hold each company, in the order of these."""
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
    """A sum without the digits that rounding has left; whole where it is."""
    rounded = round(value, DIGITS)
    return int(rounded) if float(rounded).is_integer() else rounded
