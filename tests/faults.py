"""Plant faults in the program, one at a time, and see which tests notice.

    python -m tests.faults --seed 1 --faults 100 --jobs 2

Each fault is one small change of the source: a comparison, a sign, an index, an argument. It is
planted in a clone of the last commit, never in the working tree. The tests of its package run
first, then all others; within each, the files that name the function and its module begin. Slow
tests are left out. The first failure ends the run, and so do 60 seconds. A test that also fails
without the fault does not count. Faults that change nothing a test could see are listed in
`EQUIVALENT`.

Libraries for this do not fit: mutmut replaces functions by others that numba cannot compile,
cosmic-ray runs all tests for each fault, and neither knows arguments that are swapped, statements
that are dropped, or the wrong role.
"""

# ruff: noqa: C901, PLR0912, PLR0915 - one table of all faults
import argparse
import ast
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import accumulate, pairwise
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.support.paths import ROOT

PRODUCT = "negotiation_tui"
SECONDS = 60
"""The most time for the tests of a package, and for all others.

Up to `MOST_BUSY` times as much if others use the processors.
"""
MOST_BUSY = 2.5
EACH_TEST = 20
"""The most seconds of one test: a fault may make a loop endless. More on a busy machine."""
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
    # the present is the newest entry too
    ("negotiation_tui/tui/market/update.py", "_tell_story", "off by one"),
    # without a deal neither has a mean
    ("negotiation_tui/tui/negotiation/panes/learning.py", "deals", "and or"),
    # a blocking pipe takes a whole line
    ("negotiation_tui/runtime/child_process.py", "_write", "index"),
    # beyond the accuracy that it has
    ("negotiation_tui/runtime/estimate.py", "student_95", "constant"),
    # one answer more or less is kept
    ("negotiation_tui/players/program.py", "ProgramPlayer.act", "off by one"),
    # the same draws, but for rounding
    ("negotiation_tui/learning/loop.py", "keep_written", "chances[at] = UNIFORM"),
    # room in arrays, and a number beyond reach
    ("negotiation_tui/market/simulation.py", "MarketSimulation.use", "constant"),
    # further facts are equal to the first, which a set keeps
    ("negotiation_tui/sessions/story/facts.py", "answer", "break or continue"),
    # it has no input, and none of its numbers is equal to its bound
    ("negotiation_tui/tui/tour/lessons/learning.py", "wallets_left_over", "comparison"),
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


def files_of_tests(fault: Fault) -> tuple[list[str], list[str]]:
    """Return the tests of a fault's package, and all others; those that name its place begin."""
    names = [Path(fault.file).stem, *re.split(r"[._]*\.[._]*", fault.function.strip("_"))]
    nearness = dict[str, int]()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = f"{path.stem} {path.read_text(encoding='utf-8')}"
        found = (len(re.findall(rf"\b_*{name}\b|test_{name}", text)) for name in names if name)
        nearness[path.relative_to(ROOT).as_posix()] = sum(min(5, n) for n in found)
    own = {file for file in nearness if file.startswith(f"tests/{fault.package}/")}
    ranked = sorted(nearness, key=lambda file: -nearness[file])
    return [file for file in ranked if file in own], [file for file in ranked if file not in own]


class Copy:
    """A clone of the last commit, with its own folder for compiled code."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.root, self._known = folder / "clone", set[str]()
        clone = ["git", "clone", "-q", "--shared", str(ROOT), str(self.root)]
        subprocess.run(clone, check=True)
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
            "PYTHONPATH": str(self.root),
            "NO_SHRINKING": "1",  # that a test fails is enough
            "NUMBA_CACHE_DIR": str(folder / "cache"),
        }
        self.failing(["tests/test_pinned.py"], 10 * SECONDS)  # no fault pays for compiling

    def failing(self, tests: list[str], seconds: float) -> str | None:
        """Run tests; return the first that fails, or None with all time over or none failing."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "--tb=no"]
        command += ["-p", "no:cacheprovider", f"--timeout={EACH_TEST * seconds / SECONDS:.0f}"]
        command += [f"--deselect={test}" for test in sorted(self._known)]
        try:
            ended = subprocess.run(
                [*command, *tests],
                cwd=self.root,
                env=self._environment,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return None
        if ended.returncode in {0, 5}:
            return None
        named = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", ended.stdout, re.MULTILINE)
        # an endless loop: pytest-timeout prints the stacks of all threads
        named = named or re.search(r"^(tests/\S+)", ended.stdout, re.MULTILINE)
        return named[1] if named else "the start of pytest"

    def try_out(self, fault: Fault) -> str | None:
        """Plant a fault, run the tests, and take it out again; return the test that notices."""
        path = self.root / fault.file
        whole = path.read_bytes()
        busy = min(max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)), MOST_BUSY)
        for tests in filter(None, files_of_tests(fault)):
            end = time.monotonic() + busy * SECONDS
            while (left := end - time.monotonic()) > 0:
                try:
                    path.write_bytes(fault.planted(whole))
                    test = self.failing(tests, left)
                finally:
                    path.write_bytes(whole)
                if test is None:
                    break
                if "::" not in test or self.failing([test], busy * SECONDS) is None:
                    return test
                self._known.add(test)  # it fails without the fault, too
        return None


def try_all(faults: list[Fault], jobs: int) -> Iterator[tuple[Fault, str | None]]:
    """Try each fault; yield the test that notices it as soon as that is known."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies = SimpleQueue[Copy]()
        for copy in pool.map(Copy, (Path(folder) / str(n) for n in range(jobs))):
            copies.put(copy)

        def one(fault: Fault) -> tuple[Fault, str | None]:
            copy = copies.get()
            try:
                return fault, copy.try_out(fault)
            finally:
                copies.put(copy)

        for judged in as_completed([pool.submit(one, fault) for fault in faults]):
            yield judged.result()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, prog="python -m tests.faults")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--faults", type=int, default=100)
    words.add_argument("--jobs", type=int, default=2, help="processes, each with its own clone")
    words.add_argument("--package", help="faults of this package alone")
    words.add_argument("--list", action="store_true", help="print the faults and try none")
    options = words.parse_args()
    if subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=ROOT, check=False).returncode:
        sys.exit("tests.faults: expected a clean working tree, because the last commit is tried")
    faults = chosen(options.faults, options.seed, options.package)
    if options.list:
        for fault in faults:
            print(f"{fault.file}:{fault.line} {fault.function} [{fault.operator}] {fault.change}")
        return
    n_caught, n_own, begun = 0, 0, time.monotonic()
    for n, (fault, test) in enumerate(try_all(faults, options.jobs), 1):
        n_caught += test is not None
        n_own += f"{test}".startswith(f"tests/{fault.package}/")
        place = f"{fault.file.removeprefix(PRODUCT + '/')}:{fault.line} {fault.function}"
        print(f"{n:4}  {place} [{fault.operator}]\n{'':6}{fault.change}")
        print(f"{'':6}{f'caught by {test}' if test else 'no test fails'}", flush=True)
    own = f"{n_own} by the tests of their package"
    print(f"{n_caught} of {len(faults)} caught, {own}; {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
