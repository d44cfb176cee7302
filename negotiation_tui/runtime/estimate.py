"""Means and rates over independent runs, with their confidence intervals."""

import math

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.runtime.records import sealed

NORMAL_95 = 1.959964
NORMAL_80 = 0.841621  # quantile of the normal distribution that 80% lie below


def student_95(freedom: int) -> float:
    """Return Student's 97.5% quantile, to 0.01 from 4 on (Abramowitz and Stegun 1964, 26.7.5)."""
    z, n = NORMAL_95, freedom
    terms = (
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4),
    )
    return z + math.fsum(terms)


@sealed(frozen=True, slots=True)
class Estimate:
    """A mean over independent runs with its 95% confidence interval."""

    mean: float
    error: float  # half the width of the interval

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Estimate":
        """Estimate the mean from one value per run; of one run the interval has no ends."""
        if len(values) == 1:
            return cls(float(values[0]), math.inf)
        error = student_95(len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
        return cls(float(values.mean()), float(error))

    def minus(self, other: "Estimate") -> "Estimate":
        return Estimate(self.mean - other.mean, float(np.hypot(self.error, other.error)))

    @property
    def detectable(self) -> float:
        """The smallest true value that 80% of such experiments would tell from 0."""
        return self.error * (1 + NORMAL_80 / NORMAL_95)

    def __str__(self) -> str:
        return f"{self.mean:,.0f} ± {self.error:,.0f}"


def with_error(estimate: Estimate | None, form: str) -> str:
    """Return a mean with half the width of its interval; a dash if it is not known."""
    if estimate is None:
        return "–"
    error = f" ± {estimate.error:{form}}" if math.isfinite(estimate.error) else ""
    return f"{estimate.mean:{form}}{error}"


@sealed(frozen=True, slots=True)
class Rate:
    """The number of runs that succeed, of `runs` independent ones."""

    successes: int
    runs: int

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95% interval of the probability of a success (Wilson 1927)."""
        k, n, squared = self.successes, self.runs, NORMAL_95**2
        middle = (k + squared / 2) / (n + squared)
        half = NORMAL_95 * math.sqrt(k * (n - k) / n + squared / 4) / (n + squared)
        return middle - half, middle + half

    def __str__(self) -> str:
        counts = f"{self.successes} of {self.runs}"
        if not self.runs:
            return counts
        low, high = (f"{100 * bound:.0f}" for bound in self.bounds)
        if self.successes == self.runs:
            return f"{counts}: at least {low}%"
        return f"{counts}: {f'{low} to' if self.successes else 'at most'} {high}%"
