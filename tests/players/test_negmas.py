"""Negotiators of NegMAS here and ours there: the same negotiation on both sides."""

import itertools
import pickle
import random
import re
import runpy
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.cli.main import main, parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Player, Transcript, negotiate
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.integrations.negmas import mechanism, negotiator, utility
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.negmas_player import NegmasPlayer, legal_answer
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import STRATEGIES, spec_of, strategy
from tests.support.broken_strategies import broken
from tests.support.game import roles, scenarios, seeds
from tests.support.hidden import HIDDEN, meeting, positions_of
from tests.support.mixed import random_policy
from tests.support.moves import position_of
from tests.support.paths import DOCS
from tests.support.screen_driver import Screen

sao: Any = pytest.importorskip("negmas.sao")
outcomes: Any = pytest.importorskip("negmas.outcomes")
Base: Any = sao.SAONegotiator

DOCS = DOCS / "negmas.md"
SCENARIOS = [
    Scenario.original(),
    pytest.param(Scenario.legacy(), marks=pytest.mark.slow),
    Scenario("ranges", tuple(range(0, 42, 2)), 6, PriceRange(8, 40), PriceRange(0, 31)),
    Scenario("gaps", (1, 2, 4, 8, 16, 17), 5, PriceRange(2, 17), PriceRange(1, 9)),
    Scenario(
        "worth", (1, 2, 3, 4, 5, 6), 4, PriceRange(3, 6), PriceRange(1, 4), reservation=(0, 9)
    ),
    Scenario("no-zopa", (1, 2, 3, 4, 5), 4, PriceRange(4, 5), PriceRange(1, 2)),
    Scenario.from_dict({"name": "tiny", "prices": 2, "rounds": 1}),
]
NARROW = Scenario("narrow", (1, 2, 3, 4, 5, 6), 4, PriceRange(2, 4), PriceRange(3, 5))
"""Where each would ask for more than it may."""
OURS = [name for name in STRATEGIES if name != "best-response"]
THEIRS = [
    "BoulwareTBNegotiator",
    "ConcederTBNegotiator",
    "LinearTBNegotiator",
    "AspirationNegotiator",
    "FirstOfferOrientedTBNegotiator",
    "BestOfferOrientedTBNegotiator",
    "AdditiveLastOfferFollowingTBNegotiator",
    "HybridNegotiator",
    "ToughNegotiator",
    "NaiveTitForTatNegotiator",
]
"""Those that draw nothing."""
DRAWING_INSIDE = ["MiCRONegotiator", "TopFractionNegotiator"]
"""Those that draw, and keep to their ranges."""
DRAWING = ["RandomNegotiator", "NiceNegotiator", "FastMiCRONegotiator", *DRAWING_INSIDE]
Moves = list[tuple[str, int]]


def seated(name: str) -> NegmasPlayer:
    held = strategy_from_spec(f"negmas:{name}")
    assert isinstance(held, NegmasPlayer)
    return held


def theirs(name: str, role: Role) -> Any:
    made = getattr(sao, name)()
    made.id = made.name = str(role)
    return made


def run(scenario: Scenario, opener: Role, seller: Any, buyer: Any) -> Any:
    """Two negotiators of NegMAS in its own mechanism, to the end."""
    session = mechanism(scenario)
    for role in (opener, opener.other):
        party = (seller, buyer)[role]
        assert session.add(party, ufun=utility(scenario, role))
    session.run()
    return session


def traced(session: Any) -> Moves:
    return [(who, offer[0]) for _, who, offer in session.extended_trace]


def offered(played: Transcript) -> Moves:
    accept = played.scenario.accept
    return [
        (str(t.role), t.price) for t in played.turns if t.action < accept and t.price is not None
    ]


def agreed(session: Any) -> int | None:
    return None if session.agreement is None else int(session.agreement[0])


def assert_same(played: Transcript, session: Any) -> None:
    """The same offers in the same order and the same outcome.

    Where a negotiator of NegMAS takes the last decision by a counter-offer that nobody answers,
    ours rejected.
    """
    ours, found, outcome = offered(played), traced(session), played.outcome
    if len(found) == 2 * played.scenario.rounds:
        assert session.state.timedout
        assert len(ours) == len(found) - 1
        assert found.pop()[0] == str(outcome.closer)
        assert outcome.price is None
    else:
        assert session.state.broken == (outcome.price is None)
    assert found == ours
    assert agreed(session) == outcome.price


by_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda held: held.name)


def both_ours(scenario: Scenario, seller: Player, buyer: Player, opener: Role, seed: int) -> None:
    played = negotiate(scenario, seller, buyer, opener, np.random.default_rng(seed))
    rng = np.random.default_rng(seed)
    parties: list[Any] = [
        negotiator(player, role, scenario, rng, id=str(role))  # type: ignore[arg-type]
        for role, player in ((Role.SELLER, seller), (Role.BUYER, buyer))
    ]
    session = run(scenario, opener, *parties)
    assert_same(played, session)
    assert not session.state.timedout


@given(scenarios(), st.sampled_from(OURS), st.sampled_from(OURS), roles, seeds)
def test_two_of_ours_play_the_same_there(
    scenario: Scenario, seller: str, buyer: str, opener: Role, seed: int
) -> None:
    """Strategies, tables with ties, and policies with weights."""
    both_ours(scenario, *ready_players(scenario, strategy(seller), strategy(buyer)), opener, seed)
    rng = np.random.default_rng(seed)
    q = rng.integers(0, 3, (2, scenario.n_states, scenario.n_actions)) / 2
    one, other = (greedy(scenario, role, q[role]) for role in Role)
    both_ours(scenario, one, other, opener, seed)
    one, other = (random_policy(scenario, role, rng) for role in Role)
    both_ours(scenario, one, other, opener, seed)


@pytest.fixture
def draws_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the least, here and there."""
    monkeypatch.setattr(random, "choice", min)
    monkeypatch.setattr(random, "random", lambda: 0.5)


def assert_same_here(scenario: Scenario, opener: Role, seller: str, buyer: str) -> None:
    """Two of theirs: the same negotiation in both programs."""
    session = run(scenario, opener, theirs(seller, Role.SELLER), theirs(buyer, Role.BUYER))
    assert_same(negotiate(scenario, seated(seller), seated(buyer), opener), session)


@pytest.mark.usefixtures("draws_fixed")
@pytest.mark.parametrize("opener", Role)
@pytest.mark.parametrize("other", ["MiCRONegotiator", "BoulwareTBNegotiator"])
def test_micro_plays_the_same_here_once_its_draw_is_fixed(other: str, opener: Role) -> None:
    assert_same_here(Scenario.original(), opener, "MiCRONegotiator", other)
    assert_same_here(Scenario.original(), opener, other, "MiCRONegotiator")


@pytest.mark.slow
@pytest.mark.usefixtures("draws_fixed")
@by_scenario
@pytest.mark.parametrize("opener", Role)
def test_the_pairs_of_the_page_play_the_same_once_draws_are_fixed(
    scenario: Scenario, opener: Role
) -> None:
    for n, name in enumerate(OURS):
        for other in (name, OURS[n - 5]):
            pair = ready_players(scenario, STRATEGIES[name], STRATEGIES[other])
            both_ours(scenario, *pair, opener, seed=n)
    for n, name in enumerate(THEIRS):
        for other in (name, THEIRS[n - 4]):
            assert_same_here(scenario, opener, name, other)
    for name, other in itertools.product(DRAWING_INSIDE, [*THEIRS, *DRAWING_INSIDE]):
        assert_same_here(scenario, opener, name, other)
        assert_same_here(scenario, opener, other, name)


@pytest.mark.slow
def test_the_page_lists_those_that_draw() -> None:
    module = runpy.run_path(str(DOCS.parent / "negmas_draws.py"))
    found = {name for name in module["negotiators"]() if module["draws"](name)}
    (listed,) = re.findall(r"\*Draw while they answer\*: ([^.]*)\.", DOCS.read_text("utf-8"))
    assert set(re.findall(r"`(\w+)`", listed)) == found
    assert found.issuperset(DRAWING)
    assert found.isdisjoint(THEIRS)


@pytest.mark.slow
@by_scenario
@pytest.mark.parametrize("opener", Role)
@pytest.mark.parametrize("role", Role)
def test_one_of_each_plays_the_same(scenario: Scenario, opener: Role, role: Role) -> None:
    others = ("micro", "tit-for-tat", "conceder", "random")
    for n, name in enumerate(THEIRS):
        for other in (others[n % 4], others[(n + 1 + role) % 4]):
            ours = strategy(other)
            pair: Any = (seated(name), ours) if role is Role.SELLER else (ours, seated(name))
            seller, buyer = pair
            played = negotiate(scenario, seller, buyer, opener, Drawn(0))
            there = theirs(name, role)
            mine = negotiator(
                ours, role.other, scenario, np.random.default_rng(0), id=str(role.other)
            )
            pair = (there, mine) if role is Role.SELLER else (mine, there)
            assert_same(played, run(scenario, opener, *pair))


@pytest.mark.parametrize(
    ("seller", "there", "here"),
    [("ToughNegotiator", 6, 4), ("HybridNegotiator", 5, 4), ("ConcederTBNegotiator", 4, 4)],
)
def test_prices_too_good_for_its_range_are_asked_there_alone(
    seller: str, there: int, here: int
) -> None:
    tough = "ToughNegotiator"
    session = run(NARROW, Role.SELLER, theirs(seller, Role.SELLER), theirs(tough, Role.BUYER))
    played = negotiate(NARROW, seated(seller), seated(tough), Role.SELLER)
    assert traced(session)[:2] == [("seller", there), ("buyer", 1)]
    assert offered(played)[:2] == [("seller", here), ("buyer", 3)]


@settings(max_examples=15)
@given(scenarios(), st.sampled_from(THEIRS), st.sampled_from(THEIRS), roles)
def test_in_any_scenario_it_is_the_same_while_they_keep_to_their_ranges(
    scenario: Scenario, seller: str, buyer: str, opener: Role
) -> None:
    session = run(scenario, opener, theirs(seller, Role.SELLER), theirs(buyer, Role.BUYER))
    played = negotiate(scenario, seated(seller), seated(buyer), opener)
    found, price = traced(session), agreed(session)
    kept = [offer in scenario.acceptable_range(Role.of(who)) for who, offer in found]
    if (
        found
        and all(kept)
        and all(price is None or price in scenario.acceptable_range(r) for r in Role)
    ):
        assert_same(played, session)
    n = kept.index(False) if False in kept else len(kept)
    n = min(n, 2 * scenario.rounds - 1)
    assert offered(played)[:n] == found[:n]


class Drawn(np.random.Generator):
    """Draws seeds of negotiations elsewhere, so that who is opposite draws the same without."""

    def __init__(self, seed: int) -> None:
        super().__init__(np.random.PCG64(seed))

    def integers(self, *_limits: Any, **_named: Any) -> Any:
        return 0


@pytest.mark.slow
@settings(max_examples=20)
@given(scenarios(), st.sampled_from(THEIRS + DRAWING), st.sampled_from(OURS), roles, roles, seeds)
def test_any_of_theirs_keeps_our_rules(
    scenario: Scenario, name: str, other: str, role: Role, opener: Role, seed: int
) -> None:
    pair: Any = (seated(name), strategy(other))
    seller, buyer = pair if role is Role.SELLER else pair[::-1]
    outside = random.getstate(), str(np.random.get_state())  # noqa: NPY002
    played = [
        negotiate(scenario, seller, buyer, opener, np.random.default_rng(seed)) for _ in range(2)
    ]
    assert played[0] == played[1]
    assert outside == (random.getstate(), str(np.random.get_state()))  # noqa: NPY002


@pytest.mark.parametrize("name", DRAWING)
def test_its_draws_follow_the_seed_alone(name: str) -> None:
    scenario, found = Scenario.fine(), []
    for n in range(3):
        random.seed(n)
        np.random.seed(n)  # noqa: NPY002
        rng = np.random.default_rng(7)
        pair = seated(name), seated("RandomNegotiator")
        found.append([negotiate(scenario, *pair, Role.SELLER, rng) for _ in range(6)])
    assert found[0] == found[1] == found[2]
    assert len({game.prices for game in found[0]}) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", THEIRS)
def test_taken_up_midway_it_goes_on_the_same(name: str) -> None:
    """As after a journey into the past, where nobody was asked before."""
    scenario, opener = Scenario.fine(), Role(THEIRS.index(name) % 2)
    played = negotiate(scenario, seated(name), strategy("micro"), opener)
    for n, turn in enumerate(played.turns):
        position = played.first(n).position
        assert position is not None
        if turn.role is Role.SELLER:
            assert list(seated(name).support(position)) == [turn.action]
            assert seated(name).act(position, np.random.default_rng(n)) == turn.action


@pytest.mark.parametrize(
    ("role", "offers", "accepts", "offer", "answer"),
    [
        ("seller", "", False, 12, "16"),  # not on the grid: up to the next
        ("buyer", "16", False, 7.5, "4"),  # down
        ("seller", "1", False, 1, "2"),  # outside its range
        ("seller", "1", False, -(10**12), "2"),
        ("buyer", "16", False, 17, "8"),
        ("buyer", "16", True, None, "8"),  # accepts what it may not
        ("buyer", "8", True, None, "0"),
        ("buyer", "8", False, None, "-1"),  # quits, or says nothing
        ("seller", "", False, None, "17"),  # where it may not
        ("buyer", "", False, None, "1"),
        ("buyer", "17 1 16 1 8", True, None, "0"),  # the last decision
        ("buyer", "17 1 16 1 8", False, 4, "-1"),
        ("buyer", "17 1 16 1 16", True, None, "-1"),
        ("buyer", "17 1 16 1 16", False, None, "-1"),
    ],
)
def test_what_an_answer_comes_to(
    role: str, offers: str, accepts: bool, offer: float | None, answer: str
) -> None:
    scenario = Scenario("gaps", (1, 2, 4, 8, 16, 17), 3, PriceRange(2, 17), PriceRange(1, 9))
    made = tuple(int(price) for price in offers.split())
    action = legal_answer(position_of(scenario, Role.of(role), made), accepts, offer)
    assert scenario.action_label(action) == answer


@pytest.mark.parametrize("role", Role)
@by_scenario
def test_its_utility_is_our_reward(scenario: Scenario, role: Role) -> None:
    found = utility(scenario, role)
    for i, price in enumerate(scenario.prices):
        assert found((price,)) == pytest.approx(scenario.reward(role, price))
        if i in scenario.offers(role):
            assert found((price,)) >= found.reserved_value
        elif (
            (price < scenario.seller.minimum)
            if role is Role.SELLER
            else (price > scenario.buyer.maximum)
        ):
            assert found((price,)) < found.reserved_value


class Failing(Base):  # type: ignore[misc]
    """Fails in the second round."""

    def propose(self, state: Any, dest: str | None = None) -> Any:
        if state.step:
            raise RuntimeError("out\nof ideas")
        return self.nmi.random_outcome()


class Leaving(Base):  # type: ignore[misc]
    """Would end the program."""

    def propose(self, state: Any, dest: str | None = None) -> Any:
        sys.exit(3)


class Odd(Base):  # type: ignore[misc]
    """Makes no offer with a price."""

    def propose(self, state: Any, dest: str | None = None) -> Any:
        return ("dear",)


class Needy(Base):  # type: ignore[misc]
    """Needs to be told."""

    def __init__(self, what: str) -> None:
        super().__init__()

    def propose(self, state: Any, dest: str | None = None) -> Any:
        return None


class Silent(Base):  # type: ignore[misc]
    """Offers nothing."""

    def propose(self, state: Any, dest: str | None = None) -> Any:
        return None


class Restless(Base):  # type: ignore[misc]
    """Offers what is on nobody's grid, and warns."""

    def propose(self, state: Any, dest: str | None = None) -> Any:
        import warnings

        warnings.warn("who hears that", stacklevel=1)
        return (2.6,)

    def respond(self, state: Any, source: str | None = None) -> Any:
        return sao.ResponseType.REJECT_OFFER


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("negmas:Boulware", "negmas.sao has no negotiator 'Boulware'; use BoulwareTBNegotiator"),
        ("negmas:", "has no negotiator ''; use BoulwareTBNegotiator, MiCRO"),
        ("negmas:no.such.Class", "no.such cannot be imported: ModuleNotFoundError: No module"),
        ("negmas:tests.players.test_negmas.Failign", "has no negotiator 'Failign'; use Failing"),
        ("negmas:json.JSONDecoder", "json has no negotiator 'JSONDecoder'; use a class that"),
        (
            "negmas:tests.players.test_negmas.Needy",
            "cannot be created without arguments: TypeError: .*what",
        ),
    ],
)
def test_who_cannot_be_seated(words: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said) as raised:
        strategy_from_spec(words)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Leaving", "round 1 of original: SystemExit: 3"),
        ("Failing", "round 2 of original: RuntimeError: out of ideas"),
        ("Odd", "failed as the buyer in round 1 of original: ValueError"),
    ],
)
def test_an_error_in_one_is_one_line(
    name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"negmas:tests.players.test_negmas.{name}"
    assert main(f"train --buyer {words} --cycles 1 --episodes 20 --seed 1".split()) == 2
    error = capsys.readouterr().err
    assert f"{words} failed as the buyer" in error
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "opener", "asked"), [("Silent", "seller", 5), ("Restless", "seller", 3)]
)
def test_what_is_against_the_rules_becomes_legal(
    name: str, opener: str, asked: int, recwarn: pytest.WarningsRecorder
) -> None:
    held = strategy_from_spec(f"negmas:tests.players.test_negmas.{name}")
    assert held is not None
    played = negotiate(Scenario.original(), held, strategy("hardliner"), opener)
    assert played.turns[0].price == asked
    assert not [warned for warned in recwarn.list if "who hears" in str(warned.message)]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"n_steps": 4}, "expected n_steps 5, got 4"),
        ({"n_steps": None, "time_limit": 9}, "expected n_steps 5, got None"),
        ({"issue": (1, 6)}, "expected one issue of the 5 prices 1…5, got other outcomes"),
        ({"issue": (1.0, 5.0)}, "got other outcomes"),
        ({"one_offer_per_step": True}, "one_offer_per_step False"),
        ({"offering_is_accepting": False}, "offering_is_accepting True"),
    ],
)
def test_a_mechanism_of_another_negotiation_is_refused(changed: dict[str, Any], said: str) -> None:
    settings = {"n_steps": 5, "issue": (1, 5), **changed}
    issue = outcomes.make_issue(settings.pop("issue"), "price")
    session = sao.SAOMechanism(issues=[issue], **settings)
    with pytest.raises(BadInputError, match=said):
        session.add(negotiator("micro", "seller", Scenario.original()))


def test_a_mechanism_of_ones_own() -> None:
    issue = outcomes.make_issue((1, 5), "price")
    session = sao.SAOMechanism(issues=[issue], n_steps=5)
    scenario, micro = Scenario.original(), strategy("micro")
    for role in Role:
        assert session.add(negotiator("micro", role, scenario))
    session.run()
    assert agreed(session) == negotiate(scenario, micro, micro).outcome.price


@pytest.mark.filterwarnings("ignore:who hears that")
def test_an_offer_off_the_grid_ends_theirs() -> None:
    scenario = Scenario.original()
    ours = negotiator("conceder", "buyer", scenario)
    session = run(scenario, Role.SELLER, Restless(), ours)
    assert session.state.broken
    assert [price for _, price in traced(session)] == [2.6]


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("learned", "seller: nothing was learned yet"),
        ("best-response", "best-response needs to know its opponent"),
        ("nobody", "got 'nobody'"),
        ("gone.npz", "'gone.npz' cannot be read"),
    ],
)
def test_who_cannot_play_there(player: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        negotiator(player, "seller", Scenario.original())


def test_one_in_the_midst_of_it_pickles() -> None:
    scenario = Scenario.original()
    session = mechanism(scenario)
    for role, words in ((Role.SELLER, "random"), (Role.BUYER, "micro")):
        session.add(negotiator(words, role, scenario, rng=3))
    session.step()
    again = pickle.loads(pickle.dumps(session))
    session.run()
    again.run()
    assert traced(again) == traced(session)


def test_files_take_part_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = Scenario.original()
    training = ConcurrentTraining(scenario, Parameters(cycles=2, episodes=20))
    training.run()
    save_tables("t.npz", TrainedTables.of(training))
    own = str(DOCS.parent / "my_strategy.py")
    held: list[Any] = [strategy_from_spec("t.npz"), strategy_from_spec(own)]
    one, other = ready_players(scenario, *held)
    played = negotiate(scenario, one, other, Role.SELLER)
    rng = np.random.default_rng(0)
    parties: Sequence[Any] = [
        negotiator(words, role, scenario, rng, id=str(role))
        for role, words in ((Role.SELLER, "t.npz"), (Role.BUYER, own))
    ]
    assert_same(played, run(scenario, Role.SELLER, *parties))


def test_a_learner_learns_against_one() -> None:
    tables = []
    for _ in range(2):
        training = ConcurrentTraining(
            Scenario.original(),
            Parameters(cycles=2, episodes=15),
            3,
            buyer=seated("RandomNegotiator"),
        )
        training.run()
        tables.append(training.q_tables)
    assert tables[0][Role.SELLER].any()
    assert np.array_equal(tables[0], tables[1])


@pytest.mark.slow
def test_one_keeps_the_rules_that_are_checked() -> None:
    assert broken("negmas:MiCRONegotiator", scenarios=[Scenario.original()]) == {}


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = DOCS.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(code, str(DOCS), "exec"), {})
    printed = capsys.readouterr().out
    assert printed.strip() in code
    (lines,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    for line in lines.splitlines():
        words = shlex.split(line, comments=True)[1:]
        parser().parse_args(words if words[0][0] != "-" else ["watch", *words])


def test_words_describe_it_again() -> None:
    held = seated("MiCRONegotiator")
    assert spec_of(held) == "negmas:MiCRONegotiator"
    assert strategy_from_spec(spec_of(held)) == held


LIMITED = HIDDEN["narrowed"]


@pytest.mark.parametrize("opener", Role)
@pytest.mark.parametrize("pair", [(0, 1), (2, 0), (1, 1)])
def test_with_hidden_limits_each_plays_by_its_own_on_both_sides(
    pair: tuple[int, int], opener: Role
) -> None:
    """One of theirs sells, one of ours buys, here and there."""
    game = LIMITED.drawn(*pair)
    for name, own in (("BoulwareTBNegotiator", "tit-for-tat"), ("ToughNegotiator", "conceder")):
        played = negotiate(game, seated(name), strategy(own), opener)
        limits = game.limit(Role.SELLER), game.limit(Role.BUYER)
        session = mechanism(LIMITED)
        parties = [
            (theirs(name, Role.SELLER), utility(LIMITED, "seller", limits[0])),
            (negotiator(own, "buyer", LIMITED, limit=limits[1], id="buyer"), None),
        ]
        for role in (opener, opener.other):
            party, worth = parties[role]
            session.add(party, ufun=worth) if worth else session.add(party)
        session.run()
        assert_same(played, session)


def test_its_utility_is_the_reward_of_its_own_limit() -> None:
    for role, limits in zip(Role, LIMITED.limits, strict=True):
        assert limits is not None
        for view, limit in zip(LIMITED.views[role], limits.values, strict=True):
            worth = utility(LIMITED, role, limit)
            for price in LIMITED.prices:
                assert worth((price,)) == pytest.approx(view.reward(role, price))
                inside = price in view.acceptable_range(role) and view.reward(role, price) >= 0
                assert (worth((price,)) >= worth.reserved_value) == inside
    with pytest.raises(BadInputError, match="limit of the seller: expected -3, 3 or 8, as in"):
        utility(LIMITED, "seller")
    with pytest.raises(BadInputError, match="expected 5 or 17, as in scenario narrowed, got 3"):
        negotiator("boulware", "buyer", LIMITED, limit=3)
    with pytest.raises(BadInputError, match="expected None, as in scenario original, got 3"):
        utility("original", "seller", 3)


def test_one_of_theirs_never_learns_the_others_limit() -> None:
    """Against equal offers it plays alike; its utility and the mechanism are all that it has."""
    for own in range(3):
        player = seated("NaiveTitForTatNegotiator")
        met = [
            meeting(player, Role.SELLER, LIMITED.drawn(own, other), Role.BUYER, own, wild=True)
            for other in range(2)
        ]
        first, second = [[act for _, act in positions_of(Role.SELLER, each)] for each in met]
        assert first == second


def test_the_screen_shows_one() -> None:
    screen = Screen(strategies=("negmas:BoulwareTBNegotiator", "midpoint"), width=120)
    assert "seller BOULWARETBNEGOTIATOR · buyer MIDPOINT" in screen.text()
    screen.press(*"." * 6)
    assert "5" in screen.text()


def test_saved_tables_do_not_seat_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "negmas:ConcederTBNegotiator"
    train = f"train --buyer {words} --cycles 1 --episodes 10 --seed 1 --save t.npz"
    assert main(train.split()) == 0
    assert main(["test", "t.npz"]) == 2
    assert f"buyer: {words} is not built in" in capsys.readouterr().err
    assert main(f"test t.npz --buyer {words} --negotiations 10".split()) == 0


@pytest.mark.slow
def test_a_tournament_is_the_same_over_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for workers in (1, 2):
        entrants = "negmas:MiCRONegotiator negmas:RandomNegotiator boulware"
        words = f"tournament {entrants} --negotiations 4 --workers {workers} --out {workers}.csv"
        assert main(words.split()) == 0
    rows = [sorted(Path(f"{workers}.csv").read_text().splitlines()) for workers in (1, 2)]
    assert rows[0] == rows[1]
