"""How fast a market goes: from one offer a second in every pair up to flat out."""

from negotiation_tui.tui.negotiation import pace
from negotiation_tui.tui.negotiation.pace import SAMPLE
from negotiation_tui.tui.toolkit.pace import Pace

PACES = (
    *(step for step in pace.PACES if step.seen),
    *(Pace(f"{n}t", f"{n:,} ticks/s", SAMPLE, False, float(n)) for n in (10, 100, 1000)),
    pace.PACES[-1],
)
NAMES = tuple(step.name for step in PACES)
DEFAULT = NAMES.index("4")
