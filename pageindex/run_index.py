"""One file in, its tree as JSON out; no library is made or needed.

``python -m pageindex.run_index --pdf_path FILE`` writes ``./results/<name>_structure.json`` with the keys that users of the public
package know (``doc_name, structure: [{title, node_id, start_index, end_index, summary?, nodes?}]``) and ours after them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from pageindex.errors import InputError, PageIndexError

__all__ = ["main"]

_OURS = "pageindex add, tree and export do the same with a library."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    options = _parser().parse_args(arguments)
    source = Path(options.pdf_path or options.md_path)
    from pageindex.compat.functions import file_tree

    try:
        _check_suffix(source, options)
        structure = file_tree(
            source,
            source.suffix,
            options.model,
            ids=_yes(options.if_add_node_id),
            summaries=_yes(options.if_add_node_summary),
            text=_yes(options.if_add_node_text),
            description=_yes(options.if_add_doc_description),
            settings={"optimize": "merge"} if _yes(options.if_thinning) else None,
            password=options.password,
        )
    except PageIndexError as error:
        for line in (f"error: {error.message} [{error.code}]", f"next: {error.next_step}"):
            sys.stderr.write("".join(c if c.isprintable() else " " for c in line) + "\n")
        return error.exit_code
    from pageindex.document.codec import encode_json

    target = Path(options.output_dir) / f"{source.stem}_structure.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(encode_json(structure, pretty=True))
    sys.stdout.write(f"{target}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("run_index", description=f"Write a file's section tree as JSON. {_OURS}")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--pdf_path", "--pdf-path", metavar="FILE", help="A PDF file.")
    source.add_argument("--md_path", "--md-path", metavar="FILE", help="A Markdown file.")
    parser.add_argument(
        "--output_dir", "--output-dir", default="results", metavar="FOLDER", help="Default: %(default)s."
    )
    parser.add_argument("--password", help="For an encrypted PDF.")
    parser.add_argument("--model", help="Refines and summarises the tree. Default: no model.")
    for name in (
        "toc-check-pages",
        "max-pages-per-node",
        "max-tokens-per-node",
        "thinning-threshold",
        "summary-token-threshold",
    ):
        parser.add_argument(f"--{name}", type=int, help="Without meaning here; accepted.")
    parser.add_argument(
        "--if-thinning", choices=("yes", "no"), default="no", help="Merge small sections (%(default)s)."
    )
    for name, default in (("id", "yes"), ("summary", "yes"), ("text", "no")):
        parser.add_argument(
            f"--if-add-node-{name}",
            choices=("yes", "no"),
            default=default,
            help=f"Each section's {name} (%(default)s).",
        )
    parser.add_argument("--if-add-doc-description", choices=("yes", "no"), default="yes", help="(%(default)s)")
    return parser


def _yes(answer: str) -> bool:
    return answer == "yes"


def _check_suffix(source: Path, options: argparse.Namespace) -> None:
    from pageindex.app.ingest.files import MARKDOWN, PDF, by_suffix

    wanted, kind = ("--pdf_path", PDF) if options.pdf_path else ("--md_path", MARKDOWN)
    if by_suffix(source.name) is not kind:
        raise InputError(
            f"{source} is no {' or '.join(kind.suffixes)} file, as {wanted} wants",
            "Use the other option, or 'pageindex add'.",
        )


if __name__ == "__main__":
    raise SystemExit(main())
