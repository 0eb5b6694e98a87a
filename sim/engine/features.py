"""Describes a seat for a judge: lists the features that are not zero, each with its index and its value.

Counted features come first. They are added up in place, and `drop_zeros` closes the gaps. `add_feature` then appends
the features that are either present or absent, such as cards.
"""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import kernel


@kernel
def blank_counts(index: Any, value: Any, counts: int) -> None:
    """Start all counts at zero, with feature f at index f."""
    for feature in range(counts):
        index[feature] = feature
        value[feature] = 0


@kernel
def drop_zeros(index: Any, value: Any, counts: int) -> int:
    """Keep the counts that are not zero, in their order; return their number."""
    kept = 0
    for place in range(counts):
        if value[place] != 0:
            index[kept] = index[place]
            value[kept] = value[place]
            kept += 1
    return kept


@kernel
def add_feature(index: Any, value: Any, count: int, feature: int) -> int:
    """Add a feature of value 1, if there is room; return the number of features."""
    if count >= index.shape[0]:
        return count
    index[count] = feature
    value[count] = 1
    return count + 1


@kernel
def count_feature(index: Any, value: Any, first: int, count: int, feature: int) -> int:
    """Add 1 to a feature; append it if it is not listed at index `first` or later. Return the number of features."""
    for place in range(first, count):
        if index[place] == feature:
            value[place] += 1
            return count
    return add_feature(index, value, count, feature)
