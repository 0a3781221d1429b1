"""The one door to language models: retries, concurrency, budget, usage and a reply cache, over LiteLLM (imported when called)."""

from pageindex.llm.budget import Budget
from pageindex.llm.cache import ReplyCache
from pageindex.llm.cancel import Cancellation
from pageindex.llm.messages import Delta, DeltaCallback, Message, Reply, Request, ToolCall
from pageindex.llm.model import Model
from pageindex.llm.provider import Abilities, Provider, TransientFailure
from pageindex.llm.replies import Parsed, as_whole, read_object, without_thinking
from pageindex.llm.retry import Backoff
from pageindex.llm.scripted import Script, ScriptedModel
from pageindex.llm.stream import Stream
from pageindex.llm.structured import ask, json_schema
from pageindex.llm.usage import Usage

__all__ = [
    "Abilities",
    "Backoff",
    "Budget",
    "Cancellation",
    "Delta",
    "DeltaCallback",
    "Message",
    "Model",
    "Parsed",
    "Provider",
    "Reply",
    "ReplyCache",
    "Request",
    "Script",
    "ScriptedModel",
    "Stream",
    "ToolCall",
    "TransientFailure",
    "Usage",
    "as_whole",
    "ask",
    "json_schema",
    "read_object",
    "without_thinking",
]
