"""The command line end to end: real files, real workers, a real library on disk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.memos import FORMATS, QUOTE, TITLES, write_memo
from tests.support.odd_files import encrypted_pdf, numbered_pdf
from tests.support.terminal import Shell, run

EXAMPLE = Path(__file__).parents[2] / "examples" / "nist-sp800-115.pdf"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "library")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A library that holds the bundled document."""
    shell = Shell(tmp_path_factory.mktemp("example") / "library")
    shell("add", EXAMPLE)
    return shell


def test_the_bundled_document_has_its_tree(example: Shell) -> None:
    structure = example.json("tree", EXAMPLE.name)
    assert structure["doc_title"] == "Technical Guide to Information Security Testing and Assessment"
    assert structure["page_count"] == 80
    flat, stack = {}, list(structure["structure"])
    while stack:
        node = stack.pop()
        flat[node["title"]] = node
        stack.extend(node.get("nodes", ()))
    assert flat["5.1 Password Cracking"]["start_index"] == 35
    chapter = next(node for title, node in flat.items() if title.endswith("Review Techniques"))
    assert [node["title"].split()[0] for node in chapter["nodes"]] == ["3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7"]


def test_tree_for_people(example: Shell) -> None:
    lines = example("tree", EXAMPLE.name, "--depth", "1").stdout.splitlines()
    assert lines[0] == "Technical Guide to Information Security Testing and Assessment"
    assert "80 pages" in lines[1]
    assert lines[2].split() == ["section", "id", "pages", *(["label"] if "label" in lines[2] else []), "tokens"]
    assert lines[-1].startswith("└─ ")
    assert all("\x1b" not in line for line in lines), "plain when piped"


def test_depth_counts_what_it_hides(example: Shell) -> None:
    whole = example.json("tree", EXAMPLE.name)["structure"]
    shallow = example.json("tree", EXAMPLE.name, "--depth", "1")["structure"]
    assert len(shallow) == len(whole)
    assert all("nodes" not in node for node in shallow)

    def below(node: dict[str, object]) -> int:
        inner: list[dict[str, object]] = node.get("nodes", [])  # type: ignore[assignment]
        return len(inner) + sum(below(child) for child in inner)

    assert [node.get("hidden", 0) for node in shallow] == [below(node) for node in whole]


def test_read_pages_and_sections(example: Shell) -> None:
    pages = example.json("read", EXAMPLE.name, "--pages", "35, 34-35")
    assert [page["page_index"] for page in pages] == [34, 35]
    assert "Password Cracking" in pages[1]["markdown"]
    section = example.json(
        "read", EXAMPLE.name, "--section", example.json("find", EXAMPLE.name, "dictionary attack")["hits"][0]["node_id"]
    )
    assert "dictionary" in section["text"].lower()
    text = example("read", EXAMPLE.name, "--pages", "35").stdout
    assert text.startswith("── page 35")


@pytest.mark.parametrize("spec", ["all", "5-", "7-5", "0", "-3", "", "1-999999999"])
def test_bad_page_specifications_end_with_one_clear_error(example: Shell, spec: str) -> None:
    done = example("read", EXAMPLE.name, f"--pages={spec}", status=2)
    assert "1-80" in done.stderr
    assert "next:" in done.stderr
    assert done.stdout == ""


def test_read_wants_one_of_its_two_ways(example: Shell) -> None:
    for options in ([], ["--pages", "1", "--section", "0001"]):
        assert "either --pages or --section" in example("read", EXAMPLE.name, *options, status=2).stderr


def test_find_words_and_phrases(example: Shell) -> None:
    found = example.json("find", EXAMPLE.name, "dictionary attack", "--limit", "0")
    assert found["pages"] == len(found["hits"]) > 0
    assert all("dictionary attack" in hit["snippet"].lower() for hit in found["hits"]), (
        "an argument with a space is a phrase"
    )
    assert "No page holds" in example("find", EXAMPLE.name, "xylophone").stdout


def test_export_markdown_and_json(example: Shell, tmp_path: Path) -> None:
    target = tmp_path / "out.md"
    done = run("export", EXAMPLE.name, "-f", "markdown", "-o", target, "--library", example.library)
    assert done.returncode == 0, done.stderr
    text = target.read_text()
    assert text.startswith("# Technical Guide to Information Security Testing and Assessment\n")
    assert "<!-- page 35" in text
    assert [f"<!-- page {page}" in text for page in range(1, 81)] == [True] * 80, "no page is left out"
    structure = json.loads(run("export", EXAMPLE.name, "--text", "--library", example.library).stdout)
    assert structure["structure"][0]["text"]


def test_add_twice_then_edit_and_add(shell: Shell, tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".md")
    first = shell.json("add", path)["results"][0]
    assert shell("add", path).stdout.startswith("unchanged")
    path.write_text(path.read_text() + "\n# Appendix\n\nMore.\n")
    changed = shell.json("add", path)["results"][0]
    assert (first["outcome"], changed["outcome"]) == ("added", "new_edition")
    assert changed["document"]["id"] == first["document"]["id"]
    assert shell.json("list")["total"] == 1
    assert "Appendix" in shell("tree", path.name).stdout


def test_two_files_of_one_name_and_an_ambiguous_reference(shell: Shell, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "note.md").write_text(f"# In {folder}\n\nText.\n")
    shell("add", tmp_path / "a" / "note.md", tmp_path / "b" / "note.md")
    assert shell.json("list")["total"] == 2
    assert "[AMBIGUOUS]" in shell("show", "note.md", status=3).stderr
    assert shell.json("show", tmp_path / "b" / "note.md")["source_path"] == str(tmp_path / "b" / "note.md")


def test_several_adders_at_once(shell: Shell, tmp_path: Path) -> None:
    for number in range(8):
        (tmp_path / f"n{number}.md").write_text(f"# Note {number}\n\nText {number}.\n")
    command = [sys.executable, "-m", "pageindex", "add", "--jobs", "1", "--library", str(shell.library)]
    groups = [[f"n{number}.md" for number in range(start, 8, 3)] for start in range(3)] + [["n0.md", "n1.md"]]
    adders = [
        subprocess.Popen([*command, *group], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for group in groups
    ]
    for adder in adders:
        _, complaint = adder.communicate(timeout=100)
        assert adder.returncode == 0, complaint
    names = sorted(document["name"] for document in shell.json("list")["documents"])
    assert names == [f"n{number}.md" for number in range(8)]
    assert shell.json("doctor")["findings"] == []


def test_remove_leaves_the_users_file_alone(shell: Shell, tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".md")
    doc_id = shell.json("add", path)["results"][0]["document"]["id"]
    assert "[NOT_FOUND]" in shell("remove", doc_id, "nothing.pdf", status=3).stderr
    assert shell.json("list")["total"] == 1, "all are found before any is removed"
    assert shell("remove", doc_id[:6]).stdout.startswith("removed")
    assert path.exists()
    assert shell.json("list")["total"] == 0
    left = [file for file in shell.library.rglob("*") if file.is_file() and QUOTE.encode() in file.read_bytes()]
    assert left == []


def test_the_library_needs_neither_the_file_nor_its_own_place(shell: Shell, tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".pdf")
    shell("add", path)
    path.unlink()
    moved = Shell(shell.library.rename(tmp_path / "elsewhere"))
    assert QUOTE.split()[0] in moved("read", "memo.pdf", "--pages", "1").stdout


def test_doctor_names_a_corrupt_record_and_the_others_are_served(shell: Shell, tmp_path: Path) -> None:
    good, bad = (shell.json("add", write_memo(tmp_path, ".md", name))["results"][0]["document"]["id"] if name == "good"
                 else shell.json("add", write_memo(tmp_path, ".txt", name))["results"][0]["document"]["id"]
                 for name in ("good", "bad"))  # fmt: skip
    (record,) = (shell.library / "documents" / bad).glob("document.json")
    record.write_bytes(b"")
    done = shell("show", bad, status=7)
    assert "[CORRUPT_RECORD]" in done.stderr and "document.json" in done.stderr
    assert shell.json("show", good)["id"] == good
    findings = shell.json("doctor", status=7)["findings"]
    assert any(bad in finding["path"] and finding["code"] == "CORRUPT_RECORD" for finding in findings)
    shell("doctor", "--repair")
    assert shell.json("doctor")["findings"] == []
    assert shell.json("list")["total"] == 1


def test_a_folder_with_bad_files(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    write_memo(folder, ".pdf")
    (folder / "empty.pdf").write_bytes(b"")
    encrypted_pdf(folder / "locked.pdf", user="sesame")
    done = shell("add", folder, status=1)
    assert done.stdout.count("added") == 1
    assert "empty.pdf" in done.stderr and "locked.pdf" in done.stderr
    assert "1 added" in done.stderr and "2 failed" in done.stderr
    results = shell.json("add", folder, status=1)["results"]
    assert sorted(result["outcome"] for result in results) == ["failed", "failed", "unchanged"]
    assert {attempt["outcome"] for attempt in shell.json("log")["attempts"]} >= {"added", "PASSWORD_REQUIRED"}


def test_password(shell: Shell, tmp_path: Path) -> None:
    path = encrypted_pdf(tmp_path / "locked.pdf", user="sesame")
    assert "--password" in shell("add", path, status=5).stderr
    shell("add", path, "--password", "wrong", status=5)
    shell("add", path, "--password", "sesame")
    done = run(
        "add",
        encrypted_pdf(tmp_path / "b.pdf", user="sesame"),
        "--library",
        shell.library,
        env={"PAGEINDEX_PASSWORD": "sesame"},
    )
    assert done.returncode == 0, done.stderr


def test_dry_run_changes_nothing(shell: Shell, tmp_path: Path) -> None:
    path = write_memo(tmp_path, ".md")
    assert [row["action"] for row in shell.json("add", path, "--dry-run")["plan"]] == ["add"]
    assert not shell.library.exists()
    shell("add", path)
    assert "would unchanged" not in shell("add", path, "--dry-run").stdout
    assert [row["action"] for row in shell.json("add", path, "--dry-run")["plan"]] == ["unchanged"]


def test_folders_and_metadata(shell: Shell, tmp_path: Path) -> None:
    folder = json.loads(run("folders", "create", "Memos", "--json", "--library", shell.library).stdout)  # fmt: skip
    path = write_memo(tmp_path, ".md")
    shell("add", path, "--folder", folder["id"], "-m", "year=2022", "-m", "kind=memo")
    other = tmp_path / "other.md"
    other.write_text("# Other\n")
    shell("add", other)
    assert [d["name"] for d in shell.json("list", "--folder", folder["id"])["documents"]] == ["memo.md"]
    assert [d["name"] for d in shell.json("list", "--where", "year=2022")["documents"]] == ["memo.md"]
    moved = shell.json("move", "memo.md", "--folder", "root", "-m", "year=2023", "-m", "kind=")
    assert (moved["folderId"], moved["metadata"]) == ("root", {"year": 2023})
    shell("add", path, "--folder", "nowhere", status=3)


def test_gc_and_doctor_on_a_sound_library(example: Shell) -> None:
    assert "sound" in example("doctor").stdout
    assert example.json("gc", "--dry-run")["dry_run"] is True


def test_the_library_is_found_from_a_folder_below(tmp_path: Path) -> None:
    write_memo(tmp_path, ".md")
    assert run("add", "memo.md", cwd=tmp_path).returncode == 0
    assert (tmp_path / ".pageindex" / "library.json").is_file()
    (tmp_path / "deep" / "er").mkdir(parents=True)
    assert "memo.md" in run("list", cwd=tmp_path / "deep" / "er").stdout


@pytest.mark.parametrize("suffix", list(FORMATS))
def test_every_format_is_indexed_without_network_and_key(shell: Shell, tmp_path: Path, suffix: str) -> None:
    """Sockets raise in the command and in its workers; no variable of the environment holds a key."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import socket\n"
        "class Blocked(socket.socket):\n"
        "    def connect(self, *a): raise RuntimeError('network used')\n"
        "    connect_ex = connect\n"
        "socket.socket = Blocked\n"
        "def refuse(*a, **k): raise RuntimeError('network used')\n"
        "socket.getaddrinfo = socket.create_connection = refuse\n"
    )
    path = write_memo(tmp_path, suffix)
    environment = {"PYTHONPATH": str(tmp_path / "site"), "HOME": str(tmp_path), "LITELLM_LOCAL_MODEL_COST_MAP": ""}
    done = run("add", path, "--library", shell.library, env=environment)
    assert done.returncode == 0, done.stderr
    tree = run("tree", path.name, "--library", shell.library, env=environment)
    assert tree.returncode == 0, tree.stderr
    for title in TITLES:
        assert title in tree.stdout
    quoted = run("find", path.name, QUOTE, "--json", "--library", shell.library, env=environment)
    assert json.loads(quoted.stdout)["pages"] == 1


def test_an_interrupt_ends_the_command_and_its_workers(shell: Shell, tmp_path: Path) -> None:
    import signal
    import time

    (tmp_path / "big.pdf").write_bytes(numbered_pdf(1500))
    adder = subprocess.Popen(
        [sys.executable, "-m", "pageindex", "add", "big.pdf", "--library", str(shell.library)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job has it ignored
    )  # fmt: skip
    deadline = time.monotonic() + 20
    while not _children(adder.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    workers = _children(adder.pid)
    assert workers, "a worker was started"
    adder.send_signal(signal.SIGINT)
    adder.communicate(timeout=30)
    assert adder.returncode == 130
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert shell.json("list")["total"] == 0


def _children(pid: int) -> list[int]:
    """Processes that any thread of a process has started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for children in lists for child in children.read_text().split()]


def test_run_index_writes_the_known_json(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "run_index.py"
    for option, suffix in (("--pdf_path", ".pdf"), ("--md_path", ".md")):
        path = write_memo(tmp_path, suffix, f"memo{suffix[1:]}")
        done = subprocess.run(
            [sys.executable, str(script), option, str(path)], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        result = json.loads((tmp_path / "results" / f"{path.stem}_structure.json").read_text())
        assert result["doc_name"] == path.name
        nodes = [node for top in result["structure"] for node in [top, *top.get("nodes", ())]]
        assert [node["title"] for node in nodes if node["title"] in TITLES] == TITLES
        assert all({"title", "node_id", "start_index", "end_index"} <= set(node) for node in nodes)
        assert all(1 <= node["start_index"] <= node["end_index"] <= result["page_count"] for node in nodes)
    assert not list(tmp_path.glob("**/.pageindex")), "no library is made"
    wrong = subprocess.run(
        [sys.executable, str(script), "--pdf_path", "memo.md"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 2
    gone = subprocess.run(
        [sys.executable, str(script), "--pdf_path", "gone.pdf"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert gone.returncode == 3
    assert "does not exist" in gone.stderr


def test_the_readme_s_python_runs(tmp_path: Path) -> None:
    readme = (EXAMPLE.parents[1] / "README.md").read_text()
    code = readme.split("```python\n", 1)[1].split("```", 1)[0]
    (tmp_path / "examples").symlink_to(EXAMPLE.parent)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "5. Target Vulnerability Validation Techniques 35 41" in done.stdout
    assert done.stdout.splitlines()[-1] in ("exact", "ambiguous")


def test_the_readme_names_only_commands_and_options_that_exist() -> None:
    from pageindex.cli.reference import commands

    known = commands()
    readme = (EXAMPLE.parents[1] / "README.md").read_text()
    lines = [line.split("#")[0].split() for line in readme.splitlines() if line.startswith("pageindex ")]
    assert len(lines) > 10
    for words in lines:
        options = {name for param in known[words[1]].params for name in param.opts}
        assert {word for word in words if word.startswith("-")} <= options, words
