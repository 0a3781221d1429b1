"""DOCX: what Word shows of a document, as text."""
