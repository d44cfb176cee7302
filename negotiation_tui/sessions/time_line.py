"""The moments of a session that one can go to, and where it is."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeLine:
    """The whole course of a session, counted in negotiations, or in lines of a recording."""

    now: int = 0
    end: int = 0
    """The last moment that is planned."""
    stops: Sequence[int] = (0,)
    """The moments at the ends of cycles, ascending, from 0 on."""
    unit: str = "cycle"
    """The unit that a moment is named in."""
    per: int = 1
    """The length of a unit."""
    changes: tuple[tuple[int, str], ...] = ()
    """The user's changes: the moment of each, and a few words."""

    def before(self, moment: int) -> int | None:
        """Return the last stop before a moment; None if there is none."""
        n = bisect_left(self.stops, moment)
        return self.stops[n - 1] if n else None

    def after(self, moment: int) -> int | None:
        """Return the first stop after a moment; None if there is none."""
        n = bisect_right(self.stops, moment)
        return self.stops[n] if n < len(self.stops) else None

    def named(self, moment: int) -> str:
        """Return the name of a moment, such as "cycle 12"."""
        whole, rest = divmod(moment, self.per)
        return f"{self.unit} {whole:,}" + (f" + {rest:,}" if rest else "")
