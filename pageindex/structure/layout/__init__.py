"""The look of lines as a source of headings."""
