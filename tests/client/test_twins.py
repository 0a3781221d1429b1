"""The client of coroutines is the client: the same names, arguments and descriptions, and each call is to be awaited."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import pytest

from pageindex.client import AsyncPageIndexClient, PageIndexClient
from pageindex.store.memory import MemoryLibrary

CONTEXT = {"__enter__": "__aenter__", "__exit__": "__aexit__"}


def public(client: type) -> dict[str, Any]:
    """Everything that the class and its bases offer, without what ``object`` has."""
    return {name: getattr(client, name) for name in dir(client) if not name.startswith("_")}


def test_the_twins_offer_the_same_names() -> None:
    own = {"sync"}
    ours = set(public(AsyncPageIndexClient)) - own
    attributes = {"index_settings", "chat_settings"}  # looked up by ``sync``, from files
    assert ours == set(public(PageIndexClient)) - attributes
    assert {name for name in CONTEXT.values() if hasattr(AsyncPageIndexClient, name)} == set(CONTEXT.values())


METHODS = sorted(name for name, value in public(PageIndexClient).items() if inspect.isfunction(value))


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_its_twin(name: str) -> None:
    one, other = getattr(PageIndexClient, name), getattr(AsyncPageIndexClient, name)
    assert shape(one) == shape(other)
    assert inspect.iscoroutinefunction(other) or inspect.isasyncgenfunction(other), "it never holds the event loop"
    assert inspect.isgeneratorfunction(one) == inspect.isasyncgenfunction(other)
    assert other.__doc__


def shape(method: Callable[..., Any]) -> list[tuple[str, Any, Any]]:
    """Names, kinds and defaults of the parameters."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(method).parameters.values()][1:]


def test_the_twins_are_made_alike() -> None:
    assert inspect.signature(PageIndexClient) == inspect.signature(AsyncPageIndexClient)
    made = AsyncPageIndexClient("a/b", library=MemoryLibrary())
    assert (made.index_model, made.chat_model) == ("a/b", None)
    assert repr(made) == f"Async{made.sync!r}"
    with pytest.raises(TypeError):
        AsyncPageIndexClient(storage="x")  # type: ignore[call-arg]


def test_a_call_leaves_the_event_loop_free() -> None:
    async def both() -> tuple[int, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0.01)

        async with AsyncPageIndexClient(library=MemoryLibrary()) as client:
            clock = asyncio.create_task(tick())
            done = await client.submit_document(b"# Title\n\nWords.\n", name="note.md")
            clock.cancel()
        return ticks, done["page_count"]

    ticks, pages = asyncio.run(both())
    assert pages == 1
    assert ticks > 5, "a worker starts in the meantime"
