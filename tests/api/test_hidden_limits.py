"""Training with hidden limits in a script and on the command line."""

import json
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import BadInputError, Role
from negotiation_tui.cli.main import main
from negotiation_tui.learning.report import result_text
from tests.support.hidden import HIDDEN

GAME = HIDDEN["narrowed"]  # seller -3, 3, 8; buyer 5, 17


@pytest.fixture(scope="module")
def trained() -> nt.Trained:
    return nt.train(GAME, cycles=10, episodes=40, seed=3, seller="learned:wolf-phc")


def test_tables_are_by_limit(trained: nt.Trained) -> None:
    for role, limits in ((nt.Role.SELLER, 3), (nt.Role.BUYER, 2)):
        values, chances = trained.q_table(role), trained.probabilities(str(role))
        assert values.shape == chances.shape == (limits, 17, 7)
        for k, view in enumerate(GAME.views[role]):
            illegal = sorted({0, 1, 2, 3, 4} - set(view.offers(role)))
            assert not chances[k][:, illegal].any()
            np.testing.assert_allclose(chances[k, :-1].sum(axis=1), 1)
        np.testing.assert_array_equal(np.concatenate(values), trained.q_tables[role, : limits * 17])


def test_a_figure_is_of_one_limit(trained: nt.Trained) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    lowest, chosen = (nt.figures.q_table(trained, "seller", limit=k) for k in (None, 8))
    assert lowest.get_title() == "seller's Q-table, limit -3"
    assert chosen.get_title() == "seller's Q-table, limit 8"
    assert len(chosen.texts) == np.count_nonzero(trained.q_table("seller")[2])
    with pytest.raises(nt.BadInputError, match="limit of the seller: expected -3, 3 or 8, as in"):
        nt.figures.q_table(trained, "seller", limit=4)
    chosen.figure.clear()
    lowest.figure.clear()


def test_a_test_tells_the_mean_rewards(trained: nt.Trained) -> None:
    result = trained.test(4000).to_dict()
    for role in nt.Role:
        expected = trained.nash_conv(discount_rate=1).values[role]
        assert result[f"{role}_mean_reward"] == pytest.approx(expected, abs=0.03)
    gained = result["seller_mean_reward"], result["buyer_mean_reward"]
    text = result_text(trained.test(4000))
    assert f"mean reward {gained[0]:.3f} to the seller, {gained[1]:.3f} to the buyer, " in text
    assert (
        f", {sum(gained):.3f} of {nt.first_best(trained.scenario):.3f} possible on average" in text
    )
    assert "mean reward" not in result_text(nt.train(cycles=2).test(10))


def test_the_command_prints_a_table_per_limit(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["train", "--scenario", "hidden", "--cycles", "2", "--episodes", "20"]
    assert main(command) == 0
    text = capsys.readouterr().out
    for role, limits in (("seller", range(5)), ("buyer", range(1, 6))):
        assert [f"{role}'s Q-table, limit {limit}\n" in text for limit in limits] == [True] * 5
    assert main([*command, "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    (cycle, nash_conv), last = values["nash_convs"][-1], values["reached"][-1]
    assert (cycle, nash_conv) == (2, pytest.approx(last["least"])), "it is exact"
    assert 0 <= last["efficiency"] <= 1


class Recorder(nt.Learner):
    told: ClassVar[list[nt.Position]] = []

    def probabilities(self, position: nt.Position) -> list[float]:
        legal = list(position.legal)
        return [float(action in legal) / len(legal) for action in range(self.scenario.n_actions)]

    def learn(self, episode: Sequence[nt.Transition]) -> None:
        self.told.extend(each.position for each in episode)


def test_a_learner_of_ones_own_is_told_its_own_limit_alone() -> None:
    trained = nt.train(GAME, learner=Recorder, cycles=4, episodes=30, seed=1)
    seen: set[tuple[nt.Role, int]] = set()
    for position in Recorder.told:
        role, encoded = position.role, nt.features(position)
        limits = GAME.limits[role]
        assert limits
        index = position.scenario.limit_index(role)
        assert position.limit == limits.values[index]
        assert position.row == index * GAME.n_states + position.state
        assert position.scenario.limit(role.other) == GAME.limit(role.other), "as if unknown"
        share = (position.limit - limits.values[0]) / (limits.values[-1] - limits.values[0])
        assert encoded.shape == (4 + 5 + 1,)
        assert encoded[-1] == pytest.approx(share)
        seen.add((role, position.limit))
    assert {limit for _, limit in seen} == {-3, 8, 5, 17}
    for role in nt.Role:
        uniform = trained.probabilities(role)
        for k, view in enumerate(GAME.views[role]):
            first = np.flatnonzero(uniform[k, 0]).tolist()
            assert first == list(view.offers(role))


def test_limits_may_be_given() -> None:
    talk = nt.negotiate("hidden", "boulware", "conceder", limits=(2, 4))
    game = talk.scenario
    assert (game.limit(Role.SELLER), game.limit(Role.BUYER)) == (2, 4)
    assert all(turn.price >= 2 for turn in talk.turns if turn.role is Role.SELLER and turn.price)
    best = nt.negotiate("hidden", "best-response", "linear", limits=(0, 5))
    assert best.scenario.reward(Role.SELLER, best.outcome.price or 0) > 0


def test_a_limit_that_is_not_given_is_drawn() -> None:
    met = {nt.negotiate("hidden", "linear", "linear", rng=seed).scenario for seed in range(40)}
    assert len(met) > 15
    some = {
        nt.negotiate("hidden", "linear", "linear", rng=seed, limits=(None, 1)).scenario
        for seed in range(40)
    }
    assert {game.indices for game in some} == {(k, 0) for k in range(5)}


def test_a_game_that_was_drawn_is_played_as_it_is() -> None:
    game = HIDDEN["hidden"].drawn(3, 4)
    assert nt.negotiate(game, "linear", "linear").scenario is game
    given = nt.negotiate("hidden", "best-response", "boulware", limits=(3, 5))
    assert nt.negotiate(game, "best-response", "boulware").outcome == given.outcome
    trained = nt.train("hidden", cycles=2)
    assert nt.negotiate(game, trained, "boulware").scenario is game


@pytest.mark.parametrize(
    ("scenario", "limits", "said"),
    [
        ("hidden", (5, 1), "limit of the seller: expected 0, 1, 2, 3 or 4, as in scenario hidden"),
        ("original", (None, 3), "limit of the buyer: expected None, as in scenario original"),
        ("hidden", 3, "limits: expected a pair"),
    ],
)
def test_limits_that_a_role_does_not_have(scenario: str, limits: tuple[int], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        nt.negotiate(scenario, "linear", "linear", limits=limits)
