"""What a library offers over the protocol: the agent tools, its documents as resources, prompts for checked answers, and taking in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import mcp_types as types
from cachetools import LRUCache

from pageindex import __version__
from pageindex.app.library import Library
from pageindex.app.pages import PageReader
from pageindex.app.reader import Reader
from pageindex.config import Settings
from pageindex.serve.mcp import indexing, offers, prompts
from pageindex.serve.mcp.resources import TEMPLATES, Resources
from pageindex.serve.mcp.wiring import Caller, Offer, Template

__all__ = ["LibraryCatalogue", "Offering"]

_MOST_READERS = 64  #: Connections whose reading is remembered.


@dataclass(frozen=True)
class Offering:
    """What a server may do with its library.

    Attributes:
        scope: Ids of the documents that may be seen; None for all.
        folders: From which files may be taken in; none takes the tool away.
        management: Whether documents may be removed.
        vision: Whether pictures of pages are offered.
        settings: How files are taken in.
    """

    scope: tuple[str, ...] | None = None
    folders: tuple[Path, ...] = ()
    management: bool = False
    vision: bool = True
    settings: Settings = field(default_factory=Settings)


class LibraryCatalogue:
    """The catalogue of a library. Each connection reads for itself: what one was shown, another has not read."""

    name = "pageindex"
    version = __version__

    def __init__(self, library: Library, offering: Offering | None = None) -> None:
        self.library, self.offering = library, offering or Offering()
        self.instructions = prompts.instructions()
        self._pages = PageReader()
        self._readers: LRUCache[str | None, Reader] = LRUCache(_MOST_READERS)

    def close(self) -> None:
        """End the worker that reads pages."""
        self._pages.close()

    def reader(self, caller: Caller) -> Reader:
        """The reader of a connection."""
        found = self._readers.get(caller.session)
        if found is None:
            found = self._readers[caller.session] = Reader(
                self.library,
                self.offering.scope,
                vision=self.offering.vision,
                management=self.offering.management,
                pages=self._pages,
                cancelled=offers.cancelled,
            )
        return found

    def _resources(self, caller: Caller) -> Resources:
        return Resources(self.library, self.reader(caller))

    async def tools(self, caller: Caller) -> Sequence[Offer]:
        made = offers.of_reader(self.reader(caller))
        if self.offering.folders and self.offering.scope is None:
            made.append(indexing.offer(self.library, self.offering.folders, self.offering.settings))
        return made

    async def resources(self, caller: Caller, cursor: str | None) -> types.ListResourcesResult:
        return await offers.in_thread(self._resources(caller).listed, cursor)

    async def templates(self) -> Sequence[Template]:
        return TEMPLATES

    async def read(self, uri: str, caller: Caller) -> Sequence[types.TextResourceContents | types.BlobResourceContents]:
        return await offers.in_thread(self._resources(caller).read, uri)

    async def prompts(self) -> Sequence[types.Prompt]:
        return prompts.PROMPTS

    async def prompt(self, name: str, arguments: Mapping[str, str], caller: Caller) -> types.GetPromptResult:
        return await offers.in_thread(prompts.filled, name, arguments, self.reader(caller))

    async def complete(
        self, reference: str, argument: str, begun: str, others: Mapping[str, str], caller: Caller
    ) -> Sequence[str]:
        return await offers.in_thread(self._resources(caller).completions, argument, begun, others)
