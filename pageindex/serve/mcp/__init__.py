"""The library for hosts that speak the Model Context Protocol, over standard input and output or streamable HTTP.

``wiring`` turns a ``Catalogue`` (what is offered: tools, resources, prompts) into a server of the official SDK; ``catalogue`` is the one of a
library; ``transports`` runs it.
"""
