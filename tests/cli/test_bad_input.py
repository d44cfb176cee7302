"""Whatever cannot be done is refused in one clear line with status 2, and changes no file."""

import os
import re
from pathlib import Path

import pytest

from negotiation_tui import BadInputError, Trained
from negotiation_tui.runtime.text import quoted
from tests.support.cli import Captured, program, refused, status_of
from tests.support.modules import hide

FILES = {
    "no-rounds.toml": "prices = 5",
    "broken.toml": "prices = = 5",
    "opener.toml": 'prices = 5\nrounds = 5\nopener = "me"',
    "above.toml": "prices = 5\nrounds = 5\n[seller]\nmin = 30",
    "misspelt.toml": "prices = 5\nrounds = 5\n[buyer]\nmaxx = 3",
    "misplaced.toml": "prices = 5\n[seller]\nmin = 1\nrounds = 5",
    "huge.toml": "prices = 1000\nrounds = 1000",
    "foreign.npz": "not tables",
}
NUMBERS = """
    alpha=1 cycles cycles= cycles=1,,2 cycles=0 cycles=1.5 learning_rate=much learning_rate=nan
    discount_rate=2 exploration_restarts=1 prices=1 prices=-3 prices=1000000000000 rounds=0
"""
WORDS = "train_both=maybe train_agent=nobody opener=nobody states=many recipe=cake seller=robot"
BAD: dict[str, tuple[str, ...]] = {
    # the command, and options that there are not
    "trian": ("COMMAND", "'trian'", "watch", "train", "test"),
    "train extra": ("train: unrecognized arguments: extra; see negotiation-tui train --help\n",),
    "play --with boulware": ("; see negotiation-tui play --help\n",),
    "help trian": ("COMMAND: got 'trian' (did you mean train?); expected watch, ",),
    "test": ("FILE", "required"),
    # scenarios
    "train --scenario nonsense": ("scenario", "'nonsense'", "original, legacy, fine", "file"),
    "train --scenario no.toml": ("scenario", "'no.toml'", "No such file"),
    "train --scenario broken.toml": ("scenario", "'broken.toml'", "not TOML", "line 1"),
    "train --scenario no-rounds.toml": ("'no-rounds.toml'", "rounds", "got nothing", "an integer"),
    "train --scenario above.toml": ("seller.min: expected at most 5, the highest price, got 30\n",),
    "train --scenario misspelt.toml": ("[buyer]: got 'maxx' (did you mean max?); expected min, ",),
    "train --scenario misplaced.toml": ("[seller]: got 'rounds' (it belongs above [seller]); ",),
    "train --scenario opener.toml": ("'opener.toml'", "'me'", "seller, buyer or alternate"),
    "train --scenario huge.toml": ("huge", "1,000,002", "at most"),
    # numbers and choices
    "train --seed -1": ("--seed", "got -1\n", "an integer of at least 0"),
    "watch --pace 3": ("--pace", "'3'", "4, 8", "or flat"),
    "watch --fps 31": ("--fps", "got 31.0\n", "1 to 30"),
    "watch --cycles many": ("cycles", "got 'many'\n", "an integer"),
    "watch --json": ("add --once",),
    "watch --versus 3": ("--versus", "removed; `sweep` compares trainings"),
    "watch --film a.svg --once": ("--film", "leave out --once"),
    "watch --seconds 3": ("--seconds", "add --film"),
    "watch --film a.svg --seconds 601": ("--seconds", "got 601.0\n", "1 to 600"),
    "watch --size 80x24": ("--size", "add --once or --film"),
    "watch --once --size 80": ("--size", "'80'", "such as 100x30"),
    "watch --once --size 1001x30": ("--size", "'1001x30'", "at most 1000x400"),
    "watch --film no/film.svg": ("'no/film.svg'", "no folder 'no'"),
    "train --cycles 0": ("cycles", "0", "1 to 1,000,000,000"),
    "train --learning-rate 0": ("learning", "got 0.0\n", "above 0, at most 1"),
    "train --learning-rate nan": ("learning", "got nan\n", "a number"),
    "train --train-agent nobody": ("--train-agent", "'nobody'", "seller or buyer"),
    "train --seller nobody": ("--seller", "'nobody'", "expected midpoint,"),
    "test foreign.npz --negotiations 0": ("--negotiations", "got 0\n", "an integer", "from 1 to"),
    "tour": ("tour needs a terminal for input and output; tour --list and tour --speak do not",),
    "tour 10": ("lesson: expected 1 to 9, got 10",),
    # files
    "train --save folder": ("'folder'", "is a folder", "file"),
    "train --display-plot x.bmp": ("'x.bmp'", ".png or .svg"),
    "test missing.npz": ("'missing.npz'", "No such file"),
    "test foreign.npz": ("'foreign.npz'", "train --save"),
    # learners, and the name most like an unknown one
    "train --learner boulware": ("strategy, which never learns); expected q-learning, ",),
    "train --learner wolf-phc:delta_win=2": ("delta_win: expected a number from 0 to 1, got 2",),
    "train --learner wolf-phc:delta_win=0.1,delta_win=0.2": ("delta_win: expected one value",),
    "train --learner sarsa:schedule=never": ("schedule: expected alternate or together",),
    "train --learner cfr:output=best": ("output: expected average or last",),
    "train --learner cfr:plus=2": ("plus: expected true or false",),
    "train --learner best-response-dynamics:tie_break=no": ("tie_break: expected uniform, accept",),
    "train --learner fictitious-play:counts_as=0": ("counts_as: expected",),
    "tornament": (" (did you mean tournament?); expected ",),
    "--learning-rate 0.2": ("; the option belongs to train and market\n",),
    "train --sede 3": ("; did you mean --seed?\n",),
    "--scenario hiden": (" (did you mean hidden?); expected ",),
    "--seller sarsa": (" (sarsa is a learner: write learned:sarsa); expected ",),
    "learners wolf": (" (did you mean wolf-phc?); expected ",),
    "--seller learned:wolf-phc:delta_loose=1": (" (did you mean delta_lose?); expected ",),
    "sweep --set learner=q-lerning": (" (did you mean q-learning?); expected ",),
    "train --seller boulware:betta=1": (" (did you mean beta?); expected ",),
    "test foreign.npz --seller learned:sarsa": ("expected a strategy, got learned:sarsa",),
    # strategies and their settings
    "train --seller boulwar": ("got 'boulwar' (did you mean boulware?); expected midpoint, ",),
    "train --seller midpoint:,": ("midpoint: expected setting=value, got ''",),
    "train --seller micro:delta=1": ("micro: setting: expected none, got 'delta'",),
    "train --seller boulware:time=0.5": ("setting: expected beta, kappa or accept, got 'time'",),
    "train --seller boulware:beta=x": ("boulware: beta: expected a number, got 'x'",),
    "train --seller boulware:beta=0": ("beta: expected a number above 0, at most 1,000, got 0.0",),
    "train --seller exponential:kappa=0": ("kappa: expected a number from 1e-06 to 1, got 0.0",),
    "train --seller tit-for-tat:delta=1.5": ("tit-for-tat: delta: expected an integer, got '1.5'",),
    "train --seller random-tit-for-tat:largest=-1": ("an integer from 0 to 1,000, got -1",),
    "train --seller equilibrium:tie_break=maybe": ("accept or reject, got 'maybe'",),
    "train --seller linear:accept=later": ("next, const, time or combi, got 'later'",),
    # solve
    "solve --discount-rate 1.5": ("--discount-rate", "got 1.5\n", "from 0 to 1"),
    "solve --discount-rate 0.5 --undiscounted": ("--undiscounted", "not allowed"),
    "solve --policy foreign.npz --scenario legacy": ("--policy: its file contains the scenario",),
    "solve --seller boulware": ("--seller and --buyer: expected both, got one; add the other",),
    "solve --scenario hidden --seller micro --buyer linear": ("got micro, which depends on the",),
    "solve --scenario hidden --seller linear --buyer best-response": ("got best-response, which",),
    # checks and examinations
    "check-strategy my.py": (" (did you mean check?); expected ",),
    "check-learner my.py": (" (did you mean check?); expected ",),
    "check learned": ("'learned'", "a learner of your own"),
    "check q-learning": ("'q-learning'",),
    "check none.py": ("'none.py' cannot be read",),
    "examine cmd:no-such-bot": ("can be run, got 'no-such-bot'; there is no such file\n",),
    "examine cmd:./broken.toml": ("can be run, got './broken.toml'; chmod +x makes it so\n",),
    "examine none.cassette": ("cassette 'none.cassette' cannot be read",),
    **{
        f"{words} no-rounds.toml": ("Python code (.py) or cmd:COMMAND, got 'no-rounds.toml'; it",)
        for words in ("examine", "check", "--seller", "tournament linear")
    },
    "train --learner no-rounds.toml": ("Python code (.py) or a name, got 'no-rounds.toml'; it is",),
    "examine best-response": ("expected a player with a policy of its own",),
    "examine boulware --ask 1": ("--ask: expected an integer from 2 to 1,000,000,000, got 1\n",),
    "examine boulware --minutes -1": ("--minutes: expected a number from 0 to 1,000,000, got",),
    "examine boulware --seed -1": ("--seed: expected an integer of at least 0, got -1\n",),
    "examine boulware --save no/x.npz": ("no folder 'no'",),
    # tournaments
    "tournament nonsense midpoint": ("'nonsense'",),
    "tournament midpoint midpoint": ("'midpoint' twice",),
    "tournament midpoint": ("expected two or more",),
    "tournament --out rows.txt": ("'rows.txt'",),
    # leagues
    "league --learners sarsa,learned:sarsa": ("'learned:sarsa' twice",),
    "league --learners sarssa": ("did you mean sarsa",),
    "league --learners sarsa --games moon": ("got 'moon'",),
    "league --learners sarsa --games 1x2": ("prices: expected 2",),
    "league --learners sarsa --games 3x2,3x2": ("'3x2' twice",),
    # sweeps, and claims that are repeated
    **{f"sweep --set {each}": (each.partition("=")[0],) for each in NUMBERS.split()},
    **{f"sweep --set {each}": (each.partition("=")[2],) for each in WORDS.split()},
    "sweep --set prices=1000 --set rounds=1000": ("too large",),
    "sweep --set cycles=1 --set cycles=2": ("cycles is given twice",),
    "sweep --set learning_rate=0.1,0.10": ("two that are equal",),
    "sweep --set prices=5 10": ("separate values with commas: --set prices=5,10\n",),
    "sweep --runs 0": ("--runs", "got 0\n"),
    "sweep --seed -1": ("--seed", "got -1\n"),
    "sweep --workers 0": ("--workers", "got 0\n"),
    "sweep --out rows.txt": ("'rows.txt'",),
    "sweep --out nowhere/rows.csv": ("'nowhere'",),
    "reproduce --runs 1": ("got 1\n",),
    "reproduce --plot x.bmp": ("'x.bmp'",),
    "reproduce --plot nowhere/x.png": ("'nowhere'",),
    "reproduce dely": ("claim: got 'dely' (did you mean delay?); expected ceiling, ",),
    "reproduce delay --runs 5": ("runs: delay is no claim about trainings",),
    "reproduce delay --plot x.svg": ("--plot: ",),
    "reproduce delay --player linear": ("player: delay is no claim about players",),
    "reproduce --player linear": ("--player: expected a claim beside it",),
    "reproduce buyers-role --player nobody": ("nobody",),
    # markets
    "market --sellers 0": ("--sellers", ", got 0", "1 to 1,000,000"),
    "market --costs -3..9": ("--costs=VALUE", "begins with a dash"),
    "market --limit negotiations=0": ("limit", "0", "1 to"),
    "market --team a=nobody": ("team a", "'nobody'"),
    "market --team a=seller-1 --team a=seller-2": ("--team a", "twice", "at once"),
    "market --costs 9": ("reservation", "at most 5, got 9"),
    "market --seller linear:accept=combi": ("linear", "has a table"),
    "market --scenario legacy --sellers 100000": ("sellers", "got 100,000", "at most"),
    "market --seller learned:cfr": ("seller-1: learner", "'learned:cfr'", "use learned:sarsa"),
    "market no.toml --learner sarsa": ("--learner", "no.toml"),
    "market --resume no.npz --seed 3": ("--resume", "--seed"),
}
"""Command lines, each with parts of its refusal."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The working directory, with everything in it that is not what it should be."""
    (tmp_path / "folder").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("line", BAD)
def test_it_is_one_clear_line(folder: Path, capsys: Captured, line: str) -> None:
    if "plot" in line:
        pytest.importorskip("matplotlib")
    if "chmod" in f"{BAD[line]}" and os.name == "nt":
        pytest.skip("no file of Windows lacks the permission to be run")
    before = sorted(folder.iterdir())
    status = status_of(*line.split())
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert err.startswith("negotiation-tui")
    assert "<" not in err, "the inside of the program shows"
    assert [word for word in BAD[line] if word not in err] == [], err
    assert sorted(folder.iterdir()) == before


EXTRAS = {
    "train --display-plot x.png": ("matplotlib", "plot"),
    "train --buyer negmas:MiCRONegotiator": ("negmas", "negmas"),
    "completion bash": ("shtab", "completion"),
    "sweep --cluster tcp://127.0.0.1:8786": ("distributed", "cluster"),
    "reproduce --cluster tcp://127.0.0.1:8786": ("distributed", "cluster"),
}


@pytest.mark.parametrize("line", EXTRAS)
def test_an_extra_that_is_missing_is_named(
    line: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, extra = EXTRAS[line]
    hide(package, monkeypatch)
    assert f'pip install ".[{extra}]" in the source folder' in refused(capsys, *line.split())
    assert not list(Path().iterdir())


@pytest.mark.parametrize("command", ["", "train ", "train --seed ", "train --save "])
def test_a_line_break_in_a_word_does_not_break_the_line(capsys: Captured, command: str) -> None:
    refused(capsys, *f"{command}a\nb/c".split(" "))


@pytest.mark.parametrize("line", ["trian", "test no.npz"])
def test_the_program_ends_as_main_does(line: str) -> None:
    ended = program(*line.split())
    assert (ended.returncode, ended.stdout) == (2, "")
    assert re.fullmatch(r"negotiation-tui\b.*\n", ended.stderr)


@pytest.mark.parametrize("strategy", ["boulwar", "mine.py", "boulware:beta=x"])
def test_an_unknown_strategy_of_a_file_is_found_there(capsys: Captured, strategy: str) -> None:
    roster = Path("agents.toml")
    roster.write_text(f'[[seller]]\n[[buyer]]\nname = "south"\nstrategy = "{strategy}"\n')
    assert status_of("market", str(roster)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"negotiation-tui: market {quoted(roster)}: south: ")
    assert strategy.partition(":")[0] in line


def test_an_untrained_learner_replaces_nobody() -> None:
    assert status_of("train", "--cycles", "1", "--no-verbose", "--save", "x.npz") == 0
    with pytest.raises(BadInputError, match="learned:sarsa: expected a strategy"):
        Trained.load("x.npz").test(seller="learned:sarsa")
