"""pdfplumber: lines with their characters."""

import pdfplumber


def work(path):
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            page.extract_text_lines()
            page.close()
