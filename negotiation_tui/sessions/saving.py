"""Files that the user saves of a session."""

import shlex
from collections.abc import Iterable, Sequence
from contextlib import suppress

from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.players.change import moment_text
from negotiation_tui.players.run import Run, watch_command
from negotiation_tui.runtime.files import atomic_write, new_files
from negotiation_tui.runtime.text import joined, plural
from negotiation_tui.sessions import transcripts
from negotiation_tui.sessions.commands import Save
from negotiation_tui.sessions.snapshot import Snapshot


def save_run(run: Run, training: ConcurrentTraining, save: Save, here: Snapshot) -> str:
    """Write tables, transcripts and the screen to the working directory; return a notice."""
    details = f"seed{training.seed}-after{training.episode}"
    details += f"-at{here.key[1].number}" if save.here else ""
    saved: dict[str, str] = {}  # by the ending of its file
    endings = (".npz", ".jsonl", *dict(save.screen))
    with new_files(training.scenario.name, details, *endings) as stem:
        if training.latest_learners:
            save_tables(f"{stem}.npz", TrainedTables.of(training))
            saved[".npz"] = "tables"
        if n := sum(map(transcripts.has_line, save.shown)):
            lines = transcripts.lines(run, training.episode, save.shown)
            write_texts(stem, ((".jsonl", "".join(lines)),))
            saved[".jsonl"] = plural(n, "transcript")
        write_texts(stem, save.screen)
        saved |= dict.fromkeys(dict(save.screen), "the screen")
    if not saved:
        return "nothing to save: no learner took part, and no negotiation was shown"
    things, (ending, *more) = [*dict.fromkeys(saved.values())], saved
    again = _opens(f"{stem}.jsonl", here) * (".jsonl" in saved)
    with suppress(BadInputError):
        command = opening_command(here)
        again = f"{again}, as {command} does" if again else f"; {command} opens this moment"
    return f"saved {joined(things)} to {stem}{'.*' if more else ending}{again}"


def save_screen(recording: str, here: Snapshot, screen: Sequence[tuple[str, str]]) -> str:
    """Write the screen of a recording to the working directory; return a notice."""
    with new_files(here.scenario.name, f"at{here.key[1].number}", *dict(screen)) as stem:
        write_texts(stem, screen)
    return f"saved the screen to {stem}.*{_opens(recording, here)}"


def _opens(file: str, here: Snapshot) -> str:
    at = moment_text(here.key[1].number, here.parameters.episodes)
    return f"; replay {file} --at {at} opens this moment"


def opening_command(here: Snapshot) -> str:
    """Return the command that opens a moment. Raises BadInputError if none does."""
    played = here.negotiation
    if here.recording and (here.only_games or here.negotiations <= here.course.goal):
        at = moment_text(here.key[1].number, here.parameters.episodes)
        return shlex.join(["negotiation-tui", "replay", here.recording, "--at", at])
    if here.run is None or (played and played.person is not None):
        raise BadInputError("no command opens this moment: a person played")
    return watch_command(here.run, here.negotiations)


def write_texts(stem: str, texts: Iterable[tuple[str, str]]) -> None:
    """Write texts to files with a common stem, each complete or not at all."""
    for ending, text in texts:
        with atomic_write(f"{stem}{ending}") as file:
            file.write(text.encode())
