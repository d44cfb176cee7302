"""The environment keeps PettingZoo's rules and ours; policies from outside play alike in a seat."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.game.negotiation import IllegalActionError, Observation
from tests.support.game import scenarios, seeds
from tests.support.paths import DOCS

pytest.importorskip("pettingzoo")

import pettingzoo
from pettingzoo.test import api_test, render_test, seed_test

from negotiation_tui.integrations.pettingzoo import ENVIRONMENT_ID, env, raw_env

Captured = pytest.CaptureFixture[str]

PAGE = DOCS / "pettingzoo.md"
MAKING, LEARNING, SEATING, _ = re.findall(
    r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
)
TINY = {"prices": 2, "rounds": 1}
OPENER_AWARE = {"prices": 4, "rounds": 3, "states": "opener-aware", "opener": "buyer"}
ONE_SIDE = {"prices": 5, "rounds": 3, "seller": {"limits": [1, 3, 4]}}
SOME: list[Any] = ["original", "legacy", TINY, OPENER_AWARE, "hidden", ONE_SIDE, "impatience"]


def legal_of(seen: Observation) -> list[int]:
    return np.flatnonzero(seen["action_mask"]).tolist()


@pytest.mark.parametrize("scenario", SOME, ids=str)
@pytest.mark.filterwarnings("ignore::UserWarning")  # names without a number, numbers in no array
def test_pettingzoo_finds_nothing_wrong(scenario: Any) -> None:
    for make in (env, raw_env):
        api_test(make(scenario), num_cycles=20)
        seed_test(lambda make=make: make(scenario), num_cycles=20)


@pytest.mark.filterwarnings("error")  # a creation that PettingZoo deprecates warns
def test_pettingzoo_makes_it_by_its_name() -> None:
    for name in (ENVIRONMENT_ID, ENVIRONMENT_ID.removesuffix("-v0")):
        made = pettingzoo.make("aec", name, scenario=OPENER_AWARE, render_mode="ansi")
        assert made.unwrapped.render_mode == "ansi"
        assert played_by_first_actions(made) == played_by_first_actions(env(OPENER_AWARE))
        assert pettingzoo.make("aec", name).unwrapped.scenario == Scenario.original()
    left: dict[str, Any] = {}
    exec(MAKING, left)
    assert played_by_first_actions(left["game"]) == played_by_first_actions(env())


def played_by_first_actions(game: Any) -> list[Any]:
    seen = []
    for _ in range(2):
        game.reset()
        for agent in game.agent_iter():
            observed, reward, over, *_ = game.last()
            game.step(None if over else legal_of(observed)[0])
            seen.append((agent, observed["observation"], reward, over))
    return seen


def test_another_program_finds_it_after_the_import_which_loads_no_training() -> None:
    code = (
        "import warnings; warnings.simplefilter('error'); import importlib, sys\n"
        "import negotiation_tui.integrations.pettingzoo as ours; importlib.reload(ours)\n"
        f"import pettingzoo; print(pettingzoo.make('aec', {ENVIRONMENT_ID!r}), *sys.modules)"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, check=False, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    name, *loaded = done.stdout.split()
    assert name == "negotiation_v0"
    assert "negotiation_tui.tui.widgets.price_bar" in loaded
    for each in ("learning", "sessions", "players", "tui.negotiation"):
        assert f"negotiation_tui.{each}" not in loaded


def test_the_bar_says_what_is_going_on(capsys: Captured) -> None:
    render_test(lambda render_mode: env("original", render_mode=render_mode))
    assert "SELLER" in capsys.readouterr().out
    game = env("original", render_mode="ansi")
    game.reset()
    bar = game.render()
    assert "negotiation 1" in bar
    assert re.search("BUYER +┄", bar)
    game.step(3)
    assert "seller asks 4  round 1 of 5\n" in game.render()
    assert "seller 4 " in game.render()
    game.step(5)
    assert "DEAL at 4 — the buyer accepts" in game.render()
    assert "SELLER 4 " in game.render()
    game = raw_env()
    game.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert game.render() is None


@given(scenarios(), seeds)
def test_masks_and_rewards_are_those_of_the_rules(scenario: Scenario, seed: int) -> None:
    game, rng = raw_env(scenario), np.random.default_rng(seed)
    for number in range(2):
        game.reset()
        assert game.agent_selection == str(scenario.opener.role(number))
        while (position := game.transcript.position) is not None:
            seen = game.observe(str(position.role))
            assert seen["observation"] == position.state
            assert legal_of(seen) == list(scenario.legal_actions(position.state, position.role))
            assert not legal_of(game.observe(str(position.role.other)))
            assert not any(game.rewards.values())
            game.step(int(rng.choice(legal_of(seen))))
        price = game.transcript.outcome.price
        for role in Role:
            assert game.observe(str(role))["observation"] == scenario.final_state
            assert not legal_of(game.observe(str(role)))
            worth = 0.0 if price is None else scenario.share(role, price)
            worth *= scenario.delta[role] ** (len(game.transcript.turns) - 2)
            assert game.rewards[str(role)] == pytest.approx(worth)


def test_a_seed_is_the_number_of_the_negotiation() -> None:
    game = raw_env("original")
    opened = []
    for seed in (3, None, None, 0, None, 3):
        game.reset(seed=seed)
        opened.append(game.agent_selection)
        assert game.infos[opened[-1]] == {"opener": opened[-1], "round": 1}
    assert opened == ["buyer", "seller", "buyer", "seller", "buyer", "buyer"]


@pytest.mark.parametrize("scenario", ["hidden", ONE_SIDE], ids=str)
def test_each_agent_observes_its_own_limit_alone(scenario: Any) -> None:
    game, rng, met = raw_env(scenario), np.random.default_rng(1), set()
    for _ in range(60):
        game.reset()
        drawn, rules = game.transcript.scenario, game.scenario
        shown = game.render_mode, game.infos["buyer"]
        assert shown == (None, {"opener": str(game.transcript.opener), "round": 1})
        met.add(drawn.indices)
        while (position := game.transcript.position) is not None:
            for role in Role:
                seen = game.observe(str(role))
                assert game.observation_space(str(role)).contains(seen)
                assert seen["limit"] == drawn.limit_index(role)
                if role is position.role:
                    legal = rules.views[role][drawn.limit_index(role)]
                    assert legal_of(seen) == list(legal.legal_actions(position.state, role))
            game.step(int(rng.choice(position.legal)))
        price = game.transcript.outcome.price
        for role in Role:
            reward = 0.0 if price is None else drawn.reward(role, price)
            assert game.rewards[str(role)] == reward
            limits = {"seller": drawn.limit(Role.SELLER), "buyer": drawn.limit(Role.BUYER)}
            assert game.infos[str(role)]["limits"] == limits
            assert game.observe(str(role))["limit"] == drawn.limit_index(role)
    tables = [game.scenario.n_tables(role) for role in Role]
    spaces = [game.observation_space(str(role))["limit"].n for role in Role]
    assert spaces == tables
    assert len(met) > tables[0] * tables[1] // 2
    assert "limit" not in raw_env("original").observation_space("seller").spaces


def test_a_seed_draws_the_limits_of_the_negotiations_after_it() -> None:
    def drawn(*seeds: int | None) -> list[tuple[int, int]]:
        game = raw_env("hidden")
        found = []
        for seed in seeds:
            game.reset(seed=seed)
            found.append(game.transcript.scenario.indices)
        return found

    some = [None] * 8
    assert drawn(3, *some) == drawn(3, *some) == drawn(0, None, 3, *some)[2:]
    assert drawn(*some) == drawn(0, *some)[:8]
    assert drawn(3, *some)[1:] != drawn(4, *some)[:8]
    assert drawn(2**70) == drawn(2**70)


def test_the_bar_shows_no_hidden_limit() -> None:
    game, bars = env("hidden", render_mode="ansi"), set()
    for seed in range(0, 20, 2):
        game.reset(seed=seed)
        bars.add(game.render().replace(f"negotiation {seed + 1}", ""))
    assert len({" ".join(bar.replace("─", "").split()) for bar in bars}) == 1
    game.step(3)
    assert "seller asks 3" in game.render()
    assert "seller would get ?" in game.render()
    game.step(6 if game.last()[0]["action_mask"][6] else 7)
    limits, text = game.infos["seller"]["limits"], game.render()
    assert ("DEAL" in text) == (limits["buyer"] >= 3)
    assert f"cost {limits['seller']} " in " ".join(text.split()), "now it is known"


def test_illegal_actions() -> None:
    game = env("original")
    game.reset()
    game.step(6)  # nobody quits before the first offer
    assert game.rewards == {"seller": -1.0, "buyer": 0}
    assert all(game.terminations.values())
    for _ in range(2):
        assert not legal_of(game.last()[0])
        game.step(None)
    assert not game.agents
    game.reset()
    with pytest.raises(AssertionError):
        game.step(7)
    raw = raw_env("original")
    raw.reset()
    with pytest.raises(IllegalActionError, match="seller: action 6 is not legal in state s"):
        raw.step(6)
    with pytest.raises(TypeError):
        raw.step(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"scenario": "orginal"}, "scenario: got 'orginal' .did you mean original.*or a file"),
        ({"scenario": {"prices": 5}}, "rounds: expected an integer .*, got nothing"),
        ({"render_mode": "rgb_array"}, "render_mode: expected human or ansi, got 'rgb_array'"),
    ],
)
def test_bad_words(words: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        env(**words)
    with pytest.raises(BadInputError, match="seed: expected an integer of at least 0, got -1"):
        raw_env("original").reset(seed=-1)


def learned(negotiations: int) -> dict[str, Any]:
    """What the example of the page leaves behind, with fewer negotiations."""
    assert len(LEARNING.strip().splitlines()) <= 10
    assert "range(5000)" in LEARNING
    left: dict[str, Any] = {}
    exec(LEARNING.replace("5000", str(negotiations)), left)
    tables: dict[str, Any] = left["q"]
    return tables


def test_the_page_seats_its_table(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    np.savez("q.npz", **learned(100))
    Path("trained.py").write_text(SEATING, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "trained", raising=False)
    page = PAGE.read_text(encoding="utf-8")
    lines = re.findall(r"^    negotiation-tui (.*)$", page, re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        words = line.split()
        if words[0] == "tournament":
            words += ["--text", "--negotiations", "20", "--workers", "1"]
        else:
            words = ["watch", "--once", *words]
        assert main(words) == 0
        assert "trained:table" in capsys.readouterr().out.lower()
    monkeypatch.delitem(sys.modules, "trained", raising=False)
