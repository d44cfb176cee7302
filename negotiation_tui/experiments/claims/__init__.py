"""Claims of the literature that this program settles, one module per claim."""

from negotiation_tui.experiments.claims import (
    alternating_offers,
    buyers_role,
    ceiling,
    delay,
    one_offer,
)

_MODULES = ceiling, one_offer, delay, alternating_offers, buyers_role
CLAIMS = {each.CLAIM.name: each.CLAIM for each in _MODULES}
