"""Authors are told what is wrong with file, line, what was expected and the nearest name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UserError
from sim.runs.simulate import simulate
from tests.plain.conftest import edited

FAULTS = {
    "a typo in the state": (
        "state.row.remove(good)",
        "state.rwo.remove(good)",
        r"trade\.py:\d+.*no attribute 'rwo'",
    ),
    "a typo in the data": ("good.points", "good.pionts", r"trade\.py:\d+.*no 'pionts'; did you mean 'points'"),
    "a key of the data": (
        'self.data["rules"].die',
        'self.data["ruls"].die',
        r"the data have no table 'ruls'; did you mean 'rules'",
    ),
    "a variable": ("own = state", "ovn = state", r"trade\.py:\d+.*name 'own' is not defined; did you mean 'ovn'"),
    "no options": ('return ["work", *(', "return [*(", r"trade\.py:\d+.*no options for seat"),
    "a generator of options": ('return ["work", *(', 'return ("x" for _ in [1]) or [*(', "options must return a list"),
    "forgotten options": ('return ["work", *(', '["work", *(', r"options must return a list \(found: 'None'\)"),
    "an option that is not hashable": ('["work", *(', '["work", ["nap"], *(', r"trade\.py:\d+.*not hashable"),
    "an option that is not itself": ('["work", *(', '["work", Odd(), *(', "not equal to itself"),
    "too few score parts": (
        "return state.points[seat], state",
        "return state.points[seat] + state",
        "must return 2 numbers, not 1",
    ),
    "a score that is not whole": ("// 3", "/ 3", r"not a whole number.*allowed: a whole number"),
    "an endless game": ("return self.done(state)", "return False", r"trade\.py:\d+.*has not ended after 10,000 moves"),
    "a state kept in the game": ("state.turn += 1", "self.turn = 1", "changes during a game belongs to the state"),
    "an exit": ("state.turn += 1", "raise SystemExit(0)", r"trade\.py:\d+.*game 0 of seed 1 stops: SystemExit: 0"),
    "data that are changed": ("state.turn += 1", "option[1]['price'] = 2", "shared by all games and cannot be changed"),
    "a seat that there is not": ("% state.players\n\n    def is_over", "+ 7\n\n    def is_over", "no such seat"),
    "a misspelt hidden pile": (
        'hidden = ("deck",)',
        'hidden = ("dekc",)',
        r"trade\.py:16, field hidden: .*'dekc'\); did you mean 'deck'",
    ),
    "a hidden number": ('hidden = ("deck",)', 'hidden = ("turn",)', r"trade\.py:16: game 0 of seed 1 stops: TypeError"),
    "a missing method": ("def score", "def scores", r"trade\.py:\d+.*no method score; did you mean 'scores'"),
    "other arguments": (
        "def options(self, state)",
        "def options(self)",
        r"options\(self\).*allowed: options\(self, state\)",
    ),
    "too many players": ("players = (2, 3)", "players = (2, 13)", "field players.*allowed: numbers from 1 to 12"),
    "a misspelt attribute": ("score_parts =", "score_part =", "did you mean 'score_parts'"),
    "an unknown measure": ('{"bought":', '{"bougt":', "did you mean 'bought'"),
    "an unknown end": ('"last round" if', '"lost round" if', "did you mean 'last round'"),
    "an unknown piece": ("(good.name, self", '("Cloht", self', "did you mean 'Cloth'"),
    "a table that is not there": ('faction_word = "guild"', 'faction_word = "gild"', "did you mean 'guild'"),
    "a player without an answer": ("return patience if", "patience if", r"trade\.py:\d+.*saver.*not a number.*None"),
    "a player with another answer": (
        "return options[-1]",
        'return "nap"',
        r"trade\.py:\d+.*spender must return one of",
    ),
    "a weight without a number": (
        "patience=1.0",
        "patience=None",
        r"trade\.py:\d+.*patience.*keyword argument with a numeric default",
    ),
    "a file that does not parse": ("def setup", "df setup", r"trade\.py:\d+.*does not import: SyntaxError"),
}


def refused(said: str, game: str = "trade.py", **options: Any) -> None:
    """Play a few games, which must be refused with this message."""
    usual: dict[str, Any] = {"games": 9, "strategies": "saver", "out": "run", "progress": False, "jobs": 1}
    with pytest.raises(UserError, match=said):
        simulate(game, **usual | options)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_author_is_told(trade: Path, fault: str) -> None:
    old, new, said = FAULTS[fault]
    edited(trade, old, new)
    if "Odd()" in new:
        odd = "class Odd:\n    def __eq__(self, other): return False\n    def __hash__(self): return 1\n\n\n"
        edited(trade, "class Trade", f"{odd}class Trade")
    refused(said, strategies="saver,spender", detail="goods")
    assert not Path("run").exists()


def test_a_file_that_is_not_there_has_a_near_name(trade: Path) -> None:
    refused(r"did you mean 'trade\.py'", "trad.py")


def test_look_ahead_and_views_say_which_part_they_need(trade: Path) -> None:
    edited(trade, '    hidden = ("deck",)\n', "")
    for player in ("saver+2", "spender"):
        refused(r"trade\.py, field hidden.*add `hidden`.*hidden = \(\)", strategies=player)


def test_a_score_that_is_a_single_fraction_has_to_be_whole(bids: Path) -> None:
    edited(bids, "return state.won[seat]", "return state.won[seat] / 3")
    refused(r"bids\.py:\d+.*not a whole number.*round, or count in tenths", "bids.py", strategies="matching")


def test_an_error_names_the_changes_that_a_search_plays(trade: Path) -> None:
    edited(trade, "return self.done(state)", 'return self.done(state) and self.data["rules"].die > 0')
    change = "trade.toml#rules.die=0"
    refused(rf"game 0 of seed 1 with {re.escape(change)} stops", strategies="saver,spender", changes=[change])


FIELDS = {
    # the mistake: (old text of the TOML file, new text, what is said)
    "misspelt in one row": (
        "coins = 0",
        "coinns = 0",
        r"trade\.toml, row Miners, field guild\.coinns.*the other rows have 'coins'.*did you mean 'coins'",
    ),
    "missing in one row": (
        "coins = 0\n",
        "",
        r"trade\.toml, row Miners, field guild\.coins: .* the other rows have it, and trade\.py:\d+ reads it$",
    ),
    "missing in a table of its own": (
        "die = 3",
        "side = 3",
        r"trade\.py:\d+: game 0 of seed 1 stops: \[rules\] in trade\.toml has no 'die'; it has rounds, row, side",
    ),
    "the name of a row": (
        'name = "Miners"\n',
        "",
        r"trade\.toml, row guild 2, field name: a row without a name; allowed: name = ",
    ),
    "missing in most rows": ("coins = 3", "", r"row Weavers, field guild\.coins.* 1 of 3 rows have it"),
    "a text in a column of numbers": (
        "price = 3",
        'price = "three"',
        r"trade\.toml, row Ore, field good\.price.*'three'.*other rows.*trade\.py:\d+ computes with it",
    ),
    "a text in place of a number in a table of its own": (
        "rounds = 4",
        'rounds = "four"',
        r"trade\.toml, field rules\.rounds.*found: 'four'.*a number.*trade\.py:\d+ computes with it",
    ),
}


@pytest.mark.parametrize("mistake", FIELDS)
def test_a_wrong_field_of_the_toml_file_is_told_with_file_and_table(trade: Path, mistake: str) -> None:
    old, new, said = FIELDS[mistake]
    edited(trade.with_suffix(".toml"), old, new)
    if mistake == "missing in most rows":
        edited(trade.with_suffix(".toml"), "coins = 0", "")
    refused(said)


def test_fields_of_one_row_may_be_named_like_those_of_others(trade: Path) -> None:
    for number, wage in enumerate(("wage = 0", "wage = 1")):  # wage1 in one row, wage2 in the others
        edited(trade.with_suffix(".toml"), wage, f"{wage}\nwage{2 - number} = 4")
    simulate("trade.py", games=9, strategies="saver", out="run", progress=False, jobs=1)


def test_a_text_that_has_nothing_to_do_with_an_error_is_not_blamed(trade: Path) -> None:
    edited(trade, "state.turn += 1", "state.turn += 'one'")
    refused(r"trade\.py:\d+: game 0 of seed 1 stops: TypeError")


def test_a_function_that_is_nearly_a_player_is_told_where_there_is_no_other(trade: Path) -> None:
    edited(trade, "def saver(game, state, option", "def saver(game, town, option")
    simulate("trade.py", games=9, strategies="spender", out="run", progress=False, jobs=1)  # may be a helper
    edited(trade, "def spender(game, view, options)", "def spender(game, town, options)")
    said = r"trade\.py:\d+, field saver: saver looks like a player.*saver\(game, state, option\)"
    refused(said, strategies=None, out="run2")
