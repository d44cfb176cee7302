"""Negotiators of NegMAS here and ours there: the same negotiation on both sides."""

import pickle
import random
import re
import runpy
import sys
import warnings
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, PriceRange, Role, Scenario
from negotiation_tui.game.negotiation import Player, Transcript, negotiate
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.integrations.negmas import mechanism, negotiator, utility
from negotiation_tui.players.negmas_player import NegmasPlayer, legal_answer
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import STRATEGIES, spec_of, strategy
from tests.support.cli import Captured, message, refused
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
    Scenario("ranges", tuple(range(0, 42, 2)), 6, PriceRange(8, 40), PriceRange(0, 31)),
    Scenario("gaps", (1, 2, 4, 8, 16, 17), 5, PriceRange(2, 17), PriceRange(1, 9)),
]
OURS = [name for name in STRATEGIES if name != "best-response"]
THEIRS = [
    *("BoulwareTBNegotiator", "ConcederTBNegotiator", "LinearTBNegotiator"),
    *("AspirationNegotiator", "FirstOfferOrientedTBNegotiator", "BestOfferOrientedTBNegotiator"),
    *("AdditiveLastOfferFollowingTBNegotiator", "HybridNegotiator", "ToughNegotiator"),
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
    assert strategy_from_spec(spec_of(held)) == held
    return held


def theirs(name: str, role: Role) -> Any:
    made = getattr(sao, name)()
    made.id = made.name = str(role)
    return made


def run(scenario: Scenario, opener: Role, seller: Any, buyer: Any) -> Any:
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
    for role, party in zip(Role, parties, strict=True):
        at_end = [session.shared_nmi, session.state] if scenario.delta[role] < 1 else []
        utility_of = party.ufun.eval_on_state if at_end else party.ufun
        if session.agreement is not None:
            assert utility_of(session.agreement, *at_end) == pytest.approx(played.reward(role))


@given(scenarios(), st.sampled_from(OURS), st.sampled_from(OURS), roles, seeds)
def test_two_of_ours_play_the_same_there(
    scenario: Scenario, seller: str, buyer: str, opener: Role, seed: int
) -> None:

    both_ours(scenario, *ready_players(scenario, strategy(seller), strategy(buyer)), opener, seed)
    rng = np.random.default_rng(seed)
    q = rng.integers(0, 3, (2, scenario.n_states, scenario.n_actions)) / 2
    one, other = (greedy(scenario, role, q[role]) for role in Role)
    both_ours(scenario, one, other, opener, seed)
    one, other = (random_policy(scenario, role, rng) for role in Role)
    both_ours(scenario, one, other, opener, seed)


@pytest.mark.slow
def test_the_page_names_one_that_draws() -> None:
    """With the half of the opponents and the scenarios that is enough for it."""
    module = runpy.run_path(str(DOCS.parent / "negmas_draws.py"))
    module["draws"].__globals__.update(SCENARIOS=SCENARIOS[:1], OPPONENTS=("hardliner", "random"))
    found = {name for name in module["negotiators"]() if module["draws"](name)}
    (named,) = re.findall(r"Players that draw, such as `(\w+)`", DOCS.read_text("utf-8"))
    assert named in found
    assert found.issuperset(DRAWING)
    assert found.isdisjoint(THEIRS)


@settings(max_examples=15)
@given(scenarios(), st.sampled_from(THEIRS), st.sampled_from(THEIRS), roles)
def test_in_any_scenario_it_is_the_same_while_they_keep_to_their_ranges(
    scenario: Scenario, seller: str, buyer: str, opener: Role
) -> None:
    session = run(scenario, opener, theirs(seller, Role.SELLER), theirs(buyer, Role.BUYER))
    played = negotiate(scenario, seated(seller), seated(buyer), opener)
    found, price = traced(session), agreed(session)
    kept = [offer in scenario.acceptable_range(Role.of(who)) for who, offer in found]
    agreeable = price is None or all(price in scenario.acceptable_range(role) for role in Role)
    if found and all(kept) and agreeable:
        assert_same(played, session)
    n = kept.index(False) if False in kept else len(kept)
    n = min(n, 2 * scenario.rounds - 1)
    assert offered(played)[:n] == found[:n]


@pytest.mark.slow
@settings(max_examples=20)
@given(scenarios(), st.sampled_from(THEIRS + DRAWING), st.sampled_from(OURS), roles, roles, seeds)
def test_any_of_theirs_keeps_our_rules(
    scenario: Scenario, name: str, other: str, role: Role, opener: Role, seed: int
) -> None:
    seller, buyer = (seated(name), strategy(other))[:: 1 if role is Role.SELLER else -1]
    outside = random.getstate(), str(np.random.get_state())  # noqa: NPY002
    played = [
        negotiate(scenario, seller, buyer, opener, np.random.default_rng(seed)) for _ in range(2)
    ]
    assert played[0] == played[1]
    assert outside == (random.getstate(), str(np.random.get_state()))  # noqa: NPY002


@pytest.mark.parametrize("name", DRAWING[:3])
def test_its_draws_follow_the_seed_alone(name: str) -> None:
    scenario, found = Scenario.of("fine"), []
    for n in range(3):
        random.seed(n)
        np.random.seed(n)  # noqa: NPY002
        rng = np.random.default_rng(7)
        pair = seated(name), seated("RandomNegotiator")
        found.append([negotiate(scenario, *pair, Role.SELLER, rng) for _ in range(6)])
    assert found[0] == found[1] == found[2]
    assert len({game.prices for game in found[0]}) > 1


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
def test_answers(role: str, offers: str, accepts: bool, offer: float | None, answer: str) -> None:
    scenario = Scenario("gaps", (1, 2, 4, 8, 16, 17), 3, PriceRange(2, 17), PriceRange(1, 9))
    made = tuple(int(price) for price in offers.split())
    action = legal_answer(position_of(scenario, Role.of(role), made), accepts, offer)
    assert scenario.action_label(action) == answer


class Failing(Base):  # type: ignore[misc]
    def propose(self, state: Any, dest: str | None = None) -> Any:
        if state.step:
            raise RuntimeError("out\nof ideas")
        return self.nmi.random_outcome()


class Silent(Base):  # type: ignore[misc]
    def propose(self, state: Any, dest: str | None = None) -> Any:
        return None


class Needy(Silent):
    def __init__(self, what: str) -> None:
        super().__init__()


class Leaving(Base):  # type: ignore[misc]
    def propose(self, state: Any, dest: str | None = None) -> Any:
        sys.exit(3)


class Watching(Base):  # type: ignore[misc]
    """It asks for a middle price, and notes the utilities of all prices when it is asked."""

    noted: ClassVar[list[list[float]]] = []

    def propose(self, state: Any, dest: str | None = None) -> Any:
        self.noted.append([self.ufun((price,)) for price in range(11)])
        return (5,)

    def respond(self, state: Any, source: str | None = None) -> Any:
        return sao.ResponseType.REJECT_OFFER


@pytest.mark.parametrize("opener", Role)
@pytest.mark.parametrize("role", Role)
def test_time_costs_discount_what_one_of_theirs_would_get(role: Role, opener: Role) -> None:
    """The standing offer pays what accepting it pays, any other what it will if accepted."""
    scenario = Scenario.of("impatience")
    own, other = seated(f"{__name__}.Watching"), strategy("hardliner")
    Watching.noted.clear()
    seller, buyer = (own, other) if role is Role.SELLER else (other, own)
    played = negotiate(scenario, seller, buyer, opener)
    asked = [n for n, turn in enumerate(played.turns) if turn.role is role]
    assert len(asked) - len(Watching.noted) in {0, 1}, "at the last decision none are made"
    for n, found in zip(asked, Watching.noted, strict=False):
        standing = played.turns[n - 1].price if n else None
        expected = [
            scenario.share(role, price) * scenario.delta[role] ** (n - (price == standing))
            for price in range(11)
        ]
        assert found == pytest.approx(expected)


class Restless(Base):  # type: ignore[misc]
    def propose(self, state: Any, dest: str | None = None) -> Any:
        warnings.warn("who hears that", stacklevel=1)
        return (2.6,)

    def respond(self, state: Any, source: str | None = None) -> Any:
        return sao.ResponseType.REJECT_OFFER


class Asking(Restless):
    """Offers by who sits there: the least price where the parties are named by their roles."""

    def propose(self, state: Any, dest: str | None = None) -> Any:
        parties = {*self.nmi.negotiator_ids, self.name, dest}
        return (1.0 if parties == {"seller", "buyer"} else 5.0,)


@pytest.mark.parametrize("role", Role)
def test_the_parties_are_named_by_their_roles_for_one_of_theirs(role: Role) -> None:
    both = seated(f"{__name__}.Asking"), strategy("hardliner")
    seller, buyer = both if role is Role.SELLER else both[::-1]
    played = negotiate(Scenario.original(), seller, buyer, role)
    assert played.turns[0].price == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Boulware", "negmas.sao has no negotiator 'Boulware'; use BoulwareTBNegotiator"),
        ("no.such.Class", "no.such cannot be imported: ModuleNotFoundError: No module"),
        (f"{__name__}.Failign", "has no negotiator 'Failign'; use Failing"),
        ("json.JSONDecoder", "json has no negotiator 'JSONDecoder'; use a class that"),
        (f"{__name__}.Needy", "cannot be created without arguments: TypeError: .*what"),
    ],
)
def test_who_cannot_be_seated(words: str, said: str) -> None:
    assert re.search(said, message(lambda: strategy_from_spec(f"negmas:{words}")))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Leaving", "round 1 of original: SystemExit: 3"),
        ("Failing", "round 2 of original: RuntimeError: out of ideas"),
    ],
)
def test_an_error_in_one_is_one_line(name: str, said: str, capsys: Captured) -> None:
    words = f"negmas:tests.players.test_negmas.{name}"
    error = refused(capsys, *f"train --buyer {words} --cycles 1 --episodes 20 --seed 1".split())
    assert f"{words} failed as the buyer" in error
    assert said in error


@pytest.mark.parametrize(("name", "asked"), [("Silent", 5), ("Restless", 3)])
def test_illegal_answers_become_legal(
    name: str, asked: int, recwarn: pytest.WarningsRecorder
) -> None:
    played = negotiate(Scenario.original(), seated(f"{__name__}.{name}"), strategy("hardliner"))
    assert played.turns[0].price == asked
    assert not [warned for warned in recwarn.list if "who hears" in str(warned.message)]


def test_a_mechanism_of_ones_own() -> None:
    scenario, micro = Scenario.original(), strategy("micro")

    def made(n_steps: int = 5, last: int = 5, **options: bool) -> Any:
        issue = outcomes.make_issue((1, last), "price")
        return sao.SAOMechanism(issues=[issue], n_steps=n_steps, **options)

    session = made()
    for role in Role:
        assert session.add(negotiator("micro", role, scenario))
    session.run()
    assert agreed(session) == negotiate(scenario, micro, micro).outcome.price
    for other, said in (
        (made(n_steps=4), "expected n_steps 5, got 4"),
        (made(last=6), "expected one issue of the 5 prices 1…5, got other outcomes"),
        (made(one_offer_per_step=True), "one_offer_per_step False"),
        (made(offering_is_accepting=False), "offering_is_accepting True"),
    ):
        with pytest.raises(BadInputError, match=said):
            other.add(negotiator("micro", "seller", scenario))


def test_a_third_party_is_refused() -> None:
    scenario = Scenario.original()
    session = mechanism(scenario)
    for role, name in zip((Role.SELLER, Role.BUYER, Role.BUYER), "abc", strict=True):
        session.add(negotiator("micro", role, scenario, name=name, id=name))
    with pytest.raises(BadInputError, match="expected 2 negotiators, got 3"):
        session.run()


@pytest.mark.filterwarnings("ignore:who hears that")
def test_an_offer_off_the_grid_ends_theirs() -> None:
    scenario = Scenario.original()
    ours = negotiator("conceder", "buyer", scenario)
    session = run(scenario, Role.SELLER, Restless(), ours)
    assert session.state.broken
    assert [price for _, price in traced(session)] == [2.6]


def test_who_cannot_play_there() -> None:
    for player, said in (
        ("learned", "seller: nothing was learned yet"),
        ("best-response", "best-response needs to know its opponent"),
    ):
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


def test_the_page_runs(capsys: Captured) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, str(DOCS), "exec"), {})
    assert capsys.readouterr().out.strip() in code


LIMITED = HIDDEN["narrowed"]


@pytest.mark.parametrize(("pair", "opener"), [((0, 1), 0), ((2, 0), 1), ((1, 1), 0)])
def test_with_hidden_limits_each_plays_by_its_own_there(pair: tuple[int, int], opener: int) -> None:

    game = LIMITED.drawn(*pair)
    for name, own in (("BoulwareTBNegotiator", "tit-for-tat"), ("ToughNegotiator", "conceder")):
        played = negotiate(game, seated(name), strategy(own), Role(opener))
        worth = utility(LIMITED, "seller", game.limit(Role.SELLER))
        buyer = negotiator(own, "buyer", LIMITED, limit=game.limit(Role.BUYER), id="buyer")
        parties: list[Any] = [(theirs(name, Role.SELLER), {"ufun": worth}), (buyer, {})]
        session = mechanism(LIMITED)
        for party, named in (parties[opener], parties[1 - opener]):
            session.add(party, **named)
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

    for own in range(3):
        player = seated("NaiveTitForTatNegotiator")
        met = [
            meeting(player, Role.SELLER, LIMITED.drawn(own, other), Role.BUYER, own, wild=True)
            for other in range(2)
        ]
        first, second = [[act for _, act in positions_of(Role.SELLER, each)] for each in met]
        assert first == second


def test_the_pane_of_a_plan_keeps_the_letters_of_a_name() -> None:
    screen = Screen(strategies=("negmas:BoulwareTBNegotiator", None))
    assert screen.line("4 Seller's answers: BoulwareTBNegotiator ")
