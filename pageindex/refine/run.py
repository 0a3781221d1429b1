"""The whole of refining: merge, expand, summarise, describe. One failing section never ends it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pageindex.config import Mode, Optimize, Settings, SummaryMode
from pageindex.document import Edition, Section, Summaries, Summary, SummaryKind, Tree, TreeSource
from pageindex.llm import Model, Usage
from pageindex.llm.loop import run, submit
from pageindex.progress import Progress, ProgressCallback, silent
from pageindex.refine.attempts import Attempts
from pageindex.refine.cost import Costs, Pricing, measure
from pageindex.refine.describe import describe
from pageindex.refine.edit import renumbered, with_sections
from pageindex.refine.expand import grow, proposals_for, worth_asking
from pageindex.refine.merge import merge
from pageindex.refine.own_words import plain_description
from pageindex.refine.result import Problem, Refined, RefineStatus
from pageindex.refine.standard import propose_tree
from pageindex.refine.summarize import Summarizer
from pageindex.refine.validator import HeadingValidator, Proposal, Refusal, heading_lines

__all__ = ["arefine", "effective", "refine"]

T = TypeVar("T")

#: Among calls that wait, the deepest go first, and at one depth summaries before expansions: what is begun is finished.
_FINISH = 0.5


def effective(settings: Settings, model: Model | str | None) -> Settings:
    """The settings with what they leave open decided: with a model everything, without one only what needs none."""
    optimize = settings.optimize or (Optimize.FULL if model else Optimize.OFF)
    if settings.summaries is None:
        return replace(settings, optimize=optimize, summaries=SummaryMode.MODEL if model else SummaryMode.TEXT)
    return replace(settings, optimize=optimize)


def refine(
    edition: Edition,
    tree: Tree,
    settings: Settings,
    model: Model | None = None,
    progress: ProgressCallback = silent,
    cache_dir: Path | None = None,
) -> Refined:
    """Make a tree cheaper to read, and describe it.

    Args:
        edition: What was read.
        tree: Of that edition.
        settings: ``optimize``, ``summaries``, ``mode``, thresholds.
        model: Proposes and summarises; without one, only merging and the sections' own words are to be had.
        progress: Told of every settled section and summary; called from another thread.
        cache_dir: Folder of the reply cache; with it, a run that failed or was killed pays for no reply twice.

    Raises SettingsError when money is limited and the model has no known price. Failures of the model never raise: they are in
    ``Refined.problems`` and ``stopped``, and the tree is valid all the same. Works inside a running event loop, too (which then waits;
    ``arefine`` does not).
    """
    return run(_Run.prepare(edition, tree, settings, model, progress, cache_dir).whole())


async def arefine(
    edition: Edition,
    tree: Tree,
    settings: Settings,
    model: Model | None = None,
    progress: ProgressCallback = silent,
    cache_dir: Path | None = None,
) -> Refined:
    """``refine`` from a coroutine; cancelling the awaiting task cancels the run."""
    return await asyncio.wrap_future(submit(_Run.prepare(edition, tree, settings, model, progress, cache_dir).whole()))


def _section(item: Refusal | Problem) -> str:
    return item.section


async def _together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All results in order. Where one raises, the others are stopped before it is passed on, so that nobody goes on paying."""
    tasks = [asyncio.create_task(item) for item in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


@dataclass
class _Run:
    """One run over one document. It lives on the loop of the models; what counts tokens or looks at pages for long leaves that loop, for
    others are talking there."""

    edition: Edition
    tree: Tree
    settings: Settings
    model: Model | None
    progress: ProgressCallback
    resumable: bool
    pricing: Pricing
    summarizer: Summarizer
    attempts: Attempts
    validator: HeadingValidator
    judging: asyncio.Lock = field(default_factory=asyncio.Lock)
    refusals: list[Refusal] = field(default_factory=list)
    summaries: dict[str, Summary] = field(default_factory=dict)
    added: int = 0
    merged: int = 0
    done: int = 0
    total: int = 0

    @classmethod
    def prepare(
        cls,
        edition: Edition,
        tree: Tree,
        settings: Settings,
        model: Model | None,
        progress: ProgressCallback,
        cache_dir: Path | None,
    ) -> _Run:
        settings = effective(settings, model)
        if model is not None:
            model.check_budget()

        def waits(words: str) -> None:
            progress(Progress(edition.source.name, "refine", note=words))

        scope = model.scope(cache_dir, give_up=True, on_wait=waits) if model is not None else None
        language = settings.language or tree.language or edition.info.get("language", "")
        by_model = scope is not None and settings.summaries is SummaryMode.MODEL
        above = settings.summary_threshold if by_model else None
        pricing = Pricing(edition, settings.outline_tokens, settings.summary_tokens, above)
        printed = tree.language or edition.info.get("language", "")
        summarizer = Summarizer(edition, settings, language, scope, printed)
        return cls(
            edition,
            tree,
            settings,
            scope,
            progress,
            cache_dir is not None,
            pricing,
            summarizer,
            Attempts(scope),
            HeadingValidator(edition),
        )

    async def whole(self) -> Refined:
        before = await asyncio.to_thread(self._costs, self.tree)
        tree = await self._by_model(self.tree)
        if self.settings.optimize is not Optimize.OFF:
            tree = await asyncio.to_thread(self._merge, tree)
        self.validator.known = heading_lines(tree.sections)
        self.total = sum(1 for _ in tree.walk())
        settled = await self._side_by_side(tree.sections, ())
        sections, ids = renumbered(settled)
        tree = with_sections(tree, sections)
        self.summaries = {
            ids[key]: replace(summary, node_id=ids[key]) for key, summary in self.summaries.items() if key in ids
        }
        summaries = await self._described(tree)
        # Sections settle in no fixed order; what is told of them is put into the order of the document.
        self.refusals = sorted((replace(r, section=ids.get(r.section, r.section)) for r in self.refusals), key=_section)
        self.attempts.problems = sorted(
            (replace(p, section=ids.get(p.section, p.section)) for p in self.attempts.problems), key=_section
        )
        after = await asyncio.to_thread(self._costs, tree)
        return self._result(tree, summaries, before, after)

    def _costs(self, tree: Tree) -> Costs:
        plain = self.pricing.without_summaries()
        return measure(plain.nodes(tree.sections), plain.budget)

    # ------------------------------------------------------------ the tree

    async def _by_model(self, tree: Tree) -> Tree:
        """In ``standard`` mode, where the document itself gave nothing: what a model sees in the page texts."""
        if self.settings.mode is not Mode.STANDARD or tree.toc_source is not TreeSource.PAGE:
            return tree
        self._tell("refine", "looking for headings")
        proposed, refusals = await propose_tree(self.validator, tree, self.model, self.settings, self.attempts)
        self.refusals += refusals
        self.added += sum(1 for section, _ in proposed.walk() if section.source is TreeSource.MODEL)
        return proposed

    def _merge(self, tree: Tree) -> Tree:
        merged = merge(tree, self.pricing)
        self.merged += sum(1 for _ in tree.walk()) - sum(1 for _ in merged.walk())
        return merged

    # ------------------------------------------------------------ sections

    async def _side_by_side(self, sections: Sequence[Section], path: tuple[str, ...]) -> tuple[Section, ...]:
        return tuple(await _together(self._settle(section, (*path, section.title)) for section in sections))

    async def _settle(self, section: Section, path: tuple[str, ...]) -> Section:
        """The section after everything below it and then itself is expanded and summarised."""
        asked = asyncio.create_task(self._proposals(section, path))
        try:
            children = await self._side_by_side(section.children, path)
            proposals = await asked
        finally:
            asked.cancel()  # without effect once it is done
        section = section if children == section.children else replace(section, children=children)
        if proposals:
            section = await self._grown(section, proposals, path)
        await self._summarise(section, len(path))
        self.done += 1
        self._tell("refine", section.title)
        return section

    async def _proposals(self, section: Section, path: tuple[str, ...]) -> list[Proposal]:
        if self.model is None or self.settings.optimize is not Optimize.FULL:
            return []
        if not worth_asking(self.pricing.own(section), self.settings):
            return []
        document = self.tree.title or self.edition.source.name
        work = proposals_for(self.edition, section, path, document, self.model, self.settings, -float(len(path)))
        return await self.attempts.attempt(section.node_id, "expand", work) or []

    async def _grown(self, section: Section, proposals: Sequence[Proposal], path: tuple[str, ...]) -> Section:
        async with self.judging:  # what is known of the pages is built up as it is asked for, by one at a time
            grown = await asyncio.to_thread(grow, self.validator, section, proposals, self.pricing, self.settings)
        self.refusals += grown.refusals
        if not grown.changed:
            return section
        new = grown.section.children[: len(grown.section.children) - len(section.children)]
        count = sum(1 for fresh in new for _ in fresh.walk())
        self.added += count
        self.total += count
        await _together(self._summarise_all(fresh, len(path) + 1) for fresh in new)
        return grown.section

    async def _summarise_all(self, section: Section, depth: int) -> None:
        await _together(self._summarise_all(child, depth + 1) for child in section.children)
        await self._summarise(section, depth)
        self.done += 1

    async def _summarise(self, section: Section, depth: int) -> None:
        if self.settings.summaries is SummaryMode.NONE:
            return
        summary = self.summarizer.without_model(section)
        if (
            self.model is not None
            and self.settings.summaries is SummaryMode.MODEL
            and summary.kind is not SummaryKind.TEXT
        ):
            work = self.summarizer.summary(section, self.summaries, -depth - _FINISH)
            summary = await self.attempts.attempt(section.node_id, "summary", work) or summary
        self.summaries[section.node_id] = summary
        self._tell("summaries", section.title)

    # ------------------------------------------------------------ the document

    async def _described(self, tree: Tree) -> Summaries:
        name = self.edition.source.name
        description = plain_description(tree, name)
        if self.model is not None and self.settings.summaries is SummaryMode.MODEL:
            language = self.summarizer.language
            work = describe(tree, name, self.summaries, self.settings, language, self.model)
            description = await self.attempts.attempt("", "description", work) or description
        text, kind, model = description
        ordered = {s.node_id: self.summaries[s.node_id] for s, _ in tree.walk() if s.node_id in self.summaries}
        return Summaries(self.edition.id, ordered, text, kind, model)

    def _result(self, tree: Tree, summaries: Summaries, before: Costs, after: Costs) -> Refined:
        attempts = self.attempts
        status = RefineStatus.COMPLETED
        if attempts.problems:
            status = RefineStatus.PARTIAL if attempts.succeeded else RefineStatus.FAILED
        return Refined(
            tree=tree,
            summaries=summaries,
            before=before,
            after=after,
            refusals=tuple(self.refusals),
            usage=self.model.usage if self.model is not None else Usage(),
            status=status,
            problems=tuple(attempts.problems),
            stopped=attempts.stopped,
            merged=self.merged,
            added=self.added,
            resumable=self.resumable and bool(attempts.problems),
        )

    def _tell(self, stage: str, note: str) -> None:
        if self.model is not None:
            usage = self.model.usage
            spent = f"{usage.tokens:,} tokens" + (f", ${usage.usd:.4f}" if usage.usd else "")
            note = f"{note} · {spent}"
        made = len(self.summaries) if stage == "summaries" else self.done
        self.progress(Progress(self.edition.source.name, stage, min(made, self.total), self.total, note))
