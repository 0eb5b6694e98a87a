"""The pages of rules lead from the rulebook's words to the code: their links hold, and no rule of the code is missing.

Pages and code are read as text, so nothing is compiled or even imported.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = {
    "seven_wonders": DOCS / "rules-seven-wonders.md",
    "imperium": DOCS / "rules-imperium.md",
    "imperial_settlers": DOCS / "rules-imperial-settlers.md",
    "history_of_the_world": DOCS / "rules-history-of-the-world.md",
    "glory_of_rome": DOCS / "rules-glory-of-rome.md",
}
HEADER = "| Rule | Played by | Tested by |"
WORDS = "## Words of the rulebook, from A to Z"

WITHOUT_RULES = {
    *("determinize", "features", "invariants", "knowledge", "log", "outlook", "results", "sightings", "state", "tables")
}
"""Files of kernels that hold no rules: they keep records and what seats know, check, start, judge, redeal."""
HELPERS = {
    # A column of the results, and keeping notes.
    "seven_wonders": {"scoring.score_age", "turns.clear_placed", "turns.spendable_sale"},
    # Offering options and asking, counting for conditions, finding the function of an operation, and keeping notes.
    "imperium": {
        "choices.ask_card", "choices.offer_from", "counting.count_garrisoned", "counting.count_market",
        "counting.count_of", "counting.count_of_suit", "counting.count_pinned", "counting.exhausted_besides",
        "counting.others_in_hand", "effects.market.follow_market", "effects.zones.follow_zones",
        "effects.zones.is_in_play", "plays.follow_plays", "setup.hide_dealt", "setup.hide_dealt_cards",
        "stack.is_in_zone", "turns.note_offers",
    },
    "imperial_settlers": {"moving.seat_of_faction", "turns.note_supply"},
    "history_of_the_world": {
        "battle.kind_of_roll", "draft.note_taken", "options.offer_land", "options.offer_targets",
        "reaching.joins_chain", "reaching.list_targets", "scoring.count_lands", "scoring.note_later",
        "turns.holds_events",
    },
    "glory_of_rome": {
        "options.offer_at", "scoring.count_bits", "scoring.write_down_points", "setup.clear_turn", "trading.brings",
        "trading.brought_in_order", "trading.count_effect", "trading.is_in_order", "treaties.note_spy",
        "turns.decision_of", "turns.is_political",
    },
}  # fmt: skip
"""Kernels in files of rules that are no rule by themselves: they serve those that the pages name."""


class Row(NamedTuple):
    """A rule of a page, with its cells as they are written."""

    rule: str
    played: str
    tested: str


# ---- Reading pages and code ----


@cache
def rows_of(game: str) -> list[Row]:
    """All rules of a page, in its order."""
    rows = []
    inside = False
    for line in PAGES[game].read_text("utf-8").splitlines():
        inside = line.startswith("|") and (inside or line == HEADER)
        if inside and line != HEADER and not line.startswith("|--"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == 3, line
            rows.append(Row(*cells))
    return rows


@cache
def targets_of(game: str) -> dict[str, str]:
    """Where each name of a page leads, from the docs folder."""
    found = re.findall(r"^\[`([^`]+)`\]: (\S+)$", PAGES[game].read_text("utf-8"), re.MULTILINE)
    assert len({name for name, _ in found}) == len(found), "a name has two targets"
    return dict(found)


def names_in(cell: str) -> list[str]:
    """Names in a cell that are links."""
    return re.findall(r"\[`([^`]+)`\]", cell)


def functions_named(game: str) -> list[str]:
    """Functions that the rules of a page name, such as `trade.least_price`."""
    return [name for row in rows_of(game) for name in names_in(row.played) if not name.endswith(".toml")]


@cache
def functions_in(path: Path) -> dict[str, bool]:
    """Functions and tables of test cases in a file, and whether each is a kernel."""
    text = path.read_text("utf-8")
    found = re.findall(r"^(@kernel\n)?def (\w+)", text, re.MULTILINE)
    tables = re.findall(r"^(test_\w+) = rows\(", text, re.MULTILINE)
    return {name: bool(mark) for mark, name in found} | dict.fromkeys(tables, False)


@cache
def modules_of(game: str) -> dict[str, Path]:
    """Files by the names that pages use: `trade` and `effects.zones` for rules, `engine.zones` for what games share."""
    home = ROOT / "sim" / "games" / game
    folders = {
        home / "rules": home / "rules",
        home / "data": home,
        home / "io": home,
        ROOT / "sim" / "engine": ROOT / "sim",
    }
    return {
        ".".join(path.relative_to(start).with_suffix("").parts): path
        for folder, start in folders.items()
        for path in sorted(folder.rglob("*.py"))
    }


def places_of(game: str, function: str) -> list[str]:
    """Where a function stands, for messages: whoever moves it learns what to write."""
    return [f"{module}.{function}" for module, path in modules_of(game).items() if function in functions_in(path)]


def names_of_rows(data: Any) -> set[str]:
    """Every name in a TOML file."""
    if isinstance(data, list):
        return set().union(*(names_of_rows(entry) for entry in data))
    if not isinstance(data, dict):
        return set()
    own = {str(data["name"])} if "name" in data else set()
    return own.union(*(names_of_rows(entry) for entry in data.values()))


# ---- The links ----


@pytest.mark.parametrize("game", PAGES)
def test_every_rule_names_what_plays_it_and_what_tests_it(game: str) -> None:
    assert len(rows_of(game)) > 100
    for row in rows_of(game):
        assert [name for name in names_in(row.played) if not name.endswith(".toml")], row.rule
        assert names_in(row.tested), row.rule
        assert all(name.startswith("test_") for name in names_in(row.tested)), row.rule


@pytest.mark.parametrize("game", PAGES)
def test_every_name_of_a_rule_is_a_link_and_no_link_is_left_over(game: str) -> None:
    used = {name for row in rows_of(game) for name in re.findall(r"`([^`]+)`", row.played + row.tested)}
    assert used == set(targets_of(game))
    for target in targets_of(game).values():
        assert (DOCS / target).resolve().exists(), target


@pytest.mark.parametrize("game", PAGES)
def test_every_function_named_stands_where_the_page_says(game: str) -> None:
    wrong = {}
    for name in functions_named(game):
        module, _, function = name.rpartition(".")
        path = modules_of(game).get(module, ROOT / "missing.py")
        there = path.exists() and function in functions_in(path)
        if not there or (DOCS / targets_of(game)[name]).resolve() != path:
            wrong[name] = places_of(game, function)
    assert not wrong, "not where the page says, but there"


@pytest.mark.parametrize("game", PAGES)
def test_every_test_named_stands_where_the_page_says(game: str) -> None:
    wrong = {}
    for name in {name for row in rows_of(game) for name in names_in(row.tested)}:
        path = (DOCS / targets_of(game)[name]).resolve()
        if not path.exists() or name not in functions_in(path):
            tests = sorted((ROOT / "tests").rglob("test_*.py"))
            wrong[name] = [str(test.relative_to(ROOT)) for test in tests if name in functions_in(test)]
    assert not wrong, "not where the page says, but there"


@pytest.mark.parametrize("game", PAGES)
def test_every_row_of_data_named_is_in_its_file(game: str) -> None:
    checked = 0
    for row in rows_of(game):
        for part in row.played.split("; "):
            rows = re.findall(r"\*([^*]+)\*", part)
            if rows:
                path = DOCS / targets_of(game)[names_in(part)[0]]
                assert set(rows) <= names_of_rows(tomllib.loads(path.read_text("utf-8"))), part
                checked += len(rows)
    assert checked >= 10


# ---- The other way round ----


@pytest.mark.parametrize("game", PAGES)
def test_every_kernel_of_the_rules_is_named_by_a_rule_or_serves_one(game: str) -> None:
    kernels = {
        f"{module}.{function}"
        for module, path in modules_of(game).items()
        if module not in WITHOUT_RULES and path.is_relative_to(ROOT / "sim" / "games" / game / "rules")
        for function, is_kernel in functions_in(path).items()
        if is_kernel
    }
    named = set(functions_named(game))
    assert not kernels - named - HELPERS[game], "kernels that no rule names"
    assert not HELPERS[game] - kernels, "helpers that are gone"
    assert not HELPERS[game] & named, "helpers that a rule names"


# ---- The list of words ----


@pytest.mark.parametrize("game", PAGES)
def test_words_of_the_rulebook_stand_in_order_and_lead_to_a_section_that_says_them(game: str) -> None:
    text = PAGES[game].read_text("utf-8")
    sections = dict(re.findall(r"^##+ (.*?)\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))
    by_anchor = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-"): heading for heading in sections}
    words = re.findall(r"\[([^\]`]+)\]\(#([^)]+)\)", text.split(WORDS)[1].split("\n## ")[0])
    assert len(words) > 50
    for (word, _), (following, _) in pairwise(words):
        assert word.lower() < following.lower()
    for word, anchor in words:
        said = re.sub(r"\[`[^`]+`\]", "", by_anchor[anchor] + sections[by_anchor[anchor]]).lower()
        # Beginnings of words: "passing" is said where hands are passed.
        parts = [part[:4] for part in re.findall(r"\w{4,}", re.sub(r"\(.*\)", "", word.lower()))]
        assert all(part in said for part in parts), (word, anchor)
