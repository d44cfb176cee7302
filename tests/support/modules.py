"""The modules that code loads."""

from tests.support.cli import python


def loaded_by(code: str) -> set[str]:
    """Return the names of the modules that a fresh interpreter has loaded after this code."""
    code = (
        f"import atexit, sys\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n{code}"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())
