"""The most that a rule of trade reaches if both limits are hidden, on three conditions.

It is incentive compatible: no limit gains by naming another one. It is individually rational: each
limit gains at least 0. And no money comes from outside.

Myerson and Satterthwaite let limits be uniform on [0, 1]. First best is then 1/6, and the best rule
trades if v − c ≥ 1/4: 9/64, which is 27/32 of it. With n equally likely limits per role the best
rule is a linear program. Coarse limits hide less, so its share is higher, and falls to 27/32.
"""

from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.claims.claim import Claim, ClaimAnswer, Verdict, continuum, uniform
from negotiation_tui.solvers import payoffs


def uniform_share(n: int) -> float:
    """Return the ceiling as a share of first best, with n limits per role."""
    return payoffs.ceiling(uniform(n)) / payoffs.first_best(uniform(n))


def settle() -> ClaimAnswer:
    try:
        found = {n: uniform_share(n) for n in (11, 25, 50)}
    except BadInputError as error:  # scipy is not installed
        return ClaimAnswer("not computed", Verdict.UNKNOWN, str(error), {})
    fine, verdict = continuum(uniform_share, 27 / 32)
    ours = ", ".join(f"{each:.4f} with {n}" for n, each in found.items())
    return ClaimAnswer(
        f"{ours} limits per side, exact; so {fine:.4f} without gaps",
        verdict,
        "With 11 limits good deals must be lost too, 1/11 of first best. Coarse limits leave less"
        " to hide, so their share is higher; with finer ones it falls to the published share.",
        {f"limits_{n}": each for n, each in found.items()} | {"continuum": fine},
    )


CLAIM = Claim(
    "ceiling",
    "Myerson and Satterthwaite 1983",
    "If both limits are hidden and uniform on [0, 1], no rule of trade that is incentive compatible"
    " and individually rational, without outside money, reaches more than 27/32 = 0.8438 of first"
    " best.",
    settle,
)
