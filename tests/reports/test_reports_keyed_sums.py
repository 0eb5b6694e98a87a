"""Sums by combinations of keys, against Polars' own grouping."""

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from reports.data.games import KeyedSums

KEYS = {"score": 0, "seat": 5, "faction": 300}


def batch(seed: int, rows: int, spread: int) -> pl.DataFrame:
    """Random rows: any whole number as a score, and a value to sum."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame({
        "score": rng.integers(-spread, spread + 1, rows), "seat": rng.integers(0, 5, rows).astype(np.uint8),
        "faction": rng.integers(0, 300, rows).astype(np.uint16), "value": rng.integers(-9, 10, rows),
    })  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 3000), st.sampled_from([0, 3, 10**9])), max_size=4))
def test_sums_are_those_of_grouped_rows(batches: list[tuple[int, int, int]]) -> None:
    sums, frames = KeyedSums(KEYS, ["value"]), [batch(0, 0, 1)]
    for drawn in batches:
        frames.append(batch(*drawn))
        columns = {name: frames[-1][name].to_numpy() for name in frames[-1].columns}
        sums.add({name: columns[name] for name in KEYS}, {"value": columns["value"]})
    whole = pl.concat(frames).cast(pl.Int64)
    expected = whole.group_by(list(KEYS)).agg(pl.col("value").sum().cast(pl.Float64)).sort(list(KEYS))
    assert sums.frame().equals(expected)
