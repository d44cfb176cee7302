"""The configuration file: what it sets, what wins over it, and one clear line for what is wrong."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui import BadInputError
from negotiation_tui.cli.main import main
from negotiation_tui.cli.parser import Parser
from negotiation_tui.cli.screen_options import add_screen, appearance_of, begin_of
from negotiation_tui.runtime.files import to_toml
from negotiation_tui.runtime.text import quoted
from negotiation_tui.tui import configuration
from negotiation_tui.tui.configuration import ENTRIES, VARIABLE, key_tables, read
from negotiation_tui.tui.toolkit.keys import KEY_LABELS
from tests.support.cli import refused
from tests.support.paths import DOCS

Captured = pytest.CaptureFixture[str]
Write = Callable[[str], Path]
ABSOLUTE = str(Path("/x").absolute())


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a configuration that the program will find."""

    def written(text: str) -> Path:
        path = tmp_path / "habits.toml"
        path.write_text(text, encoding="utf-8")
        monkeypatch.setenv(VARIABLE, str(path))
        return path

    return written


BAD = {
    "colour = 'auto'": ("entry", "got 'colour'", "theme", "color", "[keys]"),
    "theme = 'blue'": ("theme", "got 'blue'", "dark, light, mono, high-contrast or blue-orange"),
    "color = true": ("color", "got True", "auto, always or never"),
    "fps = nan": ("fps", "got nan", "1 to 30"),
    "ascii = 'no\\nyes'": ("ascii", "true or false"),
    "paused = 1979-05-27": ("paused", "got datetime.date(1979, 5, 27)", "true or false"),
    "keys = 'q'": ("keys", "'q'", "[keys]"),
    "theme = 'dark'\ntheme = 'light'": ("not TOML", "overwrite"),
    "keys.quit = 'Q'\ntheme = 'blue'": ("theme", "got 'blue'"),
    "[keys]\nleave = 'Q'": ("keys", "'leave'", "quit", "sort"),
    "[keys]\nquit = 5": ("keys.quit", "5", "a key such as"),
    "[keys]\nquit = ['Q', 1]": ("keys.quit", "['Q', 1]", "a list"),
    "[keys]\nquit = ''": ("keys.quit", "got ''", "one character", "pgup", "f12"),
    "[keys]\nquit = '\u65e5'": ("keys.quit", "'\u65e5'", "one character of width 1"),
    "[keys]\nquit = 'ctrl-c'": ("keys.quit", '"ctrl-c"', "always ends"),
    "[keys]\nquit = 'ctrl-m'": ("keys.quit", "'ctrl-m'", "ctrl- with one of"),
    "[keys]\nquit = 'esc'": ("keys.quit", '"esc"', "always closes"),
    "[keys]\nclose = 'Q'": ("keys.close", '"Q"', '"esc"', "add it"),
    "[keys]\nquit = ['Q', 'Q']": ("keys.quit", '"Q"', "twice"),
    "[keys]\nquit = 'x'": ("keys.quit", '"x"', "reject", "negotiations"),
    "[keys]\nsort = 'v'": ("keys.sort", '"v"', "values", "tournament"),
    "[keys]\ntest = 'F'\nback = 'F'": ("keys.back", '"F"', "test"),
    "[keys]\npane = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']": ("keys.pane", "10", "9"),
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_said_in_one_line(write: Write, capsys: Captured, text: str) -> None:
    path = write(text)
    err = refused(capsys, "config")
    assert err.startswith(f"negotiation-tui: configuration {quoted(path)}: ")
    assert [word for word in BAD[text] if word not in err] == [], err


@pytest.mark.parametrize("command", ["replay no.jsonl", "play", "tournament --json", "watch"])
def test_every_screen_reads_it_before_anything_else(
    write: Write, capsys: Captured, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("negotiation_tui.cli.subcommands.play.on_terminal", bool)
    write("theme = 1")
    assert main(command.split()) == 2
    said = "theme: expected dark, light, mono, high-contrast or blue-orange, got '1'"
    assert said in capsys.readouterr().err


def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for name, said in (("none", "No such"), ("bytes", "not text"), ("", "a file, got a folder")):
        monkeypatch.setenv(VARIABLE, str(tmp_path / name))
        with pytest.raises(BadInputError, match=said):
            read()


def test_where_it_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    home, where = "~/.config/negotiation-tui/config.toml", configuration.configuration_path
    for environ, found in (
        ({"XDG_CONFIG_HOME": ABSOLUTE}, f"{ABSOLUTE}/negotiation-tui/config.toml"),
        ({"XDG_CONFIG_HOME": "relative"}, home),
        ({"XDG_CONFIG_HOME": ABSOLUTE, VARIABLE: "here.toml"}, "here.toml"),
        ({VARIABLE: ""}, home),
    ):
        monkeypatch.setattr("sys.platform", "linux")
        assert where(environ) == Path(found).expanduser()
    monkeypatch.setattr("sys.platform", "win32")
    found = f"{ABSOLUTE}/negotiation-tui/config.toml"
    assert where({"APPDATA": ABSOLUTE, "XDG_CONFIG_HOME": "/y"}) == Path(found)


def parsed(*words: str) -> tuple[object, ...]:
    parser = Parser()
    add_screen(parser)
    assert {action.dest for action in parser._actions} - {"help"} == set(ENTRIES)
    options = parser.parse_args(words)
    return (*begin_of(options)[:3], *appearance_of(options)[:-1])


def test_the_command_line_wins(write: Write) -> None:
    assert parsed() == (3, False, False, False, "auto", 30.0, "dark", True, True, False)
    write(
        "theme = 'light'\ncolor = 'never'\nanimation = false\nascii = true\nfps = 10\n"
        "pace = 8\npaused = true\nadvice = true\nmouse = false\nspeak = true"
    )
    assert parsed() == (4, True, True, True, "never", 10.0, "light", False, False, True)
    words = "--theme=mono --color=always --animation --no-ascii --fps=2 --pace=flat --no-paused"
    now = parsed(*words.split(), "--no-advice", "--mouse", "--no-speak")
    assert now == (9, False, False, False, "always", 2.0, "mono", True, True, False)


def test_the_picture_is_as_the_file_says(write: Write, capsys: Captured) -> None:
    write("ascii = true\n[keys]\nquit = 'Q'\nrun = 'f5'")
    assert main(["watch", "--once", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert "Q quit ? help F5 run" in " ".join(out.split())


@pytest.mark.parametrize(
    "text",
    ["", "pace = 16\n[keys]\nup = ['up', 'y']\nhelp = ['?', 'f1']\nsay = 'S'\nseller_menu = '\"'"],
)
def test_what_is_shown_can_be_saved(write: Write, capsys: Captured, text: str) -> None:
    """Saved as the file it changes nothing, and shows itself again."""
    write(text)
    before = read()
    tables = [keys.rebound(before.keys) for keys in key_tables().values()]
    main(["config"])
    shown = capsys.readouterr().out
    assert "If pace is not set, the program and a market begin with a story." in shown
    keys_shown = shown.partition("[keys]")[2].splitlines()
    assert any(line[32:36] == "  # " for line in keys_shown), "one long line moves no other"
    write(shown)
    after = read()
    assert [keys.rebound(after.keys) for keys in key_tables().values()] == tables
    assert [after.chosen(n, None) for n in ENTRIES] == [before.chosen(n, None) for n in ENTRIES]
    main(["config"])
    again = capsys.readouterr().out
    assert again == shown
    set_there = tomllib.loads(shown)
    assert set_there.pop("keys") == {name: list(keys) for name, keys in before.keys.items()}
    assert set_there == before.entries, "a saved default would take away the story"


letters = st.characters(min_codepoint=33, max_codepoint=0x2FF).filter(str.isprintable)


@given(
    keys=st.dictionaries(
        st.sampled_from(sorted(configuration.default_keys())),
        st.lists(st.sampled_from(sorted(KEY_LABELS)) | letters, min_size=1, max_size=3),
        max_size=4,
    )
)
def test_keys_are_taken_as_they_are_or_refused(
    keys: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is accepted leaves every key one thing to do, and a way to close and to quit."""
    path = tmp_path_factory.getbasetemp() / "keys.toml"
    lines = [f"{command} = {to_toml(names)}" for command, names in keys.items()]
    path.write_text("\n".join(["[keys]", *lines]), encoding="utf-8")
    try:
        held = read(path)
    except BadInputError:
        return
    for usual in key_tables().values():
        table = usual.rebound(held.keys)
        names = [key for row in table for key in (*row.keys, *row.also)]
        assert len(names) == len(set(names))
        assert table.commands["esc"] == "close"
        commands = {row.command for row in usual}
        assert commands == {row.command for row in table} == set(table.commands.values())


def test_the_file_in_the_page_can_be_used(tmp_path: Path) -> None:
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    path = tmp_path / "config.toml"
    path.write_text(block, encoding="utf-8")
    assert read(path).keys["quit"][0] == "Q"
