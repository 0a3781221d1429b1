"""Numbers of headings: their grammar, and what they mean in sequence."""
