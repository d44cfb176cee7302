"""A restricted session over a real SSH server on this machine, as docs/ssh.md sets it up."""

import getpass
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import negotiation_tui
from tests.support.paths import DOCS

SSHD = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin:/usr/local/sbin")
NEEDED = [SSHD, *map(shutil.which, ("ssh", "ssh-keygen", "scp", "sftp"))]
if sys.platform == "win32" or not all(NEEDED):
    pytest.skip("needs an SSH server and its client", allow_module_level=True)
pytestmark = [pytest.mark.slow, pytest.mark.terminal]

START = """
ListenAddress 127.0.0.1
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
Subsystem sftp internal-sftp
"""
QUIET = ("BatchMode=yes", "StrictHostKeyChecking=no", "IdentitiesOnly=yes", "LogLevel=ERROR")
REFUSED = {
    "id": "COMMAND",
    "strategies; id": "COMMAND",
    "strategies $(id)": "strategy: expected",
    "train --cycles 2 --save ../new.npz": "outside your folder",
    "watch --once --seller os:system": "code is not allowed",
}


def documented(folder: Path) -> str:
    """Return the settings of the script, with a key, the program and the folder of this test."""
    script = (DOCS / "class.sh").read_text(encoding="utf-8")
    settings = script.partition("Match Group haggle\n")[2].partition("END\n")[0]
    ours = ("PasswordAuthentication", "AuthenticationMethods", "AuthorizedKeysFile")
    kept = [line for line in settings.splitlines() if line.split()[0] not in ours]
    place = Path(negotiation_tui.__file__).parents[1]
    text = "\n".join(kept).replace("LANG=C.UTF-8", f'LANG=C.UTF-8 PYTHONPATH="{place}"')
    program = "/opt/haggle/bin/python -I"
    assert text.count(program) == text.count("--restricted $folder") == 1
    return text.replace(program, sys.executable).replace("$folder", f'"{folder}"')


class Server:
    def __init__(self, place: Path) -> None:
        self.folder = place / "own"
        self.folder.mkdir()
        self._key = place / "key"
        for name in ("key", "host"):
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(place / name)]
            subprocess.run(words, check=True, timeout=60)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        files = f"HostKey {place}/host\nPidFile none\nAuthorizedKeysFile {place}/key.pub\n"
        config = place / "sshd_config"
        config.write_text(
            f"Port {self._port}\n{files}{START}{documented(self.folder)}\n", encoding="utf-8"
        )
        self._log = place / "log"
        words = [str(SSHD), "-D", "-f", str(config), "-E", str(self._log)]
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        self.address = f"{getpass.getuser()}@127.0.0.1"

    def wait(self) -> None:
        """Wait until it answers; skip the test if it cannot run here."""
        deadline = time.monotonic() + 30
        while self.process.poll() is None and time.monotonic() < deadline:
            done = self.run("ssh", self.address, "strategies")
            if done.returncode == 0:
                return
            time.sleep(0.2)
        pytest.skip(f"no SSH server runs here: {self._log.read_text(encoding='utf-8')[-300:]}")

    def command(self, program: str) -> list[str]:
        port = "-p" if program == "ssh" else "-P"
        options = (f"-o{option}" for option in (*QUIET, "UserKnownHostsFile=/dev/null"))
        return [program, "-F", "none", port, str(self._port), "-i", str(self._key), *options]

    def run(self, program: str, *words: str, sent: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*self.command(program), *words],
            input=sent,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("ssh"))
    try:
        server.wait()
        yield server
    finally:
        server.process.terminate()
        server.process.wait(30)


@pytest.mark.parametrize("line", REFUSED)
def test_the_session_runs_nothing_else(server: Server, line: str) -> None:
    ended = server.run("ssh", server.address, line)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended
    assert REFUSED[line] in ended.stderr


def test_files_are_not_copied(server: Server, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    before = list(server.folder.iterdir())
    for way in (["-O"], ["-s"]):
        for words in ((f"{server.address}:/etc/passwd", "got"), ("mine", f"{server.address}:new")):
            assert server.run("scp", *way, *words).returncode != 0
    assert server.run("sftp", "-b", "-", server.address, sent="get /etc/passwd\n").returncode != 0
    assert [each.name for each in tmp_path.iterdir()] == ["mine"]
    assert list(server.folder.iterdir()) == before


@pytest.mark.parametrize("way", [["-W", "127.0.0.1:22"], ["-N", "-R", "0:127.0.0.1:22"]])
def test_nothing_is_forwarded(server: Server, way: list[str]) -> None:
    assert server.run("ssh", "-oExitOnForwardFailure=yes", *way, server.address).returncode == 255


def test_tables_are_saved_in_the_folder(server: Server) -> None:
    line = "train --cycles 2 --episodes 5 --no-verbose --save own.npz"
    ended = server.run("ssh", server.address, line)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "tables saved to own.npz\n", "")
    assert (server.folder / "own.npz").is_file()
