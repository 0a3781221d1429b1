"""A model that fails is not silent in Python."""

from __future__ import annotations

from pageindex import PageIndexClient
from pageindex.store.memory import MemoryLibrary
from tests.support.model_server import Answer, ModelServer

KEY = "a-key-of-ours-0123456789"


def test_the_result_says_why_a_model_gave_nothing() -> None:
    with ModelServer([Answer(status=401, error=f"bad key {KEY}")], repeat=True) as server:
        index = {"model": "m", "base_url": server.base_url, "api_key": KEY}
        client = PageIndexClient(library=MemoryLibrary(), index=index)
        done = client.submit_document(("# Title\n\n" + "Words of it. " * 900).encode(), name="note.md")
    assert done["status"] == "partial"
    (problem,) = done["problems"]
    assert problem["code"] == "MODEL_CREDENTIALS"
    assert "bad key" in problem["message"]
    assert KEY not in str(done)
