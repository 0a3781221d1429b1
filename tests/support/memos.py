"""One memo, in each format that is read: same headings, same words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

__all__ = ["FORMATS", "QUOTE", "TITLES", "write_memo"]

MEMO = (
    (1, "Purpose", "This memo sets the rules for travel in the coming year."),
    (1, "Rules", "Every journey needs a reason that is written down."),
    (2, "Trains", "Trains are preferred for all distances under 600 kilometres."),
    (2, "Flights", "Flights need the approval of two managers."),
    (1, "Contacts", "Questions go to the travel desk."),
)
TITLES = [title for _, title, _ in MEMO]
QUOTE = "Trains are preferred for all distances under 600 kilometres."
_FILLER = "It applies to everyone, at every office, and is reviewed once in each quarter by the desk. " * 6


def _markdown(path: Path) -> None:
    path.write_text(
        "".join(f"{'#' * level} {title}\n\n{text} {_FILLER}\n\n" for level, title, text in MEMO), encoding="utf-8"
    )


def _html(path: Path) -> None:
    body = "".join(f"<h{level}>{title}</h{level}><p>{text} {_FILLER}</p>" for level, title, text in MEMO)
    path.write_text(
        f"<!doctype html><html lang='en'><head><title>Memo</title></head><body>{body}</body></html>", encoding="utf-8"
    )


def _text(path: Path) -> None:
    numbers = iter(("1", "2", "2.1", "2.2", "3"))
    path.write_text(
        "".join(f"{next(numbers)} {title}\n\n{text} {_FILLER}\n\n\n" for _, title, text in MEMO), encoding="utf-8"
    )


def _docx(path: Path) -> None:
    import docx

    document = docx.Document()
    for level, title, text in MEMO:
        document.add_heading(title, level)
        document.add_paragraph(f"{text} {_FILLER}")
    document.save(str(path))


def _pdf(path: Path) -> None:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    styles = getSampleStyleSheet()
    story = []
    for level, title, text in MEMO:
        story += [Paragraph(title, styles[f"Heading{level}"]), Paragraph(f"{text} {_FILLER}", styles["BodyText"])]
    SimpleDocTemplate(str(path), invariant=True).build(story)


FORMATS: dict[str, Callable[[Path], None]] = {
    ".pdf": _pdf,
    ".md": _markdown,
    ".html": _html,
    ".docx": _docx,
    ".txt": _text,
}


def write_memo(folder: Path, suffix: str, name: str = "memo") -> Path:
    """The memo as a file of one format."""
    path = folder / f"{name}{suffix}"
    FORMATS[suffix](path)
    return path
