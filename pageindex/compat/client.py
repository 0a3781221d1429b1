"""The client under the names of the public package."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from pageindex import client as core
from pageindex.app import shapes
from pageindex.app.library import ROOT_FOLDER, Library, all_folders
from pageindex.chat import AnswerStream
from pageindex.client.conversing import Documents, Messages
from pageindex.compat.chunks import chunks
from pageindex.compat.options import chat_side, index_side, refuse_key
from pageindex.compat.refusals import KEY_REFUSED, no_counterpart
from pageindex.compat.retrieval import Retrievals
from pageindex.errors import InputError, NotFoundError, SettingsError
from pageindex.limits import Limits

__all__ = ["PageIndexClient", "PageIndexCloudClient", "PageIndexLocalClient"]

_PROTOCOL = "chat_completions"
_FREE_METADATA = "Metadata is free JSON here: update_document(doc_id, metadata=…), and list_documents(where=…) or search(where=…) filter by it."
_SAMPLING = ("top_p", "max_tokens", "extra_body")


class PageIndexClient(core.PageIndexClient):
    """Index documents, look at their trees, read their pages, and ask them: see ``pageindex.client.PageIndexClient`` for all that it does.

    This is that client with the constructor, the methods and the shapes that users of the public package know on top.

    Args:
        api_key: Refused: a library on this machine needs none. It is neither kept nor sent anywhere.
        index, chat: A model's name, or settings of ``pageindex.config.Settings``.
        mode: ``flash`` or ``standard``, see ``submit_document``.
        index_model, chat_model, model: Models, by LiteLLM's name; ``model`` stands for both.
        summary_model, retrieve_model: Other names for ``index_model`` and ``chat_model``.
        summary_max_words, summary_concurrency: Words of a summary, and calls under way at once.
        summary_reasoning_effort: Without meaning here.
        use_embedded_toc: True; bookmarks always take part.
        optimize: ``full``, ``merge`` or ``off``.
        storage_path: Folder of the library; by default the nearest ``.pageindex`` upwards, else ``.pageindex`` here.
        index_backend, chat_backend: ``{base_url, api_key, headers, timeout}`` of a model's server.
        instructions: Further instructions for the model that answers.
        limits: Under which each file is read.
        library: A library that is already open, in place of ``storage_path``.
    """

    BASE_URL = ""  #: Of the hosted service there; nothing is hosted here.

    def __init__(
        self,
        api_key: str | None = None,
        *,
        index: str | Mapping[str, Any] | None = None,
        chat: str | Mapping[str, Any] | None = None,
        mode: str | None = None,
        index_model: str | None = None,
        chat_model: str | None = None,
        model: str | None = None,
        summary_model: str | None = None,
        summary_max_words: int | None = None,
        summary_concurrency: int | None = None,
        summary_reasoning_effort: str | None = None,
        use_embedded_toc: bool | None = None,
        optimize: str | None = None,
        retrieve_model: str | None = None,
        storage_path: str | os.PathLike[str] | None = None,
        index_backend: dict[str, Any] | None = None,
        chat_backend: dict[str, Any] | None = None,
        instructions: str | None = None,
        limits: Limits | None = None,
        library: Library | None = None,
    ) -> None:
        refuse_key(api_key)
        for_index, folder = index_side(
            index,
            summary_max_words=summary_max_words,
            summary_concurrency=summary_concurrency,
            summary_model=summary_model,
            summary_reasoning_effort=summary_reasoning_effort,
            use_embedded_toc=use_embedded_toc,
            optimize=optimize,
            backend=index_backend,
        )
        if mode is not None:
            for_index["mode"] = mode
        super().__init__(
            index_model,
            chat_model,
            storage_path if storage_path is not None else folder,
            index=for_index,
            chat=chat_side(chat, retrieve_model=retrieve_model, backend=chat_backend),
            model=model,
            limits=limits,
            library=library,
        )
        self._instructions = instructions or ""
        self._retrievals = Retrievals()

    @property
    def retrieve_model(self) -> str | None:
        """``chat_model``."""
        return self.chat_model

    # ------------------------------------------------------------ conversations

    def chat(self, messages: Messages, doc_id: Documents = None, stream: bool = False, protocol: str | None = None, **options: Any) -> Any:  # fmt: skip
        """As ``pageindex.client``, with the options of the public client: ``folder_id, model, backend, extra_headers, show_process, instructions``.

        ``reasoning_effort`` and ``extra_body`` are refused: a model is asked with its own defaults.
        """
        within = self._documents_in(options.pop("folder_id", None), doc_id)
        show = options.pop("show_process", None)
        for name in ("reasoning_effort", *_SAMPLING):
            if options.pop(name, None) is not None:
                raise SettingsError(f"{name} cannot be set for one answer", "Leave it out; temperature is a setting.")
        other = self._speaking(options)
        added = options.pop("instructions", None)
        if isinstance(added, Sequence) and not isinstance(added, str):
            added = "\n".join(str(block.get("text", "")) for block in added)
        told = "\n\n".join(part for part in (self._instructions, added) if part)
        if told:
            options["instructions"] = told
        found = core.PageIndexClient.chat(other, messages, within, stream, protocol, **options)  # type: ignore[call-overload]
        return found if not (stream and show) else found.events

    def chat_completions(
        self,
        messages: Messages,
        stream: bool = False,
        doc_id: Documents = None,
        temperature: float | None = None,
        stream_metadata: bool = False,
        enable_citations: bool = False,
        model: str | None = None,
        max_turns: int | None = None,
        top_p: float | None = None,
        max_tokens: int | None = None,
        reasoning_effort: str | None = None,
        extra_body: dict[str, Any] | None = None,
        extra_headers: dict[str, str] | None = None,
        backend: dict[str, Any] | None = None,
        *,
        folder_id: str | None = None,
    ) -> dict[str, Any] | Iterator[str] | Iterator[dict[str, Any]]:
        """``chat(protocol="chat_completions")``: the envelope of Chat Completions, or with ``stream`` pieces of text (``stream_metadata``: chunks)."""
        options: dict[str, Any] = {
            "model": model,
            "backend": backend,
            "extra_headers": extra_headers,
            "temperature": temperature,
            "folder_id": folder_id,
            "citations": enable_citations,
            "top_p": top_p,
            "max_tokens": max_tokens,
            "reasoning_effort": reasoning_effort,
            "extra_body": extra_body,
        }
        if max_turns is not None:
            options["max_turns"] = max_turns
        if not stream:
            envelope: dict[str, Any] = self.chat(messages, doc_id, protocol=_PROTOCOL, **options)
            return envelope
        pieces: AnswerStream = self.chat(messages, doc_id, True, **options)
        return chunks(pieces) if stream_metadata else iter(pieces)

    def _speaking(self, options: dict[str, Any]) -> core.PageIndexClient:
        """This client, or one over the same library with another model, as the options of one answer ask."""
        names = ("model", "backend", "extra_headers", "temperature")
        asked = {name: options.pop(name, None) for name in names}
        if all(value is None for value in asked.values()):
            return self
        settings = chat_side(asked["model"], retrieve_model=None, backend=asked["backend"])
        if asked["extra_headers"] is not None:
            settings["headers"] = asked["extra_headers"]
        if asked["temperature"] is not None:
            settings["temperature"] = asked["temperature"]
        given = {**self._chat.given, **settings}
        chosen = given.pop("model", None) or given.pop("chat_model", None)
        given.pop("chat_model", None)
        return core.PageIndexClient(None, chosen, library=self.library, chat=given, limits=self.limits)

    def _documents_in(self, folder_id: str | None, doc_id: Documents) -> Documents:
        if folder_id is None or folder_id == ROOT_FOLDER:
            return doc_id
        if doc_id is not None:
            raise SettingsError("both folder_id and doc_id are given", "Give one of them.")
        found = core.PageIndexClient.list_documents(self, limit=10_000, folder_id=folder_id)
        return [row["doc_id"] for row in found["documents"]]

    def submit_query(self, doc_id: str, query: str, thinking: bool = False) -> dict[str, Any]:
        """Search a document: ``{retrieval_id}``, for ``get_retrieval``. No model is asked; ``thinking`` is without meaning here."""
        document = self._open(doc_id)
        return {"retrieval_id": self._retrievals.add(document, query, self.search(query, document.doc_id))}

    def get_retrieval(self, retrieval_id: str) -> dict[str, Any]:
        """``{retrieval_id, doc_id, status, query, retrieved_nodes: [{title, node_id, relevant_contents: [{page_index, relevant_content}]}]}``."""
        return self._retrievals.get(retrieval_id)

    # ------------------------------------------------------------ citations

    def citation_prompt(self, format: str = "cite") -> str:
        """How a model is told to quote and cite; both spellings of a citation are read, so ``format`` changes nothing."""
        if format not in ("cite", "markdown"):
            raise InputError(f"there is no format {format!r}", "Use 'cite' or 'markdown'.")
        return super().citation_prompt()

    def get_citations(self, answer: str, doc_id: Documents = None) -> list[dict[str, Any]]:
        """The references of an answer: ``[{document, doc_id, page, …}]``, each once; ``doc_id`` is None for a document that is not there."""
        return _distinct(core.PageIndexClient.resolve_citations(self, answer, doc_id))

    def resolve_citations(self, answer: str, doc_id: Documents = None) -> dict[str, Any]:  # type: ignore[override]
        """``{answer, citations}``: the answer with numbered links in place of its references, and ``get_citations`` with ``anchor`` and ``index``.

        A reference that does not hold (no such document or page, or words that are not printed there) is numbered too; its ``resolved`` is
        false.
        """
        looked_up = core.PageIndexClient.resolve_citations(self, answer, doc_id)
        citations = _distinct(looked_up)
        for index, item in enumerate(citations, 1):
            item |= {"index": index, "anchor": f"pageindex-citation-{index:02}"}
        places = {(item["document"], item["page"]): item for item in citations}
        written, at = [], 0
        for mark, item in zip(_marks(answer), looked_up, strict=False):
            known = places[_place(item)]
            start = answer.index(mark, at)
            written += [answer[at:start], f"[[{known['index']}]](#{known['anchor']})"]
            at = start + len(mark)
        return {"answer": "".join([*written, answer[at:]]), "citations": citations}

    # ------------------------------------------------------------ documents and folders

    def document_context(self, doc_id: str | Sequence[str]) -> str:
        """Text that tells a model which documents a question is about, for the first user message of other loops."""
        wanted = [doc_id] if isinstance(doc_id, str) else list(doc_id)
        rows = [self.library.resolve(one) for one in wanted]
        listed = "\n".join(f"- doc_id {row.doc_id}: {row.page_count} pages" for row in rows)
        return f"The question is about these documents; read no others:\n{listed}"

    def folder_context(self, folder_id: str) -> str:
        """As ``document_context``, of the documents of a folder; empty for the whole library."""
        if folder_id == ROOT_FOLDER:
            return ""
        self.library.folder_path(folder_id)
        found = core.PageIndexClient.list_documents(self, limit=10_000, folder_id=folder_id)
        return self.document_context([row["doc_id"] for row in found["documents"]])

    def list_documents(
        self,
        limit: int = 50,
        offset: int = 0,
        folder_id: str | None = None,
        recursive: bool = False,
        *,
        where: Mapping[str, Any] | None = None,
    ) -> shapes.DocumentList:
        """Documents, newest first: all, or those of a folder (``recursive``: and of those in it)."""
        every = recursive or folder_id is None
        return super().list_documents(limit, offset, folder_id, recursive=every, where=where)

    def create_folder(
        self, name: str, description: str | None = None, parent_folder_id: str | None = None
    ) -> shapes.FolderInfo:
        """A new folder, at the top or in another; folders have no description here."""
        if description is not None:
            raise SettingsError("a folder has no description here", "Leave it out; a third argument is the parent.")
        return super().create_folder(name, parent_folder_id)

    def list_folders(self, parent_folder_id: str | None = None) -> dict[str, Any]:  # type: ignore[override]
        """``{folders}``: those at the top, or in another."""
        return {"folders": super().list_folders(parent_folder_id)}

    def get_folder_path(self, folder_id: str) -> str:  # type: ignore[override]
        """Names from the top folder down: ``Research/Papers``."""
        return "/".join(folder["name"] for folder in super().get_folder_path(folder_id))

    def get_folder_id(self, path: str) -> str:
        """The folder at a path as ``get_folder_path`` writes it; NotFoundError when there is none."""
        names = [part for part in path.split("/") if part]
        parent = ROOT_FOLDER
        for name in names:
            found = [row.folder for row in all_folders(self.library, parent) if row.folder.parent_id == parent]
            match = [folder for folder in found if folder.name == name]
            if not match:
                known = ", ".join(folder.name for folder in found) or "none"
                raise NotFoundError(f"there is no folder {path!r}", f"Folders there: {known}.")
            parent = match[0].folder_id
        return parent

    def get_document_path(self, doc_id: str) -> str:
        """The document's folder and its name: ``Research/Papers/attention.pdf``."""
        record = self.library.resolve(doc_id)
        folders = [] if record.folder_id == ROOT_FOLDER else [self.get_folder_path(record.folder_id)]
        return "/".join([*folders, record.name])

    # ------------------------------------------------------------ without a counterpart

    def create_metadata_schema(self, folder_id: str, fields: Mapping[str, Any]) -> NoReturn:
        """Refused: metadata has no schema here."""
        no_counterpart("create_metadata_schema", _FREE_METADATA)

    def get_metadata_schema(self, folder_id: str) -> NoReturn:
        """Refused: metadata has no schema here."""
        no_counterpart("get_metadata_schema", _FREE_METADATA)

    def delete_metadata_schema(self, folder_id: str) -> NoReturn:
        """Refused: metadata has no schema here."""
        no_counterpart("delete_metadata_schema", _FREE_METADATA)

    def get_document_image(self, doc_id: str, img_id: str) -> NoReturn:
        """Refused: pictures are of whole pages here."""
        no_counterpart("get_document_image", "get_page_image(doc_id, page) gives the picture of a page, as PNG.")

    # ------------------------------------------------------------ other agent loops

    def agent_instructions(self, doc_id: Documents = None, *, include_management: bool = False) -> str:
        """The system prompt for other loops; the same with and without management."""
        return super().agent_instructions(doc_id)

    def agent_tools(self, include_management: bool | Documents = False, *, doc_id: Documents = None) -> list[Callable[..., str]]:  # type: ignore[override]  # fmt: skip
        """The tools as plain functions that answer with text and never raise. What is no truth value in the first place is the ``doc_id``."""
        manage, within = _split(include_management, doc_id)
        return super().agent_tools(within, include_management=manage)

    def as_openai_tools(self, include_management: bool | Documents = False, hosted: bool = False, *, doc_id: Documents = None) -> list[Any]:  # type: ignore[override]  # fmt: skip
        """The tools as ``FunctionTool`` of the OpenAI Agents SDK. For plain Chat Completions there is ``pageindex.chat.as_openai_tools``."""
        if hosted:
            no_counterpart("as_openai_tools(hosted=True)", "'pageindex mcp --http' serves the same tools to a host.")
        manage, within = _split(include_management, doc_id)
        return list(self.openai_agent_config(within, include_management=manage)["tools"])

    def as_anthropic_tools(self, include_management: bool | Documents = False, asynchronous: bool = False, *, doc_id: Documents = None) -> list[Any]:  # type: ignore[override]  # fmt: skip
        """The tools as the Anthropic SDK's runner takes them; ``to_dict()`` of each is its schema for Messages."""
        manage, within = _split(include_management, doc_id)
        made = self.anthropic_runner_config(None, within, include_management=manage, asynchronous=asynchronous)
        return list(made["tools"])

    def openai_agent_config(self, doc_id: Documents = None, **options: Any) -> dict[str, Any]:
        """``Agent(**client.openai_agent_config())`` of the OpenAI Agents SDK: see ``pageindex.compat.agents``."""
        from pageindex.compat.agents import openai_agent_config

        return openai_agent_config(self, doc_id, **options)

    def anthropic_runner_config(self, model: str | None = None, doc_id: Documents = None, **options: Any) -> dict[str, Any]:  # fmt: skip
        """``client.beta.messages.tool_runner(**config, messages=…)`` of the Anthropic SDK: see ``pageindex.compat.agents``."""
        from pageindex.compat.agents import anthropic_runner_config

        return anthropic_runner_config(self, model, doc_id, **options)

    def as_claude_mcp(self, include_management: bool = False, *, server_name: str = "pageindex", doc_id: Documents = None) -> Any:  # fmt: skip
        """An entry of ``mcp_servers`` for the Claude Agent SDK, in this process."""
        from pageindex.compat.agents import as_claude_mcp

        return as_claude_mcp(self, doc_id, include_management=include_management, server_name=server_name)

    def claude_agent_config(self, doc_id: Documents = None, **options: Any) -> dict[str, Any]:
        """``ClaudeAgentOptions(**client.claude_agent_config())``: see ``pageindex.compat.agents``."""
        from pageindex.compat.agents import claude_agent_config

        return claude_agent_config(self, doc_id, **options)


class PageIndexLocalClient(PageIndexClient):
    """``PageIndexClient`` without the place for a key."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)


class PageIndexCloudClient(PageIndexClient):
    """Refused at once: there is no hosted service behind this package."""

    def __init__(self, api_key: str | None = None, **options: Any) -> None:
        no_counterpart("PageIndexCloudClient", f"Use PageIndexClient(). {KEY_REFUSED}")


def _marks(answer: str) -> list[str]:
    """The references of an answer as they are written, in order."""
    from pageindex.chat import get_citations

    return [citation.text for citation in get_citations(answer)]


def _place(item: Mapping[str, Any]) -> tuple[str, int | None]:
    """Document and page that a reference means; as it is written where there is none."""
    page = item["pages"][0] if item.get("pages") else _number(item["page"])
    return item.get("name") or item["doc"], page


def _distinct(looked_up: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each place once, as the public client writes it."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for item in looked_up:
        document, page = _place(item)
        row = {"document": document, "doc_id": item.get("doc_id"), "page": page}
        found.setdefault(tuple(row.values()), {**row, "resolved": item["resolved"], "quotes": item["quotes"]})
    return list(found.values())


def _number(page: str) -> int | None:
    found = re.search(r"\d+", page)
    return int(found[0]) if found else None


def _split(given: bool | Documents, doc_id: Documents) -> tuple[bool, Documents]:
    """A first argument that is a truth value there, and documents with our core."""
    return (given, doc_id) if isinstance(given, bool) else (False, given if given is not None else doc_id)
