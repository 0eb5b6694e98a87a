"""Plays the same deals with and without a card or a part of a faction, and says what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.commands.options import GameName, Options, games_option, with_options
from sim.commands.sections import emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.model import Section
    from reports.studies.parts.parts import Part
    from sim.players.batch import Plan


@with_options("players strategies factions variant seed jobs code sandbox settings decks as_json html csv png quiet")
def intervene(
    options: Options,
    game: GameName,
    card: Annotated[
        list[str] | None,
        typer.Option("--card", "-c", help='Card to change: "Loom (2)", "Loom" for all ages, or "all".'),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without", metavar="WORDS", help='A part of a faction: "Rhodos B stage 1", "Rhodos B all"; or a card.'
        ),
    ] = None,
    make: Annotated[
        str,
        typer.Option(
            "--make", metavar="HOW", help="none (without effects), half (of them), free (without cost), or FIELD=VALUE."
        ),
    ] = "none",
    games: Annotated[int, games_option("How many games to play, in each arm.")] = 20_000,
) -> None:
    """Play the same deals as printed and with a card or part changed: what is it worth to its owners?

    Examples: empirelab intervene seven_wonders --card Pawnshop --card Loom --make none

    empirelab intervene seven_wonders --without "Halikarnassos B stage 1" --make half
    """
    from reports.formatting import plural
    from reports.sections.factions.parts import parts_section
    from reports.sections.pieces.piece_effects import intervention_section
    from reports.studies.parts.explain_parts import play_parts
    from reports.studies.parts.intervene import choose_pieces, noun_of
    from reports.studies.parts.intervene import play_intervention as play_and_compare
    from sim.runs.config import make_plan

    places = options.places
    plan = make_plan(options.config(game, games=games))
    cards, parts = things_named(plan, card or [], without or [])
    if not cards and not parts:
        message = "nothing to change is given"
        raise UserError(message, field="card", allowed='--card NAME, or --without "FACTION PART"')
    sections: list[Section] = []
    more: dict[str, Any] = {}
    if cards:
        pieces = choose_pieces(plan.game, plan.data, cards)
        what = f"{plan.game.title}, {len(pieces)} {plural(noun_of(plan.game))}"
        with options.progress_bar(what, games * (1 + len(pieces))) as advance:
            found = play_and_compare(plan, games, pieces, make, jobs=options.jobs, say=options.log, progress=advance)
        sections.append(intervention_section(found))
        more = described_piece(found)
    for faction, named in parts.items():
        with options.progress_bar(f"{len(named)} parts", games * (1 + len(named))) as advance:
            done = play_parts(
                plan, faction, named, games, [way_of(make)], jobs=options.jobs, say=options.log, progress=advance
            )
        sections.append(parts_section(done))
    heading = (plan.game.title, f"{plan.players} players, {', '.join(strategy.name for strategy in plan.strategies)}")
    emit_sections(sections, places, heading, more=more, full=True, certainty=plan.data.certainty)


def things_named(plan: Plan, cards: list[str], without: list[str]) -> tuple[list[str], dict[int, list[Part]]]:
    """Separate names into cards, and parts of factions by faction; the name of a card means the card.

    Raises
    ------
    UserError
        A name is neither.
    """
    from reports.studies.parts.parts import parts_named

    names = {piece.casefold() for piece in plan.data.pieces} | {
        piece.partition(" (")[0].casefold() for piece in plan.data.pieces
    }
    own_cards = [text for text in without if text.strip().casefold() in names]
    parts: dict[int, list[Part]] = {}
    for text in without:
        if text not in own_cards:
            for named in parts_named(plan.game, plan.data, text):
                parts.setdefault(named.faction, []).append(named.part)
    return [*cards, *own_cards], parts


def way_of(make: str) -> str:
    """Return the way in which parts are changed.

    Raises
    ------
    UserError
        Parts have no such way.
    """
    from reports.studies.parts.parts import WAYS

    way = make.strip().casefold()
    if way not in WAYS:
        message = "a part of a faction can only be made none, half or free; `compare --change` changes single fields"
        raise UserError(message, field="make", found=make, allowed=list(WAYS))
    return way


def described_piece(found: Any) -> dict[str, Any]:
    """Return what the JSON adds to the section: what was played, and every piece with all its figures."""
    from reports.formatting import plural

    plan = found.plan
    return {
        "game": plan.game.name,
        "make": found.make,
        "games": found.games,
        "players": plan.players,
        "seed": plan.seed,
        "strategies": [strategy.name for strategy in plan.strategies],
        plural(found.noun): found.frame.to_dicts(),
    }
