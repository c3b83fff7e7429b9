"""Soak the world: `python -m tests.sim --seconds 600`; play one history again: `python -m tests.sim --history SEED`."""

import argparse
import json
import os
import sys

from jackpot.serving.logs import set_up_logs
from tests.sim.programs import failing, play, program_of
from tests.sim.soaking import seldom, soak


def main() -> int:
    """Say how it goes on standard error, and end with one line on standard output."""
    parser = argparse.ArgumentParser(description="Play random histories of a link and hold each to what must hold.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--history", type=int, default=None, help="the seed of one history, to be made short")
    asked = parser.parse_args()
    set_up_logs(level="error")
    if asked.history is not None:
        return _one(asked.history)
    seed = int.from_bytes(os.urandom(4)) if asked.seed is None else asked.seed
    _say(f"seed {seed}: play it again with --seed {seed}")
    line = soak(seed, asked.seconds, asked.workers, _say)
    for kind in seldom(line):
        _say(f"{kind} came {line['faults'].get(kind, 0)} times: too seldom to prove anything")
    for words in line["violations"]:
        _say(words)
    print(json.dumps(line))
    return 1 if line["violations"] or seldom(line) else 0


def _one(seed: int) -> int:
    played = play(seed, program_of(seed))
    _say(f"{played.steps} steps, {played.rounds} rounds, faults {dict(played.faults)}")
    if played.violation is None:
        return 0
    print(failing(seed, played))
    return 1


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
