"""The role that is harder for a player, such as a language model.

The game is a mirror: price p for one role is 5 − p for the other. So are the opponents; `midpoint`
is left out, because it rounds down in both roles. The best replies of both roles then earn the
same, and a difference of regret is a difference of reward.
"""

from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.examine import examine
from negotiation_tui.examination.marks import Regret
from negotiation_tui.experiments.claims.claim import Claim, ClaimAnswer, Verdict
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.solvers.subgame_perfect import EQUAL

MIRROR = Scenario.from_dict({"name": "mirror", "prices": {"min": 0, "max": 5}, "rounds": 5})
MIRRORED = tuple(name for name in OPPONENTS if name != "midpoint")
HOW = "reproduce buyers-role --player 'cmd:PROGRAM'"


def mean_regret(regrets: tuple[Regret, ...]) -> Estimate:
    """Return the mean regret; errors are added, because all come from the same answers."""
    each = [found.regret for found in regrets]
    errors = [found.error for found in each]
    return Estimate(sum(found.mean for found in each) / len(each), sum(errors) / len(each))


def settle() -> ClaimAnswer:
    lacking = f"It takes a player, such as a language model: {HOW} (docs/programs.md)."
    return ClaimAnswer("not computed", Verdict.UNKNOWN, lacking, {})


def try_player(player: str) -> ClaimAnswer:
    marks = examine(player, MIRROR, against=MIRRORED).marks
    for each in marks:
        if len(each.regrets) < len(MIRRORED):
            why = f"As the {each.role}: {each.unknown}."
            return ClaimAnswer("not computed", Verdict.UNKNOWN, why, {})
    regrets = tuple(mean_regret(each.regrets) for each in marks)
    more = regrets[1].minus(regrets[0])
    verdict = Verdict.UNKNOWN
    if more.mean - more.error > EQUAL:
        verdict = Verdict.AGREES
    elif more.mean + more.error < EQUAL:
        verdict = Verdict.DIFFERS
    error = f" ± {more.error:.3f}" if more.error else ", exact"
    return ClaimAnswer(
        f"Its reward as the seller less that as the buyer: {round(more.mean, 3) + 0:+.3f}{error}",
        verdict,
        "Game and opponents are the same for both roles, only mirrored. The reward is a share of"
        " the surplus, a mean over five opponents. The verdict is about this player alone.",
        {"regret_seller": regrets[0].mean, "regret_buyer": regrets[1].mean}
        | {"buyer_less_seller": more.mean, "error": more.error},
    )


CLAIM = Claim(
    "buyers-role",
    "Xia et al. 2024, arXiv 2402.15813",
    "For language models, playing a buyer is much harder than playing a seller.",
    settle,
    try_player,
)
