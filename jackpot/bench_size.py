"""How large is a server with thousands of tables, with and without TLS, and how large is a table's agent?

Resident memory, as the kernel counts it: what is shared with other processes is in it.
"""

import contextlib
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from jackpot.bench_results import Goal, Measured
from jackpot.bench_site import AGENT, BenchFailed, BenchSite, bench_site, environment
from jackpot.bench_turns import Told, Turns
from jackpot.demo_children import Child, end_all

TABLES = 5_000
QUICK_TABLES = 500
SETTLED_S = 2.0
AGENT_S = 8.0
"""So long an agent plays before it is measured; its rounds are a second and a half each."""
KB_IN_MB = 1024

QUICK = Turns(repeats=1, load_s=0.0, baseline_s=0.0)
FULL = Turns(repeats=2, load_s=0.0, baseline_s=0.0)

SERVER = Goal("server_mb", "MB", "lower", 250, f"The server with {TABLES:,} connected tables.", "")
SERVER_TLS = Goal(
    "server_tls_mb", "MB", "lower", 400, f"The server with {TABLES:,} connected tables, TLS ended in it.", ""
)
AGENT_SIZE = Goal("agent_mb", "MB", "lower", 90, "The agent of one table that plays.", "")


def measure(turns: Turns, told: Told) -> Mapping[str, Measured]:
    """Set sites up, connect the tables and look; raises BenchFailed."""
    tables = TABLES if turns is FULL else QUICK_TABLES
    plain: list[float] = []
    safe: list[float] = []
    agents: list[float] = []
    for _ in range(turns.repeats):
        with bench_site(tables) as site:
            time.sleep(SETTLED_S)
            plain.append(resident_mb(site.server))
            told()
            agents.append(_agent_mb(site))
        with bench_site(tables, tls=True) as site:
            time.sleep(SETTLED_S)
            safe.append(resident_mb(site.server))
            told()
    short = "" if tables == TABLES else f"measured with {tables:,} tables, not {TABLES:,}"
    return {
        SERVER.name: Measured(plain, short=short),
        SERVER_TLS.name: Measured(safe, short=short),
        AGENT_SIZE.name: Measured(agents),
    }


def resident_mb(child: Child) -> float:
    """Return the resident memory of a program; raises BenchFailed where it has ended."""
    if child.process is not None and child.ended() is None:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{child.process.pid}/status").read_text(encoding="ascii").splitlines():
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / KB_IN_MB
    raise BenchFailed(f"{child.name} has ended: {child.last_words(3)}")


def _agent_mb(site: BenchSite) -> float:
    """Let one agent play on a site and return its size."""
    argv = [sys.executable, "-m", "tablelink", "run", AGENT, *site.agent_flags, "--simulate", "--pace", "1.5"]
    agent = Child("agent", argv, site.folder, environment())
    agent.start()
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            if agent.process is not None:
                agent.process.wait(AGENT_S)
        return resident_mb(agent)
    finally:
        end_all([agent])
