"""The number of episodes per cycle, and the original's problem: who is trained first wins.

Its test does not empty the wallets first. They hold what the last cycle left, which grows with the
episodes of a cycle, and so does the difference that the original wonders at.
"""

from functools import cache

from negotiation_tui.experiments.claims.claim import RUNS, Claim, ClaimAnswer, no_change, swept
from negotiation_tui.runtime.estimate import Estimate

_EPISODES = "25", "100", "400"
_COLUMNS = ("as_published_seller_wallet", "last_cycle_seller_wallet", "corrected_seller_wallet")


@cache
def settle(runs: int) -> ClaimAnswer:
    grid = {"episodes": _EPISODES, "train_agent": ("seller", "buyer")}
    found = swept(grid, runs, *_COLUMNS).reshape(len(_EPISODES), 2, -1, len(_COLUMNS))
    less = found[:, 0] - found[:, 1]  # seller first less buyer first
    published, left, corrected = ([*map(Estimate.of, each)] for each in less.transpose(2, 0, 1))
    change, by_left = (Estimate.of(each[-1] - each[0]) for each in less.transpose(2, 0, 1)[:2])
    texts = [", ".join(map(str, each)) for each in (published, left, corrected)]
    return ClaimAnswer(
        f"The seller's wallet, seller first less buyer first, with {', '.join(_EPISODES)} episodes:"
        f" {texts[0]}; left over from the last cycle {texts[1]}; by the corrected test {texts[2]}",
        no_change(change),
        f"From {_EPISODES[0]} to {_EPISODES[-1]} episodes the difference changes by {change}. The"
        f" published test counts what the last cycle left in the wallet: that alone is {by_left}.",
        {
            f"{name}_{episodes}": each.mean
            for name, row in zip(_COLUMNS, (published, left, corrected), strict=True)
            for episodes, each in zip(_EPISODES, row, strict=True)
        }
        | {"change": change.mean, "error": change.error},
    )


CLAIM = Claim(
    "episodes",
    "the original",
    "The number of episodes per cycle does not change the problem: the first trained agent wins.",
    settle,
    seeds=RUNS,
)
