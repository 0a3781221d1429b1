"""The names of the public ``pageindex`` package (0.4.7): each works as there, or fails at once with a message that names ours.

Only this room knows of that package. The core has its own names; ``pageindex.PageIndexClient`` is the core's client with these on top.
"""
