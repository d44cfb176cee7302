"""δ from a user or a file: what is refused, in one line each, and what a file without it means."""

import io
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import Role, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.market.checkpoint import load_simulation
from tests.support.cli import Captured, message, printed, refused
from tests.support.sample_files import sample

RANGE = "expected a number above 1e-300, at most 1, got "
PAIR = "expected one number, or those of seller and buyer, got "
BAD = {
    **dict.fromkeys(("0", "1.2", "nan", "inf", "-0", "-0.0", "-1", "1e-320"), RANGE),
    **dict.fromkeys(("often", "", "0.9,", "0.9,0", "0.9;0.8"), RANGE),
    "0.9,0.8,0.7": PAIR,
}


def in_toml(text: str) -> str:
    """The text as a value of TOML: a number, a list of numbers, or a word."""
    words = text.split(",")
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return json.dumps(text)
    return text if len(numbers) == 1 and "e" not in text else str(numbers)


@pytest.mark.parametrize("text", BAD)
def test_a_bad_delta_is_one_line(capsys: Captured, text: str) -> None:
    said = [refused(capsys, "solve", f"--delta={text}")]
    file = Path("own.toml")
    file.write_text(f"prices = 5\nrounds = 3\ndelta = {in_toml(text)}\n")
    said.append(refused(capsys, "solve", "--scenario", str(file)))
    if text and not text.endswith(","):
        values = text.replace(",", "+")
        said.append(refused(capsys, "sweep", "--set", f"delta={values}", "--out", "rows.csv"))
    try:
        given: Any = [float(word) for word in text.split(",")]
    except ValueError:
        given = [text]
    several = given, tuple(given), np.array(given), text
    said += [message(partial(replace, Scenario.original(), delta=value)) for value in several]
    said.append(message(lambda: nt.solve({"prices": 5, "rounds": 3, "delta": given})))
    said.append(message(lambda: nt.run_market({"prices": 5, "rounds": 3, "delta": text})))
    for line in said:
        assert "delta: " + BAD[text] in line.replace("--delta", "delta"), line


@pytest.mark.parametrize("given", [None, True, {}, b"0.9", object(), [], "0.9,0.8,0.7", [[0.9]]])
def test_a_delta_that_is_no_number_is_one_line(given: Any) -> None:
    for make in (
        lambda: replace(Scenario.original(), delta=given),
        lambda: nt.train({"prices": 5, "rounds": 3, "delta": given}),
        lambda: nt.nash_conv({"prices": 5, "rounds": 3, "delta": given}, "micro", "micro"),
    ):
        assert message(make).startswith("delta: expected ")
    section = {"prices": 5, "rounds": 3, "buyer": {"delta": given}}
    assert message(lambda: Scenario.of(section)).startswith(f"buyer.delta: {RANGE}")


def of_table(change: Callable[[Any], None], name: str = "tables.npz") -> bytes:
    """A sample file of arrays whose scenario is changed."""
    with np.load(io.BytesIO(sample(name))) as file:
        arrays = dict(file)
    about = json.loads(str(arrays["about"]))
    change(about["scenario"])
    arrays["about"] = np.array(json.dumps(about))
    written = io.BytesIO()
    np.savez(written, **arrays)
    return written.getvalue()


def of_recording(change: Callable[[Any], None]) -> bytes:
    """A sample recording whose scenario is changed."""
    first, rest = sample("recording.jsonl").split(b"\n", 1)
    values = json.loads(first)
    values.pop("check", None)
    change(values["run"]["scenario"])
    text = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    check = f"{zlib.crc32(text.encode()):08x}"
    return f'{text[:-1]},"check":"{check}"}}\n'.encode() + rest


FILES: dict[str, tuple[Callable[..., bytes], str]] = {
    "tables.npz": (of_table, "solve --policy {}"),
    "market.npz": (lambda change: of_table(change, "market.npz"), "market --resume {} --text"),
    "recording.jsonl": (of_recording, "replay {} --once"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("given", [0, 1.5, "often", [0.9, 0.9], None])
def test_a_damaged_delta_in_a_file_is_one_line(capsys: Captured, name: str, given: Any) -> None:
    written, command = FILES[name]
    Path(name).write_bytes(written(lambda scenario: scenario["seller"].update(delta=given)))
    capsys.readouterr()  # of the sample
    assert f"seller.delta: {RANGE}" in refused(capsys, *command.format(name).split())


@pytest.mark.parametrize("name", FILES)
def test_a_file_without_delta_has_free_time_and_says_nothing_of_it(name: str) -> None:
    """So all files of scenarios without time costs are as they were before there were any."""
    assert b"delta" not in sample(name)
    seen: list[Any] = []
    written, command = FILES[name]
    Path(name).write_bytes(written(seen.append))
    assert [{*side} for side in (seen[0]["seller"], seen[0]["buyer"])] == [{*seen[0]["buyer"]}] * 2
    assert main(command.format(name).split()) == 0
    if name == "tables.npz":
        assert load_tables(name).scenario.delta == (1, 1)
    if name == "market.npz":
        assert load_simulation(name).scenario.delta == (1, 1)
        assert not [key for key in load_simulation(name).state() if "lost" in key]


def test_tables_with_time_costs_are_loaded_as_they_were_saved(capsys: Captured) -> None:
    words = "train --scenario impatience --cycles 8 --episodes 40 --seed 3 --json --save own.npz"
    told = json.loads("".join(printed(capsys, *words.split())))
    saved = load_tables("own.npz")
    assert saved.scenario == Scenario.of("impatience")
    assert saved.parameters.discount_rate == 1
    judged = json.loads("".join(printed(capsys, "solve", "--policy", "own.npz", "--json")))
    assert judged["discount_rate"] == 1
    assert judged["scenario"] == told["scenario"] == saved.scenario.to_dict()
    free = replace(saved.scenario, delta=(1, 1))
    costly, cheap = (nt.nash_conv(game, "own.npz", "own.npz") for game in (saved.scenario, free))
    assert judged["nash_conv"] == pytest.approx(costly.total) != pytest.approx(cheap.total)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("market --resume market.npz --delta 0.9", "leave out --delta"),
        ("solve --policy tables.npz --delta 0.9", "leave out --scenario, --delta and --states"),
    ],
)
def test_a_file_has_its_own_delta(capsys: Captured, command: str, said: str) -> None:
    assert said in refused(capsys, *command.split())


def test_what_a_replay_says_a_deal_paid(capsys: Captured) -> None:
    """The shares of a recorded negotiation, by hand and again from its file."""
    words = "watch --scenario impatience --seller hardliner --buyer boulware --seed 1 --once --json"
    shown = json.loads("".join(printed(capsys, *words.split(), "--record", "own.jsonl")))
    again = json.loads("".join(printed(capsys, *["replay", "own.jsonl", "--once", "--json"])))
    for told in (shown, again):
        game, scenario = told["negotiation"], Scenario.of("impatience")
        k = len(game["turns"]) - 2
        for role in Role:
            share = scenario.delta[role] ** k * scenario.share(role, game["deal"])
            assert game["shares"][str(role)] == pytest.approx(share)
    assert shown["negotiation"]["shares"] == again["negotiation"]["shares"]
    assert 0 < shown["negotiation"]["shares"]["seller"] < 1


def test_a_training_as_json_has_what_prices_do_not_tell(capsys: Captured) -> None:
    """Gains of a training come from each deal, and known limits are not listed as sums of zero."""
    words = "--scenario", "impatience", "--cycles", "2", "--episodes", "50", "--json"
    found = json.loads(printed(capsys, "train", *words))["cycles"]
    assert "seller_limits_of_deals" not in found
    both = np.array([found["seller_rewards"], found["buyer_rewards"]]).sum(axis=0)
    deals = np.array(found["agreements_seller"]) + found["agreements_buyer"]
    assert (both > 0).all()
    assert (both < deals).all(), "a deal at once is worth 1 to both together"
