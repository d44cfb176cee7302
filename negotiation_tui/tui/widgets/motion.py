"""Times of a price bar: how long a marker slides, a deal flashes and an end stays. Pure."""

FLASH_SECONDS = 0.9
FLASHES_PER_SECOND = 5


def slid(elapsed: float, turn_seconds: float) -> float:
    """Return the share of its way that a marker has slid since the offer, 0 to 1."""
    return min(1.0, elapsed / min(0.25, 0.6 * turn_seconds))


def flashes(elapsed: float) -> bool:
    """True while a deal is in its other colours."""
    return elapsed < FLASH_SECONDS and int(elapsed * FLASHES_PER_SECOND) % 2 == 1


def rest(turn_seconds: float) -> float:
    """Return the seconds for which the end of a negotiation stays."""
    return min(1.5, max(0.25, 1.5 * turn_seconds))
