"""`import` and `show --timeline` as their users run them, through a daemon and without one."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from deepseedian.cli import importing
from tests.commands import Command
from tests.store.test_foreign import plugin


@pytest.fixture
def command(tmp_path: Path) -> Command:
    found = Command(tmp_path / "vault")
    found("init", str(tmp_path / "vault"))
    return found


@pytest.fixture
def served(command: Command) -> Iterator[Command]:
    with command.daemon():
        yield command


def test_a_day_with_an_old_memory(served: Command, tmp_path: Path) -> None:
    """The public plugin's folder with its chats, a page for agents, another vault's export; looked at, taken, taken back."""
    home = plugin(tmp_path / "old")
    looked = served("import", str(home), "--dry-run", "--as", "external")
    assert (looked["format"], looked["new"], looked["chats"]["turns"], looked["dryRun"]) == ("plugin", 2, 2, True)
    assert served("list")["entries"] == [] and served("sessions", "list")["sessions"] == []
    taken = served("import", str(home), "--as", "external")
    assert (taken["new"], taken["chats"]["turns"], taken["changes"]) == (2, 2, 1) and taken["refused"] == 3
    (session,) = served("sessions", "list")["sessions"]
    assert session["contributes"] is False and session["title"] == "Rust"
    again = served("import", str(home), "--as", "external")
    assert (again["new"], again["there"], again["chats"]["turns"], again["chats"]["there"]) == (0, 2, 0, 2)
    entry = next(item for item in served("list")["entries"] if item["id"].startswith("0b6d6c1e"))
    assert (entry["createdAt"], entry["trust"]) == ("2026-11-20T08:15:30.000Z", "external")
    assert [event["kind"] for event in served("show", entry["id"], "--timeline")["events"]] == ["written", "import"]
    page = tmp_path / "CLAUDE.md"
    page.write_text("# Rules\n\n## Style\n- Two spaces.\n- token = abcd1234efgh5678\n", encoding="utf-8")
    proposed = served("import", str(page), "--topic", "habits")
    assert (proposed["new"], len(proposed["proposals"]), proposed["reasons"][0]["place"]) == (1, 1, "CLAUDE.md:5")
    (waiting,) = served("review", "list")["proposals"]
    assert (waiting["topic"], waiting["text"], waiting["origin"]) == ("habits", "Two spaces.", "import")
    rows = "".join(json.dumps(row) + "\n" for row in served("export")["entries"])
    served("undo")
    assert served("list")["entries"] == []
    done = served.run("--vault", str(served.vault), "import", "-", "--as", "external", given=rows)
    assert done.status == 0 and "2 statements: 2 entries of trust external" in done.out and "deepseedian undo takes it back" in done.out
    shown = served.run("--vault", str(served.vault), "show", entry["id"], "--timeline")
    assert shown.status == 0 and "  undo  from: general" in shown.out and "recalled: 0" in shown.out


def test_what_cannot_be_imported_is_said_so(command: Command, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"x")
    for words in ((str(tmp_path / "none"),), (str(tmp_path / "a.bin"),), (str(tmp_path), "--format", "xml"), ("-", "--format", "notes")):
        assert command("import", *words, status=2)["error"]["code"] == "bad_input"
    empty = command("import", "-", given="")
    assert (empty["items"], empty["new"], empty["note"]) == (0, 0, None)


def test_reading_leaves_the_source_as_it_is(command: Command, tmp_path: Path) -> None:
    """The folder may be another program's, in use, and not ours to write. No daemon runs here."""
    home = plugin(tmp_path / "old")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for folder in (home, *(path for path in home.rglob("*") if path.is_dir())):
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        done = command("import", str(home))
        assert (done["new"], done["chats"]["turns"]) == (2, 2)
    finally:
        for folder in (home, *home.rglob("*")):
            folder.chmod(0o755)
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_requests_stay_below_what_a_daemon_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "REQUEST_BYTES", 300)
    documents = [{"text": "x" * 90} for _ in range(7)]
    portions = list(importing._portions(documents))
    assert [len(portion) for portion in portions] == [2, 2, 2, 1] and [one for portion in portions for one in portion] == documents
    assert list(importing._portions([])) == [[]]
    chat: dict[str, object] = {"session": "s", "turns": [{"text": "y" * 90}] * 7}
    assert [len(list(piece["turns"])) for piece in importing._pieces(chat)] == [2, 2, 2, 1]  # type: ignore[call-overload]
    summed = importing._summed({"new": 1, "note": "a", "dryRun": False, "entries": [1]}, {"new": 2, "note": None, "dryRun": False, "entries": [2]})
    assert summed == {"new": 3, "note": "a", "dryRun": False, "entries": [1, 2]}
