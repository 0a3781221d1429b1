"""``add_documents``: files of the server's own folders into the library, with progress, and an end when the client wants one."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import anyio.from_thread
import mcp_types as types

from pageindex.app import ingest, shapes
from pageindex.app.library import Library
from pageindex.config import Settings
from pageindex.errors import InputError, PageIndexError
from pageindex.progress import Progress
from pageindex.serve.allowed import allowed_path
from pageindex.serve.mcp import offers
from pageindex.serve.mcp.resources import DOCUMENTS
from pageindex.serve.mcp.wiring import Caller, Offer
from pageindex.tools.envelope import Envelope, call, failure, success

__all__ = ["offer"]

_MOST_PATHS = 1_000
_INPUT = {
    "type": "object",
    "properties": {
        "paths": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "maxItems": _MOST_PATHS,
            "description": "Files or folders, absolute or relative to a folder that is open to the server.",
        }
    },
    "required": ["paths"],
    "additionalProperties": False,
}
_OUTPUT = {
    "type": "object",
    "properties": {
        "success": {"type": "boolean"},
        "results": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "outcome": {"type": "string"},
                    "doc_id": {"type": "string"},
                    "name": {"type": "string"},
                    "page_count": {"type": "integer"},
                    "error": {"type": "string"},
                    "errorCode": {"type": "string"},
                },
                "required": ["path"],
            },
        },
        "error": {"type": "string"},
        "errorCode": {"type": "string"},
        "next_steps": {"type": "object"},
    },
    "required": ["next_steps"],
}


def offer(library: Library, folders: Sequence[Path], settings: Settings) -> Offer:
    """The tool that takes in files from these folders."""
    listed = types.Tool(
        name="add_documents",
        title="Add documents",
        description="Take files into the library: each becomes a document with a section tree. May take minutes; progress is told. "
        f"Open folders: {', '.join(map(str, folders))}.",
        input_schema=_INPUT,
        output_schema=_OUTPUT,
        annotations=types.ToolAnnotations(
            title="Add documents", read_only_hint=False, destructive_hint=False, idempotent_hint=True
        ),
    )

    async def run(arguments: Mapping[str, Any], caller: Caller) -> types.CallToolResult:
        return offers.result(await _Intake(library, tuple(folders), settings, caller).over(arguments.get("paths")))

    return Offer(listed, run)


class _Intake:
    """One call: finds the files, takes them in, and tells the client how far it is."""

    def __init__(self, library: Library, folders: tuple[Path, ...], settings: Settings, caller: Caller) -> None:
        self.library, self.folders, self.settings, self.caller = library, folders, settings, caller
        self.wake = anyio.Event()
        self.latest: tuple[int, int, str] | None = None
        self.total = 0
        self.done = 0
        self.lock = threading.Lock()

    async def over(self, paths: Any) -> Envelope:
        try:
            requests = self._requests(paths)
        except PageIndexError as error:
            return failure(error, [call("browse_documents")])
        self.total = len(requests)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._tell)
            rows = await offers.in_thread(self._take_in, requests)
            tasks.cancel_scope.cancel()
        await self.caller.progress(self.total, self.total, "done")
        return await self._reported(rows)

    def _requests(self, paths: Any) -> list[ingest.Request]:
        if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
            raise InputError("paths is no list of paths", "Give at least one path.", code="INVALID_ARGUMENT")
        if len(paths) > _MOST_PATHS:
            raise InputError(f"{len(paths):,} paths are too many", f"Give at most {_MOST_PATHS:,}, or their folder.")
        places = [allowed_path(path, self.folders) for path in paths]
        return [ingest.Request(one.path, refused=one.refused) for one in ingest.find_files(places)]

    def _take_in(self, requests: Sequence[ingest.Request]) -> list[dict[str, Any]]:
        """In a thread: what became of each file. A cancelled call takes no further file; those that are in stay."""
        rows: list[dict[str, Any]] = []
        wanted = (request for request in requests if not offers.cancelled())
        options = ingest.IngestOptions(self.settings)
        for done in ingest.ingest(self.library, wanted, options, progress=self._heard):
            with self.lock:
                self.done += 1
            path = str(done.request.source)
            if done.error is not None:
                rows.append({"path": path, "error": done.error.message, "errorCode": done.error.code})
            else:
                rows.append({"path": path, **shapes.submitted(done)})
        return rows

    def _heard(self, step: Progress) -> None:
        """From any thread: remember the step; the loop tells the client of the latest one."""
        pages = f" {step.done} of {step.total}" if step.total else ""
        with self.lock:
            self.latest = (self.done, self.total, f"{step.file}: {step.stage}{pages}")

    async def _tell(self) -> None:
        told = None
        while True:
            await anyio.sleep(0.1)
            with self.lock:
                step = self.latest
            if step is not None and step != told:
                told = step
                await self.caller.progress(*step)

    async def _reported(self, rows: list[dict[str, Any]]) -> Envelope:
        failed = [row for row in rows if "error" in row]
        for row in failed:
            await self.caller.log("error", f"{row['path']}: {row['error']}")
        for row in rows:
            if "doc_id" in row:
                await self.caller.changed(f"{DOCUMENTS}/{row['doc_id']}")
        if len(failed) < len(rows):
            await self.caller.changed(DOCUMENTS)
        summary = f"{len(rows) - len(failed)} of {len(rows)} files are in the library."
        return success({"results": rows}, summary, [call("browse_documents")])
