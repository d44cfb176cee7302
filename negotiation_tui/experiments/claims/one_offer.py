"""One offer, which the other side takes or leaves: the double auction with k = 0 or k = 1.

A seller with cost c asks the price p that maximises (p − c)·(1 − p), which is (1 + c)/2. Trade then
happens if v ≥ (1 + c)/2. That is 1/8 of gains from trade on [0, 1], of 1/6 in first best.
In one round the last decision is to take or to leave, and any limit takes what it may. So the best
response to that is an equilibrium. Some limits have two best offers, hence a range.
"""

from negotiation_tui.experiments.claims.claim import Claim, ClaimAnswer, continuum, uniform
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import START
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.runtime.text import between
from negotiation_tui.solvers.best_response import NashConv, best_response, nash_conv
from negotiation_tui.strategies.registry import strategy


def extremes(n: int, opener: Role) -> list[NashConv]:
    """Return NashConv of the equilibria with the least and with the greatest efficiency.

    There are n limits per role, and each makes the first, or the last, of its best offers.
    """
    game = uniform(n, Opener.of(str(opener)))
    taker = strategy("hardliner").tabulated(game, opener.other)
    assert taker is not None
    response, found = best_response(game, opener, taker), []
    for at in (0, -1):
        dense = untrained_policy(game, opener).probabilities.copy()
        for limit, view in enumerate(game.views[opener]):
            row = limit * game.n_states + START
            dense[row] = 0
            dense[row, response.best(Position(view, opener, opened=True))[at]] = 1
        maker = TabularPolicy.of_probabilities(game, opener, dense)
        seller, buyer = (maker, taker) if opener is Role.SELLER else (taker, maker)
        found.append(nash_conv(game, seller, buyer))
    return sorted(found, key=share_reached)


def share_reached(found: NashConv) -> float:
    assert found.play is not None
    return found.play.efficiency or 0.0


def middle(n: int) -> float:
    """Return the middle between the least and the greatest efficiency."""
    return sum(map(share_reached, extremes(n, Role.SELLER))) / 2


def settle() -> ClaimAnswer:
    parts, figures = [], dict[str, float]()
    for opener in Role:
        least, most = map(share_reached, extremes(11, opener))
        parts.append(f"{between(least, most, 3)} if the {opener} offers")
        figures |= {f"{opener}_offers_least": least, f"{opener}_offers_most": most}
    fine, verdict = continuum(middle, 3 / 4)
    return ClaimAnswer(
        f"With 11 limits per side {', '.join(parts)}, exact; {fine:.4f} without gaps",
        verdict,
        "One round with hidden limits is this auction, and NashConv is 0. A range, because every"
        " second limit has two best offers; it closes with finer limits. An indifferent side"
        " accepts.",
        figures | {"continuum": fine},
    )


CLAIM = Claim(
    "one-offer",
    "Chatterjee and Samuelson 1983, k = 0 and k = 1",
    "If one side names the price, it asks for (1 + c)/2, or offers v/2, with limits uniform on"
    " [0, 1]: 3/4 of first best is reached.",
    settle,
)
