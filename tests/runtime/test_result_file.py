"""A file of results that is broken off while it is written."""

import os
import signal
from pathlib import Path
from random import Random

import pytest

from negotiation_tui.runtime.result_file import Bounds, ResultFile, Row, Work

ROWS = 2000


class Numbers(Work):
    name, results = "sweep", ("result",)

    @property
    def described(self) -> list[Row]:
        return [{"job": n} for n in range(ROWS)]

    def bounds(self, number: int) -> dict[str, Bounds]:
        return {"result": Bounds(high=ROWS + number)}


def add_all(file: ResultFile, seconds: float) -> None:
    signal.setitimer(signal.ITIMER_REAL, seconds)
    for number in file.missing:
        file.add(number, {"result": number})


def test_a_blank_line_hides_no_row_after_it() -> None:
    Path("rows.csv").write_text("job,result\n0,5\n\n1,7\n", encoding="utf-8")
    rows = ResultFile(Numbers(), Path("rows.csv")).rows()
    assert rows == [{"job": 0, "result": 5}, {"job": 1, "result": 7}]


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_the_line_after_ctrl_c_counts_the_rows_of_the_file() -> None:
    random, path = Random(1), Path("rows.csv")
    before = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        for _ in range(100):
            path.unlink(missing_ok=True)
            file = ResultFile(Numbers(), path)
            with pytest.raises(KeyboardInterrupt):
                add_all(file, random.uniform(0.001, 0.003))
            rows = max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0
            assert file.how_to_go_on.startswith(f"rows.csv holds {rows:,} of 2,000 runs;")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
