"""Chooses the game of a run to narrate: finds the games that fit a condition in words, and picks one of them.

A condition is one clause or several with `and` between them:

    Halikarnassos B wins            a faction, an attribute (Rhodos), a strategy or a seat: wins, loses, plays,
    science with Rhodos B loses     comes last; several names with `with` between them are one player
    seat 0 score over 60            a column of the seats' rows: over, under, is
    ends by last epoch              why the game ended
    players is 3 and rounds over 8  a column of the whole game
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import polars as pl

from sim.errors import UserError, nearest
from sim.runs.store.manifest import Manifest, load_manifest
from sim.runs.store.verify import open_parts, reading, seat_columns

Pick = Literal["typical", "closest", "first"]
PICKS: tuple[Pick, ...] = get_args(Pick)
GAME_COLUMNS = ("players", "rounds", "variant")
"""Columns with the same value for all seats of a game."""
SEAT_COLUMNS = ("score", "rank")
VERBS = {
    "wins": pl.col("win") > 0,
    "loses": pl.col("win") == 0,
    "plays": pl.lit(True),
    "last": pl.col("rank") == pl.col("rank").max().over("game"),
}
"""Verbs about a player's result. `last` stands for `comes last`."""
OPERATIONS = ("over", "under", "is")
JOINING = ("with", "as", "by", "in")
"""Words that connect several names of one player, as in `science with Rhodos B`."""


@dataclass(frozen=True)
class Clause:
    """One clause of a condition; a game fits if at least one of its seats does.

    Attributes
    ----------
    who
        Condition on who sits in the seat; true for all seats if the clause is about the whole game.
    does
        Condition on the seat's result.
    names_one
        Whether the clause names a player. If so, games are picked by that player's score and lead.
    """

    who: pl.Expr
    does: pl.Expr
    names_one: bool


@dataclass(frozen=True)
class FoundGame:
    """The chosen game: its number, how it was picked, how many games fit the condition, and how many there are."""

    game: int
    pick: Pick
    where: str
    fitting: int
    games: int

    def __str__(self) -> str:
        """Say which game it is: 'Game 812, the most typical of 3,121 games (of 10,000) in which Rhodos B wins'."""
        kind = {"typical": "the most typical", "closest": "the closest", "first": "the first"}[self.pick]
        if not self.where:
            return f"Game {self.game}, {kind} of {self.games:,}"
        noun = "game" if self.fitting == 1 else "games"
        return f"Game {self.game}, {kind} of {self.fitting:,} {noun} (of {self.games:,}) in which {self.where}"


@dataclass
class Reader:
    """Parses a condition word by word. It holds the names that the run uses, and the position in the condition."""

    words: list[str]
    names: dict[str, pl.Expr]
    columns: dict[str, str]
    reasons: Sequence[str]
    variants: Sequence[str]
    at: int = 0

    def next(self) -> str:
        """Return the next word in lower case; empty at the end."""
        return self.words[self.at].casefold() if self.at < len(self.words) else ""

    def take(self, *allowed: str) -> str:
        """Consume and return the next word if it is in `allowed`; otherwise return an empty string."""
        word = self.next()
        if word and word in allowed:
            self.at += 1
            return word
        return ""

    def take_name(self, names: Sequence[str]) -> str | None:
        """Consume and return the longest of `names` that comes next; None if none comes next."""
        for name in sorted(names, key=lambda name: -len(name.split())):
            words = [word.casefold() for word in name.split()]
            if [word.casefold() for word in self.words[self.at : self.at + len(words)]] == words:
                self.at += len(words)
                return name
        return None

    def longer_names(self) -> list[str]:
        """Return the names that continue the word just read with further words; none if no word follows."""
        if self.at == 0 or not self.next():
            return []
        begin = f"{self.words[self.at - 1]} ".casefold()
        return [name for name in self.names if name.casefold().startswith(begin)]

    def rest(self) -> str:
        """Return the text from the present word up to the next keyword, for error messages."""
        known = {*VERBS, *OPERATIONS, *JOINING, "and", "comes", *map(str.casefold, self.columns)}
        taken: list[str] = []
        for word in self.words[self.at :]:
            if taken and word.casefold() in known:
                break
            taken.append(word)
        return " ".join(taken)

    def refuse(self, message: str, allowed: Sequence[str]) -> UserError:
        """Return an error with `message`, the words at the present position, and what is allowed instead."""
        found = self.rest() or "the end"
        return UserError(message, field="where", found=found, allowed=allowed)


def pick_game(folder: Path, where: str = "", pick: str = "typical") -> FoundGame:
    """Choose a game of a run.

    Parameters
    ----------
    where
        The condition; all games if it is empty.
    pick
        "typical": the game nearest to the median score, lead and length of the games that fit. The three distances are
        summed, each in units of its median distance. "closest": the game with the smallest lead or lag of the seat that
        the condition names first, or of the winner if it names no seat. "first": the game with the lowest number. Ties
        go to the lower number.

    Raises
    ------
    UserError
        The condition cannot be parsed or has a name that the run lacks; no game fits; "closest" is requested for solo
        games, which have no lead; or the run is damaged.
    """
    manifest = load_manifest(folder)
    if pick not in PICKS:
        raise UserError("unknown way to choose a game", field="pick", found=pick, allowed=PICKS)
    seats = pl.concat(open_parts(folder, manifest.shards, seat_columns(manifest)), how="vertical_relaxed")
    with reading(folder):
        clauses = read_where(where, manifest, seats.collect_schema().names())
        games = fitting_games(seats, clauses)
    if not games.height:
        message = "no game of the run matches"
        raise UserError(message, field="where", found=where, allowed="a condition that some game fulfils")
    game = {"typical": typical, "closest": closest, "first": first}[pick](games)
    chosen: Pick = pick
    return FoundGame(game, chosen, where, games.height, manifest.games)


# ---- The condition ----


def read_where(where: str, manifest: Manifest, columns: Sequence[str]) -> list[Clause]:
    """Parse a condition; an empty string has no clauses.

    Raise UserError if a word is not a keyword, or a name does not exist in the run; the message gives the nearest.
    """
    own = {name: name for name in (*SEAT_COLUMNS, *manifest.score_parts, *manifest.measures) if name in columns}
    spoken = {name.replace("_", " "): name for name in own}
    reader = Reader(where.split(), names_of(manifest), own | spoken, manifest.end_reasons, manifest.variants)
    clauses = []
    while reader.next():
        clauses.append(clause_of(reader))
        if reader.next() and not reader.take("and"):
            raise reader.refuse("a clause has ended here", ["and"])
        if not reader.next() and reader.words[-1].casefold() == "and":
            raise reader.refuse("a clause is missing", list(reader.names))
    return clauses


def names_of(manifest: Manifest) -> dict[str, pl.Expr]:
    """Return for each name of a faction, attribute or strategy the expression that selects seats with this name."""
    names: dict[str, pl.Expr] = {}
    for attribute in manifest.faction_attributes:
        for value in dict.fromkeys(row.attributes[attribute] for row in manifest.factions):
            sharing = [row.name for row in manifest.factions if row.attributes[attribute] == value]
            names[value] = pl.col("faction").cast(pl.String).is_in(sharing)
    for column, rows in (("strategy", manifest.strategies), ("faction", manifest.factions)):
        names |= {row.name: pl.col(column).cast(pl.String) == row.name for row in rows}
    return names


def clause_of(reader: Reader) -> Clause:
    """Read one clause of a condition and return it; raise UserError if it cannot be parsed."""
    if reader.take("ends"):
        reader.take("by", "with")
        reason = reader.take_name(reader.reasons)
        if reason is None:
            raise reader.refuse("no game of this run ends this way", reader.reasons)
        return Clause(pl.lit(True), pl.col("end_reason").cast(pl.String) == reason, False)
    if column := reader.take(*GAME_COLUMNS):
        return Clause(pl.lit(True), comparison(reader, column), False)
    who = parse_player(reader)
    reader.take("comes")
    if verb := reader.take(*VERBS):
        return Clause(who, VERBS[verb], True)
    named = reader.take_name(list(reader.columns))
    if named is None:
        verbs = ["comes last" if verb == "last" else verb for verb in VERBS]
        allowed = [*verbs, *dict.fromkeys(reader.columns.values())]
        longer = reader.longer_names()
        if longer and nearest(reader.next(), allowed) is None:
            found = f"{reader.words[reader.at - 1]} {reader.rest()}"
            raise UserError("unknown player of this run", field="where", found=found, allowed=longer)
        raise reader.refuse("what the player does is missing", allowed)
    return Clause(who, comparison(reader, reader.columns[named]), True)


def parse_player(reader: Reader) -> pl.Expr:
    """Read one name or several joined names; return the expression that selects seats to which all apply."""
    who: pl.Expr | None = None
    while True:
        if reader.take("seat"):
            one = pl.col("seat") == parse_number(reader, "a seat's number")
        elif (name := reader.take_name(list(reader.names))) is not None:
            one = reader.names[name]
        else:
            raise reader.refuse("unknown player of this run", [*reader.names, "seat 0", "ends by ..."])
        who = one if who is None else who & one
        reader.take("played")
        if not reader.take(*JOINING):
            return who


def comparison(reader: Reader, column: str) -> pl.Expr:
    """Read an operator and a value; return the expression that compares `column` with the value."""
    operation = reader.take(*OPERATIONS)
    if not operation:
        raise reader.refuse(f"what {column} is compared with is missing", OPERATIONS)
    if column == "variant":
        name = reader.take_name(reader.variants)
        if name is None or len(reader.variants) < 2:
            raise reader.refuse("no game of this run is of such a variant", reader.variants)
        return pl.col("variant").cast(pl.String) == name
    number = parse_number(reader, f"a number for {column}")
    value = pl.col(column)
    return {"over": value > number, "under": value < number, "is": value == number}[operation]


def parse_number(reader: Reader, what: str) -> float:
    """Read a number."""
    try:
        number = float(reader.next())
    except ValueError:
        raise reader.refuse(f"{what} is missing", ["a number, such as 3"]) from None
    reader.at += 1
    return number


# ---- The choice ----


def fitting_games(seats: pl.LazyFrame, clauses: Sequence[Clause]) -> pl.DataFrame:
    """Return the games in which each clause fits at least one seat.

    Columns are `game`, `score` of the seat that the condition names first (or of the winner), its `lead` over the best
    of the others (negative if another seat has more, null in a solo game), and `rounds`.
    """
    named = next((clause for clause in clauses if clause.names_one), None)
    won = pl.col("win") > 0
    # A solo game may have no winner: then the score of its only seat counts.
    winner = pl.when(won.any().over("game")).then(won).otherwise(pl.col("seat") == 0)
    own = winner if named is None else named.who & named.does
    kept = [(clause.who & clause.does).any().over("game") for clause in clauses]
    rows = seats.filter(*kept) if kept else seats
    rows = rows.with_columns(own.alias("own"))
    rows = rows.with_columns((pl.col("own") & (pl.col("own").cum_sum().over("game") == 1)).alias("meant"))
    others = pl.when(~pl.col("meant")).then(pl.col("score")).max().over("game")
    rows = rows.with_columns((pl.col("score") - others).alias("lead"))
    return rows.filter("meant").select("game", "score", "lead", "rounds").sort("game").collect()


def first(games: pl.DataFrame) -> int:
    """Return the lowest number of a game."""
    return int(games["game"][0])


def closest(games: pl.DataFrame) -> int:
    """Return the game with the smallest lead or lag; raise UserError if the games are solo games."""
    told = games.drop_nulls("lead")
    if not told.height:
        message = "games of one player have no second score to be close to"
        raise UserError(message, field="pick", found="closest", allowed=["typical", "first"])
    return int(told["game"][int(told["lead"].cast(pl.Int64).abs().arg_min() or 0)])


def typical(games: pl.DataFrame) -> int:
    """Return the game nearest to the medians of score, lead and length."""
    away = pl.lit(0.0)
    for name in ("score", "lead", "rounds"):
        distance = (pl.col(name).cast(pl.Float64) - pl.col(name).median()).abs()
        spread = distance.median()
        # If half the games have the same value, the median distance is 0. Then distances are not scaled.
        away = away + (distance / pl.when(spread > 0).then(spread).otherwise(1.0)).fill_null(0.0)
    return int(games["game"][int(games.select(away.alias("away"))["away"].arg_min() or 0)])
