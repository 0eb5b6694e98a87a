"""Players who may not choose some options: what options are called, and who plays how."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.data.declarations import GAMES
from sim.engine.result_rows import FIXED_COLUMNS, SCORE, STRATEGY
from sim.game import load_game, name_game
from sim.games.plain.interface import DataRow
from sim.players import restriction
from sim.players.batch import Plan, play
from sim.players.restriction import Namer, Restriction, labels_of_plain, labels_of_view, merged, play_restricted
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import warm_up

CARAVANS = "docs/examples/caravans.py"
RED = {"Stockade", "Barracks", "Guard Tower", "Walls", "Training Ground", "Stables", "Archery Range", "Fortifications",
       "Circus", "Arsenal", "Siege Workshop"}  # fmt: skip


def two_players(game: str, strategy: str | None = None, code: str | None = None) -> tuple[Plan, Any]:
    """Return a plan whose first player can be restricted, and its players."""
    chosen = {} if strategy is None else {"strategies": [strategy]}
    plan = make_plan(RunConfig(game=name_game(game), code=code, **chosen))
    base = plan.strategies[0]
    lineup = (0, *[1] * (plan.players - 1))
    plan = replace(plan, strategies=(replace(base, name="restricted"), base), lineup=lineup, assign="rotate")
    (players,) = warm_up([plan], lambda _: None)
    return plan, players


def test_options_are_called_by_what_is_done_and_to_what() -> None:
    groups = {"Guard Tower": ("red cards",)}
    option = {"text": "build Guard Tower for 2", "do": "free_build", "card": "Guard Tower", "price": 2}
    assert labels_of_view(option, groups) == ("free build", "free build red cards", "free build Guard Tower")
    assert labels_of_plain(("load", "Silk")) == ("load", "load Silk")
    assert labels_of_plain("travel") == ("travel",)
    row = DataRow({"name": "Axe", "colour": "red"})
    assert labels_of_plain(("sell", row), "card") == ("sell", "sell red cards", "sell Axe")


@pytest.mark.parametrize("game", ["seven_wonders", "glory_of_rome", CARAVANS])
def test_a_rule_that_forbids_nothing_changes_nothing(game: str) -> None:
    plan, players = two_players(game)
    rule = Restriction(forbidden=frozenset(["to fly"]))
    rows = play_restricted(plan, players, 4, 8, rule)
    assert (rows == play(plan, players, 4, 8)[0]).all()
    assert rule.decisions > 0
    assert (rule.offered, rule.free, rule.bound) == (0, 0, 0)


@pytest.mark.parametrize("rule", ["forbidden", "required"])
def test_a_game_without_end_is_freed_of_its_rule(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    monkeypatch.setattr(restriction, "MOST_DECISIONS", 3)
    options, bound = [("wait",), ("build",)], [rule == "forbidden", rule == "required"]
    found = Restriction(**{rule: frozenset(["wait"])})
    assert [found.forbids(options, game=0) for _ in range(4)] == [bound, bound, bound, [False, False]]
    assert found.forbids(options, game=1) == bound
    assert (found.offered, found.free) == (5, 1)


class BothNamers:
    """Names options with and without remembering names, and compares them."""

    compared: list[bool]

    def __init__(self, plan: Plan) -> None:
        self.namers = [Namer(plan.game, plan.data, {}, remembers) for remembers in (True, False)]
        self.compared = []

    def names_for(self, *_: object) -> bool:
        """Be used for one plan only."""
        return False

    def labels(self, g: Any, me: int, decision: int) -> list[tuple[str, ...]]:
        """Return the names of all options."""
        one, other = (namer.labels(g, me, decision) for namer in self.namers)
        self.compared.append(one == other)
        return one


@pytest.mark.parametrize("game", GAMES)
def test_remembered_names_are_those_of_the_view(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, players = two_players(game, "random")
    assert Namer(load_game(game), plan.data, {}).remembers
    both = BothNamers(plan)
    monkeypatch.setattr(restriction, "Namer", lambda *_: both)
    play_restricted(plan, players, 0, 8, Restriction())
    assert len(both.compared) > 50
    assert all(both.compared)


def test_a_player_who_may_not_build_red_cards_wins_no_conflict() -> None:
    plan, players = two_players("seven_wonders")
    groups = dict.fromkeys(RED, ("red cards",))
    military = FIXED_COLUMNS + plan.game.score_parts.index("military")
    rows = play_restricted(plan, players, 0, 40, Restriction(forbidden=frozenset(["build red cards"]), groups=groups))
    own = rows[:, STRATEGY] == 0
    assert rows[own, military].mean() < 0 < rows[~own, military].mean()
    rule = Restriction(required=frozenset(["build red cards"]), groups=groups)
    always = play_restricted(plan, players, 0, 40, rule)
    assert always[own, military].mean() > always[~own, military].mean()
    assert rule.offered > 0


def test_a_player_for_whom_all_is_forbidden_plays_freely_and_that_is_counted() -> None:
    plan, players = two_players("seven_wonders")
    everything = frozenset(["build", "discard", "wonder", "pay", "free build", "build from discard", "nothing"])
    rule = Restriction(forbidden=everything)
    rows = play_restricted(plan, players, 0, 8, rule)
    assert (rows == play(plan, players, 0, 8)[0]).all()
    assert rule.free == rule.decisions == rule.offered


def test_a_restricted_player_in_a_plain_game_takes_other_options() -> None:
    plan, players = two_players(CARAVANS)
    rows = play_restricted(plan, players, 0, 40, Restriction(forbidden=frozenset(["load"])))
    own = rows[:, STRATEGY] == 0
    assert rows[own, SCORE].mean() < 0.5 * rows[~own, SCORE].mean()


def test_a_player_who_looks_ahead_can_be_restricted() -> None:
    plan, players = two_players("seven_wonders", "balanced+2")
    rule = Restriction(forbidden=frozenset(["build"]))
    rows = play_restricted(plan, players, 0, 4, rule)
    own = rows[:, STRATEGY] == 0
    assert rows[own, SCORE].mean() < rows[~own, SCORE].mean()
    assert rule.bound > 0


def test_a_player_of_the_users_own_can_be_restricted() -> None:
    plan, players = two_players("seven_wonders", "my_player", str(Path("docs/examples/my_player.py")))
    free = play(plan, players, 0, 8)[0]
    assert (play_restricted(plan, players, 0, 8, Restriction()) == free).all()
    assert (play_restricted(plan, players, 0, 8, Restriction(forbidden=frozenset(["build"]))) != free).any()


def test_counts_of_workers_add_up() -> None:
    whole = merged([Restriction(decisions=2, free=1), Restriction(decisions=3, bound=2)])
    assert (whole.decisions, whole.free, whole.bound) == (5, 1, 2)
