"""Whole games, told in words, must stay word for word the same.

`make golden` writes the files again; read the difference before keeping it.
"""

import pytest

from sim.games.shared.narration import WIDTH
from sim.players.compile_players import players_of
from sim.runs.replay import tell_game
from tests.kit.golden import golden_file, golden_plan
from tests.kit.pages import check_text
from tests.kit.plans import KIT_GAMES, exclusive_names, supplied, tables_of, variants_tried
from tests.kit.steps import started

UNWRAPPED = ("seven_wonders", "history_of_the_world")
GOLDEN_GAMES = [(game, name) for game in KIT_GAMES for name in supplied(game, "golden").GAMES]


@pytest.mark.parametrize(("game", "name"), GOLDEN_GAMES)
def test_a_game_goes_as_it_always_went(game: str, name: str) -> None:
    plan, number = golden_plan(game, name)
    check_text(golden_file(game, name), "\n".join(tell_game(plan, number)) + "\n")


@pytest.mark.parametrize("game", KIT_GAMES)
def test_telling_leaves_the_game_as_it_was(game: str) -> None:
    plan, number = golden_plan(game, next(iter(supplied(game, "golden").GAMES)))
    table = started(plan, number, keeps_log=True)
    plan.game.kernels.play_out(table[0], plan.data.tables, players_of(plan))
    before = table.tobytes()
    plan.game.narrate(table[0], plan.data, [strategy.name for strategy in plan.strategies])
    assert table.tobytes() == before


@pytest.mark.parametrize(("game", "name"), [each for each in GOLDEN_GAMES if each[0] not in UNWRAPPED])
def test_lines_of_a_told_game_are_short(game: str, name: str) -> None:
    course = golden_file(game, name).read_text("utf-8").partition("\nFinal scores")[0]
    assert max(map(len, course.splitlines())) <= WIDTH


@pytest.mark.parametrize("game", KIT_GAMES)
def test_golden_games_show_all_variants_and_factions_and_all_numbers_of_players_but_one_at_most(game: str) -> None:
    kept = {path.stem for path in golden_file(game, "any").parent.glob("*.txt")}
    assert kept == set(supplied(game, "golden").GAMES)
    plans = [golden_plan(game, name)[0] for name in kept]
    assert len({players for _, _, players in tables_of(game)} - {plan.players for plan in plans}) <= 1
    assert {plan.variant for plan in plans} >= set(variants_tried(game))
    names = exclusive_names(plans[0].data, plans[0].game.exclusive)
    assert {names[number] for plan in plans for number in plan.factions} == set(names)
