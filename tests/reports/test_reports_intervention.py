"""The intervention: the same deals with a card changed, and the same seats compared with themselves."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from reports.data.piece_counts import UNIT
from reports.render.chart import png
from reports.sections.pieces.piece_effects import intervention_section
from reports.statistics.core.win_rate import minimum_detectable_effect
from reports.statistics.pieces.piece_effects import (
    ALIKE,
    ALL,
    COUNTS,
    NEVER,
    SUMS,
    Intervention,
    add_differences,
    effects_frame,
    find_first_differing_turns,
)
from reports.studies.parts import intervene as intervention
from reports.studies.parts.intervene import changed_plan, changes_for, choose_pieces, play_intervention
from sim.compiler.kernel import compiled
from sim.engine.result_rows import FIXED_COLUMNS, RANK, SCORE
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.run import play_run
from tests.reports.claims import pieces_worth_nothing, sums_of_pieces

EVENTS = np.array([3, 4])
IN_PLAY = np.array([True, False])
needs_compiling = pytest.mark.skipif(not compiled(), reason="too slow without compiling")


@pytest.fixture(scope="module")
def plan(plan_of: Callable[..., Plan]) -> Plan:
    return plan_of(strategies=["balanced", "military"], players=3, seed=5)


# ---- Sums ----


def test_arms_part_in_the_first_turn_that_differs() -> None:
    a = np.array([[7, 0, 2, 3, 0], [7, 1, 2, 0, 9], [8, 0, 1, 1, 0], [9, 0, 1, 4, 0]])
    b = np.array([[7, 0, 2, 3, 0], [7, 1, 1, 5, 0], [8, 0, 1, 1, 0], [9, 0, 1, 6, 0], [9, 2, 3, 2, 0]])
    apart = np.full(3, NEVER)
    find_first_differing_turns(a, b, EVENTS, 7, apart)
    assert apart.tolist() == [5, NEVER, 2]
    apart[:] = NEVER
    find_first_differing_turns(b, a, EVENTS, 7, apart)
    assert apart.tolist() == [5, NEVER, 2]


def parted_by_luck(games: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Arms that part in turn 3 in every game for no reason of the card's; who is lucky in A then builds it in turn 6.

    Card 0 is worth nothing. Half of the games have it built in turn 3, before any luck.
    """
    luck_a, luck_b = rng.random((2, games))
    early = rng.random(games) < 0.5
    win_a, win_b = (rng.random(games) < luck for luck in (luck_a, luck_b))
    seats_a, seats_b = np.zeros((2, 2 * games, FIXED_COLUMNS), np.int32)
    for seats, won in ((seats_a, win_a), (seats_b, win_b)):
        seats[0::2, RANK], seats[1::2, RANK] = np.where(won, 1, 2), np.where(won, 2, 1)
        seats[0::2, SCORE] = np.where(won, 10, 0)
    built = np.where(early, 3, np.where(luck_a > 0.5, 6, 0))
    game = np.arange(games)
    zeros = np.zeros_like(game)
    rows_a = np.stack([game, zeros, zeros, built, np.where(built == 0, 9, 0)], axis=1)
    other = np.stack([game, zeros + 1, zeros + 1, zeros + 3, zeros], axis=1)
    rows_a = np.stack([rows_a, other], axis=1).reshape(-1, 5)
    rows_b = np.stack([game, zeros, zeros, zeros, zeros + 3], axis=1)  # in B it is discarded in turn 3
    return seats_a, rows_a, seats_b, rows_b


@pytest.mark.slow
def test_seats_chosen_after_the_arms_parted_look_better_than_they_are() -> None:
    seats_a, rows_a, seats_b, rows_b = parted_by_luck(8000, np.random.default_rng(1))
    apart = np.full(8000, NEVER)
    find_first_differing_turns(rows_a, rows_b, EVENTS, 0, apart)
    assert set(apart) == {3}
    sums, counts = np.zeros((1, 2, len(SUMS))), np.zeros((1, len(COUNTS)), np.int64)
    add_differences(seats_a, rows_a, seats_b, rows_b, 0, EVENTS, IN_PLAY, apart, 2, 1, 0, sums[0], counts[0])
    row = effects_frame("card", ["X"], sums, counts).row(0, named=True)
    assert row["worth_all"] > 0.05
    assert row["worth_all_low"] > 0
    assert row["low"] < 0 < row["high"]
    assert row["high"] - row["low"] < 0.06
    assert 0.6 < row["compared"] < 0.75


def test_sums_are_those_of_a_plain_count_by_block() -> None:
    rng = np.random.default_rng(4)
    games, players, block_games, first = 60, 3, 3, 30
    seats = np.zeros((2, games * players, FIXED_COLUMNS), np.int32)
    seats[..., RANK] = rng.integers(1, 3, seats.shape[:2])
    for game in range(games):
        seats[:, game * players, RANK] = 1
    seats[..., SCORE] = rng.integers(0, 90, seats.shape[:2])
    places = np.array([(first + g, s, c) for g in range(games) for s in range(players) for c in range(2)])
    turns = rng.integers(0, 5, (2, len(places), 2)) * (rng.random((2, len(places), 2)) < 0.5)
    rows_a, rows_b = (np.concatenate([places, t], axis=1) for t in turns)
    apart = rng.integers(1, 6, games)
    sums, counts = np.zeros((2, len(SUMS))), np.zeros(len(COUNTS), np.int64)
    add_differences(
        seats[0], rows_a, seats[1], rows_b, 1, EVENTS, IN_PLAY, apart, players, block_games, first, sums, counts
    )
    wins = np.zeros((2, games * players))
    for arm in range(2):
        for game in range(games):
            ranks = seats[arm, game * players : (game + 1) * players, RANK]
            wins[arm, game * players : (game + 1) * players] = (ranks == 1) / (ranks == 1).sum()
    mine_a, mine_b = (rows[rows[:, 2] == 1] for rows in (rows_a, rows_b))
    own = mine_a.copy()
    own[:, 3] = np.minimum(np.where(mine_a[:, 3] > 0, mine_a[:, 3], 99), np.where(mine_b[:, 3] > 0, mine_b[:, 3], 99))
    own = own[own[:, 3] < 99]
    for group in (ALIKE, ALL):
        kept = own[own[:, 3] <= apart[own[:, 0] - first]] if group == ALIKE else own
        at = (kept[:, 0] - first) * players + kept[:, 1]
        table = pl.DataFrame({
            "block": kept[:, 0] // block_games, "d": wins[0, at] - wins[1, at], "w": wins[0, at],
            "s": (seats[0, at, SCORE] - seats[1, at, SCORE]).astype(float),
        }).group_by("block").agg(pl.len().alias("n"), pl.col("d", "s", "w").sum())  # fmt: skip
        n, d, s = (table[name].to_numpy().astype(float) for name in ("n", "d", "s"))
        expected = {
            "N": n.sum(), "W": d.sum() * UNIT, "S": s.sum(), "NN": n @ n, "DD": d @ d * UNIT**2, "DN": d @ n * UNIT,
            "SS": s @ s, "SN": s @ n, "blocks": len(n), "largest": n.max(),
            "differing": (np.abs(d) > 1e-9).sum(), "won": table["w"].sum() * UNIT,
        }  # fmt: skip
        found = dict(zip(SUMS, sums[group], strict=True))
        assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert counts.tolist() == [games * players, games * players, (mine_a[:, 3] > 0).sum(), (mine_b[:, 3] > 0).sum()]


def test_intervals_cover_a_known_worth_and_few_false_alarms() -> None:
    repetitions = 1000
    sums, counts = sums_of_pieces(repetitions, (0.3, 0.2), seed=7)
    frame = effects_frame("card", [str(number) for number in range(repetitions)], sums, counts)
    inside = ((frame["low"] <= 0.1) & (frame["high"] >= 0.1)).mean()
    assert 0.93 <= inside <= 0.97  # type: ignore[operator]
    flipped = effects_frame("card", [str(number) for number in range(repetitions)], sums, counts, removed=False)
    assert sorted((-frame["worth"]).to_list()) == pytest.approx(sorted(flipped["worth"].to_list()))


def test_a_card_that_says_too_little_gets_a_word() -> None:
    sums, counts = np.zeros((4, 2, len(SUMS))), np.zeros((4, len(COUNTS)), np.int64)
    counts[1:, :2] = counts[2:, 2] = 5
    sums[3][:, [SUMS.index(name) for name in ("N", "NN", "blocks")]] = 1
    frame = effects_frame("card", ["none", "unbuilt", "late", "one"], sums, counts)
    assert dict(frame.select("card", "note").rows()) == {
        "none": "never dealt", "unbuilt": "never in play", "late": "never in play alike", "one": "too few blocks",
    }  # fmt: skip
    assert frame["low"].null_count() == 4
    assert frame["worth"].null_count() == 4
    assert set(frame["flag"]) == {""}


# ---- Real games ----


@pytest.mark.slow
@needs_compiling
def test_figures_agree_with_two_runs_on_disk(plan: Plan, tmp_path: Path) -> None:
    card = choose_pieces(plan.game, plan.data, ["Timber Yard"])[0]
    found = play_intervention(plan, 240, [card], jobs=1).frame.row(0, named=True)
    arms = (plan, changed_plan(plan, changes_for(plan.game, plan.data, card, "none")))
    frames = []
    for number, arm in enumerate(arms):
        play_run(replace(arm, keeps_pieces=True), 240, tmp_path / str(number), jobs=1)
        seats = pl.read_parquet(tmp_path / str(number) / "seats/*.parquet").select("game", "seat", "win", "score")
        frames.append((seats, pl.read_parquet(tmp_path / str(number) / "cards/*.parquet")))
    (seats_a, cards_a), (seats_b, cards_b) = frames
    built = (pl.col("card").cast(pl.String) == plan.data.pieces[card]) & (pl.col("built_turn") > 0)
    either = pl.concat([frame.filter(built).select("game", "seat", "built_turn") for frame in (cards_a, cards_b)])
    mine = either.group_by("game", "seat").agg(pl.col("built_turn").min())
    pairs = mine.join(seats_a, on=["game", "seat"]).join(seats_b, on=["game", "seat"], suffix="_b")
    events = ["built_turn", "stage_turn", "discard_turn"]
    both = cards_a.join(cards_b, on=["game", "seat", "card"], how="full", coalesce=True, suffix="_b").fill_null(0)
    turns = pl.concat([
        both.filter(pl.col(name) != pl.col(f"{name}_b")).select("game", turn=pl.col(own))
        for name in events for own in (name, f"{name}_b")
    ])  # fmt: skip
    apart = turns.filter(pl.col("turn") > 0).group_by("game").agg(pl.col("turn").min())
    alike = pairs.join(apart, on="game", how="left").filter(pl.col("built_turn") <= pl.col("turn").fill_null(99))
    assert found["games"] == alike.height > 50
    assert found["worth"] == pytest.approx((alike["win"] - alike["win_b"]).mean(), abs=1e-6)
    assert found["score"] == pytest.approx((alike["score"].cast(pl.Int64) - alike["score_b"].cast(pl.Int64)).mean())
    assert found["worth_all"] == pytest.approx((pairs["win"] - pairs["win_b"]).mean(), abs=1e-6)
    assert found["compared"] == pytest.approx(alike.height / pairs.height)


@needs_compiling
def test_a_card_made_what_it_is_changes_nothing(plan: Plan) -> None:
    card, same = choose_pieces(plan.game, plan.data, ["Timber Yard"]), 'effects=[{ produce = ["wood", "stone"] }]'
    row = play_intervention(plan, 90, card, same, jobs=1).frame.row(0, named=True)
    assert (row["worth"], row["note"], row["compared"]) == (0, "no win differs", 1)
    assert row["built"] == row["built_changed"]


@needs_compiling
def test_results_do_not_depend_on_the_number_of_workers_or_the_stretch(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = choose_pieces(plan.game, plan.data, ["Palace", "Loom"])
    done: list[int] = []
    one = play_intervention(plan, 240, cards, jobs=1, progress=done.append)
    assert sum(done) == 240 * 4
    monkeypatch.setattr(intervention, "PIECE_STRETCH_GAMES", 50)
    assert play_intervention(plan, 240, cards, jobs=2).frame.equals(one.frame)


@needs_compiling
def test_players_pass_over_a_card_without_effects_and_miss_its_points(plan: Plan) -> None:
    palace = choose_pieces(plan.game, plan.data, ["Palace"])
    found = play_intervention(plan, 600, palace, jobs=1)
    row = found.frame.row(0, named=True)
    assert row["built_changed"] < row["built"] / 4
    assert 0 < row["score_low"] < row["score"] < 8
    free = play_intervention(plan, 300, palace, "free", jobs=1).frame.row(0, named=True)
    assert free["built_changed"] > free["built"]
    section = intervention_section(found)
    assert any("Palace (3)" in sentence or "no difference" in sentence for sentence in section.sentences)
    assert len(png(section.pictures[0].draw().figure)) > 3000  # type: ignore[arg-type]


def test_a_card_compared_in_few_blocks_has_no_figures_but_the_games_it_takes(plan: Plan) -> None:
    """All who had the card won by it, in one block, in 19 and in 20."""
    sums, counts = np.zeros((3, 2, len(SUMS))), np.full((3, len(COUNTS)), 40, np.int64)
    for place, blocks in enumerate((1, 19, 20)):
        values = {"blocks": blocks, "N": blocks, "NN": blocks, "W": blocks * UNIT, "DD": blocks * UNIT**2,
                  "DN": blocks * UNIT, "differing": blocks, "won": blocks * UNIT}  # fmt: skip
        for name, value in values.items():
            sums[place, :, SUMS.index(name)] = value
    frame = effects_frame("card", ["one", "nineteen", "twenty"], sums, counts)
    figures = ["worth", "low", "score", "win_rate", "worth_all", "p", "mde"]
    for name in ("one", "nineteen"):
        row = frame.filter(card=name).row(0, named=True)
        assert {row[column] for column in figures} == {None}
        assert (row["flag"], row["note"]) == ("", "too few blocks")
    assert frame.filter(card="twenty")["worth"].item() == 1
    found = Intervention(frame, "card", "none", plan, 600)
    said = "; of 2 cards with fewer one has 1, the fewest: play about 12,000 games."
    assert f"At least 20 blocks with seats to compare are needed{said}" in intervention_section(found).listings[0].note
    alone = intervention_section(replace(found, frame=frame.filter(card="nineteen")))
    assert alone.sentences[0].endswith(
        "At least 20 blocks with seats to compare are needed; nineteen has 19: play about 640 games."
    )
    assert alone.pictures == ()


# ---- Names ----


def test_names_stand_for_cards(plan: Plan) -> None:
    chosen = choose_pieces(plan.game, plan.data, ["loom"])
    assert [plan.data.pieces[card] for card in chosen] == ["Loom (1)", "Loom (2)"]
    assert choose_pieces(plan.game, plan.data, ["Loom (2)", "loom 2"]) == chosen[1:]
    assert choose_pieces(plan.game, plan.data, ["all"]) == list(range(len(plan.data.pieces)))


def test_a_game_that_has_empires_is_told_of_empires(plan: Plan) -> None:
    assert plan.game.pieces is not None
    game = replace(plan.game, pieces=replace(plan.game.pieces, name="empire", plural="empires"))
    with pytest.raises(UserError, match=r"unknown empire.*allowed: an empire's name, or all"):
        choose_pieces(game, plan.data, ["Atlantis"])
    with pytest.raises(UserError, match="an empire is made none, half, free, or gets a field's value"):
        changes_for(game, plan.data, 0, "nothing")
    without = replace(game, pieces=replace(plan.game.pieces, name="empire", plural="empires", in_files=None))
    with pytest.raises(UserError, match="7 Wonders has no empires that could be changed"):
        choose_pieces(without, plan.data, ["Atlantis"])


def test_what_empires_are_worth_is_said_of_empires(plan: Plan) -> None:
    sums, counts = np.zeros((2, 2, len(SUMS))), np.full((2, len(COUNTS)), 400, np.int64)
    values = {"blocks": 400, "N": 400, "NN": 400, "W": 80 * UNIT, "DD": 120 * UNIT**2, "DN": 80 * UNIT,
              "differing": 120, "won": 200 * UNIT}  # fmt: skip
    for name, value in values.items():
        sums[0, :, SUMS.index(name)] = value
    frame = effects_frame("empire", ["Rome", "Athens"], sums, counts)
    section = intervention_section(Intervention(frame, "empire", "none", plan, 400))
    assert section.title == "Value of empires"
    assert section.sentences[0].startswith("Worth most to seats that play them: Rome +20.0 ± ")
    assert section.sentences[-1].endswith("each played as printed and again with each empire without its effects.")
    assert section.listings[0].shown[0].title == "empire"
    assert section.listings[0].note.startswith("Unknown for 1 of 2 empires.")
    assert [tick.get_text() for tick in section.pictures[0].draw().get_yticklabels()] == ["Rome"]
    changed = intervention_section(Intervention(frame, "empire", "free", plan, 400))
    assert changed.title == "An empire without its cost"
    meanings = [column.meaning for column in changed.listings[0].shown]
    assert "card" not in " ".join([*section.sentences, *changed.sentences, section.reading, *meanings])


@pytest.mark.parametrize(
    ("make", "message"),
    [("nothing", "none, half, free, or"), ("effects=", "none, half, free, or"), ("vpp=3", "no such field"),
     ("effects=[{ vpp = 3 }]", "did you mean 'vp'"), ("cost=3", "cost")],
)  # fmt: skip
def test_impossible_changes_are_refused(make: str, message: str, plan: Plan) -> None:
    with pytest.raises(UserError) as error:
        changed_plan(plan, changes_for(plan.game, plan.data, 0, make))
    assert message in str(error.value)


def test_what_would_have_been_found_is_said_of_the_piece_of_which_least_is_known() -> None:
    (section,) = pieces_worth_nothing(0).spoken
    frame = section.listings[0].frame.filter(pl.col("low").is_not_null())
    calm = frame.filter(pl.col("flag") == "")
    error, blocks = (calm[name].to_numpy().astype(float) for name in ("error", "blocks"))
    most = 100 * minimum_detectable_effect(error, blocks, frame.height).max()
    assert f"one of {most:.1f} points would have been found with 80 % power" in " ".join(section.sentences)
