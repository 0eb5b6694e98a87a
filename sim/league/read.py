"""Reads results of real games from spreadsheets into one row for each seat of each game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import polars as pl

from sim.data.arguments import checks_arguments
from sim.data.declarations import MAX_PLAYERS
from sim.errors import UserError, printable
from sim.league.columns import FoundColumns, find_columns
from sim.league.dates import read_dates
from sim.league.names import same_names, similar_names
from sim.league.table import ROW, read_table

if TYPE_CHECKING:
    import pandas as pd

MAX_LISTED = 20
"""Maximum number of rows that are listed for each problem. Further rows are only counted."""
WON = ("1", "yes", "y", "true", "x", "w", "won", "win", "winner", "victory", "1.0", "\N{CHECK MARK}")
NOT_WON = ("0", "no", "n", "false", "-", "l", "lost", "loss", "lose", "loser", "defeat", "0.0")
DRAWN = ("d", "draw", "drawn", "tie", "tied", "0.5", "\N{VULGAR FRACTION ONE HALF}")
KEY = ("event", "game", "date")
NUMBER = "number of the game"
"""Column with the number of the game that a row belongs to, from 0 in the order of the file. Comparing these numbers
is faster than comparing the columns of KEY."""
SEAT_COLUMNS = ("game", "players", "seat", "player", "faction", "rank", "win", "score", "rating", "date", "event",
                "order")  # fmt: skip
Missing = Literal["leave-out", "refuse"]


@dataclass(frozen=True)
class League:
    """Results of real games.

    Attributes
    ----------
    name
        Name of the league: the name of its file.
    seats
        One row for each seat of each game: `game` (from 0, in the order of the file), `players`, `seat` (from 0),
        `player`, `faction`, `rank` (1 = first; tied seats have equal ranks), `win` (1, or a share of it if several
        seats tie for first place), `score`, `rating`, `date`, `event`, and `order` (whether the places below the first
        are known). Unknown values are null.
    columns
        What each column of the file contains, in words.
    left_out
        What was left out and why; each entry names its row and column.
    similar
        Pairs of names, of players or factions, that may mean the same.
    notes
        How the file was interpreted where that was not obvious.
    anonymous
        Whether numbers replace the names of players and events.
    folder
        The folder from which the league was read; None if it comes from a table.
    """

    name: str
    seats: pl.DataFrame
    columns: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    similar: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    anonymous: bool = False
    folder: Path | None = None

    @property
    def games(self) -> int:
        """Number of games."""
        return self.seats["game"].n_unique()

    def __repr__(self) -> str:
        players, factions = (self.seats[name].drop_nulls().n_unique() for name in ("player", "faction"))
        return f"{self.name}: {self.games:,} games, {players:,} players, {factions:,} factions"


@dataclass
class Problems:
    """Collects faulty cells and games, and the games that are left out because of them.

    For each kind of problem, messages name the first rows and the number of all others.
    """

    file: Path | None
    missing: Missing
    told: list[str]
    games: pl.Series

    def leave_out(self, wrong: pl.DataFrame, reason: str, column: str, found: str = "") -> None:
        """Leave out the games to which faulty rows belong, or reject the file if `missing` is "refuse".

        Parameters
        ----------
        wrong
            The rows with the problem.
        reason
            What is wrong: "the score is missing".
        column
            Heading of the faulty column in the file; "" if the problem is not in one cell.
        found
            Name of the column of `wrong` that holds the faulty text; "" if there is none.

        Raises
        ------
        UserError
            The file is rejected.
        """
        if wrong.is_empty():
            return
        first = wrong.sort(ROW).head(MAX_LISTED)
        if self.missing == "refuse":
            text = first[found][0] if found else None
            raise UserError(
                reason, file=self.file, row=first[ROW][0], field=column or None, found=text,
                allowed="a corrected file, or --missing leave-out",
            )  # fmt: skip
        where = f", column {column}" if column else ""
        self.told += [
            f"row {row[ROW]}{where}: {reason}{f' ({row[found]!r})' if found else ''}" for row in first.to_dicts()
        ]
        if wrong.height > first.height:
            self.told.append(f"and {wrong.height - first.height:,} more rows{where}: {reason}")
        self.games = pl.concat([self.games, wrong[NUMBER]])

    def kept(self, seats: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of games that are not left out."""
        return seats.filter(~pl.col(NUMBER).is_in(self.games.unique().implode()))


@checks_arguments
def read_results(
    source: str | Path | pl.DataFrame | pd.DataFrame,
    columns: Mapping[str, str] | None = None,
    *,
    missing: Missing = "leave-out",
    anonymous: bool = False,
) -> League:
    """Read results of real games from a file or a frame with one row for each seat, or one row for each game.

    Parameters
    ----------
    source
        A CSV, Excel or Parquet file, or a frame of Polars or pandas.
    columns
        Headings by kind, for columns that cannot be identified by their headings: `{"game": "Match", "player":
        "Name"}`. Kinds are game, date, event, player, faction, seat, place, score, winner, rating and players.
    missing
        What to do with games that have no result or contradict themselves: "leave-out" omits them, "refuse" rejects the
        file.
    anonymous
        Whether to replace the names of players and events by numbers.

    Raises
    ------
    UserError
        The file cannot be read, a column is not found, dates are ambiguous, or seats win as teams. With "refuse": a
        game has no result or contradicts itself.

    Examples
    --------
    >>> games = [(1, "Ann", "Elves", 1), (1, "Bob", "Orcs", 2), (2, "Ann", "Orcs", 2), (2, "Bob", "Elves", 1)]
    >>> rows = [dict(zip(("game", "player", "faction", "place"), row)) for row in games]
    >>> empirelab.read_results(pl.DataFrame(rows))
    results: 2 games, 2 players, 2 factions
    """
    if missing not in get_args(Missing):
        raise UserError("unknown choice", field="missing", found=missing, allowed=get_args(Missing))
    file = Path(source) if isinstance(source, str | Path) else None
    table = read_table(Path(source) if isinstance(source, str | Path) else source)
    found = find_columns([name for name in table.columns if name != ROW], columns or {}, file)
    headings = {kind: column for seat in reversed(found.seats) for kind, column in seat.items()} | found.single
    used = {column for seat in (found.single, *found.seats) for column in seat.values()}
    unused = [name for name in table.columns if name != ROW and name not in used]
    notes = [f"columns not used: {', '.join(unused)}"] if unused else []
    seats = one_row_a_seat(table, found)
    seats = filled_from_above(seats, notes) if not found.seats else seats
    seats = seats.with_columns(read_dates(seats["date"], seats[ROW], headings.get("date", "date"), file, notes))
    problems = Problems(file, missing, [], pl.Series(NUMBER, [], pl.UInt32))
    seats = with_game_numbers(with_names(seats, notes))
    check_teams(seats, headings, file)
    seats = with_numbers(seats, problems, headings)
    similar = [pair for kind in ("player", "faction") for pair in similar_names(seats[kind])]
    seats = with_places(seats, problems, headings, notes)
    leave_out_wrong_games(seats, problems, headings)
    whole = problems.kept(seats)
    if whole.is_empty():
        reasons = "; ".join(problems.told[:3])
        raise UserError(f"no game is left that can be counted ({reasons})", file=file, allowed="games with a result")
    left = seats[NUMBER].n_unique() - whole[NUMBER].n_unique()
    if left:
        problems.told.append(f"{left:,} game{'' if left == 1 else 's'} left out in all")
    league = League(
        "results" if file is None else printable(file.stem), finished(whole), tuple(found.words()),
        tuple(problems.told), tuple(similar), tuple(notes),
    )  # fmt: skip
    return without_names(league) if anonymous else league


def one_row_a_seat(table: pl.DataFrame, columns: FoundColumns) -> pl.DataFrame:
    """Return one row for each seat, with a column for each kind. Kinds without a column in the file are null."""
    parts = []
    for number, own in enumerate(columns.seats or ({},)):
        names = columns.single | own
        cells = [pl.col(names[kind]).alias(kind) if kind in names else pl.lit(None, pl.String).alias(kind)
                 for kind in ("game", "date", "event", "player", "faction", "seat", "place", "score", "winner",
                              "rating", "team", "players")]  # fmt: skip
        part = table.select(ROW, pl.lit(number + 1).alias("number"), *cells)
        if columns.seats:
            # In a game with fewer players, the cells of the missing seats are empty.
            part = part.filter(pl.any_horizontal(pl.col(kind).is_not_null() for kind in own))
            part = part.with_columns(pl.col(ROW).cast(pl.String).alias("game"))
            if "winner" not in own:
                part = part.with_columns(winner_named(number + 1))
        parts.append(part)
    return pl.concat(parts).sort(ROW, "number", maintain_order=True)


def winner_named(number: int) -> pl.Expr:
    """Return an expression: "1" if the cell `winner` names seat `number` by player, faction or number, else "0".

    It is null if the cell is empty.
    """
    winner = folded_text("winner")
    names = [folded_text("player"), folded_text("faction"), pl.lit(str(number)), pl.lit(f"player {number}")]
    hit = pl.any_horizontal((winner == name).fill_null(False) for name in names)
    return (
        pl.when(pl.col("winner").is_null())
        .then(None)
        .otherwise(pl.when(hit).then(pl.lit("1")).otherwise(pl.lit("0")))
        .alias("winner")
    )


def folded_text(column: str) -> pl.Expr:
    """Return an expression for the names in a column, in lower case and with single blanks."""
    return pl.col(column).str.to_lowercase().str.replace_all(r"\s+", " ")


def filled_from_above(seats: pl.DataFrame, notes: list[str]) -> pl.DataFrame:
    """In rows without a game, fill the empty cells of game, date and event from the row above.

    A spreadsheet's merged cell is read as a value in its first row and empty cells below. If cells were filled, `notes`
    gets a sentence.
    """
    empty = seats["game"].is_null()
    if not empty.any() or seats["game"][0] is None:
        return seats
    notes.append(f"{empty.sum():,} empty cells of the game were filled from the row above, as merged cells are read")
    both = [
        pl.when(pl.col("game").is_null() & pl.col(name).is_null())
        .then(pl.col(name).forward_fill())
        .otherwise(name)
        .alias(name)
        for name in ("date", "event")
    ]
    return seats.with_columns(both).with_columns(pl.col("game").forward_fill())


def with_names(seats: pl.DataFrame, notes: list[str]) -> pl.DataFrame:
    """Return the rows with one spelling for all names that differ only in case and blanks.

    `notes` gets a sentence on the names that were merged. A missing date is taken from the other rows of the game.
    """
    for kind in ("player", "faction", "event"):
        seats, merged = same_names(seats, kind)
        if merged:
            named = "; ".join(" = ".join(map(repr, names)) for names in merged[:5])
            more = f"; and {len(merged) - 5:,} more" if len(merged) > 5 else ""
            notes.append(f"taken for one {kind}, because they differ only in case and blanks: {named}{more}")
    # If some rows of a game lack the date, use the date in its other rows.
    of_game = pl.col("date").drop_nulls().unique()
    one = pl.when(of_game.len().over("event", "game") == 1).then(pl.col("date").max().over("event", "game"))
    return seats.with_columns(pl.col("date").fill_null(one))


def with_game_numbers(seats: pl.DataFrame) -> pl.DataFrame:
    """Number the games in the order of the file. Rows with the same event, game and date belong to one game."""
    games = seats.select(KEY).unique(maintain_order=True).with_row_index(NUMBER)
    return seats.join(games, KEY, "left", nulls_equal=True, maintain_order="left")


def check_teams(seats: pl.DataFrame, headings: Mapping[str, str], file: Path | None) -> None:
    """Raise UserError if seats play in teams: two seats with one team, or two known players in one cell."""
    message = "seats that win as a team are not supported: each player must have a place or score of their own"
    allowed = "games in which everyone plays alone"
    team = seats.filter(pl.col("team").is_not_null())
    both = team.filter(pl.len().over(NUMBER, "team") > 1)
    if both.height:
        row = both.row(0, named=True)
        raise UserError(message, file=file, row=row[ROW], field=headings["team"], found=row["team"], allowed=allowed)
    names = seats["player"].drop_nulls().unique()
    alone = {name.casefold() for name in names}
    for name in names.filter(names.str.contains(r"\s[&+]\s|\s?/\s?|\sand\s|;")):
        parts = [part.strip().casefold() for sign in (" & ", " + ", "/", " and ", ";") for part in name.split(sign)]
        if len(set(parts) & alone - {name.casefold()}) > 1:
            row_number = seats.filter(pl.col("player") == name)[ROW][0]
            raise UserError(message, file=file, row=row_number, field=headings["player"], found=name, allowed=allowed)


def with_numbers(seats: pl.DataFrame, problems: Problems, headings: Mapping[str, str]) -> pl.DataFrame:
    """Convert seats, places, scores, ratings and players to numbers.

    A place or a score that is not a number counts as a problem. A seat, rating or number of players that is not a
    number becomes null.
    """
    number = r"([+-]?\d+(?:[.,]\d+)?)"
    plain = {
        "place": pl.col("place").str.extract(r"(?i)^[t=]?\s*(\d+)\s*(?:\.|st|nd|rd|th)?\s*(?:=|\(?tied?\)?)?$"),
        "seat": pl.col("seat").str.extract(r"^(?i)(?:seat|player|p)?\s*(\d+)(?:\.0|\.|st|nd|rd|th)?$"),
        "players": pl.col("players").str.extract(r"^(\d+)(?:\.0| ?p| players)?$"),
        "score": pl.col("score").str.replace_all(r"[\s\x{a0}]|(?i)(?:vp|pts|points)$", "").str.extract(rf"^{number}$"),
        "rating": pl.col("rating").str.replace_all(r"\s", "").str.extract(rf"^{number}$"),
    }
    read = seats.with_columns(
        text.str.replace(",", ".").cast(pl.Float64, strict=False).alias(f"{kind} read") for kind, text in plain.items()
    )
    for kind in ("place", "score"):
        wrong = read.filter(pl.col(kind).is_not_null() & pl.col(f"{kind} read").is_null())
        problems.leave_out(wrong, f"the {kind} is not a number", headings.get(kind, kind), kind)
    return read.with_columns(pl.col(f"{kind} read").alias(kind) for kind in plain).drop(
        f"{kind} read" for kind in plain
    )


def with_places(seats: pl.DataFrame, problems: Problems, headings: Mapping[str, str], notes: list[str]) -> pl.DataFrame:
    """Add `rank`, `win` and `order` to the rows. They follow from places, else from scores, else from the winner.

    Games without a result are left out (`problems`). If scores replace missing places, `notes` gets a sentence.
    """
    text = folded_text("winner")
    named = (text == folded_text("player")) | (text == folded_text("faction"))
    won = (
        pl.when(text.is_in(WON) | named.fill_null(False)).then(1.0)
        .when(text.is_in(DRAWN)).then(0.5)
        .when(text.is_null() | text.is_in(NOT_WON)).then(0.0)
    )  # fmt: skip
    seats = seats.with_columns(won.alias("won"))
    # A column may name the winner in every row of a game. In the rows of the losers, the name is then not their own.
    other = pl.col("won").is_null() & (pl.col("won").max().over(NUMBER) == 1)
    seats = seats.with_columns(pl.when(other).then(0.0).otherwise("won").alias("won"))
    unread = seats.filter(pl.col("won").is_null())
    problems.leave_out(unread, "the winner cannot be identified", headings.get("winner", "winner"), "winner")
    whole = {kind: pl.col(kind).is_not_null().all().over(NUMBER) for kind in ("place", "score")}
    someone = pl.col("won").sum().over(NUMBER) > 0
    place = pl.when(whole["place"]).then("place").when(whole["score"]).then(-pl.col("score"))
    place = place.when(someone).then(-pl.col("won"))
    seats = seats.with_columns(place.alias("by"), (whole["place"] | whole["score"]).alias("ordered"))
    without = problems.kept(seats).filter(pl.col("by").is_null())
    kinds = [kind for kind in ("place", "score") if kind in headings]
    holes = [pl.col(kind).is_null() & pl.col(kind).is_not_null().any().over(NUMBER) for kind in kinds]
    cells = without.filter(pl.any_horizontal(holes)) if holes else without.head(0)
    column = " and ".join(headings[kind] for kind in kinds)
    problems.leave_out(cells, " and ".join(f"the {kind} is missing" for kind in kinds), column)
    rest = without.join(cells, NUMBER, "anti")
    reason = "the game has no result" if kinds else "nobody won"
    problems.leave_out(rest.unique(NUMBER, keep="first", maintain_order=True), reason, column or headings["winner"])
    fallen = (
        seats.filter(~whole["place"] & whole["score"] & pl.col("place").is_null()) if "place" in headings else without
    )
    if "place" in headings and "score" in headings and fallen.height:
        notes.append(f"{fallen.height:,} missing places were taken from the scores")
    first = pl.col("rank") == 1
    alike = (pl.col("rank").filter(pl.col("rank") > 1).n_unique().over(NUMBER) <= 1) & (pl.col("players_here") > 2)
    several = first.not_().sum().over(NUMBER) > 1
    seats = seats.with_columns(
        pl.col("by").rank("min").over(NUMBER).cast(pl.UInt8, strict=False).alias("rank"),
        pl.len().over(NUMBER).alias("players_here"),
    )
    # If all losers have the same place, only the winner is known, not their order.
    order = pl.col("ordered") & ~(alike & several) | (pl.col("players_here") == 2)
    return seats.with_columns(order.alias("order"), (first / first.sum().over(NUMBER)).cast(pl.Float64).alias("win"))


def leave_out_wrong_games(seats: pl.DataFrame, problems: Problems, headings: Mapping[str, str]) -> None:
    """Leave out games that cannot be right.

    Such a game has only one player or too many, has a player twice, has two players in one seat, states another number
    of players than it has, or has no first place.
    """
    first = pl.col(NUMBER).is_first_distinct()
    one = seats.filter(pl.col("players_here") == 1)
    problems.leave_out(one, "the game has one player", "")
    many = seats.filter((pl.col("players_here") > MAX_PLAYERS) & first)
    problems.leave_out(many, f"the game has more than {MAX_PLAYERS} players", headings.get("game", ""), "game")
    problems.leave_out(twice(seats, "player"), "the player is in this game twice", headings.get("player", ""), "player")
    problems.leave_out(twice(seats, "seat"), "two players have this seat", headings.get("seat", ""))
    wrong = seats.filter(pl.col("players") != pl.col("players_here")).filter(first)
    problems.leave_out(wrong, "the number of rows differs from the number of players", headings.get("players", ""))
    headless = seats.filter((pl.col("place").min().over(NUMBER) > 1) & first)
    problems.leave_out(headless, "nobody has the first place", headings.get("place", ""))


def twice(seats: pl.DataFrame, kind: str) -> pl.DataFrame:
    """For each player or seat (`kind`) that occurs more than once in a game, return its second row."""
    several = seats.filter(pl.col(kind).is_not_null()).filter(pl.struct(NUMBER, kind).is_duplicated())
    return several.filter(pl.int_range(pl.len()).over(NUMBER, kind) == 1)


def finished(seats: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with the columns of `League.seats`."""
    number = (pl.col(NUMBER).rank("dense") - 1).cast(pl.UInt32).alias("game")
    seats = seats.with_columns(number, pl.col("players_here").cast(pl.UInt8).alias("players"))
    seat = (pl.col("seat") - 1).cast(pl.UInt8, strict=False)
    # Ignore the seats of a game if a seat is missing or above the number of players.
    fits = (seat.is_not_null() & (seat < pl.col("players"))).all().over("game")
    seats = seats.with_columns(pl.when(fits).then(seat).alias("seat"))
    return seats.select(SEAT_COLUMNS).sort("game", "seat", maintain_order=True)


def without_names(league: League) -> League:
    """Return a league in which numbers, drawn at random, replace the names of players and events."""
    seats = league.seats
    for kind in ("player", "event"):
        names = seats[kind].drop_nulls().unique().to_list()
        random.SystemRandom().shuffle(names)
        digits = len(str(len(names)))
        numbers = [f"{kind} {number:0{digits}}" for number in range(1, len(names) + 1)]
        seats = seats.with_columns(pl.col(kind).replace_strict(names, numbers, default=None, return_dtype=pl.String))
    told = tuple(text.partition(" (")[0] for text in league.left_out)  # without the texts that they quote from the file
    return replace(league, seats=seats, left_out=told, similar=(), notes=(), anonymous=True)
