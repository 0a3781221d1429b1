"""The tools for other people's agent loops: plain functions, and the shapes of OpenAI and Anthropic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pageindex.chat.rendering import render
from pageindex.errors import ModelReplyError
from pageindex.llm import ToolCall
from pageindex.tools import Reader, Tool, call_tool, tool_schemas, tools_of

__all__ = ["agent_tools", "answer_tool_calls", "as_anthropic_tools", "as_openai_tools", "as_response_tools"]

AgentTool = Callable[..., str]


def agent_tools(session: Reader) -> list[AgentTool]:
    """Each tool as a plain function that returns text for a model: with the tool's name, its typed signature, and its docstring with
    an ``Args`` section, as agent frameworks read them."""
    return [_function(session, tool) for tool in tools_of(session)]


def _function(session: Reader, tool: Tool[...]) -> AgentTool:
    def run(*given: Any, **named: Any) -> str:
        return render(call_tool(session, tool.name, signature.bind_partial(*given, **named).arguments))

    signature = tool.signature()
    run.__name__ = run.__qualname__ = tool.name
    run.__doc__ = tool.docstring()
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()} | {
        "return": str
    }
    return run


def as_openai_tools(session: Reader) -> list[dict[str, Any]]:
    """``tools=`` of Chat Completions."""
    return tool_schemas(session)


def as_response_tools(session: Reader) -> list[dict[str, Any]]:
    """``tools=`` of the Responses protocol."""
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema(),
            "strict": False,
        }
        for tool in tools_of(session)
    ]


def as_anthropic_tools(session: Reader) -> list[dict[str, Any]]:
    """``tools=`` of the Messages protocol."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.schema()}
        for tool in tools_of(session)
    ]


def answer_tool_calls(session: Reader, calls: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Run the ``tool_calls`` of an assistant's message of Chat Completions; returns the tool messages to append."""
    messages = []
    for item in calls:
        function = item.get("function", {})
        asked = ToolCall(str(item.get("id", "")), str(function.get("name", "")), str(function.get("arguments") or "{}"))
        try:
            arguments = asked.parsed()
        except ModelReplyError as error:
            text = f'{{"error": "{error.code}", "message": "arguments are not a JSON object"}}'
        else:
            text = render(call_tool(session, asked.name, arguments))
        messages.append({"role": "tool", "tool_call_id": asked.id, "content": text})
    session.sent(session.receipts())
    return messages
