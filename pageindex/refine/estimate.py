"""What refining would cost, without a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pageindex.config import Mode, Optimize, Settings, SummaryMode
from pageindex.document import Edition, Position, Section, Span, Summary, SummaryKind, Tree, TreeSource
from pageindex.llm import Model
from pageindex.refine.cost import Pricing
from pageindex.refine.expand import text_budget, worth_asking
from pageindex.refine.merge import merge
from pageindex.refine.prompts import describe_messages, headings_messages, summary_messages
from pageindex.refine.run import effective
from pageindex.refine.summarize import Summarizer
from pageindex.refine.windows import windows
from pageindex.text.tokens import count_tokens, method

__all__ = ["Estimate", "Stage", "estimate"]

_TOKENS_PER_HEADING = 30  # of a reply
_PAGES_PER_HEADING = 1.5
_TYPICAL_PAGE = 500  # tokens


@dataclass(frozen=True, slots=True)
class Stage:
    """One kind of call: how many, with how many tokens of prompts and replies together."""

    name: str
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def plus(self, calls: int, prompt: int, completion: int) -> Stage:
        return Stage(self.name, self.calls + calls, self.prompt_tokens + prompt, self.completion_tokens + completion)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated calls and tokens by stage; ``usd`` is None where the model's price is not known.

    Calls on what is there are counted as the run makes them; those on subsections that a model has yet to find are guessed. Repairs, and
    replies already in the cache, are not counted. ``method`` says how tokens were counted.
    """

    model: str
    stages: tuple[Stage, ...]
    usd: float | None
    method: str

    @property
    def calls(self) -> int:
        return sum(stage.calls for stage in self.stages)

    @property
    def prompt_tokens(self) -> int:
        return sum(stage.prompt_tokens for stage in self.stages)

    @property
    def completion_tokens(self) -> int:
        return sum(stage.completion_tokens for stage in self.stages)

    def to_json(self) -> dict[str, Any]:
        """``{model, calls, prompt_tokens, completion_tokens, usd, method, stages}``."""
        return {
            "model": self.model,
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "usd": round(self.usd, 4) if self.usd is not None else None,
            "method": self.method,
            "stages": {
                s.name: {"calls": s.calls, "prompt_tokens": s.prompt_tokens, "completion_tokens": s.completion_tokens}
                for s in self.stages
            },
        }


def estimate(edition: Edition, tree: Tree, settings: Settings, model: Model) -> Estimate:
    """The calls that ``refine`` would make for this tree, were every expansion accepted at one heading per page and a half.

    No call is made and nothing is written; LiteLLM is imported for the price.
    """
    settings = effective(settings, model)
    pricing = Pricing(edition, settings.outline_tokens)
    standard = _standard(edition, pricing, settings, tree)
    if settings.optimize is not Optimize.OFF:
        tree = merge(tree, pricing)
    expand, added = _expand(edition, pricing, settings, tree)
    stages = (standard, expand, *_summaries(edition, pricing, settings, tree, added))
    prompt, completion = sum(s.prompt_tokens for s in stages), sum(s.completion_tokens for s in stages)
    return Estimate(model.name, stages, model.price(prompt, completion), method())


def _asked(text: int, settings: Settings, frame: int) -> tuple[int, int, int]:
    """Calls, prompt and reply tokens of reading ``text`` tokens for headings."""
    calls = -(-text // text_budget(settings, frame))
    headings = text / _TYPICAL_PAGE / _PAGES_PER_HEADING
    reply = round(headings * _TOKENS_PER_HEADING) + 10 * calls
    return calls, text + calls * frame, min(reply, calls * settings.reply_tokens)


def _standard(edition: Edition, pricing: Pricing, settings: Settings, tree: Tree) -> Stage:
    stage = Stage("standard")
    if settings.mode is not Mode.STANDARD or tree.toc_source is not TreeSource.PAGE:
        return stage
    text = pricing.tokens(Span(Position(1, 0), edition.end))
    frame = count_tokens(str(headings_messages(tree.title, (), ())))
    return stage.plus(*_asked(text, settings, frame)) if text else stage


def _expand(edition: Edition, pricing: Pricing, settings: Settings, tree: Tree) -> tuple[Stage, int]:
    """The stage, and how many sections it may add."""
    stage, added = Stage("expand"), 0
    if settings.optimize is not Optimize.FULL:
        return stage, added
    document = tree.title or edition.source.name
    path: list[str] = []
    for section, level in tree.walk():
        path[level - 1 :] = [section.title]
        own = pricing.own(section)
        if worth_asking(own, settings):
            frame = count_tokens(str(headings_messages(document, path, ())))
            calls = len(windows(edition, section.own_span, text_budget(settings, frame)))
            _, prompt, completion = _asked(own, settings, frame)
            stage = stage.plus(calls, prompt, completion)
            added += round(own / _TYPICAL_PAGE / _PAGES_PER_HEADING)
    return stage, added


def _summaries(edition: Edition, pricing: Pricing, settings: Settings, tree: Tree, added: int) -> tuple[Stage, Stage]:
    summaries, description = Stage("summaries"), Stage("description")
    if settings.summaries is not SummaryMode.MODEL:
        return summaries, description
    frame = count_tokens(str(summary_messages("", (), "", settings.summary_tokens)))
    reply = settings.summary_tokens + 10
    summarizer = Summarizer(edition, settings, settings.language or tree.language, None)
    below = {
        section.node_id: Summary(section.node_id, "word " * settings.summary_tokens, SummaryKind.MODEL)
        for section, _ in tree.walk()
    }
    for section, _ in tree.walk():
        if calls := summarizer.planned_calls(section, below):
            text = _summary_source(pricing, section, settings)
            summaries = summaries.plus(calls, text + calls * frame, calls * reply)
    summaries = summaries.plus(added, added * (frame + round(_TYPICAL_PAGE * _PAGES_PER_HEADING)), added * reply)
    outline = min(12 * sum(1 for _ in tree.walk()), settings.prompt_tokens * 3 // 4)
    about = count_tokens(str(describe_messages("", (), "")))
    return summaries, description.plus(1, about + outline, 60)


def _summary_source(pricing: Pricing, section: Section, settings: Settings) -> int:
    """Tokens that a summary is made of: own text and subsections' summaries."""
    return pricing.own(section) + len(section.children) * settings.summary_tokens
