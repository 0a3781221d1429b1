"""Which addresses nobody but this machine reaches."""

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
