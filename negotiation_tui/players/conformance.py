"""Whether a strategy keeps what the rest relies on: each check in words, and how to mend it.

It is asked in positions of many scenarios, after offers drawn from a seed. Nothing is played, so
that a strategy that breaks one rule can still be checked for the others.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import PriceRange
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.negmas_player import NegmasPlayer
from negotiation_tui.players.probes import (
    Answer,
    answer,
    asker,
    digest,
    fingerprint,
    held_in,
    positions,
    told,
    where,
)
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.players.user_strategy import UserStrategy
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.strategies.base import Strategy

SCENARIOS = (
    Scenario.original(),
    Scenario.legacy(),
    Scenario.fine(),
    Scenario.from_dict({"name": "tiny", "prices": 2, "rounds": 1}),
    Scenario("no-zopa", (1, 2, 3, 4, 5), 4, PriceRange(4, 5), PriceRange(1, 2)),
    Scenario("gaps", (1, 2, 4, 8, 16, 17), 5, PriceRange(2, 17), PriceRange(1, 9)),
)
"""A grid with gaps, one without a zone of agreement, one with a single round, and the presets."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold."""

    name: str
    broken: str = ""
    """What was seen instead, and how to mend it; nothing where it holds."""


def check_strategy(
    words: str, scenarios: Sequence[Scenario] = (), seed: int = 0
) -> Iterator[Check]:
    """Every check in turn, in these scenarios, or in ours where none is given.

    Raises BadInputError where the words seat nobody, or a saved table of another scenario.
    """
    held = held_in(words)
    rule = held.within if isinstance(held, UserStrategy) else held
    if not scenarios:
        scenarios = (held.tables.scenario,) if isinstance(held, SavedTable) else SCENARIOS
    asked, ask = positions(scenarios, seed), asker(rule)
    first = [answer(rule, ask, position) for position in asked]
    said = list(zip(asked, first, strict=True))
    yield Check("says its name, a summary and its source", _nameless(rule))
    yield Check("answers in every position", _first(said, _failed))
    yield Check("always has a choice", _first(said, _none))
    yield Check("chooses actions that there are", _first(said, _unknown))
    yield Check("opens with an offer", _first(said, _opening))
    yield Check("only accepts or rejects at the last decision", _first(said, _closing))
    yield Check("keeps to the prices of its own range", _first(said, _outside))
    yield Check("keeps nothing from one position to the next", _memory(rule, asked, first))
    yield Check("depends on no more than it says", _heeds(rule, said))
    yield Check("leaves it to others to draw from its choices", _acts(rule))
    yield Check("plays the same as a copy", _copied(rule, asked, first))
    yield Check("plays the same in another process", _elsewhere(words, scenarios, seed, first))


def _nameless(rule: Strategy) -> str:
    for name in ("name", "summary", "source"):
        said = getattr(rule, name, None)
        if not isinstance(said, str) or not said.strip():
            return f'there is no {name}: write {name} = "…" in the class'
    return ""


def _first(said: list[tuple[Position, Answer]], wrong: Callable[[Position, Answer], str]) -> str:
    found = ((position, wrong(position, chosen)) for position, chosen in said)
    return next((f"{where(position)}: {what}" for position, what in found if what), "")


def _failed(_position: Position, said: Answer) -> str:
    return f"{said}: mend that line" if isinstance(said, str) else ""


def _none(_position: Position, said: Answer) -> str:
    return "" if said else "no action: return at least one"


def _actions(said: Answer) -> tuple[int, ...]:
    return () if isinstance(said, str) else said


def _unknown(position: Position, said: Answer) -> str:
    n = position.scenario.n_actions
    wrong = [action for action in _actions(said) if not 0 <= action < n]
    use = f"use indices of scenario.prices, scenario.accept or scenario.reject, 0 to {n - 1}"
    return f"action {wrong[0]}: {use}" if wrong else ""


def _opening(position: Position, said: Answer) -> str:
    closing = {position.scenario.accept, position.scenario.walk_away}
    if position.standing_offer is not None or closing.isdisjoint(_actions(said)):
        return ""
    return "accepts or rejects before any offer: offer a price where position.on_table is None"


def _closing(position: Position, said: Answer) -> str:
    offers = range(position.scenario.accept)
    if not position.last_decision or not any(action in offers for action in _actions(said)):
        return ""
    return "offers where nobody can answer: accept or reject where position.last_decision"


def _outside(position: Position, said: Answer) -> str:
    scenario, role = position.scenario, position.role
    held = scenario.acceptable_range(role)
    limits = f"its range is {held.minimum} to {held.maximum}"
    for action in _actions(said):
        if 0 <= action < scenario.accept and action not in scenario.offers(role):
            return f"offers {scenario.prices[action]}, {limits}: use scenario.offers(position.role)"
        price = position.standing_offer
        if action == scenario.accept and price is not None and price not in held:
            return f"accepts {price}, {limits}: look at scenario.range_of(role) first"
    return ""


def _compare(asked: Sequence[Position], first: Sequence[Answer], then: Sequence[Answer]) -> str:
    """Where two series of answers differ, nothing where they do not."""
    for position, one, other in zip(asked, first, then, strict=True):
        if one != other:
            return f"{where(position)}: first {told(position, one)}, then {told(position, other)}"
    return ""


def _memory(rule: Strategy, asked: list[Position], first: list[Answer]) -> str:
    ask = asker(rule)
    then = [answer(rule, ask, position) for position in reversed(asked)][::-1]
    seen = _compare(asked, first, then)
    mend = "compute it from the position alone, and draw nothing: name every choice instead"
    return f"{seen}: {mend}" if seen else ""


def _heeds(rule: Strategy, said: list[tuple[Position, Answer]]) -> str:
    """The same positions with what it does not heed changed."""
    ask, depends_on = asker(rule), rule.depends_on
    for position, chosen in said:
        for word, other in _others(position, depends_on):
            now = answer(rule, ask, other)
            if now != chosen:
                seen = f"{told(position, chosen)} becomes {told(position, now)}"
                return f"{where(position)}: {seen} with another {word}: add '{word}' to depends_on"
    return ""


def _others(position: Position, depends_on: frozenset[Any]) -> Iterator[tuple[str, Position]]:
    scenario = position.scenario
    if position.standing_offer is None or "history" in depends_on:
        return
    bare = replace(position, offers=())
    yield "history", bare
    if "own" not in depends_on:
        ends = scenario.offers(position.role)
        for own in (None, scenario.prices[ends[0]], scenario.prices[ends[-1]]):
            yield "own", replace(bare, own_last_offer=own)
    if position.last_decision:
        return
    if "opener" not in depends_on:
        yield "opener", replace(bare, opened=not position.opened)
    if "time" not in depends_on:
        for time in {0, scenario.rounds - 2} - {-1}:
            yield "time", replace(bare, time=time)


def _acts(rule: Strategy) -> str:
    if type(rule).act in {Strategy.act, NegmasPlayer.act}:
        return ""
    return "act is never asked: leave it out, and name in choices all that it may do"


def _copied(rule: Strategy, asked: list[Position], first: list[Answer]) -> str:
    try:
        copies = copy.deepcopy(rule), replace(rule)
    except Exception as error:
        return f"it cannot be copied, {type(error).__name__}: {error}: hold only plain settings"
    for other in copies:
        ask = asker(other)
        seen = _compare(asked, first, [answer(rule, ask, position) for position in asked])
        if seen:
            return f"{seen}: keep every setting in a field of the dataclass"
    return ""


def _elsewhere(words: str, scenarios: Sequence[Scenario], seed: int, first: list[Answer]) -> str:
    """Asked anew in this process and in two others."""
    job = words, tuple(scenarios), seed
    found = [fingerprint(job), *(found for _, found in run_jobs(fingerprint, [job, job], 2))]
    if all(print_ == digest(first) for print_ in found):
        return ""
    return "it chooses otherwise: use no random, no clock, no order of a set; only the position"
