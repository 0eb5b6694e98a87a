"""Restricted play: what a player wins who may not do something, and which kinds of options there are."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import empirelab
from reports.sections.pieces.restricted import restricted_section
from reports.statistics.pieces.restricted import RestrictedArm, block_sums, restricted_frame
from reports.studies.parts.restricted import broad_kinds, kinds_of_pieces, play_restrictions
from sim.game import load_game
from sim.players.restriction import Restriction
from sim.runs.config import RunConfig, make_plan
from tests.reports.synthetic import made_up_restrictions

CARAVANS = "docs/examples/caravans.py"


def test_sums_of_a_block_are_those_of_its_games() -> None:
    # Columns: block, strategy, score, rank; two games of three seats in one block, a third one in the next.
    rows = np.array([[0, 0, 9, 1], [0, 1, 7, 2], [0, 1, 5, 3], [0, 1, 4, 1], [0, 0, 4, 1], [0, 1, 2, 3],
                     [1, 1, 8, 1], [1, 1, 6, 2], [1, 0, 1, 3]])  # fmt: skip
    assert block_sums(rows, 3, (0, 1, 2, 3)).tolist() == [[2, 1.5, 13, 9], [1, 0, 1, 7]]


def winning_as_before(arm: RestrictedArm) -> RestrictedArm:
    """The arm of a restriction that changes no win."""
    blocks = np.column_stack([arm.blocks[:, 0], arm.control.astype(float), arm.blocks[:, 2:]])
    return replace(arm, blocks=blocks)


def test_a_restriction_that_changes_nothing_has_no_edge() -> None:
    (arm,) = made_up_restrictions(1, kinds=1)
    (row,) = restricted_frame([winning_as_before(arm)], 4).to_dicts()
    assert row["edge"] == pytest.approx(0, abs=1e-12)
    assert row["verdict"] == ""


def test_a_restriction_that_costs_wins_is_found_and_its_limits_are_right() -> None:
    # Arms of one seed share the luck of the unrestricted games.
    frames = [restricted_frame(made_up_restrictions(seed, kinds=2, edge=-0.08), 4) for seed in range(100)]
    frame = pl.concat(frames)
    assert frame["edge"].mean() == pytest.approx(-0.08, abs=0.004)
    inside = (frame["low"] - 0.25 <= -0.08) & (frame["high"] - 0.25 >= -0.08)
    assert 0.92 < inside.to_numpy().mean() < 0.98
    assert (frame["verdict"] == "matters").to_numpy().mean() > 0.9


def test_unrestricted_games_make_limits_narrower() -> None:
    arms = made_up_restrictions(3, kinds=20)
    without = [replace(arm, control=np.ones(len(arm.blocks))) for arm in arms]
    widths = [
        (frame["high"] - frame["low"]).mean() for frame in (restricted_frame(each, 4) for each in (arms, without))
    ]
    assert widths[0] < 0.9 * widths[1]


def test_what_helps_a_player_to_leave_is_called_so() -> None:
    frame = restricted_frame(made_up_restrictions(4, kinds=2, edge=0.12, blocks=600), 4)
    section = restricted_section(frame, 4)
    assert set(frame["verdict"]) == {"better without"}
    assert section.sentences[0].startswith('A player who never takes "kind ')
    assert {claim.kind for claim in section.claims} == {"restricted"}


def test_a_kind_that_is_often_the_only_choice_is_told_as_such() -> None:
    arms = zip(made_up_restrictions(4, kinds=2, edge=0.12), (600, 900), strict=True)
    often, always = (replace(arm, counted=Restriction(offered=900, free=free)) for arm, free in arms)
    frame = restricted_frame([often, winning_as_before(always)], 4)
    said = restricted_section(frame, 4, "balanced is rung 3 of 4").sentences
    assert '"kind 0" only if nothing else is offered (1.0 times a game)' in said[0]
    assert said[1] == "Never forbidden, because nothing else could be chosen: kind 1."
    assert said[2].endswith("balanced is rung 3 of 4. No restricted player has learned to play with its restriction.")


def test_a_kind_that_nobody_wants_is_told_as_such() -> None:
    arms = [replace(arm, counted=Restriction(offered=900, bound=bound))
            for arm, bound in zip(made_up_restrictions(4, kinds=9, edge=0.0), [90, *[0] * 8], strict=True)]  # fmt: skip
    said = " ".join(restricted_section(restricted_frame(arms, 4), 4).sentences)
    assert "No difference is shown for kind 0." in said
    assert "Never wanted by these players, so forbidding it changes nothing: kind " in said
    assert "and 2 more." in said


def test_kinds_of_cards_and_places_are_those_of_the_games_files() -> None:
    found = {}
    for name in ("seven_wonders", "history_of_the_world", "imperial_settlers"):
        found |= kinds_of_pieces(load_game(name), make_plan(RunConfig(game=name)).data)
    assert found["Guard Tower"] == ("red cards",)
    assert found["Gaul"][0].startswith("in ")
    assert "production cards" in found["Quarry"]


def test_single_cards_are_named_but_not_tried_with_all() -> None:
    plan = make_plan(RunConfig(game="seven_wonders"))
    seen = dict.fromkeys(("way border", "build", "pass"), 9.0)
    seen |= {"build red cards": 4.0, "build Loom": 3.0, "build gold cards": 0.1}
    assert broad_kinds(seen, plan) == ["build", "build red cards"]


def test_a_player_without_red_cards_and_one_who_always_builds_them_are_compared_with_equals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reports.studies.parts.restricted.STRETCH", 24)  # several stretches, as in longer runs
    asked = RunConfig(game="seven_wonders", games=80), ["build red cards + build blue cards"], ["build red cards"]
    found = play_restrictions(*asked, jobs=1)
    assert found.frame["kind"].sort().to_list() == ["build red cards", "build red cards + build blue cards"]
    assert found.frame.filter(rule="never")["edge"][0] < -0.1
    assert (found.frame["games"] == 80).all()
    assert found.frame.equals(play_restrictions(*asked, jobs=2).frame)


def test_every_player_of_a_plain_game_meets_its_like() -> None:
    found = empirelab.restricted(CARAVANS, forbid="load", games=40, progress=False)
    table = found.tables["restricted"]
    assert table["player"].to_list() == ["trader", "hasty"]
    assert (table["edge"] < 0).all()


def test_one_player_cannot_be_compared() -> None:
    with pytest.raises(empirelab.UserError, match="two or more players"):
        play_restrictions(RunConfig(game="imperial_settlers", players=1, games=40), ["build"])
