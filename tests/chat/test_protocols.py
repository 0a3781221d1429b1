"""Envelopes that the real packages parse, and histories of every protocol that come back unchanged."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pageindex.chat import ChatOptions, chat, chat_stream, open_session
from pageindex.chat.protocols import Protocol, to_messages
from pageindex.config import ToolMode
from pageindex.errors import SettingsError
from tests.support.chat_library import report_library
from tests.support.chat_server import GOOD, QUESTION, calls, read, serving

anthropic_types = pytest.importorskip("anthropic.types")
openai_chat = pytest.importorskip("openai.types.chat")
openai_responses = pytest.importorskip("openai.types.responses")

SCRIPT = [
    calls(("get_document_structure", {}), ("get_page_content", {"pages": "3"}), text="Let me look."),
    "Revenue was 999.",
    f"Revenue was 4,512 million: {GOOD}",
]


def ask(
    protocol: str, messages: Any = QUESTION, script: Any = None, **options: Any
) -> tuple[dict[str, Any], list[Any]]:
    library, _ = report_library()
    with serving(script or SCRIPT) as (model, server):
        found = chat(open_session(library), messages, model, protocol=protocol, options=ChatOptions(**options))
    assert isinstance(found, dict)
    return found, server.asked


def test_chat_completions_is_parsed_by_openai() -> None:
    found, asked = ask("chat_completions")
    parsed = openai_chat.ChatCompletion.model_validate(found)
    assert parsed.choices[0].message.content.startswith("Revenue was 4,512 million")
    assert parsed.choices[0].finish_reason == "stop" and parsed.usage.total_tokens > 100
    roles = [turn["role"] for turn in found["turns"]]
    assert roles == ["assistant", "tool", "tool", "assistant", "user", "assistant"]
    sent = [message for message in asked[-1].messages if message["role"] != "system"]
    assert json.loads(json.dumps(found["turns"][:-1])) == sent[1:]
    assert found["pageindex"]["verdict"] == "PASS" and found["pageindex"]["checks"][0]["kind"]


def test_responses_is_parsed_by_openai_and_its_output_can_be_sent_back() -> None:
    found, _ = ask("responses")
    parsed = openai_responses.Response.model_validate(found)
    assert parsed.output_text.startswith("Revenue was 4,512 million")
    assert [item.type for item in parsed.output] == [
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
        "message",
    ]
    history = [{"role": "user", "content": QUESTION}, *found["output"], {"role": "user", "content": "Again?"}]
    back = to_messages(history, Protocol.RESPONSES)
    assert [message["role"] for message in back][-2:] == ["assistant", "user"]
    assert [len(message["tool_calls"]) for message in back if message.get("tool_calls")] == [2]


def test_messages_is_parsed_by_anthropic() -> None:
    found, _ = ask("messages")
    parsed = anthropic_types.Message.model_validate(found)
    assert parsed.content[0].text.startswith("Revenue was 4,512 million")
    assert parsed.stop_reason == "end_turn" and parsed.usage.output_tokens > 0
    roles = [turn["role"] for turn in found["turns"]]
    assert roles == ["assistant", "user", "assistant", "user", "assistant"]
    kinds = [[block["type"] for block in turn["content"]] for turn in found["turns"]]
    assert kinds[0] == ["text", "tool_use", "tool_use"] and kinds[1] == ["tool_result", "tool_result"]


@pytest.mark.parametrize("protocol", list(Protocol))
def test_turns_appended_to_a_conversation_are_understood_again(protocol: Protocol) -> None:
    found, asked = ask(protocol.value)
    first = {"role": "user", "content": QUESTION}
    back = to_messages([first, *found["turns"]], protocol)
    sent = [message for message in asked[-1].messages if message["role"] != "system"]

    def words(messages: list[dict[str, Any]]) -> list[tuple[str, str, list[str]]]:
        rows = [(m["role"], m.get("content") or "", [call["id"] for call in m.get("tool_calls", ())]) for m in messages]
        merged: list[tuple[str, str, list[str]]] = []
        for role, text, ids in rows:  # Responses keeps words and calls of one turn as items of their own
            if merged and merged[-1][0] == role == "assistant":
                merged[-1] = (role, merged[-1][1] + text, merged[-1][2] + ids)
            else:
                merged.append((role, text, ids))
        return merged

    assert words(back)[:-1] == words(sent)


@pytest.mark.parametrize(
    ("protocol", "messages"),
    [
        ("chat_completions", [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]),
        ("responses", [{"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}]),
        ("messages", [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]),
        ("messages", [{"role": "user", "content": QUESTION}]),
    ],
)
def test_questions_come_in_every_spelling(protocol: str, messages: Any) -> None:
    _, asked = ask(protocol, messages)
    assert asked[0].messages[-1] == {"role": "user", "content": QUESTION}


def test_an_answer_that_was_cut_short_says_so_in_each_protocol() -> None:
    for protocol, place in (("chat_completions", "length"), ("responses", "incomplete"), ("messages", "max_tokens")):
        found, _ = ask(protocol, script=[read("3")] * 2, max_turns=1)
        reason = {
            "chat_completions": lambda f: f["choices"][0]["finish_reason"],
            "responses": lambda f: f["status"],
            "messages": lambda f: f["stop_reason"],
        }[protocol](found)
        assert reason == place and found["pageindex"]["finish"] == "max_turns"


def test_system_messages_of_the_caller_are_kept_behind_ours() -> None:
    _, asked = ask("chat_completions", [{"role": "system", "content": "Speak German."}, {"role": "user", "content": QUESTION}])  # fmt: skip
    systems = [message["content"] for message in asked[0].messages if message["role"] == "system"]
    assert len(systems) == 1 and systems[0].endswith("Speak German.") and "search_documents" in systems[0]


def test_an_unknown_protocol_and_a_stream_with_one_are_refused() -> None:
    library, _ = report_library()
    with serving(["x"]) as (model, _):
        with pytest.raises(SettingsError, match="no protocol 'soap'"):
            chat(open_session(library), QUESTION, model, protocol="soap")
        with pytest.raises(SettingsError, match="stream"):
            chat_stream(open_session(library), QUESTION, model, protocol="messages")


def test_json_mode_gives_envelopes_without_tool_calls() -> None:
    step = json.dumps({"tool": "get_page_content", "arguments": {"pages": "3"}})
    final = json.dumps({"tool": "answer", "arguments": {"text": GOOD}})
    found, _ = ask("messages", script=[step, final], mode=ToolMode.JSON)
    anthropic_types.Message.model_validate(found)
    assert [turn["role"] for turn in found["turns"]] == ["assistant", "user", "assistant"]
