"""The parser of the command line, with short forms for its usual options."""

import re
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from negotiation_tui.runtime.output import complain

Options = Namespace  # the options that were given


class Parser(ArgumentParser):
    """A parser that reports an error in one line, without the usage."""

    hint: Callable[[str], str] = staticmethod(lambda _option: "")
    """Returns the end of the message about an option that the command does not have."""
    words: Sequence[str] = ()  # the command line

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.words = args or ()
        return super().parse_args(args, namespace)

    def value(
        self,
        name: str,
        meaning: str,
        metavar: str | None = None,
        kind: Callable[[str], Any] | None = None,
        default: object = None,
        **more: Any,
    ) -> None:
        """Add an option or an argument with a value, which `kind` parses."""
        self.add_argument(
            name, help=meaning, metavar=metavar, type=kind or str, default=default, **more
        )

    def choice(self, name: str, choices: Iterable[object], meaning: str, **more: Any) -> None:
        self.add_argument(name, choices=tuple(map(str, choices)), help=meaning, **more)

    def flag(self, name: str, meaning: str) -> None:
        self.add_argument(name, action="store_true", help=meaning)

    def switch(self, name: str, meaning: str, default: bool | None = None) -> None:
        """Add an option and its opposite, such as `--no-paused`; None if neither is given."""
        self.add_argument(name, action=BooleanOptionalAction, default=default, help=meaning)

    def error(self, message: str) -> NoReturn:
        from negotiation_tui.runtime.validate import most_like

        message = re.sub(r"^argument (.+?): ", r"\1: ", message)
        if choice := re.search(r"invalid choice: (.+) \(choose from (.+)\)$", message):
            given, allowed = choice.groups()
            known = [name.strip("'") for name in allowed.split(", ")]
            near = most_like(given.strip("'"), known)
            hint = f"; did you mean {near}?" if near else ""
            message = f"{message[: choice.start()]}expected {allowed}, got {given}{hint}"
        lacking = re.fullmatch(r"(--\S+): expected one argument", message)
        if lacking:  # argparse reads a value that begins with a dash as an option
            message += f"; write {lacking[1]}=VALUE if the value begins with a dash"
        unknown = re.match(r"unrecognized arguments: (.*)", message, re.DOTALL)
        programs = (
            one
            for one, other in pairwise(self.words)
            if one.startswith("cmd:") and f"arguments: {other}" in message
        )
        if unknown and (program := next(programs, None)):
            message += f"; quote a program with its arguments: '{program} {unknown[1]}'"
        elif unknown := re.match(r"unrecognized arguments: (--[\w-]+)", message):
            message += self.hint(unknown[1])
        complain(message, self.prog)
        self.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Flush at once, so that `main` reports an error of writing."""
        print(message, end="", file=file)
        sys.stdout.flush()
