"""Files that a caller may have taken in: those below the folders that the server's owner named, reached over no link."""

from __future__ import annotations

from pathlib import Path

import pytest

from pageindex.errors import InputError
from pageindex.serve.allowed import allowed_path


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    home, other = tmp_path / "docs", tmp_path / "docs2"
    (home / "sub").mkdir(parents=True)
    other.mkdir()
    (home / "sub" / "a.txt").write_text("a")
    (other / "b.txt").write_text("b")
    (home / "out").symlink_to(other)
    (home / "link.txt").symlink_to(other / "b.txt")
    return home, other


def test_a_path_inside_is_taken_absolute_or_relative(folders: tuple[Path, Path]) -> None:
    home, other = folders
    wanted = home / "sub" / "a.txt"
    assert allowed_path(str(wanted), [home]) == wanted
    assert allowed_path("sub/a.txt", [home]) == wanted
    assert allowed_path("b.txt", [home, other]) == other / "b.txt"
    assert allowed_path(".", [home]) == home


@pytest.mark.parametrize(
    "given",
    [
        "../docs2/b.txt",
        "sub/../../docs2/b.txt",
        "/etc/passwd",
        "{other}/b.txt",
        "{home}2/b.txt",
        "out/b.txt",
        "link.txt",
        "a\0b",
    ],
)
def test_a_path_that_leads_out_is_refused(folders: tuple[Path, Path], given: str) -> None:
    home, other = folders
    with pytest.raises(InputError) as caught:
        allowed_path(given.format(home=home, other=other), [home])
    assert caught.value.code == "NOT_ALLOWED"


def test_a_folder_may_itself_be_reached_over_a_link(folders: tuple[Path, Path], tmp_path: Path) -> None:
    home, _ = folders
    named = tmp_path / "named"
    named.symlink_to(home)
    assert allowed_path(str(named / "sub" / "a.txt"), [named]) == named / "sub" / "a.txt"
    assert allowed_path("sub/a.txt", [named]) == home / "sub" / "a.txt"


def test_without_a_folder_nothing_is_taken() -> None:
    with pytest.raises(InputError, match="no folder is open"):
        allowed_path("a.txt", [])
