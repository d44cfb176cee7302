"""A run: a training as one plain value, from which every process builds an equal training."""

import shlex
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role, States, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import PRESETS
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.hyperparameters import recipe as recipe_of
from negotiation_tui.learning.learner_registry import usual_recipe, usual_states
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.players.spec import file_of, is_program
from negotiation_tui.runtime.files import open_file
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.text import quoted
from negotiation_tui.runtime.validate import boolean, integer, one_of, string
from negotiation_tui.strategies.matchup import require_table

if TYPE_CHECKING:
    from negotiation_tui.players.change import TimedChange
    from negotiation_tui.runtime.result_file import ResultRow

Digests = tuple[str | None, str | None]
"""The digests of both players' files, seller first; None if a player comes from no file."""


@dataclass(frozen=True, slots=True)
class Run:
    """All that a training depends on; digests make sure that no run goes on with changed files."""

    scenario: Scenario
    parameters: Parameters
    seed: int = 0
    players: tuple[str, str] = (LEARNED, LEARNED)  # the spec of each player, seller first
    train_both: bool = True
    train_agent: Role = Role.SELLER
    recipe: str = "published"  # the recipe that the parameters were made from
    digests: Digests | None = None
    """Digests of the players' files when the run was made; None: files may change."""
    changes: "tuple[TimedChange, ...]" = ()  # a timeline makes them
    game: tuple[str, ...] = ()  # the options of the game as they were typed, if not its name

    @classmethod
    def by_recipe(
        cls, scenario: Scenario, recipe: str, seed: int, players: tuple[str, str], game: str = ""
    ) -> Self:
        """Return the run of a recipe. Raises BadInputError if a player's file cannot be read."""
        parameters, digests = RECIPES[recipe](scenario), pair(map(digest_of, players))
        words = ("--scenario", game) if game else ()
        return cls(scenario, parameters, seed, players, recipe=recipe, digests=digests, game=words)

    def to_dict(self) -> dict[str, Any]:
        """Return all that the training depends on as plain values, without digests."""
        return {
            "scenario": self.scenario.to_dict(),
            "parameters": self.parameters.to_dict(),
            "seed": self.seed,
            "players": list(self.players),
            "train_both": self.train_both,
            "train_agent": str(self.train_agent),
            "recipe": self.recipe,
            "changes": [*map(change_to_dict, self.changes)],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the run of a file; other entries are left out.

        Raises BadInputError for a wrong entry, and for a player whose code is not of this program.
        """
        seller, buyer = (_trusted(spec) for spec in values["players"])
        return cls(
            Scenario.from_dict(values["scenario"]),
            Parameters.from_dict(values["parameters"]),
            integer("seed", values["seed"], 0),
            (seller, buyer),
            boolean("train_both", values["train_both"]),
            Role.of(values["train_agent"]),
            one_of("recipe", values["recipe"], tuple(RECIPES)),
            changes=tuple(map(change_from_dict, values["changes"])),
        )

    @classmethod
    def of_options(
        cls, scenario: Scenario, seed: int, players: tuple[str, str], **options: Any
    ) -> Self:
        """Return the run of options by name: states, recipe, who is trained, parameters.

        States and recipe that are not named suit the learners. Raises BadInputError.
        """
        chosen, named = options.pop("states", None), options.pop("recipe", None)
        aware = replace(scenario, states=States.of(chosen)) if chosen else None
        scenario, recipe = aware or usual_states(scenario, players), named or usual_recipe(players)
        both, agent = options.pop("train_both", True), options.pop("train_agent", Role.SELLER)
        game = options.pop("game", ())
        values = {**recipe_of(recipe)(scenario).to_dict(), **options}
        settings = scenario, Parameters.from_dict(values), seed, players
        return cls(*settings, both, Role.of(agent), recipe, game=game)

    @property
    def rules(self) -> str:
        """A 12-digit hash of the scenario and of both players' files."""
        import json
        from hashlib import sha256

        table = self.scenario.to_dict()
        if table["states"] == States.OPENER_AWARE:  # its name in the first files
            table["states"] = "seated"
        digest = sha256(json.dumps(table).encode())
        for each in filter(None, self.digests or ()):
            digest.update(bytes.fromhex(each))
        return digest.hexdigest()[:12]

    @property
    def row(self) -> "ResultRow":
        """All that the run depends on, by the columns of a file of results."""
        scenario = self.scenario
        seller, buyer = self.players
        return {
            "scenario": scenario.name,
            "rules": self.rules,
            "prices": scenario.n_prices,
            "rounds": scenario.rounds,
            "states": str(scenario.states),
            "opener": str(scenario.opener),
            "seller": seller,
            "buyer": buyer,
            "train_both": self.train_both,
            "train_agent": str(self.train_agent),
            "recipe": self.recipe,
            **self.parameters.to_dict(),
            "seed": self.seed,
        }

    def self_play(self, spec: str) -> Self:
        """Return the training of a learner with itself, in opener-aware states, which converge."""
        game = self.scenario.with_opener
        known = self.digests and (self.digests[self.players.index(spec)],) * 2
        parameters, both = RECIPES[self.recipe](game), (spec, spec)
        return replace(self, scenario=game, parameters=parameters, players=both, digests=known)


def change_to_dict(timed: "TimedChange") -> dict[str, Any]:
    """Return a change on the way as plain values."""
    from negotiation_tui.players.change import text_of_change

    return {"after": timed[0], "change": text_of_change(timed[1])}


def change_from_dict(values: Mapping[str, Any]) -> "TimedChange":
    """Return a change of a file. Raises BadInputError for an unknown one, and as `from_dict`."""
    from negotiation_tui.players.change import change_of, trusted_player

    change = change_of(string("change", values["change"]), trusted_player)
    return integer("after", values["after"], 0), change


def _trusted(spec: object) -> str:
    from negotiation_tui.players.resolve import resolve_trusted

    resolve_trusted(string("player", spec))
    return string("player", spec)


def players_of_run(run: Run) -> tuple[Occupant, Occupant]:
    """Return the players of a run; raises BadInputError if one is wrong or its file changed."""
    players = pair(_player(spec, run.parameters.discount_rate) for spec in run.players)
    check_digests(run)
    return players


def _player(spec: str, discount_rate: float) -> Occupant:
    if spec == LEARNED:  # soon: what other specs need is not loaded
        return Q_LEARNING
    from negotiation_tui.players.program import told_discount
    from negotiation_tui.players.resolve import player_from_spec

    return told_discount(player_from_spec(spec), discount_rate)


def training_of(
    run: Run,
    players: tuple[Occupant, Occupant] | None = None,
    seconds: float = 0.0,
    backend: Backend | None = None,
) -> ConcurrentTraining:
    """Return the training of a run before its first episode and its first change.

    Without a backend it is compiled if that is ready, or pays for `seconds` of the plain loop.
    Raises BadInputError as `players_of_run` does, and if the scenario is too large.
    """
    players = players or players_of_run(run)
    if backend is None:
        from negotiation_tui.learning.headless import backend_for

        backend = backend_for(seconds, players, run.scenario.hidden)
    settings = run.scenario, run.parameters, run.seed, run.train_both, run.train_agent
    return ConcurrentTraining(*settings, *players, backend)


@lru_cache(maxsize=2)
def trained_pair(run: Run) -> tuple[TabularPolicy, TabularPolicy]:
    """Train both players of a run and return their policies; raises as `training_of` does."""
    from negotiation_tui.learning.headless import train_one_of

    training = training_of(run)
    train_one_of(1, training)
    return pair(require_table(role, training.policy(role)) for role in Role)


def train_command(run: Run) -> str:
    """Return the command that repeats a run without changes."""
    return shlex.join(["negotiation-tui", "train", *_words(run), "--seed", str(run.seed), "--json"])


def watch_command(run: Run, episode: int) -> str:
    """Return the command that opens a run after an episode, with the changes on the way.

    Raises BadInputError if there is none.
    """
    from negotiation_tui.players.change import moment_text, text_of_change

    per, words = run.parameters.episodes, _words(run)
    texts = [(at, text_of_change(each)) for at, each in run.changes]
    if any(is_program(spec) for spec in (*run.players, *(t.partition("=")[2] for _, t in texts))):
        raise BadInputError("no command opens this moment: a program played")
    recipe = replace(RECIPES[run.recipe](run.scenario), cycles=run.parameters.cycles, episodes=per)
    if run.parameters != recipe or not _is_named(run):
        raise BadInputError("no command opens this moment: no options make its run")
    for at, text in texts:
        if at or text != f"opener={run.scenario.opener}":  # as a restart notes it
            words += ["--change", f"{moment_text(at, per)},{text}"]
    words += ["--seed", str(run.seed), "--at", moment_text(episode, per)]
    return shlex.join(["negotiation-tui", *words])


def _is_named(run: Run) -> bool:
    """True if the name of a run's scenario, or its options, make the scenario."""
    if run.game or run.scenario.name not in PRESETS:
        return bool(run.game)
    states, opener = run.scenario.states, run.scenario.opener
    return replace(Scenario.of(run.scenario.name), states=states, opener=opener) == run.scenario


def _words(run: Run) -> list[str]:
    """Return the options that begin a run, without those that have their usual values."""
    first, recipe = ("cycles", "episodes"), RECIPES[run.recipe](run.scenario).to_dict()
    usual = {"opener": str(Opener.ALTERNATE), **{name: recipe[name] for name in first}, **recipe}
    usual |= {"seller": LEARNED, "buyer": LEARNED}
    usual |= {"train_both": True, "train_agent": str(Role.SELLER)}
    row, words = run.row, [*(run.game or ("--scenario", run.scenario.name))]
    words += ["--states", row["states"], "--recipe", run.recipe]
    for name, default in usual.items():
        value, option = row[name], name.replace("_", "-")
        if value != default and isinstance(value, bool):
            words.append(f"--{option}" if value else f"--no-{option}")
        elif value != default:
            words += [f"--{option}", str(value)]
    return words


def digest_of(spec: str) -> str | None:
    """Return the digest of the file of a player, None without one. Raises BadInputError."""
    file = file_of(spec)
    if file is None:
        return None
    try:
        status = located(file).stat()
        return _digest(file, status.st_mtime_ns, status.st_size)
    except OSError as error:
        raise BadInputError(f"{quoted(file)} cannot be read: {error.strerror}") from None


@lru_cache(maxsize=64)
def _digest(file: str, _age: int, _size: int) -> str:
    from hashlib import file_digest

    with open_file(file) as contents:
        return file_digest(contents, "sha256").hexdigest()


def check_digests(run: Run) -> None:
    """Raise BadInputError if a player's file changed since then; load the players first."""
    for spec, digest in zip(run.players, run.digests or (), strict=False):
        if digest_of(spec) != digest:
            changed = f"{quoted(file_of(spec) or spec)} changed since this run started"
            raise BadInputError(f"{changed}: restore it, or start a new run")
