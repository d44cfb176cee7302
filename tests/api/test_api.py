"""`import negotiation_tui as nt`: the command line's numbers, limits, one line for bad input."""

import json
import pickle
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import BadInputError, Role
from negotiation_tui.cli.main import main
from negotiation_tui.experiments.claims import CLAIMS
from negotiation_tui.experiments.reproduction import EXPERIMENTS
from negotiation_tui.learning.report import result_text
from tests.support.cli import Captured, message, printed
from tests.support.game import RandomPlayer
from tests.support.hidden import HIDDEN
from tests.support.paths import DOCS


def answered(capsys: Captured, words: str) -> Any:
    return json.loads(printed(capsys, *words.split(), "--json"))


def as_json(table: dict[str, Any]) -> Any:
    return json.loads(json.dumps(table))


TRAININGS: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    ("--scenario fine --cycles 4", {"scenario": "fine", "cycles": 4}),
    ("--recipe corrected --learning-rate 0.3", {"recipe": "corrected", "learning_rate": 0.3}),
    ("--seller micro --cycles 5", {"seller": nt.STRATEGIES["micro"], "cycles": 5}),
    (
        "--no-train-both --train-agent buyer --cycles 5",
        {"train_both": False, "train_agent": "buyer", "cycles": 5},
    ),
    (
        "--scenario hidden --learner sampled-mmd --cycles 3 --episodes 20",
        {"scenario": "hidden", "learner": "sampled-mmd", "cycles": 3, "episodes": 20},
    ),
    (
        "--learner sampled-mmd --states published --cycles 3 --episodes 20",
        {"learner": "sampled-mmd", "states": "published", "cycles": 3, "episodes": 20},
    ),
    ("--learner cfr --cycles 9", {"learner": "cfr", "cycles": 9}),
    (
        "--seller learned:sarsa --buyer learned:cfr --cycles 5",
        {"seller": "learned:sarsa", "buyer": "learned:cfr", "cycles": 5},
    ),
    (
        "--recipe exploring-starts --states opener-aware --cycles 5",
        {"recipe": "exploring-starts", "states": "opener-aware", "cycles": 5},
    ),
]


@pytest.mark.parametrize(("words", "given"), TRAININGS, ids=[words for words, _ in TRAININGS])
def test_trained_as_by_the_command(capsys: Captured, words: str, given: dict[str, Any]) -> None:
    trained = nt.train(**given, seed=7, eval_every=1)
    assert as_json(trained.to_dict()) == answered(capsys, f"train --seed 7 {words}")


def test_a_test_and_nash_conv_are_those_of_the_commands(capsys: Captured) -> None:
    trained = nt.train(seed=7)
    trained.save("t.npz")
    assert trained.test().to_dict() == answered(capsys, "test t.npz")
    published = trained.test(50, seed=3, as_published=True)
    assert published.to_dict() == answered(
        capsys, "test t.npz --as-published --negotiations 50 --seed 3"
    )
    judged = answered(capsys, "solve --policy t.npz")
    assert trained.nash_conv().total == judged["nash_conv"]
    assert trained.nash_conv(1.0).total != judged["nash_conv"]
    exact = next(
        each
        for each in judged["equilibria"]
        if (each["opener"], each["tie_break"]) == ("buyer", "reject")
    )
    found = nt.solve("original", "buyer", tie_break="reject")
    assert found.values == (exact["seller"], exact["buyer"])


def test_a_training_is_saved_and_goes_to_other_processes() -> None:
    trained = nt.train(seed=3, seller="linear", cycles=6)
    trained.save("t.npz")
    for again in (nt.load("t.npz"), pickle.loads(pickle.dumps(trained))):
        assert np.array_equal(again.q_tables, trained.q_tables)
        assert again.to_dict() == trained.to_dict()
        assert again.test() == trained.test()
        assert repr(again) == repr(trained)


def test_probabilities_are_what_a_learner_plays() -> None:
    trained = nt.train("original", seller="learned:wolf-phc", buyer="learned", seed=7, cycles=8)
    for role in nt.Role:
        found = trained.probabilities(str(role))
        assert found.shape == (1, 27, 7)
        assert found[0, :-1].sum(axis=1) == pytest.approx(1)
        assert np.array_equal(found[0], trained.policies[role].probabilities)
    assert (trained.probabilities("seller") % 1 > 0).any(), "a mixed one"
    seller, buyer = trained.policies
    assert trained.nash_conv().total == nt.nash_conv("original", seller, buyer).total
    assert "role: expected" in message(lambda: trained.probabilities("broker"))


def test_looking_changes_nothing_and_sees_the_end() -> None:
    plain, looked = nt.train(seed=5, cycles=10), nt.train(seed=5, cycles=10, eval_every=4)
    assert np.array_equal(plain.q_tables, looked.q_tables)
    assert looked.evaluations[:, 0].tolist() == [4, 8, 10]
    assert looked.evaluations[-1, 1] == looked.nash_conv().total
    assert plain.evaluations.shape == (0, 2)
    first = nt.train(seed=5, cycles=4)
    assert looked.evaluations[0, 1] == first.nash_conv().total


def test_a_market_is_that_of_the_command(capsys: Captured) -> None:
    words = "--sellers 6 --buyers 5 --costs 1,2,3 --values 3..5 --buyer learned:sarsa"
    market = nt.run_market(
        sellers=6,
        buyers=5,
        costs=(1, 2, 3),
        values={"min": 3, "max": 5},
        buyer=nt.LEARNERS["sarsa"],
        learning_rate=np.array([0.1, 0.2]),
        teams={"family": ["seller-1", "buyer-2"]},
        limit="steps=200",
        seed=4,
    )
    rest = "--learning-rate 0.1,0.2 --team family=seller-1,buyer-2 --limit steps=200 --seed 4"
    assert as_json(market.to_dict()) == answered(capsys, f"market {words} {rest}")
    assert len(market.accounts) == 11
    assert sum(row["money"] for row in market.wallets) == 0
    market.save("m.npz")
    for again in (nt.load_market("m.npz").run(), pickle.loads(pickle.dumps(market))):
        assert again.to_dict() == market.to_dict()
    longer = nt.load_market("m.npz", "steps=300")
    for each in (longer, pickle.loads(pickle.dumps(longer))):
        assert each.run().simulation.tick == 300


def test_a_roster_is_that_of_the_command(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text("[[seller]]\ncount = 3\n[[buyer]]\nreservation = [4]\n")
    market = nt.run_roster("m.toml", limit="negotiations=90", seed=2)
    words = "market m.toml --limit negotiations=90 --seed 2"
    assert as_json(market.to_dict()) == answered(capsys, words)


def test_a_tournament_is_that_of_the_command(capsys: Captured) -> None:
    names = ["micro", "best-response", "boulware"]
    played = nt.run_tournament("original", names, negotiations=20, seed=6, out="rows.csv")
    words = f"tournament {' '.join(names)} --negotiations 20 --seed 6 --workers 1"
    assert as_json(played.to_dict()) == answered(capsys, words)
    assert np.isnan(played.matrix("deal_share")[:2, :2]).tolist() == [[False, True], [True, True]]
    again = nt.run_tournament("original", names, negotiations=20, seed=6, out="rows.csv")
    assert again.rows == played.rows
    assert pickle.loads(pickle.dumps(played)).to_dict() == played.to_dict()
    with pytest.raises(nt.BadInputError, match=r"measure: expected .*, got 'joy'"):
        played.matrix("joy")


def test_negotiations_take_anybody() -> None:
    rng = np.random.default_rng(1)
    trained = nt.train(seed=7)
    best = nt.best_response_to(trained, "seller")
    seats: list[Any] = [
        "best-response",
        nt.STRATEGIES["linear"],
        trained,
        trained.policies[0],
        best,
    ]
    for seller in [*seats, RandomPlayer()]:
        talk = nt.negotiate("original", seller, "conceder", rng=rng)
        assert talk.over
        columns = talk.to_dict()
        assert {len(column) for column in columns.values()} == {len(talk.turns)}
    assert nt.negotiate("legacy", "midpoint", "midpoint").outcome.price == 65


def test_the_equilibrium_as_columns_is_its_actions() -> None:
    found = nt.solve("legacy", "buyer")
    columns = found.to_dict()
    assert {len(column) for column in columns.values()} == {1 + 19 * 101}
    assert (columns["role"][0], columns["standing_offer"][0]) == ("buyer", None)
    for n, (ply, at) in ((0, (0, 0)), (1, (1, 0)), (500, (5, 95)), (1919, (19, 100))):
        action = found.actions[ply, at]
        assert columns["action"][n] == found.scenario.action_label(action)
        assert n == 0 or columns["standing_offer"][n] == found.scenario.prices[at]
        assert np.isnan(found.prices[ply, at]) == (action >= found.scenario.accept)


class Gaping(nt.Strategy):
    name, summary, source = "gaping", "breaks the rules", "none"

    @property
    def depends_on(self) -> frozenset[Any]:
        return frozenset()

    def support(self, position: nt.Position) -> list[int]:
        return [99]


class First(Gaping):
    def support(self, position: nt.Position) -> list[int]:
        return [position.legal[0]]


def test_a_strategy_of_ones_own_sits_everywhere_and_is_remembered_by_name() -> None:
    trained = nt.train(seller=First(), cycles=4)
    assert trained.strategies[0] == "tests.api.test_api.First"
    assert trained.test().totals.negotiations == 1000
    trained.save("t.npz")
    assert "First" in message(lambda: nt.load("t.npz").test())
    assert nt.load("t.npz").test(seller=First()) == trained.test()
    assert nt.run_market(seller=First(), limit="steps=5").simulation.tick == 5
    with pytest.raises(
        nt.BadInputError, match=r"test_api\.py, line \d+: support: expected .* got 99"
    ):
        nt.test("original", "micro", Gaping())


WRONG: list[tuple[Callable[[], object], str]] = [
    (lambda: nt.train("nowhere"), "a size such as 10x7 or a file, got 'nowhere'"),
    (lambda: nt.train(5), "10x7, a file or a mapping, got 5"),  # type: ignore[arg-type]
    (lambda: nt.train(recipe="cake"), "recipe: expected published"),
    (lambda: nt.train(cycle=3), "parameter: got 'cycle' (did you mean cycles?)"),
    (lambda: nt.train(seller="nobody"), ", got 'nobody'"),
    (lambda: nt.train(learner="boulware"), "learner: got 'boulware' (boulware is a"),
    (lambda: nt.learner("sarza"), "did you mean sarsa?"),
    (lambda: nt.train(eval_every=0), "eval_every: expected an integer of at least 1, got 0"),
    (lambda: nt.train(seller=nt.solve()), "expected a strategy or its name"),  # type: ignore[arg-type]
    (lambda: nt.test("original", "learned", "micro"), "seller: nothing was learned yet"),
    (lambda: nt.test("fine", nt.train(cycles=1), "linear"), "expected a policy for the prices"),
    (lambda: nt.solve(tie_break="shrug"), "tie_break: expected accept or reject, got 'shrug'"),
    (lambda: nt.run_market(buyer="learned:cfr"), "buyer-1: learner: expected one that learns from"),
    (lambda: nt.run_tournament(entrants=["micro"]), "got 'micro' alone"),
    (lambda: nt.load("missing.npz"), "cannot be read"),
    (lambda: nt.run_market(limit=3), "negotiations=N or steps=N, got '3'"),  # type: ignore[arg-type]
    (lambda: nt.run_league("sarsa"), "learners: expected a list of learners, got 'sarsa'"),
    (lambda: nt.run_sweep(values={"cicles": [5]}), "(did you mean cycles?); expected prices, "),
    (lambda: nt.run_sweep(values={"cycles": 5}), "cycles: expected a list of values, got 5"),  # type: ignore[dict-item]
    (lambda: nt.run_sweep(values={"cycles": []}), "cycles: expected a list of values, got []"),
    (lambda: nt.run_sweep(values=["cycles"]), "settings to lists of values, got ['cycles']"),  # type: ignore[arg-type]
    (lambda: nt.run_sweep(runs=0), "runs: expected an integer of at least 1, got 0"),
    (lambda: nt.reproduce("delai"), "did you mean delay?"),
    (lambda: nt.reproduce("delay", player="micro"), "delay is no claim about players"),
    (lambda: nt.reproduce(player="micro"), "player: expected a claim beside it"),
    (lambda: nt.reproduce(runs=1), "runs: expected an integer of at least 2, got 1"),
    (lambda: nt.run_tournament(workers=0), "workers: expected an integer of at least 1, got 0"),
    (lambda: nt.negotiate("original", None, "micro"), "seller: expected a spec"),  # type: ignore[arg-type]
    (lambda: nt.test("original", "micro", "linear", True), "an integer of at least 1, got True"),
    (lambda: nt.solve("hidden"), "scenario hidden: expected limits that both roles"),
    (lambda: nt.solve(opener=5), "role: expected seller or buyer, got 5"),  # type: ignore[arg-type]
    (lambda: nt.solve(discount_rate="x"), "a number from 0 to 1, got 'x'"),  # type: ignore[arg-type]
    (lambda: nt.run_tournament(entrants=(n for n in (1, 2))), "strategies, got [1, 2]"),  # type: ignore[misc]
    (lambda: nt.run_market(teams=["a"]), "a mapping of names to members, got ['a']"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_cannot_be_used_is_said_in_a_line(call: Callable[[], object], said: str) -> None:
    assert said in message(call)


def test_a_sweep_has_the_rows_of_its_file_and_the_learner(tmp_path: Path) -> None:
    ways, buyers = ["sarsa", "q-learning"], ["learned", "learned:wolf-phc", "linear"]
    grid = {"learner": ways, "buyer": buyers, "cycles": ["1", "2"]}
    rows = nt.run_sweep("original", grid, out=tmp_path / "rows.jsonl")
    lines = map(json.loads, (tmp_path / "rows.jsonl").read_text("utf-8").splitlines())
    named = [name for each in ways for name in (each, f"{each} and wolf-phc", each) for _ in (1, 2)]
    assert rows == [{"learner": name, **line} for name, line in zip(named, lines, strict=True)]
    alone = nt.run_sweep("original", {"seller": ["linear"], "buyer": ["linear"]})
    assert alone[0]["learner"] is None


def test_reproduce_returns_rows_too() -> None:
    rows = nt.reproduce(runs=2, seed=5)
    names = [each.name for each in EXPERIMENTS for _ in range(2)]
    assert [(row["experiment"], row["learner"], row["seed"]) for row in rows] == [
        (name, "q-learning", 5 + n % 2) for n, name in enumerate(names)
    ]
    assert rows[0]["corrected_seller_wallet"] == nt.train(seed=5).test().seller_wallet
    (row,) = nt.reproduce("delay")
    assert (row["name"], row["verdict"]) == ("delay", CLAIMS["delay"].settle().verdict)


def test_draws_come_from_a_generator_or_a_seed() -> None:
    def talk(rng: np.random.Generator | int) -> nt.Transcript:
        return nt.negotiate("fine", "random", "random", rng=rng)

    assert talk(7) == talk(np.random.default_rng(7)) == talk(7)
    assert talk(7) != talk(8)
    assert talk(0) == nt.negotiate("fine", "random", "random")


def test_reprs_are_a_line() -> None:
    trained = nt.train(cycles=2)
    talk = nt.negotiate("legacy", "midpoint", "midpoint")
    things = [trained, talk, trained.policies[0], nt.solve("fine"), trained.nash_conv()]
    things += [nt.best_response_to(trained, "buyer"), nt.run_market(limit="steps=3")]
    for thing in things:
        assert repr(thing).startswith("<")
        assert len(repr(thing)) < 200
        assert "\n" not in repr(thing)


PAGE = DOCS / "python.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^(?P<code>\S.*?)\s+# → (?P<value>.*)$")


@pytest.mark.slow
def test_the_page_runs_and_shows_the_true_values() -> None:
    """Compare each `code   # → value` with the `repr` of the code, up to an ellipsis."""
    pytest.importorskip("matplotlib.pyplot").switch_backend("Agg")
    names: dict[str, Any] = {"__name__": "page"}
    shown = 0
    for block in BLOCKS:
        exec(compile(block, PAGE.name, "exec"), names)
        for line in block.splitlines():
            match = SHOWN.match(line)
            if match is None:
                continue
            value, dots, _ = match["value"].partition("…")
            result = repr(eval(match["code"], names))
            assert result.startswith(value) if dots else result == value, match["code"]
            shown += 1
    assert len(BLOCKS) >= 8
    assert shown >= 12


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
