"""``python -m benchmarks SUBJECT [options]``: run one measurement; ``--help`` lists the subjects.

Each module of this folder that defines ``add_arguments(parser)`` and ``run(options) -> int`` is a subject.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    folder = Path(__file__).parent
    subjects = sorted(f.stem for f in folder.glob("*.py") if not f.stem.startswith("_") and "def run(" in f.read_text())
    if not words or words[0] not in subjects:
        print(f"usage: python -m benchmarks SUBJECT [options]\nsubjects: {', '.join(subjects)}", file=sys.stderr)
        return 0 if words and words[0] in ("-h", "--help") else 2
    module = import_module(f"benchmarks.{words[0]}")
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {words[0]}", description=module.__doc__)
    parser.add_argument("--corpus", type=Path, help="folder with dev/, qa/ and hard/ (see benchmarks/README.md)")
    module.add_arguments(parser)
    return int(module.run(parser.parse_args(words[1:])))


if __name__ == "__main__":
    raise SystemExit(main())
