"""Alternating offers without a deadline, which are another game than ours.

With Rubinstein each refusal costs both sides a period. Here γ acts between a player's own
decisions. A responder that refuses and is then accepted has decided once, so refusing is free. In
the last round the opener can ask for all, because the responder can only take or leave. So before
that it refuses less than all, at no cost, and the responder can gain nothing by any counteroffer.
"""

from negotiation_tui.experiments.claims.claim import Claim, ClaimAnswer, Verdict
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.subgame_perfect import solve

RATES = 0.0, 0.5, 0.9, 0.99


def opener_shares(rate: float, opener: Role) -> list[float]:
    """Return the opener's share of the surplus with 1, 5 and 50 rounds, to the hundredth."""
    prices = {"min": 0, "max": 100}
    games = (Scenario.from_dict({"prices": prices, "rounds": rounds}) for rounds in (1, 5, 50))
    return [solve(game, opener, rate).values[opener] for game in games]


def settle() -> ClaimAnswer:
    found = {rate: min(min(opener_shares(rate, opener)) for opener in Role) for rate in RATES}
    ours = ", ".join(f"{share:.2f} ({1 / (1 + rate):.2f})" for rate, share in found.items())
    rates = ", ".join(f"{rate:g}" for rate in RATES)
    return ClaimAnswer(
        f"At γ = {rates} the opener gets {ours}, exact; in brackets the published share",
        Verdict.UNKNOWN,
        "This is another game. A deadline gives the opener the last offer, and γ acts between a"
        " player's own decisions, so that a counteroffer costs its maker nothing. The opener"
        " takes all with 1, 5 and 50 rounds, and all but one price if an indifferent player"
        " refuses.",
        {f"opener_at_{rate:g}": share for rate, share in found.items()},
    )


CLAIM = Claim(
    "alternating-offers",
    "Rubinstein 1982",
    "If both discount by δ per offer and there is no deadline, the opener gets 1/(1 + δ).",
    settle,
)
