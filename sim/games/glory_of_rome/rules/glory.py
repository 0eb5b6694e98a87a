"""Glory, denarii and milestones (rulebook: General rules)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.log import GAINED_DENARII, GAINED_GLORY, PAID_FOR_GLORY, REACHED_MILESTONE, log_event


@kernel
def gain_denarii(g: Record, seat: int, number: int) -> None:
    """Give a seat denarii. A negative `number` takes some away, but never more than the seat has."""
    gained = max(number, -int(g.denarii[seat]))
    if gained != 0:
        g.denarii[seat] += gained
        log_event(g, GAINED_DENARII, seat, 0, constants.NO_CARD, int(g.denarii[seat]), gained)


@kernel
def gain_glory(g: Record, t: Record, seat: int, number: int) -> None:
    """Move a seat's glory marker forward immediately. This may reach milestones."""
    if number > 0:
        move_marker(g, seat, number)
        for milestone in range(t.milestones.shape[0]):
            if is_reached(g, seat, milestone, int(g.glory[seat]) - number):
                reach_milestone(g, t, milestone, 1 << seat)


@kernel
def gain_glory_together(g: Record, t: Record, seats: int, number: int) -> None:
    """Move the markers of several seats (bits) forward at the same time, so that they reach milestones together."""
    for seat in range(g.players):
        if (seats >> seat) & 1 != 0:
            move_marker(g, seat, number)
    for milestone in range(t.milestones.shape[0]):
        reaching = 0
        for seat in range(g.players):
            if (seats >> seat) & 1 != 0 and is_reached(g, seat, milestone, int(g.glory[seat]) - number):
                reaching |= 1 << seat
        if reaching != 0:
            reach_milestone(g, t, milestone, reaching)


@kernel
def lose_glory(g: Record, t: Record, seat: int, number: int) -> None:
    """Move a seat's glory marker back by `number` spaces, or as far as possible. Followers are not lost."""
    move_marker(g, seat, -min(number, spaces_behind(g, t, seat)))


@kernel
def spaces_behind(g: Record, t: Record, seat: int) -> int:
    """Return how far a seat's marker can move back.

    It stops at space 1. With the setting `glory_floor` "1 glory", a marker with its +30 side up can move back beyond
    space 1.
    """
    behind = int(g.glory[seat]) - 1
    return behind if t.glory_floor != 0 else behind % constants.GLORY_SPACES


@kernel
def move_marker(g: Record, seat: int, number: int) -> None:
    """Move a glory marker by `number` spaces."""
    if number != 0:
        g.glory[seat] += number
        log_event(g, GAINED_GLORY, seat, 0, constants.NO_CARD, int(g.glory[seat]), number)


@kernel
def is_reached(g: Record, seat: int, milestone: int, before: int) -> bool:
    """Tell whether a seat whose marker was on space `before` has reached or passed a milestone for the first time."""
    space = g.marker[milestone]
    return bool(space > 0 and g.reached[seat, milestone] == 0 and before < space <= g.glory[seat])


@kernel
def reach_milestone(g: Record, t: Record, milestone: int, seats: int) -> None:
    """Give a follower to each of `seats` (bits) for reaching a milestone.

    For each of them, a milestone that is not fixed moves down by one space. If it moves to the space of another seat's
    marker, that seat has reached the milestone, too.
    """
    steps = 0
    for seat in range(g.players):
        if (seats >> seat) & 1 != 0:
            gain_follower(g, t, seat, milestone)
            steps += 1
    if milestone < t.fixed_milestones:
        return
    while steps > 0 and g.marker[milestone] > 1:
        steps -= 1
        g.marker[milestone] -= 1
        for seat in range(g.players):
            if g.reached[seat, milestone] == 0 and g.glory[seat] == g.marker[milestone]:
                gain_follower(g, t, seat, milestone)
                steps += 1


@kernel
def gain_follower(g: Record, t: Record, seat: int, milestone: int) -> None:
    """Recruit a follower for a milestone. With `follower_won_in_action` "next round", it cannot act yet."""
    g.reached[seat, milestone] = 1
    g.followers[seat] += 1
    if g.phase != constants.ACTION_PHASE or t.follower_won_in_action == 0:
        g.followers_left[seat] += 1
    log_event(
        g, REACHED_MILESTONE, seat, milestone, constants.NO_CARD, int(g.followers[seat]), int(g.marker[milestone])
    )


@kernel
def pay_for_glory(g: Record, t: Record, seat: int, times: int) -> None:
    """Buy one glory `times` times with the religious medal."""
    log_event(g, PAID_FOR_GLORY, seat, 0, constants.NO_CARD, 0, times)
    gain_denarii(g, seat, -times * int(t.denarii_for_point_with_medal))
    for _ in range(times):
        gain_glory(g, t, seat, 1)


@kernel
def most_paid(g: Record, t: Record, seat: int) -> int:
    """Return the maximum number of times that a seat can buy glory now."""
    if g.medal[constants.RELIGIOUS] != seat:
        return 0
    return int(g.denarii[seat] // t.denarii_for_point_with_medal)
