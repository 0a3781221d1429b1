"""Servers: the library over the Model Context Protocol. Like all doors they parse and render; what they offer is ``app``'s and ``tools``'."""
