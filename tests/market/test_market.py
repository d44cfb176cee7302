"""A market: money is conserved, nothing beats the best matching, one seed is one market."""

import signal
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import new_backend
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.market import economics, headless
from negotiation_tui.market.agents import Agent, Distribution, UniformRange, population, with_teams
from negotiation_tui.market.checkpoint import load_simulation, save_simulation
from negotiation_tui.market.headless import compiling_pays, trade, warm
from negotiation_tui.market.roster import from_table
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import COMPILED_FROM, MarketSimulation
from negotiation_tui.market.summary import accounts, periods, summarize, text, wallets
from negotiation_tui.market.tick_loop import ALL_ROUNDS, NEGOTIATIONS, SURPLUS
from tests.support.cli import message

GAME = Scenario.original()
SELLER, BUYER = Role.SELLER, Role.BUYER
STRATEGIES = (
    *("learned", "zero-intelligence", "midpoint", "boulware", "random", "equilibrium"),
    *("micro", "averaged-tit-for-tat"),
)
LEARNERS = "learned:sarsa", "learned:roth-erev"


@st.composite
def markets(draw: st.DrawFn) -> dict[str, Any]:
    agents = []
    strategies = STRATEGIES + LEARNERS * draw(st.booleans())
    teams = st.sampled_from((None, None, "red", "blue"))
    for role, lowest in ((SELLER, 0), (BUYER, 1)):
        for number in range(draw(st.integers(1, 6))):
            learning = Learning(
                learning_rate=draw(st.sampled_from((0.1, 0.5, 1.0))),
                discount_rate=draw(st.sampled_from((0.0, 0.9, 1.0))),
                exploration_decay=draw(st.sampled_from((0.0, 0.1))),
            )
            reservation = lowest + draw(st.integers(0, 5))
            strategy = draw(st.sampled_from(strategies))
            agents.append(
                Agent(f"{role}-{number}", role, reservation, strategy, learning, draw(teams))
            )
    unit, amount = draw(st.sampled_from(("negotiations", "steps"))), draw(st.integers(1, 60))
    states = draw(st.sampled_from(("published", "opener-aware")))
    opener = draw(st.sampled_from(("alternate", "seller", "buyer")))
    delta = draw(st.sampled_from(((1.0, 1.0), (0.9, 0.9), (0.9, 0.5))))
    game = {"prices": 5, "rounds": draw(st.integers(1, 4)), "states": states, "opener": opener}
    return {
        "scenario": Scenario.from_dict({**game, "delta": delta}),
        "agents": agents,
        "limit": RunLength(unit, amount),
        "seed": draw(st.integers(0, 99)),
        "team_reward": draw(st.booleans()) and delta[0] == delta[1],
    }


def finished(arguments: dict[str, Any], backend: Backend = PLAIN) -> MarketSimulation:
    market = MarketSimulation(**arguments, backend=backend)
    market.run()
    return market


def assert_same(one: MarketSimulation, other: MarketSimulation) -> None:
    assert one.state().keys() == other.state().keys()
    for name, value in one.state().items():
        np.testing.assert_array_equal(value, other.state()[name], err_msg=name)


@pytest.fixture(scope="module")
def compiled() -> Backend:
    backend = new_backend()
    if backend is None:
        pytest.skip("needs numba")
    return backend


def test_a_limit_of_negotiations_cuts_its_last_tick_short() -> None:
    agents = [Agent(f"{role}-{n}", role, 5 * role, "random") for role in Role for n in range(2)]
    market = MarketSimulation(GAME, agents, RunLength.of("negotiations=3"), 0)
    market.run(2)
    assert (market.tick, market.negotiations) == (2, 3)


@given(markets())
@settings(max_examples=15)
def test_money_paid_is_money_received(arguments: dict[str, Any]) -> None:
    market = MarketSimulation(**arguments)
    while not market.finished:
        market.run(1)
        assert market.wallets.sum() == 0
    money, cut = market.account("money"), len(market.side(SELLER))
    volume = int((market.sold * np.array(market.scenario.prices)).sum())
    assert money[:cut].sum() == money[cut:].sum() == volume
    held = {row["wallet"]: row["money"] for row in wallets(market)}
    for team in {agent.team for agent in market.agents if agent.team}:
        rows = [row for row in accounts(market) if row["team"] == team]
        assert held[team] == sum(row["money"] for row in rows)


@given(markets())
@settings(max_examples=15)
def test_the_limit_holds_and_nothing_beats_the_best_matching(arguments: dict[str, Any]) -> None:
    market = finished(arguments)
    limit = arguments["limit"]
    assert (market.tick if limit.steps else market.negotiations) == limit.amount
    assert market.history[:, NEGOTIATIONS].sum() == market.negotiations
    meetings, cut = market.account("meetings"), len(market.side(SELLER))
    assert meetings[:cut].sum() == meetings[cut:].sum() == market.negotiations
    assert market.history[:, SURPLUS].sum() <= market.possible_surplus.sum()
    assert sum(row["surplus"] for row in accounts(market)) == pytest.approx(market.surplus.sum())
    if not market.scenario.time_costs:
        assert (market.surplus == market.history[:, SURPLUS]).all()
    for row in accounts(market):
        assert row["surplus"] >= -1e-9, "nobody trades beyond the own reservation price"
    for row in periods(market):
        assert row["efficiency"] is None or row["efficiency"] <= 1


@given(markets())
@settings(max_examples=15)
def test_gains_are_those_of_the_negotiations_that_were_watched(arguments: dict[str, Any]) -> None:
    """With time costs δᵏ of price − cost and of value − price, for a deal on offer k."""
    market, paid, rounds = MarketSimulation(**arguments), 0, 0
    setup, delta = market.setup, market.scenario.delta
    gains, by_tick = np.zeros(len(market.agents)), np.zeros(market.ticks)
    while not market.finished:
        tick, met = market.tick, market.watch()
        assert (met.begun == tick).all()
        assert all(len({*met.of(role).tolist()}) == len(met) for role in Role), (
            "each meets one other"
        )
        rounds += int(met.rounds.sum())
        prices, agreed = met.after(met.n_turns)
        paid += int(np.array(market.scenario.prices)[prices[agreed]].sum())
        for n in range(len(met)):
            agents = int(met.sellers[n]), int(met.buyers[n])
            turns = met.transcript(n, market.scenario).turns
            if (price := turns[-1].price) is not None:
                for role, who in zip(Role, agents, strict=True):
                    gain = (price - setup.reservation[who]) * setup.signs[who]
                    gains[who] += gain * delta[role] ** (len(turns) - 2)
                    by_tick[tick] += gain * delta[role] ** (len(turns) - 2)
    assert_same(market, finished(arguments))
    assert paid == market.account("money")[: len(market.side(SELLER))].sum()
    assert rounds == market.history[:, ALL_ROUNDS].sum()
    found = [row["surplus"] for row in accounts(market)]
    assert found == pytest.approx(gains.tolist())
    assert market.surplus == pytest.approx(
        np.add.reduceat(by_tick, [*range(0, market.tick, market.period)])
    )
    assert sum(row["surplus"] for row in periods(market)) == pytest.approx(gains.sum())
    assert summarize(market)["surplus"] == pytest.approx(gains.sum())
    assert all(isinstance(each, float) == market.scenario.time_costs for each in found)


PATIENT = {"prices": 5, "rounds": 4, "delta": 0.8}


@pytest.mark.parametrize("team", [None, "ours"])
@pytest.mark.parametrize("learner", ["learned", "learned:sarsa"])
@pytest.mark.parametrize("role", Role)
def test_a_learner_is_paid_what_time_left(role: Role, learner: str, team: str | None) -> None:
    """The first deal is on offer k of a role's first values, which are 0; so is being free."""
    half = Learning(learning_rate=0.5)
    agents = [
        Agent(str(each), each, 0 if each is SELLER else 6, spec, half, team)
        for each, spec in zip(
            Role, (learner, "conceder")[:: 1 if role is SELLER else -1], strict=True
        )
    ]
    market = MarketSimulation(
        Scenario.from_dict(PATIENT), agents, RunLength.of("steps=50"), 2, team is not None
    )
    turns: Any = ()
    while not (turns and turns[-1].price) and not market.finished:
        met = market.watch()
        turns = met.transcript(0, market.scenario).turns if len(met) else ()
    price, k = turns[-1].price, len(turns) - 2
    assert k > 0
    gained = (6 if team else price if role is SELLER else 6 - price) / 6 * 0.8**k
    table, free = market.table(int(role)), market.state()[f"{role}_free_worth"]
    assert table is not None
    assert table.max() == pytest.approx(gained / 2)
    assert free.max() == pytest.approx(gained / 2 * 0.99 ** (len(turns) // 2 + len(turns) % 2 - 1))


def test_the_surplus_of_a_team_needs_one_delta() -> None:
    agents = [Agent(str(role), role, 3) for role in Role]
    scenario = Scenario.from_dict({**PATIENT, "delta": [0.9, 0.5]})
    line = message(lambda: MarketSimulation(scenario, agents, RunLength.of("steps=1"), 0, True))
    assert line.startswith("team reward: expected one delta for both, got 0.9 and 0.5; a deal")


@pytest.mark.slow
@given(arguments=markets(), cut=st.integers(1, 30))
@settings(max_examples=15)
def test_compiled_and_in_parts(compiled: Backend, arguments: dict[str, Any], cut: int) -> None:
    whole, parts = finished(arguments), MarketSimulation(**arguments, backend=compiled)
    while not parts.finished:
        parts.run(cut)
        parts.use(PLAIN if parts.backend is compiled else compiled)
    assert_same(whole, parts)


@given(arguments=markets(), cut=st.integers(0, 30))
@settings(max_examples=10)
def test_kept_and_resumed_it_is_the_same_market(
    tmp_path_factory: pytest.TempPathFactory, arguments: dict[str, Any], cut: int
) -> None:
    whole, broken_off = finished(arguments), MarketSimulation(**arguments)
    broken_off.run(cut)
    path = tmp_path_factory.mktemp("market") / "market.npz"
    save_simulation(path, broken_off)
    resumed = load_simulation(path)
    assert_same(resumed, broken_off)
    resumed.run()
    assert_same(whole, resumed)
    assert summarize(whole) == summarize(resumed)


@pytest.mark.usefixtures("without_numba")
@pytest.mark.parametrize("learner", ["learned", "learned:wolf-phc"])
@pytest.mark.slow
def test_a_large_market_that_opened_in_arrays_is_the_same(learner: str) -> None:
    agents = [Agent(f"{r}-{n}", r, 3, learner) for r in Role for n in range(COMPILED_FROM // 2)]
    arguments: dict[str, Any] = {"scenario": GAME, "agents": agents, "seed": 1}
    arguments["limit"] = RunLength("steps", 1)
    large = MarketSimulation(**arguments)
    assert large.backend is not PLAIN
    usual = MarketSimulation(**arguments, backend=PLAIN)
    np.testing.assert_array_equal(large.table(COMPILED_FROM - 1), usual.table(COMPILED_FROM - 1))
    large.run()
    usual.run()
    assert_same(large, usual)


def one_pair(limit: str, seller: str = "boulware", buyer: str = "conceder") -> MarketSimulation:
    agents = [Agent("s", SELLER, 1, seller), Agent("b", BUYER, 5, buyer)]
    market = MarketSimulation(GAME, agents, RunLength.of(limit), 0)
    market.run()
    return market


def test_the_last_figures_are_those_of_the_last_tenth() -> None:
    market = one_pair("negotiations=2000", "random", "random")
    rows, found = periods(market), summarize(market)
    assert len(rows) >= 10
    last = rows[-(len(rows) // 10) :]
    assert found["last_surplus"] == sum(row["surplus"] for row in last)
    sold = market.sold[-len(last) :].sum(axis=0)
    assert found["last_mean_price"] == pytest.approx(economics.mean_price(GAME.prices, sold))


@pytest.mark.parametrize(
    ("costs", "values", "price"),
    [([0, 0, 0, 0, 2, 3, 3], [2, 3, 3], 1), ([4, 3, 3], [6, 6, 6, 6, 4, 3, 3], 5)],
)
def test_a_competitive_price_beyond_the_grid_is_its_end(
    costs: list[int], values: list[int], price: int
) -> None:
    agents = [
        Agent(f"{role}-{n}", role, each, "zero-intelligence")
        for role, side in zip(Role, (costs, values), strict=True)
        for n, each in enumerate(side)
    ]
    market = MarketSimulation(GAME, agents, RunLength.of("negotiations=100"), 0)
    market.run()
    found, sold = summarize(market), market.sold.sum(axis=0)
    assert found["competitive_price"] == [price, price]
    assert found["alpha"] == economics.convergence(GAME.prices, sold, price) is not None


def test_closing_early_trades_again_sooner() -> None:
    buyers = "conceder", "conceder:accept=const,alpha=0"
    slow, quick = (one_pair("steps=100", buyer=buyer) for buyer in buyers)
    for market in (slow, quick):
        took = market.history[:, 1].sum()
        assert 100 <= took < 100 + GAME.rounds, "busy all the time"
        assert market.negotiations > 100 / GAME.rounds - 1
    assert quick.negotiations > slow.negotiations


BY_VALUES = [
    "sarsa",
    "expected-sarsa",
    "double-q",
    "hysteretic",
    "lenient",
    "boltzmann",
    "wolf-phc",
]


@pytest.mark.parametrize(
    "learner",
    ["q-learning", "monte-carlo", "q-lambda"]
    + [pytest.param(name, marks=pytest.mark.slow) for name in BY_VALUES],
)
def test_values_are_beyond_that_of_being_free(learner: str) -> None:
    """The buyer takes 3 on its last turn, and before that no more than 1: two ticks per deal."""
    game = Scenario.from_dict({"prices": 3, "rounds": 2, "opener": "seller"})
    learning = Learning(0.2, 0.9, exploration_decay=0.02, exploration_end=0)
    seller = Agent("s", SELLER, 1, f"learned:{learner}", learning)
    agents = [seller, Agent("b", BUYER, 3, "boulware")]
    market = MarketSimulation(game, agents, RunLength.of("steps=3000"), 1)
    market.run()
    free, q = market.state()["seller_free_worth"][0], market.table(0)
    assert free == pytest.approx(0.9 / (1 - 0.9**2), 1e-3)  # 0.9·1 + 0.9²·V
    assert q is not None
    assert (q[0].max(), q[1].max()) == pytest.approx((0, 1 - 0.1 * free), abs=2e-3)


def test_inside_a_team_the_price_does_not_matter() -> None:
    agents = with_teams([Agent("s", SELLER, 0), Agent("b", BUYER, 5)], {"house": ["s", "b"]})
    market = MarketSimulation(GAME, agents, RunLength.of("negotiations=5000"), 0, team_reward=True)
    market.run()
    assert market.setup.wallet_names == ("house",)
    assert market.wallets.tolist() == [0]
    assert np.abs(market.state()["seller_q"]).max() <= 1
    # Accepting any price at the deadline has the value of the whole surplus, to both.
    for role in Role:
        q = market.state()[f"{role}_q"].reshape(GAME.n_states, GAME.n_actions)
        assert q[:, GAME.accept].max() == pytest.approx(1, abs=1e-6)


def test_agents_are_drawn_from_ranges_and_lists() -> None:
    def drawn(seed: int) -> list[Agent]:
        rng = np.random.default_rng(seed)
        learning: dict[str, Distribution] = {
            "learning_rate": UniformRange(0.05, 0.2),
            "discount_rate": [0.9, 0.99],
        }
        return population(SELLER, "s", 50, UniformRange(1, 3), rng, learning=learning)

    agents = drawn(4)
    assert agents == drawn(4) != drawn(5)
    assert {agent.reservation for agent in agents} == {1, 2, 3}
    assert all(0.05 <= agent.learning.learning_rate <= 0.2 for agent in agents)
    assert [agent.learning.discount_rate for agent in agents[:3]] == [0.9, 0.99, 0.9]
    assert (agents[0].name, agents[-1].name) == ("s-1", "s-50")


def test_a_table_of_agents() -> None:
    table = {
        "seller": [{"count": 2, "reservation": [1, 2]}, {"name": "north", "strategy": "midpoint"}],
        "buyer": [{"count": 3, "learning_rate": 0.5}],
        "team": [{"name": "house", "members": ["north", "buyer-2"]}],
    }
    agents = from_table(table, GAME, np.random.default_rng(0))
    names = ["seller-kind1-1", "seller-kind1-2", "north", "buyer-1", "buyer-2", "buyer-3"]
    assert [agent.name for agent in agents] == names
    assert [agent.reservation for agent in agents] == [1, 2, 0, 5, 5, 5]
    assert [agent.name for agent in agents if agent.team == "house"] == ["north", "buyer-2"]
    assert agents[2].strategy == "midpoint"
    assert agents[3].learning.learning_rate == 0.5
    market = MarketSimulation(GAME, agents, RunLength.of("negotiations=9"), 0)
    market.run()
    assert "team house" in text(market)


BAD_TABLES: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"seller": [{}]}, ("buyers", "none")),
    ({"sellers": [{}]}, ("'[[sellers]]'", "[[seller]]")),
    ({"seller": [{"price": 3}], "buyer": [{}]}, ("'price'", "reservation")),
    ({"team": [{"membrs": []}]}, ("[[team]] team-1: got 'membrs' (did you mean members?)",)),
    ({"seller": [{"count": 0}]}, ("count: expected an integer from 1 to 1,000,000, got 0",)),
    ({"seller": [{"learning_rate": 2}]}, ("learning_rate", "got 2", "above 0, at most 1")),
    (
        {"seller": [{"learning_rate": {"min": 0.5, "max": 3}}]},
        ("learning_rate", "got 3", "above 0, at most 1"),
    ),
    ({"seller": [{"reservation": {"min": 3, "max": 1}}]}, ("min 3", "got 1")),
    ({"seller": [{"reservation": 9}], "buyer": [{}]}, ("reservation", "at most 5, got 9")),
    ({"seller": [{"strategy": "linear:accept=combi"}], "buyer": [{}]}, ("combi", "has a table")),
    ({"seller": [{"strategy": "my.py"}], "buyer": [{}]}, ("my.py", "only if you name it")),
    ({"seller": [{"name": "a"}], "buyer": [{"name": "a"}]}, ("agent a", "different")),
    *(
        ({"seller": [{"strategy": f"learned:{spec}"}], "buyer": [{}]}, ("seller: ", *said))
        for spec, *said in (
            ("sarsaa", "learner: got 'sarsaa' (did you mean sarsa?); expected q-learning"),
            ("cfr", "learner: expected one that learns from negotiations, got"),
            ("my.py:Mine", "learner: expected one that is built in, got"),
            ("package.module:Mine", "expected one that is built in, got", "use learned:sarsa"),
            ("sarsa:learning_rate=2", "learning_rate: expected a number from 0 to 1"),
            ("sarsa:colour=2", "sarsa: setting: expected ", "got 'colour'"),
        )
    ),
    ({"seller": [{}], "team": [{"name": "x", "members": ["y"]}]}, ("team x", "'y'")),
    (
        {"seller": [{}], "buyer": [{}], "team": [{"name": "buyer", "members": ["seller"]}]},
        ("team buyer", "that of an agent"),
    ),
]


@pytest.mark.parametrize(("table", "said"), BAD_TABLES)
def test_what_is_wrong_is_said_in_one_line(table: dict[str, Any], said: tuple[str, ...]) -> None:
    def begin() -> MarketSimulation:
        agents = from_table(table, GAME, np.random.default_rng(0))
        return MarketSimulation(GAME, agents, RunLength.of("steps=1"), 0)

    assert [words for words in said if words not in message(begin)] == []


@pytest.mark.parametrize(("steps", "begins"), [(200, False), (10**6, True)])
def test_it_begins_to_compile_only_for_long_work(
    steps: int, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ticks so far tell how long the rest takes. Here, Ctrl-C is pressed if it compiles."""
    monkeypatch.setattr(headless, "warm", lambda _: signal.raise_signal(signal.SIGINT))
    monkeypatch.setattr(headless, "seconds_until_ready", lambda *_: 0.0)
    market = three_kinds(f"steps={steps}")
    with pytest.raises(KeyboardInterrupt) if begins else nullcontext():
        trade(market)
    assert market.finished is not begins


@pytest.mark.slow
def test_calls_are_compiled_ahead() -> None:
    event = pytest.importorskip("numba.core.event")
    agents = [Agent("s", SELLER, 1, LEARNERS[0]), Agent("b", BUYER, 5, LEARNERS[1])]
    market = MarketSimulation(GAME, agents, RunLength.of("steps=9"), 0)
    market.use(warm(market) or PLAIN)
    with event.install_recorder("numba:compiler_lock") as compiled:
        market.run()
        assert market.table(0) is not market.table(1)
    assert not compiled.buffer


@pytest.mark.parametrize("learner", ["learned", "learned:sarsa"])
def test_a_file_of_another_market_is_refused(learner: str, tmp_path: Path) -> None:
    path = tmp_path / "market.npz"
    save_simulation(path, one_pair("steps=9", learner, "boulware"))
    whole = path.read_bytes()
    for damaged in (b"", whole[:100], whole[:-40], b"no market"):
        path.write_bytes(damaged)
        assert "market" in message(lambda: load_simulation(path))
    path.write_bytes(whole)
    with np.load(path) as file:
        arrays = dict(file)
    tables = "seller_q" if learner == "learned" else "seller_tables"
    clock, sold = arrays["clock"], arrays["sold"]
    names = "seller_free_at", "buyer_free_worth", "purses", "clock", "history", tables
    damage = [(name, arrays[name][:-1]) for name in names]
    damage += [(tables, np.full_like(arrays[tables], np.nan)), ("sold", sold.astype(float))]
    damage += [("clock", clock - 100), ("clock", clock + 100), ("purses", arrays["purses"] + 1)]
    damage += [("strategies", np.array(["learned:nobody", "boulware"]))]
    for name, array in damage:
        np.savez(path, **{**arrays, name: array})
        with pytest.raises(BadInputError, match=r"expected|learner|clock"):
            load_simulation(path)


def three_kinds(limit: str, delta: float = 1) -> MarketSimulation:
    rng = np.random.default_rng(0)
    agents = [
        *population(SELLER, "s", 5, [0, 1, 2], rng),
        *population(BUYER, "b", 3, [5, 4], rng),
        *population(BUYER, "z", 3, [5, 4], rng, "zero-intelligence"),
    ]
    return MarketSimulation(replace(GAME, delta=(delta, delta)), agents, RunLength.of(limit), 3)


@pytest.mark.parametrize(
    ("first", "further"),
    [
        ("steps=700", "steps=2500"),
        ("steps=2500", "steps=5500"),
        ("negotiations=2800", "negotiations=9000"),
        ("steps=50000", "steps=1100"),
    ],
)
@pytest.mark.parametrize("delta", [1, 0.9])
def test_a_kept_market_goes_on_further_or_less_far(
    tmp_path: Path, first: str, further: str, delta: float
) -> None:
    """Its rows, and with time costs the last digits of its sums, are those without a break."""
    path = tmp_path / "market.npz"
    kept, whole = (three_kinds(limit, delta) for limit in (first, further))
    kept.run(2100 if "=5500" in further else 400)
    save_simulation(path, kept)
    resumed = load_simulation(path, RunLength.of(further))
    resumed.run()
    whole.run()
    assert resumed.tick == whole.tick
    for name in ("seller_q", "buyer_q", "purses"):
        assert np.array_equal(resumed.state()[name], whole.state()[name])
    assert (periods(resumed), summarize(resumed)) == (periods(whole), summarize(whole))
    assert len(resumed.history) <= 1000
    assert {row["ticks"] for row in periods(resumed)[:-1]} <= {resumed.period}


def test_a_market_whose_limit_cut_a_tick_short_goes_on(tmp_path: Path) -> None:
    path, market, possible = tmp_path / "market.npz", None, 0
    for limit in (2803, 5001, 9000):
        begun = market.negotiations if market else 0
        further = RunLength.of(f"negotiations={limit}")
        market = load_simulation(path, further) if market else three_kinds(str(further))
        trade(market)
        save_simulation(path, market)
        assert market.finished
        assert market.negotiations == limit == market.history[:, NEGOTIATIONS].sum()
        assert market.tick == market.ticks == sum(row["ticks"] for row in periods(market))
        whole, rest = divmod(limit - begun, market.pairs)
        assert rest
        possible += whole * economics.maximum_surplus(*market.setup.reservations)[-1]
        possible += economics.maximum_surplus(*market.setup.reservations)[rest]
        assert market.possible_surplus.sum() == possible


@pytest.mark.parametrize(
    ("limit", "said"),
    [("negotiations=9", ("steps", "negotiations=9")), ("steps=3", ("at least the 5 steps",))],
)
def test_a_limit_that_is_no_way_on(tmp_path: Path, limit: str, said: tuple[str, ...]) -> None:
    path, market = tmp_path / "market.npz", three_kinds("steps=100")
    market.run(5)
    save_simulation(path, market)
    with pytest.raises(BadInputError) as caught:
        load_simulation(path, RunLength.of(limit))
    for words in said:
        assert words in str(caught.value)


def test_a_market_of_seconds_compiles_for_those_that_follow(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    market = one_pair("steps=1000")
    assert compiling_pays(market, 3.0)
    assert not compiling_pays(market, 0.5)
