"""The answer as people read it: marks where evidence stands, then the evidence, what is not verified, and what was read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pageindex.chat.answer import Finish
from pageindex.chat.findings import Finding, Report
from pageindex.chat.judging import Judgement
from pageindex.chat.markup import parse
from pageindex.evidence.status import Weight

__all__ = ["assemble", "partial_text"]

UNVERIFIED = " [unverified]"
_CUT = {
    Finish.TRUNCATED: "The answer was cut off at the model's length limit.",
    Finish.REFUSED: "The model refused, or its provider's filter cut the answer off.",
}
_QUOTE_CHARS = 240


def assemble(
    body: str,
    report: Report,
    coverage: Sequence[str],
    finish: Finish = Finish.ANSWERED,
    judgement: Judgement | None = None,
) -> str:
    """``body`` with a footnote mark behind everything that holds and a warning behind everything that does not, and the lists of both."""
    notes = [
        finding
        for finding in report.findings
        if finding.holds and (finding.kind in ("quote", "absence") or finding.status == "seen")
    ]
    failing = report.failing
    parts = [_marked(body, notes, failing)]
    if notes:
        parts.append("\n".join(["**Evidence**", "", *(f"[^{n}]: {_note(f)}" for n, f in enumerate(notes, start=1))]))
    if failing:
        parts.append("\n".join(["**Not verified**", "", *(f"- {problem(finding)}" for finding in failing)]))
    if finish in _CUT:
        parts.append(f"**Not whole**\n\n- {_CUT[finish]}")
    if not report.shows_anything:
        parts.append("**Not verified**\n\n- Nothing in this answer is tied to the text of a document.")
    if report.summary:
        parts.append(f"**Checked**\n\n- {report.verdict.value}. {report.summary}")
    if judgement is not None:
        parts.append(f"**Judged by a model**\n\n- {judgement}")
    if coverage:
        parts.append("\n".join(["**Read**", "", *(f"- {line}" for line in coverage)]))
    return "\n\n".join(parts)


def _marked(body: str, notes: Sequence[Finding], failing: Sequence[Finding]) -> str:
    """The body with tags written out for people, and marks behind what was checked."""
    changes = [(finding.end, finding.end, f"[^{n}]") for n, finding in enumerate(notes, start=1)]
    changes += [(finding.end, finding.end, UNVERIFIED) for finding in failing]
    changes += [
        (start, end, words)
        for start, end, words in _tags(
            body, {(finding.start, finding.end) for finding in notes if finding.kind == "quote"}
        )
    ]
    for start, end, words in sorted(changes, reverse=True):
        body = body[:start] + words + body[end:]
    return body.strip()


def _tags(body: str, shown: set[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    marks = parse(body)
    for absence in marks.absences:
        yield absence.start, absence.end, f"(looked for: {'; '.join(absence.words)})"
    for citation in marks.citations:
        if (citation.start, citation.end) in shown:
            yield citation.start, citation.end, ""
        elif body[citation.start] == "<":
            document = f"{citation.document}, " if citation.document else ""
            yield citation.start, citation.end, f"[{document}p. {citation.pages}]"


def _note(finding: Finding) -> str:
    if finding.kind == "absence":
        return f"absent · {finding.message}"
    where = _where(finding)
    if finding.status == "seen":
        return f"{where}: picture · seen by the model · {finding.message}"
    handles = " ".join(str(piece.handle) for piece in finding.evidence)
    status = (
        finding.status if finding.weight is Weight.PASS else f"{finding.status} ({finding.message or 'look at it'})"
    )
    under = f" ({finding.message})" if finding.weight is Weight.PASS and finding.message else ""
    return f"{where}: “{_short(finding.text)}”{under} · {status} · {handles}"


def _where(finding: Finding) -> str:
    label = f" (printed {finding.label})" if finding.label else ""
    section = f", {finding.section}" if finding.section else ""
    return f"{finding.document}, p. {finding.page}{label}{section}"


def problem(finding: Finding) -> str:
    """One line on what does not hold, for people and for the model alike."""
    shown = f"“{_short(finding.text)}”" if finding.kind in ("quote", "absence", "sentence") else _short(finding.text)
    return f"{finding.kind} {shown}: {finding.status.replace('_', ' ')}" + (
        f" – {finding.message}" if finding.message else ""
    )


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTE_CHARS else f"{flat[:_QUOTE_CHARS]}…"


def partial_text(reason: str, read: Sequence[str]) -> str:
    """What is given where no answer was reached: why, and where it was looked."""
    if not read:
        return f"No answer was reached: {reason}. Nothing was read."
    listed = "\n".join(f"- {line}" for line in read)
    return f"No answer was reached: {reason}. This was read, and the answer may stand there:\n{listed}"
