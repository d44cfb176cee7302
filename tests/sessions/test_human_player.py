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


@given(scenario=scenarios(6, 4), role=roles, words=opponents, seed=seeds, data=st.data())
def test_the_score_adds_up(
    scenario: Scenario, role: Role, words: str, seed: int, data: st.DataObject
) -> None:
    opponent = opponent_of(scenario, role.other, words)
    seat = HumanPlayer(scenario, role, opponent, np.random.default_rng(seed))
    openers = data.draw(st.lists(roles, min_size=1, max_size=6))
    played = [play(seat, role, opener, RandomPlayer(), seed) for opener in openers]
    prices = [transcript.outcome.price for transcript in played]
    rewards = [0.0 if price is None else scenario.reward(role, price) for price in prices]
    deals = [price for price in prices if price is not None]
    score = seat.score
    assert (score.role, score.negotiations, score.deals) == (role, len(openers), len(deals))
    assert score.wallet == (sum(deals) if role is Role.SELLER else -sum(deals))
    assert score.earned == pytest.approx(sum(rewards))
    assert score.last_earned == rewards[-1]
    if isinstance(opponent, TabularPolicy):
        best = best_response(scenario, role, opponent, discount_rate=1.0).values
        assert score.expected == pytest.approx(sum(best[opener] for opener in openers))
        assert score.last_expected == best[openers[-1]]
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


def haggle(you: Player, role: Role) -> tuple[HumanPlayer, list[Transcript]]:
    """Play in `hidden` against a strategy that opens by its own limit."""
    scenario = Scenario.of("hidden")
    opponent = tabulate(scenario, role.other, strategy("boulware"))
    seat = HumanPlayer(scenario, role, opponent, np.random.default_rng(3))
    return seat, [play(seat, role, opener, you, 1) for opener in [*Role] * 4]


@pytest.mark.parametrize("role", Role)
def test_a_best_response_has_its_own_hidden_limit_and_not_the_other(role: Role) -> None:
    seat, played = haggle(RandomPlayer(), role)
    indices = [transcript.scenario.indices for transcript in played]
    assert len(set(indices)) > 3
    others = haggle(strategy("midpoint"), role)[1]
    assert indices == [transcript.scenario.indices for transcript in others], "whatever the moves"
    scenario = Scenario.of("hidden")
    opponent = tabulate(scenario, role.other, strategy("boulware"))
    interim = best_response(scenario, role, opponent, 1.0).interim
    games = [transcript.scenario for transcript in played]
    expected = [interim[each.opener, each.scenario.indices[role]] for each in played]
    assert seat.score.expected == pytest.approx(sum(expected))
    possible = [game.limit(Role.SELLER) <= game.limit(Role.BUYER) for game in games]
    assert seat.score.possible == sum(possible)
    rewards = (
        (game.limit(role) - price if role is Role.BUYER else price - game.limit(role)) / 5
        for transcript, game in zip(played, games, strict=True)
        if (price := transcript.outcome.price) is not None
    )
    assert seat.score.earned == pytest.approx(sum(rewards))
    assert seat.score.deals <= seat.score.possible < seat.score.negotiations
