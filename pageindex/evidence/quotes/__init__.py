"""Where a quote stands, or how the page differs."""
