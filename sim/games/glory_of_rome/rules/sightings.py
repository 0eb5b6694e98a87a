"""Tracks what each seat knows about the trade cards in other hands, since it sees some cards enter or leave them.

Only the two seats involved see a card that Custom duty takes from a hand. Each of the other seats knows how many cards
were taken. It also knows that the cards which it had seen enter the hand are still there or in the taker's hand. Cards
that can no longer be told apart are forgotten, so that all recorded facts are true:

- `seen[me, owner, card]`: copies that are certainly in the hand of `owner`
- `doubtful[me, owner, card]`: copies that are either still in this hand or now in the hand of `taker[owner]`
- `gone[me, owner]`: number of cards taken from this hand without `me` seeing which
- `strangers[me, owner]`: number of cards that are not doubtful, but may be among the cards taken
- `blurred[me, owner]`: 1 if the taker may since have lost some of the cards taken
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel


@kernel
def show_card(g: Record, seat: int, card: int) -> None:
    """Record that all other seats see a card enter a hand."""
    for me in range(g.players):
        if me != seat:
            g.seen[me, seat, card] += 1


@kernel
def show_leaving(g: Record, seat: int, card: int) -> None:
    """Record that all other seats see a card that is about to leave a hand."""
    for me in range(g.players):
        if me != seat:
            see_leaving(g, me, seat, card)


@kernel
def see_leaving(g: Record, me: int, seat: int, card: int) -> None:
    """Update what seat `me` knows when it sees a card that is about to leave another seat's hand."""
    if g.seen[me, seat, card] > 0:
        g.seen[me, seat, card] -= 1
        return
    if g.gone[me, seat] > 0:
        see_leaving_owner(g, me, seat, card)
    see_leaving_taker(g, me, seat, card)


@kernel
def see_leaving_owner(g: Record, me: int, seat: int, card: int) -> None:
    """Update what seat `me` knows when it sees a card leave a hand from which cards have been taken unseen."""
    newer = newer_cards(g, me, seat)
    if g.doubtful[me, seat, card] > 0:
        g.doubtful[me, seat, card] -= 1
        # If this may be a newer card with the same name, the seat no longer knows where the older one is.
        g.strangers[me, seat] += int(newer > 0)
    elif newer == 0:
        g.strangers[me, seat] -= 1
    settle(g, me, seat)


@kernel
def see_leaving_taker(g: Record, me: int, taker: int, card: int) -> None:
    """Update what seat `me` knows when it sees a card leave the hand of `taker`, who took cards unseen.

    The card may be one of those taken.
    """
    owners, unclear = 0, 0
    others = unknown_cards(g, me, taker)
    for owner in range(g.players):
        if g.gone[me, owner] > 0 and g.taker[owner] == taker:
            owners += 1
            unclear += int(g.blurred[me, owner])
            others -= int(g.gone[me, owner])
    is_taken = owners == 1 and unclear == 0 and others == 0
    for owner in range(g.players):
        if g.gone[me, owner] > 0 and g.taker[owner] == taker:
            known = int(g.doubtful[me, owner, card] > 0)
            g.doubtful[me, owner, card] -= known
            if is_taken:
                g.gone[me, owner] -= 1
                g.strangers[me, owner] -= 1 - known
            elif known > 0 or g.strangers[me, owner] > 0:
                g.strangers[me, owner] += known
                g.blurred[me, owner] = 1
            settle(g, me, owner)


@kernel
def unknown_cards(g: Record, me: int, seat: int) -> int:
    """Return the number of cards in another hand that seat `me` does not know for certain."""
    count = int(g.hand_size[seat])
    for card in range(g.seen.shape[2]):
        count -= int(g.seen[me, seat, card])
    return count


@kernel
def doubtful_cards(g: Record, me: int, owner: int) -> int:
    """Return the number of cards that `me` knows to be either in the hand of `owner` or in that of its taker."""
    count = 0
    for card in range(g.doubtful.shape[2]):
        count += int(g.doubtful[me, owner, card])
    return count


@kernel
def newer_cards(g: Record, me: int, owner: int) -> int:
    """Return the number of unknown cards in a hand that entered it after the last taking that `me` did not see."""
    older = doubtful_cards(g, me, owner) + int(g.strangers[me, owner] - g.gone[me, owner])
    return unknown_cards(g, me, owner) - older


@kernel
def settle(g: Record, me: int, owner: int) -> None:
    """Restore certainty for cards that cannot have changed hands. If no card is doubtful, clear the counts."""
    if g.gone[me, owner] == 0:
        for card in range(g.seen.shape[2]):
            g.seen[me, owner, card] += g.doubtful[me, owner, card]
            g.doubtful[me, owner, card] = 0
    if doubtful_cards(g, me, owner) == 0:
        g.gone[me, owner] = 0
        g.strangers[me, owner] = 0
        g.blurred[me, owner] = 0


# ---- Cards taken unseen ----


@kernel
def hide_taking(g: Record, seat: int, card: int, thief: int) -> None:
    """Let the two seats involved see which card moves between their hands. The others see only that a card moves."""
    for me in range(g.players):
        if me == seat:
            g.seen[me, thief, card] += 1
        elif me == thief:
            see_leaving(g, me, seat, card)
        else:
            doubt(g, me, seat, thief)
    g.taker[seat] = thief


@kernel
def doubt(g: Record, me: int, seat: int, thief: int) -> None:
    """Make all that `me` knows of a hand doubtful, since `thief` has taken a card that `me` did not see."""
    for owner in range(g.players):
        # If two seats take cards, from each other or from the same hand, their cards can no longer be told apart.
        if g.taker[owner] == seat or (owner == seat and g.taker[owner] != thief):
            forget(g, me, owner)
    newer = newer_cards(g, me, seat)
    for card in range(g.seen.shape[2]):
        g.doubtful[me, seat, card] += g.seen[me, seat, card]
        g.seen[me, seat, card] = 0
    if doubtful_cards(g, me, seat) > 0:
        # `strangers` does not yet include unknown cards that entered the hand since a card was last taken unseen. The
        # card taken now may be one of them.
        g.strangers[me, seat] += newer
        g.gone[me, seat] += 1


@kernel
def forget(g: Record, me: int, owner: int) -> None:
    """Discard what a seat knows of the doubtful cards of a hand."""
    for card in range(g.doubtful.shape[2]):
        g.doubtful[me, owner, card] = 0
    settle(g, me, owner)
