"""Goofspiel in play: prizes are turned up one by one, all seats bid a card at once, and the highest bid wins."""

import numpy as np

from sim.engine.api import (
    DEAL,
    NO_ROW,
    SEARCH,
    FieldRecord,
    Players,
    Record,
    begin_game,
    begin_step,
    choose,
    game_record,
    kernel,
    log_record,
    new_row,
    rank_seats,
    shuffle,
)

SEATS, RANKS, NO_CARD = 4, 16, -1  # the first two at most
BID = 0  # the one decision: which card of the hand to bid, `option_card`

TABLES = np.dtype((FieldRecord, [("ranks", np.int64), ("tied_prizes_wait", np.int64)]))
FIELDS = [
    ("deck", np.int64, (RANKS,)),  # prizes in the order they are turned up; hidden until then
    ("turned", np.int64),  # prizes turned up; the last of them is bid for
    ("at_stake", np.int64),  # points of that prize, and of those before it that wait
    ("holds", np.int64, (SEATS, RANKS)),  # 1 for each card of a hand
    ("bid", np.int64, (SEATS,)),  # hidden until all have bid; NO_CARD before
    ("option_card", np.int64, (RANKS,)),
]
LOG = log_record(rows=(SEATS * RANKS, 4), pieces=(1, 1, 1), number=np.int16)
STATE = game_record(FIELDS, seats=SEATS, options=RANKS, notes=RANKS, score_parts=1, log=LOG)


@kernel
def set_up(g: Record, t: Record, plan: Record) -> None:
    """Give every seat a suit, shuffle the prizes and turn up the first one."""
    begin_game(g, plan.players)
    g.holds[:] = 1
    for rank in range(t.ranks):
        g.deck[rank] = rank
    shuffle(g, DEAL, g.deck, t.ranks)
    g.turned = g.at_stake = 0
    turn_up(g)


@kernel
def turn_up(g: Record) -> None:
    """Turn up the next prize: an ace is worth 1 point."""
    g.at_stake += g.deck[g.turned] + 1
    g.turned += 1
    g.bid[:] = NO_CARD


@kernel
def play_step(g: Record, t: Record, players: Players) -> None:
    """Go one step on: the next seat that has not bid does; when all have, the prize is awarded."""
    begin_step(g)
    for seat in range(g.players):
        if g.bid[seat] == NO_CARD:
            g.option_count = 0
            for card in range(t.ranks):
                if g.holds[seat, card] != 0:
                    g.option_card[g.option_count] = card
                    g.option_count += 1
            g.bid[seat] = g.option_card[choose(g, t, players, seat, BID)]
            return
    award(g, t)


@kernel
def award(g: Record, t: Record) -> None:
    """Discard the bids. The one highest bid wins the prize; of several it waits for the next prize, or is lost."""
    highest, winner = NO_CARD, -1
    for seat in range(g.players):
        g.holds[seat, g.bid[seat]] = 0
        if g.bid[seat] >= highest:
            winner = seat if g.bid[seat] > highest else -1
            highest = g.bid[seat]
    for seat in range(g.players):
        row = new_row(g)
        if row != NO_ROW:
            g.log.rows[row, :] = (g.deck[g.turned - 1], seat, g.bid[seat], g.at_stake if seat == winner else 0)
    if winner >= 0:
        g.score[winner, :] += g.at_stake
    if winner >= 0 or t.tied_prizes_wait == 0:
        g.at_stake = 0
    g.rounds += 1
    if g.turned < t.ranks:
        turn_up(g)
    else:
        g.finished = 1
        score_game(g, t)


@kernel
def score_game(g: Record, t: Record) -> None:
    """Rank the seats by the prizes they have won."""
    rank_seats(g, g.score[:, 1], g.score[:, 1])


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Deal anew what a seat cannot know: the order of the prizes to come, and what the others bid."""
    to_come = g.deck[g.turned : t.ranks]
    to_come.sort()
    shuffle(g, SEARCH, to_come, t.ranks - g.turned)
    for seat in range(g.players):
        if seat != me:
            g.bid[seat] = NO_CARD
