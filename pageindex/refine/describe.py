"""One sentence on the whole document."""

from __future__ import annotations

from collections.abc import Mapping

from pageindex.config import Settings
from pageindex.document import Summary, SummaryKind, Tree
from pageindex.llm import Message, Model, ask
from pageindex.refine.own_words import Description, plain_description
from pageindex.refine.prompts import DESCRIPTION_FORMAT, describe_messages
from pageindex.refine.summarize import read_text, stray_figures
from pageindex.refine.windows import Piece
from pageindex.text.tokens import count_tokens, cut_tokens

__all__ = ["describe"]


async def describe(
    tree: Tree, name: str, summaries: Mapping[str, Summary], settings: Settings, language: str, model: Model
) -> Description:
    """With a model, from the outline. A sentence with figures that the outline does not hold is not taken.

    Raises whatever the model raises.
    """
    outline = _outline(tree, summaries, settings.prompt_tokens * 3 // 4)
    messages: list[Message] = describe_messages(tree.title or name, [outline], language)
    sentence = await ask(model, messages, DESCRIPTION_FORMAT, lambda parsed: read_text(parsed, "description"))
    if stray_figures(sentence, f"{tree.title} {name} {outline.text}", tree.language or language, language):
        return plain_description(tree, name)
    return sentence, SummaryKind.MODEL, model.name


def _outline(tree: Tree, summaries: Mapping[str, Summary], budget: int) -> Piece:
    """As many levels of the outline as fit, the upper ones first, the uppermost with their summaries."""
    lines = []
    for section, level in tree.walk():
        summary = summaries.get(section.node_id)
        words = f": {summary.text}" if summary is not None and level == 1 else ""
        lines.append((level, f"{'  ' * (level - 1)}{section.title}{words}"))
    deepest = max(level for level, _ in lines)
    text = ""
    for depth in range(deepest, 0, -1):
        text = "\n".join(line for level, line in lines if level <= depth)
        if count_tokens(text) <= budget:
            break
    text = text[: cut_tokens(text, budget)]
    return Piece(1, text, count_tokens(text))
