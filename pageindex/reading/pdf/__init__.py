"""PDF: the only place that touches PDFium and pypdf."""
