"""A changed game is played only where it may differ: sums are those of playing every game."""

from dataclasses import replace

import numpy as np
import pytest

from reports.studies.parts.parts import parts_of, relatives
from reports.studies.search import block_sums
from reports.studies.search.block_sums import ARRAYS, ReferenceArm, Watched, play_sums, shows_in_rows
from reports.studies.search.space import Loaded, first_values, numbers_in_parts
from sim.players.batch import Plan, play_chosen
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig, make_plan


def plan_of(game: str, players: int, strategies: list[str]) -> Plan:
    return make_plan(RunConfig(game=game, players=players, strategies=strategies))


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(
    ("game", "players", "strategies"),
    [
        pytest.param("imperium", 2, ["balanced"], marks=pytest.mark.sweep),
        ("imperium", 4, ["balanced", "random"]),
        ("seven_wonders", 4, ["balanced"]),
        pytest.param("glory_of_rome", 3, ["balanced"], marks=pytest.mark.sweep),
        pytest.param("imperial_settlers", 2, ["balanced"], marks=pytest.mark.sweep),
    ],
)
def test_sums_are_the_same_whether_games_without_the_faction_are_played_or_not(
    game: str, players: int, strategies: list[str]
) -> None:
    plan = plan_of(game, players, strategies)
    faction, games, loaded = 1, 24 * plan.block_games, Loaded(plan)
    parts = parts_of(plan.game, plan.data, faction)
    watched = tuple(part for part in parts if shows_in_rows(part))
    turns = numbers_in_parts(plan.game, plan.data, parts)
    base = play_sums(plan, Watched(faction, watched), 0, games, jobs=1)
    for turn in turns[:: max(len(turns) // 3, 1)]:
        change = turn.changes(first_values(loaded, turn)[0])
        arm = replace(plan, data=loaded.tables(change), changes=tuple(change))
        own = Watched(faction, (turn.part,) if turn.part in watched else ())
        half = games // 2
        every = play_sums(arm, own, half, games - half, jobs=1)
        reference = ReferenceArm(base, relatives(plan.game, plan.data, faction))
        few = play_sums(arm, own, half, games - half, jobs=1, reference=reference)
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(few, name), getattr(every, name), err_msg=f"{turn.text} {name}")


@pytest.mark.usefixtures("compiled_only")
def test_few_games_are_played_of_a_nation_that_seldom_sits(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, played = plan_of("imperium", 2, ["random"]), list[int]()

    def counting(plan: Plan, players: object, stretches: list[tuple[int, int]]) -> object:
        played.append(sum(games for _, games in stretches))
        return play_chosen(plan, players, stretches)  # type: ignore[arg-type]

    monkeypatch.setattr(block_sums, "play_chosen", counting)
    base = play_sums(plan, Watched(0), 0, 200, jobs=1)
    kin = relatives(plan.game, plan.data, 0)
    again = play_sums(plan, Watched(0), 0, 200, jobs=1, reference=ReferenceArm(base, kin))
    there = base.seats[:, list(kin)].any(axis=1).sum()
    assert played == [there + block_sums.CHECKED]
    assert there < 50
    np.testing.assert_array_equal(base.wins, again.wins)


@pytest.mark.usefixtures("compiled_only")
def test_where_games_that_should_be_alike_are_not_all_are_played() -> None:
    plan = plan_of("imperium", 2, ["random"])
    base = play_sums(plan, Watched(0), 0, 60, jobs=1)
    other = ReferenceArm(replace(base, scores=base.scores + 1), relatives(plan.game, plan.data, 0))
    again = play_sums(plan, Watched(0), 0, 60, jobs=1, reference=other)
    np.testing.assert_array_equal(base.scores, again.scores)


@pytest.mark.usefixtures("compiled_only")
def test_chosen_stretches_are_those_of_the_whole_run() -> None:
    plan = replace(plan_of("imperium", 2, ["random"]), keeps_pieces=True)
    players = players_of(plan)
    rows, pieces = play_chosen(plan, players, [(3, 2), (9, 1)])
    whole, all_pieces = play_chosen(plan, players, [(0, 12)])
    kept = [game * 2 + seat for game in (3, 4, 9) for seat in range(2)]
    np.testing.assert_array_equal(rows, whole[kept])
    np.testing.assert_array_equal(pieces, all_pieces[np.isin(all_pieces[:, 0], (3, 4, 9))])


def test_both_sides_of_a_nation_are_kin_and_a_faction_without_kind_only_its_own() -> None:
    plan = plan_of("imperium", 2, ["random"])
    names = [faction.name for faction in plan.data.factions]
    romans = relatives(plan.game, plan.data, names.index("Romans A"))
    assert [names[one] for one in romans] == ["Romans A", "Romans B"]
    rome = plan_of("glory_of_rome", 4, ["random"])
    assert relatives(rome.game, rome.data, 2) == (2,)
