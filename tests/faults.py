"""Plant faults in the program, one at a time, and see which tests notice.

    python -m tests.faults --seed 1 --faults 100 --jobs 2

Each fault is one small change of the source: a comparison, a sign, an index, an argument. It is
planted in a clone of the last commit, never in the working tree. A first run of all tests that are
not slow notes which functions each calls; `--calls FOLDER` keeps the notes for the next trial. The
tests that call the function with the fault run, the fastest first, and then the whole files of
those in the same package. If none does, all tests run, those of the same package first. The first
failure ends the run, and so do 60 seconds. A test that also fails without the fault does not count.
Faults that change nothing a test could see are listed in `EQUIVALENT`.
"""

# ruff: noqa: N815 - `ast` names the methods
import argparse
import ast
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.support import calls
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
OWN_TESTS = {
    "__main__": ("tests/cli",),
    "__init__": ("tests/api",),
    "integrations": ("tests/integrations", "tests/players/test_negmas.py"),
    "errors": ("tests/runtime", "tests/cli"),
}
"""The tests of what has no folder of its own in tests/."""
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
    # an accuracy that no game comes near
    ("negotiation_tui/solvers/payoffs.py", "", "TOLERANCE = 1e-10"),
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


class Found(NamedTuple):
    """What became of a fault."""

    fault: Fault
    by: str
    """`own`, `elsewhere` or `nothing`."""
    test: str
    seconds: float


class Sites(ast.NodeVisitor):
    """Every fault that can be planted in one module."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.faults, self._within = file, list[Fault](), list[str]()
        self._source, self._starts = source, [0]
        self._lines = source.splitlines(keepends=True)
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self.visit(ast.parse(source))

    def _add(self, operator: str, node: ast.expr | ast.stmt, text: str) -> None:
        start = self._starts[node.lineno - 1] + node.col_offset
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        function = ".".join(self._within)
        line = self._lines[node.lineno - 1].decode().strip()
        skipped = {(self.file, function), *((self.file, function, a) for a in (operator, line))}
        if not skipped & (EQUIVALENT | HARMFUL):
            before = " ".join(self._source[start:end].decode().split())
            change = f"{before[:60]} → {text[:60]}"
            place = self.file, function, operator, node.lineno, start, end
            self.faults.append(Fault(*place, text, change))

    def _replace(self, operator: str, node: ast.expr, new: ast.expr) -> None:
        self._add(operator, node, f"({ast.unparse(new)})")

    def generic_visit(self, node: ast.AST) -> None:
        """Visit what runs: no annotations, no docstrings, no checks for types alone."""
        for name, value in ast.iter_fields(node):
            if name in {"annotation", "returns", "decorator_list", "type_params", "bases"}:
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)

    def _scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self._within.append(node.name)
        self.generic_visit(node)
        self._within.pop()

    visit_ClassDef = _scope

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        body = node.body[1:] if ast.get_docstring(node) else node.body
        returns = any(isinstance(each, ast.Return) and each.value for each in ast.walk(node))
        yields = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
        if len(body) > 1 and not returns and not yields:
            self._within.append(node.name)
            self._add("early return", body[len(body) // 2], "return")
            self._within.pop()
        self._scope(node)

    def _skip(self, node: ast.AST) -> None:
        """Leave out what does not run, and texts: before Python 3.12 they have no offsets."""

    visit_Import = visit_ImportFrom = visit_Assert = visit_JoinedStr = _skip

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add("dropped statement", node, "pass")

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._add("dropped statement", node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if all(isinstance(each, ast.Attribute | ast.Subscript) for each in node.targets):
            self._add("dropped statement", node, "pass")
        names = {each.id for each in node.targets if isinstance(each, ast.Name)}
        if not names & {"__slots__", "__all__"}:
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._add("dropped statement", node, "pass")
        other = OTHER_ARITHMETIC.get(type(node.op))
        if other:
            new = ast.AugAssign(node.target, other(), node.value)
            self._add("arithmetic", node, ast.unparse(new))
        self.generic_visit(node)

    def _leave(self, node: ast.Break | ast.Continue) -> None:
        other = "continue" if isinstance(node, ast.Break) else "break"
        self._add("break or continue", node, other)

    visit_Break = visit_Continue = _leave

    def _condition(self, test: ast.expr) -> None:
        names = {each.id for each in ast.walk(test) if isinstance(each, ast.Name)}
        if not names & {"TYPE_CHECKING", "__name__"}:
            self._replace("negated condition", test, ast.UnaryOp(ast.Not(), test))

    def _branch(self, node: ast.If | ast.IfExp | ast.While) -> None:
        if ast.unparse(node.test) not in {"TYPE_CHECKING", "not TYPE_CHECKING"}:
            self._condition(node.test)
            self.generic_visit(node)

    visit_If = visit_IfExp = visit_While = _branch

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._condition(test)
        self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> None:
        if node.guard is not None:
            self._condition(node.guard)
        for each in node.body:
            self.visit(each)

    def visit_Compare(self, node: ast.Compare) -> None:
        for n, kind in enumerate(node.ops):
            other = OTHER_COMPARISON[type(kind)]()
            changed = [*node.ops[:n], other, *node.ops[n + 1 :]]
            self._replace("comparison", node, ast.Compare(node.left, changed, node.comparators))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._replace("and or", node, ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = OTHER_ARITHMETIC.get(type(node.op))
        text = any(isinstance(each, ast.JoinedStr) for each in (node.left, node.right))
        if other and not text:
            self._replace("arithmetic", node, ast.BinOp(node.left, other(), node.right))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        match node.value:
            case bool():
                self._add("constant", node, str(not node.value))
            case int():
                self._add("constant", node, f"({node.value + 1})")
            case float():
                self._add("constant", node, f"({2 * node.value or 1.0!r})")

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":  # of `zip`: it checks the program, like an assertion
            self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        index, new = node.slice, None
        match index:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int(value)):
                new = ast.Constant(1 - value if value in {0, 1} else value - 1)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
                new = ast.Constant(0)
            case ast.Slice(lower=ast.expr() as lower):
                one_more = ast.BinOp(lower, ast.Add(), ast.Constant(1))
                shifted = ast.Slice(one_more, index.upper, index.step)
                self._replace("index", node, ast.Subscript(node.value, shifted, node.ctx))
        if new is not None:
            self._add("index", index, ast.unparse(new))
        else:
            self.visit(index)
        self.visit(node.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr == "other" and isinstance(node.ctx, ast.Load):
            self._replace("wrong role", node, node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        for n in range(len(node.args) - 1):
            first, second = node.args[n : n + 2]
            alike = type(first) is type(second) and isinstance(first, ast.Name | ast.Attribute)
            if alike and ast.dump(first) != ast.dump(second):
                arguments = [*node.args[:n], second, first, *node.args[n + 2 :]]
                swapped = ast.Call(node.func, arguments, node.keywords)
                self._replace("swapped arguments", node, swapped)
        match node.func:
            case ast.Name(id=name) if name in OTHER_FUNCTION:
                self._add("function", node.func, OTHER_FUNCTION[name])
            case ast.Name(id="len"):
                self._add("off by one", node, f"({ast.unparse(node)} - 1)")
        self.generic_visit(node)


def sites() -> dict[str, list[Fault]]:
    """Every fault that can be planted, by package."""
    found = defaultdict[str, list[Fault]](list)
    for path in sorted((ROOT / PRODUCT).rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        if path.name != "_version.py":
            for fault in Sites(file, path.read_bytes()).faults:
                found[fault.package].append(fault)
    return found


def chosen(n: int, seed: int, package: str | None = None) -> list[Fault]:
    """Choose `n` faults: packages by their number of sites, operators alike within a package."""
    rng, every = random.Random(seed), sites()
    every = {name: each for name, each in every.items() if package in {None, name}}
    total = sum(map(len, every.values()))
    shares = {name: n * len(faults) / total for name, faults in every.items()}
    counts = {name: int(share) for name, share in shares.items()}
    by_rest = sorted(shares, key=lambda name: (counts[name] - shares[name], name))
    for name in by_rest[: n - sum(counts.values())]:
        counts[name] += 1
    faults = list[Fault]()
    for name in sorted(counts):
        left = every[name]
        for _ in range(counts[name]):
            operator = rng.choice(sorted({fault.operator for fault in left}))
            fault = rng.choice([fault for fault in left if fault.operator == operator])
            faults.append(fault)
            left = [each for each in left if each.line != fault.line or each.file != fault.file]
    rng.shuffle(faults)
    return faults


class Copy:
    """A clone of the last commit, with its own folder for compiled code."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.root, self._known = folder / "clone", set[str]()
        self.calls: list[calls.TestCalls] = []
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
        command += ["-p", "no:cacheprovider", "-p", "tests.support.calls", "-n", str(jobs)]
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

    def tests_of(self, fault: Fault) -> tuple[list[str], list[str]]:
        """The files of tests of the fault's package, and the others, the likeliest first."""
        own = [
            str(path)
            for path in OWN_TESTS.get(fault.package, (f"tests/{fault.package}",))
            if (self.root / path).exists()
        ]
        module = fault.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        package, _, name = module.rpartition(".")
        mentions = re.compile(rf"{re.escape(module)}\b|from {re.escape(package)} import .*\b{name}")
        every = [path.relative_to(self.root) for path in self.root.glob("tests/**/test_*.py")]

        folders = set(Path(fault.file).parent.parts)

        def unlikely(path: Path) -> tuple[bool, bool, bool, str]:
            source = (self.root / path).read_text(encoding="utf-8")
            first = path.stem in {f"test_{name}", "test_pinned"}
            near = set(path.parent.parts[1:]) <= folders
            return not mentions.search(source), not near, not first, str(path)

        files = [path.as_posix() for path in sorted(every, key=unlikely)]
        mine = [file for file in files if any(f"{file}/".startswith(f"{place}/") for place in own)]
        others = [file for file in files if file not in mine and "/benchmarks/" not in file]
        others.sort(key=lambda file: (file != "tests/test_pinned.py", "/docs/" in file))
        return mine, others

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

    def try_out(self, fault: Fault) -> Found:
        """Plant a fault, run the tests, and take it out again."""
        path, begun = self.root / fault.file, time.monotonic()
        busy = min(max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)), MOST_BUSY)
        whole = path.read_bytes()
        mine, others = self.tests_of(fault)
        callers = self.callers(fault)
        near = [test for test in callers if test.partition("::")[0] in mine]
        far = [test for test in callers if test.partition("::")[0] in others]
        if callers:  # a fixture or a cache may be the one that calls it
            called = {test.partition("::")[0] for test in callers}
            mine, others = [file for file in mine if file in called], []
        turns = [("own", near[:MOST_TESTS]), ("elsewhere", far[:MOST_TESTS])]
        turns += [("own", mine), ("elsewhere", others)]
        test = ""
        try:
            for by, tests in turns:
                while tests:
                    path.write_bytes(fault.planted(whole))
                    left = busy * SECONDS - (time.monotonic() - begun)
                    caught, test = self.failing(tests, left)
                    path.write_bytes(whole)
                    if not caught:
                        break
                    if "::" not in test or not self.failing([test], SECONDS)[0]:
                        return Found(fault, by, test, time.monotonic() - begun)
                    self._known.add(test)  # it fails without the fault, too
        finally:
            path.write_bytes(whole)
        return Found(fault, "nothing", test, time.monotonic() - begun)


def try_all(faults: list[Fault], jobs: int, notes: Path | None) -> Iterator[Found]:
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
            copy.calls = calls.read(notes)
            copies.put(copy)

        def one(fault: Fault) -> Found:
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
    by, begun = Counter[str](), time.monotonic()
    print(f"{'n':>4}  {'caught by':<10} {'s':>4}  place, fault, test", flush=True)
    for n, found in enumerate(try_all(faults, options.jobs, options.calls), 1):
        fault = found.fault
        by[found.by] += 1
        place = f"{fault.file.removeprefix(PRODUCT + '/')}:{fault.line} {fault.function}"
        print(f"{n:4}  {found.by:<10} {found.seconds:4.0f}  {place} [{fault.operator}]")
        print(f"{'':24}{fault.change}\n{'':24}{found.test or 'no test fails'}", flush=True)
    caught, tried = by["own"] + by["elsewhere"], sum(by.values())
    print(
        f"{caught} of {tried} caught, {by['own']} by the package's own tests, {by['elsewhere']}"
        f" elsewhere, {by['nothing']} by nothing; {time.monotonic() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
