"""Settings: who wins, what is refused, and what is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.config import Mode, Optimize, Secret, Settings, SummaryMode
from pageindex.errors import SettingsError


def test_caller_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    (tmp_path / "pageindex.toml").write_text(
        'model = "file"\nbase_url = "http://file"\nretries = 2\n[headers]\nX-A = "1"\n'
    )
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    environment = {"PAGEINDEX_MODEL": "env", "PAGEINDEX_BASE_URL": "http://env", "PAGEINDEX_LIBRARY": "elsewhere"}
    settings = Settings.load(folder=inner, environment=environment, model="caller", timeout=None)
    assert (settings.model, settings.base_url, settings.retries) == ("caller", "http://env", 2)
    assert settings.headers == {"X-A": "1"}
    assert settings.timeout == Settings().timeout


def test_values_are_converted_from_strings(tmp_path: Path) -> None:
    environment = {
        "PAGEINDEX_BUDGET_TOKENS": "10_000",
        "PAGEINDEX_BUDGET_USD": "0.5",
        "PAGEINDEX_SUMMARIES": "text",
        "PAGEINDEX_OPTIMIZE": "merge",
        "PAGEINDEX_MODE": "standard",
        "PAGEINDEX_HEADERS": '{"X-B": "2"}',
        "PAGEINDEX_API_KEY": "sk-1",
    }
    settings = Settings.load(folder=tmp_path, environment=environment)
    assert (settings.budget_tokens, settings.budget_usd) == (10_000, 0.5)
    assert (settings.summaries, settings.optimize, settings.mode) == (SummaryMode.TEXT, Optimize.MERGE, Mode.STANDARD)
    assert settings.headers == {"X-B": "2"}
    assert settings.api_key.reveal() == "sk-1"


def test_a_secret_is_never_shown() -> None:
    settings = Settings(model="m", api_key=Secret("sk-hidden"), headers={"X-Token": "also-hidden"})
    for shown in (
        repr(settings),
        str(settings),
        str(settings.to_json()),
        f"{settings.api_key}",
        repr(vars(settings)["api_key"]),
    ):
        assert "hidden" not in shown
    assert "X-Token" in repr(settings)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"modell": "x"}, "'model'"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"concurrency": "many"}, "concurrency"),
        ({"concurrency": True}, "whole number"),
        ({"summaries": "long"}, "summaries"),
        ({"timeout": "nan"}, "timeout"),
        ({"min_gain_ratio": 2}, "min_gain_ratio"),
        ({"headers": "[1]"}, "headers"),
    ],
)
def test_a_value_that_means_nothing_is_refused(tmp_path: Path, given: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load(folder=tmp_path, environment={}, **given)
    assert words in f"{caught.value.message} {caught.value.next_step}"


def test_a_broken_or_missing_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "pageindex.toml"
    broken.write_text("model = ")
    with pytest.raises(SettingsError, match="not TOML"):
        Settings.load(folder=tmp_path, environment={})
    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.load(environment={"PAGEINDEX_CONFIG": str(tmp_path / "none.toml")})


def test_a_wrong_key_in_the_file_is_not_printed(tmp_path: Path) -> None:
    (tmp_path / "pageindex.toml").write_text("api_key = 12345678")
    with pytest.raises(SettingsError) as caught:
        Settings.load(folder=tmp_path, environment={})
    assert "12345678" not in caught.value.message


def test_changed_keeps_the_rest() -> None:
    settings = Settings(model="a", index_model="b").changed(chat_model="c", retries=None)
    assert (settings.for_index, settings.for_chat, settings.retries) == ("b", "c", 5)
