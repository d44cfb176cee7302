"""Hidden limits: reservation prices of a role, of which one is drawn for each negotiation.

Numpy is imported when it is first needed: the help of a command needs scenarios, but no numbers.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.text import plural
from negotiation_tui.runtime.validate import counted, entries, integer, number, progression, refusal

if TYPE_CHECKING:
    from negotiation_tui.runtime.arrays import Floats, Ints32

MAX_LIMITS = 100  # the most limits of a role
MAX_AMOUNT = 10**9  # no price and no limit is beyond ± this


def amount(name: str, value: object) -> int:
    return integer(name, value, -MAX_AMOUNT, MAX_AMOUNT)


def parse_amounts(name: str, values: object, least: int, most: int, things: str) -> tuple[int, ...]:
    """Return `least` to `most` amounts of a list, an array or `{ min, max, step }`."""
    few: Sequence[object]
    if isinstance(values, Mapping):
        few = values = progression(name, values, MAX_AMOUNT)
    else:  # one too many is enough for an error, and a hundred million would be slow
        few = entries(name, values, most, "a list of whole numbers or { min = 0, max = 4 }")
    if not least <= len(few) <= most:
        got = counted(values, few)
        raise BadInputError(f"{name}: expected {least} to {most:,} {things}, got {got}")
    return tuple([integer(name, each, -MAX_AMOUNT, MAX_AMOUNT) for each in few])


@dataclass(frozen=True)
class Limits:
    """The limits of a role in increasing order, and the weight of each."""

    values: tuple[int, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, name: str, values: object, weights: object = None) -> "Limits":
        """Return the limits of a list or `{ min, max, step }`; without weights all weigh 1.

        `name` is that of the role, for errors. Raises BadInputError if the values are no integers
        or not different from each other, or the weights do not fit or sum to nothing.
        """
        found = parse_amounts(f"{name}.limits", values, 1, MAX_LIMITS, "limits")
        if len(set(found)) < len(found):
            raise refusal(f"{name}.limits", values, "limits that differ from each other")
        weighted = zip(found, _weights(f"{name}.weights", weights, len(found)), strict=True)
        return cls(*zip(*sorted(weighted), strict=True))

    @cached_property
    def chances(self) -> "Floats":
        """The probability of each limit; they sum to 1."""
        import numpy as np

        weights = np.array(self.weights, np.float64)
        chances: Floats = weights / weights.sum()
        return chances

    @cached_property
    def equally_likely(self) -> bool:
        return len(set(self.weights)) == 1

    def drawn(self, uniform: "Floats") -> "Ints32":
        """Return the index of the limit that each uniform random number in [0, 1) draws."""
        if self.equally_likely:
            return (uniform * len(self.values)).astype("int32")
        sums = self.chances.cumsum()
        sums[self.chances.nonzero()[0][-1] :] = 1.0
        return sums.searchsorted(uniform, side="right").astype("int32")


KNOWN_LIMIT = Limits((0,), (1.0,))  # one limit, in place of those of a role without hidden ones


def _weights(name: str, weights: object, n: int) -> tuple[float, ...]:
    if weights is None:
        return (1,) * n
    expected = f"{plural(n, 'number')}, one per limit"
    few = entries(name, weights, MAX_LIMITS, f"a list of {expected}")
    found = tuple(number(name, each, 0, MAX_AMOUNT) for each in few)
    if len(found) != n:
        raise BadInputError(f"{name}: expected {expected}, got {counted(weights, few)}")
    if not sum(found) > 0:
        raise refusal(name, list(found), "at least one number above 0")
    return found


class LimitStream:
    """The limits that are drawn for the negotiations of one seed, asked for in any order."""

    def __init__(self, limits: Sequence[Limits | None], seed: int) -> None:
        import numpy as np

        self._limits = limits
        self._key = np.random.SeedSequence(seed, spawn_key=(5,)).generate_state(2, np.uint64)

    def pairs(self, start: int, stop: int) -> "Ints32":
        """The indices of both limits in the negotiations `start … stop - 1`, shape (n, 2)."""
        import numpy as np

        # Philox draws four numbers per step of its counter, two negotiations.
        philox = np.random.Philox(key=self._key)
        philox.advance(start // 2)
        uniform = np.random.Generator(philox).random((stop - start + start % 2, 2))[start % 2 :]
        return drawn_pairs(self._limits, uniform)


def drawn_pairs(limits: Sequence[Limits | None], uniform: "Floats") -> "Ints32":
    """Return the indices of both limits that uniform random numbers draw, of shape (n, 2)."""
    import numpy as np

    pairs = np.zeros(uniform.shape, np.int32)
    if all(each is None or each.equally_likely for each in limits):  # as `drawn`, in one pass
        sizes = [0.0 if each is None else len(each.values) for each in limits]
        return np.multiply(uniform, sizes, out=pairs, casting="unsafe")
    for role, each in enumerate(limits):
        if each is not None:
            pairs[:, role] = each.drawn(uniform[:, role])
    return pairs
