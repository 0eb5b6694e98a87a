"""Cards: what is counted, what is weighed, and that winners' wealth does not pass for a card's worth."""

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import optimize
from scipy.special import expit
from synthetic import (
    COVETED,
    EMPIRES,
    EPOCHS,
    MIGHTY,
    Truth,
    edit,
    renew_digests,
    rows,
    write_empires,
    write_pieces,
    write_rows,
)

from reports.data import piece_counts
from reports.data.load import load_run
from reports.data.moments import block_moments
from reports.data.piece_counts import PLAYED, PieceGames, piece_moments, read_pieces
from reports.drawing import STRONG, WEAK
from reports.formatting import plural
from reports.render.chart import png
from reports.render.export import json_text
from reports.render.page import render
from reports.report import build_report
from reports.sections.pieces.pieces import pieces_section
from reports.statistics.core.win_rate import win_rates
from reports.statistics.pieces import piece_strength
from reports.statistics.pieces.piece_strength import (
    newton,
    piece_design,
    piece_strengths,
    points_of_share,
    turn_contrasts,
    turn_stages,
)
from reports.statistics.pieces.pieces import pieces_frame
from sim.data.declarations import GAMES
from sim.errors import UserError
from sim.game import load_game
from tests.reports.conftest import Kept, at_terminal

EVENTS = [
    {"column": "built_turn", "title": "built", "taken": True, "in_play": True},
    {"column": "discard_turn", "title": "discarded", "taken": True, "in_play": False},
]
CARDS = tuple(f"Card {letter}" for letter in "ABCDEFGHIJKL")
WORTHY, TURNS, SEATS = 3, 6, 4
PLAYERS = Truth(strategies={"careful": 0.0, "careless": 0.0}, factions={"Rhodos A": 0.0, "Gizah B": 0.0}, blocks=1)


def write_cards(
    folder: Path, games: int, *, worth: float, wealth: float, seed: int = 1, part: int = 700, block: int = 1
) -> Path:
    """A run in which the wealthy build more; the finishing order follows wealth, and one card that is worth something.

    In each turn a seat takes one of three cards it is offered, all cards alike, and builds it or discards it.
    """
    rng = np.random.default_rng(seed)
    purse = rng.normal(0, wealth, (games, SEATS))
    order = rng.random((games, SEATS, TURNS, len(CARDS))).argsort(axis=3)[..., :3]
    chosen = order[..., 0]
    builds = rng.random((games, SEATS, TURNS)) < expit(1.5 * purse[..., None])
    offered, built, sold = np.zeros((3, games, SEATS, len(CARDS)), np.int64)
    g, s = np.indices((games, SEATS))
    for turn in range(TURNS):
        for place in range(3):
            np.add.at(offered, (g, s, order[:, :, turn, place]), 1)
        again = built[g, s, chosen[..., turn]] > 0  # nobody builds a card twice
        target = np.where(builds[..., turn] & ~again, 1, 0)
        built[g, s, chosen[..., turn]] += target * (turn + 1)
        sold[g, s, chosen[..., turn]] = np.where(target == 0, turn + 1, sold[g, s, chosen[..., turn]])
    eta = purse + worth * (built[..., WORTHY] > 0)
    score = np.rint(1000 * (eta + rng.gumbel(0, 1, eta.shape))).astype(np.int16)
    frame = rows(rng.integers(0, 2, score.shape), rng.integers(0, 2, score.shape), score,
                 np.arange(games, dtype=np.uint32) // block, list(PLAYERS.strategies))  # fmt: skip
    write_rows(folder, frame, PLAYERS, pieces_offered="offered", piece_events=EVENTS)
    game, seat, card = (axis.ravel() for axis in np.indices(built.shape))
    table = pl.DataFrame({
        "game": game.astype(np.uint32), "seat": seat.astype(np.uint8),
        "card": pl.Series(CARDS, dtype=pl.Enum(CARDS)).gather(card.astype(np.uint32)),
        "offered": offered.ravel().astype(np.uint8), "built_turn": built.ravel().astype(np.uint8),
        "discard_turn": sold.ravel().astype(np.uint8),
    }).filter(pl.col("offered") > 0)  # fmt: skip
    write_pieces(folder, table, "cards", part)
    return folder


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cards(tmp_path_factory.mktemp("cards") / "rich", 3000, worth=0.6, wealth=1.5)


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cards(tmp_path_factory.mktemp("cards") / "blocks", 240, worth=1.0, wealth=1.0, part=50, block=4)


# ---- What is counted ----


@pytest.mark.slow
def test_counts_and_plain_figures_agree_with_a_join_of_the_tables(
    blocks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(piece_counts, "ROWS", 777)
    run = load_run(blocks)
    cards = read_pieces(run)
    table = pl.scan_parquet(blocks / "cards" / "*.parquet")
    joined = table.join(run.seats, on=["game", "seat"])
    in_play = joined.filter(pl.col("built_turn") > 0)
    oracle = win_rates(block_moments(in_play, ["card"]), ["card"]).with_columns(pl.col("card").cast(pl.String))
    found = win_rates(piece_moments(cards, PLAYED), ["card"])
    assert found["card"].to_list() == oracle["card"].to_list()
    for name in ("games", "blocks", "win_rate", "edge", "edge_low", "p_holm", "mean_score"):
        assert np.allclose(found[name].to_numpy(), oracle[name].to_numpy()), name
    by_card = table.collect().group_by(pl.col("card").cast(pl.String), maintain_order=True)
    for (card,), group in by_card:
        place = cards.names.index(str(card))
        built = group["built_turn"].to_numpy()
        assert cards.offered[place] == group.height
        assert cards.taken[place] == ((built > 0) | (group["discard_turn"].to_numpy() > 0)).sum()
        assert cards.became[0][place] == (built > 0).sum()
        assert (cards.turns[place] @ np.arange(cards.turns.shape[1])) == built.sum()


def test_only_the_first_whole_blocks_are_read(blocks: Path) -> None:
    run = load_run(blocks)
    assert [read_pieces(run, *most).games for most in ((), (101,), (1,))] == [240, 100, 4]
    cut = read_pieces(run, 100)
    assert cut.holder.max() < 400
    table = pl.read_parquet(blocks / "cards" / "*.parquet")
    assert cut.offered.sum() == (table["game"] < 100).sum()


# ---- What is weighed ----


def plain_likelihood(beta: np.ndarray, cards: PieceGames) -> float:
    """The penalised log likelihood, seat by seat and stage by stage."""
    design = piece_design(cards)
    eta = [beta[design.terms[first:last]].sum() for first, last in pairwise(design.first)]
    total = -piece_strength.RIDGE * float(beta @ beta) / 2
    for first, last in pairwise(design.start):
        for seat in range(first, last):
            rivals = [eta[other] for other in range(first, last) if design.rank[other] >= design.rank[seat]]
            total += eta[seat] - np.log(np.sum(np.exp(rivals)))
    return float(total)


@pytest.mark.slow
def test_the_fit_is_the_maximum_of_the_plain_likelihood_with_ties(tmp_path: Path) -> None:
    folder = write_cards(tmp_path / "run", 60, worth=1.0, wealth=0.5)
    part = folder / "seats/part-000000.parquet"
    tied = pl.when(pl.col("game") < 9).then(pl.min_horizontal("rank", pl.lit(2))).otherwise("rank")
    pl.read_parquet(part).with_columns(rank=tied.cast(pl.UInt8)).write_parquet(part)
    renew_digests(folder)
    cards = read_pieces(load_run(folder))
    beta, curvature = newton(piece_design(cards))
    best = plain_likelihood(beta, cards)
    slope = optimize.approx_fprime(beta, plain_likelihood, 1e-6, cards)
    assert np.abs(slope).max() < 1e-3
    rng = np.random.default_rng(3)
    for _ in range(5):
        step = rng.normal(0, 0.02, len(beta))
        drop = best - plain_likelihood(beta + step, cards)
        assert drop == pytest.approx(step @ curvature @ step / 2, rel=0.05)


def test_wealth_does_not_pass_for_worth(rich: Path) -> None:
    cards = read_pieces(load_run(rich))
    frame = pieces_frame(cards, piece_strengths(cards))
    assert frame.filter(pl.col("plain_flag") == "strong").height >= 10
    assert frame.filter(pl.col("flag") != "").select("card", "flag").rows() == [(CARDS[WORTHY], "often")]
    assert frame["card"][0] == CARDS[WORTHY]


def test_intervals_cover_the_worth_of_cards(tmp_path: Path, scaled: Callable[..., int]) -> None:
    truth, inside = np.where(np.arange(len(CARDS)) == WORTHY, 0.8, 0.0), 0
    seeds = scaled(16, 16, full_count=30)
    for seed in range(seeds):
        run = load_run(write_cards(tmp_path / str(seed), 500, worth=0.8, wealth=0.0, seed=seed))
        inside += held_by(read_pieces(run), truth)
    assert 0.92 <= inside / (seeds * len(CARDS)) <= 0.98


def held_by(pieces: PieceGames, truth: np.ndarray) -> int:
    """How many intervals hold what a piece is truly worth beside others of its turns."""
    strengths = piece_strengths(pieces)
    assert strengths is not None
    return int((np.abs(strengths.effect - turn_contrasts(pieces.turns) @ truth) < 1.96 * strengths.error).sum())


def test_a_shared_benefit_of_all_cards_falls_out_of_the_comparison() -> None:
    turns = np.random.default_rng(1).integers(1, 50, (7, 5))
    contrast = turn_contrasts(turns)
    assert np.allclose(contrast @ np.ones(7), 0)
    assert np.allclose(turns.sum(axis=1) @ contrast, 0)
    turns[2] = 0
    assert np.all(turn_contrasts(turns)[2] == 0)


def test_stages_are_found_by_turns_and_stragglers_do_not_join_them() -> None:
    turns = np.zeros((6, 20), np.int64)
    turns[0, 1:4], turns[1, 3:6], turns[2, 7:10], turns[3, 9:12], turns[4, 13:] = 30, 30, 30, 30, 30
    turns[0, 15] = 5
    assert turn_stages(turns).tolist() == [0, 0, 1, 1, 2, 0]
    assert turn_stages(np.random.default_rng(1).integers(10, 20, (9, 12))).tolist() == [0] * 9


def test_what_a_card_makes_possible_later_is_its_own(tmp_path: Path) -> None:
    folder = write_cards(tmp_path / "run", 1500, worth=1.5, wealth=0.0)
    cards = read_pieces(load_run(folder))
    early = 0  # whoever holds it early has the worthy card later half the time more often
    rng = np.random.default_rng(2)
    holds = rng.random(len(cards.seats.rank)) < 0.5
    holder, held = cards.holder, cards.held
    keep = (held != early) & ~((held == WORTHY) & ~holds[holder] & (rng.random(len(held)) < 0.8))
    holder = np.concatenate([holder[keep], np.flatnonzero(holds)])
    held = np.concatenate([held[keep], np.full(int(holds.sum()), early, np.int16)])
    order = np.argsort(holder, kind="stable")
    lucky = np.zeros(len(holds))
    lucky[holder[held == WORTHY]] = 1.5
    score = (lucky + rng.gumbel(0, 1, len(lucky))).reshape(-1, SEATS)
    rank = (1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)).ravel()
    turns = np.zeros_like(cards.turns)
    turns[:, 10:13], turns[early] = 20, 0
    turns[early, 1], turns[1] = 50, 0
    turns[1, 1] = 50
    changed = replace(cards, holder=holder[order].astype(np.int32), held=held[order], turns=turns,
                      seats=replace(cards.seats, rank=rank))  # fmt: skip
    staged = piece_strengths(changed)
    assert staged is not None
    assert staged.effect[early] > 3 * staged.error[early]
    together = piece_strengths(replace(changed, turns=np.ones_like(turns)))
    assert together is not None
    assert staged.effect[early] > together.effect[early] + 3 * staged.error[early]


def test_points_of_win_rate_are_those_of_a_table_of_equals() -> None:
    assert points_of_share(np.array([0.0]), 0.25)[0] == 0
    assert points_of_share(np.array([np.log(3)]), 0.25)[0] == pytest.approx(3 / 6 - 1 / 4)
    assert points_of_share(np.array([1e-4]), 0.25)[0] == pytest.approx(1e-4 * 3 / 16, rel=1e-3)


# ---- The section ----


def test_the_section_names_the_card_and_the_caveat_as_kept(rich: Path, blocks: Path, empires: Path, kept: Kept) -> None:
    section, *others = [pieces_section(load_run(folder)) for folder in (rich, blocks, empires)]
    assert section is not None
    kept("pieces", dict(zip(("cards", "few blocks", "empires"), [[one] for one in (section, *others)], strict=True)))
    # A card that winners seldom have may yet help: no word and no colour invites a change.
    assert not any(word in " ".join(section.sentences).lower() for word in ("weak", "strong"))
    for listing in section.listings:
        for name, dtype in listing.frame.schema.items():
            assert dtype != pl.Float64 or not listing.frame[name].is_nan().any(), name
    for picture in section.pictures:
        ax = picture.draw()
        assert len(png(ax.figure)) > 5000  # type: ignore[arg-type]
        assert not {STRONG, WEAK} & {line.get_color() for line in ax.lines}


def test_one_game_is_no_trouble(tmp_path: Path) -> None:
    section = pieces_section(load_run(write_cards(tmp_path / "run", 1, worth=0.0, wealth=0.0)))
    assert section is not None
    assert "too few" in section.sentences[0]


def test_a_run_without_cards_says_how_to_get_them(blocks: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(blocks, tmp_path / "run"))
    shutil.rmtree(folder / "cards")
    edit(folder, lambda m: m.update(piece_parts=[], detail="seats"))
    run = load_run(folder)
    section = pieces_section(run)
    assert section is not None
    assert "--detail cards" in section.sentences[0]
    with pytest.raises(UserError, match="did not record cards"):
        read_pieces(run)
    edit(folder, lambda m: m.pop("piece_events"))
    assert pieces_section(load_run(folder)) is None


# ---- Tables that cannot be trusted ----

PART = "cards/part-000001.parquet"


def rewrite(folder: Path, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    change(pl.read_parquet(folder / PART)).write_parquet(folder / PART)
    renew_digests(folder)


def as_text(column: str) -> Callable[[pl.DataFrame], pl.DataFrame]:
    return lambda frame: frame.with_columns(pl.col(column).cast(pl.String))


def other_cards(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("card").cast(pl.String).cast(pl.Enum([*CARDS, "Atlantis"])))


BREAKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "column gone": (lambda f: rewrite(f, lambda p: p.drop("built_turn")), "columns are missing: built_turn"),
    "no column of pieces": (lambda f: edit(f, lambda m: m.update(piece="empire")), "columns are missing: empire"),
    "text": (lambda f: rewrite(f, as_text("seat")), "seat: not a column of whole numbers"),
    "names": (lambda f: rewrite(f, as_text("card")), "card: not a column of names"),
    "other cards": (lambda f: rewrite(f, other_cards), "part of another run"),
    "stranger": (lambda f: shutil.copy(f / PART, f / "cards/part-000099.parquet"), "not listed in run.json"),
    "games": (lambda f: edit(f, lambda m: m["piece_parts"][0].update(games=3)), "the run has 240"),
    "events": (lambda f: edit(f, lambda m: m.update(piece_events=["built"])), "piece_events.1: not allowed here"),
    "nothing in play": (
        lambda f: edit(f, lambda m: m["piece_events"][0].update(in_play=False)),
        "nothing that can become of a card puts it in play",
    ),
}


@pytest.mark.parametrize(("harm", "message"), BREAKS.values(), ids=BREAKS)
def test_a_damaged_cards_table_is_refused(
    harm: Callable[[Path], object], message: str, blocks: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(blocks, tmp_path / "run"))
    harm(folder)
    with pytest.raises(UserError, match=message):
        load_run(folder)


@pytest.mark.parametrize(("column", "value"), [("seat", 9), ("game", 100_000)])
def test_a_card_of_a_seat_that_is_not_there_is_refused(column: str, value: int, blocks: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(blocks, tmp_path / "run"))
    wrong = pl.when(pl.int_range(pl.len()) == 5).then(value).otherwise(column)
    rewrite(folder, lambda p: p.with_columns(wrong.cast(p.schema[column]).alias(column)))
    if column == "game":  # games beyond the last one are not read; one that is missing in between is
        part = folder / "seats/part-000000.parquet"
        gone = pl.when(pl.col("game") == 60).then(1000).otherwise("game").cast(pl.UInt32)
        pl.read_parquet(part).with_columns(game=gone).write_parquet(part)
        renew_digests(folder)
    with pytest.raises(UserError, match="not a number that this run can have here"):
        read_pieces(load_run(folder))


# ---- Whatever a game calls its pieces ----


@pytest.fixture(scope="module")
def empires(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_empires(tmp_path_factory.mktemp("empires") / "run", 2500, worth=1.0, skill=1.5)


def test_an_empire_that_a_seat_takes_in_an_epoch_is_weighed_against_those_of_that_epoch(empires: Path) -> None:
    run = load_run(empires)
    pieces = read_pieces(run)
    frame = pieces_frame(pieces, piece_strengths(pieces))
    assert frame["empire"][0] == MIGHTY
    assert frame.filter(pl.col("flag") == "often")["empire"].to_list() == [MIGHTY]
    rows = {row["empire"]: row for row in frame.to_dicts()}
    # Who takes this one is skilled, and wins by that.
    assert (rows[COVETED]["plain_flag"], rows[COVETED]["flag"]) == ("strong", "")
    taken = pl.scan_parquet(empires / "empires" / "*.parquet").filter(pl.col("epoch_taken") > 0)
    joined = taken.join(run.seats, on=["game", "seat"]).collect()
    assert joined.height == pieces.taken.sum() == pieces.games * SEATS * EPOCHS
    for (name,), group in joined.group_by(pl.col("empire").cast(pl.String)):
        row = rows[str(name)]
        assert (row["turn"], row["games"]) == (int(str(name).split()[1][0]), group.height)
        assert row["games"] == pieces.taken[EMPIRES.index(str(name))]
        assert row["win_rate"] == pytest.approx(group["win"].cast(pl.Float64).mean())


def test_the_intervals_of_empires_cover_what_they_are_worth(tmp_path: Path) -> None:
    truth, inside, seeds = np.where(np.array(EMPIRES) == MIGHTY, 1.0, 0.0), 0, 6
    for seed in range(seeds):
        run = load_run(write_empires(tmp_path / str(seed), 700, worth=1.0, skill=1.0, seed=seed))
        inside += held_by(read_pieces(run), truth)
    assert 0.91 <= inside / (seeds * len(EMPIRES)) <= 0.99


@pytest.mark.usefixtures("without_figures")
def test_the_report_calls_empires_by_their_name(tmp_path: Path) -> None:
    report = build_report(load_run(write_empires(tmp_path / "run", 400, worth=1.0, skill=1.5)))
    assert report.section("empires").title == "Empires"
    for text in (render(report), json_text(report), at_terminal(report, full=True)):
        assert MIGHTY in text
        assert not re.search(r"\bcards?\b", re.sub(r'(?s)"card_\w+"|<script.*?</script>', "", text))


def test_reports_and_files_use_the_same_plural_of_every_game() -> None:
    for name in GAMES:
        pieces = load_game(name).pieces
        assert pieces is None or pieces.plural == plural(pieces.name)
