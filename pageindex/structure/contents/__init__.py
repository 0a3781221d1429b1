"""The printed contents pages as a source of headings."""
