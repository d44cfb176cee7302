"""Screens of a game in which each refusal costs: what is gained, expected or valued obeys δ."""

import re
from dataclasses import replace

import pytest

from negotiation_tui import Opener, Role, Scenario, Transcript, negotiate
from negotiation_tui.learning.ancestry import Entry, ancestry
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import RewindableTraining
from negotiation_tui.runtime.text import money
from negotiation_tui.sessions.as_json import as_json
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN
from tests.support.screen_driver import Screen

GAME = Scenario.of("impatience")  # the good costs 0 and is worth 10
RULES = "boulware", "linear"


def left(transcript: Transcript) -> tuple[float, float]:
    """What both get, by the rule alone."""
    price = transcript.turns[-1].price or 0
    refused = sum(turn.action < GAME.accept for turn in transcript.turns) - 1
    return price * 0.9**refused, (10 - price) * 0.6**refused


def by_rules(opener: Role = Role.SELLER) -> Transcript:
    return negotiate(GAME, *RULES, opener)


def screen(width: int = 120, height: int = 36, **options: object) -> Screen:
    return Screen("impatience", width=width, height=height, strategies=RULES, **options)  # type: ignore[arg-type]


def test_the_deal_says_what_waiting_cost() -> None:
    text, both = screen(opener=Opener.SELLER).press("n").text(), left(by_rules())
    cost = f"; waiting cost them {100 - 10 * sum(both):.0f}% of the 10 coins"
    assert cost in text
    short = cost.partition(" of ")[0]
    assert short in screen(80, 24, opener=Opener.SELLER).press("n").line("DEAL at")
    assert text.count("lost to waiting") == 2
    assert text.count("δ") == 1
    assert "δ" not in Screen().press("n").text()
    ascii_only = screen(opener=Opener.SELLER, ascii_only=True).press("n").text()
    assert "d 0.9/0.6" in ascii_only
    assert ascii_only.isascii()


def test_facts_have_what_is_left() -> None:
    played = as_json(screen().press("n").trainer.snapshot)["negotiation"]
    shares = [each / 10 for each in left(by_rules(Role.of(played["opener"])))]
    assert [*played["shares"].values()] == pytest.approx(shares)


def test_the_box_of_a_test_has_what_is_left() -> None:
    shown = screen().press("n", "e").settle()
    means = [money(sum(left(by_rules(opener))[role] for opener in Role) / 2) for role in Role]
    assert "coins per game: seller {}, buyer {}".format(*means) in shown.text()


def test_shares_in_practice_count_time() -> None:
    shown = Screen("impatience", width=200, height=60).press("c")
    total = shown.model.latest.statistics.total
    seller, buyer = total.mean_rewards(GAME)
    assert seller + buyer < total.deals / total.negotiations - 0.1
    zoomed = shown.press("3", "z").text()
    assert f"seller {seller * 100:.0f}%, buyer {buyer * 100:.0f}%, " in zoomed
    assert "which is lost without a deal and by waiting" in zoomed


def test_why_says_what_waiting_cost() -> None:
    def training() -> ConcurrentTraining:
        return ConcurrentTraining(GAME, replace(Parameters(), cycles=2, episodes=100), 1)

    rewindable = RewindableTraining(training)
    rewindable.run_episodes(200)
    table = rewindable.training.q_table(Role.SELLER)
    for state in table[:, GAME.accept].nonzero()[0].tolist()[::15]:
        found = ancestry(rewindable, Entry(Role.SELLER, state, GAME.accept, 200))
        refused = 2 * GAME.offer_and_time(state)[1]  # one more if the buyer made the offer
        for source in found.sources:
            each = [0.9**refused * source.at_once, 0.9 ** (refused + 1) * source.at_once]
            assert each[1] - 1e-12 <= source.amount <= each[0] + 1e-12
    shown = Screen("impatience").press(*"cccccc", "n")
    shown.press("4", "enter").settle()
    says = (
        r"made at once, these deals would be worth .*; waiting cost the seller \d+% of the .* coins"
    )
    assert re.search(says, shown.text())


def by_a_person() -> Screen:
    """The screen of a buyer who types the offer 4."""
    return screen(80, 24, opener=Opener.SELLER).press("p").tick(3).press("4")


def test_a_person_sees_what_each_answer_pays() -> None:
    shown = by_a_person()
    says = f"Accept 10 now: 0 coins. Offer 4, if accepted: {money(6 * 0.6)}. A refusal takes 40%."
    assert says in shown.text()
    shown.press("enter").tick(3)
    assert f"Offer 4, if accepted: {money(6 * 0.6**3)}. " in shown.text()


def test_a_large_screen_lists_what_each_answer_pays() -> None:
    shown = by_a_person()
    both = "A refusal takes 40% of what you would get, 10% of the seller's."
    assert both in shown.resize(120, 36).text()
    assert "What an offer earns if taken" in shown.resize(80, 24).text()
    assert re.search(r"offer   8 +1\.2 ", shown.text())


def test_advice_counts_time() -> None:
    shown = by_a_person().press("enter").tick(3).press("i").settle()
    waits = 10 * 0.6**9  # the seller gives in to the tenth offer
    assert f"accepting is worth 0, this is {money(waits)}" in shown.text()


def test_a_person_reads_what_waiting_cost() -> None:
    text = by_a_person().press("enter").tick(3).press("a").resize(120, 36).tick(3).text()
    assert "gain 0 of the 10 coins, the seller 8.1; waiting cost them" in text


def test_without_costs_no_answer_has_a_price() -> None:
    free = Screen().press("p").tick(3).text()
    assert "Accept" not in free
    assert "if taken" not in free


def as_buyer(**others: object) -> Screen:
    """The screen of a buyer who offers 2 to a seller that always asks 10."""
    game = {"prices": range(11), "rounds": 2, "delta": [0.9, 0.6], **others}
    players, size = ("hardliner", "linear"), {"width": 80, "height": 24}
    shown = Screen(game, strategies=players, opener=Opener.SELLER, **size)  # type: ignore[arg-type]
    return shown.press("p").tick(3).press("2")


def test_what_cannot_be_accepted_or_offered_has_no_price() -> None:
    limited = as_buyer(buyer={"limits": [3]})
    assert (
        f"▸ Offer 2 and earn {money(0.6)} coins if the seller accepts. A refusal" in limited.text()
    )
    assert not any("accept" in line for line in limited.pane(BUYER_PLAN))
    last = as_buyer().press("enter").tick(3)
    assert "▸ Accept 10 now: 0 coins. · " in last.text()
    title, *rows = last.pane(BUYER_PLAN)
    assert "What accepting earns you" in title
    assert [row.split() for row in rows if row.strip()] == [["accept", "10", "0"]]
