"""``check_claims``: quotes and numbers against the pages, and against what was delivered to this reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta

from pageindex.app.checks import check, parse
from pageindex.app.document import OpenDocument
from pageindex.app.reader import Reader
from pageindex.errors import PageIndexError, PageRangeError
from pageindex.evidence.claims import ClaimCheck
from pageindex.evidence.status import QuoteStatus, Verdict, Weight
from pageindex.tools.coverage import coverage_line
from pageindex.tools.declare import tool
from pageindex.tools.envelope import Call, Envelope, Refusal, call, success
from pageindex.tools.results import ClaimsResult
from pageindex.tools.shown import clean

__all__ = ["check_claims"]

_MOST_OTHERS = 5  # further open documents in which a missing quote is sought


class QuoteClaim(TypedDict):
    """Words that are said to stand in the document."""

    text: Annotated[str, Meta(description="Words copied from the page.")]
    page: NotRequired[Annotated[int, Meta(description="The page they stand on.", ge=1)]]
    page_end: NotRequired[Annotated[int, Meta(description="The page on which they end, if that is another one.", ge=1)]]
    handle: NotRequired[Annotated[str, Meta(description="A handle copied from a tool's reply.")]]


class NumberClaim(TypedDict):
    """A number that is said to stand in the document, or to follow from numbers that do."""

    as_printed: Annotated[str, Meta(description="The number as the page prints it.")]
    row: NotRequired[Annotated[str, Meta(description="Label of its table row.")]]
    column: NotRequired[Annotated[str, Meta(description="Head of its table column.")]]
    expr: NotRequired[
        Annotated[
            str,
            Meta(
                description="How it was computed from the numbers before it, n1 being the first, such as round(n1 / n2 - 1, 3)."
            ),
        ]
    ]


class ClaimToCheck(TypedDict):
    """A sentence with what it rests on."""

    text: Annotated[str, Meta(description="The sentence you want to state.")]
    quotes: list[QuoteClaim]
    numbers: NotRequired[list[NumberClaim]]


@tool(simple=[], in_loop=False)
def check_claims(
    reader: Reader, claims: Annotated[Sequence[ClaimToCheck], Meta(min_length=1)], doc_name: str | None = None
) -> Annotated[Envelope, ClaimsResult]:
    """Check quotes and numbers against the pages before you state them.

    Args:
        claims: What you want to state, about one document; a quote or a number may be a bare string.
        doc_name: A document's name or doc_id. May be left out when there is only one document.

    Returns:
        `doc_name, doc_id, verdict, not_judged, claims: [{id, text, verdict, quotes, numbers, sentence, uncovered}], coverage`, each with typed statuses
    """
    document = reader.open(doc_name)
    example = call("get_page_content", doc_name=document.name, pages="1")
    try:
        others = reader.others(document, _MOST_OTHERS)
        result = check(document, parse(claims), ledger=reader.ledger(document.edition.id), others=others)
    except PageRangeError as error:
        raise Refusal(error, example, valid_pages=f"1-{document.record.page_count}") from error
    except PageIndexError as error:
        raise Refusal(error, example) from error
    data = {
        "doc_name": clean(document.name),
        "doc_id": document.record.doc_id,
        "verdict": result.verdict.value,
        "not_judged": result.not_judged,
        "claims": [_brief(item) for item in result.checks],
        "coverage": coverage_line(reader, document),
    }
    if result.verdict is Verdict.PASS:
        return success(data, "Every quote and number holds.", ["State them, with their pages."])
    return success(data, "Correct what does not hold, or leave it out.", _repairs(document, result.checks))


def _brief(item: ClaimCheck) -> dict[str, Any]:
    """The check without what a reader cannot use: spans and hashes are in the handles."""
    full = item.to_json()
    for quote in full["quotes"]:
        for key in ("spans", "edition", "places"):
            quote.pop(key, None)
    return full


def _repairs(document: OpenDocument, checks: Sequence[ClaimCheck]) -> list[str | Call]:
    """For every quote that does not hold, where to look instead; each place once."""
    options: list[str | Call] = []
    for located in (quote for item in checks for quote in item.quotes):
        proposal: Call | None = None
        if located.status is QuoteStatus.UNREAD and located.page is not None:
            proposal = call("get_page_content", doc_name=document.name, pages=str(located.page))
        elif located.found_pages and located.weight is Weight.FAIL:
            proposal = call("get_page_content", doc_name=document.name, pages=str(located.found_pages[0]))
        elif located.weight is Weight.FAIL:
            words = " ".join(located.quote.split()[:12])
            proposal = call("search_documents", query=words, doc_name=document.name)
        if proposal is not None and proposal not in options:
            options.append(proposal)
    return options or ["Quote the words that hold the numbers, or give row and column of each."]
