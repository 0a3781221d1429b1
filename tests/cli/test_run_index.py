"""``run_index.py``: one file in, its tree as JSON out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pageindex.run_index import main
from tests.support.memos import TITLES, write_memo


def test_a_tree_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_memo(tmp_path, ".md")
    options = ["--if-add-node-text", "yes", "--if-add-node-summary", "no", "--if-add-doc-description", "no"]
    assert main(["--md_path", str(path), "--output_dir", str(tmp_path / "out"), *options]) == 0
    target = Path(capsys.readouterr().out.strip())
    assert target == tmp_path / "out" / "memo_structure.json"
    structure = json.loads(target.read_text())
    assert list(structure)[:2] == ["doc_name", "doc_title"]
    assert "doc_description" not in structure
    flat, stack = [], list(reversed(structure["structure"]))
    while stack:
        node = stack.pop()
        flat.append(node)
        stack.extend(reversed(node.get("nodes", ())))
    assert [node["title"] for node in flat if node["title"] in TITLES] == TITLES
    assert all("summary" not in node and node["text"] for node in flat)


def test_the_option_says_the_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_memo(tmp_path, ".md")
    assert main(["--pdf_path", str(path), "--output_dir", str(tmp_path)]) == 2
    assert "as --pdf_path wants" in capsys.readouterr().err
