# SPDX-License-Identifier: MIT
"""The live page, in a frame of a notebook or in a browser, which continues from a simulation's checkpoint."""
from __future__ import annotations

import functools
import os
import secrets
import threading
import webbrowser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from ._base import FileError

_kept = 16  # checkpoints that a frame can still ask for, so that many frames do not fill the memory
_checkpoints: dict[str, bytes] = {}


class Page:
    """The live page with a simulation. Notebooks show it in a frame; open() shows it in a window of the browser, where it has several threads."""

    def __init__(self, checkpoint: bytes, folder: str | os.PathLike[str] | None, height: int) -> None:
        name, self._height = secrets.token_urlsafe(9), height
        port = _serve(_folder(folder)).server_address[1]
        _checkpoints[name] = checkpoint
        for old in list(_checkpoints)[:-_kept]:
            del _checkpoints[old]
        self.address = f"http://127.0.0.1:{port}/?checkpoint=checkpoint/{name}"

    def open(self) -> None:
        """Opens the browser's window."""
        webbrowser.open(self.address)

    def _repr_html_(self) -> str:
        return (f'<iframe src="{self.address}" width="100%" height="{self._height}" style="border: 0" title="A simulation" '
                'allow="cross-origin-isolated; fullscreen"></iframe>')

    def __repr__(self) -> str:
        return f"<Page: {self.address}>"


def _folder(given: str | os.PathLike[str] | None) -> Path:
    folder = (Path(__file__).parent / "page" if given is None else Path(given)).resolve()
    if not (folder / "page.js").exists():
        raise FileError(f"the page is not in {str(folder)!r}: `make page` builds it in build/page; give that folder as `page`, or install the package again")
    return folder


class _Handler(SimpleHTTPRequestHandler):
    """The page's files, and checkpoints."""

    def do_GET(self) -> None:
        checkpoint = _checkpoints.get(self.path.removeprefix("/checkpoint/"))
        if checkpoint is None:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(checkpoint)))
        self.end_headers()
        self.wfile.write(checkpoint)

    def end_headers(self) -> None:
        """Threads need the first two, and frames in isolated pages the third."""
        for name, value in (("Opener-Policy", "same-origin"), ("Embedder-Policy", "require-corp"), ("Resource-Policy", "cross-origin")):
            self.send_header(f"Cross-Origin-{name}", value)
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@functools.cache
def _serve(folder: Path) -> ThreadingHTTPServer:
    """Serves the folder to this machine, until Python ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
