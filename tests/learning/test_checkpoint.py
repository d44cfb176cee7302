"""Saved tables and learners: files are whole, small, checked, and played again."""

import json
import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui import LEARNERS, BadInputError, Role, Scenario, States, Trained
from negotiation_tui.game.learned import WithBoth, WithValues
from negotiation_tui.learning.checkpoint import load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.resolve import as_player
from negotiation_tui.runtime.files import atomic_write
from tests.support.cli import message
from tests.support.hidden import HIDDEN
from tests.support.paths import DATA

AWARE = Scenario.from_dict({"prices": 3, "rounds": 2, "states": str(States.OPENER_AWARE)})
SIZE = AWARE.n_states * AWARE.n_actions
SHAPE = AWARE.n_states, AWARE.n_actions
WOLF = "learned:wolf-phc:delta_win=0.02"
FILE = Path("x.npz")


def trained(
    seller: str = WOLF, buyer: str = "learned:sarsa", scenario: Scenario = AWARE, episodes: int = 99
) -> Trained:
    parameters = Parameters(cycles=4, episodes=25)
    one, other = as_player(seller), as_player(buyer)
    training = ConcurrentTraining(
        scenario, parameters, 7, True, Role.BUYER, seller=one, buyer=other
    )
    training.run_episodes(episodes)
    return Trained.after(training)


@pytest.fixture
def saved() -> Trained:
    tables = trained()
    tables.save(FILE)
    return tables


def members() -> dict[str, Any]:
    with np.load(FILE) as file:
        return {name: file[name] for name in file}


def changed(told: dict[str, Any] | None = None, /, **arrays: Any) -> None:
    """Change entries of `about`, and arrays; None leaves an array out."""
    whole = members()
    if told is not None:
        arrays["about"] = np.array(json.dumps({**json.loads(str(whole["about"])), **told}))
    whole |= arrays
    np.savez(FILE, **{name: each for name, each in whole.items() if each is not None})


def refusal(path: Path = FILE) -> str:
    said = message(lambda: load_tables(path))
    assert path.name in said
    return said


def test_what_is_no_file_of_tables_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refusal(Path("missing.npz"))
    refusal(tmp_path)
    for content in (b"", b"\n", b"PK\x03\x04", b"\x93NUMPY", b"\x80\x04K\x01."):
        FILE.write_bytes(content)
        refusal()


def test_a_file_cut_short_anywhere_is_refused(saved: Trained) -> None:
    whole = FILE.read_bytes()
    for length in {*range(0, len(whole), 59), *range(len(whole) - 40, len(whole))}:
        FILE.write_bytes(whole[:length])
        refusal()


class Trap:
    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self._mark,)


@pytest.mark.parametrize("name", ["about", "seller_values", "statistics"])
def test_nothing_is_unpickled(saved: Trained, name: str) -> None:
    mark, alone = Path("mark"), Path("trap.npy")
    trap = np.empty(1, object)
    trap[0] = Trap(mark)
    changed(**{name: trap})
    refusal()
    np.save(alone, trap, allow_pickle=True)
    refusal(alone)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ({"learners": [WOLF]}, "learners: expected a list of two"),
        ({"learners": [None, WOLF]}, "expected learned, or learned: with a name, got nothing"),
        ({"learners": ["midpoint", WOLF]}, "learners: expected learned"),
        ({"learners": [3, WOLF]}, "learners: expected text"),
        ({"learners": ["learned:wolf-phc:delta_win=many", WOLF]}, "delta_win: expected a number"),
        ({"format": "negotiation-tui tables 99"}, "negotiation-tui tables 99"),
        *(({name: None}, "damaged") for name in ("about", "statistics")),
        ({"seller_values": np.zeros((2, *SHAPE))}, f"{(2, *SHAPE)}"),
        ({"seller_values": np.zeros(SHAPE[1:])}, f"{SHAPE}"),
        ({"seller_values": np.zeros(SHAPE, np.float32)}, "float32"),
        ({"buyer_values": np.full(SHAPE, np.nan)}, "finite"),
        ({"buyer_values": np.full(SHAPE, -np.inf)}, "finite"),
        ({"statistics": np.zeros((4, 5), np.int64)}, "(4, 5)"),
        ({"statistics": np.zeros(6, np.int64)}, "(6,)"),
        ({"statistics": np.zeros((4, 6))}, "float64"),
        *(({"about": np.array(text)}, "") for text in ("", "no", "[]", "3", '"x"', "[" * 100_000)),
        ({"seller_tables": None}, "other or damaged data"),
        ({"seller_tables": np.zeros((3, SIZE))}, "seller_tables: expected float64 of shape (4, "),
        ({"seller_tables": np.zeros((4, SIZE), np.float32)}, "seller_tables: expected float64"),
        ({"seller_tables": np.full((4, SIZE), np.nan)}, "seller_tables: expected finite numbers"),
        ({"buyer_tables": np.full((1, SIZE), np.inf)}, "buyer_tables: expected finite numbers"),
        ({"seller_policy": None}, "seller_policy: expected the policy of learned:wolf-phc"),
        ({"seller_policy": np.full(SHAPE, np.nan)}, "expected a number from 0 to 1"),
    ],
)
def test_unfit_entries_are_named(saved: Trained, entries: dict[str, Any], named: str) -> None:
    if {*entries} <= {"learners", "format"}:
        changed(entries)
    else:
        changed(**entries)
    assert named in refusal()


def test_about_lacks_a_key(saved: Trained) -> None:
    whole = json.loads(str(members()["about"]))
    for key in ("format", "scenario", "parameters", "seed", "train_both", "train_agent"):
        rest = {name: value for name, value in whole.items() if name != key}
        changed(about=np.array(json.dumps(rest)))
        refusal()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"precious")

    def break_off() -> None:
        with atomic_write(path) as beside:
            beside.write(b"half")
            assert path.read_bytes() == b"precious"
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        break_off()
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="links of Unix")
def test_a_link_stays_one_and_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    file, link = tmp_path / "there" / "file", tmp_path / "link"
    file.parent.mkdir()
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    with atomic_write(link) as beside:
        beside.write(b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.name == "nt", reason="devices of Unix")
def test_a_device_stays_one() -> None:
    before = Path("/dev/null").stat()
    save_tables("/dev/null", trained())
    assert Path("/dev/null").stat().st_rdev == before.st_rdev
    with pytest.raises(BadInputError, match="'/dev/full' cannot be written: No space left"):
        save_tables("/dev/full", trained())
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_changed_is_not(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_bytes(b"old")
    file.chmod(0o444)
    assert "it is write-protected" in message(lambda: save_tables(file, trained()))
    assert file.read_bytes() == b"old"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_mode_of_a_file_respects_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        save_tables(tmp_path / "file", trained())
    finally:
        assert os.umask(before) == mask
    assert (tmp_path / "file").stat().st_mode & 0o777 == mode


CASES = [
    *((f"learned:{name}", "learned:wolf-phc", "known") for name in LEARNERS),
    *((spec, "learned", game) for game in HIDDEN for spec in ("learned", "learned:sarsa")),
    *((spec, "learned", "narrowed") for spec in ("learned:actor-critic", "learned:cfr:plus=true")),
    ("boulware", "learned", "known"),
    ("learned", "learned", "not begun"),
]


@pytest.mark.parametrize(("seller", "buyer", "game"), CASES)
def test_what_was_learned_and_is_worth_comes_back(seller: str, buyer: str, game: str) -> None:
    hidden = game in HIDDEN
    scenario = replace(HIDDEN[game], states=States.OPENER_AWARE) if hidden else AWARE
    tables = trained(seller, buyer, scenario, 0 if game == "not begun" else 99)
    tables.save(FILE)
    loaded = Trained.load(FILE)
    assert (loaded.seed, loaded.train_both, loaded.train_agent) == (7, True, Role.BUYER)
    assert game != "not begun" or not loaded.q_tables.any()
    assert (loaded.scenario, loaded.parameters) == (tables.scenario, tables.parameters)
    assert (loaded.learners, loaded.strategies) == (tables.learners, tables.strategies)
    assert loaded.to_dict() == tables.to_dict()
    assert repr(loaded) == repr(tables)
    assert np.array_equal(loaded.q_tables, tables.q_tables)
    assert np.array_equal(loaded.statistics.counts, tables.statistics.counts)
    for role in Role:
        if tables.learners[role]:
            for one, other in zip(
                loaded.probabilities(role), tables.probabilities(role), strict=True
            ):
                assert np.array_equal(one, other)
        assert loaded.learned[role].keys() == tables.learned[role].keys()
        for key, array in tables.learned[role].items():
            assert np.array_equal(loaded.learned[role][key], array)
    if game in {"known", "narrowed"}:
        assert loaded.nash_conv().total == tables.nash_conv().total
        assert loaded.test(100) == tables.test(100)


def test_the_judged_policy_is_the_one_of_the_training() -> None:
    training = ConcurrentTraining(AWARE, Parameters(cycles=4), 7, seller=as_player(WOLF))
    training.run()
    tables = Trained.after(training)
    policy = training.policy(Role.SELLER)
    assert np.array_equal(tables.probabilities("seller")[0], policy.probabilities)  # type: ignore[union-attr]
    assert tables.policies[0].weights is not None, "a mixed one"
    assert tables.policies[1].weights is None
    assert tables.learners == (WOLF, "learned")


def test_arrays_hold_what_the_learner_needs() -> None:
    tables = trained()
    assert tables.learned[0]["tables"].shape == (4, AWARE.n_states * AWARE.n_actions)
    values = tables.learned[0]["tables"][0].reshape(AWARE.n_states, -1)
    assert np.array_equal(values, tables.q_tables[0])
    static = trained("learned", "boulware")
    assert static.learned == ({}, {})
    with pytest.raises(BadInputError, match="buyer: expected a role that learned, got 'boulware'"):
        static.probabilities("buyer")


def test_a_learner_that_is_not_built_in_plays_the_policy_of_its_file(saved: Trained) -> None:
    changed({"learners": ["learned:tomorrows", "learned:sarsa"]})
    loaded = Trained.load(FILE)
    assert loaded.learned[0] == {}
    assert loaded.nash_conv().total == saved.nash_conv().total


def test_what_does_not_suit_hidden_limits_is_named() -> None:
    scenario = replace(HIDDEN["narrowed"], states=States.OPENER_AWARE)
    trained("learned:sarsa", "learned", scenario).save(FILE)
    whole, sound = FILE.read_bytes(), members()
    table = json.loads(str(sound["about"]))["scenario"]
    illegal = sound["seller_policy"].copy()
    illegal[32 * 2] = np.eye(1, 7, 1)  # the highest limit asks the second price
    fewer = {key: value for key, value in table["seller"].items() if key != "weights"}
    for about, arrays, named in (
        ({"scenario": {**table, "seller": {**fewer, "limits": [3, 8]}}}, {}, "expected"),
        ({"scenario": {**table, "buyer": {"limits": [0, 17]}}}, {}, "limits"),
        ({}, {"seller_values": sound["seller_values"][:64]}, "shape (96, 7)"),
        ({}, {"statistics": sound["statistics"][:, :6]}, "shape (4, 8)"),
        ({}, {"seller_tables": sound["seller_tables"][:, :-1]}, "seller_tables"),
        ({}, {"seller_policy": illegal}, "limit 8, action 2"),
    ):
        FILE.write_bytes(whole)
        changed(about, **arrays)
        assert named in refusal()


def test_a_file_of_the_first_format_is_read() -> None:
    """It holds the arrays of both seats, filled up: here a policy and values, and values alone."""
    older, newer = load_tables(DATA / "tables-1.npz"), Path("new.npz")
    assert [type(each) for each in older.agents] == [WithBoth, WithValues]
    save_tables(newer, older)
    with np.load(newer) as file:
        names = {name for name in file if name.partition("_")[2] in {"values", "policy"}}
    assert names == {"seller_values", "seller_policy", "buyer_values"}, "the buyer has no policy"
    for one, other in zip(older.agents, load_tables(newer).agents, strict=True):
        assert one.shared(other) is other
    digest = sha256(b"".join(older.rows(role).tobytes() for role in Role)).hexdigest()
    assert digest[:16] == "d43380b4ef470485"


def test_a_seat_without_a_learner_has_no_array() -> None:
    trained("learned", "boulware").save(FILE)
    assert not {name for name in members() if name.startswith("buyer")}
