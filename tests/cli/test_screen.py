"""Columns align in every script; nothing printed can steer a terminal; piped output is whole and plain."""

from __future__ import annotations

import io

import pytest

from pageindex.cli.screen import Column, Screen, fit, pad, printable, text_width


def test_width_counts_terminal_columns() -> None:
    assert text_width("abc") == 3
    assert text_width("章节") == 4
    assert text_width("e\u0301") == 1


def test_control_characters_never_reach_the_terminal() -> None:
    assert printable("a\x1b[31mb\nc\u202ed\x07") == "a[31mb cd"


@pytest.mark.parametrize(
    ("text", "width", "shown"), [("abcdef", 4, "abc…"), ("abcd", 4, "abcd"), ("章节标题", 5, "章节…")]
)
def test_fit_never_exceeds_the_width(text: str, width: int, shown: str) -> None:
    assert fit(text, width) == shown
    assert text_width(fit(text, width)) <= width


def test_padding_counts_columns_not_characters() -> None:
    assert pad("章", 4) == "章  "
    assert pad("7", 3, right=True) == "  7"


def test_a_table_is_cut_on_a_terminal_and_whole_when_piped() -> None:
    columns = [Column("id"), Column("title", flexible=True), Column("pages", right=True)]
    rows = [("a1", "x" * 100, "7"), ("b2", "short", "123")]
    narrow = list(Screen(width=40).table(columns, rows))
    assert all(text_width(line) <= 40 for line in narrow)
    assert narrow[1].endswith("    7")
    piped = list(Screen().table(columns, rows))
    assert "x" * 100 in piped[1]
    assert not any("\x1b" in line for line in piped)


def test_colour_only_where_the_stream_is_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Screen.of(Terminal()).paint("x", "red") == "\x1b[31mx\x1b[0m"
    assert Screen.of(io.StringIO()).paint("x", "red") == "x"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Screen.of(Terminal()).paint("x", "red") == "x"
