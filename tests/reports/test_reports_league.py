"""What is said of real games holds in made-up leagues whose truth is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from reports.sections.people.filters import NOTE, filter_values_section, league_filters
from reports.sections.people.league import (
    balance_headline,
    balance_section,
    league_heading,
    seats_section,
    sections_from_results,
)
from reports.statistics.people import model
from reports.statistics.people.results import PeopleResults, edges_of_part, people_results
from reports.studies.compare.leagues import compare_leagues, league_change_section
from sim.errors import UserError
from sim.league.read import League, read_results
from tests.reports.leagues import END, FAIR, HOPELESS, PAGE, RATES, START, UNEQUAL, WORLDS, MadeUpLeague, table, tried

PREFERRED = replace(UNEQUAL, strength=(0.0, 0.7, -0.1, -0.1, -0.1, -0.1), preference=3.0, spread=1.0, changing=0.0)
"""Good players take F0, and F1 is the strongest."""


@pytest.fixture(scope="module")
def preferred() -> League:
    """A league whose plain edge blames the wrong faction."""
    return PREFERRED.made(3)[0]


@pytest.fixture(scope="module")
def found(preferred: League) -> PeopleResults:
    return people_results(preferred, 0.01)


def test_the_headline_names_the_strong_faction_not_the_one_that_good_players_prefer(found: PeopleResults) -> None:
    edges = found.edges.filter(pl.col("table") == "faction")
    assert edges.sort("plain_edge")["level"][-1] == "F0"
    assert edges.filter(pl.col("flag") == "strong")["level"].to_list() == ["F1"]
    assert "F1" in balance_headline(found)[0][0]


def test_intervals_hold_the_truth_and_fair_leagues_are_seldom_accused(scaled: Callable[..., int]) -> None:
    leagues = [tried(replace(FAIR, games=150), seed) for seed in range(scaled(6, 6, 40))]
    rows = [row | {"truth": one.edges[row["level"]]} for one in leagues for row in one.found.edges.to_dicts()]
    held = [row["edge_low"] <= row["truth"] <= row["edge_high"] for row in rows if row["judged"]]
    assert np.mean(held) > 0.88
    assert sum(one.false_headline for one in leagues) <= 2 + 0.1 * len(leagues)


def test_the_documentation_has_the_rates_that_were_measured() -> None:
    kept = json.loads(RATES.read_text("utf-8"))
    assert list(kept) == list(WORLDS)
    assert f"{START}\n\n{table(kept)}\n\n{END}" in PAGE.read_text("utf-8")
    assert all(row["leagues"] >= 200 and row["edges"] >= 0.94 and row["false"] <= 0.05 for row in kept.values())


def test_many_players_give_the_same_fit_as_few(preferred: League, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = model.sheet_of(preferred)
    few = model.fit_people(sheet)
    monkeypatch.setattr(model, "DENSE", 2)
    many = model.fit_people(sheet)
    assert many.spread == pytest.approx(few.spread, rel=0.1)
    assert many.beta == pytest.approx(few.beta, abs=0.05)
    assert np.sqrt(np.diag(many.covariance)) == pytest.approx(np.sqrt(np.diag(few.covariance)), rel=0.05)


def test_nothing_is_said_of_scripted_players_or_with_a_command(found: PeopleResults) -> None:
    for section in sections_from_results(found):
        texts = " ".join([*section.sentences, section.reading, *(listing.title for listing in section.listings)])
        assert not any(word in texts for word in ("scripted", "strateg", "deals", "rebalance", "empirelab"))


def test_seats_are_judged_only_where_they_are_known(preferred: League, found: PeopleResults) -> None:
    blind = replace(preferred, seats=preferred.seats.with_columns(pl.lit(None, pl.UInt8).alias("seat")))
    assert seats_section(found) is not None
    assert seats_section(people_results(blind, 0.01)) is None


def test_a_faction_with_few_games_is_listed_and_not_judged(preferred: League) -> None:
    rare = pl.when((pl.col("faction") == "F3") & (pl.col("game") > 10)).then(pl.lit("F4")).otherwise("faction")
    league = replace(preferred, seats=preferred.seats.with_columns(rare.alias("faction")))
    found = people_results(league, 0.01)
    row = found.edges.filter(pl.col("level") == "F3").row(0, named=True)
    assert (row["standing"], row["p"]) == ("fewer than 10 games", None)
    assert "Listed but not judged, with fewer than 10 games: F3." in balance_section(found).sentences


def test_nothing_is_claimed_if_each_faction_has_its_own_player() -> None:
    hands = (("Ann", "Masons", 1), ("Bob", "Weavers", 2), ("Cid", "Brewers", 3), ("Dan", "Smiths", 4))
    rows = [
        {"game": game, "player": player, "faction": faction, "place": place}
        for game in range(16) for player, faction, place in hands
    ]  # fmt: skip
    found = people_results(read_results(pl.DataFrame(rows)), 0.01)
    said = "Nothing can be judged: no faction has 10 games that determine its strength."
    assert balance_section(found).sentences[0] == said
    assert set(found.edges["standing"]) == {"strength not determined"}
    assert found.edges["edge_low"].null_count() == 4


def test_players_with_one_game_are_pooled(preferred: League) -> None:
    once = pl.when(pl.col("game") < 20).then(pl.format("guest {} {}", "game", "seat")).otherwise("player")
    league = replace(preferred, seats=preferred.seats.with_columns(once.alias("player")))
    found = people_results(league, 0.01)
    assert not found.players["player"].str.starts_with("guest").any()
    assert found.edges["error"].is_not_null().all()


def test_a_trend_is_found_where_a_faction_grows_strong() -> None:
    early, late = replace(FAIR, games=500).made(1)[0], replace(PREFERRED, games=500).made(2)[0]
    later = late.seats.with_columns(pl.col("game") + early.games, pl.col("date").dt.offset_by("10y"))
    both = League("both", pl.concat([early.seats, later.cast({"game": pl.UInt32})]))
    trend = people_results(both, 0.01).trend
    assert trend is not None
    assert trend.sort("edge")["level"][-1] == "F1"


def test_two_leagues_that_differ_are_told_apart(preferred: League) -> None:
    pair = compare_leagues(replace(PREFERRED, strength=(0.0,) * 6).made(7)[0], preferred)
    assert pair.changes.filter(pl.col("flag") == "strong")["level"].to_list() == ["F1"]
    assert league_change_section(pair, ("before", "after")).claims[0].kind == "change"


def test_a_faction_whose_strength_is_not_determined_is_not_compared_and_has_no_trend() -> None:
    leagues = [replace(HOPELESS, winner_only=True).made(seed)[0] for seed in (0, 1)]
    pair = compare_leagues(*leagues)
    assert pair.changes.filter(~pl.col("judged"))["level"].to_list() == ["F2"]
    said = league_change_section(pair, ("before", "after")).sentences
    assert "Listed but not judged, as these games do not determine their strength: F2." in said
    trend = people_results(leagues[0], 0.01).trend
    assert trend is not None
    assert trend.filter(~pl.col("judged"))["level"].to_list() == ["F2"]


def test_a_league_is_not_compared_with_itself(preferred: League) -> None:
    with pytest.raises(UserError, match="most of their games in common"):
        compare_leagues(preferred, preferred)


def test_one_faction_is_too_few(preferred: League) -> None:
    alone = replace(preferred, seats=preferred.seats.with_columns(pl.lit("F0").alias("faction")))
    with pytest.raises(UserError, match="at least two factions"):
        people_results(alone, 0.01)


def test_the_filters_of_a_page_add_up_to_the_league(preferred: League) -> None:
    asked = league_filters(preferred)
    assert asked is not None
    assert [level["name"] for level in asked["levels"]["players"]] == ["3 players", "4 players", "5 players"]
    assert {"faction", "seat"} == {table["rows"] for table in asked["tables"]}
    every = [group for group in asked["tables"][0]["groups"] if group["keys"][3:] == [-1]]
    wins = sum(sum(group["wins"][1::2]) for group in every)
    assert wins == pytest.approx(preferred.games)


def test_the_heading_counts_games_and_people(preferred: League) -> None:
    assert league_heading(preferred)[1].startswith(f"{preferred.games} real games of 3, 4 or 5 players · 30 people")


def test_within_each_choice_of_the_filters_edges_are_adjusted_too() -> None:
    """Good players prefer F0, so in every part its plain win rate is above fair; adjusted it is not."""
    made, _ = MadeUpLeague(preference=2.5, spread=1.0, games=600, rated=1.0).made(3)
    section = filter_values_section(made)
    assert section is not None
    assert [one.name for one in section.listings] == [
        "people by number of players", "people by group of players", "people by rating band", "people by when"
    ]  # fmt: skip
    sizes = section.listings[0].frame.filter(pl.col("level") == "F0")
    assert sizes["part"].to_list() == ["3", "4", "5"]
    plain = made.seats.filter(pl.col("faction") == "F0").group_by("players").agg(pl.col("win").mean()).sort("players")
    excess = plain["win"].to_numpy() - 1 / plain["players"].to_numpy()
    assert (excess > 0.1).all()
    assert (sizes["edge"].abs() < 0.1).all()
    every = pl.concat([one.frame for one in section.listings])
    assert ((every["edge_low"] < 0) & (every["edge_high"] > 0)).mean() > 0.85


def test_of_some_players_the_places_among_themselves_count(preferred: League) -> None:
    """The strongest faction of the league is the strongest among regulars too, whoever else sat at the table."""
    regulars = preferred.seats.filter(pl.len().over("player") >= 10)
    edges = edges_of_part(preferred, regulars, of_players=True)
    assert edges.sort("edge")["level"][-1] == "F1"
    assert edges_of_part(preferred, preferred.seats.head(3), of_players=True).is_empty()


def test_a_large_league_says_that_its_filters_are_plain(preferred: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reports.sections.people.filters.MAX_ROWS", 100)
    assert filter_values_section(preferred) is None
    asked = league_filters(preferred)
    assert asked is not None
    assert asked["tables"][0]["note"] == NOTE
