"""Check that a strategy honours its contract, in positions after random offers."""

import copy
import inspect
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product

import numpy as np

from negotiation_tui.errors import error_line
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT, Scenario
from negotiation_tui.players.checks import CheckResult, Named, run_checks, same_elsewhere
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.players.user_code import SIGNALS, failure
from negotiation_tui.players.user_strategy import UserCallable, UserStrategy, no_settings
from negotiation_tui.runtime.settings_text import values_of
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.strategies.base import Strategy, UserSupplied
from negotiation_tui.strategies.registry import STRATEGIES

GAPS = Scenario("gaps", (1, 2, 4, 8, 16, 17), 5, PriceRange(2, 17), PriceRange(1, 9))
SCENARIOS = (
    Scenario.original(),
    Scenario.of("legacy"),
    Scenario.of("fine"),
    Scenario.from_dict({"name": "tiny", "prices": 2, "rounds": 1}),
    Scenario("no-zopa", (1, 2, 3, 4, 5), 4, PriceRange(4, 5), PriceRange(1, 2)),
    GAPS,
    Scenario.of("hidden"),
    Scenario.of("impatience"),
)
"""Presets, a single round, no zone of agreement, a grid with gaps, hidden limits, time costs."""
_SAMPLES = 8  # positions per role, opener and number of offers in a short scenario
MAX_SAMPLES = 160  # about as many per role and opener in a long one
PLAYS = "plays every position without an error"
SOME = "returns at least one action"
KNOWN = "returns only actions that exist"
OPENS = "opens with an offer"
CLOSES = "accepts or walks away at the last decision"
IN_RANGE = "stays inside its price range"
UNMIXED = "does not mix prices with actions"
Response = tuple[int, ...] | str  # the actions that a strategy returned, or the error


def check_strategy(
    spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0
) -> Iterator[CheckResult]:
    """Run every check, by default in `SCENARIOS`. Raises BadInputError for a wrong spec."""
    rule = _rule_of(spec)
    usual = (rule.tables.scenario,) if isinstance(rule, SavedTable) else SCENARIOS
    games = tuple(scenarios) or usual
    ask, again = _asking(rule), _asking(rule)
    answers = [(at, ask(at)) for at in positions(games, seed)]
    faults: dict[str, str] = {}
    for at, answer in answers:
        for name, text in _faults(at, answer):
            faults.setdefault(name, f"{_position_text(at)}: {text}")
    unnamed = [
        f'there is no {name}; write {name} = "…" in the class'
        for name in ("name", "summary", "source")
        if not (isinstance(told := getattr(rule, name, None), str) and told.strip())
    ]
    acts = type(rule).act is not Strategy.act and not isinstance(rule, UserSupplied)
    fix = "act is never called; remove it and return every possible action from support"
    draws = "if asked again; use only the position, and draw nothing: return every possible action"
    repeated = ((at, was, again(at), draws) for at, was in answers[::-1])
    changed = (
        (at, was, again(other), f"with another {part}; add '{part}' to depends_on")
        for at, was in answers
        for part, other in _variations(at, rule)
    )
    differs = "it plays differently; use only the position: no random, no clock, no order of a set"
    job, legal = (spec, games, seed), (PLAYS, SOME, KNOWN, OPENS, CLOSES, IN_RANGE)
    checks: list[Named] = [
        ("has a name, a summary and a source", lambda: "".join(unnamed[:1])),
        *((name, partial(faults.get, name)) for name in legal),
        *([(UNMIXED, lambda: _mixed(rule, seed))] if games is SCENARIOS else []),
        ("has no memory", lambda: _change(repeated)),
        ("depends only on what depends_on names", lambda: _change(changed)),
        ("does not override act", lambda: fix * acts),
        ("plays the same as a copy", lambda: _copied(rule, answers)),
        ("plays the same in another process", lambda: same_elsewhere(_played, job, differs)),
    ]
    return run_checks(checks)


def _rule_of(spec: str) -> Strategy:
    """Return the strategy of a spec, the user's own without its guard."""
    strategy = strategy_from_spec(spec)
    if strategy is None:
        raise refusal("strategy", spec, "a strategy with a rule")
    return strategy.strategy or strategy if isinstance(strategy, UserStrategy) else strategy


def positions(scenarios: Sequence[Scenario], seed: int) -> list[Position]:
    """Return positions of both roles in each scenario, after random offers inside the ranges."""
    rng, sampled = np.random.default_rng(seed), []
    for scenario, role in product(scenarios, Role):
        views, plies = scenario.views[role], range(2 * scenario.rounds)
        each = max(1, min(_SAMPLES, MAX_SAMPLES // len(plies)) // len(views))
        for view, n in product(views, plies):
            # The other role makes the last of n offers.
            makers = [(role, role.other)[(n - k) % 2] for k in range(n)]
            ranges = [view.offers(maker) for maker in makers]
            low, high = [own.start for own in ranges], [own.stop for own in ranges]
            for actions in rng.integers(low, high, (each if n else 1, n)).tolist():
                offers = tuple(view.prices[action] for action in actions)
                sampled.append(Position.after(view, (role, role.other)[n % 2], offers))
    return sampled


def _asking(rule: Strategy, of: Strategy | None = None) -> Callable[[Position], Response]:
    """Return the function from a position to the answer of a strategy, or of its copy `of`.

    One that needs an opponent answers random play.
    """
    copied, random = of or rule, STRATEGIES["random"]
    ready = cache(partial(copied.ready, opponent=random, discount_rate=PUBLISHED_DISCOUNT))

    def answer(position: Position) -> Response:
        try:
            seat = position.scenario.origin, position.role
            player = ready(*seat) if copied.needs_opponent else copied
            return tuple(map(operator.index, player.support(position)))
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


def _answer_text(position: Position, answer: Response) -> str:
    if isinstance(answer, str):
        return answer
    n, label = position.scenario.n_actions, position.scenario.action_label
    return "|".join(label(a) if 0 <= a < n else str(a) for a in answer) or "no action"


def _faults(position: Position, answer: Response) -> Iterator[tuple[str, str]]:
    if isinstance(answer, str):
        yield PLAYS, f"{answer}; fix that line"
        return
    if not answer:
        yield SOME, "no action; return at least one"
    scenario, role, price = position.scenario, position.role, position.standing_offer
    limits = scenario.acceptable_range(role)
    text = f"its range is {limits.minimum} to {limits.maximum}"
    for action in answer:
        offers = 0 <= action < scenario.accept
        if not 0 <= action < scenario.n_actions:
            use = "use indices of scenario.prices, scenario.accept or scenario.walk_away, 0 to"
            yield KNOWN, f"action {action}; {use} {scenario.n_actions - 1}"
        elif price is None and not offers:
            fix = "make an offer if there is no standing_offer"
            yield OPENS, f"accepts or walks away at the opening; {fix}"
        elif action == scenario.accept and price not in limits:
            fix = "check scenario.acceptable_range(role) first"
            yield IN_RANGE, f"accepts {price}, {text}; {fix}"
        if offers and position.last_decision:
            fix = "accept or walk away if position.last_decision"
            yield CLOSES, f"makes an offer at the last decision; {fix}"
        if offers and action not in scenario.offers(role):
            use = "use scenario.offers(position.role)"
            yield IN_RANGE, f"offers {scenario.prices[action]}, {text}; {use}"


def _change(changes: Iterable[tuple[Position, Response, Response, str]]) -> str:
    for position, before, after, fix in changes:
        if before != after:
            change = " becomes ".join(_answer_text(position, each) for each in (before, after))
            return f"{_position_text(position)}: {change} {fix}"
    return ""


def _mixed(rule: Strategy, seed: int) -> str:
    """Double or raise all prices: a rule of ratios, or of differences, plays alike in one case."""
    usual, doubled, raised = (
        [
            each if isinstance(each, str) else f"action {'|'.join(map(str, each))}"
            for each in map(_asking(rule), positions([game], seed))
        ]
        for game in (GAPS, GAPS.moved(2, 0), GAPS.moved(1, 1000))
    )
    use = "offers are prices, actions indices: compare offers with scenario.prices[action]"
    fixes = [f"if all prices are doubled; {use}"] * len(usual)
    changes = zip(positions([GAPS], seed), usual, doubled, fixes, strict=True)
    return "" if usual == raised else _change(changes)


def _variations(position: Position, rule: Strategy) -> Iterator[tuple[str, Position]]:
    """Change the parts of a position that `depends_on` does not name: answers must not change."""
    scenario, role = position.scenario, position.role
    player = rule.in_seat(scenario.origin, role) if rule.needs_opponent else rule
    depends_on = player.depends_on
    if position.standing_offer is None or "history" in depends_on:
        return
    bare = replace(position, offers=())
    yield "history", bare
    if "own" not in depends_on:
        ends = scenario.offers(role)
        for offer in (None, scenario.prices[ends[0]], scenario.prices[ends[-1]]):
            yield "own", replace(bare, own_last_offer=offer)
    if "opener" not in depends_on and not position.last_decision:
        yield "opener", replace(bare, opened=not position.opened)
    if "time" not in depends_on and not position.last_decision:
        for time in {0, scenario.rounds - 2} - {-1}:
            yield "time", replace(bare, time=time)


def _copied(rule: Strategy, answers: Sequence[tuple[Position, Response]]) -> str:
    if not {*inspect.signature(type(rule)).parameters} <= {*values_of(rule)}:
        return no_settings(type(rule))
    try:
        asks = _asking(rule, copy.deepcopy(rule)), _asking(rule, replace(rule))
    except Exception as error:
        return f"it cannot be copied: {error_line(error)}; use only plain settings"
    fix = "in a copy; store every setting in a field of the dataclass"
    return _change((at, before, ask(at), fix) for ask, (at, before) in product(asks, answers))


def _played(job: tuple[str, Sequence[Scenario], int]) -> str:
    spec, scenarios, seed = job
    return repr([*map(_asking(_rule_of(spec)), positions(scenarios, seed))])
