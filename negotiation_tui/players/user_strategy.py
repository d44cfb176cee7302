"""Load the user's own strategies from a Python file, an object or an installed package.

Every error in one becomes a BadInputError of one line, with its file and line number.
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
from negotiation_tui.runtime.interrupts import TerminatedError
from negotiation_tui.strategies.base import Dependency, Strategy, UserSupplied
from negotiation_tui.strategies.registry import settings_of, with_settings

GROUP = "negotiation_tui.strategies"
"""Entry-point group in which another package lists its strategies."""
BASE = "negotiation_tui.Strategy"
_SPEC = re.compile(r"(?P<file>.+?\.py)(?:::(?P<chosen>\w+))?(?::(?P<settings>.*))?", re.DOTALL)
_MAX_SHOWN = 8
T = TypeVar("T")


@dataclass(frozen=True)
class UserStrategy(UserSupplied):
    """A guarded user's strategy: its errors and illegal actions become BadInputErrors."""

    name: ClassVar[str] = "own"
    summary: ClassVar[str] = "a strategy of the user's own"
    source: ClassVar[str] = "its file"
    file: str
    strategy: Strategy
    dependencies: frozenset[Dependency]

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """The parts of a position that the user's strategy names."""
        return self.dependencies

    def support(self, position: Position) -> Sequence[int]:
        """Return the actions. Raise BadInputError if the call fails or an action is illegal."""
        line = line_of(self.strategy, "support")
        actions = _guarded(
            self.file, line, lambda: [operator.index(a) for a in self.strategy.support(position)]
        )
        return check_support(f"{self.file}, line {line}: support", position, actions)


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


def is_file(spec: str) -> bool:
    """True if a spec names a Python file."""
    return _SPEC.fullmatch(spec) is not None


def from_file(spec: str) -> UserStrategy:
    """Return the strategy of `FILE.py` or `FILE.py::Class`, each with optional `:setting=value,…`.

    The file is run. Raises BadInputError with the line number of an error in it.
    """
    match = _SPEC.fullmatch(spec)
    assert match is not None
    file, chosen, settings = match["file"], match["chosen"], match["settings"] or ""
    classes, lines = classes_in(file, Strategy)
    complete = {name: kind for name, kind in classes.items() if not inspect.isabstract(kind)}
    if chosen is None and len(complete) > 1:
        second = list(complete)[1]
        raise BadInputError(
            f"{file}, line {lines.get(second, 1)}: expected one strategy, got"
            f" {', '.join(complete)}; write {file}::{second} or move one to another file"
        )
    name = chosen or next(iter(complete or classes), None)
    if name is None or name not in classes:
        expected = "a strategy" if chosen is None else f"strategy {chosen}"
        use = "use " + ", ".join(classes) if classes else f"write a class that inherits from {BASE}"
        raise BadInputError(f"{file}, line 1: expected {expected}, got none; {use}")
    if name not in complete:
        missing = ", ".join(sorted(classes[name].__abstractmethods__))
        raise BadInputError(f"{file}, line {lines.get(name, 1)}: {name} does not define {missing}")
    at = file if chosen is None else f"{file}::{chosen}"
    return _from_class(complete[name], file, lines.get(name, 1), at, settings)


def classes_in(file: str, base: type) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the classes of a Python file that inherit from a class, and their line numbers.

    The file is run. Raises BadInputError with the line number of an error in it.
    """
    module, lines = _imported(file, base.__name__.lower())
    classes = {
        kind.__name__: kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, base) and kind.__module__ == module.__name__
    }
    return classes, lines


def file_in(spec: str) -> str | None:
    """Return the Python file that a spec names; None if it names none."""
    match = _SPEC.fullmatch(spec)
    return None if match is None else match["file"]


def installed_names() -> list[str]:
    """Return the names that other packages list, without importing the packages."""
    from importlib.metadata import entry_points

    return sorted({point.name for point in entry_points(group=GROUP)})


def installed(spec: str) -> UserStrategy | None:
    """Return the strategy of another package; None if no package lists the name.

    The package is imported. Raises BadInputError if that fails.
    """
    from importlib.metadata import entry_points

    name, _, settings = spec.partition(":")
    points = tuple(entry_points(group=GROUP, name=name))
    if not points:
        return None
    try:
        kind = points[0].load()
    except (Exception, SystemExit) as error:
        at = f"strategy {name}: {points[0].value}"
        raise BadInputError(f"{at} cannot be imported: {error_line(error)}") from None
    if not (isinstance(kind, type) and issubclass(kind, Strategy)) or inspect.isabstract(kind):
        value = points[0].value
        raise BadInputError(f"strategy {name}: expected a complete class of {BASE}, got {value}")
    return _from_class(kind, inspect.getsourcefile(kind) or points[0].value, 1, name, settings)


def from_object(strategy: Strategy) -> UserStrategy:
    """Guard a user's strategy object; its spec is made of its class and settings.

    Raises BadInputError if `depends_on` names an unknown part of a position.
    """
    kind = type(strategy)
    settings = ",".join(f"{name}={value}" for name, value in settings_of(strategy).items())
    spec = f"{kind.__module__}.{kind.__qualname__}" + (f":{settings}" if settings else "")
    return _guard(strategy, spec, file_of(strategy), line_of(strategy, "support"))


def line_of(strategy: Strategy, method: str) -> int:
    """Return the first line of a method of a strategy's class; 1 if it is unknown."""
    code = getattr(getattr(type(strategy), method, None), "__code__", None)
    return int(code.co_firstlineno) if isinstance(code, CodeType) else 1


def file_of(strategy: Strategy) -> str:
    """Return the file in which a strategy's `support` is written."""
    return strategy.support.__func__.__code__.co_filename  # type: ignore[attr-defined,no-any-return]


def _from_class(kind: type[Strategy], file: str, line: int, at: str, settings: str) -> UserStrategy:
    """Create a strategy with settings, and guard it."""
    default = _guarded(file, line, kind)
    settings = settings.replace("+", ",")
    try:
        strategy = with_settings(default, at, settings)
    except BadInputError:  # a wrong setting, not an error in the file
        raise
    except Exception as error:
        raise failure(error, file, line) from None
    return _guard(strategy, f"{at}:{settings}" if settings else at, file, line)


def _guard(strategy: Strategy, spec: str, file: str, line: int) -> UserStrategy:
    known = get_args(Dependency)
    dependencies = _guarded(file, line, lambda: frozenset(strategy.depends_on))
    if not dependencies <= set(known):
        wrong = ", ".join(sorted(map(repr, dependencies - set(known))))
        raise BadInputError(
            f"{file}, line {line}: depends_on: expected some of {', '.join(known)}, got {wrong}"
        )
    return UserStrategy(spec, file, strategy, dependencies)


class _UncachedLoader(SourceFileLoader):
    """Reads the current source of the file, and neither reads nor writes a bytecode cache."""

    def get_code(self, _fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code


def _imported(file: str, what: str) -> tuple[ModuleType, dict[str, int]]:
    """Return a file's module and the line numbers of its classes."""
    with reading(file, what):
        source = Path(file).read_bytes()
    name = "_own_" + re.sub(r"\W", "_", file)
    loader = _UncachedLoader(name, file)
    module_spec = spec_from_loader(name, loader)
    assert module_spec is not None
    module = sys.modules[name] = module_from_spec(module_spec)  # dataclasses look it up there
    vars(module)["print"] = silent
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise failure(error, file, 1) from None
    tree = ast.parse(source)
    return module, {n.name: n.lineno for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}


def silent(*values: object, file: IO[str] | None = None, **options: Any) -> None:
    """Replace `print` in the user's file: without `file` it would damage the screen or JSON."""
    if file is not None:
        print(*values, file=file, **options)


def _guarded(file: str, line: int, call: Callable[[], T]) -> T:
    """Call the user's code; an error in it becomes a BadInputError of one line."""
    try:
        return call()
    except TerminatedError:
        raise
    except (Exception, SystemExit) as error:
        raise failure(error, file, line) from None


def failure(error: BaseException, file: str, line: int) -> BadInputError:
    """Return an error in a file as one line, with the number of the line that failed, or `line`."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return BadInputError(f"{file}, line {error.lineno or line}: {error.msg}")
    frames = [at for at in traceback.extract_tb(error.__traceback__) if at.filename == file]
    if frames:
        line = frames[-1].lineno or line
    return BadInputError(f"{file}, line {line}: {error_line(error)}")
