"""Bytes that have no place in the vault any more, kept outside it where the owner can find them."""

from pathlib import Path

from deepseedian.core.snapshot import sha256
from deepseedian.store.seam import Seam

NAME_BYTES = 120


class Quarantine:
    """One store's folder of things set aside. `conflicts` tells of this run's, in words."""

    def __init__(self, folder: Path, seam: Seam) -> None:
        self.folder, self.seam = folder, seam
        self.conflicts: list[str] = []

    def keep(self, path: str, data: bytes, reason: str, fault: bool = True) -> Path:
        """Keep the bytes of a file of the vault before something takes their place; a `fault` is named in health."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        end = path.replace("/", "-").encode(errors="replace")[-NAME_BYTES:].decode(errors="ignore")
        name = f"{sha256(data)[:16]}-{end}"  # by content: nothing is kept twice, nothing lost
        kept = next((found for found in self.folder.iterdir() if found.name.endswith(f"-{name}")), None)
        if kept is None:
            kept = self.folder / f"{self.seam.clock.stamp()[:19].replace(':', '')}-{name}"
            self.seam.disk.write_new(kept, data)
        if fault:
            self.conflicts.append(f"{path}: {reason}; ours is kept at {kept}")
        return kept

    def files(self) -> list[Path]:
        """What was ever set aside and not taken away since, oldest first."""
        return sorted(self.folder.iterdir()) if self.folder.is_dir() else []
