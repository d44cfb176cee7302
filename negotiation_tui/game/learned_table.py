"""Tables of learned values as they are kept: a large one with few entries takes little memory."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.tabular_policy import Floats

LARGE = 1 << 17  # entries from which on a table may be sparse


@dataclass(frozen=True, eq=False)
class SparseTable:
    """A table as its entries whose bits are not 0; indexed by rows, or by row and column."""

    shape: tuple[int, int]
    at: NDArray[np.int32]  # the ascending indices of the entries in the flat table
    entries: Floats

    @property
    def nbytes(self) -> int:
        return self.at.nbytes + self.entries.nbytes

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self[key[0]][key[1]]
        rows, width = np.arange(len(self))[key], self.shape[1]
        first = int(rows if rows.ndim == 0 else rows[0] if len(rows) else 0)
        begin, end = np.searchsorted(self.at, (first * width, (first + rows.size) * width))
        table = np.zeros((*rows.shape, width))
        table.reshape(-1)[self.at[begin:end] - first * width] = self.entries[begin:end]
        return table


LearnedTable = Floats | SparseTable


def packed(table: Floats) -> LearnedTable:
    """Return a read-only copy of a table; it is sparse if the table is large and nearly empty."""
    flat = table.reshape(-1)
    if table.size >= LARGE:
        at = np.flatnonzero(flat.view(np.int64)).astype(np.int32)  # -0.0 is an entry
        if 16 * len(at) < table.size:
            return SparseTable((len(table), table.shape[1]), at, flat[at])
    copy = table.copy()
    copy.flags.writeable = False
    return copy
