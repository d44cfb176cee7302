"""The number of cycles after which the original's agents are stable.

What is seen of them from outside, the wallet of a cycle, soon stays. What both could still gain by
better tables goes on falling.
"""

from functools import cache

from negotiation_tui.experiments.claims.claim import RUNS, Claim, ClaimAnswer, no_change, swept
from negotiation_tui.runtime.estimate import Estimate, with_error

CYCLES = "10", "20", "50"


@cache
def settle(runs: int) -> ClaimAnswer:
    columns = "nash_conv", "last_cycle_seller_wallet"
    found = swept({"cycles": CYCLES}, runs, *columns).transpose(2, 0, 1)
    distances, wallets = ([*map(Estimate.of, each)] for each in found)
    change, in_wallet = (Estimate.of(each[-1] - each[0]) for each in found)
    texts = [with_error(each, ".3f") for each in (*distances, change)]
    return ClaimAnswer(
        f"After {', '.join(CYCLES)} cycles NashConv is {', '.join(texts[:-1])}, and the last cycle"
        f" left {', '.join(map(str, wallets))} in the seller's wallet",
        no_change(change),
        f"From {CYCLES[0]} to {CYCLES[-1]} cycles NashConv changes by {texts[-1]}: the tables go on"
        f" learning. The wallet of a cycle changes by {in_wallet}.",
        {f"nash_conv_{n}": each.mean for n, each in zip(CYCLES, distances, strict=True)}
        | {f"wallet_{n}": each.mean for n, each in zip(CYCLES, wallets, strict=True)}
        | {"change": change.mean, "error": change.error},
    )


CLAIM = Claim(
    "stability",
    "the original",
    "The agents are stable in fewer than ten cycles.",
    settle,
    seeds=RUNS,
)
