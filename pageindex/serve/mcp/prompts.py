"""Prompts that a person picks in a host: a question answered with checked quotes, and an answer checked."""

from __future__ import annotations

from collections.abc import Mapping

import mcp_types as types
from mcp.shared.exceptions import MCPError

from pageindex.app.reader import Reader
from pageindex.chat import citation_prompt
from pageindex.chat.prompts import READING
from pageindex.errors import PageIndexError

__all__ = ["PROMPTS", "filled", "instructions"]

_DOCUMENT = types.PromptArgument(
    name="document", description="A document's name or id. Left out, all documents may be read.", required=False
)
PROMPTS = (
    types.Prompt(
        name="answer_with_citations",
        title="Answer with citations",
        description="Answer a question from the documents, each fact with words of the page that can be checked.",
        arguments=[
            types.PromptArgument(name="question", description="What is asked.", required=True),
            _DOCUMENT,
        ],
    ),
    types.Prompt(
        name="check_answer",
        title="Check an answer",
        description="Check the quotes, numbers and absences of a text against the documents.",
        arguments=[
            types.PromptArgument(name="text", description="The text to check.", required=True),
            _DOCUMENT,
        ],
    ),
)


def instructions() -> str:
    """What a host tells its model of this server."""
    return READING


def filled(name: str, arguments: Mapping[str, str], reader: Reader) -> types.GetPromptResult:
    """A prompt with its arguments.

    Raises:
        MCPError: There is no such prompt or document, or a needed argument is missing.
    """
    found = next((each for each in PROMPTS if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in PROMPTS)
        raise MCPError(types.INVALID_PARAMS, f"there is no prompt {name!r}; there are: {known}")
    for each in found.arguments or ():
        if each.required and not arguments.get(each.name, "").strip():
            raise MCPError(types.INVALID_PARAMS, f"{name} needs {each.name}: {each.description}")
    text = _answer(arguments) if name == "answer_with_citations" else _check(arguments)
    message = types.PromptMessage(role="user", content=types.TextContent(text=f"{text}{_where(arguments, reader)}"))
    return types.GetPromptResult(description=found.description, messages=[message])


def _where(arguments: Mapping[str, str], reader: Reader) -> str:
    if not arguments.get("document", "").strip():
        return ""
    try:
        record = reader.resolve(arguments["document"])
    except PageIndexError as error:
        raise MCPError(types.INVALID_PARAMS, f"{error.message}. {error.next_step}", {"code": error.code}) from error
    return f"\n\nRead the document with doc_id {record.doc_id} only."


def _answer(arguments: Mapping[str, str]) -> str:
    return f"{READING}\n\n{citation_prompt()}\n\nThe question:\n{arguments['question']}"


def _check(arguments: Mapping[str, str]) -> str:
    return (
        "Check this text against the documents. For each statement find the place (search_documents, get_page_content), then call "
        "check_claims with the words and numbers that carry it, and report each verdict as it was given, with its page. Say which "
        f"statements rest on nothing.\n\nThe text:\n{arguments['text']}"
    )
