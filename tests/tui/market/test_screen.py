"""The screen of a market: whole pictures, every key, the play of a tick, and the past.

Pictures are compared with tests/data/screens/market; see test_golden for writing them anew.
"""

import re
from dataclasses import replace
from itertools import chain, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui import Role
from negotiation_tui.market.agents import population
from negotiation_tui.market.checkpoint import load_simulation
from negotiation_tui.market.ranking import FILTERS, ORDERS, filters
from negotiation_tui.market.summary import accounts
from negotiation_tui.tui.market.model import LEADERBOARD, ROOM, frames
from negotiation_tui.tui.market.pace import NAMES
from negotiation_tui.tui.market.pair import AgentTable
from negotiation_tui.tui.market.panes import histogram
from negotiation_tui.tui.market.update import update
from negotiation_tui.tui.toolkit.messages import KeyPressed, Mouse, Published
from tests.support.golden import check
from tests.support.market_screen import SCENARIO, Screen, crowd
from tests.support.screen_loop import inside

pytestmark = pytest.mark.usefixtures("without_numba")  # the loop of markets takes nine seconds
SCREENS = {
    "80x24": lambda: Screen(80, 24).press("n", "n", "."),
    "200x60": lambda: Screen(200, 60).press("c", "c", "n", "j"),
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_it_was(name: str) -> None:
    check(f"market/{name}", SCREENS[name]().settle().text())


def test_the_price_bar_names_practice_and_each_guess() -> None:
    rng, kinds = np.random.default_rng(0), ("sarsa", "roth-erev", "q-learning")
    agents = [
        agent
        for role, kind in product(Role, kinds)
        for agent in population(role, f"{role}-{kind}", 2, [role * 5], rng, f"learned:{kind}")
    ]
    screen = Screen(120, 36, agents=agents).press("j", "j")
    missing = {
        "PRACTICE · the seller learns",
        "PRACTICE · the buyer learns",
        "  a guess",
        " guessed ",
    }
    for _ in range(60):
        text = screen.press(".").text() if missing else ""
        missing = {words for words in missing if words not in text}
    assert not missing


def test_sellers_without_a_partner_wait_among_the_others() -> None:
    rng = np.random.default_rng(0)
    sides = population(Role.SELLER, "s", 5, 1, rng), population(Role.BUYER, "b", 2, 5, rng)
    screen = Screen(agents=[*chain(*sides)]).press("n")
    room = " ".join(inside(screen.model, screen.frame(), ROOM))
    assert (room.count("waits"), len({*re.findall(r"s-\d", room)})) == (3, 5), room


def test_offers_come_one_by_one_in_every_pair() -> None:
    screen = Screen().press(".")
    snapshot = screen.model.here
    assert (snapshot.tick, screen.model.frame) == (1, 1)
    for frame in range(1, frames(snapshot) + 1):
        assert screen.model.frame == frame
        visible = screen.model.visible
        assert (visible == np.minimum(snapshot.encounters.n_turns, frame)).all()
        assert screen.model.accounts.tick == (1 if frame == frames(snapshot) else 0) or frame == 1
        screen.press(".")
    assert (screen.model.here.tick, screen.model.frame) == (2, 1)
    assert screen.press(",").model.here is snapshot
    assert screen.model.frame == frames(snapshot)
    assert screen.press(",").model.frame == frames(snapshot) - 1


def test_a_market_that_runs_closes_after_its_ticks() -> None:
    screen, said = Screen(limit="negotiations=30", paused=False, pace="16"), set()
    for _ in range(40):
        said.add(screen.wait(0.5, 0.1).model.message)
    assert screen.session.simulation.finished
    assert not screen.model.running
    assert any("has closed" in message for message in said)
    assert screen.model.message == "", "it has left"
    ticks = [snapshot.tick for snapshot in screen.model.history.entries]
    assert ticks == [*range(screen.session.simulation.tick + 1)]
    assert "closed" in screen.frame().line(0)
    assert "has closed" in screen.press("space").model.message


def test_a_restart_forgets_the_ticks() -> None:
    screen = Screen().press("n", "n", "r")
    assert screen.model.history.entries == (screen.model.here,)
    assert screen.model.here.tick == 0


def test_flat_out_it_shows_the_newest() -> None:
    screen = Screen(limit="negotiations=100000000", paused=False, pace="flat").wait(3, 0.1)
    assert screen.model.snapshot is screen.model.latest
    assert 50 < screen.model.here.tick <= screen.model.latest.tick
    while "negotiations/s" not in screen.text():  # a slow market is measured late
        assert screen.wait(0.05).now < 100
    screen.press("space")
    assert screen.model.here is screen.model.latest
    assert screen.model.frame == frames(screen.model.here)
    assert not screen.session.running


@pytest.mark.parametrize("pace", ["16", "flat"])
def test_the_room_has_the_pair_shown(pace: str) -> None:
    screen = Screen(80, 24, "negotiations=100000000", paused=False, pace=pace)
    while screen.model.here.tick == 0:  # samples come by the clock
        assert screen.wait(0.05).now < 100
    for _ in range(40):
        canvas = screen.wait(0.1).frame()
        room, bar = (inside(screen.model, canvas, pane) for pane in (ROOM, 5))
        seller, buyer = re.findall(r"[\w-]+(?= cost| worth)", bar[0])
        (price,) = re.findall(rf"▸ *{seller} \W?(.)\W? {buyer}", "\n".join(room))
        assert (price in bar[1]) != ("NO DEAL" in bar[1]), f"{room} {bar}"


def test_the_strip_chooses_a_pane() -> None:
    screen = Screen(80, 24)
    lines = screen.text().splitlines()
    (y,) = (n for n, line in enumerate(lines) if "4 Wallets" in line)
    screen.tell(Mouse("press", y, lines[y].index("Wallets")))
    assert screen.model.chosen == 4


def test_the_past_is_as_it_was() -> None:
    screen = Screen()
    pictures = []
    for _ in range(4):
        screen.press("n")
        pictures.append(screen.settle().text().splitlines()[1:-1])
    for picture in reversed(pictures[:-1]):
        while screen.model.frame > 1:
            screen.press(",")
        screen.press(",")
        assert screen.settle().text().splitlines()[1:-1] == picture
    assert "the oldest entry" in screen.press("[", "[").model.message
    screen.press("space").wait(25, 0.1)
    assert screen.model.live, "it played through the past into the present"


def test_each_step_through_the_past_says_where_it_leads() -> None:
    screen = Screen().press(*"nnn")
    for key, here, said in (
        *(("]", 3, "this is the present"), ("[", 2, "1 back · 4 of at most 2,000 entries")),
        *(("[", 1, "2 back · "), ("]", 2, "1 back · "), ("]", 3, "back in the present")),
        *(("[", 2, "1 back · "), ("[", 1, "2 back · "), ("[", 0, "3 back · ")),
        ("[", 0, "this is the oldest entry: 4 of at most"),
    ):
        model = screen.press(key).model
        assert (model.here.tick, model.live) == (here, here == 3)
        assert model.message.startswith(said)


def test_space_stops_a_long_stretch() -> None:
    screen = Screen(limit="steps=1000000000000").press()
    model = update(screen.model, KeyPressed("c", 1.0))
    for command in model.commands:
        screen.session.handle(command)
    model = replace(model, commands=())
    while screen.session.snapshot.tick == 0:
        screen.session.step()
    model = update(model, Published(screen.session.snapshot))
    assert "of 1,000,000,000,000 ticks: space stops it" in model.message
    assert model.here.tick == 0
    screen.model = update(model, KeyPressed("space", 2.0))
    screen.answer()
    assert not screen.model.waiting
    assert not screen.model.running
    assert screen.model.message == ""
    assert screen.model.here is screen.model.latest
    assert screen.model.frame == frames(screen.model.here)


def story() -> Screen:
    return Screen(limit="negotiations=6000", paused=False, pace="story")


def test_the_story_begins_offer_by_offer() -> None:
    screen = story().wait(2, 0.1)
    assert screen.model.pace.seen
    assert "all meet in pairs" in screen.text() or "coins per game" in screen.text()
    screen.wait(12, 0.1)
    assert not screen.model.pace.seen
    assert re.search(r"▶ story, [01]:\d\d left", screen.frame().line(0))


def test_the_end_says_who_won() -> None:
    screen = Screen(limit="negotiations=6000", paused=False, pace="flat")
    while screen.model.running:
        assert screen.wait(1, 0.1).now < 120
    closed = r"▸ Closed: the \w+s gained (\d\.\d) coins per game, the \w+s (\d\.\d); \S+ is first"
    found = re.search(closed, screen.text())
    assert found
    assert found[1] > found[2]


def test_a_pace_key_takes_over_until_d_gives_the_story_back() -> None:
    screen = story().wait(14, 0.1)
    assert screen.press("+").model.pace.name == "4"
    assert not screen.session.running, "it waits for the offers again"
    assert "the slowest pace" in screen.press("-", "-", "-").model.message
    assert screen.press("D").session.running
    assert screen.press(*"+" * len(NAMES)).model.message == "flat out is the fastest pace"


def test_c_goes_from_point_to_point_of_the_curves() -> None:
    screen = Screen(limit="negotiations=6000")
    assert [screen.press("c").model.here.tick for _ in range(4)] == [10, 20, 30, 40]
    assert screen.press("n", ".").model.here.tick == 42
    assert [screen.press("[").model.here.tick for _ in range(3)] == [40, 30, 20]
    assert screen.press("]").model.here.tick == 30


def test_g_goes_to_a_tick() -> None:
    screen = Screen(limit="negotiations=6000").press(*"ccccn")
    assert screen.press("g", *"41", "enter").model.here.tick == 41
    assert screen.press("g", *"35", "enter").model.message == "tick 30, the last shown up to 35"
    assert screen.press("g", *"127", "backspace", "8", "enter").model.here.tick == 128
    assert screen.press("g", "7", "esc").model.going is None


def test_the_agents_of_a_market_keep_their_strategies() -> None:
    assert "keep their strategies" in Screen().press("t").model.message


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=60), st.integers(1, 50))
def test_each_column_of_wallets_is_of_equally_many_amounts(held: list[int], most: int) -> None:
    counts = histogram(np.array(held), most)
    assert 1 <= len(counts) <= most
    assert counts.sum() == len(held)
    every = histogram(np.arange(min(held), max(held) + 1), most)
    assert len(set(every[:-1].tolist())) <= 1
    assert every[-1] <= every[0]


def test_the_leaderboard_is_what_the_accounts_say() -> None:
    screen = Screen(agents=crowd(30)).press("c", "c", "2")
    rows = accounts(screen.session.simulation)
    best = sorted(rows, key=lambda row: -row["surplus"])
    ranked = screen.model.ranked
    assert [rows[n]["surplus"] for n in ranked] == [row["surplus"] for row in best]
    screen.press("pgup", "pgup", "pgup", "pgup")
    seen = []
    for _ in range(len(rows)):
        seen.append(screen.model.marked)
        screen.press("down")
    assert seen == ranked.tolist()


def test_sort_goes_through_the_columns() -> None:
    screen = Screen().press("c")
    for column in ORDERS:
        assert ORDERS[screen.model.sort_index] == column
        screen.press(">")
    assert screen.model.sort_index == 0


def test_a_key_goes_through_the_filters() -> None:
    screen = Screen().press("c")
    setup = screen.model.latest.setup
    n = len(setup.agents)
    expected = {"all": n + 2, "sellers": 6, "buyers": 8, "learners": 11, "static": 3, "teams": 2}
    assert filters(setup) == FILTERS
    for which in FILTERS:
        assert (screen.model.filter, len(screen.model.ranked)) == (which, expected[which])
        screen.press("&")


def test_a_search_takes_letters_until_enter() -> None:
    screen = Screen().press("/", *"seller-q", "backspace", "1")
    assert screen.model.typing
    assert [screen.model.latest.setup.agents[n].name for n in screen.model.ranked] == ["seller-1"]
    assert screen.press("enter", "q").model.quit


def test_strategies_are_searched_until_esc() -> None:
    screen = Screen().press("/", *"boulware")
    assert len(screen.model.ranked) == 1
    assert screen.press("esc").model.search == ""
    assert "no entries" in Screen(80, 24).press("/", "!").text()


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        (("3", "v"), "no Q-table is on the screen: choose pane 6 or 7"),
        (("3", "z", "down"), "no agent to choose on this pane: panes 1 and 2 list them"),
        (("2", "right"), "a list has lines alone: ↑ and ↓ choose one"),
        (("esc",), "nothing to close: q quits"),
    ],
)
def test_a_key_that_does_nothing_says_so(keys: tuple[str, ...], says: str) -> None:
    assert says in Screen(80, 24).press("n", *keys).text()


def test_a_team_is_followed_by_its_best() -> None:
    screen = Screen().press("c", *"&&&&&", "2", "down")
    setup, model = screen.model.latest.setup, screen.model
    assert model.marked >= len(setup.agents)
    team = setup.teams[model.marked - len(setup.agents)]
    gains = {n: model.latest.gains[n] for n, one in enumerate(setup.agents) if one.team == team}
    assert model.followed == max(gains, key=lambda n: gains[n])


def test_the_leaderboard_opens_at_its_top_until_somebody_is_picked() -> None:
    screen = Screen(80, 24, agents=crowd(1200)).press("c", "2")
    ranked = screen.model.ranked.tolist()
    rows = screen.model.layout().panes[LEADERBOARD].height - 2
    assert ranked.index(0) >= rows
    assert (screen.model.marked, screen.model.followed) == (0, 0)
    lines = inside(screen.model, screen.frame(), LEADERBOARD)
    assert lines[2].split()[0] == "1"
    assert not any("▸" in line for line in lines)
    assert screen.press("down").model.marked == ranked[0]
    assert screen.press("pgdn").model.marked == ranked[rows]
    assert screen.press("pgdn", "pgup", "pgup").model.marked == ranked[0]
    assert screen.press("end").model.marked == ranked[-1]
    assert re.search(r"^┃▸1,200 \w+-\d+ ", screen.text(), re.MULTILINE)
    assert screen.press("home").model.marked == ranked[0]


def test_end_goes_to_the_last_table_of_the_room() -> None:
    screen = Screen(80, 24, agents=crowd(100)).press("n", "right", "end")
    assert screen.model.followed == 49
    assert screen.press("home").model.followed == 0
    shown = " ".join(screen.press("pgdn").text().splitlines()[1:3])
    assert f"sellers {screen.model.followed + 1}–" in shown, "a page is what is in sight"


def test_end_goes_to_the_last_state_of_a_q_table() -> None:
    screen = Screen(60, 14).press("n", "6", "z", "pgdn")
    assert screen.model.scrolled[6][0] == 7
    answers = SCENARIO.n_states - 1 - SCENARIO.n_prices  # of an opener, who has no last word
    end = AgentTable(screen.press("end").model, 6).view
    home = AgentTable(screen.press("home").model, 6).view
    assert [view and view.first_row for view in (end, home)] == [answers - 7, 0]


def test_w_saves_what_can_be_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    screen = Screen().press("n")
    seen = screen.text()
    screen.press("w", "w")
    name = "market-original-seed7-tick1"
    files = [f"{name}-2.npz", f"{name}.npz"]
    assert sorted(path.name for path in tmp_path.glob("*.npz")) == files
    assert files[0] in screen.model.message
    assert (tmp_path / f"{name}.txt").read_text(encoding="utf-8") == seen + "\n"
    assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert load_simulation(files[0]).tick == 1


@pytest.mark.parametrize(("size", "length"), [((80, 24), 84), ((120, 36), 12), ((200, 60), 39)])
def test_every_pair_is_told_apart_with_its_price(size: tuple[int, int], length: int) -> None:
    screen = Screen(*size, agents=crowd(22, "s" * length, "b" * length)).press("n")
    placed = screen.model.layout().panes[ROOM]
    room = screen.settle().frame().subcanvas(placed).text()
    meetings = screen.model.here.encounters
    buyers = meetings.buyers - screen.model.here.setup.sellers
    for seller, buyer in zip(meetings.sellers + 1, buyers + 1, strict=True):
        assert f"-{seller} " in room
        assert f"-{buyer} " in f"{room} ".replace("\n", " ")
    signs = [room.count(sign) for sign in "◀▶×"]
    assert sum(signs) - 3 + room.count("=") // 2 >= len(meetings), "three signs are the tally's"
