"""Load the user's own code and call it; its errors become one line that names the line there."""

import ast
import importlib
import inspect
import io
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import reduce
from pathlib import Path
from types import ModuleType
from typing import IO, Any, TextIO, cast

from negotiation_tui.errors import BadInputError, error_line
from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.files import read_bytes, reading
from negotiation_tui.runtime.interrupts import TerminatedError

SIGNALS = KeyboardInterrupt, TerminatedError
"""Exceptions that signals raise in the user's code, and no error of it."""
_PACKAGE = str(Path(__file__).parents[1])
_MAX_SHOWN = 8
_MOST_BYTES = 1 << 24  # of a file of code


def class_in(file: str, base: type, chosen: str | None, form: str) -> tuple[Any, int]:
    """Run a Python file; return its class that inherits from `base`, and the line of that.

    `form` is how a spec chooses one class of several. Raises BadInputError with a line number.
    """
    what = base.__name__.lower()
    classes, lines = classes_in(file, base, what)
    complete = [name for name, kind in classes.items() if not inspect.isabstract(kind)]
    if chosen is None and len(complete) > 1:
        second = complete[1]
        got = f"expected one {what}, got {', '.join(complete)}"
        use = f"write {form.format(file, second)} or move one to another file"
        raise BadInputError(f"{file}, line {lines.get(second, 1)}: {got}; {use}")
    name = chosen or next(iter(complete or classes), None)
    if name is None or name not in classes:
        expected = f"a {what}" if chosen is None else f"{what} {chosen}"
        use = ", ".join(classes) or f"write a class that inherits from {named(base)}"
        hint = f"use {use}" if classes else f"{use}; {program_hint(file)}"
        raise BadInputError(f"{file}, line 1: expected {expected}, got none; {hint}")
    if name not in complete:
        missing = ", ".join(sorted(classes[name].__abstractmethods__))
        raise BadInputError(f"{file}, line {lines.get(name, 1)}: {name} does not define {missing}")
    return classes[name], lines.get(name, 1)


def program_hint(file: str) -> str:
    return f"for a program write 'cmd:python3 {file}'"


class _ProgramError(BadInputError):
    """A file that is a program."""


class _NoInput(io.TextIOBase):
    """Standard input for the user's code: reading it is the mark of a program, and would wait."""

    def __init__(self, file: str) -> None:
        self._file = file

    def _refuse(self, *_args: object, **_options: object) -> Any:
        got = "expected a class, got code that reads its standard input"
        raise _ProgramError(f"{self._file}: {got}; {program_hint(self._file)}")

    read = readline = reconfigure = _refuse
    buffer = property(_refuse)


def named(base: type) -> str:
    return f"negotiation_tui.{base.__name__}"


def classes_in(file: str, base: type, what: str) -> tuple[dict[str, Any], dict[str, int]]:
    """Run a file; return its classes that inherit from `base`, and the lines of all classes."""
    with reading(file, what):
        source = read_bytes(file, _MOST_BYTES)
    name = "_own_" + re.sub(r"\W", "_", file)
    module = sys.modules[name] = ModuleType(name)  # dataclasses look it up there
    vars(module).update({"print": silent, "__file__": file})
    with guarded(file, file), _without_input(file):
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))  # noqa: S102
    classes = {
        kind.__name__: kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == name
    }
    tree = ast.parse(source)
    return classes, {n.name: n.lineno for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}


@contextmanager
def _without_input(file: str) -> Iterator[None]:
    before, sys.stdin = sys.stdin, cast(TextIO, _NoInput(file))
    try:
        yield
    finally:
        sys.stdin = before


def silent(*values: object, file: IO[str] | None = None, **options: Any) -> None:
    """Replace `print` in the user's code: without `file` it would damage the screen or JSON."""
    if file is not None:
        print(*values, file=file, **options)


def imported(spec: str) -> Any:
    """Import a module, from the current directory last, and return the object that a spec names."""
    module_name, _, name = spec.partition(":")
    importlib.invalidate_caches()
    with (
        Path(os.devnull).open("w", encoding="utf-8") as devnull,
        redirect_stdout(devnull),  # prints would damage the screen or JSON
        searching_here(),
        guarded(spec),
    ):
        module = importlib.import_module(module_name)
    vars(module).setdefault("print", silent)
    try:
        return reduce(getattr, name.split("."), module)
    except AttributeError:
        raise BadInputError(f"{spec}: module {module_name} has no {name!r}") from None


@contextmanager
def searching_here() -> Iterator[None]:
    """Let Python import modules from the current directory too, after all other places."""
    here = str(Path.cwd())
    sys.path.append(here)
    try:
        yield
    finally:
        if here in sys.path:
            del sys.path[len(sys.path) - 1 - sys.path[::-1].index(here)]


@contextmanager
def turned(into: Callable[[BaseException], BadInputError]) -> Iterator[None]:
    """Turn whatever the user's code raises, but for signals, into an error of one line."""
    try:
        yield
    except SIGNALS:
        raise
    except BaseException as error:
        raise into(error) from None


def guarded(what: str, file: str = "", line: int = 1) -> AbstractContextManager[None]:
    """Turn an error in the user's code into a BadInputError of one line; see `failure`."""

    def into(error: BaseException) -> BadInputError:
        if isinstance(error, BadInputError) and not file:
            return BadInputError(f"{what}: {error}")
        return failure(error, what, file, line)

    return turned(into)


def failure(error: BaseException, what: str, file: str = "", line: int = 1) -> BadInputError:
    """Return an error in the user's code as one line, with the last line of `file` that failed."""
    frames = traceback.extract_tb(error.__traceback__)
    if file:
        if isinstance(error, _ProgramError):
            return error
        if isinstance(error, SyntaxError) and error.filename == file:
            return BadInputError(f"{file}, line {error.lineno or line}: {error.msg}")
        numbers = [at.lineno or line for at in frames if at.filename == file]
        hint = f"; {program_hint(file)}" if isinstance(error, SystemExit) else ""
        return BadInputError(f"{file}, line {(numbers or [line])[-1]}: {error_line(error)}{hint}")
    others = (_PACKAGE, "<frozen", importlib.__file__)
    files = [at for at in frames if not at.filename.startswith(others)]
    where = ""
    if files and not isinstance(error, SyntaxError):  # the message of that names the line
        path, here = Path(files[0].filename), Path.cwd()
        last = [at.lineno for at in files if at.filename == files[0].filename][-1]
        shown = path.relative_to(here) if path.is_relative_to(here) else path
        where = f" ({shown}, line {last})"
    return BadInputError(f"{what}: {error_line(error)}{where}")


def check_support(
    name: str, position: Position, actions: Sequence[int], what: str = "one or more actions"
) -> Sequence[int]:
    """Return the actions. Raise BadInputError if there are none or one is illegal."""
    legal = position.legal
    illegal = next((action for action in actions if action not in legal), None)
    if actions and illegal is None:
        return actions
    returned = "none" if illegal is None else str(illegal)
    some = ", ".join(map(str, legal[:_MAX_SHOWN])) + (", …" if len(legal) > _MAX_SHOWN else "")
    offered = f"offered {position.standing_offer} in round {position.time + 1}"
    when = "at the opening" if position.standing_offer is None else offered
    raise BadInputError(
        f"{name}: expected {what} of {some} for the {position.role} {when}, got {returned}"
    )
