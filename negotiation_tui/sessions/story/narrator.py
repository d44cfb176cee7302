"""The narrator of a training: it finds what is new after evaluated cycles, and tells it once."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from negotiation_tui.game import memory
from negotiation_tui.game.negotiation import Transcript, negotiate
from negotiation_tui.game.plan import plan_of
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import ExactAlgorithm
from negotiation_tui.learning.nash_conv_series import NashConvSeries
from negotiation_tui.learning.random_streams import of_question
from negotiation_tui.players.resolve import spec_of_player
from negotiation_tui.players.spec import is_program, short_name
from negotiation_tui.sessions.snapshot import GameKey
from negotiation_tui.sessions.story import pair_facts
from negotiation_tui.sessions.story.fact import Fact, Story
from negotiation_tui.sessions.story.facts import KINDS
from negotiation_tui.sessions.story.moment import Moment, Plans, same
from negotiation_tui.sessions.story.pair_facts import Rivals
from negotiation_tui.sessions.timeline import RunTimeline, equilibria
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.strategies.matchup import tables_of

MINOR = 60  # a fact of less importance is told only if nothing was told for long
_SAMPLES = 256  # the most negotiations by the plans that are kept
PARTS = 5  # it may be told after this part of all cycles


def facts_at(now: Moment | Rivals) -> set[Fact]:
    """Return every fact that is true at a moment."""
    kinds: Mapping[Any, int] = KINDS
    if isinstance(now, Rivals):
        kinds = pair_facts.PAIR_KINDS
    elif now.scenario.hidden:
        from negotiation_tui.sessions.story.limit_facts import HIDDEN_KINDS

        kinds = HIDDEN_KINDS
    return {
        replace(fact, kind=kind.__name__, cycle=now.cycle, importance=importance)
        for kind, importance in kinds.items()
        for fact in kind(now)
    }


class Narrator:
    """Finds the facts of a training for its story.

    The screen chooses the one that it shows; the session notes it here on its command `Tell`.
    After those that two fixed rules show, one is found per moment: others may be found again later.
    """

    def __init__(self, timeline: RunTimeline) -> None:
        self._training, self._copies = timeline.training, timeline.copies
        self._chosen: set[Fact] = set()
        self._moment: Moment | None = None
        self._noted = -1  # the last cycle that was looked at
        self.story = Story()

    def note(self) -> None:
        episode, episodes = self._training.episode, self._training.parameters.episodes
        if episode % episodes or self._noted == episode // episodes:
            return
        now = self._rivals() or self.moment()
        if now is None:
            return
        self._noted = now.cycle
        found = facts_at(now) - self._chosen
        prologue = sorted((fact for fact in found if fact.rules), key=lambda fact: fact.about)
        ranked = sorted(found - {*prologue}, key=lambda f: (-f.importance, repr(f.about)))
        earlier = self.story.found
        long = now.cycle - (earlier[-1].cycle if earlier else 0) >= now.parameters.cycles // PARTS
        chosen = (*prologue, *[fact for fact in ranked if long or fact.importance >= MINOR][:1])
        self._chosen |= set(chosen)
        before, self._moment = self.story, now.alone if isinstance(now, Moment) else None
        coins = () if now.play is None else ((now.cycle, now.play.coins),)
        self.story = replace(
            before,
            news=chosen or before.news,
            found=before.found + chosen,
            coins=before.coins + coins,
            samples=(*before.samples, *self._samples(now))[-_SAMPLES:],
        )

    def _samples(self, now: Moment | Rivals) -> Iterator[tuple[int, Transcript]]:
        training = self._training
        players = pair(map(training.policy, Role))
        for opener in now.openers if now.cycle else ():  # nobody has learned in cycle 0
            rng = of_question(training.seed, training.episode, opener)
            yield now.cycle, negotiate(now.scenario, *players, opener, rng)

    def forget(self, players: bool) -> None:
        """Let nothing be told of a training that went on, nor of the `players` before."""
        found, news, cycle = self.story.found, self.story.news, self._training.cycle
        if players:
            self._moment, news = None, self._seated(cycle)
            self._chosen = {each for each in self._chosen if each.kind not in pair_facts.PAIR_NAMES}
        self.story = replace(self.story, caption=None, others=cycle, news=news, found=found + news)

    def tell(self, fact: Fact, key: GameKey) -> None:
        """Make a fact the caption of the negotiation with a key."""
        news = tuple(each for each in self.story.news if each != fact)
        self.story = replace(self.story, caption=fact, key=key, news=news)

    def _seated(self, cycle: int) -> tuple[Fact, ...]:
        """Return the fact of a pair that took its seats; nothing for two learners, or programs."""
        strategies = pair(self._training.strategy(role) for role in Role)
        names = pair(spec_of_player(each) if each else None for each in strategies)
        if not any(names) or any(name and is_program(name) for name in names):
            return ()
        play = None if None in names else self._play()
        fact = pair_facts.taken_seats(names, self._training.opener, play)
        return (replace(fact, cycle=cycle),)

    def _play(self) -> ExpectedPlay | None:
        """Return how the present players play; None without tables."""
        scenario = self._training.scenario
        tables = tables_of(scenario, *(self._training.policy(role) for role in Role))
        return tables and expected_play(scenario, *tables)

    def _rivals(self) -> Rivals | None:
        """Return a learner and the rule opposite; None if others sit, or without tables."""
        training, scenario = self._training, self._training.scenario
        rules = {role: rule for role in Role if (rule := training.strategy(role)) is not None}
        play = self._play() if len(rules) == 1 else None
        if play is None:
            return None
        ((role, rule),) = rules.items()
        latest, could_gain = training.nash_convs and training.nash_convs.latest, None
        if latest and latest[0] == training.episode and latest[1].exact:
            could_gain = latest[1].exploitability[role.other] * scenario.width
        name = short_name(spec_of_player(rule))
        return Rivals(training.parameters, training.cycle, role.other, name, play, could_gain)

    def moment(self) -> Moment | None:
        """Return the present moment; None without a learner, or without tables or with memories."""
        training, scenario = self._training, self._training.scenario
        if all(training.strategy(role) for role in Role):
            return None
        tables = tables_of(scenario, *(training.policy(role) for role in Role))
        if tables is None or any(table.memory != memory.NOTHING for table in tables):
            return None
        cycle, series = training.cycle, training.nash_convs or NashConvSeries()
        values, reached = dict(series.values), {each.cycle: each for each in series.reached}
        play = None if scenario.hidden else expected_play(scenario, *tables)
        plays = () if play is None else tuple(map(play.opened_by, Role))
        if series.latest and cycle in reached:
            play = series.latest[1].play
        before = self._moment
        unchanged = before is not None and all(map(same, before.tables, tables))
        return Moment(
            scenario,
            training.parameters,
            cycle,
            None if training.together else training.learner(cycle),
            self._plans(tables),
            plays,
            values.get(cycle),
            scenario.opener.roles,
            self._theory,
            before,
            before.unchanged_since if before and unchanged else cycle,
            training.together,
            frozenset(training.learning_roles or ()),
            frozenset(
                role
                for role, learner in training.learning.items()
                if not isinstance(learner.algorithm, ExactAlgorithm)
            ),
            tables,
            reached.get(cycle),
            play,
        )

    @property
    def _theory(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        training = self._training
        solved = equilibria(training.scenario, training.parameters.discount_rate)
        prices = ([equilibrium.path.outcome.price for equilibrium in each] for each in solved)
        return pair(tuple(sorted({p for p in each if p is not None})) for each in prices)

    def _plans(self, tables: tuple[TabularPolicy, TabularPolicy]) -> Plans:
        training = self._training
        return tuple(
            plan_of(training.scenario, role, source, limit=limit)
            for role in Role
            for source in [self._copies.of(role) if role in training.learning else tables[role]]
            for limit in range(training.scenario.n_tables(role))
        )
