"""A game whose seats all begin alike is planned, written down and told without factions."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sim.errors import UserError
from sim.game import check_table, choose_factions
from sim.games.shared.narration import Narrator
from sim.players.batch import Plan, plan_record
from sim.runs.config import RunConfig, factions_are_fixed, make_plan
from sim.runs.shards import share_out
from sim.runs.store.build_manifest import planned_run
from sim.runs.store.parquet import seat_frame


@pytest.fixture(scope="module")
def plan() -> Plan:
    """A plan of 7 Wonders as if nothing were known of its boards: it can be written down, but not played."""
    known = make_plan(RunConfig(game="seven_wonders", strategies=["balanced", "random"]))
    game = replace(
        known.game, faction_title="", faction_attributes=(), exclusive="", faction_place=None, faction_values=None,
        boards=None,
    )  # fmt: skip
    return replace(known, game=game, data=replace(known.data, factions=()), factions=())


def test_all_factions_are_none_and_to_name_one_is_an_error(plan: Plan) -> None:
    assert choose_factions(plan.game, plan.data, ["all"]) == choose_factions(plan.game, plan.data, []) == ()
    check_table(plan.game, plan.data, (), 7)
    with pytest.raises(UserError, match=r"7 Wonders has no factions \(found: 'Rhodos A'\); allowed: all"):
        choose_factions(plan.game, plan.data, ["Rhodos A"])


def test_no_seat_is_tied_to_a_faction_and_kernels_are_told_so(plan: Plan) -> None:
    config = RunConfig(game="seven_wonders", strategies=["balanced"], assign="fixed", factions=["all"])
    assert not factions_are_fixed(plan.game, config, plan.players, 0)
    record = plan_record(plan)
    assert (int(record.faction_count), bool(record.factions_fixed)) == (0, False)


def test_seats_have_no_column_of_factions_and_the_manifest_lists_none(plan: Plan) -> None:
    rows = np.zeros((plan.players, plan.columns), np.int32)
    rows[:, 6] = np.arange(1, plan.players + 1)
    frame = seat_frame(plan, rows)
    assert "faction" not in frame.columns
    assert frame.columns[frame.columns.index("seat") + 1] == "strategy"
    manifest = planned_run(share_out([plan], 40), "")
    assert (manifest.factions, manifest.factions_dealt, manifest.faction_title) == ([], [], "")
    assert (manifest.faction_attributes, manifest.factions_fixed) == ([], False)


class Teller(Narrator):
    def lines(self) -> tuple[str, ...]:
        return ()


def test_a_told_game_names_seats_and_strategies(plan: Plan) -> None:
    g = plan.game.new_games(1)[0]
    g.players = 2
    g.strategy[:2] = 0, 1
    teller = Teller(g, plan.data.tables, SimpleNamespace(faction_names=()), ("balanced", "random"))
    assert teller.header() == ["Seat 0: balanced", "Seat 1: random"]
    assert teller.player(1) == "seat 1 (random)"


def test_factions_need_not_be_exclusive_by_an_attribute() -> None:
    known = make_plan(RunConfig(game="seven_wonders"))
    game = replace(known.game, exclusive="", boards=None)
    check_table(game, known.data, (0, 1, 2, 3), 4)
    with pytest.raises(UserError, match="4 players need 4 factions"):
        check_table(game, known.data, (0, 1, 2), 4)
