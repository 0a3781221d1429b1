"""A tool is declared once: what models, agent frameworks, prompts and documentation are told of it is made from one function."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Any, Literal, NotRequired, TypedDict, get_type_hints

import pytest
from msgspec import Meta

import pageindex.tools
from pageindex.chat import agent_tools, open_session
from pageindex.chat.actions import action_format
from pageindex.chat.prompts import action_instructions
from pageindex.tools import TOOLS, Reader, Tool, call_tool, registry, tool_schemas
from pageindex.tools.declare import DocstringError, tool
from pageindex.tools.envelope import Envelope, success
from tests.support.chat_library import report_library


class Item(TypedDict):
    """A thing."""

    name: Annotated[str, Meta(description="Its name.")]
    count: NotRequired[int]


@tool()
def weigh_pages(
    session: Reader,
    unit: Literal["words", "tokens"],
    items: Sequence[Item] = (),
    where: Mapping[str, Any] | None = None,
    doc_name: str | None = None,
    most: Annotated[int, Meta(ge=1, le=9)] = 5,
    exact: bool = False,
) -> Envelope:
    """Weigh pages. Heavy ones
    come first.

    More for developers.

    Args:
        unit: What to weigh in.
        items: What else
            to weigh.
        where: Metadata.
        doc_name: A document.
        most: How many.
        exact: Whether to count.

    Returns:
        `pages`
    """
    return success({"unit": unit, "items": list(items), "where": where, "most": most, "exact": exact}, "Weighed.")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Reader:
    library, _ = report_library()
    monkeypatch.setattr(registry, "TOOLS", (*TOOLS, weigh_pages))
    return open_session(library)


def test_schema_and_description_are_made_of_signature_and_docstring() -> None:
    assert weigh_pages.name == "weigh_pages"
    assert weigh_pages.description == "Weigh pages. Heavy ones come first."
    assert weigh_pages.returns == "`pages`"
    schema = weigh_pages.schema()
    assert schema["required"] == ["unit"]
    assert schema["additionalProperties"] is False
    made = schema["properties"]
    assert made["unit"] == {"type": "string", "enum": ["tokens", "words"], "description": "What to weigh in."}
    assert made["items"]["description"] == "What else to weigh."
    assert made["items"]["items"]["properties"]["name"] == {"type": "string", "description": "Its name."}
    assert made["items"]["items"]["required"] == ["name"]
    assert made["most"] == {"type": "integer", "minimum": 1, "maximum": 9, "description": "How many."}
    assert made["exact"]["type"] == "boolean"
    assert made["where"]["type"] == "object"


def test_a_new_tool_reaches_every_place_by_itself(session: Reader) -> None:
    assert "weigh_pages" in [schema["function"]["name"] for schema in tool_schemas(session)]
    assert "- weigh_pages(unit): Weigh pages." in action_instructions(session).replace("(unit, doc_name)", "(unit)")
    shapes = action_format(session)["json_schema"]["schema"]["anyOf"]
    assert [shape["properties"]["arguments"]["required"] for shape in shapes if shape["properties"]["tool"]["const"] == "weigh_pages"] == [["unit"]]  # fmt: skip
    plain = {function.__name__: function for function in agent_tools(session)}["weigh_pages"]
    assert '"unit":"words"' in plain("words").replace(" ", "")


def test_a_plain_function_has_the_signature_and_docstring_that_agent_frameworks_read(session: Reader) -> None:
    plain = {function.__name__: function for function in agent_tools(session)}["weigh_pages"]
    signature = inspect.signature(plain)
    assert str(signature).startswith("(unit: Literal['words', 'tokens'], items: list[dict[str, typing.Any]] = ()")
    assert signature.return_annotation is str
    assert get_type_hints(plain)["doc_name"] == str | None
    assert inspect.getdoc(plain) == inspect.cleandoc(
        """
        Weigh pages. Heavy ones come first.

        Args:
            unit: What to weigh in.
            items: What else to weigh.
            where: Metadata.
            doc_name: A document.
            most: How many.
            exact: Whether to count.

        Returns:
            The tool's answer, as text for a model.
        """
    )


@pytest.mark.parametrize(
    ("given", "key", "value"),
    [
        ({"most": "3"}, "most", 3),
        ({"most": 3.0}, "most", 3),
        ({"most": "3.0"}, "most", 3),
        ({"exact": "true"}, "exact", True),
        ({"items": '[{"name": "a"}]'}, "items", [{"name": "a"}]),
        ({"items": [{"other": 1}]}, "items", [{"other": 1}]),
        ({"where": '{"year": 2022}'}, "where", {"year": 2022}),
        ({"most": None}, "most", 5),
    ],
)
def test_arguments_are_taken_as_models_write_them(
    session: Reader, given: dict[str, Any], key: str, value: object
) -> None:
    assert call_tool(session, "weigh_pages", {"unit": "words", **given})[key] == value


@pytest.mark.parametrize(
    ("given", "said", "proposed"),
    [
        ({}, "weigh_pages needs unit", {"unit": "…"}),
        ({"unit": "stones"}, "unit of weigh_pages cannot be 'stones'", {"unit": "…"}),
        ({"unit": "words", "most": 10}, "most of weigh_pages cannot be 10", {"unit": "words"}),
        ({"unit": "words", "most": True}, "cannot be True", {"unit": "words"}),
        ({"unit": "words", "items": ["a"]}, "items of weigh_pages cannot be ['a']", {"unit": "words"}),
        ({"unit": "words", "items": "not json"}, "items of weigh_pages cannot be", {"unit": "words"}),
        ({"unit": "words", "where": [1]}, "where of weigh_pages cannot be [1]", {"unit": "words"}),
        ({"unit": "words", "mosst": 3}, "weigh_pages has no parameter 'mosst'", {"unit": "words", "most": 3}),
    ],
)
def test_wrong_arguments_say_what_is_wanted_and_propose_a_call(
    session: Reader, given: dict[str, Any], said: str, proposed: dict[str, Any]
) -> None:
    answer = call_tool(session, "weigh_pages", given)
    assert said in answer["error"]
    assert answer["errorCode"] == "INVALID_ARGUMENT"
    assert answer["next_steps"]["options"] == [{"tool": "weigh_pages", "arguments": proposed}]
    assert session.spent == 0, "a call that never began costs nothing"


def test_a_call_from_python_is_checked_as_well(session: Reader) -> None:
    assert weigh_pages(session, "words", most=2)["most"] == 2
    assert weigh_pages(session, "words", most=0)["errorCode"] == "INVALID_ARGUMENT"


def test_a_tool_that_does_not_say_what_it_takes_is_refused() -> None:
    @tool()
    def silent(session: Reader, words: str) -> Envelope:
        """Do it.

        Args:
            other: No such one.
        """
        return success({}, "")

    with pytest.raises(DocstringError, match="does not say what words is"):
        silent.schema()
    with pytest.raises(DocstringError, match="no docstring"):

        @tool()
        def mute(session: Reader) -> Envelope:
            return success({}, "")


def test_every_tool_that_is_declared_is_offered_somewhere() -> None:
    declared = {
        item
        for module in iter_modules(pageindex.tools.__path__, "pageindex.tools.")
        for item in vars(import_module(module.name)).values()
        if isinstance(item, Tool)
    }
    assert declared == set(TOOLS)
    for item in TOOLS:
        assert item.description
        assert item.returns, f"{item.name} does not say what it returns"
        assert item.schema()["type"] == "object"
