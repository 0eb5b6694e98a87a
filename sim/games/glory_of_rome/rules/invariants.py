"""Invariants of The Glory of Rome, checked at every decision (see `sim.engine.invariants`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.compiler.kernel import kernel
from sim.engine.result_rows import END_REASON, RANK, SCORE
from sim.engine.result_rows import ROUNDS as ROUNDS_COLUMN
from sim.games.glory_of_rome.rules.constants import (
    ACTION_PHASE,
    BASE,
    BONUSES,
    BRONZE,
    BUILDINGS,
    EVENT,
    GOLD,
    HARD_TIMES,
    HEROES,
    IMPERIAL,
    INTRIGUE_SPACES,
    LEVELS,
    MAX_SEATS,
    MISSION,
    NO_CARD,
    NO_SEAT,
    OUT_OF_THE_GAME,
    PLACES,
    PROVINCES,
    REGIONS,
    ROOF,
    SENATE_SIZE,
    TRADE,
    TRUCE,
    UNTITLED,
)
from sim.games.glory_of_rome.rules.state import MAX_OPTIONS
from sim.games.glory_of_rome.rules.tables import MAX_CARDS

LAWS = (
    "legions are on the board or in regions, no more than the limit, and none that was recruited is lost",
    "votes are on the board or in the senate column, no more than the limit, and none that was recruited is lost",
    "building tiles are on their piles or in provinces",
    "a medal is with a player who has built level III of its type, or waits until one has; in Heroes there are none",
    "common Pantheon pieces are in the supply or on levels, the best one first, and a level is finished by one of them",
    "a player has three intrigue tokens, and a province holds three at most",
    "discord tokens are passed on, none is made or lost, and no track holds more than its spaces",
    "trade cards are in the deck, the discards or hands, and three of them in every set",
    "every mission in the game is in the deck or with one player",
    "events are those of the variant, one revealed in a round",
    "nobody has less than 1 glory or less than no denarii",
    "a player has a follower for each milestone reached and one more, and all of them are placed or still to be placed",
    "a milestone has moved down a space for each player who has reached it, and nobody has passed it who has not",
    "followers on a building are no more than its level",
    "hands hold no more than the limit, the anchor card included",
    "nobody has laid more sets than allowed",
    "the board is a turning disc: every province lies before one place",
    "a region is conquered while its number of legions is there",
    "a bonus is used once a round, with a follower, and not below a discord token",
    "what seats know of hands is there",
    "options name cards, provinces and seats of the game",
)
(
    LEGIONS, VOTES, TILES, MEDALS, PANTHEON, INTRIGUE, DISCORD, TRADE_CARDS, MISSIONS, EVENTS, NEGATIVE, FOLLOWERS,
    MILESTONES, CAPACITY, HANDS, SETS, BOARD, REGION, BONUS, KNOWN, OPTIONS,
) = range(len(LAWS))  # fmt: skip
NOTED_LEGIONS, NOTED_VOTES = 0, MAX_SEATS
"""Indices in `notes.own` of how many legions and votes seat 0 had at the last check. The other seats follow."""


# ---- Pieces of a seat ----


@kernel
def broken_pieces(g: Any, t: Any, seat: int, notes: Any) -> int:
    """Return the index of an invariant broken by a seat's legions, votes and intrigue; -1 if none is."""
    legions, votes = int(g.board_legions[seat]), int(g.board_votes[seat])
    if legions < 0 or votes < 0:
        return LEGIONS if legions < 0 else VOTES
    for region in range(len(REGIONS)):
        if g.legions[region, seat] < 0:
            return LEGIONS
        legions += g.legions[region, seat]
    for place in range(g.senate_size):
        votes += int(g.senate[place] == seat)
    if legions > t.legion_limit or legions < notes.own[NOTED_LEGIONS + seat]:
        return LEGIONS
    if votes > t.vote_limit or votes < notes.own[NOTED_VOTES + seat]:
        return VOTES
    notes.own[NOTED_LEGIONS + seat], notes.own[NOTED_VOTES + seat] = legions, votes
    tokens = int(g.intrigue_left[seat])
    for province in range(len(PROVINCES)):
        tokens += g.intrigue[province, seat] + g.activated[province, seat]
        if min(g.intrigue[province, seat], g.activated[province, seat]) < 0:
            return INTRIGUE
    without = g.variant & (TRUCE | IMPERIAL) != 0 and g.intrigue_left[seat] != t.intrigue_tokens
    if tokens != t.intrigue_tokens or g.intrigue_left[seat] < 0 or without:
        return INTRIGUE
    return NEGATIVE if g.glory[seat] < 1 or g.denarii[seat] < 0 else -1


@kernel
def broken_followers(g: Any, t: Any, seat: int) -> int:
    """Return the index of an invariant broken by a seat's followers and bonuses; -1 if none is."""
    reached, placed = 0, 0
    for milestone in range(t.milestones.shape[0]):
        reached += int(g.reached[seat, milestone] != 0)
    for place in range(len(PLACES)):
        placed += g.placed[seat, place]
        if g.placed[seat, place] < 0:
            return FOLLOWERS
        if place < len(BUILDINGS) and g.placed[seat, place] > g.building[g.board[g.place[seat]], place]:
            return CAPACITY
    at_hand = placed + g.followers_left[seat]
    late = g.phase == ACTION_PHASE and t.follower_won_in_action != 0
    if g.followers[seat] != 1 + reached or at_hand > g.followers[seat] or g.followers_left[seat] < 0:
        return FOLLOWERS
    if (at_hand < g.followers[seat] and not late) or (placed > 0 and g.phase != ACTION_PHASE):
        return FOLLOWERS
    for bonus in range(BONUSES):
        if g.bonus_used[seat, bonus] not in (0, 1) or g.bonus_used[seat, bonus] > g.placed[seat, bonus]:
            return BONUS
        if g.bonus_used[seat, bonus] != 0 and not is_free(g, seat, bonus):
            return BONUS
    return -1


@kernel
def is_free(g: Any, seat: int, bonus: int) -> bool:
    """Tell whether a bonus has a space on a seat's track that no discord token covers."""
    for space in range(g.track_length[seat] - g.discord[seat]):
        if g.track[seat, space] == bonus:
            return True
    return False


@kernel
def broken_discord(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the discord tokens; -1 if none is."""
    tokens, dealt = 0, 0
    for seat in range(g.players):
        if g.discord[seat] < 0 or g.discord[seat] > g.track_length[seat]:
            return DISCORD
        tokens += g.discord[seat]
        dealt += t.discord[g.faction[seat]]
        if g.variant & (TRUCE | IMPERIAL) != 0 and g.discord[seat] != t.discord[g.faction[seat]]:
            return DISCORD
    return DISCORD if tokens != dealt else -1


@kernel
def broken_milestones(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the milestones; -1 if none is."""
    for milestone in range(t.milestones.shape[0]):
        reached = 0
        for seat in range(g.players):
            reached += int(g.reached[seat, milestone])
            if g.reached[seat, milestone] == 0 and g.glory[seat] >= g.marker[milestone]:
                return MILESTONES
        moved = 0 if milestone < t.fixed_milestones else reached
        if g.marker[milestone] != max(1, t.milestones[milestone] - moved):
            return MILESTONES
    return -1


# ---- The board ----


@kernel
def broken_buildings(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by tiles, medals, intrigue in provinces or the board; -1 if none is."""
    for kind in range(len(BUILDINGS)):
        tops = 0
        for level in range(LEVELS):
            built = 0
            for province in range(len(PROVINCES)):
                built += int(g.building[province, kind] > level)
            if g.tiles[kind, level] < 0 or g.tiles[kind, level] + built != t.tiles[g.small, kind, level]:
                return TILES
            tops = built
        owner = g.medal[kind]
        if g.variant & HEROES != 0:
            if owner != OUT_OF_THE_GAME:
                return MEDALS
        elif (owner == NO_SEAT) != (tops == 0) or (owner != NO_SEAT and g.tiles_built[owner, kind] == 0):
            return MEDALS
    for province in range(len(PROVINCES)):
        tokens, before = 0, 0
        for place in range(len(PROVINCES)):
            before += int(g.board[place] == province)
        for seat in range(g.players):
            tokens += g.intrigue[province, seat] + g.activated[province, seat]
        if tokens > INTRIGUE_SPACES:
            return INTRIGUE
        if before != 1:
            return BOARD
    return -1


@kernel
def broken_pantheon(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the Pantheon; -1 if none is."""
    for level in range(2):
        left = g.common[level].copy()
        for seat in range(g.players):
            own, common = g.pantheon_own[seat, level], g.pantheon_common[seat, level]
            if own < 0 or own > t.pantheon_own[level] or (common != 0 and own != t.pantheon_own[level]):
                return PANTHEON
            if common != 0:
                left[common] += 1
        better = 0
        for metal in range(GOLD, BRONZE + 1):
            if left[metal] != t.pantheon_common[g.players, level, metal] or g.common[level, metal] < 0:
                return PANTHEON
            if better > 0 and g.common[level, metal] < t.pantheon_common[g.players, level, metal]:
                return PANTHEON
            better += g.common[level, metal]
    for seat in range(g.players):
        if t.roof_first == 0 and g.pantheon_own[seat, ROOF] > 0 and g.pantheon_common[seat, BASE] == 0:
            return PANTHEON
    return -1


@kernel
def broken_regions(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by regions or the senate; -1 if none is."""
    for region in range(len(REGIONS)):
        legions = 0
        for seat in range(g.players):
            legions += g.legions[region, seat]
        enough = legions >= t.shield[g.small, region]
        if enough != (g.conquered[region] != 0) and (enough or t.left_region == 0):
            return REGION
    if g.senate_size < 0 or g.senate_size > SENATE_SIZE:
        return VOTES
    for place in range(g.senate_size):
        if g.senate[place] < 0 or g.senate[place] >= g.players:
            return VOTES
    return -1


# ---- Cards ----


@kernel
def broken_cards(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the places of cards; -1 if none is."""
    where = np.zeros(MAX_CARDS, np.int64)
    for place in range(g.trade_size):
        where[g.trade_deck[place]] += 1
    for place in range(g.discard_size):
        where[g.discard[place]] += 1
    sets = 0
    for seat in range(g.players):
        for place in range(g.hand_size[seat]):
            where[g.hand[seat, place]] += 1
        if g.hand_size[seat] + g.anchor[seat] > t.hand_limit or g.anchor[seat] not in (0, 1):
            return HANDS
        laid = 0
        for kind in range(g.sets.shape[1]):
            laid += g.sets[seat, kind]
        if laid > g.set_limit[seat]:
            return SETS
        sets += laid
        for place in range(g.mission_count[seat]):
            where[g.missions[seat, place]] += 1
    for place in range(g.mission_size):
        where[g.mission_deck[place]] += 1
    for place in range(g.event_size):
        where[g.event_deck[place]] += 1
    missing = 0
    for card in range(t.cards):
        gone = t.copies[card] * int(is_played(g, t, card)) - where[card]
        if t.kind[card] == MISSION and gone != 0:
            return MISSIONS
        if t.kind[card] == EVENT and (gone < 0 or (gone == 0 and g.event == card)):
            return EVENTS
        if t.kind[card] == TRADE:
            missing += gone
            if gone < 0:
                return TRADE_CARDS
    return TRADE_CARDS if missing != 3 * sets else -1


@kernel
def is_played(g: Any, t: Any, card: int) -> bool:
    """Tell whether a card is used with this number of players and in this variant."""
    if t.kind[card] == EVENT:
        return bool(t.negative[card] == 0 or g.variant & HARD_TIMES != 0)
    if g.small != 0 and t.star[card] != 0 and (t.kind[card] == MISSION or t.star_trade_cards == 0):
        return False
    return bool(t.removed_in[card] & g.variant == 0)


@kernel
def broken_knowledge(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the seats' knowledge of hands; -1 if none is."""
    for me in range(g.players):
        for owner in range(g.players):
            for card in range(t.cards):
                there = 0
                for place in range(g.hand_size[owner]):
                    there += int(g.hand[owner, place] == card)
                if g.seen[me, owner, card] < 0 or g.seen[me, owner, card] > there:
                    return KNOWN
                taker = g.taker[owner]
                if taker >= 0:
                    for place in range(g.hand_size[taker]):
                        there += int(g.hand[taker, place] == card)
                if g.doubtful[me, owner, card] < 0 or g.doubtful[me, owner, card] + g.seen[me, owner, card] > there:
                    return KNOWN
    return -1


@kernel
def broken_options(g: Any, t: Any) -> int:
    """Return the index of an invariant broken by the options of a decision; -1 if none is."""
    if g.option_count < 2 or g.option_count > MAX_OPTIONS:
        return OPTIONS
    for option in range(g.option_count):
        if g.option_card[option] < NO_CARD or g.option_card[option] >= t.cards:
            return OPTIONS
        if g.option_seat[option] < 0 or g.option_seat[option] >= g.players:
            return OPTIONS
    return -1


@kernel
def broken_law(g: Any, t: Any, me: int, decision: int, notes: Any) -> int:
    """Return the index of the first invariant that is broken at a decision; -1 if none is."""
    law = -1
    for seat in range(g.players):
        if law < 0:
            law = broken_pieces(g, t, seat, notes)
        if law < 0:
            law = broken_followers(g, t, seat)
    if law < 0:
        law = broken_discord(g, t)
    if law < 0:
        law = broken_milestones(g, t)
    if law < 0:
        law = broken_buildings(g, t)
    if law < 0:
        law = broken_pantheon(g, t)
    if law < 0:
        law = broken_regions(g, t)
    if law < 0:
        law = broken_cards(g, t)
    if law < 0:
        law = broken_knowledge(g, t)
    return law if law >= 0 else broken_options(g, t)


def laws_of_results(t: Any, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return, for each invariant of finished games, its description and which of the games satisfy it."""
    scores, ranks = rows[:, :, SCORE], rows[:, :, RANK]
    laws = {"all rounds are played": (rows[:, :, ROUNDS_COLUMN] == t.rounds).all(axis=1)}
    if rows.shape[1] == 1:
        return laws | {"alone, ranks follow titles": (ranks[:, 0] == 1) == (rows[:, 0, END_REASON] > UNTITLED)}
    better = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
    as_much = (scores[:, None, :] >= scores[:, :, None]).sum(axis=2)
    return laws | {
        "a game ends after its last round": (rows[:, :, END_REASON] == 0).all(axis=1),
        "ranks follow points at least": ((ranks >= better) & (ranks <= as_much)).all(axis=1),
    }
