"""Reads `configs/validity/`: published results of people, and figures of runs to compare them with."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from sim.data.catalog import CONFIGS, Certainty, Name, Names, Row, read_toml, validate_row
from sim.errors import UserError

FOLDER = CONFIGS / "validity"
PLAYED = "played"
"""Name of the folder with the figures of runs."""
PAGE = "docs/validity.md"
Share = Annotated[float, Field(ge=0, le=1)]


class Source(Row):
    """Published results of people.

    `year` and `games` are None if the source does not give them. `size` is the amount of data in the source's own
    words: "397 starts at tables of 4". `tells` and `does_not_tell` say what follows from the source, and what does not.
    """

    id: Name
    title: Name
    address: Name
    year: int | None = None
    games: Annotated[int, Field(ge=1)] | None = None
    size: Name
    tells: Name
    does_not_tell: Name


class PublishedFinding(Row):
    """A finding of a source about a faction, which is a level of the attribute that the file names, such as "Rhodos".

    `direction` is 1 if the source calls the faction good, 0 if average, -1 if bad. `share` is the share of games that
    the faction won, if the source gives it.
    """

    source: Name
    faction: Name
    direction: Literal[-1, 0, 1]
    share: Share | None = None
    stage: Name
    note: str = ""


class LeftPart(Row):
    """A rule on the cards of a reprint that the file of changes leaves out, plays otherwise, or had to interpret.

    Attributes
    ----------
    cards, says
        Ids of the cards with this part, and what their printed faces say.
    plays
        What the changes play instead; empty for nothing.
    needs
        "Horizons" if the part is a mechanism of the box that the new faces came with. "reading" if the part is played,
        but the source leaves open how.
    why
        Why the part is played in this way or left out, in words.
    """

    cards: Names
    says: Name
    plays: str = ""
    needs: Literal["Horizons", "reading"]
    why: Name
    certainty: Certainty


class Revision(Row):
    """Factions that the designers changed in a reprint.

    `changes` is the name of the file of changes that plays the new faces. `played` are the factions with at least one
    new face that these changes play. `left_out` are the factions none of whose new faces they play. `limits` says in
    words what the changes leave out, `left` part by part.
    """

    source: Name
    changes: Name
    played: Names
    left_out: Names
    limits: Name
    left: list[LeftPart] = Field(default_factory=list)


class KeptPlay(Row):
    """Edges of the factions in a run, as saved.

    `rung` names the players: "balanced", "balanced, without lessons". `changes` is the name of the file of changes that
    was played; empty for the game as printed. `edges` has each faction's win rate minus the fair share, and the
    standard error.
    """

    rung: Name
    variant: Name
    players: int
    games: int
    changes: str = ""
    command: Name
    edges: dict[str, Annotated[list[float], Field(min_length=2, max_length=2)]]


class Validity(Row):
    """How a game's simulation agrees with results of people, as in a file of `configs/validity/`.

    `attribute` is that by which the findings name factions: "wonder". `not_played` says what was not played, and why;
    `shows` what the comparison does and does not show.
    """

    attribute: Name
    not_played: Name
    shows: Name
    source: list[Source]
    finding: list[PublishedFinding] = Field(default_factory=list)
    revision: list[Revision] = Field(default_factory=list)


class Played(Row):
    """Figures of runs of a game, as written by `docs/make_validity.py --play`."""

    play: list[KeptPlay]


@cache
def validity_of(game: str) -> Validity | None:
    """Return results of people for a game; None if it has no file. Raise UserError if the file has a mistake."""
    file = FOLDER / f"{game}.toml"
    if not file.is_file():
        return None
    found = validate_row(file, read_toml(file), Validity, game)
    known = [source.id for source in found.source]
    for source in [row.source for row in found.finding] + [row.source for row in found.revision]:
        if source not in known:
            raise UserError("no such source", file=file, field="source", found=source, allowed=known)
    return found


@cache
def plays_of(game: str) -> tuple[KeptPlay, ...]:
    """Return the saved figures of all runs of a game."""
    file = FOLDER / PLAYED / f"{game}.toml"
    return tuple(validate_row(file, read_toml(file), Played, game).play) if file.is_file() else ()


def rungs_with_results(game: str) -> tuple[str, ...]:
    """Return the rungs whose saved figures the page on validity compares with results of people."""
    return () if validity_of(game) is None else tuple(dict.fromkeys(play.rung for play in plays_of(game)))
