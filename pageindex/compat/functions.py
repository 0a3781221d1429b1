"""Functions of the public package: one file in, its tree out."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pageindex.app import shapes
from pageindex.app.ingest import Request, convert_isolated
from pageindex.client import PageIndexClient
from pageindex.compat.refusals import no_counterpart
from pageindex.errors import SettingsError

__all__ = [
    "file_tree",
    "highlight_region",
    "md_to_tree",
    "optimize_tree",
    "page_index",
    "page_index_flash",
    "page_index_main",
]

_YES = ("yes", True)
Source = str | Path | io.BytesIO | bytes


def page_index(
    doc: Source,
    model: str | None = None,
    toc_check_page_num: int | None = None,
    max_page_num_each_node: int | None = None,
    max_token_num_each_node: int | None = None,
    if_add_node_id: str | None = None,
    if_add_node_summary: str | None = None,
    if_add_doc_description: str | None = None,
    if_add_node_text: str | None = None,
) -> dict[str, Any]:
    """The section tree of a PDF: ``{doc_name, doc_description?, structure: [{title, node_id, start_index, end_index, summary?, text?, nodes?}]}``.

    Args:
        doc: A path, or the bytes of a PDF.
        model: Refines and summarises the tree; without one, summaries are a section's own words.
        toc_check_page_num, max_page_num_each_node, max_token_num_each_node: Without meaning here: contents are found wherever they are
            printed, and sections are cut where their headings are.
        if_add_node_id, if_add_node_summary, if_add_doc_description, if_add_node_text: ``yes`` or ``no``; no text, and the others, unless given.
    """
    del toc_check_page_num, max_page_num_each_node, max_token_num_each_node
    wanted: dict[str, Any] = {
        "ids": if_add_node_id in (None, *_YES),
        "summaries": if_add_node_summary in (None, *_YES),
        "description": if_add_doc_description in (None, *_YES),
        "text": if_add_node_text in _YES,
    }
    return file_tree(doc, ".pdf", model, **wanted)


def page_index_main(doc: Source, opt: Any = None, logger: Any = None, page_list: Any = None) -> dict[str, Any]:
    """``page_index`` with its options as attributes or keys of ``opt``; ``logger`` and ``page_list`` are without meaning here."""
    del logger, page_list
    names = ("model", "if_add_node_id", "if_add_node_summary", "if_add_doc_description", "if_add_node_text")
    if isinstance(opt, Mapping):
        given = {name: opt[name] for name in names if name in opt}
    else:
        given = {name: getattr(opt, name) for name in names if hasattr(opt, name)}
    return page_index(doc, **given)


def page_index_flash(
    pdf: Source,
    summary: bool = True,
    summary_model: str | None = None,
    optimize: str | bool | None = None,
    optimize_expand: bool | None = None,
    optimize_model: str | None = None,
    summary_concurrency: int | None = None,
    use_embedded_toc: bool = True,
    summary_max_words: int | None = None,
    summary_reasoning_effort: str | None = None,
) -> dict[str, Any]:
    """The section tree of a PDF without a model, or with one refined and summarised by it; options as ``PageIndexClient`` takes them."""
    from pageindex.compat.options import index_side

    if optimize in (None, True) and optimize_expand is not None:
        optimize = "full" if optimize_expand else "merge"
    options, _ = index_side(
        None,
        summary_max_words=summary_max_words,
        summary_concurrency=summary_concurrency,
        summary_model=summary_model,
        summary_reasoning_effort=summary_reasoning_effort,
        use_embedded_toc=use_embedded_toc,
        optimize=optimize,
        backend=None,
    )
    model = options.pop("model", None) or optimize_model
    return file_tree(pdf, ".pdf", model, summaries=summary, settings=options)


async def md_to_tree(
    md_path: str | Path,
    if_thinning: bool = False,
    min_token_threshold: int | None = None,
    if_add_node_summary: str = "no",
    summary_token_threshold: int | None = None,
    model: str | None = None,
    if_add_doc_description: str = "no",
    if_add_node_text: str = "no",
    if_add_node_id: str = "yes",
    summary_model: str | None = None,
) -> dict[str, Any]:
    """The section tree of a Markdown file, as ``page_index``; pages are virtual, and each node has its ``line_num`` there only.

    ``if_thinning`` merges subsections that cost more to list than to read; ``min_token_threshold`` is without meaning here, and
    ``summary_token_threshold`` is the number of tokens up to which a section is its own summary.
    """
    import asyncio

    del min_token_threshold
    settings: dict[str, Any] = {"optimize": "merge"} if if_thinning else {}
    if summary_token_threshold is not None:
        settings["summary_threshold"] = summary_token_threshold
    wanted: dict[str, Any] = {
        "ids": if_add_node_id in _YES,
        "summaries": if_add_node_summary in _YES,
        "description": if_add_doc_description in _YES,
        "text": if_add_node_text in _YES,
        "settings": settings,
    }
    return await asyncio.to_thread(file_tree, md_path, ".md", summary_model or model, **wanted)


def file_tree(
    doc: Source,
    suffix: str,
    model: str | None,
    *,
    ids: bool = True,
    summaries: bool = True,
    description: bool = True,
    text: bool = False,
    settings: Mapping[str, Any] | None = None,
    password: str | None = None,
) -> dict[str, Any]:
    """The tree of a file that stays in no library.

    Args:
        doc: A path, or bytes.
        suffix: Of the format, for bytes.
        model: Refines and summarises, where one is named.
        ids, summaries, description, text: What each section, and the document, has.
        settings: Further settings of indexing.
        password: Of an encrypted file.
    """
    source, name = _source(doc, suffix)
    if model is None and not settings:
        converted = convert_isolated(Request(source, name, password))
        made: dict[str, Any] = dict(
            shapes.file_structure(name, converted, summaries=summaries, text=text, description=description)
        )
    else:
        made = _refined(Request(source, name, password), model, dict(settings or {}), summaries=summaries, text=text)
        if not description:
            made.pop("doc_description", None)
    if not ids:
        _without_ids(made["structure"])
    return made


def _refined(
    request: Request, model: str | None, settings: dict[str, Any], *, summaries: bool, text: bool
) -> dict[str, Any]:
    """Over a library that is gone afterwards: refining works on what is stored."""
    with tempfile.TemporaryDirectory(prefix="pageindex-") as folder:
        client = PageIndexClient(model, storage_path=Path(folder, "library"), index=settings)
        with client:
            doc_id = client.submit_document(request.source, name=request.name, password=request.password)["doc_id"]
            made: dict[str, Any] = dict(client.get_structure(doc_id))
            made["structure"] = client.get_tree(doc_id, node_summary=summaries, include_text=text)["result"]
    return made


def _source(doc: Source, suffix: str) -> tuple[Path | bytes, str]:
    if isinstance(doc, bytes | io.BytesIO):
        return doc if isinstance(doc, bytes) else doc.getvalue(), f"document{suffix}"
    return Path(doc), Path(doc).name


def _without_ids(nodes: list[dict[str, Any]]) -> None:
    for node in nodes:
        node.pop("node_id", None)
        _without_ids(node.get("nodes", []))


def optimize_tree(
    doc: Any, pdf_path: Any = None, model: Any = None, do_expand: Any = None, **kwargs: Any
) -> dict[str, Any]:
    """Refused: a tree is refined with its document, not by itself."""
    no_counterpart("optimize_tree", "Add the document, then client.refine_document(doc_id) or 'pageindex refine'.")


def highlight_region(image: Any, bbox: list[float], scale: int = 1000) -> Any:
    """A copy of a picture with a region marked.

    Args:
        image: A PIL image, or the bytes of one.
        bbox: ``[x0, y0, x1, y1]`` in ``scale``-ths of width and height, from the top left.
        scale: What the whole width and height count as.

    Returns:
        A new PIL image.
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise SettingsError("Pillow is not installed", "Run: pip install pillow", code="MISSING_EXTRA") from error
    base = (Image.open(io.BytesIO(image)) if isinstance(image, bytes) else image).convert("RGBA")
    x0, y0, x1, y1 = (value / scale * side for value, side in zip(bbox, (base.width, base.height) * 2, strict=True))
    layer = Image.new("RGBA", base.size, (0, 0, 0, 0))
    ImageDraw.Draw(layer).rectangle((x0, y0, x1, y1), fill=(255, 235, 0, 80), outline=(255, 140, 0, 255), width=3)
    return Image.alpha_composite(base, layer).convert("RGB")
