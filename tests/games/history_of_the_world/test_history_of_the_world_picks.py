"""Picks, lands and rolls of History of the World as runs keep them, reports weigh them and changes take them away."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from reports.data.load import Run, load_run
from reports.data.opponents import seats_beside
from reports.data.piece_counts import among_its_like
from reports.sections.compare.changes import headlines
from reports.sections.core.shares import share_report
from reports.sections.factions.explained import rivals_of
from reports.sections.pieces.pieces import picks_section
from reports.statistics.course.luck import moments_before_the_end
from reports.statistics.factions.opponents import by_company, chances_by_lead, leads_on_the_way
from reports.statistics.pieces.pick_values import pick_values
from reports.statistics.pieces.picks import TOO_FEW, pick_findings
from reports.studies.compare.compare import compare_runs
from reports.studies.compare.picks_compared import picks_compared
from reports.studies.parts.intervene import changed_plan, changes_for, choose_pieces
from reports.studies.search.rebalance import search_value
from sim.compiler.kernel import compiled
from sim.engine.result_rows import FIXED_COLUMNS, RANK, TALLY_KEYS
from sim.errors import UserError
from sim.games.history_of_the_world.data.tallies import TALLIES
from sim.games.history_of_the_world.game import GAME
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.constants import MOST_PLUS
from sim.games.history_of_the_world.rules.log import OTHER_ROLLS, roll_kind
from sim.games.history_of_the_world.rules.results import LAND_COLUMNS
from sim.games.history_of_the_world.rules.tables import MAX_EPOCHS, ROLL_KINDS
from sim.players.batch import play, play_all
from sim.players.compile_players import players_of
from sim.runs.config import RunConfig, make_plan
from sim.runs.run import play_run
from tests.kit.plans import plan_for

GAME_NAME = "history_of_the_world"
BOTH = pytest.mark.parametrize("data_set", constants.DATA_SETS)
COMPILED = pytest.mark.usefixtures("compiled_only")


def kept_run(folder: Path, games: int, **options: Any) -> Run:
    """A run of three random players that keeps its picks."""
    play_run(plan_for(GAME_NAME, players=3, detail="cards", **options), games, folder, jobs=1)
    return load_run(folder)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run with the printed cards."""
    return kept_run(tmp_path_factory.mktemp("runs") / "printed", 300 if compiled() else 6)


def frame_of(run: Run, table: str) -> pl.DataFrame:
    """A table of a run, read straight from its files."""
    return pl.read_parquet(run.folder / table / "*.parquet")


@BOTH
def test_every_card_can_be_left_without_what_it_brings(data_set: str) -> None:
    plan = plan_for(GAME_NAME, settings={"data": data_set})
    cards = range(len(plan.data.pieces))
    bare = changed_plan(plan, [text for card in cards for text in changes_for(GAME, plan.data, card, "none")])
    before, after = plan.data.catalog, bare.data.catalog
    for card in cards:
        old, new = before.cards[card], after.cards[card]
        assert new.effect == []
        if before.card_kinds[card] == "kingdom":
            assert new.armies == len(new.start_lands)
            assert not any((new.capital, new.city, new.marauder, new.fleets, new.caravans))
        else:
            assert new == old.model_copy(update={"effect": []})
    rows, _ = play(bare, players_of(bare), 0, 20)
    assert (rows[:, RANK] == 1).sum() == 20


def test_a_name_stands_for_an_empire_and_the_kingdom_called_like_it() -> None:
    data = plan_for(GAME_NAME, settings={"data": "edition-1993"}).data
    both = [name for name in data.pieces if name.endswith(" (kingdom)")]
    for name in both:
        chosen = choose_pieces(GAME, data, [name.removesuffix(" (kingdom)")])
        assert name in [data.pieces[card] for card in chosen]
        assert choose_pieces(GAME, data, [name]) == [data.pieces.index(name)]


def test_cards_have_no_price_to_be_taken_away() -> None:
    data = plan_for(GAME_NAME).data
    with pytest.raises(UserError, match="cards of History of the World have no price"):
        changes_for(GAME, data, 0, "free")


@COMPILED
def test_the_report_of_a_run_adds_up_with_its_rows(tmp_path: Path) -> None:
    plans = [
        plan_for(GAME_NAME, variant, players, detail="cards") for variant, players in (("draft", 3), ("classic", 4))
    ]
    play_run(plans, 100, tmp_path / "run", jobs=1)
    run = load_run(tmp_path / "run")
    section = picks_section(run)
    assert section is not None
    empires = next(listing.frame for listing in section.listings if listing.name == "picks empire")
    seats = run.seats.collect()
    # Every seat takes an empire in every epoch, and its points are the sum of what it gains in them.
    epochs = len(np.unique(empires["period"].to_numpy()))
    assert empires["games"].sum() == seats.height * epochs
    gained = (empires["games"] * empires["points"]).sum()
    assert gained == pytest.approx((seats["score"].cast(pl.Int64) - seats["start"].cast(pl.Int64)).sum())
    assert set(empires["level"]) <= {empire.name for empire in plans[0].data.catalog.empires}
    assert set(share_report(run).tables["start"].frame["level"].to_list()) == {
        f"{place} player" for place in ("first", "second", "third", "fourth")
    }


# ---- A fair value ----


def test_a_pick_among_its_like_wins_its_fair_share_on_average(printed: Run) -> None:
    data = plan_for(GAME_NAME).data
    romans = among_its_like(printed, "Romans").seats.collect()
    kept = frame_of(printed, "cards").filter(pl.col("taken_epoch") == 2)
    took = kept.filter(pl.col("card").cast(pl.String).is_in(data.pieces[: len(data.catalog.empires)]))
    assert romans.height == printed.seats.collect().height
    joined = romans.join(took, on=["game", "seat"])
    assert joined["faction"].cast(pl.String).to_list() == joined["card"].cast(pl.String).to_list()
    assert romans["win"].mean() == pytest.approx(1 / 3)
    # At one place by points the seats of an epoch win their fair share together.
    assert romans.group_by("draft_place").agg(pl.col("win").mean())["win"].to_list() == pytest.approx([1 / 3] * 3)


@COMPILED
def test_shares_of_an_empire_are_those_of_the_games_that_its_seats_won(printed: Run) -> None:
    run, name = rivals_of(printed, "Romans")
    found = seats_beside(run, name, moments_before_the_end(run, run.manifest.checkpoints))
    taken = frame_of(printed, "seats").join(found.own.select("game", "seat"), on=["game", "seat"])
    assert found.own["won"].mean() == pytest.approx(taken["win"].mean())
    assert min(found.own["win"]) < 0
    leads, company = leads_on_the_way(found), by_company(found)
    shares = [leads[side] for side in ("wins_leading", "wins_behind", "others_leading", "others_behind")]
    for share in (*shares, company["share"], chances_by_lead(found)["share"]):
        assert share.drop_nulls().is_between(0, 1).all()


@COMPILED
def test_a_comparison_opens_with_the_empire_that_was_changed(printed: Run, tmp_path: Path) -> None:
    changed = kept_run(tmp_path / "run", 300, changes=["reconstruction-2018/empires.toml#Vikings.armies=1"])
    found = compare_runs(printed, changed)
    (row,) = found.tables["empire"].frame.filter(pl.col("level") == "Vikings").to_dicts()
    before, after = (pick_of(run, "Vikings")["gain"] for run in (printed, changed))
    assert (row["edge_a"], row["edge_b"]) == pytest.approx((before, after), abs=1e-6)
    assert row["change"] == pytest.approx(after - before, abs=1e-6)
    (said,) = [text for text in headlines(found) if text.startswith("Vikings: ")]
    assert said == next(iter(headlines(found)))
    assert f" against other empires of epoch {row['period']}, " in said
    assert "other empire" in said or "side effect" in said
    assert found.sections[0].listings[0].name == "change empire"


def pick_of(run: Run, name: str) -> dict[str, Any]:
    """The row of a pick in the report of a run; its `gain` is what it wins above the mean of its period."""
    (row,) = pick_findings(run).picks.filter(pl.col("level") == name).to_dicts()
    return row


@pytest.mark.sweep
@COMPILED
def test_a_search_starts_from_the_edge_that_the_report_has_and_more_armies_make_an_empire_stronger(
    tmp_path: Path,
) -> None:
    # As the search does, the run plays without lessons.
    config = RunConfig(game=GAME_NAME, games=300, changes=["balanced.toml#lessons=0"])
    play_run(make_plan(config.model_copy(update={"detail": "cards"})), 300, tmp_path / "run", jobs=1)
    run = load_run(tmp_path / "run")
    row = pick_of(run, "Mesoamericans")
    done = search_value(config, "Mesoamericans", "armies", low=4, high=14, step=10, jobs=1)
    printed, stronger = done.tried.sort("value").to_dicts()
    assert (printed["value"], stronger["value"]) == (done.grid.printed, 14)
    for name, of_report in (("edge", "gain"), ("low", "gain_low"), ("high", "gain_high")):
        assert printed[name] == pytest.approx(row[of_report], abs=1e-6)
    assert stronger["edge"] > printed["edge"]
    # Seats that stood alike, which have a part of it taken from themselves, show another one.
    own = among_its_like(run, "Mesoamericans").seats.filter(pl.col("faction") == "Mesoamericans")
    alike = own.select((pl.col("win") - 1 / pl.col("players")).mean()).collect().item()
    assert abs(printed["edge"] - alike) > 0.02
    assert done.knob.text == "reconstruction-2018/empires.toml#Mesoamericans.armies"
    assert (done.title, done.config.detail) == ("empire", "cards")


@pytest.mark.sweep
@COMPILED
def test_an_empire_that_few_took_is_in_both_runs_all_the_same(printed: Run, tmp_path: Path) -> None:
    few = kept_run(tmp_path / "few", 12, seed=5)
    taken = [pick_values(run, "empire") for run in (printed, few)]
    frame = picks_compared(printed, few, apart=True, rows=40)["empire"].compared.frame
    notes = dict(zip(frame["level"], frame["note"], strict=True))
    both = set(taken[0].names) & set(taken[1].names)
    assert both
    assert {notes[name] for name in both} == {TOO_FEW}
    for name in set(taken[0].names) - both:
        assert notes[name] == "only in the first run"


def test_too_few_games_to_weigh_an_empire_are_said_to_be_too_few() -> None:
    config = RunConfig(game=GAME_NAME, players=3, strategies=["random"], games=6)
    with pytest.raises(UserError, match="too few games to compare this empire"):
        search_value(config, "Khmers", "armies", low=5, high=7, jobs=1)


@pytest.mark.parametrize(
    ("card", "knob", "message"),
    [
        ("Khmer", "armies", "unknown card"),
        ("all", "armies", "this name matches several cards"),
        ("Khmers", "army", "did you mean 'armies'?"),
        ("Khmers", "start_lands", "this knob is not a number"),
    ],
)
def test_what_cannot_be_searched_is_said(card: str, knob: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        search_value(RunConfig(game=GAME_NAME, players=3, games=30), card, knob, jobs=1)
    assert message in str(error.value)


# ---- Lands and rolls ----


@BOTH
def test_what_is_counted_of_a_game_adds_up_with_its_seats(data_set: str) -> None:
    plan = plan_for(GAME_NAME, players=4, detail="cards", settings={"data": data_set})
    games = 30 if compiled() else 2
    rows, _, lands, rolls = play_all(plan, players_of(plan), 0, games)
    columns = [*GAME.score_parts, *GAME.measures]
    seats = {name: rows[:, FIXED_COLUMNS + at].reshape(games, -1) for at, name in enumerate(columns)}
    results = np.zeros((games, 3), np.int64)
    np.add.at(results, rolls[:, 0], rolls[:, TALLY_KEYS:])
    rolled = np.stack([seats[name].sum(axis=1) for name in ("rolls_won", "rolls_tied", "rolls_lost")], axis=1)
    # A tie that an effect wins is counted as what the dice have shown.
    assert (results.sum(axis=1) == rolled.sum(axis=1)).all()
    assert (results[:, 2] == rolled[:, 2]).all()
    of_game = np.zeros((games, len(LAND_COLUMNS)), np.int64)
    np.add.at(of_game, lands[:, 0], lands[:, TALLY_KEYS:])
    count = {name: of_game[:, at] for at, name in enumerate(LAND_COLUMNS)}
    whole = {
        what: sum(count[f"{what}_{epoch + 1}"] for epoch in range(MAX_EPOCHS)) for what in constants.COUNTED_OF_LANDS
    }
    assert (np.asarray(whole["fought"]) <= seats["conquests"].sum(axis=1)).all()
    held = lands[:, TALLY_KEYS : TALLY_KEYS + MAX_EPOCHS]
    assert set(np.unique(held)) == {0, 1}
    # Structures stand in regions that do not score as well, and shares of regions are rounded down to tenths.
    scored = (seats["regions"] + seats["structures"]).sum(axis=1)
    tenths = np.asarray(whole["points"])
    assert (tenths <= 10 * scored).all()
    assert (tenths >= 9 * seats["regions"].sum(axis=1)).all()
    played = plan.data.catalog.epochs
    assert all((count[f"held_{epoch + 1}"] > 0).all() == (epoch < played) for epoch in range(MAX_EPOCHS))


@BOTH
def test_rows_of_tallies_have_their_names_places_and_odds(data_set: str) -> None:
    data = plan_for(GAME_NAME, settings={"data": data_set}).data
    for tally in TALLIES:
        assert [row.name for row in tally.rows(data)] == list(tally.names(data))
        assert len(set(tally.names(data))) == len(tally.names(data))
    lands, rolls = (tally.rows(data) for tally in TALLIES)
    for land in lands:
        assert {"x", "y", "group"} == set(land.values)
        for other in land.near:
            assert land.name in next(row for row in lands if row.name == other).near
    assert len(rolls) == ROLL_KINDS
    known = {row.name: row.values for row in rolls if row.values}
    for odds in known.values():
        assert sum(float(share) for share in odds.values()) == pytest.approx(1)
    # Two dice against one, counted by hand: 125 of 216 are won, 36 tied.
    assert known["open land, +0"] == pytest.approx({"won": 125 / 216, "tied": 36 / 216, "lost": 55 / 216})
    for terrain, fort, maritime, plus in product((False, True), (False, True), (False, True), range(MOST_PLUS + 3)):
        name = tuple(row.name for row in rolls)[roll_kind(terrain, fort, maritime, plus)]
        assert [word in name for word in ("terrain", "fort", "maritime")] == [terrain, fort, maritime]
        assert name.endswith(f"+{plus}" if plus < MOST_PLUS else f"+{MOST_PLUS} or more")
    assert rolls[OTHER_ROLLS].name == "attacker re-rolls or wins ties"
