"""Looks ahead in games in plain Python: rolls out copies of the state in which all that a seat cannot know is redealt.

`playing` is a `sim.games.plain.playing.Playing`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sim.games.plain.policies import Policy, in_rollouts
from sim.games.plain.results import lead
from sim.games.plain.streams import SEARCH, SeatStreams, mixed


def dealt_again(playing: Any, state: Any, seat: int, seed: int) -> Any:
    """Return a copy of a state in which everything that a seat cannot know is redealt."""
    copy = playing.game.copy(state)
    if playing.rules.hides:
        playing.other.seed(seed)
        playing.game.redeal(copy, seat, playing.other)
    return copy


def taken(
    playing: Any,
    state: Any,
    seat: int,
    option: Any,
    policies: Sequence[Policy],
    streams: SeatStreams,
    chance: random.Random,
) -> bool:
    """Carry out a seat's option in `state`, a copy of the game's state; return whether the game has ended.

    If seats choose at the same time, `policies` choose for the other seats.
    """
    move = option
    if playing.together:
        move = playing.chosen_together(state, policies, streams, False) | {seat: option}
        state.seat = seat
    over = playing.game.apply(state, move, chance) is True
    return over or (playing.is_over is not None and bool(playing.is_over(state)))


def leads_after(playing: Any, state: Any, seat: int, options: Sequence[Any], streams: SeatStreams) -> list[float]:
    """Return a seat's lead in points right after each option. The dice are not those that the game will roll."""
    seed, values = streams.word(seat), []
    simple = [Policy("random", None, None, False, 0.0, None)] * playing.players
    chance = random.Random()
    for option in options:
        copy = dealt_again(playing, state, seat, seed)
        chance.seed(seed)
        taken(playing, copy, seat, option, simple, SeatStreams(seed, 0, playing.players), chance)
        values.append(lead(playing.totals(copy), seat))
    return values


def look_ahead(
    playing: Any, state: Any, seat: int, options: Sequence[Any], policy: Policy, streams: SeatStreams
) -> Any:
    """Return the option whose rollouts have the best mean worth (`softened`), bonus included.

    If several options have the same worth, return the one to which the base strategy gives the best score.
    """
    worth, _ = values_ahead(playing, state, seat, options, policy, streams)
    return options[max(worth, key=worth.__getitem__)]


def values_ahead(
    playing: Any, state: Any, seat: int, options: Sequence[Any], policy: Policy, streams: SeatStreams
) -> tuple[dict[int, float], dict[int, float]]:
    """Roll out the options, with the player's base strategy (the player without search) in all seats.

    Every option is rolled out in the same redeals and with the same dice. If the search has `halves` set, the worse
    half of the remaining options is dropped after each stage (sequential halving: Karnin, Koren and Somekh, ICML 2013).

    Returns
    -------
    worth, means
        Two dictionaries from the index of an option to the mean worth of its rollouts plus its bonus. `worth` has only
        the options that remain at the end. `means` has every option that was rolled out. The option that the base
        strategy scores best comes first.
    """
    search, base = policy.search, in_rollouts(policy)
    places, prior = candidates(playing, state, options, policy, streams.word(seat))
    key = streams.word(seat)
    ends: dict[int, list[End]] = {place: [] for place in places}
    alive, done, stages = places, 0, max(1, (len(places) - 1).bit_length())
    worth = prior
    for stage in range(1, stages + 1):
        for world in range(done, search.rollouts * stage // stages):
            start = dealt_again(playing, state, seat, mixed(key, world))
            for place in alive:
                end = played_on(playing, start, seat, options[place], policy, base, mixed(key, world, SEARCH))
                ends[place].append(end)
        done = search.rollouts * stage // stages
        if done:
            worth = values_of(playing, ends, prior, search)
        if search.halves and stage < stages and done:
            best = sorted(alive, key=lambda place: -worth[place])[: (len(alive) + 1) // 2]
            alive = [place for place in alive if place in best]
    return {place: worth[place] for place in alive}, worth


def candidates(
    playing: Any, state: Any, options: Sequence[Any], policy: Policy, lot: int
) -> tuple[list[int], dict[int, float]]:
    """Return the indices of the options to roll out, best score first, and the bonus of each.

    The bonus is the search's `prior` times the difference between the option's score and the best score.
    """
    search, score, count = policy.search, policy.score, len(options)
    places = sorted(range(count), key=lambda place: mixed(lot, place))  # random order for equal scores
    if score is None:
        return places, dict.fromkeys(places, 0.0)
    values = [score(playing.game, state, each) for each in options]
    places = sorted(places, key=lambda place: -values[place])[: search.options]
    best = values[places[0]]
    return places, {place: search.prior * (values[place] - best) if search.prior else 0.0 for place in places}


def played_on(playing: Any, start: Any, seat: int, option: Any, policy: Policy, base: Policy, key: int) -> End:
    """Take an option in a copy of the redealt state `start`, and roll it out. Return the seat's result.

    The policy `base` plays in all seats.
    """
    copy, seats = playing.game.copy(start), [base] * playing.players
    chance, lot = random.Random(key), SeatStreams(key, 0, playing.players)
    most = policy.search.horizon * (1 if playing.together else playing.players) or None
    if not taken(playing, copy, seat, option, seats, lot, chance):
        playing.play_out(copy, seats, lot, chance, most=most and most - 1)
        if policy.judge is not None and not playing.ended:
            return End(0.0, policy.judge.chances(playing, copy, seat)[seat], judged=True)
    if policy.judge is not None:
        return End(0.0, softened_ranks(playing, copy, policy.judge.lead_scale)[seat], judged=True)
    return end_of(playing, copy, seat)


class End(NamedTuple):
    """The result of a rollout for a seat: its lead in points, and its share of the win.

    If `judged`, `won` is already a chance to win, which `softened` leaves unchanged.
    """

    lead: float
    won: float
    judged: bool = False


def end_of(playing: Any, state: Any, seat: int) -> End:
    """Return a seat's result in a finished game. In a solo game, the lead is the seat's points."""
    totals = playing.totals(state)
    ranks = playing.ranks(state, totals)
    return End(lead(totals, seat), 1.0 / ranks.count(1) if ranks[seat] == 1 else 0.0)


def values_of(
    playing: Any, ends: Mapping[int, Sequence[End]], prior: Mapping[int, float], search: Any
) -> dict[int, float]:
    """Return for each option the mean worth of its rollouts, plus its bonus (`prior`)."""
    leads = [end.lead for some in ends.values() for end in some]
    if search.value == "margin" or playing.players == 1:
        worth = {place: [end.lead for end in some] for place, some in ends.items()}
    else:
        mean = sum(leads) / len(leads)
        scale = search.lead_scale or math.sqrt(sum((each - mean) ** 2 for each in leads) / len(leads))
        worth = {place: [softened(end, scale) for end in some] for place, some in ends.items()}
    return {place: sum(some) / len(some) + prior[place] for place, some in worth.items()}


def softened(end: End, scale: float) -> float:
    """Return the worth of a result: 0 to 1, rising smoothly with the lead.

    A narrow loss is worth almost as much as a narrow win. If points did not decide, it is the share of the win.
    """
    by_points = not end.judged and (end.lead >= 0.0 if end.won else end.lead <= 0.0)
    return 0.5 + 0.5 * math.tanh(0.5 * end.lead / scale) if scale and by_points else end.won


def softened_ranks(playing: Any, state: Any, scale: float) -> list[float]:
    """Return every seat's chance to win in a finished game, softened by points.

    The kernel that does the same for compiled games is `sim.players.judge.final_chances`.
    """
    totals = playing.totals(state)
    ranks = playing.ranks(state, totals)
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if scale > 0.0 and min(totals[seat] for seat in winners) == max(totals):
        return softmax([total / scale for total in totals])
    return [1.0 / len(winners) if rank == 1 else 0.0 for rank in ranks]


def softmax(ratings: Sequence[float]) -> list[float]:
    """Return chances that add up to 1 and are proportional to the exponentials of the ratings."""
    most = max(ratings)
    parts = [math.exp(rating - most) for rating in ratings]
    return [part / sum(parts) for part in parts]
