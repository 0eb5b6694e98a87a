"""Flat Monte Carlo search: rolls out the best options in determinized games, and takes the option that wins most often.

In rollouts, the base, which is the player's strategy without search, plays all seats (policy improvement by rollouts:
Tesauro and Galperin, NIPS 1996). Each rollout starts from the game at the beginning of the current step. Everything
that the seat cannot know is redealt, including future draws and dice. Then the answers that the step has had so far are
repeated. A redealt game is used only if the seat then has the same options with the same scores. So what the seat has
seen within the step, such as a card just drawn, is the same in all of these games. Every option is rolled out in the
same games, with the same random numbers.

Options that are significantly worse than the best are dropped (racing: Maron and Moore, NIPS 1993). At intervals, the
worse half of the rest is dropped too (sequential halving: Karnin, Koren and Somekh, ICML 2013). The base's scores
decide between options of nearly equal value.
"""

from __future__ import annotations

import math

from sim.compiler.kernel import Floats, Record, kernel, play_rest_at, redeal_at, score_all_at, score_at
from sim.engine.rng import CHANCE, DEAL, SEARCH, SEATS, move_to, renew_stream
from sim.engine.state import NO_ERROR, NO_ROOM, copy_position, record_at
from sim.players.search_memory import MOST_OPTIONS, MOST_ROLLOUTS, MOST_SEARCHED, place_in_room, searched_at

FORCED = 0
"""Index of the strategy that plays all seats of a copy until it has reached the decision and taken the option."""
MODEL = 1
"""Index of the strategy that plays all seats of a copy once the option has been taken: the base."""
COMPARING = -1
"""Takes the place of an option in a copy that only tests whether it reaches the same decision."""

# Indices in a block of search memory: of the three games, and of the state of the search
START, WORLD, COPY, FOUND = 0, 1, 2, 3

DRAWS_BITS = 24
"""Each decision may use 2**DRAWS_BITS random draws of the search stream."""
MOST_TRIES = 20
"""Maximum number of determinizations to try for each one that is needed. After that, those that reached the same
decision must suffice."""
BATCH = 8
"""After each batch of this many rollouts, options that are significantly worse than the best are dropped."""
SURELY = 2.6
"""An option is dropped if it is behind the best option by this many standard errors."""
TO_THE_END = 1 << 40
"""A horizon that no game reaches."""


@kernel
def score_by_search(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option by search, made at the first option; if the decision is not searched, as the base does."""
    if (w.search.decisions >> decision) & 1 == 0 or g.option_count > MOST_OPTIONS:
        return score_at(w.search.own_score, g, t, me, decision, option, w)
    if g.log.room == 0:
        g.error = NO_ROOM
        return 0.0
    found = searched_at(g.log.room + place_in_room(g, FOUND))
    if option == 0:
        search(g, t, me, decision, w, found)
    return float(found.worth[option])


@kernel
def search(g: Record, t: Record, me: int, decision: int, w: Record, found: Record) -> None:
    """Estimate the value of every option of a decision. The values are written into `found.worth`."""
    remember_decision(g, me, decision, found)
    is_number = True
    for option in range(g.option_count):
        found.prior[option] = base_score(g, t, me, decision, option, w)
        is_number = is_number and not math.isnan(found.prior[option])
    found.worlds = 0
    found.alive_count = 0
    if is_number:
        rank_options(found, min(w.search.options[decision], MOST_SEARCHED))
        seat_base(g, w, found)
        play_worlds(g, t, me, w, found)
    found.searched += 1
    found.unlike += found.worlds == 0
    settle_search(w, found)


@kernel
def base_score(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Return the base's score of an option.

    Must be called for all options of a decision in order, because a base may score all options at the first one.
    """
    if w.score_all == 0:
        value: float = score_at(w.search.own_score, g, t, me, decision, option, w)
        return value
    if option == 0:
        score_all_at(w.score_all, g, t, me, decision, w)
    return float(g.option_score[option])


@kernel
def remember_decision(g: Record, me: int, decision: int, found: Record) -> None:
    """Save in `found` which decision is searched: the seat, its kind, and the earlier answers of this step."""
    found.seat = me
    found.decision = decision
    found.option_count = g.option_count
    found.answers = g.decisions - g.step_decisions
    for place in range(found.answers):
        found.answer[place] = g.answer[place]
        found.answer_seat[place] = g.answer_seat[place]
    found.drawn = (g.decisions - g.decisions_before) << DRAWS_BITS


@kernel
def rank_options(found: Record, most: int) -> None:
    """Put the `most` options with the highest base scores into `found.alive`, the best first, without any of -inf."""
    for option in range(found.option_count):
        found.row[option] = -1
    while found.alive_count < most:
        best = -1
        for option in range(found.option_count):
            waits = found.row[option] < 0 and found.prior[option] > -math.inf
            if waits and (best < 0 or found.prior[option] > found.prior[best]):
                best = option
        if best < 0:
            return
        found.row[best] = found.alive_count
        found.alive[found.alive_count] = best
        found.alive_count += 1


@kernel
def seat_base(g: Record, w: Record, found: Record) -> None:
    """Set the two strategies that play copies of the game: `FORCED`, which leads to the decision, and the base."""
    found.scores[FORCED] = w.search.forced
    found.scores[MODEL] = w.search.own_score
    for strategy in range(2):
        found.lineup.seats[strategy] = w
        found.lineup.seats[strategy].temperature = w.search.model_temperature
        found.lineup.seats[strategy].search.room = g.log.room


# ---- Determinized games ----


@kernel
def play_worlds(g: Record, t: Record, me: int, w: Record, found: Record) -> None:
    """Roll out the options in determinized games until only one option is left or all rollouts are used up."""
    most = min(w.search.rollouts, MOST_ROLLOUTS)
    stages = halvings(found.alive_count)
    stage = 1
    for _ in range(MOST_TRIES * most):
        if found.alive_count < 2 or found.worlds >= most or g.error != NO_ERROR:
            break
        if not deal_world(g, t, me, w, found):
            continue
        play_options(g, t, me, w, found)
        found.worlds += 1
        if found.worlds % BATCH == 0:
            sort_alive(w, found)
            drop_behind(w, found)
        if w.search.halves != 0 and stage < stages and found.worlds * stages >= most * stage:
            sort_alive(w, found)
            found.alive_count = min(found.alive_count, 1 << (stages - stage))
            stage += 1
    sort_alive(w, found)


@kernel
def halvings(count: int) -> int:
    """Return how often a number must be halved, rounding up, to reach 1."""
    stages = 0
    while (1 << stages) < count:
        stages += 1
    return stages


@kernel
def deal_world(g: Record, t: Record, me: int, w: Record, found: Record) -> bool:
    """Determinize the game as it was at the beginning of the step, and replay the step in it.

    Return whether the seat then reaches the same decision, with the same options and scores.
    """
    world = record_at(g.log.room + place_in_room(g, WORLD), g)
    copy_position(world, record_at(g.log.room + place_in_room(g, START), g))
    world.answers_given = 0
    for seat in range(g.players):
        world.strategy[seat] = FORCED
    move_to(world, SEARCH, found.drawn)
    redeal_at(w.search.redeal, world, t, me)
    renew_stream(world, DEAL, SEARCH)
    renew_stream(world, CHANCE, SEARCH)
    for seat in range(g.players):
        renew_stream(world, SEATS + seat, SEARCH)
    found.drawn = world.rng_drawn[SEARCH]
    found.dealt += 1
    play_copy(g, t, w, found, COMPARING)
    return found.came == 1 and found.alike == 1


@kernel
def play_copy(g: Record, t: Record, w: Record, found: Record, option: int) -> Record:
    """Roll out a copy of the determinized game, with `option` taken at the decision. Return the copy."""
    copy = record_at(g.log.room + place_in_room(g, COPY), g)
    copy_position(copy, record_at(g.log.room + place_in_room(g, WORLD), g))
    found.given = 0
    found.forced = option
    found.came = 0
    found.alike = 1
    horizon = w.search.horizon[found.decision]
    rounds = g.rounds + horizon if horizon > 0 else TO_THE_END
    found.chance[:] = math.nan
    scores = g.log.room + place_in_room(g, FOUND)
    play_rest_at(w.search.play_rest, copy, t, scores, found.lineup, rounds)
    return copy


@kernel
def play_options(g: Record, t: Record, me: int, w: Record, found: Record) -> None:
    """Roll out every remaining option in the determinized game, and write the values into `found.values`."""
    for place in range(found.alive_count):
        option = found.alive[place]
        copy = play_copy(g, t, w, found, option)
        if copy.error != NO_ERROR:
            g.error = copy.error
            return
        found.values[found.row[option], found.worlds] = worth_of(copy, me, w, found)


@kernel
def worth_of(g: Record, me: int, w: Record, found: Record) -> float:
    """Return the value of a finished rollout for a seat, in the unit that the search uses (`sim.engine.script.VALUES`).

    If the rollout ended at a horizon, this is the estimated chance to win.
    """
    if w.search.looks_out != 0 and w.search.value == 0 and not math.isnan(found.chance[me]):
        return float(found.chance[me])
    total = g.score.shape[1] - 1
    if g.players == 1:
        return float(g.score[me, total])
    winners = 0
    most = -math.inf
    for seat in range(g.players):
        if g.rank[seat] == 1:
            winners += 1
        if seat != me:
            most = max(most, float(g.score[seat, total]))
    lead = float(g.score[me, total]) - most
    if w.search.value != 0:
        return lead
    won = g.rank[me] == 1
    # If something other than points, such as a collapse, decided the game, the lead does not count.
    by_points = lead >= 0.0 if won else lead <= 0.0
    if w.search.lead_scale > 0.0 and by_points:
        return 1.0 / (1.0 + math.exp(-lead / w.search.lead_scale))
    return 1.0 / winners if won else 0.0


# ---- Guiding copies to the decision ----


@kernel
def score_forced(g: Record, t: Record, me: int, decision: int, option: int, w: Record) -> float:
    """Score an option in a copy of the game, so that the copy repeats the answers of the step.

    At the decision that is searched, either options are compared with the game's (`compare_options`), or the score
    makes the seat take the option `found.forced`. Then strategy `MODEL` takes over all seats.
    """
    found = searched_at(w.search.room + place_in_room(g, FOUND))
    if g.error != NO_ERROR or found.came == 1:
        return 0.0
    is_last = option == g.option_count - 1
    if found.given < found.answers:
        place = found.given
        if me != found.answer_seat[place]:
            return score_at(w.search.own_score, g, t, me, decision, option, w)
        if is_last:
            found.given += 1
        return 0.0 if option == found.answer[place] else -math.inf
    if me != found.seat:
        return score_at(w.search.own_score, g, t, me, decision, option, w)
    if found.forced == COMPARING:
        compare_options(g, t, me, decision, option, w, found)
        return 0.0
    if is_last:
        for seat in range(g.players):
            g.strategy[seat] = MODEL
    return 0.0 if option == found.forced else -math.inf


@kernel
def compare_options(g: Record, t: Record, me: int, decision: int, option: int, w: Record, found: Record) -> None:
    """Check that an option of the copy has the score that the option with the same index has in the game.

    If not, or if the kind of decision or the number of options differs, set `found.alike` to 0. After the last option,
    stop the copy.
    """
    if decision != found.decision or g.option_count != found.option_count:
        found.alike = 0
    if found.alike == 1 and base_score(g, t, me, decision, option, w) != found.prior[option]:
        found.alike = 0
    if option == g.option_count - 1:
        found.came = 1
        g.finished = 1  # no error is set, because the rest of the step still lists and takes options


# ---- Results ----


@kernel
def estimate(w: Record, found: Record, option: int) -> float:
    """Return the value of an option that was rolled out: the mean of its rollouts plus `by_base`."""
    row = found.row[option]
    total = 0.0
    for world in range(found.worlds):
        total += found.values[row, world]
    return total / max(found.worlds, 1) + by_base(w, found, option)


@kernel
def by_base(w: Record, found: Record, option: int) -> float:
    """Return a weight times (an option's base score - the highest base score), a term of the option's value."""
    best = -math.inf
    for other in range(found.option_count):
        best = max(best, found.prior[other])
    weight = w.search.prior[found.decision]
    return weight * (found.prior[option] - best) if weight != 0.0 else 0.0


@kernel
def sort_alive(w: Record, found: Record) -> None:
    """Update the values of the remaining options, and sort these stably by value, the best first."""
    for place in range(found.alive_count):
        found.worth[found.alive[place]] = estimate(w, found, found.alive[place])
    for place in range(1, found.alive_count):
        option = found.alive[place]
        at = place
        while at > 0 and found.worth[found.alive[at - 1]] < found.worth[option]:
            found.alive[at] = found.alive[at - 1]
            at -= 1
        found.alive[at] = option


@kernel
def drop_behind(w: Record, found: Record) -> None:
    """Drop the sorted options that are significantly worse than the first, which is the best."""
    best = found.alive[0]
    left = 1
    for place in range(1, found.alive_count):
        option = found.alive[place]
        lead = found.worth[best] - found.worth[option]
        spread = 0.0
        mean = lead - by_base(w, found, best) + by_base(w, found, option)
        for world in range(found.worlds):
            step = found.values[found.row[best], world] - found.values[found.row[option], world]
            spread += (step - mean) ** 2
        # Without a pseudo-observation at least as large as the lead, a series of equal differences would look certain.
        error = math.sqrt((spread + max(1.0, lead * lead)) / found.worlds / found.worlds)
        if lead < SURELY * error:
            found.alive[left] = option
            left += 1
    found.alive_count = left


@kernel
def settle_search(w: Record, found: Record) -> None:
    """Set the final value of every option.

    The best option has the highest value. No option without rollouts ranks above an option with rollouts.
    """
    if found.worlds == 0:
        for option in range(found.option_count):
            found.worth[option] = found.prior[option]
        return
    best = found.alive[0]
    lowest = found.worth[best]
    for option in range(found.option_count):
        if found.row[option] >= 0:
            lowest = min(lowest, found.worth[option])
    for option in range(found.option_count):
        if found.row[option] < 0:
            found.worth[option] = lowest + by_base(w, found, option)
        if option != best:
            found.worth[option] = min(found.worth[option], math.nextafter(found.worth[best], -math.inf))


@kernel
def look_nowhere(g: Record, t: Record, weights: Floats, chance: Floats) -> None:
    """Do nothing. It takes the place of the horizon evaluation in a game without one."""
