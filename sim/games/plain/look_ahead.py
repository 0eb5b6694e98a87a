"""Looks ahead in games in plain Python: plays copies of the state on, with all that a seat cannot know dealt again.

`playing` is a `sim.games.plain.playing.Playing`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from sim.games.plain.policies import Policy, in_rollouts
from sim.games.plain.streams import SEARCH, SeatStreams, mixed


def dealt_again(playing: Any, state: Any, seat: int, seed: int) -> Any:
    """Return a copy of a state with everything redealt that a seat cannot know."""
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
    """Carry out an option in a copy of a state; return whether the game has ended."""
    move = option
    if playing.together:
        move = playing.chosen_together(state, policies, streams, False) | {seat: option}
        state.seat = seat
    over = playing.game.apply(state, move, chance) is True
    return over or (playing.is_over is not None and bool(playing.is_over(state)))


def leads_after(playing: Any, state: Any, seat: int, options: Sequence[Any], streams: SeatStreams) -> list[float]:
    """Return a seat's lead in points right after each option, with dice other than those of the game."""
    seed, values = streams.word(seat), []
    simple = [Policy("random", "", None, None, False, 0.0, None)] * playing.players
    chance = random.Random()
    for option in options:
        copy = dealt_again(playing, state, seat, seed)
        chance.seed(seed)
        taken(playing, copy, seat, option, simple, SeatStreams(seed, 0, playing.players), chance)
        values.append(lead(playing, copy, seat))
    return values


def lead(playing: Any, state: Any, seat: int) -> float:
    """Return by how many points a seat leads; in a solo game its points."""
    totals = [sum(playing.parts_of(state, each)) for each in range(playing.players)]
    own = totals.pop(seat)
    return float(own - max(totals, default=0))


def look_ahead(
    playing: Any, state: Any, seat: int, options: Sequence[Any], policy: Policy, streams: SeatStreams
) -> Any:
    """Return the option with the best mean result of games played on."""
    worth, _ = values_ahead(playing, state, seat, options, policy, streams)
    best = max(worth.values())
    ties = [place for place, value in worth.items() if value == best]
    return options[ties[streams.below(seat, len(ties))]]


def values_ahead(
    playing: Any, state: Any, seat: int, options: Sequence[Any], policy: Policy, streams: SeatStreams
) -> tuple[dict[int, float], dict[int, float]]:
    """Play games on after every option, with the base of a player in all seats.

    Option by option the same worlds and dice are met; the worse half is dropped from time to time (sequential
    halving: Karnin, Koren and Somekh, ICML 2013).

    Returns
    -------
    sums, means
        By place in the options: the sum of results of the options that are left, and the mean result of every
        option that was played on.
    """
    search, base = policy.search, in_rollouts(policy)
    if policy.is_greedy:
        base.is_greedy = False  # as random: a copy for every option of every game played on would take for ever
    places = list(range(len(options)))
    if base.score is not None and len(options) > search.options:
        values = [base.score(playing.game, state, each) for each in options]
        places = sorted(sorted(places, key=lambda place: -values[place])[: search.options])
    key = streams.word(seat)
    seats = [base] * playing.players
    worth, means = [0.0] * len(options), dict[int, float]()
    done, stages = 0, max(1, (len(places) - 1).bit_length())
    chance = random.Random()
    for stage in range(1, stages + 1):
        for world in range(done, search.rollouts * stage // stages):
            start = dealt_again(playing, state, seat, mixed(key, world))
            for place in places:
                copy, lot = playing.game.copy(start), SeatStreams(key, world, playing.players)
                chance.seed(mixed(key, world, SEARCH))
                if not taken(playing, copy, seat, options[place], seats, lot, chance):
                    playing.play_out(copy, seats, lot, chance)
                worth[place] += value(playing, copy, seat, search)
        done = search.rollouts * stage // stages
        means |= {place: worth[place] / done for place in places if done}
        if search.halves and stage < stages and done:
            kept = (len(places) + 1) // 2
            places = sorted(sorted(places, key=lambda place: -worth[place])[:kept])
    return {place: worth[place] for place in places}, means


def value(playing: Any, state: Any, seat: int, search: Any) -> float:
    """Return the value of a rollout's end for a seat: its share of the win, or its lead."""
    if search.value == "margin" or playing.players == 1:
        return lead(playing, state, seat)
    ranks = playing.ranks(state, [sum(playing.parts_of(state, each)) for each in range(playing.players)])
    return 1.0 / ranks.count(1) if ranks[seat] == 1 else 0.0
