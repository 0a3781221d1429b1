"""pypdf: the plain text of every page."""

from pypdf import PdfReader


def work(path):
    for page in PdfReader(path).pages:
        page.extract_text()
