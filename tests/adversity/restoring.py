"""A ledger that is brought back while all else runs on, and opened again as people do it (PROTOCOL 5)."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jackpot.cli import acts
from tests.adversity.people import end_again, said
from tests.adversity.site import Site
from tests.support.playing import until
from tests.support.stopped import standing_still

__all__ = ["back_up", "put_back", "reopen", "restore"]

ASKED = "hit "
"""How an obstacle begins that asks whether a hit was paid; supervisors pay each of theirs."""


def back_up(site: Site) -> None:
    """Take a base backup of Postgres, in the place of the one before; the tables stand still meanwhile."""
    servers, backup = site.backs["postgres"], site.data / "backup"
    shutil.rmtree(backup, ignore_errors=True)
    words = ("-D", str(backup), "-h", str(servers.socket_dir), "-U", "postgres", "-c", "fast")
    with standing_still([site.pid("tables")]):  # else play is over before the ledger goes back
        subprocess.run([str(servers.bin / "pg_basebackup"), *words], check=True, timeout=300)


def restore(site: Site) -> None:
    """Put the backup in the place of the ledger; nobody else is told."""
    site.own.pop("postgres").close()
    put_back(site.data / "backup", site.data / "postgres")
    site.start("postgres")


def put_back(backup: Path, within: Path) -> None:
    """Put a backup in the place of the one Postgres that keeps its data within a folder; it does not run meanwhile."""
    (control,) = within.glob("**/global/pg_control")
    folder = control.parents[1]
    owner, mode = folder.stat(), folder.stat().st_mode
    shutil.rmtree(folder)
    shutil.copytree(backup, folder, symlinks=True)
    folder.chmod(mode)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)


def reopen(site: Site, act: str = "void") -> None:
    """Have two people open the link again, and do again, as `act`, what they had done to rounds and nobody holds."""
    until(lambda: bool(said(site, "link", "behind", site.link)["why"]), "the link is stopped")
    paid: list[str] = []
    seen: Mapping[str, Any] = {}

    def listed() -> bool:
        nonlocal seen
        if site.programs["tables"].ended() is not None:
            site.start("tables")  # those that had played all their rounds hand in, too
        seen = said(site, "link", "behind", site.link, *paid)
        asked = [one.split()[1] for one in seen["obstacles"] if one.startswith(ASKED)]
        for hit in asked:
            paid.extend(("--paid", hit))
        return not seen["obstacles"]

    try:
        until(listed, "all is handed in")
    except AssertionError as error:
        raise AssertionError(f"{error}{seen['obstacles']}") from error
    two = ("--by", "Ann (manager)", "--with", "Bea (manager)")
    said(site, "link", "reopen", site.link, *two, *paid, "--list", seen["list"])
    for what in seen["do_again"]:
        if what.startswith("round "):
            end_again(site, what.split()[1], act)
    for place in _done_with(site):
        end_again(site, place, act)


def _done_with(site: Site) -> Sequence[str]:
    """Wait until no table plays a round that was open; give those that tables went on from and that are open still.

    People had ended them, and no table had its word on that answered: the list could not name them.
    """
    opened, left = set(_rounds(site)), set[str]()

    def gone_on() -> bool:
        nonlocal left
        ended = site.programs["tables"].ended() is not None
        now = _rounds(site)
        left = {place for place in opened & now.keys() if ended or now[place]}
        return left == opened & now.keys()

    until(gone_on, "the tables go on from what was open")
    return sorted(left)


def _rounds(site: Site) -> Mapping[str, bool]:
    """The open rounds, each with whether its table plays a later one."""
    state = asyncio.run(acts.read_state(site.url("service"), site.link))
    return {
        f"{table}/{journal}/{number}": state.journals[table, journal].highest > number
        for table, journal, number in state.rounds
    }
