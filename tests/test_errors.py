"""Errors are declared once: the drawn tree, the codes with their meaning, the exit statuses."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path
from typing import get_args

from pageindex import errors
from pageindex.errors import CODES, EXIT_STATUSES, Code, InputError, PageIndexError

PACKAGE = Path(errors.__file__).parent
CLASSES = [
    kind
    for name in errors.__all__
    if isinstance(kind := getattr(errors, name), type) and issubclass(kind, PageIndexError)
]


def test_the_tree_that_is_drawn_is_the_tree_that_is() -> None:
    drawn: dict[str, str] = {}
    line_of: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        found = re.match(r"^    ((?:[│├└─]| )*)(\w+Error)\b", line)
        if found:
            level = len(found[1]) // 4
            del line_of[level:]
            drawn[found[2]] = line_of[-1] if line_of else "Exception"
            line_of.append(found[2])
    assert drawn.pop("PageIndexAPIError") == "Exception"  # none of ours: a name for others' code
    assert drawn == {kind.__name__: kind.__base__.__name__ for kind in CLASSES if kind.__base__}


def test_every_code_is_declared_said_and_used() -> None:
    own = {kind.default_code for kind in CLASSES}
    assert set(get_args(Code)) == own | set(CODES)
    assert not own & set(CODES), "a class's own code means what the class says"
    text = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py") if path.name != "errors.py")
    unused = [code for code in CODES if f'"{code}"' not in text]
    assert unused == []


def test_every_literal_code_in_the_package_is_one() -> None:
    known = set(get_args(Code))
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "code" and isinstance(node.value, ast.Constant):
                assert node.value.value in known | {""}, f"{path.name}:{node.value.lineno}"


def test_exit_statuses_of_errors_and_of_results_do_not_meet() -> None:
    assert {kind.exit_code for kind in CLASSES} & set(EXIT_STATUSES) == {1}
    assert all(0 <= kind.exit_code < 20 for kind in CLASSES)


def test_an_error_crosses_a_process_border_whole() -> None:
    error = InputError("no", "do", code="EMPTY_QUERY", near=["a"])
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.to_json()) == (InputError, error.to_json())
