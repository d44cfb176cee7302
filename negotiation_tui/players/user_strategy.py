"""Strategies of the user's own: from a Python file, or from an installed package.

Whatever goes wrong in one is said in one line, with the file and the line of it.
"""

import ast
import inspect
import operator
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType
from typing import IO, Any, ClassVar, TypeVar, get_args

from negotiation_tui.errors import BadInputError, error_line
from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.files import reading
from negotiation_tui.strategies.base import Dependency, Strategy, UserSupplied
from negotiation_tui.strategies.registry import settings_of, with_settings

GROUP = "negotiation_tui.strategies"
"""The group of entry points in which another package lists strategies."""
BASE = f"{Strategy.__module__.rpartition('.')[0]}.Strategy"
_WORDS = re.compile(r"(?P<file>.+?\.py)(?:::(?P<chosen>\w+))?(?::(?P<given>.*))?", re.DOTALL)
_SHOWN = 8
T = TypeVar("T")


@dataclass(frozen=True)
class UserStrategy(UserSupplied):
    """A strategy of the user's, watched over: its errors and illegal actions are BadInputErrors."""

    name: ClassVar[str] = "own"
    summary: ClassVar[str] = "a strategy of the user's own"
    source: ClassVar[str] = "its file"
    file: str
    within: Strategy
    dependencies: frozenset[Dependency]

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """What it says it heeds."""
        return self.dependencies

    def support(self, position: Position) -> Sequence[int]:
        """Its choices, every one of them legal; BadInputError where they are not."""
        choices = _watched(
            self.file,
            line_of(self.within, "support"),
            lambda: [operator.index(action) for action in self.within.support(position)],
        )
        at = f"{self.file}, line {line_of(self.within, 'choices')}: choices"
        return check_support(at, position, choices)


def check_support(name: str, position: Position, choices: Sequence[int]) -> Sequence[int]:
    """The choices of a position; BadInputError, which begins with the name, for illegal ones."""
    legal = position.legal
    wrong = next((action for action in choices if action not in legal), None)
    if choices and wrong is None:
        return choices
    given = "no action" if wrong is None else f"action {wrong}"
    some = ", ".join(map(str, legal[:_SHOWN])) + (", …" if len(legal) > _SHOWN else "")
    asked = f"offered {position.standing_offer} in round {position.time + 1}"
    when = "at the opening" if position.standing_offer is None else asked
    raise BadInputError(
        f"{name} gave {given} for the {position.role} {when}, use one or more of {some}"
    )


def is_file(words: str) -> bool:
    """Whether words name a file of a strategy."""
    return _WORDS.fullmatch(words) is not None


def from_file(words: str) -> UserStrategy:
    """The strategy of `FILE.py`, `FILE.py::Class` or either with `:setting=value,…` behind.

    The file is run. Raises BadInputError with the line of what is wrong in it.
    """
    found = _WORDS.fullmatch(words)
    assert found is not None
    file, chosen, given = found["file"], found["chosen"], found["given"] or ""
    module, lines = _imported(file)
    kinds = {
        kind.__name__: kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Strategy)
        and kind.__module__ == module.__name__
    }
    whole = {name: kind for name, kind in kinds.items() if not inspect.isabstract(kind)}
    if chosen is None and len(whole) > 1:
        second = list(whole)[1]
        raise BadInputError(
            f"{file}, line {lines.get(second, 1)}: there are {len(whole)} strategies,"
            f" {', '.join(whole)}: write {file}::{second} or move one to a file of its own"
        )
    name = chosen or next(iter(whole or kinds), None)
    if name is None or name not in kinds:
        what = "no strategy" if chosen is None else f"no strategy {chosen}"
        use = "use " + ", ".join(kinds) if kinds else f"write a class that inherits from {BASE}"
        raise BadInputError(f"{file}, line 1: there is {what}: {use}")
    if name not in whole:
        lacking = ", ".join(sorted(kinds[name].__abstractmethods__))
        raise BadInputError(f"{file}, line {lines.get(name, 1)}: {name} lacks {lacking}")
    at = file if chosen is None else f"{file}::{chosen}"
    return _own(whole[name], file, lines.get(name, 1), at, given)


def file_in(words: str) -> str | None:
    """The Python file that these words name, None where they name none."""
    found = _WORDS.fullmatch(words)
    return None if found is None else found["file"]


def installed_names() -> list[str]:
    """The names that other packages list; none of them is imported."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=GROUP)})


def installed(words: str) -> UserStrategy | None:
    """The strategy of another package with this name and these settings; None if there is none.

    It is imported. Raises BadInputError where that fails.
    """
    from importlib.metadata import entry_points

    name, _, given = words.partition(":")
    points = tuple(entry_points(group=GROUP, name=name))
    if not points:
        return None
    try:
        kind = points[0].load()
    except (Exception, SystemExit) as error:
        at = f"strategy {name} is {points[0].value}"
        raise BadInputError(f"{at}, which cannot be imported: {error_line(error)}") from None
    if not (isinstance(kind, type) and issubclass(kind, Strategy)) or inspect.isabstract(kind):
        raise BadInputError(f"strategy {name}: {points[0].value} is no whole class of {BASE}")
    return _own(kind, inspect.getsourcefile(kind) or points[0].value, 1, name, given)


def from_object(held: Strategy) -> UserStrategy:
    """A strategy of the user's that is an object already, known by its class and settings.

    Raises BadInputError where it heeds what there is not.
    """
    kind, settings = type(held), settings_of(held)
    given = ",".join(f"{name}={value}" for name, value in settings.items())
    words = f"{kind.__module__}.{kind.__qualname__}" + (f":{given}" if given else "")
    return _watched_over(held, words, file_of(held), line_of(held, "support"))


def line_of(held: Strategy, method: str) -> int:
    """The line where a method of a strategy's class begins, 1 where that is not known."""
    code = getattr(getattr(type(held), method, None), "__code__", None)
    return int(code.co_firstlineno) if isinstance(code, CodeType) else 1


def file_of(held: Strategy) -> str:
    """The file that a strategy's choices are written in, as Python names it."""
    return held.choices.__func__.__code__.co_filename  # type: ignore[attr-defined,no-any-return]


def _own(kind: type[Strategy], file: str, line: int, at: str, given: str) -> UserStrategy:
    """A class with settings, ready to play."""
    usual = _watched(file, line, kind)
    given = given.replace("+", ",")
    try:
        held = with_settings(usual, at, given)
    except BadInputError:  # a setting out of its range, as our own say it
        raise
    except Exception as error:
        raise failure(error, file, line) from None
    return _watched_over(held, f"{at}:{given}" if given else at, file, line)


def _watched_over(held: Strategy, words: str, file: str, line: int) -> UserStrategy:
    known = get_args(Dependency)
    dependencies = _watched(file, line, lambda: frozenset(held.depends_on))
    if not dependencies <= set(known):
        wrong = ", ".join(sorted(map(repr, dependencies - set(known))))
        raise BadInputError(
            f"{file}, line {line}: depends_on {wrong}, use some of {', '.join(known)}"
        )
    return UserStrategy(words, file, held, dependencies)


class _Fresh(SourceFileLoader):
    """Reads the file as it is now, and writes nothing beside it."""

    def get_code(self, _fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _imported(file: str) -> tuple[ModuleType, dict[str, int]]:
    """A file's module, and the lines of its classes."""
    with reading(file, "strategy"):
        source = Path(file).read_bytes()
    name = "_own_" + re.sub(r"\W", "_", file)
    spec = spec_from_loader(name, _Fresh(name, file))
    assert spec is not None
    loader = spec.loader
    assert loader is not None
    module = sys.modules[name] = module_from_spec(spec)  # where dataclasses look for it
    vars(module)["print"] = silent
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise failure(error, file, 1) from None
    tree = ast.parse(source)
    return module, {n.name: n.lineno for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}


def silent(*words: object, file: IO[str] | None = None, **how: Any) -> None:
    """What `print` is in the user's file: a screen, or JSON on the output, stays whole."""
    if file is not None:
        print(*words, file=file, **how)


def _watched(file: str, line: int, call: Callable[[], T]) -> T:
    """What a call into the user's code gives; what it raises becomes one line."""
    try:
        return call()
    except (Exception, SystemExit) as error:
        raise failure(error, file, line) from None


def failure(error: BaseException, file: str, line: int) -> BadInputError:
    """An error in a file in one line; the line where it came up, else the one given."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return BadInputError(f"{file}, line {error.lineno or line}: {error.msg}")
    theirs = [at for at in traceback.extract_tb(error.__traceback__) if at.filename == file]
    if theirs:
        line = theirs[-1].lineno or line
    return BadInputError(f"{file}, line {line}: {error_line(error)}")
