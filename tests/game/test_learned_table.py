"""Tables of learned values as snapshots and states keep them."""

import numpy as np
import pytest

from negotiation_tui.game.learned_table import LARGE, SparseTable, packed


@pytest.fixture
def table() -> np.ndarray:
    rng = np.random.default_rng(0)
    table = np.where(rng.random((LARGE // 100, 103)) < 0.1, rng.normal(size=103), 0.0)
    table[7, 3], table[8] = -0.0, 0.0
    return table


def test_a_large_table_is_equal_to_the_bit_in_a_fifth_of_its_memory(table: np.ndarray) -> None:
    sparse = packed(table)
    assert isinstance(sparse, SparseTable)
    assert sparse[:].tobytes() == table.tobytes()
    assert sparse.nbytes < table.nbytes / 5


@pytest.mark.parametrize("rows", [slice(5, 9), slice(8, 9), slice(1300, None), slice(4, 4), 7])
def test_a_large_table_is_read_by_rows(table: np.ndarray, rows: slice | int) -> None:
    assert packed(table)[rows].tobytes() == table[rows].tobytes()
    assert packed(table)[6, 5] == table[6, 5]
    assert len(packed(table)) == len(table)


def test_a_small_table_is_a_copy_that_nobody_changes(table: np.ndarray) -> None:
    small = packed(table[:9])
    assert isinstance(small, np.ndarray)
    table[:] = 1.0
    assert not small[8].any()
    assert not small.flags.writeable
