"""Habits of scripted players that a good player would not have, or not so often, counted over games step by step.

`python -m tests.games.imperium.habits 800 balanced` counts them in 800 games of two. Most are counts for each game,
both seats together; those of a nation are for each seat that plays it, some for 100 of what `SHARES` names. They stand
in docs/players.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sim.games.imperium.rules import constants, log
from sim.games.imperium.rules.turns import play_step
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

HABITS = {
    "blind": "breaks through for an unseen card though the market shows one of its suit",
    "king_lost": "ends the game by King of Kings and does not win",
    "development_lost": "ends the game by the last development and does not win",
    "unrest_buried": "puts unrest into history",
    "dearer": "pays for a break through and takes a market card without unrest that it could have acquired for less",
    "unrest_kept": "ends its turn with unrest in hand, an action and 1 population or 3 material left",
    "token_left": "tokens left on the market at the end (each)",
    "development_left": "developments left at the end, of nations that develop (each)",
    "never_empire": "never becomes an empire, of nations that can",
    "few_cards": "begins a turn with fewer than three cards in hand",
    "no_end": "plays or uses more than 20 cards in a turn",
    "merlin_idle": "Arthurians: hold Merlin as a turn begins, three knights in garrisons, and do not play him",
    "merlin_early": "Arthurians: hold Merlin as a turn begins from round 5 on, fewer than three knights in garrisons",
    "quest_unplaced": "Arthurians: end a round without an active quest though one may be placed",
    "quest_left": "Arthurians: quests left at the end, the Graal aside (each)",
    "stage_left": "Utopians: end a round with 5 progress or more and do not go a stage on",
    "deck_empty": "Utopians: take unrest while their draw deck is empty, mostly because it has just run empty",
    "scroll_buried": "Utopians: put a Sacred Scroll into history that leaves fewer than three outside it",
    "toll": "Qin: discard cards in solstice for a Mandate of Heaven that no card in hand, deck or discards needs",
    "engine_gone": "Scythians: garrison Nomads, Advance, Conquer or Raiders before round 8",
    "mask_buried": "Olmecs: put a mask into history that leaves fewer than three outside it",
    "no_purchase": "Olmecs: have acquired nothing after round 3",
    "cacao": "Olmecs: play Cacao and return no unrest",
    "pottery": "Minoans: abandon Pottery with nothing on it",
    "unseen": "of 100 break-throughs, those for an unseen card",
    "king_lost_share": "of 100 games that a seat ends by King of Kings, those that it does not win",
    "merlin_held": "Arthurians: of 100 turns, those that begin with Merlin in hand",
    "morigena": "Arthurians: play Morigena",
    "graal": "Arthurians: end the game by the Graal",
    "progress_held": "Utopians: of 100 turns, those that begin with 5 progress or more",
    "shangri_la": "Utopians: end the game in Shangri-la",
    "left_by_carthage": "Carthaginians: developments left at the end (each)",
    "celts_no_empire": "Celts: never become an empire",
}
"""Each habit by its name."""
NATIONS = ("Arthurians", "Utopians", "Olmecs", "Minoans", "Qin", "Scythians", "Carthaginians", "Celts")
SHARES = {
    "unseen": "break-throughs",
    "king_lost_share": "kings",
    "merlin_held": "turns of Arthurians",
    "progress_held": "turns of Utopians",
}
"""Habits that are counted for 100 of something else."""
ENDINGS = {constants.KING_OF_KINGS_TURNED: "king_lost", constants.LAST_DEVELOPMENT: "development_lost"}
MOST_IN_A_TURN = 20
ENOUGH_KNIGHTS = 3
STAGE_PRICE = 5
MASKS_KEPT = 3
FEW_CARDS = 3
SCROLLS_KEPT = 3
MATERIAL_FOR_UNREST = 3
EARLY_ROUNDS = 7


@dataclass
class Cards:
    """Rows of the card table that habits are about."""

    merlin: int
    morigena: int
    cacao: int
    pottery: int
    last_stage: int
    mandate: int
    knights: set[int]
    masks: set[int]
    scrolls: set[int]
    engine: set[int]  # what the Scythians live on
    need_mandate: set[int]
    either: set[int]  # cards by which one acquires or breaks through, as one pays


@dataclass
class Watch:
    """What has been seen of a game: the turn under way, and what each seat has done."""

    seat: int = constants.NO_SEAT
    done: int = 0
    merlin_waits: bool = False
    activated: bool = True
    played: int = constants.NO_CARD  # last card played
    cacao_open: bool = False
    acquired: Counter[int] = field(default_factory=Counter)
    doer: int = constants.NO_SEAT  # seat of the last row
    ended_by: tuple[int, int] | None = None  # seat that triggered scoring, and why


def cards_of(catalog: Any) -> Cards:
    """Find the cards that habits are about."""
    rows = catalog.cards
    one = {row.name: place for place, row in enumerate(rows)}
    typed = {
        name: {place for place, row in enumerate(rows) if name in row.types} for name in ("knight", "mask", "scroll")
    }
    engine = {
        place
        for place, row in enumerate(rows)
        if row.id.startswith("SCY") and row.name in ("Nomads", "Advance", "Conquer", "Raiders")
    }
    return Cards(
        merlin=one["Myrddin Wyllt (Merlin)"],
        morigena=one["Morigena"],
        cacao=one["Cacao"],
        pottery=one["Pottery"],
        last_stage=one["Shangri-la"],
        mandate=one["Mandate of Heaven"],
        knights=typed["knight"],
        masks=typed["mask"],
        scrolls=typed["scroll"],
        engine=engine,
        need_mandate={one[name] for name in ("Duke Zhuang of Qin", "King Wu of Qin", "Emperor Qin Shi Huang")},
        either={place for place, row in enumerate(rows) if row.name in ("Advance", "Conquer")},
    )


def held(g: Any, seat: int, zone: int) -> list[int]:
    """Cards of a zone of a seat."""
    return [int(card) for card in g.zone[seat, zone, : g.zone_size[seat, zone]]]


def count_habits(games: int, strategy: str, players: int = 2) -> tuple[Counter[str], Counter[str]]:
    """Play games of one strategy; return its habits over all seats, and how many seats played each nation."""
    plan = plan_for("imperium", None, players, strategies=[strategy], seed=77)
    t, team, found, seats = plan.data.tables, players_of(plan), Counter[str](), Counter[str]()
    about = cards_of(plan.data.catalog)
    nations = [faction.attributes["nation"] for faction in plan.data.factions]
    for game in range(games):
        g = started(plan, game, keeps_log=True)[0]
        nation = [nations[faction] for faction in g.faction[:players]]
        seats.update(nation)
        watch = play_and_count(g, t, team, about, nation, found)
        assert not g.error, g.error
        count_end(g, t, nation, watch, found)
    return found, seats


def play_and_count(g: Any, t: Any, team: Any, about: Cards, nation: list[str], found: Counter[str]) -> Watch:
    """Play a game step by step and count what shows on the way; return what has been seen of it."""
    watch, rows = Watch(), 0
    while not g.finished and not g.error:
        if g.depth == 0 and g.phase == constants.START_TURN:
            begin_turn(g, about, nation, watch, found)
        elif g.depth == 0 and g.phase == constants.CLEANING_UP:
            count_turn(g, t, watch, found)
        elif g.depth == 0 and g.phase == constants.END_ROUND:
            count_round(g, t, about, nation, watch, found)
        market, stored = g.market.tolist(), int(g.stored[about.pottery])
        bare = [
            card for card, unrest in zip(market, g.market_unrest.tolist(), strict=True) if unrest == constants.NO_CARD
        ]
        play_step(g, t, team)
        count = int(g.log.row_count)
        if count > rows:
            for row in g.log.rows[rows:count].tolist():
                count_row(g, t, about, row, watch, market, stored, found)
                count_nation_row(g, about, row, nation, watch, bare, found)
            rows = count
    return watch


def begin_turn(g: Any, about: Cards, nation: list[str], watch: Watch, found: Counter[str]) -> None:
    """Count what shows as a turn begins."""
    seat = watch.seat = int(g.turn_seat)
    watch.done, watch.merlin_waits, watch.activated, watch.played = 0, False, True, constants.NO_CARD
    hand = held(g, seat, constants.HAND)
    found["few_cards"] += int(len(hand) < FEW_CARDS)
    found[f"turns of {nation[seat]}"] += 1
    if nation[seat] == "Utopians":
        found["progress_held"] += int(g.resource[seat, constants.PROGRESS] >= STAGE_PRICE)
    found["merlin_held"] += int(nation[seat] == "Arthurians" and about.merlin in hand)
    if nation[seat] == "Arthurians" and about.merlin in hand:
        knights = sum(card in about.knights for card in held(g, seat, constants.GARRISON))
        watch.merlin_waits = knights >= ENOUGH_KNIGHTS
        found["merlin_idle"] += int(watch.merlin_waits)
        found["merlin_early"] += int(not watch.merlin_waits and g.rounds >= 4)


def count_turn(g: Any, t: Any, watch: Watch, found: Counter[str]) -> None:
    """Count what shows as a seat begins to clean up."""
    seat = watch.seat
    has_unrest = any(t.suits[card] & constants.UNREST for card in held(g, seat, constants.HAND))
    enough = g.resource[seat, constants.POPULATION] > 0 or g.resource[seat, constants.MATERIAL] >= MATERIAL_FOR_UNREST
    found["unrest_kept"] += int(watch.activated and has_unrest and enough and g.actions[seat] > 0)


def count_nation_row(
    g: Any, about: Cards, row: list[int], nation: list[str], watch: Watch, bare: list[int], found: Counter[str]
) -> None:
    """Count what a row of the log tells of single nations and of prices, given the market cards without unrest."""
    kind, seat, card = row[log.KIND], row[log.SEAT], row[log.CARD]
    if kind in (log.INNOVATED, log.REVOLTED):
        watch.activated = False
    elif kind == log.PLAYED:
        watch.played = card
    elif kind == log.BROKE_THROUGH:
        found["dearer"] += int(
            watch.played in about.either and row[log.VALUE] == constants.FROM_MARKET and card in bare
        )
    elif kind == log.TOOK_UNREST and nation[seat] == "Utopians":
        # Of the log alone it does not show what made a seat take unrest.
        found["deck_empty"] += int(g.zone_size[seat, constants.DECK] == 0)
    elif kind == log.INTO_HISTORY and card in about.scrolls:
        outside = (constants.HAND, constants.DECK, constants.DISCARD_PILE, constants.GARRISON)
        left = sum(other in about.scrolls for zone in outside for other in held(g, seat, zone))
        found["scroll_buried"] += int(left < SCROLLS_KEPT)
    elif kind == log.SOLSTICE_EFFECT and card == about.mandate:
        reach = (constants.HAND, constants.DECK, constants.DISCARD_PILE)
        found["toll"] += int(not any(other in about.need_mandate for zone in reach for other in held(g, seat, zone)))
    elif kind == log.GARRISONED and card in about.engine and nation[seat] == "Scythians":
        found["engine_gone"] += int(g.rounds < EARLY_ROUNDS)


def count_round(g: Any, t: Any, about: Cards, nation: list[str], watch: Watch, found: Counter[str]) -> None:
    """Count what shows as a round ends, after its solstice."""
    for seat, name in enumerate(nation):
        if name == "Arthurians":
            active = any(t.kind[g.host[card]] == constants.COURT for card in held(g, seat, constants.GARRISON))
            found["quest_unplaced"] += int(g.zone_size[seat, constants.DEVELOPMENT] > 0 and not active)
        elif name == "Utopians":
            last = about.last_stage in held(g, seat, constants.PLAY)
            found["stage_left"] += int(g.resource[seat, constants.PROGRESS] >= STAGE_PRICE and not last)
        elif name == "Olmecs":
            found["no_purchase"] += int(g.rounds == 2 and watch.acquired[seat] == 0)


def count_row(
    g: Any, t: Any, about: Cards, row: list[int], watch: Watch, market: list[int], stored: int, found: Counter[str]
) -> None:
    """Count what a row of the log tells, given the market before its step and what lay on Pottery."""
    kind, seat, card = row[log.KIND], row[log.SEAT], row[log.CARD]
    if kind in (log.PLAYED, log.USED):
        watch.done += 1
        found["no_end"] += int(watch.done == MOST_IN_A_TURN + 1)
        if card == about.merlin and watch.merlin_waits:
            watch.merlin_waits = False
            found["merlin_idle"] -= 1
        found["cacao"] += int(card == about.cacao and kind == log.PLAYED)
        found["morigena"] += int(card == about.morigena and kind == log.PLAYED)
        watch.cacao_open = card == about.cacao
    elif kind == log.RETURNED_UNREST and watch.cacao_open and seat == watch.seat:
        watch.cacao_open = False
        found["cacao"] -= 1
    elif kind == log.BROKE_THROUGH:
        found["break-throughs"] += 1
        unseen = row[log.VALUE] != constants.FROM_MARKET
        found["unseen"] += int(unseen)
        found["blind"] += int(unseen and any(other >= 0 and t.suits[other] & t.suits[card] for other in market))
    elif kind == log.ACQUIRED:
        watch.acquired[seat] += 1
    elif kind == log.INTO_HISTORY:
        found["unrest_buried"] += int(t.suits[card] & constants.UNREST != 0)
        if card in about.masks:
            outside = (constants.HAND, constants.DECK, constants.DISCARD_PILE, constants.GARRISON)
            found["mask_buried"] += int(
                sum(other in about.masks for zone in outside for other in held(g, seat, zone)) < MASKS_KEPT
            )
    elif kind == log.WAS_ABANDONED and card == about.pottery:
        found["pottery"] += int(stored == 0)
    elif kind == log.SCORING_TRIGGERED:
        watch.ended_by = (watch.doer, row[log.VALUE])
    watch.doer = seat if seat >= 0 else watch.doer


def count_end(g: Any, t: Any, nation: list[str], watch: Watch, found: Counter[str]) -> None:
    """Count what shows when a game is over."""
    if watch.ended_by is not None and watch.ended_by[1] in ENDINGS:
        seat, why = watch.ended_by
        found[ENDINGS[why]] += int(g.rank[seat] != 1)
        if why == constants.KING_OF_KINGS_TURNED:
            found["kings"] += 1
            found["king_lost_share"] += int(g.rank[seat] != 1)
    found["token_left"] += int(g.market_tokens.sum())
    for seat, name in enumerate(nation):
        faction = g.faction[seat]
        left = held(g, seat, constants.DEVELOPMENT)
        if t.faction_develops[faction]:
            found["development_left"] += len(left)
        if t.faction_becomes_empire[faction]:
            found["never_empire"] += int(g.state[seat] != constants.EMPIRE)
        if name == "Carthaginians":
            found["left_by_carthage"] += len(left)
        elif name == "Celts":
            found["celts_no_empire"] += int(g.state[seat] != constants.EMPIRE)
        elif name == "Utopians":
            found["shangri_la"] += int(g.end_reason == constants.SHANGRI_LA)
        elif name == "Arthurians":
            found["graal"] += int(g.end_reason == constants.GRAAL)
            found["quest_left"] += sum(t.comes_last[card] == 0 for card in left)


def main(arguments: list[str]) -> None:
    """Print the counts of a strategy: how many games, its name."""
    games = int(arguments[0]) if arguments else 800
    found, seats = count_habits(games, arguments[1] if len(arguments) > 1 else "balanced")
    for habit, what in HABITS.items():
        nation = what.partition(":")[0]
        among = found[SHARES[habit]] / 100 if habit in SHARES else seats[nation] if nation in NATIONS else games
        print(f"{found[habit] / among:6.2f}  {what}")


if __name__ == "__main__":
    main(sys.argv[1:])
