"""Measures what a card or a part of a faction is worth: plays the same deals with the card or part and without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from sim.commands.completion import complete_cards, complete_factions
from sim.commands.options import GameName, Options, games_option, option, with_options
from sim.commands.sections import emit_sections
from sim.errors import UserError

if TYPE_CHECKING:
    from reports.model import Section
    from reports.studies.parts.parts import Part
    from sim.players.batch import Plan

GAMES_OF_CARDS = 20_000
"""Default number of games of each arm with a changed card or part."""


@with_options("players strategies factions variant seed jobs code sandbox settings decks as_json html csv png quiet")
def intervene(
    options: Options,
    game: GameName,
    card: Annotated[
        list[str] | None,
        option(
            'Card to change: "Loom (2)", "Loom" of all ages, or "all". May be repeated.',
            "--card",
            "-c",
            of="NAME",
            complete=complete_cards,
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        option(
            'Part of a faction to change: "Rhodos B stage 1", "Rhodos B all". May be repeated.',
            "--without",
            of="WORDS",
            complete=complete_factions,
        ),
    ] = None,
    make: Annotated[
        str,
        option(
            "The change: none (no effects), half (of them), free (no cost), or FIELD=VALUE of a card.",
            "--make",
            of="HOW",
        ),
    ] = "none",
    forbid: Annotated[
        list[str] | None,
        option(
            'What one player never does: "build red cards", "place tile political"; or "all". May be repeated.',
            "--forbid",
            of="WORDS",
        ),
    ] = None,
    require: Annotated[
        list[str] | None, option("What one player does whenever it can. May be repeated.", "--require", of="WORDS")
    ] = None,
    games: Annotated[
        int | None, games_option("Games of each arm.", usual="20000; 2000 with --forbid or --require")
    ] = None,
) -> None:
    """Play the same deals with a card or a part changed, or one player who may not do something: what is it worth?

    Examples
    --------
    empirelab intervene seven_wonders --card Pawnshop --card "Loom (2)" --games 20000
    empirelab intervene seven_wonders --card Walls --strategies balanced,science --csv cards.csv --png cards.png
    empirelab intervene seven_wonders --card Palace --make free
    empirelab intervene seven_wonders --without "Halikarnassos B stage 1" --make half
    empirelab intervene seven_wonders --card Pawnshop --make "effects=[{ vp = 5 }]"
    empirelab intervene seven_wonders --forbid "build red cards" --forbid wonder
    empirelab intervene glory_of_rome --forbid all --strategies balanced --html mechanisms.html

    Notes
    -----
    Each card is an arm of its own, and the seats that play it are compared with themselves. `--card all` ranks every
    card, which takes a few minutes for 20,000 games. A card that can be compared in fewer than 20 blocks has no
    figure; the command says how many games it takes. For parts of a faction the win rate of the faction is compared.
    `half` halves every number of the effects from 2 on, rounded down.

    - `worth`: points of win rate that those who play the card owe to it; for a change other than `none` the column is
      `change`.
    - `score`: the same in points of score.
    - `games`: seats compared, which play the card in either game while both are still alike.
    - `in play`, `changed`: of the seats that had the card before them, how many played it as printed and after the
      change.
    - `flag`: `strong`: those who play it win more by it; `weak`: less; p < 0.05, corrected for all cards of the
      table.

    `--forbid` and `--require` restrict one player among equals (Jaffe and others 2012): it never takes options of a
    kind, or takes them whenever it can. Kinds are those of actions, cards, buildings and places, as the game names
    them; a wrong one gets a list. "A + B" restricts both at once; `all` tries every kind of action that is offered
    often. All players at a table are the same,
    such as `balanced` or `balanced+8`; the restricted one is not trained for the restriction.

    - `edge`: the win rate of the restricted player less its fair share; `verdict` is corrected for all rows.
    - `offered`, `wanted`: decisions of a game that offered it, and in which the player would have chosen otherwise.
    - `free`: decisions in which everything was forbidden, so that it chose freely.
    """
    from reports.formatting import plural
    from reports.sections.factions.parts import parts_section
    from reports.sections.pieces.piece_effects import intervention_section
    from reports.studies.parts.explain_parts import play_parts
    from reports.studies.parts.intervene import choose_pieces, noun_of
    from reports.studies.parts.intervene import play_intervention as play_and_compare
    from sim.runs.config import make_plan

    places = options.places
    if forbid or require:
        if card or without:
            message = "restrict a player or change a card, not both"
            raise UserError(message, field="forbid", allowed="--forbid and --require, or --card and --without")
        emit_restricted(options, game, forbid or [], require or [], games)
        return
    games = GAMES_OF_CARDS if games is None else games
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


def emit_restricted(options: Options, game: str, forbid: list[str], require: list[str], games: int | None) -> None:
    """Play with a restricted player. Print the results, and write the requested files."""
    from reports.studies.parts.restricted import RESTRICTED_GAMES, play_restrictions

    places = options.places
    config = options.config(game, games=RESTRICTED_GAMES if games is None else games)
    found = play_restrictions(config, forbid, require, jobs=options.jobs, say=options.log, bar=options.progress_bar)
    plan = found.plan
    heading = (
        plan.game.title,
        f"{plan.players} players, {', '.join(found.frame['player'].unique(maintain_order=True))}",
    )
    more = {"game": plan.game.name, "games": config.games, "players": plan.players, "seed": plan.seed,
            "rows": found.frame.to_dicts(), "kinds": dict(found.kinds)}  # fmt: skip
    emit_sections([found.section], places, heading, more=more, full=True, certainty=plan.data.certainty)


def things_named(plan: Plan, cards: list[str], without: list[str]) -> tuple[list[str], dict[int, list[Part]]]:
    """Return the cards that --card and --without name, and the parts that --without names, by faction.

    A name of --without that fits both a card and a part means the card.
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
    """Check the value of --make for parts of factions, and return it normalised, such as "none" or "half"."""
    from reports.studies.parts.parts import WAYS

    way = make.strip().casefold()
    if way not in WAYS:
        message = "a part of a faction can only be made none, half or free; `compare --change` changes single fields"
        raise UserError(message, field="make", found=make, allowed=list(WAYS))
    return way


def described_piece(found: Any) -> dict[str, Any]:
    """Return the fields that only the JSON has: what was played, and all figures of every piece."""
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
