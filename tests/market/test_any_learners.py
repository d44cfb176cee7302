"""Markets of agents that learn in other ways than plain Q-learning, and with hidden limits."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import LEARNERS, Opener, Role, Transcript, strategy
from negotiation_tui.game.learned import WithPolicy
from negotiation_tui.game.roles import pair
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.checkpoint import save_tables
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.market import economics, roster, summary
from negotiation_tui.market.agents import Agent, with_teams
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from negotiation_tui.market.traders import scenario_for
from negotiation_tui.players import user_strategy
from negotiation_tui.strategies import base
from tests.support.cli import printed
from tests.support.game import game
from tests.support.mixed import random_policy
from tests.support.trained_tables import trained

GAME = Scenario.original()
LIMITS = "negotiations=600", "steps=200"
SELLERS = "learned:sarsa", "boulware", "learned:roth-erev", "averaged-tit-for-tat"
BUYERS = "learned", "learned:wolf-phc:delta_win=0.02", "learned:boltzmann", "zero-intelligence"
TRYING = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]


def market(
    sellers: tuple[str, ...] = SELLERS,
    buyers: tuple[str, ...] = BUYERS,
    limit: str = LIMITS[0],
    learning: Learning = Learning(),  # noqa: B008 - immutable
    team_reward: bool = False,
) -> MarketSimulation:
    agents = [
        Agent(f"{role}-{number}", role, abs(5 * role - number % 3), strategy, learning)
        for role, strategies in zip(Role, (sellers, buyers), strict=True)
        for number, strategy in enumerate(strategies)
    ]
    if team_reward:
        agents = with_teams(agents, {"ours": ["seller-0", "buyer-0", "buyer-1"]})
    return MarketSimulation(GAME, agents, RunLength.of(limit), 3, team_reward)


@pytest.mark.parametrize(("limit", "team_reward"), [(LIMITS[0], False), (LIMITS[1], True)])
def test_q_learning_among_any_learners_is_plain_q_learning(limit: str, team_reward: bool) -> None:
    """Settings in the spec select the loop of any learners, with the same bits."""

    def of(spec: str, learning: Learning) -> MarketSimulation:
        both = (spec, spec, "boulware"), (spec, spec, "hardliner")
        return market(*both, limit, learning, team_reward)

    plain = of("learned", Learning(learning_rate=0.3))
    other = of("learned:q-learning:learning_rate=0.3", Learning())
    assert plain.traders.plain
    assert not other.traders.plain
    plain.run()
    other.run()
    found = other.state()
    for name in plain.state().keys() & found.keys():
        np.testing.assert_array_equal(plain.state()[name], found[name], err_msg=name)
    for agent in range(6):
        expected = plain.table(agent)
        assert (expected is None) == (agent % 3 == 2)
        assert expected is None or expected.any()
        np.testing.assert_array_equal(expected, other.table(agent))


def test_the_spec_of_plain_q_learning_is_the_plain_market() -> None:
    chosen = market(("learned:q-learning",), ("learned",))
    assert chosen.traders.plain
    assert [agent.strategy for agent in chosen.agents] == ["learned", "learned"]


def test_kinds_add_up() -> None:
    chosen = market()
    chosen.run()
    rows, accounts = summary.kinds(chosen), summary.accounts(chosen)
    assert len(rows) == 8
    for name in ("negotiations", "deals", "surplus"):
        assert sum(row[name] for row in rows) == sum(row[name] for row in accounts)
    text = summary.text(chosen)
    assert "1 buyer who learns by wolf-phc:delta_win=0.02" in text
    assert "sellers, roth-erev" in text
    assert summary.market_dict(chosen)["kinds"] == rows
    plain = market(("learned",), ("boulware",))
    assert "kinds" not in summary.market_dict(plain)


def test_populations_of_a_file_have_their_own_learners(tmp_path: Path) -> None:
    path = tmp_path / "agents.toml"
    path.write_text(
        '[[seller]]\nname = "north"\ncount = 2\nstrategy = "learned:sarsa:learning_rate=0.20"\n'
        '[[buyer]]\nstrategy = "learned:q-learning"\n[[buyer]]\ncount = 2\n'
    )
    agents = roster.read_roster(path, GAME, population_generator(0))
    chosen = MarketSimulation(GAME, agents, RunLength.of(LIMITS[0]), 3)
    sarsa = "learned:sarsa:learning_rate=0.2"
    assert [agent.strategy for agent in chosen.agents] == [sarsa, sarsa, *["learned"] * 3]


def test_openings_are_as_frequent_as_their_weights() -> None:
    game = replace(GAME, opener=Opener.SELLER)
    rng = np.random.default_rng(1)
    policies = random_policy(GAME, Role.SELLER, rng), random_policy(GAME, Role.BUYER, rng)
    save_tables("m.npz", replace(trained(GAME), agents=pair(map(WithPolicy, policies))))
    seller = policies[0].probabilities[START, :5]
    assert 0 < seller.max() < 1
    agents = [Agent(f"s{n}", Role.SELLER, 0, "m.npz") for n in range(200)]
    agents += [Agent(f"b{n}", Role.BUYER, 5, "zero-intelligence") for n in range(200)]
    counts = np.zeros(5)
    market = MarketSimulation(game, agents, RunLength("negotiations", 10_000), 5)
    while not market.finished:
        counts += np.bincount(market.watch().turns[:, 0], minlength=5)
    assert counts / 10_000 == pytest.approx(seller, abs=5 * 0.005)


SPECS = (
    *("learned", "micro", "tit-for-tat", "midpoint", "random-tit-for-tat:accept=time,time=0.7"),
    *("averaged-tit-for-tat", "tit-for-tat:delta=2", "linear"),
)


def test_every_action_is_one_of_the_strategy() -> None:
    game = Scenario.from_dict({"prices": 6, "rounds": 6})
    agents = [
        Agent(f"{role}-{n}", role, worth - n % 2 if role else n % 2, spec)
        for role, worth in ((Role.SELLER, 1), (Role.BUYER, 6))
        for n, spec in enumerate(SPECS)
    ]
    market = MarketSimulation(game, agents, RunLength("negotiations", 10_000), 5)
    played: Counter[str] = Counter()
    for _ in range(60):
        met = market.watch()
        for at in range(len(met)):
            pair = [market.agents[met.of(role)[at]] for role in Role]
            transcript = met.transcript(at, game)
            for n, turn in enumerate(transcript.turns):
                assert turn.role is met.learner(at) or not turn.explored
                agent = pair[turn.role]
                if agent.strategy == "learned":
                    continue
                own = scenario_for(game, agent)
                position = Transcript(own, transcript.opener, transcript.turns[:n]).position
                held = strategy(agent.strategy).in_seat(own, agent.role)
                assert position is not None
                assert turn.action in held.support(position), (agent, position)
                played[agent.strategy] += 1
    assert min(played[spec] for spec in SPECS[1:]) > 300


@pytest.mark.parametrize(
    ("spec", "noted"), [("learned", False), ("linear", False), ("micro", True)]
)
def test_offers_are_noted_only_where_a_strategy_heeds_them(spec: str, noted: bool) -> None:
    agents = [Agent("a", Role.SELLER, 1, spec), Agent("b", Role.BUYER, 5, "learned")]
    market = MarketSimulation(Scenario.original(), agents, RunLength("negotiations", 50), 0)
    market.run()
    assert np.any(market._offers or 0) == noted


@pytest.mark.parametrize("n", [4, 40])
def test_work_does_not_grow(n: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done, path = Counter[str](), tmp_path / "agents.toml"

    def count(module: object, name: str) -> None:
        called = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: done.update([name]) or called(*given))

    base._cached_table.cache_clear()
    count(roster, "resolve_trusted")
    count(user_strategy, "listed_names")
    kinds = ("learned", "boulware", "learned", "boulware:beta=0.5")
    path.write_text(
        "".join(
            f'[[{role}]]\nname = "{role}{k}"\nstrategy = "{kinds[k % 4]}"\nreservation = {worth}\n'
            for k in range(n)
            for role, worth in (("seller", 1), ("buyer", 4))
        )
    )
    found = roster.read_roster(path, GAME, population_generator(0))
    market = MarketSimulation(GAME, found, RunLength("negotiations", 1), 0)
    assert len(market.agents) == 2 * n
    assert done == {"resolve_trusted": 3}
    assert base._cached_table.cache_info().misses == 4


HIDDEN = Scenario.of("hidden")
WEIGHTED = game(5, 3, seller={"limits": [0, 2, 4], "weights": [1, 0, 3]}, buyer={"reservation": 6})


def reservations(market: nt.Market) -> dict[str, list[int]]:
    rows = market.accounts
    return {str(r): [row["reservation"] for row in rows if row["role"] == str(r)] for r in Role}


def test_each_agent_draws_a_limit_of_its_role_by_the_weights() -> None:
    found = reservations(nt.run_market(WEIGHTED, sellers=400, limit="negotiations=10"))
    counts = Counter(found["seller"])
    assert set(counts) == {0, 4}
    assert counts[4] / 400 == pytest.approx(0.75, abs=4 * (0.75 * 0.25 / 400) ** 0.5)
    assert set(found["buyer"]) == {6}


def test_what_the_roster_says_counts(tmp_path: Path) -> None:
    path = tmp_path / "agents.toml"
    path.write_text("[[seller]]\ncount = 3\nreservation = [-1, 1, 5]\n[[buyer]]\ncount = 40\n")
    found = reservations(nt.run_roster(path, HIDDEN, limit="negotiations=30"))
    assert found["seller"] == [-1, 1, 5]
    assert set(found["buyer"]) == set(range(1, 6))
    market = nt.run_market(HIDDEN, costs=-3, values=[4, 5], limit="negotiations=300")
    assert reservations(market) == {"seller": [-3] * 10, "buyer": [4, 5] * 5}
    assert np.flatnonzero(market.simulation.sold.sum(0))[0] == 0  # the lowest price of the grid


@pytest.mark.parametrize("seller", ["learned", "learned:sarsa", "boulware", "zero-intelligence"])
def test_nobody_trades_at_a_loss_and_the_economics_are_of_these_prices(seller: str) -> None:
    market = nt.run_market(HIDDEN, seller=seller, limit="negotiations=1000")
    assert all(row["surplus"] >= 0 for row in market.accounts)
    costs, values = reservations(market).values()
    assert market.summary["competitive_price"] == [*economics.competitive_range(costs, values)]
    assert market.summary["possible_surplus"] == 100 * economics.maximum_surplus(costs, values)[-1]


def test_without_any_overlap_there_are_no_deals(capsys: pytest.CaptureFixture[str]) -> None:
    apart = {"seller": {"limits": [4, 5]}, "buyer": {"limits": [0, 1]}}
    market = nt.run_market({**HIDDEN.to_dict(), **apart}, limit="negotiations=200")
    assert market.summary["deals"] == market.summary["possible_surplus"] == 0
    words = "market", "--scenario", "hidden", "--limit", "negotiations=20", "--text"
    assert "efficiency" in printed(capsys, *words)
