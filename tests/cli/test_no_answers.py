"""A program that gives no answers gets no marks, rank, verdict or result, in no command."""

import csv
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import negotiation_tui as nt
from negotiation_tui.players.program import from_spec
from tests.support.cli import Captured, status_of
from tests.support.model_server import Reply, Server, says, sensible, serving
from tests.support.paths import DOCS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
BOT = """while read -r word rest; do
    case $word in
        haggle) echo ready 1 ;;
        turn | ask)
            n=$((n+1))
            LOSES && { echo some log >&2; echo "no credit" >&2; exit 3; }
            case $rest in *"standing -"*) echo move offer 5 ;; *) echo move walk ;; esac ;;
        quit) exit ;;
    esac
done
"""
NEVER = "it ended with 3: no credit"


def bot(loses: str = "true") -> str:
    """Return a program that ends at each question for which a condition of the shell holds."""
    Path("bot.sh").write_text(BOT.replace("LOSES", loses))
    return "cmd:sh bot.sh"


FEW = "--cycles", "1", "--episodes", "8"
JUDGED = "3 of 3 questions without an answer: it ended with 3: no credit"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("examine", "BOT", "--save", "none.npz"), JUDGED),
        (("examine", "BOT", "--json"), JUDGED),
        (("solve", "--seller", "BOT", "--buyer", "conceder"), JUDGED),
        (("reproduce", "buyers-role", "--player", "BOT"), JUDGED),
        (("market", "--seller", "BOT", "--limit", "steps=9", "--text"), JUDGED),
        (("train", "--seller", "BOT", *FEW, "--save", "none.npz"), NEVER),
        (("test", "trained.npz", "--seller", "BOT", "--negotiations", "8"), NEVER),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_a_program_that_never_answered_has_no_result(
    words: tuple[str, ...], reason: str, capsys: Captured
) -> None:
    if words[0] == "test":
        nt.train("original", cycles=1, episodes=8).save("trained.npz")
    spec = bot()
    assert status_of(*(spec if word == "BOT" else word for word in words)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert spec in err
    assert reason in err
    assert not Path("none.npz").exists()


@pytest.mark.slow
def test_a_sweep_and_a_frame_end_with_the_reason(capsys: Captured) -> None:
    spec = bot()
    settings = ("--set", f"seller={spec}", "--set", "cycles=1", "--set", "episodes=8")
    assert status_of("sweep", *settings, "--out", "rows.csv") == 1
    assert not Path("rows.csv").exists()
    assert NEVER in capsys.readouterr().err
    assert status_of("--seller", spec, *FEW, "--once", "--size", "100x24") == 1
    out, err = capsys.readouterr()
    assert "seller: walked away: it ended with 3: no credit" in out
    assert "questions without an answer" in err


@pytest.mark.parametrize("size", ["80x24", "100x24", "120x36"])
def test_a_frame_has_the_reason(size: str, capsys: Captured) -> None:
    """The message at the end of a training covers the sentence; the price bar says it then."""
    assert status_of("--seller", bot(), *FEW, "--once", "--size", size) == 1
    assert "seller: walked away: it ended with 3: no credit" in capsys.readouterr().out


def played(spec: str) -> tuple[int, list[dict[str, str]]]:
    words = (spec, "conceder", "--text", "--negotiations", "10", "--out", "rows.csv")
    status = status_of("tournament", *words)
    return status, [*csv.DictReader(Path("rows.csv").open())]


def test_a_tournament_ranks_no_program_that_never_answered(capsys: Captured) -> None:
    status, rows = played(bot())
    assert status == 1
    lost = [row for row in rows if "cmd:sh bot.sh" in (row["seller"], row["buyer"])]
    assert len(lost) == 3
    assert all("10 of 10 questions without an answer" in row["refused"] for row in lost)
    assert all(row["reward_seller"] == row["reward_buyer"] == "" for row in lost)
    out, err = capsys.readouterr()
    assert "   –  cmd:sh bot.sh" in out
    assert "× cmd:sh bot.sh as the seller: 10 of 10 questions" in out
    assert err.startswith("cmd:sh bot.sh as the seller: 10 of 10 questions without an answer: it")
    assert err.endswith("; in 3 of 3 pairings such questions\n")


def test_no_rank_after_a_failed_pairing(capsys: Captured) -> None:
    """A mean of the pairings before its failure would be compared with means of all."""
    _, rows = played(bot("echo >> asked; [ $(wc -l < asked) -gt 25 ]"))
    bots = [row["refused"] for row in rows if "cmd:sh bot.sh" in (row["seller"], row["buyer"])]
    assert "" in bots
    assert any(bots)
    assert "   –  cmd:sh bot.sh" in capsys.readouterr().out


def test_a_program_that_failed_seldom_has_a_rank_and_marked_rows(capsys: Captured) -> None:
    status, rows = played(bot("[ $n = 9 ] && [ ! -e once ] && : > once"))
    assert status == 0
    (marked,) = [row for row in rows if row["lost"]]
    assert "1 of 10 questions without an answer: it ended with 3: no credit" in marked["lost"]
    assert marked["refused"] == ""
    assert "in 1 of 3 pairings such questions" in capsys.readouterr().err


def test_a_training_with_a_program_that_failed_seldom_says_so(capsys: Captured) -> None:
    spec = bot("[ $n = 5 ] && [ ! -e once ] && : > once")
    assert status_of("train", "--seller", spec, *FEW, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["scenario"]
    assert err.endswith("without an answer: it ended with 3: no credit\n")
    assert "as the seller: 1 of " in err


MODEL = f"cmd:{sys.executable} {DOCS / 'players/model.py'}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving() as server:
        for name, value in (("URL", server.url), ("MODEL", "small"), ("KEY", "")):
            monkeypatch.setenv(f"HAGGLE_{name}", value)
        yield server


UNREAD = "refused \"move none in 'I cannot help you to haggle.'\": expected one of"
WRONG_KEY = Reply('{"error": "wrong key"}', 401)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "reply", "words"),
    [
        ("reproduce buyers-role --player", WRONG_KEY, '401 Unauthorized: {"error": "wrong key"}'),
        ("examine", WRONG_KEY, '401 Unauthorized: {"error": "wrong key"}'),
        ("examine", Reply("busy", 429, header=("Retry-After", "0")), "429 Too Many Requests: busy"),
        ("examine", Reply("", 500, "Oh dear"), "500 Oh dear"),
        ("examine", Reply('{"choices": [{"mess'), "JSONDecodeError"),
        ("examine", Reply(hold="closed"), "RemoteDisconnected"),
        ("examine", says("I cannot help you to haggle."), UNREAD),
    ],
)
def test_a_model_that_was_not_reached_has_no_marks(
    command: str, reply: Reply, words: str, server: Server, capfd: Captured
) -> None:
    server.replies = [reply]
    assert status_of(*command.split(), MODEL) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert words in err.splitlines()[-1]


@pytest.mark.slow
def test_a_silent_model_has_no_marks(server: Server) -> None:
    server.replies = [Reply(hold="silent")]
    player = replace(from_spec(MODEL), seconds=0.5)
    with pytest.raises(nt.BadInputError, match=r"3 failures in a row; .*no answer in"):
        nt.examine(player)


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.05], ids=["a move in a block", "slowly"])
def test_a_model_that_answers_is_judged(delay: float, server: Server, capfd: Captured) -> None:
    def in_a_block(messages: list[Any]) -> str:
        time.sleep(delay)
        *_, move = sensible(messages).splitlines()
        return f"Here it is:\n```\n{move}\n```"

    server.replies = [in_a_block]
    assert status_of("examine", MODEL, "--role", "seller", "--ask", "2") == 0
    assert "as the seller" in capfd.readouterr().out


def ends(reason: str, content: object = "move offer 4") -> Reply:
    """A reply that ends for a reason."""
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": reason}
    return Reply(json.dumps({"choices": [choice]}))


REFUSAL = {"choices": [{"message": {"content": None, "refusal": "I will not."}}]}
KINDS: list[tuple[str, Reply]] = [
    ("", ends("stop")),
    ("", says("move accept\nBut 1 is too low.\nMove: offer 4")),
    ("", says("<think>move accept</think>**offer 4.00**")),
    ("", says([{"type": "text", "text": "move "}, {"type": "text", "text": "offer 4"}])),
    ("cut off", ends("length", "move offer 4\nBut")),
    ("cut off", ends("tool_calls", None)),
    ("refused", ends("content_filter", "")),
    ("refused", Reply(json.dumps(REFUSAL))),
    ("unreadable", says("<think>I could\nmove accept")),
    ("unreadable", says("I'm sorry, I cannot help with that.")),
    ("unreadable", says("move accept or move offer 4")),
    ("unreadable", says("move offer \u0664")),
    ("unreadable", says("")),
    ("illegal", says("move offer 9")),
    ("late", says("move offer 4", "silent")),
    ("server's error", Reply("busy", 429, header=("Retry-After", "99"))),
    ("server's error", Reply('{"choices": [{"mess')),
    ("server's error", Reply("", 500)),
    ("server's error", WRONG_KEY),
    ("server's error", Reply("busy", 429)),
    ("server's error", Reply(hold="closed")),
    ("server's error", says("move walk", hold="cut")),
    ("server's error", Reply('{"error": "no credit"}', 402)),
    ("server's error", Reply("[]")),
]


@pytest.mark.parametrize(
    ("kind", "reply"),
    [
        pytest.param(*each, marks=[pytest.mark.slow] * (n > 16 or each[0] == "late"))
        for n, each in enumerate(KINDS)
    ],
)
def test_a_failure_is_of_its_kind(kind: str, reply: Reply, server: Server) -> None:
    server.replies = [reply]
    seat = replace(from_spec(MODEL), seconds=1.5).seat(nt.Role.SELLER)
    seat.ask(nt.Position.after(nt.Scenario.original(), nt.Role.SELLER, (5, 2)))
    assert [*seat.manners.kinds] == [kind] * bool(kind), seat.manners
