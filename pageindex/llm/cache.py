"""Replies on disk, so that a run that failed or was killed pays for nothing twice."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from pageindex.atomic import AtomicWriter
from pageindex.llm.messages import Reply, ToolCall
from pageindex.llm.usage import Usage

__all__ = ["ReplyCache"]

FORMAT = 1
_log = logging.getLogger(__name__)


class ReplyCache:
    """One JSON file per reply, ``<2 hex>/<64 hex>.json``, written by temporary file and rename.

    A file that cannot be read counts as absent: the cache is derived, and may be deleted at any time.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> Reply | None:
        """The reply kept under a key, marked as replayed and without cost; None when there is none."""
        try:
            item = json.loads(self.path(key).read_bytes())
            if item["format"] != FORMAT or item["key"] != key:
                raise ValueError(f"format {item['format']}, key {item['key']}")  # noqa: TRY301
            reply = _from_json(item["reply"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.warning("cached reply %s is set aside: %s", self.path(key), error)
            return None
        return replace(reply, usage=Usage(replayed=1), replayed=True)

    def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep a reply; after this returns it survives a kill of the process and a loss of power.

        A reply that cannot be kept (disk full, folder not writable) is logged and used all the same: it has been paid for.
        """
        item = {"format": FORMAT, "key": key, "model": model, "usage": reply.usage.to_json(), "reply": _to_json(reply)}
        try:
            path, writer = self.path(key), AtomicWriter()
            writer.folder(path.parent)
            writer.write(path, json.dumps(item).encode("ascii"))
        except OSError as error:
            _log.warning("the reply %s cannot be kept: %s", self.path(key), error)

    def remove(self, key: str) -> None:
        """Drop a reply, if there is one; failing to is logged."""
        try:
            self.path(key).unlink(missing_ok=True)
        except OSError as error:
            _log.warning("the reply %s cannot be removed: %s", self.path(key), error)


def _to_json(reply: Reply) -> dict[str, Any]:
    return {
        "text": reply.text,
        "tool_calls": [[call.id, call.name, call.arguments] for call in reply.tool_calls],
        "finish_reason": reply.finish_reason,
        "thinking": reply.thinking,
    }


def _from_json(item: dict[str, Any]) -> Reply:
    calls = tuple(ToolCall(str(call[0]), str(call[1]), str(call[2])) for call in item["tool_calls"])
    return Reply(str(item["text"]), calls, str(item["finish_reason"]), str(item["thinking"]))
