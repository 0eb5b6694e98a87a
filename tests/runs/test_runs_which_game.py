"""`replay --where` finds the game that its words mean."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from sim.cli import app
from sim.errors import UserError
from sim.runs.game_query import FoundGame, pick_game
from sim.runs.simulate import simulate

GAMES = 240


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of three and four, with two strategies."""
    out = tmp_path_factory.mktemp("runs") / "first"
    options = {"games": GAMES, "players": [3, 4], "strategies": "balanced,military", "jobs": 1, "progress": False}
    return simulate("seven_wonders", **options, out=out)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def seats(folder: Path) -> pl.DataFrame:
    """All rows of the run."""
    return pl.read_parquet(folder / "seats").with_columns(pl.col("faction", "strategy", "end_reason").cast(pl.String))


def games_where(seats: pl.DataFrame, condition: pl.Expr) -> list[int]:
    """Games in which it is true of some seat, counted without the language."""
    return sorted(seats.filter(condition)["game"].unique().to_list())


RHODOS_B = pl.col("faction") == "Rhodos B"
CLAUSES = {
    "Rhodos B wins": RHODOS_B & (pl.col("win") > 0),
    "rhodos b LOSES": RHODOS_B & (pl.col("win") == 0),
    "Rhodos B plays": RHODOS_B,
    "Rhodos plays": pl.col("faction").is_in(["Rhodos A", "Rhodos B"]),
    "military with Rhodos B loses": RHODOS_B & (pl.col("strategy") == "military") & (pl.col("win") == 0),
    "Rhodos B played by military wins": RHODOS_B & (pl.col("strategy") == "military") & (pl.col("win") > 0),
    "Rhodos B in seat 1 wins": RHODOS_B & (pl.col("seat") == 1) & (pl.col("win") > 0),
    "seat 0 score over 60": (pl.col("seat") == 0) & (pl.col("score") > 60),
    "military military over 17": (pl.col("strategy") == "military") & (pl.col("military") > 17),
    "balanced score age 1 under 1": (pl.col("strategy") == "balanced") & (pl.col("score_age_1") < 1),
    "balanced comes last": (pl.col("strategy") == "balanced") & (pl.col("rank") == pl.col("rank").max().over("game")),
    "players is 3": pl.col("players") == 3,
    "ends by end of age III": pl.lit(True),
}


@pytest.mark.parametrize("where", CLAUSES)
def test_a_clause_means_what_it_says(folder: Path, seats: pl.DataFrame, where: str) -> None:
    expected = games_where(seats, CLAUSES[where])
    assert len(expected) > 0
    found = pick_game(folder, where, "first")
    assert (found.game, found.fitting, found.games) == (expected[0], len(expected), GAMES)


def test_clauses_with_and_between_them_are_all_true_each_of_some_seat(folder: Path, seats: pl.DataFrame) -> None:
    wins, plays = CLAUSES["Rhodos B wins"], pl.col("faction") == "Gizah A"
    both = sorted(set(games_where(seats, wins)) & set(games_where(seats, plays)))
    found = pick_game(folder, "Rhodos B wins and Gizah A plays", "first")
    assert (found.game, found.fitting) == (both[0], len(both))


def test_the_closest_game_is_won_by_the_smallest_lead(folder: Path, seats: pl.DataFrame) -> None:
    leads = {}
    for game in games_where(seats, CLAUSES["Rhodos B wins"]):
        rows = seats.filter(pl.col("game") == game)
        others = rows.filter(pl.col("faction") != "Rhodos B")["score"].max()
        leads[game] = rows.filter(RHODOS_B)["score"].item() - others
    assert pick_game(folder, "Rhodos B wins", "closest").game == min(leads, key=lambda game: (leads[game], game))


def test_the_typical_game_is_near_the_middle_of_those_that_fit(folder: Path, seats: pl.DataFrame) -> None:
    found = pick_game(folder, "Rhodos B wins", "typical")
    scores = seats.filter(CLAUSES["Rhodos B wins"])["score"]
    own = seats.filter((pl.col("game") == found.game) & RHODOS_B)["score"].item()
    assert scores.quantile(0.25) <= own <= scores.quantile(0.75)  # type: ignore[operator]


def test_without_words_all_games_fit(folder: Path) -> None:
    assert pick_game(folder, "", "first") == FoundGame(0, "first", "", GAMES, GAMES)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("Rodos B wins", "unknown player of this run (found: 'Rodos B'); did you mean 'Rhodos B'?"),
        ("Rhodos C wins", "unknown player of this run (found: 'Rhodos C'); did you mean 'Rhodos B'?"),
        ("Rhodos win", "did you mean 'wins'?"),
        ("Rhodos B win", "did you mean 'wins'?"),
        ("Rhodos B", "what the player does is missing"),
        ("Rhodos B wins Gizah A loses", "a clause has ended here (found: 'Gizah A'); allowed: and"),
        ("Rhodos B wins and", "a clause is missing"),
        ("Rhodos B with wins", "unknown player of this run"),
        ("Rhodos B scores over 3", "did you mean 'score'?"),
        ("Rhodos B score 3", "allowed: over, under, is"),
        ("Rhodos B score over many", "a number for score is missing"),
        ("seat one wins", "a seat's number is missing"),
        ("ends by war", "allowed: end of age III"),
        ("variant is peaceful", "no game of this run is of such a variant"),
        ("Rhodos B score over 500", "no game of the run matches"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_may_stand_there(folder: Path, where: str, said: str) -> None:
    with pytest.raises(UserError) as error:
        pick_game(folder, where)
    assert said in str(error.value)


def test_the_command_says_which_game_it_tells(folder: Path) -> None:
    done = CliRunner().invoke(app, ["replay", str(folder), "--where", "Rhodos B wins", "--pick", "closest"])
    found = pick_game(folder, "Rhodos B wins", "closest")
    assert done.output.startswith(
        f"Game {found.game}, the closest of {found.fitting} games (of {GAMES}) in which Rhodos B"
    )
    same = CliRunner().invoke(app, ["replay", str(folder), "--game", str(found.game)])
    assert done.output.endswith(same.output)
    words = ["replay", str(folder), "--where", "Rhodos B wins", "--json"]
    told = json.loads(CliRunner().invoke(app, words).output)
    assert (told["pick"], told["fitting"]) == ("typical", found.fitting)
    for more, said in (
        (["--game", "3"], "give either --game or --where, not both"),
        (["--pick", "best"], "llowed: typical, closest, first"),
    ):
        assert said in str(CliRunner().invoke(app, [*words, *more]).exception)


def test_a_game_of_one_player_is_found_but_cannot_be_close(tmp_path: Path) -> None:
    options = {"games": 12, "players": 1, "strategies": "balanced", "jobs": 1, "progress": False}
    alone = simulate("imperial_settlers", **options, out=tmp_path / "alone")  # type: ignore[arg-type]
    assert pick_game(alone, "", "typical").fitting == 12
    with pytest.raises(UserError, match="no second score to be close to"):
        pick_game(alone, "", "closest")
