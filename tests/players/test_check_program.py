"""`check` names each rule of the protocol that a program breaks, and shows the exchange."""

import sys
from pathlib import Path

import pytest

from negotiation_tui.cli.main import main
from negotiation_tui.players.checks.program import check_program
from negotiation_tui.players.checks.strategy import CLOSES, INSIDE, OPENS
from tests.support.cli import refused
from tests.support.paths import DOCS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
Captured = pytest.CaptureFixture[str]
GOOD = f"cmd:sh {DOCS / 'players/hardliner.sh'}"
STARTS = "starts"
READY = "says ready in time"
TURNS = "answers turn in time"
READS = "writes answers that can be read"
AGAIN = "answers again after refused"
ONCE = "answers each question once"
ASKS = "answers ask in time"
CALM = "forgets an ask in the middle of a negotiation"
NEWER = "ignores unknown first words, and new keys at the end of a line"
END = "goes on after end, which needs no answer"
QUIT = "ends within a second after quit"
FINISH = "ends within a second at the end of its input"
LEAVES = "leaves no process behind"
NEGATIVE = "plays at prices with gaps, some negative"
HIDDEN = "plays after limits became hidden"
LONG = "plays 100 rounds"
PRICES = "plays at other prices"

BOT = """#!/bin/sh
n=0
while read -r line; do
    set -- $line
    word=$1
    BEFORE
    case $word in
        haggle) echo ready 1 ;;
        game) role=$3 rounds=$7 ;;
        turn | ask)
            low=${7%,*} high=${7#*,}
            case $role in seller) best=$high ;; *) best=$low ;; esac
            if [ "$3" -lt "$rounds" ] || [ "$5" = "$role" ]; then answer="offer $best"
            elif [ "${11}" -ge "$low" ] && [ "${11}" -le "$high" ]; then answer=accept
            else answer=walk; fi
            AFTER
            echo "move $answer" ;;
        refused) [ "${line%one more try*}" = "$line" ] || echo "move walk" ;;
        quit) exit ;;
    esac
done
"""


def bot(before: str = ":", after: str = ":") -> str:
    Path("bot.sh").write_text(BOT.replace("BEFORE", before).replace("AFTER", after))
    return "cmd:sh bot.sh"


OTHER = "without that it answers 'move offer"
BAD = {
    # lines that are added to a good program, the check that breaks, words of its line, its exchange
    "ends": ("exit", ":", READY, "ended with 0", "> haggle 1"),
    "says nothing": ("[ $word = haggle ] && continue", ":", READY, "flush", "> haggle 1"),
    "no answer": ("[ $word = turn ] && continue", ":", TURNS, "flush", "> turn round 1"),
    "no move": (":", 'echo "$answer"; continue', TURNS, "'offer 5' is no answer", "< offer 5"),
    "twice": (":", 'echo "move $answer"', ONCE, "comes after the answer", "< move offer 5"),
    "one negotiation": ("[ $word = end ] && exit", ":", END, "it ended with 0", "> end"),
    "thanks": ("[ $word = end ] && echo move walk", ":", END, "comes after end", "> end walk"),
    "float": (
        ":",
        '[ "$answer" = "offer $best" ] && answer=$answer.0',
        READS,
        "'move offer 5.0': expected one of the prices",
        "> refused move offer 5.0",
    ),
    "belief": (":", "echo belief 99 1", READS, "'belief 99 1': expected", "< belief 99"),
    "walks at once": (
        ":",
        '[ ${11} = - ] && [ "$rounds$low" = 52 ] && answer=walk',
        OPENS,
        "make an offer if standing is -",
        "< move walk",
    ),
    "never closes": (
        ":",
        'case $answer in accept | walk) answer="offer $best" ;; esac',
        CLOSES,
        "accept or walk there",
        "< move offer",
    ),
    "accepts all": (
        ":",
        "[ $answer = walk ] && answer=accept",
        INSIDE,
        "compare it with range",
        "< move accept",
    ),
    "stubborn": (
        "[ $word = refused ] && continue",
        '[ $3 = 2 ] && answer="offer 77"',
        AGAIN,
        "no answer in time",
        "> refused move offer 77",
    ),
    "no ask": ("[ $word = ask ] && continue", ":", ASKS, "answer ask as you answer", "> ask"),
    "counts": (
        "[ $word = negotiation ] && n=0",
        'n=$((n+1)); [ $n = 4 ] && answer="offer $low"',
        CALM,
        OTHER,
        "> ask round 1",
    ),
    "fixed prices": (
        ":",
        '[ $rounds = 7 ] && answer="offer 77"',
        PRICES,
        "'move offer 77': ",
        "> turn round",
    ),
    "no minus": (
        ":",
        'case $answer in *-*) answer="offer ${answer#*-}" ;; esac',
        NEGATIVE,
        "price",
        "< move offer",
    ),
    "one game": (
        "[ $word = game ] && n=$((n+1)); case $n$line in 2*worths*) exit 3 ;; esac",
        ":",
        HIDDEN,
        "it ended with 3",
        "> game role seller",
    ),
    "long lines": ("[ ${#line} -gt 300 ] && exit 4", ":", LONG, "it ended with 4", "> "),
    "unknown": ("[ $word = novelty ] && exit 5", ":", NEWER, "it ended with 5", "> novelty 1"),
    "last key": (
        ":",
        'case $line in *novelty*) answer="offer $low" ;; esac',
        NEWER,
        OTHER,
        "novelty 1",
    ),
    "stays": ("[ $word = quit ] && continue", ":", QUIT, "leave the loop", "> quit"),
    "forks": ("[ $word = haggle ] && sleep 9 >&- &", ":", LEAVES, "that it started goes", "> "),
}
QUICK = {"ends", "no move", "twice"}


def broken(spec: str, last: str = "", seconds: float = 0.2) -> dict[str, list[str]]:
    """Return failures and exchanges by the name of the check, up to the check `last`."""
    found = {}
    for check in check_program(spec, seconds=seconds):
        if check.broken:
            found[check.name] = check.broken.split("\n")
        if check.name == last:
            break
    return found


@pytest.mark.slow
def test_a_good_program_breaks_nothing(capsys: Captured) -> None:
    assert main(["check", GOOD]) == 0
    *lines, speed = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok      ") for line in lines)
    assert len(lines) == 20
    assert "(median)" in speed


@pytest.mark.parametrize(
    "kind", [pytest.param(each, marks=() if each in QUICK else pytest.mark.slow) for each in BAD]
)
def test_what_breaks_is_said_with_the_exchange(kind: str) -> None:
    before, after, name, words, line = BAD[kind]
    found = broken(bot(before, after), name)
    assert {*found} == {name, *({READS} if name == AGAIN else ())}
    why, *exchange = found[name]
    assert words in why
    assert line in "\n".join(exchange)


@pytest.mark.slow
def test_a_program_that_goes_on_after_the_end_of_its_input() -> None:
    spec = bot()
    with Path("bot.sh").open("a", encoding="utf-8") as file:
        file.write("sleep 9\n")
    assert {*broken(spec)} == {FINISH}


@pytest.mark.slow
def test_a_program_that_draws_without_the_seed_is_told_so(capsys: Captured) -> None:
    counts = "[ $word = haggle ] && echo >> runs && n=$(wc -l < runs)"
    draws = 'case $((n % 2))$answer in 0offer*) answer="offer $low" ;; esac'
    assert main(["check", bot(counts, draws)]) == 0
    assert "ok      draws without the seed: runs with it will not repeat" in capsys.readouterr().out


@pytest.mark.slow
def test_odds_and_words_break_nothing(capsys: Captured) -> None:
    odds = 'offer*) echo "say x"; echo "odds $answer 0.4 offer $low 0.6"; continue'
    assert main(["check", bot(":", f"case $answer in {odds} ;; esac")]) == 0
    out = capsys.readouterr().out
    assert f"ok      {CALM}" in out
    assert "repeats its answers" in out


@pytest.mark.slow
def test_a_program_of_which_no_answer_is_legal_is_checked_to_the_end(capsys: Captured) -> None:
    assert main(["check", bot("[ $word = refused ] && echo move no && continue", "answer=no")]) == 1
    assert "(median)" in capsys.readouterr().out


def test_the_command_shows_the_exchange(capsys: Captured) -> None:
    assert main(["check", bot("exit")]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok      starts",
        "BREAKS  says ready in time",
        "        sh: expected ready after haggle 1, got none: it ended with 0",
        "          > haggle 1",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="needs an interpreter in the first line")
def test_a_script_without_an_interpreter_does_not_start(capsys: Captured) -> None:
    Path("bot").write_text("no program")
    refused(capsys, "check", "cmd:./bot")
    Path("bot").chmod(0o755)
    assert main(["check", "cmd:./bot"]) == 1
    assert "BREAKS  starts" in (out := capsys.readouterr().out)
    assert "cannot be started: Exec format error; a script begins with #!" in out
