"""What has no counterpart here, said at once and with the name of what does the job."""

from __future__ import annotations

from typing import NoReturn

from pageindex.errors import SettingsError

__all__ = ["KEY_REFUSED", "no_counterpart"]

KEY_REFUSED = "Leave it out: a library on this machine needs no key. A key for a model goes with the model: chat={'model': …, 'api_key': …}."


def no_counterpart(name: str, instead: str) -> NoReturn:
    """Raise SettingsError (INVALID_SETTING) for a name of the public package that means nothing here."""
    raise SettingsError(f"{name} of the hosted service has no counterpart in a library on this machine", instead)
