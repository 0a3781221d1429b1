"""Expand: a model names the headings of a large section; those that are printed and that pay become its subsections."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pageindex.config import Settings
from pageindex.document import Edition, Section
from pageindex.errors import ModelReplyError, ModelRequestError
from pageindex.llm import Model, Parsed, as_whole, ask
from pageindex.refine.cost import Node, Pricing
from pageindex.refine.edit import nested
from pageindex.refine.merge import merged_sections
from pageindex.refine.prompts import HEADINGS_FORMAT, headings_messages
from pageindex.refine.validator import HeadingValidator, Proposal, Refusal
from pageindex.refine.windows import Window, windows
from pageindex.text.tokens import count_tokens

__all__ = ["Grown", "grow", "pays", "proposals_for", "text_budget", "worth_asking"]

_TYPICAL_ENTRY = 40  # tokens of an outline entry; only for deciding whether to ask at all


def worth_asking(own: int, settings: Settings) -> bool:
    """Whether any split of ``own`` tokens of text could pay.

    The best conceivable split into k equal parts costs ``k · entry + own / k``, which is least, ``2 √(entry · own)``, at
    ``k = √(own / entry)``.
    """
    return own >= settings.expand_tokens and own - 2 * math.sqrt(_TYPICAL_ENTRY * own) >= _least_gain(own, settings)


def _least_gain(own: int, settings: Settings) -> float:
    return max(float(settings.min_gain_tokens), settings.min_gain_ratio * own)


def text_budget(settings: Settings, frame: int) -> int:
    """Tokens of text that fit a prompt whose other words take ``frame`` tokens."""
    return max(200, settings.prompt_tokens - frame - 64)


async def proposals_for(
    edition: Edition,
    section: Section,
    path: Sequence[str],
    document: str,
    model: Model,
    settings: Settings,
    priority: float,
) -> list[Proposal]:
    """What a model says are the headings of a section's own text, window after window.

    Raises whatever the model raises; windows that were answered stay in the reply cache.
    """
    frame = count_tokens(str(headings_messages(document, path, ())))
    found: list[Proposal] = []
    waiting = await asyncio.to_thread(windows, edition, section.own_span, text_budget(settings, frame))
    while waiting:
        window = waiting.pop(0)
        messages = headings_messages(document, path, window.pieces)

        def read(parsed: Parsed, window: Window = window) -> tuple[list[Proposal], bool]:
            return _read_proposals(parsed, window), parsed.complete

        try:
            proposals, complete = await ask(model, messages, HEADINGS_FORMAT, read, priority=priority)
        except ModelRequestError as error:
            if error.code != "CONTEXT_TOO_LONG" or not (halves := window.halves()):
                raise
            waiting[:0] = halves
            continue
        if complete or len(window.pieces) == 1:
            found += proposals
        else:  # cut off: there is more to list than one reply holds, so each half is asked for by itself
            waiting[:0] = window.halves()
    return found


def _read_proposals(parsed: Parsed, window: Window) -> list[Proposal]:
    items = parsed.value.get("headings")
    if not isinstance(items, list):
        raise ModelReplyError('"headings" is missing, or not a list')
    found = []
    for item in items:
        if isinstance(item, dict) and isinstance(title := item.get("title"), str) and title.strip():
            level = as_whole(item.get("level"))
            found.append(Proposal(title.strip(), as_whole(item.get("page")), level or 1, window.pages))
    if items and not found:
        raise ModelReplyError('no item of "headings" has a title')
    return found


@dataclass(frozen=True, slots=True)
class Grown:
    """A section after its proposals were judged: itself where nothing paid."""

    section: Section
    refusals: tuple[Refusal, ...]
    changed: bool


def grow(
    validator: HeadingValidator,
    section: Section,
    proposals: Sequence[Proposal],
    pricing: Pricing,
    settings: Settings,
) -> Grown:
    """Put the admitted proposals before the section's present subsections, all of which are kept, if that pays."""
    span = section.own_span
    headings, refusals = validator.admit(proposals, span, section.node_id)
    if not headings:
        return Grown(section, tuple(refusals), False)
    new = merged_sections(nested(validator.edition, headings, span.end, f"{section.node_id}+"), pricing)
    grown = replace(section, children=(*new, *section.children))
    if pays(pricing.node(section), pricing.node(grown), pricing.own(section), settings):
        return Grown(grown, tuple(refusals), True)
    words = f"{len(headings)} printed headings do not make the section cheaper to read"
    refusals.append(Refusal(section.node_id, "", None, "no_gain", words))
    return Grown(section, tuple(refusals), False)


def pays(before: Node, after: Node, own: int, settings: Settings) -> bool:
    """Whether an expansion is accepted: it saves ``min_gain`` of the expected cost, and is never dearer in the worst case,
    neither than the section was nor than reading it whole."""
    saved = before.expected - after.expected
    return saved >= _least_gain(own, settings) and after.worst <= min(before.worst, before.text)
