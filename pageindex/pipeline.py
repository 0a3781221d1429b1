"""One file through reading, structure, refine and store."""
