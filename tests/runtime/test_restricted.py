"""The restriction of a process to a folder: no Python code in it leads out."""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

import negotiation_tui
from tests.support.cli import python

if sys.platform == "win32":
    pytest.skip("restrict needs a Unix system", allow_module_level=True)

WAYS_OUT = (
    "open('../outside/new', 'w')",
    "open('../outside/old', 'a')",
    "open(b'../outside/new', 'xb')",
    "os.open('../outside/new', os.O_CREAT)",
    "os.open('../outside', getattr(os, 'O_TMPFILE', 0) | os.O_RDWR)",
    "Path('../outside/old').write_text('')",
    "os.remove('../outside/old')",
    "os.rename('own', '../outside/new')",
    "os.link('../outside/old', 'mine')",
    "os.remove('old', dir_fd=os.open('../outside', 0))",
    "os.chmod('old', 0, dir_fd=os.open('../outside', 0))",
    "os.chmod('../outside/old', 0)",
    "shutil.rmtree('../outside')",
    "tempfile.mkstemp(dir='../outside')",
    "os.system('true')",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "subprocess.run(['true'])",
    "os.forkpty()",
    "socket.create_connection(('127.0.0.1', 9))",
    "socket.socket().bind(('127.0.0.1', 0))",
    "list(run_jobs(os.mkdir, ['../outside/a', '../outside/b'], 2))",
)
SETUP = """
import os, shutil, socket, subprocess, sys, sysconfig, tempfile
from pathlib import Path
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.runtime.restricted import restrict
"""


def test_the_programs_own_environment_in_the_folder_is_found_and_stays(tmp_path: Path) -> None:
    """Other folders inside are no places of modules; a file of the user's never becomes code."""
    code = """
import negotiation_tui
from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import check_writable

program, packages = Path(negotiation_tui.__file__), sysconfig.get_path("purelib")
places = [str(program.parents[1]), packages, sys.argv[1]]
sys.path[:0] = places
restrict(Path.cwd().anchor)
print([place in sys.path for place in places])
for place in (program, Path(packages, "new")):
    try:
        check_writable(place)
    except BadInputError as error:
        print(str(error).partition(": ")[2])
    try:
        place.open("a")
    except PermissionError as error:
        print(error.strerror)
check_writable(Path(sys.argv[1], "new"))
"""
    done = python("-c", SETUP + code, str(tmp_path))
    assert done.stdout == "[True, True, False]\n" + "it belongs to the program\n" * 4
    assert done.stderr == ""


def in_folder(place: Path, code: str) -> str:
    changes: Any = {"TERMINFO": "/tmp", "MPLCONFIGDIR": "/tmp", "LANG": "C.UTF-8"}
    done = python("-c", f"{SETUP}\nrestrict('own')\n{code}", cwd=place, **changes)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("own", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "own" / "own").write_text("own", encoding="utf-8")
    (tmp_path / "outside" / "old").write_text("old", encoding="utf-8")
    return tmp_path


def test_no_code_changes_files_outside_or_starts_programs(place: Path) -> None:
    code = f"""
for way in {WAYS_OUT!r}:
    try:
        eval(way)
    except PermissionError:
        continue
    print(way)
"""
    assert in_folder(place, code) == ""
    assert [each.name for each in (place / "outside").iterdir()] == ["old"]
    assert (place / "outside" / "old").read_text(encoding="utf-8") == "old"
    assert [each.name for each in (place / "own").iterdir()] == ["own"]


def test_the_folder_can_be_used_and_no_variable_stays_that_names_files(place: Path) -> None:
    code = """
Path('new').mkdir()
Path('new/file').write_text('text')
Path('new/file').rename('file')
Path('/dev/null').open('w').close()
print(Path.cwd().name, tempfile.gettempdir() == os.environ['HOME'] == str(Path.cwd()))
try:
    restrict('..')
except ValueError as error:
    print(error)
print(*os.environ)
"""
    used, twice, names = in_folder(place, code).splitlines()
    assert (used, twice) == ("own True", "--restricted: this process is restricted already")
    usual = {"HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "PYTHONSAFEPATH", "TERM", "TMPDIR", "TZ"}
    assert {"LANG"} <= set(names.split()) <= {*usual, "COLORTERM", "NO_COLOR"}


def test_no_module_is_imported_from_the_folder(place: Path) -> None:
    (place / "own" / "planted.py").write_text("print('taken')", encoding="utf-8")
    code = """
sys.path_importer_cache.clear()
try:
    import planted
except ImportError:
    print(*sorted(run_jobs(len, ['a', 'bc'], 2)))
"""
    assert in_folder(place, code) == "(0, 1) (1, 2)\n"


def test_a_file_has_a_bound(place: Path) -> None:
    code = """
from negotiation_tui.runtime.restricted import MAX_FILE_BYTES
with open('large', 'wb') as file:
    file.seek(MAX_FILE_BYTES)
    try:
        file.write(b'x')
        file.flush()
    except OSError as error:
        print(error.strerror)
        os._exit(0 if sys.stdout.flush() is None else 1)
"""
    assert in_folder(place, code) == "File too large\n"


PACKAGE = Path(negotiation_tui.__file__).parent
OPENERS = {
    *("open", "read_bytes", "read_text", "write_bytes", "write_text", "touch"),
    *("NamedTemporaryFile", "TemporaryFile", "fromfile", "genfromtxt", "loadtxt", "memmap"),
    "mkstemp",
}
OPENED = {
    "examination.cassette": "in `reading`",
    "examination.old_cassette": "in `reading`",
    "players.user_code": "opens os.devnull; files in `reading`, and code is refused",
    "runtime.cores": "names below /proc and /sys",
    "runtime.files": "checks each file",
    "runtime.jit": "the package's own source, and compiled code in folders that are safe",
    "runtime.npz": "its callers are in `reading`",
    "runtime.output": "os.devnull",
    "runtime.result_file": "after `check_writable`",
    "sessions.recorder": "after `check_writable`",
    "sessions.tour_progress": "in `reading`; its folder is below the home, which is the folder",
}
"""The modules that open files, each with the place that checks their names."""


def opens_files(file: Path) -> bool:
    text = file.read_text(encoding="utf-8")
    if not any(f"{name}(" in text for name in (*OPENERS, "np.load")):
        return False
    calls = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return any(
        call.attr in OPENERS or ast.unparse(call) == "np.load"
        if isinstance(call, ast.Attribute)
        else isinstance(call, ast.Name) and call.id in OPENERS
        for call in calls
    )


def test_every_place_that_opens_files_is_known_to_check_them() -> None:
    opened = {
        ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
        for file in PACKAGE.rglob("*.py")
        if opens_files(file)
    }
    assert opened == set(OPENED)
