"""Specs of learners: strings that select a way of learning."""

LEARNED = "learned"  # the spec of the Q-learner with the training's settings
PREFIX = f"{LEARNED}:"
"""Begins the spec of any other learner: `learned:NAME` or `learned:NAME:setting=value,…`."""
Specs = tuple[str | None, str | None]  # seller first


def learns(spec: str) -> bool:
    """True for the spec of a learner; every other spec selects a strategy."""
    return spec == LEARNED or spec.startswith(PREFIX)
