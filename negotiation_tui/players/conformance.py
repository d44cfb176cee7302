"""Check that a strategy honours the contract of `Strategy`. Each failed check says how to fix it.

The strategy is called in positions of several scenarios, after random offers. No negotiation is
played, so a strategy that breaks one rule can still be checked for the others.
"""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from negotiation_tui.errors import error_line
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import PriceRange
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players import probes
from negotiation_tui.players.check import Check
from negotiation_tui.players.probes import Answer, answer_text, position_text
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.strategies.base import Strategy, UserSupplied

SCENARIOS = (
    Scenario.original(),
    Scenario.legacy(),
    Scenario.fine(),
    Scenario.from_dict({"name": "tiny", "prices": 2, "rounds": 1}),
    Scenario("no-zopa", (1, 2, 3, 4, 5), 4, PriceRange(4, 5), PriceRange(1, 2)),
    Scenario("gaps", (1, 2, 4, 8, 16, 17), 5, PriceRange(2, 17), PriceRange(1, 9)),
    Scenario.with_hidden_limits(),
)
"""Presets, a single round, no zone of agreement, a grid with gaps, and hidden limits."""


def check_strategy(spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0) -> Iterator[Check]:
    """Run every check in turn, in the given scenarios, or in `SCENARIOS` if there are none.

    Raises BadInputError if the spec is wrong or names a saved table of another scenario.
    """
    rule = probes.unguarded(probes.rule_of(spec))
    if not scenarios:
        scenarios = (rule.tables.scenario,) if isinstance(rule, SavedTable) else SCENARIOS
    asked, support = probes.positions(scenarios, seed), probes.support_of(rule)
    first = [probes.answer(rule, support, position) for position in asked]
    answers = list(zip(asked, first, strict=True))
    yield Check("has a name, a summary and a source", _nameless(rule))
    yield Check("plays every position without an error", _first(answers, _failed))
    yield Check("returns at least one action", _first(answers, _none))
    yield Check("returns only actions that exist", _first(answers, _unknown))
    yield Check("opens with an offer", _first(answers, _opening))
    yield Check("accepts or walks away at the last decision", _first(answers, _closing))
    yield Check("stays inside its price range", _first(answers, _outside))
    yield Check("has no memory", _memory(rule, asked, first))
    yield Check("depends only on what depends_on names", _undeclared(rule, answers))
    yield Check("does not override act", _overrides_act(rule))
    yield Check("plays the same as a copy", _copied(rule, asked, first))
    yield Check("plays the same in another process", _elsewhere(spec, scenarios, seed, first))


def _nameless(rule: Strategy) -> str:
    for name in ("name", "summary", "source"):
        text = getattr(rule, name, None)
        if not isinstance(text, str) or not text.strip():
            return f'there is no {name}; write {name} = "…" in the class'
    return ""


def _first(answers: list[tuple[Position, Answer]], check: Callable[[Position, Answer], str]) -> str:
    """Return the first failure of a check, with its position."""
    failures = ((position, check(position, answer)) for position, answer in answers)
    return next((f"{position_text(position)}: {text}" for position, text in failures if text), "")


def _failed(_position: Position, answer: Answer) -> str:
    return f"{answer}; fix that line" if isinstance(answer, str) else ""


def _none(_position: Position, answer: Answer) -> str:
    return "" if answer else "no action; return at least one"


def _actions(answer: Answer) -> tuple[int, ...]:
    return () if isinstance(answer, str) else answer


def _unknown(position: Position, answer: Answer) -> str:
    n = position.scenario.n_actions
    wrong = [action for action in _actions(answer) if not 0 <= action < n]
    use = f"use indices of scenario.prices, scenario.accept or scenario.walk_away, 0 to {n - 1}"
    return f"action {wrong[0]}; {use}" if wrong else ""


def _opening(position: Position, answer: Answer) -> str:
    closing = {position.scenario.accept, position.scenario.walk_away}
    if position.standing_offer is not None or closing.isdisjoint(_actions(answer)):
        return ""
    return "accepts or walks away at the opening; make an offer if there is no standing_offer"


def _closing(position: Position, answer: Answer) -> str:
    offers = range(position.scenario.accept)
    if not position.last_decision or not any(action in offers for action in _actions(answer)):
        return ""
    return "makes an offer at the last decision; accept or walk away if position.last_decision"


def _outside(position: Position, answer: Answer) -> str:
    scenario, role = position.scenario, position.role
    limits = scenario.acceptable_range(role)
    text = f"its range is {limits.minimum} to {limits.maximum}"
    for action in _actions(answer):
        if 0 <= action < scenario.accept and action not in scenario.offers(role):
            return f"offers {scenario.prices[action]}, {text}; use scenario.offers(position.role)"
        price = position.standing_offer
        if action == scenario.accept and price is not None and price not in limits:
            return f"accepts {price}, {text}; check scenario.acceptable_range(role) first"
    return ""


def _compare(asked: Sequence[Position], first: Sequence[Answer], then: Sequence[Answer]) -> str:
    """Describe the first difference of two series of answers; empty if they are equal."""
    for position, one, other in zip(asked, first, then, strict=True):
        if one != other:
            change = f"first {answer_text(position, one)}, then {answer_text(position, other)}"
            return f"{position_text(position)}: {change}"
    return ""


def _memory(rule: Strategy, asked: list[Position], first: list[Answer]) -> str:
    support = probes.support_of(rule)
    then = [probes.answer(rule, support, position) for position in reversed(asked)][::-1]
    difference = _compare(asked, first, then)
    fix = "use only the position, and draw nothing: return every possible action"
    return f"{difference}; {fix}" if difference else ""


def _undeclared(rule: Strategy, answers: list[tuple[Position, Answer]]) -> str:
    """Change parts of the positions that `depends_on` does not name: answers must not change."""
    support = probes.support_of(rule)
    for position, before in answers:
        held = rule
        if rule.needs_opponent:
            held = rule.in_seat(position.scenario.origin, position.role)
        for part, changed in _variations(position, held.depends_on):
            after = probes.answer(rule, support, changed)
            if after != before:
                change = f"{answer_text(position, before)} becomes {answer_text(position, after)}"
                fix = f"with another {part}; add '{part}' to depends_on"
                return f"{position_text(position)}: {change} {fix}"
    return ""


def _variations(position: Position, depends_on: frozenset[Any]) -> Iterator[tuple[str, Position]]:
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


def _overrides_act(rule: Strategy) -> str:
    if type(rule).act is Strategy.act or isinstance(rule, UserSupplied):
        return ""
    return "act is never called; remove it and return every possible action from support"


def _copied(rule: Strategy, asked: list[Position], first: list[Answer]) -> str:
    try:
        copies = copy.deepcopy(rule), replace(rule)
    except Exception as error:
        return f"it cannot be copied: {error_line(error)}; use only plain settings"
    for clone in copies:
        support = probes.support_of(clone)
        then = [probes.answer(rule, support, position) for position in asked]
        difference = _compare(asked, first, then)
        if difference:
            return f"{difference}; store every setting in a field of the dataclass"
    return ""


def _elsewhere(spec: str, scenarios: Sequence[Scenario], seed: int, first: list[Answer]) -> str:
    """Call the strategy again in this process and in two others."""
    job = spec, tuple(scenarios), seed
    digests = [
        probes.fingerprint(job),
        *(digest for _, digest in run_jobs(probes.fingerprint, [job, job], 2)),
    ]
    if set(digests) == {probes.digest(first)}:
        return ""
    return "it plays differently; use only the position: no random, no clock, no order of a set"
