"""What holds for every test: no network but this machine's own, no library or settings of its user, no verdict from how busy it is."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("pageindex", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pageindex")


def _is_here(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a socket file
    host = str(address[0])
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_other_machines(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and arguments[0].family in (socket.AF_INET, socket.AF_INET6):
        address = arguments[1]
        if arguments[0].type == socket.SOCK_STREAM and not _is_here(address):
            raise PermissionError(f"a test may not connect to {address}")


sys.addaudithook(_refuse_other_machines)


@pytest.fixture(autouse=True, scope="session")
def _nothing_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Libraries above the tests' own folders and settings of whoever runs them are not seen, in processes that tests start neither."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("PAGEINDEX_")]:
            patch.delenv(name)
        patch.setenv("PAGEINDEX_CEILING", os.pathsep.join([str(base), str(base.resolve()), tempfile.gettempdir()]))
        patch.setenv("XDG_CONFIG_HOME", str(base / "no-settings"))
        yield
