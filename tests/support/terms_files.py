"""Terms in files, as the command line is given them."""

import json
from pathlib import Path

from tests.support.terms import demo_tree


def terms_file(folder: Path, file: str = "terms.json", /, **changes: object) -> Path:
    """Write the demonstration's terms with some fields changed."""
    path = folder / file
    path.write_text(json.dumps(demo_tree() | changes))
    return path
