"""Describes a seat for a learned judge (`sim.players.judge`): lists the index and value of each feature that is not 0.

First, the features that are counts are computed in a full list (`blank_counts`), and `drop_zeros` removes the zeros.
Then `add_feature` appends the features that are either present or absent, such as cards.
"""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import kernel


@kernel
def blank_counts(index: Any, value: Any, counts: int) -> None:
    """List the features 0 to `counts` - 1, feature f at index f, each with value 0."""
    for feature in range(counts):
        index[feature] = feature
        value[feature] = 0


@kernel
def drop_zeros(index: Any, value: Any, counts: int) -> int:
    """Remove features with value 0 from a list of `counts` features; return how many remain, in the same order."""
    kept = 0
    for place in range(counts):
        if value[place] != 0:
            index[kept] = index[place]
            value[kept] = value[place]
            kept += 1
    return kept


@kernel
def add_feature(index: Any, value: Any, count: int, feature: int) -> int:
    """Append a feature with value 1 to a list of `count` features, if there is room; return the new length."""
    if count >= index.shape[0]:
        return count
    index[count] = feature
    value[count] = 1
    return count + 1


@kernel
def count_feature(index: Any, value: Any, first: int, count: int, feature: int) -> int:
    """Add 1 to the value of a feature in a list of `count` features; return the new length of the list.

    The feature is looked for from index `first` on. If it is not there, it is appended with value 1.
    """
    for place in range(first, count):
        if index[place] == feature:
            value[place] += 1
            return count
    return add_feature(index, value, count, feature)
