"""LiteLLM costs seconds; it is imported when a model is called, and not before."""

from __future__ import annotations

import subprocess
import sys

import pytest


def modules_after(code: str) -> set[str]:
    probe = f"{code}\nimport sys; print('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60)
    return {name.split(".")[0] for name in done.stderr.split("\n")}


@pytest.mark.parametrize(
    "code",
    [
        "import pageindex",
        "import pageindex.llm, pageindex.refine, pageindex.config",
        "from pageindex.llm import Model; from pageindex.config import Settings; Model(Settings(model='x'))",
        "import sys; sys.argv = ['pageindex', '--help']\nfrom pageindex.cli import main\n"
        "try: main()\nexcept SystemExit: pass",
    ],
)
def test_litellm_is_not_imported(code: str) -> None:
    assert not modules_after(code) & {"litellm", "openai", "tiktoken", "httpx"}


def test_its_network_fetch_is_off() -> None:
    code = """
import os, socket
def refuse(*a): raise AssertionError("network")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
from pageindex.llm.litellm_provider import load_litellm
assert load_litellm().model_cost
assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
"""
    assert "litellm" in modules_after(code)


def test_known_bad_releases_are_excluded() -> None:
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    (bound,) = (r.specifier for r in map(Requirement, requires("pageindex") or ()) if r.name == "litellm")
    assert not any(bound.contains(version) for version in ("1.82.7", "1.82.8", "2.0.0", "1.0.0"))
    assert bound.contains("1.82.9")
