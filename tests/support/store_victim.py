"""Run as a process: ``python -m tests.support.store_victim LIBRARY STEP|adder``.

With a number it changes the library and kills itself with SIGKILL at that step; with a name it adds documents until it is killed,
printing the path of each that was committed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pageindex.store.conformance.samples import sample_addition
from pageindex.store.disk.library import DiskLibrary
from tests.support.store_faults import dying

NEW = ("# Changed\nnew text", "# More\nof it")


def main(root: str, what: str) -> None:
    if what.isdigit():
        library, _ = dying(Path(root), int(what), real=True)
        library.add(sample_addition("/a/report.txt", NEW))
        return
    library = DiskLibrary.open(root)
    for number in range(100_000):
        path = f"/{what}/{number}.txt"
        library.add(sample_addition(path, (f"# {what}\ntext {number}",)))
        sys.stdout.write(path + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
