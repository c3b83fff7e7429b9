"""What pages need beside their text: style sheets and scripts, served under names that carry their hash.

So a browser may keep them for ever, and a page that names a new hash is a new page. A file names another as
`"./money.js"`; that is replaced by the hashed name when the files are read.
"""

import hashlib
import html
import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from types import MappingProxyType

from aiohttp import web

from jackpot.serving.problems import Problem

__all__ = ["SHARED", "Assets", "Page"]

SHARED = Path(__file__).with_name("assets")
"""Tokens and money formatting, for every page of both programs."""

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
_SIBLING = re.compile(r"(?<=[\"'])\./([A-Za-z0-9_-]+\.[a-z0-9]+)(?=[\"'])")


class Assets:
    """The assets of some folders; a file's hash is over its text with the names in it replaced."""

    def __init__(self, *folders: Path) -> None:
        """Read all files of the folders once; raises KeyError for a file that names one that is not there."""
        paths = [path for folder in folders for path in sorted(folder.iterdir())]
        self._files = {path.name: path for path in paths if path.suffix in _TYPES}
        self._urls: dict[str, str] = {}
        self._served: dict[str, tuple[bytes, str]] = {}
        for name in self._files:
            self._read(name)

    @property
    def urls(self) -> Mapping[str, str]:
        """The address of each file by its plain name."""
        return MappingProxyType(self._urls)

    @property
    def version(self) -> str:
        """A hash over all of them: when it changes, a page that stays open must be loaded anew."""
        return hashlib.sha256("".join(sorted(self._served)).encode()).hexdigest()[:12]

    def add_to(self, app: web.Application) -> None:
        """Serve them under `/assets/`."""
        app.router.add_get("/assets/{name}", self._serve)

    async def _serve(self, request: web.Request) -> web.Response:
        found = self._served.get(request.match_info["name"])
        if found is None:
            raise Problem(404, "not_found", "There is no such asset.")
        body, content_type = found
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return web.Response(body=body, content_type=content_type, charset="utf-8", headers=headers)

    def _read(self, name: str) -> str:
        if name in self._urls:
            return self._urls[name]
        path = self._files[name]
        body = path.read_bytes()
        if path.suffix in {".js", ".css"}:
            body = _SIBLING.sub(lambda found: self._read(found.group(1)), body.decode()).encode()
        served = f"{path.stem}.{hashlib.sha256(body).hexdigest()[:12]}{path.suffix}"
        self._served[served] = (body, _TYPES[path.suffix])
        self._urls[name] = f"/assets/{served}"
        return self._urls[name]


class Page:
    """A page as a template: `$name` is replaced by text (escaped), `$tokens_css` by the address of `tokens.css`."""

    def __init__(self, path: Path, assets: Assets) -> None:
        """Read the template."""
        self._template = Template(path.read_text(encoding="utf-8"))
        self._urls = {re.sub(r"\W", "_", name): url for name, url in assets.urls.items()}

    def render(self, **values: str) -> web.Response:
        """Return the page with these values in it; a browser asks for it anew each time."""
        text = self._template.substitute(self._urls | {name: html.escape(value) for name, value in values.items()})
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-cache"})
