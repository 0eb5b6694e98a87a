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


def test_a_row_for_each_seat_is_read_by_its_headings(tmp_path: Path) -> None:
    text = "Match;Name;Race;VP\n7;Ann;Elves;40\n7;Bob;Orcs;31\n7;Cid;Dwarves;31\n"
    league = league_of(tmp_path, text)
    assert column(league, "rank") == [1, 2, 2]
    assert column(league, "win") == [1.0, 0.0, 0.0]
    assert league.columns == ("game: Match", "player: Name", "faction: Race", "score: VP")


def test_a_row_for_each_game_gives_a_row_for_each_seat(tmp_path: Path) -> None:
    text = (
        "Date,Player 1,Faction 1,Score 1,Player 2,Faction 2,Score 2,Player 3,Faction 3,Score 3\n"
        "2024-03-01,Ann,Elves,5,Bob,Orcs,9,,,\n2024-03-02,Ann,Orcs,5,Bob,Elves,9,Cid,Dwarves,7\n"
    )
    league = league_of(tmp_path, text)
    assert column(league, "players") == [2, 2, 3, 3, 3]
    assert column(league, "player") == ["Ann", "Bob", "Ann", "Bob", "Cid"]
    assert column(league, "rank") == [2, 1, 3, 1, 2]


@pytest.mark.parametrize("winner", ["Bob", "BOB ", "Orcs", "2", "Player 2"])
def test_one_winner_of_a_game_may_be_named_in_many_ways(tmp_path: Path, winner: str) -> None:
    league = league_of(tmp_path, f"P1,P1 race,P2,P2 race,Winner\nAnn,Elves,Bob,Orcs,{winner}\n")
    assert column(league, "win") == [0.0, 1.0]


def test_where_only_the_winner_is_known_the_other_places_are_not(tmp_path: Path) -> None:
    rows = "1,Ann,Elves,x\n1,Bob,Orcs,\n1,Cid,Dwarves,\n"
    league = league_of(tmp_path, f"game,player,faction,winner\n{rows}")
    assert column(league, "order") == [False] * 3
    assert column(league, "rank") == [1, 2, 2]


def test_players_who_tie_share_the_win(tmp_path: Path) -> None:
    league = league_of(tmp_path, "game,player,faction,place\n1,Ann,Elves,1st\n1,Bob,Orcs,T1\n1,Cid,Dwarves,3.\n")
    assert column(league, "win") == [0.5, 0.5, 0.0]


def test_names_that_differ_in_case_and_blanks_are_one_and_similar_ones_are_listed(tmp_path: Path) -> None:
    rows = "1,Bob,Elves,1\n1,Ann,Orcs,2\n2,bob ,elves,1\n2,Anne-Marie,Orcs,2\n3,Bob,Elves,1\n3,Ann Marie,Orcs,2\n"
    league = league_of(tmp_path, f"game,player,faction,place\n{rows}")
    assert set(column(league, "player")) == {"Bob", "Ann", "Anne-Marie", "Ann Marie"}
    assert league.similar == (("Ann Marie", "Anne-Marie"),)
    assert "'Bob' = 'bob'" in " ".join(league.notes)


def test_columns_that_are_not_used_are_named(tmp_path: Path) -> None:
    league = league_of(tmp_path, "game,player,Guild,place,Datum\n1,Ann,Masons,1,5.3.2024\n1,Bob,Smiths,2,5.3.2024\n")
    assert column(league, "faction") == ["Masons", "Smiths"]
    assert "columns not used: Datum" in league.notes


def test_numbered_names_are_not_similar(tmp_path: Path) -> None:
    league = league_of(tmp_path, "game,player,faction,place\n1,Player 1,Elves,1\n1,Player 2,Orcs,2\n")
    assert not league.similar


def test_cells_that_were_merged_belong_to_the_game_above(tmp_path: Path) -> None:
    league = league_of(tmp_path, "game,date,player,faction,place\n1,2024-03-01,Ann,Elves,1\n,,Bob,Orcs,2\n")
    assert league.games == 1
    assert column(league, "date") == [date(2024, 3, 1)] * 2


def test_games_with_the_same_number_at_two_events_are_two(tmp_path: Path) -> None:
    rows = "a,1,Ann,Elves,1\na,1,Bob,Orcs,2\nb,1,Ann,Elves,2\nb,1,Bob,Orcs,1\n"
    assert league_of(tmp_path, f"event,game,player,faction,place\n{rows}").games == 2


def test_two_formats_of_dates_are_read_in_one_file(tmp_path: Path) -> None:
    rows = ["03/04/2024", "2024-04-05", "25/04/2024", "6.4.2024", "7 Apr 2024"]
    text = "".join(f"{game},{day},Ann,Elves,1\n{game},{day},Bob,Orcs,2\n" for game, day in enumerate(rows))
    days = column(league_of(tmp_path, f"game,date,player,faction,place\n{text}"), "date")[::2]
    assert days == [date(2024, 4, day) for day in (3, 5, 25, 6, 7)]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ("04/04/2024", "row 2, field date: the date may have the day or the month first (found: '03/04/2024')"),
        ("soon", "row 4, field date: this is not a date (found: 'soon')"),
    ],
)
def test_a_date_that_cannot_be_told_is_refused_with_its_row(tmp_path: Path, second: str, said: str) -> None:
    rows = f"1,03/04/2024,Ann,Elves,1\n1,03/04/2024,Bob,Orcs,2\n2,{second},Ann,Elves,1\n2,{second},Bob,Orcs,2\n"
    if second == "soon":
        rows = rows.replace("03/04/2024", "2024-04-03")
    assert said in refusal(tmp_path, f"game,date,player,faction,place\n{rows}")


def test_dates_that_contradict_each_other_are_refused_with_both_rows(tmp_path: Path) -> None:
    rows = "1,25/04/2024,Ann,Elves,1\n1,25/04/2024,Bob,Orcs,2\n2,04/25/2024,Ann,Elves,1\n2,04/25/2024,Bob,Orcs,2\n"
    said = refusal(tmp_path, f"game,date,player,faction,place\n{rows}")
    assert "row 4, field date: row 2 has the day first ('25/04/2024'), and this row the month" in said


def test_a_game_without_a_score_is_left_out_and_told_by_row_and_column(tmp_path: Path) -> None:
    text = "game,player,faction,VP\n1,Ann,Elves,5\n1,Bob,Orcs,\n2,Ann,Elves,5\n2,Bob,Orcs,4\n"
    league = league_of(tmp_path, text)
    assert league.games == 1
    assert league.left_out == ("row 3, column VP: the score is missing", "1 game left out in all")
    assert "row 3, field VP: the score is missing" in refusal(tmp_path, text, missing="refuse")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("1,Ann,Elves,1\n1,Ann,Orcs,2\n", "row 5, column player: the player is in this game twice ('Ann')"),
        ("1,Ann,Elves,1\n", "row 4: the game has one player"),
        ("1,Ann,Elves,2\n1,Bob,Orcs,3\n", "row 4, column place: nobody has the first place"),
        ("1,Ann,Elves,first\n1,Bob,Orcs,2\n", "row 4, column place: the place is not a number ('first')"),
    ],
)
def test_a_game_that_contradicts_itself_is_left_out(tmp_path: Path, rows: str, reason: str) -> None:
    text = f"game,player,faction,place\n0,Ann,Elves,1\n0,Bob,Orcs,2\n{rows}"
    assert reason in league_of(tmp_path, text).left_out


def test_teams_are_refused(tmp_path: Path) -> None:
    text = "game,player,faction,place,team\n1,Ann,Elves,1,red\n1,Bob,Orcs,1,red\n1,Cid,Dwarves,3,blue\n"
    assert "row 2, field team: seats that win as a team are not supported" in refusal(tmp_path, text)


def test_two_names_in_one_cell_are_a_team(tmp_path: Path) -> None:
    text = f"{SEATS}2,Ann & Bob,Elves,1\n2,Cid,Orcs,2\n"
    assert "row 4, field player: seats that win as a team are not supported" in refusal(tmp_path, text)


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


def test_unknown_names_are_kept_as_unknown(tmp_path: Path) -> None:
    league = league_of(tmp_path, "game,player,faction,place\n1,?,Elves,1\n1,Bob,n/a,2\n")
    assert column(league, "player") == [None, "Bob"]
    assert column(league, "faction") == ["Elves", None]


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


def test_an_empty_line_of_a_text_does_not_move_the_rows_that_are_told(tmp_path: Path) -> None:
    league = league_of(tmp_path, SEATS + "\n2,Ann,Elves,\n2,Bob,Orcs,1\n")
    assert league.left_out[0].startswith("row 5,")


def test_a_title_above_the_heading_is_refused_with_what_to_do(tmp_path: Path) -> None:
    rows = [["Our club"], [], ["game", "player", "faction", "place"], [1, "Ann", "Elves", 1], [1, "Bob", "Orcs", 2]]
    with pytest.raises(UserError, match=r"the first row does not name the columns .*delete the rows above it"):
        empirelab.read_results(write_workbook(tmp_path / "results.xlsx", rows))
    assert "delete the rows above it" in refusal(tmp_path, "Our club\n" + SEATS)


def test_a_score_that_is_not_a_number_is_told_once(tmp_path: Path) -> None:
    league = league_of(
        tmp_path, "game,player,faction,score\n1,Ann,Elves,DNF\n1,Bob,Orcs,3\n2,Ann,Elves,1\n2,Bob,Orcs,3\n"
    )
    assert league.left_out == ("row 2, column score: the score is not a number ('DNF')", "1 game left out in all")
