"""What ``add`` says of files that are not read as they should have been."""

from __future__ import annotations

from pathlib import Path

from tests.support.pdf import Text, draw
from tests.support.terminal import Shell


def test_a_repaired_file_is_told(tmp_path: Path) -> None:
    data = draw(*([Text(72, 100, f"Some words of sheet {n}")] for n in range(4)))
    (tmp_path / "lying.pdf").write_bytes(data.replace(b"/Count 4", b"/Count 2"))
    (tmp_path / "cut.pdf").write_bytes(data[: data.rindex(b"\nxref")])
    done = Shell(tmp_path / "library")("add", tmp_path / "lying.pdf", tmp_path / "cut.pdf")
    assert "states that it has 2 pages; 4 were counted. [REPAIRED]" in done.stdout
    assert "[CUT_OFF]" in done.stdout
