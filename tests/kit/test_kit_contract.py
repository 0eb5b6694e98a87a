"""What a game declares fits together, and fits what the rest of the program can hold."""

import importlib.util
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import MAX_WEIGHTS, STRATEGY_SLOTS, compiled, strategy_pointer
from sim.data.catalog import CERTAINTIES
from sim.engine.result_rows import FIXED_COLUMNS
from sim.engine.state import OWN_ERRORS, game_record, log_record, progress_bytes
from sim.errors import UserError
from sim.game import Data, GameSpec, boards_needed, load_game, variant_for
from sim.players.batch import plan_record
from sim.players.compile_players import lineup_record
from sim.players.find_strategies import load_strategies
from tests.kit.plans import EVERY_TABLE, KIT_GAMES, mixed, plan_for, rows_of

OF_TOOLS = {"inspect": ("inspect_position", "inspect_lines"), "verify": ("verify_file", "summary_lines")}
"""Functions of the module that answers a command."""


@pytest.fixture(params=KIT_GAMES)
def game(request: pytest.FixtureRequest) -> GameSpec:
    return load_game(request.param)


@pytest.fixture
def data(game: GameSpec) -> Data:
    return game.load({})


# ---- The record ----


def test_a_record_has_its_own_fields_in_two_places_and_those_of_its_options_in_the_second(game: GameSpec) -> None:
    log = log_record(rows=(1, 1), pieces=(1, 1, 1), number=np.int16)
    common = game_record([], seats=1, options=1, notes=1, score_parts=1, log=log).names or ()
    names = game.state.names or ()
    state, options = common.index("option_count"), common.index("option_score")
    first, last = names.index("option_count"), names.index("option_score")
    assert names[:state] == common[:state]
    assert names[first:last][: options - state] == common[state:options]
    assert names[last:] == common[options:]
    own = names[first + options - state : last]
    assert own == tuple(name for name in names if name.startswith("option_") and name not in common)
    assert names[-1] == "log"


def test_a_copy_of_the_progress_is_all_but_the_log_and_small(game: GameSpec) -> None:
    progress, log = progress_bytes(game.state), game.state["log"].itemsize
    assert progress + log == game.state.itemsize
    assert progress < max(log, 8192)


def test_there_is_room_for_every_player_every_score_and_all_that_is_said_of_options(game: GameSpec) -> None:
    room = {name: game.state[name].shape for name in game.state.names or ()}
    options = {room[name][0] for name in room if name.startswith("option_") and name != "option_count"}
    assert options == {room["option_score"][0]}
    assert room["notes"][0] >= room["option_score"][0]
    assert room["score"][1] == len(game.score_parts) + 1
    seats = max(players for variant in game.variants for players in variant.players)
    assert min(room[field][0] for field in ("strategy", "faction", "rank", "score")) >= seats
    assert game.pieces is None or game.state["log"]["pieces"].shape[0] >= seats
    assert all(number >= OWN_ERRORS for number in game.errors)


# ---- Results ----


def test_columns_of_results_have_names_of_their_own_and_a_row_holds_them(game: GameSpec) -> None:
    columns = [*game.score_parts, *game.measures]
    assert len(set(columns)) == len(columns)
    assert set(game.checkpoints) <= set(game.measures)
    assert len(set(game.end_reasons)) == len(game.end_reasons) > 0
    assert rows_of(plan_for(game.name), 0, 1).shape[2] == FIXED_COLUMNS + len(columns)


def test_the_log_keeps_what_the_columns_of_pieces_say(game: GameSpec, data: Data) -> None:
    pieces = game.pieces
    if pieces is None:
        pytest.skip("nothing is counted piece by piece")
    kept = game.state["log"]["pieces"]
    assert len(pieces.columns) <= kept.shape[2]
    assert len(data.pieces) <= kept.shape[1]
    assert pieces.rows <= kept.shape[1]
    names = [name for name, _ in pieces.columns]
    assert {pieces.offered, *(event.column for event in pieces.events)} <= set(names)
    assert len(set(names)) == len(names)
    assert any(event.in_play for event in pieces.events)
    for _, number in pieces.columns:
        assert np.dtype(number).kind == "u"


def test_tables_are_one_record_that_is_read_only(game: GameSpec, data: Data) -> None:
    tables: Any = data.tables
    assert tables.dtype == game.tables
    for name in game.tables.names or ():
        with pytest.raises(ValueError, match="read-only"):
            tables[name] = tables[name]


# ---- Variants, factions and files ----


@pytest.mark.parametrize(("name", "variant", "players"), EVERY_TABLE)
def test_every_table_of_every_variant_can_be_set(name: str, variant: str, players: int) -> None:
    plan = plan_for(name, variant, players)
    assert plan.variant == variant
    assert plan.game.variants[int(plan_record(plan).variant)].name == variant
    assert not plan.data.factions or len(plan.factions) >= boards_needed(plan.game, players) >= players


def test_the_default_table_is_one_of_a_variant_and_others_are_refused(game: GameSpec) -> None:
    assert game.default_players in variant_for(game, game.default_players, None).players
    with pytest.raises(UserError):
        variant_for(game, 1 + max(players for variant in game.variants for players in variant.players), None)


def test_factions_have_every_attribute_and_a_name_of_their_own(game: GameSpec, data: Data) -> None:
    assert game.exclusive in (*game.faction_attributes, "")
    assert game.paired_attribute in (*game.faction_attributes, "")
    for faction in data.factions:
        assert tuple(faction.attributes) == game.faction_attributes
        assert all(faction.attributes.values())
        assert faction.certainty in CERTAINTIES
    assert len({faction.name for faction in data.factions}) == len(data.factions)
    if game.paired_attribute:
        parting = (game.exclusive, game.paired_attribute)
        pairs = {tuple(faction.attributes[name] for name in parting) for faction in data.factions}
        assert len(pairs) == len(data.factions)


def test_every_file_that_is_named_exists_and_every_row_is_found_in_one(game: GameSpec, data: Data) -> None:
    for file in game.files:
        assert (game.folder / file).is_file()
    places = [game.faction_place(data, number) for number in range(len(data.factions)) if game.faction_place]
    assert len(places) == len(data.factions)
    pieces = game.pieces
    if pieces is not None and pieces.in_files is not None:
        places += [pieces.in_files.place(data, piece) for piece in range(len(data.pieces))]
    for file, label in places:
        assert file in game.files
        assert label


def test_data_are_certain_as_far_as_they_say(data: Data) -> None:
    assert set(data.certainty) == set(CERTAINTIES)
    assert set(data.settings_certainty) == set(CERTAINTIES if data.settings else ())
    assert sum(data.settings_certainty.values()) == len(data.settings)


# ---- Tools and capacities ----


def test_tools_have_the_functions_of_their_command(game: GameSpec) -> None:
    for command, module in game.tools.items():
        assert importlib.util.find_spec(module) is not None
        for function in OF_TOOLS[command]:
            assert callable(getattr(import_module(module), function))


def test_all_strategies_of_a_game_can_meet_and_their_numbers_have_room(game: GameSpec, data: Data) -> None:
    strategies = load_strategies(game.name)
    assert len(strategies) <= STRATEGY_SLOTS
    assert max(len(strategy.script.parameters) for strategy in strategies.values()) <= MAX_WEIGHTS
    counts = [players for variant in game.variants for players in variant.players]
    for players in {min(counts), max(counts)}:
        lineup = lineup_record(tuple(strategies.values()), data, players)
        assert np.isfinite(lineup["seats"]["prepared"][: len(strategies)]).all()
    line_ups = [game.default_strategies, *game.bench_lineups.values(), tuple(mixed(game.name))]
    assert all(name.partition("@")[0] in strategies for line_up in line_ups for name in line_up)


def test_what_a_script_prepares_follows_its_weights_and_the_number_of_players(game: GameSpec, data: Data) -> None:
    preparing = [strategy for strategy in load_strategies(game.name).values() if strategy.script.prepare is not None]
    if not preparing:
        pytest.skip("no script of the game prepares anything")
    strategy, tables = preparing[0], data.tables.copy()
    counts = {players for variant in game.variants for players in variant.players}
    for players, times in ((min(counts), 1), (max(counts), 1), (max(counts), 2)):
        weights = {name: times * weight for name, weight in strategy.weights.items()}
        w = lineup_record((replace(strategy, weights=weights),), data, players).seats[0].copy()
        found = w.prepared.copy()
        w.prepared[:] = 0.0
        asked = strategy.script.prepare(w, tables, players)
        assert found[: len(asked)].tobytes() == asked.tobytes()
        assert not found[len(asked) :].any()
    lineup_record((strategy,), data, players).seats[0].prepared[:] = -1.0
    assert (lineup_record((strategy,), data, players).seats[0].prepared != -1.0).any()


def test_a_scoring_function_is_compiled_once_and_again_for_other_tables(game: GameSpec, data: Data) -> None:
    if not compiled():
        pytest.skip("only with compiled kernels")
    score = load_strategies(game.name)["random"].script.score
    one, again = (strategy_pointer(score, game.state, game.tables) for _ in range(2))
    assert one is again
    wider = np.dtype((np.record, [*game.tables.descr, ("more", np.int64)]))
    assert strategy_pointer(score, game.state, wider) is not one
