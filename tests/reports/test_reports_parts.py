"""Parts of factions: found in every game, taken away, halved, named in words, and raced number by number."""

import tomllib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reports.formatting import points
from reports.sections.factions.parts import parts_section
from reports.statistics.compare.arm_changes import changed
from reports.studies.parts.explain_parts import compare_with_base, games_of_arm, part_arms, play_parts
from reports.studies.parts.parts import check_loads, halved, parts_named, parts_of
from reports.studies.search.block_sums import ArmSums, Watched, concat_sums, play_sums
from reports.studies.search.engine import Found, search_changes
from reports.studies.search.goals import fair_goal
from reports.studies.search.search_report import confirmed_changes, patch_of_changes, search_sections
from reports.studies.search.space import arm_changes, named_apart, numbers_in_parts
from reports.studies.search.successive_halving import SearchRequest
from sim.data.declarations import GAMES
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan

WITH_FACTIONS = [name for name in GAMES if load_game(name).faction_title]
BOARD = "Halikarnassos B"


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(RunConfig(game="seven_wonders", players=3, strategies=["balanced", "military"]))


def number_of(plan: Plan) -> int:
    """The faction number of the board that is studied."""
    return [faction.name for faction in plan.data.factions].index(BOARD)


@pytest.mark.parametrize("name", WITH_FACTIONS)
def test_a_faction_has_parts_of_different_names_and_every_printed_number_is_a_knob_once(name: str) -> None:
    game = load_game(name)
    data = game.load({})
    parts = parts_of(game, data, 0)
    names = [part.name for part in parts]
    assert len(names) == len(set(names)) > 2
    assert check_loads(game, data, parts[0].changes["none"])
    turns = named_apart(numbers_in_parts(game, data, parts))
    texts, titles = [turn.text for turn in turns], [turn.name for turn in turns]
    assert len(texts) == len(set(texts)) == len(set(titles)) > 2
    assert not any("hints" in text for text in texts)


def test_the_numbers_of_a_board_are_its_stages_costs_and_coins(plan: Plan) -> None:
    turns = numbers_in_parts(plan.game, plan.data, parts_of(plan.game, plan.data, number_of(plan)))
    assert [(turn.name, turn.present) for turn in turns] == [
        ("stage 1: cost ore", 2), ("stage 1: points", 2), ("stage 2: cost clay", 3),
        ("stage 2: points", 1), ("stage 3: cost glass", 1), ("stage 3: cost cloth", 1),
        ("stage 3: cost papyrus", 1), ("coins at the start", 3),
    ]  # fmt: skip


def test_halving_rounds_down_leaves_ones_and_words_and_goes_into_lists() -> None:
    value = [["gain", "vp", 3], {"vp": 7, "free": True, "price": 1.0}, -5, 1]
    assert halved(value) == [["gain", "vp", 1], {"vp": 3, "free": True, "price": 0.5}, -2, 1]


def test_parts_are_named_in_words_of_any_case(plan: Plan) -> None:
    (named,) = parts_named(plan.game, plan.data, " halikarnassos  b STAGE 2 ")
    assert (plan.data.factions[named.faction].name, named.part.name) == (BOARD, "stage 2")
    assert named.part.changes["none"] == ("wonders.toml#Halikarnassos B.stage.2.effects=[{ vp = 0 }]",)
    everything = parts_named(plan.game, plan.data, "Halikarnassos B all")
    assert [one.part.name for one in everything] == ["stage 1", "stage 2", "stage 3", "coins_start"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Halikarnasos B stage 1", "did you mean 'Halikarnassos B'?"),
        ("Halikarnassos B stge 1", "did you mean 'stage 1'?"),
        ("Halikarnassos B", "stage 1, stage 2"),
        ("nothing", "such as 'Alexandria A stage 1'"),
    ],
)
def test_words_that_name_no_part_are_refused_with_the_nearest_name(plan: Plan, text: str, said: str) -> None:
    with pytest.raises(UserError) as error:
        parts_named(plan.game, plan.data, text)
    assert said in str(error.value)


def test_an_arm_played_in_pieces_is_the_arm_played_at_once(plan: Plan) -> None:
    number = number_of(plan)
    watched = Watched(number, tuple(parts_of(plan.game, plan.data, number)[:1]))
    whole = play_sums(plan, watched, 0, 240, jobs=1)
    pieces = concat_sums([play_sums(plan, watched, *part, jobs=1) for part in ((0, 60), (60, 180))])
    for name in ("wins", "seats", "scores", "rounds", "uses", "owners"):
        assert np.array_equal(getattr(whole, name), getattr(pieces, name)), name
    assert whole.wins.sum() == pytest.approx(240)
    assert whole.seats.sum() == 720
    assert 0 < whole.uses.sum() <= whole.owners.sum() == whole.seats[:, number].sum()


def test_changes_have_the_errors_of_blocks() -> None:
    rng, inside = np.random.default_rng(2), 0
    for _ in range(200):
        luck = rng.normal(0.25, 0.1, (300, 1))
        before, after = (np.clip(luck + rng.normal(0, 0.1, (300, 1)), 0, 1) * 4 for _ in range(2))
        seats = np.full((300, 1), 4.0)
        found = changed((before, seats, before), (after, seats, after), 0.25)
        inside += abs(found.change[0]) <= found.reach[0] * found.change_error[0]
    assert 180 <= inside <= 199


def test_parts_are_ranked_by_what_they_are_worth(plan: Plan) -> None:
    number = number_of(plan)
    found = play_parts(plan, number, parts_of(plan.game, plan.data, number), 1800, jobs=1)
    assert found.frame["worth"].is_sorted(descending=True)
    assert set(found.frame.select("part", "way").rows()) == {
        ("stage 1", "none"), ("stage 1", "half"), ("stage 2", "none"), ("stage 3", "none"), ("coins start", "none"),
        ("coins start", "half"),
    }  # fmt: skip
    row = found.frame.filter(part="stage 1", way="none").row(0, named=True)
    assert row["worth"] == pytest.approx(found.edge - row["edge"])
    assert 0 <= row["used_after"] < row["used"] <= 1  # nobody wants a stage that brings nothing
    section, best = parts_section(found), found.frame.row(0, named=True)
    assert any("As printed its edge is" in sentence for sentence in section.sentences)
    way = {"none": "without it", "half": "halved", "free": "free"}[best["way"]]
    said = f"{best['part']} ({way}: worth {points(best['worth'])} ±"  # the sign of the table
    assert said in section.sentences[0]


def test_who_else_moves_is_judged_among_all_others_and_a_short_game_by_its_blocks(plan: Plan) -> None:
    rng, false, longer = np.random.default_rng(6), 0, 0
    number, factions = number_of(plan), len(plan.data.factions)
    seats = np.ones((60, factions))
    for _ in range(200):
        base, after = (
            ArmSums(rng.normal(0.3, 0.1, seats.shape), seats, seats, rng.normal(54, 3, 60), np.zeros((60, 0)),
                    seats[:, number], 180)
            for _ in range(2)
        )  # fmt: skip
        row = compare_with_base(plan, number, base, after)
        false += not row["moved_low"] <= 0 <= row["moved_high"]
        longer += not row["rounds_low"] <= 0 <= row["rounds_high"]
    assert false <= 20  # 5 % of 200, within chance; nearly half where nothing allows for the choice
    assert longer <= 20


def test_a_faction_in_few_blocks_is_not_flagged(plan: Plan) -> None:
    number = number_of(plan)
    parts = [part for part in parts_of(plan.game, plan.data, number) if part.name == "stage 1"]
    found = play_parts(plan, number, parts, 60, jobs=1)
    assert found.frame["low"].is_null().all()
    assert found.frame["flag"].to_list() == ["", ""]
    raced = one_faction(plan, 60, parts=parts)
    assert "nan" not in " ".join([*search_sections(raced)[0].sentences, patch_of_changes(raced)])


def test_a_budget_is_shared_by_all_arms_and_too_small_a_one_is_refused(plan: Plan) -> None:
    arms, left_out = part_arms(plan, parts_of(plan.game, plan.data, number_of(plan)), ("none", "half"))
    assert (len(arms), left_out) == (6, [])
    assert games_of_arm(plan, 6, 4000, None) == 3999  # whole blocks of three games
    assert games_of_arm(plan, 6, 4000, 700) == 99
    with pytest.raises(UserError, match=r"at least 420"):
        games_of_arm(plan, 6, 4000, 400)
    with pytest.raises(UserError, match="at least 60"):
        one_faction(plan, 30)


@pytest.mark.sweep
@pytest.mark.parametrize("margin", [0.5, 0.00001])
def test_a_race_says_at_the_start_how_long_it_takes_and_plays_what_it_announced(plan: Plan, margin: float) -> None:
    to_come: list[int] = []
    told: list[str] = []
    played: list[int] = []

    def play(games: int) -> None:
        played.append(games)
        to_come[-1] -= games
        assert to_come[-1] >= 0

    def say(text: str) -> None:
        told.append(text)
        assert "this search takes" not in text or not played

    found = one_faction(
        plan, 600, margin, quick=True, progress=play, expect=to_come.append, say=say, measure=lambda plan: 1.0
    )
    assert to_come[-1] == 0
    assert "3 numbers, 12 values in the first round: up to 5,300 games until the best are known" in told
    (text,) = (text for text in told if "this search takes" in text)
    assert "min here" in text
    assert "if no single change is enough" in text
    assert found.cost is not None
    assert found.one is not None
    search, late = SearchRequest(plan, found.goal, 600), found.one.pairs > 0
    # A game takes a second; reused games count as played, as in the progress.
    each = replace(found.cost, start=0.0, loading=0.0, preparing=0.0, concerned=1.0)
    assert sum(played) == pytest.approx(each.seconds(search, quick=True, late=late), rel=0.25)
    # Every value of every round is prepared, and loaded before it is played.
    of_value = replace(each, each=0.0, preparing=1.0, loading=1.0)
    assert of_value.seconds(search, quick=True, late=late) >= 2 * found.arms


def test_a_race_finds_printed_changes_and_writes_them_as_toml(plan: Plan) -> None:
    found = one_faction(plan, 600)
    assert found.one is not None
    assert (found.one.turned, found.fresh.seed) == (3, 2)
    for row in found.one.frame.to_dicts():
        assert row["open"] == (abs(row["edge"]) <= 0.01 or row["edge_low"] <= 0 <= row["edge_high"])
        assert (row["state"] == "within") == (row["edge_low"] >= -0.01 and row["edge_high"] <= 0.01)
    changes = tomllib.loads(patch_of_changes(found)).get("changes", [])
    assert changes == confirmed_changes(found)
    assert check_loads(plan.game, plan.data, arm_changes(found.arm))
    (section,) = search_sections(found)
    assert any("of 3 numbers" in sentence for sentence in section.sentences)


def test_workers_share_the_games_of_a_short_arm(plan: Plan) -> None:
    shared: list[int] = []
    both, alone = (play_sums(plan, Watched(0), 0, 60, jobs=jobs, progress=shared.append) for jobs in (2, 1))
    assert [games for games in shared if games][:2] == [30, 30]
    assert all((both.arrays()[name] == values).all() for name, values in alone.arrays().items())


def one_faction(plan: Plan, games: int, margin: float = 0.01, **options: Any) -> Found:
    """Search a few numbers of one board for what makes it fair."""
    number = number_of(plan)
    few = [part for part in parts_of(plan.game, plan.data, number) if part.name in ("stage 1", "coins_start")]
    return search_changes(plan, fair_goal(plan, margin, [number]), games, jobs=1, **{"parts": few} | options)
