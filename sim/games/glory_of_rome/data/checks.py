"""Checks that rows fit together, fit the pieces in the box, and fit into the tables and the game record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from sim.errors import UserError
from sim.games.glory_of_rome.data import models
from sim.games.glory_of_rome.rules.constants import BUILDINGS, CHEST, LEVELS, MAX_SEATS, REGIONS, TRADE_TYPES
from sim.games.glory_of_rome.rules.state import DECK_PLACES, MISSION_PLACES
from sim.games.glory_of_rome.rules.tables import MAX_CARDS, MAX_CHARACTERS, MAX_POPULATION

Where = Path | str
"""Where rows come from, for error messages: their file, or a description."""


def check_distinct_names(where: Where, table: str, names: Sequence[str]) -> None:
    """Check that the rows of a table have different names."""
    for name, rows in Counter(names).items():
        if rows > 1:
            raise UserError(
                f"this {table} is listed twice", file=where, row=name, found=name, allowed="one row for each"
            )


def _check_each(where: Where, table: str, found: Iterable[object], wanted: Sequence[object]) -> None:
    """Check that there is exactly one row for each required name."""
    names = [str(name) for name in found]
    check_distinct_names(where, table, names)
    for name in map(str, wanted):
        if name not in names:
            raise UserError(f"a {table} is missing", file=where, row=name, allowed=f"one [[{table}]] row for each")


def check_board(
    where: Where,
    buildings: Sequence[models.BuildingSite],
    penalties: Sequence[models.Penalty],
    regions: Sequence[models.BattleRegion],
    sets: Sequence[models.SetPoints],
    common: Sequence[models.CommonPieces],
) -> None:
    """Check that no row of the board is missing.

    There must be one for every type and level of building, population, region, type of set and number of players.
    """
    levels = [f"{kind} {level}" for kind in BUILDINGS for level in range(1, LEVELS + 1)]
    _check_each(where, "building", (f"{site.type} {site.level}" for site in buildings), levels)
    _check_each(where, "penalty", (row.population for row in penalties), range(1, MAX_POPULATION))
    _check_each(where, "region", (region.name for region in regions), REGIONS)
    _check_each(where, "set", (row.type for row in sets), TRADE_TYPES[:CHEST])
    _check_each(where, "common_pieces", (row.name for row in common), models.TABLES_OF)


def check_rounds(where: Where, constants: models.Constants, economic: models.Economic) -> None:
    """Check that the economic action has a number of denarii for every round."""
    if len(economic.denarii) < constants.rounds:
        allowed = f"{constants.rounds} or more, one for each round"
        found = len(economic.denarii)
        raise UserError("too few rounds", file=where, row="economic", field="denarii", found=found, allowed=allowed)


def check_lessons(where: Where, followers: Sequence[models.FollowerLesson], tiles: Sequence[models.TileLesson]) -> None:
    """Check that no place (with or without its bonus) and no tile has two lessons for the same number of players."""
    check_distinct_names(
        where, "follower", [f"{row.players} {row.place} {str(row.bonus).lower()}" for row in followers]
    )
    check_distinct_names(where, "tile", [f"{row.players} {row.type} {row.level}" for row in tiles])


def check_characters(
    where: Where, characters: Sequence[models.Character], constants: models.Constants, legions_first: bool
) -> None:
    """Check that there are enough characters for every number of players, and enough pieces for the characters."""
    check_distinct_names(where, "character", [character.name for character in characters])
    if not MAX_SEATS <= len(characters) <= MAX_CHARACTERS:
        allowed = f"{MAX_SEATS} to {MAX_CHARACTERS}"
        message = "wrong number of characters"
        raise UserError(message, file=where, field="character", found=len(characters), allowed=allowed)
    place = 1 if legions_first else 2
    for character in characters:
        for field, found, most, what in (
            (f"numbers.{place}", character.numbers[place - 1], constants.legion_limit, "legions"),
            ("votes", character.votes, constants.vote_limit, "votes"),
        ):
            if found > most:
                allowed = f"at most {most}, those of a player"
                message = f"more {what} than a player has"
                raise UserError(message, file=where, row=character.name, field=field, found=found, allowed=allowed)
    most_discord = sorted(character.discord for character in characters)[-MAX_SEATS:]
    if sum(most_discord) > constants.discord_tokens:
        message = f"{MAX_SEATS} characters can start with more discord tokens than there are"
        allowed = f"at most {constants.discord_tokens}, see constants.discord_tokens"
        raise UserError(message, file=where, field="discord", found=sum(most_discord), allowed=allowed)


def copies_of(cards: Iterable[models.Card]) -> int:
    """Return the number of cards, copies included."""
    return sum(card.copies for card in cards)


def check_cards(
    folder: Path,
    box: models.Box,
    trade_cards: Sequence[models.TradeCard],
    missions: Sequence[models.Mission],
    events: Sequence[models.Event],
) -> None:
    """Check that card names differ, that the number of cards matches the box, and that the tables can hold them."""
    normal = [event for event in events if not event.negative]
    negative = [event for event in events if event.negative]
    for file, table, cards in (
        ("trade.toml", "card", trade_cards),
        ("missions.toml", "mission", missions),
        ("events.toml", "event", events),
    ):
        check_distinct_names(folder / file, table, [card.name for card in cards])
        if copies_of(cards) > DECK_PLACES:
            found, allowed = copies_of(cards), f"at most {DECK_PLACES}, copies included"
            raise UserError("too many cards", file=folder / file, field=table, found=found, allowed=allowed)
    for file, field, kind, wanted in (
        ("trade.toml", "trade_cards", trade_cards, box.trade_cards),
        ("missions.toml", "missions", missions, box.missions),
        ("events.toml", "events", normal, box.events),
        ("events.toml", "negative_events", negative, box.negative_events),
    ):
        if copies_of(kind) != wanted:
            message = f"the number of {field.replace('_', ' ')} is not box.{field} of rules.toml"
            found, allowed = copies_of(kind), f"{wanted}, copies included"
            raise UserError(message, file=folder / file, field="copies", found=found, allowed=allowed)
    rows = len(trade_cards) + len(missions) + len(events)
    if rows > MAX_CARDS:
        allowed = f"at most {MAX_CARDS} rows of trade cards, missions and events together"
        raise UserError("too many cards", file=folder, found=rows, allowed=allowed)


def check_decks(
    folder: Path, constants: models.Constants, missions: Sequence[models.Mission], events: Sequence[models.Event]
) -> None:
    """Check that there are enough missions for every number of players, and an event for each round."""
    if copies_of(missions) > MISSION_PLACES:
        found, allowed = copies_of(missions), f"at most {MISSION_PLACES}, since one player may draw them all"
        raise UserError("too many missions", file=folder / "missions.toml", found=found, allowed=allowed)
    if constants.missions_kept > constants.missions_dealt:
        wrong, allowed = constants.missions_kept, f"at most {constants.missions_dealt}, those dealt"
        where = folder / "rules.toml"
        message = "more missions kept than dealt"
        raise UserError(message, file=where, row="constants", field="missions_kept", found=wrong, allowed=allowed)
    left = [mission for mission in missions if not mission.removed_in]
    for players, kept in ((2, [mission for mission in left if not mission.star]), (MAX_SEATS, left)):
        needed = players * constants.missions_dealt
        if copies_of(kept) < needed:
            message = f"too few missions for {players} players in all variants at once"
            found, allowed = copies_of(kept), f"{needed} or more without those removed"
            raise UserError(message, file=folder / "missions.toml", found=found, allowed=allowed)
    normal = copies_of(event for event in events if not event.negative)
    if normal < constants.rounds:
        allowed = f"{constants.rounds} or more, one for each round"
        raise UserError("too few events", file=folder / "events.toml", found=normal, allowed=allowed)
