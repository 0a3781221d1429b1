"""The catalogue that the protocol's conformance suite asks of a server under test, over the wiring that serves libraries.

``python -m tests.support.mcp_fixtures`` serves it on a free port, and prints its address.
"""

from __future__ import annotations

import base64
import json
import socket
import sys
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from pageindex.serve.mcp.transports import run_http
from pageindex.serve.mcp.wiring import Caller, Offer, Template

__all__ = ["FixtureCatalogue"]

Content = types.TextContent | types.ImageContent | types.AudioContent | types.EmbeddedResource
Body = Callable[[Mapping[str, Any], Caller], Awaitable[list[Any]]]
TEXT = types.TextContent
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}


def one_text(name: str) -> dict[str, Any]:
    return {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}


def png() -> str:
    """One white pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0")
    data = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0\xff")) + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


def wav() -> str:
    """One silent sample."""
    body = (
        b"WAVEfmt " + bytes([16, 0, 0, 0, 1, 0, 1, 0, 64, 31, 0, 0, 64, 31, 0, 0, 1, 0, 8, 0]) + b"data\1\0\0\0\x80\0"
    )
    return base64.b64encode(b"RIFF" + len(body).to_bytes(4, "little") + body).decode()


def embedded(uri: str, text: str, media_type: str = "text/plain") -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=media_type, text=text))


def picture() -> types.ImageContent:
    return types.ImageContent(data=png(), mime_type="image/png")


async def simple_text(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    return [TEXT(text="This is a simple text response for testing.")]


async def image(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    return [picture()]


async def audio(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    return [types.AudioContent(data=wav(), mime_type="audio/wav")]


async def resource(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    return [embedded("test://embedded-resource", "This is an embedded resource content.")]


async def mixed(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    data = embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json")
    return [TEXT(text="Multiple content types test:"), picture(), data]


async def logging(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await caller.log("info", line)
        await anyio.sleep(0.05)
    return [TEXT(text="done")]


async def progress(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    for done in (0, 50, 100):
        await caller.progress(done, 100)
        await anyio.sleep(0.05)
    return [TEXT(text="done")]


async def error(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    raise ValueError("This tool intentionally returns an error for testing")


async def sampling(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
    message = types.SamplingMessage(role="user", content=TEXT(text=arguments["prompt"]))
    request = types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))
    reply = await asked(caller, request, types.CreateMessageResult)
    return [TEXT(text=f"LLM response: {reply.content.text}")]


async def asked(caller: Caller, request: Any, result: Any) -> Any:
    """The client's answer, asked for on the stream of the call under way: the client is sure to listen to it."""
    behind = ServerMessageMetadata(related_request_id=caller.context.request_id)
    return await caller.context.session.send_request(request, result, metadata=behind)


async def ask(caller: Caller, message: str, schema: dict[str, Any]) -> types.ElicitResult:
    params = types.ElicitRequestFormParams(message=message, requested_schema=schema)
    request = types.ElicitRequest(params=params)
    return await asked(caller, request, types.ElicitResult)


def asking(schema: dict[str, Any], words: str) -> Body:
    async def run(arguments: Mapping[str, Any], caller: Caller) -> list[Any]:
        reply = await ask(caller, arguments.get("message", "Please fill this in."), schema)
        return [TEXT(text=f"{words}: action={reply.action}, content={json.dumps(reply.content)}")]

    return run


PERSON = {
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    },
    "required": ["username", "email"],
}
DEFAULTS = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
}


def titled(values: Sequence[str], titles: Sequence[str]) -> list[dict[str, str]]:
    return [{"const": value, "title": title} for value, title in zip(values, titles, strict=True)]


OPTIONS, VALUES = ["option1", "option2", "option3"], ["value1", "value2", "value3"]
ENUMS = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": OPTIONS},
        "titledSingle": {
            "type": "string",
            "oneOf": titled(VALUES, ["First Option", "Second Option", "Third Option"]),
        },
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": OPTIONS}},
        "titledMulti": {
            "type": "array",
            "items": {"anyOf": titled(VALUES, ["First Choice", "Second Choice", "Third Choice"])},
        },
    },
}
MODERN = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}},
    },
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}
TOOLS: dict[str, tuple[Body, dict[str, Any]]] = {
    "test_simple_text": (simple_text, NOTHING),
    "test_image_content": (image, NOTHING),
    "test_audio_content": (audio, NOTHING),
    "test_embedded_resource": (resource, NOTHING),
    "test_multiple_content_types": (mixed, NOTHING),
    "test_tool_with_logging": (logging, NOTHING),
    "test_tool_with_progress": (progress, NOTHING),
    "test_error_handling": (error, NOTHING),
    "test_sampling": (sampling, one_text("prompt")),
    "test_elicitation": (asking(PERSON, "User response"), one_text("message")),
    "test_elicitation_sep1034_defaults": (asking(DEFAULTS, "Elicitation completed"), NOTHING),
    "test_elicitation_sep1330_enums": (asking(ENUMS, "Elicitation completed"), NOTHING),
    "json_schema_2020_12_tool": (simple_text, MODERN),
}
RESOURCES: dict[str, types.TextResourceContents | types.BlobResourceContents] = {
    "test://static-text": types.TextResourceContents(
        uri="test://static-text", mime_type="text/plain", text="This is the content of the static text resource."
    ),
    "test://static-binary": types.BlobResourceContents(uri="test://static-binary", mime_type="image/png", blob=png()),
    "test://watched-resource": types.TextResourceContents(
        uri="test://watched-resource", mime_type="text/plain", text="A resource to watch."
    ),
}
PROMPTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
}
_BEGIN, _END = "test://template/", "/data"


def offer(name: str, body: Body, schema: dict[str, Any]) -> Offer:
    async def run(arguments: Mapping[str, Any], caller: Caller) -> types.CallToolResult:
        try:
            return types.CallToolResult(content=await body(arguments, caller))
        except (ValueError, MCPError) as problem:
            return types.CallToolResult(content=[TEXT(text=str(problem))], is_error=True)

    return Offer(types.Tool(name=name, description=f"{name} of the suite", input_schema=schema), run)


class FixtureCatalogue:
    name, version, instructions = "fixtures", "1", "For the conformance suite."

    async def tools(self, caller: Caller) -> Sequence[Offer]:
        return [offer(name, body, schema) for name, (body, schema) in TOOLS.items()]

    async def resources(self, caller: Caller, cursor: str | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[types.Resource(uri=uri, name=uri, mime_type=each.mime_type) for uri, each in RESOURCES.items()]
        )

    async def templates(self) -> Sequence[Template]:
        return [Template(f"{_BEGIN}{{id}}{_END}", "data", "Data of an id.", "application/json")]

    async def read(self, uri: str, caller: Caller) -> Sequence[types.TextResourceContents | types.BlobResourceContents]:
        if uri in RESOURCES:
            return [RESOURCES[uri]]
        if uri.startswith(_BEGIN) and uri.endswith(_END):
            key = uri[len(_BEGIN) : -len(_END)]
            text = json.dumps({"id": key, "templateTest": True, "data": f"Data for ID: {key}"})
            return [types.TextResourceContents(uri=uri, mime_type="application/json", text=text)]
        raise MCPError(types.INVALID_PARAMS, f"no {uri}")

    async def prompts(self) -> Sequence[types.Prompt]:
        def needed(*names: str) -> list[types.PromptArgument]:
            return [types.PromptArgument(name=name, required=True) for name in names]

        return [
            types.Prompt(name=name, description=f"{name} of the suite", arguments=needed(*names))
            for name, names in PROMPTS.items()
        ]

    async def prompt(self, name: str, arguments: Mapping[str, str], caller: Caller) -> types.GetPromptResult:
        contents: list[Any] = {
            "test_simple_prompt": lambda: [TEXT(text="This is a simple prompt for testing.")],
            "test_prompt_with_arguments": lambda: [
                TEXT(text=f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'")
            ],
            "test_prompt_with_embedded_resource": lambda: [
                embedded(arguments["resourceUri"], "Embedded resource content for testing."),
                TEXT(text="Please process the embedded resource above."),
            ],
            "test_prompt_with_image": lambda: [picture(), TEXT(text="Please analyze the image above.")],
        }[name]()
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=each) for each in contents])

    async def complete(
        self, reference: str, argument: str, begun: str, others: Mapping[str, str], caller: Caller
    ) -> Sequence[str]:
        return [f"{begun}1", f"{begun}2"]


if __name__ == "__main__":
    listening = socket.create_server(("127.0.0.1", 0))
    sys.stderr.write(f"serving http://127.0.0.1:{listening.getsockname()[1]}/mcp\n")
    sys.stderr.flush()
    run_http(FixtureCatalogue(), listening, "127.0.0.1")
