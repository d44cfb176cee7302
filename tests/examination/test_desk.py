"""A desk: several players in one table, the same from the same cassettes, ranked with care."""

import csv
import os
import re
import shutil
from contextlib import nullcontext
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.examination.desk import ranks
from tests.support.bots import bot
from tests.support.cli import Captured, printed, program, status_of

TINY = {"name": "tiny", "prices": [1, 5, 9], "rounds": 1, "seller": {"limits": [0, 2]}}
ABOUT = "id b\\nabout model =cmd\\x1b[2J\\nabout prompt 12ab\\nabout date 1.1.\\nabout date 2.1.\\n"
FILES = [f"{rule}.cassette" for rule in ("all-by-odds", "obeys", "by-odds", "draws")]
RULES = ("all by odds", "by odds", "draws", "obeys")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cassettes of four programs, of which the last says what it is and is asked with talk, too.

    Then of a program without legal answers, and of another game.
    """
    made = tmp_path_factory.mktemp("desk")
    for rule in (*RULES, "names prices"):
        player, game = bot(made, rule), {**TINY, "talk": rule == RULES[-1]}
        if game["talk"]:
            text = (made / "bot.py").read_text()
            (made / "bot.py").write_text(text.replace('print("ready', f'print("{ABOUT}ready'))
        cassette = str(made / f"{rule.replace(' ', '-')}.cassette")
        with pytest.raises(nt.BadInputError) if rule not in RULES else nullcontext():
            nt.examine(player, game, "seller", ask=4, cassette=cassette)
    nt.examine(bot(made, "by odds"), "2x1", "seller", ask=2, cassette=str(made / "other.cassette"))
    (made / "bot.py").unlink()
    return made


@pytest.fixture(autouse=True)
def _in_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


@pytest.mark.slow
def test_the_same_files_give_the_same_desk_on_another_machine(capsys: Captured) -> None:
    """Another order, other kernels of numpy and BLAS, other hashes, no compiled loops."""
    once = printed(capsys, "desk", *FILES, "--json")
    kernels = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"}
    done = program(
        "desk", *FILES[::-1], "--json", PYTHONHASHSEED="7", NUMBA_DISABLE_JIT="1", **kernels
    )
    assert done.stdout == once


def test_a_player_without_answers_has_a_line_and_the_others_a_table(capsys: Captured) -> None:
    assert status_of("desk", *FILES, "names-prices.cassette", "--csv") == 1
    out, err = capsys.readouterr()
    rows = {row["player"]: row for row in csv.DictReader(out.splitlines())}
    assert [*rows] == [Path(file).stem for file in FILES]
    assert re.fullmatch(r"names-prices\.cassette: .* without a legal answer: refused .*\n", err)
    exact, obeys = rows["all-by-odds"], rows["obeys"]
    assert exact["exploitability_least"] == exact["exploitability_most"] == "0.0"
    assert (exact["regret_rank_least"], exact["regret_rank_most"]) == ("1", "2")
    assert float(rows["draws"]["bits_most"]) > float(rows["draws"]["bits_least"])
    assert (exact["talk_least"], exact["model"], exact["alike"]) == ("", "", "True")
    assert float(obeys["talk_least"]) < 2 / 6 < float(obeys["talk_most"])  # the sentences it obeys
    said = [obeys[key] for key in ("id", "model", "prompt", "temperature", "date")]
    assert said == ["b", "'=cmd\\u001b[2J", "12ab", "", "1.1., 2.1."]  # no formula
    assert status_of("desk", "names-prices.cassette") == 1


def test_ranks_are_those_of_all_orders_that_the_intervals_allow() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        intervals = np.sort(rng.integers(0, 9, (int(rng.integers(1, 6)), 2)), axis=1).tolist()
        orders = [
            order
            for order in permutations(range(len(intervals)))
            if not any(intervals[b][1] < intervals[a][0] for a, b in combinations(order, 2))
        ]
        at = [[1 + order.index(n) for order in orders] for n in range(len(intervals))]
        found = [each or [] for each in ranks(intervals)]
        for (first, last), each in zip(found, at, strict=True):
            assert 1 <= first <= min(each)  # never narrower, and equal where the gaps are wide
            assert max(each) <= last <= len(intervals)
        wide = [[100 * low, 100 * low + high - low] for low, high in intervals]
        if len({low for low, _ in wide}) == len(wide):
            order = sorted(low for low, _ in wide)
            assert ranks(wide) == [[1 + order.index(low)] * 2 for low, _ in wide]
    assert ranks([None, [0, 1], None]) == [None, [1, 1], None]
    near, rest = [[0.0, 1.0], [1.2, 1.4]], [[9.0, 99.0]] * 8
    assert ranks(near) == [[1, 1], [2, 2]]
    assert ranks([*near, *rest])[0] == [1, 10]  # one pair in 45 may differ so by chance


def write_hostile() -> None:
    """Write cassettes that are damaged, foreign, huge, or no files."""
    good = Path("all-by-odds.cassette").read_bytes()
    head, _, rest = good.partition(b"\n")
    for name, content in {
        "cut": head + b"\n",
        "binary": b"\x93NUMPY\x01\x00\xff",
        "list": b"[" * 99_999,
        "setup": head.replace(b'"scenario"', b'"scenarios"') + b"\n" + rest,
        "roles": head.replace(b'["seller"]', b"[]") + b"\n" + rest,
        "spec": head.replace(b'"spec": "', b'"spec": 5, "more": "') + b"\n" + rest,
        "endless": head.replace(b'"ask": 4', b'"ask": 999999999') + b"\n" + rest,
        "long": head.replace(b'"spec": "', b'"spec": "' + b"a" * 5000) + b"\n" + rest,
        "heading": head.replace(b'"spec": "', b'"spec": "' + b"a" * 10**6) + b"\n" + rest,
        "code": head.replace(b'"midpoint"', b'"planted.py"') + b"\n" + rest,
        "bytes": head + b"\n\xff\xfe" + rest,
        "lines": head + b"\n" * 99_999,
    }.items():
        Path(f"{name}.cassette").write_bytes(content)
    with Path("huge.cassette").open("wb") as file:
        file.truncate(1 << 40)
    Path("link.cassette").symlink_to("/dev/zero")
    os.mkfifo("pipe.cassette")
    Path("folder.cassette").mkdir()


@pytest.mark.skipif(os.name == "nt", reason="needs links and pipes")
def test_a_hostile_cassette_is_refused_in_a_line(
    capsys: Captured, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    write_hostile()
    other, no_file = "expected a file that examine --cassette wrote", "expected a file, got a"
    for name, reason in {
        "none": "cannot be read: No such file",
        **dict.fromkeys(("cut", "lines"), "the time was over before the seller's decisions"),
        **dict.fromkeys(("binary", "list", "setup", "heading"), other),
        "roles": "roles: expected seller or buyer, got []",
        "spec": "spec: expected",
        "long": "spec: expected at most 4,096 characters, got",
        "code": "planted.py is not built in",
        "huge": "expected at most 134,217,728 bytes, got more",
        **dict.fromkeys(("link", "pipe", "folder"), no_file),
        "other": "expected the scenario, γ and opponents of all-by-odds.cassette, got others: 2x1",
    }.items():
        words = ["all-by-odds.cassette"] if name == "other" else []
        status = 1 if name in {"cut", "lines"} else 2
        assert status_of("desk", *words, f"{name}.cassette") == status, name
        out, err = capsys.readouterr()
        assert (out, err.count("\n"), reason in err) == ("", 1, True), (name, err)
    printed(capsys, "desk", "bytes.cassette")  # a damaged line costs that line
    printed(capsys, "desk", "endless.cassette")  # by odds once is enough, however often it asks
