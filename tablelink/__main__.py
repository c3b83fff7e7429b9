"""The command `tablelink`: run a table, run many, look into a spool. Standard output is for what was asked for only."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Final

import typer

from jackpot.serving.asked import JSON, AskedAsJson, error_object
from jackpot.serving.logs import set_up_logs
from jackpot.serving.running import run_until_stopped
from jackpot.serving.version import HELP_OPTIONS, Version
from rules.rounds import Device as DealtFrom
from tablelink import supervisor
from tablelink.config import ENVIRONMENT, Config, believed, held_table, read_config, read_felt
from tablelink.core.felt import Felt
from tablelink.device import Device, Paced
from tablelink.errors import STAYS_DOWN, TableError
from tablelink.hosted_output import hosted_lines
from tablelink.hosted_spool import hosted_totals
from tablelink.hosting import Hosting, check_unlinked, host, is_hosted_game
from tablelink.keys import hold_one_key
from tablelink.replay import recorded_table
from tablelink.retiring import retire as retire_spool
from tablelink.retiring import what_to_do
from tablelink.shuffling import shown, shuffled_cards
from tablelink.simulation import simulated_table
from tablelink.spool_file import is_hosted
from tablelink.swarm import Seated, play, summary
from tablelink.totals import spool_approvals, spool_messages, spool_totals
from tablelink.way import Way

app = typer.Typer(
    cls=AskedAsJson,
    help=__doc__,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings=HELP_OPTIONS,
)
spool_app = typer.Typer(help="Look into a spool; an agent may be writing to it.", no_args_is_help=True)
app.add_typer(spool_app, name="spool")
app.add_typer(supervisor.app, name="supervisor")

PEOPLE_PACE_S: Final = 20.0
"""Seconds a round takes where no number of rounds is asked for: what people can follow."""
PLAY_ON_AFTER_S: Final = 20
"""Seconds until a simulated supervisor lets play go on without its jackpot, where no number of rounds is asked for."""
REFUSED: Final = 3
"""The exit code of a run in which a table was refused and could not play."""

ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings as TOML.", envvar="TABLELINK_CONFIG")]
Server = Annotated[str | None, typer.Option(help="The jackpot server, ws://HOST:PORT or wss://HOST:PORT.")]
RedisUrl = Annotated[str | None, typer.Option(help="Redis or Valkey, where the meters come from.")]
RedisUrlFile = Annotated[Path | None, typer.Option(help="A file that holds its address, with the password.")]
Keys = Annotated[Path | None, typer.Option(help="Folder of the tables' keys: T1.key.")]
SpoolFolder = Annotated[Path | None, typer.Option("--spool", help="Folder of the tables' spools: T1.spool.")]
Terms = Annotated[Path | None, typer.Option(help="The terms on the felt, as JSON.")]
Settings = Annotated[Path | None, typer.Option(help="The settings approved for the table, as JSON.")]
Ca = Annotated[Path | None, typer.Option(help="Certificates that the server's is checked against.")]
ListenAt = Annotated[str | None, typer.Option("--listen", help="HOST:PORT for /metrics and /healthz.")]
PlayOn = Annotated[
    int | None,
    typer.Option(
        "--play-on-after",
        help="Seconds until a simulated supervisor lets play go on without a lost jackpot; -1: only a person does, but"
        " for a table that the server refused, in a run that ends by itself. [20; with --rounds -1]",
    ),
]
Rounds = Annotated[int | None, typer.Option(min=1, help="Play so many rounds and end; as fast as answers come.")]
Pace = Annotated[float | None, typer.Option(min=0, help="Seconds a round takes. [20; with --rounds 0]")]
Simulate = Annotated[bool, typer.Option("--simulate", help="Simulated shoe and players.")]
Seed = Annotated[int | None, typer.Option(help="The same seed gives the same rounds. [1]")]
StackDeck = Annotated[bool, typer.Option("--stack-deck", help="Choose the order of the simulated deck now and then.")]
Replay = Annotated[Path | None, typer.Option(help="Play the rounds of a file (rounds.jsonl).")]
Game = Annotated[str, typer.Option(help="The game; only caribbean_stud joins a jackpot link.")]
NoLink = Annotated[bool, typer.Option("--no-link", help="Caribbean Stud without a jackpot: no server, no terms.")]
AtConsole = Annotated[bool, typer.Option("--console", help="People make the moves, a line each; no link.")]
Json = Annotated[bool, typer.Option("--json", help="End with one JSON object on standard output.")]


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays: simulated players by a seed, or those of a recorded file; how many rounds, how fast."""

    rounds: int | None
    pace: float | None
    seed: int | None
    stack_deck: bool
    replay: Path | None

    def at(self, felt: Felt) -> Device:
        """Return the people and devices of a table; raises TableError where none were named."""
        device: Device
        if self.replay is not None:
            device = recorded_table(self.replay, felt.table, felt.approved)
        elif self.seed is not None:
            price = felt.terms.qualifying_wager_cents
            device = simulated_table(self.seed, felt.table, felt.approved, price, stack_deck=self.stack_deck)
        else:
            raise TableError("Nobody is at the table: say --simulate, or --replay FILE.", code="nobody_at_the_table")
        round_s = self.pace
        if round_s is None:
            round_s = PEOPLE_PACE_S if self.rounds is None and self.replay is None else 0.0
        return Paced(device, round_s) if round_s > 0 else device


@dataclass(frozen=True, slots=True)
class Asked:
    """What `run` and `swarm` are told alike: settings, and who plays."""

    settings: Callable[[str | None], Config]
    """Reads the settings, for a table where one is named; raises SettingRefused."""
    players: Players
    as_json: bool
    flags: Mapping[str, object]
    """The settings given on the command line; None where not."""


def _asked(
    *,
    config: ConfigFile = None,
    server: Server = None,
    redis_url: RedisUrl = None,
    redis_url_file: RedisUrlFile = None,
    keys: Keys = None,
    spool: SpoolFolder = None,
    terms: Terms = None,
    settings: Settings = None,
    ca: Ca = None,
    listen: ListenAt = None,
    play_on_after: PlayOn = None,
    rounds: Rounds = None,
    pace: Pace = None,
    simulate: Simulate = False,
    seed: Seed = None,
    stack_deck: StackDeck = False,
    replay: Replay = None,
    as_json: Json = False,
) -> Asked:
    """The options of `run` and `swarm`, once; raises TableError where players of two kinds are named."""
    if simulate and replay is not None:
        raise TableError("Two kinds of people: leave out --simulate or --replay.", code="two_kinds_of_people")
    for option, given in (("--seed", seed is not None), ("--stack-deck", stack_deck)):
        if given and not simulate:
            raise TableError(f"{option} goes with --simulate only.", code="bad_setting")
    flags = {
        "server": server,
        "redis_url": redis_url,
        "redis_url_file": redis_url_file,
        "keys": keys,
        "spool": spool,
        "terms": terms,
        "settings": settings,
        "ca": ca,
        "listen": listen,
        "play_on_after_s": play_on_after,
    }
    return Asked(
        lambda table: read_config(config, os.environ, flags | {"table": table}),
        Players(rounds, pace, (1 if seed is None else seed) if simulate else None, stack_deck, replay),
        as_json,
        flags | {"redis_url_file": redis_url_file},
    )


def _seating(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command its own parameters and, after them, those of `_asked`; it is called with what they come to."""
    own = [each for name, each in signature(command).parameters.items() if name != "asked"]
    shared = signature(_asked).parameters

    @wraps(command)
    def seated(**given: object) -> None:
        asked = _asked(**{name: value for name, value in given.items() if name in shared})  # type: ignore[arg-type]
        command(**{each.name: given[each.name] for each in own}, asked=asked)

    seated.__signature__ = Signature([*own, *shared.values()])  # type: ignore[attr-defined]
    seated.__annotations__ = {each.name: each.annotation for each in (*own, *shared.values())}
    return seated


@app.callback()
def program(*, show_version: Version = False) -> None:
    """Run a table, run many, look into a spool."""


@app.command()
@_seating
def run(
    table: Annotated[str | None, typer.Argument(help="The table's name. [T1]")] = None,
    *,
    game: Game = "caribbean_stud",
    no_link: NoLink = False,
    console: AtConsole = False,
    asked: Asked,
) -> None:
    """Run one table until its rounds are played, or until Ctrl-C.

    A Caribbean Stud table joins a jackpot link; any other game, and Caribbean Stud with --no-link, is played by itself:
    from a file, by simulated people, or with --console by people, a move a line (help lists them; --settings names
    the file of what is approved for the table). Exit codes: 0, 1 where a round was refused or the table could not go
    on, 2 where an option, an argument or a file it names is wrong, 3 where the link refused it, 5 where its spool has
    to be taken out of use first: starting it again changes nothing.
    """
    settled = asked.settings(table)
    if is_hosted_game(game, no_link=no_link):
        _host(settled, game, asked, console=console)
        return
    if console:
        raise TableError("A table on a link has no console: say --no-link, or another game.", code="no_console")
    _play(settled, [settled.table], asked.players, as_json=asked.as_json)


@app.command()
@_seating
def swarm(
    *,
    tables: Annotated[int, typer.Option(min=1, max=9999, help="How many tables: T1, T2 and so on.")],
    prefix: Annotated[str, typer.Option(help="What their names begin with.")] = "T",
    first: Annotated[int, typer.Option(min=1, help="The number of the first.")] = 1,
    asked: Asked,
) -> None:
    """Run many tables on a link in one process, each with its own key, spool and connection.

    A table without a link runs alone (`run --game`): several are several programs.
    """
    names = [held_table(f"{prefix}{number}") for number in range(first, first + tables)]
    _play(asked.settings(None), names, asked.players, as_json=asked.as_json)


@app.command()
def shuffle(
    game: Annotated[str, typer.Argument(help="The game, as casino_war.")],
    *,
    device: Annotated[DealtFrom, typer.Option(help="What the cards are dealt from.")] = "shoe",
    cut: Annotated[int, typer.Option(min=0, help="Cards in front of the cut; 0: uncut.")] = 0,
    cutting_card: Annotated[int, typer.Option(min=0, help="Cards behind the cutting card; 0: none.")] = 0,
    as_json: Json = False,
) -> None:
    """Shuffle new cards of a game by the operating system's chance, and cut them."""
    shoe = shuffled_cards(game, device, cut, cutting_card)
    said = shown(game, shoe)
    if as_json:
        print(json.dumps(said))
        return
    print(said["deck"])
    if shoe.cutting_card is not None:
        print(f"The cutting card lies behind {shoe.cutting_card} of {len(shoe.cards)} cards.")


@spool_app.command("totals")
def totals(
    paths: Annotated[list[Path], typer.Argument(help="Spools.")],
    *,
    as_json: Json = False,
) -> None:
    """Add up what spools hold, by table: rounds, accepted wagers, withdrawals, awards by hit."""
    held_by = {path: hosted_totals if is_hosted(path) else spool_totals for path in paths}
    found = {table: held for path, totals_of in held_by.items() for table, held in [totals_of(path)]}
    if as_json:
        print(json.dumps(found))
        return
    for table, held in found.items():
        print(table)
        for name, value in held.items():
            print(f"  {name:{max(map(len, held))}} {value if not isinstance(value, dict) else json.dumps(value)}")


@spool_app.command("retire")
def retire(
    path: Annotated[Path, typer.Argument(help="A spool that is damaged, or older than the ledger.")],
    *,
    as_json: Json = False,
) -> None:
    """Take a spool out of use: move it away whole, and say what is to be done at the table and at the server."""
    retired = retire_spool(path)
    if as_json:
        print(json.dumps(asdict(retired) | {"kept": str(retired.kept)}))
        return
    print("\n".join(what_to_do(retired, path)))


@spool_app.command("approvals")
def approvals(
    path: Annotated[Path, typer.Argument(help="A spool.")],
    *,
    as_json: Json = False,
) -> None:
    """List when a supervisor let the table play on without its jackpot, who, who was notified, and why it was lost."""
    for said in spool_approvals(path):
        if as_json:
            print(json.dumps(said))
        elif said["jackpot"] == "lost":
            why = "; ".join(said["why"])
            print(f"{said['at']}  played on: {why}  approved by {said['by']}, inspector notified {said['inspector']}")
        else:
            print(f"{said['at']}  the jackpot was back")


@spool_app.command("show")
def show(
    path: Annotated[Path, typer.Argument(help="A spool.")],
    *,
    as_json: Json = False,
) -> None:
    """List a spool's messages, each with what became of it; of a table without a link its rounds."""
    if is_hosted(path):
        for said in hosted_lines(path, as_json=as_json):
            print(said)
        return
    for row in spool_messages(path)[1]:
        message, answer = row["body"].decode(), row["answer"].decode() if row["answer"] else None
        if as_json:
            line = {"id": row["id"], "message": message, "answer": answer, "commit": row["commit_no"]}
            print(json.dumps(line | {"after_withdrawal": bool(row["after_withdrawal"])}))
        else:
            became = "no answer yet" if answer is None else f"commit {row['commit_no']}: {answer[:90]}"
            print(f"{row['id']:40} {became}")


def _play(config: Config, names: list[str], players: Players, *, as_json: bool) -> None:
    set_up_logs(config.log_form, config.log_level)
    seated = []
    for name in names:
        felt = read_felt(name, config.terms, config.settings)
        seated.append(Seated(felt, config.keys / f"{name}.key", config.spool / f"{name}.spool", players.at(felt)))
    hold_one_key([table.key for table in seated])
    ends = players.rounds is not None or players.replay is not None
    # A run of so many rounds is to give the same rounds whatever the network does: it waits for the jackpot.
    play_on_s = config.play_on_after_s if config.play_on_after_s is not None else (-1 if ends else PLAY_ON_AFTER_S)
    way = Way(
        server=config.server,
        rounds=players.rounds,
        ends=ends,
        play_on_after_s=None if play_on_s < 0 else play_on_s,
        spool_keep_days=config.spool_keep_days,
        tls=believed(config),
    )
    outcomes = run_until_stopped(
        lambda stop: play(seated, way, redis_url=config.redis_url, listen=config.listen, stop=stop)
    )
    done = summary(outcomes)
    if as_json:
        print(json.dumps(done), flush=True)
    if failed := {outcome.code for outcome in outcomes if outcome.error}:
        raise typer.Exit(STAYS_DOWN if failed == {STAYS_DOWN} else 1)
    if ends and any(outcome.played.get("refusal") for outcome in outcomes):
        raise typer.Exit(REFUSED)


def _host(config: Config, game: str, asked: Asked, *, console: bool) -> None:
    """Run a table that joins no link."""
    players = asked.players
    if console and sys.stdin is None:
        raise TableError("Nobody can type: standard input is closed.", code="nobody_at_the_table")
    if console and (players.replay, players.seed, players.rounds) != (None, None, None):
        raise TableError(
            "People make the moves at a console: leave out --replay, --simulate and --rounds.",
            code="two_kinds_of_people",
        )
    flags = {**asked.flags, "stack_deck": players.stack_deck or None}
    check_unlinked(game, config, flags, os.environ, ENVIRONMENT, console=console)
    set_up_logs(config.log_form, config.log_level)
    ends = players.rounds is not None or players.replay is not None
    pace_s = players.pace if players.pace is not None else (0.0 if ends else PEOPLE_PACE_S)
    hosting = Hosting(game, config, players.replay, players.seed, players.rounds, pace_s, asked.as_json, console)
    if not run_until_stopped(lambda stop: host(hosting, stop)):
        raise typer.Exit(1)


def main() -> None:
    """Run the command; an error that was foreseen is one line, without a traceback."""
    try:
        app()
    except TableError as error:
        if JSON in sys.argv[1:]:
            print(error_object(error.code, str(error)), flush=True)
        print(f"tablelink: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
