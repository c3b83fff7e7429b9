"""Does the board of this player still say what it shows? If not, and the server answers, its browser is started anew.

    board_watch.py https://HOST:PORT/boards/LINK BOARD [--ca FILE] -- COMMAND...

A board says every ten seconds what it shows (`/boards/LINK/shown`). While the server does not answer nothing is done:
the board says so itself. Needs Python alone, because a player has nothing else of this program.
"""
# ruff: noqa: INP001 - a program of one file, run where it lies

import argparse
import json
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable

ANSWER_WITHIN_S = 5
FRESH_MS = 30_000


def main(arguments: list[str]) -> None:
    """Watch until ended."""
    parser = argparse.ArgumentParser(description="Run COMMAND when a board has been silent for too long.")
    parser.add_argument("url", help="the board's page: https://HOST:PORT/boards/LINK")
    parser.add_argument("board", help="the board's name, as in ?board=NAME")
    parser.add_argument("--ca", help="certificates that the server's is checked against (PEM)")
    parser.add_argument("--after", type=float, default=30.0, help="seconds of silence [30]")
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two looks [5]")
    parser.add_argument("command", nargs="+", help="what starts the browser anew")
    asked = parser.parse_args(arguments)
    context = ssl.create_default_context(cafile=asked.ca) if asked.url.startswith("https:") else None
    shown = f"{asked.url.split('?')[0].rstrip('/')}/shown"
    watch(
        lambda: silent(shown, asked.board, context),
        lambda: subprocess.run(asked.command, check=False),
        after_s=asked.after,
        every_s=asked.every,
    )


def watch(
    gone: Callable[[], bool],
    restart: Callable[[], object],
    *,
    after_s: float,
    every_s: float,
    now: Callable[[], float] = time.monotonic,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Call `restart` each time `gone` was true for `after_s` without a break; ends only with an exception."""
    well = now()
    while True:
        pause(every_s)
        if not gone():
            well = now()
        elif now() - well >= after_s:
            sys.stderr.write(f"no word of the board for {after_s:g} s though the server answers: started anew\n")
            restart()
            well = now()


def silent(url: str, board: str, context: ssl.SSLContext | None) -> bool:
    """Say whether the server answers, and has no word of this board that is younger than 30 s."""
    try:
        with urllib.request.urlopen(url, timeout=ANSWER_WITHIN_S, context=context) as answer:  # noqa: S310 - its own address
            boards = json.load(answer)["boards"]
        return not any(one["board"] == board and one["said_ms_ago"] < FRESH_MS for one in boards)
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"{url}: {error}\n")
        return False


if __name__ == "__main__":
    main(sys.argv[1:])
