"""Files whose index is lost or lies: the objects are found where they stand, and a new index is written behind the file.

PDFium looks for a header in the first kilobyte, needs a trailer, and believes the number of pages that a file states. pypdf and qpdf
need the trailer too. Here every ``N G obj`` counts, in object streams as well, the last one of a number; the page tree is walked; where
nodes of it are missing, the pages that name them as their parent take their place. What was in the file stays as it is.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

__all__ = ["REFERENCE", "Object", "Salvage", "Scan", "from_header", "page_marks", "salvage"]

_TOKEN = re.compile(rb"(?<!\d)(\d{1,8})[\s\0]+(\d{1,5})[\s\0]+obj(?![a-z])|\bendobj\b|\bstream(\r\n|\n|\r)|\btrailer\b")
_PAGE = re.compile(rb"/Type[\s\0]*/Page(?![A-Za-z0-9])")
_CATALOG = re.compile(rb"/Type[\s\0]*/Catalog(?![A-Za-z0-9])")
_OBJECT_STREAM = re.compile(rb"/Type[\s\0]*/ObjStm\b")
_INDEX_STREAM = re.compile(rb"/Type[\s\0]*/XRef\b")
REFERENCE = re.compile(rb"(\d{1,8})[\s\0]+(\d{1,5})[\s\0]+R\b")
_COUNT = re.compile(rb"(/Count[\s\0]+)(-?\d{1,12})(?![\s\0]+\d+[\s\0]+R)")
_HEADER = re.compile(rb"%PDF-\d\.\d")

MOST_OBJECTS = 2_000_000  #: Looked at in one file.
MOST_UNPACKED = 64 << 20  #: Bytes of one object stream.
LONGEST_DICTIONARY = 1 << 20  #: Bytes before the stream of an object that are looked at.


@dataclass(frozen=True, slots=True)
class Salvage:
    """A file with a new index.

    Attributes:
        data: The file's bytes from its header on, and behind them what was made.
        pages: How many there are.
        by_search: Whether the list of pages was lost, so that they are in the order in which they stand in the file.
    """

    data: bytes
    pages: int
    by_search: bool


def from_header(data: bytes) -> bytes:
    """The file without what stands before its header; offsets count from there."""
    found = _HEADER.search(data)
    return data[found.start() :] if found and found.start() else data


def page_marks(data: bytes) -> int:
    """How many dictionaries of pages there are, in object streams too; those of former versions of the file count as well."""
    count = sum(data.count(name) - data.count(name + b"s") for name in (b"/Type/Page", b"/Type /Page"))
    at = data.find(b"/ObjStm")
    while at >= 0:
        body = data.find(b"stream", at)
        if body < 0:
            break
        end = data.find(b"endstream", body + 6)
        text = _unpacked(data[body + 6 : end if end >= 0 else len(data)].lstrip(b"\r\n"))
        count += len(_PAGE.findall(text))
        at = data.find(b"/ObjStm", end) if end >= 0 else -1
    return count


def salvage(data: bytes) -> Salvage | None:
    """A file with a new index; None when no page can be found, or when its contents are encrypted beyond this."""
    return Scan(from_header(data)).salvage()


def _unpacked(packed: bytes) -> bytes:
    """What a packed stream holds, as far as it can be unpacked."""
    unpacker = zlib.decompressobj()
    parts = []
    try:
        for at in range(0, len(packed), 1 << 16):
            parts.append(unpacker.decompress(packed[at : at + (1 << 16)], MOST_UNPACKED))
            if unpacker.eof or sum(map(len, parts)) > MOST_UNPACKED:
                break
    except zlib.error:
        pass
    return b"".join(parts)


@dataclass(slots=True)
class Object:
    """One object: its dictionary, or what stands in its place, and where object and dictionary begin in the file; -1 when it was in an
    object stream."""

    number: int
    generation: int
    head: bytes
    start: int
    body: int = -1

    def reference(self, key: bytes) -> int:
        """The number of the object that an entry refers to; 0 without one."""
        found = re.search(rb"/" + key + rb"[\s\0]+(\d{1,8})[\s\0]+\d{1,5}[\s\0]+R\b", self.head)
        return int(found[1]) if found else 0


@dataclass
class Scan:
    """The objects of a file, in the order in which they stand."""

    data: bytes
    objects: dict[int, Object] = field(default_factory=dict)
    trailers: list[bytes] = field(default_factory=list)
    packed: list[tuple[Object, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._scan()
        if not self._encryption:
            self._unpack()

    # ------------------------------------------------------------ what is there

    def _scan(self) -> None:
        begun: tuple[int, int, int, int] | None = None  # number, generation, begin, begin of the body
        position = 0
        while len(self.objects) < MOST_OBJECTS and (token := _TOKEN.search(self.data, position)):
            position = token.end()
            if token[1]:
                if begun:
                    self._add(*begun, token.start())
                begun = (int(token[1]), int(token[2]), token.start(), token.end())
            elif token[3]:
                if begun:
                    position = self._stream(*begun, token)
                begun = None
            elif token[0] == b"trailer":
                self.trailers.append(self.data[position : position + 4096].partition(b"startxref")[0])
            else:
                if begun:
                    self._add(*begun, token.start())
                begun = None
        if begun:
            self._add(*begun, len(self.data))

    def _add(self, number: int, generation: int, start: int, body: int, end: int) -> Object:
        head = self.data[body : min(end, body + LONGEST_DICTIONARY)]
        self.objects.pop(number, None)  # so that the order is that of the last of each number
        self.objects[number] = found = Object(number, generation, head, start, body)
        return found

    def _stream(self, number: int, generation: int, start: int, body: int, token: re.Match[bytes]) -> int:
        """Add an object with a stream; gives where the stream ends."""
        found = self._add(number, generation, start, body, token.start())
        first = token.end()
        stated = re.search(rb"/Length[\s\0]+(\d+)(?![\s\0]+\d+[\s\0]+R)", found.head)
        end = first + int(stated[1]) if stated else -1
        if end < 0 or b"endstream" not in self.data[end : end + 16]:
            end = self.data.find(b"endstream", first)
        end = len(self.data) if end < 0 else end
        if _OBJECT_STREAM.search(found.head):
            self.packed.append((found, self.data[first:end]))
        elif _INDEX_STREAM.search(found.head):
            self.trailers.append(found.head)
        return end

    def _unpack(self) -> None:
        """Add the objects of object streams that no later object of the file replaces."""
        for stream, packed in self.packed:
            text = _unpacked(packed) if b"/Filter" in stream.head else packed
            first = _number(stream.head, b"First")
            numbers = [int(word) for word in text[:first].split() if word.isdigit()]
            places = list(zip(numbers[::2], numbers[1::2], strict=False))
            for (number, begin), (_, end) in pairwise([*places, (0, len(text))]):
                known = self.objects.get(number)
                if known is None or known.start < stream.start:
                    self.objects.pop(number, None)
                    self.objects[number] = Object(number, 0, text[first + begin : first + end], -1)

    @cached_property
    def _encryption(self) -> bytes:
        """``/Encrypt`` and ``/ID`` as the trailer gives them."""
        for trailer in reversed(self.trailers):
            if found := re.search(rb"/Encrypt[\s\0]+\d+[\s\0]+\d+[\s\0]+R\b", trailer):
                ident = re.search(rb"/ID[\s\0]*\[.{1,400}?\]", trailer, re.DOTALL)
                return found[0] + b" " + (ident[0] if ident else b"")
        return b""

    # ------------------------------------------------------------ the list of pages

    def root(self) -> Object | None:
        stated = (re.search(rb"/Root[\s\0]+(\d+)[\s\0]", trailer) for trailer in reversed(self.trailers))
        named = [self.objects.get(int(found[1])) for found in stated if found]
        catalogs = [one for one in self.objects.values() if _CATALOG.search(one.head)]
        return next((one for one in (*named, *reversed(catalogs)) if one is not None and one.reference(b"Pages")), None)

    def _kids(self, node: Object) -> list[int] | None:
        """Numbers of the objects below a node; None for a page."""
        at = node.head.find(b"/Kids")
        if at < 0:
            return None
        text = node.head[at + 5 :].lstrip(b" \t\r\n\0\x0c")
        if not text.startswith(b"["):
            found = REFERENCE.match(text)
            listed = self.objects.get(int(found[1])) if found else None
            text = listed.head if listed else b""
        return [int(number) for number, _ in REFERENCE.findall(text.partition(b"]")[0])]

    def _tree(self, top: int) -> tuple[dict[int, int], dict[int, list[int]]]:
        """The pages below each node of the page tree, by count, and the lists of those nodes that had to change.

        Pages without a dictionary count: they are there, and cannot be read.
        """
        children: dict[int, list[int]] = defaultdict(list)
        for one in self.objects.values():
            if _PAGE.search(one.head):
                children[one.reference(b"Parent")].append(one.number)
        counts: dict[int, int] = {}
        mended: dict[int, list[int]] = {}
        seen: set[int] = {top}
        stack = [(top, self._list(top, children, mended) or [], 0)]
        while stack:
            node, kids, at = stack.pop()
            counts.setdefault(node, 0)
            if at == len(kids):
                if stack:
                    counts[stack[-1][0]] += counts[node]
                continue
            stack.append((node, kids, at + 1))
            kid = kids[at]
            if kid in seen:
                continue
            seen.add(kid)
            below = self._list(kid, children, mended)
            if below is None:
                counts[node] += 1
            else:
                stack.append((kid, below, 0))
        return counts, mended

    def _list(self, number: int, children: dict[int, list[int]], mended: dict[int, list[int]]) -> list[int] | None:
        node = self.objects.get(number)
        kids = self._kids(node) if node else None
        if node is None and children.get(number):
            kids = mended[number] = children[number]
        return kids

    # ------------------------------------------------------------ the new index

    def salvage(self) -> Salvage | None:
        root = self.root()
        made: dict[int, bytes] = {}
        pages = 0
        if root is not None:
            counts, mended = self._tree(top := root.reference(b"Pages"))
            pages = counts.get(top, 0)
            readable = any(_PAGE.search(one.head) for one in self.objects.values())
            pages = pages if readable else 0
            made |= {n: _node(mended[n], counts[n]) for n in mended}
            made |= {n: head for n, count in counts.items() if n not in mended and (head := self._recounted(n, count))}
        by_search = not pages
        number = root.number if root else 0
        if by_search:
            found = [one.number for one in self.objects.values() if _PAGE.search(one.head)]
            if not found:
                return None
            pages, number = len(found), max(self.objects) + 2
            made = {number - 1: _node(found, pages), number: b"<< /Type /Catalog /Pages %d 0 R >>" % (number - 1)}
        return Salvage(self.written(number, made), pages, by_search)

    def _recounted(self, number: int, count: int) -> bytes:
        """The dictionary of a node with its true count; empty when it has that already."""
        node = self.objects.get(number)
        stated = _COUNT.search(node.head) if node else None
        if node is None or (stated and int(stated[2]) == count):
            return b""
        if stated:
            return _COUNT.sub(lambda match: match[1] + b"%d" % count, node.head, count=1)
        return node.head.replace(b"<<", b"<< /Count %d " % count, 1)

    def written(self, root: int, made: dict[int, bytes]) -> bytes:
        """The file with a new index, in which some objects are replaced."""
        out = [self.data, b"\n"]
        size = len(self.data) + 1
        places = {one.number: (one.start, one.generation) for one in self.objects.values() if one.start >= 0}
        unpacked = {one.number: one.head for one in self.objects.values() if one.start < 0}
        for number, body in {**unpacked, **made}.items():
            text = b"%d 0 obj\n%s\nendobj\n" % (number, body)
            places[number] = (size, 0)
            out.append(text)
            size += len(text)
        info = next((found[0] for trailer in reversed(self.trailers) if (found := _INFO.search(trailer))), b"")
        head = b"<< /Size %d /Root %d 0 R %s %s >>" % (max(places) + 1, root, info, self._encryption)
        out += [b"xref\n", *_index(places), b"trailer\n", head, b"\nstartxref\n%d\n%%%%EOF\n" % size]
        return b"".join(out)


_INFO = re.compile(rb"/Info[\s\0]+\d+[\s\0]+\d+[\s\0]+R\b")


def _number(head: bytes, key: bytes) -> int:
    found = re.search(rb"/" + key + rb"[\s\0]+(\d{1,9})", head)
    return int(found[1]) if found else 0


def _node(kids: Iterable[int], count: int) -> bytes:
    return b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, b" ".join(b"%d 0 R" % kid for kid in kids))


def _index(places: dict[int, tuple[int, int]]) -> Iterator[bytes]:
    """The sections of a cross-reference table."""
    yield b"0 1\n0000000000 65535 f \n"
    run: list[int] = []
    for number in [*sorted(places), -1]:
        if run and number != run[-1] + 1:
            yield b"%d %d\n" % (run[0], len(run))
            yield from (b"%010d %05d n \n" % places[one] for one in run)
            run = []
        if number > 0:
            run.append(number)
