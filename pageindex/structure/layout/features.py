"""What is known of each printed unit that could be a heading, as numbers relative to its document.

``features_of`` gives one row per block. Three kinds stand side by side: of the block itself (style, place, text, number), of the style
and the group it belongs to (a group is style × form of number × capitals: what a reader takes for one kind of line), and of the
document. Nothing depends on a language, a font name or a vendor; sizes are relative to the body text, counts to pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pageindex.structure.candidate import SourceHeadings
from pageindex.structure.contents.echoes import folded_forms, listing_share
from pageindex.structure.facts import Bools, Floats, Ints
from pageindex.structure.layout.blocks import Block
from pageindex.structure.layout.features_contents import contents_columns, in_contents
from pageindex.structure.layout.features_numbers import number_columns, order_columns, sequence_columns
from pageindex.structure.layout.features_place import (
    Columns,
    Place,
    context_columns,
    near_columns,
    pages_per,
    place_columns,
    style_columns,
    style_of,
)
from pageindex.structure.layout.features_text import capitals, heard_columns, kinship_columns, text_columns
from pageindex.structure.layout.table import LineTable, codes, codes_of
from pageindex.structure.numbering.marks import Number
from pageindex.structure.numbering.sequence import settle

__all__ = ["FEATURES", "Features", "features_of"]


@dataclass(frozen=True)
class Features:
    """Rows of numbers, and what later stages need beside them.

    Attributes:
        rows: Shape (blocks, len(FEATURES)); NaN does not occur.
        group, rank: Number of each block's group, and of its style alone.
        numbers: Settled marks.
        contents: Index of the contents entry that names the block, -1 without one.
        size, bold, italic: Style of each block.
    """

    rows: Floats
    group: Ints
    rank: Ints
    numbers: list[Number | None]
    contents: Ints
    size: Floats
    bold: Bools
    italic: Bools
    ink: Bools
    caps: Floats
    first: Ints
    page: Ints


def features_of(table: LineTable, blocks: Sequence[Block], contents: SourceHeadings | None) -> Features:
    """All features of all blocks of one document."""
    columns: Columns = {}
    first = np.array([block.first for block in blocks], dtype=np.int64)
    last = np.array([block.last for block in blocks], dtype=np.int64)
    style = np.array([block.style for block in blocks], dtype=np.int64)
    shape = style_of(table, blocks, style)
    numbers = settle([block.number for block in blocks])
    caps = np.array([capitals(block.title) for block in blocks])
    forms = codes_of([number.form if number is not None else "" for number in numbers])
    lead = np.array([block.lead is not None for block in blocks])
    rank = codes(
        np.rint(shape.size * 2).astype(np.int64) * 16 + shape.bold * 8 + shape.italic * 4 + shape.ink * 2 + lead
    )
    group = codes((rank * (forms.max(initial=0) + 1) + forms) * 2 + (caps > 0.9))
    place = Place(table, first, last)
    columns |= style_columns(table, shape, style)
    columns |= place_columns(table, place, blocks)
    columns |= text_columns(table, place, blocks, caps)
    columns |= kinship_columns(table, shape, place)
    folded = [folded_forms(block, table) for block in blocks]
    columns |= heard_columns(table, place, folded)
    columns |= number_columns(numbers)
    columns |= context_columns(table, place, shape, rank)
    columns |= near_columns(table, place, shape, style)
    inside = in_contents(table, blocks, contents)
    listing = listing_share(table)
    columns |= contents_columns(table, place, folded, listing, inside, contents, numbers)
    for name, key in (("rank", rank), ("group", group)):
        columns |= _group_columns(name, key, columns, place, table.pages)
    columns |= sequence_columns(group, numbers)
    columns |= order_columns(group, blocks, place, table)
    columns |= _document_columns(table, blocks, numbers, contents)
    rows = np.stack([np.asarray(columns[name], dtype=np.float64) for name in FEATURES], axis=1)
    return Features(
        rows, group, rank, numbers, inside, shape.size, shape.bold, shape.italic, shape.ink, caps, first, place.page
    )


_MEANS = (
    "above",
    "below",
    "stop",
    "chars",
    "next_body",
    "echo",
    "contents",
    "cells",
    "top",
    "lower_start",
    "listing",
    "body_below",
    "stacked",
    "width",
    "indent",
    "centred",
    "previous_stop",
    "upper_words",
    "same_text",
    "near_cells",
    "near_digits",
    "outdent",
    "same_place",
)


def _group_columns(name: str, key: Ints, columns: Columns, place: Place, pages: int) -> Columns:
    """Means and counts over the blocks of one key."""
    count = np.bincount(key) if len(key) else np.zeros(0)
    result = {
        f"{name}_count": np.log1p(count)[key],
        f"{name}_density": (count / np.maximum(pages_per(key, place.page), 1))[key],
        f"{name}_pages": (pages_per(key, place.page) / max(pages, 1))[key],
    }
    for column in _MEANS:
        if column in columns:
            result[f"{name}_{column}"] = (np.bincount(key, weights=columns[column]) / count)[key]
    return result


def _document_columns(
    table: LineTable, blocks: Sequence[Block], numbers: Sequence[Number | None], contents: SourceHeadings | None
) -> Columns:
    pages = max(table.pages, 1)
    numbered = sum(number is not None for number in numbers) / max(len(blocks), 1)
    landscape = float(table.width.mean() > table.height.mean()) if len(table) else 0.0
    values = {
        "doc_pages": float(np.log1p(pages)),
        "doc_landscape": landscape,
        "doc_chars": min(float(table.chars.sum()) / pages, 8000.0),
        "doc_blocks": len(blocks) / pages,
        "doc_numbered": numbered,
        "doc_contents": min(len(contents.candidates) / pages, 5.0) if contents is not None else 0.0,
        "doc_contents_trust": contents.trust if contents is not None else 0.0,
        "doc_body": float(table.chars[table.body].sum()) / max(float(table.chars.sum()), 1.0),
    }
    return {name: np.full(len(blocks), value) for name, value in values.items()}


_GROUPED = ("count", "density", "pages", *_MEANS)

#: Names of the columns, in the order in which the model knows them.
FEATURES: tuple[str, ...] = (
    *("size", "bold", "italic", "ink", "mono", "body_font", "weight", "larger_share", "style_share", "style_lines"),
    *("style_pages", "style_chars", "style_ends", "style_low", "style_cells", "style_run"),
    *("above", "below", "above_below", "above_leading", "top", "end", "y", "indent", "x", "width", "centred", "cells"),
    *("lines", "lead", "split", "running"),
    *("chars", "words", "caps", "letters", "digits", "stop", "pause", "colon", "end_digit", "lower_start"),
    *("mark_start", "leaders", "same_text", "same_text_pages"),
    *(f"number_{name}" for name in ("kind", "depth", "value", "prefix", "bracket", "parent", "elder", "opens")),
    *("group_rising", "group_firsts", "group_doubles"),
    *("next_body", "next_size", "next_chars", "next_filled", "next_lower", "next_upper", "next_bold"),
    *("previous_body", "previous_stop", "previous_pause", "previous_filled", "previous_size", "stacked"),
    *("stacked_before", "page_blocks", "page_lines", "body_below"),
    *("listing", "listed", "echo", "contents", "contents_level", "contents_beyond"),
    *("upper_words", "near_cells", "near_digits", "outdent", "larger_sizes", "small_caps", "same_place"),
    *("kin_face", "kin_ink", "body_family", "heard", "again", "group_alphabet", "group_edge"),
    *(f"rank_{name}" for name in _GROUPED),
    *(f"group_{name}" for name in _GROUPED),
    *(
        "doc_pages",
        "doc_landscape",
        "doc_chars",
        "doc_blocks",
        "doc_numbered",
        "doc_contents",
        "doc_contents_trust",
        "doc_body",
    ),
)
