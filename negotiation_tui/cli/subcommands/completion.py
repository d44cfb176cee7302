"""`negotiation-tui completion`: a script for tab completion in a shell."""

from argparse import Action, ArgumentParser, Namespace
from typing import Any

from negotiation_tui.cli.options import replacement, seat
from negotiation_tui.cli.parser import Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import PRESETS
from negotiation_tui.learning.spec import LEARNED, PREFIX

EXAMPLES = (
    ("completion bash > ~/.negotiation-tui.bash", "then source it"),
    ("completion zsh > ~/.zfunc/_negotiation-tui", "in $fpath"),
    ("completion fish | source", "in config.fish"),
)
SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: Parser) -> None:
    parser.choice("shell", SHELLS, ", ".join(SHELLS), metavar="SHELL")


def run(options: Namespace) -> int:
    from negotiation_tui.cli.main import parser
    from negotiation_tui.cli.subcommands import watch

    try:
        import shtab
    except ImportError:
        raise BadInputError(
            'completion needs shtab: pip install "negotiation-tui[completion]"'
        ) from None
    program = parser()
    watch.add_arguments(program)  # the default subcommand: its options can come first
    for each in _parsers(program):
        for action in each._actions:
            _complete(action, shtab.FILE)
    script = shtab.complete(program, options.shell)
    if options.shell == "zsh":  # shtab completes only the first of several arguments
        script = script.replace('"(*)::', '"*:')
    print(script)
    return 0


def _parsers(program: ArgumentParser) -> list[ArgumentParser]:
    tables = [action.choices for action in program._actions if isinstance(action.choices, dict)]
    return [program, *(parser for table in tables for parser in table.values())]


def _complete(action: Action, file: Any) -> None:
    """Tell shtab the possible values of an argument: names, presets or files."""
    from negotiation_tui.learning.learner_registry import LEARNERS
    from negotiation_tui.strategies.registry import STRATEGIES

    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if action.choices:
        return
    if action.type is seat:
        words = [LEARNED, *(PREFIX + name for name in LEARNERS), *STRATEGIES]
        action.complete = _or_file("seat", words)  # type: ignore[attr-defined]
    elif action.type is replacement or action.dest in {"entrants", "strategy"}:
        action.complete = _or_file("strategy", [LEARNED, *STRATEGIES])  # type: ignore[attr-defined]
    elif action.dest == "learner":
        action.complete = _or_file("learner", list(LEARNERS))  # type: ignore[attr-defined]
    elif action.dest == "scenario":
        action.complete = _or_file("scenario", list(PRESETS))  # type: ignore[attr-defined]
    elif "FILE" in metavar:
        action.complete = file  # type: ignore[attr-defined]


def _or_file(name: str, choices: list[str]) -> dict[str, Any]:
    """Return the completion to one of the choices or a file, in the language of each shell."""
    function, listed = f"_negotiation_tui_{name}", " ".join(choices)
    bash = f'{function}() {{ compgen -W "{listed}" -- "$1"; compgen -f -- "$1"; }}'
    zsh = f"{function}() {{ _alternative 'words:{name}:({listed})' 'files:file:_files'; }}"
    return {
        "bash": function,
        "zsh": function,
        "fish": f"{listed} (__fish_complete_path (commandline -ct))",
        "preamble": {"bash": bash, "zsh": zsh},
    }
