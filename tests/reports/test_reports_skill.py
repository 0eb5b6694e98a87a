"""Skill curves and underplayed factions against made-up players of whom the truth is known, and the skill share."""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from scipy.special import expit, logit
from synthetic import Truth, rows, write_rows, write_run

import empirelab
from reports.data.load import Ladder, LadderEntry, Run, RungEntry, ladder_json, load_ladder, load_run
from reports.model import Finding, Report
from reports.report import build_report
from reports.sections.strength.player_ratings import rating_section
from reports.sections.strength.skill import course_sentences, course_words, ladder_sections
from reports.sections.strength.skill_findings import Judged, headline_at_top, judge_rows, ladder_finding
from reports.sections.strength.skill_share import skill_share_section
from reports.sections.strength.underplayed import BADGE, underplayed_of
from reports.statistics.compare.paired import changes_by_level
from reports.statistics.core.win_rate import MIN_WINS
from reports.statistics.strength.skill import (
    SkillCurve,
    compare_gains,
    course_of,
    judge_gains,
    skill_curves,
    underplayed,
)
from reports.statistics.strength.skill_share import explained_variance, games_to_be_ahead, longest_chain, skill_share
from sim.errors import UserError
from tests.reports.conftest import Kept

MARGIN = 0.02
FACTIONS = ("Rhodos B", "Gizah A", "Babylon A", "Olympia B", "Ephesos A", "Alexandria B")
STRENGTHS = {
    "beginner": {"Gizah A": 3.0, "Babylon A": -3.0},
    "script": {"Rhodos B": 3.0, "Gizah A": 3.0, "Alexandria B": -3.0, "Olympia B": -3.0},
    "seer": {"Rhodos B": -3.0, "Gizah A": 3.0, "Ephesos A": 3.0, "Olympia B": -3.0},
}
"""Rhodos B flips, Gizah A and Olympia B hold, Ephesos A shows at the top, Alexandria B fades, Babylon A is weak with
beginners only."""
SEARCH = {
    "rollouts": 8, "options": 5, "value": "win", "lead_scale": 4.0, "prior": 0.0, "model_temperature": 0.0,
    "horizon": 0, "halves": True, "decisions": ["play"],
}  # fmt: skip
PLAYER = {"description": "", "temperature": 0.0, "weights": {}, "source": "hand-made"}


def player(name: str, looks_ahead: bool = False) -> dict[str, Any]:
    """A strategy as `run.json` has it."""
    return {"name": name, "base": "made-up", **PLAYER, "search": SEARCH if looks_ahead else None}


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Ladder:
    """Three rungs on the same deals: beginners, scripted players, and players who look ahead."""
    home = tmp_path_factory.mktemp("ladder")
    for name, strengths in STRENGTHS.items():
        truth = Truth(
            blocks=1500 if name == "seer" else 3000,
            factions=dict.fromkeys(FACTIONS, 0.0) | strengths,
            strategies={name: 0.0},
        )
        write_run(home / name, truth, strategies=[player(name, name == "seer")], settings={})
    rungs = [RungEntry(player=name, folder=name) for name in STRENGTHS]
    entry = LadderEntry(format="empirelab-ladder/1", game="seven_wonders", rungs=rungs)
    (home / "ladder.json").write_bytes(ladder_json(entry))
    return load_ladder(home)


@pytest.fixture(scope="module")
def curves(ladder: Ladder) -> dict[str, SkillCurve]:
    return skill_curves(ladder.rungs, MARGIN)


@pytest.fixture(scope="module")
def curve(curves: dict[str, SkillCurve]) -> SkillCurve:
    return curves["faction"]


# ---- Skill curves ----


def test_what_becomes_of_a_verdict_at_the_top_is_found(curve: SkillCurve) -> None:
    assert (curve.scripted, curve.top) == ("script", "seer")
    found = dict(curve.courses.select("level", "course").rows())
    assert found.pop("Alexandria B") in ("fades", "open")
    del found["Babylon A"]
    assert found == {"Rhodos B": "flips", "Gizah A": "holds", "Olympia B": "holds", "Ephesos A": "shows"}
    weak = dict(curve.courses.select("level", "weak_at").rows())
    assert "beginner" in weak["Babylon A"]
    assert (weak["Rhodos B"], weak["Gizah A"]) == ("seer", "")


def test_steps_are_the_differences_of_the_shares_of_all_games(ladder: Ladder, curve: SkillCurve) -> None:
    win = pl.col("win").cast(pl.Float64).mean()
    script, seer = (
        dict(ladder.rungs[name].seats.group_by(pl.col("faction").cast(pl.String)).agg(win).collect().rows())
        for name in ("script", "seer")
    )
    for row in curve.steps.filter(pl.col("rung") == "seer").to_dicts():
        assert row["change"] == pytest.approx(seer[row["level"]] - script[row["level"]], abs=1e-6)
        assert row["low"] < row["change"] < row["high"]
    assert curve.steps.height == 2 * len(FACTIONS)
    assert (curve.steps["p_holm"] >= curve.steps["p"]).all()


def test_what_factions_share_has_a_curve_of_its_own(curves: dict[str, SkillCurve]) -> None:
    assert list(curves) == ["faction", "side", "seat"]
    sides = curves["side"]
    assert sides.steps["level"].unique().sort().to_list() == ["A", "B"]
    shares = {(row["level"], row["rung"]): row["win_rate"] for row in sides.curve.to_dicts()}
    for row in sides.steps.to_dicts():
        change = shares[row["level"], row["rung"]] - shares[row["level"], row["below"]]
        assert row["change"] == pytest.approx(change, abs=1e-6)


def test_pairing_makes_the_steps_surer_than_independent_runs_would(curve: SkillCurve) -> None:
    step = curve.steps.filter(pl.col("rung") == "script").to_dicts()[0]
    cells = curve.curve.filter(pl.col("level") == step["level"])
    half = {row["rung"]: (row["high"] - row["low"]) / 2 for row in cells.to_dicts()}
    assert (step["high"] - step["low"]) / 2 < math.hypot(half["beginner"], half["script"])


def test_steps_to_a_shorter_rung_are_called_sure_as_often_as_they_may_be(
    tmp_path: Path, scaled: Callable[..., int]
) -> None:
    found = []
    for seed in range(scaled(15, 15, full_count=30)):
        runs = {}
        for name, blocks in (("script", 240), ("seer", 40)):
            truth = Truth(blocks=blocks, factions=dict.fromkeys(FACTIONS, 0.0), strategies={name: 0.0}, seed=2 * seed)
            runs[name] = load_run(write_run(tmp_path / f"{name} {seed}", truth))
        found.append(changes_by_level(runs["script"], runs["seer"], "faction", ("lineup",), every=True))
    rows_of = pl.concat(found)
    held = rows_of.filter((pl.col("low") <= 0) & (pl.col("high") >= 0)).height / rows_of.height
    assert 0.89 < held < 0.99
    assert (rows_of["p"] < 0.05).mean() < 0.11  # type: ignore[operator]


def test_a_row_that_always_wins_in_few_games_is_no_sure_change(tmp_path: Path) -> None:
    runs = {}
    for name, blocks, strength in (("script", 400, 6.0), ("seer", 4, 60.0)):
        truth = Truth(blocks=blocks, factions={"Gizah A": strength, **dict.fromkeys(FACTIONS[2:5], 0.0)},
                      strategies={name: 0.0})  # fmt: skip
        runs[name] = load_run(write_run(tmp_path / name, truth, strategies=[player(name, name == "seer")]))
    steps = skill_curves(runs, MARGIN)["faction"].steps
    (row,) = steps.filter(pl.col("level") == "Gizah A").to_dicts()
    assert row["change"] > 0.2
    assert (row["low"], row["p"]) == (None, None)


@pytest.mark.parametrize(
    ("verdicts", "course"),
    [
        (["fair", "strong", "strong"], "holds"),
        (["weak", "strong", "strong"], "holds"),
        (["fair", "strong", "weak"], "flips"),
        (["fair", "weak", "fair"], "fades"),
        (["fair", "weak", "undecided"], "open"),
        (["fair", "undecided", "weak"], "shows"),
        (["weak", "fair", "fair"], "depends"),
        (["undecided", "undecided", "fair"], "fair"),
        (["undecided", "fair", "undecided"], "undecided"),
    ],
)
def test_a_course_goes_from_the_scripted_rung_to_the_top(verdicts: list[str], course: str) -> None:
    assert course_of(verdicts, verdicts[1], verdicts[2]) == course


def test_rungs_of_other_deals_are_refused(ladder: Ladder, tmp_path: Path) -> None:
    truth = Truth(blocks=40, factions=dict.fromkeys(FACTIONS, 0.0), strategies={"other": 0.0}, seed=2)
    other = load_run(write_run(tmp_path / "other", truth, strategies=[player("other")]))
    with pytest.raises(UserError, match="do not share their deals: seed differs"):
        skill_curves({"script": ladder.rungs["script"], "other": other}, MARGIN)


def test_every_row_out_of_balance_gets_a_sentence_as_kept_and_the_pictures_are_drawn(
    ladder: Ladder, kept: Kept
) -> None:
    skill, gains, first = ladder_sections(ladder, MARGIN)
    assert first.listings[0].frame["rung"].to_list() == list(ladder.rungs)
    assert [picture.draw().get_title(loc="left") for picture in skill.pictures] == [""] * len(skill.pictures)
    kept("verdicts by skill", {"verdicts": [skill], "gains": [gains]})


def reported(ladder: Ladder, home: Path, strengths: dict[str, float], margin: float = 100 * MARGIN) -> Report:
    """Return the report of a run in which factions have these strengths, with the ladder."""
    factions = dict.fromkeys(FACTIONS, 0.0) | strengths
    truth = Truth(blocks=1200, factions=factions, strategies={"script": 0.0, "beginner": -3.0}, seed=3)
    return build_report(load_run(write_run(home / "run", truth)), ladder=ladder, margin=margin)


def finding_that_starts(report: Report, words: str) -> Finding:
    """Return the only finding of a report whose headline starts with these words."""
    (said,) = [one for one in report.findings if one.headline.startswith(words)]
    return said


def part_of(text: str, start: str) -> str:
    """Return a part of the text on the ladder: what follows `start`, up to the full stop."""
    return text.partition(f"{start}: ")[2].partition("). ")[0]


def test_a_report_says_what_of_its_verdict_holds_at_the_top(ladder: Ladder, tmp_path: Path) -> None:
    report = reported(ladder, tmp_path, STRENGTHS["script"])
    said = finding_that_starts(report, "By skill: the ")
    assert re.search(
        r"the \d wonder sides out of balance here, with seer in all seats \(6,000 games\)\. ", said.headline
    )
    assert "Gizah A (" in part_of(said.headline, "Same side there")
    assert "Olympia B (" in part_of(said.headline, "Same side there")
    other = part_of(said.headline, "Other side there")
    assert other.startswith("Rhodos B (-")
    assert "change from script: -" in other
    assert report.section("skill").title == "Verdicts by skill"
    changed = [claim.subject for claim in said.claims if claim.kind == "by skill"]
    assert "Rhodos B from script to seer" in changed
    assert all(claim.said == said.headline for claim in said.claims)


def test_the_headline_says_what_the_top_makes_of_the_rows_it_names(ladder: Ladder, tmp_path: Path) -> None:
    report = reported(ladder, tmp_path, {"Rhodos B": 3.0, "Olympia B": -3.0})
    head = report.findings[0]
    assert head.headline.startswith("Out of balance: Rhodos B too strong")
    ends = "; with seer (look-ahead) in all seats, Rhodos B is too weak and Olympia B stays too weak. "
    assert ends in head.headline
    under = [claim for claim in head.claims if claim.kind == "under a condition"]
    assert {claim.subject for claim in under} == {"Olympia B with seer", "Rhodos B with seer"}
    assert all(claim.said in head.headline for claim in head.claims)


def test_a_verdict_that_the_whole_ladder_contradicts_is_not_called_the_same(ladder: Ladder, tmp_path: Path) -> None:
    report = reported(ladder, tmp_path, {"Gizah A": -3.0})
    assert "Gizah A is too strong (also with script)" in report.findings[0].headline
    said = finding_that_starts(report, "By skill: ")
    assert "Same side there: none. " in said.headline
    other = part_of(said.headline, "Other side there")
    assert other.startswith("Gizah A (")
    assert other.endswith("; too strong with script in all seats")
    assert re.search(r"A change that corrects .*Gizah A.* here may make (it|them) worse with script in", said.headline)
    judged = {claim.subject for claim in said.claims if claim.kind == "under a condition"}
    assert {"Gizah A with seer", "Gizah A with script"} <= judged


def test_a_row_that_the_ladder_did_not_deal_is_not_judged(ladder: Ladder) -> None:
    rows = [
        {"label": name, "noun": "board", "table": "faction", "name": name, "edge": 0.1}
        for name in ("Gizah A", "Gizah B")
    ]
    rows.append({"label": "second place", "noun": "place", "table": "start", "name": "2", "edge": 0.1})
    judged = judge_rows(skill_curves(ladder.rungs, MARGIN), rows)
    said = ladder_finding(ladder, ladder.rungs["script"].manifest, judged, MARGIN)
    assert said.headline.endswith(" Not judged there: Gizah B and second place.")
    assert "Gizah A (" in part_of(said.headline, "Same side there")
    head = headline_at_top(
        Finding("", "out", "Out. x plays.", claims=(replace(said.claims[0], said="Out. x plays."),)),
        "x plays", "seer", judged, MARGIN,
    )  # fmt: skip
    assert "Gizah B is not judged and second place is not judged." in head.headline


@pytest.mark.parametrize(
    ("verdict", "edge", "fate"),
    [
        ("strong", 0.1, "same"), ("weak", -0.1, "same"), ("strong", -0.1, "other"), ("weak", 0.1, "other"),
        ("fair", 0.1, "balanced"), ("undecided", 0.1, "undecided"),
    ],
)  # fmt: skip
def test_the_fate_of_a_row_at_the_top(curve: SkillCurve, verdict: str, edge: float, fate: str) -> None:
    assert Judged({"edge": edge}, curve, {"is": verdict, "was": "undecided"}).fate == fate


def test_a_ladder_does_not_confirm_the_run_of_its_own_top_rung(ladder: Ladder) -> None:
    report = build_report(ladder.rungs["seer"], ladder=ladder, margin=100 * MARGIN)
    assert "seer, the top rung, plays this run itself" in finding_that_starts(report, "By skill").headline
    assert "in all seats" not in report.findings[0].headline


def test_without_rows_out_of_balance_the_ladder_has_none_to_judge(ladder: Ladder, tmp_path: Path) -> None:
    report = reported(ladder, tmp_path, {}, margin=30)
    assert "no row is out of balance here" in finding_that_starts(report, "By skill").headline
    assert "seer" not in report.findings[0].headline


def test_a_headline_on_confounded_rows_also_says_what_the_top_makes_of_the_others(
    ladder: Ladder, tmp_path: Path
) -> None:
    seats = {"Gizah A": 3.0}
    truth = Truth(blocks=1200, factions=dict.fromkeys(FACTIONS, 0.0) | seats, strategies={"script": 0.0}, seed=3)
    head = build_report(load_run(write_run(tmp_path / "run", truth)), margin=100 * MARGIN).findings[0]
    tied = replace(head, headline=f"In this run A and B are confounded. Apart from that, {head.headline}")
    judged = judge_rows(skill_curves(ladder.rungs, MARGIN), [
        {"label": "Gizah A", "noun": "board", "table": "faction", "name": "Gizah A", "edge": 0.2}])  # fmt: skip
    told = headline_at_top(tied, "script plays every seat (no look-ahead)", "seer", judged, MARGIN)
    assert "(no look-ahead); with seer in all seats, Gizah A stays too strong." in told.headline
    assert headline_at_top(tied, "others play", "seer", judged, MARGIN) == tied


def test_a_report_without_mixed_tables_says_who_is_ahead_where_all_rungs_meet(ladder: Ladder, tmp_path: Path) -> None:
    strengths = {"beginner": -3.0, "script": 0.0, "seer": 10.0}
    truth = Truth(blocks=400, factions=dict.fromkeys(FACTIONS, 0.0), strategies=strengths, seed=5)
    meeting = load_run(write_run(tmp_path / "meeting", truth))
    report = reported(replace(ladder, meeting=meeting), tmp_path, STRENGTHS["script"])
    said = finding_that_starts(report, "Who judged")
    found = re.search(r"Strength: seer finishes ahead of script in ([0-9.]+) ± [0-9.]+ % of their", said.headline)
    assert found
    assert abs(float(found[1]) - 100 * stats.norm.cdf(10 / np.sqrt(2 * (truth.deal**2 + truth.luck**2)))) < 5
    assert [claim.subject for claim in said.claims if claim.kind == "matchup"] == ["seer ahead of script"]
    alike = load_run(write_run(tmp_path / "alike", replace(truth, strategies=dict.fromkeys(strengths, 0.0))))
    report = reported(replace(ladder, meeting=alike), tmp_path / "again", STRENGTHS["script"])
    said = finding_that_starts(report, "Who judged")
    assert "seer is not shown to finish ahead of script." in said.headline


# ---- Underplayed factions ----


def mixed_games(home: Path, blocks: int, extra: dict[str, float], seed: int = 1) -> tuple[Run, Run]:
    """Games of `script` alone, and of one `seer` among them, who doubles the odds of all and more of some."""
    rng, seats = np.random.default_rng(seed), 4
    strengths = np.array([0.0, 0.6, -0.6, 0.0, 0.3, -0.9])
    more = 0.9 + np.array([extra.get(name, 0.0) for name in FACTIONS])
    dealt = rng.random((blocks, len(FACTIONS))).argsort(axis=1)[:, :seats]
    luck = rng.gumbel(size=(blocks, seats))

    def played(seer: Any, name: str, strategies: list[str]) -> Run:
        games = seer.shape[0] // blocks
        faction = dealt.repeat(games, axis=0)
        eta = strengths[faction] + np.where(seer, more[faction], 0.0)
        # Part of the luck is that of the deal, which both runs share; the sum is as good as drawn by lot.
        score = np.rint(1000 * (eta + np.where(rng.random(eta.shape) < 0.5, luck.repeat(games, axis=0),
                                               rng.gumbel(size=eta.shape)))).astype(np.int16)  # fmt: skip
        truth = Truth(blocks, factions=dict.fromkeys(FACTIONS, 0.0), strategies=dict.fromkeys(strategies, 0.0))
        block = np.repeat(np.arange(blocks, dtype=np.uint32), games)
        frame = rows(faction.astype(np.uint8), seer.astype(np.uint8), score, block, strategies)
        about = [player(one, one == "seer") for one in strategies]
        return load_run(write_rows(home / name, frame, truth, strategies=about))

    alone = played(np.zeros((blocks, seats), bool), "alone", ["script"])
    mixed = played(np.tile(np.eye(seats, dtype=bool), (blocks, 1)), "mixed", ["script", "seer"])
    return alone, mixed


def test_only_the_faction_that_players_do_not_know_is_underplayed(tmp_path: Path) -> None:
    alone, mixed = mixed_games(tmp_path, 4000, {"Olympia B": 1.0})
    found, *_ = underplayed(alone, mixed, "seer")
    assert found.levels == ["Olympia B"]
    assert found.gain_low < found.gain < found.gain_high
    ladder = Ladder(tmp_path, {"script": alone, "seer": alone}, "seer", "script", mixed)
    badges, section = underplayed_of(ladder)
    assert "Olympia B" in badges
    assert any(BADGE in said and said.startswith("Olympia B") for said in section.sentences)


def test_gains_that_are_the_same_in_odds_are_no_reason_for_a_badge(tmp_path: Path) -> None:
    alone, mixed = mixed_games(tmp_path, 4000, {})
    found, *others = underplayed(alone, mixed, "seer")
    assert [one.noun for one in others] == ["side"]
    assert found.levels == []
    assert found.frame["gain"].max() - found.frame["gain"].min() > 0.05, "in points they differ"  # type: ignore[operator]


def test_a_faction_with_too_few_wins_is_not_judged(tmp_path: Path) -> None:
    alone, mixed = mixed_games(tmp_path, 36, {})
    found, *_ = underplayed(alone, mixed, "seer")
    seats = mixed.seats.filter(pl.col("strategy").cast(pl.String) == "seer").collect()
    for row in found.frame.to_dicts():
        own = seats.filter(pl.col("faction").cast(pl.String) == row["level"])
        wins = float(own["win"].sum())
        assert (row["p"] is None) == (min(wins, own.height - wins) < MIN_WINS)


def sums(rng: Any, batches: int, games: int, shares: Any) -> Any:
    """Seat-games and wins of each faction in each batch, games independent; shape (batches, factions, 2)."""
    wins = rng.binomial(games, shares, (batches, len(shares)))
    return np.stack([np.full_like(wins, games), wins], axis=2).astype(float)


def naive(first: Any, second: Any, names: list[str]) -> dict[str, tuple[float, float]]:
    """Share beyond the expected one, and its jackknife error, in plain Python."""

    def beyond(skipped: int) -> list[float]:
        totals = [
            [[sum(one[b][f][k] for b in range(len(one)) if b != skipped) for k in (0, 1)] for f in range(len(names))]
            for one in (first, second)
        ]
        before, after = ([math.log((w + 0.5) / (n - w + 0.5)) for n, w in one] for one in totals)
        weights = [n for n, _ in totals[1]]
        gained = sum(weight * (b - a) for a, b, weight in zip(before, after, weights, strict=True)) / sum(weights)
        expected = [1 / (1 + math.exp(-(odds + gained))) for odds in before]
        return [(w + 0.5) / (n + 1) - promised for (n, w), promised in zip(totals[1], expected, strict=True)]

    size, left = len(first), list(zip(*(beyond(b) for b in range(len(first))), strict=True))
    errors = [math.sqrt((size - 1) / size * sum((one - sum(own) / size) ** 2 for one in own)) for own in left]
    return dict(zip(names, zip(beyond(-1), errors, strict=True), strict=True))


def test_gains_and_errors_are_those_of_a_slow_and_obvious_count() -> None:
    rng, names = np.random.default_rng(4), list(FACTIONS)
    first, second = sums(rng, 30, 9, np.linspace(0.1, 0.5, 6)), sums(rng, 30, 7, np.linspace(0.4, 0.6, 6))
    found = compare_gains(first, second, names, ("seer", "script", "board"), 30)
    slow = naive(first.tolist(), second.tolist(), names)
    for row in found.frame.to_dicts():
        beyond, error = slow[row["level"]]
        assert row["beyond"] == pytest.approx(beyond, abs=1e-12)
        half = (row["beyond_high"] - row["beyond_low"]) / 2
        assert half == pytest.approx(2.0452296 * error, rel=1e-6)  # t of 29 degrees of freedom


NAMED = ("seer", "script", "board")
BASE = np.array([0.10, 0.18, 0.22, 0.26, 0.32, 0.42])
"""Win rates of factions before a player looks ahead."""


def test_false_badges_are_rare_and_intervals_hold_the_truth(scaled: Callable[..., int]) -> None:
    rng, better = np.random.default_rng(5), expit(logit(BASE) + math.log(4))
    false, held, tries = 0, 0, scaled(150, 150, full_count=400)
    for _ in range(tries):
        first, second = sums(rng, 60, 3, BASE), sums(rng, 60, 3, better)
        (found,) = judge_gains([compare_gains(first, second, list(FACTIONS), NAMED, 60)])
        false += bool(found.frame.filter(pl.col("flag") != "").height)
        held += found.frame.filter((pl.col("beyond_low") <= 0) & (pl.col("beyond_high") >= 0)).height
    assert false <= 0.08 * tries
    assert 0.92 < held / (tries * len(FACTIONS)) < 0.98


# ---- Ratings ----


def test_the_rating_puts_better_players_first(tmp_path: Path) -> None:
    truth = Truth(blocks=800, strategies={"random": -12.0, "balanced": 2.0, "balanced+8": 8.0, "greedy": -4.0})
    section = rating_section(load_run(write_run(tmp_path / "run", truth)))
    (listing,) = section.listings
    assert listing.frame["level"].to_list() == ["balanced+8", "balanced", "greedy", "random"]
    assert (listing.frame["strength_low"] < listing.frame["strength_high"]).all()
    assert listing.frame.filter(pl.col("level") == "balanced")["ahead"].item() == pytest.approx(0.5)
    assert "balanced+8 ranks first" in section.sentences[0]


def test_a_row_that_shows_at_the_top_is_not_said_to_be_fair_on_rungs_on_which_it_is_out(curve: SkillCurve) -> None:
    row = curve.courses.filter(pl.col("level") == "Ephesos A").row(0, named=True)
    said = course_words(row | {"strong_at": "beginner, seer"}, curve, MARGIN)
    assert re.search(r"not confirmed with script \([+-0]", said)
    assert said.endswith(" On other rungs: too strong with beginner.")


def test_every_verdict_of_a_row_that_a_sentence_names_is_in_the_sentence(curve: SkillCurve) -> None:
    told = [said for said, _ in course_sentences(curve, [], MARGIN)]
    for row in curve.courses.filter(pl.col("course").is_in(["holds", "flips", "shows", "open", "fades"])).to_dicts():
        (said,) = [one for one in told if one.startswith(f"{row['level']}: ")]
        for rung in filter(None, f"{row['strong_at']}, {row['weak_at']}".split(", ")):
            assert rung in said or (row["course"] == "holds" and rung == curve.top)


def test_equal_gains_in_points_give_no_badge_though_odds_differ() -> None:
    rng = np.random.default_rng(6)
    first, second = sums(rng, 400, 8, BASE), sums(rng, 400, 8, BASE + 0.15)
    (found,) = judge_gains([compare_gains(first, second, list(FACTIONS), NAMED, 400)])
    assert found.frame.filter(pl.col("p_holm") < 0.05).height > 0
    assert found.levels == []


NAMES = ("random", "greedy", "balanced", "military")


def test_games_to_be_ahead_are_those_of_all_ways_to_win() -> None:
    for p in (0.6, 0.75, 0.9, 0.99):
        games = games_to_be_ahead(p)
        assert games is not None
        assert stats.binom.sf(games // 2, games, p) >= 0.95
        assert games == 1 or stats.binom.sf((games - 2) // 2, games - 2, p) < 0.95
    assert [games_to_be_ahead(p) for p in (0.5, 0.5001, 1.0)] == [None, None, 1]


def test_a_coin_explains_nothing_and_a_certain_winner_everything() -> None:
    assert explained_variance(np.array([[100.0, 50.0]])) == 0
    assert explained_variance(np.array([[100.0, 100.0], [80.0, 0.0]])) == 1


def test_the_longest_chain_skips_those_who_are_not_surely_apart() -> None:
    sure = [("a", "b"), ("b", "d"), ("a", "c"), ("a", "d")]
    frame = pl.DataFrame({"level": [one for one, _ in sure], "level2": [two for _, two in sure], "flag": "strong"})
    assert longest_chain(frame) == ("a", "b", "d")
    circle = pl.DataFrame({"level": ["a", "b", "c"], "level2": ["b", "c", "a"], "flag": "strong"})
    assert len(longest_chain(circle)) == 3
    assert longest_chain(frame.with_columns(flag=pl.lit(""))) == ()


def test_skill_share_and_chain_are_those_of_drawn_orders(tmp_path: Path) -> None:
    strengths = dict(zip(NAMES, (-2.0, 0.0, 1.0, 1.0), strict=True))
    run = empirelab.simulate("seven_wonders", games=1200, strategies=list(NAMES), out=tmp_path / "run", progress=False)
    opened_run = load_run(run.folder)
    seats = opened_run.seats.collect()
    own = seats["strategy"].cast(pl.String).replace_strict(strengths).to_numpy()
    order = -(own + np.random.default_rng(3).gumbel(size=own.size)).reshape(-1, 4)
    rank = 1 + order.argsort(axis=1).argsort(axis=1).ravel()
    drawn = replace(opened_run, seats=seats.with_columns(pl.Series("rank", rank.astype(np.uint8))).lazy())
    found = skill_share(drawn)
    pairs = [(a, b) for place, a in enumerate(NAMES) for b in NAMES[place + 1 :]]
    truth = np.mean([(2 * expit(strengths[a] - strengths[b]) - 1) ** 2 for a, b in pairs])
    assert found.low < truth < found.high
    assert found.share == pytest.approx(truth, abs=0.05)
    assert len(found.chain) == 3
    assert found.chain[1:] == ("greedy", "random")
    section = skill_share_section(drawn)
    assert [claim.kind for claim in section.claims] == ["skill", "matchup", "matchup"]
    assert not any(claim.false_of(truth) for claim in section.claims if claim.kind == "skill")


def test_players_who_never_met_have_no_skill_share(tmp_path: Path) -> None:
    run = empirelab.simulate("seven_wonders", games=40, strategies="balanced", out=tmp_path / "run", progress=False)
    assert "No two players met" in skill_share_section(load_run(run.folder)).sentences[0]
