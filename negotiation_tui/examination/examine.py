"""The examination of a player: five marks per role, each with its interval. There is no total.

A program is asked for its answers. Any other player hands over its probabilities, so that its marks
are exact; a learner is trained with itself first.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError, NoAnswerError
from negotiation_tui.examination.cassette import SUFFIX, Recorder, Replayer
from negotiation_tui.examination.consistency import consistency
from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.elicit import Elicited, elicit, questions_ahead
from negotiation_tui.examination.marks import (
    Disclosure,
    Examinee,
    Regret,
    Timed,
    best_against,
    calibration,
    disclosures,
    exploitability,
    opponents,
    regrets,
    yardstick,
)
from negotiation_tui.examination.results import Answered, ExamSetup, Marks, as_dict, as_text
from negotiation_tui.examination.talk import talk_mark
from negotiation_tui.game.learned import learned_of
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning.algorithms.base import Algorithm, Occupant
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import position_of
from negotiation_tui.learning.statistics import CycleStatistics, n_columns
from negotiation_tui.players.program import ProgramPlayer, Seat
from negotiation_tui.players.resolve import as_player, spec_of_player
from negotiation_tui.players.run import Run, trained_pair
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.output import SOON, ProgressBar, notice, tell_left
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.signals import time_limit
from negotiation_tui.runtime.text import duration, joined
from negotiation_tui.solvers.expected_play import decisions_before
from negotiation_tui.strategies.base import Strategy

_MANY = 1_000_000  # numbers in the tables of a role, for which marks take a while
_SPARE = 1.2  # the time that is enough for all questions, over the time that they seem to take
_RECIPE = "annealing"  # the recipe by which a learner is trained with itself


@sealed(frozen=True, eq=False)
class Examination:
    """A finished examination: marks per role. `str` gives its text."""

    setup: ExamSetup
    marks: tuple[Marks, ...]

    def __str__(self) -> str:
        return as_text(self.setup, self.marks)

    def to_dict(self) -> dict[str, Any]:
        """Return all marks as plain values, as `--json` prints them."""
        return as_dict(self.setup, self.marks)

    def save(self, path: str) -> None:
        """Save the tables like those of a training. Raises BadInputError if there are none."""
        game, by_role = self.setup.scenario, {each.role: each.table for each in self.marks}
        tables = pair(by_role.get(role) for role in Role)
        _check_tables(self.setup, tables)
        agents = pair(
            learned_of(policy=table and with_opener(game, role, table))
            for role, table in zip(Role, tables, strict=True)
        )
        statistics = CycleStatistics(np.zeros((0, n_columns(game)), np.int64))
        parameters = Parameters(discount_rate=self.setup.discount_rate)
        settings = game, parameters, self.setup.seed, True, Role.SELLER, agents, statistics
        save_tables(path, TrainedTables(*settings))


def _check_tables(setup: ExamSetup, tables: Sequence[TabularPolicy | None]) -> None:
    """Raise BadInputError for a player without tables that could be saved."""
    if not any(tables) or any(table and table.memory for table in tables):
        got = "a player that remembers offers, which has none"
        raise BadInputError(f"{setup.spec}: expected a player with a table, got {got}")


def with_opener(game: Scenario, role: Role, table: TabularPolicy) -> TabularPolicy:
    """Return a table with opener-aware states, of all limits."""
    dense, last = untrained_policy(game, role).probabilities.copy(), game.final_state
    for position in (position_of(v, role, s) for v in game.views[role] for s in range(last)):
        if position.ply < 2 * game.rounds:  # the opener meets no offer of the last round
            dense[position.row] = table.probabilities[table.row(position)]
    return TabularPolicy.of_probabilities(game, role, dense)


def examine(
    player: Occupant | str,
    scenario: ScenarioLike | None = None,
    role: Role | str | None = None,
    *,
    ask: int | None = None,
    minutes: float | None = None,
    seed: int | None = None,
    discount_rate: float | None = None,
    against: Iterable[str] | None = None,
    cassette: str | None = None,
    to_save: bool = False,
    show: Callable[[Examination], Examination] = lambda found: found,
) -> Examination:
    """Examine a player, as `negotiation-tui examine` does, by default as both roles of `original`.

    `against` names the opponents of the regret. A program, `cmd:PROGRAM ARGUMENTS`, is asked `ask`
    times (10) in each decision that it can reach, for at most some `minutes` (10); a bar shows its
    answers. Its lines are saved to `cassette`, also after an interruption. The name of a cassette
    repeats its examination; `role` and `against` may differ. Any other player hands over its
    probabilities; one without tables `to_save` is refused. `show` is called before the cassette is
    written. If the scenario has talk, a program is also asked after words of the other side.
    Raises BadInputError if that takes longer, for a program that gave too few answers, and for a
    setting that has no use.
    """
    given: dict[str, Any] = {"ask": ask, "minutes": minutes, "seed": seed}
    given["scenario"] = None if scenario is None else Scenario.of(scenario).with_opener
    given["roles"] = tuple(Role) if role == "both" else None if role is None else (Role.of(role),)
    given |= {"discount_rate": discount_rate, "against": against and tuple(against)}
    given = {name: value for name, value in given.items() if value is not None}
    if isinstance(player, str) and player.endswith(SUFFIX):
        _without_use(cassette=cassette)
        return show(replayed(player, **given))
    player = as_player(player)
    if not isinstance(player, ProgramPlayer):
        _without_use(cassette=cassette, ask=ask)
    game = given.setdefault("scenario", Scenario.original().with_opener)
    rate = game.discount(discount_rate)
    setup = ExamSetup(spec_of_player(player), **{**given, "discount_rate": rate})
    if not isinstance(player, ProgramPlayer):
        return show(Examination(setup, tuple(_exact(player, setup, to_save))))
    recorder = Recorder({"setup": setup.to_dict()})
    try:
        return show(Examination(setup, tuple(_asked(player, setup, setup, recorder))))
    finally:
        if cassette is not None:
            recorder.save(cassette)


def _without_use(**given: object) -> None:
    """Raise BadInputError if a setting of a program that is asked is given for another player."""
    for name, value in given.items():
        if value is not None:
            raise BadInputError(f"{name}: expected a program to ask, got another player")


def replayed(path: str, **given: Any) -> Examination:
    """Repeat the examination of a cassette to the bit, without the program.

    Roles and opponents may be others than recorded. Raises BadInputError if another setting is:
    only the program could answer then.
    """
    replayer = Replayer(path)
    setup = replayer.setup
    for name, value in given.items():
        known = getattr(setup, name)
        fits = {*value} <= {*known} if name == "roles" else name == "against" or value == known
        if not fits:
            expected = f"expected {_named(known)} as in {path}, got {_named(value)}"
            raise BadInputError(f"{name}: {expected}; examine the program again")
    program = ProgramPlayer(setup.spec, (setup.spec,))
    judged = replace(setup, **given)
    return Examination(judged, tuple(_asked(program, setup, judged, replayer)))


def _named(value: Any) -> str:
    if isinstance(value, Scenario):
        return f"{value.name}{value.delta_text} with{'' if value.talk else 'out'} talk"
    return joined(value) if isinstance(value, tuple) else f"{value:g}"


def _exact(player: Occupant, setup: ExamSetup, to_save: bool) -> Iterator[Marks]:
    """Yield the marks of a player that hands over its probabilities."""
    game, spec, most = setup.scenario, setup.spec, 60 * setup.minutes
    end = time.monotonic() + most
    if game.n_rows(Role.SELLER) * game.n_actions >= _MANY:
        notice(f"marks in at most {duration(most)} (--minutes); short of time, bounds are wider")
    slow = f"{spec}: its marks were not known after --minutes {setup.minutes:g}"
    with time_limit(most, NoAnswerError(slow)):
        given: tuple[TabularPolicy | Strategy, ...] = ()
        if isinstance(player, Algorithm):
            given = trained_pair(Run.by_recipe(game, _RECIPE, setup.seed, (spec, spec)))
        else:
            given = player, player
        examinees = [Examinee(game, r, given[r], setup.discount_rate) for r in setup.roles]
        if to_save:
            _check_tables(setup, [each.table for each in examinees])
        for each in examinees:
            each.answerers()
    for n, each in enumerate(examinees):
        seconds = (end - time.monotonic()) / (len(examinees) - n)
        yield _marks(setup, each, Timed(seconds))


def _asked(
    player: ProgramPlayer, setup: ExamSetup, judged: ExamSetup, lines: Recorder | Replayer
) -> Iterator[Marks]:
    """Ask by a setup; yield the marks by another one, whose roles and opponents may differ."""
    game, player = setup.scenario, replace(player, discount_rate=setup.discount_rate)
    most, parts = 60 * setup.minutes, len(setup.roles)
    estimated = isinstance(lines, Replayer)
    ahead = [questions_ahead(game, role, len(setup.against), setup.ask) for role in setup.roles]
    least, highest = map(sum, zip(*ahead, strict=True))
    if not estimated:
        limit = duration(most)
        talk = "with talk" if game.talk else "without talk"
        notice(f"about {least:,} to {highest:,} questions {talk}, in at most {limit} (--minutes)")
    with ProgressBar("answers") as bar:
        for n, role in enumerate(setup.roles):
            elicited = Elicited(game, role, np.random.default_rng([setup.seed, role]))

            def progress(n: int = n, elicited: Elicited = elicited) -> None:
                talked, seconds = elicited.talked, lines.clock()
                each = len(elicited.reachable) * (setup.ask + len(talked))
                given = elicited.given + sum(after.given for after in talked)
                share = max((n + given / each) / parts, seconds / max(most, seconds, 1))
                bar.show(int(min(1.0, share) * each * parts), each * parts)
                elicited.manners.check_reached(setup.spec)
                nonlocal estimated
                if not estimated and elicited.manners.questions >= SOON:
                    estimated, needed = True, _minutes_needed(setup, elicited)
                    if needed > setup.minutes:
                        whole = f"all questions take about {duration(60 * needed)}"
                        notice(f"{whole}, more than --minutes; {needed:g} would be enough")
                    else:
                        tell_left(60 * needed - seconds)

            new_seat = partial(Seat, player, role, lines.start, lines.clock)
            against = tuple(opponents(game, role.other, setup.against))
            share = most * ahead[n][1] / highest
            elicit(elicited, new_seat, against, setup.ask, share, lines.clock, progress)
            elicited.manners.check(f"{setup.spec} as the {role}")
            if not elicited.given:
                over = f"the time was over before the {role}'s decisions were asked"
                raise NoAnswerError(f"{setup.spec}: {over}; more --minutes")
            examinee = Examinee(game, role, elicited.answers, setup.discount_rate)
            bar.clear()
            with lines.timed(most / parts) as timed:
                if role in judged.roles:
                    yield _marks(judged, examinee, timed, elicited)


def _minutes_needed(setup: ExamSetup, elicited: Elicited) -> float:
    """Return about how many minutes are enough for all questions, at the pace so far."""
    counts = setup.scenario, len(setup.against), setup.ask
    ahead = [questions_ahead(counts[0], role, *counts[1:]) for role in setup.roles]
    total, manners = sum(each[bool(elicited.by_moves)] for each in ahead), elicited.manners
    return math.ceil(manners.seconds / manners.questions * total / 60 * _SPARE * 10) / 10


def _marks(
    setup: ExamSetup, examinee: Examinee, timed: Timed, elicited: Elicited | None = None
) -> Marks:
    """Return all marks in a role; a bar shows how many parts of them are known."""
    role, answered = examinee.role, _answered(setup, elicited) if elicited else None
    alike = not answered or answered.consistency.consistent
    whole = not answered or answered.asked == answered.reachable
    known = alike and whole  # by its table
    about = role, known and not examinee.sampled, examinee.table, answered
    game, against, rate = setup.scenario, setup.against, setup.discount_rate
    yards = (partial(yardstick, game, role, rate, (name,)) for name in OPPONENTS)
    total = len(against) * (1 + bool(game.limits[role])) + 1 + len(OPPONENTS)
    with ProgressBar(f"marks as the {role}") as bar:
        timed.progress = lambda done, most: bar.show(
            done, max(done, total), min(most, bar.left.seconds(done, total))
        )
        gain, leaks = None, tuple[Disclosure, ...]()
        regret = _in_play(setup, elicited, timed) if elicited and not alike else ()
        if known:
            regret = regrets(examinee, against, timed)
            gain = timed(partial(exploitability, examinee))
            leaks = disclosures(examinee, against, timed)
        judged = examinee if known else None
        talk = talk_mark(elicited, judged, against, timed) if elicited else ()
        named = tuple(chain(*map(timed, yards)))  # the last, because it tells least of the player
        why = "" if alike else "no table stands for a program that answers differently"
        if elicited and answered and elicited.over:
            why = f"not all was asked in time; --minutes {answered.minutes:g} would be enough"
        return Marks(*about, regret, gain, named, leaks, talk, timed.late, why)


def _answered(setup: ExamSetup, elicited: Elicited) -> Answered:
    first, second, _ = elicited.sources
    fewest = min(map(len, (*first.values(), *second.values())), default=0)
    scores = (
        (name, score)
        for name, table in opponents(setup.scenario, elicited.role.other, setup.against)
        if (score := calibration(elicited.beliefs.get(name, ()), table))
    )
    asked = len({*first, *second}), len(elicited.reachable), fewest
    found = consistency(elicited), elicited.follows, tuple(scores)
    return Answered(elicited.manners, *asked, *found, _minutes_needed(setup, elicited))


def _in_play(setup: ExamSetup, elicited: Elicited, timed: Timed) -> tuple[Regret, ...]:
    """Return the regret of a program in its negotiations, because no table stands for it.

    None against an opponent with whom not all negotiations were played.
    """
    game, role, rate, found = setup.scenario, elicited.role, setup.discount_rate, []
    weights = game.chances(role) * game.n_tables(role)  # each own limit plays equally often
    for name in setup.against:
        low, high = timed(partial(best_against, game, role, name, rate))
        earned = [
            weights[play.scenario.limit_index(role)] * _return(play, role, rate)
            for opponent, play in elicited.played
            if opponent == name
        ]
        if len(earned) == elicited.meetings[name] > 1:
            mean = Estimate.of(np.array(earned))
            best, error = (low + high) / 2, mean.error + (high - low) / 2
            found.append(Regret(name, best, Estimate(best - mean.mean, error), ()))
    return tuple(found)


def _return(play: Transcript, role: Role, rate: float) -> float:
    before = decisions_before(len(play.turns) - 1, role, play.opener)
    return rate ** int(before) * play.reward(role)
