"""A table as CSV, JSON or Markdown. The grid is derived text: it says where its cells stand, and is not quotable itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from pageindex.evidence.tables.rebuild import Table, TableRow

__all__ = ["to_csv", "to_json", "to_markdown"]

_FORMULA = ("=", "+", "@", "\t", "\r")


def to_json(table: Table) -> dict[str, Any]:
    """``{page, columns: [{headers, x0, x1}], rows: [{label, sections, cells: [{text, start, end, box} | null]}]}``."""
    return {
        "page": table.page,
        "columns": [{"headers": list(c.headers), "x0": round(c.x0, 2), "x1": round(c.x1, 2)} for c in table.columns],
        "rows": [_row(row) for row in table.rows],
    }


def _row(row: TableRow) -> dict[str, Any]:
    cells = [
        {"text": cell.text, "start": cell.start, "end": cell.end, "box": [round(n, 2) for n in cell.box]}
        if cell
        else None
        for cell in row.cells
    ]
    return {"label": row.label, "sections": list(row.sections), "cells": cells}


def _grid(table: Table) -> list[list[str]]:
    head = ["", *(column.header for column in table.columns)]
    return [head, *([row.path, *(cell.text if cell else "" for cell in row.cells)] for row in table.rows)]


def to_csv(tables: Sequence[Table]) -> str:
    """RFC 4180 with one line of headers; tables are parted by an empty line. A cell that a spreadsheet would run gets a quote first."""
    out = io.StringIO()
    writer = csv.writer(out)
    for index, table in enumerate(tables):
        if index:
            out.write("\r\n")
        writer.writerows([[_inert(text) for text in row] for row in _grid(table)])
    return out.getvalue()


def _inert(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) and not text[1:2].isdecimal() else text


def to_markdown(tables: Sequence[Table]) -> str:
    """Pipe tables, values to the right."""
    return "\n\n".join(_markdown(table) for table in tables) + ("\n" if tables else "")


def _markdown(table: Table) -> str:
    head, *body = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in _grid(table)]
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))
