"""Every door as one adapter: what a user can do, in one vocabulary, answered with the JSON that the door gives.

``Application`` calls the functions of ``app`` and is what the others are compared with. A further door is one more subclass of ``Door``
in ``DOORS``: it fills in what it offers, lists what it does not in ``lacks``, and says in ``view`` how much of a result it shows.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from anyio.from_thread import start_blocking_portal
from mcp.client import Client as McpClient
from mcp.client.stdio import StdioServerParameters

from pageindex.app import checks, ingest, shapes
from pageindex.app.document import OpenDocument
from pageindex.app.export import markdown_lines
from pageindex.app.library import all_folders, change_document, list_documents, open_library, remove_documents
from pageindex.app.pages import PageReader
from pageindex.app.search import search
from pageindex.app.spending import costs_by_day
from pageindex.app.words import find_words
from pageindex.client import AsyncPageIndexClient, PageIndexClient
from pageindex.config import Settings
from pageindex.errors import PageIndexError
from pageindex.limits import Limits
from pageindex.tools import call_tool
from tests.support.terminal import run_here

__all__ = ["DOORS", "OPERATIONS", "Application", "Door", "DoorError"]

Json = Any


class DoorError(Exception):
    """What a door says when something cannot be done."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Door:
    """A way to the application, over one library.

    Attributes:
        lacks: Operations that this door does not offer.
        password: Of encrypted sources, as the door takes it.
    """

    lacks: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, library: Path) -> None:
        self.library = library

    def close(self) -> None:
        """Let go of what is open."""

    def view(self, operation: str, result: Json) -> Json:
        """As much of the application's own result as this door shows."""
        return result

    # ------------------------------------------------------------ looking

    def documents(self, **options: Any) -> Json:
        raise NotImplementedError

    def document(self, doc: str) -> Json:
        raise NotImplementedError

    def structure(self, doc: str) -> Json:
        raise NotImplementedError

    def costs(self, doc: str) -> Json:
        raise NotImplementedError

    def section(self, doc: str, node_id: str, *, raw: bool = False) -> Json:
        raise NotImplementedError

    def pages(self, doc: str, spec: str, *, raw: bool = False) -> Json:
        raise NotImplementedError

    def image(self, doc: str, page: str) -> bytes:
        raise NotImplementedError

    def block(self, doc: str, handle: str) -> Json:
        raise NotImplementedError

    def export(self, doc: str, *, raw: bool = False) -> Json:
        raise NotImplementedError

    def spending(self, docs: Sequence[str] | None = None, **options: Any) -> Json:
        raise NotImplementedError

    # ------------------------------------------------------------ finding and checking

    def words(self, doc: str, query: str) -> Json:
        raise NotImplementedError

    def search(self, query: str, docs: Sequence[str] | None = None, **options: Any) -> Json:
        raise NotImplementedError

    def locate(self, doc: str, quote: str, page: int | None = None, **options: Any) -> Json:
        raise NotImplementedError

    def check(self, doc: str, claims: Sequence[Mapping[str, Any]]) -> Json:
        raise NotImplementedError

    def verify(self, doc: str, **options: Any) -> Json:
        raise NotImplementedError

    def tables(self, doc: str, page: str) -> Json:
        raise NotImplementedError

    # ------------------------------------------------------------ changing

    def ingest(self, paths: Sequence[Path], **settings: Any) -> Json:
        """One result a file, in the order of their names: ``{name, outcome, reason?, stopped?}`` or ``{name, error}``."""
        raise NotImplementedError

    def plan(self, paths: Sequence[Path], **settings: Any) -> Json:
        """What would be done with each file."""
        raise NotImplementedError

    def refine(self, doc: str, **settings: Any) -> Json:
        raise NotImplementedError

    def change(self, doc: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None) -> Json:
        raise NotImplementedError

    def remove(self, doc: str) -> Json:
        raise NotImplementedError

    def create_folder(self, name: str) -> Json:
        raise NotImplementedError

    def folders(self) -> Json:
        raise NotImplementedError


OPERATIONS = frozenset(
    name
    for name, value in vars(Door).items()
    if callable(value) and not name.startswith("_") and name not in ("close", "view")
)


class Application(Door):
    """The functions of ``app`` themselves."""

    def __init__(self, library: Path) -> None:
        super().__init__(library)
        self.store = open_library(library)
        self.reader = PageReader()

    def close(self) -> None:
        self.reader.close()
        self.store.close()

    def open(self, doc: str) -> OpenDocument:
        return OpenDocument.open(self.store, doc, self.reader)

    def documents(self, **options: Any) -> Json:
        return shapes.document_list(list_documents(self.store, **options))

    def document(self, doc: str) -> Json:
        return shapes.document_info(self.store.resolve(doc))

    def structure(self, doc: str) -> Json:
        return shapes.structure(self.open(doc))

    def costs(self, doc: str) -> Json:
        return shapes.tree_costs(ingest.tree_costs(self.store, self.store.resolve(doc)))

    def spending(self, docs: Sequence[str] | None = None, **options: Any) -> Json:
        return costs_by_day(self.store, docs, **options).to_json()

    def section(self, doc: str, node_id: str, *, raw: bool = False) -> Json:
        document = self.open(doc)
        return shapes.section_content(document, document.section(node_id, raw=raw))

    def pages(self, doc: str, spec: str, *, raw: bool = False) -> Json:
        return [shapes.page_content(page) for page in self.open(doc).pages(spec, raw=raw)]

    def image(self, doc: str, page: str) -> bytes:
        return self.open(doc).image(page)

    def block(self, doc: str, handle: str) -> Json:
        document = self.open(doc)
        return shapes.block(document, document.block(handle))

    def export(self, doc: str, *, raw: bool = False) -> Json:
        return list(markdown_lines(self.open(doc), raw=raw))

    def words(self, doc: str, query: str) -> Json:
        return shapes.found_words(query, find_words(self.open(doc), query))

    def search(self, query: str, docs: Sequence[str] | None = None, **options: Any) -> Json:
        return shapes.search_page(search(self.store, query, docs, **options))

    def locate(self, doc: str, quote: str, page: int | None = None, **options: Any) -> Json:
        return shapes.located(checks.locate(self.open(doc), quote, page, **options))

    def check(self, doc: str, claims: Sequence[Mapping[str, Any]]) -> Json:
        return checks.check(self.open(doc), checks.parse(claims)).to_json()

    def verify(self, doc: str, **options: Any) -> Json:
        return shapes.verified(checks.verify(self.open(doc), **options))

    def tables(self, doc: str, page: str) -> Json:
        document = self.open(doc)
        return shapes.tables(document, checks.extract_tables(document, page))

    def ingest(self, paths: Sequence[Path], **settings: Any) -> Json:
        limits = settings.pop("limits", Limits())
        options = ingest.IngestOptions(Settings().changed(**settings), limits, jobs=1)
        done = ingest.ingest(self.store, map(ingest.Request, paths), options)
        return taken_in(
            {"name": one.request.title, "error": one.error.code}
            if one.error is not None
            else {"name": one.request.title, **shapes.submitted(one)}
            for one in done
        )

    def plan(self, paths: Sequence[Path], **settings: Any) -> Json:
        options = ingest.IngestOptions(Settings().changed(**settings))
        return [shapes.planned(plan) for plan in ingest.plan(self.store, map(ingest.Request, paths), options)]

    def refine(self, doc: str, **settings: Any) -> Json:
        doc_id = self.store.resolve(doc).doc_id
        return shapes.refined(ingest.refine_document(self.store, doc_id, Settings().changed(**settings)))

    def change(self, doc: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None) -> Json:
        return shapes.document_info(change_document(self.store, doc, metadata=metadata, folder_id=folder_id))

    def remove(self, doc: str) -> Json:
        return [shapes.deleted(record) for record in remove_documents(self.store, [doc])]

    def create_folder(self, name: str) -> Json:
        return shapes.folder_info(self.store.create_folder(name))

    def folders(self) -> Json:
        return [shapes.folder_info(row.folder) for row in all_folders(self.store)]


def taken_in(rows: Any) -> list[dict[str, Any]]:
    """What each way of taking files in says of them, in one form: ``{name, outcome, reason?, stopped?}`` or ``{name, error}``."""
    kept = ("name", "outcome", "reason", "error", "status", "page_count", "doc_id")
    found = []
    for row in rows:
        item = {key: row[key] for key in kept if key in row}
        found.append(item | ({"stopped": row["stopped"]["code"]} if "stopped" in row else {}))
    return sorted(found, key=lambda item: str(item["name"]))


def answered(paths: Sequence[Path], done: Any) -> dict[str, Any]:
    """One result of a client; an error names no file, so only one file is given where one is to fail."""
    return {"name": paths[0].name, "error": done.code} if isinstance(done, PageIndexError) else dict(done)


def coded(call: Callable[[], Json]) -> Json:
    """The result of a call; an error of ours as a ``DoorError``."""
    try:
        return call()
    except PageIndexError as error:
        raise DoorError(error.code) from error


class Client(Door):
    """``PageIndexClient``."""

    lacks = frozenset({"export"})

    def __init__(self, library: Path) -> None:
        super().__init__(library)
        self.made = self.opened()

    def opened(self, **options: Any) -> Any:
        return PageIndexClient(storage_path=self.library, **options)

    def close(self) -> None:
        self.made.close()

    def call(self, method: str, *args: Any, **options: Any) -> Json:
        return coded(lambda: getattr(self.made, method)(*args, **options))

    def documents(self, **options: Any) -> Json:
        return self.call("list_documents", **options)

    def document(self, doc: str) -> Json:
        return self.call("get_document", doc)

    def structure(self, doc: str) -> Json:
        return self.call("get_structure", doc)

    def costs(self, doc: str) -> Json:
        return self.call("get_costs", doc)

    def spending(self, docs: Sequence[str] | None = None, **options: Any) -> Json:
        return self.call("get_spending", docs, **options)

    def section(self, doc: str, node_id: str, *, raw: bool = False) -> Json:
        return self.call("get_section", doc, node_id, raw=raw)

    def pages(self, doc: str, spec: str, *, raw: bool = False) -> Json:
        return self.call("get_page_content", doc, spec, raw=raw)

    def image(self, doc: str, page: str) -> Json:
        return self.call("get_page_image", doc, page)

    def block(self, doc: str, handle: str) -> Json:
        return self.call("get_block", doc, handle)

    def words(self, doc: str, query: str) -> Json:
        return self.call("find", doc, query)

    def search(self, query: str, docs: Sequence[str] | None = None, **options: Any) -> Json:
        return self.call("search", query, docs, **options)

    def locate(self, doc: str, quote: str, page: int | None = None, **options: Any) -> Json:
        return self.call("locate", doc, quote, page, **options)

    def check(self, doc: str, claims: Sequence[Mapping[str, Any]]) -> Json:
        return self.call("check_claims", doc, claims)

    def verify(self, doc: str, **options: Any) -> Json:
        return self.call("verify_document", doc, **options)

    def tables(self, doc: str, page: str) -> Json:
        return self.call("get_page_tables", doc, page)

    def ingest(self, paths: Sequence[Path], **settings: Any) -> Json:
        limits = settings.pop("limits", Limits())
        self.close()
        self.made = self.opened(index=settings, limits=limits)
        return taken_in(self.rows(paths))

    def rows(self, paths: Sequence[Path]) -> list[dict[str, Any]]:
        return [answered(paths, done) for done in self.made.submit_documents(paths, jobs=1)]

    def plan(self, paths: Sequence[Path], **settings: Any) -> Json:
        self.close()
        self.made = self.opened(index=settings)
        return self.call("plan_documents", paths)

    def refine(self, doc: str, **settings: Any) -> Json:
        self.close()
        self.made = self.opened(index=settings)
        return self.call("refine_document", doc)

    def change(self, doc: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None) -> Json:
        return self.call("update_document", doc, metadata=metadata, folder_id=folder_id)

    def remove(self, doc: str) -> Json:
        return [self.call("delete_document", doc)]

    def create_folder(self, name: str) -> Json:
        return self.call("create_folder", name)

    def folders(self) -> Json:
        return self.call("list_folders")


class AsyncClient(Client):
    """``AsyncPageIndexClient``."""

    def opened(self, **options: Any) -> Any:
        return AsyncPageIndexClient(storage_path=self.library, **options)

    def close(self) -> None:
        asyncio.run(self.made.close())

    def call(self, method: str, *args: Any, **options: Any) -> Json:
        def waited() -> Json:
            coroutine: Coroutine[Any, Any, Json] = getattr(self.made, method)(*args, **options)
            return asyncio.run(coroutine)

        return coded(waited)

    def rows(self, paths: Sequence[Path]) -> list[dict[str, Any]]:
        async def followed() -> list[Any]:
            return [done async for done in self.made.submit_documents(paths, jobs=1)]

        return [answered(paths, done) for done in asyncio.run(followed())]


class CommandLine(Door):
    """The commands with ``--json``."""

    def run(self, *arguments: str | Path, verdict: bool = False) -> str:
        done = run_here(*arguments, "--library", self.library)
        if done.returncode and not (verdict and done.stdout):
            raise DoorError(json.loads(done.stderr)["error"]["code"])
        return done.stdout

    def json(self, *arguments: str | Path, verdict: bool = False) -> Json:
        return json.loads(self.run(*arguments, "--json", verdict=verdict))

    def documents(self, **options: Any) -> Json:
        return self.json("list", *flags(**options))

    def document(self, doc: str) -> Json:
        return self.json("show", doc)

    def structure(self, doc: str) -> Json:
        return self.json("tree", doc)

    def costs(self, doc: str) -> Json:
        return self.json("tree", doc, "--costs")["costs"]

    def spending(self, docs: Sequence[str] | None = None, **options: Any) -> Json:
        return self.json("costs", *(docs or ()), *flags(**options))

    def section(self, doc: str, node_id: str, *, raw: bool = False) -> Json:
        return self.json("read", doc, "--section", node_id, *flags(raw=raw))

    def pages(self, doc: str, spec: str, *, raw: bool = False) -> Json:
        return self.json("read", doc, "--pages", spec, *flags(raw=raw))

    def image(self, doc: str, page: str) -> bytes:
        target = self.library.parent / "drawn.png"
        shown = self.json("image", doc, page)
        assert run_here("image", doc, page, "--output", target, "--library", self.library).returncode == 0
        assert target.read_bytes() == base64.b64decode(shown["data"])
        return target.read_bytes()

    def block(self, doc: str, handle: str) -> Json:
        return self.json("read", doc, "--handle", handle)

    def export(self, doc: str, *, raw: bool = False) -> Json:
        return self.run("export", doc, "--format", "markdown", *flags(raw=raw)).removesuffix("\n").split("\n")

    def words(self, doc: str, query: str) -> Json:
        return self.json("find", doc, *(shlex.split(query) or [query]), "--limit", "0")

    def search(self, query: str, docs: Sequence[str] | None = None, **options: Any) -> Json:
        named = [word for doc in docs or () for word in ("--doc", doc)]
        return self.json("search", query, *named, *flags(**options))

    def locate(self, doc: str, quote: str, page: int | None = None, **options: Any) -> Json:
        return self.json("locate", doc, quote, *flags(page=page, **options), verdict=True)

    def check(self, doc: str, claims: Sequence[Mapping[str, Any]]) -> Json:
        path = self.library.parent / "claims.json"
        path.write_text(json.dumps({"claims": list(claims)}))
        return self.json("check", path, "--document", doc, verdict=True)

    def verify(self, doc: str, **options: Any) -> Json:
        return self.json("verify", doc, *flags(**options), verdict=True)

    def tables(self, doc: str, page: str) -> Json:
        return self.json("table", doc, page)

    def ingest(self, paths: Sequence[Path], **settings: Any) -> Json:
        settings.pop("limits", None)  # not to be set from here, but for the time
        given = self.configured(settings)
        rows = json.loads(
            run_here("add", *paths, "--jobs", "1", "--json", "--config", given, "--library", self.library).stdout
        )
        return taken_in(
            {"name": Path(row["path"]).name, "error": row["error"]["code"]}
            if "error" in row
            else {**row, **{key: row["document"][key] for key in ("name", "status", "page_count", "doc_id")}}
            for row in rows["results"]
        )

    def configured(self, settings: Mapping[str, Any]) -> Path:
        """A file with some settings."""
        path = self.library.parent / "given.toml"
        path.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items()))
        return path

    def plan(self, paths: Sequence[Path], **settings: Any) -> Json:
        return self.json("add", *paths, "--dry-run", "--config", self.configured(settings))["plan"]

    def refine(self, doc: str, **settings: Any) -> Json:
        return self.json("refine", doc, "--config", self.configured(settings))

    def change(self, doc: str, *, metadata: Mapping[str, Any] | None = None, folder_id: str | None = None) -> Json:
        pairs = [word for key, value in (metadata or {}).items() for word in ("--metadata", f"{key}={value}")]
        return self.json("move", doc, *pairs, *flags(folder=folder_id))

    def remove(self, doc: str) -> Json:
        return self.json("remove", doc, "--yes")["removed"]

    def create_folder(self, name: str) -> Json:
        return self.json("folders", "create", name)

    def folders(self) -> Json:
        return [
            {key: row[key] for key in ("id", "name", "parent_id")} for row in self.json("folders", "list")["folders"]
        ]


def flags(**options: Any) -> list[str]:
    """``raw=True, page=3`` as ``--raw --page 3``; what is None or False is left out."""
    found: list[str] = []
    for name, value in options.items():
        if name == "where":
            found += [word for key, wanted in value.items() for word in ("--where", f"{key}={wanted}")]
        elif value not in (None, False):
            flag = f"--{name.removesuffix('_id').replace('_', '-')}"
            found += [flag] if value is True else [flag, str(value)]
    return found


class Tools(Door):
    """The agent tools. They show what a model needs, in an envelope; ``view`` takes that much of the application's own results."""

    lacks = frozenset(
        {
            "costs",
            "spending",
            "export",
            "words",
            "locate",
            "verify",
            "ingest",
            "plan",
            "refine",
            "change",
            "create_folder",
            "folders",
            "block",
        }
    )

    def __init__(self, library: Path) -> None:
        super().__init__(library)
        self.client = PageIndexClient(storage_path=library)
        self.session = self.client.session(vision=True, include_management=True)

    def close(self) -> None:
        self.client.close()

    def call(self, tool: str, **arguments: Any) -> Json:
        return _good(call_tool(self.session, tool, arguments))

    def fresh(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Json]:
        """Calls of a reader who has read nothing yet; only the last one may be an error that counts."""
        reader = self.client.session()
        answers = [call_tool(reader, tool, arguments) for tool, arguments in calls]
        return [*answers[:-1], _good(answers[-1])]

    def view(self, operation: str, result: Json) -> Json:
        return getattr(self, f"_{operation}", lambda whole: whole)(result)

    def documents(self, **options: Any) -> Json:
        envelope = self.call("browse_documents", recursive=True, **options)
        return {"total": envelope["total"], "documents": [_listed(row) for row in envelope["documents"]]}

    def _documents(self, result: Json) -> Json:
        return {"total": result["total"], "documents": [_listed(row) for row in result["documents"]]}

    def document(self, doc: str) -> Json:
        return _listed(self.call("get_document", doc_name=doc))

    def _document(self, result: Json) -> Json:
        return _listed(result)

    def structure(self, doc: str) -> Json:
        rows, part, more = [], 1, True
        while more:
            envelope = self.call("get_document_structure", doc_name=doc, depth=64, part=part, summaries=False)
            rows += _flat(envelope["structure"])
            part, more = part + 1, envelope["pagination"]["has_more"]
        return rows

    def _structure(self, result: Json) -> Json:
        return _flat(result["structure"])

    def section(self, doc: str, node_id: str, *, raw: bool = False) -> Json:
        return _text(self._read(doc_name=doc, node_id=node_id))

    def _section(self, result: Json) -> Json:
        return _words(result["text"])

    def pages(self, doc: str, spec: str, *, raw: bool = False) -> Json:
        items = sorted(self._read(doc_name=doc, pages=spec), key=lambda item: int(item["page"]))
        return [(item["page"], item.get("label"), item.get("state", "text"), _text([item])) for item in items]

    def _pages(self, result: Json) -> Json:
        return [(page["page_index"], page.get("label"), page["state"], _words(page["markdown"])) for page in result]

    def _read(self, **arguments: Any) -> list[dict[str, Any]]:
        (envelope,) = self.fresh([("get_page_content", arguments)])
        assert envelope["omitted"] == "", "the case is too long for one reply"
        return list(envelope["content"])

    def image(self, doc: str, page: str) -> bytes:
        return base64.b64decode(self.call("get_page_image", doc_name=doc, page=page)["image"]["data"])

    def search(self, query: str, docs: Sequence[str] | None = None, **options: Any) -> Json:
        envelope = self.call("search_documents", query=query, doc_name=docs[0] if docs else None)
        remarks = envelope.get("remarks", [])
        return {"total": envelope["total"], "hits": [_found(hit) for hit in envelope["hits"]], "remarks": remarks}

    def _search(self, result: Json) -> Json:
        found = [_found(hit) for hit in result["hits"]]
        return {"total": result["total"], "hits": found, "remarks": result["remarks"]}

    def check(self, doc: str, claims: Sequence[Mapping[str, Any]]) -> Json:
        reading = ("get_page_content", {"doc_name": doc, "pages": "1"})  # evidence that was never read is UNREAD
        (envelope,) = self.fresh([reading, ("check_claims", {"doc_name": doc, "claims": list(claims)})])[1:]
        return _verdicts(envelope)

    def _check(self, result: Json) -> Json:
        return _verdicts(result)

    def tables(self, doc: str, page: str) -> Json:
        envelope = self.call("get_page_tables", doc_name=doc, page=page)
        return [(table["rows"], table["columns"]) for table in envelope["tables"]]

    def _tables(self, result: Json) -> Json:
        return [(len(table["rows"]), len(table["columns"])) for table in result["tables"]]

    def remove(self, doc: str) -> Json:
        (row,) = self.call("remove_document", doc_names=[doc])["results"]
        return {"doc_id": row["doc_id"], "removed": row["removed"]}

    def _remove(self, result: Json) -> Json:
        return {"doc_id": result[0]["doc_id"], "removed": result[0]["deleted"]}


class Mcp(Tools):
    """The same tools over the Model Context Protocol: the SDK's client, and the command as a process of its own."""

    def __init__(self, library: Path) -> None:
        Door.__init__(self, library)
        self.portal = start_blocking_portal()
        self.loop = self.portal.__enter__()
        self.client, self.leave = self.connected()

    def connected(self) -> tuple[Any, Callable[[], Any]]:
        command = [sys.executable, "-m", "pageindex", "mcp", "--manage", "--library", str(self.library)]
        server = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
        context = self.loop.wrap_async_context_manager(McpClient(server))
        return context.__enter__(), lambda: context.__exit__(None, None, None)

    def close(self) -> None:
        self.leave()
        self.portal.__exit__(None, None, None)

    def answer(self, client: Any, tool: str, arguments: Mapping[str, Any]) -> Json:
        result = self.loop.call(client.call_tool, tool, {k: v for k, v in arguments.items() if v is not None})
        assert result.is_error == ("errorCode" in result.structured_content)
        assert json.loads(result.content[0].text) == result.structured_content
        pictures = [each for each in result.content if each.type == "image"]
        return result.structured_content | ({"image": {"data": pictures[0].data}} if pictures else {})

    def call(self, tool: str, **arguments: Any) -> Json:
        return _good(self.answer(self.client, tool, arguments))

    def fresh(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Json]:
        client, leave = self.connected()
        try:
            answers = [self.answer(client, tool, arguments) for tool, arguments in calls]
        finally:
            leave()
        return [*answers[:-1], _good(answers[-1])]


def _good(envelope: Json) -> Json:
    if "errorCode" in envelope:
        raise DoorError(envelope["errorCode"])
    return envelope


def _listed(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("doc_id", "name", "status", "page_count", "description")}


def _flat(nodes: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    for node in nodes:
        rows.append((node["node_id"], node["title"], node["start_index"], node["end_index"], node.get("label")))
        rows += _flat(node.get("nodes", ()))
    return sorted(rows)


def _text(items: Sequence[Mapping[str, Any]]) -> list[str]:
    """The words of fenced texts."""
    lines = (line for item in items for line in item["text"].splitlines() if "⟦" not in line)
    return _words(" ".join(re.sub(r"^\[\d+\] ", "", line) for line in lines))


def _words(text: str) -> list[str]:
    return text.split()


def _found(hit: Mapping[str, Any]) -> dict[str, Any]:
    return {key: hit.get(key) for key in ("doc_id", "page", "label", "node_id", "handle", "matched")}


def _verdicts(result: Mapping[str, Any]) -> Json:
    return {
        "verdict": result["verdict"],
        "claims": [
            {
                "id": claim["id"],
                "verdict": claim["verdict"],
                "quotes": [(quote["status"], quote["handles"]) for quote in claim["quotes"]],
                "numbers": [(number["status"], number["where"], number["handles"]) for number in claim["numbers"]],
                "uncovered": claim["uncovered"],
            }
            for claim in result["claims"]
        ],
    }


DOORS: tuple[type[Door], ...] = (Client, AsyncClient, CommandLine, Tools, Mcp)
