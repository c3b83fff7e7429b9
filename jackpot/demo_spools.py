"""What the tables' spools hold, asked of the tables' own program."""

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from jackpot.demo_plan import Plan
from jackpot.errors import OperatingError


def spool_totals(plan: Plan) -> Mapping[str, Mapping[str, Any]]:
    """Return each spool's totals by table; raises OperatingError where one cannot be read."""
    if not plan.spools:
        return {}
    argv = [sys.executable, "-m", "tablelink", "spool", "totals", *plan.spools, "--json"]
    done = subprocess.run(argv, capture_output=True, check=False, start_new_session=True)
    if done.returncode:
        raise OperatingError(
            f"the spools cannot be read: {done.stderr.decode()}", code="spools_unreadable", retryable=False
        )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def recorded(plan: Plan) -> Mapping[str, int]:
    """Return how many rounds each table's spool has recorded."""
    return {table: totals["rounds"] for table, totals in spool_totals(plan).items()}
