"""A tabular learner alone: negotiations go in by hand, tables and chances come out."""

from collections.abc import Sequence

from negotiation_tui import Role, Scenario, learner
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.population import Population, TabularPlayer
from tests.support.game import game

TINY = game(2, 2, seller={"reservation": 0}, buyer={"reservation": 2})
"""Prices 1 and 2, worth 1/2 and 1 to the seller. States: `s`, 1.0, 2.0, 1.1, 2.1 and `d`."""
S, LOW, HIGH, LAST_LOW, LAST_HIGH = range(5)
"""The states of TINY, by the standing offer; the last two are in the last round."""
OFFER_LOW, OFFER_HIGH, ACCEPT, WALK_AWAY = range(4)
"""The actions of TINY: offers in `s`, all four in the first round, the last two in the last."""

Decisions = Sequence[tuple[int, int]]


class LearnerAlone:
    """A seller who learns in TINY, or in another scenario."""

    def __init__(self, spec: str, scenario: Scenario = TINY, discount_rate: float = 1) -> None:
        algorithm = learner(spec)
        assert isinstance(algorithm, TabularAlgorithm)
        parameters = Parameters(discount_rate=discount_rate)
        self.population = Population(scenario, PLAIN, parameters)
        self.seat = TabularPlayer(algorithm, Role.SELLER, self.population)
        self.learning = algorithm.learn

    def learn(
        self, decisions: Decisions, reward: float, draw: float = 0.0, epsilon: float = 0.0
    ) -> None:
        """Learn from the pairs of state and action of one negotiation, and its reward."""
        agents = self.population.lay_legal()
        states, actions = zip(*decisions, strict=True)
        episode = Episode(states, actions, len(states), reward, epsilon, draw, 0.0)
        self.learning(agents.tables, agents.rates[0], agents.legal, agents.scratch, episode)

    def entry(self, table: int, state: int, action: int = 0) -> float:
        width = self.seat.scenario.n_actions
        return float(self.population.lay_legal().tables[table][state * width + action])

    def chances(self, state: int) -> list[float]:
        """The probability of each action in a state, without the training's exploration."""
        return [float(each) for each in self.seat.policy.probabilities[state]]
