"""Two devices with one synced vault, and a sync tool between them, without any real time passing.

The tool replaces whole files, delivers late and in any order, lets the modified win over the deleted, and on a
conflict does what the tools do: a conflict copy (Syncthing), a key-wise merge of JSON with local keys first and a
patch-wise merge of Markdown (Obsidian Sync).
"""

import difflib
import json
import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deepseedian.errors import Busy, ReadOnly
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store.seam import Seam
from tests.doubles import FakeClock

MEMORY = ".obsidian/plugins/deepseedian/memory"


class Device:
    """A vault, the folders outside it, and the opened sidecar."""

    def __init__(self, folder: Path, name: str, clock: FakeClock) -> None:
        self.folder, self.name, self.clock = folder / name, name, clock
        self.vault = self.folder / "vault"
        self.seen: dict[str, bytes] = {}  # what the sync tool saw of each file last
        self.sidecar: Sidecar | None = None

    @contextmanager
    def on(self) -> Iterator[Sidecar]:
        """As this device: its state folder is in the environment."""
        before = os.environ["DEEPSEEDIAN_STATE_DIR"]
        os.environ["DEEPSEEDIAN_STATE_DIR"] = str(self.folder / "state")
        try:
            if self.sidecar is None:
                self.sidecar = Sidecar.open(self.vault, seam=Seam(clock=self.clock))
            yield self.sidecar
        finally:
            os.environ["DEEPSEEDIAN_STATE_DIR"] = before

    def found(self) -> None:
        with self._environment():
            initialise(self.vault)

    @contextmanager
    def _environment(self) -> Iterator[None]:
        before = os.environ["DEEPSEEDIAN_STATE_DIR"]
        os.environ["DEEPSEEDIAN_STATE_DIR"] = str(self.folder / "state")
        yield
        os.environ["DEEPSEEDIAN_STATE_DIR"] = before

    def reconcile(self) -> None:
        """What the daemon does on its timer and after events."""
        with self.on() as sidecar:
            while sidecar.store.refresh(deep=True):
                self.clock.sleep(1)
            with suppress(Busy, ReadOnly):
                sidecar.store.mend()
            with suppress(Busy, ReadOnly):
                sidecar.merge_copies()
            sidecar.store.derive()
            sidecar.store.keeping.save()
            for note in sorted((self.vault / "Deepseedian").rglob("*.md")):
                sidecar.review.read_note(note.relative_to(self.vault).as_posix())

    def restart(self) -> None:
        with self.on() as sidecar:
            sidecar.close()
        self.sidecar = None

    def files(self) -> dict[str, bytes]:
        """Everything that syncs."""
        paths = [path for path in sorted(self.vault.rglob("*")) if path.is_file() and path.name != "writer.lock"]
        return {path.relative_to(self.vault).as_posix(): path.read_bytes() for path in paths}

    def everything(self) -> bytes:
        """All bytes of the vault and of what was set aside."""
        aside = [path.read_bytes() for path in sorted((self.folder / "state").rglob("quarantine/*"))]
        return b"\n".join([*self.files().values(), *aside])


class SyncTool:
    """Carries changes between two devices; `style` says what it does about conflicts."""

    def __init__(self, first: Device, second: Device, dice: random.Random, style: str) -> None:
        self.devices, self.dice, self.style = (first, second), dice, style
        self.conflicts = 0

    def carry(self, share: float = 1.0) -> int:
        """Deliver a share of what is waiting, in any order; how many files were delivered."""
        waiting = [(giver, path) for giver in (0, 1) for path in self._changed(self.devices[giver])]
        self.dice.shuffle(waiting)
        done = 0
        for giver, path in waiting:
            if self.dice.random() <= share:
                done += self._deliver(self.devices[giver], self.devices[1 - giver], path)
        return done

    def _changed(self, device: Device) -> list[str]:
        now = device.files()
        return [path for path in sorted({*now, *device.seen}) if now.get(path) != device.seen.get(path)]

    def _deliver(self, giver: Device, taker: Device, path: str) -> bool:
        new, there, before = _read(giver.vault / path), _read(taker.vault / path), taker.seen.get(path)
        if new == giver.seen.get(path):
            return False  # the other direction settled it
        if there in (new, before):
            self._put(taker, path, new)
        elif new is None:
            self._put(giver, path, there)  # modified beats deleted
            giver.seen[path] = there or b""
            taker.seen[path] = there or b""
            return True
        elif there is not None:
            new = self._conflict(giver, taker, path, new, there, before)
        else:
            self._put(taker, path, new)
        for device in (giver, taker):
            if new is None:
                device.seen.pop(path, None)
            else:
                device.seen[path] = new
        return True

    def _conflict(self, giver: Device, taker: Device, path: str, new: bytes, there: bytes, before: bytes | None) -> bytes:
        self.conflicts += 1
        if self.style == "copies":
            stem, dot, suffix = path.rpartition(".")
            copy = f"{stem}.sync-conflict-20261129-{self.conflicts:06d}-{taker.name.upper():0>7}{dot}{suffix}"
            winner, loser = (new, there) if self.dice.random() < 0.5 else (there, new)
            self._put(taker, copy, loser)
            merged = winner
        elif path.endswith(".json"):
            merged = _merged_json(there, new)
        else:
            merged = _merged_text(before or b"", there, new)
        self._put(taker, path, merged)
        self._put(giver, path, merged)
        return merged

    def _put(self, device: Device, path: str, data: bytes | None) -> None:
        target = device.vault / path
        if data is None:
            target.unlink(missing_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".syncthing.{target.name}.tmp")
        temporary.write_bytes(data)
        temporary.replace(target)


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _merged_json(local: bytes, remote: bytes) -> bytes:
    return json.dumps({**json.loads(remote), **json.loads(local)}, ensure_ascii=False).encode()


def _merged_text(base: bytes, local: bytes, remote: bytes) -> bytes:
    """The lines that changed from base to remote, put into local near where they were."""
    old, mine, theirs = (data.splitlines(keepends=True) for data in (base, local, remote))
    for kind, start, end, low, high in reversed(difflib.SequenceMatcher(None, old, theirs, autojunk=False).get_opcodes()):
        if kind == "equal":
            continue
        at = mine.index(old[start - 1]) + 1 if start and old[start - 1] in mine else len(mine)
        for line in old[start:end]:
            if line in mine[at:]:
                del mine[mine.index(line, at)]
        mine[at:at] = theirs[low:high]
    return b"".join(mine)


def pair(folder: Path, dice: random.Random, style: str) -> tuple[Device, Device, SyncTool]:
    """Two devices whose vaults are the same to begin with."""
    first, second = Device(folder, "one", FakeClock()), Device(folder, "two", FakeClock())
    second.clock.now += dice.choice([-3600, 0, 5, 86_400])
    first.folder.mkdir(parents=True)
    first.found()
    shutil.copytree(first.vault, second.vault)
    first.seen, second.seen = first.files(), second.files()
    return first, second, SyncTool(first, second, dice, style)
