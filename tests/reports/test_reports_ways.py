"""Ways to win: groups that other games show again, how often they win, factions with only one."""

import numpy as np
import pytest

import empirelab
from reports.data.load import Run, load_run
from reports.sections.course.ways import section_of_ways, ways_section
from reports.statistics.course.ways import Ways, diversity, fit_clusters, is_apart, prediction_strength, ways_of
from sim.errors import UserError
from tests.reports.synthetic import made_up_ways


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three strategies of which two score in ways of their own."""
    folder = tmp_path_factory.mktemp("ways") / "run"
    empirelab.simulate("seven_wonders", games=1600, strategies="military,science,civil", out=folder, progress=False)
    return load_run(folder)


def blobs(seed: int, centres: int, points: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Return points around some centres far apart, each in a block of its own."""
    rng = np.random.default_rng(seed)
    middle = 10 * np.eye(4)[np.arange(points) % centres]
    return middle + rng.normal(0, 1, (points, 4)), np.arange(points)


@pytest.mark.parametrize("centres", [2, 3, 4])
def test_as_many_groups_are_found_again_as_there_are(centres: int) -> None:
    points, blocks = blobs(1, centres)
    strength = [prediction_strength(points, blocks, ways, np.random.default_rng(2)) for ways in range(1, 7)]
    assert strength[centres - 1] > 0.95
    assert max(strength[centres:]) < 0.8


def test_groups_of_one_cloud_are_not_apart() -> None:
    rng = np.random.default_rng(3)
    for points, apart in ((blobs(1, 2)[0], True), (rng.normal(0, [3, 1, 1, 1], (300, 4)), False)):
        assert is_apart(points, 2, fit_clusters(points, 2, rng)[1], rng) == apart


def test_the_effective_number_is_that_of_equally_frequent_ways() -> None:
    assert diversity(np.array([5.0, 5.0, 5.0])) == pytest.approx(3)
    assert diversity(np.array([9.0, 0.0])) == pytest.approx(1)


def test_players_with_ways_of_their_own_are_told_apart(run: Run) -> None:
    found = ways_of(run)
    assert isinstance(found, Ways)
    names = " ".join(found.names)
    assert "science" in names
    assert "blue" in names
    assert found.frame["share"].sum() == pytest.approx(1)
    (total,) = found.frame.select((found.frame["win_rate"] * found.frame["games"]).sum() / found.frame["games"].sum())
    assert total[0] == pytest.approx(0.25)
    assert 1 <= found.effective[1] <= found.effective[0] <= found.effective[2] <= len(found.names)


def test_a_faction_with_one_way_is_named_and_one_with_two_is_not() -> None:
    assert not section_of_ways(made_up_ways(1, share=0.7), "faction").claims
    section = section_of_ways(made_up_ways(1, share=0.95, games=1600), "faction")
    assert {claim.kind for claim in section.claims} == {"one way"}
    assert len(section.claims) == 6


def test_limits_of_a_factions_share_allow_for_games_of_one_deal() -> None:
    held = [row["low"] <= 0.8 <= row["high"] for seed in range(60) for row in made_up_ways(seed).factions.to_dicts()]
    assert 0.92 < np.mean(held) < 0.98


def test_few_games_and_games_of_one_number_say_so_and_one_player_is_refused() -> None:
    short = empirelab.simulate("seven_wonders", games=40, strategies="random", progress=False)
    assert "Too few games" in ways_section(load_run(short.folder)).sentences[0]
    alone = empirelab.simulate("imperial_settlers", games=12, players=1, strategies="random", progress=False)
    with pytest.raises(UserError, match="two or more players"):
        ways_section(load_run(alone.folder))
    plain = empirelab.simulate("docs/examples/caravans.py", games=500, progress=False)
    assert "one number only" in ways_section(load_run(plain.folder)).sentences[0]


def test_fewer_different_points_than_groups_are_the_centres() -> None:
    points = np.repeat([[0.0, 1.0], [2.0, 0.0]], 10, axis=0)
    centres, inside = fit_clusters(points, 4, np.random.default_rng(1))
    assert inside == 0
    assert centres.tolist() == [[0, 1], [2, 0], [2, 0], [2, 0]]
    assert prediction_strength(points, np.arange(20), 4, np.random.default_rng(1)) < 0.8
