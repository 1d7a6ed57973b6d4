"""A commit dies at every call that changes the disk, before and after it; recovery must not need a human."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.core.snapshot import sha256
from deepseedian.errors import BadVault, Conflict, ReadOnly
from deepseedian.store.commit import RECORD, Change, Commit
from deepseedian.store.disk import Disk
from tests.doubles import DyingDisk, Killed

OLD = {"topics/a.md": b"old a\n", "journal.json": b"{}\n", "topics/gone.md": b"bye\n"}
NEW = {"topics/a.md": b"new a\n", "journal.json": b"{1}\n", "topics/sub/b.md": b"new b\n"}


def changes() -> list[Change]:
    return [Change("journal.json", sha256(OLD["journal.json"]), NEW["journal.json"]),
            Change("topics/a.md", sha256(OLD["topics/a.md"]), NEW["topics/a.md"]),
            Change("topics/gone.md", sha256(OLD["topics/gone.md"]), None),
            Change("topics/sub/b.md", "", NEW["topics/sub/b.md"])]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "mem"
    (folder / "topics").mkdir(parents=True)
    for path, data in OLD.items():
        (folder / path).write_bytes(data)
    return folder


def committer(root: Path, disk: Disk) -> Commit:
    return Commit(root, "device", disk, lambda: None)


def content(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def steps(tmp_path: Path) -> int:
    folder = tmp_path / "count"
    (folder / "topics").mkdir(parents=True)
    for path, data in OLD.items():
        (folder / path).write_bytes(data)
    disk = DyingDisk()
    committer(folder, disk).run(changes(), "t")
    assert content(folder) == NEW
    return len(disk.calls)


def recorded(root: Path) -> int:
    """The number of the first call after the record was made durable; the folder is as before afterwards."""
    disk = DyingDisk()
    committer(root, disk).run(changes(), "t")
    reset(root)
    published = disk.calls.index(f"publish {RECORD}")
    return next(number for number, call in enumerate(disk.calls, 1) if number > published + 1 and not call.startswith("flush"))


def deaths(tmp_path: Path) -> Iterator[tuple[int, bool]]:
    for number in range(1, steps(tmp_path) + 1):
        yield number, False
        yield number, True


def test_a_kill_at_any_call_leaves_all_old_or_all_new(root: Path, tmp_path: Path) -> None:
    tried = 0
    for number, after in deaths(tmp_path):
        reset(root)
        with pytest.raises(Killed):
            committer(root, DyingDisk(number, after=after)).run(changes(), "t")
        committer(root, Disk()).recover(clean=True)
        assert content(root) in (OLD, NEW), (number, after)
        tried += 1
    assert tried >= 40


def test_a_kill_during_recovery_is_recovered_too(root: Path, tmp_path: Path) -> None:
    for number, after in deaths(tmp_path):
        for again in range(1, 8):
            reset(root)
            with pytest.raises(Killed):
                committer(root, DyingDisk(number, after=after)).run(changes(), "t")
            try:
                committer(root, DyingDisk(again)).recover(clean=True)
            except Killed:
                committer(root, Disk()).recover(clean=True)
            assert content(root) in (OLD, NEW), (number, after, again)


def test_an_error_at_any_call_is_raised_with_all_as_before_or_all_is_new(root: Path, tmp_path: Path) -> None:
    raised = 0
    for number in range(1, steps(tmp_path) + 1):
        reset(root)
        try:
            committer(root, DyingDisk(number, error=OSError(28, "full"))).run(changes(), "t")
        except OSError:
            raised += 1
            assert {path: data for path, data in content(root).items() if path in OLD or path in NEW} == OLD, number
            wanted = OLD
        else:
            wanted = NEW
        committer(root, Disk()).recover(clean=True)
        assert content(root) == wanted, number
    reset(root)
    committer(root, disk := DyingDisk()).run(changes(), "t")
    assert raised == disk.calls.index(f"unlink {RECORD}")  # from there on the change is durable, and only to be tidied up after


def reset(root: Path) -> None:
    shutil.rmtree(root)
    (root / "topics").mkdir(parents=True)
    for path, data in OLD.items():
        (root / path).write_bytes(data)


class Racing(Disk):
    """Another program saves the file right before our exchange."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def exchange(self, first: Path, second: Path) -> bool:
        if second == self.path:
            self.path.write_bytes(b"the user was here\n")
            self.path = Path()
        return super().exchange(first, second)


class RacingThenDead(Racing):
    """And we die right after it."""

    def exchange(self, first: Path, second: Path) -> bool:
        racing = second == self.path
        super().exchange(first, second)
        if racing:
            raise Killed
        return True


def test_an_edit_between_compare_and_exchange_survives_and_the_commit_is_undone(root: Path) -> None:
    with pytest.raises(Conflict):
        committer(root, Racing(root / "topics/a.md")).run(changes(), "t")
    assert content(root) == OLD | {"topics/a.md": b"the user was here\n"}


def test_an_edit_before_the_commit_is_a_conflict(root: Path) -> None:
    (root / "topics/a.md").write_bytes(b"edited\n")
    with pytest.raises(Conflict):
        committer(root, Disk()).run(changes(), "t")
    assert content(root) == OLD | {"topics/a.md": b"edited\n"}


def test_an_edit_after_the_kill_is_kept_and_our_version_handed_over(root: Path) -> None:
    disk = DyingDisk(recorded(root))
    with pytest.raises(Killed):
        committer(root, disk).run(changes(), "t")
    assert (root / RECORD).exists()
    (root / "topics/a.md").write_bytes(b"edited\n")
    found = committer(root, Disk()).recover(clean=True)
    assert (root / "topics/a.md").read_bytes() == b"edited\n"
    assert [(conflict.path, conflict.data) for conflict in found.conflicts] == [("topics/a.md", NEW["topics/a.md"])]


def test_an_edit_that_was_swapped_out_when_we_died_goes_back(root: Path) -> None:
    with pytest.raises(Killed):
        committer(root, RacingThenDead(root / "topics/a.md")).run(changes(), "t")
    committer(root, Disk()).recover(clean=True)
    assert (root / "topics/a.md").read_bytes() == b"the user was here\n"


def test_without_an_exchange_a_commit_still_lands(root: Path) -> None:
    class Plain(Disk):
        def exchange(self, first: Path, second: Path) -> bool:
            return False

    committer(root, Plain()).run(changes(), "t")
    assert content(root) == NEW


def test_records_of_others_are_not_replayed(root: Path) -> None:
    with pytest.raises(Killed):
        committer(root, DyingDisk(recorded(root))).run(changes(), "t")
    found = Commit(root, "other", Disk(), lambda: None).recover(clean=True)
    assert found.foreign and not found.replayed
    assert (root / "transaction-device.json").exists() and not (root / RECORD).exists()
    committer(root, Disk()).recover(clean=True)
    assert content(root) == NEW


@pytest.mark.parametrize("data", [b"", b"\0" * 4096, b"[", b'{"version":2,"device":"device","files":[{"path":"../x"}]}',
                                  b'{"version":1,"before":{},"after":{}}'])
def test_torn_records_are_set_aside(root: Path, data: bytes) -> None:
    (root / RECORD).write_bytes(data)
    found = committer(root, Disk()).recover(clean=True)
    assert [conflict.data for conflict in found.conflicts] == [data]
    assert content(root) == OLD


FILE = {"path": "topics/a.md", "old": sha256(OLD["topics/a.md"]), "new": ""}
ODD = [FILE | {"temporary": "nowhere/x"}, FILE | {"temporary": "journal.json"}, FILE | {"path": "../a.md"}, FILE | {"path": "topics//a.md"},
       FILE | {"path": "x" * 256}, FILE | {"path": 1}, FILE | {"old": ["a"]}, FILE | {"old": ""}, FILE | {"more": ""}]


@pytest.mark.parametrize("file", ODD)
def test_a_record_with_names_that_no_commit_gives_is_set_aside(root: Path, file: dict[str, object]) -> None:
    old, new = (str(file[key])[:12] or "none" for key in ("old", "new"))
    named = {"temporary": f"topics/.deepseedian-device-t-0-{old}-{new}.tmp"} | file
    data = record("device", named)
    (root / RECORD).write_bytes(data)
    found = committer(root, Disk()).recover(clean=True)
    assert [conflict.data for conflict in found.conflicts] == [data] and not found.replayed
    assert content(root) == OLD


@pytest.mark.parametrize("device", ["", "../device", "x" * 300, "设备"])
def test_a_record_of_a_device_with_no_name_of_ours_is_set_aside(root: Path, device: str) -> None:
    (root / RECORD).write_bytes(record(device))
    assert committer(root, Disk()).recover(clean=True).conflicts
    assert content(root) == OLD


def record(device: str, *files: dict[str, object]) -> bytes:
    body = {"version": 2, "device": device, "token": "t", "files": files}
    return json.dumps(body | {"checksum": sha256(json.dumps(body, ensure_ascii=False, sort_keys=True).encode())}, ensure_ascii=False).encode()


def test_hidden_names_that_a_backup_left_out_do_not_stop_recovery(root: Path) -> None:
    """What was in place stays, what was not does not come, and what cannot be had back is told."""
    disk = DyingDisk()
    committer(root, disk).run(changes(), "t")
    deaths_at = [number for number, call in enumerate(disk.calls, 1) if number > disk.calls.index(f"publish {RECORD}") + 1]
    told = 0
    for number in deaths_at:
        reset(root)
        with pytest.raises(Killed):
            committer(root, DyingDisk(number)).run(changes(), "t")
        for path in list(root.rglob(".deepseedian-*")):
            path.unlink()
        before = {path: data for path, data in content(root).items() if path != RECORD}
        found = committer(root, Disk()).recover(clean=True)
        told += len(found.conflicts)
        after = content(root)
        assert all(after.get(path) == data or after.get(path) == OLD.get(path) for path, data in before.items()), number
        assert committer(root, Disk()).recover(clean=True).conflicts == []
    assert told


def test_what_stands_under_our_names_and_is_no_file_is_nobodys_hindrance(root: Path, tmp_path: Path) -> None:
    (root / "topics/.deepseedian-device-t-0-a-b.tmp").mkdir()
    (root / ".deepseedian-device-t-1-a-b.tmp").symlink_to(tmp_path / "elsewhere")
    assert not committer(root, Disk()).leftovers()
    committer(root, Disk()).recover(clean=True)
    committer(root, Disk()).run(changes(), "t")
    assert content(root) == NEW


def test_a_newer_versions_record_stops_us(root: Path) -> None:
    (root / RECORD).write_bytes(b'{"version":3}')
    with pytest.raises(ReadOnly):
        committer(root, Disk()).recover(clean=True)
    assert (root / RECORD).exists()


def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "topics/sub").symlink_to(tmp_path / "outside")
    with pytest.raises(Exception, match="link"):
        committer(root, Disk()).run(changes(), "t")
    assert not list((tmp_path / "outside").iterdir())
    assert {path: data for path, data in content(root).items() if "sub" not in path} == OLD


def test_the_mode_of_a_file_survives(root: Path) -> None:
    (root / "topics/a.md").chmod(0o664)
    committer(root, Disk()).run(changes(), "t")
    assert (root / "topics/a.md").stat().st_mode & 0o777 == 0o664


def test_two_edits_around_a_kill_are_both_kept(root: Path) -> None:
    with pytest.raises(Killed):
        committer(root, RacingThenDead(root / "topics/a.md")).run(changes(), "t")
    (root / "topics/a.md").write_bytes(b"and saved once more\n")
    found = committer(root, Disk()).recover(clean=True)
    assert (root / "topics/a.md").read_bytes() == b"and saved once more\n"
    assert b"the user was here\n" in [conflict.data for conflict in found.conflicts]


def test_a_second_save_during_the_way_back_stays(root: Path) -> None:
    class Twice(Racing):
        """Saves once before our exchange and once after it."""

        def __init__(self, path: Path) -> None:
            super().__init__(path)
            self.target, self.times = path, 0

        def exchange(self, first: Path, second: Path) -> bool:
            done = super().exchange(first, second)
            self.times += second == self.target
            if second == self.target and self.times == 1:
                self.target.write_bytes(b"the newest save\n")
            return done

    with pytest.raises(Conflict):
        committer(root, Twice(root / "topics/a.md")).run(changes(), "t")
    assert (root / "topics/a.md").read_bytes() == b"the newest save\n"


def test_bytes_of_unknown_origin_under_our_name_are_handed_over(root: Path) -> None:
    (root / "topics/.deepseedian-device-tok-0-aaaaaaaaaaaa-bbbbbbbbbbbb.tmp").write_bytes(b"whose?\n")
    found = committer(root, Disk()).recover(clean=True)
    assert [conflict.data for conflict in found.conflicts] == [b"whose?\n"] and content(root) == OLD


def test_a_folder_that_becomes_a_link_leads_nowhere(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(OLD["topics/a.md"])
    disk = Disk()
    disk.confine(root)
    (root / "topics").rename(root / "kept")
    (root / "topics").symlink_to(outside)
    with pytest.raises(BadVault):
        disk.read(root / "topics/a.md")
    with pytest.raises(BadVault):
        committer(root, disk).run(changes(), "t")
    assert content(outside) == {"a.md": OLD["topics/a.md"]}


def test_a_step_stays_in_the_folder_it_began_in_and_the_next_one_looks_again(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"not ours\n")
    disk = Disk()
    elsewhere: list[bool] = []
    disk.confine(root)
    with disk.beside(root / "topics/a.md"):
        (root / "topics").rename(root / "kept")
        (root / "topics").symlink_to(outside)
        assert disk.read(root / "topics/a.md") == OLD["topics/a.md"]
        disk.write_new(root / "topics/new.md", b"ours\n")
        other = threading.Thread(target=lambda: elsewhere.append(refused(disk, root)))
        other.start()
        other.join()
    assert elsewhere == [True] and refused(disk, root)
    assert content(outside) == {"a.md": b"not ours\n"} and (root / "kept/new.md").read_bytes() == b"ours\n"


def refused(disk: Disk, root: Path) -> bool:
    try:
        disk.read(root / "topics/a.md")
    except BadVault:
        return True
    return False


def test_a_listing_never_goes_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.md").write_bytes(b"not ours\n")
    (root / "topics/sub").mkdir()
    (root / "topics/sub/b.md").write_bytes(b"b\n")
    (root / "topics/away").symlink_to(tmp_path / "outside")
    disk = Disk()
    disk.confine(root)
    found = {item.path: item.size for item in disk.walk(root / "topics")}
    assert found == {"a.md": 6, "gone.md": 4, "sub/b.md": 2}
    for link, place in ((root / "linked", root / "linked"), (root / "topics-too", root / "topics-too/sub")):
        link.symlink_to(tmp_path / "outside" if place == link else root / "topics")
        with pytest.raises(OSError):
            list(disk.walk(place))


def test_a_record_whose_prepared_names_were_lost_takes_nothing_with_it(root: Path) -> None:
    with pytest.raises(Killed):
        committer(root, DyingDisk(recorded(root))).run(changes(), "t")
    for path in root.glob("topics/.deepseedian-*"):
        path.unlink()
    found = committer(root, Disk()).recover(clean=True)
    assert content(root) == OLD and not found.conflicts
