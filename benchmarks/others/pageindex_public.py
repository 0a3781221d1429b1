"""The public pageindex package (0.4.7 measured) without a model: the tree of its layout engine, with bookmarks where a file has them."""

from pageindex.flash.api import page_index_flash


def work(path):
    found = page_index_flash(path, summary=False, optimize=False)
    return list(_flat(found["structure"], 1))


def _flat(nodes, level):
    for node in nodes:
        yield {"title": node["title"], "page": node.get("start_index"), "level": level}
        yield from _flat(node.get("nodes") or (), level + 1)
