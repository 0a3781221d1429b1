"""Forms that draw themselves, directly or by way of others. PDFium follows them until its memory ends; here the circle is opened."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pageindex.reading.pdf.salvage import REFERENCE, Object, Scan, from_header

__all__ = ["without_cycles"]

_FORM = re.compile(rb"/Subtype[\s\0]*/Form(?![A-Za-z0-9])")
_ELSEWHERE = re.compile(rb"/Type[\s\0]*/(?:Page|Pages|Catalog|Font|FontDescriptor)(?![A-Za-z0-9])")


def without_cycles(data: bytes) -> bytes | None:
    """The file without those references by which a form draws itself; None when there is none."""
    scan = Scan(from_header(data))
    forms = {one.number for one in scan.objects.values() if _FORM.search(one.head)}
    cuts = set(_back_edges(scan, forms))
    root = scan.root()
    if not cuts or root is None:
        return None
    patched = bytearray(scan.data)
    made: dict[int, bytes] = {}
    for holder, form in cuts:
        place = scan.objects[holder]
        head = made.get(holder, place.head)
        for found in REFERENCE.finditer(head):
            if int(found[1]) == form:
                size = found.end() - found.start()
                if place.body >= 0:  # of the same length, so that nothing moves
                    at = place.body + found.start()
                    patched[at : at + size] = b"null".ljust(size)
                else:
                    head = head[: found.start()] + b"null".ljust(size) + head[found.end() :]
                    made[holder] = head
    scan.data = bytes(patched)
    return scan.written(root.number, made) if made else scan.data


def _back_edges(scan: Scan, forms: set[int]) -> Iterator[tuple[int, int]]:
    """Each reference that leads back to a form that is being drawn: the object in which it stands, and the form."""
    done: set[int] = set()
    for first in sorted(forms):
        if first in done:
            continue
        path = {first}
        stack = [(first, _drawn_by(scan, scan.objects[first], forms))]
        while stack:
            form, edges = stack[-1]
            edge = next(edges, None)
            if edge is None:
                stack.pop()
                path.discard(form)
                done.add(form)
            elif edge[1] in path:
                yield edge
            elif edge[1] not in done:
                path.add(edge[1])
                stack.append((edge[1], _drawn_by(scan, scan.objects[edge[1]], forms)))


def _drawn_by(scan: Scan, form: Object, forms: set[int]) -> Iterator[tuple[int, int]]:
    """The forms among the resources of a form, each with the object that names it; resources may be objects of their own."""
    seen = {form.number}
    waiting = [form]
    while waiting:
        holder = waiting.pop()
        for found in REFERENCE.finditer(holder.head):
            number = int(found[1])
            if number in forms:
                yield holder.number, number
            elif number not in seen and (one := scan.objects.get(number)) and not _ELSEWHERE.search(one.head):
                seen.add(number)
                waiting.append(one)
