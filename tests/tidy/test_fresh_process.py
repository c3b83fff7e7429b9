"""A table never loads a database driver, by whatever way round."""

import json
import subprocess
import sys

from tests.support.sources import ROOT, python

QUESTION = """
import importlib, json, sys
for module in sys.argv[1:]:
    importlib.import_module(module)
print(json.dumps(sorted(name for name in sys.modules if "." not in name)))
"""


def test_a_table_loads_no_database_driver() -> None:
    """Importing every module of tablelink in a fresh process finds neither asyncpg nor SQLAlchemy nor Alembic."""
    files = [source.file.removesuffix(".py").removesuffix("/__init__") for source in python("tablelink")]
    command = [sys.executable, "-W", "error", "-c", QUESTION, *(file.replace("/", ".") for file in files)]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    loaded = set(json.loads(answer.stdout))
    assert "tablelink" in loaded
    assert not loaded & {"asyncpg", "sqlalchemy", "alembic"}
