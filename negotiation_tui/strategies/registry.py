"""The table of built-in strategies, and the text form `name:setting=value,…` of any strategy."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from negotiation_tui.runtime.lazy_table import LazyTable
from negotiation_tui.runtime.settings_text import Setting, pairs, table_of, values_of, with_values
from negotiation_tui.runtime.text import either
from negotiation_tui.runtime.validate import one_of, parse_number
from negotiation_tui.strategies.base import Strategy, UserSupplied
from negotiation_tui.strategies.bidding import RULES, Acceptance, Bidding

STRATEGIES: Mapping[str, Strategy] = LazyTable(
    "negotiation_tui.strategies",
    {
        "midpoint": "concession.Midpoint",
        "fixed-fraction": "concession.FixedFraction",
        "boulware": "time_dependent.Boulware",
        "linear": "time_dependent.Linear",
        "conceder": "time_dependent.Conceder",
        "hardliner": "time_dependent.Hardliner",
        "polynomial": "time_dependent.Polynomial",
        "exponential": "time_dependent.Exponential",
        "tit-for-tat": "tit_for_tat.Relative",
        "random-tit-for-tat": "tit_for_tat.RandomAbsolute",
        "averaged-tit-for-tat": "tit_for_tat.Averaged",
        "micro": "concession.MiCRO",
        "zeuthen": "concession.Zeuthen",
        "zero-intelligence": "random.ZeroIntelligence",
        "random": "random.Random",
        "equilibrium": "rational.SubgamePerfect",
        "best-response": "rational.BestResponder",
    },
)
"""Strategies with their default settings, by name."""


def strategy(spec: str) -> Strategy:
    """Return the built-in strategy of a spec: `name` or `name:setting=value,…`.

    Settings may be joined by `+` instead of commas. A bidding strategy has a setting `accept`, the
    acceptance rule, and the settings of that rule: `boulware:beta=0.1,accept=time,time=0.8`.
    Raises BadInputError if the name, a setting or a value is wrong.
    """
    name, _, settings = spec.partition(":")
    one_of("strategy", name, tuple(STRATEGIES))
    return with_settings(STRATEGIES[name], name, settings)


def with_settings(default: Strategy, name: str, settings: str) -> Strategy:
    """Return a strategy with the settings `setting=value,…`. Errors call the strategy `name`."""
    values, names = pairs(name, settings), list(settings_of(default))
    if isinstance(default, Bidding):
        names.append("accept")
        if "accept" in values:
            default = replace(default, acceptance=_acceptance(name, values))
    return with_values(default, name, values, names)


def spec_of(strategy: Strategy) -> str:
    """Return the spec from which `strategy` or `strategy_from_spec` makes an equal strategy."""
    if isinstance(strategy, UserSupplied):
        return strategy.spec
    default = STRATEGIES[strategy.name]
    defaults, settings = settings_of(default), settings_of(strategy)
    changed = [f"{name}={settings[name]}" for name in defaults if settings[name] != defaults[name]]
    if isinstance(strategy, Bidding) and isinstance(default, Bidding):
        rule = strategy.acceptance
        if rule != default.acceptance:
            setting = RULES[rule.rule].setting
            changed += [f"accept={rule.rule}", *[f"{setting}={rule.share}"] * bool(setting)]
    return strategy.name + (":" + ",".join(changed) if changed else "")


def settings_of(strategy: Strategy) -> dict[str, Any]:
    """Return the settings of a strategy and their values, without its acceptance rule."""
    return {name: each for name, each in values_of(strategy).items() if name != "acceptance"}


def settings_table(default: Strategy) -> list[Setting]:
    """Return all that `with_settings` can set in a built-in strategy; empty if nothing."""
    listed = [each for each in table_of(default) if each.name != "acceptance"]
    if not isinstance(default, Bidding):
        return listed
    shares = [
        Setting(rule.setting, str(rule.default), f"from 0 to 1, with accept={name}")
        for name, rule in RULES.items()
        if rule.setting
    ]
    return [*listed, Setting("accept", default.acceptance.rule, either(tuple(RULES))), *shares]


def _acceptance(name: str, values: dict[str, str]) -> Acceptance:
    """Return the acceptance rule, and remove its settings from `values`."""
    rule = one_of(f"{name}: accept", values.pop("accept"), tuple(RULES))
    _, _, setting, default = RULES[rule]
    share = values.pop(setting, str(default))
    return Acceptance(rule, parse_number(f"{name}: {setting}", share, 0, 1))
