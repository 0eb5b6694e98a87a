"""Players in plain Python: they see by name what their seat may see, nothing hidden, and what they return is played."""

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sim import simulate
from sim.compiler.kernel import compiled
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import play
from sim.players.compile_players import lineup_record, players_of
from sim.players.find_strategies import load_code
from sim.players.python_players import address_of_score, hear_interrupts, options_of, raise_failure, view_of
from tests.kit.hidden import Position, dealt_anew, positions_of, slots_of
from tests.kit.plans import KIT_GAMES, few_of, plan_for, supplied, tables_of

SHOWN_GAMES = [game for game in KIT_GAMES if load_game(game).view]
LAST = "def choose(view, options):\n    return options[-1]\n"
"""A player who takes the last option."""


@cache
def positions_at(game: str, most: int) -> list[Position]:
    """Decisions of every kind at some tables, each also in the game redealt for the seat that decides."""
    tables = few_of(tables_of(game))
    return positions_of(game, tables, 1, 7, most) if compiled() else positions_of(game, tables[:1], 1, 20, 2)


@pytest.fixture
def positions(game: str, scaled: Callable[..., int]) -> list[Position]:
    """Decisions of the game under test."""
    return positions_at(game, scaled(1, 1, full_count=2))


def fewest(game: str) -> int:
    """Return the fewest players of a game, from two."""
    return min(players for _, _, players in tables_of(game) if players > 1)


def shown(position: Position, table: Any) -> tuple[Any, Any]:
    """View and options of a decision."""
    plan, _, _, me, decision = position
    asked = (table[0], plan.game, plan.data, me, decision)
    return view_of(*asked), options_of(*asked)


def file_with(folder: Path, code: str) -> str:
    """Return a player's file with this code."""
    path = folder / "my_bot.py"
    path.write_text(code, "utf-8")
    return str(path)


@pytest.mark.parametrize("game", SHOWN_GAMES)
def test_a_view_shows_nothing_that_is_hidden(positions: list[Position]) -> None:
    assert positions
    for position in positions:
        assert shown(position, position.table) == shown(position, position.other)


# In Goofspiel all hands lie open, and who decides has bid nothing yet.
@pytest.mark.parametrize("game", [game for game in SHOWN_GAMES if game != "goofspiel"])
def test_a_view_shows_what_the_seat_has_seen(game: str, positions: list[Position]) -> None:
    seen, differed, changed = supplied(game, "hidden").seen, 0, 0
    for plan, table, _, me, decision in positions:
        other = dealt_anew(plan.game, table, plan.data.tables, (me + 1) % plan.players, 1)
        if seen(table[0], plan.data.tables, me) != seen(other[0], plan.data.tables, me):
            differed += 1
            views = [view_of(each[0], plan.game, plan.data, me, decision) for each in (table, other)]
            changed += views[0] != views[1]
    assert 0 < differed == changed


@pytest.mark.parametrize("game", SHOWN_GAMES)
def test_views_and_options_are_names_that_json_holds(positions: list[Position]) -> None:
    for position in positions:
        view, options = shown(position, position.table)
        assert json.loads(json.dumps([view, options])) == [view, options]
        assert len(options) == position.table[0].option_count
        assert all(option["text"] for option in options)
        # Two options told alike would be one and the same to a player.
        assert len({option["text"] for option in options}) >= len({json.dumps(option) for option in options})


@pytest.mark.parametrize("game", SHOWN_GAMES)
def test_a_python_player_plays_as_a_scoring_function_that_takes_the_same_options(game: str, tmp_path: Path) -> None:
    plan = plan_for(game, players=fewest(game), strategies=["my_bot"], seed=3, code=file_with(tmp_path, LAST))
    slots, alive = slots_of(plan.game, lambda *asked: float(asked[4]), 1)
    scored = play(plan, (slots, lineup_record(plan.strategies, plan.data, plan.players)), 0, 1)[0]
    del alive
    assert (play(plan, players_of(plan), 0, 1)[0] == scored).all()


def play_one(game: str, options: dict[str, Any]) -> None:
    """Play a game with some options of a run."""
    plan = plan_for(game, **options)
    play(plan, players_of(plan), 0, 1)


WRONG = {
    "raises": ("def choose(view, options):\n    return view['nothing']\n", r"my_bot\.py:2: .* KeyError: 'nothing'"),
    "none": ("def choose(view, options):\n    pass\n", r"my_bot\.py:1.* returns none of the options \(found: 'None'\)"),
    "other": ("def choose(view, options):\n    return {'text': 'win'}\n", "returns none of the options"),
    "arguments": ("def choose(view):\n    pass\n", "choose has the wrong parameters"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_of_a_python_player_is_told_with_its_place(what: str, tmp_path: Path) -> None:
    code, message = WRONG[what]
    config = {"strategies": ["my_bot", "random"], "code": file_with(tmp_path, code)}
    with pytest.raises(UserError, match=message):
        play_one("goofspiel", config)


def test_a_game_without_a_view_refuses_python_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("goofspiel")
    monkeypatch.setitem(game.__dict__, "view", "")
    with pytest.raises(UserError, match=r"Goofspiel cannot be played by a Python function yet"):
        load_code(path := Path(file_with(tmp_path, LAST)), game, path)


def test_a_python_player_cannot_look_ahead(tmp_path: Path) -> None:
    plan = plan_for("seven_wonders", strategies=["my_bot+4", "my_bot"], code=file_with(tmp_path, LAST))
    with pytest.raises(UserError, match="looks ahead, which is impossible for a player in Python"):
        players_of(plan)


def test_a_run_that_a_python_player_stops_leaves_nothing(tmp_path: Path) -> None:
    late = (
        "def choose(view, options):\n    if view['age'] == 2:\n        raise ValueError('lost')\n    return options[0]"
    )
    code, out = file_with(tmp_path, late), tmp_path / "run"
    with pytest.raises(UserError, match=r"my_bot\.py:3: strategy my_bot stops with ValueError: lost"):
        simulate("seven_wonders", games=4, strategies=["my_bot", "random"], code=code, out=out)
    assert [path.name for path in tmp_path.iterdir() if path.name != "__pycache__"] == ["my_bot.py"]


@pytest.mark.usefixtures("compiled_only")
def test_an_interrupt_that_comes_as_compiled_code_calls_python_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.players.python_players.record_in_memory", interrupted)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    hear_interrupts.__wrapped__()
    address_of_score(lambda *_: 0.0, load_game("goofspiel").state).callback(0, 0, 0, 0, 0, 0)
    with pytest.raises(KeyboardInterrupt):
        raise_failure()
    raise_failure()
