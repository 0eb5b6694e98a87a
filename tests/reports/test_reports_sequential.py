"""Stopping rules keep their promises: coverage, error rates, and the same answer wherever the rows are cut."""

from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reports.data.load import load_run
from reports.data.moments import block_moments
from reports.statistics.core.sprt import (
    add_paired,
    always_valid_reach,
    answer_word,
    caution_blocks,
    is_settled,
    paired_estimate,
    sprt_answers,
    update_state,
)
from reports.statistics.core.win_rate import edge_columns, win_rates
from reports.studies.compare.sprt import difference_rule, play_in_step
from reports.studies.compare.sprt_report import difference_section
from reports.studies.sample_size.sequential import (
    FIRST_LOOK,
    Gathering,
    add_block_moments,
    cautious_reach,
    look_schedule,
    scaled,
    sum_blocks,
    until_width_rule,
    watch_names,
    watch_table,
)
from sim.engine.result_rows import BLOCK, FACTION, GAME, RANK, SEAT, STRATEGY
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import play_run

REPEATS = 1500


def plan_of(**more: Any) -> Plan:
    strategies = more.pop("strategies", ["balanced", "military", "science"])
    return make_plan(RunConfig(game="seven_wonders", strategies=strategies, **more))


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of()


def made_up_rows(plan: Plan, blocks: int, seed: int = 1, helped: int = -1, by: float = 0.0) -> np.ndarray:
    """Seat rows of made-up games: ranks by luck shared within a block; faction `helped` is better by `by`."""
    rng = np.random.default_rng(seed)
    players, games = plan.players, blocks * plan.block_games
    factions = rng.random((blocks, len(plan.factions))).argsort(axis=1)[:, :players]
    teams = rng.integers(0, len(plan.strategies), (blocks, players))
    fortune = rng.normal(0, 1, (blocks, players)) + by * (factions == helped)
    turn = (np.arange(players)[None, :] + np.arange(plan.block_games)[:, None]) % players
    faction, team, fate = (a[:, turn].reshape(games, players) for a in (factions, teams, fortune))
    fate = np.round(4 * (fate + rng.normal(0, 2, fate.shape)))
    rows = np.zeros((games * players, plan.columns), np.int32)
    rows[:, GAME] = np.repeat(np.arange(games), players)
    rows[:, BLOCK] = rows[:, GAME] // plan.block_games
    rows[:, SEAT] = np.tile(np.arange(players), games)
    rows[:, FACTION], rows[:, STRATEGY] = faction.ravel(), team.ravel()
    rows[:, RANK] = (1 + (fate[:, None, :] > fate[:, :, None]).sum(axis=2)).ravel()
    return rows


def cut_at(rows: np.ndarray, cuts: list[int]) -> list[np.ndarray]:
    return np.split(rows, sorted({cut % len(rows) for cut in cuts}))


# ---- Width ----


def test_looks_are_fixed_and_never_far_apart() -> None:
    found = list(islice(look_schedule(), 100))
    assert found[:3] == [250, 500, 750]
    assert found[19:22] == [5000, 5250, 5513]
    steps = np.diff(found)
    assert (steps[20:] <= 0.0503 * np.array(found[20:-1])).all()
    assert (steps > 0).all()


def test_a_rule_sums_blocks_as_the_report_does(plan: Plan, tmp_path: Path) -> None:
    play_run(plan, 480, tmp_path / "run", jobs=1)
    run = load_run(tmp_path / "run")
    seats = run.seats.collect()
    rows = np.zeros((seats.height, plan.columns), np.int32)
    for column, name in ((SEAT, "seat"), (FACTION, "faction"), (STRATEGY, "strategy"), (RANK, "rank")):
        rows[:, column] = seats[name].to_physical().to_numpy()
    for table in ("faction", "strategy", "seat"):
        gathering, moments = Gathering(plan.players * plan.block_games), {}
        gathering.add(rows)
        for blocks in (50, 120):
            part = gathering.upto(blocks)
            assert part is not None
            add_block_moments(moments, sum_blocks(part, watch_table(plan, table), plan.players, plan.block_games))
        expected = win_rates(block_moments(run.seats, [table]), [table])
        edges = edge_columns(scaled(moments, plan.players))
        for name in ("edge", "edge_low", "edge_high", "error"):
            assert edges[name] == pytest.approx(expected[name].to_numpy(), abs=1e-12), (table, name)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 10**6), max_size=30))
def test_where_rows_are_cut_makes_no_difference(cuts: list[int]) -> None:
    plan = plan_of()
    rows = made_up_rows(plan, 3000)
    whole = until_width_rule(plan, 2.3, "all")
    stop = whole(rows)
    assert stop is not None
    assert stop % (FIRST_LOOK * plan.block_games) == 0
    rule = until_width_rule(plan, 2.3, "all")
    answers = [rule(piece) for piece in cut_at(rows, cuts)]
    assert next(answer for answer in answers if answer is not None) == stop
    assert dict(rule.record) == dict(whole.record)


def test_a_run_stops_where_the_intervals_of_its_report_are_narrow_enough(plan: Plan, tmp_path: Path) -> None:
    rule = until_width_rule(plan, 4.0, "strategy")
    done = play_run(plan, 20_000, tmp_path / "run", jobs=2, shard_games=700, stop_rule=rule)
    assert done.games == rule.enough < 20_000
    run = load_run(tmp_path / "run")
    shares = win_rates(block_moments(run.seats, ["strategy"]), ["strategy"])
    assert ((shares["edge_high"] - shares["edge_low"]) / 2 <= 0.04).all()
    stopped = run.manifest.stopped
    assert (stopped["rule"], stopped["width"], stopped["of"], stopped["enough"]) == ("until-width", 4, "strategy", True)
    assert stopped["reached"] <= 4.0


@pytest.mark.parametrize(
    ("width", "share", "low"), [(0.05, 0.25, 0.93), (0.02, 0.25, 0.93), (0.015, 0.05, 0.925), (0.03, 0.6, 0.93)]
)
def test_intervals_cover_the_truth_after_stopping(width: float, share: float, low: float) -> None:
    """Rows that occur in two blocks of seven; wins within a block go together (beta-binomial)."""
    rng = np.random.default_rng(7)
    moments: dict[str, Any] = {}
    running, covered = np.ones(REPEATS, bool), np.zeros(REPEATS, bool)
    before = 0
    for look in takewhile(lambda look: look <= 10_000, look_schedule()):
        there = rng.random((look - before, REPEATS)) < 2 / 7
        wins = rng.binomial(4, rng.beta(3 * share, 3 * (1 - share), there.shape)) * there
        before = look
        add_block_moments(moments, {"N": 4.0 * there, "W": 12.0 * wins, "E": 12.0 * there})
        edges = edge_columns(scaled(moments, 4))
        stops = running & (cautious_reach(scaled(moments, 4)) <= width)
        truth = share - 0.25
        covered[stops] = ((edges["edge_low"] <= truth) & (truth <= edges["edge_high"]))[stops]
        running &= ~stops
        if not running.any():
            break
    assert not running.any()
    assert low <= covered.mean() <= 0.97


def test_a_row_that_has_not_occurred_keeps_a_run_going(plan: Plan) -> None:
    rows = made_up_rows(plan, 1000)
    rows[rows[:, FACTION] == 3, FACTION] = 4
    rule = until_width_rule(plan, 40.0)
    assert rule(rows) is None
    assert rule.record["reached"] is None
    assert rule.record["least_precise"] == plan.data.factions[3].name


def test_the_table_is_that_of_factions_unless_there_is_one_only_or_another_is_named(plan: Plan) -> None:
    assert until_width_rule(plan, 1.0).of == "faction"
    fixed = plan_of(players=3, assign="fixed", strategies=["balanced"])
    assert [watch.table for watch in until_width_rule(fixed, 1.0, "all").watches] == ["faction", "seat"]
    with pytest.raises(UserError, match="did you mean 'faction'"):
        until_width_rule(plan, 1.0, "factions")
    with pytest.raises(UserError, match="one row cannot be measured"):
        until_width_rule(fixed, 1.0, "strategy")


# ---- Two arms ----


@cache
def simulated_tests(
    differ: float, change: float, effect: float, every: int, most: int = 40_000, seed: int = 1
) -> tuple[list[str], np.ndarray, float]:
    """Answers, blocks needed and how often the always-valid interval held, of tests at looks `every` blocks apart.

    In a share `differ` of the blocks the arms differ by one win; B wins more often by `change`.
    """
    rng = np.random.default_rng(seed)
    c, cc = np.zeros(REPEATS), np.zeros(REPEATS)
    state, needed, held = np.zeros(REPEATS, np.int8), np.zeros(REPEATS), np.ones(REPEATS, bool)
    for blocks in range(every, most + 1, every):
        more = rng.binomial(every, (differ + change) / 2, REPEATS)
        less = rng.binomial(every - more, (differ - change) / (2 - differ - change))
        c, cc = c + more - less, cc + more + less
        size = np.full(REPEATS, float(blocks))
        sums = {"blocks": size, "N": size, "NN": size, "C": c, "CC": cc, "CN": c, "largest": np.ones(REPEATS)}
        estimate, variance = paired_estimate(sums, caution_blocks(0.05))
        held &= is_settled(state) | (np.abs(estimate - change) <= always_valid_reach(variance, effect))
        before = is_settled(state)
        state = update_state(state, sprt_answers(estimate, variance, effect, 0.05, 0.05))
        needed[is_settled(state) & ~before] = blocks
        if is_settled(state).all():
            break
    return [answer_word(int(one)) for one in state], needed, float(held.mean())


def share_of(answers: list[str], *words: str) -> float:
    return sum(answer in words for answer in answers) / len(answers)


TOLERANCE = 2.6 * (0.05 * 0.95 / REPEATS) ** 0.5
"""What chance does to a rate of 5 % in so many tests, in 99 of 100 cases."""


@pytest.mark.parametrize(
    ("differ", "every"),
    [
        (0.5, 250),
        (0.05, 1000),
        pytest.param(0.5, 1000, marks=pytest.mark.sweep),
        pytest.param(0.05, 250, marks=pytest.mark.sweep),
    ],
)
def test_error_rates_are_kept_whatever_the_size_of_a_step(differ: float, every: int) -> None:
    effect = 0.03 if differ == 0.5 else 0.02
    fixed = ((stats.norm.ppf(0.975) + stats.norm.ppf(0.95)) / effect) ** 2 * differ
    for change, right, wrong, most in (
        (0.0, "same", "open", 0.85), (effect, "more", "less", 0.7), (-effect, "less", "more", 0.7),
    ):  # fmt: skip
        answers, needed, held = simulated_tests(differ, change, effect, every)
        assert share_of(answers, right) >= 0.95 - TOLERANCE
        assert share_of(answers, "open", wrong) == 0
        assert held >= 0.95
        if fixed > 10 * every:
            assert needed.mean() < most * fixed


def test_a_wide_difference_is_found_early() -> None:
    _, at_the_effect, _ = simulated_tests(0.5, 0.03, 0.03, 250)
    answers, needed, _ = simulated_tests(0.5, 0.06, 0.03, 250)
    assert share_of(answers, "more") > 0.999
    assert needed.mean() < at_the_effect.mean() / 2


def test_a_rare_but_full_difference_is_not_called_none() -> None:
    """One block in a hundred differs, always the same way: the test must not stop before it has seen some."""
    answers, _, _ = simulated_tests(0.0100001, 0.01, 0.01, 250)
    assert share_of(answers, "same") <= 0.05 + TOLERANCE


def test_the_paired_estimate_is_that_of_the_blocks() -> None:
    rng = np.random.default_rng(3)
    games = rng.integers(0, 5, (400, 3)).astype(float)
    change = np.round(rng.normal(0.1, 1, (400, 3))) * (games > 0)
    moments: dict[str, Any] = {}
    for part in (slice(0, 150), slice(150, 400)):
        add_paired(moments, games[part], games[part], change[part])
    found = np.transpose(paired_estimate(moments, 0.0))
    for row in range(3):
        n, c = games[games[:, row] > 0, row], change[games[:, row] > 0, row]
        d = c.sum() / n.sum()
        slow = len(n) / (len(n) - 1) * ((c - d * n) ** 2).sum() / n.sum() ** 2
        assert found[row] == pytest.approx((d, slow))
    with pytest.raises(UserError, match="do not share their deals"):
        add_paired({}, games, games + 1, change)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 10**6), max_size=12))
def test_two_arms_may_be_cut_anywhere(cuts: list[int]) -> None:
    plan = plan_of()
    arms = made_up_rows(plan, 3000, 5), made_up_rows(plan, 3000, 5, helped=2, by=1.0)
    name = plan.data.factions[2].name
    whole = difference_rule(plan, 10.0, [name])
    stop = whole(*arms)
    assert answer_word(int(whole.state[0])) == "more"
    rule = difference_rule(plan, 10.0, [name])
    pieces = zip(*(cut_at(rows, cuts) for rows in arms), strict=True)
    assert next(answer for a, b in pieces if (answer := rule(a, b)) is not None) == stop


def test_equal_arms_do_not_differ(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made_up_rows(plan, 4000)
    rule = difference_rule(plan, 2.0)
    assert rule(rows, rows) is not None
    assert {answer_word(int(state)) for state in rule.state} == {"same"}
    section = difference_section(rule, 16_000)
    assert section.sentences[0].startswith("No difference of 2 points: Alexandria A")
    assert "so it is wider" in " ".join(section.sentences)  # intervals of all rows at once are wide
    assert section.listings[0].frame["decided"].null_count() == 0
    # An interval wider than the difference ruled out is explained.
    reach = "reports.studies.compare.sprt_report.always_valid_reach"
    monkeypatch.setattr(reach, lambda variance, effect, alpha: np.full(len(variance), 0.021))
    said = difference_section(rule, 16_000).sentences[1]
    assert said.startswith("The test can confirm that a difference is smaller than 2 points before its size is known")


def test_the_interval_that_holds_at_every_look_is_where_the_mixture_rejects_at_tables_of_three() -> None:
    plan = plan_of(players=3)
    helped = sorted(set(plan.factions))[0]
    one, two = made_up_rows(plan, 900), made_up_rows(plan, 900, helped=helped, by=0.4)
    rule = difference_rule(plan, 3.0, [plan.data.factions[helped].name])
    rule(one, two)
    row = difference_section(rule, 2700).listings[0].frame.to_dicts()[0]

    def by_block(weights: np.ndarray) -> np.ndarray:
        own = one[:, FACTION] == helped
        return np.bincount(one[own, BLOCK], weights[own], 900)[: rule.blocks]

    wins = [(rows[:, RANK] == 1).reshape(-1, 3) / (rows[:, RANK] == 1).reshape(-1, 3).sum(1, keepdims=True)
            for rows in (one, two)]  # fmt: skip
    games, change = by_block(np.ones(len(one))), by_block((wins[1] - wins[0]).ravel())
    played = (games > 0).sum()
    estimate = change.sum() / games.sum()
    squares = ((change - estimate * games) ** 2).sum() + caution_blocks(0.05) * games.max() ** 2
    information = games.sum() ** 2 * (played - 1) / played / squares
    assert row["change"] == pytest.approx(estimate)
    # The normal mixture with spread r bets against a sum S of information V: it has won 1/alpha at the interval's end.
    reach = (row["high"] - row["low"]) / 2
    spread = 2 * np.log(40) / 0.03**2 / (2 * np.log(20) + np.log1p(2 * np.log(20)))
    bet = np.sqrt(spread / (information + spread)) * np.exp((reach * information) ** 2 / 2 / (information + spread))
    assert bet == pytest.approx(20)


def test_intervals_of_the_table_hold_for_all_rows_at_once(plan: Plan) -> None:
    rule = difference_rule(plan, 2.0, alpha=0.1)
    rule(made_up_rows(plan, 900), made_up_rows(plan, 900))
    frame = difference_section(rule, 4000).listings[0].frame
    reach = always_valid_reach(rule.estimates()[1], 0.02, 0.1 / len(rule.state))
    assert sorted(frame["high"] - frame["change"]) == pytest.approx(sorted(reach))


def test_answers_are_claimed_with_the_side_or_the_difference_that_they_name(plan: Plan) -> None:
    helped = sorted(set(plan.factions))[0]
    rule = difference_rule(plan, 10.0, [plan.data.factions[helped].name, "seat 1"])
    rule(made_up_rows(plan, 3000), made_up_rows(plan, 3000, helped=helped, by=3.0))
    claims = {claim.subject: claim for claim in difference_section(rule, 12_000).claims}
    more, same = claims[plan.data.factions[helped].name], claims["seat 1"]
    assert more.false_of(0.0)
    assert (more.kind, more.high) == ("differs between arms", None)
    assert (same.kind, same.low, same.high) == ("no such difference", -0.1, 0.1)


def test_two_arms_are_played_no_longer_than_needed(plan: Plan) -> None:
    changed = plan_of(changes=["cards.toml#pawnshop.vp=40"])
    rules = [difference_rule(plan, 10.0, ["science", "seat 1"]) for _ in range(2)]
    played = [play_in_step(plan, changed, 20_000, rule, jobs=jobs) for rule, jobs in zip(rules, (1, 2), strict=True)]
    assert played[0] == played[1] < 20_000
    assert (rules[0].state == rules[1].state).all()
    assert answer_word(int(rules[0].state[1])) == "same"


def test_too_few_games_leave_every_answer_open(plan: Plan) -> None:
    rule = difference_rule(plan, 1.0, ["science"])
    assert play_in_step(plan, plan, 40, rule, jobs=1) == 40
    section = difference_section(rule, 40)
    assert section.sentences[0] == "Undecided after 40 games: science. More games may decide."
    frame = section.listings[0].frame
    assert frame["decided"].to_list() == [None]
    assert difference_section(difference_rule(plan, 1.0), 40).listings[0].frame["note"][0] == "too few blocks"


def test_rows_are_watched_by_any_of_their_names(plan: Plan) -> None:
    watches = watch_names(plan, ["rhodos b", "Rhodos", "seat 2", "science", "A"])
    assert [(watch.table, watch.names[0]) for watch in watches] == [
        ("faction", "Rhodos B"), ("wonder", "Rhodos"), ("seat", "seat 2"), ("strategy", "science"), ("side", "A"),
    ]  # fmt: skip
    assert [int(watch.members.sum()) for watch in watches] == [1, 2, 1, 1, 7]
