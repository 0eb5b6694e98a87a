"""Plans that the options of a decision need, computed together, and the scores that depend on them.

The worth of an option often includes the worth of the plan for the goods that it leaves (`plans.py`). The options of a
decision first request their plans. Then eight plans at a time are computed without branches, so that one processor
instruction serves several of them. Options that leave the same goods share a plan.
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import Integers, Record, kernel
from sim.games.imperial_settlers.rules import constants
from strategies.imperial_settlers.terms.bundles import (
    BITS,
    GOODS_ONLY,
    GUARDS,
    OTHER_GOODS,
    SIGN,
    lacking,
    number_of,
    paid_with,
    resources_in,
)
from strategies.imperial_settlers.terms.plans import (
    FRESH_LOSS,
    LEAVES_COMMON,
    NEEDS_LOCATION,
    NOT_BESIDE,
    NOTHING_TO_GIVE,
    SLIGHT,
    after_trading,
    beside_plan,
    fill,
    plan_takes,
    worth_of_rest,
)
from strategies.imperial_settlers.weights import (
    ASKED_BUT,
    ASKED_FRESH,
    ASKED_GIVEN,
    ASKED_LEFT,
    ASKED_LOSS,
    ASKED_NEXT,
    ASKED_SUPPLY,
    ASKED_TAKEN,
    ASKED_TIMES,
    ASKED_USED,
    ASKED_WORTH,
    LANES,
    LOSSES,
    LOSSES_READ,
    MOST_WAITING,
    N_ASKED,
    N_BASE_USED,
    N_LOSS,
    N_PAIR,
    N_RANKED,
    N_SCORED,
    N_TAKEN,
    N_WAITING,
    RANKED_BIT,
    RANKED_CARD,
    RANKED_COST,
    RANKED_FLAGS,
    RANKED_GAIN,
    RANKED_VALUE,
    SCORES,
    WAITING_BEHIND,
    WAITING_BIT,
    WAITING_OPTION,
    WAITING_PLAN,
)

FEWEST_TOGETHER = 3
"""Minimum number of plans for computing plans together. Fewer plans are computed faster one by one."""


@kernel
def begin_scores(g: Record) -> None:
    """Reset the requested plans and the queue of options, before all options of a decision are scored."""
    g.notes[N_SCORED] = 0.0
    g.notes[N_ASKED] = 0.0
    g.notes[N_WAITING] = 0.0


@kernel
def make_room(g: Record) -> None:
    """If the queue of options is full, compute the requested plans and the scores of these options, and empty it."""
    if g.notes[N_WAITING] == MOST_WAITING:
        end_scores(g)


@kernel
def ask_plan(g: Record, supply: int, used: int, given: int, but: int, times: int, fresh: int) -> int:
    """Request a plan and return its index. The arguments are those of `plans.fill`."""
    whole = g.notes.view(np.int64)
    place = int(g.notes[N_ASKED])
    whole[ASKED_SUPPLY + place] = supply
    whole[ASKED_USED + place] = used
    whole[ASKED_GIVEN + place] = given
    whole[ASKED_BUT + place] = but
    whole[ASKED_TIMES + place] = times
    whole[ASKED_FRESH + place] = fresh
    g.notes[N_ASKED] = place + 1
    return place


@kernel
def ask_plan_after(g: Record, cost: int, gain: int) -> int:
    """Request the plan after paying a cost and gaining goods; return its index.

    Requests that leave the same goods share one plan.
    """
    supply = after_trading(g, cost, gain)
    whole = g.notes.view(np.int64)
    for place in range(int(g.notes[N_ASKED])):
        special = whole[ASKED_USED + place] | whole[ASKED_GIVEN + place] | whole[ASKED_TIMES + place]
        if whole[ASKED_SUPPLY + place] == supply and special | whole[ASKED_FRESH + place] == 0:
            return place
    return ask_plan(g, supply, 0, 0, constants.NO_CARD, 0, 0)


@kernel
def wait_for(g: Record, option: int, before: float, place: int, behind: float) -> None:
    """Queue an option whose score depends on the requested plan with the index `place`.

    Once the plan is computed, the score is the sum of `before`, the plan's worth and `behind`, added in this order.
    """
    waiting = int(g.notes[N_WAITING])
    g.notes[SCORES + option] = before
    g.notes[WAITING_OPTION + waiting] = option
    g.notes[WAITING_PLAN + waiting] = place
    g.notes[WAITING_BEHIND + waiting] = behind
    g.notes[WAITING_BIT + waiting] = 0.0
    g.notes[N_WAITING] = waiting + 1


@kernel
def wait_for_supply(g: Record, option: int, before: float, cost: int, gain: int, behind: float) -> None:
    """Queue an option that costs and gains goods (`wait_for`): its score includes the plan for the goods then left."""
    plan = beside_plan(g, cost, gain)
    if plan != NOT_BESIDE:
        g.notes[SCORES + option] = before + plan + behind
    else:
        wait_for(g, option, before, ask_plan_after(g, cost, gain), behind)


@kernel
def wait_for_card(g: Record, option: int, before: float, cost: int, gain: int, bit: int) -> None:
    """Queue an option that trades a hand card for goods. The plan after it may not use this card (its bit is `bit`)."""
    if bit & int(g.notes[N_BASE_USED]) == 0:
        wait_for(g, option, before, ask_plan_after(g, cost, gain), 0.0)
        g.notes[WAITING_BIT + int(g.notes[N_WAITING]) - 1] = bit
    else:
        place = ask_plan(g, after_trading(g, cost, gain), bit, 0, constants.NO_CARD, 0, 0)
        wait_for(g, option, before, place, 0.0)


@kernel
def end_scores(g: Record) -> None:
    """Compute the requested plans, and then the scores that depend on them."""
    whole = g.notes.view(np.int64)
    asked = int(g.notes[N_ASKED])
    work_out(g, whole, 0, asked)
    for waiting in range(int(g.notes[N_WAITING])):
        bit = int(g.notes[WAITING_BIT + waiting])
        place = int(g.notes[WAITING_PLAN + waiting])
        if bit != 0 and plan_takes(g, whole[ASKED_TAKEN + place], bit):
            # The plan must not use the card that is given away.
            other = ask_plan(g, whole[ASKED_SUPPLY + place], bit, 0, constants.NO_CARD, 0, 0)
            g.notes[WAITING_PLAN + waiting] = other
    work_out(g, whole, asked, int(g.notes[N_ASKED]))
    for waiting in range(int(g.notes[N_WAITING])):
        score = SCORES + int(g.notes[WAITING_OPTION + waiting])
        plan = g.notes[ASKED_WORTH + int(g.notes[WAITING_PLAN + waiting])]
        g.notes[score] = g.notes[score] + plan + g.notes[WAITING_BEHIND + waiting]
    g.notes[N_ASKED] = 0.0
    g.notes[N_WAITING] = 0.0


@kernel
def work_out(g: Record, whole: Integers, first: int, end: int) -> None:
    """Compute the requested plans with the indices `first` to `end - 1`."""
    if end - first < FEWEST_TOGETHER:
        for place in range(first, end):
            work_out_one(g, whole, place)
        return
    for place in range(LOSSES_READ):
        g.notes[ASKED_LOSS + place] = g.notes[N_LOSS + place] if place < LOSSES else NOTHING_TO_GIVE
    for place in range(first, end):
        whole[ASKED_LEFT + place] = whole[ASKED_SUPPLY + place]
        whole[ASKED_TAKEN + place] = 0
        g.notes[ASKED_WORTH + place] = 0.0
    for place in range(end, end + LANES - 1):
        # Pad with unused plans up to a multiple of eight. They are computed at no extra cost.
        whole[ASKED_LEFT + place] = whole[ASKED_USED + place] = whole[ASKED_GIVEN + place] = 0
        whole[ASKED_FRESH + place] = whole[ASKED_TIMES + place] = 0
    for place in range(first, end, LANES):
        note_next_losses(g, place)
        for rank in range(int(g.notes[N_RANKED])):
            try_play(g, rank, place)
            if whole[RANKED_FLAGS + rank] & NEEDS_LOCATION != 0:
                note_next_losses(g, place)
    for place in range(first, end):
        g.notes[ASKED_WORTH + place] += worth_of_rest(g, whole[ASKED_LEFT + place])


@kernel
def work_out_one(g: Record, whole: Integers, place: int) -> None:
    """Compute a single plan."""
    given, fresh = whole[ASKED_GIVEN + place], whole[ASKED_FRESH + place]
    but, times = whole[ASKED_BUT + place], whole[ASKED_TIMES + place]
    worth = fill(g, whole[ASKED_SUPPLY + place], whole[ASKED_USED + place], given, but, times, fresh)
    g.notes[ASKED_WORTH + place] = worth
    whole[ASKED_TAKEN + place] = int(g.notes[N_TAKEN])


@kernel
def try_play(g: Record, rank: int, first: int) -> None:
    """Consider a play for eight plans, and add it to each plan that can pay for it and benefits from it.

    For each plan, this does the same as `plans.fill`.
    """
    whole = g.notes.view(np.int64)
    bit = whole[RANKED_BIT + rank]
    card = whole[RANKED_CARD + rank]
    cost = whole[RANKED_COST + rank]
    gain = whole[RANKED_GAIN + rank]
    worth = float(g.notes[RANKED_VALUE + rank])
    flags = whole[RANKED_FLAGS + rank]
    needs = flags & NEEDS_LOCATION
    leaves = (flags & LEAVES_COMMON) >> 1
    pair = g.notes[N_PAIR]
    gains_nothing = int(gain == 0)
    cardless = int(bit == 0)
    for place in range(first, first + LANES):
        times = whole[ASKED_TIMES + place]
        left_out = int(times > 0) & int(whole[ASKED_BUT + place] == card) & cardless
        supply = whole[ASKED_LEFT + place]
        used = whole[ASKED_USED + place]
        given = whole[ASKED_GIVEN + place]
        fresh = whole[ASKED_FRESH + place]
        rest = (supply | GUARDS) - cost
        lacks = lacking(rest)
        resources = resources_in(lacks)
        gold = min(resources, number_of(rest, constants.GOLD))
        pairs = resources - gold
        lacking_all = (used & bit) | (lacks & OTHER_GOODS) | ((number_of(rest, constants.WORKER) - 2 * pairs) & SIGN)
        loss = g.notes[ASKED_NEXT + place]
        from_fresh = int(loss >= FRESH_LOSS) & int(fresh > 0) & needs
        loss = FRESH_LOSS if from_fresh != 0 else loss
        value = worth - (loss if needs != 0 else 0.0)
        # A pair of workers that replaces a resource can no longer be exchanged for a card.
        useless = int(value < -SLIGHT) | (gains_nothing & int(value <= pairs * pair))
        taken = int(lacking_all == 0) & (1 - left_out) & (1 - useless)
        after = filled(paid_with(rest, lacks, gold, pairs) + (gain & GOODS_ONLY))
        whole[ASKED_TIMES + place] = times - left_out
        whole[ASKED_LEFT + place] = after if taken != 0 else supply
        whole[ASKED_USED + place] = used | (bit if taken != 0 else 0)
        whole[ASKED_GIVEN + place] = given + taken * (needs - from_fresh)
        whole[ASKED_FRESH + place] = fresh + taken * (leaves - from_fresh)
        whole[ASKED_TAKEN + place] |= taken << rank
        g.notes[ASKED_WORTH + place] += value if taken != 0 else 0.0


@kernel
def note_next_losses(g: Record, first: int) -> None:
    """Store for each of eight plans the loss from giving up the next location."""
    whole = g.notes.view(np.int64)
    for place in range(first, first + LANES):
        g.notes[ASKED_NEXT + place] = g.notes[ASKED_LOSS + whole[ASKED_GIVEN + place]]


@kernel
def filled(bundle: int) -> int:
    """Return a bundle with overflowing goods at their maximum, like `bundles.together` but without branches."""
    over = bundle & GUARDS
    full = over - (over >> (BITS - 1))
    return (bundle & ~(over | full)) | full
