"""Claims of the literature that this program settles, one module per claim."""

from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.claims import (
    alternating_offers,
    buyers_role,
    ceiling,
    delay,
    episodes,
    one_offer,
    stability,
)
from negotiation_tui.experiments.settings import EVERY
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.validate import one_of

_MODULES = ceiling, one_offer, delay, alternating_offers, episodes, stability, buyers_role
CLAIMS = {each.CLAIM.name: each.CLAIM for each in _MODULES}


def settle_claims(
    name: str, player: str | None = None, runs: int | None = None, answers: bool = True
) -> list[ResultRow]:
    """Return a row per claim of this name, or of `all`; without `answers` it is not settled.

    A claim about players is settled for `player`, one about trainings by some `runs`. Raises
    BadInputError if there is no claim of this name, or none that a player or runs can settle.
    """
    names = list(CLAIMS) if name == EVERY else [one_of("claim", name, (*CLAIMS, EVERY))]
    chosen = [CLAIMS[each] for each in names]
    if player is not None and not any(each.try_player for each in chosen):
        raise BadInputError(f"player: {name} is no claim about players; see --list")
    if runs is not None and not any(each.seeds for each in chosen):
        raise BadInputError(f"runs: {name} is no claim about trainings; leave it out")
    return [each.to_dict(each.answer(player, runs) if answers else None) for each in chosen]
