"""The settings of an examination, and its marks per role, also as text and as plain values."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import partial
from typing import Any

import numpy as np

from negotiation_tui.examination.consistency import Consistency
from negotiation_tui.examination.defaults import ASK, MINUTES, OPPONENTS
from negotiation_tui.examination.elicit import Follows
from negotiation_tui.examination.marks import (
    Calibration,
    Disclosure,
    Exploitability,
    Loss,
    Names,
    Regret,
)
from negotiation_tui.examination.talk import Moved
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.learner import position_of
from negotiation_tui.players.program import Manners
from negotiation_tui.runtime.estimate import Rate
from negotiation_tui.runtime.records import fields, sealed
from negotiation_tui.runtime.settings_text import Checked, setting, within
from negotiation_tui.runtime.text import between, plural, table
from negotiation_tui.runtime.validate import integer, refusal, string
from negotiation_tui.solvers.subgame_perfect import EQUAL

_LONGEST_SPEC = 4096  # characters; to split more into words takes long


@sealed(frozen=True)
class ExamSetup(Checked):
    """The settings of an examination, all that a cassette needs besides its lines."""

    spec: str
    scenario: Scenario
    roles: tuple[Role, ...] = tuple(Role)
    ask: int = setting(ASK, check=partial(integer, low=2, high=10**9))
    minutes: float = setting(MINUTES, check=within(0, 10**6))
    seed: int = setting(0, check=partial(integer, low=0))
    discount_rate: float = setting(PUBLISHED_DISCOUNT)
    against: Names = OPPONENTS

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal setup."""
        roles = [str(role) for role in self.roles]
        plain = {"scenario": self.scenario.to_dict(), "roles": roles, "against": [*self.against]}
        return {**vars(self), **plain}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> "ExamSetup":
        """Return the setup of plain values, or raise an error for invalid ones."""
        against = tuple(string("against", name) for name in table["against"])
        roles = tuple(role for role in Role if role in map(Role.of, table["roles"]))
        if not roles:
            raise refusal("roles", table["roles"], "seller or buyer")
        if len(spec := string("spec", table["spec"])) > _LONGEST_SPEC:
            raise refusal("spec", spec, f"at most {_LONGEST_SPEC:,} characters")
        plain = {"scenario": Scenario.from_dict(table["scenario"]), "against": against}
        return cls(**{**table, **plain, "roles": roles, "spec": spec})


@sealed(frozen=True, eq=False)
class Answered:
    """The behaviour of a program that was asked, besides its answers."""

    manners: Manners  # of all its processes together
    asked: int  # decisions with an answer
    reachable: int  # decisions that its answers lead to
    fewest: int  # answers to one of the decisions asked
    consistency: Consistency
    follows: tuple[Follows, ...]
    calibrations: tuple[tuple[str, Calibration], ...]  # by opponent, of the beliefs that it stated
    minutes: float  # about those that are enough for all questions
    runs: int = 1  # in which it was asked: between them it lost its memory


@sealed(frozen=True, eq=False)
class Marks:
    """The marks of a player in a role."""

    role: Role
    exact: bool  # True if the chances of all decisions are known, none from a number of answers
    table: TabularPolicy | None  # None for a player that remembers the offers
    answered: Answered | None  # None for a player that hands over its probabilities
    regrets: tuple[Regret, ...]
    exploitability: Exploitability | None  # None if its answers are not consistent
    yardstick: tuple[tuple[str, Exploitability], ...]  # of the named players
    disclosures: tuple[Disclosure, ...]  # with hidden limits
    talk: tuple[Moved, ...]  # with talk, of a program
    late: bool = False  # True if the time was over before: some bounds are wider, or left out
    unknown: str = ""  # the reason why marks are left out; without one all are there


def as_dict(setup: ExamSetup, marks: Sequence[Marks]) -> dict[str, Any]:
    """Return all marks as plain values, without the tables."""
    return {**setup.to_dict(), "marks": {str(each.role): _plain(each) for each in marks}}


def _plain(value: object) -> Any:
    if isinstance(value, TabularPolicy):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return str(value) if isinstance(value, Enum) else value


def as_text(setup: ExamSetup, marks: Sequence[Marks]) -> str:
    game = setup.scenario
    heading = f"{setup.spec} in {game.name}{game.delta_text}, γ = {setup.discount_rate:g}"
    lines = [f"{heading}, seed {setup.seed}"]
    if setup.scenario.talk:
        lines += ["asked without words of the other side, but for the mark about talk"]
    for each in marks:
        lines += ["", f"as the {each.role}", *_lines(setup.scenario, each)]
    return "\n".join(lines)


def _lines(scenario: Scenario, marks: Marks) -> Iterator[str]:
    if marks.answered:
        yield from _answered_lines(scenario, marks.role, marks.answered)
    if marks.late:
        yield "  The time was over: bounds are wider, and some marks are left out; more --minutes"
    if marks.unknown:
        yield "  Marks that are left out are unknown:"
        yield f"    {marks.unknown}"
    if marks.regrets:
        yield from _regret_lines(scenario, marks)
    if marks.exploitability:
        yield from _exploitability_lines(scenario, marks, marks.exploitability)
    if marks.disclosures:
        yield from _disclosure_lines(scenario, marks)
    if scenario.talk:
        yield from _talk_lines(marks)


def _regret_lines(scenario: Scenario, marks: Marks) -> Iterator[str]:
    yield "  Regret"
    rows = [("against", "best reply", "regret", "95%")]
    for each in marks.regrets:
        yards = marks.exact and not each.regret.error
        error = "exact" if yards else f"± {each.regret.error:.3f}"
        rows.append((each.opponent, f"{each.best:.3f}", f"{each.regret.mean:.3f}", error))
    yield from _table(rows, "<", ">", ">", "<")
    if any(each.regret.mean < -EQUAL for each in marks.regrets):
        yield "    no player earns more than the best reply: below 0 is chance, within the interval"
    if worst := max(marks.regrets, key=lambda each: each.regret.mean, default=None):
        yield from _losses(scenario, marks, worst.losses, f"against {worst.opponent}")


def _table(rows: Iterable[Sequence[str]], *columns: str) -> Iterator[str]:
    return (f"    {line}" for line in table(rows, *columns))


def _answered_lines(scenario: Scenario, role: Role, answered: Answered) -> Iterator[str]:
    manners, found = answered.manners, answered.consistency
    yield "  Manners"
    good = manners.questions - manners.walked - manners.failures
    low, _ = Rate(good, manners.questions).bounds
    yield f"    {good:,} of {manners.questions:,} answers are good (95%: at least {low:.1%})"
    kinds = f"; without a legal answer: {manners.by_kind}" * bool(manners.kinds)
    counts = f"refused {manners.refused}, no answer {manners.failures}{kinds}"
    yield f"    {counts}, longest {manners.longest:.2g} s"
    if manners.why:
        yield f"    the last: {manners.why}"
    yield "  Consistency"
    if answered.asked < answered.reachable:
        yield f"    a sample: {answered.asked} of {answered.reachable} decisions have an answer"
    if answered.runs > 1:
        yield f"    asked in {answered.runs} runs: a program with a memory lost it in between"
    if found.decisions:
        alike = "alike" if found.consistent else "differently"
        yield f"    it answers {alike} in both passes and in play (p = {found.chance:.2g})"
        fewest = plural(answered.fewest, "answer")
        yield f"    {plural(found.decisions, 'decision')} compared, at least {fewest} each"
    if found.seen is not None:
        yield f"    a change of {found.seen:.2f} in each would have been seen in 80% of such tests"
    if found.worst is not None and not found.consistent:
        yield f"    most different: {_where(_position(scenario, role, found.worst))}"
    for each in answered.follows:
        yield f"    prices {each.change}: {each.alike} of {each.asked} answers follow"
    if answered.calibrations:
        rows = [("stated beliefs against", "number", "Brier score", "by Bayes' rule")]
        for name, score in answered.calibrations:
            rows.append((name, f"{score.n}", f"{score.stated:.3f}", f"{score.bayes:.3f}"))
        yield from _table(rows, "<", ">")


def _exploitability_lines(scenario: Scenario, marks: Marks, found: Exploitability) -> Iterator[str]:
    yield "  Exploitability, in shares of the possible surplus"
    rows = [("player", "an opponent who knows it earns", "bounds", "and leaves it")]
    yards = ((name, each, True) for name, each in marks.yardstick)
    for name, each, exact in (("it", found, marks.exact), *yards):
        bounds = "too few answers"
        if each.least is not None and each.most is not None:
            meet = exact and each.most - each.least < EQUAL
            bounds = "exact" if meet else between(each.least, each.most, 3)
        rows.append((name, f"{each.earned:.3f}", bounds, f"{each.left.mean:.3f}"))
    yield from _table(rows, "<", ">", ">", ">")
    yield from _losses(scenario, marks, found.losses, "against that opponent")


def _disclosure_lines(scenario: Scenario, marks: Marks) -> Iterator[str]:
    yield "  Hidden limits"
    limits = [str(view.limit(marks.role)) for view in scenario.views[marks.role]]
    bluffs = "bluffs" if marks.exact else "bluffs in table"
    rows = [("against", "bits told", bluffs, *(f"{limit} gains" for limit in limits))]
    for each in marks.disclosures:
        figures = [(each.bits, 2), *((gain, 3) for gain in each.pretending or [None] * len(limits))]
        bits, *gains = ("–" if one is None else f"{one.mean:.{n}f}" for one, n in figures)
        share = "–" if each.bluffs is None else f"{100 * each.bluffs:.0f}%"
        rows.append((each.opponent, bits, share, *gains))
        if not marks.exact:
            bits, *gains = ("" if one is None else f"± {one.error:.{n}f}" for one, n in figures)
            rows.append(("  95%", bits, "", *gains))
    yield from _table(rows, "<", ">")


def _talk_lines(marks: Marks) -> Iterator[str]:
    if not marks.answered:
        yield "  Talk: it hears nothing"
        return
    if not marks.talk:
        return
    yield "  Talk: answers that change after words, and the cost against the opponents above"
    rows = [("the other side says", "changed", "95%", "costs", "95%")]
    for each in marks.talk:
        share, cost = f"{each.changed} of {each.asked}", each.cost
        ends = [100 * abs(bound) for bound in each.bounds or ()]
        interval = "{:.0f} to {:.0f}%".format(*ends) if ends else "–"
        loss = (f"{cost.mean:.3f}", f"± {cost.error:.3f}") if cost else ("–", "")
        loss = (loss[0], "exact") if marks.exact and cost and not cost.error else loss
        rows.append((each.name, share, interval, *loss))
    yield from _table(rows, "<", ">", "<", ">", "<")


def _losses(
    scenario: Scenario, marks: Marks, losses: Sequence[Loss], against: str
) -> Iterator[str]:
    if losses:
        yield f"    costs most {against}:"
    for each in losses:
        position, plays = _position(scenario, marks.role, each.row), ""
        if marks.table:
            chances = marks.table.probabilities[marks.table.row(position)]
            action = int(chances.argmax())
            likely = "" if chances[action] == 1 else f" ({100 * chances[action]:.0f}%)"
            plays = f" it {_action(scenario, action, 's')}{likely};"
        better = f"{_action(scenario, each.action, 'ing')} is worth {each.cost:.3f} more"
        yield f"      {_where(position)}{plays} {better}"


def _position(scenario: Scenario, role: Role, row: int) -> Position:
    limit, state = divmod(row, scenario.n_states)
    return position_of(scenario.views[role][limit], role, state)


def _where(position: Position) -> str:
    words, scenario, role = "at the opening", position.scenario, position.role
    if position.ply:
        seat = "opener" if position.opened else "responder"
        words = f"facing {position.standing_offer} in round {position.ply // 2 + 1} as {seat}"
    hidden = scenario.origin.limits[role]
    return f"{words} with limit {scenario.limit(role)}" if hidden else words


def _action(scenario: Scenario, action: int, ending: str) -> str:
    if action < scenario.accept:
        return f"offer{ending} {scenario.prices[action]}"
    return f"accept{ending}" if action == scenario.accept else f"walk{ending} away"
