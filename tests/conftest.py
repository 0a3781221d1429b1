"""What holds for every test: no network but this machine's own, and no verdict from how busy it is."""

from __future__ import annotations

import ipaddress
import socket
import sys
from typing import Any

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
