"""What the trainer publishes: plain, immutable values that any thread may read."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.evaluation import TestResult
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import Equilibria
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.sessions.human_player import Score
from negotiation_tui.solvers.best_response import NashConv


@dataclass(frozen=True, slots=True)
class Negotiation:
    """A negotiation and where it belongs; finished, unless a person is at the table."""

    number: int
    """Counts every negotiation published, so that a new one is told from the last."""
    cycle: int
    episode: int
    """Both from 0; the episode is counted within its cycle."""
    trainee: Role | None
    """Who learned from it, None where nobody did."""
    epsilon: float
    test: bool
    """Whether it was played after the last cycle, with what was learned."""
    transcript: Transcript
    what_if: int | None = None
    """After so many turns somebody did what they did not do; None where that is how it was."""


@dataclass(frozen=True, eq=False, slots=True)
class Snapshot:
    """What the trainer knows at one moment; its arrays are read-only."""

    scenario: Scenario
    parameters: Parameters
    seed: int
    opener: Opener
    strategies: tuple[str | None, str | None]
    """The name of the static strategy in each seat, None for a learner; seller first."""
    given: tuple[str, ...]
    """Words that took a seat, such as files, and are not in the list of strategies."""
    negotiations: int
    """Played in training so far."""
    finished: bool
    """Whether all cycles are done; what is played now is a test."""
    negotiation: Negotiation | None
    q_tables: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]
    """Each of shape (n_states, n_actions); None where no learner ever sat."""
    statistics: CycleStatistics
    per_second: float | None
    """Negotiations a second while playing on, else None."""
    compiled: bool
    tests: tuple[TestResult, ...]
    """The last test: corrected and as published."""
    notice: str
    """The last thing there was to say."""
    notices: int
    """How often there was something to say."""
    handled: int
    """How many commands it has carried out."""
    equilibria: Equilibria
    """For each opener, the equilibrium with each rule for the indifferent."""
    nash_conv: NashConv | None
    """How far the seats are from equilibrium, as they were when there was last time to look."""
    nash_convs: tuple[tuple[int, float], ...]
    """Cycles done, and NashConv then."""
    score: Score | None = None
    """Of the person at the table, None where nobody sits there."""
    what_if: Negotiation | None = None
    """The what-if that was asked for last."""
    recording: str | None = None
    """The name of the file that is played, None for a training."""
