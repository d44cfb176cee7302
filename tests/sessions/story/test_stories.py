"""Stories are played to their end, and every caption that is true on the way is checked.

`claims` reads a caption's words, and computes what they claim from the tables of that moment.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Scenario
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.story.facts import KINDS
from negotiation_tui.sessions.story.limit_facts import HIDDEN_KINDS
from tests.sessions.story.claims import check
from tests.sessions.story.world import told
from tests.support.game import game
from tests.support.trainings import new_session

AWARE = Scenario.original().with_opener
SMALL = game(3, 1, seller={"limits": [0, 1]}, buyer={"limits": [3, 4]})
"""One offer and one answer; a deal is always possible."""


def drawn(number: int) -> Scenario:
    """A game with δ near 1 and unequal, narrowed ranges, reservation values or one hidden limit."""
    rng = np.random.default_rng(number)
    prices, kind, rules = int(rng.integers(3, 7)), number % 4, dict[str, Any]()
    low, high = int(rng.integers(0, 3)), prices - int(rng.integers(0, 2))
    if kind == 0:
        rules["delta"] = rng.choice([0.9999, 0.999, 0.99, 0.9], 2, replace=False).tolist()
    elif kind == 1:
        rules = {"seller": {"min": low + 1}, "buyer": {"max": high}}
    elif kind == 2:
        rules = {"seller": {"reservation": low - 1}, "buyer": {"reservation": high + 1}}
    else:
        buys = number // 4 % 2
        limits = (rng.choice(prices, 3, replace=False) + buys).tolist()
        rules["buyer" if buys else "seller"] = {"limits": limits}
    opener = ("alternate", "alternate", "seller", "alternate", "buyer")[number % 5]
    return game(prices, int(rng.integers(2, 5)), opener=opener, **rules).with_opener


def run(scenario: Scenario, recipe: str = "reverse-curriculum", learner: str = "learned") -> Run:
    return Run.by_recipe(scenario, recipe, 0, ("learned", learner))


def of(name: str, **rules: Any) -> Scenario:
    return replace(Scenario.of(name).with_opener, **rules)


QUICK = {
    "original": (run(AWARE), 4),
    "impatience": (run(of("impatience")), 12),
    "one limit": (run(drawn(3)), 6),
}
SLOW = {
    "small": (run(SMALL, "corrected"), 1),
    "ties": (run(of("original", delta=0.9), learner="learned:roth-erev"), 6),
    "corrected": (run(of("original", delta=0.999), "corrected"), 2),
    "in full": (run(AWARE), 1),
    "legacy": (run(Scenario.of("legacy"), "published"), 5),
    "fine": (run(Scenario.of("fine"), "published"), 5),
    "hidden": (run(of("hidden")), 3),
    "published": (run(Scenario.of("hidden"), "published"), 2),
    "bazaar": (run(of("bazaar")), 100),
    "patience": (run(of("patience")), 90),
    "3x2": (run(of("3x2")), 1),
    "10x7": (run(of("10x7")), 6),
    "20x5": (run(of("20x5", delta=0.9)), 8),
    "computed": (run(of("hidden"), "corrected", "learned:mmd"), 10),
    "one learns": (replace(run(AWARE, "published"), train_both=False), 5),
} | {f"drawn {number}": (run(drawn(number)), 3) for number in range(12)}
"""Runs, and the cycles between two moments that are looked at."""


def kinds_of(played: Run, every: int) -> set[str]:
    """Check each caption that is found; return their kinds."""
    pytest.importorskip("scipy")
    kinds = set[str]()
    for world, facts in told(played, every):
        for fact in facts:
            check(world, fact)
        kinds |= {fact.kind for fact in facts}
    return kinds


@pytest.mark.parametrize("name", QUICK)
def test_captions_are_true(name: str) -> None:
    assert {"finished", "in_the_end"} & kinds_of(*QUICK[name])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 6])
def test_every_caption_of_each_story(seed: int) -> None:
    kinds = set[str]()
    for played, every in (QUICK | SLOW).values():
        kinds |= kinds_of(replace(played, seed=seed), every)
    assert kinds == {kind.__name__ for kind in KINDS | HIDDEN_KINDS}


def test_a_story_is_told_to_its_end() -> None:
    session = new_session(AWARE, RECIPES["reverse-curriculum"](AWARE), 1)
    while not session.snapshot.finished:
        session.handle(do.PlayCycle())
        for fact in session.snapshot.story.news:
            session.handle(do.Tell(fact))
            shown = session.snapshot
            assert shown.story.caption == fact
            assert shown.negotiation
            assert shown.told is shown.story.caption
    facts = session.snapshot.story.found
    assert len(facts) == len(set(facts)) <= 20
    assert facts[0].rules
    assert facts[-1].kind == "finished"
    assert "last_word" in [fact.kind for fact in facts[:7]]
