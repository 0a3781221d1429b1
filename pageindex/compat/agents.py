"""The tools for agent SDKs: OpenAI Agents, Anthropic's tool runner, the Claude Agent SDK. Each SDK is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from pageindex.chat import agent_instructions, answer_tool_calls
from pageindex.client import PageIndexClient
from pageindex.client.conversing import Documents
from pageindex.document.codec import encode_json
from pageindex.errors import SettingsError
from pageindex.tools import Reader, Tool, tools_of

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["anthropic_runner_config", "as_claude_mcp", "claude_agent_config", "openai_agent_config"]

MAX_TURNS = 10
MAX_TOKENS = 4_096


def openai_agent_config(
    client: PageIndexClient,
    doc_id: Documents = None,
    *,
    include_management: bool = False,
    model: str | None = None,
    model_settings: Any = None,
    name: str = "PageIndex",
) -> dict[str, Any]:
    """``{name, instructions, tools, model?, model_settings?}`` for ``agents.Agent``; the tools are the SDK's own ``FunctionTool``.

    Args:
        client: Whose library is read.
        doc_id: What may be read; None for all.
        include_management: Whether documents may be removed.
        model, model_settings: As ``Agent`` takes them; ``model`` is the client's chat model unless given.
        name: Of the agent.
    """
    agents = _sdk("agents", "openai-agents")
    reader = client.session(doc_id, include_management=include_management)
    config: dict[str, Any] = {
        "name": name,
        "instructions": agent_instructions(reader),
        "tools": [_function_tool(agents, reader, tool) for tool in tools_of(reader)],
    }
    chosen = model or client.chat_model
    return (
        config | ({"model": chosen} if chosen else {}) | ({"model_settings": model_settings} if model_settings else {})
    )


def _function_tool(agents: ModuleType, reader: Reader, tool: Tool[...]) -> Any:
    async def invoke(context: Any, arguments: str) -> str:
        return await _called(reader, tool.name, arguments)

    # The arguments are checked by the tool itself, which says what is near; strict schemas would force a model to fill in all of them.
    return agents.FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.schema(),
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


async def _called(reader: Reader, name: str, arguments: str | Mapping[str, Any]) -> str:
    return await anyio.to_thread.run_sync(_answered, reader, name, arguments)


def _answered(reader: Reader, name: str, arguments: str | Mapping[str, Any]) -> str:
    given = arguments if isinstance(arguments, str) else encode_json(arguments).decode()
    (message,) = answer_tool_calls(reader, [{"function": {"name": name, "arguments": given}}])
    return str(message["content"])


def anthropic_runner_config(
    client: PageIndexClient,
    model: str | None = None,
    doc_id: Documents = None,
    *,
    include_management: bool = False,
    asynchronous: bool = False,
    max_tokens: int | None = None,
    max_turns: int | None = None,
    thinking: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """``{system, tools, max_tokens, max_iterations, model?, thinking?}`` for ``beta.messages.tool_runner``.

    Args:
        client, doc_id, include_management: As ``openai_agent_config``.
        model: As the API names it; a provider before a slash is left out. The client's chat model unless given.
        asynchronous: For ``AsyncAnthropic``.
        max_tokens: Of one reply.
        max_turns: Most rounds of tool calls.
        thinking: As the API takes it.
    """
    anthropic = _sdk("anthropic", "anthropic")
    reader = client.session(doc_id, include_management=include_management)
    kind = anthropic.beta_async_tool if asynchronous else anthropic.beta_tool
    config: dict[str, Any] = {
        "system": agent_instructions(reader),
        "tools": [_runner_tool(kind, reader, tool, asynchronous) for tool in tools_of(reader)],
        "max_tokens": max_tokens or MAX_TOKENS,
        "max_iterations": max_turns or MAX_TURNS,
    }
    chosen = (model or client.chat_model or "").rpartition("/")[2]
    return config | ({"model": chosen} if chosen else {}) | ({"thinking": thinking} if thinking else {})


def _runner_tool(kind: Callable[..., Any], reader: Reader, tool: Tool[...], asynchronous: bool) -> Any:
    if asynchronous:

        async def arun(**arguments: Any) -> str:
            return await _called(reader, tool.name, arguments)

        return kind(arun, name=tool.name, description=tool.description, input_schema=tool.schema())

    def run(**arguments: Any) -> str:
        return _answered(reader, tool.name, arguments)

    return kind(run, name=tool.name, description=tool.description, input_schema=tool.schema())


def as_claude_mcp(
    client: PageIndexClient,
    doc_id: Documents = None,
    *,
    include_management: bool = False,
    server_name: str = "pageindex",
) -> Any:
    """A server of the Claude Agent SDK in this process, for ``mcp_servers``."""
    return _claude_server(client.session(doc_id, include_management=include_management), server_name)


def _claude_server(reader: Reader, server_name: str) -> Any:
    sdk = _sdk("claude_agent_sdk", "claude-agent-sdk")

    async def run(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": await _called(reader, name, arguments)}]}

    made = [sdk.tool(tool.name, tool.description, tool.schema())(partial(run, tool.name)) for tool in tools_of(reader)]
    return sdk.create_sdk_mcp_server(name=server_name, tools=made)


def claude_agent_config(
    client: PageIndexClient,
    doc_id: Documents = None,
    *,
    include_management: bool = False,
    server_name: str = "pageindex",
    model: str | None = None,
) -> dict[str, Any]:
    """``{system_prompt, mcp_servers, allowed_tools, model?}`` for ``ClaudeAgentOptions``; arguments as ``openai_agent_config``."""
    reader = client.session(doc_id, include_management=include_management)
    config: dict[str, Any] = {
        "system_prompt": agent_instructions(reader),
        "mcp_servers": {server_name: _claude_server(reader, server_name)},
        "allowed_tools": [f"mcp__{server_name}"],
    }
    return config | ({"model": model} if model else {})


def _sdk(module: str, package: str) -> ModuleType:
    try:
        return import_module(module)
    except ImportError as error:
        text = f"{package} is not installed"
        raise SettingsError(text, f"Run: pip install {package}", code="MISSING_EXTRA") from error
