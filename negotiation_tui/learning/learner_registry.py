"""The table of built-in learners, and their text form `learned:NAME:setting=value,…`."""

from collections.abc import Iterable, Mapping
from typing import Any

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.learner import ObjectAlgorithm
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.runtime.files import refuse_file
from negotiation_tui.runtime.lazy_table import LazyTable
from negotiation_tui.runtime.records import replace
from negotiation_tui.runtime.settings_text import changed_values, pairs, with_values
from negotiation_tui.runtime.validate import unknown_name
from negotiation_tui.strategies.registry import STRATEGIES

LEARNERS: Mapping[str, Algorithm] = LazyTable(
    "negotiation_tui.learning.algorithms",
    {
        "q-learning": "q_learning.QLearning",
        "sarsa": "sarsa.Sarsa",
        "expected-sarsa": "expected_sarsa.ExpectedSarsa",
        "double-q": "double_q.DoubleQ",
        "q-lambda": "q_lambda.QLambda",
        "monte-carlo": "monte_carlo.MonteCarlo",
        "boltzmann": "boltzmann.Boltzmann",
        "hysteretic": "hysteretic.Hysteretic",
        "lenient": "lenient.Lenient",
        "wolf-phc": "wolf_phc.WolfPhc",
        "roth-erev": "roth_erev.RothErev",
        "reinforce": "reinforce.Reinforce",
        "actor-critic": "actor_critic.ActorCritic",
        "best-response-dynamics": "best_response_dynamics.BestResponseDynamics",
        "fictitious-play": "fictitious_play.FictitiousPlay",
        "cfr": "cfr.Cfr",
        "mmd": "mmd.Mmd",
        "sampled-mmd": "sampled_mmd.SampledMmd",
    },
)
"""Learners with their default settings, by name."""


def learner(text: str) -> Algorithm:
    """Return the built-in learner of `NAME` or `NAME:setting=value,…`, maybe after `learned:`."""
    name, settings = name_of(text), text.removeprefix(PREFIX).partition(":")[2]
    if name not in LEARNERS:
        refuse_file("learner", text.removeprefix(PREFIX), "Python code (.py) or a name")
        hint = f"{name} is a strategy, which never learns" if name in STRATEGIES else ""
        raise unknown_name("learner", name, tuple(LEARNERS), hint)
    default = LEARNERS[name]
    return with_values(default, name, pairs(name, settings))


def with_step(spec: str, name: str, value: float) -> str:
    """Return the spec of a player with another value of a step; as it is without that step."""
    algorithm = learner(spec) if learns(spec) and name_of(spec) in LEARNERS else None
    if algorithm is None or name not in algorithm.steps:
        return spec
    changed: dict[str, Any] = {name: value}
    return spec_of_learner(replace(algorithm, **changed))


def name_of(text: str) -> str:
    text = text.removeprefix(PREFIX)
    return QLearning.name if text == LEARNED else text.partition(":")[0]


def algorithms_of(specs: Iterable[str]) -> list[Algorithm]:
    """Return the built-in learners among players, with default settings."""
    names = [name_of(spec) for spec in specs if learns(spec)]
    return [LEARNERS[name] for name in names if name in LEARNERS]


def usual_states(scenario: Scenario, specs: Iterable[str]) -> Scenario:
    """Return a scenario for which no states were named, with those that its learners prefer."""
    aware = any(each.needs_opener or each.prefers_opener for each in algorithms_of(specs))
    return scenario.with_opener if aware else scenario


def usual_recipe(specs: Iterable[str]) -> str:
    """Return the recipe of a training that names none: that of its learners if they share one."""
    recipes = {each.recipe for each in algorithms_of(specs)}
    return recipes.pop() if len(recipes) == 1 else Algorithm.recipe


def spec_of_learner(algorithm: Algorithm) -> str:
    """Return the spec from which `learner` makes an equal learner; `learned` for Q-learning."""
    if isinstance(algorithm, ObjectAlgorithm):
        return algorithm.spec
    default = LEARNERS[algorithm.name]
    changed = changed_values(algorithm, default)
    if algorithm == LEARNERS[QLearning.name]:
        return LEARNED
    return PREFIX + algorithm.name + (":" + ",".join(changed) if changed else "")
