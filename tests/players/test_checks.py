"""`check` names each rule that a strategy or a learner breaks."""

import re
from pathlib import Path

import pytest

from negotiation_tui import STRATEGIES, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.players.checks.learner import check_learner
from negotiation_tui.players.checks.strategy import CLOSES, KNOWN, SOME
from negotiation_tui.players.resolve import is_learner
from tests.support import user_learners
from tests.support.cli import Captured, refused
from tests.support.trained_tables import trained
from tests.support.user_strategies import EXAMPLE, broken

FILE = """
import itertools, os, random
from dataclasses import dataclass, field
from negotiation_tui import Strategy

CALLS = itertools.count()

@dataclass(frozen=True)
class Mine(Strategy):
    {names}
    depends_on = frozenset({depends_on})
    {fields}

    def support(self, position):
        scenario, role = position.scenario, position.role
        offers = scenario.offers(role)
        acceptable = position.standing_offer in scenario.acceptable_range(role)
        last = position.last_decision
        {body}
        if last:
            return [scenario.accept if acceptable else scenario.walk_away]
        return [offers[0]]
"""
NAMES = 'name, summary, source = "mine", "does this", "here"'


def mine(body: str = "", depends_on: str = "", names: str = NAMES, fields: str = "") -> str:
    text = FILE.format(names=names, depends_on=depends_on, body=body, fields=fields)
    Path("mine.py").write_text(text, encoding="utf-8")
    return "mine.py"


OURS = (*STRATEGIES, "tit-for-tat:accept=combi,time=0.4", "zeuthen:accept=time", "t.npz")
SLOW = pytest.mark.slow
DAILY = ("linear", "micro", "t.npz")


@pytest.mark.parametrize(
    "words", [pytest.param(each, marks=() if each in DAILY else SLOW) for each in OURS]
)
def test_ours_break_nothing(words: str) -> None:
    trained()
    assert broken(words) == {}


# check that breaks | pattern of its line, and what a rule that breaks it has
BREAKS = r"""
has a name, a summary and a source | there is no name; write name =
    names: pass
plays every position without an error | after( \d+){5}: mine\.py, line 19: Zero.*fix that
    body: 1 // (5 - len(position.offers))
    depends_on: ['history']
returns at least one action | no action; return at least one
    body: if last: return []
returns only actions that exist | action -1; use indices of
    body: if last: return [-1]
opens with an offer | the seller in original after no offer: accepts or walks away at the opening
    body: if position.standing_offer is None: return [scenario.walk_away]
accepts or walks away at the last decision | makes an offer at
    body: if last: return [offers[0]]
stays inside its price range | offers .*, its range is .* use scenario.offers
    body: if not last: return [0]
stays inside its price range | accepts \d+, its range is .* check scenario.acceptable_range
    body: if last: return [scenario.accept]
has no memory | draw nothing: return every possible action
    body: if not last: return [random.choice(offers)]
depends only on what depends_on names | with another history; add 'history' to depends_on
    body: if not last and len(position.offers) > 1: return [offers[-1]]
depends only on what depends_on names | with another own; add 'own' to depends_on
    body: if not last and position.own_last_offer is None: return [offers[-1]]
depends only on what depends_on names | with another time; add 'time' to depends_on
    body: if not last and position.time: return [offers[-1]]
depends only on what depends_on names | with another opener; add 'opener' to depends_on
    body: if not last and position.opened: return [offers[-1]]
does not override act | act is never called; remove it
    fields: act = lambda self, position, rng: self.support(position)[0]
does not mix prices with actions | action \d becomes action \d if all prices are doubled; offers are
    body: if not last and acceptable and position.standing_offer >= offers[-1]: last = 1
does not mix prices with actions | if all prices are doubled
    body: if not last: return [min(position.standing_offer or 0, offers[-1])]
plays the same as a copy | Mine is no dataclass; write @dataclass\(frozen=True\) above it
    fields: def __init__(self, share=0.3): pass
plays the same as a copy | store every setting in a field
    body: if not last and self.made > 1: return [offers[-1]]
    fields: def __post_init__(self): object.__setattr__(self, 'made', next(CALLS))
plays the same in another process | it plays differently; use only the position: no random, no clock
    body: if not last: return [offers[os.getpid() % len(offers)]]
"""


CASES = re.split(r"\n(?=\S)", BREAKS.strip())
CHECKS = [*dict.fromkeys(case.partition(" | ")[0] for case in CASES)]


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[SLOW] * ("another process" in case)) for case in CASES]
)
def test_what_breaks_is_said(case: str) -> None:
    heading, *lines = case.splitlines()
    name, named = heading.split(" | ")
    file = mine(**dict(line.strip().split(": ", 1) for line in lines))
    if "no dataclass" in named:
        text = Path(file).read_text(encoding="utf-8")
        Path(file).write_text(text.replace("@dataclass(frozen=True)", ""), encoding="utf-8")
    found = broken(file, last=name)
    assert name in found
    assert re.search(named, found[name])
    assert "\n" not in found[name]


def test_nothing_else_is_said_to_break() -> None:
    assert set(broken(mine("if last: return [offers[0]]"))) == {CLOSES}
    assert set(broken(mine("if position.standing_offer is None: return [999]"))) == {KNOWN}


@pytest.mark.parametrize("kind", ["iter", "np.array"])
def test_choices_may_be_any_collection(kind: str) -> None:
    words = mine(f"import numpy as np\n        if not last: return {kind}([offers[0], offers[-1]])")
    assert broken(words) == {}


def test_what_cannot_be_checked_is_status_2(capsys: Captured) -> None:
    trained()
    refused(capsys, "check", "t.npz", "--scenario", "fine")


@pytest.mark.slow
def test_the_command(capsys: Captured) -> None:
    assert main(["check", EXAMPLE, "--scenario", "legacy", "--seed", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [
        ["ok", name] for name in CHECKS if name != "does not mix prices with actions"
    ]
    assert main(["check", mine("if last: return []")]) == 1
    out = capsys.readouterr().out
    assert f"BREAKS  {SOME}\n        the seller in original after" in out
    assert f"ok      {CLOSES}" in out


SMALL = Scenario.from_dict({"prices": 3, "rounds": 2, "states": "opener-aware"})
MADE = "is made for each role"
GIVES = "gives legal actions and their probabilities"
LEARNS = "learns from negotiations"
FOLLOWS = "without exploration plays by its probabilities"
CONSTANT = "its probabilities change only by learning"
VALUES = "gives a value per action, or none"
LEARNS_ALIKE = "a copy learns the same, and changes only itself"
RESTORED = "restore brings back its state"
REPEATED = "learns the same from the same seed"

PLAYS_ONE = """def probabilities(self, position):
    row = np.zeros(self.scenario.n_actions)
    row[position.legal[{} % len(position.legal)]] = 1
    return row
"""
LEARNERS = {
    "def __init__(self, scenario, role, rng):\n    1 / 0": (MADE, "ZeroDivisionError"),
    "def probabilities(self, position):\n    return [0.5] * 5": (GIVES, "illegal"),
    "def act(self, position, rng):\n    return 77": (GIVES, "got 77"),
    "def learn(self, episode):\n    self.nothing": (LEARNS, "AttributeError"),
    "def act(self, position, rng):\n    return rng.choice(list(position.legal))\n"
    + PLAYS_ONE.format("0"): (FOLLOWS, "self.epsilon"),
    PLAYS_ONE.format("random.randrange(99)"): (CONSTANT, "draw nothing"),
    "def values(self, position):\n    return [0.0]": (VALUES, "the shape"),
    PLAYS_ONE.format("(len(Mine.shared) * 7 // 30)")
    + "def learn(self, episode):\n    Mine.shared.append(0)": (LEARNS_ALIKE, "share nothing"),
    "best = 0\n" + PLAYS_ONE.format("self.best") + "def learn(self, episode):\n"
    "    self.best = int(self.rng.integers(1, 9))\n"
    "def state(self):\n    return {'x': np.zeros(1)}": (RESTORED, "put all it needs in state"),
    "best = int(time.time() * 1e6)\n" + PLAYS_ONE.format("self.best"): (REPEATED, "self.rng"),
}


@pytest.mark.slow
@pytest.mark.parametrize("change", LEARNERS)
def test_the_check_names_what_breaks(change: str) -> None:
    Path("own.py").write_text(user_learners.changed(change), encoding="utf-8")
    name, named = LEARNERS[change]
    failures = {}
    for check in check_learner("own.py", [SMALL]):
        failures[check.name] = check.broken
        if check.name == name:
            break
    assert named in failures.pop(name)
    assert not any(failures.values())


def test_a_good_learner_passes_and_its_speed_is_told(capsys: Captured) -> None:
    Path("own.py").write_text(user_learners.table(), encoding="utf-8")
    assert main(["check", "learned:own.py:rate=0.3", "--states", "opener-aware"]) == 0
    *lines, speed = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok      ") for line in lines)
    assert {line[8:] for line in lines} >= {MADE, GIVES, LEARNS, LEARNS_ALIKE, RESTORED, REPEATED}
    assert "negotiations per second in original" in speed


@pytest.mark.slow
def test_the_example_passes_in_every_scenario() -> None:
    assert main(["check", user_learners.EXAMPLE]) == 0


def test_a_failure_is_status_1_and_a_wrong_name_2(capsys: Captured) -> None:
    Path("own.py").write_text(
        user_learners.changed("def learn(self, episode):\n    1 / 0"), encoding="utf-8"
    )
    assert main(["check", "own.py", "--scenario", "original"]) == 1
    assert "BREAKS  learns from negotiations\n        own.py:Mine: learn: " in (
        capsys.readouterr().out
    )
    refused(capsys, "check", "own.py:rate=2")


def test_a_file_is_what_its_classes_are() -> None:
    learner = user_learners.table()
    Path("alone.py").write_text(learner, encoding="utf-8")
    Path("own.py").write_text(learner, encoding="utf-8")
    assert is_learner("own.py")
    assert is_learner("alone:Table")
    assert not is_learner("alone:np")
    Path("own.py").write_text(
        f"{learner}\n{FILE.format(names='pass', depends_on='', body='', fields='')}"
    )
    assert not is_learner("own.py")
    assert is_learner("learned:own.py")
