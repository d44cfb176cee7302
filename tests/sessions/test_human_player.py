"""The score of a person, and the score of a best response in the same negotiations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import IllegalActionError, Player, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.sessions.human_player import HumanPlayer
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import tabulable, tabulate
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from tests.support.game import RandomPlayer, roles, scenarios, seeds

HIDDEN = Scenario.of("hidden")
opponents = st.sampled_from([*sorted(STRATEGIES), "boulware:accept=combi"])


def opponent_of(scenario: Scenario, role: Role, words: str) -> Player:
    """Return the player of a spec as a session does: a table if it has one."""
    opponent = strategy(words)
    if words == "best-response":  # to the learner's policy in the person's seat
        untrained = untrained_policy(scenario, role.other)
        pair = (opponent, untrained) if role is Role.SELLER else (untrained, opponent)
        return ready_players(scenario, *pair)[role]
    return tabulate(scenario, role, opponent) if tabulable(scenario, opponent) else opponent


def play(seat: HumanPlayer, role: Role, opener: Role, you: Player, seed: int) -> Transcript:
    """Play one negotiation with `you` in the person's seat."""
    rng, transcript = np.random.default_rng(seed), seat.begin(opener)
    while (position := transcript.position) is not None:
        assert position.role is role
        transcript = seat.answered(transcript.followed_by(int(you.act(position, rng))))
    return transcript


@given(
    scenario=scenarios(6, 4) | st.just(HIDDEN), role=roles, words=opponents, seed=seeds,
    data=st.data(),
)  # fmt: skip
def test_the_score_adds_up(
    scenario: Scenario, role: Role, words: str, seed: int, data: st.DataObject
) -> None:
    """A best response has the hidden limit of its role, and not the other's."""
    opponent = opponent_of(scenario, role.other, words)
    seat = HumanPlayer(scenario, role, opponent, np.random.default_rng(seed))
    openers = data.draw(st.lists(roles, min_size=1, max_size=6))
    played = [play(seat, role, opener, RandomPlayer(), seed) for opener in openers]
    ends = [(each.scenario, each.outcome.price) for each in played]
    rewards = [0.0 if price is None else game.reward(role, price) for game, price in ends]
    deals = [price for _, price in ends if price is not None]
    possible = sum(game.zopa is not None and len(game.possible_deals) > 0 for game, _ in ends)
    score = seat.score
    assert (score.role, score.negotiations, score.deals) == (role, len(openers), len(deals))
    assert (score.possible, score.last_earned) == (possible, rewards[-1])
    assert score.wallet == (sum(deals) if role is Role.SELLER else -sum(deals))
    assert score.earned == pytest.approx(sum(rewards))
    if isinstance(opponent, TabularPolicy):
        interim = best_response(scenario, role, opponent, discount_rate=1.0).interim
        best = [interim[each.opener, each.scenario.indices[role]] for each in played]
        assert score.expected == pytest.approx(sum(best))
        assert score.last_expected == best[-1]
    else:
        assert (score.expected, score.last_expected) == (None, None)


def test_nothing_is_counted_before_the_end() -> None:
    scenario = Scenario.original()
    opponent = opponent_of(scenario, Role.SELLER, "hardliner")
    seat = HumanPlayer(scenario, Role.BUYER, opponent, np.random.default_rng(0))
    transcript = seat.begin(Role.SELLER)
    assert [turn.role for turn in transcript.turns] == [Role.SELLER]
    begun = seat.begin(Role.BUYER)
    assert begun.turns == ()
    with pytest.raises(IllegalActionError):
        seat.answered(begun.followed_by(scenario.accept))
    assert (seat.score.negotiations, seat.score.last_earned) == (0, None)


@pytest.mark.parametrize("role", Role)
def test_limits_are_drawn_alike_whatever_the_moves(role: Role) -> None:
    opponent, drawn = tabulate(HIDDEN, role.other, strategy("boulware")), []
    for you in (RandomPlayer(), strategy("midpoint")):
        seat = HumanPlayer(HIDDEN, role, opponent, np.random.default_rng(3))
        played = [play(seat, role, opener, you, 1) for opener in [*Role] * 4]
        drawn.append([transcript.scenario.indices for transcript in played])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 3
