"""Settings: who wins, which files give orders, what is refused, and what is never shown."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import replace
from pathlib import Path

import pytest

from pageindex.app.ingest import IngestOptions
from pageindex.chat import ChatOptions
from pageindex.config import (
    CONFIG_FILE,
    Kind,
    Mode,
    Optimize,
    Origin,
    Secret,
    Settings,
    SummaryMode,
    ToolMode,
    load,
    mask,
    options_of,
)
from pageindex.errors import SettingsError
from pageindex.limits import DEFAULT_LIMITS

KEY = "sk-of-the-environment-1"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    root = tmp_path / "work" / ".pageindex"
    root.mkdir(parents=True)
    return root


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_caller_beats_environment_beats_the_library_beats_the_user_beats_the_default(
    tmp_path: Path, library: Path
) -> None:
    beside = _write(library.parent / CONFIG_FILE, 'model = "beside"\nretries = 2\n[headers]\nX-A = "1"\n')
    own = _write(tmp_path / "config" / "pageindex" / CONFIG_FILE, "retries = 3\nconcurrency = 9\ntimeout = 7\n")
    environment = {
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PAGEINDEX_MODEL": "env",
        "PAGEINDEX_TIMEOUT": "8",
        "PAGEINDEX_LIBRARY": "elsewhere",
    }
    found = load(library=library, environment=environment, model="caller", timeout=None)
    settings = found.settings
    assert (settings.model, settings.timeout, settings.retries, settings.concurrency) == ("caller", 8.0, 2, 9)
    assert settings.headers == {"X-A": "1"}
    assert settings.max_wait == Settings().max_wait
    origins = {row["name"]: (row["origin"], row["place"]) for row in found.rows()}
    assert origins["model"] == ("caller", "")
    assert origins["timeout"] == ("environment", "PAGEINDEX_TIMEOUT")
    assert origins["retries"] == ("file beside the library", str(beside))
    assert origins["concurrency"] == ("user's file", str(own))
    assert origins["max_wait"] == ("default", "")
    assert found.files == (beside, own)


def test_a_named_file_is_the_only_one(tmp_path: Path, library: Path) -> None:
    _write(library.parent / CONFIG_FILE, "retries = 2\nconcurrency = 9\n")
    named = _write(tmp_path / "other.toml", 'retries = 4\nbase_url = "http://named"\n')
    environment = {"PAGEINDEX_MODEL_API_KEY": KEY}
    settings = Settings.load(file=named, library=library, environment=environment)
    assert (settings.retries, settings.concurrency) == (4, Settings().concurrency)
    assert settings.api_key.reveal() == KEY, "a file that the user names may be trusted with the user's key"
    assert settings == Settings.load(library=library, environment={**environment, "PAGEINDEX_CONFIG": str(named)})


def test_a_folder_merely_walked_through_gives_no_orders(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = library.parent / "a" / "b"
    inner.mkdir(parents=True)
    for folder in (tmp_path, library.parent / "a", inner):
        _write(folder / CONFIG_FILE, 'model = "evil"\nbase_url = "http://evil"\n')
    monkeypatch.chdir(inner)
    assert load(library=library, environment={}).settings == Settings()
    assert Settings.load(environment={}) == Settings()


def test_a_file_counts_only_once_there_is_a_library_beside_it(tmp_path: Path) -> None:
    file = _write(tmp_path / CONFIG_FILE, 'model = "m"\n')
    found = load(library=tmp_path / ".pageindex", environment={})
    assert found.settings.model == ""
    assert list(found.ignored) == [file]
    assert found.settings.notes == (
        f"{file} is not used: there is no library beside it yet. To use it: --config {file}",
    )
    (tmp_path / ".pageindex").mkdir()
    assert load(library=tmp_path / ".pageindex", environment={}).settings.model == "m"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system keeps no owners")
def test_a_file_that_others_may_write_gives_no_orders(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _write(library.parent / CONFIG_FILE, 'model = "m"\n')
    file.chmod(0o666)
    found = load(library=library, environment={})
    assert (found.settings.model, found.ignored) == ("", {file: "anybody may write it"})
    file.chmod(0o644)
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    monkeypatch.delenv("SUDO_UID", raising=False)
    found = load(library=library, environment={})
    assert (found.settings.model, found.ignored) == ("", {file: "it belongs to another user"})


def test_what_is_no_file_is_not_read(library: Path) -> None:
    place = library.parent / CONFIG_FILE
    place.mkdir()
    assert load(library=library, environment={}).ignored == {place: "it is no file"}
    place.rmdir()
    place.symlink_to(library.parent / "nowhere")
    assert "cannot be looked at" in load(library=library, environment={}).ignored[place]
    place.unlink()
    if hasattr(os, "mkfifo"):
        os.mkfifo(place)
        assert load(library=library, environment={}).ignored == {place: "it is no file"}, "and nobody waits for it"
        place.unlink()
    place.write_bytes(b"#" * (1 << 20) + b"\n")
    assert "larger than" in load(library=library, environment={}).ignored[place]


def test_an_address_beside_the_library_gets_no_key_from_elsewhere(tmp_path: Path, library: Path) -> None:
    file = _write(library.parent / CONFIG_FILE, 'model = "m"\nbase_url = "http://u:hidden@evil/v1"\n')
    _write(tmp_path / "config" / "pageindex" / CONFIG_FILE, '[headers]\nAuthorization = "Bearer of-the-user"\n')
    environment = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "PAGEINDEX_MODEL_API_KEY": KEY}
    found = load(library=library, environment=environment)
    assert (found.settings.api_key, found.settings.headers) == (Secret(""), {})
    assert set(found.withheld) == {"api_key", "headers"}
    said = " ".join(found.settings.notes)
    assert f"text goes to http://***@evil/v1, as {file} says" in said
    assert "not sent there" in said
    assert KEY not in said + str(found.rows()) + repr(found.settings)
    assert "hidden" not in said + str(found.rows()) + repr(found.settings)
    assert load(library=library, environment=environment, api_key="sk-given").settings.api_key == Secret("")
    own = load(library=library, environment=environment, base_url="http://mine/v1")
    assert (own.settings.api_key.reveal(), own.withheld) == (KEY, ())


def test_a_key_beside_the_library_goes_to_the_address_beside_it(library: Path) -> None:
    _write(library.parent / CONFIG_FILE, 'base_url = "http://gateway/v1"\napi_key = "of-the-project"\n')
    assert load(library=library, environment={}).settings.api_key.reveal() == "of-the-project"


def test_an_address_within_a_models_name_is_refused_beside_the_library(library: Path) -> None:
    _write(library.parent / CONFIG_FILE, 'index_model = "huggingface/https://evil.example"\n')
    with pytest.raises(SettingsError, match="holds an address"):
        load(library=library, environment={})


def test_values_are_converted_from_strings() -> None:
    environment = {
        "PAGEINDEX_BUDGET_TOKENS": "10_000",
        "PAGEINDEX_BUDGET_USD": "0.5",
        "PAGEINDEX_SUMMARIES": "text",
        "PAGEINDEX_OPTIMIZE": "merge",
        "PAGEINDEX_MODE": "standard",
        "PAGEINDEX_HEADERS": '{"X-B": "2"}',
        "PAGEINDEX_MODEL_API_KEY": "sk-1",
    }
    settings = Settings.load(environment=environment)
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
    "text",
    [
        "Incorrect API key provided: {}.",
        "GET https://api.example/v1?api_key={}&x=1 failed",
        "https://user:{}@host/v1 refused",
        "headers: {{'Authorization': 'Bearer {}'}}",
        '{{"x-api-key": "{}"}}',
    ],
)
@pytest.mark.parametrize("key", ["sk-proj-AbCd1234efGH", "xai-0123456789abcdef", "Qm9ndXMga2V5IDEyMzQ1"])
def test_a_key_is_masked_wherever_a_text_leaves(text: str, key: str) -> None:
    said = text.format(key)
    assert key not in mask(said, key, environment={})
    assert key not in mask(said, environment={"SOME_API_KEY": key})
    if key.startswith(("sk-", "xai-")) or "Incorrect" not in text:
        assert key not in mask(said, environment={}), "by its shape or its place"
    assert mask(said, key, environment={})[:3] == said[:3]


def test_ordinary_words_are_not_masked() -> None:
    words = "basic authentication failed for /home/sk/report.pdf: task-force key=value is a token of key terms"
    assert mask(words, "short", environment={"LANG_TOKEN": "key"}).replace("key=***", "key=value") == words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"modell": "x"}, "'model'"),
        ({"concurrency": 0}, "concurrency is 0"),
        ({"concurrency": "many"}, "concurrency"),
        ({"concurrency": True}, "whole number"),
        ({"summaries": "long"}, "Use one of none, text, model"),
        ({"timeout": "nan"}, "timeout"),
        ({"min_gain_ratio": 2}, "between 0 and 1"),
        ({"headers": "[1]"}, "headers"),
        ({"language": "de\x1b[31m"}, "control characters"),
    ],
)
def test_a_value_that_means_nothing_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load(environment={}, **given)
    assert words in f"{caught.value.message} {caught.value.next_step}"


def test_a_broken_or_missing_file_is_named(library: Path, tmp_path: Path) -> None:
    _write(library.parent / CONFIG_FILE, "model = ")
    with pytest.raises(SettingsError, match="not TOML"):
        Settings.load(library=library, environment={})
    with pytest.raises(SettingsError, match=r"none\.toml cannot be read"):
        Settings.load(environment={"PAGEINDEX_CONFIG": str(tmp_path / "none.toml")})


def test_a_wrong_key_in_the_file_is_not_printed(library: Path) -> None:
    _write(library.parent / CONFIG_FILE, "api_key = 12345678")
    with pytest.raises(SettingsError) as caught:
        Settings.load(library=library, environment={})
    assert "12345678" not in caught.value.message


def test_changed_keeps_the_rest() -> None:
    settings = Settings(model="a", index_model="b").changed(chat_model="c", retries=None)
    assert (settings.for_index, settings.for_chat, settings.retries) == ("b", "c", 5)


def test_every_field_is_declared_and_reaches_every_place(library: Path) -> None:
    options = options_of(Settings)
    assert set(options) == {field.name for field in dataclasses.fields(Settings)} - {"notes"}
    for option in options.values():
        assert option.help.endswith(".")
        assert option.default == getattr(Settings(), option.name)
    for option in options.values():
        value = "2" if option.type in (int, float) else '{"a": "b"}' if option.name == "headers" else "x"
        value = "yes" if option.type is bool else option.values[-1] if option.values else value
        value = "1" if option.most == 1 else "2001" if (option.least or 0) > 2 else value
        by_variable = load(environment={option.variable: value})
        assert by_variable.origins[option.name].origin is Origin.ENVIRONMENT
        by_keyword = load(environment={}, **{option.name: value})
        assert by_variable.settings == by_keyword.settings != Settings()


def test_what_shapes_a_tree_is_told_apart() -> None:
    settings = Settings(
        model="m", api_key=Secret("sk-1"), optimize=Optimize.MERGE, min_gain_tokens=50, summary_tokens=30
    )
    assert settings.shape(Kind.REFINE) == {"optimize": Optimize.MERGE, "min_gain_tokens": 50}
    assert settings.shape(Kind.STRUCTURE) == {}
    assert settings.only(Kind.REFINE) == Settings(optimize=Optimize.MERGE, min_gain_tokens=50)


def test_what_leads_an_answer_and_bounds_a_file_is_set_like_everything_else(library: Path) -> None:
    _write(library.parent / CONFIG_FILE, "max_turns = 3\nvision = true\nseconds = 7.5\n")
    environment = {"PAGEINDEX_TOOLS": "json", "PAGEINDEX_CONVERSATION_TOKENS": "9_000"}
    settings = Settings.load(library=library, environment=environment, judge=True)
    options = ChatOptions.of(settings, repairs=1)
    assert (options.max_turns, options.conversation_tokens, options.repairs) == (3, 9_000, 1)
    assert (options.mode, options.judge, settings.vision) == (ToolMode.JSON, True, True)
    assert ChatOptions.of(Settings()) == ChatOptions()
    assert IngestOptions(settings).bounds == replace(DEFAULT_LIMITS, seconds=7.5)
    given = replace(DEFAULT_LIMITS, seconds=1.0)
    assert IngestOptions(settings, given).bounds == given, "what the caller gives wins"
    assert settings.shape(*(kind for kind in Kind if kind not in (Kind.LIMIT, Kind.ANSWER))) == {}


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="/dev/zero")
def test_a_named_file_without_end_is_refused() -> None:
    with pytest.raises(SettingsError, match="more than 1,048,576 bytes"):
        load(file="/dev/zero")
