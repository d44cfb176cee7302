"""Lessons on learning: Q-tables, exploration, states that say who opened, and who learned first."""

from functools import partial

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import corrected, published, reverse_curriculum
from negotiation_tui.learning.schedules import epsilons
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.text import coins
from negotiation_tui.sessions.tour_session import Task
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.subgame_perfect import EQUAL
from negotiation_tui.tui.tour.lesson import choices, lesson

_SCENARIO = Scenario.original()
PUBLISHED, CORRECTED = published(_SCENARIO), corrected(_SCENARIO)
LUCKY_SEED, _SEED = 5, 7
"""Seed of a training in which the seller accepts in the first negotiation and gains; of others."""

WHO_IS_PERFECT = "the one that is told", "the one that is not", "both", "neither"
MORE_OR_LESS = "more than if second", "less than if second", "about as much"
_lesson = partial(
    lesson,
    {
        "WHO_IS_PERFECT": WHO_IS_PERFECT,
        "MORE_OR_LESS": MORE_OR_LESS,
        "tested": lambda model: bool(model.latest.replies.tests),
        "a_cycle": lambda model: model.latest.negotiations >= PUBLISHED.episodes,
        "three_cycles": lambda model: model.latest.negotiations >= 3 * PUBLISHED.episodes,
    },
)


def first_update() -> Task:
    """Train for one negotiation, and read the entry that it changed, in coins."""
    yield 0.0
    training = ConcurrentTraining(_SCENARIO, PUBLISHED, LUCKY_SEED)
    training.run_episodes(1)
    table = training.q_table(Role.SELLER)
    ((state, action),) = np.argwhere(table)
    assert training.last_negotiation is not None
    price = training.last_negotiation.outcome.price
    assert price is not None
    assert action == _SCENARIO.accept
    _, time = _SCENARIO.offer_and_time(int(state))
    reward, rate = _SCENARIO.gains(price)[Role.SELLER], PUBLISHED.learning_rate
    value = float(table[state, action]) * _SCENARIO.width
    second = value + rate * (reward - value)
    later = choices(value, second, value + reward, digits=2)
    return {
        **choices(value, reward, (1 - rate) * reward, digits=2),
        **{name.replace("choice", "later"): text for name, text in later.items()},
        "price": f"{price}",
        "round": f"{time + 1}",
        "reward": f"{reward:.2f}",
        "coins": coins(reward),
        "value": f"{value:.2f}",
        "second": f"{second:.2f}",
    }


Q_TABLE = _lesson(
    lambda: TrainingSession(Run(_SCENARIO, PUBLISHED, LUCKY_SEED)),
    first_update,
    """
table | What a Q-table is | compute by hand what one negotiation teaches
- say seller
Now they learn. For each situation (state: the price on the table and the round) and each thing to
do (action) a table holds a guess of how many coins it will earn. At first all guesses are 0, so
every move is as good as any other.
- ask value: {choice_1} | {choice_2} | {choice_3}
In the first negotiation the seller will accept {price} in round {round} and gain {coins}. Its
guess for that is 0. A guess moves a part of the way to what was seen: 0.1 of it (the learning
rate α). What will stand in the table?
→ 0 + 0.1 × ({reward} − 0) = {value}. One lucky deal must not decide, so each counts only a
little.
- do over seller
Press {negotiation} and see it; the first lines of the seller's Q-table say what it is now.
{values} shows the guesses of all situations, and the plan again.
- ask second: {later_1} | {later_2} | {later_3}
The seller accepts {price} in round {round} a second time, and gains {coins} again. And now?
→ {value} + 0.1 × ({reward} − {value}) = {second}. The steps get smaller near the truth, {reward},
and the guess never passes it.
- do a_cycle seller
Earlier moves learn from the guesses of later ones, so knowledge creeps back from the end of the
game. Press {cycle}: a hundred games at once fill the table.
""",
)


def shares_of_guesses() -> Task:
    """Compute the share of guesses (mean ε) in the last cycle, as published and as corrected."""
    yield 0.0
    facts = {}
    for name, parameters in (("published", PUBLISHED), ("corrected", CORRECTED)):
        stop = parameters.total
        share = 100 * float(epsilons(parameters, stop - parameters.episodes, stop).mean())
        facts[name] = f"about {min((10, 50, 100), key=lambda near: abs(near - share))}%"
        facts[f"{name}_exactly"] = f"{share:.1f}%"
    return facts


EXPLORATION = _lesson(
    lambda: TrainingSession(Run(_SCENARIO, PUBLISHED, _SEED)),
    shares_of_guesses,
    """
exploration | Exploration | see why learners must guess, and how much is too much
- say price
If you only do what seems best, you never find out what is better. So a learner sometimes guesses:
it moves at random (explores) with a probability ε. The original lets ε fall from 1 toward 0.1, a
little with each game.
- do three_cycles
Press {cycle} 3 times. Each time one of the two trains for a whole cycle. Watch what the bar and
the plans say.
- ask published: about 10% | about 50% | about 100%
There are 50 cycles. In the last one, what share of the learner's moves is still a guess?
→ {published_exactly}: the original starts ε over in each cycle, and a cycle is too short for it
to fall. The learners practise against noise until the end.
- ask corrected: about 10% | about 50% | about 100%
Suppose that ε falls only once, over the whole training (recipe corrected). What is the share of
guesses in the last cycle?
→ {corrected_exactly}. Learning is slow at first and sure at last, so now the end of the training
shows what was learned.
- do finished learning
Press {cycle} again and again, or {faster} up to flat out and {run}, until all 50 cycles are done.
The number that both could still gain (NashConv) stays above 0.
""",
)


_TOLD = _SCENARIO.with_opener
CYCLES_PER_PIECE = 10


def told_and_not_told() -> Task:
    """Train with both kinds of states, and compare NashConv."""
    found = []
    for n, scenario in enumerate((_TOLD, _SCENARIO)):
        training = ConcurrentTraining(scenario, reverse_curriculum(scenario), _SEED)
        while not training.finished:
            training.run(CYCLES_PER_PIECE)
            yield (n + training.episode / training.parameters.total) / 2
        seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
        found.append(nash_conv(scenario, seller, buyer).total)
    with_opener, without = found
    best = {(True, False): 0, (False, True): 1, (True, True): 2, (False, False): 3}
    return {
        "perfect": WHO_IS_PERFECT[best[with_opener <= EQUAL, without <= EQUAL]],
        "told": coins(with_opener * _TOLD.width),
        "not_told": coins(without * _SCENARIO.width),
    }


WHO_OPENS = _lesson(
    lambda: TrainingSession(Run(_TOLD, reverse_curriculum(_TOLD), _SEED)),
    told_and_not_told,
    """
opener | Who opens | see why some tables can never hold a perfect plan
- say seller
In lesson 3 everything depended on who opens. But a published state is only a price and a round, so
it does not say who opened. One row of the table must serve both cases.
- say
This training has states that say who opened (opener-aware), and learns from the end: first the
last moves, then the ones before (reverse curriculum). One number tells how good a pair of plans is:
what both would gain together if each alone switched to its best plan (NashConv).
- ask perfect: WHO_IS_PERFECT
Two such trainings, 120 cycles each. One is told who opened, one is not. Which one ends with plans
that cannot be improved (NashConv 0)?
→ Told: both could still gain {told}. Not told: {not_told}. In the last round the opener
still has the last offer and should ask for all; the other side should take what it can get. One
row cannot do both.
- do finished learning
Press {run} to see it. The training takes a few seconds; watch what is still to gain.
- say seller
A learner can only be as good as what it can tell apart. So the fault lay in the published states,
not in the learning.
""",
    pace="flat",
)


_PAIRS = 24  # pairs of trainings, of one seed each: the seller first, and the buyer first
NOISE = 3.0  # standard errors that a difference must have to count as one


def left_over(seed: int, first: Role) -> tuple[int, int]:
    """Return the seller's left-over wallet one cycle before the end, and at the end."""
    training = ConcurrentTraining(_SCENARIO, PUBLISHED, seed, train_agent=first)
    training.run(PUBLISHED.cycles - 1)
    before = training.statistics.left_over
    training.run(1)
    return before, training.statistics.left_over


def wallets_left_over() -> Task:
    """Train the pairs, and compare the left-over wallets: seller first less buyer first."""
    found = []
    for seed in range(_PAIRS):
        seller_first, buyer_first = (left_over(seed, role) for role in Role)
        found.append(np.subtract(seller_first, buyer_first))
        yield (seed + 1) / _PAIRS
    means, spreads = np.mean(found, axis=0), np.std(found, axis=0, ddof=1)
    facts = {}
    for name, mean, spread in zip(("one_less", "at_the_end"), means, spreads, strict=True):
        certain = abs(mean) >= NOISE * spread / np.sqrt(_PAIRS)
        facts[name] = MORE_OR_LESS[0 if mean > 0 else 1] if certain else MORE_OR_LESS[2]
        facts[f"difference_{name}"] = f"{mean:+.0f}".replace("-", "−")
    return facts


FIRST_TRAINED = _lesson(
    lambda: TrainingSession(Run(_SCENARIO, PUBLISHED, _SEED)),
    wallets_left_over,
    """
first | The first-trained riddle | solve the puzzle that the original left open
- say wallets
The original trained both in turn for 50 cycles, then tested them. The seller's wallet held 2,846
after the test if it was trained first, 2,681 if it was trained second. “We have no idea how to
solve it,” the authors wrote.
- do finished
Press {run} to see the published training, the seller first, to its end.
- say
In each cycle one side learns and guesses nearly always; the other side plays what it knew a cycle
ago (frozen), and profits. The test also did not empty the wallets, so they still held what the
last training cycle left there.
- ask at_the_end: MORE_OR_LESS
Trained first, the seller is not the learner of the last cycle: the buyer is. What does the last
cycle leave in the seller's wallet?
→ 24 pairs of trainings: {difference_at_the_end} on average. The published difference was 165.
That solves the riddle: what counts is not who learned first, but who guessed last.
- ask one_less: MORE_OR_LESS
Stop one cycle earlier, after 49. Now the seller, trained first, is also the learner of the last
cycle. What is left in its wallet?
→ {difference_one_less} on average, so one cycle fewer reverses the result. A measurement that
depends on an odd or even number of cycles measures something else.
- do tested
Press {test} for a thousand test games, with empty wallets and as published.
""",
    pace="flat",
)
