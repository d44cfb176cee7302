"""The examination of a player: five marks per role, each with its interval. There is no total.

A program is asked for its answers. Any other player hands over its probabilities, so that its marks
are exact; a learner is trained with itself first.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError, NoAnswerError
from negotiation_tui.examination.cassette import SUFFIX, Cassette, is_old
from negotiation_tui.examination.consistency import consistency
from negotiation_tui.examination.copies import Copies
from negotiation_tui.examination.defaults import MOST_COPIES, OPPONENTS
from negotiation_tui.examination.elicit import Asker, Elicited, elicit, questions_ahead
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
from negotiation_tui.examination.old_cassette import Replayer
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
from negotiation_tui.players.program import ProgramPlayer
from negotiation_tui.players.resolve import as_player, spec_of_player
from negotiation_tui.players.run import Run, trained_pair
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.output import SOON, ProgressBar, notice, tell_left
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.signals import time_limit
from negotiation_tui.runtime.text import duration, joined
from negotiation_tui.runtime.validate import integer
from negotiation_tui.solvers.expected_play import decisions_before
from negotiation_tui.strategies.base import Strategy

_MANY = 1_000_000  # numbers in the tables of a role, for which marks take a while
_MAY_GROW = ("ask", "minutes")  # from one run of an examination to the next
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
    copies: int | None = None,
    to_save: bool = False,
    show: Callable[[Examination], Examination] = lambda found: found,
) -> Examination:
    """Examine a player, as `negotiation-tui examine` does, by default as both roles of `original`.

    `against` names the opponents of the regret. A program, `cmd:PROGRAM ARGUMENTS`, is asked `ask`
    times (10) in each decision that it can reach, for at most some `minutes` (10); a bar shows its
    answers. Its answers are kept in `cassette` as they come: the same call goes on from those that
    are there. `copies` of it are asked beside each other. The name of a cassette repeats its
    examination; `role` and `against` may differ. Any other player hands over its
    probabilities; one without tables `to_save` is refused. `show` is called before the cassette is
    closed. If the scenario has talk, a program is also asked after words of the other side.
    Raises BadInputError if that takes longer, for a program that gave too few answers, and for a
    setting that has no use.
    """
    given: dict[str, Any] = {"ask": ask, "minutes": minutes, "seed": seed}
    given["scenario"] = None if scenario is None else Scenario.of(scenario).with_opener
    given["roles"] = tuple(Role) if role == "both" else None if role is None else (Role.of(role),)
    given |= {"discount_rate": discount_rate, "against": against and tuple(against)}
    given = {name: value for name, value in given.items() if value is not None}
    if isinstance(player, str) and player.endswith(SUFFIX):
        _without_use(cassette=cassette, copies=copies)
        return show(replayed(player, **given))
    player = as_player(player)
    if not isinstance(player, ProgramPlayer):
        _without_use(cassette=cassette, copies=copies, ask=ask)
    game = given.setdefault("scenario", Scenario.original().with_opener)
    rate = game.discount(discount_rate)
    setup = ExamSetup(spec_of_player(player), **{**given, "discount_rate": rate})
    if not isinstance(player, ProgramPlayer):
        return show(Examination(setup, tuple(_exact(player, setup, to_save))))
    copies = integer("copies", 1 if copies is None else copies, 1, MOST_COPIES)
    tape = Cassette(cassette, live=True)
    try:
        if tape.setup:
            hint = "name another file"
            _check_alike(cassette or "", tape.setup, vars(setup), _goes_on, hint)
        tape.begin(setup)
        return show(Examination(setup, tuple(_asked(player, setup, setup, tape, copies))))
    finally:
        tape.close()


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
    tape, setup = _opened(path)
    _check_alike(path, setup, given, _repeats, "examine the program again")
    program = ProgramPlayer(setup.spec, (setup.spec,))
    judged = replace(setup, **given)
    return Examination(judged, tuple(_asked(program, setup, judged, tape)))


def setup_of(path: str) -> ExamSetup:
    """Return the settings of a cassette."""
    return _opened(path)[1]


def _opened(path: str) -> tuple[Cassette | Replayer, ExamSetup]:
    tape = Replayer(path) if is_old(path) else Cassette(path)
    assert tape.setup  # a file without one is refused
    return tape, tape.setup


def _repeats(name: str, known: Any, value: Any) -> bool:
    fits = {*value} <= {*known} if name == "roles" else name == "against"
    return fits or bool(value == known)


def _goes_on(name: str, known: Any, value: Any) -> bool:
    return bool(value >= known if name in _MAY_GROW else value == known)


def _check_alike(
    path: str,
    setup: ExamSetup,
    given: Mapping[str, Any],
    fits: Callable[[str, Any, Any], bool],
    hint: str,
) -> None:
    """Raise BadInputError for a setting that does not fit that of a cassette."""
    for name, value in given.items():
        known = getattr(setup, name)
        if not fits(name, known, value):
            expected = _named(known) + " or more" * (fits is _goes_on and name in _MAY_GROW)
            raise BadInputError(
                f"{name}: expected {expected} as in {path}, got {_named(value)}; {hint}"
            )


def _named(value: Any) -> str:
    if isinstance(value, Scenario):
        return f"{value.name}{value.delta_text} with{'' if value.talk else 'out'} talk"
    return joined(value) if isinstance(value, tuple) else str(value)


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
        needed = sum(each.seconds_to_ask() for each in examinees) / 60 * _SPARE
        if needed > setup.minutes:
            whole = f"{spec}: its answers after all offers take about {duration(60 * needed)}"
            least = math.ceil(10 * needed) / 10
            notice(f"{whole}, more than --minutes; {least:g} would be enough")
        for each in examinees:
            each.answerers()
    for n, each in enumerate(examinees):
        seconds = (end - time.monotonic()) / (len(examinees) - n)
        yield _marks(setup, each, Timed(seconds))


def _asked(
    player: ProgramPlayer,
    setup: ExamSetup,
    judged: ExamSetup,
    tape: Cassette | Replayer,
    copies: int = 1,
) -> Iterator[Marks]:
    """Ask by a setup; yield the marks by another one, whose roles and opponents may differ."""
    game, player = setup.scenario, replace(player, discount_rate=setup.discount_rate)
    most, ahead = 60 * setup.minutes, _ahead(setup, tape)
    least, highest = map(sum, zip(*ahead, strict=True))
    if isinstance(tape, Cassette) and tape.live:
        limit, before = duration(most), sum(tape.asked.values())
        talk = "with talk" if game.talk else "without talk"
        notice(f"about {least:,} to {highest:,} questions {talk}, in at most {limit} (--minutes)")
        if before:
            notice(f"{before:,} answers are in the cassette; only the rest is asked")
    with ProgressBar("answers") as bar:
        progress = _Progress(setup, bar, highest)
        for role, (_, share) in zip(setup.roles, ahead, strict=True):
            if isinstance(tape, Cassette):
                asker: Asker = Copies(tape, player, role, setup.seed, copies)
            else:
                asker = tape.asker(player, role)
            elicited = Elicited(game, role, asker.draws)
            asker.progress = partial(progress, tape, asker, elicited)
            against = tuple(opponents(game, role.other, setup.against))
            elicit(elicited, asker, against, setup.ask, most * share / highest)
            if not elicited.given and tape.stopped:
                raise NoAnswerError(tape.stopped)
            elicited.manners.check(f"{setup.spec} as the {role}")
            if not elicited.given:
                over = f"the time was over before the {role}'s decisions were asked"
                raise NoAnswerError(f"{setup.spec}: {over}; more --minutes")
            examinee = Examinee(game, role, elicited.answers, setup.discount_rate)
            bar.clear()
            with tape.timed(role, most / len(setup.roles)) as timed:
                if role in judged.roles:
                    needed = _minutes_needed(setup, tape, asker, elicited)
                    yield _marks(judged, examinee, timed, elicited, needed, tape.runs)


class _Progress:
    """A bar of answers; after some of them, a line says how long all of them take."""

    def __init__(self, setup: ExamSetup, bar: ProgressBar, most: int) -> None:
        self._setup, self._bar, self._most, self._estimated = setup, bar, most, False

    def __call__(self, tape: Cassette | Replayer, asker: Asker, elicited: Elicited) -> None:
        self._bar.show(min(sum(tape.asked.values()), self._most), self._most)
        if self._estimated or elicited.manners.questions < SOON:
            return
        self._estimated, needed = True, _minutes_needed(self._setup, tape, asker, elicited)
        if needed > self._setup.minutes:
            whole = f"all questions take about {duration(60 * needed)}"
            notice(f"{whole}, more than --minutes; {needed:g} would be enough")
        else:
            tell_left(60 * needed - asker.clock())


def _ahead(setup: ExamSetup, tape: Cassette | Replayer) -> list[tuple[int, int]]:
    """Return the least and the highest number of questions per role."""
    counts = len(setup.against), setup.ask, isinstance(tape, Cassette)
    return [questions_ahead(setup.scenario, role, *counts) for role in setup.roles]


def _minutes_needed(
    setup: ExamSetup, tape: Cassette | Replayer, asker: Asker, elicited: Elicited
) -> float:
    """Return about how many minutes are enough for all questions, at the pace so far."""
    total = sum(each[bool(elicited.by_moves)] for each in _ahead(setup, tape))
    return math.ceil(asker.pace(elicited.manners) * total / 60 * _SPARE * 10) / 10


def _marks(
    setup: ExamSetup,
    examinee: Examinee,
    timed: Timed,
    elicited: Elicited | None = None,
    minutes: float = 0.0,
    runs: int = 1,
) -> Marks:
    """Return all marks in a role; a bar shows how many parts of them are known."""
    role = examinee.role
    answered = _answered(setup, elicited, minutes, runs) if elicited else None
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


def _answered(setup: ExamSetup, elicited: Elicited, minutes: float, runs: int) -> Answered:
    first, second, _ = elicited.sources
    fewest = min(map(len, (*first.values(), *second.values())), default=0)
    scores = (
        (name, score)
        for name, table in opponents(setup.scenario, elicited.role.other, setup.against)
        if (score := calibration(elicited.beliefs.get(name, ()), table))
    )
    asked = len({*first, *second}), len(elicited.reachable), fewest
    found = consistency(elicited), elicited.follows, tuple(scores)
    return Answered(elicited.manners, *asked, *found, minutes, runs)


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
