"""What there is to say of a search beside its hits: what could not be searched, words that stand nowhere, places that were named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pageindex.document.pagespec import format_pages
from pageindex.errors import NotFoundError, StoreError
from pageindex.store.base import Library, Pointed, SearchResult

__all__ = ["remarks"]

MOST_DOCUMENTS = 5  #: Whose pages without text are named.
MOST_PLACES = 4  #: Of a pointer.


def remarks(library: Library, found: SearchResult, *, one: bool) -> Iterator[str]:
    """Sentences about a search, in the order in which they matter; ``one`` says that it was of a single document."""
    where = "in this document" if one else "in the documents that were searched"
    unsearched = {doc_id: pages for doc_id, pages in found.pages_without_text.items() if pages}
    for doc_id, pages in list(unsearched.items())[:MOST_DOCUMENTS]:
        yield _not_searched(library, doc_id, pages, found.pages_scanned.get(doc_id, 0))
    if len(unsearched) > MOST_DOCUMENTS:
        yield f"Pages of {len(unsearched) - MOST_DOCUMENTS} more documents could not be searched."
    if any(found.pages_scanned.values()) or not unsearched:
        yield from _absent(found, where + (" on the pages that could be searched" if unsearched else ""))
    for pointed in found.pointed:
        yield _led(library, pointed, where)


def _absent(found: SearchResult, where: str) -> Iterator[str]:
    bare = [f'"{absent.word}"' for absent in found.absent if not absent.near]
    if bare:
        words = bare[0] if len(bare) == 1 else f"{', '.join(bare[:-1])} and {bare[-1]}"
        yield f"{words} {'stands' if len(bare) == 1 else 'stand'} nowhere {where}."
    for absent in found.absent:
        if absent.near:
            near = " or ".join(f'"{word}"' for word in absent.near)
            yield f'"{absent.word}" stands nowhere {where}; {near} was looked for instead.'


def _not_searched(library: Library, doc_id: str, numbers: Sequence[int], scanned: int) -> str:
    name = _name(library, doc_id)
    look = "look at them (`pageindex image`, get_page_image), or check a quote on one with `pageindex locate --ocr`"
    if not scanned:
        return (
            f"No page of {name} has text that could be searched: all {len(numbers)} are pictures or unreadable; {look}."
        )
    word = "page" if len(numbers) == 1 else "pages"
    return f"Not searched: {word} {format_pages(numbers)} of {name}, pictures or unreadable; {look}."


def _led(library: Library, pointed: Pointed, where: str) -> str:
    if not pointed.places:
        return f"{pointed.text} was not found {where}."
    documents = {place.doc_id for place in pointed.places}
    parts = []
    for place in pointed.places[:MOST_PLACES]:
        label = _label(library, place.doc_id, place.page)
        of = f" of {_name(library, place.doc_id)}" if len(documents) > 1 else ""
        parts.append(f"page {place.page}{label}{of} ({place.how})")
    more = f" and {len(pointed.places) - MOST_PLACES} more" if len(pointed.places) > MOST_PLACES else ""
    return f"{pointed.text} is {', '.join(parts)}{more}."


def _label(library: Library, doc_id: str, page: int) -> str:
    try:
        label = library.edition(doc_id).page(page).printed_label
    except (StoreError, NotFoundError):
        return ""
    return f", printed {label}" if label else ""


def _name(library: Library, doc_id: str) -> str:
    try:
        return library.get(doc_id).name
    except (StoreError, NotFoundError):
        return doc_id
