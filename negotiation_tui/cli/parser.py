"""The parser of the command line, with short forms for its usual options."""

import re
import sys
from argparse import (
    Action,
    ArgumentError,
    ArgumentParser,
    BooleanOptionalAction,
    HelpFormatter,
    Namespace,
    RawDescriptionHelpFormatter,
)
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from negotiation_tui.runtime.output import columns_of, complain
from negotiation_tui.runtime.text import joined

Options = Namespace  # the options that were given
_REMOVED = {"--versus": "it was removed; `sweep` compares trainings over many seeds"}


class Parser(ArgumentParser):
    """A parser that reports an error in one line, without the usage."""

    having: Callable[[str], Sequence[str]] = staticmethod(lambda _option: ())
    """Returns the other commands that have an option."""

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

    def switch(self, name: str, meaning: str) -> None:
        """Add an option and its opposite, such as `--no-paused`; None if neither is given."""
        self.add_argument(name, action=BooleanOptionalAction, help=meaning)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the words of one command, which refuses those that it does not take."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}; {self._hint(args, rest)}")
        return found, rest

    def _hint(self, words: Sequence[str], rest: Sequence[str]) -> str:
        """Return how the words of the command line are meant whose `rest` was not understood."""
        from negotiation_tui.runtime.validate import most_like

        for option, value, extra in zip(["", *words], words, words[1:], strict=False):
            if extra == rest[0] and value.startswith("cmd:"):
                return f"quote a program with its arguments: '{value} {' '.join(rest)}'"
            action = self._option_string_actions.get(option)
            if extra == rest[0] and action and "," in str(action.metavar):
                return f"separate values with commas: {option} {','.join([value, *rest])}"
        option = rest[0].partition("=")[0]
        if option in _REMOVED:
            return _REMOVED[option]
        if having := self.having(option):
            return f"the option belongs to {joined(having)}"
        names = [name[2:] for name in self._option_string_actions if name.startswith("--")]
        near = most_like(option[2:], names) if option.startswith("--") else ""
        return f"did you mean --{near}?" if near else f"see {self.prog} --help"

    def _check_value(self, action: Action, value: Any) -> None:
        from negotiation_tui.runtime.validate import unknown_name

        if action.choices is not None and value not in action.choices:
            raise ArgumentError(action, str(unknown_name("", value, [*action.choices])))

    def _get_formatter(self) -> HelpFormatter:
        """Return the writer of help, which argparse makes for each option, as wide as its lines."""
        return RawDescriptionHelpFormatter(self.prog, width=columns_of(sys.stdout) - 2)

    def error(self, message: str) -> NoReturn:
        message = re.sub(r"^argument (.+?): ", r"\1: ", message)
        lacking = re.fullmatch(r"(--\S+): expected one argument", message)
        if lacking:  # argparse reads a value that begins with a dash as an option
            message += f"; write {lacking[1]}=VALUE if the value begins with a dash"
        complain(message, self.prog)
        self.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Flush at once, so that `main` reports an error of writing."""
        print(message, end="", file=file)
        sys.stdout.flush()
