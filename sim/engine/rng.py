"""Counter-based random numbers: Philox4x32-10 (Salmon et al., SC 2011, "Parallel random numbers").

Each random word depends only on the seed, the game, the stream and the number of the draw. So game i of seed s is the
same in any process, in any shard and on any machine. Streams are independent: each seat draws from its own stream, so a
different strategy in seat 2 leaves the deal unchanged.

A game's record has the fields of `RNG_FIELDS`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sim.compiler.kernel import Integers, Record, kernel

Word = Any
"""Type of a 32-bit number that is stored in an unsigned 64-bit integer."""

DEAL = 0
"""Stream of the deal, such as shuffles and factions. It depends on the block, so all games of a block share a deal."""
CHANCE = 1
"""Stream of all chance after the deal: dice, reshuffles."""
SEATS = 2
"""First stream of the seats: seat i draws from stream SEATS + i."""
SEARCH = 14
"""Stream of redeals for a search; no game draws from it."""
LINEUP = 15
"""Stream of the line-up: who plays in a block, and where."""
STREAMS = 16

RNG_FIELDS = [
    ("rng_key", np.uint64, (2,)),
    ("rng_game", np.uint64, (STREAMS,)),
    ("rng_drawn", np.uint64, (STREAMS,)),
    ("rng_words", np.uint64, (STREAMS, 4)),
]
"""Fields of a record that draws random numbers: the key and, for each stream, its game (or block), the number of draws
made, and the last four words computed."""

MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)
WORD = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ONE = np.uint64(1)
TWO = np.uint64(2)
THREE = np.uint64(3)
ROUNDS = 10


@kernel
def philox(
    counter_0: Word, counter_1: Word, counter_2: Word, counter_3: Word, key_0: Word, key_1: Word
) -> tuple[Word, Word, Word, Word]:
    """Return the four 32-bit words (as uint64) of one counter under one key."""
    for _ in range(ROUNDS):
        product_0 = MULTIPLIER_0 * counter_0
        product_1 = MULTIPLIER_1 * counter_2
        counter_0 = (product_1 >> HALF) ^ counter_1 ^ key_0
        counter_1 = product_1 & WORD
        counter_2 = (product_0 >> HALF) ^ counter_3 ^ key_1
        counter_3 = product_0 & WORD
        key_0 = (key_0 + WEYL_0) & WORD
        key_1 = (key_1 + WEYL_1) & WORD
    return counter_0, counter_1, counter_2, counter_3


@kernel
def start_streams(g: Record, seed: Word, game: int, block: int) -> None:
    """Start all streams. The deal and the line-up depend on `block` (a group of games), other streams on `game`."""
    g.rng_key[0] = np.uint64(seed) & WORD
    g.rng_key[1] = np.uint64(seed) >> HALF
    for stream in range(STREAMS):
        g.rng_game[stream] = np.uint64(game)
        g.rng_drawn[stream] = np.uint64(0)
    g.rng_game[DEAL] = np.uint64(block)
    g.rng_game[LINEUP] = np.uint64(block)


@kernel
def stock_words(g: Record, stream: int, drawn: Word) -> None:
    """Compute four words of a stream, among them the next word after `drawn` draws, and store them in the record."""
    game = g.rng_game[stream]
    words = philox(drawn >> TWO, np.uint64(stream), game & WORD, game >> HALF, g.rng_key[0], g.rng_key[1])
    g.rng_words[stream, 0] = words[0]
    g.rng_words[stream, 1] = words[1]
    g.rng_words[stream, 2] = words[2]
    g.rng_words[stream, 3] = words[3]


@kernel
def move_to(g: Record, stream: int, drawn: Word) -> None:
    """Move a stream to its state after `drawn` draws."""
    # If `drawn` is a multiple of four, the next draw computes new words itself.
    if drawn & THREE != 0:
        stock_words(g, stream, drawn)
    g.rng_drawn[stream] = drawn


@kernel
def next_word(g: Record, stream: int) -> Word:
    """Draw the next 32-bit word (as uint64) of a stream."""
    drawn = g.rng_drawn[stream]
    place = np.int64(drawn & THREE)
    if place == 0:
        stock_words(g, stream, drawn)
    g.rng_drawn[stream] = drawn + ONE
    return g.rng_words[stream, place]


@kernel
def renew_stream(g: Record, stream: int, source: int) -> None:
    """Restart a stream as that of another game. The number of this game is drawn from the stream `source`."""
    g.rng_game[stream] = (next_word(g, source) << HALF) | next_word(g, source)
    g.rng_drawn[stream] = np.uint64(0)


@kernel
def below(g: Record, stream: int, bound: int) -> int:
    """Draw an integer from 0 to bound - 1 uniformly (Lemire, ACM TOMACS 29, 2019)."""
    size = np.uint64(bound)
    product = next_word(g, stream) * size
    if (product & WORD) < size:
        unfair = ((WORD - size) + ONE) % size
        while (product & WORD) < unfair:
            product = next_word(g, stream) * size
    return int(np.int64(product >> HALF))  # in compiled code `int` alone would leave the number unsigned


@kernel
def uniform(g: Record, stream: int) -> float:
    """Draw a number strictly between 0 and 1."""
    return (np.float64(next_word(g, stream)) + 0.5) / 4294967296.0


@kernel
def gumbel(g: Record, stream: int) -> float:
    """Draw from the standard Gumbel distribution. Added to every score, it makes the best score a softmax choice."""
    return -math.log(-math.log(uniform(g, stream)))


@kernel
def shuffle(g: Record, stream: int, items: Integers, count: int) -> None:
    """Shuffle the first `count` entries of `items` in place (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(g, stream, last + 1)
        held = items[last]
        items[last] = items[other]
        items[other] = held
