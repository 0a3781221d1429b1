"""A model whose context is smaller than the prompts that it is given."""

from __future__ import annotations

from pageindex.config import Optimize, Secret, Settings, SummaryMode
from pageindex.document import SummaryKind
from pageindex.llm import Backoff, Model
from pageindex.refine import RefineStatus, refine
from pageindex.text.tokens import count_tokens
from tests.refine.test_refine import BOOK, TREE, honest
from tests.support.model_server import Answer, Asked, ModelServer

CONTEXT = 1_500


def test_a_prompt_that_is_too_long_is_asked_in_halves() -> None:
    read: list[str] = []

    def behave(asked: Asked) -> Answer:
        if count_tokens(asked.prompt) > CONTEXT:
            words = (
                f"This model's maximum context length is {CONTEXT} tokens. Please reduce the length of the messages."
            )
            return Answer(status=400, error=words)
        read.append(asked.prompt)
        return Answer(honest(asked.prompt))

    with ModelServer(behave) as server:
        settings = Settings(
            model="m",
            base_url=server.base_url,
            api_key=Secret("right-key"),
            optimize=Optimize.FULL,
            summaries=SummaryMode.MODEL,
            expand_tokens=1_500,
        )
        refined = refine(BOOK, TREE, settings, Model(settings, backoff=Backoff(2, base=0.01)))
        assert len(read) < server.calls  # some were too long
    assert refined.status is RefineStatus.COMPLETED, refined.problems
    assert [child.title for child in refined.tree.sections[0].children if child.title.startswith("1.")] != []
    assert refined.summaries.sections[refined.tree.sections[0].node_id].kind is SummaryKind.MODEL
    said = "\n".join(read)
    assert all(f"[page {page}]" in said for page in range(1, BOOK.page_count + 1))
