"""One memo, in each format that is read: same headings, same words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import fill

__all__ = ["FORMATS", "QUOTE", "TITLES", "write_memo"]

MEMO = (
    (
        1,
        "Purpose",
        "This memo sets the rules for travel in the coming year. The rules of last year grew by exception until nobody could name "
        "them all, and the auditors asked for a single page. What follows holds for every office and for guests who travel at our "
        "expense. It was agreed with the works council in November.",
    ),
    (
        1,
        "Rules",
        "Every journey needs a reason that is written down. A reason is good when a stranger would understand it in a year: a "
        "signature, an inspection, a customer who cannot be met otherwise. Meetings among ourselves are held by telephone unless "
        "more than six people from three offices take part.",
    ),
    (
        2,
        "Trains",
        "Trains are preferred for all distances under 600 kilometres. Seats in the second class are booked by the desk, with a "
        "table where someone has to work. Whoever travels overnight may take a cabin, since it costs less than a hotel and a "
        "morning flight together.",
    ),
    (
        2,
        "Flights",
        "Flights need the approval of two managers. Ask before you book, because a ticket that nobody approved is paid by the "
        "person who flies. Luggage up to one suitcase is included; samples and instruments go by carrier two days ahead.",
    ),
    (
        1,
        "Contacts",
        "Questions go to the travel desk. It answers from seven in the morning until eight at night, and in emergencies at any "
        "hour. Receipts are sent within ten days after the return, on paper or as a photograph that can be read.",
    ),
)
TITLES = [title for _, title, _ in MEMO]
QUOTE = "Trains are preferred for all distances under 600 kilometres."


def _markdown(path: Path) -> None:
    path.write_text("".join(f"{'#' * level} {title}\n\n{text}\n\n" for level, title, text in MEMO), encoding="utf-8")


def _html(path: Path) -> None:
    body = "".join(f"<h{level}>{title}</h{level}><p>{text}</p>" for level, title, text in MEMO)
    path.write_text(
        f"<!doctype html><html lang='en'><head><title>Memo</title></head><body>{body}</body></html>", encoding="utf-8"
    )


def _text(path: Path) -> None:
    numbers = iter(("1", "2", "2.1", "2.2", "3"))
    path.write_text(
        "".join(f"{next(numbers)} {title}\n\n{fill(text, 76)}\n\n\n" for _, title, text in MEMO), encoding="utf-8"
    )


def _docx(path: Path) -> None:
    import docx

    document = docx.Document()
    for level, title, text in MEMO:
        document.add_heading(title, level)
        document.add_paragraph(f"{text}")
    document.save(str(path))


def _pdf(path: Path) -> None:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    styles = getSampleStyleSheet()
    story = []
    for level, title, text in MEMO:
        story += [Paragraph(title, styles[f"Heading{level}"]), Paragraph(f"{text}", styles["BodyText"])]
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
