"""The public plugin's folder: hash vectors, samples, read-only opening, adoption."""

import json
import socket
from pathlib import Path

import pytest

from deepseedian.core.markup import scan
from deepseedian.core.snapshot import sha256
from deepseedian.errors import AdoptFirst, BadVault, Busy, Conflict
from deepseedian.sidecar import Sidecar, initialise
from deepseedian.store import original

SOURCE = "57f9df5164c3d413335d4ac4e887e49c1e1b4053308bd0fed36d5fd361b695bd"
SAMPLE_A = f"""# 本库记忆

<!-- deepseedian-entry {{"id":"0b6d6c1e-7a54-4f0e-9a51-3f1d2c4b5a60","createdAt":"2026-11-20T08:15:30.000Z","source":"sample: by hand"}} -->
先给最小例子，再给定义。

Second paragraph of the same entry.
<!-- /deepseedian-entry -->

<!-- deepsidian-entry {{"id":"5c0a7f72-1d1b-4c39-8c7e-9be0f6a1d2e3","createdAt":"2026-09-14T01:02:03.004Z","source":"sample: confirmed \
proposal","sourceKeys":["{SOURCE}"]}} -->
Rust answers start with ownership.
<!-- /deepsidian-entry -->
""".encode()
S0 = {"topics/general.md": "# 本库记忆\n\n\n", "RULES.md": "# Rules\n- keep it short\n",
      "state.json": '{"version":1,"vaultId":"3a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d","deleted":[]}', "MEMORY.md": "# Index\n\n\n"}
S1 = S0 | {
    "topics/general.md": '# 本库记忆\n\n<!-- deepseedian-entry {"id":"7e57ab1e-0000-4000-8000-000000000001",'
                         '"createdAt":"2026-11-21T09:00:00.000Z","source":"sample"} -->\nLikes short answers\n<!-- /deepseedian-entry -->\n',
    "MEMORY.md": "# Index\n\n- 7e57ab1e-0000-4000-8000-000000000001：Likes short answers\n"}
SAMPLE_B = ('{"version":1,"records":[{"id":"7e57ab1e-0000-4000-8000-0000000000aa","at":"2026-11-21T09:00:00.001Z","kind":"add",'
            '"summary":"sample add","afterHash":"0e4518818fe2d693e51ce2c6b4e37fd9c0804c03d0c9b7c47628e5040b289088",'
            f'"restoresDeleted":false,"before":{original.stringify(S0)}}}]}}')
SAMPLE_C = '{"version":1,"before":{"RULES.md":"# Rules\\n- keep it short\\n"},"after":{"RULES.md":"# Rules\\n- keep it short\\n- keep sources\\n"}}'


def test_the_samples_are_the_published_bytes() -> None:
    assert (len(SAMPLE_A), sha256(SAMPLE_A)) == (551, "653806ad1bc83724db651b4150d0c5c9c0215cc4f4faeda5d2f88128189b39f6")
    assert (len(SAMPLE_B.encode()), sha256(SAMPLE_B.encode())) == (463, "21f0b893433bc817ab375f8ed924eb5f7c7c9c5e79acf3b748ffaec30fce34a8")
    assert (len(SAMPLE_C), sha256(SAMPLE_C.encode())) == (130, "2d9b739911dccb2c93d4c981e429d6e2054a5e943a0822173253e84b2b2eb7cc")


def test_hash_vectors() -> None:
    assert original.source_key("chat-demo", 4, "以后讲 Rust 请先讲所有权") == SOURCE
    assert original.range_key("chat-demo", [("user", "hi"), ("assistant", "hello")]) == \
        "a3a8ecb98cf3ae6ded96953985da45834121a3f6d9e0b19d66d7992ef9a62121"
    assert original.core_hash(S0) == "0720ec13acb3402f092e60197d6d0dbcd27d112c96097b4b7972caa2efec1430"
    assert original.core_hash(S1) == "0e4518818fe2d693e51ce2c6b4e37fd9c0804c03d0c9b7c47628e5040b289088"
    assert original.revision(S0) == "9ab67c9b3c7693d5db59303678a95623b76ca28cd4fc98158d84ede1af1dbf18"
    assert original.revision(S1 | {"journal.json": SAMPLE_B}) == "a4bf35ca05aada50652f7be33db766b1701d0a6b5b1f96a4c0cf892f9d820ec8"


def test_lone_surrogates_are_escaped_as_javascript_does() -> None:
    assert original.stringify(["a\ud800b", "é\u2028"]) == '["a\\ud800b","é\u2028"]'


def test_sample_a_gives_two_entries_of_both_families() -> None:
    first, second = scan(SAMPLE_A, "topics/general.md").blocks
    assert first.entry.text == "先给最小例子，再给定义。\n\nSecond paragraph of the same entry."
    assert (first.family, second.family, second.entry.source_keys) == ("deepseedian", "deepsidian", (SOURCE,))


@pytest.fixture(params=["deepseedian", "deepsidian"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An original memory folder under either plugin id, with sample A."""
    memory = tmp_path / "old/.obsidian/plugins" / request.param / "memory"
    (memory / "topics").mkdir(parents=True)
    for name, text in S0.items():
        (memory / name).write_text(text, encoding="utf-8")
    (memory / "topics/general.md").write_bytes(SAMPLE_A)
    (memory / "journal.json").write_text(SAMPLE_B, encoding="utf-8")
    return memory


def root(folder: Path) -> Path:
    return folder.parents[3]


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_opens_read_only(folder: Path) -> None:
    before = files(folder)
    sidecar = Sidecar.open(root(folder))
    assert sidecar.recall("最小例子")["total"] == 2
    with pytest.raises(AdoptFirst):
        sidecar.remember("something new")
    with pytest.raises(AdoptFirst):
        sidecar.undo()
    assert sidecar.check()["problems"] == []
    sidecar.close()
    assert files(folder) == before


def test_init_without_adopt_leaves_it_alone(folder: Path) -> None:
    before = files(folder)
    initialise(root(folder))
    assert files(folder) == before


def test_adoption_keeps_the_topic_and_makes_a_backup(folder: Path, home: Path) -> None:
    before = files(folder)
    done = initialise(root(folder), adopt=True)
    assert done["vaultId"] == "3a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d"
    assert (folder / "topics/general.md").read_bytes() == SAMPLE_A
    assert json.loads((folder / "state.json").read_bytes())["version"] == 2
    backup, = (home / "state/backups").iterdir()
    assert files(backup) == before
    sidecar = Sidecar.open(root(folder))
    assert sidecar.claims() == {"pins": [], "rules": ""} and "claimed" not in str(sidecar.entries())
    sidecar.remember("以后先讲所有权")
    family = folder.parent.name
    assert (folder / "topics/general.md").read_bytes().startswith(SAMPLE_A + f"\n<!-- {family}-entry ".encode())
    sidecar.undo()
    assert (folder / "topics/general.md").read_bytes() == SAMPLE_A
    sidecar.close()


def test_a_pending_transaction_is_completed(folder: Path) -> None:
    (folder / "transaction.json").write_text(SAMPLE_C, encoding="utf-8")
    initialise(root(folder), adopt=True)
    assert (folder / "RULES.md").read_text(encoding="utf-8").count("\n") == 3
    assert not (folder / "transaction.json").exists()


def test_a_pending_transaction_over_an_edit_stops_adoption(folder: Path) -> None:
    (folder / "transaction.json").write_text(SAMPLE_C, encoding="utf-8")
    (folder / "RULES.md").write_text("mine\n", encoding="utf-8")
    before = files(folder)
    with pytest.raises(Conflict):
        initialise(root(folder), adopt=True)
    assert files(folder) == before


@pytest.mark.parametrize("text", ["[", '{"version":true,"before":{},"after":{}}', '{"version":1,"before":{},"after":{"RULES.md":"x"}}',
                                  '{"version":1,"before":{"../x":""},"after":{"../x":"y"}}'])
def test_a_malformed_transaction_stops_adoption(folder: Path, text: str) -> None:
    (folder / "transaction.json").write_text(text, encoding="utf-8")
    before = files(folder)
    with pytest.raises(BadVault):
        initialise(root(folder), adopt=True)
    assert files(folder) == before


@pytest.mark.parametrize("owner", ["", "text", "[]", '{"host":"elsewhere","pid":1,"token":"t"}'])
def test_a_lock_of_unknown_origin_stops_adoption(folder: Path, owner: str) -> None:
    (folder / "writer.lock").write_text(owner, encoding="utf-8")
    with pytest.raises(Busy):
        initialise(root(folder), adopt=True)


def test_a_live_lock_or_guard_stops_adoption_and_a_dead_one_does_not(folder: Path) -> None:
    import os

    lock = {"host": socket.gethostname(), "pid": os.getpid(), "token": "t"}
    (folder / "writer.lock").write_text(json.dumps(lock), encoding="utf-8")
    with pytest.raises(Busy):
        initialise(root(folder), adopt=True)
    (folder / "writer.lock").write_text(json.dumps(lock | {"pid": 2 ** 22 + 7}), encoding="utf-8")
    (folder / "writer.lock.guard").write_text("{}", encoding="utf-8")
    with pytest.raises(Busy):
        initialise(root(folder), adopt=True)
    (folder / "writer.lock.guard").unlink()
    initialise(root(folder), adopt=True)
    assert not (folder / "writer.lock").exists()


def test_adoption_is_noticed_by_what_is_open_already(folder: Path) -> None:
    sidecar = Sidecar.open(root(folder))
    initialise(root(folder), adopt=True)
    assert sidecar.remember("先讲所有权")["topic"] == "general"
    sidecar.close()
