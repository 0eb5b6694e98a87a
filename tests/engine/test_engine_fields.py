"""Records that Python reads quickly are NumPy's records in all they do."""

import pickle
from typing import Any

import numpy as np
import pytest

from sim.compiler.kernel import FieldRecord, kernel

FIELDS = [("coins", np.int64), ("hand", np.int32, (5,)), ("data", np.int64)]


def records_of(kind: type) -> Any:
    """Two records with a number, an array, a record within and a field that has the name of an attribute."""
    dtype = np.dtype((kind, [*FIELDS, ("log", np.dtype((kind, FIELDS)))]))
    records: Any = np.zeros(2, dtype)
    records["coins"], records["hand"], records["data"] = [3, 4], np.arange(10).reshape(2, 5), [8, 9]
    records["log"]["coins"] = [5, 6]
    return records


@kernel
def spend(g: Any) -> int:
    g.coins -= 1
    g.log.hand[2] = 7
    return int(g.hand.sum() + g.log.coins)


def test_fields_are_what_numpy_says_they_are() -> None:
    for one, other in zip(records_of(FieldRecord), records_of(np.record), strict=True):
        assert (one.coins, one.log.coins, one["data"]) == (other.coins, other.log.coins, other["data"])
        assert (one.hand == other.hand).all()
        assert (type(one.coins), type(one.hand)) == (type(other.coins), type(other.hand))
        assert type(one.log) is FieldRecord
        assert (one.dtype.names, one.tobytes()) == (other.dtype.names, other.tobytes())
        assert bytes(one.data) == bytes(other.data)


def test_what_is_read_is_a_view_and_can_be_written() -> None:
    records = records_of(FieldRecord)
    records[1].coins = 12
    records[0].hand = 2
    records[1].hand[0] = 34
    records[1].log.hand[3] = 56
    assert records["hand"][0].tolist() == [2] * 5
    assert (records["coins"][1], records["hand"][1, 0], records["log"]["hand"][1, 3]) == (12, 34, 56)


def test_kernels_take_them() -> None:
    one, other = records_of(FieldRecord)[1], records_of(np.record)[1]
    assert spend(one) == spend(other) == 41
    assert one.tobytes() == other.tobytes()


def test_a_field_there_is_not_is_an_attribute_there_is_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'coin'"):
        _ = records_of(FieldRecord)[0].coin
    with pytest.raises(AttributeError, match="no attribute 'coin'"):
        records_of(FieldRecord)[0].coin = 3
    with pytest.raises(ValueError, match="broadcast"):
        records_of(FieldRecord)[0].hand = [1, 2]


def test_they_travel_between_processes() -> None:
    records = records_of(FieldRecord)
    again = pickle.loads(pickle.dumps(records))
    assert again.tobytes() == records.tobytes()
    assert type(again[0]) is FieldRecord
