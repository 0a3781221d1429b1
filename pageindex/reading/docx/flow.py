"""The text of one part of a Word document, in its order, as it is shown: without recursion, since tables may nest by the hundred."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pageindex.document import TextKind
from pageindex.reading.docx.markup import child, integer, name, switch, value
from pageindex.reading.docx.numbering import Numbering
from pageindex.reading.docx.styles import BODY_LEVEL, Properties, Styles, properties
from pageindex.reading.docx.symbols import symbol
from pageindex.reading.draft import Draft, Piece
from pageindex.reading.markup import names
from pageindex.reading.numerals import lowered, raised, roman
from pageindex.reading.typeset import Style
from pageindex.reading.virtual import clean_title

__all__ = ["Flow"]

#: What is in these is not shown: properties, what a reviewer took away, codes of fields, the twin of what stands beside it.
_SKIPPED = names(
    "w:pPr w:rPr w:tblPr w:tblGrid w:trPr w:tcPr w:sectPr w:sdtPr w:sdtEndPr w:del w:moveFrom w:instrText w:delText w:delInstrText "
    "w:smartTagPr w:customXmlPr w:rubyPr w:numPr m:ctrlPr"
)
_REMOVED = frozenset(["w:del", "w:moveFrom"])
_PICTURES = frozenset(["a:blip", "v:imagedata", "c:chart", "dgm:relIds"])
_RAISED_ROMAN = str.maketrans("ivxlc", "ⁱᵛˣˡᶜ")
LONGEST_DATA = 600  #: Characters of a cell of data with several paragraphs.


@dataclass(slots=True)
class _Paragraph:
    """A paragraph that is being read.

    Attributes:
        pieces: Its characters.
        after: The paragraphs of text boxes that hang on it: they are written behind it.
        pictured: Whether it shows a picture.
        hides: Whether some of its characters are hidden.
    """

    style_id: str
    given: Properties
    pieces: list[Piece] = field(default_factory=list)
    after: list[_Paragraph] = field(default_factory=list)
    pictured: bool = False
    hides: bool = False
    run: Properties = field(default_factory=Properties)
    raise_: int = 0


class Flow:
    """Writes parts into ``draft``.

    Attributes:
        draft: The text.
        hidden: Characters that are set as hidden.
        removed: Deletions and moved stretches that were left out.
        unknown: Symbols whose font is not known.
        marks: The raised number of each note, by ``footnotes`` or ``endnotes`` and its id.
    """

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self.draft = Draft()
        self.hidden = 0
        self.removed = 0
        self.unknown = 0
        self.marks: dict[tuple[str, str], str] = {}
        self._styles = styles
        self._numbering = numbering
        self._kind: TextKind | None = None
        self._open: list[_Paragraph] = []
        self._boxes: list[int] = []  # how many paragraphs were open where each text box begins
        self._joined: list[list[Piece]] = []  # the lines of the data cells that are open
        self._rows: list[bool] = []  # of the open rows, whether the cell before holds data
        self._cells: list[bool] = []  # of the open cells, whether each holds data
        self._lead = ""  # stands before the next characters
        self._initial: list[Piece] = []  # a dropped capital, which begins the paragraph after it
        self._begin: dict[str, Callable[[Any], None]] = {
            "w:p": self._begin_paragraph,
            "w:r": self._begin_run,
            "m:r": self._begin_run,
            "w:t": self._text,
            "m:t": self._math,
            "w:tab": lambda _: self._write("\t"),
            "w:ptab": lambda _: self._write("\t"),
            "w:br": lambda _: self._write("\n"),
            "w:cr": lambda _: self._write("\n"),
            "w:noBreakHyphen": lambda _: self._write("\u2011"),
            "w:sym": self._symbol,
            "w:footnoteReference": self._note,
            "w:endnoteReference": self._note,
            "w:ddList": self._choice,
            "w:checkBox": self._box,
            "w:rt": lambda _: self._write("("),
            "m:den": lambda _: self._write("/"),
            "w:tc": self._begin_cell,
            "w:tr": lambda _: self._rows.append(False),
            "w:txbxContent": lambda _: self._boxes.append(len(self._open)),
            **dict.fromkeys(_PICTURES, self._picture),
        }
        self._end: dict[str, Callable[[Any], None]] = {
            "w:p": self._end_paragraph,
            "w:r": lambda _: self._end_run(),
            "m:r": lambda _: self._end_run(),
            "w:rt": lambda _: self._write(")"),
            "w:tc": lambda _: self._end_cell(),
            "w:tr": lambda _: self._end_row(),
            "w:tbl": lambda _: self._end_table(),
            "w:txbxContent": lambda _: self._end_box(),
        }

    def write(self, root: Any, kind: TextKind | None = None, lead: str = "") -> None:
        """Write all that is below ``root``; ``lead`` is written before its first characters."""
        self._kind = kind
        self._lead = lead
        stack: list[tuple[bool, Any, str]] = [(True, one, name(one)) for one in reversed(root)]
        while stack:
            opening, element, tag = stack.pop()
            if not opening:
                self._end[tag](element)
            elif tag in _SKIPPED or (tag == "mc:Fallback" and _has_choice(element)) or _is_gone(element, tag):
                self.removed += tag in _REMOVED
            else:
                if tag in self._begin:
                    self._begin[tag](element)
                if tag in self._end:
                    stack.append((False, element, tag))
                stack += [(True, one, name(one)) for one in reversed(element)]

    # ------------------------------------------------------------ paragraphs

    def _begin_paragraph(self, element: Any) -> None:
        given = self._given(element)
        self._open.append(_Paragraph(self._style_of(element), given, run=given))

    def _style_of(self, paragraph: Any) -> str:
        return value(child(paragraph, "pPr/pStyle")) or self._styles.default_paragraph

    def _given(self, paragraph: Any) -> Properties:
        """What holds for a paragraph's characters unless a run says otherwise."""
        direct = properties(child(paragraph, "pPr"), None)
        return direct.over(self._styles.of(self._style_of(paragraph))).over(self._styles.defaults)

    def _end_paragraph(self, element: Any) -> None:
        paragraph = self._open.pop()
        shown = "".join(piece.text for piece in paragraph.pieces).strip()
        if shown and value(child(element, "pPr/framePr"), "dropCap") in ("drop", "margin"):
            self._initial = [replace(one, text=one.text.strip()) for one in paragraph.pieces]
            return
        if self._initial:
            paragraph.pieces, self._initial = [*self._initial, *paragraph.pieces], []
        shown = self._marked(paragraph, shown)
        box = self._boxes and len(self._open) == self._boxes[-1]
        if box and self._open:
            self._open[-1].after.append(paragraph)
        else:
            self._put(paragraph, shown)

    def _marked(self, paragraph: _Paragraph, shown: str) -> str:
        """Put a list's marker, or what leads a note, before a paragraph's characters; its title is returned, with numbers and no bullet."""
        if not shown and paragraph.hides:
            return ""
        marker = self._numbering.marker(paragraph.given.list_id, paragraph.given.list_level, paragraph.style_id)
        lead = f"{marker.text} " if marker is not None else self._lead
        if lead:
            first = paragraph.pieces[0] if paragraph.pieces else Piece("", self._look(paragraph.given), self._kind)
            paragraph.pieces[:1] = [replace(first, text=lead), replace(first, text=first.text.lstrip(" "))]
            self._lead = self._lead if marker is not None else ""
        return f"{marker.text} {shown}" if marker is not None and marker.counts and shown else shown

    def _put(self, paragraph: _Paragraph, shown: str) -> None:
        """Write a finished paragraph and what hangs on it."""
        waiting = [(paragraph, shown)]
        while waiting:
            one, text = waiting.pop()
            if self._joined:
                self._joined[-1] += [*one.pieces, Piece(" ", self._look(one.given), self._kind)]
            else:
                self._line(one, text)
            if one.pictured:
                self.draft.pictures.append(max(0, self.draft.length - 1))
            waiting += [(after, "".join(piece.text for piece in after.pieces).strip()) for after in reversed(one.after)]

    def _line(self, paragraph: _Paragraph, shown: str) -> None:
        start = self.draft.length
        for piece in paragraph.pieces:
            self.draft.write(piece)
        self.draft.put("\n")
        level = paragraph.given.level
        if shown and level is not None and level <= BODY_LEVEL and self._kind is None:
            self.draft.heading(start, level, clean_title(shown))

    def _end_box(self) -> None:
        self._boxes.pop()

    # ------------------------------------------------------------ runs

    def _begin_run(self, element: Any) -> None:
        if not self._open:
            return
        paragraph = self._open[-1]
        direct = child(element, "rPr")
        style = self._styles.of(value(child(direct, "rStyle")))
        paragraph.run = properties(None, direct).over(style).over(paragraph.given)
        paragraph.raise_ = {"superscript": 1, "subscript": -1}.get(value(child(direct, "vertAlign")), 0)

    def _end_run(self) -> None:
        if self._open:
            self._open[-1].run, self._open[-1].raise_ = self._open[-1].given, 0

    def _text(self, element: Any) -> None:
        # An entity that was not resolved stands among the characters as an element; what follows it is still text.
        self._write("".join([element.text or "", *(one.tail or "" for one in element)]))

    def _math(self, element: Any) -> None:
        if not self._open:
            return
        for above in element.iterancestors():
            tag = name(above)
            if tag in ("m:sup", "m:sub"):
                self._open[-1].raise_ = 1 if tag == "m:sup" else -1
            if tag in ("m:sup", "m:sub", "m:e", "m:oMath"):
                break
        self._text(element)

    def _symbol(self, element: Any) -> None:
        try:
            found = symbol(int(value(element, "char"), 16), value(element, "font"))
        except ValueError:
            found = ""
        self.unknown += not found
        self._write(found)

    def _note(self, element: Any) -> None:
        """A reference to a note is drawn as a raised number, in the order of references."""
        part = "endnotes" if name(element) == "w:endnoteReference" else "footnotes"
        if value(element, "customMarkFollows").lower() in ("1", "true", "on"):
            return
        number = 1 + sum(other == part for other, _ in self.marks)
        mark = roman(number).translate(_RAISED_ROMAN) if part == "endnotes" else raised(str(number))
        self._write(self.marks.setdefault((part, value(element, "id")), mark))

    def _choice(self, element: Any) -> None:
        entries = [value(one) for one in element.iterchildren("{*}listEntry")]
        chosen = integer(child(element, "result")) or 0
        if 0 <= chosen < len(entries):
            self._write(entries[chosen], TextKind.FORM)

    def _box(self, element: Any) -> None:
        checked = switch(element, "checked")
        self._write("☒" if (switch(element, "default") if checked is None else checked) else "☐", TextKind.FORM)

    def _picture(self, element: Any) -> None:
        if self._open:
            self._open[-1].pictured = True

    def _write(self, text: str, kind: TextKind | None = None) -> None:
        if not self._open or not text:
            return
        paragraph = self._open[-1]
        if paragraph.run.hidden:
            self.hidden += len(text.strip())
            paragraph.hides = True
            return
        if paragraph.raise_:
            text = raised(text) if paragraph.raise_ > 0 else lowered(text)
        if self._joined:
            text = text.replace("\n", " ")
        paragraph.pieces.append(Piece(text.replace("\xad", ""), self._look(paragraph.run), kind or self._kind))

    def _look(self, given: Properties) -> Style:
        return Style((given.size or 20) / 2, bool(given.bold), bool(given.italic), bool(given.centred))

    # ------------------------------------------------------------ tables

    def _begin_cell(self, element: Any) -> None:
        data = self._is_data(element)
        self._cells.append(data)
        if data:
            self._joined.append([])
            if self._rows and self._rows[-1]:
                self.draft.put("\t")
        elif not self.draft.at_line_start:
            self.draft.put("\n")
        if self._rows:
            self._rows[-1] = data

    def _end_cell(self) -> None:
        if not self._cells.pop():
            return
        pieces = self._joined.pop()
        while pieces and not pieces[-1].text.strip():
            pieces.pop()
        for piece in pieces:
            self.draft.write(piece)

    def _is_data(self, cell: Any) -> bool:
        """Whether its paragraphs stand side by side; those of a cell with a heading or a table in it, alone in its row, or long, do not."""
        if next(cell.iter("{*}tbl"), None) is not None:
            return False
        paragraphs = list(cell.iter("{*}p"))
        if any((self._given(one).level or 0) in range(1, BODY_LEVEL + 1) for one in paragraphs):
            return False
        if len(paragraphs) < 2:
            return True
        row = next(cell.iterancestors("{*}tr"), cell)
        alone = sum(1 for _ in row.iter(cell.tag)) == 1
        return not alone and sum(len(one.text or "") for one in cell.iter("{*}t")) <= LONGEST_DATA

    def _end_row(self) -> None:
        self._rows.pop()
        if not self.draft.at_line_start:
            self.draft.put("\n")

    def _end_table(self) -> None:
        if not self._joined:
            self.draft.blank()


def _has_choice(fallback: Any) -> bool:
    """Whether something better than the fallback stands before it."""
    return next(fallback.itersiblings("{*}Choice", preceding=True), None) is not None


def _is_gone(element: Any, tag: str) -> bool:
    """A row that is hidden, or that a reviewer deleted."""
    row = child(element, "trPr") if tag == "w:tr" else None
    return row is not None and (child(row, "del") is not None or bool(switch(row, "hidden")))
