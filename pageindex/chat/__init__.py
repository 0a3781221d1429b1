"""Answers from documents: read under a budget, written by any model, checked by code before they are given."""

from pageindex.chat.agents import agent_tools, answer_tool_calls, as_anthropic_tools, as_openai_tools, as_response_tools
from pageindex.chat.answer import Answer, Event, EventType, Finish
from pageindex.chat.ask import Passages, find_passages
from pageindex.chat.citations import Citation, get_citations, resolve_citations
from pageindex.chat.findings import Finding, Report
from pageindex.chat.options import ChatOptions
from pageindex.chat.prompts import agent_instructions, citation_prompt
from pageindex.chat.run import AnswerStream
from pageindex.chat.service import achat, chat, chat_stream, open_session
from pageindex.chat.verify import check_answer

__all__ = [
    "Answer",
    "AnswerStream",
    "ChatOptions",
    "Citation",
    "Event",
    "EventType",
    "Finding",
    "Finish",
    "Passages",
    "Report",
    "achat",
    "agent_instructions",
    "agent_tools",
    "answer_tool_calls",
    "as_anthropic_tools",
    "as_openai_tools",
    "as_response_tools",
    "chat",
    "chat_stream",
    "check_answer",
    "citation_prompt",
    "find_passages",
    "get_citations",
    "open_session",
    "resolve_citations",
]
