"""Tables of a page from where its characters stand."""
