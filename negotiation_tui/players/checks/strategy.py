"""Check that a strategy honours its contract.

A strategy is called in positions of several scenarios, after random offers; no negotiation is
played, so one that breaks one rule can still be checked for the others.
"""

import copy
import inspect
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np

from negotiation_tui.errors import error_line
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.checks.check import Check, Job, same_elsewhere
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.players.user_code import SIGNALS, failure
from negotiation_tui.players.user_strategy import UserCallable, UserStrategy, no_settings
from negotiation_tui.runtime.settings_text import values_of
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.solvers.subgame_perfect import DISCOUNT
from negotiation_tui.strategies.base import ReadyPlayer, Strategy, UserSupplied
from negotiation_tui.strategies.registry import STRATEGIES


def gaps(times: int = 1, more: int = 0) -> Scenario:
    """Return a game on a grid with gaps, with all prices `times` as high and `more` above."""
    one, two, nine, seventeen = (times * price + more for price in (1, 2, 9, 17))
    prices = tuple(times * price + more for price in (1, 2, 4, 8, 16, 17))
    return Scenario("gaps", prices, 5, PriceRange(two, seventeen), PriceRange(one, nine))


SCENARIOS = (
    Scenario.original(),
    Scenario.legacy(),
    Scenario.fine(),
    Scenario.from_dict({"name": "tiny", "prices": 2, "rounds": 1}),
    Scenario("no-zopa", (1, 2, 3, 4, 5), 4, PriceRange(4, 5), PriceRange(1, 2)),
    gaps(),
    Scenario.with_hidden_limits(),
)
"""Presets, a single round, no zone of agreement, a grid with gaps, and hidden limits."""
SAMPLES = 8
"""Positions per role, opener and number of offers in a short scenario."""
MAX_SAMPLES = 160
"""Approximate number of positions per role and opener in a long scenario."""
PLAYS = "plays every position without an error"
SOME = "returns at least one action"
KNOWN = "returns only actions that exist"
OPENS = "opens with an offer"
CLOSES = "accepts or walks away at the last decision"
INSIDE = "stays inside its price range"
UNMIXED = "does not mix prices with actions"
Answer = tuple[int, ...] | str
"""The actions that a strategy returned, or the error."""
Answers = list[tuple[Position, Answer]]


def check_strategy(spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0) -> Iterator[Check]:
    """Run every check in turn, in `SCENARIOS` by default. Raises BadInputError for a wrong spec."""
    rule = _rule_of(spec)
    of_all = not scenarios and not isinstance(rule, SavedTable)
    if not scenarios:
        scenarios = (rule.tables.scenario,) if isinstance(rule, SavedTable) else SCENARIOS
    asked, ask = positions(scenarios, seed), asking(rule)
    answers = [(position, ask(position)) for position in asked]
    texts = {name: getattr(rule, name, None) for name in ("name", "summary", "source")}
    missing = [name for name, text in texts.items() if not (isinstance(text, str) and text.strip())]
    fix = f'there is no {missing[0]}; write {missing[0]} = "…" in the class' if missing else ""
    yield Check("has a name, a summary and a source", fix)
    broken: dict[str, str] = {}
    for position, answer in answers:
        for name, text in _faults(position, answer):
            broken.setdefault(name, f"{_position_text(position)}: {text}")
    for name in (PLAYS, SOME, KNOWN, OPENS, CLOSES, INSIDE):
        yield Check(name, broken.get(name, ""))
    if of_all:
        yield Check(UNMIXED, _mixed(rule, seed))
    fix = "use only the position, and draw nothing: return every possible action"
    again = [*map(asking(rule), reversed(asked))][::-1]
    yield Check("has no memory", _difference(answers, again, fix))
    yield Check("depends only on what depends_on names", _undeclared(rule, answers))
    own = type(rule).act is not Strategy.act and not isinstance(rule, UserSupplied)
    fix = "act is never called; remove it and return every possible action from support"
    yield Check("does not override act", fix if own else "")
    yield Check("plays the same as a copy", _copied(rule, answers))
    same = same_elsewhere(fingerprint, (spec, tuple(scenarios), seed))
    use = "use only the position: no random, no clock, no order of a set"
    yield Check("plays the same in another process", "" if same else f"it plays differently; {use}")


def _rule_of(spec: str) -> Strategy:
    """Return the strategy of a spec, the user's own without its guard."""
    strategy = strategy_from_spec(spec)
    if strategy is None:
        raise refusal("strategy", spec, "a strategy with a rule")
    return strategy.strategy or strategy if isinstance(strategy, UserStrategy) else strategy


def positions(scenarios: Sequence[Scenario], seed: int) -> list[Position]:
    """Return positions of both roles in each scenario, after random offers inside the ranges."""
    rng = np.random.default_rng(seed)
    sampled = []
    for scenario in scenarios:
        plies = 2 * scenario.rounds
        times = SAMPLES if plies * SAMPLES <= MAX_SAMPLES else max(1, MAX_SAMPLES // plies)
        for role in Role:
            views = scenario.views[role]
            each = max(1, times // len(views))
            for view, n in product(views, range(plies)):
                # The other role makes the last of n offers.
                ranges = [view.offers(role if (n - k) % 2 == 0 else role.other) for k in range(n)]
                low, high = [own.start for own in ranges], [own.stop for own in ranges]
                drawn = rng.integers(low, high, (each if n else 1, n)).tolist()
                opener = role if n % 2 == 0 else role.other
                for actions in drawn:
                    offers = tuple(view.prices[action] for action in actions)
                    sampled.append(Position.after(view, opener, offers))
    return sampled


def asking(rule: Strategy, of: Strategy | None = None) -> Callable[[Position], Answer]:
    """Return the function from a position to the answer of a strategy, or of its copy `of`.

    One that needs an opponent answers random play. Raises BadInputError if a saved table does not
    fit a scenario: its actions are not at fault.
    """
    copied = of or rule

    @cache
    def player(scenario: Scenario, role: Role) -> ReadyPlayer:
        if not copied.needs_opponent:
            return copied
        return copied.ready(scenario, role, STRATEGIES["random"], DISCOUNT)

    def answer(position: Position) -> Answer:
        try:
            actions = player(position.scenario.origin, position.role).support(position)
            return tuple(map(operator.index, actions))
        except BaseException as error:
            if isinstance(rule, SavedTable) or isinstance(error, SIGNALS):
                raise
            if isinstance(rule, UserCallable):
                return str(error)
            code = rule.support.__func__.__code__  # type: ignore[attr-defined]
            return str(failure(error, "", code.co_filename, code.co_firstlineno))

    return answer


def _position_text(position: Position) -> str:
    offers = " ".join(map(str, position.offers)) or "no offer"
    origin = position.scenario.origin
    limit = f" with the limit {position.limit}" if origin.limits[position.role] else ""
    return f"the {position.role}{limit} in {origin.name} after {offers}"


def _answer_text(position: Position, answer: Answer) -> str:
    if isinstance(answer, str):
        return answer
    n, label = position.scenario.n_actions, position.scenario.action_label
    return "|".join(label(a) if 0 <= a < n else str(a) for a in answer) or "no action"


def fingerprint(job: Job) -> str:
    spec, scenarios, seed = job
    answers = list(map(asking(_rule_of(spec)), positions(scenarios, seed)))
    return sha256(repr(answers).encode()).hexdigest()


def _faults(position: Position, answer: Answer) -> Iterator[tuple[str, str]]:
    if isinstance(answer, str):
        yield PLAYS, f"{answer}; fix that line"
        return
    scenario, role, price = position.scenario, position.role, position.standing_offer
    if not answer:
        yield SOME, "no action; return at least one"
    for action in answer:
        if not 0 <= action < scenario.n_actions:
            use = "use indices of scenario.prices, scenario.accept or scenario.walk_away, 0 to"
            yield KNOWN, f"action {action}; {use} {scenario.n_actions - 1}"
    if price is None and not {scenario.accept, scenario.walk_away}.isdisjoint(answer):
        fix = "make an offer if there is no standing_offer"
        yield OPENS, f"accepts or walks away at the opening; {fix}"
    if position.last_decision and any(0 <= action < scenario.accept for action in answer):
        fix = "accept or walk away if position.last_decision"
        yield CLOSES, f"makes an offer at the last decision; {fix}"
    limits = scenario.acceptable_range(role)
    text = f"its range is {limits.minimum} to {limits.maximum}"
    for action in answer:
        if 0 <= action < scenario.accept and action not in scenario.offers(role):
            use = "use scenario.offers(position.role)"
            yield INSIDE, f"offers {scenario.prices[action]}, {text}; {use}"
        if action == scenario.accept and price is not None and price not in limits:
            yield INSIDE, f"accepts {price}, {text}; check scenario.acceptable_range(role) first"


def _mixed(rule: Strategy, seed: int) -> str:
    """Double all prices, then raise all: a rule without fixed prices plays the same in one case.

    If it counts with ratios it does if they are doubled, with differences if they are raised.
    """
    usual, *moved = (
        [(each, ask(each)) for each in positions([game], seed)]
        for ask in [asking(rule)]
        for game in (gaps(), gaps(times=2), gaps(more=1000))
    )
    if any([answer for _, answer in usual] == [answer for _, answer in each] for each in moved):
        return ""
    use = "offers are prices, actions indices: compare offers with scenario.prices[action]"
    for (position, one), (_, other) in zip(usual, moved[0], strict=True):
        if one != other:
            before, after = (
                each if isinstance(each, str) else "|".join(map(str, each)) for each in (one, other)
            )
            change = f"action {before} becomes {after} if all prices are doubled"
            return f"{_position_text(position)}: {change}; {use}"
    return ""


def _difference(answers: Answers, then: Sequence[Answer], fix: str) -> str:
    for (position, one), other in zip(answers, then, strict=True):
        if one != other:
            change = f"first {_answer_text(position, one)}, then {_answer_text(position, other)}"
            return f"{_position_text(position)}: {change}; {fix}"
    return ""


def _undeclared(rule: Strategy, answers: Answers) -> str:
    """Change parts of the positions that `depends_on` does not name: answers must not change."""
    ask = asking(rule)
    for position, before in answers:
        scenario, role = position.scenario.origin, position.role
        player = rule.in_seat(scenario, role) if rule.needs_opponent else rule
        for part, changed in _variations(position, player.depends_on):
            after = ask(changed)
            if after != before:
                change = f"{_answer_text(position, before)} becomes {_answer_text(position, after)}"
                fix = f"with another {part}; add '{part}' to depends_on"
                return f"{_position_text(position)}: {change} {fix}"
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
        for time_ in {0, scenario.rounds - 2} - {-1}:
            yield "time", replace(bare, time=time_)


def _copied(rule: Strategy, answers: Answers) -> str:
    if not {*inspect.signature(type(rule)).parameters} <= {*values_of(rule)}:
        return no_settings(type(rule))
    try:
        copies = copy.deepcopy(rule), replace(rule)
    except Exception as error:
        return f"it cannot be copied: {error_line(error)}; use only plain settings"
    fix = "store every setting in a field of the dataclass"
    for clone in copies:
        ask = asking(rule, clone)
        if difference := _difference(answers, [ask(position) for position, _ in answers], fix):
            return difference
    return ""
