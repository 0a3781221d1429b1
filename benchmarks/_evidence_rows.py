"""Truth about tables from the order of a page's text alone, for the cells of the evidence benchmark."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pageindex.evidence.numbers.tokens import number_tokens


def year_rows(text: str) -> Iterator[tuple[list[str], str, list[str]]]:
    """Truth from the order of the text alone: ``(years, label, values)`` for lines below a line of different years.

    Only lines with a label and exactly as many numbers as there are years, before the next line of years or 40 lines on.
    """
    years: list[str] = []
    left = 0
    for line in text.splitlines():
        tokens = list(number_tokens(line))
        cores = [token.core for token in tokens]
        if (
            len(tokens) > 1
            and all(re.fullmatch(r"(?:19|20)\d\d", core) for core in cores)
            and not re.search(r"[^\W\d_]", line)
        ):
            years, left = (cores, 40) if len(set(cores)) == len(cores) else ([], 0)
            continue
        left -= 1
        if left <= 0 or not tokens or len(tokens) != len(years):
            continue
        label = line[: tokens[0].start].strip(" $.")
        rest = line[tokens[0].start :]
        if re.search(r"(?<!\S)[-–—−](?!\S)", rest):
            continue  # a dash may stand for a value, and the order then tells nothing
        if re.search(r"[^\W\d_]{3}", label) and not re.search(r"[^\W\d_]", rest) and not re.search(r"\d", label):
            yield years, label, [line[token.start : token.end] for token in tokens]
