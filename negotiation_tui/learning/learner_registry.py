"""The table of built-in learners, and their text form `learned:NAME:setting=value,…`."""

from negotiation_tui.learning.algorithms.actor_critic import ActorCritic
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.algorithms.best_response_dynamics import BestResponseDynamics
from negotiation_tui.learning.algorithms.boltzmann import Boltzmann
from negotiation_tui.learning.algorithms.cfr import Cfr
from negotiation_tui.learning.algorithms.double_q import DoubleQ
from negotiation_tui.learning.algorithms.expected_sarsa import ExpectedSarsa
from negotiation_tui.learning.algorithms.fictitious_play import FictitiousPlay
from negotiation_tui.learning.algorithms.hysteretic import Hysteretic
from negotiation_tui.learning.algorithms.lenient import Lenient
from negotiation_tui.learning.algorithms.mmd import Mmd
from negotiation_tui.learning.algorithms.monte_carlo import MonteCarlo
from negotiation_tui.learning.algorithms.q_lambda import QLambda
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.reinforce import Reinforce
from negotiation_tui.learning.algorithms.roth_erev import RothErev
from negotiation_tui.learning.algorithms.sarsa import Sarsa
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.learner import ObjectAlgorithm
from negotiation_tui.learning.spec import LEARNED, PREFIX
from negotiation_tui.runtime.settings_text import changed_values, pairs, with_values
from negotiation_tui.runtime.validate import unknown_name
from negotiation_tui.strategies.registry import STRATEGIES

LEARNERS: dict[str, Algorithm] = {
    learner.name: learner
    for learner in (
        QLearning(),
        Sarsa(),
        ExpectedSarsa(),
        DoubleQ(),
        QLambda(),
        MonteCarlo(),
        Boltzmann(),
        Hysteretic(),
        Lenient(),
        WolfPhc(),
        RothErev(),
        Reinforce(),
        ActorCritic(),
        BestResponseDynamics(),
        FictitiousPlay(),
        Cfr(),
        Mmd(),
    )
}
"""Learners with their default settings, by name."""


def learner(text: str) -> Algorithm:
    """Return the built-in learner of `NAME` or `NAME:setting=value,…`, maybe after `learned:`."""
    name, settings = name_of(text), text.removeprefix(PREFIX).partition(":")[2]
    if name not in LEARNERS:
        hint = f"{name} is a strategy: leave out {PREFIX}" if name in STRATEGIES else None
        raise unknown_name("learner", name, tuple(LEARNERS), hint)
    default = LEARNERS[name]
    return with_values(default, name, pairs(name, settings))


def name_of(text: str) -> str:
    text = text.removeprefix(PREFIX)
    return QLearning.name if text == LEARNED else text.partition(":")[0]


def spec_of_learner(algorithm: Algorithm) -> str:
    """Return the spec from which `learner` makes an equal learner; `learned` for Q-learning."""
    if isinstance(algorithm, ObjectAlgorithm):
        return algorithm.spec
    default = LEARNERS[algorithm.name]
    changed = changed_values(algorithm, default)
    if algorithm == LEARNERS[QLearning.name]:
        return LEARNED
    return PREFIX + algorithm.name + (":" + ",".join(changed) if changed else "")
