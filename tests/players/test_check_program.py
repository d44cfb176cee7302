"""`check` names each rule of the protocol that a program breaks, and shows the exchange."""

import re
import sys
from pathlib import Path

import pytest

import negotiation_tui as nt
from negotiation_tui.cli.main import main
from negotiation_tui.players.checks.program import check_program
from tests.support.cli import Captured, refused
from tests.support.paths import DOCS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
GOOD = f"cmd:sh {DOCS / 'players/hardliner.sh'}"
READS = "writes answers that can be read"
CALM = "forgets an ask in the middle of a negotiation"

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


# check that breaks | words of its line | its exchange, and lines that are added to a good program
BAD = """
says ready in time | ended with 0 | > haggle 1
    before: exit
says ready in time | flush | > haggle 1
    before: [ $word = haggle ] && continue
answers turn in time | flush | > turn round 1
    before: [ $word = turn ] && continue
answers turn in time | 'fine, 5' is no answer, begin it with move | < fine, 5
    after: echo "fine, 5"; continue
answers each question once | comes after the answer | < move offer 5
    after: echo "move $answer"
goes on after end, which needs no answer | it ended with 0 | > end
    before: [ $word = end ] && exit
goes on after end, which needs no answer | comes after end | > end walk
    before: [ $word = end ] && echo move walk
writes answers that can be read | 'move offer 5.0': expected one of the | > refused 'move offer 5.0'
    after: [ "$answer" = "offer $best" ] && answer=$answer.0
writes answers that can be read | 'bid 5': expected move or odds as the first | < bid 5
    after: [ ${11} = - ] || { echo "bid 5"; continue; }
writes answers that can be read | 'belief 99 1': expected | < belief 99
    after: echo belief 99 1
opens with an offer | make an offer if standing is - | < move walk
    after: [ ${11} = - ] && [ "$rounds$low" = 52 ] && answer=walk
accepts or walks away at the last decision | accept or walk there | < move offer
    after: case $answer in accept | walk) answer="offer $best" ;; esac
stays inside its price range | compare it with range | < move accept
    after: [ $answer = walk ] && answer=accept
answers again after refused | no answer in time | > refused 'move offer 77'
    before: [ $word = refused ] && continue
    after: [ $3 = 2 ] && answer="offer 77"
answers ask in time | answer ask as you answer | > ask
    before: [ $word = ask ] && continue
forgets an ask in the middle of a negotiation | without that it answers 'move offer | > ask round 1
    before: [ $word = negotiation ] && n=0
    after: n=$((n+1)); [ $n = 4 ] && answer="offer $low"
plays at other prices | 'move offer 77': | > turn round
    after: [ $rounds = 7 ] && answer="offer 77"
plays at prices with gaps, some negative | price | < move offer
    after: case $answer in *-*) answer="offer ${answer#*-}" ;; esac
plays after limits became hidden | it ended with 3 | > game role seller
    before: [ $word = game ] && n=$((n+1)); case $n$line in 2*worths*) exit 3 ;; esac
plays where time costs | it ended with 6 | > game role seller
    before: case $line in game*delta*) exit 6 ;; esac
plays 100 rounds | it ended with 4 | >
    before: [ ${#line} -gt 300 ] && exit 4
ignores unknown first words, and new keys at the end of a line | it ended with 5 | > novelty 1
    before: [ $word = novelty ] && exit 5
ignores unknown first words, and new keys at the end of a line | without that it ans | novelty 1
    after: case $line in *novelty*) answer="offer $low" ;; esac
ends within a second after quit | leave the loop | > quit
    before: [ $word = quit ] && continue
leaves no process behind | that it started goes | >
    before: [ $word = haggle ] && sleep 9 >&- &
"""
CASES = re.split(r"\n(?=\S)", BAD.strip())
QUICK = (0, 3, 4)


def broken(spec: str, last: str = "", seconds: float = 0.2) -> dict[str, list[str]]:
    found = {}
    for check in check_program(spec, seconds=seconds):
        if check.broken:
            found[check.name] = check.broken.split("\n")
        if check.name == last:
            break
    return found


BAD = """from negotiation_tui import Strategy

class Bad(Strategy):
    name, summary, source = "bad", "it walks away", "a test"
    depends_on = frozenset()

    def support(self, position):
        return [position.scenario.walk_away]
"""


def test_an_own_test_has_rows_or_fails() -> None:
    rows = nt.check("boulware", "2x2")
    assert rows
    assert not any(row.broken for row in rows)
    Path("bad.py").write_text(BAD)
    with pytest.raises(AssertionError, match=r"bad\.py:\nBREAKS  opens with"):
        nt.check("bad.py", "2x2")


@pytest.mark.slow
def test_a_good_program_breaks_nothing(capsys: Captured) -> None:
    assert main(["check", GOOD]) == 0
    *lines, speed = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok      ") for line in lines)
    assert len(lines) == 21
    assert "(median)" in speed


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, marks=[pytest.mark.slow] * (n not in QUICK)) for n, c in enumerate(CASES)],
)
def test_what_breaks_is_said_with_the_exchange(case: str) -> None:
    heading, *lines = case.splitlines()
    name, words, line = heading.split(" | ")
    found = broken(bot(**dict(each.strip().split(": ", 1) for each in lines)), name)
    assert {*found} == {name, *({READS} if "again after refused" in name else ())}
    why, *exchange = found[name]
    assert words in why
    assert line in "\n".join(exchange)


@pytest.mark.slow
def test_a_program_that_goes_on_after_the_end_of_its_input() -> None:
    spec = bot()
    with Path("bot.sh").open("a", encoding="utf-8") as file:
        file.write("sleep 9\n")
    assert {*broken(spec)} == {"ends within a second at the end of its input"}


COUNTS = "[ $word = haggle ] && echo >> runs && n=$(wc -l < runs)"
DRAWS = 'case $((n % 2))$answer in 0offer*) answer="offer $low" ;; esac'
ODDS = 'offer*) echo "say x"; echo "odds $answer 0.4 offer $low 0.6"; continue'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after", "status", "said"),
    [
        (COUNTS, DRAWS, 0, ["ok      draws without the seed: runs with it will not repeat"]),
        (":", f"case $answer in {ODDS} ;; esac", 0, [f"ok      {CALM}", "repeats its answers"]),
        ("[ $word = refused ] && echo move no && continue", "answer=no", 1, ["(median)"]),
    ],
    ids=["draws without the seed", "odds and words", "no legal answer"],
)
def test_it_is_checked_to_the_end(
    before: str, after: str, status: int, said: list[str], capsys: Captured
) -> None:
    assert main(["check", bot(before, after)]) == status
    out = capsys.readouterr().out
    assert all(words in out for words in said)


def test_the_command_shows_the_exchange(capsys: Captured) -> None:
    assert main(["check", bot("exit")]) == 1
    out, err = capsys.readouterr()
    assert err == "up to 1,894 questions, in at most 5 min (--minutes)\n"
    assert out.splitlines() == [
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


LATER = "[ $word = seed ] && n=$((n+1)) && [ -e runs ] && exit 3; [ $word = end ] && : > runs"


def test_after_three_failures_in_a_row_the_rest_is_left_out() -> None:
    """Once the first part is over, the program ends in each process."""
    found = broken(bot(LATER))
    assert found.pop("is checked to the end") == ["stopped after 3 failures in a row"]
    assert len(found) <= 3
    assert all("it ended with 3" in why for why, *_ in found.values())


def test_without_time_the_rest_is_left_out_and_not_passed(capsys: Captured) -> None:
    assert main(["check", bot(), "--minutes", "0.001"]) == 1
    out, err = capsys.readouterr()
    assert "BREAKS  is checked to the end\n        stopped after 0 s; more --minutes leave" in out
    assert "plays" not in out
    assert err.startswith("up to 1,894 questions, in at most 0 s")


@pytest.mark.slow
def test_a_refusal_that_is_not_understood_costs_no_patience() -> None:
    """The answer before came at once, so the next one has no 30 seconds."""
    found = broken(bot("[ $word = refused ] && continue", "answer='offer 77'"), seconds=30)
    assert "write another answer" in found["answers again after refused"][0]


@pytest.mark.slow
def test_the_time_left_is_printed_after_ten_answers(capsys: Captured) -> None:
    """After 0.15 s for ten answers, 1,894 take 26 s; the program ends soon."""
    dies = "n=$((n+1)); [ -e ten ] && exit 3; [ $n = 2 ] && sleep 0.15"
    list(check_program(bot(after=dies + "; [ $n = 8 ] && : > ten")))
    assert re.search(r"^about \d+ s left$", capsys.readouterr().err, re.MULTILINE)
