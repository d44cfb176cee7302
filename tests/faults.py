"""Plant faults in the program, one at a time, and see which tests notice.

    python -m tests.faults --seed 1 --faults 100 --jobs 2

Each fault is one small change of the source: a comparison, a sign, an index, an argument. It is
planted in a clone of the last commit, never in the working tree. A first run of all tests that are
not slow notes which functions each calls; `--calls FOLDER` keeps the notes for the next trial. The
tests that call the function with the fault run, the fastest first, and then their whole files; if
none calls it, all tests run. The first failure ends the run, and so do 60 seconds. A test that also
fails without the fault does not count. Faults that change nothing a test could see are listed in
`EQUIVALENT`. Programs that a test starts and compiled code are not seen by the first run.
"""

# ruff: noqa: C901, PLR0912, PLR0915 - one table of all faults
import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import accumulate, pairwise
from pathlib import Path
from queue import SimpleQueue
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

from tests.support.paths import ROOT

PRODUCT = "negotiation_tui"
SECONDS = 60
"""The most time for one fault; up to `MOST_BUSY` times as much if others use the processors."""
MOST_BUSY = 2.5
EACH_TEST = 20
"""The most seconds of one test: a fault may make a loop endless. More on a busy machine."""
MOST_TESTS = 400
"""The most tests on one command line."""
OUT_OF_TIME = "the time ran out"
EQUIVALENT: set[tuple[str, str, str]] = {
    ("negotiation_tui/solvers/belief_induction.py", "Beliefs.merged", "comparison"),
    ("negotiation_tui/solvers/belief_induction.py", "_size", "off by one"),
    # a tighter bound on the same values, found at another budget
    ("negotiation_tui/solvers/belief_induction.py", "BeliefInduction._met", "comparison"),
    # opponent and rate: with known limits the answer is already in `offer_values`
    ("negotiation_tui/solvers/best_response.py", "_induce", "swapped arguments"),
    # weights are one number or as many as a table has
    ("negotiation_tui/solvers/induction_kernel.py", "induce", "off by one"),
    # filled one number earlier, with the same numbers in the same order
    ("negotiation_tui/learning/backend.py", "UniformStream.block", "off by one"),
    # it only asks for memory ahead of time
    ("negotiation_tui/learning/loop.py", "fetch", "early return"),
    # which code is compiled ahead
    ("negotiation_tui/learning/compiling.py", "_warm_up", "negated condition"),
    # room in arrays, and a number beyond reach
    ("negotiation_tui/market/simulation.py", "MarketSimulation.use", "constant"),
    # further facts are equal to the first, which a set keeps
    ("negotiation_tui/sessions/story/facts.py", "answer", "break or continue"),
    # it has no input, and none of its numbers is equal to its bound
    ("negotiation_tui/tui/tour/lessons/learning.py", "wallets_left_over", "comparison"),
    # the loop ends anyway: `damage` is not empty
    ("negotiation_tui/sessions/transcripts.py", "read", "break or continue"),
}
"""File, function and operator, or line, of faults that change nothing but speed or form."""
HARMFUL = {("negotiation_tui/runtime/files.py", "_is_device")}
"""File and function of faults that reach beyond the copy: this one lets root replace /dev/null."""

OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OTHER_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
OTHER_FUNCTION = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil"}


class Fault(NamedTuple):
    """One change: the text between two offsets of a file, in bytes, becomes another."""

    file: str
    function: str
    operator: str
    line: int
    start: int
    end: int
    text: str
    change: str
    """Before and after, for people."""

    @property
    def package(self) -> str:
        """The folder under the package, or the name of a module of the top."""
        return Path(self.file).parts[1].removesuffix(".py")

    def planted(self, source: bytes) -> bytes:
        """Return the source with the fault."""
        return source[: self.start] + self.text.encode() + source[self.end :]


def running(node: ast.AST, within: str = "") -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that run, each with the names of the functions around it.

    Left out are annotations, docstrings, checks for types alone, and texts, which have no offsets
    before Python 3.12.
    """
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.JoinedStr():
            return
        case ast.Expr(value=ast.Constant()) | ast.keyword(arg="strict"):  # `zip` asserts by it
            return
        case ast.If(test=test) if "TYPE_CHECKING" in ast.unparse(test):
            return
        case ast.Assign(targets=[ast.Name(id="__slots__" | "__all__")]):
            return
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            within = f"{within}.{name}".strip(".")
    yield node, within
    for name, value in ast.iter_fields(node):
        if name not in {"annotation", "returns", "decorator_list", "type_params", "bases", "exc"}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from running(child, within)


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST, ast.expr | str]]:
    """Yield every fault of a node: an operator, the part to be replaced, and by what."""
    match node:
        case ast.FunctionDef(body=body):
            body = body[1:] if ast.get_docstring(node) else body
            if len(body) > 1 and not any(map(gives, ast.walk(node))):
                yield "early return", body[len(body) // 2], "return"
        case ast.Raise() | ast.Expr(value=ast.Call()):
            yield "dropped statement", node, "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
            yield "dropped statement", node, "pass"
        case ast.AugAssign(target, op, value):
            yield "dropped statement", node, "pass"
            if other := OTHER_ARITHMETIC.get(type(op)):
                yield "arithmetic", node, ast.unparse(ast.AugAssign(target, other(), value))
        case ast.Break() | ast.Continue():
            yield "break or continue", node, "continue" if isinstance(node, ast.Break) else "break"
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            if "__name__" not in ast.unparse(test):
                yield "negated condition", test, ast.UnaryOp(ast.Not(), test)
        case ast.comprehension(ifs=tests):
            for test in tests:
                yield "negated condition", test, ast.UnaryOp(ast.Not(), test)
        case ast.match_case(guard=ast.expr() as test):
            yield "negated condition", test, ast.UnaryOp(ast.Not(), test)
        case ast.Compare(left, ops, comparators):
            for n, kind in enumerate(ops):
                changed = [*ops[:n], OTHER_COMPARISON[type(kind)](), *ops[n + 1 :]]
                yield "comparison", node, ast.Compare(left, changed, comparators)
        case ast.BoolOp(op, values):
            other_op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and or", node, ast.BoolOp(other_op, values)
        case ast.BinOp(ast.JoinedStr()) | ast.BinOp(right=ast.JoinedStr()):
            pass
        case ast.BinOp(left, op, right):
            if other := OTHER_ARITHMETIC.get(type(op)):
                yield "arithmetic", node, ast.BinOp(left, other(), right)
        case ast.Constant(value=bool(value)):
            yield "constant", node, str(not value)
        case ast.Constant(value=int(value)):
            yield "constant", node, f"({value + 1})"
        case ast.Constant(value=float(value)):
            yield "constant", node, f"({2 * value or 1.0!r})"
        case ast.Subscript(value, ast.Slice(ast.expr() as lower, upper, step), ctx):
            shifted = ast.Slice(ast.BinOp(lower, ast.Add(), ast.Constant(1)), upper, step)
            yield "index", node, ast.Subscript(value, shifted, ctx)
        case ast.Attribute(attr="other", ctx=ast.Load()):
            yield "wrong role", node, node.value
        case ast.Call(func, args, keywords):
            match func:
                case ast.Name(id=name) if name in OTHER_FUNCTION:
                    yield "function", func, OTHER_FUNCTION[name]
                case ast.Name(id="len"):
                    yield "off by one", node, f"({ast.unparse(node)} - 1)"
            for n, (first, second) in enumerate(pairwise(args)):
                alike = type(first) is type(second) and isinstance(first, ast.Name | ast.Attribute)
                if alike and ast.dump(first) != ast.dump(second):
                    arguments = [*args[:n], second, first, *args[n + 2 :]]
                    yield "swapped arguments", node, ast.Call(func, arguments, keywords)


def gives(node: ast.AST) -> bool:
    """True for what gives a value out of a function."""
    value = isinstance(node, ast.Return) and node.value
    return bool(value) or isinstance(node, ast.Yield | ast.YieldFrom)


def faults_of(file: str, source: bytes) -> Iterator[Fault]:
    """Yield every fault that can be planted in a module."""
    lines = source.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    for node, function in running(ast.parse(source)):
        for operator, old, new in changes(node):
            text = new if isinstance(new, str) else f"({ast.unparse(new)})"
            assert isinstance(old, ast.expr | ast.stmt)
            assert old.end_lineno is not None
            assert old.end_col_offset is not None
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[old.end_lineno - 1] + old.end_col_offset
            line = lines[old.lineno - 1].decode().strip()
            known = {(file, function), (file, function, operator), (file, function, line)}
            if not known & (EQUIVALENT | HARMFUL):
                change = f"{' '.join(source[start:end].decode().split())[:60]} → {text[:60]}"
                yield Fault(file, function, operator, old.lineno, start, end, text, change)


def sites() -> dict[str, list[Fault]]:
    """Every fault that can be planted, by package."""
    found = defaultdict[str, list[Fault]](list)
    for path in sorted((ROOT / PRODUCT).rglob("*.py")):
        if path.name != "_version.py":
            for fault in faults_of(path.relative_to(ROOT).as_posix(), path.read_bytes()):
                found[fault.package].append(fault)
    return found


def chosen(n: int, seed: int, package: str | None = None) -> list[Fault]:
    """Choose `n` faults: packages by their number of sites, operators alike within a package."""
    rng, every = random.Random(seed), sites()
    every = {name: each for name, each in every.items() if package in {None, name}}
    names = rng.choices([*every], [len(each) for each in every.values()], k=n)
    faults = list[Fault]()
    for name in names:
        operator = rng.choice(sorted({fault.operator for fault in every[name]}))
        fault = rng.choice([fault for fault in every[name] if fault.operator == operator])
        faults.append(fault)
        taken = fault.file, fault.line
        every[name] = [each for each in every[name] if (each.file, each.line) != taken]
    return faults


class TestCalls(NamedTuple):
    """A test, its seconds, and the functions it called, each as `file:name`."""

    test: str
    seconds: float
    functions: frozenset[str]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    """As a plugin, write a line of JSON per test to a file of each process in `$CALLS`."""
    called = set[CodeType]()

    def note(frame: FrameType, event: str, arg: Any) -> None:
        called.add(frame.f_code)

    begun = time.process_time()
    threading.settrace(note)
    sys.settrace(note)
    yield
    sys.settrace(None)
    threading.settrace(None)
    seconds = time.process_time() - begun
    names = sorted(filter(None, map(_name, called)))
    with (Path(os.environ["CALLS"]) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([item.nodeid, seconds, names]) + "\n")


def _name(code: CodeType) -> str | None:
    _, inside, path = code.co_filename.replace(os.sep, "/").rpartition(f"/{PRODUCT}/")
    name = code.co_qualname.replace(".<locals>", "").replace(".<lambda>", "")
    return f"{PRODUCT}/{path}:{name}" if inside else None


def noted(folder: Path) -> list[TestCalls]:
    """Return the tests in a folder, the fastest first."""
    lines = (line for path in folder.glob("*.jsonl") for line in path.open(encoding="utf-8"))
    tests = (json.loads(line) for line in lines)
    return sorted((TestCalls(t, s, frozenset(f)) for t, s, f in tests), key=lambda each: each[1])


class Copy:
    """A clone of the last commit, with its own folder for compiled code."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.root, self._known = folder / "clone", set[str]()
        self.calls: list[TestCalls] = []
        clone = ["git", "clone", "-q", "--shared", str(ROOT), str(self.root)]
        subprocess.run(clone, check=True)
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
            "PYTHONPATH": str(self.root),
            "NO_SHRINKING": "1",  # that a test fails is enough
            "NUMBA_CACHE_DIR": str(folder / "cache"),
        }

    def warm(self) -> None:
        """Compile what the tests compile, so that no fault pays for it."""
        self.failing(["tests/test_pinned.py"], 10 * SECONDS)

    def note_calls(self, folder: Path, jobs: int) -> None:
        """Run all tests once, to note which functions they call."""
        command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "--timeout=300"]
        command += ["-p", "no:cacheprovider", "-p", "tests.faults", "-n", str(jobs)]
        environment = {**self._environment, "CALLS": str(folder)}
        subprocess.run(
            command,
            cwd=self.root,
            env=environment,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def callers(self, fault: Fault) -> list[str]:
        """Return the tests that call the function with a fault, the fastest first.

        A fault between functions is called by none, so take those that call others of its file.
        """
        name = f"{fault.file}:{fault.function}"
        tests = [each.test for each in self.calls if name in each.functions]
        if tests or fault.function.rpartition(".")[2][:1].islower():
            return tests
        return [each.test for each in self.calls if any(f.startswith(name) for f in each.functions)]

    def failing(self, tests: Iterable[str], seconds: float) -> tuple[bool, str]:
        """Run tests; return True with the first that fails, False with why that is not certain."""
        words = [*tests]
        if not words:
            return False, ""
        if seconds <= 0:
            return False, OUT_OF_TIME
        each = max(EACH_TEST, EACH_TEST * seconds / SECONDS)
        options = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", f"--timeout={each:.0f}"]
        options += [f"--deselect={test}" for test in sorted(self._known)]
        command = [sys.executable, "-m", "pytest", *options, "--tb=no", *words]
        try:
            ended = subprocess.run(
                command,
                cwd=self.root,
                env=self._environment,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return False, OUT_OF_TIME
        if ended.returncode in {0, 5}:
            return False, ""
        named = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", ended.stdout, re.MULTILINE)
        if named is None:  # an endless loop: pytest-timeout prints the stacks of all threads
            named = re.search(r"^(tests/\S+)", ended.stdout, re.MULTILINE)
        test = named[1] if named else "the start of pytest"
        late = "Timeout" in ended.stdout + ended.stderr
        if late and len(words) > 1:  # because others use the processors?
            alone, _ = self.failing([test], 3 * SECONDS)
            return alone, test if alone else OUT_OF_TIME
        return True, test

    def try_out(self, fault: Fault) -> tuple[Fault, bool, str]:
        """Plant a fault, run the tests, and take it out again; return if and by what it is caught.

        If it is not, the text says why that is not certain.
        """
        path, begun = self.root / fault.file, time.monotonic()
        busy = min(max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)), MOST_BUSY)
        whole, test = path.read_bytes(), ""
        callers = self.callers(fault)
        # A fixture or a cache may be the one that calls it.
        turns = (
            callers[:MOST_TESTS],
            list(dict.fromkeys(each.partition("::")[0] for each in callers)),
        )
        for tests in turns if callers else [["tests/test_pinned.py", "tests"]]:
            while True:
                try:
                    path.write_bytes(fault.planted(whole))
                    left = busy * SECONDS - (time.monotonic() - begun)
                    caught, test = self.failing(tests, left)
                finally:
                    path.write_bytes(whole)
                if not caught:
                    break
                if "::" not in test or not self.failing([test], SECONDS)[0]:
                    return fault, True, test
                self._known.add(test)  # it fails without the fault, too
        return fault, False, test


def try_all(
    faults: list[Fault], jobs: int, notes: Path | None
) -> Iterator[tuple[Fault, bool, str]]:
    """Try each fault; yield what became of it as soon as that is known."""
    with tempfile.TemporaryDirectory() as folder:
        notes = notes or Path(folder) / "calls"
        made = [Copy(Path(folder) / str(n)) for n in range(jobs)]
        if not notes.exists():
            notes.mkdir()
            made[0].note_calls(notes, jobs)
        copies = SimpleQueue[Copy]()

        def prepare(copy: Copy) -> None:
            copy.warm()
            copy.calls = noted(notes)
            copies.put(copy)

        def one(fault: Fault) -> tuple[Fault, bool, str]:
            copy = copies.get()
            try:
                return copy.try_out(fault)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            [*pool.map(prepare, made)]
            for judged in as_completed([pool.submit(one, fault) for fault in faults]):
                yield judged.result()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, prog="python -m tests.faults")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--faults", type=int, default=100)
    words.add_argument("--jobs", type=int, default=2, help="processes, each with its own clone")
    words.add_argument("--package", help="faults of this package alone")
    words.add_argument("--calls", type=Path, help="folder that keeps which test calls what")
    words.add_argument("--list", action="store_true", help="print the faults and try none")
    options = words.parse_args()
    if subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=ROOT, check=False).returncode:
        sys.exit("tests.faults: expected a clean working tree, because the last commit is tried")
    faults = chosen(options.faults, options.seed, options.package)
    if options.list:
        for fault in faults:
            print(f"{fault.file}:{fault.line} {fault.function} [{fault.operator}] {fault.change}")
        return
    n_caught, begun = 0, time.monotonic()
    for n, (fault, caught, test) in enumerate(try_all(faults, options.jobs, options.calls), 1):
        n_caught += caught
        place = f"{fault.file.removeprefix(PRODUCT + '/')}:{fault.line} {fault.function}"
        print(f"{n:4}  {place} [{fault.operator}]\n{'':6}{fault.change}")
        print(f"{'':6}{'caught by' if caught else 'no test fails'} {test}", flush=True)
    print(f"{n_caught} of {len(faults)} caught; {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
