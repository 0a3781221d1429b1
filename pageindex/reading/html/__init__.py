"""HTML: what a browser shows of a page, as text."""
