"""How much a seat adds to the time that a program takes for its answers."""

import shutil
import subprocess
import time
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from negotiation_tui import Position, Role, Scenario
from negotiation_tui.players.program import from_spec
from tests.support.timing import Check, in_plain_python, seconds

MOVES = 2000
by_clock = partial(seconds, clock=time.perf_counter)  # most of the time is waiting
ANSWERS = """#include <stdio.h>
#include <string.h>
int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "haggle", 6)) puts("ready 1");
        else if (!strncmp(line, "turn", 4)) puts("move offer 3");
        else continue;
        fflush(stdout);
    }
}
"""


@pytest.mark.skipif(not shutil.which("cc"), reason="needs a C compiler")
def test_a_move_in_a_negotiation(check: Check, tmp_path: Path) -> None:
    (tmp_path / "bot.c").write_text(ANSWERS)
    bot = str(tmp_path / "bot")
    subprocess.run(["cc", "-O2", "-o", bot, f"{bot}.c"], check=True)
    player, rng = from_spec(f"cmd:{bot}"), np.random.default_rng(0)
    position = Position(Scenario.original(), Role.SELLER, opened=True)
    question = b"turn round 1 opener seller range 1,5 worth 0 standing - offers -\n"
    bare = subprocess.Popen([bot], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    to, out = bare.stdin, bare.stdout
    assert to
    assert out

    def alone() -> None:
        for _ in range(MOVES):
            to.write(question)
            out.read(100)

    def seated() -> None:
        for _ in range(MOVES):
            player.act(position, rng)

    seated()
    more = median(by_clock(seated) - by_clock(alone) for _ in range(5))
    bare.kill()
    check("a seat, per move", "≤ 0.04 ×", *in_plain_python(more / MOVES))
