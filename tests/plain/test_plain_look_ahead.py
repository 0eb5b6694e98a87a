"""Look-ahead in games in plain Python: copies, candidates, what rollouts are worth, and what it says."""

from __future__ import annotations

import copy
import random
from collections import Counter, deque
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from typer.testing import CliRunner

from sim.cli import app
from sim.diagnostics.soak_plain import fingerprint
from sim.errors import UserError
from sim.game import name_game
from sim.games.plain.interface import DataRow, copied, frozen, shuffle_hidden
from sim.games.plain.look_ahead import End, candidates, softened, values_ahead, values_of
from sim.games.plain.playing import Playing, open_deal
from sim.runs.config import RunConfig, make_plan
from tests.plain.conftest import edited


class Colour(Enum):
    RED = 1


class Card(NamedTuple):
    name: str
    cost: list[int]


@dataclass(frozen=True)
class Tile:
    name: str


@dataclass(frozen=True)
class Box:
    tiles: list[Tile]


@dataclass(slots=True)
class Slotted:
    goods: dict[str, int]
    more: Any = None


@dataclass
class Seat:
    hand: list[Any]
    boxes: dict[Any, Any] = field(default_factory=dict)


class Own:
    def __init__(self, values: list[int]) -> None:
        self.values = values

    def __deepcopy__(self, memo: Any) -> Own:
        return Own([*self.values, 9])


def some_state(random: random.Random, depth: int = 0) -> Any:
    """Return a state of all the kinds of objects that authors use, at random."""
    row = DataRow({"name": "Shed", "points": 2})
    leaves: list[Any] = [1, 2.5, "a", None, True, row, Colour.RED, Tile("x"), (1, "b"), frozenset({1}), Card("c", [1])]
    if depth > 3:
        return random.choice(leaves)
    some = [some_state(random, depth + 1) for _ in range(random.randint(0, 4))]
    makers = [
        lambda: list(some),
        lambda: tuple(some),
        lambda: dict(enumerate(some)),
        lambda: {("key", number): each for number, each in enumerate(some)},
        lambda: SimpleNamespace(one=some, two=some),
        lambda: Seat(some, {row: some[:1]}),
        lambda: Slotted({"wood": 1}, some),
        lambda: Box(some),
        lambda: Card("d", some),
        lambda: deque(some),
        lambda: Counter("abca"),
        lambda: {1, 2, 3},
        lambda: np.arange(3),
        lambda: Own([1]),
        lambda: random.choice(leaves),
    ]
    return random.choice(makers)()


def mutable_ids(value: Any, found: dict[int, Any]) -> dict[int, Any]:
    """Return the lists, dictionaries and objects within a value that may change."""
    if isinstance(value, DataRow | Enum | Tile | str | int | float | frozenset | type(None)) or id(value) in found:
        return found
    if not isinstance(value, tuple):
        found[id(value)] = value
    inside = [*value.keys(), *value.values()] if isinstance(value, dict) else []
    inside += list(value) if isinstance(value, list | tuple | deque) else []
    inside += list(getattr(value, "__dict__", {}).values())
    for each in inside:
        mutable_ids(each, found)
    return found


def test_a_copy_is_what_deepcopy_makes_and_shares_nothing_that_changes() -> None:
    for seed in range(200):
        state = SimpleNamespace(a=some_state(random.Random(seed)), b=some_state(random.Random(seed + 1)))
        state.c = state.a  # an object that stands in two places
        new = copied(state, {})
        assert fingerprint(new) == fingerprint(copy.deepcopy(state)), seed
        assert new.c is new.a
        assert not mutable_ids(new, {}).keys() & mutable_ids(state, {}).keys(), seed


def test_a_state_that_contains_itself_is_copied() -> None:
    state = SimpleNamespace(rows=[])
    state.rows.append(state)
    new = copied(state, {})
    assert new.rows[0] is new is not state


def saver_ahead(rollouts: int = 4, **search: Any) -> tuple[Playing, Any]:
    """Return a game of trade with players who look ahead."""
    playing = Playing(make_plan(RunConfig(game=name_game("trade.py"), strategies=[f"saver+{rollouts}"], players=2)))
    playing.policies[0].search = playing.policies[0].search.model_copy(update=search)
    state = playing.start(0)
    playing.play_out(state, playing.seats, playing.streams, playing.chance, most=2)
    return playing, state


def test_only_the_best_options_by_the_base_are_played_on(trade: Path) -> None:
    playing, state = saver_ahead(options=2)
    state.coins[state.seat] = 9
    options = playing.game.options(state)
    assert len(options) > 2
    places, _ = candidates(playing, state, options, playing.policies[0], 1)
    score: Any = playing.policies[0].score
    values = [score(playing.game, state, each) for each in options]
    assert sorted((values[place] for place in places), reverse=True) == sorted(values, reverse=True)[:2]
    _, means = values_ahead(playing, state, state.seat, options, playing.policies[0], playing.streams)
    assert set(means) == set(places)


def test_looking_ahead_leaves_the_game_and_the_dice_alone(trade: Path) -> None:
    playing, state = saver_ahead()
    before, dice = fingerprint(state), playing.chance.getstate()
    values_ahead(playing, state, state.seat, playing.game.options(state), playing.policies[0], playing.streams)
    assert fingerprint(state) == before
    assert playing.chance.getstate() == dice


def test_a_horizon_ends_a_rollout_after_as_many_moves_of_every_seat(trade: Path) -> None:
    playing, state = saver_ahead(horizon=1)
    turns: list[int] = []
    told = playing.game.score
    object.__setattr__(playing.game, "score", lambda state, seat: turns.append(state.turn) or told(state, seat))
    values_ahead(playing, state, state.seat, playing.game.options(state), playing.policies[0], playing.streams)
    assert set(turns) == {state.turn + playing.players}


def test_a_lead_tells_more_than_a_win_but_not_where_something_else_decides() -> None:
    assert softened(End(4.0, 1.0), 2.0) > softened(End(1.0, 1.0), 2.0) > softened(End(-1.0, 0.0), 2.0)
    assert softened(End(4.0, 0.0), 2.0) == 0.0  # ahead on points, and lost
    assert softened(End(1e9, 1.0), 1e-9) == 1.0
    assert softened(End(4.0, 1.0), 0.0) == 1.0


def test_rollouts_that_all_end_alike_are_worth_the_same(trade: Path) -> None:
    playing, _ = saver_ahead()
    search = playing.policies[0].search
    worth = values_of(playing, {0: [End(0.0, 0.5)], 1: [End(0.0, 0.5)]}, {0: 0.0, 1: 0.0}, search)
    assert worth[0] == worth[1]


def test_the_class_says_how_players_look_ahead(trade: Path) -> None:
    edited(trade, "    score_parts", '    search = {"options": 2, "horizon": 3}\n    score_parts')
    playing, _ = saver_ahead()
    search: Any = playing.policies[0].search
    assert (search.rollouts, search.options, search.horizon) == (4, 2, 3)
    edited(trade, '"options": 2', '"optoins": 2')
    with pytest.raises(UserError, match=r"trade\.py, row search.*optoins.*options"):
        saver_ahead()


NOTHING_HIDDEN = "says that nothing is hidden"


@pytest.mark.sweep
def test_a_game_that_deals_and_hides_nothing_is_told_so(trade: Path) -> None:
    def found() -> str:
        return open_deal(make_plan(RunConfig(game=name_game(str(trade)), players=2, strategies=["saver"])))

    soak = ["soak", "trade.py", "--trial", "0", "--games", "6"]
    play = "simulate trade.py --games 4 --players 2 --jobs 1"
    ahead = [*play.split(), "--strategies", "saver+1", "--out"]
    assert found() == ""
    assert NOTHING_HIDDEN not in CliRunner().invoke(app, [*ahead, "run1"], catch_exceptions=False).output
    edited(trade, 'hidden = ("deck",)', "hidden = ()")
    for command in (soak, [*ahead, "run2"]):
        told = " ".join(CliRunner().invoke(app, command, catch_exceptions=False).output.split())
        assert NOTHING_HIDDEN in told
    edited(trade, "        deal.shuffle(state.deck)\n", "")
    assert found() == ""


def test_hidden_cards_are_dealt_again_among_those_of_their_kind() -> None:
    data = frozen({"ware": [{"name": name} for name in "abcd"], "contract": [{"name": name} for name in "xyz"]})
    wares, contracts = data["ware"], data["contract"]
    for world in range(20):
        state = SimpleNamespace(
            players=2,
            bag=[1, 2, 3],
            deck=[wares[0], contracts[0]],
            hands=[[wares[1], contracts[1]], [contracts[2], *wares[2:]]],
        )
        shuffle_hidden(state, 0, random.Random(world), ("bag", "deck", "hands"))
        assert state.hands[0] == [wares[1], contracts[1]]
        assert sorted(state.bag) == [1, 2, 3]
        assert [state.deck[0] in wares, state.deck[1] in contracts] == [True, True]
        assert [card in wares for card in state.hands[1]] == [False, True, True]
        assert {*state.deck, *state.hands[1]} == {*wares, *contracts} - {*state.hands[0]}
