"""Spreadsheets of real games are read as they are kept, and wrong ones are refused with the row."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import empirelab
from sim.errors import UserError
from sim.league.folder import load_league, write_league
from tests.league.workbooks import write_workbook

SEATS = "game,player,faction,place\n1,Ann,Elves,1\n1,Bob,Orcs,2\n"


def league_of(folder: Path, text: str, **options: object) -> empirelab.League:
    """Return the league of a file with this text."""
    path = folder / "results.csv"
    path.write_text(text, "utf-8")
    return empirelab.read_results(path, **options)


def column(league: empirelab.League, name: str) -> list[object]:
    """Return a column of the seats."""
    return league.seats[name].to_list()


def refusal(folder: Path, text: str, **options: object) -> str:
    """Return the message with which a file is refused."""
    with pytest.raises(UserError) as refused:
        league_of(folder, text, **options)
    return str(refused.value)


PLACES = "game,player,faction,place\n"
DAYS = ("03/04/2024", "2024-04-05", "25/04/2024", "6.4.2024", "7 Apr 2024")
READ: dict[str, tuple[str, dict[str, list[object]]]] = {
    # how it is kept: (the text of a table, columns of its seats)
    "a row for each seat is read by its headings": (
        "Match;Name;Race;VP\n7;Ann;Elves;40\n7;Bob;Orcs;31\n7;Cid;Dwarves;31\n",
        {"rank": [1, 2, 2], "win": [1.0, 0.0, 0.0]},
    ),
    "a row for each game gives a row for each seat": (
        "Date,Player 1,Faction 1,Score 1,Player 2,Faction 2,Score 2,Player 3,Faction 3,Score 3\n"
        "2024-03-01,Ann,Elves,5,Bob,Orcs,9,,,\n2024-03-02,Ann,Orcs,5,Bob,Elves,9,Cid,Dwarves,7\n",
        {"players": [2, 2, 3, 3, 3], "player": ["Ann", "Bob", "Ann", "Bob", "Cid"], "rank": [2, 1, 3, 1, 2]},
    ),
    **{
        f"one winner of a game may be called {winner}": (
            f"P1,P1 race,P2,P2 race,Winner\nAnn,Elves,Bob,Orcs,{winner}\n",
            {"win": [0.0, 1.0]},
        )
        for winner in ("Bob", "BOB ", "Orcs", "2", "Player 2")
    },
    "where only the winner is known the other places are not": (
        "game,player,faction,winner\n1,Ann,Elves,x\n1,Bob,Orcs,\n1,Cid,Dwarves,\n",
        {"order": [False] * 3, "rank": [1, 2, 2]},
    ),
    "players who tie share the win": (
        f"{PLACES}1,Ann,Elves,1st\n1,Bob,Orcs,T1\n1,Cid,Dwarves,3.\n",
        {"win": [0.5, 0.5, 0.0]},
    ),
    "cells that were merged belong to the game above": (
        "game,date,player,faction,place\n1,2024-03-01,Ann,Elves,1\n,,Bob,Orcs,2\n",
        {"date": [date(2024, 3, 1)] * 2, "players": [2, 2]},
    ),
    "games with the same number at two events are two": (
        "event,game,player,faction,place\na,1,Ann,Elves,1\na,1,Bob,Orcs,2\nb,1,Ann,Elves,2\nb,1,Bob,Orcs,1\n",
        {"players": [2] * 4, "rank": [1, 2, 2, 1]},
    ),
    "several formats of dates are read in one file": (
        "game,date,player,faction,place\n"
        + "".join(f"{game},{day},Ann,Elves,1\n{game},{day},Bob,Orcs,2\n" for game, day in enumerate(DAYS)),
        {"date": [date(2024, 4, day) for day in (3, 5, 25, 6, 7) for _ in range(2)]},
    ),
    "unknown names are kept as unknown": (
        f"{PLACES}1,?,Elves,1\n1,Bob,n/a,2\n",
        {"player": [None, "Bob"], "faction": ["Elves", None]},
    ),
}


@pytest.mark.parametrize("case", READ)
def test_tables_are_read_however_people_keep_them(tmp_path: Path, case: str) -> None:
    text, columns = READ[case]
    league = league_of(tmp_path, text)
    assert {name: column(league, name) for name in columns} == columns


def test_columns_that_are_used_and_those_that_are_not_are_named(tmp_path: Path) -> None:
    league = league_of(tmp_path, "Game;Name;Guild;VP;Datum\n1;Ann;Masons;40;5.3.2024\n1;Bob;Smiths;31;5.3.2024\n")
    assert league.columns == ("game: Game", "player: Name", "faction: Guild", "score: VP")
    assert column(league, "faction") == ["Masons", "Smiths"]
    assert "columns not used: Datum" in league.notes


def test_names_that_differ_in_case_and_blanks_are_one_and_similar_ones_are_listed(tmp_path: Path) -> None:
    rows = "1,Bob,Elves,1\n1,Ann,Orcs,2\n2,bob ,elves,1\n2,Anne-Marie,Orcs,2\n3,Bob,Elves,1\n3,Ann Marie,Orcs,2\n"
    league = league_of(tmp_path, f"{PLACES}{rows}")
    assert set(column(league, "player")) == {"Bob", "Ann", "Anne-Marie", "Ann Marie"}
    assert league.similar == (("Ann Marie", "Anne-Marie"),)
    assert "'Bob' = 'bob'" in " ".join(league.notes)
    assert not league_of(tmp_path, f"{PLACES}1,Player 1,Elves,1\n1,Player 2,Orcs,2\n").similar


DATED = "game,date,player,faction,place\n1,{0},Ann,Elves,1\n1,{0},Bob,Orcs,2\n2,{1},Ann,Elves,1\n2,{1},Bob,Orcs,2\n"
REFUSED = {
    # what is wrong: (the text of a table, what the message says)
    "an ambiguous date": (
        DATED.format("03/04/2024", "04/04/2024"),
        "row 2, field date: the date may have the day or the month first (found: '03/04/2024')",
    ),
    "no date": (DATED.format("2024-04-03", "soon"), "row 4, field date: this is not a date (found: 'soon')"),
    "dates that contradict each other": (
        DATED.format("25/04/2024", "04/25/2024"),
        "row 4, field date: row 2 has the day first ('25/04/2024'), and this row the month",
    ),
    "teams": (
        "game,player,faction,place,team\n1,Ann,Elves,1,red\n1,Bob,Orcs,1,red\n1,Cid,Dwarves,3,blue\n",
        "row 2, field team: seats that win as a team are not supported",
    ),
    "two names in one cell": (
        f"{SEATS}2,Ann & Bob,Elves,1\n2,Cid,Orcs,2\n",
        "row 4, field player: seats that win as a team are not supported",
    ),
    "a title above the heading": (f"Our club\n{SEATS}", "delete the rows above it"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_table_that_cannot_be_read_is_refused_with_the_place(tmp_path: Path, case: str) -> None:
    text, said = REFUSED[case]
    assert said in refusal(tmp_path, text)


def test_a_game_without_a_score_is_left_out_and_told_by_row_and_column(tmp_path: Path) -> None:
    text = "game,player,faction,VP\n1,Ann,Elves,5\n1,Bob,Orcs,\n2,Ann,Elves,5\n2,Bob,Orcs,4\n"
    league = league_of(tmp_path, text)
    assert league.games == 1
    assert league.left_out == ("row 3, column VP: the score is missing", "1 game left out in all")
    assert "row 3, field VP: the score is missing" in refusal(tmp_path, text, missing="refuse")
    league = league_of(tmp_path, text.replace("Bob,Orcs,\n", "Bob,Orcs,DNF\n"))
    assert league.left_out == ("row 3, column VP: the score is not a number ('DNF')", "1 game left out in all")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("1,Ann,Elves,1\n1,Ann,Orcs,2\n", "row 5, column player: the player is in this game twice ('Ann')"),
        ("1,Ann,Elves,1\n", "row 4: the game has one player"),
        ("1,Ann,Elves,2\n1,Bob,Orcs,3\n", "row 4, column place: nobody has the first place"),
        ("1,Ann,Elves,first\n1,Bob,Orcs,2\n", "row 4, column place: the place is not a number ('first')"),
        ("\n1,Ann,Elves,first\n1,Bob,Orcs,2\n", "row 5, column place: the place is not a number ('first')"),
    ],
)
def test_a_game_that_contradicts_itself_is_left_out(tmp_path: Path, rows: str, reason: str) -> None:
    text = f"{PLACES}0,Ann,Elves,1\n0,Bob,Orcs,2\n{rows}"
    assert reason in league_of(tmp_path, text).left_out


def test_columns_that_are_not_found_are_named_by_the_user(tmp_path: Path) -> None:
    text = SEATS.replace("game", "Sitzung").replace("faction", "Volk")
    assert "no column was found for faction and game" in refusal(tmp_path, text)
    assert league_of(tmp_path, text, columns={"game": "sitzung", "faction": "Volk"}).games == 1
    assert "did you mean 'Volk'" in refusal(tmp_path, text, columns={"game": "Sitzung", "faction": "Vok"})


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "the file is empty"), (b"\0\1\2" * 50, "not a table"), (b"game,player\n", "there are no rows")],
)
def test_a_file_that_is_not_a_table_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        empirelab.read_results(path)


def test_frames_and_parquet_files_are_read_like_csv(tmp_path: Path) -> None:
    league = league_of(tmp_path, SEATS)
    rows = {"game": [1, 1], "player": ["Ann", "Bob"], "faction": ["Elves", "Orcs"], "place": [1.0, 2.0]}
    pl.DataFrame(rows).write_parquet(tmp_path / "results.parquet")
    for source in (pl.DataFrame(rows), pd.DataFrame(rows), tmp_path / "results.parquet"):
        assert empirelab.read_results(source).seats.equals(league.seats)


def test_anonymous_leagues_hold_no_name(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    rows = ["1,At Bob's,Ann,Elves,1", *2 * ["1,At Bob's,Bobby,Orcs,2"], "2,x,bobby,Elves,1", "2,x,Cid,Orcs,2"]
    path.write_text("\n".join(["game,event,player,faction,place", *rows]), "utf-8")
    league = empirelab.read_results(path, anonymous=True)
    write_league(league, tmp_path / "league")
    kept = (tmp_path / "league" / "league.json").read_text("utf-8") + str(league.seats.rows())
    assert "obby" not in kept
    assert "Bob's" not in kept
    assert league.left_out


def test_a_league_is_read_back_from_its_folder(tmp_path: Path) -> None:
    league = league_of(tmp_path, SEATS)
    write_league(league, tmp_path / "league")
    read = load_league(tmp_path / "league")
    assert read.seats.equals(league.seats)
    assert read.columns == league.columns
    (tmp_path / "league" / "seats.parquet").write_bytes(b"PAR1")
    with pytest.raises(UserError, match="checksum mismatch"):
        load_league(tmp_path / "league")


def test_a_workbook_without_its_reader_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.league.table.find_spec", lambda name: None)
    path = tmp_path / "results.xlsx"
    path.write_bytes(b"PK\3\4")
    with pytest.raises(UserError, match=r"empirelab\[excel\]"):
        empirelab.read_results(path)


def test_a_workbook_with_the_usual_mess_is_read_like_the_csv_of_it(tmp_path: Path) -> None:
    path = write_workbook(
        tmp_path / "results.xlsx",
        [
            ["Game", "Date", "Player", "Faction", "Score"],
            [1, date(2024, 3, 14), "Ann", "Elves", 40],
            [None, None, "Bob ", "orcs", 40],
            [None, None, "Cy", "Dwarves", 31.5],
            [],
            [2, "15.3.2024", "ann", "Orcs", 22],
            [None, None, "BOB", "Elves", "30 VP"],
            [3, "16.3.2024", "Ann", "Orcs", None],
            [None, None, "Bob", "Elves", 30],
        ],
        merged=["A2:A4", "B2:B4", "A6:A7", "B6:B7", "A8:A9", "B8:B9"],
    )
    league = empirelab.read_results(path)
    assert column(league, "date") == [date(2024, 3, 14)] * 3 + [date(2024, 3, 15)] * 2
    assert column(league, "player") == ["Ann", "Bob", "Cy", "Ann", "Bob"]
    assert column(league, "faction") == ["Elves", "Orcs", "Dwarves", "Orcs", "Elves"]
    assert column(league, "score") == [40, 40, 31.5, 22, 30]
    assert column(league, "win") == [0.5, 0.5, 0, 0, 1]
    # The rows are those of the sheet, with its empty one.
    assert league.left_out[0] == "row 8, column Score: the score is missing"


def test_dates_of_a_workbook_are_read_whether_the_column_is_one_of_dates_or_of_texts(tmp_path: Path) -> None:
    rows = [["game", "date", "player", "faction", "place"]]
    rows += [[game, date(2024, 4, 3), name, faction, place] for game in (1, 2)
             for name, faction, place in (("Ann", "Elves", 1), ("Bob", "Orcs", 2))]  # fmt: skip
    league = empirelab.read_results(write_workbook(tmp_path / "results.xlsx", rows))
    assert column(league, "date") == [date(2024, 4, 3)] * 4
    assert column(league, "rank") == [1, 2, 1, 2]


@pytest.mark.parametrize("content", [b"PK\3\4", b"not a workbook"])
def test_a_damaged_workbook_is_one_message(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.xlsx"
    path.write_bytes(content)
    with pytest.raises(UserError, match="cannot be read as a workbook"):
        empirelab.read_results(path)


def test_a_title_above_the_heading_is_refused_with_what_to_do(tmp_path: Path) -> None:
    rows = [["Our club"], [], ["game", "player", "faction", "place"], [1, "Ann", "Elves", 1], [1, "Bob", "Orcs", 2]]
    with pytest.raises(UserError, match=r"the first row does not name the columns .*delete the rows above it"):
        empirelab.read_results(write_workbook(tmp_path / "results.xlsx", rows))
