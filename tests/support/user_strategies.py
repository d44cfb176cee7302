"""Files with strategies as a user writes them."""

from pathlib import Path
from textwrap import dedent

from tests.support.paths import DOCS

EXAMPLE = str(DOCS / "my_strategy.py")


HEAD = "from negotiation_tui import Strategy\n"


PATIENT = """
class Patient(Strategy):
    name, summary, source = "patient", "waits", "here"
    depends_on = frozenset({depends_on})

    def support(self, position):
        scenario = position.scenario
        if position.last_decision:
            return [scenario.walk_away]
        {body}
"""


STUBBORN = "return [scenario.offers(position.role)[0]]"


def write(name: str, text: str) -> str:
    Path(name).write_text(dedent(text), encoding="utf-8")
    return name


def patient(body: str = STUBBORN, depends_on: str = "", name: str = "own.py") -> str:
    return write(name, HEAD + PATIENT.format(depends_on=depends_on, body=body))
