"""Each error of reading a file is one line that names the file."""

from pathlib import Path

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import reading

BY = "expected a file that 'this' wrote, got other or damaged data"


@pytest.mark.parametrize(
    ("error", "written_by", "message"),
    [
        (FileNotFoundError(2, "No such file"), None, "things 'a' cannot be read: No such file"),
        (OSError(), "'this'", "things 'a' cannot be read: it is cut short or damaged"),
        (BadInputError("x: expected 1, got 2"), None, "things 'a': x: expected 1, got 2"),
        (BadInputError("x: expected 1, got 2"), "'this'", "things 'a': x: expected 1, got 2"),
        (
            UnicodeDecodeError("utf-8", b"", 0, 1, ""),
            None,
            "things 'a' cannot be read: it is not text",
        ),
        (UnicodeDecodeError("utf-8", b"", 0, 1, ""), "'this'", f"things 'a': {BY}"),
        (KeyError("x"), "'this'", f"things 'a': {BY}"),
        (EOFError(), "'this'", f"things 'a': {BY}"),
    ],
)
def test_errors_of_a_file(error: Exception, written_by: str | None, message: str) -> None:
    with pytest.raises(BadInputError) as caught, reading(Path("a"), "things", written_by):
        raise error
    assert str(caught.value) == message
    assert caught.value.__suppress_context__


def test_an_error_of_the_program_is_not_one_of_the_file() -> None:
    with pytest.raises(KeyError), reading("a", "things"):
        raise KeyError
