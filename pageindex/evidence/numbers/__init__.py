"""Numbers as printed: tokens, literals, parity, arithmetic."""
