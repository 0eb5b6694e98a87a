"""Random numbers: the known words of Philox, fair draws, and streams that leave each other alone."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare, kstest

from sim.compiler.kernel import FieldRecord
from sim.engine.rng import (
    CHANCE,
    DEAL,
    LINEUP,
    RNG_FIELDS,
    SEATS,
    STREAMS,
    below,
    gumbel,
    next_word,
    philox,
    shuffle,
    start_streams,
    uniform,
)

DRAWER = np.dtype((FieldRecord, RNG_FIELDS))


def drawer(seed: int = 1, game: int = 0, block: int = 0) -> Any:
    """A record that draws."""
    g = np.zeros(1, DRAWER)[0]
    start_streams(g, seed, game, block)
    return g


def words(g: Any, stream: int, count: int) -> list[int]:
    return [int(next_word(g, stream)) for _ in range(count)]


# ---- Words ----


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ("00000000 " * 4, "00000000 " * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ("ffffffff " * 4, "ffffffff " * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ],
    ids=["zeros", "ones", "pi"],
)
def test_words_are_those_that_random123_publishes(counter: str, key: str, expected: str) -> None:
    numbers = [np.uint64(int(text, 16)) for text in f"{counter} {key}".split()]
    assert " ".join(f"{int(word):08x}" for word in philox(*numbers)) == expected


def test_a_word_depends_on_seed_game_stream_and_number_of_the_draw_and_on_nothing_else() -> None:
    seed, game, stream = 2**40 + 7, 2**33 + 5, SEATS + 2
    found = words(drawer(seed, game), stream, 12)
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for draw, word in enumerate(found):
        counter = [np.uint64(number) for number in (draw // 4, stream, game & 0xFFFFFFFF, game >> 32)]
        assert int(philox(*counter, *key)[draw % 4]) == word


# ---- Streams ----


def test_drawing_from_one_stream_does_not_move_another() -> None:
    alone = {stream: words(drawer(), stream, 9) for stream in range(STREAMS)}
    together = drawer()
    found: dict[int, list[int]] = {stream: [] for stream in range(STREAMS)}
    order = np.random.default_rng(0).permuted(np.repeat(np.arange(STREAMS), 9))
    for stream in order.tolist():
        found[stream] += words(together, stream, 1)
    assert found == alone


def test_no_two_streams_are_alike() -> None:
    seen = [tuple(words(drawer(), stream, 4)) for stream in range(STREAMS)]
    assert len(set(seen)) == STREAMS


def test_deal_and_line_up_are_counted_by_block_and_all_else_by_game() -> None:
    one, other = drawer(game=8, block=2), drawer(game=9, block=2)
    alike = [stream for stream in range(STREAMS) if words(one, stream, 4) == words(other, stream, 4)]
    assert alike == [DEAL, LINEUP]
    assert CHANCE not in alike


def test_neither_games_nor_seeds_begin_alike() -> None:
    for stream in (DEAL, CHANCE, SEATS):
        games = [drawer(game=game, block=game) for game in range(500)]
        assert len({tuple(words(g, stream, 2)) for g in games}) == 500
    seeds = [drawer(seed=seed) for first in (0, 2**32) for seed in range(first, first + 250)]
    assert len({tuple(words(g, DEAL, 2)) for g in seeds}) == 500


# ---- Draws ----


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 10, 78])
def test_below_gives_each_number_from_zero_to_the_bound_as_often(bound: int, scaled: Callable[[int, int], int]) -> None:
    g = drawer(seed=11)
    count = scaled(200, 40) * bound
    found = Counter(int(below(g, CHANCE, bound)) for _ in range(count))
    assert sorted(found) == list(range(bound))
    assert chisquare([found[number] for number in range(bound)]).pvalue > 0.001 or bound == 1


def test_below_draws_again_where_a_word_would_favour_some_numbers() -> None:
    # With 3 * 2^30 as bound a quarter of all words would give each third number twice as often.
    bound = 3 * 2**30
    g = drawer(seed=12)
    found = [int(below(g, CHANCE, bound)) for _ in range(3000)]
    assert max(found) < bound
    assert int(g.rng_drawn[CHANCE]) > 3500
    assert chisquare(np.bincount(np.array(found) % 3, minlength=3)).pvalue > 0.001
    assert chisquare(np.bincount(np.array(found) // 2**28, minlength=12)).pvalue > 0.001


def test_uniform_draws_lie_strictly_between_zero_and_one_and_are_uniform() -> None:
    g = drawer(seed=13)
    found = np.array([uniform(g, CHANCE) for _ in range(3000)])
    assert 0.0 < found.min() < found.max() < 1.0
    assert kstest(found, "uniform").pvalue > 0.001


def test_gumbel_noise_turns_scores_into_a_softmax_choice() -> None:
    g = drawer(seed=14)
    scores = np.array([0.0, 1.0, 2.0])
    chosen = [int(np.argmax(scores + [gumbel(g, CHANCE) for _ in range(3)])) for _ in range(3000)]
    expected = np.exp(scores) / np.exp(scores).sum() * len(chosen)
    assert chisquare(np.bincount(chosen, minlength=3), expected).pvalue > 0.001


def test_a_shuffle_keeps_every_item_and_touches_only_the_first_ones() -> None:
    g = drawer(seed=15)
    for count in range(12):
        items = np.arange(12)
        shuffle(g, CHANCE, items, count)
        assert sorted(items[:count]) == list(range(count))
        assert items[count:].tolist() == list(range(count, 12))


def test_every_order_is_equally_likely_after_a_shuffle(scaled: Callable[[int, int], int]) -> None:
    g = drawer(seed=16)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(scaled(4800, 720)):
        items = np.arange(4)
        shuffle(g, CHANCE, items, 4)
        found[tuple(items.tolist())] += 1
    assert len(found) == 24
    assert chisquare(list(found.values())).pvalue > 0.001
