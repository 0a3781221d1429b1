"""The surface of the public package 0.4.7: each name is there, takes what it took, or says at once what does its job here.

``public.json`` holds the facts: names, parameters and their kinds, read off that package with ``inspect``.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import pageindex
from pageindex import utils

PUBLIC: dict[str, Any] = json.loads((Path(__file__).parent / "public.json").read_text())
_VARIABLE = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def taken(call: Any) -> tuple[dict[str, inspect.Parameter], bool]:
    """Parameters by name, and whether any keyword is taken."""
    parameters = [one for one in inspect.signature(call).parameters.values() if one.name != "self"]
    free = any(one.kind in _VARIABLE for one in parameters)
    return {one.name: one for one in parameters if one.kind not in _VARIABLE}, free


def missing(call: Any, wanted: list[list[Any]]) -> list[str]:
    """What a call of the public name could pass that this one does not take, or takes in another place."""
    here, free = taken(call)
    faults = []
    place = [name for name, one in here.items() if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    for index, (name, kind, optional) in enumerate(wanted):
        if kind.startswith("VAR_"):
            continue
        if name not in here:
            faults += [] if free else [f"no {name}"]
        elif kind == "POSITIONAL_OR_KEYWORD" and place[index : index + 1] != [name]:
            faults.append(f"{name} is not argument {index}")
        elif optional and here[name].default is inspect.Parameter.empty:
            faults.append(f"{name} is needed")
    return faults


@pytest.mark.parametrize("name", PUBLIC["names"])
def test_every_public_name_is_there(name: str) -> None:
    found = getattr(pageindex, name)
    wanted = PUBLIC["names"][name]
    if wanted and callable(found) and not name.endswith(("Config", "Options", "Object", "Stream", "APIError")):
        assert missing(found.__init__ if inspect.isclass(found) else found, wanted) == []


@pytest.mark.parametrize("name", PUBLIC["client"])
def test_every_method_takes_what_it_took(name: str) -> None:
    wanted = PUBLIC["client"][name]
    found = inspect.getattr_static(pageindex.PageIndexClient, name)
    if wanted == "property":
        assert isinstance(found, property)
    elif isinstance(wanted, list):
        assert missing(found, wanted) == []


def test_helpers_over_trees_are_there_and_the_others_are_named() -> None:
    wanted = {"structure_to_list", "get_nodes", "print_tree", "create_node_mapping", "remove_fields"}
    assert wanted <= set(utils.__all__) <= set(PUBLIC["utils"])
    for name in set(PUBLIC["utils"]) - set(utils.__all__):
        with pytest.raises(AttributeError, match=r"docs/compat\.md"):
            getattr(utils, name)


def test_the_errors_are_of_one_family() -> None:
    from pageindex.errors import NotFoundError

    error = NotFoundError("nothing", "look elsewhere")
    assert isinstance(error, pageindex.PageIndexAPIError) and error.status_code is None
