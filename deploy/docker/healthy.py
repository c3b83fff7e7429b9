"""Is the program in this container alive? Asks HEALTH_URL, believing HEALTH_CA; exit code 0 if it answers 200.

An image has no curl and needs none.
"""
# ruff: noqa: INP001 - a program of one file, copied into the images

import os
import ssl
import sys
import urllib.request

URL = "http://127.0.0.1:8080/healthz"


def main() -> int:
    """Ask once."""
    url, ca = os.environ.get("HEALTH_URL", URL), os.environ.get("HEALTH_CA")
    context = ssl.create_default_context(cafile=ca) if url.startswith("https:") else None
    try:
        with urllib.request.urlopen(url, timeout=4, context=context) as answer:  # noqa: S310 - the container's own
            return 0 if answer.status == 200 else 1
    except OSError as error:
        sys.stderr.write(f"{url}: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
