"""A catalogue of tools, resources and prompts as a server of the official SDK. Nothing here knows of documents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

__all__ = ["Caller", "Catalogue", "Offer", "Template", "make_server"]

Context = ServerRequestContext[Any, Any]
_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


@dataclass(frozen=True)
class Caller:
    """The request under way, and who sent it.

    Attributes:
        session: Names the connection, where the transport has one: over HTTP of the handshake versions. None stands for the only one.
        context: The SDK's own, for what is asked of the client.
    """

    session: str | None
    context: Context
    state: _Connections

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is, where it asked to hear of it."""
        await self.context.session.report_progress(done, total, message)

    async def log(self, level: types.LoggingLevel, text: str) -> None:
        """Send a line for the client's log, unless it asked for graver ones only."""
        least = self.state.levels.get(self.session, "info")
        if self.context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return  # there, a client asks for lines with each request; progress says the same
        if _LEVELS.index(level) >= _LEVELS.index(least):
            params = types.LoggingMessageNotificationParams(level=level, data=text, logger="pageindex")
            notice = types.LoggingMessageNotification(params=params)
            await self.context.session.send_notification(notice, self.context.request_id)

    async def changed(self, uri: str) -> None:
        """A resource is another one now: tell the client if it wants to hear of it."""
        if uri in self.state.watched.get(self.session, ()):
            await self.context.session.send_resource_updated(uri)


@dataclass(frozen=True)
class Offer:
    """One tool as it is listed, and what calling it does."""

    listed: types.Tool
    run: Callable[[Mapping[str, Any], Caller], Awaitable[types.CallToolResult]]


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of resource: its address with ``{names}`` in it."""

    uri: str
    name: str
    description: str
    media_type: str


class Catalogue(Protocol):
    """What a server offers. Errors are ``MCPError`` or, in a tool's result, data."""

    name: str
    version: str
    instructions: str

    async def tools(self, caller: Caller) -> Sequence[Offer]:
        """The tools that this caller may use."""

    async def resources(self, caller: Caller, cursor: str | None) -> types.ListResourcesResult:
        """One page of the resources that can be listed."""

    async def templates(self) -> Sequence[Template]:
        """The kinds of those that cannot."""

    async def read(self, uri: str, caller: Caller) -> Sequence[types.TextResourceContents | types.BlobResourceContents]:
        """A resource; raises MCPError where there is none."""

    async def prompts(self) -> Sequence[types.Prompt]:
        """The prompts, with their arguments."""

    async def prompt(self, name: str, arguments: Mapping[str, str], caller: Caller) -> types.GetPromptResult:
        """A prompt filled in; raises MCPError where there is none, or an argument is missing."""

    async def complete(
        self, reference: str, argument: str, begun: str, others: Mapping[str, str], caller: Caller
    ) -> Sequence[str]:
        """How an argument of a prompt, or a name in a template, may go on; all that fit, best first."""


@dataclass
class _Connections:
    """What each connection asked for."""

    levels: dict[str | None, str] = field(default_factory=dict)
    watched: dict[str | None, set[str]] = field(default_factory=dict)


_MOST_COMPLETIONS = 100  # the protocol's own bound
_MOST_CONNECTIONS = 1_000  # whose wishes are remembered; the oldest are forgotten
_MOST_WATCHED = 1_000


def make_server(catalogue: Catalogue) -> Server[Any]:
    """The catalogue behind the protocol's requests."""
    return _Wiring(catalogue).server()


class _Wiring:
    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue, self.state = catalogue, _Connections()

    def server(self) -> Server[Any]:
        made: Server[Any] = Server(
            self.catalogue.name,
            version=self.catalogue.version,
            instructions=self.catalogue.instructions,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_subscribe_resource=self.subscribe,
            on_unsubscribe_resource=self.unsubscribe,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
            on_completion=self.complete,
        )
        # Clients of the handshake versions may set a level for the lines they are sent.
        made.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self.set_level)
        return made

    def caller(self, context: Context) -> Caller:
        request = context.request
        session = request.headers.get("mcp-session-id") if request is not None else None
        return Caller(session, context, self.state)

    async def list_tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        offers = await self.catalogue.tools(self.caller(context))
        return types.ListToolsResult(tools=[offer.listed for offer in offers])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = self.caller(context)
        offers = {offer.listed.name: offer for offer in await self.catalogue.tools(caller)}
        if params.name not in offers:
            known = ", ".join(offers)
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name!r}; there are: {known}")
        return await offers[params.name].run(params.arguments or {}, caller)

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return await self.catalogue.resources(self.caller(context), params.cursor if params else None)

    async def list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        made = [
            types.ResourceTemplate(
                uri_template=each.uri, name=each.name, description=each.description, mime_type=each.media_type
            )
            for each in await self.catalogue.templates()
        ]
        return types.ListResourceTemplatesResult(resource_templates=made)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=list(await self.catalogue.read(params.uri, self.caller(context))))

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        watched = _kept(self.state.watched).setdefault(self.caller(context).session, set())
        if len(watched) >= _MOST_WATCHED:
            raise MCPError(types.INVALID_PARAMS, f"{_MOST_WATCHED:,} resources are watched already")
        watched.add(params.uri)
        return types.EmptyResult()

    async def unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self.state.watched.get(self.caller(context).session, set()).discard(params.uri)
        return types.EmptyResult()

    async def set_level(self, context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        _kept(self.state.levels)[self.caller(context).session] = params.level
        return types.EmptyResult()

    async def list_prompts(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list(await self.catalogue.prompts()))

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await self.catalogue.prompt(params.name, params.arguments or {}, self.caller(context))

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        reference = params.ref.name if isinstance(params.ref, types.PromptReference) else str(params.ref.uri)
        others = (params.context.arguments if params.context else None) or {}
        found = await self.catalogue.complete(
            reference, params.argument.name, params.argument.value, others, self.caller(context)
        )
        shown = list(found[:_MOST_COMPLETIONS])
        completion = types.Completion(values=shown, total=len(found), has_more=len(found) > len(shown))
        return types.CompleteResult(completion=completion)


def _kept(table: dict[str | None, Any]) -> dict[str | None, Any]:
    """The table, with room for one more connection."""
    while len(table) >= _MOST_CONNECTIONS:
        table.pop(next(iter(table)))
    return table
