"""The parts of a spec of anything from outside: a program, NegMAS, the user's own code, a file."""

import os
import re
import shlex
import sys

from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.learning.spec import PREFIX, learns
from negotiation_tui.strategies.registry import STRATEGIES

PROGRAM = "cmd:"
MOST_SAID = 500  # characters that a player says in a turn
NEGMAS = "negmas"  # the first part of the spec of a NegMAS player
NPZ = ".npz"
_NAME = r"[^\W\d]\w*"
_RUNS = r"(?:python|pypy|pythonw)[\d.]*|py|env|(?:ba|da|z|k)?sh|node|ruby|perl|lua|java"
_OWN = (
    rf"(?:(?P<file>.+?\.py)(?:::?(?P<kind>{_NAME})(?=:|$))?"
    rf"|(?P<module>{_NAME}(?:\.\w+)*):(?P<name>{_NAME}(?:\.\w+)*)(?=:|$))(?::(?P<settings>.*))?"
)


def is_program(spec: str) -> bool:
    return spec.startswith(PROGRAM)


def is_negmas(spec: str) -> bool:
    return spec.partition(":")[0] == NEGMAS


def own_code(spec: str) -> re.Match[str] | None:
    """Return the parts of a spec `FILE.py:Class:setting=value,…` or `module:name:…`, if it is one.

    Of a class in a file or of the settings either may be missing; then a part is None.
    """
    if not learns(spec) and (is_program(spec) or is_negmas(spec) or spec.endswith(NPZ)):
        return None
    match = re.fullmatch(_OWN, spec.removeprefix(PREFIX), re.DOTALL)
    ours = match and match["module"] in (LEARNERS if learns(spec) else STRATEGIES)
    return None if ours else match


def runs_code(spec: str) -> bool:
    """True if a player of this spec runs code that is not of this program."""
    return is_program(spec) or is_negmas(spec) or own_code(spec) is not None


def file_of(spec: str) -> str | None:
    """Return the file of a player, or None; that of a module is known once it was loaded."""
    if code := own_code(spec):
        return code["file"] or getattr(sys.modules.get(code["module"]), "__file__", None)
    return spec if spec.endswith(NPZ) and not (learns(spec) or runs_code(spec)) else None


def short_name(spec: str) -> str:
    """Return the name of a program's file, behind an interpreter the script's; others in full."""
    if not is_program(spec):
        return spec
    try:
        words = words_of(spec)
    except ValueError:
        words = spec.split()
    names = [re.split(r"[/\\]", word)[-1] for word in words if word[:1] != "-"]
    if len(names) > 1 and re.fullmatch(_RUNS, names[0].removesuffix(".exe")):
        names = names[1:]
    return names[0] if names and names[0] else spec


def words_of(spec: str) -> list[str]:
    """Split a command as a shell would. Raises ValueError if that is not possible."""
    if os.name == "nt":
        words = shlex.split(spec.removeprefix(PROGRAM), posix=False)  # "\\" is of paths
        return [re.sub(r"^(['\"])(.*)\1$", r"\2", word, flags=re.DOTALL) for word in words]
    return shlex.split(spec.removeprefix(PROGRAM))
