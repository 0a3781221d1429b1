"""What is made of the replies that models really give."""

from __future__ import annotations

import contextlib
import json
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pageindex.errors import ModelReplyError
from pageindex.llm import Parsed, as_whole, read_object, without_thinking

WANTED = {"sections": [{"title": "A {b}", "page": 3}, {"title": 'say "c"', "page": 4}]}
JSON = json.dumps(WANTED)


@pytest.mark.parametrize(
    "reply",
    [
        JSON,
        f"Sure! ```json\n{JSON}\n``` hope it helps",
        f'<think>maybe {{"sections": []}} or not</think>\n{JSON}',
        f"no opening mark </think>{JSON}",
        f'{JSON}\n\nAnd another: {{"sections": []}}',
        f"For a set {{x}} I propose {JSON}.",
        json.dumps(WANTED, indent=4),
    ],
)
def test_the_first_whole_object_is_taken(reply: str) -> None:
    parsed = read_object(reply)
    assert parsed.value == WANTED
    assert parsed.complete


def test_a_cut_reply_keeps_its_whole_elements() -> None:
    parsed = read_object(JSON[: JSON.index("say") + 2])
    assert parsed.value == {"sections": [{"title": "A {b}", "page": 3}]}
    assert not parsed.complete


@pytest.mark.parametrize(
    "reply",
    [
        '{"headings": [{"title": "1 Scope", "page": 3},],}',
        "{'headings': [{'title': '1 Scope', 'page': 3}]}",
        '{headings: [{title: "1 Scope", page: 3}]}',
        '{"headings": [{"title": "1 Scope", "page": 3}] // all of them\n}',
        '```json\n{"headings": [{"title": "1 Scope" "page": 3}]}\n```',
    ],
)
def test_an_object_that_closes_and_is_no_json_is_repaired(reply: str) -> None:
    assert read_object(reply) == Parsed({"headings": [{"title": "1 Scope", "page": 3}]})


def test_what_is_cut_off_is_never_closed_in_the_middle_of_a_title() -> None:
    found = read_object('{"headings": [{"title": "1 Scope", "page": 3}, {"title": "3 Ru')
    assert found == Parsed({"headings": [{"title": "1 Scope", "page": 3}]}, complete=False)


@given(st.integers(min_value=0, max_value=len(JSON) - 1))
def test_any_cut_gives_a_prefix_or_a_clear_error(cut: int) -> None:
    try:
        parsed = read_object(JSON[:cut])
    except ModelReplyError:
        assert cut <= JSON.index("}, ")
        return
    assert not parsed.complete
    got = parsed.value["sections"]
    assert got == WANTED["sections"][: len(got)]


@pytest.mark.parametrize(
    "reply", ["", "  ", "<think>only this", "I cannot do that.", "[1, 2]", "{}", "{not json}", "{" * 5000]
)
def test_a_reply_without_an_object_is_an_error(reply: str) -> None:
    with pytest.raises(ModelReplyError):
        read_object(reply)


@given(st.text(alphabet='{}[]",:\\ab1 \n<think>/', max_size=200))
def test_no_reply_crashes(reply: str) -> None:
    with contextlib.suppress(ModelReplyError):
        assert read_object(reply).value


def test_thinking_is_stripped() -> None:
    assert without_thinking("<think>a</think>b<Thinking>c</Thinking>d") == "bd"
    assert without_thinking("b<think>never closed") == "b"


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (3, 3),
        (3.0, 3),
        ("3", 3),
        ("3.0", 3),
        ("p. 3", 3),
        ("page 12", 12),
        (3.5, None),
        (True, None),
        ("iv", None),
        (None, None),
        ("3-4", None),
        (random, None),
    ],
)
def test_page_numbers_are_coerced(value: object, wanted: int | None) -> None:
    assert as_whole(value) == wanted


@pytest.mark.parametrize(
    "reply",
    ["{ " * 1_000_000, "[{" * 1_000_000, '{"a": ' * 300_000, '{"' * 1_000_000, "<think>" * 300_000, '{"a": "' + "\\" * 2_000_000]
)  # fmt: skip
def test_a_hostile_reply_is_given_up_in_no_time(reply: str) -> None:
    began = time.process_time()
    with pytest.raises(ModelReplyError):
        read_object(reply)
    assert time.process_time() - began < 3


def test_a_lone_surrogate_is_mended_and_a_pair_joined() -> None:
    value = read_object(r'{"summary": "a \ud800 b \ud83d\ude00", "\udc00": ["\udfff"]}').value
    assert value == {"summary": "a � b \U0001f600", "�": ["�"]}


def test_a_number_too_long_for_python_is_no_crash() -> None:
    assert as_whole(read_object('{"page": ' + "9" * 10_000 + "}").value["page"]) is None
