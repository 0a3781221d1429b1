"""Everything a user can do, once, with typed results. Doors parse arguments for these functions and render what they return.

===============  =====================================================================================================
``ingest``       files into a library: found, read in workers, structured, stored, refined
``document``     ``OpenDocument``: sections, pages, blocks, and characters and pictures out of process
``words``        words on the pages of one document
``search``       pages of a library that answer a query
``checks``       quotes located, claims checked, documents verified, tables extracted
``reader``       ``Reader``: what may be seen, how much may be said, what was seen
``library``      a library opened, listed, changed, kept sound
``export``       a tree as JSON, a document as Markdown
``shapes``       the JSON of all of these
===============  =====================================================================================================
"""
