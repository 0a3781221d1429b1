"""Markdown: CommonMark, parsed by markdown-it-py. The anchor is the file's own text, byte for byte after decoding.

Two rules of ours, both recorded as notes when they apply:

- Front matter counts only when line 1 is ``---`` (or ``+++``), a later line closes it and what is between parses as a YAML mapping (or
  TOML). It stays in the text and is never searched for headings.
- A fence that is never closed ends at the first blank line after it. CommonMark would let it hide the rest of the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pageindex.document import Edition, Extractor, Note, Source
from pageindex.limits import DEFAULT_LIMITS, Limits
from pageindex.reading.decoding import decode_text
from pageindex.reading.virtual import Content, Heading, clean_title, make_edition

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["read"]

EXTRACTOR = Extractor("markdown-it", "2")

# The parser's own line ends; a page of ours may be cut at others as well.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_HTML_HEADING = re.compile(r"<h([1-6])\b[^>]*>.*?</h\1\s*>", re.I | re.S)
_BREAK = re.compile(r"<br\b", re.I)
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")  # {#id .class}, which several dialects put behind a heading
_CONTAINERS = re.compile(r"(?:[ \t]*(?:[-+*]|\d{1,9}[.)]|>)(?=[ \t>]|$))*[ \t]*")
MOST_CONTAINERS = 12  #: Lists and quotes that begin in one line.
DEEPEST_INDENT = 60  #: Columns; what stands further in is inside of a list or code, where no heading is looked for.


def read(data: bytes, source: Source, limits: Limits = DEFAULT_LIMITS) -> Edition:
    """Read Markdown bytes. Raises DamagedFileError when empty, UnsupportedFormatError when the bytes are no text."""
    decoded = decode_text(data, source.name)
    text, notes = decoded.text, list(decoded.notes)
    lines = [match for match in _LINE.findall(text) if match]
    info, matter = _front_matter(lines)
    visible = ["\n"] * matter + [line if _is_shallow(line) else "\n" for line in lines[matter:]]
    tokens = _parse(visible, notes)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    headings = _headings(tokens, starts, text)
    if headings and "title" not in info:
        info["title"] = min(headings, key=lambda heading: heading.level).title
    content = Content(text, headings, info=info, notes=notes, guessed=decoded.guessed)
    return make_edition(source, EXTRACTOR, content, limits)


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Past its nesting the parser drops the rest of the file; the lines that would take it there are left out before.
    return MarkdownIt("commonmark", {"maxNesting": 4 * (MOST_CONTAINERS + DEEPEST_INDENT)}).enable("table")


def _is_shallow(line: str) -> bool:
    """Whether the parser need see a line: one that opens a great many lists or quotes, or stands far inside of them, holds no heading."""
    found = _CONTAINERS.match(line)
    prefix = found[0] if found else ""
    opened = len(prefix.split()) + prefix.count(">")
    return opened <= MOST_CONTAINERS and len(prefix.expandtabs(4)) <= DEEPEST_INDENT


def _parse(lines: list[str], notes: list[Note]) -> list[Token]:
    parser = _parser()
    lines = list(lines)
    while True:
        tokens = parser.parse("".join(lines))
        fence = next((token for token in tokens if token.type == "fence" and not _closed(token, lines)), None)
        if fence is None or fence.map is None:
            return tokens
        opened = fence.map[0]
        blank = next((n for n in range(opened + 1, len(lines)) if not lines[n].strip()), None)
        if not any(note.code == "UNCLOSED_FENCE" and note.message.startswith(f"line {opened + 1}:") for note in notes):
            until = f"line {blank + 1}" if blank is not None else "the end"
            notes.append(
                Note("UNCLOSED_FENCE", f"line {opened + 1}: the fence is never closed; taken to end at {until}")
            )
        if blank is None:
            return tokens
        lines[blank] = fence.markup + "\n"


def _closed(fence: Token, lines: list[str]) -> bool:
    if fence.map is None or fence.level > 0:  # inside a quote or list the container's end closes it
        return True
    start, end = fence.map
    last = lines[min(end, len(lines)) - 1].strip()
    return end - start > 1 and len(last) >= len(fence.markup) and set(last) == {fence.markup[0]}


def _headings(tokens: list[Token], starts: list[int], text: str) -> list[Heading]:
    """Block-level headings only: none from code, comments, quotes or lists."""
    headings = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=False):
        if token.map is None or token.level > 0:
            continue
        if token.type == "heading_open" and following is not None:
            title = clean_title(_ATTRIBUTES.sub("", _plain(following)))
            if title:
                end = starts[following.map[1]] - 1 if following.map else 0
                headings.append(Heading(starts[token.map[0]], int(token.tag[1]), title, end))
        elif token.type == "html_block":
            headings += _html_headings(token, starts, text)
    return headings


def _html_headings(token: Token, starts: list[int], text: str) -> list[Heading]:
    if token.map is None or token.content.lstrip().startswith("<!--"):
        return []
    from turbohtml import parse

    from pageindex.reading.html.flow import Flow

    found = []
    start, end = starts[token.map[0]], starts[min(token.map[1], len(starts) - 1)]
    for match in _HTML_HEADING.finditer(text, start, end):
        flow = Flow(parse(match[0]))
        flow.run()
        row = text.rfind("\n", 0, match.start()) + 1
        found += [Heading(row, one.level, one.title, match.end()) for one in flow.draft.headings]
    return found


def _plain(inline: Token) -> str:
    parts = []
    for child in inline.children or ():
        if child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(_plain(child))
        elif child.type != "html_inline":
            parts.append(child.content)
        elif _BREAK.match(child.content):
            parts.append(" ")
    return "".join(parts)


def _front_matter(lines: list[str]) -> tuple[dict[str, str], int]:
    """What the front matter says and how many lines it takes; nothing and 0 when there is none."""
    fence = lines[0].rstrip() if lines else ""
    if fence not in ("---", "+++"):
        return {}, 0
    ends = ("---", "...") if fence == "---" else ("+++",)
    closing = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ends), None)
    if closing is None:
        return {}, 0
    matter = _mapping("".join(lines[1:closing]), toml=fence == "+++")
    if not isinstance(matter, dict):
        return {}, 0
    known = {str(key).lower(): value for key, value in matter.items()}
    names = {"title": "title", "author": "author", "lang": "language", "language": "language", "subject": "subject"}
    return {ours: str(known[key]) for key, ours in names.items() if isinstance(known.get(key), str)}, closing + 1


def _mapping(matter: str, *, toml: bool) -> Any:
    """What YAML or TOML means; None when it is none."""
    if toml:
        import tomllib

        try:
            return tomllib.loads(matter)
        except (tomllib.TOMLDecodeError, RecursionError):
            return None
    import yaml

    try:
        return yaml.safe_load(matter)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
