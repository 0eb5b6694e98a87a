"""Identifies the columns of a table by their headings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.errors import UserError

HEADINGS: dict[str, tuple[str, ...]] = {
    "game": ("game", "game id", "game number", "game no", "match", "match id", "table", "table id", "id", "no"),
    "date": ("date", "played", "played on", "day", "when", "game date", "end date", "date played"),
    "event": ("event", "tournament", "session", "evening", "group", "season", "convention", "club", "league"),
    "player": ("player", "player name", "name", "user", "username", "user name", "nick", "nickname", "who"),
    "faction": (
        "faction", "race", "nation", "civilization", "civilisation", "civ", "board", "wonder", "empire", "clan",
        "house", "guild", "character", "deck", "hero", "corporation", "colour", "color", "side", "people",
    ),
    "seat": ("seat", "turn order", "seat number", "seating", "start position", "starting position", "play order",
             "player order", "order"),
    "place": ("place", "rank", "placement", "finish", "finishing position", "position", "standing", "ranking", "pos"),
    "score": ("score", "points", "vp", "vps", "victory points", "total", "pts", "final score", "total score"),
    "winner": ("winner", "won", "win", "is winner", "victory", "wins", "won by", "result", "outcome"),
    "rating": ("rating", "elo", "mmr", "skill", "player rating", "player elo"),
    "team": ("team", "partner", "alliance", "teams"),
    "players": ("players", "number of players", "player count", "num players", "nr of players", "n players", "size"),
}  # fmt: skip
"""Headings of each kind of column, in the form of `folded`. If several columns fit a kind, the heading listed first
wins."""
KINDS = tuple(kind for kind in HEADINGS if kind != "team")
RESULTS = ("place", "score", "winner")
OF_A_SEAT = ("player", "faction", "seat", "place", "score", "winner", "rating", "team")
"""If a row is a whole game, each of these kinds may have one column for each seat: Player 1, Score 1, Player 2, ..."""
UNNAMED = ("__UNNAMED__", "_duplicated_")
"""Names that readers of workbooks and text files give to columns without a heading."""
NEEDED = "--columns, such as " + "--columns game=Match,player=Name,score=VP"


@dataclass(frozen=True)
class FoundColumns:
    """The columns of a table by kind.

    Attributes
    ----------
    single
        Column by kind. If each row is a seat, these are all columns. If each row is a game, they are only the columns
        about the whole game.
    seats
        For each seat, its columns by kind. Empty if each row is a seat.
    """

    single: dict[str, str]
    seats: tuple[dict[str, str], ...] = ()

    def words(self) -> list[str]:
        """Return a line for each kind of column that was found: 'player: Name'."""
        said = [f"{kind}: {column}" for kind, column in self.single.items()]
        for kind in OF_A_SEAT:
            held = [seat[kind] for seat in self.seats if kind in seat]
            if held:
                said.append(f"{kind}: {held[0]}" + (f" to {held[-1]}" if len(held) > 1 else ""))
        return said


def folded(heading: str) -> str:
    """Return a heading in lower case with single blanks between words and numbers: 'player 1 vp' for 'Player1_VP'."""
    return " ".join(re.findall(r"[^\W\d_]+|\d+", heading.casefold()))


def find_columns(headings: Sequence[str], said: Mapping[str, str], file: Path | None = None) -> FoundColumns:
    """Return the columns of a table by kind.

    `said` maps kinds to headings that the user gave; for numbered columns, any one of their headings: `score="VP 1"`.
    Raise UserError if a kind or heading does not exist, two columns could be of one kind, or a column is missing that
    every league needs: the faction, the result, or the game that a row belongs to.
    """
    chosen = {kind: heading_of(kind, heading, headings, file) for kind, heading in said.items()}
    numbered = numbered_columns(headings, chosen)
    # Numbered columns count as seats only if a kind that distinguishes seats has two or more of them.
    wide = any(len(numbered.get(kind, {})) > 1 for kind in ("player", "faction", "score", "place"))
    taken = set(chosen.values()) | ({one for of in numbered.values() for one in of.values()} if wide else set())
    single: dict[str, str] = {}
    for kind in HEADINGS:
        if kind in chosen and not (wide and chosen[kind] in numbered.get(kind, {}).values()):
            single[kind] = chosen[kind]
        elif kind not in chosen and not (wide and kind in numbered):
            found = best_of(kind, [one for one in headings if one not in taken], file)
            single |= {} if found is None else {kind: found}
            taken |= set() if found is None else {found}
    numbers = sorted({number for of in numbered.values() for number in of}) if wide else []
    seats = tuple({kind: of[number] for kind, of in numbered.items() if number in of} for number in numbers)
    columns = FoundColumns(single, seats)
    check_columns(columns, headings, file)
    return columns


def heading_of(kind: str, heading: str, headings: Sequence[str], file: Path | None) -> str:
    """Return the column that a user named. Raise UserError if the kind or the heading does not exist."""
    if kind not in KINDS:
        raise UserError("unknown kind of column", field="columns", found=kind, allowed=KINDS)
    if heading in headings:
        return heading
    alike = [one for one in headings if folded(one) == folded(heading)]
    if len(alike) != 1:
        raise UserError("there is no such column", file=file, field="columns", found=heading, allowed=headings)
    return alike[0]


def numbered_columns(headings: Sequence[str], chosen: Mapping[str, str]) -> dict[str, dict[int, str]]:
    """Return the columns with numbered headings, by kind and number: `{"score": {1: "Score 1"}}`.

    'Player 2' is the player in seat 2. 'Player 2 score', 'P2 VP' and 'Score 2' all mean the score of seat 2.
    """
    named = {without_number(heading)[0]: kind for kind, heading in chosen.items() if without_number(heading)[1]}
    found: dict[str, dict[int, str]] = {}
    for heading in headings:
        stem, number = without_number(heading)
        if not number:
            continue
        bare = " ".join(word for word in stem.split() if word not in ("player", "p", "seat")) or "player"
        kind = named.get(stem) or next((kind for kind in OF_A_SEAT if bare in HEADINGS[kind]), None)
        if stem == "seat":
            kind = "seat"
        if kind is not None and (kind not in chosen or stem in named):
            found.setdefault(kind, {}).setdefault(number, heading)
    return found


def without_number(heading: str) -> tuple[str, int]:
    """Return a folded heading without its number, and the number. The number is 0 if there is none or more than one."""
    words = folded(heading).split()
    numbers = [word for word in words if word.isdecimal()]
    if len(numbers) != 1 or len(numbers[0]) > 2:
        return " ".join(words), 0
    return " ".join(word for word in words if word != numbers[0]), int(numbers[0])


def best_of(kind: str, headings: Sequence[str], file: Path | None) -> str | None:
    """Return the column for a kind: that with the first of the kind's `HEADINGS` that occurs. None if none occurs.

    Raises UserError if two columns have this heading.
    """
    by_name: dict[str, list[str]] = {}
    for heading in headings:
        by_name.setdefault(folded(heading), []).append(heading)
    for name in HEADINGS[kind]:
        if len(by_name.get(name, [])) > 1:
            raise UserError(
                f"two columns could be the {kind}", file=file, field="columns", found=by_name[name], allowed=NEEDED
            )
        if name in by_name:
            return by_name[name][0]
    return None


def check_columns(columns: FoundColumns, headings: Sequence[str], file: Path | None) -> None:
    """Raise UserError if the first row does not name the columns, or if a column is missing that every league needs."""
    empty = [heading for heading in headings if not heading.strip() or heading.startswith(UNNAMED)]
    if len(empty) > len(headings) / 2 or len(headings) == 1:
        message = "the first row does not name the columns"
        allowed = "a first row such as Game, Player, Faction, Score: delete the rows above it"
        raise UserError(message, file=file, found=headings[0], allowed=allowed)
    there = set(columns.single) | {kind for seat in columns.seats for kind in seat}
    missing = [kind for kind in ("faction",) if kind not in there]
    if not columns.seats:
        missing += [kind for kind in ("game",) if kind not in there]
    if not there & set(RESULTS):
        missing.append("place, score or winner")
    if missing:
        message = f"no column was found for {' and '.join(missing)} (columns: {', '.join(headings)})"
        raise UserError(message, file=file, field="columns", allowed=NEEDED)
