"""The table of built-in strategies, and the text form `name:setting=value,…` of any strategy."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.text import either
from negotiation_tui.runtime.validate import one_of, parse_like, parse_number, refusal
from negotiation_tui.strategies.acceptance import RULES
from negotiation_tui.strategies.base import Strategy, UserSupplied
from negotiation_tui.strategies.best_responder import BestResponder
from negotiation_tui.strategies.bidding import Bidding
from negotiation_tui.strategies.equilibrium import SubgamePerfect
from negotiation_tui.strategies.fixed_fraction import FixedFraction, Midpoint
from negotiation_tui.strategies.micro import MiCRO
from negotiation_tui.strategies.random import Random, ZeroIntelligence
from negotiation_tui.strategies.time_dependent import (
    Boulware,
    Conceder,
    Exponential,
    Hardliner,
    Linear,
    Polynomial,
)
from negotiation_tui.strategies.tit_for_tat import Averaged, RandomAbsolute, Relative
from negotiation_tui.strategies.zeuthen import Zeuthen

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        Midpoint(),
        FixedFraction(),
        Boulware(),
        Linear(),
        Conceder(),
        Hardliner(),
        Polynomial(),
        Exponential(),
        Relative(),
        RandomAbsolute(),
        Averaged(),
        MiCRO(),
        Zeuthen(),
        ZeroIntelligence(),
        Random(),
        SubgamePerfect(),
        BestResponder(),
    )
}
"""Each with its usual settings, by name."""


def strategy(words: str) -> Strategy:
    """The strategy that `name` or `name:setting=value,…` describes.

    A `+` may stand for the comma. For those that bid, `accept` names the rule of acceptance,
    followed by its own setting: `boulware:beta=0.1,accept=time,time=0.8`. Raises BadInputError,
    naming what is wrong.
    """
    name, _, given = words.partition(":")
    usual = STRATEGIES.get(name)
    if usual is None:
        raise unknown(name, tuple(STRATEGIES))
    return with_settings(usual, name, given)


def unknown(name: str, known: Sequence[str]) -> BadInputError:
    """What to say of a name that is none of those known."""
    return refusal("strategy", name, either(known))


def with_settings(usual: Strategy, name: str, given: str) -> Strategy:
    """A strategy with the settings of `setting=value,…`; errors call it by this name."""
    values = dict(_pair(name, part) for part in given.replace("+", ",").split(",")) if given else {}
    changed: dict[str, Any] = {}
    if isinstance(usual, Bidding) and "accept" in values:
        changed["acceptance"] = _acceptance(name, values)
    known = settings_of(usual)
    for setting, value in values.items():
        if setting not in known:
            can = [*known, *(["accept"] if isinstance(usual, Bidding) else [])]
            raise refusal(f"{name}: setting", setting, either(can) if can else "none")
        changed[setting] = parse_like(f"{name}: {setting}", value, known[setting])
    return replace(usual, **changed)


def spec_of(held: Strategy) -> str:
    """The words that describe this one, as `strategy` understands them, or `seats.strategy_from_spec`."""
    if isinstance(held, UserSupplied):
        return held.spec
    usual = STRATEGIES[held.name]
    before, now = settings_of(usual), settings_of(held)
    changed = [f"{name}={value}" for name, value in now.items() if value != before[name]]
    if (
        isinstance(held, Bidding)
        and isinstance(usual, Bidding)
        and held.acceptance != usual.acceptance
    ):
        word = next(word for word, rule in RULES.items() if isinstance(held.acceptance, rule))
        numbers = {f.name: getattr(held.acceptance, f.name) for f in fields(held.acceptance)}
        changed += [f"accept={word}", *(f"{name}={value}" for name, value in numbers.items())]
    return held.name + (":" + ",".join(changed) if changed else "")


def settings_of(strategy: Strategy) -> dict[str, Any]:
    """The settings of a strategy and their values."""
    named = fields(strategy)
    return {f.name: getattr(strategy, f.name) for f in named if f.name != "acceptance"}


def _pair(name: str, part: str) -> tuple[str, str]:
    setting, equals, value = part.partition("=")
    if not equals or not setting or not value:
        raise refusal(name, part, "setting=value")
    return setting.strip(), value.strip()


def _acceptance(name: str, values: dict[str, str]) -> Any:
    """The rule of acceptance; takes its words out of the values."""
    rule = RULES[one_of(f"{name}: accept", values.pop("accept"), tuple(RULES))]()
    given = {f.name: values.pop(f.name) for f in fields(rule) if f.name in values}
    shares = {word: parse_number(f"{name}: {word}", v, 0, 1) for word, v in given.items()}
    return replace(rule, **shares)
