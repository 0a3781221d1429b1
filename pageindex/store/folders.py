"""The folders of a library: a small tree of names, kept as a value and changed by making another."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pageindex.document.codec import FORMAT
from pageindex.errors import InputError, NotFoundError
from pageindex.store.base import ROOT_FOLDER, Folder

__all__ = ["FolderTree"]


@dataclass(frozen=True, slots=True)
class FolderTree:
    """All folders below the root, by id."""

    folders: Mapping[str, Folder] = field(default_factory=dict)

    def with_folder(self, name: str, parent_id: str) -> tuple[FolderTree, Folder]:
        """The tree with a folder of this name, and the folder; one that is already there is given back."""
        name = name.strip()
        if not name or "/" in name:
            raise InputError(f"{name!r} is no name for a folder", "Use a name without '/', one level at a time.")
        for folder in self.children(parent_id):
            if folder.name == name:
                return self, folder
        folder = Folder(f"f{secrets.token_hex(5)}", name, parent_id)
        return FolderTree({**self.folders, folder.folder_id: folder}), folder

    def children(self, parent_id: str) -> Sequence[Folder]:
        """The folders directly inside one, by name."""
        self.check(parent_id)
        return sorted((f for f in self.folders.values() if f.parent_id == parent_id), key=lambda f: f.name.casefold())

    def below(self, folder_id: str, recursive: bool) -> Sequence[str] | None:
        """Ids of a folder and those below it; None, which is every folder, for the root with all below it."""
        self.check(folder_id)
        if not recursive:
            return [folder_id]
        if folder_id == ROOT_FOLDER:
            return None
        found = [folder_id]
        for current in found:
            found.extend(f.folder_id for f in self.folders.values() if f.parent_id == current)
        return found

    def path(self, folder_id: str) -> Sequence[Folder]:
        """From the top folder down to the one named; empty for the root."""
        path: list[Folder] = []
        current = folder_id
        while current != ROOT_FOLDER:
            self.check(current)
            path.insert(0, self.folders[current])
            current = path[0].parent_id
        return path

    def check(self, folder_id: str) -> None:
        """Raise NotFoundError unless there is such a folder."""
        if folder_id != ROOT_FOLDER and folder_id not in self.folders:
            known = {f.folder_id: f.name for f in self.folders.values()}
            raise NotFoundError(f"no folder has the id {folder_id!r}", "List the folders first.", folders=known)

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, "folders": [asdict(folder) for folder in self.folders.values()]}

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> FolderTree:
        """Inverse of ``to_json``; raises KeyError, TypeError or ValueError for anything else, a cycle included."""
        folders = [Folder(**row) for row in item["folders"]]
        by_id = {folder.folder_id: folder for folder in folders}
        for folder in folders:
            seen, current = {folder.folder_id}, folder.parent_id
            while current != ROOT_FOLDER:
                if current in seen:
                    raise ValueError(f"folder {current} is inside itself")
                seen.add(current)
                current = by_id[current].parent_id
        return cls(by_id)
