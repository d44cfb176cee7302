"""Snapshots of earlier moments of a training."""

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.nash_conv_series import NashConvSeries, judged_seldom, nash_conv_of
from negotiation_tui.learning.rewind import MoreCycles, NewOpener, NewSeat, RewindableTraining
from negotiation_tui.players.resolve import spec_of_occupant
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions import snapshot as parts
from negotiation_tui.sessions.limits_held import believed
from negotiation_tui.sessions.snapshot import Negotiation, Past, Snapshot
from negotiation_tui.sessions.table_copies import TableCopies
from negotiation_tui.sessions.time_line import TimeLine


def last_episode(training: ConcurrentTraining, number: int) -> Negotiation | None:
    """Return the last negotiation that was learned from, as number `number`; None if none was."""
    if training.last_negotiation is None:
        return None
    cycle, episode = divmod(training.episode - 1, training.parameters.episodes)
    in_turn = training.learners[-1][1]  # a seat may have changed since
    together = in_turn is None and training.together
    learner = training.learner(cycle) if together else in_turn and in_turn[cycle % 2]
    return Negotiation(
        number,
        cycle,
        episode,
        learner,
        training.epsilon,
        False,
        training.last_negotiation,
        together=together,
    )


def look_back(
    course: RewindableTraining, episode: int, setup: parts.TrainingSetup, theory: parts.Theory
) -> Past:
    """Return the snapshots as they were after an episode and before it.

    The second is None before the first episode. The training itself is not disturbed. `theory` is
    the present one. The players of a game that is `judged_seldom` are not judged again.
    """

    def snapshot() -> Snapshot:
        seats = parts.Seats(opener=then.opener)
        for role, occupant in zip(Role, then.occupants.seated, strict=True):
            seats = seats.occupied(role, spec_of_occupant(occupant))
        known = series.up_to(then)
        judged = known.values, known.reached
        now = None if judged_seldom(setup.scenario) else nash_conv_of(then)
        negotiation = last_episode(then, then.episode)
        return Snapshot.of(
            parts.TrainingSetup(setup.scenario, then.parameters, setup.seed),
            seats,
            parts.Progress(
                then.episode,
                then.finished,
                negotiation and believed(then, negotiation),
                time_line=time_line(course, then.episode),
            ),
            copies.learned(),
            parts.Theory(theory.equilibria, now, *judged, theory.ceiling),
        )

    series = course.training.nash_convs or NashConvSeries()
    then = course.training_at(max(0, episode - 1))
    then.nash_convs = None  # judged before
    copies = TableCopies(then)
    if episode == 0:
        return snapshot(), None
    before = snapshot()
    course.advance(then, 1)
    return snapshot(), before


def time_line(course: RewindableTraining, now: int) -> TimeLine:
    """Return the course of a training, with the changes that the user made after it began."""
    parameters = course.training.parameters
    stops = range(0, parameters.total + 1, parameters.episodes)
    changes = tuple((episode, _words(change)) for episode, change in course.changes if episode > 0)
    return TimeLine(now, parameters.total, stops, "cycle", parameters.episodes, changes)


def _words(change: NewSeat | NewOpener | MoreCycles) -> str:
    match change:
        case NewSeat(role, occupant) if occupant == Q_LEARNING:
            return f"the {role} plays its learned table"
        case NewSeat(role, Algorithm(name=name)):
            return f"the {role} learns by {name}"
        case NewSeat(role, occupant):
            return f"the {role} plays {spec_of_occupant(occupant)}"
        case NewOpener(opener):
            return f"openers: {opener}"
        case MoreCycles(cycles):
            return f"{plural(cycles, 'cycle')} more"
