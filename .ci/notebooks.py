"""Execute every notebook of a folder, each in a fresh kernel; with ``--save`` the outputs are written back."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    notebooks = sorted(options.folder.glob("*.ipynb"))
    if not notebooks:
        sys.stderr.write(f"{options.folder} holds no notebook\n")
        return 1
    for path in notebooks:
        begun = time.monotonic()
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(options.folder)}}
        )
        try:
            client.execute()
        except CellExecutionError as error:
            sys.stderr.write(f"{path}: {error}\n")
            return 1
        if options.save:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)  # time stamps change at each run
            nbformat.write(notebook, path)
        sys.stdout.write(f"{path}: {len(notebook.cells)} cells in {time.monotonic() - begun:.1f} s\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
