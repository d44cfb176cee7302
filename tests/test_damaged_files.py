"""Files that once ended in a traceback; `tests/soak/files.py` damages those of every kind."""

import io
import os
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.cli.main import main
from tests.support.cli import Captured, refused
from tests.support.sample_files import sample

DEEP = "a = [{0}1{1}]\nprices = {0}1{1}\nstates = {0}1{1}\n".format("[" * 150, "]" * 150)
DOTTED = "a" + ".a" * 3000 + " = 1\n"
DIGITS = "9" * 5000
HEXADECIMAL = "0x" + "f" * 5000
READERS = (
    *("solve --scenario {}.toml", "market {}.toml", "market --resume {}.npz", "test {}.npz"),
    *("watch --once --seller {}.py", "train --buyer learned:{}.py", "replay {}.jsonl --once"),
    *("examine {}.cassette", "desk {}.cassette", "sweep --out {}.csv"),
)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes and links")
def test_what_may_never_end_is_not_read(tmp_path: Path, capsys: Captured) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    for ending in (".toml", ".npz", ".py", ".jsonl", ".cassette", ".csv"):
        os.mkfifo(f"{pipe}{ending}")
        Path(f"{link}{ending}").symlink_to("/dev/zero")
    for file in (pipe, link):
        for command in READERS:
            err = refused(capsys, *command.format(file).split())
            assert "expected a file, got a folder, a device or a pipe" in err, command


@pytest.mark.parametrize(
    "text",
    [
        *("prices = " + "[" * n + "]" * n + "\nrounds = 2\n" for n in (30, 300, 100_000)),
        *(DEEP, DOTTED, f"[{DOTTED[:-5]}]\n", '"a".' * 3000 + "a = 1\n"),
        *(f"prices = {n}\nrounds = 2\n" for n in (DIGITS, HEXADECIMAL, "-" + DIGITS)),
        *(
            f"prices = 5\nrounds = 5\n[seller]\nmin = {n}\nmax = 3\n"
            for n in (HEXADECIMAL, "9" * 999)
        ),
        f"prices = 5\nrounds = 5\n{'x' * 100_000} = 1\n",
        f'prices = 5\nrounds = 5\nstates = "{"x" * 100_000}"\n',
        "prices = 5\nrounds = 1979-13-41\n",
        "# " + "x" * 1_000_000 + "\nprices = 5\nrounds = 5\n",
    ],
    ids=lambda text: text[:20],
)
@pytest.mark.parametrize(
    "command", ["solve --scenario {}", "market {} --limit steps=1 --text", "config"]
)
def test_toml_that_cannot_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, command: str, text: str
) -> None:
    file = tmp_path / "any.toml"
    file.write_text(text, encoding="utf-8")
    if command == "config":
        monkeypatch.setenv("NEGOTIATION_TUI_CONFIG", str(file))
    err = refused(capsys, *command.format(file).split())
    assert len(err) - len(str(file)) <= 560, err
    assert file.name in err


def test_dots_in_words_and_lists_are_no_long_keys(tmp_path: Path) -> None:
    file = tmp_path / "dots.toml"
    shares = ", ".join(f"0.{n}" for n in range(1, 60))
    file.write_text(
        f"# 1.2.3.4.5.6.7.8.9.10.11.12\n[[seller]]\nlearning_rate = [{shares}]\n[[buyer]]\n"
        'name = "a.b.c.d.e"\n'
    )
    assert main(["market", str(file), "--limit", "steps=1", "--text"]) == 0


OPENINGS = {-4e9: 5, 0.5: 1, 5e-324: 1}
"""Values of offer 1 at the opening, and the offer of the highest value there."""


@pytest.mark.parametrize("first", OPENINGS)
def test_a_table_of_losses_is_drawn(tmp_path: Path, capsys: Captured, first: float) -> None:
    with np.load(io.BytesIO(sample("tables.npz"))) as saved:
        arrays = dict(saved)
    arrays["seller_values"][:] = [-4e9 + 1000 * action for action in range(7)]
    arrays["seller_values"][0, 0] = first
    np.savez(file := tmp_path / "losses.npz", **arrays)
    words = ("--buyer", "boulware", "--states", "opener-aware", "--once", "--size", "120x36")
    assert main(["watch", "--seller", str(file), *words]) == 0
    out, err = capsys.readouterr()
    assert f"┃ opening  {OPENINGS[first]} " in out
    assert "SELLER  offered 1, round 1:       walk away" in out  # the smallest loss
    assert "damaged" not in err
