"""Tables of learned values as they are kept: a large one without the entries that are 0."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass

LARGE = 1 << 17  # entries from which on a table is sparse


@dataclass(frozen=True, eq=False)
class SparseTable:
    """A table as its entries whose bits are not 0; indexed by rows, or by row and column."""

    shape: tuple[int, int]
    used: NDArray[np.uint8]  # shape (rows, bytes): one bit per entry, 1 for those below
    begins: NDArray[np.int64]  # shape (rows + 1,): the index of each row's first entry
    entries: Floats

    @property
    def nbytes(self) -> int:
        return self.used.nbytes + self.begins.nbytes + self.entries.nbytes

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self[key[0]][key[1]]
        if not isinstance(key, slice):
            return self[int(key) : int(key) + 1][0]
        rows = range(len(self))[key]
        used = np.unpackbits(self.used[rows.start : rows.stop], axis=1, count=self.shape[1])
        table = np.zeros(used.shape)
        entries = self.entries[self.begins[rows.start] : self.begins[rows.stop]]
        table[used.view(bool)] = entries
        return table


LearnedTable = Floats | SparseTable


def packed(table: Floats) -> LearnedTable:
    """Return a read-only copy of a table, sparse if the table is large."""
    if table.size < LARGE:
        copy = table.copy()
        copy.flags.writeable = False
        return copy
    used = table.view(np.int64) != 0  # -0.0 is an entry
    begins = np.append(0, np.cumsum(np.count_nonzero(used, axis=1)))
    shape = len(table), table.shape[1]
    return SparseTable(shape, np.packbits(used, axis=1), begins, table[used])
